//! Game textures: BLP, DDS and TGA to RGBA pixels with mipmaps, and back.
//!
//! ```
//! use texture::{DdsFormat, Image, decode, encode_dds, encode_png};
//!
//! let image = Image::new(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 128])?;
//! let dds = encode_dds(&image.clone().into_mips(), DdsFormat::Rgba)?;
//!
//! let texture = decode(&dds)?;
//! assert_eq!(texture.info.mips, 2);
//! assert_eq!(texture.mips[0], image);
//! let png = encode_png(&texture.mips[0])?;
//! # assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), texture::Error>(())
//! ```
//!
//! The format is recognised by content, because names lie: `.blp.tga` files exist. TGA has no magic number; its
//! header has to make sense, or the caller says so with [`Decoder::assume_tga`].
//!
//! What the formats look like and where their traps are is told in the source of the modules `blp`,
//! `direct_draw` and `tga`; in short:
//!
//! * **BLP0, BLP1** (Warcraft III): a JPEG stream whose four components are blue, green, red and alpha as they
//!   stand, its first bytes shared by all levels; or 256 colours with 0, 1, 4 or 8 bits of alpha. BLP0 keeps its
//!   levels in files of their own, `.b00` and so on: [`Decoder::decode_external`].
//! * **BLP2** (World of Warcraft): S3TC blocks, 256 colours, or BGRA.
//! * **DDS**: S3TC, BC4 to BC7 and plain pixels. Of a cube map or array the first face is read, of a volume the
//!   first slice.
//! * **TGA**: all types, all origins.
//!
//! Sizes are checked against [`Limits`] and the bytes at hand before memory is taken. A level below the first that
//! cannot be read ends the chain and is reported in [`Texture::broken`]; a broken first level is an error.

mod blocks;
mod blp;
mod direct_draw;
mod error;
mod pixels;
mod png;
mod quantise;
mod tga;

use crate::{blp::Source, error::Budget};
pub use crate::{
    blp::{PaletteAlpha, encode_blp1_jpeg, encode_blp1_palette},
    direct_draw::{DdsFormat, encode_dds},
    error::{Error, Limits},
    pixels::Image,
    png::encode_png,
    tga::encode_tga,
};

/// The file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// BLP0, Warcraft III beta; the pixels are in other files.
    Blp0,
    /// BLP1, Warcraft III.
    Blp1,
    /// BLP2, World of Warcraft.
    Blp2,
    /// DirectDraw Surface.
    Dds,
    /// Truevision Targa.
    Tga,
}

/// How pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// JPEG with four raw components (BLP).
    Jpeg,
    /// Indices into a table of colours.
    Palette,
    /// One pixel after the other.
    Plain,
    /// Plain with repeated pixels packed (TGA).
    RunLength,
    /// DXT1.
    Bc1,
    /// DXT2 and DXT3.
    Bc2,
    /// DXT4 and DXT5.
    Bc3,
    /// One channel, ATI1.
    Bc4,
    /// Two channels, ATI2.
    Bc5,
    /// High dynamic range.
    Bc6,
    /// BC7.
    Bc7,
    /// Something rarer that DDS knows.
    Other,
}

/// What the header of a texture says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// The file format.
    pub container: Container,
    /// How pixels are stored.
    pub encoding: Encoding,
    /// Whether the format keeps an alpha; it may still be 255 everywhere, see [`Image::is_opaque`].
    pub has_alpha: bool,
    /// Pixels per row of the first level.
    pub width: u32,
    /// Rows of the first level.
    pub height: u32,
    /// Levels, the first included, whose bytes lie inside the file.
    pub mips: u32,
}

/// A decoded texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// What the header says, except that `width` and `height` are those of `mips[0]`.
    pub info: Info,
    /// The levels from large to small, at least one. Each has its own size: real BLP files hold levels that are
    /// not half their predecessor.
    pub mips: Vec<Image>,
    /// Why there are fewer levels than the header promises, if so.
    pub broken: Option<Error>,
}

/// Which levels to decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Levels {
    All,
    Top,
}

impl Levels {
    /// No format has more than 32 levels: sides are 32-bit numbers.
    fn count(self) -> usize {
        match self {
            Levels::All => 32,
            Levels::Top => 1,
        }
    }
}

/// Reads textures with settings other than the default.
///
/// ```
/// let decoder = texture::Decoder { assume_tga: true, ..Default::default() };
/// assert!(matches!(decoder.info(b"short"), Err(texture::Error::Truncated { .. })));
/// assert_eq!(texture::info(b"short"), Err(texture::Error::Unrecognised));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Decoder {
    /// Take bytes that are neither BLP nor DDS for TGA, say because the file is called so, and report what is
    /// wrong with them as TGA.
    pub assume_tga: bool,
    /// What may be allocated.
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
            Sniffed::Dds => direct_draw::info(bytes),
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
        let mut budget = Budget::new(self.limits);
        match self.sniff(bytes)? {
            Sniffed::Blp => blp::decode(&mut Source { bytes, external }, levels, &mut budget),
            Sniffed::Dds => direct_draw::decode(bytes, levels, &mut budget),
            Sniffed::Tga => tga::decode(bytes, &mut budget),
        }
    }

    fn sniff(&self, bytes: &[u8]) -> Result<Sniffed, Error> {
        if blp::is_blp(bytes) {
            Ok(Sniffed::Blp)
        } else if direct_draw::is_dds(bytes) {
            Ok(Sniffed::Dds)
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
    Tga,
}

impl Texture {
    /// The levels up to the first that failed; the first level must not.
    fn collect(info: Info, images: impl Iterator<Item = Result<Image, Error>>) -> Result<Texture, Error> {
        let mut texture = Texture { info, mips: Vec::new(), broken: None };
        for image in images {
            match image {
                Ok(image) => texture.mips.push(image),
                Err(error) => {
                    texture.broken = Some(error);
                    break;
                }
            }
        }
        match (texture.mips.first(), &texture.broken) {
            (Some(top), _) => {
                (texture.info.width, texture.info.height) = (top.width(), top.height());
                Ok(texture)
            }
            (None, Some(error)) => Err(error.clone()),
            (None, None) => Err(Error::MissingLevel(0)),
        }
    }
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
