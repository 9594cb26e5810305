//! Cutting meshes into pieces that a format can hold.

use std::collections::HashSet;

use foldhash::fast::RandomState;

/// A piece of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Piece {
    /// The mesh's vertices, by their places there.
    pub(super) vertices: Vec<u32>,
    /// Three places in [`vertices`](Self::vertices) for each triangle.
    pub(super) indices: Vec<u16>,
}

/// What a piece may have at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) vertices: usize,
    /// Different groups of bones.
    pub(super) groups: usize,
}

/// Cuts triangles into pieces; `group` gives the bone group of a vertex. Triangles stay in their order, and vertices in theirs.
pub(super) fn split(
    indices: &[u32],
    vertices: usize,
    limits: Limits,
    group: impl Fn(u32) -> u32,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut place = vec![u32::MAX; vertices];
    let mut piece = Piece::default();
    let mut groups: HashSet<u32, RandomState> = HashSet::default();
    for triangle in indices.as_chunks::<3>().0 {
        if triangle.iter().any(|index| *index as usize >= vertices) {
            continue;
        }
        let is_new = |corner: usize| {
            place[triangle[corner] as usize] == u32::MAX && !triangle[..corner].contains(&triangle[corner])
        };
        let new = (0..3).filter(|corner| is_new(*corner)).count();
        let mut new_groups = [None; 3];
        for corner in (0..3).filter(|corner| is_new(*corner)) {
            let group = Some(group(triangle[corner])).filter(|group| !groups.contains(group));
            new_groups[corner] = group.filter(|_| !new_groups[..corner].contains(&group));
        }
        if piece.vertices.len() + new > limits.vertices
            || groups.len() + new_groups.iter().flatten().count() > limits.groups
        {
            piece.vertices.iter().for_each(|vertex| place[*vertex as usize] = u32::MAX);
            pieces.push(std::mem::take(&mut piece));
            groups.clear();
        }
        for index in triangle {
            let slot = &mut place[*index as usize];
            if *slot == u32::MAX {
                *slot = u32::try_from(piece.vertices.len()).unwrap_or(u32::MAX);
                piece.vertices.push(*index);
                groups.insert(group(*index));
            }
            piece.indices.push(u16::try_from(*slot).unwrap_or(u16::MAX));
        }
    }
    if !piece.vertices.is_empty() {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_to_both_limits() {
        // A strip of six vertices: four triangles.
        let strip = [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4];
        let by_vertices = split(&strip, 6, Limits { vertices: 4, groups: 256 }, |_| 0);
        assert_eq!(by_vertices.len(), 2);
        assert_eq!(by_vertices[0], Piece { vertices: vec![0, 1, 2, 3], indices: vec![0, 1, 2, 1, 3, 2] });
        assert_eq!(by_vertices[1], Piece { vertices: vec![2, 3, 4, 5], indices: vec![0, 1, 2, 1, 3, 2] });
        let by_groups = split(&strip, 6, Limits { vertices: 100, groups: 3 }, |vertex| vertex / 2);
        assert_eq!(by_groups.len(), 1);
        assert_eq!(split(&strip, 6, Limits { vertices: 100, groups: 3 }, |vertex| vertex).len(), 4);
    }

    #[test]
    fn triangles_of_missing_vertices_are_dropped() {
        assert_eq!(split(&[0, 1, 9], 3, Limits { vertices: 9, groups: 9 }, |_| 0), []);
    }
}
