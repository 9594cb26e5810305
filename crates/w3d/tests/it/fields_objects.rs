//! Models, lights, emitters, aggregates, simple objects, sounds and shader definitions: every field where the documents put it.

use crate::common::{
    array, body, check, chunk, container, field, innermost, micro, read, read_sound, record, shown, slot,
    string, wrap,
};
use meshwright_w3d::records::{EmitterInfo2, HlodSubObject, RingDef, SphereDef};
use meshwright_w3d::{W3d, table};

#[test]
fn hierarchy_models() {
    // docs/formats/w3d/models.md#hierarchy-models: 38 bytes and two of padding.
    record(
        &[0x300],
        0x301,
        "HMODEL_HEADER",
        40,
        "0 u32 version; 4 char[16] name; 20 char[16] hierarchy_name; 36 u16 num_connections; 38 byte[2] pad",
    );
    for (id, name) in
        [(0x302, "NODE"), (0x303, "COLLISION_NODE"), (0x304, "SKIN_NODE"), (0x306, "SHADOW_NODE")]
    {
        record(&[0x300], id, name, 18, "0 char[16] render_obj_name; 16 u16 pivot_idx");
    }
    record(
        &[0x300],
        0x305,
        "HMODEL_AUX_DATA",
        184,
        "0 u32 attributes; 4 u32 mesh_count; 8 u32 collision_count; 12 u32 skin_count; 16 u32 shadow_count; 20 u32 null_count;
         24 u32[6] future_counts; 48 f32 lod_min; 52 f32 lod_max; 56 u32[32] future_use",
    );
    array(&[0x300], 0x440, "POINTS", "points", 12, "0 f32[3] .");
}

#[test]
fn detail_models_and_collections() {
    record(
        &[0x400],
        0x401,
        "LODMODEL_HEADER",
        24,
        "0 u32 version; 4 char[16] name; 20 u16 num_lods; 22 byte[2] pad",
    );
    record(&[0x400], 0x402, "LOD", 40, "0 char[32] render_obj_name; 32 f32 lod_min; 36 f32 lod_max");
    array(&[0x400], 0x440, "POINTS", "points", 12, "0 f32[3] .");
    record(
        &[0x420],
        0x421,
        "COLLECTION_HEADER",
        32,
        "0 u32 version; 4 char[16] name; 20 u32 render_object_count; 24 u32[2] pad",
    );
    string(&[0x420], 0x422, "COLLECTION_OBJ_NAME");
    array(&[0x420], 0x440, "POINTS", "points", 12, "0 f32[3] .");
    array(&[], 0x440, "POINTS", "points", 12, "0 f32[3] .");
    for (id, name) in [(0x423, "PLACEHOLDER"), (0x424, "TRANSFORM_NODE")] {
        let layout = "0 u32 version; 4 f32[3][4] transform; 52 u32 name_len";
        let mut payload = body(layout, 56, 1);
        payload[52..].copy_from_slice(&5_u32.to_le_bytes());
        payload.extend(b"proxy"); // not necessarily with a NUL
        let bytes = wrap(&[0x420], chunk(id, &payload));
        let file = read_sound(&bytes);
        let node = innermost(&file);
        assert_eq!(node.name(), name);
        check(node, "fields", 0, 0, layout);
        assert_eq!((slot(node, "name").start, node.text()), (56, Some(&b"proxy"[..])));
        // Rows of three: the fourth is the position.
        let start = 2 * 16; // The second field's values count from 32.5.
        let row = |row: usize| {
            let cells: Vec<_> = (0..3).map(|cell| format!("{}.5", start + row * 3 + cell)).collect();
            format!("[{}]", cells.join(", "))
        };
        assert_eq!(
            field(node, "fields", 0, "transform"),
            format!("[{}]", [row(0), row(1), row(2), row(3)].join(", "))
        );
    }
}

