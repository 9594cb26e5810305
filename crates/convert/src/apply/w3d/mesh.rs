//! Changed meshes: arrays per vertex and per triangle follow the plan, everything else in the chunk stays.

use super::super::inputs::ChangedMesh;
use super::super::plan::{Noise, Plan};
use super::super::{MeshChange, MeshEdit};
use super::Author;
use super::skin::Rebound;
use crate::author::w3d::space;
use crate::report::NoteKind;
use glam::{Affine3A, Vec3};
use record::{F32, Node, U32, Vec2};
use scene::Mesh;
use std::collections::HashMap;
use w3d::records::{MeshHeader3, Triangle};
use w3d::{Rule, table};

impl Author<'_, '_, '_> {
    pub(super) fn change_mesh(&mut self, edit: &MeshEdit) -> Result<(), String> {
        let place = self.mesh_chunk(edit.mesh)?;
        let inputs = self.inputs;
        let original = inputs.original.meshes.get(edit.mesh.index()).ok_or("the mesh was not found")?;
        let edited = inputs.edited.scene.meshes.get(edit.edited).ok_or("the mesh was not found")?;
        self.chunk(place)?;
        let moved = match edit.has(MeshChange::Node) {
            true if original.skin.is_some() != edited.skin.is_some() => {
                return Err(
                    "a mesh on one bone follows several now, or the reverse; convert without the original to get it"
                        .to_owned(),
                );
            }
            true if original.skin.is_none() => Some(self.place(edited)?),
            _ => None,
        };
        let left = match edit.has(MeshChange::Materials) {
            true => Some(self.change_looks_of(edit, edited)?),
            false => None,
        };
        let edit = left.as_ref().unwrap_or(edit);
        let changed = inputs.changed_mesh(edit, moved.as_ref().map(|(_, matrix)| matrix))?;
        let rebound = self.rebound(&changed, place)?;
        let chunk = self.chunk(place)?;
        if !chunk.is(&table::MESH) {
            return Err("meshes of this kind cannot be changed in place".to_owned());
        }
        let ChangedMesh { original, edited, noise, plan, .. } = &changed;
        Change { plan, original, edited, noise: *noise, rebound: &rebound, chunk }.run()?;
        if rebound.lost > 0.02 {
            let message = format!(
                "up to {:.0} % of the weight of a vertex was dropped: vertices of this mesh follow fewer bones",
                rebound.lost * 100.0
            );
            self.report.note(NoteKind::Skipped, &format!("mesh {:?}", edited.name), &message);
        }
        if let Some((pivot, _)) = moved {
            self.hang_on(place, pivot)?;
        }
        Ok(())
    }
}

struct Change<'c, 'a> {
    plan: &'c Plan,
    original: &'c Mesh,
    edited: &'c Mesh,
    noise: Noise,
    /// Vertices that follow other pivots.
    rebound: &'c Rebound,
    chunk: &'c mut Node<'a>,
}

impl Change<'_, '_> {
    fn run(&mut self) -> Result<(), String> {
        let view = w3d::Mesh(self.chunk);
        let vertices = view.vertices().len();
        if vertices != self.original.positions.len() {
            return Err("the chunk has other vertices than the scene".to_owned());
        }
        let stored: Vec<Triangle> = view.triangles().to_vec();
        let to_stored = self.to_stored(&stored)?;
        // All arrays first, so that what nobody changed comes along.
        let vertex_map: Vec<usize> = self.plan.vertices.iter().map(|vertex| vertex.origin as usize).collect();
        let (triangles, triangle_map) = self.triangles(&stored, &to_stored);
        let keeps = self.plan.keeps_places(self.original);
        let sets = self.coordinate_arrays();
        let colors = self.color_arrays();
        if !keeps {
            pick_all(self.chunk, vertices, stored.len(), &vertex_map, &triangle_map);
            renumber_shading(self.chunk, &vertex_map);
        }
        self.positions()?;
        self.rebound.write(self.chunk)?;
        self.coordinates(&sets);
        self.colors(&colors);
        let positions: Vec<record::Vec3> = w3d::Mesh(self.chunk).vertices().to_vec();
        let is_skin = self.original.skin.is_some();
        let moved: Vec<bool> = self
            .plan
            .vertices
            .iter()
            .map(|vertex| {
                let (before, now) = (
                    self.original.positions.get(vertex.origin as usize),
                    vertex.edited.and_then(|now| self.edited.positions.get(now as usize)),
                );
                before.zip(now).is_some_and(|(before, now)| self.noise.position(*before, *now).is_some())
            })
            .collect();
        let mut triangles = triangles;
        for (triangle, planned) in triangles.iter_mut() {
            let corners = triangle.vindex.map(|corner| corner.get() as usize);
            let is_moved = *planned || corners.iter().any(|corner| moved.get(*corner) == Some(&true));
            let found = corners.map(|corner| positions.get(corner).copied().unwrap_or_default());
            if is_moved && let Some((normal, dist)) = w3d::build::plane(found) {
                (triangle.normal, triangle.dist) = (normal, F32::new(dist));
            }
        }
        let triangles: Vec<Triangle> = triangles.into_iter().map(|(triangle, _)| triangle).collect();
        let is_moved = moved.contains(&true) || !keeps;
        if let Some(node) = self.chunk.child_mut(table::TRIANGLES.row) {
            node.set_values(&triangles).ok_or("the triangles cannot be written")?;
        }
        let counts = (positions.len(), triangles.len());
        let shape: Vec<record::Vec3> = match is_skin {
            true => self.plan.vertices.iter().map(|vertex| space::vector(self.position(vertex))).collect(),
            false => positions.clone(),
        };
        if let Some(header) = self.chunk.get_mut(table::MESH_HEADER3) {
            set_header(header, counts, is_moved.then_some(&shape));
        }
        if is_moved && self.chunk.child(table::AABTREE.row).is_some() {
            let tree = w3d::build::AabTree::new(&triangles, &positions);
            if let (Some(tree), Some(node)) = (tree, self.chunk.child_mut(table::AABTREE.row)) {
                *node = tree.chunk();
            }
        }
        Ok(())
    }

