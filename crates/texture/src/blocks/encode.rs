//! Encoding BC1 and BC3.
//!
//! The end points of a block's colours start at the ends of its principal axis and are then fitted to the indices by
//! least squares, in a few rounds. A block of a single colour uses the pair of end points whose mixture is closest to it.

use std::sync::LazyLock;

/// Rounds of fitting end points to indices; more hardly improve the result.
const ROUNDS: usize = 4;

/// Pixels whose alpha is below this become transparent in BC1.
const THRESHOLD: u8 = 128;

/// 16 pixels, row by row.
pub(crate) type Texels = [[u8; 4]; 16];

/// A BC1 block. Alpha is on or off; transparent pixels lose their colour.
pub(crate) fn encode_bc1(texels: &Texels) -> [u8; 8] {
    if texels.iter().all(|texel| texel[3] >= THRESHOLD) {
        return Fit::best(texels, Mode::FourColours).to_bytes(&[true; 16]);
    }
    let solid = texels.map(|texel| texel[3] >= THRESHOLD);
    let visible: Vec<[u8; 4]> = texels.iter().copied().filter(|texel| texel[3] >= THRESHOLD).collect();
    if visible.is_empty() {
        // Equal colours select the three-colour mode; index 3 is transparent black.
        return [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF];
    }
    // Transparent pixels get the colour of a visible one, so that they have no effect.
    let mut filled = *texels;
    for (texel, _) in filled.iter_mut().zip(solid).filter(|(_, solid)| !solid) {
        *texel = visible[0];
    }
    Fit::best(&filled, Mode::ThreeColours).to_bytes(&solid)
}

/// A BC3 block: the alphas, then the colours, which do not depend on alpha.
pub(crate) fn encode_bc3(texels: &Texels) -> [u8; 16] {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&encode_alpha(&texels.map(|texel| texel[3])));
    block[8..].copy_from_slice(&Fit::best(texels, Mode::FourColours).to_bytes(&[true; 16]));
    block
}

/// The number of colours that a block mixes from its two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The two and both thirds between them; `color0 > color1`.
    FourColours,
    /// The two and their mean; `color0 <= color1`, and index 3 is transparent.
    ThreeColours,
}

impl Mode {
    /// The weight of the second colour for each index, in the order of the stored indices.
    fn weights(self) -> &'static [f32] {
        match self {
            Mode::FourColours => &[0.0, 1.0, 1.0 / 3.0, 2.0 / 3.0],
            Mode::ThreeColours => &[0.0, 1.0, 0.5],
        }
    }
}

/// A colour of 5, 6 and 5 bits.
type Packed = [u8; 3];

const BITS: [u32; 3] = [5, 6, 5];

/// The eight-bit value of a stored channel.
fn widen(value: u8, bits: u32) -> u8 {
    value << (8 - bits) | value >> (2 * bits - 8)
}

fn unpack(packed: Packed) -> [f32; 3] {
    std::array::from_fn(|channel| f32::from(widen(packed[channel], BITS[channel])))
}

fn pack(colour: [f32; 3]) -> Packed {
    std::array::from_fn(|channel| {
        let max = ((1u32 << BITS[channel]) - 1) as f32;
        (colour[channel].clamp(0.0, 255.0) / 255.0 * max).round() as u8
    })
}

fn as_word([r, g, b]: Packed) -> u16 {
    u16::from(r) << 11 | u16::from(g) << 5 | u16::from(b)
}

/// Two end points, the index of each pixel, and the error.
#[derive(Debug, Clone, Copy)]
struct Fit {
    ends: [Packed; 2],
    indices: [u8; 16],
    mode: Mode,
    error: f32,
}

impl Fit {
    fn best(texels: &Texels, mode: Mode) -> Fit {
        let colours = texels.map(|[r, g, b, _]| [r, g, b].map(f32::from));
        if texels.iter().all(|texel| texel[..3] == texels[0][..3]) {
            return Fit::uniform(&colours, mode, texels[0]);
        }
        let ends = principal_ends(&colours);
        let mut best = Fit::with_ends(&colours, mode, ends.map(pack));
        let mut current = best;
        for _ in 0..ROUNDS {
            let Some(ends) = current.refined_ends(&colours) else { break };
            let ends = ends.map(pack);
            if ends == current.ends {
                break;
            }
            current = Fit::with_ends(&colours, mode, ends);
            if current.error >= best.error {
                break;
            }
            best = current;
        }
        best
    }

