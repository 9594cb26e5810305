//! Curves with fewer keys.
//!
//! A curve with fewer keys is compared with the curve as it was, never with an earlier reduction, so errors do not add up. The first and
//! the last key stay, so that the way from the end of a sequence to its start is the same.

use glam::{Quat, Vec4};
use mdx::ValueType;
use scene::Interpolate;

use super::curve::{Between, Curve, CurveKey, leaving, near, reaching, set_tangent, slope, unit};

/// Least cosine of half the angle of a turn between two keys: 150 degrees. At half a turn both ways are equally long, so rounding would
/// decide which way a player turns.
const MIN_COSINE: f32 = 0.258_819;

/// Largest turn between two keys in radians, along the curve as it was: a longer one would take the other way around.
const MAX_TURN: f32 = 2.6;

/// Samples of a curve between two of its keys.
const SAMPLES: u8 = 8;

/// The most keys that a straightened stretch may need; a stretch that needs more stays a curve.
const MAX_LINES: usize = 4096;

impl Curve {
    /// Whether keys are at different times and finite, as a reduction needs it.
    fn is_sound(&self) -> bool {
        let finite = |value: &[f32; 4]| value.iter().all(|part| part.is_finite());
        self.keys.windows(2).all(|pair| pair[0].time < pair[1].time)
            && self.keys.iter().all(|key| finite(&key.value) && key.tangents.iter().flatten().all(finite))
    }

    /// The value between two keys.
    fn between(&self, a: &CurveKey, b: &CurveKey, share: f32) -> [f32; 4] {
        let tangents = a.tangents.zip(b.tangents).map(|([_, out], [into, _])| (out, into));
        if self.between == Between::Step {
            return a.value;
        }
        if self.value == ValueType::Quaternion {
            let [from, to] = [a.value, b.value].map(unit);
            let value = match tangents.filter(|_| self.between != Between::Linear) {
                Some((out, into)) => scene::squad(from, unit(out), unit(into), to, share),
                None => scene::slerp(from, to, share),
            };
            return value.to_array();
        }
        let [from, to] = [a.value, b.value].map(Vec4::from);
        let value = match (self.between, tangents) {
            (Between::Hermite, Some((out, into))) => Vec4::hermite(from, out.into(), into.into(), to, share),
            (Between::Bezier, Some((out, into))) => Vec4::bezier(from, out.into(), into.into(), to, share),
            _ => Vec4::linear(from, to, share),
        };
        value.to_array()
    }

    /// How far two values are apart: rotations in radians.
    fn distance(&self, a: [f32; 4], b: [f32; 4]) -> f32 {
        let miss = if self.value == ValueType::Quaternion {
            let (a, b) = (unit(a), unit(b));
            let b = near(b, a);
            // The arc cosine is too coarse for small angles.
            4.0 * ((a - b).length() / (a + b).length()).atan()
        } else {
            (Vec4::from(a) - Vec4::from(b)).length()
        };
        // What has an opacity of exactly zero is not drawn at all.
        let appears = self.value == ValueType::Float && (a[0] == 0.0) != (b[0] == 0.0);
        if appears || miss.is_nan() { f32::INFINITY } else { miss }
    }

    /// Whether a value is the same within a tolerance.
    fn is_near(&self, a: [f32; 4], b: [f32; 4], tolerance: f32) -> bool {
        // Indices are equal or not.
        let tolerance = if self.value == ValueType::Integer { 0.0 } else { tolerance };
        a == b
            || self.value == ValueType::Quaternion && a == b.map(|part| -part)
            || tolerance > 0.0 && self.distance(a, b) <= tolerance
    }

    /// The value of the whole curve, if it stands still.
    pub(crate) fn still(&self, tolerance: f32) -> Option<[f32; 4]> {
        let first = self.keys.first()?;
        if self.keys.len() == 1 {
            return Some(first.value);
        }
        if !self.is_sound() || !self.keys.iter().all(|key| self.is_near(key.value, first.value, tolerance)) {
            return None;
        }
        // The curve goes on from the last key to the first.
        let count = self.keys.len();
        let is_still = |at: usize| {
            let (a, b) = (&self.keys[at], &self.keys[(at + 1) % count]);
            let flat = self.is_flat(a, b);
            let samples = (1..SAMPLES).map(|step| f32::from(step) / f32::from(SAMPLES));
            flat || tolerance > 0.0
                && samples
                    .into_iter()
                    .all(|share| self.distance(self.between(a, b, share), first.value) <= tolerance)
        };
        (0..count).all(is_still).then_some(first.value)
    }

