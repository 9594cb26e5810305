//! Data of W3D meshes that follows from their vertices.

use record::{F32, Node, Vec2, Vec3};
use w3d::build::{AabTree, bounds, plane};
use w3d::records::*;
use w3d::table;

use super::Recompute;
use super::surface::{self, V3, narrow, wide};
use crate::Error;
use crate::report::Report;
use crate::select::object_name;
use crate::skeletons::Skeletons;
use crate::space::{Placement, turned};

pub(super) fn recompute(root: &mut Node<'_>, what: &Recompute) -> Result<Report, Error> {
    let skeletons = Skeletons::of(root);
    let mut report = Report::default();
    for chunk in root.children_mut().into_iter().flatten().filter(|chunk| chunk.is(&table::MESH)) {
        let name = object_name(chunk).unwrap_or_default();
        let header = chunk.child(&table::MESH_HEADER3).and_then(|header| header.value::<MeshHeader3>());
        let Some(header) = header else {
            report.note(format!("the mesh {name:?} is of an old version and was not changed"));
            continue;
        };
        let mut bones = None;
        if header.is_skin() {
            let Some(worlds) = skeletons.worlds_for(&name) else {
                let name = record::printable(&name);
                report.note(format!(
                    "the skeleton of the skin {name:?} is in another file, so it was not changed"
                ));
                continue;
            };
            bones = Some(Skin::of(chunk, worlds));
        }
        report.changed += Mesh { chunk, bones }.recompute(what);
    }
    Ok(report)
}

/// The bones of the vertices of a skin, and where they are at rest.
struct Skin {
    /// For each vertex its first bone, and its second one if it has a weight.
    bones: Vec<[Option<usize>; 2]>,
    worlds: Vec<Placement>,
}

impl Skin {
    fn of(mesh: &Node<'_>, worlds: Vec<Placement>) -> Self {
        let two = |influence: &VertexInfluence| {
            let [(first, _), (second, weight)] = influence.bones();
            [Some(usize::from(first)), (weight > 0.0).then_some(usize::from(second))]
        };
        let four =
            |influence: &VertexInfluenceExtended| [Some(usize::from(influence.bone_idx[0].get())), None];
        let list = mesh.get(table::VERTEX_INFLUENCES);
        let bones = match list {
            [] => mesh.get(table::VERTEX_INFLUENCES_EXTENDED).iter().map(four).collect(),
            _ => list.iter().map(two).collect(),
        };
        Self { bones, worlds }
    }

    /// Where a bone of a vertex is.
    fn world(&self, vertex: usize, which: usize) -> Placement {
        let bone = self.bones.get(vertex).and_then(|bones| bones[which]);
        bone.and_then(|bone| self.worlds.get(bone)).copied().unwrap_or(Placement::IDENTITY)
    }
}

struct Mesh<'m, 'a> {
    chunk: &'m mut Node<'a>,
    bones: Option<Skin>,
}

impl Mesh<'_, '_> {
    fn recompute(&mut self, what: &Recompute) -> usize {
        let stored = self.chunk.get(table::VERTICES);
        let positions: Vec<V3> =
            (0..stored.len()).map(|vertex| self.to_model(vertex, wide(stored[vertex]))).collect();
        let mut changed = 0;
        if what.winding {
            changed += self.winding(&positions);
        }
        if what.normals.is_some() {
            changed += self.normals(&positions, what);
        }
        if what.tangents {
            changed += self.tangents(&positions);
        }
        let rounded: Vec<Vec3> = match &self.bones {
            None => self.chunk.get(table::VERTICES).to_vec(),
            Some(_) => positions.iter().map(|position| narrow(*position)).collect(),
        };
        // What the triangles have follows from their order of corners.
        if what.planes || what.winding && changed > 0 {
            changed += self.planes(&rounded);
        }
        if what.extents {
            changed += self.extents(&rounded);
        }
        if what.tree {
            changed += self.tree();
        }
        changed
    }

    fn to_model(&self, vertex: usize, position: V3) -> V3 {
        self.bones.as_ref().map_or(position, |skin| skin.world(vertex, 0).point(position))
    }

    /// A direction in the space of a bone of a vertex.
    fn to_bone(&self, vertex: usize, which: usize, direction: V3) -> V3 {
        self.bones
            .as_ref()
            .map_or(direction, |skin| turned(skin.world(vertex, which).inverse().rotation, direction))
    }

