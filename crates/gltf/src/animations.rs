//! Clips and global sequences as animations: node motion, cameras, visibility, and what pointers express.

use crate::budget::Budget;
use crate::buffers::{Buffers, Element};
use crate::channels::{Expressed, Player, Source, Subject, moves_node, seeds, sources};
use crate::context::{Context, valid, valid_duration};
use crate::document::{self, Interpolation, TargetPath};
use crate::materials::Materials;
use crate::meshes::Meshes;
use crate::names::Names;
use crate::nodes::Nodes;
use crate::objects::{Cameras, Lights, looking};
use crate::options::Report;
use crate::placement::{Placement, Switch, visibility_keys};
use crate::relative::{AncestorChain, Motion};
use crate::switches::Switches;
use crate::{joint_visibility, pointers};
use foldhash::fast::RandomState;
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use scene::fit::{self, Fit, Keys, Mode, Span, Steadiness, resample};
use scene::{CameraProperty, Clip, ClipId, Curve, NodeId, NodeProperty, Target, Transform, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use std::slice;

/// An animation.
pub(crate) struct Animation<'a> {
    pub(crate) name: String,
    /// Nothing for texture mappers, which run by themselves.
    pub(crate) player: Option<Player>,
    pub(crate) duration: f32,
    pub(crate) channels: Vec<Channel<'a>>,
}

/// Keys and what they move.
pub(crate) struct Channel<'a> {
    pub(crate) target: ChannelTarget,
    pub(crate) values: Values<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChannelTarget {
    Node(u32, Path),
    /// `KHR_animation_pointer`.
    Pointer(String),
}

/// What of a node moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    Translation,
    Rotation,
    Scale,
}

const PATHS: [Path; 3] = [Path::Translation, Path::Rotation, Path::Scale];

/// Keys of any type.
pub(crate) enum Values<'a> {
    Flags(Keys<'a, u8>),
    Numbers(Keys<'a, f32>),
    Pairs(Keys<'a, Vec2>),
    Vectors(Keys<'a, Vec3>),
    Rotations(Keys<'a, Quat>),
    Colors(Keys<'a, Vec4>),
}

/// Calls the same for keys of any type: their element, the keys, and the tangent of no change.
macro_rules! each {
    ($values:expr, |$element:ident, $keys:ident, $zero:ident| $body:expr) => {{
        macro_rules! with {
            ($kind:expr, $found:expr, $none:expr) => {{
                let ($element, $keys, $zero) = ($kind, $found, $none);
                $body
            }};
        }
        match $values {
            Values::Flags(keys) => with!(Element::U8, keys, 0),
            Values::Numbers(keys) => with!(Element::F32, keys, 0.0),
            Values::Pairs(keys) => with!(Element::F32x2, keys, Vec2::ZERO),
            Values::Vectors(keys) => with!(Element::F32x3, keys, Vec3::ZERO),
            Values::Rotations(keys) => with!(Element::F32x4, keys, Quat::ZERO),
            Values::Colors(keys) => with!(Element::F32x4, keys, Vec4::ZERO),
        }
    }};
}

impl Values<'_> {
    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        each!(self, |_element, keys, _zero| keys.values.len())
    }

    fn end(&self) -> f32 {
        each!(self, |_element, keys, _zero| keys.end())
    }

    fn is_constant(&self) -> bool {
        each!(self, |_element, keys, _zero| keys.constant_value().is_some())
    }

    fn space_out(&mut self) {
        each!(self, |_element, keys, _zero| keys.space_out());
    }

    fn extend_to(&mut self, time: f32) {
        each!(self, |_element, keys, zero| keys.extend_to(time, zero));
    }
}

/// What the step reads.
pub(crate) struct Inputs<'s, 'a> {
    pub(crate) context: &'s Context<'a>,
    pub(crate) placements: &'s [Placement<'a>],
    pub(crate) nodes: &'s Nodes<'a>,
    pub(crate) meshes: &'s Meshes<'a>,
    pub(crate) switches: &'s Switches,
    pub(crate) materials: &'s Materials<'a>,
    pub(crate) lights: &'s Lights,
    pub(crate) cameras: &'s Cameras,
}

/// All animations, and which channels are in them.
pub(crate) fn build<'a>(
    inputs: &Inputs<'_, 'a>,
    expressed: &mut Expressed,
    report: &mut Report,
) -> Vec<Animation<'a>> {
    let scene = inputs.context.scene;
    let mut names = Names::default();
    let mut animations = Vec::new();
    for clip in clip_order(&scene.clips) {
        if inputs.context.budget.is_spent() {
            return animations;
        }
        let name = names.unique(&scene.clips[clip].name, "Animation").into_owned();
        let duration = valid_duration(scene.clips[clip].duration);
        animations.push(play(inputs, Player::Clip(clip), name, duration, expressed, report));
    }
    for (index, sequence) in scene.global_sequences.iter().enumerate().filter(|_| !inputs.context.bakes) {
        if inputs.context.budget.is_spent() {
            return animations;
        }
        let player = Player::Global(index);
        if !sources(scene, player).is_empty() {
            let name = names.unique(&format!("global {index}"), "").into_owned();
            let duration = valid_duration(sequence.duration);
            let animation = play(inputs, player, name, duration, expressed, report);
            if !animation.channels.is_empty() {
                animations.push(animation);
            }
        }
    }
    if inputs.context.options.material_animation {
        for mut animation in pointers::mappers(inputs) {
            animation.name = names.unique(&animation.name, "").into_owned();
            animations.push(animation);
        }
    }
    animations
}

