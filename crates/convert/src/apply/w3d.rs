//! Edits in a W3D document: the chunks of changed parts change, every other one keeps its bytes.

mod looks;
mod mesh;
mod model;
mod motion;
mod objects;
mod skin;

use super::{Edit, Inputs};
use crate::report::{Cause, Note, NoteKind, Report};
use crate::w3d::{Chunk, Origins, name_of};
use record::Node;
use scene::{MeshId, NodeId};
use w3d::W3d;

/// The documents of a model.
pub struct Documents<'d, 'a> {
    /// The model itself, then its companions in the order of the scene's library.
    pub all: Vec<&'d mut W3d<'a>>,
    /// Whether companions may change.
    pub companions: bool,
}

/// Makes the edits in the documents of a model. The report lists those that could not be made.
pub fn apply(documents: Documents<'_, '_>, inputs: &Inputs<'_>, origins: &Origins) -> Report {
    let mut author = Author {
        inputs,
        origins,
        documents: documents.all,
        companions: documents.companions,
        report: Report::default(),
        removed: Vec::new(),
        added: Vec::new(),
        added_pivots: Vec::new(),
    };
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
    /// Which chunks the parts of the original come from.
    origins: &'i Origins,
    /// The model, and its companions.
    documents: Vec<&'d mut W3d<'a>>,
    /// Whether companions may change.
    companions: bool,
    report: Report,
    /// Chunks that go.
    removed: Vec<Chunk>,
    /// New meshes.
    added: Vec<Node<'static>>,
    /// The nodes of the edited scene that are new pivots, and the numbers of these.
    added_pivots: Vec<(usize, usize)>,
}

impl<'a> Author<'_, 'a, '_> {
    fn refuse(&mut self, edit: &Edit, reason: &str) {
        let note = Note::new(NoteKind::Skipped, self.inputs.words(edit), reason);
        self.report.add(if reason == ELSEWHERE { note.because(Cause::OtherFile) } else { note });
    }

