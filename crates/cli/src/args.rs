//! The declaration of the command line: verbs, options, help and examples. Completions and manual pages are generated from it.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use meshwright::{FORMATS, Format, Scale, Target, assets, check, gltf_io, scene};

use crate::verbs::archives::args as archives;
use crate::verbs::convert::options::{AuthorArgs, MdxArgs};
use crate::verbs::convert::target::{self, GeometryArgs, TextureArgs};
use crate::verbs::demo::starter::game::Starter;

/// Read, check, convert and edit W3D and MDX/MDL game models without losing a byte.
#[derive(Debug, Parser)]
#[command(
    name = "meshwright",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 success, 1 findings or differences, 2 wrong usage, 3 a file could not be read or written.\n\n\
                  `meshwright help VERB` shows examples. `meshwright demo` is a tour."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) mounts: MountArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Limits on the memory that one model may take.
#[derive(Debug, Default, Args)]
pub(crate) struct LimitArgs {
    /// Set a limit: file, nodes, vertices, keys, samples, pixels or bytes; N may end in K, M or G. `off` removes all limits
    #[arg(long, global = true, display_order = 99, value_name = "NAME=N", value_parser = parse_limit)]
    limit: Vec<Limit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Limit {
    Off,
    Set(String, usize),
}

/// The name of the limit for the size of files that are read.
const FILE_LIMIT: &str = "file";

impl LimitArgs {
    /// The limits of scenes, and of the size of files.
    pub(crate) fn limits(&self) -> (scene::Limits, u64) {
        let (mut scene, mut file) = (scene::Limits::default(), assets::DEFAULT_LIMIT);
        for limit in &self.limit {
            match limit {
                // A file has to fit in memory in any case.
                Limit::Off => (scene, file) = (scene::Limits::none(), u64::MAX >> 1),
                Limit::Set(name, limit) if name == FILE_LIMIT => file = *limit as u64,
                Limit::Set(name, limit) => drop(scene.set(name, *limit)),
            }
        }
        (scene, file)
    }
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    if text == "off" {
        return Ok(Limit::Off);
    }
    let (name, number) = text.split_once('=').ok_or("expected NAME=N, such as keys=20M, or `off`")?;
    if name != FILE_LIMIT && !scene::Limits::default().set(name, 0) {
        let known = scene::Limits::NAMES.map(|(name, _)| name).join(", ");
        return Err(format!("unknown limit; available: {FILE_LIMIT}, {known}"));
    }
    let (digits, factor) = match number.as_bytes().last() {
        Some(b'k' | b'K') => (&number[..number.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&number[..number.len() - 1], 1 << 20),
        Some(b'g' | b'G') => (&number[..number.len() - 1], 1 << 30),
        _ => (number, 1),
    };
    let number: usize = digits.parse().map_err(|_| format!("{number:?} is not a whole number"))?;
    Ok(Limit::Set(name.to_owned(), number.saturating_mul(factor)))
}

/// Which archives are part of the file system, for every verb.
#[derive(Debug, Default, Args)]
pub(crate) struct MountArgs {
    /// Mount an installed game, so that art/w3d/tank.w3d is found in its archives. Repeat it for an expansion; the first has priority
    #[arg(long, global = true, display_order = 99, value_name = "DIR")]
    pub(crate) game: Vec<PathBuf>,
    /// Read names of archive members from this file, one per line
    #[arg(long, global = true, display_order = 99, value_name = "FILE")]
    pub(crate) listfile: Vec<PathBuf>,
}

/// Options of every verb.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Common {
    /// Print errors only
    #[arg(short, long, global = true, display_order = 100, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more detail
    #[arg(short, long, global = true, display_order = 100)]
    pub(crate) verbose: bool,
    /// When to use colours; the environment variable NO_COLOR is honoured too
    #[arg(long, global = true, display_order = 100, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Summarise models: counts, names, clips, textures, required files
    Info(InfoArgs),
    /// Show the tree of chunks, with fields and bytes on request
    Tree(TreeArgs),
    /// Check that files are read and written back byte for byte
    Verify(VerifyArgs),
    /// Check models against the rules of their games, and repair them
    Check(CheckArgs),
    /// Convert between formats, losslessly where both can hold the data
    Convert(ConvertArgs),
    /// Render images and animations of models, without a graphics card
    Render(crate::verbs::render::args::RenderArgs),
    /// Show models in a window (starts meshwright-viewer)
    View(crate::verbs::view::args::ViewArgs),
    /// Build a web page of the models in a folder, with images, search and findings
    Gallery(crate::verbs::render::gallery::args::GalleryArgs),
    /// Make tables over any number of models, for DuckDB, polars, Spark and other data tools
    Catalog(crate::verbs::catalog::args::CatalogArgs),
    /// Compare two models by structure
    Diff(DiffArgs),
    /// Rename, retexture, move, strip and set fields; everything else is preserved
    Edit(crate::verbs::edit::args::EditArgs),
    /// List the members of archives
    Ls(archives::LsArgs),
    /// Extract members of archives
    Extract(archives::ExtractArgs),
    /// Pack a folder into a BIG, MIX or MPQ archive
    Pack(archives::PackArgs),
    /// Find a file, the archives that contain it, and the models that use it
    Find(archives::FindArgs),
    /// Create sample models and show what can be done with them, or starter models for Blender
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual pages
    Man(ManArgs),
    /// Show the help of a verb, or list the formats
    Help(HelpArgs),
}

/// The input files.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files, folders, archives, paths into archives, globs, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the files as this format instead of detecting it
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub(crate) forced: Option<&'static Format>,
}

