//! The WoW alpha's packed rotations.

use record::zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};
use record::{Conversion, Pod, Quaternion, Type, U64};

/// One unit of y and z; x has one bit more. Less than this, and w is taken as zero.
const UNIT: f64 = 1.0 / 1_048_576.0;

/// A rotation in 64 bits: x in the upper 22 (signed, per 2^21), y in the middle 21 and z in the lower 21 (signed, per 2^20).
/// w is what makes the length one, and never negative.
///
/// The bits are kept as they are; [`unpack`](Self::unpack) and [`pack`](Self::pack) convert.
///
/// ```
/// use meshwright_mdx::records::PackedQuaternion;
/// use record::Quaternion;
/// let half_turn_about_z = PackedQuaternion::pack(Quaternion::new(0.0, 0.0, -0.5, 0.75_f32.sqrt()));
/// assert_eq!(half_turn_about_z.bits(), 0x18_0000);
/// assert_eq!(half_turn_about_z.unpack().z.get(), -0.5);
/// ```
#[derive(
    Clone, Copy, Default, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[zerocopy(crate = "record::zerocopy")]
#[repr(transparent)]
pub struct PackedQuaternion(U64);

impl Pod for PackedQuaternion {
    /// Shown as four numbers: readers in JavaScript would round an integer of 64 bits.
    const TYPE: Type = Type::Converted(&Conversion {
        name: "PackedQuaternion",
        doc: "A rotation in 64 bits: x in the upper 22 (signed, per 2^21), y in the middle 21 and z in the lower 21 (both signed, per 2^20). w follows from unit length and is never negative.",
        size: 8,
        shown: Quaternion::TYPE,
        show: |bytes| {
            let packed = Self::read_from_bytes(bytes).unwrap_or_default();
            packed.unpack().as_bytes().to_vec()
        },
        read: |bytes| {
            let rotation = Quaternion::read_from_bytes(bytes).unwrap_or_default();
            Self::pack(rotation).as_bytes().to_vec()
        },
    });
}

impl PackedQuaternion {
    /// From the bits on disk.
    pub const fn from_bits(bits: u64) -> Self {
        Self(U64::new(bits))
    }

    /// The bits on disk.
    pub const fn bits(self) -> u64 {
        self.0.get()
    }

    /// The rotation. All three components are signed; the published description has z unsigned, which real files refute.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "22 bits fit either way"
    )]
    pub fn unpack(self) -> Quaternion {
        let bits = self.bits().cast_signed();
        let [x, y, z] = [
            (bits >> 42) as f64 * (UNIT / 2.0),
            (bits << 22 >> 43) as f64 * UNIT,
            (bits << 43 >> 43) as f64 * UNIT,
        ];
        let rest = 1.0 - (x * x + y * y + z * z);
        let w = if rest >= UNIT { rest.sqrt() } else { 0.0 };
        Quaternion::new(x as f32, y as f32, z as f32, w as f32)
    }

    /// The nearest bits below a rotation, as the client computes them: scaled, cut towards zero, then negated if w is
    /// negative. Components of 1 and beyond do not fit their bits and are held at the greatest value that does.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "cutting towards zero is the point; the cast saturates"
    )]
    pub fn pack(rotation: Quaternion) -> Self {
        let [x, y, z, w] = rotation.get();
        let sign = if w >= 0.0 { 1 } else { -1 };
        let cut = |component: f32, scale: f64, limit: i64| {
            ((f64::from(component) * scale) as i64).saturating_mul(sign).clamp(-limit, limit - 1)
        };
        let x = cut(x, 2.0 / UNIT, 1 << 21);
        let y = cut(y, 1.0 / UNIT, 1 << 20);
        let z = cut(z, 1.0 / UNIT, 1 << 20);
        let low = 0x1F_FFFF;
        Self::from_bits((x << 42 | (y & low) << 21 | z & low).cast_unsigned())
    }
}

impl std::fmt::Debug for PackedQuaternion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#018x} {:?}", self.bits(), self.unpack())
    }
}
