//! glTF read back: what we write is the scene that it was written from, with extras and without, and other files become what they say.

use crate::gltf_scenes;
use crate::round_trip;
use glam::{Affine3A, Quat, Vec2, Vec3};
use meshwright_gltf::{
    GlobalSequences, Levels, NoTextures, Options, ReadError, ReadOptions, Visibility, no_files, read,
    write_glb, write_gltf,
};
use scene::*;
use serde_json::{Value, json};

/// Everything is written, so that everything can come back.
fn whole() -> Options {
    Options { levels: Levels::Separate, hidden_meshes: true, textures: false, ..Options::default() }
}

#[track_caller]
fn assert_comes_back(name: &str, scene: &Scene, options: &Options) {
    let glb = write_glb(scene, options, &mut NoTextures).unwrap_or_else(|error| panic!("{name}: {error}"));
    let import = read(&glb.bytes, &no_files, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let differences = round_trip::differences(scene, &import.scene);
    assert!(differences.is_empty(), "{name}:\n{}", differences.join("\n"));
}

#[test]
fn what_we_write_comes_back() {
    for (name, scene) in gltf_scenes::all() {
        // Numbers that are not finite, and triangles that are not there, are repaired.
        if name != "broken" {
            assert_comes_back(name, &scene, &whole());
        }
    }
}

#[test]
fn other_ways_of_writing_come_back_too() {
    for (name, scene) in gltf_scenes::all().into_iter().filter(|(name, _)| *name != "broken") {
        assert_comes_back(name, &scene, &Options { visibility: Visibility::Extension, ..whole() });
        assert_comes_back(name, &scene, &Options { scale: 0.01, ..whole() });
        assert_comes_back(name, &scene, &Options { curves: meshwright_gltf::Curves::Cubics, ..whole() });
        assert_comes_back(name, &scene, &Options { global_sequences: GlobalSequences::Bake, ..whole() });
    }
}

#[test]
fn pictures_come_back_by_the_names_of_textures() {
    let scene = gltf_scenes::materials();
    let options = Options { textures: true, ..whole() };
    let glb = write_glb(&scene, &options, &mut gltf_scenes::pictures).expect("it fits");
    let import = read(&glb.bytes, &no_files, &ReadOptions::default()).expect("our own file");
    assert_eq!(round_trip::differences(&scene, &import.scene), [""; 0]);
    assert!(!import.pictures.is_empty());
    for (name, bytes) in import.pictures.iter() {
        assert!(bytes.starts_with(b"\x89PNG") || bytes.starts_with(&[0xff, 0xd8]), "{name}");
        assert_eq!(import.pictures.get(name), Some(bytes));
    }
}

#[test]
fn the_samples_of_both_families_come_back() {
    for (name, scene) in round_trip::samples() {
        assert_comes_back(name, &scene, &whole());
    }
}

#[test]
fn without_extras_shape_and_motion_come_back() {
    for (name, scene) in gltf_scenes::all().into_iter().chain(round_trip::samples()) {
        if name == "broken" {
            continue;
        }
        let glb = write_glb(&scene, &whole(), &mut NoTextures).expect(name);
        let plain = ReadOptions { extras: false, ..ReadOptions::default() };
        let import = read(&glb.bytes, &no_files, &plain).expect(name);
        let differences = round_trip::differences_in_shape(&scene, &import.scene, &glb.report);
        assert!(differences.is_empty(), "{name}:\n{}", differences.join("\n"));
    }
}

#[test]
fn a_gltf_finds_its_files() {
    let (_, scene) = round_trip::samples().swap_remove(0);
    let written = write_gltf(&scene, &whole(), &mut NoTextures, "a crate").expect("it fits");
    let files = |path: &str| -> std::io::Result<Vec<u8>> {
        let found = written.files.iter().find(|(name, _)| name == path);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    };
    let import = read(&written.json, &files, &ReadOptions::default()).expect("all files are there");
    assert_eq!(round_trip::differences(&scene, &import.scene), [""; 0]);
    let error = read(&written.json, &no_files, &ReadOptions::default()).unwrap_err();
    assert!(
        matches!(&error, ReadError::File { pointer, path, .. } if pointer == "/buffers/0/uri" && path == "a crate.bin"),
        "{error}"
    );
}

/// A `.gltf` whose buffer is these numbers, as a data URI.
struct Draft {
    json: Value,
    bytes: Vec<u8>,
}

impl Draft {
    fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "Thing", "mesh": 0 }],
            "meshes": [{ "primitives": [{ "attributes": {} }] }],
            "accessors": [], "bufferViews": [], "buffers": [{}]
        });
        Self { json, bytes: Vec::new() }
    }

    /// Adds an accessor over these bytes and returns its place.
    fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8], more: Value) -> usize {
        let views = self.json["bufferViews"].as_array_mut().expect("a list");
        views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() }));
        let view = views.len() - 1;
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut accessor =
            json!({ "bufferView": view, "componentType": component, "count": count, "type": kind });
        accessor.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let accessors = self.json["accessors"].as_array_mut().expect("a list");
        accessors.push(accessor);
        accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, parts: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.accessor(kind, 5126, numbers.len() / parts, &bytes, json!({}))
    }

    fn attribute(&mut self, name: &str, accessor: usize) -> &mut Self {
        self.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
        self
    }

    fn triangle(&mut self) -> &mut Self {
        let accessor = self.floats("VEC3", 3, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        self.attribute("POSITION", accessor)
    }

    fn file(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let hex: String = self.bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
        json["buffers"][0] =
            json!({ "byteLength": self.bytes.len(), "uri": format!("data:application/octet-stream,{hex}") });
        serde_json::to_vec(&json).expect("plain data")
    }

    #[track_caller]
    fn scene(&self) -> Scene {
        read(&self.file(), &no_files, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")).scene
    }

    #[track_caller]
    fn error(&self) -> String {
        read(&self.file(), &no_files, &ReadOptions::default()).expect_err("it is broken").to_string()
    }
}

/// glTF's front is +Z, the scene's +X.
#[test]
fn a_foreign_model_is_turned_to_the_games_front() {
    let mut draft = Draft::new();
    let scene = draft.triangle().scene();
    assert_eq!(scene.nodes[0].name, "Thing");
    assert_eq!(scene.meshes[0].name, "Thing");
    let world = scene.rest_worlds()[0];
    assert!(world.transform_point3(Vec3::Z).abs_diff_eq(Vec3::X, 1e-6));
    assert!(world.transform_point3(Vec3::Y).abs_diff_eq(Vec3::Y, 1e-6));
    let half = ReadOptions { scale: Some(0.5), ..ReadOptions::default() };
    let scene = read(&draft.file(), &no_files, &half).expect("valid").scene;
    // A metre is two units.
    assert_eq!(scene.meshes[0].positions[1], Vec3::new(0.0, 0.0, 2.0));
    assert_eq!(scene.nodes[0].rest.scale, Vec3::ONE);
}

#[test]
fn quantised_and_normalised_numbers_are_read() {
    let mut draft = Draft::new();
    let positions: Vec<u8> =
        [0_i16, 0, 0, 0, 0, 0, 5, 0, 0, 7, 0, 0].iter().flat_map(|part| part.to_le_bytes()).collect();
    draft.json["bufferViews"] = json!([]);
    let position = draft.accessor("VEC3", 5122, 3, &positions, json!({}));
    draft.json["bufferViews"][0]["byteStride"] = json!(8);
    let normals =
        draft.accessor("VEC3", 5120, 3, &[0, 127, 0, 0, 129, 0, 127, 0, 0], json!({ "normalized": true }));
    let uvs = draft.accessor("VEC2", 5121, 3, &[0, 255, 51, 0, 0, 102], json!({ "normalized": true }));
    draft.attribute("POSITION", position).attribute("NORMAL", normals).attribute("TEXCOORD_0", uvs);
    let mesh = &draft.scene().meshes[0];
    assert_eq!(mesh.positions[1], Vec3::new(0.0, 0.0, 5.0));
    assert_eq!(mesh.normals, [Vec3::Y, Vec3::NEG_Y, Vec3::X]);
    assert!(mesh.uv_sets[0][1].abs_diff_eq(Vec2::new(0.2, 0.0), 1e-6));
}

#[test]
fn sparse_accessors_change_zeros_or_a_view() {
    let mut draft = Draft::new();
    draft.triangle();
    let places = draft.accessor("SCALAR", 5121, 2, &[0, 2], json!({}));
    let values = draft.floats("VEC3", 3, &[1.0, 0.0, 0.0, 9.0, 8.0, 7.0]);
    draft.json["accessors"][0]["sparse"] = json!({
        "count": 2,
        "indices": { "bufferView": places, "componentType": 5121 },
        "values": { "bufferView": values }
    });
    let positions = draft.scene().meshes[0].positions.clone();
    assert_eq!(positions, [Vec3::X, Vec3::Z, Vec3::new(9.0, 8.0, 7.0)]);
    draft.json["accessors"][0].as_object_mut().expect("an object").remove("bufferView");
    let positions = draft.scene().meshes[0].positions.clone();
    assert_eq!(positions, [Vec3::X, Vec3::ZERO, Vec3::new(9.0, 8.0, 7.0)]);
    draft.json["accessors"][0]["sparse"]["count"] = json!(1_000_000_000_u64);
    assert_eq!(draft.error(), "/accessors/0/sparse/count: 1000000000 changes of 3 elements");
}

#[test]
fn strips_and_fans_become_triangles() {
    let mut draft = Draft::new();
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 2.0, 2.0, 0.0];
    let accessor = draft.floats("VEC3", 3, &square);
    draft.attribute("POSITION", accessor);
    let triangles = |draft: &Draft| draft.scene().meshes[0].indices.iter().collect::<Vec<_>>();
    draft.json["meshes"][0]["primitives"][0]["mode"] = json!(5);
    assert_eq!(triangles(&draft), [0, 1, 2, 2, 1, 3, 2, 3, 4]);
    draft.json["meshes"][0]["primitives"][0]["mode"] = json!(6);
    assert_eq!(triangles(&draft), [0, 1, 2, 0, 2, 3, 0, 3, 4]);
    draft.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
    let import = read(&draft.file(), &no_files, &ReadOptions::default()).expect("valid");
    assert!(import.scene.meshes.is_empty());
    assert_eq!(import.report.notes[0].message, "lines dropped");
}

