//! Materials from the scene to the pixel, with pixels calculated by hand: BFME's effects, Reforged's HD materials, and light of BFME II.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use meshwright_render::frame::{Family, Framer, LightRig, Options, Rules, Viewpoint};
use meshwright_render::pictures::{Picture, PictureOptions, Pictures};
use meshwright_render::soft::{self, Background, Settings};
use scene::*;

/// A square of two units that faces the front, with this material. Textures are named by the colour that they have everywhere.
fn square(material: Material, textures: &[&str]) -> Scene {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let mesh = Mesh {
        positions: corners.map(|(x, y)| Vec3::new(0.0, y, -x)).into(),
        normals: vec![Vec3::X; 4],
        tangents: vec![Vec4::new(0.0, 0.0, -1.0, 1.0); 4],
        uv_sets: vec![corners.map(|(x, y)| Vec2::new(x, -y) * 0.5 + 0.5).into()],
        indices: vec![0, 1, 2, 0, 2, 3].into(),
        parts: vec![Part { material: Some(MaterialId(0)), start: 0, count: 6 }],
        ..Mesh::default()
    };
    let texture = |name: &&str| Texture { name: (*name).into(), ..Texture::default() };
    Scene {
        meshes: vec![mesh],
        materials: vec![material],
        textures: textures.iter().map(texture).collect(),
        ..Scene::default()
    }
}

/// The colour in a texture's name: `rrggbbaa`.
fn solid(name: &str) -> Option<Arc<Picture>> {
    let color = u32::from_str_radix(name, 16).ok()?;
    Some(Arc::new(Picture::solid(color.to_be_bytes())))
}

/// The pixel in the middle of the picture, seen from the front.
fn middle(scene: &Scene, options: Options) -> [u8; 3] {
    let wanted = PictureOptions { team_color: options.team_color, max_side: None };
    let pictures = Pictures::load(scene, &wanted, solid);
    let options = Options { viewpoint: Viewpoint::FRONT, ..options };
    let frame = Framer::new(scene).with_missing(pictures.missing()).frame(&options);
    let settings = Settings { background: Background::Color([0; 3]), ..Settings::new(16, 16) };
    let image = soft::draw(&frame, &pictures, &settings).unwrap();
    let at = (8 * 16 + 8) * 4;
    image.pixels[at..at + 3].try_into().unwrap()
}

/// Ambient light of a half and this light from the front.
fn from_the_front(strength: f32) -> Option<LightRig> {
    Some(LightRig { ambient: Vec3::splat(0.5), directional: vec![(Vec3::X, Vec3::splat(strength))] })
}

fn slot(kind: SlotKind, texture: u32) -> TextureSlot {
    TextureSlot { kind, texture: Some(TextureId(texture)), ..TextureSlot::default() }
}

#[track_caller]
fn assert_near(found: [u8; 3], wanted: [f32; 3]) {
    let close = |(found, wanted): (u8, f32)| (f32::from(found) - wanted * 255.0).abs() <= 1.5;
    assert!(
        found.into_iter().zip(wanted).all(close),
        "{found:?} is not {:?}",
        wanted.map(|part| part * 255.0)
    );
}

fn effect(name: &str, parameters: &[(&str, ShaderParameter)], layer: Layer) -> Material {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let shader = Shader { name: name.into(), parameters, ..Shader::default() };
    Material { shader: Some(shader), layers: vec![layer], ..Material::default() }
}

#[test]
fn normal_mapped_fx_adds_ambient_light_diffuse_light_and_a_highlight() {
    let slots = vec![slot(SlotKind::Diffuse, 0), slot(SlotKind::Normal, 1)];
    let colors = [
        ("AmbientColor", ShaderParameter::Vec4(Vec4::new(0.4, 0.4, 0.4, 1.0))),
        ("DiffuseColor", ShaderParameter::Vec4(Vec4::ONE)),
        ("SpecularColor", ShaderParameter::Vec4(Vec4::new(0.5, 0.5, 0.5, 1.0))),
        ("SpecularExponent", ShaderParameter::Float(20.0)),
    ];
    let material = effect("NormalMapped.fx", &colors, Layer { slots, ..Layer::default() });
    let scene = square(material, &["804020ff", "8080ffff"]);
    let options = |light| Options { family: Some(Family::W3d), light, ..Options::default() };
    // T = 128, 64, 32. 2 T · ½ · 0.5 · 0.4 = 0.2 T; the light adds 0.5 (T + 0.5 · 1): the camera stands where the light is.
    let t = [128.0, 64.0, 32.0].map(|part: f32| part / 255.0);
    assert_near(middle(&scene, options(from_the_front(0.5))), t.map(|t| 0.2 * t + 0.5 * (t + 0.5)));
    // From behind only the ambient light is left.
    let behind = LightRig { ambient: Vec3::splat(0.5), directional: vec![(Vec3::NEG_X, Vec3::ONE)] };
    assert_near(middle(&scene, options(Some(behind))), t.map(|t| 0.2 * t));
}

