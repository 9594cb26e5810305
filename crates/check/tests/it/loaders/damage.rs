//! Kinds of damage to sizes and counts.

use meshwright_check::Document;

/// The kinds of damage.
pub(crate) const KINDS: [&str; 12] = [
    "size a little too large",
    "size a little too small",
    "size with the top bit set",
    "size zero",
    "size huge",
    "size that covers what follows",
    "size of any other value",
    "count one too large",
    "count one too small",
    "count huge",
    "count zero",
    "file cut off",
];

/// A damaged copy.
pub(crate) struct Damaged {
    pub(crate) bytes: Vec<u8>,
    /// Where the changed word is; `None` if the file was cut off.
    pub(crate) word: Option<usize>,
}

/// Where the words of a file are that say how much there is.
pub(crate) struct Words {
    /// Size fields, with the end of the part after the one that they frame.
    pub(crate) sizes: Vec<(usize, usize)>,
    pub(crate) counts: Vec<usize>,
}

/// Fields of W3D records that are counts: the chunk, and where in it.
const COUNTS: &[(&str, &[usize])] = &[
    ("MESH_HEADER3", &[40, 44]),
    ("HIERARCHY_HEADER", &[20]),
    ("HLOD_HEADER", &[4]),
    ("HLOD_SUB_OBJECT_ARRAY_HEADER", &[0]),
    ("MATERIAL_INFO", &[0, 4, 8, 12]),
    ("COMPRESSED_ANIMATION_CHANNEL", &[0]),
    ("AABTREE_HEADER", &[0, 4]),
    ("LODMODEL_HEADER", &[20]),
    ("COLLECTION_HEADER", &[20]),
];

impl Words {
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let mut words = Self { sizes: Vec::new(), counts: Vec::new() };
        let mut spans = Vec::new();
        document.root().walk(&mut |place| {
            let (framing, body) = (place.node.kind.framing, place.body_start());
            match framing.word() {
                "chunk" | "object" => {
                    words.sizes.push((body - 4, place.span.end));
                    spans.push(place.span.clone());
                }
                "array" | "track" | "list" if framing.header_len() >= 4 => words.counts.push(body - 4),
                _ => {}
            }
            for (name, fields) in COUNTS.iter().filter(|(name, _)| *name == place.node.kind.name) {
                let there = |field: &&usize| body + **field + 4 <= place.span.end && !name.is_empty();
                words.counts.extend(fields.iter().filter(there).map(|field| body + field));
            }
        });
        // The end of the part that starts where this one ends.
        for (_, end) in &mut words.sizes {
            if let Some(next) = spans.iter().find(|span| span.start == *end) {
                *end = next.end;
            }
        }
        words
    }

    fn is_one(&self, at: usize) -> bool {
        self.counts.contains(&at) || self.sizes.iter().any(|(size, _)| *size == at)
    }

    /// Whether two files of the same length differ only in these words, from the start to where the shorter one ends.
    pub(crate) fn cover(&self, a: &[u8], b: &[u8]) -> bool {
        let differ = (0..a.len().min(b.len())).filter(|at| a[*at] != b[*at]);
        let mut differ = differ.collect::<Vec<_>>().into_iter();
        differ.all(|at| (at.saturating_sub(3)..=at).any(|start| self.is_one(start)))
    }
}

/// Numbers that are the same in each run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number below another.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % limit.max(1)
    }
}

/// A copy with one kind of damage; `None` if the file has nothing that can be damaged so.
pub(crate) fn damaged(bytes: &[u8], words: &Words, kind: usize, numbers: &mut Numbers) -> Option<Damaged> {
    let mut copy = bytes.to_vec();
    if kind == 11 {
        copy.truncate(bytes.len() / 20 + numbers.below(bytes.len() * 19 / 20));
        return Some(Damaged { bytes: copy, word: None });
    }
    let is_size = kind < 7;
    let count = if is_size { words.sizes.len() } else { words.counts.len() };
    if count == 0 {
        return None;
    }
    let choice = numbers.below(count);
    let (at, next) = if is_size { words.sizes[choice] } else { (words.counts[choice], 0) };
    let field: &mut [u8; 4] = copy.get_mut(at..)?.first_chunk_mut()?;
    let old = u32::from_le_bytes(*field);
    let step = u32::try_from(4 + 4 * numbers.below(16)).ok()?;
    let new = match kind {
        0 => old.wrapping_add(step),
        1 => old.wrapping_sub(step.min(old & 0x7FFF_FFFF)),
        2 => old ^ 0x8000_0000,
        3 | 10 => 0,
        4 | 9 => 0x7FFF_FFFF,
        5 => (old & 0x8000_0000) | u32::try_from(next.checked_sub(at + 4)?).ok()?,
        6 => u32::try_from(numbers.below(bytes.len())).ok()?,
        7 => old.wrapping_add(1),
        _ => old.wrapping_sub(1),
    };
    *field = new.to_le_bytes();
    (new != old).then_some(Damaged { bytes: copy, word: Some(at) })
}
