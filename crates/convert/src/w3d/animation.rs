//! Animations to clips (docs/formats/w3d/animation.md#what-channels-mean).
//!
//! A pivot's transform is `Base(T, q) · Translate(t) · Rotate(r)`, of which the channels give `t` and `r`. That is the local
//! translation `T + q·t` and rotation `q·r`: constants times the channel's values, so tracks of them interpolate exactly as the
//! channels do.

use std::collections::{BTreeMap, HashSet};

use glam::{Quat, Vec3};
use record::Node;
use scene::{Clip, Curve, Interpolation, Limits, NodeId, NodeProperty, Target, Track, Transform, slerp};
use w3d::codec::{Key, Outside, Values};
use w3d::names::{ChannelType, Version};
use w3d::records::AnimationHeader;
use w3d::{Animation, table};

use super::skeleton::{Skeleton, lacks_root};
use super::{Converter, NoteKind, library, space};
use crate::report::counted;

/// The cost of comparing names, in bytes.
const NAME: usize = 16;

/// The frame rate if a file has none.
const DEFAULT_RATE: f32 = 15.0;

/// The clock of an animation.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    /// The last frame. The engine starts again when it is reached.
    pub(crate) end: u32,
    /// Frames per second.
    pub(crate) rate: f32,
}

impl Timing {
    pub(crate) fn seconds(self, frame: u32) -> f32 {
        frame as f32 / self.rate
    }
}

/// The channels of one pivot.
#[derive(Default)]
pub(crate) struct Motion {
    pub(crate) translation: [Option<Values>; 3],
    pub(crate) rotation: Option<Values>,
    pub(crate) visibility: Option<Values>,
}

