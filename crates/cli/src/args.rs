//! The command line as people type it: verbs, flags, help, examples. Everything else is generated from here.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use mdx::mdl;
use model::{FORMATS, Format};

use crate::verbs::archives::args as archives;

use crate::verbs::convert::target::{Target, TextureArgs};

/// Reads, checks, converts and rewrites W3D and MDX/MDL game models without losing a byte.
#[derive(Debug, Parser)]
#[command(
    name = "meshwright",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 fine, 1 findings or differences, 2 wrong usage, 3 something could not be read or written.\n\
                  `meshwright help VERB` has examples; `meshwright demo` shows a tour."
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

/// How much one model may take.
#[derive(Debug, Default, Args)]
pub(crate) struct LimitArgs {
    /// Raise or lower a limit: file, nodes, vertices, keys, samples, pixels or bytes; K, M and G multiply. `off` removes all
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
    /// Mount an installed game: art/w3d/tank.w3d is then found in its archives. Repeat it for an expansion: the first wins
    #[arg(long, global = true, display_order = 99, value_name = "DIR")]
    pub(crate) game: Vec<PathBuf>,
    /// Look for the names of archive members in this list, one per line
    #[arg(long, global = true, display_order = 99, value_name = "FILE")]
    pub(crate) listfile: Vec<PathBuf>,
}

/// What every verb takes.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Common {
    /// Say only what went wrong
    #[arg(short, long, global = true, display_order = 100, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more
    #[arg(short, long, global = true, display_order = 100)]
    pub(crate) verbose: bool,
    /// When to use colours; NO_COLOR in the environment is heeded too
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
    /// Show what a model holds: counts, names, lengths, what it needs
    Info(InfoArgs),
    /// Show the tree of chunks, with every field and byte if you like
    Tree(TreeArgs),
    /// Read, rewrite and compare every file
    Verify(VerifyArgs),
    /// Find what is wrong with models for their games, and repair it
    Check(CheckArgs),
    /// Convert between formats, losslessly where both can say the same
    Convert(ConvertArgs),
    /// Draw pictures and animations of models, without a graphics card
    Render(crate::verbs::render::args::RenderArgs),
    /// Make a web page of the models in a folder, with pictures, search and findings
    Gallery(crate::verbs::render::gallery::args::GalleryArgs),
    /// Compare two models by structure
    Diff(DiffArgs),
    /// Change models without a modelling program, and nothing else in them
    Edit(crate::verbs::edit::args::EditArgs),
    /// List the members of archives
    Ls(archives::LsArgs),
    /// Extract members of archives
    Extract(archives::ExtractArgs),
    /// Pack a folder into a BIG, MIX or MPQ archive
    Pack(archives::PackArgs),
    /// Find a file, the archives that have it, and the models that use it
    Find(archives::FindArgs),
    /// Make sample models and show what can be done with them
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_help = MAN_EXAMPLES)]
    Man,
    /// Explain a verb, or list the formats
    Help(HelpArgs),
}

/// Which files, and how to take them.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files, folders, archives, paths into archives, globs, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the files as this format, whatever they look like
    #[arg(long = "as", value_name = "FORMAT", value_parser = parse_format)]
    pub(crate) forced: Option<&'static Format>,
}

/// How many files at once.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Jobs {
    /// Work on this many files at once; as many as there are processor cores unless given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// Where to search for the files that a model refers to.
#[derive(Debug, Default, Args)]
pub(crate) struct SearchArgs {
    /// Also take skeletons, animations and models from these files, folders or globs
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
    /// One JSON document for all files
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// One line of comma-separated values for each file
    #[arg(long, group = "form")]
    pub(crate) csv: bool,
    /// A Markdown table with a line for each file
    #[arg(long, group = "form")]
    pub(crate) md: bool,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const INFO_EXAMPLES: &str = "Examples:
  meshwright info tank.w3d                   one model in detail
  meshwright info art/ --json > models.json  every model below a folder, for a script
  meshwright info art/ --csv > models.csv    the same for a spreadsheet
  meshwright info art/w3d/ --textures art/   which textures are missing
  cat tank.w3d | meshwright info -           from standard input

`docs/info.schema.json` is the schema of the JSON.";

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
    /// Show all elements of arrays and all bytes, not just the first ones
    #[arg(short, long)]
    pub(crate) all: bool,
    /// Show only this part and what is below it
    #[arg(short, long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// One JSON document for all files
    #[arg(long)]
    pub(crate) json: bool,
}

