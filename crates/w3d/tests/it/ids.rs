//! The chunk table against the format documents: every id, name, alias, nature and size, typed out from there.

use std::collections::{HashMap, HashSet};

use meshwright_w3d::table::{self, CHUNKS};
use meshwright_w3d::{Chunk, Games, Scope, Shape};
use record::{Item, Names, Type};

/// The enumeration `W3D_CHUNK_TYPE` of the format document, in its order.
const DOCUMENTED: &str = "
    0x0 W3D_CHUNK_MESH 0x1 W3D_CHUNK_MESH_HEADER 0x2 W3D_CHUNK_VERTICES 0x3 W3D_CHUNK_VERTEX_NORMALS
    0x4 W3D_CHUNK_SURRENDER_NORMALS 0x5 W3D_CHUNK_TEXCOORDS 0x6 O_W3D_CHUNK_MATERIALS 0x7 O_W3D_CHUNK_TRIANGLES
    0x8 O_W3D_CHUNK_QUADRANGLES 0x9 O_W3D_CHUNK_SURRENDER_TRIANGLES 0xA O_W3D_CHUNK_POV_TRIANGLES
    0xB O_W3D_CHUNK_POV_QUADRANGLES 0xC W3D_CHUNK_MESH_USER_TEXT 0xD W3D_CHUNK_VERTEX_COLORS
    0xE W3D_CHUNK_VERTEX_INFLUENCES 0xF W3D_CHUNK_DAMAGE 0x10 W3D_CHUNK_DAMAGE_HEADER 0x11 W3D_CHUNK_DAMAGE_VERTICES
    0x12 W3D_CHUNK_DAMAGE_COLORS 0x13 W3D_CHUNK_DAMAGE_MATERIALS 0x14 O_W3D_CHUNK_MATERIALS2
    0x15 W3D_CHUNK_MATERIALS3 0x16 W3D_CHUNK_MATERIAL3 0x17 W3D_CHUNK_MATERIAL3_NAME 0x18 W3D_CHUNK_MATERIAL3_INFO
    0x19 W3D_CHUNK_MATERIAL3_DC_MAP 0x1A W3D_CHUNK_MAP3_FILENAME 0x1B W3D_CHUNK_MAP3_INFO
    0x1C W3D_CHUNK_MATERIAL3_DI_MAP 0x1D W3D_CHUNK_MATERIAL3_SC_MAP 0x1E W3D_CHUNK_MATERIAL3_SI_MAP
    0x1F W3D_CHUNK_MESH_HEADER3 0x20 W3D_CHUNK_TRIANGLES 0x21 W3D_CHUNK_PER_TRI_MATERIALS
    0x22 W3D_CHUNK_VERTEX_SHADE_INDICES 0x23 W3D_CHUNK_PRELIT_UNLIT 0x24 W3D_CHUNK_PRELIT_VERTEX
    0x25 W3D_CHUNK_PRELIT_LIGHTMAP_MULTI_PASS 0x26 W3D_CHUNK_PRELIT_LIGHTMAP_MULTI_TEXTURE
    0x28 W3D_CHUNK_MATERIAL_INFO 0x29 W3D_CHUNK_SHADERS 0x2A W3D_CHUNK_VERTEX_MATERIALS
    0x2B W3D_CHUNK_VERTEX_MATERIAL 0x2C W3D_CHUNK_VERTEX_MATERIAL_NAME 0x2D W3D_CHUNK_VERTEX_MATERIAL_INFO
    0x2E W3D_CHUNK_VERTEX_MAPPER_ARGS0 0x2F W3D_CHUNK_VERTEX_MAPPER_ARGS1 0x30 W3D_CHUNK_TEXTURES
    0x31 W3D_CHUNK_TEXTURE 0x32 W3D_CHUNK_TEXTURE_NAME 0x33 W3D_CHUNK_TEXTURE_INFO 0x38 W3D_CHUNK_MATERIAL_PASS
    0x39 W3D_CHUNK_VERTEX_MATERIAL_IDS 0x3A W3D_CHUNK_SHADER_IDS 0x3B W3D_CHUNK_DCG 0x3C W3D_CHUNK_DIG
    0x3E W3D_CHUNK_SCG 0x3F W3D_CHUNK_SHADER_MATERIAL_ID 0x48 W3D_CHUNK_TEXTURE_STAGE 0x49 W3D_CHUNK_TEXTURE_IDS
    0x4A W3D_CHUNK_STAGE_TEXCOORDS 0x4B W3D_CHUNK_PER_FACE_TEXCOORD_IDS 0x50 W3D_CHUNK_SHADER_MATERIALS
    0x51 W3D_CHUNK_SHADER_MATERIAL 0x52 W3D_CHUNK_SHADER_MATERIAL_HEADER 0x53 W3D_CHUNK_SHADER_MATERIAL_PROPERTY
    0x58 W3D_CHUNK_DEFORM 0x59 W3D_CHUNK_DEFORM_SET 0x5A W3D_CHUNK_DEFORM_KEYFRAME 0x5B W3D_CHUNK_DEFORM_DATA
    0x60 W3D_CHUNK_TANGENTS 0x61 W3D_CHUNK_BITANGENTS 0x80 W3D_CHUNK_PS2_SHADERS 0x90 W3D_CHUNK_AABTREE
    0x91 W3D_CHUNK_AABTREE_HEADER 0x92 W3D_CHUNK_AABTREE_POLYINDICES 0x93 W3D_CHUNK_AABTREE_NODES
    0x100 W3D_CHUNK_HIERARCHY 0x101 W3D_CHUNK_HIERARCHY_HEADER 0x102 W3D_CHUNK_PIVOTS 0x103 W3D_CHUNK_PIVOT_FIXUPS
    0x104 W3D_CHUNK_PIVOT_UNKNOWN1 0x200 W3D_CHUNK_ANIMATION 0x201 W3D_CHUNK_ANIMATION_HEADER
    0x202 W3D_CHUNK_ANIMATION_CHANNEL 0x203 W3D_CHUNK_BIT_CHANNEL 0x280 W3D_CHUNK_COMPRESSED_ANIMATION
    0x281 W3D_CHUNK_COMPRESSED_ANIMATION_HEADER 0x282 W3D_CHUNK_COMPRESSED_ANIMATION_CHANNEL
    0x283 W3D_CHUNK_COMPRESSED_BIT_CHANNEL 0x284 W3D_CHUNK_COMPRESSED_ANIMATION_MOTION_CHANNEL
    0x2C0 W3D_CHUNK_MORPH_ANIMATION 0x2C1 W3D_CHUNK_MORPHANIM_HEADER 0x2C2 W3D_CHUNK_MORPHANIM_CHANNEL
    0x2C3 W3D_CHUNK_MORPHANIM_POSENAME 0x2C4 W3D_CHUNK_MORPHANIM_KEYDATA 0x2C5 W3D_CHUNK_MORPHANIM_PIVOTCHANNELDATA
    0x300 W3D_CHUNK_HMODEL 0x301 W3D_CHUNK_HMODEL_HEADER 0x302 W3D_CHUNK_NODE 0x303 W3D_CHUNK_COLLISION_NODE
    0x304 W3D_CHUNK_SKIN_NODE 0x305 OBSOLETE_W3D_CHUNK_HMODEL_AUX_DATA 0x306 OBSOLETE_W3D_CHUNK_SHADOW_NODE
    0x400 W3D_CHUNK_LODMODEL 0x401 W3D_CHUNK_LODMODEL_HEADER 0x402 W3D_CHUNK_LOD 0x420 W3D_CHUNK_COLLECTION
    0x421 W3D_CHUNK_COLLECTION_HEADER 0x422 W3D_CHUNK_COLLECTION_OBJ_NAME 0x423 W3D_CHUNK_PLACEHOLDER
    0x424 W3D_CHUNK_TRANSFORM_NODE 0x440 W3D_CHUNK_POINTS 0x460 W3D_CHUNK_LIGHT 0x461 W3D_CHUNK_LIGHT_INFO
    0x452 W3D_CHUNK_SPOT_LIGHT_INFO 0x463 W3D_CHUNK_NEAR_ATTENUATION 0x464 W3D_CHUNK_FAR_ATTENUATION
    0x465 W3D_CHUNK_SPOT_LIGHT_INFO_5_0 0x466 W3D_CHUNK_PULSE 0x500 W3D_CHUNK_EMITTER 0x501 W3D_CHUNK_EMITTER_HEADER
    0x502 W3D_CHUNK_EMITTER_USER_DATA 0x503 W3D_CHUNK_EMITTER_INFO 0x504 W3D_CHUNK_EMITTER_INFOV2
    0x505 W3D_CHUNK_EMITTER_PROPS 0x506 OBSOLETE_W3D_CHUNK_EMITTER_COLOR_KEYFRAME
    0x507 OBSOLETE_W3D_CHUNK_EMITTER_OPACITY_KEYFRAME 0x508 OBSOLETE_W3D_CHUNK_EMITTER_SIZE_KEYFRAME
    0x509 W3D_CHUNK_EMITTER_LINE_PROPERTIES 0x50A W3D_CHUNK_EMITTER_ROTATION_KEYFRAMES
    0x50B W3D_CHUNK_EMITTER_FRAME_KEYFRAMES 0x50C W3D_CHUNK_EMITTER_BLUR_TIME_KEYFRAMES
    0x50D W3D_CHUNK_EMITTER_EXTRA_INFO 0x510 W3D_CHUNK_EMITTER_ROTATION_KEYFRAMES
    0x511 W3D_CHUNK_EMITTER_FRAME_KEYFRAMES 0x512 W3D_CHUNK_EMITTER_BLUR_TIME_KEYFRAMES 0x600 W3D_CHUNK_AGGREGATE
    0x601 W3D_CHUNK_AGGREGATE_HEADER 0x602 W3D_CHUNK_AGGREGATE_INFO 0x603 W3D_CHUNK_TEXTURE_REPLACER_INFO
    0x604 W3D_CHUNK_AGGREGATE_CLASS_INFO 0x700 W3D_CHUNK_HLOD 0x701 W3D_CHUNK_HLOD_HEADER
    0x702 W3D_CHUNK_HLOD_LOD_ARRAY 0x703 W3D_CHUNK_HLOD_SUB_OBJECT_ARRAY_HEADER 0x704 W3D_CHUNK_HLOD_SUB_OBJECT
    0x705 W3D_CHUNK_HLOD_AGGREGATE_ARRAY 0x706 W3D_CHUNK_HLOD_PROXY_ARRAY 0x707 W3D_CHUNK_HLOD_LIGHT_ARRAY
    0x740 W3D_CHUNK_BOX 0x741 W3D_CHUNK_SPHERE 0x742 W3D_CHUNK_RING 0x750 W3D_CHUNK_NULL_OBJECT
    0x800 W3D_CHUNK_LIGHTSCAPE 0x801 W3D_CHUNK_LIGHTSCAPE_LIGHT 0x802 W3D_CHUNK_LIGHT_TRANSFORM
    0x900 W3D_CHUNK_DAZZLE 0x901 W3D_CHUNK_DAZZLE_NAME 0x902 W3D_CHUNK_DAZZLE_TYPENAME 0xA00 W3D_CHUNK_SOUNDROBJ
    0xA01 W3D_CHUNK_SOUNDROBJ_HEADER 0xA02 W3D_CHUNK_SOUNDROBJ_DEFINITION 0xB00 W3D_CHUNK_SHDMESH
    0xB01 W3D_CHUNK_SHDMESH_NAME 0xB02 W3D_CHUNK_SHDMESH_HEADER 0xB03 W3D_CHUNK_SHDMESH_USER_TEXT
    0xB20 W3D_CHUNK_SHDSUBMESH 0xB21 W3D_CHUNK_SHDSUBMESH_HEADER 0xB40 W3D_CHUNK_SHDSUBMESH_SHADER
    0xB41 W3D_CHUNK_SHDSUBMESH_SHADER_CLASSID 0xB42 W3D_CHUNK_SHDSUBMESH_SHADER_DEF
    0xB43 W3D_CHUNK_SHDSUBMESH_VERTICES 0xB44 W3D_CHUNK_SHDSUBMESH_VERTEX_NORMALS
    0xB45 W3D_CHUNK_SHDSUBMESH_TRIANGLES 0xB46 W3D_CHUNK_SHDSUBMESH_VERTEX_SHADE_INDICES
    0xB47 W3D_CHUNK_SHDSUBMESH_UV0 0xB48 W3D_CHUNK_SHDSUBMESH_UV1 0xB49 W3D_CHUNK_SHDSUBMESH_TANGENT_BASIS_S
    0xB4A W3D_CHUNK_SHDSUBMESH_TANGENT_BASIS_T 0xB4B W3D_CHUNK_SHDSUBMESH_TANGENT_BASIS_SXT
    0xB4C W3D_CHUNK_SHDSUBMESH_VERTEX_COLOR 0xB4D W3D_CHUNK_SHDSUBMESH_VERTEX_INFLUENCES
    0xC00 W3D_CHUNK_SECONDARY_VERTICES 0xC01 W3D_CHUNK_SECONDARY_VERTEX_NORMALS 0xC02 W3D_CHUNK_LIGHTMAP_UV
    0xC03 W3D_CHUNK_VERTEX_INFLUENCES_EXTENDED
