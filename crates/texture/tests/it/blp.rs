//! BLP files made by hand, read to pixels worked by hand; and our own writer read back.

use crate::common::{
    FOUR_COMPONENTS, blp1, blp2, gradient, image, jpeg_blp, jpeg_body, jpeg_tables, palette, pixels, words,
};
use meshwright_texture::{
    Container, Decoder, Encoding, Error, Image, PaletteAlpha, decode, decode_top, encode_blp1_jpeg,
    encode_blp1_palette, info,
};

const RED: [u8; 3] = [250, 20, 30];
const BLUE: [u8; 3] = [1, 2, 200];

fn two_colours(alpha_bits: u32, size: (u32, u32), level: &[u8]) -> Vec<u8> {
    let rest = [palette(&[RED, BLUE]), level.to_vec()].concat();
    blp1(1, alpha_bits, size, &[(1180, level.len() as u32)], &rest)
}

fn alphas(bytes: &[u8]) -> Vec<u8> {
    decode_top(bytes).unwrap().iter().map(|[.., alpha]| alpha).collect()
}

#[test]
fn palette_colours_are_stored_blue_first() {
    let file = two_colours(0, (2, 2), &[0, 1, 1, 0]);
    let texture = decode(&file).unwrap();
    let (red, blue) = ([250, 20, 30, 255], [1, 2, 200, 255]);
    assert_eq!(pixels(&texture, 0), [red, blue, blue, red]);
    assert_eq!((texture.info.container, texture.info.encoding), (Container::Blp1, Encoding::Palette));
    assert!(!texture.info.has_alpha);
}

#[test]
fn palette_alpha_is_packed_low_bits_first_and_across_rows() {
    let indices = [0; 9];
    let eight = [&indices[..], &[0, 1, 2, 3, 100, 200, 253, 254, 255]].concat();
    assert_eq!(alphas(&two_colours(8, (3, 3), &eight)), [0, 1, 2, 3, 100, 200, 253, 254, 255]);

    // Nine pixels take nine nibbles, the last byte being half used: 15, 0, 8, 1 ... 7.
    let four = [&indices[..], &[0x0F, 0x18, 0x00, 0x00, 0xF7]].concat();
    assert_eq!(alphas(&two_colours(4, (3, 3), &four)), [255, 0, 136, 17, 0, 0, 0, 0, 119]);

    let one = [&indices[..], &[0b1010_0101, 0b1111_1110]].concat();
    assert_eq!(alphas(&two_colours(1, (3, 3), &one)), [255, 0, 255, 0, 0, 255, 0, 255, 0]);
}

#[test]
fn other_palette_alpha_sizes_are_refused() {
    let file = two_colours(3, (1, 1), &[0, 0]);
    assert_eq!(decode(&file), Err(Error::Malformed("BLP palette with alpha bits 3".into())));
}

#[test]
fn a_level_may_lie_inside_the_palette() {
    // 16 pixels that start 16 bytes before the palette ends, where unused colours are zero.
    let file = blp1(1, 0, (4, 4), &[(1164, 16)], &palette(&[RED]));
    assert!(decode_top(&file).unwrap().iter().all(|pixel| pixel == [250, 20, 30, 255]));
}

#[test]
fn the_table_is_read_no_further_than_the_levels_go() {
    // A 2 x 2 picture has two levels. They share an offset; the third entry is nonsense, the sizes run past the end.
    let rest = [palette(&[RED, BLUE]), vec![1, 0, 0, 1]].concat();
    let file = blp1(1, 0, (2, 2), &[(1180, 9999), (1180, u32::MAX), (7, 7)], &rest);
    let texture = decode(&file).unwrap();
    assert_eq!((texture.mips.len(), texture.info.mips), (2, 2));
    assert_eq!(texture.mips[1], image(1, 1, &[[1, 2, 200, 255]]));
    assert_eq!(texture.broken, None);
}

