//! Warcraft III's first kind of emitter, whose particles are models, and Reforged's effects.

use super::scenes::*;
use meshwright_render::frame::PictureId;
use meshwright_render::particles::{Rules, Situation, event};
use scene::*;

#[test]
fn model_and_effect_emitters_show_markers_or_nothing() {
    let models = ModelEmitter {
        path: "Spark.mdl".into(),
        emission_rate: 1.0,
        life_span: 1.5,
        speed: 10.0,
        gravity: 8.0,
        ..ModelEmitter::default()
    };
    let markers = Rules { markers: true, ..Rules::default() };
    let scene = scene_of(EmitterKind::Model(models.clone()));
    assert_eq!(at(&scene, 5.25, Rules::default()), None);
    let cloud = at(&scene, 5.25, markers).unwrap();
    assert_places(&centers(&cloud), &[[0.0, 12.5 - 6.25, 0.0], [0.0, 2.5 - 0.25, 0.0]]);
    assert_eq!(cloud.picture, Some(PictureId::Glow));

    let mut pictures = scene_of(EmitterKind::Model(ModelEmitter {
        path: "textures/spark.tga".into(),
        is_picture: true,
        ..models
    }));
    pictures.textures.push(Texture { name: "Textures\\Spark.tga".into(), ..Texture::default() });
    let cloud = at(&pictures, 5.25, Rules::default()).unwrap();
    assert_eq!(cloud.picture, Some(PictureId::Texture(TextureId(0))));

    let effect = scene_of(EmitterKind::Effect(EffectEmitter::default()));
    assert_eq!(at(&effect, 5.25, Rules::default()), None);
    assert_places(&centers(&at(&effect, 5.25, markers).unwrap()), &[[0.0; 3]]);
}

#[test]
fn events_show_a_marker_for_a_fifth_of_a_second() {
    let mut scene = scene_of(EmitterKind::Effect(EffectEmitter::default()));
    scene.events.push(Event { node: NodeId(0), name: "FPTxAAA0".into(), global: None });
    scene.clips[0].events.push(EventKey { time: 0.5, event: EventId(0) });
    scene.global_sequences.push(GlobalSequence { duration: 3.0 });
    let global = Some((GlobalSequenceId(0), vec![1.0]));
    scene.events.push(Event { node: NodeId(0), name: "SNDxAAA0".into(), global });
    moving(&mut scene);
    let at = |id, elapsed: f32, markers| {
        let sampler = Sampler::new(&scene);
        let rules = Rules { markers, ..Rules::default() };
        let clip = Some(ClipId(0));
        let situation = Situation { clip, elapsed, clock: elapsed, rules, ..Situation::new(&sampler) };
        event(&situation, EventId(id))
    };
    // The clip is two seconds long and starts again; the node moves at one unit a second.
    assert_places(&centers(&at(0, 2.6, true).unwrap()), &[[0.6, 0.0, 0.0]]);
    assert_eq!(at(0, 2.6, false), None);
    assert_eq!((at(0, 0.4, true), at(0, 0.75, true), at(7, 0.6, true)), (None, None, None));
    // The global sequence has a separate clock.
    assert!(at(1, 4.1, true).is_some());
    assert_eq!(at(1, 3.1, true), None);
}
