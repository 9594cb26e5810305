//! Building collision trees.

use record::Node;
use w3d::build::AabTree;
use w3d::records::AabTreeHeader;
use w3d::table::*;
use w3d::{Mesh, W3d, build};

use super::{Changes, each_child};
use crate::rules::w3d::aabtree::Tree;

/// Sets wrong counts of collision trees, and builds the tree of each mesh whose tree is wrong although it is complete.
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
        // A part that is missing or of another length is damage: what is there may be right.
        let Some(stated) = tree.header.filter(|_| fault.is_some() && tree.indices.len() == count) else {
            return;
        };
        if tree.permutation_fault(count).is_none()
            && tree.structure_fault().is_none()
            && changes.code == "W3D-AABT-001"
        {
            let (nodes, triangles) = (tree.nodes.len(), tree.indices.len());
            set_counts(node, nodes, triangles);
            changes.add(
                format!("{path}/AABTREE[0]"),
                format!("counts set to {nodes} nodes and {triangles} triangles"),
            );
            return;
        }
        let is_whole = stated.poly_count.get() as usize == tree.indices.len()
            && stated.node_count.get() as usize == tree.nodes.len();
        let Some(built) =
            fault.filter(|_| is_whole).and_then(|_| AabTree::new(mesh.triangles(), mesh.vertices()))
        else {
            return;
        };
        let header = AabTreeHeader { padding: stated.padding, ..built.header() };
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

/// Sets the counts of a tree that is right otherwise.
fn set_counts(mesh: &mut Node<'_>, nodes: usize, triangles: usize) {
    let header = mesh.get_mut(AABTREE).and_then(|tree| tree.child_mut(&AABTREE_HEADER));
    if let Some(header) = header.and_then(Node::value_mut::<AabTreeHeader>)
        && let (Ok(nodes), Ok(triangles)) = (u32::try_from(nodes), u32::try_from(triangles))
    {
        header.node_count.set(nodes);
        header.poly_count.set(triangles);
    }
}
