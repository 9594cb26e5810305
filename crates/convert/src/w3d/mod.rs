//! W3D documents to scenes.
//!
//! A [`Library`] holds the document and those it refers to; the crate `assets` finds them. [`to_scene`] puts it all together;
//! its [`Report`] lists what could not be carried over.
//!
//! ```
//! use meshwright_convert::w3d::{Library, Options, to_scene};
//! let bytes = w3d::sample::crate_box();
//! let file = w3d::W3d::parse(&bytes)?;
//! let (scene, report) = to_scene(&Library::new(&file), None, &Options::default());
//! assert_eq!((scene.nodes.len(), scene.meshes.len(), scene.clips.len()), (3, 2, 1));
//! assert!(report.notes.is_empty());
//! # Ok::<(), record::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | W3D | scene |
//! |---|---|
//! | pivot | [`Node`](scene::Node), rest transform from the base pose; pivot 0 is the identity, as in the engine |
//! | mesh on a bone | [`Mesh`](scene::Mesh) on the pivot's node; one that turns to the camera, on an extra child of it |
//! | skin | mesh in model space as it lies in the base pose; joints only for bones that have vertices |
//! | HLOD levels | [`Level`](scene::Level)s, the most detailed first, if there is more than one |
//! | aggregate, proxy, null object, placeholder | [`Attachment`](scene::Attachment) on a node of its own; aggregates are filled if their model is known |
//! | pass | [`Layer`](scene::Layer); stage 0 is the diffuse slot, stage 1 the detail slot. `alpha` is the vertex material's opacity where it has an effect, else 1; [`Lighting`](scene::Lighting) has the source's number |
//! | mesh named `HOUSECOLOR...` | [`Material::house_color`](scene::Material::house_color) |
//! | texture named `ZHCA...`, `ZHCD...` | [`Texture::house_color`](scene::Texture::house_color) |
//! | texture named `ZHCA_TeamColor`, `ZHCA_TeamGlow` | [`Texture::replaceable`](scene::Texture::replaceable) too: models from Warcraft III |
//! | animation | [`Clip`](scene::Clip) with whole local transforms: rest and difference multiplied |
//! | visibility channel | [`Visibility`](scene::NodeProperty::Visibility) of the pivot's node and of the nodes that only carry its objects |

mod animation;
mod emitter;
mod library;
mod mapper;
mod material;
mod mesh;
mod model;
mod object;
mod obsolete;
mod origins;
mod primitive;
mod shader;
mod shader_material;
mod shader_mesh;
mod skeleton;
mod skin;
mod space;

/// What W3X shares: the same engine went on to read it.
pub(crate) mod shared {
    pub(crate) use super::animation::{Motion, Timing, keys_of, visibility};
    pub(crate) use super::mesh::side;
    pub(crate) use super::shader_material::effect;
    pub(crate) use super::skin::{Binder, Bones};
    pub(crate) use super::space::{direction, rotation};
}

pub use crate::report::{Cause, Note, NoteKind, Report};
pub use library::Library;
pub(crate) use library::name_of;
pub use origins::{Chunk, Origins, Pivot};
pub(crate) use skeleton::lacks_root;

use std::collections::HashMap;

use glam::Affine3A;
use record::zerocopy::FromBytes;
use record::{Node, Pod, decode};
use scene::team_color::HouseColor;
use scene::{Limits, NodeId, Scene, Texture, TextureId, Transform};

use crate::author::supplied;
use skeleton::Skeleton;

/// Whose rules of drawing to follow where engines differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Renegade: source blend 3 is one minus the source's alpha, gradient 5 is a dot product.
    Renegade,
    /// Generals and everything after it: source blend 3 is the destination's colour, gradient 5 doubles.
    #[default]
    Generals,
}

