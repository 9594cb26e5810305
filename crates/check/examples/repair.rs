//! Repairs every model below a folder in memory and prints what was done and what a repair left: `cargo run --example repair -- FOLDER`.
//!
//! Nothing is written. Repairing again must do nothing, and no finding that has a repair may remain; otherwise the last line counts it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use check::{Document, FixLevel, Options, check, fix, rule};

fn main() -> ExitCode {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("usage: repair FOLDER");
        return ExitCode::from(2);
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let (mut repaired, mut left, mut restless) = (0, 0, 0);
    for file in &files {
        let Ok(bytes) = fs::read(file) else { continue };
        let Ok(mut document) = Document::parse(&bytes) else { continue };
        let name = file.strip_prefix(&folder).unwrap_or(file).display();
        let applied = fix(&mut document, &[], FixLevel::All);
        repaired += usize::from(!applied.is_empty());
        for applied in &applied {
            println!("{name}: fixed[{}] {}: {}", applied.code, applied.path, applied.message);
        }
        let once = document.to_bytes().unwrap_or_default();
        let after =
            Document::parse(&once).map(|document| check(&document, &Options::default())).unwrap_or_default();
        for finding in
            after.iter().filter(|finding| rule(&finding.code).is_some_and(|rule| rule.repair.is_some()))
        {
            println!("{name}: left: {finding}");
            left += 1;
        }
        fix(&mut document, &[], FixLevel::All);
        if document.to_bytes().unwrap_or_default() != once {
            println!("{name}: a second time changes more");
            restless += 1;
        }
    }
    println!("{} files, {repaired} repaired, {left} findings left, {restless} not at rest", files.len());
    ExitCode::SUCCESS
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
