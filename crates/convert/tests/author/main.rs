//! Scenes to documents.

mod mdx;
mod w3d;