#[test]
fn lights() {
    record(
        &[0x460],
        0x461,
        "LIGHT_INFO",
        24,
        "0 u32 attributes; 4 u32 unused; 8 rgb ambient; 12 rgb diffuse; 16 rgb specular; 20 f32 intensity",
    );
    // docs/formats/w3d/lights.md#spot-lights: 0x462, not 0x452.
    record(
        &[0x460],
        0x462,
        "SPOT_LIGHT_INFO",
        20,
        "0 f32[3] spot_direction; 12 f32 spot_angle; 16 f32 spot_exponent",
    );
    record(&[0x460], 0x463, "NEAR_ATTENUATION", 8, "0 f32 start; 4 f32 end");
    record(&[0x460], 0x464, "FAR_ATTENUATION", 8, "0 f32 start; 4 f32 end");
    record(&[0x460], 0x465, "SPOT_LIGHT_INFO_5_0", 8, "0 f32 spot_outer_angle; 4 f32 spot_inner_angle");
    let pulse =
        "0 f32 min_intensity; 4 f32 max_intensity; 8 f32 intensity_time; 12 f32 intensity_time_random;
        16 f32 intensity_adjust; 20 u8 intensity_stops_at_max; 21 u8 intensity_stops_at_min";
    // As packed, and as a compiler pads it.
    for padding in [&[][..], &[0xAA, 0xBB]] {
        let payload = [&body(pulse, 22, 1), padding].concat();
        let bytes = wrap(&[0x460], chunk(0x466, &payload));
        let file = read_sound(&bytes);
        let node = innermost(&file);
        assert_eq!(node.name(), "PULSE");
        check(node, "fields", 0, 0, pulse);
        assert_eq!(node.slots().map(|part| part.bytes.len()).sum::<usize>(), 22 + padding.len());
    }
    let bytes = wrap(&[0x460], chunk(0x466, &[0; 23]));
    assert_eq!(read(&bytes).diagnostics()[0].code, "W3D-PART-003");
    // In a Lightscape file the same light has a transform.
    record(&[0x800, 0x801, 0x460], 0x463, "NEAR_ATTENUATION", 8, "0 f32 start; 4 f32 end");
    record(&[0x800, 0x801], 0x802, "LIGHT_TRANSFORM", 48, "0 f32[4][3] transform");
}

const SHADER: &str = "0 u8 depth_compare; 1 u8 depth_mask; 2 u8 color_mask; 3 u8 dest_blend; 4 u8 fog_func;
    5 u8 pri_gradient; 6 u8 sec_gradient; 7 u8 src_blend; 8 u8 texturing; 9 u8 detail_color_func;
    10 u8 detail_alpha_func; 11 u8 shader_preset; 12 u8 alpha_test; 13 u8 post_detail_color_func;
    14 u8 post_detail_alpha_func; 15 u8 pad";

#[test]
fn emitters() {
    record(&[0x500], 0x501, "EMITTER_HEADER", 20, "0 u32 version; 4 char[16] name");
    // docs/formats/w3d/emitters.md#info, for all that follows: many offsets in the public documents are wrong.
    record(
        &[0x500],
        0x503,
        "EMITTER_INFO",
        332,
        "0 char[260] texture_filename; 260 f32 start_size; 264 f32 end_size; 268 f32 lifetime; 272 f32 emission_rate;
         276 f32 max_emissions; 280 f32 velocity_random; 284 f32 position_random; 288 f32 fade_time; 292 f32 gravity;
         296 f32 elasticity; 300 f32[3] velocity; 312 f32[3] acceleration; 324 rgba start_color; 328 rgba end_color",
    );
    record(
        &[0x500],
        0x504,
        "EMITTER_INFOV2",
        124,
        "0 u32 burst_size; 4 volume creation_volume; 36 volume vel_random; 68 f32 outward_vel; 72 f32 vel_inherit;
         76 shader shader; 92 u32 render_mode; 96 u32 frame_mode; 100 u32[6] reserved",
    );
    record(
        &[0x500],
        0x509,
        "EMITTER_LINE_PROPERTIES",
        64,
        "0 u32 flags; 4 u32 subdivision_level; 8 f32 noise_amplitude; 12 f32 merge_abort_factor; 16 f32 texture_tile_factor;
         20 f32 u_per_sec; 24 f32 v_per_sec; 28 u32[9] reserved",
    );
    record(&[0x500], 0x50D, "EMITTER_EXTRA_INFO", 40, "0 f32 future_start_time; 4 u32[9] unused");
    array(&[0x500], 0x506, "EMITTER_COLOR_KEYFRAME", "keys", 8, "0 f32 time; 4 rgba color");
    array(&[0x500], 0x507, "EMITTER_OPACITY_KEYFRAME", "keys", 8, "0 f32 time; 4 f32 value");
    array(&[0x500], 0x508, "EMITTER_SIZE_KEYFRAME", "keys", 8, "0 f32 time; 4 f32 value");
}

