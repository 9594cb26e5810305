//! Which chunks the parts of a scene come from.

use record::Node;
use scene::NodeId;
use std::collections::HashMap;

use super::Library;
use crate::object_kind::ObjectKind;

/// For each part of a scene the chunk that it comes from. Parts that no chunk has by itself, such as the node of an attachment, have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The pivot of each node.
    pub nodes: Vec<Option<Pivot>>,
    /// The chunk of each mesh.
    pub meshes: Vec<Option<Chunk>>,
    /// The animation of each clip.
    pub clips: Vec<Option<Chunk>>,
    /// The chunks of objects that are not meshes: the list of the scene, the position in it, the chunk.
    pub objects: HashMap<(ObjectKind, usize), Chunk>,
}

/// A chunk of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The position of the document in [`Library::documents`]; the main document is the first.
    pub document: usize,
    /// The position of the chunk among those of the document.
    pub index: usize,
}

/// A pivot of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pivot {
    /// The skeleton's chunk.
    pub skeleton: Chunk,
    /// The pivot's position in the skeleton.
    pub pivot: usize,
}

/// What is noted down while a scene is made.
#[derive(Default)]
pub(super) struct Tracer<'n> {
    pub(super) nodes: Vec<(NodeId, &'n Node<'n>, usize)>,
    pub(super) meshes: Vec<&'n Node<'n>>,
    pub(super) clips: Vec<&'n Node<'n>>,
    pub(super) objects: Vec<(ObjectKind, usize, &'n Node<'n>)>,
}

impl<'n> Tracer<'n> {
    pub(super) fn finish(self, library: &Library<'n>, nodes: usize) -> Origins {
        let chunk = |node: &'n Node<'n>| {
            library.documents().iter().enumerate().find_map(|(document, w3d)| {
                let index = w3d.root.children().iter().position(|child| std::ptr::eq(child, node))?;
                Some(Chunk { document, index })
            })
        };
        let mut origins = Origins { nodes: vec![None; nodes], ..Origins::default() };
        let mut last: Option<(&'n Node<'n>, Option<Chunk>)> = None;
        for (id, skeleton, pivot) in self.nodes {
            // Pivots of one skeleton come one after the other.
            let found = match last {
                Some((known, found)) if std::ptr::eq(known, skeleton) => found,
                _ => chunk(skeleton),
            };
            last = Some((skeleton, found));
            if let Some(node) = origins.nodes.get_mut(id.index()) {
                *node = found.map(|skeleton| Pivot { skeleton, pivot });
            }
        }
        origins.meshes = self.meshes.into_iter().map(chunk).collect();
        origins.clips = self.clips.into_iter().map(chunk).collect();
        let objects = self.objects.into_iter();
        origins.objects =
            objects.filter_map(|(kind, index, node)| Some(((kind, index), chunk(node)?))).collect();
        origins
    }
}
