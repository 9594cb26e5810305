//! Removes what other programs leave behind without an edit: rounding of transforms, and the pause before Blender's first frame.
//!
//! Blender keeps the rest pose of a node within 0.002 degrees and 1e-5 of its scale, and keys of scale within 2e-5. Exact comparisons after such a
//! trip would find scale in every node of a model that has none.

use glam::{Quat, Vec3};
use scene::{Clip, Curve, NodeProperty, Outside, Scene, Target, Track, Transform};

/// How far scale may be from an even one and count as it.
const SCALE: f32 = 2e-5;

/// How far a rotation may be from none, as the sine of half its angle: 0.002 degrees.
const TURN: f32 = 1.75e-5;

/// A pause that is shorter than this is rounding.
const PAUSE: f32 = 1e-4;

/// Whether a scale is one but for rounding.
fn is_one(scale: Vec3) -> bool {
    scale.abs_diff_eq(Vec3::ONE, SCALE)
}

/// A scale without the differences between its axes that are rounding.
fn even(scale: Vec3) -> Vec3 {
    let mean = scale.element_sum() / 3.0;
    if is_one(scale) {
        Vec3::ONE
    } else if scale.abs_diff_eq(Vec3::splat(mean), SCALE * mean.abs()) && scale.is_finite() {
        Vec3::splat(mean)
    } else {
        scale
    }
}

/// Whether a rotation is none but for rounding.
pub(super) fn is_unturned(rotation: Quat) -> bool {
    rotation.xyz().abs().max_element() <= TURN * rotation.length().max(1e-6)
}

/// Whether a transform is none but for rounding, in a model of this size.
pub(super) fn is_identity(rest: &Transform, size: f32) -> bool {
    is_one(rest.scale) && is_unturned(rest.rotation) && rest.translation.abs().max_element() <= 2e-6 * size
}

/// Whether a channel only has the rest value of its node but for rounding, in a model of this size.
pub(super) fn is_at_rest(property: NodeProperty, curve: &Curve, rest: &Transform, size: f32) -> bool {
    match (property, curve) {
        (NodeProperty::Translation, Curve::Vector(track)) => {
            track.values.iter().all(|value| value.abs_diff_eq(rest.translation, 2e-5 * size))
        }
        (NodeProperty::Rotation, Curve::Rotation(track)) => {
            track.values.iter().all(|value| is_unturned(rest.rotation.inverse() * *value))
        }
        (NodeProperty::Scale, Curve::Vector(track)) => track
            .values
            .iter()
            .all(|value| value.abs_diff_eq(rest.scale, SCALE * rest.scale.abs().max_element())),
        _ => false,
    }
}

/// The largest coordinate of a vertex or a node: the size that rounding is a share of.
pub(super) fn size(scene: &Scene) -> f32 {
    let positions = scene.meshes.iter().flat_map(|mesh| &mesh.positions);
    let nodes = scene.nodes.iter().map(|node| &node.rest.translation);
    let largest = positions.chain(nodes).map(|each| each.abs().max_element()).filter(|each| each.is_finite());
    largest.fold(0.0, f32::max)
}

/// The scene without rounding of scale, and without the pause before the first key of new clips. With `turns`, rotations at rest that are
/// rounding are removed, too. Nothing if the scene has none of these.
pub(super) fn settled(scene: &Scene, turns: bool) -> Option<Scene> {
    let is_rough = |rest: &Transform| {
        even(rest.scale) != rest.scale
            || turns && rest.rotation != Quat::IDENTITY && is_unturned(rest.rotation)
    };
    let is_noise = |channel: &scene::Channel| match (channel.target, &channel.curve) {
        (Target::Node(_, NodeProperty::Scale), Curve::Vector(track)) => {
            track.values.iter().all(|value| is_one(*value))
                && track.values.iter().any(|value| *value != Vec3::ONE)
        }
        _ => false,
    };
    let has_noise = scene.nodes.iter().any(|node| is_rough(&node.rest))
        || scene.clips.iter().flat_map(|clip| &clip.channels).any(is_noise)
        || scene.clips.iter().any(|clip| pause(clip).is_some());
    if !has_noise {
        return None;
    }
    let mut scene = scene.clone();
    for node in &mut scene.nodes {
        node.rest.scale = even(node.rest.scale);
        if turns && is_unturned(node.rest.rotation) {
            node.rest.rotation = Quat::IDENTITY;
        }
    }
    let global: Vec<Target> = scene.global_channels.iter().map(|global| global.channel.target).collect();
    for clip in &mut scene.clips {
        if let Some(start) = pause(clip) {
            clip.channels.iter_mut().for_each(|channel| shift(&mut channel.curve, start));
            clip.events.iter_mut().for_each(|event| event.time -= start);
            clip.duration -= start;
        }
        clip.channels.retain_mut(|channel| {
            if !is_noise(channel) {
                return true;
            }
            if let Curve::Vector(track) = &mut channel.curve {
                track.values.iter_mut().for_each(|value| *value = Vec3::ONE);
            }
            // A clip without the channel has the rest value, unless a global sequence has another.
            let Target::Node(node, _) = channel.target else { return true };
            let rest = scene.nodes.get(node.index()).map(|node| node.rest.scale);
            rest != Some(Vec3::ONE) || global.contains(&channel.target)
        });
    }
    Some(scene)
}

