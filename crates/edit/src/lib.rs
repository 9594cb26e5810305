//! Changes to W3D and MDX models that leave everything else as it is.
//!
//! Every change is a function on the root of a document of either family. It changes only the bytes it must; sizes and counts above
//! them are updated. It returns the number of changed places; zero is not an error. If it fails, the document may be
//! partly changed and should be discarded.
//!
//! ```
//! let bytes = w3d::sample::crate_box();
//! let mut file = w3d::W3d::parse(&bytes)?;
//! assert_eq!(meshwright_edit::rename(&mut file.root, meshwright_edit::Named::Mesh, "lid", "COVER").unwrap(), 2);
//! assert_eq!(file.to_bytes()?.len(), bytes.len());
//! meshwright_edit::rename(&mut file.root, meshwright_edit::Named::Mesh, "COVER", "LID").unwrap();
//! assert_eq!(file.to_bytes()?, bytes);
//! # Ok::<(), record::Error>(())
//! ```
//!
//! # Strings
//!
//! A string at the end of its part is replaced up to its NUL; the bytes after the NUL are kept. In a field of fixed length the
//! new text overwrites the old one. The rest of a longer old text becomes zero. Bytes after the old text stay unless the new text and its
//! NUL reach them. Changing back therefore restores the original bytes, unless a longer text has overwritten such bytes.

mod add;
mod attach;
mod blend;
mod clip;
mod error;
mod keys;
mod materials;
mod merge;
mod optimise;
mod places;
mod recolour;
mod recompute;
mod references;
mod remove;
mod rename;
mod report;
mod retexture;
mod scenes;
mod select;
mod set;
mod skeletons;
mod space;
mod split;
mod strip;
mod text;
mod transform;
mod vertices;

pub use add::{Addition, ClipAddition, add, add_clip};
pub use attach::{Attachment, Motion, attach};
pub use blend::{Blend, Blending, blend};
pub use clip::{ClipChange, change_clip};
pub use error::Error;
pub use merge::{merge_meshes, merge_model};
pub use optimise::{Optimise, Optimised, optimise};
pub use recolour::{Colour, ColourChange, recolour};
pub use recompute::{Derived, Recompute, Smoothing, recompute};
pub use remove::{Children, Removal, keep, remove};
pub use rename::{Named, names, rename};
pub use report::Report;
pub use retexture::{Replacement, retexture, textures};
pub use select::{Part, PartKind, Selector, parts, select};
pub use set::{Assignment, CONVERT_INSTEAD, set};
pub use split::{SplitBy, split};
pub use strip::{Unwanted, strip};
pub use transform::{Axis, Mirror, Skeletons, Transform, mirror, skeletons, transform};

use model::Family;
use record::Node;

/// The family of a document, which determines the edits.
fn family_of(root: &Node<'_>) -> Result<Family, Error> {
    Family::of(root).ok_or_else(|| Error::new(format!("{} is not the root of a model", root.name())))
}

/// Calls `see` for every leaf, in file order.
fn each_leaf<'a>(
    node: &mut Node<'a>,
    see: &mut dyn FnMut(&mut Node<'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    match node.children_mut() {
        Some(children) => children.iter_mut().try_for_each(|child| each_leaf(child, see)),
        None => see(node),
    }
}

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
