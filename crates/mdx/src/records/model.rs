//! The model as a whole: header, sequences, textures, cameras, poses.

use record::{Chars, F32, I32, Type, U32, Vec3, records};

record::open_flags! {
    /// Options of a sequence.
    pub flags SequenceFlags: u32 {
        0x1 NON_LOOPING "plays once",
    }

    /// Wrapping of a texture outside 0..1.
    pub flags TextureFlags: u32 {
        0x1 WRAP_WIDTH "repeats in u; clamps otherwise",
        0x2 WRAP_HEIGHT "repeats in v; clamps otherwise",
    }
}

record::open_enum! {
    /// Texture that Warcraft III replaces by one of its own.
    pub enum ReplaceableId: u32 {
        1 TEAM_COLOR "the player's colour",
        2 TEAM_GLOW "a glow in the player's colour",
        11 CLIFF "the cliff of the map's tileset",
        21 CURSOR "the cursor of the player's race",
        31 LORDAERON_TREE "a tree of Lordaeron",
        32 ASHENVALE_TREE "a tree of Ashenvale",
        33 BARRENS_TREE "a tree of the Barrens",
        34 NORTHREND_TREE "a tree of Northrend",
        35 MUSHROOM_TREE "a mushroom",
        36 RUINS_TREE "a tree of the Sunken Ruins",
        37 OUTLAND_MUSHROOM_TREE "a mushroom of Outland",
    }
}

/// Type of replaceable ids.
pub(crate) const REPLACEABLE: Type = Type::Enum(ReplaceableId::NAMES);

records! {
    /// Bounds: a sphere around the origin and a box. In both games the radius comes first on disk.
    pub struct Extent: 28 {
        0 radius: F32, "Radius of the bounding sphere.";
        4 minimum: Vec3, "Minimum corner of the box.";
        16 maximum: Vec3, "Maximum corner of the box.";
    }

    /// `MODL` of Warcraft III: the model's name and bounds.
    pub struct Model: 372 {
        0 name: Chars<80>, "Name.";
        80 animation_file: Chars<260>, "File that holds the animations; empty, though many files carry `PDR` at byte 252.";
        340 extent: Extent, "Bounds.";
        368 blend_time: U32, "Milliseconds to blend from one sequence into the next.";
    }

    /// One sequence of Warcraft III: a named interval of the common time line.
    pub struct Sequence: 132 {
        0 name: Chars<80>, "Name.";
        80 start: I32, "First frame, in milliseconds.";
        84 end: I32, "Last frame, in milliseconds.";
        88 move_speed: F32, "Distance per second of a moving unit.";
        92 flags: SequenceFlags, "Flags.";
        96 rarity: F32, "Rarity among the sequences of the same name; higher is rarer.";
        100 sync_point: U32, "Synchronisation point; zero in every known file.";
        104 extent: Extent, "Bounds while it plays.";
    }

    /// Kind of the data of MdlVis: 0 is a number for each geoset, 1 is groups of vertices and normals.
    pub struct MdlVisKind: 4 {
        0 kind: U32, "Kind of the data that follows.";
    }

    /// Number of groups of vertices that follow.
    pub struct MdlVisGroupCount: 4 {
        0 count: U32, "Number of groups that follow.";
    }

    /// A vertex, as MdlVis refers to it.
    pub struct MdlVisVertex: 8 {
        0 geoset: U32, "Geoset.";
        4 vertex: U32, "Vertex of the geoset.";
    }

    /// A normal that was set by hand in MdlVis.
    pub struct MdlVisNormal: 20 {
        0 geoset: U32, "Geoset.";
        4 vertex: U32, "Vertex of the geoset.";
        8 normal: Vec3, "Normal.";
    }

    /// Texture. Both games.
    pub struct Texture: 268 {
        0 replaceable_id: U32 as REPLACEABLE, "What the game puts here instead, or 0.";
        4 path: Chars<260>, "File name.";
        264 flags: TextureFlags, "Wrapping.";
    }

    /// Fields of a camera before its variants differ. Both games.
    pub struct CameraHeader: 104 {
        0 name: Chars<80>, "Name.";
        80 position: Vec3, "Where it stands.";
        92 field_of_view: F32, "Field of view, in radians.";
        96 far_clip: F32, "Far clipping plane.";
        100 near_clip: F32, "Near clipping plane.";
    }

    /// Depth of field of camera variants 1 and 2 of the 3.0.0 client, before the target (one source; no sample).
    pub struct CameraDepthOfField: 12 {
        0 focus_distance: F32, "Distance that is sharp.";
        4 focal_length: F32, "Focal length.";
        8 f_stop: F32, "Aperture.";
    }

    /// Target of a camera, after its other fields.
    pub struct CameraTarget: 12 {
        0 position: Vec3, "What it looks at.";
    }

    /// `FAFX`: facial animation.
    pub struct FaceEffect: 340 {
        0 target: Chars<80>, "Name of the node; `Node` in every known file.";
        80 path: Chars<260>, "FaceFX actor file.";
    }

    /// `BPOS`: a rest matrix of three basis rows and a translation.
    pub struct BindPose: 48 {
        0 x: Vec3, "Image of the x axis.";
        12 y: Vec3, "Image of the y axis.";
        24 z: Vec3, "Image of the z axis.";
        36 translation: Vec3, "Translation; the node's pivot in most files.";
    }
}
