//! Places and numbers of chunks.

use std::collections::HashSet;

use record::Node;
use record::Severity::{Error, Warning};
use w3d::table::{self, *};
use w3d::{Chunk, MAX_DEPTH};

use crate::context::{Findings, W3dContext};
use crate::rule::Rule;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-FRAME-011",
        Error,
        too_deep,
        "docs/formats/w3d/framing.md#chunk-headers: chunkio.h MAX_STACK_DEPTH",
        "chunks are nested more than 256 deep",
        "The engines' chunk reader keeps a stack of 256 chunks and writes beyond it. No model needs more than eight levels: such a file is \
         damaged or made to do harm.",
    ),
    Rule::w3d(
        "W3D-FRAME-012",
        Warning,
        duplicates,
        "docs/formats/w3d/framing.md#chunk-headers",
        "a chunk occurs twice",
        "Loaders keep the last or the first, depending on the chunk, and some leak the other. Remove the wrong one.",
    ),
    Rule::w3d(
        "W3D-FRAME-013",
        Warning,
        misplaced,
        "docs/formats/w3d/framing.md#the-container-bit: loaders descend by id",
        "a chunk is in the wrong place",
        "Loaders look for chunks in certain parents only, so this one is skipped. Move it to where it belongs.",
    ),
];

fn too_deep(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every().iter().filter(|visit| visit.depth >= MAX_DEPTH) {
        // The reader keeps deeper chunks as bytes: follow the first child down.
        let mut bytes = visit.node.bytes();
        let mut depth = visit.depth;
        let size = |bytes: &[u8]| bytes.get(4..8)?.first_chunk().map(|word| u32::from_le_bytes(*word));
        // The top bit of the size says that there are chunks inside.
        while let Some(word) = size(bytes).filter(|word| word >> 31 != 0) {
            bytes = bytes.get(8..).unwrap_or_default();
            bytes = bytes.get(..(word & 0x7FFF_FFFF) as usize).unwrap_or_default();
            depth += 1;
        }
        if depth > 256 {
            return findings
                .add(visit.node, format!("chunks are nested {depth} deep; engines have room for 256"));
        }
    }
}

/// Chunks that may occur several times in one parent.
static REPEATED: &[&Chunk] = &[
    MATERIAL_PASS.row,
    TEXTURE_STAGE.row,
    VERTEX_MATERIAL.row,
    TEXTURE.row,
    SHADER_MATERIAL.row,
    SHADER_MATERIAL_PROPERTY.row,
    STAGE_TEXCOORDS.row,
    DAMAGE.row,
    MATERIAL3.row,
    DEFORM.row,
    DEFORM_SET.row,
    DEFORM_KEYFRAME.row,
    DEFORM_DATA.row,
    ANIMATION_CHANNEL.row,
    BIT_CHANNEL.row,
    COMPRESSED_ANIMATION_CHANNEL.row,
    COMPRESSED_BIT_CHANNEL.row,
    COMPRESSED_ANIMATION_MOTION_CHANNEL.row,
    MORPHANIM_CHANNEL.row,
    NODE.row,
    COLLISION_NODE.row,
    SKIN_NODE.row,
    SHADOW_NODE.row,
    LOD.row,
    COLLECTION_OBJ_NAME.row,
    PLACEHOLDER.row,
    TRANSFORM_NODE.row,
    POINTS.row,
    EMITTER_COLOR_KEYFRAME.row,
    EMITTER_OPACITY_KEYFRAME.row,
    EMITTER_SIZE_KEYFRAME.row,
    HLOD_LOD_ARRAY.row,
    HLOD_SUB_OBJECT.row,
    LIGHTSCAPE_LIGHT.row,
    SHDSUBMESH.row,
];

/// Whether a chunk may stand several times in one parent.
pub(crate) fn may_repeat(node: &Node<'_>) -> bool {
    REPEATED.iter().any(|repeated| repeated.kind.name == node.kind.name)
}

fn duplicates(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for visit in context.every() {
        let node = visit.node;
        let chunk = node.kind.framing.header_len() == 8 && !node.kind.name.is_empty();
        if visit.depth < 2 || !chunk || may_repeat(node) {
            continue;
        }
        let parent = std::ptr::from_ref(visit.parent).cast::<()>().addr();
        if !seen.insert((parent, node.kind.name)) {
            findings.add(node, format!("{} occurs twice in {}", node.name(), visit.parent.name()));
        }
    }
}

fn misplaced(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        let (node, parent) = (visit.node, visit.parent);
        // The contents of an unknown chunk are unknown; scopes have separate ids.
        let known = parent.kind.name == FILE.name || table::row_of(parent.kind).is_some();
        let Some(row) = table::find(None, node.id).filter(|row| row.kind.name == node.kind.name) else {
            continue;
        };
        if known && !row.parents.contains(&parent.kind.name) {
            findings.add(
                node,
                format!("{} belongs in {}, not in {}", node.name(), row.parents.join(" or "), parent.name()),
            );
        }
    }
}