#[test]
fn a_level_beyond_the_end_of_the_file_ends_the_chain() {
    let rest = [palette(&[RED, BLUE]), vec![1, 0, 0, 1]].concat();
    let file = blp1(1, 0, (2, 2), &[(1180, 4), (5000, 1)], &rest);
    assert_eq!(info(&file).unwrap().mips, 1);
    let texture = decode(&file).unwrap();
    assert_eq!(texture.mips.len(), 1);
    let span = 5000..5001;
    assert_eq!(texture.broken, Some(Error::Truncated { what: "BLP level", span, len: file.len() as u64 }));

    let first_missing = blp1(1, 0, (2, 2), &[(0, 0), (1180, 1)], &rest);
    assert_eq!(decode(&first_missing), Err(Error::MissingLevel(0)));
}

#[test]
fn jpeg_components_are_blue_green_red_and_alpha() {
    let body = jpeg_body(4, FOUR_COMPONENTS);
    // Alpha bits may be any number; alpha 0 leaves the colour alone.
    for alpha_bits in [3, 6, 8, 10] {
        let texture = decode(&jpeg_blp(alpha_bits, &jpeg_tables(), &body)).unwrap();
        assert_eq!((texture.info.width, texture.info.height), (8, 8));
        assert_eq!(pixels(&texture, 0), [[108, 148, 138, 0]; 64]);
        assert!(texture.info.has_alpha);
    }
    // No alpha bits: opaque whatever the fourth component says.
    let texture = decode(&jpeg_blp(0, &jpeg_tables(), &body)).unwrap();
    assert_eq!(pixels(&texture, 0), [[108, 148, 138, 255]; 64]);
}

#[test]
fn the_shared_part_of_a_jpeg_may_be_cut_anywhere() {
    let stream = [jpeg_tables(), jpeg_body(4, FOUR_COMPONENTS)].concat();
    for cut in [0, 1, 4, 10, 100, stream.len() - 4] {
        let image = decode_top(&jpeg_blp(8, &stream[..cut], &stream[cut..])).unwrap();
        assert_eq!(image.pixel(7, 7), Some([108, 148, 138, 0]), "cut at {cut}");
    }
}

#[test]
fn a_second_start_of_image_is_dropped_with_the_end_before_it() {
    let shared = [jpeg_tables(), vec![0xFF, 0xD9]].concat();
    let level = [vec![0xFF, 0xD8], jpeg_body(4, FOUR_COMPONENTS)].concat();
    let image = decode_top(&jpeg_blp(8, &shared, &level)).unwrap();
    assert_eq!(image.pixel(0, 0), Some([108, 148, 138, 0]));
}

#[test]
fn a_jpeg_of_three_components_is_ordinary() {
    // Luma 138 with both chromas at their middle: grey.
    let body = jpeg_body(3, "00 1010 0  110 0  110 0");
    let image = decode_top(&jpeg_blp(8, &jpeg_tables(), &body)).unwrap();
    assert!(image.iter().all(|pixel| pixel == [138, 138, 138, 255]));
}

#[test]
fn a_jpeg_level_has_the_size_its_stream_says() {
    let body = jpeg_body(4, FOUR_COMPONENTS);
    let tables = jpeg_tables();
    let rest = [words(&[tables.len() as u32]), tables.clone(), body.clone()].concat();
    let entry = (160 + tables.len() as u32, body.len() as u32);
    let texture = decode(&blp1(0, 8, (16, 16), &[entry, entry], &rest)).unwrap();
    assert_eq!((texture.info.width, texture.info.height), (8, 8));
    assert_eq!((texture.mips[1].width(), texture.mips[1].height()), (8, 8));
}

