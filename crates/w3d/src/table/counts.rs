//! Counts and lengths that can be computed from the content: the text form does not write them.

use record::{CountSource, LeafCount, SiblingCount};

use super::*;

macro_rules! sibling_counts {
    ($($header:ident.$field:literal = $source:ident $kind:ident;)*) => {
        &[$(SiblingCount { header: $header.kind, field: $field, source: CountSource::$source($kind.kind) },)*]
    };
}

macro_rules! leaf_counts {
    ($($kind:ident $slot:literal.$field:literal = $($of:literal)*;)*) => {
        &[$(LeafCount { kind: $kind.kind, slot: $slot, field: $field, of: &[$($of),*] },)*]
    };
}

/// Counts in headers.
pub(crate) static SIBLING_COUNTS: &[SiblingCount] = sibling_counts! {
    MESH_HEADER3."num_tris" = Elements TRIANGLES;
    MESH_HEADER3."num_vertices" = Elements VERTICES;
    MATERIAL_INFO."pass_count" = Siblings MATERIAL_PASS;
    MATERIAL_INFO."vertex_material_count" = Inside VERTEX_MATERIALS;
    MATERIAL_INFO."shader_count" = Elements SHADERS;
    MATERIAL_INFO."texture_count" = Inside TEXTURES;
    AABTREE_HEADER."node_count" = Elements AABTREE_NODES;
    AABTREE_HEADER."poly_count" = Elements AABTREE_POLYINDICES;
    HIERARCHY_HEADER."num_pivots" = Elements PIVOTS;
    MORPHANIM_HEADER."channel_count" = Siblings MORPHANIM_CHANNEL;
    COLLECTION_HEADER."render_object_count" = Siblings COLLECTION_OBJ_NAME;
    HLOD_HEADER."lod_count" = Siblings HLOD_LOD_ARRAY;
    HLOD_SUB_OBJECT_ARRAY_HEADER."model_count" = Siblings HLOD_SUB_OBJECT;
    SHDMESH_HEADER."num_sub_meshes" = Siblings SHDSUBMESH;
    SHDSUBMESH_HEADER."num_triangles" = Elements SHDSUBMESH_TRIANGLES;
    SHDSUBMESH_HEADER."num_vertices" = Elements SHDSUBMESH_VERTICES;
};

/// Counts in a leaf of the leaf's own slots.
pub(crate) static LEAF_COUNTS: &[LeafCount] = leaf_counts! {
    SHADER_MATERIAL_PROPERTY "fields"."name_length" = "name";
    SHADER_MATERIAL_PROPERTY "texture_length"."" = "texture";
    COMPRESSED_ANIMATION_CHANNEL "time_coded"."num_time_codes" = "keys" "keys2" "keys3" "keys4";
    COMPRESSED_BIT_CHANNEL "fields"."num_time_codes" = "switches";
    PLACEHOLDER "fields"."name_len" = "name";
    TRANSFORM_NODE "fields"."name_len" = "name";
    EMITTER_USER_DATA "fields"."string_size" = "text";
    EMITTER_PROPS "fields"."color_keyframes" = "colors";
    EMITTER_PROPS "fields"."opacity_keyframes" = "opacities";
    EMITTER_PROPS "fields"."size_keyframes" = "sizes";
    AGGREGATE_INFO "fields"."subobject_count" = "subobjects";
    TEXTURE_REPLACER_INFO "count"."" = "replacers";
};