/// Two triangles that share positions, each with colours of its own.
#[test]
fn primitives_that_share_positions_keep_their_own_colours() {
    let mut draft = Draft::new();
    let corners = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0];
    let position = draft.floats("VEC3", 3, &corners);
    let red = draft.floats("VEC4", 4, &[1.0, 0.0, 0.0, 1.0].repeat(4));
    let blue = draft.floats("VEC4", 4, &[0.0, 0.0, 1.0, 1.0].repeat(4));
    let first = draft.accessor("SCALAR", 5121, 3, &[0, 1, 2], json!({}));
    let second = draft.accessor("SCALAR", 5121, 3, &[0, 2, 3], json!({}));
    draft.json["meshes"][0]["primitives"] = json!([
        { "attributes": { "POSITION": position, "COLOR_0": red }, "indices": first },
        { "attributes": { "POSITION": position, "COLOR_0": blue }, "indices": second },
    ]);
    let mesh = &draft.scene().meshes[0];
    let corner = |at: usize| mesh.indices.iter().nth(at).expect("six corners") as usize;
    let colors: Vec<[u8; 4]> = (0..6).map(|at| mesh.color_sets[0][corner(at)]).collect();
    assert_eq!(colors[..3], [[255, 0, 0, 255]; 3]);
    assert_eq!(colors[3..], [[0, 0, 255, 255]; 3]);
    assert_eq!(mesh.positions[corner(3)], Vec3::ZERO);
    assert_eq!(mesh.positions[corner(5)], Vec3::X);
}

