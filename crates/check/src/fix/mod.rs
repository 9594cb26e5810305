//! Repairs that change nothing that the game shows, each named.

mod aabtree;
mod keys;
mod mdx_model;
mod mdx_tracks;
mod mdx_unused;
mod w3d_counts;
mod w3d_file;
mod w3d_mesh;

use record::Node;
use w3d::W3d;

use crate::{Document, Level, Levels};

pub(crate) use aabtree::aabtree;
pub(crate) use keys::{redundant_keys, sort_keys};
pub(crate) use mdx_model::*;
pub(crate) use mdx_tracks::{mdx_redundant_keys, mdx_same_time, mdx_sort_keys};
pub(crate) use mdx_unused::mdx_unused;
pub(crate) use w3d_counts::*;
pub(crate) use w3d_file::{container_bits, sizes, text_mode};
pub(crate) use w3d_mesh::{bounds, planes, unused_materials, weights};

/// How far repairs may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FixLevel {
    /// Only what is wrong is set right.
    Safe,
    /// What is not used is removed, too.
    All,
}

/// How a rule's findings are repaired.
#[derive(Clone, Copy, Debug)]
pub struct Repair {
    /// What it does.
    pub what: &'static str,
    /// From which level on it is done.
    pub level: FixLevel,
    apply: Apply,
}

#[derive(Clone, Copy, Debug)]
enum Apply {
    W3d(fn(&mut W3d<'_>, &mut Changes)),
    Mdx(fn(&mut mdx::Document<'_>, &mut Changes)),
}

impl Repair {
    pub(crate) const fn w3d(what: &'static str, apply: fn(&mut W3d<'_>, &mut Changes)) -> Self {
        Self { what, level: FixLevel::Safe, apply: Apply::W3d(apply) }
    }

    pub(crate) const fn mdx(what: &'static str, apply: fn(&mut mdx::Document<'_>, &mut Changes)) -> Self {
        Self { what, level: FixLevel::Safe, apply: Apply::Mdx(apply) }
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
    made: Vec<(String, String)>,
}

impl Changes {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.made.push((path.into(), message.into()));
    }
}

/// Repairs a document: what rules of these codes find, or of codes that begin so (all if there are none), up to a level. Returns what was done.
/// Bytes that no finding is about stay as they are, and doing it again changes nothing.
///
/// ```
/// use meshwright_check::{Document, FixLevel, Options, check, fix};
/// let bytes = w3d::sample::crate_box();
/// let mut document = Document::parse(&bytes)?;
/// assert!(fix(&mut document, &[], FixLevel::Safe).is_empty());
///
/// let header = document.root_mut().find_mut("HIERARCHY/HIERARCHY_HEADER").unwrap();
/// header.value_mut::<w3d::records::HierarchyHeader>().unwrap().num_pivots.set(9);
/// let applied = fix(&mut document, &["W3D-HIER-001"], FixLevel::Safe);
/// assert_eq!(applied[0].message, "number of pivots 9 -> 3");
/// assert_eq!(document.to_bytes()?, bytes);
/// # Ok::<(), record::Error>(())
/// ```
pub fn fix(document: &mut Document<'_>, codes: &[&str], level: FixLevel) -> Vec<Applied> {
    let mut applied = Vec::new();
    let mut chosen = Levels::default();
    codes.iter().for_each(|code| chosen.set(code, Level::Warn));
    let wanted = |code: &str| codes.is_empty() || chosen.of(code).is_some();
    // One repair may make way for another; each only ever takes faults away, so this ends. The bound is for damaged files.
    for _ in 0..8 {
        let before = applied.len();
        for rule in crate::catalogue().filter(|rule| wanted(rule.code)) {
            let Some(repair) = rule.repair.filter(|repair| repair.level <= level) else { continue };
            let mut changes = Changes { code: rule.code, made: Vec::new() };
            match (repair.apply, &mut *document) {
                (Apply::W3d(apply), Document::W3d(file)) => apply(file, &mut changes),
                (Apply::Mdx(apply), Document::Mdx(file)) => apply(file, &mut changes),
                _ => {}
            }
            let changes = changes.made.into_iter();
            applied.extend(changes.map(|(path, message)| Applied { code: rule.code, path, message }));
        }
        if applied.len() == before {
            break;
        }
    }
    applied
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
