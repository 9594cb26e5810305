//! Extras, field by field: each thing is written under its name if it says something, and not at all if it does not.

use glam::{Quat, Vec3};
use meshwright_gltf::{Levels, Options};
use scene::*;
use serde_json::{Value, json};

use crate::gltf_read::Read;
use crate::gltf_scenes::{self, clip, node, tetrahedron, turn};

fn bounds(size: f32) -> Bounds {
    Bounds { min: Vec3::ZERO, max: Vec3::splat(size), center: Vec3::splat(size / 2.0), radius: size }
}

fn bounds_json(size: f32) -> Value {
    let half = size / 2.0;
    json!({ "min": [0.0, 0.0, 0.0], "max": [size, size, size], "center": [half, half, half], "radius": size })
}

/// The same with every number as a float, however it is written.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

#[track_caller]
fn assert_same(found: &Value, wanted: &Value) {
    assert_eq!(plain(found), plain(wanted));
}

fn of_scene(scene: &Scene) -> Value {
    Read::plain(scene).at("/scenes/0/extras/meshwright").clone()
}

fn of_node(scene: &Scene, at: usize) -> Value {
    Read::plain(scene).at(&format!("/nodes/{at}/extras/meshwright")).clone()
}

/// Of the first mesh; null if there are none.
fn of_mesh(mesh: Mesh) -> Value {
    let scene = Scene { nodes: vec![node("One", None, [0.0; 3])], meshes: vec![mesh], ..Scene::default() };
    Read::plain(&scene).json["meshes"][0]["extras"]["meshwright"].clone()
}

#[test]
fn a_plain_node_has_its_place_only() {
    let scene = Scene {
        nodes: vec![node("One", None, [0.0; 3]), node("Two", Some(0), [0.0; 3])],
        ..Scene::default()
    };
    assert_same(&of_node(&scene, 0), &json!({ "index": 0 }));
    assert_same(&of_node(&scene, 1), &json!({ "index": 1 }));
}

#[test]
fn what_a_node_is_beyond_gltf() {
    let nodes = |change: fn(&mut Node)| {
        let mut one = node("One", None, [0.0; 3]);
        change(&mut one);
        of_node(&Scene { nodes: vec![one], ..Scene::default() }, 0)
    };
    assert_same(&nodes(|node| node.is_bone = true), &json!({ "index": 0, "bone": true }));
    assert_same(&nodes(|node| node.camera_anchored = true), &json!({ "index": 0, "camera_anchored": true }));
    assert_same(&nodes(|node| node.visible = false), &json!({ "index": 0, "visible": false }));
    assert_same(
        &nodes(|node| node.billboard = Billboard::Facing),
        &json!({ "index": 0, "billboard": "Facing" }),
    );
    assert_same(
        &nodes(|node| node.inherit = Inherit { scale: false, ..Inherit::ALL }),
        &json!({ "index": 0, "inherit": { "translation": true, "rotation": true, "scale": false } }),
    );
}

/// Names in glTF are made different from each other; the source's own stays in extras.
#[test]
fn a_name_is_kept_where_gltf_has_another() {
    let scene = Scene {
        nodes: vec![node("Same", None, [0.0; 3]), node("Same", None, [0.0; 3])],
        meshes: vec![tetrahedron("Twin", 0), tetrahedron("Twin", 1)],
        ..Scene::default()
    };
    let read = Read::plain(&scene);
    assert_eq!(read.at("/nodes/0/extras/meshwright").get("name"), None);
    assert_ne!(read.at("/nodes/1/name"), "Same");
    assert_eq!(read.at("/nodes/1/extras/meshwright/name"), "Same");
    assert_same(read.at("/meshes/0/extras/meshwright"), &json!({ "id": 0 }));
    assert_ne!(read.at("/meshes/1/name"), "Twin");
    assert_same(read.at("/meshes/1/extras/meshwright"), &json!({ "id": 1, "name": "Twin" }));
    // Blender would take the number of such a name for one of its own, and cuts long ones.
    let long = "x".repeat(70);
    let scene = Scene {
        nodes: vec![node("Gun.001", None, [0.0; 3]), node(&long, None, [0.0; 3])],
        ..Scene::default()
    };
    assert_same(&of_node(&scene, 0), &json!({ "index": 0, "name": "Gun.001" }));
    assert_same(&of_node(&scene, 1), &json!({ "index": 1, "name": long }));
}

