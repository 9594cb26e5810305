//! Collision trees.

use record::Severity::{Error, Warning};
use record::{Node, U32};
use w3d::Mesh;
use w3d::records::{AabTreeContents, AabTreeHeader, AabTreeNode};
use w3d::table::*;

use super::planes::wide;
use super::{child_value, child_values, len};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, out_of_range, verb};

const REBUILD: Repair = Repair::w3d("rebuilds the collision tree", fix::aabtree);

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-AABT-001",
        Error,
        counts,
        "docs/formats/w3d/meshes.md#collision-tree: PolyCount == NumTris",
        "the collision tree's counts are wrong",
        "Engines allocate and read the arrays by the counts of the tree's header. The repair rebuilds the tree from the triangles.",
    )
    .repaired(REBUILD),
    Rule::w3d(
        "W3D-AABT-002",
        Error,
        permutation,
        "docs/formats/w3d/meshes.md#collision-tree: POLYINDICES is a permutation",
        "the collision tree lacks triangles or has them twice",
        "A missing triangle cannot be hit; an index out of range reads other memory. The repair rebuilds the tree.",
    )
    .repaired(REBUILD),
    Rule::w3d(
        "W3D-AABT-003",
        Error,
        structure,
        "docs/formats/w3d/meshes.md#collision-tree: in range, acyclic, leaf ranges tile",
        "the collision tree is malformed",
        "A child that is missing, is its own ancestor or has two parents sends the engine into a loop or out of the array. The repair rebuilds the tree.",
    )
    .repaired(REBUILD),
    Rule::w3d(
        "W3D-AABT-004",
        Warning,
        boxes,
        "docs/formats/w3d/meshes.md#collision-tree: boxes contain polygons",
        "a box of the collision tree does not enclose its triangles",
        "Rays and boxes that miss the box never test the triangles in it: they pass through the mesh there. The repair rebuilds the tree.",
    )
    .repaired(REBUILD),
];

/// The least and the greatest corner of a box, if anything is in it.
type Bounds = Option<[[f64; 3]; 2]>;

/// The bounds of two boxes.
fn union(left: Bounds, right: Bounds) -> Bounds {
    let (Some([low, high]), Some([other_low, other_high])) = (left, right) else { return left.or(right) };
    Some([
        std::array::from_fn(|axis| low[axis].min(other_low[axis])),
        std::array::from_fn(|axis| high[axis].max(other_high[axis])),
    ])
}

/// The parts of a mesh's tree.
pub(crate) struct Tree<'n> {
    pub(crate) node: &'n Node<'n>,
    pub(crate) header: Option<AabTreeHeader>,
    pub(crate) indices: &'n [U32],
    pub(crate) nodes: &'n [AabTreeNode],
}

impl<'n> Tree<'n> {
    pub(crate) fn of(mesh: &Mesh<'n>) -> Option<Self> {
        let node = mesh.0.child(&AABTREE)?;
        Some(Self {
            node,
            header: child_value(node, &AABTREE_HEADER).copied(),
            indices: child_values(node, &AABTREE_POLYINDICES),
            nodes: child_values(node, &AABTREE_NODES),
        })
    }

    pub(crate) fn count_fault(&self, triangles: usize) -> Option<String> {
        let Some(header) = self.header else { return Some("the tree has no header".to_owned()) };
        let (nodes, polygons) = (len(header.node_count), len(header.poly_count));
        if polygons != triangles {
            return Some(format!(
                "the tree is for {}, but the mesh has {}",
                counted(polygons, "triangle"),
                counted(triangles, "triangle")
            ));
        }
        if polygons != self.indices.len() || nodes != self.nodes.len() {
            let stated =
                format!("the header says {} and {}", counted(polygons, "triangle"), counted(nodes, "node"));
            return Some(format!("{stated}, but there are {} and {}", self.indices.len(), self.nodes.len()));
        }
        None
    }

    pub(crate) fn permutation_fault(&self, triangles: usize) -> Option<String> {
        let mut seen = vec![false; triangles];
        for index in self.indices {
            match seen.get_mut(len(*index)) {
                None => return Some(out_of_range("triangle", index, "mesh", triangles)),
                Some(true) => return Some(format!("triangle {index} is listed twice")),
                Some(seen) => *seen = true,
            }
        }
        let missing = seen.iter().filter(|seen| !**seen).count();
        (missing > 0).then(|| {
            format!("{} {} not in the tree", counted(missing, "triangle"), verb(missing, "is", "are"))
        })
    }

