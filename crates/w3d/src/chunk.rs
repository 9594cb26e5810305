//! Rows of the chunk table, and the framing of chunks and micro-chunks.

use record::{Body, Finding, Framing, Kind, LEFTOVER, Node, Severity};

record::open_flags! {
    /// The games whose tools or engines know a chunk.
    pub flags Games: u16 {
        0x1 EARLY "Westwood's tools before the first game (1997-1999)",
        0x2 RENEGADE "C&C Renegade",
        0x4 EARTH_AND_BEYOND "Earth & Beyond",
        0x8 GENERALS "C&C Generals",
        0x10 ZERO_HOUR "C&C Generals: Zero Hour",
        0x20 BFME "The Battle for Middle-earth",
        0x40 BFME2 "The Battle for Middle-earth II",
        0x80 TT4 "Tiberian Technologies, Scripts 4.x",
        0x100 TT5 "Tiberian Technologies, Scripts 5.x",
    }
}

impl Games {
    /// Every game.
    pub(crate) const ALL: Self = Self::new(0x1FE);
    /// Only files older than the games; some loaders still read them.
    pub(crate) const OLD: Self = Self::new(0x1);
    /// Zero Hour and the later games of EA.
    pub(crate) const SAGE: Self = Self::new(0x70);
    /// Earth & Beyond, Zero Hour and the later games of EA.
    pub(crate) const EXTRA: Self = Self::new(0x74);
    /// The Battle for Middle-earth games and Tiberian Technologies.
    pub(crate) const SMOOTH: Self = Self::new(0x1E0);
    /// BFME II and Tiberian Technologies.
    pub(crate) const FX: Self = Self::new(0x1C0);
    /// Tiberian Technologies 5.x.
    pub(crate) const FIVE: Self = Self::new(0x100);
    /// Tiberian Technologies.
    pub(crate) const TT: Self = Self::new(0x180);
}

/// Number of elements that a chunk should hold according to another chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Not determined by another chunk.
    Free,
    /// One per vertex of the mesh.
    PerVertex,
    /// One per triangle of the mesh.
    PerTriangle,
    /// One for all, or one per vertex.
    OneOrPerVertex,
    /// One for all, or one per triangle.
    OneOrPerTriangle,
    /// One per pivot of the hierarchy.
    PerPivot,
    /// The value of a field of a sibling header.
    Header(&'static str),
}

/// A row of the chunk table with the type of what the chunk holds: `Handle<[Vec3]>` for
/// [`VERTICES`](crate::table::VERTICES). See [`record::Handle`].
pub type Handle<T> = record::Handle<T, Chunk>;

/// One row of the chunk table: a chunk id and its meaning within its parents.
#[derive(Debug)]
pub struct Chunk {
    /// Id, name, documentation and slots.
    pub kind: Kind,
    /// This kind and its alternatives. A sibling decides which one applies.
    pub kinds: &'static [&'static Kind],
    /// Names of its parents; `FILE` is the top level.
    pub parents: &'static [&'static str],
    /// The games that know it.
    pub games: Games,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// Number of elements that it should hold.
    pub rule: Rule,
    /// Content of its body.
    pub shape: Shape,
}

/// Content of a chunk's body.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Bytes.
    Leaf,
    /// Chunks. If a scope is given, only its ids are valid.
    Branch(Option<Scope>),
    /// A record, then chunks.
    Prefixed(&'static Kind),
    /// Micro-chunks.
    Micro(Scope),
}

/// The chunks or micro-chunks whose ids are valid only inside one chunk.
pub type Scope = &'static [&'static Chunk];

/// A row can be used as its kind.
impl std::ops::Deref for Chunk {
    type Target = Kind;

    fn deref(&self) -> &Kind {
        &self.kind
    }
}

/// A chunk header: id, then size. The top bit of the size means that the body consists of chunks. Loaders never test it.
/// Real files have it wrong in both directions: files from before September 1999 lack it, and BFME II sets it on some
/// strings.
pub(crate) struct ChunkFraming;

/// The bit that says "contains chunks".
pub(crate) const CONTAINER_BIT: u32 = 0x8000_0000;

impl Framing for ChunkFraming {
    fn word(&self) -> &'static str {
        "chunk"
    }

    fn header_len(&self) -> usize {
        8
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        let size = u32::try_from(body_len).ok().filter(|size| *size < CONTAINER_BIT)?;
        let word = expected_word(node, size).wrapping_add(node.size_delta);
        header[..4].copy_from_slice(&node.id.to_le_bytes());
        header[4..].copy_from_slice(&word.to_le_bytes());
        Some(())
    }

    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        let size = u32::try_from(node.body_len()).ok()?;
        let expected = expected_word(node, size);
        let word = expected.wrapping_add(node.size_delta);
        let declared = word & !CONTAINER_BIT;
        Some(if declared < size {
            let short = size - declared;
            (
                "FRAME-004",
                Severity::Warning,
                format!(
                    "the size field is {short} bytes too small: it says {declared}, but the chunks inside need {size}"
                ),
            )
        } else if declared > size {
            let last = node.children().last();
            // Published models have such sizes too, and engines stop at the end of the file.
            let is_complete = last.is_some_and(|last| last.size_delta == 0 && !last.is(&LEFTOVER));
            let reason = if is_complete {
                format!(
                    "the chunks inside end after {size}: the size is wrong, or the file was cut off between two chunks"
                )
            } else {
                format!("only {size} are there: the file is cut off or damaged")
            };
            ("FRAME-001", Severity::Error, format!("the size field says {declared} bytes, but {reason}"))
        } else if word & CONTAINER_BIT == 0 {
            (
                "FRAME-002",
                Severity::Info,
                "the container bit of the size field is not set, as in files before September 1999"
                    .to_owned(),
            )
        } else if node.children().iter().any(|child| child.is(&LEFTOVER)) {
            // Its damaged child chunks are reported separately.
            return None;
        } else {
            (
                "FRAME-003",
                Severity::Info,
                "the container bit of the size field is set, but there are no chunks inside, as in strings of BFME II".to_owned(),
            )
        })
    }
}

/// The size field that current exporters write: they set the bit as soon as a child chunk begins.
pub(crate) fn expected_word(node: &Node<'_>, size: u32) -> u32 {
    let holds_chunks = match &node.body {
        Body::Leaf(_) => false,
        Body::Branch(children) => children.iter().any(|child| child.kind.framing.header_len() == 8),
    };
    if holds_chunks { size | CONTAINER_BIT } else { size }
}

/// A micro-chunk header: one byte of id, one of size.
pub(crate) struct MicroFraming;

impl Framing for MicroFraming {
    fn word(&self) -> &'static str {
        "micro"
    }

    fn header_len(&self) -> usize {
        2
    }

    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        header[0] = u8::try_from(node.id).ok()?;
        header[1] = u8::try_from(body_len).ok()?;
        Some(())
    }

    fn explain_size_delta(&self, _: &Node<'_>) -> Option<Finding> {
        None
    }
}
