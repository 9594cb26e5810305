//! The declaration of the changes of `edit`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use meshwright::edit::{Assignment, Axis, Named, Unwanted};

use super::clip_args::ClipArgs;
use super::look_args::{AttachArgs, BlendArgs, MirrorArgs, RecolourArgs};
use super::part_args::{AddArgs, KeepArgs, RecomputeArgs, RemoveArgs};
use super::script_args::ScriptArgs;
use super::size_args::{MergeArgs, OptimiseArgs, SplitArgs};
use crate::args::{Inputs, Jobs, folder_parser};

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
  meshwright edit remove 'mesh:MUZZLE*' tank.w3d --in-place
  meshwright edit set 'MESH[0]/MESH_HEADER3.sort_level=5' tank.w3d --dry-run

Only the bytes that must change are changed; sizes, counts and references are updated. `meshwright edit CHANGE --help` describes each change. In a text field of fixed length, bytes after the new text are preserved, so that changing it back restores the file.

Exit codes: 0 success, even if nothing had to be changed; 1 no file contains the given name; 2 wrong usage; 3 a file could not be read, changed or written. Such a file is left unchanged, and the others are processed.";

#[derive(Debug, Subcommand)]
pub(crate) enum Change {
    /// Rename an object and all references to it
    #[command(after_help = RENAME_EXAMPLES)]
    Rename {
        /// The kind of object
        what: NamedArg,
        /// Its name; case is ignored. A mesh may be given as CONTAINER.MESH
        old: String,
        /// Its new name
        new: String,
        #[command(flatten)]
        files: Files,
    },
    /// Replace texture references
    #[command(after_help = RETEXTURE_EXAMPLES)]
    Retexture {
        /// The file name in the models; case is ignored
        old: String,
        /// The new file name
        new: String,
        /// Treat OLD as a pattern for whole names; * and ? in NEW insert what OLD matched
        #[arg(long, group = "pattern")]
        glob: bool,
        /// Treat OLD as a regular expression; $1 and ${name} in NEW insert its groups
        #[arg(long, group = "pattern")]
        regex: bool,
        /// Also replace file names in MDX attachments, emitters and facial animations
        #[arg(long)]
        all_paths: bool,
        #[command(flatten)]
        files: Files,
    },
    /// Scale models
    #[command(after_help = SCALE_EXAMPLES)]
    Scale {
        /// One factor, or one for each axis: X,Y,Z
        #[arg(value_name = "FACTOR", value_parser = parse_factors, allow_hyphen_values = true)]
        factors: Vector,
        /// Also change these skeletons of the models: files or folders
        #[arg(long, value_name = "PATH")]
        with: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
    /// Move models
    #[command(after_help = TRANSLATE_EXAMPLES)]
    Translate {
        /// Distance along each axis
        #[arg(value_name = "X,Y,Z", value_parser = parse_vector, allow_hyphen_values = true)]
        by: Vector,
        /// Also change these skeletons of the models: files or folders
        #[arg(long, value_name = "PATH")]
        with: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
    /// Rotate models
    #[command(after_help = ROTATE_EXAMPLES)]
    Rotate {
        /// The axis, through the origin
        axis: AxisArg,
        /// Angle in degrees, counter-clockwise when looking against the axis
        #[arg(allow_hyphen_values = true)]
        degrees: f32,
        /// Also change these skeletons of the models: files or folders
        #[arg(long, value_name = "PATH")]
        with: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
    /// Remove unused or unknown data
    #[command(after_help = STRIP_EXAMPLES)]
    Strip {
        /// The data to remove
        what: UnwantedArg,
        #[command(flatten)]
        files: Files,
    },
    /// Set any field by its path
    #[command(after_help = SET_EXAMPLES)]
    Set {
        /// Path as shown by `tree`, field, and new value
        #[arg(value_name = "PATH=VALUE")]
        assignment: Assignment,
        /// Set another field; may be repeated
        #[arg(long, value_name = "PATH=VALUE")]
        and: Vec<Assignment>,
        #[command(flatten)]
        files: Files,
    },
    /// Remove parts and all references to them
    Remove(RemoveArgs),
    /// Remove all parts of a kind except some
    Keep(KeepArgs),
    /// Recompute normals, tangents, extents, planes or collision trees
    Recompute(RecomputeArgs),
    /// Add parts and clips of another model
    Add(AddArgs),
    /// Change animations and sequences
    Clip(ClipArgs),
    /// Make models smaller
    Optimise(OptimiseArgs),
    /// Mirror models
    Mirror(MirrorArgs),
    /// Move a part to another parent
    Attach(AttachArgs),
    /// Set how surfaces are blended with what is behind them
    Blend(BlendArgs),
    /// Change the colours of parts
    #[command(visible_alias = "recolor")]
    Recolour(RecolourArgs),
    /// Divide meshes by material or connected part
    Split(SplitArgs),
    /// Join meshes, or add all parts of other models
    Merge(MergeArgs),
    /// Run the steps of a recipe on many models; also `edit --script`
    #[command(long_flag = "script")]
    Script(ScriptArgs),
}

/// A part to choose, in the help of all changes that choose parts.
pub(super) const PARTS: &str = "A part is KIND:NAME, where NAME may be a pattern with * and ?; KIND:#INDEX; KIND alone for all of that kind; or path:PATH, as `tree` shows it. The kinds are mesh (geoset), clip (sequence), bone (helper), node, attachment, emitter, ribbon, light, camera, collision, event, lod, material and texture.";

/// A choice that is on or off.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

const RENAME_EXAMPLES: &str = "Examples:
  meshwright edit rename mesh BARREL GUN tank.w3d --in-place
  meshwright edit rename mesh TANK.BARREL GUN tank.w3d --in-place
  meshwright edit rename model TANK HEAVYTANK art/ --in-place
  meshwright edit rename animation 'Stand - 1' Stand unit.mdx --dry-run

With CONTAINER.MESH only the mesh in that container is renamed. Renaming a model also renames its skeleton, containers and animations. A name that does not fit its field, or that another object of the kind has, is an error.";
const RETEXTURE_EXAMPLES: &str = "Examples:
  meshwright edit retexture mwcrate.tga oak.dds art/ --in-place
  meshwright edit retexture --glob 'zhc_*.tga' 'snow_*.tga' art/ -o snow/
  meshwright edit retexture --regex '(.*)\\.tga' '$1.dds' art/ --dry-run";
const SCALE_EXAMPLES: &str = "Examples:
  meshwright edit scale 2 tank.w3d --output large.w3d
  meshwright edit scale 1,1,0.5 wall.w3d --in-place

All lengths are scaled: geometry, bounds, collision trees, bones, animations, boxes, light ranges, emitters, cameras. A skeleton in its own file must be given too: as an input, or with --with. Different factors per axis are refused where bones or animations rotate, and for spheres and cylinders.";
const TRANSLATE_EXAMPLES: &str = "Examples:
  meshwright edit translate 0,0,10 tank.w3d --in-place
  meshwright edit translate -1,0,0 unit.mdx --output moved.mdx

In W3D, the bones directly below the root are moved with everything attached to them; meshes and boxes without a bone, and skin vertices on the root, are moved themselves. In MDX, everything is moved.";
const ROTATE_EXAMPLES: &str = "Examples:
  meshwright edit rotate z 90 tank.w3d --in-place
  meshwright edit rotate z -45 unit.mdx --output turned.mdx

The same parts are rotated that `translate` moves. Multiples of 90 degrees are exact. Refused where a part cannot be rotated: boxes by other angles, billboards, and emitters about axes other than Z.";
const STRIP_EXAMPLES: &str = "Examples:
  meshwright edit strip unknown art/ --in-place
  meshwright edit strip unused-textures tank.w3d --dry-run

Indices to the remaining data are updated.";
const SET_EXAMPLES: &str = "Examples:
  meshwright edit set 'MESH/MESH_HEADER3.attributes=HIDDEN' tank.w3d -i
  meshwright edit set 'MESH[1]/VERTICES.vertices[3]=[0,1,2]' tank.w3d -i
  meshwright edit set 'SEQS.sequences[0].name=Stand' unit.mdx --dry-run
  meshwright edit set 'MESH[*]/MESH_HEADER3.sort_level=5' art/ --in-place
  meshwright edit set 'SEQS.sequences[0].start=0' --and \\
    'SEQS.sequences[0].end=900' unit.mdx --in-place

[*] selects every part of that name, or every element of an array. Values are JSON as in the text form; names, flags (A|B) and versions need no quotes. Counts in headers are not updated: they are fields of their own.";

/// The input files, and where to write the changed ones.
#[derive(Debug, Args)]
pub(crate) struct Files {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Keep a copy of each file or archive that --in-place changes, as NAME.bak
    #[arg(long, requires = "in_place", conflicts_with_all = ["output", "out_dir", "dry_run"])]
    pub(crate) backup: bool,
    /// Allow overwriting input files
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Target {
    /// Overwrite input files; unchanged files are not touched
    #[arg(short, long)]
    pub(crate) in_place: bool,
    /// Write the changed model to this file, or - for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write every model into this folder, changed or not; preserves sub-directories
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser())]
    pub(crate) out_dir: Option<PathBuf>,
    /// Print what would change, without writing
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
        _ => Err("expected three numbers, such as 0,0,1.5".to_owned()),
    }
}

fn parse_factors(text: &str) -> Result<Vector, String> {
    match text.trim().parse() {
        Ok(factor) => Ok(Vector([factor; 3])),
        Err(_) => {
            parse_vector(text).map_err(|_| "expected one number or three, such as 2 or 1,1,0.5".to_owned())
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
    /// Unknown chunks and tracks
    Unknown,
    /// Comments and other texts written by tools
    UserText,
    /// Materials that no mesh uses
    UnusedMaterials,
    /// Textures that no material uses
    UnusedTextures,
    /// MDX helpers and bones without references
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
