//! Finding, changing, adding, removing and moving chunks; everything else stays as it was.

use crate::common::{chunk, container};
use meshwright_w3d::records::{HlodSubObject, MeshHeader3, Pivot, Triangle};
use meshwright_w3d::{W3d, build, codec, sample, table};
use record::{Chars, F32, Node, U32, Vec3};

fn parse(bytes: &[u8]) -> W3d<'_> {
    W3d::parse(bytes).expect("a sample")
}

fn bytes(file: &W3d<'_>) -> Vec<u8> {
    file.to_bytes().expect("nothing has grown too large")
}

/// The bytes of the file's own chunks, one by one.
fn parts(file: &W3d<'_>) -> Vec<Vec<u8>> {
    file.root.children().iter().map(|child| child.to_bytes().expect("small")).collect()
}

/// Which bytes differ between two files of one length.
fn differing(before: &[u8], after: &[u8]) -> Vec<usize> {
    assert_eq!(before.len(), after.len());
    (0..before.len()).filter(|index| before[*index] != after[*index]).collect()
}

#[test]
fn chunks_are_found_by_kind_and_by_path() {
    let original = sample::crate_box();
    let file = parse(&original);
    assert_eq!(file.root.all(&table::MESH).count(), 2);
    let lid = file.root.all(&table::MESH).nth(1).expect("a lid");
    assert!(lid.child(&table::MESH_HEADER3).is_some() && lid.child(&table::DEFORM).is_none());
    for path in
        ["MESH[1]/MESH_HEADER3", "mesh[1]/mesh_header3[0]", "/MESH[1] \"MWCRATE.LID\"/MESH_HEADER3[0]"]
    {
        let header =
            file.root.find(path).and_then(Node::value::<MeshHeader3>).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(header.mesh_name.to_string(), "LID");
    }
    for path in ["MESH[2]", "MESH/NOTHING", "MESH[x]", "MESH/MESH_HEADER3/VERTICES"] {
        assert!(file.root.find(path).is_none(), "{path}");
    }
    // Every path that is shown is found again, and leads to the same node.
    let mut count = 0;
    file.root.walk(&mut |place| {
        let found = file.root.find(&place.path()).unwrap_or_else(|| panic!("{}", place.path()));
        assert!(std::ptr::eq(found, place.node), "{}", place.path());
        assert_eq!(found.to_bytes().expect("small"), original[place.span.clone()]);
        count += 1;
    });
    assert!(count > 50);
}

#[test]
fn a_record_changes_in_place() {
    let original = sample::crate_box();
    let mut file = parse(&original);
    let header = file
        .root
        .find_mut("MESH[1]/MESH_HEADER3")
        .and_then(Node::value_mut::<MeshHeader3>)
        .expect("a header");
    header.sort_level.set(0x0102_0304);
    let after = bytes(&file);
    // The second mesh starts where the first ends; its header's body is 16 bytes on; the level is at 56.
    let start = parts(&parse(&original))[0].len() + 16 + 56;
    assert_eq!(differing(&original, &after), (start..start + 4).collect::<Vec<_>>());
    assert_eq!(after[start..start + 4], [4, 3, 2, 1]);
}

#[test]
fn an_array_changes_in_place() {
    let original = sample::crate_box();
    let mut file = parse(&original);
    let pivots = file.root.find_mut("HIERARCHY/PIVOTS").expect("pivots").values_mut::<Pivot>();
    assert_eq!(pivots.len(), 3);
    pivots[2].translation = Vec3::new(f32::from_bits(0x4142_4344), 0.0, pivots[2].translation.get()[2]);
    let after = bytes(&file);
    let changed = differing(&original, &after);
    assert_eq!(changed.len(), 4, "one float");
    assert_eq!(
        parse(&after).hierarchies().next().expect("a skeleton").pivots()[2].translation.get()[0].to_bits(),
        0x4142_4344
    );
    // A chunk that holds no such records gives none, and does not change.
    let vertices = file.root.find_mut("MESH/VERTICES").expect("vertices");
    assert!(vertices.values_mut::<Triangle>().is_empty() && vertices.value_mut::<MeshHeader3>().is_none());
    assert_eq!(bytes(&file), after);
}

#[test]
fn an_array_grows_and_sizes_follow() {
    let original = sample::crate_box();
    let mut file = parse(&original);
    let before = parts(&file);
    let mesh = file.root.child_mut(&table::MESH).expect("a mesh");
    let vertices = mesh.child_mut(&table::VERTICES).expect("vertices");
    let mut points = vertices.values::<Vec3>().to_vec();
    points.extend([Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]);
    vertices.set_values(&points).expect("an array of points");
    let after = parts(&file);
    assert_eq!(after[0].len(), before[0].len() + 24);
    assert_eq!(after[1..], before[1..], "the others are as they were");
    // The container's size word: its bit, and 24 more than it was.
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes[4..8].try_into().expect("four bytes"));
    assert_eq!(word(&after[0]), word(&before[0]) + 24);
    assert_eq!(word(&after[0]) & 0x8000_0000, 0x8000_0000);
    let written = bytes(&file);
    assert_eq!(parse(&written).meshes().next().expect("a mesh").vertices().len(), 26);
    assert_eq!(parse(&written).diagnostics(), []);
}

