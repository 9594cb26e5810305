//! DDS; the layout and its traps are described in the crate documentation.

mod format;
mod plain;

use self::format::Format;
use crate::{
    Container, Error, Image, Info, Texture,
    blocks::{encode_bc1, encode_bc3},
    error::{Budget, slice},
    pixels::check_chain,
    texture::Levels,
};

const MAGIC: &[u8; 4] = b"DDS ";
const HEADER_LEN: usize = 128;
const DX10_LEN: usize = 20;

/// Flags of the header.
const HAS_CAPS_SIZE_AND_FORMAT: u32 = 0x1007;
const HAS_PITCH: u32 = 0x8;
const HAS_MIP_COUNT: u32 = 0x2_0000;
const HAS_LINEAR_SIZE: u32 = 0x8_0000;
const HAS_DEPTH: u32 = 0x80_0000;

/// Capabilities.
const CAPS_COMPLEX: u32 = 0x8;
const CAPS_TEXTURE: u32 = 0x1000;
const CAPS_MIPMAP: u32 = 0x40_0000;
const CAPS2_VOLUME: u32 = 0x20_0000;

/// Flags of the pixel format.
const ALPHA_PIXELS: u32 = 0x1;
const ALPHA: u32 = 0x2;
const FOUR_CC: u32 = 0x4;
const RGB: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;
const SIGNED: u32 = 0x8_0000;

/// A DX10 header's resource dimension for volumes.
const TEXTURE_3D: u32 = 4;
/// A DX10 header's alpha mode for colour that is multiplied by alpha.
const PREMULTIPLIED: u32 = 2;

pub(crate) fn is_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The header.
#[derive(Debug)]
struct Header {
    format: Format,
    width: u32,
    height: u32,
    /// Slices of a volume; 1 for everything else.
    depth: u32,
    /// Levels, no more than a full chain has.
    mips: u32,
    data_start: u64,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Header, Error> {
        let raw = slice(bytes, 0, HEADER_LEN as u64, "DDS header")?;
        let words: Vec<u32> = raw.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        // Real files have 24 instead of 124, and 0 or 24 instead of 32.
        if !matches!(words[1], 124 | 24) || !matches!(words[19], 32 | 24 | 0) {
            return Err(Error::Malformed(format!(
                "DDS header of size {} with a pixel format of size {}: expected 124 and 32",
                words[1], words[19]
            )));
        }
        let (flags, height, width) = (words[2], words[3], words[4]);
        if width == 0 || height == 0 {
            return Err(Error::Size { width, height });
        }
        let (caps, caps2) = (words[27], words[28]);
        let has_mips = flags & HAS_MIP_COUNT != 0 || caps & (CAPS_COMPLEX | CAPS_MIPMAP) != 0;
        let mut is_volume = caps2 & CAPS2_VOLUME != 0;
        let mut data_start = HEADER_LEN;
        let pixel_format: &[u32; 7] =
            words[20..27].try_into().map_err(|_| Error::Malformed("DDS header".to_owned()))?;
        let format = if pixel_format[1] == u32::from_le_bytes(*b"DX10") && Format::is_four_cc(pixel_format) {
            data_start += DX10_LEN;
            let raw = slice(bytes, HEADER_LEN as u64, DX10_LEN as u64, "DX10 header")?;
            let extra: Vec<u32> = raw.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
            is_volume = extra[1] == TEXTURE_3D;
            Format::of_dxgi(extra[0], extra[4] & 7 == PREMULTIPLIED)?
        } else {
            Format::of_pixel_format(pixel_format)?
        };
        let depth = if is_volume && flags & HAS_DEPTH != 0 { words[6].max(1) } else { 1 };
        let full_chain = width.max(height).max(depth).ilog2() + 1;
        let mips = if has_mips { words[7].clamp(1, full_chain) } else { 1 };
        Ok(Header { format, width, height, depth, mips, data_start: data_start as u64 })
    }

    /// The levels of the first face, element or slice.
    fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        let mut start = self.data_start;
        (0..self.mips).map(move |mip| {
            let [width, height, depth] =
                [self.width, self.height, self.depth].map(|side| (side >> mip).max(1));
            let len = self.format.level_len(width, height);
            let level = Level { width, height, start, len };
            start = start.saturating_add(len.saturating_mul(u64::from(depth)));
            level
        })
    }

    fn info(&self, bytes: &[u8]) -> Info {
        let is_inside = |level: &Level| level.bytes(bytes).is_ok();
        Info {
            container: Container::Dds,
            encoding: self.format.encoding(),
            has_alpha: self.format.has_alpha(),
            width: self.width,
            height: self.height,
            mips: self.levels().take_while(is_inside).count() as u32,
        }
    }
}

