//! What Blender does to our files on the way, and what the reader makes of it: names of images without extension, no extras of images,
//! no extras at all, duplicate triangles gone, switches as constant scales.

use glam::{Quat, Vec3};
use meshwright_gltf::{NoTextures, Options, Picture, ReadOptions, no_files, read, write_glb};
use scene::*;
use serde_json::{Value, json};

use crate::gltf_scenes::{self, clip, node, tetrahedron};

fn json_length(glb: &[u8]) -> usize {
    u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize
}

fn json_of(glb: &[u8]) -> Value {
    serde_json::from_slice(&glb[20..20 + json_length(glb)]).expect("JSON")
}

/// The file with other JSON.
fn changed(glb: &[u8], change: impl Fn(&mut Value)) -> Vec<u8> {
    let mut json = json_of(glb);
    change(&mut json);
    let mut text = serde_json::to_vec(&json).expect("plain data");
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = glb[..12].to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend(&glb[20 + json_length(glb)..]);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn without_extras(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            fields.remove("extras");
            fields.values_mut().for_each(without_extras);
        }
        Value::Array(items) => items.iter_mut().for_each(without_extras),
        _ => {}
    }
}

/// As Blender's exporter leaves it with its default settings.
fn with_defaults(json: &mut Value) {
    without_extras(json);
    json["asset"]["generator"] = json!("Khronos glTF Blender I/O v5.0.21");
}

/// Images as Blender writes them: no extension, no extras.
fn with_cut_names(json: &mut Value) {
    json["asset"]["generator"] = json!("Khronos glTF Blender I/O v5.0.21");
    for image in json["images"].as_array_mut().into_iter().flatten() {
        let name = image["name"].as_str().expect("a name").to_owned();
        let cut = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        image["name"] = json!(cut);
        image.as_object_mut().expect("an object").remove("extras");
    }
}

/// A unit as Warcraft III has it: the player's colour below a skin, and the skin alone on a second mesh.
fn team_colored() -> Scene {
    let slot = |texture| TextureSlot { texture: Some(TextureId(texture)), ..TextureSlot::default() };
    let layer = |texture, blend| Layer { blend, slots: vec![slot(texture)], ..Layer::default() };
    let skin = layer(1, BlendMode::Alpha);
    let material = |layers: Vec<Layer>| Material { layers, ..Material::default() };
    let mesh = |name: &str, material: u32| Mesh {
        parts: vec![Part { material: Some(MaterialId(material)), start: 0, count: 12 }],
        ..tetrahedron(name, 0)
    };
    Scene {
        nodes: vec![node("Body", None, [0.0; 3])],
        meshes: vec![mesh("Armour", 0), mesh("Face", 1), mesh("Glow", 2)],
        textures: vec![
            Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() },
            Texture { name: r"Textures\Footman.blp".into(), ..Texture::default() },
        ],
        materials: vec![
            material(vec![layer(0, BlendMode::Opaque), skin]),
            material(vec![layer(1, BlendMode::Opaque)]),
            material(vec![layer(1, BlendMode::Additive)]),
        ],
        ..Scene::default()
    }
}

fn checkered(_: &str) -> Option<Picture> {
    let pixels = (0..16_u8).flat_map(|at| [at * 16, 255 - at * 16, 128, at * 17]).collect();
    Some(Picture::Image(texture::Image::new(4, 4, pixels).expect("sixteen pixels")))
}

#[test]
fn a_skin_is_the_original_picture_and_not_one_made_from_it() {
    let scene = team_colored();
    let glb = write_glb(&scene, &Options::default(), &mut checkered).expect("it fits").bytes;
    let images = json_of(&glb)["images"].as_array().expect("images").clone();
    let names: Vec<&str> = images.iter().map(|image| image["name"].as_str().expect("a name")).collect();
    // The skin below the player's colour, the skin itself, and the skin as light.
    assert_eq!(names, ["(derived 1) Footman", r"Textures\Footman.blp", "(derived 2) Footman"]);
    assert_eq!(images[2]["extras"]["meshwright"]["derived_from"], json!([r"Textures\Footman.blp"]));
    assert!(images[1].get("extras").is_none());
    for back in [glb.clone(), changed(&glb, with_cut_names)] {
        let import = read(&back, &no_files, &ReadOptions::default()).expect("our own file");
        assert_eq!(import.scene.textures, scene.textures);
        assert_eq!(import.scene.materials, scene.materials);
        let picture = import.pictures.get(r"Textures\Footman.blp").expect("it is there");
        let pixels = texture::Decoder::default().decode_top(picture).expect("a PNG").into_pixels();
        let Some(Picture::Image(original)) = checkered("") else { unreachable!() };
        assert_eq!(pixels, original.pixels());
    }
}

