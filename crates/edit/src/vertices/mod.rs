//! Vertices of meshes with everything that belongs to each of them.

pub(crate) mod mdx;
pub(crate) mod w3d;

use std::collections::HashMap;

/// Which old vertices make up a new list, and where each old one is in it.
pub(crate) struct Selection {
    /// For each new vertex an old one.
    pub(crate) sources: Vec<usize>,
    /// For each old vertex its new number; `None` if it is gone.
    pub(crate) numbers: Vec<Option<u32>>,
}

impl Selection {
    /// The vertices that are used, in their order; of those with equal keys only the first.
    pub(crate) fn new<K: std::hash::Hash + Eq>(used: &[bool], key: impl Fn(usize) -> K) -> Self {
        let mut known: HashMap<K, u32> = HashMap::with_capacity(used.len());
        let (mut sources, mut numbers) = (Vec::new(), vec![None; used.len()]);
        for old in (0..used.len()).filter(|old| used[*old]) {
            let next = u32::try_from(sources.len()).unwrap_or(u32::MAX);
            let new = *known.entry(key(old)).or_insert(next);
            if new == next {
                sources.push(old);
            }
            numbers[old] = Some(new);
        }
        Self { sources, numbers }
    }

    /// The number of vertices that are gone.
    pub(crate) fn gone(&self) -> usize {
        self.numbers.len() - self.sources.len()
    }

    /// The new number of a vertex that is used.
    pub(crate) fn number(&self, old: usize) -> Option<u32> {
        self.numbers.get(old).copied().flatten()
    }
}

/// The bytes of chosen elements of a size.
pub(crate) fn picked(bytes: &[u8], size: usize, sources: &[usize]) -> Vec<u8> {
    let mut new = Vec::with_capacity(sources.len() * size);
    for source in sources {
        new.extend_from_slice(bytes.get(source * size..(source + 1) * size).unwrap_or_default());
    }
    new
}

/// The sets of elements that are connected by groups of them, as a set number for each group. Sets are numbered by their first group.
pub(crate) fn connected<const N: usize>(count: usize, groups: &[[usize; N]]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..count).collect();
    fn top(parents: &mut [usize], mut at: usize) -> usize {
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    }
    for group in groups {
        let first = group[0];
        for other in &group[1..] {
            if first < count && *other < count {
                let (a, b) = (top(&mut parents, first), top(&mut parents, *other));
                parents[a.max(b)] = a.min(b);
            }
        }
    }
    let mut sets: HashMap<usize, usize> = HashMap::new();
    groups
        .iter()
        .map(|group| {
            let top = if group[0] < count { top(&mut parents, group[0]) } else { usize::MAX };
            let next = sets.len();
            *sets.entry(top).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_and_unused_vertices_go() {
        let names = ["a", "b", "a", "c", "b"];
        let selection = Selection::new(&[true, true, true, false, true], |vertex| names[vertex]);
        assert_eq!(selection.sources, [0, 1]);
        assert_eq!(selection.numbers, [Some(0), Some(1), Some(0), None, Some(1)]);
        assert_eq!(selection.gone(), 3);
        assert_eq!(picked(&[1, 2, 3, 4, 5, 6], 2, &[2, 0]), [5, 6, 1, 2]);
    }

    #[test]
    fn triangles_with_a_common_corner_are_connected() {
        let triangles = [[0, 1, 2], [6, 7, 8], [2, 3, 4], [8, 9, 5]];
        assert_eq!(connected(10, &triangles), [0, 1, 0, 1]);
        assert_eq!(connected(10, &[[0, 1, 2], [3, 4, 5], [2, 3, 6]]), [0, 0, 0]);
        assert_eq!(connected(2, &[[7, 8, 9]]), [0], "corners that do not exist are no reason to fail");
    }
}
