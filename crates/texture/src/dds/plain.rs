//! Uncompressed pixels, described by the mask of each channel.

use crate::blocks::{SIGNED_ZERO, from_unit};

/// The meaning of the bits of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// 0 to 1.
    Unsigned,
    /// -1 to 1, as two's complement.
    Signed,
    /// A float of 16 or 32 bits.
    Float,
}

/// The layout of a pixel.
#[derive(Debug)]
pub(super) struct Plain {
    len: usize,
    /// Red, green, blue, alpha.
    channels: [Channel; 4],
}

#[derive(Debug, Clone)]
enum Channel {
    /// Not stored: constant for all pixels.
    Constant(u8),
    /// A byte of the pixel, unchanged.
    Byte(usize),
    /// A few bits, by a lookup table.
    Short { shift: u32, mask: u32, table: Vec<u8> },
    /// More than eight bits.
    Long { shift: u32, bits: u32, number: Number },
}

impl Plain {
    /// Pixels of `len` bytes. Colours that are not stored are 0, or the middle if numbers are signed; alpha is 255.
    pub(super) fn new(len: usize, number: Number, [r, g, b, a]: [u128; 4]) -> Plain {
        let absent = if number == Number::Signed { SIGNED_ZERO } else { 0 };
        let colour = |mask| Channel::new(len, number, mask, absent);
        let channels = [colour(r), colour(g), colour(b), Channel::new(len, number, a, 255)];
        Plain { len, channels }
    }

    /// Grey pixels of `len` bytes.
    pub(super) fn grey(len: usize, number: Number, grey: u128, alpha: u128) -> Plain {
        let grey = Channel::new(len, number, grey, 0);
        let alpha = Channel::new(len, number, alpha, 255);
        Plain { len, channels: [grey.clone(), grey.clone(), grey, alpha] }
    }

    pub(super) fn pixel_len(&self) -> usize {
        self.len
    }

    pub(super) fn has_alpha(&self) -> bool {
        !matches!(self.channels[3], Channel::Constant(_))
    }

    /// The byte index or the constant of each channel, if all channels are of this kind.
    fn byte_moves(&self) -> Option<[(Option<usize>, u8); 4]> {
        let mut moves = [(None, 0); 4];
        for (channel, to) in self.channels.iter().zip(&mut moves) {
            *to = match channel {
                Channel::Constant(value) => (None, *value),
                Channel::Byte(byte) => (Some(*byte), 0),
                _ => return None,
            };
        }
        Some(moves)
    }

    pub(super) fn decode(&self, data: &[u8]) -> Vec<u8> {
        let mut pixels = vec![0; data.len() / self.len * 4];
        // The format of nearly all files: four bytes, each moved or dropped.
        if let (4, Some(moves)) = (self.len, self.byte_moves()) {
            for (to, from) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(data.as_chunks::<4>().0) {
                *to = moves.map(|(byte, constant)| byte.map_or(constant, |byte| from[byte]));
            }
            return pixels;
        }
        // One channel after the other, so that the loop over the pixels has no branches.
        for (index, channel) in self.channels.iter().enumerate() {
            let stored = data.chunks_exact(self.len);
            let values = pixels[index..].iter_mut().step_by(4).zip(stored);
            match channel {
                Channel::Constant(value) => values.for_each(|(to, _)| *to = *value),
                Channel::Byte(byte) => values.for_each(|(to, from)| *to = from[*byte]),
                Channel::Short { shift, mask, table } => {
                    for (to, from) in values {
                        let word = from.iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
                        *to = table[(word >> shift & mask) as usize];
                    }
                }
                Channel::Long { shift, bits, number } => {
                    for (to, from) in values {
                        let word = from.iter().rev().fold(0u128, |word, &byte| word << 8 | u128::from(byte));
                        let value = word >> shift & (u128::MAX >> (128 - bits));
                        *to = to_byte(value as u64, *bits, *number);
                    }
                }
            }
        }
        pixels
    }
}