impl<'n> Converter<'_, 'n> {
    /// Makes a clip of each animation whose skeleton is in the scene. Animations of other skeletons are none of its business, and
    /// of those with the same name and skeleton the first counts: the model's own file comes first.
    pub(super) fn clips(&mut self) {
        let library = self.library;
        let own = library.main().animations().count();
        let mut known = HashSet::new();
        for (index, animation) in library.animations().enumerate() {
            // Every animation is compared with every skeleton.
            if !self.spend(NAME * self.skeletons.len()) {
                self.note(NoteKind::Damaged, animation.0, "too many animations; the rest was dropped");
                return;
            }
            let hierarchy = animation.hierarchy_name();
            if !known.insert((library::text_key(&hierarchy), library::text_key(&animation.name()))) {
                if index < own {
                    let message = "dropped: an animation of the same name and skeleton comes before it";
                    self.note(NoteKind::Damaged, animation.0, message);
                }
                continue;
            }
            let is_its = |name: &str| library::same_name(name, &hierarchy);
            if self.skeletons.iter().any(|skeleton| is_its(&skeleton.name) && skeleton.nodes.len() > 1) {
                self.clip(animation, &hierarchy);
                continue;
            }
            let may_borrow = index < own || self.options.clips_of_twins;
            if let Some(twin) = self.twin(&hierarchy).filter(|_| may_borrow) {
                let message = format!(
                    "made for the skeleton {hierarchy:?}; applied to {twin:?}, which has the same pivots"
                );
                self.note(NoteKind::Assumed, animation.0, message);
                self.clip(animation, &twin);
            } else if index < own || self.skeletons.is_empty() {
                self.bare_skeleton(&hierarchy, animation);
                self.clip(animation, &hierarchy);
            }
        }
    }

    /// A skeleton of the scene whose pivots have the same names as those of another of the library: copies of a skeleton
    /// under several names are common.
    fn twin(&self, name: &str) -> Option<String> {
        let pivots = self.library.hierarchy(name)?.pivots();
        let is_twin = |skeleton: &&Skeleton| {
            let names = skeleton.nodes.iter().map(|node| &self.scene.nodes[node.index()].name);
            pivots.len() > 1
                && pivots.len() == skeleton.nodes.len()
                && pivots
                    .iter()
                    .zip(names)
                    .all(|(pivot, name)| library::same_name(&pivot.name.to_string(), name))
        };
        self.skeletons.iter().find(is_twin).map(|skeleton| skeleton.name.clone())
    }

    /// A skeleton for an animation that has no model: the library's, or one of as many pivots as the animation moves.
    fn bare_skeleton(&mut self, name: &str, animation: Animation<'n>) {
        if let Some(hierarchy) = self.library.hierarchy(name) {
            self.place_skeleton(name, Some(hierarchy), None);
            return;
        }
        let known = self.skeletons.iter().position(|skeleton| library::same_name(&skeleton.name, name));
        let skeleton = known.unwrap_or_else(|| self.skeleton(name, None, animation.0));
        let shift = usize::from(version(animation.0).is_some_and(lacks_root));
        let pivots =
            animation.channels().map(|channel| usize::from(channel.pivot) + shift).max().unwrap_or(0);
        if !self.afford(pivots * 64) {
            return;
        }
        let message =
            "skeleton not found: created one with a pivot at the origin for each channel".to_owned();
        self.note(NoteKind::Assumed, animation.0, message);
        for pivot in self.skeletons[skeleton].nodes.len()..=pivots {
            let root = self.skeletons[skeleton].nodes[0];
            let node = self.add_node(format!("Pivot {pivot}"), Some(root), Transform::IDENTITY);
            let skeleton = &mut self.skeletons[skeleton];
            skeleton.nodes.push(node);
            skeleton.worlds.push(skeleton.worlds[0]);
        }
    }

    fn clip(&mut self, animation: Animation<'n>, hierarchy: &str) {
        let node = animation.0;
        let (frames, rate) = (animation.num_frames(), animation.frame_rate());
        if rate == 0 {
            let message = format!("the frame rate is 0; {DEFAULT_RATE} assumed");
            self.note(NoteKind::Assumed, node, message);
        }
        let rate = if rate == 0 { DEFAULT_RATE } else { rate as f32 };
        let mut motions = self.motions(animation);
        // The engine gives pivot 0 the object's own transform, always shows it, and ignores its channels (docs/formats/w3d/hierarchy.md#pivots).
        if motions.remove(&0).is_some() {
            self.note(NoteKind::Skipped, node, "channels of the root pivot are ignored, as in the games");
        }
        let end = if frames == 0 {
            let last = motions.values().flat_map(Motion::values).filter_map(last_frame).max().unwrap_or(0);
            self.note(
                NoteKind::Assumed,
                node,
                format!("the frame count is 0; {} taken from the channels", last + 1),
            );
            last
        } else {
            frames - 1
        };
        let timing = Timing { end, rate };
        let mut clip = Clip {
            name: animation.name(),
            duration: timing.seconds(end),
            // Nothing in the file says so, but it is the engine's habit, and exporters close their loops.
            looping: true,
            frame_rate: Some(rate),
            ..Clip::default()
        };
        let mut strays = 0;
        let is_its = |skeleton: &&Skeleton| library::same_name(&skeleton.name, hierarchy);
        let most = self.options.limits.keys;
        for skeleton in self.skeletons.iter().filter(is_its) {
            for (pivot, motion) in &motions {
                let Some(id) = skeleton.nodes.get(*pivot).copied() else {
                    strays += 1;
                    continue;
                };
                if self.keys > most {
                    break;
                }
                let before = clip.channels.len();
                motion.transform(&self.scene.nodes[id.index()].rest, timing, id, &mut clip);
                self.keys += clip.channels[before..].iter().map(keys_of).sum::<usize>();
                let Some(curve) = motion.visibility.as_ref().and_then(|values| visibility(values, timing))
                else {
                    continue;
                };
                let carriers = skeleton.carriers.get(pivot).map(Vec::as_slice).unwrap_or_default();
                for node in carriers.iter().copied().chain([id]) {
                    if self.keys > most {
                        break;
                    }
                    let target = Target::Node(node, NodeProperty::Visibility);
                    let channel = scene::Channel { target, curve: curve.clone() };
                    self.keys += keys_of(&channel);
                    clip.channels.push(channel);
                }
            }
        }
        if self.keys > most {
            let message = format!("the animations have more than {most} keys; the rest was dropped");
            self.note(NoteKind::Damaged, node, message);
        }
        if strays > 0 {
            self.note(
                NoteKind::Damaged,
                node,
                format!("channels for {} that the skeleton does not have", counted(strays, "pivot")),
            );
        }
        self.tracer.clips.push(node);
        self.scene.clips.push(clip);
    }

    /// The channels, pivot by pivot.
    fn motions(&mut self, animation: Animation<'n>) -> BTreeMap<usize, Motion> {
        let node = animation.0;
        let shift = usize::from(version(node).is_some_and(lacks_root));
        let mut motions: BTreeMap<usize, Motion> = BTreeMap::new();
        let (mut eulers, mut repeated, mut unreadable) = (0, 0, 0);
        let mut stored = 0;
        for channel in animation.channels() {
            stored += 1;
            if ![ChannelType::X, ChannelType::Y, ChannelType::Z, ChannelType::Q, ChannelType::VIS]
                .contains(&channel.target)
            {
                eulers += 1;
                continue;
            }
            if !is_usable(&channel.values, channel.target) {
                unreadable += 1;
                continue;
            }
            let motion = motions.entry(usize::from(channel.pivot) + shift).or_default();
            let slot = match channel.target {
                ChannelType::X => &mut motion.translation[0],
                ChannelType::Y => &mut motion.translation[1],
                ChannelType::Z => &mut motion.translation[2],
                ChannelType::Q => &mut motion.rotation,
                _ => &mut motion.visibility,
            };
            // Exporters write visibility as bits and again as floats; engines take the bits.
            if channel.target == ChannelType::VIS
                && let Some(known) = slot
                && is_bits(known) != is_bits(&channel.values)
            {
                if is_bits(&channel.values) {
                    *slot = Some(channel.values);
                }
                continue;
            }
            // The last wins, as in the engine.
            repeated += usize::from(slot.replace(channel.values).is_some());
        }
        let headers = [table::ANIMATION_HEADER.row, table::COMPRESSED_ANIMATION_HEADER.row];
        let chunks =
            node.children().iter().filter(|child| !headers.iter().any(|header| child.is(header))).count();
        unreadable += chunks.saturating_sub(stored);
        for (count, kind, what) in [
            (eulers, NoteKind::Skipped, "with Euler angles or unknown types, which the games ignore"),
            (repeated, NoteKind::Damaged, "repeated for the same pivot and type; the last one is used"),
            (unreadable, NoteKind::Damaged, "could not be read"),
        ] {
            if count > 0 {
                self.note(kind, node, format!("{} {what}", counted(count, "channel")));
            }
        }
        motions
    }
}

