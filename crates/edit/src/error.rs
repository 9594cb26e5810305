//! Why a change cannot be made.

/// Why a change cannot be made, and where it helps what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What stands in the way.
    pub message: String,
    /// What to do, where that can be said.
    pub note: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), note: None }
    }

    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
