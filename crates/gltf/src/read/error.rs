//! Why a file cannot be read, and what was not taken from it.

use scene::Exceeded;
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

/// Something of a file that is not in the scene as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadNote {
    /// What kind of thing.
    pub kind: ReadNoteKind,
    /// JSON pointer or name of the part it is about.
    pub part: String,
    /// What is wrong, and what was done about it.
    pub message: String,
}

/// Kinds of [`ReadNote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadNoteKind {
    /// A file that was not found.
    Missing,
    /// Something that a scene cannot express; it was dropped.
    LeftOut,
    /// Invalid data; it was repaired or dropped.
    Damaged,
    /// Something that was approximated or assumed.
    Assumed,
}

/// Notes in the making.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) list: Vec<ReadNote>,
    pub(crate) suppressed: usize,
}

impl Notes {
    /// Notes that are kept: a damaged file could have a million.
    const MOST: usize = 1000;

    pub(crate) fn add(&mut self, kind: ReadNoteKind, part: impl Into<String>, message: impl Into<String>) {
        if self.list.len() >= Self::MOST {
            self.suppressed += 1;
            return;
        }
        let note = ReadNote { kind, part: part.into(), message: message.into() };
        if !self.list.contains(&note) {
            self.list.push(note);
        }
    }
}
