//! Vertices and indices as the graphics card reads them.

use std::ops::Range;

use render::frame::{Frame, Topology, Vertex};
use wgpu::{VertexAttribute, VertexFormat};
use zerocopy::{Immutable, IntoBytes};

/// A vertex without padding.
#[derive(Clone, Copy, Debug, Immutable, IntoBytes)]
#[repr(C)]
pub(crate) struct Packed {
    position: [f32; 3],
    normal: [f32; 3],
    tangent: [f32; 4],
    color: [f32; 4],
    specular: [f32; 3],
    uv: [f32; 4],
}

pub(crate) const STRIDE: u64 = size_of::<Packed>() as u64;
/// A line is drawn as an instance that has both ends.
pub(crate) const LINE_STRIDE: u64 = 2 * STRIDE;

const FORMATS: [VertexFormat; 6] = [
    VertexFormat::Float32x3,
    VertexFormat::Float32x3,
    VertexFormat::Float32x4,
    VertexFormat::Float32x4,
    VertexFormat::Float32x3,
    VertexFormat::Float32x4,
];

pub(crate) const ATTRIBUTES: [VertexAttribute; 6] = attributes();
pub(crate) const LINE_ATTRIBUTES: [VertexAttribute; 12] = attributes();

/// The attributes of one vertex after the other.
const fn attributes<const N: usize>() -> [VertexAttribute; N] {
    let mut attributes =
        [VertexAttribute { format: VertexFormat::Float32, offset: 0, shader_location: 0 }; N];
    let mut offset = 0;
    let mut index = 0;
    while index < N {
        let format = FORMATS[index % FORMATS.len()];
        attributes[index] = VertexAttribute { format, offset, shader_location: index as u32 };
        offset += format.size();
        index += 1;
    }
    attributes
}

/// Positions farther away than this are invalid, like NaN and infinite ones, because their products would overflow.
const FARTHEST: f32 = 1e18;

fn is_valid(vertex: &Vertex) -> bool {
    vertex.position.abs().max_element() <= FARTHEST && !vertex.position.is_nan()
}

impl Packed {
    fn new(vertex: &Vertex) -> Self {
        let [first, second] = vertex.uv;
        Self {
            position: vertex.position.to_array(),
            normal: vertex.normal.to_array(),
            tangent: vertex.tangent.to_array(),
            color: vertex.color.to_array(),
            specular: vertex.specular.to_array(),
            uv: [first.x, first.y, second.x, second.y],
        }
    }
}

/// The range of a draw call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// A range of indices.
    Triangles(Range<u32>),
    /// A range of lines.
    Lines(Range<u32>),
}

/// The geometry of a frame, in buffers that are reused for the next one.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(crate) vertices: Vec<Packed>,
    /// Both ends of each line.
    pub(crate) lines: Vec<[Packed; 2]>,
    /// Indices of the valid triangles, if the frame has invalid ones. Otherwise the indices of the frame are used.
    valid: Option<Vec<u32>>,
    /// For each draw call of the frame.
    pub(crate) stretches: Vec<Stretch>,
}

impl Geometry {
    /// Takes over a frame. Triangles and lines with indices out of range or with invalid positions are skipped.
    pub(crate) fn fill(&mut self, frame: &Frame) {
        self.vertices.clear();
        self.vertices.extend(frame.vertices.iter().map(Packed::new));
        self.lines.clear();
        self.stretches.clear();
        let count = frame.vertices.len();
        let all_in_range = frame.indices.iter().fold(0, |most, index| most.max(*index)) < count.max(1) as u32;
        let all_valid =
            all_in_range && frame.vertices.iter().fold(true, |all, vertex| all & is_valid(vertex));
        self.valid = (!all_valid).then(Vec::new);
        for draw in &frame.draws {
            let end = (draw.indices.end as usize).min(frame.indices.len());
            let start = (draw.indices.start as usize).min(end);
            let stretch = match draw.topology {
                Topology::Triangles => {
                    let end = start + (end - start) / 3 * 3;
                    self.triangles(frame, start..end)
                }
                Topology::Lines => self.line_ends(frame, &frame.indices[start..end]),
            };
            self.stretches.push(stretch);
        }
    }

    /// The indices to be uploaded.
    pub(crate) fn indices<'a>(&'a self, frame: &'a Frame) -> &'a [u32] {
        self.valid.as_deref().unwrap_or(&frame.indices)
    }

    fn triangles(&mut self, frame: &Frame, range: Range<usize>) -> Stretch {
        // Frames number their indices by u32.
        let Some(valid) = &mut self.valid else {
            return Stretch::Triangles(range.start as u32..range.end as u32);
        };
        let start = valid.len() as u32;
        let triangles = frame.indices[range].as_chunks::<3>().0.iter();
        let is_drawn = |corner: &u32| frame.vertices.get(*corner as usize).is_some_and(is_valid);
        valid.extend(triangles.filter(|corners| corners.iter().all(is_drawn)).flatten());
        Stretch::Triangles(start..valid.len() as u32)
    }

    fn line_ends(&mut self, frame: &Frame, indices: &[u32]) -> Stretch {
        let start = self.lines.len() as u32;
        let end = |index: u32| {
            frame.vertices.get(index as usize).filter(|vertex| is_valid(vertex)).map(Packed::new)
        };
        let lines = indices.as_chunks::<2>().0.iter();
        self.lines.extend(lines.filter_map(|[from, to]| Some([end(*from)?, end(*to)?])));
        Stretch::Lines(start..self.lines.len() as u32)
    }
}
