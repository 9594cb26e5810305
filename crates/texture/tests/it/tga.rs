//! TGA files made by hand, read to pixels worked by hand; and our own writer read back.

use crate::common::{gradient, image, pixels, tga};
use meshwright_texture::{Container, Decoder, Encoding, Error, decode, decode_top, encode_tga, info};

const TOP_LEFT: u8 = 0x20;

/// Four grey pixels 1, 2, 3, 4 in file order, 2 x 2.
fn origin(descriptor: u8) -> Vec<u8> {
    decode_top(&tga(3, None, (2, 2), 8, descriptor, &[1, 2, 3, 4])).unwrap().iter().map(|[l, ..]| l).collect()
}

#[test]
fn all_four_origins() {
    assert_eq!(origin(0x20), [1, 2, 3, 4], "top left");
    assert_eq!(origin(0x00), [3, 4, 1, 2], "bottom left");
    assert_eq!(origin(0x30), [2, 1, 4, 3], "top right");
    assert_eq!(origin(0x10), [4, 3, 2, 1], "bottom right");
}

#[test]
fn origins_of_colour_mapped_files_turn_pixels_not_bytes() {
    let map: &[u8] = &[10, 20, 30, 40, 50, 60];
    let file = tga(1, Some((0, 24, map)), (2, 1), 8, 0x30, &[0, 1]);
    assert_eq!(pixels(&decode(&file).unwrap(), 0), [[60, 50, 40, 255], [30, 20, 10, 255]]);
}

#[test]
fn true_colour_is_stored_blue_first() {
    let file = tga(2, None, (1, 1), 24, TOP_LEFT, &[1, 2, 3]);
    let texture = decode(&file).unwrap();
    assert_eq!(pixels(&texture, 0), [[3, 2, 1, 255]]);
    assert_eq!((texture.info.container, texture.info.encoding), (Container::Tga, Encoding::Plain));
    assert!(!texture.info.has_alpha);
}

#[test]
fn the_fourth_byte_is_alpha_whatever_the_attribute_bits_say() {
    for attribute_bits in [0, 1, 8] {
        let file = tga(2, None, (1, 1), 32, TOP_LEFT | attribute_bits, &[1, 2, 3, 4]);
        assert_eq!(pixels(&decode(&file).unwrap(), 0), [[3, 2, 1, 4]]);
        assert!(info(&file).unwrap().has_alpha);
    }
    let file = tga(2, None, (1, 1), 24, TOP_LEFT | 8, &[1, 2, 3]);
    assert_eq!(pixels(&decode(&file).unwrap(), 0), [[3, 2, 1, 255]]);
}

#[test]
fn sixteen_bits_are_five_each() {
    // Red 31, green 16, blue 1: 255, 16 * 255 / 31 = 131.6 and 8.2. The top bit means nothing.
    let value: u16 = 31 << 10 | 16 << 5 | 1;
    for (bits, attribute_bits, value) in [(16, 0, value), (16, 1, value | 0x8000), (15, 0, value)] {
        let file = tga(2, None, (1, 1), bits, TOP_LEFT | attribute_bits, &value.to_le_bytes());
        assert_eq!(pixels(&decode(&file).unwrap(), 0), [[255, 132, 8, 255]]);
    }
}

#[test]
fn run_lengths_cross_rows() {
    // A run of three, then two raw pixels, then a run of one, over three rows of two.
    let data = [0x82, 1, 2, 3, 0x01, 4, 5, 6, 7, 8, 9, 0x80, 10, 11, 12];
    let texture = decode(&tga(10, None, (2, 3), 24, TOP_LEFT, &data)).unwrap();
    let run = [3, 2, 1, 255];
    assert_eq!(pixels(&texture, 0), [run, run, run, [6, 5, 4, 255], [9, 8, 7, 255], [12, 11, 10, 255]]);
    assert_eq!(texture.info.encoding, Encoding::RunLength);
}

#[test]
fn grey_with_and_without_alpha() {
    assert_eq!(
        decode_top(&tga(11, None, (2, 1), 8, TOP_LEFT, &[0x81, 7])).unwrap().pixels(),
        [7, 7, 7, 255, 7, 7, 7, 255]
    );
    // Eight attribute bits on eight grey bits occur in game files; the pixels are grey all the same.
    assert_eq!(decode_top(&tga(3, None, (1, 1), 8, TOP_LEFT | 8, &[7])).unwrap().pixels(), [7, 7, 7, 255]);
    assert_eq!(decode_top(&tga(3, None, (1, 1), 16, TOP_LEFT | 8, &[7, 9])).unwrap().pixels(), [7, 7, 7, 9]);
}

