//! The rest pose without rest rotations: pivots, and how keys change for it.
//!
//! With the rest matrix `W` of a node and `Wp` of its parent, the node's factor in MDX is `Wp · L · Lrest⁻¹ · Wp⁻¹` for its local
//! transform `L`: vertices are stored in the rest pose, and the factor moves them from there.
//!
//! The factor of a rotation below an uneven scale is not a rotation, and that of a scale along turned axes is not a scale. Such nodes, and all
//! below them, are written without a rest pose instead: their vertices are in their own space, their pivots at the origin, and keys in
//! all sequences have the whole transform `L`. Vertices that follow several nodes have one position, so such nodes get children that
//! take back the rest pose ([`unbound`](super::unbound)).

use std::collections::BTreeSet;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use scene::{Billboard, Curve, Hierarchy, Inherit, Node, NodeId, NodeProperty, Scene, Target};

/// How the keys of one node change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where the node is in the rest pose.
    pub(super) pivot: Vec3,
    /// From the node to the space in which its vertices are written: the model in the rest pose, or its own space.
    pub(super) world: Affine3A,
    /// The matrix of the node in the rest pose.
    pub(super) at_rest: Affine3A,
    /// Whether the rest pose mirrors the node's vertices.
    pub(super) is_mirrored: bool,
    /// Keys have the whole transform, after this one of the parent: a translation, a rotation and a scale.
    pub(super) whole: Option<(Vec3, Quat, f32)>,
    /// The local rest transform.
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
    /// The parent's axes in the rest pose.
    parent_basis: Mat3A,
    parent_rotation: Quat,
    /// Nothing but translations: keys stay exactly as they are.
    is_plain: bool,
}

/// The frames of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Rest(pub(super) Vec<Frame>);

/// How far a basis may be from the axes and still count as them.
const STRAIGHT: f32 = 1e-6;

impl Rest {
    /// The frames of a scene. `has_sequences`: keys can be written, so that nodes may do without a rest pose. Nodes from `unbound` on
    /// take back the rest pose of the nodes above them.
    pub(super) fn new(scene: &Scene, has_sequences: bool, unbound: usize) -> Self {
        let hierarchy = scene.hierarchy();
        let known = bound_pivots(scene);
        let worlds = scene.rest_worlds();
        let is_whole = if has_sequences {
            let mut starts = starts(scene, &hierarchy, &worlds);
            let blended = blended_joints(scene).into_iter().filter(|node| node.index() < unbound);
            keep_rest(&mut starts, &hierarchy, blended);
            hierarchy.mark_below(&mut starts);
            starts
        } else {
            Vec::new()
        };
        let mut frames: Vec<Option<Frame>> = vec![None; scene.nodes.len()];
        for id in &hierarchy.order {
            let index = id.index();
            let node = &scene.nodes[index];
            let parent = hierarchy.parents[index].and_then(|parent| frames[parent.index()]);
            let parent_world = parent.map_or(Affine3A::IDENTITY, |parent| parent.world);
            let rotation = unit(node.rest.rotation);
            let mut world = parent_world * node.rest.matrix();
            // A billboard uses the camera's axes instead of its parent's.
            let faces = matches!(node.billboard, Billboard::Facing | Billboard::Aligned | Billboard::Upright);
            if faces {
                world.matrix3 = node.rest.basis();
            }
            let parent_basis = parent_world.matrix3;
            let is_axes = |basis: Mat3A| basis.abs_diff_eq(Mat3A::IDENTITY, STRAIGHT);
            let is_plain =
                is_axes(parent_basis) && rotation == Quat::IDENTITY && node.rest.scale == Vec3::ONE;
            if is_whole.get(index) == Some(&true) {
                // The first of them comes after the rest pose of its parent, which is a rotation with an even scale.
                let above = match parent {
                    Some(parent) if parent.whole.is_none() => similarity(&parent.world),
                    _ => (Vec3::ZERO, Quat::IDENTITY, 1.0),
                };
                let mirrors = hierarchy.parents[index]
                    .and_then(|above| frames[above.index()])
                    .is_some_and(|above| above.is_mirrored);
                frames[index] = Some(Frame {
                    pivot: Vec3::ZERO,
                    world: Affine3A::IDENTITY,
                    at_rest: worlds[index],
                    is_mirrored: mirrors != (node.rest.basis().determinant() < 0.0),
                    whole: Some(above),
                    translation: Vec3::ZERO,
                    rotation: Quat::IDENTITY,
                    scale: Vec3::ONE,
                    parent_basis: Mat3A::IDENTITY,
                    parent_rotation: Quat::IDENTITY,
                    is_plain: false,
                });
                continue;
            }
            let pivot = if is_plain {
                let parent = parent.map_or(Vec3::ZERO, |parent| parent.pivot);
                known[index].unwrap_or_else(|| exact_sum(parent, node.rest.translation))
            } else {
                world.translation.into()
            };
            world.translation = pivot.into();
            frames[index] = Some(Frame {
                pivot,
                world,
                at_rest: world,
                is_mirrored: world.matrix3.determinant() < 0.0,
                whole: None,
                translation: node.rest.translation,
                rotation,
                scale: node.rest.scale,
                parent_basis,
                parent_rotation: if faces { Quat::IDENTITY } else { rotation_of(parent_basis) },
                is_plain,
            });
        }
        Self(frames.into_iter().flatten().collect())
    }
}

