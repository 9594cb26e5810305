//! Views read every kind of object in both games, and their counterparts change nothing but what they say.

use meshwright_mdx::view::{NodeKind, Shape, text};
use meshwright_mdx::{Dialect, Document, build, kinds, tags};
use proptest::prelude::*;

fn sample(name: &str) -> Vec<u8> {
    build::samples().into_iter().find(|(each, _)| *each == name).unwrap().1
}

#[test]
fn every_kind_of_node_has_a_view() {
    for (name, bytes) in build::samples() {
        let document = Document::parse(&bytes).unwrap();
        let popcorn = document.dialect == Dialect::Warcraft && document.version >= 900;
        let counts = [
            document.bones().count(),
            document.lights().count(),
            document.helpers().count(),
            document.attachments().count(),
            document.particle_emitters().count(),
            document.particle_emitters_2().count(),
            document.popcorn_emitters().count(),
            document.ribbon_emitters().count(),
            document.event_objects().count(),
            document.collision_shapes().count(),
        ];
        assert_eq!(counts, [2, 1, 1, 1, 1, 1, usize::from(popcorn), 1, 1, 2], "{name}");
        assert_eq!(counts.iter().sum::<usize>(), document.nodes().count(), "{name}");
    }
}

#[test]
fn views_of_nodes_find_what_their_kind_has() {
    for (name, bytes) in build::samples() {
        let document = Document::parse(&bytes).unwrap();
        let bone = document.bones().next().unwrap();
        assert_eq!((bone.name(), bone.geoset_id(), bone.parent()), ("Root".into(), Some(0), None), "{name}");
        assert_eq!(document.bones().nth(1).unwrap().geoset_id(), None, "{name}");
        let light = document.lights().next().unwrap().parts().unwrap();
        assert_eq!((light.color.intensity.get(), light.color.attenuation_end.get()), (10.0, 200.0), "{name}");
        assert!(document.attachments().next().unwrap().parts().is_some(), "{name}");
        let sparks = document.particle_emitters().next().unwrap();
        assert_eq!(sparks.header().unwrap().path.to_string(), "Particles\\spark.mdl", "{name}");
        assert_eq!(
            document.particle_emitters_2().next().unwrap().parts().unwrap().emission_rate,
            20.0,
            "{name}"
        );
        if let Some(effect) = document.popcorn_emitters().next() {
            assert_eq!(effect.header().unwrap().path.to_string(), "effects\\sample.pkfx", "{name}");
        }
        let ribbon = document.ribbon_emitters().next().unwrap();
        assert_eq!(ribbon.header().unwrap().height_above.get(), 4.0, "{name}");
        let times: Vec<i32> =
            document.event_objects().next().unwrap().times().iter().map(|time| time.get()).collect();
        assert_eq!(times, [0, 500], "{name}");
        let shapes: Vec<Shape> = document.collision_shapes().filter_map(|shape| shape.shape()).collect();
        assert!(matches!(shapes[..], [Shape::Box(..), Shape::Sphere([0.0, 0.0, 8.0], 16.0)]), "{name}");
        let camera = document.cameras().next().unwrap();
        assert_eq!(
            (camera.name(), camera.tracks().count(), camera.target.is_some()),
            ("Portrait".into(), 3, true)
        );
    }
}

#[test]
fn views_of_materials_and_geosets_read_through_handles() {
    let bytes = sample("warcraft-1200");
    let document = Document::parse(&bytes).unwrap();
    let geoset = document.geosets().next().unwrap();
    assert_eq!(geoset.get(kinds::VRTX), geoset.positions());
    assert_eq!(geoset.get(kinds::PVTX).len(), 6);
    assert_eq!(geoset.get(kinds::GEOSET_HEADER).unwrap().material_id.get(), 0);
    let animation = document.texture_animations().next().unwrap();
    assert_eq!(animation.tracks().count(), 3);
    assert!(animation.track(tags::KTAR).is_some() && animation.track(tags::KGRT).is_none());
    let layer = document.materials().nth(1).unwrap().layers().next().unwrap();
    assert_eq!((layer.textures().count(), layer.get(kinds::LAYER_HEADER).is_some()), (6, true));
    assert_eq!(document.view().face_effects().len(), 1);
    assert_eq!(document.view().get(kinds::BPOS).len(), 13);
    assert!(meshwright_mdx::view::Geoset::new(&document.root).is_none());
    assert!(meshwright_mdx::view::Camera::new(geoset.node()).is_none());
}

