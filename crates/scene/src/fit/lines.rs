//! Tracks without jumps as straight lines: the keys of the track, and between them as many as the curves need.

use super::pieces::{
    Fitter, MAX_PIECES, Piece, hermite_bend, lines_for, slopes_through, straighten, straighten_cubic,
};
use super::stretch::{Stretch, Way, stretches};
use super::{Fit, Keys, Mode, ascend};
use crate::number::Finite;
use crate::{Interpolation, Outside, Track};

/// The keys of a track from zero to `limit`. `None` if it jumps or has numbers that need repair.
pub(super) fn lines<T: Fit>(track: &Track<T>, limit: f32, tolerance: f32) -> Option<Keys<'static, T>> {
    if !is_continuous(track, limit) {
        return None;
    }
    // Curves of real models need about ten lines between two keys.
    let expected = track.len() * if track.interpolation == Interpolation::Linear { 2 } else { 8 };
    let mut out = Lines {
        tolerance,
        times: Vec::with_capacity(expected),
        values: Vec::with_capacity(expected),
        pieces: Vec::new(),
    };
    for stretch in stretches(track, [0, track.len() - 1], limit) {
        out.add(&stretch, &Way::new(track, &stretch));
    }
    let first = *out.values.first()?;
    if out.values.iter().all(|value| *value == first) {
        return Some(Keys::constant(vec![first]));
    }
    let resampled = track.interpolation != Interpolation::Linear;
    Some(Keys { resampled, ..Keys::new(Mode::Linear, out.times, out.values) })
}

/// Whether a track has valid, ascending keys, no jumps, and all its tangents.
fn is_continuous<T: Fit>(track: &Track<T>, limit: f32) -> bool {
    let count = track.len();
    let (times, values) = (&track.times[..count], &track.values[..count]);
    let &[first, .., last] = times else { return false };
    let applies = match track.outside {
        Outside::Clamp => true,
        Outside::Wrap { start, end } => start == 0.0 && end == limit && first >= 0.0 && last <= limit,
        Outside::Rest => false,
    };
    let has_tangents = match track.interpolation {
        Interpolation::Step => false,
        Interpolation::Linear => true,
        Interpolation::Hermite | Interpolation::Bezier => track.tangents.len() >= count,
    };
    applies
        && has_tangents
        && !track.held_until.contains(&true)
        && first.is_finite()
        && last.is_finite()
        && ascend(times)
        && T::are_normalised(values)
        && Finite::all_finite(&track.tangents)
}

/// The keys so far.
struct Lines<T> {
    tolerance: f32,
    times: Vec<f32>,
    values: Vec<T>,
    /// The cubics of a stretch; empty between stretches.
    pieces: Vec<Piece<T>>,
}

impl<T: Fit> Lines<T> {
    fn push(&mut self, time: f32, value: T) {
        // Some stretches are too short to be divided.
        if self.times.last().is_none_or(|last| *last < time) {
            self.times.push(time);
            self.values.push(value);
        }
    }

    /// Adds the keys within a stretch, and its end.
    fn add(&mut self, stretch: &Stretch, way: &Way<T>) {
        let &Stretch { start, end, fractions: [low, high], .. } = stretch;
        let (first, last) = match (low, high) == (0.0, 1.0) {
            true => (way.a, way.b),
            false => (way.at(low).normalised(), way.at(high).normalised()),
        };
        // A rotation has two signs. Blender needs the sign that continues the previous keys.
        let first = self.values.last().map_or(first, |previous| first.near(*previous));
        if self.times.is_empty() {
            self.push(start, first);
        }
        if self.times.len() > MAX_PIECES {
            return self.push(end, last.near(first));
        }
        let tolerance = self.tolerance;
        let part = high - low;
        let count = match (way.tangents, way.slopes()) {
            // Rotations move on arcs, which are not cubics.
            (Some(tangents), _) if !T::HAS_CUBIC => {
                return self.add_arcs(stretch, way, tangents, [first, last]);
            }
            (Some(_), Some([leave, arrive])) => {
                lines_for(hermite_bend([way.a, leave, arrive, way.b]) * part * part, tolerance)
            }
            _ => first.straight_pieces(last),
        };
        for line in 1..count {
            let share = line as f32 / count as f32;
            let value = way.at(low + part * share).normalised().near(first);
            self.push(start + (end - start) * share, value);
        }
        self.push(end, last.near(first));
    }

    /// Adds the keys of a spherical cubic.
    fn add_arcs(&mut self, stretch: &Stretch, way: &Way<T>, tangents: [T; 2], [first, last]: [T; 2]) {
        let &Stretch { start, end, fractions: [low, high], .. } = stretch;
        let tolerance = self.tolerance;
        let at = |share: f32| way.at(low + (high - low) * share).normalised();
        let [outgoing, incoming] = tangents;
        let outgoing = outgoing.near(way.a);
        let distances = [
            way.a.distance_squared(way.b.near(way.a)),
            way.a.distance_squared(outgoing),
            way.b.distance_squared(incoming.near(way.b)),
        ];
        let farthest = distances.into_iter().fold(0.0, f32::max).sqrt();
        if farthest > 2.0 * FLAT {
            let at = |fraction: f32| way.at(fraction);
            let fitter = Fitter { at: &at, start, end, low, high, tolerance };
            fitter.fit([low, high], [first, last], 0, &mut self.pieces);
            for piece in std::mem::take(&mut self.pieces) {
                straighten(&piece, tolerance, |time, value| self.push(time, value));
            }
            return;
        }
        // If the angles are small, the cubic through four points is the curve.
        let parts = if farthest <= FLAT { 1 } else { 2 };
        let (mut time, mut a) = (start, first);
        for part in 0..parts {
            let share = |third: f32| (part as f32 + third / 3.0) / parts as f32;
            let is_last = part + 1 == parts;
            let b = at(share(1.0)).near(a);
            let c = at(share(2.0)).near(b);
            let d = if is_last { last } else { at(share(3.0)) }.near(c);
            let next = if is_last { end } else { start + (end - start) * share(3.0) };
            let [leave, arrive] = slopes_through([a, b, c, d]);
            straighten_cubic([a, leave, arrive, d], [time, next], tolerance, |time, value| {
                self.push(time, value);
            });
            (time, a) = (next, d);
        }
    }
}

