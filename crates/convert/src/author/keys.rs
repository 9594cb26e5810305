//! Tracks of a scene as keys that cover a clip: keys at both ends where a format needs them, held stretches made of keys, and one
//! interpolation for all clips.

use glam::{Quat, Vec3};
use scene::{Curve, Interpolate, Interpolation, Outside, Tangents, Track};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key<V> {
    /// Seconds.
    pub(super) time: f32,
    pub(super) value: V,
    pub(super) incoming: V,
    pub(super) outgoing: V,
}

/// The keys of one clip or global sequence, from zero to its duration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Keys<V> {
    pub(super) interpolation: Interpolation,
    pub(super) keys: Vec<Key<V>>,
}

/// The shortest time between two keys, in which a value jumps.
const INSTANT: f32 = 0.001;

/// A value that a track can hold.
pub(super) trait Animated: Interpolate + PartialEq {
    /// The track of a curve of this type; a flag is a number, too.
    fn track(curve: &Curve) -> Option<Track<Self>>;

    /// The tangent of a key that the curve passes level.
    fn level(self, interpolation: Interpolation) -> Self;

    /// The outgoing and the incoming tangent of two keys between which a cubic goes straight.
    fn straight(a: Self, b: Self, interpolation: Interpolation) -> [Self; 2];

    /// The tangents of a Bezier segment as those of a Hermite segment; rotations have the same for both.
    fn bezier_to_hermite(a: Self, outgoing: Self, incoming: Self, b: Self) -> [Self; 2];

    /// The value and the two tangents on each side of a point within a cubic segment, as shares of the parts: the first key's
    /// outgoing, the point's incoming, the point's outgoing and the last key's incoming. `None` where a segment cannot be divided.
    fn divide(interpolation: Interpolation, ends: [Self; 4], fraction: f32) -> Option<[Self; 5]>;
}

macro_rules! animated_vector {
    ($type:ty, $zero:expr, $track:expr) => {
        impl Animated for $type {
            fn track(curve: &Curve) -> Option<Track<Self>> {
                $track(curve)
            }

            fn level(self, interpolation: Interpolation) -> Self {
                if interpolation == Interpolation::Bezier { self } else { $zero }
            }

            fn straight(a: Self, b: Self, interpolation: Interpolation) -> [Self; 2] {
                if interpolation == Interpolation::Bezier {
                    [a + (b - a) / 3.0, b - (b - a) / 3.0]
                } else {
                    [b - a, b - a]
                }
            }

            fn bezier_to_hermite(a: Self, outgoing: Self, incoming: Self, b: Self) -> [Self; 2] {
                [(outgoing - a) * 3.0, (b - incoming) * 3.0]
            }

            fn divide(
                interpolation: Interpolation,
                [a, outgoing, incoming, b]: [Self; 4],
                t: f32,
            ) -> Option<[Self; 5]> {
                if interpolation == Interpolation::Bezier {
                    let between = |a: Self, b: Self| a + (b - a) * t;
                    let (first, middle, last) =
                        (between(a, outgoing), between(outgoing, incoming), between(incoming, b));
                    let (left, right) = (between(first, middle), between(middle, last));
                    return Some([between(left, right), first, left, right, last]);
                }
                let value = Self::hermite(a, outgoing, incoming, b, t);
                let slope = a * (6.0 * t * t - 6.0 * t)
                    + outgoing * (3.0 * t * t - 4.0 * t + 1.0)
                    + incoming * (3.0 * t * t - 2.0 * t)
                    + b * (6.0 * t - 6.0 * t * t);
                Some([value, outgoing * t, slope * t, slope * (1.0 - t), incoming * (1.0 - t)])
            }
        }
    };
}

