//! The notes of a conversion: everything that could not be converted, was missing, or was assumed.

/// What was dropped, missing or assumed during a conversion. None of it is fatal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order of conversion.
    pub notes: Vec<Note>,
    /// Number of further notes that were not kept.
    pub suppressed: usize,
}

/// One thing to know about a conversion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// The part it is about, such as `MESH "TANK.TURRET"`.
    pub path: String,
    /// What is wrong, and what was done about it.
    pub message: String,
}

/// Kinds of [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A reference to something that no document has.
    Missing,
    /// Something that a scene cannot express; it was dropped.
    LeftOut,
    /// Invalid data; it was repaired or dropped.
    Damaged,
    /// Something that the file does not specify; a default was used.
    Assumed,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            NoteKind::Missing => "missing",
            NoteKind::LeftOut => "left out",
            NoteKind::Damaged => "damaged",
            NoteKind::Assumed => "assumed",
        };
        write!(f, "{kind}: {}: {}", self.path, self.message)
    }
}

/// A number with its noun, whose plural ends with an s.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl Report {
    /// Limit of notes; a damaged file could have a million.
    const LIMIT: usize = 1000;

    pub(crate) fn note(&mut self, kind: NoteKind, path: &str, message: impl Into<String>) {
        if self.notes.len() >= Self::LIMIT {
            self.suppressed += 1;
            return;
        }
        let note = Note { kind, path: path.to_owned(), message: message.into() };
        if self.notes.last() != Some(&note) {
            self.notes.push(note);
        }
    }

    /// The notes of a kind.
    pub fn of(&self, kind: NoteKind) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.kind == kind)
    }
}
