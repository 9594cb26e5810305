//! Parses bytes into a tree of chunks.
//!
//! The table decides which chunks hold chunks, never the top bit of the size word alone. For an unknown id, the bit decides
//! if the body can then be split into whole chunks. Nothing is repaired, and every byte ends up in exactly one node:
//!
//! * A chunk whose size field is too small for its last child is read as long as that child says, as the engines do: they go
//!   by the child's own size. The difference is kept.
//! * A chunk whose size field is so large that it covers the chunks after it ends before the first chunk that does not belong in it, but
//!   where it would be without the chunk's size. The difference is kept.
//! * A truncated chunk keeps the bytes that exist, and the difference to its declared size.
//! * Trailing bytes of a parent that are not a whole chunk become a `LEFTOVER` node.
//! * Chunks nested deeper than [`MAX_DEPTH`], and micro-chunks beyond [`MAX_MICROS`], are kept as bytes.

use std::cell::Cell;
use std::ops::Range;

use record::zerocopy::FromBytes;
use record::{Body, LEFTOVER, Node, U32};

use crate::chunk::{CONTAINER_BIT, Chunk, Scope, Shape, expected_word};
use crate::names::{Flavor, ShaderClass};
use crate::records::CompressedAnimationHeader;
use crate::table::{self, ids};

/// Maximum depth of nested chunks; deeper chunks are kept as bytes. Real files nest 6 deep, the engines allow 256. JSON
/// readers have this limit.
pub const MAX_DEPTH: usize = 48;

/// Maximum number of micro-chunks of a file; chunks beyond it stay bytes. A micro-chunk takes 2 bytes in a file and 50 in memory.
/// Real files have some hundred.
const MAX_MICROS: usize = 500_000;

/// State from earlier siblings that decides the kind of a chunk.
#[derive(Clone, Copy, Default)]
struct Context {
    flavor: Flavor,
    shader: ShaderClass,
}

pub(crate) fn file(bytes: &[u8]) -> Node<'_> {
    let reader = Reader { bytes, checks: Cell::new(bytes.len() / 8 + 64), micros: Cell::new(MAX_MICROS) };
    let root = Frame { end: bytes.len(), name: table::FILE.name, scope: None, up: None };
    Node::branch(&table::FILE, 0, reader.chunks(0, &root, Context::default(), 0).0)
}

/// A chunk that is being read: its end, and the chunks that belong in it.
#[derive(Clone, Copy)]
struct Frame<'f> {
    end: usize,
    name: &'static str,
    scope: Option<Scope>,
    up: Option<&'f Frame<'f>>,
}

impl Frame<'_> {
    /// Whether a chunk of this id belongs here.
    fn takes(&self, id: u32) -> bool {
        match self.scope {
            Some(scope) => table::find(Some(scope), id).is_some(),
            None => table::find(None, id).is_some_and(|row| row.parents.contains(&self.name)),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// How many more headers may be examined to decide which of two sizes is wrong. Without a limit, a file that consists
    /// of wrong sizes would take quadratic time.
    checks: Cell<usize>,
    /// How many more micro-chunks there may be.
    micros: Cell<usize>,
}

/// A chunk header and the end of its body, if the end is within the bytes.
struct Header {
    id: u32,
    word: u32,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let ([id, word], _) = <[U32; 2]>::ref_from_prefix(bytes).ok()?;
        Some(Self { id: id.get(), word: word.get() })
    }

    /// The body's declared length.
    fn size(&self) -> usize {
        (self.word & !CONTAINER_BIT) as usize
    }
}

