//! From MDX's axes and units to the scene's: MDX has X forward, Y left, Z up and milliseconds; the scene Y up and seconds
//! (docs/formats/rendering.md#mdx-axes).
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

/// Positions or directions.
pub(super) fn vectors(source: &[record::Vec3]) -> Vec<Vec3> {
    let (fours, rest) = source.as_chunks::<4>();
    let mut turned: Vec<[Vec3; 4]> = Vec::with_capacity(fours.len() + 1);
    turned.extend(fours.iter().map(|four| {
        // x y z x, y z x y, z x y z: all the parts of four, in lanes.
        let parts = four.map(|vector| vector.get());
        let [a, b, c] = std::array::from_fn(|lanes| Vec4::from_slice(&parts.as_flattened()[lanes * 4..]));
        let lanes = [
            a.xzyw() * Vec4::new(1.0, 1.0, -1.0, 1.0),
            Vec4::new(b.y, b.x, b.z, c.x) * Vec4::new(1.0, -1.0, 1.0, 1.0),
            Vec4::new(b.w, c.y, c.w, c.z) * Vec4::new(-1.0, 1.0, 1.0, -1.0),
        ];
        let four: [Vec3; 4] = zerocopy::transmute!(lanes);
        four
    }));
    let mut turned = turned.into_flattened();
    turned.extend(rest.iter().map(|each| vector(each.get())));
    turned
}

/// Factors along the axes.
#[inline]
pub(super) const fn scale([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, y)
}

/// A direction and a handedness.
#[inline]
pub(super) fn tangent(parts: [f32; 4]) -> Vec4 {
    // All four at once, which the compiler does not find out by itself.
    Vec4::from_array(parts).xzyw() * Vec4::new(1.0, 1.0, -1.0, 1.0)
}

/// A rotation, whose axis turns.
#[inline]
pub(super) fn rotation(parts: [f32; 4]) -> Quat {
    Quat::from_vec4(tangent(parts))
}

/// A stretch of time.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "no sequence is so long that a millisecond is lost")]
pub(super) const fn seconds(milliseconds: i64) -> f32 {
    milliseconds as f32 / 1000.0
}

/// Ascending times as stretches since one of them.
#[expect(clippy::cast_precision_loss, reason = "no sequence is so long that a millisecond is lost")]
pub(super) fn seconds_since(start: i32, times: &[i32]) -> Vec<f32> {
    let reaches = |time: Option<&i32>| time.is_none_or(|time| time.checked_sub(start).is_some());
    if reaches(times.first()) && reaches(times.last()) {
        // In four bytes all the way, which the compiler does for several at once.
        times.iter().map(|time| time.wrapping_sub(start) as f32 / 1000.0).collect()
    } else {
        times.iter().map(|time| seconds(i64::from(*time) - i64::from(start))).collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_time_are_those_of_each() {
        let times = [i32::MIN, -1000, -1, 0, 1, 33, 16_777_217, i32::MAX];
        for start in [i32::MIN, -7, 0, 33, i32::MAX] {
            for (low, high) in [(0, 8), (1, 7), (2, 6), (3, 3)] {
                let each: Vec<f32> = times[low..high]
                    .iter()
                    .map(|time| seconds(i64::from(*time) - i64::from(start)))
                    .collect();
                assert_eq!(seconds_since(start, &times[low..high]), each);
            }
        }
    }

    #[test]
    fn many_vectors_are_turned_as_each_of_them() {
        for count in 0..10_u8 {
            let source: Vec<record::Vec3> =
                (0..count).map(f32::from).map(|x| record::Vec3::new(x, x + 0.25, x + 0.5)).collect();
            let turned: Vec<Vec3> = source.iter().map(|each| vector(each.get())).collect();
            assert_eq!(vectors(&source), turned);
        }
    }
}