";

/// Ids in the document that no header, tool or file has (docs/formats/w3d/corrections.md#w3d-corrections), and those that are meant.
const ARTEFACTS: [(u32, u32); 4] = [(0x452, 0x462), (0x510, 0x50A), (0x511, 0x50B), (0x512, 0x50C)];

fn documented() -> Vec<(u32, &'static str)> {
    let words: Vec<_> = DOCUMENTED.split_whitespace().collect();
    words
        .chunks_exact(2)
        .map(|pair| (u32::from_str_radix(&pair[0][2..], 16).expect("hexadecimal"), pair[1]))
        .collect()
}

/// Whether the document's name is the row's own, or one of its other names.
fn is_called(row: &Chunk, name: &str) -> bool {
    name.strip_prefix("W3D_CHUNK_") == Some(row.kind.name) || row.aliases.contains(&name)
}

#[test]
fn every_documented_id_has_a_row() {
    let documented = documented();
    assert_eq!(documented.len(), 187);
    for (id, name) in &documented {
        let id = ARTEFACTS.iter().find(|(wrong, _)| wrong == id).map_or(*id, |(_, right)| *right);
        let row = table::find(None, id).unwrap_or_else(|| panic!("{id:#x} {name}"));
        assert!(is_called(row, name), "{id:#x} is {name}, not {}", row.kind.name);
    }
}

