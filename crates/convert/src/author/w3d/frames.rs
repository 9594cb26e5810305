//! The axes of nodes. Engines turn bones about their own axes: a turret about Z, a barrel about Y, and X is forward. In Blender the front
//! of an object is -Y, which is glTF's +Z. A model from there is turned at its top, so that its front is the scene's +X; here all its nodes
//! get axes whose X is forward, and nothing moves.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine3A, Quat, Vec3};
use scene::{Channel, Curve, NodeId, NodeProperty, Scene, Shape, Tangents, Target, Track};

/// The turn from the scene's +X to glTF's +Z.
fn turn() -> Quat {
    Quat::from_rotation_y(-FRAC_PI_2)
}

/// A vector in the new axes: the inverse of the turn, exactly.
fn turned(vector: Vec3) -> Vec3 {
    Vec3::new(vector.z, vector.y, -vector.x)
}

/// Turns the axes of all nodes, if those at the top have glTF's.
pub(super) fn turn_axes(scene: &mut Scene) {
    let parents = scene.hierarchy().parents;
    let is_turned = |index: usize| {
        parents[index].is_none() && scene.nodes[index].rest.rotation.dot(turn().inverse()).abs() > 1.0 - 1e-5
    };
    if !(0..scene.nodes.len()).any(is_turned) {
        return;
    }
    // Lights and cameras look along -Z of their nodes.
    let mut keeps = vec![false; scene.nodes.len()];
    let looking = scene.lights.iter().map(|light| light.node);
    for node in looking.chain(scene.cameras.iter().filter_map(|camera| camera.node)) {
        keeps.get_mut(node.index()).into_iter().for_each(|keeps| *keeps = true);
    }
    let frames = Frames { parents, keeps };
    for index in 0..scene.nodes.len() {
        let id = NodeId::from(index);
        let rest = &mut scene.nodes[index].rest;
        rest.translation = frames.translation(id, rest.translation);
        rest.rotation = frames.rotation(id, rest.rotation).normalize();
        rest.scale = frames.scale(id, rest.scale);
    }
    for mesh in &mut scene.meshes {
        let back = Affine3A::from_quat(turn().inverse());
        if let Some(skin) = &mut mesh.skin {
            for joint in skin.joints.iter_mut().filter(|joint| frames.turns(joint.node)) {
                joint.inverse_bind = back * joint.inverse_bind;
            }
        } else if mesh.node.is_some_and(|node| frames.turns(node)) {
            mesh.positions.iter_mut().chain(&mut mesh.normals).for_each(|each| *each = turned(*each));
            mesh.tangents.iter_mut().for_each(|each| *each = turned(each.truncate()).extend(each.w));
            mesh.bounds = None;
            mesh.clip_bounds.clear();
        }
    }
    for shape in scene.collision_shapes.iter_mut().filter(|shape| frames.turns(shape.node)) {
        turn_shape(&mut shape.shape);
    }
    let clips = scene.clips.iter_mut().flat_map(|clip| &mut clip.channels);
    for channel in clips.chain(scene.global_channels.iter_mut().map(|global| &mut global.channel)) {
        frames.channel(channel);
    }
}

/// Which nodes are turned.
struct Frames {
    parents: Vec<Option<NodeId>>,
    /// Nodes that keep their axes.
    keeps: Vec<bool>,
}

impl Frames {
    fn turns(&self, node: NodeId) -> bool {
        self.keeps.get(node.index()).is_some_and(|keeps| !keeps)
    }

    /// Whether the space that a node is placed in is turned.
    fn is_parent_turned(&self, node: NodeId) -> bool {
        self.parents.get(node.index()).copied().flatten().is_some_and(|parent| self.turns(parent))
    }

    fn translation(&self, node: NodeId, translation: Vec3) -> Vec3 {
        if self.is_parent_turned(node) { turned(translation) } else { translation }
    }

    /// Linear, so that tangents are changed alike.
    fn rotation(&self, node: NodeId, rotation: Quat) -> Quat {
        let rotation = if self.is_parent_turned(node) { turn().inverse() * rotation } else { rotation };
        if self.turns(node) { rotation * turn() } else { rotation }
    }

    fn scale(&self, node: NodeId, scale: Vec3) -> Vec3 {
        if self.turns(node) { Vec3::new(scale.z, scale.y, scale.x) } else { scale }
    }

