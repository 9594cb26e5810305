//! Checks on the numbers that files hold: NaN, infinities, quaternion lengths and vertex indices.

use crate::Tangents;
use glam::{Quat, Vec2, Vec3, Vec4};

/// A value whose floating-point numbers may be NaN or infinite.
pub trait Finite: Copy {
    /// Whether no part is NaN or infinite.
    fn finite(self) -> bool;

    /// Whether no part of any value is NaN or infinite.
    fn all_finite(values: &[Self]) -> bool {
        all(values, |value| value.finite())
    }
}

macro_rules! floats {
    ($($type:ty),*) => {$(
        impl Finite for $type {
            #[inline]
            fn finite(self) -> bool {
                self.is_finite()
            }
        }
    )*};
}
floats!(f32, Vec2, Vec3, Vec4, Quat);

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Finite for $type {
            #[inline]
            fn finite(self) -> bool {
                true
            }
        }
    )*};
}
integers!(bool, u32);

impl<T: Finite> Finite for Tangents<T> {
    #[inline]
    fn finite(self) -> bool {
        self.incoming.finite() && self.outgoing.finite()
    }
}

/// Whether a test holds for all items, which is the usual case. A block has no early exit, so that the loop vectorises.
pub fn all<T>(items: &[T], test: impl Fn(&T) -> bool) -> bool {
    const BLOCK: usize = 64;
    items.chunks(BLOCK).all(|block| block.iter().fold(true, |all, item| all & test(item)))
}

/// Whether a rotation has unit length. The square may be off by 1e-5, so that rotations from files are not changed.
#[must_use]
#[inline]
pub fn is_unit(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() < 1e-5
}

/// Whether all rotations are of unit length.
#[must_use]
pub fn are_unit(rotations: &[Quat]) -> bool {
    all(rotations, |rotation| is_unit(*rotation))
}

/// The rotation at unit length, unless its length is zero or not finite.
#[must_use]
#[inline]
pub fn unit(rotation: Quat) -> Option<Quat> {
    if is_unit(rotation) {
        return Some(rotation);
    }
    Some(rotation.normalize()).filter(|unit| unit.is_normalized())
}

/// Whether every index is below the number of vertices.
#[must_use]
pub fn all_below<T: Copy + Into<u32>>(indices: &[T], vertices: usize) -> bool {
    all(indices, |&index| (index.into() as usize) < vertices)
}

/// Whether the indices form whole triangles, each of three different vertices that exist.
#[must_use]
pub fn are_triangles<T: Copy + PartialEq + Into<u32>>(indices: &[T], vertices: usize) -> bool {
    let (triangles, rest) = indices.as_chunks::<3>();
    rest.is_empty()
        && all_below(indices, vertices)
        && all(triangles, |[a, b, c]| (a != b) & (b != c) & (a != c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_infinity_are_found_in_any_part() {
        assert!(f32::all_finite(&[0.0, -0.0, f32::MAX, f32::MIN_POSITIVE, 1e-45]) && Vec3::all_finite(&[]));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for index in 0..3 {
                let mut parts = [1.0; 3];
                parts[index] = bad;
                assert!(!Vec3::all_finite(&[Vec3::ONE, parts.into()]));
            }
        }
    }

    #[test]
    fn one_bad_item_is_found_wherever_it_is() {
        for index in [0, 1, 63, 64, 65, 127, 128, 199] {
            let mut numbers = [1.0; 200];
            assert!(f32::all_finite(&numbers));
            numbers[index] = f32::NAN;
            assert!(!f32::all_finite(&numbers), "{index}");
        }
    }

    #[test]
    fn rotations_without_a_length_have_no_unit() {
        let some = Quat::from_xyzw(0.0, 3.0, 0.0, 4.0);
        assert_eq!(unit(some), Some(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8)));
        assert!(!are_unit(&[Quat::IDENTITY, some]) && are_unit(&[Quat::IDENTITY]));
        for none in [some * 0.0, some * 1e30, some * f32::NAN] {
            assert_eq!(unit(none), None);
        }
    }

    #[test]
    fn triangles_need_three_different_vertices_that_exist() {
        assert!(are_triangles(&[0_u16, 1, 2, 2, 1, 3], 4) && are_triangles::<u32>(&[], 0));
        for bad in [[0_u32, 1, 1], [0, 0, 1], [1, 0, 1], [0, 1, 4]] {
            assert!(!are_triangles(&bad, 4), "{bad:?}");
        }
        assert!(!are_triangles(&[0_u16, 1], 4));
    }
}
