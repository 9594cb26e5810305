//! Game textures: BLP, DDS, TGA and PNG to RGBA pixels with mipmaps, and back. JPEG is read.
//!
//! ```
//! use meshwright_texture::{DdsFormat, Image, decode, encode_dds, encode_png};
//!
//! let image = Image::new(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 128])?;
//! let dds = encode_dds(&image.clone().into_mips(), DdsFormat::Rgba)?;
//!
//! let texture = decode(&dds)?;
//! assert_eq!(texture.info.mips, 2);
//! assert_eq!(texture.mips[0], image);
//! let png = encode_png(&texture.mips[0])?;
//! # assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), meshwright_texture::Error>(())
//! ```
//!
//! The format is recognised by content, because extensions can be wrong: `.blp.tga` files exist. TGA has no magic number; its
//! header has to make sense, or the caller asks for it with [`Decoder::assume_tga`].
//!
//! Sizes are checked against [`Limits`] and the bytes at hand before memory is taken. A level below the first that
//! cannot be read ends the chain and is reported in [`Texture::broken`]; a broken first level is an error.
//!
//! # BLP, Blizzard's own
//!
//! ```text
//! BLP0, BLP1                               BLP2
//!   0  "BLP0" or "BLP1"                      0  "BLP2"
//!   4  u32 content: 0 JPEG, 1 palette        4  u32 content: 0 JPEG, 1 the rest
//!   8  u32 alpha bits                        8  u8 compression: 1 palette, 2 S3TC, 3 BGRA
//!  12  u32 width, u32 height                 9  u8 alpha bits
//!  20  u32 picture type, 3 to 5             10  u8 alpha type, for S3TC: 0 DXT1, 1 DXT3, 7 DXT5
//!  24  u32 has mips                         11  u8 has mips
//!  28  u32 offsets[16] (not in BLP0)        12  u32 width, u32 height
//!  92  u32 sizes[16] (not in BLP0)          20  u32 offsets[16], u32 sizes[16]
//! 156  the shared part (28 in BLP0)        148  the shared part
//! ```
//!
//! The shared part is, for JPEG, a `u32` length and the bytes with which the stream of each level begins; else 256
//! colours in the order blue, green, red, unused. A palette level is one index a pixel, then all alphas packed
//! without regard to rows, low bits first. Traps, all from real files:
//!
//! * A level is where the table says. Gaps lie before the first level, levels share an offset, tables have more
//!   entries than there are levels, and the last entries may be nonsense. Sizes may run past the end of the file.
//! * The JPEG has four components: blue, green, red, alpha. No colour transform applies.
//! * A level's size is that of its own JPEG.
//! * Alpha bits of a JPEG may be any number. 0 means opaque even where the fourth component varies.
//! * A shared JPEG part may be empty, or a stream of its own that ends where the level's stream begins anew.
//!
//! BLP0 (beta of Warcraft III) keeps its levels in files of their own, `.b00` and so on; see
//! [`Decoder::decode_external`]. BLP1 is Warcraft III, BLP2 World of Warcraft.
//!
//! # DDS, DirectDraw Surface
//!
//! ```text
//!   0  "DDS "                          76  pixel format: size 32, flags, FourCC, bits, R, G, B, A masks
//!   4  size 124, flags                108  caps (cube map, volume)
//!  12  height, width                  128  DX10 header of 20 bytes if the FourCC is "DX10", then all levels of
//!  28  mip count                           the first face, of the second face, ...
//! ```
//!
//! Read are BC1 to BC7, plain pixels by their masks, and plain pixels of the DX10 header with 8 or 16 bits or a float per channel;
//! not palettes, YUV and ASTC. Traps:
//!
//! * The colour of BC2 and BC3 has four colours whatever the order of its end points, unlike BC1.
//! * Masks do not always have the flag that belongs to them (alpha), and some lie outside the pixel (Pillow's L8).
//! * Old games expect DXT1 and DXT5, not a DX10 header: [`encode_dds`] writes the former.
//! * Of cube maps and arrays the first face is read, of volumes the first slice. BC5 holds X and Y of a normal;
//!   blue is 0. BC4 reads as grey. Floats are clamped to 0 to 1; signed numbers have their 0 at 128.
//!
//! # TGA, Truevision Targa
//!
//! ```text
//!  0  u8   length of the image id        12  u16  width
//!  1  u8   colour map: 0 no, 1 yes       14  u16  height
//!  2  u8   image type                    16  u8   bits per pixel
//!  3  u16  first colour map entry        17  u8   bits 0-3 attribute bits, bit 4 right to left, bit 5 top to bottom
//!  5  u16  colour map length             18       image id, colour map, pixels (BGR)
//!  7  u8   bits per colour map entry
//! ```
//!
//! Types 1, 2 and 3 are colour-mapped, true-colour and grey; 9, 10 and 11 the same run-length encoded. Traps:
//!
//! * There is no magic number; the header fields have to make sense instead.
//! * 32-bit files that declare 0 attribute bits are common, and some of them carry real alpha: the fourth byte is
//!   always taken as alpha. A few files with 8 attribute bits have alpha 0 everywhere; that is left to the caller.
//! * The single attribute bit of 16-bit files is not reliable and reads as opaque.
//! * Interleaving (bits 6 and 7) was dropped in TGA 2.0 and is ignored.

