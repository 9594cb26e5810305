//! Errors in a text.

use crate::error::Error;

/// An error in a text and its position.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// The byte of the text.
    at: usize,
    is_syntax: bool,
    message: String,
    /// The steps to the part, the last one first.
    pub(super) parts: Vec<String>,
    /// The steps within the part, the last one first.
    fields: Vec<String>,
}

impl Fault {
    pub(super) fn syntax(at: usize, message: impl Into<String>) -> Self {
        Self { is_syntax: true, ..Self::content(at, message) }
    }

    pub(super) fn content(at: usize, message: impl Into<String>) -> Self {
        Self { at, is_syntax: false, message: message.into(), parts: Vec::new(), fields: Vec::new() }
    }

    /// Adds the field or element that contains the error.
    pub(super) fn within(mut self, field: impl Into<String>) -> Self {
        self.fields.push(field.into());
        self
    }

    fn field(&self) -> String {
        self.fields.iter().rev().map(String::as_str).collect::<String>().trim_start_matches('.').to_owned()
    }

    fn error(&self, span: usize, message: String, path: String) -> Error {
        let code = if self.is_syntax { "JSON-SYNTAX" } else { "JSON-CONTENT" };
        Error::new(code, self.at as u64..(self.at + span) as u64, message).at(path)
    }

    /// The error about a document.
    pub(super) fn in_document(&self, text: &str) -> Error {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let field = self.field();
        let field = if field.is_empty() { field } else { format!("{field}: ") };
        let what = if self.is_syntax { "not JSON: " } else { "" };
        let message = format!("line {line}, column {column}: {field}{what}{}", self.message);
        let path = self.parts.iter().rev().map(String::as_str).collect::<Vec<_>>().join("/");
        self.error(0, message, path)
    }

    /// The error about a single value.
    pub(super) fn in_value(&self, text: &str) -> Error {
        let what = if self.is_syntax { "not JSON: " } else { "" };
        let (message, path) = (format!("{what}{}", self.message), self.field());
        self.error(text.len().saturating_sub(self.at), message, path)
    }
}

/// The result of reading a part of a text.
pub(super) type Read<T = ()> = Result<T, Fault>;
