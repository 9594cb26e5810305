//! Views of every kind of object: what a document means, without copying. One API serves both games where they mean the same.
//!
//! Views have `new`, `node`, `get` and `get_all`; common data has methods of its own. The counterpart whose name ends
//! in `Mut` changes the node and keeps every other byte of the file.
//!
//! ```
//! let file = meshwright_mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").unwrap().1;
//! let document = meshwright_mdx::Document::parse(&file)?;
//! let model = document.view();
//! let bone = model.nodes().find(|node| node.name() == "Root").unwrap();
//! let rotation = bone.track(meshwright_mdx::tags::KGRT).unwrap();
//! assert_eq!(rotation.keys().map(|key| key.time).collect::<Vec<_>>(), [0, 500, 1000]);
//!
//! let mut document = document;
//! document.set_texture(0, "Textures\\black.blp")?;
//! assert_eq!(document.textures()[0].path.to_string(), "Textures\\black.blp");
//! # Ok::<(), meshwright_mdx::Error>(())
//! ```

mod change;
mod geoset;
mod material;
mod node;
mod objects;
mod track;

use std::borrow::Cow;

use record::{Chars, Kind, Node, U32, Vec3, views};

use crate::kinds;
use crate::records::*;
use crate::{Dialect, Document};

pub use change::{ObjectMut, SequenceMut};
pub use geoset::{CollisionMesh, Geoset, GeosetAnimation, GeosetAnimationMut, GeosetMut};
pub use material::{
    Layer, LayerMut, LayerTexture, Material, MaterialMut, TextureAnimation, TextureAnimationMut,
};
pub use node::{AttachmentParts, Emitter2Parts, NodeKind, Object, Shape};
pub use objects::{
    Attachment, Bone, CollisionShape, EventObject, Helper, Light, ParticleEmitter, ParticleEmitter2,
    PopcornEmitter, RibbonEmitter,
};
pub use track::{Track, TrackKey, track, tracks};

/// A whole model.
#[derive(Clone, Copy, Debug)]
pub struct Model<'d> {
    root: &'d Node<'d>,
    /// Its version.
    pub version: u32,
    /// The game.
    pub dialect: Dialect,
}

/// The model's header.
#[derive(Clone, Copy, Debug)]
pub struct Header<'d> {
    /// Its name.
    pub name: &'d Chars<80>,
    /// File that holds the animations.
    pub animation_file: &'d Chars<260>,
    /// Bounds.
    pub extent: &'d Extent,
    /// Milliseconds to blend from one sequence into the next; Warcraft III.
    pub blend_time: Option<u32>,
    /// Flags; WoW alpha.
    pub flags: Option<WowModelFlags>,
}

/// A sequence.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'d> {
    /// Its name.
    pub name: &'d Chars<80>,
    /// First and last frame, in milliseconds.
    pub interval: [i32; 2],
    /// Distance per second of a moving unit.
    pub move_speed: f32,
    /// Whether it loops.
    pub flags: SequenceFlags,
    /// Rarity in Warcraft III, frequency in the WoW alpha.
    pub rarity: f32,
    /// Bounds while it plays.
    pub extent: &'d Extent,
    /// Synchronisation point; Warcraft III.
    pub sync_point: Option<u32>,
    /// Milliseconds to blend into it; WoW alpha.
    pub blend_time: Option<u32>,
}

/// A camera.
#[derive(Clone, Copy, Debug)]
pub struct Camera<'d> {
    /// The object.
    pub node: &'d Node<'d>,
    /// Name, position and lens.
    pub header: &'d CameraHeader,
    /// Its target.
    pub target: Option<&'d CameraTarget>,
    /// Depth of field, in variants that have it.
    pub depth_of_field: Option<&'d CameraDepthOfField>,
    /// The variant, above the size word.
    pub variant: u8,
}

views! { @read Model }
views! { @read Camera }
views! { @write Camera, CameraMut of kinds::CAMERA }

