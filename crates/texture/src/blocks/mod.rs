//! Block compression, shared by BLP2 and DDS: each block holds 4 x 4 pixels.
//!
//! Blocks are decoded by `bcdec_rs`. It follows the rule that the colour half of BC2 and BC3 always has four colours, even where
//! `color0 <= color1`; some other decoders fall into BC1's three-colour mode there.

mod encode;

pub(crate) use self::encode::{encode_bc1, encode_bc3};
use crate::{Encoding, Error, Image};

/// A block layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bc {
    /// 8 bytes: two 5:6:5 colours, 2-bit indices; `color0 <= color1` makes index 3 transparent black.
    Bc1,
    /// 16 bytes: 4-bit alphas, then colour.
    Bc2,
    /// 16 bytes: two alphas with 3-bit indices, then colour.
    Bc3,
    /// 8 bytes: one channel, two values with 3-bit indices.
    Bc4(Sign),
    /// 16 bytes: two channels, each like BC4.
    Bc5(Sign),
    /// 16 bytes: high dynamic range, in one of 14 modes.
    Bc6(Sign),
    /// 16 bytes, in one of 8 modes.
    Bc7,
}

/// Whether the values of a layout range from 0 to 1 or from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Unsigned,
    Signed,
}

impl Bc {
    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Bc::Bc1 => Encoding::Bc1,
            Bc::Bc2 => Encoding::Bc2,
            Bc::Bc3 => Encoding::Bc3,
            Bc::Bc4(_) => Encoding::Bc4,
            Bc::Bc5(_) => Encoding::Bc5,
            Bc::Bc6(_) => Encoding::Bc6,
            Bc::Bc7 => Encoding::Bc7,
        }
    }

    pub(crate) fn has_alpha(self) -> bool {
        matches!(self, Bc::Bc1 | Bc::Bc2 | Bc::Bc3 | Bc::Bc7)
    }

    fn block_len(self) -> usize {
        if matches!(self, Bc::Bc1 | Bc::Bc4(_)) { 8 } else { 16 }
    }

    /// How many bytes a level takes; a side that is not a multiple of four still fills its last block.
    pub(crate) fn level_len(self, width: u32, height: u32) -> u64 {
        let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
        blocks.saturating_mul(self.block_len() as u64)
    }

    /// The picture in `data`, which holds [`Bc::level_len`] bytes. The size is within the caller's budget.
    pub(crate) fn decode(self, data: &[u8], width: u32, height: u32) -> Result<Image, Error> {
        let mut pixels = vec![0; width as usize * height as usize * 4];
        let row_len = width as usize * 4;
        let block_row_len = width.div_ceil(4) as usize * self.block_len();
        let block_rows = data.chunks_exact(block_row_len).zip(pixels.chunks_mut(row_len * 4));
        for (blocks, rows) in block_rows {
            for (column, block) in blocks.chunks_exact(self.block_len()).enumerate() {
                let texels = self.decode_block(block);
                let left = column * 16;
                let visible = (row_len - left).min(16);
                for (row, texels) in rows.chunks_exact_mut(row_len).zip(texels.chunks_exact(16)) {
                    row[left..left + visible].copy_from_slice(&texels[..visible]);
                }
            }
        }
        Image::new(width, height, pixels)
    }

    /// The 16 pixels of a block, row by row.
    fn decode_block(self, block: &[u8]) -> [u8; 64] {
        let mut texels = [0; 64];
        match self {
            Bc::Bc1 => bcdec_rs::bc1(block, &mut texels, 16),
            Bc::Bc2 => bcdec_rs::bc2(block, &mut texels, 16),
            Bc::Bc3 => bcdec_rs::bc3(block, &mut texels, 16),
            Bc::Bc4(Sign::Unsigned) => {
                let mut values = [0; 16];
                bcdec_rs::bc4(block, &mut values, 4, false);
                fill(&mut texels, &values, |&grey| [grey; 3]);
            }
            Bc::Bc4(Sign::Signed) => fill(&mut texels, &signed(block), |&grey| [grey; 3]),
            Bc::Bc5(Sign::Unsigned) => {
                let mut values = [0; 32];
                bcdec_rs::bc5(block, &mut values, 8, false);
                fill(&mut texels, values.as_chunks().0, |&[x, y]| [x, y, 0]);
            }
            Bc::Bc5(Sign::Signed) => {
                let (x, y) = block.split_at(8);
                let (x, y) = (signed(x), signed(y));
                let values: [[u8; 2]; 16] = std::array::from_fn(|index| [x[index], y[index]]);
                fill(&mut texels, &values, |&[x, y]| [x, y, SIGNED_ZERO]);
            }
            Bc::Bc6(sign) => {
                let mut values = [0.0; 48];
                bcdec_rs::bc6h_float(block, &mut values, 12, sign == Sign::Signed);
                fill(&mut texels, values.as_chunks().0, |colour: &[f32; 3]| colour.map(from_unit));
            }
            Bc::Bc7 => bcdec_rs::bc7(block, &mut texels, 16),
        }
        texels
    }
}