    /// The closest colour to each pixel.
    fn with_ends(colours: &[[f32; 3]; 16], mode: Mode, ends: [Packed; 2]) -> Fit {
        let [first, second] = ends.map(unpack);
        let mut palette = [[0.0; 3]; 4];
        for (colour, weight) in palette.iter_mut().zip(mode.weights()) {
            *colour =
                std::array::from_fn(|channel| first[channel] + (second[channel] - first[channel]) * weight);
        }
        let palette = &palette[..mode.weights().len()];
        let mut fit = Fit { ends, indices: [0; 16], mode, error: 0.0 };
        for (index, colour) in fit.indices.iter_mut().zip(colours) {
            let mut closest = f32::INFINITY;
            for (at, candidate) in palette.iter().enumerate() {
                let distance = squared_distance(candidate, colour);
                if distance < closest {
                    (closest, *index) = (distance, at as u8);
                }
            }
            fit.error += closest;
        }
        fit
    }

    /// All pixels have one colour: every channel takes its best pair, mixed by index 2.
    fn uniform(colours: &[[f32; 3]; 16], mode: Mode, [r, g, b, _]: [u8; 4]) -> Fit {
        let tables = &*SINGLE;
        let mixing = if mode == Mode::FourColours { &tables.thirds } else { &tables.halves };
        let pairs = [mixing.five[usize::from(r)], mixing.six[usize::from(g)], mixing.five[usize::from(b)]];
        let ends = [pairs.map(|pair| pair[0]), pairs.map(|pair| pair[1])];
        Fit::with_ends(colours, mode, ends)
    }

    /// The end points that come closest to the pixels with these indices, by least squares.
    fn refined_ends(&self, colours: &[[f32; 3]; 16]) -> Option<[[f32; 3]; 2]> {
        let weights = self.mode.weights();
        // Normal equations of `(1 - w) * first + w * second = colour`.
        let (mut first_first, mut first_second, mut second_second) = (0.0, 0.0, 0.0);
        let mut first_colour = [0.0; 3];
        let mut second_colour = [0.0; 3];
        for (&index, colour) in self.indices.iter().zip(colours) {
            let w = weights[usize::from(index)];
            first_first += (1.0 - w) * (1.0 - w);
            first_second += (1.0 - w) * w;
            second_second += w * w;
            for channel in 0..3 {
                first_colour[channel] += (1.0 - w) * colour[channel];
                second_colour[channel] += w * colour[channel];
            }
        }
        let determinant = first_first * second_second - first_second * first_second;
        if determinant.abs() < 1e-6 {
            return None;
        }
        let first = std::array::from_fn(|channel| {
            (second_second * first_colour[channel] - first_second * second_colour[channel]) / determinant
        });
        let second = std::array::from_fn(|channel| {
            (first_first * second_colour[channel] - first_second * first_colour[channel]) / determinant
        });
        Some([first, second])
    }

    /// The block. The order of its colours determines the mode. Pixels that are not solid are transparent.
    fn to_bytes(self, solid: &[bool; 16]) -> [u8; 8] {
        let [mut first, mut second] = self.ends.map(as_word);
        let mut indices = self.indices;
        match self.mode {
            Mode::FourColours if first < second => {
                (first, second) = (second, first);
                // Swapping the colours swaps 0 with 1 and 2 with 3.
                indices = indices.map(|index| index ^ 1);
            }
            // The decoder uses three colours for it, and index 0 is still the first.
            Mode::FourColours if first == second => indices = [0; 16],
            Mode::ThreeColours if first > second => {
                (first, second) = (second, first);
                indices = indices.map(|index| if index < 2 { index ^ 1 } else { index });
            }
            _ => {}
        }
        let bits = indices
            .iter()
            .zip(solid)
            .rev()
            .fold(0u32, |bits, (&index, &solid)| bits << 2 | if solid { u32::from(index) } else { 3 });
        let [a, b] = first.to_le_bytes();
        let [c, d] = second.to_le_bytes();
        let [e, f, g, h] = bits.to_le_bytes();
        [a, b, c, d, e, f, g, h]
    }
}

