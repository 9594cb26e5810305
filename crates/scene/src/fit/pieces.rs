//! A track as pieces that the target can express, and pieces as keys.

use super::stretch::{Stretch, Way, stretches};
use super::{Fit, Keys, MIN_GAP, Mode, put_in_order};
use crate::{Interpolation, Outside, Track};

/// Maximum number of pieces of a track. A track with more is noise; the rest is not divided further.
pub(super) const MAX_PIECES: usize = 1 << 18;

/// A stretch of time with one formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<T> {
    pub(super) start: f32,
    pub(super) end: f32,
    /// Values at both ends.
    pub(super) a: T,
    pub(super) b: T,
    shape: Shape<T>,
}

#[derive(Clone, Copy, Debug)]
enum Shape<T> {
    Hold,
    Linear,
    /// Hermite with the slopes at both ends, per second.
    Cubic(T, T),
}

impl<T> Piece<T> {
    pub(super) const fn is_cubic(&self) -> bool {
        matches!(self.shape, Shape::Cubic(..))
    }
}

/// The pieces with cubics replaced by straight lines.
pub(super) fn straightened<T: Fit>(pieces: &[Piece<T>], tolerance: f32) -> Vec<Piece<T>> {
    let mut straight = Vec::with_capacity(pieces.len() * 4);
    for piece in pieces {
        if !piece.is_cubic() {
            straight.push(*piece);
            continue;
        }
        if straight.len() > MAX_PIECES {
            straight.push(Piece { shape: Shape::Linear, ..*piece });
            continue;
        }
        let (mut start, mut a) = (piece.start, piece.a);
        straighten(piece, tolerance, |end, b| {
            if start < end {
                straight.push(Piece { start, end, a, b, shape: Shape::Linear });
                (start, a) = (end, b);
            }
        });
    }
    straight
}

/// Calls `add` with time and value of the end of each straight line that stands for a part of a piece.
pub(super) fn straighten<T: Fit>(piece: &Piece<T>, tolerance: f32, mut add: impl FnMut(f32, T)) {
    match piece.shape {
        Shape::Cubic(leave, arrive) => {
            let length = piece.end - piece.start;
            let curve = [piece.a, leave * length, arrive * length, piece.b];
            straighten_cubic(curve, [piece.start, piece.end], tolerance, add);
        }
        Shape::Hold | Shape::Linear => add(piece.end, piece.b),
    }
}

/// The same for a Hermite cubic between two times. Its slopes are per whole length.
pub(super) fn straighten_cubic<T: Fit>(
    curve: [T; 4],
    [start, end]: [f32; 2],
    tolerance: f32,
    mut add: impl FnMut(f32, T),
) {
    let count = lines_for(hermite_bend(curve), tolerance);
    for line in 1..count {
        let share = line as f32 / count as f32;
        add(start + (end - start) * share, hermite(curve, share).normalised());
    }
    add(end, curve[3]);
}

/// Number of lines that keep the error of a curve with this second derivative within twice the tolerance.
pub(super) fn lines_for(bend: f32, tolerance: f32) -> usize {
    const MOST: f32 = 100.0;
    // The error of a chord over a fraction h is at most h² / 8 of the second derivative.
    (bend / (16.0 * tolerance)).sqrt().ceil().clamp(1.0, MOST) as usize
}

impl<T: Fit> Keys<'_, T> {
    /// Values computed from finite but huge keys may overflow.
    pub(super) fn repaired(mut self, repaired: &mut usize) -> Self {
        if T::all_finite(&self.values) {
            return self;
        }
        for value in self.values.to_mut().iter_mut().filter(|value| !value.finite()) {
            *value = value.repaired();
            *repaired += 1;
        }
        self
    }
}

/// The pieces of a track from zero to `limit`.
pub(super) fn collect<T: Fit>(
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
    if track.outside == Outside::Rest {
        hold(f32::NEG_INFINITY, times[first], rest, pieces);
    }
    for stretch in stretches(track, [first, last], limit) {
        piece(track, stretch, tolerance, pieces, resampled);
    }
    if track.outside == Outside::Rest {
        let after = times[last].next_up();
        if first == last {
            hold(times[last], after, track.values[last], pieces);
        }
        hold(after, f32::INFINITY, rest, pieces);
    }
}

