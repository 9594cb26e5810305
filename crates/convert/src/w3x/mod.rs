//! W3X documents to scenes.
//!
//! A [`Library`] holds the document and those that it refers to; the crate `assets` finds them. [`to_scene`] puts it all together; its
//! [`Report`] lists what could not be carried over.
//!
//! ```
//! use meshwright_convert::w3x::{Library, Options, to_scene};
//! let bytes = w3x::sample::tank();
//! let file = w3x::W3x::parse(&bytes)?;
//! let (scene, report) = to_scene(&Library::new(&file), &Options::default());
//! assert_eq!((scene.nodes.len(), scene.meshes.len(), scene.clips.len()), (3, 2, 1));
//! assert_eq!(scene.textures[0].name, "MWTank.dds");
//! # Ok::<(), record::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | W3X | scene |
//! |---|---|
//! | pivot | [`Node`](scene::Node), rest transform from translation and rotation; pivot 0 is the identity, as in W3D |
//! | fix-up matrix | nothing: it is what the exporter took off, and positions do not need it |
//! | mesh on a bone | [`Mesh`](scene::Mesh) on the pivot's node; one that turns to the camera, on an extra child of it |
//! | skin | mesh in model space as it lies in the rest pose; each list of positions is moved by its own bone |
//! | collision box | [`CollisionShape`] |
//! | shader | [`Material`](scene::Material) of one layer, as the effects of BFME II |
//! | texture | its file name if a document of the library declares it, else its id |
//! | animation | [`Clip`](scene::Clip) with whole local transforms: rest and difference multiplied |
//! | visibility channel | [`Visibility`](scene::NodeProperty::Visibility): on and off, or a degree if it has values in between |

mod animation;
mod library;
mod material;
mod mesh;

pub use library::Library;

use std::collections::{HashMap, HashSet};

use glam::Affine3A;
use scene::{
    Cause, CollisionMask, CollisionShape, Limits, MaterialId, NodeId, Note, NoteKind, Report, Scene, Shape,
    TextureId, Transform,
};
use w3x::view::{CollisionBox, Container, Hierarchy, SubObjectKind};

use crate::w3d::shared::{direction, rotation};

/// What to carry over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Make clips of the animations.
    pub animations: bool,
    /// How much the scene may have. What is above a limit is dropped and reported.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { animations: true, limits: Limits::default() }
    }
}

/// The scene that a document describes, and what there is to say about it: all of the main document, and every animation in the library
/// whose hierarchy is in the scene.
///
/// Nothing is fatal: missing and damaged parts are dropped and reported.
pub fn to_scene(library: &Library<'_>, options: &Options) -> (Scene, Report) {
    let size: usize = library.documents().iter().map(|document| document.root.len()).sum();
    let mut converter = Converter {
        library,
        options,
        scene: Scene::default(),
        report: Report::default(),
        skeletons: Vec::new(),
        budget: size.saturating_add(BUDGET),
        vertices: 0,
        keys: 0,
        is_cut: false,
        textures: HashMap::new(),
        materials: HashMap::new(),
    };
    converter.everything();
    if options.animations {
        converter.clips();
    }
    (converter.scene, converter.report)
}

/// How many bytes of elements may be read besides those that the documents have. A small damaged file could otherwise place a large mesh a
/// million times.
const BUDGET: usize = 256 << 20;

/// A scene in the making.
struct Converter<'l, 'n> {
    library: &'l Library<'n>,
    options: &'l Options,
    scene: Scene,
    report: Report,
    /// The skeletons in the scene so far.
    skeletons: Vec<Skeleton>,
    budget: usize,
    /// Vertices of all meshes so far.
    vertices: usize,
    /// Keys of all channels so far.
    keys: usize,
    /// A limit was reached, and that is reported.
    is_cut: bool,
    /// By name in lower case.
    textures: HashMap<String, TextureId>,
    /// By the text of the shader, the number of sets of coordinates, and the sort level.
    materials: HashMap<(Vec<u8>, usize, u32), MaterialId>,
}

/// A skeleton in the scene.
struct Skeleton {
    /// The id of its hierarchy in lower case.
    id: String,
    /// The nodes of its pivots.
    nodes: Vec<NodeId>,
    /// The pivots' world matrices at rest.
    worlds: Vec<Affine3A>,
    /// Nodes of objects on a pivot: they are shown and hidden with it.
    carriers: HashMap<usize, Vec<NodeId>>,
}

