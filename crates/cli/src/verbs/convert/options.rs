//! Options of `convert` for models of games.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use meshwright::convert::author::w3d::{Compress, Profile};
use meshwright::mdx::mdl;
use meshwright::{MdxOptions, W3dOptions};

/// Options for models that are made of scenes.
#[derive(Debug, Args)]
pub(crate) struct AuthorArgs {
    /// Write W3D for this game [default: the game of the source, otherwise zero-hour]
    #[arg(long, value_name = "GAME", value_parser = profile_parser())]
    profile: Option<Profile>,
    /// Whether W3D becomes one file or several
    #[arg(long, value_name = "HOW", default_value = "never")]
    split: SplitHow,
    /// Frames per second of W3D animations [default: the rate of the clip, otherwise 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    clip_fps: Option<u16>,
    /// How to store W3D animations
    #[arg(long, value_name = "HOW", default_value = "lossless")]
    compress: CompressHow,
    /// Largest error of compressed animations [default: 0.001,0.05 for time-coded, 0.05,0.5 for adaptive-delta]
    #[arg(long, value_name = "UNITS,DEGREES", value_parser = parse_tolerance)]
    tolerance: Option<(f32, f32)>,
    /// Write the textures next to the model, as its game expects them: BLP for MDX 800, DDS for later MDX, TGA for Renegade, DDS for
    /// other games with W3D. An MDX model refers to them in FOLDER of the game, such as war3mapImported
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "", require_equals = true)]
    pub(super) write_textures: Option<String>,
}

impl AuthorArgs {
    /// Whether several files may be written.
    pub(super) fn has_several_files(&self) -> bool {
        self.split == SplitHow::Auto
    }

    pub(super) fn w3d(&self) -> W3dOptions {
        W3dOptions {
            profile: self.profile,
            split: self.has_several_files(),
            clip_fps: self.clip_fps,
            compress: self.compression(),
        }
    }

    /// How animations are stored.
    fn compression(&self) -> Compress {
        match self.compress {
            CompressHow::Lossless => Compress::Lossless,
            CompressHow::Raw => Compress::Raw,
            CompressHow::TimeCoded => self.tolerance.map_or(Compress::TIME_CODED, |(distance, degrees)| {
                Compress::TimeCoded { distance, degrees }
            }),
            CompressHow::AdaptiveDelta => {
                self.tolerance.map_or(Compress::ADAPTIVE_DELTA, |(distance, degrees)| {
                    Compress::AdaptiveDelta { distance, degrees }
                })
            }
        }
    }
}

/// Options for writing MDX and MDL.
#[derive(Debug, Args)]
pub(crate) struct MdxArgs {
    /// Convert to this format version: 800 is classic Warcraft III, higher versions are Reforged
    #[arg(long, value_name = "N")]
    to_version: Option<u32>,
    /// Write MDL for these readers where they disagree: the game; war3-model and mdx-m3-viewer (hive); or only war3-model, for models
    /// with SkinWeights
    #[arg(long, value_name = "WHOSE", default_value = "game")]
    mdl_dialect: MdlDialect,
    /// Write MDL without the comments preserving data MDL cannot express
    #[arg(long)]
    plain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MdlDialect {
    Game,
    Hive,
    #[value(name = "war3-model")]
    War3Model,
}

impl MdxArgs {
    pub(super) fn options(&self) -> MdxOptions {
        let dialect = match self.mdl_dialect {
            MdlDialect::Game => mdl::MdlDialect::Game,
            MdlDialect::Hive => mdl::MdlDialect::Hive,
            MdlDialect::War3Model => mdl::MdlDialect::War3Model,
        };
        let text = mdl::Options { dialect, plain: self.plain };
        MdxOptions { version: self.to_version, text }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SplitHow {
    /// One file
    Never,
    /// As the game looks for files: from Generals on, one for each clip, and a skin's skeleton in NAME_SKL with the skin in NAME_SKN
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CompressHow {
    /// Raw, with time codes where motion jumps
    Lossless,
    /// A value for every frame
    Raw,
    /// Only the keys that --tolerance needs
    TimeCoded,
    /// Differences of four bits where --tolerance allows it, otherwise of eight bits (BFME II), or keys
    AdaptiveDelta,
}

fn profile_parser() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
        .try_map(|name| Profile::named(&name).ok_or("unknown game"))
}

fn parse_tolerance(text: &str) -> Result<(f32, f32), String> {
    let number = |text: &str| {
        let number: Option<f32> = text.trim().parse().ok();
        number.filter(|number| number.is_finite() && *number >= 0.0)
    };
    let (units, degrees) = text.split_once(',').unwrap_or((text, "0.05"));
    number(units)
        .zip(number(degrees))
        .ok_or_else(|| "expected two numbers, such as 0.001,0.05: units and degrees".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_are_two_numbers() {
        assert_eq!(parse_tolerance("0.01,0.5"), Ok((0.01, 0.5)));
        assert_eq!(parse_tolerance("0.01"), Ok((0.01, 0.05)));
        for wrong in ["", "a", "1,b", "-1,0", "inf,0"] {
            assert!(parse_tolerance(wrong).is_err(), "{wrong}");
        }
    }
}
