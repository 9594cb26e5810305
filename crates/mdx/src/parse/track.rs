//! Tracks, and their sizes.

use record::{Cursor, Kind, Node};

use super::{Parser, Parts};
use crate::Dialect;
use crate::frame::element_layout;
use crate::kinds;
use crate::tracks::{Layout, TrackRow, ValueType, track_row};

/// Bytes of tag and count.
const FRAME: usize = 8;

impl Parser {
    /// A sequence of tracks.
    pub(super) fn tracks<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>) {
        while let Some(track) = self.track(cursor) {
            parts.push(track);
        }
    }

    /// Reads a track; `None` if there is none or it does not fit.
    pub(super) fn track<'a>(&self, cursor: &mut Cursor<'a>) -> Option<Node<'a>> {
        let tag = cursor.peek_u32()?;
        let Some(row) = track_row(tag) else { return unknown_track(cursor, tag) };
        let ahead = cursor.rest();
        let kind = row.kind(self.layout(row, ahead)?);
        let length = length(kind, ahead)?;
        let track = cursor.take(length)?;
        Some(Node::leaf(kind, tag, &track[FRAME..]))
    }

    fn layout(&self, row: &'static TrackRow, ahead: &[u8]) -> Option<Layout> {
        let (plain, tangents) = match (row.value, self.dialect) {
            (ValueType::Event, _) => return Some(Layout::Simple),
            (ValueType::Quaternion, Dialect::Wow) => (Layout::Packed, Layout::PackedTangents),
            _ => (Layout::Plain, Layout::Tangents),
        };
        let interpolation = word(ahead, FRAME).unwrap_or_default();
        let fits =
            |layout: &Layout| length(row.kind(*layout), ahead).is_some_and(|length| is_end(&ahead[length..]));
        match (row.value, self.dialect) {
            // It is disputed whether texture tracks of the WoW alpha have an interpolation word; the following bytes
            // decide.
            (ValueType::Integer, Dialect::Wow) => {
                [plain, Layout::Simple, tangents].into_iter().find(fits).or(Some(plain))
            }
            _ => match interpolation {
                0 | 1 => Some(plain),
                2 | 3 => Some(tangents),
                _ => [plain, tangents].into_iter().find(fits),
            },
        }
    }
}

/// The bytes of the track that starts here, if it is of this kind and complete.
fn length(kind: &'static Kind, ahead: &[u8]) -> Option<usize> {
    let count = usize::try_from(word(ahead, 4)?).ok()?;
    let (fixed, each) = element_layout(kind);
    let length = count.checked_mul(each)?.checked_add(fixed)?.checked_add(FRAME)?;
    (length <= ahead.len()).then_some(length)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

/// Whether a track can end here: nothing follows, or another track.
fn is_end(rest: &[u8]) -> bool {
    rest.is_empty() || word(rest, 0).is_some_and(|tag| track_row(tag).is_some())
}

/// A track of unknown tag. If a value of one of the known sizes makes it end where something else begins, that is its
/// length.
fn unknown_track<'a>(cursor: &mut Cursor<'a>, tag: u32) -> Option<Node<'a>> {
    let ahead = cursor.rest();
    if tag.to_le_bytes()[0] != b'K' {
        return None;
    }
    let count = usize::try_from(word(ahead, 4)?).ok()?;
    // Time and value, or time, value and two tangents.
    let keys = if word(ahead, 8)? > 1 { [16, 40, 52, 28] } else { [8, 16, 20, 12] };
    let length = keys.into_iter().find_map(|key| {
        let length = count.checked_mul(key)?.checked_add(16)?;
        ahead.get(length..).is_some_and(is_end).then_some(length)
    })?;
    let track = cursor.take(length)?;
    Some(Node::leaf(&kinds::UNKNOWN_TRACK, tag, &track[4..]))
}
