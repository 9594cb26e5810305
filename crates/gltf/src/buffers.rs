//! The binary part: a few buffer views, each with elements of one stride, and the accessors into them.

use crate::document::{Accessor, Buffer, BufferView, ElementType, Limit};
use foldhash::fast::RandomState;
use glam::{Affine3A, Mat4, Vec3};
use std::borrow::Cow;
use std::collections::HashMap;
use zerocopy::{Immutable, IntoBytes};

/// What a buffer view holds. Vertex attributes that share a view must have one stride (glTF 2.0, 3.6.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Positions and normals.
    Stride12,
    /// Tangents and weights as floats.
    Stride16,
    /// Texture coordinates, colours, joints as words.
    Stride8,
    /// Joints and weights as bytes.
    Stride4,
    /// The weights of vertices that follow one joint alone: every mesh uses the start of the same array.
    Ones,
    /// Indices of either width.
    Indices,
    /// Times and values of animations.
    Keys,
    /// Inverse bind matrices.
    Matrices,
    /// A whole image file.
    File,
}

impl View {
    const fn stride(self) -> Option<u32> {
        match self {
            Self::Stride12 => Some(12),
            Self::Stride16 => Some(16),
            Self::Stride8 => Some(8),
            Self::Stride4 | Self::Ones => Some(4),
            Self::Indices | Self::Keys | Self::Matrices | Self::File => None,
        }
    }

    const fn target(self) -> Option<u32> {
        const ARRAY_BUFFER: u32 = 34962;
        const ELEMENT_ARRAY_BUFFER: u32 = 34963;
        match self {
            Self::Indices => Some(ELEMENT_ARRAY_BUFFER),
            _ if self.stride().is_some() => Some(ARRAY_BUFFER),
            _ => None,
        }
    }
}

/// The type of an accessor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Element {
    F32,
    F32x2,
    F32x3,
    F32x4,
    Matrix,
    U8,
    U8x4,
    U8x4Normalised,
    U16x4,
    U16x4Normalised,
    U16,
    U32,
}

impl Element {
    /// glTF's number for the type of the components, and their width in bytes.
    const fn component(self) -> (u32, usize) {
        match self {
            Self::U8 | Self::U8x4 | Self::U8x4Normalised => (5121, 1),
            Self::U16 | Self::U16x4 | Self::U16x4Normalised => (5123, 2),
            Self::U32 => (5125, 4),
            Self::F32 | Self::F32x2 | Self::F32x3 | Self::F32x4 | Self::Matrix => (5126, 4),
        }
    }

    const fn kind(self) -> ElementType {
        match self {
            Self::F32 | Self::U8 | Self::U16 | Self::U32 => ElementType::Scalar,
            Self::F32x2 => ElementType::Vec2,
            Self::F32x3 => ElementType::Vec3,
            Self::F32x4 | Self::U8x4 | Self::U8x4Normalised | Self::U16x4 | Self::U16x4Normalised => {
                ElementType::Vec4
            }
            Self::Matrix => ElementType::Mat4,
        }
    }

    const fn is_normalised(self) -> bool {
        matches!(self, Self::U8x4Normalised | Self::U16x4Normalised)
    }
}

/// All views in the order in which they were first used, and all accessors.
///
/// Arrays are borrowed or moved into it. They are copied only once, into the finished file.
#[derive(Default)]
pub(crate) struct Buffers<'a> {
    views: Vec<Contents<'a>>,
    accessors: Vec<Accessor>,
    /// Accessors of keys and the places of their arrays, because channels often share their times, and constant channels their value.
    shared: HashMap<Signature, Vec<(u32, usize)>, RandomState>,
}

/// What equal keys have in common: their type, their number of bytes, and their first and last four bytes.
type Signature = (Element, usize, u32, u32);

/// The arrays of a view.
struct Contents<'a> {
    view: View,
    arrays: Vec<Array<'a>>,
    /// The bytes of all arrays, each padded to a multiple of four unless it is a file.
    length: usize,
}

struct Array<'a> {
    items: Box<dyn Bytes + 'a>,
    /// Bytes of a number.
    width: usize,
}

impl<'a> Array<'a> {
    fn new<T: IntoBytes + Immutable + Clone + 'a>(items: Cow<'a, [T]>, width: usize) -> Self {
        Self { items: Box::new(items), width }
    }
}

/// An array of any type.
trait Bytes {
    fn bytes(&self) -> &[u8];
}

impl<T: IntoBytes + Immutable + Clone> Bytes for Cow<'_, [T]> {
    fn bytes(&self) -> &[u8] {
        <[T]>::as_bytes(self)
    }
}

