//! Keys of one track as times and bytes, so that what is not changed stays as it is.

use mdx::records::{SimpleTrackHeader, TrackHeader};
use mdx::view::Track;
use record::Node;

/// One key: its time, and its value and tangents as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawKey {
    pub(crate) time: i32,
    pub(crate) value: Vec<u8>,
}

/// The length of the header before the keys, and of one key; `None` if a node is not a track.
fn layout(node: &Node<'_>) -> Option<(usize, usize)> {
    Track::new(node)?;
    let head = if node.value::<TrackHeader>().is_some() {
        size_of::<TrackHeader>()
    } else {
        size_of::<SimpleTrackHeader>()
    };
    let size = node.kind.slots.last()?.item.size();
    (size >= 4).then_some((head, size))
}

/// The keys of a track, in stored order; empty for other nodes.
pub(crate) fn keys(node: &Node<'_>) -> Vec<RawKey> {
    let Some((head, size)) = layout(node) else { return Vec::new() };
    let bytes = node.bytes().get(head..).unwrap_or_default();
    bytes
        .chunks_exact(size)
        .filter_map(|key| {
            let (time, value) = key.split_first_chunk()?;
            Some(RawKey { time: i32::from_le_bytes(*time), value: value.to_vec() })
        })
        .collect()
}

/// Replaces the keys of a track.
pub(crate) fn set_keys(node: &mut Node<'_>, keys: &[RawKey]) {
    let Some((head, size)) = layout(node) else { return };
    let Some(bytes) = node.bytes_mut() else { return };
    let end = head + (bytes.len().saturating_sub(head) / size) * size;
    let new: Vec<u8> = keys
        .iter()
        .flat_map(|key| key.time.to_le_bytes().into_iter().chain(key.value.iter().copied()))
        .collect();
    bytes.splice(head..end, new);
}

/// Whether a node is a track on the time line of the sequences.
pub(crate) fn is_on_time_line(node: &Node<'_>) -> bool {
    Track::new(node).is_some_and(|track| track.global_sequence().is_none())
}

/// Calls `see` for every track on the time line of the sequences, event tracks included.
pub(crate) fn each_track<'a>(root: &mut Node<'a>, see: &mut dyn FnMut(&mut Node<'a>)) {
    crate::references::each(root, &mut |node| {
        if is_on_time_line(node) {
            see(node);
        }
    });
}
