//! Scenes to MDX. Numbers are worked out by hand: MDX has Z up where the scene has Y, so (x, y, z) becomes (x, -z, y).

use std::f32::consts::FRAC_1_SQRT_2;

use glam::{Affine3A, Quat, Vec3};
use mdx::records::{FilterMode, Interpolation as Between, NodeFlags};
use mdx::view::{NodeKind, Shape};
use mdx::{Dialect, Document, tags};
use meshwright_convert::Report;
use meshwright_convert::author::mdx::{Options, to_mdx};
use meshwright_convert::mdx::to_scene;
use proptest::prelude::*;
use scene::compare::{Tolerance, differences};
use scene::{
    AlphaTest, Attachment, AttachmentKind, BlendMode, Channel, Clip, ClipId, CollisionMask, CollisionShape,
    Curve, Deformed, Event, EventId, EventKey, Influence, Interpolation, Joint, Layer, Material, Mesh,
    Moment, Node, NodeId, NodeProperty, Sampler, Scene, Skin, Target, Texture, TextureId, TextureSlot, Track,
    Transform, skin,
};

use super::arm::{self, node};

/// What is written must be sound to our own reader.
fn written(scene: &Scene, options: &Options) -> (Document<'static>, Report) {
    let (document, report) = to_mdx(scene, options).unwrap();
    let bytes = document.to_bytes().unwrap();
    let again = Document::parse(&bytes).unwrap().into_owned();
    assert_eq!(again.diagnostics(), []);
    assert_eq!(again.version, options.version);
    (again, report)
}

fn plain(version: u32) -> Options {
    Options { version, complete: false, ..Options::default() }
}

