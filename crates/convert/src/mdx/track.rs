//! Tracks: all keys lie on one time line in the file; a clip gets those inside its sequence (docs/formats/mdx/animation.md#which-keys-count).

use std::{borrow::Cow, ops::Range};

use std::fmt::Display;

use glam::{Quat, Vec3};
use mdx::records::{Interpolation as Between, Key, PackedQuaternion, TangentKey, TrackValue};
use mdx::view::Track;
use mdx::{Layout, ValueType};
use record::{F32, Pod, Quaternion, U32};
use scene::{
    Channel, Curve, EmitterProperty, EventId, EventKey, GlobalChannel, GlobalSequenceId, Interpolation,
    LayerProperty, LightProperty, Limits, MeshProperty, Outside, RibbonProperty, Tangents, Target,
    Track as Keys,
};

use super::{Converter, EmptyColors, NoteKind, space};
use crate::report::counted;
use scene::number::{self as unit, Finite};

/// A key of either shape.
trait AnyKey: Pod {
    type Value: TrackValue;
    fn time(&self) -> i32;
    fn value(&self) -> Self::Value;
    /// The incoming and the outgoing one.
    fn tangents(&self) -> Option<[Self::Value; 2]>;
}

impl<T: TrackValue> AnyKey for Key<T> {
    type Value = T;

    fn time(&self) -> i32 {
        self.time.get()
    }

    fn value(&self) -> T {
        self.value
    }

    fn tangents(&self) -> Option<[T; 2]> {
        None
    }
}

impl<T: TrackValue> AnyKey for TangentKey<T> {
    type Value = T;

    fn time(&self) -> i32 {
        self.time.get()
    }

    fn value(&self) -> T {
        self.value
    }

    fn tangents(&self) -> Option<[T; 2]> {
        Some([self.in_tan, self.out_tan])
    }
}

/// A value of a curve.
trait KeyValue: Finite {
    /// The curve of such values.
    fn curve(track: Keys<Self>) -> Curve;

    /// The value in a sequence for which a track has no keys (docs/formats/mdx/animation.md#which-keys-count). `None`: the
    /// static value of the target applies. It is not used for the others, because files often have junk beside a track.
    fn without_keys(_target: Target, _colors: EmptyColors) -> Option<Self> {
        None
    }

    /// Makes all as a scene wants them, and tells whether they are finite.
    fn settle(values: &mut [Self]) -> bool {
        Self::all_finite(values)
    }
}

impl KeyValue for f32 {
    fn curve(track: Keys<Self>) -> Curve {
        Curve::Scalar(track)
    }

    fn without_keys(target: Target, _: EmptyColors) -> Option<Self> {
        match target {
            Target::Mesh(_, MeshProperty::Alpha) | Target::Layer(_, _, LayerProperty::Alpha) => Some(1.0),
            Target::Emitter(_, EmitterProperty::EmissionRate)
            | Target::Ribbon(
                _,
                RibbonProperty::Alpha | RibbonProperty::HeightAbove | RibbonProperty::HeightBelow,
            ) => Some(0.0),
            _ => None,
        }
    }
}

impl KeyValue for Vec3 {
    fn curve(track: Keys<Self>) -> Curve {
        Curve::Vector(track)
    }

    fn without_keys(target: Target, colors: EmptyColors) -> Option<Self> {
        let is_color = matches!(
            target,
            Target::Mesh(_, MeshProperty::Color)
                | Target::Ribbon(_, RibbonProperty::Color)
                | Target::Light(_, LightProperty::Color | LightProperty::AmbientColor)
        );
        (is_color && colors == EmptyColors::Black).then_some(Self::ZERO)
    }
}

impl KeyValue for bool {
    fn curve(track: Keys<Self>) -> Curve {
        Curve::Flag(track)
    }

    /// All flags are visibilities.
    fn without_keys(_: Target, _: EmptyColors) -> Option<Self> {
        Some(true)
    }
}

impl KeyValue for u32 {
    fn curve(track: Keys<Self>) -> Curve {
        Curve::Index(track)
    }
}

impl KeyValue for Quat {
    fn curve(track: Keys<Self>) -> Curve {
        Curve::Rotation(track)
    }

    /// Some files have theirs rounded so coarsely that arcs between them would not run as evenly as between unit ones.
    fn settle(rotations: &mut [Self]) -> bool {
        if unit::are_unit(rotations) {
            return true;
        }
        for rotation in rotations.iter_mut() {
            *rotation = unit::unit(*rotation).unwrap_or(*rotation);
        }
        Self::all_finite(rotations)
    }
}

/// How the values of a track become those of a curve.
struct Conversion<F, G> {
    target: Target,
    value: F,
    /// The same for tangents. Where a constant is added to values it goes on control points too, but not on tangents.
    tangent: G,
    interpolation: Interpolation,
}

