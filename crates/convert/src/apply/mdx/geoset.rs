//! Changed and removed geosets.

use super::super::inputs::ChangedMesh;
use super::super::plan::{Noise, Plan};
use super::super::{MeshChange, MeshEdit};
use super::{Author, ELSEWHERE};
use crate::author::mdx::space;
use crate::report::NoteKind;
use mdx::records::{BoneLinks, Extent, FaceType};
use mdx::{Dialect, kinds};
use record::{Node, U16, U32};
use scene::{MaterialId, Mesh};

impl Author<'_, '_, '_> {
    pub(super) fn change_geoset(&mut self, edit: &MeshEdit) -> Result<(), String> {
        let scene = self.inputs.edited.scene;
        let edited = scene.meshes.get(edit.edited).ok_or("the mesh was not found")?;
        if !edit.has(MeshChange::Materials) {
            return self.change_shape(edit);
        }
        self.is_classic()?;
        // A geoset has one material: triangles with others become geosets of their own.
        let mut materials: Vec<Option<MaterialId>> = Vec::new();
        for part in edited.parts.iter().filter(|part| part.count > 0) {
            if !materials.contains(&part.material) {
                materials.push(part.material);
            }
        }
        let own =
            self.inputs.original.meshes.get(edit.mesh.index()).and_then(|mesh| mesh.parts.first()?.material);
        let is_own = |material: &Option<MaterialId>| {
            material.and_then(|material| self.comparison_material(material)) == own && own.is_some()
        };
        let kept = materials.iter().position(is_own);
        let keeps_own = kept.is_some();
        let kept = *materials.get(kept.unwrap_or(0)).ok_or("the mesh has no triangles")?;
        let restricted = edit.restricted(edited, |material| material == kept);
        self.change_shape(&restricted)?;
        if let Some(material) = kept.filter(|_| !keeps_own) {
            let number = self.material(edited, material)?;
            let mut geosets = self.document.geosets_mut();
            let geoset = geosets.nth(edit.mesh.index()).ok_or("the geoset was not found")?;
            let header = geoset.node.get_mut(kinds::GEOSET_HEADER).ok_or("the geoset was not found")?;
            header.material_id.set(u32::try_from(number).unwrap_or(0));
        }
        for material in materials.into_iter().filter(|material| *material != kept) {
            let mut piece = edited.clone();
            piece.parts.retain(|part| part.material == material);
            let first = self.add_mesh(&piece)?;
            self.copy_animation(edit.mesh.index(), first);
        }
        Ok(())
    }

    /// New vertices and triangles for a geoset, and other bones for its vertices.
    fn change_shape(&mut self, edit: &MeshEdit) -> Result<(), String> {
        let inputs = self.inputs;
        let edited = inputs.edited.scene.meshes.get(edit.edited).ok_or("the mesh was not found")?;
        // A mesh on a node is in the space of the node; geosets are in that of the model.
        let node = edited.node.filter(|_| edit.has(MeshChange::Node) && edited.skin.is_none());
        let world = node.and_then(|node| inputs.edited.scene.rest_worlds().get(node.index()).copied());
        let changed = inputs.changed_mesh(edit, world.as_ref())?;
        let ChangedMesh { original, edited, noise, plan, .. } = &changed;
        if plan.vertices.len() > usize::from(u16::MAX) {
            return Err("the mesh has more vertices than a geoset can have".to_owned());
        }
        let rebound = self.rebound(&changed)?;
        let geoset = self
            .document
            .geosets_mut()
            .nth(edit.mesh.index())
            .ok_or("geosets of this version cannot be changed in place")?;
        let node = &mut *geoset.node;
        if mdx::view::Geoset::new(node).map_or(0, |view| view.positions().len()) != original.positions.len() {
            return Err("the geoset has other vertices than the scene".to_owned());
        }
        change(node, plan, original, edited, *noise)?;
        let error = self.rebind(edit.mesh, &rebound)?;
        if !rebound.is_empty() {
            self.link_bones(edit.mesh.index(), &rebound);
        }
        if error > 0.02 {
            let message = format!(
                "weights differ by up to {error:.2} from those wanted: bones of a geoset of this version have equal shares"
            );
            self.report.note(NoteKind::Skipped, &format!("mesh {:?}", edited.name), &message);
        }
        Ok(())
    }

    /// Gives a new geoset the animation of another one: when it shows, and its colour.
    fn copy_animation(&mut self, from: usize, to: usize) {
        let animations = self.document.root.child_mut(&kinds::GEOA).and_then(Node::children_mut);
        let Some(animations) = animations else { return };
        let is_its = |node: &&Node<'_>| {
            node.get(kinds::GEOSET_ANIMATION_HEADER).map(|header| header.geoset_id.get())
                == i32::try_from(from).ok()
        };
        let Some(mut copy) = animations.iter().find(is_its).cloned() else { return };
        if let (Some(header), Ok(to)) = (copy.get_mut(kinds::GEOSET_ANIMATION_HEADER), i32::try_from(to)) {
            header.geoset_id.set(to);
            animations.push(copy);
        }
    }

    /// Removes geosets with their animations, and changes the numbers of those after them.
    pub(super) fn remove_geosets(&mut self) {
        let mut removed = std::mem::take(&mut self.removed);
        removed.sort_unstable();
        removed.dedup();
        for index in removed.into_iter().rev() {
            self.remove_geoset(index);
        }
    }

    fn remove_geoset(&mut self, index: usize) {
        let root = &mut self.document.root;
        let Some(geosets) = root.child_mut(&kinds::GEOS).and_then(Node::children_mut) else { return };
        if index >= geosets.len() {
            return;
        }
        geosets.remove(index);
        let is_empty = geosets.is_empty();
        if is_empty && let Some(chunks) = root.children_mut() {
            chunks.retain(|chunk| !chunk.is(&kinds::GEOS));
        }
        let mut animation = None;
        if let Some(animations) = root.child_mut(&kinds::GEOA).and_then(Node::children_mut) {
            let of = |node: &Node<'_>| {
                node.get(kinds::GEOSET_ANIMATION_HEADER).map(|header| header.geoset_id.get())
            };
            animation = animations.iter().position(|node| of(node) == i32::try_from(index).ok());
            if let Some(place) = animation {
                animations.remove(place);
            }
            for header in
                animations.iter_mut().filter_map(|node| node.get_mut(kinds::GEOSET_ANIMATION_HEADER))
            {
                let id = header.geoset_id.get();
                if usize::try_from(id).is_ok_and(|id| id > index) {
                    header.geoset_id.set(id - 1);
                }
            }
        }
        if let Some(chunks) = root.children_mut() {
            chunks.retain(|chunk| !(chunk.is(&kinds::GEOA) && chunk.children().is_empty()));
        }
        let lowered = |id: i32, gone: Option<usize>| match (usize::try_from(id), gone) {
            (Ok(id), Some(gone)) if id == gone => -1,
            (Ok(own), Some(gone)) if own > gone => id - 1,
            _ => id,
        };
        for mut object in self.document.nodes_mut() {
            let wanted = object.view().and_then(|view| view.part::<BoneLinks>().copied());
            let Some(links) = wanted else { continue };
            let (geoset, of) = (links.geoset_id.get(), links.geoset_animation_id.get());
            let (new_geoset, new_of) = (lowered(geoset, Some(index)), lowered(of, animation));
            if (geoset, of) != (new_geoset, new_of)
                && let Some(links) = object.part_mut::<BoneLinks>()
            {
                links.geoset_id.set(new_geoset);
                links.geoset_animation_id.set(new_of);
            }
        }
    }

    pub(super) fn is_classic(&self) -> Result<(), String> {
        match self.document.dialect {
            Dialect::Warcraft => Ok(()),
            Dialect::Wow => Err(ELSEWHERE.to_owned()),
        }
    }
}