impl<'n> Converter<'_, 'n> {
    /// Takes the cost of reading this many bytes off the budget, if there is enough left.
    fn afford(&mut self, bytes: usize) -> bool {
        let left = self.budget.checked_sub(bytes.saturating_add(1024));
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// Whether the scene may have this many more nodes, objects and vertices. The first that does not fit is reported.
    fn has_room(&mut self, nodes: usize, vertices: usize, part: &str) -> bool {
        let Limits { nodes: most_nodes, vertices: most_vertices, .. } = self.options.limits;
        let used = self.scene.nodes.len() + self.scene.meshes.len() + self.scene.collision_shapes.len();
        let what = if used.saturating_add(nodes) > most_nodes {
            format!("{most_nodes} nodes")
        } else if self.vertices.saturating_add(vertices) > most_vertices {
            format!("{most_vertices} vertices")
        } else {
            return true;
        };
        if !std::mem::replace(&mut self.is_cut, true) {
            let message = format!("the model has more than {what}; this and what follows was dropped");
            self.report.note(NoteKind::Damaged, part, message);
        }
        false
    }

    /// Notes that something is in a file that is not in the library.
    fn missing(&mut self, part: &str, message: String) {
        self.report.add(Note::new(NoteKind::Missing, part, message).because(Cause::MissingCompanion));
    }

    fn add_node(&mut self, name: String, parent: Option<NodeId>, rest: Transform) -> NodeId {
        let id = NodeId::from(self.scene.nodes.len());
        self.scene.nodes.push(scene::Node { name, parent, rest, ..scene::Node::default() });
        id
    }

    /// All of the main document: its models, then skeletons and objects that are in none of them.
    fn everything(&mut self) {
        let main = self.library.main();
        let first_id = main.assets().find_map(|asset| asset.attribute(&w3x::kinds::ID));
        let name = main.containers().next().map(|container| container.id()).or(first_id);
        self.scene.name = name.unwrap_or_default().into_owned();
        let mut placed = HashSet::new();
        for container in main.containers() {
            self.container(container, &mut placed);
        }
        for hierarchy in main.hierarchies() {
            let id = hierarchy.id().to_lowercase();
            if !placed.contains(&(None, id.clone())) {
                self.skeleton(&id, &hierarchy.id());
            }
        }
        let mut loose = None;
        let mut place = |converter: &mut Self, id: &str| -> NodeId {
            *loose.get_or_insert_with(|| converter.add_node(id.to_owned(), None, Transform::IDENTITY))
        };
        for mesh in main.meshes() {
            if !placed.contains(&(Some(SubObjectKind::Mesh), mesh.id().to_lowercase())) {
                let node = place(self, &mesh.id());
                self.mesh(mesh, node, None, 0);
            }
        }
        for shape in main.boxes() {
            if !placed.contains(&(Some(SubObjectKind::CollisionBox), shape.id().to_lowercase())) {
                let node = place(self, &shape.id());
                self.collision_box(shape, node);
            }
        }
    }

    /// Places a model. `placed` gets the ids of what it uses; a hierarchy has no kind.
    fn container(&mut self, container: Container<'n>, placed: &mut HashSet<(Option<SubObjectKind>, String)>) {
        let part = format!("W3DContainer {:?}", container.id());
        if !self.afford(container.0.node().len()) {
            return;
        }
        let id = container.hierarchy();
        placed.insert((None, id.to_lowercase()));
        let skeleton = self.skeleton(&id.to_lowercase(), &id);
        for object in container.sub_objects() {
            let Some((kind, id)) = object.target() else {
                let message = format!("the sub-object {:?} refers to nothing", object.name());
                self.report.note(NoteKind::Damaged, &part, message);
                continue;
            };
            let key = id.to_lowercase();
            placed.insert((Some(kind), key.clone()));
            let count = self.skeletons[skeleton].nodes.len();
            let bone = object.bone().filter(|bone| *bone < count).unwrap_or_else(|| {
                // A skeleton that was not found has one pivot, which is reported once.
                if count > 1 {
                    let message = format!(
                        "bone {} of {:?} does not exist: the skeleton has {count}; placed on the root",
                        object.bone().map_or_else(|| "?".to_owned(), |bone| bone.to_string()),
                        object.name()
                    );
                    self.report.note(NoteKind::Damaged, &part, message);
                }
                0
            });
            let node = self.skeletons[skeleton].nodes[bone];
            match kind {
                SubObjectKind::Mesh => match self.library.mesh(&key) {
                    Some(mesh) => self.mesh(mesh, node, Some(skeleton), bone),
                    None => self.missing(&part, format!("mesh {id:?} not found")),
                },
                SubObjectKind::CollisionBox => match self.library.collision_box(&key) {
                    Some(shape) => self.collision_box(shape, node),
                    None => self.missing(&part, format!("collision box {id:?} not found")),
                },
            }
        }
    }

    fn collision_box(&mut self, shape: CollisionBox<'n>, node: NodeId) {
        let part = format!("W3DCollisionBox {:?}", shape.id());
        if !self.has_room(1, 0, &part) || !self.afford(0) {
            return;
        }
        let center = direction(shape.center());
        let extent = direction(shape.extent()).abs();
        self.scene.collision_shapes.push(CollisionShape {
            name: short_name(&shape.id()),
            node,
            shape: Shape::Box { min: center - extent, max: center + extent, axis_aligned: false },
            mask: CollisionMask::NONE,
        });
    }

    /// Places the skeleton of this id, in lower case and as written; one of a single pivot if it is not found. The result is its position in
    /// [`Converter::skeletons`].
    fn skeleton(&mut self, key: &str, id: &str) -> usize {
        let hierarchy = self.library.hierarchy(key);
        if hierarchy.is_none() && !key.is_empty() {
            self.missing(&format!("W3DHierarchy {id:?}"), "skeleton not found".to_owned());
        }
        let mut skeleton =
            Skeleton { id: key.to_owned(), nodes: Vec::new(), worlds: Vec::new(), carriers: HashMap::new() };
        if let Some(hierarchy) = hierarchy {
            self.pivots(hierarchy, &mut skeleton);
        }
        if skeleton.nodes.is_empty() {
            skeleton.nodes.push(self.add_node("ROOTTRANSFORM".to_owned(), None, Transform::IDENTITY));
            skeleton.worlds.push(Affine3A::IDENTITY);
        }
        self.skeletons.push(skeleton);
        self.skeletons.len() - 1
    }

    fn pivots(&mut self, hierarchy: Hierarchy<'n>, skeleton: &mut Skeleton) {
        let part = format!("W3DHierarchy {:?}", hierarchy.id());
        let count = hierarchy.pivots().count();
        if !self.has_room(count, 0, &part) || !self.afford(hierarchy.0.node().len()) {
            return;
        }
        let first = self.scene.nodes.len();
        let mut parents = Vec::with_capacity(count);
        for (index, pivot) in hierarchy.pivots().enumerate() {
            let name = pivot.name().into_owned();
            // The engine puts the object's own transform in the place of pivot 0 (docs/formats/w3d/hierarchy.md#pivots).
            let rest = if index == 0 {
                Transform::IDENTITY
            } else {
                let rotation = rotation(pivot.rotation()).unwrap_or_else(|| {
                    let message = format!("the rotation of pivot {index} {name:?} is invalid; none used");
                    self.report.note(NoteKind::Damaged, &part, message);
                    glam::Quat::IDENTITY
                });
                Transform { translation: direction(pivot.translation()), rotation, ..Transform::IDENTITY }
            };
            let parent = pivot.parent().filter(|parent| *parent != index && *parent < count && index > 0);
            if parent.is_none() && index > 0 {
                let message = format!("pivot {index} {name:?} has no valid parent; attached to the root");
                self.report.note(NoteKind::Damaged, &part, message);
            }
            parents.push(parent.or((index > 0).then_some(0)));
            skeleton.nodes.push(self.add_node(name, None, rest));
        }
        for index in break_cycles(&mut parents) {
            let message = format!("pivot {index} is its own ancestor; attached to the root");
            self.report.note(NoteKind::Damaged, &part, message);
        }
        for (index, parent) in parents.iter().enumerate() {
            self.scene.nodes[first + index].parent = parent.map(|parent| skeleton.nodes[parent]);
        }
        // Parents need not precede their children.
        let mut worlds: Vec<Option<Affine3A>> = vec![None; count];
        for index in 0..count {
            let mut chain = Vec::new();
            let mut next = Some(index);
            while let Some(pivot) = next.filter(|pivot| worlds[*pivot].is_none()) {
                chain.push(pivot);
                next = parents[pivot];
            }
            let mut world = next.and_then(|known| worlds[known]).unwrap_or(Affine3A::IDENTITY);
            for pivot in chain.into_iter().rev() {
                world *= self.scene.nodes[first + pivot].rest.matrix();
                worlds[pivot] = Some(world);
            }
        }
        skeleton.worlds = worlds.into_iter().map(Option::unwrap_or_default).collect();
    }
}