/// Number of parallel jobs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Jobs {
    /// Process this many files at once [default: the number of processor cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// Where to search for the files that a model refers to.
#[derive(Debug, Default, Args)]
pub(crate) struct SearchArgs {
    /// Also use skeletons, animations and models from these files, folders or globs
    #[arg(long, value_name = "PATH")]
    pub(crate) with: Vec<PathBuf>,
    /// Also search this folder and its sub-folders for textures
    #[arg(long, value_name = "DIR")]
    pub(crate) textures: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Print one JSON document for all files
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Print one JSON document per line for each file, as DuckDB, jq and log tools read it
    #[arg(long, group = "form")]
    pub(crate) jsonl: bool,
    /// Print one line of comma-separated values for each file
    #[arg(long, group = "form")]
    pub(crate) csv: bool,
    /// Print a Markdown table with one row for each file
    #[arg(long, group = "form")]
    pub(crate) md: bool,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const INFO_EXAMPLES: &str = "Examples:
  meshwright info tank.w3d                    one model in detail
  meshwright info art/                        one line for each model
  meshwright info art/ --json > models.json   for a script
  meshwright info art/ --jsonl > models.jsonl for a database
  meshwright info art/ --csv > models.csv     for a spreadsheet
  meshwright info art/w3d/ --textures art/    which textures are missing
  cat tank.w3d | meshwright info -            from standard input

The findings are those of `meshwright check`. `docs/info.schema.json` is the schema of the JSON; with --jsonl each line is one element of its `files` or `unreadable`. In the CSV, names in one cell are separated by `|`, and a file that cannot be read has its reason in the last column.";

#[derive(Debug, Args)]
#[command(after_help = TREE_EXAMPLES)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Show every field with offset, type and value
    #[arg(short, long)]
    pub(crate) fields: bool,
    /// Show the bytes
    #[arg(short = 'x', long)]
    pub(crate) hex: bool,
    /// Show all elements of arrays and all bytes, not only the first
    #[arg(short, long)]
    pub(crate) all: bool,
    /// Show only this part and its children
    #[arg(short, long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Print one JSON document for all files
    #[arg(long)]
    pub(crate) json: bool,
}

const TREE_EXAMPLES: &str = "Examples:
  meshwright tree tank.w3d                 the chunks, their offsets and sizes
  meshwright tree tank.w3d --fields        every field with its value
  meshwright tree tank.w3d -fa -p 'MESH[1]/MATERIAL_PASS'
  meshwright tree damaged.w3d --hex        the bytes, to find damage";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Also convert to text and back: JSON, and MDL for Warcraft III
    #[arg(long)]
    pub(crate) text: bool,
    /// Print one JSON document for all files
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const VERIFY_EXAMPLES: &str = "Examples:
  meshwright verify art/          every model in a folder
  meshwright verify art/ --text   the same, also through the text forms
  meshwright verify 'art/**/*_skn.w3d' -j 2

The last line is `N files, N identical, N differ, N unreadable`; the exit code is 0 only if the last two are 0.";

