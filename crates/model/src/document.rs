//! A parsed file of any family.

use record::diff::Change;
#[cfg(feature = "w3d")]
use record::diff::diff;
#[cfg(feature = "mdx")]
use record::diff::{Numbered, diff_numbered};
use record::{Diagnostic, Error, Node};

/// A family of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Westwood's and EA's W3D.
    W3d,
    /// EA's W3X, the successor of W3D.
    W3x,
    /// Blizzard's MDX and MDL.
    Mdx,
}

impl Family {
    /// The family of a document's root; `None` if the node is not the root of a document.
    pub fn of(root: &Node<'_>) -> Option<Self> {
        match () {
            #[cfg(feature = "w3d")]
            () if root.is(&w3d::table::FILE) => Some(Self::W3d),
            #[cfg(feature = "w3d")]
            () if root.is(&w3x::kinds::FILE) => Some(Self::W3x),
            #[cfg(feature = "mdx")]
            () if root.is(&mdx::kinds::MDLX) => Some(Self::Mdx),
            () => None,
        }
    }

    /// The family of this name, in any case: what the `source.format` of our glTF files means.
    ///
    /// ```
    /// use meshwright_model::Family;
    /// assert_eq!(Family::named("MDX"), Some(Family::Mdx));
    /// assert_eq!(Family::named("w3d"), Some(Family::W3d));
    /// assert_eq!(Family::named("glTF"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        [Self::W3d, Self::W3x, Self::Mdx].into_iter().find(|family| family.name().eq_ignore_ascii_case(name))
    }

    /// The usual name of the family.
    pub const fn name(self) -> &'static str {
        match self {
            Self::W3d => "W3D",
            Self::W3x => "W3X",
            Self::Mdx => "MDX",
        }
    }
}

/// A parsed file. [`Format::read`](crate::Format::read) reads one in any of our formats.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Document<'a> {
    /// Westwood's format.
    #[cfg(feature = "w3d")]
    W3d(w3d::W3d<'a>),
    /// EA's format after it.
    #[cfg(feature = "w3d")]
    W3x(w3x::W3x<'a>),
    /// Blizzard's format.
    #[cfg(feature = "mdx")]
    Mdx(mdx::Document<'a>),
}

/// Evaluates the same expression for a document of any family.
macro_rules! either {
    ($document:expr, $file:ident => $value:expr) => {
        match $document {
            #[cfg(feature = "w3d")]
            Self::W3d($file) => $value,
            #[cfg(feature = "w3d")]
            Self::W3x($file) => $value,
            #[cfg(feature = "mdx")]
            Self::Mdx($file) => $value,
        }
    };
}

impl<'a> Document<'a> {
    /// Reads a file, MDX if it starts with `MDLX`, W3X if it is XML with an `AssetDeclaration`, and W3D otherwise.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        #[cfg(feature = "mdx")]
        if bytes.starts_with(&mdx::MAGIC) {
            return mdx::Document::parse(bytes).map(Self::Mdx);
        }
        #[cfg(feature = "w3d")]
        if w3x::W3x::is_like(bytes) {
            return w3x::W3x::parse(bytes).map(Self::W3x);
        }
        #[cfg(feature = "w3d")]
        return w3d::W3d::parse(bytes).map(Self::W3d);
        #[cfg(not(feature = "w3d"))]
        mdx::Document::parse(bytes).map(Self::Mdx)
    }

    /// The bytes of a file: W3D, W3X or MDX.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        either!(self, file => file.to_bytes())
    }

    /// The lossless text form.
    pub fn to_json(&self) -> String {
        either!(self, file => file.to_json())
    }

    /// Copies all borrowed bytes.
    pub fn into_owned(self) -> Document<'static> {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(file) => Document::W3d(file.into_owned()),
            #[cfg(feature = "w3d")]
            Self::W3x(file) => Document::W3x(file.into_owned()),
            #[cfg(feature = "mdx")]
            Self::Mdx(file) => Document::Mdx(file.into_owned()),
        }
    }

    /// The family of formats that it belongs to.
    pub const fn family(&self) -> Family {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(_) => Family::W3d,
            #[cfg(feature = "w3d")]
            Self::W3x(_) => Family::W3x,
            #[cfg(feature = "mdx")]
            Self::Mdx(_) => Family::Mdx,
        }
    }

    /// The tree.
    pub const fn root(&self) -> &Node<'a> {
        either!(self, file => &file.root)
    }

    /// The tree, to change it.
    pub const fn root_mut(&mut self) -> &mut Node<'a> {
        either!(self, file => &mut file.root)
    }

    /// Everything that is damaged, unknown or unusual in the file's structure.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        either!(self, file => file.diagnostics())
    }

    /// Whether the document can be written as MDL: Warcraft III's MDX can, the WoW alpha's cannot.
    pub fn has_mdl(&self) -> bool {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(_) | Self::W3x(_) => false,
            #[cfg(feature = "mdx")]
            Self::Mdx(file) => file.dialect == mdx::Dialect::Warcraft,
        }
    }

    /// Every difference from this document to another; floats at most `epsilon` apart count as equal. `None` if the
    /// documents are of different families.
    pub fn diff(&self, after: &Document<'_>, epsilon: f64) -> Option<Vec<Change>> {
        match (self, after) {
            #[cfg(feature = "w3d")]
            (Self::W3d(before), Document::W3d(after)) => Some(diff(&before.root, &after.root, epsilon)),
            #[cfg(feature = "w3d")]
            (Self::W3x(before), Document::W3x(after)) => Some(diff(&before.root, &after.root, epsilon)),
            #[cfg(feature = "mdx")]
            (Self::Mdx(before), Document::Mdx(after)) => {
                let objects = Numbered {
                    before: node_names(before),
                    after: node_names(after),
                    elements: &["PIVT"],
                    references: &["object_id", "parent_id", "MATS"],
                };
                Some(diff_numbered(&before.root, &after.root, epsilon, &objects))
            }
            #[cfg(feature = "w3d")]
            _ => None,
        }
    }
}

/// The name of each pivot: that of the node with its number. Duplicate names get a count.
#[cfg(feature = "mdx")]
fn node_names(file: &mdx::Document<'_>) -> Vec<String> {
    let model = file.view();
    let mut names: Vec<String> = (0..model.pivots().len()).map(|index| format!("pivot {index}")).collect();
    let mut seen: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for node in model.nodes() {
        let name = node.name().into_owned();
        let earlier = seen.entry(name.clone()).or_default();
        *earlier += 1;
        if let Some(slot) = usize::try_from(node.id()).ok().and_then(|id| names.get_mut(id)) {
            *slot = if *earlier == 1 { name } else { format!("{name} ({earlier})") };
        }
    }
    names
}

#[cfg(feature = "w3d")]
impl<'a> From<w3d::W3d<'a>> for Document<'a> {
    fn from(file: w3d::W3d<'a>) -> Self {
        Self::W3d(file)
    }
}

#[cfg(feature = "w3d")]
impl<'a> From<w3x::W3x<'a>> for Document<'a> {
    fn from(file: w3x::W3x<'a>) -> Self {
        Self::W3x(file)
    }
}

#[cfg(feature = "mdx")]
impl<'a> From<mdx::Document<'a>> for Document<'a> {
    fn from(file: mdx::Document<'a>) -> Self {
        Self::Mdx(file)
    }
}