/// Pivots that skins give to the last bit.
fn bound_pivots(scene: &Scene) -> Vec<Option<Vec3>> {
    let worlds = scene.rest_worlds();
    let mut pivots = vec![None; scene.nodes.len()];
    for joint in scene.meshes.iter().filter_map(|mesh| mesh.skin.as_ref()).flat_map(|skin| &skin.joints) {
        let (Some(pivot), Some(world)) = (pivots.get_mut(joint.node.index()), worlds.get(joint.node.index()))
        else {
            continue;
        };
        let bound = -joint.inverse_bind.translation;
        let near = bound.abs_diff_eq(world.translation, 1e-5 * (1.0 + world.translation.abs().max_element()));
        if near && joint.inverse_bind.matrix3 == Mat3A::IDENTITY {
            *pivot = Some(Vec3::from(bound));
        }
    }
    pivots
}

/// `a + b`, or a neighbour of it from which `a` can be taken to give `b` again.
fn exact_sum(a: Vec3, b: Vec3) -> Vec3 {
    let exact = |a: f32, b: f32| {
        let sum = a + b;
        [sum, sum.next_up(), sum.next_down()].into_iter().find(|sum| sum - a == b).unwrap_or(sum)
    };
    Vec3::new(exact(a.x, b.x), exact(a.y, b.y), exact(a.z, b.z))
}

fn unit(rotation: Quat) -> Quat {
    let unit = rotation.normalize();
    if unit.is_finite() { unit } else { Quat::IDENTITY }
}

/// The rotation of a basis, without its scale. A mirror is taken as a scale by -1 along all axes, which commutes with rotations.
fn rotation_of(basis: Mat3A) -> Quat {
    let basis = if basis.determinant() < 0.0 { -basis } else { basis };
    let axes = [basis.x_axis, basis.y_axis, basis.z_axis].map(|axis| axis.try_normalize());
    match axes {
        [Some(x), Some(y), Some(z)] => unit(Quat::from_mat3a(&Mat3A::from_cols(x, y, z))),
        _ => Quat::IDENTITY,
    }
}

/// A matrix that is a translation, a rotation and an even scale, which is negative if it mirrors.
fn similarity(matrix: &Affine3A) -> (Vec3, Quat, f32) {
    (matrix.translation.into(), rotation_of(matrix.matrix3), matrix.matrix3.determinant().cbrt())
}

/// Whether a basis has the same scale in all directions.
fn is_even(basis: Mat3A) -> bool {
    let metric = basis.transpose() * basis;
    let size = (metric.x_axis.x + metric.y_axis.y + metric.z_axis.z) / 3.0;
    metric.abs_diff_eq(Mat3A::from_diagonal(Vec3::splat(size)), 1e-4 * size)
}