/// The time of the first key, if a clip of a modelling program starts later than its time line: Blender's first frame is frame 1. A clip of a
/// game's file has a place on a time line or a frame rate, and keeps its start.
fn pause(clip: &Clip) -> Option<f32> {
    if clip.source_start.is_some() || clip.frame_rate.is_some() || clip.channels.is_empty() {
        return None;
    }
    let mut start = clip.duration;
    for channel in &clip.channels {
        start = start.min(first_time(&channel.curve)?);
    }
    let start = clip.events.iter().map(|event| event.time).fold(start, f32::min);
    (start > PAUSE && start < clip.duration).then_some(start)
}

/// The first time of a curve that has its first value before it. `None` for curves that go on otherwise.
fn first_time(curve: &Curve) -> Option<f32> {
    fn of<T>(track: &Track<T>) -> Option<f32> {
        track.times.first().copied().filter(|_| track.outside == Outside::Clamp)
    }
    match curve {
        Curve::Flag(track) => of(track),
        Curve::Index(track) => of(track),
        Curve::Scalar(track) => of(track),
        Curve::Vector(track) => of(track),
        Curve::Rotation(track) => of(track),
    }
}

fn shift(curve: &mut Curve, start: f32) {
    let times = match curve {
        Curve::Flag(track) => &mut track.times,
        Curve::Index(track) => &mut track.times,
        Curve::Scalar(track) => &mut track.times,
        Curve::Vector(track) => &mut track.times,
        Curve::Rotation(track) => &mut track.times,
    };
    times.iter_mut().for_each(|time| *time -= start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Channel, Interpolation, Node, NodeId};

    fn scale_channel(values: &[Vec3]) -> Channel {
        let keys = values.iter().enumerate().map(|(index, value)| (index as f32, *value));
        let track = Track::new(Interpolation::Linear, keys);
        Channel { target: Target::Node(NodeId(0), NodeProperty::Scale), curve: Curve::Vector(track) }
    }

    #[test]
    fn rounding_of_scale_is_removed_and_scale_is_not() {
        let node = |scale: Vec3, rotation: Quat| Node {
            rest: Transform { scale, rotation, ..Transform::IDENTITY },
            ..Node::default()
        };
        let slight = Quat::from_rotation_x(0.001_f32.to_radians());
        let nodes = vec![
            node(Vec3::new(1.000_001, 1.0, 0.999_999), slight),
            node(Vec3::new(2.000_01, 2.0, 2.0), Quat::from_rotation_x(0.01)),
            node(Vec3::new(1.0, 1.001, 1.0), Quat::IDENTITY),
        ];
        let clip = |channel| Clip { duration: 1.0, channels: vec![channel], ..Clip::default() };
        let noise = scale_channel(&[Vec3::ONE, Vec3::splat(1.000_01)]);
        let growth = scale_channel(&[Vec3::ONE, Vec3::splat(1.001)]);
        let scene = Scene { nodes, clips: vec![clip(noise), clip(growth)], ..Scene::default() };
        let settled = settled(&scene, true).unwrap();
        let rest = |index: usize| settled.nodes[index].rest;
        assert_eq!(rest(0), Transform::IDENTITY);
        assert_eq!(rest(1).rotation, scene.nodes[1].rest.rotation, "a hundredth of a radian is an edit");
        assert!(rest(1).scale.x == rest(1).scale.y && rest(1).scale.x == rest(1).scale.z);
        assert_eq!(rest(2).scale, Vec3::new(1.0, 1.001, 1.0));
        assert_eq!(settled.clips[0].channels, []);
        assert_eq!(settled.clips[1].channels, scene.clips[1].channels);
        assert_eq!(super::settled(&settled, true), None, "nothing is left to do");
    }

    #[test]
    fn a_clip_that_starts_at_frame_one_starts_at_once() {
        let track = Track::new(Interpolation::Linear, [(1.0 / 24.0, Vec3::ONE), (1.0, Vec3::splat(2.0))]);
        let target = Target::Node(NodeId(0), NodeProperty::Translation);
        let channels = vec![Channel { target, curve: Curve::Vector(track) }];
        let clip = Clip { duration: 1.0, channels, ..Clip::default() };
        let mut scene = Scene { nodes: vec![Node::default()], clips: vec![clip], ..Scene::default() };
        let moved = settled(&scene, false).unwrap();
        let Curve::Vector(track) = &moved.clips[0].channels[0].curve else { panic!("still a vector") };
        assert_eq!(track.times[0], 0.0);
        assert!(
            (track.times[1] - 23.0 / 24.0).abs() < 1e-6
                && (moved.clips[0].duration - 23.0 / 24.0).abs() < 1e-6
        );
        scene.clips[0].frame_rate = Some(30.0);
        assert_eq!(settled(&scene, false), None, "a game's own clip may start late");
    }
}
