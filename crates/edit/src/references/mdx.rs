//! References of MDX models: textures, materials, texture animations, geosets, nodes, sequences, global sequences.

use std::collections::{BTreeMap, HashMap};

use mdx::records::*;
use mdx::view::{NodeKind, Object};
use mdx::{kinds, tags};
use record::zerocopy::FromBytes;
use record::{I32, Node, U16, U32, Vec3};

pub(crate) use mdx::references::{retain_textures, textures};

use super::{change_i32, change_or_none, change_u32, each, lessen, renumbered};
use crate::Error;

/// Calls `see` with every reference to a material.
pub(crate) fn materials(root: &mut Node<'_>, see: &mut dyn FnMut(u32) -> u32) {
    each(root, &mut |node| {
        if node.is(&kinds::GEOSET_HEADER) {
            change_u32(node.value_mut::<GeosetHeader>().map(|header| &mut header.material_id), see);
        } else if node.is(&kinds::WOW_GEOSET_SECTION) {
            change_u32(node.value_mut::<WowGeosetSection>().map(|section| &mut section.material_id), see);
        } else if node.is(&kinds::RIBBON_EMITTER_HEADER) {
            change_i32(node.value_mut::<RibbonEmitterHeader>().map(|header| &mut header.material_id), see);
        }
    });
}

/// Calls `see` with every reference to a texture animation.
pub(crate) fn texture_animations(root: &mut Node<'_>, see: &mut dyn FnMut(u32) -> u32) {
    each(root, &mut |node| {
        if node.is(&kinds::LAYER_HEADER) {
            change_i32(node.value_mut::<LayerHeader>().map(|header| &mut header.texture_animation_id), see);
        }
    });
}

/// Calls `see` with every reference to a global sequence.
pub(crate) fn global_sequences(root: &mut Node<'_>, see: &mut dyn FnMut(u32) -> u32) {
    each(root, &mut |node| {
        if mdx::track_row(node.id).is_none_or(|row| row.layout(node.kind).is_none()) {
            return;
        }
        if node.value::<TrackHeader>().is_some() {
            change_i32(node.value_mut::<TrackHeader>().map(|header| &mut header.global_sequence), see);
        } else {
            change_i32(node.value_mut::<SimpleTrackHeader>().map(|header| &mut header.global_sequence), see);
        }
    });
}

/// Removes materials and renumbers references. Returns the number of removed ones.
pub(crate) fn retain_materials(root: &mut Node<'_>, stays: &[bool]) -> usize {
    let numbers = super::renumbering(stays);
    let gone = super::gone(&numbers);
    if gone == 0 {
        return 0;
    }
    let animated = |list: &Node<'_>| {
        let mut animated = 0_usize;
        list.walk(&mut |place| {
            let moves = |child: &Node<'_>| child.id == tags::KMTF || child.id == tags::KMTA;
            animated += usize::from(place.node.is(&kinds::LAYER) && place.node.children().iter().any(moves));
        });
        animated
    };
    if let Some(list) = root.child_mut(&kinds::MTLS) {
        let before = animated(list);
        super::retain(list, &kinds::MATERIAL, &numbers);
        let less = before - animated(list);
        if let Some(count) =
            list.child_mut(&kinds::WOW_MATERIAL_COUNT).and_then(Node::value_mut::<WowMaterialCount>)
        {
            lessen(&mut count.count, gone);
            lessen(&mut count.animated_layers, less);
        }
    }
    materials(root, &mut |number| renumbered(&numbers, number));
    gone
}

/// Removes texture animations and renumbers references. Returns the number of removed ones.
pub(crate) fn retain_texture_animations(root: &mut Node<'_>, stays: &[bool]) -> usize {
    let numbers = super::renumbering(stays);
    let gone = super::gone(&numbers);
    if gone == 0 {
        return 0;
    }
    if let Some(list) = root.child_mut(&kinds::TXAN) {
        super::retain(list, &kinds::TEXTURE_ANIMATION, &numbers);
        lessen_wow_count(list, gone);
    }
    remove_empty(root, &[&kinds::TXAN]);
    texture_animations(root, &mut |number| renumbered(&numbers, number));
    gone
}

