//! Joining vertices that other programs split: Blender writes a vertex again wherever the normals of two corners differ by rounding.

use foldhash::fast::RandomState;
use glam::Vec3;
use scene::{Influence, Mesh};
use std::collections::HashMap;

/// Cosine of the largest angle between normals that are taken as equal, 0.1 degrees.
const SAME_NORMAL: f32 = 0.999_998_5;

/// Joins vertices that are equal but for rounding of their normals, and removes those that no triangle uses.
pub(crate) fn weld(mesh: &mut Mesh) {
    let mut indices: Vec<u32> = mesh.indices.iter().collect();
    let count = mesh.positions.len();
    // For each vertex its new place, once a triangle has used it.
    let mut places: Vec<Option<u32>> = vec![None; count];
    let mut kept: Vec<usize> = Vec::new();
    let mut by_key: HashMap<Vec<u32>, Vec<u32>, RandomState> = HashMap::default();
    for index in &mut indices {
        let vertex = *index as usize;
        let Some(place) = places.get_mut(vertex) else { continue };
        *index = *place.get_or_insert_with(|| {
            let candidates = by_key.entry(key(mesh, vertex)).or_default();
            let is_same = |place: &&u32| {
                let normal = |vertex: usize| mesh.normals.get(vertex).copied().unwrap_or(Vec3::Y);
                let (a, b) = (normal(kept[**place as usize]), normal(vertex));
                a == b || a.dot(b) > SAME_NORMAL * a.length() * b.length()
            };
            // Damaged meshes may have thousands of normals in one place.
            if let Some(found) = candidates.iter().take(16).find(is_same) {
                return *found;
            }
            let new = kept.len() as u32;
            kept.push(vertex);
            candidates.push(new);
            new
        });
    }
    if kept.len() == count && kept.iter().enumerate().all(|(place, vertex)| place == *vertex) {
        return;
    }
    // The order of the file is kept.
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|place| kept[*place]);
    let mut ranks = vec![0_u32; kept.len()];
    for (rank, place) in order.iter().enumerate() {
        ranks[*place] = rank as u32;
    }
    indices.iter_mut().for_each(|index| *index = ranks.get(*index as usize).copied().unwrap_or(*index));
    kept.sort_unstable();
    fn pick<T: Copy>(values: &mut Vec<T>, kept: &[usize]) {
        *values = kept.iter().filter_map(|vertex| values.get(*vertex).copied()).collect();
    }
    pick(&mut mesh.positions, &kept);
    pick(&mut mesh.normals, &kept);
    pick(&mut mesh.tangents, &kept);
    mesh.uv_sets.iter_mut().for_each(|set| pick(set, &kept));
    mesh.color_sets.iter_mut().for_each(|set| pick(set, &kept));
    if let Some(skin) = &mut mesh.skin {
        pick(&mut skin.sets, &kept);
    }
    mesh.indices = indices.into();
}

/// Removes the last vertices, which our writer copied from these runs of others for triangles on the same three vertices as another. Does
/// nothing if they do not agree.
pub(crate) fn join_copies(mesh: &mut Mesh, runs: &[(u32, u32)]) {
    let copies = runs.iter().fold(0_usize, |sum, (_, length)| sum.saturating_add(*length as usize));
    let Some(first) = mesh.positions.len().checked_sub(copies).filter(|_| copies > 0) else { return };
    let originals: Vec<u32> =
        runs.iter().flat_map(|(first, length)| *first..first.saturating_add(*length)).collect();
    let is_copy = |(copy, original): (usize, &u32)| {
        let original = *original as usize;
        original < first && full_key(mesh, first + copy) == full_key(mesh, original)
    };
    if originals.len() != copies || !originals.iter().enumerate().all(is_copy) {
        return;
    }
    let original = |index: u32| {
        let copy = (index as usize).checked_sub(first);
        copy.and_then(|copy| originals.get(copy).copied()).unwrap_or(index)
    };
    mesh.indices = mesh.indices.iter().map(original).collect();
    truncate(mesh, first);
}

/// Keeps the first vertices, which must be all that triangles use.
fn truncate(mesh: &mut Mesh, count: usize) {
    mesh.positions.truncate(count);
    mesh.normals.truncate(count);
    mesh.tangents.truncate(count);
    mesh.uv_sets.iter_mut().for_each(|set| set.truncate(count));
    mesh.color_sets.iter_mut().for_each(|set| set.truncate(count));
    if let Some(skin) = &mut mesh.skin {
        skin.sets.truncate(count);
    }
}

/// Removes copies of vertices that come after the first ones, which our writer made for tangents.
pub(crate) fn remove_copies(mesh: &mut Mesh, first: usize) {
    if first >= mesh.positions.len() {
        return;
    }
    let mut places: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
    for vertex in (0..first).rev() {
        places.insert(full_key(mesh, vertex), vertex as u32);
    }
    let original = |index: u32| match (index as usize) < first {
        true => Some(index),
        false => places.get(&full_key(mesh, index as usize)).copied(),
    };
    // A copy without an original is not one of ours: everything stays.
    let indices: Option<Vec<u32>> = mesh.indices.iter().map(original).collect();
    let Some(indices) = indices else { return };
    mesh.indices = indices.into();
    truncate(mesh, first);
}

/// Everything of a vertex but its tangent.
fn full_key(mesh: &Mesh, vertex: usize) -> Vec<u32> {
    let mut key = key(mesh, vertex);
    key.extend(mesh.normals.get(vertex).into_iter().flat_map(|normal| normal.to_array().map(f32::to_bits)));
    key
}

/// Everything of a vertex but its normal and tangent.
fn key(mesh: &Mesh, vertex: usize) -> Vec<u32> {
    let mut key: Vec<u32> = Vec::with_capacity(16);
    let mut add = |value: f32| key.push(if value == 0.0 { 0 } else { value.to_bits() });
    mesh.positions[vertex].to_array().into_iter().for_each(&mut add);
    for set in &mesh.uv_sets {
        set.get(vertex).into_iter().flat_map(|pair| pair.to_array()).for_each(&mut add);
    }
    for set in &mesh.color_sets {
        key.extend(set.get(vertex).map(|color| u32::from_le_bytes(*color)));
    }
    if let Some(skin) = &mesh.skin {
        let part = |influence: &Influence| [influence.joint, influence.weight.to_bits()];
        key.extend(skin.of(vertex).iter().flat_map(part));
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_vertices_are_joined_and_hard_edges_stay() {
        let slightly = Vec3::new(0.0005, 1.0, 0.0).normalize();
        let mut mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ONE],
            normals: vec![Vec3::Y, Vec3::Y, Vec3::Y, slightly, Vec3::X, Vec3::Y, Vec3::Y],
            indices: vec![0, 1, 2, 3, 4, 5].into(),
            ..Mesh::default()
        };
        weld(&mut mesh);
        assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X]);
        assert_eq!(mesh.indices.iter().collect::<Vec<_>>(), [0, 1, 2, 0, 3, 2]);
        assert_eq!(mesh.normals.len(), 4);
    }
}