#[test]
fn a_rest_rotation_goes_into_pivots_vertices_and_keys() {
    let (document, _) = written(&arm::scene(), &plain(800));
    let arm = document.nodes().find(|object| object.name() == "Arm").unwrap();
    assert_eq!(arm.kind, NodeKind::Bone);
    // A quarter turn about up takes X to -Z: the arm is at (0, 10, -5), in MDX (0, 5, 10).
    let pivot = document.view().pivot(&arm).unwrap();
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(near(pivot, [0.0, 5.0, 10.0]), "{pivot:?}");
    // The vertex at the arm's X is one further along -Z; the one at its Y one further up.
    let positions: Vec<[f32; 3]> =
        document.geosets().next().unwrap().positions().iter().map(|at| at.get()).collect();
    assert!(near(positions[1], [0.0, 6.0, 10.0]) && near(positions[2], [0.0, 5.0, 11.0]), "{positions:?}");
    // The lift by 2 along the base's Y stays 2 along up, and holds until the end of the sequence.
    let lift = arm.track(tags::KGTR).unwrap();
    let keys: Vec<(i32, [f32; 3])> = lift
        .node
        .values::<mdx::records::Key<record::Vec3>>()
        .iter()
        .map(|key| (key.time.get(), key.value.get()))
        .collect();
    assert_eq!(keys.iter().map(|key| key.0).collect::<Vec<_>>(), [0, 500, 1000]);
    assert!(
        near(keys[0].1, [0.0; 3]) && near(keys[1].1, [0.0, 0.0, 2.0]) && near(keys[2].1, [0.0, 0.0, 2.0])
    );
    // The quarter about the base's Z is one about the model's X in the scene, and MDX has the same X.
    let nod = arm.track(tags::KGRT).unwrap();
    let last = nod.node.values::<mdx::records::Key<record::Quaternion>>()[1];
    assert_eq!(last.time.get(), 1000);
    let turn = last.value.get();
    let expected = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
    assert!(turn.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{turn:?}");
}

/// Where the vertices of all meshes are, at ten moments of each clip.
fn places(scene: &Scene) -> Vec<Vec3> {
    let sampler = Sampler::new(scene);
    let mut places = Vec::new();
    let mut deformed = Deformed::default();
    for (clip, duration) in scene.clips.iter().map(|clip| clip.duration).enumerate() {
        for step in 0..10_u8 {
            let time = duration * f32::from(step) / 10.0;
            let pose = sampler.pose(&Moment { clip: Some(ClipId::from(clip)), time, ..Moment::default() });
            for mesh in &scene.meshes {
                skin(mesh, &pose, &mut deformed);
                places.extend(&deformed.positions);
            }
        }
    }
    places
}

#[test]
fn a_rigid_mesh_on_a_turned_bone_moves_as_before() {
    let scene = arm::scene();
    let (document, report) = written(&scene, &plain(800));
    assert_eq!(report.notes, []);
    let again = to_scene(&document, &Default::default()).0;
    for (before, after) in places(&scene).into_iter().zip(places(&again)) {
        assert!(before.abs_diff_eq(after, 1e-4), "{before} and {after}");
    }
}

#[test]
fn samples_of_every_version_come_back_equal() {
    let versions = [800, 900, 1000, 1100, 1200];
    for version in versions {
        let name = format!("warcraft-{version}");
        let bytes = mdx::build::samples().into_iter().find(|(each, _)| *each == name).unwrap().1;
        let first = to_scene(&Document::parse(&bytes).unwrap(), &Default::default()).0;
        let (document, _) = written(&first, &plain(version));
        let second = to_scene(&document, &Default::default()).0;
        assert_eq!(differences(&first, &second, Tolerance::default()), [""; 0], "version {version}");
    }
}

#[test]
fn what_the_game_needs_is_added() {
    let (document, report) =
        written(&Scene { name: "Empty".into(), ..Scene::default() }, &Options::default());
    let names: Vec<String> =
        document.sequences().map(|sequence| mdx::view::text(sequence.name).into_owned()).collect();
    assert_eq!(names, ["Stand", "Death"]);
    let intervals: Vec<_> = document.sequences().map(|sequence| sequence.interval).collect();
    assert_eq!(intervals, [[0, 1000], [2000, 3000]]);
    assert!(document.nodes().any(|object| object.kind == NodeKind::Bone));
    assert!(document.nodes().any(|object| object.name() == "Origin Ref "));
    assert_eq!(report.notes.len(), 3);
}

#[test]
fn smooth_weights_become_repeated_bones_or_bytes() {
    let mut scene = Scene {
        nodes: vec![
            node("A", None, Transform::IDENTITY),
            node("B", Some(0), Transform::from_translation(Vec3::X)),
        ],
        ..Scene::default()
    };
    let joint =
        |at: u32, place: Vec3| Joint { node: NodeId(at), inverse_bind: Affine3A::from_translation(-place) };
    let mut bones = Skin { joints: vec![joint(0, Vec3::ZERO), joint(1, Vec3::X)], ..Skin::default() };
    let weights = |a: f32| [Influence { joint: 0, weight: a }, Influence { joint: 1, weight: 1.0 - a }];
    bones.push_vertex(weights(0.75));
    bones.push_vertex(weights(0.5));
    bones.push_vertex(weights(1.0));
    scene.meshes.push(Mesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        indices: vec![0, 1, 2].into(),
        skin: Some(bones),
        ..Mesh::default()
    });
    let (classic, report) = written(&scene, &plain(800));
    let geoset = classic.geosets().next().unwrap();
    let groups: Vec<Vec<u32>> =
        geoset.groups().map(|group| group.iter().map(|bone| bone.get()).collect()).collect();
    assert_eq!(groups, [vec![0, 0, 0, 1], vec![0, 1], vec![0]]);
    assert_eq!(geoset.vertex_groups(), [0, 1, 2]);
    assert_eq!(report.notes, []);
    let (reforged, _) = written(&scene, &plain(1000));
    let groups: Vec<usize> = reforged.geosets().next().unwrap().groups().map(<[_]>::len).collect();
    assert_eq!(groups, [4, 2, 1], "equal shares need no weights");
    scene.meshes[0].skin.as_mut().unwrap().influences[0].weight = 0.7;
    scene.meshes[0].skin.as_mut().unwrap().influences[1].weight = 0.3;
    let (reforged, _) = written(&scene, &plain(1000));
    let skin = reforged.geosets().next().unwrap().skin();
    // 0.7 and 0.3 of 255 are 178.5 and 76.5.
    assert_eq!((skin[0].bones, skin[0].weights), ([0, 1, 0, 0], [179, 76, 0, 0]));
}

