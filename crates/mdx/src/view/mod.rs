//! What a document means, read from its tree without copying: one API for both games where they mean the same.
//!
//! ```
//! let file = meshwright_mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").unwrap().1;
//! let document = meshwright_mdx::Document::parse(&file)?;
//! let model = document.view();
//! let bone = model.nodes().find(|node| node.name() == "Root").unwrap();
//! let rotation = bone.track(meshwright_mdx::tags::KGRT).unwrap();
//! assert_eq!(rotation.keys().map(|key| key.time).collect::<Vec<_>>(), [0, 500, 1000]);
//! # Ok::<(), meshwright_mdx::Error>(())
//! ```

mod geoset;
mod material;
mod node;
mod track;

use std::borrow::Cow;

use record::{Chars, Kind, Node, U32, Vec3};

use crate::kinds;
use crate::records::*;
use crate::{Dialect, Document};

pub use geoset::{CollisionMesh, Geoset, GeosetAnimation};
pub use material::{Layer, LayerTexture, Material};
pub use node::{Attachment, Emitter2, NodeKind, Object, Shape};
pub use track::{Track, TrackKey, track, tracks};

/// A whole model.
#[derive(Clone, Copy, Debug)]
pub struct Model<'d> {
    root: &'d Node<'d>,
    /// Its version.
    pub version: u32,
    /// Whose format it is.
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
    /// Name, place and lens.
    pub header: &'d CameraHeader,
    /// What it looks at.
    pub target: Option<&'d CameraTarget>,
    /// Depth of field, in variants that have it.
    pub depth_of_field: Option<&'d CameraDepthOfField>,
    /// The variant, above the size word.
    pub variant: u8,
}

impl<'d> Camera<'d> {
    /// One of its tracks.
    pub fn track(&self, tag: u32) -> Option<Track<'d>> {
        track(self.node, tag)
    }
}

impl Document<'_> {
    /// What it means.
    pub fn view(&self) -> Model<'_> {
        Model { root: &self.root, version: self.version, dialect: self.dialect }
    }
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

    fn values<T: record::Pod>(&self, kind: &'static Kind) -> &'d [T] {
        self.chunk(kind).map(Node::values).unwrap_or_default()
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
        if let Some(model) = self.chunk(&kinds::MODL).and_then(Node::value::<crate::records::Model>) {
            let blend_time = Some(model.blend_time.get());
            let (name, animation_file, extent) = (&model.name, &model.animation_file, &model.extent);
            return Some(Header { name, animation_file, extent, blend_time, flags: None });
        }
        let model = self.chunk(&kinds::WOW_MODL)?.value::<WowModel>()?;
        let (name, animation_file, extent) = (&model.name, &model.animation_file, &model.extent);
        Some(Header { name, animation_file, extent, blend_time: None, flags: Some(model.flags) })
    }

    /// The sequences.
    pub fn sequences(&self) -> impl Iterator<Item = Sequence<'d>> + use<'d> {
        let warcraft =
            self.values::<crate::records::Sequence>(&kinds::SEQS).iter().map(|sequence| Sequence {
                name: &sequence.name,
                interval: [sequence.start.get(), sequence.end.get()],
                move_speed: sequence.move_speed.get(),
                flags: sequence.flags,
                rarity: sequence.rarity.get(),
                extent: &sequence.extent,
                sync_point: Some(sequence.sync_point.get()),
                blend_time: None,
            });
        let wow = self.values::<WowSequence>(&kinds::WOW_SEQS).iter().map(|sequence| Sequence {
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
        self.values(&kinds::GLBS)
    }

    /// The textures.
    pub fn textures(&self) -> &'d [Texture] {
        self.values(&kinds::TEXS)
    }

    /// The materials.
    pub fn materials(&self) -> impl Iterator<Item = Material<'d>> + use<'d> {
        self.objects(&kinds::MTLS, &kinds::MATERIAL).map(Material::new)
    }

    /// The texture animations: objects that have only [`tracks`].
    pub fn texture_animations(&self) -> impl Iterator<Item = &'d Node<'d>> + use<'d> {
        self.objects(&kinds::TXAN, &kinds::TEXTURE_ANIMATION)
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
        self.values(&kinds::PIVT)
    }

    /// The pivot of a node.
    pub fn pivot(&self, object: &Object<'_>) -> Option<[f32; 3]> {
        self.pivots().get(usize::try_from(object.id()).ok()?).map(|pivot| pivot.get())
    }

    /// The cameras.
    pub fn cameras(&self) -> impl Iterator<Item = Camera<'d>> + use<'d> {
        self.objects(&kinds::CAMS, &kinds::CAMERA).filter_map(|node| {
            Some(Camera {
                node,
                header: node.child(&kinds::CAMERA_HEADER)?.value()?,
                target: node.child(&kinds::CAMERA_TARGET).and_then(Node::value),
                depth_of_field: node.child(&kinds::CAMERA_DEPTH_OF_FIELD).and_then(Node::value),
                variant: node.quirk.to_le_bytes()[3],
            })
        })
    }

    /// Facial animations.
    pub fn face_effects(&self) -> &'d [FaceEffect] {
        self.values(&kinds::FAFX)
    }

    /// Rest matrices of the nodes, then of the cameras.
    pub fn bind_poses(&self) -> &'d [BindPose] {
        self.values(&kinds::BPOS)
    }

    /// The WoW alpha's collision mesh.
    pub fn collision_mesh(&self) -> Option<CollisionMesh<'d>> {
        self.chunk(&kinds::CLID).and_then(CollisionMesh::new)
    }
}
