//! Animation: clips, global sequences, and their channels.

use crate::{
    Bounds, CameraId, EmitterId, EventId, GlobalSequenceId, LightId, MaterialId, MeshId, NodeId, RibbonId,
    Track,
};
use glam::{Quat, Vec3};

/// A named animation. Its time starts at zero.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clip {
    /// Name, such as "Stand - 1" or "Walk".
    pub name: String,
    /// Duration in seconds.
    pub duration: f32,
    /// Whether it starts again at its end.
    pub looping: bool,
    /// Start on the shared time line of the source file in seconds, if there is one.
    pub source_start: Option<f32>,
    /// Frame rate of the source file, if it has one.
    pub frame_rate: Option<f32>,
    /// Speed at which the model moves while it plays, in units per second.
    pub move_speed: f32,
    /// Rarity among the clips of its kind; higher is rarer.
    pub rarity: f32,
    /// Stored bounds while it plays.
    pub bounds: Option<Bounds>,
    /// Animated values.
    pub channels: Vec<Channel>,
    /// Events in ascending order of time.
    pub events: Vec<EventKey>,
}

impl Clip {
    /// The time in the clip after it has played for `elapsed` seconds. A looping clip starts again; others stop at their end.
    #[must_use]
    pub fn local_time(&self, elapsed: f32) -> f32 {
        if self.looping { wrap(elapsed, self.duration) } else { elapsed.max(0.0).min(self.duration.max(0.0)) }
    }
}

/// An event at a moment of a [`Clip`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventKey {
    /// Time in seconds.
    pub time: f32,
    /// The event.
    pub event: EventId,
}

/// An independent time line that always plays, whichever clip plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GlobalSequence {
    /// Duration in seconds, after which it starts again. With zero, its time stays at zero.
    pub duration: f32,
}

impl GlobalSequence {
    /// The time in the sequence after `clock` seconds.
    #[must_use]
    pub fn local_time(&self, clock: f32) -> f32 {
        wrap(clock, self.duration)
    }
}

/// `time` modulo `length`; zero if the length is zero or invalid.
fn wrap(time: f32, length: f32) -> f32 {
    let wrapped = time.rem_euclid(length);
    if wrapped.is_finite() { wrapped } else { 0.0 }
}

/// Target of a [`Channel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Target {
    /// Local transform or visibility of a node.
    Node(NodeId, NodeProperty),
    /// A mesh.
    Mesh(MeshId, MeshProperty),
    /// A layer: the material and the index of the layer.
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

/// Animated property of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NodeProperty {
    /// [`Curve::Vector`], replaces the rest translation.
    Translation,
    /// [`Curve::Rotation`], replaces the rest rotation.
    Rotation,
    /// [`Curve::Vector`], replaces the rest scale.
    Scale,
    /// [`Curve::Flag`], or [`Curve::Scalar`] for an opacity: shows or hides what is attached to the node, but not its children.
    Visibility,
}

/// Animated property of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MeshProperty {
    /// [`Curve::Scalar`]; zero hides the mesh.
    Alpha,
    /// [`Curve::Vector`], a factor.
    Color,
    /// [`Curve::Flag`].
    Visibility,
}

/// Animated property of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LayerProperty {
    /// [`Curve::Scalar`].
    Alpha,
    /// [`Curve::Index`]: the texture of the slot with this index.
    Texture(u32),
    /// [`Curve::Vector`]; only x and y are used.
    UvTranslation,
    /// [`Curve::Rotation`].
    UvRotation,
    /// [`Curve::Vector`]; only x and y are used.
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

/// Animated property of a light: vectors for colours, a flag for the visibility, scalars for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Animated property of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Animated property of a particle emitter: a vector for the colour, a flag for the visibility, scalars for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Animated property of a ribbon: a vector for the colour, an index for the texture slot, a flag for the visibility, scalars for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// The value at a time. `None` if no key applies.
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

    /// The value on a [`GlobalSequence`] of this duration, whose window is the whole duration: as [`sample`](Self::sample), but a
    /// track whose first key is after the end has the value of that key.
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

/// A track and its target. A curve of the wrong type for its target has no effect.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Channel {
    /// The animated property.
    pub target: Target,
    /// Its values over time.
    pub curve: Curve,
}

/// A channel that runs on a [`GlobalSequence`], whichever clip plays.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GlobalChannel {
    /// The sequence.
    pub sequence: GlobalSequenceId,
    /// The channel.
    pub channel: Channel,
}
