//! Scenes to documents.

mod arm;
mod mdx;
mod w3d;
