//! `web`: the page of the viewer as a static folder, `target/web`, and its test in a browser.
//!
//! The viewer is compiled to WebAssembly with rustup's standard library for it, or with Debian's packages `rustc-web`, `cargo-web` and
//! `rust-web-src` where there is no rustup. `xtask/bindgen` generates the JavaScript around it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::judges;
use crate::programs::{are_built, build};
use crate::report::{Missing, Outcome, Report, StepResult};
use crate::shell::{cargo, program, root, run, target, works};

const TARGET: &str = "wasm32-unknown-unknown";

/// Largest size of the page in bytes, each file compressed with gzip.
const LARGEST: usize = 4_000_000;

/// The profile in `Cargo.toml`, and the name of the folder of the page.
const PROFILE: &str = "web";

/// The command: builds the page and checks its size.
pub(crate) fn command(mut report: Report) -> Report {
    report.step("web page", || match page() {
        Ok((folder, size)) => Ok(Outcome::Passed(format!("{}, {size}", folder.display()))),
        Err(Failure::Missing(missing)) => Err(missing.0),
        Err(Failure::Broken(problem)) => Err(problem),
    });
    report
}

/// The step of `ci` that builds the page for [`judge`], which runs later.
pub(crate) fn build_page() -> StepResult {
    match page() {
        Ok((_, size)) => Ok(Outcome::Passed(size)),
        Err(Failure::Missing(missing)) => missing.outcome(),
        Err(Failure::Broken(problem)) => Err(problem),
    }
}

/// The step of `ci` and `viewer`: uses the page in a browser.
pub(crate) fn judge() -> StepResult {
    // Before the build, which takes minutes.
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    if !works(program(&chromium).arg("--version")) {
        return Missing(format!("{chromium} is not installed")).outcome();
    }
    if let Err(missing) = judges::install(&root().join("judges")) {
        return missing.outcome();
    }
    let folder = target()?.join(PROFILE);
    if !are_built() {
        match build_page()? {
            Outcome::Passed(size) => println!("{size}"),
            skipped @ Outcome::Skipped(_) => return Ok(skipped),
        }
    } else if !folder.join("index.html").is_file() {
        return Missing("the page was not built".to_owned()).outcome();
    }
    let cli = build("meshwright", "dev")?;
    judges::run_installed("viewer.mjs", &[&folder], &[("MESHWRIGHT", &cli)])
}

/// Why there is no page.
enum Failure {
    /// This machine cannot build it.
    Missing(Missing),
    /// It cannot be built, or is too large.
    Broken(String),
}

impl From<String> for Failure {
    fn from(problem: String) -> Self {
        Self::Broken(problem)
    }
}

/// Builds the page. Returns its folder, and its size in words.
fn page() -> Result<(PathBuf, String), Failure> {
    let wasm = compile()?;
    let folder = target()?.join(PROFILE);
    // Remove the files of earlier runs.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    bind(&wasm, &folder)?;
    let sources = root().join("crates/viewer/web");
    for name in ["index.html", "viewer.css", "viewer.js"] {
        fs::copy(sources.join(name), folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    let (plain, packed) = sizes(&folder)?;
    let megabytes = |bytes: usize| format!("{:.2} MB", bytes as f64 / 1e6);
    let size = format!("{}, {} compressed", megabytes(plain), megabytes(packed));
    if packed > LARGEST {
        return Err(Failure::Broken(format!(
            "the page is too large: {size}, the limit is {}",
            megabytes(LARGEST)
        )));
    }
    Ok((folder, size))
}

/// Compiles the viewer to WebAssembly and returns the file.
fn compile() -> Result<PathBuf, Failure> {
    let mut build = toolchain()?;
    // A folder of its own, so that it does not wait for other builds and they do not wait for it.
    let folder = target()?.join("wasm");
    build.args(["--package", "meshwright-viewer", "--bin", "meshwright-viewer", "--profile", PROFILE]);
    run(build.args(["--target", TARGET, "--target-dir"]).arg(&folder))?;
    Ok(folder.join(TARGET).join(PROFILE).join("meshwright-viewer.wasm"))
}

/// `cargo build` of a toolchain that has a standard library for WebAssembly, or can build one.
fn toolchain() -> Result<Command, Failure> {
    let sysroot = program("rustc").args(["--print", "sysroot"]).output().ok();
    let sysroot = sysroot.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let has_library = || sysroot.as_ref().is_some_and(|path| path.join("lib/rustlib").join(TARGET).is_dir());
    if has_library() || (works(program("rustup").args(["target", "add", TARGET])) && has_library()) {
        return Ok(cargo("build"));
    }
    let (debian, sources) = (Path::new("/usr/bin/cargo"), Path::new("/usr/lib/rustlib/src/rust/library"));
    if !(debian.is_file() && sources.exists()) {
        let why = format!(
            "the standard library for WebAssembly is not installed (rustup target add {TARGET}; on Debian without rustup, install rustc-web, cargo-web, rust-web-src and lld)"
        );
        return Err(Failure::Missing(Missing(why)));
    }
    let mut build = program(debian);
    build.args(["build", "-Zbuild-std=std,panic_abort"]);
    build.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
    // rustup's variables lead its own compiler to this cargo.
    build.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    let linkers = sysroot.into_iter().flat_map(|path| {
        let host = path.join("lib/rustlib");
        ["x86_64", "aarch64"].map(|cpu| host.join(format!("{cpu}-unknown-linux-gnu/bin/rust-lld")))
    });
    let linker = linkers.into_iter().find(|path| path.is_file()).unwrap_or_else(|| PathBuf::from("wasm-ld"));
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    Ok(build)
}

/// Writes the JavaScript that loads the program, and the program prepared for it.
fn bind(wasm: &Path, folder: &Path) -> Result<(), String> {
    let target = target()?.join("bindgen");
    let mut bindgen = cargo("run --quiet --locked --manifest-path xtask/bindgen/Cargo.toml --target-dir");
    run(bindgen.arg(target).arg("--").args([wasm, folder]))
}

/// Bytes of all files of a folder, as they are and compressed.
fn sizes(folder: &Path) -> Result<(usize, usize), String> {
    let explain = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (mut plain, mut packed) = (0, 0);
    for entry in folder.read_dir().map_err(explain)? {
        let bytes = fs::read(entry.map_err(explain)?.path()).map_err(explain)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes).map_err(explain)?;
        plain += bytes.len();
        packed += encoder.finish().map_err(explain)?.len();
    }
    Ok((plain, packed))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The version of a package in a lock file.
    fn locked(file: &str, package: &str) -> String {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let (_, rest) = text.split_once(&format!("name = \"{package}\"\nversion = \"")).unwrap();
        rest.split('"').next().unwrap().to_owned()
    }

    #[test]
    fn the_binding_program_has_the_version_of_the_viewer() {
        let wanted = locked("Cargo.lock", "wasm-bindgen");
        assert_eq!(locked("xtask/bindgen/Cargo.lock", "wasm-bindgen-cli-support"), wanted);
    }

    #[test]
    fn the_page_allows_nothing_from_elsewhere() {
        let page = fs::read_to_string(root().join("crates/viewer/web/index.html")).unwrap();
        assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"));
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("unsafe-inline"));
    }
}
