//! The table of tracks: every animated value of both games.

use record::{F32, I32, Kind, Quaternion, Slot, U32, Vec3};

use crate::Dialect;
use crate::frame::{Counted, tag};
use crate::records::{Key, PackedQuaternion, SimpleTrackHeader, TangentKey, TrackHeader};

/// The owner of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A layer of a material, or one of its texture slots.
    Layer,
    /// A texture animation.
    TextureAnimation,
    /// A geoset animation.
    GeosetAnimation,
    /// Any node.
    Node,
    /// A light.
    Light,
    /// An attachment.
    Attachment,
    /// A particle emitter (`PREM`).
    ParticleEmitter,
    /// A particle emitter 2 (`PRE2`).
    ParticleEmitter2,
    /// A popcorn emitter (`CORN`).
    PopcornEmitter,
    /// A ribbon emitter.
    RibbonEmitter,
    /// A camera.
    Camera,
    /// An event object.
    EventObject,
    /// A sound emitter, whose chunk no known file has.
    SoundEmitter,
}

/// The type of a track's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// A float.
    Float,
    /// An index.
    Integer,
    /// A vector or colour.
    Vector,
    /// A rotation: four floats in Warcraft III, 64 bits in the WoW alpha.
    Quaternion,
    /// No value, only the time.
    Event,
}

/// Order of the three components of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorOrder {
    /// Red, green, blue.
    Rgb,
    /// Blue, green, red.
    Bgr,
}

impl ColorOrder {
    /// The components as red, green, blue; also from red, green, blue into this order.
    pub const fn rgb(self, [a, b, c]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Rgb => [a, b, c],
            Self::Bgr => [c, b, a],
        }
    }
}

/// The games that have a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Games {
    /// Both.
    Both,
    /// Warcraft III.
    Warcraft,
    /// The WoW alpha.
    Wow,
}

/// The layout of the keys of one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// [`Key`]s.
    Plain,
    /// [`TangentKey`]s.
    Tangents,
    /// Keys of packed rotations.
    Packed,
    /// Keys of packed rotations with packed tangents.
    PackedTangents,
    /// Without the interpolation word: event times, and perhaps texture tracks of the WoW alpha.
    Simple,
}

const LAYOUTS: [Layout; 5] =
    [Layout::Plain, Layout::Tangents, Layout::Packed, Layout::PackedTangents, Layout::Simple];

/// One row of the table.
#[derive(Debug)]
pub struct TrackRow {
    /// The tag's characters.
    pub name: &'static str,
    /// The tag.
    pub tag: u32,
    /// Its owner.
    pub owners: &'static [Owner],
    /// The type of its values.
    pub value: ValueType,
    /// Order of a colour on disk; `None` if it is not a colour.
    pub color: Option<ColorOrder>,
    /// Its word in MDL.
    pub keyword: &'static str,
    /// The games that have it.
    pub games: Games,
    kinds: [Kind; 5],
}

impl TrackRow {
    /// The kind of this track with this layout of keys.
    pub fn kind(&'static self, layout: Layout) -> &'static Kind {
        &self.kinds[layout as usize]
    }

    /// The possible layouts.
    pub fn layouts(&self) -> &'static [Layout] {
        match self.value {
            ValueType::Event => &[Layout::Simple],
            ValueType::Integer => &[Layout::Plain, Layout::Tangents, Layout::Simple],
            ValueType::Quaternion => {
                &[Layout::Plain, Layout::Tangents, Layout::Packed, Layout::PackedTangents]
            }
            ValueType::Float | ValueType::Vector => &[Layout::Plain, Layout::Tangents],
        }
    }

    /// The layout of a kind of this row.
    pub fn layout(&'static self, kind: &'static Kind) -> Option<Layout> {
        LAYOUTS.into_iter().find(|layout| std::ptr::eq(self.kind(*layout), kind))
    }
}

/// The track of an object by its word in MDL. The target of a camera has its own `Translation`, which is `KTTR`.
///
/// ```
/// use meshwright_mdx::{Dialect, Owner, track_of};
/// assert_eq!(track_of(Owner::Light, Dialect::Warcraft, "Visibility").unwrap().name, "KLAV");
/// assert_eq!(track_of(Owner::Light, Dialect::Wow, "Visibility").unwrap().name, "KVIS");
/// ```
pub fn track_of(owner: Owner, dialect: Dialect, keyword: &str) -> Option<&'static TrackRow> {
    let games = |row: &TrackRow| match row.games {
        Games::Both => true,
        Games::Warcraft => dialect == Dialect::Warcraft,
        Games::Wow => dialect == Dialect::Wow,
    };
    TRACKS
        .iter()
        .find(|row| row.owners.contains(&owner) && games(row) && row.keyword.eq_ignore_ascii_case(keyword))
}

