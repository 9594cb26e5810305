//! Clips to animations: raw, with time codes, or as differences.
//!
//! A channel has the difference from the base pose: `t' = q0⁻¹ (t - t0)` and `q' = q0⁻¹ q`. Constant factors commute with both
//! interpolations, so the keys of a track are the keys of its channels.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use record::zerocopy::IntoBytes;
use record::{Error, F32, Node, U16, U32, build};
use scene::{
    Clip, ClipId, Curve, Interpolation, MeshProperty, Moment, NodeProperty, Target, Track, Transform,
};
use w3d::codec::{Key, Width, encode_deltas, encode_keys};
use w3d::names::{BitChannelType, BitChannelType8, ChannelType, ChannelType8, Flavor, Version};
use w3d::records::{
    AdaptiveDeltaChannel, AnimationChannel, AnimationHeader, BitChannel, CompressedAnimationHeader,
    CompressedBitChannel, TimeCodedChannel,
};
use w3d::table;

use super::plan::{Place, rigid};
use super::{Author, Compress, chars, refuse, space};

/// A point of a track: what the stretch before ends with, and what the one after starts with.
type Knot<T> = (u32, T, T);

/// The numbers of a channel.
enum Numbers {
    /// For each frame.
    Frames(Vec<f32>),
    /// The keys of the source.
    Keys(Vec<Key>, Vec<f32>),
}

/// A channel to write.
struct Channel {
    pivot: usize,
    target: ChannelType,
    components: usize,
    numbers: Numbers,
}

/// What is shown and hidden.
struct Switches {
    pivot: usize,
    /// For each frame.
    shown: Vec<bool>,
}

/// How far a sampled pose may be from the rest pose by rounding alone, as a share of the model's size or of a unit rotation.
const ROUNDING: f32 = 2e-6;

/// The clock of a clip.
#[derive(Clone, Copy)]
struct Timing {
    frames: usize,
    rate: u32,
}

impl Timing {
    fn seconds(self, frame: usize) -> f32 {
        frame as f32 / self.rate as f32
    }

    fn times(self) -> impl Iterator<Item = f32> {
        (0..self.frames).map(move |frame| self.seconds(frame))
    }
}

/// How a channel's numbers are stored.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Raw,
    Keys,
    Deltas,
}

