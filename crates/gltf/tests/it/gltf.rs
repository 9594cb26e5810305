//! What the glTF of hand-made scenes says.

use glam::{Quat, Vec2, Vec3};
use meshwright_gltf::{
    Curves, GlobalSequences, Levels, NoTextures, Options, Plays, Report, Visibility, write_glb, write_gltf,
};
use proptest::prelude::*;
use scene::*;
use serde_json::Value;

use crate::gltf_read::{Read, number, numbers};
use crate::gltf_scenes::{self, clip, node, shift, tetrahedron, turn};

#[test]
fn every_scene_is_aligned_and_without_empty_lists() {
    fn no_empty(value: &Value, path: &str) {
        match value {
            Value::Array(items) => {
                assert!(!items.is_empty(), "{path} is empty");
                items.iter().for_each(|item| no_empty(item, path));
            }
            Value::Object(fields) => fields
                .iter()
                .filter(|(key, _)| *key != "extras")
                .for_each(|(key, value)| no_empty(value, &format!("{path}/{key}"))),
            _ => {}
        }
    }
    for (name, scene) in gltf_scenes::all() {
        let read = Read::plain(&scene);
        no_empty(&read.json, name);
        for view in read.json["bufferViews"].as_array().into_iter().flatten() {
            assert_eq!(number(&view["byteOffset"]) % 4, 0, "{name}");
        }
        for accessor in read.json["accessors"].as_array().into_iter().flatten() {
            assert_eq!(number(&accessor["byteOffset"]) % 4, 0, "{name}");
            assert!(number(&accessor["count"]) > 0, "{name}");
        }
    }
}

#[test]
fn nodes_keep_their_places_names_and_transforms() {
    let read = Read::plain(&gltf_scenes::rigid());
    assert_eq!(read.at("/nodes/0/name"), "Base");
    assert_eq!(read.at("/nodes/1/name"), "Turret");
    assert_eq!(numbers(read.at("/nodes/0/translation")), [0.5, 0.0, 0.0]);
    assert_eq!(numbers(read.at("/nodes/1/scale")), [1.0, 2.0, 1.0]);
    // Two meshes on the turret: the first on it, the second on a child.
    assert_eq!(read.at("/nodes/1/mesh"), 1);
    assert_eq!(read.at("/nodes/1/children"), &serde_json::json!([2]));
    assert_eq!(read.at("/nodes/2/mesh"), 2);
    let materials = read.report.written_materials.clone();
    assert_eq!(materials.len(), read.at("/materials").as_array().map_or(0, Vec::len));
    assert_eq!(
        read.report,
        Report {
            written_meshes: vec![MeshId(0), MeshId(1), MeshId(2)],
            written_materials: materials,
            written_animations: vec![Plays::Clip(ClipId(1)), Plays::Clip(ClipId(0))],
            ..Report::default()
        }
    );
}

#[test]
fn a_primitive_for_each_part() {
    let read = Read::plain(&gltf_scenes::rigid());
    assert_eq!(read.at("/meshes/0/primitives").as_array().map(Vec::len), Some(2));
    assert_eq!(read.at("/meshes/0/primitives/0/material"), 0);
    assert_eq!(read.at("/meshes/0/primitives/1/material"), 1);
    // The first material uses the vertex colours, the second does not.
    assert!(read.at("/meshes/0/primitives/0/attributes").get("COLOR_0").is_some());
    assert!(read.at("/meshes/0/primitives/1/attributes").get("COLOR_0").is_none());
    assert!(read.at("/meshes/0/primitives/1/attributes").get("_COLOR_0").is_some());
    for attribute in ["POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "TEXCOORD_1"] {
        assert!(read.at("/meshes/0/primitives/0/attributes").get(attribute).is_some(), "{attribute}");
    }
    let indices = &read.json["accessors"][number(read.at("/meshes/0/primitives/0/indices"))];
    assert_eq!((&indices["componentType"], &indices["count"]), (&5123.into(), &6.into()));
    let large = Read::plain(&gltf_scenes::large());
    let indices = &large.json["accessors"][number(large.at("/meshes/0/primitives/0/indices"))];
    assert_eq!(indices["componentType"], 5125);
}

#[test]
fn linear_and_step_keys_are_taken_over() {
    let read = Read::plain(&gltf_scenes::interpolation());
    let (mode, times, values) = read.sampler(0, 0, "translation").expect("step");
    assert_eq!((mode.as_str(), &times[..]), ("STEP", &[0.0, 0.5, 1.25, 2.0][..]));
    assert_eq!(values[3..6], [0.0, 2.0, 0.0]);
    let (mode, times, values) = read.sampler(0, 1, "translation").expect("linear");
    assert_eq!((mode.as_str(), &times[..]), ("LINEAR", &[0.0, 0.5, 1.25, 2.0][..]));
    assert_eq!(values[6..9], [-1.0, 0.5, 3.0]);
    let (mode, times, values) = read.sampler(0, 1, "rotation").expect("slerp");
    assert_eq!(mode, "LINEAR");
    // Blender interpolates components: no turn between two keys is longer than half a radian.
    let keys: Vec<Quat> = values.as_chunks().0.iter().map(|&key| Quat::from_array(key)).collect();
    assert!(keys.windows(2).all(|pair| angle_between(pair[0], pair[1]) < 0.51));
    assert!([0.0, 0.5, 1.25, 2.0].iter().all(|time| times.contains(time)), "{times:?}");
}

