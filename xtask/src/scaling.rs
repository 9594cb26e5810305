//! `bench`, the part about many files: how much two workers gain over one, and how memory grows with the number of files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::lookup;
use crate::programs::build;
use crate::report::{Outcome, StepResult};
use crate::shell::works;

const FILES: usize = 10_000;
const FEWER: usize = 1_000;
const PER_FOLDER: usize = 500;
/// Number of runs, of which the fastest counts, because other programs use the machine.
pub(crate) const RUNS: usize = 5;
/// Crates in a file.
const COPIES: usize = 3;

/// The verbs that are measured, and whether they write a folder.
const VERBS: [(&[&str], bool); 7] = [
    (&["info"], false),
    (&["info", "--json"], false),
    (&["info", "--csv"], false),
    (&["info", "--md"], false),
    (&["verify"], false),
    (&["edit", "retexture", "mwcrate.tga", "oak.tga"], true),
    (&["convert", "--to", "glb"], true),
];

pub(crate) fn measure() -> StepResult {
    let program = build("meshwright", "release")?;
    let folder = Folder::make()?;
    let model = sample(&program, &folder.0)?;
    for (name, files) in [("many", FILES), ("fewer", FEWER)] {
        fill(&folder.0.join(name), files, &model)?;
    }
    println!(
        "{FILES} files of {} bytes, the best of {RUNS} runs; peak memory for {FEWER} and for {FILES} files",
        model.len()
    );
    println!("{:<28} {:>9} {:>9} {:>6} {:>9} {:>9}", "", "-j 1", "-j 2", "gain", "fewer", "many");
    for (verb, writes) in VERBS {
        let run = |name: &str, jobs: &str| -> Result<Run, String> {
            let mut command = Command::new(&program);
            command.args(verb).arg(folder.0.join(name)).args(["--quiet", "--jobs", jobs]);
            let out = folder.0.join("out");
            if writes {
                command.arg("--out-dir").arg(&out);
            }
            let run = timed(&mut command)?;
            // What is written over is another measurement.
            let _ = fs::remove_dir_all(&out);
            Ok(run)
        };
        let (mut one, mut two) = (run("many", "1")?, run("many", "2")?);
        for _ in 1..RUNS {
            one = one.better(run("many", "1")?);
            two = two.better(run("many", "2")?);
        }
        let fewer = run("fewer", "2")?;
        println!(
            "{:<28} {:>6.0} ms {:>6.0} ms {:>5.2}x {:>6} KB {:>6} KB",
            verb.join(" ").chars().take(28).collect::<String>(),
            one.time.as_secs_f64() * 1e3,
            two.time.as_secs_f64() * 1e3,
            one.time.as_secs_f64() / two.time.as_secs_f64(),
            fewer.peak,
            two.peak,
        );
    }
    let single = &model[..model.len() / COPIES];
    Ok(Outcome::Passed(format!("{FILES} files; {}", lookup::measure(&program, &folder, single)?)))
}

/// A temporary folder, in memory if possible, so that the disk is not measured.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn make() -> Result<Self, String> {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = parent.join(format!("meshwright-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Three crates in one file: a W3D file is its chunks, one after the other.
fn sample(program: &Path, folder: &Path) -> Result<Vec<u8>, String> {
    let demo = folder.join("demo");
    if !works(Command::new(program).arg("demo").arg(&demo)) {
        return Err("`meshwright demo` failed".to_owned());
    }
    let model = fs::read(demo.join("mwcrate.w3d")).map_err(|error| error.to_string())?;
    Ok(model.repeat(COPIES))
}

fn fill(folder: &Path, files: usize, model: &[u8]) -> Result<(), String> {
    for at in 0..files {
        let folder = folder.join(format!("{:02}", at / PER_FOLDER));
        let path = folder.join(format!("model{at:05}.w3d"));
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, model))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// How long it took, and the most memory that was seen, in KB; 0 where the system does not say.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    peak: u64,
}

impl Run {
    fn better(self, other: Self) -> Self {
        Self { time: self.time.min(other.time), peak: self.peak.max(other.peak) }
    }
}

pub(crate) fn timed(command: &mut Command) -> Result<Run, String> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let ended = child.try_wait().map_err(|error| error.to_string())?;
        if let Some(ended) = ended {
            let time = started.elapsed();
            return if ended.success() {
                Ok(Run { time, peak })
            } else {
                Err(format!("it ended with {ended}"))
            };
        }
        peak = peak.max(high_water(&status).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn high_water(status: &str) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
