//! Nodes that do not follow their parents as glTF's do: where they are against them at any time.

use super::{Exporter, animation::Source, node::local, resample::Between, unit};
use glam::{Affine3A, Quat, Vec3, Vec3A};
use scene::{Inherit, NodeId, NodeProperty, Transform, Value};
use std::borrow::Cow;

/// What moves a node.
#[derive(Clone, Default)]
pub(super) struct Motion<'a> {
    /// By [`NodeProperty`].
    sources: [Option<Source<'a>>; 3],
    /// What the sources say if it is the same all the time.
    still: [Option<Value>; 3],
    /// When something may change.
    times: [Cow<'a, [f32]>; 3],
}

/// A node and all that it hangs on, the node last: to sample one node, the others need not be posed.
pub(super) struct Lineage<'a> {
    links: Vec<Link<'a>>,
    /// The node keeps its own directions, and nothing on the way to it is scaled.
    only_turns: bool,
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
        let turns = |inherit: Inherit| inherit == Inherit { rotation: false, ..Inherit::ALL };
        let only_turns = links.split_last().is_some_and(|(node, ancestors)| {
            turns(node.node.inherit)
                && ancestors.iter().all(|link| link.node.inherit == Inherit::ALL && !link.is_scaled())
        });
        Self { links, only_turns }
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
        Between::of(self.links.iter().flat_map(|link| link.motion.sources.iter().flatten()))
    }

    /// The node's transform against its parent at a time, unless the parent has no extent.
    pub(super) fn local(&self, time: f32) -> Option<Transform> {
        if let Some((node, ancestors)) = self.links.split_last().filter(|_| self.only_turns) {
            // The same as below, without matrices: the turn of the parent is taken back.
            let turn = |turn: Quat, link: &Link<'_>| turn * unit(link.motion.rotation(link.node.rest, time));
            let back = ancestors.iter().fold(Quat::IDENTITY, turn).conjugate();
            let (rest, own) = (node.node.rest.translation, node.motion.transform(node.node.rest, time));
            let translation = rest + back * (own.translation - rest);
            return Some(Transform { translation, rotation: back * unit(own.rotation), ..own });
        }
        let mut worlds = [Affine3A::IDENTITY; 2];
        for link in &self.links {
            let world =
                link.node.world(&link.motion.transform(link.node.rest, time), link.origin, &worlds[1], None);
            worlds = [worlds[1], world];
        }
        local(&worlds[0], &worlds[1])
    }
}

impl Link<'_> {
    fn is_scaled(&self) -> bool {
        let scale = NodeProperty::Scale as usize;
        match (self.motion.sources[scale], self.motion.still[scale]) {
            (None, _) => self.node.rest.scale != Vec3::ONE,
            (Some(_), still) => still != Some(Value::Vector(Vec3::ONE)),
        }
    }
}

impl<'a> Motion<'a> {
    /// Moves a property by a source, which has to be looked at anew at these times.
    pub(super) fn set(&mut self, property: NodeProperty, source: Source<'a>, times: Cow<'a, [f32]>) {
        let place = property as usize;
        self.still[place] = source.sample(0.0).filter(|_| times.len() == 1);
        (self.sources[place], self.times[place]) = (Some(source), times);
    }

    fn sample(&self, property: NodeProperty, time: f32) -> Option<Value> {
        let place = property as usize;
        self.still[place].or_else(|| self.sources[place]?.sample(time))
    }

    fn rotation(&self, rest: Transform, time: f32) -> Quat {
        match self.sample(NodeProperty::Rotation, time) {
            Some(Value::Rotation(value)) => value,
            _ => rest.rotation,
        }
    }

    fn transform(&self, rest: Transform, time: f32) -> Transform {
        let vector = |property: NodeProperty, rest: Vec3| match self.sample(property, time) {
            Some(Value::Vector(value)) => value,
            _ => rest,
        };
        Transform {
            translation: vector(NodeProperty::Translation, rest.translation),
            rotation: self.rotation(rest, time),
            scale: vector(NodeProperty::Scale, rest.scale),
        }
    }
}
