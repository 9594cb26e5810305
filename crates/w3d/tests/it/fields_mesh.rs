//! Meshes, materials and what is obsolete of them: every field where the documents put it.

use crate::common::{
    array, body, check, chunk, container, field, innermost, raw, read, read_sound, record, shown, slot,
    string, wrap,
};
use meshwright_w3d::records::{
    MeshHeader3, Shader, ShaderMaterialHeader, Triangle, VertexInfluence, VertexInfluenceExtended,
};
use meshwright_w3d::table;

#[test]
fn mesh_headers() {
    record(
        &[0x0],
        0x1F,
        "MESH_HEADER3",
        116,
        "0 u32 version; 4 u32 attributes; 8 char[16] mesh_name; 24 char[16] container_name; 40 u32 num_tris;
         44 u32 num_vertices; 48 u32 num_materials; 52 u32 num_damage_stages; 56 i32 sort_level; 60 u32 prelit_version;
         64 u32 future_counts; 68 u32 vertex_channels; 72 u32 face_channels; 76 f32[3] min; 88 f32[3] max;
         100 f32[3] sph_center; 112 f32 sph_radius",
    );
    // docs/formats/w3d/obsolete.md#header-of-versions-1-and-2: the public documents omit NumPovTris.
    record(
        &[0x0],
        0x1,
        "MESH_HEADER",
        372,
        "0 u32 version; 4 char[16] mesh_name; 20 u32 attributes; 24 u32 num_tris; 28 u32 num_quads; 32 u32 num_sr_tris;
         36 u32 num_pov_tris; 40 u32 num_pov_quads; 44 u32 num_vertices; 48 u32 num_normals; 52 u32 num_sr_normals;
         56 u32 num_tex_coords; 60 u32 num_materials; 64 u32 num_vert_colors; 68 u32 num_vert_influences;
         72 u32 num_damage_stages; 76 u32[5] future_counts; 96 f32 lod_min; 100 f32 lod_max; 104 f32[3] min;
         116 f32[3] max; 128 f32[3] sph_center; 140 f32 sph_radius; 144 f32[3] translation; 156 f32[9] rotation;
         192 f32[3] mass_center; 204 f32[9] inertia; 240 f32 volume; 244 char[16] hierarchy_tree_name;
         260 char[16] hierarchy_model_name; 276 u32[24] future_use",
    );
}

