//! Benchmarks: `cargo xtask bench`. Real files in `../shared/corpus` are measured too, if it exists.
//!
//! With a folder and a number as arguments, it converts the files in the folder to GLB that many times and prints their size, to count
//! instructions. With `w3d` or `mdx` as a third, it converts their GLBs to that format instead; with `read`, it only reads the GLBs.
//! `author` alone measures GLB to W3D and to MDX.

mod author_rows;
mod mdx_rows;
mod w3d_rows;

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use meshwright_bench::{Row, Table, copy_into_fresh_memory};

/// Odd, so that the median is a run that happened.
const RUNS: usize = 15;

/// The folder of real files.
const CORPUS: &str = "../shared/corpus";

/// The same allocator as the command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [] => measure(),
        [only] if only == "author" => author(),
        [folder, passes] => convert(folder, passes.parse().expect("the second word is a number")),
        [folder, passes, to] => {
            convert_back(folder, passes.parse().expect("the second word is a number"), to);
        }
        _ => panic!("usage: bench [author | FOLDER PASSES [w3d | mdx | read]]"),
    }
}

/// Converts the files of a folder several times.
fn convert(folder: &str, passes: usize) {
    let files = real_files(&Path::new(CORPUS).join(folder));
    for bytes in std::iter::repeat_n(&files, passes).flatten() {
        std::hint::black_box(to_glb(bytes));
    }
    println!("{}", total(&files));
}

/// Makes GLBs of the files of a folder, and converts these to a format several times.
fn convert_back(folder: &str, passes: usize, to: &str) {
    let glbs = author_rows::glbs(&real_files(&Path::new(CORPUS).join(folder)));
    let back = match to {
        "w3d" => author_rows::to_w3d,
        "mdx" => author_rows::to_mdx,
        "read" => author_rows::size_read,
        _ => panic!("the third word is w3d, mdx or read"),
    };
    for glb in std::iter::repeat_n(&glbs, passes).flatten() {
        std::hint::black_box(back(glb));
    }
    println!("{}", total(&glbs));
}

/// GLBs of real files to both families.
fn author() {
    for folder in ["w3d", "mdx"] {
        let glbs = author_rows::glbs(&real_files(&Path::new(CORPUS).join(folder)));
        if !glbs.is_empty() {
            author_rows::real(folder, &glbs);
        }
    }
}

fn measure() {
    w3d_rows::large_mesh();
    let w3d = real_files(&Path::new(CORPUS).join("w3d"));
    if !w3d.is_empty() {
        w3d_rows::real(&w3d);
    }
    mdx_rows::large_model();
    let mdx = real_files(&Path::new(CORPUS).join("mdx"));
    if !mdx.is_empty() {
        mdx_rows::real(&mdx);
        mdx_rows::real_text(&mdx);
    }
    if !w3d.is_empty() && !mdx.is_empty() {
        both(w3d, &mdx);
    }
    author();
}

/// All real files one after the other, as a folder of both kinds is converted.
fn both(mut files: Vec<Vec<u8>>, mdx: &[Vec<u8>]) {
    files.extend_from_slice(mdx);
    let mut results = table(&files);
    results.push(row("parse, to GLB", &files, to_glb));
    results.push(row_on_all_cores("parse, to GLB", &files, to_glb));
    println!("W3D and MDX, {} real files, {} kB\n{results}", files.len(), total(&files) / 1000);
}

/// Size of the converted file; `None` if it is not a model.
fn to_glb(bytes: &[u8]) -> Option<usize> {
    match bytes.starts_with(b"MDLX") {
        true => mdx_rows::to_glb(bytes),
        false => w3d_rows::to_glb(bytes),
    }
}

/// A table that starts with copying the same bytes.
fn table(files: &[Vec<u8>]) -> Table {
    let total = total(files);
    Table::new(Row::measure("copy into fresh memory", total, RUNS, || {
        files.iter().map(|bytes| copy_into_fresh_memory(bytes)).collect::<Vec<_>>()
    }))
}

/// A row: the same work on every file.
fn row<T>(name: &str, files: &[Vec<u8>], work: impl Fn(&[u8]) -> T) -> Row {
    Row::measure(name, total(files), RUNS, || files.iter().map(|bytes| work(bytes)).collect::<Vec<_>>())
}

/// The same, with the files shared among all cores, as the command line does. Several rounds, because threads are slow at
/// first: each allocates its own memory.
fn row_on_all_cores<T: Send>(name: &str, files: &[Vec<u8>], work: impl Fn(&[u8]) -> T + Sync) -> Row {
    const ROUNDS: usize = 8;
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let name = format!("{name}, {cores} cores");
    let row = Row::measure(&name, total(files), RUNS, || {
        let next = AtomicUsize::new(0);
        let take = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= ROUNDS * files.len() {
                    return done;
                }
                done.push(work(&files[at % files.len()]));
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(take)).collect();
            workers.into_iter().map(|worker| worker.join().expect("the work")).collect::<Vec<_>>()
        })
    });
    Row { time: row.time / ROUNDS as u32, ..row }
}

/// The same, but each file several times in a row. File and code are then in the processor's caches; in [`row`] other
/// files evict them.
fn row_over_again<T>(name: &str, files: &[Vec<u8>], work: impl Fn(&[u8]) -> T) -> Row {
    let times = files.iter().map(|bytes| Row::measure(name, bytes.len(), RUNS, || work(bytes)).time);
    Row { name: name.to_owned(), bytes: total(files), time: times.sum() }
}

fn total(files: &[Vec<u8>]) -> usize {
    files.iter().map(Vec::len).sum()
}

/// The contents of all files below a folder.
fn real_files(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| if path.is_dir() { real_files(&path) } else { fs::read(path).into_iter().collect() })
        .collect()
}