animated_vector!(f32, 0.0, |curve: &Curve| match curve {
    Curve::Scalar(track) => Some(track.clone()),
    Curve::Flag(track) => Some(Track {
        times: track.times.clone(),
        values: track.values.iter().map(|flag| f32::from(u8::from(*flag))).collect(),
        tangents: Vec::new(),
        held_until: Vec::new(),
        interpolation: Interpolation::Step,
        outside: track.outside,
    }),
    _ => None,
});
animated_vector!(Vec3, Vec3::ZERO, |curve: &Curve| match curve {
    Curve::Vector(track) => Some(track.clone()),
    _ => None,
});

/// Both cubics of rotations are squad, whose tangents are rotations between which it leans.
impl Animated for Quat {
    fn track(curve: &Curve) -> Option<Track<Self>> {
        match curve {
            Curve::Rotation(track) => Some(track.clone()),
            _ => None,
        }
    }

    fn level(self, _: Interpolation) -> Self {
        self
    }

    fn straight(a: Self, b: Self, _: Interpolation) -> [Self; 2] {
        [a, b]
    }

    fn bezier_to_hermite(_: Self, outgoing: Self, incoming: Self, _: Self) -> [Self; 2] {
        [outgoing, incoming]
    }

    fn divide(_: Interpolation, _: [Self; 4], _: f32) -> Option<[Self; 5]> {
        None
    }
}

impl Animated for u32 {
    fn track(curve: &Curve) -> Option<Track<Self>> {
        match curve {
            Curve::Index(track) => {
                Some(Track { interpolation: Interpolation::Step, tangents: Vec::new(), ..track.clone() })
            }
            _ => None,
        }
    }

    fn level(self, _: Interpolation) -> Self {
        self
    }

    fn straight(a: Self, b: Self, _: Interpolation) -> [Self; 2] {
        [a, b]
    }

    fn bezier_to_hermite(_: Self, outgoing: Self, incoming: Self, _: Self) -> [Self; 2] {
        [outgoing, incoming]
    }

    fn divide(_: Interpolation, _: [Self; 4], _: f32) -> Option<[Self; 5]> {
        None
    }
}

impl<V: Animated> Keys<V> {
    /// A value that holds.
    pub(super) fn constant(value: V) -> Self {
        Self { interpolation: Interpolation::Step, keys: vec![key(0.0, value, Interpolation::Step)] }
    }

    /// The keys of a track. `rest` is the value where the track has none. `None` if there are no keys.
    pub(super) fn new(track: &Track<V>, duration: f32, rest: V) -> Option<Self> {
        let count = track.len();
        let cubic = matches!(track.interpolation, Interpolation::Hermite | Interpolation::Bezier);
        let interpolation =
            if cubic && track.tangents.len() < count { Interpolation::Linear } else { track.interpolation };
        let mut keys: Vec<Key<V>> = (0..count)
            .map(|index| {
                let (time, value) = (track.times[index], track.values[index]);
                let Tangents { incoming, outgoing } = track
                    .tangents
                    .get(index)
                    .copied()
                    .filter(|_| cubic)
                    .unwrap_or(Tangents { incoming: value, outgoing: value });
                Key { time, value, incoming, outgoing }
            })
            .collect();
        if !cubic {
            keys.iter_mut().for_each(|key| (key.incoming, key.outgoing) = (key.value, key.value));
        }
        let offset = if let Outside::Wrap { start, .. } = track.outside { start } else { 0.0 };
        if offset != 0.0 {
            keys.iter_mut().for_each(|key| key.time -= offset);
        }
        let mut keys = Self { interpolation, keys };
        keys.hold(&track.held_until);
        keys.cut(duration);
        match track.outside {
            Outside::Wrap { .. } => keys.wrap(duration),
            Outside::Clamp => keys.clamp(duration),
            Outside::Rest => keys.rest(duration, rest),
        }
        keys.reduce();
        (!keys.keys.is_empty()).then_some(keys)
    }

