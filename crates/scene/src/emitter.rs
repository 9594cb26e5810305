//! Descriptions of particle emitters, ribbons, and W3D's rings and spheres. The crate `render` simulates them.

use crate::{BlendMode, Layer, MaterialId, NodeId, Replaceable, TextureId};
use glam::{Quat, Vec2, Vec3, Vec4};

/// A particle emitter.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Emitter {
    /// The node that it is attached to. Particles start along the up axis of the node.
    pub node: NodeId,
    /// Name in the source file.
    pub name: String,
    /// Whether it is visible when nothing is animated.
    pub visible: bool,
    /// Kind of particles.
    pub kind: EmitterKind,
}

/// Kinds of particles of an [`Emitter`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EmitterKind {
    /// Models.
    Model(ModelEmitter),
    /// Sprites whose life has two phases.
    Sprite(Box<SpriteEmitter>),
    /// An effect of a particle middleware.
    Effect(EffectEmitter),
    /// Sprites, triangles or lines whose properties have keys over their life.
    Keyed(Box<KeyedEmitter>),
}

/// Emits models (Warcraft III ParticleEmitter).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelEmitter {
    /// Path of the model, or of a texture if [`is_picture`](Self::is_picture).
    pub path: String,
    /// Whether the path is that of a texture.
    pub is_picture: bool,
    /// Particles per second.
    pub emission_rate: f32,
    /// Downward acceleration.
    pub gravity: f32,
    /// Random angle about the up axis, in radians.
    pub longitude: f32,
    /// Random angle from the up axis, in radians.
    pub latitude: f32,
    /// Life time of a particle, in seconds.
    pub life_span: f32,
    /// Initial speed.
    pub speed: f32,
}

/// Emits sprites whose life has two phases (Warcraft III ParticleEmitter2).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpriteEmitter {
    /// Initial speed.
    pub speed: f32,
    /// Random variation of the speed, as a fraction of it.
    pub variation: f32,
    /// Random angle from the up axis, in degrees.
    pub latitude: f32,
    /// Random angle about the up axis, in degrees (World of Warcraft).
    pub longitude: f32,
    /// Downward acceleration.
    pub gravity: f32,
    /// Life time of a particle, in seconds.
    pub life_span: f32,
    /// Particles per second, or per burst with [`squirt`](Self::squirt).
    pub emission_rate: f32,
    /// Size of the area in which particles start; see [`area`](Self::area).
    pub width: f32,
    /// Size of the area in which particles start; see [`area`](Self::area).
    pub length: f32,
    /// Height above the area (World of Warcraft).
    pub z_source: f32,
    /// Blend mode.
    pub blend: BlendMode,
    /// Reference of the alpha test: pixels with less alpha are not drawn.
    pub alpha_reference: f32,
    /// Rows of cells in the texture.
    pub rows: u32,
    /// Columns of cells in the texture.
    pub columns: u32,
    /// Whether a square is drawn at the position of the particle.
    pub head: bool,
    /// Whether a stripe is drawn along the path of the particle.
    pub tail: bool,
    /// Length of the tail, in seconds of motion.
    pub tail_length: f32,
    /// Fraction of the life at which the second phase starts.
    pub middle: f32,
    /// Values at the start, in the middle and at the end of the life.
    pub colors: [Vec3; 3],
    /// Values at the start, in the middle and at the end of the life.
    pub alphas: [f32; 3],
    /// Values at the start, in the middle and at the end of the life.
    pub scales: [f32; 3],
    /// Cells of the head in the first phase.
    pub head_life: FrameRange,
    /// Cells of the head in the second phase.
    pub head_decay: FrameRange,
    /// Cells of the tail in the first phase.
    pub tail_life: FrameRange,
    /// Cells of the tail in the second phase.
    pub tail_decay: FrameRange,
    /// Texture.
    pub texture: Option<TextureId>,
    /// Texture that the game supplies instead.
    pub replaceable: Option<Replaceable>,
    /// Whether it emits in bursts, at the keys of the emission rate.
    pub squirt: bool,
    /// Drawing order: lower planes are drawn first.
    pub priority_plane: i32,
    /// Whether light has no effect on it.
    pub unlit: bool,
    /// Whether fog has no effect on it.
    pub unfogged: bool,
    /// Whether the farthest particles are drawn first.
    pub sort_far: bool,
    /// Whether directions lie in a plane instead of a cone.
    pub line: bool,
    /// Whether particles move with the node.
    pub model_space: bool,
    /// Whether particles are parallel to the ground instead of facing the camera.
    pub flat: bool,
    /// Properties of World of Warcraft.
    pub wow: Option<Box<WowParticles>>,
}

