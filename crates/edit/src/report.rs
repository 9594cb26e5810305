//! The result of a change.

/// What a change did to one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of changed parts; zero if nothing had to be changed.
    pub changed: usize,
    /// What was lost, assumed or needs attention.
    pub notes: Vec<String>,
}

impl Report {
    /// A report without notes.
    pub fn of(changed: usize) -> Self {
        Self { changed, notes: Vec::new() }
    }

    pub(crate) fn note(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.notes.contains(&message) {
            self.notes.push(message);
        }
    }

    /// Corrects wrong size fields after the structure of a document has changed, and says so.
    pub(crate) fn settle(&mut self, root: &mut record::Node<'_>) {
        let wrong = crate::references::settle_sizes(root);
        if wrong > 0 {
            self.note(format!("{} corrected", counted(wrong, "wrong size field")));
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.changed += other.changed;
        for note in other.notes {
            self.note(note);
        }
    }
}

/// `1 key`, `2 keys`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
