//! Clips and global sequences as animations.

use super::{
    Exporter, GlobalSequences,
    buffers::{Buffers, Element, List, View},
    curve::{self, Animated, Keys, Mode, Span},
    extras,
    json::Json,
    node::{local, looking},
    resample::resample,
};
use glam::{Quat, Vec3};
use scene::{
    CameraId, CameraProperty, Channel, Clip, ClipId, Curve, GlobalChannel, GlobalSequence, Moment, NodeId,
    NodeProperty, Pose, Sampler, Scene, Target, Transform, Value,
};
use zerocopy::{Immutable, IntoBytes};

/// A channel and the clock it runs on.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) channel: &'a Channel,
    /// Of a global sequence.
    pub(super) period: Option<f32>,
}

impl Source<'_> {
    /// The value at a time of the animation, or nothing if no key speaks for it.
    pub(super) fn sample(&self, time: f32) -> Option<Value> {
        match self.period {
            Some(duration) => {
                let sequence = GlobalSequence { duration };
                self.channel.curve.sample_global(sequence.local_time(time), duration)
            }
            None => self.channel.curve.sample(time),
        }
    }
}

/// An animation in the making.
#[derive(Default)]
pub(super) struct Animation {
    samplers: List,
    channels: List,
    /// When it ends.
    pub(super) duration: f32,
}

impl Animation {
    /// Adds a sampler and a channel for it.
    pub(super) fn push<T: Copy + IntoBytes + Immutable>(
        &mut self,
        buffers: &mut Buffers,
        element: Element,
        keys: &mut Keys<T>,
        zero: T,
        target: impl FnOnce(&mut Json),
    ) {
        // An animation is as long as its longest channel, so one of them lasts.
        if self.channels.len() == 0 {
            keys.extend_to(self.duration, zero);
        }
        let input = buffers.push_times(&keys.times);
        let output = buffers.push(View::Keys, element, &keys.values);
        let sampler = self.samplers.push(|json| {
            json.field("input", &input);
            json.field("output", &output);
            if keys.mode != Mode::Linear {
                json.field("interpolation", keys.mode.name());
            }
        });
        self.channels.push(|json| {
            json.field("sampler", &sampler);
            json.object_field("target", target);
        });
    }

    fn is_empty(&self) -> bool {
        self.channels.len() == 0
    }
}

fn node_target(node: u32, path: &'static str) -> impl FnOnce(&mut Json) {
    move |json| {
        json.field("node", &node);
        json.field("path", path);
    }
}

