//! The keys of one MDX track within one sequence, as a curve that can be cut and turned around.

use glam::{Quat, Vec4};
use mdx::records::{Interpolation, PackedQuaternion};
use mdx::view::{Track, TrackKey};
use mdx::{Layout, ValueType};
use record::zerocopy::IntoBytes;
use record::{F32, Node, Quaternion, U32, Vec3};
use scene::Interpolate;

use super::mdx::RawKey;

/// How the value goes from key to key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    Step,
    Linear,
    Hermite,
    Bezier,
}

/// The keys of a track inside a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(super) between: Between,
    pub(super) value: ValueType,
    pub(super) layout: Layout,
    /// First and last millisecond of the sequence.
    pub(super) window: [i32; 2],
    /// Ascending.
    pub(crate) keys: Vec<CurveKey>,
}

/// A key, and its bytes as stored as long as it is not changed.
#[derive(Clone, Debug)]
pub(crate) struct CurveKey {
    pub(crate) time: i32,
    pub(super) value: [f32; 4],
    pub(super) tangents: Option<[[f32; 4]; 2]>,
    pub(super) stored: Option<Vec<u8>>,
}

impl Curve {
    /// The keys of a track inside a sequence; `None` if the node is not a track with values on the time line.
    pub(crate) fn of(node: &Node<'_>, window: [i32; 2]) -> Option<Self> {
        Self::within(node, window, |track| track.global_sequence().is_none())
    }

    /// The keys of a track on a global sequence of this duration; `None` if the node is not such a track.
    pub(crate) fn of_global(node: &Node<'_>, duration: i32) -> Option<Self> {
        Self::within(node, [0, duration], |track| track.global_sequence().is_some())
    }

