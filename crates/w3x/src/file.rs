//! A whole file: reading, writing, text form.

use std::collections::HashMap;
use std::sync::LazyLock;

use record::{Diagnostic, Error, Format, Kind, Node};

use crate::{diagnose, kinds, parse, scan};

/// A W3X file as a tree of elements and attributes.
///
/// ```
/// let text = br#"<AssetDeclaration><Texture id="Tank" File="Tank.dds"/></AssetDeclaration>"#;
/// let mut file = meshwright_w3x::W3x::parse(text)?;
/// assert_eq!(file.to_bytes()?, text);
/// assert_eq!(file.textures().next().unwrap().file().unwrap(), "Tank.dds");
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct W3x<'a> {
    /// The declaration, the root element and the text around them are the children of this node.
    pub root: Node<'a>,
}

impl<'a> W3x<'a> {
    /// Reads a file, borrowing from its bytes. Damage is not an error: what is not XML is kept, and [`diagnostics`](Self::diagnostics)
    /// reports it. Text in UTF-16 is an error.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err(Error::new("W3X-ENCODING", 0..2, "the text is UTF-16, which is not supported")
                .with_note("save it as UTF-8, as all tools of the games do"));
        }
        Ok(Self { root: parse::file(bytes) })
    }

    /// Whether bytes look like a file of this format: XML whose root is an `AssetDeclaration`.
    ///
    /// ```
    /// use meshwright_w3x::W3x;
    /// assert!(W3x::is_like(b"<?xml version=\"1.0\"?>\n<!-- x --><AssetDeclaration>"));
    /// assert!(!W3x::is_like(b"<html>"));
    /// ```
    pub fn is_like(bytes: &[u8]) -> bool {
        let mut at = if bytes.starts_with(parse::BOM) { parse::BOM.len() } else { 0 };
        loop {
            at = scan::space(bytes, at);
            match scan::Special::at(bytes, at) {
                Some(special) if bytes.get(at) == Some(&b'<') => match special.end(bytes, at) {
                    Some(end) => at = end,
                    None => return false,
                },
                _ => break,
            }
        }
        let name = bytes.get(at + 1..scan::name(bytes, at + 1)).unwrap_or_default();
        bytes.get(at) == Some(&b'<') && scan::local(name) == kinds::ASSET_DECLARATION.name.as_bytes()
    }

    /// The same file with owned data, independent of the bytes that it was read from.
    pub fn into_owned(self) -> W3x<'static> {
        W3x { root: self.root.into_owned() }
    }

    /// The file's bytes. For an unchanged file, these are exactly the bytes that were read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.root.to_bytes()
    }

    /// The text form.
    pub fn to_json(&self) -> String {
        self.root.to_json(FORMAT)
    }

    /// Reads the text form.
    pub fn from_json(text: &str) -> Result<W3x<'static>, Error> {
        Ok(W3x { root: FORMAT.read_json(text)? })
    }

    /// Everything that is wrong in the structure of the file.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        diagnose::diagnose(&self.root)
    }
}

/// The tables of W3X for the text form.
pub static FORMAT: &dyn Format = &W3xFormat;

struct W3xFormat;

/// The kinds by name, for each of [`kinds::WORDS`].
static NAMED: LazyLock<[HashMap<&'static str, [&'static Kind; 1]>; 3]> = LazyLock::new(|| {
    let elements = kinds::ELEMENTS.iter().map(|row| row.kind).chain([&kinds::FOREIGN_ELEMENT]);
    let attributes = kinds::ATTRIBUTES.iter().copied().chain([&kinds::FOREIGN_ATTRIBUTE]);
    [
        elements.map(|kind| (kind.name, [kind])).collect(),
        attributes.map(|kind| (kind.name, [kind])).collect(),
        kinds::TEXTS.iter().map(|kind| (kind.name, [*kind])).collect(),
    ]
});

/// The kinds of a word.
fn named(word: &str) -> Option<&'static HashMap<&'static str, [&'static Kind; 1]>> {
    NAMED.get(kinds::WORDS.iter().position(|known| *known == word)?)
}

impl Format for W3xFormat {
    fn name(&self) -> &'static str {
        "w3x"
    }

    fn root(&self) -> &'static Kind {
        &kinds::FILE
    }

    fn named(&self, _: &'static Kind, word: &str, name: &str) -> Option<(&[&'static Kind], u32)> {
        named(word)?.get(name).map(|kinds| (kinds.as_slice(), 0))
    }

    fn names(&self, _: &'static Kind, word: &str) -> Vec<&'static str> {
        named(word).map(|kinds| kinds.keys().copied().collect()).unwrap_or_default()
    }

    fn parse<'a>(&self, bytes: &'a [u8]) -> Option<Node<'a>> {
        Some(parse::file(bytes))
    }
}
