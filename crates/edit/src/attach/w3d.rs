//! W3D: pivots, objects on them, and channels relative to the rest pose.

use std::collections::BTreeMap;

use record::zerocopy::IntoBytes;
use record::{F32, Node, U16, U32};
use w3d::codec::{Values, decode};
use w3d::names::{ChannelType, ChannelType8};
use w3d::records::*;
use w3d::{Animation, Hierarchy, table};

use super::{Attachment, Motion, refuse_cycle};
use crate::Error;
use crate::clip::w3d::{edit_channels, motion, needed, time_coded};
use crate::references::increase;
use crate::references::w3d as references;
use crate::report::Report;
use crate::select::{Part, PartKind, Selector, node_at, object_name, require_one, short_name};
use crate::skeletons::rest;
use crate::space::Placement;

/// Most values of one channel that are computed: more than any real clip has.
const MAX_FRAMES: u32 = 65_536;

pub(super) fn attach(root: &mut Node<'_>, attachment: &Attachment) -> Result<Report, Error> {
    let part = require_one(root, &attachment.part)?;
    let (hierarchy, bone) = match part.kind {
        PartKind::Bone => (part.trail[0], part.element.unwrap_or_default()),
        PartKind::Mesh | PartKind::Collision | PartKind::Emitter => {
            return attach_object(root, attachment, &part);
        }
        kind => return Err(Error::new(format!("a {} of W3D has no parent", kind.word()))),
    };
    let target = target(root, hierarchy, attachment.to.as_ref())?;
    attach_pivot(root, hierarchy, bone, target, attachment.motion)
}

/// The pivot that a selector chooses.
fn target(root: &Node<'_>, hierarchy: usize, to: Option<&Selector>) -> Result<usize, Error> {
    let Some(selector) = to else { return Ok(0) };
    let part = require_one(root, selector)?;
    if part.kind == PartKind::Bone {
        if part.trail[0] != hierarchy {
            return Err(Error::new(format!("{} belongs to another skeleton", part.title())));
        }
        return Ok(part.element.unwrap_or_default());
    }
    let name = node_at(root, &part.trail).and_then(object_name);
    let place = name.and_then(|name| Some(place_of(root, &name)?.2));
    place.ok_or_else(|| {
        Error::new(format!("{} is not a bone", part.title())).with_note("choose a bone or an object on one")
    })
}

/// The skeleton's chunk, the skeleton's name and the bone of an object.
fn place_of(root: &Node<'_>, object: &str) -> Option<(Option<usize>, String, usize)> {
    for model in root.children().iter().filter(|chunk| chunk.is(&table::HLOD)) {
        let mut found = None;
        model.walk(&mut |place| {
            if let Some(entry) = place.node.value::<HlodSubObject>()
                && entry.name.is(object)
            {
                found = found.or(usize::try_from(entry.bone_index.get()).ok());
            }
        });
        if let Some(bone) = found {
            let skeleton = references::skeleton_of(model).unwrap_or_default();
            let is_own = |chunk: &Node<'_>| {
                Hierarchy::new(chunk).is_some_and(|own| own.name().eq_ignore_ascii_case(&skeleton))
            };
            return Some((root.children().iter().position(is_own), skeleton, bone));
        }
    }
    None
}