#[test]
fn large_meshes_are_divided() {
    let count = 9_000_u32;
    let positions: Vec<Vec3> = (0..count).map(|at| Vec3::new(at as f32, (at % 7) as f32, 0.0)).collect();
    let mesh = Mesh { positions, indices: (0..count).collect::<Vec<_>>().into(), ..Mesh::default() };
    let scene = Scene { meshes: vec![mesh], ..Scene::default() };
    let (document, report) = written(&scene, &plain(800));
    let sizes: Vec<usize> = document.geosets().map(|geoset| geoset.vertex_count()).collect();
    // 7,432 is not a multiple of three, and no triangle is cut.
    assert_eq!(sizes, [7431, 1569]);
    assert!(report.notes.iter().any(|note| note.message.starts_with("divided into 2 geosets")));
    assert_eq!(written(&scene, &plain(1000)).0.geosets().count(), 1);
}

#[test]
fn more_groups_of_bones_than_a_byte_counts_divide_a_mesh() {
    let bone = |at: u32| Node { is_bone: true, ..node(&format!("B{at}"), None, Transform::IDENTITY) };
    let joint = |at: u32| Joint { node: NodeId(at), inverse_bind: Affine3A::IDENTITY };
    let mut bones = Skin { joints: (0..300).map(joint).collect(), ..Skin::default() };
    // Each vertex has a bone of its own, so each is a group of its own.
    (0..300).for_each(|at| bones.push_vertex([Influence { joint: at, weight: 1.0 }]));
    let mesh = Mesh {
        name: "Centipede".into(),
        positions: (0..300_u16).map(|at| Vec3::new(f32::from(at), f32::from(at % 3), 0.0)).collect(),
        indices: (0..300).collect::<Vec<u32>>().into(),
        skin: Some(bones),
        ..Mesh::default()
    };
    let scene = Scene { nodes: (0..300).map(bone).collect(), meshes: vec![mesh], ..Scene::default() };
    let (document, report) = written(&scene, &plain(800));
    let groups: Vec<usize> = document.geosets().map(|geoset| geoset.groups().count()).collect();
    // 256 is not a multiple of three, and no triangle is cut.
    assert_eq!(groups, [255, 45]);
    assert!(report.notes.iter().any(|note| note.message.starts_with("divided into 2 geosets")), "{report:?}");
    let again = to_scene(&document, &Default::default()).0;
    let moved: Vec<NodeId> = again
        .meshes
        .iter()
        .flat_map(|mesh| &mesh.skin)
        .flat_map(|skin| &skin.joints)
        .map(|joint| joint.node)
        .collect();
    assert_eq!(moved, (0..300).map(NodeId).collect::<Vec<_>>());
}

#[test]
fn vertices_that_nothing_moves_follow_a_bone_that_stands_still() {
    let mut scene = arm::scene();
    scene.nodes.iter_mut().for_each(|node| node.is_bone = true);
    scene.meshes[0].node = None;
    let bones = |scene: &Scene| {
        let (document, _) = written(scene, &plain(800));
        let names: Vec<String> = document.nodes().map(|object| object.name().into_owned()).collect();
        let groups = document
            .geosets()
            .next()
            .unwrap()
            .groups()
            .map(|group| group[0].get() as usize)
            .collect::<Vec<_>>();
        (names.clone(), groups.iter().map(|bone| names[*bone].clone()).collect::<Vec<_>>())
    };
    // The arm moves, and the base does not.
    assert_eq!(bones(&scene), (vec!["Base".to_owned(), "Arm".to_owned()], vec!["Base".to_owned()]));
    let turn = Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]);
    let target = Target::Node(NodeId(0), NodeProperty::Rotation);
    scene.clips[0].channels.push(Channel { target, curve: Curve::Rotation(turn) });
    // Now both move: a third bone stands still.
    let (names, moved) = bones(&scene);
    assert_eq!((names.len(), moved), (3, vec!["Root".to_owned()]), "{names:?}");
}

