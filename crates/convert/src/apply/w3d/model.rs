//! Edits outside of meshes: names, pivots, looks, and what refers to what.

use super::super::bindings::Mover;
use super::Author;
use crate::author::w3d::{Options, Profile, space, to_w3d};
use crate::w3d::Chunk;
use glam::Affine3A;
use record::{Node, U16, U32};
use scene::{NodeId, Scene, Transform};
use std::collections::HashMap;
use w3d::records::{HlodArrayHeader, HlodSubObject, Pivot};
use w3d::table;

impl Author<'_, '_, '_> {
    pub(super) fn rename_mesh(&mut self, place: Chunk, name: &str) -> Result<(), String> {
        let chunk = self.chunk(place)?;
        if !chunk.is(&table::MESH) {
            return Err("meshes of this kind cannot be renamed in place".to_owned());
        }
        let before = w3d::Mesh(chunk).full_name();
        let mut view = w3d::view::MeshMut::new(chunk).ok_or("its chunk was not found")?;
        view.set_name(name).map_err(|error| error.to_string())?;
        let now = w3d::Mesh(self.chunk(place)?).full_name();
        for document in &mut self.documents {
            rename_references(&mut document.root, before.as_bytes(), &now)?;
        }
        Ok(())
    }

    /// A mesh without a skeleton is on a node of its own name, so the mesh is renamed.
    pub(super) fn rename_loose(&mut self, node: NodeId, name: &str) -> Result<(), String> {
        let original = self.inputs.original;
        let own = original.nodes.get(node.index()).map_or("", |node| &node.name);
        let is_its = |mesh: &scene::Mesh| mesh.node == Some(node) && mesh.name == own;
        let mesh = original.meshes.iter().position(is_its).ok_or("it is not a pivot of the skeleton")?;
        let place = self.mesh_chunk(scene::MeshId::from(mesh))?;
        self.rename_mesh(place, name)
    }

    pub(super) fn move_pivot(&mut self, node: NodeId, rest: &Transform) -> Result<(), String> {
        let original = self.inputs.original.nodes.get(node.index()).ok_or("the node was not found")?;
        let pivot = self.origins.nodes.get(node.index()).copied().flatten();
        let pivot = pivot.ok_or("it has no pivot of its own; move the bone that it is on")?;
        if pivot.pivot == 0 {
            return Err("games ignore the place of the root pivot; move its children".to_owned());
        }
        let is_scaled = !rest.scale.abs_diff_eq(original.rest.scale, 1e-4);
        let before = original.rest;
        let skeleton = self.chunk(pivot.skeleton)?;
        let record = skeleton.child_mut(table::PIVOTS.row).map(|node| node.values_mut::<Pivot>());
        let record =
            record.and_then(|pivots| pivots.get_mut(pivot.pivot)).ok_or("the pivot was not found")?;
        if rest.translation != before.translation {
            record.translation = space::vector(rest.translation);
        }
        if super::super::matching::angle(rest.rotation, before.rotation) > 0.01_f32.to_radians() {
            record.rotation = space::rotation(rest.rotation.normalize());
            let [x, y, z, w] = record.rotation.get();
            let (x, y, z) = glam::Quat::from_xyzw(x, y, z, w).to_euler(glam::EulerRot::XYZEx);
            record.euler_angles = record::Vec3::new(x, y, z);
        }
        if is_scaled {
            return Err("W3D has no scale: the place was changed, the size not".to_owned());
        }
        Ok(())
    }

    /// Adds a pivot for a new node, and before it for new nodes above it. The result is its number.
    pub(super) fn add_pivot(&mut self, index: usize) -> Result<usize, String> {
        let inputs = self.inputs;
        let nodes = &inputs.edited.scene.nodes;
        let mut chain = vec![index];
        // Parents that are new, too. A path is at most as long as there are nodes.
        for _ in 0..nodes.len() {
            let above = chain.last().and_then(|last| nodes.get(*last)).and_then(|node| node.parent);
            let Some(above) = above.map(NodeId::index).filter(|above| inputs.is_added(*above)) else { break };
            chain.push(above);
        }
        let mut pivot = Err("the node was not found".to_owned());
        while let Some(index) = chain.pop() {
            let known = self.added_pivots.iter().find(|(node, _)| *node == index);
            pivot = match known {
                Some((_, pivot)) => Ok(*pivot),
                None => self.add_one_pivot(index),
            };
        }
        pivot
    }

    fn add_one_pivot(&mut self, index: usize) -> Result<usize, String> {
        let inputs = self.inputs;
        let node = inputs.edited.scene.nodes.get(index).ok_or("the node was not found")?;
        let root = || self.origins.nodes.iter().copied().flatten().find(|pivot| pivot.pivot == 0);
        let (skeleton, parent) = match node.parent.and_then(|parent| inputs.mover(parent)) {
            Some(Mover::Known(parent)) => {
                let pivot = self.origins.nodes.get(parent.index()).copied().flatten();
                pivot.map(|pivot| (pivot.skeleton, pivot.pivot))
            }
            Some(Mover::New(parent)) => {
                let pivot =
                    self.added_pivots.iter().find(|(node, _)| *node == parent).map(|(_, pivot)| *pivot);
                root().zip(pivot).map(|(root, pivot)| (root.skeleton, pivot))
            }
            None => root().map(|root| (root.skeleton, 0)),
        }
        .ok_or("the model has no skeleton to add a pivot to")?;
        let skeleton = self.chunk(skeleton)?;
        let mut pivots: Vec<Pivot> = w3d::Hierarchy(skeleton).pivots().to_vec();
        let mut pivot = Pivot {
            parent_idx: U32::new(u32::try_from(parent).unwrap_or(0)),
            translation: space::vector(node.rest.translation),
            rotation: space::rotation(node.rest.rotation.normalize()),
            ..Pivot::default()
        };
        pivot.name.set(&node.name).map_err(|error| error.to_string())?;
        pivots.push(pivot);
        let count = pivots.len();
        let list = skeleton.child_mut(table::PIVOTS.row).ok_or("the skeleton has no pivots")?;
        list.set_values(&pivots).ok_or("the pivots cannot be written")?;
        if let Some(header) = skeleton.get_mut(table::HIERARCHY_HEADER) {
            header.num_pivots.set(u32::try_from(count).unwrap_or(u32::MAX));
        }
        if let Some(list) = skeleton.child_mut(table::PIVOT_FIXUPS.row) {
            let mut fixups = list.values::<w3d::records::PivotFixup>().to_vec();
            if fixups.len() + 1 == count {
                fixups.push(fixups.last().copied().unwrap_or_default());
                list.set_values(&fixups).ok_or("the pivots cannot be written")?;
            }
        }
        self.added_pivots.push((index, count - 1));
        Ok(count - 1)
    }

    /// Gives a pivot another parent. Files list parents before their children.
    pub(super) fn reparent(&mut self, node: NodeId, parent: Option<usize>) -> Result<(), String> {
        let inputs = self.inputs;
        let pivot = self.origins.nodes.get(node.index()).copied().flatten();
        let pivot = pivot.ok_or("it is not a pivot of the skeleton")?;
        let above = match parent {
            Some(parent) => match inputs.mover(NodeId::from(parent)) {
                Some(Mover::Known(above)) => {
                    let above = self.origins.nodes.get(above.index()).copied().flatten();
                    above.filter(|above| above.skeleton == pivot.skeleton).map(|above| above.pivot)
                }
                _ => None,
            },
            None => Some(0),
        };
        let above = above.ok_or("its new parent is not a pivot of its skeleton")?;
        if above >= pivot.pivot {
            return Err(
                "its new parent comes after it in the skeleton, and files need parents first; convert without the original to get it"
                    .to_owned(),
            );
        }
        let skeleton = self.chunk(pivot.skeleton)?;
        let record = skeleton.child_mut(table::PIVOTS.row).map(|node| node.values_mut::<Pivot>());
        let record =
            record.and_then(|pivots| pivots.get_mut(pivot.pivot)).ok_or("the pivot was not found")?;
        record.parent_idx.set(u32::try_from(above).unwrap_or(0));
        Ok(())
    }

    /// Gives a mesh to another pivot, in all models that list it.
    pub(super) fn hang_on(&mut self, place: Chunk, pivot: usize) -> Result<(), String> {
        let others = self.origins.meshes.iter().filter(|other| **other == Some(place)).count();
        if others > 1 {
            return Err("several parts of the model share this mesh".to_owned());
        }
        let name = w3d::Mesh(self.chunk(place)?).full_name();
        let mut count = 0;
        for document in &mut self.documents {
            for array in sub_objects(&mut document.root) {
                for object in array.children_mut().into_iter().flatten() {
                    let is_it = object
                        .value::<HlodSubObject>()
                        .is_some_and(|object| object.name.text().eq_ignore_ascii_case(name.as_bytes()));
                    if is_it && let Some(object) = object.value_mut::<HlodSubObject>() {
                        object.bone_index.set(u32::try_from(pivot).unwrap_or(0));
                        count += 1;
                    }
                }
            }
        }
        if count == 0 { Err("the model has no list of its parts (HLOD)".to_owned()) } else { Ok(()) }
    }

    pub(super) fn add_mesh(&mut self, index: usize) -> Result<(), String> {
        let mesh = self.inputs.edited.scene.meshes.get(index).ok_or("the mesh was not found")?;
        self.add_part(mesh)
    }

    /// Adds a mesh of the edited scene to the model, with its materials.
    pub(super) fn add_part(&mut self, mesh: &scene::Mesh) -> Result<(), String> {
        if !self.chunks().iter().any(|node| node.is(&table::HLOD)) {
            self.add_model()?;
        }
        let hlod =
            self.chunks().iter().position(|node| node.is(&table::HLOD)).ok_or("the model has no levels")?;
        let container = w3d::Hlod(&self.chunks()[hlod]).name();
        let (pivot, mut chunk) = match &mesh.skin {
            // Skins are on the root.
            Some(skin) => (0, self.alone_skin(mesh, skin, &container)?),
            None => {
                let (pivot, place) = self.place(mesh)?;
                (pivot, alone(self.inputs.edited.scene, mesh, &container, &place)?)
            }
        };
        let meshes = self.chunks().iter().filter(|node| node.is(&table::MESH));
        let taken: Vec<String> =
            meshes.chain(&self.added).map(|node| w3d::Mesh(node).name().to_lowercase()).collect();
        let name = free_name(&mesh.name, &taken);
        let mut view = w3d::view::MeshMut::new(&mut chunk).ok_or("the mesh was not written")?;
        view.set_name(&name).map_err(|error| error.to_string())?;
        view.set_container_name(&container).map_err(|error| error.to_string())?;
        let full = w3d::Mesh(&chunk).full_name();
        let mut object = HlodSubObject {
            bone_index: U32::new(u32::try_from(pivot).unwrap_or(0)),
            ..HlodSubObject::default()
        };
        object.name.set(&full).map_err(|error| error.to_string())?;
        let children = self.root()?.children_mut().ok_or("the file has no chunks")?;
        // The most detailed level is the last one.
        let levels = children[hlod].children_mut().ok_or("the model has no levels")?;
        let level = levels
            .iter_mut()
            .rev()
            .find(|node| node.is(&table::HLOD_LOD_ARRAY))
            .ok_or("the model has no levels")?;
        let list = level.children_mut().ok_or("the model has no levels")?;
        list.push(record::build(table::HLOD_SUB_OBJECT, &object));
        set_count(level);
        self.added.push(chunk);
        Ok(())
    }

    /// The pivot that a new mesh is on, and where it is there. If the skeleton can change, the mesh gets a pivot of its own; otherwise it is
    /// on that of the node above.
    pub(super) fn place(&mut self, mesh: &scene::Mesh) -> Result<(usize, Affine3A), String> {
        let (inputs, origins) = (self.inputs, self.origins);
        let scene = inputs.edited.scene;
        let Some(own) = mesh.node else { return Ok((0, Affine3A::IDENTITY)) };
        let pivot_of = |node: NodeId| {
            let original = inputs.to_original(node)?;
            origins.nodes.get(original.index()).copied().flatten()
        };
        if let Some(pivot) = pivot_of(own) {
            return Ok((pivot.pivot, Affine3A::IDENTITY));
        }
        let skeleton = origins.nodes.iter().copied().flatten().map(|pivot| pivot.skeleton).next();
        if skeleton.is_some_and(|skeleton| self.is_open(skeleton))
            && let Ok(pivot) = self.add_pivot(own.index())
        {
            // Pivots have no scale.
            return Ok((pivot, Affine3A::from_scale(scene.nodes[own.index()].rest.scale)));
        }
        let worlds = scene.rest_worlds();
        let world = |node: NodeId| worlds.get(node.index()).copied().unwrap_or_default();
        let mut above = scene.nodes[own.index()].parent;
        // Parents come first, so this ends.
        for _ in 0..scene.nodes.len() {
            let Some(node) = above else { break };
            if let Some(pivot) = pivot_of(node) {
                return Ok((pivot.pivot, world(node).inverse() * world(own)));
            }
            above = scene.nodes[node.index()].parent;
        }
        Ok((0, world(own)))
    }

    /// Makes a model of a file that has only a mesh: a skeleton of one pivot, and the list of its objects. The game looks for the model under the
    /// name that the mesh had.
    fn add_model(&mut self) -> Result<(), String> {
        let alone = "the model has no list of its parts (HLOD); convert without the original to add one";
        let meshes = self.chunks().iter().enumerate().filter(|(_, node)| node.is(&table::MESH));
        let [(place, mesh)] = &meshes.collect::<Vec<_>>()[..] else { return Err(alone.to_owned()) };
        if self.chunks().iter().any(|node| node.is(&table::HIERARCHY)) {
            return Err(alone.to_owned());
        }
        let full = w3d::Mesh(mesh).full_name();
        let (name, object) = match full.split_once('.') {
            Some((container, _)) => (container.to_owned(), full.clone()),
            None => (full.clone(), format!("{full}.{full}")),
        };
        let place = *place;
        let model = w3d::build::ModelBuilder::new(&name).object(0, &object).build();
        let mut model = model.map_err(|error| error.to_string())?;
        let children = self.root()?.children_mut().ok_or("the file has no chunks")?;
        let mut view = w3d::view::MeshMut::new(&mut children[place]).ok_or("its chunk was not found")?;
        view.set_container_name(&name).map_err(|error| error.to_string())?;
        children.append(model.root.children_mut().ok_or("the model was not written")?);
        Ok(())
    }
}

