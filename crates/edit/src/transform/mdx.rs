//! MDX: everything is in the model's space.
//!
//! A node moves its vertices by `pivot + translation + rotation * scaling * (x - pivot)`. Under a transform of the whole
//! model, pivots are transformed as points and translations as vectors. Rotations keep their angle about the transformed
//! axis. Scalings stay unless axes are exchanged.

use mdx::records::*;
use mdx::{kinds, tags};
use record::{F32, Node, Quaternion, Vec3};

use super::billboards;
use super::mapping::{Axis, Transform, matrix};
use super::quantities::apply;
use crate::{Error, each_leaf};

/// Tracks of lengths.
const LENGTHS: [u32; 14] = [
    tags::KLAS,
    tags::KLAE,
    tags::KLSS,
    tags::KLSE,
    tags::KPEG,
    tags::KPES,
    tags::KP2S,
    tags::KP2G,
    tags::KP2N,
    tags::KP2W,
    tags::KP2Z,
    tags::KRHA,
    tags::KRHB,
    tags::IDUF,
];

pub(super) fn transform(root: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let mut reason = None;
    root.walk(&mut |place| {
        if reason.is_none() {
            reason = obstacle(place.node, what).map(|message| format!("{}: {message}", place.path()));
        }
    });
    if let Some(reason) = reason {
        return Err(Error::new(reason));
    }
    let turns = matches!(what, Transform::Rotate(..));
    let original = turns.then(|| root.clone());
    let mut changed = 0;
    each_leaf(root, &mut |leaf| {
        let (id, before) = (leaf.id, leaf.bytes().to_vec());
        apply(leaf, what, &|_| true);
        track(leaf, what);
        bind_poses(leaf, what);
        corners(leaf, what);
        if exchanges_sides(what) {
            exchange_sides(leaf);
        }
        changed += usize::from(leaf.id != id || leaf.bytes() != before);
        Ok(())
    })?;
    if let Some(original) = original {
        billboards::put_back(&original, root)?;
    }
    Ok(changed)
}

/// Whether it rotates the X axis to the Y axis.
fn exchanges_sides(what: &Transform) -> bool {
    matches!(what, Transform::Rotate(Axis::Z, degrees) if degrees.rem_euclid(180.0) == 90.0)
}

/// Swaps the length and width of parts that have both.
fn exchange_sides(leaf: &mut Node<'_>) {
    if let Some(emitter) = leaf.value_mut::<ParticleEmitter2Header>() {
        std::mem::swap(&mut emitter.length, &mut emitter.width);
    }
    if let Some(emitter) = leaf.value_mut::<WowParticleEmitter2Header>() {
        std::mem::swap(&mut emitter.length, &mut emitter.width);
    }
    if let Some(plane) = leaf.value_mut::<ShapePlane>() {
        std::mem::swap(&mut plane.length, &mut plane.width);
    }
    let other = match leaf.id {
        tags::KP2N => tags::KP2W,
        tags::KP2W => tags::KP2N,
        _ => return,
    };
    let rows = (mdx::track_row(leaf.id), mdx::track_row(other));
    if let (Some(row), Some(new)) = rows
        && let Some(layout) = row.layout(leaf.kind)
    {
        (leaf.id, leaf.kind) = (other, new.kind(layout));
    }
}

