//! A changed mesh as the original's vertices and triangles: most keep their places, some change, new ones follow.

use super::MeshEdit;
use super::bindings::Bindings;
use foldhash::fast::RandomState;
use glam::{Vec2, Vec3};
use scene::Mesh;
use std::collections::HashMap;

/// The vertices and triangles of a changed mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// All vertices: the original's that are left, in their order, then new ones.
    pub(super) vertices: Vec<Vertex>,
    /// All triangles: the original's that are left, in their order, then new ones.
    pub(super) triangles: Vec<Triangle>,
}

/// A vertex of a changed mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vertex {
    /// The vertex of the original that it was, or that is most like a new one: everything that is not changed is taken from there.
    pub(super) origin: u32,
    /// The vertex of the edited mesh that changed values come from.
    pub(super) edited: Option<u32>,
}

/// A triangle of a changed mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// The triangle of the original that it was, or that is most like a new one.
    pub(super) origin: u32,
    pub(super) is_new: bool,
}

/// Values that differ by less than this are the original's: positions by a share of the size, normals by an angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    position: f32,
    /// Whether normals were changed: where they were not, other programs' are only different.
    normals: bool,
}

impl Noise {
    pub(super) fn of(mesh: &Mesh, size: f32, normals: bool) -> Self {
        Self { position: if mesh.skin.is_some() { 4e-6 * size } else { 1e-7 * size }, normals }
    }

    pub(super) fn position(&self, before: Vec3, now: Vec3) -> Option<Vec3> {
        (before != now && before.distance(now) > self.position).then_some(now)
    }

    pub(super) fn normal(&self, before: Vec3, now: Vec3) -> Option<Vec3> {
        /// Cosine of 0.7 degrees.
        const NEAR: f32 = 0.999_925;
        let (a, b) = (before.normalize_or_zero(), now.normalize_or_zero());
        (self.normals && a != b && a.dot(b) < NEAR && b != Vec3::ZERO).then_some(now)
    }

    pub(super) fn coordinates(before: Vec2, now: Vec2) -> Option<Vec2> {
        (!before.abs_diff_eq(now, 5e-7 * before.abs().max_element().max(1.0))).then_some(now)
    }
}

impl Plan {
    /// The plan for a changed mesh; nothing if the original has no vertex or triangle to start from.
    pub(super) fn new(
        edit: &MeshEdit,
        original: &Mesh,
        edited: &Mesh,
        noise: Noise,
        bindings: Option<&Bindings>,
    ) -> Option<Self> {
        let count = original.positions.len();
        let indices: Vec<u32> = original.indices.iter().collect();
        let before = indices.as_chunks::<3>().0;
        let own: Vec<u32> = edited.indices.iter().collect();
        let now = own.as_chunks::<3>().0;
        if count == 0 || before.is_empty() {
            return None;
        }
        let origins = origins(edit, edited, now);
        let mut vertices: Vec<Vertex> =
            (0..count as u32).map(|origin| Vertex { origin, edited: None }).collect();
        let mut is_set = vec![false; count];
        // Vertices of the edited mesh with the same origin and the same changed values are one.
        let mut known: HashMap<(u32, Vec<u32>), u32, RandomState> = HashMap::default();
        let mut places: Vec<u32> = Vec::with_capacity(edited.positions.len());
        for (index, origin) in origins.iter().enumerate() {
            let is_known = edit.vertices.get(index).copied().flatten().is_some();
            let mut changed = changed(original, edited, *origin as usize, index, noise);
            if let Some(bindings) = bindings {
                bindings.key(*origin as usize, index, &mut changed);
            }
            if changed.is_empty() && is_known {
                is_set[*origin as usize] = true;
                known.insert((*origin, changed), *origin);
                places.push(*origin);
                continue;
            }
            let next = vertices.len() as u32;
            let place = *known.entry((*origin, changed)).or_insert(next);
            if place == next {
                vertices.push(Vertex { origin: *origin, edited: Some(index as u32) });
            }
            places.push(place);
        }
        // A vertex that nobody uses unchanged is changed in its place.
        let mut moved_to: HashMap<u32, u32> = HashMap::new();
        for place in count..vertices.len() {
            let Vertex { origin, edited } = vertices[place];
            let is_known =
                edited.is_some_and(|index| edit.vertices.get(index as usize).copied().flatten().is_some());
            if is_known && !is_set[origin as usize] {
                is_set[origin as usize] = true;
                vertices[origin as usize].edited = edited;
                moved_to.insert(place as u32, origin);
            }
        }
        places.iter_mut().for_each(|place| *place = moved_to.get(place).copied().unwrap_or(*place));

        let mut is_removed = vec![false; before.len()];
        for index in &edit.removed {
            if let Some(removed) = is_removed.get_mut(*index as usize) {
                *removed = true;
            }
        }
        let mut corners_of: Vec<[u32; 3]> = before.to_vec();
        let mut new = Vec::new();
        let mut like = 0;
        for (index, corners) in now.iter().enumerate().filter(|(index, _)| edit.keeps(*index)) {
            let corners = corners.map(|corner| places.get(corner as usize).copied().unwrap_or(0));
            match edit.triangles.get(index).copied().flatten() {
                Some(origin) if (origin as usize) < before.len() => {
                    like = origin;
                    let known = &mut corners_of[origin as usize];
                    // The same corners in another order are the same triangle.
                    *known = turned(known, &corners, &vertices);
                }
                _ => new.push(Triangle { corners, origin: like, is_new: true }),
            }
        }
        let kept = corners_of.into_iter().enumerate().filter(|(index, _)| !is_removed[*index]);
        let mut triangles: Vec<Triangle> = kept
            .map(|(origin, corners)| Triangle { corners, origin: origin as u32, is_new: false })
            .collect();
        triangles.extend(new);
        let mut plan = Self { vertices, triangles };
        plan.drop_unused(before, count);
        Some(plan)
    }

