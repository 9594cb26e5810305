//! The binary part: a few buffer views, each with elements of one kind, and the accessors into them.

use crate::json::{Json, ToJson};
use glam::Affine3A;
use scene::{Curve, Scene};
use std::borrow::Cow;
use zerocopy::{Immutable, IntoBytes};

/// What a buffer view holds. Vertex attributes that share a view must have one stride (glTF 2.0, 3.6.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Positions and normals.
    Stride12,
    /// Tangents and weights.
    Stride16,
    /// Texture coordinates, colours, joints as words.
    Stride8,
    /// Joints as bytes.
    Stride4,
    /// The weights of vertices that follow one joint alone. Nothing tells one mesh's from another's, so all use the same.
    Ones,
    /// Indices of either width.
    Indices,
    /// Animation.
    Keys,
    /// Inverse bind matrices.
    Matrices,
}

const KINDS: usize = View::Matrices as usize + 1;

impl View {
    /// Stride and target.
    const fn layout(self) -> (Option<u32>, Option<u32>) {
        const ARRAY_BUFFER: Option<u32> = Some(34962);
        const ELEMENT_ARRAY_BUFFER: Option<u32> = Some(34963);
        match self {
            Self::Stride12 => (Some(12), ARRAY_BUFFER),
            Self::Stride16 => (Some(16), ARRAY_BUFFER),
            Self::Stride8 => (Some(8), ARRAY_BUFFER),
            Self::Stride4 | Self::Ones => (Some(4), ARRAY_BUFFER),
            Self::Indices => (None, ELEMENT_ARRAY_BUFFER),
            Self::Keys | Self::Matrices => (None, None),
        }
    }
}