#[test]
fn simple_fx_multiplies_its_texture_with_the_emissive_colour_in_any_light() {
    let layer = Layer {
        slots: vec![slot(SlotKind::Diffuse, 0)],
        unlit: true,
        color: Vec3::new(1.0, 0.5, 0.25),
        ..Layer::default()
    };
    let scene = square(effect("Simple.fx", &[], layer), &["ff8040ff"]);
    for strength in [0.0, 1.0] {
        let options =
            Options { family: Some(Family::W3d), light: from_the_front(strength), ..Options::default() };
        assert_near(middle(&scene, options), [1.0, 64.0 / 255.0, 16.0 / 255.0]);
    }
}

/// From sRGB to linear light and back, by the standard.
fn linear(stored: f32) -> f32 {
    if stored <= 0.04045 { stored / 12.92 } else { ((stored + 0.055) / 1.055).powf(2.4) }
}

fn srgb(linear: f32) -> f32 {
    if linear <= 0.0031308 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Narkowicz' fit of the ACES film curve.
fn film(x: f32) -> f32 {
    x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)
}

fn hd(textures: &[&str]) -> Scene {
    let kinds = [
        SlotKind::Diffuse,
        SlotKind::Normal,
        SlotKind::OcclusionRoughnessMetal,
        SlotKind::Emissive,
        SlotKind::TeamColor,
    ];
    let slots = kinds.into_iter().zip(0..).map(|(kind, at)| slot(kind, at)).collect();
    let material = Material { layers: vec![Layer { slots, ..Layer::default() }], ..Material::default() };
    let mut scene = square(material, textures);
    scene.textures[4] = Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() };
    scene
}

#[test]
fn hd_materials_are_lit_in_linear_light_and_take_the_players_colour() {
    // Rough and not metal: nothing is mirrored. A normal map of 255, 128 with alpha 128 is flat: 2 · 1 · 0.5 - 1 = 0.
    let scene = hd(&["806040ff", "ff80ff80", "ffff0000", "000000ff", ""]);
    let rig = LightRig { ambient: Vec3::ZERO, directional: vec![(Vec3::X, Vec3::splat(0.5))] };
    let options = |team_color| Options {
        family: Some(Family::Mdx),
        light: Some(rig.clone()),
        team_color,
        ..Options::default()
    };
    let lit = |stored: f32| srgb(film(0.5 * linear(stored / 255.0)));
    assert_near(middle(&scene, options(None)), [128.0, 96.0, 64.0].map(lit));
    // With the mask at its fullest the player's colour multiplies the stored one.
    let masked = hd(&["806040ff", "ff80ff80", "ffff00ff", "000000ff", ""]);
    let blue = middle(&masked, options(Some([0, 0, 255])));
    assert_near(blue, [0.0, 0.0, lit(64.0)]);
    // Emitted light is added in linear light.
    let glowing = hd(&["000000ff", "ff80ff80", "ffff0000", "804020ff", ""]);
    let glow = |stored: f32| srgb(film(linear(stored / 255.0)));
    assert_near(middle(&glowing, options(None)), [128.0, 64.0, 32.0].map(glow));
}

#[test]
fn bfme_ii_brightens_up_to_twice_the_texture() {
    let lighting = Lighting { ambient: Vec3::ONE, diffuse: Vec3::ONE, ..Lighting::default() };
    let layer =
        Layer { slots: vec![slot(SlotKind::Diffuse, 0)], lighting: Some(lighting), ..Layer::default() };
    let scene = square(Material { layers: vec![layer], ..Material::default() }, &["402010ff"]);
    let seen = |overbright| {
        let rules = Rules { overbright, ..Rules::default() };
        middle(
            &scene,
            Options { family: Some(Family::W3d), light: from_the_front(1.0), rules, ..Options::default() },
        )
    };
    // Light of 0.5 + 1: clamped at one, or half of it doubled.
    assert_near(seen(false), [64.0, 32.0, 16.0].map(|t: f32| t / 255.0));
    assert_near(seen(true), [64.0, 32.0, 16.0].map(|t: f32| 1.5 * t / 255.0));
}