    /// The value if it is always the same.
    pub(super) fn only_value(&self) -> Option<V> {
        let first = self.keys.first()?.value;
        let straight = matches!(self.interpolation, Interpolation::Step | Interpolation::Linear);
        ((straight || self.keys.len() == 1) && self.keys.iter().all(|key| key.value == first))
            .then_some(first)
    }

    /// Replaces held stretches by keys that have the value until an instant before the next.
    fn hold(&mut self, held_until: &[bool]) {
        if self.interpolation == Interpolation::Step || !held_until.contains(&true) {
            return;
        }
        let mut keys: Vec<Key<V>> = Vec::with_capacity(self.keys.len());
        for (index, next) in self.keys.iter().enumerate() {
            if let Some(before) = keys.last().copied()
                && held_until.get(index) == Some(&true)
                && before.value != next.value
                && next.time - INSTANT > before.time
            {
                keys.push(key(next.time - INSTANT, before.value, self.interpolation));
            }
            keys.push(*next);
        }
        self.keys = keys;
    }

    /// Cuts the keys to the time from start to end, with keys at both.
    fn cut(&mut self, duration: f32) {
        let outside = |time: f32| time < -INSTANT / 2.0 || time > duration + INSTANT / 2.0;
        if !self.keys.iter().any(|key| outside(key.time)) {
            return;
        }
        let track = self.to_track();
        let ends = [0.0, duration].map(|time| track.sample(time).map(|value| (time, value)));
        self.keys.retain(|key| !outside(key.time));
        for (time, value) in ends.into_iter().flatten() {
            let index = self.keys.partition_point(|key| key.time < time);
            if self.keys.get(index).is_none_or(|key| key.time != time) {
                self.keys.insert(index, key(time, value, self.interpolation));
            }
        }
    }

    fn to_track(&self) -> Track<V> {
        let tangents = |key: &Key<V>| Tangents { incoming: key.incoming, outgoing: key.outgoing };
        let track = Track::new(self.interpolation, self.keys.iter().map(|key| (key.time, key.value)));
        track.with_tangents(self.keys.iter().map(tangents).collect())
    }

    /// In Warcraft III the last key leads back to the first, over the time that is left of the window. Where that moves the value, tools
    /// want a key at the start; a key at the end belongs to it.
    fn wrap(&mut self, duration: f32) {
        let ([first, ..], [.., last]) = (&self.keys[..], &self.keys[..]) else { return };
        if self.keys.len() < 2 || first.time <= 0.0 || first.value == last.value {
            return;
        }
        let (first, last) = (*first, *last);
        if self.interpolation == Interpolation::Step {
            return;
        }
        let whole = first.time - last.time + duration;
        let fraction = if whole > 0.0 { (duration - last.time) / whole } else { 0.0 };
        let mut middle = key(0.0, last.value, self.interpolation);
        if self.interpolation == Interpolation::Linear {
            middle.value = V::linear(last.value, first.value, fraction);
            (middle.incoming, middle.outgoing) = (middle.value, middle.value);
        } else {
            let ends = [last.value, last.outgoing, first.incoming, first.value];
            let Some([value, left, incoming, outgoing, right]) =
                V::divide(self.interpolation, ends, fraction)
            else {
                return;
            };
            middle = Key { time: 0.0, value, incoming, outgoing };
            if let Some(last) = self.keys.last_mut() {
                last.outgoing = left;
            }
            self.keys[0].incoming = right;
        }
        if last.time < duration {
            self.keys.push(Key { time: duration, ..middle });
        }
        self.keys.insert(0, middle);
    }

    /// Keys at both ends, with the values of the first and the last key.
    fn clamp(&mut self, duration: f32) {
        let ([first, ..], [.., last]) = (&self.keys[..], &self.keys[..]) else { return };
        if self.keys.len() < 2 {
            return;
        }
        let (first, last) = (*first, *last);
        if last.time < duration && self.interpolation != Interpolation::Step {
            self.keys.push(key(duration, last.value, self.interpolation));
            let index = self.keys.len() - 2;
            self.keys[index].outgoing = last.value.level(self.interpolation);
        }
        if first.time > 0.0 {
            self.keys[0].incoming = first.value.level(self.interpolation);
            self.keys.insert(0, key(0.0, first.value, self.interpolation));
        }
    }

