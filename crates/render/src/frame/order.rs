//! The order of draw calls (docs/formats/rendering.md#w3d-order and docs/formats/rendering.md#mdx-order).
//!
//! Opaque draw calls come first. For W3D, the static sort levels follow, 32 to 1, then one pool with the triangles of all
//! meshes and particles in it, farthest first. For Warcraft III, the priority planes follow, the lowest first. Overlay
//! lines are last.

use super::{Camera, Draw, Frame};
use glam::Vec3;
use std::ops::Range;

/// The position of a draw call in the drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Opaque, or treated as opaque by the engine.
    Opaque,
    /// A static sort level of W3D.
    Static(u32),
    /// The pool of W3D.
    Pool,
    /// A priority plane of Warcraft III; meshes come before particles, and these before ribbons.
    Plane(i32, Kind),
    /// Overlay lines.
    Overlay,
}

/// The contents of a priority plane, in drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Mesh,
    Particles,
    Ribbon,
}

/// Ranges of indices that sorting must keep together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) indices: Range<u32>,
    pub(super) center: Vec3,
}

/// Draw calls that are not in the frame yet.
#[derive(Default)]
pub(super) struct Queue {
    entries: Vec<(Place, Draw, Option<Vec<Piece>>)>,
}

impl Queue {
    /// Adds a draw call whose triangles may be sorted separately.
    pub(super) fn push(&mut self, place: Place, draw: Draw) {
        self.entries.push((place, draw, None));
    }

    /// Adds a draw call of pieces.
    pub(super) fn push_pieces(&mut self, place: Place, draw: Draw, pieces: Vec<Piece>) {
        self.entries.push((place, draw, Some(pieces)));
    }

    /// Whether there is nothing to draw besides overlay lines.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.iter().all(|(place, ..)| *place == Place::Overlay)
    }

    /// Puts all draw calls into the frame.
    pub(super) fn finish(self, frame: &mut Frame) {
        let (pool, mut rest): (Vec<_>, Vec<_>) =
            self.entries.into_iter().partition(|(place, ..)| *place == Place::Pool);
        // The pool is between the static levels and the priority planes. No scene has both.
        let rank = |place: &Place| match *place {
            Place::Opaque => (0, 0, Kind::Mesh),
            Place::Static(level) => (1, -i64::from(level), Kind::Mesh),
            Place::Pool | Place::Plane(..) => match *place {
                Place::Plane(plane, kind) => (3, i64::from(plane), kind),
                _ => (2, 0, Kind::Mesh),
            },
            Place::Overlay => (4, 0, Kind::Mesh),
        };
        rest.sort_by_key(|(place, ..)| rank(place));
        let behind = rest.partition_point(|(place, ..)| rank(place).0 < 2);
        let front = rest.split_off(behind);
        frame.draws.extend(rest.into_iter().map(|(_, draw, _)| draw));
        sort_pool(frame, pool.into_iter().map(|(_, draw, pieces)| (draw, pieces)).collect());
        frame.draws.extend(front.into_iter().map(|(_, draw, _)| draw));
    }
}

/// Draws the triangles of the pool, farthest first. At equal depth, they keep their order, so that passes stay in order.
fn sort_pool(frame: &mut Frame, pool: Vec<(Draw, Option<Vec<Piece>>)>) {
    let mut parts: Vec<(f32, usize, Range<u32>)> = Vec::new();
    for (index, (draw, pieces)) in pool.iter().enumerate() {
        match pieces {
            Some(pieces) => {
                parts.extend(
                    pieces
                        .iter()
                        .map(|piece| (frame.camera.depth(piece.center), index, piece.indices.clone())),
                );
            }
            None => {
                let triangles = draw.indices.clone().step_by(3).map(|start| start..start + 3);
                parts.extend(triangles.map(|indices| (mean_depth(frame, &indices), index, indices)));
            }
        }
    }
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut current: Option<usize> = None;
    for (_, index, indices) in parts {
        let start = frame.indices.len() as u32;
        frame.indices.extend_from_within(indices.start as usize..indices.end as usize);
        let end = frame.indices.len() as u32;
        if current == Some(index)
            && let Some(last) = frame.draws.last_mut()
        {
            last.indices.end = end;
        } else {
            frame.draws.push(Draw { indices: start..end, ..pool[index].0.clone() });
            current = Some(index);
        }
    }
}

fn mean_depth(frame: &Frame, indices: &Range<u32>) -> f32 {
    let corners = frame.indices.get(indices.start as usize..indices.end as usize).unwrap_or_default();
    let sum: Vec3 = corners
        .iter()
        .filter_map(|index| frame.vertices.get(*index as usize))
        .map(|corner| corner.position)
        .sum();
    frame.camera.depth(sum / corners.len().max(1) as f32)
}

