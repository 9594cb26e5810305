//! Writes the differences between two scenes into a document. Everything else in it stays as it is.
//!
//! A model goes to another program as glTF and comes back. Three scenes tell what happened to it there:
//!
//! * the *original* is the scene of the document,
//! * the *base* is the same scene written and read again, without any other program: what our own writer and reader do to it is in there,
//! * the *edited* one was read from the file that came back.
//!
//! [`compare`] finds the [`Edit`]s: the differences of base and edited that are larger than other programs' rounding
//! (docs/gltf.md#to-blender-and-back). `mdx` and `w3d` make the same changes to a document and leave every other byte as it is.

mod bindings;
mod fields;
mod inputs;
mod looks;
mod matching;
pub mod mdx;
mod motion;
mod objects;
mod plan;
mod shape;
pub mod w3d;

use scene::{ClipId, EventId, MaterialId, MeshId, NodeId, Scene, Target, Transform};
use std::fmt::{self, Display, Formatter};

pub use crate::object_kind::ObjectKind;
pub use inputs::Inputs;
pub use looks::LookChange;
pub use matching::Matches;
pub use objects::ObjectEdit;
pub use shape::{MeshChange, MeshEdit};

/// A scene that was read from a file, and which parts of the original its parts are, as far as that is known.
#[derive(Clone, Debug)]
pub struct Side<'s> {
    /// The scene.
    pub scene: &'s Scene,
    /// For each node the original's.
    pub nodes: Vec<Option<NodeId>>,
    /// For each node whether a skin has it as a joint.
    pub joints: Vec<bool>,
    /// For each mesh the original's.
    pub meshes: Vec<Option<MeshId>>,
    /// For each material the original's.
    pub materials: Vec<Option<MaterialId>>,
    /// For each clip the original's.
    pub clips: Vec<Option<ClipId>>,
    /// Whether it has the parts that glTF cannot express: emitters, attachments, events.
    pub has_objects: bool,
}

/// One difference between the base and the edited scene. Ids are the original's; indices are positions in the lists of the edited scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A new node.
    NodeAdded(usize),
    /// A node is gone.
    NodeRemoved(NodeId),
    /// A node has another name.
    NodeRenamed(NodeId, String),
    /// A node has another rest transform.
    NodeMoved(NodeId, Transform),
    /// A node has another parent: the index of a node of the edited scene.
    NodeReparented(NodeId, Option<usize>),
    /// A new mesh.
    MeshAdded(usize),
    /// A mesh is gone.
    MeshRemoved(MeshId),
    /// A mesh has another name.
    MeshRenamed(MeshId, String),
    /// A mesh has other vertices or triangles.
    MeshChanged(Box<MeshEdit>),
    /// A material looks different: the index of the material of the edited scene, and what has changed.
    MaterialChanged(MaterialId, usize, Vec<LookChange>),
    /// A new clip.
    ClipAdded(usize),
    /// A clip is gone.
    ClipRemoved(ClipId),
    /// A clip has another name.
    ClipRenamed(ClipId, String),
    /// A clip has another duration, in seconds.
    ClipLength(ClipId, f32),
    /// A clip moves something differently. The index is that of the clip in the edited scene; the target is the original's.
    MotionChanged(ClipId, usize, Target),
    /// A clip of the original moves a new node. The indices are those of the clip and the node in the edited scene.
    MotionAdded(ClipId, usize, usize),
    /// Something that moves whichever clip plays moves differently. Without custom properties it is in a clip of the edited scene, whose index
    /// this is.
    GlobalMotionChanged(Option<usize>, Target),
    /// An event happens at other times in a clip: in seconds.
    EventsChanged(EventId, ClipId, Vec<f32>),
    /// An object on a node has changed, such as an emitter.
    ObjectChanged(ObjectEdit),
}

/// An edit in words, with the names of the two scenes.
pub struct Described<'e> {
    /// The edit.
    pub edit: &'e Edit,
    /// The scene of the document.
    pub original: &'e Scene,
    /// The scene that came back.
    pub edited: &'e Scene,
}

