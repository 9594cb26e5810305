//! Materials, textures and nodes of MDX models.

use std::collections::{BTreeMap, HashMap, HashSet};

use mdx::records::*;
use mdx::{kinds, tags};
use record::{I32, Node, U32, until_nul};

use super::{gone, lessen, mark, renumbered, renumbering, retain};
use crate::Error;

/// Calls `see` with every reference to a material.
fn material_references(root: &mut Node<'_>, see: &mut dyn FnMut(u32) -> u32) {
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

/// Calls `see` with every reference to a texture.
fn texture_references(root: &mut Node<'_>, see: &mut dyn FnMut(u32) -> u32) {
    each(root, &mut |node| {
        if node.is(&kinds::LAYER_HEADER) {
            change_i32(node.value_mut::<LayerHeader>().map(|header| &mut header.texture_id), see);
        } else if node.is(&kinds::TEXTURE_REFERENCE) {
            change_i32(node.value_mut::<TextureReference>().map(|header| &mut header.texture_id), see);
        } else if node.is(&kinds::PARTICLE_EMITTER_2_HEADER) {
            change_i32(node.value_mut::<ParticleEmitter2Header>().map(|header| &mut header.texture_id), see);
        } else if node.is(&kinds::WOW_PARTICLE_EMITTER_2_HEADER) {
            change_i32(
                node.value_mut::<WowParticleEmitter2Header>().map(|header| &mut header.texture_id),
                see,
            );
        } else if node.id == tags::KMTF {
            for key in node.values_mut::<Key<U32>>() {
                key.value.set(see(key.value.get()));
            }
            for key in node.values_mut::<TangentKey<U32>>() {
                for value in [&mut key.value, &mut key.in_tan, &mut key.out_tan] {
                    value.set(see(value.get()));
                }
            }
        }
    });
}

fn each(node: &mut Node<'_>, see: &mut dyn FnMut(&mut Node<'_>)) {
    see(node);
    if let Some(children) = node.children_mut() {
        children.iter_mut().for_each(|child| each(child, see));
    }
}

fn change_u32(field: Option<&mut U32>, see: &mut dyn FnMut(u32) -> u32) {
    if let Some(field) = field {
        field.set(see(field.get()));
    }
}

/// Negative values mean "none" and stay.
fn change_i32(field: Option<&mut I32>, see: &mut dyn FnMut(u32) -> u32) {
    if let Some(field) = field
        && let Ok(old) = u32::try_from(field.get())
        && let Ok(new) = i32::try_from(see(old))
    {
        field.set(new);
    }
}

pub(super) fn materials(root: &mut Node<'_>) -> usize {
    let count = root.child(&kinds::MTLS).map_or(0, |list| list.all(&kinds::MATERIAL).count());
    let mut used = vec![false; count];
    material_references(root, &mut |number| {
        mark(&mut used, number);
        number
    });
    let numbers = renumbering(&used);
    let gone = gone(&numbers);
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
        retain(list, &kinds::MATERIAL, &numbers);
        let less = before - animated(list);
        if let Some(count) =
            list.child_mut(&kinds::WOW_MATERIAL_COUNT).and_then(Node::value_mut::<WowMaterialCount>)
        {
            lessen(&mut count.count, gone);
            lessen(&mut count.animated_layers, less);
        }
    }
    material_references(root, &mut |number| renumbered(&numbers, number));
    gone
}

pub(super) fn textures(root: &mut Node<'_>) -> usize {
    let Some(list) = root.child(&kinds::TEXS) else { return 0 };
    let textures = list.values::<Texture>().to_vec();
    let mut used = vec![false; textures.len()];
    texture_references(root, &mut |number| {
        mark(&mut used, number);
        number
    });
    let numbers = renumbering(&used);
    let gone = gone(&numbers);
    if gone == 0 {
        return 0;
    }
    let kept: Vec<Texture> =
        textures.into_iter().zip(&used).filter(|(_, used)| **used).map(|(texture, _)| texture).collect();
    if let Some(list) = root.child_mut(&kinds::TEXS) {
        list.set_values(&kept);
    }
    texture_references(root, &mut |number| renumbered(&numbers, number));
    gone
}

/// A node's id and parent.
struct Link {
    id: i32,
    parent: i32,
    /// Whether it may be removed if nothing refers to it.
    plain: bool,
    bone: bool,
    name: Vec<u8>,
}

fn link(object: &Node<'_>) -> Option<Link> {
    let header = object.child(&kinds::NODE)?.children().first()?;
    let (name, id, parent) = match header.value::<NodeHeader>() {
        Some(header) => (header.name, header.object_id, header.parent_id),
        None => {
            header.value::<WowNodeHeader>().map(|header| (header.name, header.object_id, header.parent_id))?
        }
    };
    let bone = object.is(&kinds::BONE_OBJECT);
    let plain = bone || object.is(&kinds::HELPER);
    Some(Link { id: id.get(), parent: parent.get(), plain, bone, name: name.text().to_vec() })
}

