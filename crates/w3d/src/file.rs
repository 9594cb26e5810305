//! A whole file: reading, writing, text form, diagnostics.

use record::{Diagnostic, Error, Format, Kind, Node};

use crate::{detect, parse, table};

/// A W3D file as a tree of chunks.
///
/// ```
/// let bytes = meshwright_w3d::sample::crate_box();
/// let mut file = meshwright_w3d::W3d::parse(&bytes)?;
/// assert_eq!(file.to_bytes()?, bytes);
///
/// // Edit one record in place; everything else stays as it was.
/// let header = file.root.find_mut("MESH/MESH_HEADER3").and_then(|node| node.value_mut::<meshwright_w3d::records::MeshHeader3>()).unwrap();
/// header.sort_level.set(5);
/// assert_eq!(file.to_bytes()?.len(), bytes.len());
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct W3d<'a> {
    /// The file's chunks are the children of this node.
    pub root: Node<'a>,
}

impl<'a> W3d<'a> {
    /// Reads a file, borrowing from its bytes. Damage is not an error: unknown data is kept, and
    /// [`diagnostics`](Self::diagnostics) reports it. Bytes that are not a W3D file are an error, which names the format that they seem
    /// to be.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        detect::refuse_strangers(bytes)?;
        Ok(Self { root: parse::file(bytes) })
    }

    /// An empty file.
    pub const fn new() -> Self {
        Self { root: Node::branch(&table::FILE, 0, Vec::new()) }
    }

    /// The same file with owned data, independent of the bytes that it was read from.
    pub fn into_owned(self) -> W3d<'static> {
        W3d { root: self.root.into_owned() }
    }

    /// The file's bytes. For an unchanged file, these are exactly the bytes that were read. Fails only if a chunk is
    /// larger than 2 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.root.to_bytes()
    }

    /// The text form.
    pub fn to_json(&self) -> String {
        self.root.to_json(FORMAT)
    }

    /// Reads the text form.
    pub fn from_json(text: &str) -> Result<W3d<'static>, Error> {
        Ok(W3d { root: FORMAT.read_json(text)? })
    }

    /// Everything that is wrong in the structure of the file.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = detect::file_diagnostics(self);
        found.extend(self.root.diagnose("W3D"));
        found
    }
}

impl Default for W3d<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// The tables of W3D for the text form.
pub static FORMAT: &dyn Format = &W3dFormat;

struct W3dFormat;

impl Format for W3dFormat {
    fn name(&self) -> &'static str {
        "w3d"
    }

    fn root(&self) -> &'static Kind {
        &table::FILE
    }

    fn named(&self, parent: &'static Kind, word: &str, name: &str) -> Option<(&[&'static Kind], u32)> {
        table::named(parent, word, name)
    }

    fn names(&self, parent: &'static Kind, _: &str) -> Vec<&'static str> {
        table::names(parent)
    }

    fn sibling_counts(&self) -> &'static [record::SiblingCount] {
        table::SIBLING_COUNTS
    }

    fn leaf_counts(&self) -> &'static [record::LeafCount] {
        table::LEAF_COUNTS
    }

    fn parse<'a>(&self, bytes: &'a [u8]) -> Option<Node<'a>> {
        Some(crate::parse::file(bytes))
    }
}
