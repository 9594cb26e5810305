//! The declaration of the changes of `edit` that make models smaller, and divide or join them.

use clap::{Args, ValueEnum};
use meshwright::edit::{Selector, SplitBy};

use super::args::Files;

const OPTIMISE_EXAMPLES: &str = "Examples:
  meshwright edit optimise unit.mdx --in-place
  meshwright edit optimise art/ -o small/ --tolerance 1e-3
  meshwright edit optimise unit.mdx --tolerance 1e-3 --linearise -i
  meshwright edit optimise anim.w3d --tolerance 1e-4 --compress -i";

#[derive(Debug, Args)]
#[command(after_help = format!("{OPTIMISE_EXAMPLES}\n\nRemoves what nothing refers to, merges equal materials, textures, vertices, and geosets that are drawn alike, and removes keys that the others replace. Without --tolerance poses and pictures stay as they are, up to rounding. For each model it prints the bytes before and after and the largest error of a pose, measured at all keys, between them, and at 50 random moments of every clip: of positions as a fraction of the size of the model.\n\nAttachments, cameras, events, collision shapes and bones of W3D stay, because games find them by name."))]
pub(crate) struct OptimiseArgs {
    /// Largest error of a pose, as a fraction of the size of the model
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0)]
    pub(crate) tolerance: f32,
    /// Replace curves of MDX by straight lines within the tolerance, where that saves bytes
    #[arg(long, requires = "tolerance")]
    pub(crate) linearise: bool,
    /// Store the frames of W3D animations as keys, where that saves bytes; Zero Hour itself has no such animations
    #[arg(long)]
    pub(crate) compress: bool,
    #[command(flatten)]
    pub(crate) files: Files,
}

const SPLIT_EXAMPLES: &str = "Examples:
  meshwright edit split mesh:HULL tank.w3d --by material --in-place
  meshwright edit split geoset:#0 unit.mdx --by part --output parts.mdx";

#[derive(Debug, Args)]
#[command(after_help = format!("{SPLIT_EXAMPLES}\n\nThe first part keeps its name and place. In W3D the others have the name with a number, are on the same bone and in the same levels of detail; in MDX they are new geosets at the end with the same geoset animation. Vertices at one position are connected."))]
pub(crate) struct SplitArgs {
    /// The meshes, such as mesh:HULL or geoset:#0
    pub(crate) mesh: Selector,
    /// What to divide by
    #[arg(long)]
    pub(crate) by: SplitArg,
    #[command(flatten)]
    pub(crate) files: Files,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SplitArg {
    /// One mesh for each texture, shader and material of W3D triangles
    Material,
    /// One mesh for each connected part
    Part,
}

impl From<SplitArg> for SplitBy {
    fn from(arg: SplitArg) -> Self {
        match arg {
            SplitArg::Material => Self::Material,
            SplitArg::Part => Self::Part,
        }
    }
}

const MERGE_EXAMPLES: &str = "Examples:
  meshwright edit merge --part 'mesh:WHEEL*' tank.w3d -i
  meshwright edit merge --part geoset unit.mdx --output fewer.mdx
  meshwright edit merge --from saddle.mdx horse.mdx --output knight.mdx";

#[derive(Debug, Args)]
#[command(after_help = format!("{MERGE_EXAMPLES}\n\nMeshes that are drawn alike become one: of the same material, and of the same bone (W3D) or geoset animation (MDX). A geoset has at most 7,432 vertices in the classic game and 256 matrix groups; what does not fit stays apart and is reported. With --from all meshes, emitters, ribbons, lights, attachments and collision shapes of other models are added, as `add` does it; parts whose names the model already has are skipped."))]
pub(crate) struct MergeArgs {
    /// The meshes to join, such as mesh:WHEEL* or geoset
    #[arg(long, value_name = "PART", required_unless_present = "from", conflicts_with = "from")]
    pub(crate) part: Option<Selector>,
    /// Add all parts of this model; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<std::path::PathBuf>,
    /// The clip that says what is visible where the models have no clip in common
    #[arg(long, value_name = "CLIP", requires = "from")]
    pub(crate) like: Option<String>,
    #[command(flatten)]
    pub(crate) files: Files,
}