#[test]
fn no_row_is_made_up() {
    let known: HashSet<u32> = documented().into_iter().map(|(id, _)| id).collect();
    for row in CHUNKS {
        let meant = ARTEFACTS.iter().any(|(_, right)| *right == row.id);
        assert!(known.contains(&row.id) || meant, "{:#x} {}", row.id, row.kind.name);
    }
    // 187 lines of the document, of which three name ids twice and one names a wrong id; three name ids of emitter keys that only
    // documents have, which have rows of their own beside those of the engines.
    assert_eq!(CHUNKS.len(), 187 - 3 + 3);
}

#[test]
fn a_light_of_the_wrong_id_is_unknown() {
    for (wrong, right) in ARTEFACTS.into_iter().filter(|(wrong, _)| *wrong < 0x510) {
        assert!(table::find(None, wrong).is_none(), "{wrong:#x}");
        assert!(table::find(None, right).is_some(), "{right:#x}");
        let light =
            [&[0x60, 4, 0, 0, 12, 0, 0, 0x80][..], &wrong.to_le_bytes(), &[4, 0, 0, 0, 1, 2, 3, 4]].concat();
        let file = meshwright_w3d::W3d::parse(&light).expect("a light");
        let child = &file.root.children()[0].children()[0];
        assert!(child.is(&table::UNKNOWN), "{wrong:#x}");
        assert_eq!(child.bytes(), [1, 2, 3, 4]);
        let found = file.diagnostics();
        assert_eq!(found.iter().map(|found| found.code.as_ref()).collect::<Vec<_>>(), ["W3D-PART-001"]);
    }
}

