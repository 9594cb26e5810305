//! Normals and tangents of triangles and vertices, in double precision.

use std::collections::HashMap;

use record::{Vec2, Vec3};

use super::Smoothing;

pub(super) type V3 = [f64; 3];

pub(super) fn wide(vector: Vec3) -> V3 {
    vector.get().map(f64::from)
}

pub(super) fn narrow(vector: V3) -> Vec3 {
    // Adding zero makes a negative zero positive.
    Vec3::from(vector.map(|part| (part + 0.0) as f32))
}

pub(super) fn sub(a: V3, b: V3) -> V3 {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn add(a: V3, b: V3) -> V3 {
    [0, 1, 2].map(|axis| a[axis] + b[axis])
}

fn times(a: V3, factor: f64) -> V3 {
    a.map(|part| part * factor)
}

pub(super) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn unit(a: V3) -> Option<V3> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| times(a, 1.0 / length))
}

/// The normal of a triangle, as long as twice its area; `None` if a corner does not exist.
fn face(positions: &[V3], triangle: [usize; 3]) -> Option<V3> {
    let [a, b, c] = triangle.map(|corner| positions.get(corner).copied());
    let (a, b, c) = (a?, b?, c?);
    Some(cross(sub(b, a), sub(c, a)))
}

/// A position or normal as a key of a map.
fn bits(vector: V3) -> [u64; 3] {
    vector.map(|part| (part + 0.0).to_bits())
}

/// Most triangles at one position that are compared with each other; more share one normal.
const MAX_COMPARED: usize = 64;

/// The normals of vertices. `None` for a vertex of no triangle with an area, which keeps the normal that it has.
pub(super) fn normals(
    positions: &[V3],
    old: &[V3],
    triangles: &[[usize; 3]],
    smoothing: Smoothing,
) -> Vec<Option<V3>> {
    let faces: Vec<Option<V3>> = triangles.iter().map(|triangle| face(positions, *triangle)).collect();
    match smoothing {
        Smoothing::Kept => {
            let key =
                |vertex: usize| (bits(positions[vertex]), bits(old.get(vertex).copied().unwrap_or_default()));
            let mut sums: HashMap<([u64; 3], [u64; 3]), V3> = HashMap::new();
            for (triangle, face) in triangles.iter().zip(&faces) {
                let Some(face) = face else { continue };
                for vertex in triangle {
                    let sum = sums.entry(key(*vertex)).or_default();
                    *sum = add(*sum, *face);
                }
            }
            (0..positions.len()).map(|vertex| unit(*sums.get(&key(vertex))?)).collect()
        }
        Smoothing::Angle(degrees) => {
            let least = f64::from(degrees).to_radians().cos() - 1e-9;
            // The triangles at each position, and the triangles of each vertex.
            let mut around: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
            let mut own: Vec<V3> = vec![[0.0; 3]; positions.len()];
            for (index, (triangle, face)) in triangles.iter().zip(&faces).enumerate() {
                let Some(face) = face else { continue };
                for vertex in triangle {
                    around.entry(bits(positions[*vertex])).or_default().push(index);
                    own[*vertex] = add(own[*vertex], *face);
                }
            }
            let normal = |vertex: usize| {
                let own = unit(own[vertex])?;
                let near = around.get(&bits(positions[vertex]))?;
                let joins = |face: V3| {
                    near.len() > MAX_COMPARED || unit(face).is_some_and(|face| dot(face, own) >= least)
                };
                let faces = near.iter().filter_map(|index| faces[*index]).filter(|face| joins(*face));
                unit(faces.fold([0.0; 3], add)).or(Some(own))
            };
            (0..positions.len()).map(normal).collect()
        }
    }
}