#[test]
fn cubic_tangents_are_per_second() {
    let read = Read::cubic(&gltf_scenes::interpolation());
    // Hermite: the outgoing tangent (0, 3, 0) of the first key belongs to a segment of half a second.
    let (mode, _, values) = read.sampler(0, 2, "translation").expect("Hermite");
    assert_eq!(mode, "CUBICSPLINE");
    assert_eq!(values[6..9], [0.0, 6.0, 0.0]);
    // And the incoming (1, 2, 3) of the second.
    assert_eq!(values[9..12], [2.0, 4.0, 6.0]);
    // Bezier: 3 · (control - value) / length, with control (0, 3, 0) and value (1, 0, 0).
    let (mode, _, values) = read.sampler(0, 3, "translation").expect("Bezier");
    assert_eq!(mode, "CUBICSPLINE");
    assert_eq!(values[6..9], [-6.0, 18.0, 0.0]);
    // At the end 3 · (value - control) / length, with value (0, 2, 0) and control (1, 2, 3).
    assert_eq!(values[9..12], [-6.0, 0.0, -18.0]);
}

/// glTF's own formula for rotations (2.0, appendix C.5): a cubic of the parts, made a rotation again.
fn cubic_rotation(times: &[f32], values: &[f32], time: f32) -> Quat {
    let keys: Vec<Quat> = values.as_chunks().0.iter().map(|&key| Quat::from_array(key)).collect();
    let next = times.partition_point(|&at| at <= time).clamp(1, times.len() - 1);
    let length = times[next] - times[next - 1];
    let t = ((time - times[next - 1]) / length).clamp(0.0, 1.0);
    let (a, leave, arrive, b) =
        (keys[3 * next - 2], keys[3 * next - 1] * length, keys[3 * next] * length, keys[3 * next + 1]);
    let (t2, t3) = (t * t, t * t * t);
    let value = a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leave * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + arrive * (t3 - t2);
    value.normalize()
}

fn angle_between(a: Quat, b: Quat) -> f32 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    2.0 * (a - b).length()
}

