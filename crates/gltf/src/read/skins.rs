//! Skins: joints as nodes of the scene, vertices in the model's space.

use super::error::{NoteKind, Notes, ReadError};
use super::meshes::Inputs;
use super::nodes::NodeIds;
use foldhash::fast::RandomState;
use glam::{Affine3A, Mat4, Vec3, Vec3A};
use scene::{Influence, Joint, Mesh, NodeId, Skin, Transform};
use std::collections::HashMap;

pub(crate) struct Skins<'r, 'a> {
    inputs: &'r Inputs<'r, 'a>,
    /// Where the nodes of the scene are at rest.
    worlds: Vec<Affine3A>,
    pub(crate) node_ids: NodeIds,
    known: HashMap<u32, Vec<Binding>>,
}

/// A joint of a glTF skin. Without a node it never moves.
#[derive(Clone, Copy)]
struct Binding {
    node: Option<NodeId>,
    inverse_bind: Affine3A,
}

impl<'r, 'a> Skins<'r, 'a> {
    pub(crate) fn new(inputs: &'r Inputs<'r, 'a>) -> Self {
        let hierarchy = scene::Hierarchy::new(inputs.scene_nodes);
        let worlds = hierarchy.worlds(inputs.scene_nodes.iter().map(|node| &node.rest));
        Self { inputs, worlds, node_ids: NodeIds::new(inputs.tree), known: HashMap::new() }
    }

    fn bindings(&mut self, skin: u32, notes: &mut Notes) -> Result<&[Binding], ReadError> {
        if !self.known.contains_key(&skin) {
            let bindings = self.read(skin, notes)?;
            self.known.insert(skin, bindings);
        }
        Ok(self.known.get(&skin).map_or(&[], Vec::as_slice))
    }

    fn read(&self, skin: u32, notes: &mut Notes) -> Result<Vec<Binding>, ReadError> {
        let accessors = self.inputs.accessors;
        let tree = self.inputs.tree;
        let json = &accessors.document().skins[skin as usize];
        let pointer = format_args!("/skins/{skin}/inverseBindMatrices");
        accessors.spend_vertices(json.joints.len())?;
        let matrices = match json.inverse_bind_matrices {
            Some(accessor) => accessors.floats::<16>(accessor, pointer)?,
            None => vec![Mat4::IDENTITY.to_cols_array(); json.joints.len()],
        };
        if matrices.len() < json.joints.len() {
            let message = format!("{} matrices for {} joints", matrices.len(), json.joints.len());
            return Err(ReadError::invalid(pointer.to_string(), message));
        }
        let mut bindings = Vec::with_capacity(json.joints.len());
        for (at, (&joint, matrix)) in json.joints.iter().zip(matrices).enumerate() {
            let mut inverse_bind = Affine3A::from_mat4(Mat4::from_cols_array(&matrix));
            if !inverse_bind.is_finite() {
                inverse_bind = Affine3A::IDENTITY;
            }
            let node = tree.node(joint);
            if node.is_none() && !tree.is_still_joint(accessors.document(), joint) {
                let message = "joint is not in the scene; its vertices stay where they are";
                notes.add(NoteKind::Assumed, format!("/skins/{skin}/joints/{at}"), message);
            }
            let unit = tree.frames[joint as usize].unit;
            if unit != 1.0 {
                inverse_bind = Affine3A::from_scale(Vec3::splat(unit)) * inverse_bind;
            }
            bindings.push(Binding { node, inverse_bind });
        }
        Ok(bindings)
    }

