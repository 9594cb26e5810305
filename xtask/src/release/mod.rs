//! `release`: the archive of one target, with the program, manual pages, completions and licences. The same commit gives the same
//! archive: files are sorted, and have the time of the commit.

mod alone;
pub(crate) mod manifests;
mod pack;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use sha2::{Digest, Sha256};

use crate::report::{Outcome, PASSED, Report};
use crate::shell::{program, root, run, target};
use pack::Entry;

/// The target that is built unless another is given: a static program where the system has one.
const DEFAULT_TARGET: &str = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    "x86_64-unknown-linux-musl"
} else if cfg!(all(target_os = "linux", target_arch = "aarch64")) {
    "aarch64-unknown-linux-musl"
} else if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
    "aarch64-apple-darwin"
} else if cfg!(target_os = "macos") {
    "x86_64-apple-darwin"
} else {
    "x86_64-pc-windows-msvc"
};

/// Shells with a completion script: the name of the shell, and the file name that it looks for.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "meshwright.bash"),
    ("zsh", "_meshwright"),
    ("fish", "meshwright.fish"),
    ("powershell", "_meshwright.ps1"),
    ("elvish", "meshwright.elv"),
];

/// Builds the archive of a target with a profile, and tests the program where that is possible.
pub(crate) fn release(mut report: Report, triple: Option<&str>, profile: Option<&str>) -> Report {
    let triple = triple.unwrap_or(DEFAULT_TARGET);
    let profile = profile.unwrap_or("dist");
    let mut built = None;
    report.step("build", || {
        built = Some(build(triple, profile)?);
        PASSED
    });
    let Some(binary) = built else { return report };
    if triple.contains("linux") {
        report.step("the program runs in an empty chroot", || alone::check(&binary));
    }
    let mut entries = Vec::new();
    report.step("files", || {
        entries = files(&binary, triple)?;
        Ok(Outcome::Passed(format!("{} files", entries.len())))
    });
    if report.is_sound() {
        report.step("archives", || write(&entries, triple));
    }
    report
}

/// Where archives are written.
fn folder() -> Result<PathBuf, String> {
    Ok(target()?.join("artifacts"))
}

/// Builds the program without paths of this machine in it.
fn build(triple: &str, profile: &str) -> Result<PathBuf, String> {
    let mut flags = vec![format!("--remap-path-prefix={}=/meshwright", root().display())];
    if let Some(home) = cargo_home() {
        flags.push(format!("--remap-path-prefix={}=/cargo", home.display()));
    }
    let mut command = program("cargo");
    command.args([
        "build",
        "--profile",
        profile,
        "--locked",
        "--target",
        triple,
        "--package",
        "meshwright-cli",
        // What a release has and a build of one's own needs not.
        "--features",
        "parquet",
    ]);
    // Flags are separated by this character, so that paths may contain spaces.
    run(command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;
    let name = if triple.contains("windows") { "meshwright.exe" } else { "meshwright" };
    Ok(target()?.join(triple).join(profile).join(name))
}

fn cargo_home() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(PathBuf::from(home()?).join(".cargo")))
}

/// All files of the archive, sorted by path.
fn files(binary: &Path, triple: &str) -> Result<Vec<Entry>, String> {
    let mut entries = vec![entry(binary, &binary.file_name().unwrap_or_default().to_string_lossy(), true)?];
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        entries.push(entry(&root().join(name), name, false)?);
    }
    let pages = target()?.join("artifacts").join("man");
    let _ = fs::remove_dir_all(&pages);
    run(program(binary).arg("man").arg("--out-dir").arg(&pages))?;
    entries.extend(entries_of(&pages, "man/man1")?);
    for (shell, name) in SHELLS {
        let output = program(binary).args(["completions", shell]).stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("completions of {shell}: {error}"))?;
        if !output.status.success() {
            return Err(format!("completions of {shell}: {}", output.status));
        }
        entries.push(Entry { path: format!("completions/{name}"), bytes: output.stdout, executable: false });
    }
    if triple.contains("linux") {
        entries.extend(entries_of(&root().join("packaging/linux"), "packaging/linux")?);
    }
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(entries)
}

fn entry(file: &Path, path: &str, executable: bool) -> Result<Entry, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Entry { path: path.to_owned(), bytes, executable })
}

/// The files of a folder, below another path.
fn entries_of(folder: &Path, path: &str) -> Result<Vec<Entry>, String> {
    let list = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = list.flatten().map(|file| file.path()).filter(|file| file.is_file());
    files
        .map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entry(&file, &format!("{path}/{name}"), name.ends_with(".sh"))
        })
        .collect()
}

/// Writes the archive, for Linux a Debian package too, and their checksums.
fn write(entries: &[Entry], triple: &str) -> crate::report::StepResult {
    let folder = folder()?;
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (time, version) = (commit_time()?, version());
    let name = format!("meshwright-{version}-{triple}");
    let below: Vec<Entry> =
        entries.iter().map(|it| Entry { path: format!("{name}/{}", it.path), ..it.clone() }).collect();
    let mut files = match triple.contains("windows") {
        true => vec![(format!("{name}.zip"), pack::zip(&below, time)?)],
        false => vec![(format!("{name}.tar.gz"), pack::tar_gz(&below, time)?)],
    };
    if let Some(architecture) = debian_architecture(triple) {
        let package = pack::debian(entries, &version, architecture, time)?;
        files.push((format!("meshwright_{version}_{architecture}.deb"), package));
    }
    let mut written = Vec::new();
    for (name, bytes) in &files {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        let checksum = format!("{}  {name}\n", sha256(bytes));
        let path = folder.join(format!("{name}.sha256"));
        fs::write(&path, &checksum).map_err(|error| format!("{}: {error}", path.display()))?;
        print!("{checksum}");
        written.push(format!("{name}, {:.1} MB", bytes.len() as f64 / 1e6));
    }
    Ok(Outcome::Passed(written.join("; ")))
}

fn debian_architecture(triple: &str) -> Option<&'static str> {
    match triple {
        "x86_64-unknown-linux-musl" => Some("amd64"),
        "aarch64-unknown-linux-musl" => Some("arm64"),
        _ => None,
    }
}

/// The version of all crates, which is that of this program too.
fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The time of all files: as the environment states it, otherwise that of the last commit, in seconds.
fn commit_time() -> Result<u32, String> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let text = match given {
        Some(text) => text,
        None => {
            let output = program("git").args(["log", "-1", "--format=%ct"]).output();
            let output = output.map_err(|error| format!("git: {error}"))?;
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    };
    text.trim().parse().map_err(|_| format!("not a time in seconds: {text:?}; set SOURCE_DATE_EPOCH"))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