    /// The rest value before the first and after the last key.
    fn rest(&mut self, duration: f32, rest: V) {
        let ([first, ..], [.., last]) = (&self.keys[..], &self.keys[..]) else { return };
        let (first, last) = (*first, *last);
        let jump = |time: f32, value: V| (value != rest).then(|| key(time, rest, self.interpolation));
        if last.time < duration {
            let after = jump((last.time + INSTANT).min(duration), last.value);
            self.keys.extend(after);
            self.keys.push(key(duration, rest, self.interpolation));
        }
        if first.time > 0.0 {
            let before = jump((first.time - INSTANT).max(0.0), first.value).filter(|key| key.time > 0.0);
            let start = key(0.0, rest, self.interpolation);
            self.keys.splice(0..0, std::iter::once(start).chain(before));
        }
    }

    /// Drops keys that change nothing.
    fn reduce(&mut self) {
        let equal = |a: &Key<V>, b: &Key<V>| a.value == b.value && a.time < b.time;
        match self.interpolation {
            Interpolation::Step => {
                // What starts late wraps, so the first and the last key matter.
                let mut kept: Vec<Key<V>> = Vec::with_capacity(self.keys.len());
                for key in &self.keys {
                    if kept.last().is_none_or(|last| !equal(last, key)) {
                        kept.push(*key);
                    }
                }
                self.keys = kept;
            }
            Interpolation::Linear => {
                let mut kept: Vec<Key<V>> = Vec::with_capacity(self.keys.len());
                for (index, key) in self.keys.iter().enumerate() {
                    let next = self.keys.get(index + 1);
                    let between = kept.last().zip(next);
                    if !between.is_some_and(|(last, next)| equal(last, key) && equal(key, next)) {
                        kept.push(*key);
                    }
                }
                self.keys = kept;
            }
            Interpolation::Hermite | Interpolation::Bezier => {}
        }
    }

    /// The same in an interpolation that can say at least as much; see [`common`].
    pub(super) fn into_interpolation(mut self, to: Interpolation, duration: f32) -> Self {
        if self.interpolation == to {
            return self;
        }
        if self.keys.len() < 2 {
            for key in &mut self.keys {
                (key.incoming, key.outgoing) = (key.value.level(to), key.value.level(to));
            }
            self.interpolation = to;
            return self;
        }
        if self.interpolation == Interpolation::Step {
            self.step_to_linear(duration);
        }
        if self.interpolation == Interpolation::Linear && to != Interpolation::Linear {
            for key in &mut self.keys {
                (key.incoming, key.outgoing) = (key.value.level(to), key.value.level(to));
            }
            for index in 1..self.keys.len() {
                let [outgoing, incoming] =
                    V::straight(self.keys[index - 1].value, self.keys[index].value, to);
                self.keys[index - 1].outgoing = outgoing;
                self.keys[index].incoming = incoming;
            }
        }
        if self.interpolation == Interpolation::Bezier && to == Interpolation::Hermite {
            for index in 1..self.keys.len() {
                let (a, b) = (self.keys[index - 1], self.keys[index]);
                let [outgoing, incoming] = V::bezier_to_hermite(a.value, a.outgoing, b.incoming, b.value);
                self.keys[index - 1].outgoing = outgoing;
                self.keys[index].incoming = incoming;
            }
            for (key, is_first) in [(0, true), (self.keys.len() - 1, false)] {
                let key = &mut self.keys[key];
                let level = key.value.level(to);
                if is_first { key.incoming = level } else { key.outgoing = level }
            }
        }
        self.interpolation = to;
        self
    }

