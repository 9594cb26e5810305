//! Checks every file of a folder: bytes to tree to bytes, and through the text form. `cargo run --release --bin w3d_roundtrip DIR`

use std::path::{Path, PathBuf};
use std::time::Instant;

use w3d::W3d;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn main() {
    let mut paths = Vec::new();
    files(Path::new(&std::env::args().nth(1).unwrap_or_default()), &mut paths);
    paths.sort();
    let all: Vec<(PathBuf, Vec<u8>)> =
        paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap_or_default())).collect();
    let mut wrong = 0;
    for (path, bytes) in &all {
        let file = match W3d::parse(bytes) {
            Ok(file) => file,
            Err(error) => {
                println!("{}: {error}", path.display());
                wrong += 1;
                continue;
            }
        };
        let same = file.to_bytes().as_ref() == Ok(bytes);
        let through_text = W3d::from_json(&file.to_json()).and_then(|file| file.to_bytes());
        if !same || through_text.as_ref() != Ok(bytes) {
            println!("{}: differs {same} {:?}", path.display(), through_text.err());
            wrong += 1;
        }
        for diagnostic in file.diagnostics() {
            println!("{}: {diagnostic}", path.file_name().unwrap_or_default().to_string_lossy());
        }
    }
    let total: usize = all.iter().map(|(_, bytes)| bytes.len()).sum();
    let measure = |work: &dyn Fn(&[u8]) -> usize| {
        let mut best = f64::MAX;
        for _ in 0..200 {
            let start = Instant::now();
            let sum: usize = all.iter().map(|(_, bytes)| work(bytes)).sum();
            std::hint::black_box(sum);
            best = best.min(start.elapsed().as_secs_f64());
        }
        total as f64 / best / 1e6
    };
    println!("{} files, {wrong} wrong, {total} bytes", all.len());
    println!(
        "parse {:.0} MB/s",
        measure(&|bytes| W3d::parse(bytes).map_or(0, |file| file.root.children().len()))
    );
    println!(
        "parse + write {:.0} MB/s",
        measure(&|bytes| W3d::parse(bytes).and_then(|file| file.to_bytes()).map_or(0, |bytes| bytes.len()))
    );
    println!(
        "parse + diagnose {:.0} MB/s",
        measure(&|bytes| W3d::parse(bytes).map_or(0, |file| file.diagnostics().len()))
    );
}
