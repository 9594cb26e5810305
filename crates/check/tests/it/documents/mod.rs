//! Changes to the parts of a document, by path.

use meshwright_check::Document;
use record::{Node, Pod};

/// Changes the record at a path.
pub(crate) fn set<T: Pod>(file: &mut Document<'static>, path: &str, change: impl FnOnce(&mut T)) {
    change(node(file, path).value_mut::<T>().unwrap_or_else(|| panic!("no such record at {path}")));
}

/// Changes the values at a path.
pub(crate) fn values<T: Pod>(file: &mut Document<'static>, path: &str, change: impl FnOnce(&mut [T])) {
    let values = node(file, path).values_mut::<T>();
    assert!(!values.is_empty(), "no values at {path}");
    change(values);
}

/// The node at a path.
pub(crate) fn node<'d>(file: &'d mut Document<'static>, path: &str) -> &'d mut Node<'static> {
    file.root_mut().find_mut(path).unwrap_or_else(|| panic!("nothing at {path}"))
}

/// The children of the node at a path; of the root if it is empty.
pub(crate) fn children<'d>(file: &'d mut Document<'static>, path: &str) -> &'d mut Vec<Node<'static>> {
    let node = if path.is_empty() { file.root_mut() } else { node(file, path) };
    node.children_mut().expect("a branch")
}
