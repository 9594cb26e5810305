//! Emitters of particles and ribbons in Warcraft III.

use record::{Chars, F32, I32, U32, Vec3, records};

use super::model::REPLACEABLE;

record::open_enum! {
    /// Blending of particles. Both games.
    pub enum ParticleFilterMode: u32 {
        0 BLEND "source alpha, one minus source alpha",
        1 ADDITIVE "source alpha, one",
        2 MODULATE "destination colour, zero",
        3 MODULATE_2X "destination colour, source colour",
        4 ALPHA_KEY "alpha test",
    }

    /// Parts of a particle that are drawn. Both games.
    pub enum ParticleType: u32 {
        0 HEAD "a quad",
        1 TAIL "a trail",
        2 BOTH "both",
    }
}

records! {
    /// Range of texture cells that a particle shows, and how often.
    pub struct CellAnimation: 12 {
        0 start: U32, "First cell.";
        4 end: U32, "Last cell.";
        8 repeat: U32, "Number of repetitions.";
    }

    /// Fields of a particle emitter (`PREM`) after its node. Both games.
    pub struct ParticleEmitterHeader: 284 {
        0 emission_rate: F32, "Particles per second.";
        4 gravity: F32, "Downward acceleration.";
        8 longitude: F32, "Spread about the axis, in radians.";
        12 latitude: F32, "Spread from the axis, in radians.";
        16 path: Chars<260>, "Model or texture of a particle.";
        276 life_span: F32, "Life time of a particle in seconds.";
        280 speed: F32, "Starting speed (`InitVelocity`).";
    }

    /// Fields of a particle emitter 2 (`PRE2`) of Warcraft III after its node.
    pub struct ParticleEmitter2Header: 171 {
        0 speed: F32, "Starting speed.";
        4 variation: F32, "Share by which the speed varies.";
        8 latitude: F32, "Spread from the axis, in degrees.";
        12 gravity: F32, "Downward acceleration.";
        16 life_span: F32, "Life time of a particle in seconds.";
        20 emission_rate: F32, "Particles per second.";
        24 length: F32, "Size of the source in y.";
        28 width: F32, "Size of the source in x.";
        32 filter_mode: ParticleFilterMode, "Blending.";
        36 rows: U32, "Rows of cells in the texture.";
        40 columns: U32, "Columns of cells in the texture.";
        44 particle_type: ParticleType, "Head, tail or both.";
        48 tail_length: F32, "Length of the tail, in seconds of flight.";
        52 time: F32, "Share of the life at which the middle colour is reached, 0 to 1.";
        56 segment_colors: [Vec3; 3], "Colour at the start, middle and end, as red, green, blue.";
        92 segment_alphas: [u8; 3], "Opacity at the start, middle and end.";
        95 segment_scalings: [F32; 3], "Size at the start, middle and end.";
        107 head_life: CellAnimation, "Cells of the head in the first segment.";
        119 head_decay: CellAnimation, "Cells of the head in the second segment.";
        131 tail_life: CellAnimation, "Cells of the tail in the first segment.";
        143 tail_decay: CellAnimation, "Cells of the tail in the second segment.";
        155 texture_id: I32, "Texture.";
        159 squirt: U32, "Whether particles come in bursts.";
        163 priority_plane: I32, "Drawing order; lower planes are drawn first.";
        167 replaceable_id: U32 as REPLACEABLE, "Replaceable texture, or 0.";
    }

    /// Fields of a popcorn emitter (`CORN`) after its node, from version 900 on.
    pub struct PopcornEmitterHeader: 552 {
        0 life_span: F32, "Factor of the life span.";
        4 emission_rate: F32, "Factor of the emission rate.";
        8 speed: F32, "Factor of the speed.";
        12 color: Vec3, "Tint, as red, green, blue.";
        24 alpha: F32, "Opacity.";
        28 replaceable_id: U32 as REPLACEABLE, "Replaceable texture, or 0.";
        32 path: Chars<260>, "Effect file (`.pkfx`).";
        292 animation_visibility_guide: Chars<260>, "Sequences in which it is visible, such as `Always=on, Death=off`.";
    }

    /// Fields of a ribbon emitter (`RIBB`) after its node; in the WoW alpha a size word comes first.
    pub struct RibbonEmitterHeader: 52 {
        0 height_above: F32, "Height above the node.";
        4 height_below: F32, "Height below the node.";
        8 alpha: F32, "Opacity.";
        12 color: Vec3, "Tint, as red, green, blue.";
        24 life_span: F32, "Life time of an edge in seconds.";
        28 texture_slot: U32, "Cell of the texture.";
        32 emission_rate: U32, "Edges per second.";
        36 rows: U32, "Rows of cells in the texture.";
        40 columns: U32, "Columns of cells in the texture.";
        44 material_id: I32, "Material.";
        48 gravity: F32, "Downward acceleration.";
    }
}
