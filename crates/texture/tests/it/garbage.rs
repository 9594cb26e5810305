//! No bytes make a decoder panic, hang or take memory that the bytes do not warrant.

use crate::common::{
    self, FOUR_COMPONENTS, blp1, blp2, dds, four_cc, gradient, jpeg_blp, jpeg_body, jpeg_tables, palette,
    tga, words,
};
use meshwright_texture::{
    DdsFormat, Decoder, Error, Limits, PaletteAlpha, decode, decode_top, encode_blp1_jpeg,
    encode_blp1_palette, encode_dds, encode_png, encode_tga, info,
};
use proptest::prelude::*;

/// Files of every kind, all small.
fn fixtures() -> Vec<Vec<u8>> {
    let mips = gradient(8, 4).into_mips();
    let blocks = [7; 64];
    let mut files = vec![
        encode_blp1_jpeg(&mips, 90).unwrap(),
        jpeg_blp(8, &jpeg_tables(), &jpeg_body(4, FOUR_COMPONENTS)),
        jpeg_blp(0, &[], &[jpeg_tables(), jpeg_body(3, "00 1010 0  110 0  110 0")].concat()),
        blp1(1, 8, (2, 2), &[(1180, 8), (1180, 2)], &[palette(&[[1, 2, 3]]), vec![0; 8]].concat()),
        [b"BLP0".as_slice(), &words(&[1, 0, 2, 1, 5, 1]), &palette(&[])].concat(),
        blp2([1, 1, 8, 1], (4, 4), &palette(&[]), &blocks),
        blp2([3, 8, 2, 1], (4, 4), &[], &blocks),
        tga(1, Some((0, 24, &[9; 30])), (4, 4), 8, 0x30, &[3; 16]),
        tga(2, None, (4, 4), 16, 0, &[3; 32]),
        tga(3, None, (4, 4), 8, 0x10, &[3; 16]),
        tga(9, Some((0, 32, &[9; 40])), (4, 4), 8, 0, &[0x8F, 1]),
        tga(10, None, (4, 4), 32, 8, &[0x83, 1, 2, 3, 4, 0x8B, 4, 5, 6, 7]),
        tga(11, None, (4, 4), 16, 8, &[0x8F, 1, 2]),
        encode_tga(&mips[0]).unwrap(),
        encode_png(&mips[0]).unwrap(),
        [jpeg_tables(), jpeg_body(3, "00 1010 0  110 0  110 0")].concat(),
    ];
    files.extend(
        [PaletteAlpha::One, PaletteAlpha::Four].map(|alpha| encode_blp1_palette(&mips, alpha).unwrap()),
    );
    files.extend([0, 1, 7].map(|alpha_type| blp2([2, 8, alpha_type, 1], (8, 8), &[], &blocks)));
    files.extend(
        [DdsFormat::Bc1, DdsFormat::Bc3, DdsFormat::Rgba].map(|format| encode_dds(&mips, format).unwrap()),
    );
    for code in [b"DXT2", b"DXT4", b"RXGB", b"ATI1", b"ATI2", b"BC4S", b"BC5S", b"q\0\0\0"] {
        files.push(dds((8, 8), 1, four_cc(code), 0, &[0x5A; 512]));
    }
    for dxgi in [2, 13, 24, 56, 71, 84, 95, 98] {
        let header = words(&[dxgi, 3, 0, 1, 0]);
        files.push(dds((4, 4), 1, four_cc(b"DX10"), 0, &[header, vec![0xA5; 256]].concat()));
    }
    files.push(dds((4, 4), 3, [0x40, 0, 16, 0x7C00, 0x3E0, 0x1F, 0], 0, &blocks));
    files.push(dds((4, 4), 3, [0x40, 0, 32, 0xFF, 0xFF00, 0xFF_0000, 0], common::VOLUME, &[1; 256]));
    files
}

/// A fuzzer's budget: what is asked for must fit in a megabyte.
const SMALL: Limits = Limits { max_side: 1024, max_pixels: 1 << 18 };