impl Author<'_> {
    /// The animations of all clips with their labels.
    pub(super) fn animations(&mut self) -> Result<Vec<(String, Node<'static>)>, Error> {
        let scene = self.scene;
        let mut labels = super::labels::Labels::default();
        let mut animations = Vec::new();
        if self.plan.models.is_empty() {
            return Ok(animations);
        }
        for (at, clip) in scene.clips.iter().enumerate() {
            let label = labels.unique(&clip.name, "ANIMATION");
            if label != clip.name {
                self.assumed(&clip.name, format!("the clip is named {label}"));
            }
            let timing = self.timing(clip)?;
            for model in self.models_of(clip) {
                let node = self.animation(ClipId::from(at), clip, model, &label, timing);
                animations.push((label.clone(), node));
            }
            if !clip.events.is_empty() {
                self.lost(&clip.name, "events: the game's own files have them");
            }
        }
        Ok(animations)
    }

    fn timing(&self, clip: &Clip) -> Result<Timing, Error> {
        let rate = clip.frame_rate.filter(|rate| *rate >= 1.0).unwrap_or(self.options.frame_rate as f32);
        let rate = (rate.round() as u32).clamp(1, 1000);
        let frames = (clip.duration.max(0.0) * rate as f32).round() as usize + 1;
        if frames > 65_535 {
            return Err(refuse(format!(
                "the clip {:?} has {frames} frames; the format has 65,535: divide it, or lower its frame rate",
                clip.name
            )));
        }
        Ok(Timing { frames, rate })
    }

    /// The models that a clip moves; the first if it moves none.
    fn models_of(&self, clip: &Clip) -> Vec<usize> {
        let mut models: Vec<usize> = clip
            .channels
            .iter()
            .filter_map(|channel| match channel.target {
                Target::Node(node, _) => match self.place_of(node) {
                    Place::Pivot(model, _) => Some(model),
                    _ => None,
                },
                Target::Mesh(mesh, _) => match self.plan.meshes.get(mesh.index()) {
                    Some(Place::Pivot(model, _)) => Some(*model),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        models.sort_unstable();
        models.dedup();
        if models.is_empty() {
            models.push(0);
        }
        models
    }

    fn animation(
        &mut self,
        id: ClipId,
        clip: &Clip,
        model: usize,
        label: &str,
        timing: Timing,
    ) -> Node<'static> {
        let is_node = |target: Target| matches!(target, Target::Node(..));
        let is_direct = !self.plan.is_scaled
            && !self.scene.global_channels.iter().any(|global| is_node(global.channel.target))
            && clip
                .channels
                .iter()
                .filter(|channel| is_node(channel.target))
                .all(|channel| is_straight(&channel.curve));
        let mut exact = false;
        let mut channels = if is_direct {
            let wants_keys = self.options.compress == Compress::Lossless;
            exact = wants_keys && self.has_jumps(clip, model, timing);
            self.direct(clip, model, timing, exact)
        } else {
            self.sampled(id, model, timing)
        };
        let (switches, fades) = self.visibility(id, model, timing, exact);
        channels.extend(fades);
        let form = match self.options.compress {
            Compress::Lossless if exact => Form::Keys,
            Compress::Lossless | Compress::Raw => Form::Raw,
            Compress::TimeCoded { .. } => Form::Keys,
            Compress::AdaptiveDelta => Form::Deltas,
        };
        self.unwritten_channels(clip);
        let skeleton = self.plan.models[model].skeleton.clone();
        self.animation_chunk(label, &skeleton, timing, form, channels, switches)
    }

    fn unwritten_channels(&mut self, clip: &Clip) {
        let mut lost = 0;
        for channel in &clip.channels {
            lost += usize::from(!matches!(
                channel.target,
                Target::Node(..) | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Visibility)
            ));
        }
        if lost > 0 {
            let what = crate::report::counted(lost, "channel");
            self.lost(
                &clip.name,
                format!("{what} of colours, textures, lights or emitters, which W3D cannot animate"),
            );
        }
    }

    /// Whether a track jumps, which raw channels cannot say.
    fn has_jumps(&self, clip: &Clip, model: usize, timing: Timing) -> bool {
        fn jumps<T: scene::Interpolate + PartialEq>(track: &Track<T>, timing: Timing) -> bool {
            knots(track, timing).is_some_and(|knots| knots.iter().any(|(_, before, after)| before != after))
        }
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

    /// Channels from the tracks of nodes.
    fn direct(&self, clip: &Clip, model: usize, timing: Timing, exact: bool) -> Vec<Channel> {
        let mut channels = Vec::new();
        for channel in &clip.channels {
            let Target::Node(node, property) = channel.target else { continue };
            let Place::Pivot(of, pivot) = self.place_of(node) else { continue };
            if of != model || pivot == 0 || self.plan.carriers.contains(&node) {
                continue;
            }
            let rest = self.plan.models[model].pivots[pivot].rest;
            let back = rest.rotation.inverse();
            match (property, &channel.curve) {
                (NodeProperty::Translation, Curve::Vector(track)) => {
                    let moved = |value: Vec3| axes(back * (value - rest.translation));
                    let keys = exact.then(|| knots(track, timing)).flatten();
                    for (axis, target) in
                        [ChannelType::X, ChannelType::Y, ChannelType::Z].into_iter().enumerate()
                    {
                        let numbers = if let Some(keys) = &keys {
                            keyed(keys.iter().map(|(frame, before, after)| {
                                (*frame, vec![moved(*before)[axis]], vec![moved(*after)[axis]])
                            }))
                        } else {
                            let value = |time| moved(track.sample(time).unwrap_or(rest.translation))[axis];
                            Numbers::Frames(timing.times().map(value).collect())
                        };
                        channels.push(Channel { pivot, target, components: 1, numbers });
                    }
                }
                (NodeProperty::Rotation, Curve::Rotation(track)) => {
                    let turned = |value: Quat| space::turn(back * unit(value)).to_vec();
                    let keys = exact.then(|| knots(track, timing)).flatten();
                    let numbers = if let Some(keys) = keys {
                        keyed(
                            keys.iter()
                                .map(|(frame, before, after)| (*frame, turned(*before), turned(*after))),
                        )
                    } else {
                        let values = timing.times().map(|time| track.sample(time).unwrap_or(rest.rotation));
                        Numbers::Frames(smooth(values.map(turned)))
                    };
                    channels.push(Channel { pivot, target: ChannelType::Q, components: 4, numbers });
                }
                _ => {}
            }
        }
        channels
    }

    /// Channels from poses: scale, global sequences and curves end up in translations and rotations.
    fn sampled(&self, clip: ClipId, model: usize, timing: Timing) -> Vec<Channel> {
        let pivots = &self.plan.models[model].pivots;
        let mut moved: Vec<[Vec<f32>; 3]> = vec![Default::default(); pivots.len()];
        let mut turned: Vec<Vec<[f32; 4]>> = vec![Vec::new(); pivots.len()];
        let mut pose = scene::Pose::default();
        for time in timing.times() {
            self.sampler
                .sample(&Moment { clip: Some(clip), time, clock: time, ..Moment::default() }, &mut pose);
            let mut worlds = Vec::with_capacity(pivots.len());
            for (at, pivot) in pivots.iter().enumerate() {
                let parent = pivot.parent.map_or(glam::Affine3A::IDENTITY, |parent| worlds[parent]);
                let posed = pivot.node.filter(|_| at > 0).and_then(|node| pose.worlds.get(node.index()));
                let world = posed.map_or(parent, |world| rigid(*world));
                worlds.push(world);
                let (_, rotation, translation) = (parent.inverse() * world).to_scale_rotation_translation();
                let local = Transform { translation, rotation, ..Transform::IDENTITY };
                let back = pivot.rest.rotation.inverse();
                for (axis, value) in
                    axes(back * (local.translation - pivot.rest.translation)).into_iter().enumerate()
                {
                    moved[at][axis].push(value);
                }
                turned[at].push(space::turn(back * unit(local.rotation)));
            }
        }
        let mut channels = Vec::new();
        let size = self.scene.rest_bounds().map_or(1.0, |bounds| bounds.radius.max(1e-3));
        for (pivot, (moved, turned)) in moved.into_iter().zip(turned).enumerate().skip(1) {
            if pivots[pivot].node.is_none() {
                continue;
            }
            for (target, values) in [ChannelType::X, ChannelType::Y, ChannelType::Z].into_iter().zip(moved) {
                // Products of matrices are never exactly the rest pose.
                if values.iter().any(|value| value.abs() > ROUNDING * size) {
                    channels.push(Channel { pivot, target, components: 1, numbers: Numbers::Frames(values) });
                }
            }
            if turned.iter().flat_map(|[x, y, z, _]| [x, y, z]).all(|part| part.abs() <= ROUNDING) {
                continue;
            }
            let values = smooth(turned.into_iter().map(|turn| turn.to_vec()));
            channels.push(Channel {
                pivot,
                target: ChannelType::Q,
                components: 4,
                numbers: Numbers::Frames(values),
            });
        }
        channels
    }

    /// What pivots show, as switches and as degrees.
    fn visibility(
        &mut self,
        id: ClipId,
        model: usize,
        timing: Timing,
        exact: bool,
    ) -> (Vec<Switches>, Vec<Channel>) {
        let clip = &self.scene.clips[id.index()];
        let mut curves: BTreeMap<usize, Vec<Vec<f32>>> = BTreeMap::new();
        let mut fades = Vec::new();
        let degrees = |curve: &Curve, rest: f32| -> Vec<f32> {
            let value = |time| match curve.sample(time) {
                Some(scene::Value::Flag(shown)) => f32::from(u8::from(shown)),
                Some(scene::Value::Scalar(degree)) => degree,
                _ => rest,
            };
            timing.times().map(value).collect()
        };
        let globals = self.scene.global_channels.iter().map(|global| &global.channel);
        for channel in clip.channels.iter().chain(globals) {
            match channel.target {
                Target::Node(node, NodeProperty::Visibility) if !self.plan.carriers.contains(&node) => {
                    let Place::Pivot(of, pivot) = self.place_of(node) else { continue };
                    if of != model || pivot == 0 {
                        continue;
                    }
                    let rest = self.scene.nodes.get(node.index()).is_none_or(|node| node.visible);
                    match &channel.curve {
                        Curve::Scalar(track) if self.limits.fading => {
                            let keys = exact.then(|| knots(track, timing)).flatten();
                            let numbers = keys.map_or_else(
                                || Numbers::Frames(degrees(&channel.curve, f32::from(u8::from(rest)))),
                                |keys| keyed(keys.into_iter().map(|(frame, a, b)| (frame, vec![a], vec![b]))),
                            );
                            fades.push(Channel { pivot, target: ChannelType::VIS, components: 1, numbers });
                        }
                        curve => {
                            curves.entry(pivot).or_default().push(degrees(curve, f32::from(u8::from(rest))));
                        }
                    }
                }
                Target::Mesh(mesh, MeshProperty::Alpha | MeshProperty::Visibility) => {
                    let pivots = &self.plan.models[model].pivots;
                    let Some(pivot) = pivots.iter().position(|pivot| pivot.mesh == Some(mesh)) else {
                        continue;
                    };
                    curves.entry(pivot).or_default().push(degrees(&channel.curve, 1.0));
                }
                _ => {}
            }
        }
        for (pivot, shown) in self.vanished(id, model, timing) {
            curves.entry(pivot).or_default().push(shown);
        }
        // What is hidden at rest stays so in clips that say nothing.
        for (pivot, entry) in self.plan.models[model].pivots.iter().enumerate().skip(1) {
            let node = entry.node.and_then(|node| self.scene.nodes.get(node.index()));
            let mesh = entry.mesh.and_then(|mesh| self.scene.meshes.get(mesh.index()));
            let is_hidden =
                node.is_some_and(|node| !node.visible) || mesh.is_some_and(|mesh| mesh.alpha <= 0.0);
            if is_hidden && !curves.contains_key(&pivot) {
                curves.insert(pivot, vec![vec![0.0; timing.frames]]);
            }
        }
        let is_partial = |value: &f32| *value > 1.0 / 255.0 && *value < 1.0 - 1.0 / 255.0;
        if curves.values().flatten().flatten().any(is_partial) {
            self.lost(
                &clip.name,
                "fading: the game's visibility is on or off; what fades is shown until it is gone",
            );
        }
        let switches = curves.into_iter().map(|(pivot, curves)| {
            let shown = |frame: usize| curves.iter().all(|curve| curve[frame] > 1.0 / 255.0);
            Switches { pivot, shown: (0..timing.frames).map(shown).collect() }
        });
        (switches.filter(|switches| switches.shown.contains(&false)).collect(), fades)
    }

    /// For each pivot of a mesh that shrinks to nothing, whether it is there at each frame.
    fn vanished(&self, clip: ClipId, model: usize, timing: Timing) -> Vec<(usize, Vec<f32>)> {
        let pivots = self.plan.models[model].pivots.iter().enumerate();
        let mut found: Vec<(usize, &[scene::NodeId], Vec<f32>)> = pivots
            .filter_map(|(at, pivot)| {
                Some((at, self.plan.vanishing.get(&pivot.mesh?)?.as_slice(), Vec::new()))
            })
            .collect();
        if found.is_empty() {
            return Vec::new();
        }
        let mut pose = scene::Pose::default();
        for time in timing.times() {
            self.sampler
                .sample(&Moment { clip: Some(clip), time, clock: time, ..Moment::default() }, &mut pose);
            let is_gone = |node: &scene::NodeId| {
                pose.worlds.get(node.index()).is_some_and(|world| {
                    let axes = [world.matrix3.x_axis, world.matrix3.y_axis, world.matrix3.z_axis];
                    axes.iter().all(|axis| axis.length() <= super::plan::NOTHING)
                })
            };
            for (_, nodes, shown) in &mut found {
                shown.push(if nodes.iter().all(is_gone) { 0.0 } else { 1.0 });
            }
        }
        found.into_iter().map(|(pivot, _, shown)| (pivot, shown)).collect()
    }

    fn animation_chunk(
        &self,
        label: &str,
        skeleton: &str,
        timing: Timing,
        form: Form,
        channels: Vec<Channel>,
        switches: Vec<Switches>,
    ) -> Node<'static> {
        let frames = U32::new(u32::try_from(timing.frames).unwrap_or(u32::MAX));
        if form == Form::Raw {
            let header = AnimationHeader {
                version: Version::new(4, 1),
                name: chars(label),
                hierarchy_name: chars(skeleton),
                num_frames: frames,
                frame_rate: U32::new(timing.rate),
            };
            let mut chunks = vec![build(table::ANIMATION_HEADER, &header)];
            chunks.extend(channels.iter().filter_map(raw_channel));
            chunks.extend(switches.iter().map(bit_channel));
            return build(table::ANIMATION, chunks);
        }
        let header = CompressedAnimationHeader {
            version: Version::new(0, 1),
            name: chars(label),
            hierarchy_name: chars(skeleton),
            num_frames: frames,
            frame_rate: U16::new(u16::try_from(timing.rate).unwrap_or(u16::MAX)),
            flavor: if form == Form::Deltas { Flavor::ADAPTIVE_DELTA } else { Flavor::TIMECODED },
        };
        let mut chunks = vec![build(table::COMPRESSED_ANIMATION_HEADER, &header)];
        for channel in &channels {
            chunks.extend(if form == Form::Deltas {
                delta_channel(channel)
            } else {
                self.key_channel(channel)
            });
        }
        chunks.extend(switches.iter().map(switch_channel));
        build(table::COMPRESSED_ANIMATION, chunks)
    }

    fn key_channel(&self, channel: &Channel) -> Option<Node<'static>> {
        let (distance, angle) = match self.options.compress {
            // Half the angle is what a quaternion's parts have.
            Compress::TimeCoded { distance, degrees } => (distance, (degrees.to_radians() * 0.5).sin()),
            _ => (0.0, 0.0),
        };
        let tolerance = if channel.components == 4 { angle } else { distance };
        let (keys, values) = match &channel.numbers {
            Numbers::Frames(values) => {
                let (keys, values, _) = encode_keys(channel.components, values, tolerance);
                (keys, values)
            }
            Numbers::Keys(keys, values) => (keys.clone(), values.clone()),
        };
        let is_still = |value: &[f32]| is_identity(channel, value, tolerance);
        if keys.is_empty() || values.chunks_exact(channel.components).all(is_still) {
            return None;
        }
        let header = TimeCodedChannel {
            num_time_codes: U32::new(keys.len() as u32),
            pivot: U16::new(channel.pivot as u16),
            vector_len: channel.components as u8,
            flags: ChannelType8::new(channel.target.get() as u8),
        };
        let mut body = Vec::new();
        for (key, value) in keys.iter().zip(values.chunks_exact(channel.components)) {
            let code = key.frame | if key.step { 0x8000_0000 } else { 0 };
            body.extend(code.to_le_bytes());
            body.extend(value.iter().flat_map(|number| number.to_le_bytes()));
        }
        Some(build(table::COMPRESSED_ANIMATION_CHANNEL, (&header, &body[..])))
    }
}