mod blocks;
mod blp;
mod dds;
mod error;
mod jpeg;
mod pixels;
mod png;
mod quantise;
pub mod sample;
mod texture;
mod tga;

use crate::{blp::Source, error::Budget, texture::Levels};
pub use crate::{
    blp::{PaletteAlpha, encode_blp1_jpeg, encode_blp1_palette},
    dds::{DdsFormat, encode_dds},
    error::{Error, Limits},
    pixels::Image,
    png::encode_png,
    quantise::{Palette, quantise},
    texture::{Container, Encoding, Info, Texture},
    tga::encode_tga,
};

/// Reads textures with settings other than the default.
///
/// ```
/// let decoder = meshwright_texture::Decoder { assume_tga: true, ..Default::default() };
/// assert!(matches!(decoder.info(b"short"), Err(meshwright_texture::Error::Truncated { .. })));
/// assert_eq!(meshwright_texture::info(b"short"), Err(meshwright_texture::Error::Unrecognised));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Decoder {
    /// Read bytes of no other known format as TGA, for instance because of the file's extension, and report what is
    /// wrong with them as TGA.
    pub assume_tga: bool,
    /// Limits of memory allocation.
    pub limits: Limits,
}

impl Decoder {
    /// Reads the header only.
    ///
    /// # Errors
    /// If the bytes are no texture or the header is damaged.
    pub fn info(&self, bytes: &[u8]) -> Result<Info, Error> {
        match self.sniff(bytes)? {
            Sniffed::Blp => blp::info(bytes),
            Sniffed::Dds => dds::info(bytes),
            Sniffed::Png => png::info(bytes),
            Sniffed::Jpeg => jpeg::info(bytes),
            Sniffed::Tga => tga::info(bytes),
        }
    }

    /// Decodes all levels.
    ///
    /// # Errors
    /// If the header or the first level cannot be read.
    pub fn decode(&self, bytes: &[u8]) -> Result<Texture, Error> {
        self.decode_levels(bytes, Levels::All, &mut |_| None)
    }

    /// Decodes the first, largest level only.
    ///
    /// # Errors
    /// If the header or the first level cannot be read.
    pub fn decode_top(&self, bytes: &[u8]) -> Result<Image, Error> {
        let texture = self.decode_levels(bytes, Levels::Top, &mut |_| None)?;
        texture.mips.into_iter().next().ok_or(Error::MissingLevel(0))
    }