fn play<'a>(
    inputs: &Inputs<'_, 'a>,
    player: Player,
    name: String,
    duration: f32,
    expressed: &mut Expressed,
    report: &mut Report,
) -> Animation<'a> {
    // Every node is looked at.
    inputs.context.budget.samples(inputs.context.scene.nodes.len());
    let (mut channels, motions) = node_motion(inputs, player, duration, expressed, report);
    cameras(inputs, player, duration, expressed, report, &mut channels);
    visibility(inputs, player, expressed, &mut channels);
    joint_visibility::channels(inputs, player, duration, &motions, expressed, &mut channels);
    if inputs.context.options.material_animation {
        pointers::channels(inputs, player, duration, expressed, report, &mut channels);
    }
    channels.iter_mut().for_each(|channel| channel.values.space_out());
    Animation { name, player: Some(player), duration, channels }
}

fn node_motion<'a>(
    inputs: &Inputs<'_, 'a>,
    player: Player,
    duration: f32,
    expressed: &mut Expressed,
    report: &mut Report,
) -> (Vec<Channel<'a>>, Vec<Motion<'a>>) {
    let context = inputs.context;
    let scene = context.scene;
    let mut all: Vec<Source<'a>> = Vec::new();
    if context.bakes && matches!(player, Player::Clip(_)) {
        all.extend((0..scene.global_sequences.len()).flat_map(|index| sources(scene, Player::Global(index))));
    }
    all.extend(sources(scene, player));
    all.retain(|source| moves_node(source.channel.target));
    let mut channels = Vec::with_capacity(all.len());
    // Of two channels for one property the later wins.
    let mut taken = vec![[false; 3]; scene.nodes.len()];
    let has_relatives = (0..scene.nodes.len()).any(|node| context.is_relative(node));
    let gathers = inputs.switches.groups.iter().any(|group| group.gathers_at.is_some());
    let mut motions =
        if has_relatives || gathers { vec![Motion::default(); scene.nodes.len()] } else { Vec::new() };
    for source in all.iter().rev() {
        let Target::Node(node, property) = source.channel.target else { continue };
        let Some(taken) = taken.get_mut(node.index()) else { continue };
        match source.player == player && !context.is_relative(node.index()) {
            true => expressed.add_exact(source),
            false => expressed.add(source),
        }
        if std::mem::replace(&mut taken[property as usize], true) {
            continue;
        }
        if context.budget.is_spent() {
            break;
        }
        let Some(values) = node_keys(inputs, source, node, property, duration, report) else { continue };
        if !context.budget.channel(values.len()) {
            break;
        }
        if let Some(motion) = motions.get_mut(node.index()) {
            let times: Cow<'a, [f32]> = match &values {
                Values::Vectors(keys) => keys.times.clone(),
                Values::Rotations(keys) => keys.times.clone(),
                _ => Cow::default(),
            };
            motion.set(property, *source, times);
        }
        if !context.is_relative(node.index()) {
            channels.push(Channel { target: ChannelTarget::Node(node.0, path(property)), values });
        }
    }
    if has_relatives {
        relative_motion(inputs, player, duration, &motions, report, &mut channels);
    }
    (channels, motions)
}