impl<'d> Camera<'d> {
    /// The view of a node; `None` if the node is of another kind, or has no header.
    pub fn new(node: &'d Node<'d>) -> Option<Self> {
        if !node.is(&kinds::CAMERA) {
            return None;
        }
        Some(Self {
            node,
            header: node.get(kinds::CAMERA_HEADER)?,
            target: node.get(kinds::CAMERA_TARGET),
            depth_of_field: node.get(kinds::CAMERA_DEPTH_OF_FIELD),
            variant: node.size_delta.to_le_bytes()[3],
        })
    }

    /// The node.
    pub const fn node(&self) -> &'d Node<'d> {
        self.node
    }

    /// Its name.
    pub fn name(&self) -> Cow<'d, str> {
        text(&self.header.name)
    }

    /// Its tracks.
    pub fn tracks(&self) -> impl Iterator<Item = Track<'d>> + use<'d> {
        tracks(self.node)
    }

    /// One of its tracks.
    pub fn track(&self, tag: u32) -> Option<Track<'d>> {
        track(self.node, tag)
    }
}

/// Gives a document the iterators of its [`Model`].
macro_rules! document {
    ($($doc:literal $all:ident: $item:ty;)*) => {
        impl Document<'_> {
            /// The view of the document.
            pub fn view(&self) -> Model<'_> {
                Model { root: &self.root, version: self.version, dialect: self.dialect }
            }

            /// Name and bounds; `None` if `MODL` is missing or damaged.
            pub fn header(&self) -> Option<Header<'_>> {
                self.view().header()
            }

            /// The model's name.
            pub fn name(&self) -> Cow<'_, str> {
                self.view().name()
            }

            /// The textures.
            pub fn textures(&self) -> &[Texture] {
                self.view().textures()
            }

            $(
                #[doc = $doc]
                pub fn $all(&self) -> impl Iterator<Item = $item> {
                    self.view().$all()
                }
            )*
        }
    };
}

document! {
    "The sequences." sequences: Sequence<'_>;
    "The materials." materials: Material<'_>;
    "The texture animations." texture_animations: TextureAnimation<'_>;
    "The geosets, those of version 1500 included." geosets: Geoset<'_>;
    "The geoset animations." geoset_animations: GeosetAnimation<'_>;
    "Every object that is a node, in file order." nodes: Object<'_>;
    "The bones." bones: Bone<'_>;
    "The lights." lights: Light<'_>;
    "The helpers." helpers: Helper<'_>;
    "The attachments." attachments: Attachment<'_>;
    "The particle emitters." particle_emitters: ParticleEmitter<'_>;
    "The particle emitters 2." particle_emitters_2: ParticleEmitter2<'_>;
    "The popcorn emitters." popcorn_emitters: PopcornEmitter<'_>;
    "The ribbon emitters." ribbon_emitters: RibbonEmitter<'_>;
    "The event objects." event_objects: EventObject<'_>;
    "The collision shapes and hit test shapes." collision_shapes: CollisionShape<'_>;
    "The cameras." cameras: Camera<'_>;
}

/// The text of a name.
pub fn text<const N: usize>(chars: &Chars<N>) -> Cow<'_, str> {
    record::decode(chars.text())
}

impl<'d> Model<'d> {
    /// The first chunk of a kind.
    pub fn chunk(&self, kind: &'static Kind) -> Option<&'d Node<'d>> {
        self.root.child(kind)
    }

    /// The root of the tree.
    pub const fn node(&self) -> &'d Node<'d> {
        self.root
    }

