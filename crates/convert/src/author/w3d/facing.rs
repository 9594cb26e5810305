//! Skins that turn to the camera.

use std::collections::HashSet;

use scene::{Billboard, Curve, Joint, Mesh, MeshId, NodeProperty, Scene, Skin, Target};

/// Makes rigid meshes of skins that follow one node alone, if that node turns to the camera: W3D turns meshes to the camera, not bones.
/// Skins of nodes that grow stay as they are, because their vertices need bones to grow. Nothing if there are none.
pub(super) fn without_facing_skins(scene: &Scene) -> Option<Scene> {
    let skins = || scene.meshes.iter().filter_map(|mesh| mesh.skin.as_ref());
    if !skins().filter_map(only_joint).any(|joint| is_billboard(scene, joint)) {
        return None;
    }
    let growing = growing(scene);
    let turns = |joint: &&Joint| is_billboard(scene, joint) && !growing[joint.node.index()];
    let facing: Vec<(usize, Joint)> = scene
        .meshes
        .iter()
        .enumerate()
        .filter_map(|(index, mesh)| Some((index, *only_joint(mesh.skin.as_ref()?).filter(turns)?)))
        .collect();
    if facing.is_empty() {
        return None;
    }
    let mut scene = scene.clone();
    for (index, joint) in facing {
        make_rigid(&mut scene.meshes[index], &joint);
    }
    Some(scene)
}

/// Skins of nodes that turn to the camera. Their meshes cannot turn in W3D, so they have to be seen from behind, too.
pub(super) fn facing_skins(scene: &Scene) -> HashSet<MeshId> {
    let turns = |joint: &Joint| is_billboard(scene, joint);
    let faces = |mesh: &Mesh| mesh.skin.as_ref().is_some_and(|skin| skin.joints.iter().any(turns));
    let meshes = scene.meshes.iter().enumerate().filter(|(_, mesh)| faces(mesh));
    meshes.map(|(index, _)| MeshId::from(index)).collect()
}

/// Whether the node of a joint turns to the camera.
fn is_billboard(scene: &Scene, joint: &Joint) -> bool {
    scene.nodes.get(joint.node.index()).is_some_and(|node| node.billboard != Billboard::None)
}

/// For each node, whether its size changes, by itself or with a node above it.
fn growing(scene: &Scene) -> Vec<bool> {
    let mut growing = vec![false; scene.nodes.len()];
    for channel in scene.channels() {
        if let (Target::Node(node, NodeProperty::Scale), Curve::Vector(track)) =
            (channel.target, &channel.curve)
            && let Some(node_grows) = growing.get_mut(node.index())
        {
            let rest = scene.nodes[node.index()].rest.scale;
            *node_grows |= track.values.iter().any(|scale| !scale.abs_diff_eq(rest, 1e-3));
        }
    }
    scene.hierarchy().mark_below(&mut growing);
    growing
}

/// The joint that all vertices follow, if it is one.
fn only_joint(skin: &Skin) -> Option<&Joint> {
    let of_set = |set: u32| match skin.set(set) {
        [only] => Some(only.joint),
        _ => None,
    };
    let first = of_set(*skin.sets.first()?)?;
    let is_alone = skin.sets.iter().all(|set| of_set(*set) == Some(first));
    skin.joints.get(first as usize).filter(|_| is_alone)
}

/// Puts a mesh into the space of its joint.
fn make_rigid(mesh: &mut Mesh, joint: &Joint) {
    let to_joint = joint.inverse_bind;
    for position in &mut mesh.positions {
        *position = to_joint.transform_point3(*position);
    }
    for normal in &mut mesh.normals {
        *normal = to_joint.transform_vector3(*normal).normalize_or(*normal);
    }
    for tangent in &mut mesh.tangents {
        let turned = to_joint.transform_vector3(tangent.truncate());
        *tangent = turned.normalize_or(tangent.truncate()).extend(tangent.w);
    }
    mesh.node = Some(joint.node);
    mesh.skin = None;
    mesh.bounds = None;
}
