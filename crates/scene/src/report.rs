//! The notes of a conversion: everything that could not be converted, was missing, or was assumed.

use std::fmt;

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
#[non_exhaustive]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// The part it is about, such as `MESH "TANK.TURRET"`; empty if only the number of parts is known.
    pub part: String,
    /// What is wrong, and what was done about it. For a note about a number of parts it begins after the number, in the plural.
    pub message: String,
    /// The number of parts; 1 for a note about a part.
    pub count: usize,
    /// What a program can offer a remedy for.
    pub cause: Option<Cause>,
    /// The name of the skeleton or object that was not found, as the model spells it.
    pub sought: Option<String>,
    /// The message for one part, of a note about a number of parts.
    singular: Option<&'static str>,
}

/// Kinds of [`Note`], the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// A reference to something that was not found.
    Missing,
    /// Something that the target cannot express, or that is not supported.
    Skipped,
    /// Invalid data; it was repaired or dropped.
    Damaged,
    /// Something that the file does not specify; a default was used.
    Assumed,
}

/// Causes of notes for which programs have a remedy, such as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A skeleton or an object is in a file that was not found.
    MissingCompanion,
    /// A texture was not found.
    MissingTexture,
    /// A texture, a skeleton or an object was not found, but the game ships a file of this name.
    SuppliedByGame,
    /// Warcraft III supplies the picture of a texture, and the target has no such pictures. Meshwright can write one.
    SuppliedTexture,
    /// The visibility of skinned meshes is animated, which needs a glTF extension.
    FixedVisibility,
    /// Smooth transparency was written in a pixel format that has none.
    OneBitAlpha,
    /// The model that a glTF file was written of is there, so that only what was changed needs to be written.
    Original,
    /// A change belongs into another file, which may not change.
    OtherFile,
}

impl NoteKind {
    /// The word for people and for JSON: `missing`, `skipped`, `damaged` or `assumed`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Skipped => "skipped",
            Self::Damaged => "damaged",
            Self::Assumed => "assumed",
        }
    }

    /// Whether data is lost. An assumption is not a loss.
    pub fn is_loss(self) -> bool {
        self != Self::Assumed
    }
}

impl Note {
    /// A note about a part.
    pub fn new(kind: NoteKind, part: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            part: part.into(),
            message: message.into(),
            count: 1,
            cause: None,
            sought: None,
            singular: None,
        }
    }

    /// A note about a number of parts: the message for one, and the message for several.
    ///
    /// ```
    /// use meshwright_scene::{Note, NoteKind};
    /// let note = |count| Note::counted(NoteKind::Damaged, count, "triangle dropped", "triangles dropped");
    /// assert_eq!(note(1).to_string(), "damaged: 1 triangle dropped");
    /// assert_eq!(note(2).to_string(), "damaged: 2 triangles dropped");
    /// ```
    pub fn counted(kind: NoteKind, count: usize, one: &'static str, many: &str) -> Self {
        Self {
            kind,
            part: String::new(),
            message: many.to_owned(),
            count,
            cause: None,
            sought: None,
            singular: Some(one),
        }
    }

    /// The same note with its cause.
    #[must_use]
    pub fn because(self, cause: Cause) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// The same note about something of this name that was not found.
    #[must_use]
    pub fn seeking(self, name: impl Into<String>) -> Self {
        Self { sought: Some(name.into()), ..self }
    }

    /// The message for a number of parts, which may be the sum of several notes.
    pub fn message_for(&self, count: usize) -> &str {
        self.singular.filter(|_| count == 1).unwrap_or(&self.message)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.word();
        match self.singular {
            Some(_) => write!(f, "{kind}: {} {}", self.count, self.message_for(self.count)),
            None => write!(f, "{kind}: {}: {}", self.part, self.message),
        }
    }
}

impl Report {
    /// Limit of notes; a damaged file could have a million.
    const LIMIT: usize = 1000;

    /// Adds a note about a part, unless it repeats the last one.
    pub fn note(&mut self, kind: NoteKind, part: &str, message: impl Into<String>) {
        self.add(Note::new(kind, part, message));
    }

    /// Adds a note, unless it repeats the last one.
    pub fn add(&mut self, note: Note) {
        if self.notes.len() >= Self::LIMIT {
            self.suppressed += 1;
        } else if self.notes.last() != Some(&note) {
            self.notes.push(note);
        }
    }

    /// Adds a note, unless there is an equal one.
    pub fn add_once(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.add(note);
        }
    }

    /// Adds the notes of a further step.
    pub fn append(&mut self, other: Self) {
        self.notes.extend(other.notes);
        self.suppressed += other.suppressed;
    }

    /// The notes of a kind.
    pub fn of(&self, kind: NoteKind) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.kind == kind)
    }

    /// Whether data is lost.
    pub fn has_losses(&self) -> bool {
        self.suppressed > 0 || self.notes.iter().any(|note| note.kind.is_loss())
    }

    /// All notes, and one about the number of those that were not kept.
    pub fn into_notes(self) -> Vec<Note> {
        let mut notes = self.notes;
        if self.suppressed > 0 {
            let (one, many) = ("further note suppressed", "further notes suppressed");
            notes.push(Note::counted(NoteKind::Skipped, self.suppressed, one, many));
        }
        notes
    }
}

impl FromIterator<Note> for Report {
    fn from_iter<I: IntoIterator<Item = Note>>(notes: I) -> Self {
        Self { notes: notes.into_iter().collect(), suppressed: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_notes_are_counted() {
        let mut report = Report::default();
        (0..1_000_000).for_each(|number| report.note(NoteKind::Damaged, "a", number.to_string()));
        assert_eq!((report.notes.len(), report.suppressed), (1000, 999_000));
        let last = report.into_notes().pop().expect("notes");
        assert_eq!(last.to_string(), "skipped: 999000 further notes suppressed");
    }

    #[test]
    fn an_assumption_is_no_loss() {
        let report = |kind| Report::from_iter([Note::new(kind, "a", "b")]);
        assert!(!report(NoteKind::Assumed).has_losses());
        assert!(report(NoteKind::Missing).has_losses() && report(NoteKind::Skipped).has_losses());
    }
}
