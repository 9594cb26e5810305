//! Objects that consist of other objects: HLODs, hierarchy models, level-of-detail models, collections, aggregates, and the file itself.

use std::collections::HashMap;

use glam::{Affine3A, Vec3};
use record::{Node, decode};
use scene::{Attachment, AttachmentKind, Level, LevelRange, MeshId, NodeId, Transform};
use w3d::records::{
    AggregateInfo, AggregateSubobject, HModelHeader, HModelNode, HlodSubObject, Lod, MeshHeader3, Placeholder,
};
use w3d::references::placed_objects;
use w3d::{Hlod, HlodLevel, table};

use super::library::{is_model, is_object, key, name_of, same_name};
use super::skeleton::lacks_root;
use super::{Converter, MAX_DEPTH, NoteKind, Place, child_value, space};

impl<'n> Converter<'_, 'n> {
    /// The model of this name, or all of the main document.
    pub(super) fn everything(&mut self, root: Option<&str>) {
        let library = self.library;
        let wanted = root.map(|name| {
            let objects = record::encode(name).map(|name| library.objects(&name)).unwrap_or_default();
            objects.iter().find(|object| is_model(object)).or(objects.first()).copied()
        });
        if let (Some(None), Some(name)) = (wanted, root) {
            self.report.note(NoteKind::Missing, name, "no model has this name; converted the whole file");
        }
        if let Some(Some(object)) = wanted {
            self.scene.name = decode(&name_of(object)).into_owned();
            self.place_loose(object);
            return;
        }

        let children = library.main().root.children();
        let users = users(children);
        let is_free = |node: &&Node<'_>| match users.get(&key(&name_of(node))) {
            // A model may have an object of its own name.
            Some(user) => std::ptr::eq(*user, *node),
            None => true,
        };
        let models = || children.iter().filter(|node| is_model(node));
        let mut free: Vec<&'n Node<'n>> = models().filter(is_free).collect();
        if free.is_empty() {
            // Models that only refer to each other in a circle: any is as good.
            free.extend(models().next());
        }
        self.scene.name = free
            .first()
            .copied()
            .or_else(|| children.iter().find(|node| is_object(node) || node.is(&table::HIERARCHY)))
            .or(children.first())
            .and_then(Node::label)
            .unwrap_or_default();
        for model in free {
            self.place_loose(model);
        }
        for hierarchy in library.main().hierarchies() {
            let name = hierarchy.name();
            // Every skeleton is compared with every other.
            if !self.spend(16 * self.skeletons.len()) {
                break;
            }
            if !self.skeletons.iter().any(|skeleton| same_name(&skeleton.name, &name)) {
                self.place_skeleton(&name, Some(hierarchy), None);
            }
        }
        for object in children.iter().filter(|node| is_object(node) && !is_model(node)) {
            if is_free(&object) {
                self.place_loose(object);
            }
        }
        for child in children {
            if child.is(&table::LIGHT) {
                self.light(child, None, String::new());
            } else if child.is(&table::LIGHTSCAPE) {
                self.lightscape(child);
            } else if child.is(&table::POINTS) {
                self.points(child, None);
            } else if child.is(&table::MORPH_ANIMATION) {
                self.note(NoteKind::Skipped, child, "morph animations are not supported");
            }
        }
    }

    /// Places an object that nothing else places: at the origin, models on nodes of their own.
    fn place_loose(&mut self, object: &'n Node<'n>) {
        if is_model(object) {
            self.place(object, None);
            return;
        }
        let name = name_of(object);
        // A skin needs a skeleton: that of its container, or the only one around.
        let container = name.split(|byte| *byte == b'.').next().unwrap_or_default();
        let container = decode(container);
        let named = self.skeletons.iter().position(|skeleton| skeleton.name.eq_ignore_ascii_case(&container));
        let skeleton = named.or((self.skeletons.len() == 1).then_some(0));
        let short = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        let node = self.add_node(decode(short).into_owned(), None, Transform::IDENTITY);
        self.place(object, Some(Place { node, world: Affine3A::IDENTITY, skeleton, pivot: 0 }));
    }

    /// Places any object.
    fn place(&mut self, object: &'n Node<'n>, place: Option<Place>) {
        if self.open.len() >= MAX_DEPTH || self.open.iter().any(|open| std::ptr::eq(*open, object)) {
            self.note(NoteKind::Damaged, object, "recursive reference, or nesting too deep");
            return;
        }
        let vertices = child_value::<MeshHeader3>(object, table::MESH_HEADER3.row);
        let vertices = vertices.map_or(0, |header| header.num_vertices.get() as usize);
        // A header may say anything: a vertex takes 12 bytes.
        if !self.has_room(1, vertices.min(object.len() / 12), object) {
            return;
        }
        if !self.afford(object.len()) {
            self.note(
                NoteKind::Damaged,
                object,
                "too many copies of objects for the size of the files; this one was dropped",
            );
            return;
        }
        self.open.push(object);
        if object.is(&table::HLOD) {
            self.hlod(object, place);
        } else if object.is(&table::HMODEL) {
            self.hmodel(object, place);
        } else if object.is(&table::LODMODEL) {
            self.lodmodel(object, place);
        } else if object.is(&table::COLLECTION) {
            self.collection(object, place);
        } else if object.is(&table::AGGREGATE) {
            self.aggregate(object, place);
        } else {
            let place = place.unwrap_or_else(|| {
                let node = self.add_node(decode(&name_of(object)).into_owned(), None, Transform::IDENTITY);
                Place { node, world: Affine3A::IDENTITY, skeleton: None, pivot: 0 }
            });
            self.object(object, place);
        }
        self.open.pop();
    }

    /// Places the object of this name. The result is its meshes.
    fn place_named(&mut self, name: &[u8], place: Place, user: &Node<'_>) -> Vec<MeshId> {
        let before = self.scene.meshes.len();
        let candidates = self.library.objects(name);
        let is_open = |object: &Node<'_>| self.open.iter().any(|open| std::ptr::eq(*open, object));
        match candidates.iter().find(|object| !is_open(object)).or(candidates.first()) {
            Some(object) => self.place(object, Some(place)),
            None => {
                let name = decode(name);
                self.missing(user, &name, format!("object {name:?} not found"));
            }
        }
        (before..self.scene.meshes.len()).map(MeshId::from).collect()
    }

    /// A pivot of a skeleton, the root if there is no such pivot.
    fn pivot_place(&mut self, skeleton: usize, pivot: usize, user: &Node<'_>) -> Place {
        if let Some(place) = self.skeletons[skeleton].place(skeleton, pivot) {
            return place;
        }
        // Without a skeleton this was said once already.
        if self.skeletons[skeleton].nodes.len() > 1 {
            self.note(NoteKind::Damaged, user, format!("pivot {pivot} of an object does not exist"));
        }
        let node = self.skeletons[skeleton].nodes[0];
        Place { node, world: self.skeletons[skeleton].worlds[0], skeleton: Some(skeleton), pivot: 0 }
    }

    /// Levels of detail, the most detailed first.
    fn hlod(&mut self, node: &'n Node<'n>, place: Option<Place>) {
        let hlod = Hlod(node);
        let hierarchy = hlod.header().map(|header| header.hierarchy_name.to_string()).unwrap_or_default();
        let skeleton = self.skeleton(&hierarchy, place, node);
        let arrays: Vec<HlodLevel<'n>> = hlod.levels().collect();
        let mut levels = Vec::with_capacity(arrays.len());
        // Levels may share objects, which are then placed once.
        let mut placed: HashMap<(Box<[u8]>, u32), Vec<MeshId>> = HashMap::new();
        for array in arrays.iter().rev() {
            let mut meshes = Vec::new();
            for object in sub_objects(*array) {
                let known = (key(object.name.text()), object.bone_index.get());
                if let Some(known) = placed.get(&known) {
                    meshes.extend_from_slice(known);
                    continue;
                }
                let new = self.sub_object(object, skeleton, node);
                meshes.extend_from_slice(&new);
                placed.insert(known, new);
            }
            let size = array.header().map_or(f32::MAX, |header| header.max_screen_size.get());
            levels.push(Level { range: LevelRange::MaxScreenSize(size), meshes });
        }
        self.add_levels(levels);
        for object in hlod.aggregates().flat_map(sub_objects) {
            let place = self.pivot_place(skeleton, object.bone_index.get() as usize, node);
            self.attach(object.name.text(), place, AttachmentKind::Aggregate, node);
        }
        for object in hlod.proxies().flat_map(sub_objects) {
            let place = self.pivot_place(skeleton, object.bone_index.get() as usize, node);
            self.attach(object.name.text(), place, AttachmentKind::Proxy, node);
        }
        for object in hlod.lights().flat_map(sub_objects) {
            let place = self.pivot_place(skeleton, object.bone_index.get() as usize, node);
            self.attach(object.name.text(), place, AttachmentKind::Point, node);
            let message = format!("missing LIGHT chunk for {:?}", object.name);
            self.note(NoteKind::Skipped, node, message);
        }
    }

    fn sub_object(&mut self, object: &HlodSubObject, skeleton: usize, user: &Node<'_>) -> Vec<MeshId> {
        let place = self.pivot_place(skeleton, object.bone_index.get() as usize, user);
        let nodes = self.scene.nodes.len();
        let meshes = self.place_named(object.name.text(), place, user);
        self.carried(place, nodes);
        meshes
    }

    /// All nodes from this one on belong to objects on a pivot, and are hidden with it.
    fn carried(&mut self, place: Place, from: usize) {
        if from == self.scene.nodes.len() {
            return;
        }
        if let Some(skeleton) = place.skeleton.and_then(|skeleton| self.skeletons.get_mut(skeleton)) {
            let carriers = skeleton.carriers.entry(place.pivot).or_default();
            carriers.extend((from..self.scene.nodes.len()).map(NodeId::from));
        }
    }

    /// Another model on a node of its own.
    fn attach(&mut self, name: &[u8], place: Place, kind: AttachmentKind, user: &Node<'_>) {
        if !self.has_room(1, 0, user) {
            return;
        }
        let nodes = self.scene.nodes.len();
        let path = decode(name).into_owned();
        let node = self.add_node(path.clone(), Some(place.node), Transform::IDENTITY);
        self.scene.attachments.push(Attachment { path, ..Attachment::new(node, kind) });
        if kind == AttachmentKind::Aggregate && self.options.aggregates {
            self.place_named(name, Place { node, ..place }, user);
        }
        self.carried(place, nodes);
    }

    /// Adds the levels of a model to those of the scene. A model with fewer levels shows its last in those it lacks.
    fn add_levels(&mut self, levels: Vec<Level>) {
        // A single level is always shown, and so needs none.
        let ([_, _, ..], Some(last)) = (&levels[..], levels.last()) else { return };
        let Some(coarsest) = self.scene.levels.last().cloned() else {
            self.scene.levels = levels;
            return;
        };
        let common = self.scene.levels.len().max(levels.len());
        // Every model that has levels is in every level.
        if !self.spend(common.saturating_mul(last.meshes.len() + 8)) {
            return;
        }
        self.scene.levels.resize(common, coarsest);
        for (index, level) in self.scene.levels.iter_mut().enumerate() {
            level.meshes.extend_from_slice(&levels.get(index).unwrap_or(last).meshes);
        }
    }

    fn hmodel(&mut self, node: &'n Node<'n>, place: Option<Place>) {
        let Some(header) = child_value::<HModelHeader>(node, &table::HMODEL_HEADER) else {
            self.note(NoteKind::Damaged, node, "missing header chunk");
            return;
        };
        let shift = usize::from(lacks_root(header.version));
        let skeleton = self.skeleton(&header.hierarchy_name.to_string(), place, node);
        for child in node.children() {
            let Some(object) = child.value::<HModelNode>() else { continue };
            let skin = child.is(&table::SKIN_NODE);
            let pivot = match object.pivot_idx.get() {
                u16::MAX => 0,
                _ if skin => 0,
                pivot => usize::from(pivot) + shift,
            };
            let place = self.pivot_place(skeleton, pivot, node);
            let nodes = self.scene.nodes.len();
            let name = [header.name.text(), b".", object.render_obj_name.text()].concat();
            let meshes = self.place_named(&name, place, node);
            self.carried(place, nodes);
            if child.is(&table::COLLISION_NODE) || child.is(&table::SHADOW_NODE) {
                for mesh in meshes {
                    let mesh = &mut self.scene.meshes[mesh.index()];
                    mesh.hidden = true;
                    if child.is(&table::COLLISION_NODE) && mesh.collision == scene::CollisionMask::NONE {
                        mesh.collision = scene::CollisionMask::PHYSICAL;
                    }
                }
            }
        }
        if let Some(points) = node.child(&table::POINTS) {
            self.points(points, Some(self.skeletons[skeleton].nodes[0]));
        }
    }

    fn lodmodel(&mut self, node: &'n Node<'n>, place: Option<Place>) {
        let place = place.unwrap_or_else(|| self.own_place(node));
        let mut lods: Vec<&Lod> = node.all(&table::LOD).filter_map(Node::value).collect();
        // The nearest range is the most detailed; the order in the file does not matter.
        lods.sort_by(|a, b| a.lod_min.get().total_cmp(&b.lod_min.get()));
        let levels = lods.into_iter().map(|lod| Level {
            range: LevelRange::Distance { min: lod.lod_min.get(), max: lod.lod_max.get() },
            meshes: self.place_named(lod.render_obj_name.text(), place, node),
        });
        let levels = levels.collect();
        self.add_levels(levels);
        if let Some(points) = node.child(&table::POINTS) {
            self.points(points, Some(place.node));
        }
    }

    fn collection(&mut self, node: &'n Node<'n>, place: Option<Place>) {
        let place = place.unwrap_or_else(|| self.own_place(node));
        for child in node.children() {
            if child.is(&table::COLLECTION_OBJ_NAME) {
                let name = child.text().unwrap_or_default();
                self.place_named(name, place, node);
            } else if child.is(&table::PLACEHOLDER) || child.is(&table::TRANSFORM_NODE) {
                let Some(placeholder) = child.value::<Placeholder>().filter(|_| self.has_room(1, 0, node))
                else {
                    continue;
                };
                let name = decode(child.text().unwrap_or_default()).into_owned();
                // Rows of the matrix, as 3ds Max has them (docs/formats/w3d/coordinates.md#matrices-and-quaternions).
                let [x, y, z, position] =
                    placeholder.transform.map(|row| Vec3::from(row.map(record::F32::get)));
                let rest = transform(space::matrix([x, y, z], position));
                let holder = self.add_node(name.clone(), Some(place.node), rest);
                self.scene
                    .attachments
                    .push(Attachment { path: name, ..Attachment::new(holder, AttachmentKind::Proxy) });
            } else if child.is(&table::POINTS) {
                self.points(child, Some(place.node));
            }
        }
    }

    fn aggregate(&mut self, node: &'n Node<'n>, place: Option<Place>) {
        let Some(chunk) = node.child(&table::AGGREGATE_INFO) else {
            self.note(NoteKind::Damaged, node, "missing AGGREGATE_INFO chunk");
            return;
        };
        let Some(info) = chunk.value::<AggregateInfo>() else { return };
        let place = place.unwrap_or_else(|| self.own_place(node));
        let first = self.skeletons.len();
        self.place_named(info.base_model_name.text(), place, node);
        let base = (first < self.skeletons.len()).then_some(first);
        for object in chunk.values::<AggregateSubobject>() {
            let bone = object.bone_name.to_string();
            let pivot = base
                .and_then(|base| self.skeletons[base].pivot(&self.scene, &bone).map(|pivot| (base, pivot)));
            let holder = match pivot {
                Some((base, pivot)) => self.pivot_place(base, pivot, node),
                None => {
                    let message = format!("bone {bone:?} of {:?} does not exist", object.subobject_name);
                    self.note(NoteKind::Missing, node, message);
                    place
                }
            };
            self.attach(object.subobject_name.text(), holder, AttachmentKind::Aggregate, node);
        }
        if node
            .child(&table::TEXTURE_REPLACER_INFO)
            .is_some_and(|info| !info.values::<w3d::records::TextureReplacer>().is_empty())
        {
            self.note(NoteKind::Skipped, node, "texture replacements are ignored, as in the games");
        }
    }

    /// A node for a model that has no skeleton.
    fn own_place(&mut self, model: &Node<'_>) -> Place {
        let node = self.add_node(decode(&name_of(model)).into_owned(), None, Transform::IDENTITY);
        Place { node, world: Affine3A::IDENTITY, skeleton: None, pivot: 0 }
    }

    /// Points that the level editor snaps together.
    fn points(&mut self, node: &Node<'_>, parent: Option<NodeId>) {
        for (index, point) in node.values::<record::Vec3>().iter().enumerate() {
            if !self.has_room(1, 0, node) {
                return;
            }
            let rest = Transform::from_translation(space::vector(*point));
            let holder = self.add_node(format!("Point {index}"), parent, rest);
            self.scene.attachments.push(Attachment::new(holder, AttachmentKind::Point));
        }
    }
}

