//! What makes glTF look right in the programs that people use: names, rest poses, hidden parts, orientation, extras.

use glam::{Affine3A, Quat, Vec2, Vec3};
use meshwright_gltf::{GlobalSequences, Options, Source, write_glb};
use scene::*;
use serde_json::Value;
use std::collections::HashSet;
use std::f32::consts::{FRAC_PI_2, PI, TAU};

use crate::gltf_read::{Read, number, numbers};
use crate::gltf_scenes::{self, clip, node, shift, tetrahedron, turn};

fn still() -> Track<Vec3> {
    Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO)])
}

fn moving() -> Track<Vec3> {
    Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::X)])
}

fn alpha(mesh: u32, value: f32) -> Channel {
    let track = Track::new(Interpolation::Step, [(0.0, value)]);
    Channel { target: Target::Mesh(MeshId(mesh), MeshProperty::Alpha), curve: Curve::Scalar(track) }
}

/// A tetrahedron whose vertices follow two joints.
fn skinned(name: &str) -> Mesh {
    let joint = |node: u32| Joint { node: NodeId(node), inverse_bind: Affine3A::IDENTITY };
    let mut skin = Skin { joints: vec![joint(0), joint(1)], ..Skin::default() };
    for vertex in 0..4 {
        skin.push_equal(&[vertex % 2]);
    }
    Mesh { skin: Some(skin), ..tetrahedron(name, 0) }
}