/// Removes global sequences and renumbers references. Returns the number of removed ones.
pub(crate) fn retain_global_sequences(root: &mut Node<'_>, stays: &[bool]) -> usize {
    let numbers = super::renumbering(stays);
    let gone = super::gone(&numbers);
    if gone == 0 {
        return 0;
    }
    if let Some(chunks) = root.children_mut() {
        if let Some(list) = chunks.iter_mut().find(|chunk| chunk.is(&kinds::GLBS)) {
            let all = list.values::<U32>().iter().zip(stays);
            let kept: Vec<U32> = all.filter(|(_, stays)| **stays).map(|(duration, _)| *duration).collect();
            list.set_values(&kept);
        }
        chunks.retain(|chunk| !chunk.is(&kinds::GLBS) || !chunk.bytes().is_empty());
    }
    global_sequences(root, &mut |number| renumbered(&numbers, number));
    gone
}

/// Renumbers geosets in geoset animations, bones and data of tools. Geoset animations of removed geosets are removed, and references to
/// those follow.
pub(crate) fn geosets(root: &mut Node<'_>, numbers: &[Option<u32>]) {
    let mut stays = Vec::new();
    if let Some(list) = root.child_mut(&kinds::GEOA) {
        let before = list.all(&kinds::GEOSET_ANIMATION).count();
        if let Some(children) = list.children_mut() {
            children.retain_mut(|animation| {
                if !animation.is(&kinds::GEOSET_ANIMATION) {
                    return true;
                }
                let id = geoset_of(animation);
                let removed = id.is_some_and(|id| numbers.get(id) == Some(&None));
                stays.push(!removed);
                if !removed {
                    set_geoset_of(animation, numbers);
                }
                !removed
            });
        }
        let gone = before - list.all(&kinds::GEOSET_ANIMATION).count();
        lessen_wow_count(list, gone);
    }
    let animations = super::renumbering(&stays);
    remove_empty(root, &[&kinds::GEOA]);
    each(root, &mut |node| {
        if let Some(links) = node.is(&kinds::BONE_LINKS).then(|| node.value_mut::<BoneLinks>()).flatten() {
            change_or_none(Some(&mut links.geoset_id), numbers);
            change_or_none(Some(&mut links.geoset_animation_id), &animations);
        } else if node.is(&kinds::WOW_ATTACHMENT_HEADER) {
            if let Some(header) = node.value_mut::<WowAttachmentHeader>()
                && let Some(new) = animations.get(usize::from(header.geoset_animation))
            {
                header.geoset_animation = new.and_then(|new| u8::try_from(new).ok()).unwrap_or(u8::MAX);
            }
        } else if node.is(&kinds::DILG) {
            let kept: Vec<U32> = kept(node.values::<U32>(), numbers, |id| id.get(), |_, new| U32::new(new));
            node.set_values(&kept);
        } else if node.is(&kinds::MDLVIS_GEOSETS) {
            let all = node.values::<I32>();
            let is_kept = |(index, _): &(usize, &I32)| numbers.get(*index) != Some(&None);
            let kept: Vec<I32> = all.iter().enumerate().filter(is_kept).map(|(_, number)| *number).collect();
            node.set_values(&kept);
        } else if node.is(&kinds::MDLVIS_GROUP) {
            let kept = kept(
                node.values::<MdlVisVertex>(),
                numbers,
                |vertex| vertex.geoset.get(),
                |vertex, new| MdlVisVertex { geoset: U32::new(new), ..vertex },
            );
            node.set_values(&kept);
        } else if node.is(&kinds::MDLVIS_NORMALS) {
            let kept = kept(
                node.values::<MdlVisNormal>(),
                numbers,
                |normal| normal.geoset.get(),
                |normal, new| MdlVisNormal { geoset: U32::new(new), ..normal },
            );
            node.set_values(&kept);
        }
    });
}

