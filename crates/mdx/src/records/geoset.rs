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
                4 TRIANGLES "triangles; the only one ever seen",
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
    /// What a group of indices draws. Warcraft III.
    FaceType: u32;
    /// The same in the WoW alpha, where it is a byte.
    WowFaceType: u8;
}

record::open_flags! {
    /// Whether a geoset can be clicked.
    pub flags SelectionFlags: u32 {
        0x1 WOW_UNSELECTABLE "WoW: cannot be selected",
        0x4 UNSELECTABLE "Warcraft III: cannot be selected",
        0x10 WOW_PROJECT_2D "WoW 1500: projected (disputed: 0x20)",
        0x20 WOW_SHADER_SKIN "WoW 1500: skinned by shader (disputed: 0x40)",
    }

    /// What a geoset animation changes. Other bits occur and mean nothing.
    pub flags GeosetAnimationFlags: u32 {
        0x1 DROP_SHADOW "casts a shadow",
        0x2 COLOR "the colour is used",
    }
}

records! {
    /// What follows a geoset's arrays. Both games.
    pub struct GeosetHeader: 12 {
        0 material_id: U32, "Material.";
        4 selection_group: U32, "Group for selection; in WoW the body part that it is.";
        8 selection_flags: SelectionFlags, "Flags.";
    }

    /// Versions 900 and up.
    pub struct GeosetLevelOfDetail: 84 {
        0 level: I32, "0 is the finest; -1 where a tool knew none.";
        4 name: Chars<80>, "Name.";
    }

    /// A geoset's own bounds.
    pub struct GeosetBounds: 28 {
        0 extent: Extent, "Bounds.";
    }

    /// One vertex of `SKIN`: four bones with weights that add up to 255.
    pub struct SkinVertex: 8 {
        0 bones: [u8; 4], "Bones.";
        4 weights: [u8; 4], "Their weights.";
    }

    /// The same from version 1400 of Warcraft III on (one source; no sample).
    pub struct WideSkinVertex: 16 {
        0 bones: [U16; 4], "Bones.";
        8 weights: [U16; 4], "Their weights.";
    }

    /// `GEOA` of Warcraft III: how a geoset appears.
    pub struct GeosetAnimationHeader: 24 {
        0 alpha: F32, "Opacity where no KGAO track says otherwise.";
        4 flags: GeosetAnimationFlags, "Flags.";
        8 color: Vec3, "Tint, as red, green, blue.";
        20 geoset_id: I32, "The geoset.";
    }
}