#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Files, folders, archives, paths into archives, globs, or - for standard input
    #[arg(required_unless_present_any = ["explain", "list"], value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the files as this format instead of detecting it
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub(crate) forced: Option<&'static Format>,
    /// Check for this game [default: from meshwright.toml, or guessed for each folder]
    #[arg(long, value_name = "GAME", value_parser = profile_parser())]
    pub(crate) profile: Option<check::Game>,
    /// Show findings of this severity or worse; others are only counted
    #[arg(long, value_name = "LEVEL", default_value = "warning")]
    pub(crate) severity: Least,
    /// Output format
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) format: CheckFormat,
    /// Disable these rules (code, prefix or `all`)
    #[arg(long, value_name = "CODE")]
    pub(crate) allow: Vec<String>,
    /// Report these rules as warnings
    #[arg(long, value_name = "CODE")]
    pub(crate) warn: Vec<String>,
    /// Report these rules as errors; `warnings` makes every warning an error
    #[arg(long, value_name = "CODE")]
    pub(crate) deny: Vec<String>,
    /// Repair the files in place without changing what the game shows; `all` also removes unused data
    #[arg(long, value_name = "HOW_MUCH", num_args = 0..=1, require_equals = true, default_missing_value = "safe")]
    pub(crate) fix: Option<Fix>,
    /// Allow --fix to change archives
    #[arg(long, requires = "fix")]
    pub(crate) in_place: bool,
    /// Keep a copy of each file or archive that --fix changes, as NAME.bak
    #[arg(long, requires = "fix")]
    pub(crate) backup: bool,
    /// Show what --fix would change, without writing
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Ignore the findings listed in this file [default: meshwright-baseline.tsv in the folder of a model or above]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Record all findings as known, so that later runs ignore them
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        // The parser of paths takes no empty one.
        value_parser = clap::builder::OsStringValueParser::new().map(PathBuf::from),
        hide_default_value = true,
        conflicts_with = "fix"
    )]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Show at most this many findings; the summary and exit code include all of them
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<usize>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Do not search other files for skeletons, animations and textures
    #[arg(long, conflicts_with_all = ["with", "textures"])]
    pub(crate) no_surroundings: bool,
    /// Explain a rule; for a code prefix, list the matching rules
    #[arg(long, value_name = "CODE", conflicts_with_all = ["paths", "list"])]
    pub(crate) explain: Option<String>,
    /// List the rules
    #[arg(long, conflicts_with = "paths")]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The lowest severity that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Least {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// Errors, warnings and remarks
    Info,
    /// Everything
    Hint,
}

impl From<Least> for check::Severity {
    fn from(least: Least) -> Self {
        match least {
            Least::Error => Self::Error,
            Least::Warning => Self::Warning,
            Least::Info => Self::Info,
            Least::Hint => Self::Hint,
        }
    }
}

/// Output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// A line for each finding
    Text,
    /// One JSON document, as docs/check.schema.json says
    Json,
    /// A SARIF 2.1.0 log
    Sarif,
    /// Annotations of GitHub workflows
    Github,
}

/// Which repairs are made.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Fix {
    /// Repairs that do not change what the game shows
    Safe,
    /// Also remove unused data
    All,
}

const CHECK_EXAMPLES: &str = "Examples:
  meshwright check tank.w3d                   one model, game guessed
  meshwright check art/ --profile zero-hour   all models, for one game
  meshwright check art/ --deny warnings       for a build: warnings fail
  meshwright check art/ --deny W3D-FILES --allow W3D-NAME-002
  meshwright check --explain W3D-MESH-005     the reason and the remedy
  meshwright check art/ --fix --dry-run       what would be repaired
  meshwright check art/ --write-baseline      later runs report new findings
  meshwright check art/ --format sarif > check.sarif