#[test]
fn chunks_are_added_removed_and_moved() {
    let original = sample::crate_box();
    let mut file = parse(&original);
    let before = parts(&file);
    // Added: a comment behind the header of the first mesh.
    let mesh = file.root.child_mut(&table::MESH).and_then(Node::children_mut).expect("a mesh");
    mesh.insert(1, build::text(&table::MESH_USER_TEXT, "hello").expect("plain text"));
    let after = parts(&file);
    assert_eq!(after[0].len(), before[0].len() + 8 + 6);
    // After the headers of mesh and mesh header and 116 bytes: the new chunk.
    assert_eq!(after[0][132..146], [0xC, 0, 0, 0, 6, 0, 0, 0, b'h', b'e', b'l', b'l', b'o', 0]);
    assert_eq!(after[0][8..132], before[0][8..132]);
    assert_eq!(after[0][146..], before[0][132..]);
    // Removed again: the same file.
    file.root.child_mut(&table::MESH).and_then(Node::children_mut).expect("a mesh").remove(1);
    assert_eq!(bytes(&file), original);
    // Moved: the skeleton to the front.
    let chunks = file.root.children_mut().expect("a file");
    let index = chunks.iter().position(|chunk| chunk.is(&table::HIERARCHY)).expect("a skeleton");
    let skeleton = chunks.remove(index);
    chunks.insert(0, skeleton);
    let mut expected = before.clone();
    let skeleton = expected.remove(index);
    expected.insert(0, skeleton);
    assert_eq!(bytes(&file), expected.concat());
    // From one file to another.
    let mut other = W3d::new();
    let taken = file.root.children_mut().expect("a file").remove(0).into_owned();
    other.root.children_mut().expect("a file").push(taken);
    assert_eq!(bytes(&other), before[index]);
}

#[test]
fn the_top_bit_stays_on_old_containers_and_is_set_on_new_ones() {
    // As before September 1999: no bit on the containers.
    let old =
        chunk(0x0, &[chunk(0xC, b"old\0"), chunk(0x30, &chunk(0x31, &chunk(0x32, b"a.tga\0")))].concat());
    let mut file = parse(&old);
    assert_eq!(bytes(&file), old);
    let mesh = file.root.children_mut().expect("a file")[0].children_mut().expect("a mesh");
    let name = build::text(&table::TEXTURE_NAME, "b.tga").expect("plain text");
    mesh[1].children_mut().expect("textures").push(build::branch(&table::TEXTURE, [name]));
    let new = container(0x31, &chunk(0x32, b"b.tga\0"));
    let textures = chunk(0x30, &[chunk(0x31, &chunk(0x32, b"a.tga\0")), new].concat());
    assert_eq!(bytes(&file), chunk(0x0, &[chunk(0xC, b"old\0"), textures].concat()));
    // An empty container has no bit, as with the exporters; with its first child it gets it.
    let empty = chunk(0x0, &[]);
    let mut file = parse(&empty);
    assert_eq!((bytes(&file), file.diagnostics()), (empty.clone(), vec![]));
    file.root.children_mut().expect("a file")[0]
        .children_mut()
        .expect("a mesh")
        .push(build::text(&table::MESH_USER_TEXT, "x").expect("plain text"));
    assert_eq!(bytes(&file), container(0x0, &chunk(0xC, b"x\0")));
    // Micro-chunks are not chunks: their parent does not have the bit.
    let channel = build::branch(
        &table::sphere::ALPHA_CHANNEL,
        [build::branch(
            &table::channel::float::VARIABLES,
            [build::record(&table::channel::float::keys::KEY, &meshwright_w3d::records::FloatKey::default())],
        )],
    );
    let variables = chunk(0x0315_0809, &[&[1, 8][..], &[0; 8]].concat());
    assert_eq!(channel.to_bytes().expect("small"), container(3, &variables));
}

#[test]
fn what_a_size_word_cannot_say_is_an_error() {
    // A micro-chunk has one byte for its size.
    let key = build::bytes(&table::channel::float::keys::KEY, vec![0; 256]);
    let error = build::branch(&table::channel::float::VARIABLES, [key]).to_bytes().expect_err("too long");
    assert_eq!(error.diagnostic().code, "RECORD-SIZE");
    assert!(build::text(&table::TEXTURE_NAME, "\u{4e2d}.tga").is_none(), "outside Windows-1252");
}

