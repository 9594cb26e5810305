//! Scenes to documents.

mod mdx;
