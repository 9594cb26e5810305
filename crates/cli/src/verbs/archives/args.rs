//! The arguments of the verbs about archives.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::{Jobs, folder_parser};

#[derive(Debug, Args)]
#[command(after_help = LS_EXAMPLES)]
pub(crate) struct LsArgs {
    /// Archives, paths into archives, folders or globs [default: the mounted game]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print a tree of folders
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) tree: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

const LS_EXAMPLES: &str = "Examples:
  meshwright ls W3DZH.big                        every member with its size
  meshwright ls W3DZH.big/art/w3d --tree         one folder
  meshwright ls 'map.w3x/**.mdx'                 models of a map
  meshwright ls --game 'C:\\Games\\Zero Hour'      every file and its archive
  meshwright ls protected.w3x --listfile names.txt --json

Members without a known name are called File00000012.xxx. Names come from the archive's own list, from list files (--listfile), and from models, which name their textures.";

#[derive(Debug, Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// Archives, paths into archives, or globs
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Extract into this folder [default: a folder with the archive's name]
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser())]
    pub(crate) out_dir: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const EXTRACT_EXAMPLES: &str = "Examples:
  meshwright extract W3DZH.big                       into a folder W3DZH
  meshwright extract W3DZH.big/art/w3d -o models/    one folder
  meshwright extract 'map.w3x/**.mdx' -o models/
  meshwright extract --game zh/ 'art/w3d/av*.w3d' -o vehicles/

Sub-directories are preserved. A member whose path would leave the target folder is refused. Links in the target folder are not followed.";

#[derive(Debug, Args)]
#[command(after_help = PACK_EXAMPLES)]
pub(crate) struct PackArgs {
    /// Folder to pack, with everything below it
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Archive to write; its extension determines the kind
    #[arg(value_name = "OUT")]
    pub(crate) archive: PathBuf,
    /// Write this kind of archive instead of the one of the extension
    #[arg(long, value_name = "KIND")]
    pub(crate) to: Option<PackKind>,
    /// Overwrite an existing archive
    #[arg(long)]
    pub(crate) force: bool,
}

/// Kind of an archive to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackKind {
    /// BIG of Generals and Zero Hour (BIGF)
    Big,
    /// BIG of The Battle for Middle-earth (BIG4)
    Big4,
    /// MIX of Renegade; it has no folders
    Mix,
    /// MPQ of Warcraft III, version 1
    Mpq,
}

const PACK_EXAMPLES: &str = "Examples:
  meshwright pack mod/ '!mod.big'
  meshwright pack mod/ mod.big --to big4   for The Battle for Middle-earth
  meshwright pack data/ mod.mix
  meshwright pack map/ map.w3x

Members are sorted by path. Links are not followed. Generals gives priority to archives that sort first, so a name with `!` overrides its own archives.";

#[derive(Debug, Args)]
#[command(after_help = FIND_EXAMPLES)]
pub(crate) struct FindArgs {
    /// File name, glob or path
    #[arg(value_name = "NAME", required_unless_present = "overrides")]
    pub(crate) name: Option<String>,
    /// Search in these archives, folders, paths into archives or globs [default: the mounted game]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// List every file that is in more than one archive of the mounted game
    #[arg(long, conflicts_with_all = ["name", "paths"])]
    pub(crate) overrides: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const FIND_EXAMPLES: &str = "Examples:
  meshwright find avhummer.tga --game zh/          its archives and users
  meshwright find 'avhum*.w3d' --game zh/
  meshwright find Textures\\\\Footman.blp map.w3x
  meshwright find --overrides --game zh/           overridden files

A texture is found with any extension, because the games load .dds for .tga. The exit code is 1 if nothing is found.";