#[test]
fn edits_through_the_text_form() {
    let original = sample::crate_box();
    let file = parse(&original);
    let text = file.to_json();
    assert_eq!(text.matches("\"mwcrate.tga\"").count(), 2);
    let longer =
        W3d::from_json(&text.replace("\"mwcrate.tga\"", "\"mwcrate_snow.tga\"")).expect("a document");
    assert_eq!(bytes(&longer).len(), original.len() + 2 * 5);
    assert_eq!(
        longer.meshes().flat_map(|mesh| mesh.texture_names()).collect::<Vec<_>>(),
        ["mwcrate_snow.tga"; 2]
    );
    assert_eq!(longer.diagnostics(), []);
    // A mistake is told with its place.
    let error = W3d::from_json(&text.replace("\"sort_level\"", "\"sort_lvl\"")).expect_err("no such field");
    assert_eq!(error.diagnostic().path, "MESH[0] \"MWCRATE.BODY\"/MESH_HEADER3[0]", "{error}");
    assert!(
        error.diagnostic().message.contains("unknown field \"sort_lvl\"; did you mean \"sort_level\"?"),
        "{error}"
    );
    let line = text.lines().position(|line| line.contains("sort_level")).expect("a line") + 1;
    assert!(error.diagnostic().message.starts_with(&format!("line {line}, column ")), "{error}");
    // In the second mesh, by its name.
    let at = text.rfind("\"TRIANGLES\"").expect("the lid's");
    let wrong = format!("{}\"TRIANGELS\"{}", &text[..at], &text[at + 11..]);
    let error = W3d::from_json(&wrong).expect_err("no such chunk");
    assert_eq!(error.diagnostic().path, "MESH[1] \"MWCRATE.LID\"/TRIANGELS[0]", "{error}");
    assert!(error.diagnostic().message.contains("did you mean \"TRIANGLES\"?"), "{error}");
}

#[test]
fn text_that_contradicts_itself_does_not_compile() {
    let original = sample::every_chunk();
    let text = parse(&original).to_json();
    let refuse = |from: &str, to: &str, why: &str| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        let error = W3d::from_json(&text.replacen(from, to, 1)).expect_err(to);
        assert!(error.to_string().contains(why), "{error}");
    };
    // A record that is missing before its elements.
    let channel = text.find("\"ANIMATION_CHANNEL\", \"fields\": {").expect("a channel") + 21;
    let end = channel + text[channel..].find("},").expect("the end of its header") + 1;
    let error = W3d::from_json(&format!("{}{}", &text[..channel], &text[end + 1..])).expect_err("no header");
    assert!(error.to_string().contains("requires \"fields\" before it"), "{error}");
    refuse("\"VERTICES\", ", "\"VERTICES\", \"children\": [], ", "children or values, not both");
    refuse("\"VERTICES\", ", "\"VERTICES\", \"hex\": \"00\", \"hex\": \"00\", ", "duplicate key");
}

#[test]
fn views_of_the_crate() {
    let original = sample::crate_box();
    let file = parse(&original);
    let names: Vec<_> = file.meshes().map(|mesh| mesh.full_name()).collect();
    assert_eq!(names, ["MWCRATE.BODY", "MWCRATE.LID"]);
    let body = file.meshes().next().expect("a body");
    assert_eq!((body.vertices().len(), body.normals().len(), body.triangles().len()), (24, 24, 12));
    assert_eq!(body.textures().map(|texture| texture.name()).collect::<Vec<_>>(), ["mwcrate.tga"]);
    assert_eq!(body.texture_names(), ["mwcrate.tga"]);
    assert_eq!(body.vertex_materials().map(|material| material.name()).collect::<Vec<_>>(), ["Wood"]);
    assert_eq!(body.shaders().len(), 1);
    let skeleton = file.hierarchies().next().expect("a skeleton");
    assert_eq!(skeleton.name(), "MWCRATE");
    let pivots: Vec<_> =
        skeleton.pivots().iter().map(|pivot| (pivot.name.to_string(), pivot.parent())).collect();
    assert_eq!(
        pivots,
        [("ROOTTRANSFORM".to_owned(), None), ("BODY".to_owned(), Some(0)), ("LID".to_owned(), Some(1))]
    );
    let model = file.hlods().next().expect("a model");
    assert_eq!(model.header().map(|header| header.hierarchy_name.to_string()), Some("MWCRATE".to_owned()));
    let level = model.levels().next().expect("a level");
    assert_eq!(level.header().map(|header| header.max_screen_size.get()), Some(f32::MAX));
    let objects: Vec<_> =
        level.sub_objects().map(|object| (object.bone_index.get(), object.name.to_string())).collect();
    assert_eq!(
        objects,
        [(1, "MWCRATE.BODY".to_owned()), (2, "MWCRATE.LID".to_owned()), (0, "MWCRATE.BOUNDS".to_owned())]
    );
    assert_eq!(
        (model.levels().count(), model.aggregates().count(), model.proxies().count(), model.lights().count()),
        (1, 0, 0, 0)
    );
    let opening = file.animations().next().expect("an animation");
    assert_eq!((opening.name(), opening.hierarchy_name()), ("OPEN".to_owned(), "MWCRATE".to_owned()));
    assert_eq!((opening.num_frames(), opening.frame_rate()), (11, 15));
    let channels: Vec<_> = opening.channels().collect();
    assert_eq!(channels.iter().map(|channel| channel.pivot).collect::<Vec<_>>(), [2, 2]);
    let codec::Values::Bits { bits, .. } = &channels[1].values else { panic!("bits") };
    // 0xFF, then 0b001: nine frames seen, two not.
    assert_eq!(bits.iter().filter(|bit| **bit).count(), 9);
    assert!(!bits[9] && !bits[10]);
}