#[test]
fn squad_is_put_together_from_cubics_within_the_tolerance() {
    let scene = gltf_scenes::interpolation();
    let read = Read::cubic(&scene);
    assert_eq!(read.report.resampled_channels, 2);
    let (mode, times, values) = read.sampler(0, 3, "rotation").expect("squad");
    assert_eq!(mode, "CUBICSPLINE");
    assert!(times.len() >= 4 && times.is_sorted_by(|a, b| a < b));
    let Curve::Rotation(track) = &scene.clips[0].channels[7].curve else { panic!("not the rotation") };
    for step in 0..=1000 {
        let time = step as f32 * 0.002;
        let found = cubic_rotation(&times, &values, time);
        let wanted = track.sample(time).expect("always").normalize();
        assert!(angle_between(found, wanted) < 3e-4, "{time}: {found} {wanted}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The size says how far keys and tangents are from each other: it decides between what is taken on trust, what is
    /// looked at, and what is halved.
    #[test]
    fn any_squad_stays_within_the_tolerance(
        parts in prop::array::uniform32(-1.0_f32..1.0),
        size in prop::sample::select(vec![0.01_f32, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4]),
        outside in prop::bool::ANY,
    ) {
        let turn = |at: usize| {
            let parts: [f32; 4] = parts[at * 4..][..4].try_into().expect("four");
            (Quat::IDENTITY + Quat::from_array(parts) * size).normalize()
        };
        // Real tangents lie near their keys; those of the other four are anywhere.
        let keys = [turn(0), turn(1)];
        let tangents = vec![
            Tangents { incoming: turn(2), outgoing: turn(3) },
            Tangents { incoming: turn(4), outgoing: turn(5) },
        ];
        let outside = if outside { Outside::Wrap { start: 0.0, end: 2.0 } } else { Outside::Clamp };
        let track = Track::new(Interpolation::Hermite, [(0.25, keys[0]), (1.5, keys[1])])
            .with_tangents(tangents)
            .with_outside(outside);
        let target = Target::Node(NodeId(0), NodeProperty::Rotation);
        let channel = Channel { target, curve: Curve::Rotation(track.clone()) };
        let clip = Clip { name: "Turn".into(), duration: 2.0, channels: vec![channel], ..Clip::default() };
        let scene = Scene { nodes: vec![Node::default()], clips: vec![clip], ..Scene::default() };
        let read = Read::cubic(&scene);
        let (mode, times, values) = read.sampler(0, 0, "rotation").expect("a rotation");
        prop_assert_eq!(mode, "CUBICSPLINE");
        for step in 0..=200 {
            let time = step as f32 * 0.01;
            let (found, wanted) = (cubic_rotation(&times, &values, time), track.sample(time).expect("always"));
            let apart = angle_between(found, wanted.normalize());
            prop_assert!(apart < 2e-4, "{} at {}: {} {}", apart, time, found, wanted);
        }
    }
}

#[test]
fn jumps_take_half_a_millisecond() {
    let read = Read::plain(&gltf_scenes::edges());
    let (mode, times, values) = read.sampler(0, 8, "translation").expect("a jump");
    assert_eq!(mode, "LINEAR");
    assert_eq!(times, [0.0, 0.9995, 1.0, 2.0]);
    assert_eq!(values[3..9], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    // Held until the second and the fourth key.
    let (_, times, values) = read.sampler(0, 6, "translation").expect("held");
    assert_eq!(times, [0.0, 0.4995, 0.5, 1.25, 1.9995, 2.0]);
    assert_eq!(values[..6], [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn motion_is_cut_to_the_clip() {
    let read = Read::cubic(&gltf_scenes::edges());
    // A Bezier from -1 to 1 to 3 seconds: only zero to two is left, and the middles of both segments are its ends.
    let (mode, times, values) = read.sampler(0, 9, "translation").expect("cut");
    assert_eq!((mode.as_str(), &times[..]), ("CUBICSPLINE", &[0.0, 1.0, 2.0][..]));
    let middle = Vec3::bezier(Vec3::X, Vec3::ONE, Vec3::ZERO, Vec3::Y, 0.5);
    assert_eq!(values[3..6], middle.to_array());
    // The slope of a Bezier in its middle, over two seconds.
    let slope = 0.75 * (Vec3::ZERO + Vec3::Y - Vec3::X - Vec3::ONE) / 2.0;
    assert_eq!(values[6..9], slope.to_array());
}

#[test]
fn every_clip_is_an_animation_of_its_length() {
    let read = Read::plain(&gltf_scenes::rigid());
    assert_eq!(read.count("animations"), 2);
    // Viewers start with the first.
    assert_eq!(read.at("/animations/0/name"), "Stand");
    let (_, times, values) = read.sampler(0, 0, "translation").expect("a node that stays");
    assert_eq!(times, [0.0, 1.5]);
    assert_eq!(values, [0.5, 0.0, 0.0, 0.5, 0.0, 0.0]);
    assert_eq!(read.at("/scenes/0/extras/meshwright/clips/Stand/duration"), 1.5);

    let short = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (0.5, Vec3::X)]);
    let scene = Scene {
        nodes: vec![node("One", None, [0.0; 3])],
        clips: vec![clip("Short", 3.0, vec![shift(0, short)])],
        ..Scene::default()
    };
    let (_, times, _) = Read::plain(&scene).sampler(0, 0, "translation").expect("one");
    assert_eq!(times, [0.0, 0.5, 3.0]);
}

#[test]
fn what_always_runs_ends_with_the_clip_it_is_baked_into() {
    let curved = |interpolation| {
        let tangents = vec![Tangents { incoming: Vec3::Z, outgoing: Vec3::X * 3.0 }; 3];
        Track::new(interpolation, [(0.0, Vec3::ZERO), (0.3, Vec3::Y), (0.6, Vec3::X)])
            .with_tangents(tangents)
            .with_outside(Outside::Wrap { start: 0.0, end: 0.7 })
    };
    // The clip ends in the middle of a period, and before the end of a longer one.
    for (duration, interpolation) in
        [(2.5, Interpolation::Linear), (2.5, Interpolation::Hermite), (0.4, Interpolation::Hermite)]
    {
        let track = curved(interpolation);
        let scene = Scene {
            nodes: vec![node("One", None, [0.0; 3])],
            global_sequences: vec![GlobalSequence { duration: 0.7 }],
            global_channels: vec![GlobalChannel {
                sequence: GlobalSequenceId(0),
                channel: shift(0, track.clone()),
            }],
            clips: vec![clip("Stand", duration, Vec::new())],
            ..Scene::default()
        };
        let curves = Curves::Cubics;
        let options = Options { global_sequences: GlobalSequences::Bake, curves, ..Options::default() };
        let (_, times, values) = Read::of(&scene, &options).sampler(0, 0, "translation").expect("baked");
        assert_eq!(times.last(), Some(&duration));
        let values: Vec<Vec3> = values.as_chunks().0.iter().map(|&value| Vec3::from_array(value)).collect();
        let cubic = interpolation == Interpolation::Hermite;
        let last = if cubic { values[values.len() - 2] } else { values[values.len() - 1] };
        let wanted = track.sample(duration % 0.7).expect("always");
        assert!(last.distance(wanted) < 1e-5, "{duration} {interpolation:?}: {last} {wanted}");
    }
}

#[test]
fn of_two_channels_the_later_wins() {
    let track = |value: Vec3| Track::new(Interpolation::Linear, [(0.0, value)]);
    let scene = Scene {
        nodes: vec![node("One", None, [0.0; 3])],
        clips: vec![clip("Twice", 0.0, vec![shift(0, track(Vec3::X)), shift(0, track(Vec3::Y))])],
        ..Scene::default()
    };
    let read = Read::plain(&scene);
    assert_eq!(read.at("/animations/0/channels").as_array().map(Vec::len), Some(1));
    assert_eq!(read.sampler(0, 0, "translation").expect("one").2, [0.0, 1.0, 0.0]);
}

#[test]
fn global_sequences_are_separate_or_baked() {
    let scene = gltf_scenes::global();
    let read = Read::plain(&scene);
    assert_eq!(read.count("animations"), 3);
    assert_eq!(read.at("/animations/1/name"), "global 0");
    assert!(read.sampler(0, 1, "rotation").is_none());
    let (_, times, _) = read.sampler(1, 1, "rotation").expect("the sails");
    // Quarter turns are split in four, for Blender.
    assert_eq!(times.len(), 17);
    assert!([0.0, 0.25, 0.5, 0.75, 1.0].iter().all(|time| times.contains(time)), "{times:?}");

    let baked = Read::of(&scene, &Options { global_sequences: GlobalSequences::Bake, ..Options::default() });
    assert_eq!(baked.count("animations"), 1);
    let (_, times, _) = baked.sampler(0, 1, "rotation").expect("the sails");
    assert!(times.contains(&1.25) && times.contains(&2.25), "{times:?}");
}

#[test]
fn visibility_is_a_scale_or_an_extension() {
    let scene = gltf_scenes::visibility();
    let read = Read::plain(&scene);
    // The mesh of the first node has its own, so that the node's child stays.
    let own = number(&read.at("/nodes/0/children")[1]);
    assert_eq!(read.json["nodes"][own]["mesh"], 0);
    let (mode, times, values) = read.sampler(0, own, "scale").expect("a scale");
    assert_eq!((mode.as_str(), &times[..]), ("STEP", &[0.0, 0.5, 1.5][..]));
    assert_eq!(values, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    // Readers that do not know pointers read everything.
    assert_eq!(read.pointers(), Vec::<String>::new());
    // The skinned mesh follows one joint, so it hangs on that.
    let skinned = read.node("Skinned");
    assert!(read.json["nodes"][skinned].get("skin").is_none());
    let (_, times, values) = read.sampler(0, skinned, "scale").expect("a scale");
    assert_eq!((&times[..], &values[..]), (&[0.0, 1.0][..], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0][..]));

    let all = Read::of(&scene, &Options { visibility: Visibility::Extension, ..Options::default() });
    assert_eq!(all.pointers().iter().filter(|pointer| pointer.contains("KHR_node_visibility")).count(), 5);
    let off = Options { visibility: Visibility::Off, ..Options::default() };
    assert_eq!(Read::of(&scene, &off).pointers(), Vec::<String>::new());
}

#[test]
fn skins_are_sound() {
    let read = Read::plain(&gltf_scenes::skinned());
    // One joint a vertex needs one set of bytes; seven need two sets of floats.
    assert!(read.at("/meshes/0/primitives/0/attributes").get("JOINTS_1").is_none());
    let weights = read.floats(&read.at("/meshes/1/primitives/0/attributes")["WEIGHTS_1"]);
    assert!((weights[4 * 5] - 0.1).abs() < 1e-6 && weights[4 * 5 + 3] == 0.0);
    for vertex in 0..16 {
        let sum: f32 = ["WEIGHTS_0", "WEIGHTS_1"]
            .iter()
            .map(|name| {
                read.floats(&read.at("/meshes/1/primitives/0/attributes")[name])[vertex * 4..][..4]
                    .iter()
                    .sum::<f32>()
            })
            .sum();
        assert!((sum - 1.0).abs() < 1e-6);
    }
    assert_eq!(read.report.repaired_weights, 2);
    // Skinned meshes at the root beside one node with all bones.
    let roots = read.at("/scenes/0/nodes").as_array().expect("roots");
    assert_eq!(roots.iter().filter(|root| read.json["nodes"][number(root)].get("skin").is_none()).count(), 1);
    assert_eq!(roots.len(), 4);
    for skin in read.at("/skins").as_array().expect("skins") {
        let mut joints: Vec<_> = skin["joints"].as_array().expect("joints").iter().map(number).collect();
        let count = joints.len();
        joints.sort_unstable();
        joints.dedup();
        assert_eq!(joints.len(), count);
    }
}

#[test]
fn materials_say_what_gltf_can() {
    let read = Read::animated(&gltf_scenes::materials());
    let named = |name: &str| read.material(name);
    assert!(named("Opaque").get("alphaMode").is_none());
    let cut = named("Cut out");
    assert_eq!((&cut["alphaMode"], &cut["doubleSided"]), (&"MASK".into(), &true.into()));
    assert!((cut["alphaCutoff"].as_f64().expect("a cutoff") - 96.0 / 255.0).abs() < 1e-6);
    let blended = named("Blended");
    assert_eq!(blended["alphaMode"], "BLEND");
    assert!(blended["extensions"].get("KHR_materials_unlit").is_some());
    assert_eq!(blended["pbrMetallicRoughness"]["baseColorFactor"][3], 0.5);
    assert_eq!(named("Additive")["alphaMode"], "BLEND");
    assert_eq!(named("Additive")["extras"]["meshwright"]["layers"][0]["blend"], "Additive");
    // The player's colour shows through the texture that lies over it, so the whole is opaque.
    assert!(named("Team").get("alphaMode").is_none());
    assert_eq!(named("Team")["extras"]["meshwright"]["layers"].as_array().map(Vec::len), Some(2));
    let hd = named("HD");
    assert!(hd.get("normalTexture").is_some() && hd.get("occlusionTexture").is_some());
    assert_eq!(hd["pbrMetallicRoughness"]["metallicRoughnessTexture"], hd["occlusionTexture"]);
    assert_eq!(hd["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"].as_f64(), Some(3.0));
    let second = &named("Second set, scaled")["pbrMetallicRoughness"]["baseColorTexture"];
    assert_eq!(second["texCoord"], 1);
    assert_eq!(numbers(&second["extensions"]["KHR_texture_transform"]["scale"]), [4.0, 0.5]);
    let texture = &read.json["textures"][number(&second["index"])];
    let sampler = &read.json["samplers"][number(&texture["sampler"])];
    assert_eq!((&sampler["wrapS"], &sampler["wrapT"]), (&33071.into(), &33648.into()));
    for bare in ["Missing", "No such coordinates"] {
        assert!(named(bare)["pbrMetallicRoughness"].get("baseColorTexture").is_none(), "{bare}");
    }
    assert_eq!(read.report.missing_textures, ["missing.tga"]);
    assert_eq!(read.at("/scenes/0/extras/meshwright/textures/3/name"), "missing.tga");
    let lit = named("Lit");
    assert_eq!(lit["emissiveTexture"]["index"], lit["pbrMetallicRoughness"]["baseColorTexture"]["index"]);

    let moves = read.pointers();
    for end in ["baseColorFactor", "offset", "rotation", "scale"] {
        assert!(moves.iter().any(|pointer| pointer.ends_with(end)), "{end} in {moves:?}");
    }
    // Pictures that change are kept whole.
    let clips = read.at("/scenes/0/extras/meshwright/clips").as_object().expect("clips");
    let mut channels = clips.values().flat_map(|clip| clip["channels"].as_array().into_iter().flatten());
    assert!(channels.any(|channel| channel["target"]["Layer"][2]["Texture"] == 0));
}

/// A tetrahedron whose mesh and layer have these opacities.
fn fading(mesh_alpha: Option<Track<f32>>, layer_alpha: Option<Track<f32>>) -> Scene {
    let mut mesh = tetrahedron("Ghost", 0);
    mesh.parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: mesh.indices.len() as u32 }];
    let targets = [
        (Target::Mesh(MeshId(0), MeshProperty::Alpha), mesh_alpha),
        (Target::Layer(MaterialId(0), 0, LayerProperty::Alpha), layer_alpha),
    ];
    let channels = targets
        .into_iter()
        .filter_map(|(target, track)| Some(Channel { target, curve: Curve::Scalar(track?) }));
    Scene {
        nodes: vec![node("Root", None, [0.0; 3])],
        meshes: vec![mesh],
        materials: vec![Material { layers: vec![Layer::default()], ..Material::default() }],
        clips: vec![clip("Fade", 2.0, channels.collect())],
        ..Scene::default()
    }
}

#[test]
fn an_opacity_alone_keeps_its_keys() {
    let keys = [(0.0, 1.0), (0.5, 0.25), (2.0, 0.75)];
    let track = Track::new(Interpolation::Linear, keys);
    for scene in [fading(Some(track.clone()), None), fading(None, Some(track.clone()))] {
        let (mode, times, values) = Read::animated(&scene).pointed(0, "baseColorFactor");
        assert_eq!((mode.as_str(), &times[..]), ("LINEAR", &[0.0, 0.5, 2.0][..]));
        assert_eq!(values, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.25, 1.0, 1.0, 1.0, 0.75]);
        // Blender cannot import pointers, so without being asked for they are in extras.
        let read = Read::plain(&scene);
        assert_eq!(read.pointers(), Vec::<String>::new());
        let left = read.at("/scenes/0/extras/meshwright/clips/Fade/channels/0/curve/Scalar/values");
        assert_eq!(numbers(left), [1.0, 0.25, 0.75]);
    }
}

#[test]
fn a_product_of_opacities_is_one_cubic() {
    let rising = Track::new(Interpolation::Linear, [(0.0, 0.0), (2.0, 1.0)]);
    let falling = Track::new(Interpolation::Linear, [(0.0, 1.0), (2.0, 0.0)]);
    let (mode, times, values) =
        Read::animated(&fading(Some(rising), Some(falling))).pointed(0, "baseColorFactor");
    // t / 2 · (1 - t / 2) = t / 2 - t² / 4 has the slope 1 / 2 at the start and -1 / 2 at the end.
    assert_eq!((mode.as_str(), &times[..]), ("CUBICSPLINE", &[0.0, 2.0][..]));
    let alpha: Vec<f32> = values.as_chunks::<4>().0.iter().map(|color| color[3]).collect();
    for (found, right) in alpha.iter().zip([0.0, 0.0, 0.5, -0.5, 0.0, 0.0]) {
        assert!((found - right).abs() < 1e-5, "{alpha:?}");
    }
}

#[test]
fn weights_of_255_parts_are_bytes() {
    let written = |weights: [f32; 2]| {
        let mut scene = gltf_scenes::skinned();
        let skin = scene.meshes[0].skin.as_mut().expect("a skin");
        skin.influences.clear();
        skin.ends.clear();
        let set = skin.push_set([0, 1].map(|joint| Influence { joint, weight: weights[joint as usize] }));
        skin.sets.fill(set);
        let read = Read::plain(&scene);
        let accessor = number(&read.at("/meshes/0/primitives/0/attributes")["WEIGHTS_0"]);
        (read.json["accessors"][accessor]["componentType"].clone(), read)
    };
    let (component, read) = written([64.0 / 255.0, 191.0 / 255.0]);
    assert_eq!(component, 5121);
    let accessor =
        &read.json["accessors"][number(&read.at("/meshes/0/primitives/0/attributes")["WEIGHTS_0"])];
    assert_eq!(accessor["normalized"], true);
    let view = &read.json["bufferViews"][number(&accessor["bufferView"])];
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    assert_eq!(read.binary[start..start + 8], [64, 191, 0, 0, 64, 191, 0, 0]);
    assert_eq!(written([0.5, 0.5]).0, 5126, "a half is no number of parts");
    // A joint whose share is less than a part would be left without weight.
    assert_eq!(written([1.0 - 1e-7, 1e-7]).0, 5126);
}

#[test]
fn what_stands_still_alike_shares_its_value() {
    let still = || Track::new(Interpolation::Linear, [(0.0, Vec3::X), (1.0, Vec3::X)]);
    let moving =
        || Track::new(Interpolation::Linear, (0..9).map(|key| (key as f32 / 8.0, Vec3::X * key as f32)));
    let nodes: Vec<Node> = (0..4).map(|at| node(&format!("Node {at}"), None, [0.0; 3])).collect();
    let channels = vec![shift(0, still()), shift(1, still()), shift(2, moving()), shift(3, moving())];
    let scene = Scene { nodes, clips: vec![clip("Clip", 1.0, channels)], ..Scene::default() };
    let read = Read::plain(&scene);
    for at in [0, 1] {
        let (mode, times, values) = read.sampler(0, at, "translation").expect("still");
        assert_eq!((mode.as_str(), &times[..]), ("STEP", &[0.0, 1.0][..]), "one key is slow in Blender");
        assert_eq!(values, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }
    // One pair of values of those that stand still, those of the two that move, the times of each kind, and the matrices of the skin.
    assert_eq!(read.count("accessors"), 1 + 2 + 2 + 1);
    assert_eq!(read.at("/animations/0/samplers").as_array().map(Vec::len), Some(1 + 2));
}

#[test]
fn mappers_run_in_animations_of_their_own() {
    let mut scene = gltf_scenes::materials();
    let speed = Vec2::new(0.25, 0.5);
    let scroll = UvMapper::LinearOffset(LinearOffset { speed, ..LinearOffset::default() });
    for layer in scene.materials.iter_mut().flat_map(|material| &mut material.layers).take(1) {
        layer.slots[0].mapper = scroll.clone();
    }
    let read = Read::animated(&scene);
    // Both coordinates have gone round whole textures after four seconds.
    let ends = |animation: usize| read.pointed(animation, "KHR_texture_transform/offset").1.last().copied();
    let mappers = (0..read.count("animations")).filter(|at| {
        read.json["animations"][at]["name"].as_str().is_some_and(|name| name.starts_with("mapper "))
    });
    let round = mappers.into_iter().find(|at| ends(*at) == Some(4.0)).expect("a mapper");
    let round = &read.json["animations"][round];
    let pointer = &round["channels"][0]["target"]["extensions"]["KHR_animation_pointer"]["pointer"];
    assert!(
        pointer.as_str().is_some_and(|pointer| pointer.ends_with("KHR_texture_transform/offset")),
        "{pointer}"
    );
    assert!(!Read::plain(&scene).json.to_string().contains("mapper 0"));
}

#[test]
fn textures_may_be_left_out() {
    let read = Read::of(&gltf_scenes::materials(), &Options { textures: false, ..Options::default() });
    assert_eq!((read.count("textures"), read.count("images"), read.count("samplers")), (0, 0, 0));
    assert_eq!(read.report.missing_textures, Vec::<String>::new());
}

#[test]
fn separate_files_have_their_own_names() {
    let gltf = write_gltf(&gltf_scenes::materials(), &Options::default(), &mut gltf_scenes::pictures, "a b")
        .expect("small");
    let names: Vec<&str> = gltf.files.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"a b.bin"), "{names:?}");
    assert!(names.contains(&"a b.Brick _old_.png"), "{names:?}");
    let json: Value = serde_json::from_slice(&gltf.json).expect("JSON");
    assert_eq!(json["buffers"][0]["uri"], "a%20b.bin");
    assert_eq!(json["images"].as_array().map(Vec::len), Some(names.len() - 1));
    let png = gltf.files.iter().find(|(name, _)| name.ends_with("Brick _old_.png")).expect("the brick");
    assert!(png.1.starts_with(b"\x89PNG"));
}

