//! `bombs`: small files that are made to exhaust memory or time, and all verbs over each of them.
//!
//! The promise is in SECURITY.md: a file of 10 MB or less takes at most 2 GB and 20 s, whatever is in it.

mod bomb;
mod glb;
mod gltf;
mod mdx;
mod packed;
mod pictures;
mod text;
mod w3d;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bomb::Bomb;

use crate::programs::build;
use crate::report::{Outcome, Report, StepResult};
use crate::shell::target;

/// Memory that a run may take, in bytes.
const MAX_MEMORY: u64 = 2 << 30;
/// Processor time that a run may take. Other programs on the machine do not count.
const MAX_TIME: Duration = Duration::from_secs(20);
/// Time that a run may take, whoever else is at work.
const MAX_PATIENCE: Duration = Duration::from_secs(300);
/// How often a run is looked at.
const LOOK: Duration = Duration::from_millis(4);
/// No file is larger. Those of the greatest cost are smaller, so that a build without optimisation keeps to the limits, too.
const MAX_BYTES: usize = 10 << 20;

/// Runs all verbs over all bombs with this program, or with one that is built.
pub(crate) fn bombs(mut report: Report, program: Option<&Path>, only: Option<&str>) -> Report {
    report.step("bombs", || run(program, only));
    report
}

/// The step of `ci`.
pub(crate) fn check() -> StepResult {
    run(None, None)
}

fn run(program: Option<&Path>, only: Option<&str>) -> StepResult {
    let program = match program {
        Some(program) => program.to_owned(),
        None => build("meshwright", "release")?,
    };
    let folder = target()?.join("bombs");
    let _ = fs::remove_dir_all(&folder);
    let mut runs = Vec::new();
    let mut files = 0;
    // Other formats that can be read get a module here, and their verbs a row in `commands`.
    let sources =
        [w3d::bombs, mdx::bombs, text::bombs, gltf::bombs, glb::bombs, pictures::bombs, packed::bombs];
    // One family at a time: together they take some hundred megabytes.
    for bombs in sources {
        for bomb in bombs().into_iter().filter(|bomb| only.is_none_or(|only| bomb.name.contains(only))) {
            if bomb.bytes.len() > MAX_BYTES {
                return Err(format!("{} is larger than 10 MB: {} bytes", bomb.name, bomb.bytes.len()));
            }
            let folder = folder.join(bomb.name);
            write(&folder, &bomb).map_err(|error| format!("{}: {error}", folder.display()))?;
            runs.extend(commands(&bomb, &folder));
            files += 1;
        }
    }
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = workers();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run.measure(&program);
                    // All of them together take gigabytes.
                    let _ = fs::remove_dir_all(&run.out);
                    if let Some(failure) = result.failure() {
                        println!("  {}: {failure}", run.shown());
                    }
                    if let Ok(mut results) = results.lock() {
                        results.push((run, result));
                    }
                }
            });
        }
    });
    let results = results.into_inner().map_err(|_| "a worker failed")?;
    let _ = fs::remove_dir_all(&folder);
    let failed = results.iter().filter(|(_, result)| result.failure().is_some()).count();
    let mut slowest: Vec<_> = results.iter().collect();
    slowest.sort_by_key(|(_, result)| std::cmp::Reverse(result.time));
    for (run, result) in slowest.iter().take(5) {
        println!("  {:>5.1} s {:>5} MB  {}", result.time.as_secs_f64(), result.memory >> 20, run.shown());
    }
    let mut largest: Vec<_> = results.iter().collect();
    largest.sort_by_key(|(_, result)| std::cmp::Reverse(result.memory));
    for (run, result) in largest.iter().take(5) {
        println!("  {:>5.1} s {:>5} MB  {}", result.time.as_secs_f64(), result.memory >> 20, run.shown());
    }
    let total: Duration = results.iter().map(|(_, result)| result.time).sum();
    println!("  {:.0} s of processor time in all", total.as_secs_f64());
    let most = results.iter().map(|(_, result)| result.memory).max().unwrap_or(0) >> 20;
    let longest = slowest.first().map_or(0.0, |(_, result)| result.time.as_secs_f64());
    if failed == 0 {
        let detail = format!("{files} files, {} runs, at most {most} MB and {longest:.1} s", results.len());
        return Ok(Outcome::Passed(detail));
    }
    Err(format!("{failed} of {} runs", results.len()))
}

fn write(folder: &Path, bomb: &Bomb) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(bomb.file), &bomb.bytes)?;
    // Files of the same content are links to one.
    let mut last: Option<(&[u8], PathBuf)> = None;
    for (name, bytes) in &bomb.beside {
        let path = folder.join(name);
        match &last {
            Some((same, file)) if same == bytes => fs::hard_link(file, &path)?,
            _ => fs::write(&path, bytes)?,
        }
        last = Some((bytes, path));
    }
    Ok(())
}

/// As many runs at once as there are processors, and as fit into the memory that is free.
fn workers() -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let fitting = free_memory().map_or(2, |free| usize::try_from(free / MAX_MEMORY).unwrap_or(1));
    processors.min(fitting).max(1)
}

