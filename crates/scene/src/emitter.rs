//! Particles and ribbons, as the sources describe them. Nothing here moves them.

use crate::{BlendMode, Layer, MaterialId, NodeId, Replaceable, TextureId};
use glam::{Quat, Vec2, Vec3, Vec4};

/// A source of particles.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Emitter {
    /// Where. Particles start along the node's up.
    pub node: NodeId,
    /// As in the source.
    pub name: String,
    /// When nothing is animated.
    pub visible: bool,
    /// What comes out.
    pub kind: EmitterKind,
}

/// What comes out of an [`Emitter`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum EmitterKind {
    /// Whole models.
    Model(ModelEmitter),
    /// Sprites with a life in two halves.
    Sprite(Box<SpriteEmitter>),
    /// An effect of a particle middleware.
    Effect(EffectEmitter),
    /// Sprites, points or lines with properties in keys over their life.
    Keyed(Box<KeyedEmitter>),
}

/// Whole models (Warcraft III ParticleEmitter).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ModelEmitter {
    /// The model, or the picture if so flagged.
    pub path: String,
    /// The path is a picture.
    pub is_picture: bool,
    /// How many in a second.
    pub emission_rate: f32,
    /// Acceleration downwards.
    pub gravity: f32,
    /// Radians about the up axis.
    pub longitude: f32,
    /// Radians off the up axis.
    pub latitude: f32,
    /// How long they live, in seconds.
    pub life_span: f32,
    /// Speed at the start.
    pub speed: f32,
}

/// Sprites with a life in two halves (Warcraft III ParticleEmitter2).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SpriteEmitter {
    /// Speed at the start.
    pub speed: f32,
    /// Its share that varies.
    pub variation: f32,
    /// Degrees off the up axis.
    pub latitude: f32,
    /// Degrees about the up axis (World of Warcraft).
    pub longitude: f32,
    /// Acceleration downwards.
    pub gravity: f32,
    /// How long they live, in seconds.
    pub life_span: f32,
    /// How many in a second, or at once if it squirts.
    pub emission_rate: f32,
    /// Size of the area they start in; see [`area`](Self::area).
    pub width: f32,
    /// Size of the area they start in; see [`area`](Self::area).
    pub length: f32,
    /// Height above the area (World of Warcraft).
    pub z_source: f32,
    /// How they go on the picture.
    pub blend: BlendMode,
    /// Pixels less opaque than this are not drawn.
    pub alpha_reference: f32,
    /// Rows of pictures in the texture.
    pub rows: u32,
    /// Columns of pictures in the texture.
    pub columns: u32,
    /// A square at its place.
    pub head: bool,
    /// A stripe where it came from.
    pub tail: bool,
    /// Seconds of way that the tail covers.
    pub tail_length: f32,
    /// The share of its life at which the second half starts.
    pub middle: f32,
    /// At the start, in the middle, at the end.
    pub colors: [Vec3; 3],
    /// At the start, in the middle, at the end.
    pub alphas: [f32; 3],
    /// At the start, in the middle, at the end.
    pub scales: [f32; 3],
    /// Pictures of the head in the first half.
    pub head_life: FrameRange,
    /// Pictures of the head in the second half.
    pub head_decay: FrameRange,
    /// Pictures of the tail in the first half.
    pub tail_life: FrameRange,
    /// Pictures of the tail in the second half.
    pub tail_decay: FrameRange,
    /// Where the pictures are.
    pub texture: Option<TextureId>,
    /// Supplied by the game instead.
    pub replaceable: Option<Replaceable>,
    /// All at once whenever the emission rate has a key.
    pub squirt: bool,
    /// Drawn in ascending order of this.
    pub priority_plane: i32,
    /// Shown as bright as it is, whatever the light.
    pub unlit: bool,
    /// Fog does not cover it.
    pub unfogged: bool,
    /// Farthest first.
    pub sort_far: bool,
    /// They start in a plane instead of a cone.
    pub line: bool,
    /// They move with the node.
    pub model_space: bool,
    /// They lie flat instead of facing the camera.
    pub flat: bool,
    /// What only World of Warcraft has.
    pub wow: Option<Box<WowParticles>>,
}

