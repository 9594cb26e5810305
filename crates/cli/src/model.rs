//! A model that has been read, of whatever format, as far as the verbs need to know it.

use mdx::{Dialect, Document};
use record::{Diagnostic, Error, Node};
use w3d::W3d;

use crate::summary::{self, Summary};

/// A model. Formats that say the same in other words share a variant.
pub(crate) enum Model<'a> {
    W3d(W3d<'a>),
    /// With what the reader of its text forgave.
    Mdx(Document<'a>, Vec<Diagnostic>),
}

impl<'a> Model<'a> {
    /// One whose reader had nothing to forgive.
    pub(crate) const fn mdx(document: Document<'a>) -> Self {
        Self::Mdx(document, Vec::new())
    }

    /// Its tree.
    pub(crate) fn root(&self) -> &Node<'a> {
        match self {
            Self::W3d(file) => &file.root,
            Self::Mdx(document, _) => &document.root,
        }
    }

    /// The name of its family of formats.
    pub(crate) const fn family(&self) -> &'static str {
        match self {
            Self::W3d(_) => "W3D",
            Self::Mdx(..) => "MDX",
        }
    }

    /// Whether it can be said in MDL.
    pub(crate) fn has_mdl(&self) -> bool {
        matches!(self, Self::Mdx(document, _) if document.dialect == Dialect::Warcraft)
    }

    /// Its tree, to change it.
    pub(crate) const fn root_mut(&mut self) -> &mut Node<'a> {
        match self {
            Self::W3d(file) => &mut file.root,
            Self::Mdx(file, _) => &mut file.root,
        }
    }

    /// Its bytes in the binary form.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        match self {
            Self::W3d(file) => file.to_bytes(),
            Self::Mdx(document, _) => document.to_bytes(),
        }
    }

    /// Its text form.
    pub(crate) fn to_json(&self) -> String {
        match self {
            Self::W3d(file) => file.to_json(),
            Self::Mdx(document, _) => document.to_json(),
        }
    }

    /// What is not as it should be.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::W3d(file) => file.diagnostics(),
            Self::Mdx(document, forgiven) => forgiven.iter().cloned().chain(document.diagnostics()).collect(),
        }
    }

    /// What it holds.
    pub(crate) fn summary(&self) -> Summary {
        match self {
            Self::W3d(file) => summary::w3d::summary(file),
            Self::Mdx(document, _) => summary::mdx::summary(document),
        }
    }

    /// The box around its meshes as they rest: least and greatest corner, in the axes of glTF. Only what is in this file is
    /// known, so that skins without their skeleton lie where their vertices say.
    pub(crate) fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let (scene, _) = match self {
            Self::W3d(file) => {
                let options = convert::w3d::Options { animations: false, ..Default::default() };
                convert::w3d::to_scene(&convert::w3d::Library::new(file), None, &options)
            }
            Self::Mdx(document, _) => {
                convert::mdx::to_scene(document, &convert::mdx::Options { animations: false })
            }
        };
        let worlds = scene.rest_worlds();
        let points = scene.meshes.iter().filter(|mesh| !mesh.hidden).flat_map(|mesh| {
            let node = mesh.node.filter(|_| mesh.skin.is_none());
            let world = node.and_then(|node| worlds.get(node.index()));
            mesh.positions
                .iter()
                .map(move |point| world.map_or(*point, |world| world.transform_point3(*point)))
        });
        let bounds = scene::Bounds::around(points.filter(|point| point.is_finite()))?;
        Some([bounds.min.to_array(), bounds.max.to_array()])
    }
}
