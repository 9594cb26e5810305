//! Removing parts of MDX models.

use std::collections::{BTreeMap, BTreeSet};

use mdx::records::*;
use mdx::view::{NodeKind, Object};
use mdx::{kinds, tags};
use record::{Node, U32};

use super::{Children, of_kind};
use crate::Error;
use crate::keys::mdx as keys;
use crate::references::mdx as references;
use crate::references::mdx::Link;
use crate::references::{gone, renumbering, retain};
use crate::report::{Report, counted};
use crate::select::{Part, PartKind, node_at};
use crate::strip::mdx::{used, used_materials, used_textures};

pub(super) fn remove(root: &mut Node<'_>, chosen: &[Part], children: Children) -> Result<Report, Error> {
    let mut report = Report::of(chosen.len());
    // Trails lead to nodes of the unchanged document, so everything is resolved first.
    let mut nodes: BTreeSet<i32> = BTreeSet::new();
    for part in chosen {
        let object = node_at(root, &part.trail).and_then(Object::new);
        nodes.extend(object.filter(|_| part.element.is_none()).map(|object| object.id()));
    }
    let clips: Vec<usize> = of_kind(chosen, PartKind::Clip).map(|part| part.index).collect();
    let mut geosets: Vec<usize> = of_kind(chosen, PartKind::Mesh).map(|part| part.index).collect();
    geosets.extend(of_kind(chosen, PartKind::Lod).flat_map(|part| of_level(root, part.element)));
    let cameras: Vec<usize> = of_kind(chosen, PartKind::Camera).map(|part| part.index).collect();

    remove_clips(root, &clips, &mut nodes, &mut report);
    remove_geosets(root, &geosets)?;
    remove_cameras(root, &cameras)?;
    remove_nodes(root, &nodes, children, &mut report)?;
    remove_unused_list(root, chosen, PartKind::Material)?;
    remove_unused_list(root, chosen, PartKind::Texture)?;
    Ok(report)
}

/// Removes texture animations and global sequences that nothing refers to.
pub(super) fn unused(root: &mut Node<'_>) -> usize {
    let count = root.child(&kinds::TXAN).map_or(0, |list| list.all(&kinds::TEXTURE_ANIMATION).count());
    let stays = used(root, count, references::texture_animations);
    let removed = references::retain_texture_animations(root, &stays);
    let count = root.get(kinds::GLBS).len();
    let stays = used(root, count, references::global_sequences);
    removed + references::retain_global_sequences(root, &stays)
}

/// The geosets of a level of detail.
fn of_level(root: &Node<'_>, level: Option<usize>) -> Vec<usize> {
    let list = root.child(&kinds::GEOS).into_iter().flat_map(|list| list.all(&kinds::GEOSET));
    let is_level = |geoset: &Node<'_>| {
        let own = geoset.get(kinds::GEOSET_LEVEL_OF_DETAIL).map(|level| level.level.get());
        own.and_then(|own| usize::try_from(own).ok()).is_some_and(|own| Some(own) == level)
    };
    list.enumerate().filter(|(_, geoset)| is_level(geoset)).map(|(index, _)| index).collect()
}

/// Which of a number of parts stay.
fn stays(count: usize, removed: &[usize]) -> Vec<bool> {
    let mut stays = vec![true; count];
    for index in removed {
        if let Some(stays) = stays.get_mut(*index) {
            *stays = false;
        }
    }
    stays
}

fn remove_geosets(root: &mut Node<'_>, removed: &[usize]) -> Result<(), Error> {
    if removed.is_empty() {
        return Ok(());
    }
    let count = root.child(&kinds::GEOS).map_or(0, |list| list.all(&kinds::GEOSET).count());
    let numbers = renumbering(&stays(count, removed));
    if let Some(list) = root.child_mut(&kinds::GEOS) {
        retain(list, &kinds::GEOSET, &numbers);
        references::lessen_wow_count(list, gone(&numbers));
    }
    references::remove_empty(root, &[&kinds::GEOS]);
    references::geosets(root, &numbers);
    Ok(())
}

