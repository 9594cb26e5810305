//! Bytes to trees. Parsing selects kinds and divides bytes. Nothing is copied, repaired or dropped, and bytes that match
//! no kind stay as [`LEFTOVER`].

#![deny(clippy::arithmetic_side_effects)]

mod geoset;
mod objects;
mod sniff;
mod track;

use std::cell::Cell;

use record::{Cursor, Kind, LEFTOVER, Node, Pod};

use crate::chunks::{Content, Shape, chunk_row};
use crate::frame::MAGIC;
use crate::kinds;
use crate::records::{MdlVisGroupCount, MdlVisKind};
use crate::tracks::{Owner, track_row};
use crate::{Dialect, Gates};

pub(crate) use sniff::{Sniffed, refuse, sniff};

/// The tree of a file that starts with the magic.
pub(crate) fn tree(bytes: &[u8], sniffed: Sniffed) -> Node<'_> {
    let Sniffed { version, dialect } = sniffed;
    let parser = Parser { dialect, gates: Gates::of(dialect, version), retries: Cell::new(MAX_RETRIES) };
    let body = bytes.get(MAGIC.len()..).unwrap_or_default();
    Node::branch(&kinds::MDLX, 0, parser.chunks(body))
}

/// Maximum number of failed attempts to re-read objects with a wrong size; the rest is accepted as stored. Without a
/// limit, a file that consists of such objects would take quadratic time.
const MAX_RETRIES: u32 = 64;

/// State of the parser.
struct Parser {
    dialect: Dialect,
    gates: Gates,
    /// Remaining number of failed attempts.
    retries: Cell<u32>,
}

/// The parts so far.
type Parts<'a> = Vec<Node<'a>>;

/// Takes the next record as a part; `None` if it does not fit.
fn part<'a, T: Pod>(cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, kind: &'static Kind) -> Option<&'a T> {
    let ahead = cursor.rest();
    let value = cursor.read::<T>()?;
    parts.push(Node::leaf(kind, 0, &ahead[..size_of::<T>()]));
    Some(value)
}

/// Keeps the remaining bytes.
fn leftover<'a>(bytes: &'a [u8], parts: &mut Parts<'a>) {
    if !bytes.is_empty() {
        parts.push(Node::leaf(&LEFTOVER, 0, bytes));
    }
}

/// Takes an object that starts with its own size. The size word is limited by the remaining bytes. Returns body and
/// size_delta. `None` if no such object can start here: a track's tag instead of a size means that something was misread.
fn sized<'a>(cursor: &mut Cursor<'a>) -> Option<(&'a [u8], u32)> {
    let stored = cursor.peek_u32().filter(|stored| track_row(*stored).is_none())?;
    let inside = usize::try_from(stored).ok()?.checked_sub(4)?;
    cursor.u32()?;
    let body = cursor.take(inside.min(cursor.rest().len()))?;
    Some((body, size_delta_of(stored, body.len())))
}

/// The stored inclusive size minus the actual one.
fn size_delta_of(stored: u32, body: usize) -> u32 {
    stored.wrapping_sub(4).wrapping_sub(u32::try_from(body).unwrap_or(u32::MAX))
}

/// The parts of MdlVis' chunk after its kind; `None` if it ends early.
fn mdlvis<'a>(cursor: &mut Cursor<'a>, parts: &mut Parts<'a>) -> Option<()> {
    let kind = parts.first()?.value::<MdlVisKind>()?.kind.get();
    match kind {
        0 => {
            let rest = cursor.rest().len();
            let whole = rest.saturating_sub(rest % 4);
            parts.push(Node::leaf(&kinds::MDLVIS_GEOSETS, 0, cursor.take(whole)?));
        }
        1 => {
            let count = part::<MdlVisGroupCount>(cursor, parts, &kinds::MDLVIS_GROUP_COUNT)?.count.get();
            for _ in 0..count {
                geoset::list(cursor, parts, &kinds::MDLVIS_GROUP)?;
            }
            geoset::list(cursor, parts, &kinds::MDLVIS_NORMALS)?;
        }
        _ => {}
    }
    Some(())
}