/// The nodes from which on all nodes can be written without a rest pose: above those that turn below an uneven scale, or whose scale changes
/// along axes that the rest pose turns, the first node with such a scale.
pub(super) fn starts(scene: &Scene, hierarchy: &Hierarchy, worlds: &[Affine3A]) -> Vec<bool> {
    let count = scene.nodes.len();
    let uneven = |scale: Vec3| (scale - scale.x).abs().max_element() > 1e-4 * scale.abs().max_element();
    let mut scales = vec![false; count];
    let mut turns = vec![false; count];
    for channel in scene.channels() {
        match (channel.target, &channel.curve) {
            (Target::Node(node, NodeProperty::Rotation), _) if node.index() < count => {
                turns[node.index()] = true;
            }
            (Target::Node(node, NodeProperty::Scale), Curve::Vector(track)) if node.index() < count => {
                scales[node.index()] |= track.values.iter().any(|value| uneven(*value));
            }
            _ => {}
        }
    }
    let has_uneven_rest = scene.nodes.iter().any(|node| uneven(node.rest.scale));
    if !has_uneven_rest && !scales.contains(&true) {
        return vec![false; count];
    }
    let mut starts = vec![false; count];
    // The first node above each one, or itself, whose own space is uneven.
    let mut first_uneven: Vec<Option<NodeId>> = vec![None; count];
    for id in &hierarchy.order {
        let index = id.index();
        let parent = hierarchy.parents[index];
        let above = parent.map_or(Mat3A::IDENTITY, |parent| worlds[parent.index()].matrix3);
        let axes = Mat3A::from_quat(rotation_of(above) * unit(scene.nodes[index].rest.rotation));
        let is_turned = axes.to_cols_array().iter().any(|part| part.abs() > 1e-4 && part.abs() < 1.0 - 1e-4);
        let is_below_uneven = !is_even(above);
        let first = parent.and_then(|parent| first_uneven[parent.index()]);
        if turns[index] && is_below_uneven || scales[index] && (is_turned || is_below_uneven) {
            starts[first.unwrap_or(*id).index()] = true;
        }
        first_uneven[index] = first.or_else(|| (!is_even(worlds[index].matrix3)).then_some(*id));
    }
    // What turns to the camera, or does not follow its parent, needs a rest pose.
    let keeps_rest = |node: &Node| {
        node.billboard != Billboard::None || node.camera_anchored || node.inherit != Inherit::ALL
    };
    let nodes = scene.nodes.iter().enumerate().filter(|(_, node)| keeps_rest(node));
    keep_rest(&mut starts, hierarchy, nodes.map(|(index, _)| NodeId::from(index)));
    starts
}

/// Removes the starts at some nodes and above them, so that these nodes keep a rest pose.
fn keep_rest(starts: &mut [bool], hierarchy: &Hierarchy, nodes: impl Iterator<Item = NodeId>) {
    let mut is_seen = vec![false; starts.len()];
    for node in nodes {
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| is_seen.get(node.index()) == Some(&false)) {
            is_seen[node.index()] = true;
            starts[node.index()] = false;
            next = hierarchy.parents[node.index()];
        }
    }
}

/// The nodes of vertices that follow several nodes.
pub(super) fn blended_joints(scene: &Scene) -> BTreeSet<NodeId> {
    let mut blended = BTreeSet::new();
    for skin in scene.meshes.iter().filter_map(|mesh| mesh.skin.as_ref()) {
        for set in 0..skin.ends.len() {
            let joints = skin.set(set as u32).iter().filter(|influence| influence.weight > 0.0);
            let nodes = joints.filter_map(|influence| skin.joints.get(influence.joint as usize));
            let nodes: Vec<NodeId> = nodes.map(|joint| joint.node).collect();
            if nodes.iter().any(|node| Some(node) != nodes.first()) {
                blended.extend(nodes.into_iter().filter(|node| node.index() < scene.nodes.len()));
            }
        }
    }
    blended
}

impl Frame {
    /// A local translation as that of the object.
    pub(super) fn translation(&self, value: Vec3) -> Vec3 {
        let above = self.whole.map_or(Vec3::ZERO, |(translation, ..)| translation);
        self.move_by(value - self.translation) + above
    }

