//! The arguments of the verbs about archives.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::Jobs;

#[derive(Debug, Args)]
#[command(after_help = LS_EXAMPLES)]
pub(crate) struct LsArgs {
    /// Archives, paths into archives, folders or globs; the mounted game unless given
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
  meshwright ls --game 'C:\\Games\\Zero Hour'      every file, and where it comes from
  meshwright ls protected.w3x --listfile names.txt --json

Members without a known name are called File00000012.xxx. Names are looked for in the archive's
own list, in list files (--listfile), and in the members: models name their textures.";

#[derive(Debug, Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// Archives, paths into archives, or globs
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Extract into this folder; a folder with the archive's name unless given
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const EXTRACT_EXAMPLES: &str = "Examples:
  meshwright extract W3DZH.big                       into a folder W3DZH
  meshwright extract W3DZH.big/art/w3d -o models/    one folder, with the path that it has
  meshwright extract 'map.w3x/**.mdx' -o models/
  meshwright extract --game zh/ 'art/w3d/av*.w3d' -o vehicles/

Members keep their folders. A member whose path would leave the target folder is refused, and
links in it are not followed.";

#[derive(Debug, Args)]
#[command(after_help = PACK_EXAMPLES)]
pub(crate) struct PackArgs {
    /// Folder to pack, with everything below it
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Archive to write; its extension decides the kind
    #[arg(value_name = "OUT")]
    pub(crate) archive: PathBuf,
    /// Write this kind of archive, whatever the extension of OUT
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
  meshwright pack mod/ '!mod.big'          '!' sorts first, so it overrides the game's own archives
  meshwright pack mod/ mod.big --to big4   for The Battle for Middle-earth
  meshwright pack data/ mod.mix
  meshwright pack map/ map.w3x

Members are sorted by path. Links are not followed.";

#[derive(Debug, Args)]
#[command(after_help = FIND_EXAMPLES)]
pub(crate) struct FindArgs {
    /// Name of a file, a glob, or a path
    #[arg(value_name = "NAME", required_unless_present = "overrides")]
    pub(crate) name: Option<String>,
    /// Where to search: archives, folders, paths into archives, globs; the mounted game unless given
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// List every file that more than one archive of the mounted game has
    #[arg(long, conflicts_with_all = ["name", "paths"])]
    pub(crate) overrides: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const FIND_EXAMPLES: &str = "Examples:
  meshwright find avhummer.tga --game zh/          where it is, and which models use it
  meshwright find 'avhum*.w3d' --game zh/
  meshwright find Textures\\\\Footman.blp map.w3x
  meshwright find --overrides --game zh/           every file that an archive overrides

A texture is found under any extension: the games take .dds for .tga. Exit code 1 if nothing is
found.";