fn attach_object(root: &mut Node<'_>, attachment: &Attachment, part: &Part) -> Result<Report, Error> {
    let object = node_at(root, &part.trail).ok_or_else(|| Error::new("the part does not exist"))?;
    let name = object_name(object).unwrap_or_default();
    if object.get(table::MESH_HEADER3).is_some_and(MeshHeader3::is_skin) {
        return Err(Error::new(format!("{} is a skin: its vertices are on several bones", part.title())));
    }
    let (hierarchy, skeleton, bone) = place_of(root, &name)
        .ok_or_else(|| Error::new(format!("no HLOD of the file has {} on a bone", part.title())))?;
    let hierarchy = hierarchy.ok_or_else(|| {
        Error::new(format!("the skeleton {:?} is in another file", record::printable(&skeleton)))
    })?;
    let target = target(root, hierarchy, attachment.to.as_ref())?;
    let pivots = pivots(root, hierarchy);
    let own = pivots.get(bone).ok_or_else(|| Error::new("the bone of the part does not exist"))?;
    let is_free = bone > 0 && own.name.is(short_name(&name)) && !is_shared(root, &skeleton, bone);
    if is_free {
        return attach_pivot(root, hierarchy, bone, target, attachment.motion);
    }
    if bone == target {
        return Ok(Report::default());
    }
    // Its bone has something else on it, so it gets its own one at the end, where no other number changes.
    if pivots.iter().any(|pivot| pivot.name.is(short_name(&name))) {
        return Err(Error::new(format!(
            "there is already a bone {:?}",
            record::printable(short_name(&name))
        ))
        .with_note("attach that bone, or rename it"));
    }
    let worlds = rest(&pivots);
    let world = |at: usize| worlds.get(at).copied().unwrap_or(Placement::IDENTITY);
    let mut pivot =
        Pivot { parent_idx: U32::new(u32::try_from(target).unwrap_or_default()), ..Default::default() };
    pivot.name.set(short_name(&name)).map_err(|error| Error::new(error.to_string()))?;
    world(target).inverse().then(world(bone)).write(&mut pivot);
    let new = pivots.len();
    let mut all = pivots.clone();
    all.push(pivot);
    let mut report = Report::of(1);
    if attachment.motion == Motion::Kept {
        let moved = Moved { before: &pivots, from: bone, after: &all, to: new };
        convert_clips(root, &skeleton, &moved)?;
    }
    note_other_clips(root, &skeleton, attachment.motion, &mut report);
    set_pivots(root, hierarchy, &all, None);
    crate::references::each(root, &mut |node| {
        if let Some(entry) = node.value_mut::<HlodSubObject>()
            && entry.name.is(&name)
        {
            entry.bone_index = U32::new(u32::try_from(new).unwrap_or_default());
        }
    });
    report.note(format!(
        "the bone {:?} was added at the end of the skeleton",
        record::printable(short_name(&name))
    ));
    Ok(report)
}

fn pivots(root: &Node<'_>, hierarchy: usize) -> Vec<Pivot> {
    root.children()
        .get(hierarchy)
        .and_then(Hierarchy::new)
        .map(|hierarchy| hierarchy.pivots().to_vec())
        .unwrap_or_default()
}

/// Whether more than one object or vertices of a skin are on a bone.
fn is_shared(root: &Node<'_>, skeleton: &str, bone: usize) -> bool {
    let mut objects = 0;
    let skins = references::objects_of_skeleton(root, skeleton);
    let is_bone = |index: u16| usize::from(index) == bone;
    for chunk in root.children() {
        let is_skin = object_name(chunk).is_some_and(|name| skins.contains(&name.to_ascii_lowercase()));
        chunk.walk(&mut |place| {
            let node = place.node;
            if node.value::<HlodSubObject>().is_some_and(|entry| entry.bone_index.get() as usize == bone) {
                objects += 1;
            }
            let first = node.values::<VertexInfluence>().iter();
            let extended = node.values::<VertexInfluenceExtended>().iter();
            let on_bone = first.flat_map(|own| own.bone_idx).chain(extended.flat_map(|own| own.bone_idx));
            if is_skin && on_bone.into_iter().any(|index| is_bone(index.get())) {
                objects += 2;
            }
        });
    }
    objects > 1
}

fn parent_of(pivots: &[Pivot], index: usize) -> Option<usize> {
    let parent = pivots.get(index)?.parent()?;
    usize::try_from(parent).ok().filter(|parent| *parent < index)
}

