//! Types of a texture: its header and its levels.

use std::ops::Range;

use crate::error::Error;
use crate::pixels::Image;

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
    /// Portable Network Graphics.
    Png,
    /// JPEG as a separate file.
    Jpeg,
}

/// How pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// JPEG; in a BLP with four raw components.
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
}

/// The header of a texture.
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
    /// The header, except that `width` and `height` are those of `mips[0]`.
    pub info: Info,
    /// The levels from large to small, at least one. Each has its own size: real BLP files hold levels that are
    /// not half their predecessor.
    pub mips: Vec<Image>,
    /// The reason for missing levels, if there are fewer than in the header.
    pub broken: Option<Error>,
}

/// The levels to decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Levels {
    All,
    Top,
    /// Those whose sides are not longer; the smallest if all are.
    UpTo(u32),
}

impl Levels {
    /// The indices of the selected levels of a file.
    pub(crate) fn of(self, info: &Info) -> Range<usize> {
        // No format has more than 32 levels: sides are 32-bit numbers.
        match self {
            Levels::All => 0..32,
            Levels::Top => 0..1,
            Levels::UpTo(side) => {
                let longest = info.width.max(info.height);
                let is_longer = |level: &u32| longest.checked_shr(*level).unwrap_or(0) > side;
                let longer = (0..info.mips.saturating_sub(1)).take_while(is_longer).count();
                longer..32
            }
        }
    }
}

impl Texture {
    /// The levels up to the first that failed. The first level must not fail.
    pub(crate) fn collect(
        info: Info,
        images: impl Iterator<Item = Result<Image, Error>>,
    ) -> Result<Texture, Error> {
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
