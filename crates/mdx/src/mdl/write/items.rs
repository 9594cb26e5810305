//! Items: the values of fixed parts.

use record::until_nul;

use super::{Writer, float_of, made_finite, word_of};
use crate::mdl::grammar::{Block, Form, HIVE_LACKS, INHERIT, Item, lacks};
use crate::mdl::number;

impl Writer {
    /// A block's word, its name if it has one, and the brace.
    pub(super) fn open(&mut self, depth: usize, block: &Block, named: Option<&[u8]>) {
        self.word(depth, block.word);
        if let (Some((at, size)), Some(bytes)) = (block.name, named) {
            self.string(bytes.get(at..at + size).unwrap_or_default());
            self.out.push(b' ');
        }
        self.put("{\n");
    }

    /// The items of all existing parts, except those in groups. `animated` are the words that have tracks.
    pub(super) fn items(&mut self, depth: usize, block: &Block, parts: &[Option<&[u8]>], animated: &[&str]) {
        let mut expected: Vec<_> = (0..parts.len()).map(|part| block.template(part)).collect();
        if let (Some((at, size)), Some(name), Some(bytes)) = (block.name, expected.first_mut(), parts.first())
        {
            say_text(bytes.and_then(|bytes| bytes.get(at..at + size)), name.get_mut(at..at + size));
        }
        for item in block.items() {
            let Some(bytes) = parts.get(item.part).copied().flatten() else { continue };
            let Some(value) = bytes.get(item.at..item.at + item.form.size()) else { continue };
            let has_track = animated.contains(&item.word);
            if self.omits(block, item, value, has_track) {
                self.exact &= is_silent(item, value, has_track);
                continue;
            }
            let finite = self.finite(item, value);
            let value = finite.as_deref().unwrap_or(value);
            if item.group.is_empty() {
                self.item(depth, item, value, has_track);
            }
            say(item, value, has_track, &mut expected[item.part][item.at..item.at + item.form.size()]);
        }
        let differs =
            |(part, expected): (&Option<&[u8]>, &Vec<u8>)| part.is_some_and(|part| part != expected);
        self.exact &= !parts.iter().zip(&expected).any(differs);
    }

    /// The items of one group, in separate braces. [`Self::items`] determines whether they can be expressed exactly.
    pub(super) fn group_items(
        &mut self,
        depth: usize,
        block: &Block,
        group: &str,
        parts: &[Option<&[u8]>],
        animated: &[&str],
    ) {
        for item in block.items().filter(|item| item.group == group) {
            let value = parts.get(item.part).copied().flatten();
            if let Some(value) = value.and_then(|bytes| bytes.get(item.at..item.at + item.form.size())) {
                let has_track = animated.contains(&item.word);
                if !self.omits(block, item, value, has_track) {
                    let finite = self.finite(item, value);
                    self.item(depth, item, finite.as_deref().unwrap_or(value), has_track);
                }
            }
        }
    }

    /// The floats of an item as [`Self::float`] writes them, if they differ.
    fn finite(&mut self, item: &Item, value: &[u8]) -> Option<Vec<u8>> {
        let is_float =
            matches!(item.form, Form::Float | Form::Vector(_) | Form::Color | Form::Colors | Form::Tint);
        let infinite = |word: &[u8]| !float_of(word).is_finite();
        if !is_float || !self.dialect.is_hive() || !value.chunks_exact(4).any(infinite) {
            return None;
        }
        self.exact = false;
        // The flags of a tint are small numbers, so they are not infinite as floats.
        Some(value.chunks_exact(4).flat_map(|word| made_finite(float_of(word)).to_le_bytes()).collect())
    }

    /// Whether an item is written in comments only, because one of the readers that the text is for fails on it. A NaN
    /// beside a track means "see the track"; zero would be a value.
    fn omits(&self, block: &Block, item: &Item, value: &[u8], has_track: bool) -> bool {
        let is_mark = || {
            let floats = matches!(item.form, Form::Float | Form::Vector(_) | Form::Color);
            floats && value.chunks_exact(4).any(|word| !float_of(word).is_finite())
        };
        self.dialect.is_hive()
            && (item.animated && has_track && is_mark() || lacks(HIVE_LACKS, block, item.word))
    }

    /// One item, unless it has its default value.
    fn item(&mut self, depth: usize, item: &Item, value: &[u8], has_track: bool) {
        if is_silent(item, value, has_track) {
            return;
        }
        self.indent(depth);
        if item.animated {
            self.put("static ");
        }
        self.put(item.word);
        if !item.word.is_empty() && !matches!(item.form, Form::Flag(_)) {
            self.out.push(b' ');
        }
        match item.form {
            Form::Int => number::write_integer(word_of(value).cast_signed(), &mut self.out),
            Form::Uint => number::write_unsigned(word_of(value), &mut self.out),
            Form::IntOr(word) => match word_of(value).cast_signed() {
                -1 => self.put(word),
                value => number::write_integer(value, &mut self.out),
            },
            Form::Float => self.float(value),
            Form::Vector(_) => self.floats(value),
            Form::Color => self.color(value),
            Form::Tint => self.color(&value[4..]),
            Form::Colors => {
                self.put("{\n");
                for color in value.chunks_exact(12) {
                    self.word(depth + 1, "Color");
                    self.color(color);
                    self.put(",\n");
                }
                self.indent(depth);
                self.out.push(b'}');
            }
            Form::Uints(_) => {
                // Signed, because sequences may start before zero. A word of either sign reads back the same.
                self.integers(value.chunks_exact(4).map(|word| word_of(word).cast_signed()));
            }
            Form::Bytes(_) => self.integers(value.iter().map(|byte| i32::from(*byte))),
            Form::Text(_) => self.string(value),
            Form::Flag(_) => {}
            Form::Choice(choices) => {
                let value = word_of(value);
                // The low byte of an unnamed value may have a name; the rest is preserved in comments.
                let name = |value| choices.iter().find(|(_, named)| *named == value).map(|(word, _)| *word);
                self.put(name(value).or_else(|| name(value & 0xFF)).unwrap_or(choices[0].0));
            }
            Form::Inherit => {
                let flags = word_of(value);
                let words = INHERIT.iter().filter(|(_, bit)| flags & bit != 0).map(|(word, _)| *word);
                let words: Vec<_> = words.collect();
                // war3-model reads only one word in the braces.
                let separator = if self.dialect.is_hive() { " },\n\tDontInherit { " } else { ", " };
                self.put(&format!("{{ {} }}", words.join(separator)));
            }
        }
        self.put(",\n");
    }