/// How many keys a channel counts as, beside its own.
const CHANNEL: usize = Limits::KEYS_PER_CHANNEL;

/// Which stretch of the time line a curve is for.
#[derive(Clone, Copy)]
struct Window {
    /// Values that become zero.
    start: i32,
    duration: f32,
}

impl<'d> Converter<'d> {
    /// A number, times a factor.
    pub(super) fn scalar(&mut self, track: &Track<'d>, target: Target, factor: f32) {
        let value = |value: F32| value.get() * factor;
        self.convert(track, target, value, value);
    }

    /// A visibility, which the game never interpolates, even if the track's type is linear (docs/formats/mdx/animation.md#interpolation).
    pub(super) fn flag(&mut self, track: &Track<'d>, target: Target) {
        let value = |value: F32| value.get() > 0.0;
        self.convert_as(Interpolation::Step, track, target, value, value);
    }

    /// An index.
    pub(super) fn index(&mut self, track: &Track<'d>, target: Target) {
        let value = |value: U32| value.get();
        self.convert_as(Interpolation::Step, track, target, value, value);
    }

    /// A translation, to which a constant is added.
    pub(super) fn translation(&mut self, track: &Track<'d>, target: Target, base: Vec3) {
        let value = |value: record::Vec3| space::vector(value.get()) + base;
        if track.interpolation() == Between::BEZIER {
            self.convert(track, target, value, value);
        } else {
            let tangent = |value: record::Vec3| space::vector(value.get());
            self.convert(track, target, value, tangent);
        }
    }

    /// Factors along the axes.
    pub(super) fn scale(&mut self, track: &Track<'d>, target: Target) {
        let value = |value: record::Vec3| space::scale(value.get());
        self.convert(track, target, value, value);
    }

    /// A colour, in the order that the table of tracks says.
    pub(super) fn color(&mut self, track: &Track<'d>, target: Target) {
        let order = track.row.color;
        let value =
            |value: record::Vec3| Vec3::from(order.map_or(value.get(), |order| order.rgb(value.get())));
        self.convert(track, target, value, value);
    }

    /// A translation or scale of texture coordinates, whose axes stay.
    pub(super) fn plane_vector(&mut self, track: &Track<'d>, target: Target) {
        let value = |value: record::Vec3| Vec3::from(value.get());
        self.convert(track, target, value, value);
    }

    /// A rotation.
    pub(super) fn rotation(&mut self, track: &Track<'d>, target: Target) {
        self.any_rotation(track, target, space::rotation);
    }

    /// A rotation of texture coordinates, whose axes stay.
    pub(super) fn plane_rotation(&mut self, track: &Track<'d>, target: Target) {
        self.any_rotation(track, target, Quat::from_array);
    }

    fn any_rotation(&mut self, track: &Track<'d>, target: Target, axes: impl Fn([f32; 4]) -> Quat + Copy) {
        let unit = |rotation: Quat| unit::unit(rotation).unwrap_or(rotation);
        if matches!(track.layout, Layout::Packed | Layout::PackedTangents) {
            let value = |value: PackedQuaternion| axes(value.unpack().get());
            self.convert(track, target, value, |tangent| unit(value(tangent)));
        } else {
            let value = |value: Quaternion| axes(value.get());
            self.convert(track, target, value, |tangent| unit(value(tangent)));
        }
    }

    /// The times of a track of events.
    pub(super) fn event_times(&mut self, times: &[record::I32], event: EventId) {
        let mut allowance = Allowance::new(times.len(), &mut self.repeats);
        // All times are looked at for each sequence.
        self.windows_left =
            self.windows_left.saturating_sub(times.len().saturating_mul(self.windows.len()) / 8);
        if self.windows_left == 0 {
            return;
        }
        for (clip, &[start, end]) in self.scene.clips.iter_mut().zip(&self.windows) {
            let inside = times.iter().map(|time| time.get()).filter(|time| (start..=end).contains(time));
            clip.events.extend(
                inside
                    .take_while(|_| allowance.take(1))
                    .map(|time| EventKey { time: space::seconds(i64::from(time) - i64::from(start)), event }),
            );
        }
    }

    /// A track that nothing in a scene corresponds to.
    pub(super) fn unplaced(&mut self, track: &Track<'d>, path: impl Display) {
        let message = format!("the track {} is not supported ({})", track.row.name, track.node.kind.doc);
        self.note(NoteKind::Skipped, path, message);
    }

