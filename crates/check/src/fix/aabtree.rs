//! Building collision trees.

use record::{Node, U32, Vec3};
use w3d::records::{AabTreeHeader, AabTreeNode, Triangle};
use w3d::table::*;
use w3d::{Mesh, W3d, build};

use super::{Changes, each_child};
use crate::rules::w3d::aabtree::Tree;

/// A node with no more polygons than this is a leaf (aabtreebuilder.h, MIN_POLYS_PER_NODE).
const LEAF: usize = 4;

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
        let Some((indices, nodes)) = fault.and_then(|_| built(mesh.triangles(), mesh.vertices())) else {
            return;
        };
        let padding = tree.header.map(|header| header.padding).unwrap_or_default();
        let counts =
            [nodes.len(), indices.len()].map(|count| U32::new(u32::try_from(count).unwrap_or(u32::MAX)));
        let header = AabTreeHeader { node_count: counts[0], poly_count: counts[1], padding };
        let message = format!("collision tree of {} nodes built", nodes.len());
        let Some(children) = node.child_mut(&AABTREE).and_then(Node::children_mut) else { return };
        children.retain(|child| !matches!(child.id, 0x91..=0x93));
        let parts = [
            build::record(&AABTREE_HEADER, &header),
            build::array(&AABTREE_POLYINDICES, &indices),
            build::array(&AABTREE_NODES, &nodes),
        ];
        children.splice(0..0, parts);
        changes.add(format!("{path}/AABTREE[0]"), message);
    });
}

type Box3 = [[f32; 3]; 2];

/// Polygon indices and nodes of a tree over triangles, the root first; `None` if a triangle has no corners to go by.
///
/// Each node is divided at the middle of its triangles, along the longest side of the box of their centres.
pub(crate) fn built(triangles: &[Triangle], vertices: &[Vec3]) -> Option<(Vec<U32>, Vec<AabTreeNode>)> {
    let boxes = triangles.iter().map(|triangle| {
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for index in triangle.vindex {
            let vertex = vertices.get(index.get() as usize)?.get();
            if !vertex.iter().all(|part| part.is_finite()) {
                return None;
            }
            grow(&mut bounds, [vertex, vertex]);
        }
        Some(bounds)
    });
    let boxes: Vec<Box3> = boxes.collect::<Option<_>>()?;
    let mut indices: Vec<u32> = (0..u32::try_from(boxes.len()).ok()?).collect();
    let mut nodes = vec![AabTreeNode::default()];
    let mut open = vec![(0, 0..indices.len())];
    while let Some((node, range)) = open.pop() {
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        let mut centers = bounds;
        for index in &indices[range.clone()] {
            let own = boxes[*index as usize];
            grow(&mut bounds, own);
            grow(&mut centers, [center(own), center(own)]);
        }
        if range.is_empty() {
            bounds = Box3::default();
        }
        let [min, max] = bounds.map(Vec3::from);
        let (first, count) = if range.len() <= LEAF {
            (u32::try_from(range.start).ok()? | 0x8000_0000, u32::try_from(range.len()).ok()?)
        } else {
            let side = |axis: usize| centers[1][axis] - centers[0][axis];
            let axis = (0..3).max_by(|a, b| side(*a).total_cmp(&side(*b))).unwrap_or_default();
            let key = |index: &u32| center(boxes[*index as usize])[axis];
            indices[range.clone()].sort_by(|a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
            let middle = range.start + range.len() / 2;
            let front = u32::try_from(nodes.len()).ok()?;
            nodes.extend([AabTreeNode::default(), AabTreeNode::default()]);
            open.push((front as usize + 1, middle..range.end));
            open.push((front as usize, range.start..middle));
            (front, front + 1)
        };
        nodes[node] =
            AabTreeNode { min, max, front_or_poly0: U32::new(first), back_or_poly_count: U32::new(count) };
    }
    Some((indices.into_iter().map(U32::new).collect(), nodes))
}

fn grow(bounds: &mut Box3, other: Box3) {
    for axis in 0..3 {
        bounds[0][axis] = bounds[0][axis].min(other[0][axis]);
        bounds[1][axis] = bounds[1][axis].max(other[1][axis]);
    }
}

fn center([low, high]: Box3) -> [f32; 3] {
    [0, 1, 2].map(|axis| f32::midpoint(low[axis], high[axis]))
}

#[cfg(test)]
mod tests {
    use w3d::records::AabTreeContents;

    use super::*;

    #[test]
    fn leaves_hold_at_most_four_triangles_and_each_triangle_once() {
        let vertices: Vec<Vec3> = (0..300_u16)
            .map(|at| Vec3::new(f32::from(at * 37 % 101), f32::from(at * 53 % 89), f32::from(at % 7)))
            .collect();
        let triangle = |at: u32| Triangle {
            vindex: [3 * at, 3 * at + 1, 3 * at + 2].map(U32::new),
            ..Triangle::default()
        };
        let triangles: Vec<Triangle> = (0..100).map(triangle).collect();
        let (indices, nodes) = built(&triangles, &vertices).expect("a tree");
        let mut sorted: Vec<u32> = indices.iter().map(|index| index.get()).collect();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        let leaves = nodes.iter().filter_map(|node| match node.contents() {
            AabTreeContents::Leaf { count, .. } => Some(count),
            AabTreeContents::Inner { .. } => None,
        });
        let leaves: Vec<u32> = leaves.collect();
        assert!(leaves.iter().all(|count| (1..=4).contains(count)), "{leaves:?}");
        assert_eq!((leaves.iter().sum::<u32>(), nodes.len()), (100, leaves.len() * 2 - 1));
    }

    #[test]
    fn a_triangle_without_its_corners_gives_no_tree() {
        let triangles = [Triangle { vindex: [0, 1, 2].map(U32::new), ..Triangle::default() }];
        assert!(built(&triangles, &[Vec3::default(); 2]).is_none());
        assert!(built(&triangles, &[Vec3::default(); 3]).is_some());
    }
}
