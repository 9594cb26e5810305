//! MDX: nodes have their pivots in the space of the model, so the rest pose does not depend on parents.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3A, Quat, Vec3A};
use mdx::records::*;
use mdx::view::{NodeKind, Object, Track};
use mdx::{kinds, tags};
use record::{Node, Quaternion, U16, U32, Vec3};
use scene::{ClipId, Moment, Sampler};

use super::{Attachment, Motion, refuse_cycle};
use crate::Error;
use crate::keys::mdx::keys;
use crate::references::mdx::{Link, change_ids, links};
use crate::remove::mdx::intervals;
use crate::report::Report;
use crate::select::{Part, PartKind, node_at, require_one};

/// The tracks that move a node.
const MOTION: [u32; 3] = [tags::KGTR, tags::KGRT, tags::KGSC];

/// Milliseconds between samples. A blow turns a hand by a quarter turn within a tenth of a second; keys that are not needed are dropped.
const STEP: i32 = 5;
/// Most samples of one clip.
const MAX_SAMPLES: i32 = 60_000;

pub(super) fn attach(root: &mut Node<'_>, attachment: &Attachment) -> Result<Report, Error> {
    let part = require_one(root, &attachment.part)?;
    let all = links(root)?;
    let target = match &attachment.to {
        None => -1,
        Some(selector) => {
            let to = require_one(root, selector)?;
            let object = node_at(root, &to.trail).and_then(Object::new);
            object
                .map(|object| object.id())
                .ok_or_else(|| Error::new(format!("{} is not a node", to.title())))?
        }
    };
    if part.kind == PartKind::Mesh {
        return bind(root, &part, all.get(&target), attachment.motion);
    }
    let object = node_at(root, &part.trail).and_then(Object::new);
    let Some(id) = object.map(|object| object.id()) else {
        return Err(Error::new(format!("a {} has no parent", part.kind.word())));
    };
    let old = all.get(&id).map_or(-1, |link| link.parent);
    if above(&all, target).contains(&id) {
        let to =
            all.get(&target).map(|link| format!("{:?}", record::printable(&link.name))).unwrap_or_default();
        return Err(refuse_cycle(&part.title(), &to));
    }
    let mut report = Report::default();
    let tracks = match attachment.motion {
        Motion::Kept if old != target => Some(converted(root, &all, id, target, &mut report)?),
        Motion::Rigid => Some(Vec::new()),
        _ => None,
    };
    let Some(node) = part
        .trail
        .iter()
        .try_fold(&mut *root, |node, index| node.children_mut()?.get_mut(*index))
        .and_then(|object| object.child_mut(&kinds::NODE))
    else {
        return Ok(report);
    };
    let before = node.to_bytes().ok();
    if let Some(header) = node.children_mut().and_then(|parts| parts.first_mut()) {
        set_parent(header, target);
    }
    if let Some(tracks) = tracks
        && let Some(children) = node.children_mut()
    {
        let is_motion = |child: &Node<'_>| MOTION.contains(&child.id) && Track::new(child).is_some();
        let place = children.iter().position(is_motion).unwrap_or(children.len());
        children.retain(|child| !is_motion(child));
        children.splice(place..place, tracks);
    }
    report.changed += usize::from(node.to_bytes().ok() != before);
    Ok(report)
}

fn set_parent(header: &mut Node<'_>, parent: i32) {
    change_ids(header, &|own| own, &|_| parent);
    // A node without a parent has -1 there, which the change above leaves.
    if let Some(header) = header.value_mut::<NodeHeader>() {
        header.parent_id.set(parent);
    } else if let Some(header) = header.value_mut::<WowNodeHeader>() {
        header.parent_id.set(parent);
    }
}

/// A node and all nodes above it.
fn above(all: &BTreeMap<i32, Link>, id: i32) -> BTreeSet<i32> {
    let (mut found, mut at) = (BTreeSet::new(), id);
    while let Some(link) = all.get(&at) {
        // A cycle of a damaged file ends at the first node that comes again.
        if !found.insert(at) {
            break;
        }
        at = link.parent;
    }
    found
}

