//! What only the WoW alpha has, or has in another shape.

use record::{Chars, F32, I32, Spelling, Type, U16, U32, Vec2, Vec3, records};

use super::{CellAnimation, Extent, ParticleFilterMode, ParticleType, SequenceFlags};

record::open_enum! {
    /// Replaceable texture of the WoW alpha (`REPLACEABLE_MATERIAL_IDS`).
    pub enum WowReplaceableId: u32 {
        1 SKIN "skin",
        2 OBJECT_SKIN "object skin",
        3 WEAPON_BLADE "weapon blade",
        4 WEAPON_HANDLE "weapon handle",
        5 ENVIRONMENT "environment",
        6 CHAR_HAIR "hair of a character",
        7 CHAR_FACIAL_HAIR "facial hair of a character",
        8 SKIN_EXTRA "additional skin",
        9 UI_SKIN "skin in the user interface",
        10 TAUREN_MANE "tauren mane",
        11 MONSTER_1 "first skin of a monster",
        12 MONSTER_2 "second skin of a monster",
        13 MONSTER_3 "third skin of a monster",
        14 ITEM_ICON "item icon",
    }

    /// Attachment point of the WoW alpha (`GEOCOMPONENTLINKS`).
    pub enum WowAttachmentPoint: u32 {
        0 SHIELD "shield",
        1 HANDR "right hand",
        2 HANDL "left hand",
        3 ELBOWR "right elbow",
        4 ELBOWL "left elbow",
        5 SHOULDERR "right shoulder",
        6 SHOULDERL "left shoulder",
        7 KNEER "right knee",
        8 KNEEL "left knee",
        9 HIPR "right hip",
        10 HIPL "left hip",
        11 HELM "helm",
        12 BACK "back",
        13 SHOULDERFLAPR "right shoulder flap",
        14 SHOULDERFLAPL "left shoulder flap",
        15 TORSOBLOODFRONT "blood at the front of the torso",
        16 TORSOBLOODBACK "blood at the back of the torso",
        17 BREATH "breath",
        18 PLAYERNAME "player's name",
        19 UNITEFFECT_BASE "unit effect at the base",
        20 UNITEFFECT_HEAD "unit effect at the head",
        21 UNITEFFECT_SPELLLEFTHAND "spell effect at the left hand",
        22 UNITEFFECT_SPELLRIGHTHAND "spell effect at the right hand",
        23 UNITEFFECT_SPECIAL1 "first special unit effect",
        24 UNITEFFECT_SPECIAL2 "second special unit effect",
        25 UNITEFFECT_SPECIAL3 "third special unit effect",
        26 SHEATH_MAINHAND "sheath of the main hand",
        27 SHEATH_OFFHAND "sheath of the off hand",
        28 SHEATH_SHIELD "sheath of the shield",
        29 PLAYERNAMEMOUNTED "player's name when mounted",
        30 LARGEWEAPONLEFT "large weapon on the left",
        31 LARGEWEAPONRIGHT "large weapon on the right",
        32 HIPWEAPONLEFT "weapon at the left hip",
        33 HIPWEAPONRIGHT "weapon at the right hip",
        34 TORSOSPELL "spell at the torso",
        35 HANDARROW "arrow in the hand",
        0xFFFFFFFF NONE "none",
    }

    /// Body part of a geoset of the WoW alpha (`CHARACTER_GEOSET_SECTIONS`): the hundreds of its selection group.
    pub enum WowGeosetPart: u32 {
        0 HAIR "hair",
        1 BEARD "beard",
        2 SIDEBURN "sideburn",
        3 MOUSTACHE "moustache",
        4 GLOVE "glove",
        5 BOOT "boot",
        6 OBSOLETEDONTUSEME "obsolete",
        7 EAR "ear",
        8 SLEEVES "sleeves",
        9 PANTS "pants",
        10 DOUBLET "doublet",
        11 PANTDOUBLET "trouser doublet",
        12 TABARD "tabard",
        13 ROBE "robe",
        14 LOINCLOTH "loincloth",
        0xFFFFFFFF NONE "none",
    }

    /// Source of the particles of an emitter in the WoW alpha.
    pub enum WowEmitterType: u32 {
        0 BASE "a point",
        1 PLANE "a plane",
        2 SPHERE "a sphere",
        3 SPLINE "a curve",
    }
}

/// Where on the body an attachment is.
const ATTACHMENT_POINT: Type = Type::Enum(WowAttachmentPoint::NAMES);
/// What is put in place of a texture.
pub(crate) const WOW_REPLACEABLE: Type = Type::Enum(WowReplaceableId::NAMES);

