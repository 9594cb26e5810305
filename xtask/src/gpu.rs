//! The renderer of `crates/gpu` beside that of `crates/render`, and its speed. Examples of that crate do the work, so that xtask does not build wgpu.

use std::path::Path;
use std::process::Command;

use crate::programs::example;
use crate::report::{Outcome, StepResult};
use crate::shell::is_ci;

/// The exit code of the examples if there is no graphics adapter.
const NO_ADAPTER: i32 = 3;

/// Pictures of real models by the graphics adapter and by the rasteriser.
pub(crate) fn compare(folder: &Path, textures: &Path) -> StepResult {
    let mut command = example("compare", "dev")?;
    if textures.is_dir() {
        command.arg("--textures").arg(textures);
    }
    last_line(command.arg(folder))
}

/// Processor time of a large frame, and the time until the next model is shown.
pub(crate) fn measure() -> StepResult {
    last_line(&mut example("measure", "release")?)
}

/// The time until the window shows the next model: real ones if there are any, else the samples.
pub(crate) fn step(folder: &Path) -> StepResult {
    let mut command = example("step", "release")?;
    if folder.is_dir() {
        command.arg(folder);
    }
    last_line(&mut command)
}

/// Runs an example, prints its output, and gives its last line.
fn last_line(command: &mut Command) -> StepResult {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let errors = String::from_utf8_lossy(&output.stderr);
    eprint!("{errors}");
    let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    match output.status.code() {
        Some(0) => Ok(Outcome::Passed(last(&text))),
        Some(NO_ADAPTER) if !is_ci() => Ok(Outcome::Skipped("there is no graphics adapter".to_owned())),
        _ => Err(format!("{} {}", last(&text), last(&errors))),
    }
}
