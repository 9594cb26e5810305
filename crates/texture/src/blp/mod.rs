//! Reading BLP; the layout and its traps are described in the crate documentation.

mod jpeg;
mod write;

use std::borrow::Cow;

pub use self::write::{PaletteAlpha, encode_blp1_jpeg, encode_blp1_palette};
use crate::{
    Container, Encoding, Error, Image, Info, Texture,
    blocks::Bc,
    error::{Budget, slice},
    texture::Levels,
};

/// The mip table has this many entries.
const TABLE_LEN: usize = 16;
const BLP1_SHARED_AT: usize = 156;
const PALETTE_LEN: usize = 1024;

pub(crate) fn is_blp(bytes: &[u8]) -> bool {
    matches!(bytes.first_chunk(), Some(b"BLP0" | b"BLP1" | b"BLP2"))
}

/// The file, and for a BLP0 the access to its levels.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) external: &'a mut dyn FnMut(usize) -> Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Jpeg,
    Palette,
    Blocks(Bc),
    Bgra,
}

#[derive(Debug)]
struct Header {
    container: Container,
    content: Content,
    alpha_bits: u32,
    width: u32,
    height: u32,
    /// Offset of the JPEG prefix or the palette.
    shared_at: u64,
    /// Offset and size of the levels that exist; `None` in a BLP0, whose levels are files.
    levels: Vec<Option<(u32, u32)>>,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Header, Error> {
        let (container, shared_at) = match bytes.first_chunk() {
            Some(b"BLP0") => (Container::Blp0, 28),
            Some(b"BLP1") => (Container::Blp1, BLP1_SHARED_AT),
            Some(b"BLP2") => (Container::Blp2, 148),
            _ => return Err(Error::Unrecognised),
        };
        let raw = slice(bytes, 0, shared_at as u64, "BLP header")?;
        let words: Vec<u32> = raw.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        let unknown = |what: &str, value: u32| Error::Malformed(format!("BLP {what} {value}"));

        let (alpha_bits, width, height, has_mips, table_at) = match container {
            Container::Blp2 => (u32::from(raw[9]), words[3], words[4], raw[11] != 0, 5),
            _ => (words[2], words[3], words[4], words[6] != 0, 7),
        };
        let content = match (container, words[1], raw[8]) {
            (_, 0, _) => Content::Jpeg,
            (Container::Blp2, 1, 1) => Content::Palette,
            (Container::Blp2, 1, 2) => Content::Blocks(match (raw[10], alpha_bits) {
                (0, _) | (_, 0 | 1) => Bc::Bc1,
                (1, _) => Bc::Bc2,
                (7, _) => Bc::Bc3,
                (other, _) => return Err(unknown("alpha type", other.into())),
            }),
            (Container::Blp2, 1, 3) => Content::Bgra,
            (Container::Blp2, 1, other) => return Err(unknown("compression", other.into())),
            (_, 1, _) => Content::Palette,
            (_, other, _) => return Err(unknown("content", other)),
        };
        if content == Content::Palette && !matches!(alpha_bits, 0 | 1 | 4 | 8) {
            return Err(unknown("palette with alpha bits", alpha_bits));
        }
        if width == 0 || height == 0 {
            return Err(Error::Size { width, height });
        }

        let full_chain = width.max(height).ilog2() as usize + 1;
        let count = if has_mips { full_chain.min(TABLE_LEN) } else { 1 };
        let levels = match words.get(table_at..) {
            Some(table) if container != Container::Blp0 => {
                let (offsets, sizes) = table.split_at(TABLE_LEN);
                let entries = offsets.iter().copied().zip(sizes.iter().copied());
                entries.take(count).take_while(|&(offset, size)| offset != 0 && size != 0).map(Some).collect()
            }
            _ => vec![None; count],
        };
        Ok(Header { container, content, alpha_bits, width, height, shared_at: shared_at as u64, levels })
    }

    fn info(&self, bytes: &[u8]) -> Info {
        let inside = |level: &&Option<(u32, u32)>| level.is_none_or(|(at, _)| (at as usize) < bytes.len());
        Info {
            container: self.container,
            encoding: match self.content {
                Content::Jpeg => Encoding::Jpeg,
                Content::Palette => Encoding::Palette,
                Content::Blocks(bc) => bc.encoding(),
                Content::Bgra => Encoding::Plain,
            },
            has_alpha: self.alpha_bits != 0,
            width: self.width,
            height: self.height,
            mips: self.levels.iter().take_while(inside).count() as u32,
        }
    }
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    Header::parse(bytes).map(|header| header.info(bytes))
}