/// A body part and its variant: 401 is `GLOVE 1`.
pub(crate) const BODY_PART: Type = Type::Spelled(&Spelling {
    name: "BodyPart",
    doc: "A body part and its variant: 100 times the part plus the variant, so 401 is `GLOVE 1`.",
    size: 4,
    show: |bytes, out| {
        let number = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        match WowGeosetPart::new(number / 100).name() {
            Some(part) => *out += &format!("{part} {}", number % 100),
            None => *out += &number.to_string(),
        }
    },
    read: |text, bytes| {
        let number: u32 = match text.split_once(' ') {
            None => text.parse().ok()?,
            Some((part, variant)) => {
                let part = WowGeosetPart::NAMES.table.iter().find(|entry| entry.name == part)?;
                let variant: u32 = variant.parse().ok().filter(|variant| *variant < 100)?;
                part.value.checked_mul(100)?.checked_add(variant)?
            }
        };
        bytes.copy_from_slice(&number.to_le_bytes());
        Some(())
    },
    stores: Some(Type::U32),
});

record::open_flags! {
    /// Options of a model of the WoW alpha.
    pub flags WowModelFlags: u8 {
        0x1 & 0x3 TRACK_PITCH_YAW "follows the ground in pitch",
        0x2 & 0x3 TRACK_PITCH_YAW_ROLL "follows the ground in pitch and roll",
        0x4 ALWAYS_ANIMATE "animates when it is not seen",
    }

    /// Options of a geoset animation of the WoW alpha.
    pub flags WowGeosetAnimationFlags: u32 {
        0x1 COLOR "the colour is used",
    }
}