    pub(crate) fn structure_fault(&self) -> Option<String> {
        if self.nodes.is_empty() {
            return Some("the tree has no nodes".to_owned());
        }
        let mut reached = vec![false; self.nodes.len()];
        let mut covered = vec![false; self.indices.len()];
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            match reached.get_mut(index) {
                None => return Some(out_of_range("node", index, "tree", self.nodes.len())),
                Some(true) => return Some(format!("node {index} has two parents")),
                Some(reached) => *reached = true,
            }
            match self.nodes[index].contents() {
                AabTreeContents::Inner { front, back } => open.extend([len(front), len(back)]),
                AabTreeContents::Leaf { first, count } => {
                    let range = len(first)..len(first).saturating_add(len(count));
                    let Some(range) = covered.get_mut(range.clone()) else {
                        return Some(format!(
                            "node {index} refers to indices {} to {}, but there are {}",
                            range.start,
                            range.end.saturating_sub(1),
                            self.indices.len()
                        ));
                    };
                    if range.iter().any(|covered| *covered) {
                        return Some(format!("node {index} shares indices with another"));
                    }
                    range.fill(true);
                }
            }
        }
        let unreached = reached.iter().filter(|reached| !**reached).count();
        if unreached > 0 {
            let have = verb(unreached, "has", "have");
            return Some(format!("{} {have} no parent", counted(unreached, "node")));
        }
        let uncovered = covered.iter().filter(|covered| !**covered).count();
        (uncovered > 0).then(|| {
            format!("{} {} in no leaf", counted(uncovered, "triangle"), verb(uncovered, "is", "are"))
        })
    }

    pub(crate) fn box_fault(&self, mesh: &Mesh<'_>) -> Option<String> {
        if self.structure_fault().is_some() {
            return None;
        }
        // The bounds of the triangles below each node. In a tree every child is reached after its parent.
        let mut order = vec![0];
        let mut at = 0;
        while let Some(index) = order.get(at).copied() {
            if let AabTreeContents::Inner { front, back } = self.nodes[index].contents() {
                order.extend([len(front), len(back)]);
            }
            at += 1;
        }
        let mut bounds = vec![None; self.nodes.len()];
        for index in order.into_iter().rev() {
            bounds[index] = match self.nodes[index].contents() {
                AabTreeContents::Inner { front, back } => union(bounds[len(front)], bounds[len(back)]),
                AabTreeContents::Leaf { first, count } => self.leaf_bounds(mesh, len(first), len(count)),
            };
        }
        let wrong = |(at, node): (usize, &AabTreeNode)| {
            let (min, max) = (wide(node.min), wide(node.max));
            let slack = (0..3).map(|axis| min[axis].abs().max(max[axis].abs())).fold(1.0, f64::max) * 1e-4;
            let [low, high] = bounds[at]?;
            let is_outside =
                (0..3).any(|axis| low[axis] < min[axis] - slack || high[axis] > max[axis] + slack);
            is_outside.then(|| format!("the box of node {at} does not enclose its triangles"))
        };
        self.nodes.iter().enumerate().find_map(wrong)
    }

    /// The bounds of the triangles of a leaf.
    fn leaf_bounds(&self, mesh: &Mesh<'_>, first: usize, count: usize) -> Bounds {
        let (triangles, vertices) = (mesh.triangles(), mesh.vertices());
        let held = self.indices.get(first..first.saturating_add(count)).unwrap_or_default();
        let corners =
            held.iter().filter_map(|index| triangles.get(len(*index))).flat_map(|triangle| triangle.vindex);
        let corners = corners.filter_map(|index| vertices.get(len(index))).map(|vertex| wide(*vertex));
        corners.fold(None, |bounds, corner| union(bounds, Some([corner, corner])))
    }
}

fn each(
    context: &W3dContext<'_>,
    findings: &mut Findings<'_>,
    fault: fn(&Tree<'_>, &Mesh<'_>) -> Option<String>,
) {
    for mesh in &context.meshes {
        if let Some(tree) = Tree::of(mesh)
            && let Some(message) = fault(&tree, mesh)
        {
            findings.add(tree.node, message);
        }
    }
}

fn counts(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each(context, findings, |tree, mesh| tree.count_fault(mesh.triangles().len()));
}

fn permutation(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each(context, findings, |tree, mesh| tree.permutation_fault(mesh.triangles().len()));
}

fn structure(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each(context, findings, |tree, _| tree.structure_fault());
}

fn boxes(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each(context, findings, |tree, mesh| tree.box_fault(mesh));
}