    /// Whether nothing moves between two keys of the same value.
    fn is_flat(&self, a: &CurveKey, b: &CurveKey) -> bool {
        let curved = matches!(self.between, Between::Hermite | Between::Bezier);
        let flat = |tangent: [f32; 4], key: &CurveKey| match (self.between, self.value) {
            (_, ValueType::Quaternion) => self.is_near(tangent, key.value, 0.0),
            (Between::Hermite, _) => tangent == [0.0; 4],
            _ => tangent == key.value,
        };
        let tangents = a.tangents.zip(b.tangents);
        !curved || tangents.is_none_or(|([_, out], [into, _])| flat(out, a) && flat(into, b))
    }

    /// Removes keys that the others replace within a tolerance. Keys at `shared` times belong to another sequence too: they stay as they
    /// are. Returns the number of removed keys.
    pub(crate) fn reduce(&mut self, tolerance: f32, shared: &dyn Fn(i32) -> bool) -> usize {
        let before = self.keys.len();
        if before < 2 || !self.is_sound() {
            return 0;
        }
        let has_shared = self.keys.iter().any(|key| shared(key.time));
        if let Some(value) = self.still(tolerance).filter(|_| !has_shared) {
            self.keys.truncate(1);
            self.keys[0].value = value;
            return before - 1;
        }
        let curved = matches!(self.between, Between::Hermite | Between::Bezier);
        if curved && has_shared {
            return 0;
        }
        if self.between == Between::Step {
            self.reduce_steps(tolerance, shared);
        } else {
            self.reduce_spans(tolerance, shared);
        }
        before - self.keys.len()
    }

    fn reduce_steps(&mut self, tolerance: f32, shared: &dyn Fn(i32) -> bool) {
        let mut kept: Vec<CurveKey> = Vec::with_capacity(self.keys.len());
        for key in &self.keys {
            let same = kept.last().is_some_and(|last| self.is_near(last.value, key.value, tolerance));
            if !same || shared(key.time) {
                kept.push(key.clone());
            }
        }
        self.keys = kept;
    }

    fn reduce_spans(&mut self, tolerance: f32, shared: &dyn Fn(i32) -> bool) {
        let last = self.keys.len() - 1;
        let mut kept = vec![self.keys[0].clone()];
        let mut start = 0;
        while start < last {
            // The span is doubled while it fits, then the step is halved: fast on long tracks. Every accepted span was measured.
            let mut fits = (start + 1, None);
            let mut step = 1;
            while step > 0 {
                let end = (fits.0 + step).min(last);
                let passes = (start + 1..end).all(|key| !shared(self.keys[key].time));
                let span = if end > fits.0 && passes { self.span(start, end, tolerance) } else { None };
                match span {
                    Some(span) => {
                        fits = (end, Some(span));
                        step *= 2;
                    }
                    None => step /= 2,
                }
            }
            let (end, tangents) = fits;
            let mut key = self.keys[end].clone();
            if let Some(Some((out, into))) = tangents {
                if let Some(before) = kept.last_mut() {
                    set_tangent(before, 1, Some(out));
                }
                set_tangent(&mut key, 0, Some(into));
            }
            kept.push(key);
            start = end;
        }
        self.keys = kept;
    }

