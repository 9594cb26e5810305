//! What is on nodes besides meshes, and only extras can say.

use super::{Edit, Matches, Side};
use scene::{NodeId, Scene};

pub(super) fn edits(base: &Side<'_>, edited: &Side<'_>, matches: &Matches, edits: &mut Vec<Edit>) {
    if !base.has_objects || !edited.has_objects {
        return;
    }
    let node = |node: NodeId| matches.nodes.get(node.index()).copied().flatten();
    macro_rules! compare {
        ($($kind:literal $list:ident)*) => {$({
            let (from, to) = (&base.scene.$list, &edited.scene.$list);
            let mut left: Vec<_> = to
                .iter()
                .map(|item| {
                    let mut item = item.clone();
                    item.node = node(item.node).map_or(NodeId(u32::MAX), NodeId::from);
                    Some(item)
                })
                .collect();
            for (index, item) in from.iter().enumerate() {
                // What is on a node that is gone goes with it.
                if matches.nodes_back.get(item.node.index()).copied().flatten().is_none() {
                    continue;
                }
                let mut order = (index..left.len()).chain(0..index.min(left.len()));
                match order.find(|other| left[*other].as_ref() == Some(item)) {
                    Some(other) => left[other] = None,
                    None => {
                        let place = name(base.scene, item.node);
                        edits.push(Edit::ObjectChanged($kind, format!("changed or removed on {place:?}")));
                    }
                }
            }
        })*};
    }
    compare!(
        "light" lights
        "attachment" attachments
        "event" events
        "collision shape" collision_shapes
        "particle emitter" emitters
        "ribbon" ribbons
        "primitive" primitives
        "dazzle" dazzles
        "sound" sounds
    );
}

fn name(scene: &Scene, node: NodeId) -> &str {
    scene.nodes.get(node.index()).map_or("", |node| &node.name)
}