fn attach_pivot(
    root: &mut Node<'_>,
    hierarchy: usize,
    bone: usize,
    target: usize,
    motion: Motion,
) -> Result<Report, Error> {
    let old = pivots(root, hierarchy);
    let title = |index: usize| {
        let name = old.get(index).map(|pivot| pivot.name.to_string()).unwrap_or_default();
        format!("bone {:?}", record::printable(&name))
    };
    if bone == 0 {
        return Err(Error::new("the root bone has no parent"));
    }
    let below = |mut index: usize| {
        while index != bone {
            match parent_of(&old, index) {
                Some(parent) => index = parent,
                None => return false,
            }
        }
        true
    };
    if below(target) {
        return Err(refuse_cycle(&title(bone), &title(target)));
    }
    if parent_of(&old, bone) == Some(target) && motion != Motion::Rigid {
        return Ok(Report::default());
    }
    let worlds = rest(&old);
    let mut after = old.clone();
    let Some(pivot) = after.get_mut(bone) else { return Ok(Report::default()) };
    if parent_of(&old, bone) != Some(target) {
        let world = |at: usize| worlds.get(at).copied().unwrap_or(Placement::IDENTITY);
        world(target).inverse().then(world(bone)).write(pivot);
        pivot.parent_idx = U32::new(u32::try_from(target).unwrap_or_default());
    }
    let skeleton = root.children().get(hierarchy).and_then(Node::label).unwrap_or_default();
    let mut report = Report::of(1);
    // The new place of each pivot: engines need parents first.
    let order: Vec<usize> = if target > bone {
        let (moved, stays): (Vec<usize>, Vec<usize>) = (0..old.len()).partition(|index| below(*index));
        let (before, behind): (Vec<usize>, Vec<usize>) =
            stays.into_iter().partition(|index| *index <= target);
        [before, moved, behind].concat()
    } else {
        (0..old.len()).collect()
    };
    let mut numbers = vec![0; old.len()];
    for (new, before) in order.iter().enumerate() {
        numbers[*before] = u32::try_from(new).unwrap_or_default();
    }
    let number = |index: u32| {
        usize::try_from(index).ok().and_then(|index| numbers.get(index)).copied().or(Some(index))
    };
    // Converted while the numbers are still the old ones, which the new parent may precede.
    match motion {
        Motion::Own => {}
        Motion::Rigid => {
            let removed = remove_channels(root, &skeleton, bone);
            if removed == 0 && parent_of(&old, bone) == Some(target) {
                return Ok(Report::default());
            }
        }
        Motion::Kept => {
            let moved = Moved { before: &old, from: bone, after: &after, to: bone };
            convert_clips(root, &skeleton, &moved)?;
        }
    }
    note_other_clips(root, &skeleton, motion, &mut report);
    if target > bone {
        references::pivots(root, &skeleton, &number);
        for pivot in &mut after {
            if let Some(parent) = pivot.parent() {
                pivot.parent_idx = U32::new(number(parent).unwrap_or(parent));
            }
        }
        after = order.iter().map(|index| after[*index]).collect();
        report.note(format!(
            "bones of {:?} have new numbers, because parents come first: animations and skins for it in other files no longer fit",
            record::printable(&skeleton)
        ));
    }
    set_pivots(root, hierarchy, &after, (target > bone).then_some(&order));
    Ok(report)
}

/// Clips in other files still have the old motion.
fn note_other_clips(root: &Node<'_>, skeleton: &str, motion: Motion, report: &mut Report) {
    if motion != Motion::Own && !root.children().iter().any(|chunk| is_clip_of(chunk, skeleton)) {
        report.note("clips in other files were not changed");
    }
}

fn set_pivots(root: &mut Node<'_>, hierarchy: usize, pivots: &[Pivot], order: Option<&Vec<usize>>) {
    let Some(hierarchy) = root.children_mut().and_then(|chunks| chunks.get_mut(hierarchy)) else { return };
    let mut added = 0;
    if let Some(list) = hierarchy.child_mut(&table::PIVOTS) {
        added = pivots.len() - list.values::<Pivot>().len().min(pivots.len());
        list.set_values(pivots);
    }
    if let Some(list) = hierarchy.child_mut(&table::PIVOT_FIXUPS) {
        let mut fixups = list.values::<PivotFixup>().to_vec();
        if let Some(order) = order {
            fixups = order.iter().filter_map(|index| fixups.get(*index)).copied().collect();
        }
        for _ in 0..added {
            let mut fixup = PivotFixup::default();
            (0..3).for_each(|axis| fixup.tm[axis][axis].set(1.0));
            fixups.push(fixup);
        }
        list.set_values(&fixups);
    }
    if let Some(header) = hierarchy.get_mut(table::HIERARCHY_HEADER) {
        increase(&mut header.num_pivots, added);
    }
}