const fn slots(value: ValueType, layout: Layout) -> &'static [Slot] {
    macro_rules! table {
        ($($value:ident: $ty:ty,)*) => {
            match (value, layout) {
                (ValueType::Event, _) => const { &[Slot::one::<SimpleTrackHeader>("simple_header"), Slot::rest::<I32>("times")] },
                (ValueType::Integer, Layout::Simple) =>
                    const { &[Slot::one::<SimpleTrackHeader>("simple_header"), Slot::rest::<Key<U32>>("keys")] },
                (_, Layout::Packed) =>
                    const { &[Slot::one::<TrackHeader>("header"), Slot::rest::<Key<PackedQuaternion>>("packed_keys")] },
                (_, Layout::PackedTangents) =>
                    const { &[Slot::one::<TrackHeader>("header"), Slot::rest::<TangentKey<PackedQuaternion>>("packed_tangent_keys")] },
                $((ValueType::$value, Layout::Tangents) =>
                    const { &[Slot::one::<TrackHeader>("header"), Slot::rest::<TangentKey<$ty>>("tangent_keys")] },
                (ValueType::$value, _) =>
                    const { &[Slot::one::<TrackHeader>("header"), Slot::rest::<Key<$ty>>("keys")] },)*
            }
        };
    }
    table! { Float: F32, Integer: U32, Vector: Vec3, Quaternion: Quaternion, }
}

const fn kind(name: &'static str, doc: &'static str, value: ValueType, layout: Layout) -> Kind {
    let slots = slots(value, layout);
    Kind { doc, id: tag(name), slots, ..Kind::new(name, &Counted("track")) }
}

macro_rules! order {
    (-) => {
        None
    };
    ($order:ident) => {
        Some(ColorOrder::$order)
    };
}

macro_rules! tracks {
    ($($name:ident $value:ident $color:tt $games:ident [$($owner:ident)*] $keyword:literal $doc:literal,)*) => {
        /// The tags of the tracks.
        pub mod tags {
            $(#[doc = $doc] pub const $name: u32 = super::tag(stringify!($name));)*
        }

        #[allow(clippy::upper_case_acronyms, reason = "tags are written so")]
        enum Index { $($name,)* }

        /// The table of tracks.
        ///
        #[doc = concat!(
            "| tag | meaning | value | colour | games | of | MDL |\n|---|---|---|---|---|---|---|\n",
            $("| `", stringify!($name), "` | ", $doc, " | ", stringify!($value), " | ", stringify!($color), " | ",
              stringify!($games), " | ", $(stringify!($owner), " ",)* "| `", $keyword, "` |\n",)*
        )]
        pub static TRACKS: &[TrackRow] = &[$(TrackRow {
            name: stringify!($name),
            tag: tags::$name,
            owners: &[$(Owner::$owner),*],
            value: ValueType::$value,
            color: order!($color),
            keyword: $keyword,
            games: Games::$games,
            kinds: [
                kind(stringify!($name), $doc, ValueType::$value, Layout::Plain),
                kind(stringify!($name), $doc, ValueType::$value, Layout::Tangents),
                kind(stringify!($name), $doc, ValueType::$value, Layout::Packed),
                kind(stringify!($name), $doc, ValueType::$value, Layout::PackedTangents),
                kind(stringify!($name), $doc, ValueType::$value, Layout::Simple),
            ],
        },)*];

        /// The row of a tag.
        pub fn track_row(tag: u32) -> Option<&'static TrackRow> {
            let index = match tag {
                $(tags::$name => Index::$name,)*
                _ => return None,
            };
            TRACKS.get(index as usize)
        }
    };
}