#[test]
fn mesh_header_through_its_type() {
    let mut payload = vec![0; 116];
    payload[..4].copy_from_slice(&[2, 0, 4, 0]); // 4.2: the major number is in the high half
    payload[4..8].copy_from_slice(&0x0002_2010_u32.to_le_bytes()); // skin, two-sided, physical
    payload[8..12].copy_from_slice(b"BODY");
    payload[24..28].copy_from_slice(b"TANK");
    payload[40] = 7;
    payload[56..60].copy_from_slice(&(-3_i32).to_le_bytes());
    payload[112..].copy_from_slice(&2.5_f32.to_le_bytes());
    let bytes = container(0x0, &chunk(0x1F, &payload));
    let file = read_sound(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    let header: &MeshHeader3 = mesh.header().expect("a header");
    assert_eq!((header.version.major(), header.version.minor()), (4, 2));
    assert_eq!(
        header.attributes.names().collect::<Vec<_>>(),
        ["COLLISION_PHYSICAL", "TWO_SIDED", "GEOMETRY_SKIN"]
    );
    assert!(header.is_skin());
    assert_eq!(mesh.full_name(), "TANK.BODY");
    assert_eq!((header.num_tris.get(), header.sort_level.get(), header.sph_radius.get()), (7, -3, 2.5));
    assert_eq!(field(innermost(&file), "fields", 0, "version"), "\"4.2\"");
}

#[test]
fn geometry() {
    array(&[0x0], 0x2, "VERTICES", "vertices", 12, "0 f32[3] .");
    array(&[0x0], 0x3, "VERTEX_NORMALS", "normals", 12, "0 f32[3] .");
    array(
        &[0x0],
        0x20,
        "TRIANGLES",
        "triangles",
        32,
        "0 u32[3] vindex; 12 u32 attributes; 16 f32[3] normal; 28 f32 dist",
    );
    array(&[0x0], 0x22, "VERTEX_SHADE_INDICES", "indices", 4, "0 u32 .");
    array(&[0x0], 0x60, "TANGENTS", "tangents", 12, "0 f32[3] .");
    array(&[0x0], 0x61, "BITANGENTS", "bitangents", 12, "0 f32[3] .");
    array(&[0x0], 0xC00, "SECONDARY_VERTICES", "vertices", 12, "0 f32[3] .");
    array(&[0x0], 0xC01, "SECONDARY_VERTEX_NORMALS", "normals", 12, "0 f32[3] .");
    array(&[0x0], 0x440, "POINTS", "points", 12, "0 f32[3] .");
    string(&[0x0], 0xC, "MESH_USER_TEXT");
    raw(&[0x0], 0xC02, "LIGHTMAP_UV");
}

#[test]
fn geometry_through_its_types() {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let triangle = |first: u32| {
        let head: Vec<u8> =
            [first, first + 1, first + 2, 8].iter().flat_map(|word| word.to_le_bytes()).collect();
        [head, floats(&[0.0, 0.0, 1.0, first as f32])].concat()
    };
    let bytes = container(
        0x0,
        &[
            chunk(0x2, &floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
            chunk(0x20, &[triangle(5), triangle(9)].concat()),
            chunk(0xC00, &floats(&[7.0, 8.0, 9.0])),
            chunk(0xC01, &floats(&[0.0, 1.0, 0.0])),
        ]
        .concat(),
    );
    let file = read_sound(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    assert_eq!(
        mesh.vertices().iter().map(|vertex| vertex.get()).collect::<Vec<_>>(),
        [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    );
    let triangles: &[Triangle] = mesh.triangles();
    assert_eq!(triangles.len(), 2);
    assert_eq!(triangles[1].vindex.map(|index| index.get()), [9, 10, 11]);
    assert_eq!(triangles[1].attributes.name(), Some("CONCRETE"));
    assert_eq!((triangles[1].normal.get(), triangles[1].dist.get()), ([0.0, 0.0, 1.0], 9.0));
    assert_eq!(mesh.secondary_vertices()[0].get(), [7.0, 8.0, 9.0]);
    assert_eq!(mesh.secondary_normals()[0].get(), [0.0, 1.0, 0.0]);
    assert!(mesh.normals().is_empty());
}

#[test]
fn influences() {
    // Both old layouts are the same eight bytes (docs/formats/w3d/skins.md#vertex-influences).
    array(&[0x0], 0xE, "VERTEX_INFLUENCES", "influences", 8, "0 u16[2] bone_idx; 4 u16[2] weight");
    array(
        &[0x0],
        0xC03,
        "VERTEX_INFLUENCES_EXTENDED",
        "influences",
        14,
        "0 u16[4] bone_idx; 8 u16[3] weight",
    );
    let words = |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let bytes = container(
        0x0,
        &[
            chunk(0xE, &words(&[3, 0, 0, 0, 1, 0, 100, 0, 4, 5, 25, 75, 6, 7, 0, 50])),
            chunk(0xC03, &words(&[1, 2, 3, 4, 6553, 13107, 19660, 5, 6, 7, 8, 40000, 40000, 0])),
        ]
        .concat(),
    );
    let file = read_sound(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    let two: Vec<_> = mesh.influences().iter().map(VertexInfluence::bones).collect();
    assert_eq!(two[0][0], (3, 1.0), "no weights: the first bone has it all");
    assert_eq!(two[1][0], (1, 1.0));
    assert_eq!(two[2], [(4, 0.25), (5, 0.75)], "percent");
    assert_eq!(two[3], [(6, 0.0), (7, 1.0)], "normalised");
    let four: Vec<_> = mesh.extended_influences().iter().map(VertexInfluenceExtended::bones).collect();
    // 65535 - 6553 - 13107 - 19660 = 26215.
    let share = |weight: f32| weight / 65535.0;
    assert_eq!(four[0], [(1, share(6553.0)), (2, share(13107.0)), (3, share(19660.0)), (4, share(26215.0))]);
    assert_eq!(four[1][3], (8, 0.0), "not below zero");
}

#[test]
fn synonyms_that_loaders_accept() {
    // docs/formats/w3d/meshes.md#vertices: 0x4 as normals, 0x5 as the coordinates of a stage.
    array(&[0x0], 0x4, "SURRENDER_NORMALS", "normals", 12, "0 f32[3] .");
    array(&[0x0], 0x5, "TEXCOORDS", "texcoords", 8, "0 f32[2] .");
    array(&[0x0, 0x38, 0x48], 0x5, "TEXCOORDS", "texcoords", 8, "0 f32[2] .");
    let one = 1.0_f32.to_le_bytes();
    let two = 2.0_f32.to_le_bytes();
    let stage = container(0x48, &chunk(0x5, &[one, two].concat()));
    let bytes = container(0x0, &[chunk(0x4, &[one, two, one].concat()), container(0x38, &stage)].concat());
    let file = read_sound(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    assert_eq!(mesh.normals()[0].get(), [1.0, 2.0, 1.0]);
    let pass = mesh.passes().next().expect("a pass");
    assert_eq!(pass.texcoords(0)[0].get(), [1.0, 2.0]);
}

const MATERIAL_INFO: &str =
    "0 u32 pass_count; 4 u32 vertex_material_count; 8 u32 shader_count; 12 u32 texture_count";
const SHADER: &str = "0 u8 depth_compare; 1 u8 depth_mask; 2 u8 color_mask; 3 u8 dest_blend; 4 u8 fog_func;
    5 u8 pri_gradient; 6 u8 sec_gradient; 7 u8 src_blend; 8 u8 texturing; 9 u8 detail_color_func;
    10 u8 detail_alpha_func; 11 u8 shader_preset; 12 u8 alpha_test; 13 u8 post_detail_color_func;
    14 u8 post_detail_alpha_func; 15 u8 pad";

#[test]
fn materials() {
    record(&[0x0], 0x28, "MATERIAL_INFO", 16, MATERIAL_INFO);
    array(&[0x0], 0x29, "SHADERS", "shaders", 16, SHADER);
    string(&[0x0, 0x2A, 0x2B], 0x2C, "VERTEX_MATERIAL_NAME");
    // docs/formats/w3d/materials.md#vertex-materials: the public documents have 20 for each of the last three.
    record(
        &[0x0, 0x2A, 0x2B],
        0x2D,
        "VERTEX_MATERIAL_INFO",
        32,
        "0 u32 attributes; 4 rgb ambient; 8 rgb diffuse; 12 rgb specular; 16 rgb emissive; 20 f32 shininess;
         24 f32 opacity; 28 f32 translucency",
    );
    string(&[0x0, 0x2A, 0x2B], 0x2E, "VERTEX_MAPPER_ARGS0");
    string(&[0x0, 0x2A, 0x2B], 0x2F, "VERTEX_MAPPER_ARGS1");
    string(&[0x0, 0x30, 0x31], 0x32, "TEXTURE_NAME");
    record(
        &[0x0, 0x30, 0x31],
        0x33,
        "TEXTURE_INFO",
        12,
        "0 u16 attributes; 2 u16 anim_type; 4 u32 frame_count; 8 f32 frame_rate",
    );
    array(
        &[0x0],
        0x80,
        "PS2_SHADERS",
        "shaders",
        12,
        "0 u8 depth_compare; 1 u8 depth_mask; 2 u8 pri_gradient; 3 u8 texturing; 4 u8 alpha_test; 5 u8 a_param; 6 u8 b_param;
         7 u8 c_param; 8 u8 d_param; 9 byte[3] pad",
    );
}

#[test]
fn colours_are_red_green_blue() {
    let payload =
        [&[0, 1, 0, 0][..], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], &[0; 12]].concat();
    let bytes = wrap(&[0x0, 0x2A, 0x2B], chunk(0x2D, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    assert_eq!(field(node, "fields", 0, "attributes"), "[\"STAGE1_ENVIRONMENT\"]");
    assert_eq!(field(node, "fields", 0, "ambient"), r#"{"r": 1, "g": 2, "b": 3, "pad": 4}"#);
    assert_eq!(field(node, "fields", 0, "emissive"), r#"{"r": 13, "g": 14, "b": 15, "pad": 16}"#);
    let bytes = wrap(&[0x0, 0x38], chunk(0x3B, &[1, 2, 3, 4]));
    assert_eq!(shown(innermost(&read_sound(&bytes)), "colors"), [r#"{"r": 1, "g": 2, "b": 3, "a": 4}"#]);
}

#[test]
fn passes() {
    let pass = &[0x0, 0x38];
    array(pass, 0x39, "VERTEX_MATERIAL_IDS", "ids", 4, "0 u32 .");
    array(pass, 0x3A, "SHADER_IDS", "ids", 4, "0 u32 .");
    array(pass, 0x3B, "DCG", "colors", 4, "0 rgba .");
    array(pass, 0x3C, "DIG", "colors", 4, "0 rgb .");
    array(pass, 0x3E, "SCG", "colors", 4, "0 rgb .");
    array(pass, 0x3F, "SHADER_MATERIAL_ID", "ids", 4, "0 u32 .");
    let stage = &[0x0, 0x38, 0x48];
    array(stage, 0x49, "TEXTURE_IDS", "ids", 4, "0 u32 .");
    array(stage, 0x4A, "STAGE_TEXCOORDS", "texcoords", 8, "0 f32[2] .");
    array(stage, 0x4B, "PER_FACE_TEXCOORD_IDS", "ids", 12, "0 u32[3] .");
    // Under shader materials, directly in the pass, and twice (docs/formats/w3d/materials.md#ids-of-a-pass).
    array(pass, 0x4A, "STAGE_TEXCOORDS", "texcoords", 8, "0 f32[2] .");
    let coordinates = |u: f32| chunk(0x4A, &[u.to_le_bytes(), 0.5_f32.to_le_bytes()].concat());
    let bytes = wrap(pass, [coordinates(1.0), coordinates(2.0)].concat());
    let file = read_sound(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    let pass = mesh.passes().next().expect("a pass");
    assert_eq!(pass.texcoords(0)[0].get(), [1.0, 0.5]);
    assert_eq!(pass.texcoords(1)[0].get(), [2.0, 0.5]);
    assert!(pass.texcoords(2).is_empty());
}

#[test]
fn prelit_wrappers_hold_materials_of_their_own() {
    for (id, name) in [
        (0x23, "PRELIT_UNLIT"),
        (0x24, "PRELIT_VERTEX"),
        (0x25, "PRELIT_LIGHTMAP_MULTI_PASS"),
        (0x26, "PRELIT_LIGHTMAP_MULTI_TEXTURE"),
    ] {
        record(&[0x0, id], 0x28, "MATERIAL_INFO", 16, MATERIAL_INFO);
        array(&[0x0, id], 0x29, "SHADERS", "shaders", 16, SHADER);
        string(&[0x0, id, 0x30, 0x31], 0x32, "TEXTURE_NAME");
        string(&[0x0, id, 0x2A, 0x2B], 0x2C, "VERTEX_MATERIAL_NAME");
        array(&[0x0, id, 0x38, 0x48], 0x49, "TEXTURE_IDS", "ids", 4, "0 u32 .");
        let bytes = wrap(&[0x0, id], chunk(0x28, &[1; 16]));
        let file = read_sound(&bytes);
        assert_eq!(file.root.children()[0].children()[0].name(), name);
    }
    // The best wrapper that is there is taken.
    let wrapper = |id: u32, passes: u8| container(id, &chunk(0x28, &[&[passes][..], &[0; 15]].concat()));
    let bytes = container(0x0, &[wrapper(0x23, 1), wrapper(0x25, 3), wrapper(0x24, 2)].concat());
    let file = read_sound(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    assert_eq!(mesh.material_info().map(|info| info.pass_count.get()), Some(3));
}

#[test]
fn shader_through_its_type() {
    let bytes = container(0x0, &chunk(0x29, &[3, 1, 9, 5, 9, 1, 0, 2, 1, 12, 3, 9, 1, 4, 2, 9]));
    let file = read_sound(&bytes);
    let shader: Shader = file.meshes().next().expect("a mesh").shaders()[0];
    assert_eq!(shader.depth_compare.name(), Some("PASS_LEQUAL"));
    assert_eq!(shader.dest_blend.name(), Some("ONE_MINUS_SRC_ALPHA"));
    assert_eq!(shader.src_blend.name(), Some("SRC_ALPHA"));
    assert_eq!(shader.detail_color_func.name(), Some("MODALPHAADDCOLOR"));
    assert_eq!(shader.detail_alpha_func.name(), Some("INVSCALE"));
    assert_eq!(shader.alpha_test.name(), Some("ENABLE"));
    // The PlayStation 2's parameters A to D.
    assert_eq!([shader.color_mask, shader.fog_func, shader.shader_preset, shader.pad], [9; 4]);
}

#[test]
fn shader_materials() {
    record(
        &[0x0, 0x50, 0x51],
        0x52,
        "SHADER_MATERIAL_HEADER",
        37,
        "0 u8 version; 1 char[32] shader_name; 33 u8 technique; 34 byte[3] pad",
    );
    let property = |ty: u32, value: &[u8]| {
        chunk(0x53, &[&ty.to_le_bytes()[..], &6_u32.to_le_bytes(), b"Gloss\0", value].concat())
    };
    let floats =
        |count: usize| (0..count).flat_map(|index| (index as f32 + 0.25).to_le_bytes()).collect::<Vec<_>>();
    for (ty, value, slot_name, expected) in [
        (1, [&6_u32.to_le_bytes()[..], b"a.dds\0"].concat(), "texture", vec!["a.dds\0"]),
        (2, floats(1), "floats", vec!["0.25"]),
        (3, floats(2), "floats", vec!["0.25", "1.25"]),
        (4, floats(3), "floats", vec!["0.25", "1.25", "2.25"]),
        (5, floats(4), "floats", vec!["0.25", "1.25", "2.25", "3.25"]),
        (6, (-7_i32).to_le_bytes().to_vec(), "int", vec!["-7"]),
        (7, vec![1], "bool", vec!["1"]),
    ] {
        let bytes = wrap(&[0x0, 0x50, 0x51], property(ty, &value));
        let file = read_sound(&bytes);
        let node = innermost(&file);
        assert_eq!(shown(node, slot_name), expected, "type {ty}");
        assert_eq!(node.text(), Some(&b"Gloss"[..]));
        // Type, length and the six characters of the name come before the value.
        let before = if ty == 1 { 18 } else { 14 };
        assert_eq!(slot(node, slot_name).start, before);
        assert_eq!(node.slots().last().map(|part| part.slot.name), Some(slot_name));
        check(node, "fields", 0, 0, "0 u32 property_type; 4 u32 name_length");
    }
    // A type that nobody knows keeps its value.
    let bytes = wrap(&[0x0, 0x50, 0x51], property(8, &[1, 2, 3]));
    let file = read(&bytes);
    assert_eq!(file.diagnostics()[0].code, "W3D-PART-003");
    let header = ShaderMaterialHeader { technique: 3, ..ShaderMaterialHeader::default() };
    let bytes = wrap(
        &[0x0, 0x50, 0x51],
        chunk(0x52, &[&[1][..], b"NormalMapped.fx\0", &[0; 16], &[3, 0, 0, 0]].concat()),
    );
    let file = read_sound(&bytes);
    let read: &ShaderMaterialHeader = innermost(&file).value().expect("a header");
    assert_eq!(
        (read.technique, read.shader_name.to_string()),
        (header.technique, "NormalMapped.fx".to_owned())
    );
}

#[test]
fn deform_is_records_and_chunks_in_one_body() {
    let data = "0 u32 vertex_index; 4 f32[3] position; 16 rgba color; 20 u32[2] reserved";
    let keyframe = "0 f32 deform_percent; 4 u32 data_count; 8 u32[2] reserved";
    let set = "0 u32 keyframe_count; 4 u32 flags; 8 u32 reserved";
    let deform = "0 u32 set_count; 4 u32 alpha_passes; 8 u32[3] reserved";
    let entries = [body(data, 28, 1), body(data, 28, 30)].concat();
    let bytes = container(
        0x0,
        &container(
            0x58,
            &[
                body(deform, 20, 2),
                container(
                    0x59,
                    &[
                        body(set, 12, 3),
                        container(
                            0x5A,
                            &[body(keyframe, 16, 4), chunk(0x5B, &entries), chunk(0x5B, &entries)].concat(),
                        ),
                    ]
                    .concat(),
                ),
                container(0x59, &body(set, 12, 5)),
            ]
            .concat(),
        ),
    );
    let file = read(&bytes);
    // The second set has no keyframe, so its top bit is one too many.
    let codes: Vec<_> = file.diagnostics().into_iter().map(|found| (found.code, found.path)).collect();
    assert_eq!(codes, [("W3D-FRAME-003".into(), "MESH[0]/DEFORM[0]/DEFORM_SET[1]".to_owned())]);
    let at = |path: &str| file.root.find(path).unwrap_or_else(|| panic!("{path}"));
    check(at("MESH/DEFORM/DEFORM_HEADER"), "fields", 0, 0, deform);
    check(at("MESH/DEFORM/DEFORM_SET/DEFORM_SET_HEADER"), "fields", 0, 0, set);
    check(at("MESH/DEFORM/DEFORM_SET[1]/DEFORM_SET_HEADER"), "fields", 0, 0, set);
    check(at("MESH/DEFORM/DEFORM_SET/DEFORM_KEYFRAME/DEFORM_KEYFRAME_HEADER"), "fields", 0, 0, keyframe);
    for element in 0..2 {
        check(
            at("MESH/DEFORM/DEFORM_SET/DEFORM_KEYFRAME/DEFORM_DATA[1]"),
            "data",
            element,
            element * 28,
            data,
        );
    }
    // Old files have a bare record of zeros, without the bit (docs/formats/w3d/obsolete.md#deform).
    let bytes = container(0x0, &chunk(0x58, &[0; 20]));
    assert_eq!(read_sound(&bytes).root.children()[0].children()[0].children().len(), 1);
    // Too short for the record: bytes, and a finding.
    let bytes = container(0x0, &chunk(0x58, &[0; 19]));
    assert_eq!(read(&bytes).diagnostics()[0].code, "W3D-PART-004");
}

#[test]
fn collision_tree() {
    record(&[0x0, 0x90], 0x91, "AABTREE_HEADER", 32, "0 u32 node_count; 4 u32 poly_count; 8 u32[6] padding");
    array(&[0x0, 0x90], 0x92, "AABTREE_POLYINDICES", "indices", 4, "0 u32 .");
    array(
        &[0x0, 0x90],
        0x93,
        "AABTREE_NODES",
        "nodes",
        32,
        "0 f32[3] min; 12 f32[3] max; 24 u32 front_or_poly0; 28 u32 back_or_poly_count",
    );
    use meshwright_w3d::records::{AabTreeContents, AabTreeNode};
    let node = |front: u32, back: u32| [&[0; 24][..], &front.to_le_bytes(), &back.to_le_bytes()].concat();
    let bytes = wrap(&[0x0, 0x90], chunk(0x93, &[node(1, 2), node(0x8000_0005, 3)].concat()));
    let file = read_sound(&bytes);
    let nodes: &[AabTreeNode] = innermost(&file).values();
    assert_eq!(nodes[0].contents(), AabTreeContents::Inner { front: 1, back: 2 });
    assert_eq!(nodes[1].contents(), AabTreeContents::Leaf { first: 5, count: 3 });
}

#[test]
fn obsolete_materials() {
    let names =
        "0 char[16] material_name; 16 char[16] primary_name; 32 char[16] secondary_name; 48 u32 render_flags;
        52 u8 red; 53 u8 green; 54 u8 blue";
    array(&[0x0], 0x6, "MATERIALS", "materials", 56, &format!("{names}; 55 u8 pad"));
    array(
        &[0x0],
        0x14,
        "MATERIALS2",
        "materials",
        72,
        &format!(
            "{names}; 55 u8 alpha; 56 u16 primary_num_frames; 58 u16 secondary_num_frames; 60 byte[12] pad"
        ),
    );
    string(&[0x0, 0x15, 0x16], 0x17, "MATERIAL3_NAME");
    record(
        &[0x0, 0x15, 0x16],
        0x18,
        "MATERIAL3_INFO",
        44,
        "0 u32 attributes; 4 rgb diffuse_color; 8 rgb specular_color; 12 rgb emissive_coefficients;
         16 rgb ambient_coefficients; 20 rgb diffuse_coefficients; 24 rgb specular_coefficients; 28 f32 shininess;
         32 f32 opacity; 36 f32 translucency; 40 f32 fog_coeff",
    );
    for map in [0x19, 0x1C, 0x1D, 0x1E] {
        string(&[0x0, 0x15, 0x16, map], 0x1A, "MAP3_FILENAME");
        // docs/formats/w3d/obsolete.md#materials-of-version-3: the rate is a float.
        record(
            &[0x0, 0x15, 0x16, map],
            0x1B,
            "MAP3_INFO",
            8,
            "0 u16 mapping_type; 2 u16 frame_count; 4 f32 frame_rate",
        );
    }
    array(&[0x0], 0x21, "PER_TRI_MATERIALS", "materials", 2, "0 u16 .");
}

#[test]
fn obsolete_geometry() {
    array(
        &[0x0],
        0x9,
        "SURRENDER_TRIANGLES",
        "triangles",
        68,
        "0 u32[3] vindex; 12 f32[2][3] tex_coord; 36 u32 material_idx; 40 f32[3] normal; 52 u32 attributes; 56 rgb[3] gouraud",
    );
    array(&[0x0], 0xD, "VERTEX_COLORS", "colors", 4, "0 rgb .");
    record(
        &[0x0, 0xF],
        0x10,
        "DAMAGE_HEADER",
        32,
        "0 u32 num_damage_materials; 4 u32 num_damage_verts; 8 u32 num_damage_colors; 12 u32 damage_index;
         16 u32[4] future_use",
    );
    array(&[0x0, 0xF], 0x11, "DAMAGE_VERTICES", "vertices", 16, "0 u32 vertex_index; 4 f32[3] new_vertex");
    array(&[0x0, 0xF], 0x12, "DAMAGE_COLORS", "colors", 8, "0 u32 vertex_index; 4 rgb new_color");
    raw(&[0x0, 0xF], 0x13, "DAMAGE_MATERIALS");
    raw(&[0x0], 0x7, "O_TRIANGLES");
    raw(&[0x0], 0x8, "QUADRANGLES");
    raw(&[0x0], 0xA, "POV_TRIANGLES");
    raw(&[0x0], 0xB, "POV_QUADRANGLES");
}

#[test]
fn shader_meshes() {
    string(&[0xB00], 0xB01, "SHDMESH_NAME");
    string(&[0xB00], 0xB03, "SHDMESH_USER_TEXT");
    record(
        &[0xB00],
        0xB02,
        "SHDMESH_HEADER",
        80,
        "0 u32 version; 4 u32 mesh_flags; 8 u32 num_triangles; 12 u32 num_vertices; 16 u32 num_sub_meshes;
         20 u32[5] future_counts; 40 f32[3] box_min; 52 f32[3] box_max; 64 f32[3] sph_center; 76 f32 sph_radius",
    );
    let sub = &[0xB00, 0xB20];
    record(
        sub,
        0xB21,
        "SHDSUBMESH_HEADER",
        56,
        "0 u32 num_triangles; 4 u32 num_vertices; 8 u32[2] future_counts; 16 f32[3] box_min; 28 f32[3] box_max;
         40 f32[3] sph_center; 52 f32 sph_radius",
    );
    array(&[0xB00, 0xB20, 0xB40], 0xB41, "SHDSUBMESH_SHADER_CLASSID", "class", 4, "0 u32 .");
    array(sub, 0xB43, "SHDSUBMESH_VERTICES", "vertices", 12, "0 f32[3] .");
    array(sub, 0xB44, "SHDSUBMESH_VERTEX_NORMALS", "normals", 12, "0 f32[3] .");
    array(sub, 0xB45, "SHDSUBMESH_TRIANGLES", "triangles", 6, "0 u16[3] .");
    // docs/formats/w3d/shader-meshes.md#shader-mesh-chunks: one word per vertex, not a vector.
    array(sub, 0xB46, "SHDSUBMESH_VERTEX_SHADE_INDICES", "indices", 4, "0 u32 .");
    array(sub, 0xB47, "SHDSUBMESH_UV0", "texcoords", 8, "0 f32[2] .");
    array(sub, 0xB48, "SHDSUBMESH_UV1", "texcoords", 8, "0 f32[2] .");
    array(sub, 0xB49, "SHDSUBMESH_TANGENT_BASIS_S", "tangents", 12, "0 f32[3] .");
    array(sub, 0xB4A, "SHDSUBMESH_TANGENT_BASIS_T", "tangents", 12, "0 f32[3] .");
    array(sub, 0xB4B, "SHDSUBMESH_TANGENT_BASIS_SXT", "tangents", 12, "0 f32[3] .");
    raw(sub, 0xB4C, "SHDSUBMESH_VERTEX_COLOR");
    array(sub, 0xB4D, "SHDSUBMESH_VERTEX_INFLUENCES", "bones", 1, "0 u8 .");
    // Chunks that ordinary meshes have too.
    for id in [0x2, 0x3, 0xC, 0xE, 0x20, 0x22] {
        let bytes = wrap(&[0xB00], chunk(id, &[]));
        assert!(innermost(&read(&bytes)).is(&table::find(None, id).expect("a row").kind));
    }
}
