//! Between files and the [`scene`]: one module for each format. What a file means is decided here, and nowhere else.

mod finite;
pub mod gltf;
mod indices;
pub mod mdx;
mod report;
mod unit;
pub mod w3d;

pub use report::{Note, NoteKind, Report};