#[test]
fn a_computed_picture_alone_is_not_taken_for_the_texture() {
    let mut scene = team_colored();
    scene.meshes.truncate(1);
    let glb = write_glb(&scene, &Options::default(), &mut checkered).expect("it fits").bytes;
    let import = read(&changed(&glb, with_cut_names), &no_files, &ReadOptions::default()).expect("valid");
    assert_eq!(import.scene.textures, scene.textures);
    assert_eq!(import.pictures.get(r"Textures\Footman.blp"), None);
}

#[test]
fn what_the_game_supplies_comes_back_without_extras() {
    let mut scene = team_colored();
    scene.meshes.truncate(1);
    scene.materials[0].layers.truncate(1);
    scene.textures[0].replaceable = Some(Replaceable::TEAM_GLOW);
    let glb = write_glb(&scene, &Options::default(), &mut checkered).expect("it fits").bytes;
    let import = read(&changed(&glb, with_defaults), &no_files, &ReadOptions::default()).expect("valid");
    assert_eq!(import.scene.textures[0].replaceable, Some(Replaceable::TEAM_GLOW));
    assert_eq!(import.scene.textures[0].name, "");
}

#[test]
fn a_file_of_ours_without_extras_is_noted_with_the_setting() {
    let scene = team_colored();
    let glb = write_glb(&scene, &Options::default(), &mut checkered).expect("it fits").bytes;
    let notes = |bytes: &[u8], options: &ReadOptions| {
        let import = read(bytes, &no_files, options).expect("valid");
        let about = |note: &&Note| note.message.contains("Include > Custom Properties");
        import.report.notes.iter().filter(about).map(|note| note.kind).collect::<Vec<_>>()
    };
    let options = ReadOptions::default();
    assert_eq!(notes(&glb, &options), []);
    assert_eq!(notes(&changed(&glb, with_defaults), &options), [NoteKind::Skipped]);
    assert_eq!(notes(&changed(&glb, without_extras), &options), [NoteKind::Skipped]);
    // Whoever does not want extras misses none.
    assert_eq!(notes(&changed(&glb, with_defaults), &ReadOptions { extras: false, ..options.clone() }), []);
    // A file of another program.
    let foreign = changed(&glb, |json| {
        with_defaults(json);
        json["images"]
            .as_array_mut()
            .expect("images")
            .iter_mut()
            .for_each(|image| image["name"] = json!("a"));
        let root = json["nodes"].as_array().expect("nodes").len() - 1;
        json["nodes"][root]["rotation"] = json!([0.0, 0.0, 0.0, 1.0]);
    });
    assert_eq!(notes(&foreign, &options), []);
}

/// Shows a node for the whole of some clips.
fn shown(clips: &[(&str, bool)]) -> Scene {
    let shows = |at: u32, on: bool| Channel {
        target: Target::Node(NodeId(at), NodeProperty::Visibility),
        curve: Curve::Flag(Track::new(Interpolation::Step, [(0.0, on)])),
    };
    Scene {
        nodes: vec![node("Ruin", None, [1.0, 2.0, 3.0]), node("House", None, [0.0; 3])],
        meshes: vec![tetrahedron("Ruin", 0), tetrahedron("House", 1)],
        clips: clips.iter().map(|(name, on)| clip(name, 2.0, vec![shows(0, *on)])).collect(),
        ..Scene::default()
    }
}

