//! Pictures in motion: APNG, GIF and WebP. Each picture is compressed as soon as it is added.

use meshwright::render::soft::Image;
use meshwright::texture;
use meshwright::texture::quantise;

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
        PictureFormat::Gif => gif(std::iter::once(Ok(image)), 1, 1),
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
        PictureFormat::Gif => gif(images, count, per_second),
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

/// GIF89a. Each picture has its own 256 colours.
fn gif(
    images: impl Iterator<Item = Result<Image, Failure>>,
    count: u32,
    per_second: u32,
) -> Result<Vec<u8>, Failure> {
    let failed = |error: gif::EncodingError| error.to_string();
    let mut delays = gif_delays(count, per_second);
    let mut encoder: Option<gif::Encoder<Vec<u8>>> = None;
    for image in images {
        let image = image?;
        let Some(delay) = delays.next().flatten() else { continue };
        let frame = gif_frame(image, delay)?;
        let encoder = match &mut encoder {
            Some(encoder) => encoder,
            none => {
                let first = gif::Encoder::new(Vec::new(), frame.width, frame.height, &[]).map_err(failed)?;
                let first = none.insert(first);
                first.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
                first
            }
        };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    encoder.ok_or("no frames")?.into_inner().map_err(|error| error.to_string())
}

/// A picture as a frame of a GIF, shown for so many hundredths of a second and cleared before the next one.
fn gif_frame(image: Image, delay: u16) -> Result<gif::Frame<'static>, Failure> {
    let Image { width, height, pixels } = image;
    let side = |side: u32| u16::try_from(side).map_err(|_| format!("{side} pixels are too many for GIF"));
    let (frame_width, frame_height) = (side(width)?, side(height)?);
    let is_clear: Vec<bool> = pixels.as_chunks::<4>().0.iter().map(|[.., alpha]| *alpha < 128).collect();
    let image = texture::Image::new(width, height, pixels).map_err(|error| error.to_string())?;
    let palette = quantise(std::slice::from_ref(&image));
    let mut indices = palette.indices.into_iter().next().unwrap_or_default();
    let transparent = is_clear.contains(&true).then(|| free_color(&palette.colours, &mut indices, &is_clear));
    Ok(gif::Frame {
        delay,
        dispose: gif::DisposalMethod::Background,
        transparent,
        palette: Some(palette.colours.as_flattened().to_vec()),
        ..gif::Frame::from_indexed_pixels(frame_width, frame_height, indices, transparent)
    })
}

/// The shortest delay of a GIF, in hundredths of a second. Viewers show a frame with a shorter one for a tenth of a second.
const MIN_GIF_DELAY: u64 = 2;

/// The delay of each frame of a GIF, in hundredths of a second. `None`: the frame is dropped, and the frame before it is shown longer.
///
/// A frame starts at its time rounded to a hundredth, so that rounding errors do not add up. Above 50 frames a second, a
/// frame is dropped if it would start too early after the frame before it, or too late before the end.
fn gif_delays(count: u32, per_second: u32) -> impl Iterator<Item = Option<u16>> {
    let start = move |frame: u32| start_of(frame, per_second, 100);
    let end = start(count);
    let mut kept: Vec<u32> = Vec::new();
    for frame in 0..count {
        let is_kept = kept.last().is_none_or(|&last| {
            start(frame) - start(last) >= MIN_GIF_DELAY && end - start(frame) >= MIN_GIF_DELAY
        });
        if is_kept {
            kept.push(frame);
        }
    }
    let mut kept = kept.into_iter().peekable();
    (0..count).map(move |frame| {
        kept.next_if_eq(&frame)?;
        let delay = kept.peek().map_or(end, |next| start(*next)) - start(frame);
        Some(u16::try_from(delay.max(MIN_GIF_DELAY)).unwrap_or(u16::MAX))
    })
}

