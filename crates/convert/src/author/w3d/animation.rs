//! Clips to animations: their channels, what they show, and their chunks.
//!
//! A channel has the difference from the base pose: `t' = q0⁻¹ (t - t0)` and `q' = q0⁻¹ q`. Constant factors commute with both
//! interpolations, so the keys of a track are the keys of its channels.

use std::collections::BTreeMap;

use record::{Error, Node, U16, U32, build};
use scene::{Clip, ClipId, Curve, MeshProperty, NodeProperty, Target};
use w3d::names::{ChannelType, Flavor, Version};
use w3d::records::{AnimationHeader, CompressedAnimationHeader};
use w3d::table;

use super::channels::{self, Channel, Numbers, Switches};
use super::fades::FAINT;
use super::motion::{is_straight, keyed, knots};
use super::plan::Place;
use super::scales::Scales;
use super::worlds::Worlds;
use super::{Author, Compress, chars, refuse};

/// Numbers of all channels together, at most: 400 MB, as W3D stores them.
const MAX_NUMBERS: usize = 100_000_000;

/// How many numbers are tried with adaptive-delta compression; more would take too long.
const MAX_TRIED: usize = 10_000_000;

/// How far a bone of sampled motion may be off along each axis, as a share of the model's size.
const SAMPLED_SHARE: f32 = 1e-4;

/// How far it may be turned, in degrees.
const SAMPLED_DEGREES: f32 = 0.02;

/// The clock of a clip.
#[derive(Clone, Copy)]
pub(super) struct Timing {
    pub(super) frames: usize,
    pub(super) rate: u32,
}

impl Timing {
    fn seconds(self, frame: usize) -> f32 {
        frame as f32 / self.rate as f32
    }

    pub(super) fn times(self) -> impl ExactSizeIterator<Item = f32> + Clone {
        (0..self.frames).map(move |frame| self.seconds(frame))
    }
}

/// How a channel's numbers are stored.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Raw,
    Keys,
    /// The keys that sampled motion needs.
    Samples,
    Deltas,
    /// Each channel in the smallest form that is near enough.
    Mixed,
}

