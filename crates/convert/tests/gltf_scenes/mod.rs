//! Small scenes, one for each thing that glTF out has to get right. The tests look at what is written; the example writes them all
//! for other people's readers.
#![allow(dead_code, reason = "each user takes what it needs")]

use convert::gltf::Picture;
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use scene::*;
use std::f32::consts::{FRAC_PI_2, PI};

pub(crate) mod dice;
pub(crate) mod poses;

/// All scenes by name.
pub(crate) fn all() -> Vec<(&'static str, Scene)> {
    vec![
        ("rigid", rigid()),
        ("interpolation", interpolation()),
        ("edges", edges()),
        ("skinned", skinned()),
        ("inherit", inherit()),
        ("global", global()),
        ("visibility", visibility()),
        ("materials", materials()),
        ("objects", objects()),
        ("broken", broken()),
        ("levels", levels()),
        ("large", large()),
        (
            "empty",
            Scene { clips: vec![Clip { name: "Nothing".into(), ..Clip::default() }], ..Scene::default() },
        ),
    ]
}

pub(crate) fn node(name: &str, parent: Option<u32>, translation: [f32; 3]) -> Node {
    Node {
        name: name.into(),
        parent: parent.map(NodeId),
        rest: Transform::from_translation(translation.into()),
        ..Node::default()
    }
}

/// A tetrahedron with everything a vertex can have.
pub(crate) fn tetrahedron(name: &str, node: u32) -> Mesh {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let normals = vec![Vec3::NEG_ONE.normalize(), Vec3::X, Vec3::Y, Vec3::Z];
    Mesh {
        name: name.into(),
        node: Some(NodeId(node)),
        tangents: normals.iter().map(|normal| normal.any_orthonormal_vector().extend(-1.0)).collect(),
        normals,
        uv_sets: vec![
            positions.iter().map(|position| Vec2::new(position.x, position.y)).collect(),
            positions.iter().map(|position| Vec2::new(position.z, position.y)).collect(),
        ],
        color_sets: vec![vec![[255, 128, 0, 255]; 4]],
        positions,
        indices: vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
        ..Mesh::default()
    }
}

pub(crate) fn turn(node: u32, track: Track<Quat>) -> Channel {
    Channel { target: Target::Node(NodeId(node), NodeProperty::Rotation), curve: Curve::Rotation(track) }
}

pub(crate) fn shift(node: u32, track: Track<Vec3>) -> Channel {
    Channel { target: Target::Node(NodeId(node), NodeProperty::Translation), curve: Curve::Vector(track) }
}

pub(crate) fn stretch(node: u32, track: Track<Vec3>) -> Channel {
    Channel { target: Target::Node(NodeId(node), NodeProperty::Scale), curve: Curve::Vector(track) }
}

pub(crate) fn clip(name: &str, duration: f32, channels: Vec<Channel>) -> Clip {
    Clip { name: name.into(), duration, channels, ..Clip::default() }
}

fn turns() -> Vec<(f32, Quat)> {
    vec![
        (0.0, Quat::IDENTITY),
        (0.5, Quat::from_rotation_y(2.0)),
        (1.25, Quat::from_rotation_z(FRAC_PI_2) * Quat::from_rotation_x(-1.0)),
        (2.0, Quat::from_rotation_x(0.3)),
    ]
}

fn places() -> Vec<(f32, Vec3)> {
    vec![
        (0.0, Vec3::new(1.0, 0.0, 0.0)),
        (0.5, Vec3::new(0.0, 2.0, 0.0)),
        (1.25, Vec3::new(-1.0, 0.5, 3.0)),
        (2.0, Vec3::new(1.0, 1.0, 1.0)),
    ]
}

