//! What hangs on nodes besides meshes and particles: lights, cameras, attachment points, events, collision shapes, and
//! the markers of the source's engine.

use crate::{GlobalSequenceId, NodeId};
use glam::Vec3;

/// A light.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Light {
    /// Where it is. A light that has a direction shines along the node's -Z, as in glTF.
    pub node: NodeId,
    /// How it shines.
    pub kind: LightKind,
    /// Of direct light.
    pub color: Vec3,
    /// A factor of the colour.
    pub intensity: f32,
    /// Of the ambient light it adds.
    pub ambient_color: Vec3,
    /// A factor of that.
    pub ambient_intensity: f32,
    /// Of highlights.
    pub specular_color: Vec3,
    /// Distances over which it fades in, if it does.
    pub near_attenuation: Option<[f32; 2]>,
    /// Distances over which it fades out (Warcraft III's start and end), if it does.
    pub attenuation: Option<[f32; 2]>,
    /// Its shadows.
    pub shadow: Shadow,
    /// How it loses strength beyond attenuation.
    pub falloff: Falloff,
    /// Flickers.
    pub pulse: Option<Pulse>,
    /// When nothing is animated.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum LightKind {
    /// To all sides.
    Point,
    /// Everywhere from one side.
    Directional,
    /// Everywhere from everywhere.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Shadow {
    /// Whether there is one.
    pub casts: bool,
    /// How dark.
    pub intensity: f32,
    /// The distance at which it starts to fade.
    pub start: f32,
    /// The distance at which it ends.
    pub end: f32,
}

impl Default for Shadow {
    /// What the files leave unsaid before they can say it (docs/formats/mdx/versions.md#version-gates).
    fn default() -> Self {
        Self { casts: false, intensity: 0.4, start: 0.0, end: 0.0 }
    }
}

/// How a [`Light`] loses strength with distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Falloff {
    /// With its square.
    pub quadratic: f32,
    /// With itself.
    pub linear: f32,
    /// Against infinity near the light.
    pub damping: f32,
}

impl Default for Falloff {
    /// What the files leave unsaid before they can say it (docs/formats/mdx/versions.md#version-gates).
    fn default() -> Self {
        Self { quadratic: 0.0005, linear: 0.0, damping: 1e-5 }
    }
}

/// The flicker of a [`Light`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pulse {
    /// Least intensity.
    pub min: f32,
    /// Greatest intensity.
    pub max: f32,
    /// Seconds between changes.
    pub time: f32,
    /// How much that varies.
    pub time_random: f32,
    /// How much the intensity changes.
    pub adjust: f32,
    /// Stays when it has reached the greatest.
    pub stops_at_max: bool,
    /// Stays when it has reached the least.
    pub stops_at_min: bool,
}

/// A camera.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Camera {
    /// As in the source.
    pub name: String,
    /// Where it is, if it is on a node; position and target are then in the node's space.
    pub node: Option<NodeId>,
    /// The eye.
    pub position: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// Radians; from top to bottom unless the source means the diagonal.
    pub field_of_view: f32,
    /// Nothing nearer is seen.
    pub near: f32,
    /// Nothing farther is seen.
    pub far: f32,
}

/// A place for another model.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attachment {
    /// Where.
    pub node: NodeId,
    /// The model that is there from the start, empty if none.
    pub path: String,
    /// The source's own number.
    pub number: Option<i32>,
    /// What kind of place it is.
    pub kind: AttachmentKind,
    /// When nothing is animated.
    pub visible: bool,
}

impl Attachment {
    /// A place with nothing there yet.
    #[must_use]
    pub const fn new(node: NodeId, kind: AttachmentKind) -> Self {
        Self { node, path: String::new(), number: None, kind, visible: true }
    }
}

/// Kinds of [`Attachment`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum AttachmentKind {
    /// A place that the game fills.
    #[default]
    Point,
    /// Another model that belongs to this one (W3D aggregate).
    Aggregate,
    /// Another model that the level puts there (W3D proxy).
    Proxy,
    /// Nothing at all, with a name (W3D null object).
    Null,
}

/// Something that happens at a moment: a sound, a splat, a footprint. When is in [`Clip::events`](crate::Clip::events).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Event {
    /// Where.
    pub node: NodeId,
    /// What, in the game's own code.
    pub name: String,
    /// It happens at these seconds of a global sequence, whichever clip plays.
    pub global: Option<(GlobalSequenceId, Vec<f32>)>,
}

/// A simple body for hit tests.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CollisionShape {
    /// As in the source.
    pub name: String,
    /// The space it is in.
    pub node: NodeId,
    /// Its form.
    pub shape: Shape,
    /// What collides with it.
    pub mask: CollisionMask,
}

/// The form of a [`CollisionShape`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Shape {
    /// Between two corners.
    Box {
        /// Least corner.
        min: Vec3,
        /// Greatest corner.
        max: Vec3,
        /// It keeps the axes of the world however the node turns.
        axis_aligned: bool,
    },
    /// A ball.
    Sphere {
        /// Its middle.
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
    /// Around the line from one point to another.
    Cylinder {
        /// The middle of one end.
        start: Vec3,
        /// The middle of the other.
        end: Vec3,
        /// Its radius.
        radius: f32,
    },
    /// Triangles.
    Mesh {
        /// Corners.
        positions: Vec<Vec3>,
        /// Three for each triangle.
        indices: Vec<u32>,
    },
}

/// What collides with a thing: any of these together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CollisionMask(pub u32);

impl CollisionMask {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Bodies.
    pub const PHYSICAL: Self = Self(1);
    /// Projectiles.
    pub const PROJECTILE: Self = Self(1 << 1);
    /// The test of what can be seen.
    pub const VISIBILITY: Self = Self(1 << 2);
    /// The camera.
    pub const CAMERA: Self = Self(1 << 3);
    /// Vehicles.
    pub const VEHICLE: Self = Self(1 << 4);
    /// As a game likes.
    pub const USER1: Self = Self(1 << 5);
    /// As a game likes.
    pub const USER2: Self = Self(1 << 6);

    /// Whether all of `other` is in it.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Dazzle {
    /// Where.
    pub node: NodeId,
    /// As in the source.
    pub name: String,
    /// Its kind, in the game's own words.
    pub kind: String,
}

/// A sound.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sound {
    /// Where.
    pub node: NodeId,
    /// As in the source.
    pub name: String,
    /// The file.
    pub path: String,
    /// 0 to 1.
    pub volume: f32,
    /// How much the volume varies.
    pub volume_random: f32,
    /// A factor of its speed.
    pub pitch: f32,
    /// How much the pitch varies.
    pub pitch_random: f32,
    /// -1 left to 1 right, if it is not in space.
    pub pan: f32,
    /// How often it plays; zero is for ever.
    pub loops: i32,
    /// Wins over others.
    pub priority: f32,
    /// It comes from its place.
    pub spatial: bool,
    /// Within this distance it is at full volume.
    pub full_volume_distance: f32,
    /// Beyond this distance it is not heard.
    pub drop_off_distance: f32,
    /// Seconds into the file at which it starts.
    pub start_offset: f32,
    /// Stops while what it hangs on is hidden.
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