/// In World of Warcraft the length is along X. Its viewer does so; other readers disagree.
const WOW_LENGTH_IS_ALONG_X: bool = true;

impl SpriteEmitter {
    /// Size of the area in which particles start, along the X and Z axes of the node. The node is at its centre.
    #[must_use]
    pub const fn area(&self) -> Vec2 {
        if self.wow.is_some() && WOW_LENGTH_IS_ALONG_X {
            Vec2::new(self.length, self.width)
        } else {
            Vec2::new(self.width, self.length)
        }
    }
}

/// Properties of emitters that only the World of Warcraft alpha has.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WowParticles {
    /// Shape of the emitter.
    pub shape: WowEmitterShape,
    /// Loss of speed: `v *= 1 - drag * dt`.
    pub drag: f32,
    /// Rotation of a particle.
    pub spin: f32,
    /// Added to the velocity until [`wind_time`](Self::wind_time).
    pub wind: Vec3,
    /// Duration of the wind, in seconds.
    pub wind_time: f32,
    /// Twinkles per second.
    pub twinkle_rate: f32,
    /// Fraction of the particles that twinkle.
    pub twinkle_share: f32,
    /// Minimum and maximum size while twinkling.
    pub twinkle_scale: [f32; 2],
    /// Factor of the velocity of the emitter.
    pub velocity_scale: f32,
    /// Minimum rotation about the axes of the scene.
    pub tumble_min: Vec3,
    /// Maximum rotation about the axes of the scene.
    pub tumble_max: Vec3,
    /// Two pairs: a speed of the emitter, and the fraction of its motion that particles follow.
    pub follow: [(f32, f32); 2],
    /// Path of the model of a particle; empty without one.
    pub geometry_model: String,
    /// Path of the emitter that each particle has; empty without one.
    pub recursion_model: String,
    /// Whether particles scale with the node.
    pub inherit_scale: bool,
    /// Whether particles inherit the velocity of the emitter.
    pub instant_velocity: bool,
    /// Whether particles die at x = 0.
    pub zero_x_kill: bool,
    /// Whether particles move along the up axis only.
    pub z_velocity_only: bool,
    /// Whether particles tumble.
    pub tumbles: bool,
    /// Whether tails start with no length.
    pub tail_grows: bool,
    /// Whether particles are stretched between their last and present position.
    pub extrude: bool,
    /// Whether particles are parallel to the ground.
    pub projected: bool,
    /// Whether particles follow the emitter.
    pub follows: bool,
}

/// Shapes of emitters of [`WowParticles`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WowEmitterShape {
    /// A point: the origin of the node.
    #[default]
    Point,
    /// A rectangle: the [`area`](SpriteEmitter::area).
    Plane,
    /// Between two spheres: the width is the inner radius, the length the outer.
    Sphere,
    /// A curve through these points.
    Spline(Vec<Vec3>),
    /// Another shape, by its number in the source file.
    Other(u32),
}

/// Cells of a texture that are shown one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrameRange {
    /// First cell.
    pub start: u32,
    /// Last cell.
    pub end: u32,
    /// Number of repetitions.
    pub repeat: u32,
}