#[test]
fn what_hangs_on_a_node_is_listed_there_with_its_place() {
    let scene = gltf_scenes::objects();
    let names = |at: usize| -> Vec<String> {
        of_node(&scene, at).as_object().expect("extras").keys().cloned().collect()
    };
    assert_eq!(names(0), ["index", "lights", "attachments"]);
    let hook = of_node(&scene, 1);
    for (list, ids) in [
        ("lights", &[0, 1, 2][..]),
        ("attachments", &[0]),
        ("events", &[0]),
        ("collision_shapes", &[0, 1]),
        ("emitters", &[0, 1, 2, 3]),
        ("primitives", &[0]),
        ("dazzles", &[0]),
        ("sounds", &[0]),
        ("ribbons", &[0]),
    ] {
        let found: Vec<u64> = hook[list]
            .as_array()
            .unwrap_or_else(|| panic!("no {list}"))
            .iter()
            .filter_map(|item| item["id"].as_u64())
            .collect();
        assert_eq!(found, ids, "{list}");
    }
    assert_eq!(of_node(&scene, 0)["lights"][0]["id"], 3);
    assert_eq!(of_node(&scene, 0)["attachments"][0]["id"], 1);
    assert_same(&hook["events"][0], &json!({ "id": 0, "node": 1, "name": "SNDxFOOT", "global": null }));
    assert_same(&hook["dazzles"][0], &json!({ "id": 0, "node": 1, "name": "Sun", "kind": "SUN" }));
    // A ribbon has no mesh that its material could be on.
    assert_eq!(hook["ribbons"][0]["look"]["name"], "Stripe");
    let bare = Scene { ribbons: vec![Ribbon::new(NodeId(1))], ..scene };
    assert_eq!(of_node(&bare, 1)["ribbons"][0].get("look"), None);
}

#[test]
fn what_a_mesh_is_beyond_gltf() {
    let mesh = |change: fn(&mut Mesh)| {
        let mut mesh = tetrahedron("Body", 0);
        change(&mut mesh);
        of_mesh(mesh)
    };
    assert_same(&mesh(|_| {}), &json!({ "id": 0 }));
    assert_same(&mesh(|mesh| mesh.casts_shadow = false), &json!({ "id": 0, "casts_shadow": false }));
    assert_same(&mesh(|mesh| mesh.unselectable = true), &json!({ "id": 0, "unselectable": true }));
    assert_same(&mesh(|mesh| mesh.selection_group = 1), &json!({ "id": 0, "selection_group": 1 }));
    assert_same(&mesh(|mesh| mesh.collision = CollisionMask(0b101)), &json!({ "id": 0, "collision": 0b101 }));
    assert_same(&mesh(|mesh| mesh.alpha = 0.5), &json!({ "id": 0, "alpha": 0.5 }));
    assert_same(&mesh(|mesh| mesh.color = Vec3::X), &json!({ "id": 0, "color": [1.0, 0.0, 0.0] }));
    // Two of wood, one of rock, one of wood.
    assert_same(
        &mesh(|mesh| mesh.surface_types = vec![3, 3, 7, 3]),
        &json!({ "id": 0, "surface_types": [[3, 2], [7, 1], [3, 1]] }),
    );
}

#[test]
fn bounds_of_clips_are_written_where_they_differ() {
    let with = |own: Option<Bounds>, clips: Vec<Bounds>| {
        of_mesh(Mesh { bounds: own, clip_bounds: clips, ..tetrahedron("Body", 0) })
    };
    assert_same(&with(Some(bounds(1.0)), vec![]), &json!({ "id": 0, "bounds": bounds_json(1.0) }));
    assert_same(
        &with(Some(bounds(1.0)), vec![bounds(1.0); 2]),
        &json!({ "id": 0, "bounds": bounds_json(1.0), "equal_clip_bounds": 2 }),
    );
    assert_same(
        &with(Some(bounds(1.0)), vec![bounds(1.0), bounds(2.0)]),
        &json!({ "id": 0, "bounds": bounds_json(1.0), "clip_bounds": [bounds_json(1.0), bounds_json(2.0)] }),
    );
    assert_same(&with(None, vec![bounds(2.0)]), &json!({ "id": 0, "clip_bounds": [bounds_json(2.0)] }));
}

