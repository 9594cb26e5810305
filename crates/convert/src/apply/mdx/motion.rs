//! Changed, new and removed sequences: the changed scene is written as a whole, and the keys that changed are taken from there.

use super::super::Edit;
use super::keys::{Keys, common, converted, keys, set_keys, shifted, time};
use super::{Author, ELSEWHERE};
use crate::author::mdx::{Options, to_mdx};
use mdx::records::{Extent, Sequence, TrackHeader};
use mdx::view::Track;
use mdx::{Document, kinds, tags};
use record::{I32, Node};
use scene::{ClipId, MeshProperty, NodeId, NodeProperty, Scene, Target};

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
        let merged = inputs.merged(|scene, clip| {
            let ends = scene.clips.iter().map(|clip| clip.source_start.unwrap_or(0.0) + clip.duration);
            clip.source_start = Some(ends.fold(0.0, f32::max) + GAP as f32 / 1000.0);
        });
        let options = Options { version: self.document.version, complete: false, ..Options::default() };
        let written = to_mdx(&merged, &options).map_err(|error| error.to_string());
        let mut clips = inputs.original.clips.len();
        for edit in edits {
            let result = match (&written, edit) {
                (_, Edit::MotionChanged(clip, index, Target::Mesh(mesh, MeshProperty::Alpha))) => {
                    let curve = inputs.mesh_curve(*index, *mesh, MeshProperty::Alpha);
                    self.change_alpha(*clip, *mesh, curve)
                }
                (Err(reason), _) => Err(reason.clone()),
                (Ok((written, _)), Edit::MotionChanged(clip, _, target)) => {
                    self.change_keys(written, *clip, *target)
                }
                (Ok((written, _)), Edit::ClipAdded(index)) => {
                    clips += 1;
                    self.add_sequence(written, &merged, clips - 1)
                        .and_then(|interval| self.add_alphas(*index, interval))
                }
                _ => Ok(()),
            };
            if let Err(reason) = result {
                self.refuse(edit, &reason);
            }
        }
    }

    pub(super) fn interval(&self, clip: usize) -> Option<(i32, i32)> {
        self.document
            .view()
            .sequences()
            .nth(clip)
            .map(|sequence| (sequence.interval[0], sequence.interval[1]))
    }

    fn change_keys(&mut self, written: &Document<'_>, clip: ClipId, target: Target) -> Result<(), String> {
        let Target::Node(node, property) = target else { return Err(ELSEWHERE.to_owned()) };
        let tag = tag(property).ok_or(ELSEWHERE)?;
        let (start, end) = self.interval(clip.index()).ok_or("its sequence was not found")?;
        let own = written.view().sequences().nth(clip.index()).ok_or("its sequence was not written")?;
        let shift = start - own.interval[0];
        let window = (own.interval[0], own.interval[1]);
        let source = self.source(written, node.index(), tag)?;
        self.graft(node.index(), tag, (start, end), source, window, shift)
    }

    /// The track of a node as it was written.
    fn source<'w>(
        &self,
        written: &'w Document<'_>,
        node: usize,
        tag: u32,
    ) -> Result<Option<Track<'w>>, String> {
        let name = self.inputs.original.nodes.get(node).map_or("", |node| &node.name);
        let mut found = written.view().nodes().filter(|object| object.name() == name).collect::<Vec<_>>();
        if found.len() > 1 {
            // Of several with one name the one in the same place.
            let place = self.inputs.original.nodes[..node].iter().filter(|other| other.name == name).count();
            found = found.into_iter().skip(place).take(1).collect();
        }
        let object = found.first().ok_or("its object was not written")?;
        Ok(mdx::view::track(object.node, tag))
    }

    /// Puts the keys of a window into a track of a node in place of those that it has there.
    fn graft(
        &mut self,
        node: usize,
        tag: u32,
        interval: (i32, i32),
        source: Option<Track<'_>>,
        window: (i32, i32),
        shift: i32,
    ) -> Result<(), String> {
        let place = self.position(NodeId::from(node));
        let windows = self.windows();
        let object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        let holder = object.object.child_mut(&kinds::NODE).ok_or("its object was not found")?;
        graft(holder, tag, interval, source, window, shift, &windows)
    }

    /// The sequences, on the time line.
    pub(super) fn windows(&self) -> Vec<(i32, i32)> {
        let sequences = self.document.view().sequences();
        sequences.map(|sequence| (sequence.interval[0], sequence.interval[1])).collect()
    }

    fn add_sequence(
        &mut self,
        written: &Document<'_>,
        merged: &Scene,
        index: usize,
    ) -> Result<(i32, i32), String> {
        self.is_classic()?;
        let found = written.root.get(kinds::SEQS).get(index).ok_or("the sequence was not written")?;
        let own = (found.start.get(), found.end.get());
        let known: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        let last = known.iter().map(|sequence| sequence.end.get()).max().unwrap_or(0);
        let start = if known.is_empty() { 0 } else { last.saturating_add(GAP) };
        let shift = start - own.0;
        let mut sequence = *found;
        (sequence.start, sequence.end) = (I32::new(start), I32::new(own.1 + shift));
        let mut all = known;
        all.push(sequence);
        let chunk = self.document.root.child_mut(&kinds::SEQS).ok_or("the model has no sequences")?;
        chunk.set_values(&all).ok_or("the sequences cannot be written")?;
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
        let mut refused = 0;
        for node in 0..merged.nodes.len() {
            for tag in [tags::KGTR, tags::KGRT, tags::KGSC] {
                let Ok(Some(source)) = self.source(written, node, tag) else { continue };
                if keys(source, own).is_empty() {
                    continue;
                }
                let interval = (start, own.1 + shift);
                refused += usize::from(self.graft(node, tag, interval, Some(source), own, shift).is_err());
            }
        }
        match refused {
            0 => Ok((start, own.1 + shift)),
            _ => Err(format!(
                "{refused} of its tracks have another interpolation in the original and were not written"
            )),
        }
    }

    pub(super) fn remove_sequence(&mut self, clip: ClipId) -> Result<(), String> {
        self.is_classic()?;
        let mut all: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        let name =
            self.inputs.original.clips.get(clip.index()).map(|clip| clip.name.clone()).unwrap_or_default();
        // Others may have been removed before it.
        let place = all
            .iter()
            .position(|sequence| mdx::view::text(&sequence.name) == name)
            .ok_or("its sequence was not found")?;
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
        return Err("it moves by a global sequence, which no clip changes".to_owned());
    }
    let all = keys(view, (i32::MIN, i32::MAX));
    let (before, now) =
        (view.interpolation(), source.map_or(view.interpolation(), |source| source.interpolation()));
    let wanted = if new.is_empty() { Some(before) } else { common(before, now) };
    let wanted =
        wanted.ok_or("its keys have another interpolation; convert without the original to get them")?;
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
