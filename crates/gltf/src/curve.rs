//! Tracks as glTF's samplers: cut to the length of their clip, exact where glTF has the formula, split where it does not.

use crate::{Tolerance, unit};
use glam::{Quat, Vec3, Vec4};
use scene::number::{Finite, are_unit};
use scene::{Curve, Interpolate, Interpolation, Outside, Track};
use std::{
    borrow::Cow,
    ops::{Add, Mul, Sub},
};

/// How glTF moves from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Step,
    Linear,
    Cubic,
}

/// A sampler: strictly ascending times, and values, which are three for each time if it is cubic. Most are as their track has them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keys<'a, T: Clone> {
    pub(crate) mode: Mode,
    pub(crate) times: Cow<'a, [f32]>,
    pub(crate) values: Cow<'a, [T]>,
    /// It had to be resampled.
    pub(crate) resampled: bool,
}

impl<'a, T: Copy> Keys<'a, T> {
    pub(crate) fn new(
        mode: Mode,
        times: impl Into<Cow<'a, [f32]>>,
        values: impl Into<Cow<'a, [T]>>,
        resampled: bool,
    ) -> Self {
        Self { mode, times: times.into(), values: values.into(), resampled }
    }

    /// One value all the time.
    pub(crate) fn constant(value: impl Into<Cow<'a, [T]>>) -> Self {
        Self::new(Mode::Step, &[0.0][..], value, false)
    }

    /// Holds the last value until this time.
    pub(crate) fn extend_to(&mut self, time: f32, zero: T) {
        if self.times.last().is_none_or(|last| *last >= time) {
            return;
        }
        let cubic = self.mode == Mode::Cubic;
        let value =
            if cubic { self.values[self.values.len() - 2] } else { self.values[self.values.len() - 1] };
        let values = self.values.to_mut();
        if cubic {
            let end = values.len() - 1;
            values[end] = zero;
            values.extend([zero, value, zero]);
        } else {
            values.push(value);
        }
        self.times.to_mut().push(time);
    }
}

/// A value that glTF can animate.
pub(crate) trait Animated:
    Interpolate + Finite + PartialEq + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
    const ZERO: Self;
    /// The same with what is not finite made zero.
    fn mended(self) -> Self;
    /// As it is written: rotations at unit length.
    fn written(self) -> Self;
    /// Whether all are sound and written as they are.
    fn are_as_written(values: &[Self]) -> bool;
    /// Whether going from one to the other is no move.
    fn is_same(self, other: Self) -> bool;
    /// Whether glTF has the same cubic.
    const HAS_CUBIC: bool;
    /// The same value, of two ways to write it the one that is nearer to `other`.
    fn near(self, other: Self) -> Self;
    fn distance_squared(self, other: Self) -> f32;
    /// Whether one may stand for the other.
    fn is_close(self, other: Self, tolerance: f32) -> bool;
}

macro_rules! animated_vector {
    ($type:ty, $zero:expr, $mended:expr, $distance_squared:expr) => {
        impl Animated for $type {
            const ZERO: Self = $zero;
            const HAS_CUBIC: bool = true;

            fn mended(self) -> Self {
                $mended(self)
            }

            fn written(self) -> Self {
                self
            }

            fn are_as_written(values: &[Self]) -> bool {
                Self::all_finite(values)
            }

            fn is_same(self, other: Self) -> bool {
                self == other
            }

            fn near(self, _: Self) -> Self {
                self
            }

            fn distance_squared(self, other: Self) -> f32 {
                $distance_squared(self, other)
            }

            fn is_close(self, other: Self, tolerance: f32) -> bool {
                let noise = NOISE * NOISE * self.distance_squared(Self::ZERO);
                self.distance_squared(other) <= (tolerance * tolerance).max(noise)
            }
        }
    };
}
/// What two ways to work out the same number may differ by, as a share of it: to look closer shows no more.
pub(crate) const NOISE: f32 = 1e-6;

