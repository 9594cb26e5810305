//! W3D: every number is in the space of a bone, and all those spaces are mirrored alike.

use record::{F32, Node, Quaternion, U16, U32};
use w3d::codec::Values;
use w3d::records::*;
use w3d::table::channel::alpha_vector::keys;
use w3d::table::sphere;
use w3d::{Animation, table};

use super::super::mapping::{Axis, Transform, negated};
use super::super::quantities::apply;
use super::super::w3d::{Moves, channel};
use crate::clip::w3d::{edit_channels, encode};
use crate::{Error, each_leaf};

pub(super) fn mirror(root: &mut Node<'_>, axis: Axis) -> Result<usize, Error> {
    let mut old_mesh = false;
    root.walk(&mut |place| old_mesh |= place.node.is(&table::MESH_HEADER));
    if old_mesh {
        return Err(Error::new(
            "unsupported: a mesh of version 1 or 2, whose position and inertia are not documented",
        ));
    }
    let mut changed = 0;
    for chunk in root.children_mut().into_iter().flatten() {
        if Animation::new(chunk).is_some() && chunk.child(&table::ADAPTIVE_DELTA_CHANNEL).is_some() {
            edit_channels(chunk, &|target, values| mirrored(target.get(), values, axis))?;
            changed += 1;
            continue;
        }
        // The game turns the X axis of such a mesh to the camera, so the mirror image is within its plane.
        let axis = if axis == Axis::X && faces_camera(chunk) { Axis::Y } else { axis };
        each_leaf(chunk, &mut |leaf| {
            let before = leaf.bytes().to_vec();
            mirror_leaf(leaf, axis)?;
            changed += usize::from(leaf.bytes() != before);
            Ok(())
        })?;
    }
    Ok(changed)
}

fn faces_camera(mesh: &Node<'_>) -> bool {
    let Some(header) = mesh.child(&table::MESH_HEADER3).and_then(Node::value::<MeshHeader3>) else {
        return false;
    };
    use w3d::names::MeshFlags;
    let flags = header.attributes;
    if (header.version.major(), header.version.minor()) < (4, 1) {
        return flags.has(MeshFlags::OBSOLETE_ALIGNED);
    }
    [
        MeshFlags::GEOMETRY_CAMERA_ALIGNED,
        MeshFlags::GEOMETRY_CAMERA_ORIENTED,
        MeshFlags::GEOMETRY_CAMERA_Z_ORIENTED,
    ]
    .into_iter()
    .any(|flag| flags.has(flag))
}

fn mirror_leaf(leaf: &mut Node<'_>, axis: Axis) -> Result<(), Error> {
    apply(leaf, &Transform::Mirror(axis), &|_| true);
    let turn = |rotation: &mut Quaternion| *rotation = axis.mirrored_rotation(rotation.get()).into();
    if leaf.is(&table::PIVOTS) {
        for pivot in leaf.values_mut::<Pivot>() {
            turn(&mut pivot.rotation);
            let [x, y, z] = pivot.euler_angles.get();
            let [x, y, z, _] = axis.mirrored_rotation([x, y, z, 0.0]);
            pivot.euler_angles = [x, y, z].into();
        }
    } else if leaf.is(&table::PIVOT_FIXUPS) {
        for fixup in leaf.values_mut::<PivotFixup>() {
            for row in &mut fixup.tm[..3] {
                *row = axis.mirrored(row.map(|part| part.get())).map(F32::new);
            }
            negate(&mut fixup.tm[axis.index()]);
        }
    } else if leaf.is(&table::PLACEHOLDER) || leaf.is(&table::TRANSFORM_NODE) {
        if let Some(object) = leaf.value_mut::<Placeholder>() {
            negate(&mut object.transform[axis.index()]);
        }
    } else if leaf.is(&table::LIGHT_TRANSFORM) {
        if let Some(light) = leaf.value_mut::<LightTransform>() {
            negate(&mut light.transform[axis.index()]);
            light.transform.iter_mut().for_each(|row| negate(&mut row[axis.index()..=axis.index()]));
        }
    } else if leaf.is(&table::TRIANGLES) {
        leaf.values_mut::<Triangle>().iter_mut().for_each(|triangle| triangle.vindex.swap(1, 2));
    } else if leaf.is(&table::PER_FACE_TEXCOORD_IDS) {
        leaf.values_mut::<[U32; 3]>().iter_mut().for_each(|corners| corners.swap(1, 2));
    } else if leaf.is(&table::SHDSUBMESH_TRIANGLES) {
        leaf.values_mut::<[U16; 3]>().iter_mut().for_each(|corners| corners.swap(1, 2));
    } else if leaf.is(&table::EMITTER_ROTATION_KEYFRAMES) || leaf.is(&table::EMITTER_ROTATION_KEYFRAMES_510) {
        // Particles spin in the plane of the screen.
        leaf.values_mut::<EmitterKey>()
            .iter_mut()
            .for_each(|key| negate(std::slice::from_mut(&mut key.value)));
    } else if leaf.is(&sphere::SPHERE_DEF) {
        if let Some(sphere) = leaf.value_mut::<SphereDef>() {
            turn(&mut sphere.default_vector.angle);
        }
    } else if leaf.is(&keys::KEY) {
        if let Some(key) = leaf.value_mut::<AlphaVectorKey>() {
            turn(&mut key.value.angle);
        }
    } else if let Some(moves) = channel(leaf) {
        mirror_channel(leaf, moves, axis)?;
    }
    Ok(())
}