#[test]
fn too_many_bones_for_weights_are_refused() {
    let nodes: Vec<Node> = (0..300)
        .map(|at| Node { is_bone: true, ..node(&format!("B{at}"), None, Transform::IDENTITY) })
        .collect();
    let joint = Joint { node: NodeId(299), inverse_bind: Affine3A::IDENTITY };
    let other = Joint { node: NodeId(0), inverse_bind: Affine3A::IDENTITY };
    let mut bones = Skin { joints: vec![joint, other], ..Skin::default() };
    for _ in 0..3 {
        bones.push_vertex([Influence { joint: 0, weight: 0.7 }, Influence { joint: 1, weight: 0.3 }]);
    }
    let mesh = Mesh {
        name: "Cloak".into(),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        indices: vec![0, 1, 2].into(),
        skin: Some(bones),
        ..Mesh::default()
    };
    let scene = Scene { nodes, meshes: vec![mesh], ..Scene::default() };
    let error = to_mdx(&scene, &plain(1000)).unwrap_err().to_string();
    assert!(error.contains("Cloak: bone 299") && error.contains("write version 800"), "{error}");
    let error = to_mdx(&scene, &plain(950)).unwrap_err().to_string();
    assert!(error.contains("cannot write version 950; supported: 800, 900, 1000, 1100, 1200"), "{error}");
    written(&scene, &plain(800));
}

#[test]
fn hidden_nodes_fade_their_meshes() {
    let mut scene = arm::scene();
    let blink = Track::new(Interpolation::Step, [(0.0, true), (0.25, false), (0.75, true)]);
    scene.clips[0].channels = vec![Channel {
        target: Target::Node(NodeId(1), NodeProperty::Visibility),
        curve: Curve::Flag(blink),
    }];
    let (document, _) = written(&scene, &plain(800));
    let animation = document.geoset_animations().next().unwrap();
    let track = mdx::view::tracks(animation.node).find(|track| track.row.tag == tags::KGAO).unwrap();
    assert_eq!(track.interpolation(), Between::NONE);
    let keys: Vec<(i32, f32)> = track
        .node
        .values::<mdx::records::Key<record::F32>>()
        .iter()
        .map(|key| (key.time.get(), key.value.get()))
        .collect();
    assert_eq!(keys, [(0, 1.0), (250, 0.0), (750, 1.0)]);
}

#[test]
fn layers_keep_their_blending() {
    let layer =
        |blend, alpha_test| Layer { blend, alpha_test, two_sided: true, unlit: true, ..Layer::default() };
    let modes = [
        (layer(BlendMode::Opaque, None), FilterMode::NONE),
        (layer(BlendMode::Opaque, Some(AlphaTest::W3D)), FilterMode::TRANSPARENT),
        (layer(BlendMode::Alpha, None), FilterMode::BLEND),
        (layer(BlendMode::Add, None), FilterMode::ADDITIVE),
        (layer(BlendMode::Multiply, None), FilterMode::MODULATE),
        (layer(BlendMode::Screen, None), FilterMode::ADDITIVE),
    ];
    for (layer, expected) in modes {
        let material = Material { layers: vec![layer.clone()], ..Material::default() };
        let (document, report) =
            written(&Scene { materials: vec![material], ..Scene::default() }, &plain(800));
        let made = document.materials().next().unwrap().layers().next().unwrap();
        assert_eq!(made.filter_mode(), expected, "{:?}", layer.blend);
        assert_eq!(report.notes.is_empty(), layer.blend != BlendMode::Screen);
        // What has no texture is white.
        assert_eq!(document.textures()[0].path.to_string(), "Textures\\white.blp");
    }
}

#[test]
fn what_glows_in_w3d_is_unshaded_in_the_colour_of_its_light() {
    let colors = |diffuse: Vec3, emissive: Vec3| {
        let lighting = scene::Lighting { diffuse, emissive, ..scene::Lighting::default() };
        let layer = Layer { blend: BlendMode::Add, lighting: Some(lighting), ..Layer::default() };
        let mut scene = arm::scene();
        scene.materials = vec![Material { layers: vec![layer], ..Material::default() }];
        scene.meshes[0].parts =
            vec![scene::Part { material: Some(scene::MaterialId(0)), start: 0, count: 3 }];
        let (document, _) = written(&scene, &plain(800));
        let material = document.materials().next().unwrap();
        let is_unshaded =
            material.layers().next().unwrap().parts.header.flags.has(mdx::records::LayerFlags::UNSHADED);
        (is_unshaded, document.geoset_animations().next().and_then(|animation| animation.color))
    };
    // Westwood's glow reflects nothing: a lit geoset in its diffuse colour would be black.
    assert_eq!(colors(Vec3::ZERO, Vec3::ONE), (true, None));
    assert_eq!(colors(Vec3::ZERO, Vec3::new(1.0, 0.5, 0.25)), (true, Some([1.0, 0.5, 0.25])));
    assert_eq!(colors(Vec3::splat(0.5), Vec3::ZERO), (false, Some([0.5; 3])));
}

