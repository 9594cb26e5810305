//! Rotates models with billboards: the pivot of a billboard moves with the rotation, but the billboard itself is not
//! rotated.
//!
//! The game rotates everything that is attached to a billboard, so it keeps its position relative to the billboard's
//! pivot: pivots, tracks and shapes of the nodes below it, and the vertices that only they move.

use std::collections::HashMap;

use mdx::kinds;
use mdx::records::{NodeFlags, NodeHeader, WowNodeHeader};
use record::{Node, U32, Vec3};

use super::mapping::Axis;
use crate::Error;

/// Fields of a node's header.
pub(super) struct Header {
    pub(super) id: i32,
    parent: i32,
    pub(super) flags: u32,
}

pub(super) fn header(node: &Node<'_>) -> Option<Header> {
    let header = node.child(&kinds::NODE)?.children().first()?;
    let warcraft =
        header.value::<NodeHeader>().map(|header| (header.object_id, header.parent_id, header.flags.get()));
    let wow = || {
        header.value::<WowNodeHeader>().map(|header| (header.object_id, header.parent_id, header.flags.get()))
    };
    let (id, parent, flags) = warcraft.or_else(wow)?;
    Some(Header { id: id.get(), parent: parent.get(), flags })
}

/// The headers of all nodes, by id.
pub(super) fn headers(root: &Node<'_>) -> HashMap<i32, Header> {
    let objects = root.children().iter().flat_map(Node::children);
    objects.filter_map(header).map(|header| (header.id, header)).collect()
}

/// Whether these flags make a node face the camera. The WoW alpha has the same bits.
pub(super) fn is_billboard(flags: u32) -> bool {
    let all = NodeFlags::BILLBOARDED
        | NodeFlags::BILLBOARDED_LOCK_X
        | NodeFlags::BILLBOARDED_LOCK_Y
        | NodeFlags::BILLBOARDED_LOCK_Z;
    flags & all.get() != 0
}

/// Whether a billboard with these flags can be rotated about an axis. A billboard that is locked to an axis can only be
/// rotated about that axis.
pub(super) fn can_turn(flags: u32, about: Axis) -> bool {
    let locks = [
        (NodeFlags::BILLBOARDED_LOCK_X, Axis::X),
        (NodeFlags::BILLBOARDED_LOCK_Y, Axis::Y),
        (NodeFlags::BILLBOARDED_LOCK_Z, Axis::Z),
    ];
    locks.iter().all(|(lock, axis)| flags & lock.get() == 0 || *axis == about)
}

/// Restores the children of billboards after everything has been rotated.
pub(super) fn put_back(before: &Node<'_>, after: &mut Node<'_>) -> Result<(), Error> {
    let headers = headers(before);
    if !headers.values().any(|header| is_billboard(header.flags)) {
        return Ok(());
    }
    let carriers = carriers(&headers);
    let old: Vec<Vec3> = pivots(before).to_vec();
    let new: Vec<Vec3> = pivots(after).to_vec();
    let pivot = |list: &[Vec3], id: i32| {
        usize::try_from(id).ok().and_then(|index| list.get(index)).map_or([0.0; 3], |pivot| pivot.get())
    };
    let moved = |carrier: i32, point: [f32; 3]| -> Vec3 {
        let (from, to) = (pivot(&old, carrier), pivot(&new, carrier));
        std::array::from_fn::<f32, 3, _>(|index| to[index] + (point[index] - from[index])).into()
    };
    if let Some(list) = after.child_mut(&kinds::PIVT) {
        for (index, place) in list.values_mut::<Vec3>().iter_mut().enumerate() {
            let id = i32::try_from(index).unwrap_or(i32::MAX);
            if let Some(carrier) = carriers.get(&id).filter(|carrier| **carrier != id) {
                *place = moved(*carrier, pivot(&old, id));
            }
        }
    }
    for (chunk, original) in after.children_mut().into_iter().flatten().zip(before.children()) {
        for (object, original) in chunk.children_mut().into_iter().flatten().zip(original.children()) {
            if object.is(&kinds::GEOSET) {
                geoset(object, original, &carriers, &moved)?;
                continue;
            }
            let Some(header) = header(original) else { continue };
            let Some(carrier) = carriers.get(&header.id) else { continue };
            restore(object, original, *carrier == header.id);
        }
    }
    Ok(())
}