    fn channel(&self, channel: &mut Channel) {
        let Target::Node(node, property) = channel.target else { return };
        match (property, &mut channel.curve) {
            (NodeProperty::Translation, Curve::Vector(track)) => {
                change(track, |value| self.translation(node, value));
            }
            (NodeProperty::Scale, Curve::Vector(track)) => change(track, |value| self.scale(node, value)),
            (NodeProperty::Rotation, Curve::Rotation(track)) => {
                change(track, |value| self.rotation(node, value));
            }
            _ => {}
        }
    }
}

/// Changes all values of a track by a linear function.
fn change<T: Copy>(track: &mut Track<T>, change: impl Fn(T) -> T) {
    track.values.iter_mut().for_each(|value| *value = change(*value));
    for Tangents { incoming, outgoing } in &mut track.tangents {
        (*incoming, *outgoing) = (change(*incoming), change(*outgoing));
    }
}

fn turn_shape(shape: &mut Shape) {
    match shape {
        Shape::Box { min, max, .. } | Shape::Plane { min, max } => {
            let (a, b) = (turned(*min), turned(*max));
            (*min, *max) = (a.min(b), a.max(b));
        }
        Shape::Sphere { center, .. } => *center = turned(*center),
        Shape::Cylinder { start, end, .. } => (*start, *end) = (turned(*start), turned(*end)),
        Shape::Mesh { positions, .. } => positions.iter_mut().for_each(|each| *each = turned(*each)),
    }
}

#[cfg(test)]
mod tests {
    use scene::{Clip, ClipId, Interpolation, Joint, Mesh, Moment, Node, Sampler, Skin, Transform};

    use super::*;

    /// A hull and a turret that turns, as a Blender user has them, and a skin on the turret.
    fn tank() -> Scene {
        let hull =
            Node { rest: Transform { rotation: turn().inverse(), ..Transform::IDENTITY }, ..Node::default() };
        let rest = Transform::from_translation(Vec3::new(0.5, 2.0, 1.0));
        let turret = Node { parent: Some(NodeId(0)), rest, ..Node::default() };
        let positions = vec![Vec3::new(0.1, 0.2, 3.0), Vec3::X];
        let rigid = Mesh { node: Some(NodeId(1)), positions: positions.clone(), ..Mesh::default() };
        let mut scene = Scene { nodes: vec![hull, turret], meshes: vec![rigid], ..Scene::default() };
        let mut skin = Skin::default();
        let inverse_bind = scene.rest_worlds()[1].inverse();
        skin.joints.push(Joint { node: NodeId(1), inverse_bind });
        positions.iter().for_each(|_| skin.push_equal(&[0]));
        scene.meshes.push(Mesh { positions, skin: Some(skin), ..Mesh::default() });
        let keys = [(0.0, Quat::IDENTITY), (1.0, Quat::from_euler(glam::EulerRot::YXZ, 0.7, 0.3, 0.1))];
        let track = Track::new(Interpolation::Linear, keys);
        let target = Target::Node(NodeId(1), NodeProperty::Rotation);
        let channels = vec![Channel { target, curve: Curve::Rotation(track) }];
        scene.clips.push(Clip { duration: 1.0, channels, ..Clip::default() });
        scene
    }

    fn places(scene: &Scene, time: f32) -> Vec<Vec3> {
        let pose = Sampler::new(scene).pose(&Moment { clip: Some(ClipId(0)), time, ..Moment::default() });
        let world = pose.worlds[1];
        let rigid = scene.meshes[0].positions.iter().map(move |point| world.transform_point3(*point));
        let mut deformed = scene::Deformed::default();
        scene::skin(&scene.meshes[1], &pose, &mut deformed);
        rigid.chain(deformed.positions).collect()
    }

    #[test]
    fn axes_turn_and_nothing_moves() {
        let before = tank();
        let mut after = before.clone();
        turn_axes(&mut after);
        assert!(after.nodes[0].rest.rotation.abs_diff_eq(Quat::IDENTITY, 1e-6), "X is forward");
        assert_eq!(after.nodes[1].rest.rotation, Quat::IDENTITY);
        for time in [0.0, 0.4, 1.0] {
            for (one, other) in places(&before, time).into_iter().zip(places(&after, time)) {
                assert!(one.abs_diff_eq(other, 1e-5), "{time}: {one} {other}");
            }
        }
        let again = after.clone();
        turn_axes(&mut after);
        assert_eq!(after, again, "a model of a game stays as it is");
    }
}