#[test]
fn other_names_of_the_headers() {
    // The section "Header aliases", and the "Also known as" of the secondary streams.
    for (alias, name) in [
        ("W3D_CHUNK_FXSHADER_IDS", "SHADER_MATERIAL_ID"),
        ("W3D_CHUNK_FX_SHADERS", "SHADER_MATERIALS"),
        ("W3D_CHUNK_FX_SHADER", "SHADER_MATERIAL"),
        ("W3D_CHUNK_FX_SHADER_INFO", "SHADER_MATERIAL_HEADER"),
        ("W3D_CHUNK_FX_SHADER_CONSTANT", "SHADER_MATERIAL_PROPERTY"),
        ("W3D_CHUNK_BINORMALS", "BITANGENTS"),
        ("W3D_CHUNK_SHDSUBMESH_SHADER_TYPE", "SHDSUBMESH_SHADER_CLASSID"),
        ("W3D_CHUNK_SHDSUBMESH_SHADER_DATA", "SHDSUBMESH_SHADER_DEF"),
        ("W3D_CHUNK_SHDSUBMESH_B4C", "SHDSUBMESH_VERTEX_COLOR"),
        ("W3D_CHUNK_VERTICES_COPY", "SECONDARY_VERTICES"),
        ("W3D_CHUNK_VERTEX_NORMALS_COPY", "SECONDARY_VERTEX_NORMALS"),
    ] {
        let rows: Vec<_> = CHUNKS.iter().filter(|row| row.aliases.contains(&alias)).collect();
        assert_eq!(rows.iter().map(|row| row.kind.name).collect::<Vec<_>>(), [name], "{alias}");
    }
}

