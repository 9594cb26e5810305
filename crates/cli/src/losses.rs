//! The losses of conversions: grouped and counted, or one by one with --verbose.

use std::collections::BTreeMap;

use meshwright::record::printable;
use meshwright::scene::{Cause, Note, NoteKind};

use crate::advice;
use crate::args::Common;
use crate::input::Source;
use crate::report::{self, DIM, WARN};

/// Number of kinds that are listed.
const SHOWN: usize = 12;
/// Width of the list of parts.
const COLUMNS: usize = 60;
/// Number of parts that are remembered for each kind; fewer fit on the line.
const PARTS: usize = 64;

/// The losses of all files of a run.
#[derive(Default)]
pub(crate) struct Losses {
    files: usize,
    first: String,
    groups: BTreeMap<(NoteKind, String), Group>,
    /// Files whose originals are in the same folder, and the last of these originals.
    originals: (Vec<String>, String),
}

/// Losses of one kind.
struct Group {
    /// The first of them.
    note: Note,
    total: usize,
    /// Some of the parts, each once.
    parts: Vec<String>,
    /// Whether there are more.
    more: bool,
}

/// What happened to a number of parts, and what to do about it.
fn message(note: &Note, count: usize) -> String {
    let message = printable(note.message_for(count));
    match advice::of_note(note) {
        Some(advice) => format!("{message}; {advice}"),
        None => message.into_owned(),
    }
}

impl Losses {
    /// Adds the losses of a file, and prints them with --verbose.
    pub(crate) fn add(&mut self, file: &Source, mut losses: Vec<Note>, common: Common) {
        // Not a loss, but a better way.
        for note in losses.extract_if(.., |note| note.cause == Some(Cause::Original)) {
            let (files, original) = &mut self.originals;
            files.push(file.name());
            *original = printable(&note.part).into_owned();
        }
        if losses.is_empty() {
            return;
        }
        self.files += 1;
        if self.files == 1 {
            self.first = file.name();
        }
        for note in losses {
            let part = printable(&note.part).into_owned();
            if common.verbose {
                let part = if part.is_empty() { report::thousands(note.count) } else { format!("{part}:") };
                let message = message(&note, note.count);
                let text = format!("{}: {WARN}{}{WARN:#}: {part} {message}", file.name(), note.kind.word());
                report::note(common, &text);
                continue;
            }
            let (key, count) = ((note.kind, note.message.clone()), note.count);
            let new = || Group { note, total: 0, parts: Vec::new(), more: false };
            let group = self.groups.entry(key).or_insert_with(new);
            group.total += count;
            if part.is_empty() || group.parts.contains(&part) {
                continue;
            }
            match group.parts.len() {
                ..PARTS => group.parts.push(part),
                _ => group.more = true,
            }
        }
    }

    /// Prints the summary, unless the losses were printed one by one.
    pub(crate) fn list(&self, common: Common) {
        self.list_originals(common);
        if self.groups.is_empty() {
            return;
        }
        let heading = match self.files {
            1 => format!("{}: converted with losses", self.first),
            files => format!("{} files were converted with losses", report::thousands(files)),
        };
        report::note(common, &format!("{heading} {DIM}(use -v for details per file){DIM:#}"));
        let mut groups: Vec<_> = self.groups.iter().collect();
        // Within a kind, the most frequent first.
        groups.sort_by_key(|((kind, _), group)| (*kind, usize::MAX - group.total));
        for ((kind, _), Group { note, total, parts, more }) in groups.iter().take(SHOWN) {
            let message = message(note, *total);
            let text = match (parts.as_slice(), total) {
                ([], total) => format!("{} {message}", report::thousands(*total)),
                ([part], 1) => format!("{part}: {message}"),
                (parts, total) => {
                    let mut row = report::row_of(parts.iter().cloned(), COLUMNS);
                    if *more && let Some(at) = row.rfind(" and ") {
                        row.truncate(at);
                        row += " and many more";
                    }
                    format!("{}× {message}: {row}", report::thousands(*total))
                }
            };
            report::note(common, &format!("  {WARN}{}{WARN:#}: {text}", kind.word()));
        }
        if groups.len() > SHOWN {
            let more = match groups.len() - SHOWN {
                1 => "1 more kind".to_owned(),
                more => format!("{more} more kinds"),
            };
            report::note(common, &format!("  and {more} of losses"));
        }
    }

    /// Says which files could be converted without any loss.
    fn list_originals(&self, common: Common) {
        let (files, original) = &self.originals;
        let hint = match &files[..] {
            [] => return,
            [file] => {
                format!(
                    "{file}: made of {original}, which is in this folder; --onto {original} changes only what differs"
                )
            }
            files => format!(
                "{} files are in one folder with the models that they were made of; --onto ORIGINAL changes only what differs",
                report::thousands(files.len())
            ),
        };
        report::note(common, &hint);
    }
}
