//! How fast Meshwright is: `cargo xtask bench`. Real files are measured too where `../shared/corpus` is there.

mod mdx_rows;
mod w3d_rows;

use std::fs;
use std::path::Path;

use bench::{Row, Table, copy_into_fresh_memory};

/// Odd, so that the median is a run that happened.
const RUNS: usize = 15;

/// Where real files may lie.
const CORPUS: &str = "../shared/corpus";

/// The one that the command line uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    w3d_rows::large_mesh();
    let files = real_files(&Path::new(CORPUS).join("w3d"));
    if !files.is_empty() {
        w3d_rows::real(&files);
    }
    mdx_rows::large_model();
    let files = real_files(&Path::new(CORPUS).join("mdx"));
    if !files.is_empty() {
        mdx_rows::real(&files);
        mdx_rows::real_text(&files);
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
