//! Damages sizes and counts of every model below a folder in memory, repairs the copies and compares what a game's loader sees before and
//! after: `cargo run --bin loaders -- FOLDER [COPIES]`.
//!
//! Nothing is written. No value that was read may change, and nothing that was seen may disappear. Otherwise the exit code is 1. The last
//! line counts copies and faults.

extern crate check as meshwright_check;

#[path = "../../../../crates/check/tests/it/loaders/damage.rs"]
mod damage;
#[path = "../../../../crates/check/tests/it/loaders/judge.rs"]
mod judge;
#[path = "../../../../crates/check/tests/it/loaders/seen.rs"]
mod seen;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(folder) = arguments.first() else {
        eprintln!("usage: loaders FOLDER [COPIES]");
        return ExitCode::from(2);
    };
    let copies = arguments.get(1).and_then(|copies| copies.parse().ok()).unwrap_or(2);
    let mut files = Vec::new();
    collect(Path::new(folder), &mut files);
    files.sort();
    let mut verdict = judge::Verdict::default();
    for (index, file) in files.iter().enumerate() {
        let Ok(bytes) = fs::read(file) else { continue };
        let before = verdict.faults.len();
        judge::judge(&bytes, index as u64 + 1, copies, &mut verdict);
        for fault in &verdict.faults[before..] {
            println!("{}: {fault}", file.strip_prefix(folder).unwrap_or(file).display());
        }
    }
    println!(
        "{} damaged copies, {} repaired, {} as before the damage, {} faults",
        verdict.copies,
        verdict.repaired,
        verdict.restored,
        verdict.faults.len()
    );
    ExitCode::from(u8::from(!verdict.faults.is_empty()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
