//! W3D, W3X and MDX documents to [`scene`]s: one module for each format. What a file means is decided here, and nowhere else.
//!
//! ```
//! use meshwright_convert::w3d::{Library, Options, to_scene};
//! let bytes = w3d::sample::crate_box();
//! let file = w3d::W3d::parse(&bytes)?;
//! // Skeletons, animations and models of other files go into the library, too.
//! let (scene, report) = to_scene(&Library::new(&file), None, &Options::default());
//! assert_eq!((scene.meshes.len(), scene.clips.len()), (2, 1));
//! assert!(report.notes.is_empty());
//! # Ok::<(), record::Error>(())
//! ```

pub mod apply;
pub mod author;
pub mod mdx;
mod object_kind;
mod report;
pub mod w3d;
pub mod w3x;

pub use report::{Cause, Note, NoteKind, Report};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