/// The type of an accessor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// What an accessor says before the number of elements: their parts. Each piece is known to the compiler, which makes it a move.
    #[inline]
    fn write_component(self, json: &mut Json) {
        match self {
            Self::F32 | Self::F32x2 | Self::F32x3 | Self::F32x4 | Self::Matrix => {
                json.literal(r#","componentType":5126,"count":"#);
            }
            Self::U8 | Self::U8x4 => json.literal(r#","componentType":5121,"count":"#),
            Self::U8x4Normalised => json.literal(r#","componentType":5121,"normalized":true,"count":"#),
            Self::U16 | Self::U16x4 => json.literal(r#","componentType":5123,"count":"#),
            Self::U16x4Normalised => json.literal(r#","componentType":5123,"normalized":true,"count":"#),
            Self::U32 => json.literal(r#","componentType":5125,"count":"#),
        }
    }

    /// What it says after it: how many of them.
    #[inline]
    fn write_type(self, json: &mut Json) {
        match self {
            Self::F32 | Self::U8 | Self::U16 | Self::U32 => json.literal(r#","type":"SCALAR""#),
            Self::F32x2 => json.literal(r#","type":"VEC2""#),
            Self::F32x3 => json.literal(r#","type":"VEC3""#),
            Self::F32x4 | Self::U8x4 | Self::U8x4Normalised | Self::U16x4 | Self::U16x4Normalised => {
                json.literal(r#","type":"VEC4""#);
            }
            Self::Matrix => json.literal(r#","type":"MAT4""#),
        }
    }

    /// Bytes of a component.
    const fn width(self) -> usize {
        match self {
            Self::U8 | Self::U8x4 | Self::U8x4Normalised => 1,
            Self::U16 | Self::U16x4 | Self::U16x4Normalised => 2,
            Self::F32 | Self::F32x2 | Self::F32x3 | Self::F32x4 | Self::Matrix | Self::U32 => 4,
        }
    }
}

/// For elements of which glTF does not want to know how far they go.
pub(crate) const NO_EXTENT: Option<([f32; 1], [f32; 1])> = None;

/// A buffer view in the making.
#[derive(Debug, Default)]
pub(crate) struct Segment<'a> {
    /// Nothing for a whole file.
    view: Option<View>,
    /// The bytes that were made for it.
    own: Vec<u8>,
    /// Arrays of the scene, which are copied once only, at the end: what they come after of the own bytes, and they.
    lent: Vec<(usize, &'a [u8])>,
    /// Bytes of both.
    length: usize,
}

impl Segment<'_> {
    /// Bytes with what follows to a multiple of four.
    pub(crate) fn padded_length(&self) -> usize {
        self.length.next_multiple_of(4)
    }

    /// Writes them all.
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>) {
        let mut done = 0;
        for (at, lent) in &self.lent {
            bytes.extend_from_slice(&self.own[done..*at]);
            bytes.extend_from_slice(lent);
            done = *at;
        }
        bytes.extend_from_slice(&self.own[done..]);
        bytes.resize(bytes.len() + self.padded_length() - self.length, 0);
    }
}

/// The bytes of all views, in the order in which they were first used, and the JSON of the accessors.
#[derive(Debug, Default)]
pub(crate) struct Buffers<'a> {
    segments: Vec<Segment<'a>>,
    /// Where the segment of each kind of view is.
    places: [Option<usize>; KINDS],
    /// How much each kind of view is expected to hold.
    room: [usize; KINDS],
    accessors: List,
    /// Keys that are already there, because channels often share their times, and what stands still its value.
    known: Vec<Known>,
}

/// Where keys are, and their accessor.
#[derive(Clone, Copy, Debug)]
struct Known {
    element: Element,
    start: usize,
    end: usize,
    accessor: u32,
}

impl<'a> Buffers<'a> {
    /// Makes room for what a scene is likely to need, so that little has to be moved while it comes.
    pub(crate) fn reserve(&mut self, scene: &Scene) {
        let global = || scene.global_channels.iter().map(|global| &global.channel);
        let channels = || scene.clips.iter().flat_map(|clip| &clip.channels).chain(global());
        // What is resampled takes more.
        self.room[View::Keys as usize] =
            channels().map(|channel| curve_size(&channel.curve)).sum::<usize>() * 3 / 2;
        for (mesh, skin) in scene.meshes.iter().filter_map(|mesh| Some((mesh, mesh.skin.as_ref()?))) {
            let count = mesh.positions.len();
            self.room[View::Stride4 as usize] += 4 * count;
            self.room[View::Ones as usize] = self.room[View::Ones as usize].max(4 * count);
            if skin.influences.len() > skin.ends.len() {
                // One or the other.
                self.room[View::Stride4 as usize] += 4 * count;
                self.room[View::Stride16 as usize] += 16 * count;
            }
        }
        self.accessors = List::with_capacity(120 * (2 * channels().count() + 8 * scene.meshes.len()) + 1024);
    }

    /// Adds elements and returns their accessor. There must be some: glTF knows no empty accessor.
    pub(crate) fn push<T: IntoBytes + Immutable>(
        &mut self,
        view: View,
        element: Element,
        items: &[T],
    ) -> u32 {
        self.push_extent(view, element, items, NO_EXTENT)
    }

    /// Adds elements that are the scene's own, if they are.
    pub(crate) fn push_lent<T: Clone + IntoBytes + Immutable>(
        &mut self,
        view: View,
        element: Element,
        items: Cow<'a, [T]>,
        extent: Option<(impl ToJson, impl ToJson)>,
    ) -> u32 {
        /// What is shorter is copied as quickly as it is remembered.
        const WORTH_IT: usize = 256;
        match items {
            Cow::Borrowed(items) if size_of_val(items) >= WORTH_IT && cfg!(target_endian = "little") => {
                let segment = self.segment(view);
                let start = segment.length;
                segment.lent.push((segment.own.len(), items.as_bytes()));
                // Elements start at multiples of four.
                segment.length += size_of_val(items).next_multiple_of(4);
                segment.own.resize(segment.own.len() + segment.length - start - size_of_val(items), 0);
                self.push_accessor(view, element, start, items.len(), extent)
            }
            items => self.push_extent(view, element, &items, extent),
        }
    }

    /// Ascending key times.
    pub(crate) fn push_times(&mut self, times: &[f32]) -> u32 {
        let ends = times.first().zip(times.last()).map(|(&first, &last)| ([first], [last]));
        self.push_shared(Element::F32, times, ends)
    }

    /// The values of keys.
    pub(crate) fn push_values<T: Clone + IntoBytes + Immutable>(
        &mut self,
        element: Element,
        values: Cow<'a, [T]>,
    ) -> u32 {
        // Those of motion are hardly ever the same twice.
        const SHARED: usize = 3;
        match values.len() <= SHARED {
            true => self.push_shared(element, &values, NO_EXTENT),
            false => self.push_lent(View::Keys, element, values, NO_EXTENT),
        }
    }

    /// Adds keys unless they were added not long ago.
    fn push_shared<T: IntoBytes + Immutable>(
        &mut self,
        element: Element,
        items: &[T],
        extent: Option<(impl ToJson, impl ToJson)>,
    ) -> u32 {
        const PLACES: usize = 512;
        let wanted = items.as_bytes();
        // By their size and their end: many start alike.
        let end = wanted.last_chunk().copied().unwrap_or_else(|| {
            let mut whole = [0; 16];
            whole[..wanted.len()].copy_from_slice(wanted);
            whole
        });
        let [a, b] = [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| end[at + byte])));
        let hash = (a.rotate_left(9) ^ b ^ wanted.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (hash >> 55) as usize % PLACES;
        if let (Some(known), Some(segment)) = (self.known.get(place), self.places[View::Keys as usize])
            && known.element == element
            && cfg!(target_endian = "little")
            && self.segments[segment].own.get(known.start..known.end) == Some(wanted)
        {
            return known.accessor;
        }
        let accessor = self.push_extent(View::Keys, element, items, extent);
        let end = self.places[View::Keys as usize].map_or(0, |place| self.segments[place].own.len());
        if self.known.is_empty() {
            self.known.resize(PLACES, Known { element: Element::Matrix, start: 0, end: 0, accessor: 0 });
        }
        let start = end.saturating_sub(wanted.len().next_multiple_of(4));
        self.known[place] = Known { element, start, end: start + wanted.len(), accessor };
        accessor
    }

    pub(crate) fn push_matrices(&mut self, matrices: &[Affine3A]) -> u32 {
        let columns: Vec<[f32; 16]> =
            matrices.iter().map(|&matrix| glam::Mat4::from(matrix).to_cols_array()).collect();
        self.push(View::Matrices, Element::Matrix, &columns)
    }

    /// Adds a whole file and returns its buffer view.
    pub(crate) fn push_file(&mut self, mut bytes: Vec<u8>) -> usize {
        bytes.shrink_to_fit();
        self.segments.push(Segment { length: bytes.len(), own: bytes, ..Segment::default() });
        self.segments.len() - 1
    }

    fn push_extent<T: IntoBytes + Immutable>(
        &mut self,
        view: View,
        element: Element,
        items: &[T],
        extent: Option<(impl ToJson, impl ToJson)>,
    ) -> u32 {
        self.push_bytes(view, element, items.len(), extent, |bytes| {
            bytes.extend_from_slice(items.as_bytes());
        })
    }

    /// The weights of so many vertices that follow one joint alone; a byte says one exactly.
    pub(crate) fn push_ones(&mut self, count: usize) -> u32 {
        const BLOCK: &[u8] = [[255, 0, 0, 0]; 1024].as_flattened();
        self.push_bytes(View::Ones, Element::U8x4Normalised, count, NO_EXTENT, |bytes| {
            while bytes.len() < count * 4 {
                let wanted = (count * 4 - bytes.len()).min(BLOCK.len());
                bytes.extend_from_slice(&BLOCK[..wanted]);
            }
        })
    }

    /// Adds an element for each of these.
    pub(crate) fn push_each<S: Copy, T: Copy + Default + IntoBytes + Immutable>(
        &mut self,
        view: View,
        element: Element,
        sources: &[S],
        item: impl Fn(S) -> T,
    ) -> u32 {
        self.push_bytes(view, element, sources.len(), NO_EXTENT, |bytes| {
            bytes.reserve(sources.len() * size_of::<T>());
            // By way of an array of some of them, which stays at hand.
            let mut block = [T::default(); 64];
            for some in sources.chunks(block.len()) {
                block.iter_mut().zip(some).for_each(|(place, source)| *place = item(*source));
                bytes.extend_from_slice(block[..some.len()].as_bytes());
            }
        })
    }

    fn push_bytes(
        &mut self,
        view: View,
        element: Element,
        count: usize,
        extent: Option<(impl ToJson, impl ToJson)>,
        append: impl FnOnce(&mut Vec<u8>),
    ) -> u32 {
        let segment = self.segment(view);
        let (before, start) = (segment.own.len(), if view == View::Ones { 0 } else { segment.length });
        append(&mut segment.own);
        if cfg!(target_endian = "big") {
            segment.own[before..].chunks_exact_mut(element.width()).for_each(<[u8]>::reverse);
        }
        // Elements start at multiples of four.
        segment.own.resize(segment.own.len().next_multiple_of(4), 0);
        segment.length += segment.own.len() - before;
        self.push_accessor(view, element, start, count, extent)
    }

    /// Where elements of a kind go.
    #[inline]
    fn segment(&mut self, view: View) -> &mut Segment<'a> {
        let (segments, room) = (&mut self.segments, self.room[view as usize]);
        let place = *self.places[view as usize].get_or_insert_with(|| {
            segments.push(Segment { view: Some(view), own: Vec::with_capacity(room), ..Segment::default() });
            segments.len() - 1
        });
        &mut segments[place]
    }

    fn push_accessor(
        &mut self,
        view: View,
        element: Element,
        start: usize,
        count: usize,
        extent: Option<(impl ToJson, impl ToJson)>,
    ) -> u32 {
        let place = self.places[view as usize].unwrap_or_default();
        self.accessors.push(|json| {
            json.literal(r#""bufferView":"#);
            json.number(place);
            if start > 0 {
                json.literal(r#","byteOffset":"#);
                json.number(start);
            }
            element.write_component(json);
            json.number(count);
            element.write_type(json);
            if let Some((min, max)) = extent {
                json.field("min", &min);
                json.field("max", &max);
            }
        })
    }

    /// How many bytes it will be: of JSON, and of all views if they are in the same file. All but keys is there by now.
    pub(crate) fn expected_size(&self, with_views: bool) -> usize {
        let views: usize = self.segments.iter().map(Segment::padded_length).sum();
        let views = views + self.room[View::Keys as usize] + 8;
        self.accessors.capacity() + if with_views { views } else { 0 }
    }

    /// Writes accessors, buffer views and the buffer, and returns what is in the latter, one after the other.
    pub(crate) fn finish(mut self, uri: Option<&str>, json: &mut Json) -> Vec<Segment<'a>> {
        self.accessors.finish("accessors", json);
        let mut views = List::default();
        let mut offset = 0;
        for segment in &self.segments {
            let (stride, target) = segment.view.map_or((None, None), View::layout);
            views.push(|json| {
                json.field("buffer", &0_u32);
                if offset > 0 {
                    json.field("byteOffset", &offset);
                }
                json.field("byteLength", &segment.length);
                json.optional("byteStride", stride);
                json.optional("target", target);
            });
            offset += segment.padded_length();
        }
        views.finish("bufferViews", json);
        if offset > 0 {
            json.array_field("buffers", |json| {
                json.object(|json| {
                    json.field("byteLength", &offset);
                    json.optional("uri", uri);
                });
            });
        }
        self.segments
    }
}

/// About how many bytes a curve takes as keys.
fn curve_size(curve: &Curve) -> usize {
    match curve {
        Curve::Vector(track) => 16 * track.len() + 24 * track.tangents.len(),
        Curve::Rotation(track) => 20 * track.len() + 32 * track.tangents.len(),
        Curve::Scalar(track) => 20 * track.len(),
        Curve::Flag(_) | Curve::Index(_) => 0,
    }
}

/// The JSON of one of glTF's top-level arrays.
#[derive(Debug, Default)]
pub(crate) struct List {
    json: Json,
    count: u32,
}

impl List {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { json: Json::with_capacity(bytes), count: 0 }
    }

    /// The first objects of a document that starts like this.
    pub(crate) fn after(opening: Vec<u8>) -> Self {
        Self { json: Json::after(opening), count: 0 }
    }

    /// The document, whose array is closed, or was not opened at all if nothing is in it.
    pub(crate) fn into_json(self, opened_by: &str) -> Json {
        let mut json = self.json;
        match self.count {
            0 => json.drop_last(opened_by.len()),
            _ => json.literal("]"),
        }
        json
    }

    /// Bytes of JSON.
    pub(crate) fn size(&self) -> usize {
        self.json.len()
    }

    /// Bytes for which there is room.
    fn capacity(&self) -> usize {
        self.json.capacity()
    }

    /// Adds an object and returns its place.
    #[inline]
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut Json)) -> u32 {
        match self.count {
            0 => self.json.literal("{"),
            _ => self.json.literal(",{"),
        }
        fill(&mut self.json);
        self.json.literal("}");
        self.count += 1;
        self.count - 1
    }

    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    /// Writes the array unless it is empty: glTF knows no empty arrays. It is empty then.
    pub(crate) fn finish(&mut self, key: &str, json: &mut Json) {
        if self.count > 0 {
            json.array_field(key, |json| json.raw(self.json.bytes()));
        }
        self.json.clear();
        self.count = 0;
    }
}
