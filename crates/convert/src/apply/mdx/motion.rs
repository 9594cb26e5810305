//! Changed, new and removed sequences: the changed scene is written as a whole, and the keys that changed are taken from there.

use super::super::Edit;
use super::add::chunk_mut;
use super::keys::{Keys, common, converted, is_cubic, keys, set_keys, shifted, time};
use super::{Author, ELSEWHERE};
use crate::author::mdx::{Options, to_mdx};
use mdx::records::{Extent, Interpolation, Sequence, TrackHeader};
use mdx::view::{Object, Track};
use mdx::{Document, kinds, tags};
use record::{I32, Node};
use scene::{ClipId, MeshProperty, NodeId, NodeProperty, Target};
use std::collections::HashMap;

/// Milliseconds between two sequences.
const GAP: i32 = 1000;

impl Author<'_, '_, '_> {
    /// Makes all changes of sequences at once.
    pub(super) fn finish_motion(&mut self) {
        let inputs = self.inputs;
        let edits = inputs.motion_edits();
        if edits.is_empty() {
            return;
        }
        let mut merged = inputs.merged(&self.added, |scene, clip| {
            let ends = scene.clips.iter().map(|clip| clip.source_start.unwrap_or(0.0) + clip.duration);
            clip.source_start = Some(ends.fold(0.0, f32::max) + GAP as f32 / 1000.0);
        });
        // Objects are found by their names, so each has one of its own.
        merged.nodes.iter_mut().enumerate().for_each(|(index, node)| node.name = index.to_string());
        merged.events.iter_mut().for_each(|event| event.name = event.node.0.to_string());
        merged.emitters.iter_mut().for_each(|emitter| emitter.name = emitter.node.0.to_string());
        merged.ribbons.iter_mut().for_each(|ribbon| ribbon.name = ribbon.node.0.to_string());
        merged.collision_shapes.iter_mut().for_each(|shape| shape.name = shape.node.0.to_string());
        let options = Options { version: self.document.version, complete: false, ..Options::default() };
        let written = to_mdx(&merged, &options).map_err(|error| error.to_string());
        let written = written.map(|(document, _)| Written::new(document));
        let mut clips = inputs.original.clips.len();
        for edit in edits {
            let result = match (&written, edit) {
                (_, Edit::MotionChanged(clip, index, Target::Mesh(mesh, MeshProperty::Alpha))) => {
                    let curve = inputs.mesh_curve(*index, *mesh, MeshProperty::Alpha);
                    self.change_alpha(*clip, *mesh, curve)
                }
                (Err(reason), _) => Err(reason.clone()),
                (Ok(written), Edit::MotionChanged(clip, _, target)) => {
                    self.change_keys(written, *clip, *target)
                }
                (Ok(written), Edit::MotionAdded(clip, _, node)) => self.add_keys(written, *clip, *node),
                (Ok(written), Edit::GlobalMotionChanged(_, target)) => self.change_global(written, *target),
                (Ok(written), Edit::ClipAdded(index)) => {
                    clips += 1;
                    self.add_sequence(written, clips - 1)
                        .and_then(|interval| self.add_alphas(*index, interval))
                }
                _ => Ok(()),
            };
            if let Err(reason) = result {
                self.refuse(edit, &reason);
            }
        }
    }

    /// The position of a clip's sequence.
    pub(super) fn sequence(&self, clip: ClipId) -> Result<usize, String> {
        let place = self.clips.iter().position(|known| *known == Some(clip));
        place.ok_or_else(|| "its sequence was not found".to_owned())
    }

    pub(super) fn interval(&self, clip: ClipId) -> Result<(i32, i32), String> {
        let sequence = self.document.view().sequences().nth(self.sequence(clip)?);
        let sequence = sequence.ok_or("its sequence was not found")?;
        Ok((sequence.interval[0], sequence.interval[1]))
    }

    fn change_keys(&mut self, written: &Written, clip: ClipId, target: Target) -> Result<(), String> {
        let Target::Node(node, property) = target else { return Err(ELSEWHERE.to_owned()) };
        let tag = tag(property).ok_or(ELSEWHERE)?;
        let interval = self.interval(clip)?;
        let window = written.window(clip.index())?;
        let source = written.track(node.index(), tag)?;
        let place = self.position(node);
        self.graft(place, tag, interval, source, window)
    }

    /// The motion of a new bone in a sequence of the original.
    fn add_keys(&mut self, written: &Written, clip: ClipId, node: usize) -> Result<(), String> {
        let place = self.added_position(node).ok_or("its bone was not added")?;
        let index = self.inputs.original.nodes.len() + (place - self.first_added);
        let interval = self.interval(clip)?;
        let window = written.window(clip.index())?;
        for tag in MOTION {
            let source = written.track(index, tag)?;
            self.graft(place, tag, interval, source, window)?;
        }
        Ok(())
    }

    /// Motion of a global sequence: the track is replaced.
    fn change_global(&mut self, written: &Written, target: Target) -> Result<(), String> {
        let Target::Node(node, property) = target else { return Err(ELSEWHERE.to_owned()) };
        let tag = tag(property).ok_or(ELSEWHERE)?;
        let source = written.track(node.index(), tag)?.filter(|track| track.global_sequence().is_some());
        let source = source.ok_or("no global sequence of the original moves it")?;
        let place = self.position(node);
        let object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        let holder = object.object.child_mut(&kinds::NODE).ok_or("its object was not found")?;
        let track = holder.children_mut().into_iter().flatten().find(|child| child.id == tag);
        let track = track.ok_or("no global sequence of the original moves it")?;
        let view = Track::new(track).ok_or("the track was not found")?;
        let sequence = view.global_sequence().and_then(|sequence| i32::try_from(sequence).ok());
        let sequence = sequence.ok_or("no global sequence of the original moves it")?;
        // Numbers of global sequences are those of the document, whatever those of the new track are.
        *track = source.node.clone().into_owned();
        let header = track.value_mut::<TrackHeader>().ok_or("the track cannot be written")?;
        header.global_sequence.set(sequence);
        Ok(())
    }

    /// Another length of a sequence. It may end later as long as the next one has not begun.
    pub(super) fn set_length(&mut self, clip: ClipId, duration: f32) -> Result<(), String> {
        self.is_classic()?;
        let place = self.sequence(clip)?;
        let (start, before) = self.interval(clip)?;
        let end = start.saturating_add(crate::author::mdx::space::milliseconds(duration).max(1));
        let starts = self.document.view().sequences().map(|sequence| sequence.interval[0]);
        let next = starts.filter(|other| *other > start && *other >= before).min();
        if let Some(next) = next.filter(|next| end > before && end >= *next) {
            return Err(format!(
                "another sequence begins {} ms after it; give the clip a new name, and it is added behind the others",
                next - before
            ));
        }
        let mut all: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        all.get_mut(place).ok_or("its sequence was not found")?.end.set(end);
        let chunk = self.document.root.child_mut(kinds::SEQS.kind).ok_or("the model has no sequences")?;
        chunk.set_values(&all).ok_or_else(|| "the sequences cannot be written".to_owned())
    }

    /// Puts the keys of a window into a track of a node in place of those that it has there.
    fn graft(
        &mut self,
        place: usize,
        tag: u32,
        interval: (i32, i32),
        source: Option<Track<'_>>,
        window: (i32, i32),
    ) -> Result<(), String> {
        let windows = self.windows();
        let object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        let holder = object.object.child_mut(&kinds::NODE).ok_or("its object was not found")?;
        graft(holder, tag, interval, source, window, interval.0 - window.0, &windows)
    }

    /// The sequences, on the time line.
    pub(super) fn windows(&self) -> Vec<(i32, i32)> {
        let sequences = self.document.view().sequences();
        sequences.map(|sequence| (sequence.interval[0], sequence.interval[1])).collect()
    }

    fn add_sequence(&mut self, written: &Written, index: usize) -> Result<(i32, i32), String> {
        self.is_classic()?;
        let found =
            written.document.root.get(kinds::SEQS).get(index).ok_or("the sequence was not written")?;
        let own = (found.start.get(), found.end.get());
        let known: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        let last = known.iter().map(|sequence| sequence.end.get()).max().unwrap_or(0);
        let start = if known.is_empty() { 0 } else { last.saturating_add(GAP) };
        let shift = start - own.0;
        let mut sequence = *found;
        (sequence.start, sequence.end) = (I32::new(start), I32::new(own.1 + shift));
        let mut all = known;
        all.push(sequence);
        let chunk =
            chunk_mut(&mut self.document.root, kinds::SEQS.kind).ok_or("the model has no sequences")?;
        chunk.set_values(&all).ok_or("the sequences cannot be written")?;
        self.clips.push(None);
        for geoset in self.document.geosets_mut() {
            let extent =
                mdx::view::Geoset::new(geoset.node).and_then(|view| view.extent()).unwrap_or_default();
            let count = mdx::view::Geoset::new(geoset.node).map_or(0, |view| view.extents().len());
            if count + 1 == all.len()
                && let Some(list) = geoset.node.child_mut(&kinds::EXTENTS)
            {
                let mut extents: Vec<Extent> = list.values::<Extent>().to_vec();
                extents.push(extent);
                list.set_values(&extents).ok_or("the bounds cannot be written")?;
            }
        }
        let originals = self.inputs.original.nodes.len();
        let mut refused = 0;
        for node in 0..originals + self.added.len() {
            let place = match node.checked_sub(originals) {
                Some(added) => self.first_added + added,
                None => self.position(NodeId::from(node)),
            };
            for tag in MOTION {
                let Ok(Some(source)) = written.track(node, tag) else { continue };
                if keys(source, own).is_empty() {
                    continue;
                }
                let interval = (start, own.1 + shift);
                refused += usize::from(self.graft(place, tag, interval, Some(source), own).is_err());
            }
        }
        match refused {
            0 => Ok((start, own.1 + shift)),
            _ => Err(format!(
                "{refused} of its tracks were not written: the original moves these nodes by global sequences or by other curves, or they are damaged"
            )),
        }
    }

    pub(super) fn remove_sequence(&mut self, clip: ClipId) -> Result<(), String> {
        self.is_classic()?;
        let mut all: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        let place = self.sequence(clip)?;
        if place >= all.len() {
            return Err("its sequence was not found".to_owned());
        }
        self.clips.remove(place);
        let count = all.len();
        all.remove(place);
        let chunk = self.document.root.child_mut(&kinds::SEQS).ok_or("the model has no sequences")?;
        chunk.set_values(&all).ok_or("the sequences cannot be written")?;
        for geoset in self.document.geosets_mut() {
            if let Some(list) = geoset.node.child_mut(&kinds::EXTENTS)
                && list.values::<Extent>().len() == count
            {
                let mut extents: Vec<Extent> = list.values::<Extent>().to_vec();
                extents.remove(place);
                list.set_values(&extents).ok_or("the bounds cannot be written")?;
            }
        }
        Ok(())
    }
}

