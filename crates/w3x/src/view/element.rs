//! Any element, and items of lists.

use std::borrow::Cow;

use record::{Kind, Node};

use crate::value::{float, integer, unescape};
use crate::{kinds, scan};

/// An element.
#[derive(Clone, Copy, Debug)]
pub struct Element<'n>(&'n Node<'n>);

impl<'n> Element<'n> {
    /// The view of a node.
    pub const fn new(node: &'n Node<'n>) -> Self {
        Self(node)
    }

    /// The node.
    pub const fn node(&self) -> &'n Node<'n> {
        self.0
    }

    /// The name of the tag, with its prefix.
    pub fn name(&self) -> String {
        kinds::tag_name(self.0).unwrap_or_default()
    }

    /// Whether it is of a kind.
    pub fn is(&self, kind: &Kind) -> bool {
        self.0.is(kind)
    }

    /// The text of the first attribute of a kind, as it is in the file.
    pub fn raw(&self, kind: &Kind) -> Option<&'n [u8]> {
        value_of(self.0.child(kind)?)
    }

    /// The value of the first attribute of a kind.
    pub fn attribute(&self, kind: &Kind) -> Option<Cow<'n, str>> {
        self.raw(kind).map(unescape)
    }

    /// A number in an attribute; 0 if it is missing or malformed.
    pub fn float(&self, kind: &Kind) -> f32 {
        self.raw(kind).and_then(float).unwrap_or_default()
    }

    /// A whole number in an attribute; `None` if it is missing or malformed.
    pub fn integer<T: std::str::FromStr>(&self, kind: &Kind) -> Option<T> {
        self.raw(kind).and_then(integer)
    }

    /// A boolean in an attribute; false if it is missing or malformed, as in the schemas.
    pub fn boolean(&self, kind: &Kind) -> bool {
        self.raw(kind).and_then(crate::value::boolean).unwrap_or_default()
    }

    /// The attributes `X`, `Y` and `Z`.
    pub fn vector(&self) -> [f32; 3] {
        [&kinds::X, &kinds::Y, &kinds::Z].map(|kind| self.float(kind))
    }

    /// The first child element of a kind.
    pub fn child(&self, kind: &Kind) -> Option<Self> {
        self.0.child(kind).map(Self)
    }

    /// The child elements of a kind.
    pub fn all(&self, kind: &'static Kind) -> impl Iterator<Item = Self> + use<'n> {
        self.0.children().iter().filter(move |child| child.is(kind)).map(Self)
    }

    /// All child elements. A list of items is one element.
    pub fn elements(&self) -> impl Iterator<Item = Self> + use<'n> {
        let is_element = |child: &&Node<'_>| child.kind.framing.word() == kinds::WORDS[0];
        self.0.children().iter().filter(is_element).map(Self)
    }

    /// The text of an element that holds a text; empty for others.
    pub fn text(&self) -> Cow<'n, str> {
        value_of(self.0).map(<[u8]>::trim_ascii).map(unescape).unwrap_or_default()
    }

    /// The vector in the first child element of a kind.
    pub fn child_vector(&self, kind: &Kind) -> Option<[f32; 3]> {
        self.child(kind).map(|child| child.vector())
    }

    /// The items of a kind in this element, such as the `V` of `Vertices`.
    pub fn items(&self, kind: &'static Kind) -> impl Iterator<Item = Item<'n>> + use<'n> {
        self.0.all(kind).flat_map(Self::items_of)
    }

    /// The items of one run, which is one leaf.
    pub(crate) fn items_of<'m>(run: &'m Node<'_>) -> impl Iterator<Item = Item<'m>> + use<'m> {
        record::pieces(scan::piece, run.bytes()).map(Item)
    }
}

/// The value of an attribute, or the text of an element that holds one.
fn value_of<'n>(node: &'n Node<'n>) -> Option<&'n [u8]> {
    let bytes = node.bytes();
    let start = scan::value_start(bytes);
    bytes.get(start..start + scan::value_length(bytes)).filter(|_| start < bytes.len())
}

