//! Bytes to a tree.
//!
//! What holds chunks is decided by the table, never by the top bit of the size word alone; for an id that no table knows, the
//! bit decides if the body then divides into whole chunks. Nothing is repaired, and every byte ends up in exactly one place:
//!
//! * A chunk that declares more than its parent has left keeps what there is, and the difference.
//! * What is no whole chunk at the end of a parent is a leftover.
//! * Nesting beyond [`MAX_DEPTH`] stays bytes.

use record::zerocopy::FromBytes;
use record::{Body, Kind, LEFTOVER, Node, U32};

use crate::chunk::{CONTAINER_BIT, Chunk, Scope, Shape, expected_word};
use crate::names::{Flavor, ShaderClass};
use crate::records::CompressedAnimationHeader;
use crate::table;

/// How deep chunks may be nested before the rest is kept as bytes. Real files nest 6 deep, the engines allow 256; this is what
/// JSON readers take.
pub const MAX_DEPTH: usize = 48;

/// What a sibling said that decides what a chunk is.
#[derive(Clone, Copy, Default)]
struct Context {
    flavor: Flavor,
    shader: ShaderClass,
}

pub(crate) fn file(bytes: &[u8]) -> Node<'_> {
    Node::branch(&table::FILE, 0, chunks(bytes, None, Context::default(), 0))
}

/// One chunk header and where its body ends, if that is within the bytes.
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

fn chunks<'a>(bytes: &'a [u8], scope: Option<Scope>, mut context: Context, depth: usize) -> Vec<Node<'a>> {
    let mut nodes = Vec::with_capacity(count(bytes));
    let mut rest = bytes;
    while let Some(header) = Header::read(rest) {
        let row = row(scope, header.id, context);
        let ahead = &rest[8..];
        let size = header.size();
        if size > ahead.len() && row.is_none() {
            break;
        }
        let (body, after) = ahead.split_at(size.min(ahead.len()));
        let node = chunk(&header, row, body, context, depth);
        match node.id {
            0x281 if scope.is_none() => {
                context.flavor =
                    node.value::<CompressedAnimationHeader>().map(|header| header.flavor).unwrap_or_default();
            }
            0xB41 if scope.is_none() => {
                context.shader = node.value::<ShaderClass>().copied().unwrap_or_default();
            }
            _ => {}
        }
        nodes.push(node);
        rest = after;
    }
    if !rest.is_empty() {
        nodes.push(Node::leaf(&LEFTOVER, 0, rest));
    }
    nodes
}

/// How many chunks the bytes divide into, plus one for what may be left.
fn count(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while let Some(header) = Header::read(bytes) {
        count += 1;
        bytes = bytes.get(8 + header.size()..).unwrap_or_default();
    }
    count + usize::from(!bytes.is_empty())
}

/// The row of an id; for those whose meaning a sibling decides, the one that it decided.
fn row(scope: Option<Scope>, id: u32, context: Context) -> Option<&'static Chunk> {
    use table::shader_def;
    match (id, context.shader) {
        (0x1649_0450, ShaderClass::BUMPDIFF) if scope.is_some() => Some(&shader_def::BUMPDIFF_VARIABLES),
        (0x1649_0450, ShaderClass::BUMPSPEC) if scope.is_some() => Some(&shader_def::BUMPSPEC_VARIABLES),
        _ => table::find(scope, id),
    }
}

fn chunk<'a>(
    header: &Header,
    row: Option<&'static Chunk>,
    body: &'a [u8],
    context: Context,
    depth: usize,
) -> Node<'a> {
    let kind = match row {
        Some(row) if row.id == 0x282 && context.flavor == Flavor::ADAPTIVE_DELTA => {
            &table::ADAPTIVE_DELTA_CHANNEL
        }
        Some(row) => &row.kind,
        None => &table::UNKNOWN,
    };
    let content = match row.map(|row| row.shape) {
        _ if depth >= MAX_DEPTH => Body::Leaf(body.into()),
        Some(Shape::Leaf) => Body::Leaf(body.into()),
        Some(Shape::Branch(scope)) => Body::Branch(chunks(body, scope, context, depth + 1)),
        Some(Shape::Prefixed(prefix)) => prefixed(prefix, body, context, depth),
        Some(Shape::Micro(scope)) => Body::Branch(micros(body, scope)),
        None if header.word & CONTAINER_BIT != 0 && tiles(body) => {
            Body::Branch(chunks(body, None, context, depth + 1))
        }
        None => Body::Leaf(body.into()),
    };
    let mut node = Node { kind, id: header.id, quirk: 0, body: content };
    // A body is never longer than its size word said, so it fits 31 bits.
    node.quirk = header.word.wrapping_sub(expected_word(&node, body.len() as u32));
    node
}

/// A record, then chunks in the same body.
fn prefixed<'a>(prefix: &'static Kind, body: &'a [u8], context: Context, depth: usize) -> Body<'a> {
    let size = prefix.slots.iter().map(|slot| slot.item.size()).sum();
    match body.split_at_checked(size) {
        None => Body::Leaf(body.into()),
        Some((record, rest)) => {
            let mut nodes = vec![Node::leaf(prefix, 0, record)];
            nodes.extend(chunks(rest, None, context, depth + 1));
            Body::Branch(nodes)
        }
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