#[test]
fn objects_are_typed_data_on_their_nodes() {
    let read = Read::animated(&gltf_scenes::objects());
    let hook = read.at("/nodes/1/extras/meshwright");
    assert_eq!(hook["billboard"], "Facing");
    assert_eq!(hook["attachments"][0]["path"], "sword.mdx");
    assert_eq!(hook["emitters"][1]["kind"]["Sprite"]["head_life"]["repeat"], 3);
    assert_eq!(hook["emitters"][3]["kind"]["Keyed"]["creation_volume"]["Sphere"]["hollow"], true);
    assert_eq!(hook["collision_shapes"][1]["shape"]["Sphere"]["radius"].as_f64(), Some(2.0));
    assert_eq!(hook["ribbons"][0]["look"]["name"], "Stripe");
    assert_eq!(hook["ribbons"][0]["id"], 0);
    for kind in ["events", "dazzles", "sounds", "primitives", "lights"] {
        assert!(hook[kind].is_array(), "{kind}");
    }
    let clip = read.at("/scenes/0/extras/meshwright/clips/Run");
    assert_eq!(clip["events"][0]["name"], "SNDxFOOT");
    // What a light and a camera do is said in glTF, but not as the source says it; what an emitter does is not.
    assert_eq!(clip["channels"].as_array().map(Vec::len), Some(4));
    assert!(read.pointers().contains(&"/extensions/KHR_lights_punctual/lights/0/intensity".to_owned()));
    // Three of the lights are of a kind that glTF has and on a node that exists.
    assert_eq!(read.at("/extensions/KHR_lights_punctual/lights").as_array().map(Vec::len), Some(3));
    assert_eq!(read.count("cameras"), 2);
}

