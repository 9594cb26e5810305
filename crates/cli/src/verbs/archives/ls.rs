//! `ls`: what is in archives.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::json;

use super::args::LsArgs;
use super::{Item, items};
use crate::args::Common;
use crate::exit::{self, Outcome};
use crate::input::path_text;
use crate::report::{self, DIM, JsonList, NAME};

pub(crate) fn ls(args: &LsArgs, common: Common) -> exit::Result {
    let (items, problems) = items(&args.paths);
    let total: u64 = items.iter().map(|item| item.size).sum();
    if args.json {
        let mut out = std::io::BufWriter::new(report::raw_stdout());
        JsonList::open_files(&mut out, "meshwright-ls-1")?;
        let mut list = JsonList::at(2);
        for item in &items {
            list.push(&mut out, &report::json_part(&to_json(item), 2))?;
        }
        list.end(&mut out)?;
        out.write_all(b",\n  \"summary\": ")?;
        out.write_all(&report::json_part(&json!({ "files": items.len(), "bytes": total }), 1))?;
        out.write_all(b"\n}\n")?;
        out.flush()?;
    } else {
        let mut out = report::stdout();
        // In a game it matters where a file comes from.
        let with_archive = args.paths.is_empty() || common.verbose;
        if args.tree {
            Tree::new(&items).print(&mut out, 0)?;
        } else {
            let sizes: Vec<String> = items.iter().map(|item| report::thousands(item.size as usize)).collect();
            let width = sizes.iter().map(String::len).max().unwrap_or(0);
            for (item, size) in items.iter().zip(&sizes) {
                write!(out, "{DIM}{size:>width$}{DIM:#}  {}", path_text(&item.path))?;
                match item.archive.as_ref().filter(|_| with_archive).and_then(|archive| archive.file_name()) {
                    Some(archive) => writeln!(out, "  {DIM}{}{DIM:#}", path_text(archive))?,
                    None => writeln!(out)?,
                }
            }
        }
        if !common.quiet {
            writeln!(
                out,
                "{}, {} bytes",
                report::counted(items.len(), "file", "files"),
                report::thousands(total as usize)
            )?;
        }
        out.flush()?;
    }
    problems.iter().for_each(report::problem);
    Ok(if problems.is_empty() { Outcome::Fine } else { Outcome::Unreadable })
}

fn to_json(item: &Item) -> serde_json::Value {
    let entry = item.member.as_ref().map(|(_, entry)| entry);
    json!({
        "path": item.path.to_string_lossy(),
        "inner": item.inner,
        "archive": item.archive.as_ref().map(|archive| archive.to_string_lossy()),
        "size": item.size,
        "packed": entry.map(|entry| entry.packed),
        "offset": entry.map(|entry| entry.offset),
        "named": entry.is_none_or(|entry| entry.named),
        "locale": entry.map(|entry| entry.locale),
    })
}

/// Folders with what is in them.
#[derive(Default)]
struct Tree<'i> {
    folders: BTreeMap<&'i str, Tree<'i>>,
    files: Vec<(&'i str, u64)>,
    bytes: u64,
}

impl<'i> Tree<'i> {
    fn new(items: &'i [Item]) -> Self {
        let mut tree = Self::default();
        for item in items {
            let mut folder = &mut tree;
            folder.bytes += item.size;
            let (above, name) = item.inner.rsplit_once('/').unwrap_or(("", &item.inner));
            for part in above.split('/').filter(|part| !part.is_empty()) {
                folder = folder.folders.entry(part).or_default();
                folder.bytes += item.size;
            }
            folder.files.push((name, item.size));
        }
        tree
    }

    fn print(&self, out: &mut impl Write, depth: usize) -> std::io::Result<()> {
        let indent = depth * 2;
        for (name, folder) in &self.folders {
            let size = report::thousands(folder.bytes as usize);
            writeln!(out, "{:indent$}{NAME}{}/{NAME:#} {DIM}{size}{DIM:#}", "", path_text(name))?;
            folder.print(out, depth + 1)?;
        }
        for (name, size) in &self.files {
            let size = report::thousands(*size as usize);
            writeln!(out, "{:indent$}{} {DIM}{size}{DIM:#}", "", path_text(name))?;
        }
        Ok(())
    }
}
