//! Objects on nodes besides meshes and particles: lights, cameras, attachment points, events, collision shapes, lens flares and sounds.

use crate::{GlobalSequenceId, NodeId};
use glam::Vec3;

/// A light.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Light {
    /// The node that it is attached to. A light with a direction shines along the -Z axis of the node, as in glTF.
    pub node: NodeId,
    /// Kind of light.
    pub kind: LightKind,
    /// Colour of its direct light.
    pub color: Vec3,
    /// Factor of the colour.
    pub intensity: f32,
    /// Colour of the ambient light that it adds.
    pub ambient_color: Vec3,
    /// Factor of the ambient colour.
    pub ambient_intensity: f32,
    /// Colour of highlights.
    pub specular_color: Vec3,
    /// Distances between which it fades in.
    pub near_attenuation: Option<[f32; 2]>,
    /// Distances between which it fades out (attenuation start and end of Warcraft III).
    pub attenuation: Option<[f32; 2]>,
    /// Its shadows.
    pub shadow: Shadow,
    /// Falloff with distance, besides the attenuation.
    pub falloff: Falloff,
    /// Flickers.
    pub pulse: Option<Pulse>,
    /// Whether it is visible when nothing is animated.
    pub visible: bool,
}

impl Light {
    /// A plain white light.
    #[must_use]
    pub fn new(node: NodeId, kind: LightKind) -> Self {
        Self {
            node,
            kind,
            color: Vec3::ONE,
            intensity: 1.0,
            ambient_color: Vec3::ZERO,
            ambient_intensity: 0.0,
            specular_color: Vec3::ONE,
            near_attenuation: None,
            attenuation: None,
            shadow: Shadow::default(),
            falloff: Falloff::default(),
            pulse: None,
            visible: true,
        }
    }
}

/// How a [`Light`] shines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LightKind {
    /// In all directions.
    Point,
    /// From one direction, everywhere.
    Directional,
    /// From all directions, everywhere.
    Ambient,
    /// In a cone.
    Spot {
        /// Radians from the axis at which it starts to fade.
        inner: f32,
        /// Radians from the axis at which it ends.
        outer: f32,
        /// How steeply it fades.
        exponent: f32,
    },
}

/// The shadow of a [`Light`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shadow {
    /// Whether it casts a shadow.
    pub casts: bool,
    /// Darkness of the shadow.
    pub intensity: f32,
    /// The distance at which it starts to fade.
    pub start: f32,
    /// The distance at which it ends.
    pub end: f32,
}

impl Default for Shadow {
    /// Values for file versions that do not store them (docs/formats/mdx/versions.md#version-gates).
    fn default() -> Self {
        Self { casts: false, intensity: 0.4, start: 0.0, end: 0.0 }
    }
}

/// Falloff of a [`Light`] with distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Falloff {
    /// Factor of the squared distance.
    pub quadratic: f32,
    /// Factor of the distance.
    pub linear: f32,
    /// Avoids an infinite strength near the light.
    pub damping: f32,
}

impl Default for Falloff {
    /// Values for file versions that do not store them (docs/formats/mdx/versions.md#version-gates).
    fn default() -> Self {
        Self { quadratic: 0.0005, linear: 0.0, damping: 1e-5 }
    }
}

/// The flicker of a [`Light`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pulse {
    /// Minimum intensity.
    pub min: f32,
    /// Maximum intensity.
    pub max: f32,
    /// Seconds between changes.
    pub time: f32,
    /// Variation of the interval.
    pub time_random: f32,
    /// Change of the intensity.
    pub adjust: f32,
    /// Stays at the maximum once it is reached.
    pub stops_at_max: bool,
    /// Stays at the minimum once it is reached.
    pub stops_at_min: bool,
}

/// A camera.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Camera {
    /// Name in the source file.
    pub name: String,
    /// The node that it is attached to, if any. Position and target are then in the space of the node.
    pub node: Option<NodeId>,
    /// Position of the camera.
    pub position: Vec3,
    /// The point that it looks at.
    pub target: Vec3,
    /// Field of view in radians: vertical, or diagonal if the source stores it so.
    pub field_of_view: f32,
    /// Distance of the near clipping plane.
    pub near: f32,
    /// Distance of the far clipping plane.
    pub far: f32,
}

/// An attachment point for another model.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attachment {
    /// The node that it is attached to.
    pub node: NodeId,
    /// Path of the model that is attached from the start; empty without one.
    pub path: String,
    /// Number in the source file.
    pub number: Option<i32>,
    /// Kind of attachment.
    pub kind: AttachmentKind,
    /// Whether it is visible when nothing is animated.
    pub visible: bool,
}

