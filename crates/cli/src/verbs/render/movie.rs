//! Pictures in motion: APNG, GIF and WebP. Each picture is compressed as soon as it is added.

use render::soft::Image;
use texture::quantise;

/// The formats of pictures that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PictureFormat {
    /// PNG; animated as APNG
    Png,
    /// GIF: 256 colours, pixels are transparent or not
    Gif,
    /// WebP, lossless
    Webp,
}

impl PictureFormat {
    /// The format of a file name.
    pub(super) fn of_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "png" | "apng" => Some(Self::Png),
            "gif" => Some(Self::Gif),
            "webp" => Some(Self::Webp),
            _ => None,
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Webp => "webp",
        }
    }
}

/// Why a picture could not be drawn or written.
pub(super) type Failure = String;

/// A single picture as a file.
pub(super) fn still(format: PictureFormat, image: Image) -> Result<Vec<u8>, Failure> {
    match format {
        PictureFormat::Png => {
            let Image { width, height, pixels } = image;
            let image = texture::Image::new(width, height, pixels).map_err(|error| error.to_string())?;
            texture::encode_png(&image).map_err(|error| error.to_string())
        }
        PictureFormat::Gif => gif(std::iter::once(Ok(image)), 1),
        PictureFormat::Webp => {
            let mut out = Vec::new();
            vp8l(&image, &mut out)?;
            Ok(riff(&out))
        }
    }
}

/// Pictures of one size that are shown in turn, again and again. `count` is their number.
pub(super) fn movie(
    format: PictureFormat,
    images: impl Iterator<Item = Result<Image, Failure>>,
    count: u32,
    per_second: u32,
) -> Result<Vec<u8>, Failure> {
    match format {
        PictureFormat::Png => apng(images, count, per_second),
        PictureFormat::Gif => gif(images, per_second),
        PictureFormat::Webp => webp(images, per_second),
    }
}

fn apng(
    images: impl Iterator<Item = Result<Image, Failure>>,
    count: u32,
    per_second: u32,
) -> Result<Vec<u8>, Failure> {
    let failed = |error: png::EncodingError| error.to_string();
    let mut images = images.peekable();
    let (width, height) = match images.peek() {
        Some(Ok(image)) => (image.width, image.height),
        Some(Err(failure)) => return Err(failure.clone()),
        None => return Err("no frames".to_owned()),
    };
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_animated(count, 0).map_err(failed)?;
    encoder.set_frame_delay(1, u16::try_from(per_second).unwrap_or(u16::MAX)).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for image in images {
        writer.write_image_data(&image?.pixels).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(out)
}

/// GIF89a. Every picture has 256 colours of its own.
fn gif(images: impl Iterator<Item = Result<Image, Failure>>, per_second: u32) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    for image in images {
        let Image { width, height, pixels } = image?;
        let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX).to_le_bytes();
        let size = [side(width), side(height)].concat();
        if out.is_empty() {
            out.extend(b"GIF89a");
            out.extend(&size);
            // No colours for all pictures; again and again.
            out.extend([0, 0, 0]);
            out.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00");
        }
        let is_clear: Vec<bool> = pixels.as_chunks::<4>().0.iter().map(|[.., alpha]| *alpha < 128).collect();
        let image = texture::Image::new(width, height, pixels).map_err(|error| error.to_string())?;
        let palette = quantise(std::slice::from_ref(&image));
        let mut indices = palette.indices.into_iter().next().unwrap_or_default();
        let transparent =
            is_clear.contains(&true).then(|| free_color(&palette.colours, &mut indices, &is_clear));
        // Graphic control: clear the picture before the next one; hundredths of a second; the transparent colour.
        let delay = (100 / per_second.max(1)).clamp(1, 1000) as u16;
        out.extend([0x21, 0xF9, 4, 2 << 2 | u8::from(transparent.is_some())]);
        out.extend(delay.to_le_bytes());
        out.extend([transparent.unwrap_or(0), 0]);
        out.push(0x2C);
        out.extend([0; 4]);
        out.extend(&size);
        // 256 colours follow.
        out.push(0x87);
        out.extend(palette.colours.iter().flatten());
        out.push(8);
        for block in lzw(&indices).chunks(255) {
            out.push(block.len() as u8);
            out.extend(block);
        }
        out.push(0);
    }
    out.push(0x3B);
    Ok(out)
}