A meshwright.toml in the folder of a model or above sets the same options for a project. Its paths are relative to its folder:
  [check]
  profile = \"zero-hour\"
  allow = [\"W3D-NAME-002\"]
  deny = [\"W3D-FILES\", \"warnings\"]
  textures = [\"../textures\"]
  game = \"C:/Games/Zero Hour\"
  baseline = \"known.tsv\"

Errors and warnings are shown, infos and hints are counted; --severity hint shows all. For each rule the first three findings in a file are shown; --verbose shows all. Syntax errors in an MDL file are findings; --fix rewrites only the blocks that it repairs.

Exit codes: 0 no errors, 1 errors, 2 wrong usage, 3 a file could not be read or written.";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct ConvertArgs {
    /// Input and output file, or - for standard input and output; with --out-dir, any number of files, folders and globs
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the input as this format instead of detecting it
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub(crate) forced: Option<&'static Format>,
    /// Write this format instead of the one of the output extension
    #[arg(long, value_name = "FORMAT", value_parser = target::parser(), ignore_case = true)]
    pub(crate) to: Option<Target>,
    /// Convert many files into this folder; preserves sub-directories
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser())]
    pub(crate) out_dir: Option<PathBuf>,
    /// Apply the changes in a glTF file to the model it was exported from, and leave everything else as it is
    #[arg(long, value_name = "ORIGINAL", conflicts_with = "out_dir")]
    pub(crate) onto: Option<PathBuf>,
    /// Allow overwriting input files, and make models of text with mistakes: what is not understood is skipped
    #[arg(long)]
    pub(crate) force: bool,
    /// Skip models that cannot be converted losslessly; exit code 1
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    #[command(flatten, next_help_heading = "Options for glTF")]
    pub(crate) gltf: GltfArgs,
    #[command(flatten, next_help_heading = "Options for game models from glTF or the other family")]
    pub(crate) author: AuthorArgs,
    #[command(flatten, next_help_heading = "Options for MDX and MDL")]
    pub(crate) mdx: MdxArgs,
    #[command(flatten, next_help_heading = "Options for OBJ, PLY and STL")]
    pub(crate) geometry: GeometryArgs,
    #[command(flatten, next_help_heading = "Options for textures")]
    pub(crate) textures: TextureArgs,
}

/// Options of the glTF export.
#[derive(Debug, Args)]
pub(crate) struct GltfArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Do not export textures
    #[arg(long, conflicts_with = "textures")]
    pub(crate) no_textures: bool,
    /// Team colour: RRGGBB, a name such as `blue` or `bfme:red`, or a Warcraft III player number from 0 to 23
    #[arg(long, value_name = "COLOUR", value_parser = parse_team_color)]
    team_color: Option<[u8; 3]>,
    /// How to export levels of detail
    #[arg(long, value_name = "HOW", default_value = "highest")]
    levels: Levels,
    /// How to export visibility animation
    #[arg(long, value_name = "HOW", default_value = "scale")]
    visibility: Visibility,
    /// How to export global sequences
    #[arg(long, value_name = "HOW", default_value = "separate")]
    global_sequences: GlobalSequences,
    /// Also export meshes that are never shown, such as collision meshes
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Animate materials, lights and the visibility of skinned meshes with KHR_animation_pointer, which Blender cannot import
    #[arg(long)]
    material_animation: bool,
    /// How to export curved interpolation
    #[arg(long, value_name = "HOW", default_value = "lines")]
    curves: Curves,
    /// Metres per unit: a number, or `game` for the scale at which people in the model's game are 1.8 metres tall. The default is 1, and
    /// for glTF that Meshwright wrote the scale that it was written with. OBJ, PLY and STL are scaled by it, too. Between W3D and MDX it
    /// is the factor of all lengths, and `game` keeps people the same size
    #[arg(long, value_name = "FACTOR", value_parser = parse_scale)]
    pub(crate) scale: Option<Scale>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Curves {
    /// Linear, with more keys; Blender ignores tangents
    Lines,
    /// Cubic splines, exact where the source uses the same formula
    Cubic,
}

