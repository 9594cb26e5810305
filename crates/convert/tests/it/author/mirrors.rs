//! Mirrors, uneven scale and shear: MDX and W3D files have every vertex where the scene has it.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};
use meshwright_convert::author::{mdx, w3d};
use meshwright_convert::{mdx as from_mdx, w3d as from_w3d};
use scene::{
    Channel, Clip, ClipId, Curve, Deformed, Influence, Interpolation, Joint, Mesh, Moment, NodeId,
    NodeProperty, Sampler, Scene, Skin, Target, Track, Transform, skin,
};

use super::arm::node;

/// Whether a tetrahedron hangs on the last node, or is a skin of the last two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Rigid,
    Skin,
}

/// A chain of three nodes with these scales. The second is turned at rest if `turned`; the second and the third turn while a clip plays.
fn chain(scales: [Vec3; 3], turned: bool, kind: Kind) -> Scene {
    let rest = |translation: Vec3, angle: f32, scale: Vec3| Transform {
        translation,
        rotation: Quat::from_axis_angle(Vec3::new(1.0, 2.0, -1.0).normalize(), angle),
        scale,
    };
    let angle = if turned { 0.6 } else { 0.0 };
    let nodes = vec![
        node("Base", None, rest(Vec3::new(1.0, 2.0, 0.5), 0.0, scales[0])),
        node("Middle", Some(0), rest(Vec3::new(3.0, 0.0, 1.0), angle, scales[1])),
        node("End", Some(1), rest(Vec3::new(0.0, 2.0, 0.0), -angle, scales[2])),
    ];
    // Flat faces: each has corners of its own.
    let corners = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 3.0)];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut mesh = Mesh { name: "Hull".into(), node: Some(NodeId(2)), ..Mesh::default() };
    for face in faces {
        let places = face.map(|corner: usize| corners[corner]);
        let normal = (places[1] - places[0]).cross(places[2] - places[0]).normalize();
        mesh.positions.extend(places);
        mesh.normals.extend([normal; 3]);
    }
    mesh.indices = (0..12).collect();
    mesh.uv_sets = vec![vec![glam::Vec2::ZERO; 12]];
    let turn = |node: usize, by: f32| {
        let rest: Quat = nodes[node].rest.rotation;
        let axis = Vec3::new(0.3, 1.0, 0.4).normalize();
        let keys = (0..=30_u8).map(|frame| {
            (f32::from(frame) / 30.0, rest * Quat::from_axis_angle(axis, by * f32::from(frame) / 30.0))
        });
        Channel {
            target: Target::Node(NodeId::from(node), NodeProperty::Rotation),
            curve: Curve::Rotation(Track::new(Interpolation::Linear, keys)),
        }
    };
    let channels = vec![turn(1, 1.1), turn(2, -0.8)];
    let mut scene = Scene {
        name: "Chain".into(),
        nodes,
        clips: vec![Clip {
            name: "Stand".into(),
            duration: 1.0,
            looping: true,
            frame_rate: Some(30.0),
            channels,
            ..Clip::default()
        }],
        ..Scene::default()
    };
    if kind == Kind::Skin {
        let worlds = scene.rest_worlds();
        let joints =
            [1, 2].map(|node| Joint { node: NodeId(node), inverse_bind: worlds[node as usize].inverse() });
        let mut skin = Skin { joints: joints.to_vec(), ..Skin::default() };
        mesh.transform(&worlds[2]);
        // Each vertex follows one of the two.
        for place in 0..12 {
            skin.push_vertex([Influence { joint: place / 3 % 2, weight: 1.0 }]);
        }
        mesh.skin = Some(skin);
    }
    scene.meshes.push(mesh);
    scene
}

/// The triangles of all meshes at a time of the first clip, without regard to their order.
fn triangles(scene: &Scene, clip: Option<usize>, time: f32) -> Vec<[Vec3; 3]> {
    let moment = Moment { clip: clip.map(ClipId::from), time, ..Moment::default() };
    let pose = Sampler::new(scene).pose(&moment);
    let mut all = Vec::new();
    for mesh in scene.meshes.iter().filter(|mesh| !mesh.hidden) {
        let mut deformed = Deformed::default();
        skin(mesh, &pose, &mut deformed);
        let corners: Vec<Vec3> =
            mesh.indices.iter().map(|corner| deformed.positions[corner as usize]).collect();
        all.extend(corners.as_chunks::<3>().0.iter().copied());
    }
    all
}

/// The largest distance of a triangle from the nearest one of the file, corner by corner in the order that the front has.
fn distance(wanted: &[[Vec3; 3]], found: &[[Vec3; 3]], is_mirrored: bool) -> f32 {
    assert_eq!(wanted.len(), found.len());
    let mut used = BTreeSet::new();
    let mut worst = 0.0_f32;
    for [a, b, c] in wanted {
        // A mirrored triangle keeps its front if its corners are in the other order.
        let wanted = if is_mirrored { [*a, *c, *b] } else { [*a, *b, *c] };
        let apart = |found: &[Vec3; 3]| {
            let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
            let of = |turn: [usize; 3]| {
                (0..3).map(|corner| wanted[corner].distance(found[turn[corner]])).fold(0.0, f32::max)
            };
            turns.map(of).into_iter().fold(f32::INFINITY, f32::min)
        };
        let nearest = (0..found.len()).filter(|index| !used.contains(index));
        let nearest = nearest.min_by(|a, b| apart(&found[*a]).total_cmp(&apart(&found[*b]))).unwrap();
        used.insert(nearest);
        worst = worst.max(apart(&found[nearest]));
    }
    worst
}

