//! What `convert` writes, and the options for textures.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use meshwright::{GeometryOptions, Target, TextureOptions};

/// Parses the value of `--to`; shells complete it.
pub(crate) fn parser() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::names()).try_map(|name| Target::named(&name))
}

/// The names of all formats that can be written.
pub(crate) fn names() -> String {
    Target::names().collect::<Vec<_>>().join(", ")
}

/// Options for OBJ, PLY and STL.
#[derive(Debug, Args)]
pub(crate) struct GeometryArgs {
    /// Write the model as it is in this clip instead of the rest pose
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// Seconds into the clip
    #[arg(long, value_name = "S", requires = "clip", value_parser = parse_time)]
    time: Option<f32>,
    /// Write PLY and STL as text
    #[arg(long)]
    ascii: bool,
}

impl GeometryArgs {
    pub(super) fn options(&self) -> GeometryOptions {
        GeometryOptions { clip: self.clip.clone(), time: self.time, ascii: self.ascii }
    }
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
    mips: Mips,
    /// Pixel format of DDS
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    dds_format: DdsPixels,
    /// Pixel format of BLP
    #[arg(long, value_name = "FORMAT", default_value = "jpeg")]
    blp_format: BlpPixels,
    /// Quality of JPEG inside BLP, from 1 to 100
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u8).range(1..=100))]
    quality: u8,
}

impl TextureArgs {
    /// `measure` reports pixels that change.
    pub(super) fn options(&self, measure: bool) -> TextureOptions {
        TextureOptions {
            mips: match self.mips {
                Mips::Keep => meshwright::Mips::Keep,
                Mips::Generate => meshwright::Mips::Generate,
                Mips::None => meshwright::Mips::None,
            },
            dds: match self.dds_format {
                DdsPixels::Auto => meshwright::DdsPixels::Auto,
                DdsPixels::Bc1 => meshwright::DdsPixels::Bc1,
                DdsPixels::Bc3 => meshwright::DdsPixels::Bc3,
                DdsPixels::Rgba => meshwright::DdsPixels::Rgba,
            },
            blp: match self.blp_format {
                BlpPixels::Jpeg => meshwright::BlpPixels::Jpeg,
                BlpPixels::Palette => meshwright::BlpPixels::Palette,
            },
            quality: self.quality,
            measure,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mips {
    /// Mipmaps of the input; generated for PNG, TGA and JPEG
    Keep,
    /// Generate all levels from the largest
    Generate,
    /// Only the largest level
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DdsPixels {
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
enum BlpPixels {
    /// Full colour
    Jpeg,
    /// 256 colours, with alpha unless the image is opaque
    Palette,
}
