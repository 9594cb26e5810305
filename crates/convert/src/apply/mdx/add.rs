//! New nodes and geosets.

use super::super::bindings::Mover;
use super::Author;
use crate::author::mdx::{Options, bind_pose, space, to_mdx};
use glam::{Affine3A, Vec3};
use mdx::build::Builder;
use mdx::records::{BoneLinks, Extent, NodeFlags, NodeHeader};
use mdx::view::NodeKind;
use mdx::{Document, kinds};
use record::{I32, Kind, Node, U32};
use scene::{Joint, MaterialId, Mesh, NodeId, Scene};
use std::collections::{BTreeSet, HashMap};

impl Author<'_, '_, '_> {
    /// Adds a bone for a new node, and before it for new nodes above it. The result is its object id.
    pub(super) fn add_bone(&mut self, node: NodeId) -> Result<i32, String> {
        self.is_classic()?;
        let scene = self.inputs.edited.scene;
        let mut chain = vec![node];
        // Parents that are new, too. A path is at most as long as there are nodes.
        for _ in 0..scene.nodes.len() {
            let last = chain.last().and_then(|node| scene.nodes.get(node.index()));
            let above = last.and_then(|node| node.parent).filter(|above| self.inputs.is_added(above.index()));
            let Some(above) = above else { break };
            chain.push(above);
        }
        let mut id = Err("the node was not found".to_owned());
        while let Some(node) = chain.pop() {
            id = match self.added_position(node.index()) {
                Some(place) => {
                    self.ids().get(place).copied().ok_or_else(|| "its object was not found".to_owned())
                }
                None => self.add_one_bone(node),
            };
        }
        id
    }

    fn add_one_bone(&mut self, node: NodeId) -> Result<i32, String> {
        let scene = self.inputs.edited.scene;
        let new = scene.nodes.get(node.index()).ok_or("the node was not found")?;
        let count = self.document.view().pivots().len();
        let id = self.new_id(count)?;
        self.renumber(&|own| if own >= id { own + 1 } else { own });
        let above = new.parent.and_then(|parent| self.inputs.mover(parent));
        let parent = above.and_then(|above| self.object_of(above));
        let parent = parent.and_then(|place| self.ids().get(place).copied());
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
        let bones = chunk_mut(&mut self.document.root, &kinds::BONE).and_then(Node::children_mut);
        bones.ok_or("the model has no bones")?.push(bone);
        if self.added.is_empty() {
            self.first_added = last;
        }
        self.added.push(node.index());
        let index = usize::try_from(id).unwrap_or(usize::MAX).min(count);
        let mut pivots = self.document.view().pivots().to_vec();
        pivots.insert(index, place);
        let chunk = chunk_mut(&mut self.document.root, kinds::PIVT.kind).ok_or("the model has no pivots")?;
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
        if !is_plain || all.len() > pivots {
            return Err("the model has fewer pivots than nodes, or gaps in their numbers".to_owned());
        }
        let bones = all.iter().filter(|(_, is_bone)| *is_bone).count();
        let are_first = all.iter().take(bones).all(|(_, is_bone)| *is_bone);
        Ok(i32::try_from(if are_first { bones } else { all.len() }).unwrap_or(i32::MAX))
    }

    /// Adds a new mesh as a geoset.
    pub(super) fn add_geoset(&mut self, index: usize) -> Result<(), String> {
        let mesh = self.inputs.edited.scene.meshes.get(index).ok_or("the mesh was not found")?;
        self.add_mesh(mesh).map(|_| ())
    }

    /// Adds a mesh of the edited scene as geosets: those that it needs, mostly one. The result is the number of the first.
    pub(super) fn add_mesh(&mut self, mesh: &Mesh) -> Result<usize, String> {
        self.is_classic()?;
        let scene = self.inputs.edited.scene;
        let options = Options { version: self.document.version, complete: false, ..Options::default() };
        let (small, joints) = alone(scene, mesh);
        let (written, report) = to_mdx(&small, &options).map_err(|error| error.to_string())?;
        let movers: Vec<Option<Mover>> =
            joints.iter().map(|node| node.and_then(|node| self.inputs.mover(node))).collect();
        for mover in movers.iter().flatten() {
            if let Mover::New(node) = mover {
                self.add_bone(NodeId::from(*node))?;
            }
        }
        let bones: Vec<Option<(i32, usize)>> = movers
            .iter()
            .map(|mover| mover.map(|mover| self.bones_of(&[mover]).map(|found| found[0])).transpose())
            .collect::<Result<_, String>>()?;
        let first_material = self.add_materials(&written)?;
        let first = self.document.view().geosets().count();
        let new = self.new_geosets(&written, first_material, &bones)?;
        let used: BTreeSet<i32> = bones.iter().flatten().map(|(id, _)| *id).collect();
        for offset in 0..new.len() {
            self.share_bones(first + offset, &used);
        }
        let chunk = chunk_mut(&mut self.document.root, &kinds::GEOS).and_then(Node::children_mut);
        chunk.ok_or("the model has no geosets")?.extend(new);
        // Losses of the mesh itself, such as weights.
        for mut note in report.notes {
            note.part = format!("mesh {:?}", mesh.name);
            self.report.add(note);
        }
        Ok(first)
    }

    /// The geosets of another document for this one. `bones` has the object id and the position of the bone for each joint.
    fn new_geosets(
        &self,
        written: &Document<'_>,
        first_material: usize,
        bones: &[Option<(i32, usize)>],
    ) -> Result<Vec<Node<'static>>, String> {
        let view = written.view();
        // The joint of each object, by its id, and of each bone, by its position.
        let joint = |object: &mdx::view::Object<'_>| object.name().parse::<usize>().ok();
        let by_id: HashMap<i32, Option<usize>> =
            view.nodes().map(|object| (object.id(), joint(&object))).collect();
        let by_place: Vec<Option<usize>> = view
            .nodes()
            .filter(|object| object.kind == NodeKind::Bone)
            .map(|object| joint(&object))
            .collect();
        let bone = |joint: Option<usize>| joint.and_then(|joint| bones.get(joint).copied().flatten());
        let own: Vec<i32> = self
            .document
            .view()
            .nodes()
            .filter(|object| object.kind == NodeKind::Bone)
            .map(|object| object.id())
            .collect();
        let sequences = self.document.view().sequences().count();
        let has_lists = self.document.view().geosets().any(|geoset| !geoset.extents().is_empty());
        let has_no_geosets = self.document.view().geosets().next().is_none();
        let mut all = Vec::new();
        for geoset in view.geosets() {
            let mut node = geoset.node.clone().into_owned();
            let extent = geoset.extent().unwrap_or_default();
            let material = geoset.material_id().unwrap_or(0);
            if let Some(header) = node.get_mut(kinds::GEOSET_HEADER) {
                header.material_id.set(material + u32::try_from(first_material).unwrap_or(0));
            }
            let has_skin = node.child(&kinds::SKIN).is_some_and(|skin| !skin.bytes().is_empty());
            if has_skin {
                // All bones in order, so that places in this list and numbers of bones are the same.
                let listed: Vec<U32> = own.iter().take(256).map(|id| U32::new(id.cast_unsigned())).collect();
                let sizes = vec![U32::new(1); listed.len()];
                super::geoset::replace(&mut node, &kinds::MATS, &listed)?;
                super::geoset::replace(&mut node, &kinds::MTGC, &sizes)?;
                let skin = node.child_mut(&kinds::SKIN).and_then(Node::bytes_mut);
                for vertex in skin.map(|bytes| bytes.as_chunks_mut::<8>().0).unwrap_or_default() {
                    for slot in (0..4).filter(|slot| vertex[4 + slot] > 0).collect::<Vec<_>>() {
                        let place = by_place.get(usize::from(vertex[slot])).copied().flatten();
                        let (_, place) = bone(place).unwrap_or((0, 0));
                        vertex[slot] = u8::try_from(place)
                            .map_err(|_| "vertices can follow the first 256 bones only".to_owned())?;
                    }
                }
            } else if let Some(matrices) = node.child_mut(&kinds::MATS) {
                for matrix in matrices.values_mut::<U32>() {
                    let joint = by_id.get(&matrix.get().cast_signed()).copied().flatten();
                    let id = bone(joint).map_or_else(|| own.first().copied().unwrap_or(0), |(id, _)| id);
                    matrix.set(id.cast_unsigned());
                }
            }
            if (has_lists || has_no_geosets)
                && let Some(list) = node.child_mut(&kinds::EXTENTS)
            {
                let extents: Vec<Extent> = vec![extent; sequences];
                list.set_values(&extents).ok_or("the bounds cannot be written")?;
            }
            all.push(node);
        }
        Ok(all)
    }

    /// Adds the materials of another document with their textures. The result is the number of the first one.
    fn add_materials(&mut self, written: &Document<'_>) -> Result<usize, String> {
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
        let first = self.document.view().materials().count();
        let mut new: Vec<Node<'static>> = Vec::new();
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
            new.push(node);
        }
        let chunk = chunk_mut(&mut self.document.root, &kinds::MTLS).and_then(Node::children_mut);
        chunk.ok_or("the model has no materials")?.extend(new);
        Ok(first)
    }

    /// The number of a material of the edited scene in the document. A new one is added.
    pub(super) fn material(&mut self, mesh: &Mesh, material: MaterialId) -> Result<usize, String> {
        let known = self.comparison_material(material);
        if let Some(known) = known {
            return Ok(known.index());
        }
        // The mesh says which texture coordinates there are.
        let mut only = Mesh { skin: None, node: None, ..mesh.clone() };
        only.parts.retain(|part| part.material == Some(material));
        only.parts.truncate(1);
        let options = Options { version: self.document.version, complete: false, ..Options::default() };
        let (small, _) = alone(self.inputs.edited.scene, &only);
        let (written, _) = to_mdx(&small, &options).map_err(|error| error.to_string())?;
        self.add_materials(&written)
    }

    /// The material of the original that one of the edited scene is.
    pub(super) fn comparison_material(&self, material: MaterialId) -> Option<MaterialId> {
        let base = *self.inputs.comparison.matches.materials.get(material.index())?;
        *self.inputs.base.materials.get(base?)?
    }
}

