//! A file of either family.

use record::{Error, Node};

use crate::Profiles;

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

    /// The games that have such files.
    pub const fn family(&self) -> Profiles {
        match self {
            Self::W3d(_) => Profiles::W3D,
            Self::Mdx(_) => Profiles::MDX,
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