fn finite_or_zero(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
animated_vector!(f32, 0.0, finite_or_zero, |a: f32, b: f32| (a - b) * (a - b));
animated_vector!(
    Vec3,
    Vec3::ZERO,
    |value: Vec3| Vec3::from_array(value.to_array().map(finite_or_zero)),
    Vec3::distance_squared
);

animated_vector!(
    Vec4,
    Vec4::ZERO,
    |value: Vec4| Vec4::from_array(value.to_array().map(finite_or_zero)),
    Vec4::distance_squared
);

impl Animated for Quat {
    const ZERO: Self = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    const HAS_CUBIC: bool = false;

    fn mended(self) -> Self {
        unit(self)
    }

    fn written(self) -> Self {
        unit(self)
    }

    fn are_as_written(values: &[Self]) -> bool {
        are_unit(values)
    }

    fn is_same(self, other: Self) -> bool {
        self == other || self == -other
    }

    fn near(self, other: Self) -> Self {
        if self.dot(other) < 0.0 { -self } else { self }
    }

    fn distance_squared(self, other: Self) -> f32 {
        (self - other).length_squared()
    }

    fn is_close(self, other: Self, tolerance: f32) -> bool {
        same_rotation(unit(self), unit(other), tolerance)
    }
}

/// Whether there is at most this angle between two rotations of unit length, in radians; below four, which is more than there can be.
pub(crate) fn same_rotation(a: Quat, b: Quat, angle: f32) -> bool {
    // A quarter of the angle by its tangent; the arc cosine is blind to small angles.
    let tangent = angle * (0.25 + angle * angle * (1.0 / 192.0));
    let b = b.near(a);
    a.distance_squared(b) <= (a + b).length_squared() * tangent * tangent
}

/// Whether a curve may go from one value to another without any between.
pub(crate) fn jumps(curve: &Curve) -> bool {
    fn jumps<T>(track: &Track<T>) -> bool {
        track.interpolation == Interpolation::Step || !track.held_until.is_empty() || !ascends(&track.times)
    }
    match curve {
        Curve::Flag(_) | Curve::Index(_) => true,
        Curve::Scalar(track) => jumps(track),
        Curve::Vector(track) => jumps(track),
        Curve::Rotation(track) => jumps(track),
    }
}

/// Whether each time is later than the one before. Without a way out in the middle, which would keep it from comparing several at
/// once.
fn ascends(times: &[f32]) -> bool {
    times.iter().zip(times.iter().skip(1)).fold(true, |all, (a, b)| all & (a < b))
}

/// The time that counts of a track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Seconds of the clip.
    pub(crate) duration: f32,
    /// The track is this long and comes again and again.
    pub(crate) period: Option<f32>,
}

/// A stretch of a track between two keys.
#[derive(Clone, Copy, Debug)]
struct Piece<T> {
    start: f32,
    end: f32,
    /// Values at both ends.
    a: T,
    b: T,
    shape: Shape<T>,
}

#[derive(Clone, Copy, Debug)]
enum Shape<T> {
    Hold,
    Linear,
    /// With the change in a second at both ends.
    Cubic(T, T),
}

/// What happens between two keys: indices and the part of the way that is left after cutting.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: f32,
    end: f32,
    from: usize,
    to: usize,
    fractions: [f32; 2],
}

/// Turns a track into keys, or nothing if no key speaks for any of the time. `mended` counts the numbers that were.
pub(crate) fn keys<'a, T: Animated>(
    track: &'a Track<T>,
    rest: T,
    span: Span,
    tolerance: f32,
    mended: &mut usize,
) -> Option<Keys<'a, T>> {
    let length = span.period.unwrap_or(span.duration);
    if length == span.duration
        && let Some(keys) = plain(track, length)
    {
        return Some(keys);
    }
    let sound = in_order(track, mended);
    let track = sound.as_ref().unwrap_or(track);
    let first = track.times.first().copied();
    let mut pieces = Vec::with_capacity(track.len() + 1);
    let mut resampled = false;
    collect(track, rest, length, tolerance, &mut pieces, &mut resampled);
    let last = match track.sample(length) {
        Some(value) => value,
        None if matches!(track.outside, Outside::Rest) && !track.is_empty() => rest,
        // A track that starts only after its global sequence ends stands still (scene::Curve::sample_global).
        None if span.period.is_some() && first.is_some_and(|first| first > length) => track.values[0],
        None => return None,
    };
    let last = match span.period.filter(|period| *period != span.duration) {
        Some(period) => {
            if period < span.duration && period > 0.0 {
                repeat(&mut pieces, period, span.duration);
            }
            cut(&mut pieces, span.duration);
            pieces.last().map_or(last, |piece| piece.b)
        }
        None => last,
    };
    Some(compile(&pieces, last, resampled).mended(mended))
}

