//! The losses of conversions: grouped and counted, or one by one with --verbose.

use std::collections::BTreeMap;

use convert::{Note, NoteKind};
use record::printable;

use crate::args::Common;
use crate::input::Source;
use crate::report::{self, DIM, WARN};

/// Data that was lost, changed or assumed in a conversion.
#[derive(Clone, Debug)]
pub(crate) struct Loss {
    kind: NoteKind,
    /// The part it is about; empty if only their number is known.
    part: String,
    message: String,
    /// The message for a count of one, where it differs.
    singular: Option<&'static str>,
    count: usize,
}

impl From<Note> for Loss {
    fn from(note: Note) -> Self {
        Self::one(note.kind, note.path, note.message)
    }
}

impl Loss {
    pub(crate) fn one(kind: NoteKind, part: String, message: impl Into<String>) -> Self {
        let (part, message) = (printable(&part).into_owned(), printable(&message.into()).into_owned());
        Self { kind, part, message, singular: None, count: 1 }
    }

    /// A loss of which only the number is known: what one is, and what several are.
    pub(crate) fn counted(kind: NoteKind, count: usize, one: &'static str, many: &str) -> Self {
        Self { kind, part: String::new(), message: many.to_owned(), singular: Some(one), count }
    }

    /// Whether a file was not found.
    pub(crate) fn is_missing(&self) -> bool {
        self.kind == NoteKind::Missing
    }

    /// An assumption is not a loss.
    pub(crate) fn is_loss(&self) -> bool {
        self.kind != NoteKind::Assumed
    }
}

/// Sort order: the most serious first.
const fn rank(kind: NoteKind) -> u8 {
    match kind {
        NoteKind::Missing => 0,
        NoteKind::LeftOut => 1,
        NoteKind::Damaged => 2,
        NoteKind::Assumed => 3,
    }
}

const fn word(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Missing => "missing",
        NoteKind::LeftOut => "skipped",
        NoteKind::Damaged => "damaged",
        NoteKind::Assumed => "assumed",
    }
}

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
    groups: BTreeMap<(u8, String), Group>,
}

/// Losses of one kind.
struct Group {
    kind: NoteKind,
    total: usize,
    singular: Option<&'static str>,
    /// Some of the parts, each once.
    parts: Vec<String>,
    /// Whether there are more.
    more: bool,
}

impl Losses {
    /// Adds the losses of a file, and prints them with --verbose.
    pub(crate) fn add(&mut self, file: &Source, losses: Vec<Loss>, common: Common) {
        if losses.is_empty() {
            return;
        }
        self.files += 1;
        if self.files == 1 {
            self.first = file.name();
        }
        for Loss { kind, part, message, singular, count } in losses {
            if common.verbose {
                let part = if part.is_empty() { report::thousands(count) } else { format!("{part}:") };
                let message = singular.filter(|_| count == 1).unwrap_or(&message);
                let text = format!("{}: {WARN}{}{WARN:#}: {part} {message}", file.name(), word(kind));
                report::note(common, &text);
                continue;
            }
            let new = || Group { kind, total: 0, singular, parts: Vec::new(), more: false };
            let group = self.groups.entry((rank(kind), message)).or_insert_with(new);
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
        groups.sort_by_key(|((rank, _), group)| (*rank, usize::MAX - group.total));
        for ((_, message), Group { kind, total, singular, parts, more }) in groups.iter().take(SHOWN) {
            let text = match (parts.as_slice(), total) {
                ([], 1) => format!("1 {}", singular.unwrap_or(message)),
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
            report::note(common, &format!("  {WARN}{}{WARN:#}: {text}", word(*kind)));
        }
        if groups.len() > SHOWN {
            report::note(common, &format!("  and {} more kinds of losses", groups.len() - SHOWN));
        }
    }
}
