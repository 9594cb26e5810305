//! The motion of pivots as channels: from the tracks of their nodes, or from poses where scale has to become translation.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use scene::{
    Clip, ClipId, Curve, GlobalChannel, GlobalSequence, Inherit, Interpolate, Interpolation, NodeId,
    NodeProperty, Outside, Target, Track, Transform, Value,
};
use w3d::codec::Key;
use w3d::names::ChannelType;

use super::Author;
use super::animation::Timing;
use super::channels::{Channel, Numbers};
use super::plan::{Place, rigid_parts};
use super::scales::Scales;
use super::space;
use super::worlds::Worlds;

/// A point of a track: what the stretch before ends with, and what the one after starts with.
type Knot<T> = (u32, T, T);

/// How far a sampled pose may be from the rest pose by rounding alone, as a share of the model's size or of a unit rotation.
const ROUNDING: f32 = 2e-6;

/// What moves a property of a pivot: the curve of the clip, and that of a global sequence where the clip has no value.
struct Drive<'s> {
    pivot: usize,
    /// The factor of translations.
    factor: f32,
    property: NodeProperty,
    clip: Option<&'s Curve>,
    global: Option<(&'s GlobalSequence, &'s Curve)>,
}

impl Drive<'_> {
    fn value(&self, time: f32) -> Option<Value> {
        self.clip.and_then(|curve| curve.sample(time)).or_else(|| {
            let (sequence, curve) = self.global?;
            curve.sample_global(sequence.local_time(time), sequence.duration)
        })
    }

    /// The translation at each frame.
    fn vectors(&self, timing: Timing, rest: Vec3) -> Vec<Vec3> {
        match (self.clip, self.global) {
            (Some(Curve::Vector(track)), None) => frames(track, timing, rest),
            _ => {
                let value = |time| match self.value(time) {
                    Some(Value::Vector(value)) => value,
                    _ => rest,
                };
                timing.times().map(value).collect()
            }
        }
    }

    /// The rotation at each frame.
    fn rotations(&self, timing: Timing, rest: Quat) -> Vec<Quat> {
        match (self.clip, self.global) {
            (Some(Curve::Rotation(track)), None) => frames(track, timing, rest),
            _ => {
                let value = |time| match self.value(time) {
                    Some(Value::Rotation(value)) => value,
                    _ => rest,
                };
                timing.times().map(value).collect()
            }
        }
    }
}

