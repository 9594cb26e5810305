//! Edits in a W3D document: the chunks of changed parts change, every other one keeps its bytes.

mod mesh;
mod model;
mod motion;

use super::{Comparison, Described, Edit, Side};
use crate::report::{NoteKind, Report};
use crate::w3d::{Chunk, Origins};
use record::Node;
use scene::{MeshId, NodeId, Scene, Transform};
use std::collections::HashMap;
use w3d::W3d;

/// What the edits of a document are made with.
pub struct Inputs<'i> {
    /// The scene of the document.
    pub original: &'i Scene,
    /// The same scene after our own round trip.
    pub base: &'i Side<'i>,
    /// The scene that came back.
    pub edited: &'i Side<'i>,
    /// The edits.
    pub comparison: &'i Comparison,
    /// Which chunks the parts of the original come from.
    pub origins: &'i Origins,
}

/// Makes the edits in a document. The report lists those that could not be made.
pub fn apply(document: &mut W3d<'_>, inputs: &Inputs<'_>) -> Report {
    let mut author =
        Author { inputs, document, report: Report::default(), removed: Vec::new(), added: Vec::new() };
    // Chunks that come and go move those behind them, so that is done last.
    for edit in &inputs.comparison.edits {
        if let Err(reason) = author.edit(edit) {
            author.refuse(edit, &reason);
        }
    }
    author.finish_moves();
    author.finish_motion();
    author.finish();
    author.report
}

struct Author<'d, 'a, 'i> {
    inputs: &'i Inputs<'i>,
    document: &'d mut W3d<'a>,
    report: Report,
    /// Chunks that go, by their positions.
    removed: Vec<usize>,
    /// New meshes.
    added: Vec<Node<'static>>,
}

impl<'a> Author<'_, 'a, '_> {
    fn refuse(&mut self, edit: &Edit, reason: &str) {
        let words =
            Described { edit, original: self.inputs.original, edited: self.inputs.edited.scene }.to_string();
        self.report.note(NoteKind::LeftOut, &words, reason);
    }

    /// A chunk of the document, unless it is in another file.
    fn chunk(&mut self, chunk: Chunk) -> Result<&mut Node<'a>, String> {
        if chunk.document != 0 {
            return Err("it is in another file, which stays as it is".to_owned());
        }
        let children = self.document.root.children_mut();
        children
            .and_then(|children| children.get_mut(chunk.index))
            .ok_or_else(|| "its chunk was not found".to_owned())
    }

    fn mesh_chunk(&self, mesh: MeshId) -> Result<Chunk, String> {
        self.inputs
            .origins
            .meshes
            .get(mesh.index())
            .copied()
            .flatten()
            .ok_or_else(|| "its chunk was not found".to_owned())
    }

    fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        let original = self.inputs.original;
        match edit {
            Edit::MeshChanged(change) => self.change_mesh(change),
            Edit::MeshRemoved(mesh) => {
                let chunk = self.mesh_chunk(*mesh)?;
                self.chunk(chunk)?;
                let others = self.inputs.origins.meshes.iter().filter(|other| **other == Some(chunk)).count();
                if others > 1 {
                    return Err("several parts of the model share this mesh".to_owned());
                }
                self.removed.push(chunk.index);
                Ok(())
            }
            Edit::MeshRenamed(mesh, name) => {
                let chunk = self.mesh_chunk(*mesh)?;
                self.rename_mesh(chunk, name)
            }
            Edit::NodeRenamed(node, name) => {
                let pivot = self.inputs.origins.nodes.get(node.index()).copied().flatten();
                let Some(pivot) = pivot else { return self.rename_loose(*node, name) };
                let skeleton = self.chunk(pivot.skeleton)?;
                let mut view = w3d::view::HierarchyMut::new(skeleton).ok_or("its skeleton was not found")?;
                view.set_pivot_name(pivot.pivot, name).map_err(|error| error.to_string())
            }
            Edit::NodeMoved(node, rest) => self.move_pivot(*node, rest),
            Edit::MaterialChanged(material, index, changes) => {
                self.change_material(*material, *index, changes)
            }
            Edit::ClipRenamed(clip, name) => {
                let chunk = self.clip_chunk(*clip)?;
                let mut view =
                    w3d::view::AnimationMut::new(self.chunk(chunk)?).ok_or("its chunk was not found")?;
                view.set_name(name).map_err(|error| error.to_string())
            }
            Edit::ClipRemoved(clip) => {
                let chunk = self.clip_chunk(*clip)?;
                self.chunk(chunk)?;
                self.removed.push(chunk.index);
                Ok(())
            }
            // Clips are made together, later.
            Edit::ClipAdded(_) | Edit::MotionChanged(..) => Ok(()),
            Edit::NodeAdded(index) => {
                // The node of a new mesh comes with the mesh.
                let scene = self.inputs.edited.scene;
                let holds =
                    scene.meshes.iter().any(|mesh| mesh.node.is_some_and(|node| node.index() == *index));
                if holds { Ok(()) } else { self.add_pivot(*index).map(|_| ()) }
            }
            Edit::MeshAdded(index) => self.add_mesh(*index),
            Edit::NodeRemoved(node) => {
                let name = original.nodes.get(node.index()).map_or("", |node| &node.name);
                Err(format!(
                    "the pivot {name:?} stays: removing it would change the numbers in all files that use the skeleton"
                ))
            }
            Edit::NodeReparented(..) | Edit::ClipLength(..) | Edit::ObjectChanged(..) => {
                Err("cannot be applied to the original; convert without the original to get it".to_owned())
            }
        }
    }

    fn clip_chunk(&self, clip: scene::ClipId) -> Result<Chunk, String> {
        self.inputs
            .origins
            .clips
            .get(clip.index())
            .copied()
            .flatten()
            .ok_or_else(|| "its chunk was not found".to_owned())
    }

    /// The rest transforms of the original with those that were moved.
    fn rests(&self) -> (HashMap<NodeId, Transform>, Vec<glam::Affine3A>) {
        let moved: HashMap<NodeId, Transform> = self
            .inputs
            .comparison
            .edits
            .iter()
            .filter_map(|edit| match edit {
                Edit::NodeMoved(node, rest) => Some((*node, *rest)),
                _ => None,
            })
            .collect();
        let nodes = self.inputs.original.nodes.iter().enumerate();
        let rests: Vec<Transform> = nodes
            .map(|(index, node)| moved.get(&NodeId::from(index)).copied().unwrap_or(node.rest))
            .collect();
        let worlds = self.inputs.original.hierarchy().worlds(rests.iter());
        (moved, worlds)
    }

    /// Removes what goes, with the references to it.
    fn finish(&mut self) {
        let mut removed = std::mem::take(&mut self.removed);
        removed.sort_unstable();
        removed.dedup();
        let names: Vec<Vec<u8>> = removed
            .iter()
            .filter_map(|index| self.document.root.children().get(*index))
            .filter(|node| node.is(&w3d::table::MESH))
            .map(|node| w3d::Mesh(node).full_name().into_bytes())
            .collect();
        if let Some(children) = self.document.root.children_mut() {
            for index in removed.into_iter().rev() {
                if index < children.len() {
                    children.remove(index);
                }
            }
        }
        model::remove_references(&mut self.document.root, &names);
        if let Some(children) = self.document.root.children_mut() {
            // After the last mesh: models list their objects in the order of the meshes.
            let is_mesh = |node: &Node<'_>| node.is(&w3d::table::MESH);
            let place = children.iter().rposition(is_mesh).map_or(children.len(), |last| last + 1);
            children.splice(place..place, std::mem::take(&mut self.added));
        }
    }
}
