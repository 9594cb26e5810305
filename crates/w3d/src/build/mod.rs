//! Making chunks, meshes and models.
//!
//! [`ModelBuilder`] and [`MeshBuilder`] make complete files from positions, triangles and names, and compute all
//! dependent data. The function [`build`](record::build) makes any single chunk; the compiler checks the type of its
//! content. Sizes and the container bit are computed when the file is written.
//!
//! ```
//! use meshwright_w3d::{build, table};
//! let texture = build(table::TEXTURE, vec![build(table::TEXTURE_NAME, "barrel.tga")]);
//! assert_eq!(texture.to_bytes().unwrap()[..8], [0x31, 0, 0, 0, 19, 0, 0, 0x80]);
//! ```
//!
//! The other functions here do the same for a chunk that is not known when the program is compiled.

mod aab_tree;
mod geometry;
mod mesh;
mod model;

use record::zerocopy::IntoBytes;
use record::{Error, Kind, Node, Pod, encode};

use crate::Chunk;

pub use aab_tree::AabTree;
pub use geometry::{Bounds, bounds, plane, shade_indices, vertex_normals};
pub use mesh::MeshBuilder;
pub use model::ModelBuilder;

/// The error for inconsistent input of a builder.
fn error(message: String) -> Error {
    Error::new("W3D-BUILD", 0..0, message)
}

/// A chunk of chunks or micro-chunks.
pub fn branch<'a>(chunk: &'static Chunk, children: impl IntoIterator<Item = Node<'a>>) -> Node<'a> {
    Node::branch(&chunk.kind, chunk.id, children.into_iter().collect())
}

/// A chunk of one record.
pub fn record<T: Pod>(chunk: &'static Chunk, record: &T) -> Node<'static> {
    bytes(chunk, record.as_bytes())
}

/// A chunk of equal elements.
pub fn array<T: Pod>(chunk: &'static Chunk, elements: &[T]) -> Node<'static> {
    bytes(chunk, elements.as_bytes())
}

/// A chunk of a string; `None` if the text has characters outside Windows-1252.
pub fn text(chunk: &'static Chunk, text: &str) -> Option<Node<'static>> {
    let mut body = encode(text)?.into_owned();
    body.push(0);
    Some(bytes(chunk, body))
}

/// A chunk of given bytes.
pub fn bytes(chunk: &'static Chunk, body: impl Into<Vec<u8>>) -> Node<'static> {
    Node::leaf(&chunk.kind, chunk.id, body.into())
}

/// The record before the children of a chunk that has one.
pub fn prefix<T: Pod>(kind: &'static Kind, record: &T) -> Node<'static> {
    Node::leaf(kind, 0, record.as_bytes().to_vec())
}
