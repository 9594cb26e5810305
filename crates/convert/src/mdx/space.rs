//! From MDX's axes and units to the scene's: MDX has X forward, Y left, Z up and milliseconds; the scene Y up and seconds
//! (mdx-errata 2.6).
//!
//! The change is a quarter turn about X, so it keeps lengths, angles and handedness, and a rotation changes by its axis alone.
//! Texture coordinates start at the top left in both.

use glam::{Quat, Vec3, Vec4, Vec4Swizzles};
use mdx::records::Extent;
use scene::Bounds;

/// A position or direction.
#[inline]
pub(super) const fn vector([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, -y)
}

/// Factors along the axes.
#[inline]
pub(super) const fn scale([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, y)
}

/// A rotation.
#[inline]
pub(super) fn rotation(parts: [f32; 4]) -> Quat {
    // All four at once, which the compiler does not find out by itself.
    Quat::from_vec4(Vec4::from_array(parts).xzyw() * Vec4::new(1.0, 1.0, -1.0, 1.0))
}

/// A rotation at unit length, unless it has none that could be changed. What is as good as that stays as it is.
#[inline]
pub(super) fn unit(rotation: Quat) -> Quat {
    if (rotation.length_squared() - 1.0).abs() < 1e-5 { rotation } else { made_unit(rotation) }
}

// Hardly ever, so that the rest of a loop is short.
#[cold]
fn made_unit(rotation: Quat) -> Quat {
    let unit = rotation.normalize();
    if unit.is_normalized() { unit } else { rotation }
}

/// A stretch of time.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "no sequence is so long that a millisecond is lost")]
pub(super) const fn seconds(milliseconds: i64) -> f32 {
    milliseconds as f32 / 1000.0
}

/// The corners of a box, which turns with the axes: what was least in y is now greatest in z.
pub(super) fn corners(minimum: [f32; 3], maximum: [f32; 3]) -> (Vec3, Vec3) {
    let (a, b) = (vector(minimum), vector(maximum));
    (a.min(b), a.max(b))
}

/// Bounds, unless they are damaged or nobody computed them, which leaves zeros. The ball is around the middle of the box: in files of the game's own tools its radius is
/// half the diagonal.
pub(super) fn bounds(extent: &Extent) -> Option<Bounds> {
    let (min, max) = corners(extent.minimum.get(), extent.maximum.get());
    let (center, radius) = (min.midpoint(max), extent.radius.get());
    let bounds = Bounds { min, max, center, radius };
    let is_finite = min.is_finite() && max.is_finite() && radius.is_finite();
    (is_finite && bounds != Bounds::default()).then_some(bounds)
}
