//! Clips and global sequences as animations.

use crate::{
    Exporter,
    buffers::{Buffers, Element, List},
    changes::Sources,
    curve::{self, Animated, Keys, Mode, Span},
    extras,
    json::Json,
    lineage::{Lineage, Local, Motion},
    node::looking,
    resample::{Between, resample},
};
use glam::{Quat, Vec3};
use scene::{
    CameraId, CameraProperty, Channel, Clip, Curve, GlobalSequence, NodeId, NodeProperty, Target, Transform,
    Value,
};
use std::borrow::Cow;
use zerocopy::{Immutable, IntoBytes};

/// A channel and the clock it runs on.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) channel: &'a Channel,
    /// Of a global sequence.
    pub(crate) period: Option<f32>,
}

impl Source<'_> {
    /// The value at a time of the animation, or nothing if no key speaks for it.
    pub(crate) fn sample(&self, time: f32) -> Option<Value> {
        match self.period {
            Some(duration) => {
                let sequence = GlobalSequence { duration };
                self.channel.curve.sample_global(sequence.local_time(time), duration)
            }
            None => self.channel.curve.sample(time),
        }
    }
}

const KNOWN: usize = 64;
const NOTHING_KNOWN: [(u32, u32, u32); KNOWN] = [(u32::MAX, u32::MAX, 0); KNOWN];

/// An animation in the making.
pub(crate) struct Animation {
    samplers: List,
    channels: List,
    /// Input, output and place of the sampler that was last added for some outputs: what stands still alike shares one.
    known: [(u32, u32, u32); KNOWN],
    /// When it ends.
    pub(crate) duration: f32,
}

impl Animation {
    pub(crate) fn new(duration: f32) -> Self {
        Self { samplers: List::default(), channels: List::default(), known: NOTHING_KNOWN, duration }
    }