impl<T: Animated> Keys<'_, T> {
    /// Sound keys may be so large that what is worked out of them is not.
    fn mended(mut self, mended: &mut usize) -> Self {
        for value in self.values.to_mut().iter_mut().filter(|value| !value.finite()) {
            *value = value.mended();
            *mended += 1;
        }
        self
    }
}

/// The common case, in which keys are taken over as they are: sound, lines all the way, nothing held, no jump, and keys that speak
/// for the whole time, or lead from the last back to the first.
fn plain<T: Animated>(track: &Track<T>, limit: f32) -> Option<Keys<'_, T>> {
    let times = &track.times[..track.len()];
    let (first, last) = (*times.first()?, *times.last()?);
    let (begins, ends) = (first <= 0.0, last >= limit);
    let speaks = match track.outside {
        Outside::Clamp => true,
        Outside::Rest => begins && ends,
        Outside::Wrap { start, end } => start == 0.0 && end == limit && first >= 0.0 && last <= limit,
    };
    // A single key leads nowhere, whichever way.
    let is_plain = speaks
        && (track.interpolation == Interpolation::Linear || times.len() == 1)
        && !track.held_until.contains(&true)
        && first.is_finite()
        && last.is_finite()
        && ascends(times)
        && T::are_as_written(&track.values);
    if !is_plain {
        return None;
    }
    let (low, high) = if first >= 0.0 && last <= limit {
        (0, times.len())
    } else {
        (times.partition_point(|&time| time < 0.0), times.partition_point(|&time| time <= limit))
    };
    if low >= high {
        return None;
    }
    let values = &track.values[low..high];
    if low == 0 && high == times.len() && values.iter().all(|value| *value == values[0]) {
        return Some(Keys::constant(&values[..1]));
    }
    let wraps = matches!(track.outside, Outside::Wrap { .. });
    let mut keys = Keys::new(Mode::Linear, &times[low..high], values, false);
    if (low > 0 || wraps) && times[low] > 0.0 {
        keys.times.to_mut().insert(0, 0.0);
        keys.values.to_mut().insert(0, track.sample(0.0)?.written());
    }
    if (high < times.len() || wraps) && times[high - 1] < limit {
        keys.times.to_mut().push(limit);
        keys.values.to_mut().push(track.sample(limit)?.written());
    }
    Some(keys)
}

/// The track with ascending, finite times and finite values, unless that is what it is.
fn in_order<T: Animated>(track: &Track<T>, mended: &mut usize) -> Option<Track<T>> {
    let numbers = T::all_finite(&track.values) && Finite::all_finite(&track.tangents);
    if numbers && track.times.is_sorted() && track.times.last().is_none_or(|last| last.is_finite()) {
        return None;
    }
    let mut track = track.clone();
    track.sort();
    let bad = track.times.iter().filter(|time| !time.is_finite()).count();
    if bad > 0 {
        let keep: Vec<usize> = (0..track.len()).filter(|&key| track.times[key].is_finite()).collect();
        fn pick<U: Copy>(keep: &[usize], items: &mut Vec<U>) {
            *items = keep.iter().filter_map(|&key| items.get(key).copied()).collect();
        }
        pick(&keep, &mut track.times);
        pick(&keep, &mut track.values);
        pick(&keep, &mut track.tangents);
        pick(&keep, &mut track.held_until);
    }
    *mended += bad;
    let mut mend = |value: &mut T| {
        if !value.finite() {
            *value = value.mended();
            *mended += 1;
        }
    };
    track.values.iter_mut().for_each(&mut mend);
    for tangents in &mut track.tangents {
        mend(&mut tangents.incoming);
        mend(&mut tangents.outgoing);
    }
    Some(track)
}

