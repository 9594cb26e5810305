//! A whole file.

use record::{Diagnostic, Error, Format, Node};

use crate::dialect::Dialect;
use crate::format::FORMAT;
use crate::frame::MAGIC;
use crate::{diagnose, parse};

/// A file as a tree, with the parameters for reading it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The tree; its kind is [`kinds::MDLX`](crate::kinds::MDLX).
    pub root: Node<'a>,
    /// The version in the first `VERS` chunk; 800 without one.
    pub version: u32,
    /// The game.
    pub dialect: Dialect,
    /// Strings of an MDL text that do not fit their fields. MDX contains the truncated strings; text contains them
    /// completely.
    pub long_strings: Vec<Vec<u8>>,
}

impl<'a> Document<'a> {
    /// Reads a file. Fails only if it does not start with `MDLX`. All other damage is kept.
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

    /// The file's bytes: those that were read, except for changes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.root.to_bytes()
    }

    /// The [text form](record::text).
    pub fn to_json(&self) -> String {
        self.root.to_json(&FORMAT)
    }

    /// Deviations from the format: wrong sizes and counts, trailing bytes, unknown parts. In file order.
    ///
    /// The codes are `MDX-` and those of [`Node::diagnose`], and these: `MDX-FRAME-001` is a wrong size word,
    /// `MDX-FRAME-002` a wrong count before its elements, `MDX-FRAME-003` an invalid tag, `MDX-COUNT-001` a wrong count
    /// in another part. `MDX-FILE-001` and `MDX-FILE-002` are files that a program treated as text.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = self.root.diagnose("MDX");
        diagnose::counts(&self.root, &mut found);
        diagnose::tags(&self.root, &mut found);
        diagnose::transfer(&self.root, &mut found);
        found.sort_by_key(|finding| finding.span.start);
        found
    }

    /// The same document with owned data.
    pub fn into_owned(self) -> Document<'static> {
        let Self { root, version, dialect, long_strings } = self;
        Document { root: root.into_owned(), version, dialect, long_strings }
    }
}

impl Document<'static> {
    /// Reads the text form. The parts have to be those that a reader would find in their bytes: a version that does not
    /// match them is an error.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let format: &dyn Format = &FORMAT;
        let bytes = format.read_json(text)?.to_bytes()?;
        Document::parse(&bytes).map(Document::into_owned)
    }
}
