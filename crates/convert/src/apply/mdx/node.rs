//! Moved, reparented and removed nodes.

use super::super::Edit;
use super::Author;
use crate::author::mdx::space;
use glam::Vec3;
use mdx::kinds;
use mdx::records::{NodeHeader, SkinVertex};
use mdx::view::{NodeKind, Object, Track};
use record::{Node, U32};
use scene::NodeId;

impl Author<'_, '_, '_> {
    /// The object ids of all nodes, in the order of the scene.
    pub(super) fn ids(&self) -> Vec<i32> {
        self.document.view().nodes().map(|object| object.id()).collect()
    }

    /// The place of a node of the original among the nodes of the document, which has new ones behind its bones.
    pub(super) fn position(&self, node: NodeId) -> usize {
        if node.index() >= self.first_added { node.index() + self.added.len() } else { node.index() }
    }

    /// The place of a new bone among the nodes of the document.
    pub(super) fn added_position(&self, index: usize) -> Option<usize> {
        Some(self.first_added + self.added.iter().position(|added| *added == index)?)
    }

    /// Gives all nodes other numbers, wherever they are referred to.
    pub(super) fn renumber(&mut self, now: &dyn Fn(i32) -> i32) {
        for chunk in self.document.root.children_mut().into_iter().flatten() {
            for child in chunk.children_mut().into_iter().flatten() {
                let Some(header) = child
                    .child_mut(&kinds::NODE)
                    .and_then(Node::children_mut)
                    .and_then(|parts| parts.first_mut())
                else {
                    continue;
                };
                let Some(known) = header.value::<NodeHeader>() else { continue };
                let (own, above) = (known.object_id.get(), known.parent_id.get());
                let wanted = (now(own), if above < 0 { above } else { now(above) });
                if wanted != (own, above)
                    && let Some(header) = header.value_mut::<NodeHeader>()
                {
                    header.object_id.set(wanted.0);
                    header.parent_id.set(wanted.1);
                }
            }
        }
        for geoset in self.document.geosets_mut() {
            let changes = |own: &U32| now(own.get().cast_signed()) != own.get().cast_signed();
            if let Some(matrices) = geoset.node.child_mut(&kinds::MATS)
                && matrices.values::<U32>().iter().any(changes)
            {
                for own in matrices.values_mut::<U32>() {
                    own.set(u32::try_from(now(own.get().cast_signed())).unwrap_or(0));
                }
            }
        }
    }

    /// Moves the pivots of a node and of all that moved with it. Pivots are in model space, so the edited scene says where they are.
    pub(super) fn move_pivots(&mut self, node: NodeId) -> Result<(), String> {
        let inputs = self.inputs;
        let (before, now) = (inputs.original.rest_worlds(), inputs.edited_worlds());
        let bounds = inputs.original.rest_bounds();
        let size = bounds.map_or(1.0, |bounds| bounds.min.distance(bounds.max).max(1.0));
        let ids = self.ids();
        let mut moved: Vec<(usize, Vec3)> = Vec::new();
        let mut is_turned = false;
        for (base, found) in inputs.comparison.matches.nodes_back.iter().enumerate() {
            let (Some(id), Some(edited)) = (inputs.base.nodes.get(base).copied().flatten(), found) else {
                continue;
            };
            let (Some(a), Some(b)) = (before.get(id.index()), now.get(*edited)) else { continue };
            let place = Vec3::from(b.translation);
            if Vec3::from(a.translation).distance(place) > 2e-5 * size
                && let Some(pivot) = ids.get(self.position(id)).and_then(|id| usize::try_from(*id).ok())
            {
                moved.push((pivot, place));
            }
            is_turned |= id == node && !a.matrix3.abs_diff_eq(b.matrix3, 1e-3);
        }
        let pivots = self.document.root.get_mut(kinds::PIVT);
        for (pivot, place) in moved {
            if let Some(value) = pivots.get_mut(pivot) {
                *value = space::vector(place);
            }
        }
        match is_turned {
            true => {
                Err("MDX has no rotation or scale at rest: the place was changed, the rest not".to_owned())
            }
            false => Ok(()),
        }
    }

    pub(super) fn reparent(&mut self, node: NodeId, parent: Option<usize>) -> Result<(), String> {
        let known = parent.and_then(|parent| self.inputs.to_original(NodeId::from(parent)));
        // Children of a node that goes are given to the node above when it does.
        if known.is_none() && parent.is_some() {
            return Err("its new parent is not in the original".to_owned());
        }
        let ids = self.ids();
        let id = known.and_then(|known| ids.get(self.position(known)).copied());
        let place = self.position(node);
        let mut object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        object.set_parent(id).map_err(|error| error.to_string())
    }

    /// Removes nodes; what refers to them refers to the nodes above them.
    pub(super) fn remove_nodes(&mut self) {
        let mut gone = std::mem::take(&mut self.gone);
        gone.sort_unstable();
        for node in gone.into_iter().rev() {
            if let Err(reason) = self.remove_node(node) {
                self.refuse(&Edit::NodeRemoved(node), &reason);
            }
        }
    }

    /// Whether vertices follow an object.
    fn moves_vertices(&self, id: i32) -> bool {
        let is_it = |own: &U32| own.get().cast_signed() == id;
        let mut lists = self.document.view().geosets().filter_map(|geoset| geoset.node.child(&kinds::MATS));
        lists.any(|list| list.values::<U32>().iter().any(is_it))
    }

    /// A bone that goes, but whose vertices then would follow something that is not a bone: without motion of its own it follows that.
    fn hold_still(&mut self, node: NodeId) -> Result<(), String> {
        let place = self.position(node);
        let object = self.document.nodes_mut().nth(place).ok_or("its object was not found")?;
        let parts = object.object.child_mut(&kinds::NODE).and_then(Node::children_mut);
        parts.ok_or("its object was not found")?.retain(|part| Track::new(part).is_none());
        Err("the bone stays without motion, because the node above it is not a bone and cannot have vertices"
            .to_owned())
    }

    fn remove_node(&mut self, node: NodeId) -> Result<(), String> {
        self.is_classic()?;
        let view = self.document.view();
        let objects: Vec<Object<'_>> = view.nodes().collect();
        let object = objects.get(self.position(node)).ok_or("its object was not found")?;
        let (id, parent) = (object.id(), object.parent());
        let mut ids: Vec<i32> = objects.iter().map(Object::id).collect();
        ids.sort_unstable();
        if !ids.iter().enumerate().all(|(index, id)| usize::try_from(*id) == Ok(index)) {
            return Err("the numbers of the model's nodes have gaps".to_owned());
        }
        let bones: Vec<i32> =
            objects.iter().filter(|object| object.kind == NodeKind::Bone).map(Object::id).collect();
        let bone = bones.iter().position(|bone| *bone == id);
        let heir = parent.and_then(|parent| bones.iter().position(|bone| *bone == parent));
        let is_child = object.kind == NodeKind::Bone && parent.is_none();
        // Vertices follow bones only.
        let needs_bone = object.kind == NodeKind::Bone && parent.is_some() && heir.is_none();
        drop(objects);
        if needs_bone && self.moves_vertices(id) {
            return self.hold_still(node);
        }
        let renumbered = |own: i32| match own {
            own if own == id => parent.map_or(-1, |parent| if parent > id { parent - 1 } else { parent }),
            own if own > id => own - 1,
            own => own,
        };
        for chunk in self.document.root.children_mut().into_iter().flatten() {
            if let Some(children) = chunk.children_mut() {
                children.retain(|child| Object::new(child).is_none_or(|object| object.id() != id));
            }
        }
        self.renumber(&renumbered);
        if let Some(chunks) = self.document.root.children_mut() {
            let is_list = |chunk: &Node<'_>| mdx_lists().iter().any(|kind| chunk.is(kind));
            chunks.retain(|chunk| !(is_list(chunk) && chunk.children().is_empty()));
        }
        let index = usize::try_from(id).unwrap_or(usize::MAX);
        let mut pivots = self.document.view().pivots().to_vec();
        if index < pivots.len() {
            pivots.remove(index);
            if let Some(chunk) = self.document.root.child_mut(&kinds::PIVT) {
                chunk.set_values(&pivots).ok_or("the pivots cannot be written")?;
            }
        }
        let mut binds = self.document.view().bind_poses().to_vec();
        if index < binds.len() {
            binds.remove(index);
            if let Some(chunk) = self.document.root.child_mut(&kinds::BPOS) {
                chunk.set_values(&binds).ok_or("the bind poses cannot be written")?;
            }
        }
        for geoset in self.document.geosets_mut() {
            let Some(bone) = bone else { continue };
            if let Some(skin) = geoset.node.child_mut(&kinds::SKIN) {
                let lowered = |own: u8| match usize::from(own) {
                    own if own == bone => heir.map_or(0, |heir| if heir > bone { heir - 1 } else { heir }),
                    own if own > bone => own - 1,
                    own => own,
                };
                for vertex in skin
                    .bytes_mut()
                    .into_iter()
                    .flat_map(|bytes| bytes.chunks_exact_mut(size_of::<SkinVertex>()))
                {
                    vertex[..4].iter_mut().for_each(|own| *own = u8::try_from(lowered(*own)).unwrap_or(0));
                }
            }
        }
        match is_child {
            true => Err("it had no node above it: its vertices follow the first node now".to_owned()),
            false => Ok(()),
        }
    }
}

/// The chunks that hold nodes.
fn mdx_lists() -> [&'static record::Kind; 10] {
    [
        &kinds::BONE,
        &kinds::LITE,
        &kinds::HELP,
        &kinds::ATCH,
        &kinds::PREM,
        &kinds::PRE2,
        &kinds::CORN,
        &kinds::RIBB,
        &kinds::EVTS,
        &kinds::CLID,
    ]
}
