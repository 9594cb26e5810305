//! Rotations of unit length.

use glam::{BVec4A, Quat, Vec4};

/// How far the square of a length may be off. What is nearer stays as the source has it.
const OFF: f32 = 1e-5;

#[inline]
pub(crate) fn is_unit(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() < OFF
}

/// Whether all are.
pub(crate) fn are_unit(rotations: &[Quat]) -> bool {
    all_squares(rotations, |squares| (squares - 1.0).abs().cmplt(Vec4::splat(OFF)))
}

/// Whether the squares of all lengths are as asked, which is done for four at once.
#[inline]
pub(crate) fn all_squares<T: Copy + Into<Vec4>>(vectors: &[T], right: impl Fn(Vec4) -> BVec4A) -> bool {
    let of_four = |four: &[T; 4]| {
        let [a, b, c, d] = four.map(|vector| vector.into() * vector.into());
        let pair = |a: Vec4, b: Vec4| Vec4::new(a.x, b.x, a.y, b.y) + Vec4::new(a.z, b.z, a.w, b.w);
        let (ab, cd) = (pair(a, b), pair(c, d));
        right(Vec4::new(ab.x, ab.y, cd.x, cd.y) + Vec4::new(ab.z, ab.w, cd.z, cd.w))
    };
    let (fours, rest) = vectors.as_chunks::<4>();
    let all = fours.iter().fold(BVec4A::splat(true), |all, four| all & of_four(four)).all();
    all && rest.split_first().is_none_or(|(first, rest)| {
        let mut four = [*first; 4];
        four[1..=rest.len()].copy_from_slice(rest);
        of_four(&four).all()
    })
}

/// The rotation at unit length, if it has a length that can be measured.
#[inline]
pub(crate) fn unit(rotation: Quat) -> Option<Quat> {
    if is_unit(rotation) { Some(rotation) } else { made_unit(rotation) }
}

// Hardly ever, so that the rest of a loop is short.
#[cold]
fn made_unit(rotation: Quat) -> Option<Quat> {
    Some(rotation.normalize()).filter(|unit| unit.is_normalized())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_is_not_is_found_wherever_it_stands() {
        let unit = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        assert!(are_unit(&[]) && are_unit(&[unit; 9]));
        for off in [unit * 1.1, unit * 0.9, unit * f32::NAN, unit * f32::INFINITY, unit * 0.0] {
            for at in 0..9 {
                let mut rotations = [unit; 9];
                rotations[at] = off;
                assert!(!are_unit(&rotations), "{off} at {at}");
            }
        }
    }

    #[test]
    fn what_has_no_length_has_no_unit() {
        let some = Quat::from_xyzw(0.0, 3.0, 0.0, 4.0);
        assert_eq!(unit(some), Some(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8)));
        for none in [some * 0.0, some * 1e30, some * f32::NAN] {
            assert_eq!(unit(none), None);
        }
    }
}
