//! Vertices that follow other bones: matrix groups, or the bones and weights of each vertex.

use super::super::bindings::Mover;
use super::super::inputs::ChangedMesh;
use super::Author;
use mdx::kinds;
use mdx::records::{BoneLinks, SkinVertex};
use mdx::view::{NodeKind, Object};
use record::{Node, U32};
use scene::{Influence, MeshId};
use std::collections::{BTreeSet, HashMap};

/// The number of a group is a byte.
const MAX_GROUPS: usize = 256;
/// Most shares of a group, as in files that are written anew.
const MAX_SHARES: usize = 8;
/// The largest error of a weight for which fewer shares are taken.
const TOLERANCE: f32 = 0.02;

/// The bones of the vertices of a changed geoset. Vertices without an entry keep theirs.
#[derive(Default)]
pub(super) struct Rebound {
    /// By the place of the vertex in the plan.
    vertices: HashMap<usize, Vec<Bone>>,
}

/// A bone with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bone {
    /// Its object id.
    id: i32,
    /// Its position among the bones.
    place: usize,
    weight: f32,
}

/// Where an object is among the objects and the bones of the document.
struct Objects {
    /// Object id, parent, and the position among the bones.
    all: Vec<(i32, Option<i32>, Option<usize>)>,
    by_id: HashMap<i32, usize>,
}

impl Objects {
    fn new<'d>(nodes: impl Iterator<Item = Object<'d>>) -> Self {
        let mut bones = 0;
        let all: Vec<_> = nodes
            .map(|object| {
                let is_bone = object.kind == NodeKind::Bone;
                bones += usize::from(is_bone);
                (object.id(), object.parent(), is_bone.then(|| bones - 1))
            })
            .collect();
        let by_id = all.iter().enumerate().map(|(index, object)| (object.0, index)).collect();
        Self { all, by_id }
    }

    /// The object itself if it is a bone, or the nearest bone above it.
    fn bone(&self, mut index: usize) -> Option<(i32, usize)> {
        for _ in 0..self.all.len() {
            let (id, parent, place) = self.all.get(index)?;
            if let Some(place) = place {
                return Some((*id, *place));
            }
            index = *self.by_id.get(&(*parent)?)?;
        }
        None
    }
}

