//! From the scene's axes to W3D's, and numbers that come back exactly when the file is read.

use glam::{Quat, Vec2, Vec3};
use record::{F32, Quaternion};

/// A position or direction: the inverse of [`crate::w3d`]'s, and as exact.
pub(crate) fn vector(vector: Vec3) -> record::Vec3 {
    // Adding zero makes a negative zero positive.
    record::Vec3::new(vector.x, -vector.z + 0.0, vector.y)
}

/// Sizes along the axes.
pub(crate) fn extent(extent: Vec3) -> record::Vec3 {
    record::Vec3::new(extent.x, extent.z, extent.y)
}

/// A rotation that is read as exactly this one. Readers normalise, which changes the last bits of most unit quaternions.
pub(crate) fn rotation(rotation: Quat) -> Quaternion {
    let read = |stored: Quat| stored / stored.length();
    let unit = rotation.normalize();
    let unit = if unit.is_finite() { unit } else { Quat::IDENTITY };
    let candidates = (0_i16..=64).flat_map(|step| [step, -step]);
    let mut scaled = candidates.map(|step| rotation * (1.0 + f32::from(step) * f32::EPSILON * 0.5));
    let [x, y, z, w] = scaled.find(|stored| read(*stored) == rotation).unwrap_or(unit).to_array();
    Quaternion::new(x, -z + 0.0, y, w)
}

/// The same for a rotation of which the last bits do not matter.
pub(crate) fn turn(rotation: Quat) -> [f32; 4] {
    [rotation.x, -rotation.z + 0.0, rotation.y, rotation.w]
}

/// Texture coordinates, V upwards.
pub(crate) fn texcoord(coordinate: Vec2) -> record::Vec2 {
    record::Vec2::new(coordinate.x, 1.0 - coordinate.y)
}

/// The vector that `map` takes as near to `wanted` as single precision allows. `back` is the inverse of `map` without its translation.
/// With `exact`, numbers beside it are tried until one is taken to `wanted` to the last bit; there may be none.
pub(crate) fn solve(
    guess: Vec3,
    wanted: Vec3,
    exact: bool,
    map: impl Fn(Vec3) -> Vec3,
    back: impl Fn(Vec3) -> Vec3,
) -> Vec3 {
    const MOST: i32 = 4;
    let mut best = (guess, map(guess));
    for _ in 0..3 {
        if best.1 == wanted || !best.1.is_finite() {
            return best.0;
        }
        let next = best.0 + back(wanted - best.1);
        let mapped = map(next);
        if mapped.distance_squared(wanted) >= best.1.distance_squared(wanted) {
            break;
        }
        best = (next, mapped);
    }
    if !exact {
        return best.0;
    }
    let beside = best.0.to_array().map(|center| -> [f32; 2 * MOST as usize + 1] {
        std::array::from_fn(|step| nudged(center, step as i32 - MOST))
    });
    // The nearest first.
    for reach in 1..=MOST {
        for steps in neighbours(reach).filter(|steps| steps.iter().any(|step| step.abs() == reach)) {
            if best.1 == wanted {
                return best.0;
            }
            let next =
                Vec3::from_array(std::array::from_fn(|axis| beside[axis][(steps[axis] + MOST) as usize]));
            let mapped = map(next);
            if mapped.distance_squared(wanted) < best.1.distance_squared(wanted) {
                best = (next, mapped);
            }
        }
    }
    best.0
}

/// All steps of at most `reach` along three axes.
fn neighbours(most: i32) -> impl Iterator<Item = [i32; 3]> {
    let side = -most..=most;
    side.clone().flat_map(move |z| {
        let rows = side.clone();
        side.clone().flat_map(move |y| rows.clone().map(move |x| [x, y, z]))
    })
}

/// The number that is `steps` steps of single precision away.
fn nudged(number: f32, steps: i32) -> f32 {
    (0..steps.abs()).fold(number, |number, _| if steps > 0 { number.next_up() } else { number.next_down() })
}

/// The centre and half size of an interval, from which exactly its ends are computed if that is possible.
pub(crate) fn middle(min: f32, max: f32) -> (f32, f32) {
    let (center, half) = (f32::midpoint(min, max), (max - min) * 0.5);
    let is_exact = |center: f32, half: f32| center - half == min && center + half == max;
    for steps in std::iter::once([0; 3]).chain(neighbours(2)) {
        let (center, half) = (nudged(center, steps[0]), nudged(half, steps[1]));
        if is_exact(center, half) {
            return (center, half);
        }
    }
    (center, half)
}

/// Floats as the format has them.
pub(crate) fn floats<const N: usize>(values: [f32; N]) -> [F32; N] {
    values.map(F32::new)
}
