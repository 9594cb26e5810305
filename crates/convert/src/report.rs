//! The notes of a conversion, and words for them.

pub use scene::{Cause, Note, NoteKind, Report};

/// A number with its noun, whose plural ends with an s.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