fn piece<T: Fit>(
    track: &Track<T>,
    stretch: Stretch,
    tolerance: f32,
    pieces: &mut Vec<Piece<T>>,
    resampled: &mut bool,
) {
    let way = Way::new(track, &stretch);
    let Stretch { start, end, to, fractions: [low, high], .. } = stretch;
    let (a, b) = (way.a, way.b);
    let whole = (low, high) == (0.0, 1.0);
    if track.held_until.get(to) == Some(&true) || track.interpolation == Interpolation::Step {
        pieces.push(Piece { start, end, a, b: a, shape: Shape::Hold });
        return;
    }
    let at = |fraction: f32| way.at(fraction);
    let (first, last) = if whole { (a, b) } else { (at(low), at(high)) };
    // If only some keys of a cubic track have tangents, the straight parts of rotations are fitted too.
    if way.tangents.is_none() && (T::HAS_CUBIC || track.interpolation == Interpolation::Linear) {
        let count = first.normalised().straight_pieces(last.normalised());
        let time = |part: usize| start + (end - start) * (part as f32 / count as f32);
        let ends = (1..=count).map(|part| match part == count {
            true => (end, last),
            false => (time(part), at(low + (high - low) * (part as f32 / count as f32))),
        });
        let (mut start, mut a) = (start, first);
        for (end, b) in ends {
            if start < end {
                pieces.push(Piece { start, end, a, b, shape: Shape::Linear });
                (start, a) = (end, b);
            }
        }
        return;
    }
    if let Some([m0, m1]) = way.slopes()
        && T::HAS_CUBIC
    {
        let slope = |t: f32| hermite_slope([a, m0, m1, b], t);
        // A part of a cubic is a cubic with the slopes at its own ends, per second.
        let rate = (high - low) / (end - start);
        let (leave, arrive) = if whole { (m0, m1) } else { (slope(low), slope(high)) };
        let shape = Shape::Cubic(leave * rate, arrive * rate);
        pieces.push(Piece { start, end, a: first, b: last, shape });
        return;
    }
    *resampled = true;
    // A rotation has two signs: use the sign that continues the previous keys.
    let first = first.normalised();
    let first = pieces.last().map_or(first, |previous| first.near(previous.b));
    let fitter = Fitter { at: &at, start, end, low, high, tolerance };
    fitter.fit([low, high], [first, last.normalised()], 0, pieces);
}

/// Keys for a function of time. `seeds` are the times at which its formula changes. Straight lines if they are accurate
/// enough, otherwise cubics.
pub fn fitted<T: Fit>(
    mut seeds: Vec<f32>,
    tolerance: f32,
    repaired: &mut usize,
    at: impl Fn(f32) -> T,
) -> Keys<'static, T> {
    put_in_order(&mut seeds);
    let mut pieces = Vec::with_capacity(seeds.len());
    let mut a = seeds.first().map_or(T::ZERO, |&first| at(first));
    for (&start, &end) in seeds.iter().zip(seeds.iter().skip(1)) {
        let b = at(end);
        let half = start + (end - start) * 0.5;
        // Neighbouring floating-point numbers are a jump.
        if start < half && half < end {
            let at = |part: f32| at(start + (end - start) * part);
            let is_line = |part: f32| (a + (b - a) * part).is_close(at(part), tolerance);
            if pieces.len() > MAX_PIECES || [0.5, 0.25, 0.75].into_iter().all(is_line) {
                pieces.push(Piece { start, end, a, b, shape: Shape::Linear });
            } else {
                let fitter = Fitter { at: &at, start, end, low: 0.0, high: 1.0, tolerance };
                fitter.fit([0.0, 1.0], [a, b], 0, &mut pieces);
            }
        }
        a = b;
    }
    compile(&pieces, a, true).repaired(repaired)
}

/// Builds a curve from cubics.
pub(super) struct Fitter<'a, F> {
    pub(super) at: &'a F,
    /// Seconds at `low` and `high`, which are fractions of the curve.
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) low: f32,
    pub(super) high: f32,
    pub(super) tolerance: f32,
}

