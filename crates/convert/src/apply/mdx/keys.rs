//! Keys of tracks as bytes, and the same motion with another interpolation.

use mdx::records::Interpolation;
use mdx::tags;
use mdx::view::Track;
use record::Node;

/// Keys of a track, as bytes: the time, the value, and two tangents if it has them.
pub(super) type Keys = Vec<Vec<u8>>;

/// The keys of a window.
pub(super) fn keys(track: Track<'_>, (start, end): (i32, i32)) -> Keys {
    let count = track.len();
    let bytes = track.key_bytes();
    let size = bytes.len().checked_div(count).unwrap_or(0);
    if size == 0 {
        return Vec::new();
    }
    let all = bytes.chunks_exact(size).map(<[u8]>::to_vec);
    all.filter(|key| (start..=end).contains(&time(key))).collect()
}

/// The time of a key, which it begins with.
pub(super) fn time(key: &[u8]) -> i32 {
    key.first_chunk::<4>().map_or(0, |bytes| i32::from_le_bytes(*bytes))
}

/// A key at another time.
pub(super) fn shifted(key: Vec<u8>, shift: i32) -> Vec<u8> {
    let now = time(&key).saturating_add(shift);
    at(now, key)
}

fn at(time: i32, mut key: Vec<u8>) -> Vec<u8> {
    if let Some(place) = key.first_chunk_mut::<4>() {
        *place = time.to_le_bytes();
    }
    key
}

/// Replaces the keys of a track.
pub(super) fn set_keys(track: &mut Node<'_>, keys: Keys) -> Result<(), String> {
    let view = Track::new(track).ok_or("the track was not found")?;
    let fixed = track.bytes().len() - view.key_bytes().len();
    let bytes = track.bytes_mut().ok_or("the track cannot be written")?;
    bytes.truncate(fixed);
    bytes.extend(keys.into_iter().flatten());
    Ok(())
}

/// Whether keys have tangents.
pub(super) fn is_cubic(one: Interpolation) -> bool {
    one == Interpolation::HERMITE || one == Interpolation::BEZIER
}

/// The interpolation that can say what both can, the first one if possible: steps are straight lines with a key before each jump, and straight lines are cubics.
pub(super) fn common(a: Interpolation, b: Interpolation) -> Option<Interpolation> {
    match (is_cubic(a), is_cubic(b)) {
        _ if a == b => Some(a),
        (true, _) => Some(a),
        (false, true) => Some(b),
        (false, false) => Some(Interpolation::LINEAR),
    }
}

/// The same motion with another interpolation, which [`common`] gave. Between `windows` nothing is shown.
pub(super) fn converted(
    keys: Keys,
    (from, to): (Interpolation, Interpolation),
    tag: u32,
    windows: &[(i32, i32)],
) -> Keys {
    if from == to {
        return keys;
    }
    if is_cubic(from) {
        return bent(&keys, to);
    }
    let keys = if from == Interpolation::NONE { held(keys, windows) } else { keys };
    if to == Interpolation::LINEAR { keys } else { straight(&keys, to, tag) }
}

/// Steps as straight lines: each value is repeated a millisecond before the next one.
fn held(keys: Keys, windows: &[(i32, i32)]) -> Keys {
    let mut all: Keys = Vec::with_capacity(keys.len());
    for key in keys {
        if let Some(before) = all.last() {
            let (from, to) = (time(before), time(&key));
            let is_shown = windows.iter().any(|(start, end)| *start <= from && to <= *end);
            if is_shown && to > from.saturating_add(1) && before[4..] != key[4..] {
                let copy = at(to - 1, before.clone());
                all.push(copy);
            }
        }
        all.push(key);
    }
    all
}