fn squared_distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The ends of the line through the mean along which the colours vary most.
fn principal_ends(colours: &[[f32; 3]; 16]) -> [[f32; 3]; 2] {
    let mean: [f32; 3] =
        std::array::from_fn(|channel| colours.iter().map(|colour| colour[channel]).sum::<f32>() / 16.0);
    let mut covariance = [[0.0f32; 3]; 3];
    for colour in colours {
        for (row, values) in covariance.iter_mut().enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value += (colour[row] - mean[row]) * (colour[column] - mean[column]);
            }
        }
    }
    // Power iteration from the channel that varies most, whose row is never zero here.
    let widest = (0..3).max_by(|&a, &b| covariance[a][a].total_cmp(&covariance[b][b])).unwrap_or(0);
    let mut axis = covariance[widest];
    for _ in 0..8 {
        let next: [f32; 3] = std::array::from_fn(|row| {
            covariance[row].iter().zip(axis).map(|(value, axis)| value * axis).sum()
        });
        let length = next.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length == 0.0 {
            break;
        }
        axis = next.map(|value| value / length);
    }
    let length = axis.iter().map(|value| value * value).sum::<f32>().sqrt();
    axis = axis.map(|value| value / length.max(f32::MIN_POSITIVE));
    let along = |colour: &[f32; 3]| -> f32 { (0..3).map(|c| (colour[c] - mean[c]) * axis[c]).sum() };
    let reach = colours.iter().map(along);
    let (low, high) =
        reach.fold((f32::MAX, f32::MIN), |(low, high), index| (low.min(index), high.max(index)));
    [low, high].map(|index| std::array::from_fn(|channel| mean[channel] + axis[channel] * index))
}

/// For each value of eight bits, the pair of stored values whose mixture comes closest to it.
struct Single {
    thirds: Pairs,
    halves: Pairs,
}

struct Pairs {
    five: Vec<[u8; 2]>,
    six: Vec<[u8; 2]>,
}

static SINGLE: LazyLock<Single> = LazyLock::new(|| Single { thirds: pairs(2, 1), halves: pairs(1, 1) });

fn pairs(first: i32, second: i32) -> Pairs {
    let table = |bits: u32| {
        let max = (1u8 << bits) - 1;
        let error = |target: i32, [a, b]: [u8; 2]| {
            let [a, b] = [a, b].map(|value| i32::from(widen(value, bits)));
            // Of equally good pairs, one with close ends depends less on the rounding of decoders.
            let mixture = (first * a + second * b) - target * (first + second);
            (mixture.abs(), (a - b).abs())
        };
        let best = |target| {
            let all = (0..=max).flat_map(|a| (0..=max).map(move |b| [a, b]));
            all.min_by_key(|&pair| error(target, pair)).unwrap_or([0; 2])
        };
        (0..256).map(best).collect()
    };
    Pairs { five: table(5), six: table(6) }
}

/// Two alphas and a 3-bit index for each pixel, in the better of the two modes.
fn encode_alpha(alphas: &[u8; 16]) -> [u8; 8] {
    let range = |keep: fn(&u8) -> bool| {
        let kept = alphas.iter().copied().filter(keep);
        kept.fold(None, |range: Option<(u8, u8)>, alpha| {
            let (low, high) = range.unwrap_or((alpha, alpha));
            Some((low.min(alpha), high.max(alpha)))
        })
    };
    let (low, high) = range(|_| true).unwrap_or((0, 0));
    if low == high {
        return [low, high, 0, 0, 0, 0, 0, 0];
    }
    // `alpha0 > alpha1`: six values between them. Else four between them, 0 and 255.
    let eight = best_alphas(alphas, low, high, |low, high| [high, low]);
    let (low, high) = range(|&alpha| alpha != 0 && alpha != 255).unwrap_or((low, low));
    let six = best_alphas(alphas, low, high, |low, high| [low, high]);
    if six.1 < eight.1 { six.0 } else { eight.0 }
}

/// The best of the blocks whose two alphas are moved a little inwards from these.
fn best_alphas(alphas: &[u8; 16], low: u8, high: u8, ends: fn(u8, u8) -> [u8; 2]) -> ([u8; 8], u32) {
    let mut best = alpha_indices(alphas, ends(low, high));
    // More than half a step would exclude the outermost alphas.
    let most = (high - low) / 12;
    let step = usize::from(most.div_ceil(4).max(1));
    for (up, down) in
        (0..=most).step_by(step).flat_map(|up| (0..=most).step_by(step).map(move |down| (up, down)))
    {
        if best.1 == 0 {
            break;
        }
        let block = alpha_indices(alphas, ends(low + up, high - down));
        if block.1 < best.1 {
            best = block;
        }
    }
    best
}

/// The block with these two alphas, and its squared error.
fn alpha_indices(alphas: &[u8; 16], ends: [u8; 2]) -> ([u8; 8], u32) {
    let mut block = [0; 8];
    block[..2].copy_from_slice(&ends);
    let values = alpha_values(ends);
    let mut bits = 0u64;
    let mut error = 0;
    for &alpha in alphas.iter().rev() {
        let distance = |index: &usize| i32::from(alpha).abs_diff(values[*index]);
        let closest = (0..8).min_by_key(distance).unwrap_or(0);
        bits = bits << 3 | closest as u64;
        error += distance(&closest).pow(2);
    }
    block[2..].copy_from_slice(&bits.to_le_bytes()[..6]);
    (block, error)
}

