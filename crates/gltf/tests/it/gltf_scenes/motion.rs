//! Scenes of things that move, appear and disappear.

use super::{clip, node, shift, stretch, tetrahedron, turn};
use glam::{Affine3A, Quat, Vec3};
use scene::*;
use std::f32::consts::FRAC_PI_2;

fn turns() -> Vec<(f32, Quat)> {
    vec![
        (0.0, Quat::IDENTITY),
        (0.5, Quat::from_rotation_y(2.0)),
        (1.25, Quat::from_rotation_z(FRAC_PI_2) * Quat::from_rotation_x(-1.0)),
        (2.0, Quat::from_rotation_x(0.3)),
    ]
}

pub(super) fn places() -> Vec<(f32, Vec3)> {
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

pub(super) fn tangents<T: Copy>(values: &[(T, T)]) -> Vec<Tangents<T>> {
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
    let mut indices = Vec::new();
    for vertex in 0..count {
        mesh.positions.push(Vec3::new((vertex / 2) as f32, (vertex % 2) as f32, 0.0));
        mesh.normals.push(Vec3::Z);
        skin.push_vertex(influences(vertex));
        if vertex >= 2 {
            let at = vertex as u32;
            indices.extend(if vertex % 2 == 0 { [at - 2, at, at - 1] } else { [at - 2, at - 1, at] });
        }
    }
    mesh.indices = indices.into();
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
