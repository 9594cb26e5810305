//! The samples of every version.

use glam::{Vec2, Vec3};
use mdx::Document;
use meshwright_convert::mdx::{NoteKind, Options, to_scene};
use scene::*;

fn sample(name: &str) -> (Scene, meshwright_convert::Report) {
    let bytes = mdx::build::samples().into_iter().find(|(each, _)| *each == name).unwrap().1;
    to_scene(&Document::parse(&bytes).unwrap(), &Options::default())
}

#[test]
fn every_sample_is_carried() {
    for (name, bytes) in mdx::build::samples() {
        let (scene, report) = to_scene(&Document::parse(&bytes).unwrap(), &Options::default());
        assert_eq!(scene.name, "Sample", "{name}");
        let hd = name != "warcraft-800" && name.starts_with("warcraft");
        assert_eq!(scene.emitters.len(), if hd { 3 } else { 2 }, "{name}");
        assert_eq!((scene.lights.len(), scene.cameras.len(), scene.ribbons.len()), (1, 1, 1), "{name}");
        assert_eq!((scene.attachments.len(), scene.events.len()), (1, 1), "{name}");
        assert_eq!(scene.materials.len(), scene.meshes.len(), "{name}");
        assert_eq!(report.of(NoteKind::Damaged).chain(report.of(NoteKind::Missing)).count(), 0, "{name}");
        // Its two rows of HD are one layer whichever way the version has them.
        let layers: Vec<_> = scene.materials.iter().map(|material| material.layers.len()).collect();
        assert_eq!(layers, if hd { vec![2, 1] } else { vec![2] }, "{name}");
        let left_out: Vec<_> = report.of(NoteKind::Skipped).map(|note| note.part.as_str()).collect();
        let expected: &[&str] = match name {
            "warcraft-800" => &[],
            // The bind matrices of BPOS are no loss: nodes rest at their pivots.
            _ if hd => &["FAFX"],
            _ => &[],
        };
        assert_eq!(left_out, expected, "{name}");
    }
}

#[test]
fn the_wow_alpha() {
    let (scene, report) = sample("wow-1300");
    assert_eq!((scene.nodes.len(), scene.meshes.len(), scene.clips.len()), (12, 1, 1));
    assert_eq!((scene.clips[0].name.as_str(), scene.clips[0].duration), ("Stand", 1.0));
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.positions[2], Vec3::new(16.0, 0.0, -16.0));
    assert!(mesh.indices.iter().eq([0, 1, 2, 0, 2, 3]));
    assert_eq!(mesh.uv_sets, [[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from)]);
    let skin = mesh.skin.as_ref().unwrap();
    assert_eq!(
        [0, 1, 2, 3].map(|vertex| skin.joints[skin.of(vertex)[0].joint as usize].node.0),
        [0, 0, 1, 1]
    );
    // Nothing in the file says whether it casts a shadow: it does, as by default.
    assert!(mesh.casts_shadow);
    let bytes = mdx::build::samples().into_iter().find(|(name, _)| *name == "wow-1300").unwrap().1;
    let document = Document::parse(&bytes).unwrap();
    assert!(document.view().geoset_animations().all(|animation| !animation.drop_shadow));
    let shapes: Vec<_> = scene
        .emitters
        .iter()
        .filter_map(|emitter| match &emitter.kind {
            EmitterKind::Sprite(sprite) => sprite.wow.as_ref().map(|wow| wow.shape.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(shapes, [WowEmitterShape::Plane]);
    // Its colour is used by flag 1, and its tracks are blue, green, red.
    assert_eq!(mesh.color, Vec3::new(1.0, 0.5, 0.25));
    let moment = Moment { clip: Some(ClipId(0)), time: 0.0, ..Moment::default() };
    assert_eq!(Sampler::new(&scene).pose(&moment).meshes[0].color, Vec3::new(1.0, 0.5, 0.25));
    // KVIS, on everything that shows.
    let visible = |target| scene.value(target, &moment) == Some(Value::Flag(true));
    assert!(visible(Target::Node(NodeId(4), NodeProperty::Visibility)));
    assert!(visible(Target::Light(LightId(0), LightProperty::Visibility)));
    assert!(visible(Target::Emitter(EmitterId(0), EmitterProperty::Visibility)));
    assert!(visible(Target::Emitter(EmitterId(1), EmitterProperty::Visibility)));
    assert!(visible(Target::Ribbon(RibbonId(0), RibbonProperty::Visibility)));
    // Two hit test shapes and the collision mesh.
    let [Shape::Box { .. }, Shape::Sphere { .. }, Shape::Mesh { positions, indices }] =
        &scene.collision_shapes.iter().map(|shape| shape.shape.clone()).collect::<Vec<_>>()[..]
    else {
        panic!("a box, a ball and a mesh")
    };
    assert_eq!((positions[2], &indices[..]), (Vec3::new(16.0, 0.0, -16.0), &[0, 1, 2, 0, 2, 3][..]));
    assert_eq!(report.of(NoteKind::Assumed).count(), 1, "whose replaceable textures they are");
}

#[test]
fn batches_of_the_wow_alpha() {
    let (scene, _) = sample("wow-1500");
    let mesh = &scene.meshes[0];
    assert_eq!((mesh.positions.len(), mesh.normals[0]), (4, Vec3::Y));
    assert_eq!(mesh.positions[0], Vec3::new(-16.0, 0.0, 16.0));
    assert_eq!(mesh.uv_sets, [[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from)]);
    assert!(mesh.indices.iter().eq([0, 1, 2, 0, 2, 3]));
    assert_eq!(mesh.skin.as_ref().unwrap().joints.len(), 1);
    assert_eq!(mesh.bounds.unwrap().radius, 32.0);
}

#[test]
fn without_animations_nothing_moves() {
    let bytes = mdx::build::samples().swap_remove(0).1;
    let document = Document::parse(&bytes).unwrap();
    let (scene, report) = to_scene(&document, &Options { animations: false, ..Options::default() });
    assert!(scene.clips.is_empty() && scene.global_channels.is_empty() && scene.global_sequences.is_empty());
    assert_eq!((scene.meshes.len(), report.notes.len()), (1, 0));
}