fn names(read: &Read, list: &str) -> Vec<String> {
    let items = read.json[list].as_array().into_iter().flatten();
    items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn everything_has_a_unique_name() {
    let textured = |texture: u32| Layer {
        slots: vec![TextureSlot { texture: Some(TextureId(texture)), ..TextureSlot::default() }],
        ..Layer::default()
    };
    let material = |layer: Layer| Material { layers: vec![layer], ..Material::default() };
    let part = |material: u32| Part { material: Some(MaterialId(material)), start: 0, count: 12 };
    let scene = Scene {
        nodes: vec![node("Bone", None, [0.0; 3]), node("Bone", None, [0.0; 3]), node("", None, [0.0; 3])],
        meshes: (0..4).map(|at| Mesh { parts: vec![part(at)], ..tetrahedron("Hull", 0) }).collect(),
        materials: vec![
            material(textured(0)),
            material(textured(1)),
            material(textured(0)),
            material(Layer::default()),
        ],
        textures: [r"Textures\Footman.blp", "Art/gbdolamroth.tga"]
            .map(|name| Texture { name: name.into(), ..Texture::default() })
            .to_vec(),
        lights: (0..2).map(|_| Light::new(NodeId(0), LightKind::Point)).collect(),
        cameras: vec![Camera::default(), Camera::default()],
        clips: vec![
            clip("Walk", 1.0, vec![shift(0, moving())]),
            clip("Walk", 1.0, Vec::new()),
            Clip::default(),
        ],
        ..Scene::default()
    };
    let read = Read::of(&scene, &Options { textures: false, ..Options::default() });
    // A material is known by its picture.
    assert_eq!(names(&read, "materials"), ["Footman", "gbdolamroth", "Footman.001", "Material"]);
    assert_eq!(names(&read, "animations"), ["Walk", "Walk.001", "Animation"]);
    assert_eq!(names(&read, "meshes"), ["Hull", "Hull.001", "Hull.002", "Hull.003"]);
    assert_eq!(names(&read, "cameras"), ["Camera", "Camera.001"]);
    let lights = read.at("/extensions/KHR_lights_punctual/lights").as_array().expect("lights");
    assert_eq!((&lights[0]["name"], &lights[1]["name"]), (&"Bone".into(), &"Bone.001".into()));
    let nodes = names(&read, "nodes");
    assert_eq!(nodes.iter().collect::<HashSet<_>>().len(), nodes.len(), "{nodes:?}");
    // What was renamed keeps its name in extras.
    assert_eq!(read.at("/nodes/1/extras/meshwright/name"), "Bone");
    assert!(read.at("/nodes/0/extras/meshwright").get("name").is_none());
    assert_eq!(read.at("/meshes/1/extras/meshwright/name"), "Hull");
    assert_eq!(read.at("/scenes/0/extras/meshwright/clips/Walk.001/name"), "Walk");
}

#[test]
fn spaces_and_tabs_in_names_are_kept() {
    let scene = Scene {
        nodes: vec![node(" Bone\t ", None, [0.0; 3])],
        meshes: vec![tetrahedron("Hull ", 0)],
        ..Scene::default()
    };
    let read = Read::plain(&scene);
    assert_eq!((read.at("/nodes/0/name"), read.at("/meshes/0/name")), (&" Bone\t ".into(), &"Hull ".into()));
}

#[test]
fn the_front_is_plus_z_and_the_root_has_the_scale() {
    let mut scene = Scene {
        name: "Tank".into(),
        nodes: vec![node("Hull", None, [0.0; 3])],
        meshes: vec![tetrahedron("Hull", 0)],
        lights: vec![Light { attenuation: Some([1.0, 8.0]), ..Light::new(NodeId(0), LightKind::Point) }],
        cameras: vec![Camera { near: 2.0, far: 100.0, field_of_view: 1.0, ..Camera::default() }],
        ..Scene::default()
    };
    let read = Read::of(&scene, &Options { scale: 0.5, ..Options::default() });
    let root = &read.json["nodes"][read.node("Tank")];
    assert_eq!(read.at("/scenes/0/nodes").as_array().map(Vec::len), Some(1));
    // The games' front is +X.
    let front = Quat::from_slice(&numbers(&root["rotation"])) * Vec3::X;
    assert!(front.abs_diff_eq(Vec3::Z, 1e-6), "{front}");
    assert_eq!(numbers(&root["scale"]), [0.5; 3]);
    // Distances that nodes do not scale.
    assert_eq!(read.at("/extensions/KHR_lights_punctual/lights/0/range").as_f64(), Some(4.0));
    assert_eq!(read.at("/cameras/0/perspective/znear").as_f64(), Some(1.0));
    assert_eq!(read.at("/cameras/0/perspective/zfar").as_f64(), Some(50.0));
    // A model without a name has a root too.
    scene.name.clear();
    let read = Read::plain(&scene);
    assert!(read.json["nodes"][read.node("Model")].get("rotation").is_some());
}

#[test]
fn a_clip_keys_what_another_clip_moves_at_rest_from_its_start_to_its_end() {
    let scene = Scene {
        nodes: vec![node("A", None, [1.0, 2.0, 3.0]), node("B", None, [0.0; 3]), node("C", None, [0.0; 3])],
        clips: vec![
            clip("Walk", 1.0, vec![shift(0, moving()), shift(2, still())]),
            clip(
                "Turn",
                2.0,
                vec![turn(1, Track::new(Interpolation::Linear, [(0.0, Quat::from_rotation_y(0.3))]))],
            ),
        ],
        ..Scene::default()
    };
    let read = Read::plain(&scene);
    let (mode, times, values) = read.sampler(1, 0, "translation").expect("the rest of A in Turn");
    assert_eq!((mode.as_str(), &times[..]), ("STEP", &[0.0, 2.0][..]));
    assert_eq!(values, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    assert_eq!(read.sampler(1, 1, "rotation").expect("B in Turn").1, [0.0, 2.0]);
    let (_, times, values) = read.sampler(0, 1, "rotation").expect("the rest of B in Walk");
    assert_eq!((&times[..], &values[..]), (&[0.0, 1.0][..], &[0.0, 0.0, 0.0, 1.0].repeat(2)[..]));
    // Nothing moves C, so no clip says anything of it.
    assert!((0..2).all(|animation| read.sampler(animation, 2, "translation").is_none()));
}

#[test]
fn rest_keys_share_their_accessors() {
    let count = |clips: usize| {
        let mut scene = Scene {
            nodes: (0..10).map(|at| node(&format!("Node {at}"), None, [at as f32, 0.0, 0.0])).collect(),
            ..Scene::default()
        };
        scene.clips.push(clip("Move", 1.0, (0..10).map(|at| shift(at, moving())).collect()));
        scene.clips.extend((0..clips).map(|at| clip(&format!("Still {at}"), 1.0, Vec::new())));
        Read::plain(&scene).count("accessors")
    };
    assert_eq!(count(1), count(9));
}

#[test]
fn global_sequences_are_no_clips() {
    // Both may play at once, so neither keys what the other moves.
    let read = Read::plain(&gltf_scenes::global());
    assert!(read.sampler(read.animation("Lean"), 1, "rotation").is_none());
    assert!(read.sampler(read.animation("global 0"), 0, "rotation").is_none());
}

#[test]
fn animated_nodes_are_joints_of_a_skin_of_all_nodes() {
    let mut scene = gltf_scenes::rigid();
    let read = Read::plain(&scene);
    assert_eq!(read.count("skins"), 1);
    assert_eq!(read.at("/skins/0/joints"), &serde_json::json!([0, 1]));
    let matrices = number(read.at("/skins/0/inverseBindMatrices"));
    assert_eq!(read.json["accessors"][matrices]["count"], 2);
    // The rest pose is in extras, too.
    assert_eq!(numbers(read.at("/nodes/0/extras/meshwright/rest/translation")), [0.5, 0.0, 0.0]);
    assert_eq!(read.at("/nodes/1/extras/meshwright/index"), 1);
    // Nothing is animated: no bones.
    scene.clips.clear();
    let read = Read::plain(&scene);
    assert_eq!(read.count("skins"), 0);
    assert!(read.at("/nodes/0/extras/meshwright").get("rest").is_none());
    // All that is animated is in the mesh's own skin.
    assert_eq!(Read::plain(&gltf_scenes::skinned()).count("skins"), 3);
}

/// Three meshes: shown, hidden by Stand, and shown by Stand but not by Birth.
fn building() -> Scene {
    let mut scene = Scene {
        nodes: vec![node("A", None, [0.0; 3]), node("B", None, [0.0; 3])],
        meshes: vec![skinned("Body"), tetrahedron("Gore", 0), skinned("Tier"), skinned("Ruin")],
        clips: vec![
            clip("Birth", 1.0, vec![alpha(1, 0.0), alpha(2, 0.0), alpha(3, 0.0)]),
            clip("Stand", 1.0, vec![alpha(1, 0.0), alpha(3, 0.0)]),
            clip("Decay", 1.0, vec![alpha(1, 1.0), alpha(2, 0.0)]),
        ],
        materials: vec![Material { layers: vec![Layer::default()], ..Material::default() }],
        ..Scene::default()
    };
    let whole = Part { material: Some(MaterialId(0)), start: 0, count: 12 };
    scene.meshes.iter_mut().for_each(|mesh| mesh.parts = vec![whole]);
    scene
}

#[test]
fn what_stand_hides_is_hidden_at_rest() {
    let read = Read::plain(&building());
    let at = |name: &str| read.json["nodes"][read.node(name)].clone();
    // A rigid mesh by the scale of its node, which the clips key.
    assert_eq!(numbers(&at("Gore")["scale"]), [0.0; 3]);
    let scale = |clip: &str| {
        let (_, _, values) = read.sampler(read.animation(clip), read.node("Gore"), "scale").expect(clip);
        values[0]
    };
    assert_eq!((scale("Birth"), scale("Stand"), scale("Decay")), (0.0, 0.0, 1.0));
    // A skinned mesh by children of its joints: those of Tier show at rest although the first clip hides it, those of Ruin do not.
    let joint = |mesh: &str, at: usize| {
        let skin = number(&at_node(&read, mesh)["skin"]);
        number(&read.json["skins"][skin]["joints"][at])
    };
    for (mesh, shows) in [("Tier", [0.0, 1.0, 0.0]), ("Ruin", [0.0, 0.0, 1.0])] {
        for (at, parent) in ["A", "B"].into_iter().enumerate() {
            let joint = joint(mesh, at);
            let child = &read.json["nodes"][joint];
            let name = child["name"].as_str().expect("a name");
            assert!(name.starts_with(&format!("Switch {parent}")), "{name}");
            assert_eq!(child.get("scale").map_or(1.0, |scale| numbers(scale)[0]), shows[1], "{mesh}");
            for (clip, shows) in ["Birth", "Stand", "Decay"].into_iter().zip(shows) {
                let (_, _, values) = read.sampler(read.animation(clip), joint, "scale").expect(clip);
                assert_eq!(values[0], shows, "{mesh} in {clip}");
            }
        }
    }
    // Materials stay as they are, and no extension is needed.
    let materials = read.json["materials"].as_array().expect("materials");
    assert!(materials.iter().all(|material| material.get("alphaMode").is_none()));
    assert!(read.json.get("extensionsUsed").is_none());
    assert_eq!(joint("Body", 0), 0);
    assert_eq!(read.pointers(), Vec::<String>::new());
    assert_eq!(read.report.fixed_visibility, 0);
}

fn at_node(read: &Read, name: &str) -> serde_json::Value {
    read.json["nodes"][read.node(name)].clone()
}

#[test]
fn an_animation_without_channels_moves_a_node_that_nothing_else_moves() {
    let scene = Scene {
        nodes: vec![node("Sails", None, [0.0; 3]), node("Tower", None, [3.0, 0.0, 0.0])],
        clips: vec![clip("Stand", 1.5, Vec::new())],
        global_sequences: vec![GlobalSequence { duration: 1.0 }],
        global_channels: vec![GlobalChannel { sequence: GlobalSequenceId(0), channel: shift(0, moving()) }],
        ..Scene::default()
    };
    let read = Read::plain(&scene);
    assert!(read.sampler(0, 0, "translation").is_none());
    let (_, times, values) = read.sampler(0, 1, "translation").expect("the tower");
    assert_eq!((&times[..], &values[..]), (&[0.0, 1.5][..], &[3.0, 0.0, 0.0, 3.0, 0.0, 0.0][..]));
}

/// Three keys of a full turn, the last with the other sign.
fn full_turn(interpolation: Interpolation) -> Track<Quat> {
    let keys = (0..4).map(|third| (third as f32 / 3.0, Quat::from_rotation_y(third as f32 * TAU / 3.0)));
    let track = Track::new(interpolation, keys);
    let tangents = track.values.iter().map(|&value| Tangents { incoming: value, outgoing: value }).collect();
    track.with_tangents(tangents)
}

#[test]
fn a_full_turn_that_is_baked_goes_on_at_its_seam() {
    for interpolation in [Interpolation::Linear, Interpolation::Hermite] {
        let scene = Scene {
            nodes: vec![node("Sails", None, [0.0; 3])],
            clips: vec![clip("Stand", 3.0, Vec::new())],
            global_sequences: vec![GlobalSequence { duration: 1.0 }],
            global_channels: vec![GlobalChannel {
                sequence: GlobalSequenceId(0),
                channel: turn(0, full_turn(interpolation)),
            }],
            ..Scene::default()
        };
        let options = Options { global_sequences: GlobalSequences::Bake, ..Options::default() };
        let (mode, _, values) = Read::of(&scene, &options).sampler(0, 0, "rotation").expect("baked");
        let keys: Vec<Quat> = values.as_chunks().0.iter().map(|&key| Quat::from_array(key)).collect();
        let (first, step) = if mode == "CUBICSPLINE" { (1, 3) } else { (0, 1) };
        let keys: Vec<Quat> = keys.into_iter().skip(first).step_by(step).collect();
        // Neighbours have the same sign: readers that interpolate components take the short way.
        assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.5), "{interpolation:?}");
        // Three turns are three times 360 degrees.
        let angle: f32 = keys.windows(2).map(|pair| (pair[1] * pair[0].inverse()).to_axis_angle().1).sum();
        assert!((angle - 3.0 * TAU).abs() < 1e-2, "{interpolation:?}: {angle}");
    }
}

