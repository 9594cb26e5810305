//! The binary part: a few buffer views, each with elements of one stride, and the accessors into them.

use crate::document::{Accessor, Buffer, BufferView, Limit};
use foldhash::fast::RandomState;
use glam::{Affine3A, Mat4, Vec3};
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

    const fn kind(self) -> &'static str {
        match self {
            Self::F32 | Self::U8 | Self::U16 | Self::U32 => "SCALAR",
            Self::F32x2 => "VEC2",
            Self::F32x3 => "VEC3",
            Self::F32x4 | Self::U8x4 | Self::U8x4Normalised | Self::U16x4 | Self::U16x4Normalised => "VEC4",
            Self::Matrix => "MAT4",
        }
    }

    const fn is_normalised(self) -> bool {
        matches!(self, Self::U8x4Normalised | Self::U16x4Normalised)
    }
}

/// All views in the order in which they were first used, and all accessors.
#[derive(Default)]
pub(crate) struct Buffers {
    views: Vec<(View, Vec<u8>)>,
    /// How many bytes views will have at least, as far as that is known before.
    expected: Vec<(View, usize)>,
    accessors: Vec<Accessor>,
    /// Accessors of keys, because channels often share their times, and constant channels their value.
    shared: HashMap<Signature, Vec<u32>, RandomState>,
}

/// What equal keys have in common: their type, their number of bytes, and their first and last four bytes.
type Signature = (Element, usize, u32, u32);

impl Buffers {
    /// Adds elements and returns their accessor. glTF has no empty accessors, so there must be some.
    pub(crate) fn push<T: IntoBytes + Immutable>(
        &mut self,
        view: View,
        element: Element,
        items: &[T],
    ) -> u32 {
        let (place, start) = self.append(view, element, items.as_bytes());
        self.accessor(place, start, element, items.len(), None)
    }

    pub(crate) fn push_positions(&mut self, positions: &[Vec3], min: Vec3, max: Vec3) -> u32 {
        let (place, start) = self.append(View::Stride12, Element::F32x3, positions.as_bytes());
        let limits = Some((Limit::Position(min), Limit::Position(max)));
        self.accessor(place, start, Element::F32x3, positions.len(), limits)
    }

    /// Ascending key times.
    pub(crate) fn push_times(&mut self, times: &[f32]) -> u32 {
        let ends = times.first().zip(times.last());
        let limits = ends.map(|(&first, &last)| (Limit::Time([first]), Limit::Time([last])));
        self.push_shared(Element::F32, times, limits)
    }

    /// Values of keys.
    pub(crate) fn push_values<T: IntoBytes + Immutable>(&mut self, element: Element, values: &[T]) -> u32 {
        /// More values are hardly ever the same twice.
        const SHARED: usize = 3;
        match values.len() <= SHARED {
            true => self.push_shared(element, values, None),
            false => self.push(View::Keys, element, values),
        }
    }

    fn push_shared<T: IntoBytes + Immutable>(
        &mut self,
        element: Element,
        items: &[T],
        limits: Option<(Limit, Limit)>,
    ) -> u32 {
        let bytes = items.as_bytes();
        let ends = [bytes.first_chunk(), bytes.last_chunk()];
        let ends = ends.map(|end| u32::from_le_bytes(end.copied().unwrap_or_default()));
        let signature = (element, bytes.len(), ends[0], ends[1]);
        let place = self.view(View::Keys);
        let alike = self.shared.get(&signature).into_iter().flatten();
        let is_same = |accessor: &&u32| {
            let start = self.accessors[**accessor as usize].byte_offset;
            cfg!(target_endian = "little") && self.views[place].1[start..].starts_with(bytes)
        };
        if let Some(known) = alike.clone().find(is_same) {
            return *known;
        }
        let (place, start) = self.append(View::Keys, element, bytes);
        let accessor = self.accessor(place, start, element, items.len(), limits);
        self.shared.entry(signature).or_default().push(accessor);
        accessor
    }

    pub(crate) fn push_matrices(&mut self, matrices: &[Affine3A]) -> u32 {
        let columns: Vec<[f32; 16]> =
            matrices.iter().map(|&matrix| Mat4::from(matrix).to_cols_array()).collect();
        self.push(View::Matrices, Element::Matrix, &columns)
    }

    /// Weights of vertices that follow one joint alone.
    pub(crate) fn push_ones(&mut self, count: usize) -> u32 {
        let place = self.view(View::Ones);
        let bytes = &mut self.views[place].1;
        while bytes.len() < count * 4 {
            bytes.extend_from_slice(&[255, 0, 0, 0]);
        }
        self.accessor(place, 0, Element::U8x4Normalised, count, None)
    }

    /// Expects bytes in a view that is not used yet, so that it does not have to move while it grows.
    pub(crate) fn expect(&mut self, view: View, bytes: usize) {
        self.expected.push((view, bytes));
    }

    /// Adds a whole file and returns its buffer view.
    pub(crate) fn push_file(&mut self, bytes: Vec<u8>) -> u32 {
        self.views.push((View::File, bytes));
        self.views.len() as u32 - 1
    }

    /// The place of the view of a kind.
    fn view(&mut self, view: View) -> usize {
        match self.views.iter().position(|(kind, _)| *kind == view) {
            Some(place) => place,
            None => {
                let expected = self.expected.iter().find(|(kind, _)| *kind == view);
                self.views.push((view, Vec::with_capacity(expected.map_or(0, |(_, bytes)| *bytes))));
                self.views.len() - 1
            }
        }
    }

    /// Appends bytes to a view, and returns its place and their offset. Elements start at multiples of four.
    fn append(&mut self, view: View, element: Element, bytes: &[u8]) -> (usize, usize) {
        let place = self.view(view);
        let all = &mut self.views[place].1;
        let start = all.len();
        all.extend_from_slice(bytes);
        if cfg!(target_endian = "big") {
            all[start..].chunks_exact_mut(element.component().1).for_each(<[u8]>::reverse);
        }
        all.resize(all.len().next_multiple_of(4), 0);
        (place, start)
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
    pub(crate) fn finish(self, uri: Option<String>) -> Finished {
        let mut views = Vec::with_capacity(self.views.len());
        let mut offset = 0;
        for (view, bytes) in &self.views {
            views.push(BufferView {
                buffer: 0,
                byte_offset: offset,
                byte_length: bytes.len(),
                byte_stride: view.stride(),
                target: view.target(),
            });
            offset += bytes.len().next_multiple_of(4);
        }
        let buffer = Some(Buffer { byte_length: offset, uri }).filter(|_| offset > 0);
        let bytes = self.views.into_iter().map(|(_, bytes)| bytes).collect();
        Finished {
            accessors: self.accessors,
            views,
            buffers: buffer.into_iter().collect(),
            binary: Binary(bytes),
        }
    }
}

/// What [`Buffers`] become.
pub(crate) struct Finished {
    pub(crate) accessors: Vec<Accessor>,
    pub(crate) views: Vec<BufferView>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) binary: Binary,
}

/// The bytes of the buffer: those of all views, each padded to a multiple of four.
pub(crate) struct Binary(Vec<Vec<u8>>);

impl Binary {
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|bytes| bytes.len().next_multiple_of(4)).sum()
    }

    /// Appends all bytes. `out` must end at a multiple of four.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.reserve_exact(self.len());
        for bytes in &self.0 {
            out.extend_from_slice(bytes);
            out.resize(out.len().next_multiple_of(4), 0);
        }
    }
}
