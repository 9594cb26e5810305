//! What only the WoW alpha has, or has in another shape.

use record::{Chars, F32, I32, U16, U32, Vec2, Vec3, records};

use super::{CellAnimation, Extent, ParticleFilterMode, ParticleType, SequenceFlags};

record::open_enum! {
    /// What a particle emitter 2 of the WoW alpha emits from.
    pub enum WowEmitterType: u32 {
        0 BASE "a point",
        1 PLANE "a plane",
        2 SPHERE "a sphere",
        3 SPLINE "a curve",
    }
}

record::open_flags! {
    /// Flags of a model.
    pub flags WowModelFlags: u8 {
        0x1 & 0x3 TRACK_PITCH_YAW "follows the ground in pitch",
        0x2 & 0x3 TRACK_PITCH_YAW_ROLL "follows the ground in pitch and roll",
        0x4 ALWAYS_ANIMATE "animates when it is not seen",
    }

    /// What a geoset animation of the WoW alpha changes.
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
        369 object_count: U32, "How many nodes there are.";
    }

    /// The count that most chunks of the WoW alpha start with.
    pub struct WowCount: 4 {
        0 count: U32, "How many objects follow.";
    }

    /// The start of `MTLS` in the WoW alpha.
    pub struct WowMaterialCount: 8 {
        0 count: U32, "How many materials follow.";
        4 animated_layers: U32, "How many layers have alpha or texture tracks.";
    }

    /// The start of `ATCH` in the WoW alpha.
    pub struct WowAttachmentCount: 8 {
        0 count: U32, "How many attachments follow.";
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
        124 frequency: F32, "How often it is picked among its likes.";
        128 replay_start: I32, "Least number of repetitions.";
        132 replay_end: I32, "Greatest number of repetitions.";
        136 blend_time: U32, "Milliseconds to blend into it.";
    }

    /// A material's start in the WoW alpha.
    pub struct WowMaterialHeader: 8 {
        0 priority_plane: I32, "Drawing order, least first.";
        4 layer_count: U32, "How many layers follow.";
    }

    /// `GEOA` of the WoW alpha: how a geoset appears.
    pub struct WowGeosetAnimationHeader: 24 {
        0 geoset_id: I32, "The geoset.";
        4 alpha: F32, "Opacity where no KGAO track says otherwise.";
        8 color: Vec3, "Tint; red, green, blue like Warcraft III's (not proven).";
        20 flags: WowGeosetAnimationFlags, "Flags.";
    }

    /// What an attachment of the WoW alpha has after its node.
    pub struct WowAttachmentHeader: 265 {
        0 attachment_id: I32, "Where on the body it is.";
        4 geoset_animation: u8, "Low byte of the geoset animation of the nearest bone above, 0xFF for none.";
        5 path: Chars<260>, "Model that is attached; empty.";
    }

    /// What a hit test shape is.
    pub struct HitTestKind: 1 {
        0 kind: super::HitTestType, "Kind.";
    }

    /// Base, height and radius.
    pub struct WowShapeCylinder: 20 {
        0 base: Vec3, "Centre of the base.";
        12 height: F32, "Height.";
        16 radius: F32, "Radius.";
    }

    /// What a particle emitter 2 of the WoW alpha has after its node, up to the spline.
    pub struct WowParticleEmitter2Header: 787 {
        0 emitter_size: U32, "Size of the fixed part; 791 or 795 (open).";
        4 emitter_type: WowEmitterType, "What it emits from.";
        8 speed: F32, "Starting speed.";
        12 variation: F32, "Share by which the speed varies.";
        16 latitude: F32, "Spread from the axis, in radians.";
        20 longitude: F32, "Spread about the axis, in radians.";
        24 gravity: F32, "Downward acceleration.";
        28 z_source: F32, "Height from which particles come.";
        32 life_span: F32, "Seconds that a particle lives.";
        36 emission_rate: F32, "Particles per second.";
        40 length: F32, "Size of the source in y; outer radius of a sphere.";
        44 width: F32, "Size of the source in x; inner radius of a sphere.";
        48 rows: U32, "Rows of cells in the texture.";
        52 columns: U32, "Columns of cells in the texture.";
        56 particle_type: ParticleType, "Head, tail or both.";
        60 tail_length: F32, "Length of the tail, in seconds of flight.";
        64 time: F32, "Where the middle of a life is, from 0 to 1.";
        68 segment_colors: [Vec3; 3], "Colour at the start, middle and end.";
        104 segment_alphas: [u8; 3], "Opacity at the start, middle and end.";
        107 segment_scalings: [F32; 3], "Size at the start, middle and end.";
        119 head_life: CellAnimation, "Cells of the head in the first segment.";
        131 head_decay: CellAnimation, "Cells of the head in the second segment.";
        143 tail_life: CellAnimation, "Cells of the tail in the first segment.";
        155 tail_decay: CellAnimation, "Cells of the tail in the second segment.";
        167 filter_mode: ParticleFilterMode, "Blending.";
        171 texture_id: I32, "Texture.";
        175 priority_plane: I32, "Drawing order, least first.";
        179 replaceable_id: U32, "What the game puts in place of the texture, or 0.";
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
        767 wind_time: F32, "How long it blows.";
        771 follow_speed_1: F32, "Speed that is followed at the first scale.";
        775 follow_scale_1: F32, "The first scale.";
        779 follow_speed_2: F32, "Speed that is followed at the second scale.";
        783 follow_scale_2: F32, "The second scale.";
    }

    /// What stands after the spline.
    pub struct WowSquirt: 4 {
        0 squirt: U32, "Whether particles come in bursts.";
    }

    /// The size word before a ribbon emitter's fields.
    pub struct WowEmitterSize: 4 {
        0 emitter_size: U32, "Size of the fixed part: 56, this word included.";
    }

    /// A geoset of version 1500; its vertices are in the batch of the same index.
    pub struct WowGeosetSection: 64 {
        0 material_id: U32, "Material.";
        4 center: Vec3, "Centre of the bounding sphere.";
        16 radius: F32, "Its radius.";
        20 selection_group: U32, "The body part that it is.";
        24 geoset_index: U32, "Its index.";
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

    /// What stands before the indices of a batch. The index count and the vertices' range may also be read as two words
    /// (disputed; the same bytes in every model of less than 65,536 indices).
    pub struct WowBatchHeader: 12 {
        0 unknown: U32, "Zero.";
        4 index_count: U16, "Indices, without padding.";
        6 minimum_vertex: U16, "Least index.";
        8 maximum_vertex: U16, "Greatest index.";
        10 padding: U16, "Zero.";
    }
}
