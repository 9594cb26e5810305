//! Particles and ribbons in frames.

use super::*;
use glam::Vec4;
use scene::{
    BlendFactor, Emitter, EmitterId, EmitterKind, KeyedEmitter, LifeKeys, Node, NodeId, ParticleRender,
    Ribbon, RibbonId, SpriteEmitter, Transform,
};

/// A node in front of the model, with sprites that do not move.
fn with_sprites(sprites: SpriteEmitter) -> Scene {
    let mut scene = scene(vec![vec![layer(BlendMode::Alpha, 0)]]);
    scene.nodes.push(Node { rest: Transform::from_translation(Vec3::X), ..Node::default() });
    let sprites = SpriteEmitter {
        emission_rate: 10.0,
        life_span: 1.0,
        head: true,
        alphas: [1.0; 3],
        scales: [1.0; 3],
        colors: [Vec3::new(1.0, 0.5, 0.0); 3],
        rows: 2,
        columns: 2,
        ..sprites
    };
    scene.emitters.push(Emitter {
        node: NodeId(0),
        name: String::new(),
        visible: true,
        kind: EmitterKind::Sprite(Box::new(sprites)),
    });
    scene
}

fn particles(frame: &Frame) -> Option<&Draw> {
    frame.draws.iter().find(|draw| matches!(draw.source, Source::Emitter(_)))
}

fn sprites(blend: BlendMode) -> SpriteEmitter {
    SpriteEmitter { blend, texture: Some(TextureId(3)), unlit: true, ..SpriteEmitter::default() }
}

#[test]
fn sprites_are_drawn_after_meshes_of_their_plane() {
    let at = |priority_plane| {
        let scene = with_sprites(SpriteEmitter { priority_plane, ..sprites(BlendMode::Additive) });
        let frame = frame(&scene, &Options { time: 5.05, ..options(Family::Mdx) });
        let draw = particles(&frame).unwrap();
        assert_eq!(draw.blend, (BlendFactor::SourceAlpha, BlendFactor::One));
        assert_eq!(picture(draw), Some(PictureId::Texture(TextureId(3))));
        // Ten quads.
        assert_eq!(draw.indices.len(), 60);
        assert_eq!(corner(&frame, draw).color, Vec4::new(1.0, 0.5, 0.0, 1.0));
        frame.draws.iter().position(|draw| matches!(draw.source, Source::Emitter(_))).unwrap()
    };
    assert_eq!(at(0), 1);
    assert_eq!(at(-1), 0);
}

#[test]
fn particles_can_be_switched_off() {
    let scene = with_sprites(sprites(BlendMode::Additive));
    let options = Options { time: 5.0, particles: false, ..options(Family::Mdx) };
    assert!(particles(&frame(&scene, &options)).is_none());
}

#[test]
fn lit_sprites_are_lit() {
    let scene = with_sprites(SpriteEmitter { unlit: false, ..sprites(BlendMode::Alpha) });
    let rig = LightRig { ambient: Vec3::splat(0.5), directional: Vec::new() };
    let frame = frame(&scene, &Options { time: 5.0, light: Some(rig), ..options(Family::Mdx) });
    assert_eq!(corner(&frame, particles(&frame).unwrap()).color, Vec4::new(0.5, 0.25, 0.0, 1.0));
}

#[test]
fn sprites_without_their_texture_are_glows_over_the_whole_sprite() {
    let missing = |blend| {
        let scene = with_sprites(sprites(blend));
        Framer::new(&scene)
            .with_missing(&[TextureId(3)])
            .frame(&Options { time: 5.0, ..options(Family::Mdx) })
    };
    let glowing = missing(BlendMode::Additive);
    let draw = particles(&glowing).unwrap();
    assert_eq!(picture(draw), Some(PictureId::Glow));
    let indices = &glowing.indices[draw.indices.start as usize..draw.indices.start as usize + 6];
    let uv: Vec<Vec2> = indices.iter().map(|index| glowing.vertices[*index as usize].uv[0]).collect();
    assert!(uv.contains(&Vec2::ZERO) && uv.contains(&Vec2::ONE), "{uv:?}");
    // A surface that multiplies the picture would be a black square.
    assert!(particles(&missing(BlendMode::Modulate)).is_none());
    // An opaque surface is a checker.
    assert_eq!(picture(particles(&missing(BlendMode::Opaque)).unwrap()), Some(PictureId::Missing));
}