/// The offset of a level.
#[derive(Debug, Clone, Copy)]
struct Level {
    width: u32,
    height: u32,
    start: u64,
    len: u64,
}

impl Level {
    fn bytes<'a>(&self, file: &'a [u8]) -> Result<&'a [u8], Error> {
        slice(file, self.start, self.len, "DDS level")
    }
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    Header::parse(bytes).map(|header| header.info(bytes))
}

pub(crate) fn decode(bytes: &[u8], levels: Levels, budget: &mut Budget) -> Result<Texture, Error> {
    let header = Header::parse(bytes)?;
    let decode = |level: Level| {
        let data = level.bytes(bytes)?;
        budget.take(level.width, level.height)?;
        header.format.decode(data, level.width, level.height)
    };
    let info = header.info(bytes);
    let wanted = levels.of(&info);
    Texture::collect(info, header.levels().take(wanted.end).skip(wanted.start).map(decode))
}

/// The pixel format of a written DDS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DdsFormat {
    /// DXT1: half a byte per pixel; alpha is on or off, and transparent pixels lose their colour.
    Bc1,
    /// DXT5: a byte per pixel with smooth alpha.
    Bc3,
    /// A8R8G8B8: four bytes per pixel, lossless.
    Rgba,
}

/// Writes a DDS with a DirectX 9 header, which old games need, and the levels given. Use [`Image::into_mips`]
/// for a full chain, or a single level for none.
///
/// # Errors
/// [`Error::Chain`] if the levels do not halve.
pub fn encode_dds(mips: &[Image], format: DdsFormat) -> Result<Vec<u8>, Error> {
    let top = check_chain(mips)?;
    let mut out = written_header(top, mips.len() as u32, format);
    for image in mips {
        match format {
            DdsFormat::Bc1 => encode_blocks(image, &mut out, encode_bc1),
            DdsFormat::Bc3 => encode_blocks(image, &mut out, encode_bc3),
            DdsFormat::Rgba => out.extend(image.iter().flat_map(|[r, g, b, a]| [b, g, r, a])),
        }
    }
    Ok(out)
}

fn written_header(top: &Image, mips: u32, format: DdsFormat) -> Vec<u8> {
    let (width, height) = (top.width(), top.height());
    let blocks = width.div_ceil(4).saturating_mul(height.div_ceil(4));
    let (pitch_flag, pitch, pixel_format) = match format {
        DdsFormat::Bc1 => (HAS_LINEAR_SIZE, blocks.saturating_mul(8), compressed(b"DXT1")),
        DdsFormat::Bc3 => (HAS_LINEAR_SIZE, blocks.saturating_mul(16), compressed(b"DXT5")),
        DdsFormat::Rgba => {
            let masks = [RGB | ALPHA_PIXELS, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
            (HAS_PITCH, width.saturating_mul(4), masks)
        }
    };
    let (mip_flag, mip_caps) = if mips > 1 { (HAS_MIP_COUNT, CAPS_COMPLEX | CAPS_MIPMAP) } else { (0, 0) };
    let flags = HAS_CAPS_SIZE_AND_FORMAT | pitch_flag | mip_flag;
    let mut words = vec![124, flags, height, width, pitch, 0, mips];
    words.extend([0; 11]);
    words.push(32);
    words.extend(pixel_format);
    words.extend([CAPS_TEXTURE | mip_caps, 0, 0, 0, 0]);
    let mut out = MAGIC.to_vec();
    out.extend(words.into_iter().flat_map(u32::to_le_bytes));
    out
}

fn compressed(code: &[u8; 4]) -> [u32; 7] {
    [FOUR_CC, u32::from_le_bytes(*code), 0, 0, 0, 0, 0]
}

/// Appends the blocks of a picture. Pixels beyond its edge repeat the last row and column.
fn encode_blocks<const LEN: usize>(
    image: &Image,
    out: &mut Vec<u8>,
    encode: fn(&[[u8; 4]; 16]) -> [u8; LEN],
) {
    let rows: Vec<&[[u8; 4]]> = image.rows().collect();
    let last = (rows.len() - 1, image.width() as usize - 1);
    for top in (0..rows.len()).step_by(4) {
        for left in (0..=last.1).step_by(4) {
            let texels = std::array::from_fn(|index| {
                rows[(top + index / 4).min(last.0)][(left + index % 4).min(last.1)]
            });
            out.extend(encode(&texels));
        }
    }
}
