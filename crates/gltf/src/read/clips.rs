//! Clips and global sequences.

use super::accessors::Accessors;
use super::error::{NoteKind, Notes, ReadError};
use super::extras::{ClipExtras, SceneExtras};
use super::materials::Materials;
use super::meshes::Meshes;
use super::motion::{Keys, Motion, MovedTarget, NodePath};
use super::names::without_number;
use super::nodes::NodeIds;
use super::objects::Objects;
use super::tree::{NOISE, Place, Tree};
use super::{pointers, properties, tracks};
use scene::*;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// A clip may be this much longer or shorter than its source says, which is a frame of Blender's when it samples.
const LENGTH_NOISE: f32 = 0.045;

pub(crate) struct Inputs<'r, 'a> {
    pub(crate) accessors: &'r Accessors<'a>,
    pub(crate) tree: &'r Tree,
    pub(crate) nodes: &'r [Node],
    pub(crate) meshes: &'r Meshes,
    pub(crate) materials: &'r Materials,
    pub(crate) objects: &'r Objects,
    pub(crate) extras: &'r SceneExtras<'r>,
    pub(crate) generator_is_ours: bool,
}

/// What is animated.
#[derive(Default)]
pub(crate) struct Clips {
    pub(crate) list: Vec<Clip>,
    /// For each clip its place in the source.
    pub(crate) sources: Vec<Option<usize>>,
    /// For each clip its animation in the file.
    pub(crate) animations: Vec<Option<u32>>,
    pub(crate) global_channels: Vec<GlobalChannel>,
}

/// Finds the things of the source by the ids that they had there.
struct Ids<'r, 'a> {
    inputs: &'r Inputs<'r, 'a>,
    nodes: NodeIds,
    meshes: HashMap<u32, usize>,
}

pub(crate) fn build(
    inputs: &Inputs<'_, '_>,
    motions: &[Motion],
    notes: &mut Notes,
) -> Result<Clips, ReadError> {
    let meshes = inputs.meshes.ids.iter().enumerate().filter_map(|(place, id)| Some(((*id)?, place)));
    let ids = Ids { inputs, nodes: NodeIds::new(inputs.tree), meshes: meshes.collect() };
    let mut clips: Vec<(Option<usize>, Option<u32>, Clip)> = Vec::new();
    let mut global_channels: Vec<GlobalChannel> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for (at, (json, motion)) in inputs.accessors.document().animations.iter().zip(motions).enumerate() {
        let key = [&*json.name, without_number(&json.name)];
        let key = key.into_iter().find_map(|name| inputs.extras.clips.get_key_value(name));
        let known = key.filter(|(name, _)| seen.insert(name.as_str()));
        if known.is_none()
            && let Some(sequence) = global(&json.name, inputs.extras)
        {
            let channels = channels(inputs, motion, Some(&[]), at, notes);
            global_channels.extend(channels.into_iter().map(|channel| GlobalChannel { sequence, channel }));
            continue;
        }
        // Mappers are in the materials.
        if json.name.starts_with("mapper ") && !inputs.extras.textures.is_empty() && inputs.tree.is_ours {
            continue;
        }
        let extras: Option<ClipExtras<'_>> =
            known.and_then(|(_, value)| serde_json::from_str(value.get()).ok());
        clips.push(match extras {
            Some(extras) => {
                let index = extras.index;
                let (name, _) = known.map_or((&*json.name, ()), |(name, _)| (name.as_str(), ()));
                let mut clip = ids.clip(name, extras, motion.end)?;
                retype(&mut clip, &properties::fields(json.extras));
                let own = channels(inputs, motion, Some(&clip.channels), at, notes);
                clip.channels.splice(0..0, own);
                (Some(index), Some(at as u32), clip)
            }
            None => (
                None,
                Some(at as u32),
                new_clip(
                    &json.name,
                    &properties::fields(json.extras),
                    motion,
                    channels(inputs, motion, None, at, notes),
                ),
            ),
        });
    }
    // A clip in which nothing moves may have no animation.
    if inputs.generator_is_ours {
        for (name, value) in &inputs.extras.clips {
            if seen.contains(name.as_str()) {
                continue;
            }
            if let Ok(extras) = serde_json::from_str::<ClipExtras<'_>>(value.get()) {
                let (index, duration) = (extras.index, extras.duration);
                clips.push((Some(index), None, ids.clip(name, extras, duration)?));
            }
        }
    }
    clips.sort_by_key(|(index, ..)| index.unwrap_or(usize::MAX));
    for value in &inputs.extras.global_channels {
        let Ok(mut global) = serde_json::from_str::<GlobalChannel>(value.get()) else { continue };
        let Some(target) = ids.target(global.channel.target) else { continue };
        inputs.accessors.spend_keys(Limits::KEYS_PER_CHANNEL)?;
        global.channel.target = target;
        global_channels.push(global);
    }
    let mut found = Clips { global_channels, ..Clips::default() };
    for (source, animation, clip) in clips {
        found.sources.push(source);
        found.animations.push(animation);
        found.list.push(clip);
    }
    Ok(found)
}