/// The version of a raw animation. Compressed ones count from 0.1 again; none is old enough to lack the root.
fn version(node: &Node<'_>) -> Option<Version> {
    node.child(&table::ANIMATION_HEADER).and_then(Node::value::<AnimationHeader>).map(|header| header.version)
}

fn is_usable(values: &Values, target: ChannelType) -> bool {
    let wanted = if target == ChannelType::Q { 4 } else { 1 };
    match values {
        Values::Frames { components, values, .. } => *components >= wanted && values.len() >= *components,
        Values::Keys { components, keys, values } => {
            *components >= wanted && !keys.is_empty() && values.len() >= *components
        }
        Values::Bits { .. } => wanted == 1,
        Values::Switches(switches) => wanted == 1 && !switches.is_empty(),
    }
}

fn is_bits(values: &Values) -> bool {
    matches!(values, Values::Bits { .. } | Values::Switches(_))
}

/// The last frame that a channel speaks of.
fn last_frame(values: &Values) -> Option<u32> {
    match values {
        Values::Frames { first, components, values, .. } => {
            let count = values.len().checked_div(*components)? as u32;
            Some(first.saturating_add(count.checked_sub(1)?))
        }
        Values::Keys { keys, .. } => keys.iter().map(|key| key.frame).max(),
        Values::Bits { first, bits, .. } => Some(first.saturating_add((bits.len() as u32).checked_sub(1)?)),
        Values::Switches(switches) => switches.iter().map(|(frame, _)| *frame).max(),
    }
}

