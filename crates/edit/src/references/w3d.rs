//! References of W3D files: objects by full name, pivots by number.

use std::collections::HashSet;

use record::{Node, U16, U32};
use w3d::records::*;
use w3d::table;

use super::{each, lessen};

/// Removes references to objects from models, collections and aggregates, and updates their counts. Returns the number of removed
/// references.
pub(crate) fn remove_objects(root: &mut Node<'_>, is_gone: &dyn Fn(&str) -> bool) -> usize {
    let mut removed = 0;
    each(root, &mut |node| {
        let model = node.child(&table::HMODEL_HEADER).and_then(|header| header.value::<HModelHeader>());
        let model = model.map(|header| header.name.to_string());
        let full = |name: String| match &model {
            Some(model) => format!("{model}.{name}"),
            None => name,
        };
        let is_reference = |child: &Node<'_>| {
            if let Some(object) = child.value::<HlodSubObject>() {
                return is_gone(&object.name.to_string());
            }
            if let Some(node) = child.value::<HModelNode>() {
                return is_gone(&full(node.render_obj_name.to_string()));
            }
            if let Some(level) = child.value::<Lod>() {
                return is_gone(&level.render_obj_name.to_string());
            }
            child.is(&table::COLLECTION_OBJ_NAME)
                && child.text().is_some_and(|name| is_gone(&record::decode(name)))
        };
        if node.is(&table::AGGREGATE_INFO) {
            removed += aggregate(node, is_gone);
            return;
        }
        let Some(children) = node.children_mut() else { return };
        let before = children.len();
        children.retain(|child| !is_reference(child));
        let gone = before - children.len();
        if gone == 0 {
            return;
        }
        removed += gone;
        let less = u16::try_from(gone).unwrap_or(u16::MAX);
        if let Some(header) =
            node.child_mut(&table::HLOD_SUB_OBJECT_ARRAY_HEADER).and_then(Node::value_mut::<HlodArrayHeader>)
        {
            lessen(&mut header.model_count, gone);
        } else if let Some(header) =
            node.child_mut(&table::HMODEL_HEADER).and_then(Node::value_mut::<HModelHeader>)
        {
            header.num_connections.set(header.num_connections.get().saturating_sub(less));
        } else if let Some(header) =
            node.child_mut(&table::LODMODEL_HEADER).and_then(Node::value_mut::<LodModelHeader>)
        {
            header.num_lods.set(header.num_lods.get().saturating_sub(less));
        } else if let Some(header) =
            node.child_mut(&table::COLLECTION_HEADER).and_then(Node::value_mut::<CollectionHeader>)
        {
            lessen(&mut header.render_object_count, gone);
        }
    });
    removed
}

fn aggregate(info: &mut Node<'_>, is_gone: &dyn Fn(&str) -> bool) -> usize {
    let all = info.values::<AggregateSubobject>();
    let kept: Vec<AggregateSubobject> =
        all.iter().filter(|object| !is_gone(&object.subobject_name.to_string())).copied().collect();
    let gone = all.len() - kept.len();
    if gone > 0 {
        info.set_values(&kept);
        if let Some(header) = info.value_mut::<AggregateInfo>() {
            lessen(&mut header.subobject_count, gone);
        }
    }
    gone
}

/// Calls `see` with every object that a model, collection or aggregate refers to.
pub(crate) fn each_object(root: &Node<'_>, see: &mut dyn FnMut(&str)) {
    root.walk(&mut |place| {
        let node = place.node;
        if let Some(object) = node.value::<HlodSubObject>() {
            see(&object.name.to_string());
        } else if let Some(level) = node.value::<Lod>() {
            see(&level.render_obj_name.to_string());
        } else if node.is(&table::COLLECTION_OBJ_NAME) {
            see(&record::decode(node.text().unwrap_or_default()));
        } else if node.is(&table::AGGREGATE_INFO) {
            node.values::<AggregateSubobject>()
                .iter()
                .for_each(|object| see(&object.subobject_name.to_string()));
        }
    });
}

/// The skeleton that a chunk belongs to: that of a model or an animation.
pub(crate) fn skeleton_of(chunk: &Node<'_>) -> Option<String> {
    for child in chunk.children() {
        if let Some(header) = child.value::<HlodHeader>() {
            return Some(header.hierarchy_name.to_string());
        } else if let Some(header) = child.value::<HModelHeader>() {
            return Some(header.hierarchy_name.to_string());
        } else if let Some(header) = child.value::<AnimationHeader>() {
            return Some(header.hierarchy_name.to_string());
        } else if let Some(header) = child.value::<CompressedAnimationHeader>() {
            return Some(header.hierarchy_name.to_string());
        } else if let Some(header) = child.value::<MorphAnimHeader>() {
            return Some(header.hierarchy_name.to_string());
        }
    }
    None
}