/// Hermite splines as Bezier curves, and the reverse: a control point is a third of a tangent away. Not for rotations, which are no cubics.
fn bent(keys: &Keys, to: Interpolation) -> Keys {
    let numbers = |key: &Vec<u8>| -> Vec<f32> {
        key[4..].as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    keys.iter()
        .map(|key| {
            let mut values = numbers(key);
            let size = values.len() / 3;
            for index in 0..size {
                let (own, before, after) = (values[index], values[size + index], values[2 * size + index]);
                (values[size + index], values[2 * size + index]) = match to {
                    Interpolation::BEZIER => (own - before / 3.0, own + after / 3.0),
                    _ => (3.0 * (own - before), 3.0 * (after - own)),
                };
            }
            key[..4].iter().copied().chain(values.into_iter().flat_map(f32::to_le_bytes)).collect()
        })
        .collect()
}

/// Straight lines as cubics: tangents along the lines, or for rotations the value itself, between which the games turn at constant speed.
fn straight(keys: &Keys, to: Interpolation, tag: u32) -> Keys {
    let values: Vec<Vec<f32>> = keys
        .iter()
        .map(|key| key[4..].as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
        .collect();
    let tangent = |own: &[f32], other: Option<&Vec<f32>>, is_before: bool| -> Vec<f32> {
        let pairs = own.iter().zip(other.map_or(own, |other| other));
        match to {
            _ if tag == tags::KGRT => own.to_vec(),
            // A control point a third of the way to the other key.
            Interpolation::BEZIER => pairs.map(|(own, other)| own + (other - own) / 3.0).collect(),
            _ if is_before => pairs.map(|(own, other)| own - other).collect(),
            _ => pairs.map(|(own, other)| other - own).collect(),
        }
    };
    keys.iter()
        .enumerate()
        .map(|(index, key)| {
            let own = &values[index];
            let before = tangent(own, index.checked_sub(1).and_then(|index| values.get(index)), true);
            let after = tangent(own, values.get(index + 1), false);
            let mut bytes = key.clone();
            bytes.extend(before.into_iter().chain(after).flat_map(f32::to_le_bytes));
            bytes
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: i32, values: &[f32]) -> Vec<u8> {
        time.to_le_bytes().into_iter().chain(values.iter().flat_map(|value| value.to_le_bytes())).collect()
    }

    #[test]
    fn steps_get_a_key_before_each_jump_that_is_shown() {
        let keys = vec![key(0, &[1.0]), key(100, &[2.0]), key(200, &[2.0]), key(1000, &[5.0])];
        let found = converted(keys, (Interpolation::NONE, Interpolation::LINEAR), tags::KGTR, &[(0, 300)]);
        let times: Vec<i32> = found.iter().map(|key| time(key)).collect();
        assert_eq!(times, [0, 99, 100, 200, 1000]);
        assert_eq!(found[1], key(99, &[1.0]));
    }

    #[test]
    fn lines_are_cubics_with_tangents_along_them() {
        let keys = vec![key(0, &[0.0]), key(10, &[3.0])];
        let lines = (Interpolation::LINEAR, Interpolation::HERMITE);
        let found = converted(keys.clone(), lines, tags::KGTR, &[]);
        // The basis functions of the outgoing and the incoming tangent, halfway: 1/8 and -1/8.
        assert_eq!(found, [key(0, &[0.0, 0.0, 3.0]), key(10, &[3.0, 3.0, 0.0])]);
        let lines = (Interpolation::LINEAR, Interpolation::BEZIER);
        let found = converted(keys, lines, tags::KGTR, &[]);
        assert_eq!(found, [key(0, &[0.0, 0.0, 1.0]), key(10, &[3.0, 2.0, 3.0])]);
    }

    #[test]
    fn the_first_of_two_kinds_of_cubics_is_kept() {
        assert_eq!(common(Interpolation::HERMITE, Interpolation::BEZIER), Some(Interpolation::HERMITE));
        assert_eq!(common(Interpolation::NONE, Interpolation::LINEAR), Some(Interpolation::LINEAR));
        assert_eq!(common(Interpolation::NONE, Interpolation::BEZIER), Some(Interpolation::BEZIER));
        // The line of the test above, from one kind to the other and back.
        let hermite = vec![key(0, &[0.0, 0.0, 3.0]), key(10, &[3.0, 3.0, 0.0])];
        let bezier = vec![key(0, &[0.0, 0.0, 1.0]), key(10, &[3.0, 2.0, 3.0])];
        let to = (Interpolation::HERMITE, Interpolation::BEZIER);
        assert_eq!(converted(hermite.clone(), to, tags::KGTR, &[]), bezier);
        assert_eq!(converted(bezier, (to.1, to.0), tags::KGTR, &[]), hermite);
    }
}
