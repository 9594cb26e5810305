//! Overlay lines: grid, skeleton, extents, collision shapes, edges of triangles.

use super::{Camera, Draw, Fixed, Frame, Program, Source, Topology, Vertex, Wireframe};
use glam::{Affine3A, Vec3, Vec4};
use scene::{BlendMode, Bounds, Compare, Deformed, Hierarchy, Pose, Scene, Shape};
use std::collections::HashSet;
use std::f32::consts::TAU;

const GRID: Vec4 = Vec4::new(0.45, 0.45, 0.45, 1.0);
const GRID_AXIS: Vec4 = Vec4::new(0.7, 0.7, 0.7, 1.0);
const BONE: Vec4 = Vec4::new(1.0, 0.85, 0.2, 1.0);
const EXTENT: Vec4 = Vec4::new(0.3, 0.8, 1.0, 1.0);
const COLLISION: Vec4 = Vec4::new(1.0, 0.4, 0.1, 1.0);
const NORMAL: Vec4 = Vec4::new(0.4, 0.6, 1.0, 1.0);
const CAMERA: Vec4 = Vec4::new(0.9, 0.5, 1.0, 1.0);
const SELECTED: Vec4 = Vec4::new(1.0, 0.6, 0.0, 1.0);
const EDGE_OVER: Vec4 = Vec4::new(0.0, 0.0, 0.0, 1.0);
const EDGE_ONLY: Vec4 = Vec4::new(0.1, 0.75, 0.3, 1.0);

/// Maximum number of lines. Damaged files could have millions of bones.
const MAX_LINES: usize = 1 << 20;
/// Corners of a circle.
const CIRCLE: usize = 48;

/// Lines of one kind, before they are added to the frame.
pub(super) struct Lines {
    vertices: Vec<Vertex>,
    depth_test: Compare,
}

impl Lines {
    pub(super) fn new(depth_test: Compare) -> Self {
        Self { vertices: Vec::new(), depth_test }
    }

    fn line(&mut self, a: Vec3, b: Vec3, color: Vec4) {
        if a.is_finite() && b.is_finite() && self.vertices.len() < MAX_LINES * 2 {
            self.vertices.extend([a, b].map(|position| Vertex { position, color, ..Vertex::default() }));
        }
    }

    fn closed(&mut self, corners: &[Vec3], color: Vec4) {
        for (index, corner) in corners.iter().enumerate() {
            self.line(*corner, corners[(index + 1) % corners.len()], color);
        }
    }

    fn circle(&mut self, center: Vec3, x: Vec3, y: Vec3, color: Vec4) {
        let corner = |index: usize| {
            let (sin, cos) = (TAU * index as f32 / CIRCLE as f32).sin_cos();
            center + x * cos + y * sin
        };
        let corners: [Vec3; CIRCLE] = std::array::from_fn(corner);
        self.closed(&corners, color);
    }

    fn cuboid(&mut self, min: Vec3, max: Vec3, world: &Affine3A, color: Vec4) {
        let corner = |index: usize| {
            let pick = |axis: usize| if index >> axis & 1 == 0 { min[axis] } else { max[axis] };
            world.transform_point3(Vec3::new(pick(0), pick(1), pick(2)))
        };
        for index in 0..8_usize {
            for axis in (0..3).filter(|axis| index >> axis & 1 == 0) {
                self.line(corner(index), corner(index | 1 << axis), color);
            }
        }
    }

