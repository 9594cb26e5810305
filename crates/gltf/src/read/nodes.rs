//! The nodes of the scene.

use super::json::Document;
use super::names;
use super::tree::{NOISE, Tree};
use scene::{Node, NodeId, Transform};

pub(crate) fn build(document: &Document<'_>, tree: &Tree, generator_is_ours: bool) -> Vec<Node> {
    let build = |&at: &u32| {
        let extras = &tree.extras[at as usize];
        let found = &document.nodes[at as usize];
        let is_indexed = extras.index.is_some();
        let name = match is_indexed {
            true => names::restored(&found.name, extras.name.as_deref(), "Node"),
            false => found.name.to_string(),
        };
        let frame = &tree.frames[at as usize];
        let mut rest = frame.transform(&tree.locals[at as usize]);
        if let Some(known) = extras.rest.filter(|_| is_indexed) {
            // Only joints keep their rest pose in Blender: other nodes are where the last clip left them.
            let keeps_rest = generator_is_ours || tree.is_joint[at as usize];
            if !keeps_rest || is_same(&rest, &known) {
                rest = known;
            }
        }
        let written = extras.rest.unwrap_or(rest);
        if let Some(source) = extras.source_rest.filter(|_| is_indexed && is_same(&rest, &written)) {
            rest = source;
        }
        Node {
            name,
            parent: tree.host(at),
            rest,
            inherit: extras.inherit,
            billboard: extras.billboard,
            camera_anchored: extras.camera_anchored,
            visible: extras.visible.unwrap_or(true) && (is_indexed || !tree.hidden[at as usize]),
            is_bone: if is_indexed { extras.bone } else { tree.is_joint[at as usize] },
        }
    };
    tree.order.iter().map(build).collect()
}

/// Whether two transforms differ only by other programs' arithmetic.
pub(crate) fn is_same(a: &Transform, b: &Transform) -> bool {
    let size = 1.0 + a.translation.length();
    a.translation.abs_diff_eq(b.translation, NOISE * size)
        && (a.rotation.abs_diff_eq(b.rotation, 10.0 * NOISE)
            || (-a.rotation).abs_diff_eq(b.rotation, 10.0 * NOISE))
        && a.scale.abs_diff_eq(b.scale, NOISE)
}

/// For each index that a node had in the source its place in the scene.
pub(crate) struct NodeIds(Vec<Option<NodeId>>);

impl NodeIds {
    pub(crate) fn new(tree: &Tree) -> Self {
        let mut ids = Vec::new();
        for (id, &at) in tree.order.iter().enumerate() {
            // Places beyond all nodes are of no use, and could be billions.
            let Some(index) = tree.extras[at as usize].index.filter(|index| (*index as usize) < 1 << 20)
            else {
                continue;
            };
            if ids.len() <= index as usize {
                ids.resize(index as usize + 1, None);
            }
            ids[index as usize] = Some(NodeId::from(id));
        }
        Self(ids)
    }

    pub(crate) fn get(&self, node: NodeId) -> Option<NodeId> {
        *self.0.get(node.index())?
    }
}
