//! Keys of tracks.

use record::zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};
use record::{F32, Field, I32, Pod, Quaternion, Record, Schema, Type, U32, Vec3, records};

use super::PackedQuaternion;

record::open_enum! {
    /// Interpolation between two keys.
    pub enum Interpolation: u32 {
        0 NONE "the value holds until the next key",
        1 LINEAR "straight line; rotations turn at constant speed",
        2 HERMITE "cubic with tangents",
        3 BEZIER "cubic with control points",
    }
}

records! {
    /// Header of a track, after its tag and count.
    pub struct TrackHeader: 8 {
        0 interpolation: Interpolation, "Interpolation; with HERMITE and BEZIER, keys have tangents.";
        4 global_sequence: I32, "Index of the global sequence, or -1.";
    }

    /// Header of a track without interpolation: event times and, perhaps, texture tracks of the WoW alpha.
    pub struct SimpleTrackHeader: 4 {
        0 global_sequence: I32, "Index of the global sequence, or -1.";
    }
}

/// A value that tracks can hold.
pub trait TrackValue: Pod + Default {
    /// Name of `Key<Self>`.
    const KEY: &'static str;
    /// Name of `TangentKey<Self>`.
    const TANGENT_KEY: &'static str;
    /// Whether it is a packed rotation, which the WoW alpha has in place of a plain one.
    const PACKED: bool;
}

macro_rules! track_values {
    ($($ty:ty: $key:literal $tangent_key:literal $packed:literal,)*) => { $(
        impl TrackValue for $ty {
            const KEY: &'static str = $key;
            const TANGENT_KEY: &'static str = $tangent_key;
            const PACKED: bool = $packed;
        }
    )* };
}

track_values! {
    F32: "FloatKey" "FloatTangentKey" false,
    U32: "IntegerKey" "IntegerTangentKey" false,
    Vec3: "VectorKey" "VectorTangentKey" false,
    Quaternion: "QuaternionKey" "QuaternionTangentKey" false,
    PackedQuaternion: "PackedKey" "PackedTangentKey" true,
}

/// Key of a track without tangents (interpolation NONE or LINEAR).
#[derive(
    Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[zerocopy(crate = "record::zerocopy")]
#[repr(C)]
pub struct Key<T: TrackValue> {
    /// Time in milliseconds; may be negative.
    pub time: I32,
    /// Value at that time.
    pub value: T,
}

/// Key of a Hermite or Bezier track.
#[derive(
    Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[zerocopy(crate = "record::zerocopy")]
#[repr(C)]
pub struct TangentKey<T: TrackValue> {
    /// Time in milliseconds; may be negative.
    pub time: I32,
    /// Value at that time.
    pub value: T,
    /// Incoming tangent or control point.
    pub in_tan: T,
    /// Outgoing tangent or control point.
    pub out_tan: T,
}

const fn field(name: &'static str, doc: &'static str, offset: usize, ty: Type) -> Field {
    Field { name, doc, offset, ty }
}

impl<T: TrackValue> Pod for Key<T> {
    const TYPE: Type = Type::Record(Self::SCHEMA);
}

impl<T: TrackValue> Record for Key<T> {
    const SCHEMA: &'static Schema = &Schema {
        name: T::KEY,
        doc: "Key of a track without tangents.",
        size: size_of::<Self>(),
        fields: &[
            field("time", "Time in milliseconds; may be negative.", 0, Type::I32),
            field("value", "Value at that time.", 4, T::TYPE),
        ],
    };
}

impl<T: TrackValue> Pod for TangentKey<T> {
    const TYPE: Type = Type::Record(Self::SCHEMA);
}

impl<T: TrackValue> Record for TangentKey<T> {
    const SCHEMA: &'static Schema = &Schema {
        name: T::TANGENT_KEY,
        doc: "Key of a Hermite or Bezier track.",
        size: size_of::<Self>(),
        fields: &[
            field("time", "Time in milliseconds; may be negative.", 0, Type::I32),
            field("value", "Value at that time.", 4, T::TYPE),
            field("in_tan", "Incoming tangent or control point.", 4 + size_of::<T>(), T::TYPE),
            field("out_tan", "Outgoing tangent or control point.", 4 + 2 * size_of::<T>(), T::TYPE),
        ],
    };
}
