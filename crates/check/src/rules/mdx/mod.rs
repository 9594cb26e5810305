//! Rules about MDX files. The sections that sources name are those of the notes on the format; `mdx-m3-viewer`, `HiveWE`,
//! `Retera`, `Magos` and `Stan` are the tools whose checks they are.

pub(crate) mod geoset;
pub(crate) mod material;
pub(crate) mod model;
pub(crate) mod node;
pub(crate) mod object;
pub(crate) mod skin;
pub(crate) mod track;
pub(crate) mod wow;

/// Ids that the game replaces by one of its textures (docs/formats/mdx/materials.md#replaceable-ids).
pub(crate) fn is_replaceable(id: u32) -> bool {
    matches!(id, 0 | 1 | 2 | 11 | 21 | 31..=37)
}

/// Whether an id is below the number of objects.
pub(crate) fn is_in(id: impl TryInto<usize>, count: usize) -> bool {
    id.try_into().is_ok_and(|id| id < count)
}
