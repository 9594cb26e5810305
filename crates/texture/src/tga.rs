//! TGA; the layout and its traps are told in the crate documentation.

use std::{
    io::{Cursor, Read},
    iter,
};

use image::{ColorType, ImageDecoder, codecs::tga::TgaDecoder};

use crate::{Container, Encoding, Error, Image, Info, Texture, error::Budget};

const HEADER_LEN: usize = 18;
const RIGHT_TO_LEFT: u8 = 1 << 4;
const TOP_TO_BOTTOM: u8 = 1 << 5;

#[derive(Debug, Clone, Copy)]
struct Header {
    raw: [u8; HEADER_LEN],
    colour_mapped: bool,
    grey: bool,
    run_length: bool,
}

impl Header {
    /// The header, if its fields make sense together.
    fn parse(bytes: &[u8]) -> Result<Header, Error> {
        let raw = *bytes.first_chunk::<HEADER_LEN>().ok_or(Error::Truncated {
            what: "TGA header",
            span: 0..HEADER_LEN as u64,
            len: bytes.len() as u64,
        })?;
        let header = Header {
            raw,
            colour_mapped: matches!(raw[2], 1 | 9),
            grey: matches!(raw[2], 3 | 11),
            run_length: raw[2] >= 9,
        };
        let bits_fit = match raw[2] {
            1 | 9 => raw[1] == 1 && matches!(raw[16], 8 | 16),
            2 | 10 => matches!(raw[16], 15 | 16 | 24 | 32),
            3 | 11 => matches!(raw[16], 8 | 16),
            other => return Err(Error::Malformed(format!("TGA image type {other}"))),
        };
        let map_fits = raw[1] == 0 || raw[1] == 1 && matches!(raw[7], 15 | 16 | 24 | 32);
        if !bits_fit || !map_fits {
            return Err(Error::Malformed(format!(
                "TGA type {} with {} bits per pixel and a colour map of type {} with {} bits per entry",
                raw[2], raw[16], raw[1], raw[7]
            )));
        }
        if header.width() == 0 || header.height() == 0 {
            return Err(Error::Size { width: header.width(), height: header.height() });
        }
        Ok(header)
    }

    fn u16_at(&self, at: usize) -> u32 {
        u32::from(u16::from_le_bytes([self.raw[at], self.raw[at + 1]]))
    }

    fn width(&self) -> u32 {
        self.u16_at(12)
    }

    fn height(&self) -> u32 {
        self.u16_at(14)
    }

    fn info(&self) -> Info {
        let plain = if self.run_length { Encoding::RunLength } else { Encoding::Plain };
        Info {
            container: Container::Tga,
            encoding: if self.colour_mapped { Encoding::Palette } else { plain },
            has_alpha: match (self.colour_mapped, self.grey) {
                (true, _) => self.raw[7] == 32,
                (_, true) => self.raw[16] == 16,
                _ => self.raw[16] == 32,
            },
            width: self.width(),
            height: self.height(),
            mips: 1,
        }
    }

    /// The fewest bytes in which the whole file could be stored, by which an absurd size is found before
    /// anything is allocated.
    fn least_len(&self) -> u64 {
        let map = if self.raw[1] == 1 { self.u16_at(5) * u32::from(self.raw[7].div_ceil(8)) } else { 0 };
        let pixels = u64::from(self.width()) * u64::from(self.height());
        let pixel_len = u64::from(self.raw[16].div_ceil(8));
        // A run-length packet is a count byte and a pixel for at most 128 pixels.
        let data = if self.run_length { pixels.div_ceil(128) * (pixel_len + 1) } else { pixels * pixel_len };
        HEADER_LEN as u64 + u64::from(self.raw[0]) + u64::from(map) + data
    }
}

/// Whether the bytes look like a TGA file, judged by the header and by whether the pixels can fit behind it.
pub(crate) fn is_plausible(bytes: &[u8]) -> bool {
    Header::parse(bytes).is_ok_and(|header| header.least_len() <= bytes.len() as u64)
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    Header::parse(bytes).map(|header| header.info())
}

pub(crate) fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Texture, Error> {
    let header = Header::parse(bytes)?;
    crate::error::slice(bytes, 0, header.least_len(), "TGA pixels")?;
    let (width, height) = (header.width(), header.height());
    let count = budget.take(width, height)?;

    // The codec is given a descriptor that always suits the pixel size (it refuses, say, 24-bit files with 8
    // attribute bits) and says "top left", so that the origin is handled here and only here.
    let mut raw = header.raw;
    raw[17] = TOP_TO_BOTTOM | if header.grey && raw[16] == 16 { 8 } else { 0 };
    let stream = Cursor::new(raw).chain(&bytes[HEADER_LEN..]);
    let decoder = TgaDecoder::new(stream).map_err(|error| Error::codec("TGA", error))?;
    let colour = decoder.color_type();
    let mut stored = vec![0; count * usize::from(colour.bytes_per_pixel())];
    decoder.read_image(&mut stored).map_err(|error| Error::codec("TGA", error))?;

    let mut pixels = match colour {
        ColorType::L8 => stored.iter().flat_map(|&l| [l, l, l, 255]).collect(),
        ColorType::La8 => stored.as_chunks().0.iter().flat_map(|&[l, a]| [l, l, l, a]).collect(),
        ColorType::Rgb8 => stored.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect(),
        _ => stored,
    };
    let row_len = width as usize * 4;
    if header.raw[17] & RIGHT_TO_LEFT != 0 {
        for row in pixels.chunks_exact_mut(row_len) {
            row.as_chunks_mut::<4>().0.reverse();
        }
    }
    if header.raw[17] & TOP_TO_BOTTOM == 0 {
        pixels = pixels.chunks_exact(row_len).rev().flatten().copied().collect();
    }
    Texture::collect(header.info(), iter::once(Image::new(width, height, pixels)))
}

/// Writes an uncompressed true-colour TGA with the origin at the bottom left, as nearly all game files are: 24
/// bits if the picture is opaque, else 32 with 8 attribute bits.
///
/// # Errors
/// [`Error::Size`] if a side is longer than 65,535.
pub fn encode_tga(image: &Image) -> Result<Vec<u8>, Error> {
    let (width, height) = (image.width(), image.height());
    let (Ok(short_width), Ok(short_height)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(Error::Size { width, height });
    };
    let channels = if image.is_opaque() { 3 } else { 4 };
    let mut out = vec![0; 12];
    out[2] = 2;
    out.extend(short_width.to_le_bytes());
    out.extend(short_height.to_le_bytes());
    out.extend(if channels == 3 { [24, 0] } else { [32, 8] });
    for row in image.rows().rev() {
        for &[r, g, b, a] in row {
            out.extend(&[b, g, r, a][..channels]);
        }
    }
    Ok(out)
}
