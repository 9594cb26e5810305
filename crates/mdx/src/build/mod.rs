//! Making parts, geosets and models.
//!
//! [`ModelBuilder`] and [`GeosetBuilder`] make complete models from positions, triangles and names, and compute all
//! dependent data. The function [`build`](record::build) makes any single part; the compiler checks the type of its
//! content. [`Builder`] makes objects in the layout of a version of a game.
//!
//! ```
//! use meshwright_mdx::{build, kinds, records::Model};
//! let model = Model { name: record::Chars::new("Box").unwrap(), ..Model::default() };
//! let file = build(kinds::MDLX, vec![build(kinds::VERS, &record::U32::new(800)), build(kinds::MODL, &model)]);
//! let bytes = file.to_bytes()?;
//! assert_eq!(bytes.len(), 4 + 8 + 4 + 8 + 372);
//! assert_eq!(&bytes[..16], b"MDLXVERS\x04\0\0\0\x20\x03\0\0");
//! # Ok::<(), meshwright_mdx::Error>(())
//! ```
//!
//! The other functions here do the same for a part whose kind is not known when the program is compiled.

mod model;
mod objects;
mod samples;
mod shares;
mod showcase;

use record::zerocopy::IntoBytes;
use record::{I32, Kind, Node, Pod};

use crate::kinds::{self, Part, id_of};
use crate::records::{Interpolation, Key, SimpleTrackHeader, TangentKey, TrackHeader, TrackValue};
use crate::tracks::{Layout, track_row};

pub use model::{GeosetBuilder, ModelBuilder, extent, vertex_normals};
pub use objects::{Builder, LayerParts, LightParts};
pub use samples::samples;
pub use shares::equal_shares;
pub use showcase::watchtower;

/// A leaf of any kind with only these values.
pub fn leaf<T: Pod>(kind: &'static Kind, values: &[T]) -> Node<'static> {
    Node::leaf(kind, id_of(kind), values.as_bytes().to_vec())
}

/// A branch of any kind.
pub fn branch<'a>(kind: &'static Kind, children: Vec<Node<'a>>) -> Node<'a> {
    Node::branch(kind, id_of(kind), children)
}

/// A record directly in its parent.
pub fn part<T: Part>(record: &T) -> Node<'static> {
    leaf(T::kind(), std::slice::from_ref(record))
}

/// A whole file.
pub fn file(chunks: Vec<Node<'_>>) -> Node<'_> {
    branch(&kinds::MDLX, chunks)
}

/// A header and what follows it, in one leaf.
fn headed<H: Pod, T: Pod>(kind: &'static Kind, header: &H, values: &[T]) -> Node<'static> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(values.as_bytes());
    Node::leaf(kind, id_of(kind), bytes)
}

/// A leaf that starts with a count of its values, such as `BPOS` and the WoW alpha's `SEQS`.
pub fn counted<T: Pod>(kind: &'static Kind, values: &[T]) -> Node<'static> {
    headed(kind, &record::U32::new(u32::try_from(values.len()).unwrap_or(u32::MAX)), values)
}

/// A track without tangents. `None` if there is no such tag, or it holds values of another type.
pub fn track<T: TrackValue>(
    tag: u32,
    interpolation: Interpolation,
    global_sequence: i32,
    keys: &[(i32, T)],
) -> Option<Node<'static>> {
    let keys: Vec<_> =
        keys.iter().map(|(time, value)| Key { time: I32::new(*time), value: *value }).collect();
    let layout = if T::PACKED { Layout::Packed } else { Layout::Plain };
    keyed::<Key<T>>(
        tag,
        layout,
        TrackHeader { interpolation, global_sequence: global_sequence.into() },
        &keys,
    )
}

/// A Hermite or Bezier track. `None` if there is no such tag, or it holds values of another type.
pub fn tangent_track<T: TrackValue>(
    tag: u32,
    interpolation: Interpolation,
    global_sequence: i32,
    keys: &[TangentKey<T>],
) -> Option<Node<'static>> {
    let layout = if T::PACKED { Layout::PackedTangents } else { Layout::Tangents };
    keyed(tag, layout, TrackHeader { interpolation, global_sequence: global_sequence.into() }, keys)
}

/// A track of event times: `KEVT`.
pub fn event_track(tag: u32, global_sequence: i32, times: &[i32]) -> Option<Node<'static>> {
    let times: Vec<_> = times.iter().map(|time| I32::new(*time)).collect();
    keyed(tag, Layout::Simple, SimpleTrackHeader { global_sequence: global_sequence.into() }, &times)
}

fn keyed<K: Pod>(tag: u32, layout: Layout, header: impl Pod, keys: &[K]) -> Option<Node<'static>> {
    let row = track_row(tag)?;
    let kind = row.kind(layout);
    let fits = kind
        .slots
        .last()
        .is_some_and(|slot| matches!(slot.item, record::Item::Value(ty) if ty.same(K::TYPE)));
    (row.layouts().contains(&layout) && fits).then(|| headed(kind, &header, keys))
}