const fn path(property: NodeProperty) -> Path {
    match property {
        NodeProperty::Translation => Path::Translation,
        NodeProperty::Rotation => Path::Rotation,
        NodeProperty::Scale | NodeProperty::Visibility => Path::Scale,
    }
}

fn node_keys<'a>(
    inputs: &Inputs<'_, 'a>,
    source: &Source<'a>,
    node: NodeId,
    property: NodeProperty,
    duration: f32,
    report: &mut Report,
) -> Option<Values<'a>> {
    let rest = inputs.context.scene.nodes[node.index()].rest;
    let span = Span { duration, period: source.period, curves: inputs.context.options.curves };
    let tolerance = &inputs.context.options.tolerance;
    fn keys<'a, T: Fit>(
        track: &'a scene::Track<T>,
        rest: T,
        span: Span,
        tolerance: f32,
        report: &mut Report,
    ) -> Option<Keys<'a, T>> {
        let keys = fit::keys(track, rest, span, tolerance, &mut report.repaired_numbers)?;
        report.resampled_channels += usize::from(keys.resampled);
        Some(keys)
    }
    match (property, &source.channel.curve) {
        (NodeProperty::Translation, Curve::Vector(track)) => {
            let tolerance = tolerance.position * inputs.meshes.size;
            keys(track, rest.translation, span, tolerance, report).map(Values::Vectors)
        }
        (NodeProperty::Scale, Curve::Vector(track)) => {
            keys(track, rest.scale, span, tolerance.position, report).map(Values::Vectors)
        }
        (NodeProperty::Rotation, Curve::Rotation(track)) => {
            keys(track, rest.rotation, span, tolerance.rotation, report).map(Values::Rotations)
        }
        _ => None,
    }
}

/// Nodes that do not follow their parents as glTF's do: their motion against them is sampled.
fn relative_motion<'a>(
    inputs: &Inputs<'_, 'a>,
    player: Player,
    duration: f32,
    motions: &[Motion<'a>],
    report: &mut Report,
    channels: &mut Vec<Channel<'a>>,
) {
    let context = inputs.context;
    if context.budget.is_spent() {
        return;
    }
    let worlds: Vec<Affine3A> = context.hierarchy.worlds(context.scene.nodes.iter().map(|node| &node.rest));
    // At its very end a sequence has already started again.
    let last = if matches!(player, Player::Global(_)) { duration.next_down() } else { duration };
    for index in (0..context.scene.nodes.len()).filter(|&node| context.is_relative(node)) {
        let chain = AncestorChain::new(context, &worlds, motions, NodeId::from(index));
        // The times of all ancestors are compared with each other.
        if !context.budget.samples(chain.len() * chain.len()) {
            return;
        }
        let mut seeds = chain.times();
        if seeds.is_empty() {
            continue;
        }
        seeds.extend([0.0, duration]);
        seeds.retain(|time| *time <= duration);
        let rest = inputs.nodes.all[index].transform;
        let mut at = |time: f32| chain.local(time.min(last)).unwrap_or(rest);
        let (steadiness, tolerance) = (chain.steadiness(), &context.options.tolerance);
        let sampled = context.budget.sampling(chain.len(), |left| {
            resample(seeds, steadiness, tolerance, inputs.meshes.size, left, &mut at)
        });
        if !context.budget.channel(3 * sampled.0.len()) {
            return;
        }
        transforms(index as u32, sampled, rest, report, channels);
    }
}