#[test]
fn a_half_turn_has_keys_in_the_middle() {
    let track = Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(PI))]);
    let middle = track.sample(0.5).expect("inside");
    let scene = Scene {
        nodes: vec![node("Wheel", None, [0.0; 3])],
        clips: vec![clip("Roll", 1.0, vec![turn(0, track)])],
        ..Scene::default()
    };
    let (mode, times, values) = Read::plain(&scene).sampler(0, 0, "rotation").expect("a turn");
    assert_eq!(mode, "LINEAR");
    let keys: Vec<Quat> = values.as_chunks().0.iter().map(|&key| Quat::from_array(key)).collect();
    assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]).abs() > 0.9), "{keys:?}");
    // The direction is that of our own sampler.
    let next = times.iter().position(|time| *time >= 0.5).expect("later");
    let at = slerp(keys[next - 1], keys[next], (0.5 - times[next - 1]) / (times[next] - times[next - 1]));
    assert!(at.dot(middle).abs() > 0.9999, "{at} {middle}");
}

#[test]
fn two_tracks_of_one_pointer_are_combined() {
    let fade =
        |from: f32, to: f32| Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, from), (1.0, to)]));
    let mut mesh = tetrahedron("Ghost", 0);
    mesh.parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 12 }];
    let scene = Scene {
        nodes: vec![node("Root", None, [0.0; 3])],
        meshes: vec![mesh],
        materials: vec![Material {
            layers: vec![Layer { blend: BlendMode::Alpha, ..Layer::default() }],
            ..Material::default()
        }],
        clips: vec![clip(
            "Stand",
            1.0,
            vec![Channel { target: Target::Mesh(MeshId(0), MeshProperty::Alpha), curve: fade(1.0, 0.5) }],
        )],
        global_sequences: vec![GlobalSequence { duration: 2.0 }],
        global_channels: vec![GlobalChannel {
            sequence: GlobalSequenceId(0),
            channel: Channel {
                target: Target::Layer(MaterialId(0), 0, LayerProperty::Alpha),
                curve: fade(0.5, 1.0),
            },
        }],
        ..Scene::default()
    };
    let read = Read::animated(&scene);
    assert_eq!(names(&read, "animations"), ["Stand"]);
    let (_, _, values) = read.pointed(0, "baseColorFactor");
    // 1 · 0.5 at the start, 0.5 · 1 at the end.
    assert!((values[3] - 0.5).abs() < 1e-5 || values[7] == 0.5, "{values:?}");
    assert_eq!(read.pointers().len(), 1);
}

