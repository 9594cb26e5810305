//! Any time can be requested directly, and gives the same particles.

use super::scenes::*;
use glam::Vec3;
use meshwright_render::particles::{Rules, Situation, emit};
use scene::*;

/// A scene of each kind with all randomness on.
fn random_scenes() -> Vec<Scene> {
    let mut scenes = vec![
        sprite_scene(|sprites| {
            (sprites.latitude, sprites.variation, sprites.width, sprites.length) = (90.0, 0.5, 5.0, 6.0);
            (sprites.emission_rate, sprites.tail) = (20.0, true);
        }),
        keyed_scene(|keyed| {
            keyed.creation_volume = Volume::Cylinder { half_length: 1.0, radius: 2.0 };
            keyed.velocity_random = Volume::Box(Vec3::ONE);
            (keyed.size.random, keyed.orientation_random, keyed.rotation.random) = (0.5, 1.0, 1.0);
            keyed.emission_rate = 20.0;
        }),
        keyed_scene(|keyed| {
            let line =
                LineProperties { subdivision_level: 3, noise_amplitude: 1.0, ..LineProperties::default() };
            (keyed.render, keyed.line) = (ParticleRender::Line, Some(line));
        }),
    ];
    scenes.iter_mut().for_each(moving);
    scenes
}

#[test]
fn any_time_gives_the_same_forwards_and_backwards() {
    for scene in random_scenes() {
        let times: Vec<f32> = (0..50_u8).map(|step| f32::from(step) * 0.13).collect();
        let forwards: Vec<_> = times.iter().map(|&time| at(&scene, time, Rules::default())).collect();
        let mut backwards: Vec<_> =
            times.iter().rev().map(|&time| at(&scene, time, Rules::default())).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
        assert!(forwards.iter().all(Option::is_some));
    }
}

#[test]
fn particles_go_on_when_the_clip_starts_again() {
    for scene in random_scenes().into_iter().take(2) {
        let (before, after) =
            (at(&scene, 3.999, Rules::default()).unwrap(), at(&scene, 4.001, Rules::default()).unwrap());
        // The youngest before the end is still there afterwards, two milliseconds of way farther.
        let last = before.pieces.last().unwrap().center;
        let nearest =
            after.pieces.iter().map(|piece| piece.center.distance(last)).fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.05, "{nearest}");
        assert!(before.pieces.len().abs_diff(after.pieces.len()) <= 4);
    }
}

#[test]
fn another_seed_makes_other_particles() {
    let scene = &random_scenes()[0];
    let sampler = Sampler::new(scene);
    let with = |seed| {
        let situation = Situation { clip: Some(ClipId(0)), elapsed: 5.0, seed, ..Situation::new(&sampler) };
        emit(&situation, EmitterId(0)).unwrap()
    };
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
    assert_eq!(with(1).pieces.len(), with(2).pieces.len());
}

#[test]
fn hidden_emitters_emit_nothing_but_what_lives_goes_on() {
    let mut scene = sprite_scene(|sprites| sprites.emission_rate = 10.0);
    let shown = Track::new(Interpolation::Step, [(0.0, true), (1.0, false)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Emitter(EmitterId(0), EmitterProperty::Visibility),
        curve: Curve::Flag(shown),
    });
    let count = |elapsed| at(&scene, elapsed, Rules::default()).map_or(0, |cloud| cloud.pieces.len());
    // Ten in the first second of each round, at 4.1 to 5.0; they live for a second and a half.
    assert_eq!(count(4.95), 9);
    assert_eq!(count(5.75), 8);
    assert_eq!(count(6.05), 5);
    scene.emitters[0].visible = false;
    scene.clips.clear();
    assert_eq!(at(&scene, 5.0, Rules::default()), None);
}
