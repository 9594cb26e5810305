//! Files put together by hand, field by field.
#![allow(missing_docs, unreachable_pub, reason = "helpers of tests")]

use meshwright_texture::{Image, Texture};

pub fn image(width: u32, height: u32, pixels: &[[u8; 4]]) -> Image {
    Image::new(width, height, pixels.concat()).unwrap()
}

pub fn pixels(texture: &Texture, level: usize) -> Vec<[u8; 4]> {
    texture.mips[level].iter().collect()
}

/// A picture with smooth colour, some noise and varied alpha.
pub fn gradient(width: u32, height: u32) -> Image {
    let pixel = |index: u32| {
        let (x, y) = (index % width, index / width);
        [(x * 255 / width) as u8, (y * 255 / height) as u8, ((x ^ y) * 4) as u8, ((x + y) * 3) as u8]
    };
    image(width, height, &(0..width * height).map(pixel).collect::<Vec<_>>())
}

pub fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn table(entries: &[(u32, u32)]) -> Vec<u8> {
    let column = |pick: fn(&(u32, u32)) -> u32| {
        let mut column: Vec<u32> = entries.iter().map(pick).collect();
        column.resize(16, 0);
        words(&column)
    };
    [column(|entry| entry.0), column(|entry| entry.1)].concat()
}

/// A BLP1 with `content` 0 (JPEG) or 1 (palette); offsets in `entries` count from the start of the file.
pub fn blp1(content: u32, alpha_bits: u32, size: (u32, u32), entries: &[(u32, u32)], rest: &[u8]) -> Vec<u8> {
    let has_mips = u32::from(entries.len() > 1);
    let fields = words(&[content, alpha_bits, size.0, size.1, 4, has_mips]);
    [b"BLP1".as_slice(), &fields, &table(entries), rest].concat()
}

/// A BLP2 with one level right after the table; `kind` is compression, alpha bits, alpha type, has mips.
pub fn blp2(kind: [u8; 4], size: (u32, u32), palette: &[u8], level: &[u8]) -> Vec<u8> {
    let entries = [(148 + palette.len() as u32, level.len() as u32)];
    let head = [b"BLP2".as_slice(), &words(&[1]), &kind, &words(&[size.0, size.1])].concat();
    [head, table(&entries), palette.to_vec(), level.to_vec()].concat()
}

/// 256 colours of which the first are given as red, green, blue.
pub fn palette(colours: &[[u8; 3]]) -> Vec<u8> {
    let mut bytes: Vec<u8> = colours.iter().flat_map(|&[r, g, b]| [b, g, r, 77]).collect();
    bytes.resize(1024, 0);
    bytes
}

/// Start of image, a quantisation table of eights, a DC table that gives the sizes 4, 5, 8 and 0 the codes 00, 01,
/// 10 and 110, and an AC table that knows only "end of block", as 0.
pub fn jpeg_tables() -> Vec<u8> {
    let dqt = [&[0xFF, 0xDB, 0, 67, 0][..], &[8; 64]].concat();
    let dc = [&[0xFF, 0xC4, 0, 23, 0x00][..], &[0, 3, 1], &[0; 13], &[4, 5, 8, 0]].concat();
    let ac = [&[0xFF, 0xC4, 0, 20, 0x10][..], &[1], &[0; 15], &[0]].concat();
    [vec![0xFF, 0xD8], dqt, dc, ac].concat()
}

/// Frame, scan and the bits of one 8 x 8 block for each of `components` components, each block of one value. The
/// DC coefficient of a block full of v is 8 (v - 128), which the quantisation table divides by 8.
pub fn jpeg_body(components: u8, bits: &str) -> Vec<u8> {
    let frame = (1..=components).flat_map(|id| [id, 0x11, 0]);
    let scan = (1..=components).flat_map(|id| [id, 0x00]);
    let mut out = vec![0xFF, 0xC0, 0, 8 + 3 * components, 8, 0, 8, 0, 8, components];
    out.extend(frame);
    out.extend([0xFF, 0xDA, 0, 6 + 2 * components, components]);
    out.extend(scan);
    out.extend([0, 63, 0]);
    let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
    for byte in bits.chunks(8) {
        // The last byte is filled with ones.
        let value = (0..8).fold(0, |value, index| value << 1 | byte.get(index).unwrap_or(&1));
        out.push(value);
        assert_ne!(value, 0xFF, "would need stuffing");
    }
    out.extend([0xFF, 0xD9]);
    out
}

/// Blue 138 (+10), green 148 (+20), red 108 (-20), alpha 0 (-128), each followed by "end of block".
pub const FOUR_COMPONENTS: &str = "00 1010 0  01 10100 0  01 01011 0  10 01111111 0";

/// A BLP1 whose one level is a JPEG, split into shared and own part as given.
pub fn jpeg_blp(alpha_bits: u32, shared: &[u8], level: &[u8]) -> Vec<u8> {
    let offset = 160 + shared.len() as u32;
    let rest = [&words(&[shared.len() as u32]), shared, level].concat();
    blp1(0, alpha_bits, (8, 8), &[(offset, level.len() as u32)], &rest)
}

pub const VOLUME: u32 = 0x20_0000;

/// A DDS; `pixel_format` is flags, FourCC, bits, and the masks of red, green, blue, alpha. A volume is two deep.
pub fn dds(size: (u32, u32), mips: u32, pixel_format: [u32; 7], caps2: u32, data: &[u8]) -> Vec<u8> {
    let (depth_flag, depth) = if caps2 == VOLUME { (0x80_0000, 2) } else { (0, 0) };
    let flags = 0x1007 | depth_flag | if mips > 1 { 0x2_0000 } else { 0 };
    let mut fields = vec![124, flags, size.1, size.0, 0, depth, mips];
    fields.extend([0; 11]);
    fields.push(32);
    fields.extend(pixel_format);
    fields.extend([0x1000, caps2, 0, 0, 0]);
    [b"DDS ".as_slice(), &words(&fields), data].concat()
}

pub fn four_cc(code: &[u8; 4]) -> [u32; 7] {
    [4, u32::from_le_bytes(*code), 0, 0, 0, 0, 0]
}

/// A TGA; `map` is the colour map with its first index and bits per entry.
pub fn tga(
    kind: u8,
    map: Option<(u16, u8, &[u8])>,
    size: (u16, u16),
    bits: u8,
    descriptor: u8,
    data: &[u8],
) -> Vec<u8> {
    let id = b"an id";
    let (first, entry_bits, map) = map.unwrap_or((0, 0, &[]));
    let entries = map.len().checked_div(usize::from(entry_bits.div_ceil(8))).unwrap_or(0) as u16;
    let mut out = vec![id.len() as u8, u8::from(entry_bits > 0), kind];
    for word in [first, entries] {
        out.extend(word.to_le_bytes());
    }
    out.extend([entry_bits, 0, 0, 0, 0]);
    for word in [size.0, size.1] {
        out.extend(word.to_le_bytes());
    }
    out.extend([bits, descriptor]);
    [out, id.to_vec(), map.to_vec(), data.to_vec()].concat()
}
