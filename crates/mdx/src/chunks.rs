//! The table of chunks.

use record::Kind;

use crate::frame::tag;
use crate::kinds;
use crate::{Dialect, Gate};

/// The content of a chunk in one of the games.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// The game does not have it; it is kept as bytes.
    Unknown,
    /// Bytes, divided by the slots of a kind.
    Leaf(&'static Kind),
    /// Objects of one shape, after a count if there is one.
    Objects(&'static Kind, Option<&'static Kind>, Shape),
}

/// How an object is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A material with layers.
    Material,
    /// Texture animation.
    TextureAnimation,
    /// Geoset.
    Geoset,
    /// Geoset animation.
    GeosetAnimation,
    /// Bone.
    Bone,
    /// Light.
    Light,
    /// Helper.
    Helper,
    /// Attachment.
    Attachment,
    /// Particle emitter.
    ParticleEmitter,
    /// Particle emitter 2.
    ParticleEmitter2,
    /// Popcorn emitter.
    PopcornEmitter,
    /// Ribbon emitter.
    RibbonEmitter,
    /// Event object.
    EventObject,
    /// Camera.
    Camera,
    /// Collision shape of Warcraft III.
    CollisionShape,
    /// Hit test shape of the WoW alpha.
    HitTestShape,
    /// The arrays of the WoW alpha's collision mesh, directly in the chunk.
    CollisionMesh,
    /// Data of MdlVis.
    MdlVis,
}

