//! Scenes of documents, for edits that need poses.

use record::Node;
use scene::Scene;

use crate::Error;

/// The scene of an MDX model.
pub(crate) fn of_mdx(root: &Node<'_>) -> Result<Scene, Error> {
    Ok(of_mdx_with_ids(root)?.0)
}

/// The scene of an MDX model, and the object id of each of its nodes.
pub(crate) fn of_mdx_with_ids(root: &Node<'_>) -> Result<(Scene, Vec<i32>), Error> {
    let bytes = root.to_bytes().map_err(|error| Error::new(error.to_string()))?;
    let document = mdx::Document::parse(&bytes).map_err(|error| Error::new(error.to_string()))?;
    let ids = document.view().nodes().map(|object| object.id()).collect();
    Ok((convert::mdx::to_scene(&document, &convert::mdx::Options::default()).0, ids))
}

/// The scene of a W3D file without the files that it refers to.
pub(crate) fn of_w3d(root: &Node<'_>) -> Result<Scene, Error> {
    let bytes = root.to_bytes().map_err(|error| Error::new(error.to_string()))?;
    let file = w3d::W3d::parse(&bytes).map_err(|error| Error::new(error.to_string()))?;
    let library = convert::w3d::Library::new(&file);
    Ok(convert::w3d::to_scene(&library, None, &convert::w3d::Options::default()).0)
}