/// A value that moves nothing.
fn is_identity(channel: &Channel, value: &[f32], tolerance: f32) -> bool {
    match value {
        [number] if channel.target == ChannelType::VIS => *number == 1.0,
        [x, y, z, w] => {
            [x, y, z].into_iter().all(|part| part.abs() <= tolerance) && (w.abs() - 1.0).abs() <= tolerance
        }
        value => value.iter().all(|number| number.abs() <= tolerance),
    }
}

/// The values of each frame.
fn every_frame(channel: &Channel) -> &[f32] {
    match &channel.numbers {
        Numbers::Frames(values) | Numbers::Keys(_, values) => values,
    }
}

/// Outside its frames a raw channel moves nothing, so those at both ends that move nothing are left out.
fn raw_channel(channel: &Channel) -> Option<Node<'static>> {
    let values = every_frame(channel);
    let is_still = |value: &[f32]| is_identity(channel, value, 0.0);
    let frames: Vec<&[f32]> = values.chunks_exact(channel.components).collect();
    let first = frames.iter().position(|value| !is_still(value))?;
    let last = frames.iter().rposition(|value| !is_still(value))?;
    let header = AnimationChannel {
        first_frame: U16::new(first as u16),
        last_frame: U16::new(last as u16),
        vector_len: U16::new(channel.components as u16),
        flags: channel.target,
        pivot: U16::new(channel.pivot as u16),
        pad: U16::new(0),
    };
    let body: Vec<F32> = frames[first..=last].concat().into_iter().map(F32::new).collect();
    Some(build(table::ANIMATION_CHANNEL, (&header, body.as_bytes())))
}

