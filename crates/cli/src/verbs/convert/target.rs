//! What `convert` writes, and the options for textures.

use clap::{Args, ValueEnum};
use model::{FORMATS, Format};

/// What `--to` names, or the extension of OUT.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Model(&'static Format),
    Texture(TextureFormat),
}

/// A picture format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureFormat {
    Blp,
    Dds,
    Tga,
    Png,
}

impl TextureFormat {
    const ALL: [Self; 4] = [Self::Blp, Self::Dds, Self::Tga, Self::Png];

    /// Its name, which is its extension too.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Blp => "blp",
            Self::Dds => "dds",
            Self::Tga => "tga",
            Self::Png => "png",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Whether files of this format have mipmaps.
    pub(super) const fn has_mips(self) -> bool {
        matches!(self, Self::Blp | Self::Dds)
    }
}

impl Target {
    /// Parses the value of `--to`.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        let model = || Format::named(name).map(Self::Model);
        let texture = || TextureFormat::named(name).map(Self::Texture);
        model().or_else(texture).ok_or_else(|| format!("unknown format; supported: {}", Self::names()))
    }

    /// The names of all formats that are written.
    pub(crate) fn names() -> String {
        let models = FORMATS.iter().map(|format| format.name);
        let names: Vec<_> = models.chain(TextureFormat::ALL.map(TextureFormat::name)).collect();
        names.join(", ")
    }

    /// The format of a file name, by its extension.
    pub(crate) fn of_file_name(name: &str) -> Option<Self> {
        let texture = || TextureFormat::named(name.rsplit_once('.')?.1).map(Self::Texture);
        Format::of_file_name(name).map(Self::Model).or_else(texture)
    }

    /// The extension of a file that is written.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Model(format) => format.extensions.first().copied().unwrap_or(format.name),
            Self::Texture(format) => format.name(),
        }
    }
}

/// How a texture is written.
#[derive(Debug, Args)]
pub(crate) struct TextureArgs {
    /// Mipmaps of DDS and BLP
    #[arg(long, value_name = "HOW", default_value = "keep")]
    pub(super) mips: Mips,
    /// Pixel format of DDS
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub(super) dds_format: DdsPixels,
    /// Pixel format of BLP
    #[arg(long, value_name = "FORMAT", default_value = "jpeg")]
    pub(super) blp_format: BlpPixels,
    /// Quality of JPEG inside BLP, from 1 to 100
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(super) quality: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Mips {
    /// Those of the input; generated for PNG, TGA and JPEG, which have none
    Keep,
    /// Generate all from the largest level
    Generate,
    /// Only the largest level
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DdsPixels {
    /// BC1 if the picture is opaque, else BC3
    Auto,
    /// DXT1: half a byte per pixel, alpha on or off
    Bc1,
    /// DXT5: a byte per pixel, smooth alpha
    Bc3,
    /// A8R8G8B8: four bytes per pixel, lossless
    Rgba,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum BlpPixels {
    /// Full colour
    Jpeg,
    /// 256 colours, and alpha unless the picture is opaque
    Palette,
}