/// Cameras have their rest matrices after those of the nodes.
fn remove_cameras(root: &mut Node<'_>, removed: &[usize]) -> Result<(), Error> {
    let Some(list) = root.child(&kinds::CAMS).filter(|_| !removed.is_empty()) else { return Ok(()) };
    let count = list.all(&kinds::CAMERA).count();
    let stays = stays(count, removed);
    let numbers = renumbering(&stays);
    if let Some(list) = root.child_mut(&kinds::CAMS) {
        retain(list, &kinds::CAMERA, &numbers);
        references::lessen_wow_count(list, gone(&numbers));
    }
    references::remove_empty(root, &[&kinds::CAMS]);
    let Some(poses) = root.child_mut(&kinds::BPOS) else { return Ok(()) };
    let all = poses.values::<BindPose>().to_vec();
    let first = all.len().saturating_sub(count);
    let is_kept = |index: usize| index < first || stays.get(index - first).copied().unwrap_or(true);
    let kept: Vec<BindPose> =
        all.iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, pose)| *pose).collect();
    poses.set_values(&kept);
    if let Some(count) = poses.value_mut::<U32>() {
        crate::references::lessen(count, all.len() - kept.len());
    }
    Ok(())
}

pub(crate) fn remove_nodes(
    root: &mut Node<'_>,
    chosen: &BTreeSet<i32>,
    children: Children,
    report: &mut Report,
) -> Result<(), Error> {
    if chosen.is_empty() {
        return Ok(());
    }
    let links = references::links(root)?;
    let mut going = chosen.clone();
    match children {
        Children::Remove => going.extend(below(chosen, &links)),
        Children::MoveUp => {
            let is_child = |link: &&Link| chosen.contains(&link.parent) && !chosen.contains(&link.id);
            for link in links.values().filter(is_child) {
                let Some(parent) = links.get(&link.parent).filter(|parent| parent.moves) else { continue };
                report.note(format!(
                    "{:?} no longer moves with {:?}, which was removed",
                    record::printable(&link.name),
                    record::printable(&parent.name)
                ));
            }
        }
    }
    report.changed += going.len() - chosen.len();
    let bones = heirs(&going, &links, |link| link.kind == NodeKind::Bone);
    hand_over_vertices(root, &bones, &links)?;
    lose_targets(root, &going, &links, report);
    references::take_out(root, &heirs(&going, &links, |_| true), &bones);
    Ok(())
}

/// The nodes below some.
fn below(chosen: &BTreeSet<i32>, links: &BTreeMap<i32, Link>) -> BTreeSet<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for link in links.values() {
        children.entry(link.parent).or_default().push(link.id);
    }
    let mut open: Vec<i32> = chosen.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        for child in children.get(&id).into_iter().flatten() {
            if found.insert(*child) {
                open.push(*child);
            }
        }
    }
    found
}

/// For each removed node the nearest node above that stays and is wanted, or -1.
fn heirs(
    going: &BTreeSet<i32>,
    links: &BTreeMap<i32, Link>,
    wanted: impl Fn(&Link) -> bool,
) -> BTreeMap<i32, i32> {
    let mut known: BTreeMap<i32, i32> = BTreeMap::new();
    for id in going {
        // What is above a node counts for all nodes on the way; a cycle has no heir.
        let (mut way, mut at) = (vec![*id], *id);
        let heir = loop {
            at = links.get(&at).map_or(-1, |link| link.parent);
            match links.get(&at) {
                None => break -1,
                Some(_) if known.contains_key(&at) => break known[&at],
                Some(link) if !going.contains(&at) && wanted(link) => break at,
                Some(_) if way.len() > links.len() => break -1,
                Some(_) => way.push(at),
            }
        };
        known.extend(way.into_iter().map(|id| (id, heir)));
    }
    known.retain(|id, _| going.contains(id));
    known
}