/// The global sequence that our writer named an animation after.
fn global(name: &str, extras: &SceneExtras<'_>) -> Option<GlobalSequenceId> {
    let number: usize = without_number(name).strip_prefix("global ")?.parse().ok()?;
    (number < extras.global_sequences.len()).then(|| GlobalSequenceId::from(number))
}

/// A clip that the source does not have. Its properties may be typed in Blender, as custom properties of the action.
fn new_clip(name: &str, extras: &Map<String, Value>, motion: &Motion, channels: Vec<Channel>) -> Clip {
    let duration = extras.get("duration").and_then(Value::as_f64).map(|value| value as f32);
    let mut clip = Clip {
        name: name.to_owned(),
        duration: duration.unwrap_or(motion.end),
        looping: scene::loops(name),
        channels,
        ..Clip::default()
    };
    retype(&mut clip, extras);
    clip
}

/// Changes what the custom properties of an action say.
fn retype(clip: &mut Clip, extras: &Map<String, Value>) {
    let number = |key: &str| extras.get(key).and_then(Value::as_f64).map(|value| value as f32);
    let flag = |key: &str| match extras.get(key) {
        Some(Value::Bool(value)) => Some(*value),
        Some(value) => value.as_i64().map(|value| value != 0),
        None => None,
    };
    clip.looping = flag("looping").unwrap_or(clip.looping);
    clip.frame_rate = number("frame_rate").or(clip.frame_rate);
    clip.move_speed = number("move_speed").unwrap_or(clip.move_speed);
    clip.rarity = number("rarity").unwrap_or(clip.rarity);
}

impl Ids<'_, '_> {
    /// A clip of the source without what its animation moves. `end` is the end of that.
    fn clip(&self, name: &str, extras: ClipExtras<'_>, end: f32) -> Result<Clip, ReadError> {
        let is_known = (end - extras.duration).abs() <= LENGTH_NOISE || extras.duration <= 0.0;
        let mut channels = Vec::with_capacity(extras.channels.len());
        for value in &extras.channels {
            self.inputs.accessors.spend_keys(Limits::KEYS_PER_CHANNEL)?;
            let Ok(mut channel) = serde_json::from_str::<Channel>(value.get()) else { continue };
            let Some(target) = self.target(channel.target) else { continue };
            channel.target = target;
            channels.push(channel);
        }
        let event = |key: EventKey| {
            let event = EventId::from(self.inputs.objects.events.place(key.event.index())?);
            Some(EventKey { event, ..key })
        };
        Ok(Clip {
            name: extras.name.unwrap_or_else(|| name.to_owned()),
            duration: if is_known { extras.duration } else { end },
            looping: extras.looping,
            source_start: extras.source_start,
            frame_rate: extras.frame_rate,
            move_speed: extras.move_speed,
            rarity: extras.rarity,
            bounds: extras.bounds,
            channels,
            events: extras.events.into_iter().filter_map(event).collect(),
        })
    }

