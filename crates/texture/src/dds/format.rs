//! The pixel formats of DDS files, by FourCC, masks or DXGI number.

use super::{
    ALPHA, ALPHA_PIXELS, FOUR_CC, LUMINANCE, RGB, SIGNED,
    plain::{Number, Plain},
};
use crate::{
    Encoding, Error, Image,
    blocks::{Bc, Sign},
};

/// How the pixels of a file are stored.
#[derive(Debug)]
pub(super) enum Format {
    Blocks(Bc, After),
    Plain(Box<Plain>),
}

/// Processing after the blocks are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    /// DXT2 and DXT4 store colour multiplied by alpha.
    Unmultiply,
    /// "RXGB" stores red in alpha.
    RedFromAlpha,
}

impl Format {
    /// Whether the FourCC of a pixel format is used. Some files lack the flag and have no bits per pixel.
    pub(super) fn is_four_cc([flags, code, bits, ..]: &[u32; 7]) -> bool {
        flags & FOUR_CC != 0 || *bits == 0 && *code != 0
    }

    /// The format of a DirectX 9 header: flags, FourCC, bits per pixel, masks of red, green, blue and alpha.
    pub(super) fn of_pixel_format(pixel_format: &[u32; 7]) -> Result<Format, Error> {
        let &[flags, code, bits, r, g, b, a] = pixel_format;
        if Format::is_four_cc(pixel_format) {
            return Format::of_four_cc(code);
        }
        let unsupported = || {
            Error::Unsupported(format!(
                "DDS pixel format with flags {flags:#x}, {bits} bits and masks {r:#x}, {g:#x}, {b:#x}, {a:#x}"
            ))
        };
        if !matches!(bits, 8 | 16 | 24 | 32) || r | g | b | a == 0 {
            return Err(unsupported());
        }
        let len = bits as usize / 8;
        let is_signed = flags == SIGNED;
        let is_plain =
            flags & (RGB | LUMINANCE | ALPHA) != 0 && flags & !(RGB | LUMINANCE | ALPHA | ALPHA_PIXELS) == 0;
        if is_signed {
            return Ok(Format::plain(Plain::new(len, Number::Signed, [r, g, b, a].map(u128::from))));
        }
        if !is_plain {
            // Palettes, YUV and mixed signed formats.
            return Err(unsupported());
        }
        if flags & LUMINANCE != 0 {
            // Pillow writes masks outside the pixel; only L8 and A8L8 are possible.
            let is_outside = |mask: u32| mask != 0 && mask.trailing_zeros() >= bits;
            let usual = |mask: u32, usual: u32| u128::from(if is_outside(mask) { usual } else { mask });
            return Ok(Format::plain(Plain::grey(len, Number::Unsigned, usual(r, 0xFF), usual(a, 0xFF00))));
        }
        // Microsoft's library swaps the masks of red and blue in this format, and other programs follow it.
        let is_swapped = [r, g, b] == [0x3FF0_0000, 0xF_FC00, 0x3FF] && flags & ALPHA_PIXELS != 0;
        let masks = if is_swapped { [b, g, r, a] } else { [r, g, b, a] };
        Ok(Format::plain(Plain::new(len, Number::Unsigned, masks.map(u128::from))))
    }

    fn of_four_cc(code: u32) -> Result<Format, Error> {
        Ok(match &code.to_le_bytes() {
            b"DXT1" => Format::blocks(Bc::Bc1),
            b"DXT2" => Format::Blocks(Bc::Bc2, After::Unmultiply),
            b"DXT3" => Format::blocks(Bc::Bc2),
            b"DXT4" => Format::Blocks(Bc::Bc3, After::Unmultiply),
            b"DXT5" => Format::blocks(Bc::Bc3),
            b"RXGB" => Format::Blocks(Bc::Bc3, After::RedFromAlpha),
            b"ATI1" | b"BC4U" => Format::blocks(Bc::Bc4(Sign::Unsigned)),
            b"BC4S" => Format::blocks(Bc::Bc4(Sign::Signed)),
            b"ATI2" | b"BC5U" => Format::blocks(Bc::Bc5(Sign::Unsigned)),
            b"BC5S" => Format::blocks(Bc::Bc5(Sign::Signed)),
            // Numbers of Direct3D 9's own list.
            _ => match code {
                36 => Format::of_dxgi(11, false)?,
                110 => Format::of_dxgi(13, false)?,
                111 => Format::of_dxgi(54, false)?,
                112 => Format::of_dxgi(34, false)?,
                113 => Format::of_dxgi(10, false)?,
                114 => Format::of_dxgi(41, false)?,
                115 => Format::of_dxgi(16, false)?,
                116 => Format::of_dxgi(2, false)?,
                _ => {
                    let code = code.to_le_bytes();
                    return Err(Error::Unsupported(format!("DDS FourCC \"{}\"", code.escape_ascii())));
                }
            },
        })
    }