/// The pieces of a track from zero to `limit`.
fn collect<T: Animated>(
    track: &Track<T>,
    rest: T,
    limit: f32,
    tolerance: f32,
    pieces: &mut Vec<Piece<T>>,
    resampled: &mut bool,
) {
    let times = &track.times[..track.len()];
    let (low, high) = match track.outside {
        Outside::Wrap { start, end } => {
            (times.partition_point(|&time| time < start), times.partition_point(|&time| time <= end))
        }
        Outside::Clamp | Outside::Rest => (0, times.len()),
    };
    if low >= high {
        return;
    }
    let (first, last) = (low, high - 1);
    let hold = |start: f32, end: f32, value: T, pieces: &mut Vec<Piece<T>>| {
        let (start, end) = (start.max(0.0), end.min(limit));
        if start < end {
            pieces.push(Piece { start, end, a: value, b: value, shape: Shape::Hold });
        }
    };
    let mut add = |stretch: Stretch, pieces: &mut Vec<Piece<T>>| {
        if let Some(stretch) = stretch.cut(limit) {
            piece(track, stretch, tolerance, pieces, resampled);
        }
    };
    let wrapped = match track.outside {
        Outside::Wrap { start, end } if first < last => {
            let length = times[first] - times[last] + (end - start);
            Some((start, end, length)).filter(|_| length > 0.0)
        }
        _ => None,
    };
    match track.outside {
        Outside::Rest => hold(f32::NEG_INFINITY, times[first], rest, pieces),
        _ => {
            if let Some((start, end, length)) = wrapped {
                let before = ((start + (end - start) - times[last]) / length).clamp(0.0, 1.0);
                let fractions = [before, 1.0];
                add(Stretch { start, end: times[first], from: last, to: first, fractions }, pieces);
            }
        }
    }
    for key in first..last {
        let fractions = [0.0, 1.0];
        add(Stretch { start: times[key], end: times[key + 1], from: key, to: key + 1, fractions }, pieces);
    }
    match track.outside {
        Outside::Rest => {
            let after = times[last].next_up();
            if first == last {
                hold(times[last], after, track.values[last], pieces);
            }
            hold(after, f32::INFINITY, rest, pieces);
        }
        _ => {
            if let Some((_, end, length)) = wrapped {
                let fractions = [0.0, ((end - times[last]) / length).clamp(0.0, 1.0)];
                add(Stretch { start: times[last], end, from: last, to: first, fractions }, pieces);
            }
        }
    }
}

impl Stretch {
    /// What lies between zero and `limit`.
    fn cut(mut self, limit: f32) -> Option<Self> {
        let length = self.end - self.start;
        if !(length > 0.0 && self.end > 0.0 && self.start < limit) {
            return None;
        }
        let [from, to] = self.fractions;
        let at = |time: f32| from + (to - from) * ((time - self.start) / length);
        if self.start < 0.0 {
            self.fractions[0] = at(0.0);
        }
        if self.end > limit {
            self.fractions[1] = at(limit);
        }
        (self.start, self.end) = (self.start.max(0.0), self.end.min(limit));
        (self.start < self.end).then_some(self)
    }
}

