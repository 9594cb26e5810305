//! Which nodes only move and turn in the spaces of their parents, once scale is taken out.
//!
//! A pivot has no scale. Its own scale changes nothing about where it is, and an even scale above it that never changes is a factor of its
//! translation: such a pivot has the tracks of its node. Any other needs poses.

use glam::Vec3;
use scene::{Channel, Clip, Curve, Hierarchy, Inherit, NodeId, NodeProperty, Scene, Target};

/// How the nodes of a scene are scaled at rest, or while a clip plays.
pub(super) struct Scales {
    /// The factor of each node's translation; `None` if the node needs poses.
    factors: Vec<Option<f32>>,
}

impl Scales {
    /// At rest.
    pub(super) fn at_rest(scene: &Scene, hierarchy: &Hierarchy) -> Self {
        Self::new(scene, hierarchy, std::iter::empty())
    }

    /// While a clip and the global sequences play.
    pub(super) fn in_clip(scene: &Scene, hierarchy: &Hierarchy, clip: &Clip) -> Self {
        let global = scene.global_channels.iter().map(|global| &global.channel);
        Self::new(scene, hierarchy, clip.channels.iter().chain(global))
    }

    fn new<'s>(scene: &Scene, hierarchy: &Hierarchy, channels: impl Iterator<Item = &'s Channel>) -> Self {
        let is_mirrored = |scale: Vec3| scale.min_element() < 0.0;
        let mut changes = vec![false; scene.nodes.len()];
        let mut mirrors: Vec<bool> = scene.nodes.iter().map(|node| is_mirrored(node.rest.scale)).collect();
        for channel in channels {
            let (Target::Node(node, NodeProperty::Scale), Curve::Vector(track)) =
                (channel.target, &channel.curve)
            else {
                continue;
            };
            if let Some(changes) = changes.get_mut(node.index()) {
                *changes = true;
                // Curves may go beyond their keys.
                let is_curved = !track.tangents.is_empty();
                mirrors[node.index()] |= is_curved || track.values.iter().any(|value| is_mirrored(*value));
            }
        }
        let mut factors: Vec<Option<f32>> = vec![None; scene.nodes.len()];
        // The uniform scale that each node passes to its children.
        let mut below: Vec<Option<f32>> = vec![None; scene.nodes.len()];
        for id in &hierarchy.order {
            let index = id.index();
            let node = &scene.nodes[index];
            let above = hierarchy.parents[index].map_or(Some(1.0), |parent| below[parent.index()]);
            let above = above.filter(|_| node.inherit == Inherit::ALL);
            let scale = node.rest.scale;
            let is_even = scale.x == scale.y && scale.y == scale.z && scale.x > 0.0 && scale.is_finite();
            factors[index] = above.filter(|_| !mirrors[index]);
            below[index] = above.filter(|_| is_even && !changes[index]).map(|above| above * scale.x);
        }
        Self { factors }
    }

    /// The factor of a node's translation, if the node only moves and turns.
    pub(super) fn factor(&self, node: NodeId) -> Option<f32> {
        self.factors.get(node.index()).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use scene::{Interpolation, Node, Track, Transform};

    use super::*;

    #[test]
    fn even_scale_above_a_node_is_a_factor_and_changing_scale_needs_poses() {
        let node = |parent: Option<u32>, scale: f32| Node {
            parent: parent.map(NodeId),
            rest: Transform { scale: Vec3::splat(scale), ..Transform::IDENTITY },
            ..Node::default()
        };
        let nodes = vec![node(None, 2.0), node(Some(0), 3.0), node(Some(1), 1.0), node(Some(2), 1.0)];
        let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ONE), (1.0, Vec3::splat(2.0))]);
        let target = Target::Node(NodeId(2), NodeProperty::Scale);
        let channels = vec![Channel { target, curve: Curve::Vector(track) }];
        let clip = Clip { duration: 1.0, channels, ..Clip::default() };
        let mut scene = Scene { nodes, clips: vec![clip], ..Scene::default() };
        let factors = |scales: Scales| [0, 1, 2, 3].map(|node| scales.factor(NodeId(node)));
        let hierarchy = scene.hierarchy();
        assert_eq!(factors(Scales::at_rest(&scene, &hierarchy)), [1.0, 2.0, 6.0, 6.0].map(Some));
        let clip = Scales::in_clip(&scene, &hierarchy, &scene.clips[0]);
        assert_eq!(factors(clip), [Some(1.0), Some(2.0), Some(6.0), None], "what is below it needs poses");
        scene.nodes[1].rest.scale.x = -3.0;
        let mirrored = Scales::at_rest(&scene, &hierarchy);
        assert_eq!(factors(mirrored), [Some(1.0), None, None, None]);
    }
}
