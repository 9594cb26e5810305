//! The syntax of XML, as far as a lossless reader needs it: where names, tags, comments and elements end.
//!
//! A pull parser of another project would stop at the first syntax error, and give attributes without their spaces and quotes. This reader
//! keeps every byte of any input, so it needs only these functions. No function looks past a `<` for the end of a tag, and comments
//! without an end take the rest of the file. Reading is therefore linear in the size of the file.

use memchr::{memchr, memchr2, memmem};

/// The deepest nesting inside one item of a list. Triangles nest 1 deep, nodes of collision trees 1 deep.
const MAX_ITEM_DEPTH: usize = 4;

/// White space of XML.
#[inline]
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The end of the white space that starts at `at`.
#[inline]
pub(crate) fn space(bytes: &[u8], at: usize) -> usize {
    let ahead = bytes.get(at..).unwrap_or_default();
    at + ahead.iter().position(|byte| !is_space(*byte)).unwrap_or(ahead.len())
}

/// The end of the name that starts at `at`; `at` itself if there is no name.
#[inline]
pub(crate) fn name(bytes: &[u8], at: usize) -> usize {
    let ahead = bytes.get(at..).unwrap_or_default();
    if ahead.first().is_none_or(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'.')) {
        return at;
    }
    let is_end = |byte: &u8| {
        is_space(*byte) || matches!(byte, b'<' | b'>' | b'/' | b'=' | b'"' | b'\'' | b'!' | b'?' | b'&' | 0)
    };
    at + ahead.iter().position(is_end).unwrap_or(ahead.len())
}

/// A name without its namespace prefix.
#[inline]
pub(crate) fn local(name: &[u8]) -> &[u8] {
    match name.iter().position(|byte| *byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}

/// The end of a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TagEnd {
    /// The byte after `>`.
    pub(crate) end: usize,
    /// Whether the element ends here: `/>`.
    pub(crate) is_empty: bool,
}

/// The end of the tag whose name ends at `at`. `None` if another tag starts before, or the text ends.
#[inline]
pub(crate) fn tag(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    loop {
        match *bytes.get(at)? {
            b'>' => return Some(TagEnd { end: at + 1, is_empty: at > 0 && bytes[at - 1] == b'/' }),
            b'<' => return None,
            quote @ (b'"' | b'\'') => at = quoted(bytes, at + 1, quote)? + 1,
            _ => at += 1,
        }
    }
}

/// The position of the quote that ends a value. A value cannot contain `<`.
#[inline]
pub(crate) fn quoted(bytes: &[u8], at: usize, quote: u8) -> Option<usize> {
    let ahead = bytes.get(at..)?;
    // Most values are numbers of about eight characters: too short for a search that prepares itself.
    let near = ahead.iter().take(16).position(|byte| *byte == quote || *byte == b'<');
    let found = near.or_else(|| memchr2(quote, b'<', ahead))?;
    (ahead[found] == quote).then_some(at + found)
}

/// The position of the next `<`, or the end.
#[inline]
pub(crate) fn next_tag(bytes: &[u8], at: usize) -> usize {
    let ahead = bytes.get(at..).unwrap_or_default();
    at + memchr(b'<', ahead).unwrap_or(ahead.len())
}

/// What starts with a `<` and is not a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Comment,
    Cdata,
    Instruction,
    Doctype,
}

impl Special {
    /// What starts at `at`, if it is not a tag.
    #[inline]
    pub(crate) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        match *bytes.get(at + 1)? {
            b'?' => Some(Self::Instruction),
            b'!' if bytes[at..].starts_with(b"<!--") => Some(Self::Comment),
            b'!' if bytes[at..].starts_with(b"<![CDATA[") => Some(Self::Cdata),
            b'!' => Some(Self::Doctype),
            _ => None,
        }
    }

    /// Its end. `None` if it does not end.
    pub(crate) fn end(self, bytes: &[u8], at: usize) -> Option<usize> {
        let (skip, terminator): (usize, &[u8]) = match self {
            Self::Comment => (4, b"-->"),
            Self::Cdata => (9, b"]]>"),
            Self::Instruction => (2, b"?>"),
            Self::Doctype => return doctype(bytes, at),
        };
        let ahead = bytes.get(at + skip..)?;
        Some(at + skip + memmem::find(ahead, terminator)? + terminator.len())
    }
}

