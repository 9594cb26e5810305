//! Numbers: read exactly and fast, written in the shortest form that reads back exactly.

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The float at the start of the text and its length in bytes; `None` if there is none.
///
/// The result is the nearest float, ties to even. A double holds the quotient or product of an integer up to 2^53 and a
/// power of ten up to 10^22 correctly rounded. Rounding it again to a float is wrong only if it is exactly between two
/// floats.
#[inline]
pub(super) fn float(text: &[u8]) -> Option<(f32, usize)> {
    let mut at = 0;
    let negative = match text.first()? {
        b'-' => {
            at = 1;
            true
        }
        b'+' => {
            at = 1;
            false
        }
        _ => false,
    };
    let start = at;
    let mut mantissa = 0_u64;
    while let Some(digit) = digit(text, at) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    let mut digits = at - start;
    let mut exponent = 0_i32;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let point = at;
        while let Some(digit) = digit(text, at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        digits += at - point;
        exponent = i32::try_from(at - point).map_or(i32::MIN, |decimals| -decimals);
    }
    if digits == 0 {
        return special(text);
    }
    if let Some(b'e' | b'E') = text.get(at)
        && let Some((power, length)) = power(&text[at + 1..])
    {
        exponent = exponent.saturating_add(power);
        at += 1 + length;
    } else if text.get(at) == Some(&b'#') {
        return special(text);
    }
    // More than 19 digits may have overflowed.
    if digits <= 19 && mantissa < 1 << 53 {
        #[allow(clippy::cast_precision_loss, reason = "less than 2^53")]
        let whole = mantissa as f64;
        let scaled = match usize::try_from(exponent.unsigned_abs()).ok().and_then(|power| POWERS.get(power)) {
            Some(power) if exponent < 0 => Some(whole / power),
            Some(power) => Some(whole * power),
            None => None,
        };
        if let Some(value) = scaled
            && value.to_bits() & 0x1FFF_FFFF != 0x1000_0000
            && (mantissa == 0 || value >= f64::from(f32::MIN_POSITIVE))
        {
            #[allow(clippy::cast_possible_truncation, reason = "rounding to the nearest float is the point")]
            let value = value as f32;
            return Some((if negative { -value } else { value }, at));
        }
    }
    let exact = std::str::from_utf8(&text[..at]).ok()?.parse().ok()?;
    Some((exact, at))
}

#[inline]
fn digit(text: &[u8], index: usize) -> Option<u64> {
    text.get(index).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10).map(u64::from)
}

/// The exponent after the `e` of a float; `None` if it is not a number.
fn power(text: &[u8]) -> Option<(i32, usize)> {
    let (negative, mut at) = match text.first()? {
        b'-' => (true, 1),
        b'+' => (false, 1),
        _ => (false, 0),
    };
    let start = at;
    let mut value = 0_i32;
    while let Some(digit) = digit(text, at) {
        value = value.saturating_mul(10).saturating_add(digit as i32);
        at += 1;
    }
    (at > start).then_some((if negative { -value } else { value }, at))
}

/// `nan`, `inf` and their spellings in C libraries: `-nan`, `nan(ind)`, `infinity`, `1.#QNAN0`, `-1.#IND`, `1.#INF00`.
fn special(text: &[u8]) -> Option<(f32, usize)> {
    let (negative, signed) = match text.first()? {
        b'-' => (true, 1),
        b'+' => (false, 1),
        _ => (false, 0),
    };
    let rest = &text[signed..];
    let starts =
        |word: &str| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    let is_number = ["nan", "1.#qnan", "1.#snan", "1.#ind"].iter().any(|word| starts(word));
    let is_infinite = ["inf", "1.#inf"].iter().any(|word| starts(word));
    let value = match (is_number, is_infinite) {
        (true, _) => f32::from_bits(0x7FC0_0000),
        (_, true) => f32::INFINITY,
        _ => return None,
    };
    let length = rest
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'#' | b'(' | b')' | b'_')))
        .unwrap_or(rest.len());
    Some((if negative { -value } else { value }, signed + length))
}

