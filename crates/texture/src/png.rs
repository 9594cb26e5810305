use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};

use crate::{Error, Image};

/// Writes a PNG for glTF: RGB if the picture is opaque, else RGBA.
///
/// # Errors
/// [`Error::Codec`] if the encoder fails.
pub fn encode_png(image: &Image) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let encoder = PngEncoder::new(&mut out);
    let (width, height) = (image.width(), image.height());
    let written = if image.is_opaque() {
        let rgb: Vec<u8> = image.iter().flat_map(|[r, g, b, _]| [r, g, b]).collect();
        encoder.write_image(&rgb, width, height, ExtendedColorType::Rgb8)
    } else {
        encoder.write_image(image.pixels(), width, height, ExtendedColorType::Rgba8)
    };
    written.map_err(|error| Error::codec("PNG", error))?;
    Ok(out)
}