#[test]
fn a_stubborn_node_below_a_global_rotation_is_baked() {
    let mut child = node("Child", Some(0), [1.0, 0.0, 0.0]);
    child.inherit.rotation = false;
    let scene = Scene {
        nodes: vec![node("Wheel", None, [0.0; 3]), child],
        meshes: vec![tetrahedron("Seat", 1)],
        clips: vec![clip("Stand", 1.0, vec![shift(1, moving())])],
        global_sequences: vec![GlobalSequence { duration: 1.0 }],
        global_channels: vec![GlobalChannel {
            sequence: GlobalSequenceId(0),
            channel: turn(0, full_turn(Interpolation::Linear)),
        }],
        ..Scene::default()
    };
    let read = Read::plain(&scene);
    assert!(read.report.baked_globals);
    assert_eq!(names(&read, "animations"), ["Stand"]);
    assert!(read.sampler(0, 0, "rotation").is_some() && read.sampler(0, 1, "rotation").is_some());
}

#[test]
fn the_scene_says_what_blender_drops_from_animations() {
    let options = Options {
        source: Some(Source {
            format: "MDX".into(),
            version: Some("800".into()),
            game: "wc3-classic".into(),
            file: Some("objects.mdx".into()),
            sha256: None,
        }),
        ..Options::default()
    };
    let read = Read::of(&gltf_scenes::objects(), &options);
    let extras = read.at("/scenes/0/extras/meshwright");
    assert_eq!((&extras["source"]["format"], &extras["source"]["version"]), (&"MDX".into(), &"800".into()));
    assert_eq!(extras["source"]["file"], "objects.mdx");
    let run = &extras["clips"]["Run"];
    assert_eq!((&run["looping"], run["frame_rate"].as_f64()), (&true.into(), Some(30.0)));
    assert!(run["bounds"].is_object() && run["events"].is_array() && run["channels"].is_array());
    assert!(read.at("/animations/0").get("extras").is_none());
}