/// glTF wants flat normals where a primitive has none.
#[test]
fn a_primitive_without_normals_beside_one_with_them_is_flat() {
    let mut draft = Draft::new();
    let corners = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    let position = draft.floats("VEC3", 3, &corners);
    let normal = draft.floats("VEC3", 3, &[0.0, 1.0, 0.0].repeat(3));
    let tangent = draft.floats("VEC4", 4, &[0.0, 0.0, 1.0, 1.0].repeat(3));
    // Two faces of a cube that share an edge.
    let box_corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let other = draft.floats("VEC3", 3, &box_corners);
    let faces = draft.accessor("SCALAR", 5121, 6, &[0, 1, 2, 0, 3, 1], json!({}));
    draft.json["meshes"][0]["primitives"] = json!([
        { "attributes": { "POSITION": position, "NORMAL": normal, "TANGENT": tangent } },
        { "attributes": { "POSITION": other }, "indices": faces },
    ]);
    let mesh = &draft.scene().meshes[0];
    let normals: Vec<Vec3> = mesh.indices.iter().map(|index| mesh.normals[index as usize]).collect();
    assert_eq!(normals[..3], [Vec3::Y; 3]);
    assert_eq!(normals[3..6], [Vec3::Z; 3]);
    assert_eq!(normals[6..], [Vec3::Y; 3]);
    // Tangents of a part of a mesh say nothing about the rest.
    assert!(mesh.tangents.is_empty());
}

