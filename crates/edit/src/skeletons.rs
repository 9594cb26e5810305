//! The skeletons of a W3D file, and which objects are on them.

use std::collections::HashMap;

use record::Node;
use w3d::records::Pivot;
use w3d::{Hierarchy, table};

use crate::references::w3d as references;
use crate::space::Placement;

/// The skeletons of a file at rest.
pub(crate) struct Skeletons {
    /// Where each bone is, by skeleton in lower case.
    worlds: HashMap<String, Vec<Placement>>,
    /// The skeleton of each object that a model refers to, both in lower case.
    of_objects: HashMap<String, String>,
}

impl Skeletons {
    pub(crate) fn of(root: &Node<'_>) -> Self {
        let mut worlds = HashMap::new();
        let mut of_objects = HashMap::new();
        for chunk in root.children() {
            if let Some(hierarchy) = Hierarchy::new(chunk) {
                worlds.insert(hierarchy.name().to_ascii_lowercase(), rest(hierarchy.pivots()));
            } else if (chunk.is(&table::HLOD) || chunk.is(&table::HMODEL))
                && let Some(skeleton) = references::skeleton_of(chunk)
            {
                for object in references::objects_of_model(chunk) {
                    of_objects.insert(object, skeleton.to_ascii_lowercase());
                }
            }
        }
        Self { worlds, of_objects }
    }

    /// Where the bones are that an object is on; `None` if its skeleton is in another file.
    pub(crate) fn worlds_for(&self, object: &str) -> Option<Vec<Placement>> {
        let skeleton = self.of_objects.get(&object.to_ascii_lowercase())?;
        self.worlds.get(skeleton).cloned()
    }
}

/// Where each bone of a skeleton is at rest. The root itself stands at the origin, as in the engines, which replace its transform.
pub(crate) fn rest(pivots: &[Pivot]) -> Vec<Placement> {
    let mut worlds: Vec<Placement> = Vec::with_capacity(pivots.len());
    for (index, pivot) in pivots.iter().enumerate() {
        let parent = pivot.parent().and_then(|parent| usize::try_from(parent).ok());
        let world = match parent.filter(|parent| *parent < index).and_then(|parent| worlds.get(parent)) {
            Some(parent) => parent.then(Placement::of_pivot(pivot)),
            None => Placement::IDENTITY,
        };
        worlds.push(world);
    }
    worlds
}