    /// A target by the ids of this scene.
    fn target(&self, target: Target) -> Option<Target> {
        let objects = self.inputs.objects;
        Some(match target {
            Target::Node(id, property) => Target::Node(self.nodes.get(id)?, property),
            Target::Mesh(id, property) => Target::Mesh(MeshId::from(*self.meshes.get(&id.0)?), property),
            Target::Layer(id, layer, property) => {
                let material = self.inputs.materials.list.get(id.index())?;
                material.layers.get(layer as usize)?;
                Target::Layer(id, layer, property)
            }
            Target::Light(id, property) => {
                Target::Light(LightId::from(objects.lights.place(id.index())?), property)
            }
            Target::Camera(id, property) => {
                Target::Camera(CameraId::from(objects.cameras.place(id.index())?), property)
            }
            Target::Emitter(id, property) => {
                Target::Emitter(EmitterId::from(objects.emitters.place(id.index())?), property)
            }
            Target::Ribbon(id, property) => {
                Target::Ribbon(RibbonId::from(objects.ribbons.place(id.index())?), property)
            }
        })
    }
}

/// The channels of an animation. `known` are those of the same clip from extras, if it has them.
fn channels(
    inputs: &Inputs<'_, '_>,
    motion: &Motion,
    known: Option<&[Channel]>,
    at: usize,
    notes: &mut Notes,
) -> Vec<Channel> {
    let mut channels = Vec::new();
    let is_restored = known.is_some();
    let known: HashSet<Target> = known.iter().copied().flatten().map(|channel| channel.target).collect();
    let mut switched: HashSet<Target> = HashSet::new();
    for moved in &motion.channels {
        match &moved.target {
            MovedTarget::Node(node, path) => {
                let Some(place) = inputs.tree.places.get(*node as usize) else { continue };
                match place {
                    Place::Node(id) => channels.extend(node_channel(inputs, *node, *id, *path, &moved.keys)),
                    Place::Part(_) if *path == NodePath::Scale => {
                        if let Some((on, _)) = moved.keys.switches().or_else(|| always_on(&moved.keys)) {
                            let times = &moved.keys.times;
                            for node in switched_by(inputs, *node) {
                                switch(inputs, node, times, &on, &known, &mut switched, &mut channels);
                            }
                        }
                    }
                    _ => {}
                }
            }
            MovedTarget::Pointer(pointer) => {
                if let Some(node) = visibility_pointer(pointer) {
                    let on = pointers::flags(&moved.keys);
                    let times = &moved.keys.times;
                    for node in shown_with(inputs, node) {
                        switch(inputs, node, times, &on, &known, &mut switched, &mut channels);
                    }
                } else if is_restored {
                    // Materials and lights as the source has them are in extras.
                } else if let Some(found) = pointers::channels(inputs, pointer, &moved.keys) {
                    channels.extend(found);
                } else {
                    let part = format!("/animations/{at}");
                    let message = format!("animation of {} dropped", pointers::general(pointer));
                    notes.add(NoteKind::Skipped, part, message);
                }
            }
        }
    }
    channels
}

/// The times at which a switch changes, with its values. Blender samples a switch at every frame, and as lines it is off until it is fully
/// on.
fn changes(times: &[f32], on: &[bool]) -> Vec<(f32, bool)> {
    let mut changes: Vec<(f32, bool)> = Vec::new();
    for (&time, &on) in times.iter().zip(on) {
        if changes.last().is_none_or(|(_, last)| *last != on) {
            changes.push((time, on));
        }
    }
    changes
}

/// A scale that never is zero.
fn always_on(keys: &Keys) -> Option<(Vec<bool>, glam::Vec3)> {
    let super::motion::Values::Vectors(values) = &keys.values else { return None };
    (keys.mode != Interpolation::Hermite).then(|| (vec![true; values.len()], glam::Vec3::ONE))
}

