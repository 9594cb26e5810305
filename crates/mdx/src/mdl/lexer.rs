//! A position in the text, and reading from it.
//!
//! Commas and colons are separators like blanks, and so are comments, because real files omit them or have them anywhere.

use std::borrow::Cow;
use std::ops::Range;

use record::{Diagnostic, Severity};

use super::number;

/// Maximum number of reported findings. The first error is always among them, because a text with an error is not a
/// model.
const MAX_FINDINGS: usize = 200;

/// The next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Word,
    Number,
    Text,
    Open,
    Close,
    Other,
    End,
}

pub(super) struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    pub(super) found: Vec<Diagnostic>,
    has_error: bool,
    gave_up: bool,
}

const SEPARATOR: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < 256 {
        table[at] = matches!(at as u8, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | 0x0B | 0x0C);
        at += 1;
    }
    table
};

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, found: Vec::new(), has_error: false, gave_up: false }
    }

    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Remaining bytes: an upper limit for every count in the text.
    pub(super) const fn remaining(&self) -> usize {
        self.text.len() - self.at
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn ahead(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips separators and comments.
    #[inline]
    pub(super) fn skip(&mut self) {
        loop {
            while self.byte().is_some_and(|byte| SEPARATOR[usize::from(byte)]) {
                self.at += 1;
            }
            let [b'/', b'/', ..] = self.ahead() else { return };
            self.at += memchr::memchr(b'\n', self.ahead()).unwrap_or(self.remaining());
        }
    }

    /// The next token after separators, without consuming it.
    #[inline]
    pub(super) fn peek(&mut self) -> Next {
        self.skip();
        match self.byte() {
            None => Next::End,
            Some(b'{') => Next::Open,
            Some(b'}') => Next::Close,
            Some(b'"') => Next::Text,
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => Next::Number,
            Some(byte) if is_word(byte) => Next::Word,
            Some(_) => Next::Other,
        }
    }

    /// Consumes this byte if it is next.
    #[inline]
    pub(super) fn accept(&mut self, wanted: u8) -> bool {
        self.skip();
        let found = self.byte() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Consumes the opening brace, or reports that it is missing.
    pub(super) fn open(&mut self) -> bool {
        self.accept(b'{') || {
            self.unexpected("an opening brace");
            false
        }
    }

    /// Reads a word.
    pub(super) fn word(&mut self) -> Option<&'t [u8]> {
        if self.peek() != Next::Word {
            return None;
        }
        let ahead = self.ahead();
        let length = ahead.iter().position(|byte| !is_word(*byte)).unwrap_or(ahead.len());
        self.at += length;
        Some(&ahead[..length])
    }

    /// Consumes this word, in any case, if it is next.
    pub(super) fn accept_word(&mut self, wanted: &str) -> bool {
        let start = self.at;
        let found = self.word().is_some_and(|word| word.eq_ignore_ascii_case(wanted.as_bytes()));
        if !found {
            self.at = start;
        }
        found
    }

    /// Reads a string, without its quotes. There are no escapes, and newlines are part of it.
    pub(super) fn string(&mut self) -> Option<&'t [u8]> {
        if self.peek() != Next::Text {
            return None;
        }
        let start = self.at;
        self.at += 1;
        let ahead = self.ahead();
        match memchr::memchr(b'"', ahead) {
            Some(length) => {
                self.at += length + 1;
                Some(&ahead[..length])
            }
            None => {
                let length = memchr::memchr2(b'\n', b'\r', ahead).unwrap_or(ahead.len());
                self.at += length;
                self.error(
                    "MDL-SYNTAX-003",
                    start..start + 1,
                    "unclosed string",
                    Some("the closing quote is missing"),
                );
                Some(&ahead[..length])
            }
        }
    }

    /// Reads a float.
    #[inline]
    pub(super) fn float(&mut self) -> Option<f32> {
        self.skip();
        let (value, length) = number::float(self.ahead())?;
        let start = self.at;
        self.at += length;
        if self.byte().is_some_and(is_word) {
            self.not_a_number(start);
        } else if value.is_infinite()
            && self.slice(start..self.at).iter().all(|byte| b"+-.0123456789eE".contains(byte))
        {
            self.error("MDL-VALUE-001", start..self.at, "too large for a 32-bit float", None);
        }
        Some(value)
    }

    /// Reports a number with something else attached to it, such as `0x10` or `1O`, and skips that.
    #[cold]
    fn not_a_number(&mut self, start: usize) {
        while self.byte().is_some_and(is_word) {
            self.at += 1;
        }
        let text = record::decode(self.slice(start..self.at)).into_owned();
        let note = Some("numbers are decimal, and a comma or a space ends them");
        self.error("MDL-VALUE-001", start..self.at, &format!("`{text}` is not a number"), note);
    }

    /// A stretch of the text.
    pub(super) fn slice(&self, span: Range<usize>) -> &'t [u8] {
        self.text.get(span).unwrap_or_default()
    }

    /// Reads an integer. One that does not fit 32 bits is reported and wrapped.
    #[inline]
    pub(super) fn integer(&mut self) -> Option<u32> {
        self.skip();
        let (value, fits, length) = number::integer(self.ahead())?;
        let start = self.at;
        self.at += length;
        if self.byte().is_some_and(is_word) {
            self.not_a_number(start);
        } else if !fits {
            self.error("MDL-VALUE-001", start..self.at, "not a 32-bit integer", None);
        }
        Some(value)
    }

    /// Reads an integer if it is at most this large; otherwise consumes nothing.
    #[inline]
    pub(super) fn integer_up_to(&mut self, most: u32) -> Option<u32> {
        self.skip();
        let (value, fits, length) = number::integer(self.ahead())?;
        if !fits || value > most || self.ahead().get(length).copied().is_some_and(is_word) {
            return None;
        }
        self.at += length;
        Some(value)
    }

    /// Consumes `<=` and the number after it.
    pub(super) fn arrow(&mut self) -> Option<u32> {
        self.skip();
        if !self.ahead().starts_with(b"<=") {
            return None;
        }
        self.at += 2;
        self.integer()
    }

    /// The slot after the next number, without consuming it.
    pub(super) fn peek_arrow(&mut self) -> Option<u32> {
        let start = self.at;
        let slot = self.float().and_then(|_| self.arrow());
        self.at = start;
        slot
    }

    /// Returns to a position.
    pub(super) const fn back_to(&mut self, position: usize) {
        self.at = position;
    }

    /// Whether a number and then a brace are next: the start of a track.
    pub(super) fn is_counted_block(&mut self) -> bool {
        let start = self.at;
        self.skip();
        let counted = self.ahead().first().is_some_and(u8::is_ascii_digit)
            && number::integer(self.ahead()).is_some_and(|(.., length)| {
                self.at += length;
                let blank =
                    |ahead: &[u8]| ahead.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
                self.at += blank(self.ahead());
                if self.ahead().starts_with(b"<=") {
                    self.at += 2;
                    self.at += blank(self.ahead());
                    self.at += number::integer(self.ahead()).map_or(0, |(.., length)| length);
                    self.at += blank(self.ahead());
                }
                self.byte() == Some(b'{')
            });
        self.at = start;
        counted
    }

    /// Whether a brace is next.
    pub(super) fn is_block(&mut self) -> bool {
        self.peek() == Next::Open
    }

    /// Skips to the end of the block whose opening brace has been taken.
    pub(super) fn skip_block(&mut self, opened: usize) {
        let mut depth = 1_usize;
        loop {
            match self.peek() {
                Next::End => return self.unclosed(opened),
                Next::Text => {
                    self.string();
                }
                Next::Open => {
                    depth += 1;
                    self.at += 1;
                }
                Next::Close => {
                    self.at += 1;
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                Next::Word => {
                    self.word();
                }
                Next::Number | Next::Other => self.at += 1,
            }
        }
    }

    /// Skips the rest of an item: to its comma, to the end of its line or past its braces, but not out of its block.
    pub(super) fn skip_item(&mut self) {
        loop {
            while self.byte().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b':')) {
                self.at += 1;
            }
            match self.byte() {
                None | Some(b'}') => return,
                Some(b',' | b'\n' | b'\r') => {
                    self.at += 1;
                    return;
                }
                Some(b'{') => {
                    let opened = self.at;
                    self.at += 1;
                    return self.skip_block(opened);
                }
                Some(b'"') => {
                    self.string();
                }
                Some(_) if matches!(self.ahead(), [b'/', b'/', ..]) => return self.skip(),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Skips to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.at += memchr::memchr(b'\n', self.ahead()).unwrap_or(self.remaining());
    }

    /// Consumes the next byte.
    pub(super) fn bump(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
    }

    /// Span of the next token.
    pub(super) fn next_span(&mut self) -> Range<usize> {
        self.skip();
        let ahead = self.ahead();
        let length = match ahead.first() {
            None => 0,
            Some(byte) if is_word(*byte) || matches!(byte, b'-' | b'+' | b'.') => ahead
                .iter()
                .position(|byte| !is_word(*byte) && !matches!(byte, b'-' | b'+' | b'.' | b'#'))
                .unwrap_or(ahead.len()),
            Some(_) => 1,
        };
        self.at..self.at + length
    }

    /// Reports that something else was expected.
    pub(super) fn unexpected(&mut self, wanted: &str) {
        let span = self.next_span();
        let found = match self.text.get(span.clone()).unwrap_or_default() {
            [] => "the end of the text".to_owned(),
            [b'"', ..] => "a string".to_owned(),
            token => format!("`{}`", record::decode(token)),
        };
        self.error("MDL-SYNTAX-001", span, &format!("expected {wanted}, found {found}"), None);
    }

    pub(super) fn unclosed(&mut self, opened: usize) {
        let message = "unclosed block";
        self.error("MDL-SYNTAX-002", opened..opened + 1, message, Some("the closing brace is missing"));
    }

    /// Reports an error and reads nothing more: the rest of the text is skipped.
    pub(super) fn give_up(&mut self, code: &'static str, message: &str, note: &str) {
        self.error(code, self.at..self.at, message, Some(note));
        self.gave_up = true;
        self.at = self.text.len();
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        message: &str,
        note: Option<&str>,
    ) {
        self.report(code, Severity::Error, span, message, note);
    }

    pub(super) fn report(
        &mut self,
        code: &'static str,
        severity: Severity,
        span: Range<usize>,
        message: &str,
        note: Option<&str>,
    ) {
        let is_first_error = severity == Severity::Error && !self.has_error;
        if (self.found.len() < MAX_FINDINGS || is_first_error) && !self.gave_up {
            self.has_error |= severity == Severity::Error;
            self.found.push(Diagnostic {
                code: Cow::Borrowed(code),
                severity,
                span: span.start as u64..span.end as u64,
                path: String::new(),
                message: message.to_owned(),
                note: note.map(str::to_owned),
            });
        }
    }
}