/// In World of Warcraft's emitters the length is along X: so its viewer has it, against other readers (D).
const WOW_LENGTH_IS_ALONG_X: bool = true;

impl SpriteEmitter {
    /// Size of the area they start in along the node's X and Z axes, with the node in the middle.
    #[must_use]
    pub const fn area(&self) -> Vec2 {
        if self.wow.is_some() && WOW_LENGTH_IS_ALONG_X {
            Vec2::new(self.length, self.width)
        } else {
            Vec2::new(self.width, self.length)
        }
    }
}

/// What only the emitters of the World of Warcraft alpha have.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WowParticles {
    /// Where particles start.
    pub shape: WowEmitterShape,
    /// Loss of speed in a second: `v *= 1 - drag * dt`.
    pub drag: f32,
    /// Rotation of a particle.
    pub spin: f32,
    /// Added to the velocity until [`wind_time`](Self::wind_time).
    pub wind: Vec3,
    /// Seconds of wind.
    pub wind_time: f32,
    /// Twinkles in a second.
    pub twinkle_rate: f32,
    /// The share of particles that twinkle.
    pub twinkle_share: f32,
    /// Least and greatest size while twinkling.
    pub twinkle_scale: [f32; 2],
    /// A factor of the emitter's own velocity.
    pub velocity_scale: f32,
    /// Least rotation about the scene's axes.
    pub tumble_min: Vec3,
    /// Greatest rotation about the scene's axes.
    pub tumble_max: Vec3,
    /// Two pairs of the emitter's speed and the share by which particles follow it.
    pub follow: [(f32, f32); 2],
    /// The model of a particle, or empty.
    pub geometry_model: String,
    /// The emitter that each particle carries, or empty.
    pub recursion_model: String,
    /// They grow with the node.
    pub inherit_scale: bool,
    /// They start with the emitter's velocity.
    pub instant_velocity: bool,
    /// They die at x = 0.
    pub zero_x_kill: bool,
    /// They move along the up axis only.
    pub z_velocity_only: bool,
    /// They tumble.
    pub tumbles: bool,
    /// Their tails grow from nothing.
    pub tail_grows: bool,
    /// They are drawn out between their old and new places.
    pub extrude: bool,
    /// They lie on the ground.
    pub projected: bool,
    /// They follow the emitter.
    pub follows: bool,
}

/// Where the particles of [`WowParticles`] start.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum WowEmitterShape {
    /// The node's origin.
    #[default]
    Point,
    /// The [`area`](SpriteEmitter::area).
    Plane,
    /// Between two spheres: the width is the inner radius, the length the outer.
    Sphere,
    /// A curve through these points.
    Spline(Vec<Vec3>),
    /// By the source's own number.
    Other(u32),
}

/// Pictures of a texture, shown in turn a number of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FrameRange {
    /// The first.
    pub start: u32,
    /// The last.
    pub end: u32,
    /// How often.
    pub repeat: u32,
}

/// An effect of a particle middleware (Warcraft III Popcorn).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EffectEmitter {
    /// The effect.
    pub path: String,
    /// In which clips it runs: "Always=on, Death=off".
    pub visibility_guide: String,
    /// A factor of the effect's own.
    pub life_span: f32,
    /// A factor of the effect's own.
    pub emission_rate: f32,
    /// A factor of the effect's own.
    pub speed: f32,
    /// A factor of the effect's own.
    pub color: Vec3,
    /// A factor of the effect's own.
    pub alpha: f32,
    /// Supplied by the game.
    pub replaceable: Option<Replaceable>,
    /// Shown as bright as it is, whatever the light.
    pub unlit: bool,
    /// Fog does not cover it.
    pub unfogged: bool,
    /// Farthest first.
    pub sort_far: bool,
    /// It grows with the node.
    pub scales: bool,
}