const fn tag(property: NodeProperty) -> Option<u32> {
    match property {
        NodeProperty::Translation => Some(tags::KGTR),
        NodeProperty::Rotation => Some(tags::KGRT),
        NodeProperty::Scale => Some(tags::KGSC),
        NodeProperty::Visibility => None,
    }
}

/// The tracks that move nodes.
const MOTION: [u32; 3] = [tags::KGTR, tags::KGRT, tags::KGSC];

/// The changed scene as a document. Its objects are called by the numbers of their nodes in the scene.
struct Written {
    document: Document<'static>,
    /// For each node of the scene the position of its object.
    objects: HashMap<usize, usize>,
}

impl Written {
    fn new(document: Document<'static>) -> Self {
        let number = |(place, object): (usize, Object<'_>)| Some((object.name().parse().ok()?, place));
        let objects = document.view().nodes().enumerate().filter_map(number).collect();
        Self { document, objects }
    }

    /// The interval of a clip.
    fn window(&self, clip: usize) -> Result<(i32, i32), String> {
        let sequence = self.document.view().sequences().nth(clip).ok_or("its sequence was not written")?;
        Ok((sequence.interval[0], sequence.interval[1]))
    }

    /// A track of a node.
    fn track(&self, node: usize, tag: u32) -> Result<Option<Track<'_>>, String> {
        let place = self.objects.get(&node).ok_or("its object was not written")?;
        let object = self.document.view().nodes().nth(*place).ok_or("its object was not written")?;
        Ok(mdx::view::track(object.node, tag))
    }
}

