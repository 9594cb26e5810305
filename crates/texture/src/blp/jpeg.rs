//! JPEG as BLP uses it: four components, blue, green, red and alpha, stored without conversion.
//!
//! Ordinary decoders read four components as CMYK and return RGB with the colour multiplied by alpha, and without alpha.
//! Requesting CMYK returns the components unchanged.

use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, QuantizationTableType};
use zune_jpeg::zune_core::colorspace::ColorSpace;

use crate::{
    Error, Image,
    error::Budget,
    jpeg::{open, options, take_size},
};

const START_OF_IMAGE: [u8; 2] = [0xFF, 0xD8];
const END_OF_IMAGE: [u8; 2] = [0xFF, 0xD9];

fn codec(error: impl ToString) -> Error {
    Error::codec("JPEG", error)
}

/// Decodes the stream that begins with `prefix` and goes on with `body`.
pub(super) fn decode(prefix: &[u8], body: &[u8], budget: &mut Budget) -> Result<Image, Error> {
    // A prefix that is a complete tables-only stream, followed by a complete stream: one end marker and one start marker
    // too many.
    let stream = match (prefix.strip_suffix(&END_OF_IMAGE), body.strip_prefix(&START_OF_IMAGE)) {
        (Some(prefix), Some(body)) => [prefix, body].concat(),
        _ => [prefix, body].concat(),
    };
    let mut decoder = open(&stream)?;
    let info = decoder.info().ok_or_else(|| codec("no frame header"))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    take_size(width, height, &stream, budget)?;

    let four = info.components == 4;
    let colorspace = if four { ColorSpace::CMYK } else { ColorSpace::RGB };
    decoder.set_options(options().jpeg_set_out_colorspace(colorspace));
    let components = decoder.decode().map_err(codec)?;
    let rgba = if four {
        let mut bgra = components;
        for pixel in bgra.as_chunks_mut::<4>().0 {
            pixel.swap(0, 2);
        }
        bgra
    } else {
        components.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
    };
    Image::new(width, height, rgba)
}

/// A picture for the encoder. The trait keeps the components unchanged; the encoder's CMYK input would be inverted.
struct Components<'a> {
    width: u16,
    height: u16,
    rows: Vec<&'a [[u8; 4]]>,
}

impl ImageBuffer for Components<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Cmyk
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        for &[r, g, b, a] in self.rows[usize::from(y)] {
            for (buffer, value) in buffers.iter_mut().zip([b, g, r, a]) {
                buffer.push(value);
            }
        }
    }
}

/// An encoded picture, divided so that the first half is equal for all pictures of the same quality.
pub(super) struct Stream {
    /// Start of image, quantisation and Huffman tables.
    pub(super) tables: Vec<u8>,
    /// Frame header and everything after it.
    pub(super) body: Vec<u8>,
}

/// Encodes with the same, flat quantisation for all components, since none of them is chroma.
pub(super) fn encode(image: &Image, quality: u8) -> Result<Stream, Error> {
    let (width, height) = (image.width(), image.height());
    let (Ok(short_width), Ok(short_height)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(Error::Size { width, height });
    };
    let mut encoded = Vec::new();
    let mut encoder = Encoder::new(&mut encoded, quality);
    encoder.set_quantization_tables(QuantizationTableType::Flat, QuantizationTableType::Flat);
    encoder.set_optimized_huffman_tables(false);
    let components = Components { width: short_width, height: short_height, rows: image.rows().collect() };
    encoder.encode_image(components).map_err(codec)?;
    split(&encoded).ok_or_else(|| codec("the encoder wrote segments out of bounds"))
}

/// Sorts the segments before the scan into tables and the rest, and drops the application segments: the Adobe
/// marker would tell readers that the picture is CMYK.
fn split(encoded: &[u8]) -> Option<Stream> {
    let mut rest = encoded.strip_prefix(&START_OF_IMAGE)?;
    let mut stream = Stream { tables: START_OF_IMAGE.to_vec(), body: Vec::new() };
    loop {
        let &[0xFF, marker, high, low] = rest.first_chunk()? else { return None };
        let (segment, after) = rest.split_at_checked(2 + usize::from(u16::from_be_bytes([high, low])))?;
        match marker {
            0xDA => break,
            0xDB | 0xC4 => stream.tables.extend(segment),
            0xE0..=0xEF => {}
            _ => stream.body.extend(segment),
        }
        rest = after;
    }
    stream.body.extend(rest);
    Some(stream)
}