/// Rigid meshes on a tree, one of two materials, linear motion.
pub(crate) fn rigid() -> Scene {
    let mut hull = tetrahedron("Hull", 0);
    let part =
        |material: u32, start: u32, count: u32| Part { material: Some(MaterialId(material)), start, count };
    hull.parts = vec![part(0, 0, 6), part(1, 6, 6)];
    let mut turned = node("Turret", Some(0), [0.0, 1.0, 0.0]);
    turned.rest.rotation = Quat::from_rotation_y(1.0);
    turned.rest.scale = Vec3::new(1.0, 2.0, 1.0);
    Scene {
        name: "Tank".into(),
        nodes: vec![node("Base", None, [0.5, 0.0, 0.0]), turned],
        meshes: vec![hull, tetrahedron("Barrel", 1), tetrahedron("Second on one node", 1)],
        materials: vec![
            Material {
                name: "Red".into(),
                layers: vec![Layer { color: Vec3::X, color_set: Some(0), ..Layer::default() }],
                ..Material::default()
            },
            Material { name: "Plain".into(), layers: vec![Layer::default()], ..Material::default() },
        ],
        clips: vec![
            clip(
                "Drive",
                2.0,
                vec![
                    shift(0, Track::new(Interpolation::Linear, places())),
                    turn(1, Track::new(Interpolation::Linear, turns())),
                    stretch(
                        1,
                        Track::new(
                            Interpolation::Linear,
                            [(0.0, Vec3::ONE), (1.0, Vec3::new(2.0, 1.0, 0.5))],
                        ),
                    ),
                ],
            ),
            clip("Stand", 1.5, Vec::new()),
        ],
        ..Scene::default()
    }
}

fn tangents<T: Copy>(values: &[(T, T)]) -> Vec<Tangents<T>> {
    values.iter().map(|&(incoming, outgoing)| Tangents { incoming, outgoing }).collect()
}

/// One node for each interpolation of each kind of value.
pub(crate) fn interpolation() -> Scene {
    let bends = tangents(&[
        (Vec3::X, Vec3::new(0.0, 3.0, 0.0)),
        (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-2.0, 0.0, 0.0)),
        (Vec3::Y, Vec3::new(0.0, 0.0, 4.0)),
        (Vec3::Z, Vec3::ZERO),
    ]);
    let leans = tangents(&[
        (Quat::IDENTITY, Quat::from_rotation_y(1.2)),
        (Quat::from_rotation_y(1.5), Quat::from_rotation_y(2.5)),
        (Quat::from_rotation_z(1.0), Quat::from_rotation_x(-1.4)),
        (Quat::from_rotation_x(0.1), Quat::IDENTITY),
    ]);
    let kinds = [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier];
    let mut scene = Scene { name: "Interpolation".into(), ..Scene::default() };
    let mut channels = Vec::new();
    for (index, kind) in kinds.into_iter().enumerate() {
        let at = index as u32;
        scene.nodes.push(node(&format!("{kind:?}"), None, [at as f32 * 3.0, 0.0, 0.0]));
        scene.meshes.push(tetrahedron(&format!("{kind:?} mesh"), at));
        channels.push(shift(at, Track::new(kind, places()).with_tangents(bends.clone())));
        channels.push(turn(at, Track::new(kind, turns()).with_tangents(leans.clone())));
    }
    scene.clips.push(clip("All", 2.0, channels));
    scene
}