#[test]
fn vertex_colours_become_the_colour_of_their_geoset() {
    let layer = Layer { color_set: Some(0), ..Layer::default() };
    let mut scene = arm::scene();
    scene.materials = vec![Material { layers: vec![layer], ..Material::default() }];
    scene.meshes[0].parts = vec![scene::Part { material: Some(scene::MaterialId(0)), start: 0, count: 3 }];
    scene.meshes[0].color_sets = vec![vec![[255, 0, 51, 255]; 3]];
    let color = |document: &Document<'_>| document.geoset_animations().next().unwrap().color.unwrap();
    let (document, report) = written(&scene, &plain(800));
    assert_eq!((color(&document), report.notes), ([1.0, 0.0, 0.2], vec![]));
    // Different ones become their mean, which is a loss: 255, 0 and 0 are 85.
    scene.meshes[0].color_sets = vec![vec![[255; 4], [0, 255, 255, 255], [0, 255, 255, 255]]];
    let (document, report) = written(&scene, &plain(800));
    let [red, green, blue] = color(&document);
    assert!((red - 1.0 / 3.0).abs() < 1e-6 && green == 1.0 && blue == 1.0, "{red} {green} {blue}");
    assert_eq!(report.notes[0].message, "vertex colours of 1 mesh became one colour each: MDX has none");
}

#[test]
fn a_second_texture_darkens_only_opaque_surfaces() {
    let layers = |blend: BlendMode| {
        let slot = |kind| TextureSlot { kind, texture: Some(TextureId(0)), ..TextureSlot::default() };
        let detail = TextureSlot { color_combine: scene::Combine::Scale, ..slot(scene::SlotKind::Detail) };
        let layer = Layer { blend, slots: vec![slot(scene::SlotKind::Diffuse), detail], ..Layer::default() };
        let scene = Scene {
            textures: vec![Texture { name: "a.blp".into(), ..Texture::default() }],
            materials: vec![Material { layers: vec![layer], ..Material::default() }],
            ..Scene::default()
        };
        let (document, report) = written(&scene, &plain(800));
        let modes = document.materials().next().unwrap().layers().map(|layer| layer.filter_mode());
        (modes.collect::<Vec<_>>(), report.notes.len())
    };
    assert_eq!(layers(BlendMode::Opaque), (vec![FilterMode::NONE, FilterMode::MODULATE], 0));
    assert_eq!(layers(BlendMode::Add), (vec![FilterMode::ADDITIVE], 1));
}

#[test]
fn house_colours_become_team_colours() {
    let texture = Texture { name: "housecolor.tga".into(), ..Texture::default() };
    let slot = TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() };
    let layer = Layer { slots: vec![slot], ..Layer::default() };
    let material = Material { layers: vec![layer], house_color: true, ..Material::default() };
    let scene = Scene { textures: vec![texture], materials: vec![material], ..Scene::default() };
    let (document, _) = written(&scene, &plain(800));
    let layers: Vec<_> = document.materials().next().unwrap().layers().collect();
    let modes: Vec<_> = layers.iter().map(|layer| layer.filter_mode()).collect();
    assert_eq!(modes, [FilterMode::NONE, FilterMode::MODULATE]);
    let ids: Vec<u32> = document.textures().iter().map(|texture| texture.replaceable_id.get()).collect();
    assert_eq!(ids, [0, 1], "replaceable id 1 is the player's colour");
    assert_eq!(layers[0].textures().next().unwrap().texture_id, 1);
}