impl Motion {
    fn values(&self) -> impl Iterator<Item = &Values> {
        self.translation.iter().chain([&self.rotation, &self.visibility]).flatten()
    }

    /// Adds the channels of translation and rotation.
    pub(crate) fn transform(&self, rest: &Transform, timing: Timing, node: NodeId, clip: &mut Clip) {
        if let Some(track) = translation(&self.translation, rest, timing) {
            let target = Target::Node(node, NodeProperty::Translation);
            clip.channels.push(scene::Channel { target, curve: Curve::Vector(track) });
        }
        if let Some(track) = self.rotation.as_ref().and_then(|values| rotation(values, rest, timing)) {
            let target = Target::Node(node, NodeProperty::Rotation);
            clip.channels.push(scene::Channel { target, curve: Curve::Rotation(track) });
        }
    }
}

pub(crate) fn keys_of(channel: &scene::Channel) -> usize {
    channel.curve.times().len() + Limits::KEYS_PER_CHANNEL
}

/// A point of a function that is straight between points and may jump at them.
#[derive(Clone, Copy)]
struct Knot<T> {
    frame: u32,
    /// The value that the stretch before ends with.
    before: T,
    /// The value that the stretch after starts with.
    after: T,
}

/// The points of a channel, ascending. `rest` is what a raw channel is outside its frames, if it is anything: it goes there
/// within one frame (docs/formats/w3d/animation.md#raw-channels).
fn knots<T: Copy>(values: &Values, rest: Option<T>, read: impl Fn(&[f32]) -> T) -> Vec<Knot<T>> {
    let same = |frame, value| Knot { frame, before: value, after: value };
    match values {
        Values::Frames { first, components, values, outside } => {
            let count = values.len() / components;
            let mut knots = Vec::with_capacity(count + 2);
            let rest = rest.filter(|_| *outside == Outside::Identity);
            if let (Some(rest), Some(before)) = (rest, first.checked_sub(1)) {
                knots.push(same(before, rest));
            }
            let frames = *first..;
            knots.extend(
                frames.zip(values.chunks_exact(*components)).map(|(frame, value)| same(frame, read(value))),
            );
            if let Some(rest) = rest {
                knots.push(same(first.saturating_add(count as u32), rest));
            }
            knots
        }
        Values::Keys { components, keys, values } => {
            let mut knots: Vec<Knot<T>> = Vec::with_capacity(keys.len());
            for (Key { frame, step }, value) in keys.iter().zip(values.chunks_exact(*components)) {
                let value = read(value);
                let held = knots.last().filter(|_| *step).map_or(value, |last| last.after);
                match knots.last_mut() {
                    // Out of order, which no engine finds.
                    Some(last) if last.frame > *frame => {}
                    Some(last) if last.frame == *frame => last.after = value,
                    _ => knots.push(Knot { frame: *frame, before: held, after: value }),
                }
            }
            knots
        }
        Values::Bits { .. } | Values::Switches(_) => Vec::new(),
    }
}