#[test]
fn a_cubic_keeps_its_course() {
    let mut draft = Draft::new();
    draft.triangle();
    let input = draft.floats("SCALAR", 1, &[0.0, 2.0]);
    let zero = [0.0; 3];
    let output: Vec<f32> =
        [zero, [0.0; 3], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [4.0, 0.0, 0.0], zero].as_flattened().to_vec();
    let output = draft.floats("VEC3", 3, &output);
    draft.json["nodes"] = json!([{ "children": [1] }, { "name": "Thing", "mesh": 0 }]);
    draft.json["animations"] = json!([{
        "name": "Fly",
        "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }],
        "samplers": [{ "input": input, "output": output, "interpolation": "CUBICSPLINE" }]
    }]);
    let scene = draft.scene();
    assert_eq!((scene.clips[0].name.as_str(), scene.clips[0].duration), ("Fly", 2.0));
    let Some(Value3(value)) = scene.clips[0].channels[0].curve.sample(1.0).map(Value3::from) else {
        panic!("no value")
    };
    // glTF 2.0, C.4 at the middle: (p0 + p1) / 2 + td (m0 - m1) / 8.
    assert!(value.abs_diff_eq(Vec3::new(2.0 + 2.0 / 8.0, -6.0 / 8.0, 0.0), 1e-5), "{value}");
}

struct Value3(Vec3);

