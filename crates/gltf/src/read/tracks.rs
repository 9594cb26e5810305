//! Keys of the file as tracks of the scene.

use super::motion::{Keys, Values};
use super::tree::Frame;
use glam::{Quat, Vec3, Vec4};
use scene::{Interpolate, Interpolation, Tangents, Track};

/// A track of vectors, each changed by a function; tangents by another that has no constant part.
pub(crate) fn vectors(
    keys: &Keys,
    point: impl Fn(Vec3) -> Vec3,
    direction: impl Fn(Vec3) -> Vec3,
) -> Option<Track<Vec3>> {
    let Values::Vectors(values) = &keys.values else { return None };
    Some(track(keys, values, point, direction))
}

/// A track of numbers.
pub(crate) fn scalars(keys: &Keys) -> Option<Track<f32>> {
    let Values::Scalars(values) = &keys.values else { return None };
    Some(track(keys, values, |value| value, |value| value))
}

/// A track with glTF's cubics as Hermite curves: glTF's tangents are for a second, ours for a segment.
pub(crate) fn track<T, U>(
    keys: &Keys,
    values: &[T],
    value: impl Fn(T) -> U,
    direction: impl Fn(T) -> U,
) -> Track<U>
where
    T: Copy + std::ops::Mul<f32, Output = T>,
    U: Copy,
{
    let Keys { mode, times, .. } = keys;
    let plain = Track::new(*mode, times.iter().copied().zip(keys.at_keys(values).map(value)));
    if *mode != Interpolation::Hermite {
        return plain;
    }
    let (cubics, _) = values.as_chunks::<3>();
    let length =
        |from: usize, to: usize| times.get(to).zip(times.get(from)).map_or(0.0, |(to, from)| to - from);
    let tangents = cubics.iter().enumerate().map(|(at, [incoming, _, outgoing])| Tangents {
        incoming: direction(*incoming * length(at.saturating_sub(1), at)),
        outgoing: direction(*outgoing * length(at, at + 1)),
    });
    plain.with_tangents(tangents.collect())
}

/// Samples of a cubic between two of its keys.
const SAMPLES: usize = 8;

/// A track of rotations. glTF's cubics are of components, the games' of arcs: they are sampled.
pub(crate) fn rotations(keys: &Keys, frame: &Frame) -> Option<Track<Quat>> {
    let Values::Quads(values) = &keys.values else { return None };
    let turned = |value: Vec4| frame.rotation(Quat::from_vec4(value));
    if keys.mode != Interpolation::Hermite {
        return Some(Track::new(
            keys.mode,
            keys.times.iter().copied().zip(values.iter().map(|value| turned(*value))),
        ));
    }
    let unit = |value: Vec4| turned(value.try_normalize().unwrap_or(Vec4::W));
    let (cubics, _) = values.as_chunks::<3>();
    let mut track = Track::new(Interpolation::Linear, []);
    for (at, [_, value, outgoing]) in cubics.iter().enumerate() {
        let start = keys.times[at];
        track.times.push(start);
        track.values.push(unit(*value));
        let (Some([incoming, next, _]), Some(end)) = (cubics.get(at + 1), keys.times.get(at + 1)) else {
            break;
        };
        let length = end - start;
        for sample in 1..SAMPLES {
            let share = sample as f32 / SAMPLES as f32;
            let between = Vec4::hermite(*value, *outgoing * length, *incoming * length, *next, share);
            track.times.push(start + length * share);
            track.values.push(unit(between));
        }
    }
    Some(track)
}
