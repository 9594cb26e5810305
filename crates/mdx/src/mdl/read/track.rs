//! Tracks.

use record::Node;

use super::Reader;
use crate::mdl::lexer::Next;
use crate::mdl::write::INTERPOLATIONS;
use crate::tracks::{Layout, TrackRow, ValueType};

impl Reader<'_> {
    /// A track, from the number of keys to the closing brace.
    pub(super) fn track(&mut self, row: &'static TrackRow) -> Node<'static> {
        let [count] = self.counts();
        // The slot of a texture may be here; the caller has already read it.
        self.lexer.arrow();
        if row.value == ValueType::Event {
            return self.event_track(row, count);
        }
        let value = match row.value {
            ValueType::Vector => 12,
            ValueType::Quaternion => 16,
            _ => 4,
        };
        let mut bytes = self.reserve(count, 4 + value);
        bytes.extend_from_slice(&0_u32.to_le_bytes());
        bytes.extend_from_slice(&u32::MAX.to_le_bytes());
        let mut tangents = false;
        if self.lexer.open() {
            let opened = self.lexer.position() - 1;
            loop {
                match self.lexer.peek() {
                    Next::Number => self.key(row, value, tangents, &mut bytes),
                    Next::Word => {
                        let span = self.lexer.next_span();
                        let word = self.lexer.word().unwrap_or_default();
                        let is = |wanted: &str| word.eq_ignore_ascii_case(wanted.as_bytes());
                        if let Some(index) = (0_u32..4).find(|index| is(INTERPOLATIONS[*index as usize])) {
                            bytes[..4].copy_from_slice(&index.to_le_bytes());
                            tangents = index > 1;
                        } else if is("GlobalSeqId") {
                            match self.lexer.integer() {
                                Some(global) => bytes[4..8].copy_from_slice(&global.to_le_bytes()),
                                None => self.wrong_value("a number"),
                            }
                        } else if is("InTan") || is("OutTan") {
                            let back = if is("InTan") { 2 * value } else { value };
                            self.tangent(row, value, back, tangents, span, &mut bytes);
                        } else {
                            self.unknown_word(
                                span,
                                "a track",
                                &[
                                    "GlobalSeqId",
                                    "InTan",
                                    "OutTan",
                                    "DontInterp",
                                    "Linear",
                                    "Hermite",
                                    "Bezier",
                                ],
                            );
                        }
                    }
                    Next::Close => {
                        self.lexer.bump();
                        break;
                    }
                    Next::End => {
                        self.lexer.unclosed(opened);
                        break;
                    }
                    _ => {
                        self.lexer.unexpected("a key");
                        let before = self.lexer.position();
                        self.lexer.skip_item();
                        if self.lexer.position() == before {
                            self.lexer.bump();
                        }
                    }
                }
            }
        }
        Node::leaf(row.kind(if tangents { Layout::Tangents } else { Layout::Plain }), row.tag, bytes)
    }

    /// Time and value. Tangents, if there are any, are zero until they are read.
    #[inline]
    fn key(&mut self, row: &TrackRow, value: usize, tangents: bool, bytes: &mut Vec<u8>) {
        let Some(time) = self.lexer.integer() else { return self.wrong_value("a time") };
        let start = bytes.len();
        bytes.extend_from_slice(&time.to_le_bytes());
        if self.key_value(row, value, bytes).is_none() {
            self.wrong_value("a value");
        }
        let end = start + 4 + value * if tangents { 3 } else { 1 };
        if bytes.len() != end {
            bytes.resize(end, 0);
        }
    }

    /// Appends a value.
    #[inline]
    fn key_value(&mut self, row: &TrackRow, size: usize, bytes: &mut Vec<u8>) -> Option<()> {
        if row.value == ValueType::Integer {
            bytes.extend_from_slice(&self.lexer.integer()?.to_le_bytes());
            return Some(());
        }
        let braces = self.lexer.accept(b'{');
        let opened = self.lexer.position();
        for _ in 0..size / 4 {
            bytes.extend_from_slice(&self.lexer.float()?.to_le_bytes());
        }
        if braces && !self.lexer.accept(b'}') {
            let message = format!("expected {} numbers per value", size / 4);
            let span = self.lexer.next_span();
            self.lexer.error("MDL-VALUE-003", span, &message, Some("the others are ignored"));
            self.lexer.skip_block(opened - 1);
        }
        Some(())
    }

    fn tangent(
        &mut self,
        row: &TrackRow,
        value: usize,
        back: usize,
        tangents: bool,
        span: std::ops::Range<usize>,
        bytes: &mut [u8],
    ) {
        let mut read = Vec::with_capacity(value);
        if self.key_value(row, value, &mut read).is_none() {
            return self.wrong_value("a value");
        }
        let has_key = bytes.len() > 8;
        if !tangents || !has_key {
            let message = "tangents are allowed only in Hermite and Bezier tracks";
            return self.lexer.report(
                "MDL-WORD-002",
                record::Severity::Warning,
                span,
                message,
                Some("it is ignored"),
            );
        }
        let start = bytes.len() - back;
        bytes[start..start + value].copy_from_slice(&read);
    }

    /// `EventTrack n { [GlobalSeqId n,] time, … }`.
    fn event_track(&mut self, row: &'static TrackRow, count: u32) -> Node<'static> {
        let mut bytes = self.reserve(count, 4);
        bytes.extend_from_slice(&u32::MAX.to_le_bytes());
        if self.lexer.open() {
            if self.lexer.accept_word("GlobalSeqId")
                && let Some(global) = self.lexer.integer()
            {
                bytes[..4].copy_from_slice(&global.to_le_bytes());
            }
            self.integers(u32::MAX, |time| bytes.extend_from_slice(&time.to_le_bytes()), || {});
        }
        Node::leaf(row.kind(Layout::Simple), row.tag, bytes)
    }
}
