//! DDS files made by hand, read to pixels worked by hand; and our own writer read back.

use std::slice;

use crate::common::{VOLUME, dds, four_cc, gradient, image, pixels, words};
use meshwright_texture::{
    Container, DdsFormat, Encoding, Error, Image, Texture, decode, decode_top, encode_dds, info,
};

const RGB: u32 = 0x40;
const ALPHA_PIXELS: u32 = 0x1;
const LUMINANCE: u32 = 0x2_0000;

/// One pixel stored in `bits` bits under the masks.
fn masked(flags: u32, bits: u32, masks: [u32; 4], value: u32) -> [u8; 4] {
    let [r, g, b, a] = masks;
    let data = &value.to_le_bytes()[..bits as usize / 8];
    let file = dds((1, 1), 1, [flags, 0, bits, r, g, b, a], 0, data);
    assert_eq!(info(&file).unwrap().encoding, Encoding::Plain);
    assert_eq!(info(&file).unwrap().has_alpha, a != 0);
    decode_top(&file).unwrap().pixel(0, 0).unwrap()
}

#[test]
fn plain_pixels_by_their_masks() {
    let with_alpha = RGB | ALPHA_PIXELS;
    let argb = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
    assert_eq!(masked(with_alpha, 32, argb, 0x0401_0203), [1, 2, 3, 4]);
    assert_eq!(masked(RGB, 32, [0xFF_0000, 0xFF00, 0xFF, 0], 0x0401_0203), [1, 2, 3, 255]);
    assert_eq!(masked(RGB, 24, [0xFF_0000, 0xFF00, 0xFF, 0], 0x01_0203), [1, 2, 3, 255]);
    // 5:6:5 with red 31, green 32, blue 1: 32 * 255 / 63 = 129.5 and 255 / 31 = 8.2.
    let [r, g, b, a] = masked(RGB, 16, [0xF800, 0x07E0, 0x1F, 0], 31 << 11 | 32 << 5 | 1);
    assert!((r, b, a) == (255, 8, 255) && (129..=130).contains(&g));
    assert_eq!(masked(with_alpha, 16, [0x7C00, 0x3E0, 0x1F, 0x8000], 0x801F), [0, 0, 255, 255]);
    assert_eq!(masked(with_alpha, 16, [0x7C00, 0x3E0, 0x1F, 0x8000], 0x7C00), [255, 0, 0, 0]);
    assert_eq!(masked(with_alpha, 16, [0xF00, 0xF0, 0xF, 0xF000], 0x8F10), [255, 17, 0, 136]);
    assert_eq!(masked(LUMINANCE, 8, [0xFF, 0, 0, 0], 9), [9, 9, 9, 255]);
}

#[test]
fn plain_pixels_that_have_no_name() {
    assert_eq!(masked(RGB, 16, [0x7C00, 0x3E0, 0x1F, 0], 0xFC01), [255, 0, 8, 255], "X1R5G5B5");
    assert_eq!(masked(RGB, 32, [0xFF, 0xFF00, 0xFF_0000, 0], 0x0403_0201), [1, 2, 3, 255], "X8B8G8R8");
    let without_flag = masked(RGB, 32, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], 0x0401_0203);
    assert_eq!(without_flag, [1, 2, 3, 4]);
    assert_eq!(masked(LUMINANCE | ALPHA_PIXELS, 16, [0xFF, 0, 0, 0xFF00], 0x0709), [9, 9, 9, 7], "A8L8");
    assert_eq!(masked(LUMINANCE | ALPHA_PIXELS, 8, [0xF, 0, 0, 0xF0], 0x3F), [255, 255, 255, 51], "A4L4");
    let outside = 0xFF00_0000;
    assert_eq!(masked(LUMINANCE, 8, [outside, outside, outside, 0], 9), [9, 9, 9, 255], "Pillow's L8");
    let with_alpha = masked(LUMINANCE | ALPHA_PIXELS, 16, [0xFF, 0xFF, 0xFF, outside], 0x0709);
    assert_eq!(with_alpha, [9, 9, 9, 7], "Pillow's A8L8");
}

