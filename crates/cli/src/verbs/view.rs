//! `view`: starts the viewer, which is a separate program.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::exit::Outcome;
use crate::report;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ViewArgs {
    /// Models, folders and archives to show, and options of the viewer; see `meshwright-viewer --help`
    #[arg(value_name = "PATH", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  meshwright view tank.w3d
  meshwright view art/w3d/
  meshwright view footman.mdx --clip attack --team-color blue
  meshwright view before.mdx after.mdx --side-by-side

The viewer is a separate program: cargo install meshwright-viewer";

/// The name of the program.
const PROGRAM: &str = if cfg!(windows) { "meshwright-viewer.exe" } else { "meshwright-viewer" };

pub(crate) fn view(args: &ViewArgs) -> Outcome {
    // A viewer in the folder of this program has the same version.
    let own = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    let program = own.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(PROGRAM));
    match Command::new(program).args(&args.arguments).status() {
        Ok(status) if status.success() => Outcome::Fine,
        Ok(_) => Outcome::Unreadable,
        Err(_) => {
            report::error("meshwright-viewer is not installed; run: cargo install meshwright-viewer");
            Outcome::Unreadable
        }
    }
}