#[test]
fn containers_are_containers_and_leaves_leaves() {
    // Every chunk of which the documents say that it wraps others; all else is a leaf.
    let containers = [
        0x0, 0xF, 0x15, 0x16, 0x19, 0x1C, 0x1D, 0x1E, 0x23, 0x24, 0x25, 0x26, 0x2A, 0x2B, 0x30, 0x31, 0x38,
        0x48, 0x50, 0x51, 0x58, 0x59, 0x5A, 0x90, 0x100, 0x200, 0x280, 0x2C0, 0x2C2, 0x300, 0x400, 0x420,
        0x460, 0x500, 0x600, 0x700, 0x702, 0x705, 0x706, 0x707, 0x741, 0x742, 0x800, 0x801, 0x900, 0xA00,
        0xA02, 0xB00, 0xB20, 0xB40, 0xB42,
    ];
    for row in CHUNKS {
        let expected = containers.contains(&row.id);
        assert_eq!(row.kind.branch, expected, "{:#x} {}", row.id, row.kind.name);
        assert_eq!(!matches!(row.shape, Shape::Leaf), expected, "{:#x} {}", row.id, row.kind.name);
    }
    // A struct before the first child (docs/formats/w3d/framing.md#a-record-before-the-children).
    let prefixed: Vec<_> =
        CHUNKS.iter().filter(|row| matches!(row.shape, Shape::Prefixed(_))).map(|row| row.id).collect();
    assert_eq!(prefixed, [0x58, 0x59, 0x5A]);
}

/// The rows of a scope as id and name.
fn names_in(scope: Scope) -> Vec<(u32, &'static str)> {
    scope.iter().map(|row| (row.id, row.kind.name)).collect()
}

fn scope_of(row: &Chunk) -> Scope {
    match row.shape {
        Shape::Branch(Some(scope)) | Shape::Micro(scope) => scope,
        _ => panic!("{} has no scope", row.kind.name),
    }
}

#[test]
fn scopes_number_their_parts_anew() {
    use table::{ring, shader_def, sound, sphere};
    assert_eq!(
        names_in(sphere::CHUNKS),
        [
            (1, "SPHERE_DEF"),
            (2, "COLOR_CHANNEL"),
            (3, "ALPHA_CHANNEL"),
            (4, "SCALE_CHANNEL"),
            (5, "VECTOR_CHANNEL")
        ]
    );
    assert_eq!(
        names_in(ring::CHUNKS),
        [
            (1, "RING_DEF"),
            (2, "COLOR_CHANNEL"),
            (3, "ALPHA_CHANNEL"),
            (4, "INNER_SCALE_CHANNEL"),
            (5, "OUTER_SCALE_CHANNEL")
        ]
    );
    for channel in sphere::CHUNKS.iter().chain(ring::CHUNKS).filter(|row| row.id > 1) {
        let variables = scope_of(channel);
        assert_eq!(names_in(variables), [(0x0315_0809, "VARIABLES")]);
        assert_eq!(names_in(scope_of(variables[0])), [(1, "KEY")]);
        assert!(matches!(variables[0].shape, Shape::Micro(_)));
    }
    assert_eq!(names_in(sound::CHUNKS), [(0x100, "VARIABLES"), (0x200, "BASE_CLASS")]);
    assert_eq!(names_in(scope_of(sound::CHUNKS[1])), [(0x100, "VARIABLES")]);
    assert_eq!(names_in(scope_of(scope_of(sound::CHUNKS[1])[0])), [(1, "INSTANCE_ID"), (3, "NAME")]);
    let micros: Vec<_> = scope_of(sound::CHUNKS[0]).iter().map(|row| row.id).collect();
    assert_eq!(micros, (3..=22).collect::<Vec<_>>(), "1 and 2 are not used");
    let shader: HashSet<_> = shader_def::CHUNKS.iter().map(|row| row.id).collect();
    let mut expected: HashSet<u32> = [0x1649_0430, 0x1649_0450, 0x1649_0460, 0x1649_0470].into();
    // 0x11070958 and sixteen strings after it.
    expected.extend(0x1107_0958..=0x1107_0968);
    assert_eq!(shader, expected);
}