    fn ball(&mut self, center: Vec3, radius: f32, world: &Affine3A, color: Vec4) {
        let place = world.transform_point3(center);
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| world.transform_vector3(axis * radius));
        for (x, y) in [(0, 1), (1, 2), (2, 0)] {
            self.circle(place, axes[x], axes[y], color);
        }
    }

    /// The draw call of these lines; `None` if there are none.
    pub(super) fn draw(self, frame: &mut Frame) -> Option<Draw> {
        if self.vertices.is_empty() {
            return None;
        }
        let base = u32::try_from(frame.vertices.len()).ok()?;
        let start = u32::try_from(frame.indices.len()).ok()?;
        let count = u32::try_from(self.vertices.len()).ok()?;
        frame.vertices.extend(self.vertices);
        frame.indices.extend(base..base.checked_add(count)?);
        Some(Draw {
            source: Source::Overlay,
            topology: Topology::Lines,
            indices: start..start.checked_add(count)?,
            blend: BlendMode::Alpha.factors(),
            alpha_test: None,
            depth_test: self.depth_test,
            depth_write: self.depth_test != Compare::Always,
            cull: false,
            program: Program::Fixed(Fixed::default()),
        })
    }

    /// A grid on the ground around the model, with a round number of units between lines.
    pub(super) fn grid(&mut self, bounds: &Bounds) {
        let reach = bounds.min.abs().max(bounds.max.abs());
        let reach = (reach.x.max(reach.z) * 1.2).clamp(1e-3, 1e9);
        // Between 5 and 12 lines on each side: steps are 1, 2 or 5 times a power of ten.
        let decade = 10.0_f32.powf((reach / 10.0).log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade).into_iter().find(|step| reach / step <= 10.0);
        let step = step.unwrap_or(reach);
        let count = (reach / step).ceil().clamp(1.0, 20.0) as i32;
        let end = count as f32 * step;
        for at in -count..=count {
            let place = at as f32 * step;
            let color = if at == 0 { GRID_AXIS } else { GRID };
            self.line(Vec3::new(place, 0.0, -end), Vec3::new(place, 0.0, end), color);
            self.line(Vec3::new(-end, 0.0, place), Vec3::new(end, 0.0, place), color);
        }
    }

    /// The skeleton: a long octahedron from each parent to its child. If the scene has bones, other nodes are ignored.
    pub(super) fn bones(&mut self, scene: &Scene, hierarchy: &Hierarchy, pose: &Pose, size: f32) {
        let has_bones = scene.nodes.iter().any(|node| node.is_bone);
        for (index, node) in scene.nodes.iter().enumerate().take(MAX_LINES / 16) {
            if has_bones && !node.is_bone {
                continue;
            }
            let Some(world) = pose.worlds.get(index) else { continue };
            let place = Vec3::from(world.translation);
            let parent = hierarchy.parents.get(index).copied().flatten();
            let parent = parent.and_then(|parent| pose.worlds.get(parent.index()));
            let Some(start) = parent.map(|parent| Vec3::from(parent.translation)) else {
                self.cross(place, size * 0.03);
                continue;
            };
            let along = place - start;
            let Some(direction) = along.try_normalize() else {
                self.cross(place, size * 0.02);
                continue;
            };
            let side = direction.any_orthonormal_vector();
            let other = direction.cross(side);
            let thick = (along.length() * 0.08).min(size * 0.02);
            let waist = start + along * 0.15;
            let ring = [side, other, -side, -other].map(|out| waist + out * thick);
            self.closed(&ring, BONE);
            for corner in ring {
                self.line(start, corner, BONE);
                self.line(corner, place, BONE);
            }
        }
    }

    fn cross(&mut self, place: Vec3, size: f32) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.line(place - axis * size, place + axis * size, BONE);
        }
    }

    /// A bounding box and sphere.
    pub(super) fn extents(&mut self, bounds: &Bounds) {
        self.cuboid(bounds.min, bounds.max, &Affine3A::IDENTITY, EXTENT);
        self.ball(bounds.center, bounds.radius, &Affine3A::IDENTITY, EXTENT);
    }

    /// All collision shapes where their nodes are.
    pub(super) fn collision(&mut self, scene: &Scene, pose: &Pose) {
        for shape in &scene.collision_shapes {
            let world = pose.worlds.get(shape.node.index()).copied().unwrap_or(Affine3A::IDENTITY);
            match &shape.shape {
                Shape::Box { min, max, axis_aligned: true } => {
                    let moved = Affine3A::from_translation(world.translation.into());
                    self.cuboid(*min, *max, &moved, COLLISION);
                }
                Shape::Box { min, max, axis_aligned: false } | Shape::Plane { min, max } => {
                    self.cuboid(*min, *max, &world, COLLISION);
                }
                Shape::Sphere { center, radius } => self.ball(*center, *radius, &world, COLLISION),
                Shape::Cylinder { start, end, radius } => {
                    let (start, end) = (world.transform_point3(*start), world.transform_point3(*end));
                    let Some(along) = (end - start).try_normalize() else { continue };
                    let x = along.any_orthonormal_vector() * *radius;
                    let y = along.cross(x);
                    self.circle(start, x, y, COLLISION);
                    self.circle(end, x, y, COLLISION);
                    for out in [x, y, -x, -y] {
                        self.line(start + out, end + out, COLLISION);
                    }
                }
                Shape::Mesh { positions, indices } => {
                    for corners in indices.as_chunks::<3>().0 {
                        let place = |index: usize| positions.get(corners[index] as usize);
                        if let (Some(a), Some(b), Some(c)) = (place(0), place(1), place(2)) {
                            self.closed(
                                &[*a, *b, *c].map(|corner| world.transform_point3(corner)),
                                COLLISION,
                            );
                        }
                    }
                }
            }
        }
    }

    /// The normals of vertices.
    pub(super) fn normals(&mut self, deformed: &Deformed, length: f32) {
        for (position, normal) in deformed.positions.iter().zip(&deformed.normals) {
            self.line(*position, *position + *normal * length, NORMAL);
        }
    }

    /// The three axes of a transform.
    pub(super) fn axes(&mut self, world: &Affine3A, size: f32) {
        let place = Vec3::from(world.translation);
        for (axis, color) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip([Vec4::X, Vec4::Y, Vec4::Z]) {
            // The axes of mirrored and scaled nodes can have any length.
            let direction = world.transform_vector3(axis).normalize_or_zero();
            self.line(place, place + direction * size, color.truncate().extend(1.0));
        }
    }

    /// The view pyramid of a camera, up to a distance.
    pub(super) fn camera(&mut self, camera: &Camera, size: f32) {
        let inverse = (camera.projection * camera.view).inverse();
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let direction =
                (inverse.project_point3(Vec3::new(x, y, 0.5)) - camera.position).normalize_or_zero();
            camera.position + direction * size
        });
        self.closed(&corners, CAMERA);
        for corner in corners {
            self.line(camera.position, corner, CAMERA);
        }
        // A mark at the upper edge.
        let top = (corners[2] + corners[3]) * 0.5 + camera.up() * (size * 0.1);
        self.line(corners[2], top, CAMERA);
        self.line(corners[3], top, CAMERA);
    }

    /// The edges of a selected mesh.
    pub(super) fn selected(&mut self, positions: &[Vec3], indices: impl Iterator<Item = u32>, eye: Vec3) {
        self.colored_edges(positions, indices, eye, SELECTED);
    }

    /// The edges of triangles, each once, a little in front of them.
    pub(super) fn edges(
        &mut self,
        positions: &[Vec3],
        indices: impl Iterator<Item = u32>,
        eye: Vec3,
        kind: Wireframe,
    ) {
        let color = if kind == Wireframe::Only { EDGE_ONLY } else { EDGE_OVER };
        self.colored_edges(positions, indices, eye, color);
    }

    fn colored_edges(
        &mut self,
        positions: &[Vec3],
        indices: impl Iterator<Item = u32>,
        eye: Vec3,
        color: Vec4,
    ) {
        let mut known: HashSet<(u32, u32)> = HashSet::new();
        let mut corners = [0_u32; 3];
        for (at, index) in indices.enumerate() {
            corners[at % 3] = index;
            if at % 3 < 2 {
                continue;
            }
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (corners[a].min(corners[b]), corners[a].max(corners[b]));
                let (Some(from), Some(to)) = (positions.get(a as usize), positions.get(b as usize)) else {
                    continue;
                };
                if known.insert((a, b)) {
                    let nearer = |place: Vec3| place + (eye - place) * 0.001;
                    self.line(nearer(*from), nearer(*to), color);
                }
            }
            if known.len() > MAX_LINES {
                return;
            }
        }
    }
}
