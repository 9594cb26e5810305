//! What the edits of a document are made with, whatever its format.

use super::{Comparison, Described, Edit, Side};
use scene::{Channel, Clip, Curve, MeshId, MeshProperty, NodeId, Scene, Target};

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

impl Inputs<'_> {
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
        let is_motion = |edit: &&Edit| matches!(edit, Edit::MotionChanged(..) | Edit::ClipAdded(_));
        self.comparison.edits.iter().filter(is_motion).collect()
    }

    /// The original with the motion and the rest transforms of the edited scene. `adapt` completes a new clip, before it is behind the others.
    pub(super) fn merged(&self, adapt: impl Fn(&Scene, &mut Clip)) -> Scene {
        let mut scene = self.original.clone();
        for edit in &self.comparison.edits {
            match edit {
                Edit::NodeMoved(node, rest) => {
                    if let Some(node) = scene.nodes.get_mut(node.index()) {
                        node.rest = *rest;
                    }
                }
                Edit::MotionChanged(clip, index, target) => {
                    let channel = self.channel(*index, *target);
                    let Some(clip) = scene.clips.get_mut(clip.index()) else { continue };
                    clip.channels.retain(|channel| channel.target != *target);
                    clip.channels.extend(channel);
                }
                Edit::ClipAdded(index) => {
                    let Some(new) = self.edited.scene.clips.get(*index) else { continue };
                    let channels = new.channels.iter().filter_map(|channel| {
                        let Target::Node(node, property) = channel.target else { return None };
                        let target = Target::Node(self.to_original(node)?, property);
                        Some(Channel { target, curve: channel.curve.clone() })
                    });
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
    fn channel(&self, clip: usize, target: Target) -> Option<Channel> {
        let Target::Node(wanted, wanted_property) = target else { return None };
        let clip = self.edited.scene.clips.get(clip)?;
        clip.channels.iter().find_map(|channel| {
            let Target::Node(node, property) = channel.target else { return None };
            let is_it = property == wanted_property && self.to_original(node) == Some(wanted);
            is_it.then(|| Channel { target, curve: channel.curve.clone() })
        })
    }
}