/// Blue, red, and two colours between; blue is the smaller number, so DXT1 would use its three-colour mode.
const COLOUR: [u8; 8] = [0x1F, 0x00, 0x00, 0xF8, 0xE4, 0xE4, 0xE4, 0xE4];

#[test]
fn dxt3_and_dxt5_colour_is_always_of_four() {
    let opaque = [255; 8];
    for code in [b"DXT3", b"DXT5"] {
        let file = dds((4, 4), 1, four_cc(code), 0, &[opaque, COLOUR].concat());
        let row = &pixels(&decode(&file).unwrap(), 0)[..4];
        assert_eq!(row, [[0, 0, 255, 255], [255, 0, 0, 255], [85, 0, 170, 255], [170, 0, 85, 255]]);
    }
    let dxt1 = decode_top(&dds((4, 4), 1, four_cc(b"DXT1"), 0, &COLOUR)).unwrap();
    assert_eq!(dxt1.pixel(3, 0), Some([0, 0, 0, 0]));
}

#[test]
fn dxt4_is_divided_by_alpha_and_rxgb_swaps_red() {
    // Alpha 128 everywhere; colour 0x8410 is 16, 32, 16 of 31, 63, 31: 132, 130, 132.
    let block = [[128, 128, 0, 0, 0, 0, 0, 0], [0x10, 0x84, 0x10, 0x84, 0, 0, 0, 0]].concat();
    let straight = decode_top(&dds((4, 4), 1, four_cc(b"DXT5"), 0, &block)).unwrap();
    assert_eq!(straight.pixel(0, 0), Some([132, 130, 132, 128]));
    // 132 * 255 / 128 = 263, which is cut.
    let divided = decode_top(&dds((4, 4), 1, four_cc(b"DXT4"), 0, &block)).unwrap();
    assert_eq!(divided.pixel(0, 0), Some([255, 255, 255, 128]));
    let swapped = decode_top(&dds((4, 4), 1, four_cc(b"RXGB"), 0, &block)).unwrap();
    assert_eq!(swapped.pixel(0, 0), Some([128, 130, 132, 255]));
}

#[test]
fn bc4_is_grey_and_bc5_has_no_blue() {
    // First value 200, second 100, all indices 0, in both halves.
    let half = [200, 100, 0, 0, 0, 0, 0, 0];
    let bc4 = decode(&dds((4, 4), 1, four_cc(b"ATI1"), 0, &half)).unwrap();
    assert_eq!((bc4.info.encoding, pixels(&bc4, 0)), (Encoding::Bc4, vec![[200, 200, 200, 255]; 16]));
    // Signed: 127 is the most, 0 the middle, -127 the least.
    for (stored, low, high) in [(127, 255, 255), (0, 127, 128), (0x81, 0, 0)] {
        let block = [stored, stored, 0, 0, 0, 0, 0, 0];
        let [grey, ..] =
            decode_top(&dds((4, 4), 1, four_cc(b"BC4S"), 0, &block)).unwrap().pixel(0, 0).unwrap();
        assert!((low..=high).contains(&grey), "{stored}: {grey}");
    }
    let other = [50, 10, 0, 0, 0, 0, 0, 0];
    let bc5 = decode(&dds((4, 4), 1, four_cc(b"ATI2"), 0, &[half, other].concat())).unwrap();
    assert_eq!((bc5.info.encoding, pixels(&bc5, 0)), (Encoding::Bc5, vec![[200, 50, 0, 255]; 16]));
}

#[test]
fn bc7_and_srgb_through_the_dx10_header() {
    // Mode 6: six zero bits and a one; then the 7-bit ends of red, green, blue and alpha in pairs, each with the same
    // value twice; then two low bits, 1 and 1; then indices, all 0. So every value is 2 v + 1.
    let mut block = 1u128 << 6;
    for (index, value) in [10u128, 20, 30, 127].into_iter().enumerate() {
        block |= (value | value << 7) << (7 + 14 * index);
    }
    block |= 0b11 << 63;
    let dx10 = words(&[99, 3, 0, 1, 0]); // BC7_UNORM_SRGB, 2D, one texture
    let data = [dx10, block.to_le_bytes().to_vec()].concat();
    let texture = decode(&dds((4, 4), 1, four_cc(b"DX10"), 0, &data)).unwrap();
    assert_eq!(texture.info.encoding, Encoding::Bc7);
    assert_eq!(pixels(&texture, 0), [[21, 41, 61, 255]; 16]);
}

