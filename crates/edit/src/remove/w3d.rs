//! Removing parts of W3D files.

use std::collections::{BTreeSet, HashSet};

use record::{F32, Node, U32};
use w3d::records::*;
use w3d::table;

use super::{Children, of_kind};
use crate::Error;
use crate::references::lessen;
use crate::references::w3d as references;
use crate::report::{Report, counted};
use crate::select::{Part, PartKind, node_at, object_name};
use crate::space::Placement;

pub(super) fn remove(root: &mut Node<'_>, chosen: &[Part], children: Children) -> Result<Report, Error> {
    let mut report = Report::of(chosen.len());
    remove_materials(root, chosen)?;
    let mut chunks: BTreeSet<usize> = BTreeSet::new();
    let mut objects: HashSet<String> = HashSet::new();
    for part in chosen.iter().filter(|part| part.trail.len() == 1) {
        chunks.extend(&part.trail);
        let object = node_at(root, &part.trail).and_then(object_name);
        objects.extend(object.map(|name| name.to_ascii_lowercase()));
    }
    let levels: Vec<&[usize]> = of_kind(chosen, PartKind::Lod).map(|part| part.trail.as_slice()).collect();
    let bones: Vec<(&[usize], usize)> = of_kind(chosen, PartKind::Bone)
        .filter_map(|part| Some((part.trail.as_slice(), part.element?)))
        .collect();
    remove_bones(root, &bones, children, &mut report)?;
    let lonely = remove_levels(root, &levels);
    report.changed += lonely.len();
    for (index, chunk) in root.children().iter().enumerate() {
        if let Some(name) = object_name(chunk)
            && lonely.contains(&name.to_ascii_lowercase())
        {
            chunks.insert(index);
        }
    }
    references::remove_objects(root, &|name| objects.contains(&name.to_ascii_lowercase()));
    let mut index = 0;
    if let Some(all) = root.children_mut() {
        all.retain(|_| {
            index += 1;
            !chunks.contains(&(index - 1))
        });
    }
    Ok(report)
}

/// Removes materials and textures that no pass uses; those in use are refused.
fn remove_materials(root: &mut Node<'_>, chosen: &[Part]) -> Result<(), Error> {
    let mut holders: BTreeSet<&[usize]> = BTreeSet::new();
    let is_listed = |part: &&Part| matches!(part.kind, PartKind::Material | PartKind::Texture);
    for part in chosen.iter().filter(is_listed) {
        holders.extend(part.trail.len().checked_sub(2).map(|end| &part.trail[..end]));
    }
    for trail in holders {
        let Some(holder) =
            trail.iter().try_fold(&mut *root, |node, index| node.children_mut()?.get_mut(*index))
        else {
            continue;
        };
        for list in crate::strip::w3d::lists() {
            let Some(at) = holder.children().iter().position(|child| child.is(list.list)) else { continue };
            let used = list.used(holder);
            let mut stays = vec![true; used.len()];
            let elements = holder.children()[at].children();
            let listed = elements.iter().enumerate().filter(|(_, child)| child.is(list.element));
            for (ordinal, (inner, _)) in listed.enumerate() {
                let wanted = [trail, &[at, inner]].concat();
                if let Some(part) = chosen.iter().filter(is_listed).find(|part| part.trail == wanted) {
                    if used.get(ordinal).copied().unwrap_or_default() {
                        let title = part.title();
                        return Err(Error::new(format!("{title} is used by a pass of its mesh"))
                            .with_note("remove the mesh, or change the references of the pass first"));
                    }
                    stays[ordinal] = false;
                }
            }
            list.retain(holder, &stays);
        }
    }
    Ok(())
}

/// Removes levels of detail. Returns the objects that no model refers to any more.
fn remove_levels(root: &mut Node<'_>, levels: &[&[usize]]) -> HashSet<String> {
    let mut shown = HashSet::new();
    for trail in levels {
        let level = node_at(root, trail).into_iter().flat_map(Node::children);
        let objects = level.filter_map(|child| child.value::<HlodSubObject>());
        shown.extend(objects.map(|object| object.name.to_string().to_ascii_lowercase()));
    }
    let mut by_model: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for trail in levels {
        if let [model, level] = trail {
            by_model.entry(*model).or_default().push(*level);
        }
    }
    for (model, levels) in by_model {
        let Some(model) = root.children_mut().and_then(|chunks| chunks.get_mut(model)) else { continue };
        let mut index = 0;
        if let Some(children) = model.children_mut() {
            children.retain(|_| {
                index += 1;
                !levels.contains(&(index - 1))
            });
            // The finest level, which is the last, is shown at any size.
            let arrays = children.iter_mut().filter(|child| child.is(&table::HLOD_LOD_ARRAY));
            let header =
                arrays.last().and_then(|level| level.child_mut(&table::HLOD_SUB_OBJECT_ARRAY_HEADER));
            if let Some(header) = header.and_then(Node::value_mut::<HlodArrayHeader>) {
                header.max_screen_size = F32::new(f32::MAX);
            }
        }
        if let Some(header) = model.child_mut(&table::HLOD_HEADER).and_then(Node::value_mut::<HlodHeader>) {
            lessen(&mut header.lod_count, levels.len());
        }
    }
    references::each_object(root, &mut |name| {
        shown.remove(&name.to_ascii_lowercase());
    });
    shown
}

