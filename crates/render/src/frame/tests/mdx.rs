//! Warcraft III's layers and their order.

use super::*;
use glam::{Vec4, Vec4Swizzles};
use scene::{
    AlphaTest, BlendFactor, Environment, EnvironmentSource, Fresnel, Light, LightKind, Node, NodeId,
    Replaceable, SlotKind, SortPrimitives, UvMapper,
};

#[test]
fn colours_and_opacities_of_mesh_and_layer_are_multiplied() {
    let mut scene = scene(vec![vec![Layer { alpha: 0.5, unlit: true, ..layer(BlendMode::Alpha, 2) }]]);
    scene.meshes[0].alpha = 0.5;
    scene.meshes[0].color = Vec3::new(1.0, 0.5, 0.25);
    let frame = frame(&scene, &options(Family::Mdx));
    let draw = draw_of(&frame, 0, 0);
    assert_eq!(corner(&frame, draw).color, Vec4::new(1.0, 0.5, 0.25, 0.25));
    assert_eq!(draw.blend, (BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha));
    assert_eq!(picture(draw), Some(PictureId::Texture(TextureId(2))));
}

#[test]
fn shaded_layers_are_lit() {
    let scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]]);
    let frame = frame(&scene, &Options { light: Some(dim()), ..options(Family::Mdx) });
    assert_eq!(corner(&frame, draw_of(&frame, 0, 0)).color, Vec4::new(0.75, 0.75, 0.75, 1.0));
}

#[test]
fn lights_of_the_model_shine_on_it_unless_the_rule_is_off() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]]);
    scene.nodes.push(Node::default());
    let light = Light {
        ambient_color: Vec3::X,
        ambient_intensity: 0.125,
        ..Light::new(NodeId(0), LightKind::Ambient)
    };
    scene.lights.push(light);
    let color = |model_lights| {
        let rules = Rules { model_lights, ..Rules::default() };
        let frame = frame(&scene, &Options { rules, light: Some(dim()), ..options(Family::Mdx) });
        corner(&frame, draw_of(&frame, 0, 0)).color.xyz()
    };
    // 0.25 + 0.5 of the rig, and 0.125 of red from the model.
    assert_eq!(color(true), Vec3::new(0.875, 0.75, 0.75));
    assert_eq!(color(false), Vec3::splat(0.75));
}

#[test]
fn opaque_layers_fade_by_blending() {
    let mut scene =
        scene(vec![vec![Layer { alpha_test: Some(AlphaTest::WARCRAFT), ..layer(BlendMode::Opaque, 0) }]]);
    scene.meshes[0].alpha = 0.5;
    let fading = frame(&scene, &options(Family::Mdx));
    let draw = draw_of(&fading, 0, 0);
    assert_eq!(draw.blend, (BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha));
    assert_eq!((draw.alpha_test, draw.depth_write), (Some(AlphaTest::INVISIBLE), false));
    let rules = Rules { fade_opaque: false, ..Rules::default() };
    let solid = frame(&scene, &Options { rules, ..options(Family::Mdx) });
    assert_eq!(draw_of(&solid, 0, 0).blend, (BlendFactor::One, BlendFactor::Zero));
    scene.meshes[0].alpha = 0.995;
    assert!(draw_of(&frame(&scene, &options(Family::Mdx)), 0, 0).depth_write);
}

#[test]
fn faint_layers_are_skipped() {
    let mut scene = scene(vec![vec![Layer { alpha: 0.05, ..layer(BlendMode::Alpha, 0) }]]);
    scene.meshes[0].alpha = 0.009;
    // 0.05 · 0.009 is below 0.004.
    assert!(sources(&frame(&scene, &options(Family::Mdx))).is_empty());
    scene.meshes[0].alpha = 0.1;
    assert_eq!(sources(&frame(&scene, &options(Family::Mdx))).len(), 1);
    scene.materials[0].layers[0].alpha = 0.01;
    scene.meshes[0].alpha = 1.0;
    assert_eq!(sources(&frame(&scene, &options(Family::Mdx))).len(), 1);
    let rules = Rules { skip: SkipLayer::Either, ..Rules::default() };
    assert!(sources(&frame(&scene, &Options { rules, ..options(Family::Mdx) })).is_empty());
}

