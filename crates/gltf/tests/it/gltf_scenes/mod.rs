//! Small scenes, one for each thing that glTF out has to get right. The tests look at what is written; the example writes them all
//! for other people's readers.
#![allow(dead_code, reason = "each user takes what it needs")]

use glam::{Quat, Vec2, Vec3, Vec4};
use scene::*;

pub(crate) mod dice;
mod looks;
mod motion;
mod objects;
pub(crate) mod poses;

pub(crate) use looks::{materials, pictures};
use motion::places;
pub(crate) use motion::{edges, global, inherit, interpolation, rigid, skinned, visibility};
pub(crate) use objects::objects;

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
        indices: vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].into(),
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
    mesh.indices = mesh.indices.iter().chain([0, 1, 99, 1, 1, 2, 0]).collect();
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
