//! Headers before the bodies of parts: [`Framing`]s.
//!
//! | word | bytes before the body |
//! |---|---|
//! | `chunk` | tag, size of the body |
//! | `object` | size of the body and of this word |
//! | `array`, `track` | tag, number of elements, keys or objects |
//! | `list` | number of elements |
//! | `part` | nothing |
//!
//! Sizes and counts are computed from what they frame; a file that says otherwise is kept as a [difference](Node::size_delta).

#![deny(clippy::arithmetic_side_effects)]

use record::{Count, Finding, Framing, LEFTOVER, Node, Severity};

/// The tag of four characters, as the number that it is on disk.
///
/// ```
/// assert_eq!(meshwright_mdx::tag("VERS"), 0x5352_4556);
/// ```
pub const fn tag(name: &str) -> u32 {
    let bytes = name.as_bytes();
    assert!(bytes.len() == 4, "a tag has four characters");
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The magic number.
pub const MAGIC: [u8; 4] = *b"MDLX";

/// The whole file: the magic.
pub(crate) struct File;
/// A tag and the size of what follows.
pub(crate) struct Chunk;
/// A size that counts itself.
pub(crate) struct Object;
/// A size that counts itself in 24 bits, and a variant above them.
pub(crate) struct CameraObject;
/// A tag and a count of elements; the word is for the text form.
pub(crate) struct Counted(pub(crate) &'static str);
/// A count of elements.
pub(crate) struct List;
/// Only a tag: a track of unknown layout.
pub(crate) struct Tagged;

fn put(header: &mut [u8], words: [u32; 2]) -> Option<()> {
    header.first_chunk_mut::<4>()?.copy_from_slice(&words[0].to_le_bytes());
    header.get_mut(4..8)?.copy_from_slice(&words[1].to_le_bytes());
    Some(())
}

fn put_word(header: &mut [u8], word: u32) -> Option<()> {
    header.first_chunk_mut::<4>()?.copy_from_slice(&word.to_le_bytes());
    Some(())
}

fn bytes(count: u32) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// A size field that is not `actual`, the size of what it frames.
fn wrong_size(stored: u32, actual: u32) -> Finding {
    let message = if stored < actual {
        format!("the size field is {} too small", bytes(actual.wrapping_sub(stored)))
    } else {
        let excess = bytes(stored.wrapping_sub(actual));
        format!("the size field is {excess} too large: the file is cut off or damaged")
    };
    ("FRAME-001", Severity::Error, message)
}

/// The actual size of an object, which counts its own size field.
fn object_size(node: &Node<'_>) -> u32 {
    u32::try_from(node.body_len().saturating_add(4)).unwrap_or(u32::MAX)
}

fn wrong_count(node: &Node<'_>) -> Finding {
    let stored = element_count(node, node.body_len()).unwrap_or_default();
    let actual = stored.wrapping_sub(node.size_delta);
    let message = if stored < actual {
        format!("the count is {} too small", actual.wrapping_sub(stored))
    } else {
        format!("the count is {} too large: the file is cut off or damaged", stored.wrapping_sub(actual))
    };
    ("FRAME-002", Severity::Error, message)
}

/// Bytes before the first element, and per element, of a leaf that is counted.
pub(crate) fn element_layout(kind: &record::Kind) -> (usize, usize) {
    let fixed =
        kind.slots.iter().filter(|slot| matches!(slot.count, Count::One)).map(|slot| slot.item.size());
    (fixed.sum(), kind.slots.last().map_or(1, |slot| slot.item.size()).max(1))
}

fn element_count(node: &Node<'_>, body_len: usize) -> Option<u32> {
    let count = if node.kind.branch {
        node.children().iter().filter(|child| !child.is(&LEFTOVER)).count()
    } else {
        let (fixed, each) = element_layout(node.kind);
        body_len.saturating_sub(fixed).checked_div(each)?
    };
    u32::try_from(count).ok().map(|count| count.wrapping_add(node.size_delta))
}

fn size_word(node: &Node<'_>, size: usize) -> Option<u32> {
    u32::try_from(size).ok().map(|size| size.wrapping_add(node.size_delta))
}

impl Framing for File {
    fn word(&self) -> &'static str {
        "file"
    }

    fn header_len(&self) -> usize {
        4
    }

    fn write_header(&self, _: &Node<'_>, _: usize, header: &mut [u8]) -> Option<()> {
        header.copy_from_slice(&MAGIC);
        Some(())
    }

    fn explain_size_delta(&self, _: &Node<'_>) -> Option<Finding> {
        None
    }
}

impl Framing for Chunk {
    fn word(&self) -> &'static str {
        "chunk"
    }

    fn header_len(&self) -> usize {
        8
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        put(header, [node.id, size_word(node, body_len)?])
    }

    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        let actual = u32::try_from(node.body_len()).unwrap_or(u32::MAX);
        Some(wrong_size(actual.wrapping_add(node.size_delta), actual))
    }
}

impl Framing for Object {
    fn word(&self) -> &'static str {
        "object"
    }

    fn header_len(&self) -> usize {
        4
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        put_word(header, size_word(node, body_len.checked_add(4)?)?)
    }

    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        let actual = object_size(node);
        Some(wrong_size(actual.wrapping_add(node.size_delta), actual))
    }
}

impl Framing for CameraObject {
    fn word(&self) -> &'static str {
        Object.word()
    }

    fn header_len(&self) -> usize {
        Object.header_len()
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        Object.write_header(node, body_len, header)
    }

    /// The upper byte is the camera's variant, not an error.
    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        let actual = object_size(node);
        let stored = actual.wrapping_add(node.size_delta) & 0xFF_FFFF;
        (stored != actual).then(|| wrong_size(stored, actual))
    }
}

impl Framing for Counted {
    fn word(&self) -> &'static str {
        self.0
    }

    fn header_len(&self) -> usize {
        8
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        put(header, [node.id, element_count(node, body_len)?])
    }

    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        Some(wrong_count(node))
    }
}

impl Framing for List {
    fn word(&self) -> &'static str {
        "list"
    }

    fn header_len(&self) -> usize {
        4
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        put_word(header, element_count(node, body_len)?)
    }

    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        Some(wrong_count(node))
    }
}

impl Framing for Tagged {
    fn word(&self) -> &'static str {
        "track"
    }

    fn header_len(&self) -> usize {
        4
    }

    fn write_header(&self, node: &Node<'_>, _: usize, header: &mut [u8]) -> Option<()> {
        put_word(header, node.id)
    }

    fn explain_size_delta(&self, _: &Node<'_>) -> Option<Finding> {
        None
    }
}