impl<'a> Reader<'a> {
    /// The chunks from `start` to the end of `frame`, and their real end, which is after the end of the frame if its size
    /// is too small for its last child.
    fn chunks(
        &self,
        start: usize,
        frame: &Frame<'_>,
        mut context: Context,
        depth: usize,
    ) -> (Vec<Node<'a>>, usize) {
        let mut frame = *frame;
        let mut nodes = Vec::with_capacity(count(&self.bytes[start..frame.end]));
        let mut at = start;
        while let Some(header) = Header::read(&self.bytes[at..frame.end]) {
            if !nodes.is_empty() && self.ends_before(&frame, at, &header) {
                frame.end = at;
                break;
            }
            let row = row(frame.scope, header.id, context);
            let body = at + 8;
            let mut body_end = body.saturating_add(header.size());
            if body_end > frame.end {
                match self.true_end(&frame, body_end).filter(|_| frame.takes(header.id)) {
                    Some(end) => frame.end = end,
                    None if row.is_none() => break,
                    None => body_end = frame.end,
                }
            }
            let (node, after) = self.chunk(&header, row, body..body_end, &frame, context, depth);
            match node.id {
                ids::COMPRESSED_ANIMATION_HEADER if frame.scope.is_none() => {
                    context.flavor = node
                        .value::<CompressedAnimationHeader>()
                        .map(|header| header.flavor)
                        .unwrap_or_default();
                }
                ids::SHDSUBMESH_SHADER_CLASSID if frame.scope.is_none() => {
                    context.shader = node.value::<ShaderClass>().copied().unwrap_or_default();
                }
                _ => {}
            }
            nodes.push(node);
            at = after;
            frame.end = frame.end.max(after);
        }
        if at < frame.end {
            nodes.push(Node::leaf(&LEFTOVER, 0, &self.bytes[at..frame.end]));
        }
        (nodes, frame.end)
    }

    /// The real end of a chunk whose child ends at `child_end`, after the end that the chunk declares. `None` if the
    /// child's size is the wrong one.
    ///
    /// The child's size is right if the file continues validly after the child, but not after the declared end of the
    /// chunk.
    fn true_end(&self, frame: &Frame<'_>, child_end: usize) -> Option<usize> {
        // The larger size has to fit the size word.
        if child_end > self.bytes.len() || self.bytes.len() >= CONTAINER_BIT as usize {
            return None;
        }
        let mut ancestor = frame.up?;
        while ancestor.end < child_end {
            ancestor = ancestor.up?;
        }
        // Engines continue to read children after the one that overran.
        let mut end = child_end;
        while let Some(header) = Header::read(&self.bytes[end..ancestor.end])
            && frame.takes(header.id)
            && !ancestor.takes(header.id)
            && header.size() <= ancestor.end - end - 8
        {
            end += 8 + header.size();
        }
        let right = self.goes_on(ancestor, end) && !self.ends_well(frame);
        (right && self.checks.get() > 0).then_some(end)
    }

    /// Whether a chunk ends before the child at `at`, although its size says otherwise: the child does not belong in it, but in a chunk
    /// around it, and everything from there on fits there.
    fn ends_before(&self, frame: &Frame<'_>, at: usize, header: &Header) -> bool {
        // Zeros look like empty meshes.
        let is_zero = header.id == ids::MESH && header.size() == 0;
        if frame.up.is_none() || frame.name.is_empty() || is_zero || frame.takes(header.id) {
            return false;
        }
        let mut ancestors = std::iter::successors(frame.up, |frame| frame.up);
        ancestors.find(|frame| frame.takes(header.id)).is_some_and(|frame| self.goes_on(frame, at))
    }

    /// Whether the data after a chunk's declared end is valid there.
    fn ends_well(&self, frame: &Frame<'_>) -> bool {
        match frame.up {
            Some(up) if up.end == frame.end => self.ends_well(up),
            Some(up) => self.goes_on(up, frame.end),
            None => true,
        }
    }

    /// Whether all bytes from `at` on are whole chunks that belong in `frame`.
    fn goes_on(&self, frame: &Frame<'_>, mut at: usize) -> bool {
        while let Some(header) = self.bytes.get(at..frame.end).and_then(Header::read) {
            let Some(left) = self.checks.get().checked_sub(1) else { return false };
            self.checks.set(left);
            if !frame.takes(header.id) {
                return false;
            }
            at = at.saturating_add(8).saturating_add(header.size());
        }
        at == frame.end
    }

    /// Whether a body may be divided into micro-chunks. Their number is subtracted from the remaining limit.
    fn takes_micros(&self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        let mut left = self.micros.get();
        while let [_, size, ahead @ ..] = rest {
            let Some(fewer) = left.checked_sub(1) else { return false };
            left = fewer;
            rest = ahead.get(usize::from(*size)..).unwrap_or_default();
        }
        self.micros.set(left);
        true
    }

