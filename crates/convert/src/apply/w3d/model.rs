//! Edits outside of meshes: names, pivots, looks, and what refers to what.

use super::super::{LookChange, MeshEdit};
use super::Author;
use crate::author::w3d::{Options, native_name, space, to_w3d};
use crate::w3d::Chunk;
use glam::Affine3A;
use record::{Node, U32};
use scene::{Material, MaterialId, NodeId, Scene, SlotKind, Transform};
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
        let pivot = pivot.ok_or_else(|| "it is not a pivot of the skeleton".to_owned())?;
        if pivot.pivot == 0 {
            return Err("games ignore the place of the root pivot".to_owned());
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

    /// Vertices of skins lie in the space of their bones. Where bones were moved, those that stayed in their places get other numbers.
    pub(super) fn finish_moves(&mut self) {
        let (moved, worlds) = self.rests();
        if moved.is_empty() {
            return;
        }
        let inputs = self.inputs;
        for (index, mesh) in inputs.original.meshes.iter().enumerate() {
            let Some(skin) = &mesh.skin else { continue };
            let Some(place) = self.origins.meshes.get(index).copied().flatten() else { continue };
            let old = inputs.original.rest_worlds();
            let is_moved: Vec<bool> = skin
                .joints
                .iter()
                .map(|joint| {
                    let (a, b) = (old.get(joint.node.index()), worlds.get(joint.node.index()));
                    a.zip(b).is_some_and(|(a, b)| !a.abs_diff_eq(*b, 1e-6))
                })
                .collect();
            if !is_moved.contains(&true) {
                continue;
            }
            let Ok(chunk) = self.chunk(place) else { continue };
            let count = w3d::Mesh(chunk).vertices().len();
            for (row, which, is_normal) in [
                (table::VERTICES.row, 0, false),
                (table::VERTEX_NORMALS.row, 0, true),
                (table::SECONDARY_VERTICES.row, 1, false),
                (table::SECONDARY_VERTEX_NORMALS.row, 1, true),
            ] {
                let Some(values) = chunk.child_mut(row).map(|node| node.values_mut::<record::Vec3>()) else {
                    continue;
                };
                // A mesh with other vertices than before was written with the old places.
                if values.len() != count || count < mesh.positions.len() {
                    continue;
                }
                for (vertex, value) in values.iter_mut().enumerate().take(mesh.positions.len()) {
                    let set = skin.of(vertex);
                    let Some(one) = set.get(which).or(set.first()) else { continue };
                    if is_moved.get(one.joint as usize) != Some(&true) {
                        continue;
                    }
                    let node = skin.joints[one.joint as usize].node.index();
                    let between = worlds[node].inverse() * old[node];
                    let [x, y, z] = value.get();
                    let point = glam::Vec3::new(x, z, -y);
                    let now = if is_normal {
                        between.transform_vector3(point)
                    } else {
                        between.transform_point3(point)
                    };
                    *value = space::vector(now);
                }
            }
        }
    }

    pub(super) fn change_material(
        &mut self,
        material: MaterialId,
        index: usize,
        changes: &[LookChange],
    ) -> Result<(), String> {
        let inputs = self.inputs;
        let before = inputs.original.materials.get(material.index()).ok_or("the material was not found")?;
        let now = inputs.edited.scene.materials.get(index).ok_or("the material was not found")?;
        let uses = |mesh: &scene::Mesh| mesh.parts.iter().any(|part| part.material == Some(material));
        let users: Vec<usize> = inputs
            .original
            .meshes
            .iter()
            .enumerate()
            .filter(|(_, mesh)| uses(mesh))
            .map(|(index, _)| index)
            .collect();
        let mut refused = Vec::new();
        for change in changes {
            match change {
                LookChange::Texture => {
                    let (old, new) = textures(inputs.original, before, inputs.edited.scene, now)
                        .ok_or("textures can be replaced by others only")?;
                    let mut count = 0;
                    for user in &users {
                        let Some(place) = self.origins.meshes.get(*user).copied().flatten() else {
                            continue;
                        };
                        count += replace_texture(self.chunk(place)?, &old, &new)?;
                    }
                    if count == 0 {
                        refused.push(change.word());
                    }
                }
                // W3D's materials are called as their vertex materials are, and glTF's names are our own.
                LookChange::Name => {}
                other => refused.push(other.word()),
            }
        }
        match refused.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "{} cannot be changed in place; convert without the original to get it",
                refused.join(", ")
            )),
        }
    }

    /// A mesh whose triangles have other materials: where those only have other textures, the textures are replaced.
    pub(super) fn change_looks_of(&mut self, edit: &MeshEdit) -> Result<(), String> {
        let inputs = self.inputs;
        let (before, now) =
            (&inputs.original.meshes[edit.mesh.index()], &inputs.edited.scene.meshes[edit.edited]);
        let place = self.mesh_chunk(edit.mesh)?;
        let material = |mesh: &scene::Mesh, triangle: u32| {
            let covers = |part: &&scene::Part| {
                (part.start..part.start.saturating_add(part.count)).contains(&(triangle * 3))
            };
            mesh.parts.iter().find(covers).and_then(|part| part.material)
        };
        let mut pairs: Vec<(MaterialId, MaterialId)> = Vec::new();
        for (index, origin) in edit.triangles.iter().enumerate() {
            let Some(origin) = origin else { continue };
            if let (Some(a), Some(b)) = (material(before, *origin), material(now, index as u32))
                && !pairs.contains(&(a, b))
            {
                pairs.push((a, b));
            }
        }
        let is_plain = pairs.iter().all(|(a, b)| pairs.iter().all(|(c, d)| a != c || b == d));
        if !is_plain {
            return Err("triangles have other materials; convert without the original to get them".to_owned());
        }
        for (a, b) in pairs {
            let (a, b) = (&inputs.original.materials[a.index()], &inputs.edited.scene.materials[b.index()]);
            if let Some((old, new)) = textures(inputs.original, a, inputs.edited.scene, b)
                && !old.eq_ignore_ascii_case(&new)
            {
                replace_texture(self.chunk(place)?, &old, &new)?;
            }
        }
        Ok(())
    }

    /// Adds a pivot for a new node. The result is its number.
    pub(super) fn add_pivot(&mut self, index: usize) -> Result<usize, String> {
        let inputs = self.inputs;
        let node = inputs.edited.scene.nodes.get(index).ok_or("the node was not found")?;
        let parent = node.parent.and_then(|parent| self.inputs.to_original(parent));
        let origin = match parent {
            Some(parent) => self.origins.nodes.get(parent.index()).copied().flatten(),
            None => self.origins.nodes.iter().copied().flatten().find(|pivot| pivot.pivot == 0),
        };
        let origin = origin.ok_or("the model has no skeleton to add a pivot to")?;
        let skeleton = self.chunk(origin.skeleton)?;
        let mut pivots: Vec<Pivot> = w3d::Hierarchy(skeleton).pivots().to_vec();
        let mut pivot = Pivot {
            parent_idx: U32::new(u32::try_from(origin.pivot).unwrap_or(0)),
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
        Ok(count - 1)
    }

    pub(super) fn add_mesh(&mut self, index: usize) -> Result<(), String> {
        let mesh = self.inputs.edited.scene.meshes.get(index).ok_or("the mesh was not found")?;
        if mesh.skin.is_some() {
            return Err(
                "skinned meshes cannot be added to the original; convert without the original to get it"
                    .to_owned(),
            );
        }
        if !self.chunks().iter().any(|node| node.is(&table::HLOD)) {
            self.add_model()?;
        }
        let hlod =
            self.chunks().iter().position(|node| node.is(&table::HLOD)).ok_or("the model has no levels")?;
        let container = w3d::Hlod(&self.chunks()[hlod]).name();
        let (pivot, place) = self.place(index)?;
        let mut chunk = alone(self.inputs.edited.scene, index, &container, &place)?;
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
    fn place(&mut self, index: usize) -> Result<(usize, Affine3A), String> {
        let (inputs, origins) = (self.inputs, self.origins);
        let scene = inputs.edited.scene;
        let Some(own) = scene.meshes[index].node else { return Ok((0, Affine3A::IDENTITY)) };
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
fn alone(scene: &Scene, index: usize, container: &str, place: &Affine3A) -> Result<Node<'static>, String> {
    let mut mesh = scene.meshes[index].clone();
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
    let (files, _) = to_w3d(&small, &Options::default()).map_err(|error| error.to_string())?;
    let file = files.into_iter().next().ok_or("the mesh was not written")?;
    let chunks = file.document.root.children().iter().filter(|node| node.is(&table::MESH)).count();
    if chunks != 1 {
        return Err("the mesh needs several chunks; convert without the original to get it".to_owned());
    }
    let mut root = file.document.root;
    let children = root.children_mut().ok_or("the mesh was not written")?;
    let place = children.iter().position(|node| node.is(&table::MESH)).ok_or("the mesh was not written")?;
    Ok(children.swap_remove(place).into_owned())
}

/// The old and the new file of the texture that glTF shows.
fn textures(original: &Scene, before: &Material, edited: &Scene, now: &Material) -> Option<(String, String)> {
    let name = |scene: &Scene, material: &Material, layer: usize| {
        let slot = material.layers.get(layer)?.slot(SlotKind::Diffuse)?;
        slot.texture.and_then(|id| scene.textures.get(id.index())).map(|texture| texture.name.clone())
    };
    // Without extras, the only layer shows the lowest one with a texture.
    let first = (0..before.layers.len()).find(|layer| name(original, before, *layer).is_some())?;
    let pairs =
        (0..before.layers.len()).map(|layer| (name(original, before, layer), name(edited, now, layer)));
    let changed = pairs.filter_map(|(a, b)| a.zip(b)).find(|(a, b)| a != b);
    changed
        .filter(|_| now.layers.len() == before.layers.len())
        .or_else(|| Some((name(original, before, first)?, name(edited, now, 0)?)))
}

fn replace_texture(chunk: &mut Node<'_>, old: &str, new: &str) -> Result<usize, String> {
    let mut view = w3d::view::MeshMut::new(chunk).ok_or("meshes of this kind cannot be changed in place")?;
    view.replace_texture(old, native_name(new).as_deref().unwrap_or(new)).map_err(|error| error.to_string())
}

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
