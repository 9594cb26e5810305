//! The options of `gallery`.

use std::path::PathBuf;

use catalog::Condition;
use clap::{Args, ValueEnum};
use meshwright::Format;

use crate::args::{Jobs, SearchArgs, folder_parser, format_parser, parse_team_color};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GalleryArgs {
    /// Files, folders, archives, paths into archives, globs, or - for standard input
    #[arg(required_unless_present = "catalog", value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Read the files as this format instead of detecting it
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub(super) forced: Option<&'static Format>,
    /// Show the models of this catalog, which `meshwright catalog` made; run it in the same folder
    #[arg(long, value_name = "DIR", conflicts_with = "paths")]
    pub(super) catalog: Option<PathBuf>,
    /// Only models of the catalog for which this is true, such as 'triangles>1000' or 'games=renegade'; `~` is for part of a text
    #[arg(long = "where", value_name = "CONDITION", requires = "catalog", value_parser = Condition::parse)]
    pub(super) conditions: Vec<Condition>,
    /// Folder of the page; models that have not changed since the last run are kept
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser())]
    pub(super) out_dir: PathBuf,
    /// Title of the page [default: the name of the first input]
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// What images do under the mouse pointer
    #[arg(long, value_name = "HOW", default_value = "turn")]
    pub(super) hover: Hover,
    /// Width and height of an image in pixels
    #[arg(long, value_name = "N", default_value_t = 192, value_parser = clap::value_parser!(u32).range(32..=512))]
    pub(super) size: u32,
    /// Number of frames for each model
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(super) frames: u32,
    /// Team colour: RRGGBB, a name such as `blue` or `bfme:red`, or a Warcraft III player number from 0 to 23
    #[arg(long, value_name = "COLOUR", value_parser = parse_team_color)]
    pub(super) team_color: Option<[u8; 3]>,
    /// Render all models again, even unchanged ones
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) jobs: Jobs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
}

/// What images do under the mouse pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Hover {
    /// Rotate the model
    Turn,
    /// Play the Stand clip; rotate models without clips
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
  meshwright gallery art/ -o site/ --textures art/tex/ --title 'My mod'
  meshwright gallery units.mpq -o site/ --hover play --team-color blue
  meshwright gallery --catalog catalog/ --where 'status=damaged' -o damaged/

Open site/index.html in a browser. The page needs no server and no network. Run the same command again after changes: only changed models are rendered again.";