tracks! {
    KMTF Integer - Both [Layer] "TextureID" "texture of a layer",
    KMTA Float - Both [Layer] "Alpha" "opacity of a layer",
    KMTE Float - Warcraft [Layer] "EmissiveGain" "emission of a layer, from version 900 on",
    KFC3 Vector Rgb Warcraft [Layer] "FresnelColor" "fresnel colour, from version 1000 on (not seen)",
    KFCA Float - Warcraft [Layer] "FresnelOpacity" "fresnel strength, from version 1000 on (not seen)",
    KFTC Float - Warcraft [Layer] "FresnelTeamColor" "fresnel share of team colour, from version 1000 on (not seen)",
    KTAT Vector - Both [TextureAnimation] "Translation" "translation of texture coordinates",
    KTAR Quaternion - Both [TextureAnimation] "Rotation" "rotation of texture coordinates",
    KTAS Vector - Both [TextureAnimation] "Scaling" "scaling of texture coordinates",
    KGAO Float - Both [GeosetAnimation] "Alpha" "opacity of a geoset",
    KGAC Vector Bgr Both [GeosetAnimation] "Color" "tint of a geoset",
    KGTR Vector - Both [Node] "Translation" "translation of a node",
    KGRT Quaternion - Both [Node] "Rotation" "rotation of a node",
    KGSC Vector - Both [Node] "Scaling" "scaling of a node",
    KLAS Float - Both [Light] "AttenuationStart" "where a light begins to fade",
    KLAE Float - Both [Light] "AttenuationEnd" "where a light is gone",
    KLAC Vector Bgr Both [Light] "Color" "colour of a light",
    KLAI Float - Both [Light] "Intensity" "strength of a light",
    KLBI Float - Both [Light] "AmbIntensity" "strength of ambient light",
    KLBC Vector Bgr Both [Light] "AmbColor" "colour of ambient light",
    KLAV Float - Warcraft [Light] "Visibility" "visibility of a light",
    KLSS Float - Warcraft [Light] "ShadowCastingStart" "where shadows begin, from version 1300 on (one source)",
    KLSE Float - Warcraft [Light] "ShadowCastingEnd" "where shadows end, from version 1300 on (one source)",
    KLQF Float - Warcraft [Light] "QuadraticFalloff" "quadratic falloff, from version 1600 on (one source)",
    KLLF Float - Warcraft [Light] "LinearFalloff" "linear falloff, from version 1600 on (one source)",
    KLDA Float - Warcraft [Light] "Damping" "damping, from version 1600 on (one source)",
    KATV Float - Warcraft [Attachment] "Visibility" "visibility of an attachment",
    KPEE Float - Both [ParticleEmitter] "EmissionRate" "particles per second",
    KPEG Float - Both [ParticleEmitter] "Gravity" "downward acceleration of particles",
    KPLN Float - Both [ParticleEmitter ParticleEmitter2] "Longitude" "spread of particles about the axis",
    KPLT Float - Both [ParticleEmitter] "Latitude" "spread of particles from the axis",
    KPEL Float - Both [ParticleEmitter] "LifeSpan" "seconds that a particle lives",
    KPES Float - Both [ParticleEmitter] "InitVelocity" "starting speed of particles",
    KPEV Float - Warcraft [ParticleEmitter] "Visibility" "visibility of an emitter",
    KP2S Float - Both [ParticleEmitter2] "Speed" "starting speed of particles",
    KP2R Float - Both [ParticleEmitter2] "Variation" "share by which the speed varies",
    KP2L Float - Both [ParticleEmitter2] "Latitude" "spread of particles from the axis",
    KP2G Float - Both [ParticleEmitter2] "Gravity" "downward acceleration of particles",
    KP2E Float - Both [ParticleEmitter2] "EmissionRate" "particles per second",
    KP2N Float - Both [ParticleEmitter2] "Length" "size of the source in y",
    KP2W Float - Both [ParticleEmitter2] "Width" "size of the source in x",
    KP2V Float - Warcraft [ParticleEmitter2] "Visibility" "visibility of an emitter",
    KP2Z Float - Wow [ParticleEmitter2] "ZSource" "height of the source",
    KLIF Float - Wow [ParticleEmitter2] "LifeSpan" "seconds that a particle lives",
    KPPA Float - Warcraft [PopcornEmitter] "Alpha" "opacity of an effect",
    KPPC Vector Rgb Warcraft [PopcornEmitter] "Color" "tint of an effect (order not proven)",
    KPPE Float - Warcraft [PopcornEmitter] "EmissionRate" "emission factor of an effect",
    KPPL Float - Warcraft [PopcornEmitter] "LifeSpan" "life span factor of an effect",
    KPPS Float - Warcraft [PopcornEmitter] "Speed" "speed factor of an effect",
    KPPV Float - Warcraft [PopcornEmitter] "Visibility" "visibility of an effect",
    KRHA Float - Both [RibbonEmitter] "HeightAbove" "height above the node",
    KRHB Float - Both [RibbonEmitter] "HeightBelow" "height below the node",
    KRAL Float - Both [RibbonEmitter] "Alpha" "opacity of a ribbon",
    KRCO Vector Bgr Both [RibbonEmitter] "Color" "tint of a ribbon",
    KRTX Integer - Both [RibbonEmitter] "TextureSlot" "cell of a ribbon's texture",
    KRVS Float - Warcraft [RibbonEmitter] "Visibility" "visibility of a ribbon",
    KCTR Vector - Both [Camera] "Translation" "translation of a camera",
    KTTR Vector - Both [Camera] "Translation" "translation of a camera's target",
    KCRL Float - Both [Camera] "Rotation" "roll of a camera, in radians",
    KCVS Float - Warcraft [Camera] "Visibility" "visibility of a camera (3.0.0, one source)",
    IDUF Float - Warcraft [Camera] "FocusDistanceKeys" "distance that is sharp (3.0.0, one source)",
    ELAF Float - Warcraft [Camera] "FocalLengthKeys" "focal length (3.0.0, one source)",
    PTSF Float - Warcraft [Camera] "FStopKeys" "aperture (3.0.0, one source)",
    KVIS Float - Wow [Light Attachment ParticleEmitter ParticleEmitter2 RibbonEmitter Camera] "Visibility" "visibility of anything",
    KEVT Event - Both [EventObject] "EventTrack" "times of an event",
    KSEK Event - Warcraft [SoundEmitter] "SoundTrack" "times of a sound (never seen)",
}