#[test]
fn names_are_unique_where_they_are_looked_up() {
    fn unique(scope: Scope) {
        let names: HashSet<_> = scope.iter().map(|row| row.kind.name).collect();
        assert_eq!(names.len(), scope.len());
        for row in scope {
            if let Shape::Branch(Some(inner)) | Shape::Micro(inner) = row.shape {
                unique(inner);
            }
        }
    }
    unique(CHUNKS);
    let ids: HashSet<_> = CHUNKS.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), CHUNKS.len());
    for row in table::every_row() {
        for kind in row.kinds {
            let slots: HashSet<_> = kind.slots.iter().map(|slot| slot.name).collect();
            assert_eq!(slots.len(), kind.slots.len(), "{}", row.kind.name);
            for word in ["chunk", "micro", "part", "children", "hex", "size_delta", "format"] {
                assert!(
                    !slots.contains(word),
                    "{}: {word} means something else in the text form",
                    row.kind.name
                );
            }
        }
    }
}

/// Every table of names that a record of the format uses.
fn name_tables() -> HashMap<&'static str, &'static Names> {
    fn collect(ty: Type, found: &mut HashMap<&'static str, &'static Names>) {
        match ty {
            Type::Enum(names) | Type::Flags(names) => {
                found.insert(names.name, names);
            }
            Type::Array(element, _) => collect(*element, found),
            Type::Record(schema) => schema.fields.iter().for_each(|field| collect(field.ty, found)),
            _ => {}
        }
    }
    let mut found = HashMap::new();
    let prefixes =
        [table::DEFORM_HEADER.kind, table::DEFORM_SET_HEADER.kind, table::DEFORM_KEYFRAME_HEADER.kind];
    let kinds = table::every_row().flat_map(|row| row.kinds.iter().copied()).chain(prefixes);
    for slot in kinds.flat_map(|kind| kind.slots) {
        if let Item::Value(ty) = slot.item {
            collect(ty, &mut found);
        }
    }
    found
}

#[test]
fn values_have_one_name_and_names_one_value() {
    let tables = name_tables();
    assert!(tables.len() > 30, "{:?}", tables.keys());
    for names in tables.values() {
        let words: HashSet<_> = names.table.iter().map(|entry| entry.name).collect();
        assert_eq!(words.len(), names.table.len(), "{}", names.name);
        let values: HashSet<_> = names.table.iter().map(|entry| entry.value).collect();
        assert_eq!(values.len(), names.table.len(), "{}", names.name);
        for entry in names.table {
            assert_eq!(entry.value & !entry.mask, 0, "{} {}", names.name, entry.name);
        }
        // Fields within a word do not overlap what they are not.
        for (a, b) in names.table.iter().flat_map(|a| names.table.iter().map(move |b| (a, b))) {
            assert!(a.mask == b.mask || a.mask & b.mask == 0, "{}: {} and {}", names.name, a.name, b.name);
        }
    }
}

#[test]
fn values_that_public_documents_omit() {
    let tables = name_tables();
    for (table, name, value) in [
        ("VertexChannels", "TANGENT", 0x20),
        ("VertexChannels", "BINORMAL", 0x40),
        ("VertexChannels", "SMOOTHSKIN", 0x80),
        ("VertexChannels", "SUPERSMOOTHSKIN", 0x100),
        ("MeshFlags", "COLLISION_USER1", 0x200),
        ("MeshFlags", "COLLISION_USER2", 0x400),
        ("MeshFlags", "GEOMETRY_SKIN", 0x20000),
        ("MeshFlags", "GEOMETRY_CAMERA_Z_ORIENTED", 0x70000),
        ("MeshFlags", "PRELIT", 0x4000_0000),
        ("MeshFlags", "ALWAYS_DYN_LIGHT", 0x8000_0000),
        ("VertexMaterialFlags", "STAGE0_GRID_WS_CLASSIC_ENV", 0x13_0000),
        ("VertexMaterialFlags", "STAGE0_GRID_WS_ENVIRONMENT", 0x14_0000),
        ("VertexMaterialFlags", "STAGE1_GRID_WS_CLASSIC_ENV", 0x1300),
        ("VertexMaterialFlags", "STAGE1_GRID_WS_ENVIRONMENT", 0x1400),
        ("PriGradient", "BUMPENVMAP_LUMINANCE", 4),
        ("PriGradient", "MODULATE2X", 5),
        ("DetailColorFunc", "ADDSIGNED", 9),
        ("DetailColorFunc", "ADDSIGNED2X", 10),
        ("DetailColorFunc", "SCALE2X", 11),
        ("DetailColorFunc", "MODALPHAADDCOLOR", 12),
        ("Ps2DepthCompare", "PASS_ALWAYS", 2),
        ("Ps2PriGradient", "HIGHLIGHT2", 3),
        ("SurfaceType", "STEAM_PERMEABLE", 26),
        ("SurfaceType", "EXTRA8", 47),
        ("ChannelType", "VIS", 15),
        ("ChannelType8", "VIS", 15),
        ("VolumeClass", "SOLID_CYLINDER", 3),
        ("RenderMode", "LINEGRP_PRISM", 4),
        ("FrameMode", "GRID_16X16", 4),
        ("ShaderClass", "BUMPSPEC", 3),
        ("ShaderClass", "BUMPDIFF", 4),
        ("PropertyType", "BOOL", 7),
        ("LightFlags", "SPOT", 3),
        ("BoxFlags", "ORIENTED", 1),
        ("EmitterLineFlags", "TILED_TEXTURE_MAP", 0x200_0000),
    ] {
        let entry = tables[table].table.iter().find(|entry| entry.name == name);
        assert_eq!(entry.map(|entry| entry.value), Some(value), "{table} {name}");
    }
}