records! {
    /// `MODL` of the WoW alpha. The flag byte comes before the last word.
    pub struct WowModel: 373 {
        0 name: Chars<80>, "Name.";
        80 animation_file: Chars<260>, "File that holds the animations; empty.";
        340 extent: Extent, "Bounds.";
        368 flags: WowModelFlags, "Flags.";
        369 object_count: U32, "Number of nodes.";
    }

    /// Number of objects, at the start of most chunks of the WoW alpha.
    pub struct WowCount: 4 {
        0 count: U32, "Number of objects that follow.";
    }

    /// Counts at the start of `MTLS` in the WoW alpha.
    pub struct WowMaterialCount: 8 {
        0 count: U32, "Number of materials that follow.";
        4 animated_layers: U32, "Number of layers with alpha or texture tracks.";
    }

    /// Counts at the start of `ATCH` in the WoW alpha.
    pub struct WowAttachmentCount: 8 {
        0 count: U32, "Number of attachments that follow.";
        4 highest_id: U32, "Highest attachment id.";
    }

    /// One sequence of the WoW alpha.
    pub struct WowSequence: 140 {
        0 name: Chars<80>, "Name.";
        80 start: I32, "First frame, in milliseconds.";
        84 end: I32, "Last frame, in milliseconds.";
        88 move_speed: F32, "Distance per second of a moving unit.";
        92 flags: SequenceFlags, "Flags.";
        96 extent: Extent, "Bounds while it plays.";
        124 frequency: F32, "Probability among the sequences of the same name.";
        128 replay_start: I32, "Least number of repetitions.";
        132 replay_end: I32, "Greatest number of repetitions.";
        136 blend_time: U32, "Milliseconds to blend into it.";
    }

    /// Fields of a material before its layers in the WoW alpha.
    pub struct WowMaterialHeader: 8 {
        0 priority_plane: I32, "Drawing order; lower planes are drawn first.";
        4 layer_count: U32, "Number of layers that follow.";
    }

    /// Alpha and colour of a geoset (`GEOA` of the WoW alpha).
    pub struct WowGeosetAnimationHeader: 24 {
        0 geoset_id: I32, "Index of the geoset.";
        4 alpha: F32, "Opacity; a `KGAO` track overrides it.";
        8 color: Vec3, "Tint; red, green, blue like Warcraft III's (not proven).";
        20 flags: WowGeosetAnimationFlags, "Flags.";
    }

    /// Fields of an attachment of the WoW alpha after its node.
    pub struct WowAttachmentHeader: 265 {
        0 attachment_id: I32 as ATTACHMENT_POINT, "Attachment point.";
        4 geoset_animation: u8, "Low byte of the geoset animation of the nearest bone above, 0xFF for none.";
        5 path: Chars<260>, "Model that is attached; empty.";
    }

    /// Type of a hit-test shape.
    pub struct HitTestKind: 1 {
        0 kind: super::HitTestType, "Kind.";
    }

    /// Cylinder of a hit-test shape.
    pub struct WowShapeCylinder: 20 {
        0 base: Vec3, "Centre of the base.";
        12 height: F32, "Height.";
        16 radius: F32, "Radius.";
    }

    /// Fields of a particle emitter 2 of the WoW alpha after its node, up to the spline.
    pub struct WowParticleEmitter2Header: 787 {
        0 emitter_size: U32, "Size of the fixed part; 791 or 795 (open).";
        4 emitter_type: WowEmitterType, "Source of the particles.";
        8 speed: F32, "Starting speed.";
        12 variation: F32, "Share by which the speed varies.";
        16 latitude: F32, "Spread from the axis, in radians.";
        20 longitude: F32, "Spread about the axis, in radians.";
        24 gravity: F32, "Downward acceleration.";
        28 z_source: F32, "Height from which particles come.";
        32 life_span: F32, "Life time of a particle in seconds.";
        36 emission_rate: F32, "Particles per second.";
        40 length: F32, "Size of the source in y; outer radius of a sphere.";
        44 width: F32, "Size of the source in x; inner radius of a sphere.";
        48 rows: U32, "Rows of cells in the texture.";
        52 columns: U32, "Columns of cells in the texture.";
        56 particle_type: ParticleType, "Head, tail or both.";
        60 tail_length: F32, "Length of the tail, in seconds of flight.";
        64 time: F32, "Share of the life at which the middle colour is reached, 0 to 1.";
        68 segment_colors: [Vec3; 3], "Colour at the start, middle and end.";
        104 segment_alphas: [u8; 3], "Opacity at the start, middle and end.";
        107 segment_scalings: [F32; 3], "Size at the start, middle and end.";
        119 head_life: CellAnimation, "Cells of the head in the first segment.";
        131 head_decay: CellAnimation, "Cells of the head in the second segment.";
        143 tail_life: CellAnimation, "Cells of the tail in the first segment.";
        155 tail_decay: CellAnimation, "Cells of the tail in the second segment.";
        167 filter_mode: ParticleFilterMode, "Blending.";
        171 texture_id: I32, "Texture.";
        175 priority_plane: I32, "Drawing order; lower planes are drawn first.";
        179 replaceable_id: U32 as WOW_REPLACEABLE, "Replaceable texture, or 0.";
        183 geometry_model: Chars<260>, "Model of a particle.";
        443 recursion_model: Chars<260>, "Emitter that each particle carries.";
        703 twinkle_fps: F32, "Twinkles per second.";
        707 twinkle_on_off: F32, "Share of particles that twinkle.";
        711 twinkle_scale_min: F32, "Least size while twinkling.";
        715 twinkle_scale_max: F32, "Greatest size while twinkling.";
        719 instant_velocity_scale: F32, "Factor of the emitter's own velocity.";
        723 tumble_x_min: F32, "Rotation about x: least.";
        727 tumble_x_max: F32, "Rotation about x: greatest.";
        731 tumble_y_min: F32, "Rotation about y: least.";
        735 tumble_y_max: F32, "Rotation about y: greatest.";
        739 tumble_z_min: F32, "Rotation about z: least.";
        743 tumble_z_max: F32, "Rotation about z: greatest.";
        747 drag: F32, "Loss of speed over time.";
        751 spin: F32, "Rotation of a particle.";
        755 wind: Vec3, "Wind.";
        767 wind_time: F32, "Duration of the wind.";
        771 follow_speed_1: F32, "Speed that is followed at the first scale.";
        775 follow_scale_1: F32, "The first scale.";
        779 follow_speed_2: F32, "Speed that is followed at the second scale.";
        783 follow_scale_2: F32, "The second scale.";
    }

    /// Field of a particle emitter 2 after the spline.
    pub struct WowSquirt: 4 {
        0 squirt: U32, "Whether particles come in bursts.";
    }

    /// Size before the fields of a ribbon emitter in the WoW alpha.
    pub struct WowEmitterSize: 4 {
        0 emitter_size: U32, "Size of the fixed part: 56, this word included.";
    }

    /// A geoset of version 1500; its vertices are in the batch of the same index.
    pub struct WowGeosetSection: 64 {
        0 material_id: U32, "Material.";
        4 center: Vec3, "Centre of the bounding sphere.";
        16 radius: F32, "Radius of the bounding sphere.";
        20 selection_group: U32 as BODY_PART, "The body part that it is, and its variant.";
        24 geoset_index: U32, "Index of the geoset.";
        28 flags: super::SelectionFlags, "Flags.";
        32 vertex_tag: Chars<4>, "`PVTX`.";
        36 vertex_count: U32, "Vertices in the batch.";
        40 primitive_type_tag: Chars<4>, "`PTYP`.";
        44 primitive_type_count: U32, "Primitive types in the batch.";
        48 primitive_vertex_tag: Chars<4>, "`PVTX`.";
        52 primitive_vertex_count: U32, "Indices in the batch, without padding.";
        56 unknown1: U32, "Zero.";
        60 unknown2: U32, "Zero.";
    }

    /// One vertex of version 1500.
    pub struct WowVertex: 48 {
        0 position: Vec3, "Position.";
        12 weights: [u8; 4], "Weights of the bones.";
        16 bones: [u8; 4], "Bones.";
        20 normal: Vec3, "Normal.";
        32 texture_coordinates: [Vec2; 2], "Two sets of texture coordinates; the second is zero.";
    }

    /// Fields of a batch before its indices. The index count and the vertices' range may also be read as two words
    /// (disputed; the same bytes in every model of less than 65,536 indices).
    pub struct WowBatchHeader: 12 {
        0 unknown: U32, "Zero.";
        4 index_count: U16, "Indices, without padding.";
        6 minimum_vertex: U16, "Least index.";
        8 maximum_vertex: U16, "Greatest index.";
        10 padding: U16, "Zero.";
    }
}