impl<'s> Author<'s> {
    /// What moves the pivots of a model that only move and turn.
    fn drives(&self, clip: &'s Clip, model: usize, scales: &Scales) -> Vec<Drive<'s>> {
        let pivot = |target: Target| match target {
            Target::Node(node, property @ (NodeProperty::Translation | NodeProperty::Rotation)) => {
                let Place::Pivot(of, pivot) = self.place_of(node) else { return None };
                let is_own = of == model && pivot > 0 && !self.plan.carriers.contains(&node);
                Some((pivot, scales.factor(node).filter(|_| is_own)?, property))
            }
            _ => None,
        };
        let own = clip.channels.iter().filter_map(|channel| {
            let (pivot, factor, property) = pivot(channel.target)?;
            Some(Drive { pivot, factor, property, clip: Some(&channel.curve), global: None })
        });
        let mut drives: Vec<Drive<'s>> = own.collect();
        // Of two channels for the same, the first counts.
        let mut known: HashMap<(usize, NodeProperty), usize> = HashMap::new();
        for (index, drive) in drives.iter().enumerate() {
            known.entry((drive.pivot, drive.property)).or_insert(index);
        }
        for GlobalChannel { sequence, channel } in &self.scene.global_channels {
            let Some((pivot, factor, property)) = pivot(channel.target) else { continue };
            let Some(sequence) = self.scene.global_sequences.get(sequence.index()) else { continue };
            let global = Some((sequence, &channel.curve));
            let index = *known.entry((pivot, property)).or_insert(drives.len());
            match drives.get_mut(index) {
                Some(drive) => drive.global = global,
                None => drives.push(Drive { pivot, factor, property, clip: None, global }),
            }
        }
        drives
    }

    /// Channels of pivots that only move and turn. With `exact`, keys stay keys.
    pub(super) fn direct(
        &self,
        clip: &'s Clip,
        model: usize,
        timing: Timing,
        scales: &Scales,
        exact: bool,
    ) -> Vec<Channel> {
        let mut channels = Vec::new();
        for drive in self.drives(clip, model, scales) {
            let pivot = drive.pivot;
            let rest = self.plan.models[model].pivots[pivot].rest;
            let back = rest.rotation.inverse();
            if drive.property == NodeProperty::Translation {
                let factor = drive.factor;
                let moved = |value: Vec3| axes(back * (value * factor - rest.translation));
                let keys = match drive.clip {
                    Some(Curve::Vector(track)) if exact => knots(track, timing),
                    _ => None,
                };
                let values: Vec<[f32; 3]> = match keys {
                    Some(_) => Vec::new(),
                    None => drive.vectors(timing, rest.translation / factor).into_iter().map(moved).collect(),
                };
                for (axis, target) in AXES.into_iter().enumerate() {
                    let numbers = match &keys {
                        Some(keys) => keyed(keys.iter().map(|(frame, before, after)| {
                            (*frame, [moved(*before)[axis]], [moved(*after)[axis]])
                        })),
                        None => Numbers::Frames(values.iter().map(|value| value[axis]).collect()),
                    };
                    channels.push(Channel { pivot, target, components: 1, numbers });
                }
            } else {
                let turned = |value: Quat| space::turn(back * unit(value));
                let keys = match drive.clip {
                    Some(Curve::Rotation(track)) if exact => {
                        knots(track, timing).map(|knots| below_half_turns(track, knots, timing))
                    }
                    _ => None,
                };
                let numbers = match keys {
                    Some(keys) => keyed(
                        keys.iter().map(|(frame, before, after)| (*frame, turned(*before), turned(*after))),
                    ),
                    None => {
                        let values = drive.rotations(timing, rest.rotation);
                        Numbers::Frames(smooth(values.into_iter().map(turned).collect()))
                    }
                };
                channels.push(Channel { pivot, target: ChannelType::Q, components: 4, numbers });
            }
        }
        channels
    }

    /// Channels of pivots that need poses: these without their scale.
    pub(super) fn sampled(
        &self,
        clip: ClipId,
        model: usize,
        timing: Timing,
        scales: &Scales,
    ) -> Vec<Channel> {
        let pivots = &self.plan.models[model].pivots;
        let node_of = |index: usize| pivots[index].node.filter(|_| index > 0);
        let needs_poses = |index: &usize| node_of(*index).is_some_and(|node| scales.factor(node).is_none());
        let bent: Vec<usize> = (0..pivots.len()).filter(needs_poses).collect();
        if bent.is_empty() {
            return Vec::new();
        }
        let nodes = bent.iter().filter_map(|index| node_of(*index));
        let mut worlds = Worlds::new(self.scene, self.sampler.hierarchy(), &self.worlds, nodes);
        let moving = worlds.channels(clip);
        // Of pivots that never turn in the spaces of their parents, only the places are needed.
        let mut is_point = vec![false; pivots.len()];
        bent.iter().for_each(|index| is_point[*index] = self.is_point(node_of(*index)));
        for target in moving.targets() {
            if let Target::Node(node, NodeProperty::Rotation | NodeProperty::Scale) = target
                && let Place::Pivot(of, index) = self.place_of(node)
                && of == model
            {
                is_point[index] = false;
            }
        }
        let parents = bent.iter().filter_map(|index| pivots[*index].parent);
        let mut needed: Vec<usize> = bent.iter().copied().chain(parents).collect();
        needed.sort_unstable();
        needed.dedup();
        let mut motions: Vec<Motion> =
            bent.iter().map(|index| Motion::new(timing.frames, is_point[*index])).collect();
        let mut posed = vec![(Quat::IDENTITY, Vec3::ZERO); pivots.len()];
        for time in timing.times() {
            let worlds = worlds.sample(&moving, time);
            for &index in &needed {
                let Some(world) = node_of(index).and_then(|node| worlds.get(node.index())) else { continue };
                posed[index] = match pivots[index].parent {
                    // Parents come first.
                    Some(parent) if is_point[index] => (posed[parent].0, world.translation.into()),
                    _ => rigid_parts(world),
                };
            }
            for (index, motion) in bent.iter().zip(&mut motions) {
                let pivot = &pivots[*index];
                let (turn, place) = posed[*index];
                let (above, origin) = pivot.parent.map_or((Quat::IDENTITY, Vec3::ZERO), |index| posed[index]);
                let (out, back) = (above.inverse(), pivot.rest.rotation.inverse());
                let moved = axes(back * (out * (place - origin) - pivot.rest.translation));
                motion.moved.iter_mut().zip(moved).for_each(|(axis, value)| axis.push(value));
                if !is_point[*index] {
                    motion.turned.push(space::turn(back * (out * turn)));
                }
            }
        }
        let mut channels = Vec::new();
        for (pivot, Motion { moved, mut turned }) in bent.into_iter().zip(motions) {
            for (target, values) in AXES.into_iter().zip(moved) {
                let numbers = Numbers::Frames(values);
                channels.push(Channel { pivot, target, components: 1, numbers });
            }
            let Some(first) = turned.first_mut() else { continue };
            if first[3] < 0.0 {
                *first = first.map(|part| -part);
            }
            let numbers = Numbers::Frames(smooth(turned));
            channels.push(Channel { pivot, target: ChannelType::Q, components: 4, numbers });
        }
        channels
    }

    /// Whether a node has the axes of its parent, unless a channel turns or scales it.
    fn is_point(&self, node: Option<NodeId>) -> bool {
        let node = node.and_then(|node| self.scene.nodes.get(node.index()));
        node.is_some_and(|node| {
            let Transform { rotation, scale, .. } = node.rest;
            node.inherit == Inherit::ALL && rotation == Quat::IDENTITY && scale == Vec3::ONE
        })
    }

    /// Whether a channel of poses moves anything: products of matrices are never exactly the rest pose.
    pub(super) fn moves(&self, channel: &Channel) -> bool {
        let Numbers::Frames(values) = &channel.numbers else { return true };
        if channel.target == ChannelType::Q {
            return values.chunks_exact(4).any(|turn| turn[..3].iter().any(|part| part.abs() > ROUNDING));
        }
        values.iter().any(|value| value.abs() > ROUNDING * self.size())
    }

    /// The radius of the model.
    pub(super) fn size(&self) -> f32 {
        *self.size.get_or_init(|| self.scene.rest_bounds().map_or(1.0, |bounds| bounds.radius.max(1e-3)))
    }

    /// Whether a track jumps, which raw channels cannot say.
    pub(super) fn has_jumps(&self, clip: &Clip, model: usize, timing: Timing) -> bool {
        clip.channels.iter().any(|channel| {
            let is_own = matches!(channel.target, Target::Node(node, _)
                if matches!(self.place_of(node), Place::Pivot(of, pivot) if of == model && pivot > 0));
            is_own
                && match &channel.curve {
                    Curve::Vector(track) => jumps(track, timing),
                    Curve::Rotation(track) => jumps(track, timing),
                    Curve::Scalar(track) => {
                        self.limits.fading && track.interpolation == Interpolation::Linear
                    }
                    _ => false,
                }
        })
    }
}

/// The channels of a translation.
const AXES: [ChannelType; 3] = [ChannelType::X, ChannelType::Y, ChannelType::Z];

/// A pivot at each frame, as differences from its rest pose.
struct Motion {
    moved: [Vec<f32>; 3],
    /// Empty if it never turns.
    turned: Vec<[f32; 4]>,
}

impl Motion {
    fn new(frames: usize, is_point: bool) -> Self {
        let axis = || Vec::with_capacity(frames);
        let turned = if is_point { Vec::new() } else { Vec::with_capacity(frames) };
        Self { moved: [axis(), axis(), axis()], turned }
    }
}

/// The value of a track at each frame.
fn frames<T: Interpolate + PartialEq>(track: &Track<T>, timing: Timing, rest: T) -> Vec<T> {
    match constant(track) {
        Some(value) => vec![value; timing.frames],
        None => timing.times().map(|time| track.sample(time).unwrap_or(rest)).collect(),
    }
}

/// The value of a track that never changes.
fn constant<T: Interpolate + PartialEq>(track: &Track<T>) -> Option<T> {
    let is_clamped = track.outside == Outside::Clamp;
    let [first, rest @ ..] = &track.values[..track.len()] else { return None };
    let is_constant = is_clamped && track.tangents.is_empty() && rest.iter().all(|value| value == first);
    is_constant.then_some(*first)
}

/// Along W3D's axes.
fn axes(vector: Vec3) -> [f32; 3] {
    space::vector(vector).get()
}

fn unit(rotation: Quat) -> Quat {
    let unit = rotation.normalize();
    if unit.is_finite() { unit } else { Quat::IDENTITY }
}

/// Rotations with signs such that neighbours have a positive dot product.
fn smooth(mut values: Vec<[f32; 4]>) -> Vec<f32> {
    for index in 1..values.len() {
        let dot: f32 = values[index - 1].iter().zip(&values[index]).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            values[index] = values[index].map(|part| -part);
        }
    }
    values.into_flattened()
}