fn piece<T: Animated>(
    track: &Track<T>,
    stretch: Stretch,
    tolerance: f32,
    pieces: &mut Vec<Piece<T>>,
    resampled: &mut bool,
) {
    let Stretch { start, end, from, to, fractions: [low, high] } = stretch;
    let (a, b) = (track.values[from], track.values[to]);
    let whole = (low, high) == (0.0, 1.0);
    if track.held_until.get(to) == Some(&true) || track.interpolation == Interpolation::Step {
        pieces.push(Piece { start, end, a, b: a, shape: Shape::Hold });
        return;
    }
    let cubic = match track.interpolation {
        Interpolation::Hermite | Interpolation::Bezier => {
            track.tangents.get(from).zip(track.tangents.get(to)).map(|(a, b)| (a.outgoing, b.incoming))
        }
        Interpolation::Step | Interpolation::Linear => None,
    };
    let bezier = track.interpolation == Interpolation::Bezier;
    let at = |fraction: f32| match cubic {
        Some((outgoing, incoming)) if bezier => T::bezier(a, outgoing, incoming, b, fraction),
        Some((outgoing, incoming)) => T::hermite(a, outgoing, incoming, b, fraction),
        None => T::linear(a, b, fraction),
    };
    // The common case, in which the values at the ends need not be worked out.
    let (first, last) = if whole { (a, b) } else { (at(low), at(high)) };
    // Where some keys have tangents and some do not, what is not a cubic has to be fitted too.
    if cubic.is_none() && (T::HAS_CUBIC || track.interpolation == Interpolation::Linear) {
        pieces.push(Piece { start, end, a: first, b: last, shape: Shape::Linear });
        return;
    }
    if let Some((outgoing, incoming)) = cubic
        && T::HAS_CUBIC
    {
        // The change over the whole way between the keys at both of its ends, as Hermite has it.
        let (m0, m1) =
            if bezier { ((outgoing - a) * 3.0, (b - incoming) * 3.0) } else { (outgoing, incoming) };
        let slope = |t: f32| cubic_slope([a, m0, m1, b], t);
        // A part of a cubic is a cubic: the same curve with the slopes at its own ends, per second.
        let rate = (high - low) / (end - start);
        let (leave, arrive) = if whole { (m0, m1) } else { (slope(low), slope(high)) };
        let shape = Shape::Cubic(leave * rate, arrive * rate);
        pieces.push(Piece { start, end, a: first, b: last, shape });
        return;
    }
    *resampled = true;
    // Of the two ways to write a rotation the one that goes on from what is there.
    let first = first.written();
    let first = pieces.last().map_or(first, |previous| first.near(previous.b));
    let fit = Fit { at: &at, start, end, low, high, tolerance };
    fit.fit([low, high], [first, last.written()], 0, pieces);
}

/// Keys for something that has no formula, with the times at which its course changes: lines where they will do, else cubics.
pub(crate) fn fitted<T: Animated>(
    mut seeds: Vec<f32>,
    tolerance: f32,
    mended: &mut usize,
    at: impl Fn(f32) -> T,
) -> Keys<'static, T> {
    /// What takes more is no motion, but noise.
    const MOST: usize = 1 << 20;
    put_in_order(&mut seeds);
    let mut pieces = Vec::with_capacity(seeds.len());
    let mut a = seeds.first().map_or(T::ZERO, |&first| at(first));
    for (&start, &end) in seeds.iter().zip(seeds.iter().skip(1)) {
        let b = at(end);
        let half = start + (end - start) * 0.5;
        // Neighbouring numbers are a jump.
        if start < half && half < end {
            let at = |part: f32| at(start + (end - start) * part);
            let is_line = |part: f32| (a + (b - a) * part).is_close(at(part), tolerance);
            if pieces.len() > MOST || [0.5, 0.25, 0.75].into_iter().all(is_line) {
                pieces.push(Piece { start, end, a, b, shape: Shape::Linear });
            } else {
                Fit { at: &at, start, end, low: 0.0, high: 1.0, tolerance }.fit(
                    [0.0, 1.0],
                    [a, b],
                    0,
                    &mut pieces,
                );
            }
        }
        a = b;
    }
    compile(&pieces, a, true).mended(mended)
}

/// Times that ascend, none before the start.
pub(crate) fn put_in_order(times: &mut Vec<f32>) {
    times.retain(|time| time.is_finite() && *time >= 0.0);
    // The stable sort makes use of stretches that ascend already, such as the times of one channel after those of another.
    times.sort_by(f32::total_cmp);
    times.dedup();
}