    /// The format with a number of Direct3D's `DXGI_FORMAT`. Formats without a type and sRGB are read like the plain one: bytes
    /// are kept as they are.
    pub(super) fn of_dxgi(number: u32, premultiplied: bool) -> Result<Format, Error> {
        use Number::{Float, Signed, Unsigned};
        let even = |len: usize, kind: Number, channels: usize| {
            let bits = len * 8 / channels;
            let all = u128::MAX >> (128 - bits);
            let mut masks = [0; 4];
            for (index, mask) in masks.iter_mut().take(channels).enumerate() {
                *mask = all << (index * bits);
            }
            Format::plain(if channels == 1 {
                Plain::grey(len, kind, masks[0], 0)
            } else {
                Plain::new(len, kind, masks)
            })
        };
        let masked = |len, masks| Format::plain(Plain::new(len, Unsigned, masks));
        let after = if premultiplied { After::Unmultiply } else { After::Nothing };
        Ok(match number {
            1 | 2 => even(16, Float, 4),
            5 | 6 => even(12, Float, 3),
            9 | 11 => even(8, Unsigned, 4),
            10 => even(8, Float, 4),
            13 => even(8, Signed, 4),
            15 | 16 => even(8, Float, 2),
            23 | 24 => masked(4, [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000]),
            27..=29 => even(4, Unsigned, 4),
            31 => even(4, Signed, 4),
            33 | 35 => even(4, Unsigned, 2),
            34 => even(4, Float, 2),
            37 => even(4, Signed, 2),
            39 | 41 => even(4, Float, 1),
            48 | 49 => even(2, Unsigned, 2),
            51 => even(2, Signed, 2),
            53 | 56 => even(2, Unsigned, 1),
            54 => even(2, Float, 1),
            58 => even(2, Signed, 1),
            60 | 61 => even(1, Unsigned, 1),
            63 => even(1, Signed, 1),
            65 => masked(1, [0, 0, 0, 0xFF]),
            70..=72 => Format::blocks(Bc::Bc1),
            73..=75 => Format::Blocks(Bc::Bc2, after),
            76..=78 => Format::Blocks(Bc::Bc3, after),
            79 | 80 => Format::blocks(Bc::Bc4(Sign::Unsigned)),
            81 => Format::blocks(Bc::Bc4(Sign::Signed)),
            82 | 83 => Format::blocks(Bc::Bc5(Sign::Unsigned)),
            84 => Format::blocks(Bc::Bc5(Sign::Signed)),
            85 => masked(2, [0xF800, 0x7E0, 0x1F, 0]),
            86 => masked(2, [0x7C00, 0x3E0, 0x1F, 0x8000]),
            87 | 90 | 91 => masked(4, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
            88 | 92 | 93 => masked(4, [0xFF_0000, 0xFF00, 0xFF, 0]),
            94 | 95 => Format::blocks(Bc::Bc6(Sign::Unsigned)),
            96 => Format::blocks(Bc::Bc6(Sign::Signed)),
            97..=99 => Format::blocks(Bc::Bc7),
            115 => masked(2, [0xF00, 0xF0, 0xF, 0xF000]),
            191 => masked(2, [0xF000, 0xF00, 0xF0, 0xF]),
            other => return Err(Error::Unsupported(format!("DDS with DXGI format {other}"))),
        })
    }

    fn blocks(bc: Bc) -> Format {
        Format::Blocks(bc, After::Nothing)
    }

    fn plain(plain: Plain) -> Format {
        Format::Plain(Box::new(plain))
    }

    pub(super) fn encoding(&self) -> Encoding {
        match self {
            Format::Blocks(bc, _) => bc.encoding(),
            Format::Plain(_) => Encoding::Plain,
        }
    }

    pub(super) fn has_alpha(&self) -> bool {
        match self {
            Format::Blocks(bc, after) => bc.has_alpha() && *after != After::RedFromAlpha,
            Format::Plain(plain) => plain.has_alpha(),
        }
    }

    /// How many bytes a level takes.
    pub(super) fn level_len(&self, width: u32, height: u32) -> u64 {
        match self {
            Format::Blocks(bc, _) => bc.level_len(width, height),
            Format::Plain(plain) => {
                (u64::from(width) * u64::from(height)).saturating_mul(plain.pixel_len() as u64)
            }
        }
    }

    /// The picture in `data`, which holds [`Format::level_len`] bytes. The size is within the caller's budget.
    pub(super) fn decode(&self, data: &[u8], width: u32, height: u32) -> Result<Image, Error> {
        match self {
            Format::Plain(plain) => Image::new(width, height, plain.decode(data)),
            Format::Blocks(bc, After::Nothing) => bc.decode(data, width, height),
            Format::Blocks(bc, after) => {
                let mut pixels = bc.decode(data, width, height)?.into_pixels();
                for pixel in pixels.as_chunks_mut::<4>().0 {
                    *pixel = after.apply(*pixel);
                }
                Image::new(width, height, pixels)
            }
        }
    }
}

impl After {
    fn apply(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        match self {
            After::Nothing => [r, g, b, a],
            After::RedFromAlpha => [a, g, b, 255],
            After::Unmultiply if a == 0 => [r, g, b, a],
            After::Unmultiply => {
                let divide = |c: u8| {
                    let (c, a) = (u32::from(c), u32::from(a));
                    ((c * 255 + a / 2) / a).min(255) as u8
                };
                [divide(r), divide(g), divide(b), a]
            }
        }
    }
}