pub(super) fn nodes(root: &mut Node<'_>) -> Result<usize, Error> {
    let links: Vec<Link> = root.children().iter().flat_map(Node::children).filter_map(link).collect();
    let mut ids: BTreeMap<i32, &Link> = BTreeMap::new();
    for link in &links {
        if link.id < 0 || ids.insert(link.id, link).is_some() {
            return Err(Error::new(format!("the object id {} is negative or not unique", link.id))
                .with_note("give every node a unique id first; nodes cannot be renumbered otherwise"));
        }
    }
    let by_number = by_number(root);
    let mut referred: Vec<i32> = Vec::new();
    let mut targets: Vec<Vec<u8>> = Vec::new();
    root.walk(&mut |place| {
        if place.node.is(&kinds::MATS) {
            referred.extend(place.node.values::<U32>().iter().filter_map(|id| i32::try_from(id.get()).ok()));
        } else if place.node.is(&kinds::FAFX) {
            targets.extend(
                place.node.values::<FaceEffect>().iter().map(|face| until_nul(&face.target.0).to_vec()),
            );
        }
    });
    let referred: HashSet<i32> = referred.into_iter().collect();
    let last_bone = links.iter().filter(|link| link.bone).map(|link| link.id).max();
    let may_go = |link: &Link| {
        let numbered = by_number && last_bone.is_some_and(|last| link.id <= last);
        link.plain
            && !numbered
            && !referred.contains(&link.id)
            && !targets.iter().any(|target| target.eq_ignore_ascii_case(&link.name))
    };
    let mut children: HashMap<i32, usize> = HashMap::new();
    for link in &links {
        *children.entry(link.parent).or_default() += 1;
    }
    // Remove leaves first; their parents may become leaves.
    let is_leaf = |link: &Link, children: &HashMap<i32, usize>| {
        children.get(&link.id).is_none_or(|count| *count == 0) && may_go(link)
    };
    let mut going: Vec<&Link> = links.iter().filter(|link| is_leaf(link, &children)).collect();
    let mut removed: Vec<i32> = Vec::new();
    while let Some(link) = going.pop() {
        removed.push(link.id);
        if let Some(count) = children.get_mut(&link.parent) {
            *count -= 1;
        }
        going.extend(ids.get(&link.parent).copied().filter(|parent| is_leaf(parent, &children)));
    }
    if removed.is_empty() {
        return Ok(0);
    }
    removed.sort_unstable();
    take_out(root, &removed);
    Ok(removed.len())
}

/// Whether vertices refer to bones by number.
fn by_number(root: &Node<'_>) -> bool {
    let mut found = false;
    root.walk(&mut |place| {
        found |=
            [&kinds::SKIN, kinds::WIDE_SKIN.row, &kinds::WOW_VERTICES].iter().any(|kind| place.node.is(kind));
    });
    found
}

fn take_out(root: &mut Node<'_>, removed: &[i32]) {
    let goes = |id: i32| removed.binary_search(&id).is_ok();
    let moved = |id: i32| {
        let before = removed.binary_search(&id).unwrap_or_else(|before| before);
        id - i32::try_from(before).unwrap_or_default()
    };
    let at = |index: usize| i32::try_from(index).is_ok_and(goes);
    let Some(chunks) = root.children_mut() else { return };
    for chunk in chunks.iter_mut() {
        if chunk.is(&kinds::PIVT) {
            let kept: Vec<record::Vec3> = chunk
                .values()
                .iter()
                .enumerate()
                .filter(|(index, _)| !at(*index))
                .map(|(_, pivot)| *pivot)
                .collect();
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
            objects.retain(|object| !link(object).is_some_and(|link| link.plain && goes(link.id)));
            let gone = before - objects.len();
            if let Some(count) = objects.first_mut().filter(|first| first.is(&kinds::WOW_COUNT))
                && let Some(count) = count.value_mut::<WowCount>()
            {
                lessen(&mut count.count, gone);
            }
        }
    }
    chunks.retain(|chunk| {
        let listed = chunk.is(&kinds::BONE) || chunk.is(&kinds::HELP);
        !listed || chunk.children().iter().any(|child| !child.is(&kinds::WOW_COUNT))
    });
    each(root, &mut |node| {
        if node.is(&kinds::MATS) {
            for id in node.values_mut::<U32>() {
                if let Ok(old) = i32::try_from(id.get()) {
                    id.set(moved(old).cast_unsigned());
                }
            }
        } else if node.is(&kinds::NODE_HEADER) || node.is(&kinds::WOW_NODE_HEADER) {
            // Both headers have their ids at the same offset.
            for field in ["object_id", "parent_id"] {
                let Some(range) = node.locate(field).map(|found| found.range) else { continue };
                let bytes = node.bytes_mut().and_then(|bytes| bytes.get_mut(range));
                let id =
                    bytes.and_then(|bytes| <I32 as record::zerocopy::FromBytes>::mut_from_bytes(bytes).ok());
                if let Some(id) = id {
                    // -1 means "no parent" and stays.
                    id.set(moved(id.get()));
                }
            }
        }
    });
}
