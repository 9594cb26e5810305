//! The JSON form: values that people can read, counts that nobody has to keep, and errors for what would be a broken file.

use meshwright_w3d::build::branch;
use meshwright_w3d::names::PropertyType;
use meshwright_w3d::records::{CompressedBitChannel, MeshHeader3, ShaderMaterialProperty};
use meshwright_w3d::table::{self, *};
use meshwright_w3d::{W3d, sample};
use record::{Node, U32};

/// The crate of the demonstration as text.
fn crate_text() -> (Vec<u8>, String) {
    let bytes = sample::crate_box();
    let text = W3d::parse(&bytes).expect("a file").to_json();
    (bytes, text)
}

fn error(text: &str) -> String {
    W3d::from_json(text).expect_err("a contradiction").to_string()
}

/// A text of one chunk, which stands where a file may have anything.
fn text_of(chunk: Node<'static>) -> String {
    W3d { root: Node::branch(&table::FILE, 0, vec![chunk]) }.to_json()
}

#[test]
fn counts_are_computed_from_what_they_count() {
    let (bytes, text) = crate_text();
    for count in [
        "num_tris",
        "num_vertices",
        "pass_count",
        "shader_count",
        "texture_count",
        "num_pivots",
        "lod_count",
        "model_count",
        "node_count",
    ] {
        assert!(!text.contains(&format!("\"{count}\"")), "{count} stands in {text}");
    }
    assert_eq!(W3d::from_json(&text).expect("the crate").to_bytes().expect("bytes"), bytes);

    // A triangle more, and nothing else to change.
    let start = text.find("\"triangles\": [").expect("triangles");
    let first = text[start..].find("{\"vindex\"").expect("a triangle") + start;
    let end = text[first..].find("}").expect("its end") + first + 1;
    let edited = format!("{},\n{}{}", &text[..end], &text[first..end], &text[end..]);
    // The collision tree refers to triangles and stays unchanged.
    let file = W3d::from_json(&edited).expect("one triangle more");
    let header =
        file.root.find("MESH[0]/MESH_HEADER3").and_then(Node::value::<MeshHeader3>).expect("a header");
    let (before, _) = crate_text();
    let before = W3d::parse(&before)
        .expect("a file")
        .root
        .find("MESH[0]/MESH_HEADER3")
        .and_then(|node| node.value::<MeshHeader3>().copied());
    assert_eq!(header.num_tris.get(), before.expect("a header").num_tris.get() + 1);
}