/// A curve that is put together from cubics.
struct Fit<'a, F> {
    at: &'a F,
    /// Seconds and the part of the way there.
    start: f32,
    end: f32,
    low: f32,
    high: f32,
    tolerance: f32,
}

impl<F> Fit<'_, F> {
    /// Adds the cubic through four points of a part of the curve if it is near enough, or else those of both halves.
    fn fit<T: Animated>(&self, [low, high]: [f32; 2], [a, d]: [T; 2], depth: u32, pieces: &mut Vec<Piece<T>>)
    where
        F: Fn(f32) -> T,
    {
        const DEEPEST: u32 = 8;
        let at = |part: f32| (self.at)(low + (high - low) * part).written();
        let b = at(1.0 / 3.0).near(a);
        let c = at(2.0 / 3.0).near(b);
        let d = d.near(c);
        // The slopes of the cubic through them at both ends.
        let leave = a * -5.5 + b * 9.0 - c * 4.5 + d;
        let arrive = d * 5.5 - c * 9.0 + b * 4.5 - a;
        let is_near =
            |part: f32| cubic([a, leave, arrive, d], part).is_close(at(part), self.tolerance * SAFE);
        let step = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(d));
        if step * step.sqrt() <= SHORT * self.tolerance
            || [0.08, 0.5, 0.92].into_iter().all(is_near)
            || depth == DEEPEST
        {
            let rate = (self.end - self.start) / (self.high - self.low);
            let time =
                |part: f32| if part == self.high { self.end } else { self.start + (part - self.low) * rate };
            let (start, end) = (time(low), time(high));
            if start < end {
                let shape = Shape::Cubic(leave * (1.0 / (end - start)), arrive * (1.0 / (end - start)));
                pieces.push(Piece { start, end, a, b: d, shape });
            }
        } else {
            let middle = 0.5 * (low + high);
            let value = (self.at)(middle).written().near(b);
            self.fit([low, middle], [a, value], depth + 1, pieces);
            let value = pieces.last().map_or(value, |piece| value.near(piece.b));
            self.fit([middle, high], [value, d], depth + 1, pieces);
        }
    }
}

/// How much of the tolerance the places that are looked at may take, because there is more between them.
const SAFE: f32 = 0.5;

/// A curve on which each third of the way is shorter than the cube root of this times the tolerance is a cubic within it:
/// what is not is of at least the third order in the way.
const SHORT: f32 = 0.15;

/// Puts copies of what happens in a period one after the other.
fn repeat<T: Copy>(pieces: &mut Vec<Piece<T>>, period: f32, duration: f32) {
    const MOST: usize = 1_000_000;
    let own = pieces.len();
    let copies = ((duration / period).ceil() as usize).min(MOST / own.max(1));
    for copy in 1..copies {
        let shift = copy as f32 * period;
        for index in 0..own {
            let piece =
                Piece { start: pieces[index].start + shift, end: pieces[index].end + shift, ..pieces[index] };
            if piece.start < duration && piece.start < piece.end {
                pieces.push(piece);
            }
        }
    }
}

/// Leaves what happens before this time.
fn cut<T: Animated>(pieces: &mut Vec<Piece<T>>, end: f32) {
    pieces.retain(|piece| piece.start < end);
    let Some(piece) = pieces.last_mut().filter(|piece| piece.end > end) else { return };
    let length = piece.end - piece.start;
    let part = (end - piece.start) / length;
    match piece.shape {
        Shape::Hold => {}
        Shape::Linear => piece.b = T::linear(piece.a, piece.b, part),
        Shape::Cubic(leave, arrive) => {
            let curve = [piece.a, leave * length, arrive * length, piece.b];
            piece.b = cubic(curve, part);
            piece.shape = Shape::Cubic(leave, cubic_slope(curve, part) * (1.0 / length));
        }
    }
    piece.end = end;
}

/// Hermite's cubic from the first to the last value, with the slopes at both ends between them.
fn cubic<T: Animated>([a, leave, arrive, b]: [T; 4], t: f32) -> T {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leave * (t3 - 2.0 * t2 + t)
        + arrive * (t3 - t2)
        + b * (3.0 * t2 - 2.0 * t3)
}