fn node_channel(
    inputs: &Inputs<'_, '_>,
    node: u32,
    id: NodeId,
    path: NodePath,
    keys: &Keys,
) -> Option<Channel> {
    let tree = inputs.tree;
    let target = &inputs.nodes[id.index()];
    // What follows its parent in a way that glTF does not know was sampled; its own motion is in extras.
    let is_relative = target.parent.is_some() && target.inherit != Inherit::ALL;
    if is_relative || tree.is_ours && inputs.objects.restored_cameras[node as usize] {
        return None;
    }
    let frame = &tree.frames[node as usize];
    let local = &tree.locals[node as usize];
    let rest = &target.rest;
    // A key at rest is for programs that keep the pose of the clip before.
    let (property, curve) = match path {
        NodePath::Translation => {
            let track =
                tracks::vectors(keys, |point| frame.point(point), |tangent| frame.direction(tangent))?;
            let size = NOISE * (1.0 + rest.translation.length());
            if keys.stays_at(local.translation, 0.1 * size)
                && still(&track, |value| value.abs_diff_eq(rest.translation, size))
            {
                return None;
            }
            (NodeProperty::Translation, Curve::Vector(track))
        }
        NodePath::Rotation => {
            let track = tracks::rotations(keys, frame)?;
            let is_rest = |value: glam::Quat| {
                value.abs_diff_eq(rest.rotation, NOISE) || (-value).abs_diff_eq(rest.rotation, NOISE)
            };
            if still(&track, is_rest) {
                return None;
            }
            (NodeProperty::Rotation, Curve::Rotation(track))
        }
        NodePath::Scale => {
            if let Some(full) = tree.switched[node as usize]
                && let Some((on, _)) = keys.on_and_off(Some(full))
            {
                if on.iter().all(|on| *on == target.visible) {
                    return None;
                }
                let track = Track::new(Interpolation::Step, changes(&keys.times, &on));
                let target = Target::Node(id, NodeProperty::Visibility);
                return Some(Channel { target, curve: Curve::Flag(track) });
            }
            let track = tracks::vectors(keys, |scale| scale, |tangent| tangent)?;
            if still(&track, |value| value.abs_diff_eq(rest.scale, NOISE)) {
                return None;
            }
            (NodeProperty::Scale, Curve::Vector(track))
        }
    };
    Some(Channel { target: Target::Node(id, property), curve })
}

/// Whether all keys hold, and nothing bends between them.
fn still<T: Copy>(track: &Track<T>, holds: impl Fn(T) -> bool) -> bool {
    track.tangents.is_empty() && track.values.iter().all(|value| holds(*value))
}

/// Shows and hides the mesh of a glTF node.
fn switch(
    inputs: &Inputs<'_, '_>,
    node: u32,
    times: &[f32],
    on: &[bool],
    known: &HashSet<Target>,
    switched: &mut HashSet<Target>,
    channels: &mut Vec<Channel>,
) {
    let Some(place) = inputs.meshes.nodes.iter().position(|shown| *shown == node) else { return };
    let mesh = &inputs.meshes.list[place];
    let id = MeshId::from(place);
    let by_node = mesh.node.map(|node| Target::Node(node, NodeProperty::Visibility));
    // An opacity in extras says when it shows, and more.
    let is_known = known.contains(&Target::Mesh(id, MeshProperty::Alpha))
        || known.contains(&Target::Mesh(id, MeshProperty::Visibility))
        || by_node.is_some_and(|target| known.contains(&target));
    let shows = mesh.alpha > 0.0 && mesh.node.is_none_or(|node| inputs.nodes[node.index()].visible);
    if is_known || on.iter().all(|on| *on == shows) {
        return;
    }
    let target = by_node.unwrap_or(Target::Mesh(id, MeshProperty::Visibility));
    if switched.insert(target) {
        let track = Track::new(Interpolation::Step, changes(times, on));
        channels.push(Channel { target, curve: Curve::Flag(track) });
    }
}

/// The glTF nodes of the meshes that the scale of a node shows and hides: its own, and those that have it as a joint.
fn switched_by(inputs: &Inputs<'_, '_>, node: u32) -> Vec<u32> {
    let meshes = inputs.meshes.nodes.iter().zip(&inputs.meshes.switches);
    let is_switched = |(own, switch): &(&u32, &Option<u32>)| **own == node || **switch == Some(node);
    meshes.filter(is_switched).map(|(own, _)| *own).collect()
}

/// The node of a pointer to its visibility.
fn visibility_pointer(pointer: &str) -> Option<u32> {
    let rest = pointer.strip_prefix("/nodes/")?.strip_suffix("/extensions/KHR_node_visibility/visible")?;
    rest.parse().ok()
}

/// The glTF nodes with meshes that a node shows or hides: itself, and all below it.
fn shown_with(inputs: &Inputs<'_, '_>, node: u32) -> Vec<u32> {
    let document = inputs.accessors.document();
    if node as usize >= document.nodes.len() || inputs.tree.places[node as usize] == Place::Absent {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        let json = &document.nodes[node as usize];
        found.extend(json.mesh.map(|_| node));
        stack.extend(json.children.iter().copied());
    }
    found
}