    /// Whether two keys can do without those between them, and the tangents that they need then.
    #[expect(clippy::option_option, reason = "no span, a straight one, or one with tangents")]
    fn span(&self, start: usize, end: usize, tolerance: f32) -> Option<Option<([f32; 4], [f32; 4])>> {
        let (a, b) = (&self.keys[start], &self.keys[end]);
        let inner = start..end;
        if self.value == ValueType::Quaternion {
            let turn: f32 =
                inner.clone().map(|at| self.distance(self.keys[at].value, self.keys[at + 1].value)).sum();
            if turn > MAX_TURN || unit(a.value).dot(unit(b.value)).abs() < MIN_COSINE {
                return None;
            }
        }
        let tangents = self.wide_tangents(start, end);
        if tolerance == 0.0 {
            let is_still = inner.clone().all(|at| {
                let (one, next) = (&self.keys[at], &self.keys[at + 1]);
                self.is_near(next.value, a.value, 0.0) && self.is_flat(one, next)
            });
            return is_still.then_some(None);
        }
        let (mut from, mut to) = (a.clone(), b.clone());
        if let Some((out, into)) = tangents {
            set_tangent(&mut from, 1, Some(out));
            set_tangent(&mut to, 0, Some(into));
        }
        let length = f64::from(b.time) - f64::from(a.time);
        let curved = tangents.is_some();
        for at in inner {
            let (one, next) = (&self.keys[at], &self.keys[at + 1]);
            let own = f64::from(next.time) - f64::from(one.time);
            // Straight lines are farthest apart at keys; arcs and curves between them.
            let steps = if curved {
                SAMPLES
            } else if self.value == ValueType::Quaternion {
                2
            } else {
                1
            };
            for step in 0..steps {
                let part = f64::from(step) / f64::from(steps);
                let share = ((f64::from(one.time) - f64::from(a.time) + own * part) / length) as f32;
                let exact = self.between(one, next, part as f32);
                if self.distance(self.between(&from, &to, share), exact) > tolerance {
                    return None;
                }
            }
        }
        Some(tangents)
    }

    /// The tangents of two keys for the whole way between them, with the slopes that they have now.
    fn wide_tangents(&self, start: usize, end: usize) -> Option<([f32; 4], [f32; 4])> {
        if !matches!(self.between, Between::Hermite | Between::Bezier) {
            return None;
        }
        let (a, b) = (&self.keys[start], &self.keys[end]);
        let (next, before) = (&self.keys[start + 1], &self.keys[end - 1]);
        let ([_, out], [into, _]) = a.tangents.zip(b.tangents)?;
        let length = |a: &CurveKey, b: &CurveKey| b.time as f32 - a.time as f32;
        let whole = length(a, b);
        let wider = [whole / length(a, next), whole / length(before, b)];
        if self.value == ValueType::Quaternion {
            let first = |share: f32| Quat::from_array(self.between(a, next, share)).normalize();
            let last = |share: f32| Quat::from_array(self.between(before, b, share)).normalize();
            let [from, to] = [a.value, b.value].map(unit);
            let out = leaving(from, to, slope(&first, 0.0) * wider[0]);
            let into = reaching(from, to, slope(&last, 1.0) * wider[1]);
            return Some((out.to_array(), into.to_array()));
        }
        let [from, to, out, into] = [a.value, b.value, out, into].map(Vec4::from);
        let (out, into) = match self.between {
            Between::Hermite => (out * wider[0], into * wider[1]),
            _ => (from + (out - from) * wider[0], to + (into - to) * wider[1]),
        };
        Some((out.to_array(), into.to_array()))
    }

