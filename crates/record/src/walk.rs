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
    /// The steps from the root to the node.
    trail: &'w [Step<'w, 'a>],
}

/// One step of a path. Its text and the positions of all siblings are computed on first use and then kept. Computing them
/// for each of many small parts would take quadratic time in a damaged file.
#[derive(Debug)]
struct Step<'w, 'a> {
    parent: &'w Node<'a>,
    /// The child that the path goes through.
    index: usize,
    text: OnceCell<String>,
    /// For each child, its position among siblings of the same name.
    positions: OnceCell<Vec<usize>>,
}

impl Step<'_, '_> {
    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let node = &self.parent.children()[self.index];
            let place = format!(
                "{}[{}]",
                node.name(),
                self.positions.get_or_init(|| positions(self.parent))[self.index]
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
        // Unknown parts are distinguished by their id.
        let name = child.kind.name;
        let count = counts.entry((name, if name.is_empty() { child.id } else { 0 })).or_default();
        *count += 1;
        *count - 1
    };
    parent.children().iter().map(position).collect()
}

impl Place<'_, '_> {
    /// The number of ancestors.
    pub const fn depth(&self) -> usize {
        self.trail.len()
    }

    /// The offset of its body in the file.
    pub fn body_start(&self) -> usize {
        self.span.start + self.node.kind.framing.header_len()
    }

    /// The path from the root, such as `MESH[3] "BARREL"/MATERIAL_PASS[0]`: names, the index among siblings of the same
    /// name, and the label in the file if there is one. Empty for the root.
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

    /// Whether a name in a path means this node. Case and the space that pads a three-letter tag are ignored.
    fn is_named(&self, name: &str) -> bool {
        self.name().trim_end().eq_ignore_ascii_case(name)
    }

    /// Calls `see` for this node and every node below it, in file order, parents first.
    pub fn walk(&self, see: &mut dyn FnMut(&Place<'_, 'a>)) {
        walk(self, 0, &mut Vec::new(), see);
    }

    /// The first node at a path: names separated by `/`, each with an optional `[index]` among siblings of the same name
    /// and an optional quoted label as in [`Place::path`]. If both are given, both have to match. ASCII case does not
    /// matter.
    pub fn find(&self, path: &str) -> Option<&Self> {
        path_steps(path).try_fold(self, |node, step| node.children().get(*step.matches(node).first()?))
    }

    /// The same node, mutable.
    pub fn find_mut(&mut self, path: &str) -> Option<&mut Self> {
        path_steps(path).try_fold(self, |node, step| {
            let index = *step.matches(node).first()?;
            node.children_mut()?.get_mut(index)
        })
    }

    /// Whether a quoted label means this node: its label in the file, or its text.
    fn is_labelled(&self, label: &str) -> bool {
        let text = || self.text().map(|text| crate::decode(text).into_owned());
        self.label().or_else(text).is_some_and(|own| own.eq_ignore_ascii_case(label))
    }
}

fn walk<'w, 'a>(
    node: &'w Node<'a>,
    start: usize,
    trail: &mut Vec<Step<'w, 'a>>,
    see: &mut dyn FnMut(&Place<'_, 'a>),
) -> usize {
    // A node is visited before the nodes below it, so its length is computed first. The depth of trees is bounded.
    let end = start + node.len();
    see(&Place { node, span: start..end, trail });
    if let Body::Branch(children) = &node.body {
        let mut position = start + node.kind.framing.header_len();
        let depth = trail.len();
        trail.push(Step { parent: node, index: 0, text: OnceCell::new(), positions: OnceCell::new() });
        for (index, child) in children.iter().enumerate() {
            trail[depth].index = index;
            trail[depth].text.take();
            position = walk(child, position, trail, see);
        }
        trail.pop();
    }
    end
}

/// Which of several siblings of the same name a step of a path means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The path has no index; unambiguous if there is only one.
    Unsaid,
    /// The one with this index among siblings of the same name.
    At(usize),
    /// All of them: `[*]`.
    Every,
}