const TREE_EXAMPLES: &str = "Examples:
  meshwright tree tank.w3d                             the chunks, their places and sizes
  meshwright tree tank.w3d --fields                    every field with its offset and value
  meshwright tree tank.w3d -p 'MESH[1]/MATERIAL_PASS' -fa   one part, completely
  meshwright tree damaged.w3d --hex                    the bytes, to see what went wrong";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Compare also after going through the text forms: JSON, and MDL for Warcraft III
    #[arg(long)]
    pub(crate) text: bool,
    /// One JSON document for all files
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const VERIFY_EXAMPLES: &str = "Examples:
  meshwright verify art/          every model below a folder
  meshwright verify art/ --text   the same, also through the text forms and back
  meshwright verify 'art/**/*_skn.w3d' -j 2

The last line is `N files, N identical, N differ, N unreadable`; the exit code is 0 only if the last two are 0.";

#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Files, folders, archives, paths into archives, globs, or - for standard input
    #[arg(required_unless_present_any = ["explain", "list"], value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the files as this format, whatever they look like
    #[arg(long = "as", value_name = "FORMAT", value_parser = parse_format)]
    pub(crate) forced: Option<&'static Format>,
    /// Check for this game; guessed for each folder unless given here or in meshwright.toml
    #[arg(long, value_name = "GAME", value_parser = profile_parser())]
    pub(crate) profile: Option<check::Game>,
    /// Show findings of this severity and worse; the others are only counted
    #[arg(long, value_name = "LEVEL", default_value = "warning")]
    pub(crate) severity: Least,
    /// How to print the findings
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
    /// Show what --fix would do, and write nothing
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Do not report the findings in this list; a meshwright-baseline.tsv in the folder of a model or above is used by itself
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Record all findings as known, so that they are not reported again
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        hide_default_value = true,
        conflicts_with = "fix"
    )]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Show no more findings than this; the summary and the exit code are about all of them
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

/// The least severity of findings that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Least {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// Also what is worth knowing
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

/// How findings are printed.
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

/// How much is repaired.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Fix {
    /// What is wrong is set right
    Safe,
    /// What is not used is removed, too
    All,
}

const CHECK_EXAMPLES: &str = "Examples:
  meshwright check tank.w3d                           one model, for the game that it seems to be for
  meshwright check art/ --profile zero-hour           every model below a folder, and what they need of each other
  meshwright check art/ --deny warnings               for a build: exit code 1 if there is any warning
  meshwright check art/ --deny W3D-FILES --allow W3D-NAME-002
  meshwright check --explain W3D-MESH-005             why, and what to do
  meshwright check art/ --fix --dry-run               what would be repaired
  meshwright check art/ --write-baseline              record what is known; later runs report only what is new
  meshwright check art/ --format sarif > check.sarif  for other programs

