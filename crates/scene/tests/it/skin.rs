//! Skinning with any number of bones, and what meshes and their looks say about themselves.

use glam::{Affine3A, Quat, Vec3, Vec4};
use meshwright_scene::*;
use std::f32::consts::FRAC_PI_2;

/// Four bones in the origin of the model, and a mesh of one vertex at (1, 0, 0) with these influences.
fn deform(influences: &[(u32, f32)], worlds: &[Affine3A]) -> Deformed {
    let joint = |i| Joint { node: NodeId(i), inverse_bind: Affine3A::IDENTITY };
    let mut bones = Skin { joints: (0..4).map(joint).collect(), ..Skin::default() };
    bones.push_vertex(influences.iter().map(|&(joint, weight)| Influence { joint, weight }));
    let mesh = Mesh {
        positions: vec![Vec3::X],
        normals: vec![Vec3::X],
        tangents: vec![Vec4::new(0.0, 1.0, 0.0, -1.0)],
        skin: Some(bones),
        ..Mesh::default()
    };
    let pose = Pose { worlds: worlds.to_vec(), ..Pose::default() };
    let mut out = Deformed::default();
    skin(&mesh, &pose, &mut out);
    out
}

fn assert_near(a: Vec3, b: Vec3) {
    assert!(a.abs_diff_eq(b, 1e-6), "{a} is not {b}");
}

fn quarter_turns() -> [Affine3A; 4] {
    // (1, 0, 0) goes to X, Y, -X, -Y, each a step further up.
    [0.0, 1.0, 2.0, 3.0]
        .map(|i| Affine3A::from_rotation_translation(Quat::from_rotation_z(i * FRAC_PI_2), i * Vec3::Z))
}

#[test]
fn one_bone() {
    let out = deform(&[(1, 1.0)], &quarter_turns());
    assert_near(out.positions[0], Vec3::new(0.0, 1.0, 1.0));
    assert_near(out.normals[0], Vec3::Y);
    // The tangent (0, 1, 0) turns to -X and keeps its hand.
    assert_near(out.tangents[0].truncate(), -Vec3::X);
    assert_eq!(out.tangents[0].w, -1.0);
}

#[test]
fn two_bones() {
    // 3/4 of (1, 0, 0) and 1/4 of (0, 1, 1); the normal (0.75, 0.25, 0) is made unit length.
    let out = deform(&[(0, 0.75), (1, 0.25)], &quarter_turns());
    assert_near(out.positions[0], Vec3::new(0.75, 0.25, 0.25));
    assert_near(out.normals[0], Vec3::new(3.0, 1.0, 0.0) / 10.0_f32.sqrt());
}

#[test]
fn four_bones() {
    // 0.4 (1, 0, 0) + 0.3 (0, 1, 1) + 0.2 (-1, 0, 2) + 0.1 (0, -1, 3) = (0.2, 0.2, 1)
    let out = deform(&[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)], &quarter_turns());
    assert_near(out.positions[0], Vec3::new(0.2, 0.2, 1.0));
}

#[test]
fn nothing_to_follow() {
    assert_eq!(deform(&[], &quarter_turns()).positions, [Vec3::X], "no influence");
    assert_eq!(deform(&[(9, 1.0)], &quarter_turns()).positions, [Vec3::X], "no such joint");
    assert_eq!(deform(&[(9, 0.5), (8, 0.5)], &quarter_turns()).positions, [Vec3::X], "no such joints");
    assert_eq!(deform(&[(3, 1.0)], &quarter_turns()[..2]).positions, [Vec3::X], "no such node");
}

#[test]
fn vertices_in_bone_space_come_back_through_the_bind_pose() {
    // W3D keeps a vertex in the space of each of its bones: world = Σ w · M(bone) · v(bone). Ours has it once, in the bind pose.
    let mut scene = Scene::default();
    for (i, angle) in [0.3, -0.8].into_iter().enumerate() {
        scene.nodes.push(Node {
            parent: i.checked_sub(1).map(NodeId::from),
            rest: Transform {
                translation: Vec3::new(1.0, 2.0, -0.5),
                rotation: Quat::from_rotation_y(angle),
                scale: Vec3::ONE,
            },
            ..Node::default()
        });
    }
    let binds = scene.rest_worlds();
    let bind_position = Vec3::new(2.0, 3.0, 0.25);
    let in_bone = [0, 1].map(|i: usize| binds[i].inverse().transform_point3(bind_position));
    let weights = [0.35, 0.65];

    let joint = |i: usize| Joint { node: NodeId::from(i), inverse_bind: binds[i].inverse() };
    let mut arm = Skin { joints: vec![joint(0), joint(1)], ..Skin::default() };
    arm.push_vertex([0, 1].map(|i| Influence { joint: i, weight: weights[i as usize] }));
    let mesh = Mesh { positions: vec![bind_position], skin: Some(arm), ..Mesh::default() };

    let worlds = quarter_turns();
    let expected: Vec3 = (0..2).map(|i| worlds[i].transform_point3(in_bone[i]) * weights[i]).sum();
    let mut out = Deformed::default();
    skin(&mesh, &Pose { worlds: worlds[..2].to_vec(), ..Pose::default() }, &mut out);
    assert!(out.positions[0].abs_diff_eq(expected, 1e-5));
}

