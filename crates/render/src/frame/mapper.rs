//! Texture coordinates: those of the mesh, transformed, or generated from normals and the camera (docs/formats/w3d/materials.md#mappers).

use super::Camera;
use crate::particles::random::Dice;
use glam::{Affine2, Mat2, Vec2, Vec3};
use scene::{Axis, Environment, EnvironmentSource, Mesh, UvMapper};

/// Source of the coordinates of a texture. Two textures with equal sources have equal coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UvSource<'a> {
    /// Index into [`Mesh::uv_sets`]; the first set is used if it does not exist.
    pub(super) set: u32,
    /// The layer's texture animation.
    pub(super) animation: Affine2,
    /// The mapper, applied after the animation.
    pub(super) mapper: &'a UvMapper,
    /// Whether generated coordinates have v downwards, as in the usual sphere map, for Warcraft III (inferred). The
    /// engine of W3D uses `y / 2 + 1 / 2` of the camera's Y, which points up.
    pub(super) sphere_down: bool,
}

impl UvSource<'static> {
    /// No coordinates.
    pub(super) const NONE: Self =
        Self { set: 0, animation: Affine2::IDENTITY, mapper: &UvMapper::Uv, sphere_down: false };
}

/// A vertex in world space, for generated coordinates.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
}

/// The computation of the coordinates of one texture at a moment.
pub(super) enum Coordinates<'a> {
    /// Coordinates of the mesh, transformed.
    Own(&'a [Vec2], Affine2),
    /// From a direction.
    Environment { camera: &'a Camera, environment: &'a Environment, cell: Affine2, down: bool },
    /// From the angle to the camera.
    Edge { camera: &'a Camera, reflection: bool, v: f32 },
    /// From the place on the screen.
    Screen { camera: &'a Camera, transform: Affine2 },
}

impl<'a> Coordinates<'a> {
    pub(super) fn new(source: &UvSource<'a>, mesh: &'a Mesh, camera: &'a Camera, seconds: f32) -> Self {
        let sets = &mesh.uv_sets;
        let own = sets.get(source.set as usize).or(sets.first()).map_or(&[][..], Vec::as_slice);
        let sound = |transform: Affine2| if transform.is_finite() { transform } else { Affine2::IDENTITY };
        match source.mapper {
            UvMapper::Environment(environment) => {
                let cell = environment.grid.as_ref().map_or(Affine2::IDENTITY, |grid| {
                    let width = (1_u32 << grid.log2_width.min(15)) as f32;
                    let scale = Mat2::from_diagonal(Vec2::splat(width.recip()));
                    Affine2::from_mat2_translation(scale, grid.offset(seconds))
                });
                Self::Environment { camera, environment, cell, down: source.sphere_down }
            }
            UvMapper::Edge(edge) => {
                let v = edge.start + edge.speed * seconds;
                Self::Edge { camera, reflection: edge.reflection, v: v - v.floor() }
            }
            UvMapper::Screen(linear) => {
                let scale = Mat2::from_diagonal(linear.scale);
                Self::Screen {
                    camera,
                    transform: sound(Affine2::from_mat2_translation(scale, linear.offset(seconds))),
                }
            }
            UvMapper::Random(chance) => {
                // A new rotation and offset at each frame, and scrolling between frames
                // (docs/formats/w3d/materials.md#mappers).
                let frames = seconds * chance.frames_per_second;
                let frame = if frames.is_finite() { frames.floor() } else { 0.0 };
                let into = if chance.frames_per_second > 0.0 {
                    seconds - frame / chance.frames_per_second
                } else {
                    seconds
                };
                let dice = Dice::new(SEED, 0, frame as i64);
                let turn = Mat2::from_angle(dice.unit(0) * std::f32::consts::TAU);
                let offset = Vec2::new(dice.unit(1), dice.unit(2)) + chance.speed * into;
                let linear = turn * Mat2::from_diagonal(chance.scale);
                let transform = sound(Affine2::from_mat2_translation(linear, offset));
                Self::Own(own, transform * source.animation)
            }
            mapper => {
                let transform = mapper.transform(seconds).unwrap_or(Affine2::IDENTITY);
                Self::Own(own, sound(transform * source.animation))
            }
        }
    }

    /// The coordinates of a vertex; zero if they are not finite.
    pub(super) fn at(&self, vertex: usize, corner: &Corner) -> Vec2 {
        let uv = match self {
            Self::Own(set, transform) => {
                let uv = set.get(vertex).copied().unwrap_or_default();
                if *transform == Affine2::IDENTITY { uv } else { transform.transform_point2(uv) }
            }
            Self::Environment { camera, environment, cell, down } => {
                let direction = direction(camera, corner, environment.source);
                let [u, v] = match environment.world_axis {
                    None => [camera.right().dot(direction), camera.up().dot(direction)],
                    // W3D's axes: X is ours, Y is our -Z, Z is our Y.
                    Some(Axis::X) => [-direction.z, direction.y],
                    Some(Axis::Y) => [direction.x, direction.y],
                    Some(Axis::Z) => [direction.x, -direction.z],
                };
                let v = if *down { -v } else { v };
                cell.transform_point2(Vec2::new(u, v) * 0.5 + 0.5)
            }
            Self::Edge { camera, reflection, v } => {
                let source =
                    if *reflection { EnvironmentSource::Reflection } else { EnvironmentSource::Normal };
                let depth = -camera.forward().dot(direction(camera, corner, source));
                Vec2::new(depth * 0.5 + 0.5, *v)
            }
            Self::Screen { camera, transform } => {
                let clip = camera.projection * camera.view * corner.position.extend(1.0);
                transform.transform_point2(clip.truncate().truncate() / clip.w.abs().max(1e-6))
            }
        };
        if uv.is_finite() { uv } else { Vec2::ZERO }
    }
}

/// Salt that separates the random numbers of mappers from those of particles.
const SEED: u64 = 0x6d61_7070_6572;

/// The normal, or the reflection of the view in it, in world space.
fn direction(camera: &Camera, corner: &Corner, source: EnvironmentSource) -> Vec3 {
    let normal = corner.normal;
    match source {
        EnvironmentSource::Normal => normal,
        EnvironmentSource::Reflection => {
            let eye = (camera.position - corner.position).normalize_or_zero();
            normal * (2.0 * normal.dot(eye)) - eye
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Edge, Grid, LinearOffset, Random};

    fn camera() -> Camera {
        // In front of the model: right is -Z, up is Y, back is X.
        Camera::look_at(Vec3::new(10.0, 0.0, 0.0), Vec3::ZERO, 1.0, 1.0, 0.1, 100.0)
    }

    fn uv(mapper: &UvMapper, seconds: f32, normal: Vec3) -> Vec2 {
        let mesh = Mesh { uv_sets: vec![vec![Vec2::new(0.25, 0.5)]], ..Mesh::default() };
        let camera = camera();
        let source = UvSource { mapper, ..UvSource::NONE };
        let corner = Corner { position: Vec3::ZERO, normal };
        Coordinates::new(&source, &mesh, &camera, seconds).at(0, &corner)
    }

    fn near(a: Vec2, b: [f32; 2]) -> bool {
        a.abs_diff_eq(b.into(), 1e-5)
    }

    #[test]
    fn own_coordinates_are_moved_by_animation_and_mapper() {
        assert!(near(uv(&UvMapper::Uv, 9.0, Vec3::X), [0.25, 0.5]));
        let linear = LinearOffset { speed: Vec2::new(-0.5, 0.0), ..LinearOffset::default() };
        assert!(near(uv(&UvMapper::LinearOffset(linear), 0.5, Vec3::X), [0.5, 0.5]));
    }

    #[test]
    fn environment_maps_follow_the_normal_on_the_screen() {
        let source = EnvironmentSource::Normal;
        let mapper = UvMapper::Environment(Environment { source, ..Environment::default() });
        assert!(near(uv(&mapper, 0.0, Vec3::X), [0.5, 0.5]));
        assert!(near(uv(&mapper, 0.0, Vec3::Y), [0.5, 1.0]));
        assert!(near(uv(&mapper, 0.0, Vec3::NEG_Z), [1.0, 0.5]));
        // The reflection of a surface at 45 degrees goes straight up.
        let mapper = UvMapper::Environment(Environment::default());
        assert!(near(uv(&mapper, 0.0, Vec3::new(1.0, 1.0, 0.0).normalize()), [0.5, 1.0]));
    }

    #[test]
    fn world_environment_maps_leave_out_their_axis() {
        let source = EnvironmentSource::Normal;
        let mapper = |axis| UvMapper::Environment(Environment { source, world_axis: Some(axis), grid: None });
        // W3D's (0.6, 0, 0.8) is our (0.6, 0.8, 0).
        let normal = Vec3::new(0.6, 0.8, 0.0);
        assert!(near(uv(&mapper(Axis::X), 0.0, normal), [0.5, 0.9]));
        assert!(near(uv(&mapper(Axis::Y), 0.0, normal), [0.8, 0.9]));
        assert!(near(uv(&mapper(Axis::Z), 0.0, normal), [0.8, 0.5]));
    }

    #[test]
    fn environment_grids_use_one_cell() {
        let grid = Some(Grid { frames_per_second: 1.0, log2_width: 1, ..Grid::default() });
        let mapper =
            UvMapper::Environment(Environment { source: EnvironmentSource::Normal, world_axis: None, grid });
        assert!(near(uv(&mapper, 0.0, Vec3::X), [0.25, 0.25]));
        assert!(near(uv(&mapper, 1.0, Vec3::X), [0.75, 0.25]));
    }

    #[test]
    fn edges_depend_on_the_angle_to_the_camera() {
        let mapper = UvMapper::Edge(Edge { speed: 0.25, start: 0.5, reflection: false });
        assert!(near(uv(&mapper, 1.0, Vec3::X), [1.0, 0.75]));
        assert!(near(uv(&mapper, 3.0, Vec3::Y), [0.5, 0.25]));
    }

    #[test]
    fn the_screen_is_a_source_of_coordinates() {
        let mapper = UvMapper::Screen(LinearOffset { scale: Vec2::splat(0.5), ..LinearOffset::default() });
        assert!(near(uv(&mapper, 0.0, Vec3::X), [0.0, 0.0]));
    }

    #[test]
    fn random_coordinates_stay_within_a_frame_and_come_again() {
        let mapper = UvMapper::Random(Random { frames_per_second: 2.0, ..Random::default() });
        assert_eq!(uv(&mapper, 0.1, Vec3::X), uv(&mapper, 0.4, Vec3::X));
        assert_ne!(uv(&mapper, 0.1, Vec3::X), uv(&mapper, 0.6, Vec3::X));
    }

    #[test]
    fn broken_numbers_give_no_coordinates() {
        let mapper = UvMapper::Scale(Vec2::splat(f32::NAN));
        assert!(uv(&mapper, 0.0, Vec3::X).is_finite());
        assert_eq!(uv(&UvMapper::Environment(Environment::default()), 0.0, Vec3::NAN), Vec2::ZERO);
    }
}