#[test]
fn what_a_clip_is_beyond_gltf() {
    let still = |change: fn(&mut Clip)| {
        let quarter =
            Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(1.0))]);
        let mut one = clip("Walk", 1.0, vec![turn(0, quarter)]);
        change(&mut one);
        let scene = Scene { nodes: vec![node("One", None, [0.0; 3])], clips: vec![one], ..Scene::default() };
        of_scene(&scene)
    };
    let walk = |more: Value| {
        let mut walk = json!({ "index": 0, "duration": 1.0 });
        walk.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({ "clips": { "Walk": walk } })
    };
    assert_same(&still(|_| {}), &walk(json!({})));
    assert_same(&still(|clip| clip.looping = true), &walk(json!({ "looping": true })));
    assert_same(&still(|clip| clip.move_speed = 2.5), &walk(json!({ "move_speed": 2.5 })));
    assert_same(&still(|clip| clip.rarity = 0.5), &walk(json!({ "rarity": 0.5 })));
    assert_same(&still(|clip| clip.frame_rate = Some(30.0)), &walk(json!({ "frame_rate": 30.0 })));
    assert_same(&still(|clip| clip.source_start = Some(0.0)), &walk(json!({ "source_start": 0.0 })));
    assert_same(&still(|clip| clip.bounds = Some(bounds(1.0))), &walk(json!({ "bounds": bounds_json(1.0) })));
    // An event that is not in the scene's list has neither name nor node.
    assert_same(
        &still(|clip| clip.events = vec![EventKey { time: 0.5, event: EventId(9) }]),
        &walk(json!({ "events": [{ "time": 0.5, "event": 9 }] })),
    );
}

#[test]
fn clips_keep_their_places_and_names() {
    let scene = Scene {
        nodes: vec![node("One", None, [0.0; 3])],
        clips: vec![clip("Walk", 1.0, vec![]), clip("Walk", 2.0, vec![])],
        events: vec![Event { node: NodeId(0), name: "Step".into(), global: None }],
        ..Scene::default()
    };
    let extras = of_scene(&scene);
    let clips = extras["clips"].as_object().expect("clips");
    assert_same(&clips["Walk"], &json!({ "index": 0, "duration": 1.0 }));
    let other = clips.iter().find(|(name, _)| *name != "Walk").expect("the second").1;
    assert_same(other, &json!({ "name": "Walk", "index": 1, "duration": 2.0 }));
    let mut with_event = scene;
    with_event.clips[0].events = vec![EventKey { time: 0.25, event: EventId(0) }];
    assert_same(
        &of_scene(&with_event)["clips"]["Walk"]["events"],
        &json!([{ "time": 0.25, "event": 0, "name": "Step", "node": 0 }]),
    );
}

#[test]
fn what_a_scene_is_beyond_gltf() {
    let one = || vec![node("One", None, [0.0; 3])];
    let plain = Read::plain(&Scene { nodes: one(), ..Scene::default() });
    assert_eq!(plain.at("/scenes/0").pointer("/extras/meshwright"), Some(&json!({})));
    let scene = Scene {
        name: "Tank".into(),
        nodes: one(),
        bounds: Some(bounds(2.0)),
        blend_time: 0.25,
        global_sequences: vec![GlobalSequence { duration: 2.0 }],
        ..Scene::default()
    };
    assert_same(
        &of_scene(&scene),
        &json!({
            "name": "Tank",
            "bounds": bounds_json(2.0),
            "blend_time": 0.25,
            "global_sequences": [{ "duration": 2.0 }],
        }),
    );
}

/// The finest level is shown. The others are separate nodes that say which one they are.
#[test]
fn levels_of_detail_say_which_one_they_are() {
    let scene = gltf_scenes::levels();
    let options = Options { levels: Levels::Separate, ..Options::default() };
    let read = Read::of(&scene, &options);
    let mut levels: Vec<u64> = read.json["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .filter_map(|node| node["extras"]["meshwright"]["level"].as_u64())
        .collect();
    levels.sort_unstable();
    levels.dedup();
    let expected: Vec<u64> = (1..scene.levels.len() as u64).collect();
    assert_eq!(levels, expected);
    assert_eq!(
        read.at("/scenes/0/extras/meshwright/levels").as_array().map(Vec::len),
        Some(scene.levels.len())
    );
}
