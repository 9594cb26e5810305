//! Textures that are small and large at once.

use super::bomb::Bomb;
use super::packed::{crc32, zlib_of_zeros};

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    vec![
        Bomb::new("png-huge", "bomb.png", png(16_384, 16_384, 8, 6, &[])),
        Bomb::new("png-bits", "bomb.png", png(65_500, 65_500, 1, 0, &[])),
        Bomb::new("png-header", "bomb.png", png_header(u32::MAX >> 1, u32::MAX >> 1, 8, 6)),
        Bomb::new("png-comments", "bomb.png", {
            let text = [&b"key\0\0"[..], &zlib_of_zeros(300 << 20)].concat();
            png(16, 16, 8, 6, &[chunk(*b"zTXt", &text), chunk(*b"zTXt", &text)])
        }),
        Bomb::new("tga-run-lengths", "bomb.tga", {
            let mut bytes = tga_header(10, 65_535, 65_535);
            bytes.extend([0xFF, 1, 2, 3, 4].repeat(1_000_000));
            bytes
        }),
        Bomb::new("tga-flat", "bomb.tga", flat_tga(16_000, 16_000)),
        Bomb::new("dds-huge", "bomb.dds", dds(65_535, 65_535, 16, 100_000)),
        Bomb::new("dds-blocks", "bomb.dds", dds(8_192, 8_192, 14, 9 << 20)),
        Bomb::new("blp-huge", "bomb.blp", {
            let mut bytes = b"BLP1".to_vec();
            bytes.extend([1u32, 8, 65_535, 65_535, 5, 1].into_iter().flat_map(u32::to_le_bytes));
            bytes.extend([1_180u32; 16].into_iter().flat_map(u32::to_le_bytes));
            bytes.extend([u32::MAX; 16].into_iter().flat_map(u32::to_le_bytes));
            bytes.resize(9 << 20, 7);
            bytes
        }),
        Bomb::new("blp-levels", "bomb.blp", {
            // All levels say that they are the same bytes.
            let mut bytes = b"BLP2".to_vec();
            bytes.extend(1u32.to_le_bytes());
            bytes.extend([2, 8, 7, 1]);
            bytes.extend([4_096u32, 4_096].into_iter().flat_map(u32::to_le_bytes));
            bytes.extend([1_172u32; 16].into_iter().flat_map(u32::to_le_bytes));
            bytes.extend([16u32 << 20; 16].into_iter().flat_map(u32::to_le_bytes));
            bytes.resize(9 << 20, 0x33);
            bytes
        }),
    ]
}

fn tga_header(kind: u8, width: u16, height: u16) -> Vec<u8> {
    let mut header = vec![0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    header.extend(width.to_le_bytes());
    header.extend(height.to_le_bytes());
    header.extend([32, 8]);
    header
}

/// A picture of one colour, in runs.
pub(super) fn flat_tga(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = tga_header(10, width, height);
    let runs = (usize::from(width) * usize::from(height)).div_ceil(128);
    bytes.extend([0xFF, 10, 20, 30, 128].repeat(runs));
    bytes
}

/// A picture that cannot be compressed.
pub(super) fn noise_tga(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = tga_header(2, width, height);
    let mut state = 1u32;
    for _ in 0..usize::from(width) * usize::from(height) {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.extend(state.to_be_bytes());
    }
    bytes
}

fn chunk(kind: [u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let content = [&kind[..], body].concat();
    [&size.to_be_bytes()[..], &content, &crc32(&content).to_be_bytes()].concat()
}

fn png_header(width: u32, height: u32, depth: u8, color: u8) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(*b"IHDR", &header)].concat()
}

/// A black picture.
fn png(width: u32, height: u32, depth: u8, color: u8, others: &[Vec<u8>]) -> Vec<u8> {
    let channels = if color == 6 { 4 } else { 1 };
    let row = 1 + (width as usize * usize::from(depth) * channels).div_ceil(8);
    let data = zlib_of_zeros(row * height as usize);
    let end = [chunk(*b"IDAT", &data), chunk(*b"IEND", &[])].concat();
    [png_header(width, height, depth, color), others.concat(), end].concat()
}

/// BC1 blocks.
fn dds(width: u32, height: u32, mips: u32, length: usize) -> Vec<u8> {
    let mut bytes = b"DDS ".to_vec();
    bytes.extend([124, 0x2_1007, height, width, 0, 0, mips].into_iter().flat_map(u32::to_le_bytes));
    bytes.resize(76, 0);
    bytes.extend([32u32, 4].into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(b"DXT1");
    bytes.resize(108, 0);
    bytes.extend(0x0040_1008_u32.to_le_bytes());
    bytes.resize(128 + length, 0x5A);
    bytes
}