    fn step_to_linear(&mut self, duration: f32) {
        let mut keys: Vec<Key<V>> = Vec::with_capacity(self.keys.len() * 2 + 2);
        let last = self.keys.last().copied();
        if let (Some(first), Some(last)) = (self.keys.first(), last)
            && first.time > 0.0
        {
            keys.push(Key { time: 0.0, ..last });
        }
        for next in &self.keys {
            if let Some(before) = keys.last().copied()
                && before.value != next.value
                && next.time - INSTANT > before.time
            {
                keys.push(Key { time: next.time - INSTANT, ..before });
            }
            keys.push(*next);
        }
        if let Some(last) = last.filter(|last| last.time < duration) {
            keys.push(Key { time: duration, ..last });
        }
        self.keys = keys;
        self.interpolation = Interpolation::Linear;
    }

    /// The product of two, for opacities. Both become linear unless both are steps.
    pub(super) fn product(self, other: Self, duration: f32) -> Self
    where
        V: std::ops::Mul<Output = V>,
    {
        let steps = self.interpolation == Interpolation::Step && other.interpolation == Interpolation::Step;
        let interpolation = if steps { Interpolation::Step } else { Interpolation::Linear };
        let [a, b] = [self, other].map(|keys| {
            let keys = if steps { keys } else { keys.into_interpolation(Interpolation::Linear, duration) };
            keys.to_track().with_outside(Outside::Wrap { start: 0.0, end: duration })
        });
        let mut times: Vec<f32> = a.times.iter().chain(&b.times).copied().chain([0.0]).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let value = |time: f32| Some(a.sample(time)? * b.sample(time)?);
        let keys =
            times.into_iter().filter_map(|time| Some(key(time, value(time)?, interpolation))).collect();
        let mut keys = Self { interpolation, keys };
        keys.reduce();
        keys
    }
}

fn key<V: Animated>(time: f32, value: V, interpolation: Interpolation) -> Key<V> {
    let level = if matches!(interpolation, Interpolation::Hermite | Interpolation::Bezier) {
        value.level(interpolation)
    } else {
        value
    };
    Key { time, value, incoming: level, outgoing: level }
}