/// An effect of a particle middleware (Warcraft III Popcorn).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EffectEmitter {
    /// Path of the effect.
    pub path: String,
    /// Clips in which it runs, such as "Always=on, Death=off".
    pub visibility_guide: String,
    /// Factor of the value in the effect.
    pub life_span: f32,
    /// Factor of the value in the effect.
    pub emission_rate: f32,
    /// Factor of the value in the effect.
    pub speed: f32,
    /// Factor of the value in the effect.
    pub color: Vec3,
    /// Factor of the value in the effect.
    pub alpha: f32,
    /// Texture that the game supplies.
    pub replaceable: Option<Replaceable>,
    /// Whether light has no effect on it.
    pub unlit: bool,
    /// Whether fog has no effect on it.
    pub unfogged: bool,
    /// Whether the farthest particles are drawn first.
    pub sort_far: bool,
    /// Whether it scales with the node.
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

/// Emits sprites, triangles or lines whose properties have keys over their life (W3D).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeyedEmitter {
    /// Texture.
    pub texture: Option<TextureId>,
    /// Blending, depth and lighting.
    pub layer: Layer,
    /// Geometry of a particle.
    pub render: ParticleRender,
    /// The texture has 2 to this power cells along each side.
    pub frame_log2: u32,
    /// Life time of a particle, in seconds; greater than zero.
    pub life_time: f32,
    /// Bursts per second.
    pub emission_rate: f32,
    /// Particles per burst.
    pub burst_size: u32,
    /// Number of particles after which it stops; zero is no limit.
    pub max_emissions: f32,
    /// Stored, but not simulated: loaders of version 1.0 make keys of it.
    pub fade_time: f32,
    /// Stored, but not simulated.
    pub future_start_time: f32,
    /// Stored, but not simulated; see [`acceleration`](Self::acceleration).
    pub gravity: f32,
    /// Stored, but not simulated.
    pub elasticity: f32,
    /// Initial velocity.
    pub velocity: Vec3,
    /// Constant acceleration.
    pub acceleration: Vec3,
    /// Initial speed away from the centre of the volume.
    pub outward_velocity: f32,
    /// Fraction of the velocity of the emitter that particles inherit.
    pub velocity_inheritance: f32,
    /// Volume in which particles start.
    pub creation_volume: Volume,
    /// Volume of random velocities that are added.
    pub velocity_random: Volume,
    /// Colour, 0 to 1; its alpha is unused.
    pub color: LifeKeys<Vec4>,
    /// Opacity, 0 to 1.
    pub opacity: LifeKeys<f32>,
    /// Size, in units.
    pub size: LifeKeys<f32>,
    /// Turns per second.
    pub rotation: LifeKeys<f32>,
    /// Maximum initial rotation, in turns.
    pub orientation_random: f32,
    /// Number of the texture cell.
    pub frame: LifeKeys<f32>,
    /// Length of a line, in seconds of motion.
    pub blur_time: LifeKeys<f32>,
    /// Properties of lines.
    pub line: Option<LineProperties>,
    /// Data of the game.
    pub user_data: Option<(u32, String)>,
}

/// Keys over the life of a particle, with a random variation per particle.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LifeKeys<T> {
    /// Pairs of the seconds since birth and the value. The first key is the start.
    pub keys: Vec<(f32, T)>,
    /// Maximum random difference from the keys.
    pub random: T,
}

/// Geometry of the particles of a [`KeyedEmitter`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ParticleRender {
    /// Triangles facing the camera.
    #[default]
    Triangle,
    /// Squares facing the camera.
    Quad,
    /// One line through all particles.
    Line,
    /// A short pointed line per particle.
    LineGroupTetrahedron,
    /// A short prism per particle.
    LineGroupPrism,
}

