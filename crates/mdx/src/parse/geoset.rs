//! Geometry: geosets of both games, the batches of WoW 1500, the collision mesh.

use record::{Cursor, Kind, Node};

use super::{Parser, Parts, part};
use crate::frame::{element_layout, tag};
use crate::kinds;
use crate::records::{
    GeosetBounds, GeosetHeader, GeosetLevelOfDetail, WowBatchHeader, WowGeosetSection, WowVertex,
};
use crate::{Dialect, Gate, Gates};

/// The kind of an array with this tag.
fn array_kind(id: u32, dialect: Dialect, gates: Gates) -> Option<&'static Kind> {
    macro_rules! kind_of {
        ($($name:literal => $kind:expr,)*) => {{
            $(if id == const { tag($name) } { return Some($kind); })*
            None
        }};
    }
    kind_of! {
        "VRTX" => &kinds::VRTX,
        "NRMS" => &kinds::NRMS,
        "PTYP" => if dialect == Dialect::Wow { &kinds::WOW_PTYP } else { &kinds::PTYP },
        "PCNT" => &kinds::PCNT,
        "PVTX" => &kinds::PVTX,
        "GNDX" => &kinds::GNDX,
        "MTGC" => &kinds::MTGC,
        "MATS" => &kinds::MATS,
        "TANG" => &kinds::TANG,
        "SKIN" => if gates.has(Gate::WideSkin) { &kinds::WIDE_SKIN } else { &kinds::SKIN },
        "UVAS" => &kinds::UVAS,
        "UVBS" => &kinds::UVBS,
        "BIDX" => &kinds::BIDX,
        "BWGT" => &kinds::BWGT,
        "TRI " => &kinds::TRI,
    }
}

/// A list without a tag: a count and that many elements.
pub(super) fn list<'a>(cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, kind: &'static Kind) -> Option<()> {
    let mut ahead = cursor.clone();
    let count = usize::try_from(ahead.u32()?).ok()?;
    let bytes = ahead.take(count.checked_mul(element_layout(kind).1)?)?;
    *cursor = ahead;
    parts.push(Node::leaf(kind, 0, bytes));
    Some(())
}

impl Parser {
    pub(super) fn geoset<'a>(
        &self,
        cursor: &mut Cursor<'a>,
        parts: &mut Parts<'a>,
        gates: Gates,
    ) -> Option<()> {
        self.arrays(cursor, parts, gates);
        let header = match self.dialect {
            Dialect::Warcraft => kinds::GEOSET_HEADER.kind,
            Dialect::Wow => kinds::WOW_GEOSET_HEADER.kind,
        };
        part::<GeosetHeader>(cursor, parts, header)?;
        if gates.has(Gate::GeosetLevelOfDetail) {
            part::<GeosetLevelOfDetail>(cursor, parts, &kinds::GEOSET_LEVEL_OF_DETAIL)?;
        }
        part::<GeosetBounds>(cursor, parts, &kinds::GEOSET_BOUNDS)?;
        list(cursor, parts, &kinds::EXTENTS)?;
        self.arrays(cursor, parts, gates);
        // A missing set of coordinates was cut off.
        parts.iter().all(|part| part.size_delta == 0).then_some(())
    }

    /// The vertices, indices and normals that make the WoW alpha's collision mesh.
    pub(super) fn collision_mesh<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>) {
        self.arrays(cursor, parts, self.gates);
    }

    /// Tagged arrays, as long as there are any. `UVBS` occurs only in `UVAS`: elsewhere something was misread.
    fn arrays<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, gates: Gates) {
        while cursor.peek_u32() != Some(tag("UVBS"))
            && let Some(array) = self.array(cursor, parts, gates)
        {
            parts.push(array);
        }
    }

    fn array<'a>(&self, cursor: &mut Cursor<'a>, before: &[Node<'a>], gates: Gates) -> Option<Node<'a>> {
        let mut ahead = cursor.clone();
        let id = ahead.u32()?;
        let kind = array_kind(id, self.dialect, gates)?;
        let stored = ahead.u32()?;
        let count = usize::try_from(stored).ok()?;
        let node = if kind.branch {
            let sets = match self.dialect {
                Dialect::Warcraft => self.coordinate_sets(&mut ahead, count, gates),
                Dialect::Wow => wow_coordinate_sets(&mut ahead, count, before),
            };
            let missing = stored.wrapping_sub(u32::try_from(sets.len()).unwrap_or(u32::MAX));
            Node { size_delta: missing, ..Node::branch(kind, id, sets) }
        } else {
            Node::leaf(kind, id, ahead.take(count.checked_mul(element_layout(kind).1)?)?)
        };
        *cursor = ahead;
        Some(node)
    }

    /// The `UVBS` arrays, up to the declared number.
    fn coordinate_sets<'a>(&self, cursor: &mut Cursor<'a>, count: usize, gates: Gates) -> Parts<'a> {
        let mut sets = Vec::new();
        while sets.len() < count && cursor.peek_u32() == Some(tag("UVBS")) {
            let Some(set) = self.array(cursor, &[], gates) else { break };
            sets.push(set);
        }
        sets
    }

    /// Version 1500: a number of sections, then a batch for each.
    pub(super) fn batches<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>) {
        let count = parts.first().and_then(|count| Cursor::new(count.bytes()).u32()).unwrap_or_default();
        let mut sections = Vec::new();
        while sections.len() < usize::try_from(count).unwrap_or(usize::MAX) {
            let Some(section) = part::<WowGeosetSection>(cursor, parts, &kinds::WOW_GEOSET_SECTION) else {
                return;
            };
            sections.push(section);
        }
        for section in sections {
            let mut inside = Vec::with_capacity(5);
            let whole = batch(cursor, &mut inside, section);
            if !inside.is_empty() {
                parts.push(Node::branch(&kinds::WOW_BATCH, 0, inside));
            }
            if whole.is_none() {
                return;
            }
        }
    }
}

/// In the WoW alpha the sets have no header; each has one element per vertex.
fn wow_coordinate_sets<'a>(cursor: &mut Cursor<'a>, count: usize, before: &[Node<'a>]) -> Parts<'a> {
    let vertices = before.iter().find(|array| array.is(&kinds::VRTX));
    let size = vertices.map_or(0, |array| (array.bytes().len() / 12).saturating_mul(8));
    let mut sets = Vec::new();
    // Sets without vertices take no bytes: there may be any number of them, and none is needed.
    while size > 0 && sets.len() < count {
        let Some(bytes) = cursor.take(size) else { break };
        sets.push(Node::leaf(&kinds::WOW_TEXTURE_COORDINATES, 0, bytes));
    }
    sets
}

fn batch<'a>(cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, section: &WowGeosetSection) -> Option<()> {
    let run = |cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, kind, count: usize, each: usize| {
        let bytes = cursor.take(count.checked_mul(each)?)?;
        parts.push(Node::leaf(kind, 0, bytes));
        Some(())
    };
    let count = |count: record::U32| usize::try_from(count.get()).ok();
    let indices = count(section.primitive_vertex_count)?;
    run(cursor, parts, &kinds::WOW_VERTICES, count(section.vertex_count)?, size_of::<WowVertex>())?;
    run(cursor, parts, &kinds::WOW_PRIMITIVE_TYPES, count(section.primitive_type_count)?, 4)?;
    part::<WowBatchHeader>(cursor, parts, &kinds::WOW_BATCH_HEADER)?;
    run(cursor, parts, &kinds::WOW_INDICES, indices, 2)?;
    run(cursor, parts, &kinds::WOW_INDEX_PADDING, indices.wrapping_neg() % 8, 2)
}
