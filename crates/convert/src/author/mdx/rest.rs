//! The rest pose without rest rotations: pivots, and how keys change for it.
//!
//! With the rest matrix `W` of a node and `Wp` of its parent, the node's factor in MDX is `Wp · L · Lrest⁻¹ · Wp⁻¹` for its local
//! transform `L`: it moves vertices that already lie as in the rest pose.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use scene::{Billboard, Scene};

/// How the keys of one node change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where the node is in the rest pose.
    pub(super) pivot: Vec3,
    /// From the node to the model in the rest pose.
    pub(super) world: Affine3A,
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
    pub(super) fn new(scene: &Scene) -> Self {
        let hierarchy = scene.hierarchy();
        let known = bound_pivots(scene);
        let mut frames: Vec<Option<Frame>> = vec![None; scene.nodes.len()];
        for id in &hierarchy.order {
            let index = id.index();
            let node = &scene.nodes[index];
            let parent = hierarchy.parents[index].and_then(|parent| frames[parent.index()]);
            let parent_world = parent.map_or(Affine3A::IDENTITY, |parent| parent.world);
            let rotation = unit(node.rest.rotation);
            let mut world = parent_world * node.rest.matrix();
            // What turns to the camera takes the camera's axes in place of its parent's.
            let faces = matches!(node.billboard, Billboard::Facing | Billboard::Aligned | Billboard::Upright);
            if faces {
                world.matrix3 = node.rest.basis();
            }
            let parent_basis = parent_world.matrix3;
            let is_axes = |basis: Mat3A| basis.abs_diff_eq(Mat3A::IDENTITY, STRAIGHT);
            let is_plain =
                is_axes(parent_basis) && rotation == Quat::IDENTITY && node.rest.scale == Vec3::ONE;
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

/// The rotation in a basis, whatever its lengths.
pub(super) fn rotation_of(basis: Mat3A) -> Quat {
    let mut axes = [basis.x_axis, basis.y_axis, basis.z_axis].map(|axis| axis.try_normalize());
    if basis.determinant() < 0.0 {
        axes[0] = axes[0].map(|axis| -axis);
    }
    match axes {
        [Some(x), Some(y), Some(z)] => unit(Quat::from_mat3a(&Mat3A::from_cols(x, y, z))),
        _ => Quat::IDENTITY,
    }
}

impl Frame {
    /// A local translation as that of the object.
    pub(super) fn translation(&self, value: Vec3) -> Vec3 {
        self.move_by(value - self.translation)
    }

    /// A difference of local translations.
    pub(super) fn move_by(&self, difference: Vec3) -> Vec3 {
        if self.is_plain { difference } else { (self.parent_basis * Vec3A::from(difference)).into() }
    }

    /// A local rotation as that of the object.
    pub(super) fn rotation(&self, value: Quat) -> Quat {
        if self.is_plain {
            return value;
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
    use scene::{Node, NodeId, Transform};
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
        Rest::new(&Scene { nodes: vec![parent, child], ..Scene::default() }).0
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
