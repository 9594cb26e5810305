//! `blender`: the Blender extension. Its zip is installed into an empty user folder of Blender as a Python module, in each version that it supports.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::judges::run_python;
use crate::programs;
use crate::python::venv_on;
use crate::report::{Missing, Outcome, Report, StepResult};
use crate::shell::{program, root, run, target};
use crate::wheel;

/// The versions of Blender: the first long-term one that has extensions, the next, and the newest.
const VERSIONS: [&str; 3] = ["4.2.23", "4.5.15", NEWEST];

/// The version of `ci`, which other judges have installed already.
const NEWEST: &str = "5.0.1";

/// Real files, next to the checkout.
const CORPUS: &str = "../shared/corpus";

/// Builds the zip with the wheel that is published, and runs all tests in all versions; real files too, where there are some.
pub(crate) fn blender(mut report: Report) -> Report {
    let mut wheels = Vec::new();
    report.step("wheel", || {
        wheels.push(wheel::build_wheel("wheel")?);
        Ok(Outcome::Passed(String::new()))
    });
    for version in VERSIONS {
        let Some(wheel) = wheels.first().filter(|_| report.is_sound()) else { break };
        report.step(&format!("Blender {version}"), || cases(version, wheel));
        let corpus = root().join(CORPUS);
        for (name, script) in [("real files", "corpus.py"), ("edits of real files", "edits.py")] {
            if corpus.is_dir() && report.is_sound() {
                report.step(&format!("{name} in Blender {version}"), || {
                    real_files(version, wheel, &corpus, script)
                });
            }
        }
    }
    report
}

/// The step of `ci`: the newest version, with the module that the tests of the Python package use.
pub(crate) fn check() -> StepResult {
    let module = programs::folder("dev")?.join(wheel::module_name());
    if !module.is_file() {
        return Err(format!(
            "{} does not exist: run `cargo xtask ci \"Python package\"` first",
            module.display()
        ));
    }
    cases(NEWEST, &module)
}

fn python(version: &str) -> Result<PathBuf, Missing> {
    let name = if version == NEWEST { "blender".to_owned() } else { format!("blender-{version}") };
    venv_on(&["python3.11"], &name, &[&format!("bpy=={version}")])
}

/// The zip for this machine, of a wheel or a compiled module.
fn zip(python: &Path, version: &str, package: &Path) -> Result<PathBuf, String> {
    let folder = target()?.join("blender").join(version);
    run(program(python).arg(root().join("blender/tests/build.py")).arg(&folder).arg(package))?;
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut zips = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("zip")));
    zips.next().ok_or_else(|| format!("{} has no zip", folder.display()))
}

fn cases(version: &str, package: &Path) -> StepResult {
    let python = match python(version) {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let zip = zip(&python, version, package)?;
    run_python(program(&python).arg(root().join("blender/tests/run.py")).arg(zip))
}

/// Runs a script of the tests over a folder of real files.
fn real_files(version: &str, package: &Path, corpus: &Path, script: &str) -> StepResult {
    let python = match python(version) {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let zip = zip(&python, version, package)?;
    run_python(program(&python).arg(root().join("blender/tests").join(script)).arg(zip).arg(corpus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_has_the_version_of_the_workspace() {
        let manifest = fs::read_to_string(root().join("blender/blender_manifest.toml")).unwrap();
        let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
        assert_eq!(version, Some(concat!("\"", env!("CARGO_PKG_VERSION"), "\"")));
    }

    #[test]
    fn no_file_of_the_extension_but_one_imports_the_package() {
        let files = fs::read_dir(root().join("blender")).unwrap().flatten().map(|file| file.path());
        let importing: Vec<PathBuf> = files
            .filter(|path| path.extension() == Some(OsStr::new("py")))
            .filter(|path| {
                let text = fs::read_to_string(path).unwrap();
                text.lines().any(|line| {
                    let line = line.trim_start();
                    line.starts_with("import meshwright") || line.starts_with("from meshwright")
                })
            })
            .collect();
        assert_eq!(importing, [root().join("blender/toolkit.py")]);
    }
}
