//! The sub-verbs of `edit` as people type them.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use edit::{Assignment, Axis, Named, Unwanted};

use crate::args::{Inputs, Jobs};

#[derive(Debug, Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = EDIT_EXAMPLES
)]
pub(crate) struct EditArgs {
    #[command(subcommand)]
    pub(crate) change: Change,
}

const EDIT_EXAMPLES: &str = "Examples:
  meshwright edit rename mesh BARREL GUN tank.w3d --in-place
  meshwright edit retexture --regex '(.*)\\.tga' '$1.dds' art/ --in-place
  meshwright edit scale 0.5 tank.w3d --output half.w3d
  meshwright edit strip unused-textures art/ --out-dir small/
  meshwright edit set 'MESH[0]/MESH_HEADER3.attributes=HIDDEN|TWO_SIDED' tank.w3d --dry-run

Only the bytes that must change are changed; sizes, counts and references follow. `meshwright edit CHANGE --help` says what
each change does. A text is written over the old one: in a field of fixed length the bytes behind it stay unless the new text
reaches them, so that changing back gives the same file. Exit code 0 if all went well, also where nothing was to be changed;
1 if no file has the name that was asked for; 3 if a file could not be read, changed or written. Such a file is left as it was, and the rest goes on.";

#[derive(Debug, Subcommand)]
pub(crate) enum Change {
    /// Give something another name, wherever it is referred to
    #[command(after_help = RENAME_EXAMPLES)]
    Rename {
        /// What has the name
        what: NamedArg,
        /// Its name; case does not matter. A mesh may be CONTAINER.MESH
        old: String,
        /// Its new name
        new: String,
        #[command(flatten)]
        files: Files,
    },
    /// Put other files in the place of textures
    #[command(after_help = RETEXTURE_EXAMPLES)]
    Retexture {
        /// The file as the models name it; case does not matter
        old: String,
        /// The new file
        new: String,
        /// OLD is a pattern of whole names with * and ?; those of NEW are what they stood for
        #[arg(long, group = "pattern")]
        glob: bool,
        /// OLD is a regular expression; $1 and ${name} in NEW are its groups
        #[arg(long, group = "pattern")]
        regex: bool,
        /// Also other files that MDX attachments, emitters and facial animations name
        #[arg(long)]
        all_paths: bool,
        #[command(flatten)]
        files: Files,
    },
    /// Make models larger or smaller
    #[command(after_help = SCALE_EXAMPLES)]
    Scale {
        /// One factor, or one for each axis: X,Y,Z
        #[arg(value_name = "FACTOR", value_parser = parse_factors, allow_hyphen_values = true)]
        factors: Vector,
        /// Skeletons that the models are on, in other files: files or folders, changed likewise
        #[arg(long, value_name = "PATH")]
        with: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
    /// Move models
    #[command(after_help = TRANSLATE_EXAMPLES)]
    Translate {
        /// How far: X,Y,Z
        #[arg(value_name = "X,Y,Z", value_parser = parse_vector, allow_hyphen_values = true)]
        by: Vector,
        /// Skeletons that the models are on, in other files: files or folders, changed likewise
        #[arg(long, value_name = "PATH")]
        with: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
    /// Turn models
    #[command(after_help = ROTATE_EXAMPLES)]
    Rotate {
        /// The axis, through the origin
        axis: AxisArg,
        /// By how much, counter-clockwise as seen from the axis' end
        #[arg(allow_hyphen_values = true)]
        degrees: f32,
        /// Skeletons that the models are on, in other files: files or folders, changed likewise
        #[arg(long, value_name = "PATH")]
        with: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
    /// Take out what nobody needs
    #[command(after_help = STRIP_EXAMPLES)]
    Strip {
        /// What goes
        what: UnwantedArg,
        #[command(flatten)]
        files: Files,
    },
    /// Set any field by its path
    #[command(after_help = SET_EXAMPLES)]
    Set {
        /// The path as `tree` shows it, the field, and its value
        #[arg(value_name = "PATH=VALUE")]
        assignment: Assignment,
        /// Another field to set; may be given many times
        #[arg(long, value_name = "PATH=VALUE")]
        and: Vec<Assignment>,
        #[command(flatten)]
        files: Files,
    },
}

const RENAME_EXAMPLES: &str = "Examples:
  meshwright edit rename mesh BARREL GUN tank.w3d --in-place
  meshwright edit rename mesh TANK.BARREL GUN tank.w3d --in-place   only the one in this container
  meshwright edit rename model TANK HEAVYTANK art/ --in-place       skeleton, model, containers, animations
  meshwright edit rename animation 'Stand - 1' Stand unit.mdx --dry-run

A name that does not fit its field, or that another of its kind already has, is an error.";
const RETEXTURE_EXAMPLES: &str = "Examples:
  meshwright edit retexture mwcrate.tga oak.dds art/ --in-place
  meshwright edit retexture --glob 'zhc_*.tga' 'snow_*.tga' art/ --out-dir snow/
  meshwright edit retexture --regex '(.*)\\.tga' '$1.dds' art/ --dry-run";
const SCALE_EXAMPLES: &str = "Examples:
  meshwright edit scale 2 tank.w3d --output large.w3d
  meshwright edit scale 1,1,0.5 wall.w3d --in-place

Everything that has a length is scaled: geometry, bounds, collision trees, bones, animations, boxes, light ranges, emitters,
cameras. A skeleton in a file of its own has to be given, too: as another file, or with --with. Different factors per axis are refused where bones or
animations turn, and for what is round.";
const TRANSLATE_EXAMPLES: &str = "Examples:
  meshwright edit translate 0,0,10 tank.w3d --in-place
  meshwright edit translate -1,0,0 unit.mdx --output moved.mdx

W3D: the bones right below the root move, and all on them; meshes and boxes on no bone, and skins' vertices on the root, move
themselves. MDX: everything moves.";
const ROTATE_EXAMPLES: &str = "Examples:
  meshwright edit rotate z 90 tank.w3d --in-place
  meshwright edit rotate z -45 unit.mdx --output turned.mdx

What turns is what `translate` moves. Multiples of 90 degrees turn exactly. Refused where something cannot turn: boxes by other
angles, billboards, emitters about other axes than Z.";
const STRIP_EXAMPLES: &str = "Examples:
  meshwright edit strip unknown art/ --in-place
  meshwright edit strip unused-textures tank.w3d --dry-run

What stays is numbered anew in every place that refers to it.";
const SET_EXAMPLES: &str = "Examples:
  meshwright edit set 'MESH[0]/MESH_HEADER3.attributes=HIDDEN|TWO_SIDED' tank.w3d --in-place
  meshwright edit set 'MESH[1]/VERTICES.vertices[3]=[0,1,2]' tank.w3d --output new.w3d
  meshwright edit set 'SEQS.sequences[0].name=Stand' unit.mdx --dry-run
  meshwright edit set 'MESH[*]/MESH_HEADER3.sort_level=5' art/ --in-place
  meshwright edit set 'SEQS.sequences[0].start=0' --and 'SEQS.sequences[0].end=900' unit.mdx -i

[*] is every part of that name, or every element of an array. Values are JSON as in the text form; names, flags and versions need no quotes. Counts in headers are fields of their own.";

/// Which files, and where the changed ones go.
#[derive(Debug, Args)]
pub(crate) struct Files {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Allow to write over an input file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Target {
    /// Write over the files; those that do not change are not touched
    #[arg(short, long)]
    pub(crate) in_place: bool,
    /// Write the changed model here; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write every model into this folder, changed or not; what lies in folders keeps its place
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Write nothing; print what would change
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

/// Three numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector(pub(crate) [f32; 3]);

fn parse_vector(text: &str) -> Result<Vector, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) => Ok(Vector([x, y, z])),
        _ => Err("three numbers are needed, such as 0,0,1.5".to_owned()),
    }
}

fn parse_factors(text: &str) -> Result<Vector, String> {
    match text.trim().parse() {
        Ok(factor) => Ok(Vector([factor; 3])),
        Err(_) => {
            parse_vector(text).map_err(|_| "one number or three are needed, such as 2 or 1,1,0.5".to_owned())
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum NamedArg {
    Mesh,
    Bone,
    Model,
    Container,
    Animation,
    Camera,
}

impl From<NamedArg> for Named {
    fn from(arg: NamedArg) -> Self {
        match arg {
            NamedArg::Mesh => Self::Mesh,
            NamedArg::Bone => Self::Bone,
            NamedArg::Model => Self::Model,
            NamedArg::Container => Self::Container,
            NamedArg::Animation => Self::Animation,
            NamedArg::Camera => Self::Camera,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AxisArg {
    X,
    Y,
    Z,
}

impl From<AxisArg> for Axis {
    fn from(arg: AxisArg) -> Self {
        match arg {
            AxisArg::X => Self::X,
            AxisArg::Y => Self::Y,
            AxisArg::Z => Self::Z,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum UnwantedArg {
    /// Chunks and tracks that nobody has described
    Unknown,
    /// Comments, and texts of tools
    UserText,
    /// Materials that nothing is drawn with
    UnusedMaterials,
    /// Textures that no material uses
    UnusedTextures,
    /// MDX helpers and bones that nobody refers to
    UnusedNodes,
}

impl From<UnwantedArg> for Unwanted {
    fn from(arg: UnwantedArg) -> Self {
        match arg {
            UnwantedArg::Unknown => Self::Unknown,
            UnwantedArg::UserText => Self::UserText,
            UnwantedArg::UnusedMaterials => Self::UnusedMaterials,
            UnwantedArg::UnusedTextures => Self::UnusedTextures,
            UnwantedArg::UnusedNodes => Self::UnusedNodes,
        }
    }
}
