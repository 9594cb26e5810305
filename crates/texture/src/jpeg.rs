//! JPEG files. JPEG inside BLP is different: see `blp/jpeg.rs`.

use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

use crate::{Container, Encoding, Error, Image, Info, Texture, error::Budget};

fn codec(error: impl ToString) -> Error {
    Error::codec("JPEG", error)
}

pub(crate) fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xD8, 0xFF])
}

/// Options without the codec's own size limit, which is lower than the caller's budget.
pub(crate) fn options() -> DecoderOptions {
    let side = usize::from(u16::MAX);
    DecoderOptions::default().set_strict_mode(false).set_max_width(side).set_max_height(side)
}

/// A decoder that has read the headers.
pub(crate) fn open(stream: &[u8]) -> Result<JpegDecoder<ZCursor<&[u8]>>, Error> {
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(stream), options());
    decoder.decode_headers().map_err(codec)?;
    Ok(decoder)
}

/// Takes the size of a stream from the budget.
pub(crate) fn take_size(width: u32, height: u32, stream: &[u8], budget: &mut Budget) -> Result<(), Error> {
    // The densest stream is progressive with 2 x 2 subsampling and one bit for each of the 6 blocks of 256 pixels, so
    // more than 512 pixels a byte are impossible.
    if budget.take(width, height)? / 512 > stream.len() {
        return Err(Error::Size { width, height });
    }
    Ok(())
}

pub(crate) fn info(bytes: &[u8]) -> Result<Info, Error> {
    let decoder = open(bytes)?;
    let info = decoder.info().ok_or_else(|| codec("no frame header"))?;
    Ok(Info {
        container: Container::Jpeg,
        encoding: Encoding::Jpeg,
        has_alpha: false,
        width: info.width.into(),
        height: info.height.into(),
        mips: 1,
    })
}

pub(crate) fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Texture, Error> {
    let info = info(bytes)?;
    take_size(info.width, info.height, bytes, budget)?;
    let mut decoder = open(bytes)?;
    // The codec's RGBA output does not write the end of rows of 8 pixels.
    decoder.set_options(options().jpeg_set_out_colorspace(ColorSpace::RGB));
    let rgb = decoder.decode().map_err(codec)?;
    let rgba = rgb.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
    Texture::collect(info, std::iter::once(Image::new(info.width, info.height, rgba)))
}
