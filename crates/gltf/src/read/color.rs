//! Colours: glTF's are linear, the games' are not.

use glam::Vec3;
pub(crate) use scene::color::encoded;

/// A linear colour as the games have it.
pub(crate) fn game_color(linear: Vec3) -> Vec3 {
    Vec3::new(encoded(linear.x), encoded(linear.y), encoded(linear.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_linear_and_back() {
        for byte in 0..=255_u8 {
            let linear = crate::context::linear(Vec3::splat(f32::from(byte) / 255.0)).x;
            let stored = (linear * 65535.0).round() / 65535.0;
            assert_eq!((encoded(stored) * 255.0).round() as u8, byte);
        }
    }
}