/// Bytes of a slot's item.
fn item_size(scope: Option<Scope>, id: u32, slot: usize) -> usize {
    let row = table::find(scope, id).unwrap_or_else(|| panic!("{id:#x}"));
    row.kind.slots[slot].item.size()
}

#[test]
fn sizes_are_those_of_the_engines() {
    // Chunk, bytes of its record or element.
    for (id, size) in [
        (0x1, 372),
        (0x2, 12),
        (0x3, 12),
        (0x4, 12),
        (0x5, 8),
        (0x6, 56),
        (0x9, 68),
        (0xD, 4),
        (0xE, 8),
        (0x10, 32),
        (0x11, 16),
        (0x12, 8),
        (0x14, 72),
        (0x18, 44),
        (0x1B, 8),
        (0x1F, 116),
        (0x20, 32),
        (0x21, 2),
        (0x22, 4),
        (0x28, 16),
        (0x29, 16),
        (0x2D, 32),
        (0x33, 12),
        (0x39, 4),
        (0x3A, 4),
        (0x3B, 4),
        (0x3C, 4),
        (0x3E, 4),
        (0x3F, 4),
        (0x49, 4),
        (0x4A, 8),
        (0x4B, 12),
        (0x52, 37),
        (0x53, 8),
        (0x5B, 28),
        (0x60, 12),
        (0x61, 12),
        (0x80, 12),
        (0x91, 32),
        (0x92, 4),
        (0x93, 32),
        (0x101, 36),
        (0x102, 60),
        (0x103, 48),
        (0x201, 44),
        (0x202, 12),
        (0x203, 9),
        (0x281, 44),
        (0x282, 8),
        (0x283, 8),
        (0x284, 8),
        (0x2C1, 48),
        (0x2C4, 8),
        (0x2C5, 4),
        (0x301, 40),
        (0x302, 18),
        (0x303, 18),
        (0x304, 18),
        (0x305, 184),
        (0x306, 18),
        (0x401, 24),
        (0x402, 40),
        (0x421, 32),
        (0x423, 56),
        (0x424, 56),
        (0x440, 12),
        (0x461, 24),
        (0x462, 20),
        (0x463, 8),
        (0x464, 8),
        (0x465, 8),
        (0x466, 22),
        (0x501, 20),
        (0x502, 12),
        (0x503, 332),
        (0x504, 124),
        (0x505, 40),
        (0x506, 8),
        (0x507, 8),
        (0x508, 8),
        (0x509, 64),
        (0x50A, 16),
        (0x50B, 16),
        (0x50C, 12),
        (0x50D, 40),
        (0x601, 20),
        (0x602, 36),
        (0x604, 20),
        (0x701, 40),
        (0x703, 8),
        (0x704, 36),
        (0x740, 68),
        (0x750, 48),
        (0x802, 48),
        (0xA01, 56),
        (0xB02, 80),
        (0xB21, 56),
        (0xB41, 4),
        (0xB43, 12),
        (0xB44, 12),
        (0xB45, 6),
        (0xB46, 4),
        (0xB47, 8),
        (0xB48, 8),
        (0xB49, 12),
        (0xB4A, 12),
        (0xB4B, 12),
        (0xB4D, 1),
        (0xC00, 12),
        (0xC01, 12),
        (0xC03, 14),
    ] {
        assert_eq!(item_size(None, id, 0), size, "{id:#x}");
    }
    // Chunks after the first record.
    for (id, slot, size) in
        [(0x505, 1, 8), (0x505, 2, 8), (0x505, 3, 8), (0x50A, 1, 8), (0x602, 1, 64), (0x603, 1, 1492)]
    {
        assert_eq!(item_size(None, id, slot), size, "{id:#x}");
    }
    for (prefix, size) in [
        (table::DEFORM_HEADER.kind, 20),
        (table::DEFORM_SET_HEADER.kind, 12),
        (table::DEFORM_KEYFRAME_HEADER.kind, 16),
    ] {
        assert_eq!(prefix.slots[0].item.size(), size, "{}", prefix.name);
    }
    assert_eq!(item_size(Some(table::sphere::CHUNKS), 1, 0), 164);
    assert_eq!(item_size(Some(table::ring::CHUNKS), 1, 0), 168);
    // Keys are a value and a time of four bytes.
    for (scope, id, size) in [
        (table::sphere::CHUNKS, 2, 16),
        (table::sphere::CHUNKS, 3, 8),
        (table::sphere::CHUNKS, 4, 16),
        (table::sphere::CHUNKS, 5, 24),
        (table::ring::CHUNKS, 2, 16),
        (table::ring::CHUNKS, 3, 8),
        (table::ring::CHUNKS, 4, 12),
        (table::ring::CHUNKS, 5, 12),
    ] {
        let channel = table::find(Some(scope), id).expect("a channel");
        assert_eq!(scope_of(scope_of(channel)[0])[0].kind.slots[0].item.size(), size, "{id}");
    }
}

