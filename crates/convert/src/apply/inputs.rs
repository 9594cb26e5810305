//! What the edits of a document are made with, whatever its format.

use super::bindings::{Bindings, Mover};
use super::plan::{Noise, Plan};
use super::{Comparison, Described, Edit, MeshChange, MeshEdit, Side};
use glam::Affine3A;
use scene::{Channel, Clip, Curve, Mesh, MeshId, MeshProperty, NodeId, Scene, Target, Transform};
use std::borrow::Cow;
use std::collections::HashMap;

/// What the edits of a document are made with.
#[derive(Debug)]
pub struct Inputs<'i> {
    /// The scene of the document.
    pub original: &'i Scene,
    /// The same scene after our own round trip.
    pub base: &'i Side<'i>,
    /// The scene that came back.
    pub edited: &'i Side<'i>,
    /// The edits.
    pub comparison: &'i Comparison,
}

/// A changed mesh with all that is needed to write it.
pub(super) struct ChangedMesh<'i> {
    pub(super) original: &'i Mesh,
    /// The edited mesh, in the space of the original.
    pub(super) edited: Cow<'i, Mesh>,
    pub(super) noise: Noise,
    pub(super) plan: Plan,
    /// The nodes that move its vertices, if they may be others.
    pub(super) bindings: Option<Bindings>,
}