/// The full names of the objects that a model refers to, in lower case.
pub(crate) fn objects_of_model(model: &Node<'_>) -> HashSet<String> {
    let container = model.get(table::HMODEL_HEADER).map(|header| header.name.to_string()).unwrap_or_default();
    let mut names = HashSet::new();
    model.walk(&mut |place| {
        if let Some(object) = place.node.value::<HlodSubObject>() {
            names.insert(object.name.to_string().to_ascii_lowercase());
        } else if let Some(node) = place.node.value::<HModelNode>() {
            names.insert(format!("{container}.{}", node.render_obj_name).to_ascii_lowercase());
        }
    });
    names
}

/// The full names of the objects that the models of a skeleton refer to, in lower case.
pub(crate) fn objects_of_skeleton(root: &Node<'_>, skeleton: &str) -> HashSet<String> {
    let models = root.children().iter().filter(|chunk| chunk.is(&table::HLOD) || chunk.is(&table::HMODEL));
    let is_own =
        |model: &&Node<'_>| skeleton_of(model).is_some_and(|name| name.eq_ignore_ascii_case(skeleton));
    models.filter(is_own).flat_map(objects_of_model).collect()
}

/// Renumbers the pivots of a skeleton in its models and animations, and in the skins of its models. Channels of pivots without a new
/// number are removed.
pub(crate) fn pivots(root: &mut Node<'_>, skeleton: &str, new: &dyn Fn(u32) -> Option<u32>) {
    let skins = objects_of_skeleton(root, skeleton);
    let is_own =
        |chunk: &Node<'_>| skeleton_of(chunk).is_some_and(|name| name.eq_ignore_ascii_case(skeleton));
    let Some(chunks) = root.children_mut() else { return };
    for chunk in chunks.iter_mut() {
        if chunk.is(&table::MESH) || chunk.is(&table::SHDMESH) {
            let name = crate::select::object_name(chunk).unwrap_or_default().to_ascii_lowercase();
            if skins.contains(&name) {
                each(chunk, &mut |node| influences(node, new));
            }
        } else if is_own(chunk) {
            if let Some(children) = chunk.children_mut() {
                children.retain_mut(|child| channel(child, new));
            }
            each(chunk, &mut |node| objects(node, new));
        }
    }
}

fn number(old: u16, new: &dyn Fn(u32) -> Option<u32>) -> Option<u16> {
    new(old.into()).and_then(|new| u16::try_from(new).ok())
}

/// Renumbers the pivot of a channel; `false` if it has none any more.
fn channel(node: &mut Node<'_>, new: &dyn Fn(u32) -> Option<u32>) -> bool {
    macro_rules! channels {
        ($($record:ident)*) => { $(
            if let Some(header) = node.value_mut::<$record>() {
                return match number(header.pivot.get(), new) {
                    Some(pivot) => {
                        header.pivot.set(pivot);
                        true
                    }
                    None => false,
                };
            }
        )* };
    }
    channels!(AnimationChannel BitChannel TimeCodedChannel AdaptiveDeltaChannel CompressedBitChannel MotionChannel);
    true
}

fn objects(node: &mut Node<'_>, new: &dyn Fn(u32) -> Option<u32>) {
    if let Some(object) = node.value_mut::<HlodSubObject>() {
        let old = object.bone_index.get();
        object.bone_index = U32::new(new(old).unwrap_or(old));
    } else if let Some(object) = node.value_mut::<HModelNode>() {
        let old = object.pivot_idx.get();
        object.pivot_idx = U16::new(number(old, new).unwrap_or(old));
    }
}

fn influences(node: &mut Node<'_>, new: &dyn Fn(u32) -> Option<u32>) {
    if node.is(&table::SHDSUBMESH_VERTEX_INFLUENCES) {
        for bone in node.values_mut::<u8>() {
            *bone = new((*bone).into()).and_then(|new| u8::try_from(new).ok()).unwrap_or(*bone);
        }
        return;
    }
    for influence in node.values_mut::<VertexInfluence>() {
        let weighted = influence.weight[1].get() != 0;
        for bone in influence.bone_idx.iter_mut().take(if weighted { 2 } else { 1 }) {
            bone.set(number(bone.get(), new).unwrap_or(bone.get()));
        }
    }
    for influence in node.values_mut::<VertexInfluenceExtended>() {
        for bone in &mut influence.bone_idx {
            bone.set(number(bone.get(), new).unwrap_or(bone.get()));
        }
    }
}