impl Display for Described<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { edit, original, edited } = *self;
        let node = |id: NodeId| original.nodes.get(id.index()).map_or("", |node| &node.name);
        let mesh = |id: MeshId| original.meshes.get(id.index()).map_or("", |mesh| &mesh.name);
        let clip = |id: ClipId| original.clips.get(id.index()).map_or("", |clip| &clip.name);
        match edit {
            Edit::NodeAdded(index) => {
                write!(f, "node {:?} added", edited.nodes.get(*index).map_or("", |node| &node.name))
            }
            Edit::NodeRemoved(id) => write!(f, "node {:?} removed", node(*id)),
            Edit::NodeRenamed(id, name) => write!(f, "node {:?} renamed to {name:?}", node(*id)),
            Edit::NodeMoved(id, _) => write!(f, "node {:?} moved", node(*id)),
            Edit::NodeReparented(id, _) => write!(f, "node {:?} has another parent", node(*id)),
            Edit::MeshAdded(index) => {
                write!(f, "mesh {:?} added", edited.meshes.get(*index).map_or("", |mesh| &mesh.name))
            }
            Edit::MeshRemoved(id) => write!(f, "mesh {:?} removed", mesh(*id)),
            Edit::MeshRenamed(id, name) => write!(f, "mesh {:?} renamed to {name:?}", mesh(*id)),
            Edit::MeshChanged(change) => write!(f, "mesh {:?}: {change}", mesh(change.mesh)),
            Edit::MaterialChanged(id, _, changes) => {
                let name = original.materials.get(id.index()).map_or("", |material| &material.name);
                let changes: Vec<&str> = changes.iter().map(|change| change.word()).collect();
                write!(f, "material {} {name:?}: {} changed", id.0, changes.join(", "))
            }
            Edit::ClipAdded(index) => {
                write!(f, "clip {:?} added", edited.clips.get(*index).map_or("", |clip| &clip.name))
            }
            Edit::ClipRemoved(id) => write!(f, "clip {:?} removed", clip(*id)),
            Edit::ClipRenamed(id, name) => write!(f, "clip {:?} renamed to {name:?}", clip(*id)),
            Edit::ClipLength(id, duration) => write!(f, "clip {:?} takes {duration} s", clip(*id)),
            Edit::MotionChanged(id, _, target) => {
                write!(f, "clip {:?}: ", clip(*id))?;
                match target {
                    Target::Node(id, property) => write!(f, "{property:?} of {:?} changed", node(*id)),
                    Target::Mesh(id, property) => write!(f, "{property:?} of mesh {:?} changed", mesh(*id)),
                    other => write!(f, "{other:?} changed"),
                }
            }
            Edit::MotionAdded(id, _, index) => {
                let name = edited.nodes.get(*index).map_or("", |node| &node.name);
                write!(f, "clip {:?}: motion of {name:?} added", clip(*id))
            }
            Edit::GlobalMotionChanged(_, Target::Node(id, property)) => {
                write!(f, "global sequence: {property:?} of {:?} changed", node(*id))
            }
            Edit::GlobalMotionChanged(_, target) => write!(f, "global sequence: {target:?} changed"),
            Edit::EventsChanged(id, of, _) => {
                let name = original.events.get(id.index()).map_or("", |event| &event.name);
                write!(f, "clip {:?}: times of the event {name:?} changed", clip(*of))
            }
            Edit::ObjectChanged(object) => f.write_str(&object.words(original, edited)),
        }
    }
}

/// The edits, and which parts of the two scenes belong together.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What is different.
    pub edits: Vec<Edit>,
    /// Which parts belong together.
    pub matches: Matches,
}

/// Finds what somebody changed between the base and the edited scene. `original` is the scene that the base was written from.
#[must_use]
pub fn compare(original: &Scene, base: &Side<'_>, edited: &Side<'_>) -> Comparison {
    let sizes = Sizes::of(base.scene);
    let matches = matching::find(base, edited, &sizes);
    let mut edits = Vec::new();
    matching::node_edits(base, edited, &matches, &sizes, &mut edits);
    shape::edits(original, base, edited, &matches, &sizes, &mut edits);
    looks::edits(original, base, edited, &matches, &mut edits);
    motion::edits(base, edited, &matches, &sizes, &mut edits);
    objects::edits(original, base, edited, &matches, &mut edits);
    Comparison { edits, matches }
}

/// Lengths that other programs' rounding grows with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// The diagonal of the model at rest.
    pub(crate) model: f32,
    /// That, the largest translation, or the largest distance of a vertex from the origin, whichever is largest.
    pub(crate) reach: f32,
}

impl Sizes {
    fn of(scene: &Scene) -> Self {
        let bounds = scene.rest_bounds();
        let model = bounds.map_or(0.0, |bounds| bounds.min.distance(bounds.max));
        let far = bounds.map_or(0.0, |bounds| bounds.min.abs().max(bounds.max.abs()).max_element());
        let moved = scene.nodes.iter().map(|node| node.rest.translation.length());
        let worlds = scene.rest_worlds();
        let placed = worlds.iter().map(|world| world.translation.length());
        let keyed = scene.channels().map(|channel| match &channel.curve {
            scene::Curve::Vector(track) => {
                track.values.iter().map(|value| value.length()).fold(0.0, f32::max)
            }
            _ => 0.0,
        });
        let largest = moved.chain(placed).chain(keyed).filter(|length| length.is_finite());
        let reach = largest.fold(model.max(far), f32::max);
        Self {
            model: if model.is_finite() { model } else { 0.0 },
            reach: if reach > 0.0 { reach } else { 1.0 },
        }
    }
}
