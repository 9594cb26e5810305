//! Geosets.

use record::{Kind, Node, U32};

use super::{Writer, word_of};
use crate::Gate;
use crate::kinds;
use crate::mdl::grammar::{self, GEOSET_EXTENT};
use crate::mdl::{MdlDialect, number};

/// Maximum number of numbers on one line of a long list.
const PER_LINE: usize = 24;

/// The arrays before the fixed part, which every geoset has.
pub(in crate::mdl) const ARRAYS: [&Kind; 8] = [
    kinds::VRTX.kind,
    kinds::NRMS.kind,
    kinds::PTYP.kind,
    kinds::PCNT.kind,
    kinds::PVTX.kind,
    kinds::GNDX.kind,
    kinds::MTGC.kind,
    kinds::MATS.kind,
];

impl Writer {
    pub(super) fn geoset(&mut self, geoset: &Node<'_>) {
        self.exact &= self.is_regular(geoset.children());
        let array = |kind| geoset.child(kind).map(Node::bytes).unwrap_or_default();
        self.line(0, "Geoset {");
        self.vectors(1, "Vertices", array(&kinds::VRTX), 12);
        self.vectors(1, "Normals", array(&kinds::NRMS), 12);
        for set in geoset.child(&kinds::UVAS).map(Node::children).unwrap_or_default() {
            self.exact &= set.is(&kinds::UVBS) && set.size_delta == 0;
            self.vectors(1, "TVertices", set.bytes(), 8);
        }
        self.vertex_groups(array(&kinds::GNDX));
        if let Some(tangents) = geoset.child(&kinds::TANG) {
            self.vectors(1, "Tangents", tangents.bytes(), 16);
        }
        if let Some(skin) = geoset.child(&kinds::SKIN) {
            self.skin(skin.bytes().iter().map(|byte| u32::from(*byte)), skin.bytes().len());
        } else if let Some(skin) = geoset.child(&kinds::WIDE_SKIN) {
            let values =
                skin.bytes().chunks_exact(2).map(|pair| u32::from(u16::from_le_bytes([pair[0], pair[1]])));
            self.skin(values, skin.bytes().len() / 2);
        }
        self.faces(geoset, array(&kinds::PVTX));
        self.groups(geoset, array(&kinds::MATS));
        let block = &grammar::GEOSET;
        let templates = [0, 1, 2].map(|part| block.template(part));
        let parts = [0, 1, 2].map(|part| {
            let template = templates[part].as_slice();
            let found = geoset
                .child(block.parts[part].0)
                .map(Node::bytes)
                .filter(|bytes| bytes.len() == template.len());
            block.has_part(part, self.gates).then(|| found.unwrap_or(template))
        });
        for extent in array(&kinds::EXTENTS).chunks_exact(28) {
            self.line(1, "Anim {");
            self.items(2, &GEOSET_EXTENT, &[Some(extent)], &[]);
            self.line(1, "}");
        }
        self.items(1, block, &parts, &[]);
        self.put("}\n");
    }

    /// Whether a geoset has exactly the parts that the reader makes, in the same order.
    fn is_regular(&self, parts: &[Node<'_>]) -> bool {
        let skin = if self.gates.has(Gate::WideSkin) { &kinds::WIDE_SKIN } else { kinds::SKIN.kind };
        let mut rest = parts.iter().peekable();
        let sound = |part: &Node<'_>| {
            let size = part.kind.slots.first().map_or(1, |slot| slot.item.size());
            part.size_delta == 0 && part.bytes().len().is_multiple_of(size)
        };
        let mut take = |kind: &'static Kind| rest.next_if(|part| part.is(kind) && sound(part)).is_some();
        let arrays = ARRAYS.into_iter().all(&mut take);
        let fixed = take(&kinds::GEOSET_HEADER)
            && (take(&kinds::GEOSET_LEVEL_OF_DETAIL) == self.gates.has(Gate::GeosetLevelOfDetail))
            && take(&kinds::GEOSET_BOUNDS)
            && take(&kinds::EXTENTS);
        take(&kinds::TANG);
        take(skin);
        let sets = take(&kinds::UVAS);
        arrays && fixed && sets && rest.next().is_none()
    }

    fn vertex_groups(&mut self, groups: &[u8]) {
        self.line(1, "VertexGroup {");
        for line in groups.chunks(PER_LINE) {
            self.indent(2);
            for group in line {
                number::write_unsigned(u32::from(*group), &mut self.out);
                self.put(", ");
            }
            self.out.pop();
            self.out.push(b'\n');
        }
        self.line(1, "}");
    }