#[test]
fn a_mesh_hidden_at_rest_and_shown_for_a_whole_clip_keeps_its_size() {
    for clips in [&[("Stand", false), ("Death", true)][..], &[("Stand", false), ("Walk", false)]] {
        let scene = shown(clips);
        let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits").bytes;
        let import = read(&changed(&glb, with_defaults), &no_files, &ReadOptions::default()).expect("valid");
        // Without extras a mesh is named after its node, which may have a number.
        let found =
            |name: &str| import.scene.meshes.iter().position(|mesh| mesh.name.starts_with(name)).expect(name);
        let back = Sampler::new(&import.scene);
        for (at, (_, on)) in clips.iter().enumerate() {
            let place =
                import.scene.clips.iter().position(|found| found.name == clips[at].0).expect("a clip");
            let pose = back.pose(&Moment { clip: Some(ClipId::from(place)), time: 1.0, ..Moment::default() });
            assert_eq!(pose.meshes[found("Ruin")].visible, *on, "{clips:?} {at}");
            assert!(pose.meshes[found("House")].visible);
            let mut deformed = Deformed::default();
            skin(&import.scene.meshes[found("Ruin")], &pose, &mut deformed);
            let size = deformed.positions[1].distance(deformed.positions[0]);
            assert!((size - 1.0).abs() < 1e-5, "{clips:?} {at}: {size}");
        }
    }
}

/// Blender samples a switch at every frame, as lines.
#[test]
fn a_sampled_switch_is_a_switch_and_growth_is_not() {
    let grown = |step: f32| {
        let keys = [(0.0, Vec3::ZERO), (1.0, Vec3::ZERO), (1.0 + step, Vec3::ONE), (2.0, Vec3::ONE)];
        let track = Track::new(Interpolation::Linear, keys);
        let mut scene = shown(&[]);
        scene.nodes[0].rest.scale = Vec3::ZERO;
        scene.clips.push(clip("Birth", 2.0, vec![gltf_scenes::stretch(0, track)]));
        let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits").bytes;
        let import = read(&changed(&glb, with_defaults), &no_files, &ReadOptions::default()).expect("valid");
        let node = import.scene.nodes.iter().find(|node| node.name == "Ruin").expect("a node").clone();
        (node, import.scene.clips[0].channels.clone())
    };
    let (node, channels) = grown(1.0 / 24.0);
    assert_eq!((node.visible, node.rest.scale), (false, Vec3::ONE));
    assert!(
        matches!(&channels[..], [Channel { curve: Curve::Flag(track), .. }] if track.values == [false, true])
    );
    let (node, channels) = grown(0.5);
    assert_eq!((node.visible, node.rest.scale), (true, Vec3::ZERO));
    assert!(matches!(&channels[..], [Channel { curve: Curve::Vector(_), .. }]));
}

#[test]
fn triangles_on_the_same_vertices_have_vertices_of_their_own() {
    let mut scene = team_colored();
    scene.meshes.truncate(1);
    let mesh = &mut scene.meshes[0];
    // The inside of the first two faces, and the first face once more.
    let doubled: Vec<u32> = mesh.indices.iter().chain([0, 1, 2, 0, 3, 1, 0, 2, 1]).collect();
    mesh.indices = doubled.into();
    mesh.parts[0].count = 21;
    // A vertex that is equal to another must not be taken for it.
    mesh.positions.push(Vec3::ZERO);
    mesh.normals.push(mesh.normals[0]);
    mesh.tangents.push(mesh.tangents[0]);
    mesh.uv_sets.iter_mut().for_each(|set| set.push(set[0]));
    mesh.color_sets[0].push([255, 128, 0, 255]);
    let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits").bytes;
    let plain = ReadOptions { extras: false, ..ReadOptions::default() };
    let written = read(&glb, &no_files, &plain).expect("valid").scene;
    let indices: Vec<u32> = written.meshes[0].indices.iter().collect();
    let mut sets: Vec<Vec<u32>> = indices.chunks(3).map(<[u32]>::to_vec).collect();
    sets.iter_mut().for_each(|corners| corners.sort_unstable());
    sets.sort();
    sets.dedup();
    assert_eq!(sets.len(), 7);
    assert_eq!(written.meshes[0].positions.len(), 5 + 4 + 3);
    // With extras, and from Blender, the original vertices come back.
    let back = read(&glb, &no_files, &ReadOptions::default()).expect("valid").scene;
    assert_eq!(back.meshes[0].indices, scene.meshes[0].indices);
    assert_eq!(back.meshes[0].positions, scene.meshes[0].positions);
    assert_eq!(back.meshes[0].tangents, scene.meshes[0].tangents);
    let blender =
        changed(&glb, |json| json["asset"]["generator"] = json!("Khronos glTF Blender I/O v5.0.21"));
    let back = read(&blender, &no_files, &ReadOptions::default()).expect("valid").scene;
    assert_eq!(back.meshes[0].positions, scene.meshes[0].positions[..4]);
    assert_eq!(back.meshes[0].indices, scene.meshes[0].indices);
}

