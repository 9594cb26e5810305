//! Scenes to documents.

mod across;
mod arm;
mod mdx;
mod mirrors;
mod trips;
mod w3d;