/// Calls every reader and checks what may be expected of any answer.
fn read(bytes: &[u8]) {
    for assume_tga in [false, true] {
        let decoder = Decoder { assume_tga, limits: SMALL };
        let header = decoder.info(bytes);
        let texture = decoder.decode_external(bytes, |level| bytes.get(level..).map(<[u8]>::to_vec));
        if let Ok(texture) = texture {
            assert!(header.is_ok());
            let pixels: usize = texture.mips.iter().map(|mip| mip.iter().len()).sum();
            assert!((1..=1 << 18).contains(&pixels));
            assert!(texture.mips.iter().all(|mip| mip.width().max(mip.height()) <= 1024));
        }
        if let Ok(texture) = decoder.decode(bytes) {
            assert_eq!(decoder.decode_top(bytes).as_ref(), Ok(&texture.mips[0]));
        }
    }
}

#[test]
fn every_fixture_is_read() {
    for (index, file) in fixtures().iter().enumerate() {
        let texture = Decoder::default().decode_external(file, |level| Some(vec![0; 2 >> level]));
        assert!(
            texture.as_ref().is_ok_and(|texture| !texture.mips.is_empty()),
            "fixture {index}: {texture:?}"
        );
    }
}

#[test]
fn every_length_of_every_fixture() {
    for file in fixtures() {
        for len in 0..file.len() {
            read(&file[..len]);
        }
    }
}

#[test]
fn a_huge_size_is_refused_before_memory_is_taken() {
    let huge = |result: Result<_, _>| matches!(result, Err(Error::Size { .. } | Error::Truncated { .. }));
    assert!(huge(decode(&blp1(1, 0, (u32::MAX, u32::MAX), &[(1180, 1)], &palette(&[])))));
    assert!(huge(decode(&blp2([2, 8, 7, 0], (u32::MAX, u32::MAX), &[], &[0; 64]))));
    assert!(huge(decode(&dds((u32::MAX, 1 << 20), 1, four_cc(b"DXT1"), 0, &[0; 64]))));
    let assume_tga = Decoder { assume_tga: true, ..Decoder::default() };
    assert!(huge(assume_tga.decode(&tga(10, None, (16_000, 8_000), 24, 0, &[0xFF, 1, 2, 3]))));

    // A frame of 8192 x 8192 in a stream of some hundred bytes.
    let mut body = jpeg_body(4, FOUR_COMPONENTS);
    body[5..9].copy_from_slice(&[0x20, 0, 0x20, 0]);
    assert_eq!(
        decode_top(&jpeg_blp(8, &jpeg_tables(), &body)),
        Err(Error::Size { width: 8192, height: 8192 })
    );
}

#[test]
fn limits_are_the_callers() {
    let file = encode_dds(&gradient(8, 8).into_mips(), DdsFormat::Rgba).unwrap();
    let with = |limits| Decoder { limits, ..Decoder::default() }.decode(&file);
    let too_long = Limits { max_side: 7, ..Limits::default() };
    assert_eq!(with(too_long), Err(Error::Size { width: 8, height: 8 }));
    // Enough for the first level and the second, not for the third.
    let texture = with(Limits { max_pixels: 64 + 16 + 3, ..Limits::default() }).unwrap();
    assert_eq!((texture.mips.len(), texture.broken), (2, Some(Error::Size { width: 2, height: 2 })));
    assert_eq!(info(&file).unwrap().mips, 4);
}

proptest! {
    #[test]
    fn arbitrary_bytes(
        magic in prop::sample::select(vec![&b""[..], b"BLP0", b"BLP1", b"BLP2", b"DDS ", b"\x89PNG\r\n\x1A\n", b"\xFF\xD8\xFF"]),
        rest in prop::collection::vec(any::<u8>(), 0..2000),
    ) {
        read(&[magic, &rest].concat());
    }

    #[test]
    fn mutated_fixtures(
        file in prop::sample::select(fixtures()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        near_start in any::<bool>(),
    ) {
        let mut file = file;
        // Half of the cases change what decides most: the header.
        let reach = if near_start { file.len().min(192) } else { file.len() };
        for (index, value) in changes {
            let index = index.index(reach);
            file[index] = value;
        }
        read(&file);
    }
}
