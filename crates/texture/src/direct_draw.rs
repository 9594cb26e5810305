//! DDS; the layout and its traps are told in the crate documentation.

use dds::{
    Channels, ColorFormat, DataLayout, DataRegion, DecodeOptions, Encoder, Format, ImageView, ImageViewMut,
    PixelInfo, Size, SurfaceDescriptor,
    header::{Dx9Header, Dx9PixelFormat, Header, MaskPixelFormat, ParseOptions, PixelFormatFlags},
};

use crate::{
    Container, Encoding, Error, Image, Info, Levels, Texture, blocks::Bc, error::Budget, pixels::check_chain,
};

const MAGIC: &[u8; 4] = b"DDS ";

pub(crate) fn is_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

fn codec(error: impl ToString) -> Error {
    Error::codec("DDS", error)
}

/// How the pixels of a file are decoded.
#[derive(Debug)]
enum Pixels {
    Block(Bc, AfterBlock),
    Named(Format),
    Masked(MaskPixelFormat),
}

/// What is left to do when the blocks are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AfterBlock {
    Nothing,
    /// DXT2 and DXT4 store colour multiplied by alpha.
    Unmultiply,
    /// "RXGB" stores red in alpha.
    RedFromAlpha,
}

impl Pixels {
    fn of(header: &Header) -> Result<Pixels, Error> {
        let mask = match header {
            Header::Dx9(Dx9Header { pixel_format: Dx9PixelFormat::Mask(mask), .. }) => Some(mask),
            _ => None,
        };
        let format = match (Format::from_header(header), mask) {
            (Ok(_), Some(mask)) if is_grey_with_alpha(mask) => return Ok(Pixels::Masked(mask.clone())),
            (Ok(format), _) => format,
            (Err(_), Some(mask)) if mask_is_usable(mask) => return Ok(Pixels::Masked(mask.clone())),
            (Err(error), _) => return Err(codec(error)),
        };
        Ok(match format {
            Format::BC1_UNORM => Pixels::Block(Bc::Bc1, AfterBlock::Nothing),
            Format::BC2_UNORM => Pixels::Block(Bc::Bc2, AfterBlock::Nothing),
            Format::BC3_UNORM => Pixels::Block(Bc::Bc3, AfterBlock::Nothing),
            Format::BC2_UNORM_PREMULTIPLIED_ALPHA => Pixels::Block(Bc::Bc2, AfterBlock::Unmultiply),
            Format::BC3_UNORM_PREMULTIPLIED_ALPHA => Pixels::Block(Bc::Bc3, AfterBlock::Unmultiply),
            Format::BC3_UNORM_RXGB => Pixels::Block(Bc::Bc3, AfterBlock::RedFromAlpha),
            other => Pixels::Named(other),
        })
    }

    fn layout(&self, header: &Header) -> Result<DataLayout, Error> {
        match self {
            Pixels::Masked(mask) => {
                DataLayout::from_header_with(header, PixelInfo::fixed(pixel_len(mask))).map_err(codec)
            }
            _ => DataLayout::from_header(header).map_err(codec),
        }
    }

    fn encoding(&self) -> Encoding {
        match self {
            Pixels::Block(bc, _) => bc.encoding(),
            Pixels::Masked(_) => Encoding::Plain,
            Pixels::Named(format) => match format {
                Format::BC4_UNORM | Format::BC4_SNORM => Encoding::Bc4,
                Format::BC5_UNORM | Format::BC5_SNORM => Encoding::Bc5,
                Format::BC6H_UF16 | Format::BC6H_SF16 => Encoding::Bc6,
                Format::BC7_UNORM => Encoding::Bc7,
                other if matches!(PixelInfo::from(*other), PixelInfo::Fixed { .. }) => Encoding::Plain,
                _ => Encoding::Other,
            },
        }
    }

    fn has_alpha(&self) -> bool {
        match self {
            Pixels::Block(_, after) => *after != AfterBlock::RedFromAlpha,
            Pixels::Named(format) => matches!(format.channels(), Channels::Rgba | Channels::Alpha),
            Pixels::Masked(mask) => mask.a_bit_mask != 0,
        }
    }