/// A name of at most 15 characters that no other mesh has.
fn free_name(wanted: &str, taken: &[String]) -> String {
    let mut name: String =
        wanted.chars().filter(|letter| letter.is_ascii_graphic() && *letter != '.').take(15).collect();
    for number in 1..100 {
        if !taken.contains(&name.to_lowercase()) && !name.is_empty() {
            break;
        }
        let stem: String = name.chars().take(12).collect();
        name = format!("{stem}_{number}");
    }
    name
}

/// A mesh as the only one of a model, at a place in the space of its pivot.
fn alone(
    scene: &Scene,
    mesh: &scene::Mesh,
    container: &str,
    place: &Affine3A,
) -> Result<Node<'static>, String> {
    let mut mesh = mesh.clone();
    if *place != Affine3A::IDENTITY {
        mesh.transform(place);
    }
    mesh.node = Some(NodeId(0));
    let small = Scene {
        name: container.to_owned(),
        nodes: vec![scene::Node::default()],
        meshes: vec![mesh],
        materials: scene.materials.clone(),
        textures: scene.textures.clone(),
        ..Scene::default()
    };
    only_mesh(&small, &Options::default()).map(|(mesh, _)| mesh)
}

/// The only mesh of a scene as a chunk, and the names of the pivots.
fn only_mesh(small: &Scene, options: &Options) -> Result<(Node<'static>, Vec<String>), String> {
    let (files, _) = to_w3d(small, options).map_err(|error| error.to_string())?;
    let file = files.into_iter().next().ok_or("the mesh was not written")?;
    let chunks = file.document.root.children().iter().filter(|node| node.is(&table::MESH)).count();
    if chunks != 1 {
        return Err("the mesh needs several chunks; convert without the original to get it".to_owned());
    }
    let names = file.document.hierarchies().next();
    let names = names.map(|own| own.pivots().iter().map(|pivot| pivot.name.to_string()).collect());
    let mut root = file.document.root;
    let children = root.children_mut().ok_or("the mesh was not written")?;
    let place = children.iter().position(|node| node.is(&table::MESH)).ok_or("the mesh was not written")?;
    Ok((children.swap_remove(place).into_owned(), names.unwrap_or_default()))
}