/// docs/formats/rendering.md#mdx-layers: the table of filter modes.
#[test]
fn layers_are_drawn_with_the_factors_of_their_blend_mode() {
    use BlendFactor::{DestinationColor, One, OneMinusSourceAlpha, SourceAlpha, SourceColor, Zero};
    for (mode, factors) in [
        (BlendMode::Opaque, (One, Zero)),
        (BlendMode::Alpha, (SourceAlpha, OneMinusSourceAlpha)),
        (BlendMode::Additive, (SourceAlpha, One)),
        (BlendMode::AddAlpha, (SourceAlpha, One)),
        (BlendMode::Modulate, (DestinationColor, Zero)),
        (BlendMode::Modulate2x, (DestinationColor, SourceColor)),
    ] {
        let frame = frame(&scene(vec![vec![layer(mode, 0)]]), &options(Family::Mdx));
        assert_eq!(draw_of(&frame, 0, 0).blend, factors, "{mode:?}");
    }
}

#[test]
fn modulating_layers_ignore_the_colour_of_the_mesh() {
    let mut scene = scene(vec![vec![Layer { unlit: true, ..layer(BlendMode::Modulate, 0) }]]);
    scene.meshes[0].color = Vec3::X;
    let ignoring = frame(&scene, &options(Family::Mdx));
    assert_eq!(corner(&ignoring, draw_of(&ignoring, 0, 0)).color.xyz(), Vec3::ONE);
    let rules = Rules { modulate_ignores_color: false, ..Rules::default() };
    let heeding = frame(&scene, &Options { rules, ..options(Family::Mdx) });
    assert_eq!(corner(&heeding, draw_of(&heeding, 0, 0)).color.xyz(), Vec3::X);
}

#[test]
fn sphere_maps_have_generated_coordinates() {
    let source = EnvironmentSource::Normal;
    let mapper = UvMapper::Environment(Environment { source, ..Environment::default() });
    let slots = vec![TextureSlot { mapper, ..slot(0) }];
    let scene = scene(vec![vec![Layer { slots, ..Layer::default() }]]);
    let uv = |rules| {
        let frame = frame(&scene, &Options { rules, ..options(Family::Mdx) });
        let draw = draw_of(&frame, 0, 0);
        frame.vertices[frame.indices[draw.indices.start as usize + 1] as usize].uv[0]
    };
    assert!(uv(Rules::default()).abs_diff_eq(Vec2::splat(0.5), 1e-5));
    assert_eq!(uv(Rules { sphere_environment: false, ..Rules::default() }), Vec2::X);
}

#[test]
fn team_colour_and_glow_are_pictures_of_their_own() {
    let mut scene = scene(vec![
        vec![layer(BlendMode::Opaque, 0), layer(BlendMode::Alpha, 2)],
        vec![layer(BlendMode::Additive, 1)],
    ]);
    let supplied = |id| Texture { replaceable: Some(Replaceable(id)), ..Texture::default() };
    scene.textures[0] = supplied(1);
    scene.textures[1] = supplied(2);
    let frame = frame(&scene, &options(Family::Mdx));
    assert_eq!(picture(draw_of(&frame, 0, 0)), Some(PictureId::TeamColor));
    assert_eq!(picture(draw_of(&frame, 0, 1)), Some(PictureId::Texture(TextureId(2))));
    assert_eq!(picture(draw_of(&frame, 1, 0)), Some(PictureId::TeamGlow));
}

#[test]
fn layers_of_one_look_share_their_vertices() {
    let scene = scene(vec![vec![layer(BlendMode::Opaque, 0), layer(BlendMode::Alpha, 1)]]);
    let frame = frame(&scene, &options(Family::Mdx));
    assert_eq!(frame.vertices.len(), 3);
    assert_eq!(draw_of(&frame, 0, 0).indices, draw_of(&frame, 0, 1).indices);
}