/// Fraction of the tolerance that the tested points may use, because the error may be larger between them.
const SAFE: f32 = 0.5;

/// If each third of a curve is shorter than the cube root of this times the tolerance, the curve is a cubic within the
/// tolerance: its other terms are at least of the third order.
const SHORT: f32 = 0.15;

impl<F> Fitter<'_, F> {
    /// Adds the cubic through four points of a part of the curve if it is near enough, otherwise the cubics of both halves.
    pub(super) fn fit<T: Fit>(
        &self,
        [low, high]: [f32; 2],
        [a, d]: [T; 2],
        depth: u32,
        pieces: &mut Vec<Piece<T>>,
    ) where
        F: Fn(f32) -> T,
    {
        const DEEPEST: u32 = 8;
        let at = |part: f32| (self.at)(low + (high - low) * part).normalised();
        let b = at(1.0 / 3.0).near(a);
        let c = at(2.0 / 3.0).near(b);
        let d = d.near(c);
        let [leave, arrive] = slopes_through([a, b, c, d]);
        let is_near =
            |part: f32| hermite([a, leave, arrive, d], part).is_close(at(part), self.tolerance * SAFE);
        let step = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(d));
        if step * step.sqrt() <= SHORT * self.tolerance
            || [0.08, 0.5, 0.92].into_iter().all(is_near)
            || depth == DEEPEST
            || pieces.len() > MAX_PIECES
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
            let value = (self.at)(middle).normalised().near(b);
            self.fit([low, middle], [a, value], depth + 1, pieces);
            let value = pieces.last().map_or(value, |piece| value.near(piece.b));
            self.fit([middle, high], [value, d], depth + 1, pieces);
        }
    }
}

