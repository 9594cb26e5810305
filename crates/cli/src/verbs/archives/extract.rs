//! `extract`: members of archives as files.

use meshwright::archive;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::args::ExtractArgs;
use super::{Item, items};
use crate::args::Common;
use crate::exit::{self, Outcome};
use crate::input::{Problem, path_text};
use crate::output;
use crate::report::{self, DIM, Printer};
use crate::work::{self, JobOutput};

/// Overlapping members may be many times as large as the archive; above this factor the archive is considered hostile.
const MAX_GROWTH: u64 = 4;

/// Why only one of two members is extracted.
const CASE: &str =
    "the games and some file systems ignore the case of names, and the games use the last member";

pub(crate) fn extract(args: &ExtractArgs, common: Common) -> exit::Result {
    let (items, mut problems) = items(&args.paths);
    // If members share a path, the last one is used, as in the games.
    let mut last = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        last.insert((item.archive.clone(), archive::key(&item.inner)), at);
    }
    for item in &items {
        let kept = &items[last[&(item.archive.clone(), archive::key(&item.inner))]].inner;
        if *kept != item.inner {
            let message = format!("not extracted: its path differs from {kept:?} only in case");
            problems.push(Problem::system(&item.path, message, Some(CASE)));
        }
    }
    let items: Vec<&Item> = items
        .iter()
        .enumerate()
        .filter(|(at, item)| last[&(item.archive.clone(), archive::key(&item.inner))] == *at)
        .map(|(_, item)| item)
        .collect();
    if let Some(problem) = grown(&items).filter(|_| !args.force) {
        report::problem(&problem);
        return Ok(Outcome::Unreadable);
    }
    let work = |item: &&Item| match extract_one(item, args) {
        Ok((path, size)) => JobOutput {
            out: report::rendered(|out| match common.verbose {
                true => writeln!(out, "{} {DIM}({} bytes){DIM:#}", path_text(&path), report::thousands(size)),
                false => Ok(()),
            }),
            err: Vec::new(),
            result: Some(size),
        },
        Err(problem) => JobOutput { out: Vec::new(), err: report::rendered_problem(&problem), result: None },
    };
    let (mut files, mut bytes, mut failed) = (0, 0, 0);
    let mut printer = Printer::text();
    work::in_order(&items, args.jobs, common, work, |_, made| {
        match made.result {
            Some(size) => (files, bytes) = (files + 1, bytes + size),
            None => failed += 1,
        }
        printer.print(&made)
    })?;
    if !common.quiet {
        let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        writeln!(
            printer,
            "{} extracted, {} bytes{failures}",
            report::counted(files, "file", "files"),
            report::thousands(bytes)
        )?;
    }
    printer.flush()?;
    let is_fine = problems.is_empty() && failed == 0;
    problems.drain(..).for_each(|problem| report::problem(&problem));
    Ok(if is_fine { Outcome::Fine } else { Outcome::Unreadable })
}

/// A problem if the members of an archive are larger than it can hold.
fn grown(items: &[&Item]) -> Option<Problem> {
    let mut sums: HashMap<&Path, (u64, u64)> = HashMap::new();
    for item in items {
        if let (Some(file), Some((archive, entry))) = (&item.archive, &item.member) {
            let sum = sums.entry(file).or_insert((0, archive.source().len()));
            sum.0 = sum.0.saturating_add(entry.packed);
        }
    }
    let (file, (sum, size)) =
        sums.into_iter().find(|(_, (sum, size))| *sum > size.saturating_mul(MAX_GROWTH))?;
    let message = format!("members overlap: {sum} bytes in an archive of {size} bytes");
    Some(Problem::system(file, message, Some("use --force to extract them anyway")))
}

fn extract_one(item: &Item, args: &ExtractArgs) -> Result<(PathBuf, usize), Problem> {
    let refused = |message: &str, note: Option<&str>| Err(Problem::system(&item.path, message, note));
    let Some(safe) = archive::safe_path(&item.inner) else {
        return refused("not extracted: the path could leave the target folder", None);
    };
    let folder = args.out_dir.clone().unwrap_or_else(|| default_folder(item));
    if let Some(link) = output::link_in(&folder, &safe) {
        let message = format!("not extracted: {} is a symbolic link", path_text(&link));
        return refused(&message, None);
    }
    let target = folder.join(&safe);
    if !args.force && fs::symlink_metadata(&target).is_ok() {
        let message = format!("not extracted: {} exists", path_text(&target));
        return refused(&message, Some("use --force to overwrite files"));
    }
    let bytes = item.read()?;
    output::write(&target, &bytes)?;
    Ok((target, bytes.len()))
}

/// A folder with the archive's name.
fn default_folder(item: &Item) -> PathBuf {
    let stem = item.archive.as_deref().and_then(Path::file_stem);
    stem.filter(|stem| !stem.is_empty()).map_or_else(|| PathBuf::from("extracted"), PathBuf::from)
}