/// The integer at the start of the text, wrapped into 32 bits, whether it fits, and its length in bytes.
///
/// Both signed and unsigned words are stored in 32 bits, so anything from -2^31 to 2^32 - 1 fits.
#[inline]
pub(super) fn integer(text: &[u8]) -> Option<(u32, bool, usize)> {
    let (negative, start) = match text.first()? {
        b'-' => (true, 1),
        b'+' => (false, 1),
        _ => (false, 0),
    };
    let mut index = start;
    let mut value = 0_u64;
    while let Some(digit) = digit(text, index) {
        value = value.saturating_mul(10).saturating_add(digit);
        index += 1;
    }
    let fraction = matches!(text.get(index), Some(b'.' | b'e' | b'E' | b'#'));
    if index == start || fraction {
        // Some tools write every number as a float.
        let (value, length) = float(text)?;
        #[allow(clippy::cast_possible_truncation, reason = "compared with what it was")]
        let whole = value as i64;
        #[allow(clippy::cast_precision_loss, reason = "compared with what it was")]
        let fits = whole as f32 == value && (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&whole);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "wrapping is wanted")]
        return Some((whole as u32, fits, length));
    }
    let fits = value <= if negative { 1 << 31 } else { u64::from(u32::MAX) };
    #[allow(clippy::cast_possible_truncation, reason = "wrapping is wanted")]
    let word = value as u32;
    Some((if negative { word.wrapping_neg() } else { word }, fits, index))
}

/// Appends a float. Returns whether it reads back bit for bit, which is false only for NaNs with a payload.
#[inline]
pub(super) fn write_float(value: f32, out: &mut Vec<u8>) -> bool {
    #[allow(clippy::cast_possible_truncation, reason = "compared with what it was")]
    let whole = value as i32;
    #[allow(clippy::cast_precision_loss, reason = "compared with what it was")]
    if whole as f32 == value && whole.unsigned_abs() < 10_000_000 && (whole != 0 || value.to_bits() == 0) {
        write_integer(whole, out);
        return true;
    }
    if value.is_finite() {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value).as_bytes();
        put_short(if let [whole @ .., b'.', b'0'] = text { whole } else { text }, out);
        return true;
    }
    let bits = value.to_bits();
    out.extend_from_slice(match (value.is_nan(), value.is_sign_negative()) {
        (true, false) => b"nan",
        (true, true) => b"-nan",
        (false, false) => b"inf",
        (false, true) => b"-inf",
    });
    !value.is_nan() || bits & 0x7FFF_FFFF == 0x7FC0_0000
}

const PAIRS: [u8; 200] = {
    let mut pairs = [0; 200];
    let mut at = 0;
    while at < 100 {
        pairs[2 * at] = b'0' + (at / 10) as u8;
        pairs[2 * at + 1] = b'0' + (at % 10) as u8;
        at += 1;
    }
    pairs
};

/// Appends an integer.
#[inline]
pub(super) fn write_integer(value: i32, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    write_unsigned(value.unsigned_abs(), out);
}

/// Appends an integer.
#[inline]
pub(super) fn write_unsigned(mut value: u32, out: &mut Vec<u8>) {
    let mut block = [0; BLOCK];
    let length = 1 + usize::try_from(value.checked_ilog10().unwrap_or_default()).unwrap_or_default();
    let mut end = length;
    while value >= 10 {
        let pair = (value % 100) as usize * 2;
        value /= 100;
        end -= 2;
        block[end] = PAIRS[pair];
        block[end + 1] = PAIRS[pair + 1];
    }
    if end > 0 {
        block[0] = b'0' + value as u8;
    }
    put_block(block, length, out);
}

/// The longest number that is written: a float of nine digits with sign, point and exponent.
const BLOCK: usize = 16;

/// Appends a short text. Copies of a constant size are much faster than those of a variable size.
#[inline]
fn put_short(text: &[u8], out: &mut Vec<u8>) {
    let mut block = [0; BLOCK];
    let length = text.len();
    match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(first), Some(last)) if length <= BLOCK => {
            block[..8].copy_from_slice(first);
            block[length - 8..length].copy_from_slice(last);
        }
        (None, _) => match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                block[..4].copy_from_slice(first);
                block[length - 4..length].copy_from_slice(last);
            }
            _ => block.iter_mut().zip(text).for_each(|(to, from)| *to = *from),
        },
        _ => return out.extend_from_slice(text),
    }
    put_block(block, length, out);
}