    /// The position of a planned vertex in the scene.
    fn position(&self, vertex: &super::super::plan::Vertex) -> Vec3 {
        let before = self.original.positions.get(vertex.origin as usize).copied().unwrap_or_default();
        let now = vertex.edited.and_then(|now| self.edited.positions.get(now as usize)).copied();
        now.and_then(|now| self.noise.position(before, now)).unwrap_or(before)
    }

    /// For each triangle of the scene its place in the file.
    fn to_stored(&self, stored: &[Triangle]) -> Result<Vec<usize>, String> {
        let mut known: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        for (index, triangle) in stored.iter().enumerate().rev() {
            known.entry(triangle.vindex.map(U32::get)).or_default().push(index);
        }
        let indices: Vec<u32> = self.original.indices.iter().collect();
        let place = |corners: &[u32; 3]| known.get_mut(corners).and_then(Vec::pop);
        let places: Option<Vec<usize>> = indices.as_chunks::<3>().0.iter().map(place).collect();
        places.ok_or_else(|| "the chunk has other triangles than the scene".to_owned())
    }

    /// The triangles in the order of the file with whether their corners are others, and for each the one that it is like.
    fn triangles(&self, stored: &[Triangle], to_stored: &[usize]) -> (Vec<(Triangle, bool)>, Vec<usize>) {
        let mut kept: HashMap<usize, [u32; 3]> = HashMap::new();
        let mut in_scene = vec![false; stored.len()];
        to_stored.iter().for_each(|place| in_scene[*place] = true);
        for triangle in self.plan.triangles.iter().filter(|triangle| !triangle.is_new) {
            if let Some(place) = to_stored.get(triangle.origin as usize) {
                kept.insert(*place, triangle.corners);
            }
        }
        let (mut triangles, mut map) = (Vec::new(), Vec::new());
        for (index, triangle) in stored.iter().enumerate() {
            let mut triangle = *triangle;
            let mut is_changed = false;
            if let Some(corners) = kept.get(&index) {
                is_changed = triangle.vindex.map(U32::get) != *corners;
                triangle.vindex = corners.map(U32::new);
            } else if in_scene[index] {
                continue;
            }
            triangles.push((triangle, is_changed));
            map.push(index);
        }
        for triangle in self.plan.triangles.iter().filter(|triangle| triangle.is_new) {
            let like = to_stored.get(triangle.origin as usize).copied().unwrap_or(0);
            let Some(known) = stored.get(like) else { continue };
            triangles.push((Triangle { vindex: triangle.corners.map(U32::new), ..*known }, true));
            map.push(like);
        }
        (triangles, map)
    }