/// The eight alphas of a block with these two.
fn alpha_values([first, second]: [u8; 2]) -> [i32; 8] {
    let [a, b] = [first, second].map(i32::from);
    let mix = |a_part: i32, b_part: i32| {
        let all = a_part + b_part;
        (a * a_part + b * b_part + all / 2) / all
    };
    if a > b {
        [a, b, mix(6, 1), mix(5, 2), mix(4, 3), mix(3, 4), mix(2, 5), mix(1, 6)]
    } else {
        [a, b, mix(4, 1), mix(3, 2), mix(2, 3), mix(1, 4), 0, 255]
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Bc, *};

    fn decoded(bc: Bc, block: &[u8]) -> Vec<[u8; 4]> {
        bc.decode(block, 4, 4).unwrap().iter().collect()
    }

    #[test]
    fn two_colours_that_can_be_stored_come_back() {
        let texels: Texels =
            std::array::from_fn(|index| if index % 3 == 0 { [255, 0, 0, 255] } else { [0, 130, 255, 255] });
        assert_eq!(decoded(Bc::Bc1, &encode_bc1(&texels)), texels);
        assert_eq!(decoded(Bc::Bc3, &encode_bc3(&texels)), texels);
    }

    #[test]
    fn a_single_colour_is_close_whatever_it_is() {
        for value in 0..=255u8 {
            let texels = [[value, 255 - value, value / 2, 255]; 16];
            for texel in decoded(Bc::Bc1, &encode_bc1(&texels)) {
                let most = texel.iter().zip(&texels[0]).map(|(a, b)| a.abs_diff(*b)).max();
                // The closest of the stored values themselves is up to 4 away.
                assert!(most <= Some(2), "{:?} became {texel:?}", texels[0]);
            }
        }
    }

    #[test]
    fn bc1_keeps_transparent_pixels_apart_from_visible_ones() {
        let texels: Texels = std::array::from_fn(|index| match index {
            0..4 => [9, 9, 9, 0],
            4..8 => [255, 255, 255, THRESHOLD - 1],
            8..12 => [255, 0, 0, THRESHOLD],
            _ => [0, 0, 255, 255],
        });
        let pixels = decoded(Bc::Bc1, &encode_bc1(&texels));
        assert_eq!(pixels[..8], [[0; 4]; 8]);
        assert_eq!(pixels[8..12], [[255, 0, 0, 255]; 4]);
        assert_eq!(pixels[12..], [[0, 0, 255, 255]; 4]);
        assert_eq!(decoded(Bc::Bc1, &encode_bc1(&[[1, 2, 3, 0]; 16])), [[0; 4]; 16]);
    }

    #[test]
    fn alpha_takes_the_mode_that_comes_closer() {
        // 0 and 255 beside a narrow range: exact only if they have separate indices.
        let narrow: [u8; 16] = std::array::from_fn(|index| [0, 255, 100, 105][index % 4]);
        // An even ramp: eight values are closer than six.
        let ramp: [u8; 16] = std::array::from_fn(|index| 10 + (index / 2) as u8 * 21);
        for (alphas, most) in
            [(narrow, 0), (ramp, 1), ([77; 16], 0), (std::array::from_fn(|index| (index % 2) as u8 * 255), 0)]
        {
            let texels = alphas.map(|alpha| [50, 60, 70, alpha]);
            let pixels = decoded(Bc::Bc3, &encode_bc3(&texels));
            for (pixel, alpha) in pixels.iter().zip(alphas) {
                assert!(pixel[3].abs_diff(alpha) <= most, "{alphas:?} became {pixels:?}");
            }
        }
    }

    #[test]
    fn a_gradient_is_within_a_few_steps() {
        let texels: Texels = std::array::from_fn(|index| {
            let index = index as u8;
            [index * 4, 100 + index * 3, 200 - index * 2, 255]
        });
        for pixels in [decoded(Bc::Bc1, &encode_bc1(&texels)), decoded(Bc::Bc3, &encode_bc3(&texels))] {
            for (pixel, texel) in pixels.iter().zip(&texels) {
                let most = pixel.iter().zip(texel).map(|(a, b)| a.abs_diff(*b)).max();
                // Four steps over a range of 60: at most an eighth of it, and the rounding to five bits.
                assert!(most <= Some(14), "{texel:?} became {pixel:?}");
            }
        }
    }
}
