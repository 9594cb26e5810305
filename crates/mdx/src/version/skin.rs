//! Weights of `SKIN` as matrix groups, which the classic game has instead.

use std::collections::HashMap;

use record::{Node, U16, U32};

use crate::build::{equal_shares, leaf};
use crate::kinds;
use crate::records::FaceType;

/// A byte numbers the groups of a geoset.
const MAX_GROUPS: usize = 256;

/// Shares of a group, and the largest error of a weight up to which fewer are enough.
const MAX_SHARES: usize = 8;
const TOLERANCE: f32 = 0.02;

/// The matrix groups of all vertices of a geoset.
pub(super) struct Groups {
    /// The group of each vertex.
    of_vertices: Vec<u32>,
    /// The bones of each group. A bone with more than one share is there several times.
    bones: Vec<Vec<u8>>,
    /// The largest error of a weight.
    pub(super) error: f32,
}

impl Groups {
    /// Groups for the bytes of `SKIN`: four bones and four weights for each vertex.
    pub(super) fn new(skin: &[u8]) -> Self {
        let mut groups = Self { of_vertices: Vec::new(), bones: Vec::new(), error: 0.0 };
        let mut known: HashMap<[u8; 8], u32> = HashMap::new();
        let mut numbers: HashMap<Vec<u8>, u32> = HashMap::new();
        for vertex in skin.as_chunks::<8>().0 {
            let group = *known.entry(*vertex).or_insert_with(|| {
                let [.., a, b, c, d] = *vertex;
                let (shares, error) = equal_shares(&[a, b, c, d].map(f32::from), MAX_SHARES, TOLERANCE);
                groups.error = groups.error.max(error);
                let bones =
                    vertex.iter().zip(shares).flat_map(|(bone, times)| std::iter::repeat_n(*bone, times));
                let mut bones: Vec<u8> = bones.collect();
                bones.sort_unstable();
                if bones.is_empty() {
                    bones.push(vertex[0]);
                }
                *numbers.entry(bones).or_insert_with_key(|bones| {
                    groups.bones.push(bones.clone());
                    u32::try_from(groups.bones.len() - 1).unwrap_or(u32::MAX)
                })
            });
            groups.of_vertices.push(group);
        }
        groups
    }

    /// Gives a geoset its groups. If it has too many for one geoset, its triangles are divided, and the further geosets are returned.
    pub(super) fn apply(&self, geoset: &mut Node<'static>) -> Vec<Node<'static>> {
        if self.bones.len() <= MAX_GROUPS {
            let all: Vec<u32> = (0..).take(self.bones.len()).collect();
            self.put(geoset, &self.of_vertices, &all);
            return Vec::new();
        }
        let faces: Vec<u16> = geoset
            .child(&kinds::PVTX)
            .map(|faces| {
                faces.bytes().as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
            })
            .unwrap_or_default();
        let mut pieces: Vec<Piece> = vec![Piece::default()];
        for triangle in faces.as_chunks::<3>().0 {
            let groups =
                triangle.map(|vertex| self.of_vertices.get(usize::from(vertex)).copied().unwrap_or(0));
            let is_full = pieces.last().is_none_or(|piece| !piece.has_room(&groups));
            if is_full {
                pieces.push(Piece::default());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.add(triangle, &groups);
            }
        }
        let mut divided = pieces.into_iter().map(|piece| {
            let mut part = geoset.clone();
            piece.cut(&mut part);
            let of_vertices: Vec<u32> = piece
                .vertices
                .iter()
                .map(|vertex| self.of_vertices.get(usize::from(*vertex)).copied().unwrap_or(0))
                .collect();
            self.put(&mut part, &of_vertices, &piece.groups);
            part
        });
        let first = divided.next();
        let further: Vec<Node<'static>> = divided.collect();
        if let Some(first) = first {
            *geoset = first;
        }
        further
    }

    /// Writes the arrays of groups: `used` are the groups of a geoset, in its own order.
    fn put(&self, geoset: &mut Node<'static>, of_vertices: &[u32], used: &[u32]) {
        let place: HashMap<u32, u8> = used.iter().copied().zip(0..=u8::MAX).collect();
        let indices: Vec<u8> =
            of_vertices.iter().map(|group| place.get(group).copied().unwrap_or(0)).collect();
        let bones = || used.iter().filter_map(|group| self.bones.get(*group as usize));
        let word = |number: usize| U32::new(u32::try_from(number).unwrap_or(u32::MAX));
        let counts: Vec<U32> = bones().map(|group| word(group.len())).collect();
        let matrices: Vec<U32> = bones().flatten().map(|bone| U32::new(u32::from(*bone))).collect();
        replace(geoset, leaf(&kinds::GNDX, &indices));
        replace(geoset, leaf(&kinds::MTGC, &counts));
        replace(geoset, leaf(&kinds::MATS, &matrices));
    }
}

/// Replaces an array of a geoset.
fn replace(geoset: &mut Node<'static>, array: Node<'static>) {
    if let Some(old) = geoset.child_mut(array.kind) {
        *old = array;
    }
}

/// Some triangles of a geoset.
#[derive(Default)]
struct Piece {
    /// Vertices of the geoset, in the order of the piece.
    vertices: Vec<u16>,
    places: HashMap<u16, u16>,
    faces: Vec<U16>,
    groups: Vec<u32>,
}

impl Piece {
    fn has_room(&self, groups: &[u32; 3]) -> bool {
        let new = groups
            .iter()
            .enumerate()
            .filter(|(index, group)| !self.groups.contains(group) && !groups[..*index].contains(group));
        self.groups.len() + new.count() <= MAX_GROUPS
    }