/// Binds all vertices of a geoset to one bone.
fn bind(root: &mut Node<'_>, part: &Part, to: Option<&Link>, motion: Motion) -> Result<Report, Error> {
    let Some(to) = to.filter(|to| to.kind == NodeKind::Bone) else {
        return Err(Error::new("the vertices of a geoset need a bone").with_note("choose a bone"));
    };
    if motion == Motion::Kept {
        return Err(Error::new(
            "vertices have no keys of their own, so the motion of a geoset cannot be kept",
        )
        .with_note("attach its bone instead"));
    }
    let bones = root.children().iter().flat_map(Node::children).filter_map(Object::new);
    let ordinal =
        bones.filter(|object| object.kind == NodeKind::Bone).position(|object| object.id() == to.id);
    let ordinal = ordinal.unwrap_or_default();
    let Some(geoset) =
        part.trail.iter().try_fold(&mut *root, |node, index| node.children_mut()?.get_mut(*index))
    else {
        return Ok(Report::default());
    };
    let before = geoset.to_bytes().ok();
    let narrow = u8::try_from(ordinal);
    if geoset.child(&kinds::SKIN).is_some() && narrow.is_err() {
        return Err(Error::new(format!("{:?} is bone {ordinal}; the vertices count to 255", to.name)));
    }
    for child in geoset.children_mut().into_iter().flatten() {
        if child.is(&kinds::GNDX) {
            child.values_mut::<u8>().fill(0);
        } else if child.is(&kinds::MTGC) {
            child.set_values(&[U32::new(1)]);
        } else if child.is(&kinds::MATS) {
            child.set_values(&[U32::new(to.id.cast_unsigned())]);
        } else if child.is(&kinds::SKIN) {
            let vertex = [narrow.unwrap_or_default(), 0, 0, 0, 255, 0, 0, 0];
            child.values_mut::<u8>().as_chunks_mut::<8>().0.fill(vertex);
        } else if child.is(&kinds::WIDE_SKIN) {
            let bone = U16::new(u16::try_from(ordinal).unwrap_or_default());
            let zero = U16::new(0);
            let vertex = [bone, zero, zero, zero, U16::new(255), zero, zero, zero];
            child.values_mut::<U16>().as_chunks_mut::<8>().0.fill(vertex);
        } else if child.is(&kinds::WOW_BATCH) || child.is(&kinds::WOW_VERTICES) {
            return Err(Error::new("geosets of WoW models cannot be attached"));
        }
    }
    Ok(Report::of(usize::from(geoset.to_bytes().ok() != before)))
}

/// The position, rotation and scaling of a node at one moment, relative to its new parent.
struct Sample {
    time: i32,
    translation: [f32; 3],
    rotation: Quat,
    scaling: [f32; 3],
}

/// Tracks with which a node moves below another parent as it did before.
fn converted(
    root: &Node<'_>,
    all: &BTreeMap<i32, Link>,
    id: i32,
    target: i32,
    report: &mut Report,
) -> Result<Vec<Node<'static>>, Error> {
    let involved: BTreeSet<i32> =
        above(all, id).symmetric_difference(&above(all, target)).copied().chain([id]).collect();
    let mut moments = Moments::default();
    for object in root.children().iter().flat_map(Node::children).filter_map(Object::new) {
        let flags = object.flags().get();
        let ignores = NodeFlags::DONT_INHERIT_TRANSLATION
            | NodeFlags::DONT_INHERIT_SCALING
            | NodeFlags::DONT_INHERIT_ROTATION;
        if involved.contains(&object.id()) && flags & ignores.get() != 0 {
            return Err(Error::new(format!(
                "{:?} ignores parts of the transform of its parent, so its motion cannot be kept",
                record::printable(&object.name())
            )));
        }
        if involved.contains(&object.id()) {
            moments.add(&object)?;
        }
    }
    if !moments.moves {
        return Ok(Vec::new());
    }
    let (scene, ids) = crate::scenes::of_mdx_with_ids(root)?;
    let index = |wanted: i32| ids.iter().position(|id| *id == wanted);
    let Some(own) = index(id) else { return Ok(Vec::new()) };
    let parent = index(target);
    let windows = intervals(root);
    if scene.clips.len() != windows.len() {
        return Err(Error::new("the sequences of the model are damaged, so motion cannot be converted"));
    }
    let sampler = Sampler::new(&scene);
    let rest = sampler.pose(&Moment::default());
    let rest_offset = relative(&rest.worlds, own, parent).translation;
    let mut tracks = Tracks::default();
    let (mut worst, mut vanishes) = (0.0_f32, false);
    let size = scene.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    for (clip, window) in windows.iter().enumerate() {
        let mut samples = Vec::new();
        let mut before = Quat::IDENTITY;
        for time in moments.times(*window)? {
            let seconds = (time - window[0]) as f32 / 1000.0;
            let moment = Moment { clip: Some(ClipId::from(clip)), time: seconds, ..Default::default() };
            let pose = sampler.pose(&moment);
            vanishes |= parent.is_some_and(|parent| is_nothing(&pose.worlds[parent]));
            let local = relative(&pose.worlds, own, parent);
            let (scale, rotation, translation) = local.to_scale_rotation_translation();
            let again = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
            let apart = again.matrix3 - local.matrix3;
            let apart = [apart.x_axis, apart.y_axis, apart.z_axis];
            worst = worst.max(apart.into_iter().map(|axis| axis.length()).fold(0.0, f32::max));
            // What is scaled to nothing has no rotation.
            let rotation = if rotation.is_finite() { rotation } else { before };
            let rotation = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
            before = rotation;
            let [x, y, z] = (Vec3A::from(translation) - rest_offset).to_array();
            let [sx, sy, sz] = scale.to_array();
            // The scene has Y up, models Z.
            samples.push(Sample {
                time,
                translation: [x, -z, y].map(|part| part + 0.0),
                rotation: Quat::from_xyzw(rotation.x, -rotation.z, rotation.y, rotation.w),
                scaling: [sx, sz, sy],
            });
        }
        tracks.add(&samples, size);
    }
    if vanishes {
        report.note("the new parent is scaled to nothing in a clip, and the part with it");
    }
    if worst > 1e-3 {
        report.note("nodes above it are scaled unevenly; the shape in motion is approximated");
    }
    Ok(tracks.nodes(root.child(&kinds::WOW_MODL).is_some()))
}