/// Gives references to geosets, to geoset animations, and of tools to vertices of geosets, new numbers. What a tool refers to and does
/// not exist any more is forgotten.
pub(crate) fn renumber_geosets(
    root: &mut Node<'_>,
    geoset: &dyn Fn(usize) -> Option<usize>,
    animation: &dyn Fn(usize) -> Option<usize>,
    vertex: &dyn Fn(usize, usize) -> Option<(usize, usize)>,
) {
    let number = |old: i32, new: &dyn Fn(usize) -> Option<usize>| {
        let new = usize::try_from(old).ok().map(new);
        new.map_or(old, |new| new.and_then(|new| i32::try_from(new).ok()).unwrap_or(-1))
    };
    let vertex = |old: [U32; 2]| -> Option<[U32; 2]> {
        let [geoset, vertex] = {
            let (geoset, number) = (usize::try_from(old[0].get()).ok()?, usize::try_from(old[1].get()).ok()?);
            let (geoset, number) = vertex(geoset, number)?;
            [u32::try_from(geoset).ok()?, u32::try_from(number).ok()?]
        };
        Some([U32::new(geoset), U32::new(vertex)])
    };
    each(root, &mut |node| {
        if let Some(links) = node.is(&kinds::BONE_LINKS).then(|| node.value_mut::<BoneLinks>()).flatten() {
            links.geoset_id.set(number(links.geoset_id.get(), geoset));
            links.geoset_animation_id.set(number(links.geoset_animation_id.get(), animation));
        } else if let Some(header) = node
            .is(&kinds::GEOSET_ANIMATION_HEADER)
            .then(|| node.value_mut::<GeosetAnimationHeader>())
            .flatten()
        {
            header.geoset_id.set(number(header.geoset_id.get(), geoset));
        } else if node.is(&kinds::DILG) {
            let of = |old: &U32| {
                let new = geoset(usize::try_from(old.get()).ok()?)?;
                u32::try_from(new).ok()
            };
            let mut new: Vec<u32> = node.values::<U32>().iter().filter_map(of).collect();
            new.dedup();
            node.set_values(&new.into_iter().map(U32::new).collect::<Vec<_>>());
        } else if node.is(&kinds::MDLVIS_GROUP) {
            let mut new: Vec<MdlVisVertex> = Vec::new();
            for old in node.values::<MdlVisVertex>() {
                let moved = vertex([old.geoset, old.vertex]);
                new.extend(moved.map(|[geoset, vertex]| MdlVisVertex { geoset, vertex }));
            }
            new.dedup();
            node.set_values(&new);
        } else if node.is(&kinds::MDLVIS_NORMALS) {
            let mut new: Vec<MdlVisNormal> = Vec::new();
            for old in node.values::<MdlVisNormal>() {
                let moved = vertex([old.geoset, old.vertex]);
                new.extend(moved.map(|[geoset, vertex]| MdlVisNormal { geoset, vertex, ..*old }));
            }
            new.dedup();
            node.set_values(&new);
        }
    });
}

/// Whether the links of a bone are to a geoset.
pub(crate) fn links_to(geoset: usize) -> impl Fn(&BoneLinks) -> bool {
    move |links| usize::try_from(links.geoset_id.get()) == Ok(geoset)
}

/// The elements whose part stays, with new numbers.
fn kept<T: Copy>(
    all: &[T],
    numbers: &[Option<u32>],
    number: impl Fn(&T) -> u32,
    with: impl Fn(T, u32) -> T,
) -> Vec<T> {
    let removed = |old: u32| usize::try_from(old).is_ok_and(|old| numbers.get(old) == Some(&None));
    all.iter()
        .filter(|element| !removed(number(element)))
        .map(|element| with(*element, renumbered(numbers, number(element))))
        .collect()
}

/// The geoset of a geoset animation.
pub(crate) fn geoset_of(animation: &Node<'_>) -> Option<usize> {
    let first = animation.children().first()?;
    let id = match first.value::<GeosetAnimationHeader>() {
        Some(header) => header.geoset_id,
        None => first.value::<WowGeosetAnimationHeader>()?.geoset_id,
    };
    usize::try_from(id.get()).ok()
}

fn set_geoset_of(animation: &mut Node<'_>, numbers: &[Option<u32>]) {
    let Some(first) = animation.children_mut().and_then(|children| children.first_mut()) else { return };
    if first.is(&kinds::GEOSET_ANIMATION_HEADER) {
        change_or_none(
            first.value_mut::<GeosetAnimationHeader>().map(|header| &mut header.geoset_id),
            numbers,
        );
    } else {
        change_or_none(
            first.value_mut::<WowGeosetAnimationHeader>().map(|header| &mut header.geoset_id),
            numbers,
        );
    }
}