impl Attachment {
    /// An attachment point without a model.
    #[must_use]
    pub const fn new(node: NodeId, kind: AttachmentKind) -> Self {
        Self { node, path: String::new(), number: None, kind, visible: true }
    }
}

/// Kinds of [`Attachment`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AttachmentKind {
    /// A point where the game attaches models.
    #[default]
    Point,
    /// Another model that is part of this one (W3D aggregate).
    Aggregate,
    /// Another model that the level places there (W3D proxy).
    Proxy,
    /// A named point without a model (W3D null object).
    Null,
}

/// A sound, a splat, a footprint or a spawned model. Its times are in [`Clip::events`](crate::Clip::events).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// The node that it is attached to.
    pub node: NodeId,
    /// Code of the game, such as `SNDxAAAA`.
    pub name: String,
    /// Times in seconds on a global sequence, whichever clip plays.
    pub global: Option<(GlobalSequenceId, Vec<f32>)>,
}

/// A simple shape for hit tests.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollisionShape {
    /// Name in the source file.
    pub name: String,
    /// The node in whose space it is.
    pub node: NodeId,
    /// Geometry.
    pub shape: Shape,
    /// The objects that collide with it.
    pub mask: CollisionMask,
}

/// Geometry of a [`CollisionShape`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A box between two corners.
    Box {
        /// Minimum corner.
        min: Vec3,
        /// Maximum corner.
        max: Vec3,
        /// Its sides stay parallel to the world axes when the node rotates.
        axis_aligned: bool,
    },
    /// A sphere.
    Sphere {
        /// Its centre.
        center: Vec3,
        /// Its radius.
        radius: f32,
    },
    /// A rectangle between two corners.
    Plane {
        /// One corner.
        min: Vec3,
        /// The other.
        max: Vec3,
    },
    /// A cylinder around the line between two points.
    Cylinder {
        /// Centre of one end.
        start: Vec3,
        /// Centre of the other end.
        end: Vec3,
        /// Its radius.
        radius: f32,
    },
    /// Triangles.
    Mesh {
        /// Vertices.
        positions: Vec<Vec3>,
        /// Three vertex indices per triangle.
        indices: Vec<u32>,
    },
}

/// A set of objects that collide with another object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollisionMask(pub u32);

impl CollisionMask {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Physical objects.
    pub const PHYSICAL: Self = Self(1);
    /// Projectiles.
    pub const PROJECTILE: Self = Self(1 << 1);
    /// Visibility tests.
    pub const VISIBILITY: Self = Self(1 << 2);
    /// The camera.
    pub const CAMERA: Self = Self(1 << 3);
    /// Vehicles.
    pub const VEHICLE: Self = Self(1 << 4);
    /// Defined by the game.
    pub const USER1: Self = Self(1 << 5);
    /// Defined by the game.
    pub const USER2: Self = Self(1 << 6);

    /// Whether it includes all of `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for CollisionMask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A lens flare (W3D dazzle).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dazzle {
    /// The node that it is attached to.
    pub node: NodeId,
    /// Name in the source file.
    pub name: String,
    /// Its type, a name in the game's `Dazzle.ini`.
    pub kind: String,
}

/// A sound.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sound {
    /// The node that it is attached to.
    pub node: NodeId,
    /// Name in the source file.
    pub name: String,
    /// Path of the file.
    pub path: String,
    /// Volume, 0 to 1.
    pub volume: f32,
    /// Random variation of the volume.
    pub volume_random: f32,
    /// Factor of the playback speed.
    pub pitch: f32,
    /// Random variation of the pitch.
    pub pitch_random: f32,
    /// Balance of a sound without a position: -1 is left, 1 is right.
    pub pan: f32,
    /// Number of repetitions; zero repeats for ever.
    pub loops: i32,
    /// Priority over other sounds.
    pub priority: f32,
    /// Whether it has a position in space.
    pub spatial: bool,
    /// Distance up to which it has its full volume.
    pub full_volume_distance: f32,
    /// Distance beyond which it is inaudible.
    pub drop_off_distance: f32,
    /// Start position in the file, in seconds.
    pub start_offset: f32,
    /// Whether it stops while its node is hidden.
    pub stops_when_hidden: bool,
}

impl Sound {
    /// A plain sound at full volume.
    #[must_use]
    pub fn new(node: NodeId, path: impl Into<String>) -> Self {
        Self {
            node,
            name: String::new(),
            path: path.into(),
            volume: 1.0,
            volume_random: 0.0,
            pitch: 1.0,
            pitch_random: 0.0,
            pan: 0.0,
            loops: 1,
            priority: 0.5,
            spatial: true,
            full_volume_distance: 0.0,
            drop_off_distance: 0.0,
            start_offset: 0.0,
            stops_when_hidden: false,
        }
    }
}
