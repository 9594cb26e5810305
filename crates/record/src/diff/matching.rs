//! Which child of one tree is which of the other.

use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};

use crate::{Body, Node};

/// A child of this many bytes tells its parent: shorter ones are alike by chance.
const TELLING: usize = 64;

/// For each child before, the index of its partner after.
///
/// Objects at the top of a file are never paired by their position alone: one that was removed has nothing in common with one that was added.
pub(super) fn pairs(before: &[Node<'_>], after: &[Node<'_>], is_top: bool) -> Vec<Option<usize>> {
    let mut matching = Matching { before, after, pairs: vec![None; before.len()], taken: HashSet::new() };
    let kind = |node: &Node<'_>| Some(node.name());
    matching.by(|node| Some((kind(node)?, node.label()?)));
    if is_top {
        matching.by(|node| Some((kind(node)?, short(&node.label()?))));
    }
    if !matching.is_complete() {
        matching.by(|node| Some((kind(node)?, hash(node))));
        matching.by_parts();
        matching.only_ones();
    }
    matching.by(|node| if is_top && node.label().is_some() { None } else { kind(node) });
    matching.pairs
}

struct Matching<'n, 'd> {
    before: &'n [Node<'d>],
    after: &'n [Node<'d>],
    pairs: Vec<Option<usize>>,
    taken: HashSet<usize>,
}

impl<'n, 'd> Matching<'n, 'd> {
    fn is_complete(&self) -> bool {
        self.taken.len() == self.before.len().min(self.after.len())
    }

    /// Pairs what is left and has the same key, in order.
    fn by<K: Hash + Eq>(&mut self, key: impl Fn(&'n Node<'d>) -> Option<K>) {
        if self.is_complete() {
            return;
        }
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (index, child) in self.after.iter().enumerate().filter(|(index, _)| !self.taken.contains(index)) {
            if let Some(key) = key(child) {
                waiting.entry(key).or_default().push_back(index);
            }
        }
        for (pair, child) in self.pairs.iter_mut().zip(self.before).filter(|(pair, _)| pair.is_none()) {
            *pair = key(child).and_then(|key| waiting.get_mut(&key)?.pop_front());
            self.taken.extend(*pair);
        }
    }

    /// Pairs what is left if it is the only one of its kind on both sides.
    fn only_ones(&mut self) {
        let mut left: HashMap<Cow<'static, str>, [Vec<usize>; 2]> = HashMap::new();
        for (index, child) in self.before.iter().enumerate().filter(|(index, _)| self.pairs[*index].is_none())
        {
            left.entry(child.name()).or_default()[0].push(index);
        }
        for (index, child) in self.after.iter().enumerate().filter(|(index, _)| !self.taken.contains(index)) {
            left.entry(child.name()).or_default()[1].push(index);
        }
        for lists in left.values() {
            if let [[before], [after]] = lists.each_ref().map(Vec::as_slice) {
                self.pairs[*before] = Some(*after);
                self.taken.insert(*after);
            }
        }
    }

    /// Pairs what is left and has a large part in common, such as the triangles of a mesh.
    fn by_parts(&mut self) {
        let parts = |node: &'n Node<'d>| {
            let name = node.name();
            let children = match &node.body {
                Body::Branch(children) => children.as_slice(),
                Body::Leaf(_) => &[],
            };
            let telling = children.iter().filter(|child| child.len() >= TELLING);
            telling.map(move |child| (name.clone(), hash(child))).collect::<Vec<_>>()
        };
        let mut owners: HashMap<(Cow<'static, str>, u64), VecDeque<usize>> = HashMap::new();
        for (index, child) in self.after.iter().enumerate().filter(|(index, _)| !self.taken.contains(index)) {
            parts(child).into_iter().for_each(|part| owners.entry(part).or_default().push_back(index));
        }
        for (pair, child) in self.pairs.iter_mut().zip(self.before).filter(|(pair, _)| pair.is_none()) {
            for part in parts(child) {
                // Each owner leaves a queue once, so that many equal parts do not cost more.
                let Some(queue) = owners.get_mut(&part) else { continue };
                while queue.front().is_some_and(|index| self.taken.contains(index)) {
                    queue.pop_front();
                }
                if let Some(index) = queue.pop_front() {
                    *pair = Some(index);
                    self.taken.insert(index);
                    break;
                }
            }
        }
    }
}

/// The last part of a full name: the mesh of `CONTAINER.MESH`.
fn short(label: &str) -> String {
    label.rsplit('.').next().unwrap_or(label).to_ascii_lowercase()
}

/// A hash of everything in a node.
fn hash(node: &Node<'_>) -> u64 {
    fn add(node: &Node<'_>, hasher: &mut DefaultHasher) {
        (node.id, node.kind.name, node.size_delta).hash(hasher);
        match &node.body {
            Body::Branch(children) => {
                children.len().hash(hasher);
                children.iter().for_each(|child| add(child, hasher));
            }
            Body::Leaf(bytes) => bytes.hash(hasher),
        }
    }
    let mut hasher = DefaultHasher::new();
    add(node, &mut hasher);
    hasher.finish()
}

/// For each child, the number of children of the same name before it.
pub(super) fn indices(children: &[Node<'_>]) -> Vec<usize> {
    let mut counts: HashMap<Cow<'static, str>, usize> = HashMap::new();
    let next = |child: &Node<'_>| {
        let count = counts.entry(child.name()).or_default();
        *count += 1;
        *count - 1
    };
    children.iter().map(next).collect()
}