/// The sampled motion of a node, in as many channels as it needs.
fn transforms(
    node: u32,
    (times, transforms): (Vec<f32>, Vec<Transform>),
    rest: Transform,
    report: &mut Report,
    channels: &mut Vec<Channel<'_>>,
) {
    report.resampled_channels += 1;
    let transforms: Vec<Transform> =
        transforms.iter().map(|transform| valid(transform, &mut report.repaired_numbers)).collect();
    let mut push = |path: Path, values: Values<'static>| {
        channels.push(Channel { target: ChannelTarget::Node(node, path), values });
    };
    if transforms.iter().any(|transform| transform.translation != rest.translation) {
        let values: Vec<Vec3> = transforms.iter().map(|transform| transform.translation).collect();
        push(Path::Translation, Values::Vectors(Keys::new(Mode::Linear, times.clone(), values)));
    }
    if transforms.iter().any(|transform| transform.rotation != rest.rotation) {
        let values: Vec<Quat> = transforms.iter().map(|transform| transform.rotation).collect();
        push(Path::Rotation, Values::Rotations(Keys::new(Mode::Linear, times.clone(), values)));
    }
    if transforms.iter().any(|transform| transform.scale != rest.scale) {
        let values: Vec<Vec3> = transforms.iter().map(|transform| transform.scale).collect();
        push(Path::Scale, Values::Vectors(Keys::new(Mode::Linear, times, values)));
    }
}

/// The scene's cameras have an eye and a target, glTF's a position and a rotation.
fn cameras(
    inputs: &Inputs<'_, '_>,
    player: Player,
    duration: f32,
    expressed: &mut Expressed,
    report: &mut Report,
    channels: &mut Vec<Channel<'_>>,
) {
    use CameraProperty::{Roll, TargetTranslation, Translation};
    let context = inputs.context;
    for (index, camera) in context.scene.cameras.iter().enumerate() {
        let moves =
            |target: Target| matches!(target, Target::Camera(_, Translation | TargetTranslation | Roll));
        let found = context.playing(player, &[Subject::Camera(index as u32)], moves);
        if found.is_empty() {
            continue;
        }
        found.iter().for_each(|source| expressed.add(source));
        let value = |property: CameraProperty, time: f32| {
            let is_it = |source: &&Source<'_>| matches!(source.channel.target, Target::Camera(_, found) if found == property);
            found.iter().rev().find(is_it)?.sample(time)
        };
        let vector = |property: CameraProperty, time: f32| match value(property, time) {
            Some(Value::Vector(value)) if value.is_finite() => value,
            _ => Vec3::ZERO,
        };
        let mut at = |time: f32| {
            let roll = match value(Roll, time) {
                Some(Value::Scalar(value)) => value,
                _ => 0.0,
            };
            let eye = camera.position + vector(Translation, time);
            looking(eye, camera.target + vector(TargetTranslation, time), roll)
        };
        let is_curved = found.iter().any(|source| source.channel.curve.is_curved());
        let steadiness = if is_curved { Steadiness::Any } else { Steadiness::Even };
        let tolerance = &context.options.tolerance;
        let sampled = context.budget.sampling(found.len(), |left| {
            resample(seeds(&found, duration), steadiness, tolerance, inputs.meshes.size, left, &mut at)
        });
        if !context.budget.channel(3 * sampled.0.len()) {
            return;
        }
        let node = inputs.cameras.nodes[index];
        transforms(node, sampled, inputs.nodes.all[node as usize].transform, report, channels);
    }
}

/// Notes the flags that show and hide a mesh. On and off is all that a flag says; an opacity says more.
pub(crate) fn express_flags(
    context: &Context<'_>,
    placement: &Placement<'_>,
    player: Player,
    expressed: &mut Expressed,
) {
    let mesh = &context.scene.meshes[placement.mesh.index()];
    let node = mesh.node.map(|node| Subject::Node(node.0)).into_iter();
    for subject in node.chain([Subject::Mesh(placement.mesh.0)]) {
        let is_flag = |target: Target| {
            matches!(
                target,
                Target::Node(_, NodeProperty::Visibility) | Target::Mesh(_, scene::MeshProperty::Visibility)
            )
        };
        let used = context.playing(player, &[subject], is_flag);
        let flags = used.iter().filter(|source| matches!(source.channel.curve, Curve::Flag(_)));
        flags.for_each(|source| expressed.add(source));
    }
}

