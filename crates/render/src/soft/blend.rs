//! Blending as the old engines do it: in gamma space, into 8 bits per channel.

use scene::BlendFactor;

/// A colour with its alpha.
pub(super) type Rgba = [u8; 4];

/// `source · first + destination · second`, each channel clamped. The sum is rounded once.
pub(super) fn blend(factors: (BlendFactor, BlendFactor), source: Rgba, destination: Rgba) -> Rgba {
    let first = factor(factors.0, source, destination);
    let second = factor(factors.1, source, destination);
    std::array::from_fn(|index| {
        let product = |value: u8, factor: u8| u32::from(value) * u32::from(factor);
        let sum = product(source[index], first[index]) + product(destination[index], second[index]);
        by_255(sum.min(255 * 255))
    })
}

/// A factor for each channel. The factor of alpha is that of the colour's alpha.
fn factor(factor: BlendFactor, source: Rgba, destination: Rgba) -> Rgba {
    let rest = |color: Rgba| color.map(|value| 255 - value);
    match factor {
        BlendFactor::Zero => [0; 4],
        BlendFactor::One => [255; 4],
        BlendFactor::SourceColor => source,
        BlendFactor::OneMinusSourceColor => rest(source),
        BlendFactor::SourceAlpha => [source[3]; 4],
        BlendFactor::OneMinusSourceAlpha => [255 - source[3]; 4],
        BlendFactor::DestinationColor => destination,
        BlendFactor::OneMinusDestinationColor => rest(destination),
        BlendFactor::DestinationAlpha => [destination[3]; 4],
        BlendFactor::OneMinusDestinationAlpha => [255 - destination[3]; 4],
    }
}

/// A product of two bytes, or less, divided by 255 and rounded to the nearest.
fn by_255(product: u32) -> u8 {
    let sum = product + 128;
    ((sum + (sum >> 8)) >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_divided_exactly() {
        for product in 0..=255 * 255 {
            assert_eq!(u32::from(by_255(product)), (product * 2 + 255) / 510, "{product}");
        }
    }

    /// Source 0.2, 0.4, 0.6 with alpha 0.8; destination 0.4, 0.6, 1.0 with alpha 0.6. Each factor's value, as fractions of 255.
    #[test]
    fn every_pair_of_factors_follows_the_formula() {
        let source = [51, 102, 153, 204];
        let destination = [102, 153, 255, 153];
        let table: [[f64; 4]; 10] = [
            [0.0; 4],
            [1.0; 4],
            [0.2, 0.4, 0.6, 0.8],
            [0.8, 0.6, 0.4, 0.2],
            [0.8; 4],
            [0.2; 4],
            [0.4, 0.6, 1.0, 0.6],
            [0.6, 0.4, 0.0, 0.4],
            [0.6; 4],
            [0.4; 4],
        ];
        for (first, a) in BlendFactor::ALL.into_iter().zip(table) {
            for (second, b) in BlendFactor::ALL.into_iter().zip(table) {
                let expected: Rgba = std::array::from_fn(|index| {
                    let sum = f64::from(source[index]) * a[index] + f64::from(destination[index]) * b[index];
                    // Halves do not occur with these numbers, apart from rounding noise of the fractions.
                    sum.min(255.0).round() as u8
                });
                assert_eq!(blend((first, second), source, destination), expected, "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn the_named_modes_give_the_hand_calculated_colours() {
        use scene::BlendMode;
        let source = [51, 102, 153, 204];
        let destination = [102, 153, 255, 255];
        let table = [
            (BlendMode::Opaque, [51, 102, 153]),
            // 0.8 · source + 0.2 · destination
            (BlendMode::Alpha, [61, 112, 173]),
            // source + destination
            (BlendMode::Add, [153, 255, 255]),
            // 0.8 · source + destination
            (BlendMode::Additive, [143, 235, 255]),
            (BlendMode::AddAlpha, [143, 235, 255]),
            // source · destination
            (BlendMode::Modulate, [20, 61, 153]),
            (BlendMode::Multiply, [20, 61, 153]),
            // 2 · source · destination
            (BlendMode::Modulate2x, [41, 122, 255]),
            // source + (1 - source) · destination
            (BlendMode::Screen, [133, 194, 255]),
        ];
        for (mode, expected) in table {
            let [r, g, b, _] = blend(mode.factors(), source, destination);
            assert_eq!([r, g, b], expected, "{mode:?}");
        }
    }
}