    fn normals_in_model(&self) -> Vec<V3> {
        let stored = self.chunk.get(table::VERTEX_NORMALS);
        let turn = |vertex: usize, normal: V3| {
            self.bones.as_ref().map_or(normal, |skin| turned(skin.world(vertex, 0).rotation, normal))
        };
        stored.iter().enumerate().map(|(vertex, normal)| turn(vertex, wide(*normal))).collect()
    }

    fn corners(&self) -> Vec<[usize; 3]> {
        let corner = |index: record::U32| usize::try_from(index.get()).unwrap_or(usize::MAX);
        self.chunk.get(table::TRIANGLES).iter().map(|triangle| triangle.vindex.map(corner)).collect()
    }

    fn winding(&mut self, positions: &[V3]) -> usize {
        let normals = self.normals_in_model();
        let backwards = surface::backwards(positions, &normals, &self.corners());
        if !backwards.contains(&true) {
            return 0;
        }
        for (triangle, _) in self
            .chunk
            .get_mut(table::TRIANGLES)
            .iter_mut()
            .zip(&backwards)
            .filter(|(_, backwards)| **backwards)
        {
            triangle.vindex.swap(1, 2);
        }
        // Per corner of a triangle; engines skip it, exporters do not.
        crate::references::each(self.chunk, &mut |node| {
            if node.is(&table::PER_FACE_TEXCOORD_IDS) {
                let corners = node.values_mut::<[record::U32; 3]>().iter_mut().zip(&backwards);
                corners.filter(|(_, backwards)| **backwards).for_each(|(corners, _)| corners.swap(1, 2));
            }
        });
        1
    }

    fn normals(&mut self, positions: &[V3], what: &Recompute) -> usize {
        let old = self.normals_in_model();
        let (corners, smoothing) = (self.corners(), what.normals.unwrap_or_default());
        let new = surface::normals(positions, &old, &corners, smoothing);
        let mut changed = 0;
        for (which, kind) in [(0, table::VERTEX_NORMALS), (1, table::SECONDARY_VERTEX_NORMALS)] {
            let before = self.chunk.get(kind).to_vec();
            let after: Vec<Vec3> = before
                .iter()
                .enumerate()
                .map(|(vertex, before)| {
                    let new = new.get(vertex).copied().flatten();
                    new.map_or(*before, |normal| narrow(self.to_bone(vertex, which, normal)))
                })
                .collect();
            if after != before {
                self.chunk.set(kind, &after);
                changed += 1;
            }
        }
        changed
    }

    /// In published files `BITANGENTS` point along U, and `TANGENTS` against V.
    fn tangents(&mut self, positions: &[V3]) -> usize {
        let mut coordinates: Vec<Vec2> = Vec::new();
        self.chunk.walk(&mut |place| {
            if coordinates.is_empty() && place.node.is(&table::STAGE_TEXCOORDS) {
                coordinates = place.node.values::<Vec2>().to_vec();
            }
        });
        let normals = self.normals_in_model();
        let new = surface::tangents(positions, &normals, &coordinates, &self.corners());
        let mut changed = 0;
        for (kind, which, sign) in [(table::TANGENTS, 1, -1.0), (table::BITANGENTS, 0, 1.0)] {
            let before = self.chunk.get(kind).to_vec();
            let vector = |vertex: usize| {
                let pair = new.get(vertex).copied().flatten()?;
                Some(narrow(self.to_bone(vertex, 0, pair[which].map(|part| part * sign))))
            };
            let after: Vec<Vec3> =
                before.iter().enumerate().map(|(vertex, old)| vector(vertex).unwrap_or(*old)).collect();
            if after != before {
                self.chunk.set(kind, &after);
                changed += 1;
            }
        }
        changed
    }

    fn planes(&mut self, positions: &[Vec3]) -> usize {
        let before = self.chunk.get(table::TRIANGLES).to_vec();
        let mut after = before.clone();
        for triangle in &mut after {
            let corners =
                triangle.vindex.map(|corner| positions.get(usize::try_from(corner.get()).ok()?).copied());
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            let Some((normal, dist)) = plane([a, b, c]) else { continue };
            // Exporters round in other ways; what is equal but for rounding stays.
            let near = |old: f32, new: f32| (old - new).abs() <= 1e-4 * (1.0 + new.abs());
            let same = near(triangle.dist.get(), dist)
                && triangle.normal.get().iter().zip(normal.get()).all(|(old, new)| near(*old, new));
            if !same {
                (triangle.normal, triangle.dist) = (normal, F32::new(dist));
            }
        }
        if after == before {
            return 0;
        }
        self.chunk.set(table::TRIANGLES, &after);
        1
    }