#[test]
fn cameras_look_along_their_own_back() {
    let read = Read::plain(&gltf_scenes::objects());
    let nodes = read.at("/nodes").as_array().expect("nodes");
    let camera = nodes.iter().find(|node| node["name"] == "Portrait").expect("the camera");
    // From (0, 1, 5) to (0, 1, 0) is already along -Z.
    assert_eq!(numbers(&camera["translation"]), [0.0, 1.0, 5.0]);
    assert!(camera.get("rotation").is_none());
}

#[test]
fn what_is_broken_is_mended_and_counted() {
    let read = Read::plain(&gltf_scenes::broken());
    let report = &read.report;
    assert_eq!((report.broken_triangles, report.degenerate_triangles), (2, 1));
    assert_eq!(report.omitted_meshes, 2);
    assert!(report.repaired_normals >= 4 && report.repaired_numbers >= 5, "{report:?}");
    assert!(read.at("/meshes/1/primitives/0/attributes").get("NORMAL").is_none());
    let normals = read.floats(&read.at("/meshes/0/primitives/0/attributes")["NORMAL"]);
    assert!(
        normals.as_chunks::<3>().0.iter().all(|&normal| (Vec3::from(normal).length() - 1.0).abs() < 1e-3)
    );
}

#[test]
fn levels_are_chosen_listed_or_linked() {
    let scene = gltf_scenes::levels();
    let read = Read::plain(&scene);
    assert_eq!((read.count("meshes"), read.report.omitted_meshes), (2, 2));
    let all = Read::of(&scene, &Options { levels: Levels::Separate, ..Options::default() });
    assert_eq!(all.count("meshes"), 4);
    let linked = Read::of(&scene, &Options { levels: Levels::MsftLod, ..Options::default() });
    let nodes = linked.at("/nodes").as_array().expect("nodes");
    let fine = nodes.iter().find(|node| node["name"] == "Left fine").expect("the fine one");
    let coarse = &nodes[number(&fine["extensions"]["MSFT_lod"]["ids"][0])];
    assert_eq!(coarse["name"], "Left coarse");
    let range = linked.at("/scenes/0/extras/meshwright/levels/1/range/MaxScreenSize").as_f64();
    assert_eq!(range, Some(0.1));
}

