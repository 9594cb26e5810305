//! Scenes with one emitter each, and what the tests measure.

use glam::{Quat, Vec2, Vec3, Vec4};
use meshwright_render::particles::{Cloud, Rules, Situation, emit, primitive, ribbon};
use scene::*;

/// A scene with one node, a looping clip of two seconds and this emitter.
pub(crate) fn scene_of(kind: EmitterKind) -> Scene {
    Scene {
        nodes: vec![Node::default()],
        clips: vec![Clip { duration: 2.0, looping: true, ..Clip::default() }],
        emitters: vec![Emitter { node: NodeId(0), name: String::new(), visible: true, kind }],
        ..Scene::default()
    }
}

/// One particle a second, up at 10 units a second, for one second and a half.
pub(crate) fn sprites() -> SpriteEmitter {
    SpriteEmitter {
        emission_rate: 1.0,
        life_span: 1.5,
        speed: 10.0,
        head: true,
        blend: BlendMode::Additive,
        middle: 0.5,
        colors: [Vec3::X, Vec3::Y, Vec3::Z],
        alphas: [1.0, 0.5, 0.0],
        scales: [1.0, 3.0, 5.0],
        rows: 2,
        columns: 2,
        ..SpriteEmitter::default()
    }
}

pub(crate) fn sprite_scene(change: impl FnOnce(&mut SpriteEmitter)) -> Scene {
    let mut emitter = sprites();
    change(&mut emitter);
    scene_of(EmitterKind::Sprite(Box::new(emitter)))
}

pub(crate) fn keyed() -> KeyedEmitter {
    KeyedEmitter {
        emission_rate: 2.0,
        life_time: 1.0,
        burst_size: 1,
        render: ParticleRender::Quad,
        velocity: Vec3::new(0.0, 4.0, 0.0),
        acceleration: Vec3::new(0.0, 0.0, 2.0),
        color: LifeKeys { keys: vec![(0.0, Vec4::ONE), (1.0, Vec4::ZERO)], random: Vec4::ZERO },
        opacity: LifeKeys { keys: vec![(0.0, 1.0)], random: 0.0 },
        size: LifeKeys { keys: vec![(0.0, 2.0), (1.0, 4.0)], random: 0.0 },
        layer: Layer { blend: BlendMode::Add, depth_write: false, ..Layer::default() },
        ..KeyedEmitter::default()
    }
}

pub(crate) fn keyed_scene(change: impl FnOnce(&mut KeyedEmitter)) -> Scene {
    let mut emitter = keyed();
    change(&mut emitter);
    scene_of(EmitterKind::Keyed(Box::new(emitter)))
}

pub(crate) fn at(scene: &Scene, elapsed: f32, rules: Rules) -> Option<Cloud> {
    let sampler = Sampler::new(scene);
    let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
    let situation = Situation { clip, elapsed, clock: elapsed, rules, ..Situation::new(&sampler) };
    emit(&situation, EmitterId(0))
}

pub(crate) fn centers(cloud: &Cloud) -> Vec<Vec3> {
    cloud.pieces.iter().map(|piece| piece.center).collect()
}

pub(crate) fn corners(cloud: &Cloud, piece: usize) -> Vec<Vec3> {
    let range = cloud.pieces[piece].indices.clone();
    let mut indices = cloud.indices[range.start as usize..range.end as usize].to_vec();
    indices.sort_unstable();
    indices.dedup();
    indices.iter().map(|&index| cloud.vertices[index as usize].position).collect()
}

#[track_caller]
pub(crate) fn assert_places(found: &[Vec3], wanted: &[[f32; 3]]) {
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.abs_diff_eq(Vec3::from(*wanted), 1e-3), "{found} is not {wanted:?}");
    }
}

/// A clip channel that carries node 0 along X at one unit a second, back to zero when the clip starts again.
pub(crate) fn moving(scene: &mut Scene) {
    let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (2.0, Vec3::X * 2.0)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Node(NodeId(0), NodeProperty::Translation),
        curve: Curve::Vector(track),
    });
}

pub(crate) fn ribbon_scene() -> Scene {
    let mut scene = Scene {
        nodes: vec![Node::default()],
        clips: vec![Clip { duration: 2.0, looping: true, ..Clip::default() }],
        ..Scene::default()
    };
    moving(&mut scene);
    scene.ribbons.push(Ribbon {
        height_above: 3.0,
        height_below: 1.0,
        emission_rate: 4.0,
        life_span: 0.6,
        rows: 1,
        columns: 2,
        texture_slot: 1,
        ..Ribbon::new(NodeId(0))
    });
    scene
}

pub(crate) fn ribbon_at(scene: &Scene, elapsed: f32, rules: Rules) -> Cloud {
    let sampler = Sampler::new(scene);
    let situation = Situation { clip: Some(ClipId(0)), elapsed, rules, ..Situation::new(&sampler) };
    ribbon(&situation, RibbonId(0)).unwrap()
}

pub(crate) fn primitive_scene(form: PrimitiveForm) -> Scene {
    Scene {
        nodes: vec![Node { rest: Transform::from_translation(Vec3::Y), ..Node::default() }],
        primitives: vec![Primitive {
            name: String::new(),
            node: NodeId(0),
            center: Vec3::X,
            extent: Vec3::splat(2.0),
            duration: 4.0,
            looping: true,
            aligned: false,
            texture: None,
            layer: Layer { blend: BlendMode::Add, ..Layer::default() },
            color: LifeKeys { keys: vec![(0.0, Vec3::ONE)], random: Vec3::ZERO },
            alpha: LifeKeys { keys: vec![(0.0, 1.0), (1.0, 0.0)], random: 0.0 },
            form,
        }],
        ..Scene::default()
    }
}

pub(crate) fn primitive_at(scene: &Scene, elapsed: f32) -> Cloud {
    let sampler = Sampler::new(scene);
    primitive(&Situation { elapsed, ..Situation::new(&sampler) }, 0).unwrap()
}

/// Every kind of emitter: sprites with heads, tails, both, and on the ground; WoW's; W3D's triangles, quads, lines and both line groups;
/// a ribbon, a ring, a sphere and a dazzle; the markers of a model emitter and of an effect.
pub(crate) fn every_kind() -> [Scene; 16] {
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
    [
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
    ]
}