    fn extents(&mut self, positions: &[Vec3]) -> usize {
        let new = bounds(positions);
        let Some(header) =
            self.chunk.child(&table::MESH_HEADER3).and_then(|header| header.value::<MeshHeader3>())
        else {
            return 0;
        };
        let near = |old: f32, new: f32| (old - new).abs() <= 1e-5 * (1.0 + new.abs());
        let same_box = [(header.min, new.min), (header.max, new.max)]
            .iter()
            .all(|(old, new)| old.get().iter().zip(new.get()).all(|(old, new)| near(*old, new)));
        // Other centres are as good, as long as the sphere holds all vertices.
        let center = wide(header.sph_center);
        let farthest = positions
            .iter()
            .map(|position| surface::sub(wide(*position), center))
            .map(|away| surface::dot(away, away))
            .fold(0.0, f64::max)
            .sqrt();
        let same_sphere = near(header.sph_radius.get(), farthest as f32);
        if same_box && same_sphere {
            return 0;
        }
        let header = self.chunk.child_mut(&table::MESH_HEADER3).and_then(Node::value_mut::<MeshHeader3>);
        if let Some(header) = header {
            (header.min, header.max) = (new.min, new.max);
            (header.sph_center, header.sph_radius) = (new.center, new.radius);
        }
        1
    }

    /// The tree is computed anew only if the old one does not hold: other orders of triangles are as good.
    fn tree(&mut self) -> usize {
        let Some(old) = self.chunk.child(&table::AABTREE) else { return 0 };
        let (triangles, vertices) = (self.chunk.get(table::TRIANGLES), self.chunk.get(table::VERTICES));
        let Some(new) = AabTree::new(triangles, vertices) else { return 0 };
        if holds(old, triangles, vertices) {
            return 0;
        }
        let new = new.chunk();
        if let Some(place) = self.chunk.child_mut(&table::AABTREE) {
            *place = new;
        }
        1
    }
}

/// Whether every leaf of a tree encloses its triangles, and every triangle is in one leaf.
fn holds(tree: &Node<'_>, triangles: &[Triangle], vertices: &[Vec3]) -> bool {
    let (nodes, order) = (tree.get(table::AABTREE_NODES), tree.get(table::AABTREE_POLYINDICES));
    let mut seen = vec![false; triangles.len()];
    let inside =
        |node: &AabTreeNode, triangle: &Triangle| {
            triangle.vindex.iter().all(|corner| {
                let vertex = usize::try_from(corner.get()).ok().and_then(|corner| vertices.get(corner));
                vertex.is_some_and(|vertex| {
                    let (low, high) = (node.min.get(), node.max.get());
                    let near = |axis: usize| 1e-4 * (1.0 + low[axis].abs().max(high[axis].abs()));
                    vertex.get().iter().enumerate().all(|(axis, part)| {
                        *part >= low[axis] - near(axis) && *part <= high[axis] + near(axis)
                    })
                })
            })
        };
    let mut open = vec![0_usize];
    let mut steps = 0;
    while let Some(index) = open.pop() {
        steps += 1;
        let Some(node) = nodes.get(index).filter(|_| steps <= nodes.len()) else { return false };
        match node.contents() {
            AabTreeContents::Inner { front, back } => {
                for child in [front, back] {
                    open.extend(usize::try_from(child));
                }
            }
            AabTreeContents::Leaf { first, count } => {
                let range = first as usize..(first as usize).saturating_add(count as usize);
                let Some(listed) = order.get(range) else { return false };
                for polygon in listed {
                    let polygon = polygon.get() as usize;
                    let Some(triangle) = triangles.get(polygon) else { return false };
                    if std::mem::replace(&mut seen[polygon], true) || !inside(node, triangle) {
                        return false;
                    }
                }
            }
        }
    }
    seen.into_iter().all(|seen| seen)
}