/// The interpolation in which all of these can be written.
pub(super) fn common<'k, V: Animated + 'k>(all: impl IntoIterator<Item = &'k Keys<V>>) -> Interpolation {
    let mut found = None;
    let mut only = None;
    for keys in all {
        if keys.keys.len() < 2 {
            only = only.or(Some(keys.interpolation));
            continue;
        }
        found = Some(match (found, keys.interpolation) {
            (None, next) => next,
            (Some(before), next) if before == next => next,
            (
                Some(Interpolation::Step | Interpolation::Linear),
                next @ (Interpolation::Hermite | Interpolation::Bezier),
            ) => next,
            (
                Some(before @ (Interpolation::Hermite | Interpolation::Bezier)),
                Interpolation::Step | Interpolation::Linear,
            ) => before,
            (Some(Interpolation::Hermite | Interpolation::Bezier), _) => Interpolation::Hermite,
            (Some(_), _) => Interpolation::Linear,
        });
    }
    found.or(only).unwrap_or(Interpolation::Step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(keys: &Keys<f32>, duration: f32) -> Track<f32> {
        keys.to_track().with_outside(Outside::Wrap { start: 0.0, end: duration })
    }

    /// The same motion at a hundred times, except at the instants of jumps.
    fn assert_same(a: &Track<f32>, b: &Track<f32>, duration: f32) {
        for step in 0..=100 {
            let time = duration * step as f32 / 100.0;
            let (a, b) = (a.sample(time).unwrap(), b.sample(time).unwrap());
            assert!((a - b).abs() < 1e-5, "{a} and {b} at {time}");
        }
    }

    #[test]
    fn keys_at_both_ends_do_not_change_a_motion_that_wraps() {
        let wrap = Outside::Wrap { start: 0.0, end: 2.0 };
        for interpolation in [Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier] {
            let tangents =
                [(1.0, -2.0), (3.0, 0.5)].map(|(incoming, outgoing)| Tangents { incoming, outgoing });
            let track = Track::new(interpolation, [(0.5, 1.0), (1.25, 4.0)]);
            let track = track.with_outside(wrap).with_tangents(tangents.to_vec());
            let keys = Keys::new(&track, 2.0, 0.0).unwrap();
            let times: Vec<f32> = keys.keys.iter().map(|key| key.time).collect();
            assert_eq!(times, [0.0, 0.5, 1.25, 2.0]);
            assert_same(&track, &sampled(&keys, 2.0), 2.0);
        }
    }

    #[test]
    fn a_straight_line_can_be_said_in_every_interpolation() {
        let track = Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 4.0), (2.0, 2.0)]);
        for to in [Interpolation::Hermite, Interpolation::Bezier] {
            let keys = Keys::new(&track, 2.0, 0.0).unwrap().into_interpolation(to, 2.0);
            assert_same(&track, &sampled(&keys, 2.0), 2.0);
        }
        let tangents = [(0.0, 2.0), (1.0, 3.0)].map(|(incoming, outgoing)| Tangents { incoming, outgoing });
        let bezier =
            Track::new(Interpolation::Bezier, [(0.0, 1.0), (2.0, 4.0)]).with_tangents(tangents.to_vec());
        let keys = Keys::new(&bezier, 2.0, 0.0).unwrap().into_interpolation(Interpolation::Hermite, 2.0);
        assert_same(&bezier, &sampled(&keys, 2.0), 2.0);
    }

    #[test]
    fn held_and_clamped_values_get_keys() {
        let mut track = Track::new(Interpolation::Linear, [(0.5, 1.0), (1.0, 3.0), (1.5, 5.0)]);
        track.held_until = vec![false, true, false];
        let keys = Keys::new(&track, 2.0, 0.0).unwrap();
        let pairs: Vec<_> = keys.keys.iter().map(|key| (key.time, key.value)).collect();
        assert_eq!(pairs, [(0.0, 1.0), (0.999, 1.0), (1.0, 3.0), (1.5, 5.0), (2.0, 5.0)]);
        let step = Track::new(Interpolation::Step, [(0.5, 1.0), (1.0, 3.0)]);
        let keys = Keys::new(&step, 2.0, 0.0).unwrap().into_interpolation(Interpolation::Linear, 2.0);
        let pairs: Vec<_> = keys.keys.iter().map(|key| (key.time, key.value)).collect();
        assert_eq!(pairs, [(0.0, 1.0), (0.999, 1.0), (1.0, 3.0), (2.0, 3.0)]);
    }

    #[test]
    fn outside_its_keys_a_raw_channel_rests() {
        let track = Track::new(Interpolation::Linear, [(0.5, 1.0), (1.0, 3.0)]).with_outside(Outside::Rest);
        let keys = Keys::new(&track, 2.0, 0.0).unwrap();
        let pairs: Vec<_> = keys.keys.iter().map(|key| (key.time, key.value)).collect();
        assert_eq!(pairs, [(0.0, 0.0), (0.499, 0.0), (0.5, 1.0), (1.0, 3.0), (1.001, 0.0), (2.0, 0.0)]);
    }

    #[test]
    fn opacities_multiply() {
        let fade = Keys::new(&Track::new(Interpolation::Linear, [(0.0, 1.0), (2.0, 0.0)]), 2.0, 1.0).unwrap();
        let blink = Keys::new(&Track::new(Interpolation::Step, [(0.0, 1.0), (1.0, 0.0)]), 2.0, 1.0).unwrap();
        let product = sampled(&fade.product(blink, 2.0), 2.0);
        assert!((product.sample(0.5).unwrap() - 0.75).abs() < 1e-6);
        assert_eq!(product.sample(1.5), Some(0.0));
    }
}