impl Default for EffectEmitter {
    fn default() -> Self {
        Self {
            path: String::new(),
            visibility_guide: String::new(),
            life_span: 1.0,
            emission_rate: 1.0,
            speed: 1.0,
            color: Vec3::ONE,
            alpha: 1.0,
            replaceable: None,
            unlit: false,
            unfogged: false,
            sort_far: false,
            scales: false,
        }
    }
}

/// Sprites, points or lines with properties in keys over their life (W3D).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KeyedEmitter {
    /// Their picture.
    pub texture: Option<TextureId>,
    /// How they are drawn.
    pub layer: Layer,
    /// What they are.
    pub render: ParticleRender,
    /// The texture is two to this pictures wide and high.
    pub frame_log2: u32,
    /// Seconds, more than zero.
    pub life_time: f32,
    /// Bursts in a second.
    pub emission_rate: f32,
    /// Particles in a burst.
    pub burst_size: u32,
    /// After so many it stops; zero is never.
    pub max_emissions: f32,
    /// In the file, but not simulated: only loaders of version 1.0 turn it into keys.
    pub fade_time: f32,
    /// In the file, but not simulated.
    pub future_start_time: f32,
    /// In the file, but not simulated; [`acceleration`](Self::acceleration) is.
    pub gravity: f32,
    /// In the file, but not simulated.
    pub elasticity: f32,
    /// Velocity at the start.
    pub velocity: Vec3,
    /// Acceleration all the time.
    pub acceleration: Vec3,
    /// Away from the middle of the volume.
    pub outward_velocity: f32,
    /// The share of the emitter's own velocity.
    pub velocity_inheritance: f32,
    /// Where they start.
    pub creation_volume: Volume,
    /// What is added to the velocity.
    pub velocity_random: Volume,
    /// Red, green, blue and alpha 0 to 1, of which the alpha is unused.
    pub color: LifeKeys<Vec4>,
    /// Opacity, 0 to 1.
    pub opacity: LifeKeys<f32>,
    /// Size, in units.
    pub size: LifeKeys<f32>,
    /// Turns per second.
    pub rotation: LifeKeys<f32>,
    /// Turns at the start, at most.
    pub orientation_random: f32,
    /// The number of the picture.
    pub frame: LifeKeys<f32>,
    /// Seconds of way that a line covers.
    pub blur_time: LifeKeys<f32>,
    /// How it is drawn as a line.
    pub line: Option<LineProperties>,
    /// The game's own data.
    pub user_data: Option<(u32, String)>,
}

/// Keys over the life of a particle, and how much each particle differs.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LifeKeys<T> {
    /// Seconds since birth, and the value. The first is the start.
    pub keys: Vec<(f32, T)>,
    /// How much a particle differs from the keys at most.
    pub random: T,
}

/// What a [`KeyedEmitter`] draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ParticleRender {
    /// Triangles facing the camera.
    #[default]
    Triangle,
    /// Squares facing the camera.
    Quad,
    /// One line through all.
    Line,
    /// A short line each, pointed.
    LineGroupTetrahedron,
    /// A short line each, as a prism.
    LineGroupPrism,
}

/// A region of space to pick points from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Volume {
    /// A box around the origin, by its half sizes.
    Box(Vec3),
    /// A ball around the origin.
    Sphere {
        /// Its radius.
        radius: f32,
        /// Its surface only.
        hollow: bool,
    },
    /// A cylinder around the X axis, which is forward, with its middle in the origin.
    Cylinder {
        /// From the middle to each end.
        half_length: f32,
        /// Its radius.
        radius: f32,
    },
}

impl Default for Volume {
    fn default() -> Self {
        Self::Box(Vec3::ZERO)
    }
}