A meshwright.toml in the folder of a model or above it sets the same for a whole project. Paths are relative to its folder:
  [check]
  profile = \"zero-hour\"
  allow = [\"W3D-NAME-002\"]
  deny = [\"W3D-FILES\", \"warnings\"]
  textures = [\"../textures\"]
  game = \"C:/Games/Zero Hour\"
  baseline = \"known.tsv\"

Errors and warnings are shown, infos and hints are counted: --severity hint shows all.
Of each rule the first three findings in a file are shown; --verbose shows all.
Syntax errors in an MDL file are findings; --fix rewrites only the blocks that it repairs.

Exit codes: 0 no errors, 1 errors, 2 wrong usage, 3 a file could not be read or written.";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct ConvertArgs {
    /// IN and OUT; with --out-dir any number of files, folders and globs. - is standard input or output
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the input as this format, whatever it looks like
    #[arg(long = "as", value_name = "FORMAT", value_parser = parse_format)]
    pub(crate) forced: Option<&'static Format>,
    /// Write this format, whatever the extension of OUT
    #[arg(long, value_name = "FORMAT", value_parser = Target::parse)]
    pub(crate) to: Option<Target>,
    /// Convert many files into this folder; what lies in folders keeps its place
    #[arg(short, long, value_name = "DIR", requires = "to")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Allow to write over an input file
    #[arg(long)]
    pub(crate) force: bool,
    /// Write nothing of a model that would lose something; exit code 1
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    #[command(flatten, next_help_heading = "Options for glTF")]
    pub(crate) gltf: GltfArgs,
    #[command(flatten, next_help_heading = "Options for MDX and MDL")]
    pub(crate) mdx: MdxArgs,
    #[command(flatten, next_help_heading = "Options for textures")]
    pub(crate) textures: TextureArgs,
}

/// How a model becomes glTF.
#[derive(Debug, Args)]
pub(crate) struct GltfArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Write no textures
    #[arg(long, conflicts_with = "textures")]
    no_textures: bool,
    /// The player's colour: RRGGBB, a name such as `blue` or `bfme:red`, or the number of a Warcraft III player from 0 to 23
    #[arg(long, value_name = "COLOUR", value_parser = parse_team_color)]
    team_color: Option<[u8; 3]>,
    /// What becomes of levels of detail
    #[arg(long, value_name = "HOW", default_value = "highest")]
    levels: Levels,
    /// How things appear and disappear
    #[arg(long, value_name = "HOW", default_value = "scale")]
    visibility: Visibility,
    /// What becomes of motion that never stops
    #[arg(long, value_name = "HOW", default_value = "separate")]
    global_sequences: GlobalSequences,
    /// Write meshes that are never shown, such as collision bodies, too
    #[arg(long)]
    hidden: bool,
    /// Animate materials, lights and the visibility of skinned meshes by KHR_animation_pointer, which Blender cannot import
    #[arg(long)]
    material_animation: bool,
    /// How to write curved motion
    #[arg(long, value_name = "HOW", default_value = "lines")]
    curves: Curves,
    /// Metres for each unit: a number, or `game` for what makes people of the model's game 1.8 metres tall
    #[arg(long, value_name = "FACTOR", value_parser = parse_scale, default_value = "1")]
    pub(crate) scale: Scale,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Curves {
    /// As straight lines, with more keys: Blender ignores tangents
    Lines,
    /// As cubics, exact where the source has the same formula
    Cubic,
}

/// The size of the result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// Metres for each unit.
    Factor(f32),
    /// By the model's game.
    Game,
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
    /// Only the most detailed is written
    Highest,
    /// All are written side by side
    Separate,
    /// The extension MSFT_lod
    MsftLod,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Visibility {
    /// By a scale of zero, which everything understands
    Scale,
    /// The extension KHR_node_visibility
    Extension,
    /// Everything shows all the time
    Off,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum GlobalSequences {
    /// An animation of its own for each
    Separate,
    /// Repeated inside every clip
    Bake,
}

impl GltfArgs {
    pub(crate) fn options(&self) -> gltf::Options {
        gltf::Options {
            textures: !self.no_textures,
            team_color: self.team_color,
            levels: match self.levels {
                Levels::Highest => gltf::Levels::Highest,
                Levels::Separate => gltf::Levels::Separate,
                Levels::MsftLod => gltf::Levels::MsftLod,
            },
            visibility: match self.visibility {
                Visibility::Scale => gltf::Visibility::Scale,
                Visibility::Extension => gltf::Visibility::Extension,
                Visibility::Off => gltf::Visibility::Off,
            },
            global_sequences: match self.global_sequences {
                GlobalSequences::Separate => gltf::GlobalSequences::Separate,
                GlobalSequences::Bake => gltf::GlobalSequences::Bake,
            },
            hidden_meshes: self.hidden,
            material_animation: self.material_animation,
            curves: match self.curves {
                Curves::Lines => gltf::Curves::Lines,
                Curves::Cubic => gltf::Curves::Cubics,
            },
            ..gltf::Options::default()
        }
    }
}

/// How a model becomes MDX or MDL.
#[derive(Debug, Args)]
pub(crate) struct MdxArgs {
    /// Convert to this version of the format: 800 is classic Warcraft III, later ones are Reforged
    #[arg(long, value_name = "N")]
    pub(crate) to_version: Option<u32>,
    /// Which readers MDL is for, where they disagree: the game; war3-model and mdx-m3-viewer (hive); or war3-model alone, for models with
    /// SkinWeights
    #[arg(long, value_name = "WHOSE", default_value = "game")]
    mdl_dialect: MdlDialect,
    /// Write MDL without the comments that keep what it cannot say
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
    pub(crate) fn mdl(&self) -> mdl::Options {
        let dialect = match self.mdl_dialect {
            MdlDialect::Game => mdl::MdlDialect::Game,
            MdlDialect::Hive => mdl::MdlDialect::Hive,
            MdlDialect::War3Model => mdl::MdlDialect::War3Model,
        };
        mdl::Options { dialect, plain: self.plain }
    }
}

const CONVERT_EXAMPLES: &str = "Examples:
  meshwright convert tank.w3d tank.json        the lossless text form
  meshwright convert tank.json tank.w3d        and back: the same bytes
  meshwright convert art/ --out-dir text/ --to json
  meshwright convert text/ --as json --out-dir art/ --to w3d
  meshwright convert tank.w3d - --to json | grep texture
  meshwright convert footman.mdx footman.mdl   the text of Warcraft III, and back
  meshwright convert tank.w3d tank.glb --textures art/textures/
  meshwright convert hero_skn.w3d hero.glb     with its skeleton and animations
  meshwright convert hero.w3d hero.glb --with 'art/w3d/gu/*.w3d'
  meshwright convert units/ -o out/ --to glb --team-color 1
  meshwright convert wood.blp wood.png         textures: BLP, DDS, TGA and PNG in any direction
  meshwright convert textures/ -o png/ --to png
  meshwright convert wood.png wood.dds --dds-format bc3

What a conversion cannot carry over is listed, or an error with --strict.";

#[derive(Debug, Args)]
#[command(after_help = DIFF_EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The model before, or a folder of models
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// The model after, or a folder of models
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    /// Read both as this format, whatever they look like
    #[arg(long = "as", value_name = "FORMAT", value_parser = parse_format)]
    pub(crate) forced: Option<&'static Format>,
    /// Numbers that are no further apart than this are the same
    #[arg(long, value_name = "EPSILON", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) epsilon: f64,
    /// Only count the differences of each file
    #[arg(long)]
    pub(crate) stat: bool,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const DIFF_EXAMPLES: &str = "Examples:
  meshwright diff tank.w3d tank-new.w3d
  meshwright diff tank.w3d tank.json            across formats
  meshwright diff a.w3d b.w3d --epsilon 0.0001  without the noise of another exporter
  meshwright diff --stat art-old/ art-new/      two folders, file by file

Exit code 0 if they are the same, 1 if they differ.";

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  meshwright demo\n  meshwright demo somewhere/else")]
pub(crate) struct DemoArgs {
    /// Where to put the sample models
    #[arg(value_name = "DIR", default_value = "meshwright-demo")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "Examples:
  meshwright completions bash > ~/.local/share/bash-completion/completions/meshwright
  meshwright completions zsh > ~/.zfunc/_meshwright
  meshwright completions fish > ~/.config/fish/completions/meshwright.fish
  meshwright completions powershell >> $PROFILE";

const MAN_EXAMPLES: &str = "Examples:
  meshwright man > ~/.local/share/man/man1/meshwright.1
  meshwright man | man -l -";

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  meshwright help formats\n  meshwright help convert")]
pub(crate) struct HelpArgs {
    /// A verb, or `formats`
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
}

pub(crate) fn parse_format(name: &str) -> Result<&'static Format, String> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        format!("unknown format; supported: {}", names.join(", "))
    })
}

pub(crate) fn parse_team_color(text: &str) -> Result<[u8; 3], String> {
    // The number's own parser would take a sign.
    let is_number = !text.is_empty() && text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let player = || scene::team_color::WARCRAFT[..24].get(text.parse::<usize>().ok()?).map(|team| team.color);
    let color = if is_number { player() } else { scene::team_color::parse(text) };
    color.ok_or_else(|| "expected RRGGBB, a colour's name, or a number from 0 to 23".to_owned())
}

fn profile_parser() -> impl TypedValueParser<Value = check::Game> {
    PossibleValuesParser::new(check::Game::ALL.map(check::Game::name))
        .try_map(|name| check::Game::named(&name).ok_or("there is no such game"))
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