    fn add(&mut self, triangle: &[u16; 3], groups: &[u32; 3]) {
        for (vertex, group) in triangle.iter().zip(groups) {
            if !self.groups.contains(group) {
                self.groups.push(*group);
            }
            let place = *self.places.entry(*vertex).or_insert_with(|| {
                self.vertices.push(*vertex);
                u16::try_from(self.vertices.len() - 1).unwrap_or(u16::MAX)
            });
            self.faces.push(U16::new(place));
        }
    }

    /// Leaves the triangles of this piece in a geoset.
    fn cut(&self, geoset: &mut Node<'static>) {
        let pick = |bytes: &[u8], size: usize| -> Vec<u8> {
            let each = self
                .vertices
                .iter()
                .filter_map(|vertex| bytes.get(usize::from(*vertex) * size..)?.get(..size));
            each.flatten().copied().collect()
        };
        for (kind, size) in [(kinds::VRTX.kind, 12), (kinds::NRMS.kind, 12)] {
            if let Some(array) = geoset.child_mut(kind) {
                *array = leaf(kind, &pick(array.bytes(), size));
            }
        }
        let sets = geoset.child_mut(&kinds::UVAS).and_then(Node::children_mut);
        for set in sets.into_iter().flatten().filter(|part| part.is(&kinds::UVBS)) {
            *set = leaf(&kinds::UVBS, &pick(set.bytes(), 8));
        }
        let count = U32::new(u32::try_from(self.faces.len()).unwrap_or(u32::MAX));
        replace(geoset, leaf(&kinds::PTYP, &[FaceType::TRIANGLES]));
        replace(geoset, leaf(&kinds::PCNT, &[count]));
        replace(geoset, leaf(&kinds::PVTX, &self.faces));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{GeosetBuilder, ModelBuilder};

    #[test]
    fn a_bone_with_more_weight_has_more_shares() {
        // 191 and 64 of 255 are 0.749 and 0.251: three shares and one.
        let skin =
            [[3, 5, 0, 0, 191, 64, 0, 0], [3, 5, 0, 0, 255, 0, 0, 0], [7, 5, 3, 1, 0, 0, 0, 0]].concat();
        let groups = Groups::new(&skin);
        assert_eq!(groups.bones, [vec![3, 3, 3, 5], vec![3], vec![7]]);
        assert_eq!(groups.of_vertices, [0, 1, 2]);
        assert!((groups.error - (0.75 - 191.0 / 255.0)).abs() < 1e-5, "{}", groups.error);
    }

    #[test]
    fn a_geoset_with_too_many_groups_is_divided() {
        // 100 triangles, each corner of which is between two bones of its own: 300 groups.
        let corner = |number: u16| [f32::from(number), f32::from(number % 3), f32::from(number % 7)];
        let positions: Vec<[f32; 3]> = (0..300).map(corner).collect();
        let triangles: Vec<[u16; 3]> = (0..100).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect();
        let geoset = GeosetBuilder::new().positions(positions).triangles(triangles);
        let document = ModelBuilder::new("Divided").geoset(geoset).build().unwrap();
        let mut geoset = document.root.child(&kinds::GEOS).unwrap().child(&kinds::GEOSET).unwrap().clone();
        let skin: Vec<u8> = (0..300_u16)
            .flat_map(|vertex| [(vertex % 150) as u8, (150 + vertex / 150) as u8, 0, 0, 128, 127, 0, 0])
            .collect();
        let further = Groups::new(&skin).apply(&mut geoset);
        let count = |node: &Node<'_>, kind| node.child(kind).unwrap().bytes().len();
        let parts: Vec<&Node<'_>> = std::iter::once(&geoset).chain(&further).collect();
        assert_eq!(parts.len(), 2);
        assert_eq!(parts.iter().map(|part| count(part, &kinds::PVTX) / 6).sum::<usize>(), 100);
        for part in parts {
            assert!(count(part, &kinds::MTGC) / 4 <= 256);
            let vertices = count(part, &kinds::VRTX) / 12;
            assert_eq!(vertices, count(part, &kinds::GNDX));
            assert_eq!(vertices, count(part, &kinds::NRMS) / 12);
            // Each corner still is where it was: x is its number, and the first bone of its group is x modulo 150.
            let floats = |kind, size: usize| -> Vec<f32> {
                let bytes = part.child(kind).unwrap().bytes();
                bytes
                    .chunks_exact(size)
                    .map(|each| f32::from_le_bytes([each[0], each[1], each[2], each[3]]))
                    .collect()
            };
            let groups = part.child(&kinds::GNDX).unwrap().bytes().to_vec();
            let bones = part.child(&kinds::MATS).unwrap().bytes();
            for (x, group) in floats(&kinds::VRTX, 12).into_iter().zip(groups) {
                assert_eq!(bones[usize::from(group) * 8], (x as u16 % 150) as u8);
            }
        }
    }
}
