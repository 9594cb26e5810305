//! W3D's rings and spheres, which grow, fade and change colour.

use super::Situation;
use super::cloud::{Cloud, corner};
use super::keyed::value;
use super::timeline::{Timeline, Visibility};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use scene::{BlendFactor, LifeKeys, Primitive, PrimitiveForm};
use std::f32::consts::{PI, TAU};

/// Slices of a ring, and of a sphere about its axis.
const SLICES: u32 = 32;
/// Slices of a sphere from pole to pole.
const STACKS: u32 = 16;

/// The axis of a sphere's alpha vector before its rotation, in the scene's axes: W3D's forward (inferred).
const ALPHA_AXIS: Vec3 = Vec3::X;

pub(super) fn cloud<'a>(situation: &Situation<'a>, primitive: &'a Primitive) -> Option<Cloud> {
    let timeline = Timeline::new(situation);
    let visibility = Visibility::new(&timeline, None, true, primitive.node);
    if !visibility.at(timeline.now) {
        return None;
    }
    let world = timeline.chain(situation, primitive.node).world(timeline.now);
    let share = share(primitive, timeline.now);
    let mut cloud = Cloud::like(&primitive.layer).with_texture(situation.scene(), primitive.texture);
    cloud.two_sided = primitive.layer.two_sided || matches!(primitive.form, PrimitiveForm::Ring { .. });
    let (color, alpha) = (value(&primitive.color, share, Vec3::ONE), value(&primitive.alpha, share, 1.0));
    // For additive blending, alpha is multiplied into the colour.
    let added = matches!(cloud.blend, (BlendFactor::One, BlendFactor::One));
    let paint = |alpha: f32| if added { (color * alpha).extend(1.0) } else { color.extend(alpha) };
    match &primitive.form {
        PrimitiveForm::Ring { inner_scale, outer_scale, inner_extent, outer_extent, tiles } => {
            let radii = |extent: Vec2, scale: &LifeKeys<Vec2>| extent * value(scale, share, Vec2::ONE);
            let radii = [radii(*inner_extent, inner_scale), radii(*outer_extent, outer_scale)];
            let axes = if primitive.aligned {
                [situation.right, situation.up]
            } else {
                // W3D's X and Y axes.
                [world.transform_vector3(Vec3::X), world.transform_vector3(Vec3::NEG_Z)]
            };
            ring(world.transform_point3(primitive.center), axes, radii, *tiles, paint(alpha), &mut cloud);
        }
        PrimitiveForm::Sphere { scale, vector } => {
            let extent = primitive.extent * value(scale, share, Vec3::ONE);
            let world = if primitive.aligned { facing(situation, &world) } else { world };
            let axis = alpha_vector(vector, share);
            let paint = |normal: Vec3| {
                let seen = axis.map_or(1.0, |(axis, sharpness)| 1.0 - (axis.dot(normal) * sharpness).abs());
                paint(alpha * seen.clamp(0.0, 1.0))
            };
            sphere(&world, primitive.center, extent, paint, &mut cloud);
        }
    }
    Some(cloud)
}

/// The fraction of its life that has passed.
#[expect(clippy::cast_possible_truncation, reason = "a share is short")]
fn share(primitive: &Primitive, now: f64) -> f32 {
    let duration = f64::from(primitive.duration);
    if !(duration > 0.0 && duration.is_finite()) {
        return 0.0;
    }
    let age = if primitive.looping { now.rem_euclid(duration) } else { now.clamp(0.0, duration) };
    (age / duration) as f32
}

/// The position of the node with the axes of the camera: X, which is forward, points to the camera.
fn facing(situation: &Situation<'_>, world: &Affine3A) -> Affine3A {
    let mut world = *world;
    world.matrix3.x_axis = (-situation.forward).into();
    world.matrix3.y_axis = situation.up.into();
    world.matrix3.z_axis = situation.right.into();
    world
}

/// The alpha vector at a time: linear between its keys.
fn alpha_vector(keys: &[(f32, Quat, f32)], share: f32) -> Option<(Vec3, f32)> {
    let next = keys.partition_point(|key| key.0 <= share);
    let (a, b) = (keys.get(next.saturating_sub(1))?, keys.get(next).or(keys.last())?);
    let between = if b.0 > a.0 { ((share - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { 0.0 };
    let rotation = scene::slerp(a.1, b.1, between);
    Some((rotation * ALPHA_AXIS, a.2 + (b.2 - a.2) * between))
}

#[expect(clippy::cast_precision_loss, reason = "few slices")]
fn ring(center: Vec3, axes: [Vec3; 2], radii: [Vec2; 2], tiles: i32, color: Vec4, cloud: &mut Cloud) {
    let normal = axes[0].cross(axes[1]).try_normalize().unwrap_or(Vec3::Y);
    let point = |slice: u32, edge: usize| {
        let share = slice as f32 / SLICES as f32;
        let (sin, cos) = (TAU * share).sin_cos();
        let place = center + axes[0] * (radii[edge].x * cos) + axes[1] * (radii[edge].y * sin);
        corner(place, Vec2::new(tiles as f32 * share, edge as f32), color, normal)
    };
    for slice in 0..SLICES {
        let corners = [point(slice, 0), point(slice, 1), point(slice + 1, 1), point(slice + 1, 0)];
        let middle = (corners[0].position + corners[2].position) / 2.0;
        cloud.push(&corners, &[[0, 1, 2], [0, 2, 3]], middle);
    }
}

#[expect(clippy::cast_precision_loss, reason = "few slices")]
fn sphere(world: &Affine3A, center: Vec3, extent: Vec3, paint: impl Fn(Vec3) -> Vec4, cloud: &mut Cloud) {
    let point = |stack: u32, slice: u32| {
        let (down, round) = (stack as f32 / STACKS as f32, slice as f32 / SLICES as f32);
        let (ring, y) = (PI * down).sin_cos();
        let (sin, cos) = (TAU * round).sin_cos();
        let unit = Vec3::new(ring * cos, y, -ring * sin);
        let place = world.transform_point3(center + unit * extent);
        let normal = world.transform_vector3(unit).try_normalize().unwrap_or(unit);
        corner(place, Vec2::new(round, down), paint(unit), normal)
    };
    for stack in 0..STACKS {
        for slice in 0..SLICES {
            let corners = [
                point(stack, slice),
                point(stack + 1, slice),
                point(stack + 1, slice + 1),
                point(stack, slice + 1),
            ];
            let middle = (corners[0].position + corners[2].position) / 2.0;
            cloud.push(&corners, &[[0, 1, 2], [0, 2, 3]], middle);
        }
    }
}
