//! Running other programs from the root of the repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    // This crate lies one folder below it, and is only ever run from its own checkout.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// A program to be run at the root.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    if is_ci() {
        // What is built once needs no data for a second build, which would take as much space again.
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// A cargo command, with its arguments separated by spaces. Started by name, so that `+nightly` works. Unless asked for, it keeps no data for
/// incremental builds: they take twice the space of everything else.
pub(crate) fn cargo(arguments: &str) -> Command {
    const INCREMENTAL: &str = "CARGO_INCREMENTAL";
    let mut command = program("cargo");
    command.args(arguments.split_whitespace());
    if std::env::var_os(INCREMENTAL).is_none() {
        command.env(INCREMENTAL, "0");
    }
    command
}

/// Shows the command and runs it; anything but exit code 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = show(command);
    println!("$ {shown}");
    let status = command.status().map_err(|error| format!("`{shown}` did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` ended with {status}")) }
}

/// Whether the command starts and ends well; its output is dropped.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Whether this is a CI run, where nothing may be skipped because a tool is missing.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// The target folder, wherever the user wants it: that of this program, which is in `<target>/debug`, or `<target>/debug/deps`
/// under test.
pub(crate) fn target() -> Result<PathBuf, String> {
    let xtask = std::env::current_exe().map_err(|error| format!("where is this program? {error}"))?;
    let mut folders = xtask.ancestors().skip(1);
    let profile = folders.find(|folder| !folder.ends_with("deps"));
    let target = profile.and_then(Path::parent).ok_or("this program lies outside a target folder")?;
    Ok(target.to_owned())
}

/// The command as one would type it.
fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
