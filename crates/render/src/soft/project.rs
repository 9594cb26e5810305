//! From vertices to triangles on the screen: projection, clipping, culling, lines.

use glam::{Mat4, Vec3, Vec4};

use crate::frame::{Draw, Frame, Topology, Vertex};

/// Screen positions are integers with this many steps per pixel, so that edges are tested exactly.
pub(super) const STEPS: i32 = 256;

/// Triangles are clipped where they are outside the screen by more than its width, so that coordinates stay small. The
/// area between the edge of the screen and this limit is never drawn, which is cheaper than clipping.
const GUARD: f32 = 3.0;

/// Minimum w of a projected position.
const LEAST_W: f32 = 1e-6;

/// The largest distance of a position from the corner of the screen, in [`STEPS`]: several times the largest screen, and
/// differences fit into 32 bits.
const FARTHEST: f32 = (1 << 26) as f32;

/// A vertex on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    /// Position in [`STEPS`], x to the right, y downwards.
    pub(super) x: i32,
    pub(super) y: i32,
    /// Depth, 0 to 1.
    pub(super) z: f32,
    /// One divided by w, for interpolation in perspective.
    pub(super) q: f32,
}

/// A triangle on the screen, clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// The draw call it belongs to.
    pub(super) draw: u32,
}

/// All triangles of a frame, in the order of drawing.
pub(super) struct Geometry<'f> {
    vertices: &'f [Vertex],
    /// Vertices made by clipping and by lines. Their numbers follow those of the frame.
    made: Vec<Vertex>,
    /// For all of them.
    pub(super) points: Vec<Point>,
    pub(super) triangles: Vec<Triangle>,
}

impl Geometry<'_> {
    pub(super) fn vertex(&self, index: u32) -> &Vertex {
        let index = index as usize;
        self.vertices.get(index).unwrap_or_else(|| &self.made[index - self.vertices.len()])
    }
}

/// A vertex in clip space.
#[derive(Clone, Copy, Default)]
struct Corner {
    clip: Vec4,
    vertex: Vertex,
}

/// The planes of clip space: inside is where the dot product is not negative.
#[rustfmt::skip]
const PLANES: [Vec4; 7] = [
    Vec4::new( 0.0,  0.0,  1.0, 0.0),
    Vec4::new( 0.0,  0.0, -1.0, 1.0),
    Vec4::new( 1.0,  0.0,  0.0, GUARD),
    Vec4::new(-1.0,  0.0,  0.0, GUARD),
    Vec4::new( 0.0,  1.0,  0.0, GUARD),
    Vec4::new( 0.0, -1.0,  0.0, GUARD),
    Vec4::new( 0.0,  0.0,  0.0, 1.0),
];

/// The bit of [`PLANES`] at which w is tested against [`LEAST_W`] instead of zero.
const W_PLANE: usize = 6;

/// Plain sums in a fixed order, because vector units of processors add in different orders.
fn dot(a: Vec4, b: Vec4) -> f32 {
    (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w)
}

fn distance(plane: usize, clip: Vec4) -> f32 {
    let least = if plane == W_PLANE { LEAST_W } else { 0.0 };
    dot(PLANES[plane], clip) - least
}

/// The planes that a corner is outside of.
fn outside(clip: Vec4) -> u8 {
    (0..PLANES.len()).filter(|&plane| distance(plane, clip) < 0.0).fold(0, |bits, plane| bits | 1 << plane)
}

/// The edges of the screen that a corner is outside of.
fn off_screen(clip: Vec4) -> u8 {
    let bit = |outside: bool, index: u8| u8::from(outside) << index;
    bit(clip.x < -clip.w, 0) | bit(clip.x > clip.w, 1) | bit(clip.y < -clip.w, 2) | bit(clip.y > clip.w, 3)
}

/// Data of a corner that is kept while triangles are made.
#[derive(Clone, Copy)]
struct Codes {
    /// See [`outside`]; corners that are NaN or infinite have all bits.
    planes: u8,
    edges: u8,
}

const INVALID: Codes = Codes { planes: 0xff, edges: 0xff };

struct Projector<'f> {
    rows: [Vec4; 4],
    half: [f32; 2],
    codes: Vec<Codes>,
    /// Positions in clip space, as long as they may be needed for clipping.
    clips: Vec<Vec4>,
    geometry: Geometry<'f>,
}