fn parse_scale(text: &str) -> Result<Scale, String> {
    if text.eq_ignore_ascii_case("game") {
        return Ok(Scale::Game);
    }
    let factor: Option<f32> = text.parse().ok().filter(|factor: &f32| factor.is_finite() && *factor > 0.0);
    factor.map(Scale::Factor).ok_or_else(|| "expected a number above zero, or `game`".to_owned())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Levels {
    /// Only the most detailed level
    Highest,
    /// All levels side by side
    Separate,
    /// The extension MSFT_lod
    MsftLod,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Visibility {
    /// A scale of zero, which every program supports
    Scale,
    /// The extension KHR_node_visibility
    Extension,
    /// Always visible
    Off,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum GlobalSequences {
    /// One animation for each
    Separate,
    /// Repeat them in every clip
    Bake,
}

impl GltfArgs {
    pub(crate) fn options(&self) -> gltf_io::Options {
        gltf_io::Options {
            textures: !self.no_textures,
            team_color: self.team_color,
            levels: match self.levels {
                Levels::Highest => gltf_io::Levels::Highest,
                Levels::Separate => gltf_io::Levels::Separate,
                Levels::MsftLod => gltf_io::Levels::MsftLod,
            },
            visibility: match self.visibility {
                Visibility::Scale => gltf_io::Visibility::Scale,
                Visibility::Extension => gltf_io::Visibility::Extension,
                Visibility::Off => gltf_io::Visibility::Off,
            },
            global_sequences: match self.global_sequences {
                GlobalSequences::Separate => gltf_io::GlobalSequences::Separate,
                GlobalSequences::Bake => gltf_io::GlobalSequences::Bake,
            },
            hidden_meshes: self.hidden,
            material_animation: self.material_animation,
            curves: match self.curves {
                Curves::Lines => gltf_io::Curves::Lines,
                Curves::Cubic => gltf_io::Curves::Cubics,
            },
            ..gltf_io::Options::default()
        }
    }
}

const CONVERT_EXAMPLES: &str = "Examples:
  meshwright convert tank.w3d tank.json       the lossless text form
  meshwright convert tank.json tank.w3d       back to the same bytes
  meshwright convert art/ --out-dir text/ --to json
  meshwright convert text/ --as json --out-dir art/ --to w3d
  meshwright convert tank.w3d - --to json | grep texture
  meshwright convert footman.mdx footman.mdl  the text of Warcraft III
  meshwright convert tank.w3d tank.glb --textures art/textures/
  meshwright convert hero_skn.w3d hero.glb    with skeleton and animations
  meshwright convert hero.w3d hero.glb --with 'art/w3d/gu/*.w3d'
  meshwright convert units/ -o out/ --to glb --team-color 1
  meshwright convert knight.glb knight.mdx    from Blender to Warcraft III
  meshwright convert tank.w3d tank.mdx --to-version 1100
  meshwright convert tank.glb tank.w3d --profile zero-hour
  meshwright convert hero.glb hero.w3d --profile bfme2 --split auto
  meshwright convert grunt.mdx grunt.w3d --scale game --write-textures
  meshwright convert hero.mdx hero.obj --clip Attack --time 0.5
  meshwright convert wood.blp wood.png        BLP, DDS, TGA, PNG: all pairs
  meshwright convert textures/ -o png/ --to png
  meshwright convert wood.png wood.dds --dds-format bc3

Losses of a conversion are listed; with --strict they are errors.";

#[derive(Debug, Args)]
#[command(after_help = DIFF_EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The old model, or a folder of models
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// The new model, or a folder of models
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    /// Read both as this format instead of detecting it
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub(crate) forced: Option<&'static Format>,
    /// Treat numbers as equal if they differ by no more than this
    #[arg(long, value_name = "EPSILON", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) epsilon: f64,
    /// Only print the summary of each file
    #[arg(long)]
    pub(crate) stat: bool,
    /// Draw both models and their difference side by side
    #[arg(long, value_name = "OUT.png")]
    pub(crate) pictures: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const DIFF_EXAMPLES: &str = "Examples:
  meshwright diff tank.w3d tank-new.w3d
  meshwright diff tank.w3d tank.json            across formats
  meshwright diff a.w3d b.w3d --epsilon 0.0001  ignoring rounding
  meshwright diff --stat art-old/ art-new/      two folders, file by file
  meshwright diff a.mdx b.mdx --pictures c.png  before, after, difference

A summary comes first: one line for each object that changed. Then come the differences, the first 20 unless --verbose is given, which also shows \
padding. docs/git.md tells how to use it with Git.

Exit codes: 0 equal, 1 different, 2 wrong usage, 3 a file could not be read.";

#[derive(Debug, Args)]
#[command(after_help = DEMO_EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Folder for the sample models
    #[arg(value_name = "DIR", default_value = "meshwright-demo")]
    pub(crate) folder: PathBuf,
    /// Only write a GLB to start a new model for this game with, for Blender
    #[arg(long, value_name = "GAME")]
    pub(crate) starter: Vec<Starter>,
}

const DEMO_EXAMPLES: &str = "Examples:
  meshwright demo
  meshwright demo samples/
  meshwright demo --starter zero-hour art/    art/zero-hour.glb for Blender
  meshwright demo --starter wc3-classic       the conventions of Warcraft III

docs/authoring.md explains the names and custom properties in the starter models.";

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "Examples:
  meshwright completions bash >> ~/.bash_completion
  meshwright completions zsh > ~/.zfunc/_meshwright
  meshwright completions fish > ~/.config/fish/completions/meshwright.fish
  meshwright completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// Print the page of this verb, or of a change of `edit`; without one the page of the program
    #[arg(value_name = "VERB")]
    pub(crate) topic: Vec<String>,
    /// Write all pages into this folder, one file for each verb
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser(), conflicts_with = "topic")]
    pub(crate) out_dir: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "Examples:
  meshwright man | man -l -                read the page of the program
  meshwright man edit rename | man -l -    read the page of one change
  meshwright man --out-dir ~/.local/share/man/man1";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  meshwright help formats\n  meshwright help convert\n  meshwright help edit rename"
)]
pub(crate) struct HelpArgs {
    /// A verb, a change of `edit`, or `formats`
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
}