/// Whether a track jumps at a frame.
fn jumps<T: Interpolate + PartialEq>(track: &Track<T>, timing: Timing) -> bool {
    let is_linear = track.interpolation != Interpolation::Step && !track.held_until.contains(&true);
    let frame = 1.0 / timing.rate as f32;
    // Keys that are a frame apart are on different frames.
    if is_linear && track.times.windows(2).all(|pair| pair[1] - pair[0] > 0.9 * frame) {
        return false;
    }
    knots(track, timing).is_some_and(|knots| knots.iter().any(|(_, before, after)| before != after))
}

/// Whether frames say all that a curve does.
pub(super) fn is_straight(curve: &Curve) -> bool {
    fn is<T>(track: &Track<T>) -> bool {
        matches!(track.interpolation, Interpolation::Step | Interpolation::Linear)
            && !matches!(track.outside, Outside::Wrap { .. })
    }
    match curve {
        Curve::Vector(track) => is(track),
        Curve::Rotation(track) => is(track),
        _ => true,
    }
}

/// The points of a track, if all are on frames.
pub(super) fn knots<T: Interpolate + PartialEq>(track: &Track<T>, timing: Timing) -> Option<Vec<Knot<T>>> {
    let mut knots: Vec<Knot<T>> = Vec::with_capacity(track.len());
    for index in 0..track.len() {
        let (time, value) = (track.times[index], track.values[index]);
        let frame = (time * timing.rate as f32).round();
        if (frame / timing.rate as f32 - time).abs() > 1e-5 || frame < 0.0 || frame as usize >= timing.frames
        {
            return None;
        }
        let frame = frame as u32;
        let is_held =
            track.interpolation == Interpolation::Step || track.held_until.get(index) == Some(&true);
        match knots.last_mut() {
            Some(last) if last.0 == frame => last.2 = value,
            Some(last) if is_held => {
                let before = last.2;
                knots.push((frame, before, value));
            }
            _ => knots.push((frame, value, value)),
        }
    }
    (!knots.is_empty()).then_some(knots)
}

