//! Changed objects on nodes, the times of events, and when geosets are shown.

use super::super::objects::alone;
use super::super::{ObjectEdit, ObjectKind, fields};
use super::keys::{keys, set_keys, time};
use super::{Author, ELSEWHERE};
use crate::author::mdx::{Options, space, to_mdx};
use mdx::build::{branch, part, track};
use mdx::records::{GeosetAnimationFlags, GeosetAnimationHeader, Interpolation};
use mdx::view::{GeosetAnimation, NodeKind, Object, Track};
use mdx::{Dialect, Document, kinds, tags};
use record::{F32, I32, Node};
use scene::{ClipId, Curve, EventId, Interpolation as Moves, MeshId, MeshProperty, NodeId, Scene, Target};

/// An event that happens in no clip is this much after the last one: the game refuses events without times.
const AFTER_ALL: i32 = 1000;

impl Author<'_, '_, '_> {
    pub(super) fn change_object(&mut self, edit: &ObjectEdit) -> Result<(), String> {
        let inputs = self.inputs;
        let before = edit.before.ok_or("new objects cannot be added to the original")?;
        let node = self.holder(edit.kind, before)?;
        let Some(now) = edit.now else {
            // Each object is a node.
            self.gone.push(node);
            return Ok(());
        };
        let place = self.position(node);
        let (old, new) = (inputs.original, inputs.edited.scene);
        if edit.kind == ObjectKind::Event {
            let name = new.events.get(now).map(|event| event.name.clone()).ok_or("it was not found")?;
            let mut object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
            return object.set_name(&name).map_err(|error| error.to_string());
        }
        let options = Options { version: self.document.version, complete: false, ..Options::default() };
        let written = |from: &Scene, index: usize| -> Result<Document<'static>, String> {
            let (document, _) =
                to_mdx(&alone(old, from, edit.kind, index), &options).map_err(|error| error.to_string())?;
            Ok(document)
        };
        let (old, new) = (written(old, before)?, written(new, now)?);
        let (old, new) = (only(&old).ok_or(ELSEWHERE)?, only(&new).ok_or(ELSEWHERE)?);
        if old.kind != new.kind {
            return Err("it cannot become an object of another kind".to_owned());
        }
        let object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        let is_track = |node: &Node<'_>| Track::new(node).is_some();
        fields::merge(object.object, old.object, new.object, is_track).result()
    }

    /// The node of an object of the original, as the document has it.
    fn holder(&self, kind: ObjectKind, index: usize) -> Result<NodeId, String> {
        let scene = self.inputs.original;
        let count = self.document.view().nodes().count();
        let mut node = kind.node(scene, index).ok_or("its object was not found")?;
        // A light with a direction has a node that the document does not have.
        if node.index() >= count {
            let above = scene.nodes.get(node.index()).and_then(|node| node.parent);
            node = above.filter(|node| node.index() < count).ok_or("its object was not found")?;
        }
        Ok(node)
    }

    pub(super) fn change_events(
        &mut self,
        event: EventId,
        clip: ClipId,
        times: &[f32],
    ) -> Result<(), String> {
        let (start, end) = self.interval(clip)?;
        let node = self.holder(ObjectKind::Event, event.index())?;
        let sequences = self.document.view().sequences();
        let last = sequences.map(|sequence| sequence.interval[1]).max().unwrap_or(0);
        let place = self.position(node);
        let object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        let children = object.object.children_mut().ok_or("its object was not found")?;
        let found = children.iter_mut().find(|child| child.id == tags::KEVT && Track::new(child).is_some());
        let found = found.ok_or("it has no times")?;
        let view = Track::new(found).ok_or("it has no times")?;
        if view.global_sequence().is_some() {
            return Err("it happens by a global sequence, which no clip changes".to_owned());
        }
        let mut all = keys(view, (i32::MIN, i32::MAX));
        let placeholder = last.saturating_add(AFTER_ALL);
        all.retain(|key| !(start..=end).contains(&time(key)) && time(key) != placeholder);
        let new = times.iter().map(|time| start.saturating_add(space::milliseconds(*time)).clamp(start, end));
        all.extend(new.map(|time| time.to_le_bytes().to_vec()));
        if all.is_empty() {
            all.push(placeholder.to_le_bytes().to_vec());
        }
        all.sort_by_key(|key| time(key));
        set_keys(found, all)
    }

    /// Changes when a geoset is shown in a clip, and how far.
    pub(super) fn change_alpha(
        &mut self,
        clip: ClipId,
        mesh: MeshId,
        curve: Option<&Curve>,
    ) -> Result<(), String> {
        let (start, end) = self.interval(clip)?;
        self.set_alpha((start, end), mesh, curve)
    }

    /// The same for a time on the time line.
    pub(super) fn set_alpha(
        &mut self,
        (start, end): (i32, i32),
        mesh: MeshId,
        curve: Option<&Curve>,
    ) -> Result<(), String> {
        let (interpolation, values) = match curve {
            None => (Interpolation::NONE, vec![(0.0, 1.0)]),
            Some(Curve::Flag(track)) => {
                let values = track.values.iter().map(|shows| f32::from(u8::from(*shows)));
                (Interpolation::NONE, track.times.iter().copied().zip(values).collect())
            }
            Some(Curve::Scalar(track)) => {
                let kind = match track.interpolation {
                    Moves::Step => Interpolation::NONE,
                    Moves::Linear => Interpolation::LINEAR,
                    Moves::Hermite | Moves::Bezier => return Err(ELSEWHERE.to_owned()),
                };
                (kind, track.times.iter().copied().zip(track.values.iter().copied()).collect())
            }
            Some(_) => return Err(ELSEWHERE.to_owned()),
        };
        let at = |time: f32| start.saturating_add(space::milliseconds(time)).clamp(start, end);
        let mut new: Vec<(i32, F32)> =
            values.into_iter().map(|(time, value)| (at(time), F32::new(value))).collect();
        let windows = self.windows();
        self.ensure_geoset_animation(mesh)?;
        let list = self.document.root.child_mut(&kinds::GEOA).and_then(Node::children_mut);
        let animation = list.into_iter().flatten().find(|node| {
            GeosetAnimation::new(node)
                .is_some_and(|animation| usize::try_from(animation.geoset_id) == Ok(mesh.index()))
        });
        let animation = animation.ok_or("its alpha was not found")?;
        let view = GeosetAnimation::new(animation).ok_or("its alpha was not found")?;
        let rest = view.alpha;
        if view.track(tags::KGAO).is_none() && rest != 1.0 {
            // With a track, the game shows the geoset wherever the track says nothing.
            let others = windows.iter().filter(|window| **window != (start, end));
            new.extend(others.map(|(start, _)| (*start, F32::new(rest))));
        }
        new.sort_by_key(|(time, _)| *time);
        let source = track(tags::KGAO, interpolation, -1, &new).ok_or("its alpha cannot be written")?;
        let source = Track::new(&source).ok_or("its alpha cannot be written")?;
        let window = if new.iter().all(|(time, _)| (start..=end).contains(time)) {
            (start, end)
        } else {
            (i32::MIN, i32::MAX)
        };
        super::motion::graft(animation, tags::KGAO, (start, end), Some(source), window, 0, &windows)
    }

    /// Shows geosets in a new sequence as the edited scene does.
    pub(super) fn add_alphas(&mut self, clip: usize, interval: (i32, i32)) -> Result<(), String> {
        let inputs = self.inputs;
        let Some(clip) = inputs.edited.scene.clips.get(clip) else { return Ok(()) };
        for channel in &clip.channels {
            if let Target::Mesh(mesh, MeshProperty::Alpha) = channel.target
                && let Some(mesh) = inputs.mesh_of(mesh)
            {
                self.set_alpha(interval, mesh, Some(&channel.curve))?;
            }
        }
        Ok(())
    }

    /// Adds an object for the alpha of a geoset, unless it has one.
    fn ensure_geoset_animation(&mut self, mesh: MeshId) -> Result<(), String> {
        let is_own =
            |animation: &GeosetAnimation<'_>| usize::try_from(animation.geoset_id) == Ok(mesh.index());
        if self.document.view().geoset_animations().any(|animation| is_own(&animation)) {
            return Ok(());
        }
        if self.document.dialect != Dialect::Warcraft {
            return Err(ELSEWHERE.to_owned());
        }
        let header = GeosetAnimationHeader {
            alpha: F32::new(1.0),
            flags: GeosetAnimationFlags::DROP_SHADOW,
            geoset_id: I32::new(i32::try_from(mesh.0).map_err(|error| error.to_string())?),
            color: record::Vec3::new(1.0, 1.0, 1.0),
        };
        let new = branch(&kinds::GEOSET_ANIMATION, vec![part(&header)]);
        if let Some(list) = self.document.root.child_mut(&kinds::GEOA).and_then(Node::children_mut) {
            list.push(new);
            return Ok(());
        }
        let chunks = self.document.root.children_mut().ok_or("the file has no chunks")?;
        let place =
            chunks.iter().rposition(|chunk| chunk.is(&kinds::GEOS)).map_or(chunks.len(), |last| last + 1);
        chunks.insert(place, branch(&kinds::GEOA, vec![new]));
        Ok(())
    }
}

/// The only object of a document that is more than a bone.
fn only<'d>(document: &'d Document<'_>) -> Option<Object<'d>> {
    document.view().nodes().find(|object| !matches!(object.kind, NodeKind::Bone | NodeKind::Helper))
}
