//! Scenes to documents.

mod across;
mod arm;
mod mdx;
mod w3d;
