//! From W3D's axes to the scene's: W3D has X forward, Y left, Z up; the scene Y up (docs/formats/w3d/coordinates.md#axes).
//!
//! The change is a quarter turn about X, so it keeps lengths, angles and handedness, and a rotation changes by its axis alone.

use glam::{Affine3A, Mat3A, Quat, Vec2, Vec3};

/// A position or direction.
#[inline]
pub(super) fn vector(vector: record::Vec3) -> Vec3 {
    direction(vector.get())
}

/// The same of plain numbers.
#[inline]
pub(crate) const fn direction([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, -y)
}

/// Sizes along the axes.
pub(super) fn extent(extent: record::Vec3) -> Vec3 {
    let [x, y, z] = extent.get();
    Vec3::new(x, z, y)
}

/// A rotation, of unit length. Nothing if it cannot be: a damaged one, or all zeros.
#[inline]
pub(crate) fn rotation([x, y, z, w]: [f32; 4]) -> Option<Quat> {
    let rotation = Quat::from_xyzw(x, z, -y, w);
    let length = rotation.length();
    (length.is_finite() && length > 1e-6).then(|| rotation / length)
}

/// The corners of a box.
pub(super) fn corners(min: record::Vec3, max: record::Vec3) -> (Vec3, Vec3) {
    let (a, b) = (vector(min), vector(max));
    (a.min(b), a.max(b))
}

/// A matrix of three axes and a position.
pub(super) fn matrix(axes: [Vec3; 3], position: Vec3) -> Affine3A {
    let swap = |v: Vec3| Vec3::new(v.x, v.z, -v.y);
    let [x, y, z] = axes.map(swap);
    // The columns are where the new axes go: new Y is old Z, new Z is old -Y.
    Affine3A {
        matrix3: Mat3A::from_cols(x.into(), z.into(), (-y).into()),
        translation: swap(position).into(),
    }
}

/// Texture coordinates: the file's V points up (docs/formats/w3d/coordinates.md#texture-coordinates).
#[inline]
pub(super) fn texcoord(coordinate: record::Vec2) -> Vec2 {
    let [u, v] = coordinate.get();
    Vec2::new(u, 1.0 - v)
}