    /// Bones and weights, one line per vertex. Only war3-model requires the rows in braces.
    fn skin(&mut self, values: impl Iterator<Item = u32>, count: usize) {
        let braces = self.dialect == MdlDialect::War3Model;
        self.exact &= count.is_multiple_of(8);
        self.header(1, "SkinWeights", &[count / 8]);
        for (index, value) in values.enumerate() {
            if index % 8 == 0 {
                self.indent(2);
                self.put(if braces { "{ " } else { "" });
            }
            number::write_unsigned(value, &mut self.out);
            let end = match (index % 8 == 7 || index + 1 == count, braces) {
                (true, true) => " },\n",
                (true, false) => ",\n",
                (false, _) => ", ",
            };
            self.put(end);
        }
        self.line(1, "}");
    }

    /// Indices, a vector for each group. Only triangles can be expressed.
    fn faces(&mut self, geoset: &Node<'_>, indices: &[u8]) {
        let words = |kind| geoset.child(kind).map(|array| array.values::<U32>()).unwrap_or_default();
        let types = geoset.child(&kinds::PTYP).map(Node::bytes).unwrap_or_default();
        let counts = words(&kinds::PCNT);
        self.exact &= types.len() / 4 == counts.len() && types.chunks_exact(4).all(|kind| word_of(kind) == 4);
        if self.dialect.is_hive() {
            return self.one_face_group(counts, indices);
        }
        let grouped = counts.iter().fold(0_usize, |sum, count| sum.saturating_add(count.get() as usize));
        let loose = grouped < indices.len() / 2;
        self.header(1, "Faces", &[counts.len() + usize::from(loose), indices.len() / 2]);
        self.line(2, "Triangles {");
        let mut rest = indices;
        for count in counts {
            let wanted = usize::try_from(count.get()).unwrap_or(usize::MAX).saturating_mul(2);
            let (group, after) = rest.split_at(wanted.min(rest.len() / 2 * 2));
            self.exact &= group.len() == wanted;
            rest = after;
            self.index_group(group);
        }
        if loose {
            // Indices outside all groups become a group, so that none is lost.
            self.exact = false;
            self.index_group(rest);
        }
        self.line(2, "}");
        self.line(1, "}");
    }

    /// All indices as one vector, or no vector: mdx-m3-viewer requires vectors of equal length, war3-model no empty ones.
    fn one_face_group(&mut self, groups: &[U32], indices: &[u8]) {
        let count = indices.len() / 2;
        let vectors = usize::from(count > 0);
        let expected = (count > 0).then(|| u32::try_from(count).unwrap_or(u32::MAX));
        self.exact &= groups.iter().map(|group| group.get()).eq(expected);
        self.header(1, "Faces", &[vectors, count]);
        self.line(2, "Triangles {");
        if count > 0 {
            self.index_group(indices);
        }
        self.line(2, "}");
        self.line(1, "}");
    }

    fn index_group(&mut self, indices: &[u8]) {
        self.indent(3);
        self.put("{ ");
        for (at, index) in indices.chunks_exact(2).enumerate() {
            if at > 0 {
                self.put(if at % PER_LINE == 0 { ",\n\t\t\t" } else { ", " });
            }
            number::write_unsigned(u32::from(u16::from_le_bytes([index[0], index[1]])), &mut self.out);
        }
        self.put(" },\n");
    }

    fn groups(&mut self, geoset: &Node<'_>, matrices: &[u8]) {
        let counts = geoset.child(&kinds::MTGC).map(|array| array.values::<U32>()).unwrap_or_default();
        let grouped = counts.iter().fold(0_usize, |sum, count| sum.saturating_add(count.get() as usize));
        let loose = grouped < matrices.len() / 4;
        self.header(1, "Groups", &[counts.len() + usize::from(loose), matrices.len() / 4]);
        let mut rest = matrices;
        for count in counts {
            let wanted = usize::try_from(count.get()).unwrap_or(usize::MAX).saturating_mul(4);
            let (group, after) = rest.split_at(wanted.min(rest.len() / 4 * 4));
            self.exact &= group.len() == wanted;
            rest = after;
            self.matrix_group(group);
        }
        if loose {
            // Handled like indices.
            self.exact = false;
            self.matrix_group(rest);
        }
        self.line(1, "}");
    }

    fn matrix_group(&mut self, matrices: &[u8]) {
        self.word(2, "Matrices");
        self.put("{ ");
        for (index, matrix) in matrices.chunks_exact(4).enumerate() {
            if index > 0 {
                self.put(", ");
            }
            number::write_integer(word_of(matrix).cast_signed(), &mut self.out);
        }
        self.put(" },\n");
    }
}
