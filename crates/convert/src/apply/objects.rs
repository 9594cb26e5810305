//! What is on nodes besides meshes: emitters, attachments, events and so on, which only extras can say.

use super::{Edit, Matches, Side};
use crate::object_kind::ObjectKind;
use scene::{NodeId, Scene};
use std::collections::{HashMap, VecDeque};

/// Objects of one node that are compared with each other at most, so that a node with very many takes no quadratic time.
const MAX_COMPARED: usize = 64;

/// An object on a node that has changed, was removed or is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectEdit {
    /// The list of the scene that it is in.
    pub kind: ObjectKind,
    /// Its position in the list of the original; `None` if it is new.
    pub before: Option<usize>,
    /// Its position in the list of the edited scene; `None` if it was removed.
    pub now: Option<usize>,
}

impl ObjectEdit {
    /// The name of its node, and what happened to it.
    pub(super) fn words(&self, original: &Scene, edited: &Scene) -> String {
        let (node, scene) = match (self.before, self.now) {
            (Some(index), _) => (self.kind.node(original, index), original),
            (None, Some(index)) => (self.kind.node(edited, index), edited),
            (None, None) => (None, original),
        };
        let name = node.and_then(|node| scene.nodes.get(node.index())).map_or("", |node| &node.name);
        let what = match (self.before, self.now) {
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
            (None, _) => "added",
        };
        format!("{} {name:?} {what}", self.kind.word())
    }
}

pub(super) fn edits(
    original: &Scene,
    base: &Side<'_>,
    edited: &Side<'_>,
    matches: &Matches,
    edits: &mut Vec<Edit>,
) {
    if !base.has_objects || !edited.has_objects {
        return;
    }
    for &kind in ObjectKind::ALL {
        let found = changes(kind, base.scene, edited.scene, matches);
        // The base has all objects of the original, in the same order.
        let is_complete = kind.count(base.scene) == kind.count(original);
        edits.extend(found.into_iter().filter(|_| is_complete).map(Edit::ObjectChanged));
    }
}

fn changes(kind: ObjectKind, base: &Scene, edited: &Scene, matches: &Matches) -> Vec<ObjectEdit> {
    // The objects of the edited scene by the node of the base that they are on.
    let mut left: HashMap<usize, VecDeque<usize>> = HashMap::new();
    let mut found = Vec::new();
    for index in 0..kind.count(edited) {
        let node = kind.node(edited, index).map(NodeId::index);
        match node.and_then(|node| matches.nodes.get(node).copied().flatten()) {
            Some(node) => left.entry(node).or_default().push_back(index),
            // What is on a new node came with it.
            None => found.push(ObjectEdit { kind, before: None, now: Some(index) }),
        }
    }
    let mut changed = Vec::new();
    for index in 0..kind.count(base) {
        let Some(node) = kind.node(base, index).map(NodeId::index) else { continue };
        // What is on a node that is gone goes with it.
        if matches.nodes_back.get(node).copied().flatten().is_none() {
            continue;
        }
        let others = left.entry(node).or_default();
        let same =
            others.iter().take(MAX_COMPARED).position(|other| kind.is_same(base, index, edited, *other));
        match same {
            Some(place) => drop(others.remove(place)),
            None => changed.push((index, node)),
        }
    }
    for (index, node) in changed {
        let now = left.get_mut(&node).and_then(VecDeque::pop_front);
        found.push(ObjectEdit { kind, before: Some(index), now });
    }
    let mut added: Vec<usize> = left.into_values().flatten().collect();
    added.sort_unstable();
    found.extend(added.into_iter().map(|index| ObjectEdit { kind, before: None, now: Some(index) }));
    found
}

/// A scene with one node and one object: that of the original, or what became of it.
pub(super) fn alone(original: &Scene, from: &Scene, kind: ObjectKind, index: usize) -> Scene {
    let mut scene = Scene {
        name: "MODEL".to_owned(),
        nodes: vec![scene::Node { name: "OBJECT".to_owned(), ..scene::Node::default() }],
        textures: original.textures.clone(),
        materials: original.materials.clone(),
        global_sequences: original.global_sequences.clone(),
        ..Scene::default()
    };
    kind.copy(from, index, &mut scene, NodeId(0));
    scene
}
