//! New nodes and geosets.

use super::Author;
use crate::author::mdx::{Options, bind_pose, space, to_mdx};
use glam::Vec3;
use mdx::build::Builder;
use mdx::kinds;
use mdx::records::{BoneLinks, Extent, NodeFlags, NodeHeader};
use mdx::view::NodeKind;
use record::{I32, Node, U32};
use scene::{NodeId, Scene};

impl Author<'_, '_, '_> {
    /// Adds a bone for a new node. The result is its object id.
    pub(super) fn add_bone(&mut self, node: NodeId) -> Result<i32, String> {
        self.is_classic()?;
        let scene = self.inputs.edited.scene;
        let new = scene.nodes.get(node.index()).ok_or("the node was not found")?;
        let count = self.document.view().pivots().len();
        let id = self.new_id(count)?;
        self.renumber(&|own| if own >= id { own + 1 } else { own });
        let parent = new
            .parent
            .and_then(|parent| self.inputs.to_original(parent))
            .and_then(|parent| self.ids().get(self.position(parent)).copied());
        let place =
            scene.rest_worlds().get(node.index()).map_or(Vec3::ZERO, |world| world.translation.into());
        let place = space::vector(place);
        let mut header = NodeHeader {
            object_id: I32::new(id),
            parent_id: I32::new(parent.unwrap_or(-1)),
            flags: NodeFlags::BONE,
            ..NodeHeader::default()
        };
        header.name.set(&new.name).map_err(|error| error.to_string())?;
        let builder = Builder::new(self.document.dialect, self.document.version);
        let links = BoneLinks { geoset_id: I32::new(-1), geoset_animation_id: I32::new(-1) };
        let bone = builder.object(&kinds::BONE_OBJECT, builder.node(&header, Vec::new()), &links, Vec::new());
        let objects: Vec<NodeKind> = self.document.view().nodes().map(|object| object.kind).collect();
        let last = objects.iter().rposition(|kind| *kind == NodeKind::Bone).map_or(0, |last| last + 1);
        let bones = self.document.root.child_mut(&kinds::BONE).and_then(Node::children_mut);
        bones.ok_or("the model has no bones")?.push(bone);
        let added = self.new_bones.map_or(0, |(_, added)| added);
        self.new_bones = Some((last - added, added + 1));
        let index = usize::try_from(id).unwrap_or(usize::MAX).min(count);
        let mut pivots = self.document.view().pivots().to_vec();
        pivots.insert(index, place);
        let chunk = self.document.root.child_mut(&kinds::PIVT).ok_or("the model has no pivots")?;
        chunk.set_values(&pivots).ok_or("the pivots cannot be written")?;
        let mut binds = self.document.view().bind_poses().to_vec();
        if index <= binds.len()
            && let Some(chunk) = self.document.root.child_mut(&kinds::BPOS)
        {
            binds.insert(index, bind_pose(place));
            chunk.set_values(&binds).ok_or("the bind poses cannot be written")?;
        }
        Ok(id)
    }

    /// The number of a new bone: bones have the first numbers. A model whose numbers have another order keeps it.
    fn new_id(&self, pivots: usize) -> Result<i32, String> {
        let mut all: Vec<(i32, bool)> =
            self.document.view().nodes().map(|object| (object.id(), object.kind == NodeKind::Bone)).collect();
        all.sort_unstable();
        let is_plain = all.iter().enumerate().all(|(index, (id, _))| usize::try_from(*id) == Ok(index));
        if !is_plain || all.len() != pivots {
            return Err("the model has other pivots than nodes".to_owned());
        }
        let bones = all.iter().filter(|(_, is_bone)| *is_bone).count();
        let are_first = all.iter().take(bones).all(|(_, is_bone)| *is_bone);
        Ok(i32::try_from(if are_first { bones } else { all.len() }).unwrap_or(i32::MAX))
    }

    pub(super) fn add_geoset(&mut self, index: usize) -> Result<(), String> {
        self.is_classic()?;
        let scene = self.inputs.edited.scene;
        let mesh = scene.meshes.get(index).ok_or("the mesh was not found")?;
        if mesh.skin.is_some() {
            return Err(
                "skinned meshes cannot be added to the original; convert without the original to get it"
                    .to_owned(),
            );
        }
        let small = alone(scene, index);
        let options = Options { version: self.document.version, complete: false, ..Options::default() };
        let (written, _) = to_mdx(&small, &options).map_err(|error| error.to_string())?;
        let known = mesh.node.and_then(|node| self.inputs.to_original(node));
        let host = match (known, mesh.node) {
            (Some(node), _) => {
                self.ids().get(self.position(node)).copied().ok_or("the node was not found")?
            }
            (None, Some(node)) => self.add_bone(node)?,
            (None, None) => 0,
        };
        let view = written.view();
        let mut textures = Vec::new();
        for texture in view.textures() {
            let known = self.document.view().textures().iter().position(|known| {
                known.path.text() == texture.path.text() && known.replaceable_id == texture.replaceable_id
            });
            textures.push(match known {
                Some(known) => known,
                None => self.add_texture(texture)?,
            });
        }
        let materials = self.document.view().materials().count();
        let sequences = self.document.view().sequences().count();
        let mut new_materials: Vec<Node<'static>> = Vec::new();
        for material in view.materials() {
            let mut node = material.node.clone().into_owned();
            let mut changed = mdx::view::MaterialMut::new(&mut node).ok_or("the material was not written")?;
            for mut layer in changed.layers_mut() {
                let slots: Vec<i32> = mdx::view::Layer::new(layer.node)
                    .map(|layer| layer.textures().map(|texture| texture.texture_id).collect())
                    .unwrap_or_default();
                for (slot, texture) in slots.into_iter().enumerate() {
                    let now =
                        usize::try_from(texture).ok().and_then(|texture| textures.get(texture).copied());
                    if let Some(now) = now.and_then(|now| i32::try_from(now).ok()) {
                        layer.set_texture(slot, now).map_err(|error| error.to_string())?;
                    }
                }
            }
            new_materials.push(node);
        }
        let has_lists = self.document.view().geosets().any(|geoset| !geoset.extents().is_empty());
        let mut new_geosets: Vec<Node<'static>> = Vec::new();
        for geoset in view.geosets() {
            let mut node = geoset.node.clone().into_owned();
            let extent = geoset.extent().unwrap_or_default();
            let own = geoset.material_id().unwrap_or(0);
            if let Some(header) = node.get_mut(kinds::GEOSET_HEADER) {
                header.material_id.set(own + u32::try_from(materials).unwrap_or(0));
            }
            if let Some(matrices) = node.child_mut(&kinds::MATS) {
                matrices.values_mut::<U32>().iter_mut().for_each(|matrix| matrix.set(host.cast_unsigned()));
            }
            if has_lists && let Some(list) = node.child_mut(&kinds::EXTENTS) {
                let all: Vec<Extent> = vec![extent; sequences];
                list.set_values(&all).ok_or("the bounds cannot be written")?;
            }
            new_geosets.push(node);
        }
        let root = &mut self.document.root;
        for (kind, new) in [(kinds::MTLS.kind, new_materials), (kinds::GEOS.kind, new_geosets)] {
            let chunk = root.child_mut(kind).and_then(Node::children_mut);
            chunk.ok_or_else(|| format!("the model has no chunk {}", kind.name))?.extend(new);
        }
        Ok(())
    }
}

/// A mesh as the only one of a model, where it is at rest.
fn alone(scene: &Scene, index: usize) -> Scene {
    let mut mesh = scene.meshes[index].clone();
    let world = mesh.node.and_then(|node| scene.rest_worlds().get(node.index()).copied()).unwrap_or_default();
    mesh.transform(&world);
    mesh.node = Some(NodeId(0));
    let used: Vec<usize> =
        mesh.parts.iter().filter_map(|part| part.material).map(|material| material.index()).collect();
    let mut materials = Vec::new();
    for part in &mut mesh.parts {
        let Some(material) = part.material else { continue };
        let place = used.iter().position(|used| *used == material.index()).unwrap_or(0);
        part.material = Some(scene::MaterialId::from(place));
    }
    for material in used {
        materials.push(scene.materials.get(material).cloned().unwrap_or_default());
    }
    let node = scene::Node { is_bone: true, name: mesh.name.clone(), ..scene::Node::default() };
    Scene {
        nodes: vec![node],
        meshes: vec![mesh],
        materials,
        textures: scene.textures.clone(),
        ..Scene::default()
    }
}