    /// Gives a mesh its skin. Returns a joint of it that shows and hides the mesh, if there is one.
    pub(crate) fn bind(
        &mut self,
        mesh: &mut Mesh,
        skin: u32,
        influences: &[Vec<([u32; 4], [f32; 4])>],
        notes: &mut Notes,
    ) -> Result<Option<u32>, ReadError> {
        let keeps_all = self.inputs.generator_is_ours;
        let bindings: Vec<Binding> = self.bindings(skin, notes)?.to_vec();
        let mut places: Vec<Option<u32>> = vec![None; bindings.len()];
        let mut joints: Vec<Joint> = Vec::new();
        let add = |place: &mut Option<u32>, binding: &Binding, joints: &mut Vec<Joint>| {
            let node = binding.node?;
            Some(*place.get_or_insert_with(|| {
                joints.push(Joint { node, inverse_bind: binding.inverse_bind });
                joints.len() as u32 - 1
            }))
        };
        if keeps_all {
            for (place, binding) in places.iter_mut().zip(&bindings) {
                add(place, binding, &mut joints);
            }
        }
        let mut bound = Skin::default();
        let mut known: HashMap<Vec<(u32, u32)>, u32, RandomState> = HashMap::default();
        let mut own: Vec<(u32, u32)> = Vec::new();
        let mut last: Option<(Vec<(u32, u32)>, u32)> = None;
        for vertex in 0..mesh.positions.len() {
            own.clear();
            for (joints_of, weights) in influences.iter().map(|set| set[vertex]) {
                for (joint, weight) in joints_of.into_iter().zip(weights) {
                    if !(weight > 0.0 && weight.is_finite()) {
                        continue;
                    }
                    let binding = bindings.get(joint as usize).ok_or_else(|| {
                        let pointer = format!("/skins/{skin}/joints");
                        let message = format!(
                            "vertex {vertex} of {:?} uses joint {joint}; the skin has {}",
                            mesh.name,
                            bindings.len()
                        );
                        ReadError::invalid(pointer, message)
                    })?;
                    if let Some(place) = add(&mut places[joint as usize], binding, &mut joints) {
                        own.push((place, weight.to_bits()));
                    }
                }
            }
            normalise(&mut own);
            // Vertices beside each other often follow the same bones.
            if let Some((influences, set)) = &last
                && *influences == own
            {
                bound.sets.push(*set);
                continue;
            }
            let set = match known.get(own.as_slice()) {
                Some(set) => *set,
                None => {
                    let influence = |(joint, weight): &(u32, u32)| Influence {
                        joint: *joint,
                        weight: f32::from_bits(*weight),
                    };
                    let set = bound.push_set(own.iter().map(influence));
                    known.insert(own.clone(), set);
                    set
                }
            };
            bound.sets.push(set);
            last = Some((own.clone(), set));
        }
        let is_scaled = |joint: &u32| self.inputs.tree.frames[*joint as usize].unit != 1.0;
        // Our own files have vertices in the model's space already, whatever the rest pose.
        if !keeps_all || self.inputs.accessors.document().skins[skin as usize].joints.iter().any(is_scaled) {
            self.to_model_space(mesh, &mut joints);
        }
        bound.joints = joints;
        mesh.skin = Some(bound);
        let document = self.inputs.accessors.document();
        // Blender has one skin of all bones, so only joints with a weight count.
        let used =
            document.skins[skin as usize].joints.iter().zip(&places).filter(|(_, place)| place.is_some());
        Ok(used.map(|(joint, _)| *joint).find(|joint| self.inputs.tree.is_switch(document, *joint)))
    }

    /// Brings vertices from the space that the inverse bind matrices start in to the model's, in which they lie at rest.
    fn to_model_space(&self, mesh: &mut Mesh, joints: &mut [Joint]) {
        let Some(first) = joints.first() else { return };
        let Some(world) = self.worlds.get(first.node.index()) else { return };
        let to_model = *world * first.inverse_bind;
        let size = mesh.positions.iter().fold(1.0_f32, |size, position| size.max(position.length()));
        let is_same = to_model.matrix3.abs_diff_eq(glam::Mat3A::IDENTITY, 1e-3)
            && to_model.translation.abs_diff_eq(Vec3A::ZERO, 1e-3 * size.max(world.translation.length()));
        let back = to_model.inverse();
        if is_same || !to_model.is_finite() || !back.is_finite() {
            return;
        }
        mesh.transform(&to_model);
        joints.iter_mut().for_each(|joint| joint.inverse_bind *= back);
    }
}

/// Weights that sum to one, joints once each.
fn normalise(influences: &mut Vec<(u32, u32)>) {
    for at in (1..influences.len()).rev() {
        let (joint, weight) = influences[at];
        if let Some(first) = influences[..at].iter().position(|(known, _)| *known == joint) {
            let sum = f32::from_bits(influences[first].1) + f32::from_bits(weight);
            influences[first].1 = sum.to_bits();
            influences.remove(at);
        }
    }
    let sum: f32 = influences.iter().map(|(_, weight)| f32::from_bits(*weight)).sum();
    if sum > 0.0 && (sum - 1.0).abs() > 1e-6 {
        for (_, weight) in influences {
            *weight = (f32::from_bits(*weight) / sum).to_bits();
        }
    }
}

/// The skin of a mesh that follows one joint, which our writer hangs on the joint's node. `local` is the mesh's transform there.
pub(crate) fn bind_rigidly(mesh: &mut Mesh, local: &Transform) {
    let Some(node) = mesh.node else { return };
    // A mesh that is hidden at rest is scaled to nothing.
    let scale = if local.scale == Vec3::ZERO { Vec3::ONE } else { local.scale };
    let mut skin = Skin {
        joints: vec![Joint { node, inverse_bind: Transform { scale, ..*local }.matrix() }],
        ..Skin::default()
    };
    skin.push_set([Influence { joint: 0, weight: 1.0 }]);
    skin.sets = vec![0; mesh.positions.len()];
    mesh.skin = Some(skin);
}
