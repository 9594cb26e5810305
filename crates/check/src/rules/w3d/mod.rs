//! Rules about W3D files. The sections that sources name are those of the notes on the format.

pub(crate) mod aabtree;
pub(crate) mod across;
pub(crate) mod animation;
pub(crate) mod channels;
pub(crate) mod emitter;
pub(crate) mod framing;
pub(crate) mod game;
pub(crate) mod hierarchy;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod model;
pub(crate) mod names;
pub(crate) mod planes;
pub(crate) mod skin;

use record::{Node, Pod};
use w3d::Chunk;

/// The record in the first child of a kind.
pub(crate) fn child_value<'n, T: Pod>(node: &'n Node<'n>, chunk: &'static Chunk) -> Option<&'n T> {
    node.child(chunk)?.value()
}

/// The values in the first child of a kind.
pub(crate) fn child_values<'n, T: Pod>(node: &'n Node<'n>, chunk: &'static Chunk) -> &'n [T] {
    node.child(chunk).map(Node::values).unwrap_or_default()
}

/// A count as a length.
pub(crate) fn len(count: impl Into<u32>) -> usize {
    usize::try_from(count.into()).unwrap_or(usize::MAX)
}

/// Whether an object's container is one of this file's; names are in lower case.
pub(crate) fn is_of_this_file(names: &std::collections::HashSet<String>, object: &str) -> bool {
    let container = |name: &str| name.split_once('.').map(|(container, _)| container.to_owned());
    container(object).is_some_and(|own| names.iter().any(|name| container(name).as_ref() == Some(&own)))
}

/// Names in lower case, to compare them as the engines do.
pub(crate) fn lower(name: &str) -> String {
    name.to_ascii_lowercase()
}