/// Projects and clips all draw calls of a frame.
pub(super) fn project(frame: &Frame, width: u32, height: u32) -> Geometry<'_> {
    let count = frame.vertices.len();
    let mut projector = Projector {
        rows: rows(frame.camera.projection, frame.camera.view),
        half: [width as f32 * 0.5, height as f32 * 0.5],
        codes: Vec::with_capacity(count),
        clips: Vec::with_capacity(count),
        geometry: Geometry {
            vertices: &frame.vertices,
            made: Vec::new(),
            points: Vec::with_capacity(count),
            triangles: Vec::with_capacity(frame.indices.len() / 3),
        },
    };
    for vertex in &frame.vertices {
        let clip = projector.clip(vertex.position);
        let valid = clip.is_finite();
        let codes = if valid { Codes { planes: outside(clip), edges: off_screen(clip) } } else { INVALID };
        let point = if codes.planes == 0 { projector.point(clip) } else { Point::default() };
        projector.clips.push(clip);
        projector.codes.push(codes);
        projector.geometry.points.push(point);
    }
    for (index, draw) in frame.draws.iter().enumerate() {
        // Frames have fewer draw calls than indices, which are numbered by u32.
        let Ok(number) = u32::try_from(index) else { break };
        let last = (draw.indices.end as usize).min(frame.indices.len());
        let first = (draw.indices.start as usize).min(last);
        let indices = &frame.indices[first..last];
        match draw.topology {
            Topology::Triangles => {
                indices.as_chunks().0.iter().for_each(|corners| projector.triangle(*corners, draw, number));
            }
            Topology::Lines => {
                indices.as_chunks().0.iter().for_each(|corners| projector.line(*corners, number));
            }
        }
    }
    projector.geometry
}

/// The rows of the product of two matrices, in plain sums.
fn rows(a: Mat4, b: Mat4) -> [Vec4; 4] {
    let a = a.transpose();
    let row = |index: usize| {
        let row = a.col(index);
        Vec4::new(dot(row, b.x_axis), dot(row, b.y_axis), dot(row, b.z_axis), dot(row, b.w_axis))
    };
    [row(0), row(1), row(2), row(3)]
}