    /// Decodes the levels whose sides are not longer than `side`, which is faster than decoding all. If a file has no such level,
    /// its smallest one is decoded.
    ///
    /// ```
    /// use meshwright_texture::{DdsFormat, Decoder, Image, encode_dds};
    ///
    /// let image = Image::new(64, 32, vec![200; 64 * 32 * 4])?;
    /// let dds = encode_dds(&image.into_mips(), DdsFormat::Bc1)?;
    /// let texture = Decoder::default().decode_up_to(&dds, 16)?;
    /// assert_eq!((texture.mips[0].width(), texture.mips[0].height()), (16, 8));
    /// # Ok::<(), meshwright_texture::Error>(())
    /// ```
    ///
    /// # Errors
    /// If neither those levels nor the first level can be read.
    pub fn decode_up_to(&self, bytes: &[u8], side: u32) -> Result<Texture, Error> {
        self.decode_levels(bytes, Levels::UpTo(side), &mut |_| None).or_else(|_| self.decode(bytes))
    }

    /// Decodes all levels of a BLP0, whose pixels lie in files beside it: `name.b00` for level 0 and so on.
    /// `external` returns the bytes of such a file. Other formats do not call it.
    ///
    /// # Errors
    /// If the header or the first level cannot be read.
    pub fn decode_external(
        &self,
        bytes: &[u8],
        mut external: impl FnMut(usize) -> Option<Vec<u8>>,
    ) -> Result<Texture, Error> {
        self.decode_levels(bytes, Levels::All, &mut external)
    }

    fn decode_levels(
        &self,
        bytes: &[u8],
        levels: Levels,
        external: &mut dyn FnMut(usize) -> Option<Vec<u8>>,
    ) -> Result<Texture, Error> {
        // A TGA has no magic number, so a Git LFS pointer would be read as one.
        if bytes.starts_with(b"version https://git-lfs") {
            let message = "a Git LFS pointer, not the texture itself: run `git lfs pull` to fetch the file";
            return Err(Error::Malformed(message.to_owned()));
        }
        let mut budget = Budget::new(self.limits);
        match self.sniff(bytes)? {
            Sniffed::Blp => blp::decode(&mut Source { bytes, external }, levels, &mut budget),
            Sniffed::Dds => dds::decode(bytes, levels, &mut budget),
            Sniffed::Png => png::decode(bytes, &mut budget),
            Sniffed::Jpeg => jpeg::decode(bytes, &mut budget),
            Sniffed::Tga => tga::decode(bytes, &mut budget),
        }
    }

    fn sniff(&self, bytes: &[u8]) -> Result<Sniffed, Error> {
        if blp::is_blp(bytes) {
            Ok(Sniffed::Blp)
        } else if dds::is_dds(bytes) {
            Ok(Sniffed::Dds)
        } else if png::is_png(bytes) {
            Ok(Sniffed::Png)
        } else if jpeg::is_jpeg(bytes) {
            Ok(Sniffed::Jpeg)
        } else if self.assume_tga || tga::is_plausible(bytes) {
            Ok(Sniffed::Tga)
        } else {
            Err(Error::Unrecognised)
        }
    }
}

enum Sniffed {
    Blp,
    Dds,
    Png,
    Jpeg,
    Tga,
}

/// Reads the header of a texture with the default [`Decoder`].
///
/// # Errors
/// See [`Decoder::info`].
pub fn info(bytes: &[u8]) -> Result<Info, Error> {
    Decoder::default().info(bytes)
}

/// Decodes all levels of a texture with the default [`Decoder`].
///
/// # Errors
/// See [`Decoder::decode`].
pub fn decode(bytes: &[u8]) -> Result<Texture, Error> {
    Decoder::default().decode(bytes)
}

/// Decodes the first, largest level of a texture with the default [`Decoder`].
///
/// # Errors
/// See [`Decoder::decode_top`].
pub fn decode_top(bytes: &[u8]) -> Result<Image, Error> {
    Decoder::default().decode_top(bytes)
}

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
