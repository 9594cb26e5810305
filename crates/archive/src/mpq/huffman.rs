//! Huffman coding with a tree that may change with every byte, used for sounds in MPQ archives.
//!
//! The first byte chooses the weights that the tree is built from. A byte that is not in the tree is spelled out and added. With
//! kind 0 the tree also follows the frequency of what it has decoded.

use crate::{Error, Result};

/// Initial weights of bytes, for each kind of data: the first byte of a run, and its weights. Other bytes have no weight.
const WEIGHTS: [&[(usize, &[u8])]; 9] = [
    &[(0, &[10]), (255, &[2])],
    &[(
        0,
        &[
            84, 22, 22, 13, 12, 8, 6, 5, 6, 5, 6, 3, 4, 4, 3, 5, 14, 11, 20, 19, 19, 9, 11, 6, 5, 4, 3, 2, 3,
            2, 2, 2, 13, 7, 9, 6, 6, 4, 3, 2, 4, 3, 3, 3, 3, 3, 2, 2, 9, 6, 4, 4, 4, 4, 3, 2, 3, 2, 2, 2, 2,
            3, 2, 4, 8, 3, 4, 7, 9, 5, 3, 3, 3, 3, 2, 2, 2, 3, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2,
            1, 2, 2, 6, 10, 8, 8, 6, 7, 4, 3, 4, 4, 2, 2, 4, 2, 3, 3, 4, 3, 7, 7, 9, 6, 4, 3, 3, 2, 1, 2, 2,
            2, 2, 2, 10, 2, 2, 3, 2, 2, 1, 1, 2, 2, 2, 6, 3, 5, 2, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3,
            1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 4, 4, 4, 7, 9, 8, 12, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2,
            1, 1, 3, 4, 1, 2, 4, 5, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 4, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2,
            2, 6, 75,
        ],
    )],
    &[(
        0,
        &[
            0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 39, 0, 0, 35, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            255, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 6, 14, 16, 4, 6, 8, 5, 4, 4, 3, 3, 2, 2, 3, 3, 1, 1, 2, 1,
            1, 1, 4, 2, 4, 2, 2, 2, 1, 1, 4, 1, 1, 2, 3, 3, 2, 3, 1, 3, 6, 4, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1,
            1, 1, 41, 7, 22, 18, 64, 10, 10, 17, 37, 1, 3, 23, 16, 38, 42, 16, 1, 35, 35, 47, 16, 6, 7, 2, 9,
            1, 1, 1, 1, 1, 0,
        ],
    )],
    &[(
        0,
        &[
            255, 11, 7, 5, 11, 2, 2, 2, 6, 2, 2, 1, 4, 2, 1, 3, 9, 1, 1, 1, 3, 4, 1, 1, 2, 1, 1, 1, 2, 1, 1,
            1, 5, 1, 1, 1, 13, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1,
            1, 10, 4, 2, 1, 6, 3, 2, 1, 1, 1, 1, 1, 3, 1, 1, 1, 5, 2, 3, 4, 3, 3, 3, 2, 1, 1, 1, 2, 1, 2, 3,
            3, 1, 3, 1, 1, 2, 5, 1, 1, 4, 3, 5, 1, 3, 1, 3, 3, 2, 1, 4, 3, 10, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 2, 2, 1, 10, 2, 5, 1, 1, 2, 7, 2, 23, 1, 5, 1, 1, 14, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 6, 2, 1, 4, 5, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1,
            1, 17,
        ],
    )],
    &[(0, &[255, 251, 152, 154, 132, 133, 99, 100, 62, 62, 34, 34, 19, 19, 24, 23])],
    &[(
        0,
        &[
            255, 241, 157, 158, 154, 155, 154, 151, 147, 147, 140, 142, 134, 136, 128, 130, 124, 124, 114,
            115, 105, 107, 95, 96, 85, 86, 74, 75, 64, 65, 55, 55, 47, 47, 39, 39, 33, 33, 27, 28, 23, 23,
            19, 19, 16, 16, 13, 13, 11, 11, 9, 9, 8, 8, 7, 7, 6, 5, 5, 4, 4, 4, 25, 24,
        ],
    )],
    &[
        (0, &[195, 203, 245, 65, 255, 123, 247, 33]),
        (64, &[191, 204, 242, 64, 253, 124, 247, 34]),
        (128, &[122, 70]),
    ],
    &[
        (0, &[195, 217, 239, 61, 249, 124, 233, 30, 253, 171, 241, 44, 252, 91, 254, 23]),
        (64, &[189, 217, 236, 61, 245, 125, 232, 29, 251, 174, 240, 44, 251, 92, 255, 24]),
        (128, &[112, 108]),
    ],
    &[
        (
            0,
            &[
                186, 197, 218, 51, 227, 109, 216, 24, 229, 148, 218, 35, 223, 74, 209, 16, 238, 175, 228, 44,
                234, 90, 222, 21, 244, 135, 233, 33, 246, 67, 252, 18,
            ],
        ),
        (
            64,
            &[
                176, 199, 216, 51, 227, 107, 214, 24, 231, 149, 216, 35, 219, 73, 208, 17, 233, 178, 226, 43,
                232, 92, 221, 21, 241, 135, 231, 32, 247, 68, 255, 19,
            ],
        ),
        (128, &[95, 158]),
    ],
];