/// A node in the space of another one. What is scaled to nothing has no space, so that of the model is taken.
fn relative(worlds: &[Affine3A], own: usize, parent: Option<usize>) -> Affine3A {
    let world = worlds.get(own).copied().unwrap_or(Affine3A::IDENTITY);
    let parent = parent.and_then(|parent| worlds.get(parent)).copied().unwrap_or(Affine3A::IDENTITY);
    if is_nothing(&parent) { world } else { parent.inverse() * world }
}

fn is_nothing(world: &Affine3A) -> bool {
    world.matrix3.determinant().abs() < 1e-12
}

/// When something changes that a node depends on.
#[derive(Default)]
struct Moments {
    keys: BTreeSet<i32>,
    moves: bool,
}

impl Moments {
    fn add(&mut self, object: &Object<'_>) -> Result<(), Error> {
        for node in object.node.children().iter().filter(|node| MOTION.contains(&node.id)) {
            let Some(track) = Track::new(node) else { continue };
            self.moves = true;
            if track.global_sequence().is_some() {
                return Err(Error::new(format!(
                    "{:?} moves with a global sequence, which runs apart from the clips, so its motion cannot be kept",
                    record::printable(&object.name())
                )));
            }
            let steps = track.interpolation() == Interpolation::NONE;
            for key in keys(node) {
                self.keys.insert(key.time);
                if steps {
                    self.keys.insert(key.time.saturating_sub(1));
                }
            }
        }
        Ok(())
    }

    /// The moments of a clip: its ends, all keys, and what lies between them.
    fn times(&self, window: [i32; 2]) -> Result<Vec<i32>, Error> {
        let [start, end] = window;
        let length = end.checked_sub(start).filter(|length| *length >= 0).unwrap_or(-1);
        if length < 0 {
            return Ok(Vec::new());
        }
        if length / STEP > MAX_SAMPLES {
            return Err(Error::new(format!("a sequence of {length} ms is too long to be converted")));
        }
        let mut all: BTreeSet<i32> = self.keys.range(start..=end).copied().collect();
        if self.moves {
            all.extend((start..end).step_by(STEP as usize));
        }
        all.extend([start, end]);
        Ok(all.into_iter().collect())
    }
}

/// The keys of all clips, by time.
#[derive(Default)]
struct Tracks {
    translations: BTreeMap<i32, [f32; 3]>,
    rotations: BTreeMap<i32, Quat>,
    scalings: BTreeMap<i32, [f32; 3]>,
    /// Where clips start.
    starts: Vec<i32>,
}

