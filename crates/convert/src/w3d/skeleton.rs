//! Skeletons: pivots to nodes.

use std::collections::HashMap;

use glam::Affine3A;
use record::Node;
use scene::{NodeId, Transform};
use w3d::Hierarchy;
use w3d::names::Version;

use super::{Converter, NoteKind, Place, library, space};

/// A skeleton in the scene.
pub(super) struct Skeleton {
    /// Its name, with any trailing spaces; compare it with [`library::same_name`].
    pub(super) name: String,
    /// The nodes of its pivots.
    pub(super) nodes: Vec<NodeId>,
    /// The pivots' world matrices in the base pose.
    pub(super) worlds: Vec<Affine3A>,
    /// Nodes of objects on a pivot: they are shown and hidden with it.
    pub(super) carriers: HashMap<usize, Vec<NodeId>>,
}

impl Skeleton {
    /// The pivot of this number.
    pub(super) fn place(&self, index: usize, pivot: usize) -> Option<Place> {
        Some(Place {
            node: *self.nodes.get(pivot)?,
            world: *self.worlds.get(pivot)?,
            skeleton: Some(index),
            pivot,
        })
    }

    /// The pivot of this name.
    pub(super) fn pivot(&self, scene: &scene::Scene, name: &str) -> Option<usize> {
        let is = |node: &NodeId| library::same_name(&scene.nodes[node.index()].name, name);
        self.nodes.iter().position(is)
    }
}

/// Before version 3.0 there was no root pivot, and every index was one lower (docs/formats/w3d/hierarchy.md#pivots).
pub(crate) fn lacks_root(version: Version) -> bool {
    version.major() < 3
}

impl<'n> Converter<'_, 'n> {
    /// Places the skeleton of this name; one of a single pivot, as the engine has for objects without any, if there is no such
    /// skeleton. The result is its position in [`Converter::skeletons`].
    pub(super) fn skeleton(&mut self, name: &str, place: Option<Place>, user: &Node<'_>) -> usize {
        let hierarchy = self.library.hierarchy(name);
        if hierarchy.is_none() && !name.is_empty() {
            self.missing(user, name, format!("skeleton {name:?} not found"));
        }
        self.place_skeleton(name, hierarchy, place)
    }

    pub(super) fn place_skeleton(
        &mut self,
        name: &str,
        hierarchy: Option<Hierarchy<'n>>,
        place: Option<Place>,
    ) -> usize {
        let mut pivots = hierarchy.map(|hierarchy| hierarchy.pivots()).unwrap_or_default();
        let has_room = hierarchy.is_none_or(|hierarchy| self.has_room(pivots.len(), 0, hierarchy.0));
        if !has_room || !self.afford(size_of_val(pivots)) {
            pivots = &[];
        }
        let old = hierarchy
            .and_then(|hierarchy| hierarchy.header())
            .is_some_and(|header| lacks_root(header.version));
        let shift = usize::from(old || pivots.is_empty());
        let mut skeleton = Skeleton {
            name: name.to_owned(),
            nodes: Vec::with_capacity(pivots.len() + shift),
            worlds: Vec::with_capacity(pivots.len() + shift),
            carriers: HashMap::new(),
        };
        let outer = place.map_or(Affine3A::IDENTITY, |place| place.world);
        if shift > 0 {
            skeleton.nodes.push(self.add_node(
                "ROOTTRANSFORM".to_owned(),
                place.map(|place| place.node),
                Transform::IDENTITY,
            ));
            skeleton.worlds.push(outer);
        }
        for (index, pivot) in pivots.iter().enumerate() {
            let index = index + shift;
            let name = pivot.name.to_string();
            if let Some(hierarchy) = hierarchy {
                let next = NodeId::from(self.scene.nodes.len());
                self.tracer.nodes.push((next, hierarchy.0, index - shift));
            }
            if index == 0 {
                // The engine puts the object's own transform in the place of pivot 0 (docs/formats/w3d/hierarchy.md#pivots).
                skeleton.nodes.push(self.add_node(name, place.map(|place| place.node), Transform::IDENTITY));
                skeleton.worlds.push(outer);
                continue;
            }
            let parent = pivot.parent().map_or(0, |parent| parent as usize + shift);
            if parent >= index {
                let message =
                    format!("pivot {index} {name:?} comes before its parent {parent}; attached to the root");
                self.report.note(NoteKind::Damaged, &format!("HIERARCHY {:?}", skeleton.name), message);
            }
            let parent = if parent < index { parent } else { 0 };
            let rotation = space::rotation(pivot.rotation.get()).unwrap_or_else(|| {
                let message = format!("the rotation of pivot {index} {name:?} is invalid; none used");
                self.report.note(NoteKind::Damaged, &format!("HIERARCHY {:?}", skeleton.name), message);
                glam::Quat::IDENTITY
            });
            let rest =
                Transform { translation: space::vector(pivot.translation), rotation, ..Transform::IDENTITY };
            skeleton.worlds.push(skeleton.worlds[parent] * rest.matrix());
            skeleton.nodes.push(self.add_node(name, Some(skeleton.nodes[parent]), rest));
        }
        self.skeletons.push(skeleton);
        self.skeletons.len() - 1
    }
}