#[test]
fn parents_exist_and_what_is_raw_has_no_slots() {
    let names: HashSet<_> = table::every_row().map(|row| row.kind.name).chain(["FILE"]).collect();
    for row in table::every_row() {
        assert!(!row.parents.is_empty(), "{}", row.kind.name);
        for parent in row.parents {
            assert!(names.contains(parent), "{} in {parent}", row.kind.name);
        }
    }
    // No layout survives, or none was ever seen (docs/formats/w3d/corrections.md#open-questions).
    let raw: Vec<_> = CHUNKS
        .iter()
        .filter(|row| matches!(row.shape, Shape::Leaf) && row.kind.slots.is_empty())
        .map(|row| row.id)
        .collect();
    assert_eq!(raw, [0x7, 0x8, 0xA, 0xB, 0x13, 0x104, 0xB4C, 0xC02]);
}

#[test]
fn parents_that_public_documents_get_wrong() {
    for (id, parent, stands) in [
        // Readers' synonyms (2.0) and shader materials' coordinates (2.3).
        (0x4, "MESH", true),
        (0x5, "TEXTURE_STAGE", true),
        (0x4A, "MATERIAL_PASS", true),
        (0x60, "MATERIAL_PASS", false),
        (0x61, "MATERIAL_PASS", false),
        (0x60, "MESH", true),
        (0x440, "HMODEL", true),
        (0x440, "LODMODEL", true),
        (0x466, "EMITTER", false),
        (0x466, "LIGHT", true),
        (0x802, "LIGHT", false),
        (0x802, "LIGHTSCAPE_LIGHT", true),
        (0x460, "LIGHTSCAPE_LIGHT", true),
        (0x602, "AGGREGATE", true),
        (0x602, "AGGREGATE_HEADER", false),
        (0xB20, "SHDMESH", true),
        (0x703, "HLOD_LIGHT_ARRAY", true),
    ] {
        let row = table::find(None, id).expect("a row");
        assert_eq!(row.parents.contains(&parent), stands, "{} in {parent}", row.kind.name);
    }
}

#[test]
fn games_that_know_a_chunk() {
    // The last lines of docs/formats/w3d/games.md#chunks-by-game: what only some games know.
    let known = |id: u32, game: Games| table::find(None, id).expect("a row").games.has(game);
    for id in [0x50D, 0xB00, 0xB20, 0xB43] {
        assert!(known(id, Games::ZERO_HOUR), "{id:#x}");
        assert!(!known(id, Games::GENERALS) && !known(id, Games::RENEGADE), "{id:#x}: Zero Hour and later");
    }
    assert!(known(0x50D, Games::EARTH_AND_BEYOND));
    for id in [0x3F, 0x50, 0x51, 0x52, 0x53, 0x60, 0x61, 0x284, 0xC00, 0xC01] {
        assert!(known(id, Games::BFME2) && !known(id, Games::ZERO_HOUR), "{id:#x}");
    }
    for id in [0x465, 0x466, 0x707, 0xC03] {
        assert!(known(id, Games::TT5) && !known(id, Games::BFME2) && !known(id, Games::RENEGADE), "{id:#x}");
    }
    for id in [0x0, 0x1F, 0x100, 0x200, 0x700, 0x740] {
        for game in
            [Games::RENEGADE, Games::GENERALS, Games::ZERO_HOUR, Games::BFME, Games::BFME2, Games::TT4]
        {
            assert!(known(id, game), "{id:#x}");
        }
    }
}