/// Gives the vertices of removed nodes to the nearest bones above them.
fn hand_over_vertices(
    root: &mut Node<'_>,
    bones: &BTreeMap<i32, i32>,
    links: &BTreeMap<i32, Link>,
) -> Result<(), Error> {
    let mut moving: BTreeSet<i32> = BTreeSet::new();
    crate::references::each(root, &mut |node| {
        if !node.is(&kinds::MATS) || !node.values::<U32>().iter().any(|id| heir_of(bones, id).is_some()) {
            return;
        }
        for matrix in node.values_mut::<U32>() {
            if let Some(new) = heir_of(bones, matrix) {
                moving.extend(i32::try_from(matrix.get()));
                matrix.set(u32::try_from(new).unwrap_or(matrix.get()));
            }
        }
    });
    moving.extend(bones_with_vertices(root));
    match moving.iter().find(|id| bones.get(id) == Some(&-1)) {
        None => Ok(()),
        Some(id) => {
            let name = links.get(id).map(|link| link.name.clone()).unwrap_or_default();
            let name = record::printable(&name);
            Err(Error::new(format!("{name:?} moves vertices, and no bone above it can take them over"))
                .with_note("remove the geosets that it moves first"))
        }
    }
}

/// The bone that takes over the vertices of a removed node.
fn heir_of(bones: &BTreeMap<i32, i32>, matrix: &U32) -> Option<i32> {
    bones.get(&i32::try_from(matrix.get()).ok()?).copied()
}

/// The bones that vertices refer to by their order.
fn bones_with_vertices(root: &Node<'_>) -> Vec<i32> {
    let objects = root.children().iter().flat_map(Node::children).filter_map(Object::new);
    let order: Vec<i32> =
        objects.filter(|object| object.kind == NodeKind::Bone).map(|object| object.id()).collect();
    let mut found = vec![false; order.len()];
    let mut mark = |bone: usize, weight: u32| {
        if let Some(found) = found.get_mut(bone).filter(|_| weight > 0) {
            *found = true;
        }
    };
    root.walk(&mut |place| {
        let node = place.node;
        if node.is(&kinds::SKIN) {
            for [a, b, c, d, weights @ ..] in node.values::<u8>().as_chunks::<8>().0 {
                [a, b, c, d]
                    .iter()
                    .zip(weights)
                    .for_each(|(bone, weight)| mark((**bone).into(), (*weight).into()));
            }
        } else if node.is(&kinds::WIDE_SKIN) {
            for [a, b, c, d, weights @ ..] in node.values::<record::U16>().as_chunks::<8>().0 {
                let bones = [a, b, c, d].into_iter().zip(weights);
                bones.for_each(|(bone, weight)| mark(bone.get().into(), weight.get().into()));
            }
        }
        for vertex in node.values::<WowVertex>() {
            let bones = vertex.bones.iter().zip(vertex.weights);
            bones.for_each(|(bone, weight)| mark((*bone).into(), weight.into()));
        }
    });
    order.into_iter().zip(found).filter(|(_, found)| *found).map(|(id, _)| id).collect()
}

/// Reports facial animations whose node is removed.
fn lose_targets(root: &Node<'_>, going: &BTreeSet<i32>, links: &BTreeMap<i32, Link>, report: &mut Report) {
    for face in root.get(kinds::FAFX) {
        let target = face.target.to_string();
        let is_gone = |id: &i32| links.get(id).is_some_and(|link| link.name.eq_ignore_ascii_case(&target));
        if going.iter().any(is_gone) {
            let target = record::printable(&target);
            report.note(format!("a facial animation is for the removed node {target:?}"));
        }
    }
}

/// Removes sequences with their keys. Event objects without any time left are added to the nodes to remove.
fn remove_clips(root: &mut Node<'_>, removed: &[usize], nodes: &mut BTreeSet<i32>, report: &mut Report) {
    if removed.is_empty() {
        return;
    }
    let intervals = intervals(root);
    let stays = stays(intervals.len(), removed);
    drop_sequences(root, removed, report);
    let of = |wanted: bool| {
        let all = intervals.iter().zip(&stays);
        all.filter(move |(_, stays)| **stays == wanted).map(|(interval, _)| *interval)
    };
    let (going, staying) = (Stretches::of(of(false)), Stretches::of(of(true)));
    let goes = |time: i32| going.contains(time) && !staying.contains(time);
    remove_keys(root, &goes, nodes, report);
}

/// Stretches of the time line.
struct Stretches(Vec<[i32; 2]>);