/// Appends the start of a block.
#[inline]
fn put_block(block: [u8; BLOCK], length: usize, out: &mut Vec<u8>) {
    let end = out.len() + length;
    out.extend_from_slice(&block);
    out.truncate(end);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The value of the standard library, which is correctly rounded.
    fn agrees(text: &str) {
        let expected: f32 = text.parse().unwrap();
        let (value, length) = float(text.as_bytes()).unwrap();
        assert_eq!((value.to_bits(), length), (expected.to_bits(), text.len()), "{text}");
    }

    #[test]
    fn floats_are_the_nearest_ones() {
        for text in [
            "0",
            "-0",
            "1",
            "-1.5",
            "0.1",
            "1e-7",
            "8.434096e-024",
            "3.4028235e38",
            "1e39",
            "-1e39",
            "1e-46",
            "1e-45",
            "7.006492321624085e-46",
            "7.006492321624086e-46",
            "1.1754943508222875e-38",
            "1.1754942e-38",
            "16777217",
            "16777219",
            "16777217.0000001",
            "0.00000000000000000000000000000000000001",
            "123456789012345678901234567890",
            "9007199254740993",
            "1e22",
            "1e23",
            "9007199254740991e22",
            "18446744073709551616",
            "18446744073709551616.5",
            "340282356779733661637539395458142568447",
            ".5",
            "5.",
            "1E+05",
        ] {
            agrees(text);
        }
    }

    #[test]
    fn spellings_of_what_is_no_number() {
        for (text, bits) in [
            ("nan", 0x7FC0_0000),
            ("-nan", 0xFFC0_0000),
            ("NaN", 0x7FC0_0000),
            ("1.#QNAN0", 0x7FC0_0000),
            ("-1.#IND00", 0xFFC0_0000),
            ("-nan(ind)", 0xFFC0_0000),
            ("inf", 0x7F80_0000),
            ("-Infinity", 0xFF80_0000),
            ("1.#INF00", 0x7F80_0000),
            ("+inf", 0x7F80_0000),
        ] {
            let (value, length) = float(text.as_bytes()).unwrap();
            assert_eq!((value.to_bits(), length), (bits, text.len()), "{text}");
        }
        assert!(
            float(b"-").is_none() && float(b".").is_none() && float(b"x").is_none() && float(b"").is_none()
        );
    }

    #[test]
    fn integers_of_either_sign_fit_a_word() {
        for (text, expected) in [
            ("0", (0, true)),
            ("-0", (0, true)),
            ("-1", (u32::MAX, true)),
            ("4294967295", (u32::MAX, true)),
            ("4294967296", (0, false)),
            ("-2147483648", (0x8000_0000, true)),
            ("-2147483649", (0x7FFF_FFFF, false)),
            ("12.0", (12, true)),
            ("1e3", (1000, true)),
            ("1.5", (1, false)),
        ] {
            let (value, fits, length) = integer(text.as_bytes()).unwrap();
            assert_eq!(((value, fits), length), (expected, text.len()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(bits: u32) {
            let mut text = Vec::new();
            let exact = write_float(f32::from_bits(bits), &mut text);
            let (value, length) = float(&text).unwrap();
            prop_assert_eq!(length, text.len());
            prop_assert!(!exact || value.to_bits() == bits);
            prop_assert!(exact || f32::from_bits(bits).is_nan());
        }

        #[test]
        fn any_decimal_is_read_as_the_standard_library_does(mantissa in "[0-9]{1,22}", decimals in "[0-9]{0,22}", exponent in -60_i32..60) {
            agrees(&format!("{mantissa}.{decimals}e{exponent}"));
            agrees(&format!("-{mantissa}.{decimals}"));
        }

        /// Exactly between two floats, and next to it.
        #[test]
        fn halfway_cases_are_rounded_to_even(bits in 0_u32..0x7F7F_FFFF) {
            let (low, high) = (f64::from(f32::from_bits(bits)), f64::from(f32::from_bits(bits + 1)));
            let half = low + (high - low) / 2.0;
            for text in [format!("{half:e}"), format!("{half}"), format!("{half}1"), format!("{}", half.next_down()), format!("{}", half.next_up())] {
                agrees(&text);
            }
        }

        #[test]
        fn integers_read_back(value: i32) {
            let mut text = Vec::new();
            write_integer(value, &mut text);
            prop_assert_eq!(integer(&text), Some((value.cast_unsigned(), true, text.len())));
            let word = value.cast_unsigned();
            text.clear();
            write_unsigned(word, &mut text);
            prop_assert_eq!(integer(&text), Some((word, true, text.len())));
        }
    }
}
