//! Changes to W3D and MDX models that leave everything else as it is.
//!
//! Every change is a function on the root of a document, of either family: it changes the bytes that it must, and sizes and
//! counts above them follow. It gives back how many places it changed; none is no error. If it fails, the document may be
//! changed in part and should be dropped.
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
//! A string that ends its part is replaced up to its NUL, and what stands from there on is kept. In a field of fixed length the
//! new text is written over the old one; what a shorter text leaves over becomes zero, and bytes behind the old text stay as
//! they are unless the new text, with its NUL, reaches them. Changing back therefore gives the original bytes unless a longer
//! text has grown over junk behind the old one.

mod error;
mod places;
mod rename;
mod retexture;
mod set;
mod strip;
mod text;
mod transform;

pub use error::Error;
pub use rename::{Named, names, rename};
pub use retexture::{Replacement, retexture, textures};
pub use set::{Assignment, set};
pub use strip::{Unwanted, strip};
pub use transform::{Axis, Skeletons, Transform, skeletons, transform};

use model::Family;
use record::Node;

/// The family of a document, which an edit needs to know before it changes anything.
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