#[test]
fn opaque_layers_come_first_then_priority_planes() {
    let mut scene = scene(vec![
        vec![layer(BlendMode::Alpha, 0)],
        vec![layer(BlendMode::Opaque, 0), layer(BlendMode::Alpha, 0)],
        vec![layer(BlendMode::Additive, 0)],
        vec![layer(BlendMode::Opaque, 0)],
    ]);
    scene.materials[0].priority_plane = 3;
    scene.materials[2].priority_plane = -1;
    let frame = frame(&scene, &options(Family::Mdx));
    assert_eq!(sources(&frame), [(1, 0), (3, 0), (2, 0), (1, 1), (0, 0)]);
}

#[test]
fn triangles_are_sorted_if_the_material_says_so() {
    let mut scene = scene(vec![vec![layer(BlendMode::Alpha, 0)]]);
    let far = triangle(0, -5.0);
    let mesh = &mut scene.meshes[0];
    mesh.positions.extend(far.positions);
    mesh.indices = vec![0, 1, 2, 3, 4, 5].into();
    mesh.parts[0].count = 6;
    let first = |scene: &Scene| {
        let frame = frame(scene, &options(Family::Mdx));
        corner(&frame, draw_of(&frame, 0, 0)).position.x
    };
    assert_eq!(first(&scene), 0.0);
    scene.materials[0].sort_primitives = SortPrimitives::Far;
    assert_eq!(first(&scene), -5.0);
    scene.materials[0].sort_primitives = SortPrimitives::Near;
    assert_eq!(first(&scene), 0.0);
}

#[test]
fn missing_textures_are_checkers_on_what_is_opaque() {
    let scene = scene(vec![
        vec![layer(BlendMode::Opaque, 1)],
        vec![layer(BlendMode::Alpha, 1)],
        vec![layer(BlendMode::Opaque, 0), layer(BlendMode::Alpha, 1)],
        vec![layer(BlendMode::Opaque, 0), layer(BlendMode::Additive, 1)],
    ]);
    let frame = Framer::new(&scene).with_missing(&[TextureId(1), TextureId(77)]).frame(&options(Family::Mdx));
    assert_eq!(sources(&frame), [(0, 0), (2, 0), (3, 0), (2, 1)]);
    assert_eq!(picture(draw_of(&frame, 0, 0)), Some(PictureId::Missing));
    assert_eq!(picture(draw_of(&frame, 2, 1)), Some(PictureId::Missing));
}

#[test]
fn hd_layers_have_a_program_of_their_own() {
    let of = |kind, texture| TextureSlot { kind, ..slot(texture) };
    let slots = vec![
        of(SlotKind::Diffuse, 0),
        of(SlotKind::Normal, 1),
        of(SlotKind::OcclusionRoughnessMetal, 2),
        of(SlotKind::Emissive, 3),
        of(SlotKind::TeamColor, 4),
    ];
    let fresnel = Fresnel { color: Vec3::ONE, opacity: 0.5, team_color: 1.0 };
    let mut scene = scene(vec![vec![Layer { slots, fresnel, emissive_gain: 2.0, ..Layer::default() }]]);
    scene.textures[4] = Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() };
    scene.meshes[0].alpha = 0.5;
    scene.meshes[0].color = Vec3::X;
    let options = Options { team_color: Some([0, 255, 0]), ..options(Family::Mdx) };
    let frame = Framer::new(&scene).with_missing(&[TextureId(3)]).frame(&options);
    let draw = draw_of(&frame, 0, 0);
    let Program::Hd(hd) = &draw.program else { panic!("{:?}", draw.program) };
    assert_eq!(hd.albedo.unwrap().picture, PictureId::Texture(TextureId(0)));
    assert_eq!(hd.team.unwrap().picture, PictureId::TeamColor);
    assert_eq!((hd.emissive, hd.emissive_gain), (None, 2.0));
    assert_eq!(hd.fresnel, Vec4::new(0.0, 1.0, 0.0, 0.5));
    // The opacity of the mesh counts in HD too.
    assert_eq!(corner(&frame, draw).color, Vec4::new(1.0, 0.0, 0.0, 0.5));
    assert_eq!(draw.blend.0, BlendFactor::SourceAlpha);
    assert_eq!(frame.lights.ambient, Vec3::splat(0.3));
}
