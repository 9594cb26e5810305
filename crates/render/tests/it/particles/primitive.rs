//! Rings, spheres and dazzles.

use super::scenes::*;
use glam::*;
use meshwright_render::frame::PictureId;
use meshwright_render::particles::{Situation, dazzle};
use scene::*;

#[test]
fn rings_grow_and_fade() {
    let mut scene = primitive_scene(PrimitiveForm::Ring {
        inner_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        outer_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE), (1.0, Vec2::splat(3.0))], random: Vec2::ZERO },
        inner_extent: Vec2::splat(1.0),
        outer_extent: Vec2::new(2.0, 4.0),
        tiles: 5,
    });
    // A quarter of its life: the outer scale is 1.5, the colour three quarters. After 4 s it starts again.
    for elapsed in [1.0, 5.0] {
        let cloud = primitive_at(&scene, elapsed);
        assert_eq!(cloud.pieces.len(), 32);
        assert_places(&corners(&cloud, 0)[..2], &[[2.0, 1.0, 0.0], [4.0, 1.0, 0.0]]);
        // A quarter round is W3D's Y, which is -Z here.
        assert_places(&corners(&cloud, 8)[..2], &[[1.0, 1.0, -1.0], [1.0, 1.0, -6.0]]);
        assert_eq!(cloud.vertices[0].color, Vec4::new(0.75, 0.75, 0.75, 1.0));
        assert_eq!(cloud.vertices[8 * 4].uv[0], Vec2::new(1.25, 0.0));
    }
    scene.primitives[0].aligned = true;
    assert_places(&corners(&primitive_at(&scene, 1.0), 8)[..2], &[[1.0, 2.0, 0.0], [1.0, 7.0, 0.0]]);
}

#[test]
fn spheres_have_their_radius_and_alpha_vector() {
    let mut scene = primitive_scene(PrimitiveForm::Sphere {
        scale: LifeKeys { keys: vec![(0.0, Vec3::ONE), (1.0, Vec3::splat(2.0))], random: Vec3::ZERO },
        vector: vec![(0.0, Quat::IDENTITY, 1.0)],
    });
    let cloud = primitive_at(&scene, 2.0);
    let center = Vec3::new(1.0, 1.0, 0.0);
    for vertex in &cloud.vertices {
        assert!((vertex.position.distance(center) - 3.0).abs() < 1e-3);
        // Along the vector it is invisible, across it has the alpha of half its life.
        let across = 1.0 - vertex.normal.x.abs();
        assert!((vertex.color.x - 0.5 * across).abs() < 1e-3);
    }
    scene.primitives[0].layer.blend = BlendMode::Alpha;
    let cloud = primitive_at(&scene, 2.0);
    let pole = &cloud.vertices[0];
    assert_eq!(pole.color, Vec4::new(1.0, 1.0, 1.0, 0.5));
}

#[test]
fn dazzles_have_a_halo_unless_hidden() {
    let mut scene = Scene {
        nodes: vec![Node { rest: Transform::from_translation(Vec3::Y * 5.0), ..Node::default() }],
        dazzles: vec![Dazzle { node: NodeId(0), ..Dazzle::default() }],
        ..Scene::default()
    };
    let halo = |scene: &Scene| dazzle(&Situation::new(&Sampler::new(scene)), 0);
    let cloud = halo(&scene).unwrap();
    assert_places(
        &corners(&cloud, 0),
        &[[-1.0, 6.0, 0.0], [-1.0, 4.0, 0.0], [1.0, 4.0, 0.0], [1.0, 6.0, 0.0]],
    );
    assert_eq!((cloud.picture, cloud.blend), (Some(PictureId::Glow), (BlendFactor::One, BlendFactor::One)));
    scene.nodes[0].visible = false;
    assert_eq!(halo(&scene), None);
}
