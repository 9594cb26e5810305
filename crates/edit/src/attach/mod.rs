//! Moves parts to other parents.

mod mdx;
mod w3d;

use record::Node;

use crate::report::Report;
use crate::select::Selector;
use crate::{Error, Family, family_of};

/// What becomes of the keys of an attached part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// They stay as they are, so the part does the same on its new parent.
    #[default]
    Own,
    /// They are converted, so the part moves in the model as before, in all clips of the file.
    Kept,
    /// They are removed, so the part is rigid on its new parent.
    Rigid,
}

/// A part and its new parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The part: a bone or node, a mesh, or in W3D another object of a model.
    pub part: Selector,
    /// The new parent; `None` is the root of the model.
    pub to: Option<Selector>,
    /// What becomes of its keys.
    pub motion: Motion,
}

/// Moves a part to another parent. In the rest pose it stays where it is, and so do the parts below it, which come along.
///
/// | part | W3D | MDX |
/// |---|---|---|
/// | bone, node | the pivot. It keeps its number if its new parent comes before it; otherwise it and the pivots below it move behind the parent, because engines need parents first | the node; ids never change |
/// | mesh, box, emitter | its pivot, if that has its name and nothing else on it; otherwise a new pivot at the end | the geoset is bound to the bone as a whole |
///
/// Clips of the skeleton in other files are not converted; a note says so. With [`Motion::Kept`], MDX tracks are sampled and written as
/// linear keys. Refused: a parent below the part itself, skins of W3D, and with [`Motion::Kept`] nodes that ignore parts of the transform of
/// their parent, or that move with a global sequence.
///
/// ```
/// use meshwright_edit::{Attachment, Motion, attach};
/// let bytes = w3d::sample::tank();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let attachment =
///     Attachment { part: "bone:EXHAUST".parse().unwrap(), to: Some("bone:TURRET".parse().unwrap()), motion: Motion::Own };
/// assert_eq!(attach(&mut file.root, &attachment).unwrap().changed, 1);
/// # Ok::<(), record::Error>(())
/// ```
pub fn attach(root: &mut Node<'_>, attachment: &Attachment) -> Result<Report, Error> {
    let mut report = match family_of(root)? {
        Family::W3d => w3d::attach(root, attachment)?,
        Family::Mdx => mdx::attach(root, attachment)?,
        _ => return Err(Error::new("parts of this family of formats cannot be attached")),
    };
    if report.changed > 0 {
        report.settle(root);
    }
    Ok(report)
}

fn refuse_cycle(part: &str, to: &str) -> Error {
    Error::new(format!("{to} is {part} itself or below it, so it cannot be its parent"))
}
