//! The options of `gallery`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::{Inputs, Jobs, SearchArgs, parse_team_color};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GalleryArgs {
    #[command(flatten)]
    pub(super) inputs: Inputs,
    /// The folder of the page; models that did not change since it was made are kept
    #[arg(short, long, value_name = "DIR")]
    pub(super) out_dir: PathBuf,
    /// The title of the page; the name of the first input unless given
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// What pictures do under the mouse
    #[arg(long, value_name = "HOW", default_value = "turn")]
    pub(super) hover: Hover,
    /// Side of a picture in pixels
    #[arg(long, value_name = "N", default_value_t = 192, value_parser = clap::value_parser!(u32).range(32..=512))]
    pub(super) size: u32,
    /// Pictures of each model
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(super) frames: u32,
    /// The player's colour: RRGGBB, a name such as `blue` or `bfme:red`, or the number of a Warcraft III player from 0 to 23
    #[arg(long, value_name = "COLOUR", value_parser = parse_team_color)]
    pub(super) team_color: Option<[u8; 3]>,
    /// Draw all models again, even if they did not change
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) jobs: Jobs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
}

/// What pictures do under the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Hover {
    /// The model turns
    Turn,
    /// The Stand clip plays; models without clips turn
    Play,
}

impl Hover {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Play => "play",
        }
    }
}

const EXAMPLES: &str = "Examples:
  meshwright gallery art/ -o site/
  meshwright gallery art/ -o site/ --textures art/textures/ --title 'My mod'
  meshwright gallery units.mpq -o site/ --hover play --team-color blue

Open site/index.html in a browser. The page needs no server and no network. Run the same command again after changes: only changed
models are drawn again.";
