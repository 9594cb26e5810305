//! `view`: starts the viewer, which is a separate program.

pub(crate) mod args;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use self::args::ViewArgs;
use crate::exit::Outcome;
use crate::report;

/// The name of the program.
const PROGRAM: &str = if cfg!(windows) { "meshwright-viewer.exe" } else { "meshwright-viewer" };

pub(crate) fn view(args: &ViewArgs) -> Outcome {
    // A viewer in the folder of this program has the same version.
    let own = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    let program = own.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(PROGRAM));
    match Command::new(program).args(&args.arguments).status() {
        Ok(status) if status.success() => Outcome::Fine,
        Ok(_) => Outcome::Unreadable,
        Err(error) => {
            match error.kind() {
                ErrorKind::NotFound => {
                    report::error("meshwright-viewer is not installed; run: cargo install meshwright-viewer");
                }
                _ => report::error(&format!("meshwright-viewer did not start: {error}")),
            }
            Outcome::Unreadable
        }
    }
}
