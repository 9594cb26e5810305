//! One picture of every kind of emitter.

use crate::golden_picture;
use crate::scenes::*;
use glam::*;
use meshwright_render::frame::{Framer, Options, Viewpoint};
use meshwright_render::pictures::{PictureOptions, Pictures};
use meshwright_render::soft::{self, Background, Settings};
use scene::*;

/// One picture of each kind, side by side: sprites with heads, tails, both, and on the ground; WoW's; W3D's triangles, quads, lines and
/// both line groups; a ribbon, a ring, a sphere and a dazzle; the markers of a model emitter and of an effect.
#[test]
fn golden_every_kind_of_emitter() {
    const SIDE: u32 = 64;
    const COLUMNS: usize = 5;
    let many = |change: fn(&mut SpriteEmitter)| {
        sprite_scene(|sprites| {
            (sprites.emission_rate, sprites.latitude, sprites.tail_length) = (12.0, 30.0, 0.3);
            change(sprites);
        })
    };
    let keyed = |render: ParticleRender| {
        keyed_scene(|keyed| {
            (keyed.emission_rate, keyed.render) = (6.0, render);
            (keyed.velocity_random, keyed.size.random) = (Volume::Box(Vec3::splat(2.0)), 0.5);
            keyed.blur_time = LifeKeys { keys: vec![(0.0, 0.3)], random: 0.0 };
            keyed.line = (render == ParticleRender::Line).then(LineProperties::default);
        })
    };
    let ring = PrimitiveForm::Ring {
        inner_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        outer_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        inner_extent: Vec2::ONE,
        outer_extent: Vec2::splat(2.0),
        tiles: 4,
    };
    let sphere = PrimitiveForm::Sphere {
        scale: LifeKeys { keys: vec![(0.0, Vec3::ONE)], random: Vec3::ZERO },
        vector: vec![(0.0, Quat::IDENTITY, 1.0)],
    };
    let halo = Scene {
        nodes: vec![Node::default()],
        dazzles: vec![Dazzle { node: NodeId(0), ..Dazzle::default() }],
        ..Scene::default()
    };
    let scenes = [
        many(|_| {}),
        many(|sprites| (sprites.head, sprites.tail) = (false, true)),
        many(|sprites| sprites.tail = true),
        many(|sprites| sprites.flat = true),
        many(|sprites| {
            sprites.wow = Some(Box::new(WowParticles { drag: 1.0, spin: 2.0, ..WowParticles::default() }));
        }),
        keyed(ParticleRender::Triangle),
        keyed(ParticleRender::Quad),
        keyed(ParticleRender::Line),
        keyed(ParticleRender::LineGroupTetrahedron),
        keyed(ParticleRender::LineGroupPrism),
        ribbon_scene(),
        primitive_scene(ring),
        primitive_scene(sphere),
        halo,
        scene_of(EmitterKind::Model(ModelEmitter {
            emission_rate: 4.0,
            life_span: 1.0,
            speed: 5.0,
            ..ModelEmitter::default()
        })),
        scene_of(EmitterKind::Effect(EffectEmitter::default())),
    ];
    let (width, rows) = (COLUMNS as u32 * SIDE, scenes.len().div_ceil(COLUMNS) as u32);
    let mut sheet = vec![0; (width * rows * SIDE * 4) as usize];
    for (at, scene) in scenes.iter().enumerate() {
        let pictures = Pictures::load(scene, &PictureOptions::default(), |_| None);
        let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
        let mut options = Options { clip, time: 1.3, viewpoint: Viewpoint::ISO, ..Options::default() };
        options.rules.particles.markers = true;
        let frame = Framer::new(scene).frame(&options);
        let settings = Settings { background: Background::Color([90, 94, 102]), ..Settings::new(SIDE, SIDE) };
        let drawn = soft::draw(&frame, &pictures, &settings).unwrap();
        let varied = drawn.pixels.chunks(4).any(|pixel| pixel != [90, 94, 102, 255]);
        assert!(varied, "nothing was drawn in picture {at}");
        let row_bytes = SIDE as usize * 4;
        for (y, row) in drawn.pixels.chunks(row_bytes).enumerate() {
            let start = ((at / COLUMNS * SIDE as usize + y) * COLUMNS + at % COLUMNS) * row_bytes;
            sheet[start..start + row_bytes].copy_from_slice(row);
        }
    }
    golden_picture::compare("emitters", &texture::Image::new(width, rows * SIDE, sheet).unwrap());
}