/// A region of space for random points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Volume {
    /// A box around the origin, by its half sizes.
    Box(Vec3),
    /// A sphere around the origin.
    Sphere {
        /// Its radius.
        radius: f32,
        /// Whether points lie on the surface only.
        hollow: bool,
    },
    /// A cylinder around the X axis, which is forward, with its centre at the origin.
    Cylinder {
        /// Distance from the centre to each end.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineProperties {
    /// Whether overlaps at bends are merged.
    pub merge_intersections: bool,
    /// Whether the noise does not change over time.
    pub freeze_random: bool,
    /// Whether it is not sorted even if it is blended.
    pub disable_sorting: bool,
    /// Whether its ends are closed.
    pub end_caps: bool,
    /// Texture mapping.
    pub texture_mapping: LineMapping,
    /// Number of subdivisions of each segment.
    pub subdivision_level: u32,
    /// Amplitude of the noise.
    pub noise_amplitude: f32,
    /// Limit beyond which overlaps are not merged.
    pub merge_abort_factor: f32,
    /// Texture tiles per unit.
    pub texture_tile_factor: f32,
    /// Scrolling of the texture per second.
    pub uv_per_second: Vec2,
}

/// Texture mapping of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LineMapping {
    /// The same row of the texture along the whole line.
    #[default]
    UniformWidth,
    /// The texture once along the whole line.
    UniformLength,
    /// The texture repeated along the line.
    Tiled,
}

/// A ribbon: a stripe along the path of a moving node.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ribbon {
    /// The node that it is attached to.
    pub node: NodeId,
    /// Name in the source file.
    pub name: String,
    /// Material.
    pub material: Option<MaterialId>,
    /// Extent along the -Z axis of the node, Warcraft III's +Y.
    pub height_above: f32,
    /// Extent along the +Z axis of the node, Warcraft III's -Y.
    pub height_below: f32,
    /// Opacity.
    pub alpha: f32,
    /// Factor of the colour.
    pub color: Vec3,
    /// Life time of a segment, in seconds.
    pub life_span: f32,
    /// Segments per second.
    pub emission_rate: f32,
    /// Rows of cells in the texture.
    pub rows: u32,
    /// Columns of cells in the texture.
    pub columns: u32,
    /// Number of the cell.
    pub texture_slot: u32,
    /// Downward acceleration.
    pub gravity: f32,
    /// Whether it is visible when nothing is animated.
    pub visible: bool,
}

impl Ribbon {
    /// A white ribbon without height.
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

/// An animated sphere or ring (W3D primitive).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Primitive {
    /// Name in the source file.
    pub name: String,
    /// The node that it is attached to.
    pub node: NodeId,
    /// Its centre.
    pub center: Vec3,
    /// Half its size along each axis.
    pub extent: Vec3,
    /// Duration of the animation, in seconds.
    pub duration: f32,
    /// Whether the animation starts again.
    pub looping: bool,
    /// Whether it faces the camera.
    pub aligned: bool,
    /// Texture.
    pub texture: Option<TextureId>,
    /// Blending, depth and lighting.
    pub layer: Layer,
    /// Keys; times are fractions of the duration.
    pub color: LifeKeys<Vec3>,
    /// Keys; times are fractions of the duration.
    pub alpha: LifeKeys<f32>,
    /// Sphere or ring, with its own keys.
    pub form: PrimitiveForm,
}

/// Geometry of a [`Primitive`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PrimitiveForm {
    /// A sphere.
    Sphere {
        /// Factor of the extent.
        scale: LifeKeys<Vec3>,
        /// Direction in which its alpha is greatest, with an intensity.
        vector: Vec<(f32, Quat, f32)>,
    },
    /// A flat ring.
    Ring {
        /// Factor of the inner extent.
        inner_scale: LifeKeys<Vec2>,
        /// Factor of the outer extent.
        outer_scale: LifeKeys<Vec2>,
        /// Half the size of the hole.
        inner_extent: Vec2,
        /// Half the size of the ring.
        outer_extent: Vec2,
        /// Repetitions of the texture around the ring.
        tiles: i32,
    },
}
