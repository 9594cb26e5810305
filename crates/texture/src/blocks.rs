//! S3TC blocks, shared by BLP2 and DDS.
//!
//! BC2 and BC3 go through `bcdec_rs` because their colour half always uses the four-colour mode, even where
//! `color0 <= color1`; the `dds` crate falls into BC1's three-colour mode there, which is off by up to 255.

use crate::{Encoding, Error, Image};

/// An S3TC layout; each block covers 4 x 4 pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bc {
    /// 8 bytes: two 5:6:5 colours, 2-bit indices; `color0 <= color1` makes index 3 transparent black.
    Bc1,
    /// 16 bytes: 4-bit alphas, then colour.
    Bc2,
    /// 16 bytes: two alphas with 3-bit indices, then colour.
    Bc3,
}

impl Bc {
    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Bc::Bc1 => Encoding::Bc1,
            Bc::Bc2 => Encoding::Bc2,
            Bc::Bc3 => Encoding::Bc3,
        }
    }

    fn block_len(self) -> usize {
        if self == Bc::Bc1 { 8 } else { 16 }
    }

    /// How many bytes a level takes; a side that is no multiple of four still fills its last block.
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
                let mut texels = [0u8; 64];
                match self {
                    Bc::Bc1 => bcdec_rs::bc1(block, &mut texels, 16),
                    Bc::Bc2 => bcdec_rs::bc2(block, &mut texels, 16),
                    Bc::Bc3 => bcdec_rs::bc3(block, &mut texels, 16),
                }
                let left = column * 16;
                let visible = (row_len - left).min(16);
                for (row, texels) in rows.chunks_exact_mut(row_len).zip(texels.chunks_exact(16)) {
                    row[left..left + visible].copy_from_slice(&texels[..visible]);
                }
            }
        }
        Image::new(width, height, pixels)
    }
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