#[test]
fn objects_that_share_a_node_hang_below_it() {
    let scene = Scene {
        nodes: vec![Node { is_bone: true, ..node("Hand", None, Transform::from_translation(Vec3::Y * 4.0)) }],
        attachments: vec![Attachment::new(NodeId(0), AttachmentKind::Point)],
        collision_shapes: vec![CollisionShape {
            name: "Body".into(),
            node: NodeId(0),
            shape: scene::Shape::Box {
                min: Vec3::new(-1.0, 0.0, -2.0),
                max: Vec3::new(1.0, 3.0, 2.0),
                axis_aligned: false,
            },
            mask: CollisionMask::NONE,
        }],
        ..Scene::default()
    };
    let (document, _) = written(&scene, &plain(800));
    let objects: Vec<_> =
        document.nodes().map(|object| (object.kind, object.name().into_owned(), object.parent())).collect();
    let expected = [
        (NodeKind::Bone, "Hand".to_owned(), None),
        (NodeKind::Attachment, "Hand".to_owned(), Some(0)),
        (NodeKind::CollisionShape, "Body".to_owned(), Some(0)),
    ];
    assert_eq!(objects, expected);
    let shape = document.nodes().nth(2).unwrap();
    let Some(Shape::Box(min, max)) = shape.shape() else { panic!("{:?}", shape.shape()) };
    assert_eq!((min, max), ([-1.0, -2.0, 0.0], [1.0, 2.0, 3.0]));
    assert_eq!(NodeFlags::new(shape.raw_flags()), NodeFlags::COLLISION_SHAPE);
    assert_eq!(document.dialect, Dialect::Warcraft);
}

#[test]
fn events_need_a_time() {
    let event = |name: &str| Event { node: NodeId(0), name: name.into(), global: None };
    let scene = Scene {
        nodes: vec![node("SNDxDHLB", None, Transform::IDENTITY)],
        events: vec![event("SNDxDHLB"), event("FPTxABCD")],
        clips: vec![Clip {
            name: "Stand".into(),
            duration: 2.0,
            events: vec![EventKey { time: 0.5, event: EventId(0) }],
            ..Clip::default()
        }],
        ..Scene::default()
    };
    let (document, _) = written(&scene, &plain(800));
    let times: Vec<Vec<i32>> =
        document.nodes().map(|object| object.event_times().iter().map(|time| time.get()).collect()).collect();
    assert_eq!(times, [vec![500], vec![3000]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the damage, what was read can be written, and what is written is sound.
    #[test]
    fn damaged_samples_can_be_written(which in 0..6_usize, damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = mdx::build::samples().swap_remove(which).1;
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(document) = Document::parse(&bytes) {
            let scene = to_scene(&document, &Default::default()).0;
            if let Ok((document, _)) = to_mdx(&scene, &Options::default()) {
                let bytes = document.to_bytes().unwrap();
                prop_assert_eq!(Document::parse(&bytes).unwrap().diagnostics(), vec![]);
            }
        }
    }
}

#[test]
fn textures_without_a_slot_in_the_version_are_dropped() {
    let texture = |name: &str| Texture { name: name.into(), ..Texture::default() };
    let slot = |kind, texture: u32| TextureSlot {
        kind,
        texture: Some(TextureId(texture)),
        ..TextureSlot::default()
    };
    let slots = vec![slot(scene::SlotKind::Diffuse, 2), slot(scene::SlotKind::Normal, 0)];
    let layer = Layer { slots, ..Layer::default() };
    let scene = Scene {
        textures: vec![texture("normal.blp"), texture("unused.blp"), texture("skin.blp")],
        materials: vec![Material { layers: vec![layer], ..Material::default() }],
        ..Scene::default()
    };
    let paths = |options: &Options| {
        let (document, _) = written(&scene, options);
        let paths = document.textures().iter().map(|texture| texture.path.to_string());
        let layer = document.materials().next().unwrap().layers().next().unwrap();
        let used = layer.textures().next().unwrap().texture_id;
        (paths.collect::<Vec<_>>(), used)
    };
    // What nothing used before stays in a file that is only written again; the normal map has no slot any more.
    assert_eq!(paths(&plain(800)), (vec!["unused.blp".to_owned(), "skin.blp".to_owned()], 1));
    assert_eq!(paths(&Options::default()), (vec!["skin.blp".to_owned()], 0));
}