/// Puts the keys of a window into a track in place of those that it has there. `windows` are all sequences.
pub(super) fn graft(
    holder: &mut Node<'_>,
    tag: u32,
    (start, end): (i32, i32),
    source: Option<Track<'_>>,
    window: (i32, i32),
    shift: i32,
    windows: &[(i32, i32)],
) -> Result<(), String> {
    let new = source.map(|track| keys(track, window)).unwrap_or_default();
    let new: Keys = new.into_iter().map(|key| shifted(key, shift)).collect();
    if holder.children().iter().any(|child| child.is(&record::LEFTOVER)) {
        // What follows such bytes is read as a part of them.
        return Err("its object has bytes that cannot be read; repair the model first".to_owned());
    }
    let known = holder.children().iter().position(|child| child.id == tag && Track::new(child).is_some());
    let children = holder.children_mut().ok_or("its object was not found")?;
    let Some(place) = known else {
        let Some(source) = source.filter(|_| !new.is_empty()) else { return Ok(()) };
        let mut track = source.node.clone().into_owned();
        set_keys(&mut track, new)?;
        let after = children.iter().position(|child| child.id > tag && Track::new(child).is_some());
        children.insert(after.unwrap_or(children.len()), track);
        return Ok(());
    };
    let track = children.get_mut(place).ok_or("the track was not found")?;
    let view = Track::new(track).ok_or("the track was not found")?;
    if view.global_sequence().is_some() {
        return Err("a global sequence moves it, whichever clip plays".to_owned());
    }
    let all = keys(view, (i32::MIN, i32::MAX));
    let (before, now) =
        (view.interpolation(), source.map_or(view.interpolation(), |source| source.interpolation()));
    let wanted = if new.is_empty() { Some(before) } else { common(before, now) };
    let wanted = wanted.filter(|wanted| {
        let is_other = |one: Interpolation| one != *wanted && is_cubic(one);
        tag != tags::KGRT || !is_other(before) && !is_other(now)
    });
    let wanted = wanted.ok_or(
        "the original has Bezier curves and the glTF file Hermite splines, or the reverse; export with linear keys",
    )?;
    let new = converted(new, (now, wanted), tag, &[(start, end)]);
    let all = converted(all, (before, wanted), tag, windows);
    let mut merged: Keys = all.iter().filter(|key| time(key) < start).cloned().collect();
    merged.extend(new);
    merged.extend(all.into_iter().filter(|key| time(key) > end));
    if wanted != before && wanted != now {
        track.value_mut::<TrackHeader>().ok_or("the track was not found")?.interpolation = wanted;
    } else if let Some(source) = source.filter(|_| wanted != before) {
        *track = source.node.clone().into_owned();
    }
    set_keys(track, merged)
}