impl Author<'_, '_, '_> {
    /// The position of a node that moves vertices among the objects of the document.
    pub(super) fn object_of(&self, mover: Mover) -> Option<usize> {
        match mover {
            Mover::Known(node) => Some(self.position(node)),
            Mover::New(index) => self.added_position(index),
        }
    }

    /// The bones of movers, in their order. Vertices follow bones only: what is bound to another object follows the bone above it.
    pub(super) fn bones_of(&self, movers: &[Mover]) -> Result<Vec<(i32, usize)>, String> {
        let objects = Objects::new(self.document.view().nodes());
        let bone = |mover: &Mover| {
            let found = self.object_of(*mover).and_then(|object| objects.bone(object));
            found.ok_or_else(|| {
                "its vertices follow a node that is not a bone and has no bone above it".to_owned()
            })
        };
        movers.iter().map(bone).collect()
    }

    /// The bones of all vertices that follow other ones now.
    pub(super) fn rebound(&self, changed: &ChangedMesh<'_>) -> Result<Rebound, String> {
        let mut rebound = Rebound::default();
        let Some(bindings) = &changed.bindings else { return Ok(rebound) };
        let mut found: Vec<(usize, &[(Mover, f32)])> = Vec::new();
        for (index, vertex) in changed.plan.vertices.iter().enumerate() {
            let movers = vertex.edited.and_then(|now| bindings.changed(vertex.origin as usize, now as usize));
            found.extend(movers.map(|movers| (index, movers)));
        }
        let movers: BTreeSet<Mover> =
            found.iter().flat_map(|(_, movers)| movers.iter().map(|(mover, _)| *mover)).collect();
        let movers: Vec<Mover> = movers.into_iter().collect();
        let bones: HashMap<Mover, (i32, usize)> =
            movers.iter().copied().zip(self.bones_of(&movers)?).collect();
        for (index, movers) in found {
            let mut all: Vec<Bone> = Vec::new();
            for (mover, weight) in movers {
                let (id, place) = bones[mover];
                match all.iter_mut().find(|known| known.id == id) {
                    Some(known) => known.weight += weight,
                    None => all.push(Bone { id, place, weight: *weight }),
                }
            }
            rebound.vertices.insert(index, all);
        }
        Ok(rebound)
    }

    /// Bones say which geoset is the only one that they move, if there is one.
    pub(super) fn link_bones(&mut self, geoset: usize, rebound: &Rebound) {
        let used: BTreeSet<i32> = rebound.vertices.values().flatten().map(|bone| bone.id).collect();
        self.share_bones(geoset, &used);
    }

    /// Bones that moved only another geoset move several now.
    pub(super) fn share_bones(&mut self, geoset: usize, used: &BTreeSet<i32>) {
        let own = i32::try_from(geoset).unwrap_or(-1);
        for mut object in self.document.nodes_mut() {
            let Some(view) = object.view().filter(|view| used.contains(&view.id())) else { continue };
            let is_other = view
                .part::<BoneLinks>()
                .is_some_and(|links| links.geoset_id.get() >= 0 && links.geoset_id.get() != own);
            if is_other && let Some(links) = object.part_mut::<BoneLinks>() {
                links.geoset_id.set(-1);
            }
        }
    }

    /// Writes the bones of vertices into a geoset whose arrays follow the plan already. The result is the largest error of a weight.
    pub(super) fn rebind(&mut self, mesh: MeshId, rebound: &Rebound) -> Result<f32, String> {
        if rebound.vertices.is_empty() {
            return Ok(0.0);
        }
        let mut geosets = self.document.geosets_mut();
        let geoset = geosets.nth(mesh.index()).ok_or("the geoset was not found")?;
        let node = &mut *geoset.node;
        if node.child(&kinds::SKIN).is_some_and(|skin| !skin.bytes().is_empty()) {
            return rebound.weights(node);
        }
        let kinds: [&'static record::Kind; 3] = [&kinds::GNDX, &kinds::MTGC, &kinds::MATS];
        let has_groups = kinds.iter().all(|kind| node.child(kind).is_some());
        if !has_groups
            || [&kinds::WIDE_SKIN as &'static record::Kind, &kinds::BIDX]
                .iter()
                .any(|kind| node.child(kind).is_some())
        {
            return Err("weights of geosets of this version cannot be changed in place".to_owned());
        }
        rebound.groups(node)
    }
}

impl Rebound {
    pub(super) fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Four bones and their weights for each vertex.
    fn weights(&self, node: &mut Node<'_>) -> Result<f32, String> {
        let mut worst = 0.0_f32;
        let skin =
            node.child_mut(&kinds::SKIN).and_then(Node::bytes_mut).ok_or("the geoset has no weights")?;
        let vertices = skin.as_chunks_mut::<{ size_of::<SkinVertex>() }>().0;
        for (vertex, bones) in &self.vertices {
            let influences: Vec<Influence> =
                (0..).zip(bones).map(|(joint, bone)| Influence { joint, weight: bone.weight }).collect();
            let (joints, weights, error) = crate::author::byte_weights(&influences);
            worst = worst.max(error);
            let mut record = [0; size_of::<SkinVertex>()];
            for slot in 0..4 {
                if weights[slot] == 0 {
                    continue;
                }
                let place = bones.get(joints[slot] as usize).map_or(0, |bone| bone.place);
                record[slot] = u8::try_from(place)
                    .map_err(|_| "vertices can follow the first 256 bones only".to_owned())?;
                record[4 + slot] = weights[slot];
            }
            *vertices.get_mut(*vertex).ok_or("the geoset has other vertices than the scene")? = record;
        }
        Ok(worst)
    }

    /// Groups of bones with equal shares. Groups that are there already are taken; those that nothing follows any more go.
    fn groups(&self, node: &mut Node<'_>) -> Result<f32, String> {
        let view = mdx::view::Geoset::new(node).ok_or("the geoset was not found")?;
        let mut groups: Vec<Vec<i32>> = view
            .groups()
            .map(|group| group.iter().map(|matrix| matrix.get().cast_signed()).collect())
            .collect();
        let mut of_vertices: Vec<usize> =
            view.vertex_groups().iter().map(|group| usize::from(*group)).collect();
        let sorted = |mut group: Vec<i32>| {
            group.sort_unstable();
            group
        };
        let mut was_used = vec![false; groups.len()];
        of_vertices.iter().for_each(|group| {
            if let Some(used) = was_used.get_mut(*group) {
                *used = true;
            }
        });
        let mut known: HashMap<Vec<i32>, usize> = HashMap::new();
        for (index, group) in groups.iter().enumerate() {
            known.entry(sorted(group.clone())).or_insert(index);
        }
        let mut worst = 0.0_f32;
        let mut order: Vec<(&usize, &Vec<Bone>)> = self.vertices.iter().collect();
        order.sort_unstable_by_key(|(vertex, _)| **vertex);
        for (vertex, bones) in order {
            let weights: Vec<f32> = bones.iter().map(|bone| bone.weight).collect();
            let (times, error) = mdx::build::equal_shares(&weights, MAX_SHARES.max(bones.len()), TOLERANCE);
            worst = worst.max(error);
            let group: Vec<i32> = bones
                .iter()
                .zip(times)
                .flat_map(|(bone, times)| std::iter::repeat_n(bone.id, times))
                .collect();
            let place = *known.entry(sorted(group.clone())).or_insert_with(|| {
                groups.push(group);
                groups.len() - 1
            });
            *of_vertices.get_mut(*vertex).ok_or("the geoset has other vertices than the scene")? = place;
        }
        was_used.resize(groups.len(), true);
        let mut is_used = vec![false; groups.len()];
        of_vertices.iter().for_each(|group| {
            if let Some(used) = is_used.get_mut(*group) {
                *used = true;
            }
        });
        let keeps = |index: usize| is_used[index] || !was_used[index];
        let mut next = 0;
        let numbers: Vec<usize> = (0..groups.len())
            .map(|index| {
                next += usize::from(keeps(index));
                next - usize::from(keeps(index))
            })
            .collect();
        if next > MAX_GROUPS {
            return Err(format!(
                "a geoset has at most {MAX_GROUPS} groups of bones; this one would have {next}"
            ));
        }
        let indices: Vec<u8> = of_vertices
            .iter()
            .map(|group| u8::try_from(numbers.get(*group).copied().unwrap_or(*group)).unwrap_or(u8::MAX))
            .collect();
        let kept: Vec<&Vec<i32>> =
            groups.iter().enumerate().filter(|(index, _)| keeps(*index)).map(|(_, group)| group).collect();
        let word = |value: usize| U32::new(u32::try_from(value).unwrap_or(u32::MAX));
        let sizes: Vec<U32> = kept.iter().map(|group| word(group.len())).collect();
        let matrices: Vec<U32> =
            kept.iter().flat_map(|group| group.iter()).map(|id| U32::new(id.cast_unsigned())).collect();
        super::geoset::replace(node, &kinds::GNDX, &indices)?;
        super::geoset::replace(node, &kinds::MTGC, &sizes)?;
        super::geoset::replace(node, &kinds::MATS, &matrices)?;
        Ok(worst)
    }
}