#[test]
fn no_two_keys_are_closer_than_half_a_millisecond() {
    // A jump late in a long clip, and another right after it: the numbers there are 15 microseconds apart.
    let jumps = [(0.0, Vec3::ZERO), (200.0, Vec3::X), (200.0003, Vec3::Y), (201.0, Vec3::Z)];
    let track = Track::new(Interpolation::Step, jumps);
    let turns = [(0.0, Quat::IDENTITY), (200.0, Quat::from_rotation_x(0.3)), (201.0, Quat::IDENTITY)];
    let mut held = Track::new(Interpolation::Linear, turns);
    held.held_until = vec![false, true, false];
    let mut scene = team_colored();
    scene.clips.push(clip("Long", 202.0, vec![gltf_scenes::shift(0, track), gltf_scenes::turn(0, held)]));
    let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits").bytes;
    let json = json_of(&glb);
    let binary = &glb[28 + json_length(&glb)..];
    let mut checked = 0;
    for sampler in json["animations"][0]["samplers"].as_array().expect("samplers") {
        let accessor = &json["accessors"][sampler["input"].as_u64().expect("a number") as usize];
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().expect("a number") as usize];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let bytes = &binary[start..start + 4 * number(&accessor["count"])];
        let times: Vec<f32> =
            bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().expect("four"))).collect();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] > 4.2e-4), "{times:?}");
        checked += times.len();
    }
    assert!(checked > 4);
}

/// An arm of three bones that bends, bound so that triangles have three of them, shown in the middle of one clip and all through another.
fn arm() -> Scene {
    let mut mesh = Mesh { node: None, ..tetrahedron("Sleeve", 0) };
    let joint = |at: u32| Joint {
        node: NodeId(at),
        inverse_bind: glam::Affine3A::from_translation(Vec3::NEG_X * at as f32),
    };
    let mut skin = Skin { joints: (0..3).map(joint).collect(), ..Skin::default() };
    skin.push_equal(&[0]);
    skin.push_equal(&[1]);
    skin.push_equal(&[2]);
    skin.push_equal(&[0, 2]);
    mesh.skin = Some(skin);
    let shows = |keys: &[(f32, bool)]| Channel {
        target: Target::Mesh(MeshId(0), MeshProperty::Visibility),
        curve: Curve::Flag(Track::new(Interpolation::Step, keys.iter().copied())),
    };
    let bend = |node: u32, angle: f32| {
        let keys = [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(angle)), (2.0, Quat::IDENTITY)];
        gltf_scenes::turn(node, Track::new(Interpolation::Linear, keys))
    };
    Scene {
        name: "Arm".into(),
        nodes: vec![
            node("Upper", None, [0.0; 3]),
            node("Lower", Some(0), [1.0, 0.0, 0.0]),
            node("Hand", Some(1), [1.0, 0.0, 0.0]),
        ],
        meshes: vec![mesh],
        clips: vec![
            clip("Stand", 2.0, vec![bend(1, 0.8), shows(&[(0.0, true)])]),
            clip(
                "Birth",
                2.0,
                vec![bend(0, 0.4), bend(1, -1.2), shows(&[(0.0, false), (0.5, true), (1.5, false)])],
            ),
            clip("Decay", 2.0, vec![bend(2, 1.0), shows(&[(0.0, false)])]),
        ],
        ..Scene::default()
    }
}

#[test]
fn a_skinned_mesh_is_shown_and_hidden_by_children_of_its_joints() {
    let scene = arm();
    let written = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits");
    let json = json_of(&written.bytes);
    assert_eq!(written.report.fixed_visibility, 0);
    let name = |node: &Value| json["nodes"][node.as_u64().expect("a node") as usize]["name"].clone();
    let joints: Vec<Value> =
        json["skins"][0]["joints"].as_array().expect("joints").iter().map(name).collect();
    assert_eq!(joints, ["Switch Upper", "Switch Lower", "Switch Hand"]);
    // The material is as it is: nothing has to be made invisible.
    assert!(json.to_string().find("KHR_node_visibility").is_none());
    for animation in json["animations"].as_array().expect("animations") {
        let scales = animation["channels"].as_array().expect("channels").iter().filter(|channel| {
            channel["target"]["path"] == "scale"
                && name(&channel["target"]["node"]).as_str().is_some_and(|name| name.starts_with("Switch "))
        });
        assert_eq!(scales.count(), 3, "{}", animation["name"]);
    }
    let import = read(&written.bytes, &no_files, &ReadOptions::default()).expect("our own file");
    assert_eq!(import.scene.nodes, scene.nodes);
    assert_eq!(import.scene.meshes[0].skin, scene.meshes[0].skin);
    assert_same_visibility(&scene, &import.scene);
}