fn is_clip_of(chunk: &Node<'_>, skeleton: &str) -> bool {
    Animation::new(chunk).is_some_and(|clip| clip.hierarchy_name().eq_ignore_ascii_case(skeleton))
}

fn is_motion(kind: ChannelType) -> bool {
    // Translations and rotations, not visibility.
    matches!(kind.get(), 0..=6)
}

fn remove_channels(root: &mut Node<'_>, skeleton: &str, bone: usize) -> usize {
    let mut removed = 0;
    for clip in root.children_mut().into_iter().flatten().filter(|chunk| is_clip_of(chunk, skeleton)) {
        if let Some(channels) = clip.children_mut() {
            let before = channels.len();
            channels.retain(|channel| {
                decode(channel)
                    .is_none_or(|channel| usize::from(channel.pivot) != bone || !is_motion(channel.target))
            });
            removed += before - channels.len();
        }
    }
    removed
}

/// A pivot in a skeleton before and after it was attached.
struct Moved<'m> {
    before: &'m [Pivot],
    from: usize,
    after: &'m [Pivot],
    to: usize,
}

/// Gives a pivot channels with which it moves in the model as before.
fn convert_clips(root: &mut Node<'_>, skeleton: &str, moved: &Moved<'_>) -> Result<(), Error> {
    for clip in root.children_mut().into_iter().flatten().filter(|chunk| is_clip_of(chunk, skeleton)) {
        let frames = Animation::new(clip).map_or(0, |clip| clip.num_frames());
        if frames > MAX_FRAMES {
            return Err(Error::new(format!(
                "a clip has {frames} frames; at most {MAX_FRAMES} are converted"
            )));
        }
        let channels = Channels::of(clip);
        // What does not move in the clip, and above it neither before nor after, needs no channels.
        if !channels.moves(moved.before, moved.from) && !channels.moves(moved.after, moved.to) {
            continue;
        }
        let mut values: [Vec<f32>; 4] = Default::default();
        for frame in 0..frames {
            let world = channels.world(moved.before, moved.from, frame);
            let parent = parent_of(moved.after, moved.to).or_else(|| {
                moved.after.get(moved.to)?.parent().and_then(|parent| usize::try_from(parent).ok())
            });
            let parent =
                parent.map_or(Placement::IDENTITY, |parent| channels.world(moved.before, parent, frame));
            let base = moved.after.get(moved.to).map_or(Placement::IDENTITY, Placement::of_pivot);
            let own = parent.then(base).inverse().then(world);
            for (list, part) in values.iter_mut().zip(own.translation) {
                list.push(part as f32);
            }
            values[3].extend(own.rotation.map(|part| part as f32));
        }
        same_signs(&mut values[3]);
        write_channels(clip, moved.to, &values)?;
    }
    Ok(())
}

/// A rotation and its negative are the same, but what lies between two of different signs is a detour.
fn same_signs(values: &mut [f32]) {
    let rotations = values.as_chunks_mut::<4>().0;
    for index in 1..rotations.len() {
        let before = rotations[index - 1];
        let dot: f32 = before.iter().zip(rotations[index]).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            rotations[index] = rotations[index].map(|part| -part);
        }
    }
}

/// The channels of a clip, by pivot.
struct Channels(BTreeMap<usize, Vec<(ChannelType, Values)>>);

impl Channels {
    fn of(clip: &Node<'_>) -> Self {
        let mut all: BTreeMap<usize, Vec<(ChannelType, Values)>> = BTreeMap::new();
        for channel in clip.children().iter().filter_map(decode).filter(|channel| is_motion(channel.target)) {
            all.entry(channel.pivot.into()).or_default().push((channel.target, channel.values));
        }
        Self(all)
    }

    /// Whether a pivot or one above it moves.
    fn moves(&self, pivots: &[Pivot], mut index: usize) -> bool {
        // A chain that is longer than the list is a cycle.
        for _ in 0..=pivots.len() {
            if self.0.contains_key(&index) {
                return true;
            }
            let parent = pivots.get(index).and_then(Pivot::parent);
            match parent.and_then(|parent| usize::try_from(parent).ok()) {
                Some(parent) => index = parent,
                None => return false,
            }
        }
        false
    }