    fn decode(&self, data: &[u8], size: Size, budget: &mut Budget) -> Result<Image, Error> {
        let (width, height) = (size.width, size.height);
        let count = budget.take(width, height)?;
        match self {
            Pixels::Block(bc, after) => {
                let image = bc.decode(data, width, height)?;
                if *after == AfterBlock::Nothing {
                    return Ok(image);
                }
                let mut pixels = image.into_pixels();
                for pixel in pixels.as_chunks_mut::<4>().0 {
                    *pixel = after.apply(*pixel);
                }
                Image::new(width, height, pixels)
            }
            Pixels::Named(format) => {
                let mut pixels = vec![0; count * 4];
                let view = ImageViewMut::new(&mut pixels, size, ColorFormat::RGBA_U8)
                    .ok_or(Error::Size { width, height })?;
                let mut reader = data;
                dds::decode(&mut reader, view, *format, &DecodeOptions::default()).map_err(codec)?;
                Image::new(width, height, pixels)
            }
            Pixels::Masked(mask) => {
                let stored = data.chunks_exact(usize::from(pixel_len(mask)));
                let pixels = stored.flat_map(|bytes| by_mask(bytes, mask)).collect();
                Image::new(width, height, pixels)
            }
        }
    }
}

impl AfterBlock {
    fn apply(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        match self {
            AfterBlock::Nothing => [r, g, b, a],
            AfterBlock::RedFromAlpha => [a, g, b, 255],
            AfterBlock::Unmultiply if a == 0 => [r, g, b, a],
            AfterBlock::Unmultiply => {
                let divide = |c: u8| {
                    let (c, a) = (u32::from(c), u32::from(a));
                    ((c * 255 + a / 2) / a).min(255) as u8
                };
                [divide(r), divide(g), divide(b), a]
            }
        }
    }
}

fn pixel_len(mask: &MaskPixelFormat) -> u8 {
    (mask.rgb_bit_count as u32 / 8) as u8
}

/// A8L8, which the `dds` crate reads as red and green.
fn is_grey_with_alpha(mask: &MaskPixelFormat) -> bool {
    mask.flags == PixelFormatFlags::LUMINANCE | PixelFormatFlags::ALPHAPIXELS
}

/// Whether the masks alone say what a pixel is: not so for palettes, YUV and signed bump maps.
fn mask_is_usable(mask: &MaskPixelFormat) -> bool {
    let plain = PixelFormatFlags::RGB | PixelFormatFlags::LUMINANCE | PixelFormatFlags::ALPHA;
    let known = plain | PixelFormatFlags::ALPHAPIXELS;
    let coloured = mask.r_bit_mask | mask.g_bit_mask | mask.b_bit_mask | mask.a_bit_mask != 0;
    mask.flags.intersects(plain) && known.contains(mask.flags) && coloured
}

fn by_mask(bytes: &[u8], mask: &MaskPixelFormat) -> [u8; 4] {
    let value = bytes.iter().rev().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
    let channel = |mask: u32, absent: u8| {
        if mask == 0 {
            return absent;
        }
        let max = u64::from(mask >> mask.trailing_zeros());
        let stored = u64::from((value & mask) >> mask.trailing_zeros());
        ((stored * 255 + max / 2) / max) as u8
    };
    if mask.flags.contains(PixelFormatFlags::LUMINANCE) {
        // Pillow writes masks that lie outside the pixel; only L8 and A8L8 can be meant.
        let outside = |mask: u32| mask != 0 && u64::from(mask).trailing_zeros() as usize >= bytes.len() * 8;
        let usual = |mask: u32, usual: u32| if outside(mask) { usual } else { mask };
        let grey = channel(usual(mask.r_bit_mask, 0xFF), 0);
        return [grey, grey, grey, channel(usual(mask.a_bit_mask, 0xFF00), 255)];
    }
    [
        channel(mask.r_bit_mask, 0),
        channel(mask.g_bit_mask, 0),
        channel(mask.b_bit_mask, 0),
        channel(mask.a_bit_mask, 255),
    ]
}