fn negate(numbers: &mut [F32]) {
    numbers.iter_mut().for_each(|number| number.set(negated(number.get())));
}

/// Which components of a channel change their sign.
fn signs(moves: Moves, axis: Axis) -> [bool; 4] {
    let axis = axis.index();
    match moves {
        Moves::Axis(along) => [along == axis, false, false, false],
        Moves::Angle(about) => [about != axis, false, false, false],
        Moves::Rotation => [axis != 0, axis != 1, axis != 2, false],
    }
}

fn mirror_channel(leaf: &mut Node<'_>, moves: Moves, axis: Axis) -> Result<(), Error> {
    let signs = signs(moves, axis);
    if signs == [false; 4] {
        return Ok(());
    }
    if leaf.is(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL)
        && leaf.locate("scale").is_some_and(|found| !found.range.is_empty())
    {
        let decoded = w3d::codec::decode(leaf);
        let new = decoded.map(|channel| mirrored(channel.target.get(), channel.values, axis));
        *leaf = new
            .and_then(|values| encode(leaf, &values))
            .ok_or_else(|| Error::new("a channel of an animation cannot be mirrored"))?;
        return Ok(());
    }
    let components = match moves {
        Moves::Rotation => 4,
        _ => 1,
    };
    for slot in ["values", "keys"] {
        let Some(found) = leaf.locate(slot) else { continue };
        let stride = match found.item {
            record::Item::Value(record::Type::F32) => 4 * components,
            // The time, then the values.
            _ => 4 + 4 * components,
        };
        let Some(bytes) = leaf.bytes_mut().and_then(|bytes| bytes.get_mut(found.range)) else { continue };
        for item in bytes.chunks_exact_mut(stride) {
            let numbers = item.get_mut(stride - 4 * components..).unwrap_or_default();
            let numbers =
                <[F32] as record::zerocopy::FromBytes>::mut_from_bytes(numbers).ok().unwrap_or_default();
            for (number, _) in numbers.iter_mut().zip(signs).filter(|(_, negative)| *negative) {
                number.set(negated(number.get()));
            }
        }
    }
    Ok(())
}

/// The mirrored values of a channel of this type.
fn mirrored(kind: u16, mut values: Values, axis: Axis) -> Values {
    let Some(moves) = Moves::of(kind) else { return values };
    let signs = signs(moves, axis);
    if let Values::Frames { components, values, .. } | Values::Keys { components, values, .. } = &mut values {
        for value in values.chunks_exact_mut((*components).max(1)) {
            for (part, _) in value.iter_mut().zip(signs).filter(|(_, negative)| *negative) {
                *part = negated(*part);
            }
        }
    }
    values
}
