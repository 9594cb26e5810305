//! The programs that steps run: our command line, the viewer, and the tools of the judges.
//!
//! Those of the profile `dev` are built with the features of the whole workspace, so that the libraries are built once for all programs and
//! tests.

use std::path::PathBuf;
use std::process::Command;

use crate::report::{Outcome, PASSED, StepResult};
use crate::shell::{cargo, program, run, target};

/// What the steps beside the builds of [`ci`](crate::ci) run. They have the debug assertions that find overflows, and are built anyway for the
/// tests.
const DEV: [&str; 20] = [
    "meshwright",
    "meshwright-viewer",
    "channels",
    "edits",
    "findings",
    "gltf_damaged",
    "gltf_of_others",
    "gltf_poses",
    "gltf_round_trip",
    "gltf_samples",
    "loaders",
    "mdx_samples",
    "onto",
    "repair",
    "rewrite_mdx",
    "rewrite_w3d",
    "texture_survey",
    "textures_written",
    "undo",
    "w3d_to_mdx",
];

/// What a user builds. The steps that measure time, and those over many real files, run it.
const RELEASE: [&str; 1] = ["meshwright"];

/// Examples that the same steps run, without a release build: it would compile all of wgpu again.
const EXAMPLES: [&str; 1] = ["compare"];

/// In the environment of a step that runs beside builds. Everything is built then, and cargo would wait for the other build.
pub(crate) const BUILT: &str = "MESHWRIGHT_BUILT";

pub(crate) fn are_built() -> bool {
    std::env::var_os(BUILT).is_some()
}

/// Builds the program that users build, as they build it.
pub(crate) fn build_release() -> StepResult {
    run(&mut cargo("build --release")).and(PASSED)
}

/// Builds the other programs of the steps that run beside builds.
pub(crate) fn build_dev() -> StepResult {
    let bins: String = DEV.iter().map(|name| format!(" --bin {name}")).collect();
    let examples: String = EXAMPLES.iter().map(|name| format!(" --example {name}")).collect();
    run(&mut cargo(&format!("build --workspace{bins}{examples}")))?;
    Ok(Outcome::Passed(format!("{} programs", DEV.len() + EXAMPLES.len())))
}

/// Builds a program and returns its path.
pub(crate) fn build(binary: &str, profile: &str) -> Result<PathBuf, String> {
    if !are_built() {
        // A user builds one package.
        let packages = if profile == "release" && RELEASE.contains(&binary) { "" } else { "--workspace " };
        run(&mut cargo(&format!("build {packages}--bin {binary} --profile {profile}")))?;
    } else if !(if profile == "dev" { &DEV[..] } else { &RELEASE }).contains(&binary) {
        return Err(format!("add {binary} to the programs of {profile} in {}", file!()));
    }
    built(binary, profile)
}

/// Builds a program and returns the command that runs it.
pub(crate) fn tool(binary: &str, profile: &str) -> Result<Command, String> {
    build(binary, profile).map(program)
}

/// Builds an example and returns the command that runs it.
pub(crate) fn example(name: &str, profile: &str) -> Result<Command, String> {
    if !are_built() {
        run(&mut cargo(&format!("build --workspace --example {name} --profile {profile}")))?;
    } else if !(profile == "dev" && EXAMPLES.contains(&name)) {
        return Err(format!("add {name} to the examples in {}", file!()));
    }
    built(&format!("examples/{name}"), profile).map(program)
}

/// Where cargo puts a program.
pub(crate) fn built(name: &str, profile: &str) -> Result<PathBuf, String> {
    Ok(folder(profile)?.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// Where cargo puts the programs of a profile.
pub(crate) fn folder(profile: &str) -> Result<PathBuf, String> {
    Ok(target()?.join(if profile == "dev" { "debug" } else { profile }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    #[test]
    fn every_program_has_a_source() {
        for name in DEV.iter().chain(&RELEASE).filter(|name| !name.starts_with("meshwright")) {
            let sources =
                ["", "/main"].map(|part| root().join(format!("xtask/tools/src/bin/{name}{part}.rs")));
            assert!(sources.iter().any(|source| source.is_file()), "{name}");
        }
        for name in EXAMPLES {
            assert!(root().join(format!("crates/gpu/examples/{name}.rs")).is_file(), "{name}");
        }
    }
}
