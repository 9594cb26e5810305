//! Children of nodes that take back the rest pose.
//!
//! A node that is written without a rest pose moves vertices of its own space. A vertex that follows several nodes has one position, which is
//! that of the rest pose; so it follows two added nodes below each of them, which undo the node's rest matrix. Any matrix is a rotation, a
//! scale and another rotation, in this order from the right: the first added node has the second rotation and the scale, and the second
//! one the first rotation.

use std::collections::HashMap;

use glam::{Affine3A, Mat3, Mat3A, Quat, Vec3};
use scene::{Node, NodeId, Scene, Transform};

use super::rest;

/// The scene with such nodes after its own, if it needs any.
pub(super) fn unbound(scene: &Scene) -> Option<Scene> {
    let hierarchy = scene.hierarchy();
    let worlds = scene.rest_worlds();
    let mut is_whole = rest::starts(scene, &hierarchy, &worlds);
    if !is_whole.contains(&true) {
        return None;
    }
    hierarchy.mark_below(&mut is_whole);
    let mut nodes: HashMap<NodeId, NodeId> = HashMap::new();
    let mut added: Vec<Node> = Vec::new();
    for node in rest::blended_joints(scene).into_iter().filter(|node| is_whole[node.index()]) {
        let Some([first, second]) = taken_back(&worlds[node.index()]) else { continue };
        let child = |parent: NodeId, rest: Transform, number: usize| Node {
            name: format!("{} Bind {number}", scene.nodes[node.index()].name),
            parent: Some(parent),
            rest,
            is_bone: true,
            ..Node::default()
        };
        let outer = NodeId::from(scene.nodes.len() + added.len());
        added.push(child(node, first, 1));
        let inner = NodeId::from(scene.nodes.len() + added.len());
        added.push(child(outer, second, 2));
        nodes.insert(node, inner);
    }
    if added.is_empty() {
        return None;
    }
    let mut scene = scene.clone();
    scene.nodes.extend(added);
    for skin in scene.meshes.iter_mut().filter_map(|mesh| mesh.skin.as_mut()) {
        for joint in &mut skin.joints {
            if let Some(child) = nodes.get(&joint.node) {
                joint.inverse_bind = worlds[joint.node.index()] * joint.inverse_bind;
                joint.node = *child;
            }
        }
    }
    Some(scene)
}

/// Two transforms whose product is the inverse of a matrix. `None` for a matrix without volume.
fn taken_back(world: &Affine3A) -> Option<[Transform; 2]> {
    let inverse = world.inverse();
    if !inverse.is_finite() || world.matrix3.determinant() == 0.0 {
        return None;
    }
    let (outer, scale, inner) = decomposed(inverse.matrix3)?;
    let second = Transform { rotation: inner, ..Transform::IDENTITY };
    Some([Transform { translation: inverse.translation.into(), rotation: outer, scale }, second])
}

/// A matrix as a rotation times a scale times a rotation: its singular value decomposition.
fn decomposed(matrix: Mat3A) -> Option<(Quat, Vec3, Quat)> {
    let matrix = Mat3::from(matrix);
    let mut metric = matrix.transpose() * matrix;
    let mut axes = Mat3::IDENTITY;
    // Jacobi's method: each step makes one element off the diagonal zero. It converges quadratically.
    for _ in 0..16 {
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let off = metric.col(column)[row];
            if off.abs() <= 1e-9 * (metric.col(row)[row] + metric.col(column)[column]).abs() {
                continue;
            }
            let ratio = (metric.col(column)[column] - metric.col(row)[row]) / (2.0 * off);
            let sign: f32 = if ratio < 0.0 { -1.0 } else { 1.0 };
            let tangent = sign / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let mut turn = Mat3::IDENTITY;
            turn.col_mut(row)[row] = cosine;
            turn.col_mut(column)[column] = cosine;
            turn.col_mut(column)[row] = sine;
            turn.col_mut(row)[column] = -sine;
            metric = turn.transpose() * metric * turn;
            axes *= turn;
        }
    }
    if axes.determinant() < 0.0 {
        axes = -axes;
    }
    let images = matrix * axes;
    let mut scale = Vec3::new(images.x_axis.length(), images.y_axis.length(), images.z_axis.length());
    let mut turned = Mat3::from_cols(
        images.x_axis.try_normalize()?,
        images.y_axis.try_normalize()?,
        images.z_axis.try_normalize()?,
    );
    // A mirror is a scale by -1 along all axes.
    if turned.determinant() < 0.0 {
        (turned, scale) = (-turned, -scale);
    }
    let rotation = |axes: Mat3| Quat::from_mat3(&axes).normalize();
    let all = (rotation(turned), scale, rotation(axes.transpose()));
    (all.0.is_finite() && all.1.is_finite() && all.2.is_finite()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_transforms_undo_a_sheared_and_mirrored_matrix() {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -1.0).normalize(), 0.6);
        for scale in [[1.0, 2.0, 0.5], [-2.0, 0.5, 1.0], [-1.5, -1.5, -1.5], [1.0, 1.0, 1.0], [3.0, 3.0, 0.1]]
        {
            let outer = Affine3A::from_scale_rotation_translation(
                scale.into(),
                Quat::from_rotation_x(0.3),
                Vec3::new(1.0, 2.0, 3.0),
            );
            let inner = Affine3A::from_scale_rotation_translation(Vec3::new(1.5, 1.0, 0.75), turn, Vec3::Y);
            let world = outer * inner;
            let [first, second] = taken_back(&world).expect("it has volume");
            let back = world * first.matrix() * second.matrix();
            assert!(back.abs_diff_eq(Affine3A::IDENTITY, 2e-5), "{scale:?}: {back:?}");
        }
        assert!(taken_back(&Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0))).is_none());
    }
}