#[test]
fn nodes_that_do_not_follow_are_worked_out() {
    let scene = gltf_scenes::inherit();
    let read = Read::plain(&scene);
    assert!(read.report.resampled_channels >= 5);
    assert_eq!(read.at("/nodes/1/extras/meshwright/inherit/translation"), false);
    // The second child does not turn with its parent, which is turned at rest: against it, it is turned back.
    let rotation = numbers(read.at("/nodes/2/rotation"));
    let wanted = Quat::from_rotation_y(-0.5);
    assert!(Quat::from_slice(&rotation).abs_diff_eq(wanted, 1e-6));
}

#[test]
fn unsound_rotations_are_none() {
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let scene = Scene {
        nodes: vec![node("One", None, [0.0; 3])],
        meshes: vec![tetrahedron("Mesh", 0)],
        clips: vec![clip(
            "Zero",
            1.0,
            vec![turn(0, Track::new(Interpolation::Linear, [(0.0, zero), (1.0, Quat::NAN)]))],
        )],
        ..Scene::default()
    };
    let glb = write_glb(&scene, &Options::default(), &mut NoTextures).expect("small");
    assert_eq!(glb.report.repaired_numbers, 1);
    let (_, _, values) = Read::plain(&scene).sampler(0, 0, "rotation").expect("a rotation");
    assert_eq!(values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
}

/// Whatever the scene: no panic, and accessors whose numbers are finite, times that ascend, rotations of unit length.
#[test]
fn any_scene_is_written() {
    for seed in 0..400 {
        let scene = gltf_scenes::dice::scene(seed);
        let bake = GlobalSequences::Bake;
        for options in [
            Options::default(),
            Options { global_sequences: bake, levels: Levels::MsftLod, ..Options::default() },
        ] {
            let read = Read::of(&scene, &options);
            for (animation, value) in read.json["animations"].as_array().into_iter().flatten().enumerate() {
                for sampler in value["samplers"].as_array().into_iter().flatten() {
                    let times = read.floats(&sampler["input"]);
                    assert!(times.is_sorted_by(|a, b| a < b) && times[0] >= 0.0, "seed {seed}: {times:?}");
                }
                for node in 0..read.count("nodes") {
                    let Some((mode, _, values)) = read.sampler(animation, node, "rotation") else { continue };
                    let keys = values.as_chunks::<4>().0.iter();
                    let (before, step) = if mode == "CUBICSPLINE" { (1, 3) } else { (0, 1) };
                    assert!(
                        keys.skip(before).step_by(step).all(|&key| Quat::from_array(key).is_normalized()),
                        "seed {seed}: {values:?}"
                    );
                }
            }
            for (index, accessor) in read.json["accessors"].as_array().into_iter().flatten().enumerate() {
                if accessor["componentType"] == 5126 && accessor["type"] != "MAT4" {
                    let values = read.floats(&index.into());
                    assert!(
                        values.iter().all(|value| value.is_finite()),
                        "seed {seed}: accessor {index} {accessor}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_clip_that_lasts_for_weeks_bakes_nothing() {
    let mut scene = gltf_scenes::global();
    let baking = Options { global_sequences: GlobalSequences::Bake, ..Options::default() };
    assert_eq!(Read::of(&scene, &baking).count("animations"), 1);
    scene.clips[0].duration = 2_147_483.6;
    let read = Read::of(&scene, &baking);
    assert_eq!(read.count("animations"), 3);
    assert!(read.binary.len() < 10_000, "{} bytes", read.binary.len());
}

#[test]
fn a_normal_map_gets_tangents_where_it_has_none() {
    let scene = gltf_scenes::materials();
    let made = |textures: bool| {
        let read = Read::of(&scene, &Options { textures, ..Options::default() });
        let meshes = read.at("/meshes").as_array().expect("meshes");
        let bare = meshes.iter().find(|mesh| mesh["name"] == "No tangents").expect("it is written");
        (read.report.made_tangents, bare["primitives"][0]["attributes"].get("TANGENT").is_some())
    };
    assert_eq!(made(true), (1, true));
    // Without textures there is no normal map.
    assert_eq!(made(false), (0, false));
}

#[test]
fn a_normal_map_is_left_out_where_there_are_no_normals() {
    let mut scene = gltf_scenes::materials();
    let bare = scene.meshes.len() - 1;
    scene.meshes[bare].normals.clear();
    let read = Read::plain(&scene);
    let material_of = |name: &str| {
        let meshes = read.at("/meshes").as_array().expect("meshes");
        let mesh = meshes.iter().find(|mesh| mesh["name"] == name).expect("it is written");
        let material = mesh["primitives"][0]["material"].as_u64().expect("a material");
        read.at(&format!("/materials/{material}")).clone()
    };
    let (with, without) = (material_of("Swatch 7"), material_of("No tangents"));
    assert_eq!((&with["name"], &without["name"]), (&"hd".into(), &"hd.001".into()));
    assert!(with.get("normalTexture").is_some() && without.get("normalTexture").is_none());
    assert_eq!(with["occlusionTexture"], without["occlusionTexture"]);
    // A material without such a map is the same for both.
    scene.meshes[bare].parts[0].material = Some(MaterialId(0));
    let read = Read::plain(&scene);
    let used = [0, bare].map(|mesh| read.at(&format!("/meshes/{mesh}/primitives/0/material")));
    assert_eq!(used[0], used[1]);
}

#[test]
fn normals_of_any_length_become_unit() {
    let mut mesh = tetrahedron("Hull", 0);
    mesh.normals = vec![Vec3::X * 1e-20, Vec3::ONE * 3e-23, Vec3::Y * 1e30, Vec3::new(0.0, 3.0, 4.0)];
    let scene = Scene { nodes: vec![node("Root", None, [0.0; 3])], meshes: vec![mesh], ..Scene::default() };
    let read = Read::plain(&scene);
    let normals = read.floats(read.at("/meshes/0/primitives/0/attributes/NORMAL"));
    let corner = 3_f32.sqrt().recip();
    let wanted = [[1.0, 0.0, 0.0], [corner; 3], [0.0, 1.0, 0.0], [0.0, 0.6, 0.8]].concat();
    assert!(normals.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{normals:?}");
}

#[test]
fn no_cone_is_wider_than_a_right_angle() {
    let kind = LightKind::Spot { inner: 9.0, outer: 9.0, exponent: 1.0 };
    let lights = vec![Light::new(NodeId(0), kind)];
    let scene = Scene { nodes: vec![node("Root", None, [0.0; 3])], lights, ..Scene::default() };
    let read = Read::plain(&scene);
    let outer = read.at("/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle").as_f64();
    assert!(outer.is_some_and(|outer| outer <= std::f64::consts::FRAC_PI_2), "{outer:?}");
}
