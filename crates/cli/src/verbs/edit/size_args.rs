//! The declaration of the changes of `edit` that make models smaller, and divide or join them.

use clap::Args;

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
