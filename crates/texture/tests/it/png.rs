//! PNG and JPEG files, written by the codecs' own encoders.

use crate::common::{gradient, image, pixels};
use meshwright_texture::{
    Container, Decoder, Encoding, Error, Image, Limits, decode, decode_top, encode_png, info,
};
use png::{BitDepth, ColorType};

/// A PNG of one row as the codec writes it.
fn row(
    colour: ColorType,
    depth: BitDepth,
    width: u32,
    data: &[u8],
    more: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, 1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    more(&mut encoder);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    out
}

#[test]
fn what_is_written_comes_back() {
    let picture = gradient(20, 7);
    let file = encode_png(&picture).unwrap();
    let header = info(&file).unwrap();
    assert_eq!((header.container, header.encoding, header.mips), (Container::Png, Encoding::Plain, 1));
    assert_eq!((header.width, header.height, header.has_alpha), (20, 7, true));
    assert_eq!(decode_top(&file).unwrap(), picture);
}

#[test]
fn an_opaque_picture_is_written_without_alpha() {
    let file = encode_png(&image(1, 1, &[[1, 2, 3, 255]])).unwrap();
    let reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    assert_eq!(reader.info().color_type, ColorType::Rgb);
    assert!(!info(&file).unwrap().has_alpha);
    assert_eq!(decode_top(&file).unwrap().pixels(), [1, 2, 3, 255]);
}

#[test]
fn every_kind_of_colour_becomes_rgba() {
    let grey = row(ColorType::Grayscale, BitDepth::Eight, 2, &[0, 200], |_| {});
    assert_eq!(decode_top(&grey).unwrap().pixels(), [0, 0, 0, 255, 200, 200, 200, 255]);
    // Two bits per pixel, first pixel in the upper ones: 0, 1, 2, 3 of 3.
    let small = row(ColorType::Grayscale, BitDepth::Two, 4, &[0b00_01_10_11], |_| {});
    let greys: Vec<u8> = decode_top(&small).unwrap().iter().map(|[grey, ..]| grey).collect();
    assert_eq!(greys, [0, 85, 170, 255]);
    let grey_alpha = row(ColorType::GrayscaleAlpha, BitDepth::Eight, 1, &[9, 7], |_| {});
    assert_eq!(decode_top(&grey_alpha).unwrap().pixels(), [9, 9, 9, 7]);
    // The upper byte of sixteen bits is kept.
    let deep = row(ColorType::Rgba, BitDepth::Sixteen, 1, &[10, 255, 20, 0, 30, 1, 40, 2], |_| {});
    assert_eq!(decode_top(&deep).unwrap().pixels(), [10, 20, 30, 40]);
}

#[test]
fn palettes_keep_the_alpha_of_their_entries() {
    let file = row(ColorType::Indexed, BitDepth::Eight, 3, &[2, 0, 1], |encoder| {
        encoder.set_palette(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]);
        encoder.set_trns(vec![128, 0]);
    });
    let texture = decode(&file).unwrap();
    assert_eq!((texture.info.encoding, texture.info.has_alpha), (Encoding::Palette, true));
    assert_eq!(pixels(&texture, 0), [[7, 8, 9, 255], [1, 2, 3, 128], [4, 5, 6, 0]]);
}

#[test]
fn a_transparent_colour_becomes_alpha() {
    let file = row(ColorType::Rgb, BitDepth::Eight, 2, &[1, 2, 3, 4, 5, 6], |encoder| {
        encoder.set_trns(vec![0, 4, 0, 5, 0, 6]);
    });
    assert_eq!(decode_top(&file).unwrap().pixels(), [1, 2, 3, 255, 4, 5, 6, 0]);
}

#[test]
fn a_size_that_the_bytes_cannot_hold_is_refused() {
    let mut file = encode_png(&gradient(8, 8)).unwrap();
    // Width and height of the header; its checksum follows, and is repaired.
    file[16..24].copy_from_slice(&[0, 0, 0x3F, 0, 0, 0, 0x3F, 0]);
    let checksum = crc(&file[12..29]);
    file[29..33].copy_from_slice(&checksum.to_be_bytes());
    assert_eq!(decode(&file), Err(Error::Size { width: 0x3F00, height: 0x3F00 }));
    let limits = Limits { max_side: 7, ..Limits::default() };
    let limited = Decoder { limits, ..Decoder::default() }.decode(&encode_png(&gradient(8, 8)).unwrap());
    assert_eq!(limited, Err(Error::Size { width: 8, height: 8 }));
}

#[test]
fn damaged_pictures_are_errors() {
    let file = encode_png(&gradient(8, 8)).unwrap();
    for len in 8..file.len() - 12 {
        assert!(matches!(decode(&file[..len]), Err(Error::Codec { codec: "PNG", .. })), "{len} bytes");
    }
    let mut changed = file;
    changed[40] ^= 0xFF;
    assert!(decode(&changed).is_err());
}

#[test]
fn jpeg_files_are_read_in_colour_and_in_grey() {
    let encode = |colour, data: &[u8]| {
        let mut out = Vec::new();
        jpeg_encoder::Encoder::new(&mut out, 100).encode(data, 8, 8, colour).unwrap();
        out
    };
    let colour = encode(jpeg_encoder::ColorType::Rgb, &[200, 100, 50].repeat(64));
    let texture = decode(&colour).unwrap();
    assert_eq!((texture.info.container, texture.info.encoding), (Container::Jpeg, Encoding::Jpeg));
    assert_eq!((texture.info.width, texture.info.has_alpha), (8, false));
    let close = |image: &Image, wanted: [u8; 4]| {
        image.iter().all(|pixel| pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 2))
    };
    assert!(close(&texture.mips[0], [200, 100, 50, 255]), "{texture:?}");
    let grey = decode_top(&encode(jpeg_encoder::ColorType::Luma, &[77; 64])).unwrap();
    assert!(close(&grey, [77, 77, 77, 255]), "{grey:?}");
}

/// The checksum of a PNG chunk.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    !crc
}
