//! Building collision trees.

use record::Node;
use w3d::build::AabTree;
use w3d::records::AabTreeHeader;
use w3d::table::*;
use w3d::{Mesh, W3d, build};

use super::{Changes, each_child};
use crate::rules::w3d::aabtree::Tree;

/// Builds the collision tree of each mesh whose tree is wrong.
pub(crate) fn aabtree(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, node| {
        let mesh = Mesh(node);
        let Some(tree) = Tree::of(&mesh) else { return };
        let count = mesh.triangles().len();
        let fault = match changes.code {
            "W3D-AABT-001" => tree.count_fault(count),
            "W3D-AABT-002" => tree.permutation_fault(count),
            "W3D-AABT-003" => tree.structure_fault(),
            _ => tree.box_fault(&mesh),
        };
        let Some(built) = fault.and_then(|_| AabTree::new(mesh.triangles(), mesh.vertices())) else {
            return;
        };
        let padding = tree.header.map(|header| header.padding).unwrap_or_default();
        let header = AabTreeHeader { padding, ..built.header() };
        let message = format!("collision tree of {} nodes built", built.nodes.len());
        let Some(children) = node.get_mut(AABTREE).and_then(Node::children_mut) else { return };
        children.retain(|child| !matches!(child.id, ids::AABTREE_HEADER..=ids::AABTREE_NODES));
        let parts = [
            build(AABTREE_HEADER, &header),
            build(AABTREE_POLYINDICES, &built.polygon_indices),
            build(AABTREE_NODES, &built.nodes),
        ];
        children.splice(0..0, parts);
        changes.add(format!("{path}/AABTREE[0]"), message);
    });
}
