//! W3D's passes and their order.

use super::*;
use glam::{Vec4, Vec4Swizzles};
use scene::{AlphaTest, BlendFactor, Combine, Shader, ShaderParameter, SlotKind, UvMapper};

fn grey() -> Lighting {
    Lighting { ambient: Vec3::splat(0.4), diffuse: Vec3::splat(0.8), opacity: 0.5, ..Lighting::default() }
}

fn detail(texture: u32, color_combine: Combine, alpha_combine: Combine) -> TextureSlot {
    TextureSlot { kind: SlotKind::Detail, color_combine, alpha_combine, ..slot(texture) }
}

#[test]
fn a_pass_is_lit_as_direct3d_does() {
    let scene = scene(vec![vec![lit(grey(), layer(BlendMode::Opaque, 3))]]);
    let frame = frame(&scene, &Options { light: Some(dim()), ..options(Family::W3d) });
    let draw = draw_of(&frame, 0, 0);
    // 0.4 · 0.25 + 0.8 · 0.5, opacity of the material.
    assert!(corner(&frame, draw).color.abs_diff_eq(Vec4::new(0.5, 0.5, 0.5, 0.5), 1e-6));
    assert_eq!(picture(draw), Some(PictureId::Texture(TextureId(3))));
    assert_eq!(fixed(draw).gradient, Gradient::Modulate);
    assert!(draw.cull && draw.depth_write && fixed(draw).detail.is_none());
}

#[test]
fn overbright_light_is_halved_and_doubled_by_the_stage() {
    let scene = scene(vec![vec![lit(grey(), layer(BlendMode::Opaque, 3))]]);
    let rules = Rules { overbright: true, ..Rules::default() };
    let frame = frame(&scene, &Options { light: Some(dim()), rules, ..options(Family::W3d) });
    let draw = draw_of(&frame, 0, 0);
    assert!(corner(&frame, draw).color.abs_diff_eq(Vec4::new(0.25, 0.25, 0.25, 0.5), 1e-6));
    assert_eq!(fixed(draw).gradient, Gradient::Modulate2x);
}

#[test]
fn every_gradient_has_its_stage() {
    let gradients = [
        (scene::Gradient::Modulate, Gradient::Modulate),
        (scene::Gradient::Add, Gradient::Add),
        (scene::Gradient::Modulate2x, Gradient::Modulate2x),
        (scene::Gradient::BumpEnvironment, Gradient::Bump),
        (scene::Gradient::BumpEnvironmentLuminance, Gradient::Bump),
        (scene::Gradient::DotProduct, Gradient::DotProduct),
    ];
    for (gradient, expected) in gradients {
        let scene = scene(vec![vec![Layer { gradient, ..layer(BlendMode::Opaque, 0) }]]);
        let frame = frame(&scene, &options(Family::W3d));
        assert_eq!(fixed(draw_of(&frame, 0, 0)).gradient, expected);
    }
    let unlit = scene(vec![vec![Layer { unlit: true, ..layer(BlendMode::Opaque, 0) }]]);
    assert_eq!(fixed(draw_of(&frame(&unlit, &options(Family::W3d)), 0, 0)).gradient, Gradient::Disable);
}

#[test]
fn an_unset_stage_is_white_where_that_makes_a_difference() {
    let bare = |gradient| Layer { gradient, ..Layer::default() };
    let scene = scene(vec![vec![bare(scene::Gradient::Add)], vec![bare(scene::Gradient::Modulate)]]);
    let frame = frame(&scene, &options(Family::W3d));
    assert_eq!(picture(draw_of(&frame, 0, 0)), Some(PictureId::White));
    assert_eq!(picture(draw_of(&frame, 1, 0)), None);
}

#[test]
fn the_second_stage_is_drawn_if_it_does_anything() {
    let with = |slots| vec![Layer { slots, ..Layer::default() }];
    let scene = scene(vec![
        with(vec![slot(0), detail(1, Combine::Scale, Combine::Disable)]),
        with(vec![slot(0), detail(1, Combine::Disable, Combine::Disable)]),
        with(vec![slot(0), detail(1, Combine::Disable, Combine::Detail)]),
        with(vec![slot(0), detail(99, Combine::Scale, Combine::Disable)]),
    ]);
    let detail = |frame: &Frame, mesh| fixed(draw_of(frame, mesh, 0)).detail.clone();
    let generals = frame(&scene, &options(Family::W3d));
    let stage = detail(&generals, 0).unwrap();
    assert_eq!((stage.color, stage.alpha), (Combine::Scale, Combine::Disable));
    assert_eq!(stage.texture.picture, PictureId::Texture(TextureId(1)));
    assert_eq!(detail(&generals, 1), None);
    assert_eq!(detail(&generals, 2).unwrap().alpha, Combine::Detail);
    assert_eq!(detail(&generals, 3), None);
    let rules = Rules { detail_needs_color: true, ..Rules::default() };
    assert_eq!(detail(&frame(&scene, &Options { rules, ..options(Family::W3d) }), 2), None);
    // A missing file leaves the first stage alone.
    let missing = Framer::new(&scene).with_missing(&[TextureId(1)]).frame(&options(Family::W3d));
    assert_eq!(detail(&missing, 0), None);
}

