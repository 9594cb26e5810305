//! Arguments of `view`.

use std::ffi::OsString;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ViewArgs {
    /// Models, folders and archives to show, and options of the viewer; see `meshwright-viewer --help`
    #[arg(value_name = "PATH", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  meshwright view tank.w3d
  meshwright view art/w3d/
  meshwright view footman.mdx --clip attack --team-color blue
  meshwright view before.mdx after.mdx --side-by-side

The viewer is a separate program: cargo install meshwright-viewer";
