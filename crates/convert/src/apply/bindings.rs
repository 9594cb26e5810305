//! Which nodes move the vertices of a changed mesh.

use super::Inputs;
use scene::{Mesh, NodeId, Skin};
use std::collections::HashMap;

/// A node that moves vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Mover {
    /// A node of the original.
    Known(NodeId),
    /// A new node: its index in the edited scene.
    New(usize),
}

/// Nodes with weights, each node once, in a fixed order.
pub(super) type Movers = Vec<(Mover, f32)>;

/// Weights that differ by less are the same.
const NEAR: f32 = 1e-4;
/// Blender writes four joints for a vertex at most, so more come back as other ones.
const MAX_WRITTEN: usize = 4;

/// The nodes that move the vertices of a mesh of the original and of the edited scene.
pub(super) struct Bindings {
    before: Sets,
    now: Sets,
}

/// The nodes of each vertex.
#[derive(Default)]
struct Sets {
    sets: Vec<Movers>,
    of_vertices: Vec<u32>,
}

impl Sets {
    fn of(&self, vertex: usize) -> &[(Mover, f32)] {
        let set = self.of_vertices.get(vertex).and_then(|set| self.sets.get(*set as usize));
        set.map_or(&[], Vec::as_slice)
    }

    fn of_skin(skin: &Skin, mover: impl Fn(NodeId) -> Option<Mover>) -> Self {
        let movers: Vec<Option<Mover>> = skin.joints.iter().map(|joint| mover(joint.node)).collect();
        let set = |index: usize| {
            let mut weights: HashMap<Mover, f32> = HashMap::new();
            for influence in skin.set(u32::try_from(index).unwrap_or(u32::MAX)) {
                if let Some(mover) = movers.get(influence.joint as usize).copied().flatten() {
                    *weights.entry(mover).or_default() += influence.weight;
                }
            }
            let mut all: Movers = weights.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
            all.sort_by_key(|(mover, _)| *mover);
            let sum: f32 = all.iter().map(|(_, weight)| weight).sum();
            all.iter_mut().for_each(|(_, weight)| *weight /= sum);
            all
        };
        Self { sets: (0..skin.ends.len()).map(set).collect(), of_vertices: skin.sets.clone() }
    }
}

impl Bindings {
    pub(super) fn new(inputs: &Inputs<'_>, original: &Mesh, edited: &Mesh) -> Self {
        let before = original.skin.as_ref().map(|skin| Sets::of_skin(skin, |node| Some(Mover::Known(node))));
        let now = match (&edited.skin, edited.node.and_then(|node| inputs.mover(node))) {
            (Some(skin), _) => Sets::of_skin(skin, |node| inputs.mover(node)),
            (None, Some(mover)) => {
                Sets { sets: vec![vec![(mover, 1.0)]], of_vertices: vec![0; edited.positions.len()] }
            }
            (None, None) => Sets::default(),
        };
        Self { before: before.unwrap_or_default(), now }
    }

    /// The nodes of a vertex of the edited mesh, if they are not those of a vertex of the original.
    pub(super) fn changed(&self, origin: usize, now: usize) -> Option<&[(Mover, f32)]> {
        let (before, now) = (self.before.of(origin), self.now.of(now));
        if now.is_empty() {
            return None;
        }
        let is_in = |set: &[(Mover, f32)], mover: Mover| set.iter().any(|(known, _)| *known == mover);
        if before.len() > MAX_WRITTEN && now.iter().all(|(mover, _)| is_in(before, *mover)) {
            return None;
        }
        let is_same = before.len() == now.len()
            && before.iter().zip(now).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < NEAR);
        // A weight that is almost nothing may be missing.
        let weight = |set: &[(Mover, f32)], mover: Mover| {
            set.iter().find(|(known, _)| *known == mover).map_or(0.0, |(_, weight)| *weight)
        };
        let is_near = || {
            before
                .iter()
                .chain(now)
                .all(|(mover, _)| (weight(before, *mover) - weight(now, *mover)).abs() < NEAR)
        };
        (!is_same && !is_near()).then_some(now)
    }

    /// The same as numbers to compare.
    pub(super) fn key(&self, origin: usize, now: usize, key: &mut Vec<u32>) {
        let Some(movers) = self.changed(origin, now) else { return };
        // Texture coordinates and colours begin with lower numbers.
        key.push(u32::MAX);
        for (mover, weight) in movers {
            let number = match mover {
                Mover::Known(node) => [0, node.0],
                Mover::New(node) => [1, u32::try_from(*node).unwrap_or(u32::MAX)],
            };
            key.extend(number);
            key.push((weight / NEAR).round() as u32);
        }
    }
}
