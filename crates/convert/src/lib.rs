//! Documents to [`scene`]s: one module for each format. What a file means is decided here, and nowhere else.

pub mod mdx;
mod report;
pub mod w3d;

pub use report::{Note, NoteKind, Report};
