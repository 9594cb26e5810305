//! Repairs that never make data unreachable and never hide damage, each named; and, on demand, those that remove data.

mod aabtree;
mod keys;
mod mdx_model;
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
pub(crate) use mdx_tracks::{mdx_redundant_keys, mdx_same_time, mdx_sort_keys};
pub(crate) use mdx_unused::mdx_unused;
pub(crate) use transfer::{mdx_text_mode, mdx_utf8, text_mode, utf8};
pub(crate) use w3d_counts::*;
pub(crate) use w3d_file::{container_bits, sizes};
pub(crate) use w3d_mesh::{bounds, planes, unused_materials, weights};

/// How far repairs may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FixLevel {
    /// Repairs after which everything that a reader could reach before can still be reached, and damage that remains is still
    /// found: no count or size becomes smaller, and nothing is removed.
    Safe,
    /// Also removes unused and redundant data, and lowers sizes and counts to what is left of a damaged part.
    All,
}

/// How a rule's findings are repaired.
#[derive(Clone, Copy, Debug)]
pub struct Repair {
    /// What it does.
    pub what: &'static str,
    /// From which level on it is done.
    pub level: FixLevel,
    /// Whether it gives a damaged file back what it had. Only such repairs are made in damaged files at [`FixLevel::Safe`].
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
    /// The rule whose findings are repaired: a repair that several rules share only does what this one has found.
    pub(crate) code: &'static str,
    /// How far the repair may go.
    pub(crate) level: FixLevel,
    pub(crate) made: Vec<(String, String)>,
}

impl Changes {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.made.push((path.into(), message.into()));
    }

    /// Whether a count or size may become `to`. A smaller one hides what was lost, so that is not safe.
    pub(crate) fn allows(&self, from: u32, to: u32) -> bool {
        to > from || to < from && self.level == FixLevel::All
    }
}

/// Codes of damage: parts that are incomplete or were not understood. Where a file has it, counts and references elsewhere may be right
/// although they disagree with what is left.
const DAMAGE: &[&str] =
    &["FRAME-001", "FRAME-002", "FRAME-003", "FRAME-010", "PART-002", "PART-003", "PART-004", "PART-005"];

pub(crate) fn is_damaged(document: &Document<'_>) -> bool {
    let (found, prefix) = match document {
        Document::W3d(file) => (file.diagnostics(), "W3D-"),
        Document::Mdx(file) => (file.diagnostics(), "MDX-"),
    };
    let is_damage = |code: &str| code.strip_prefix(prefix).is_some_and(|suffix| DAMAGE.contains(&suffix));
    found.iter().any(|finding| finding.severity >= Severity::Warning && is_damage(&finding.code))
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
    fn below<'a>(parent: &mut Node<'a>, path: &str, see: &mut dyn FnMut(&str, &mut Node<'a>)) {
        let mut seen = std::collections::HashMap::new();
        for child in parent.children_mut().into_iter().flatten() {
            let name = child.name();
            let ordinal: &mut usize = seen.entry(name.clone()).or_default();
            let label = child.label().map(|label| format!(" {label:?}")).unwrap_or_default();
            let slash = if path.is_empty() { "" } else { "/" };
            let path = format!("{path}{slash}{name}[{ordinal}]{label}");
            *ordinal += 1;
            see(&path, child);
            below(child, &path, see);
        }
    }
    below(root, "", see);
}