/// Frees the colour that is used least for the transparent pixels, and gives its other pixels the nearest colour.
fn free_color(colors: &[[u8; 3]; 256], indices: &mut [u8], is_clear: &[bool]) -> u8 {
    let mut counts = [0usize; 256];
    let pixels = || indices.iter().zip(is_clear);
    pixels().filter(|(_, clear)| !**clear).for_each(|(index, _)| counts[usize::from(*index)] += 1);
    let least = (0..=255u8).min_by_key(|at| counts[usize::from(*at)]).unwrap_or(0);
    let distance = |other: u8| {
        let (a, b) = (colors[usize::from(least)], colors[usize::from(other)]);
        a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum::<u32>()
    };
    let nearest = (0..=255u8).filter(|at| *at != least).min_by_key(|at| distance(*at)).unwrap_or(0);
    for (index, clear) in indices.iter_mut().zip(is_clear) {
        if *clear {
            *index = least;
        } else if *index == least {
            *index = nearest;
        }
    }
    least
}

/// The compression of GIF, for pixels of 8 bits: codes for ever longer stretches that came before, from 9 to 12 bits long.
fn lzw(pixels: &[u8]) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    const FIRST: u16 = 258;
    const MOST: u16 = 4096;
    let mut bits = Bits::default();
    let Some((&first, rest)) = pixels.split_first() else { return Vec::new() };
    // The stretches that continue a stretch: the first of them, the next one with the same beginning, and the last pixel.
    let mut child = [0u16; MOST as usize];
    let mut sibling = [0u16; MOST as usize];
    let mut last = [0u8; MOST as usize];
    let (mut next, mut width) = (FIRST, 9);
    bits.push(CLEAR, width);
    let mut stretch = u16::from(first);
    for &pixel in rest {
        let mut longer = child[usize::from(stretch)];
        while longer != 0 && last[usize::from(longer)] != pixel {
            longer = sibling[usize::from(longer)];
        }
        if longer != 0 {
            stretch = longer;
            continue;
        }
        bits.push(stretch, width);
        if next >= 1 << width && width < 12 {
            width += 1;
        }
        if next < MOST {
            let at = usize::from(next);
            (sibling[at], last[at]) = (child[usize::from(stretch)], pixel);
            child[usize::from(stretch)] = next;
            next += 1;
        } else {
            bits.push(CLEAR, width);
            child.fill(0);
            (next, width) = (FIRST, 9);
        }
        stretch = u16::from(pixel);
    }
    bits.push(stretch, width);
    if next >= 1 << width && width < 12 {
        width += 1;
    }
    bits.push(END, width);
    bits.finish()
}

/// Codes of several bits as bytes, the low bits first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    waiting: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, code: u16, width: u32) {
        self.waiting |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.waiting as u8);
            self.waiting >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.waiting as u8);
        }
        self.bytes
    }
}

/// Adds a picture as a chunk of lossless WebP.
fn vp8l(image: &Image, out: &mut Vec<u8>) -> Result<(), Failure> {
    let mut file = Vec::new();
    image_webp::WebPEncoder::new(&mut file)
        .encode(&image.pixels, image.width, image.height, image_webp::ColorType::Rgba8)
        .map_err(|error| error.to_string())?;
    // "RIFF", the size and "WEBP" come before it.
    let chunk = file.get(12..).filter(|chunk| chunk.starts_with(b"VP8L"));
    out.extend(chunk.ok_or("the WebP encoder failed")?);
    Ok(())
}

/// WebP with these chunks.
fn riff(chunks: &[u8]) -> Vec<u8> {
    let size = u32::try_from(chunks.len() + 4).unwrap_or(u32::MAX);
    [b"RIFF", &size.to_le_bytes(), b"WEBP".as_slice(), chunks].concat()
}