/// The end of a document type with its declarations in brackets.
fn doctype(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in bytes.get(at..)?.iter().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'>' if depth == 0 => return Some(at + offset + 1),
            _ => {}
        }
    }
    None
}

/// The end of the element whose `<` is at `at`. `None` if it does not end, ends with another name, or is nested deeper than `depth`.
fn element(bytes: &[u8], at: usize, max_depth: usize) -> Option<usize> {
    let own = name(bytes, at + 1);
    if own == at + 1 {
        return None;
    }
    let own_name = &bytes[at + 1..own];
    let first = tag(bytes, own)?;
    if first.is_empty {
        return Some(first.end);
    }
    let (mut position, mut depth) = (first.end, 1);
    loop {
        position = next_tag(bytes, position);
        match *bytes.get(position + 1)? {
            b'/' => {
                let end = name(bytes, position + 2);
                let closed = &bytes[position + 2..end];
                position = space(bytes, end);
                if bytes.get(position) != Some(&b'>') {
                    return None;
                }
                position += 1;
                depth -= 1;
                if depth == 0 {
                    return (closed == own_name).then_some(position);
                }
            }
            b'!' | b'?' => position = Special::at(bytes, position)?.end(bytes, position)?,
            _ => {
                let end = name(bytes, position + 1);
                if end == position + 1 {
                    return None;
                }
                let tag = tag(bytes, end)?;
                position = tag.end;
                if !tag.is_empty {
                    depth += 1;
                    if depth > max_depth {
                        return None;
                    }
                }
            }
        }
    }
}

/// The end of an element whatever its depth.
pub(crate) fn whole_element(bytes: &[u8], at: usize) -> Option<usize> {
    element(bytes, at, usize::MAX)
}

/// The end of a run of elements of one name, with the white space before each of them. The `<` of the first one is at `at`. `None` if the
/// first one cannot be read as an item of a list.
pub(crate) fn run(bytes: &[u8], at: usize) -> Option<usize> {
    let own = name(bytes, at + 1);
    let own_name = &bytes[at..own];
    let mut end = element(bytes, at, MAX_ITEM_DEPTH)?;
    loop {
        let next = space(bytes, end);
        let ahead = bytes.get(next..).unwrap_or_default();
        let is_same = ahead.starts_with(own_name) && name(bytes, next + 1) == next + own_name.len();
        match is_same.then(|| element(bytes, next, MAX_ITEM_DEPTH)).flatten() {
            Some(after) => end = after,
            None => return Some(end),
        }
    }
}

/// The length of the first item of a run, with the white space before it.
pub(crate) fn piece(bytes: &[u8]) -> usize {
    let start = space(bytes, 0);
    let is_tag = bytes.get(start) == Some(&b'<');
    is_tag.then(|| element(bytes, start, MAX_ITEM_DEPTH)).flatten().unwrap_or(bytes.len())
}

/// The part of a bracketed text before its value, in an attribute: ` X="`; in an element that holds a text: `\n\t<Value>`.
pub(crate) fn value_start(bytes: &[u8]) -> usize {
    let start = space(bytes, 0);
    if bytes.get(start) == Some(&b'<') {
        let end = tag(bytes, name(bytes, start + 1));
        return end.filter(|tag| !tag.is_empty).map_or(bytes.len(), |tag| tag.end);
    }
    bytes.iter().position(|byte| matches!(byte, b'"' | b'\'')).map_or(bytes.len(), |quote| quote + 1)
}

/// The length of that value.
pub(crate) fn value_length(bytes: &[u8]) -> usize {
    let start = value_start(bytes);
    let ahead = &bytes[start..];
    let end = match start.checked_sub(1).map(|before| bytes[before]) {
        Some(b'>') => memchr(b'<', ahead),
        Some(quote @ (b'"' | b'\'')) => memchr(quote, ahead),
        _ => None,
    };
    end.unwrap_or(ahead.len())
}
