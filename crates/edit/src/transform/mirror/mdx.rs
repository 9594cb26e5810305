//! MDX: everything is in the model's space, except what faces the camera.

use std::collections::HashMap;

use mdx::records::*;
use mdx::view::{Geoset, NodeKind, Object};
use mdx::{kinds, tags};
use record::{F32, Node, Quaternion, U16, Vec3, Vec4};

use super::super::billboards::{carriers, header, headers, is_billboard, pivots};
use super::super::mapping::{Axis, Transform, negated};
use super::super::mdx::each_value;
use super::super::quantities::apply;
use crate::{Error, each_leaf};

/// A node that is mirrored along another axis than the model, because the game turns it to the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Facing {
    /// The billboard, which may be the node itself or above it.
    billboard: i32,
    axis: Axis,
    /// Pivot of the billboard before and after.
    from: [f32; 3],
    to: [f32; 3],
}

impl Facing {
    /// A point that the billboard moves.
    fn point(&self, point: [f32; 3]) -> [f32; 3] {
        let mirrored = self.axis.mirrored(std::array::from_fn(|part| point[part] - self.from[part]));
        std::array::from_fn(|part| self.to[part] + mirrored[part])
    }
}

pub(super) fn mirror(root: &mut Node<'_>, axis: Axis) -> Result<usize, Error> {
    let facing = facing(root, axis);
    let bones: Vec<i32> = root
        .children()
        .iter()
        .flat_map(Node::children)
        .filter_map(Object::new)
        .filter(|object| object.kind == NodeKind::Bone)
        .map(|object| object.id())
        .collect();
    let mut changed = 0;
    for chunk in root.children_mut().into_iter().flatten() {
        if chunk.is(&kinds::PIVT) {
            let before = chunk.bytes().to_vec();
            for (index, pivot) in chunk.values_mut::<Vec3>().iter_mut().enumerate() {
                let id = i32::try_from(index).unwrap_or(i32::MAX);
                let own = facing.get(&id).filter(|facing| facing.billboard != id);
                *pivot = own.map_or_else(|| axis.mirrored(pivot.get()), |own| own.point(pivot.get())).into();
            }
            changed += usize::from(chunk.bytes() != before);
        } else if chunk.is(&kinds::GEOS) {
            for geoset in chunk.children_mut().into_iter().flatten() {
                changed += mirror_geoset(geoset, axis, &facing, &bones)?;
            }
        } else if chunk.children().is_empty() {
            changed += usize::from(mirror_leaf(chunk, axis));
        } else {
            for object in chunk.children_mut().into_iter().flatten() {
                let id = header(object).map(|header| header.id);
                let own = id.and_then(|id| Some((id, facing.get(&id)?)));
                let within = own.map_or(axis, |(_, own)| own.axis);
                refuse(object, within)?;
                let is_billboard = own.is_some_and(|(id, own)| own.billboard == id);
                each_leaf(object, &mut |leaf| {
                    // The translation of the billboard itself is in the space of its parent.
                    let parent = is_billboard && leaf.id == tags::KGTR;
                    changed += usize::from(mirror_leaf(leaf, if parent { axis } else { within }));
                    Ok(())
                })?;
            }
        }
    }
    Ok(changed)
}

/// The nodes that are mirrored along another axis.
fn facing(root: &Node<'_>, axis: Axis) -> HashMap<i32, Facing> {
    let headers = headers(root);
    let pivots = pivots(root);
    let pivot = |id: i32| {
        let index = usize::try_from(id).ok();
        index.and_then(|index| pivots.get(index)).map_or([0.0; 3], |pivot| pivot.get())
    };
    let mut facing = HashMap::new();
    for (id, billboard) in carriers(&headers) {
        let flags = headers.get(&billboard).map_or(0, |header| header.flags);
        let within = within_plane(flags, axis);
        if within != axis {
            let from = pivot(billboard);
            facing.insert(id, Facing { billboard, axis: within, from, to: axis.mirrored(from) });
        }
    }
    facing
}

/// The axis along which a billboard with these flags is mirrored. The axis that points to the camera stays; the image within the
/// plane is mirrored instead, across the axis that the billboard turns about.
fn within_plane(flags: u32, axis: Axis) -> Axis {
    let has = |flag: NodeFlags| flags & flag.get() != 0;
    if !is_billboard(flags) {
        return axis;
    }
    // Full billboards, and those that turn about Z or Y, point their X axis to the camera; those that turn about X their Y axis.
    match axis {
        Axis::Y if has(NodeFlags::BILLBOARDED_LOCK_X) => Axis::Z,
        Axis::X if has(NodeFlags::BILLBOARDED_LOCK_X) => Axis::X,
        Axis::X if has(NodeFlags::BILLBOARDED_LOCK_Y) => Axis::Z,
        Axis::X => Axis::Y,
        other => other,
    }
}