impl Shape {
    /// The gates that are inverted one by one if an object's parts do not fill its size: the size of an object has
    /// priority over its version.
    pub(crate) const fn disputed(self) -> &'static [Gate] {
        match self {
            Self::Material => &[Gate::MaterialShader],
            Self::Geoset => &[Gate::GeosetLevelOfDetail, Gate::WideSkin],
            Self::Light => &[
                Gate::LightShadowIntensity,
                Gate::LightShadowCasting,
                Gate::LightFalloff,
                Gate::LightAmbient,
            ],
            Self::Camera => &[Gate::CameraDepthOfField],
            _ => &[],
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ChunkRow {
    /// The tag's characters.
    pub name: &'static str,
    /// The tag.
    pub tag: u32,
    /// Description of its content.
    pub doc: &'static str,
    /// Its content in Warcraft III.
    pub warcraft: Content,
    /// Its content in the WoW alpha.
    pub wow: Content,
}

impl ChunkRow {
    /// Its content in one of the games.
    pub const fn content(&self, dialect: Dialect) -> Content {
        match dialect {
            Dialect::Warcraft => self.warcraft,
            Dialect::Wow => self.wow,
        }
    }
}

macro_rules! content {
    (-) => {
        Content::Unknown
    };
    ($kind:ident) => {
        Content::Leaf(kinds::$kind.kind)
    };
    (($kind:ident $shape:ident)) => {
        Content::Objects(kinds::$kind.kind, None, Shape::$shape)
    };
    (($kind:ident $count:ident $shape:ident)) => {
        Content::Objects(kinds::$kind.kind, Some(kinds::$count.kind), Shape::$shape)
    };
}

macro_rules! chunks {
    ($($name:ident $warcraft:tt $wow:tt $doc:literal,)*) => {
        #[allow(clippy::upper_case_acronyms, reason = "tags are written so")]
        enum Index { $($name,)* }

        /// The table, in the order in which most tools write. Objects with a part that counts them (most, in WoW) have it
        /// first. Order and presence are free.
        ///
        #[doc = concat!("| tag | holds |\n|---|---|\n", $("| `", stringify!($name), "` | ", $doc, " |\n",)*)]
        pub static CHUNKS: &[ChunkRow] = &[$(ChunkRow {
            name: stringify!($name),
            tag: tag(stringify!($name)),
            doc: $doc,
            warcraft: content!($warcraft),
            wow: content!($wow),
        },)*];

        /// The row of a tag.
        pub fn chunk_row(id: u32) -> Option<&'static ChunkRow> {
            $(const $name: u32 = tag(stringify!($name));)*
            let index = match id {
                $($name => Index::$name,)*
                _ => return None,
            };
            CHUNKS.get(index as usize)
        }
    };
}

chunks! {
    VERS VERS VERS "the format's version",
    MODL MODL WOW_MODL "name and bounds: [`Model`](crate::records::Model) or [`WowModel`](crate::records::WowModel)",
    SEQS SEQS WOW_SEQS "[`Sequence`](crate::records::Sequence)s; in WoW a count, then [`WowSequence`](crate::records::WowSequence)s",
    GLBS GLBS GLBS "durations of global sequences, in milliseconds",
    MTLS (MTLS Material) (MTLS WOW_MATERIAL_COUNT Material) "`Material`s: `MaterialHeader`, `MaterialShader` where the version has it, `LAYS` with `Layer`s; in WoW `WowMaterialHeader`, then the layers. A `Layer`: `LayerHeader`, `LayerEmissive`, `LayerFresnel`, `LayerShader` with `TextureSlot`s as the version has them, tracks",
    TEXS TEXS WOW_TEXS "[`Texture`](crate::records::Texture)s",
    SNDS SNDS - "sounds; never seen, kept as bytes",
    TXAN (TXAN TextureAnimation) (TXAN WOW_COUNT TextureAnimation) "`TextureAnimation`s: tracks",
    GEOS (GEOS Geoset) (GEOS WOW_COUNT Geoset) "`Geoset`s: `VRTX NRMS PTYP PCNT PVTX GNDX MTGC MATS`, `GeosetHeader`, `GeosetLevelOfDetail` where the version has it, `GeosetBounds`, `Extents`, `TANG`, `SKIN`, `UVAS` with a `UVBS` per set; in WoW `VRTX NRMS UVAS PTYP PCNT PVTX GNDX MTGC MATS BIDX BWGT`, `GeosetHeader`, `GeosetBounds`, `Extents`; from WoW 1500 on `WowGeosetSection`s, then a `Batch` for each",
    GEOA (GEOA GeosetAnimation) (GEOA WOW_COUNT GeosetAnimation) "`GeosetAnimation`s: `GeosetAnimationHeader` or `WowGeosetAnimationHeader`, tracks",
    BONE (BONE Bone) (BONE WOW_COUNT Bone) "`Bone`s: `Node`, `BoneLinks`",
    LITE (LITE Light) (LITE WOW_COUNT Light) "`Light`s: `Node`, `LightKind`, `LightShadowCasting`, `LightColor`, `LightAmbient`, `LightShadowIntensity`, `LightShadowRange`, `LightFalloff` as the version has them, tracks",
    HELP (HELP Helper) (HELP WOW_COUNT Helper) "`Helper`s: `Node`",
    ATCH (ATCH Attachment) (ATCH WOW_ATTACHMENT_COUNT Attachment) "`Attachment`s: `Node`, `AttachmentHeader` or `WowAttachmentHeader`, tracks",
    PIVT PIVT PIVT "pivots, by object id",
    PREM (PREM ParticleEmitter) (PREM WOW_COUNT ParticleEmitter) "`ParticleEmitter`s: `Node`, `ParticleEmitterHeader`, tracks",
    PRE2 (PRE2 ParticleEmitter2) (PRE2 WOW_COUNT ParticleEmitter2) "`ParticleEmitter2`s: `Node`, `ParticleEmitter2Header`, tracks; in WoW `Node`, `WowParticleEmitter2Header`, `Spline`, `WowSquirt`, tracks",
    CORN (CORN PopcornEmitter) - "`PopcornEmitter`s: `Node`, `PopcornEmitterHeader`, tracks",
    SNEM SNEM - "sound emitters; never seen, kept as bytes",
    RIBB (RIBB RibbonEmitter) (RIBB WOW_COUNT RibbonEmitter) "`RibbonEmitter`s: `Node`, `RibbonEmitterHeader`, tracks; in WoW `WowEmitterSize` after the node",
    CAMS (CAMS Camera) (CAMS WOW_COUNT Camera) "`Camera`s: `CameraHeader`, `CameraDepthOfField` in variants 1 and 2, `CameraTarget`, tracks",
    EVTS (EVTS EventObject) (EVTS WOW_COUNT EventObject) "`EventObject`s: `Node`, `KEVT`, which may be missing",
    HTST - (HTST WOW_COUNT HitTestShape) "`HitTestShape`s: `Node`, `HitTestKind`, `ShapeBox`, `WowShapeCylinder`, `ShapeSphere` or `ShapePlane`",
    CLID (CLID CollisionShape) (CLID CollisionMesh) "`CollisionShape`s: `Node`, `CollisionKind`, `ShapeBox`, `ShapeSphere`, `ShapeCylinder` or `ShapePlane`; in WoW the arrays `VRTX`, `TRI `, `NRMS`",
    FAFX FAFX - "[`FaceEffect`](crate::records::FaceEffect)s",
    BPOS BPOS - "a count, then [`BindPose`](crate::records::BindPose)s",
    DILG DILG - "geosets that can be picked; one source, never seen",
    INFO INFO INFO "text of a tool (MdxLib)",
    MDVI (MDVI MDLVIS_KIND MdlVis) (MDVI MDLVIS_KIND MdlVis) "data of a tool (MdlVis): `MdlVisKind`, then `MdlVisGeosets`, or `MdlVisGroupCount`, so many `MdlVisGroup`s and `MdlVisNormals`",
}