impl Channel {
    fn new(len: usize, number: Number, mask: u128, absent: u8) -> Channel {
        // Bits outside the pixel are never set, but count as the upper part of the number.
        let shift = mask.trailing_zeros();
        if mask == 0 || shift as usize >= len * 8 {
            return Channel::Constant(absent);
        }
        let bits = u128::BITS - mask.leading_zeros() - shift;
        if bits == 8 && number == Number::Unsigned && shift.is_multiple_of(8) {
            return Channel::Byte(shift as usize / 8);
        }
        if bits <= 8 && len <= 4 && number != Number::Float {
            let max = (1u32 << bits) - 1;
            let table = (0..=max).map(|value| to_byte(u64::from(value), bits, number)).collect();
            return Channel::Short { shift, mask: max, table };
        }
        Channel::Long { shift, bits, number }
    }
}

/// The byte for a stored number.
fn to_byte(value: u64, bits: u32, number: Number) -> u8 {
    match number {
        Number::Unsigned => {
            let max = u64::MAX >> (64 - bits);
            ((value * 255 + max / 2) / max) as u8
        }
        Number::Signed => {
            // The smallest value and the next both mean -1.
            let most = (1i64 << (bits - 1)) - 1;
            let signed = ((value << (64 - bits)) as i64 >> (64 - bits)).max(-most);
            ((signed + most) * 255 + most).div_euclid(2 * most) as u8
        }
        Number::Float if bits == 16 => from_unit(half_to_float(value as u16)),
        Number::Float => from_unit(f32::from_bits(value as u32)),
    }
}

/// A float of 16 bits: a sign, 5 bits of exponent, 10 of mantissa.
fn half_to_float(half: u16) -> f32 {
    let sign = if half >> 15 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(half >> 10 & 31);
    let mantissa = f32::from(half & 0x3FF) / 1024.0;
    sign * match exponent {
        0 => mantissa * 2f32.powi(-14),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + mantissa) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(plain: &Plain, bytes: &[u8]) -> Vec<u8> {
        plain.decode(bytes)
    }

    #[test]
    fn halves_are_read_as_ieee_754_has_them() {
        let known = [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x3800, 0.5),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65504.0),
        ];
        for (half, float) in known {
            assert_eq!(half_to_float(half), float, "{half:#06x}");
        }
        assert_eq!(half_to_float(0xFC00), f32::NEG_INFINITY);
        assert!(half_to_float(0x7C01).is_nan());
    }

    #[test]
    fn floats_are_clamped_to_what_a_byte_holds() {
        let plain = Plain::new(8, Number::Float, [0xFFFF, 0xFFFF << 16, 0xFFFF << 32, 0xFFFF << 48]);
        // 0.5, 2, -1, NaN.
        let bytes: Vec<u8> =
            [0x3800u16, 0x4000, 0xBC00, 0x7E00].iter().flat_map(|half| half.to_le_bytes()).collect();
        assert_eq!(one(&plain, &bytes), [128, 255, 0, 0]);
        let single = Plain::grey(4, Number::Float, 0xFFFF_FFFF, 0);
        assert_eq!(one(&single, &0.2f32.to_le_bytes()), [51, 51, 51, 255]);
    }

    #[test]
    fn signed_numbers_have_their_zero_in_the_middle() {
        let plain = Plain::new(2, Number::Signed, [0xFF, 0xFF00, 0, 0]);
        // 127, then -128 and -127, which are both -1.
        assert_eq!(one(&plain, &[0x7F, 0x80]), [255, 0, 128, 255]);
        assert_eq!(one(&plain, &[0x00, 0x81]), [128, 0, 128, 255]);
    }

    #[test]
    fn wide_channels_are_rounded() {
        let plain = Plain::new(8, Number::Unsigned, [0xFFFF, 0xFFFF << 16, 0xFFFF << 32, 0xFFFF << 48]);
        let bytes: Vec<u8> =
            [0u16, 0x8000, 0x00FF, 0xFFFF].iter().flat_map(|word| word.to_le_bytes()).collect();
        // 32768 / 65535 * 255 = 127.5, 255 / 65535 * 255 = 0.99.
        assert_eq!(one(&plain, &bytes), [0, 128, 1, 255]);
    }
}
