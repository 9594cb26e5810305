//! Open enums and flag words: any value can be stored, some have names.
//!
//! A closed Rust `enum` would lose values that a modder, a later engine or a damaged disk wrote. Here the integer is
//! stored, and the names come from a table.

/// Declares integers with names for some of their values.
///
/// ```
/// meshwright_record::open_enum! {
///     /// What a key does until the next one.
///     pub enum Interpolation: u32 {
///         0 NONE "hold",
///         1 LINEAR "straight line",
///     }
/// }
/// # fn main() {
/// assert_eq!(Interpolation::LINEAR.get(), 1);
/// assert_eq!(Interpolation::LINEAR.name(), Some("LINEAR"));
/// assert_eq!(Interpolation::new(77).name(), None);
/// # }
/// ```
#[macro_export]
macro_rules! open_enum {
    ($($(#[doc = $about:literal])* $visibility:vis enum $name:ident: $repr:ident {
        $($value:literal $constant:ident $doc:literal,)*
    })*) => { $(
        $crate::named_integer! { [$($about)*] $visibility $name $repr Enum [$($constant $value (u32::MAX) $doc,)*] }

        impl $name {
            /// The value's name, if it has one.
            pub fn name(self) -> Option<&'static str> {
                let value = self.bits();
                Self::NAMES.table.iter().find(|entry| entry.value == value).map(|entry| entry.name)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{}({})", stringify!($name), self.get()),
                }
            }
        }
    )* };
}

/// Declares flag words: names for bits, and for values of fields within the word (`value & mask`).
///
/// ```
/// meshwright_record::open_flags! {
///     /// How a mesh is drawn.
///     pub flags MeshFlags: u32 {
///         0x1000 HIDDEN "not drawn",
///         0x20000 & 0xFF0000 SKIN "deformed by bones",
///     }
/// }
/// # fn main() {
/// let flags = MeshFlags::new(0x21000);
/// assert!(flags.has(MeshFlags::HIDDEN) && flags.has(MeshFlags::SKIN));
/// assert!(!MeshFlags::new(0x30000).has(MeshFlags::SKIN), "a field is compared as a whole");
/// assert_eq!(flags.names().collect::<Vec<_>>(), ["HIDDEN", "SKIN"]);
/// # }
/// ```
#[macro_export]
macro_rules! open_flags {
    ($($(#[doc = $about:literal])* $visibility:vis flags $name:ident: $repr:ident {
        $($value:literal $(& $mask:literal)? $constant:ident $doc:literal,)*
    })*) => { $(
        $crate::named_integer! {
            [$($about)*] $visibility $name $repr Flags
            [$($constant $value ($crate::open_flags!(@mask $value $($mask)?)) $doc,)*]
        }

        impl $name {
            /// Whether the bits of `flag` are set; for a value of a field within the word, whether the field has it.
            pub fn has(self, flag: Self) -> bool {
                let mask = Self::NAMES.table.iter().find(|entry| entry.value == flag.bits()).map_or(flag.bits(), |entry| entry.mask);
                self.bits() & mask == flag.bits()
            }

            /// The names of what is set.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                let word = self.bits();
                Self::NAMES.table.iter().filter(move |entry| entry.value != 0 && word & entry.mask == entry.value).map(|entry| entry.name)
            }
        }

        impl ::core::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self::new(self.get() | other.get())
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{:#x}", self.bits())?;
                f.debug_list().entries(self.names()).finish()
            }
        }
    )* };
    (@mask $value:literal) => { $value };
    (@mask $value:literal $mask:literal) => { $mask };
}

