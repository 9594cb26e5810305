//! Tracks: animated values.

use record::zerocopy::FromBytes;
use record::{F32, I32, Node, Pod, Quaternion, U32, Vec3};

use crate::records::{
    Interpolation, Key, PackedQuaternion, SimpleTrackHeader, TangentKey, TrackHeader, TrackValue,
};
use crate::tracks::{Layout, TrackRow, ValueType, track_row};

/// A track: the node that contains it, and its row of the table.
///
/// The keys are stored in the file in their type: `node.values::<Key<Vec3>>()` borrows them. [`Track::keys`] converts
/// them to one type.
#[derive(Clone, Copy, Debug)]
pub struct Track<'d> {
    /// The node.
    pub node: &'d Node<'d>,
    /// Its row of the table.
    pub row: &'static TrackRow,
    /// The layout of its keys.
    pub layout: Layout,
}

/// One key. Values have up to four components; the others are 0. Packed rotations are unpacked, indices converted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackKey {
    /// Time in milliseconds.
    pub time: i32,
    /// Value.
    pub value: [f32; 4],
    /// Tangent or control point before and after it, if the interpolation has them.
    pub tangents: Option<[[f32; 4]; 2]>,
}

/// The tracks of an object or node, in file order.
pub fn tracks<'d>(object: &'d Node<'d>) -> impl Iterator<Item = Track<'d>> + use<'d> {
    object.children().iter().filter_map(Track::new)
}

/// The first track of an object or node with this tag.
pub fn track<'d>(object: &'d Node<'d>, tag: u32) -> Option<Track<'d>> {
    object.children().iter().filter(|child| child.id == tag).find_map(Track::new)
}

impl<'d> Track<'d> {
    /// The track that a node is, if it is one.
    pub fn new(node: &'d Node<'d>) -> Option<Self> {
        let row = track_row(node.id)?;
        let layout = row.layout(node.kind)?;
        Some(Self { node, row, layout })
    }

    /// Interpolation between keys. Events and simple tracks hold their value.
    pub fn interpolation(&self) -> Interpolation {
        self.node.value::<TrackHeader>().map_or(Interpolation::NONE, |header| header.interpolation)
    }

    /// The global sequence of the track.
    pub fn global_sequence(&self) -> Option<usize> {
        let index = match self.node.value::<TrackHeader>() {
            Some(header) => header.global_sequence,
            None => self.node.value::<SimpleTrackHeader>()?.global_sequence,
        };
        usize::try_from(index.get()).ok()
    }

    /// Number of components of its values: 0 for events, 1, 3 or 4.
    pub const fn width(&self) -> usize {
        match self.row.value {
            ValueType::Event => 0,
            ValueType::Float | ValueType::Integer => 1,
            ValueType::Vector => 3,
            ValueType::Quaternion => 4,
        }
    }

    /// The bytes of its keys.
    pub fn key_bytes(&self) -> &'d [u8] {
        let (fixed, _) = crate::frame::element_layout(self.node.kind);
        self.node.bytes().get(fixed..).unwrap_or_default()
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.key_bytes().len() / crate::frame::element_layout(self.node.kind).1
    }

    /// Whether it has no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys, in file order. Times need not ascend.
    pub fn keys(&self) -> impl Iterator<Item = TrackKey> + use<'d> {
        let (_, size) = crate::frame::element_layout(self.node.kind);
        let (value, layout) = (self.row.value, self.layout);
        self.key_bytes().chunks_exact(size).filter_map(move |bytes| read_key(value, layout, bytes))
    }

    /// The keys of an index track as the integers that they are: times and values.
    pub fn integers(&self) -> impl Iterator<Item = (i32, u32)> + use<'d> {
        let integer = self.row.value == ValueType::Integer;
        let (_, size) = crate::frame::element_layout(self.node.kind);
        self.key_bytes().chunks_exact(size).filter(move |_| integer).filter_map(|bytes| {
            Key::<U32>::ref_from_prefix(bytes).ok().map(|(key, _)| (key.time.get(), key.value.get()))
        })
    }

    /// The first three components of a value of this track as red, green, blue.
    pub fn rgb(&self, value: [f32; 4]) -> [f32; 3] {
        let [a, b, c, _] = value;
        self.row.color.map_or([a, b, c], |order| order.rgb([a, b, c]))
    }
}

fn read_key(value: ValueType, layout: Layout, bytes: &[u8]) -> Option<TrackKey> {
    match (value, layout) {
        (ValueType::Event, _) => {
            let time = I32::ref_from_prefix(bytes).ok()?.0.get();
            Some(TrackKey { time, value: [0.0; 4], tangents: None })
        }
        (ValueType::Float, _) => key_of::<F32>(layout, bytes, |value| [value.get(), 0.0, 0.0, 0.0]),
        #[expect(clippy::cast_precision_loss, reason = "indices are small; `integers` gives them exactly")]
        (ValueType::Integer, _) => key_of::<U32>(layout, bytes, |value| [value.get() as f32, 0.0, 0.0, 0.0]),
        (ValueType::Vector, _) => key_of::<Vec3>(layout, bytes, |value| {
            let [x, y, z] = value.get();
            [x, y, z, 0.0]
        }),
        (ValueType::Quaternion, Layout::Packed | Layout::PackedTangents) => {
            key_of::<PackedQuaternion>(layout, bytes, |value| value.unpack().get())
        }
        (ValueType::Quaternion, _) => key_of::<Quaternion>(layout, bytes, Quaternion::get),
    }
}

fn key_of<T: TrackValue + Pod>(
    layout: Layout,
    bytes: &[u8],
    components: fn(T) -> [f32; 4],
) -> Option<TrackKey> {
    if matches!(layout, Layout::Tangents | Layout::PackedTangents) {
        let key = TangentKey::<T>::ref_from_prefix(bytes).ok()?.0;
        let tangents = Some([components(key.in_tan), components(key.out_tan)]);
        return Some(TrackKey { time: key.time.get(), value: components(key.value), tangents });
    }
    let key = Key::<T>::ref_from_prefix(bytes).ok()?.0;
    Some(TrackKey { time: key.time.get(), value: components(key.value), tangents: None })
}
