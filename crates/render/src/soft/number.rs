//! Powers and logarithms that give the same bits on every machine.
//!
//! Rust leaves `powf`, `exp2` and `log2` to the mathematics library of the platform, and those differ in the last bits. These use
//! additions, multiplications and divisions only, which IEEE 754 defines exactly.

/// The base-2 logarithm of a positive normal number, to about 1e-6.
pub(super) fn log2(x: f32) -> f32 {
    let (exponent, mut mantissa) = parts(x);
    let mut exponent = exponent as f32;
    // The series converges best around 1.
    if mantissa > std::f32::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    // ln m = 2 artanh((m - 1) / (m + 1))
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 * (1.0 / 9.0))));
    exponent + 2.0 * std::f32::consts::LOG2_E * t * series
}

/// The base-2 logarithm to about 0.01, which is enough to choose a mip level.
pub(super) fn rough_log2(x: f32) -> f32 {
    let (exponent, m) = parts(x);
    // The parabola through (1, 0) and (2, 1) that is closest in between.
    exponent as f32 + (m * (2.0 - m / 3.0) - 5.0 / 3.0)
}

/// Exponent and mantissa (1 to 2) of a positive normal number.
fn parts(x: f32) -> (i32, f32) {
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    ((bits >> 23) as i32 - 127, f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000))
}

/// Two to the power of `x`, to about 1e-6.
pub(super) fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 127.0);
    let whole = floor(x + 0.5);
    let f = (x - whole as f32) * std::f32::consts::LN_2;
    let series = 1.0
        + f * (1.0 + f * (1.0 / 2.0 + f * (1.0 / 6.0 + f * (1.0 / 24.0 + f * (1.0 / 120.0 + f / 720.0)))));
    series * f32::from_bits(((whole + 127).clamp(1, 254) as u32) << 23)
}

/// `x` to the power of `y`, for `x` from 0.
pub(super) fn pow(x: f32, y: f32) -> f32 {
    if x <= 0.0 {
        return if y == 0.0 { 1.0 } else { 0.0 };
    }
    exp2(y * log2(x))
}

/// The largest whole number that is not above `x`. `f32::floor` is a library call on processors without an instruction
/// for it.
pub(super) fn floor(x: f32) -> i32 {
    let whole = x as i32;
    if whole as f32 > x { whole.saturating_sub(1) } else { whole }
}

/// A stored sRGB value as linear light.
pub(super) fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { pow((c + 0.055) / 1.055, 2.4) }
}

/// Linear light as a stored sRGB value.
pub(super) fn srgb(c: f32) -> f32 {
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * pow(c, 1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_the_library() {
        for x in [0.001f32, 0.1, 0.5, 0.7, 0.9, 1.0, 1.3, 2.0, 10.0, 1e6] {
            assert!((log2(x) - x.log2()).abs() < 4e-6, "log2 {x}: {} {}", log2(x), x.log2());
            assert!((rough_log2(x) - x.log2()).abs() < 0.02, "log2 {x}: {}", rough_log2(x));
            for y in [0.0f32, 0.4, 1.0, 2.4, 5.0] {
                let (ours, theirs) = (pow(x, y), x.powf(y));
                assert!((ours / theirs - 1.0).abs() < 2e-5, "{x} ^ {y}: {ours} {theirs}");
            }
        }
        assert_eq!(pow(0.0, 2.0), 0.0);
        assert_eq!(pow(0.0, 0.0), 1.0);
        assert_eq!(pow(1.0, 50.0), 1.0);
    }

    #[test]
    fn whole_numbers_below() {
        for (x, expected) in
            [(0.0, 0), (0.9, 0), (-0.1, -1), (-1.0, -1), (7.5, 7), (1e30, i32::MAX), (f32::NAN, 0)]
        {
            assert_eq!(floor(x), expected, "{x}");
        }
    }

    #[test]
    fn srgb_goes_both_ways() {
        for byte in 0..=255u8 {
            let stored = f32::from(byte) / 255.0;
            assert_eq!((srgb(linear(stored)) * 255.0 + 0.5) as u8, byte);
        }
        // Middle grey: 0.5 stored is 0.214 of the light.
        assert!((linear(0.5) - 0.214_041).abs() < 1e-5);
    }
}