/// The symbol that ends the data.
const END: u16 = 0x100;
/// The symbol before a byte that is not in the tree yet.
const NEW: u16 = 0x101;
/// 258 symbols as leaves, and the nodes above them.
const MAX_NODES: usize = 2 * 258 - 1;

#[derive(Clone, Copy)]
struct Node {
    symbol: u16,
    weight: u32,
    parent: Option<usize>,
    /// The child with the lower weight. The other child is the node before it in the order.
    low: Option<usize>,
    /// Its index in the order.
    place: usize,
}

struct Tree {
    nodes: Vec<Node>,
    /// The nodes by falling weight; the first is the root.
    order: Vec<usize>,
    /// The leaf of each symbol.
    leaves: [Option<usize>; 0x102],
}

impl Tree {
    fn new(kind: u8) -> Option<Self> {
        let mut tree =
            Self { nodes: Vec::with_capacity(MAX_NODES), order: Vec::new(), leaves: [None; 0x102] };
        for &(first, weights) in *WEIGHTS.get(usize::from(kind))? {
            for (index, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0) {
                let node = tree.leaf((first + index) as u16, weight.into())?;
                tree.insert_by_weight(node);
            }
        }
        for symbol in [END, NEW] {
            let node = tree.leaf(symbol, 1)?;
            tree.order.push(node);
        }
        // Pairs are joined from the lightest on. A parent is heavier than its children and comes before them, so the
        // remaining nodes are found by their distance from the end.
        let mut joined = 0;
        while tree.order.len() - joined >= 2 {
            let index = tree.order.len() - joined;
            let (low, high) = (tree.order[index - 1], tree.order[index - 2]);
            let parent = tree.node(0, tree.nodes[low].weight + tree.nodes[high].weight)?;
            tree.nodes[parent].low = Some(low);
            tree.nodes[low].parent = Some(parent);
            tree.nodes[high].parent = Some(parent);
            tree.insert_by_weight(parent);
            joined += 2;
        }
        for (place, &node) in tree.order.iter().enumerate() {
            tree.nodes[node].place = place;
        }
        Some(tree)
    }

    fn node(&mut self, symbol: u16, weight: u32) -> Option<usize> {
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        let node = self.nodes.len();
        self.nodes.push(Node { symbol, weight, parent: None, low: None, place: 0 });
        Some(node)
    }

    fn leaf(&mut self, symbol: u16, weight: u32) -> Option<usize> {
        let node = self.node(symbol, weight)?;
        self.leaves[usize::from(symbol)] = Some(node);
        Some(node)
    }