#[test]
fn rigid_meshes_follow_their_node() {
    let mesh = Mesh { node: Some(NodeId(1)), positions: vec![Vec3::X], ..Mesh::default() };
    let pose = Pose { worlds: quarter_turns().to_vec(), ..Pose::default() };
    let mut out = Deformed::default();
    skin(&mesh, &pose, &mut out);
    assert_near(out.positions[0], Vec3::new(0.0, 1.0, 1.0));
    assert!(out.normals.is_empty());
}

#[test]
fn influences_lie_end_to_end() {
    let mut skin = Skin::default();
    skin.push_equal(&[0]);
    skin.push_equal(&[]);
    skin.push_equal(&[1, 2, 3, 0]);
    assert_eq!([0, 1, 2, 3].map(|vertex| skin.of(vertex).len()), [1, 0, 4, 0]);
    assert_eq!(skin.of(2)[1], Influence { joint: 2, weight: 0.25 });
    assert_eq!(skin.max_influences(), 4);
    // Vertices may share.
    skin.sets.extend([0, 2, 3]);
    assert_eq!([3, 4, 5].map(|vertex| skin.of(vertex).len()), [1, 4, 0], "there is no set 3");
    // Ends that do not ascend, or are out of range, give no influences.
    skin.ends = vec![3, 1, 99];
    assert_eq!([0, 1, 2].map(|vertex| skin.of(vertex).len()), [3, 0, 0]);
}

#[test]
fn blend_modes_by_their_factors() {
    use BlendFactor::*;
    for mode in [BlendMode::Opaque, BlendMode::Alpha, BlendMode::Add, BlendMode::Multiply, BlendMode::Screen]
    {
        let (source, destination) = mode.factors();
        assert_eq!(BlendMode::from_factors(source, destination), mode);
    }
    assert_eq!(BlendMode::from_factors(SourceAlpha, One), BlendMode::Additive);
    assert_eq!(
        BlendMode::from_factors(Zero, OneMinusSourceAlpha),
        BlendMode::Factors(Zero, OneMinusSourceAlpha)
    );
}

#[test]
fn transparency_is_what_w3d_makes_of_it() {
    let kind = |blend, alpha_test| Layer { blend, alpha_test, ..Layer::default() }.transparency();
    assert_eq!(kind(BlendMode::Opaque, None), Transparency::Opaque);
    assert_eq!(kind(BlendMode::Opaque, Some(AlphaTest::W3D)), Transparency::Mask);
    assert_eq!(kind(BlendMode::Alpha, Some(AlphaTest::W3D)), Transparency::Mask);
    assert_eq!(kind(BlendMode::Alpha, None), Transparency::Blend);
    assert_eq!(kind(BlendMode::Alpha, Some(AlphaTest::INVISIBLE)), Transparency::Blend);
    assert_eq!(kind(BlendMode::Add, Some(AlphaTest::W3D)), Transparency::Blend);
    // 0x60 and 0x9F of 255: the bytes themselves pass.
    assert!(AlphaTest::W3D.passes(96.0 / 255.0) && !AlphaTest::W3D.passes(95.0 / 255.0));
    assert!(AlphaTest::W3D_INVERTED.passes(159.0 / 255.0) && !AlphaTest::W3D_INVERTED.passes(160.0 / 255.0));
}

#[test]
fn bounds_around_points() {
    // A box of 2 by 4 by 4: its half diagonal is 3.
    let bounds = Bounds::around([Vec3::ZERO, Vec3::new(2.0, 4.0, 4.0)]).unwrap();
    assert_eq!((bounds.min, bounds.max), (Vec3::ZERO, Vec3::new(2.0, 4.0, 4.0)));
    assert_eq!((bounds.center, bounds.radius), (Vec3::new(1.0, 2.0, 2.0), 3.0));
    assert_eq!(Bounds::around([]), None);
}
