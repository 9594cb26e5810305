//! Nodes that do not follow their parents as glTF's do: where they are against them at any time.

use crate::{
    Exporter,
    animation::Source,
    node::local,
    resample::{Between, Course},
    unit,
};
use glam::{Affine3A, Quat, Vec3, Vec3A};
use scene::{Inherit, NodeId, NodeProperty, Transform, Value, slerp};
use std::borrow::Cow;

/// What moves a node.
#[derive(Clone, Default)]
pub(crate) struct Motion<'a> {
    /// By [`NodeProperty`].
    sources: [Option<Source<'a>>; 3],
    /// What the sources say if it is the same all the time.
    still: [Option<Value>; 3],
    /// When something may change.
    times: [Cow<'a, [f32]>; 3],
}

/// A node and all that it hangs on, the node last: to sample one node, the others need not be posed.
pub(crate) struct Lineage<'a> {
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
    pub(crate) fn new(exporter: &Exporter<'a>, motions: &'a [Motion<'_>], node: NodeId) -> Self {
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
    pub(crate) fn times(&self) -> Vec<f32> {
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
    pub(crate) fn between(&self) -> Between {
        Between::of(self.links.iter().flat_map(|link| link.motion.sources.iter().flatten()))
    }

    /// The node's transform against its parent at a time, unless the parent has no extent.
    pub(crate) fn local(&self, time: f32) -> Option<Transform> {
        if let Some((node, ancestors)) = self.links.split_last().filter(|_| self.only_turns) {
            let turned = ancestors.iter().fold(Quat::IDENTITY, |turned, link| turned * link.turn(time));
            return Some(node.turned_back(turned, node.motion.transform(node.node.rest, time)));
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

/// The motion of a node in the frame of its parent, until the end of the animation.
pub(crate) struct Local<'a> {
    lineage: &'a Lineage<'a>,
    rest: Transform,
    last: f32,
    /// If all links only turn, and evenly: how they stood at the last two times, and the node's own transforms.
    turns: [Vec<Quat>; 2],
    own: [Transform; 2],
    even: bool,
}

impl<'a> Local<'a> {
    /// `rest` is for when it has none.
    pub(crate) fn new(lineage: &'a Lineage<'a>, rest: Transform, last: f32) -> Self {
        let even = lineage.only_turns && lineage.between() == Between::Even;
        Self { lineage, rest, last, turns: Default::default(), own: Default::default(), even }
    }
}

impl Course<Transform> for Local<'_> {
    fn at(&mut self, time: f32) -> Transform {
        self.lineage.local(time.min(self.last)).unwrap_or(self.rest)
    }

    fn at_next(&mut self, time: f32) -> Transform {
        let Some((node, ancestors)) = self.lineage.links.split_last().filter(|_| self.even) else {
            return self.at(time);
        };
        let time = time.min(self.last);
        self.turns.swap(0, 1);
        self.turns[1].clear();
        self.turns[1].extend(ancestors.iter().map(|link| link.turn(time)));
        self.own = [self.own[1], node.motion.transform(node.node.rest, time)];
        node.turned_back(self.turns[1].iter().copied().product(), self.own[1])
    }

    /// Each link is so far on its own arc, so nothing has to be looked up.
    fn between(&self, part: f32) -> Option<Transform> {
        let node = self.lineage.links.last().filter(|_| self.even)?;
        let arc = |a: Quat, b: Quat| match part {
            0.5 => (a + if a.dot(b) < 0.0 { -b } else { b }).normalize(),
            _ => slerp(a, b, part),
        };
        let turned = self.turns[0].iter().zip(&self.turns[1]).map(|(a, b)| arc(*a, *b)).product();
        let [a, b] = self.own;
        let own = Transform {
            translation: a.translation.lerp(b.translation, part),
            rotation: arc(unit(a.rotation), unit(b.rotation)),
            scale: a.scale.lerp(b.scale, part),
        };
        Some(node.turned_back(turned, own))
    }
}

impl Link<'_> {
    /// How it turns what hangs on it.
    fn turn(&self, time: f32) -> Quat {
        unit(self.motion.rotation(self.node.rest, time))
    }

    /// Where it is against its parent if it does not turn with it, which is turned like this.
    fn turned_back(&self, parent: Quat, own: Transform) -> Transform {
        let (back, rest) = (parent.conjugate(), self.node.rest.translation);
        let translation = rest + back * (own.translation - rest);
        Transform { translation, rotation: back * unit(own.rotation), ..own }
    }

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
    pub(crate) fn set(&mut self, property: NodeProperty, source: Source<'a>, times: Cow<'a, [f32]>) {
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
