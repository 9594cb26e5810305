//! Geometry.

use record::{Chars, F32, I32, U16, U32, Vec3, records};

use super::Extent;

/// Declares the primitive types in the width that a format has for them.
macro_rules! face_types {
    ($($(#[doc = $doc:literal])* $name:ident: $repr:ident;)*) => {
        record::open_enum! { $(
            $(#[doc = $doc])*
            pub enum $name: $repr {
                0 POINTS "points",
                1 LINES "lines",
                2 LINE_LOOP "closed line",
                3 LINE_STRIP "line",
                4 TRIANGLES "triangles; the only type in known files",
                5 TRIANGLE_STRIP "strip",
                6 TRIANGLE_FAN "fan",
                7 QUADS "quads",
                8 QUAD_STRIP "strip of quads",
                9 POLYGON "polygon",
            }
        )* }
    };
}

face_types! {
    /// Primitive type of a group of indices in Warcraft III.
    FaceType: u32;
    /// Primitive type of a group of indices in the WoW alpha: a byte.
    WowFaceType: u8;
}

record::open_flags! {
    /// Selection of a geoset, and options of the WoW alpha.
    pub flags SelectionFlags: u32 {
        0x1 WOW_UNSELECTABLE "WoW: cannot be selected",
        0x4 UNSELECTABLE "Warcraft III: cannot be selected",
        0x10 WOW_PROJECT_2D "WoW 1500: projected (disputed: 0x20)",
        0x20 WOW_SHADER_SKIN "WoW 1500: skinned by shader (disputed: 0x40)",
    }

    /// Options of a geoset animation. Other bits occur in files and have no known meaning.
    pub flags GeosetAnimationFlags: u32 {
        0x1 DROP_SHADOW "casts a shadow",
        0x2 COLOR "the colour is used",
    }
}

records! {
    /// Material and selection of a geoset, after its arrays. Both games.
    pub struct GeosetHeader: 12 {
        0 material_id: U32, "Material.";
        4 selection_group: U32, "Selection group; in WoW the body part.";
        8 selection_flags: SelectionFlags, "Flags.";
    }

    /// Level of detail of a geoset, from version 900 on.
    pub struct GeosetLevelOfDetail: 84 {
        0 level: I32, "0 is the finest level; -1 means no level.";
        4 name: Chars<80>, "Name.";
    }

    /// Bounds of a geoset in the rest pose.
    pub struct GeosetBounds: 28 {
        0 extent: Extent, "Bounds.";
    }

    /// Vertex of `SKIN`: four bones with weights that sum to 255.
    pub struct SkinVertex: 8 {
        0 bones: [u8; 4], "Bones.";
        4 weights: [u8; 4], "Their weights.";
    }

    /// Vertex of `SKIN` in 16-bit numbers, from version 1400 of Warcraft III on (one source; no sample).
    pub struct WideSkinVertex: 16 {
        0 bones: [U16; 4], "Bones.";
        8 weights: [U16; 4], "Their weights.";
    }

    /// Alpha and colour of a geoset (`GEOA` of Warcraft III).
    pub struct GeosetAnimationHeader: 24 {
        0 alpha: F32, "Opacity; a `KGAO` track overrides it.";
        4 flags: GeosetAnimationFlags, "Flags.";
        8 color: Vec3, "Tint, as red, green, blue.";
        20 geoset_id: I32, "Index of the geoset.";
    }
}