    /// Where a pivot is at a frame.
    fn world(&self, pivots: &[Pivot], index: usize, frame: u32) -> Placement {
        let (mut world, mut at) = (Placement::IDENTITY, Some(index));
        for _ in 0..=pivots.len() {
            let Some(pivot) = at.and_then(|at| pivots.get(at)) else { break };
            let parent = pivot.parent().and_then(|parent| usize::try_from(parent).ok());
            // The root itself is replaced by the transform of the object.
            if parent.is_some() {
                let own = self.delta(at.unwrap_or_default(), frame);
                world = Placement::of_pivot(pivot).then(own).then(world);
            }
            at = parent;
        }
        world
    }

    /// What the channels add to the rest pose of a pivot.
    fn delta(&self, index: usize, frame: u32) -> Placement {
        let mut delta = Placement::IDENTITY;
        let mut sample = Vec::new();
        for (kind, values) in self.0.get(&index).into_iter().flatten() {
            sample.clear();
            values.sample(frame as f32, &mut sample);
            match (kind.get(), &sample[..]) {
                (axis @ 0..=2, [value, ..]) => delta.translation[usize::from(axis)] = f64::from(*value),
                (6, &[x, y, z, w, ..]) => delta.rotation = crate::space::unit([x, y, z, w].map(f64::from)),
                _ => {}
            }
        }
        delta
    }
}

/// Replaces the motion of a pivot in a clip.
fn write_channels(clip: &mut Node<'_>, pivot: usize, values: &[Vec<f32>; 4]) -> Result<(), Error> {
    let failed = || Error::new("the channels of a clip cannot be written");
    if clip.child(&table::ADAPTIVE_DELTA_CHANNEL).is_some() {
        edit_channels(clip, &|_, values| values)?;
    }
    let number = U16::new(u16::try_from(pivot).map_err(|_| failed())?);
    let is_raw = clip.is(&table::ANIMATION);
    let has_motion = clip.child(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL).is_some();
    let mut new = Vec::new();
    for (kind, values) in [0_u8, 1, 2, 6].into_iter().zip(values) {
        let components: u8 = if kind == 6 { 4 } else { 1 };
        let identity: &[f32] = if kind == 6 { &[0.0, 0.0, 0.0, 1.0] } else { &[0.0] };
        let frames = values.chunks_exact(usize::from(components));
        let is_still =
            frames.clone().all(|value| value.iter().zip(identity).all(|(a, b)| (a - b).abs() < 1e-6));
        if is_still {
            continue;
        }
        let channel = if is_raw {
            let last = u16::try_from(frames.len().saturating_sub(1)).map_err(|_| failed())?;
            let header = AnimationChannel {
                first_frame: U16::new(0),
                last_frame: U16::new(last),
                vector_len: U16::new(components.into()),
                flags: ChannelType::new(kind.into()),
                pivot: number,
                pad: U16::new(0),
            };
            let body = values.iter().flat_map(|value| F32::new(*value).as_bytes().to_vec());
            let chunk = table::ANIMATION_CHANNEL;
            Some(Node::leaf(
                chunk.kind,
                chunk.kind.id,
                header.as_bytes().iter().copied().chain(body).collect::<Vec<u8>>(),
            ))
        } else {
            let (keys, values) = needed(values, components.into()).ok_or_else(failed)?;
            let flags = ChannelType8::new(kind);
            if has_motion {
                let header =
                    MotionChannel { vector_len: components, flags, pivot: number, ..Default::default() };
                motion(&header, &keys, &values)
            } else {
                time_coded(number, flags, components.into(), &keys, &values)
            }
        };
        new.push(channel.ok_or_else(failed)?);
    }
    if let Some(children) = clip.children_mut() {
        let is_own = |child: &Node<'_>| {
            decode(child)
                .is_some_and(|channel| usize::from(channel.pivot) == pivot && is_motion(channel.target))
        };
        let place = children.iter().position(is_own);
        children.retain(|child| !is_own(child));
        let end = children
            .iter()
            .rposition(|child| decode(child).is_some())
            .map_or(children.len(), |last| last + 1);
        let place = place.unwrap_or(end).min(children.len());
        children.splice(place..place, new);
    }
    Ok(())
}