/// Its slope; those of the two values are opposite.
fn cubic_slope<T: Animated>([a, leave, arrive, b]: [T; 4], t: f32) -> T {
    let t2 = t * t;
    (b - a) * (6.0 * t - 6.0 * t2) + leave * (3.0 * t2 - 4.0 * t + 1.0) + arrive * (3.0 * t2 - 2.0 * t)
}

/// Keys out of pieces, the value after the last piece being `last`.
fn compile<T: Animated>(pieces: &[Piece<T>], last: T, resampled: bool) -> Keys<'static, T> {
    let Some(end) = pieces.last().map(|piece| piece.end) else {
        return Keys { resampled, ..Keys::constant(vec![last.written()]) };
    };
    let cubic = pieces.iter().any(|piece| matches!(piece.shape, Shape::Cubic(..)));
    let linear = pieces.iter().any(|piece| matches!(piece.shape, Shape::Linear));
    if !cubic && !linear {
        let (mut times, mut values) = (Vec::new(), Vec::<T>::new());
        for (time, value) in pieces.iter().map(|piece| (piece.start, piece.a)).chain([(end, last)]) {
            let value = value.written();
            if !values.last().is_some_and(|previous| previous.is_same(value)) {
                times.push(time);
                values.push(value);
            }
        }
        return Keys::new(Mode::Step, times, values, resampled);
    }
    let mut out =
        Out { times: Vec::with_capacity(pieces.len() + 1), keys: Vec::with_capacity(pieces.len() + 1) };
    for piece in pieces {
        let (leave, arrive) = match piece.shape {
            Shape::Hold => (T::ZERO, T::ZERO),
            Shape::Cubic(leave, arrive) => (leave, arrive),
            Shape::Linear => {
                let slope = (piece.b - piece.a) * (1.0 / (piece.end - piece.start));
                (slope, slope)
            }
        };
        out.start(piece.start, piece.a, leave);
        out.times.push(piece.end);
        out.keys.push([arrive, piece.b, T::ZERO]);
    }
    out.start(end, last, T::ZERO);
    let mode = if cubic { Mode::Cubic } else { Mode::Linear };
    let values: Vec<T> = match cubic {
        true => {
            out.keys.into_iter().flat_map(|[arrive, value, leave]| [arrive, value.written(), leave]).collect()
        }
        false => out.keys.into_iter().map(|[_, value, _]| value.written()).collect(),
    };
    Keys::new(mode, out.times, values, resampled)
}

/// Keys with both tangents.
struct Out<T> {
    times: Vec<f32>,
    keys: Vec<[T; 3]>,
}

impl<T: Animated> Out<T> {
    /// Begins a piece where the one before ended. If the value jumps, the old one ends at the moment just before, so that
    /// there is no time at which anything between the two shows.
    fn start(&mut self, time: f32, value: T, leave: T) {
        let Some((&previous, key)) = self.times.last().zip(self.keys.last_mut()) else {
            self.times.push(time);
            self.keys.push([T::ZERO, value, leave]);
            return;
        };
        if previous < time {
            self.times.push(time);
            self.keys.push([T::ZERO, value, leave]);
        } else if key[1].written().is_same(value.written()) {
            key[2] = leave;
        } else {
            let before = time.next_down();
            let room = self.times.len() < 2 || self.times[self.times.len() - 2] < before;
            if room && before >= 0.0 {
                let last = self.times.len() - 1;
                self.times[last] = before;
                self.times.push(time);
                self.keys.push([T::ZERO, value, leave]);
            } else {
                *key = [T::ZERO, value, leave];
            }
        }
    }
}

/// The tolerance of a rotation, a position, or anything else.
pub(crate) fn tolerance(tolerance: &Tolerance, size: f32, property: scene::NodeProperty) -> f32 {
    match property {
        scene::NodeProperty::Rotation => tolerance.rotation,
        scene::NodeProperty::Translation => tolerance.position * size,
        scene::NodeProperty::Scale | scene::NodeProperty::Visibility => tolerance.position,
    }
}