fn delta_channel(channel: &Channel) -> Option<Node<'static>> {
    let values = every_frame(channel);
    if values.chunks_exact(channel.components).all(|value| is_identity(channel, value, 0.0)) {
        return None;
    }
    let deltas = encode_deltas(Width::Four, channel.components, values);
    let frames = values.len() / channel.components;
    let header = AdaptiveDeltaChannel {
        num_frames: U32::new(frames as u32),
        pivot: U16::new(channel.pivot as u16),
        vector_len: channel.components as u8,
        flags: ChannelType8::new(channel.target.get() as u8),
        scale: F32::new(deltas.scale),
    };
    let mut body: Vec<u8> =
        values[..channel.components].iter().flat_map(|value| value.to_le_bytes()).collect();
    body.extend(deltas.packets);
    Some(build(table::ADAPTIVE_DELTA_CHANNEL, (&header, &body[..])))
}

fn bit_channel(switches: &Switches) -> Node<'static> {
    let first = switches.shown.iter().position(|shown| !shown).unwrap_or(0);
    let last = switches.shown.iter().rposition(|shown| !shown).unwrap_or(0);
    let header = BitChannel {
        first_frame: U16::new(first as u16),
        last_frame: U16::new(last as u16),
        flags: BitChannelType::VIS,
        pivot: U16::new(switches.pivot as u16),
        default_val: 1,
    };
    let bits = switches.shown[first..=last].chunks(8);
    let bytes = bits.map(|bits| bits.iter().rev().fold(0_u8, |byte, bit| byte << 1 | u8::from(*bit)));
    build(table::BIT_CHANNEL, (&header, &bytes.collect::<Vec<u8>>()[..]))
}

