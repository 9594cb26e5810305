//! Animation: clips, always-running sequences, and the channels in both.

use crate::{
    Bounds, CameraId, EmitterId, EventId, GlobalSequenceId, LightId, MaterialId, MeshId, NodeId, RibbonId,
    Track,
};
use glam::{Quat, Vec3};

/// A named stretch of animation. Its time starts at zero.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clip {
    /// "Stand - 1", "Walk", ...
    pub name: String,
    /// Seconds.
    pub duration: f32,
    /// Starts again at its end.
    pub looping: bool,
    /// Where it started on the source's time line, in seconds, if all clips share one there.
    pub source_start: Option<f32>,
    /// Frames per second of the source, if it counted frames.
    pub frame_rate: Option<f32>,
    /// Units per second that the model walks while this plays.
    pub move_speed: f32,
    /// Weight against the other clips of its kind; higher is rarer.
    pub rarity: f32,
    /// What is enclosed while this plays.
    pub bounds: Option<Bounds>,
    /// What moves.
    pub channels: Vec<Channel>,
    /// What happens, ascending in time.
    pub events: Vec<EventKey>,
}

impl Clip {
    /// The clip's own time after playing for `elapsed` seconds: round again if it loops, else not beyond its end.
    #[must_use]
    pub fn local_time(&self, elapsed: f32) -> f32 {
        if self.looping { wrap(elapsed, self.duration) } else { elapsed.max(0.0).min(self.duration.max(0.0)) }
    }
}

/// An event at a moment of a [`Clip`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EventKey {
    /// Seconds.
    pub time: f32,
    /// What happens.
    pub event: EventId,
}

/// A clock of its own that always runs, whichever clip plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GlobalSequence {
    /// Seconds after which it starts again. Zero stands still.
    pub duration: f32,
}

impl GlobalSequence {
    /// The sequence's time when the clock shows `clock` seconds.
    #[must_use]
    pub fn local_time(&self, clock: f32) -> f32 {
        wrap(clock, self.duration)
    }
}

/// `time` modulo `length`, zero if that is nothing.
fn wrap(time: f32, length: f32) -> f32 {
    let wrapped = time.rem_euclid(length);
    if wrapped.is_finite() { wrapped } else { 0.0 }
}

/// What a [`Channel`] moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Target {
    /// A node's local transform or visibility.
    Node(NodeId, NodeProperty),
    /// A mesh.
    Mesh(MeshId, MeshProperty),
    /// A layer, by its place in its material.
    Layer(MaterialId, u32, LayerProperty),
    /// A light.
    Light(LightId, LightProperty),
    /// A camera.
    Camera(CameraId, CameraProperty),
    /// A particle emitter.
    Emitter(EmitterId, EmitterProperty),
    /// A ribbon.
    Ribbon(RibbonId, RibbonProperty),
}

/// Of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum NodeProperty {
    /// [`Curve::Vector`], replaces the rest translation.
    Translation,
    /// [`Curve::Rotation`], replaces the rest rotation.
    Rotation,
    /// [`Curve::Vector`], replaces the rest scale.
    Scale,
    /// [`Curve::Flag`], or [`Curve::Scalar`] for a degree of it: what is attached to the node shows, fades, or is hidden. Children
    /// have their own.
    Visibility,
}

/// Of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum MeshProperty {
    /// [`Curve::Scalar`]; zero hides the mesh.
    Alpha,
    /// [`Curve::Vector`], a factor.
    Color,
    /// [`Curve::Flag`].
    Visibility,
}

/// Of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum LayerProperty {
    /// [`Curve::Scalar`].
    Alpha,
    /// [`Curve::Index`]: the texture in the slot at this place of the layer.
    Texture(u32),
    /// [`Curve::Vector`], of which u and v count.
    UvTranslation,
    /// [`Curve::Rotation`].
    UvRotation,
    /// [`Curve::Vector`], of which u and v count.
    UvScale,
    /// [`Curve::Vector`], a factor.
    Color,
    /// [`Curve::Scalar`].
    EmissiveGain,
    /// [`Curve::Vector`].
    FresnelColor,
    /// [`Curve::Scalar`].
    FresnelOpacity,
    /// [`Curve::Scalar`].
    FresnelTeamColor,
}