    /// Positions and normals, in the space of the bones for skins.
    fn positions(&mut self) -> Result<(), String> {
        let mut vertices: Vec<record::Vec3> = w3d::Mesh(self.chunk).vertices().to_vec();
        let mut normals: Vec<record::Vec3> = w3d::Mesh(self.chunk).normals().to_vec();
        let mut second: Vec<record::Vec3> = w3d::Mesh(self.chunk).secondary_vertices().to_vec();
        let mut second_normals: Vec<record::Vec3> = w3d::Mesh(self.chunk).secondary_normals().to_vec();
        for (index, vertex) in self.plan.vertices.iter().enumerate() {
            let (origin, Some(now)) = (vertex.origin as usize, vertex.edited.map(|now| now as usize)) else {
                continue;
            };
            let rebound = self.rebound.spaces(index);
            let spaces = rebound.unwrap_or_else(|| self.spaces(origin));
            // In the space of another bone, all numbers are others.
            let wanted = |before: Vec3, now: Option<Vec3>| now.or(rebound.map(|_| before));
            if let (Some(a), Some(b)) = (self.original.positions.get(origin), self.edited.positions.get(now))
                && let Some(position) = wanted(*a, self.noise.position(*a, *b))
            {
                let place = |which: usize| {
                    space::vector(spaces[which].map_or(position, |bind| bind.transform_point3(position)))
                };
                set(&mut vertices, index, place(0));
                set(&mut second, index, place(1));
            }
            if let (Some(a), Some(b)) = (self.original.normals.get(origin), self.edited.normals.get(now))
                && let Some(normal) = wanted(*a, self.noise.normal(*a, *b))
            {
                let turn = |which: usize| {
                    space::vector(
                        spaces[which]
                            .map_or(normal, |bind| bind.transform_vector3(normal).normalize_or_zero()),
                    )
                };
                set(&mut normals, index, turn(0));
                set(&mut second_normals, index, turn(1));
            }
        }
        let arrays = [
            (table::VERTICES.row, vertices),
            (table::VERTEX_NORMALS.row, normals),
            (table::SECONDARY_VERTICES.row, second),
            (table::SECONDARY_VERTEX_NORMALS.row, second_normals),
        ];
        for (row, values) in arrays {
            if let Some(node) = self.chunk.child_mut(row).filter(|_| !values.is_empty()) {
                node.set_values(&values).ok_or("an array cannot be written")?;
            }
        }
        Ok(())
    }

    /// From model space to the space of the first and the second bone of a vertex.
    fn spaces(&self, vertex: usize) -> [Option<Affine3A>; 2] {
        let Some(skin) = &self.original.skin else { return [None; 2] };
        let bind = |which: usize| {
            let set = skin.of(vertex);
            let one = set.get(which).or(set.first())?;
            skin.joints.get(one.joint as usize).map(|joint| joint.inverse_bind)
        };
        [bind(0), bind(1)]
    }

    /// For each set of coordinates of the scene the arrays that it comes from, by their places in a walk of the chunk.
    fn coordinate_arrays(&self) -> Vec<Vec<usize>> {
        let arrays: Vec<Vec<Vec2>> = leaves(self.chunk, table::STAGE_TEXCOORDS.row)
            .iter()
            .map(|node| node.values::<Vec2>().to_vec())
            .collect();
        let is_same = |array: &Vec<Vec2>, set: &Vec<glam::Vec2>| {
            array.len() >= set.len()
                && set.iter().zip(array).all(|(a, b)| {
                    let [u, v] = b.get();
                    a.x == u && a.y == 1.0 - v
                })
        };
        let places =
            |set: &Vec<glam::Vec2>| (0..arrays.len()).filter(|index| is_same(&arrays[*index], set)).collect();
        self.original.uv_sets.iter().map(places).collect()
    }

    fn coordinates(&mut self, sets: &[Vec<usize>]) {
        let mut nodes = leaves_mut(self.chunk, table::STAGE_TEXCOORDS.row);
        for (set, places) in sets.iter().enumerate() {
            let (Some(before), Some(now)) = (self.original.uv_sets.get(set), self.edited.uv_sets.get(set))
            else {
                continue;
            };
            for place in places {
                let Some(node) = nodes.get_mut(*place) else { continue };
                let values = node.values_mut::<Vec2>();
                for (index, vertex) in self.plan.vertices.iter().enumerate() {
                    let Some(edited) = vertex.edited else { continue };
                    if let (Some(a), Some(b)) = (before.get(vertex.origin as usize), now.get(edited as usize))
                        && let Some(pair) = Noise::coordinates(*a, *b)
                        && let Some(value) = values.get_mut(index)
                    {
                        *value = space::texcoord(pair);
                    }
                }
            }
        }
    }

    fn color_arrays(&self) -> Vec<Vec<usize>> {
        let arrays: Vec<Vec<[u8; 4]>> = leaves(self.chunk, table::DCG.row)
            .iter()
            .map(|node| node.bytes().as_chunks::<4>().0.to_vec())
            .collect();
        let places =
            |set: &Vec<[u8; 4]>| (0..arrays.len()).filter(|index| arrays[*index].starts_with(set)).collect();
        self.original.color_sets.iter().map(places).collect()
    }