/// What to carry over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whose rules of drawing to follow.
    pub engine: Engine,
    /// Put the models of aggregates in their places, if the library has them.
    pub aggregates: bool,
    /// Make clips of the animations.
    pub animations: bool,
    /// Also make clips of animations in other documents whose skeleton is not in the scene, if a skeleton with the same pivots
    /// is. Set it where the user asked for those documents.
    pub clips_of_twins: bool,
    /// How much the scene may have. What is above a limit is dropped and reported.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            aggregates: true,
            animations: true,
            clips_of_twins: false,
            limits: Limits::default(),
        }
    }
}

/// The scene that a document describes, and what there is to say about it.
///
/// With a `root` it is the model of that name, from whichever document. Without, it is all of the main document: its models, and
/// the objects that are in none of them. Every animation in the library whose skeleton is in the scene becomes a clip.
///
/// Nothing is fatal: missing and damaged parts are dropped and reported.
pub fn to_scene(library: &Library<'_>, root: Option<&str>, options: &Options) -> (Scene, Report) {
    let (scene, report, _) = to_traced_scene(library, root, options);
    (scene, report)
}

/// The same as [`to_scene`], and which chunks the parts of the scene come from.
pub fn to_traced_scene(
    library: &Library<'_>,
    root: Option<&str>,
    options: &Options,
) -> (Scene, Report, Origins) {
    let mut converter = Converter {
        library,
        options,
        scene: Scene::default(),
        report: Report::default(),
        skeletons: Vec::new(),
        open: Vec::new(),
        budget: library.documents().iter().map(|document| document.root.len()).sum::<usize>() + BUDGET,
        vertices: 0,
        keys: 0,
        cut: false,
        textures: HashMap::new(),
        tracer: origins::Tracer::default(),
    };
    converter.everything(root);
    if options.animations {
        converter.clips();
    }
    let origins = converter.tracer.finish(library, converter.scene.nodes.len());
    (converter.scene, converter.report, origins)
}

/// How many bytes of chunks may be copied into the scene besides those that the documents have. A small damaged file could
/// otherwise place a large mesh a million times.
const BUDGET: usize = 256 << 20;

/// How deep models may lie in models.
const MAX_DEPTH: usize = 16;

/// A scene in the making.
struct Converter<'l, 'n> {
    library: &'l Library<'n>,
    options: &'l Options,
    scene: Scene,
    report: Report,
    /// The skeletons in the scene so far.
    skeletons: Vec<Skeleton>,
    /// The models that are being placed, each in the one before.
    open: Vec<&'n Node<'n>>,
    budget: usize,
    /// Vertices of all meshes so far.
    vertices: usize,
    /// Keys of all channels so far.
    keys: usize,
    /// A limit was reached, and that is reported.
    cut: bool,
    textures: HashMap<TextureKey, TextureId>,
    tracer: origins::Tracer<'n>,
}

/// The key of a texture: name, clamping, mipmaps, frames.
type TextureKey = (String, [bool; 2], bool, Option<(u32, u32, u8)>);

/// Where an object is placed.
#[derive(Clone, Copy)]
struct Place {
    /// The node it hangs on.
    node: NodeId,
    /// That node's world matrix in the base pose.
    world: Affine3A,
    /// The skeleton of skins: an index of [`Converter::skeletons`].
    skeleton: Option<usize>,
    /// The pivot of that skeleton on whose node it is.
    pivot: usize,
}

impl Converter<'_, '_> {
    /// Takes the cost of placing this many bytes off the budget, if there is enough left.
    fn afford(&mut self, bytes: usize) -> bool {
        // Even the smallest object takes its time.
        self.spend(bytes.saturating_add(1024))
    }

