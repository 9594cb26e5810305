//! Errors and diagnostics. Each has its place in the file, and advice where that helps.

use std::borrow::Cow;
use std::ops::Range;

use crate::printable;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A suggestion.
    Hint,
    /// Worth knowing; nothing is wrong.
    Info,
    /// Probably not meant.
    Warning,
    /// The file is damaged, or an engine will refuse or misread it.
    Error,
}

impl Severity {
    /// The word for it: `error`, `warning`, `info`, `hint`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, such as `W3D-FRAME-003`.
    pub code: Cow<'static, str>,
    /// Its severity.
    pub severity: Severity,
    /// The bytes it is about.
    pub span: Range<u64>,
    /// The part it is about, such as `MESH[3] "BARREL"/MATERIAL_PASS[0]`; empty for the whole file.
    pub path: String,
    /// The message.
    pub message: String,
    /// Advice, if there is any.
    pub note: Option<String>,
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}] at byte {}", self.severity.word(), self.code, self.span.start)?;
        if !self.path.is_empty() {
            write!(f, ", {}", printable(&self.path))?;
        }
        write!(f, ": {}", printable(&self.message))?;
        if let Some(note) = &self.note {
            write!(f, " ({})", printable(note))?;
        }
        Ok(())
    }
}

/// An error of reading or writing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0)]
pub struct Error(Box<Diagnostic>);

impl Error {
    /// An error about some bytes of a file.
    pub fn new(code: &'static str, span: Range<u64>, message: impl Into<String>) -> Self {
        Self(Box::new(Diagnostic {
            code: Cow::Borrowed(code),
            severity: Severity::Error,
            span,
            path: String::new(),
            message: message.into(),
            note: None,
        }))
    }

    /// Adds the path of the part.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.0.path = path.into();
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.0.note = Some(note.into());
        self
    }

    /// Code, place, message and note.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        *error.0
    }
}