pub(crate) fn decode(source: &mut Source<'_>, levels: Levels, budget: &mut Budget) -> Result<Texture, Error> {
    let header = Header::parse(source.bytes)?;
    let shared = match header.content {
        Content::Jpeg => {
            let prefix_len = slice(source.bytes, header.shared_at, 4, "length of the JPEG header")?;
            let prefix_len = prefix_len.iter().rev().fold(0, |len, &byte| len << 8 | u64::from(byte));
            slice(source.bytes, header.shared_at + 4, prefix_len, "JPEG header")?
        }
        Content::Palette => slice(source.bytes, header.shared_at, PALETTE_LEN as u64, "palette")?,
        Content::Blocks(_) | Content::Bgra => &[],
    };
    let info = header.info(source.bytes);
    let wanted = levels.of(&info);
    let wanted = wanted.start..wanted.end.min(header.levels.len());
    let decode = |level| {
        let data = level_bytes(&header, source, level)?;
        decode_level(&header, shared, level, &data, budget)
    };
    Texture::collect(info, wanted.map(decode))
}

/// The bytes of a JPEG level; for other contents the bytes from the start of the level.
fn level_bytes<'a>(header: &Header, source: &mut Source<'a>, level: usize) -> Result<Cow<'a, [u8]>, Error> {
    let entry = header.levels.get(level).ok_or(Error::MissingLevel(level))?;
    let Some((offset, size)) = entry else {
        return (source.external)(level).map(Cow::Owned).ok_or(Error::MissingLevel(level));
    };
    let (start, size) = (u64::from(*offset), u64::from(*size));
    let left = (source.bytes.len() as u64).saturating_sub(start);
    // Only a JPEG stream has the length in its entry. For others the length follows from the size in pixels; entries of
    // real files are too large or too small.
    let len = if header.content == Content::Jpeg { size.min(left) } else { left };
    slice(source.bytes, start, len.max(1), "BLP level").map(Cow::Borrowed)
}

fn decode_level(
    header: &Header,
    shared: &[u8],
    level: usize,
    data: &[u8],
    budget: &mut Budget,
) -> Result<Image, Error> {
    let image = if header.content == Content::Jpeg {
        jpeg::decode(shared, data, budget)?
    } else {
        let size = ((header.width >> level).max(1), (header.height >> level).max(1));
        budget.take(size.0, size.1)?;
        decode_sized(header, shared, size, data)?
    };
    if header.alpha_bits != 0 || image.is_opaque() {
        return Ok(image);
    }
    let (width, height) = (image.width(), image.height());
    let opaque = image.iter().flat_map(|[r, g, b, _]| [r, g, b, 255]).collect();
    Image::new(width, height, opaque)
}

/// Decodes a level without a size of its own.
fn decode_sized(
    header: &Header,
    palette: &[u8],
    (width, height): (u32, u32),
    data: &[u8],
) -> Result<Image, Error> {
    let count = u64::from(width) * u64::from(height);
    if let Content::Blocks(bc) = header.content {
        let data = slice(data, 0, bc.level_len(width, height), "S3TC blocks")?;
        return bc.decode(data, width, height);
    }
    let pixels = if header.content == Content::Palette {
        let alpha_len = count.saturating_mul(u64::from(header.alpha_bits)).div_ceil(8);
        let indices = slice(data, 0, count, "palette indices")?;
        let alphas = slice(data, count, alpha_len, "palette alphas")?;
        let (colours, _) = palette.as_chunks::<4>();
        let pixel = |(at, &index): (usize, &u8)| {
            let [b, g, r, _] = colours[usize::from(index)];
            [r, g, b, palette_alpha(alphas, header.alpha_bits, at)]
        };
        indices.iter().enumerate().flat_map(pixel).collect()
    } else {
        let data = slice(data, 0, count.saturating_mul(4), "BGRA pixels")?;
        data.as_chunks().0.iter().flat_map(|&[b, g, r, a]| [r, g, b, a]).collect()
    };
    Image::new(width, height, pixels)
}

/// The alpha of pixel `index`, scaled so that the largest value becomes 255.
fn palette_alpha(alphas: &[u8], bits: u32, index: usize) -> u8 {
    match bits {
        1 => (alphas[index / 8] >> (index % 8) & 1) * 255,
        4 => (alphas[index / 2] >> (index % 2 * 4) & 15) * 17,
        8 => alphas[index],
        _ => 255,
    }
}