impl Author<'_, '_, '_> {
    /// A skin as the only mesh of a model, with the pivots of the document.
    fn alone_skin(
        &mut self,
        mesh: &scene::Mesh,
        skin: &scene::Skin,
        container: &str,
    ) -> Result<Node<'static>, String> {
        let inputs = self.inputs;
        let scene = inputs.edited.scene;
        let worlds = scene.rest_worlds();
        let stray = "its vertices follow a node that is not a pivot of the skeleton";
        let mut nodes = vec![scene::Node { name: ROOT.to_owned(), ..scene::Node::default() }];
        let mut pivots: HashMap<String, usize> = HashMap::from([(ROOT.to_owned(), 0)]);
        let mut mesh = mesh.clone();
        let mut joints = Vec::with_capacity(skin.joints.len());
        let skeleton = self.origins.nodes.iter().copied().flatten().map(|pivot| pivot.skeleton).next();
        let skeleton = skeleton.ok_or("the model has no skeleton")?;
        for joint in &skin.joints {
            let mover = inputs.mover(joint.node).ok_or(stray)?;
            if let Mover::New(node) = mover {
                self.add_pivot(node)?;
            }
            let (pivot, _) = self.pivot_of(mover, skeleton).ok_or(stray)?;
            let world = worlds.get(joint.node.index()).copied().unwrap_or_default();
            let (scale, rotation, translation) = world.to_scale_rotation_translation();
            let name = format!("P{pivot}");
            if pivots.insert(name.clone(), pivot).is_none() {
                nodes.push(scene::Node {
                    name: name.clone(),
                    parent: Some(NodeId(0)),
                    is_bone: true,
                    rest: Transform { translation, rotation, scale },
                    ..scene::Node::default()
                });
            }
            let place = nodes.iter().position(|node| node.name == name).unwrap_or(0);
            joints.push(scene::Joint { node: NodeId::from(place), inverse_bind: joint.inverse_bind });
        }
        if let Some(skin) = &mut mesh.skin {
            skin.joints = joints;
        }
        mesh.node = None;
        let small = Scene {
            name: container.to_owned(),
            nodes,
            meshes: vec![mesh],
            materials: scene.materials.clone(),
            textures: scene.textures.clone(),
            ..Scene::default()
        };
        // As many bones for a vertex as the other meshes have.
        let has_two = self.chunks().iter().any(|node| !w3d::Mesh(node).secondary_vertices().is_empty());
        let profile = if has_two { Profile::Bfme1 } else { Profile::default() };
        let (mut chunk, names) = only_mesh(&small, &Options { profile, ..Options::default() })?;
        let number = |written: U16| {
            let name = names.get(usize::from(written.get()));
            let pivot = name.and_then(|name| pivots.get(name.as_str()));
            pivot.and_then(|pivot| u16::try_from(*pivot).ok()).map(U16::new)
        };
        let list = chunk.child_mut(table::VERTEX_INFLUENCES.row).ok_or("the weights were not written")?;
        for influence in list.values_mut::<w3d::records::VertexInfluence>() {
            influence.bone_idx[0] = number(influence.bone_idx[0]).ok_or(stray)?;
            if influence.weight[1].get() > 0 {
                influence.bone_idx[1] = number(influence.bone_idx[1]).ok_or(stray)?;
            }
        }
        Ok(chunk)
    }
}