/// The same meshes show at the same times of the same clips.
#[track_caller]
fn assert_same_visibility(a: &Scene, b: &Scene) {
    let (before, after) = (Sampler::new(a), Sampler::new(b));
    for (index, clip) in a.clips.iter().enumerate() {
        let place = b.clips.iter().position(|found| found.name == clip.name).expect("the clip");
        for step in 0..20 {
            let time = clip.duration * (step as f32 + 0.5) / 20.0;
            let at = |index: usize| Moment { clip: Some(ClipId::from(index)), time, ..Moment::default() };
            let (before, after) = (before.pose(&at(index)), after.pose(&at(place)));
            for (mesh, state) in a.meshes.iter().zip(&before.meshes) {
                let twin = b.meshes.iter().position(|found| found.name == mesh.name).expect("the mesh");
                assert_eq!(state.visible, after.meshes[twin].visible, "{} {time} {}", clip.name, mesh.name);
            }
        }
    }
}

#[test]
fn without_extras_children_of_joints_are_the_joints_again() {
    let scene = arm();
    let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits").bytes;
    for back in [changed(&glb, without_extras), changed(&glb, with_defaults)] {
        let import = read(&back, &no_files, &ReadOptions::default()).expect("valid");
        let mut names: Vec<&str> = import.scene.nodes.iter().map(|node| node.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["Hand", "Lower", "Upper"]);
        assert_same_visibility(&scene, &import.scene);
        let sleeve = import.scene.meshes.iter().find(|mesh| mesh.name == "Sleeve").expect("the mesh");
        assert_eq!(sleeve.skin.as_ref().map(|skin| skin.joints.len()), Some(3));
    }
}

/// Children of joints that have gathered at rest are back at their joints while the mesh shows.
#[test]
fn a_mesh_that_is_hidden_at_rest_is_whole_in_the_clips_that_show_it() {
    let mut scene = arm();
    scene.clips.swap(0, 2);
    scene.clips[0].name = "Stand".into();
    scene.clips[2].name = "Walk".into();
    let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("it fits").bytes;
    let json = json_of(&glb);
    let binary = &glb[28 + json_length(&glb)..];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let floats = |accessor: &Value| -> Vec<f32> {
        let accessor = &json["accessors"][number(accessor)];
        let view = &json["bufferViews"][number(&accessor["bufferView"])];
        let width = if accessor["type"] == "VEC3" { 3 } else { 1 };
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let bytes = &binary[start..start + 4 * width * number(&accessor["count"])];
        bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().expect("four"))).collect()
    };
    let is_switch =
        |node: usize| json["nodes"][node]["name"].as_str().is_some_and(|name| name.starts_with("Switch "));
    let nodes = json["nodes"].as_array().expect("nodes").len();
    let mut gathered = 0;
    for node in (0..nodes).filter(|node| is_switch(*node)) {
        assert_eq!(json["nodes"][node]["scale"], json!([0.0, 0.0, 0.0]));
        gathered += usize::from(json["nodes"][node].get("translation").is_some());
        let walk =
            json["animations"].as_array().expect("animations").iter().find(|found| found["name"] == "Walk");
        let walk = walk.expect("the clip");
        let values = |path: &str| {
            let is_it = |found: &&Value| found["target"]["node"] == node && found["target"]["path"] == path;
            let channel = walk["channels"].as_array().expect("channels").iter().find(is_it)?;
            Some(floats(&walk["samplers"][number(&channel["sampler"])]["output"]))
        };
        assert!(values("scale").expect("a scale").iter().all(|value| *value == 1.0));
        let moved = values("translation");
        assert!(moved.is_none_or(|moved| moved.iter().all(|value| *value == 0.0)), "node {node}");
        // Nothing says so only where the child is at its joint at rest.
        assert!(values("translation").is_some() || json["nodes"][node].get("translation").is_none());
    }
    assert!(gathered >= 2, "{gathered} children are elsewhere at rest");
}