/// Where a frame lies in a function, and how far between two points.
fn value_at(knots: &[Knot<f32>], next: usize, frame: u32) -> (f32, f32) {
    match (next.checked_sub(1).map(|index| knots[index]), knots.get(next)) {
        (_, Some(knot)) if knot.frame == frame => (knot.before, knot.after),
        (None, Some(first)) => (first.before, first.before),
        (Some(last), None) => (last.after, last.after),
        (Some(from), Some(to)) => {
            let share = (frame - from.frame) as f32 / (to.frame - from.frame) as f32;
            let value = from.after * (1.0 - share) + to.before * share;
            (value, value)
        }
        (None, None) => (0.0, 0.0),
    }
}

/// One track of three channels, with a key wherever one of them has one.
fn translation(axes: &[Option<Values>; 3], rest: &Transform, timing: Timing) -> Option<Track<Vec3>> {
    let axes = axes.each_ref().map(|values| {
        values.as_ref().map(|values| knots(values, Some(0.0), |value| value[0])).unwrap_or_default()
    });
    let mut next = [0_usize; 3];
    let longest = axes.iter().map(Vec::len).max().filter(|length| *length > 0)?;
    let mut track = Track::new(Interpolation::Linear, []);
    track.times.reserve(longest);
    track.values.reserve(longest);
    let mut push = |frame: u32, [x, y, z]: [f32; 3]| {
        track.times.push(timing.seconds(frame));
        track.values.push(rest.translation + rest.rotation * Vec3::new(x, z, -y));
    };
    loop {
        let heads = axes.iter().zip(next).filter_map(|(knots, next)| knots.get(next));
        let Some(frame) = heads.map(|knot| knot.frame).min() else { break };
        // Points beyond the end are moved to the end.
        let time = frame.min(timing.end);
        let values: [(f32, f32); 3] = std::array::from_fn(|axis| value_at(&axes[axis], next[axis], time));
        let (before, after) = (values.map(|value| value.0), values.map(|value| value.1));
        push(time, before);
        if frame >= timing.end {
            if frame == timing.end && before != after {
                push(time, after);
            }
            break;
        }
        if before != after {
            push(time, after);
        }
        for (knots, next) in axes.iter().zip(&mut next) {
            *next += usize::from(knots.get(*next).is_some_and(|knot| knot.frame == frame));
        }
    }
    Some(track)
}

/// The track of a rotation channel.
fn rotation(values: &Values, rest: &Transform, timing: Timing) -> Option<Track<Quat>> {
    let read = |value: &[f32]| {
        let [x, y, z, w] = [value[0], value[1], value[2], value[3]];
        space::rotation([x, y, z, w]).unwrap_or(Quat::IDENTITY)
    };
    let knots = knots(values, Some(Quat::IDENTITY), read);
    if knots.is_empty() {
        return None;
    }
    let mut track = Track::new(Interpolation::Linear, []);
    track.times.reserve(knots.len());
    track.values.reserve(knots.len());
    let mut push = |frame: u32, value: Quat| {
        track.times.push(timing.seconds(frame));
        track.values.push(rest.rotation * value);
    };
    let mut previous: Option<Knot<Quat>> = None;
    for knot in knots {
        if knot.frame > timing.end {
            let value = previous.map_or(knot.before, |from| {
                let share = (timing.end - from.frame) as f32 / (knot.frame - from.frame) as f32;
                slerp(from.after, knot.before, share)
            });
            push(timing.end, value);
            break;
        }
        push(knot.frame, knot.before);
        if knot.before != knot.after {
            push(knot.frame, knot.after);
        }
        previous = Some(knot);
    }
    Some(track)
}

/// The curve of a visibility channel: on and off if it has no other values, else a degree.
pub(crate) fn visibility(values: &Values, timing: Timing) -> Option<Curve> {
    let Some(mut flags) = switches(values) else {
        return Some(Curve::Scalar(match values {
            Values::Frames { first, components, values, outside: Outside::Visible } => {
                let degrees = values.chunks_exact(*components).map(|value| value[0]);
                stepped(*first, degrees, 1.0, timing)
            }
            _ => degree(&knots(values, None, |value| value[0]), timing)?,
        }));
    };
    flags.dedup_by_key(|(_, shown)| *shown);
    flags.retain(|(frame, _)| *frame <= timing.end);
    let keys = flags.into_iter().map(|(frame, shown)| (timing.seconds(frame), shown));
    Some(Curve::Flag(Track::new(Interpolation::Step, keys)))
}

