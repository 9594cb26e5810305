//! Parses text into a tree.
//!
//! Nothing is repaired, and every byte is in exactly one leaf:
//!
//! * White space before an element belongs to its start tag, so that an element is removed with its line.
//! * An end tag that belongs to an element further out ends the elements in between. One that belongs to none is `malformed`.
//! * What is not XML is `malformed`, up to the next `<`.
//! * Elements nested deeper than [`MAX_DEPTH`] are kept as bytes, and everything after [`MAX_NODES`] parts as one `unread` text.

use record::{Kind, Node};

use crate::kinds::{self, Shape};
use crate::scan::{self, Special};

/// Maximum depth of nested elements; deeper ones are kept as bytes. Real files nest 6 deep.
pub const MAX_DEPTH: usize = 48;

/// Maximum number of parts of a file; the text after it is kept as one part. An element takes four bytes in a file and 200 in memory. Real files
/// have up to 20,000.
pub const MAX_NODES: usize = 500_000;

pub(crate) fn file(bytes: &[u8]) -> Node<'_> {
    let mut reader = Reader { bytes, at: 0, left: MAX_NODES, names: Vec::new() };
    let mut nodes = Vec::new();
    if bytes.starts_with(BOM) {
        reader.at = BOM.len();
        nodes.push(Node::leaf(&kinds::TEXT, 0, BOM));
    }
    reader.content(&mut nodes);
    Node::branch(&kinds::FILE, 0, nodes)
}

/// Byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many more parts there may be.
    left: usize,
    /// The names of the elements around.
    names: Vec<&'a [u8]>,
}

impl<'a> Reader<'a> {
    /// A leaf from `start` to `end`, where reading goes on.
    fn leaf(&mut self, kind: &'static Kind, start: usize, end: usize) -> Node<'a> {
        self.at = end;
        self.left = self.left.saturating_sub(1);
        Node::leaf(kind, 0, &self.bytes[start..end])
    }

    /// Reads the content of the innermost element, with its end tag.
    fn content(&mut self, nodes: &mut Vec<Node<'a>>) {
        loop {
            let start = self.at;
            let at = scan::space(self.bytes, start);
            if start == self.bytes.len() {
                return;
            }
            if self.left == 0 {
                nodes.push(self.leaf(&kinds::UNREAD, start, self.bytes.len()));
                return;
            }
            if self.bytes.get(at) != Some(&b'<') {
                nodes.push(self.leaf(&kinds::TEXT, start, scan::next_tag(self.bytes, at)));
                continue;
            }
            if let Some(special) = Special::at(self.bytes, at) {
                let end = special.end(self.bytes, at);
                let kind = match special {
                    _ if end.is_none() => &kinds::MALFORMED,
                    Special::Comment => &kinds::COMMENT,
                    Special::Cdata => &kinds::CDATA,
                    Special::Instruction => &kinds::INSTRUCTION,
                    Special::Doctype => &kinds::DOCTYPE,
                };
                nodes.push(self.leaf(kind, start, end.unwrap_or(self.bytes.len())));
                continue;
            }
            if self.bytes.get(at + 1) == Some(&b'/') {
                let name_end = scan::name(self.bytes, at + 2);
                let name = &self.bytes[at + 2..name_end];
                let end = scan::space(self.bytes, name_end);
                let is_tag = self.bytes.get(end) == Some(&b'>');
                if is_tag && self.names.last() == Some(&name) {
                    nodes.push(self.leaf(&kinds::END, start, end + 1));
                    return;
                }
                if is_tag && self.names.contains(&name) {
                    return;
                }
            }
            let name_end = scan::name(self.bytes, at + 1);
            if name_end > at + 1 {
                let node = self.element(start, at, name_end);
                nodes.push(node);
            } else {
                nodes.push(self.leaf(&kinds::MALFORMED, start, scan::next_tag(self.bytes, at + 1)));
            }
        }
    }

    /// Reads an element whose `<` is at `at`, and the white space before it, which begins at `start`.
    fn element(&mut self, start: usize, at: usize, name_end: usize) -> Node<'a> {
        let name = &self.bytes[at + 1..name_end];
        let (kind, shape) = kinds::element(scan::local(name));
        let leaf_end = match shape {
            _ if self.names.len() >= MAX_DEPTH => {
                Some(scan::whole_element(self.bytes, at).unwrap_or(self.bytes.len()))
            }
            Shape::Items => scan::run(self.bytes, at),
            Shape::Value => text_element(self.bytes, name_end, name),
            Shape::Branch => None,
        };
        if let Some(end) = leaf_end {
            return self.leaf(kind, start, end);
        }
        let mut nodes = Vec::with_capacity(8);
        nodes.push(self.leaf(&kinds::TAG_START, start, name_end));
        if self.tag(&mut nodes) {
            self.names.push(name);
            self.content(&mut nodes);
            self.names.pop();
        }
        Node::branch(kind, 0, nodes)
    }

    /// Reads the attributes of a tag and its end. Returns whether content follows.
    fn tag(&mut self, nodes: &mut Vec<Node<'a>>) -> bool {
        loop {
            let start = self.at;
            let at = scan::space(self.bytes, start);
            match self.bytes.get(at..).unwrap_or_default() {
                [b'>', ..] => {
                    nodes.push(self.leaf(&kinds::TAG_END, start, at + 1));
                    return true;
                }
                [b'/', b'>', ..] => {
                    nodes.push(self.leaf(&kinds::END, start, at + 2));
                    return false;
                }
                _ => {}
            }
            if self.left > 0
                && at > start
                && let Some((kind, end)) = self.attribute(at)
            {
                nodes.push(self.leaf(kind, start, end));
                continue;
            }
            // Not an attribute: everything up to the end of the tag.
            let end = match scan::tag(self.bytes, at) {
                Some(tag) if tag.is_empty => tag.end - 2,
                Some(tag) => tag.end - 1,
                None => scan::next_tag(self.bytes, at),
            };
            let is_open = scan::tag(self.bytes, at).is_none();
            let kind = if self.left == 0 { &kinds::UNREAD } else { &kinds::MALFORMED };
            if end > start {
                nodes.push(self.leaf(kind, start, end));
            }
            if is_open {
                return false;
            }
        }
    }

    /// The kind and the end of the attribute whose name starts at `at`.
    fn attribute(&self, at: usize) -> Option<(&'static Kind, usize)> {
        let name_end = scan::name(self.bytes, at);
        let equals = scan::space(self.bytes, name_end);
        let is_named = name_end > at && self.bytes.get(equals) == Some(&b'=');
        let quote_at = scan::space(self.bytes, if is_named { equals + 1 } else { return None });
        let quote = *self.bytes.get(quote_at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let end = scan::quoted(self.bytes, quote_at + 1, quote)?;
        Some((kinds::attribute(&self.bytes[at..name_end]), end + 1))
    }
}

/// The end of an element that holds nothing but a text. The name of its tag ends at `name_end`.
fn text_element(bytes: &[u8], name_end: usize, name: &[u8]) -> Option<usize> {
    let tag = scan::tag(bytes, name_end)?;
    if tag.is_empty {
        return Some(tag.end);
    }
    let end_tag = scan::next_tag(bytes, tag.end);
    let rest = bytes.get(end_tag..)?.strip_prefix(b"</")?.strip_prefix(name)?;
    let after = scan::space(rest, 0);
    (rest.get(after) == Some(&b'>')).then(|| bytes.len() - rest.len() + after + 1)
}