impl From<scene::Value> for Value3 {
    fn from(value: scene::Value) -> Self {
        match value {
            scene::Value::Vector(value) => Self(value),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn materials_become_layers() {
    let mut draft = Draft::new();
    draft.triangle();
    draft.json["images"] = json!([{ "uri": "textures/Wood%20Dark.png" }]);
    draft.json["samplers"] = json!([{ "wrapS": 33071 }]);
    draft.json["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    draft.json["materials"] = json!([{
        "name": "Wood",
        "pbrMetallicRoughness": {
            "baseColorFactor": [1.0, 0.5, 0.0, 0.25],
            "baseColorTexture": { "index": 0, "texCoord": 1, "extensions": { "KHR_texture_transform": { "scale": [2.0, 2.0] } } }
        },
        "alphaMode": "BLEND", "doubleSided": true, "extensions": { "KHR_materials_unlit": {} }
    }]);
    draft.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let import = read(&draft.file(), &no_files, &ReadOptions::default()).expect("valid");
    let layer = &import.scene.materials[0].layers[0];
    assert_eq!(
        (layer.blend, layer.two_sided, layer.unlit, layer.alpha),
        (BlendMode::Alpha, true, true, 0.25)
    );
    // 0.5 linear is 188 of 255 in sRGB.
    assert!((layer.color.y * 255.0 - 187.5).abs() < 0.6);
    assert_eq!((layer.slots[0].uv_set, &layer.slots[0].mapper), (1, &UvMapper::Scale(Vec2::splat(2.0))));
    assert_eq!(import.scene.textures[0].name, "Wood Dark.png");
    assert_eq!(
        (import.scene.textures[0].wrap_u, import.scene.textures[0].wrap_v),
        (Wrap::Clamp, Wrap::Repeat)
    );
    assert_eq!(import.scene.meshes[0].parts[0].material, Some(MaterialId(0)));
    // The picture is not there, which is no reason to refuse the model.
    assert_eq!(import.report.notes.len(), 1);
    assert_eq!(import.report.notes[0].kind, NoteKind::Missing);
}

#[test]
fn a_foreign_skin_lies_in_the_model_at_rest() {
    let mut draft = Draft::new();
    draft.triangle();
    let joints = draft.accessor("VEC4", 5121, 3, &[0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0], json!({}));
    let weights = draft.floats("VEC4", 4, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0]);
    draft.attribute("JOINTS_0", joints).attribute("WEIGHTS_0", weights);
    // An armature that is twice as large and lies one metre up; bones at 0 and 1 along its Z.
    let matrix = |z: f32| Affine3A::from_translation(Vec3::new(0.0, 0.0, -z));
    let binds: Vec<f32> =
        [matrix(0.0), matrix(1.0)].iter().flat_map(|bind| glam::Mat4::from(*bind).to_cols_array()).collect();
    let binds = draft.floats("MAT4", 16, &binds);
    draft.json["nodes"] = json!([
        { "name": "Armature", "translation": [0, 1, 0], "scale": [2, 2, 2], "children": [1, 3] },
        { "name": "Root", "children": [2] },
        { "name": "Tip", "translation": [0, 0, 1] },
        { "name": "Body", "mesh": 0, "skin": 0 }
    ]);
    draft.json["skins"] = json!([{ "joints": [1, 2], "inverseBindMatrices": binds }]);
    let scene = draft.scene();
    let names: Vec<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["Armature", "Root", "Tip"]);
    let mesh = &scene.meshes[0];
    assert_eq!((mesh.name.as_str(), mesh.node), ("Body", None));
    // Z is forward, so it becomes X.
    assert!(mesh.positions[1].abs_diff_eq(Vec3::new(2.0, 1.0, 0.0), 1e-5), "{:?}", mesh.positions);
    let mut deformed = Deformed::default();
    skin(mesh, &Sampler::new(&scene).pose(&Moment::default()), &mut deformed);
    for (position, rest) in deformed.positions.iter().zip(&mesh.positions) {
        assert!(position.abs_diff_eq(*rest, 1e-5));
    }
    assert_eq!(mesh.skin.as_ref().map(|skin| skin.of(2).len()), Some(2));
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let refused = |name: &str| {
        let mut draft = Draft::new();
        draft.triangle();
        draft.json["extensionsRequired"] = json!([name]);
        draft.error()
    };
    assert!(refused("KHR_draco_mesh_compression").contains("switch off Draco compression"));
    assert!(
        refused("EXT_meshopt_compression")
            .starts_with("/extensionsRequired/0: EXT_meshopt_compression is not supported")
    );
    assert!(refused("KHR_texture_basisu").contains("PNG or JPEG"));
    assert!(refused("ACME_unknown").contains("export without this extension"));
}

#[test]
fn errors_name_the_place() {
    let broken = |change: &dyn Fn(&mut Draft)| {
        let mut draft = Draft::new();
        draft.triangle();
        change(&mut draft);
        draft.error()
    };
    assert_eq!(
        broken(&|draft| draft.json["accessors"][0]["count"] = json!(4)),
        "/accessors/0/count: 4 elements do not fit into buffer view 0 of 36 bytes"
    );
    assert_eq!(
        broken(&|draft| draft.json["accessors"][0]["bufferView"] = json!(3)),
        "/accessors/0/bufferView: buffer view 3 does not exist"
    );
    assert_eq!(
        broken(&|draft| draft.json["nodes"] = json!([{ "children": [1] }, { "children": [0] }])),
        "/scenes/0/nodes/0: node 0 is not a root: it is a child of node 1"
    );
    assert_eq!(
        broken(&|draft| draft.json["nodes"][0]["mesh"] = json!("one")),
        "/nodes/0: invalid type: string \"one\", expected u32"
    );
    assert_eq!(
        broken(&|draft| draft.json["asset"] = json!({ "version": "1.0" })),
        "/asset/version: version 1.0 is not supported; export as glTF 2.0"
    );
}

