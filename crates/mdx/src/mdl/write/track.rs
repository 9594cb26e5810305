//! Tracks.

use record::{Node, U32};

use super::{Writer, word_of};
use crate::Dialect;
use crate::mdl::number;
use crate::records::{SimpleTrackHeader, TrackHeader};
use crate::tracks::{Games, Layout, Owner, TrackRow, ValueType, tags, track_of, track_row};

/// The words of the interpolations.
pub(in crate::mdl) const INTERPOLATIONS: [&str; 4] = ["DontInterp", "Linear", "Hermite", "Bezier"];

/// The track of this owner with this word, ignoring case; `group` distinguishes the two translations of a camera.
pub(in crate::mdl) fn by_word(owner: Owner, group: &str, word: &[u8]) -> Option<&'static TrackRow> {
    let row = track_of(owner, Dialect::Warcraft, std::str::from_utf8(word).ok()?)?;
    if row.tag == tags::KCTR && group == "Target" { track_row(tags::KTTR) } else { Some(row) }
}

/// The row of a track that can be expressed in a block of this owner.
pub(super) fn sayable(track: &Node<'_>, owner: Option<Owner>) -> Option<&'static TrackRow> {
    let row = track_row(track.id)?;
    let layout = row.layout(track.kind)?;
    let ours = owner.is_some_and(|owner| row.owners.contains(&owner)) && row.games != Games::Wow;
    let plain = match row.value {
        ValueType::Event => layout == Layout::Simple,
        _ => matches!(layout, Layout::Plain | Layout::Tangents),
    };
    (ours && plain).then_some(row)
}

impl Writer {
    /// A track; `slot` comes after the number of keys.
    pub(super) fn track(
        &mut self,
        depth: usize,
        track: &Node<'_>,
        row: &'static TrackRow,
        word: &str,
        slot: Option<u32>,
    ) {
        let size = track.kind.slots.last().map_or(4, |slot| slot.item.size());
        let fixed = if row.value == ValueType::Event {
            size_of::<SimpleTrackHeader>()
        } else {
            size_of::<TrackHeader>()
        };
        let (header, keys) = track.bytes().split_at_checked(fixed).unwrap_or_default();
        self.exact &= track.size_delta == 0 && header.len() == fixed && keys.len() % size == 0;
        self.word(depth, word);
        self.put(&format!("{} ", keys.len() / size));
        if let Some(slot) = slot {
            self.put(&format!("<= {slot} "));
        }
        self.put("{\n");
        let global = if row.value == ValueType::Event {
            word_of(header)
        } else {
            let interpolation = word_of(header);
            let tangents = row.layout(track.kind) == Some(Layout::Tangents);
            let spelled = match (tangents, interpolation) {
                (false, 0 | 1) | (true, 2 | 3) => interpolation,
                (tangents, _) => {
                    self.exact = false;
                    1 + u32::from(tangents)
                }
            };
            self.indent(depth + 1);
            self.put(INTERPOLATIONS[spelled as usize & 3]);
            self.put(",\n");
            word_of(header.get(4..).unwrap_or_default())
        };
        if global != u32::MAX {
            self.word(depth + 1, "GlobalSeqId");
            number::write_integer(global.cast_signed(), &mut self.out);
            self.put(",\n");
        }
        match row.value {
            ValueType::Event => {
                for time in keys.chunks_exact(4) {
                    self.indent(depth + 1);
                    number::write_integer(word_of(time).cast_signed(), &mut self.out);
                    self.put(",\n");
                }
            }
            ValueType::Integer => self.keys(depth + 1, keys, size, 4, |writer, value| {
                number::write_integer(
                    value.first_chunk().map_or(0, |word| U32::from_bytes(*word).get()).cast_signed(),
                    &mut writer.out,
                );
            }),
            ValueType::Float => self.keys(depth + 1, keys, size, 4, Self::float),
            ValueType::Vector => self.keys(depth + 1, keys, size, 12, Self::floats),
            ValueType::Quaternion => self.keys(depth + 1, keys, size, 16, Self::floats),
        }
        self.line(depth, "}");
    }

    #[inline]
    fn keys(
        &mut self,
        depth: usize,
        keys: &[u8],
        size: usize,
        value: usize,
        write: impl Fn(&mut Self, &[u8]),
    ) {
        for key in keys.chunks_exact(size) {
            self.indent(depth);
            number::write_integer(word_of(key).cast_signed(), &mut self.out);
            self.put(": ");
            write(self, &key[4..4 + value]);
            self.put(",\n");
            if size > 4 + value {
                for (word, at) in [("InTan", 4 + value), ("OutTan", 4 + 2 * value)] {
                    self.word(depth + 1, word);
                    write(self, &key[at..at + value]);
                    self.put(",\n");
                }
            }
        }
    }
}
