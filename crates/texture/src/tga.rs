//! TGA; the layout and its traps are described in the crate documentation.

use std::iter;

use crate::{
    Container, Encoding, Error, Image, Info, Texture,
    error::{Budget, slice},
};

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

    fn pixel_len(&self) -> usize {
        usize::from(self.raw[16].div_ceil(8))
    }

    /// The length of the colour map in bytes. True-colour files may have one too.
    fn map_len(&self) -> usize {
        if self.raw[1] == 1 { self.u16_at(5) as usize * usize::from(self.raw[7].div_ceil(8)) } else { 0 }
    }

    /// The stored pixels as red, green, blue and alpha.
    fn colours(&self, stored: &[u8], map: &[u8]) -> Result<Vec<u8>, Error> {
        if self.colour_mapped {
            let first = self.u16_at(3) as usize;
            let colours: Vec<[u8; 4]> =
                map.chunks_exact(usize::from(self.raw[7].div_ceil(8))).map(colour).collect();
            let mut pixels = Vec::with_capacity(stored.len() / self.pixel_len() * 4);
            for index in stored.chunks_exact(self.pixel_len()) {
                let index = index.iter().rev().fold(0, |index, &byte| index << 8 | usize::from(byte));
                let entry = index.checked_sub(first).and_then(|at| colours.get(at));
                let entry = entry.ok_or_else(|| {
                    Error::Malformed(format!(
                        "TGA colour {index} is not in the colour map, which has {} from {first} on",
                        colours.len()
                    ))
                })?;
                pixels.extend_from_slice(entry);
            }
            return Ok(pixels);
        }
        Ok(match (self.grey, self.pixel_len()) {
            (true, 1) => stored.iter().flat_map(|&l| [l, l, l, 255]).collect(),
            (true, _) => stored.as_chunks().0.iter().flat_map(|&[l, a]| [l, l, l, a]).collect(),
            (_, 4) => stored.as_chunks().0.iter().flat_map(|&[b, g, r, a]| [r, g, b, a]).collect(),
            (_, 3) => stored.as_chunks().0.iter().flat_map(|&[b, g, r]| [r, g, b, 255]).collect(),
            _ => stored.chunks_exact(2).flat_map(colour).collect(),
        })
    }

    /// The minimum size of the whole file, to detect an impossible size before memory is allocated.
    fn least_len(&self) -> u64 {
        let pixels = u64::from(self.width()) * u64::from(self.height());
        let pixel_len = self.pixel_len() as u64;
        // A run-length packet is a count byte and a pixel for at most 128 pixels.
        let data = if self.run_length { pixels.div_ceil(128) * (pixel_len + 1) } else { pixels * pixel_len };
        HEADER_LEN as u64 + u64::from(self.raw[0]) + self.map_len() as u64 + data
    }
}

/// Whether the bytes look like a TGA file: the header is plausible, and the pixels fit after it.
pub(crate) fn is_plausible(bytes: &[u8]) -> bool {
    Header::parse(bytes).is_ok_and(|header| header.least_len() <= bytes.len() as u64)
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    Header::parse(bytes).map(|header| header.info())
}

pub(crate) fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Texture, Error> {
    let header = Header::parse(bytes)?;
    slice(bytes, 0, header.least_len(), "TGA pixels")?;
    let (width, height) = (header.width(), header.height());
    let count = budget.take(width, height)?;

    let map_start = HEADER_LEN + usize::from(header.raw[0]);
    let data_start = map_start + header.map_len();
    let (map, data) = (&bytes[map_start..data_start], &bytes[data_start..]);
    let pixel_len = header.pixel_len();
    let unpacked;
    let stored = if header.run_length {
        unpacked = unpack(data, pixel_len, count, data_start as u64)?;
        &unpacked
    } else {
        &data[..count * pixel_len]
    };

    let mut pixels = header.colours(stored, map)?;
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

/// Unpacks run-length packets until there are `count` pixels of `pixel_len` bytes; `start` is where they are in the file.
fn unpack(data: &[u8], pixel_len: usize, count: usize, start: u64) -> Result<Vec<u8>, Error> {
    let len = count * pixel_len;
    let mut out = Vec::with_capacity(len);
    let mut at = 0;
    let mut take = |count: usize| {
        let taken = data.get(at..at + count).ok_or(Error::Truncated {
            what: "TGA run-length packet",
            span: start + at as u64..start + (at + count) as u64,
            len: start + data.len() as u64,
        });
        at += count;
        taken
    };
    while out.len() < len {
        let packet = take(1)?[0];
        let run = usize::from(packet & 0x7F) + 1;
        // The last packet may exceed the number of pixels.
        let run = run.min((len - out.len()) / pixel_len);
        if packet & 0x80 == 0 {
            out.extend_from_slice(take(run * pixel_len)?);
        } else {
            let pixel = take(pixel_len)?;
            for _ in 0..run {
                out.extend_from_slice(pixel);
            }
        }
    }
    Ok(out)
}

/// Red, green, blue and alpha of a colour of 15, 16, 24 or 32 bits.
fn colour(bytes: &[u8]) -> [u8; 4] {
    match *bytes {
        [b, g, r, a] => [r, g, b, a],
        [b, g, r] => [r, g, b, 255],
        [low, high] => {
            let word = u16::from_le_bytes([low, high]);
            let widen = |value: u16| ((value & 31) * 255 + 15) / 31;
            [widen(word >> 10) as u8, widen(word >> 5) as u8, widen(word) as u8, 255]
        }
        _ => [0, 0, 0, 255],
    }
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