/// The largest angle between a triangle and the normals of its corners, in degrees.
fn normal_error(scene: &Scene) -> f32 {
    let pose = Sampler::new(scene).pose(&Moment::default());
    let mut worst = 0.0_f32;
    for mesh in &scene.meshes {
        let mut deformed = Deformed::default();
        skin(mesh, &pose, &mut deformed);
        let corners: Vec<usize> = mesh.indices.iter().map(|corner| corner as usize).collect();
        for [a, b, c] in corners.as_chunks::<3>().0.iter().copied() {
            let place = |corner: usize| deformed.positions[corner];
            let front = (place(b) - place(a)).cross(place(c) - place(a)).normalize();
            for corner in [a, b, c] {
                worst = worst.max(front.angle_between(deformed.normals[corner]).to_degrees());
            }
        }
    }
    worst
}

/// Mirror, uneven scale, negative determinant, and shear by hierarchy, in every combination.
fn cases() -> Vec<(String, Scene, bool)> {
    let one = Vec3::ONE;
    let scales = [
        ("mirror", Vec3::new(-1.0, 1.0, 1.0)),
        ("uneven", Vec3::new(1.0, 2.0, 0.5)),
        ("uneven mirror", Vec3::new(-2.0, 0.5, 1.0)),
        ("point mirror", Vec3::splat(-1.5)),
        ("even", Vec3::splat(2.0)),
    ];
    let mut cases = Vec::new();
    for (name, scale) in scales {
        for turned in [false, true] {
            for (place, scales) in [("above", [scale, one, one]), ("both", [scale, one, scale])] {
                for kind in [Kind::Rigid, Kind::Skin] {
                    let scene = chain(scales, turned, kind);
                    let is_mirrored = scene.rest_worlds()[2].matrix3.determinant() < 0.0;
                    cases.push((format!("{name} {place}, turned {turned}, {kind:?}"), scene, is_mirrored));
                }
            }
        }
    }
    cases
}

#[test]
fn mdx_has_every_vertex_where_the_scene_has_it() {
    let cases = cases();
    assert_eq!(cases.len(), 40);
    for (name, scene, is_mirrored) in cases {
        let (document, report) = mdx::to_mdx(&scene, &mdx::Options::default()).unwrap();
        let again = from_mdx::to_scene(&document, &Default::default()).0;
        // Vertices of a skin are already where the rest pose has them, with their corners in order.
        let is_turned = is_mirrored && scene.meshes[0].skin.is_none();
        for time in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let (wanted, found) = (triangles(&scene, Some(0), time), triangles(&again, Some(0), time));
            let error = distance(&wanted, &found, is_turned);
            assert!(error < 2e-3, "{name} at {time}: {error} off; {:?}", report.notes);
        }
    }
}

#[test]
fn w3d_has_every_vertex_where_the_scene_has_it() {
    for (name, scene, is_mirrored) in cases() {
        let (files, report) = w3d::to_w3d(&scene, &w3d::Options::default()).unwrap();
        let again =
            from_w3d::to_scene(&from_w3d::Library::new(&files[0].document), None, &Default::default()).0;
        let is_turned = is_mirrored && scene.meshes[0].skin.is_none();
        for frame in [0_u8, 6, 15, 27, 30] {
            let time = f32::from(frame) / 30.0;
            let (wanted, found) = (triangles(&scene, Some(0), time), triangles(&again, Some(0), time));
            let error = distance(&wanted, &found, is_turned);
            assert!(error < 5e-3, "{name} at {time}: {error} off; {:?}", report.notes);
        }
    }
}

#[test]
fn normals_stay_perpendicular_and_faces_keep_their_fronts() {
    for (name, mut scene, _) in cases().into_iter().filter(|(name, ..)| name.ends_with("Rigid")) {
        // At rest, where formats without uneven scale have the vertices themselves.
        scene.clips.clear();
        let (document, _) =
            mdx::to_mdx(&scene, &mdx::Options { complete: false, ..Default::default() }).unwrap();
        let again = from_mdx::to_scene(&document, &Default::default()).0;
        assert!(normal_error(&again) < 0.5, "MDX, {name}: {} degrees", normal_error(&again));
        let (files, _) = w3d::to_w3d(&scene, &w3d::Options::default()).unwrap();
        let again =
            from_w3d::to_scene(&from_w3d::Library::new(&files[0].document), None, &Default::default()).0;
        assert!(normal_error(&again) < 0.5, "W3D, {name}: {} degrees", normal_error(&again));
    }
}