#[test]
fn emitter_volumes() {
    let mut payload = vec![0; 124];
    payload[4] = 3; // a cylinder of height 5 and radius 2
    payload[8..12].copy_from_slice(&5_f32.to_le_bytes());
    payload[12..16].copy_from_slice(&2_f32.to_le_bytes());
    payload[36] = 1; // a sphere of radius 4
    payload[40..44].copy_from_slice(&4_f32.to_le_bytes());
    payload[92] = 2;
    payload[96] = 4;
    let bytes = wrap(&[0x500], chunk(0x504, &payload));
    let file = read_sound(&bytes);
    let info: &EmitterInfo2 = innermost(&file).value().expect("a record");
    assert_eq!(info.creation_volume.class_id.name(), Some("SOLID_CYLINDER"));
    assert_eq!((info.creation_volume.value1.get(), info.creation_volume.value2.get()), (5.0, 2.0));
    assert_eq!((info.vel_random.class_id.name(), info.vel_random.value1.get()), (Some("SOLID_SPHERE"), 4.0));
    assert_eq!((info.render_mode.name(), info.frame_mode.name()), (Some("LINE"), Some("GRID_16X16")));
}

#[test]
fn emitter_user_data() {
    let layout = "0 u32 user_type; 4 u32 string_size; 8 u8[4] string_param";
    let payload = [&[7, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4][..], b"user\0"].concat();
    let bytes = wrap(&[0x500], chunk(0x502, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    check(node, "fields", 0, 0, layout);
    assert_eq!((slot(node, "text").start, node.text()), (12, Some(&b"user"[..])));
    // The usual one is the struct alone.
    let bytes = wrap(&[0x500], chunk(0x502, &[0; 12]));
    assert_eq!(innermost(&read_sound(&bytes)).slots().count(), 1);
}

#[test]
fn emitter_properties() {
    let layout = "0 u32 color_keyframes; 4 u32 opacity_keyframes; 8 u32 size_keyframes; 12 rgba color_random;
        16 f32 opacity_random; 20 f32 size_random; 24 u32[4] reserved";
    let mut payload = body(layout, 40, 1);
    for (at, count) in [(0, 1_u32), (4, 1), (8, 7)] {
        payload[at..at + 4].copy_from_slice(&count.to_le_bytes());
    }
    let key = "0 f32 time; 4 f32 value";
    payload.extend((0..9).flat_map(|at| body(key, 8, 2 * at)));
    assert_eq!(payload.len(), 112, "40 + 8 * (1 + 1 + 7): a real file's size");
    let bytes = wrap(&[0x500], chunk(0x505, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    check(node, "fields", 0, 0, layout);
    check(node, "colors", 0, 40, "0 f32 time; 4 rgba color");
    check(node, "opacities", 0, 48, key);
    for element in 0..7 {
        check(node, "sizes", element, 56 + 8 * element, key);
    }
    assert_eq!(field(node, "sizes", 6, "time"), "256.5", "the ninth key's first value is 16 * 16 + 0.5");
}

#[test]
fn emitter_keys_after_a_header() {
    for (id, header, layout) in [
        (0x50A, 16, "0 u32 keyframe_count; 4 f32 random; 8 f32 orientation_random; 12 u32 reserved"),
        (0x50B, 16, "0 u32 keyframe_count; 4 f32 random; 8 u32[2] reserved"),
        (0x50C, 12, "0 u32 keyframe_count; 4 f32 random; 8 u32 reserved"),
    ] {
        let key = "0 f32 time; 4 f32 value";
        let mut payload = body(layout, header, 1);
        payload[..4].copy_from_slice(&1_u32.to_le_bytes());
        payload.extend([body(key, 8, 4), body(key, 8, 8)].concat());
        let bytes = wrap(&[0x500], chunk(id, &payload));
        let file = read_sound(&bytes);
        let node = innermost(&file);
        check(node, "fields", 0, 0, layout);
        for element in 0..2 {
            // One more than the count: the start key comes first.
            check(node, "keys", element, header + 8 * element, key);
        }
        assert_eq!(field(node, "keys", 0, "time"), "64.5");
        // Earth & Beyond leaves out all keys.
        let bytes = wrap(&[0x500], chunk(id, &payload[..header]));
        assert_eq!(innermost(&read_sound(&bytes)).slots().count(), 1);
    }
}

#[test]
fn aggregates() {
    record(&[0x600], 0x601, "AGGREGATE_HEADER", 20, "0 u32 version; 4 char[16] name");
    record(
        &[0x600],
        0x604,
        "AGGREGATE_CLASS_INFO",
        20,
        "0 u32 original_class_id; 4 u32 flags; 8 u32[3] reserved",
    );
    let layout = "0 char[32] base_model_name; 32 u32 subobject_count";
    let part = "0 char[32] subobject_name; 32 char[32] bone_name";
    let mut payload = body(layout, 36, 1);
    payload[32..].copy_from_slice(&2_u32.to_le_bytes());
    payload.extend([body(part, 64, 10), body(part, 64, 20)].concat());
    let bytes = wrap(&[0x600], chunk(0x602, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    check(node, "fields", 0, 0, layout);
    check(node, "subobjects", 0, 36, part);
    check(node, "subobjects", 1, 100, part);
    assert_eq!(field(node, "subobjects", 1, "bone_name"), "\"N21\"");
}

#[test]
fn texture_replacer() {
    let layout = "0 char[32][15] mesh_path; 480 char[32][15] bone_path; 960 char[260] old_texture_name;
        1220 char[260] new_texture_name; 1480 texinfo texture_params";
    let one = |seed: u8| {
        let mut record = vec![0; 1492];
        for (index, offset) in [0, 448, 480, 928, 960, 1220].into_iter().enumerate() {
            record[offset] = b'A' + seed + index as u8;
        }
        record[1484] = seed + 1;
        record
    };
    let payload = [vec![2, 0, 0, 0], one(0), one(10)].concat();
    let bytes = wrap(&[0x600], chunk(0x603, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    assert_eq!(shown(node, "count"), ["2"]);
    check(node, "replacers", 0, 4, layout);
    check(node, "replacers", 1, 1496, layout);
    let path = field(node, "replacers", 1, "mesh_path");
    assert!(path.starts_with(r#"["K", "", "#) && path.ends_with(r#", "L"]"#), "{path}");
    assert_eq!(field(node, "replacers", 1, "new_texture_name"), "\"P\"");
    let info = field(node, "replacers", 1, "texture_params");
    assert_eq!(info, r#"{"attributes": [], "anim_type": "LOOP", "frame_count": 11, "frame_rate": 0.0}"#);
}

#[test]
fn hlods() {
    record(
        &[0x700],
        0x701,
        "HLOD_HEADER",
        40,
        "0 u32 version; 4 u32 lod_count; 8 char[16] name; 24 char[16] hierarchy_name",
    );
    for list in [0x702, 0x705, 0x706, 0x707] {
        let parents = &[0x700, list];
        record(parents, 0x703, "HLOD_SUB_OBJECT_ARRAY_HEADER", 8, "0 u32 model_count; 4 f32 max_screen_size");
        record(parents, 0x704, "HLOD_SUB_OBJECT", 36, "0 u32 bone_index; 4 char[32] name");
    }
    // In four of five real files, the bytes after the NUL are uninitialised memory of the exporter.
    let bytes = wrap(&[0x700, 0x702], chunk(0x704, &[&[3, 0, 0, 0][..], b"A.B\0", &[0xCD; 28]].concat()));
    let file = read_sound(&bytes);
    let object: &HlodSubObject = innermost(&file).value().expect("a record");
    assert_eq!((object.bone_index.get(), object.name.to_string()), (3, "A.B".to_owned()));
    assert_eq!(innermost(&file).label().as_deref(), Some("A.B"));
}

#[test]
fn simple_objects() {
    record(
        &[],
        0x740,
        "BOX",
        68,
        "0 u32 version; 4 u32 attributes; 8 char[32] name; 40 rgb color; 44 f32[3] center; 56 f32[3] extent",
    );
    record(&[], 0x750, "NULL_OBJECT", 48, "0 u32 version; 4 u32 attributes; 8 u32[2] pad; 16 char[32] name");
    string(&[0x900], 0x901, "DAZZLE_NAME");
    string(&[0x900], 0x902, "DAZZLE_TYPENAME");
    record(
        &[0xA00],
        0xA01,
        "SOUNDROBJ_HEADER",
        56,
        "0 u32 version; 4 char[16] name; 20 u32 flags; 24 u32[8] padding",
    );
}

/// The same for both: an ordinary chunk per channel, a chunk 0x03150809 in it, a micro-chunk of id 1 per key.
fn check_channel(effect: u32, id: u32, name: &str, key_size: usize, layout: &str) {
    let keys = [body(layout, key_size, 1), body(layout, key_size, 9)];
    let micros = [micro(1, &keys[0]), micro(1, &keys[1])].concat();
    let bytes = container(effect, &container(id, &chunk(0x0315_0809, &micros)));
    let file = read_sound(&bytes);
    let channel = &file.root.children()[0].children()[0];
    assert_eq!(channel.name(), name);
    let variables = &channel.children()[0];
    assert_eq!((variables.name().as_ref(), variables.children().len()), ("VARIABLES", 2));
    for key in variables.children() {
        assert_eq!((key.name().as_ref(), key.id), ("KEY", 1));
        check(key, "fields", 0, 0, layout);
    }
}

#[test]
fn spheres_and_rings() {
    let start = "0 u32 version; 4 u32 attributes; 8 char[32] name; 40 f32[3] center; 52 f32[3] extent; 64 f32 anim_duration;
        68 f32[3] default_color; 80 f32 default_alpha";
    record(
        &[0x741],
        1,
        "SPHERE_DEF",
        164,
        &format!(
            "{start}; 84 f32[3] default_scale; 96 alphavector default_vector; 116 char[32] texture_name; 148 shader shader"
        ),
    );
    record(
        &[0x742],
        1,
        "RING_DEF",
        168,
        &format!(
            "{start}; 84 f32[2] default_inner_scale; 92 f32[2] default_outer_scale; 100 f32[2] inner_extent;
             108 f32[2] outer_extent; 116 char[32] texture_name; 148 shader shader; 164 i32 texture_tile_count"
        ),
    );
    let (float, two, three) =
        ("0 f32 value; 4 f32 time", "0 f32[2] value; 8 f32 time", "0 f32[3] value; 12 f32 time");
    check_channel(0x741, 2, "COLOR_CHANNEL", 16, three);
    check_channel(0x741, 3, "ALPHA_CHANNEL", 8, float);
    check_channel(0x741, 4, "SCALE_CHANNEL", 16, three);
    check_channel(0x741, 5, "VECTOR_CHANNEL", 24, "0 alphavector value; 20 f32 time");
    check_channel(0x742, 2, "COLOR_CHANNEL", 16, three);
    check_channel(0x742, 3, "ALPHA_CHANNEL", 8, float);
    check_channel(0x742, 4, "INNER_SCALE_CHANNEL", 12, two);
    check_channel(0x742, 5, "OUTER_SCALE_CHANNEL", 12, two);
}

#[test]
fn spheres_and_rings_through_their_types() {
    let mut payload = vec![0; 168];
    for (at, value) in [(80, 0.5_f32), (84, 1.0), (92, 2.0), (96, 3.0), (112, 4.0)] {
        payload[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    payload[164..].copy_from_slice(&(-2_i32).to_le_bytes());
    let bytes =
        [container(0x741, &chunk(1, &payload[..164])), container(0x742, &chunk(1, &payload))].concat();
    let file = read_sound(&bytes);
    let sphere: &SphereDef = file.root.children()[0].children()[0].value().expect("a sphere");
    assert_eq!((sphere.default_alpha.get(), sphere.default_scale.get()), (0.5, [1.0, 0.0, 2.0]));
    assert_eq!(
        (sphere.default_vector.angle.get(), sphere.default_vector.intensity.get()),
        ([3.0, 0.0, 0.0, 0.0], 4.0)
    );
    let ring: &RingDef = file.root.children()[1].children()[0].value().expect("a ring");
    assert_eq!((ring.default_inner_scale.get(), ring.default_outer_scale.get()), ([1.0, 0.0], [2.0, 3.0]));
    assert_eq!((ring.outer_extent.get(), ring.texture_tile_count.get()), ([0.0, 4.0], -2));
    // An id that means something elsewhere means nothing in here.
    let bytes = container(0x741, &chunk(0x20, &[0; 32]));
    assert!(innermost(&read(&bytes)).is(&table::UNKNOWN));
}

/// One micro-chunk of a file by path, as text.
fn micro_text(file: &W3d<'_>, path: &str) -> String {
    let node = file.root.find(path).unwrap_or_else(|| panic!("{path} in {}", file.to_json()));
    let part = node.slots().next().unwrap_or_else(|| panic!("{path} is empty"));
    shown(node, part.slot.name).join(", ").trim_end_matches('\0').to_owned()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn sounds() {
    let mut micros = Vec::new();
    let mut expected = Vec::new();
    let mut put = |id: u8, name: &'static str, value: Vec<u8>, text: &str| {
        micros.extend(micro(id, &value));
        expected.push((name, text.to_owned()));
    };
    // In the order in which they are written (docs/formats/w3d/objects.md#sounds).
    put(3, "PRIORITY", floats(&[0.5]), "0.5");
    put(4, "VOLUME", floats(&[0.75]), "0.75");
    put(5, "PAN", floats(&[0.25]), "0.25");
    put(6, "LOOP_COUNT", (-1_i32).to_le_bytes().to_vec(), "-1");
    put(7, "DROP_OFF_RADIUS", floats(&[40.5]), "40.5");
    put(8, "MAX_VOL_RADIUS", floats(&[10.5]), "10.5");
    put(9, "TYPE", 3_i32.to_le_bytes().to_vec(), "3");
    put(10, "IS_3D", vec![1], "1");
    put(11, "FILENAME", b"boom.wav\0".to_vec(), "boom.wav");
    put(12, "DISPLAY_TEXT", b"Boom\0".to_vec(), "Boom");
    put(18, "START_OFFSET", floats(&[1.5]), "1.5");
    put(19, "PITCH_FACTOR", floats(&[2.5]), "2.5");
    put(20, "PITCH_FACTOR_RANDOMIZER", floats(&[3.5]), "3.5");
    put(21, "VOLUME_RANDOMIZER", floats(&[4.5]), "4.5");
    put(22, "VIRTUAL_CHANNEL", (-2_i32).to_le_bytes().to_vec(), "-2");
    put(13, "LOGICAL_TYPE_MASK", 5_i32.to_le_bytes().to_vec(), "5");
    put(14, "LOGICAL_NOTIF_DELAY", floats(&[5.5]), "5.5");
    put(15, "CREATE_LOGICAL_SOUND", vec![1], "1");
    put(16, "LOGICAL_DROP_OFF_RADIUS", floats(&[6.5]), "6.5");
    put(17, "SPHERE_COLOR", floats(&[0.25, 0.5, 0.75]), "[0.25, 0.5, 0.75]");
    let base = [micro(1, &0x1234_u32.to_le_bytes()), micro(3, b"Explosion\0")].concat();
    let definition = [chunk(0x100, &micros), container(0x200, &chunk(0x100, &base))].concat();
    let bytes = container(0xA00, &container(0xA02, &definition));
    let file = read_sound(&bytes);
    for (name, text) in expected {
        assert_eq!(
            micro_text(&file, &format!("SOUNDROBJ/SOUNDROBJ_DEFINITION/VARIABLES/{name}")),
            text,
            "{name}"
        );
    }
    let base = "SOUNDROBJ/SOUNDROBJ_DEFINITION/BASE_CLASS/VARIABLES";
    assert_eq!(micro_text(&file, &format!("{base}/INSTANCE_ID")), "4660");
    assert_eq!(micro_text(&file, &format!("{base}/NAME")), "Explosion");
}

/// A sub-mesh's shader of a class, with one chunk of variables.
fn shader(class: u32, id: u32, micros: &[Vec<u8>]) -> Vec<u8> {
    let definition = container(0xB42, &chunk(id, &micros.concat()));
    wrap(&[0xB00, 0xB20, 0xB40], [chunk(0xB41, &class.to_le_bytes()), definition].concat())
}

#[test]
fn shader_definitions() {
    const DEF: &str = "SHDMESH/SHDSUBMESH/SHDSUBMESH_SHADER/SHDSUBMESH_SHADER_DEF";
    let text = |text: &str| [text.as_bytes(), &[0]].concat();
    let color = |first: f32| floats(&[first, 0.5, 1.0]);
    let case = |class: u32, id: u32, name: &str, parts: &[(&str, Vec<u8>, &str)]| {
        let micros: Vec<_> =
            parts.iter().enumerate().map(|(index, (_, value, _))| micro(index as u8, value)).collect();
        let bytes = shader(class, id, &micros);
        let file = read_sound(&bytes);
        for (part, _, expected) in parts {
            assert_eq!(micro_text(&file, &format!("{DEF}/{name}/{part}")), *expected, "{name} {part}");
        }
    };
    // Every class has a name and a surface type.
    let wood = 7_u32.to_le_bytes().to_vec();
    for class in 0..=6 {
        let parts = [("NAME", text("Steel"), "Steel"), ("SURFACE_TYPE", wood.clone(), "\"WOOD\"")];
        case(class, 0x1649_0430, "SHADER_DEF_VARIABLES", &parts);
    }
    let texture = ("TEXTURE", text("a.tga"), "a.tga");
    let ambient = ("AMBIENT", color(0.0), "[0.0, 0.5, 1.0]");
    let diffuse = ("DIFFUSE", color(0.25), "[0.25, 0.5, 1.0]");
    let specular = ("SPECULAR", color(0.75), "[0.75, 0.5, 1.0]");
    let bump = ("BUMPMAP", text("b.tga"), "b.tga");
    let diffuse_bumpiness = ("DIFFUSE_BUMPINESS", floats(&[1.5, 2.5]), "[1.5, 2.5]");
    let specular_bumpiness = ("SPECULAR_BUMPINESS", floats(&[3.5, 4.5]), "[3.5, 4.5]");
    case(1, 0x1649_0450, "SIMPLE_VARIABLES", &[texture.clone(), ambient.clone(), diffuse.clone()]);
    case(
        4,
        0x1649_0450,
        "BUMPDIFF_VARIABLES",
        &[texture.clone(), bump.clone(), ambient.clone(), diffuse.clone(), diffuse_bumpiness.clone()],
    );
    case(
        3,
        0x1649_0450,
        "BUMPSPEC_VARIABLES",
        &[
            texture.clone(),
            bump,
            ambient.clone(),
            diffuse.clone(),
            specular.clone(),
            diffuse_bumpiness,
            specular_bumpiness,
        ],
    );
    let lit = [texture, ambient, diffuse, specular];
    case(2, 0x1649_0460, "GLOSSMASK_VARIABLES", &lit);
    case(5, 0x1649_0470, "CUBEMAP_VARIABLES", &lit);
}

#[test]
fn legacy_shader_definition() {
    let material =
        "0 u32 attributes; 4 rgb ambient; 8 rgb diffuse; 12 rgb specular; 16 rgb emissive; 20 f32 shininess;
        24 f32 opacity; 28 f32 translucency";
    let mut micros = vec![micro(0, &2_u32.to_le_bytes())];
    micros.extend((1..=4).map(|id| micro(id, &body(SHADER, 16, id.into()))));
    micros.extend((5..=8).map(|id| micro(id, &body(material, 32, id.into()))));
    let bytes = shader(6, 0x1107_0958, &micros);
    let file = read_sound(&bytes);
    let variables =
        file.root.find("SHDMESH/SHDSUBMESH/SHDSUBMESH_SHADER/SHDSUBMESH_SHADER_DEF/LEGACY_VARIABLES");
    let parts = variables.expect("variables").children();
    assert_eq!(shown(&parts[0], "value"), ["2"]);
    for (index, part) in parts.iter().enumerate().skip(1) {
        check(part, "fields", 0, 0, if index < 5 { SHADER } else { material });
    }
    // Texture attributes from 9 on, map channels from 17 on (docs/formats/w3d/shader-meshes.md#shader-definitions: shdlegacyw3d.cpp).
    let micros: Vec<_> = (9..=24).map(|id| micro(id, &(u32::from(id) | 0xFFFF_FF00).to_le_bytes())).collect();
    let bytes = shader(6, 0x1107_0958, &micros);
    let file = read_sound(&bytes);
    let variables =
        file.root.find("SHDMESH/SHDSUBMESH/SHDSUBMESH_SHADER/SHDSUBMESH_SHADER_DEF/LEGACY_VARIABLES");
    for (index, part) in variables.expect("variables").children().iter().enumerate() {
        let (name, value) = match index {
            0..8 => (format!("TEXTURE_ATTRIBUTES{index}"), (0xFFFF_FF09_u32 + index as u32).to_string()),
            _ => (format!("MAP_CHANNEL{}", index - 8), (-256 + 9 + index as i32).to_string()),
        };
        assert_eq!((part.name(), shown(part, "value")), (name.into(), vec![value]));
    }
    let bytes = shader(6, 0x1107_0958, &[micro(25, &[1, 2, 3])]);
    let file = read(&bytes);
    assert_eq!(innermost(&file).bytes(), [1, 2, 3]);
    assert_eq!(file.diagnostics()[0].code, "W3D-PART-001");
    for (index, id) in (0x1107_0959..=0x1107_0968).enumerate() {
        let bytes = wrap(&[0xB00, 0xB20, 0xB40, 0xB42], chunk(id, b"text\0"));
        let file = read_sound(&bytes);
        let name = if index < 8 {
            format!("LEGACY_TEXTURE{index}")
        } else {
            format!("LEGACY_MAPPER_ARGS{}", index - 8)
        };
        assert_eq!(innermost(&file).name(), name);
        assert_eq!(innermost(&file).text(), Some(&b"text"[..]));
    }
}
