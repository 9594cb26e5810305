//! `python`: the Python package. Its wheel is built by maturin; `ci` tests the extension module of the profile `dev`, whose crates are built anyway.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs;
use crate::python::{quiet_pip, venv_on};
use crate::report::{Missing, Outcome, PASSED, Report, StepResult};
use crate::shell::{cargo, program, root, run, target, works};

/// Interpreters that may be new enough.
const INTERPRETERS: [&str; 6] = ["python3", "python3.11", "python3.12", "python3.13", "python3.14", "python"];

/// What builds the wheel.
const MATURIN: &[&str] = &["maturin==1.16.0"];

/// What the tests need. The package itself needs none of it.
const TOOLS: &[&str] = &["matplotlib==3.11.2", "mypy==2.4.1", "numpy==2.4.6", "pytest==9.2.0"];

/// The largest wheel that we publish, in bytes.
const MAX_WHEEL: u64 = 12_000_000;

/// Seconds of random calls on damaged files.
const FUZZ_SECONDS: &str = "20";

/// Real files, next to the checkout.
const CORPUS: &str = "../shared/corpus";

/// Builds the wheel as it is published, and tests it.
pub(crate) fn wheel(mut report: Report, profile: &str) -> Report {
    let mut built = None;
    report.step("wheel", || {
        let path = build_wheel(profile)?;
        let size = fs::metadata(&path).map_err(|error| error.to_string())?.len();
        built = Some(path);
        if profile == "wheel" && size > MAX_WHEEL {
            return Err(format!("the wheel has {size} bytes; at most {MAX_WHEEL} are allowed"));
        }
        Ok(Outcome::Passed(format!("{:.1} MB", size as f64 / 1e6)))
    });
    if let Some(wheel) = built.filter(|_| report.is_sound()) {
        report.step("examples in an empty environment", || examples(&Package::Wheel(wheel.clone())));
        report.step("tests", || tests(&Package::Wheel(wheel.clone()), "release"));
    }
    report
}

/// The step of `ci`.
pub(crate) fn check() -> StepResult {
    run(cargo("build --workspace --lib").env("PYO3_BUILD_EXTENSION_MODULE", "1"))?;
    let package = Package::Module(programs::folder("dev")?.join(module_name()));
    match examples(&package)? {
        Outcome::Passed(_) => tests(&package, "release"),
        skipped => Ok(skipped),
    }
}

/// The file name of the compiled module.
pub(crate) fn module_name() -> String {
    format!("{}meshwright_python{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// What is installed.
enum Package {
    /// A wheel.
    Wheel(PathBuf),
    /// The extension module, beside which the Python files are put.
    Module(PathBuf),
}

/// The first interpreter that is new enough.
fn interpreter() -> Result<&'static str, Missing> {
    let is_new = |name: &&str| {
        works(program(name).args(["-c", "import sys, venv; sys.exit(sys.version_info < (3, 11))"]))
    };
    let found = INTERPRETERS.into_iter().find(is_new);
    found.ok_or_else(|| Missing("no Python from 3.11 on is installed".to_owned()))
}

fn environment(name: &str, packages: &[&str]) -> Result<PathBuf, Missing> {
    venv_on(&[interpreter()?], name, packages)
}

pub(crate) fn build_wheel(profile: &str) -> Result<PathBuf, String> {
    let python = environment("maturin", MATURIN).map_err(|missing| missing.0)?;
    let folder = target()?.join("wheels");
    // Only the new wheel is in it.
    let _ = fs::remove_dir_all(&folder);
    let mut build = program(&python);
    build.args(["-m", "maturin", "build", "--locked", "--manifest-path", "python/Cargo.toml"]);
    run(build.args(["--profile", profile, "--interpreter"]).arg(&python).arg("--out").arg(&folder))?;
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheels = entries.flatten().map(|entry| entry.path());
    let mut wheels = wheels.filter(|path| path.extension() == Some(OsStr::new("whl")));
    wheels.next().ok_or_else(|| "maturin made no wheel".to_owned())
}

impl Package {
    /// Installs it in an environment, in the place of an earlier one.
    fn install(&self, python: &Path) -> Result<(), String> {
        match self {
            Self::Wheel(wheel) => {
                let mut pip = quiet_pip(python);
                run(pip.args(["install", "--no-index", "--no-deps", "--force-reinstall"]).arg(wheel))
            }
            Self::Module(module) => {
                let folder = site_packages(python)?.join("meshwright");
                let _ = fs::remove_dir_all(&folder);
                let explain = |error: std::io::Error| format!("{}: {error}", folder.display());
                fs::create_dir_all(&folder).map_err(explain)?;
                for entry in fs::read_dir(root().join("python/meshwright")).map_err(explain)?.flatten() {
                    let is_source =
                        |name: &str| [".py", ".pyi", ".typed"].iter().any(|end| name.ends_with(end));
                    if is_source(&entry.file_name().to_string_lossy()) {
                        fs::copy(entry.path(), folder.join(entry.file_name())).map_err(explain)?;
                    }
                }
                let suffix = if cfg!(windows) { ".pyd" } else { ".abi3.so" };
                fs::copy(module, folder.join(format!("_core{suffix}"))).map_err(explain).map(|_| ())
            }
        }
    }
}

fn site_packages(python: &Path) -> Result<PathBuf, String> {
    let script = "import sysconfig; print(sysconfig.get_paths()['platlib'])";
    let output = program(python).args(["-c", script]).output().map_err(|error| error.to_string())?;
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Python, without anything but the environment and away from the sources of the package.
fn isolated(python: &Path) -> Result<Command, String> {
    let mut command = program(python);
    command.arg("-P").current_dir(target()?).env_remove("PYTHONPATH");
    Ok(command)
}

/// Runs the examples of the README where nothing but the package is installed.
fn examples(package: &Package) -> StepResult {
    let python = match environment("python-empty", &[]) {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    package.install(&python)?;
    run(isolated(&python)?.arg(root().join("python/tests/readme.py"))).and(PASSED)
}

/// Runs the tests, the checks of the types, random calls, and the comparison with the command line.
fn tests(package: &Package, program_profile: &str) -> StepResult {
    let python = match environment("python-tests", TOOLS) {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    package.install(&python)?;
    let tests = root().join("python/tests");
    run(isolated(&python)?.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(&tests))?;
    let mypy = root().join("python/pyproject.toml");
    let cache = target()?.join("mypy");
    let mut types = isolated(&python)?;
    types.args(["-m", "mypy", "--config-file"]).arg(&mypy).arg("--cache-dir").arg(&cache);
    run(types.arg(root().join("python/meshwright")).arg(&tests))?;
    let mut stubs = isolated(&python)?;
    stubs.args(["-m", "mypy.stubtest", "meshwright._core", "--ignore-unused-allowlist", "--allowlist"]);
    run(stubs.arg(root().join("python/stubtest.txt")))?;
    run(isolated(&python)?.arg(tests.join("fuzz.py")).arg(FUZZ_SECONDS))?;
    let corpus = root().join(CORPUS);
    if !corpus.is_dir() {
        return Ok(Outcome::Passed("without real files".to_owned()));
    }
    let cli = programs::build("meshwright", program_profile)?;
    run(isolated(&python)?.arg(tests.join("corpus.py")).arg(&corpus).arg(cli))?;
    Ok(Outcome::Passed("with all real files".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_python_half_is_complete() {
        let folder = root().join("python/meshwright");
        for name in ["__init__.py", "_core.pyi", "py.typed"] {
            assert!(folder.join(name).is_file(), "{name}");
        }
    }
}