impl Tracks {
    fn add(&mut self, samples: &[Sample], size: f32) {
        let distance =
            |a: [f32; 3], b: [f32; 3]| (0..3).map(|part| (a[part] - b[part]).abs()).fold(0.0, f32::max);
        let mix = |a: [f32; 3], b: [f32; 3], share: f32| -> [f32; 3] {
            std::array::from_fn(|part| a[part] + (b[part] - a[part]) * share)
        };
        self.starts.extend(samples.first().map(|first| first.time));
        let all: Vec<(i32, [f32; 3])> =
            samples.iter().map(|sample| (sample.time, sample.translation)).collect();
        let near = |a: [f32; 3], b: [f32; 3]| distance(a, b) <= 1e-4 * size;
        insert(&mut self.translations, kept(&all, [0.0; 3], &near, &mix));
        let all: Vec<(i32, [f32; 3])> = samples.iter().map(|sample| (sample.time, sample.scaling)).collect();
        insert(&mut self.scalings, kept(&all, [1.0; 3], &|a, b| distance(a, b) <= 1e-4, &mix));
        let all: Vec<(i32, Quat)> = samples.iter().map(|sample| (sample.time, sample.rotation)).collect();
        let near = |a: Quat, b: Quat| (a - b).length().min((a + b).length()) <= 2e-4;
        insert(&mut self.rotations, kept(&all, Quat::IDENTITY, &near, &scene::slerp));
    }

    /// The tracks. Packed rotations are those of the WoW alpha.
    fn nodes(self, is_packed: bool) -> Vec<Node<'static>> {
        let starts = &self.starts;
        let vectors = |tag: u32, keys: BTreeMap<i32, [f32; 3]>, default: [f32; 3]| {
            let keys: Vec<(i32, Vec3)> = complete(keys, starts, default)
                .into_iter()
                .map(|(time, value)| (time, value.into()))
                .collect();
            (!keys.is_empty()).then(|| mdx::build::track(tag, Interpolation::LINEAR, -1, &keys)).flatten()
        };
        let rotations: Vec<(i32, Quaternion)> = complete(self.rotations, starts, Quat::IDENTITY)
            .into_iter()
            .map(|(time, value)| (time, value.to_array().into()))
            .collect();
        let linear = Interpolation::LINEAR;
        let rotations = match is_packed {
            _ if rotations.is_empty() => None,
            false => mdx::build::track(tags::KGRT, linear, -1, &rotations),
            true => {
                let packed: Vec<(i32, PackedQuaternion)> = rotations
                    .into_iter()
                    .map(|(time, value)| (time, PackedQuaternion::pack(value)))
                    .collect();
                mdx::build::track(tags::KGRT, linear, -1, &packed)
            }
        };
        let translations = vectors(tags::KGTR, self.translations, [0.0; 3]);
        let scalings = vectors(tags::KGSC, self.scalings, [1.0; 3]);
        [translations, rotations, scalings].into_iter().flatten().collect()
    }
}

/// Sequences may have moments in common; there the first one counts.
fn insert<T>(all: &mut BTreeMap<i32, T>, keys: Vec<(i32, T)>) {
    for (time, value) in keys {
        all.entry(time).or_insert(value);
    }
}

/// A key in every clip, so that nobody has to know the default.
fn complete<T: Copy>(mut keys: BTreeMap<i32, T>, starts: &[i32], default: T) -> BTreeMap<i32, T> {
    if !keys.is_empty() {
        for start in starts {
            keys.entry(*start).or_insert(default);
        }
    }
    keys
}

/// Most samples that one straight stretch replaces, so that the time is linear.
const MAX_STRETCH: usize = 200;

/// The keys that are needed: none for the default, and straight stretches without those between their ends.
fn kept<T: Copy>(
    samples: &[(i32, T)],
    default: T,
    near: &dyn Fn(T, T) -> bool,
    mix: &dyn Fn(T, T, f32) -> T,
) -> Vec<(i32, T)> {
    if samples.iter().all(|(_, value)| near(*value, default)) {
        return Vec::new();
    }
    let Some(first) = samples.first() else { return Vec::new() };
    if samples.iter().all(|(_, value)| near(*value, first.1)) {
        return vec![*first];
    }
    let (mut keys, mut from) = (vec![*first], 0);
    while from + 1 < samples.len() {
        let mut to = from + 1;
        let fits = |end: usize| {
            let ((start, a), (stop, b)) = (samples[from], samples[end]);
            let length = (stop - start).max(1) as f32;
            samples[from + 1..end]
                .iter()
                .all(|(time, value)| near(mix(a, b, (time - start) as f32 / length), *value))
        };
        while to + 1 < samples.len() && to - from < MAX_STRETCH && fits(to + 1) {
            to += 1;
        }
        // Long stretches of one value are divided above, and need no key between their ends.
        if let [.., (_, a), (_, b)] = keys[..]
            && near(a, b)
            && near(b, samples[to].1)
            && near(a, samples[to].1)
        {
            keys.pop();
        }
        keys.push(samples[to]);
        from = to;
    }
    keys
}