impl Parser {
    fn chunks<'a>(&self, bytes: &'a [u8]) -> Parts<'a> {
        let mut cursor = Cursor::new(bytes);
        let mut chunks = Vec::with_capacity(24);
        while let Some(mut chunk) = self.chunk(&mut cursor) {
            if chunk.is(&kinds::LITE) {
                self.reclaim_light_tracks(&mut chunk, &mut cursor);
            }
            chunks.push(chunk);
        }
        leftover(cursor.rest(), &mut chunks);
        chunks
    }

    fn chunk<'a>(&self, cursor: &mut Cursor<'a>) -> Option<Node<'a>> {
        let mut ahead = cursor.clone();
        let (id, stored) = (ahead.u32()?, ahead.u32()?);
        let size = usize::try_from(stored).ok()?.min(ahead.rest().len());
        let body = ahead.take(size)?;
        *cursor = ahead;
        let content = chunk_row(id).map_or(Content::Unknown, |row| row.content(self.dialect));
        let mut chunk = match content {
            Content::Unknown => Node::leaf(&kinds::UNKNOWN_CHUNK, id, body),
            Content::Leaf(kind) => Node::leaf(kind, id, body),
            Content::Objects(kind, count, shape) => Node::branch(kind, id, self.objects(body, count, shape)),
        };
        chunk.size_delta = stored.wrapping_sub(u32::try_from(size).unwrap_or(u32::MAX));
        Some(chunk)
    }

    fn objects<'a>(&self, body: &'a [u8], count: Option<&'static Kind>, shape: Shape) -> Parts<'a> {
        let mut cursor = Cursor::new(body);
        let mut parts = Vec::new();
        if let Some(kind) = count {
            let size = kind.slots.first().map_or(0, |slot| slot.item.size());
            match cursor.take(size) {
                Some(bytes) => parts.push(Node::leaf(kind, 0, bytes)),
                None => {
                    leftover(cursor.rest(), &mut parts);
                    return parts;
                }
            }
        }
        match shape {
            Shape::CollisionMesh => self.collision_mesh(&mut cursor, &mut parts),
            Shape::MdlVis => {
                mdlvis(&mut cursor, &mut parts);
            }
            Shape::Geoset if self.gates.has(crate::Gate::GeosetBatches) => {
                self.batches(&mut cursor, &mut parts);
            }
            _ => {
                while let Some(object) = self.object(&mut cursor, shape) {
                    parts.push(object);
                    if let Some(object) = parts.last_mut()
                        && cursor.peek_u32().is_some_and(|tag| track_row(tag).is_some())
                    {
                        self.reclaim_tracks(object, &mut cursor);
                    }
                }
            }
        }
        leftover(cursor.rest(), &mut parts);
        parts
    }

    /// Three known files exclude a light's tracks from the sizes of both the light and the chunk, so that they look like
    /// chunks. They directly follow the last light. They are kept there, and both sizes are recorded as wrong.
    fn reclaim_light_tracks<'a>(&self, chunk: &mut Node<'a>, cursor: &mut Cursor<'a>) {
        let is_light = |tag| track_row(tag).is_some_and(|row| row.owners.contains(&Owner::Light));
        if chunk.size_delta == 0 && cursor.peek_u32().is_some_and(is_light) {
            let last = chunk.children_mut().and_then(|objects| objects.last_mut());
            chunk.size_delta = last.map_or(0, |light| self.reclaim_tracks(light, cursor));
        }
    }

    /// Tracks directly after an object, where another object should start, belong to it: its size excludes them. Returns
    /// the size_delta of that size.
    fn reclaim_tracks<'a>(&self, object: &mut Node<'a>, cursor: &mut Cursor<'a>) -> u32 {
        let start = cursor.position();
        if object.kind.framing.word() == "object"
            && object.size_delta == 0
            && let Some(parts) = object.children_mut()
        {
            self.tracks(cursor, parts);
            let missing = u32::try_from(cursor.position().saturating_sub(start)).unwrap_or(u32::MAX);
            object.size_delta = missing.wrapping_neg();
        }
        object.size_delta
    }
}
