//! A model of either family: read in any of our formats, summarised, and matched to a game.
//!
//! * [`Format`] is a row of the table of file formats: it recognises, reads and writes files.
//! * [`Content`] names files that are not models: textures, archives, Git LFS pointers.
//! * [`Document`] is a parsed W3D or MDX file.
//! * [`Summary`] lists what a document contains: meshes, skeletons, clips, textures, references to other files.
//! * [`Game`] names the games. [`guess`] finds the game that a document is for, [`Evidence`] does so for a whole folder.
//!
//! ```
//! use meshwright_model::{Family, Format, Summary};
//! let bytes = w3d::sample::crate_box();
//! let parsed = Format::detect(&bytes, Some("mwcrate.w3d"))?.read(&bytes)?;
//! assert_eq!(parsed.document.family(), Family::W3d);
//! assert_eq!(Summary::of(&parsed.document).meshes.len(), 2);
//! assert_eq!(parsed.document.to_bytes()?, bytes);
//! # Ok::<(), record::Error>(())
//! ```
//!
//! The features `w3d` and `mdx`, both on by default, choose the families. At least one is needed.

#[cfg(not(any(feature = "w3d", feature = "mdx")))]
compile_error!("meshwright-model needs the feature `w3d`, the feature `mdx`, or both");

mod changes;
mod consistency;
mod content;
mod document;
mod format;
mod game;
mod guess;
mod summary;

pub use changes::{ObjectChange, is_trivial, object_changes, short_number};
pub use content::Content;
pub use document::{Document, Family};
pub use format::{FORMATS, Format, Keeps, Parsed, WrittenFrom};
pub use game::{Game, Games};
pub use guess::{Evidence, Guess, guess};
pub use summary::{Clip, Mesh, Need, NeedKind, Skeleton, Summary};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
