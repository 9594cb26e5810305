//! Vertices of skins: which pivots they follow, and where they are in the space of these.

use super::super::bindings::Mover;
use super::super::inputs::ChangedMesh;
use super::Author;
use crate::author::w3d::space;
use crate::w3d::{Chunk, Pivot};
use glam::{Affine3A, Vec3};
use record::{Node, U16};
use scene::{Mesh, NodeId};
use std::collections::HashMap;
use w3d::records::{VertexInfluence, VertexInfluenceExtended};
use w3d::table;

/// The pivots of vertices that follow other ones now, by the place of the vertex in the plan.
#[derive(Default)]
pub(super) struct Rebound {
    vertices: HashMap<usize, Vec<Bone>>,
    /// The largest share of a weight that was dropped, because the mesh has fewer pivots for a vertex.
    pub(super) lost: f32,
}

/// A pivot with its weight, the strongest of a vertex first.
#[derive(Clone, Copy, Debug)]
struct Bone {
    pivot: usize,
    weight: f32,
    /// From model space to that of the pivot at rest.
    inverse: Affine3A,
}

/// How many pivots a vertex of a mesh can follow.
fn capacity(chunk: &Node<'_>) -> usize {
    let view = w3d::Mesh(chunk);
    if !view.extended_influences().is_empty() {
        4
    } else if !view.secondary_vertices().is_empty() {
        2
    } else {
        1
    }
}

impl Author<'_, '_, '_> {
    /// The skeleton of a mesh.
    pub(super) fn skeleton_of(&self, mesh: &Mesh) -> Option<Chunk> {
        let joint = mesh.skin.as_ref()?.joints.first()?;
        Some(self.origins.nodes.get(joint.node.index()).copied().flatten()?.skeleton)
    }

    /// The pivot of a node that moves vertices, and where it is at rest, before anything was moved.
    pub(super) fn pivot_of(&self, mover: Mover, skeleton: Chunk) -> Option<(usize, Affine3A)> {
        match mover {
            Mover::Known(node) => {
                let pivot = self.origins.nodes.get(node.index()).copied().flatten()?;
                let world = self.inputs.original.rest_worlds().get(node.index()).copied()?;
                (pivot.skeleton == skeleton).then_some((pivot.pivot, world))
            }
            Mover::New(index) => {
                let pivot = self.added_pivots.iter().find(|(node, _)| *node == index)?.1;
                let world = self.inputs.edited.scene.rest_worlds().get(index).copied()?;
                Some((pivot, world))
            }
        }
    }

    /// The pivots of all vertices that follow other ones now.
    pub(super) fn rebound(&self, changed: &ChangedMesh<'_>, chunk: Chunk) -> Result<Rebound, String> {
        let mut rebound = Rebound::default();
        let Some(bindings) = &changed.bindings else { return Ok(rebound) };
        let skeleton = self.skeleton_of(changed.original).ok_or("the skeleton of the mesh was not found")?;
        let node =
            self.documents.get(chunk.document).and_then(|found| found.root.children().get(chunk.index));
        let node = node.ok_or("its chunk was not found")?;
        let most = capacity(node);
        let mut known: HashMap<Mover, Option<(usize, Affine3A)>> = HashMap::new();
        for (index, vertex) in changed.plan.vertices.iter().enumerate() {
            let movers = vertex.edited.and_then(|now| bindings.changed(vertex.origin as usize, now as usize));
            let Some(movers) = movers else { continue };
            let mut bones = Vec::with_capacity(movers.len());
            for (mover, weight) in movers {
                let found = *known.entry(*mover).or_insert_with(|| self.pivot_of(*mover, skeleton));
                let (pivot, world) =
                    found.ok_or("its vertices follow a node that is not a pivot of its skeleton")?;
                bones.push(Bone { pivot, weight: *weight, inverse: world.inverse() });
            }
            bones.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            let dropped: f32 = bones.iter().skip(most).map(|bone| bone.weight).sum();
            rebound.lost = rebound.lost.max(dropped);
            bones.truncate(most);
            let sum: f32 = bones.iter().map(|bone| bone.weight).sum();
            bones.iter_mut().for_each(|bone| bone.weight /= sum);
            rebound.vertices.insert(index, bones);
        }
        if !rebound.vertices.is_empty() && crate::w3d::lacks_root(header_version(node)) {
            return Err("weights of this old version cannot be changed in place".to_owned());
        }
        Ok(rebound)
    }

    /// Vertices of skins lie in the space of their bones. Where bones were moved, those that stayed in their places get other numbers.
    pub(super) fn finish_moves(&mut self) {
        let Some(worlds) = self.moved_worlds() else { return };
        let inputs = self.inputs;
        let old = inputs.original.rest_worlds();
        let mut nodes: HashMap<(usize, usize, usize), NodeId> = HashMap::new();
        for (index, pivot) in self.origins.nodes.iter().enumerate() {
            if let Some(Pivot { skeleton, pivot }) = pivot {
                nodes.entry((skeleton.document, skeleton.index, *pivot)).or_insert(NodeId::from(index));
            }
        }
        for (index, mesh) in inputs.original.meshes.iter().enumerate() {
            let (Some(place), Some(skeleton)) =
                (self.origins.meshes.get(index).copied().flatten(), self.skeleton_of(mesh))
            else {
                continue;
            };
            // From the old space of a pivot to the new one, for pivots that moved.
            let between = |pivot: usize| {
                let node = nodes.get(&(skeleton.document, skeleton.index, pivot))?.index();
                let (a, b) = (old.get(node)?, worlds.get(node)?);
                (!a.abs_diff_eq(*b, 1e-6)).then(|| b.inverse() * *a)
            };
            let Ok(chunk) = self.chunk(place) else { continue };
            move_vertices(chunk, between);
        }
    }
}