    /// Takes this many bytes off the budget, if there are enough left.
    fn spend(&mut self, bytes: usize) -> bool {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// Whether the scene may have this many more nodes, objects and vertices. The first that does not fit is reported.
    fn has_room(&mut self, nodes: usize, vertices: usize, node: &Node<'_>) -> bool {
        let Limits { nodes: most_nodes, vertices: most_vertices, .. } = self.options.limits;
        let used = self.scene.nodes.len() + self.scene.meshes.len();
        let what = if used.saturating_add(nodes) > most_nodes {
            format!("{most_nodes} nodes")
        } else if self.vertices.saturating_add(vertices) > most_vertices {
            format!("{most_vertices} vertices")
        } else {
            return true;
        };
        if !std::mem::replace(&mut self.cut, true) {
            self.note(
                NoteKind::Damaged,
                node,
                format!("the model has more than {what}; this and what follows was dropped"),
            );
        }
        false
    }

    fn note(&mut self, kind: NoteKind, node: &Node<'_>, message: impl Into<String>) {
        self.report.note(kind, &library::path_of(node), message);
    }

    /// Notes that something is in a file that is not in the library.
    fn missing(&mut self, user: &Node<'_>, name: &str, message: impl Into<String>) {
        let note = Note::new(NoteKind::Missing, library::path_of(user), message);
        self.report.add(note.because(Cause::MissingCompanion).seeking(name));
    }

    fn add_node(&mut self, name: String, parent: Option<NodeId>, rest: Transform) -> NodeId {
        let id = NodeId::from(self.scene.nodes.len());
        self.scene.nodes.push(scene::Node { name, parent, rest, ..scene::Node::default() });
        id
    }

    /// The id of a texture, which is added unless the scene has it.
    fn texture(&mut self, mut texture: Texture) -> TextureId {
        texture.house_color = house_color(&texture.name);
        texture.replaceable = supplied::of_file(&texture.name, texture.house_color);
        let frames = texture.frames.map(|frames| (frames.count, frames.rate.to_bits(), frames.order as u8));
        let wraps = [texture.wrap_u, texture.wrap_v].map(|wrap| wrap == scene::Wrap::Clamp);
        let key = (texture.name.clone(), wraps, texture.no_mipmaps, frames);
        let next = TextureId::from(self.scene.textures.len());
        let id = *self.textures.entry(key).or_insert(next);
        if id == next {
            self.scene.textures.push(texture);
        }
        id
    }

    /// The same for a texture that has only a name; `None` if the name is empty.
    fn texture_named(&mut self, name: &[u8]) -> Option<TextureId> {
        (!name.is_empty())
            .then(|| self.texture(Texture { name: decode(name).into_owned(), ..Texture::default() }))
    }
}

/// How Generals applies the player's colour to a texture of this name (docs/formats/rendering.md#w3d-house-colour).
fn house_color(name: &str) -> Option<HouseColor> {
    let file = name.rsplit(['/', '\\']).next()?.as_bytes();
    match file.first_chunk::<4>()?.map(|byte| byte.to_ascii_uppercase()) {
        [b'Z', b'H', b'C', b'D'] => Some(HouseColor::Palette),
        [b'Z', b'H', b'C', b'A'] => Some(HouseColor::Hue),
        _ => None,
    }
}

/// The record in the first child of a kind.
fn child_value<'n, T: Pod>(node: &'n Node<'n>, chunk: &'static w3d::Chunk) -> Option<&'n T> {
    node.child(chunk)?.value()
}

/// The values in the first child of a kind.
fn child_values<'n, T: Pod>(node: &'n Node<'n>, chunk: &'static w3d::Chunk) -> &'n [T] {
    node.child(chunk).map(Node::values).unwrap_or_default()
}

/// The text of the first child of a kind.
fn child_text(node: &Node<'_>, chunk: &'static w3d::Chunk) -> String {
    node.child(chunk).and_then(Node::text).map(|text| decode(text).into_owned()).unwrap_or_default()
}

/// The values of a slot by name, where a body has several of a type.
fn slot_values<'n, T: Pod>(node: &'n Node<'_>, name: &str) -> &'n [T] {
    let part = node.slots().find(|part| part.slot.name == name);
    part.and_then(|part| <[T]>::ref_from_bytes(part.bytes).ok()).unwrap_or_default()
}