/// Windows, rests, held stretches, keys outside the clip, jumps.
pub(crate) fn edges() -> Scene {
    let window = Outside::Wrap { start: 0.0, end: 2.0 };
    let inner = |keys: Vec<(f32, Vec3)>| {
        keys.into_iter().map(|(time, value)| (0.3 + time * 0.6, value)).collect::<Vec<_>>()
    };
    let inner_turns: Vec<_> = turns().into_iter().map(|(time, value)| (0.3 + time * 0.6, value)).collect();
    let bends = tangents(&[(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X), (Vec3::X, Vec3::Y)]);
    let leans = tangents(&[
        (turns()[3].1, turns()[1].1),
        (turns()[0].1, turns()[2].1),
        (turns()[1].1, turns()[3].1),
        (turns()[2].1, turns()[0].1),
    ]);
    let mut held = Track::new(Interpolation::Linear, places());
    held.held_until = vec![false, true, false, true];
    let mut held_turns = Track::new(Interpolation::Linear, turns());
    held_turns.held_until = vec![false, false, true, false];
    let jump =
        Track::new(Interpolation::Linear, [(0.0, Vec3::X), (1.0, Vec3::Y), (1.0, Vec3::Z), (2.0, Vec3::X)]);
    let beyond = Track::new(Interpolation::Bezier, [(-1.0, Vec3::X), (1.0, Vec3::Y), (3.0, Vec3::Z)])
        .with_tangents(tangents(&[(Vec3::X, Vec3::ONE), (Vec3::ZERO, Vec3::Z), (Vec3::Y, Vec3::X)]));
    let channels = vec![
        shift(0, Track::new(Interpolation::Linear, inner(places())).with_outside(window)),
        shift(
            1,
            Track::new(Interpolation::Bezier, inner(places()))
                .with_tangents(bends.clone())
                .with_outside(window),
        ),
        turn(2, Track::new(Interpolation::Linear, inner_turns.clone()).with_outside(window)),
        turn(
            3,
            Track::new(Interpolation::Hermite, inner_turns.clone()).with_tangents(leans).with_outside(window),
        ),
        shift(4, Track::new(Interpolation::Linear, inner(places())).with_outside(Outside::Rest)),
        turn(5, Track::new(Interpolation::Linear, inner_turns).with_outside(Outside::Rest)),
        shift(6, held),
        turn(7, held_turns),
        shift(8, jump),
        shift(9, beyond),
        shift(10, Track::new(Interpolation::Linear, [(5.0, Vec3::X)])),
        shift(11, Track::new(Interpolation::Linear, [(0.7, Vec3::X)]).with_outside(Outside::Rest)),
    ];
    let mut scene =
        Scene { name: "Edges".into(), clips: vec![clip("All", 2.0, channels)], ..Scene::default() };
    for at in 0..12 {
        scene.nodes.push(node(&format!("Edge {at}"), None, [0.0, 0.0, at as f32 * 2.0]));
        scene.meshes.push(tetrahedron(&format!("Mesh {at}"), at));
    }
    scene
}

/// A strip along X on a chain of bones.
fn strip(bones: u32, influences: impl Fn(usize) -> Vec<Influence>, binds: &[Affine3A]) -> Mesh {
    let count = bones as usize * 2;
    let mut skin = Skin::default();
    for (bone, bind) in binds.iter().enumerate() {
        skin.joints.push(Joint { node: NodeId::from(bone), inverse_bind: bind.inverse() });
    }
    let mut mesh = Mesh { name: "Strip".into(), ..Mesh::default() };
    for vertex in 0..count {
        mesh.positions.push(Vec3::new((vertex / 2) as f32, (vertex % 2) as f32, 0.0));
        mesh.normals.push(Vec3::Z);
        skin.push_vertex(influences(vertex));
        if vertex >= 2 {
            let at = vertex as u32;
            mesh.indices.extend(if vertex % 2 == 0 { [at - 2, at, at - 1] } else { [at - 2, at - 1, at] });
        }
    }
    mesh.skin = Some(skin);
    mesh
}