/// When something is shown and hidden, from frame 0 on, or nothing if the channel has values between the two.
fn switches(values: &Values) -> Option<Vec<(u32, bool)>> {
    const NEAR: f32 = 1e-3;
    let is_flag = |value: &f32| value.abs() < NEAR || (value - 1.0).abs() < NEAR;
    let shown = |value: f32| value > 0.5;
    let framed = |first: u32, bits: Vec<bool>, outside: bool| {
        let before = (first > 0).then_some((0, outside));
        let after = (first.saturating_add(bits.len() as u32), outside);
        let bits = (first..).zip(bits);
        before.into_iter().chain(bits).chain([after]).collect()
    };
    match values {
        Values::Bits { first, bits, default } => Some(framed(*first, bits.clone(), *default)),
        Values::Switches(switches) => {
            // The first value also holds before its time.
            let mut switches = switches.clone();
            switches.first_mut()?.0 = 0;
            switches.sort_by_key(|(frame, _)| *frame);
            Some(switches)
        }
        Values::Frames { first, components, values, outside } => {
            let firsts = || values.chunks_exact(*components).map(|value| value[0]);
            if !firsts().all(|value| is_flag(&value)) {
                return None;
            }
            let bits: Vec<bool> = firsts().map(shown).collect();
            Some(match outside {
                Outside::Visible => framed(*first, bits, true),
                _ => (0..).zip(bits).collect(),
            })
        }
        Values::Keys { components, keys, values } => {
            let firsts: Vec<f32> = values.chunks_exact(*components).map(|value| value[0]).collect();
            let pairs = keys.windows(2).zip(firsts.windows(2));
            let jumps = pairs.map(|(keys, values)| {
                let next = keys[0].frame.checked_add(1);
                keys[1].step || shown(values[0]) == shown(values[1]) || next == Some(keys[1].frame)
            });
            let is_sorted = keys.is_sorted_by_key(|key| key.frame);
            (is_sorted && firsts.iter().all(is_flag) && jumps.fold(true, |all, jump| all & jump)).then(|| {
                let mut flags: Vec<(u32, bool)> =
                    keys.iter().map(|key| key.frame).zip(firsts.iter().copied().map(shown)).collect();
                if let Some(first) = flags.first_mut() {
                    first.0 = 0;
                }
                flags
            })
        }
    }
}

/// A value for each frame from `first` on, and another for all other frames. Frames count as a whole.
fn stepped(first: u32, values: impl Iterator<Item = f32>, outside: f32, timing: Timing) -> Track<f32> {
    let before = (first > 0).then_some((0, outside));
    let mut keys: Vec<(u32, f32)> = before.into_iter().chain((first..).zip(values)).collect();
    keys.push((keys.last().map_or(first, |(frame, _)| frame.saturating_add(1)), outside));
    keys.retain(|(frame, _)| *frame <= timing.end);
    Track::new(Interpolation::Step, keys.into_iter().map(|(frame, value)| (timing.seconds(frame), value)))
}

fn degree(knots: &[Knot<f32>], timing: Timing) -> Option<Track<f32>> {
    let mut track = Track::new(Interpolation::Linear, []);
    for (index, knot) in knots.iter().enumerate() {
        let frame = knot.frame.min(timing.end);
        let (before, after) = value_at(knots, index, frame);
        track.times.push(timing.seconds(frame));
        track.values.push(before);
        if knot.frame > timing.end {
            break;
        }
        if before != after {
            track.times.push(timing.seconds(frame));
            track.values.push(after);
        }
    }
    (!track.is_empty()).then_some(track)
}