#[test]
fn a_broken_lower_level_is_reported() {
    let tables = jpeg_tables();
    let body = jpeg_body(4, FOUR_COMPONENTS);
    let rest = [words(&[tables.len() as u32]), tables.clone(), body.clone(), vec![1, 2, 3]].concat();
    let start = 160 + tables.len() as u32;
    let entries = [(start, body.len() as u32), (start + body.len() as u32, 3)];
    let texture = decode(&blp1(0, 8, (8, 8), &entries, &rest)).unwrap();
    assert_eq!((texture.mips.len(), texture.info.mips), (1, 2));
    assert!(matches!(texture.broken, Some(Error::Codec { codec: "JPEG", .. })), "{:?}", texture.broken);
}

#[test]
fn blp0_levels_are_files_of_their_own() {
    let palette_file = [b"BLP0".as_slice(), &words(&[1, 0, 2, 1, 5, 1]), &palette(&[RED, BLUE])].concat();
    assert_eq!(info(&palette_file).unwrap().mips, 2);
    assert_eq!(decode(&palette_file), Err(Error::MissingLevel(0)));
    let levels = [vec![1, 0], vec![0]];
    let texture =
        Decoder::default().decode_external(&palette_file, |level| levels.get(level).cloned()).unwrap();
    assert_eq!(pixels(&texture, 0), [[1, 2, 200, 255], [250, 20, 30, 255]]);
    assert_eq!(pixels(&texture, 1), [[250, 20, 30, 255]]);

    let tables = jpeg_tables();
    let header = words(&[0, 8, 8, 8, 4, 0, tables.len() as u32]);
    let jpeg_file = [b"BLP0".as_slice(), &header, &tables].concat();
    let texture =
        Decoder::default().decode_external(&jpeg_file, |_| Some(jpeg_body(4, FOUR_COMPONENTS))).unwrap();
    assert_eq!(pixels(&texture, 0), [[108, 148, 138, 0]; 64]);
    assert_eq!(texture.info.container, Container::Blp0);
}

/// color0 = 0xF800 (red) > color1 = 0x001F (blue): four colours. Rows use index 0, 1, 2 and 3.
const DXT1_FOUR: [u8; 8] = [0x00, 0xF8, 0x1F, 0x00, 0x00, 0x55, 0xAA, 0xFF];
/// The same colours in the other order: three colours, and index 3 is transparent black.
const DXT1_THREE: [u8; 8] = [0x1F, 0x00, 0x00, 0xF8, 0x00, 0x55, 0xAA, 0xFF];

#[test]
fn blp2_dxt1_worked_by_hand() {
    let file = blp2([2, 1, 0, 0], (4, 4), &[], &DXT1_FOUR);
    let texture = decode(&file).unwrap();
    assert_eq!((texture.info.container, texture.info.encoding), (Container::Blp2, Encoding::Bc1));
    // Index 2 is two thirds of the first colour and one third of the second; index 3 the reverse.
    let expected = [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]];
    for (row, expected) in texture.mips[0].rows().zip(expected) {
        assert_eq!(row, [expected; 4]);
    }

    let transparent = decode_top(&blp2([2, 1, 0, 0], (4, 4), &[], &DXT1_THREE)).unwrap();
    assert_eq!(transparent.pixel(0, 3), Some([0, 0, 0, 0]));
    let opaque = decode_top(&blp2([2, 0, 0, 0], (4, 4), &[], &DXT1_THREE)).unwrap();
    assert_eq!(opaque.pixel(0, 3), Some([0, 0, 0, 255]));
}

#[test]
fn blp2_alpha_type_chooses_the_blocks() {
    let block = [[0xFF; 8], DXT1_THREE].concat();
    let dxt3 = decode(&blp2([2, 8, 1, 0], (4, 4), &[], &block)).unwrap();
    assert_eq!(dxt3.info.encoding, Encoding::Bc2);
    assert_eq!(dxt3.mips[0].pixel(0, 3), Some([170, 0, 85, 255]));
    let dxt5 = decode(&blp2([2, 8, 7, 0], (4, 4), &[], &block)).unwrap();
    assert_eq!(dxt5.info.encoding, Encoding::Bc3);
    // Both alphas are 255 and so not descending: index 7 means 255.
    assert_eq!(dxt5.mips[0].pixel(0, 3), Some([170, 0, 85, 255]));
    let unknown = decode(&blp2([2, 8, 5, 0], (4, 4), &[], &block));
    assert_eq!(unknown, Err(Error::Malformed("BLP alpha type 5".into())));
}