/// Declares on-disk records, one line per field: offset, name, type, meaning.
///
/// ```
/// meshwright_record::records! {
///     /// A texture reference.
///     pub struct TextureInfo: 12 {
///         0 attributes: meshwright_record::U32, "Filtering and wrapping.";
///         4 frame_count: meshwright_record::U32, "Frames, 1 if not animated.";
///         8 frame_rate: meshwright_record::F32, "Frames per second.";
///     }
/// }
/// # fn main() {}
/// ```
///
/// A field whose values have names of their own can be a plain number to programs: `0 id: U32 as ID_TYPE, "Its id.";` is shown as the
/// constant `ID_TYPE` of type [`Type`](crate::Type) says.
///
/// The size and every offset are asserted at compile time, so a layout copied wrongly from a document does not build.
/// The generated struct is `#[repr(C)]`, has no padding and no alignment, and implements [`Record`](crate::Record)
/// (its schema), zerocopy's traits, `Debug`, `Default` (all zero) and byte-wise equality. Its rustdoc page ends with
/// the layout table.
#[macro_export]
macro_rules! records {
    ($($records:tt)*) => { $crate::records_in! { $crate; $($records)* } };
}

/// The common part of [`open_enum!`](crate::open_enum) and [`open_flags!`](crate::open_flags).
#[doc(hidden)]
#[macro_export]
macro_rules! named_integer {
    ([$($about:literal)*] $visibility:vis $name:ident $repr:ident $kind:ident
     [$($constant:ident $value:literal $mask:tt $doc:literal,)*]) => {
        $crate::plain_data! { $crate;
            $(#[doc = $about])*
            ///
            #[doc = concat!("| value | name | meaning |\n|---:|---|---|\n", $("| `", stringify!($value), "` | ", stringify!($constant), " | ", $doc, " |\n",)*)]
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
            #[repr(transparent)]
            $visibility struct $name($crate::named_integer!(@stored $repr));
        }

        impl $name {
            $(
                #[doc = $doc]
                pub const $constant: Self = Self::new($value);
            )*

            /// The table of names.
            pub const NAMES: &'static $crate::Names = &$crate::Names {
                name: stringify!($name),
                doc: concat!($($about, "\n",)*),
                repr: <$crate::named_integer!(@stored $repr) as $crate::Pod>::TYPE,
                table: &[$($crate::Name { name: stringify!($constant), mask: $mask, value: $value, doc: $doc },)*],
            };

            /// Any value, named or not.
            pub const fn new(value: $repr) -> Self {
                Self($crate::named_integer!(@store $repr value))
            }

            /// The value.
            pub const fn get(self) -> $repr {
                $crate::named_integer!(@load $repr self)
            }

            /// The value in the width of the table.
            fn bits(self) -> u32 {
                u32::from(self.get())
            }
        }

        impl $crate::Pod for $name {
            const TYPE: $crate::Type = $crate::Type::$kind(Self::NAMES);
        }
    };
    (@stored u8) => { u8 };
    (@stored u16) => { $crate::U16 };
    (@stored u32) => { $crate::U32 };
    (@store u8 $value:ident) => { $value };
    (@store u16 $value:ident) => { $crate::U16::new($value) };
    (@store u32 $value:ident) => { $crate::U32::new($value) };
    (@load u8 $this:ident) => { $this.0 };
    (@load u16 $this:ident) => { $this.0.get() };
    (@load u32 $this:ident) => { $this.0.get() };
}

/// The name most similar to the wanted one, ignoring case. One wrong letter in five is still accepted.
pub fn nearest<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Option<&'n str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    let most = length.div_ceil(5).max(2);
    // Each letter of a longer name counts, so that most names need no comparison.
    let names = names.filter(|name| name.chars().count().abs_diff(length) <= most);
    let distances = names.map(|name| (edit_distance(&name.to_lowercase(), &wanted), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= most && distance < length).then_some(name)
}

/// The edit distance between two words: the number of characters that are added, removed or changed.
///
/// ```
/// assert_eq!(meshwright_record::edit_distance("MEHS", "MESH"), 2);
/// ```
pub fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut costs: Vec<usize> = (0..=to.len()).collect();
    for (index, a) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], index + 1);
        for (b, below) in to.iter().zip(1..) {
            let change = diagonal + usize::from(a != *b);
            diagonal = costs[below];
            costs[below] = change.min(diagonal + 1).min(costs[below - 1] + 1);
        }
    }
    costs.last().copied().unwrap_or_default()
}
