//! Numbers that are numbers: files have others, and no target takes them.

use glam::{Quat, Vec2, Vec3, Vec4};
use scene::Tangents;
use zerocopy::{FromBytes, IntoBytes};

/// A value that may hold something that is no number.
pub(crate) trait Finite: Copy {
    fn finite(self) -> bool;

    /// Whether all are.
    fn all_finite(values: &[Self]) -> bool {
        values.iter().all(|value| value.finite())
    }
}

macro_rules! floats {
    ($($type:ty),*) => {$(
        impl Finite for $type {
            #[inline]
            fn finite(self) -> bool {
                self.is_finite()
            }

            #[inline]
            fn all_finite(values: &[Self]) -> bool {
                <[f32]>::ref_from_bytes(values.as_bytes()).is_ok_and(all_are_numbers)
            }
        }
    )*};
}
floats!(f32, Vec2, Vec3, Vec4, Quat);

/// What is finite is nothing more than itself, and what is not is no number then. Without a way out in the middle, which would keep it
/// from looking at several at once.
#[expect(clippy::eq_op, reason = "it is not zero for those")]
fn all_are_numbers(values: &[f32]) -> bool {
    values.iter().fold(0, |all, value| all | (value - value).to_bits()) == 0
}

impl Finite for bool {
    fn finite(self) -> bool {
        true
    }
}

impl Finite for u32 {
    fn finite(self) -> bool {
        true
    }
}

impl<T: Finite> Finite for Tangents<T> {
    fn finite(self) -> bool {
        self.incoming.finite() && self.outgoing.finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_found_wherever_it_stands() {
        let numbers = [0.0, -0.0, 1.5, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45];
        assert!(f32::all_finite(&numbers) && Vec3::all_finite(&[]));
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(0x7f80_0001)] {
            for at in 0..21 {
                let mut parts = [1.0; 21];
                parts[at] = bad;
                let vectors: Vec<Vec3> =
                    parts.as_chunks::<3>().0.iter().map(|parts| Vec3::from_array(*parts)).collect();
                assert!(!f32::all_finite(&parts) && !Vec3::all_finite(&vectors));
            }
        }
    }
}
