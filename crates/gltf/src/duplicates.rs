//! Triangles on the same three vertices, such as both sides of a leaf. Blender keeps one of them, so each gets vertices of its own.

use crate::geometry::{parts, with_vertices};
use foldhash::fast::RandomState;
use scene::Mesh;
use std::collections::{HashMap, HashSet};

/// A mesh whose triangles are all on different vertices within each part.
pub(crate) struct Separated {
    /// The copies of vertices come after all others.
    pub(crate) mesh: Mesh,
    /// The vertices that were copied, in the order of the copies, as runs: the first vertex and how many follow each other.
    pub(crate) copies: Vec<(u32, u32)>,
}

/// The same triangle whatever its winding and first corner. Nothing for triangles that are not written.
fn key(&triangle: &[u32; 3], count: usize) -> Option<[u32; 3]> {
    let mut key = triangle;
    key.sort_unstable();
    (key[0] != key[1] && key[1] != key[2] && (key[2] as usize) < count).then_some(key)
}

/// Gives triangles on the same three vertices as another of their part vertices of their own. Nothing if there are none.
pub(crate) fn separated(mesh: &Mesh) -> Option<Separated> {
    let count = mesh.positions.len();
    let mut indices: Vec<u32> = mesh.indices.iter().collect();
    let ranges: Vec<std::ops::Range<usize>> = parts(mesh)
        .iter()
        .map(|part| {
            let start = (part.start as usize).min(indices.len());
            start..start.saturating_add(part.count as usize).min(indices.len())
        })
        .collect();
    let repeats = |range: &std::ops::Range<usize>| {
        let mut seen: HashSet<[u32; 3], RandomState> =
            HashSet::with_capacity_and_hasher(range.len() / 3, RandomState::default());
        let (triangles, _) = indices[range.clone()].as_chunks::<3>();
        triangles.iter().filter_map(|triangle| key(triangle, count)).any(|key| !seen.insert(key))
    };
    if !ranges.iter().any(repeats) {
        return None;
    }
    let mut vertices: Vec<usize> = (0..count).collect();
    // The second of equal triangles uses the first copies of its vertices, the third the second ones, and so on: triangles beside each
    // other stay joined.
    let mut copies: HashMap<(u32, usize), u32, RandomState> = HashMap::default();
    for range in ranges {
        let mut seen: HashMap<[u32; 3], usize, RandomState> = HashMap::default();
        let (triangles, _) = indices[range].as_chunks_mut::<3>();
        for triangle in triangles {
            let Some(key) = key(triangle, count) else { continue };
            let times = seen.entry(key).and_modify(|times| *times += 1).or_insert(0);
            if *times == 0 {
                continue;
            }
            for corner in triangle {
                let vertex = *corner as usize;
                *corner = *copies.entry((*corner, *times)).or_insert_with(|| {
                    vertices.push(vertex);
                    vertices.len() as u32 - 1
                });
            }
        }
    }
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &vertex in &vertices[count..] {
        match runs.last_mut() {
            Some((first, length)) if (*first + *length) as usize == vertex => *length += 1,
            _ => runs.push((vertex as u32, 1)),
        }
    }
    let mesh = Mesh { indices: indices.into(), ..with_vertices(mesh, &vertices) };
    Some(Separated { mesh, copies: runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn both_sides_of_a_leaf_have_their_own_vertices() {
        let leaf = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y, Vec3::Z],
            normals: vec![Vec3::Z; 5],
            indices: vec![0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0, 1, 2, 4].into(),
            ..Mesh::default()
        };
        let Separated { mesh, copies } = separated(&leaf).expect("two triangles are there twice");
        assert_eq!(mesh.indices.iter().collect::<Vec<_>>(), [0, 1, 2, 0, 2, 3, 5, 6, 7, 8, 5, 7, 1, 2, 4]);
        assert_eq!(copies, [(2, 1), (1, 1), (0, 1), (3, 1)]);
        assert_eq!(mesh.positions[5..], [Vec3::ONE, Vec3::X, Vec3::ZERO, Vec3::Y]);
        assert_eq!(mesh.normals.len(), 9);
        assert!(separated(&mesh).is_none());
    }

    #[test]
    fn damaged_triangles_are_left_alone() {
        let broken = Mesh {
            positions: vec![Vec3::ZERO; 3],
            indices: vec![0, 0, 1, 0, 0, 1, 0, 1, 9, 0, 1, 9, 0, 1, 2].into(),
            ..Mesh::default()
        };
        assert!(separated(&broken).is_none());
    }
}