impl<'s> Author<'s> {
    /// The animations of all clips with their labels.
    pub(super) fn animations(&mut self) -> Result<Vec<(String, Node<'static>)>, Error> {
        let scene = self.scene;
        let mut labels = super::labels::Labels::default();
        let mut animations = Vec::new();
        if self.plan.models.is_empty() {
            return Ok(animations);
        }
        for (index, clip) in scene.clips.iter().enumerate() {
            let label = labels.unique(&clip.name, "ANIMATION");
            if label != clip.name {
                self.assumed(&clip.name, format!("the clip is named {label}"));
            }
            let timing = self.timing(clip)?;
            for model in self.models_of(clip) {
                let node = self.animation(ClipId::from(index), clip, model, &label, timing)?;
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
        clip: &'s Clip,
        model: usize,
        label: &str,
        timing: Timing,
    ) -> Result<Node<'static>, Error> {
        let is_node = |target: Target| matches!(target, Target::Node(..));
        let is_direct = !self.plan.is_scaled
            && !self.scene.global_channels.iter().any(|global| is_node(global.channel.target))
            && clip
                .channels
                .iter()
                .filter(|channel| is_node(channel.target))
                .all(|channel| is_straight(&channel.curve));
        let moved =
            if is_direct { 4 * clip.channels.len() } else { 7 * self.plan.models[model].pivots.len() };
        self.numbers = self.numbers.saturating_add(timing.frames.saturating_mul(moved));
        if self.numbers > MAX_NUMBERS {
            return Err(refuse(format!(
                "the clips up to {:?} would take more than {} MB; make fewer or shorter clips, or lower their frame rate",
                clip.name,
                MAX_NUMBERS / 250_000
            )));
        }
        // Frames of curves and of scale are samples anyway, and a value for each frame makes files many times larger.
        let is_sampled = !is_direct && !self.options.faithful && self.options.compress == Compress::Lossless;
        let exact =
            is_direct && self.options.compress == Compress::Lossless && self.has_jumps(clip, model, timing);
        let scales = Scales::in_clip(self.scene, self.sampler.hierarchy(), clip);
        let mut channels = self.direct(clip, model, timing, &scales, exact);
        if !is_direct {
            channels.extend(self.sampled(id, model, timing, &scales));
            channels.retain(|channel| self.moves(channel));
            channels.sort_by_key(|channel| (channel.pivot, channel.target.get()));
        }
        let (switches, fades) = self.visibility(id, model, timing, exact);
        channels.extend(fades);
        self.tried += channels.iter().map(Channel::len).sum::<usize>();
        let form = match self.options.compress {
            Compress::AdaptiveDelta { .. } if self.tried > MAX_TRIED => {
                self.assumed(&clip.name, "keys instead of differences, because there are too many frames");
                Form::Keys
            }
            Compress::Lossless if is_sampled => Form::Samples,
            Compress::Lossless if exact => Form::Keys,
            Compress::Lossless | Compress::Raw => Form::Raw,
            Compress::TimeCoded { .. } => Form::Keys,
            // Keys of motion channels have frames of 15 bits.
            Compress::AdaptiveDelta { .. } if self.limits.motion_channels && timing.frames <= 0x8000 => {
                Form::Mixed
            }
            Compress::AdaptiveDelta { .. } => {
                let is_near = |channel: &Channel| channels::is_near(channel, self.tolerance(channel));
                if channels.iter().all(is_near) { Form::Deltas } else { Form::Keys }
            }
        };
        self.unwritten_channels(clip);
        let skeleton = self.plan.models[model].skeleton.clone();
        if is_sampled {
            self.report_samples();
        }
        Ok(self.animation_chunk(label, &skeleton, timing, form, channels, switches))
    }

    /// Reports once how far keys of sampled motion may be off.
    fn report_samples(&mut self) {
        let message = format!(
            "motion that W3D cannot express is stored as keys, each bone within {:.3} units and {SAMPLED_DEGREES} degrees",
            SAMPLED_SHARE * self.size()
        );
        if !self.report.notes.iter().any(|note| note.message == message) {
            self.assumed("animations", message);
        }
    }

    fn unwritten_channels(&mut self, clip: &Clip) {
        let mut lost = 0;
        for channel in &clip.channels {
            let is_written = matches!(
                channel.target,
                Target::Node(..) | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Visibility)
            );
            lost += usize::from(!is_written && !self.plan.fades.is_expressed(channel.target));
        }
        if lost > 0 {
            let what = crate::report::counted(lost, "channel");
            self.lost(
                &clip.name,
                format!("{what} of colours, textures, lights or emitters, which W3D cannot animate"),
            );
        }
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
                                |keys| keyed(keys.into_iter().map(|(frame, a, b)| (frame, [a], [b]))),
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
        let alphas = self.plan.fades.alphas(self.scene, clip, timing.times());
        for (pivot, entry) in self.plan.models[model].pivots.iter().enumerate() {
            if let Some(shown) = entry.mesh.and_then(|mesh| self.plan.fades.mesh_alphas(mesh, &alphas)) {
                curves.entry(pivot).or_default().push(shown);
            }
        }
        // An object that is hidden at rest is hidden in clips without a channel for it.
        for (pivot, entry) in self.plan.models[model].pivots.iter().enumerate().skip(1) {
            let node = entry.node.and_then(|node| self.scene.nodes.get(node.index()));
            let mesh = entry.mesh.and_then(|mesh| self.scene.meshes.get(mesh.index()));
            let is_hidden =
                node.is_some_and(|node| !node.visible) || mesh.is_some_and(|mesh| mesh.alpha <= 0.0);
            if is_hidden && !curves.contains_key(&pivot) {
                curves.insert(pivot, vec![vec![0.0; timing.frames]]);
            }
        }
        let is_partial = |value: &f32| *value > FAINT && *value < 1.0 - FAINT;
        if curves.values().flatten().flatten().any(is_partial) {
            self.lost(
                &clip.name,
                "fading: the game's visibility is on or off; what fades has one opacity until it is gone",
            );
        }
        let switches = curves.into_iter().map(|(pivot, curves)| {
            let shown = |frame: usize| curves.iter().all(|curve| curve[frame] > FAINT);
            Switches { pivot, shown: (0..timing.frames).map(shown).collect() }
        });
        (switches.filter(|switches| switches.shown.contains(&false)).collect(), fades)
    }

