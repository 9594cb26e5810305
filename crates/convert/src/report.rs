//! What a conversion has to say: everything that could not be carried, was missing, or was assumed.

/// What was left out, missing or assumed on the way. None of it is fatal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order of conversion.
    pub notes: Vec<Note>,
    /// How many more there were than are worth keeping.
    pub suppressed: usize,
}

/// One thing to know about a conversion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// The part it is about, such as `MESH "TANK.TURRET"`.
    pub path: String,
    /// What there is to say.
    pub message: String,
}

/// Kinds of [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// Something referred to is in none of the documents.
    Missing,
    /// Something that the scene has no place for.
    LeftOut,
    /// Something that cannot be as the file says; the rest goes on without it.
    Damaged,
    /// Something that the file does not say and that was decided for it.
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

impl Report {
    /// More notes than this help nobody; a damaged file could have a million.
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
