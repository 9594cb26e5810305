//! A model of either family, and the games that read it.
//!
//! [`Document`] is a W3D or an MDX file. [`Game`] names the games; [`guess`] finds the game that a document was made for.
//!
//! ```
//! use meshwright_model::{Document, Family};
//! let bytes = w3d::sample::crate_box();
//! let document = Document::parse(&bytes)?;
//! assert_eq!(document.family(), Family::W3d);
//! assert_eq!(document.to_bytes()?, bytes);
//! # Ok::<(), record::Error>(())
//! ```

mod document;
mod game;

pub use document::{Document, Family};
pub use game::{Game, Games, Guess, guess};
