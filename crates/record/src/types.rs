//! Types of fields. [`Pod`] connects a Rust type with its [`Type`], which describes it for generic code.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A little-endian `u16` of any alignment.
pub type U16 = zerocopy::little_endian::U16;
/// A little-endian `u32` of any alignment.
pub type U32 = zerocopy::little_endian::U32;
/// A little-endian `u64` of any alignment.
pub type U64 = zerocopy::little_endian::U64;
/// A little-endian `i16` of any alignment.
pub type I16 = zerocopy::little_endian::I16;
/// A little-endian `i32` of any alignment.
pub type I32 = zerocopy::little_endian::I32;
/// A little-endian `f32` of any alignment.
pub type F32 = zerocopy::little_endian::F32;

/// A value whose bytes in memory are its bytes on disk, with a description of them.
pub trait Pod: FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + Copy + 'static {
    /// The description.
    const TYPE: Type;
}

/// A struct declared with [`records!`](crate::records).
pub trait Record: Pod {
    /// Names, offsets, types and meaning of its fields.
    const SCHEMA: &'static Schema;
}

/// The description of a value of fixed size.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// Unsigned byte.
    U8,
    /// Signed byte.
    I8,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 64-bit integer.
    U64,
    /// 32-bit float.
    F32,
    /// A fixed-length string; see [`Chars`](crate::Chars).
    Chars(usize),
    /// Bytes of unknown or no meaning, shown in hexadecimal.
    Bytes(usize),
    /// A number of equal values.
    Array(&'static Type, usize),
    /// A nested record.
    Record(&'static Schema),
    /// An integer with names for some values; see [`open_enum!`](crate::open_enum).
    Enum(&'static Names),
    /// An integer with names for some bits; see [`open_flags!`](crate::open_flags).
    Flags(&'static Names),
    /// A value with a special spelling, such as a version number.
    Spelled(&'static Spelling),
    /// A value that is shown as a value of another type, such as packed bits shown as numbers.
    Converted(&'static Conversion),
}

/// A record's fields.
#[derive(Debug)]
pub struct Schema {
    /// Name of the Rust struct.
    pub name: &'static str,
    /// First paragraph of its documentation.
    pub doc: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// The fields, in order, without gaps.
    pub fields: &'static [Field],
}

/// One field of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Offset from the start of the record.
    pub offset: usize,
    /// Type.
    pub ty: Type,
}

/// The table behind an open enum or a flag word.
#[derive(Debug)]
pub struct Names {
    /// Name of the Rust type.
    pub name: &'static str,
    /// Its documentation, one line per line of the source.
    pub doc: &'static str,
    /// The integer on disk.
    pub repr: Type,
    /// The named values; for flags, values under a mask.
    pub table: &'static [Name],
}

/// One named value.
#[derive(Debug)]
pub struct Name {
    /// The name, as in the format's headers.
    pub name: &'static str,
    /// The bits that the value occupies (flags) or all ones (enums).
    pub mask: u32,
    /// The value under the mask.
    pub value: u32,
    /// Meaning.
    pub doc: &'static str,
}

/// How a value with a special spelling is shown and read. The two functions must be inverse for every value.
pub struct Spelling {
    /// Name of the Rust type.
    pub name: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Appends the text of the bytes.
    pub show: fn(&[u8], &mut String),
    /// Reads the text into the bytes; `None` if it is not one.
    pub read: fn(&str, &mut [u8]) -> Option<()>,
    /// The plain type that programs read it as; `None` if programs use the special type.
    pub stores: Option<Type>,
}

/// How a value is shown as a value of another type. The two functions must be inverse for every value on disk.
pub struct Conversion {
    /// Name of the Rust type.
    pub name: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// The type that it is shown as.
    pub shown: Type,
    /// Converts the bytes on disk to the bytes that are shown.
    pub show: fn(&[u8]) -> Vec<u8>,
    /// Converts the bytes that are shown to the bytes on disk.
    pub read: fn(&[u8]) -> Vec<u8>,
}

impl std::fmt::Debug for Conversion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl std::fmt::Debug for Spelling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Type {
    /// Size in bytes.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 => 8,
            Self::Chars(size) | Self::Bytes(size) => size,
            Self::Array(element, count) => element.size() * count,
            Self::Record(schema) => schema.size,
            Self::Enum(names) | Self::Flags(names) => names.repr.size(),
            Self::Spelled(spelling) => spelling.size,
            Self::Converted(conversion) => conversion.size,
        }
    }

    /// Whether a value is short enough to share a line with others.
    pub(crate) const fn is_scalar(self) -> bool {
        !matches!(self, Self::Array(..) | Self::Record(_) | Self::Bytes(_) | Self::Converted(_))
    }

    /// Whether two descriptions are of the same Rust type.
    #[inline]
    pub fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Record(a), Self::Record(b)) if std::ptr::eq(a, b) => true,
            (a, b) => a.looks_same(b),
        }
    }

    fn looks_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Chars(a), Self::Chars(b)) | (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Array(a, n), Self::Array(b, m)) => n == m && a.same(*b),
            (Self::Record(a), Self::Record(b)) => a.name == b.name && a.size == b.size,
            (Self::Enum(a), Self::Enum(b)) | (Self::Flags(a), Self::Flags(b)) => a.name == b.name,
            (Self::Spelled(a), Self::Spelled(b)) => a.name == b.name,
            (Self::Converted(a), Self::Converted(b)) => a.name == b.name,
            (Self::Spelled(spelling), plain) | (plain, Self::Spelled(spelling)) => {
                spelling.stores.is_some_and(|stores| stores.same(plain))
            }
            (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
        }
    }
}

/// The name as the documentation spells it: `u32`, `Vec3`, `f32[9]`, `char[16]`.
impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::U8 => f.write_str("u8"),
            Self::I8 => f.write_str("i8"),
            Self::U16 => f.write_str("u16"),
            Self::I16 => f.write_str("i16"),
            Self::U32 => f.write_str("u32"),
            Self::I32 => f.write_str("i32"),
            Self::U64 => f.write_str("u64"),
            Self::F32 => f.write_str("f32"),
            Self::Chars(size) => write!(f, "char[{size}]"),
            Self::Bytes(size) => write!(f, "byte[{size}]"),
            Self::Array(element, count) => write!(f, "{element}[{count}]"),
            Self::Record(schema) => f.write_str(schema.name),
            Self::Enum(names) | Self::Flags(names) => f.write_str(names.name),
            Self::Spelled(spelling) => f.write_str(spelling.name),
            Self::Converted(conversion) => f.write_str(conversion.name),
        }
    }
}

macro_rules! pods {
    ($($ty:ty => $description:expr,)*) => { $(impl Pod for $ty { const TYPE: Type = $description; })* };
}

pods! {
    u8 => Type::U8,
    i8 => Type::I8,
    U16 => Type::U16,
    I16 => Type::I16,
    U32 => Type::U32,
    I32 => Type::I32,
    U64 => Type::U64,
    F32 => Type::F32,
}

impl<T: Pod, const N: usize> Pod for [T; N] {
    const TYPE: Type = Type::Array(&T::TYPE, N);
}

/// Bytes of unknown or no meaning: kept, and shown in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Bytes<const N: usize>(pub [u8; N]);

impl<const N: usize> Pod for Bytes<N> {
    const TYPE: Type = Type::Bytes(N);
}

impl<const N: usize> std::fmt::Debug for Bytes<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