    /// Its name.
    pub fn name(&self) -> Cow<'d, str> {
        self.header().map(|header| text(header.name)).unwrap_or_default()
    }

    /// The objects of all chunks of a kind.
    fn objects(
        &self,
        chunk: &'static Kind,
        object: &'static Kind,
    ) -> impl Iterator<Item = &'d Node<'d>> + use<'d> {
        self.root.all(chunk).flat_map(move |chunk| chunk.all(object))
    }

    /// Name and bounds; `None` if `MODL` is missing or damaged.
    pub fn header(&self) -> Option<Header<'d>> {
        if let Some(model) = self.get(kinds::MODL) {
            let blend_time = Some(model.blend_time.get());
            let (name, animation_file, extent) = (&model.name, &model.animation_file, &model.extent);
            return Some(Header { name, animation_file, extent, blend_time, flags: None });
        }
        let model = self.get(kinds::WOW_MODL)?;
        let (name, animation_file, extent) = (&model.name, &model.animation_file, &model.extent);
        Some(Header { name, animation_file, extent, blend_time: None, flags: Some(model.flags) })
    }

    /// The sequences.
    pub fn sequences(&self) -> impl Iterator<Item = Sequence<'d>> + use<'d> {
        let warcraft = self.get(kinds::SEQS).iter().map(|sequence| Sequence {
            name: &sequence.name,
            interval: [sequence.start.get(), sequence.end.get()],
            move_speed: sequence.move_speed.get(),
            flags: sequence.flags,
            rarity: sequence.rarity.get(),
            extent: &sequence.extent,
            sync_point: Some(sequence.sync_point.get()),
            blend_time: None,
        });
        let wow = self.get(kinds::WOW_SEQS).iter().map(|sequence| Sequence {
            name: &sequence.name,
            interval: [sequence.start.get(), sequence.end.get()],
            move_speed: sequence.move_speed.get(),
            flags: sequence.flags,
            rarity: sequence.frequency.get(),
            extent: &sequence.extent,
            sync_point: None,
            blend_time: Some(sequence.blend_time.get()),
        });
        warcraft.chain(wow)
    }

    /// Durations of the global sequences, in milliseconds.
    pub fn global_sequences(&self) -> &'d [U32] {
        self.get(kinds::GLBS)
    }

    /// The textures.
    pub fn textures(&self) -> &'d [Texture] {
        self.get(kinds::TEXS)
    }

    /// The materials.
    pub fn materials(&self) -> impl Iterator<Item = Material<'d>> + use<'d> {
        self.objects(&kinds::MTLS, &kinds::MATERIAL).filter_map(Material::new)
    }

    /// The texture animations.
    pub fn texture_animations(&self) -> impl Iterator<Item = TextureAnimation<'d>> + use<'d> {
        self.objects(&kinds::TXAN, &kinds::TEXTURE_ANIMATION).filter_map(TextureAnimation::new)
    }

    /// The geosets, those of version 1500 included.
    pub fn geosets(&self) -> impl Iterator<Item = Geoset<'d>> + use<'d> {
        self.root.all(&kinds::GEOS).flat_map(geoset::geosets)
    }

    /// The geoset animations.
    pub fn geoset_animations(&self) -> impl Iterator<Item = GeosetAnimation<'d>> + use<'d> {
        self.objects(&kinds::GEOA, &kinds::GEOSET_ANIMATION).filter_map(GeosetAnimation::new)
    }

    /// Every object that is a node, in file order.
    pub fn nodes(&self) -> impl Iterator<Item = Object<'d>> + use<'d> {
        let chunks = self.root.children().iter();
        chunks.flat_map(Node::children).filter_map(Object::new)
    }

    /// The nodes of one sort.
    pub fn nodes_of(&self, kind: NodeKind) -> impl Iterator<Item = Object<'d>> + use<'d> {
        self.nodes().filter(move |object| object.kind == kind)
    }

    /// Pivots of the nodes, by object id.
    pub fn pivots(&self) -> &'d [Vec3] {
        self.get(kinds::PIVT)
    }

    /// The pivot of a node.
    pub fn pivot(&self, object: &Object<'_>) -> Option<[f32; 3]> {
        self.pivots().get(usize::try_from(object.id()).ok()?).map(|pivot| pivot.get())
    }

    /// The cameras.
    pub fn cameras(&self) -> impl Iterator<Item = Camera<'d>> + use<'d> {
        self.objects(&kinds::CAMS, &kinds::CAMERA).filter_map(Camera::new)
    }

    /// Facial animations.
    pub fn face_effects(&self) -> &'d [FaceEffect] {
        self.get(kinds::FAFX)
    }

    /// Rest matrices of the nodes, then of the cameras.
    pub fn bind_poses(&self) -> &'d [BindPose] {
        self.get(kinds::BPOS)
    }

    /// The WoW alpha's collision mesh.
    pub fn collision_mesh(&self) -> Option<CollisionMesh<'d>> {
        self.chunk(&kinds::CLID).and_then(CollisionMesh::new)
    }
}