impl Projector<'_> {
    fn clip(&self, position: Vec3) -> Vec4 {
        let position = position.extend(1.0);
        let [x, y, z, w] = self.rows.map(|row| dot(row, position));
        Vec4::new(x, y, z, w)
    }

    /// A position inside all planes, on the screen.
    fn point(&self, clip: Vec4) -> Point {
        let q = 1.0 / clip.w;
        let [half_width, half_height] = self.half;
        let steps = STEPS as f32;
        let x = (clip.x * q + 1.0) * half_width * steps;
        let y = (1.0 - clip.y * q) * half_height * steps;
        // Clipping of huge numbers leaves rounding errors of the same size.
        let whole = |place: f32| super::number::floor((place + 0.5).clamp(-FARTHEST, FARTHEST));
        Point { x: whole(x), y: whole(y), z: (clip.z * q).clamp(0.0, 1.0), q }
    }

    fn corner(&self, index: u32) -> Corner {
        Corner { clip: self.clips[index as usize], vertex: *self.geometry.vertex(index) }
    }

    /// Adds a vertex that is not in the frame.
    fn add(&mut self, vertex: Vertex, point: Point) -> u32 {
        let number = self.geometry.points.len();
        self.geometry.made.push(vertex);
        self.geometry.points.push(point);
        u32::try_from(number).unwrap_or(0)
    }

    fn triangle(&mut self, corners: [u32; 3], draw: &Draw, number: u32) {
        let code = |index: u32| self.codes.get(index as usize).copied().unwrap_or(INVALID);
        let [a, b, c] = corners.map(code);
        let any = a.planes | b.planes | c.planes;
        if any & 0x80 != 0 || a.planes & b.planes & c.planes != 0 || a.edges & b.edges & c.edges != 0 {
            return;
        }
        if any == 0 {
            self.push(corners, draw.cull, number);
            return;
        }
        let mut polygon = Vec::with_capacity(8);
        polygon.extend(corners.map(|index| self.corner(index)));
        for plane in (0..PLANES.len()).filter(|plane| any & 1 << plane != 0) {
            polygon = cut(&polygon, plane);
        }
        let fan: Vec<u32> = polygon
            .iter()
            .filter(|corner| corner.clip.w > 0.0)
            .map(|corner| {
                let point = self.point(corner.clip);
                self.add(corner.vertex, point)
            })
            .collect();
        if let [first, rest @ ..] = fan.as_slice() {
            rest.windows(2).for_each(|pair| self.push([*first, pair[0], pair[1]], draw.cull, number));
        }
    }

    /// Adds a triangle unless it has no area or shows its back; it becomes clockwise.
    fn push(&mut self, corners: [u32; 3], cull: bool, draw: u32) {
        let points = corners.map(|index| self.geometry.points[index as usize]);
        let area = area(points);
        // y points down, so a positive area is clockwise on the screen.
        if area == 0 || cull && area > 0 {
            return;
        }
        let [a, b, c] = corners;
        let corners = if area > 0 { [a, b, c] } else { [a, c, b] };
        self.geometry.triangles.push(Triangle { corners, draw });
    }

    /// A line as a rectangle of one pixel's width.
    fn line(&mut self, corners: [u32; 2], draw: u32) {
        let code = |index: u32| self.codes.get(index as usize).copied().unwrap_or(INVALID);
        let [a, b] = corners.map(code);
        let any = a.planes | b.planes;
        if any & 0x80 != 0 || a.planes & b.planes != 0 || a.edges & b.edges != 0 {
            return;
        }
        let mut ends = corners.map(|index| self.corner(index));
        for plane in (0..PLANES.len()).filter(|plane| any & 1 << plane != 0) {
            let [start, end] = ends.map(|end| distance(plane, end.clip));
            match (start < 0.0, end < 0.0) {
                (true, true) => return,
                (true, false) => ends[0] = between(&ends[0], &ends[1], start / (start - end)),
                (false, true) => ends[1] = between(&ends[0], &ends[1], start / (start - end)),
                (false, false) => {}
            }
        }
        if ends.iter().any(|end| end.clip.w <= 0.0) {
            return;
        }
        let [start, end] = ends.map(|end| self.point(end.clip));
        let (dx, dy) = ((end.x - start.x) as f32, (end.y - start.y) as f32);
        let length = (dx * dx + dy * dy).sqrt();
        // A line of no length is a dot.
        let (dx, dy) = if length > 0.0 { (dx / length, dy / length) } else { (1.0, 0.0) };
        let half = (STEPS / 2) as f32;
        let round = |x: f32| super::number::floor(x * half + 0.5);
        let (along, across) = ((round(dx), round(dy)), (round(-dy), round(dx)));
        let moved = |point: Point, way: i32, side: i32| Point {
            x: point.x + way * along.0 + side * across.0,
            y: point.y + way * along.1 + side * across.1,
            ..point
        };
        let [first, second] = ends.map(|end| end.vertex);
        let a = self.add(first, moved(start, -1, -1));
        let b = self.add(second, moved(end, 1, -1));
        let c = self.add(second, moved(end, 1, 1));
        let d = self.add(first, moved(start, -1, 1));
        self.push([a, b, c], false, draw);
        self.push([a, c, d], false, draw);
    }
}

/// Twice the area, positive if the corners are clockwise to the eye.
pub(super) fn area([a, b, c]: [Point; 3]) -> i64 {
    let (abx, aby) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let (acx, acy) = (i64::from(c.x) - i64::from(a.x), i64::from(c.y) - i64::from(a.y));
    abx * acy - aby * acx
}

/// The part of a polygon inside a plane.
fn cut(polygon: &[Corner], plane: usize) -> Vec<Corner> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, corner) in polygon.iter().enumerate() {
        let next = &polygon[(index + 1) % polygon.len()];
        let (here, there) = (distance(plane, corner.clip), distance(plane, next.clip));
        if here >= 0.0 {
            kept.push(*corner);
        }
        if (here < 0.0) != (there < 0.0) {
            // Always computed from the inside to the outside, so that neighbours with the same edge get the same point.
            kept.push(if here >= 0.0 {
                between(corner, next, here / (here - there))
            } else {
                between(next, corner, there / (there - here))
            });
        }
    }
    kept
}

/// A corner between two.
fn between(a: &Corner, b: &Corner, t: f32) -> Corner {
    let mix3 = |a: Vec3, b: Vec3| a + (b - a) * t;
    let mix4 = |a: Vec4, b: Vec4| a + (b - a) * t;
    let (v, w) = (&a.vertex, &b.vertex);
    Corner {
        clip: mix4(a.clip, b.clip),
        vertex: Vertex {
            position: mix3(v.position, w.position),
            normal: mix3(v.normal, w.normal),
            tangent: mix4(v.tangent, w.tangent),
            color: mix4(v.color, w.color),
            specular: mix3(v.specular, w.specular),
            uv: [v.uv[0] + (w.uv[0] - v.uv[0]) * t, v.uv[1] + (w.uv[1] - v.uv[1]) * t],
        },
    }
}
