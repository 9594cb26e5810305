//! Bounds, planes, normals and shade indices of vertices. Computed in double precision, rounded at the end.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use record::{F32, U32, Vec3};

use crate::records::Triangle;

type V3 = [f64; 3];

fn wide(vector: Vec3) -> V3 {
    vector.get().map(f64::from)
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
fn narrow(vector: V3) -> Vec3 {
    Vec3::from(vector.map(|part| part as f32))
}

fn sub(a: V3, b: V3) -> V3 {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(a: V3) -> f64 {
    dot(a, a).sqrt()
}

/// The bounding box and sphere of vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Lower corner of the box.
    pub min: Vec3,
    /// Upper corner of the box.
    pub max: Vec3,
    /// Centre of the sphere: that of the box.
    pub center: Vec3,
    /// Radius of the sphere.
    pub radius: F32,
}

/// The bounds of vertices; all zero if there are no vertices.
///
/// ```
/// use record::Vec3;
/// let bounds = meshwright_w3d::build::bounds(&[[0.0, 0.0, 0.0], [6.0, 8.0, 0.0]].map(Vec3::from));
/// assert_eq!((bounds.center.get(), bounds.radius.get()), ([3.0, 4.0, 0.0], 5.0));
/// ```
pub fn bounds(vertices: &[Vec3]) -> Bounds {
    let Some(first) = vertices.first() else { return Bounds::default() };
    let (mut min, mut max) = (wide(*first), wide(*first));
    for vertex in vertices.iter().map(|vertex| wide(*vertex)) {
        for axis in 0..3 {
            min[axis] = min[axis].min(vertex[axis]);
            max[axis] = max[axis].max(vertex[axis]);
        }
    }
    let center = [0, 1, 2].map(|axis| f64::midpoint(min[axis], max[axis]));
    let radius = vertices.iter().map(|vertex| norm(sub(wide(*vertex), center))).fold(0.0, f64::max);
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
    Bounds { min: narrow(min), max: narrow(max), center: narrow(center), radius: F32::new(radius as f32) }
}

/// The unit normal of a triangle and its distance from the origin, along the normal; `None` if it has no area. Front is
/// counter-clockwise.
///
/// ```
/// use record::Vec3;
/// let corners = [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]].map(Vec3::from);
/// let (normal, dist) = meshwright_w3d::build::plane(corners).unwrap();
/// assert_eq!((normal.get(), dist), ([0.0, 0.0, 1.0], 2.0));
/// ```
pub fn plane(corners: [Vec3; 3]) -> Option<(Vec3, f32)> {
    let [a, b, c] = corners.map(wide);
    let normal = cross(sub(b, a), sub(c, a));
    let length = norm(normal);
    if length == 0.0 || !length.is_finite() {
        return None;
    }
    // Adding zero makes a negative zero positive, as exporters write it.
    let normal = normal.map(|part| part / length + 0.0);
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
    Some((narrow(normal), dot(normal, a) as f32))
}

/// Unit normals of vertices: the mean of those of their triangles, weighted by area. Vertices of no triangle point up.
pub fn vertex_normals(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![[0.0; 3]; vertices.len()];
    for triangle in triangles {
        let corners = triangle.map(|corner| vertices.get(corner as usize).map(|vertex| wide(*vertex)));
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        let normal = cross(sub(b, a), sub(c, a));
        for corner in triangle {
            let sum: &mut V3 = &mut sums[*corner as usize];
            *sum = [0, 1, 2].map(|axis| sum[axis] + normal[axis]);
        }
    }
    let unit = |sum: V3| {
        let length = norm(sum);
        if length > 0.0 && length.is_finite() { sum.map(|part| part / length) } else { [0.0, 0.0, 1.0] }
    };
    sums.into_iter().map(|sum| narrow(unit(sum))).collect()
}

/// For each vertex, the first vertex with the same position and normal. They are shaded alike and differ only in texture
/// coordinates or colours.
pub fn shade_indices(vertices: &[Vec3], normals: &[Vec3]) -> Vec<U32> {
    // Three words of two numbers each are faster to hash than an array.
    let mut first: HashMap<(u64, u64, u64), u32, RandomState> =
        HashMap::with_capacity_and_hasher(vertices.len(), RandomState::default());
    (0..)
        .zip(vertices)
        .map(|(index, vertex)| {
            let normal = normals.get(index as usize).copied().unwrap_or_default();
            let [a, b, c] = vertex.get().map(|part| u64::from(part.to_bits()));
            let [d, e, f] = normal.get().map(|part| u64::from(part.to_bits()));
            U32::new(*first.entry((a << 32 | b, c << 32 | d, e << 32 | f)).or_insert(index))
        })
        .collect()
}

/// A triangle with its plane. One without area gets a normal of zero.
pub(super) fn triangle(
    vertices: &[Vec3],
    corners: [u32; 3],
    attributes: crate::names::SurfaceType,
) -> Triangle {
    let at = |corner: u32| vertices.get(corner as usize).copied().unwrap_or_default();
    let (normal, dist) = plane(corners.map(at)).unwrap_or_default();
    Triangle { vindex: corners.map(U32::new), attributes, normal, dist: F32::new(dist) }
}