    /// A curve of straight lines within a tolerance; `None` if it would need too many.
    pub(crate) fn straightened(&self, tolerance: f32) -> Option<Self> {
        let mut whole = self.clone();
        if whole.keys.len() > 1 {
            whole.close();
        }
        if !whole.is_sound() {
            return None;
        }
        let mut straight = Self { between: Between::Linear, keys: Vec::new(), ..whole.plain() };
        let bare = |time: i32, value: [f32; 4]| CurveKey { time, value, tangents: None, stored: None };
        straight.keys.extend(whole.keys.first().map(|key| bare(key.time, key.value)));
        for pair in whole.keys.windows(2) {
            let [a, b] = pair else { continue };
            let mut open = vec![(a.time, b.time)];
            let at = |time: i32| {
                let share = (f64::from(time) - f64::from(a.time)) / (f64::from(b.time) - f64::from(a.time));
                if time == b.time { b.value } else { whole.between(a, b, share as f32) }
            };
            while let Some((low, high)) = open.pop() {
                let middle = low.midpoint(high);
                let ends = [bare(low, at(low)), bare(high, at(high))];
                let samples = (1..SAMPLES).map(|step| f32::from(step) / f32::from(SAMPLES));
                let is_straight = |share: f32| {
                    let span = f64::from(high) - f64::from(low);
                    let time = f64::from(low) - f64::from(a.time) + span * f64::from(share);
                    let exact = whole.between(a, b, (time / (f64::from(b.time) - f64::from(a.time))) as f32);
                    straight.distance(straight.between(&ends[0], &ends[1], share), exact) <= tolerance * 0.5
                };
                if middle == low || samples.into_iter().all(is_straight) {
                    straight.keys.push(ends[1].clone());
                } else {
                    open.push((middle, high));
                    open.push((low, middle));
                }
                if straight.keys.len() > MAX_LINES {
                    return None;
                }
            }
        }
        straight.reduce(tolerance * 0.5, &|_| false);
        Some(straight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdx::records::{Interpolation, Key, TangentKey, TrackHeader};
    use mdx::{Layout, tags, track_row};
    use record::zerocopy::IntoBytes;
    use record::{I32, Node, Quaternion, U32, Vec3};

    fn header(interpolation: Interpolation) -> Vec<u8> {
        TrackHeader { interpolation, global_sequence: I32::new(-1) }.as_bytes().to_vec()
    }

    fn moves(times: &[(i32, f32)]) -> Node<'static> {
        let mut bytes = header(Interpolation::LINEAR);
        for (time, x) in times {
            let key = Key { time: I32::new(*time), value: Vec3::new(*x, 0.0, 0.0) };
            bytes.extend_from_slice(key.as_bytes());
        }
        Node::leaf(track_row(tags::KGTR).unwrap().kind(Layout::Plain), tags::KGTR, bytes)
    }

    fn turns(degrees: &[(i32, f32)]) -> Node<'static> {
        let mut bytes = header(Interpolation::LINEAR);
        for (time, degrees) in degrees {
            let [x, y, z, w] = Quat::from_rotation_z(degrees.to_radians()).to_array();
            bytes.extend_from_slice(
                Key { time: I32::new(*time), value: Quaternion::new(x, y, z, w) }.as_bytes(),
            );
        }
        Node::leaf(track_row(tags::KGRT).unwrap().kind(Layout::Plain), tags::KGRT, bytes)
    }

    fn reduced(node: &Node<'_>, tolerance: f32) -> Vec<i32> {
        let mut curve = Curve::of(node, [0, 10_000]).unwrap();
        curve.reduce(tolerance, &|_| false);
        curve.keys.iter().map(|key| key.time).collect()
    }

    #[test]
    fn without_a_tolerance_only_what_stands_still_goes() {
        let track = moves(&[(0, 1.0), (100, 1.0), (200, 1.0), (300, 1.0), (400, 2.0), (500, 3.0)]);
        // A straight line goes on at 400, but rounding could differ there.
        assert_eq!(reduced(&track, 0.0), [0, 300, 400, 500]);
        assert_eq!(reduced(&track, 1e-3), [0, 300, 500]);
        assert_eq!(reduced(&moves(&[(10, 5.0), (20, 5.0), (9000, 5.0)]), 0.0), [10], "a constant");
    }

    #[test]
    fn errors_do_not_add_up() {
        // A slow start: each key is within the tolerance of its neighbours, but not of a line over all of them.
        let keys: Vec<(i32, f32)> =
            (0..=100).map(|step| (step * 10, (step as f32 / 100.0).powi(2))).collect();
        let node = moves(&keys);
        let (whole, mut fewer) = (Curve::of(&node, [0, 1000]).unwrap(), Curve::of(&node, [0, 1000]).unwrap());
        fewer.reduce(1e-2, &|_| false);
        assert!(fewer.keys.len() < 12, "{} keys", fewer.keys.len());
        for key in &whole.keys {
            let after =
                fewer.keys.iter().position(|other| other.time > key.time).unwrap_or(fewer.keys.len() - 1);
            let (a, b) = (&fewer.keys[after - 1], &fewer.keys[after]);
            let share = (key.time - a.time) as f32 / (b.time - a.time) as f32;
            assert!(fewer.distance(fewer.between(a, b, share), key.value) <= 1e-2);
        }
    }

