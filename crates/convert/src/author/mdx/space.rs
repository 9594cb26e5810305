//! From the scene's axes and units to MDX's: the inverse of what the way in does (`convert/src/mdx/space.rs`).

use glam::{Quat, Vec3, Vec4};
use mdx::records::Extent;
use record::{F32, Quaternion};
use scene::Bounds;

/// A position or direction.
pub(crate) fn vector(vector: Vec3) -> record::Vec3 {
    record::Vec3::new(vector.x, -vector.z, vector.y)
}

/// Factors along the axes.
pub(crate) fn scale(scale: Vec3) -> record::Vec3 {
    record::Vec3::new(scale.x, scale.z, scale.y)
}

/// A vector whose parts stay as they are: a colour, or texture coordinates.
pub(crate) fn plain(vector: Vec3) -> record::Vec3 {
    record::Vec3::new(vector.x, vector.y, vector.z)
}

/// A direction and a handedness.
pub(crate) fn tangent(tangent: Vec4) -> record::Vec4 {
    record::Vec4::new(tangent.x, -tangent.z, tangent.y, tangent.w)
}

/// A rotation, whose axis turns.
pub(crate) fn rotation(rotation: Quat) -> Quaternion {
    Quaternion::new(rotation.x, -rotation.z, rotation.y, rotation.w)
}

/// A rotation of texture coordinates, whose axes stay.
pub(crate) fn plain_rotation(rotation: Quat) -> Quaternion {
    Quaternion::new(rotation.x, rotation.y, rotation.z, rotation.w)
}

/// A time in whole milliseconds.
pub(crate) fn milliseconds(seconds: f32) -> i32 {
    (f64::from(seconds) * 1000.0).round() as i32
}

/// The corners of a box.
pub(crate) fn corners(min: Vec3, max: Vec3) -> [record::Vec3; 2] {
    [record::Vec3::new(min.x, -max.z, min.y), record::Vec3::new(max.x, -min.z, max.y)]
}

/// Bounds.
pub(crate) fn extent(bounds: &Bounds) -> Extent {
    let [minimum, maximum] = corners(bounds.min, bounds.max);
    Extent { radius: F32::new(bounds.radius), minimum, maximum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_is_z_and_forward_stays_x() {
        assert_eq!(vector(Vec3::new(1.0, 2.0, 3.0)).get(), [1.0, -3.0, 2.0]);
        assert_eq!(scale(Vec3::new(1.0, 2.0, 3.0)).get(), [1.0, 3.0, 2.0]);
        let [low, high] = corners(Vec3::new(-1.0, 0.0, -3.0), Vec3::new(1.0, 5.0, 4.0));
        assert_eq!((low.get(), high.get()), ([-1.0, -4.0, 0.0], [1.0, 3.0, 5.0]));
        // A turn about the scene's up is one about Z.
        let turn = rotation(Quat::from_rotation_y(1.0)).get();
        assert!((turn[2] - 0.5_f32.sin()).abs() < 1e-6 && turn[0] == 0.0 && turn[1] == 0.0);
    }
}