impl Stretches {
    /// The union of intervals.
    fn of(intervals: impl Iterator<Item = [i32; 2]>) -> Self {
        let mut all: Vec<[i32; 2]> = intervals.filter(|[start, end]| start <= end).collect();
        all.sort_unstable();
        let mut joined: Vec<[i32; 2]> = Vec::with_capacity(all.len());
        for [start, end] in all {
            match joined.last_mut() {
                Some(last) if start <= last[1] => last[1] = last[1].max(end),
                _ => joined.push([start, end]),
            }
        }
        Self(joined)
    }

    fn contains(&self, time: i32) -> bool {
        let after = self.0.partition_point(|[start, _]| *start <= time);
        after.checked_sub(1).is_some_and(|at| time <= self.0[at][1])
    }
}

/// Removes sequences from all lists of them, and leaves their keys.
pub(crate) fn drop_sequences(root: &mut Node<'_>, removed: &[usize], report: &mut Report) {
    let names = names(root);
    let stays = stays(names.len(), removed);
    for chunk in root.children_mut().into_iter().flatten() {
        if chunk.is(&kinds::SEQS) {
            let kept = kept(chunk.values::<Sequence>(), &stays);
            chunk.set_values(&kept);
        } else if chunk.is(&kinds::WOW_SEQS) {
            let kept = kept(chunk.values::<WowSequence>(), &stays);
            chunk.set_values(&kept);
            if let Some(count) = chunk.value_mut::<U32>() {
                crate::references::lessen(count, removed.len());
            }
        }
    }
    if let Some(chunks) = root.children_mut() {
        chunks.retain(|chunk| !chunk.is(&kinds::SEQS) || !chunk.bytes().is_empty());
    }
    remove_extents(root, &stays, report);
    let gone: Vec<&String> =
        names.iter().zip(&stays).filter(|(_, stays)| !**stays).map(|(name, _)| name).collect();
    let is_gone = |name: &str| gone.iter().any(|gone| gone.eq_ignore_ascii_case(name));
    crate::references::each(root, &mut |node| {
        if let Some(header) = node.value_mut::<PopcornEmitterHeader>() {
            let guide = header.animation_visibility_guide.to_string();
            let items: Vec<&str> = guide.split(',').collect();
            let kept: Vec<&str> = items
                .iter()
                .copied()
                .filter(|item| !is_gone(item.split('=').next().unwrap_or_default().trim()))
                .collect();
            // A shorter text always fits.
            if kept.len() < items.len() {
                let _ = header.animation_visibility_guide.set(kept.join(",").trim_start());
            }
        }
    });
}

fn kept<T: Copy>(all: &[T], stays: &[bool]) -> Vec<T> {
    all.iter().zip(stays).filter(|(_, stays)| **stays).map(|(element, _)| *element).collect()
}

/// First and last millisecond of each sequence.
pub(crate) fn intervals(root: &Node<'_>) -> Vec<[i32; 2]> {
    let warcraft = root.get(kinds::SEQS).iter().map(|sequence| [sequence.start.get(), sequence.end.get()]);
    let wow = root.get(kinds::WOW_SEQS).iter().map(|sequence| [sequence.start.get(), sequence.end.get()]);
    warcraft.chain(wow).collect()
}

/// The names of the sequences.
pub(crate) fn names(root: &Node<'_>) -> Vec<String> {
    let warcraft = root.get(kinds::SEQS).iter().map(|sequence| sequence.name.to_string());
    let wow = root.get(kinds::WOW_SEQS).iter().map(|sequence| sequence.name.to_string());
    warcraft.chain(wow).collect()
}

/// Geosets have one extent for each sequence; lists of another length were wrong before and stay.
fn remove_extents(root: &mut Node<'_>, stays: &[bool], report: &mut Report) {
    let mut odd = 0;
    crate::references::each(root, &mut |node| {
        if !node.is(&kinds::EXTENTS) {
            return;
        }
        let all = node.values::<Extent>();
        if all.len() == stays.len() {
            let kept = kept(all, stays);
            node.set_values(&kept);
        } else if !all.is_empty() {
            odd += 1;
        }
    });
    if odd > 0 {
        let message = format!(
            "{} did not have one extent for each sequence and kept the ones it has",
            counted(odd, "geoset")
        );
        report.note(message);
    }
}