    fn within(node: &Node<'_>, window: [i32; 2], fits: impl Fn(&Track<'_>) -> bool) -> Option<Self> {
        let track = Track::new(node).filter(fits)?;
        if track.row.value == ValueType::Event {
            return None;
        }
        let is_switch = track.row.keyword == "Visibility" || track.row.value == ValueType::Integer;
        let between = match track.interpolation() {
            _ if is_switch => Between::Step,
            Interpolation::NONE => Between::Step,
            Interpolation::HERMITE => Between::Hermite,
            Interpolation::BEZIER => Between::Bezier,
            _ => Between::Linear,
        };
        let raw = super::mdx::keys(node);
        let inside = |time: i32| (window[0]..=window[1]).contains(&time);
        let mut keys: Vec<CurveKey> = track
            .keys()
            .zip(raw)
            .filter(|(key, _)| inside(key.time))
            .map(|(TrackKey { time, value, tangents }, raw)| CurveKey {
                time,
                value,
                tangents,
                stored: Some(raw.value),
            })
            .collect();
        keys.sort_by_key(|key| key.time);
        Some(Self { between, value: track.row.value, layout: track.layout, window, keys })
    }

    /// The keys inside a window.
    pub(crate) fn part(&self, window: [i32; 2]) -> Self {
        let start = self.keys.partition_point(|key| key.time < window[0]);
        let end = self.keys.partition_point(|key| key.time <= window[1]);
        let keys = self.keys.get(start..end).unwrap_or_default().to_vec();
        Self { window, keys, ..self.emptied() }
    }

    /// The largest number of a value.
    pub(crate) fn magnitude(&self) -> f32 {
        let parts = self.keys.iter().flat_map(|key| key.value).filter(|part| part.is_finite());
        parts.fold(0.0, |largest, part| largest.max(part.abs()))
    }

    /// A curve like this one with a constant value over a window.
    pub(crate) fn constant(&self, window: [i32; 2], value: [f32; 4]) -> Self {
        let mut keys = vec![self.key(window[0], value)];
        if window[1] > window[0] {
            keys.push(self.key(window[1], value));
        }
        Self { window, keys, ..self.clone() }
    }

    /// The value of the first key.
    pub(crate) fn first_value(&self) -> Option<[f32; 4]> {
        self.keys.first().map(|key| key.value)
    }

    /// The same curve for keys without tangents.
    pub(super) fn plain(&self) -> Self {
        let layout = match self.layout {
            Layout::PackedTangents | Layout::Packed => Layout::Packed,
            _ => Layout::Plain,
        };
        Self { layout, ..self.emptied() }
    }

    /// Whether keys have tangents.
    pub(crate) fn is_curved(&self) -> bool {
        matches!(self.between, Between::Hermite | Between::Bezier) && self.layout == Layout::Tangents
    }

    /// The same curve without keys.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            keys: Vec::new(),
            between: self.between,
            value: self.value,
            layout: self.layout,
            window: self.window,
        }
    }

    /// A key of a constant value.
    fn key(&self, time: i32, value: [f32; 4]) -> CurveKey {
        let flat = if self.between == Between::Hermite && self.value != ValueType::Quaternion {
            [0.0; 4]
        } else {
            value
        };
        let tangents =
            matches!(self.layout, Layout::Tangents | Layout::PackedTangents).then_some([flat, flat]);
        CurveKey { time, value, tangents, stored: None }
    }

    /// Adds a key at a time inside the window without changing the curve. Rotations on curved tracks are approximated.
    pub(crate) fn cut(&mut self, time: i32) {
        if self.keys.is_empty() || self.keys.iter().any(|key| key.time == time) {
            return;
        }
        let next = self.keys.partition_point(|key| key.time <= time);
        let last = self.keys.len() - 1;
        let (before, after) = if next == 0 || next > last { (last, 0) } else { (next - 1, next) };
        if before == after || self.between == Between::Step {
            let key = self.key(time, self.keys[before].value);
            if before == after {
                // A single key is a constant, whatever its tangents are.
                for (which, tangent) in key.tangents.into_iter().flatten().enumerate() {
                    set_tangent(&mut self.keys[before], which, Some(tangent));
                }
            }
            self.keys.insert(next, key);
            return;
        }
        let length = i64::from(self.window[1]) - i64::from(self.window[0]);
        let (from, to) = (self.keys[before].time, self.keys[after].time);
        // After the last key the curve goes on to the first one, over the end of the window.
        let wrapped =
            |time: i32, wraps: bool| i64::from(time) - i64::from(from) + if wraps { length } else { 0 };
        let (whole, part) = (wrapped(to, before > after), wrapped(time, time < from));
        let share = if whole > 0 { (part as f64 / whole as f64).clamp(0.0, 1.0) as f32 } else { 0.0 };
        if self.value == ValueType::Quaternion {
            return self.cut_rotation(time, before, after, share);
        }
        let (a, b) = (self.keys[before].clone(), self.keys[after].clone());
        let (key, outgoing, incoming) = self.cut_vector(time, &a, &b, share);
        set_tangent(&mut self.keys[before], 1, outgoing);
        set_tangent(&mut self.keys[after], 0, incoming);
        self.keys.insert(next, key);
    }

    /// The new key between two, and the new outgoing and incoming tangents of those.
    fn cut_vector(&self, time: i32, a: &CurveKey, b: &CurveKey, share: f32) -> Cut {
        let [from, to] = [a.value, b.value].map(Vec4::from);
        let (Some([_, out]), Some([into, _])) = (a.tangents, b.tangents) else {
            return (self.key(time, Vec4::linear(from, to, share).to_array()), None, None);
        };
        let [out, into] = [out, into].map(Vec4::from);
        let mix = |a: Vec4, b: Vec4| Vec4::linear(a, b, share);
        match self.between {
            Between::Hermite => {
                let value = Vec4::hermite(from, out, into, to, share);
                let (t, t2) = (share, share * share);
                // The derivative of the curve.
                let slope = from * (6.0 * t2 - 6.0 * t)
                    + out * (3.0 * t2 - 4.0 * t + 1.0)
                    + into * (3.0 * t2 - 2.0 * t)
                    + to * (6.0 * t - 6.0 * t2);
                let tangents = [slope * share, slope * (1.0 - share)].map(|tangent| tangent.to_array());
                let key = CurveKey { time, value: value.to_array(), tangents: Some(tangents), stored: None };
                (key, Some((out * share).to_array()), Some((into * (1.0 - share)).to_array()))
            }
            Between::Bezier => {
                // De Casteljau.
                let (first, middle, last) = (mix(from, out), mix(out, into), mix(into, to));
                let (left, right) = (mix(first, middle), mix(middle, last));
                let tangents = Some([left.to_array(), right.to_array()]);
                let key = CurveKey { time, value: mix(left, right).to_array(), tangents, stored: None };
                (key, Some(first.to_array()), Some(last.to_array()))
            }
            Between::Step | Between::Linear => (self.key(time, mix(from, to).to_array()), None, None),
        }
    }

    /// Replaces a curved stretch between two rotations by several, one of which starts at a time. A squad cannot be divided exactly, but
    /// short ones follow a long one closely.
    fn cut_rotation(&mut self, time: i32, before: usize, after: usize, share: f32) {
        let (a, b) = (self.keys[before].clone(), self.keys[after].clone());
        let [from, to] = [a.value, b.value].map(unit);
        let (Some([_, out]), Some([into, _])) = (a.tangents, b.tangents) else {
            let key = self.key(time, scene::slerp(from, to, share).to_array());
            return self.insert(vec![key]);
        };
        let [out, into] = [out, into].map(unit);
        let at = |share: f32| scene::squad(from, out, into, to, share).normalize();
        // How long the stretch is in each direction, in milliseconds.
        let whole = |part: f32, share: f32| if share > 0.0 { part / share } else { part };
        let length = whole(self.since(before, time), share);
        let mut shares = vec![0.0];
        let add = |shares: &mut Vec<f32>, low: f32, high: f32| {
            if (high - low) * length > 20.0 {
                shares.extend([1.0, 2.0, 3.0].map(|quarter: f32| low + (high - low) * quarter / 4.0));
            }
            shares.push(high);
        };
        add(&mut shares, 0.0, share);
        add(&mut shares, share, 1.0);
        // Keys are at whole milliseconds.
        let start = a.time;
        let times: Vec<i32> = shares
            .iter()
            .map(
                |part| {
                    if *part == share { time } else { self.wrapped(start, (part * length).round() as i32) }
                },
            )
            .collect();
        let exact: Vec<f32> = shares
            .iter()
            .map(|part| {
                if *part == share || *part == 1.0 { *part } else { (part * length).round() / length.max(1.0) }
            })
            .collect();
        let (mut keys, last) = (Vec::new(), exact.len() - 1);
        let mut outgoing = None;
        let mut incoming = None;
        for index in 0..=last {
            let value = at(exact[index]);
            let slope = slope(&at, exact[index]);
            let reach = (index > 0).then(|| {
                let (low, span) = (at(exact[index - 1]), exact[index] - exact[index - 1]);
                reaching(low, value, slope * span).to_array()
            });
            let leave = (index < last).then(|| {
                let (high, span) = (at(exact[index + 1]), exact[index + 1] - exact[index]);
                leaving(value, high, slope * span).to_array()
            });
            match index {
                0 => outgoing = leave,
                index if index == last => incoming = reach,
                _ => {
                    let tangents =
                        Some([reach.unwrap_or(value.to_array()), leave.unwrap_or(value.to_array())]);
                    keys.push(CurveKey {
                        time: times[index],
                        value: value.to_array(),
                        tangents,
                        stored: None,
                    });
                }
            }
        }
        set_tangent(&mut self.keys[before], 1, outgoing);
        set_tangent(&mut self.keys[after], 0, incoming);
        self.insert(keys);
    }

    /// Milliseconds from a key to a time after it, over the end of the window if need be.
    fn since(&self, key: usize, time: i32) -> f32 {
        let length = i64::from(self.window[1]) - i64::from(self.window[0]);
        let since = i64::from(time) - i64::from(self.keys[key].time);
        (if since < 0 { since + length } else { since }) as f32
    }

    /// A time after another one, over the end of the window if need be.
    fn wrapped(&self, start: i32, after: i32) -> i32 {
        let time = start.saturating_add(after);
        if time > self.window[1] {
            time.saturating_sub(self.window[1].saturating_sub(self.window[0]))
        } else {
            time
        }
    }

    fn insert(&mut self, keys: Vec<CurveKey>) {
        for key in keys {
            if self.keys.iter().all(|known| known.time != key.time) {
                let place = self.keys.partition_point(|known| known.time < key.time);
                self.keys.insert(place, key);
            }
        }
    }

    /// Whether another curve starts with the value that this one ends with.
    pub(crate) fn meets(&self, next: &Self) -> bool {
        let (Some(last), Some(first)) = (self.keys.last(), next.keys.first()) else { return true };
        let near =
            |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + b.abs()));
        near(last.value, first.value)
            || self.value == ValueType::Quaternion && near(last.value, first.value.map(|part| -part))
    }

    /// Makes the first key of another curve, which has the value of the last one here, part of that one.
    pub(crate) fn take_first(&mut self, next: &mut Self) {
        if let Some(last) = self.keys.last_mut()
            && !next.keys.is_empty()
        {
            let first = next.keys.remove(0);
            set_tangent(last, 1, first.tangents.map(|tangents| tangents[1]));
        }
    }

    /// Writes keys at both ends of the window, so that the value between them does not depend on other keys.
    pub(crate) fn close(&mut self) {
        self.cut(self.window[1]);
        self.cut(self.window[0]);
    }

    /// Keeps the curve inside another window and closes it there.
    pub(crate) fn trim(&mut self, window: [i32; 2]) {
        self.cut(window[0]);
        self.cut(window[1]);
        self.keys.retain(|key| (window[0]..=window[1]).contains(&key.time));
        self.window = window;
    }

    /// The same curve backwards.
    pub(crate) fn reverse(&mut self) {
        let [start, end] = self.window;
        let mirrored = |time: i32| end.wrapping_sub(time.wrapping_sub(start));
        if self.between == Between::Step {
            let old = self.keys.clone();
            let (Some(first), Some(last)) = (old.first(), old.last()) else { return };
            if old.len() == 1 {
                self.keys[0].time = mirrored(first.time);
                return;
            }
            // A value holds from its key to the one before the next, so backwards it starts where it ended.
            let mut keys = vec![CurveKey { time: start, ..last.clone() }];
            for pair in old.windows(2).rev() {
                keys.push(CurveKey { time: mirrored(pair[1].time).saturating_add(1), ..pair[0].clone() });
            }
            if first.time > start {
                keys.push(CurveKey { time: mirrored(first.time).saturating_add(1), ..last.clone() });
            }
            keys.retain(|key| key.time <= end);
            self.keys = keys;
            return;
        }
        self.keys.reverse();
        let negate = self.between == Between::Hermite && self.value != ValueType::Quaternion;
        for key in &mut self.keys {
            key.time = mirrored(key.time);
            if let Some([incoming, outgoing]) = &mut key.tangents {
                std::mem::swap(incoming, outgoing);
                if negate {
                    *incoming = incoming.map(|part| -part);
                    *outgoing = outgoing.map(|part| -part);
                }
                key.stored = None;
            }
        }
    }

    /// The keys in the form of another track of the same sort, and whether the curve had to be sampled for that.
    pub(crate) fn in_form_of(&self, other: &Self) -> (Vec<RawKey>, bool) {
        if self.between == other.between && self.layout == other.layout {
            return (self.raw(), false);
        }
        let straight = |between: Between| matches!(between, Between::Step | Between::Linear);
        let mut whole = self.clone();
        let is_sampled =
            !straight(self.between) || self.between == Between::Linear && other.between == Between::Step;
        if is_sampled {
            // Thirty samples per second, and no more than a file could want on purpose.
            let [start, end] = self.window;
            let step = (end.saturating_sub(start) / 2000).max(33);
            let mut time = start;
            while let Some(next) = time.checked_add(step).filter(|next| *next < end) {
                whole.cut(next);
                time = next;
            }
        }
        if self.between == Between::Step && other.between != Between::Step {
            // A step is a key just before the next one.
            let pairs: Vec<(i32, [f32; 4])> =
                self.keys.windows(2).map(|pair| (pair[1].time.saturating_sub(1), pair[0].value)).collect();
            for (time, value) in pairs {
                whole.insert(vec![CurveKey { time, value, tangents: None, stored: None }]);
            }
        }
        let count = whole.keys.len();
        let values: Vec<[f32; 4]> = whole.keys.iter().map(|key| key.value).collect();
        let mut keys = Vec::with_capacity(count);
        for (index, key) in whole.keys.iter().enumerate() {
            let has_tangents = matches!(other.layout, Layout::Tangents | Layout::PackedTangents);
            let straight_tangents = |from: usize, to: usize, back: bool| -> [f32; 4] {
                let (a, b) = (values[from], values[to]);
                let step: [f32; 4] = std::array::from_fn(|part| b[part] - a[part]);
                match (other.between, other.value) {
                    // A squad whose tangents are its keys is a straight arc.
                    (_, ValueType::Quaternion) => key.value,
                    (Between::Bezier, _) if back => std::array::from_fn(|part| b[part] - step[part] / 3.0),
                    (Between::Bezier, _) => std::array::from_fn(|part| a[part] + step[part] / 3.0),
                    _ => step,
                }
            };
            let tangents = has_tangents.then(|| {
                let before = index.checked_sub(1).unwrap_or(index);
                let after = (index + 1).min(count - 1);
                [straight_tangents(before, index, true), straight_tangents(index, after, false)]
            });
            keys.push(CurveKey { time: key.time, value: key.value, tangents, stored: None });
        }
        (Self { keys, ..other.clone() }.raw(), is_sampled)
    }

    /// Moves all keys.
    pub(crate) fn shift(&mut self, by: i32) {
        for key in &mut self.keys {
            key.time = key.time.saturating_add(by);
        }
        self.window = self.window.map(|time| time.saturating_add(by));
    }

    /// The keys as stored.
    pub(crate) fn raw(&self) -> Vec<RawKey> {
        let of = |key: &CurveKey| RawKey {
            time: key.time,
            value: key.stored.clone().unwrap_or_else(|| self.encoded(key)),
        };
        self.keys.iter().map(of).collect()
    }

    fn encoded(&self, key: &CurveKey) -> Vec<u8> {
        let mut values = vec![key.value];
        values.extend(key.tangents.into_iter().flatten());
        values.into_iter().flat_map(|value| self.encode(value)).collect()
    }

    fn encode(&self, value: [f32; 4]) -> Vec<u8> {
        let [x, y, z, w] = value;
        match (self.value, self.layout) {
            (ValueType::Event, _) => Vec::new(),
            (ValueType::Float, _) => F32::new(x).as_bytes().to_vec(),
            (ValueType::Integer, _) => U32::new(x as u32).as_bytes().to_vec(),
            (ValueType::Vector, _) => Vec3::new(x, y, z).as_bytes().to_vec(),
            (ValueType::Quaternion, Layout::Packed | Layout::PackedTangents) => {
                PackedQuaternion::pack(Quaternion::new(x, y, z, w)).as_bytes().to_vec()
            }
            (ValueType::Quaternion, _) => Quaternion::new(x, y, z, w).as_bytes().to_vec(),
        }
    }
}

