//! Building collision trees.

use record::{Node, U32, Vec3, build};

use crate::records::{AabTreeHeader, AabTreeNode, Triangle};
use crate::table;

/// A node with no more polygons than this is a leaf (`MIN_POLYS_PER_NODE` in aabtreebuilder.h).
const LEAF: usize = 4;

/// The bit of `front_or_poly0` that makes a node a leaf.
const LEAF_BIT: u32 = 0x8000_0000;

type Box3 = [[f32; 3]; 2];

const EMPTY: Box3 = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

/// A collision tree: a hierarchy of boxes around triangles.
///
/// ```
/// use meshwright_w3d::build::AabTree;
/// use meshwright_w3d::records::Triangle;
/// use record::{U32, Vec3};
///
/// let vertices = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
/// let triangle = Triangle { vindex: [0, 1, 2].map(U32::new), ..Triangle::default() };
/// let tree = AabTree::new(&[triangle], &vertices).unwrap();
/// assert_eq!(tree.nodes[0].max.get(), [2.0, 1.0, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AabTree {
    /// Indices of triangles, in the order of the leaves.
    pub polygon_indices: Vec<U32>,
    /// The boxes, the root first.
    pub nodes: Vec<AabTreeNode>,
}

impl AabTree {
    /// The tree over triangles; `None` if a triangle has a corner that does not exist or is not finite.
    ///
    /// Each node is divided at the median of its triangles, along the longest side of the box around their centres.
    pub fn new(triangles: &[Triangle], vertices: &[Vec3]) -> Option<Self> {
        let boxes = triangles.iter().map(|triangle| bounds(triangle, vertices));
        let boxes: Vec<Box3> = boxes.collect::<Option<_>>()?;
        let mut indices: Vec<u32> = (0..u32::try_from(boxes.len()).ok()?).collect();
        let mut nodes = vec![AabTreeNode::default()];
        let mut open = vec![(0, 0..indices.len())];
        while let Some((node, range)) = open.pop() {
            let (mut bounds, mut centers) = (EMPTY, EMPTY);
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
                (u32::try_from(range.start).ok()? | LEAF_BIT, u32::try_from(range.len()).ok()?)
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
            nodes[node] = AabTreeNode {
                min,
                max,
                front_or_poly0: U32::new(first),
                back_or_poly_count: U32::new(count),
            };
        }
        Some(Self { polygon_indices: indices.into_iter().map(U32::new).collect(), nodes })
    }

    /// Its header.
    pub fn header(&self) -> AabTreeHeader {
        let count = |length: usize| U32::new(u32::try_from(length).unwrap_or(u32::MAX));
        AabTreeHeader {
            node_count: count(self.nodes.len()),
            poly_count: count(self.polygon_indices.len()),
            ..AabTreeHeader::default()
        }
    }

    /// The `AABTREE` chunk.
    pub fn chunk(&self) -> Node<'static> {
        build(
            table::AABTREE,
            vec![
                build(table::AABTREE_HEADER, &self.header()),
                build(table::AABTREE_POLYINDICES, &self.polygon_indices),
                build(table::AABTREE_NODES, &self.nodes),
            ],
        )
    }
}

fn bounds(triangle: &Triangle, vertices: &[Vec3]) -> Option<Box3> {
    let mut bounds = EMPTY;
    for index in triangle.vindex {
        let vertex = vertices.get(usize::try_from(index.get()).ok()?)?.get();
        if !vertex.iter().all(|part| part.is_finite()) {
            return None;
        }
        grow(&mut bounds, [vertex, vertex]);
    }
    Some(bounds)
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