fn webp(images: impl Iterator<Item = Result<Image, Failure>>, per_second: u32) -> Result<Vec<u8>, Failure> {
    let mut chunks = Vec::new();
    for image in images {
        let image = image?;
        let three = |value: u32| {
            let [a, b, c, _] = value.to_le_bytes();
            [a, b, c]
        };
        let size = [three(image.width - 1), three(image.height - 1)].concat();
        if chunks.is_empty() {
            // Animated, with alpha; again and again, on no background.
            chunks.extend(b"VP8X\x0A\x00\x00\x00\x12\x00\x00\x00");
            chunks.extend(&size);
            chunks.extend(b"ANIM\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00");
        }
        let mut frame = Vec::new();
        frame.extend([0; 6]);
        frame.extend(&size);
        frame.extend(three(1000 / per_second.max(1)));
        // It replaces the one before.
        frame.push(2);
        vp8l(&image, &mut frame)?;
        let length = u32::try_from(frame.len()).map_err(|error| error.to_string())?;
        chunks.extend(b"ANMF");
        chunks.extend(length.to_le_bytes());
        chunks.append(&mut frame);
    }
    Ok(riff(&chunks))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compression undone, by the rules of GIF89a, appendix F.
    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let (mut at, mut width) = (0, 9);
        let mut table: Vec<Vec<u8>> = Vec::new();
        let mut before: Option<Vec<u8>> = None;
        let mut out = Vec::new();
        loop {
            let bit = |at: usize| usize::from(bytes[at / 8] >> (at % 8) & 1);
            let code: usize = (0..width).map(|bit_at| bit(at + bit_at) << bit_at).sum();
            at += width;
            match code {
                256 => {
                    table = (0..258).map(|byte| vec![byte as u8]).collect();
                    (width, before) = (9, None);
                    continue;
                }
                257 => return out,
                _ => {}
            }
            let stretch = match (table.get(code), &before) {
                (Some(stretch), _) => stretch.clone(),
                (None, Some(before)) => [before.as_slice(), &before[..1]].concat(),
                (None, None) => panic!("no stretch {code}"),
            };
            if let Some(mut before) = before {
                before.push(stretch[0]);
                if table.len() < 4096 {
                    table.push(before);
                }
            }
            if table.len() == 1 << width && width < 12 {
                width += 1;
            }
            out.extend(&stretch);
            before = Some(stretch);
        }
    }

    #[test]
    fn pixels_come_back_from_the_compression_of_gif() {
        let mut seed = 7u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        let noise: Vec<u8> = (0..50_000).map(|_| random()).collect();
        let few: Vec<u8> = noise.iter().map(|value| value % 3).collect();
        for pixels in
            [noise.as_slice(), &few, &[7; 100_000], &[9], &noise[..256], &noise[..255], &few[..5000]]
        {
            assert_eq!(unpacked(&lzw(pixels)), pixels, "{} pixels", pixels.len());
        }
    }

    fn images() -> Vec<Result<Image, Failure>> {
        let image = |color: [u8; 4]| Ok(Image { width: 3, height: 2, pixels: color.repeat(6) });
        vec![image([255, 0, 0, 255]), image([0, 255, 0, 0])]
    }

    #[test]
    fn files_begin_and_end_as_their_formats_do() {
        let gif = movie(PictureFormat::Gif, images().into_iter(), 2, 25).unwrap();
        assert!(gif.starts_with(b"GIF89a\x03\x00\x02\x00") && gif.ends_with(&[0, 0x3B]));
        // Two pictures, the second one transparent, each shown for 4 hundredths of a second.
        let controls: Vec<&[u8]> =
            gif.windows(6).filter(|window| window.starts_with(&[0x21, 0xF9, 4])).collect();
        assert_eq!(controls, [[0x21, 0xF9, 4, 8, 4, 0], [0x21, 0xF9, 4, 9, 4, 0]]);
        let webp = movie(PictureFormat::Webp, images().into_iter(), 2, 25).unwrap();
        assert_eq!(&webp[..4], b"RIFF");
        assert_eq!(u32::from_le_bytes(webp[4..8].try_into().unwrap()) as usize, webp.len() - 8);
        assert_eq!(webp.windows(4).filter(|window| window == b"ANMF").count(), 2);
        let png = movie(PictureFormat::Png, images().into_iter(), 2, 25).unwrap();
        assert_eq!(png.windows(4).filter(|window| window == b"fcTL").count(), 2);
    }

    #[test]
    fn webp_can_be_read_back() {
        let webp = movie(PictureFormat::Webp, images().into_iter(), 2, 25).unwrap();
        let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(webp)).unwrap();
        assert_eq!((decoder.dimensions(), decoder.num_frames()), ((3, 2), 2));
        let mut pixels = [1; 24];
        assert_eq!(decoder.read_frame(&mut pixels).unwrap(), 40);
        assert_eq!(pixels, *[255, 0, 0, 255].repeat(6));
        decoder.read_frame(&mut pixels).unwrap();
        assert_eq!(pixels[3], 0);
    }

    #[test]
    fn an_error_while_drawing_is_passed_on() {
        for format in [PictureFormat::Png, PictureFormat::Gif, PictureFormat::Webp] {
            let images = images().into_iter().chain([Err("no memory".to_owned())]);
            assert_eq!(movie(format, images, 3, 25), Err("no memory".to_owned()));
        }
    }
}