/// One step of a path as people write it: `MESH`, `MESH[3]`, `MESH[*]`, `MESH "BARREL"`, `MESH[3] "BARREL"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The kind's name.
    pub name: String,
    /// The index among siblings of that name.
    pub which: Which,
    /// The quoted label, if the path has one. It has to equal the label of the part.
    pub label: Option<String>,
}

impl PathStep {
    /// Reads the first step of a path, which ends at a slash or at one of `ends`, and returns what follows the step. Quoted names may
    /// hold any character.
    ///
    /// ```
    /// use meshwright_record::{PathStep, Which};
    /// let (step, rest) = PathStep::first("MESH[3] \"A/B\"/VERTICES", &[]);
    /// assert_eq!((step.name.as_str(), step.which, step.label.as_deref()), ("MESH", Which::At(3), Some("A/B")));
    /// assert_eq!(rest, "/VERTICES");
    /// ```
    pub fn first<'p>(path: &'p str, ends: &[char]) -> (Self, &'p str) {
        let (mut quoted, mut escaped) = (false, false);
        let end = path.find(|character: char| {
            let here = std::mem::take(&mut escaped);
            match character {
                '\\' if quoted && !here => escaped = true,
                '"' if !here => quoted = !quoted,
                _ => {}
            }
            (character == '/' || ends.contains(&character)) && !quoted
        });
        let (step, rest) = path.split_at(end.unwrap_or(path.len()));
        let (place, label) = match step.split_once('"') {
            Some((place, label)) => (place.trim(), Some(unescape(label))),
            None => (step.trim(), None),
        };
        let (name, which) = match place.split_once('[') {
            Some((name, index)) => {
                let index = index.trim_end_matches(']').trim();
                // An index that is not a number matches nothing.
                let at =
                    if index == "*" { Which::Every } else { Which::At(index.parse().unwrap_or(usize::MAX)) };
                (name.trim(), at)
            }
            None => (place, Which::Unsaid),
        };
        (Self { name: name.to_owned(), which, label }, rest)
    }

    /// The indices of the children that match the step: all matching ones if it has no index.
    pub fn matches(&self, parent: &Node<'_>) -> Vec<usize> {
        let named = parent.children().iter().enumerate().filter(|(_, child)| child.is_named(&self.name));
        let index = |(ordinal, (index, child)): (usize, (usize, &Node<'_>))| {
            let here = !matches!(self.which, Which::At(wanted) if wanted != ordinal);
            (here && self.label.as_ref().is_none_or(|label| child.is_labelled(label))).then_some(index)
        };
        named.enumerate().filter_map(index).collect()
    }
}

/// A quoted name without its closing quote and escapes.
fn unescape(quoted: &str) -> String {
    let mut text = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some('0') => text.push('\0'),
                Some('u') => {
                    let digits: String = characters.by_ref().take_while(|digit| *digit != '}').collect();
                    let number = u32::from_str_radix(digits.trim_start_matches('{'), 16);
                    text.extend(number.ok().and_then(char::from_u32));
                }
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    text
}

fn path_steps(path: &str) -> impl Iterator<Item = PathStep> {
    let mut rest = path.trim_start_matches('/');
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (step, after) = PathStep::first(rest, &[]);
        rest = after.trim_start_matches('/');
        Some(step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_shown_quoted_can_be_read_again() {
        for label in ["A", "a/b", "a\"b", "back\\slash", "tab\tand\nline", "ü\u{7f}\u{200b}", "[3]", ""] {
            let path = format!("MESH[2] {label:?}/X");
            let (step, rest) = PathStep::first(&path, &['.']);
            assert_eq!((step.label.as_deref(), rest), (Some(label), "/X"));
            assert_eq!((step.name.as_str(), step.which), ("MESH", Which::At(2)));
        }
    }
}