    /// The name of a track in notes.
    fn track_path(&self, track: &Track<'d>, target: Target) -> String {
        let name = match target {
            Target::Node(id, _) => self.scene.nodes[id.index()].name.clone(),
            Target::Mesh(id, _) => format!("Geoset[{}]", id.0),
            Target::Layer(id, layer, _) => format!("Material[{}]/Layer[{layer}]", id.0),
            Target::Light(id, _) => format!("Light[{}]", id.0),
            Target::Camera(id, _) => format!("Camera[{}]", id.0),
            Target::Emitter(id, _) => self.scene.emitters[id.index()].name.clone(),
            Target::Ribbon(id, _) => self.scene.ribbons[id.index()].name.clone(),
        };
        format!("{name}/{}", track.row.name)
    }

    fn convert<T: TrackValue, V: KeyValue>(
        &mut self,
        track: &Track<'d>,
        target: Target,
        value: impl Fn(T) -> V,
        tangent: impl Fn(T) -> V,
    ) {
        let interpolation = match track.interpolation() {
            Between::NONE => Interpolation::Step,
            Between::LINEAR => Interpolation::Linear,
            Between::HERMITE => Interpolation::Hermite,
            Between::BEZIER => Interpolation::Bezier,
            other => {
                let message = format!("unknown interpolation {}; linear assumed", other.get());
                self.note(NoteKind::Damaged, self.track_path(track, target), message);
                Interpolation::Linear
            }
        };
        self.convert_as(interpolation, track, target, value, tangent);
    }

    fn convert_as<T: TrackValue, V: KeyValue>(
        &mut self,
        interpolation: Interpolation,
        track: &Track<'d>,
        target: Target,
        value: impl Fn(T) -> V,
        tangent: impl Fn(T) -> V,
    ) {
        if !self.animations || track.row.value == ValueType::Event {
            return;
        }
        let conversion = Conversion { target, value, tangent, interpolation };
        if matches!(track.layout, Layout::Tangents | Layout::PackedTangents) {
            self.slice(track, track.node.values::<TangentKey<T>>(), &conversion);
        } else {
            self.slice(track, track.node.values::<Key<T>>(), &conversion);
        }
    }

    /// Gives each clip, or the global sequence, its keys.
    fn slice<K: AnyKey, V: KeyValue>(
        &mut self,
        track: &Track<'d>,
        keys: &[K],
        conversion: &Conversion<impl Fn(K::Value) -> V, impl Fn(K::Value) -> V>,
    ) {
        // Apart from the values, where several are looked at at once.
        let mut times = std::mem::take(&mut self.times);
        times.clear();
        times.extend(keys.iter().map(AnyKey::time));
        let keys = if times.iter().zip(times.iter().skip(1)).fold(true, |all, (a, b)| all & (a <= b)) {
            Cow::Borrowed(keys)
        } else {
            self.note(
                NoteKind::Damaged,
                self.track_path(track, conversion.target),
                "keys are not sorted by time; sorted",
            );
            times.sort_unstable();
            let mut sorted = keys.to_vec();
            sorted.sort_by_key(AnyKey::time);
            Cow::Owned(sorted)
        };
        let mut dropped = 0;
        if let Some(index) = track.global_sequence() {
            let Some(duration) = self.model.global_sequences().get(index) else {
                let message = format!("global sequence {index} does not exist");
                self.note(NoteKind::Damaged, self.track_path(track, conversion.target), message);
                return;
            };
            let Some(&first) = times.first() else { return };
            // The WoW client makes the first key the start of the sequence (docs/formats/mdx/wow-alpha.md#tracks).
            let start = if self.is_wow() { first } else { 0 };
            let end = i64::from(start) + i64::from(duration.get());
            let end = i32::try_from(end).unwrap_or(i32::MAX);
            let mut inside = within(&times, start, end, &mut 0);
            if inside.is_empty() && first > end {
                // A track whose first key is after the end is constant (docs/formats/mdx/animation.md#which-keys-count).
                inside = 0..1;
            }
            let window = Window { start, duration: space::seconds(duration.get().into()) };
            let sequence = GlobalSequenceId::from(index);
            if let Some(channel) =
                conversion.channel(&keys[inside.clone()], &times[inside], window, &mut dropped)
            {
                self.scene.global_channels.push(GlobalChannel { sequence, channel });
            }
        } else {
            self.unreached += usize::from(self.windows.is_empty());
            self.windows_left = self.windows_left.saturating_sub(self.windows.len());
            if self.windows_left == 0 {
                self.times = times;
                return;
            }
            let mut allowance = Allowance::new(keys.len().saturating_mul(1 + CHANNEL), &mut self.repeats);
            let mut place = 0;
            let empty = V::without_keys(conversion.target, self.empty_colors);
            for (clip, &[start, end]) in self.scene.clips.iter_mut().zip(&self.windows) {
                let window = Window { start, duration: clip.duration };
                let inside = within(&times, start, end, &mut place);
                if inside.is_empty() {
                    if let Some(value) = empty.filter(|_| allowance.take(CHANNEL)) {
                        let track = Keys::new(Interpolation::Step, [(0.0, value)]);
                        clip.channels.push(Channel { target: conversion.target, curve: V::curve(track) });
                    }
                } else if allowance.take(inside.len() + CHANNEL) {
                    let (keys, times) = (&keys[inside.clone()], &times[inside]);
                    clip.channels.extend(conversion.channel(keys, times, window, &mut dropped));
                }
            }
        }
        self.times = times;
        if dropped > 0 {
            let message = format!("dropped {} with NaN or infinite values", counted(dropped, "key"));
            self.note(NoteKind::Damaged, self.track_path(track, conversion.target), message);
        }
    }
}