    /// The root of the model's own document.
    fn root(&mut self) -> Result<&mut Node<'a>, String> {
        self.documents
            .first_mut()
            .map(|document| &mut document.root)
            .ok_or_else(|| "there is no model".into())
    }

    /// The chunks of the model's own document.
    fn chunks(&self) -> &[Node<'a>] {
        self.documents.first().map_or(&[], |document| document.root.children())
    }

    /// A chunk of a document, unless it is in another file that may not change.
    fn chunk(&mut self, chunk: Chunk) -> Result<&mut Node<'a>, String> {
        let is_open = self.is_open(chunk);
        let document = self.documents.get_mut(chunk.document).filter(|_| is_open).ok_or(ELSEWHERE)?;
        let children = document.root.children_mut();
        children
            .and_then(|children| children.get_mut(chunk.index))
            .ok_or_else(|| "its chunk was not found".to_owned())
    }

    /// Whether a chunk may change.
    fn is_open(&self, chunk: Chunk) -> bool {
        chunk.document == 0 || self.companions
    }

    fn mesh_chunk(&self, mesh: MeshId) -> Result<Chunk, String> {
        self.origins
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
                let others = self.origins.meshes.iter().filter(|other| **other == Some(chunk)).count();
                if others > 1 {
                    return Err("several parts of the model share this mesh".to_owned());
                }
                self.removed.push(chunk);
                Ok(())
            }
            Edit::MeshRenamed(mesh, name) => {
                let chunk = self.mesh_chunk(*mesh)?;
                self.rename_mesh(chunk, name)
            }
            Edit::NodeRenamed(node, name) => {
                let pivot = self.origins.nodes.get(node.index()).copied().flatten();
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
                self.removed.push(chunk);
                Ok(())
            }
            // Clips are made together, later.
            Edit::ClipAdded(_) | Edit::ClipLength(..) | Edit::MotionChanged(..) | Edit::MotionAdded(..) => {
                Ok(())
            }
            Edit::NodeAdded(index) => {
                // The node of a new mesh comes with the mesh.
                match self.inputs.holds_mesh(*index) {
                    true => Ok(()),
                    false => self.add_pivot(*index).map(|_| ()),
                }
            }
            Edit::MeshAdded(index) => self.add_mesh(*index),
            Edit::NodeRemoved(node) => {
                let name = original.nodes.get(node.index()).map_or("", |node| &node.name);
                Err(format!(
                    "the pivot {name:?} stays: removing it would change the numbers in all files that use the skeleton"
                ))
            }
            Edit::NodeReparented(node, parent) => self.reparent(*node, *parent),
            Edit::ObjectChanged(object) => self.change_object(object),
            Edit::EventsChanged(..) | Edit::GlobalMotionChanged(..) => {
                Err("cannot be applied to the original; convert without the original to get it".to_owned())
            }
        }
    }

    fn clip_chunk(&self, clip: scene::ClipId) -> Result<Chunk, String> {
        self.origins
            .clips
            .get(clip.index())
            .copied()
            .flatten()
            .ok_or_else(|| "its chunk was not found".to_owned())
    }

    /// Where the nodes of the original are at rest after all moves; nothing if none was moved.
    fn moved_worlds(&self) -> Option<Vec<glam::Affine3A>> {
        let mut nodes: Vec<scene::Node> = Vec::new();
        for edit in &self.inputs.comparison.edits {
            if !matches!(edit, Edit::NodeMoved(..) | Edit::NodeReparented(..)) {
                continue;
            }
            if nodes.is_empty() {
                nodes.clone_from(&self.inputs.original.nodes);
            }
            match edit {
                Edit::NodeMoved(node, rest) => {
                    if let Some(node) = nodes.get_mut(node.index()) {
                        node.rest = *rest;
                    }
                }
                Edit::NodeReparented(node, parent) => {
                    let parent = parent.and_then(|parent| self.inputs.to_original(NodeId::from(parent)));
                    if let Some(node) = nodes.get_mut(node.index()) {
                        node.parent = parent;
                    }
                }
                _ => {}
            }
        }
        let hierarchy = scene::Hierarchy::new(&nodes);
        (!nodes.is_empty()).then(|| hierarchy.worlds(nodes.iter().map(|node| &node.rest)))
    }

    /// Removes what goes, with the references to it.
    fn finish(&mut self) {
        let mut removed = std::mem::take(&mut self.removed);
        removed.sort_unstable_by_key(|chunk| (chunk.document, chunk.index));
        removed.dedup();
        let mut names: Vec<Vec<u8>> = Vec::new();
        for chunk in removed.into_iter().rev() {
            let children = self.documents.get_mut(chunk.document).and_then(|found| found.root.children_mut());
            let Some(children) = children.filter(|children| chunk.index < children.len()) else { continue };
            let node = children.remove(chunk.index);
            let name = name_of(&node);
            if is_placed(&node) && !name.is_empty() {
                names.push(name);
            }
        }
        for document in &mut self.documents {
            model::remove_references(&mut document.root, &names);
        }
        let added = std::mem::take(&mut self.added);
        if let Some(children) = self.root().ok().and_then(Node::children_mut).filter(|_| !added.is_empty()) {
            // After the last mesh: models list their objects in the order of the meshes.
            let is_mesh = |node: &Node<'_>| node.is(&w3d::table::MESH);
            let place = children.iter().rposition(is_mesh).map_or(children.len(), |last| last + 1);
            children.splice(place..place, added);
        }
    }
}

const ELSEWHERE: &str = "it is in another file, which stays as it is";

/// Whether models refer to a chunk by its name.
fn is_placed(node: &Node<'_>) -> bool {
    use w3d::table;
    let kinds = [&table::MESH, table::BOX.row, &table::EMITTER, &table::DAZZLE, &table::SPHERE, &table::RING];
    kinds.into_iter().any(|kind| node.is(kind))
}