impl<'i> Inputs<'i> {
    /// What a changed mesh is written with. `to_original` moves the vertices of the edited mesh into the space of the original.
    pub(super) fn changed_mesh(
        &self,
        edit: &MeshEdit,
        to_original: Option<&Affine3A>,
    ) -> Result<ChangedMesh<'i>, String> {
        let original = self.original.meshes.get(edit.mesh.index()).ok_or("the mesh was not found")?;
        let edited = self.edited.scene.meshes.get(edit.edited).ok_or("the mesh was not found")?;
        let edited = match to_original {
            Some(matrix) => {
                let mut moved = edited.clone();
                moved.transform(matrix);
                Cow::Owned(moved)
            }
            None => Cow::Borrowed(edited),
        };
        let bounds = self.original.rest_bounds();
        let size =
            bounds.map_or(1.0, |bounds| bounds.min.distance(bounds.max).max(bounds.max.abs().max_element()));
        let noise = Noise::of(original, size, edit.has(MeshChange::Normals));
        let may_differ = [MeshChange::Weights, MeshChange::Triangles, MeshChange::Node];
        let has_other = original.skin.is_some() && may_differ.into_iter().any(|change| edit.has(change));
        let bindings = has_other.then(|| Bindings::new(self, original, &edited));
        let plan = Plan::new(edit, original, &edited, noise, bindings.as_ref());
        Ok(ChangedMesh { original, edited, noise, plan: plan.ok_or("the mesh has no triangles")?, bindings })
    }

    /// The node that moves vertices in place of a node of the edited scene.
    pub(super) fn mover(&self, node: NodeId) -> Option<Mover> {
        match self.to_original(node) {
            Some(known) => Some(Mover::Known(known)),
            None => self.is_added(node.index()).then_some(Mover::New(node.index())),
        }
    }

    /// Where the nodes of the edited scene are at rest.
    pub(super) fn edited_worlds(&self) -> Vec<Affine3A> {
        let (scene, matches) = (self.edited.scene, &self.comparison.matches);
        if matches.shifts.is_empty() {
            return scene.rest_worlds();
        }
        let mut rests: Vec<Transform> = scene.nodes.iter().map(|node| node.rest).collect();
        for (base, shift) in &matches.shifts {
            let edited = matches.nodes_back.get(*base).copied().flatten();
            if let Some(rest) = edited.and_then(|edited| rests.get_mut(edited)) {
                rest.translation = self.base.scene.nodes[*base].rest.translation + *shift;
            }
        }
        scene.hierarchy().worlds(rests.iter())
    }

    /// Whether a node of the edited scene is new.
    pub(super) fn is_added(&self, node: usize) -> bool {
        self.comparison.matches.nodes.get(node) == Some(&None)
            && self.comparison.matches.holders.get(node) == Some(&false)
    }

    /// An edit in words.
    pub(super) fn words(&self, edit: &Edit) -> String {
        Described { edit, original: self.original, edited: self.edited.scene }.to_string()
    }

    /// The node of the original that a node of the edited scene is.
    pub(super) fn to_original(&self, node: NodeId) -> Option<NodeId> {
        let base = self.comparison.matches.host(self.edited.scene, node)?;
        *self.base.nodes.get(base)?
    }

    /// The mesh of the original that a mesh of the edited scene is.
    pub(super) fn mesh_of(&self, mesh: MeshId) -> Option<MeshId> {
        let base = self.comparison.matches.meshes.get(mesh.index()).copied().flatten()?;
        *self.base.meshes.get(base)?
    }

    /// The curve of a mesh of the original in a clip of the edited scene.
    pub(super) fn mesh_curve(&self, clip: usize, mesh: MeshId, wanted: MeshProperty) -> Option<&Curve> {
        let clip = self.edited.scene.clips.get(clip)?;
        clip.channels.iter().find_map(|channel| match channel.target {
            Target::Mesh(own, property) if property == wanted && self.mesh_of(own) == Some(mesh) => {
                Some(&channel.curve)
            }
            _ => None,
        })
    }

    /// Whether a node that was added only holds a mesh that was added too.
    pub(super) fn holds_mesh(&self, node: usize) -> bool {
        self.edited.scene.meshes.iter().any(|mesh| mesh.node.is_some_and(|own| own.index() == node))
    }

    /// The edits of motion, which are made together.
    pub(super) fn motion_edits(&self) -> Vec<&Edit> {
        let is_motion = |edit: &&Edit| {
            matches!(
                edit,
                Edit::MotionChanged(..)
                    | Edit::MotionAdded(..)
                    | Edit::GlobalMotionChanged(..)
                    | Edit::ClipAdded(_)
                    | Edit::ClipLength(..)
            )
        };
        self.comparison.edits.iter().filter(is_motion).collect()
    }

    /// The original with the motion and the rest transforms of the edited scene. `added` are the new nodes that the document has now; they are
    /// behind the others. `adapt` completes a new clip, before it is behind the others.
    pub(super) fn merged(&self, added: &[usize], adapt: impl Fn(&Scene, &mut Clip)) -> Scene {
        let mut scene = self.original.clone();
        let first = scene.nodes.len();
        let places: HashMap<usize, NodeId> =
            added.iter().enumerate().map(|(place, node)| (*node, NodeId::from(first + place))).collect();
        let merged = |node: NodeId| match self.to_original(node) {
            Some(known) => Some(known),
            None => places.get(&node.index()).copied(),
        };
        for index in added {
            let Some(node) = self.edited.scene.nodes.get(*index) else { continue };
            scene.nodes.push(scene::Node {
                parent: node.parent.and_then(merged),
                is_bone: true,
                ..node.clone()
            });
        }
        let moved = |channel: &Channel| {
            let Target::Node(node, property) = channel.target else { return None };
            Some(Channel { target: Target::Node(merged(node)?, property), curve: channel.curve.clone() })
        };
        for edit in &self.comparison.edits {
            match edit {
                Edit::NodeMoved(node, rest) => {
                    if let Some(node) = scene.nodes.get_mut(node.index()) {
                        node.rest = *rest;
                    }
                }
                Edit::MotionChanged(clip, index, target) => {
                    let now = self.edited.scene.clips.get(*index);
                    let channel = now.and_then(|now| self.channel(now.channels.iter(), *target));
                    let Some(clip) = scene.clips.get_mut(clip.index()) else { continue };
                    clip.channels.retain(|channel| channel.target != *target);
                    clip.channels.extend(channel);
                }
                Edit::MotionAdded(clip, index, node) => {
                    let now = self.edited.scene.clips.get(*index);
                    let channels = now.map_or(&[][..], |now| &now.channels);
                    let is_its = |channel: &&Channel| matches!(channel.target, Target::Node(own, _) if own.index() == *node);
                    let Some(clip) = scene.clips.get_mut(clip.index()) else { continue };
                    clip.channels.extend(channels.iter().filter(is_its).filter_map(moved));
                }
                Edit::GlobalMotionChanged(place, target) => {
                    let own = place.and_then(|clip| self.edited.scene.clips.get(clip));
                    let now = match own {
                        Some(clip) => self.channel(clip.channels.iter(), *target),
                        None => {
                            let all = self.edited.scene.global_channels.iter();
                            self.channel(all.map(|global| &global.channel), *target)
                        }
                    };
                    let known =
                        scene.global_channels.iter_mut().find(|global| global.channel.target == *target);
                    if let (Some(known), Some(now)) = (known, now) {
                        known.channel = now;
                    }
                }
                Edit::ClipLength(clip, duration) => {
                    if let Some(clip) = scene.clips.get_mut(clip.index()) {
                        clip.duration = *duration;
                    }
                }
                Edit::ClipAdded(index) => {
                    let Some(new) = self.edited.scene.clips.get(*index) else { continue };
                    let channels = new.channels.iter().filter_map(moved);
                    let mut clip = Clip { channels: channels.collect(), events: Vec::new(), ..new.clone() };
                    adapt(&scene, &mut clip);
                    scene.clips.push(clip);
                }
                _ => {}
            }
        }
        scene
    }

    /// The channel of the edited scene for a target of the original.
    fn channel<'c>(&self, mut all: impl Iterator<Item = &'c Channel>, target: Target) -> Option<Channel> {
        let Target::Node(wanted, wanted_property) = target else { return None };
        all.find_map(|channel| {
            let Target::Node(node, property) = channel.target else { return None };
            let is_it = property == wanted_property && self.to_original(node) == Some(wanted);
            is_it.then(|| Channel { target, curve: channel.curve.clone() })
        })
    }
}
