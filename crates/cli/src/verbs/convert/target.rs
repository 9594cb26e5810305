//! What `convert` writes, and the options for textures.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use model::{FORMATS, Format};

/// The format to write: as `--to` names it, or by the extension of OUT.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Model(&'static Format),
    Geometry(GeometryFormat),
    Texture(TextureFormat),
}

/// A format of plain triangles, for a model at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeometryFormat {
    Obj,
    Ply,
    Stl,
}

impl GeometryFormat {
    const ALL: [Self; 3] = [Self::Obj, Self::Ply, Self::Stl];

    /// Its name, which is its extension too.
    const fn name(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Stl => "stl",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }
}

/// An image format that can be written.
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
    /// Parses the value of `--to`; shells complete it.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(Self::all_names())
            .try_map(|name| Self::named(&name).ok_or("unknown format"))
    }

    fn all_names() -> impl Iterator<Item = &'static str> {
        let models = FORMATS.iter().map(|format| format.name);
        let geometry = GeometryFormat::ALL.map(GeometryFormat::name);
        models.chain(geometry).chain(TextureFormat::ALL.map(TextureFormat::name))
    }

    /// The format with this name or extension.
    fn named(name: &str) -> Option<Self> {
        let geometry = || GeometryFormat::named(name).map(Self::Geometry);
        let texture = || TextureFormat::named(name).map(Self::Texture);
        Format::named(name).map(Self::Model).or_else(geometry).or_else(texture)
    }

    /// The names of all formats that can be written.
    pub(crate) fn names() -> String {
        Self::all_names().collect::<Vec<_>>().join(", ")
    }

    /// The format of a file name, by its extension.
    pub(crate) fn of_file_name(name: &str) -> Option<Self> {
        Format::of_file_name(name).map(Self::Model).or_else(|| Self::named(name.rsplit_once('.')?.1))
    }

    /// The extension of a file that is written.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Model(format) => format.extensions.first().copied().unwrap_or(format.name),
            Self::Geometry(format) => format.name(),
            Self::Texture(format) => format.name(),
        }
    }
}

/// Options for OBJ, PLY and STL.
#[derive(Debug, Args)]
pub(crate) struct GeometryArgs {
    /// Write the model as it is in this clip instead of the rest pose
    #[arg(long, value_name = "NAME")]
    pub(super) clip: Option<String>,
    /// Seconds into the clip
    #[arg(long, value_name = "S", requires = "clip", value_parser = parse_time)]
    pub(super) time: Option<f32>,
    /// Write PLY and STL as text
    #[arg(long)]
    pub(super) ascii: bool,
}

fn parse_time(text: &str) -> Result<f32, String> {
    let time: Option<f32> = text.parse().ok();
    time.filter(|time| time.is_finite() && *time >= 0.0)
        .ok_or_else(|| "expected a number of seconds".to_owned())
}

/// How a texture is written.
#[derive(Debug, Args)]
pub(crate) struct TextureArgs {
    /// Mipmaps in DDS and BLP
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
    /// Mipmaps of the input; generated for PNG, TGA and JPEG
    Keep,
    /// Generate all levels from the largest
    Generate,
    /// Only the largest level
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DdsPixels {
    /// BC1 if the image is opaque, otherwise BC3
    Auto,
    /// DXT1: half a byte per pixel, one-bit alpha
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
    /// 256 colours, with alpha unless the image is opaque
    Palette,
}
