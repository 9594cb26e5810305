//! Materials of MDX parts, and own copies of shared ones.

use std::collections::BTreeSet;

use mdx::kinds;
use mdx::records::*;
use record::{Node, U32};

use crate::Error;
use crate::select::{Part, PartKind};

/// The materials of chosen parts. A material that other parts share is copied first, so that only the chosen parts change.
pub(crate) fn own(root: &mut Node<'_>, chosen: &[Part]) -> Result<BTreeSet<usize>, Error> {
    let mut wanted = BTreeSet::new();
    let holders: BTreeSet<&[usize]> = chosen
        .iter()
        .filter(|part| matches!(part.kind, PartKind::Mesh | PartKind::Ribbon))
        .map(|part| part.trail.as_slice())
        .collect();
    wanted.extend(chosen.iter().filter(|part| part.kind == PartKind::Material).map(|part| part.index));
    // Who uses each material.
    let mut users: std::collections::BTreeMap<u32, (Vec<Vec<usize>>, bool)> =
        std::collections::BTreeMap::new();
    for (at, chunk) in root.children().iter().enumerate() {
        for (inner, object) in chunk.children().iter().enumerate() {
            let Some(material) = material_of(object) else { continue };
            let trail = vec![at, inner];
            let is_chosen = holders.contains(trail.as_slice());
            let entry = users.entry(material).or_default();
            if is_chosen {
                entry.0.push(trail);
            } else {
                entry.1 = true;
            }
        }
    }
    for (material, (own, is_shared)) in users {
        let index = usize::try_from(material).unwrap_or(usize::MAX);
        if own.is_empty() {
            continue;
        }
        if !is_shared || wanted.contains(&index) {
            wanted.insert(index);
            continue;
        }
        let list = root.child_mut(&kinds::MTLS).and_then(Node::children_mut);
        let Some(list) = list else { continue };
        let listed = list.iter().filter(|child| child.is(&kinds::MATERIAL));
        let Some(copy) = listed.clone().nth(index).cloned() else {
            return Err(Error::new(format!("the material {material} does not exist")));
        };
        let new = listed.count();
        list.push(copy);
        if let Some(count) = root
            .child_mut(&kinds::MTLS)
            .and_then(|list| list.child_mut(&kinds::WOW_MATERIAL_COUNT))
            .and_then(Node::value_mut::<WowMaterialCount>)
        {
            crate::references::increase(&mut count.count, 1);
        }
        for trail in own {
            let object =
                trail.iter().try_fold(&mut *root, |node, index| node.children_mut()?.get_mut(*index));
            if let Some(object) = object {
                let new = u32::try_from(new).unwrap_or_default();
                crate::references::mdx::materials(object, &mut |_| new);
            }
        }
        wanted.insert(new);
    }
    Ok(wanted)
}

/// The material of a geoset or ribbon.
fn material_of(object: &Node<'_>) -> Option<u32> {
    let mut found: Option<U32> = None;
    for child in object.children() {
        if let Some(header) = child.value::<GeosetHeader>().filter(|_| child.is(&kinds::GEOSET_HEADER)) {
            found = Some(header.material_id);
        } else if let Some(header) = child.value::<RibbonEmitterHeader>() {
            found = Some(U32::new(header.material_id.get().cast_unsigned()));
        } else if let Some(section) = child.value::<WowGeosetSection>() {
            found = Some(section.material_id);
        }
    }
    found.map(|id| id.get())
}

/// The layers of a material.
pub(crate) fn layers<'n, 'a>(root: &'n mut Node<'a>, material: usize) -> Option<&'n mut Vec<Node<'a>>> {
    let list = root.child_mut(&kinds::MTLS)?.children_mut()?;
    let material = list.iter_mut().filter(|child| child.is(&kinds::MATERIAL)).nth(material)?;
    material.child_mut(&kinds::LAYS)?.children_mut()
}