fn switch_channel(switches: &Switches) -> Node<'static> {
    let mut words: Vec<U32> = Vec::new();
    for (frame, shown) in (0_u32..).zip(&switches.shown) {
        let before = frame.checked_sub(1).map(|before| switches.shown[before as usize]);
        if before != Some(*shown) {
            words.push(U32::new(frame | if *shown { 0x8000_0000 } else { 0 }));
        }
    }
    let header = CompressedBitChannel {
        num_time_codes: U32::new(words.len() as u32),
        pivot: U16::new(switches.pivot as u16),
        flags: BitChannelType8::VIS,
        default_val: 1,
    };
    build(table::COMPRESSED_BIT_CHANNEL, (&header, words.as_bytes()))
}

/// Along W3D's axes.
fn axes(vector: Vec3) -> [f32; 3] {
    space::vector(vector).get()
}

fn unit(rotation: Quat) -> Quat {
    let unit = rotation.normalize();
    if unit.is_finite() { unit } else { Quat::IDENTITY }
}

/// Rotations of which none is on the other side of its neighbour.
fn smooth(values: impl Iterator<Item = Vec<f32>>) -> Vec<f32> {
    let mut all: Vec<f32> = Vec::new();
    for mut value in values {
        if let Some(before) = all.last_chunk::<4>() {
            let dot: f32 = before.iter().zip(&value).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                value.iter_mut().for_each(|part| *part = -*part);
            }
        }
        all.extend(value);
    }
    all
}