/// The reason why this part cannot be transformed in this way.
fn obstacle(node: &Node<'_>, what: &Transform) -> Option<&'static str> {
    match what {
        // Mirrors have their own obstacles.
        Transform::Translate(_) | Transform::Mirror(_) => None,
        Transform::Scale(_) if what.uniform().is_some() => None,
        Transform::Scale(_) => {
            let round = [
                &kinds::LIGHT,
                &kinds::PARTICLE_EMITTER,
                &kinds::PARTICLE_EMITTER_2,
                &kinds::RIBBON_EMITTER,
                kinds::SHAPE_SPHERE.row,
                &kinds::SHAPE_CYLINDER,
                &kinds::WOW_SHAPE_CYLINDER,
                &kinds::SHAPE_PLANE,
            ];
            if round.iter().any(|kind| node.is(kind)) {
                return Some("it is round, so it cannot be scaled by different factors per axis");
            }
            let axes = |pose: &BindPose| {
                let [x, y, z] = [pose.x.get(), pose.y.get(), pose.z.get()];
                [x[1], x[2], y[0], y[2], z[0], z[1]] != [0.0; 6]
            };
            let turned = node.id == tags::KGRT && !node.bytes().is_empty()
                || node.values::<BindPose>().iter().any(axes);
            (turned || billboard(node))
                .then_some("it is rotated, so it cannot be scaled by different factors per axis")
        }
        Transform::Rotate(axis, degrees) => {
            let upright = *axis == Axis::Z;
            let whole = degrees % 90.0 == 0.0;
            let emitters = [
                &kinds::PARTICLE_EMITTER,
                &kinds::PARTICLE_EMITTER_2,
                &kinds::RIBBON_EMITTER,
                &kinds::POPCORN_EMITTER,
            ];
            if flags(node)
                .is_some_and(|flags| billboards::is_billboard(flags) && !billboards::can_turn(flags, *axis))
            {
                return Some(
                    "it is a billboard that is locked to another axis, so it cannot be rotated about this one",
                );
            }
            if !upright && (node.is(&kinds::CAMERA) || emitters.iter().any(|kind| node.is(kind))) {
                return Some("it stores no orientation, so it can only be rotated about Z");
            }
            if !upright && (node.is(&kinds::WOW_SHAPE_CYLINDER) || node.is(&kinds::SHAPE_PLANE)) {
                return Some("it is always upright, so it can only be rotated about Z");
            }
            let oblong =
                node.value::<ParticleEmitter2Header>().is_some_and(|emitter| emitter.length != emitter.width)
                    || node
                        .value::<WowParticleEmitter2Header>()
                        .is_some_and(|emitter| emitter.length != emitter.width)
                    || node.value::<ShapePlane>().is_some_and(|plane| plane.length != plane.width)
                    || [tags::KP2N, tags::KP2W].contains(&node.id);
            if oblong && !whole {
                return Some(
                    "its length and width differ, so it can only be rotated by multiples of 90 degrees",
                );
            }
            if node.is(&kinds::SHAPE_BOX) && !what.is_right_angled() {
                return Some("a box can only be rotated by multiples of 90 degrees");
            }
            let uneven = |value: &Vec3| {
                let [x, y, z] = value.get();
                x != y || y != z
            };
            if node.id == tags::KGSC && !what.is_right_angled() {
                let plain = node.values::<Key<Vec3>>().iter().any(|key| uneven(&key.value));
                let tangents = node.values::<TangentKey<Vec3>>().iter();
                let mut tangents = tangents.flat_map(|key| [&key.value, &key.in_tan, &key.out_tan]);
                if plain || tangents.any(uneven) {
                    return Some(
                        "its scaling differs per axis, so it can only be rotated by multiples of 90 degrees",
                    );
                }
            }
            None
        }
    }
}

fn billboard(node: &Node<'_>) -> bool {
    flags(node).is_some_and(billboards::is_billboard)
}

/// The flags of a node's header.
fn flags(node: &Node<'_>) -> Option<u32> {
    let flags = node.value::<NodeHeader>().map(|header| header.flags.get());
    flags.or_else(|| node.value::<WowNodeHeader>().map(|header| header.flags.get()))
}

pub(super) fn each_value<T: TrackValue>(leaf: &mut Node<'_>, change: impl Fn(T) -> T) {
    for key in leaf.values_mut::<Key<T>>() {
        key.value = change(key.value);
    }
    for key in leaf.values_mut::<TangentKey<T>>() {
        key.value = change(key.value);
        key.in_tan = change(key.in_tan);
        key.out_tan = change(key.out_tan);
    }
}

fn track(leaf: &mut Node<'_>, what: &Transform) {
    match leaf.id {
        tags::KGTR | tags::KCTR | tags::KTTR => {
            each_value(leaf, |value: Vec3| what.vector(value.get()).into());
        }
        tags::KGSC if what.is_right_angled() => {
            each_value(leaf, |value: Vec3| exchanged(what, value.get()).into());
        }
        tags::KGRT if matches!(what, Transform::Rotate(..)) => {
            each_value(leaf, |value: Quaternion| about(what, value));
            each_value(leaf, |value: PackedQuaternion| PackedQuaternion::pack(about(what, value.unpack())));
        }
        tag if LENGTHS.contains(&tag) => each_value(leaf, |value: F32| F32::new(what.length(value.get()))),
        _ => {}
    }
}

/// A rotation about its transformed axis.
fn about(what: &Transform, rotation: Quaternion) -> Quaternion {
    let [x, y, z, w] = rotation.get();
    let [x, y, z] = what.vector([x, y, z]);
    Quaternion::new(x, y, z, w)
}

/// Factors along the axes, exchanged by a rotation by right angles.
fn exchanged(what: &Transform, factors: [f32; 3]) -> [f32; 3] {
    let Transform::Rotate(axis, degrees) = what else { return factors };
    matrix(*axis, *degrees).map(|row| {
        let from = row.iter().position(|part| *part != 0.0).unwrap_or_default();
        factors[from]
    })
}

/// Bind poses. Like the rotations of nodes, they are rotated about the transformed axes, so an upright pose stays
/// upright.
fn bind_poses(leaf: &mut Node<'_>, what: &Transform) {
    if leaf.is(&kinds::BPOS)
        && let Transform::Rotate(axis, degrees) = what
    {
        let turn = matrix(*axis, *degrees);
        for pose in leaf.values_mut::<BindPose>() {
            let old = [pose.x.get(), pose.y.get(), pose.z.get()];
            let image = |axis: usize| -> Vec3 {
                let image: [f64; 3] = std::array::from_fn(|part| {
                    (0..3).map(|from| turn[axis][from] * f64::from(old[from][part])).sum()
                });
                what.vector(image.map(|part| part as f32)).into()
            };
            (pose.x, pose.y, pose.z) = (image(0), image(1), image(2));
        }
    }
}

/// Corners of a shape, relative to its pivot.
fn corners(leaf: &mut Node<'_>, what: &Transform) {
    if leaf.is(&kinds::SHAPE_BOX)
        && !matches!(what, Transform::Translate(_))
        && let Some(shape) = leaf.value_mut::<ShapeBox>()
    {
        let (low, high) = what.corners(shape.minimum.get(), shape.maximum.get());
        (shape.minimum, shape.maximum) = (low.into(), high.into());
    }
}