impl<'a> Buffers<'a> {
    /// Adds elements and returns their accessor. glTF has no empty accessors, so there must be some.
    pub(crate) fn push<T: IntoBytes + Immutable + Clone + 'a>(
        &mut self,
        view: View,
        element: Element,
        items: impl Into<Cow<'a, [T]>>,
    ) -> u32 {
        self.push_limited(view, element, items.into(), None)
    }

    pub(crate) fn push_positions(&mut self, positions: Cow<'a, [Vec3]>, min: Vec3, max: Vec3) -> u32 {
        let limits = Some((Limit::Position(min), Limit::Position(max)));
        self.push_limited(View::Stride12, Element::F32x3, positions, limits)
    }

    /// Ascending key times.
    pub(crate) fn push_times(&mut self, times: Cow<'a, [f32]>) -> u32 {
        let ends = times.first().zip(times.last());
        let limits = ends.map(|(&first, &last)| (Limit::Time([first]), Limit::Time([last])));
        self.push_shared(Element::F32, times, limits)
    }

    /// Values of keys.
    pub(crate) fn push_values<T: IntoBytes + Immutable + Clone + 'a>(
        &mut self,
        element: Element,
        values: Cow<'a, [T]>,
    ) -> u32 {
        /// More values are hardly ever the same twice.
        const SHARED: usize = 3;
        match values.len() <= SHARED {
            true => self.push_shared(element, values, None),
            false => self.push(View::Keys, element, values),
        }
    }

    fn push_shared<T: IntoBytes + Immutable + Clone + 'a>(
        &mut self,
        element: Element,
        items: Cow<'a, [T]>,
        limits: Option<(Limit, Limit)>,
    ) -> u32 {
        let bytes = items.bytes();
        let ends = [bytes.first_chunk(), bytes.last_chunk()];
        let ends = ends.map(|end| u32::from_ne_bytes(end.copied().unwrap_or_default()));
        let signature = (element, bytes.len(), ends[0], ends[1]);
        let place = self.view(View::Keys);
        let arrays = &self.views[place].arrays;
        let mut alike = self.shared.get(&signature).into_iter().flatten();
        if let Some((known, _)) = alike.find(|(_, array)| arrays[*array].items.bytes() == bytes) {
            return *known;
        }
        let array = arrays.len();
        let accessor = self.push_limited(View::Keys, element, items, limits);
        self.shared.entry(signature).or_default().push((accessor, array));
        accessor
    }

    pub(crate) fn push_matrices(&mut self, matrices: &[Affine3A]) -> u32 {
        let columns: Vec<[f32; 16]> =
            matrices.iter().map(|&matrix| Mat4::from(matrix).to_cols_array()).collect();
        self.push(View::Matrices, Element::Matrix, columns)
    }

    /// Weights of vertices that follow one joint alone.
    pub(crate) fn push_ones(&mut self, count: usize) -> u32 {
        let place = self.view(View::Ones);
        let contents = &mut self.views[place];
        if contents.length < count * 4 {
            contents.arrays = vec![Array::new(vec![[255_u8, 0, 0, 0]; count].into(), 1)];
            contents.length = count * 4;
        }
        self.accessor(place, 0, Element::U8x4Normalised, count, None)
    }

    /// Adds a whole file and returns its buffer view.
    pub(crate) fn push_file(&mut self, bytes: Vec<u8>) -> u32 {
        let length = bytes.len();
        self.views.push(Contents { view: View::File, arrays: vec![Array::new(bytes.into(), 1)], length });
        self.views.len() as u32 - 1
    }

    /// The place of the view of a kind.
    fn view(&mut self, view: View) -> usize {
        // Mostly the last one: animations come last.
        match self.views.iter().rposition(|contents| contents.view == view) {
            Some(place) => place,
            None => {
                self.views.push(Contents { view, arrays: Vec::new(), length: 0 });
                self.views.len() - 1
            }
        }
    }

    /// Appends an array to a view. Arrays start at multiples of four.
    fn push_limited<T: IntoBytes + Immutable + Clone + 'a>(
        &mut self,
        view: View,
        element: Element,
        items: Cow<'a, [T]>,
        limits: Option<(Limit, Limit)>,
    ) -> u32 {
        let place = self.view(view);
        let count = items.len();
        let contents = &mut self.views[place];
        let start = contents.length;
        contents.length += items.bytes().len().next_multiple_of(4);
        contents.arrays.push(Array::new(items, element.component().1));
        self.accessor(place, start, element, count, limits)
    }

    fn accessor(
        &mut self,
        view: usize,
        byte_offset: usize,
        element: Element,
        count: usize,
        limits: Option<(Limit, Limit)>,
    ) -> u32 {
        self.accessors.push(Accessor {
            buffer_view: view as u32,
            byte_offset,
            component_type: element.component().0,
            normalized: element.is_normalised(),
            count,
            kind: element.kind(),
            min: limits.map(|(min, _)| min),
            max: limits.map(|(_, max)| max),
        });
        self.accessors.len() as u32 - 1
    }

    /// The accessors, the views, the buffer and its bytes.
    pub(crate) fn finish(self, uri: Option<String>) -> Finished<'a> {
        let mut views = Vec::with_capacity(self.views.len());
        let mut offset = 0;
        for Contents { view, length, .. } in &self.views {
            views.push(BufferView {
                buffer: 0,
                byte_offset: offset,
                byte_length: *length,
                byte_stride: view.stride(),
                target: view.target(),
            });
            offset += length.next_multiple_of(4);
        }
        let buffer = Some(Buffer { byte_length: offset, uri }).filter(|_| offset > 0);
        let arrays = self.views.into_iter().flat_map(|contents| contents.arrays).collect();
        Finished {
            accessors: self.accessors,
            views,
            buffers: buffer.into_iter().collect(),
            binary: Binary { arrays, length: offset },
        }
    }
}

/// What [`Buffers`] become.
pub(crate) struct Finished<'a> {
    pub(crate) accessors: Vec<Accessor>,
    pub(crate) views: Vec<BufferView>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) binary: Binary<'a>,
}

/// The bytes of the buffer: all arrays, each padded to a multiple of four.
pub(crate) struct Binary<'a> {
    arrays: Vec<Array<'a>>,
    length: usize,
}

impl Binary<'_> {
    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// Appends all bytes. `out` must end at a multiple of four.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.reserve_exact(self.length);
        for Array { items, width } in &self.arrays {
            let start = out.len();
            out.extend_from_slice(items.bytes());
            if cfg!(target_endian = "big") {
                out[start..].chunks_exact_mut(*width).for_each(<[u8]>::reverse);
            }
            out.resize(out.len().next_multiple_of(4), 0);
        }
    }
}