/// How many keys of a track may be copied: each once, and then at the expense of all tracks.
struct Allowance<'c> {
    once: usize,
    repeats: &'c mut usize,
}

impl<'c> Allowance<'c> {
    const fn new(once: usize, repeats: &'c mut usize) -> Self {
        Self { once, repeats }
    }

    /// Whether `count` more are within the limit.
    fn take(&mut self, count: usize) -> bool {
        let repeated = count.saturating_sub(self.once);
        self.once = self.once.saturating_sub(count);
        *self.repeats = self.repeats.saturating_sub(repeated);
        *self.repeats > 0
    }
}

/// The keys of a stretch of time, its ends included. They are looked for first at a place: where those of the stretch before ended, as
/// they mostly do. Their own end becomes the place.
fn within(times: &[i32], start: i32, end: i32, place: &mut usize) -> Range<usize> {
    let (before, after) = times.split_at(*place);
    let is_there =
        before.last().is_none_or(|time| *time < start) && after.first().is_none_or(|time| *time >= start);
    let from = if is_there { *place } else { times.partition_point(|time| *time < start) };
    *place = from + times[from..].partition_point(|time| *time <= end);
    from..*place
}

impl<F, G> Conversion<F, G> {
    /// The channel of these keys at these times, if any are left.
    fn channel<K: AnyKey, V: KeyValue>(
        &self,
        keys: &[K],
        times: &[i32],
        window: Window,
        dropped: &mut usize,
    ) -> Option<Channel>
    where
        F: Fn(K::Value) -> V,
        G: Fn(K::Value) -> V,
    {
        if keys.is_empty() {
            return None;
        }
        let cubic = matches!(self.interpolation, Interpolation::Hermite | Interpolation::Bezier);
        let tangents = |key: &K| {
            let [incoming, outgoing] = key.tangents().filter(|_| cubic)?;
            Some(Tangents { incoming: (self.tangent)(incoming), outgoing: (self.tangent)(outgoing) })
        };
        let mut track = Keys {
            times: space::seconds_since(window.start, times),
            values: keys.iter().map(|key| (self.value)(key.value())).collect::<Vec<_>>(),
            tangents: keys.iter().map_while(tangents).collect::<Vec<_>>(),
            held_until: Vec::new(),
            interpolation: self.interpolation,
            outside: Outside::Wrap { start: 0.0, end: window.duration },
        };
        if !(V::settle(&mut track.values) && Finite::all_finite(&track.tangents)) {
            let good: Vec<bool> = (0..keys.len())
                .map(|index| {
                    track.values[index].finite() && track.tangents.get(index).is_none_or(|each| each.finite())
                })
                .collect();
            *dropped += good.iter().filter(|good| !**good).count();
            keep(&mut track.times, &good);
            keep(&mut track.values, &good);
            keep(&mut track.tangents, &good);
            if track.is_empty() {
                return None;
            }
        }
        Some(Channel { target: self.target, curve: V::curve(track) })
    }
}

fn keep<T>(items: &mut Vec<T>, good: &[bool]) {
    let mut good = good.iter();
    items.retain(|_| good.next().is_some_and(|good| *good));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_wherever_the_place_is() {
        let times: Vec<i32> = (0..400).map(|index| index / 2 * 10).collect();
        let windows = [
            [0, 90],
            [91, 99],
            [100, 200],
            [100, 1900],
            [50, 40],
            [-9, -1],
            [0, 1990],
            [1990, 5000],
            [3000, 4000],
        ];
        let mut place = 0;
        for [start, end] in windows.into_iter().chain(windows.into_iter().rev()) {
            let right: Vec<i32> = times.iter().copied().filter(|time| (start..=end).contains(time)).collect();
            let found = &times[within(&times, start, end, &mut place)];
            assert_eq!(found, right, "{start} to {end}");
        }
    }
}
