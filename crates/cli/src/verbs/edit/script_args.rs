//! The declaration of `edit --script`.

use std::path::PathBuf;

use clap::Args;

use super::args::Files;

const SCRIPT_EXAMPLES: &str = "Examples:
  meshwright edit --script recipe.toml art/ --out-dir build/
  meshwright edit --script recipe.toml 'units/*.mdx' --dry-run

A recipe is a TOML file with a list of steps, which are changes as on the command line, without files:

  steps = [
    \"remove mesh:MUZZLEFX\",
    \"retexture --glob 'zhc_*.tga' 'snow_*.tga'\",
    [\"rename\", \"bone\", \"Hand Right\", \"Hand\"],
    \"optimise --tolerance 1e-4\",
  ]";

#[derive(Debug, Args)]
#[command(after_help = format!("{SCRIPT_EXAMPLES}\n\nWords with spaces are put in quotes, or the step is a list of words. Each model goes through all steps and is written once; if a step fails, the model is not changed, and the message names the step and its line. Files that steps name (--from) are searched from the folder of the recipe."))]
pub(crate) struct ScriptArgs {
    /// The recipe: a TOML file with a list of steps
    pub(crate) recipe: PathBuf,
    #[command(flatten)]
    pub(crate) files: Files,
}
