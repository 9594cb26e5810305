//! How far normals are off where a format cannot turn them as an uneven scale does.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use scene::{ClipId, Influence, Mesh, Moment, NodeId, Sampler, Scene, VertexTransform};

/// How many times of each clip are looked at.
const TIMES: u8 = 12;

/// How many normals of each node are looked at.
const NORMALS: usize = 32;

/// Smaller angles are not seen.
const DEGREES: f32 = 1.0;

/// For each mesh whose normals are off by a degree or more while clips play: its name, and the largest angle in degrees. `nodes` has for each
/// mesh the nodes that may grow unevenly; `turned` is the matrix that the format multiplies normals of the rest pose by, for the matrices of
/// a node at a time and at rest.
pub(super) fn errors(
    scene: &Scene,
    nodes: &[HashSet<NodeId>],
    turned: impl Fn(&Affine3A, &Affine3A) -> Mat3A,
) -> Vec<(String, f32)> {
    let rest = scene.rest_worlds();
    let normals: Vec<HashMap<NodeId, Vec<Vec3>>> =
        scene.meshes.iter().zip(nodes).map(|(mesh, nodes)| rest_normals(mesh, nodes, &rest)).collect();
    let mut worst = vec![0.0_f32; scene.meshes.len()];
    if normals.iter().all(HashMap::is_empty) {
        return Vec::new();
    }
    let sampler = Sampler::new(scene);
    for (index, clip) in scene.clips.iter().enumerate() {
        for step in 0..TIMES {
            let time = clip.duration * f32::from(step) / f32::from(TIMES - 1);
            let pose = sampler.pose(&Moment { clip: Some(ClipId::from(index)), time, ..Moment::default() });
            for (mesh, normals) in normals.iter().enumerate().filter(|(_, normals)| !normals.is_empty()) {
                if !pose.meshes.get(mesh).is_some_and(|state| state.visible) {
                    continue;
                }
                for (node, normals) in normals {
                    let (world, rest) = (&pose.worlds[node.index()], &rest[node.index()]);
                    worst[mesh] = worst[mesh].max(error(world, rest, normals, &turned));
                }
            }
        }
    }
    let names = scene.meshes.iter().map(|mesh| mesh.name.clone());
    names.zip(worst).filter(|(_, degrees)| *degrees >= DEGREES).collect()
}

/// The largest angle of some normals of a node.
fn error(
    world: &Affine3A,
    rest: &Affine3A,
    normals: &[Vec3],
    turned: &impl Fn(&Affine3A, &Affine3A) -> Mat3A,
) -> f32 {
    let moved = *world * rest.inverse();
    // What has no volume shows no surface.
    if !moved.is_finite() || moved.matrix3.determinant().abs() < 1e-6 {
        return 0.0;
    }
    let right = VertexTransform::new(&moved);
    let turned = turned(world, rest);
    let angle = |normal: &Vec3| {
        let found = (turned * Vec3A::from(*normal)).normalize_or(Vec3A::Y);
        Vec3::from(found).angle_between(right.normal(*normal)).to_degrees()
    };
    normals.iter().map(angle).filter(|angle| angle.is_finite()).fold(0.0, f32::max)
}

/// Some normals of each node, in the rest pose.
fn rest_normals(mesh: &Mesh, nodes: &HashSet<NodeId>, rest: &[Affine3A]) -> HashMap<NodeId, Vec<Vec3>> {
    let mut found: HashMap<NodeId, Vec<Vec3>> = HashMap::new();
    if nodes.is_empty() {
        return found;
    }
    let mut add = |node: NodeId, bind: &Affine3A, normal: Vec3| {
        let Some(world) = rest.get(node.index()).filter(|_| nodes.contains(&node)) else { return };
        let normals = found.entry(node).or_default();
        if normals.len() < NORMALS && normals.last() != Some(&normal) {
            normals.push(VertexTransform::new(&(*world * *bind)).normal(normal));
        }
    };
    for (vertex, normal) in mesh.normals.iter().enumerate() {
        match (&mesh.skin, mesh.node) {
            (Some(skin), _) => {
                let strongest = |a: &&Influence, b: &&Influence| a.weight.total_cmp(&b.weight);
                let joint = skin.of(vertex).iter().max_by(strongest);
                if let Some(joint) = joint.and_then(|joint| skin.joints.get(joint.joint as usize)) {
                    add(joint.node, &joint.inverse_bind, *normal);
                }
            }
            (None, Some(node)) => add(node, &Affine3A::IDENTITY, *normal),
            (None, None) => {}
        }
    }
    found
}