/// The start of a frame, rounded to a tick of the clock.
fn start_of(frame: u32, per_second: u32, ticks_per_second: u32) -> u64 {
    let per_second = u64::from(per_second.max(1));
    (u64::from(frame) * u64::from(ticks_per_second) + per_second / 2) / per_second
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
    for (number, image) in (0..).zip(images) {
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
        let start = |number: u32| start_of(number, per_second, 1000);
        frame.extend(three(u32::try_from(start(number + 1) - start(number)).unwrap_or(u32::MAX)));
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

    fn images() -> Vec<Result<Image, Failure>> {
        let image = |color: [u8; 4]| Ok(Image { width: 3, height: 2, pixels: color.repeat(6) });
        vec![image([255, 0, 0, 255]), image([0, 255, 0, 0])]
    }

    #[test]
    fn files_begin_and_end_as_their_formats_do() {
        let gif = movie(PictureFormat::Gif, images().into_iter(), 2, 25).unwrap();
        assert!(gif.starts_with(b"GIF89a\x03\x00\x02\x00") && gif.ends_with(&[0, 0x3B]));
        let webp = movie(PictureFormat::Webp, images().into_iter(), 2, 25).unwrap();
        assert_eq!(&webp[..4], b"RIFF");
        assert_eq!(u32::from_le_bytes(webp[4..8].try_into().unwrap()) as usize, webp.len() - 8);
        assert_eq!(webp.windows(4).filter(|window| window == b"ANMF").count(), 2);
        let png = movie(PictureFormat::Png, images().into_iter(), 2, 25).unwrap();
        assert_eq!(png.windows(4).filter(|window| window == b"fcTL").count(), 2);
    }

    /// The frames of a GIF, decoded to pixels, with their delays.
    fn decoded_gif(bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.dispose, gif::DisposalMethod::Background);
            frames.push((frame.delay, frame.buffer.to_vec()));
        }
        frames
    }

    #[test]
    fn gif_frames_have_their_colours_and_are_transparent_where_the_picture_is() {
        let half: Vec<u8> = [[10, 20, 30, 255], [200, 100, 50, 127], [0, 0, 0, 128]].as_flattened().repeat(2);
        let images = images().into_iter().chain([Ok(Image { width: 3, height: 2, pixels: half })]);
        let frames = decoded_gif(&movie(PictureFormat::Gif, images, 3, 25).unwrap());
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[0], (4, [255, 0, 0, 255].repeat(6)));
        assert!(frames[1].1.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 0));
        // Pixels below half opacity are transparent, the others opaque.
        let pixels = frames[2].1.as_chunks::<4>().0;
        assert_eq!((pixels[0], pixels[1][3], pixels[2]), ([10, 20, 30, 255], 0, [0, 0, 0, 255]));
    }

    #[test]
    fn a_gif_plays_as_long_as_its_frame_rate_says() {
        // Frames, frames per second, hundredths of a second (100 * frames / rate, rounded), frames that are kept.
        for (count, rate, duration, kept) in [
            (24, 24, 100, 24),
            (25, 25, 100, 25),
            (30, 30, 100, 30),
            (100, 30, 333, 100),
            (50, 50, 100, 50),
            // Of 6 frames in 10 hundredths, those at 0, 1.67, 5 and 6.67 start at least 2 hundredths apart.
            (60, 60, 100, 40),
            (40, 60, 67, 27),
            (100, 100, 100, 50),
            (1, 100, 2, 1),
        ] {
            let image = |_| Ok(Image { width: 1, height: 1, pixels: vec![255; 4] });
            let file = movie(PictureFormat::Gif, (0..count).map(image), count, rate).unwrap();
            let delays: Vec<u16> = decoded_gif(&file).into_iter().map(|(delay, _)| delay).collect();
            assert_eq!(delays.iter().sum::<u16>(), duration, "{count} frames at {rate}: {delays:?}");
            assert_eq!(delays.len(), kept, "{count} frames at {rate}: {delays:?}");
            assert!(delays.iter().all(|delay| *delay >= 2), "{count} frames at {rate}: {delays:?}");
        }
        let delays: Vec<_> = gif_delays(6, 30).collect();
        assert_eq!(delays, [3, 4, 3, 3, 4, 3].map(Some));
        let delays: Vec<_> = gif_delays(6, 60).collect();
        assert_eq!(delays, [Some(2), Some(3), None, Some(2), Some(3), None]);
    }

    #[test]
    fn a_webp_plays_as_long_as_its_frame_rate_says() {
        // 1000 / 60 is 16.67: milliseconds that are rounded down would end 4 % too early.
        for (count, rate, duration) in [(30, 30, 1000), (60, 60, 1000), (24, 24, 1000), (7, 30, 233)] {
            let image = |_| Ok(Image { width: 1, height: 1, pixels: vec![255; 4] });
            let file = movie(PictureFormat::Webp, (0..count).map(image), count, rate).unwrap();
            let decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(file)).unwrap();
            assert_eq!(decoder.loop_duration(), duration, "{count} frames at {rate}");
        }
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