    /// A chunk with this body, and its real end.
    fn chunk(
        &self,
        header: &Header,
        row: Option<&'static Chunk>,
        body: Range<usize>,
        parent: &Frame<'_>,
        context: Context,
        depth: usize,
    ) -> (Node<'a>, usize) {
        let kind = match row {
            Some(row)
                if row.id == ids::COMPRESSED_ANIMATION_CHANNEL
                    && context.flavor == Flavor::ADAPTIVE_DELTA =>
            {
                &table::ADAPTIVE_DELTA_CHANNEL
            }
            Some(row) => &row.kind,
            None => &table::UNKNOWN,
        };
        let bytes = &self.bytes[body.clone()];
        let mut end = body.end;
        let mut branch = |start: usize, scope: Option<Scope>| {
            let frame = Frame { end: body.end, name: kind.name, scope, up: Some(parent) };
            let nodes;
            (nodes, end) = self.chunks(start, &frame, context, depth + 1);
            nodes
        };
        let content = match row.map(|row| row.shape) {
            _ if depth >= MAX_DEPTH => Body::Leaf(bytes.into()),
            Some(Shape::Leaf) => Body::Leaf(bytes.into()),
            Some(Shape::Branch(scope)) => Body::Branch(branch(body.start, scope)),
            Some(Shape::Prefixed(prefix)) => {
                let size = prefix.slots.iter().map(|slot| slot.item.size()).sum();
                match bytes.get(..size) {
                    None => Body::Leaf(bytes.into()),
                    Some(record) => {
                        let mut nodes = vec![Node::leaf(prefix, 0, record)];
                        nodes.extend(branch(body.start + size, None));
                        Body::Branch(nodes)
                    }
                }
            }
            Some(Shape::Micro(scope)) if self.takes_micros(bytes) => Body::Branch(micros(bytes, scope)),
            Some(Shape::Micro(_)) => Body::Leaf(bytes.into()),
            None if header.word & CONTAINER_BIT != 0 && tiles(bytes) => {
                Body::Branch(branch(body.start, None))
            }
            None => Body::Leaf(bytes.into()),
        };
        let mut node = Node { kind, id: header.id, size_delta: 0, body: content };
        // A body is not longer than its size word says, and a file's length fits 31 bits.
        node.size_delta = header.word.wrapping_sub(expected_word(&node, (end - body.start) as u32));
        (node, end)
    }
}

/// The number of chunks that the bytes divide into, plus one for trailing bytes.
fn count(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while let Some(header) = Header::read(bytes) {
        count += 1;
        bytes = bytes.get(8 + header.size()..).unwrap_or_default();
    }
    count + usize::from(!bytes.is_empty())
}

/// The row of an id. If a sibling decides the meaning of the id, the row that it selected.
fn row(scope: Option<Scope>, id: u32, context: Context) -> Option<&'static Chunk> {
    use table::shader_def;
    match (id, context.shader) {
        (shader_def::ids::SIMPLE_VARIABLES, ShaderClass::BUMPDIFF) if scope.is_some() => {
            Some(&shader_def::BUMPDIFF_VARIABLES)
        }
        (shader_def::ids::SIMPLE_VARIABLES, ShaderClass::BUMPSPEC) if scope.is_some() => {
            Some(&shader_def::BUMPSPEC_VARIABLES)
        }
        _ => table::find(scope, id),
    }
}

/// Whether the bytes are whole chunks to the end.
fn tiles(mut bytes: &[u8]) -> bool {
    while let Some(header) = Header::read(bytes) {
        let Some(rest) = bytes.get(8 + header.size()..) else { return false };
        bytes = rest;
    }
    bytes.is_empty()
}

fn micros(bytes: &[u8], scope: Scope) -> Vec<Node<'_>> {
    let mut nodes = Vec::new();
    let mut rest = bytes;
    while let [id, size, ahead @ ..] = rest {
        let Some((body, after)) = ahead.split_at_checked(usize::from(*size)) else { break };
        let id = u32::from(*id);
        let kind = table::find(Some(scope), id).map_or(&table::UNKNOWN_MICRO, |row| &row.kind);
        nodes.push(Node::leaf(kind, id, body));
        rest = after;
    }
    if !rest.is_empty() {
        nodes.push(Node::leaf(&LEFTOVER, 0, rest));
    }
    nodes
}