    #[test]
    fn turns_of_more_than_half_a_circle_keep_a_key_on_the_way() {
        let steady: Vec<(i32, f32)> = (0..=12).map(|step| (step * 100, step as f32 * 30.0)).collect();
        let times = reduced(&turns(&steady), 1e-3);
        assert!(times.len() >= 4, "360 degrees need three stretches at least: {times:?}");
        assert!(times.windows(2).all(|pair| (pair[1] - pair[0]) <= 500), "150 degrees at most: {times:?}");
        assert_eq!(reduced(&turns(&steady[..4]), 1e-3), [0, 300]);
    }

    #[test]
    fn shared_keys_stay() {
        let mut curve = Curve::of(&moves(&[(0, 1.0), (100, 1.0), (200, 1.0)]), [0, 1000]).unwrap();
        assert_eq!(curve.reduce(0.0, &|time| time == 100), 0);
        assert_eq!(curve.reduce(0.0, &|_| false), 2);
    }

    #[test]
    fn opacity_never_becomes_nonzero() {
        let mut bytes = header(Interpolation::LINEAR);
        for (time, value) in [(0, 0.0_f32), (100, 0.0), (200, 5e-4), (300, 1e-3)] {
            bytes.extend_from_slice(Key { time: I32::new(time), value: record::F32::new(value) }.as_bytes());
        }
        let node = Node::leaf(track_row(tags::KGAO).unwrap().kind(Layout::Plain), tags::KGAO, bytes);
        assert_eq!(reduced(&node, 1e-2)[..2], [0, 100]);
    }

    /// A wave of Hermite keys.
    fn wave() -> Node<'static> {
        let mut bytes = header(Interpolation::HERMITE);
        for step in 0..=16 {
            let angle = step as f32 * std::f32::consts::TAU / 16.0;
            let slope = angle.cos() * std::f32::consts::TAU / 16.0;
            let tangent = Vec3::new(slope, 0.0, 0.0);
            let value = Vec3::new(angle.sin(), 0.0, 0.0);
            let key = TangentKey { time: I32::new(step * 100), value, in_tan: tangent, out_tan: tangent };
            bytes.extend_from_slice(key.as_bytes());
        }
        Node::leaf(track_row(tags::KGTR).unwrap().kind(Layout::Tangents), tags::KGTR, bytes)
    }

    fn worst(whole: &Curve, other: &Curve) -> f32 {
        let at = |curve: &Curve, time: f32| {
            let after =
                curve.keys.iter().position(|key| key.time as f32 > time).unwrap_or(curve.keys.len() - 1);
            let (a, b) = (&curve.keys[after - 1], &curve.keys[after]);
            curve.between(a, b, (time - a.time as f32) / (b.time - a.time) as f32)
        };
        let times = (0..1600).map(|time| time as f32 + 0.5);
        times.map(|time| whole.distance(at(whole, time), at(other, time))).fold(0.0, f32::max)
    }

    #[test]
    fn curves_are_refitted() {
        let whole = Curve::of(&wave(), [0, 1600]).unwrap();
        let mut fewer = whole.clone();
        fewer.reduce(1e-2, &|_| false);
        assert!(fewer.keys.len() <= 9, "{} of 17 keys", fewer.keys.len());
        assert!(worst(&whole, &fewer) <= 1.1e-2);
        let straight = whole.straightened(1e-2).unwrap();
        assert!(straight.keys.iter().all(|key| key.tangents.is_none()));
        assert!(worst(&whole, &straight) <= 1.1e-2, "{}", worst(&whole, &straight));
        assert!((10..40).contains(&straight.keys.len()), "{}", straight.keys.len());
    }

    #[test]
    fn integers_are_exact() {
        let mut bytes = header(Interpolation::NONE);
        for (time, value) in [(0, 1_u32), (100, 1), (200, 2), (300, 2), (400, 1)] {
            bytes.extend_from_slice(Key { time: I32::new(time), value: U32::new(value) }.as_bytes());
        }
        let node = Node::leaf(track_row(tags::KMTF).unwrap().kind(Layout::Plain), tags::KMTF, bytes);
        assert_eq!(reduced(&node, 10.0), [0, 200, 400]);
    }
}
