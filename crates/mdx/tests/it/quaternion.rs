//! Packed rotations.

use meshwright_mdx::records::PackedQuaternion;
use proptest::prelude::*;
use record::Quaternion;

fn length(rotation: Quaternion) -> f64 {
    rotation.get().into_iter().map(|component| f64::from(component).powi(2)).sum::<f64>().sqrt()
}

/// Bits put together by hand: x in 42..64 of 2^21, y in 21..42 of 2^20, z in 0..21 of 2^20, all two's complement.
#[test]
fn bits_are_where_the_document_says() {
    for (bits, expected) in [
        (0, [0.0, 0.0, 0.0, 1.0]),
        (1 << 62, [0.5, 0.0, 0.0, 0.75_f32.sqrt()]),
        (0b11 << 62, [-0.5, 0.0, 0.0, 0.75_f32.sqrt()]),
        (1 << 63, [-1.0, 0.0, 0.0, 0.0]),
        (1 << 40, [0.0, 0.5, 0.0, 0.75_f32.sqrt()]),
        (0b11 << 40, [0.0, -0.5, 0.0, 0.75_f32.sqrt()]),
        (1 << 19, [0.0, 0.0, 0.5, 0.75_f32.sqrt()]),
        // The published formula would make this one 1.5.
        (0b11 << 19, [0.0, 0.0, -0.5, 0.75_f32.sqrt()]),
        (1 << 62 | 1 << 40 | 1 << 19, [0.5, 0.5, 0.5, 0.5]),
    ] {
        let packed = PackedQuaternion::from_bits(bits);
        assert_eq!(packed.unpack().get(), expected, "{bits:#x}");
        assert_eq!(PackedQuaternion::pack(packed.unpack()), packed, "{bits:#x}");
    }
}

#[test]
fn a_negative_w_turns_the_rotation_round() {
    let packed = PackedQuaternion::pack(Quaternion::new(0.5, -0.5, 0.5, -0.5));
    assert_eq!(packed.unpack().get(), [-0.5, 0.5, -0.5, 0.5]);
}

#[test]
fn what_does_not_fit_is_held_at_the_edge() {
    for component in [1.0, 1.5, f32::MAX, f32::INFINITY] {
        let packed = PackedQuaternion::pack(Quaternion::new(component, 0.0, 0.0, 0.0));
        assert_eq!(packed.bits(), 0x1F_FFFF << 42);
        let packed = PackedQuaternion::pack(Quaternion::new(0.0, 0.0, -component, 0.0));
        assert_eq!(packed.bits(), 0x10_0000);
    }
    assert_eq!(PackedQuaternion::pack(Quaternion::new(f32::NAN, 0.0, 0.0, 1.0)).bits(), 0);
}

proptest! {
    /// Packing cuts, so a component loses less than one unit: 2^-21 of x, 2^-20 of y and z. Unpacked, the length is one
    /// again, but for the rounding to `f32` and, near w = 0, for the cut itself.
    #[test]
    fn packing_loses_less_than_a_unit(x in -1.0..1.0_f32, y in -1.0..1.0_f32, z in -1.0..1.0_f32, w in -1.0..1.0_f32) {
        let size = (x * x + y * y + z * z + w * w).sqrt();
        prop_assume!(size > 0.1);
        let rotation = [x / size, y / size, z / size, w / size];
        let back = PackedQuaternion::pack(rotation.into()).unpack();
        let sign = if rotation[3] >= 0.0 { 1.0 } else { -1.0 };
        let unit = 1.0 / 1_048_576.0;
        for ((kept, given), limit) in back.get().into_iter().zip(rotation).zip([unit / 2.0, unit, unit]) {
            prop_assert!((kept - given * sign).abs() <= limit + f32::EPSILON, "{rotation:?} became {back:?}");
        }
        prop_assert!((length(back) - 1.0).abs() < 2e-6, "{rotation:?} became {back:?}");
    }

    /// Every component on the grid survives: unpacking is exact, and packing what was unpacked gives the bits again.
    #[test]
    fn what_was_unpacked_packs_to_the_same_bits(bits in any::<u64>()) {
        let packed = PackedQuaternion::from_bits(bits);
        prop_assert_eq!(PackedQuaternion::pack(packed.unpack()), packed);
    }
}