/// Skins of one and of seven influences, with joints twice, weights that are off, and vertices that nothing moves.
pub(crate) fn skinned() -> Scene {
    let mut scene = Scene { name: "Worm".into(), ..Scene::default() };
    const BONES: u32 = 8;
    for bone in 0..BONES {
        let mut at = node(&format!("Bone {bone}"), bone.checked_sub(1), [f32::from(bone > 0), 0.0, 0.0]);
        at.is_bone = true;
        at.rest.rotation = Quat::from_rotation_z(0.1);
        scene.nodes.push(at);
    }
    scene.nodes.push(node("Another root", None, [0.0, 5.0, 0.0]));
    let binds = scene.rest_worlds();
    let binds = &binds[..BONES as usize];
    let one = strip(BONES, |vertex| vec![Influence { joint: vertex as u32 / 2, weight: 1.0 }], binds);
    let seven = |vertex: usize| match vertex {
        0 => Vec::new(),
        1 => vec![Influence { joint: 99, weight: 1.0 }],
        2 => vec![
            Influence { joint: 1, weight: 0.5 },
            Influence { joint: 1, weight: 0.5 },
            Influence { joint: 2, weight: 0.0 },
        ],
        _ => (0..7)
            .map(|joint| Influence { joint, weight: [0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1][joint as usize] })
            .collect(),
    };
    let mut many = strip(BONES, seven, binds);
    many.name = "Seven".into();
    let mut twice = strip(BONES, |vertex| vec![Influence { joint: vertex as u32 % 2, weight: 1.0 }], binds);
    twice.name = "Twice".into();
    if let Some(skin) = &mut twice.skin {
        skin.joints = vec![
            skin.joints[3],
            Joint { inverse_bind: Affine3A::from_translation(Vec3::NEG_X), ..skin.joints[3] },
            skin.joints[3],
        ];
        skin.joints.push(Joint { node: NodeId(1000), inverse_bind: Affine3A::from_translation(Vec3::Y) });
    }
    scene.meshes = vec![one, many, twice];
    let wave = |bone: u32| {
        let angle = 0.4 + bone as f32 * 0.1;
        turn(
            bone,
            Track::new(
                Interpolation::Linear,
                [
                    (0.0, Quat::from_rotation_z(0.1)),
                    (0.5, Quat::from_rotation_z(angle) * Quat::from_rotation_y(angle)),
                    (1.0, Quat::from_rotation_z(-angle)),
                ],
            ),
        )
    };
    scene.clips.push(clip("Wave", 1.0, (0..BONES).map(wave).collect()));
    scene
}

/// Nodes that take less than all from their parents.
pub(crate) fn inherit() -> Scene {
    let flags = [
        (false, true, true),
        (true, false, true),
        (true, true, false),
        (true, false, false),
        (false, false, false),
    ];
    let mut parent = node("Parent", None, [1.0, 0.0, 0.0]);
    parent.rest.rotation = Quat::from_rotation_y(0.5);
    let mut scene = Scene { name: "Stubborn".into(), nodes: vec![parent], ..Scene::default() };
    scene.meshes.push(tetrahedron("Parent mesh", 0));
    let mut channels = vec![
        turn(0, Track::new(Interpolation::Linear, turns())),
        shift(0, Track::new(Interpolation::Linear, places())),
        // Uniform, because glTF's nodes cannot be askew.
        stretch(0, Track::new(Interpolation::Linear, [(0.0, Vec3::ONE), (2.0, Vec3::splat(2.0))])),
    ];
    for (index, (translation, rotation, scale)) in flags.into_iter().enumerate() {
        let at = index as u32 + 1;
        let mut child = node(&format!("Child {at}"), Some(0), [0.0, at as f32, 0.0]);
        child.inherit = Inherit { translation, rotation, scale };
        scene.nodes.push(child);
        scene.meshes.push(tetrahedron(&format!("Mesh {at}"), at));
        channels.push(turn(
            at,
            Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(1.0))]),
        ));
    }
    let below = scene.nodes.len() as u32;
    scene.nodes.push(node("Below", Some(2), [0.0, 0.0, 1.0]));
    scene.meshes.push(tetrahedron("Mesh below", below));
    scene.clips = vec![clip("Move", 2.0, channels)];
    scene
}

/// Two clocks of their own beside a clip.
pub(crate) fn global() -> Scene {
    let spin = Track::new(
        Interpolation::Linear,
        (0..5).map(|quarter| (quarter as f32 * 0.25, Quat::from_rotation_y(quarter as f32 * FRAC_PI_2))),
    );
    let bob = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (0.4, Vec3::Y)])
        .with_outside(Outside::Wrap { start: 0.0, end: 0.7 });
    let on =
        |sequence: u32, channel: Channel| GlobalChannel { sequence: GlobalSequenceId(sequence), channel };
    Scene {
        name: "Mill".into(),
        nodes: vec![
            node("Tower", None, [0.0; 3]),
            node("Sails", Some(0), [0.0, 2.0, 0.0]),
            node("Bird", None, [3.0, 0.0, 0.0]),
        ],
        meshes: vec![tetrahedron("Tower", 0), tetrahedron("Sails", 1), tetrahedron("Bird", 2)],
        global_sequences: vec![GlobalSequence { duration: 1.0 }, GlobalSequence { duration: 0.7 }],
        global_channels: vec![on(0, turn(1, spin)), on(1, shift(2, bob))],
        clips: vec![clip("Lean", 2.5, vec![turn(0, Track::new(Interpolation::Linear, turns()))])],
        ..Scene::default()
    }
}

