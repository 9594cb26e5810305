//! A file of either family.

use record::{Error, Node};

/// A family of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Westwood's and EA's W3D.
    W3d,
    /// Blizzard's MDX and MDL.
    Mdx,
}

impl Family {
    /// The family of a document's root; `None` if the node is not the root of a document.
    pub fn of(root: &Node<'_>) -> Option<Self> {
        if root.is(&w3d::table::FILE) {
            Some(Self::W3d)
        } else if root.is(&mdx::kinds::MDLX) {
            Some(Self::Mdx)
        } else {
            None
        }
    }

    /// The name that people use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::W3d => "W3D",
            Self::Mdx => "MDX",
        }
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub enum Document<'a> {
    /// Westwood's format.
    W3d(w3d::W3d<'a>),
    /// Blizzard's format.
    Mdx(mdx::Document<'a>),
}

impl<'a> Document<'a> {
    /// Reads a file of either family, told apart by its first bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.starts_with(&mdx::MAGIC) {
            return mdx::Document::parse(bytes).map(Self::Mdx);
        }
        w3d::W3d::parse(bytes).map(Self::W3d)
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        match self {
            Self::W3d(file) => file.to_bytes(),
            Self::Mdx(file) => file.to_bytes(),
        }
    }

    /// The same document, borrowing nothing.
    pub fn into_owned(self) -> Document<'static> {
        match self {
            Self::W3d(file) => Document::W3d(file.into_owned()),
            Self::Mdx(file) => Document::Mdx(file.into_owned()),
        }
    }

    /// The family of formats that it belongs to.
    pub const fn family(&self) -> Family {
        match self {
            Self::W3d(_) => Family::W3d,
            Self::Mdx(_) => Family::Mdx,
        }
    }

    /// The tree.
    pub const fn root(&self) -> &Node<'a> {
        match self {
            Self::W3d(file) => &file.root,
            Self::Mdx(file) => &file.root,
        }
    }

    /// The tree, to change it.
    pub const fn root_mut(&mut self) -> &mut Node<'a> {
        match self {
            Self::W3d(file) => &mut file.root,
            Self::Mdx(file) => &mut file.root,
        }
    }
}