impl Exporter<'_> {
    pub(super) fn write_animations(&mut self) {
        let scene = self.scene;
        let baked = self.options.global_sequences == GlobalSequences::Bake;
        for (index, clip) in scene.clips.iter().enumerate() {
            let globals = scene.global_channels.iter().filter(|_| baked).filter_map(|global| {
                let sequence = scene.global_sequences.get(global.sequence.index())?;
                Some(Source { channel: &global.channel, period: Some(sequence.duration) })
            });
            let own = clip.channels.iter().map(|channel| Source { channel, period: None });
            let sources: Vec<_> = globals.chain(own).collect();
            let duration = if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 };
            let moment = move |time: f32| Moment {
                clip: Some(ClipId::from(index)),
                time,
                clock: if baked { time } else { 0.0 },
                view: None,
            };
            self.write_animation(&clip.name, duration, &sources, Some(clip), &moment);
        }
        for (index, sequence) in scene.global_sequences.iter().enumerate().filter(|_| !baked) {
            let sources: Vec<_> = scene
                .global_channels
                .iter()
                .filter(|global| global.sequence.index() == index)
                .map(|global| Source { channel: &global.channel, period: Some(sequence.duration) })
                .collect();
            if !sources.is_empty() {
                let duration = if sequence.duration.is_finite() { sequence.duration.max(0.0) } else { 0.0 };
                // At its very end a sequence has already started again.
                let moment =
                    move |time: f32| Moment { clock: time.min(duration.next_down()), ..Moment::default() };
                self.write_animation(&format!("global {index}"), duration, &sources, None, &moment);
            }
        }
    }

    fn write_animation(
        &mut self,
        name: &str,
        duration: f32,
        sources: &[Source<'_>],
        clip: Option<&Clip>,
        moment: &dyn Fn(f32) -> Moment,
    ) {
        let mut animation = Animation { duration, ..Animation::default() };
        let mut left: Vec<&Channel> = Vec::new();
        // Of two channels for one thing the later wins.
        let mut taken = vec![0_u8; self.scene.nodes.len()];
        let mut times: Vec<Vec<f32>> = Vec::new();
        let resamples = (0..self.scene.nodes.len()).any(|node| self.is_resampled(NodeId::from(node)));
        if resamples {
            times.resize(self.scene.nodes.len(), Vec::new());
        }
        let mut rest_of = Vec::new();
        for source in sources.iter().rev() {
            match source.channel.target {
                Target::Node(node, property) if property != NodeProperty::Visibility => {
                    let Some(taken) = taken.get_mut(node.index()) else { continue };
                    let bit = 1 << property as u8;
                    if std::mem::replace(taken, *taken | bit) & bit == 0 {
                        let found = self.write_node_channel(&mut animation, source, node, property);
                        if let (Some(times), Some(found)) = (times.get_mut(node.index()), found) {
                            times.extend(found);
                        }
                    }
                }
                _ => rest_of.push(*source),
            }
        }
        rest_of.reverse();
        if resamples {
            self.write_resampled_nodes(&mut animation, times, moment);
        }
        if !rest_of.is_empty() {
            self.write_cameras_motion(&mut animation, &rest_of);
            self.write_visibility(&mut animation, &rest_of);
            let pointed = self.write_pointers(&mut animation, &rest_of);
            left.extend(
                rest_of.iter().zip(pointed).filter(|(_, said)| !said).map(|(source, _)| source.channel),
            );
        }
        self.report.extras_channels += left.len();
        if animation.is_empty() {
            // glTF has no animation without channels: a node that stays where it is keeps the name and the length.
            let Some(node) = self.nodes.all.first() else { return };
            let mut keys = Keys::constant(node.transform.translation);
            let target = node_target(0, "translation");
            animation.push(&mut self.buffers, Element::F32x3, &mut keys, Vec3::ZERO, target);
        }
        self.animations.push(|json| {
            json.text("name", name);
            animation.channels.finish("channels", json);
            animation.samplers.finish("samplers", json);
            extras::animation(json, self.scene, clip, duration, &left);
        });
    }

    /// Writes a channel, and returns its times if somebody will want them.
    fn write_node_channel(
        &mut self,
        animation: &mut Animation,
        source: &Source<'_>,
        node: NodeId,
        property: NodeProperty,
    ) -> Option<Vec<f32>> {
        let rest = self.scene.nodes[node.index()].rest;
        match (property, &source.channel.curve) {
            (NodeProperty::Translation, Curve::Vector(track)) => {
                self.write_track(animation, source, track, rest.translation, (node, property), "translation")
            }
            (NodeProperty::Scale, Curve::Vector(track)) => {
                self.write_track(animation, source, track, rest.scale, (node, property), "scale")
            }
            (NodeProperty::Rotation, Curve::Rotation(track)) => {
                self.write_track(animation, source, track, rest.rotation, (node, property), "rotation")
            }
            _ => None,
        }
    }

    fn write_track<T: Animated + IntoBytes + Immutable>(
        &mut self,
        animation: &mut Animation,
        source: &Source<'_>,
        track: &scene::Track<T>,
        rest: T,
        (node, property): (NodeId, NodeProperty),
        path: &'static str,
    ) -> Option<Vec<f32>> {
        let span = Span { duration: animation.duration, period: source.period };
        let tolerance = curve::tolerance(&self.options.tolerance, self.size, property);
        let mut keys = curve::keys(track, rest, span, tolerance, &mut self.report.repaired_numbers)?;
        if !self.is_resampled(node) {
            self.report.resampled_channels += usize::from(keys.resampled);
            let element = if size_of::<T>() == 16 { Element::F32x4 } else { Element::F32x3 };
            animation.push(&mut self.buffers, element, &mut keys, T::ZERO, node_target(node.0, path));
        }
        Some(keys.times)
    }

    /// Nodes that do not follow their parents as glTF's do: their motion against them is worked out.
    fn write_resampled_nodes(
        &mut self,
        animation: &mut Animation,
        mut times: Vec<Vec<f32>>,
        moment: &dyn Fn(f32) -> Moment,
    ) {
        let hierarchy = self.nodes.hierarchy.clone();
        let clip = moment(0.0).clip;
        let mut pose = Pose::default();
        // What moves a node's ancestors moves the node.
        for &node in &hierarchy.order {
            if let Some(parent) = hierarchy.parents[node.index()] {
                let inherited = times[parent.index()].clone();
                times[node.index()].extend(inherited);
            }
        }
        for &node in &hierarchy.order {
            let has_parent = hierarchy.parents[node.index()].is_some();
            if !has_parent || !self.is_resampled(node) || times[node.index()].is_empty() {
                continue;
            }
            let mut seeds = std::mem::take(&mut times[node.index()]);
            seeds.extend([0.0, animation.duration]);
            seeds.retain(|time| *time <= animation.duration);
            let rest = self.nodes.all[node.index()].transform;
            let sampler = Sampler::new(lineage(self.scene, &hierarchy.parents, node, clip));
            let (moments, transforms) = resample(seeds, &self.options.tolerance, self.size, &mut |time| {
                let clip = clip.map(|_| ClipId::from(0));
                sampler.sample(&Moment { clip, ..moment(time) }, &mut pose);
                let [.., parent, node] = pose.worlds.as_slice() else { return rest };
                local(parent, node).unwrap_or(rest)
            });
            self.write_transforms(animation, node.0, &moments, &transforms, rest);
        }
    }

    /// A node's sampled motion, in as many channels as it takes.
    fn write_transforms(
        &mut self,
        animation: &mut Animation,
        node: u32,
        times: &[f32],
        transforms: &[Transform],
        rest: Transform,
    ) {
        self.report.resampled_channels += 1;
        let transforms: Vec<Transform> =
            transforms.iter().map(|transform| super::sound(transform, &mut self.report)).collect();
        let keys =
            |values: Vec<Vec3>| Keys { mode: Mode::Linear, times: times.to_vec(), values, resampled: true };
        let buffers = &mut self.buffers;
        if transforms.iter().any(|transform| transform.translation != rest.translation) {
            let mut keys = keys(transforms.iter().map(|transform| transform.translation).collect());
            animation.push(buffers, Element::F32x3, &mut keys, Vec3::ZERO, node_target(node, "translation"));
        }
        if transforms.iter().any(|transform| transform.rotation != rest.rotation) {
            let values: Vec<Quat> = transforms.iter().map(|transform| transform.rotation).collect();
            let mut keys = Keys { mode: Mode::Linear, times: times.to_vec(), values, resampled: true };
            animation.push(buffers, Element::F32x4, &mut keys, Quat::ZERO, node_target(node, "rotation"));
        }
        if transforms.iter().any(|transform| transform.scale != rest.scale) {
            let mut keys = keys(transforms.iter().map(|transform| transform.scale).collect());
            animation.push(buffers, Element::F32x3, &mut keys, Vec3::ZERO, node_target(node, "scale"));
        }
    }

    /// Cameras have an eye and a target, glTF's a place and a rotation.
    fn write_cameras_motion(&mut self, animation: &mut Animation, sources: &[Source<'_>]) {
        for (index, camera) in self.scene.cameras.iter().enumerate() {
            let find = |property: CameraProperty| {
                let target = Target::Camera(CameraId::from(index), property);
                sources.iter().rev().find(|source| source.channel.target == target)
            };
            let [eye, target, roll] =
                [CameraProperty::Translation, CameraProperty::TargetTranslation, CameraProperty::Roll]
                    .map(find);
            let moving: Vec<_> = [eye, target, roll].into_iter().flatten().collect();
            let Some(&node) = self.nodes.cameras.get(index).filter(|_| !moving.is_empty()) else { continue };
            let vector = |source: Option<&Source<'_>>, time: f32| match source
                .and_then(|source| source.sample(time))
            {
                Some(Value::Vector(value)) if value.is_finite() => value,
                _ => Vec3::ZERO,
            };
            let seeds = seeds(&moving, animation.duration);
            let (times, transforms) = resample(seeds, &self.options.tolerance, self.size, &mut |time| {
                let roll = match roll.and_then(|source| source.sample(time)) {
                    Some(Value::Scalar(value)) => value,
                    _ => 0.0,
                };
                looking(camera.position + vector(eye, time), camera.target + vector(target, time), roll)
            });
            let rest = self.nodes.all[node as usize].transform;
            self.write_transforms(animation, node, &times, &transforms, rest);
        }
    }
}

/// The times at which something may change in what these channels move: their keys, and the moments just before those that jump.
pub(super) fn seeds(sources: &[&Source<'_>], duration: f32) -> Vec<f32> {
    const MOST: usize = 100_000;
    let mut seeds = vec![0.0, duration];
    for source in sources {
        let times = extras::times(&source.channel.curve);
        let mut add = |time: f32| {
            if time > 0.0 && time <= duration && seeds.len() < MOST {
                seeds.extend([time.next_down(), time]);
            }
        };
        match source.period {
            Some(period) if period > 0.0 => {
                for copy in 0..((duration / period).ceil() as usize).min(MOST / times.len().max(1)) {
                    times.iter().for_each(|time| add(time + copy as f32 * period));
                }
            }
            _ => times.iter().copied().for_each(add),
        }
    }
    seeds
}

/// A target that is named by a pointer.
pub(super) fn pointer_target(pointer: &str) -> impl FnOnce(&mut Json) + use<'_> {
    move |json| {
        json.field("path", "pointer");
        json.object_field("extensions", |json| {
            json.object_field("KHR_animation_pointer", |json| json.field("pointer", pointer));
        });
    }
}

/// A scene of a node and what it hangs on, the node last: to sample one node, the others need not be posed. It has one clip.
fn lineage(scene: &Scene, parents: &[Option<NodeId>], node: NodeId, clip: Option<ClipId>) -> Scene {
    let mut chain: Vec<NodeId> = std::iter::successors(Some(node), |node| parents[node.index()]).collect();
    chain.reverse();
    let moved = |channel: &Channel| {
        let Target::Node(node, property) = channel.target else { return None };
        let at = chain.iter().position(|link| *link == node)?;
        Some(Channel { target: Target::Node(NodeId::from(at), property), curve: channel.curve.clone() })
    };
    let nodes = chain.iter().enumerate().map(|(at, link)| scene::Node {
        parent: at.checked_sub(1).map(NodeId::from),
        ..scene.nodes[link.index()].clone()
    });
    let clip = clip.and_then(|clip| scene.clips.get(clip.index())).map(|clip| Clip {
        duration: clip.duration,
        looping: clip.looping,
        channels: clip.channels.iter().filter_map(moved).collect(),
        ..Clip::default()
    });
    let always = scene.global_channels.iter().filter_map(|global| {
        Some(GlobalChannel { sequence: global.sequence, channel: moved(&global.channel)? })
    });
    Scene {
        nodes: nodes.collect(),
        clips: clip.into_iter().collect(),
        global_sequences: scene.global_sequences.clone(),
        global_channels: always.collect(),
        ..Scene::default()
    }
}