    /// Removes vertices that no triangle has any more, and places that were moved.
    fn drop_unused(&mut self, before: &[[u32; 3]], count: usize) {
        let mut was_used = vec![false; count];
        for corner in before.as_flattened() {
            if let Some(used) = was_used.get_mut(*corner as usize) {
                *used = true;
            }
        }
        let mut is_used = vec![false; self.vertices.len()];
        for corner in self.triangles.iter().flat_map(|triangle| triangle.corners) {
            if let Some(used) = is_used.get_mut(corner as usize) {
                *used = true;
            }
        }
        let keeps = |index: usize| is_used[index] || index < count && !was_used[index];
        let mut ranks = vec![0_u32; self.vertices.len()];
        let mut next = 0;
        for (index, rank) in ranks.iter_mut().enumerate() {
            *rank = next;
            next += u32::from(keeps(index));
        }
        let mut index = 0;
        self.vertices.retain(|_| {
            index += 1;
            keeps(index - 1)
        });
        for corner in self.triangles.iter_mut().flat_map(|triangle| &mut triangle.corners) {
            *corner = ranks.get(*corner as usize).copied().unwrap_or(0);
        }
    }

    /// Whether vertices and triangles are as many as before, in the same places.
    pub(super) fn keeps_places(&self, original: &Mesh) -> bool {
        self.vertices.len() == original.positions.len()
            && self.vertices.iter().enumerate().all(|(index, vertex)| vertex.origin as usize == index)
            && self.triangles.len() == original.indices.len() / 3
            && self.triangles.iter().all(|triangle| !triangle.is_new)
    }
}

/// The corners of the edited triangle in the order of the known one, as far as they are its corners.
fn turned(known: &[u32; 3], corners: &[u32; 3], vertices: &[Vertex]) -> [u32; 3] {
    let origin = |corner: u32| vertices.get(corner as usize).map_or(u32::MAX, |vertex| vertex.origin);
    for turn in 0..3 {
        let turned = [corners[turn], corners[(turn + 1) % 3], corners[(turn + 2) % 3]];
        if turned.iter().zip(known).filter(|(now, before)| origin(**now) == **before).count() >= 2 {
            return turned;
        }
    }
    *corners
}

/// For each vertex of the edited mesh the original's, for new ones that of a corner beside it.
fn origins(edit: &MeshEdit, edited: &Mesh, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut origins = edit.vertices.clone();
    origins.resize(edited.positions.len(), None);
    for _ in 0..8 {
        let mut is_done = true;
        for corners in triangles {
            let found = corners.iter().find_map(|corner| origins.get(*corner as usize).copied().flatten());
            for corner in corners {
                let Some(origin) = origins.get_mut(*corner as usize).filter(|origin| origin.is_none()) else {
                    continue;
                };
                *origin = found;
                is_done &= found.is_some();
            }
        }
        if is_done {
            break;
        }
    }
    origins.into_iter().map(|origin| origin.unwrap_or(0)).collect()
}

/// The values of a vertex that are not the original's, as numbers to compare.
fn changed(original: &Mesh, edited: &Mesh, before: usize, now: usize, noise: Noise) -> Vec<u32> {
    let mut values = Vec::new();
    if let (Some(a), Some(b)) = (original.positions.get(before), edited.positions.get(now))
        && let Some(value) = noise.position(*a, *b)
    {
        values.push(0);
        values.extend(value.to_array().map(f32::to_bits));
    }
    if let (Some(a), Some(b)) = (original.normals.get(before), edited.normals.get(now))
        && let Some(value) = noise.normal(*a, *b)
    {
        values.push(1);
        // Blender's normals of one vertex differ by rounding.
        values.extend(value.to_array().map(|part| ((part * 256.0).round() as i32).cast_unsigned()));
    }
    for (set, (a, b)) in original.uv_sets.iter().zip(&edited.uv_sets).enumerate() {
        if let (Some(a), Some(b)) = (a.get(before), b.get(now))
            && let Some(value) = Noise::coordinates(*a, *b)
        {
            values.push(2 + set as u32);
            values.extend(value.to_array().map(f32::to_bits));
        }
    }
    for (set, (a, b)) in original.color_sets.iter().zip(&edited.color_sets).enumerate() {
        if let (Some(a), Some(b)) = (a.get(before), b.get(now))
            && a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 1)
        {
            values.push(16 + set as u32);
            values.push(u32::from_le_bytes(*b));
        }
    }
    values
}