/// The chunk of a kind, which is added in its usual place if it is missing.
pub(super) fn chunk_mut<'n, 'a>(root: &'n mut Node<'a>, kind: &'static Kind) -> Option<&'n mut Node<'a>> {
    if root.child(kind).is_none() {
        let rank = |id: u32| mdx::CHUNKS.iter().position(|row| row.tag == id);
        let own = rank(kind.id)?;
        let before = |chunk: &Node<'_>| rank(chunk.id).is_some_and(|rank| rank < own);
        let place = root.children().iter().rposition(before).map_or(0, |last| last + 1);
        let new = match kind.branch {
            true => Node::branch(kind, kind.id, Vec::new()),
            false => Node::leaf(kind, kind.id, Vec::new()),
        };
        root.children_mut()?.insert(place, new);
    }
    root.child_mut(kind)
}

/// A mesh as the only one of a model, where it is at rest, and the nodes of the scene that move it. The nodes of the model are called by
/// their positions in that list.
fn alone(scene: &Scene, mesh: &Mesh) -> (Scene, Vec<Option<NodeId>>) {
    let mut mesh = mesh.clone();
    let worlds = scene.rest_worlds();
    let world = |node: NodeId| worlds.get(node.index()).copied().unwrap_or_default();
    let nodes: Vec<Option<NodeId>> = match &mut mesh.skin {
        Some(skin) => {
            let joints = skin.joints.iter().map(|joint| Some(joint.node)).collect();
            let at_rest: Vec<Affine3A> =
                skin.joints.iter().map(|joint| world(joint.node) * joint.inverse_bind).collect();
            skin.joints.iter_mut().enumerate().for_each(|(index, joint)| {
                *joint = Joint { node: NodeId::from(index), inverse_bind: Affine3A::IDENTITY };
            });
            // Vertices are bound where they are at rest, mostly.
            if at_rest.iter().any(|matrix| !matrix.abs_diff_eq(Affine3A::IDENTITY, 1e-4)) {
                bake(&mut mesh, &at_rest);
            }
            mesh.node = None;
            joints
        }
        None => {
            let own = mesh.node;
            if let Some(node) = own {
                mesh.transform(&world(node));
            }
            mesh.node = Some(NodeId(0));
            vec![own]
        }
    };
    let used: Vec<usize> =
        mesh.parts.iter().filter_map(|part| part.material).map(|material| material.index()).collect();
    let mut materials = Vec::new();
    for part in &mut mesh.parts {
        let Some(material) = part.material else { continue };
        let place = used.iter().position(|used| *used == material.index()).unwrap_or(0);
        part.material = Some(MaterialId::from(place));
    }
    for material in used {
        materials.push(scene.materials.get(material).cloned().unwrap_or_default());
    }
    let bone =
        |index: usize| scene::Node { is_bone: true, name: index.to_string(), ..scene::Node::default() };
    let small = Scene {
        nodes: (0..nodes.len().max(1)).map(bone).collect(),
        meshes: vec![mesh],
        materials,
        textures: scene.textures.clone(),
        ..Scene::default()
    };
    (small, nodes)
}

/// Moves the vertices of a skinned mesh to where its joints have them.
fn bake(mesh: &mut Mesh, palette: &[Affine3A]) {
    let Some(skin) = &mesh.skin else { return };
    for vertex in 0..mesh.positions.len() {
        let influences = skin.of(vertex);
        let Some(position) = mesh.positions.get_mut(vertex) else { continue };
        let (mut place, mut turned, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        let normal = mesh.normals.get(vertex).copied().unwrap_or_default();
        for influence in influences {
            let Some(matrix) = palette.get(influence.joint as usize) else { continue };
            place += matrix.transform_point3(*position) * influence.weight;
            turned += matrix.transform_vector3(normal) * influence.weight;
            sum += influence.weight;
        }
        if sum <= 0.0 {
            continue;
        }
        *position = place / sum;
        if let Some(normal) = mesh.normals.get_mut(vertex).filter(|_| turned != Vec3::ZERO) {
            *normal = turned.normalize_or_zero();
        }
    }
}
