//! Materials, textures and nodes of MDX models.

use std::collections::{BTreeMap, HashMap, HashSet};

use mdx::kinds;
use mdx::records::FaceEffect;
use mdx::view::NodeKind;
use record::{Node, U32, until_nul};

use super::mark;
use crate::Error;
use crate::references::mdx as references;
use crate::references::mdx::Link;

pub(super) fn materials(root: &mut Node<'_>) -> usize {
    let stays = used_materials(root);
    references::retain_materials(root, &stays)
}

pub(super) fn textures(root: &mut Node<'_>) -> usize {
    let stays = used_textures(root);
    references::retain_textures(root, &stays)
}

/// Whether a geoset or ribbon uses each material.
pub(crate) fn used_materials(root: &mut Node<'_>) -> Vec<bool> {
    let count = root.child(&kinds::MTLS).map_or(0, |list| list.all(&kinds::MATERIAL).count());
    used(root, count, references::materials)
}

/// Whether a layer or emitter uses each texture.
pub(crate) fn used_textures(root: &mut Node<'_>) -> Vec<bool> {
    let count = root.get(kinds::TEXS).len();
    used(root, count, references::textures)
}

/// Calls a function with every reference to a sort of part.
type Each = fn(&mut Node<'_>, &mut dyn FnMut(u32) -> u32);

pub(crate) fn used(root: &mut Node<'_>, count: usize, each: Each) -> Vec<bool> {
    let mut used = vec![false; count];
    each(root, &mut |number| {
        mark(&mut used, number);
        number
    });
    used
}

pub(super) fn nodes(root: &mut Node<'_>) -> Result<usize, Error> {
    let links = references::links(root)?;
    let by_number = by_number(root);
    let mut referred: Vec<i32> = Vec::new();
    let mut targets: Vec<String> = Vec::new();
    root.walk(&mut |place| {
        if place.node.is(&kinds::MATS) {
            referred.extend(place.node.values::<U32>().iter().filter_map(|id| i32::try_from(id.get()).ok()));
        } else if place.node.is(&kinds::FAFX) {
            let faces = place.node.values::<FaceEffect>().iter();
            targets.extend(faces.map(|face| record::decode(until_nul(&face.target.0)).into_owned()));
        }
    });
    let referred: HashSet<i32> = referred.into_iter().collect();
    let is_bone = |link: &&Link| link.kind == NodeKind::Bone;
    let last_bone = links.values().filter(is_bone).map(|link| link.id).max();
    let may_go = |link: &Link| {
        let numbered = by_number && last_bone.is_some_and(|last| link.id <= last);
        matches!(link.kind, NodeKind::Bone | NodeKind::Helper)
            && !numbered
            && !referred.contains(&link.id)
            && !targets.iter().any(|target| target.eq_ignore_ascii_case(&link.name))
    };
    let mut children: HashMap<i32, usize> = HashMap::new();
    for link in links.values() {
        *children.entry(link.parent).or_default() += 1;
    }
    // Remove leaves first; their parents may become leaves.
    let is_leaf = |link: &Link, children: &HashMap<i32, usize>| {
        children.get(&link.id).is_none_or(|count| *count == 0) && may_go(link)
    };
    let mut going: Vec<&Link> = links.values().filter(|link| is_leaf(link, &children)).collect();
    let mut removed: BTreeMap<i32, i32> = BTreeMap::new();
    while let Some(link) = going.pop() {
        removed.insert(link.id, -1);
        if let Some(count) = children.get_mut(&link.parent) {
            *count -= 1;
        }
        going.extend(links.get(&link.parent).filter(|parent| is_leaf(parent, &children)));
    }
    if !removed.is_empty() {
        references::take_out(root, &removed, &BTreeMap::new());
    }
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