/// Meshes that come and go: by their node, by their own flag, by fading, skinned.
pub(crate) fn visibility() -> Scene {
    let flag = |keys: &[(f32, bool)]| Curve::Flag(Track::new(Interpolation::Step, keys.iter().copied()));
    let node_shows =
        |at: u32, curve: Curve| Channel { target: Target::Node(NodeId(at), NodeProperty::Visibility), curve };
    let mesh_shows = |at: u32, property: MeshProperty, curve: Curve| Channel {
        target: Target::Mesh(MeshId(at), property),
        curve,
    };
    let fade =
        Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 0.0), (1.5, 0.0), (2.0, 1.0)]));
    let mut scene = Scene {
        name: "Ghosts".into(),
        nodes: (0..4).map(|at| node(&format!("Ghost {at}"), None, [at as f32 * 2.0, 0.0, 0.0])).collect(),
        materials: vec![Material {
            layers: vec![Layer { blend: BlendMode::Alpha, ..Layer::default() }],
            ..Material::default()
        }],
        ..Scene::default()
    };
    scene.nodes.push(node("Child of the first", Some(0), [0.0, 3.0, 0.0]));
    scene.nodes[3].visible = false;
    scene.meshes = (0..5).map(|at| tetrahedron(&format!("Mesh {at}"), at)).collect();
    let whole = Part { material: Some(MaterialId(0)), start: 0, count: 12 };
    scene.meshes.iter_mut().for_each(|mesh| mesh.parts.push(whole));
    let mut skinned = tetrahedron("Skinned", 1);
    let mut skin =
        Skin { joints: vec![Joint { node: NodeId(1), inverse_bind: Affine3A::IDENTITY }], ..Skin::default() };
    (0..4).for_each(|_| skin.push_equal(&[0]));
    skinned.skin = Some(skin);
    scene.meshes.push(skinned);
    scene.clips.push(clip(
        "Haunt",
        2.0,
        vec![
            node_shows(0, flag(&[(0.0, true), (0.5, false), (1.5, true)])),
            mesh_shows(1, MeshProperty::Visibility, flag(&[(0.0, false), (1.0, true)])),
            mesh_shows(2, MeshProperty::Alpha, fade),
            node_shows(3, flag(&[(0.0, true)])),
            mesh_shows(5, MeshProperty::Visibility, flag(&[(0.0, true), (1.0, false)])),
            shift(0, Track::new(Interpolation::Linear, places())),
        ],
    ));
    scene
}

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

