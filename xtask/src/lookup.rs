//! `bench`, the part about the search for companions: it must not cost more in a larger folder.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::scaling::{Folder, RUNS, timed};

/// Files in one folder, and eight times as many.
const FEW: usize = 900;
const MANY: usize = 7_200;
/// The user time may grow by this much for eight times the files.
const MAX_GROWTH: f64 = 9.5;
/// `info` on one file in a folder of as many.
const BESIDE: usize = 8_000;

/// Measures `convert` of a folder of models with skeletons and animations in files of their own, and `info` on one file.
/// `model` is the demo's crate.
pub(crate) fn measure(program: &Path, folder: &Folder, model: &[u8]) -> Result<String, String> {
    let few = user_time(program, folder, "few", FEW, model)?;
    let many = user_time(program, folder, "many-units", MANY, model)?;
    let growth = many.as_secs_f64() / few.as_secs_f64();
    println!(
        "convert to glb, user time: {FEW} files {:.0} ms, {MANY} files {:.0} ms, {growth:.1} times (at most {MAX_GROWTH})",
        few.as_secs_f64() * 1e3,
        many.as_secs_f64() * 1e3,
    );
    let start = best_time(|| {
        let mut command = Command::new(program);
        command.arg("--version");
        command
    })?;
    let alone = info(program, folder, "alone", 1, model)?;
    let beside = info(program, folder, "beside", BESIDE, model)?;
    println!(
        "info on one file: alone {:.2} ms, in a folder of {BESIDE} {:.2} ms; starting the program takes {:.2} ms of it",
        alone.as_secs_f64() * 1e3,
        beside.as_secs_f64() * 1e3,
        start.as_secs_f64() * 1e3
    );
    if growth > MAX_GROWTH {
        return Err(format!("{growth:.1} times the time for 8 times the files"));
    }
    Ok(format!("{growth:.1} times the time for 8 times the files"))
}

/// The user time to convert a folder of units.
fn user_time(
    program: &Path,
    folder: &Folder,
    name: &str,
    files: usize,
    model: &[u8],
) -> Result<Duration, String> {
    let units = folder.0.join(name);
    fill_with_units(&units, files, model)?;
    let out = folder.0.join("out");
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let before = children_user_time();
        let mut command = Command::new(program);
        command.args(["convert", "--to", "glb", "--no-textures", "--quiet", "--jobs", "1", "--out-dir"]);
        let run = timed(command.arg(&out).arg(&units))?;
        // Where the system does not tell, the whole time has to do.
        let user = children_user_time().zip(before).map(|(after, before)| after - before);
        best = best.min(user.unwrap_or(run.time));
        let _ = fs::remove_dir_all(&out);
    }
    Ok(best)
}

/// The user time of all processes that were started and have ended.
fn children_user_time() -> Option<Duration> {
    /// What the kernel calls USER_HZ is 100 on every system with `/proc`.
    const TICK: Duration = Duration::from_millis(10);
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold anything. `cutime` is the 16th field, the 14th after it.
    let ticks: u32 = text.rsplit_once(')')?.1.split_whitespace().nth(13)?.parse().ok()?;
    Some(TICK * ticks)
}

/// The time of `info` on one file of a folder of copies.
fn info(program: &Path, folder: &Folder, name: &str, files: usize, model: &[u8]) -> Result<Duration, String> {
    let copies = folder.0.join(name);
    fs::create_dir_all(&copies).map_err(|error| error.to_string())?;
    for at in 0..files {
        fs::write(copies.join(format!("model{at:05}.w3d")), model).map_err(|error| error.to_string())?;
    }
    best_time(|| {
        let mut command = Command::new(program);
        command.arg("info").arg(copies.join("model00000.w3d"));
        command
    })
}

/// The least time of many runs of a command.
fn best_time(command: impl Fn() -> Command) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS * 10 {
        let mut command = command();
        command.stdout(Stdio::null());
        let started = Instant::now();
        let status = command.status().map_err(|error| error.to_string())?;
        best = best.min(started.elapsed());
        if !status.success() {
            return Err(format!("{command:?} ended with {status}"));
        }
    }
    Ok(best)
}

/// Fills a folder with units of three files each: the meshes, their skeleton, and an animation whose file name tells nothing.
fn fill_with_units(folder: &Path, files: usize, model: &[u8]) -> Result<(), String> {
    const SKELETON: u32 = 0x100;
    const ANIMATION: u32 = 0x200;
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    for unit in 0..files / 3 {
        let name = format!("U{unit:06}");
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        for (id, chunk) in chunks(model) {
            let part = match id {
                SKELETON => 1,
                ANIMATION => 2,
                _ => 0,
            };
            parts[part].extend(renamed(chunk, &name));
        }
        let names = [format!("{name}.w3d"), format!("{name}_skl.w3d"), format!("motion{unit:06}.w3d")];
        for (name, bytes) in names.iter().zip(parts) {
            fs::write(folder.join(name), bytes).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// The chunks at the top of a file, with their ids.
fn chunks(file: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = file;
    std::iter::from_fn(move || {
        let word = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?));
        // The top bit says that there are chunks in it.
        let size = (word(4)? & 0x7FFF_FFFF) as usize + 8;
        let id = word(0)?;
        let (chunk, after) = rest.split_at_checked(size)?;
        rest = after;
        Some((id, chunk))
    })
}

/// The same with the crate's name replaced by another one of its length.
fn renamed(chunk: &[u8], name: &str) -> Vec<u8> {
    const OLD: &[u8] = b"MWCRATE";
    let mut bytes = chunk.to_vec();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.windows(OLD.len()).position(|it| it == OLD))
    {
        at += found;
        bytes[at..at + OLD.len()].copy_from_slice(&name.as_bytes()[..OLD.len()]);
    }
    bytes
}
