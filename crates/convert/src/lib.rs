//! From documents to scenes and back. What a file means is decided here, and nowhere else.

pub mod mdx;
mod report;

pub use report::{Note, NoteKind, Report};