/// All that hangs on nodes.
pub(crate) fn objects() -> Scene {
    let on = NodeId(1);
    let keyed = KeyedEmitter {
        color: LifeKeys { keys: vec![(0.0, Vec4::ONE), (1.0, Vec4::ZERO)], random: Vec4::ZERO },
        creation_volume: Volume::Sphere { radius: 2.0, hollow: true },
        user_data: Some((7, "tag".into())),
        ..KeyedEmitter::default()
    };
    let emitter =
        |name: &str, kind: EmitterKind| Emitter { node: on, name: name.into(), visible: true, kind };
    let spot = LightKind::Spot { inner: 0.3, outer: 0.6, exponent: 1.0 };
    let ring = PrimitiveForm::Ring {
        inner_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        outer_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        inner_extent: Vec2::ONE,
        outer_extent: Vec2::splat(2.0),
        tiles: 3,
    };
    let camera = |property: CameraProperty, curve: Curve| Channel {
        target: Target::Camera(CameraId(0), property),
        curve,
    };
    Scene {
        name: "Workshop".into(),
        nodes: vec![
            node("Root", None, [0.0; 3]),
            Node {
                billboard: Billboard::Facing,
                camera_anchored: true,
                ..node("Hook", Some(0), [0.0, 1.0, 0.0])
            },
        ],
        meshes: vec![tetrahedron("Body", 0)],
        lights: vec![
            Light {
                color: Vec3::new(2.0, 1.0, 0.5),
                attenuation: Some([1.0, 8.0]),
                ..Light::new(on, LightKind::Point)
            },
            Light::new(on, LightKind::Directional),
            Light::new(on, LightKind::Ambient),
            Light { pulse: Some(Pulse::default()), ..Light::new(NodeId(0), spot) },
            Light::new(NodeId(77), LightKind::Point),
        ],
        cameras: vec![
            Camera {
                name: "Portrait".into(),
                position: Vec3::new(0.0, 1.0, 5.0),
                target: Vec3::Y,
                field_of_view: 0.8,
                near: 0.1,
                far: 100.0,
                node: None,
            },
            Camera { name: "Broken".into(), node: Some(on), ..Camera::default() },
        ],
        emitters: vec![
            emitter(
                "Model",
                EmitterKind::Model(ModelEmitter { path: "rock.mdl".into(), ..ModelEmitter::default() }),
            ),
            emitter(
                "Sprite",
                EmitterKind::Sprite(Box::new(SpriteEmitter {
                    rows: 4,
                    head_life: FrameRange { start: 1, end: 2, repeat: 3 },
                    ..SpriteEmitter::default()
                })),
            ),
            emitter("Effect", EmitterKind::Effect(EffectEmitter::default())),
            emitter("Keyed", EmitterKind::Keyed(Box::new(keyed))),
        ],
        ribbons: vec![Ribbon { material: Some(MaterialId(0)), ..Ribbon::new(on) }],
        materials: vec![Material { name: "Stripe".into(), ..Material::default() }],
        primitives: vec![Primitive {
            name: "Wave".into(),
            node: on,
            center: Vec3::ZERO,
            extent: Vec3::ONE,
            duration: 1.0,
            looping: true,
            aligned: false,
            texture: None,
            layer: Layer::default(),
            color: LifeKeys::default(),
            alpha: LifeKeys::default(),
            form: ring,
        }],
        attachments: vec![
            Attachment {
                path: "sword.mdx".into(),
                number: Some(3),
                ..Attachment::new(on, AttachmentKind::Point)
            },
            Attachment::new(NodeId(0), AttachmentKind::Proxy),
        ],
        events: vec![Event { node: on, name: "SNDxFOOT".into(), global: None }],
        collision_shapes: vec![
            CollisionShape {
                name: "Box".into(),
                node: on,
                shape: Shape::Box { min: Vec3::NEG_ONE, max: Vec3::ONE, axis_aligned: true },
                mask: CollisionMask::PHYSICAL,
            },
            CollisionShape {
                name: "Ball".into(),
                node: on,
                shape: Shape::Sphere { center: Vec3::ZERO, radius: 2.0 },
                mask: CollisionMask::NONE,
            },
        ],
        dazzles: vec![Dazzle { node: on, name: "Sun".into(), kind: "SUN".into() }],
        sounds: vec![Sound::new(on, "hum.wav")],
        clips: vec![Clip {
            events: vec![EventKey { time: 0.5, event: EventId(0) }],
            looping: true,
            frame_rate: Some(30.0),
            bounds: Bounds::around([Vec3::ZERO, Vec3::ONE]),
            ..clip(
                "Run",
                1.0,
                vec![
                    camera(
                        CameraProperty::Translation,
                        Curve::Vector(Track::new(
                            Interpolation::Linear,
                            [(0.0, Vec3::ZERO), (1.0, Vec3::X * 5.0)],
                        )),
                    ),
                    camera(
                        CameraProperty::Roll,
                        Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 0.0), (1.0, PI)])),
                    ),
                    Channel {
                        target: Target::Emitter(EmitterId(1), EmitterProperty::EmissionRate),
                        curve: Curve::Scalar(
                            Track::new(Interpolation::Hermite, [(0.0, 1.0), (1.0, 20.0)])
                                .with_tangents(tangents(&[(0.0, 1.0), (2.0, 3.0)])),
                        ),
                    },
                    Channel {
                        target: Target::Light(LightId(0), LightProperty::Intensity),
                        curve: Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 0.0)])),
                    },
                ],
            )
        }],
        global_sequences: vec![GlobalSequence { duration: 1.0 }],
        blend_time: 0.15,
        ..Scene::default()
    }
}