/// The layers of a material in extras.
fn layer_extras(layer: Layer) -> Value {
    let mut mesh = tetrahedron("Hull", 0);
    mesh.parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 12 }];
    let scene = Scene {
        nodes: vec![node("Root", None, [0.0; 3])],
        meshes: vec![mesh],
        materials: vec![Material { layers: vec![layer], ..Material::default() }],
        textures: vec![Texture { name: "a.tga".into(), ..Texture::default() }],
        ..Scene::default()
    };
    let read = Read::of(&scene, &Options { textures: false, ..Options::default() });
    read.at("/materials/0/extras/meshwright/layers/0").clone()
}

#[test]
fn no_field_of_a_layer_is_missing_in_extras() {
    let mapped = |mapper: UvMapper| Layer {
        slots: vec![TextureSlot { texture: Some(TextureId(0)), mapper, ..TextureSlot::default() }],
        ..Layer::default()
    };
    let grid = Grid { frames_per_second: 12.0, log2_width: 3, last: 17, offset: 5 };
    let written = &layer_extras(mapped(UvMapper::Grid(grid)))["slots"][0]["mapper"]["Grid"];
    assert_eq!(
        (number(&written["last"]), number(&written["offset"]), number(&written["log2_width"])),
        (17, 5, 3)
    );
    let sine = SineLinearOffset { phase: Vec2::new(0.25, 0.75), ..SineLinearOffset::default() };
    let written = &layer_extras(mapped(UvMapper::SineLinearOffset(sine)))["slots"][0]["mapper"];
    assert_eq!(numbers(&written["SineLinearOffset"]["phase"]), [0.25, 0.75]);
    let fresnel = Fresnel { color: Vec3::X, opacity: 0.5, team_color: 0.75 };
    let written = layer_extras(Layer { fresnel, ..Layer::default() });
    assert_eq!(written["fresnel"]["team_color"].as_f64(), Some(0.75));
    assert_eq!(written["fresnel"]["opacity"].as_f64(), Some(0.5));
}

