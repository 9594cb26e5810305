//! Nodes that do not follow their parents as glTF's nodes do: their transform against them at any time.

use crate::channels::Source;
use crate::context::{Context, unit};
use glam::{Affine3A, Vec3, Vec3A};
use scene::{NodeId, NodeProperty, Transform, Value, fit::Steadiness};
use std::borrow::Cow;

/// What moves a node.
#[derive(Clone, Default)]
pub(crate) struct Motion<'a> {
    /// For each property its source, and the times at which its course may change.
    sources: [Option<(Source<'a>, Cow<'a, [f32]>)>; 3],
}

impl<'a> Motion<'a> {
    pub(crate) fn set(&mut self, property: NodeProperty, source: Source<'a>, times: Cow<'a, [f32]>) {
        if let Some(place) = self.sources.get_mut(property as usize) {
            *place = Some((source, times));
        }
    }

    fn transform(&self, rest: Transform, time: f32) -> Transform {
        let value = |property: NodeProperty| self.sources[property as usize].as_ref()?.0.sample(time);
        let vector = |property: NodeProperty, rest: Vec3| match value(property) {
            Some(Value::Vector(value)) => value,
            _ => rest,
        };
        Transform {
            translation: vector(NodeProperty::Translation, rest.translation),
            rotation: match value(NodeProperty::Rotation) {
                Some(Value::Rotation(value)) => value,
                _ => rest.rotation,
            },
            scale: vector(NodeProperty::Scale, rest.scale),
        }
    }
}

/// A node and all its ancestors, the node last. To sample one node, no other nodes have to be posed.
pub(crate) struct AncestorChain<'a> {
    links: Vec<Link<'a>>,
}

struct Link<'a> {
    node: &'a scene::Node,
    /// Its origin in the model at rest.
    origin: Vec3A,
    motion: &'a Motion<'a>,
}

impl<'a> AncestorChain<'a> {
    /// `worlds` are the matrices of all nodes at rest, `motions` what moves each node.
    pub(crate) fn new(
        context: &Context<'a>,
        worlds: &[Affine3A],
        motions: &'a [Motion<'_>],
        node: NodeId,
    ) -> Self {
        let chain = std::iter::successors(Some(node), |node| context.hierarchy.parents[node.index()]);
        let mut links: Vec<Link<'a>> = chain
            .map(|node| Link {
                node: &context.scene.nodes[node.index()],
                origin: worlds[node.index()].translation,
                motion: &motions[node.index()],
            })
            .collect();
        links.reverse();
        Self { links }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    fn sources(&self) -> impl Iterator<Item = &(Source<'a>, Cow<'a, [f32]>)> {
        self.links.iter().flat_map(|link| link.motion.sources.iter().flatten())
    }

    /// The times at which something in the chain may change its course.
    pub(crate) fn times(&self) -> Vec<f32> {
        let mut all: Vec<&[f32]> = Vec::new();
        for (_, times) in self.sources() {
            // Channels often share them.
            if !all.contains(&&times[..]) {
                all.push(times);
            }
        }
        all.concat()
    }

    /// How the node moves between those times.
    pub(crate) fn steadiness(&self) -> Steadiness {
        let is_curved = self.sources().any(|(source, _)| source.channel.curve.is_curved());
        if is_curved { Steadiness::Any } else { Steadiness::Even }
    }

    /// The matrices of the node's parent and of the node in the model at a time.
    fn worlds(&self, time: f32) -> (Affine3A, Affine3A) {
        let (mut parent, mut world) = (Affine3A::IDENTITY, Affine3A::IDENTITY);
        for link in &self.links {
            let local = link.motion.transform(link.node.rest, time);
            parent = world;
            world = link.node.world(&local, link.origin, &parent, None);
        }
        (parent, world)
    }

    /// The node's matrix in the model at a time.
    pub(crate) fn world(&self, time: f32) -> Affine3A {
        self.worlds(time).1
    }

    /// The node's transform against its parent at a time, unless the parent's matrix has no inverse.
    pub(crate) fn local(&self, time: f32) -> Option<Transform> {
        let (parent, world) = self.worlds(time);
        let (scale, rotation, translation) = (parent.inverse() * world).to_scale_rotation_translation();
        let is_finite = scale.is_finite() && rotation.is_finite() && translation.is_finite();
        is_finite.then(|| Transform { translation, rotation: unit(rotation), scale })
    }
}