/// The name of the first pivot of every skeleton.
const ROOT: &str = "ROOTTRANSFORM";

fn sub_objects<'n, 'a>(root: &'n mut Node<'a>) -> impl Iterator<Item = &'n mut Node<'a>> {
    let hlods = root.children_mut().into_iter().flatten().filter(|node| node.is(&table::HLOD));
    hlods.flat_map(|hlod| hlod.children_mut().into_iter().flatten())
}

/// Gives objects of a name another one, wherever models refer to them.
fn rename_references(root: &mut Node<'_>, before: &[u8], now: &str) -> Result<(), String> {
    for array in sub_objects(root) {
        for object in array.children_mut().into_iter().flatten() {
            let is_named = |object: &&mut HlodSubObject| object.name.text().eq_ignore_ascii_case(before);
            // Looking does not make a copy of the bytes.
            let is_wanted = object
                .value::<HlodSubObject>()
                .is_some_and(|object| object.name.text().eq_ignore_ascii_case(before));
            if let Some(object) =
                is_wanted.then(|| object.value_mut::<HlodSubObject>()).flatten().filter(is_named)
            {
                object.name.set(now).map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(())
}

/// Removes the references of models to objects of these names.
pub(super) fn remove_references(root: &mut Node<'_>, names: &[Vec<u8>]) {
    if names.is_empty() {
        return;
    }
    for array in sub_objects(root) {
        let Some(objects) = array.children_mut() else { continue };
        let before = objects.len();
        objects.retain(|node| {
            let name = node.value::<HlodSubObject>().map(|object| object.name.text().to_vec());
            !name.is_some_and(|name| names.iter().any(|gone| gone.eq_ignore_ascii_case(&name)))
        });
        if objects.len() != before {
            set_count(array);
        }
    }
}

/// Writes the number of objects of a level.
fn set_count(level: &mut Node<'_>) {
    let count = level.all(&table::HLOD_SUB_OBJECT).count();
    let header = level.child_mut(table::HLOD_SUB_OBJECT_ARRAY_HEADER.row);
    if let Some(header) = header.and_then(|header| header.value_mut::<HlodArrayHeader>()) {
        header.model_count.set(u32::try_from(count).unwrap_or(u32::MAX));
    }
}