#[test]
fn colour_maps_of_every_entry_size() {
    let read = |first, bits, map: &[u8], kind, data: &[u8]| {
        let file = tga(kind, Some((first, bits, map)), (2, 1), 8, TOP_LEFT, data);
        pixels(&decode(&file).unwrap(), 0)
    };
    assert_eq!(read(0, 24, &[1, 2, 3, 4, 5, 6], 1, &[1, 0]), [[6, 5, 4, 255], [3, 2, 1, 255]]);
    assert_eq!(read(0, 32, &[1, 2, 3, 4, 5, 6, 7, 8], 9, &[0x81, 1]), [[7, 6, 5, 8]; 2]);
    assert_eq!(read(0, 16, &[0x00, 0x7C, 0x1F, 0x00], 1, &[0, 1]), [[255, 0, 0, 255], [0, 0, 255, 255]]);
    // The first entry of the map has index 5.
    assert_eq!(read(5, 24, &[1, 2, 3], 1, &[5, 5]), [[3, 2, 1, 255]; 2]);
    let outside = tga(1, Some((0, 24, &[1, 2, 3])), (1, 1), 8, TOP_LEFT, &[1]);
    let message = "TGA colour 1 is not in the colour map, which has 1 from 0 on";
    assert_eq!(decode(&outside), Err(Error::Malformed(message.into())));
    // A true-colour file may carry a map; it is skipped.
    let unused = tga(2, Some((0, 24, &[9, 9, 9])), (1, 1), 24, TOP_LEFT, &[1, 2, 3]);
    assert_eq!(pixels(&decode(&unused).unwrap(), 0), [[3, 2, 1, 255]]);
}

#[test]
fn run_length_packets_may_end_early_or_late() {
    let read = |data: &[u8]| decode(&tga(10, None, (2, 2), 24, TOP_LEFT, data));
    // Three pixels alike, then one by itself; packets cross the end of a row.
    let expected = [[3, 2, 1, 255], [3, 2, 1, 255], [3, 2, 1, 255], [6, 5, 4, 255]];
    assert_eq!(pixels(&read(&[0x82, 1, 2, 3, 0x00, 4, 5, 6]).unwrap(), 0), expected);
    // The last packet says eight pixels where one is left.
    assert_eq!(pixels(&read(&[0x82, 1, 2, 3, 0x87, 4, 5, 6]).unwrap(), 0), expected);
    assert_eq!(pixels(&read(&[0x82, 1, 2, 3, 0x07, 4, 5, 6]).unwrap(), 0), expected);
    // The header is 18 bytes, the id 5.
    let truncated = |span| Error::Truncated { what: "TGA run-length packet", span, len: 23 + 6 };
    assert_eq!(read(&[0x81, 1, 2, 3, 0x01, 4]), Err(truncated(28..34)));
    assert_eq!(read(&[0x81, 1, 2, 3, 0x81, 4]), Err(truncated(28..31)));
}

#[test]
fn without_magic_the_header_must_make_sense() {
    assert_eq!(info(b"just some text, long enough to be a header"), Err(Error::Unrecognised));
    let good = tga(2, None, (2, 2), 24, 0, &[0; 12]);
    assert!(info(&good).is_ok());
    // A file that cannot hold its pixels is TGA only if the caller says so.
    let short = &good[..good.len() - 1];
    assert_eq!(decode(short), Err(Error::Unrecognised));
    let assume = Decoder { assume_tga: true, ..Decoder::default() };
    assert!(matches!(assume.decode(short), Err(Error::Truncated { what: "TGA pixels", .. })));
    let unknown = Error::Malformed("TGA image type 32".into());
    assert_eq!(assume.decode(&[32; 40]), Err(unknown));
}

#[test]
fn written_files_read_back_exactly() {
    let picture = gradient(7, 5);
    let file = encode_tga(&picture).unwrap();
    assert_eq!(file[..18], [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 5, 0, 32, 8]);
    assert_eq!(decode(&file).unwrap().mips, [picture]);

    let opaque = image(1, 2, &[[1, 2, 3, 255], [4, 5, 6, 255]]);
    let file = encode_tga(&opaque).unwrap();
    // The lower row comes first.
    assert_eq!(file[16..], [24, 0, 6, 5, 4, 3, 2, 1]);
    assert_eq!(decode(&file).unwrap().mips, [opaque]);
}