/// A matrix as translation, rotation and scale; parts that are not finite are dropped.
pub(super) fn transform(matrix: Affine3A) -> Transform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    Transform {
        translation: if translation.is_finite() { translation } else { Vec3::ZERO },
        rotation: if rotation.is_finite() && scale.min_element() != 0.0 {
            rotation.normalize()
        } else {
            glam::Quat::IDENTITY
        },
        scale: if scale.is_finite() { scale } else { Vec3::ONE },
    }
}

/// The objects of an array.
fn sub_objects<'n>(array: HlodLevel<'n>) -> impl Iterator<Item = &'n HlodSubObject> {
    array.0.all(&table::HLOD_SUB_OBJECT).filter_map(Node::value)
}

/// For each object that a model refers to, the model; another than the object itself if there is one.
fn users<'n>(children: &'n [Node<'n>]) -> HashMap<Box<[u8]>, &'n Node<'n>> {
    let mut users: HashMap<Box<[u8]>, &'n Node<'n>> = HashMap::new();
    for model in children.iter().filter(|node| is_model(node)) {
        let own = key(&name_of(model));
        for name in placed_objects(model) {
            let name = key(&name);
            if name == own {
                users.entry(name).or_insert(model);
            } else {
                users.insert(name, model);
            }
        }
    }
    users
}