/// Refuses what cannot be mirrored along Z because it points along its own Z axis.
fn refuse(object: &Node<'_>, axis: Axis) -> Result<(), Error> {
    let emitters = [&kinds::PARTICLE_EMITTER, &kinds::PARTICLE_EMITTER_2, &kinds::POPCORN_EMITTER];
    let is_directional = object
        .child(&kinds::LIGHT_KIND)
        .and_then(Node::value::<LightKind>)
        .is_some_and(|light| light.kind.get() & 0xFF == LightType::DIRECTIONAL.get());
    if axis == Axis::Z && (is_directional || emitters.iter().any(|kind| object.is(kind))) {
        let name = Object::new(object).map(|object| object.name().into_owned()).unwrap_or_default();
        return Err(Error::new(format!(
            "{:?} points along the Z axis of its node, so it cannot be mirrored along Z",
            record::printable(&name)
        ))
        .with_note("rotate the model, or mirror it along X or Y"));
    }
    Ok(())
}

/// Mirrors the numbers of a leaf, and returns whether any changed.
fn mirror_leaf(leaf: &mut Node<'_>, axis: Axis) -> bool {
    let (id, before) = (leaf.id, leaf.bytes().to_vec());
    apply(leaf, &Transform::Mirror(axis), &|_| true);
    match leaf.id {
        tags::KGTR | tags::KCTR | tags::KTTR => {
            each_value(leaf, |value: Vec3| axis.mirrored(value.get()).into());
        }
        tags::KGRT => {
            let turned = |value: Quaternion| Quaternion::from(axis.mirrored_rotation(value.get()));
            each_value(leaf, turned);
            each_value(leaf, |value: PackedQuaternion| PackedQuaternion::pack(turned(value.unpack())));
        }
        // A camera rolls the other way.
        tags::KCRL => each_value(leaf, |value: F32| F32::new(negated(value.get()))),
        _ => {}
    }
    if leaf.is(&kinds::BPOS) {
        for pose in leaf.values_mut::<BindPose>() {
            for image in [&mut pose.x, &mut pose.y, &mut pose.z] {
                *image = axis.mirrored(image.get()).into();
            }
            let own = [&mut pose.x, &mut pose.y, &mut pose.z];
            let [x, y, z] = own;
            let own = match axis {
                Axis::X => x,
                Axis::Y => y,
                Axis::Z => z,
            };
            *own = own.get().map(negated).into();
        }
    }
    if leaf.is(&kinds::SHAPE_BOX)
        && let Some(shape) = leaf.value_mut::<ShapeBox>()
    {
        let (low, high) = Transform::Mirror(axis).corners(shape.minimum.get(), shape.maximum.get());
        (shape.minimum, shape.maximum) = (low.into(), high.into());
    }
    if axis == Axis::Y {
        exchange_heights(leaf);
    }
    leaf.id != id || leaf.bytes() != before
}

/// A ribbon reaches from its node along Y, up and down.
fn exchange_heights(leaf: &mut Node<'_>) {
    if let Some(ribbon) = leaf.value_mut::<RibbonEmitterHeader>() {
        std::mem::swap(&mut ribbon.height_above, &mut ribbon.height_below);
    }
    let other = match leaf.id {
        tags::KRHA => tags::KRHB,
        tags::KRHB => tags::KRHA,
        _ => return,
    };
    if let (Some(row), Some(new)) = (mdx::track_row(leaf.id), mdx::track_row(other))
        && let Some(layout) = row.layout(leaf.kind)
    {
        (leaf.id, leaf.kind) = (other, new.kind(layout));
    }
}