pub(super) fn pivots<'n>(root: &'n Node<'_>) -> &'n [Vec3] {
    root.child(&kinds::PIVT).map(|list| list.values()).unwrap_or_default()
}

/// For every descendant of a billboard, the topmost billboard; a billboard maps to itself.
pub(super) fn carriers(headers: &HashMap<i32, Header>) -> HashMap<i32, i32> {
    let topmost = |id: i32| {
        let (mut index, mut found) = (id, None);
        // A chain of parents that is longer than the list is a cycle.
        for _ in 0..=headers.len() {
            let Some(header) = headers.get(&index) else { break };
            if is_billboard(header.flags) {
                found = Some(index);
            }
            index = header.parent;
        }
        Some((id, found?))
    };
    headers.keys().filter_map(|id| topmost(*id)).collect()
}

/// Restores the tracks and the shape of a node. A billboard's translation is in the space of its parent and stays rotated.
fn restore(object: &mut Node<'_>, original: &Node<'_>, is_carrier: bool) {
    let Some(parts) = object.children_mut() else { return };
    for (part, original) in parts.iter_mut().zip(original.children()) {
        if part.is(&kinds::NODE) {
            for (track, original) in part.children_mut().into_iter().flatten().zip(original.children()) {
                let stays = is_carrier && track.id == mdx::tags::KGTR;
                if track.kind.framing.word() == "track" && !stays {
                    track.body = owned(original);
                }
            }
        } else if part.is(&kinds::SHAPE_BOX)
            || part.is(&kinds::SHAPE_SPHERE)
            || part.is(&kinds::SHAPE_CYLINDER)
        {
            part.body = owned(original);
        }
    }
}

fn owned(node: &Node<'_>) -> record::Body<'static> {
    record::Body::Leaf(node.bytes().to_vec().into())
}

/// Restores the vertices that are moved only by one billboard and its descendants.
fn geoset(
    geoset: &mut Node<'_>,
    original: &Node<'_>,
    carriers: &HashMap<i32, i32>,
    moved: &dyn Fn(i32, [f32; 3]) -> Vec3,
) -> Result<(), Error> {
    if original.child(&kinds::SKIN).is_some() || original.child(&kinds::WIDE_SKIN).is_some() {
        return Err(Error::new("a model with billboards and weighted vertices cannot be rotated"));
    }
    let array = |kind| original.child(kind).map(Node::bytes).unwrap_or_default();
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes
            .chunks_exact(4)
            .map(|word| U32::from_bytes([word[0], word[1], word[2], word[3]]).get())
            .collect()
    };
    let matrices = words(array(&kinds::MATS));
    let mut rest = matrices.as_slice();
    let mut groups = Vec::new();
    for count in words(array(&kinds::MTGC)) {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(rest.len());
        let (group, after) = rest.split_at(count);
        rest = after;
        let of: Vec<_> = group.iter().map(|id| carriers.get(&id.cast_signed()).copied()).collect();
        let first = of.first().copied().flatten();
        if of.iter().any(|carrier| *carrier != first) {
            return Err(Error::new(
                "vertices that are moved by a billboard and by other nodes cannot be rotated",
            ));
        }
        groups.push(first);
    }
    let carried: Vec<(usize, i32)> = array(&kinds::GNDX)
        .iter()
        .enumerate()
        .filter_map(|(vertex, group)| Some((vertex, (*groups.get(usize::from(*group))?)?)))
        .collect();
    for (kind, is_point) in [(kinds::VRTX.kind, true), (kinds::NRMS.kind, false)] {
        let Some(from) = original.child(kind).map(|array| array.values::<Vec3>().to_vec()) else { continue };
        let Some(list) = geoset.child_mut(kind) else { continue };
        let list = list.values_mut::<Vec3>();
        for (vertex, carrier) in &carried {
            if let (Some(place), Some(old)) = (list.get_mut(*vertex), from.get(*vertex)) {
                *place = if is_point { moved(*carrier, old.get()) } else { *old };
            }
        }
    }
    Ok(())
}
