//! Removes parts of models, or everything of a kind but some parts.

pub(crate) mod mdx;
mod w3d;

use std::collections::HashSet;

use record::Node;

use crate::report::Report;
use crate::select::{Part, PartKind, Selector, require, select};
use crate::strip::{Unwanted, strip};
use crate::{Error, Family, family_of};

/// What becomes of the children of a removed bone or node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// They get the parent of the removed one and stay in place.
    #[default]
    MoveUp,
    /// They are removed with it.
    Remove,
}

/// The parts to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// The parts. Those that a model does not have are ignored.
    pub parts: Vec<Selector>,
    /// Also remove everything that nothing refers to: materials, textures, texture animations, global sequences, and bones and helpers of
    /// MDX. Bones of W3D, attachments, cameras, events and collision shapes are never unused: games find them by name.
    pub unused: bool,
    /// What becomes of the children of removed bones and nodes.
    pub children: Children,
}

/// Removes parts and all references to them; numbers of the others follow. Returns the number of removed parts.
///
/// | part | W3D | MDX |
/// |---|---|---|
/// | mesh | its chunk, and its entries in models, collections and aggregates; its bone stays | the geoset, its geoset animation |
/// | clip | its chunk | the sequence, its keys and event times, the extents of geosets; an event object without any time left |
/// | bone | the pivot; refused while an object or a vertex is on it | bone or helper; its vertices go to the nearest bone above |
/// | light, emitter, collision, attachment, ribbon, event, camera | the chunk and its references | the object |
/// | lod | the level, and meshes that no other level shows | the geosets of the level |
/// | material, texture | refused while it is used | refused while it is used |
///
/// ```
/// use meshwright_edit::{Removal, remove};
/// let bytes = w3d::sample::crate_box();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let removal = Removal { parts: vec!["mesh:LID".parse().unwrap()], ..Removal::default() };
/// assert_eq!(remove(&mut file.root, &removal).unwrap().changed, 1);
/// assert_eq!(file.meshes().count(), 1);
/// # Ok::<(), record::Error>(())
/// ```
pub fn remove(root: &mut Node<'_>, removal: &Removal) -> Result<Report, Error> {
    let mut chosen = Vec::new();
    for selector in &removal.parts {
        chosen.extend(select(root, selector)?);
    }
    let mut report = take(root, chosen, removal.children)?;
    if removal.unused {
        report.add(unused(root)?);
    }
    Ok(report)
}

/// Removes all parts of the kinds that are named, except the chosen ones. Fails if the model has none of the chosen parts, because it would
/// lose all of them.
pub fn keep(root: &mut Node<'_>, kept: &[Selector], children: Children) -> Result<Report, Error> {
    let mut stays: HashSet<(PartKind, usize)> = HashSet::new();
    let mut kinds: Vec<PartKind> = Vec::new();
    for selector in kept {
        let found = require(root, selector)?;
        kinds.extend(selector.kind().into_iter().chain(found.iter().map(|part| part.kind)));
        stays.extend(found.iter().map(|part| (part.kind, part.index)));
    }
    kinds.sort_unstable();
    kinds.dedup();
    let mut chosen: Vec<Part> = Vec::new();
    for kind in kinds {
        let all = select(root, &Selector::All(kind))?;
        chosen.extend(all.into_iter().filter(|part| !stays.contains(&(part.kind, part.index))));
    }
    take(root, chosen, children)
}

fn take(root: &mut Node<'_>, mut chosen: Vec<Part>, children: Children) -> Result<Report, Error> {
    chosen.sort_by_key(|part| (part.kind, part.index));
    chosen.dedup();
    if chosen.is_empty() {
        return Ok(Report::default());
    }
    let mut report = match family_of(root)? {
        Family::W3d => w3d::remove(root, &chosen, children)?,
        Family::Mdx => mdx::remove(root, &chosen, children)?,
        _ => Report::default(),
    };
    report.settle(root);
    Ok(report)
}

/// Removes everything that nothing refers to.
pub(crate) fn unused(root: &mut Node<'_>) -> Result<Report, Error> {
    let mut changed = strip(root, Unwanted::UnusedNodes)?;
    changed += strip(root, Unwanted::UnusedMaterials)?;
    changed += strip(root, Unwanted::UnusedTextures)?;
    if family_of(root)? == Family::Mdx {
        changed += mdx::unused(root);
    }
    Ok(Report::of(changed))
}

/// The parts of a kind.
fn of_kind(parts: &[Part], kind: PartKind) -> impl Iterator<Item = &Part> {
    parts.iter().filter(move |part| part.kind == kind)
}
