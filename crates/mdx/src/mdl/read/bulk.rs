//! Long lists of numbers, read directly into the bytes of a leaf.

use super::Reader;
use crate::mdl::lexer::Next;

impl Reader<'_> {
    /// Reserves this many bytes. A count in the text is limited by the remaining text.
    pub(super) fn reserve(&self, count: u32, each: usize) -> Vec<u8> {
        let possible = self.lexer.remaining() / 2;
        Vec::with_capacity(usize::try_from(count).unwrap_or(usize::MAX).min(possible).saturating_mul(each))
    }

    /// The counts before a brace; 0 for those that are missing.
    pub(super) fn counts<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| match self.lexer.peek() {
            Next::Number => self.lexer.integer().unwrap_or_default(),
            _ => 0,
        })
    }

    /// A block of vectors of floats, `size` bytes each.
    pub(super) fn vector_block(&mut self, size: usize) -> Vec<u8> {
        let [count] = self.counts();
        let mut bytes = self.reserve(count, size);
        if self.lexer.open() {
            self.vectors(size, size, &mut bytes);
        }
        bytes
    }

    /// Matrices of twelve floats. Some tools write them as four rows in separate braces.
    pub(super) fn matrix_block(&mut self) -> Vec<u8> {
        let [count] = self.counts();
        let mut bytes = self.reserve(count, 48);
        if self.lexer.open() {
            self.vectors(48, 12, &mut bytes);
        }
        bytes
    }

    /// Floats up to the closing brace of the block. Nested braces must contain a whole number of `row` bytes, and all
    /// floats together a whole number of vectors. Missing values become zeros.
    fn vectors(&mut self, size: usize, row: usize, bytes: &mut Vec<u8>) {
        let opened = self.lexer.position();
        let mut inside = 0_usize;
        loop {
            match self.lexer.peek() {
                Next::Number | Next::Word => match self.lexer.float() {
                    Some(value) => bytes.extend_from_slice(&value.to_le_bytes()),
                    None => self.no_number("a number"),
                },
                Next::Open => {
                    inside += 1;
                    self.lexer.bump();
                }
                Next::Close => {
                    if !bytes.len().is_multiple_of(row) {
                        self.ragged(row, bytes);
                    }
                    self.lexer.bump();
                    if inside == 0 {
                        break;
                    }
                    inside -= 1;
                }
                Next::End => {
                    self.lexer.unclosed(opened.saturating_sub(1));
                    break;
                }
                Next::Text | Next::Other => self.no_number("a number"),
            }
        }
        if !bytes.len().is_multiple_of(size) {
            self.ragged(size, bytes);
        }
    }

    /// Reports something else in a list of numbers and skips it.
    fn no_number(&mut self, wanted: &str) {
        self.lexer.unexpected(wanted);
        if self.lexer.word().is_none() && self.lexer.string().is_none() {
            self.lexer.bump();
        }
    }

    /// Reports a vector of the wrong length and completes it.
    fn ragged(&mut self, size: usize, bytes: &mut Vec<u8>) {
        let span = self.lexer.next_span();
        let (have, want) = (bytes.len() % size / 4, size / 4);
        let message = format!("{have} trailing numbers: expected groups of {want}");
        self.lexer.error("MDL-VALUE-003", span, &message, Some("the missing numbers are read as zeros"));
        bytes.resize(bytes.len().next_multiple_of(size), 0);
    }

    /// Integers up to the closing brace of a block. Nested braces are ignored; `vector` is called at the end of each.
    pub(super) fn integers(&mut self, most: u32, mut push: impl FnMut(u32), mut vector: impl FnMut()) {
        let opened = self.lexer.position();
        let mut inside = 0_usize;
        loop {
            match self.lexer.peek() {
                Next::Number => {
                    if let Some(value) = self.lexer.integer_up_to(most) {
                        push(value);
                        continue;
                    }
                    let span = self.lexer.next_span();
                    let Some(value) = self.lexer.integer() else {
                        self.no_number("an integer");
                        continue;
                    };
                    let message = format!("out of range: the maximum is {most}");
                    self.lexer.error("MDL-VALUE-001", span, &message, None);
                    push(value);
                }
                Next::Open => {
                    inside += 1;
                    self.lexer.bump();
                }
                Next::Close => {
                    self.lexer.bump();
                    if inside == 0 {
                        return;
                    }
                    inside -= 1;
                    vector();
                }
                Next::End => return self.lexer.unclosed(opened.saturating_sub(1)),
                Next::Word | Next::Text | Next::Other => self.no_number("an integer"),
            }
        }
    }
}
