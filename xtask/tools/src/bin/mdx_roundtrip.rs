//! Reads every model below a folder, writes it back and compares: as bytes, and through the text form.
//! Prints what differs, what is left over, and how fast it went.
//!
//! `cargo run --release -p mdx --bin mdx_roundtrip -- FOLDER`

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx")) {
            found.push(path);
        }
    }
    Ok(())
}

/// Rotations of the WoW alpha are of length one, and pack into the bits that they came from.
fn check_packed(path: &Path, document: &mdx::Document<'_>) {
    use mdx::records::{Key, PackedQuaternion};
    let (mut count, mut changed, mut worst) = (0_usize, 0_usize, 0.0_f64);
    for track in document.view().nodes().flat_map(|node| node.tracks()) {
        for key in track.node.values::<Key<PackedQuaternion>>() {
            let rotation = key.value.unpack();
            let length = rotation.get().into_iter().map(|each| f64::from(each).powi(2)).sum::<f64>().sqrt();
            worst = worst.max((length - 1.0).abs());
            changed += usize::from(PackedQuaternion::pack(rotation) != key.value);
            count += 1;
        }
    }
    if count > 0 {
        println!(
            "{}: {count} packed rotations, length off by {worst:e} at most, {changed} repacked otherwise",
            path.display()
        );
    }
}

/// The best of some rounds over all files.
fn time<T>(files: &[T], mut run: impl FnMut(&T)) -> Duration {
    (0..20)
        .map(|_| {
            let start = Instant::now();
            files.iter().for_each(&mut run);
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "a speed is an estimate")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("which folder?")?;
    let mut paths = Vec::new();
    find(Path::new(&folder), &mut paths)?;
    paths.sort();
    let files: Vec<Vec<u8>> = paths.iter().map(std::fs::read).collect::<Result<_, _>>()?;
    let (mut identical, mut differ, mut unreadable) = (0, 0, 0);
    for (path, file) in paths.iter().zip(&files) {
        let document = match mdx::Document::parse(file) {
            Ok(document) => document,
            Err(error) => {
                unreadable += 1;
                println!("{}: {error}", path.display());
                continue;
            }
        };
        let through_text = mdx::Document::from_json(&document.to_json()).and_then(|back| back.to_bytes());
        let same = document.to_bytes().as_ref() == Ok(file) && through_text.as_ref() == Ok(file);
        if same {
            identical += 1;
        } else {
            differ += 1;
            println!("{}: differs {:?}", path.display(), through_text.err());
        }
        check_packed(path, &document);
        for finding in document.diagnostics() {
            println!("{}: {finding}", path.display());
        }
    }
    println!("{} files, {identical} identical, {differ} differ, {unreadable} unreadable", files.len());
    let bytes: usize = files.iter().map(Vec::len).sum();
    let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    let documents: Vec<_> = files.iter().filter_map(|file| mdx::Document::parse(file).ok()).collect();
    let parse = time(&files, |file| drop(std::hint::black_box(mdx::Document::parse(file))));
    let write = time(&documents, |document| drop(std::hint::black_box(document.to_bytes())));
    let copy = time(&files, |file| drop(std::hint::black_box(file.clone())));
    println!(
        "{bytes} bytes: parse {:.0} MB/s, write {:.0} MB/s, copy {:.0} MB/s",
        speed(parse),
        speed(write),
        speed(copy)
    );
    Ok(())
}