/// When each mesh shows.
fn visibility(
    inputs: &Inputs<'_, '_>,
    player: Player,
    expressed: &mut Expressed,
    channels: &mut Vec<Channel<'_>>,
) {
    let context = inputs.context;
    for placed in &inputs.meshes.placed {
        let placement = &inputs.placements[placed.placement];
        let by_pointer = match placement.switch {
            Switch::None | Switch::Joints => continue,
            Switch::Scale => false,
            Switch::Extension => true,
            Switch::Fixed if context.options.material_animation => true,
            Switch::Fixed => continue,
        };
        let mesh = &context.scene.meshes[placement.mesh.index()];
        let Some(keys) = visibility_keys(context, mesh, &placement.deciding, player) else { continue };
        if !context.budget.channel(keys.times.len()) {
            return;
        }
        express_flags(context, placement, player, expressed);
        let channel = if by_pointer {
            let values: Vec<u8> = keys.values.iter().map(|&on| u8::from(on)).collect();
            Channel {
                target: ChannelTarget::Pointer(format!(
                    "/nodes/{}/extensions/KHR_node_visibility/visible",
                    placed.node
                )),
                values: Values::Flags(Keys::new(Mode::Step, keys.times, values)),
            }
        } else {
            let full = placement.hold.scale();
            let values: Vec<Vec3> =
                keys.values.iter().map(|&on| if on { full } else { Vec3::ZERO }).collect();
            Channel {
                target: ChannelTarget::Node(placed.node, Path::Scale),
                values: Values::Vectors(Keys::new(Mode::Step, keys.times, values)),
            }
        };
        channels.push(channel);
    }
}

/// Makes every clip complete: each has a key at rest for every node path that another clip moves. Blender keeps the pose of the clip before
/// otherwise. Paths that no clip moves are removed. `rests` are the transforms of the nodes. Returns which nodes any animation moves.
pub(crate) fn complete<'a>(
    animations: &mut [Animation<'a>],
    rests: &'a [Transform],
    nodes: &Nodes<'_>,
    budget: &Budget,
) -> Vec<bool> {
    let is_clip = |animation: &Animation<'_>| matches!(animation.player, Some(Player::Clip(_)));
    let is_rest = |channel: &Channel<'_>| match (&channel.target, &channel.values) {
        (ChannelTarget::Node(node, path), Values::Vectors(keys)) => {
            let Transform { translation, scale, .. } = rests[*node as usize];
            keys.constant_value() == Some(if *path == Path::Scale { scale } else { translation })
        }
        (ChannelTarget::Node(node, _), Values::Rotations(keys)) => {
            keys.constant_value().is_some_and(|value| value.is_same(rests[*node as usize].rotation))
        }
        _ => false,
    };
    let mut clips_move = vec![[false; 3]; rests.len()];
    let mut moves = vec![false; rests.len()];
    for animation in animations.iter() {
        for channel in animation.channels.iter().filter(|channel| !is_rest(channel)) {
            if let ChannelTarget::Node(node, path) = channel.target {
                moves[node as usize] = true;
                clips_move[node as usize][path as usize] |= is_clip(animation);
            }
        }
    }
    for animation in animations.iter_mut().filter(|animation| is_clip(animation)) {
        if !budget.samples(rests.len()) {
            break;
        }
        let mut has = vec![[false; 3]; rests.len()];
        animation.channels.retain(|channel| match channel.target {
            ChannelTarget::Node(node, path) => {
                has[node as usize][path as usize] = true;
                clips_move[node as usize][path as usize]
            }
            ChannelTarget::Pointer(_) => true,
        });
        let lacks = |node: usize, path: Path| clips_move[node][path as usize] && !has[node][path as usize];
        let all_paths = (0..rests.len()).flat_map(|node| PATHS.map(|path| (node, path)));
        let missing = all_paths.filter(|(node, path)| lacks(*node, *path));
        animation.channels.reserve(missing.clone().count());
        for (node, path) in missing {
            let Transform { translation, rotation, scale } = &rests[node];
            let values = match path {
                Path::Translation => Values::Vectors(Keys::constant(slice::from_ref(translation))),
                Path::Rotation => Values::Rotations(Keys::constant(slice::from_ref(rotation))),
                Path::Scale => Values::Vectors(Keys::constant(slice::from_ref(scale))),
            };
            if budget.channel(1) {
                let target = ChannelTarget::Node(node as u32, path);
                animation.channels.push(Channel { target, values });
            }
        }
    }
    for animation in animations {
        fill(animation, &moves, rests, nodes);
    }
    moves
}