    /// For each pivot of a mesh that shrinks to nothing, whether it is there at each frame.
    fn vanished(&self, clip: ClipId, model: usize, timing: Timing) -> Vec<(usize, Vec<f32>)> {
        let pivots = self.plan.models[model].pivots.iter().enumerate();
        let mut found: Vec<(usize, &[scene::NodeId], Vec<f32>)> = pivots
            .filter_map(|(index, pivot)| {
                Some((index, self.plan.vanishing.get(&pivot.mesh?)?.as_slice(), Vec::new()))
            })
            .collect();
        if found.is_empty() {
            return Vec::new();
        }
        let nodes = found.iter().flat_map(|(_, nodes, _)| nodes.iter().copied());
        let mut worlds = Worlds::new(self.scene, self.sampler.hierarchy(), &self.worlds, nodes);
        let moving = worlds.channels(clip);
        for time in timing.times() {
            let worlds = worlds.sample(&moving, time);
            let is_gone = |node: &scene::NodeId| {
                worlds.get(node.index()).is_some_and(|world| {
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
            chunks.extend(channels.iter().filter_map(channels::raw_channel));
            chunks.extend(switches.iter().map(channels::bit_channel));
            return build(table::ANIMATION, chunks);
        }
        let header = CompressedAnimationHeader {
            version: if form == Form::Mixed { Version::new(1, 0) } else { Version::new(0, 1) },
            name: chars(label),
            hierarchy_name: chars(skeleton),
            num_frames: frames,
            frame_rate: U16::new(u16::try_from(timing.rate).unwrap_or(u16::MAX)),
            flavor: if form == Form::Deltas { Flavor::ADAPTIVE_DELTA } else { Flavor::TIMECODED },
        };
        let mut chunks = vec![build(table::COMPRESSED_ANIMATION_HEADER, &header)];
        for channel in &channels {
            chunks.extend(match form {
                Form::Deltas => channels::delta_channel(channel),
                Form::Mixed => channels::motion_channel(channel, self.tolerance(channel)),
                Form::Samples => channels::key_channel(channel, self.sampled_tolerance(channel)),
                Form::Raw | Form::Keys => channels::key_channel(channel, self.tolerance(channel)),
            });
        }
        chunks.extend(switches.iter().map(channels::switch_channel));
        build(table::COMPRESSED_ANIMATION, chunks)
    }

    /// How far the numbers of a channel may be off.
    fn tolerance(&self, channel: &Channel) -> f32 {
        match self.options.compress {
            Compress::TimeCoded { distance, degrees } | Compress::AdaptiveDelta { distance, degrees } => {
                if channel.components == 4 {
                    w3d::codec::distance_of_degrees(degrees)
                } else {
                    distance
                }
            }
            Compress::Lossless | Compress::Raw => 0.0,
        }
    }

    /// The same for sampled motion.
    fn sampled_tolerance(&self, channel: &Channel) -> f32 {
        match channel.target {
            ChannelType::Q => w3d::codec::distance_of_degrees(SAMPLED_DEGREES),
            // A share of an opacity, not a length.
            ChannelType::VIS => SAMPLED_SHARE,
            _ => SAMPLED_SHARE * self.size(),
        }
    }
}