fn mirror_geoset(
    geoset: &mut Node<'_>,
    axis: Axis,
    facing: &HashMap<i32, Facing>,
    bones: &[i32],
) -> Result<usize, Error> {
    let own = if facing.is_empty() { Vec::new() } else { vertices(geoset, facing, bones)? };
    let mut changed = 0;
    each_leaf(geoset, &mut |leaf| {
        let before = leaf.bytes().to_vec();
        let is_array = leaf.is(&kinds::VRTX) || leaf.is(&kinds::NRMS) || leaf.is(&kinds::TANG);
        if !own.is_empty() && is_array {
            mirror_facing(leaf, axis, &own);
        } else {
            apply(leaf, &Transform::Mirror(axis), &|_| true);
        }
        if leaf.is(&kinds::TANG) {
            // The bitangent is on the other side.
            for tangent in leaf.values_mut::<Vec4>() {
                let [x, y, z, w] = tangent.get();
                *tangent = [x, y, z, negated(w)].into();
            }
        } else if leaf.is(&kinds::WOW_INDICES) {
            let corners = leaf.values_mut::<U16>().as_chunks_mut::<3>().0;
            corners.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        changed += usize::from(leaf.bytes() != before);
        Ok(())
    })?;
    let Some(groups) = Geoset::new(geoset).map(|geoset| geoset.face_groups().collect::<Vec<_>>()) else {
        return Ok(changed);
    };
    if geoset.child(&kinds::PVTX).is_some() {
        let faces = geoset.get_mut(kinds::PVTX);
        let mut rest = &mut *faces;
        for (kind, count) in groups {
            let (group, after) = rest.split_at_mut(count.min(rest.len()));
            rest = after;
            turn_around(kind, group)?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// Mirrors an array of vertices some of which face the camera.
fn mirror_facing(leaf: &mut Node<'_>, axis: Axis, own: &[Option<Facing>]) {
    let is_point = leaf.is(&kinds::VRTX);
    let of = |vertex: usize| own.get(vertex).copied().flatten();
    let mirrored = |vertex: usize, value: [f32; 3]| match of(vertex) {
        Some(own) if is_point => own.point(value),
        Some(own) => own.axis.mirrored(value),
        None => axis.mirrored(value),
    };
    if leaf.is(&kinds::TANG) {
        for (vertex, tangent) in leaf.values_mut::<Vec4>().iter_mut().enumerate() {
            let [x, y, z, w] = tangent.get();
            let [x, y, z] = mirrored(vertex, [x, y, z]);
            *tangent = [x, y, z, w].into();
        }
    } else {
        for (vertex, value) in leaf.values_mut::<Vec3>().iter_mut().enumerate() {
            *value = mirrored(vertex, value.get()).into();
        }
    }
}

/// What each vertex faces; empty if none does.
fn vertices(
    node: &Node<'_>,
    facing: &HashMap<i32, Facing>,
    bones: &[i32],
) -> Result<Vec<Option<Facing>>, Error> {
    let Some(geoset) = Geoset::new(node) else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    let mut push = |ids: &mut dyn Iterator<Item = i32>| {
        let mut own = ids.map(|id| facing.get(&id).copied());
        let first = own.next().flatten();
        if own.any(|other| other != first) {
            return Err(Error::new(
                "vertices that are moved by a billboard and by other nodes cannot be mirrored along this axis",
            ));
        }
        all.push(first);
        Ok(())
    };
    let bone = |index: usize| bones.get(index).copied().unwrap_or(-1);
    if let Some(skin) = node.child(&kinds::SKIN) {
        for vertex in skin.values::<u8>().as_chunks::<8>().0 {
            let used = (0..4).filter(|at| vertex[4 + at] > 0);
            push(&mut used.map(|at| bone(usize::from(vertex[at]))))?;
        }
    } else if let Some(skin) = node.child(&kinds::WIDE_SKIN) {
        for vertex in skin.values::<U16>().as_chunks::<8>().0 {
            let used = (0..4).filter(|at| vertex[4 + at].get() > 0);
            push(&mut used.map(|at| bone(usize::from(vertex[at].get()))))?;
        }
    } else {
        let mut groups: Vec<&[record::U32]> = Vec::new();
        let mut rest = geoset.matrices();
        for count in geoset.matrix_groups() {
            let count = usize::try_from(count.get()).unwrap_or(usize::MAX).min(rest.len());
            let (group, after) = rest.split_at(count);
            (rest, groups) = (after, {
                groups.push(group);
                groups
            });
        }
        for group in geoset.vertex_groups() {
            let ids = groups.get(usize::from(*group)).copied().unwrap_or_default();
            push(&mut ids.iter().map(|id| id.get().cast_signed()))?;
        }
    }
    if all.iter().all(Option::is_none) {
        all.clear();
    }
    Ok(all)
}

/// Makes primitives face the other way.
fn turn_around(kind: FaceType, corners: &mut [U16]) -> Result<(), Error> {
    match kind {
        FaceType::TRIANGLES => {
            corners.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        FaceType::QUADS => {
            corners.as_chunks_mut::<4>().0.iter_mut().for_each(|corners| corners.swap(1, 3));
        }
        FaceType::QUAD_STRIP => {
            corners.as_chunks_mut::<2>().0.iter_mut().for_each(|corners| corners.swap(0, 1));
        }
        FaceType::TRIANGLE_FAN => {
            if let Some((_, rest)) = corners.split_first_mut() {
                rest.reverse();
            }
        }
        // Every other triangle of a strip runs backwards, so an even number of vertices would stay as it is.
        FaceType::TRIANGLE_STRIP if corners.len() % 2 == 1 => corners.reverse(),
        FaceType::TRIANGLE_STRIP => {
            return Err(Error::new("a triangle strip with an even number of vertices cannot be mirrored"));
        }
        _ => {}
    }
    Ok(())
}