/// How a line through particles is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineProperties {
    /// Overlaps at bends are joined.
    pub merge_intersections: bool,
    /// Noise stays the same.
    pub freeze_random: bool,
    /// Not sorted even if it blends.
    pub disable_sorting: bool,
    /// Its ends are closed.
    pub end_caps: bool,
    /// How the texture lies on it.
    pub texture_mapping: LineMapping,
    /// How often each stretch is halved.
    pub subdivision_level: u32,
    /// How far it jitters.
    pub noise_amplitude: f32,
    /// Beyond this overlaps are not joined.
    pub merge_abort_factor: f32,
    /// Tiles of texture in a unit.
    pub texture_tile_factor: f32,
    /// Scrolling, in a second.
    pub uv_per_second: Vec2,
}

/// How a texture lies on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum LineMapping {
    /// One row of the texture along the whole of it.
    #[default]
    UniformWidth,
    /// The same, stretched lengthwise.
    UniformLength,
    /// Again and again.
    Tiled,
}

/// A stripe that a moving node leaves behind.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ribbon {
    /// Where it starts.
    pub node: NodeId,
    /// As in the source.
    pub name: String,
    /// Its looks.
    pub material: Option<MaterialId>,
    /// How far it reaches along the node's -Z axis, which is Warcraft III's +Y.
    pub height_above: f32,
    /// How far it reaches along the node's +Z axis, which is Warcraft III's -Y.
    pub height_below: f32,
    /// Opacity.
    pub alpha: f32,
    /// A factor of the colour.
    pub color: Vec3,
    /// Seconds that a stretch stays.
    pub life_span: f32,
    /// Stretches in a second.
    pub emission_rate: f32,
    /// Rows of pictures in the texture.
    pub rows: u32,
    /// Columns of pictures in the texture.
    pub columns: u32,
    /// Which of them.
    pub texture_slot: u32,
    /// Acceleration downwards.
    pub gravity: f32,
    /// When nothing is animated.
    pub visible: bool,
}

impl Ribbon {
    /// A plain white ribbon of no height.
    #[must_use]
    pub fn new(node: NodeId) -> Self {
        Self {
            node,
            name: String::new(),
            material: None,
            height_above: 0.0,
            height_below: 0.0,
            alpha: 1.0,
            color: Vec3::ONE,
            life_span: 0.0,
            emission_rate: 0.0,
            rows: 1,
            columns: 1,
            texture_slot: 0,
            gravity: 0.0,
            visible: true,
        }
    }
}

/// A sphere or ring that grows, fades and changes colour (W3D primitives).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Primitive {
    /// As in the source.
    pub name: String,
    /// Where.
    pub node: NodeId,
    /// Its middle.
    pub center: Vec3,
    /// Half its size along each axis.
    pub extent: Vec3,
    /// Seconds of its life, after which it starts again if it loops.
    pub duration: f32,
    /// Starts again.
    pub looping: bool,
    /// Turns to the camera.
    pub aligned: bool,
    /// Its picture.
    pub texture: Option<TextureId>,
    /// How it is drawn.
    pub layer: Layer,
    /// Times in shares of the duration.
    pub color: LifeKeys<Vec3>,
    /// Times in shares of the duration.
    pub alpha: LifeKeys<f32>,
    /// Which of the two it is, with its own keys.
    pub form: PrimitiveForm,
}

/// The form of a [`Primitive`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum PrimitiveForm {
    /// A ball.
    Sphere {
        /// A factor of the extent.
        scale: LifeKeys<Vec3>,
        /// Where its alpha is greatest: a direction and how sharply.
        vector: Vec<(f32, Quat, f32)>,
    },
    /// A flat ring.
    Ring {
        /// A factor of the inner extent.
        inner_scale: LifeKeys<Vec2>,
        /// A factor of the outer extent.
        outer_scale: LifeKeys<Vec2>,
        /// Half the size of the hole.
        inner_extent: Vec2,
        /// Half the size of the whole.
        outer_extent: Vec2,
        /// How often the texture goes round.
        tiles: i32,
    },
}