#[test]
fn blp2_palette_and_bgra() {
    let level = [0, 1, 0xF3];
    let file = blp2([1, 4, 8, 0], (2, 1), &palette(&[RED, BLUE]), &level);
    assert_eq!(pixels(&decode(&file).unwrap(), 0), [[250, 20, 30, 51], [1, 2, 200, 255]]);

    let bgra = [1, 2, 3, 4];
    assert_eq!(decode_top(&blp2([3, 8, 2, 0], (1, 1), &[], &bgra)).unwrap().pixels(), [3, 2, 1, 4]);
    assert_eq!(decode_top(&blp2([3, 0, 2, 0], (1, 1), &[], &bgra)).unwrap().pixels(), [3, 2, 1, 255]);
}

/// The largest difference of each channel.
fn difference(a: &Image, b: &Image) -> [u8; 4] {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()));
    a.iter().zip(b.iter()).fold([0; 4], |worst, (a, b)| {
        std::array::from_fn(|channel| worst[channel].max(a[channel].abs_diff(b[channel])))
    })
}

#[test]
fn written_jpeg_keeps_colour_and_alpha_at_every_level() {
    let mips = gradient(40, 24).into_mips();
    let file = encode_blp1_jpeg(&mips, 100).unwrap();
    let texture = decode(&file).unwrap();
    assert_eq!(texture.mips.len(), mips.len());
    for (read, written) in texture.mips.iter().zip(&mips) {
        let worst = difference(read, written);
        assert!(worst.iter().all(|&value| value <= 2), "{worst:?}");
    }
    // Trap: no application markers, so that no reader takes the picture for CMYK. The shared part is the size that
    // thousands of real files have.
    let shared_len = u32::from_le_bytes(file[156..160].try_into().unwrap());
    assert!(shared_len <= 624, "{shared_len}");
    assert!(!file.windows(5).any(|window| window == b"Adobe" || window == b"JFIF\0"));
    assert_eq!(file[8..12], [8, 0, 0, 0]);
}

#[test]
fn written_jpeg_of_an_opaque_picture_has_no_alpha_bits_but_four_components() {
    let file = encode_blp1_jpeg(&[image(1, 1, &[[10, 200, 90, 255]])], 90).unwrap();
    assert!(!info(&file).unwrap().has_alpha);
    // Frame header: marker, length 8 + 3 * 4, precision 8, 1 x 1, four components.
    assert!(file.windows(10).any(|window| window == [0xFF, 0xC0, 0, 20, 8, 0, 1, 0, 1, 4]));
    let [r, g, b, a] = decode_top(&file).unwrap().pixel(0, 0).unwrap();
    assert!(r.abs_diff(10) <= 2 && g.abs_diff(200) <= 2 && b.abs_diff(90) <= 2 && a == 255);
}