/// Attaches a pivot of each cycle to the root. Returns these pivots.
fn break_cycles(parents: &mut [Option<usize>]) -> Vec<usize> {
    let mut broken = Vec::new();
    // 0: not seen; otherwise the walk in which it was seen.
    let mut seen = vec![0_usize; parents.len()];
    for start in 0..parents.len() {
        let mut next = Some(start);
        while let Some(pivot) = next {
            if seen[pivot] == start + 1 {
                parents[pivot] = Some(0).filter(|root| *root != pivot);
                broken.push(pivot);
                break;
            }
            if seen[pivot] != 0 {
                break;
            }
            seen[pivot] = start + 1;
            next = parents[pivot];
        }
    }
    broken
}

/// The last part of an id: the mesh of `CONTAINER.MESH`.
fn short_name(id: &str) -> String {
    id.rsplit('.').next().unwrap_or(id).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_broken_once() {
        let mut parents = [None, Some(2), Some(3), Some(1), Some(3)];
        assert_eq!(break_cycles(&mut parents), [1]);
        assert_eq!(parents, [None, Some(0), Some(3), Some(1), Some(3)]);
        let mut later = [None, Some(3), Some(0), Some(2)];
        assert!(break_cycles(&mut later).is_empty(), "a parent may come later");
    }
}
