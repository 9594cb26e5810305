//! Removes unused or unknown data.

pub(crate) mod mdx;
pub(crate) mod w3d;

use record::{Kind, Node};

use crate::{Error, Family, family_of};

/// The data to remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwanted {
    /// Chunks, micro-chunks and tracks of unknown id. Trailing bytes stay.
    Unknown,
    /// Comments and texts of tools: the user text of W3D meshes and emitters; `INFO` and `MDVI` of MDX.
    UserText,
    /// Vertex and shader materials that no pass of a W3D mesh uses; MDX materials that no geoset or ribbon uses.
    UnusedMaterials,
    /// Textures that no stage of a W3D mesh uses; MDX textures that no layer or emitter uses.
    UnusedTextures,
    /// Helpers and bones of MDX that have no children, move no vertex and are not targets of facial animation, repeatedly. If vertices
    /// refer to bones by number (`SKIN`), bones stay, and helpers numbered before a bone.
    UnusedNodes,
}

/// Removes parts, renumbers references and updates counts. Returns the number of removed parts.
pub fn strip(root: &mut Node<'_>, what: Unwanted) -> Result<usize, Error> {
    let family = family_of(root)?;
    Ok(match (what, family) {
        (Unwanted::Unknown, _) => remove(
            root,
            &[
                &::w3d::table::UNKNOWN,
                &::w3d::table::UNKNOWN_MICRO,
                &::mdx::kinds::UNKNOWN_CHUNK,
                &::mdx::kinds::UNKNOWN_TRACK,
            ],
        ),
        (Unwanted::UserText, _) => remove(
            root,
            &[
                &::w3d::table::MESH_USER_TEXT,
                &::w3d::table::SHDMESH_USER_TEXT,
                &::w3d::table::EMITTER_USER_DATA,
                &::mdx::kinds::INFO,
                &::mdx::kinds::MDVI,
            ],
        ),
        (Unwanted::UnusedMaterials, Family::W3d) => w3d::materials(root),
        (Unwanted::UnusedTextures, Family::W3d) => w3d::textures(root),
        (Unwanted::UnusedMaterials, Family::Mdx) => mdx::materials(root),
        (Unwanted::UnusedTextures, Family::Mdx) => mdx::textures(root),
        (Unwanted::UnusedNodes, Family::Mdx) => mdx::nodes(root)?,
        // Other files refer to bones of W3D models by number, so all of them may be used.
        (Unwanted::UnusedNodes, Family::W3d) => 0,
        _ => 0,
    })
}

/// Removes every node of some kinds.
fn remove(node: &mut Node<'_>, kinds: &[&'static Kind]) -> usize {
    let Some(children) = node.children_mut() else { return 0 };
    let before = children.len();
    children.retain(|child| !kinds.iter().any(|kind| child.is(kind)));
    let here = before - children.len();
    here + children.iter_mut().map(|child| remove(child, kinds)).sum::<usize>()
}

/// Marks referenced parts.
fn mark(used: &mut [bool], number: u32) {
    if let Some(used) = usize::try_from(number).ok().and_then(|number| used.get_mut(number)) {
        *used = true;
    }
}