#[test]
fn a_model_of_particles_only_fills_the_picture() {
    let mut scene = with_sprites(sprites(BlendMode::Additive));
    scene.meshes.clear();
    let frame = frame(&scene, &Options { time: 5.0, ..options(Family::Mdx) });
    let place = (frame.camera.projection * frame.camera.view).project_point3(Vec3::new(1.0, 1.0, 0.0));
    assert!(place.y > 0.8 && place.y < 1.0, "{place}");
}

#[test]
fn w3d_particles_are_in_the_pool_with_meshes() {
    let keyed = KeyedEmitter {
        layer: Layer { depth_write: false, ..layer(BlendMode::Add, 0) },
        render: ParticleRender::Quad,
        life_time: 1.0,
        emission_rate: 1.0,
        burst_size: 1,
        color: LifeKeys { keys: vec![(0.0, Vec4::ONE)], random: Vec4::ZERO },
        opacity: LifeKeys { keys: vec![(0.0, 1.0)], random: 0.0 },
        size: LifeKeys { keys: vec![(0.0, 1.0)], random: 0.0 },
        ..KeyedEmitter::default()
    };
    // Blended triangles in front of and behind the particle.
    let mut scene = scene(vec![vec![layer(BlendMode::Alpha, 0)]; 2]);
    scene.nodes.push(Node { rest: Transform::from_translation(Vec3::X * -0.5), ..Node::default() });
    scene.emitters.push(Emitter {
        node: NodeId(0),
        name: String::new(),
        visible: true,
        kind: EmitterKind::Keyed(Box::new(keyed)),
    });
    let frame = frame(&scene, &Options { time: 5.5, ..options(Family::W3d) });
    let order: Vec<Source> = frame.draws.iter().map(|draw| draw.source).collect();
    let mesh = |mesh| Source::Mesh { mesh: MeshId(mesh), layer: 0 };
    assert_eq!(order, [mesh(1), Source::Emitter(EmitterId(0)), mesh(0)]);
}

#[test]
fn ribbons_show_all_layers_or_the_first() {
    let mut scene = with_sprites(SpriteEmitter::default());
    scene.emitters.clear();
    scene.meshes.clear();
    let layers = vec![
        Layer { unlit: true, alpha: 0.5, ..layer(BlendMode::Additive, 1) },
        Layer { unlit: true, ..layer(BlendMode::Alpha, 2) },
    ];
    scene.materials[0].layers = layers;
    scene.ribbons.push(Ribbon {
        material: Some(MaterialId(0)),
        height_above: 1.0,
        height_below: 1.0,
        life_span: 1.0,
        emission_rate: 10.0,
        gravity: 1.0,
        ..Ribbon::new(NodeId(0))
    });
    let ribbons = |rules| {
        let frame = frame(&scene, &Options { time: 5.0, rules, ..options(Family::Mdx) });
        let draws: Vec<Draw> =
            frame.draws.iter().filter(|draw| draw.source == Source::Ribbon(RibbonId(0))).cloned().collect();
        let alpha = draws.first().map(|draw| corner(&frame, draw).color.w);
        (draws.iter().map(picture).collect::<Vec<_>>(), alpha)
    };
    let texture = |id| Some(PictureId::Texture(TextureId(id)));
    assert_eq!(ribbons(Rules::default()), (vec![texture(1), texture(2)], Some(0.5)));
    let first = Rules { ribbon_all_layers: false, ..Rules::default() };
    assert_eq!(ribbons(first), (vec![texture(1)], Some(0.5)));
}

#[test]
fn particles_widen_the_view_a_little() {
    // The triangle is one unit high; the node of the particles is at x = 1, and rises out of reach.
    let mut scene = with_sprites(sprites(BlendMode::Additive));
    let top = |scene: &Scene, particles| {
        let options = Options { time: 5.0, particles, ..options(Family::Mdx) };
        Framer::new(scene).bounds(&options).unwrap().max.y
    };
    assert_eq!(top(&scene, true), 1.0);
    scene.nodes[0].rest.translation = Vec3::new(0.0, 50.0, 0.0);
    assert_eq!(top(&scene, false), 1.0);
    assert!((top(&scene, true) - 1.2).abs() < 1e-5);
}