fn change(
    node: &mut Node<'_>,
    plan: &Plan,
    original: &Mesh,
    edited: &Mesh,
    noise: Noise,
) -> Result<(), String> {
    let count = original.positions.len();
    let keeps = plan.keeps_places(original);
    if !keeps {
        let view = mdx::view::Geoset::new(node).ok_or("the geoset was not found")?;
        if view.faces().len() != original.indices.len() {
            return Err("the geoset has other triangles than the scene".to_owned());
        }
        let map: Vec<usize> = plan.vertices.iter().map(|vertex| vertex.origin as usize).collect();
        pick_all(node, count, &map);
        let faces: Vec<U16> = plan
            .triangles
            .iter()
            .flat_map(|triangle| triangle.corners)
            .map(|corner| U16::new(u16::try_from(corner).unwrap_or(0)))
            .collect();
        let total = U32::new(u32::try_from(faces.len()).unwrap_or(u32::MAX));
        replace(node, &kinds::PVTX, &faces)?;
        if node.child(&kinds::PTYP).is_some() {
            replace(node, &kinds::PTYP, &[FaceType::TRIANGLES])?;
            replace(node, &kinds::PCNT, &[total])?;
        }
    }
    let mut is_moved = !keeps;
    let mut positions: Vec<record::Vec3> = values(node, &kinds::VRTX);
    let mut normals: Vec<record::Vec3> = values(node, &kinds::NRMS);
    let mut sets: Vec<Vec<record::Vec2>> = mdx::view::Geoset::new(node)
        .map(|view| view.coordinate_sets().map(<[record::Vec2]>::to_vec).collect())
        .unwrap_or_default();
    for (index, vertex) in plan.vertices.iter().enumerate() {
        let (origin, Some(now)) = (vertex.origin as usize, vertex.edited.map(|now| now as usize)) else {
            continue;
        };
        if let (Some(a), Some(b), Some(place)) =
            (original.positions.get(origin), edited.positions.get(now), positions.get_mut(index))
            && let Some(position) = noise.position(*a, *b)
        {
            *place = space::vector(position);
            is_moved = true;
        }
        if let (Some(a), Some(b), Some(place)) =
            (original.normals.get(origin), edited.normals.get(now), normals.get_mut(index))
            && let Some(normal) = noise.normal(*a, *b)
        {
            *place = space::vector(normal);
        }
        for (set, own) in sets.iter_mut().enumerate() {
            let before = original.uv_sets.get(set).and_then(|set| set.get(origin));
            let after = edited.uv_sets.get(set).and_then(|set| set.get(now));
            if let (Some(a), Some(b), Some(place)) = (before, after, own.get_mut(index))
                && let Some(pair) = Noise::coordinates(*a, *b)
            {
                *place = record::Vec2::new(pair.x, pair.y);
            }
        }
    }
    replace(node, &kinds::VRTX, &positions)?;
    if !normals.is_empty() {
        replace(node, &kinds::NRMS, &normals)?;
    }
    if let Some(children) = node.child_mut(&kinds::UVAS).and_then(Node::children_mut) {
        for (child, set) in children.iter_mut().zip(&sets) {
            if child.values::<record::Vec2>() != &set[..] {
                child.set_values(set).ok_or("the texture coordinates cannot be written")?;
            }
        }
    }
    if is_moved {
        set_extents(node, &positions);
    }
    Ok(())
}