type Change = fn(&mut Document<'_>, &str) -> Result<(), record::Error>;

/// Each setter with a way to call it on any sample.
const CHANGES: &[(&str, Change)] = &[
    ("model", |model, text| model.set_name(text)),
    ("texture", |model, text| model.set_texture(1, text)),
    ("sequence", |model, text| model.sequences_mut().next().unwrap().set_name(text)),
    ("bone", |model, text| model.nodes_mut().next().unwrap().set_name(text)),
    ("event", |model, text| {
        model.nodes_mut().find(|node| node.kind == NodeKind::EventObject).unwrap().set_name(text)
    }),
    ("attachment", |model, text| {
        model.nodes_mut().find(|node| node.kind == NodeKind::Attachment).unwrap().set_path(text)
    }),
    ("emitter", |model, text| {
        model.nodes_mut().find(|node| node.kind == NodeKind::ParticleEmitter).unwrap().set_path(text)
    }),
    ("camera", |model, text| model.cameras_mut().next().unwrap().set_name(text)),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No size changes, and the bytes that differ lie in one field.
    #[test]
    fn a_change_keeps_every_other_byte(index in 0..CHANGES.len(), which in 0_usize..8, text in "[a-zA-Z0-9_.]{1,40}") {
        let (_, bytes) = build::samples().into_iter().nth(which).unwrap();
        let mut document = Document::parse(&bytes).unwrap();
        let (name, change) = CHANGES[index];
        change(&mut document, &text).unwrap();
        let changed = document.to_bytes().unwrap();
        prop_assert_eq!(changed.len(), bytes.len());
        let start = bytes.iter().zip(&changed).take_while(|(a, b)| a == b).count();
        let end = bytes.iter().rev().zip(changed.iter().rev()).take_while(|(a, b)| a == b).count();
        prop_assert!(bytes.len() - start - end <= text.len().max(40), "{}", name);
        prop_assert!(changed.windows(text.len()).any(|window| window == text.as_bytes()), "{}", name);
        prop_assert_eq!(Document::parse(&changed).unwrap().diagnostics().len(), 0);
    }
}

#[test]
fn numbers_are_changed_in_place() {
    let bytes = sample("warcraft-1200");
    let mut document = Document::parse(&bytes).unwrap();
    document.geosets_mut().next().unwrap().set_material(1).unwrap();
    document.geosets_mut().next().unwrap().set_name("Body").unwrap();
    document.nodes_mut().nth(1).unwrap().set_parent(None).unwrap();
    document.materials_mut().nth(1).unwrap().layers_mut().next().unwrap().set_texture(2, 1).unwrap();
    document.sequences_mut().nth(1).unwrap().end.set(3000);
    let geoset = document.geosets().next().unwrap();
    assert_eq!(geoset.material_id(), Some(1));
    assert_eq!(text(&geoset.level_of_detail().unwrap().name), "Body");
    assert_eq!(document.nodes().nth(1).unwrap().parent(), None);
    let layer = document.materials().nth(1).unwrap().layers().next().unwrap();
    assert_eq!(layer.textures().nth(2).unwrap().texture_id, 1);
    assert_eq!(document.sequences().nth(1).unwrap().interval, [1333, 3000]);
    assert_eq!(document.to_bytes().unwrap().len(), bytes.len());
}

#[test]
fn the_texture_of_a_layer_is_in_the_header_before_slots() {
    let bytes = sample("warcraft-800");
    let mut document = Document::parse(&bytes).unwrap();
    let mut material = document.materials_mut().next().unwrap();
    let mut layer = material.layers_mut().next().unwrap();
    layer.set_texture(0, 1).unwrap();
    let error = layer.set_texture(1, 1).unwrap_err();
    assert_eq!(error.diagnostic().message, "the layer has no texture slot 1");
    let layer = document.materials().next().unwrap().layers().next().unwrap();
    assert_eq!(layer.parts.header.texture_id.get(), 1);
}

#[test]
fn what_is_not_there_or_does_not_fit_is_refused() {
    let bytes = sample("warcraft-800");
    let mut document = Document::parse(&bytes).unwrap();
    let message = |error: record::Error| error.diagnostic().message.clone();
    assert_eq!(
        message(document.set_texture(9, "a.blp").unwrap_err()),
        "the model has no texture 9: it has 2"
    );
    let long = "x".repeat(81);
    assert!(
        message(document.set_name(&long).unwrap_err())
            .ends_with("has 81 characters, and there is room for 79")
    );
    let error = document.geosets_mut().next().unwrap().set_name("Body").unwrap_err();
    assert_eq!(message(error), "the geoset has no name in this version");
    assert_eq!(document.to_bytes().unwrap(), bytes);
    assert_eq!(document.replace_texture("TEXTURES\\WHITE.BLP", "b.blp").unwrap(), 1);
}