/// Removes pivots of skeletons.
fn remove_bones(
    root: &mut Node<'_>,
    bones: &[(&[usize], usize)],
    children: Children,
    report: &mut Report,
) -> Result<(), Error> {
    let mut skeletons: Vec<&[usize]> = bones.iter().map(|(trail, _)| *trail).collect();
    skeletons.sort_unstable();
    skeletons.dedup();
    for trail in skeletons {
        let chosen: BTreeSet<usize> =
            bones.iter().filter(|(own, _)| *own == trail).map(|(_, index)| *index).collect();
        remove_pivots(root, trail, &chosen, children, report)?;
    }
    Ok(())
}

fn remove_pivots(
    root: &mut Node<'_>,
    trail: &[usize],
    chosen: &BTreeSet<usize>,
    children: Children,
    report: &mut Report,
) -> Result<(), Error> {
    let [chunk, list] = trail else { return Ok(()) };
    let Some(hierarchy) = root.children().get(*chunk) else { return Ok(()) };
    let pivots =
        hierarchy.children().get(*list).map(|list| list.values::<Pivot>().to_vec()).unwrap_or_default();
    let skeleton = hierarchy.label().unwrap_or_default();
    if chosen.contains(&0) {
        return Err(Error::new("the root bone cannot be removed: everything is on it"));
    }
    let parent_of = |index: usize| {
        pivots.get(index).and_then(Pivot::parent).and_then(|parent| usize::try_from(parent).ok())
    };
    let mut going = chosen.clone();
    if children == Children::Remove {
        // Parents come before their children.
        for index in 0..pivots.len() {
            if parent_of(index).is_some_and(|parent| parent < index && going.contains(&parent)) {
                going.insert(index);
            }
        }
    }
    report.changed += going.len() - chosen.len();
    let heir = |index: usize| {
        let mut above = parent_of(index);
        while let Some(parent) = above.filter(|parent| going.contains(parent)) {
            // Parents with higher numbers could form a cycle.
            above = parent_of(parent).filter(|next| *next < parent);
        }
        above.unwrap_or(0)
    };
    // From the space of each removed bone to that of its heir.
    let to_heir = |index: usize| {
        let heir = heir(index);
        let (mut placement, mut at) = (Placement::IDENTITY, index);
        while at != heir {
            let Some(pivot) = pivots.get(at) else { break };
            placement = Placement::of_pivot(pivot).then(placement);
            match parent_of(at).filter(|parent| *parent < at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        placement
    };
    warn_of_motion(root, &skeleton, &going, &pivots, report);
    refuse_occupied(root, &skeleton, &going)?;
    let mut kept = Vec::with_capacity(pivots.len());
    let stays: Vec<bool> = (0..pivots.len()).map(|index| !going.contains(&index)).collect();
    let numbers = crate::references::renumbering(&stays);
    let new = |old: u32| {
        let old = usize::try_from(old).ok()?;
        numbers.get(old).copied().flatten().or_else(|| numbers.get(heir(old)).copied().flatten())
    };
    for (index, pivot) in pivots.iter().enumerate().filter(|(index, _)| !going.contains(index)) {
        let mut pivot = *pivot;
        if let Some(parent) = parent_of(index) {
            if going.contains(&parent) {
                to_heir(parent).then(Placement::of_pivot(&pivot)).write(&mut pivot);
            }
            let parent = u32::try_from(parent).ok().and_then(new).unwrap_or_default();
            pivot.parent_idx = U32::new(parent);
        }
        kept.push(pivot);
    }
    let last_kept = (0..pivots.len()).rev().find(|index| !going.contains(index)).unwrap_or_default();
    let renumbers = going.iter().any(|index| *index < last_kept);
    references::pivots(root, &skeleton, &|old| {
        let is_gone = usize::try_from(old).is_ok_and(|old| going.contains(&old));
        if is_gone { None } else { new(old).or(Some(old)) }
    });
    if let Some(hierarchy) = root.children_mut().and_then(|chunks| chunks.get_mut(*chunk)) {
        set_pivots(hierarchy, &kept, &going);
    }
    if renumbers {
        report.note(format!(
            "bones of {:?} have new numbers: animations and skins for it in other files no longer fit",
            record::printable(&skeleton)
        ));
    }
    Ok(())
}

fn set_pivots(hierarchy: &mut Node<'_>, kept: &[Pivot], going: &BTreeSet<usize>) {
    if let Some(list) = hierarchy.child_mut(&table::PIVOTS) {
        list.set_values(kept);
    }
    if let Some(list) = hierarchy.child_mut(&table::PIVOT_FIXUPS) {
        let all = list.values::<PivotFixup>();
        let fixups: Vec<PivotFixup> = all
            .iter()
            .enumerate()
            .filter(|(index, _)| !going.contains(index))
            .map(|(_, fixup)| *fixup)
            .collect();
        list.set_values(&fixups);
    }
    if let Some(header) =
        hierarchy.child_mut(&table::HIERARCHY_HEADER).and_then(Node::value_mut::<HierarchyHeader>)
    {
        lessen(&mut header.num_pivots, going.len());
    }
}

/// Reports animations of removed bones.
fn warn_of_motion(
    root: &Node<'_>,
    skeleton: &str,
    going: &BTreeSet<usize>,
    pivots: &[Pivot],
    report: &mut Report,
) {
    let is_own = |chunk: &&Node<'_>| {
        references::skeleton_of(chunk).is_some_and(|name| name.eq_ignore_ascii_case(skeleton))
    };
    let mut animated: BTreeSet<usize> = BTreeSet::new();
    for clip in root.children().iter().filter(is_own) {
        let channels = clip.children().iter().filter_map(w3d::codec::decode);
        animated
            .extend(channels.map(|channel| usize::from(channel.pivot)).filter(|pivot| going.contains(pivot)));
    }
    if !animated.is_empty() {
        let names: Vec<String> = animated
            .iter()
            .filter_map(|index| pivots.get(*index))
            .map(|pivot| format!("{:?}", record::printable(&pivot.name.to_string())))
            .collect();
        let bones = counted(animated.len(), "removed bone");
        report.note(format!("the motion of {bones} was removed: {}", names.join(", ")));
    }
}

/// Fails if objects or vertices are on bones that would be removed.
fn refuse_occupied(root: &Node<'_>, skeleton: &str, going: &BTreeSet<usize>) -> Result<(), Error> {
    let is_own = |chunk: &&Node<'_>| {
        references::skeleton_of(chunk).is_some_and(|name| name.eq_ignore_ascii_case(skeleton))
    };
    let mut on_removed: Vec<String> = Vec::new();
    for model in root.children().iter().filter(is_own) {
        model.walk(&mut |place| {
            if let Some(object) = place.node.value::<HlodSubObject>()
                && usize::try_from(object.bone_index.get()).is_ok_and(|bone| going.contains(&bone))
            {
                on_removed.push(object.name.to_string());
            } else if let Some(node) = place.node.value::<HModelNode>()
                && going.contains(&usize::from(node.pivot_idx.get()))
            {
                on_removed.push(node.render_obj_name.to_string());
            }
        });
    }
    if let Some(name) = on_removed.first() {
        let name = record::printable(name);
        return Err(Error::new(format!("the object {name:?} is on a bone that would be removed"))
            .with_note("remove the object first, or attach it to another bone"));
    }
    let skins = references::objects_of_skeleton(root, skeleton);
    for chunk in root.children() {
        let name = object_name(chunk).unwrap_or_default();
        if skins.contains(&name.to_ascii_lowercase()) && has_vertices_on(chunk, going) {
            let name = record::printable(&name);
            return Err(Error::new(format!(
                "the skin {name:?} has vertices on a bone that would be removed"
            ))
            .with_note("remove the skin first"));
        }
    }
    Ok(())
}

/// Whether a skin has vertices on these bones.
fn has_vertices_on(mesh: &Node<'_>, going: &BTreeSet<usize>) -> bool {
    let mut found = false;
    mesh.walk(&mut |place| {
        let node = place.node;
        found |= node.values::<VertexInfluence>().iter().any(|influence| {
            influence
                .bones()
                .iter()
                .any(|(bone, weight)| *weight > 0.0 && going.contains(&usize::from(*bone)))
        });
        found |= node.values::<VertexInfluenceExtended>().iter().any(|influence| {
            influence
                .bones()
                .iter()
                .any(|(bone, weight)| *weight > 0.0 && going.contains(&usize::from(*bone)))
        });
        found |= node.is(&table::SHDSUBMESH_VERTEX_INFLUENCES)
            && node.values::<u8>().iter().any(|bone| going.contains(&usize::from(*bone)));
    });
    found
}