    /// Adds a sampler and a channel for it, and returns its times.
    pub(crate) fn push<'a, T: Copy + IntoBytes + Immutable>(
        &mut self,
        buffers: &mut Buffers<'a>,
        element: Element,
        mut keys: Keys<'a, T>,
        zero: T,
        target: impl FnOnce(&mut Json),
    ) -> Cow<'a, [f32]> {
        // An animation is as long as its longest channel, so one of them lasts.
        if self.channels.len() == 0 {
            keys.extend_to(self.duration, zero);
        }
        let input = buffers.push_times(&keys.times);
        let output = buffers.push_values(element, keys.values);
        let known = &mut self.known[output as usize % KNOWN];
        if keys.times.len() > 1 || (known.0, known.1) != (input, output) {
            let sampler = self.samplers.push(|json| {
                json.literal(r#""input":"#);
                json.number(input as usize);
                json.literal(r#","output":"#);
                json.number(output as usize);
                match keys.mode {
                    Mode::Step => json.literal(r#","interpolation":"STEP""#),
                    // It goes without saying.
                    Mode::Linear => {}
                    Mode::Cubic => json.literal(r#","interpolation":"CUBICSPLINE""#),
                }
            });
            *known = (input, output, sampler);
        }
        let sampler = known.2;
        self.channels.push(|json| {
            json.literal(r#""sampler":"#);
            json.number(sampler as usize);
            json.literal(r#","target":{"#);
            target(json);
            json.literal("}");
        });
        keys.times
    }

    fn is_empty(&self) -> bool {
        self.channels.len() == 0
    }
}

/// A target that is a property of a node.
pub(crate) fn node_target(node: u32, property: NodeProperty) -> impl FnOnce(&mut Json) {
    move |json| {
        json.literal(r#""node":"#);
        json.number(node as usize);
        match property {
            NodeProperty::Translation => json.literal(r#","path":"translation""#),
            NodeProperty::Rotation => json.literal(r#","path":"rotation""#),
            NodeProperty::Scale | NodeProperty::Visibility => json.literal(r#","path":"scale""#),
        }
    }
}

impl<'a> Exporter<'a> {
    pub(crate) fn write_animations(&mut self) {
        let scene = self.scene;
        let baked = self.bakes();
        // One after the other in the same memory.
        let mut animation = Animation::new(0.0);
        for clip in &scene.clips {
            let globals = scene.global_channels.iter().filter(|_| baked).filter_map(|global| {
                let sequence = scene.global_sequences.get(global.sequence.index())?;
                Some(Source { channel: &global.channel, period: Some(sequence.duration) })
            });
            let own = clip.channels.iter().map(|channel| Source { channel, period: None });
            let sources: Vec<_> = globals.chain(own).collect();
            animation.duration = if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 };
            let last = animation.duration;
            self.write_animation(&mut animation, &clip.name, last, &sources, Some(clip));
        }
        for (index, sequence) in scene.global_sequences.iter().enumerate().filter(|_| !baked) {
            let sources: Vec<_> = scene
                .global_channels
                .iter()
                .filter(|global| global.sequence.index() == index)
                .map(|global| Source { channel: &global.channel, period: Some(sequence.duration) })
                .collect();
            if !sources.is_empty() {
                animation.duration =
                    if sequence.duration.is_finite() { sequence.duration.max(0.0) } else { 0.0 };
                // At its very end a sequence has already started again.
                let last = animation.duration.next_down();
                self.write_animation(&mut animation, &format!("global {index}"), last, &sources, None);
            }
        }
    }

    /// `last` is the latest time at which the sources still say what belongs to it.
    fn write_animation(
        &mut self,
        animation: &mut Animation,
        name: &str,
        last: f32,
        sources: &[Source<'a>],
        clip: Option<&Clip>,
    ) {
        let mut left: Vec<&Channel> = Vec::new();
        // Of two channels for one thing the later wins.
        let mut taken = vec![0_u8; self.scene.nodes.len()];
        let mut motions = Vec::new();
        if !self.nodes.resampled.is_empty() {
            motions.resize(self.scene.nodes.len(), Motion::default());
        }
        let mut rest_of = Vec::new();
        for source in sources.iter().rev() {
            match source.channel.target {
                Target::Node(node, property) if property != NodeProperty::Visibility => {
                    let Some(taken) = taken.get_mut(node.index()) else { continue };
                    let bit = 1 << property as u8;
                    if std::mem::replace(taken, *taken | bit) & bit != 0 {
                        continue;
                    }
                    let times = self.write_node_channel(animation, source, node, property);
                    if let Some(motion) = motions.get_mut(node.index()) {
                        motion.set(property, *source, times.unwrap_or_default());
                    }
                }
                _ => rest_of.push(*source),
            }
        }
        rest_of.reverse();
        self.write_resampled_nodes(animation, &motions, last);
        if !rest_of.is_empty() {
            let sources = Sources::new(&rest_of);
            self.write_cameras_motion(animation, &rest_of);
            self.write_visibility(animation, &sources);
            let pointed = self.write_pointers(animation, &sources);
            left.extend(
                rest_of.iter().zip(pointed).filter(|(_, said)| !said).map(|(source, _)| source.channel),
            );
        }
        self.report.extras_channels += left.len();
        if animation.is_empty() {
            // glTF has no animation without channels: a node that stays where it is keeps the name and the length.
            let Some(node) = self.nodes.all.first() else { return };
            let keys = Keys::constant(vec![node.transform.translation]);
            let target = node_target(0, NodeProperty::Translation);
            animation.push(&mut self.buffers, Element::F32x3, keys, Vec3::ZERO, target);
        }
        self.finish_animation(name, animation, clip, &left);
    }

    /// Adds what is made and leaves it empty; what of its channels is left goes to extras.
    pub(crate) fn finish_animation(
        &mut self,
        name: &str,
        animation: &mut Animation,
        clip: Option<&Clip>,
        left: &[&Channel],
    ) {
        self.animations.push(|json| {
            json.text("name", name);
            animation.channels.finish("channels", json);
            animation.samplers.finish("samplers", json);
            animation.known = NOTHING_KNOWN;
            extras::animation(json, self.scene, clip, animation.duration, left);
        });
    }

    /// Writes a channel, and returns its times.
    fn write_node_channel(
        &mut self,
        animation: &mut Animation,
        source: &Source<'a>,
        node: NodeId,
        property: NodeProperty,
    ) -> Option<Cow<'a, [f32]>> {
        let rest = self.scene.nodes[node.index()].rest;
        match (property, &source.channel.curve) {
            (NodeProperty::Translation, Curve::Vector(track)) => {
                self.write_track(animation, source, track, rest.translation, (node, property))
            }
            (NodeProperty::Scale, Curve::Vector(track)) => {
                self.write_track(animation, source, track, rest.scale, (node, property))
            }
            (NodeProperty::Rotation, Curve::Rotation(track)) => {
                self.write_track(animation, source, track, rest.rotation, (node, property))
            }
            _ => None,
        }
    }

    fn write_track<T: Animated + IntoBytes + Immutable>(
        &mut self,
        animation: &mut Animation,
        source: &Source<'a>,
        track: &'a scene::Track<T>,
        rest: T,
        (node, property): (NodeId, NodeProperty),
    ) -> Option<Cow<'a, [f32]>> {
        let span = Span { duration: animation.duration, period: source.period };
        let tolerance = curve::tolerance(&self.options.tolerance, self.size, property);
        let keys = curve::keys(track, rest, span, tolerance, &mut self.report.repaired_numbers)?;
        if self.is_resampled(node) {
            return Some(keys.times);
        }
        self.report.resampled_channels += usize::from(keys.resampled);
        let element = if size_of::<T>() == 16 { Element::F32x4 } else { Element::F32x3 };
        let target = node_target(node.0, property);
        Some(animation.push(&mut self.buffers, element, keys, T::ZERO, target))
    }

    /// Nodes that do not follow their parents as glTF's do: their motion against them is worked out.
    fn write_resampled_nodes(&mut self, animation: &mut Animation, motions: &[Motion<'_>], last: f32) {
        for index in 0..self.nodes.resampled.len() {
            let node = self.nodes.resampled[index];
            let lineage = Lineage::new(self, motions, node);
            // What moves a node's ancestors moves the node.
            let mut seeds = lineage.times();
            if seeds.is_empty() {
                continue;
            }
            seeds.extend([0.0, animation.duration]);
            seeds.retain(|time| *time <= animation.duration);
            let rest = self.nodes.all[node.index()].transform;
            let mut local = Local::new(&lineage, rest, last);
            let (times, transforms) =
                resample(seeds, lineage.between(), &self.options.tolerance, self.size, &mut local);
            self.write_transforms(animation, node.0, &times, &transforms, rest);
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
            transforms.iter().map(|transform| crate::sound(transform, &mut self.report)).collect();
        let keys = |values: Vec<Vec3>| Keys::new(Mode::Linear, times.to_vec(), values, true);
        let buffers = &mut self.buffers;
        if transforms.iter().any(|transform| transform.translation != rest.translation) {
            let keys = keys(transforms.iter().map(|transform| transform.translation).collect());
            animation.push(
                buffers,
                Element::F32x3,
                keys,
                Vec3::ZERO,
                node_target(node, NodeProperty::Translation),
            );
        }
        if transforms.iter().any(|transform| transform.rotation != rest.rotation) {
            let values: Vec<Quat> = transforms.iter().map(|transform| transform.rotation).collect();
            let keys = Keys::new(Mode::Linear, times.to_vec(), values, true);
            animation.push(
                buffers,
                Element::F32x4,
                keys,
                Quat::ZERO,
                node_target(node, NodeProperty::Rotation),
            );
        }
        if transforms.iter().any(|transform| transform.scale != rest.scale) {
            let keys = keys(transforms.iter().map(|transform| transform.scale).collect());
            animation.push(buffers, Element::F32x3, keys, Vec3::ZERO, node_target(node, NodeProperty::Scale));
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
            let between = Between::of(moving.iter().copied());
            let (times, transforms) =
                resample(seeds, between, &self.options.tolerance, self.size, &mut |time| {
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
pub(crate) fn seeds(sources: &[&Source<'_>], duration: f32) -> Vec<f32> {
    const MOST: usize = 100_000;
    let keys: usize = sources.iter().map(|source| extras::times(&source.channel.curve).len()).sum();
    let mut seeds = Vec::with_capacity(keys.min(MOST) + 2);
    seeds.extend([0.0, duration]);
    for source in sources {
        let times = extras::times(&source.channel.curve);
        let jumps = curve::jumps(&source.channel.curve);
        let mut add = |time: f32, jumps: bool| {
            if time > 0.0 && time <= duration && seeds.len() < MOST {
                seeds.extend(Some(time.next_down()).filter(|_| jumps));
                seeds.push(time);
            }
        };
        match source.period {
            Some(period) if period > 0.0 => {
                for copy in 0..((duration / period).ceil() as usize).min(MOST / times.len().max(1)) {
                    let start = copy as f32 * period;
                    // From the end it goes back to the beginning.
                    add(start, true);
                    times.iter().for_each(|time| add(time + start, jumps));
                }
            }
            _ => times.iter().for_each(|&time| add(time, jumps)),
        }
    }
    seeds
}

/// A target that is named by a pointer: a list and a place in it, and what of that.
pub(crate) fn pointer_target<'p>(
    list: &'p str,
    place: u32,
    rest: &'p str,
) -> impl FnOnce(&mut Json) + use<'p> {
    move |json| {
        json.literal(r#""path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/"#);
        json.literal(list);
        json.literal("/");
        json.number(place as usize);
        json.literal("/");
        json.literal(rest);
        json.literal(r#""}}"#);
    }
}