/// The first material of a scene with one layer.
fn material_of(layer: Layer, options: &Options) -> (Value, Read) {
    let mut mesh = tetrahedron("Hull", 0);
    mesh.parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 12 }];
    let scene = Scene {
        nodes: vec![node("Root", None, [0.0; 3])],
        meshes: vec![mesh],
        materials: vec![Material { name: "One".into(), layers: vec![layer], ..Material::default() }],
        textures: vec![Texture { name: "missing.tga".into(), ..Texture::default() }],
        ..Scene::default()
    };
    let read = Read::of(&scene, options);
    (read.material("One").clone(), read)
}

#[test]
fn the_cutoff_is_written_unless_it_is_gltfs_own() {
    let cut = |reference: f32| Layer {
        alpha_test: Some(AlphaTest { reference, compare: Compare::GreaterEqual }),
        ..Layer::default()
    };
    let cutoff = |reference: f32| {
        let (material, _) = material_of(cut(reference), &Options::default());
        assert_eq!(material["alphaMode"], "MASK");
        material.get("alphaCutoff").map(|cutoff| cutoff.as_f64().expect("a number") as f32)
    };
    assert_eq!(cutoff(0.5), None);
    assert_eq!(cutoff(0.25), Some(0.25));
    assert_eq!(cutoff(0.0), Some(0.0));
    assert_eq!(cutoff(1.0), Some(1.0));
}