/// The formats of models, by name; shells complete them.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
        .try_map(|name| Format::named(&name).ok_or("unknown format"))
}

/// A folder to write to. `-` means standard output everywhere else, so it cannot name a folder here.
pub(crate) fn folder_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("expected a folder, not standard output"),
        false => Ok(path),
    })
}

pub(crate) fn parse_team_color(text: &str) -> Result<[u8; 3], String> {
    // The number's own parser would take a sign.
    let is_number = !text.is_empty() && text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let player = || scene::team_color::WARCRAFT[..24].get(text.parse::<usize>().ok()?).map(|team| team.color);
    let color = if is_number { player() } else { scene::team_color::parse(text) };
    color.ok_or_else(|| "expected RRGGBB, a colour name, or a number from 0 to 23".to_owned())
}

fn profile_parser() -> impl TypedValueParser<Value = check::Game> {
    PossibleValuesParser::new(check::Game::ALL.map(check::Game::name))
        .try_map(|name| check::Game::named(&name).ok_or("unknown game"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    #[test]
    fn limits_are_named_numbers() {
        assert_eq!(parse_limit("off"), Ok(Limit::Off));
        assert_eq!(parse_limit("keys=20"), Ok(Limit::Set("keys".to_owned(), 20)));
        assert_eq!(parse_limit("file=2G"), Ok(Limit::Set("file".to_owned(), 2 << 30)));
        for wrong in ["", "keys", "keys=", "keys=x", "keys=-1", "unicorns=3", "keys=M"] {
            assert!(parse_limit(wrong).is_err(), "{wrong}");
        }
        let args =
            LimitArgs { limit: vec![Limit::Set("keys".to_owned(), 5), Limit::Set("file".to_owned(), 9)] };
        let (scene, file) = args.limits();
        assert_eq!((scene.keys, file), (5, 9));
        assert_eq!(scene.nodes, scene::Limits::default().nodes);
    }

    use clap::{Command, CommandFactory};

    use super::*;

    /// clap wraps long lines. Prose is therefore one line per paragraph, and examples fit into a terminal of 80 columns.
    #[test]
    fn epilogues_are_wrapped_once() {
        fn check(command: &Command) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
            for (line, next) in text.lines().zip(text.lines().skip(1).chain([""])) {
                let name = command.get_name();
                assert!(!line.starts_with(' ') || line.chars().count() < 80, "{name}: {line}");
                assert!(!(is_prose(line) && is_prose(next)), "{name}: a paragraph in two lines: {line}");
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn a_short_option_means_the_same_in_every_verb() {
        fn collect(command: &Command, known: &mut HashMap<char, String>) {
            for option in command.get_arguments() {
                let (Some(short), Some(long)) = (option.get_short(), option.get_long()) else { continue };
                let first = known.entry(short).or_insert_with(|| long.to_owned());
                assert_eq!(first, long, "-{short} of `{}`", command.get_name());
            }
            command.get_subcommands().for_each(|verb| collect(verb, known));
        }
        let mut known = HashMap::new();
        collect(&Cli::command(), &mut known);
        assert!(known.len() > 5, "{known:?}");
    }
}