/// Appends copies of one period until `duration`.
pub(super) fn repeat<T: Copy>(pieces: &mut Vec<Piece<T>>, period: f32, duration: f32) {
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

/// Removes everything after `end`.
pub(super) fn cut<T: Fit>(pieces: &mut Vec<Piece<T>>, end: f32) {
    pieces.retain(|piece| piece.start < end);
    let Some(piece) = pieces.last_mut().filter(|piece| piece.end > end) else { return };
    let length = piece.end - piece.start;
    let part = (end - piece.start) / length;
    match piece.shape {
        Shape::Hold => {}
        Shape::Linear => piece.b = T::linear(piece.a, piece.b, part),
        Shape::Cubic(leave, arrive) => {
            let curve = [piece.a, leave * length, arrive * length, piece.b];
            piece.b = hermite(curve, part);
            piece.shape = Shape::Cubic(leave, hermite_slope(curve, part) * (1.0 / length));
        }
    }
    piece.end = end;
}

/// The slopes at both ends, over the whole way, of the cubic through four points at equal distances of time.
pub(super) fn slopes_through<T: Fit>([a, b, c, d]: [T; 4]) -> [T; 2] {
    [a * -5.5 + b * 9.0 - c * 4.5 + d, d * 5.5 - c * 9.0 + b * 4.5 - a]
}

/// Hermite's cubic from the first to the last value, with the slopes at both ends between them.
fn hermite<T: Fit>([a, leave, arrive, b]: [T; 4], t: f32) -> T {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leave * (t3 - 2.0 * t2 + t)
        + arrive * (t3 - t2)
        + b * (3.0 * t2 - 2.0 * t3)
}

/// The greatest second derivative of Hermite's cubic, over the whole way. It is at one of the ends.
pub(super) fn hermite_bend<T: Fit>([a, leave, arrive, b]: [T; 4]) -> f32 {
    let start = (b - a) * 6.0 - leave * 4.0 - arrive * 2.0;
    let end = (a - b) * 6.0 + leave * 2.0 + arrive * 4.0;
    start.distance_squared(T::ZERO).max(end.distance_squared(T::ZERO)).sqrt()
}

fn hermite_slope<T: Fit>([a, leave, arrive, b]: [T; 4], t: f32) -> T {
    let t2 = t * t;
    (b - a) * (6.0 * t - 6.0 * t2) + leave * (3.0 * t2 - 4.0 * t + 1.0) + arrive * (3.0 * t2 - 2.0 * t)
}

/// Keys from pieces. `last` is the value after the last piece.
pub(super) fn compile<T: Fit>(pieces: &[Piece<T>], last: T, resampled: bool) -> Keys<'static, T> {
    let Some(end) = pieces.last().map(|piece| piece.end) else {
        return Keys { resampled, ..Keys::constant(vec![last.normalised()]) };
    };
    let cubic = pieces.iter().any(Piece::is_cubic);
    let linear = pieces.iter().any(|piece| matches!(piece.shape, Shape::Linear));
    if !cubic && !linear {
        let (mut times, mut values) = (Vec::new(), Vec::<T>::new());
        for (time, value) in pieces.iter().map(|piece| (piece.start, piece.a)).chain([(end, last)]) {
            let value = value.normalised();
            if !values.last().is_some_and(|previous| previous.is_same(value)) {
                times.push(time);
                values.push(value);
            }
        }
        return Keys { resampled, ..Keys::new(Mode::Step, times, values) };
    }
    let mut out = KeyList::with_capacity(pieces.len() + 1);
    for piece in pieces {
        // A full turn ends with the other sign of its first rotation. Cubics need one sign throughout.
        let is_continued = out.keys.last().is_none_or(|[_, value, _]| piece.a.near(*value) == piece.a);
        let sign = if is_continued { 1.0 } else { -1.0 };
        let (a, b) = (piece.a * sign, piece.b * sign);
        let (leave, arrive) = match piece.shape {
            Shape::Hold => (T::ZERO, T::ZERO),
            Shape::Cubic(leave, arrive) => (leave * sign, arrive * sign),
            Shape::Linear => {
                let slope = (b - a) * (1.0 / (piece.end - piece.start));
                (slope, slope)
            }
        };
        out.start(piece.start, a, leave);
        out.times.push(piece.end);
        out.keys.push([arrive, b, T::ZERO]);
    }
    let last = out.keys.last().map_or(last, |[_, value, _]| last.near(*value));
    out.start(end, last, T::ZERO);
    let mode = if cubic { Mode::Cubic } else { Mode::Linear };
    let keys = out.keys.into_iter();
    let values: Vec<T> = match cubic {
        true => keys.flat_map(|[arrive, value, leave]| [arrive, value.normalised(), leave]).collect(),
        false => keys.map(|[_, value, _]| value.normalised()).collect(),
    };
    Keys { resampled, ..Keys::new(mode, out.times, values) }
}

/// Keys with both tangents, under construction.
struct KeyList<T> {
    times: Vec<f32>,
    keys: Vec<[T; 3]>,
}

impl<T: Fit> KeyList<T> {
    fn with_capacity(count: usize) -> Self {
        Self { times: Vec::with_capacity(count), keys: Vec::with_capacity(count) }
    }

    /// Begins a piece where the one before ended. If the value jumps, the old value ends shortly before.
    fn start(&mut self, time: f32, value: T, leave: T) {
        let Some((&previous, key)) = self.times.last().zip(self.keys.last_mut()) else {
            self.times.push(time);
            self.keys.push([T::ZERO, value, leave]);
            return;
        };
        if previous < time {
            self.times.push(time);
            self.keys.push([T::ZERO, value, leave]);
        } else if key[1].normalised().is_same(value.normalised()) {
            key[2] = leave;
        } else {
            let earlier = self.times.len().checked_sub(2).map_or(0.0, |index| self.times[index]);
            // At large times, the next smaller number is farther away than the jump is long.
            let spaced = (time - MIN_GAP).min(time.next_down());
            let before = if earlier < spaced { spaced } else { time.next_down() };
            let room = self.times.len() < 2 || earlier < before;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_at_a_large_time_keeps_times_increasing() {
        for time in [2.0, 580_621_440.0] {
            let mut list = KeyList::<f32>::with_capacity(3);
            list.start(1.0, 0.0, 0.0);
            list.start(time, 0.0, 0.0);
            list.start(time, 1.0, 0.0);
            assert_eq!(list.times.len(), 3);
            assert!(list.times.is_sorted_by(|a, b| a < b), "{:?}", list.times);
        }
    }
}