/// Sorts triangles by depth, farthest or nearest first. At equal depth, they keep their order.
pub(super) fn sort_triangles(
    indices: &mut [u32],
    camera: &Camera,
    position: impl Fn(u32) -> Vec3,
    far_first: bool,
) {
    let depth = |triangle: &[u32; 3]| {
        let depth = camera.depth(triangle.iter().map(|corner| position(*corner)).sum::<Vec3>() / 3.0);
        if far_first { depth } else { -depth }
    };
    let mut keyed: Vec<(f32, [u32; 3])> =
        indices.as_chunks::<3>().0.iter().map(|triangle| (depth(triangle), *triangle)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (to, (_, from)) in indices.as_chunks_mut::<3>().0.iter_mut().zip(keyed) {
        *to = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Fixed, Program, Source, Topology, Vertex};
    use scene::{BlendMode, Compare, MeshId};

    fn draw(mesh: u32, indices: Range<u32>) -> Draw {
        Draw {
            source: Source::Mesh { mesh: MeshId(mesh), layer: 0 },
            topology: Topology::Triangles,
            indices,
            blend: BlendMode::Opaque.factors(),
            alpha_test: None,
            depth_test: Compare::LessEqual,
            depth_write: true,
            cull: true,
            program: Program::Fixed(Fixed::default()),
        }
    }

    /// Triangles at these distances from a camera at the origin that looks along -X.
    fn frame(distances: &[f32]) -> Frame {
        let vertex =
            |distance: &f32| Vertex { position: Vec3::new(-distance, 0.0, 0.0), ..Vertex::default() };
        Frame {
            camera: Camera::look_at(Vec3::ZERO, Vec3::NEG_X, 1.0, 1.0, 0.1, 100.0),
            vertices: distances.iter().flat_map(|distance| [vertex(distance); 3]).collect(),
            indices: (0..distances.len() as u32 * 3).collect(),
            ..Frame::default()
        }
    }

    fn meshes(frame: &Frame) -> Vec<u32> {
        let mesh = |draw: &Draw| match draw.source {
            Source::Mesh { mesh, .. } => mesh.0,
            _ => u32::MAX,
        };
        frame.draws.iter().map(mesh).collect()
    }

    #[test]
    fn static_levels_are_drawn_from_32_to_1_after_what_is_opaque() {
        let mut frame = frame(&[1.0]);
        let mut queue = Queue::default();
        let places = [
            Place::Overlay,
            Place::Static(1),
            Place::Static(32),
            Place::Opaque,
            Place::Static(1),
            Place::Opaque,
        ];
        for (mesh, place) in (0..).zip(places) {
            queue.push(place, draw(mesh, 0..3));
        }
        queue.finish(&mut frame);
        assert_eq!(meshes(&frame), [3, 5, 2, 1, 4, 0]);
    }

    #[test]
    fn the_pool_is_sorted_across_meshes_and_particles() {
        // Mesh 0 has triangles at 1 and 5, mesh 1 at 3 and 4, the particle is at 2.
        let mut frame = frame(&[1.0, 5.0, 3.0, 4.0, 2.0]);
        let mut queue = Queue::default();
        queue.push(Place::Pool, draw(0, 0..6));
        queue.push(Place::Pool, draw(1, 6..12));
        let particle = Piece { indices: 12..15, center: Vec3::new(-2.0, 0.0, 0.0) };
        queue.push_pieces(Place::Pool, draw(2, 12..15), vec![particle]);
        queue.push(Place::Static(1), draw(3, 0..3));
        queue.finish(&mut frame);
        assert_eq!(meshes(&frame), [3, 0, 1, 2, 0]);
        let drawn: Vec<u32> = frame.draws[1..]
            .iter()
            .flat_map(|draw| {
                frame.indices[draw.indices.start as usize..draw.indices.end as usize].iter().step_by(3)
            })
            .map(|index| index / 3)
            .collect();
        // Triangles by their distance: 5, 4, 3, 2, 1.
        assert_eq!(drawn, [1, 3, 2, 4, 0]);
    }

    #[test]
    fn passes_of_one_triangle_stay_in_order() {
        let mut frame = frame(&[1.0, 2.0]);
        let mut queue = Queue::default();
        queue.push(Place::Pool, draw(0, 0..6));
        queue.push(Place::Pool, draw(1, 0..6));
        queue.finish(&mut frame);
        assert_eq!(meshes(&frame), [0, 1, 0, 1]);
    }

    #[test]
    fn planes_come_in_ascending_order_meshes_before_particles() {
        let mut frame = frame(&[1.0]);
        let mut queue = Queue::default();
        let places = [
            Place::Plane(5, Kind::Mesh),
            Place::Plane(-1, Kind::Ribbon),
            Place::Plane(-1, Kind::Particles),
            Place::Plane(-1, Kind::Mesh),
            Place::Opaque,
            Place::Plane(5, Kind::Mesh),
        ];
        for (mesh, place) in (0..).zip(places) {
            queue.push(place, draw(mesh, 0..3));
        }
        queue.finish(&mut frame);
        assert_eq!(meshes(&frame), [4, 3, 2, 1, 0, 5]);
    }

    #[test]
    fn triangles_of_a_mesh_can_be_sorted_both_ways() {
        let frame = frame(&[1.0, 3.0, 2.0]);
        let position = |index: u32| frame.vertices[index as usize].position;
        let mut indices = frame.indices.clone();
        sort_triangles(&mut indices, &frame.camera, position, true);
        assert_eq!(indices, [3, 4, 5, 6, 7, 8, 0, 1, 2]);
        sort_triangles(&mut indices, &frame.camera, position, false);
        assert_eq!(indices, [0, 1, 2, 6, 7, 8, 3, 4, 5]);
    }
}