    fn color(&mut self, value: &[u8]) {
        let reversed: Vec<u8> = value.chunks_exact(4).rev().flatten().copied().collect();
        self.floats(&reversed);
    }

    fn integers(&mut self, values: impl Iterator<Item = i32>) {
        self.put("{ ");
        for (index, value) in values.enumerate() {
            if index > 0 {
                self.put(", ");
            }
            number::write_integer(value, &mut self.out);
        }
        self.put(" }");
    }

    /// A string field in quotes. A quote inside cannot be escaped, so it becomes an apostrophe.
    pub(super) fn string(&mut self, field: &[u8]) {
        self.out.push(b'"');
        let text = until_nul(field);
        let start = self.out.len();
        // A string that leaves room only for its NUL may be the start of a longer one; two strings with the same start
        // cannot be distinguished.
        let mut longer =
            self.long_strings.iter().filter(|long| text.len() + 1 == field.len() && long.starts_with(text));
        match (longer.next(), longer.next()) {
            (Some(long), None) => self.out.extend_from_slice(long),
            _ => self.out.extend_from_slice(text),
        }
        self.out[start..].iter_mut().filter(|byte| **byte == b'"').for_each(|byte| *byte = b'\'');
        // To mdx-m3-viewer a backslash escapes what follows it, even the quote that ends the string.
        let escapes = self.out[start..].iter().rev().take_while(|byte| **byte == b'\\').count();
        if self.dialect.is_hive() && escapes % 2 == 1 {
            self.out.pop();
            self.out.push(b'/');
            self.exact = false;
        }
        self.out.push(b'"');
    }
}

/// Whether an item has the value that the reader assumes, so that it is not written.
fn is_silent(item: &Item, value: &[u8], has_track: bool) -> bool {
    let initial =
        |value: &[u8]| value.chunks(4).all(|word| word == &item.initial.to_le_bytes()[..word.len()]);
    match item.form {
        Form::Flag(bits) => word_of(value) & bits != bits,
        Form::Inherit => word_of(value) & 7 == 0,
        Form::Tint => word_of(value) & 2 == 0 || has_track && initial(&value[4..]),
        Form::Text(_) => item.quiet && until_nul(value).is_empty(),
        _ => (item.quiet || has_track) && initial(value),
    }
}

/// The value that reading an item back gives.
fn say(item: &Item, value: &[u8], has_track: bool, place: &mut [u8]) {
    match item.form {
        Form::Tint => {
            if word_of(value) & 2 != 0 {
                say_floats(&value[4..], &mut place[4..]);
            }
            if word_of(value) & 2 != 0 || has_track {
                set_bits(&mut place[..4], 2);
            }
        }
        Form::Flag(bits) => {
            if word_of(value) & bits == bits {
                set_bits(place, bits);
            }
        }
        Form::Inherit => set_bits(place, word_of(value) & 7),
        Form::Text(_) => say_text(Some(value), Some(place)),
        Form::Choice(choices) => {
            let known = |value| choices.iter().any(|(_, named)| *named == value);
            let value = word_of(value);
            let said = [value, value & 0xFF].into_iter().find(|value| known(*value)).unwrap_or(choices[0].1);
            place.copy_from_slice(&said.to_le_bytes());
        }
        Form::Float | Form::Vector(_) | Form::Color | Form::Colors => say_floats(value, place),
        Form::Int | Form::Uint | Form::IntOr(_) | Form::Uints(_) | Form::Bytes(_) => {
            place.copy_from_slice(value);
        }
    }
}

/// Only the sign of a NaN can be expressed.
fn say_floats(value: &[u8], place: &mut [u8]) {
    for (value, place) in value.chunks_exact(4).zip(place.chunks_exact_mut(4)) {
        let bits = word_of(value);
        let said = if f32::from_bits(bits).is_nan() { bits & 0x8000_0000 | 0x7FC0_0000 } else { bits };
        place.copy_from_slice(&said.to_le_bytes());
    }
}

fn set_bits(place: &mut [u8], bits: u32) {
    let word = word_of(place) | bits;
    place.copy_from_slice(&word.to_le_bytes());
}

fn say_text(value: Option<&[u8]>, place: Option<&mut [u8]>) {
    let (Some(value), Some(place)) = (value, place) else { return };
    let text = until_nul(value);
    place.fill(0);
    for (place, byte) in place.iter_mut().zip(text) {
        *place = if *byte == b'"' { b'\'' } else { *byte };
    }
}
