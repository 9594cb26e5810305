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
enum Between {
    Step,
    Linear,
    Hermite,
    Bezier,
}

/// The keys of a track inside a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    between: Between,
    value: ValueType,
    layout: Layout,
    /// First and last millisecond of the sequence.
    window: [i32; 2],
    /// Ascending.
    pub(crate) keys: Vec<CurveKey>,
}

/// A key, and its bytes as stored as long as it is not changed.
#[derive(Clone, Debug)]
pub(crate) struct CurveKey {
    pub(crate) time: i32,
    value: [f32; 4],
    tangents: Option<[[f32; 4]; 2]>,
    stored: Option<Vec<u8>>,
}

impl Curve {
    /// The keys of a track inside a sequence; `None` if the node is not a track with values on the time line.
    pub(crate) fn of(node: &Node<'_>, window: [i32; 2]) -> Option<Self> {
        let track = Track::new(node).filter(|track| track.global_sequence().is_none())?;
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

    /// A curve like this one with a constant value over a window.
    pub(crate) fn constant(&self, window: [i32; 2], value: [f32; 4]) -> Self {
        let mut keys = vec![self.key(window[0], value)];
        if window[1] > window[0] {
            keys.push(self.key(window[1], value));
        }
        Self { window, keys, ..self.clone() }
    }

    /// The same curve without keys.
    pub(crate) fn emptied(&self) -> Self {
        Self { keys: Vec::new(), ..self.clone() }
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
            self.keys.insert(next, key);
            return;
        }
        let length = i64::from(self.window[1]) - i64::from(self.window[0]);
        let (from, to) = (self.keys[before].time, self.keys[after].time);
        // After the last key the curve goes on to the first one, over the end of the window.
        let wrapped =
            |time: i32, wraps: bool| i64::from(time) - i64::from(from) + if wraps { length } else { 0 };
        let (whole, part) = (wrapped(to, before > after), wrapped(time, time < from));
        #[expect(clippy::cast_precision_loss, reason = "times have 32 bits, and a share needs less")]
        let share = if whole > 0 { (part as f64 / whole as f64).clamp(0.0, 1.0) as f32 } else { 0.0 };
        let (a, b) = (self.keys[before].clone(), self.keys[after].clone());
        let (key, outgoing, incoming) = if self.value == ValueType::Quaternion {
            self.cut_rotation(time, &a, &b, share)
        } else {
            self.cut_vector(time, &a, &b, share)
        };
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

    fn cut_rotation(&self, time: i32, a: &CurveKey, b: &CurveKey, share: f32) -> Cut {
        let unit = |parts: [f32; 4]| {
            let rotation = Quat::from_array(parts);
            if rotation.length_squared() > 0.0 { rotation.normalize() } else { Quat::IDENTITY }
        };
        let [from, to] = [a.value, b.value].map(unit);
        let (Some([_, out]), Some([into, _])) = (a.tangents, b.tangents) else {
            return (self.key(time, scene::slerp(from, to, share).to_array()), None, None);
        };
        if self.between == Between::Linear {
            return (self.key(time, scene::slerp(from, to, share).to_array()), None, None);
        }
        let [out, into] = [out, into].map(unit);
        let at = |share: f32| scene::squad(from, out, into, to, share);
        let value = at(share).normalize();
        let near = |rotation: Quat, to: Quat| if rotation.dot(to) < 0.0 { -rotation } else { rotation };
        // The derivative at a share, by differences.
        let slope = |share: f32| {
            let (low, high) = ((share - 0.01).max(0.0), (share + 0.01).min(1.0));
            let (low, high) = (at(low), at(high));
            let span = ((share + 0.01).min(1.0) - (share - 0.01).max(0.0)).max(1e-6);
            (near(high, low) - low) / span
        };
        // A squad leaves `a` with the slope `(b - a) + 2 (out - a)` and reaches `b` with `(b - a) - 2 (into - b)`.
        let leaving = |a: Quat, b: Quat, slope: Quat| (a + (slope - (near(b, a) - a)) * 0.5).normalize();
        let reaching = |a: Quat, b: Quat, slope: Quat| (b - (slope - (b - near(a, b))) * 0.5).normalize();
        let middle = slope(share);
        let tangents = [
            reaching(from, value, near_slope(middle, at(share), value) * share),
            leaving(value, to, near_slope(middle, at(share), value) * (1.0 - share)),
        ];
        let key = CurveKey {
            time,
            value: value.to_array(),
            tangents: Some(tangents.map(|tangent| tangent.to_array())),
            stored: None,
        };
        let outgoing = leaving(from, value, near_slope(slope(0.0), at(0.0), from) * share);
        let incoming = reaching(value, to, near_slope(slope(1.0), at(1.0), to) * (1.0 - share));
        (key, Some(outgoing.to_array()), Some(incoming.to_array()))
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

/// A slope for the other sign of the same rotation.
fn near_slope(slope: Quat, at: Quat, value: Quat) -> Quat {
    if at.dot(value) < 0.0 { -slope } else { slope }
}

fn set_tangent(key: &mut CurveKey, which: usize, tangent: Option<[f32; 4]>) {
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