/// Whether frames say all that a curve does.
fn is_straight(curve: &Curve) -> bool {
    fn is<T>(track: &Track<T>) -> bool {
        matches!(track.interpolation, Interpolation::Step | Interpolation::Linear)
            && !matches!(track.outside, scene::Outside::Wrap { .. })
    }
    match curve {
        Curve::Vector(track) => is(track),
        Curve::Rotation(track) => is(track),
        _ => true,
    }
}

/// The points of a track, if all are on frames.
fn knots<T: scene::Interpolate + PartialEq>(track: &Track<T>, timing: Timing) -> Option<Vec<Knot<T>>> {
    let mut knots: Vec<Knot<T>> = Vec::with_capacity(track.len());
    for at in 0..track.len() {
        let (time, value) = (track.times[at], track.values[at]);
        let frame = (time * timing.rate as f32).round();
        if (frame / timing.rate as f32 - time).abs() > 1e-5 || frame < 0.0 || frame as usize >= timing.frames
        {
            return None;
        }
        let frame = frame as u32;
        let is_held = track.interpolation == Interpolation::Step || track.held_until.get(at) == Some(&true);
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

/// Keys of points; a jump after a held value is one key, any other jump two.
fn keyed(points: impl Iterator<Item = (u32, Vec<f32>, Vec<f32>)>) -> Numbers {
    let (mut keys, mut values): (Vec<Key>, Vec<f32>) = (Vec::new(), Vec::new());
    let mut last: Option<Vec<f32>> = None;
    for (frame, before, after) in points {
        // The first key has to be at the start.
        if last.is_none() && frame > 0 {
            keys.push(Key { frame: 0, step: false });
            values.extend(&before);
            last = Some(before.clone());
        }
        let jumps = before != after;
        let is_held = jumps && last.as_ref() == Some(&before);
        if jumps && !is_held {
            keys.push(Key { frame, step: false });
            values.extend(&before);
        }
        keys.push(Key { frame, step: is_held });
        values.extend(&after);
        last = Some(after);
    }
    Numbers::Keys(keys, values)
}