/// The memory that programs can take, where the system tells: on Linux.
fn free_memory() -> Option<u64> {
    let text = read_small("/proc/meminfo".to_owned())?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// One call of the program.
struct Run {
    bomb: &'static str,
    folder: PathBuf,
    /// Where it writes.
    out: PathBuf,
    arguments: Vec<String>,
}

/// What it took.
struct Measured {
    time: Duration,
    memory: u64,
    end: End,
}

enum End {
    /// With this exit code.
    Code(i32),
    /// It crashed, or somebody else ended it.
    Crashed,
    /// It was stopped, because it took too much.
    Stopped,
    NotStarted(String),
}

impl Measured {
    /// Why this is not good enough.
    fn failure(&self) -> Option<String> {
        let took = format!("{:.1} s, {} MB", self.time.as_secs_f64(), self.memory >> 20);
        match &self.end {
            // 0 fine, 1 findings, 3 refused. Anything else is no answer to what a file contains.
            End::Code(0 | 1 | 3) => None,
            End::Code(code) => Some(format!("exit code {code} ({took})")),
            End::Crashed => Some(format!("crashed ({took})")),
            End::Stopped => Some(format!("took too much ({took})")),
            End::NotStarted(error) => Some(error.clone()),
        }
    }
}

/// All verbs that a file of this kind can be given to.
fn commands(bomb: &Bomb, folder: &Path) -> Vec<Run> {
    let models = [
        "info --json @",
        "tree --json @",
        "verify --text @",
        "check @",
        "check --fix=all --dry-run @",
        "convert @ out/a.json",
        "convert @ out/a.glb",
        "convert @ out/a.gltf --material-animation --curves cubic --levels separate --hidden --global-sequences bake",
        "edit scale 2 @ --dry-run",
        "edit strip unused-nodes @ --output out/strip.bin",
        "diff @ @",
        "render @ out/a.png --size 64x64",
    ];
    let mdx = [
        "convert @ out/a.mdl",
        "convert @ out/b.mdx --to-version 1000",
        "convert @ out/a.w3d",
        "convert @ out/b.w3d --profile bfme2 --compress adaptive-delta",
        "edit rename bone Bone Thing @ --dry-run",
        "edit set BONE/BONE_OBJECT[*]/NODE/NODE_HEADER.parent_id=-1 @ --output out/set.mdx",
    ];
    let w3d = [
        "convert @ out/a.mdx",
        "convert @ out/b.w3d --profile zero-hour --compress time-coded",
        "edit rename mesh SAME OTHER @ --dry-run",
        "edit set MESH[*]/MESH_HEADER3/sort_level=1 @ --output out/set.w3d",
    ];
    let kind = bomb.file.rsplit('.').next().unwrap_or_default();
    let calls: Vec<&str> = match kind {
        "w3d" => [&models[..], &w3d].concat(),
        "mdx" | "mdl" => [&models[..], &mdx].concat(),
        "json" => {
            [&["verify @", "convert @ out/a.bin --to w3d", "convert @ out/a.glb", "check @", "info @"][..]]
                .concat()
        }
        "gltf" | "glb" => vec![
            "convert @ out/a.glb",
            "convert @ out/a.mdx",
            "convert @ out/a.w3d",
            "convert @ out/a.obj",
            "render @ out/a.png --size 64x64",
            "info @",
            "check @",
        ],
        "png" | "tga" | "dds" | "blp" => {
            vec!["convert @ out/a.png", "convert @ out/a.dds", "convert @ out/a.blp", "info @"]
        }
        _ => vec![
            "ls @",
            "ls --json @",
            "info --csv @",
            "check @",
            "verify @",
            "extract @ -o out",
            "find m @",
            "convert @ -o out --to glb",
        ],
    };
    let run = |(at, call): (usize, &str)| {
        let out = format!("out{at}");
        let word = |word: &str| match word.strip_prefix("out") {
            Some(file) => format!("{out}{file}"),
            None if word == "@" => bomb.file.to_owned(),
            None => word.to_owned(),
        };
        let arguments = call.split(' ').map(word).collect();
        Run { bomb: bomb.name, folder: folder.to_owned(), out: folder.join(&out), arguments }
    };
    calls.into_iter().enumerate().map(run).collect()
}

impl Run {
    fn shown(&self) -> String {
        format!("{}: {}", self.bomb, self.arguments.join(" "))
    }

    fn measure(&self, program: &Path) -> Measured {
        let nothing = |error: String| Measured {
            time: Duration::ZERO,
            memory: 0,
            end: End::NotStarted(format!("it did not start: {error}")),
        };
        let started = Instant::now();
        let child = Command::new(program)
            .args(&self.arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match child {
            Ok(mut child) => watch(&mut child, started),
            Err(error) => nothing(error.to_string()),
        }
    }
}

/// Waits for a process, and stops it as soon as it takes too much.
fn watch(child: &mut Child, started: Instant) -> Measured {
    let (mut memory, mut processor) = (0, Duration::ZERO);
    loop {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => {
                let time = if processor.is_zero() { started.elapsed() } else { processor };
                let end = status.code().map_or(End::Crashed, End::Code);
                return Measured { time, memory, end };
            }
            Err(error) => {
                return Measured { time: processor, memory, end: End::NotStarted(error.to_string()) };
            }
        }
        memory = memory.max(resident(child.id()).unwrap_or(0));
        processor = processor.max(processor_time(child.id()).unwrap_or_default());
        if memory > MAX_MEMORY || processor > MAX_TIME || started.elapsed() > MAX_PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            let time = processor.max(if processor.is_zero() { started.elapsed() } else { processor });
            return Measured { time, memory, end: End::Stopped };
        }
        thread::sleep(LOOK);
    }
}

/// The most memory that a process has had, where the system tells: on Linux.
fn resident(process: u32) -> Option<u64> {
    let status = read_small(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// The processor time of a process, where the system tells: on Linux, in hundredths of a second.
fn processor_time(process: u32) -> Option<Duration> {
    let stat = read_small(format!("/proc/{process}/stat"))?;
    // The name of the program, in parentheses, may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<u64> = fields.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
    Some(Duration::from_millis(ticks.iter().sum::<u64>() * 10))
}

fn read_small(path: String) -> Option<String> {
    use std::io::Read as _;
    let mut text = String::new();
    File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}
