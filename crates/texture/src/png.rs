//! PNG: the picture format of glTF.

use std::io::Cursor;

use crate::{Container, Encoding, Error, Image, Info, Texture, error::Budget};

const MAGIC: &[u8; 8] = b"\x89PNG\r\n\x1A\n";

fn codec(error: impl ToString) -> Error {
    Error::codec("PNG", error)
}

pub(crate) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Writes a PNG: RGB if the picture is opaque, else RGBA.
///
/// # Errors
/// [`Error::Codec`] if the encoder fails.
pub fn encode_png(image: &Image) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, image.width(), image.height());
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    if image.is_opaque() {
        encoder.set_color(png::ColorType::Rgb);
        let rgb: Vec<u8> = image.iter().flat_map(|[r, g, b, _]| [r, g, b]).collect();
        encoder.write_header().and_then(|mut writer| writer.write_image_data(&rgb))
    } else {
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().and_then(|mut writer| writer.write_image_data(image.pixels()))
    }
    .map_err(codec)?;
    Ok(out)
}

type Reader<'a> = png::Reader<Cursor<&'a [u8]>>;

/// Reads everything before the pixels.
fn open(bytes: &[u8]) -> Result<(Reader<'_>, Info), Error> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Palettes become colours, small depths become bytes, and a transparent colour becomes alpha.
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let reader = decoder.read_info().map_err(codec)?;
    let header = reader.info();
    let info = Info {
        container: Container::Png,
        encoding: if header.color_type == png::ColorType::Indexed {
            Encoding::Palette
        } else {
            Encoding::Plain
        },
        has_alpha: header.trns.is_some() || header.color_type.samples() % 2 == 0,
        width: header.width,
        height: header.height,
        mips: 1,
    };
    Ok((reader, info))
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    open(bytes).map(|(_, info)| info)
}

pub(crate) fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Texture, Error> {
    let (mut reader, info) = open(bytes)?;
    let (width, height) = (info.width, info.height);
    let pixels = budget.take(width, height)?;
    // Deflate packs at most 1032 bytes into one; a pixel of one bit is an eighth of a byte.
    if pixels / (1032 * 8) > bytes.len() {
        return Err(Error::Size { width, height });
    }
    let mut stored = vec![0; pixels * 4];
    let frame = reader.next_frame(&mut stored).map_err(codec)?;
    stored.truncate(frame.buffer_size());
    let rgba = match frame.color_type {
        png::ColorType::Grayscale => stored.iter().flat_map(|&l| [l, l, l, 255]).collect(),
        png::ColorType::GrayscaleAlpha => {
            stored.as_chunks().0.iter().flat_map(|&[l, a]| [l, l, l, a]).collect()
        }
        png::ColorType::Rgb => stored.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect(),
        png::ColorType::Rgba => stored,
        png::ColorType::Indexed => return Err(codec("the palette was not expanded")),
    };
    Texture::collect(info, std::iter::once(Image::new(width, height, rgba)))
}