#[test]
fn hostile_files_are_refused_quickly() {
    // Billions of zeros without a buffer.
    let mut draft = Draft::new();
    draft.json["accessors"] = json!([{ "componentType": 5126, "count": 4_000_000_000_u64, "type": "VEC3" }]);
    draft.attribute("POSITION", 0);
    assert!(draft.error().contains("more than"), "{}", draft.error());
    // One mesh in a thousand places, again and again.
    let mut draft = Draft::new();
    let many: Vec<f32> = vec![1.0; 3 * 30_000];
    let accessor = draft.floats("VEC3", 3, &many);
    draft.attribute("POSITION", accessor);
    draft.json["nodes"] = (0..2000).map(|_| json!({ "mesh": 0 })).collect();
    draft.json["scenes"][0]["nodes"] = (0..2000).collect();
    assert!(draft.error().contains("vertices"));
    // A chain of nodes as deep as the limit.
    let mut draft = Draft::new();
    draft.triangle();
    draft.json["nodes"] =
        (1..50_000).map(|child| json!({ "children": [child] })).chain([json!({ "mesh": 0 })]).collect();
    assert_eq!(draft.scene().nodes.len(), 50_000);
    // Brackets.
    let deep = format!("{{\"asset\":{{\"version\":\"2.0\",\"x\":{}", "[".repeat(1 << 20));
    assert!(read(deep.as_bytes(), &no_files, &ReadOptions::default()).is_err());
}

/// Files that were cut off or whose bytes were changed are read or refused, but nothing panics.
#[test]
fn damaged_files_do_no_harm() {
    let (_, scene) = round_trip::samples().swap_remove(0);
    let glb = write_glb(&scene, &whole(), &mut NoTextures).expect("it fits").bytes;
    for length in (0..glb.len()).step_by(97) {
        assert!(read(&glb[..length], &no_files, &ReadOptions::default()).is_err(), "{length}");
    }
    for at in (0..glb.len()).step_by(13) {
        let mut damaged = glb.clone();
        damaged[at] ^= 0x5a;
        let _ = read(&damaged, &no_files, &ReadOptions::default());
    }
}

/// What people change in another program wins over what extras say.
#[test]
fn changes_win_over_extras() {
    let (_, scene) = round_trip::samples().swap_remove(0);
    let glb = write_glb(&scene, &whole(), &mut NoTextures).expect("it fits").bytes;
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut json: Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
        change(&mut json);
        let mut text = serde_json::to_vec(&json).expect("plain data");
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = glb[..12].to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(text);
        bytes.extend(&glb[20 + length..]);
        read(&bytes, &no_files, &ReadOptions::default()).expect("valid").scene
    };
    let renamed = changed(&|json| json["nodes"][1]["name"] = json!("Lid"));
    assert_eq!(renamed.nodes[1].name, "Lid");
    let numbered = changed(&|json| {
        let name = json["nodes"][1]["name"].as_str().expect("a name").to_owned();
        json["nodes"][1]["name"] = json!(format!("{name}.001"));
    });
    assert_eq!(numbered.nodes[1].name, scene.nodes[1].name);
    let see_through = changed(&|json| {
        json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 1.0, 1.0, 0.5]);
        json["materials"][0]["alphaMode"] = json!("BLEND");
    });
    let was = &scene.materials[scene.meshes[0].parts[0].material.expect("a material").index()];
    let part = see_through.meshes[0].parts[0].material.expect("a material");
    let layer = &see_through.materials[part.index()].layers[0];
    assert_eq!(layer.blend, BlendMode::Alpha);
    assert_eq!(layer.slots, was.layers[0].slots);
    let moved = changed(&|json| json["nodes"][1]["translation"] = json!([5.0, 6.0, 7.0]));
    assert_eq!(moved.nodes[1].rest.translation, Vec3::new(5.0, 6.0, 7.0));
    // A scene's extras as Blender hands them on.
    let python = changed(&|json| {
        let text = json["scenes"][0]["extras"]["meshwright"].to_string();
        let text = text
            .replace(":true", ": True")
            .replace(":false", ": False")
            .replace(":null", ": None")
            .replace('"', "'");
        json["scenes"][0]["extras"]["meshwright"] = json!(text);
    });
    assert_eq!(python.textures, scene.textures);
    assert_eq!(python.clips[0].frame_rate, scene.clips[0].frame_rate);
    let turned = changed(&|json| {
        let root = json["nodes"].as_array().expect("a list").len() - 1;
        json["nodes"][root]["rotation"] = json!([0.0, 0.0, 0.0, 1.0]);
    });
    let turn = turned.rest_worlds()[0].matrix3 * scene.rest_worlds()[0].matrix3.inverse();
    assert!(Quat::from_mat3a(&turn).dot(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)).abs() > 0.9999);
}