/// Reduces the count at the start of a chunk of the WoW alpha.
pub(crate) fn lessen_wow_count(chunk: &mut Node<'_>, gone: usize) {
    let Some(first) = chunk.children_mut().and_then(|children| children.first_mut()) else { return };
    if let Some(count) = first.is(&kinds::WOW_COUNT).then(|| first.value_mut::<WowCount>()).flatten() {
        lessen(&mut count.count, gone);
    } else if first.is(&kinds::WOW_ATTACHMENT_COUNT) && gone > 0 {
        let ids = chunk.children().iter().filter_map(|child| child.get(kinds::WOW_ATTACHMENT_HEADER));
        let highest = ids.map(|header| header.attachment_id.get().cast_unsigned()).max().unwrap_or_default();
        if let Some(count) = chunk.get_mut(kinds::WOW_ATTACHMENT_COUNT) {
            lessen(&mut count.count, gone);
            count.highest_id = U32::new(highest);
        }
    }
}

/// Removes chunks of these kinds that have no objects left.
pub(crate) fn remove_empty(root: &mut Node<'_>, chunks: &[&'static record::Kind]) {
    let is_count = |child: &Node<'_>| child.is(&kinds::WOW_COUNT) || child.is(&kinds::WOW_ATTACHMENT_COUNT);
    if let Some(children) = root.children_mut() {
        children.retain(|chunk| {
            !chunks.iter().any(|kind| chunk.is(kind)) || chunk.children().iter().any(|child| !is_count(child))
        });
    }
}

/// The chunks with nodes.
pub(crate) const NODE_CHUNKS: [&record::Kind; 11] = [
    kinds::BONE.kind,
    kinds::LITE.kind,
    kinds::HELP.kind,
    kinds::ATCH.kind,
    kinds::PREM.kind,
    kinds::PRE2.kind,
    kinds::CORN.kind,
    kinds::RIBB.kind,
    kinds::EVTS.kind,
    kinds::CLID.kind,
    kinds::HTST.kind,
];

/// A node's id and parent.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) id: i32,
    pub(crate) parent: i32,
    pub(crate) kind: NodeKind,
    pub(crate) name: String,
    /// Whether it has tracks of its own that move its children.
    pub(crate) moves: bool,
}

/// All nodes by id. Fails if ids are negative or not unique, because references would be ambiguous.
pub(crate) fn links(root: &Node<'_>) -> Result<BTreeMap<i32, Link>, Error> {
    let mut ids = BTreeMap::new();
    for object in root.children().iter().flat_map(Node::children).filter_map(Object::new) {
        let link = Link {
            id: object.id(),
            parent: object.parent().unwrap_or(-1),
            kind: object.kind,
            name: object.name().into_owned(),
            moves: mdx::view::tracks(object.node).next().is_some(),
        };
        if link.id < 0 || ids.insert(link.id, link).is_some() {
            return Err(Error::new(format!("the object id {} is negative or not unique", object.id()))
                .with_note("give every node a unique id first; nodes cannot be renumbered otherwise"));
        }
    }
    Ok(ids)
}

/// Removes nodes. The first map gives for each removed id the node that takes its children, or -1; the second the bone that takes its
/// vertices, where they refer to bones by their order. Matrix groups must not refer to removed nodes any more.
pub(crate) fn take_out(root: &mut Node<'_>, removed: &BTreeMap<i32, i32>, bones: &BTreeMap<i32, i32>) {
    let ids: Vec<i32> = removed.keys().copied().collect();
    let goes = |id: i32| removed.contains_key(&id);
    let moved = |id: i32| {
        let before = ids.binary_search(&id).unwrap_or_else(|before| before);
        id - i32::try_from(before).unwrap_or_default()
    };
    let at = |index: usize| i32::try_from(index).is_ok_and(goes);
    let ordinals = bone_ordinals(root, removed, bones);
    let Some(chunks) = root.children_mut() else { return };
    for chunk in chunks.iter_mut() {
        if chunk.is(&kinds::PIVT) {
            let all = chunk.values::<Vec3>();
            let kept = all.iter().enumerate().filter(|(index, _)| !at(*index)).map(|(_, pivot)| *pivot);
            let kept: Vec<Vec3> = kept.collect();
            chunk.set_values(&kept);
        } else if chunk.is(&kinds::BPOS) {
            let all = chunk.values::<BindPose>();
            let kept: Vec<BindPose> =
                all.iter().enumerate().filter(|(index, _)| !at(*index)).map(|(_, pose)| *pose).collect();
            let gone = all.len() - kept.len();
            chunk.set_values(&kept);
            if let Some(count) = chunk.value_mut::<U32>() {
                lessen(count, gone);
            }
        } else if let Some(model) =
            chunk.is(&kinds::WOW_MODL).then(|| chunk.value_mut::<WowModel>()).flatten()
        {
            lessen(&mut model.object_count, removed.len());
        } else if let Some(objects) = chunk.children_mut() {
            let before = objects.len();
            objects.retain(|object| Object::new(object).is_none_or(|object| !goes(object.id())));
            let gone = before - objects.len();
            lessen_wow_count(chunk, gone);
        }
    }
    remove_empty(root, &NODE_CHUNKS);
    each(root, &mut |node| {
        if node.is(&kinds::MATS) {
            for id in node.values_mut::<U32>() {
                if let Ok(old) = i32::try_from(id.get()) {
                    id.set(moved(old).cast_unsigned());
                }
            }
        } else if node.is(&kinds::NODE_HEADER) || node.is(&kinds::WOW_NODE_HEADER) {
            change_ids(node, &|id| moved(id), &|parent| {
                let heir = removed.get(&parent).copied().unwrap_or(parent);
                if heir < 0 { -1 } else { moved(heir) }
            });
        } else if let Some(numbers) = &ordinals {
            bones_by_number(node, &|bone| renumbered(numbers, bone));
        }
    });
}

