//! Repairs. Safe repairs never make data unreachable and never hide damage; others, on demand, remove data.

mod aabtree;
mod keys;
mod mdx_model;
mod mdx_sizes;
mod mdx_tracks;
mod mdx_unused;
mod transfer;
mod w3d_counts;
mod w3d_file;
mod w3d_mesh;

use model::Document;
use record::{Node, Severity};
use w3d::W3d;

pub(crate) use aabtree::aabtree;
pub(crate) use keys::{redundant_keys, sort_keys};
pub(crate) use mdx_model::*;
pub(crate) use mdx_sizes::mdx_sizes;
pub(crate) use mdx_tracks::{mdx_redundant_keys, mdx_same_time, mdx_sort_keys};
pub(crate) use mdx_unused::mdx_unused;
pub(crate) use transfer::{mdx_text_mode, mdx_utf8, text_mode, utf8};
pub(crate) use w3d_counts::*;
pub(crate) use w3d_file::{container_bits, sizes};
pub(crate) use w3d_mesh::{bounds, planes, unused_materials, weights};

/// How far repairs may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FixLevel {
    /// Repairs that keep all data reachable and do not hide remaining damage: nothing is removed, and no count or size
    /// becomes smaller unless the part that it frames is complete.
    Safe,
    /// Also removes unused and redundant data, and lowers counts to the number of elements that exist.
    All,
}

/// How a rule's findings are repaired.
#[derive(Clone, Copy, Debug)]
pub struct Repair {
    /// What it does.
    pub what: &'static str,
    /// The level from which on it is applied.
    pub level: FixLevel,
    /// Whether it restores the original content of a damaged file. Damaged files get only such repairs.
    pub(crate) restores: bool,
    pub(crate) apply: Apply,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Apply {
    W3d(fn(&mut W3d<'_>, &mut Changes)),
    Mdx(fn(&mut mdx::Document<'_>, &mut Changes)),
}

impl Repair {
    pub(crate) const fn w3d(what: &'static str, apply: fn(&mut W3d<'_>, &mut Changes)) -> Self {
        Self { what, level: FixLevel::Safe, restores: false, apply: Apply::W3d(apply) }
    }

    pub(crate) const fn mdx(what: &'static str, apply: fn(&mut mdx::Document<'_>, &mut Changes)) -> Self {
        Self { what, level: FixLevel::Safe, restores: false, apply: Apply::Mdx(apply) }
    }

    /// The same, for damage that can be undone.
    pub(crate) const fn restoring(mut self) -> Self {
        self.restores = true;
        self
    }

    /// The same, only with [`FixLevel::All`].
    pub(crate) const fn all(mut self) -> Self {
        self.level = FixLevel::All;
        self
    }
}

/// One repair that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it repairs.
    pub code: &'static str,
    /// The part that was changed; empty for the whole file.
    pub path: String,
    /// What was done.
    pub message: String,
}

/// Collects what a repair did.
#[derive(Debug)]
pub(crate) struct Changes {
    /// The rule whose findings are repaired. A repair that several rules share only repairs the findings of this one.
    pub(crate) code: &'static str,
    /// How far the repair may go.
    pub(crate) level: FixLevel,
    pub(crate) made: Vec<(String, String)>,
}

impl Changes {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.made.push((path.into(), message.into()));
    }

    /// Whether a count or size may become `to`. A smaller one is not safe, because it hides lost data.
    pub(crate) fn allows(&self, from: u32, to: u32) -> bool {
        to > from || to < from && self.level == FixLevel::All
    }
}

/// Codes of damage: parts that are incomplete or were not understood. In a file with such a finding, counts and
/// references elsewhere may be right although they disagree with the remaining data.
const DAMAGE: &[&str] =
    &["FRAME-001", "FRAME-002", "FRAME-003", "FRAME-010", "PART-002", "PART-003", "PART-004", "PART-005"];

pub(crate) fn is_damaged(document: &Document<'_>) -> bool {
    // A chunk in the wrong place was reached by a wrong size.
    if matches!(document, Document::W3d(file) if w3d_file::has_misplaced(&file.root)) {
        return true;
    }
    // Codes of rules begin with the family: W3D-FRAME-001.
    let prefix = format!("{}-", document.family().name());
    let is_damage = |code: &str| code.strip_prefix(&*prefix).is_some_and(|suffix| DAMAGE.contains(&suffix));
    document
        .diagnostics()
        .iter()
        .any(|finding| finding.severity >= Severity::Warning && is_damage(&finding.code))
}

/// Calls `see` for each child of a name with its path.
pub(crate) fn each_child<'a>(
    parent: &mut Node<'a>,
    path: &str,
    name: &str,
    see: &mut dyn FnMut(&str, &mut Node<'a>),
) {
    let Some(children) = parent.children_mut() else { return };
    for (ordinal, child) in children.iter_mut().filter(|child| child.kind.name == name).enumerate() {
        let label = child.label().map(|label| format!(" {label:?}")).unwrap_or_default();
        let slash = if path.is_empty() { "" } else { "/" };
        see(&format!("{path}{slash}{name}[{ordinal}]{label}"), child);
    }
}

/// Calls `see` for each node of the tree with its path, parents first.
pub(crate) fn each_node<'a>(root: &mut Node<'a>, see: &mut dyn FnMut(&str, &mut Node<'a>)) {
    each_with_end(root, &mut |path, node, _| see(path, node));
}

/// The same, and whether the node ends where the tree does.
pub(crate) fn each_with_end<'a>(root: &mut Node<'a>, see: &mut dyn FnMut(&str, &mut Node<'a>, bool)) {
    fn below<'a>(
        parent: &mut Node<'a>,
        path: &str,
        is_last: bool,
        see: &mut dyn FnMut(&str, &mut Node<'a>, bool),
    ) {
        let mut seen = std::collections::HashMap::new();
        let count = parent.children().len();
        for (index, child) in parent.children_mut().into_iter().flatten().enumerate() {
            let name = child.name();
            let ordinal: &mut usize = seen.entry(name.clone()).or_default();
            let label = child.label().map(|label| format!(" {label:?}")).unwrap_or_default();
            let slash = if path.is_empty() { "" } else { "/" };
            let path = format!("{path}{slash}{name}[{ordinal}]{label}");
            *ordinal += 1;
            let is_last = is_last && index + 1 == count;
            see(&path, child, is_last);
            below(child, &path, is_last, see);
        }
    }
    below(root, "", true, see);
}

/// Whether two trees have the same parts with the same bytes and sizes.
pub(crate) fn is_alike(a: &Node<'_>, b: &Node<'_>) -> bool {
    let (inside, other) = (a.children(), b.children());
    std::ptr::eq(a.kind, b.kind)
        && (a.id, a.size_delta, inside.len()) == (b.id, b.size_delta, other.len())
        && a.bytes() == b.bytes()
        && inside.iter().zip(other).all(|(a, b)| is_alike(a, b))
}