#[test]
fn levels_stand_in_stored_order() {
    // The coarsest first, the finest last (docs/formats/w3d/models.md#hlod), then what is attached.
    let object = |name: &str| {
        let record = HlodSubObject { bone_index: U32::new(1), name: Chars::new(name).expect("short") };
        build::record(&table::HLOD_SUB_OBJECT, &record)
    };
    let list = |row, size: f32, name: &str| {
        let header = meshwright_w3d::records::HlodArrayHeader {
            model_count: U32::new(1),
            max_screen_size: F32::new(size),
        };
        build::branch(row, [build::record(&table::HLOD_SUB_OBJECT_ARRAY_HEADER, &header), object(name)])
    };
    let model = build::branch(
        &table::HLOD,
        [
            list(&table::HLOD_LOD_ARRAY, 10.0, "A.FAR"),
            list(&table::HLOD_LOD_ARRAY, f32::MAX, "A.NEAR"),
            list(&table::HLOD_AGGREGATE_ARRAY, 0.0, "GUN"),
            list(&table::HLOD_PROXY_ARRAY, 0.0, "SPAWN"),
            list(&table::HLOD_LIGHT_ARRAY, 0.0, "LAMP"),
        ],
    );
    let bytes = model.to_bytes().expect("small");
    let file = parse(&bytes);
    let model = file.hlods().next().expect("a model");
    let first = |level: meshwright_w3d::HlodLevel<'_>| {
        level.sub_objects().next().expect("an object").name.to_string()
    };
    assert_eq!(model.levels().map(first).collect::<Vec<_>>(), ["A.FAR", "A.NEAR"]);
    assert_eq!(
        model.aggregates().chain(model.proxies()).chain(model.lights()).map(first).collect::<Vec<_>>(),
        ["GUN", "SPAWN", "LAMP"]
    );
}

#[test]
fn names_of_meshes_and_arguments_of_mappers() {
    // No dot without a container (docs/formats/w3d/names.md#full-names).
    let header = MeshHeader3 { mesh_name: Chars::new("ALONE").expect("short"), ..MeshHeader3::default() };
    let args = build::text(
        &table::VERTEX_MAPPER_ARGS1,
        "UPerSec=0.5\r\n; a comment\r\n VPerSec = -1.0 ; slow\r\nnothing\r\n",
    );
    let material = build::branch(&table::VERTEX_MATERIAL, [args.expect("plain text")]);
    let property = [&[1, 0, 0, 0, 4, 0, 0, 0][..], b"Tex\0", &[6, 0, 0, 0], b"n.dds\0"].concat();
    let mesh = build::branch(
        &table::MESH,
        [
            build::record(&table::MESH_HEADER3, &header),
            build::branch(&table::VERTEX_MATERIALS, [material]),
            build::branch(
                &table::SHADER_MATERIALS,
                [build::branch(
                    &table::SHADER_MATERIAL,
                    [build::bytes(&table::SHADER_MATERIAL_PROPERTY, property)],
                )],
            ),
        ],
    );
    let bytes = mesh.to_bytes().expect("small");
    let file = parse(&bytes);
    let mesh = file.meshes().next().expect("a mesh");
    assert_eq!(mesh.full_name(), "ALONE");
    assert_eq!(mesh.texture_names(), ["n.dds"]);
    let material = mesh.vertex_materials().next().expect("a material");
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(material.mapper_args(1), [pair("UPerSec", "0.5"), pair("VPerSec", "-1.0")]);
    assert!(material.mapper_args(0).is_empty());
}
