//! A scene that both families can express.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec2, Vec3};
use scene::{
    Channel, Clip, Curve, Interpolation, Mesh, Node, NodeId, NodeProperty, Scene, Target, Track, Transform,
};

pub(crate) fn node(name: &str, parent: Option<u32>, rest: Transform) -> Node {
    Node { name: name.into(), parent: parent.map(NodeId), rest, ..Node::default() }
}

/// A triangle on an arm: the base stands at (0, 10, 0), turned a quarter about up; the arm is 5 along its X axis, lifts by 2 within
/// half a second and nods by a quarter within a second.
pub(crate) fn scene() -> Scene {
    let base = Transform {
        translation: Vec3::Y * 10.0,
        rotation: Quat::from_rotation_y(FRAC_PI_2),
        scale: Vec3::ONE,
    };
    let lift = Track::new(Interpolation::Linear, [(0.0, Vec3::X * 5.0), (0.5, Vec3::new(5.0, 2.0, 0.0))]);
    let nod =
        Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(FRAC_PI_2))]);
    let target = |property| Target::Node(NodeId(1), property);
    Scene {
        name: "Arm".into(),
        nodes: vec![
            node("Base", None, base),
            node("Arm", Some(0), Transform::from_translation(Vec3::X * 5.0)),
        ],
        meshes: vec![Mesh {
            name: "Hand".into(),
            node: Some(NodeId(1)),
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            uv_sets: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y]],
            indices: vec![0, 1, 2].into(),
            ..Mesh::default()
        }],
        clips: vec![Clip {
            name: "Wave".into(),
            duration: 1.0,
            looping: true,
            channels: vec![
                Channel { target: target(NodeProperty::Translation), curve: Curve::Vector(lift) },
                Channel { target: target(NodeProperty::Rotation), curve: Curve::Rotation(nod) },
            ],
            ..Clip::default()
        }],
        ..Scene::default()
    }
}