/// A new key, the outgoing tangent of the key before it, and the incoming one of the key after it.
type Cut = (CurveKey, Option<[f32; 4]>, Option<[f32; 4]>);

pub(super) fn unit(parts: [f32; 4]) -> Quat {
    let rotation = Quat::from_array(parts);
    if rotation.length_squared() > 0.0 { rotation.normalize() } else { Quat::IDENTITY }
}

/// The same rotation with the sign of another one.
pub(super) fn near(rotation: Quat, other: Quat) -> Quat {
    if rotation.dot(other) < 0.0 { -rotation } else { rotation }
}

/// The derivative of a curve of rotations at a share, by differences.
pub(super) fn slope(at: &dyn Fn(f32) -> Quat, share: f32) -> Quat {
    let (low, high) = ((share - 0.005).max(0.0), (share + 0.005).min(1.0));
    let middle = at(share);
    (near(at(high), middle) - near(at(low), middle)) / (high - low)
}

/// The outgoing tangent with which a squad leaves `a` for `b` with a slope, which is `(b - a) + 2 (out - a)`.
pub(super) fn leaving(a: Quat, b: Quat, slope: Quat) -> Quat {
    (a + (slope - (near(b, a) - a)) * 0.5).normalize()
}

/// The incoming tangent with which a squad from `a` reaches `b` with a slope, which is `(b - a) - 2 (into - b)`.
pub(super) fn reaching(a: Quat, b: Quat, slope: Quat) -> Quat {
    (b - (slope - (b - near(a, b))) * 0.5).normalize()
}

pub(super) fn set_tangent(key: &mut CurveKey, which: usize, tangent: Option<[f32; 4]>) {
    if let (Some(tangents), Some(tangent)) = (&mut key.tangents, tangent)
        && tangents[which] != tangent
    {
        tangents[which] = tangent;
        key.stored = None;
    }
}

/// The value of a track in a sequence without keys; `None` if it is the static value of its owner.
pub(crate) fn default_value(tag: u32) -> Option<[f32; 4]> {
    use mdx::tags;
    match tag {
        tags::KGTR | tags::KTAT | tags::KCTR | tags::KTTR => Some([0.0; 4]),
        tags::KGRT | tags::KTAR => Some([0.0, 0.0, 0.0, 1.0]),
        tags::KGSC | tags::KTAS => Some([1.0, 1.0, 1.0, 0.0]),
        tags::KGAO | tags::KMTA => Some([1.0, 0.0, 0.0, 0.0]),
        tag if mdx::track_row(tag).is_some_and(|row| row.keyword == "Visibility") => {
            Some([1.0, 0.0, 0.0, 0.0])
        }
        _ => None,
    }
}
