//! W3X, the XML model format of EA's SAGE engine after BFME II: Tiberium Wars, Kane's Wrath, Red Alert 3 and later.
//!
//! * [`W3x`] reads any `AssetDeclaration` as a tree of [`record::Node`]s, and writes the same bytes again. Long lists, such as those of vertices
//!   and frames, are one leaf each, whose items are decoded when they are needed.
//! * [`view`] gives the tree types: [`W3x::meshes`], [`view::Mesh::positions`].
//! * [`edit`] changes an element and copies the style of its neighbours: indentation, quotes, line ends.
//! * [`build`] makes elements, [`kinds`] has the tables of elements and attributes.
//!
//! ```
//! use meshwright_w3x::{W3x, sample};
//! let text = sample::tank();
//! let file = W3x::parse(&text)?;
//! let mesh = file.meshes().next().unwrap();
//! assert_eq!(mesh.id(), "MWTANK_SKN.HULL");
//! assert_eq!(mesh.positions(0).len(), 8);
//! assert_eq!(file.to_bytes()?, text);
//! # Ok::<(), record::Error>(())
//! ```

pub mod build;
mod diagnose;
pub mod edit;
mod file;
pub mod kinds;
mod parse;
pub mod sample;
mod scan;
pub mod value;
pub mod view;

pub use file::{FORMAT, W3x};
pub use parse::{MAX_DEPTH, MAX_NODES};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