#[test]
fn black_with_an_emissive_colour_is_unlit() {
    let lighting =
        Lighting { diffuse: Vec3::ZERO, emissive: Vec3::new(1.0, 0.0, 1.0), ..Lighting::default() };
    let layer = Layer { lighting: Some(lighting), color_set: Some(0), ..Layer::default() };
    let (material, read) = material_of(layer, &Options::default());
    assert!(material["extensions"].get("KHR_materials_unlit").is_some());
    assert_eq!(numbers(&material["pbrMetallicRoughness"]["baseColorFactor"]), [1.0, 0.0, 1.0, 1.0]);
    // glTF's emission ignores vertex colours, its base colour does not.
    assert!(material.get("emissiveFactor").is_none());
    assert!(read.at("/meshes/0/primitives/0/attributes").get("COLOR_0").is_some());
}

#[test]
fn a_blended_layer_without_its_texture_shows_nothing() {
    let slot = TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() };
    for blend in [BlendMode::Alpha, BlendMode::Add, BlendMode::Additive] {
        let (material, read) =
            material_of(Layer { blend, slots: vec![slot.clone()], ..Layer::default() }, &Options::default());
        assert_eq!(numbers(&material["pbrMetallicRoughness"]["baseColorFactor"])[3], 0.0, "{blend:?}");
        assert_eq!(material["alphaMode"], "MASK");
        assert_eq!(read.report.missing_textures, ["missing.tga"]);
        assert_eq!(read.report.dropped.len(), 1);
    }
    // Without textures nothing is missing.
    let without = Options { textures: false, ..Options::default() };
    let (material, read) =
        material_of(Layer { blend: BlendMode::Alpha, slots: vec![slot], ..Layer::default() }, &without);
    assert_eq!(material["alphaMode"], "BLEND");
    assert!(material["pbrMetallicRoughness"].get("baseColorFactor").is_none());
    assert!(read.report.missing_textures.is_empty() && read.report.dropped.is_empty());
}

#[test]
fn opacity_counts_once_and_only_where_the_blend_mode_uses_it() {
    let alpha = |blend: BlendMode| {
        let lighting = Lighting { opacity: 0.5, ..Lighting::default() };
        // W3D has it in one place, the scene in both.
        let layer = Layer { blend, alpha: 0.5, lighting: Some(lighting), ..Layer::default() };
        let (material, _) = material_of(layer, &Options::default());
        let factor = material["pbrMetallicRoughness"].get("baseColorFactor");
        factor.map_or(1.0, |factor| numbers(factor)[3])
    };
    assert_eq!(alpha(BlendMode::Alpha), 0.5);
    // One, one: the alpha of the source does nothing.
    assert_eq!(alpha(BlendMode::Add), 1.0);
}

#[test]
fn a_dim_additive_layer_is_transparent_not_dark() {
    let layer = Layer { blend: BlendMode::Add, color: Vec3::splat(0.25), unlit: true, ..Layer::default() };
    let (material, _) = material_of(layer, &Options::default());
    // color · alpha stays 0.25, and black adds nothing.
    assert_eq!(numbers(&material["pbrMetallicRoughness"]["baseColorFactor"]), [1.0, 1.0, 1.0, 0.25]);
    assert_eq!(material["alphaMode"], "BLEND");
}

