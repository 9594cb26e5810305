//! Geosets.

use record::{Kind, Node};

use super::Reader;
use super::items::Tracks;
use crate::mdl::grammar::{self, GEOSET_EXTENT};
use crate::mdl::write::ARRAYS;
use crate::{Gate, kinds, tag};

/// The arrays of a geoset that have been read so far.
#[derive(Default)]
struct Arrays {
    vertices: Vec<u8>,
    normals: Vec<u8>,
    sets: Vec<Vec<u8>>,
    groups: Vec<u8>,
    tangents: Option<Vec<u8>>,
    skin: Option<Vec<u8>>,
    face_counts: Vec<u32>,
    indices: Vec<u8>,
    matrix_counts: Vec<u8>,
    matrices: Vec<u8>,
    extents: Vec<u8>,
}

impl Reader<'_> {
    pub(super) fn geoset(&mut self) -> Node<'static> {
        let block = &grammar::GEOSET;
        let mut parts = self.parts_of(block);
        let mut tracks = Tracks::default();
        let mut arrays = Arrays::default();
        if let Some(opened) = self.enter() {
            self.each(opened, |reader, word, span| {
                let is = |wanted: &str| word.eq_ignore_ascii_case(wanted.as_bytes());
                if is("Vertices") {
                    arrays.vertices = reader.vector_block(12);
                } else if is("Normals") {
                    arrays.normals = reader.vector_block(12);
                } else if is("TVertices") {
                    let set = reader.vector_block(8);
                    arrays.sets.push(set);
                } else if is("Tangents") {
                    arrays.tangents = Some(reader.vector_block(16));
                } else if is("VertexGroup") {
                    arrays.groups = reader.vertex_groups();
                } else if is("SkinWeights") {
                    arrays.skin = Some(reader.skin());
                } else if is("Faces") {
                    reader.faces(&mut arrays);
                } else if is("Groups") {
                    reader.matrix_groups(&mut arrays);
                } else if is("Anim") {
                    let extent = reader.record(&GEOSET_EXTENT);
                    arrays.extents.extend_from_slice(&extent);
                } else {
                    reader.node_item(word, span, block, &mut parts, &mut tracks);
                }
            });
        }
        let [header, level, bounds] = <[_; 3]>::try_from(parts).unwrap_or_default();
        let counts: Vec<u8> = arrays.face_counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        let types: Vec<u8> = arrays.face_counts.iter().flat_map(|_| 4_u32.to_le_bytes()).collect();
        let bodies = [
            arrays.vertices,
            arrays.normals,
            types,
            counts,
            arrays.indices,
            arrays.groups,
            arrays.matrix_counts,
            arrays.matrices,
        ];
        // Eight arrays and at most seven other parts. No more is reserved, because a text may have many geosets.
        let optional = [level.is_some(), arrays.tangents.is_some(), arrays.skin.is_some()];
        let others = 4 + optional.into_iter().filter(|is_there| *is_there).count();
        let mut children = Vec::with_capacity(ARRAYS.len() + others);
        children.extend(ARRAYS.into_iter().zip(bodies).map(|(kind, body)| array(kind, body)));
        let fixed = [
            (kinds::GEOSET_HEADER.kind, header),
            (kinds::GEOSET_LEVEL_OF_DETAIL.kind, level),
            (kinds::GEOSET_BOUNDS.kind, bounds),
        ];
        children.extend(fixed.into_iter().filter_map(|(kind, part)| Some(Node::leaf(kind, 0, part?))));
        children.push(Node::leaf(&kinds::EXTENTS, 0, arrays.extents));
        children.extend(arrays.tangents.map(|body| array(&kinds::TANG, body)));
        let skin = if self.gates.has(Gate::WideSkin) { &kinds::WIDE_SKIN } else { kinds::SKIN.kind };
        children.extend(arrays.skin.map(|body| array(skin, body)));
        let sets = arrays.sets.into_iter().map(|body| array(&kinds::UVBS, body)).collect();
        children.push(Node::branch(&kinds::UVAS, tag("UVAS"), sets));
        self.counted(Node::branch(&kinds::GEOSET, 0, children))
    }

    fn vertex_groups(&mut self) -> Vec<u8> {
        let [count] = self.counts();
        let mut groups = self.reserve(count, 1);
        if self.lexer.open() {
            self.integers(0xFF, |group| groups.push(u8::try_from(group).unwrap_or(u8::MAX)), || {});
        }
        groups
    }

    /// Rows of eight, in braces or not; the count may be missing.
    fn skin(&mut self) -> Vec<u8> {
        let [count] = self.counts();
        let wide = self.gates.has(Gate::WideSkin);
        let mut skin = self.reserve(count, if wide { 16 } else { 8 });
        if self.lexer.open() {
            if wide {
                let push =
                    |value| skin.extend_from_slice(&u16::try_from(value).unwrap_or(u16::MAX).to_le_bytes());
                self.integers(0xFFFF, push, || {});
            } else {
                self.integers(0xFF, |value| skin.push(u8::try_from(value).unwrap_or(u8::MAX)), || {});
            }
        }
        skin
    }

    /// `Faces groups indices { Triangles { {…} … } }`. If there are as many vectors as declared groups, they are the
    /// groups. Some tools write a vector for each triangle, which are all one group.
    fn faces(&mut self, arrays: &mut Arrays) {
        let [groups, indices] = self.counts();
        let mut bytes = self.reserve(indices, 2);
        let ends = std::cell::RefCell::new((0_usize, Vec::new()));
        if self.lexer.open() {
            let opened = self.lexer.position() - 1;
            self.each(opened, |reader, word, span| {
                if !word.eq_ignore_ascii_case(b"Triangles") {
                    return reader.unknown_word(span, "Faces", &["Triangles"]);
                }
                if reader.lexer.open() {
                    let push = |index| {
                        bytes.extend_from_slice(&u16::try_from(index).unwrap_or(u16::MAX).to_le_bytes());
                        ends.borrow_mut().0 += 1;
                    };
                    reader.integers(0xFFFF, push, || {
                        let (read, ends) = &mut *ends.borrow_mut();
                        ends.push(*read);
                    });
                }
            });
        }
        let (read, ends) = ends.into_inner();
        let promised = usize::try_from(groups).unwrap_or(usize::MAX);
        let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        if ends.len() == promised && ends.last().copied().unwrap_or_default() == read {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            arrays.face_counts = ends.iter().zip(starts).map(|(end, start)| size(end - start)).collect();
        } else {
            arrays.face_counts = vec![size(read)];
        }
        arrays.indices = bytes;
    }

    fn matrix_groups(&mut self, arrays: &mut Arrays) {
        let [groups, matrices] = self.counts();
        arrays.matrix_counts = self.reserve(groups, 4);
        arrays.matrices = self.reserve(matrices, 4);
        let Some(opened) = self.enter() else { return };
        self.each(opened, |reader, word, span| {
            if !word.eq_ignore_ascii_case(b"Matrices") {
                return reader.unknown_word(span, "Groups", &["Matrices"]);
            }
            let mut count = 0_u32;
            if reader.lexer.open() {
                let push = |matrix: u32| {
                    arrays.matrices.extend_from_slice(&matrix.to_le_bytes());
                    count += 1;
                };
                reader.integers(u32::MAX, push, || {});
            }
            arrays.matrix_counts.extend_from_slice(&count.to_le_bytes());
        });
    }
}

fn array(kind: &'static Kind, body: Vec<u8>) -> Node<'static> {
    Node::leaf(kind, tag(kind.name), body)
}