/// Removes keys by time. A track without keys is not the same as no track: there it has its default value, and without a track the
/// static one. So the track is removed where both are equal, and keeps a key where they are not.
fn remove_keys(
    root: &mut Node<'_>,
    goes: &dyn Fn(i32) -> bool,
    nodes: &mut BTreeSet<i32>,
    report: &mut Report,
) {
    let mut lost_events = Vec::new();
    crate::references::each(root, &mut |owner| {
        let event = Object::new(owner).filter(|object| object.kind == NodeKind::EventObject);
        let event = event.map(|object| (object.id(), object.name().into_owned()));
        let mut reset = Vec::new();
        let Some(parts) = owner.children_mut() else { return };
        parts.retain_mut(|part| {
            if !keys::is_on_time_line(part) {
                return true;
            }
            let all = keys::keys(part);
            let kept: Vec<keys::RawKey> = all.iter().filter(|key| !goes(key.time)).cloned().collect();
            if kept.len() == all.len() {
                return true;
            }
            if !kept.is_empty() {
                keys::set_keys(part, &kept);
                return true;
            }
            match emptied(part.id) {
                Emptied::Drop => return false,
                Emptied::Event => lost_events.extend(event.clone()),
                Emptied::Reset => {
                    reset.push(part.id);
                    return false;
                }
                Emptied::KeepOne => keys::set_keys(part, &all[..1]),
            }
            true
        });
        for tag in reset {
            set_opaque(owner, tag);
        }
    });
    for (id, name) in lost_events {
        nodes.insert(id);
        report.note(format!("the event {:?} has no time left and was removed", record::printable(&name)));
        report.changed += 1;
    }
}

/// What to do with a track that has no keys left.
pub(crate) enum Emptied {
    /// Its default is the same as no track.
    Drop,
    /// Its default is opaque: the static value becomes that.
    Reset,
    /// The event goes.
    Event,
    /// One key stays, because the default and the static value may differ.
    KeepOne,
}

/// What to do with a track of this tag that has no keys left.
pub(crate) fn emptied(tag: u32) -> Emptied {
    match tag {
        tags::KEVT => Emptied::Event,
        tags::KGTR | tags::KGRT | tags::KGSC | tags::KTAT | tags::KTAR | tags::KTAS => Emptied::Drop,
        tags::KGAO | tags::KMTA => Emptied::Reset,
        tag if mdx::track_row(tag).is_some_and(|row| row.keyword == "Visibility") => Emptied::Drop,
        _ => Emptied::KeepOne,
    }
}

/// Makes the static alpha of a layer or geoset animation opaque, as it is where its track has no keys.
pub(crate) fn set_opaque(owner: &mut Node<'_>, tag: u32) {
    for part in owner.children_mut().into_iter().flatten() {
        let alpha = if tag == tags::KMTA && part.is(&kinds::LAYER_HEADER) {
            part.value_mut::<LayerHeader>().map(|header| &mut header.alpha)
        } else if part.is(&kinds::GEOSET_ANIMATION_HEADER) {
            part.value_mut::<GeosetAnimationHeader>().map(|header| &mut header.alpha)
        } else if part.is(&kinds::WOW_GEOSET_ANIMATION_HEADER) {
            part.value_mut::<WowGeosetAnimationHeader>().map(|header| &mut header.alpha)
        } else {
            None
        };
        if let Some(alpha) = alpha {
            alpha.set(1.0);
        }
    }
}

/// Removes materials or textures that nothing uses; those in use are refused.
fn remove_unused_list(root: &mut Node<'_>, chosen: &[Part], kind: PartKind) -> Result<(), Error> {
    let removed: Vec<usize> = of_kind(chosen, kind).map(|part| part.index).collect();
    if removed.is_empty() {
        return Ok(());
    }
    let used = if kind == PartKind::Material { used_materials(root) } else { used_textures(root) };
    for part in of_kind(chosen, kind) {
        if used.get(part.index).copied().unwrap_or_default() {
            let by = if kind == PartKind::Material { "geoset or ribbon" } else { "layer or emitter" };
            return Err(Error::new(format!("{} is used by a {by}", part.title()))
                .with_note("remove what uses it first, or change its references"));
        }
    }
    let stays = stays(used.len(), &removed);
    if kind == PartKind::Material {
        references::retain_materials(root, &stays);
    } else {
        references::retain_textures(root, &stays);
    }
    Ok(())
}
