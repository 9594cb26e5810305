//! Where some nodes are at each frame. A whole pose has every node, mesh and material; most steps need a few nodes, many times.

use glam::{Affine3A, Quat, Vec3};
use scene::{
    Channel, ClipId, GlobalChannel, GlobalSequence, Hierarchy, Inherit, NodeId, NodeProperty, Scene, Target,
    Transform, Value,
};

/// The channels of a clip, and of the global sequences, that have some targets.
pub(super) struct Channels<'s> {
    global: Vec<(&'s GlobalSequence, &'s GlobalChannel)>,
    clip: Vec<&'s Channel>,
}

impl<'s> Channels<'s> {
    pub(super) fn new(scene: &'s Scene, clip: ClipId, is_wanted: impl Fn(Target) -> bool) -> Self {
        let global = scene.global_channels.iter().filter(|global| is_wanted(global.channel.target));
        let global = global
            .filter_map(|global| Some((scene.global_sequences.get(global.sequence.index())?, global)))
            .collect();
        let clip = scene.clips.get(clip.index()).map_or(&[][..], |clip| &clip.channels);
        Self { global, clip: clip.iter().filter(|channel| is_wanted(channel.target)).collect() }
    }

    /// What the channels change.
    pub(super) fn targets(&self) -> impl Iterator<Item = Target> {
        let global = self.global.iter().map(|(_, global)| global.channel.target);
        global.chain(self.clip.iter().map(|channel| channel.target))
    }

    /// The values at a time: first those of global sequences, then those of the clip.
    pub(super) fn values(&self, time: f32) -> impl Iterator<Item = (Target, Value)> {
        let global = self.global.iter().filter_map(move |(sequence, global)| {
            let value = global.channel.curve.sample_global(sequence.local_time(time), sequence.duration)?;
            Some((global.channel.target, value))
        });
        let clip = self.clip.iter();
        global.chain(clip.filter_map(move |channel| Some((channel.target, channel.curve.sample(time)?))))
    }
}

/// Samples the matrices of some nodes, and of all nodes above them.
pub(super) struct Worlds<'s> {
    scene: &'s Scene,
    parents: &'s [Option<NodeId>],
    /// The nodes that are sampled, parents first.
    order: Vec<NodeId>,
    is_sampled: Vec<bool>,
    /// Origins of all nodes at rest.
    rest: &'s [Affine3A],
    /// Of all nodes; only those of sampled nodes change.
    locals: Vec<Transform>,
    worlds: Vec<Affine3A>,
}

impl<'s> Worlds<'s> {
    /// `rest` has the matrices of all nodes at rest.
    pub(super) fn new(
        scene: &'s Scene,
        hierarchy: &'s Hierarchy,
        rest: &'s [Affine3A],
        nodes: impl IntoIterator<Item = NodeId>,
    ) -> Self {
        let mut is_sampled = vec![false; scene.nodes.len()];
        for node in nodes {
            let mut next = Some(node);
            while let Some(node) = next.filter(|node| is_sampled.get(node.index()) == Some(&false)) {
                is_sampled[node.index()] = true;
                next = hierarchy.parents[node.index()];
            }
        }
        Self {
            scene,
            parents: &hierarchy.parents,
            order: hierarchy.order.iter().copied().filter(|node| is_sampled[node.index()]).collect(),
            is_sampled,
            rest,
            locals: scene.nodes.iter().map(|node| node.rest).collect(),
            worlds: rest.to_vec(),
        }
    }

    /// The channels that move these nodes in a clip.
    pub(super) fn channels(&self, clip: ClipId) -> Channels<'s> {
        Channels::new(self.scene, clip, |target| {
            matches!(target, Target::Node(node, property) if property != NodeProperty::Visibility
                && self.is_sampled.get(node.index()) == Some(&true))
        })
    }

    /// The matrices at a time; those of other nodes are at rest.
    pub(super) fn sample(&mut self, channels: &Channels<'_>, time: f32) -> &[Affine3A] {
        for node in &self.order {
            self.locals[node.index()] = self.scene.nodes[node.index()].rest;
        }
        for (target, value) in channels.values(time) {
            let Target::Node(node, property) = target else { continue };
            let local = &mut self.locals[node.index()];
            match (property, value) {
                (NodeProperty::Translation, Value::Vector(value)) => local.translation = value,
                (NodeProperty::Rotation, Value::Rotation(value)) => local.rotation = value,
                (NodeProperty::Scale, Value::Vector(value)) => local.scale = value,
                _ => {}
            }
        }
        for node in &self.order {
            let index = node.index();
            let parent = self.parents[index].map_or(Affine3A::IDENTITY, |parent| self.worlds[parent.index()]);
            let (node, local) = (&self.scene.nodes[index], &self.locals[index]);
            let is_point =
                node.inherit == Inherit::ALL && local.rotation == Quat::IDENTITY && local.scale == Vec3::ONE;
            // Most nodes that are added for scale only move.
            self.worlds[index] = if is_point {
                let translation = parent.transform_point3a(local.translation.into());
                Affine3A { translation, ..parent }
            } else {
                node.world(local, self.rest[index].translation, &parent, None)
            };
        }
        &self.worlds
    }
}

#[cfg(test)]
mod tests {
    use scene::{Clip, Curve, Interpolation, Moment, Node, Sampler, Track};

    use super::*;

    /// A chain of three nodes that all move, and a node beside it that grows.
    fn chain() -> Scene {
        let node = |parent: Option<u32>, x: f32| Node {
            parent: parent.map(NodeId),
            rest: Transform::from_translation(Vec3::new(x, 0.0, 0.0)),
            ..Node::default()
        };
        let turn = |node: u32, angle: f32| Channel {
            target: Target::Node(NodeId(node), NodeProperty::Rotation),
            curve: Curve::Rotation(Track::new(
                Interpolation::Linear,
                [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(angle))],
            )),
        };
        let keys = [(0.0, Vec3::ONE), (1.0, Vec3::splat(3.0))];
        let grow = Channel {
            target: Target::Node(NodeId(3), NodeProperty::Scale),
            curve: Curve::Vector(Track::new(Interpolation::Linear, keys)),
        };
        let channels = vec![turn(0, 0.5), turn(1, 0.7), turn(2, -0.4), grow];
        Scene {
            nodes: vec![node(None, 1.0), node(Some(0), 2.0), node(Some(1), 3.0), node(Some(0), 4.0)],
            clips: vec![Clip { duration: 1.0, channels, ..Clip::default() }],
            ..Scene::default()
        }
    }

    #[test]
    fn sampled_nodes_are_where_a_pose_has_them() {
        let scene = chain();
        let (hierarchy, rest) = (scene.hierarchy(), scene.rest_worlds());
        let mut worlds = Worlds::new(&scene, &hierarchy, &rest, [NodeId(2)]);
        let channels = worlds.channels(ClipId(0));
        for time in [0.0, 0.3, 1.0] {
            let pose =
                Sampler::new(&scene).pose(&Moment { clip: Some(ClipId(0)), time, ..Moment::default() });
            assert_eq!(worlds.sample(&channels, time)[..3], pose.worlds[..3], "at {time}");
        }
        assert_eq!(worlds.sample(&channels, 1.0)[3], rest[3], "nobody asked for the fourth node");
    }
}