#[test]
fn a_bump_mapper_turns_the_matrix_of_the_second_stage() {
    let mapper = UvMapper::BumpEnvironment(scene::BumpEnvironment {
        rotation: 0.25,
        bump_scale: 2.0,
        ..scene::BumpEnvironment::default()
    });
    let slots = vec![TextureSlot { mapper, ..slot(0) }, detail(1, Combine::Add, Combine::Disable)];
    let gradient = scene::Gradient::BumpEnvironment;
    let scene = scene(vec![vec![Layer { slots, gradient, ..Layer::default() }]]);
    let frame = frame(&scene, &Options { time: 1.0, ..options(Family::W3d) });
    let bump = fixed(draw_of(&frame, 0, 0)).detail.clone().unwrap().bump;
    // A quarter turn: (0, -2; 2, 0).
    assert!(Vec4::from(bump).abs_diff_eq(Vec4::new(0.0, -2.0, 2.0, 0.0), 1e-5), "{bump:?}");
}

#[test]
fn meshes_are_opaque_static_or_in_the_pool() {
    let tested = Layer { alpha_test: Some(AlphaTest::W3D), ..layer(BlendMode::Alpha, 0) };
    let mut scene = scene(vec![
        vec![layer(BlendMode::Add, 0)],
        vec![layer(BlendMode::Opaque, 0), layer(BlendMode::Add, 0)],
        vec![layer(BlendMode::Alpha, 0)],
        vec![layer(BlendMode::Alpha, 0)],
        vec![tested],
        vec![layer(BlendMode::Alpha, 0)],
    ]);
    scene.materials[3].sort_level = 1;
    scene.materials[5].sort_level = 7;
    let frame = frame(&scene, &options(Family::W3d));
    // Opaque: 1 with both passes, 4, whose test keeps it out of the pool. Then levels 7 and 1. Then the pool, the farther mesh 2 first.
    assert_eq!(sources(&frame), [(1, 0), (1, 1), (4, 0), (5, 0), (3, 0), (2, 0), (0, 0)]);
}

#[test]
fn all_passes_of_a_mesh_have_the_same_positions() {
    let unlit = Layer { unlit: true, ..layer(BlendMode::Opaque, 0) };
    let scene = scene(vec![vec![unlit, lit(grey(), layer(BlendMode::Add, 1))]]);
    let frame = frame(&scene, &options(Family::W3d));
    let positions = |layer| {
        let draw = draw_of(&frame, 0, layer);
        let indices = &frame.indices[draw.indices.start as usize..draw.indices.end as usize];
        indices
            .iter()
            .map(|index| frame.vertices[*index as usize].position.to_array().map(f32::to_bits))
            .collect::<Vec<_>>()
    };
    assert_eq!(positions(0), positions(1));
}

#[test]
fn house_colours_need_a_player() {
    let mut scene = scene(vec![vec![lit(grey(), layer(BlendMode::Opaque, 0))]]);
    scene.materials[0].house_color = true;
    let light = Some(LightRig::flat());
    let neutral = frame(&scene, &Options { light: light.clone(), ..options(Family::W3d) });
    assert!((corner(&neutral, draw_of(&neutral, 0, 0)).color.x - 0.4).abs() < 1e-6);
    let team = Options { light, team_color: Some([255, 0, 51]), ..options(Family::W3d) };
    let team = frame(&scene, &team);
    assert!(corner(&team, draw_of(&team, 0, 0)).color.xyz().abs_diff_eq(Vec3::new(1.0, 0.0, 0.2), 1e-6));
}