/// The directions of U and V along the surface at each vertex, at right angles to its normal; `None` where the texture coordinates give
/// none.
pub(super) fn tangents(
    positions: &[V3],
    normals: &[V3],
    coordinates: &[Vec2],
    triangles: &[[usize; 3]],
) -> Vec<Option<[V3; 2]>> {
    let mut sums = vec![[[0.0; 3]; 2]; positions.len()];
    for triangle in triangles {
        let corners = triangle.map(|corner| Some((*positions.get(corner)?, coordinates.get(corner)?.get())));
        let [Some((a, uv)), Some((b, uv_b)), Some((c, uv_c))] = corners else { continue };
        let (b, c) = (sub(b, a), sub(c, a));
        let ([u1, v1], [u2, v2]) = (
            [0, 1].map(|axis| f64::from(uv_b[axis] - uv[axis])),
            [0, 1].map(|axis| f64::from(uv_c[axis] - uv[axis])),
        );
        let area = u1 * v2 - u2 * v1;
        if area == 0.0 || !area.is_finite() {
            continue;
        }
        // Not divided by the area, so that large triangles count more.
        let along_u = times(sub(times(b, v2), times(c, v1)), area.signum());
        let along_v = times(sub(times(c, u1), times(b, u2)), area.signum());
        for corner in triangle {
            let sum = &mut sums[*corner];
            *sum = [add(sum[0], along_u), add(sum[1], along_v)];
        }
    }
    let across = |vector: V3, normal: V3| unit(sub(vector, times(normal, dot(vector, normal))));
    sums.into_iter()
        .enumerate()
        .map(|(vertex, [u, v])| {
            let normal = *normals.get(vertex)?;
            Some([across(u, normal)?, across(v, normal)?])
        })
        .collect()
}

/// Which triangles run against the normals of their vertices. One that also exists the other way round is a back side and meant so.
pub(super) fn backwards(positions: &[V3], normals: &[V3], triangles: &[[usize; 3]]) -> Vec<bool> {
    let sorted = |corners: [usize; 3]| {
        let mut places = corners.map(|corner| positions.get(corner).map(|position| bits(*position)));
        places.sort_unstable();
        places
    };
    let mut counts: HashMap<[Option<[u64; 3]>; 3], usize> = HashMap::new();
    for triangle in triangles {
        *counts.entry(sorted(*triangle)).or_default() += 1;
    }
    let is_single = |triangle: [usize; 3]| counts.get(&sorted(triangle)) == Some(&1);
    let turned = |triangle: &[usize; 3]| is_single(*triangle) && is_backwards(positions, normals, *triangle);
    triangles.iter().map(turned).collect()
}

/// Whether the corners of a triangle run against the normals of its vertices.
fn is_backwards(positions: &[V3], normals: &[V3], triangle: [usize; 3]) -> bool {
    let Some(face) = face(positions, triangle) else { return false };
    let against = triangle
        .iter()
        .filter_map(|corner| normals.get(*corner))
        .map(|normal| dot(face, *normal))
        .fold([0, 0], |[with, against], side| {
            [with + i32::from(side > 0.0), against + i32::from(side < 0.0)]
        });
    against[1] > against[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that share an edge at a right angle, with their own vertices.
    fn fold() -> (Vec<V3>, Vec<[usize; 3]>) {
        let positions = vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        (positions, vec![[0, 1, 2], [3, 4, 5]])
    }

    #[test]
    fn an_angle_decides_what_is_smooth() {
        let (positions, triangles) = fold();
        let hard = normals(&positions, &[], &triangles, Smoothing::Angle(45.0));
        assert_eq!((hard[0], hard[3]), (Some([0.0, 0.0, 1.0]), Some([1.0, 0.0, 0.0])));
        let soft = normals(&positions, &[], &triangles, Smoothing::Angle(90.0));
        assert_eq!(soft[0], soft[3]);
        assert_eq!(soft[1], Some([0.0, 0.0, 1.0]), "it is in one triangle only");
    }

    #[test]
    fn vertices_that_shared_a_normal_share_it_again() {
        let (positions, triangles) = fold();
        let shared = vec![[0.0, 0.0, 1.0]; 6];
        let soft = normals(&positions, &shared, &triangles, Smoothing::Kept);
        assert_eq!(soft[0], soft[3]);
        let mut apart = shared;
        apart[3] = [1.0, 0.0, 0.0];
        let hard = normals(&positions, &apart, &triangles, Smoothing::Kept);
        assert_eq!((hard[0], hard[3]), (Some([0.0, 0.0, 1.0]), Some([1.0, 0.0, 0.0])));
    }

    #[test]
    fn tangents_follow_the_texture() {
        let positions = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        let coordinates = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]].map(Vec2::from);
        let found = tangents(&positions, &[[0.0, 0.0, 1.0]; 3], &coordinates, &[[0, 1, 2]]);
        assert_eq!(found[0], Some([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]), "U runs along y, V along x");
    }

    #[test]
    fn backward_triangles_are_found() {
        let (positions, _) = fold();
        let up = vec![[0.0, 0.0, 1.0]; 6];
        assert!(!is_backwards(&positions, &up, [0, 1, 2]));
        assert!(is_backwards(&positions, &up, [0, 2, 1]));
    }
}
