//! Walking a tree with the offset and the path of each node, and finding a node by its path.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::node::{Body, Node};

/// A node together with where it is.
#[derive(Debug)]
pub struct Place<'w, 'a> {
    /// The node.
    pub node: &'w Node<'a>,
    /// Its bytes in the file, header included.
    pub span: Range<usize>,
    /// The way from below the root down to it.
    trail: &'w [Step<'w, 'a>],
}

/// One step of a path. Its text and all siblings' positions are found when first asked for, and once: looking for them again
/// from each of many small parts would take a damaged file forever.
#[derive(Debug)]
struct Step<'w, 'a> {
    parent: &'w Node<'a>,
    /// The child that the path goes through.
    at: usize,
    text: OnceCell<String>,
    /// For each child, its position among siblings of the same name.
    positions: OnceCell<Vec<usize>>,
}

impl Step<'_, '_> {
    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let node = &self.parent.children()[self.at];
            let place = format!(
                "{}[{}]",
                node.name(),
                self.positions.get_or_init(|| positions(self.parent))[self.at]
            );
            match node.label() {
                Some(label) => format!("{place} {label:?}"),
                None => place,
            }
        })
    }
}

fn positions(parent: &Node<'_>) -> Vec<usize> {
    let mut counts: HashMap<(&str, u32), usize> = HashMap::new();
    let position = |child: &Node<'_>| {
        // Unknown parts are told apart by their id.
        let name = child.kind.name;
        let count = counts.entry((name, if name.is_empty() { child.id } else { 0 })).or_default();
        *count += 1;
        *count - 1
    };
    parent.children().iter().map(position).collect()
}

impl Place<'_, '_> {
    /// How many nodes are above it.
    pub const fn depth(&self) -> usize {
        self.trail.len()
    }

    /// Where its body starts in the file.
    pub fn body_start(&self) -> usize {
        self.span.start + self.node.kind.framing.header_len()
    }

    /// The path from the root, such as `MESH[3] "BARREL"/MATERIAL_PASS[0]`: names with the position among siblings of
    /// the same name, and people's own names where there are some. Empty for the root.
    pub fn path(&self) -> String {
        self.trail.iter().map(Step::text).collect::<Vec<_>>().join("/")
    }
}

impl<'a> Node<'a> {
    /// The kind's name, or the id where the kind is unknown.
    pub fn name(&self) -> std::borrow::Cow<'static, str> {
        if self.kind.name.is_empty() {
            format!("{:#010X}", self.id).replace('X', "x").into()
        } else {
            self.kind.name.into()
        }
    }

    /// Whether a path means this node. Case does not count, nor the space that fills up a tag of three letters.
    fn is_named(&self, name: &str) -> bool {
        self.name().trim_end().eq_ignore_ascii_case(name)
    }

    /// Calls `see` for this node and every node below it, in file order, parents first.
    pub fn walk(&self, see: &mut dyn FnMut(&Place<'_, 'a>)) {
        walk(self, 0, &mut Vec::new(), see);
    }

    /// The node at a path: names separated by `/`, each with an optional `[index]` among siblings of the same name (0 if
    /// absent). The quoted names that [`Place::path`] shows are accepted and ignored; ASCII case does not matter.
    pub fn find(&self, path: &str) -> Option<&Self> {
        path_steps(path).try_fold(self, |node, (name, index)| {
            node.children().iter().filter(|child| child.is_named(name)).nth(index)
        })
    }

    /// The same, to change it.
    pub fn find_mut(&mut self, path: &str) -> Option<&mut Self> {
        path_steps(path).try_fold(self, |node, (name, index)| {
            node.children_mut()?.iter_mut().filter(|child| child.is_named(name)).nth(index)
        })
    }
}

fn walk<'w, 'a>(
    node: &'w Node<'a>,
    start: usize,
    trail: &mut Vec<Step<'w, 'a>>,
    see: &mut dyn FnMut(&Place<'_, 'a>),
) -> usize {
    // A node is seen before what is below it, so its length is added up first; the depth of trees is small and bounded.
    let end = start + node.len();
    see(&Place { node, span: start..end, trail });
    if let Body::Branch(children) = &node.body {
        let mut position = start + node.kind.framing.header_len();
        let depth = trail.len();
        trail.push(Step { parent: node, at: 0, text: OnceCell::new(), positions: OnceCell::new() });
        for (at, child) in children.iter().enumerate() {
            trail[depth].at = at;
            trail[depth].text.take();
            position = walk(child, position, trail, see);
        }
        trail.pop();
    }
    end
}

fn path_steps(path: &str) -> impl Iterator<Item = (&str, usize)> {
    // A quoted name may hold a slash, so quotes are skipped before steps are cut.
    let mut rest = path.trim_start_matches('/');
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut quoted = false;
        let mut escaped = false;
        let end = rest
            .find(|character| {
                let here = std::mem::take(&mut escaped);
                match character {
                    '\\' if quoted && !here => escaped = true,
                    '"' if !here => quoted = !quoted,
                    _ => {}
                }
                character == '/' && !quoted
            })
            .unwrap_or(rest.len());
        let step = &rest[..end];
        rest = rest[end..].trim_start_matches('/');
        let step = step.split('"').next().unwrap_or_default().trim();
        let (name, index) = match step.split_once('[') {
            Some((name, index)) => {
                (name.trim(), index.trim_end_matches(']').trim().parse().unwrap_or(usize::MAX))
            }
            None => (step, 0),
        };
        Some((name, index))
    })
}
