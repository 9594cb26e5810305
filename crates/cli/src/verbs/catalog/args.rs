//! The options of `catalog`.

use std::path::PathBuf;

use catalog::{PART_SIZE, Shard};
use clap::{Args, ValueEnum};

use crate::args::{Jobs, folder_parser};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CatalogArgs {
    /// Files, folders, archives and paths into archives; folders are searched for models and archives
    #[arg(required_unless_present = "inputs", value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Folder of the catalog; parts that it already has are kept
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser())]
    pub(super) out_dir: PathBuf,
    /// Also read paths from this file or, with -, from standard input, one per line; a tab and an etag may follow
    #[arg(long, value_name = "LIST")]
    pub(super) inputs: Option<PathBuf>,
    /// Scan only what is new or changed since this catalog, and mark what is gone. Pass the same paths as then
    #[arg(long, value_name = "DIR")]
    pub(super) since: Option<PathBuf>,
    /// Compare files with the earlier catalog by content instead of size and time
    #[arg(long, requires = "since")]
    pub(super) by_hash: bool,
    /// Process only this share of the inputs, such as 3/16; all shards together are the catalog
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
    /// Format of the parts
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<Format>,
    /// Inputs of one part: an interrupted run repeats at most this many
    #[arg(long, value_name = "N", default_value_t = PART_SIZE, value_parser = part_size)]
    pub(super) part_size: usize,
    /// Also search this folder and its sub-folders for textures
    #[arg(long, value_name = "DIR")]
    pub(super) textures: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) jobs: Jobs,
}

/// The format of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Apache Parquet, compressed; the default where it is built in
    Parquet,
    /// A JSON object on each line
    Ndjson,
}

impl Format {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Ndjson => "ndjson",
        }
    }
}

fn part_size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err("expected a number from 1 to 1000000".to_owned()),
    }
}

const EXAMPLES: &str = "Examples:
  meshwright catalog art/ -o catalog/
  meshwright catalog art/ -o catalog/ --since catalog/
  meshwright catalog art/ -o shards/ --shard 2/4
  find . -name '*.mdx' | meshwright catalog --inputs - -o units/
  duckdb -c \"SELECT name, triangles FROM 'catalog/files/*.parquet' LIMIT 9\"

The tables are files, meshes, materials, textures, bones, clips, needs and findings. Every input has a row in files, readable or not. Run the same command again after an interrupt: complete parts are kept. docs/catalog.md explains the columns.";
