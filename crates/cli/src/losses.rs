//! What did not survive a conversion: grouped and counted, one by one if asked.

use std::collections::BTreeMap;

use convert::{Note, NoteKind};

use crate::args::Common;
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
        Self { kind: note.kind, part: note.path, message: note.message, count: 1 }
    }
}

impl Loss {
    pub(crate) fn one(kind: NoteKind, part: String, message: impl Into<String>) -> Self {
        Self { kind, part, message: message.into(), count: 1 }
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

/// Lists what files lost. With `--verbose` all of it, file by file.
pub(crate) fn list<'l>(files: impl Iterator<Item = (String, &'l [Loss])>, common: Common) {
    /// Kinds of loss that are listed.
    const SHOWN: usize = 12;
    /// Columns for the parts of one.
    const PARTS: usize = 60;
    let files: Vec<_> = files.filter(|(_, losses)| !losses.is_empty()).collect();
    if files.is_empty() || common.quiet {
        return;
    }
    if common.verbose {
        for (file, losses) in &files {
            for Loss { kind, part, message, count } in *losses {
                let part = if part.is_empty() { count.to_string() } else { format!("{part}:") };
                report::note(common, &format!("{file}: {WARN}{}{WARN:#}: {part} {message}", word(*kind)));
            }
        }
        return;
    }
    let mut groups: BTreeMap<(u8, &str, &str), (usize, Vec<String>)> = BTreeMap::new();
    for Loss { kind, part, message, count } in files.iter().flat_map(|(_, losses)| *losses) {
        let (total, parts) = groups.entry((rank(*kind), word(*kind), message)).or_default();
        *total += count;
        if !part.is_empty() && !parts.contains(part) {
            parts.push(part.clone());
        }
    }
    let heading = match files.as_slice() {
        [(file, _)] => format!("{file}: not all is as it was"),
        files => format!("In {} files not all is as it was", files.len()),
    };
    report::note(common, &format!("{heading} {DIM}(-v tells it file by file){DIM:#}"));
    let mut groups: Vec<_> = groups.into_iter().collect();
    // Within a kind, the most frequent first.
    groups.sort_by_key(|((rank, ..), (total, _))| (*rank, usize::MAX - total));
    for ((_, word, message), (total, parts)) in groups.iter().take(SHOWN) {
        let text = match (parts.as_slice(), total) {
            ([], total) => format!("{} {message}", report::thousands(*total)),
            ([part], 1) => format!("{part}: {message}"),
            (parts, total) => {
                let parts = report::row_of(parts.iter().cloned(), PARTS);
                format!("{}× {message}: {parts}", report::thousands(*total))
            }
        };
        report::note(common, &format!("  {WARN}{word}{WARN:#}: {text}"));
    }
    if groups.len() > SHOWN {
        report::note(common, &format!("  and {} more kinds of things", groups.len() - SHOWN));
    }
}
