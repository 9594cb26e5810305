//! Why a file cannot be read, and what was not taken from it.

pub(crate) use scene::NoteKind;
use scene::{Exceeded, Note, Report};
use thiserror::Error;

/// A JSON pointer, which is only written for messages.
pub(crate) type Pointer<'p> = std::fmt::Arguments<'p>;

/// Why a glTF file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The GLB container is malformed.
    #[error("{0}")]
    Container(String),
    /// The text is not JSON.
    #[error("invalid JSON: {0}")]
    Json(String),
    /// A value breaks the rules of glTF.
    #[error("{pointer}: {message}")]
    Invalid {
        /// JSON pointer of the value.
        pointer: String,
        /// What is wrong with it.
        message: String,
    },
    /// The file needs an extension that is not supported.
    #[error("{pointer}: {name} is not supported; {advice}")]
    Unsupported {
        /// JSON pointer of the extension.
        pointer: String,
        /// The name of the extension.
        name: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// A file that the model refers to cannot be read.
    #[error("{pointer}: cannot read {path}: {reason}")]
    File {
        /// JSON pointer of the reference.
        pointer: String,
        /// The path, relative to the model.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// The model needs more than a limit of the options allows.
    #[error("{0}")]
    Limit(Exceeded),
}

impl ReadError {
    pub(crate) fn invalid(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { pointer: pointer.into(), message: message.into() }
    }

    /// A reference to an item that does not exist.
    pub(crate) fn missing(pointer: Pointer<'_>, what: &str, index: u32) -> Self {
        Self::invalid(pointer.to_string(), format!("{what} {index} does not exist"))
    }

    pub(crate) fn limit(name: &'static str, limit: usize) -> Self {
        Self::Limit(Exceeded { name, limit })
    }
}

/// Notes in the making. Many parts of a file may have the same flaw, which is noted once.
#[derive(Debug, Default)]
pub(crate) struct Notes(pub(crate) Report);

impl Notes {
    pub(crate) fn add(&mut self, kind: NoteKind, part: impl Into<String>, message: impl Into<String>) {
        self.0.add_once(Note::new(kind, part, message));
    }
}
