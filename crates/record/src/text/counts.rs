//! Counts and lengths that can be computed from the content. They are not written, and are computed where they are
//! absent.

use super::value::integer;
use crate::node::{Item, Kind, LEFTOVER, Node};
use crate::types::Type;

/// A field of a header that counts something beside the header.
#[derive(Clone, Copy, Debug)]
pub struct SiblingCount {
    /// The header.
    pub header: &'static Kind,
    /// The field of its record.
    pub field: &'static str,
    /// The parts that are counted.
    pub source: CountSource,
}

/// The parts that a header counts.
#[derive(Clone, Copy, Debug)]
pub enum CountSource {
    /// The elements of the sibling of this kind.
    Elements(&'static Kind),
    /// The children of the sibling of this kind.
    Inside(&'static Kind),
    /// The siblings of this kind.
    Siblings(&'static Kind),
    /// All siblings but those of these kinds.
    Others(&'static [&'static Kind]),
}

/// A field, or a slot, that counts the elements of slots of the same leaf. For a text it counts bytes.
#[derive(Clone, Copy, Debug)]
pub struct LeafCount {
    /// The leaf.
    pub kind: &'static Kind,
    /// The slot that holds the count.
    pub slot: &'static str,
    /// The field of its record; empty if the slot is the count.
    pub field: &'static str,
    /// The slots that are counted; a leaf has one of them.
    pub of: &'static [&'static str],
}

impl CountSource {
    /// The number of counted parts below a parent, beside the header.
    fn count(self, parent: &Node<'_>, header: usize) -> usize {
        let others = || {
            parent
                .children()
                .iter()
                .enumerate()
                .filter(move |(index, _)| *index != header)
                .map(|(_, node)| node)
        };
        match self {
            Self::Elements(kind) => parent.child(kind).map_or(0, |leaf| {
                let size = leaf.kind.slots.last().map_or(1, |slot| slot.item.size().max(1));
                leaf.bytes().len() / size
            }),
            Self::Inside(kind) => parent
                .child(kind)
                .map_or(0, |list| list.children().iter().filter(|child| !child.is(&LEFTOVER)).count()),
            Self::Siblings(kind) => others().filter(|sibling| sibling.is(kind)).count(),
            Self::Others(kinds) => others()
                .filter(|sibling| !sibling.is(&LEFTOVER) && !kinds.iter().any(|kind| sibling.is(kind)))
                .count(),
        }
    }

    /// The name of the counted parts, for messages.
    pub(super) fn describe(self, count: u64) -> String {
        let verb = if count == 1 { "is" } else { "are" };
        match self {
            Self::Elements(kind) => format!("{} has {count}", kind.name),
            Self::Inside(kind) => format!("{} has {count}", kind.name),
            Self::Siblings(kind) => format!("there {verb} {count} {}", kind.name),
            Self::Others(_) => format!("there {verb} {count}"),
        }
    }
}

/// The counts of siblings in the header at this child index.
pub(super) fn of_siblings(
    rows: &'static [SiblingCount],
    parent: &Node<'_>,
    child: usize,
) -> Vec<(&'static SiblingCount, u64)> {
    let Some(header) = parent.children().get(child) else { return Vec::new() };
    let rows = rows.iter().filter(|row| header.is(row.header));
    rows.map(|row| (row, row.source.count(parent, child) as u64)).collect()
}

/// The counts of a leaf's own slots.
pub(super) fn of_slots(rows: &'static [LeafCount], leaf: &Node<'_>) -> Vec<(&'static LeafCount, u64)> {
    let rows = rows.iter().filter(|row| leaf.is(row.kind));
    let count = |row: &LeafCount| {
        let parts = leaf.slots().filter(|part| row.of.contains(&part.slot.name));
        parts.map(|part| elements(part.slot.item, part.bytes.len())).sum()
    };
    rows.map(|row| (row, count(row))).collect()
}

/// The number of elements in this many bytes of a slot.
pub(super) fn elements(item: Item, bytes: usize) -> u64 {
    (bytes / item.size().max(1)) as u64
}

/// Whether a field of this type can be a count.
pub(super) const fn can_count(ty: Type) -> bool {
    matches!(ty, Type::U8 | Type::U16 | Type::U32)
}

/// The count that some bytes hold.
pub(super) fn stored(ty: Type, bytes: &[u8]) -> u64 {
    integer(ty, bytes).into()
}