/// glTF has no animations without channels, and an animation is as long as its longest channel.
fn fill<'a>(animation: &mut Animation<'a>, moves: &[bool], rests: &'a [Transform], nodes: &Nodes<'_>) {
    if animation.channels.is_empty() {
        // A node that nothing animates, so that this stops no motion that plays beside it. Skinned meshes ignore their node.
        let is_free = |node: &usize| !moves[*node] && nodes.all[*node].skin.is_none();
        let Some(node) = (0..moves.len()).find(is_free).or(Some(0).filter(|_| !moves.is_empty())) else {
            return;
        };
        let values = Values::Vectors(Keys::constant(slice::from_ref(&rests[node].translation)));
        let target = ChannelTarget::Node(node as u32, Path::Translation);
        animation.channels.push(Channel { target, values });
    }
    if animation.channels.iter().any(|channel| channel.values.end() >= animation.duration) {
        return;
    }
    let constant = animation.channels.iter().position(|channel| channel.values.is_constant());
    animation.channels[constant.unwrap_or(0)].values.extend_to(animation.duration);
}

/// Animations as glTF has them.
pub(crate) fn write<'a>(
    animations: Vec<Animation<'a>>,
    buffers: &mut Buffers<'a>,
) -> Vec<document::Animation> {
    let with_channels = animations.into_iter().filter(|animation| !animation.channels.is_empty());
    with_channels.map(|animation| write_one(animation, buffers)).collect()
}

fn write_one<'a>(animation: Animation<'a>, buffers: &mut Buffers<'a>) -> document::Animation {
    let mut samplers: Vec<document::Sampler> = Vec::new();
    // The times of channels that stand still: both ends. Where a channel has one key, Blender's exporter samples all bones at every frame.
    let mut still = None;
    // Channels that stand still alike share a sampler.
    let mut constants: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
    let mut channels = Vec::with_capacity(animation.channels.len());
    for channel in animation.channels {
        let (sampler, is_constant) = each!(channel.values, |element, keys, _zero| {
            let constant = keys.constant_value();
            let (input, output) = match constant.filter(|_| animation.duration > 0.0) {
                Some(value) => {
                    let ends = || buffers.push_times(vec![0.0, animation.duration].into());
                    (*still.get_or_insert_with(ends), buffers.push_values(element, vec![value; 2].into()))
                }
                None => (buffers.push_times(keys.times), buffers.push_values(element, keys.values)),
            };
            let sampler = document::Sampler {
                input,
                output,
                interpolation: match keys.mode {
                    Mode::Step => Some(Interpolation::Step),
                    Mode::Linear => None,
                    Mode::Cubic => Some(Interpolation::CubicSpline),
                },
            };
            (sampler, constant.is_some())
        });
        let mut add = || {
            samplers.push(sampler);
            samplers.len() as u32 - 1
        };
        let place = if is_constant {
            *constants.entry((sampler.input, sampler.output)).or_insert_with(add)
        } else {
            add()
        };
        channels.push(document::Channel { sampler: place, target: written_target(channel.target) });
    }
    document::Animation { name: animation.name, channels, samplers }
}

fn written_target(target: ChannelTarget) -> document::ChannelTarget {
    match target {
        ChannelTarget::Node(node, path) => document::ChannelTarget {
            node: Some(node),
            path: match path {
                Path::Translation => TargetPath::Translation,
                Path::Rotation => TargetPath::Rotation,
                Path::Scale => TargetPath::Scale,
            },
            extensions: None,
        },
        ChannelTarget::Pointer(pointer) => document::ChannelTarget {
            node: None,
            path: TargetPath::Pointer,
            extensions: Some(document::ChannelExtensions { pointer: document::Pointer { pointer } }),
        },
    }
}

/// The places of clips in the order in which they are written: Stand first, because viewers start with the first.
fn clip_order(clips: &[Clip]) -> Vec<usize> {
    let first = scene::stand_clip(clips).map(ClipId::index);
    first.into_iter().chain((0..clips.len()).filter(|index| Some(*index) != first)).collect()
}