#[test]
fn specular_light_is_added_if_the_shader_says_so() {
    let shiny = Lighting { specular: Vec3::splat(0.5), shininess: 10.0, ..grey() };
    let scene = scene(vec![vec![Layer { specular: true, ..lit(shiny, layer(BlendMode::Opaque, 0)) }]]);
    let rig = LightRig { ambient: Vec3::ZERO, directional: vec![(Vec3::X, Vec3::ONE)] };
    let frame = frame(&scene, &Options { light: Some(rig), ..options(Family::W3d) });
    let draw = draw_of(&frame, 0, 0);
    assert!(fixed(draw).add_specular);
    // Light and eye are both nearly in front.
    let specular = corner(&frame, draw).specular;
    assert!(specular.x > 0.4 && specular.x <= 0.5, "{specular}");
}

#[test]
fn a_mesh_without_a_material_is_white_and_lit() {
    let mut scene = scene(vec![vec![]]);
    scene.meshes[0].parts[0].material = None;
    let frame = frame(&scene, &Options { light: Some(dim()), ..options(Family::W3d) });
    assert_eq!(corner(&frame, draw_of(&frame, 0, 0)).color, Vec4::new(0.75, 0.75, 0.75, 1.0));
}

fn effect(name: &str, parameters: Vec<(&str, ShaderParameter)>, layer: Layer) -> Scene {
    let mut scene = scene(vec![vec![layer]]);
    let parameters = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    scene.materials[0].shader = Some(Shader { name: name.into(), technique: 0, parameters });
    scene.meshes[0].tangents = vec![Vec4::new(0.0, 0.0, -1.0, 1.0); 3];
    scene
}

#[test]
fn normal_mapped_effects_have_their_defaults_and_parameters() {
    let normal = TextureSlot { kind: SlotKind::Normal, ..slot(1) };
    let layer = Layer { slots: vec![slot(0), normal], ..Layer::default() };
    let scene = effect("normalmapped.fx", vec![("BumpScale", ShaderParameter::Float(2.0))], layer);
    let drawn = frame(&scene, &options(Family::W3d));
    let draw = draw_of(&drawn, 0, 0);
    let Program::NormalMapped(program) = &draw.program else { panic!("{:?}", draw.program) };
    assert_eq!((program.bump_scale, program.exponent), (2.0, 50.0));
    assert_eq!(program.ambient_color, Vec3::splat(0.4));
    assert_eq!(program.specular_color, Vec3::splat(0.8));
    assert_eq!(program.normal.unwrap().picture, PictureId::Texture(TextureId(1)));
    // u goes to -Z. Green is down: y of the map is against v's up.
    let vertex = corner(&drawn, draw);
    let across = |vertex: &Vertex| vertex.normal.cross(vertex.tangent.xyz()) * vertex.tangent.w;
    assert_eq!((vertex.tangent.xyz(), across(vertex)), (Vec3::NEG_Z, Vec3::NEG_Y));
    let rules = Rules { normals_reversed: true, ..Rules::default() };
    let drawn = frame(&scene, &Options { rules, ..options(Family::W3d) });
    let vertex = corner(&drawn, draw_of(&drawn, 0, 0));
    assert_eq!((vertex.tangent.xyz(), across(vertex)), (Vec3::Z, Vec3::Y));
}

#[test]
fn simple_effects_scroll_and_are_not_lit() {
    let transform = ShaderParameter::Vec4(Vec4::new(2.0, 1.0, 0.25, 0.0));
    let layer = Layer { unlit: true, color: Vec3::new(1.0, 0.5, 0.0), ..layer(BlendMode::Alpha, 0) };
    let scene = effect("Simple.fx", vec![("TexCoordTransform_0", transform)], layer);
    let frame = frame(&scene, &Options { time: 2.0, ..options(Family::W3d) });
    let draw = draw_of(&frame, 0, 0);
    assert_eq!(fixed(draw).gradient, Gradient::Modulate);
    assert_eq!(draw.blend, (BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha));
    let second = &frame.vertices[frame.indices[draw.indices.start as usize + 1] as usize];
    // (1, 0) · (2, 1) + 2 · (0.25, 0).
    assert_eq!((second.uv[0], second.color), (Vec2::new(2.5, 0.0), Vec4::new(1.0, 0.5, 0.0, 1.0)));
}

#[test]
fn unknown_effects_are_lit_by_their_colours() {
    let lighting = Lighting { diffuse: Vec3::X, ambient: Vec3::ZERO, ..Lighting::default() };
    let scene = effect("Mystery.fx", vec![], lit(lighting, layer(BlendMode::Opaque, 5)));
    let frame = frame(&scene, &Options { light: Some(dim()), ..options(Family::W3d) });
    let draw = draw_of(&frame, 0, 0);
    assert_eq!(picture(draw), Some(PictureId::Texture(TextureId(5))));
    assert_eq!(corner(&frame, draw).color, Vec4::new(0.5, 0.0, 0.0, 1.0));
}