/// A parsed header and where its levels lie.
struct File {
    pixels: Pixels,
    /// Offsets count from `data_start`.
    levels: Vec<SurfaceDescriptor>,
    data_start: u64,
}

impl File {
    fn parse(bytes: &[u8]) -> Result<File, Error> {
        let mut reader = bytes;
        let options = ParseOptions::new_permissive(Some(bytes.len() as u64));
        let header = Header::read(&mut reader, &options).map_err(codec)?;
        let pixels = Pixels::of(&header)?;
        let levels = match pixels.layout(&header)? {
            DataLayout::Texture(texture) => texture.iter_mips().collect(),
            DataLayout::Volume(volume) => {
                volume.iter_mips().filter_map(|mip| mip.get_depth_slice(0)).collect()
            }
            DataLayout::TextureArray(array) => match array.get(0) {
                Some(texture) => texture.iter_mips().collect(),
                None => Vec::new(),
            },
        };
        Ok(File { pixels, levels, data_start: (bytes.len() - reader.len()) as u64 })
    }

    fn level_bytes<'a>(&self, bytes: &'a [u8], level: &SurfaceDescriptor) -> Result<&'a [u8], Error> {
        let start = self.data_start.saturating_add(level.data_offset());
        crate::error::slice(bytes, start, level.data_len(), "DDS level")
    }

    fn info(&self, bytes: &[u8]) -> Result<Info, Error> {
        let top = self.levels.first().ok_or(Error::MissingLevel(0))?;
        let mips = self.levels.iter().take_while(|level| self.level_bytes(bytes, level).is_ok()).count();
        Ok(Info {
            container: Container::Dds,
            encoding: self.pixels.encoding(),
            has_alpha: self.pixels.has_alpha(),
            width: top.width(),
            height: top.height(),
            mips: mips as u32,
        })
    }
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    File::parse(bytes)?.info(bytes)
}

pub(crate) fn decode(bytes: &[u8], levels: Levels, budget: &mut Budget) -> Result<Texture, Error> {
    let file = File::parse(bytes)?;
    let decode =
        |level: &SurfaceDescriptor| file.pixels.decode(file.level_bytes(bytes, level)?, level.size(), budget);
    Texture::collect(file.info(bytes)?, file.levels.iter().take(levels.count()).map(decode))
}

/// The pixel format of a written DDS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DdsFormat {
    /// DXT1: half a byte a pixel; alpha is on or off, and transparent pixels lose their colour.
    Bc1,
    /// DXT5: a byte a pixel with smooth alpha.
    Bc3,
    /// A8R8G8B8: four bytes a pixel, lossless.
    Rgba,
}

/// Writes a DDS with a DirectX 9 header, which old games need, and the levels given. Use [`Image::into_mips`]
/// for a full chain, or a single level for none.
///
/// # Errors
/// [`Error::Chain`] if the levels do not halve; [`Error::Codec`] if the encoder fails.
pub fn encode_dds(mips: &[Image], format: DdsFormat) -> Result<Vec<u8>, Error> {
    let top = check_chain(mips)?;
    let format = match format {
        DdsFormat::Bc1 => Format::BC1_UNORM,
        DdsFormat::Bc3 => Format::BC3_UNORM,
        DdsFormat::Rgba => Format::B8G8R8A8_UNORM,
    };
    let header = Header::new_image(top.width(), top.height(), format).with_mipmap_count(mips.len() as u32);
    let header = header.to_dx9().ok_or_else(|| codec("no DirectX 9 header for this format"))?;
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, format, &header.into()).map_err(codec)?;
    for image in mips {
        let size = Size::new(image.width(), image.height());
        let view = ImageView::new(image.pixels(), size, ColorFormat::RGBA_U8)
            .ok_or(Error::Size { width: size.width, height: size.height })?;
        encoder.write_surface(view).map_err(codec)?;
    }
    encoder.finish().map_err(codec)?;
    Ok(out)
}