/// Everything that can be wrong with numbers.
pub(crate) fn broken() -> Scene {
    let mut mesh = tetrahedron("Bad", 0);
    mesh.positions[3].z = f32::NAN;
    mesh.normals[0] = Vec3::ZERO;
    mesh.normals[1] = Vec3::new(f32::INFINITY, 0.0, 0.0);
    mesh.normals[2] *= 3.0;
    mesh.tangents[1] = Vec4::ZERO;
    mesh.uv_sets[0][2] = Vec2::NAN;
    mesh.uv_sets[1].truncate(2);
    mesh.color_sets.push(vec![[1, 2, 3, 4]]);
    mesh.indices.extend([0, 1, 99, 1, 1, 2, 0]);
    mesh.parts = vec![
        Part { material: Some(MaterialId(9)), start: 0, count: 1000 },
        Part { material: None, start: 500, count: 3 },
    ];
    let mut flat = tetrahedron("No normals", 1);
    flat.normals.iter_mut().for_each(|normal| *normal = Vec3::ZERO);
    let mut turned = node("Zero rotation", Some(2), [f32::NAN, 0.0, 1.0]);
    turned.rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let late = Track::new(
        Interpolation::Linear,
        [
            (f32::NAN, Vec3::ONE),
            (1.0, Vec3::NAN),
            (0.5, Vec3::X),
            (f32::INFINITY, Vec3::Y),
            (0.0, Vec3::ZERO),
        ],
    );
    Scene {
        name: "Broken".into(),
        nodes: vec![
            node("A", Some(1), [0.0; 3]),
            turned,
            node("Circle", Some(1), [0.0; 3]),
            node("Orphan", Some(88), [0.0; 3]),
        ],
        meshes: vec![
            mesh,
            flat,
            Mesh { name: "Nothing".into(), ..Mesh::default() },
            Mesh { hidden: true, ..tetrahedron("Hidden", 0) },
        ],
        clips: vec![
            clip(
                "Late",
                1.0,
                vec![
                    shift(0, late),
                    shift(99, Track::new(Interpolation::Linear, places())),
                    shift(3, Track::default()),
                ],
            ),
            clip(
                "Endless",
                f32::INFINITY,
                vec![turn(
                    0,
                    Track::new(
                        Interpolation::Linear,
                        [(0.0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), (1.0, Quat::NAN)],
                    ),
                )],
            ),
        ],
        ..Scene::default()
    }
}

/// Two levels of detail on two nodes.
pub(crate) fn levels() -> Scene {
    let level = |range: f32, meshes: [u32; 2]| Level {
        range: LevelRange::MaxScreenSize(range),
        meshes: meshes.map(MeshId).to_vec(),
    };
    Scene {
        name: "Levels".into(),
        nodes: vec![node("Left", None, [-1.0, 0.0, 0.0]), node("Right", None, [1.0, 0.0, 0.0])],
        meshes: vec![
            tetrahedron("Left fine", 0),
            tetrahedron("Right fine", 1),
            tetrahedron("Left coarse", 0),
            tetrahedron("Right coarse", 1),
        ],
        levels: vec![level(1.0, [0, 1]), level(0.1, [2, 3])],
        ..Scene::default()
    }
}

/// More vertices than sixteen bits can number.
pub(crate) fn large() -> Scene {
    const COUNT: u32 = 70_000;
    let mut mesh = Mesh { name: "Dust".into(), node: Some(NodeId(0)), ..Mesh::default() };
    mesh.positions =
        (0..COUNT).map(|at| Vec3::new((at % 251) as f32, (at % 83) as f32, (at % 7) as f32)).collect();
    mesh.indices = (0..COUNT - 2).step_by(3).flat_map(|at| [at, at + 1, at + 2]).collect();
    Scene {
        name: "Large".into(),
        nodes: vec![node("Root", None, [0.0; 3])],
        meshes: vec![mesh],
        ..Scene::default()
    }
}