#[test]
fn written_palette_is_exact_up_to_256_colours() {
    let colours: Vec<[u8; 4]> =
        (0..=255).map(|index: u8| [index, index.wrapping_mul(7), 255 - index, index]).collect();
    let mips = [image(16, 16, &colours)];
    let exact = decode(&encode_blp1_palette(&mips, PaletteAlpha::Eight).unwrap()).unwrap();
    assert_eq!(exact.mips, mips);

    // Smaller levels have other colours, which must not displace any of the 256 of the first level.
    let chain = mips[0].clone().into_mips();
    let texture = decode(&encode_blp1_palette(&chain, PaletteAlpha::Eight).unwrap()).unwrap();
    assert_eq!((texture.mips.len(), &texture.mips[0]), (5, &mips[0]));
    // Where there is room the smaller levels are exact too.
    let two = image(2, 1, &[[0, 0, 0, 255], [100, 0, 50, 255]]).into_mips();
    let texture = decode(&encode_blp1_palette(&two, PaletteAlpha::None).unwrap()).unwrap();
    assert_eq!(texture.mips, two);

    let alpha = |kind| alphas(&encode_blp1_palette(&mips, kind).unwrap());
    assert!(alpha(PaletteAlpha::None).iter().all(|&alpha| alpha == 255));
    let one: Vec<u8> = (0..=255).map(|index| if index < 128 { 0 } else { 255 }).collect();
    assert_eq!(alpha(PaletteAlpha::One), one);
    for (index, alpha) in alpha(PaletteAlpha::Four).into_iter().enumerate() {
        assert!(alpha % 17 == 0 && alpha.abs_diff(index as u8) <= 8, "{index} became {alpha}");
    }
}

#[test]
fn written_palette_of_many_colours_stays_close() {
    let mips = gradient(128, 128).into_mips();
    let texture = decode(&encode_blp1_palette(&mips, PaletteAlpha::Eight).unwrap()).unwrap();
    assert_eq!(texture.mips.len(), 8);
    let squares = |(a, b): ([u8; 4], [u8; 4])| -> u64 {
        a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(b)).pow(2)).sum()
    };
    let error: u64 = texture.mips[0].iter().zip(mips[0].iter()).map(squares).sum();
    // Pillow's best quantiser, with as many rounds of k-means, is off by 6.73 on this picture.
    let mean = (error as f64 / (128.0 * 128.0 * 3.0)).sqrt();
    assert!(mean < 6.74, "{mean}");
    assert_eq!(difference(&texture.mips[0], &mips[0])[3], 0);
}

#[test]
fn writers_refuse_levels_that_do_not_halve() {
    let mips = [gradient(8, 8), gradient(5, 4)];
    assert_eq!(encode_blp1_jpeg(&mips, 90), Err(Error::Chain { level: 1 }));
    assert_eq!(encode_blp1_palette(&mips, PaletteAlpha::None), Err(Error::Chain { level: 1 }));
    assert_eq!(encode_blp1_jpeg(&[], 90), Err(Error::Chain { level: 0 }));
    assert_eq!(encode_blp1_palette(&[], PaletteAlpha::None), Err(Error::Chain { level: 0 }));
}

#[test]
fn only_the_levels_up_to_a_size_are_decoded() {
    let mips = gradient(32, 8).into_mips();
    let file = encode_blp1_palette(&mips, PaletteAlpha::None).unwrap();
    let decoder = Decoder::default();
    let sizes = |side| {
        let texture = decoder.decode_up_to(&file, side).unwrap();
        assert_eq!(
            (texture.info.width, texture.info.height),
            (texture.mips[0].width(), texture.mips[0].height())
        );
        texture.mips.iter().map(Image::width).collect::<Vec<_>>()
    };
    assert_eq!(sizes(100), [32, 16, 8, 4, 2, 1]);
    assert_eq!(sizes(31), [16, 8, 4, 2, 1]);
    assert_eq!(sizes(8), [8, 4, 2, 1]);
    assert_eq!(sizes(0), [1]);
    assert_eq!(decoder.decode_up_to(&file, 8).unwrap().mips[0], decode(&file).unwrap().mips[2]);
    // A file without smaller levels has only the one.
    let alone = encode_blp1_palette(&mips[..1], PaletteAlpha::None).unwrap();
    assert_eq!(decoder.decode_up_to(&alone, 8).unwrap().mips[0].width(), 32);
    // If the smaller levels cannot be read, the first one is.
    let cut = &file[..file.len() - 20];
    assert_eq!(decoder.decode_up_to(cut, 1).unwrap().mips[0].width(), 32);
}
