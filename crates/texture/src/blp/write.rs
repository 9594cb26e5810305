use super::{BLP1_SHARED_AT, TABLE_LEN, jpeg};
use crate::{
    Error, Image,
    pixels::check_chain,
    quantise::{Palette, quantise},
};

/// How many bits of alpha a palette BLP keeps for each pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaletteAlpha {
    /// Opaque.
    None,
    /// On or off, with a threshold of 128.
    One,
    /// Sixteen steps.
    Four,
    /// Exact.
    Eight,
}

impl PaletteAlpha {
    fn bits(self) -> u32 {
        match self {
            PaletteAlpha::None => 0,
            PaletteAlpha::One => 1,
            PaletteAlpha::Four => 4,
            PaletteAlpha::Eight => 8,
        }
    }

    /// Appends the alphas of a picture, low bits first and packed across rows.
    fn pack(self, image: &Image, out: &mut Vec<u8>) {
        let alphas: Vec<u8> = image.iter().map(|[.., alpha]| alpha).collect();
        match self {
            PaletteAlpha::None => {}
            PaletteAlpha::One => out.extend(alphas.chunks(8).map(|group| {
                group.iter().enumerate().fold(0, |byte, (bit, alpha)| byte | (alpha >> 7) << bit)
            })),
            PaletteAlpha::Four => out.extend(alphas.chunks(2).map(|pair| {
                let nibble = |alpha: u8| ((u32::from(alpha) + 8) / 17) as u8;
                nibble(pair[0]) | pair.get(1).map_or(0, |&alpha| nibble(alpha) << 4)
            })),
            PaletteAlpha::Eight => out.extend(alphas),
        }
    }
}

/// Writes a BLP1 with the levels as JPEG of four components; alpha bits are 8 unless every pixel is opaque.
/// `quality` is 1 to 100; 90 keeps colours within a few steps.
///
/// # Errors
/// [`Error::Chain`] if the levels do not halve, [`Error::Size`] if a side is longer than 65,535.
pub fn encode_blp1_jpeg(mips: &[Image], quality: u8) -> Result<Vec<u8>, Error> {
    let opaque = mips.iter().all(Image::is_opaque);
    let mut shared = Vec::new();
    let mut levels = Vec::new();
    for image in mips.iter().take(TABLE_LEN) {
        let stream = jpeg::encode(image, quality.clamp(1, 100))?;
        shared = stream.tables;
        levels.push(stream.body);
    }
    let mut prefix = (shared.len() as u32).to_le_bytes().to_vec();
    prefix.extend(shared);
    assemble(mips, 0, if opaque { 0 } else { 8 }, &prefix, &levels)
}

/// Writes a BLP1 with 256 colours, chosen for all levels together. Up to 256 different colours are kept exactly.
///
/// # Errors
/// [`Error::Chain`] if the levels do not halve; [`Error::Size`] if the file would outgrow its 32-bit offsets.
pub fn encode_blp1_palette(mips: &[Image], alpha: PaletteAlpha) -> Result<Vec<u8>, Error> {
    let Palette { colours, indices } = quantise(mips);
    let shared: Vec<u8> = colours.iter().flat_map(|&[r, g, b]| [b, g, r, 255]).collect();
    let mut levels = indices;
    for (level, image) in levels.iter_mut().zip(mips) {
        alpha.pack(image, level);
    }
    levels.truncate(TABLE_LEN);
    assemble(mips, 1, alpha.bits(), &shared, &levels)
}

fn assemble(
    mips: &[Image],
    content: u32,
    alpha_bits: u32,
    shared: &[u8],
    levels: &[Vec<u8>],
) -> Result<Vec<u8>, Error> {
    let top = check_chain(mips)?;
    let (width, height) = (top.width(), top.height());
    let mut table = [[0u32; TABLE_LEN]; 2];
    let mut offset = BLP1_SHARED_AT + shared.len();
    for (index, level) in levels.iter().enumerate() {
        let end = offset + level.len();
        u32::try_from(end).map_err(|_| Error::Size { width, height })?;
        (table[0][index], table[1][index]) = (offset as u32, level.len() as u32);
        offset = end;
    }
    // Warcraft III's own files have picture type 4 with alpha and 5 without.
    let picture_type = if alpha_bits == 0 { 5 } else { 4 };
    let has_mips = u32::from(levels.len() > 1);
    let mut out = b"BLP1".to_vec();
    let fields = [content, alpha_bits, width, height, picture_type, has_mips];
    for word in fields.into_iter().chain(table.into_iter().flatten()) {
        out.extend(word.to_le_bytes());
    }
    out.extend(shared);
    out.extend(levels.iter().flatten());
    Ok(out)
}
