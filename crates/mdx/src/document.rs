//! A whole file.

use record::{Diagnostic, Error, Format, Node};

use crate::dialect::Dialect;
use crate::format::FORMAT;
use crate::frame::MAGIC;
use crate::{diagnose, parse};

/// A file as a tree, with what it takes to read it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The tree; its kind is [`kinds::MDLX`](crate::kinds::MDLX).
    pub root: Node<'a>,
    /// What the first `VERS` chunk says, or 800 without one.
    pub version: u32,
    /// Whose format it is.
    pub dialect: Dialect,
    /// Strings of an MDL text that do not fit their fields: MDX has what fits, and a text that is written has them whole again.
    pub long_strings: Vec<Vec<u8>>,
}

impl<'a> Document<'a> {
    /// Reads a file. Fails only if it does not start with `MDLX`: however damaged the rest is, it is kept.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(&MAGIC) {
            return Err(parse::refuse(bytes));
        }
        let sniffed = parse::sniff(bytes);
        let root = parse::tree(bytes, sniffed);
        Ok(Self { root, version: sniffed.version, dialect: sniffed.dialect, long_strings: Vec::new() })
    }

    /// Dialect and version of a file, without reading the rest. `None` if it is not an MDX file.
    ///
    /// ```
    /// use meshwright_mdx::{Dialect, Document};
    /// let file = meshwright_mdx::build::samples().swap_remove(0).1;
    /// assert_eq!(Document::sniff(&file), Some((Dialect::Warcraft, 800)));
    /// ```
    pub fn sniff(bytes: &[u8]) -> Option<(Dialect, u32)> {
        let sniffed = bytes.starts_with(&MAGIC).then(|| parse::sniff(bytes))?;
        Some((sniffed.dialect, sniffed.version))
    }

    /// The file's bytes: those that were read, but for what was changed.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.root.to_bytes()
    }

    /// The [text form](record::text).
    pub fn to_json(&self) -> String {
        self.root.to_json(&FORMAT)
    }

    /// What is not as it should be: sizes and counts that lie, bytes left over, parts unknown. In file order.
    ///
    /// The codes are `MDX-` and those of [`Node::diagnose`]; besides, `MDX-FRAME-001` is a size word and `MDX-FRAME-002` a
    /// count before its elements that disagrees, `MDX-FRAME-003` an invalid tag, `MDX-COUNT-001` a count in another part
    /// and disagrees, and `MDX-FILE-001` and `MDX-FILE-002` are files that a program took for text.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = self.root.diagnose("MDX");
        diagnose::counts(&self.root, &mut found);
        diagnose::tags(&self.root, &mut found);
        diagnose::transfer(&self.root, &mut found);
        found.sort_by_key(|finding| finding.span.start);
        found
    }

    /// The same document, borrowing nothing.
    pub fn into_owned(self) -> Document<'static> {
        let Self { root, version, dialect, long_strings } = self;
        Document { root: root.into_owned(), version, dialect, long_strings }
    }
}

impl Document<'static> {
    /// Reads the text form. The parts have to be what their bytes say: a version that does not fit them is an error.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let format: &dyn Format = &FORMAT;
        let bytes = format.read_json(text)?.to_bytes()?;
        Document::parse(&bytes).map(Document::into_owned)
    }
}