/// The bounds of a geoset; those of sequences that had the same have the same again.
fn set_extents(node: &mut Node<'_>, positions: &[record::Vec3]) {
    let extent = mdx::build::extent(positions);
    let before = mdx::view::Geoset::new(node).and_then(|view| view.extent());
    if let Some(bounds) = node.get_mut(kinds::GEOSET_BOUNDS) {
        bounds.extent = extent;
    }
    let Some(before) = before else { return };
    let wanted = |known: &Extent| *known == before;
    let has_some = mdx::view::Geoset::new(node).is_some_and(|view| view.extents().iter().any(wanted));
    if has_some && let Some(list) = node.child_mut(&kinds::EXTENTS) {
        list.values_mut::<Extent>()
            .iter_mut()
            .filter(|known| wanted(known))
            .for_each(|known| *known = extent);
    }
}

fn values<T: record::Pod + Copy>(node: &Node<'_>, kind: &'static record::Kind) -> Vec<T> {
    node.child(kind).map(|child| child.values::<T>().to_vec()).unwrap_or_default()
}

/// Replaces the values of an array, unless they are the same.
pub(super) fn replace<T: record::Pod>(
    node: &mut Node<'_>,
    kind: &'static record::Kind,
    values: &[T],
) -> Result<(), String> {
    let child = node.child_mut(kind).ok_or_else(|| format!("the geoset has no {}", kind.name))?;
    if record::zerocopy::IntoBytes::as_bytes(child.values::<T>())
        == record::zerocopy::IntoBytes::as_bytes(values)
    {
        return Ok(());
    }
    child.set_values(values).ok_or_else(|| format!("{} cannot be written", kind.name))
}

/// Rearranges every array that has a value for each vertex.
fn pick_all(node: &mut Node<'_>, count: usize, map: &[usize]) {
    let sizes: [(&'static record::Kind, usize); 9] = [
        (&kinds::VRTX, 12),
        (&kinds::NRMS, 12),
        (&kinds::GNDX, 1),
        (&kinds::TANG, 16),
        (&kinds::SKIN, 8),
        (&kinds::WIDE_SKIN, 16),
        (&kinds::BIDX, 4),
        (&kinds::BWGT, 4),
        (&kinds::UVBS, 8),
    ];
    for child in node.children_mut().into_iter().flatten() {
        if child.is(&kinds::UVAS) {
            pick_all(child, count, map);
        }
        let Some((_, size)) = sizes.iter().find(|(kind, _)| child.is(kind)) else { continue };
        if child.bytes().len() != count * size {
            continue;
        }
        if let Some(bytes) = child.bytes_mut() {
            let old = std::mem::take(bytes);
            for index in map {
                bytes.extend_from_slice(old.get(index * size..(index + 1) * size).unwrap_or_default());
            }
        }
    }
}
