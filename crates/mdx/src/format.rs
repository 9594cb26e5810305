//! The tables of MDX for the [text form](record::text).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use record::{CountSource, Format, Kind, LEFTOVER, LeafCount, Node, SiblingCount};

use crate::kinds;

/// The format, for [`record::text`].
#[derive(Clone, Copy, Debug)]
pub struct Mdx;

/// The format, for [`record::text`].
pub static FORMAT: Mdx = Mdx;

/// Every kind by its framing's word and its name. Kinds that share both differ in the names of their slots.
type ByName = BTreeMap<&'static str, BTreeMap<&'static str, Vec<&'static Kind>>>;
static BY_NAME: LazyLock<ByName> = LazyLock::new(|| {
    let mut table = ByName::new();
    for kind in kinds::kinds() {
        table.entry(kind.framing.word()).or_default().entry(kind.name).or_default().push(kind);
    }
    table
});

/// Counts in separate parts that can be computed from the content.
static SIBLING_COUNTS: &[SiblingCount] = {
    const OTHERS: CountSource = CountSource::Others(&[kinds::WOW_BATCH.kind]);
    &[
        sibling(kinds::LAYER_SHADER.kind, "texture_count", CountSource::Siblings(kinds::TEXTURE_SLOT.kind)),
        sibling(kinds::WOW_MATERIAL_HEADER.kind, "layer_count", CountSource::Siblings(kinds::LAYER.kind)),
        sibling(kinds::MDLVIS_GROUP_COUNT.kind, "count", CountSource::Siblings(kinds::MDLVIS_GROUP.kind)),
        sibling(kinds::WOW_COUNT.kind, "count", OTHERS),
        sibling(kinds::WOW_MATERIAL_COUNT.kind, "count", OTHERS),
        sibling(kinds::WOW_ATTACHMENT_COUNT.kind, "count", OTHERS),
    ]
};

const fn sibling(header: &'static Kind, field: &'static str, source: CountSource) -> SiblingCount {
    SiblingCount { header, field, source }
}

/// Counts before their elements.
static LEAF_COUNTS: &[LeafCount] = &[
    LeafCount { kind: kinds::BPOS.kind, slot: "count", field: "", of: &["matrices"] },
    LeafCount { kind: kinds::WOW_SEQS.kind, slot: "count", field: "", of: &["wow_sequences"] },
];

impl Format for Mdx {
    fn name(&self) -> &'static str {
        "mdx"
    }

    fn root(&self) -> &'static Kind {
        &kinds::MDLX
    }

    fn named(&self, _: &'static Kind, word: &str, name: &str) -> Option<(&[&'static Kind], u32)> {
        const CHUNK: &[&Kind] = &[kinds::UNKNOWN_CHUNK.kind];
        const TRACK: &[&Kind] = &[kinds::UNKNOWN_TRACK.kind];
        const REST: &[&Kind] = &[&LEFTOVER];
        if name == LEFTOVER.name {
            return Some((REST, 0));
        }
        if let Some(named) = BY_NAME.get(word).and_then(|names| names.get(name)) {
            return Some((named, named.first().map_or(0, |kind| kinds::id_of(kind))));
        }
        let id = u32::from_str_radix(name.strip_prefix("0x")?, 16).ok()?;
        match word {
            "chunk" => Some((CHUNK, id)),
            "track" => Some((TRACK, id)),
            _ => None,
        }
    }

    fn names(&self, _: &'static Kind, word: &str) -> Vec<&'static str> {
        BY_NAME.get(word).map(|names| names.keys().copied().collect()).unwrap_or_default()
    }

    fn sibling_counts(&self) -> &'static [SiblingCount] {
        SIBLING_COUNTS
    }

    fn leaf_counts(&self) -> &'static [LeafCount] {
        LEAF_COUNTS
    }

    fn parse<'a>(&self, bytes: &'a [u8]) -> Option<Node<'a>> {
        crate::Document::parse(bytes).ok().map(|document| document.root)
    }
}
