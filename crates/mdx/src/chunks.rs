//! The table of chunks.

use record::Kind;

use crate::frame::tag;
use crate::kinds;
use crate::{Dialect, Gate};

/// What a chunk holds in one of the games.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// The game does not have it; it is kept as bytes.
    Unknown,
    /// Bytes divided by the slots of a kind.
    Leaf(&'static Kind),
    /// Objects of one shape, after the part that counts them where there is one.
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
    /// The arrays of the WoW alpha's collision mesh, standing directly in the chunk.
    CollisionMesh,
}

impl Shape {
    /// The gates that are tried the other way round when an object's parts do not fill its size: what it says about
    /// itself counts more than its version.
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
    /// What it holds in Warcraft III.
    pub warcraft: Content,
    /// What it holds in the WoW alpha.
    pub wow: Content,
}

impl ChunkRow {
    /// What it holds in one of the games.
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
        Content::Leaf(&kinds::$kind)
    };
    (($kind:ident $shape:ident)) => {
        Content::Objects(&kinds::$kind, None, Shape::$shape)
    };
    (($kind:ident $count:ident $shape:ident)) => {
        Content::Objects(&kinds::$kind, Some(&kinds::$count), Shape::$shape)
    };
}

macro_rules! chunks {
    ($($name:ident $warcraft:tt $wow:tt,)*) => {
        #[allow(clippy::upper_case_acronyms, reason = "tags are written so")]
        enum Index { $($name,)* }

        /// The table, in the order in which most tools write.
        pub static CHUNKS: &[ChunkRow] = &[$(ChunkRow {
            name: stringify!($name),
            tag: tag(stringify!($name)),
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
    VERS VERS VERS,
    MODL MODL WOW_MODL,
    SEQS SEQS WOW_SEQS,
    GLBS GLBS GLBS,
    MTLS (MTLS Material) (MTLS WOW_MATERIAL_COUNT Material),
    TEXS TEXS TEXS,
    SNDS SNDS -,
    TXAN (TXAN TextureAnimation) (TXAN WOW_COUNT TextureAnimation),
    GEOS (GEOS Geoset) (GEOS WOW_COUNT Geoset),
    GEOA (GEOA GeosetAnimation) (GEOA WOW_COUNT GeosetAnimation),
    BONE (BONE Bone) (BONE WOW_COUNT Bone),
    LITE (LITE Light) (LITE WOW_COUNT Light),
    HELP (HELP Helper) (HELP WOW_COUNT Helper),
    ATCH (ATCH Attachment) (ATCH WOW_ATTACHMENT_COUNT Attachment),
    PIVT PIVT PIVT,
    PREM (PREM ParticleEmitter) (PREM WOW_COUNT ParticleEmitter),
    PRE2 (PRE2 ParticleEmitter2) (PRE2 WOW_COUNT ParticleEmitter2),
    CORN (CORN PopcornEmitter) -,
    SNEM SNEM -,
    RIBB (RIBB RibbonEmitter) (RIBB WOW_COUNT RibbonEmitter),
    CAMS (CAMS Camera) (CAMS WOW_COUNT Camera),
    EVTS (EVTS EventObject) (EVTS WOW_COUNT EventObject),
    HTST - (HTST WOW_COUNT HitTestShape),
    CLID (CLID CollisionShape) (CLID CollisionMesh),
    FAFX FAFX -,
    BPOS BPOS -,
    DILG DILG -,
    INFO INFO INFO,
    MDVI MDVI MDVI,
}
