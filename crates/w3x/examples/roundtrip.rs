//! Reads files and folders of W3X, and tells whether every byte comes back, which share of the bytes has a type, and how fast they are read:
//! `cargo run --release -p meshwright-w3x --example roundtrip FOLDER`. With `--mutations N`, damages the files N times, too.

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use meshwright_w3x::{W3x, kinds};
use record::Node;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut paths, mut mutations) = (Vec::new(), 0);
    while let Some(argument) = arguments.next() {
        if argument == "--mutations" {
            mutations = arguments.next().and_then(|count| count.parse().ok()).unwrap_or_default();
        } else if let Err(error) = list(Path::new(&argument), &mut paths) {
            eprintln!("{argument}: {error}");
            return ExitCode::FAILURE;
        }
    }
    match run(&paths, mutations) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Lists the files of a folder, with all folders below it.
fn list(path: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        paths.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| list(entry, paths))
}

fn run(paths: &[PathBuf], mutations: usize) -> Result<bool, Box<dyn Error>> {
    let mut files = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path)?;
        if W3x::is_like(&bytes) {
            files.push((path, bytes));
        }
    }
    let (mut total, mut typed, mut wrong, mut parts) = (0, 0, 0, 0);
    for (path, bytes) in &files {
        let file = W3x::parse(bytes)?;
        let is_same = file.to_bytes()? == *bytes && W3x::from_json(&file.to_json())?.to_bytes()? == *bytes;
        if !is_same {
            println!("{}: differs", path.display());
            wrong += 1;
        }
        for found in file.diagnostics() {
            println!("{}: {found}", path.display());
        }
        total += bytes.len();
        typed += bytes.len() - untyped(&file.root);
        let mut count = 0_usize;
        file.root.walk(&mut |_| count += 1);
        parts = parts.max(count);
    }
    println!("{} files, {total} bytes, {wrong} differ, at most {parts} parts", files.len());
    println!("{:.3} % of the bytes have a type", 100.0 * typed as f64 / total.max(1) as f64);
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for (_, bytes) in &files {
            black_box(W3x::parse(bytes)?);
        }
        best = best.min(start.elapsed());
    }
    println!("read at {:.0} MB/s", total as f64 / 1e6 / best.as_secs_f64());
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for round in 0..mutations {
        let Some((path, original)) = files.get(round % files.len().max(1)) else { break };
        let bytes = damaged(original, &mut random);
        let file = W3x::parse(&bytes)?;
        if file.to_bytes()? != bytes {
            println!("{}: mutation {round} differs", path.display());
            wrong += 1;
        }
        black_box(file.diagnostics());
        for mesh in file.meshes() {
            black_box((mesh.positions(0), mesh.influences(0), mesh.tex_coords(0), mesh.triangles()));
        }
        for channel in file.animations().flat_map(|animation| animation.channels()) {
            black_box((channel.scalars(), channel.rotations()));
        }
    }
    if mutations > 0 {
        println!("{mutations} damaged files were read");
    }
    Ok(wrong == 0)
}

/// The number of bytes that are not XML, or in elements and attributes that no schema has.
fn untyped(node: &Node<'_>) -> usize {
    let is_foreign = [&kinds::FOREIGN_ELEMENT, &kinds::FOREIGN_ATTRIBUTE, &kinds::MALFORMED, &kinds::UNREAD];
    if is_foreign.iter().any(|kind| node.is(kind)) {
        return node.len();
    }
    node.children().iter().map(untyped).sum()
}

/// A window of a file with some bytes changed, removed and copied. Whole files would take too long.
fn damaged(original: &[u8], random: &mut u64) -> Vec<u8> {
    let mut next = |limit: usize| {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        usize::try_from(*random >> 11).unwrap_or_default() % limit.max(1)
    };
    let head = original.len().min(20_000);
    let start = next(original.len().saturating_sub(head));
    let mut bytes = original[..head / 4].to_vec();
    bytes.extend_from_slice(&original[start..start + head - head / 4]);
    for _ in 0..1 + next(8) {
        let at = next(bytes.len());
        match next(5) {
            0 if !bytes.is_empty() => bytes[at] = b"<>/\"'=! &-\0\xFF"[next(12)],
            1 => {
                let end = (at + next(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => bytes.truncate(at.max(1)),
            3 => {
                let from = next(bytes.len());
                let copy: Vec<u8> = bytes[from..].iter().copied().take(next(200)).collect();
                bytes.splice(at..at, copy);
            }
            _ if !bytes.is_empty() => bytes[at] ^= 1 << next(8),
            _ => {}
        }
    }
    bytes
}
