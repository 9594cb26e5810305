//! Vectors of floats, which every model format has.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::types::{F32, Pod, Type};

macro_rules! vectors {
    ($($(#[$attribute:meta])* $name:ident $count:literal { $($component:ident)* })*) => { $(
        $(#[$attribute])*
        #[derive(Clone, Copy, Default, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
        #[repr(C)]
        pub struct $name {
            $( #[doc = concat!("The ", stringify!($component), " component.")] pub $component: F32, )*
        }

        impl $name {
            /// From its components.
            pub const fn new($($component: f32),*) -> Self {
                Self { $($component: F32::new($component)),* }
            }

            /// Its components.
            pub const fn get(self) -> [f32; $count] {
                [$(self.$component.get()),*]
            }
        }

        impl Pod for $name {
            const TYPE: Type = Type::Array(&Type::F32, $count);
        }

        impl From<[f32; $count]> for $name {
            fn from([$($component),*]: [f32; $count]) -> Self {
                Self::new($($component),*)
            }
        }

        impl From<$name> for [f32; $count] {
            fn from(vector: $name) -> Self {
                vector.get()
            }
        }

        /// Equality is of bytes, so that NaN equals itself.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }

        impl Eq for $name {}

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.get().fmt(f)
            }
        }
    )* };
}

vectors! {
    /// Two floats.
    Vec2 2 { x y }
    /// Three floats.
    Vec3 3 { x y z }
    /// Four floats.
    Vec4 4 { x y z w }
    /// A rotation, stored x, y, z, w.
    Quaternion 4 { x y z w }
}