/// Of a light; vectors for colours, a flag for the visibility, scalars for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(missing_docs, reason = "each is the field of the same name")]
pub enum LightProperty {
    Visibility,
    Color,
    Intensity,
    AmbientColor,
    AmbientIntensity,
    AttenuationStart,
    AttenuationEnd,
    ShadowStart,
    ShadowEnd,
    QuadraticFalloff,
    LinearFalloff,
    Damping,
}

/// Of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum CameraProperty {
    /// [`Curve::Vector`], added to the position.
    Translation,
    /// [`Curve::Vector`], added to the target.
    TargetTranslation,
    /// [`Curve::Scalar`], radians about the direction of view.
    Roll,
    /// [`Curve::Flag`].
    Visibility,
    /// [`Curve::Scalar`].
    FocusDistance,
    /// [`Curve::Scalar`].
    FocalLength,
    /// [`Curve::Scalar`].
    FStop,
}

/// Of a particle emitter; a vector for the colour, a flag for the visibility, scalars for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(missing_docs, reason = "each is the field of the same name")]
pub enum EmitterProperty {
    Visibility,
    EmissionRate,
    Speed,
    Variation,
    Latitude,
    Longitude,
    Gravity,
    LifeSpan,
    Width,
    Length,
    Alpha,
    Color,
    /// WoW's distance along the axis at which particles start.
    ZSource,
}

/// Of a ribbon; a vector for the colour, an index for the texture slot, a flag for the visibility, scalars for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(missing_docs, reason = "each is the field of the same name")]
pub enum RibbonProperty {
    Visibility,
    HeightAbove,
    HeightBelow,
    Alpha,
    Color,
    TextureSlot,
}

/// A track of any type of value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Curve {
    /// On or off.
    Flag(Track<bool>),
    /// An id.
    Index(Track<u32>),
    /// A number.
    Scalar(Track<f32>),
    /// A position, scale or colour.
    Vector(Track<Vec3>),
    /// A rotation.
    Rotation(Track<Quat>),
}

/// A sampled value of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Value {
    /// On or off.
    Flag(bool),
    /// An id.
    Index(u32),
    /// A number.
    Scalar(f32),
    /// A position, scale or colour.
    Vector(Vec3),
    /// A rotation.
    Rotation(Quat),
}

impl Curve {
    /// The value at a time, or nothing if no key speaks for it.
    #[must_use]
    pub fn sample(&self, time: f32) -> Option<Value> {
        Some(match self {
            Self::Flag(track) => Value::Flag(track.sample(time)?),
            Self::Index(track) => Value::Index(track.sample(time)?),
            Self::Scalar(track) => Value::Scalar(track.sample(time)?),
            Self::Vector(track) => Value::Vector(track.sample(time)?),
            Self::Rotation(track) => Value::Rotation(track.sample(time)?),
        })
    }

    /// The value on a [`GlobalSequence`] of this duration, whose window is the whole of it: as [`sample`](Self::sample), but a
    /// track that starts only beyond the duration stands still at its first key.
    #[must_use]
    pub fn sample_global(&self, time: f32, duration: f32) -> Option<Value> {
        self.sample(time)
            .or_else(|| self.first().filter(|&(start, _)| start > duration).map(|(_, value)| value))
    }

    /// Time and value of the first key.
    #[must_use]
    pub fn first(&self) -> Option<(f32, Value)> {
        fn first<T: Copy>(track: &Track<T>) -> Option<(f32, T)> {
            track.times.first().copied().zip(track.values.first().copied())
        }
        match self {
            Self::Flag(track) => first(track).map(|(time, value)| (time, Value::Flag(value))),
            Self::Index(track) => first(track).map(|(time, value)| (time, Value::Index(value))),
            Self::Scalar(track) => first(track).map(|(time, value)| (time, Value::Scalar(value))),
            Self::Vector(track) => first(track).map(|(time, value)| (time, Value::Vector(value))),
            Self::Rotation(track) => first(track).map(|(time, value)| (time, Value::Rotation(value))),
        }
    }
}

/// A track and what it moves. A curve of the wrong type for its target moves nothing.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Channel {
    /// What moves.
    pub target: Target,
    /// How.
    pub curve: Curve,
}

/// A channel that runs on a [`GlobalSequence`], whichever clip plays.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GlobalChannel {
    /// The clock.
    pub sequence: GlobalSequenceId,
    /// The motion.
    pub channel: Channel,
}