#[test]
fn a_count_that_contradicts_its_siblings_is_an_error_that_says_where() {
    let (bytes, text) = crate_text();
    let at = text.find("\"num_materials\"").expect("a field of the header");
    let wrong = format!("{}\"num_tris\": 3, {}", &text[..at], &text[at..]);
    let line = text[..at].matches('\n').count() + 1;
    let column = text[..at].rsplit('\n').next().expect("a line").len() + 1 + "\"num_tris\": ".len();
    let error = error(&wrong);
    for part in [
        "MESH[0] \"MWCRATE.BODY\"/MESH_HEADER3[0]",
        &format!("line {line}, column {column}"),
        "fields.num_tris: it says 3, but TRIANGLES has 12",
        "{\"stored\": 3}",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    // A wrong count in a file is kept.
    let kept = wrong.replace("\"num_tris\": 3", "\"num_tris\": {\"stored\": 3}");
    let damaged = W3d::from_json(&kept).expect("a wrong count, on purpose").to_bytes().expect("bytes");
    assert_ne!(damaged, bytes);
    let again = W3d::parse(&damaged).expect("a file").to_json();
    assert!(again.contains("\"num_tris\": {\"stored\": 3}"), "{again}");
    assert_eq!(W3d::from_json(&again).expect("the same").to_bytes().expect("bytes"), damaged);
    // The right number may stand there.
    let right = wrong.replace("\"num_tris\": 3", "\"num_tris\": 12");
    assert_eq!(W3d::from_json(&right).expect("the right count").to_bytes().expect("bytes"), bytes);
}

#[test]
fn lengths_of_strings_are_computed() {
    let property = ShaderMaterialProperty { property_type: PropertyType::TEXTURE, name_length: U32::new(8) };
    let body =
        [record::zerocopy::IntoBytes::as_bytes(&property), b"Diffuse\0", &6_u32.to_le_bytes(), b"a.tga\0"]
            .concat();
    let chunk = Node::leaf(&SHADER_MATERIAL_PROPERTY, SHADER_MATERIAL_PROPERTY.kind.id, body);
    let text = text_of(branch(&SHADER_MATERIAL, [chunk]));
    assert!(!text.contains("length"), "{text}");
    let longer = text.replace("a.tga", "longer.tga").replace("Diffuse", "DiffuseTexture");
    let file = W3d::from_json(&longer).expect("longer strings");
    let property = file.root.find("SHADER_MATERIAL/SHADER_MATERIAL_PROPERTY").expect("the property");
    assert_eq!(property.bytes()[4..8], 15_u32.to_le_bytes());
    assert_eq!(property.bytes()[8 + 15..][..4], 11_u32.to_le_bytes());
    assert!(property.bytes().ends_with(b"longer.tga\0"));
    let wrong = text.replace("\"texture\":", "\"texture_length\": 9, \"texture\":");
    assert!(error(&wrong).contains("texture_length: it says 9, but texture has 6"), "{}", error(&wrong));
}

#[test]
fn bits_and_marks_are_shown_as_such() {
    let bytes = sample::crate_box();
    let text = W3d::parse(&bytes).expect("a file").to_json();
    // Eleven frames, the last two of which are off.
    assert!(text.contains("\"bits\": [\"11111111\", \"10000000\"]"), "{text}");
    let channel = CompressedBitChannel { num_time_codes: U32::new(2), ..CompressedBitChannel::default() };
    let body = [
        record::zerocopy::IntoBytes::as_bytes(&channel),
        &0x8000_0000_u32.to_le_bytes(),
        &9_u32.to_le_bytes(),
    ]
    .concat();
    let chunk = Node::leaf(&COMPRESSED_BIT_CHANNEL, COMPRESSED_BIT_CHANNEL.kind.id, body.clone());
    let text = text_of(branch(&COMPRESSED_ANIMATION, [chunk]));
    assert!(text.contains("\"switches\": [\"0 ON\", 9]"), "{text}");
    for (from, to, expected) in [("9]", "\"9 ON\"]", 0x8000_0009_u32), ("9]", "2147483657]", 0x8000_0009)] {
        let file = W3d::from_json(&text.replace(from, to)).expect(to);
        let channel = file.root.find("COMPRESSED_ANIMATION/COMPRESSED_BIT_CHANNEL").expect("the channel");
        assert!(channel.bytes().ends_with(&expected.to_le_bytes()));
        assert_eq!(channel.values::<U32>().len(), 2, "programs read them as numbers");
    }
    assert!(error(&text.replace("9]", "\"9 OFF\"]")).contains("is not a Switch"));
}

/// Two names of one field of bits would give a third value.
#[test]
fn values_of_one_field_of_bits_exclude_one_another() {
    let (_, text) = crate_text();
    let flags = "\"COLLISION_PHYSICAL\"";
    assert!(text.contains(flags));
    let wrong = text.replacen(flags, "\"GEOMETRY_SKIN\", \"GEOMETRY_CAMERA_ALIGNED\"", 1);
    let error = error(&wrong);
    assert!(error.contains("GEOMETRY_CAMERA_ALIGNED and GEOMETRY_SKIN exclude one another"), "{error}");
    assert!(error.contains("MESH[0] \"MWCRATE.BODY\"/MESH_HEADER3[0]"), "{error}");
    // A bit that has a name, and the field as a number, may both be given.
    let both = text.replacen(flags, "\"COLLISION_PHYSICAL\", \"GEOMETRY_SKIN\"", 1);
    let file = W3d::from_json(&both).expect("flags");
    assert!(
        file.root
            .find("MESH[0]/MESH_HEADER3")
            .and_then(Node::value::<MeshHeader3>)
            .expect("a header")
            .is_skin()
    );
}

#[test]
fn a_name_that_is_almost_right_is_named() {
    let (_, text) = crate_text();
    for (from, to, hint) in [
        ("\"MESH_HEADER3\"", "\"MESH_HEADR3\"", "did you mean \"MESH_HEADER3\"?"),
        ("\"vertices\":", "\"vertexes\":", "did you mean \"vertices\"?"),
        ("\"COLLISION_PHYSICAL\"", "\"COLLISION_PHYSICS\"", "did you mean COLLISION_PHYSICAL?"),
    ] {
        let error = error(&text.replacen(from, to, 1));
        assert!(error.contains(hint) && error.contains("line ") && error.contains("MESH[0]"), "{error}");
    }
}

#[test]
fn minus_one_is_all_bits_of_a_word() {
    let ids = record::build(VERTEX_SHADE_INDICES, &[U32::new(u32::MAX), U32::new(7)][..]);
    let text = text_of(branch(&MESH, [ids]));
    assert!(text.contains("4294967295"), "{text}");
    let file = W3d::from_json(&text.replace("4294967295", "-1")).expect("-1");
    assert_eq!(
        file.root.find("MESH/VERTEX_SHADE_INDICES").expect("indices").values::<U32>()[0].get(),
        u32::MAX
    );
    assert!(error(&text.replace("4294967295", "-2")).contains("does not fit"));
}

/// Names of the engines' headers and of other documents are understood.
#[test]
fn chunks_have_other_names() {
    let (bytes, text) = crate_text();
    let other = text.replace("\"chunk\": \"MESH\"", "\"chunk\": \"W3D_CHUNK_MESH\"");
    assert_eq!(W3d::from_json(&other).expect("the same").to_bytes().expect("bytes"), bytes);
    let text = r#"{"format": "w3d", "children": [{"chunk": "MESH", "children": [
        {"chunk": "W3D_CHUNK_VERTICES_2", "vertices": [[1, 2, 3]]}, {"chunk": "W3D_CHUNK_NORMALS_2", "normals": [[0, 0, 1]]}]}]}"#;
    let file = W3d::from_json(text).expect("the names of a document");
    let ids: Vec<u32> = file.root.children()[0].children().iter().map(|child| child.id).collect();
    assert_eq!(ids, [0xC00, 0xC01]);
    // Emitter keys by the numbers that two documents give them.
    for (id, name) in [(0x510, "ROTATION"), (0x511, "FRAME"), (0x512, "BLUR_TIME")] {
        assert!(table::find(None, id).is_some_and(|row| row.kind.name.contains(name)), "{id:#x}");
    }
}