/// Adds points between rotations that are nearly half a turn apart, where rounding would decide which way an engine turns.
fn below_half_turns(track: &Track<Quat>, knots: Vec<Knot<Quat>>, timing: Timing) -> Vec<Knot<Quat>> {
    /// The cosine of half of 150 degrees.
    const MIN_COSINE: f32 = 0.258_819;
    let mut all: Vec<Knot<Quat>> = Vec::with_capacity(knots.len());
    for knot in knots {
        if let Some((frame, _, from)) = all.last().copied()
            && unit(from).dot(unit(knot.1)).abs() < MIN_COSINE
            && knot.0 > frame + 1
            && let middle = frame.midpoint(knot.0)
            && let Some(value) = track.sample(middle as f32 / timing.rate as f32)
        {
            all.push((middle, value, value));
        }
        all.push(knot);
    }
    all
}

/// Keys of points; a jump after a held value is one key, any other jump two.
pub(super) fn keyed<const N: usize>(points: impl Iterator<Item = (u32, [f32; N], [f32; N])>) -> Numbers {
    let (mut keys, mut values): (Vec<Key>, Vec<f32>) = (Vec::new(), Vec::new());
    let mut last: Option<[f32; N]> = None;
    for (frame, before, after) in points {
        // The first key has to be at the start.
        if last.is_none() && frame > 0 {
            keys.push(Key { frame: 0, step: false });
            values.extend(before);
            last = Some(before);
        }
        let jumps = before != after;
        let is_held = jumps && last == Some(before);
        if jumps && !is_held {
            keys.push(Key { frame, step: false });
            values.extend(before);
        }
        keys.push(Key { frame, step: is_held });
        values.extend(after);
        last = Some(after);
    }
    Numbers::Keys(keys, values)
}