#[test]
fn materials_look_as_stand_starts_with_them() {
    let slot = TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() };
    let mut mesh = tetrahedron("Hull", 0);
    mesh.parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 12 }];
    let constant = |value: Vec3| Curve::Vector(Track::new(Interpolation::Step, [(0.0, value)]));
    let colored = |value: Vec3| Channel {
        target: Target::Mesh(MeshId(0), MeshProperty::Color),
        curve: constant(value),
    };
    let scene = Scene {
        nodes: vec![node("Root", None, [0.0; 3])],
        meshes: vec![mesh],
        materials: vec![Material {
            layers: vec![Layer { slots: vec![slot], ..Layer::default() }],
            ..Material::default()
        }],
        clips: vec![
            clip("Birth", 1.0, vec![colored(Vec3::ZERO)]),
            clip("Stand", 1.0, vec![colored(Vec3::X)]),
        ],
        ..Scene::default()
    };
    let read = Read::of(&scene, &Options { textures: false, ..Options::default() });
    assert_eq!(numbers(read.at("/materials/0/pbrMetallicRoughness/baseColorFactor")), [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_quarter_turn_takes_no_more_keys_than_blender_needs() {
    let track =
        Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(FRAC_PI_2))]);
    let scene = Scene {
        nodes: vec![node("Wheel", None, [0.0; 3])],
        clips: vec![clip("Roll", 1.0, vec![turn(0, track)])],
        ..Scene::default()
    };
    let (_, times, _) = Read::plain(&scene).sampler(0, 0, "rotation").expect("a turn");
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn curves_are_lines_unless_cubics_are_asked_for() {
    let tangents = |value: Vec3| Tangents { incoming: value, outgoing: value };
    let track = Track::new(Interpolation::Hermite, [(0.0, Vec3::ZERO), (1.0, Vec3::X)])
        .with_tangents(vec![tangents(Vec3::Y * 4.0), tangents(Vec3::NEG_Y * 4.0)]);
    let scene = Scene {
        nodes: vec![node("Ball", None, [0.0; 3])],
        // A model of the size of ten units.
        meshes: vec![Mesh {
            positions: vec![Vec3::ZERO, Vec3::X * 10.0, Vec3::Y * 0.1],
            ..tetrahedron("Hull", 0)
        }],
        clips: vec![clip("Jump", 1.0, vec![shift(0, track.clone())])],
        ..Scene::default()
    };
    let scene =
        Scene { meshes: vec![Mesh { indices: vec![0, 1, 2].into(), ..scene.meshes[0].clone() }], ..scene };
    assert_eq!(Read::cubic(&scene).sampler(0, 0, "translation").expect("exact").0, "CUBICSPLINE");
    let (mode, times, values) = Read::plain(&scene).sampler(0, 0, "translation").expect("lines");
    assert_eq!(mode, "LINEAR");
    let values: Vec<Vec3> = values.as_chunks().0.iter().map(|&value| Vec3::from_array(value)).collect();
    for step in 0..=100 {
        let time = step as f32 / 100.0;
        let next = times.partition_point(|key| *key <= time).clamp(1, times.len() - 1);
        let part = (time - times[next - 1]) / (times[next] - times[next - 1]);
        let found = values[next - 1].lerp(values[next], part);
        // Twice the tolerance of 1e-4 of ten units.
        assert!(found.distance(track.sample(time).expect("inside")) < 2e-3, "{time}: {found}");
    }
}

/// The crate `gltf` is what most Rust programs read with. It refuses animation pointers.
#[test]
fn the_rust_reader_reads_every_scene() {
    for (name, scene) in gltf_scenes::all() {
        let glb = write_glb(&scene, &Options::default(), &mut gltf_scenes::pictures).expect("small enough");
        let read =
            gltf_reader::Gltf::from_slice(&glb.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let blob = read.blob.as_deref();
        assert_eq!(read.meshes().count(), glb.report.written_meshes.len(), "{name}");
        for (mesh, id) in read.meshes().zip(&glb.report.written_meshes) {
            for primitive in mesh.primitives() {
                let found: Vec<[f32; 3]> =
                    primitive.reader(|_| blob).read_positions().expect("positions").collect();
                // Generated tangents duplicate vertices.
                assert!(found.len() >= scene.meshes[id.index()].positions.len(), "{name}");
            }
        }
        for animation in read.animations() {
            let channels =
                animation.channels().filter(|channel| channel.reader(|_| blob).read_inputs().is_some());
            assert_eq!(channels.count(), animation.channels().count(), "{name}");
        }
    }
}
