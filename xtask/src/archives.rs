//! Archives: tests with other readers, and benchmarks of listing and reading.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::corpus::list_files;
use crate::programs::build;
use crate::report::{Outcome, StepResult};
use crate::shell::{program, root, target};

/// Members of the large archive that is listed.
const MEMBERS: u32 = 20_000;
/// Size of each; together about 2 GB, of which a file system stores next to nothing.
const MEMBER_SIZE: u32 = 104_857;
/// Number of runs, of which the fastest counts, because other programs use the machine.
const RUNS: usize = 7;

/// Measures listing a large archive, and verifying models in an archive beside the same models in a folder.
pub(crate) fn bench() -> StepResult {
    let cli = build("meshwright", "release")?;
    let folder = target()?.join("bench-archives");
    // Remove the files of earlier runs.
    let _ = fs::remove_dir_all(&folder);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    large_archive(&folder.join("large.big")).map_err(failed)?;
    let models = copy_models(&folder.join("models"), &cli)?;
    run(&cli, &["pack", "models", "models.big"], &folder)?;
    let listing = quickest(&cli, &["ls", "large.big"], &folder)?;
    let loose = quickest(&cli, &["verify", "models", "-j", "1"], &folder)?;
    let packed = quickest(&cli, &["verify", "models.big/**", "-j", "1"], &folder)?;
    let _ = fs::remove_dir_all(&folder);
    let speed = loose.as_secs_f64() / packed.as_secs_f64();
    let summary = format!(
        "2 GB BIG with {MEMBERS} members listed in {:.0} ms; {models} models verified in an archive at {speed:.2} times the speed of a \
         folder",
        listing.as_secs_f64() * 1000.0
    );
    println!("{summary}");
    Ok(Outcome::Passed(summary))
}

/// A BIG archive of zeros.
fn large_archive(path: &Path) -> std::io::Result<()> {
    let names: Vec<String> =
        (0..MEMBERS).map(|at| format!("art\\w3d\\{:02x}\\model{at:05}.w3d", at % 256)).collect();
    let start = 16 + names.iter().map(|name| name.len() as u32 + 9).sum::<u32>();
    let total = start + MEMBERS * MEMBER_SIZE;
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(b"BIGF")?;
    out.write_all(&total.to_le_bytes())?;
    out.write_all(&MEMBERS.to_be_bytes())?;
    out.write_all(&start.to_be_bytes())?;
    for (at, name) in (0..).zip(&names) {
        out.write_all(&(start + at * MEMBER_SIZE).to_be_bytes())?;
        out.write_all(&MEMBER_SIZE.to_be_bytes())?;
        out.write_all(name.as_bytes())?;
        out.write_all(&[0])?;
    }
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.set_len(total.into())
}

/// Copies real models, or samples where there are none, until there are enough to measure.
fn copy_models(folder: &Path, cli: &Path) -> Result<usize, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut sources = Vec::new();
    let real = root().join("../shared/corpus/w3d");
    let samples = folder.with_file_name("samples");
    if real.is_dir() {
        list_files(&real, &mut sources)?;
    } else {
        run(cli, &["demo", "samples"], samples.parent().unwrap_or(Path::new(".")))?;
        list_files(&samples, &mut sources)?;
        sources.retain(|path| path.extension().is_some_and(|extension| extension == "w3d"));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    let mut copied = 0;
    while copied < 1000 && !sources.is_empty() {
        for source in &sources {
            fs::copy(source, folder.join(format!("{copied:05}.w3d"))).map_err(failed)?;
            copied += 1;
        }
    }
    Ok(copied)
}

fn run(cli: &Path, words: &[&str], folder: &Path) -> Result<(), String> {
    let output = program(cli).args(words).current_dir(folder).output().map_err(|error| error.to_string())?;
    // Real models may have what `verify` reports; whether they do is for others to say.
    match output.status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("meshwright {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr))),
    }
}

fn quickest(cli: &Path, words: &[&str], folder: &Path) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let started = Instant::now();
        run(cli, words, folder)?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}
