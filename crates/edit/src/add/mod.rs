//! Adds parts and clips of another model.

mod clip;
pub(crate) mod mdx;
mod moments;
mod w3d;

use record::Node;

use crate::report::Report;
use crate::select::Selector;
use crate::{Error, Family, family_of};

pub use clip::{ClipAddition, add_clip};

/// A part of another model, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The part of the other model.
    pub part: Selector,
    /// The bone or node that it is attached to. Without it, bones of the same names are used.
    pub to: Option<Selector>,
    /// The clip of the model whose visibility holds where the other model has no clip of the same name; without it `Stand`, or the first.
    pub like: Option<String>,
    /// Where it is: as far from its new parent as from its old one, or at the same position in the model.
    pub keep_position: bool,
}

/// Adds a part of another model of the same format with everything that it needs. Returns the number of added parts.
///
/// **MDX**: a geoset comes with its material, textures, texture animations and geoset animation. If it is attached to a node, its bones come
/// too; otherwise its bones are those of the same names, and missing ones come with it. Other objects come with their tracks. Keys are
/// those of the clips of the same names, fitted to their lengths. In clips that the other model does not have, values are those of its clip
/// `like`, so that nothing appears by accident. Both models must have the same version.
///
/// **W3D**: a mesh or another object becomes an object of the finest level on a new bone at the end of the skeleton, or on the bone of the
/// same name. A skin is bound to the bones of the same names. A bone can be added alone.
pub fn add(root: &mut Node<'_>, from: &Node<'_>, addition: &Addition) -> Result<Report, Error> {
    let (family, other) = (family_of(root)?, family_of(from)?);
    if family != other {
        return Err(Error::new("the other model is of another format").with_note("convert it first"));
    }
    let mut report = match family {
        Family::W3d => w3d::add(root, from, addition)?,
        Family::Mdx => mdx::add(root, from, addition)?,
        _ => Report::default(),
    };
    report.settle(root);
    Ok(report)
}

/// A list of names for a note, cut after some.
fn names(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> =
        names.iter().take(SHOWN).map(|name| format!("{:?}", record::printable(name))).collect();
    let more = names.len().saturating_sub(SHOWN);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{tail}", shown.join(", "))
}