#[test]
fn the_first_face_of_a_cube_map_and_the_first_slice_of_a_volume() {
    let grey = |mips, caps2, data: &[u8]| {
        let format = [LUMINANCE, 0, 8, 0xFF, 0, 0, 0];
        decode(&dds((2, 1), mips, format, caps2, data)).unwrap()
    };
    let bytes: Vec<u8> = (1..=18).collect();
    let levels = |texture: Texture| (pixels(&texture, 0), pixels(&texture, 1));
    let [one, two, three, five] = [1, 2, 3, 5].map(|value| [value, value, value, 255]);
    // Each face is 2 x 1 and its 1 x 1 level.
    assert_eq!(levels(grey(2, 0xFE00, &bytes)), (vec![one, two], vec![three]));
    // Two slices of 2 x 1, then one of 1 x 1.
    assert_eq!(levels(grey(2, VOLUME, &bytes[..5])), (vec![one, two], vec![five]));
}

#[test]
fn missing_levels_end_the_chain() {
    let mips = gradient(8, 8).into_mips();
    let file = encode_dds(&mips, DdsFormat::Rgba).unwrap();
    let cut = &file[..file.len() - 4 - 1];
    let texture = decode(cut).unwrap();
    assert_eq!((texture.mips.as_slice(), texture.info.mips), (&mips[..2], 2));
    assert!(matches!(texture.broken, Some(Error::Truncated { what: "DDS level", .. })));
    assert!(matches!(decode(&file[..200]), Err(Error::Truncated { .. })));
}

#[test]
fn written_files_have_the_old_header_and_all_levels() {
    let mips = gradient(16, 8).into_mips();
    for (format, code, encoding) in [
        (DdsFormat::Bc1, b"DXT1", Encoding::Bc1),
        (DdsFormat::Bc3, b"DXT5", Encoding::Bc3),
        (DdsFormat::Rgba, b"\0\0\0\0", Encoding::Plain),
    ] {
        let file = encode_dds(&mips, format).unwrap();
        assert_eq!(&file[84..88], code);
        assert_eq!(file[28..32], [5, 0, 0, 0]);
        let texture = decode(&file).unwrap();
        assert_eq!((texture.info.container, texture.info.encoding), (Container::Dds, encoding));
        let sizes = |mips: &[Image]| mips.iter().map(|mip| (mip.width(), mip.height())).collect::<Vec<_>>();
        assert_eq!(sizes(&texture.mips), sizes(&mips));
        if format == DdsFormat::Rgba {
            assert_eq!(texture.mips, mips);
        }
    }
}

#[test]
fn written_blocks_keep_plain_colours_and_the_alpha_bit() {
    let half = |index| if index % 4 < 2 { [255, 0, 0, 255] } else { [0, 0, 0, 0] };
    let picture = image(4, 4, &(0..16).map(half).collect::<Vec<_>>());
    for format in [DdsFormat::Bc1, DdsFormat::Bc3] {
        assert_eq!(decode_top(&encode_dds(slice::from_ref(&picture), format).unwrap()).unwrap(), picture);
    }
}

/// One pixel of a DX10 header's format.
fn dxgi(format: u32, data: &[u8]) -> [u8; 4] {
    let file = dds((1, 1), 1, four_cc(b"DX10"), 0, &[&words(&[format, 3, 0, 1, 0]), data].concat());
    decode_top(&file).unwrap().pixel(0, 0).unwrap()
}

