//! Shares of light: as the games and sRGB store them, and linear, as glTF's factors are.

/// A stored share as linear light.
#[must_use]
pub fn linear(stored: f32) -> f32 {
    if stored <= 0.04045 { stored / 12.92 } else { ((stored + 0.055) / 1.055).powf(2.4) }
}

/// Linear light as sRGB stores it.
#[must_use]
pub fn encoded(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// What has to be added to a stored share, as linear light, so that the sum looks as if `added` had been added to the stored share itself,
/// as the games do. It is returned as sRGB stores it.
#[must_use]
pub fn added_light(share: f32, added: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    let sum = (share + added.max(0.0)).min(1.0);
    encoded((linear(sum) - linear(share)).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_light_is_as_bright_as_in_the_games() {
        for share in 0..=10_u8 {
            for added in 0..=10_u8 {
                let (share, added) = (f32::from(share) / 10.0, f32::from(added) / 10.0);
                let seen = encoded(linear(share) + linear(added_light(share, added)));
                assert!((seen - (share + added).min(1.0)).abs() < 1e-4, "{share} + {added} is {seen}");
            }
        }
        // Half on half is white; the same number as linear light would be 0.69 as bright.
        assert!((added_light(0.5, 0.5) - 0.899).abs() < 1e-3);
    }
}
