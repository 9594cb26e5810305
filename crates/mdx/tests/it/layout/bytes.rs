//! An assembler of little-endian bytes.

use meshwright_mdx::{Dialect, Document};

/// Bytes under construction.
#[derive(Clone, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

pub(crate) fn bytes() -> Bytes {
    Bytes::default()
}

impl Bytes {
    pub(crate) fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    pub(crate) fn u16(mut self, value: u16) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn i32(mut self, value: i32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn f32(mut self, value: f32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn floats(self, values: &[f32]) -> Self {
        values.iter().fold(self, |bytes, value| bytes.f32(*value))
    }

    pub(crate) fn words(self, values: &[u32]) -> Self {
        values.iter().fold(self, |bytes, value| bytes.u32(*value))
    }

    pub(crate) fn shorts(self, values: &[u16]) -> Self {
        values.iter().fold(self, |bytes, value| bytes.u16(*value))
    }

    /// Text in a field of so many bytes.
    pub(crate) fn text(mut self, text: &str, size: usize) -> Self {
        self.0.extend(text.as_bytes());
        self.0.extend(vec![0; size - text.len()]);
        self
    }

    /// Four characters.
    pub(crate) fn tag(self, tag: &str) -> Self {
        self.text(tag, 4)
    }

    pub(crate) fn add(mut self, other: &Self) -> Self {
        self.0.extend(&other.0);
        self
    }

    /// Behind a size word that counts itself.
    pub(crate) fn sized(self) -> Self {
        bytes().u32(self.0.len() as u32 + 4).add(&self)
    }

    /// Behind a tag and a size word that does not.
    pub(crate) fn chunk(self, tag: &str) -> Self {
        bytes().tag(tag).u32(self.0.len() as u32).add(&self)
    }

    /// A node of 96 bytes and its tracks.
    pub(crate) fn node(self, name: &str, id: i32, tracks: &Self) -> Self {
        let node = bytes().text(name, 80).i32(id).i32(-1).u32(0x8).add(tracks).sized();
        self.add(&node)
    }
}

/// A file of one version of one game with these chunks; `MODL` says which game it is.
pub(crate) fn file(dialect: Dialect, version: u32, chunks: &Bytes) -> Vec<u8> {
    let model = if dialect == Dialect::Wow { 373 } else { 372 };
    bytes()
        .tag("MDLX")
        .add(&bytes().u32(version).chunk("VERS"))
        .add(&bytes().text("M", model).chunk("MODL"))
        .add(chunks)
        .0
}

/// Reads a file, checks that it comes back and that every byte has a meaning, and hands it on.
pub(crate) fn read(dialect: Dialect, version: u32, chunks: &Bytes, see: impl FnOnce(&Document<'_>)) {
    let file = file(dialect, version, chunks);
    let document = Document::parse(&file).unwrap();
    assert_eq!((document.dialect, document.version), (dialect, version));
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.to_bytes().unwrap(), file);
    assert_eq!(Document::from_json(&document.to_json()).unwrap().to_bytes().unwrap(), file);
    see(&document);
}