    fn colors(&mut self, sets: &[Vec<usize>]) {
        let mut nodes = leaves_mut(self.chunk, table::DCG.row);
        for (set, places) in sets.iter().enumerate() {
            let (Some(before), Some(now)) =
                (self.original.color_sets.get(set), self.edited.color_sets.get(set))
            else {
                continue;
            };
            for place in places {
                let Some(bytes) = nodes.get_mut(*place).and_then(|node| node.bytes_mut()) else { continue };
                let values = bytes.as_chunks_mut::<4>().0;
                for (index, vertex) in self.plan.vertices.iter().enumerate() {
                    let Some(edited) = vertex.edited else { continue };
                    if let (Some(a), Some(b)) = (before.get(vertex.origin as usize), now.get(edited as usize))
                        && a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 1)
                        && let Some(value) = values.get_mut(index)
                    {
                        *value = *b;
                    }
                }
            }
        }
    }
}

fn set<T>(values: &mut [T], index: usize, value: T) {
    if let Some(place) = values.get_mut(index) {
        *place = value;
    }
}

fn set_header(
    header: &mut MeshHeader3,
    (vertices, triangles): (usize, usize),
    shape: Option<&Vec<record::Vec3>>,
) {
    header.num_vertices.set(u32::try_from(vertices).unwrap_or(u32::MAX));
    header.num_tris.set(u32::try_from(triangles).unwrap_or(u32::MAX));
    if let Some(shape) = shape {
        let bounds = w3d::build::bounds(shape);
        (header.min, header.max) = (bounds.min, bounds.max);
        (header.sph_center, header.sph_radius) = (bounds.center, bounds.radius);
    }
}

/// All parts of a kind below a chunk.
fn leaves<'n, 'a>(node: &'n Node<'a>, row: &'static w3d::Chunk) -> Vec<&'n Node<'a>> {
    let mut found = Vec::new();
    let mut stack: Vec<&Node<'a>> = vec![node];
    while let Some(node) = stack.pop() {
        if node.is(row) {
            found.push(node);
        }
        stack.extend(node.children().iter().rev());
    }
    found
}

/// The same, to change them.
fn leaves_mut<'n, 'a>(node: &'n mut Node<'a>, row: &'static w3d::Chunk) -> Vec<&'n mut Node<'a>> {
    if node.is(row) {
        return vec![node];
    }
    node.children_mut().into_iter().flatten().flat_map(|child| leaves_mut(child, row)).collect()
}

/// Vertices say with which one they share their shading. Where that is gone, the first one that shared it takes its place.
fn renumber_shading(chunk: &mut Node<'_>, map: &[usize]) {
    let Some(values) = chunk.child_mut(table::VERTEX_SHADE_INDICES.row).map(|node| node.values_mut::<U32>())
    else {
        return;
    };
    let mut places: HashMap<usize, usize> = HashMap::new();
    for (place, origin) in map.iter().enumerate() {
        places.entry(*origin).or_insert(place);
    }
    for (place, value) in values.iter_mut().enumerate().take(map.len()) {
        let now = *places.entry(value.get() as usize).or_insert(place);
        value.set(u32::try_from(now).unwrap_or(u32::MAX));
    }
}

/// Rearranges every array that has a value for each vertex or each triangle.
fn pick_all(
    node: &mut Node<'_>,
    vertices: usize,
    triangles: usize,
    vertex_map: &[usize],
    triangle_map: &[usize],
) {
    let row = table::find(None, node.id).filter(|row| std::ptr::eq(&raw const row.kind, node.kind));
    if let Some(row) = row
        && let Some(size) = node.kind.slots.first().map(|slot| slot.item.size()).filter(|size| *size > 0)
    {
        let count = node.bytes().len() / size;
        let map = match row.rule {
            Rule::PerVertex if count == vertices => Some(vertex_map),
            Rule::OneOrPerVertex if count == vertices && count != 1 => Some(vertex_map),
            Rule::PerTriangle if count == triangles => Some(triangle_map),
            Rule::OneOrPerTriangle if count == triangles && count != 1 => Some(triangle_map),
            _ => None,
        };
        if let (Some(map), Some(bytes)) = (map, node.bytes_mut()) {
            let old = std::mem::take(bytes);
            let rest = old.get(count * size..).unwrap_or_default();
            for index in map {
                bytes.extend_from_slice(old.get(index * size..(index + 1) * size).unwrap_or_default());
            }
            bytes.extend_from_slice(rest);
        }
    }
    for child in node.children_mut().into_iter().flatten() {
        pick_all(child, vertices, triangles, vertex_map, triangle_map);
    }
}