/// An item of a list: `<V X="0" Y="1" Z="2"/>`, `<P>3</P>`.
#[derive(Clone, Copy, Debug)]
pub struct Item<'n>(&'n [u8]);

impl<'n> Item<'n> {
    /// Its text, with the white space before it.
    pub const fn bytes(&self) -> &'n [u8] {
        self.0
    }

    /// Calls `see` with the name and the value of each attribute, and returns what follows the tag.
    #[inline]
    fn each(self, mut see: impl FnMut(&[u8], &'n [u8])) -> &'n [u8] {
        let bytes = self.0;
        let mut at = scan::name(bytes, scan::space(bytes, 0) + 1);
        loop {
            at = scan::space(bytes, at);
            let end = scan::name(bytes, at);
            let Some(&byte) = bytes.get(end) else { return &[] };
            if end == at {
                if byte == b'>' {
                    return &bytes[at + 1..];
                }
                at += 1;
                continue;
            }
            let name = &bytes[at..end];
            let equals = scan::space(bytes, end);
            let quote_at = scan::space(bytes, equals + 1);
            at = end;
            if let (Some(b'='), Some(quote @ (b'"' | b'\''))) = (bytes.get(equals), bytes.get(quote_at))
                && let Some(end) = scan::quoted(bytes, quote_at + 1, *quote)
            {
                see(name, &bytes[quote_at + 1..end]);
                at = end + 1;
            }
        }
    }

    /// The text of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'n [u8]> {
        let mut found = None;
        self.each(|own, value| {
            if own == name.as_bytes() {
                found.get_or_insert(value);
            }
        });
        found
    }

    /// The numbers of these attributes, each named by one letter; 0 where one is missing.
    pub fn numbers<const N: usize>(&self, letters: [u8; N]) -> [f32; N] {
        let mut numbers = [0.0; N];
        self.each(|name, value| {
            if let [letter] = name
                && let Some(index) = letters.iter().position(|known| known == letter)
            {
                numbers[index] = float(value).unwrap_or_default();
            }
        });
        numbers
    }

    /// The text between its tags.
    pub fn text(&self) -> &'n [u8] {
        let content = self.each(|_, _| {});
        content[..scan::next_tag(content, 0)].trim_ascii()
    }

    /// The elements in it: `V`, `V`, `V`, `Nrm` and `Dist` of a triangle.
    pub fn children(&self) -> impl Iterator<Item = (&'n [u8], Self)> + use<'n> {
        let mut rest = self.each(|_, _| {});
        std::iter::from_fn(move || {
            loop {
                let start = scan::space(rest, 0);
                let end = scan::name(rest, start + 1);
                if rest.get(start) != Some(&b'<') {
                    return None;
                }
                if let Some(special) = scan::Special::at(rest, start) {
                    rest = &rest[special.end(rest, start)?..];
                    continue;
                }
                let name = rest.get(start + 1..end).filter(|name| !name.is_empty())?;
                let item;
                (item, rest) = rest.split_at(scan::piece(rest));
                return Some((name, Self(item)));
            }
        })
    }

    /// Whether attributes have values in quotes, and inner elements end with the name that they start with.
    pub(crate) fn is_well_formed(self) -> bool {
        let content = self.each(|_, _| {});
        let start = scan::space(self.0, 0);
        let tag = &self.0[..self.0.len() - content.len()];
        let tag_is_well_formed = {
            let mut attributes = 0;
            self.each(|_, _| attributes += 1);
            let quotes = tag.iter().filter(|byte| matches!(byte, b'"' | b'\'')).count();
            let equals = tag.iter().filter(|byte| **byte == b'=').count();
            quotes == 2 * attributes && equals == attributes
        };
        let name = &self.0[start + 1..scan::name(self.0, start + 1)];
        let ends_alike = content.is_empty()
            || content
                .strip_suffix(b">")
                .map(<[u8]>::trim_ascii_end)
                .is_some_and(|text| text.strip_suffix(name).is_some_and(|text| text.ends_with(b"</")));
        tag_is_well_formed && ends_alike && self.children().all(|(_, child)| child.is_well_formed())
    }
}
