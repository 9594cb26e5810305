//! Numbers that no emitter should have.

use super::scenes::*;
use glam::*;
use meshwright_render::particles::*;
use scene::*;

#[test]
fn nan_infinite_and_huge_numbers_are_harmless() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, f32::MAX, f32::MIN_POSITIVE, 1e9] {
        let vector = Vec3::splat(number);
        let mut scenes = vec![
            sprite_scene(|sprites| {
                *sprites = SpriteEmitter {
                    emission_rate: number,
                    speed: number,
                    variation: number,
                    latitude: number,
                    gravity: number,
                    width: number,
                    length: number,
                    tail: true,
                    tail_length: number,
                    middle: number,
                    colors: [vector; 3],
                    alphas: [number; 3],
                    scales: [number; 3],
                    ..sprites.clone()
                };
            }),
            sprite_scene(|sprites| (sprites.life_span, sprites.emission_rate) = (number, 1e30)),
            sprite_scene(|sprites| {
                sprites.rows = u32::MAX;
                sprites.columns = 0;
                sprites.head_life = FrameRange { start: u32::MAX, end: 0, repeat: u32::MAX };
                sprites.head_decay = FrameRange { start: 0, end: u32::MAX, repeat: u32::MAX };
                sprites.wow = Some(Box::new(WowParticles {
                    shape: WowEmitterShape::Spline(vec![vector]),
                    drag: number,
                    spin: number,
                    wind: vector,
                    wind_time: number,
                    twinkle_rate: number,
                    twinkle_share: 1.0,
                    tumble_max: vector,
                    tumbles: true,
                    follow: [(number, number); 2],
                    follows: true,
                    ..WowParticles::default()
                }));
            }),
            keyed_scene(|keyed| {
                (keyed.emission_rate, keyed.max_emissions, keyed.burst_size) = (number, number, u32::MAX);
                (keyed.velocity, keyed.outward_velocity, keyed.velocity_inheritance) =
                    (vector, number, number);
                keyed.creation_volume = Volume::Sphere { radius: number, hollow: false };
                keyed.rotation.keys = vec![(number, number); 3];
                keyed.frame.keys = vec![(0.0, number)];
                keyed.frame_log2 = u32::MAX;
            }),
            keyed_scene(|keyed| (keyed.life_time, keyed.emission_rate) = (number, 1e30)),
            keyed_scene(|keyed| {
                keyed.render = ParticleRender::Line;
                keyed.line = Some(LineProperties {
                    subdivision_level: u32::MAX,
                    noise_amplitude: number,
                    merge_intersections: true,
                    merge_abort_factor: number,
                    uv_per_second: Vec2::splat(number),
                    texture_tile_factor: number,
                    texture_mapping: LineMapping::Tiled,
                    ..LineProperties::default()
                });
            }),
        ];
        let mut turned = sprite_scene(|_| {});
        turned.nodes[0].rest = Transform {
            translation: vector,
            rotation: Quat::from_xyzw(number, number, number, number),
            scale: vector,
        };
        turned.clips[0].duration = number;
        scenes.push(turned);
        for scene in &scenes {
            for elapsed in [0.0, 5.0, number] {
                if let Some(cloud) = at(scene, elapsed, Rules { markers: true, ..Rules::default() }) {
                    assert!(cloud.pieces.len() <= 2 * MAX_PARTICLES);
                    assert!(cloud.vertices.iter().all(|vertex| vertex.position.is_finite()));
                    assert!(cloud.vertices.iter().all(|vertex| (0.0..=1.0).contains(&vertex.color.w)));
                }
            }
        }
        let mut ribbons = ribbon_scene();
        let source = &mut ribbons.ribbons[0];
        (source.emission_rate, source.life_span, source.height_above) = (number, number, number);
        (source.gravity, source.rows, source.texture_slot) = (number, 0, u32::MAX);
        let sampler = Sampler::new(&ribbons);
        let _ = ribbon(
            &Situation { clip: Some(ClipId(0)), elapsed: 9.0, ..Situation::new(&sampler) },
            RibbonId(0),
        );
    }
    let nothing = Scene::default();
    let sampler = Sampler::new(&nothing);
    let situation = Situation { clip: Some(ClipId(7)), ..Situation::new(&sampler) };
    assert_eq!(emit(&situation, EmitterId(3)), None);
    assert_eq!(ribbon(&situation, RibbonId(3)), None);
    assert_eq!((primitive(&situation, 3), dazzle(&situation, 3)), (None, None));
}