#[test]
fn plain_pixels_of_the_dx10_header() {
    assert_eq!(dxgi(28, &[1, 2, 3, 4]), [1, 2, 3, 4], "R8G8B8A8_UNORM");
    assert_eq!(dxgi(91, &[3, 2, 1, 4]), [1, 2, 3, 4], "B8G8R8A8_UNORM_SRGB");
    assert_eq!(dxgi(88, &[3, 2, 1, 4]), [1, 2, 3, 255], "B8G8R8X8_UNORM");
    assert_eq!(dxgi(61, &[9]), [9, 9, 9, 255], "R8_UNORM");
    assert_eq!(dxgi(65, &[9]), [0, 0, 0, 9], "A8_UNORM");
    assert_eq!(dxgi(49, &[1, 2]), [1, 2, 0, 255], "R8G8_UNORM");
    assert_eq!(dxgi(115, &[0x10, 0x8F]), [255, 17, 0, 136], "B4G4R4A4_UNORM");
    assert_eq!(dxgi(11, &[0, 1, 0, 2, 0, 3, 0, 4]), [1, 2, 3, 4], "R16G16B16A16_UNORM");
    let halves = [0x3C00u16, 0x3800, 0, 0x3C00].map(u16::to_le_bytes);
    assert_eq!(dxgi(10, &halves.concat()), [255, 128, 0, 255], "R16G16B16A16_FLOAT");
    assert_eq!(dxgi(2, &[1f32, 0.2, -3.0, 7.0].map(f32::to_le_bytes).concat()), [255, 51, 0, 255], "RGBA32F");
    assert_eq!(dxgi(24, &(1023u32 | 3 << 30).to_le_bytes()), [255, 0, 0, 255], "R10G10B10A2_UNORM");
}

#[test]
fn red_and_blue_masks_of_ten_bits_are_exchanged() {
    // Red is in the low bits although its mask says otherwise.
    let masks = [0x3FF0_0000, 0xF_FC00, 0x3FF, 0xC000_0000];
    assert_eq!(masked(RGB | ALPHA_PIXELS, 32, masks, 1023), [255, 0, 0, 0]);
}

#[test]
fn what_is_not_supported_is_named() {
    let unsupported = |what: &str| Err(Error::Unsupported(what.into()));
    assert_eq!(decode(&dds((4, 4), 1, four_cc(b"YUY2"), 0, &[0; 64])), unsupported("DDS FourCC \"YUY2\""));
    let file = dds((4, 4), 1, four_cc(b"DX10"), 0, &words(&[103, 3, 0, 1, 0]));
    assert_eq!(decode(&file), unsupported("DDS with DXGI format 103"));
    let palette = dds((4, 4), 1, [0x20, 0, 8, 0xFF, 0, 0, 0], 0, &[0; 64]);
    let message = "DDS pixel format with flags 0x20, 8 bits and masks 0xff, 0x0, 0x0, 0x0";
    assert_eq!(decode(&palette), unsupported(message));
}

#[test]
fn header_sizes_of_careless_writers_are_accepted() {
    let good = dds((1, 1), 1, four_cc(b"DXT1"), 0, &COLOUR);
    for (at, size) in [(4, 24u32), (76, 24), (76, 0)] {
        let mut file = good.clone();
        file[at..at + 4].copy_from_slice(&size.to_le_bytes());
        assert_eq!(decode(&file), decode(&good));
        file[at..at + 4].copy_from_slice(&100u32.to_le_bytes());
        assert!(matches!(decode(&file), Err(Error::Malformed(_))));
    }
    // No flag says that the FourCC counts, but nothing else does.
    let mut file = good.clone();
    file[80] = 0;
    assert_eq!(decode(&file), decode(&good));
}

#[test]
fn the_written_header_is_that_of_direct_x_9() {
    let mips = gradient(8, 4).into_mips();
    let words = |file: &[u8]| -> Vec<u32> {
        file[..128].as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
    };
    let written = words(&encode_dds(&mips, DdsFormat::Bc3).unwrap());
    // Size, flags (caps, height, width, pixel format, mip count, linear size), height, width, linear size, depth, mips.
    assert_eq!(written[1..8], [124, 0xA_1007, 4, 8, 32, 0, 4]);
    assert_eq!(written[19..27], [32, 4, u32::from_le_bytes(*b"DXT5"), 0, 0, 0, 0, 0]);
    // Complex, texture, mipmaps.
    assert_eq!(written[27..], [0x40_1008, 0, 0, 0, 0]);
    let single = words(&encode_dds(&mips[..1], DdsFormat::Rgba).unwrap());
    assert_eq!(single[1..8], [124, 0x100F, 4, 8, 32, 0, 1]);
    assert_eq!(single[19..28], [32, 0x41, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000, 0x1000]);
}