/// Fills opaque pixels from as many values.
fn fill<T>(texels: &mut [u8; 64], values: &[T], colour: impl Fn(&T) -> [u8; 3]) {
    for (texel, value) in texels.as_chunks_mut::<4>().0.iter_mut().zip(values) {
        let [r, g, b] = colour(value);
        *texel = [r, g, b, 255];
    }
}

/// A byte for a number from 0 to 1; other numbers are clamped, NaN becomes 0.
pub(crate) fn from_unit(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The byte for 0 if -1 to 1 map to 0 to 255, as in normal maps.
pub(crate) const SIGNED_ZERO: u8 = 128;

/// The 16 values of a signed block of one channel, rounded once. `bcdec_rs` rounds before mapping to bytes.
fn signed(block: &[u8]) -> [u8; 16] {
    let ends = [block[0], block[1]].map(|end| end as i8);
    // 0 to 254: the smallest value and the next both mean -1.
    let [a, b] = ends.map(|end| u32::from(end.max(-127).wrapping_add(127) as u8));
    let mix = |a_part: u32, b_part: u32| {
        let all = (a_part + b_part) * 254;
        (((a * a_part + b * b_part) * 255 + all / 2) / all) as u8
    };
    let values = if ends[0] > ends[1] {
        [mix(1, 0), mix(0, 1), mix(6, 1), mix(5, 2), mix(4, 3), mix(3, 4), mix(2, 5), mix(1, 6)]
    } else {
        [mix(1, 0), mix(0, 1), mix(4, 1), mix(3, 2), mix(2, 3), mix(1, 4), 0, 255]
    };
    let indices = block[2..8].iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    std::array::from_fn(|index| values[(indices >> (3 * index) & 7) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colour half: color0 = 0x001F (blue), color1 = 0xF800 (red), so color0 < color1; indices 0, 1, 2, 3 in
    /// each row.
    const COLOUR: [u8; 8] = [0x1F, 0x00, 0x00, 0xF8, 0xE4, 0xE4, 0xE4, 0xE4];

    fn first_row(bc: Bc, block: &[u8]) -> Vec<[u8; 4]> {
        let image = bc.decode(block, 4, 4).unwrap();
        image.rows().next().unwrap().to_vec()
    }

    #[test]
    fn bc1_uses_three_colours_where_the_first_is_smaller() {
        let expected = [[0, 0, 255, 255], [255, 0, 0, 255], [127, 0, 127, 255], [0, 0, 0, 0]];
        let row = first_row(Bc::Bc1, &COLOUR);
        for (pixel, expected) in row.iter().zip(&expected) {
            // The mean of 0 and 255 may round either way.
            assert!(pixel.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 1), "{row:?}");
        }
    }

    #[test]
    fn bc2_and_bc3_always_use_four_colours() {
        // Thirds of the way from blue to red: 85 and 170.
        let colours = [[0, 0, 255], [255, 0, 0], [85, 0, 170], [170, 0, 85]];
        let bc2_alpha = [0x10, 0xF8, 0, 0, 0, 0, 0, 0]; // nibbles, low first: 0, 1, 8, 15
        let bc3_alpha = [255, 0, 0b1000_1000, 0b0000_0010, 0, 0, 0, 0]; // 3-bit indices, low first: 0, 1, 2, 1
        let with_alpha = |alphas: [u8; 4]| -> Vec<[u8; 4]> {
            colours.iter().zip(alphas).map(|(&[r, g, b], a)| [r, g, b, a]).collect()
        };
        assert_eq!(first_row(Bc::Bc2, &[bc2_alpha, COLOUR].concat()), with_alpha([0, 17, 136, 255]));
        // Alpha index 2 with alpha0 > alpha1 is (6 * 255 + 1 * 0) / 7 = 218.57; integer decoders truncate.
        let row = first_row(Bc::Bc3, &[bc3_alpha, COLOUR].concat());
        assert!(row == with_alpha([255, 0, 218, 0]) || row == with_alpha([255, 0, 219, 0]), "{row:?}");
    }

    #[test]
    fn sides_that_are_no_multiple_of_four_cut_the_last_block() {
        let image = Bc::Bc1.decode(&[COLOUR; 2].concat(), 5, 3).unwrap();
        assert_eq!(Bc::Bc1.level_len(5, 3), 16);
        assert_eq!((image.width(), image.height()), (5, 3));
        assert_eq!(image.pixel(4, 2), Some([0, 0, 255, 255]));
        assert_eq!(image.pixel(1, 2), Some([255, 0, 0, 255]));
    }
}
