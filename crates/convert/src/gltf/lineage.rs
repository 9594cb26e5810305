//! Nodes that do not follow their parents as glTF's do: where they are against them at any time.

use super::{Exporter, animation::Source, node::local, resample::Between};
use glam::{Affine3A, Vec3, Vec3A};
use scene::{Curve, NodeId, NodeProperty, Transform, Value};

/// What moves a node.
#[derive(Clone, Default)]
pub(super) struct Motion<'a> {
    /// By [`NodeProperty`].
    pub(super) sources: [Option<Source<'a>>; 3],
    /// When something may change.
    pub(super) times: [Vec<f32>; 3],
}

/// A node and all that it hangs on, the node last: to sample one node, the others need not be posed.
pub(super) struct Lineage<'a> {
    links: Vec<Link<'a>>,
}

struct Link<'a> {
    node: &'a scene::Node,
    /// Where it is in the model at rest.
    origin: Vec3A,
    motion: &'a Motion<'a>,
}

impl<'a> Lineage<'a> {
    pub(super) fn new(exporter: &Exporter<'a>, motions: &'a [Motion<'_>], node: NodeId) -> Self {
        let hierarchy = &exporter.nodes.hierarchy;
        let ancestors = std::iter::successors(Some(node), |node| hierarchy.parents[node.index()]);
        let mut links: Vec<Link<'a>> = ancestors
            .map(|node| Link {
                node: &exporter.scene.nodes[node.index()],
                origin: exporter.nodes.origins[node.index()],
                motion: &motions[node.index()],
            })
            .collect();
        links.reverse();
        Self { links }
    }

    /// When something on the way to the node may change.
    pub(super) fn times(&self) -> Vec<f32> {
        let mut all: Vec<&[f32]> = Vec::new();
        for times in self.links.iter().flat_map(|link| &link.motion.times) {
            // Channels often share them.
            if !all.contains(&&times[..]) {
                all.push(times);
            }
        }
        all.concat()
    }

    /// How it moves between those times.
    pub(super) fn between(&self) -> Between {
        let mut sources = self.links.iter().flat_map(|link| link.motion.sources.iter().flatten());
        let bent = sources.any(|source| match &source.channel.curve {
            Curve::Vector(track) => !track.tangents.is_empty(),
            Curve::Rotation(track) => !track.tangents.is_empty(),
            _ => false,
        });
        if bent { Between::Any } else { Between::Even }
    }

    /// The node's transform against its parent at a time, unless the parent has no extent.
    pub(super) fn local(&self, time: f32) -> Option<Transform> {
        let mut worlds = [Affine3A::IDENTITY; 2];
        for link in &self.links {
            let world =
                link.node.world(&link.motion.transform(link.node.rest, time), link.origin, &worlds[1], None);
            worlds = [worlds[1], world];
        }
        local(&worlds[0], &worlds[1])
    }
}

impl Motion<'_> {
    fn transform(&self, rest: Transform, time: f32) -> Transform {
        let sample =
            |property: NodeProperty| self.sources[property as usize].and_then(|source| source.sample(time));
        let vector = |property: NodeProperty, rest: Vec3| match sample(property) {
            Some(Value::Vector(value)) => value,
            _ => rest,
        };
        Transform {
            translation: vector(NodeProperty::Translation, rest.translation),
            rotation: match sample(NodeProperty::Rotation) {
                Some(Value::Rotation(value)) => value,
                _ => rest.rotation,
            },
            scale: vector(NodeProperty::Scale, rest.scale),
        }
    }
}