    /// A node that is at least as heavy as all others is inserted at the front, other nodes after the last one that is
    /// not lighter.
    fn insert_by_weight(&mut self, node: usize) {
        let weight = self.nodes[node].weight;
        let is_heaviest = self.order.first().is_none_or(|&first| weight >= self.nodes[first].weight);
        let behind = self.order.iter().rposition(|&other| self.nodes[other].weight >= weight);
        let place = if is_heaviest { 0 } else { behind.map_or(0, |place| place + 1) };
        self.order.insert(place, node);
    }

    fn high(&self, low: usize) -> Option<usize> {
        self.order.get(self.nodes[low].place.checked_sub(1)?).copied()
    }

    fn decode(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let mut node = *self.order.first()?;
        while let Some(low) = self.nodes[node].low {
            node = if bits.take()? == 1 { self.high(low)? } else { low };
        }
        Some(self.nodes[node].symbol)
    }

    /// Turns the lightest leaf into a pair of itself and a new byte.
    fn add(&mut self, byte: u8) -> Option<()> {
        let last = *self.order.last()?;
        let (symbol, weight) = (self.nodes[last].symbol, self.nodes[last].weight);
        let high = self.leaf(symbol, weight)?;
        let low = self.leaf(byte.into(), 0)?;
        for child in [high, low] {
            self.nodes[child].parent = Some(last);
            self.nodes[child].place = self.order.len();
            self.order.push(child);
        }
        self.nodes[last].low = Some(low);
        self.increase(low)
    }

    /// Adds one to the weight of a node and of all above it, and keeps the order.
    fn increase(&mut self, node: usize) -> Option<()> {
        let mut next = Some(node);
        while let Some(node) = next {
            self.nodes[node].weight += 1;
            let weight = self.nodes[node].weight;
            let place = self.nodes[node].place;
            let before = self.order[..place].iter().rposition(|&other| self.nodes[other].weight >= weight);
            let target = before.map_or(0, |place| place + 1);
            if target != place {
                self.swap(node, self.order[target])?;
            }
            next = self.nodes[node].parent;
        }
        Some(())
    }

    /// Two nodes change places in the order and in the tree.
    fn swap(&mut self, a: usize, b: usize) -> Option<()> {
        let (parent_a, parent_b) = (self.nodes[a].parent?, self.nodes[b].parent?);
        let low_of_b = self.nodes[parent_b].low;
        if self.nodes[parent_a].low == Some(a) {
            self.nodes[parent_a].low = Some(b);
        }
        if low_of_b == Some(b) {
            self.nodes[parent_b].low = Some(a);
        }
        self.nodes[a].parent = Some(parent_b);
        self.nodes[b].parent = Some(parent_a);
        let (place_a, place_b) = (self.nodes[a].place, self.nodes[b].place);
        self.order.swap(place_a, place_b);
        self.nodes[a].place = place_b;
        self.nodes[b].place = place_a;
        Some(())
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// Number of bits taken.
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self) -> Option<u8> {
        let bit = self.bytes.get(self.at / 8)? >> (self.at % 8) & 1;
        self.at += 1;
        Some(bit)
    }

    fn byte(&mut self) -> Option<u8> {
        (0..8).try_fold(0, |byte, bit| Some(byte | self.take()? << bit))
    }
}

/// Unpacks at most `most` bytes.
pub(crate) fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    try_unpack(bytes, most).ok_or_else(|| Error::format(0, "malformed Huffman data"))
}

fn try_unpack(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes, at: 0 };
    let kind = bits.byte()? & 0x0F;
    let follows = bytes.first() == Some(&0);
    let mut tree = Tree::new(kind)?;
    let mut out = Vec::with_capacity(most.min(bytes.len().saturating_mul(4)));
    while out.len() < most {
        let byte = match tree.decode(&mut bits)? {
            END => break,
            NEW => {
                let byte = bits.byte()?;
                tree.add(byte)?;
                if !follows {
                    tree.increase(tree.leaves[usize::from(byte)]?)?;
                }
                byte
            }
            byte => byte as u8,
        };
        out.push(byte);
        if follows {
            tree.increase(tree.leaves[usize::from(byte)]?)?;
        }
    }
    Some(out)
}
