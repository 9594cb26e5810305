//! A scene of materials, and pictures for them.

use super::{clip, node, tetrahedron};
use glam::{Quat, Vec2, Vec3};
use meshwright_gltf::Picture;
use scene::*;

fn slot(kind: SlotKind, texture: u32) -> TextureSlot {
    TextureSlot { kind, texture: Some(TextureId(texture)), ..TextureSlot::default() }
}

fn textured(name: &str, layer: Layer) -> Material {
    Material { name: name.into(), layers: vec![layer], ..Material::default() }
}

/// Every way in which a layer becomes a glTF material, and materials that change.
pub(crate) fn materials() -> Scene {
    let file = |name: &str| Texture { name: name.into(), ..Texture::default() };
    let game = |which: Replaceable| Texture { replaceable: Some(which), ..Texture::default() };
    let plain = || Layer { slots: vec![slot(SlotKind::Diffuse, 0)], ..Layer::default() };
    let hd = ["hd.dds", "normal.dds", "orm.dds", "glow.dds"];
    let mut scene = Scene {
        name: "Swatches".into(),
        textures: vec![
            file("Textures\\Brick \"old\".blp"),
            game(Replaceable::TEAM_COLOR),
            game(Replaceable::TEAM_GLOW),
            file("missing.tga"),
            file(hd[0]),
            file(hd[1]),
            file(hd[2]),
            file(hd[3]),
            Texture { wrap_u: Wrap::Clamp, wrap_v: Wrap::Mirror, no_mipmaps: true, ..file("clamped.tga") },
        ],
        ..Scene::default()
    };
    let rotated = UvMapper::Rotate(Rotate { speed: 0.0, center: Vec2::ZERO, scale: Vec2::new(2.0, 3.0) });
    let mut second_set = slot(SlotKind::Diffuse, 8);
    second_set.uv_set = 1;
    second_set.mapper = UvMapper::Scale(Vec2::new(4.0, 0.5));
    let mut third_set = slot(SlotKind::Diffuse, 0);
    third_set.uv_set = 2;
    scene.materials = vec![
        textured("Opaque", plain()),
        textured("Cut out", Layer { alpha_test: Some(AlphaTest::W3D), two_sided: true, ..plain() }),
        textured("Blended", Layer { blend: BlendMode::Alpha, unlit: true, alpha: 0.5, ..plain() }),
        textured(
            "Additive",
            Layer { blend: BlendMode::Additive, alpha_test: Some(AlphaTest::INVISIBLE), ..plain() },
        ),
        Material {
            name: "Team".into(),
            layers: vec![
                Layer { slots: vec![slot(SlotKind::Diffuse, 1)], ..Layer::default() },
                Layer { blend: BlendMode::Alpha, ..plain() },
            ],
            ..Material::default()
        },
        textured(
            "Glow",
            Layer { blend: BlendMode::Additive, slots: vec![slot(SlotKind::Diffuse, 2)], ..Layer::default() },
        ),
        textured("Missing", Layer { slots: vec![slot(SlotKind::Diffuse, 3)], ..Layer::default() }),
        textured(
            "HD",
            Layer {
                slots: vec![
                    slot(SlotKind::Diffuse, 4),
                    slot(SlotKind::Normal, 5),
                    slot(SlotKind::OcclusionRoughnessMetal, 6),
                    slot(SlotKind::Emissive, 7),
                ],
                emissive_gain: 3.0,
                ..Layer::default()
            },
        ),
        textured("Second set, scaled", Layer { slots: vec![second_set], ..Layer::default() }),
        textured(
            "Turned",
            Layer {
                slots: vec![TextureSlot { mapper: rotated, ..slot(SlotKind::Diffuse, 0) }],
                ..Layer::default()
            },
        ),
        textured("No such coordinates", Layer { slots: vec![third_set], ..Layer::default() }),
        textured(
            "Lit",
            Layer {
                lighting: Some(Lighting {
                    diffuse: Vec3::splat(0.5),
                    emissive: Vec3::new(0.5, 0.0, 0.0),
                    opacity: 0.75,
                    ..Lighting::default()
                }),
                ..plain()
            },
        ),
        textured("Moves", Layer { blend: BlendMode::Alpha, ..plain() }),
        Material::default(),
    ];
    for at in 0..scene.materials.len() as u32 {
        scene.nodes.push(node(&format!("Swatch {at}"), None, [at as f32 * 2.0, 0.0, 0.0]));
        let mut mesh = tetrahedron(&format!("Swatch {at}"), at);
        mesh.parts = vec![Part { material: Some(MaterialId(at)), start: 0, count: 12 }];
        scene.meshes.push(mesh);
    }
    scene.meshes[2].color = Vec3::new(0.5, 1.0, 0.5);
    // A normal map without tangents.
    let high_definition = scene.materials.iter().position(|material| material.name == "HD").expect("one");
    scene.nodes.push(node("No tangents", None, [-2.0, 0.0, 0.0]));
    let mut bare = tetrahedron("No tangents", scene.nodes.len() as u32 - 1);
    bare.parts = vec![Part { material: Some(MaterialId(high_definition as u32)), start: 0, count: 12 }];
    bare.tangents.clear();
    scene.meshes.push(bare);
    let layer = |property: LayerProperty, curve: Curve| Channel {
        target: Target::Layer(MaterialId(12), 0, property),
        curve,
    };
    scene.clips.push(clip(
        "Change",
        1.0,
        vec![
            layer(
                LayerProperty::Alpha,
                Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 0.25)])),
            ),
            layer(
                LayerProperty::Color,
                Curve::Vector(Track::new(Interpolation::Step, [(0.0, Vec3::ONE), (0.5, Vec3::X)])),
            ),
            layer(
                LayerProperty::UvTranslation,
                Curve::Vector(Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::X)])),
            ),
            layer(
                LayerProperty::UvRotation,
                Curve::Rotation(Track::new(
                    Interpolation::Linear,
                    [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(3.0))],
                )),
            ),
            layer(
                LayerProperty::Texture(0),
                Curve::Index(Track::new(Interpolation::Step, [(0.0, 0), (0.5, 1)])),
            ),
            Channel {
                target: Target::Mesh(MeshId(2), MeshProperty::Alpha),
                curve: Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 0.5)])),
            },
        ],
    ));
    scene
}

/// A picture for every name but one.
pub(crate) fn pictures(name: &str) -> Option<Picture> {
    let pixels = (0..16_u8).flat_map(|at| [at * 16, 255 - at * 16, 128, 55 + at * 10]).collect();
    let image = texture::Image::new(4, 4, pixels).expect("sixteen pixels");
    (name != "missing.tga").then_some(Picture::Image(image))
}