    /// A difference of local translations.
    pub(super) fn move_by(&self, difference: Vec3) -> Vec3 {
        if let Some((_, rotation, scale)) = self.whole {
            return rotation * (difference * scale);
        }
        if self.is_plain { difference } else { (self.parent_basis * Vec3A::from(difference)).into() }
    }

    /// A local rotation as that of the object.
    pub(super) fn rotation(&self, value: Quat) -> Quat {
        if self.is_plain {
            return value;
        }
        if let Some((_, rotation, _)) = self.whole {
            return unit(rotation * unit(value));
        }
        unit(
            self.parent_rotation * unit(value) * self.rotation.conjugate() * self.parent_rotation.conjugate(),
        )
    }

    /// A local scale as that of the object, and whether it is exactly that: a scale along axes that the rest pose turns is none.
    pub(super) fn scale(&self, value: Vec3) -> (Vec3, bool) {
        if self.is_plain {
            return (value, true);
        }
        if let Some((.., scale)) = self.whole {
            return (value * scale, true);
        }
        let ratio = |value: f32, rest: f32| if rest == 0.0 { value } else { value / rest };
        let factor = Vec3::new(
            ratio(value.x, self.scale.x),
            ratio(value.y, self.scale.y),
            ratio(value.z, self.scale.z),
        );
        let turn = Mat3A::from_quat(self.parent_rotation * self.rotation);
        let turned = turn * Mat3A::from_diagonal(factor) * turn.transpose();
        let diagonal = Vec3::new(turned.x_axis.x, turned.y_axis.y, turned.z_axis.z);
        let is_exact = turned.abs_diff_eq(Mat3A::from_diagonal(diagonal), 1e-3 * factor.abs().max_element());
        (diagonal, is_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Transform;
    use std::f32::consts::FRAC_PI_2;

    /// A parent at (0, 10, 0) that is turned a quarter about Y, and a child one unit along its X, turned about its own Z.
    fn frames() -> Vec<Frame> {
        let parent = Node {
            rest: Transform {
                translation: Vec3::Y * 10.0,
                rotation: Quat::from_rotation_y(FRAC_PI_2),
                scale: Vec3::ONE,
            },
            ..Node::default()
        };
        let child = Node {
            parent: Some(NodeId(0)),
            rest: Transform {
                translation: Vec3::X,
                rotation: Quat::from_rotation_z(FRAC_PI_2),
                scale: Vec3::ONE,
            },
            ..Node::default()
        };
        Rest::new(&Scene { nodes: vec![parent, child], ..Scene::default() }, true, 2).0
    }

    #[test]
    fn pivots_are_where_the_rest_pose_has_nodes() {
        let frames = frames();
        // A quarter turn about Y takes X to -Z.
        assert!(frames[1].pivot.abs_diff_eq(Vec3::new(0.0, 10.0, -1.0), 1e-6), "{:?}", frames[1].pivot);
    }

    #[test]
    fn keys_of_the_rest_pose_move_nothing() {
        let child = frames()[1];
        assert!(child.translation(Vec3::X).length() < 1e-6);
        assert!(child.rotation(Quat::from_rotation_z(FRAC_PI_2)).angle_between(Quat::IDENTITY) < 1e-3);
        assert!(child.scale(Vec3::ONE).1);
    }

    #[test]
    fn keys_are_turned_with_the_parent() {
        let child = frames()[1];
        assert!(child.translation(Vec3::X * 2.0).abs_diff_eq(Vec3::NEG_Z, 1e-6));
        // A further quarter about the parent's Z is one about the model's X.
        let turned = child.rotation(Quat::from_rotation_z(2.0 * FRAC_PI_2));
        assert!((turned * Vec3::Y).abs_diff_eq(Quat::from_rotation_x(FRAC_PI_2) * Vec3::Y, 1e-6));
    }

    #[test]
    fn sums_can_be_taken_apart_again() {
        let (parent, pivot) = (Vec3::new(0.1, 1e6, -3.3), Vec3::new(0.3, 1_000_000.06, 4.4));
        let rest = pivot - parent;
        assert_eq!(exact_sum(parent, rest) - parent, rest);
    }
}