fn header_version(chunk: &Node<'_>) -> w3d::names::Version {
    chunk.get(table::MESH_HEADER3).map(|header| header.version).unwrap_or_default()
}

/// Moves the vertices of a skin from the old space of their pivots to the new one.
fn move_vertices(chunk: &mut Node<'_>, between: impl Fn(usize) -> Option<Affine3A>) {
    let view = w3d::Mesh(chunk);
    let (two, four) = (view.influences(), view.extended_influences());
    let shift = usize::from(crate::w3d::lacks_root(header_version(chunk)));
    let number = |bone: U16| usize::from(bone.get()) + shift;
    // The first and the second pivot of each vertex.
    let pivots: Vec<[usize; 2]> = if four.is_empty() {
        let second = |one: &VertexInfluence| usize::from(one.weight[1].get() > 0);
        two.iter().map(|one| [number(one.bone_idx[0]), number(one.bone_idx[second(one)])]).collect()
    } else {
        four.iter().map(|one| [number(one.bone_idx[0]); 2]).collect()
    };
    for (row, which, is_normal) in [
        (table::VERTICES.row, 0, false),
        (table::VERTEX_NORMALS.row, 0, true),
        (table::SECONDARY_VERTICES.row, 1, false),
        (table::SECONDARY_VERTEX_NORMALS.row, 1, true),
    ] {
        let is_wanted = |node: &Node<'_>| {
            let count = node.values::<record::Vec3>().len();
            pivots.iter().take(count).any(|pivots| between(pivots[which]).is_some())
        };
        let Some(node) = chunk.child_mut(row).filter(|node| is_wanted(node)) else { continue };
        for (value, pivots) in node.values_mut::<record::Vec3>().iter_mut().zip(&pivots) {
            let Some(between) = between(pivots[which]) else { continue };
            let [x, y, z] = value.get();
            let point = Vec3::new(x, z, -y);
            let now = match is_normal {
                true => between.transform_vector3(point),
                false => between.transform_point3(point),
            };
            *value = space::vector(now);
        }
    }
}

impl Rebound {
    /// From model space to the space of the first and the second pivot of a vertex that follows other ones.
    pub(super) fn spaces(&self, vertex: usize) -> Option<[Option<Affine3A>; 2]> {
        let bones = self.vertices.get(&vertex)?;
        let first = bones.first()?;
        Some([Some(first.inverse), Some(bones.get(1).unwrap_or(first).inverse)])
    }

    /// Writes the pivots into a mesh whose arrays follow the plan already.
    pub(super) fn write(&self, chunk: &mut Node<'_>) -> Result<(), String> {
        let number = |bone: &Bone| U16::new(u16::try_from(bone.pivot).unwrap_or(u16::MAX));
        if self.vertices.is_empty() {
            return Ok(());
        }
        let mut is_written = false;
        if let Some(node) = chunk.child_mut(table::VERTEX_INFLUENCES.row) {
            let values = node.values_mut::<VertexInfluence>();
            for (vertex, bones) in &self.vertices {
                let Some(value) = values.get_mut(*vertex) else { continue };
                *value = match &bones[..] {
                    [one] => {
                        VertexInfluence { bone_idx: [number(one), U16::new(0)], ..VertexInfluence::default() }
                    }
                    [first, second, ..] => {
                        let sum = first.weight + second.weight;
                        let percent = (first.weight / sum * 100.0).round().clamp(1.0, 99.0) as u16;
                        VertexInfluence {
                            bone_idx: [number(first), number(second)],
                            weight: [U16::new(percent), U16::new(100 - percent)],
                        }
                    }
                    [] => continue,
                };
            }
            is_written = true;
        }
        if let Some(node) = chunk.child_mut(table::VERTEX_INFLUENCES_EXTENDED.row) {
            let values = node.values_mut::<VertexInfluenceExtended>();
            for (vertex, bones) in &self.vertices {
                let Some(value) = values.get_mut(*vertex) else { continue };
                let mut record = VertexInfluenceExtended::default();
                let mut rest = 65535_u16;
                for (slot, bone) in bones.iter().take(4).enumerate() {
                    record.bone_idx[slot] = number(bone);
                    if slot < 3 {
                        let is_last = slot + 1 == bones.len();
                        let share = ((bone.weight * 65535.0).round() as u16).min(rest);
                        record.weight[slot] = U16::new(if is_last { rest } else { share });
                        rest -= record.weight[slot].get();
                    }
                }
                *value = record;
            }
            is_written = true;
        }
        is_written.then_some(()).ok_or_else(|| "the mesh has no pivots of vertices".to_owned())
    }
}