/// Changes the ids in the header of a node. A parent of -1 stays.
pub(crate) fn change_ids(header: &mut Node<'_>, own: &dyn Fn(i32) -> i32, parent: &dyn Fn(i32) -> i32) {
    // The headers of both games have their ids at the same offset.
    for field in ["object_id", "parent_id"] {
        let Some(range) = header.locate(field).map(|found| found.range) else { continue };
        let bytes = header.bytes_mut().and_then(|bytes| bytes.get_mut(range));
        let Some(id) = bytes.and_then(|bytes| I32::mut_from_bytes(bytes).ok()) else { continue };
        match (field, id.get()) {
            ("object_id", old) => id.set(own(old)),
            (_, old) if old >= 0 => id.set(parent(old)),
            _ => {}
        }
    }
}

/// The new number of each bone for vertices that refer to bones by their order; `None` if no bone is removed.
fn bone_ordinals(
    root: &Node<'_>,
    removed: &BTreeMap<i32, i32>,
    heirs: &BTreeMap<i32, i32>,
) -> Option<Vec<Option<u32>>> {
    let bones: Vec<i32> = root
        .children()
        .iter()
        .flat_map(Node::children)
        .filter_map(Object::new)
        .filter(|object| object.kind == NodeKind::Bone)
        .map(|object| object.id())
        .collect();
    if !bones.iter().any(|id| removed.contains_key(id)) {
        return None;
    }
    let stays: Vec<bool> = bones.iter().map(|id| !removed.contains_key(id)).collect();
    let numbers = super::renumbering(&stays);
    let by_id: HashMap<i32, usize> = bones.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let new = |at: usize| numbers.get(at).copied().flatten();
    Some(
        bones
            .iter()
            .enumerate()
            .map(|(at, id)| new(at).or_else(|| new(*by_id.get(heirs.get(id)?)?)))
            .collect(),
    )
}

/// Changes the bones of vertices that refer to bones by their order.
pub(crate) fn bones_by_number(node: &mut Node<'_>, new: &dyn Fn(u32) -> u32) {
    if node.is(&kinds::SKIN) {
        for vertex in node.values_mut::<u8>().as_chunks_mut::<8>().0 {
            for bone in &mut vertex[..4] {
                *bone = u8::try_from(new(u32::from(*bone))).unwrap_or(*bone);
            }
        }
    } else if node.is(&kinds::WIDE_SKIN) {
        for vertex in node.values_mut::<U16>().as_chunks_mut::<8>().0 {
            for bone in &mut vertex[..4] {
                bone.set(u16::try_from(new(u32::from(bone.get()))).unwrap_or(bone.get()));
            }
        }
    } else if node.is(&kinds::WOW_VERTICES) {
        for vertex in node.values_mut::<WowVertex>() {
            for bone in &mut vertex.bones {
                *bone = u8::try_from(new(u32::from(*bone))).unwrap_or(*bone);
            }
        }
    }
}