/// The largest angle between the rotations of a spherical cubic at which a cubic of their components is within the
/// tolerance.
const FLAT: f32 = 0.3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tangents;
    use glam::{Quat, Vec3};

    const TOLERANCE: f32 = 2e-4;

    fn curved<T: Copy>(keys: &[(f32, T, [T; 2])], interpolation: Interpolation) -> Track<T> {
        let tangents = keys.iter().map(|&(_, _, [incoming, outgoing])| Tangents { incoming, outgoing });
        Track::new(interpolation, keys.iter().map(|&(time, value, _)| (time, value)))
            .with_tangents(tangents.collect())
    }

    /// The greatest distance of the components between a track and its lines, at many times.
    fn greatest_distance<T: Fit>(track: &Track<T>, keys: &Keys<'_, T>, limit: f32) -> f32 {
        let lines =
            Track::new(Interpolation::Linear, keys.times.iter().copied().zip(keys.values.iter().copied()));
        let distance = |step: u16| {
            let time = limit * f32::from(step) / 1000.0;
            let (exact, line) = (track.sample(time).unwrap().normalised(), lines.sample(time).unwrap());
            exact.near(line).distance_squared(line).sqrt()
        };
        (0..=1000).map(distance).fold(0.0, f32::max)
    }

    /// Pseudo-random numbers between -1 and 1.
    fn noise(seed: &mut u32) -> f32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    #[test]
    fn spherical_cubics_stray_by_little_more_than_twice_the_tolerance() {
        let mut seed = 1;
        let mut turned = |from: Quat, most: f32| {
            let [x, y, z] = [0; 3].map(|_| noise(&mut seed));
            from * Quat::from_scaled_axis(Vec3::new(x, y, z) * most)
        };
        for step in 0..340 {
            // From turns by a degree to turns by half a circle. Longer turns jump, because arcs take the shorter way.
            let most = 0.01 * 1.015_f32.powi(step);
            let a = turned(Quat::IDENTITY, 1.0);
            let b = turned(a, most);
            let tangents = [a, b].map(|key| [turned(key, most * 0.5), turned(key, most * 0.5)]);
            let track = curved(&[(0.0, a, tangents[0]), (2.0, -b, tangents[1])], Interpolation::Hermite);
            let keys = lines(&track, 2.0, TOLERANCE).unwrap();
            let distance = greatest_distance(&track, &keys, 2.0);
            // One eighth more, because the cubics are approximations too.
            assert!(distance <= 2.25 * TOLERANCE, "{distance} at {most}, {} keys", keys.times.len());
            assert!(keys.values.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0), "one sign throughout");
            assert!(keys.resampled);
        }
    }

    #[test]
    fn curves_of_vectors_stray_by_at_most_twice_the_tolerance_also_where_they_wrap() {
        let [zero, x, y] = [Vec3::ZERO, Vec3::X, Vec3::Y];
        for interpolation in [Interpolation::Hermite, Interpolation::Bezier] {
            let keys = [(0.5, zero, [x, y]), (1.0, x, [zero, y * 2.0]), (1.5, y, [x, zero])];
            let track = curved(&keys, interpolation).with_outside(Outside::Wrap { start: 0.0, end: 2.0 });
            let keys = lines(&track, 2.0, TOLERANCE).unwrap();
            assert_eq!((keys.times[0], keys.end()), (0.0, 2.0));
            assert!(ascend(&keys.times));
            let distance = greatest_distance(&track, &keys, 2.0);
            assert!((1e-5..=2.0 * TOLERANCE).contains(&distance), "{distance}");
        }
    }

    #[test]
    fn a_curve_that_stands_still_is_one_key() {
        let keys = [0.0, 1.0, 2.0].map(|time| (time, Vec3::X, [Vec3::ZERO; 2]));
        let track = curved(&keys, Interpolation::Hermite);
        assert_eq!(lines(&track, 2.0, TOLERANCE), Some(Keys::constant(vec![Vec3::X])));
    }

    #[test]
    fn tracks_that_jump_or_need_repair_are_no_lines() {
        let keys = [0.0, 1.0, 2.0].map(|time| (time, Vec3::splat(time), [Vec3::ZERO; 2]));
        let good = curved(&keys, Interpolation::Hermite);
        assert!(lines(&good, 2.0, TOLERANCE).is_some());
        let bad = [
            Track { interpolation: Interpolation::Step, ..good.clone() },
            Track { outside: Outside::Rest, ..good.clone() },
            Track { held_until: vec![false, true, false], ..good.clone() },
            Track { times: vec![0.0, 1.0, 1.0], ..good.clone() },
            Track { values: vec![Vec3::ZERO, Vec3::NAN, Vec3::X], ..good.clone() },
            Track { tangents: good.tangents[..2].to_vec(), ..good.clone() },
        ];
        for (index, track) in bad.iter().enumerate() {
            assert_eq!(lines(track, 2.0, TOLERANCE), None, "{index}");
        }
    }
}
