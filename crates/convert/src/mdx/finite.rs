//! Numbers that are numbers: files have others, and no target takes them.

use glam::{Quat, Vec2, Vec3, Vec4};
use scene::Tangents;

/// A value that may hold something that is no number.
pub(super) trait Finite: Copy {
    fn finite(self) -> bool;
}

macro_rules! finite {
    ($($type:ty: $value:ident => $finite:expr;)*) => {$(
        impl Finite for $type {
            #[inline]
            fn finite(self) -> bool {
                let $value = self;
                $finite
            }
        }
    )*};
}

finite! {
    f32: value => value.is_finite();
    Vec2: value => value.x.is_finite() & value.y.is_finite();
    Vec3: value => value.x.is_finite() & value.y.is_finite() & value.z.is_finite();
    Vec4: value => value.is_finite();
    Quat: value => value.is_finite();
    bool: _value => true;
    u32: _value => true;
}

impl<T: Finite> Finite for Tangents<T> {
    #[inline]
    fn finite(self) -> bool {
        self.incoming.finite() & self.outgoing.finite()
    }
}

/// Whether all are. Without a way out in the middle, which would keep it from doing several at once.
#[inline]
pub(super) fn all_finite<T: Finite>(values: &[T]) -> bool {
    values.iter().fold(true, |all, value| all & value.finite())
}
