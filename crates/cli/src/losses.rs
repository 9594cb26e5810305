//! What did not survive a conversion: grouped and counted, one by one if asked.

use std::collections::BTreeMap;

use convert::{Note, NoteKind};
use record::printable;

use crate::args::Common;
use crate::input::Source;
use crate::report::{self, DIM, WARN};

/// Something that is not in the new file as it was in the old.
#[derive(Clone, Debug)]
pub(crate) struct Loss {
    kind: NoteKind,
    /// The part it is about; empty if only their number is known.
    part: String,
    message: String,
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
        Self { kind, part, message, count: 1 }
    }

    pub(crate) fn many(kind: NoteKind, count: usize, message: &str) -> Self {
        Self { kind, part: String::new(), message: message.to_owned(), count }
    }

    /// What was merely decided is there all the same.
    pub(crate) fn is_loss(&self) -> bool {
        self.kind != NoteKind::Assumed
    }
}

/// The gravest first.
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
        NoteKind::LeftOut => "left out",
        NoteKind::Damaged => "damaged",
        NoteKind::Assumed => "assumed",
    }
}

/// Kinds of loss that are listed.
const SHOWN: usize = 12;
/// Columns for the parts of one.
const COLUMNS: usize = 60;
/// Parts of one that are remembered, which is more than fit.
const PARTS: usize = 64;

/// What all files of a run lost.
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
    /// Some of the parts, each once.
    parts: Vec<String>,
    /// Whether there are more.
    more: bool,
}

impl Losses {
    /// Adds what a file lost, and tells it if all is to be told.
    pub(crate) fn add(&mut self, file: &Source, losses: Vec<Loss>, common: Common) {
        if losses.is_empty() {
            return;
        }
        self.files += 1;
        if self.files == 1 {
            self.first = file.name();
        }
        for Loss { kind, part, message, count } in losses {
            if common.verbose {
                let part = if part.is_empty() { count.to_string() } else { format!("{part}:") };
                let text = format!("{}: {WARN}{}{WARN:#}: {part} {message}", file.name(), word(kind));
                report::note(common, &text);
                continue;
            }
            let new = || Group { kind, total: 0, parts: Vec::new(), more: false };
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

    /// Lists them, unless they have been told already.
    pub(crate) fn list(&self, common: Common) {
        if self.groups.is_empty() {
            return;
        }
        let heading = match self.files {
            1 => format!("{}: not all is as it was", self.first),
            files => format!("In {} files not all is as it was", report::thousands(files)),
        };
        report::note(common, &format!("{heading} {DIM}(-v tells it file by file){DIM:#}"));
        let mut groups: Vec<_> = self.groups.iter().collect();
        // Within a kind, the most frequent first.
        groups.sort_by_key(|((rank, _), group)| (*rank, usize::MAX - group.total));
        for ((_, message), Group { kind, total, parts, more }) in groups.iter().take(SHOWN) {
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
            report::note(common, &format!("  {WARN}{}{WARN:#}: {text}", word(*kind)));
        }
        if groups.len() > SHOWN {
            report::note(common, &format!("  and {} more kinds of things", groups.len() - SHOWN));
        }
    }
}
