//! References of parts of a file to others by name: skeletons, objects, textures.

use record::{Node, Pod, decode};

use crate::records::{
    AggregateInfo, AggregateSubobject, EmitterInfo, HModelHeader, HModelNode, HlodHeader, Lod, RingDef,
    SphereDef,
};
use crate::table::{self, ring, sphere};
use crate::{Animation, Chunk, Hierarchy, Hlod, Mesh};

fn child_value<'n, T: Pod>(node: &'n Node<'_>, chunk: &'static Chunk) -> Option<&'n T> {
    node.child(chunk)?.value()
}

/// Whether a node is an animation of a skeleton, raw or compressed.
pub fn is_animation(node: &Node<'_>) -> bool {
    node.is(&table::ANIMATION) || node.is(&table::COMPRESSED_ANIMATION)
}

/// Name of the skeleton that a model or animation uses; for a skeleton, its own name.
///
/// ```
/// let bytes = meshwright_w3d::sample::crate_box();
/// let file = meshwright_w3d::W3d::parse(&bytes)?;
/// let hlod = file.hlods().next().unwrap();
/// assert_eq!(meshwright_w3d::references::skeleton_name(hlod.0).as_deref(), Some("MWCRATE"));
/// # Ok::<(), record::Error>(())
/// ```
pub fn skeleton_name(node: &Node<'_>) -> Option<String> {
    if node.is(&table::HLOD) {
        let header = child_value::<HlodHeader>(node, &table::HLOD_HEADER)?;
        Some(header.hierarchy_name.to_string())
    } else if node.is(&table::HMODEL) {
        let header = child_value::<HModelHeader>(node, &table::HMODEL_HEADER)?;
        Some(header.hierarchy_name.to_string())
    } else if node.is(&table::HIERARCHY) {
        Some(Hierarchy(node).name())
    } else if is_animation(node) {
        Some(Animation(node).hierarchy_name())
    } else {
        None
    }
}

/// The full names of the objects that a model places: an HLOD, a hierarchy model, a level-of-detail model, a collection or an
/// aggregate. Proxies are excluded: their names belong to the application.
pub fn placed_objects(model: &Node<'_>) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    if model.is(&table::HLOD) {
        let hlod = Hlod(model);
        let arrays = hlod.levels().chain(hlod.aggregates());
        names.extend(arrays.flat_map(|array| array.sub_objects()).map(|object| object.name.text().to_vec()));
    } else if model.is(&table::HMODEL) {
        let header = child_value::<HModelHeader>(model, &table::HMODEL_HEADER);
        let name = header.map(|header| header.name.text()).unwrap_or_default();
        let objects = model.children().iter().filter_map(Node::value::<HModelNode>);
        names.extend(objects.map(|object| [name, b".", object.render_obj_name.text()].concat()));
    } else if model.is(&table::LODMODEL) {
        let lods = model.all(&table::LOD).filter_map(Node::value::<Lod>);
        names.extend(lods.map(|lod| lod.render_obj_name.text().to_vec()));
    } else if model.is(&table::COLLECTION) {
        let objects = model.all(&table::COLLECTION_OBJ_NAME).filter_map(Node::text);
        names.extend(objects.map(<[u8]>::to_vec));
    } else if let Some(info) = model.child(&table::AGGREGATE_INFO) {
        names.extend(info.value::<AggregateInfo>().map(|info| info.base_model_name.text().to_vec()));
        let objects = info.values::<AggregateSubobject>();
        names.extend(objects.iter().map(|object| object.subobject_name.text().to_vec()));
    }
    names
}

/// The textures that an object at the top of a file names, in file order.
pub fn texture_names(object: &Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    if object.is(&table::MESH) {
        names = Mesh(object).texture_names();
    } else if object.is(&table::EMITTER) {
        let info = child_value::<EmitterInfo>(object, &table::EMITTER_INFO);
        names.extend(info.map(|info| info.texture_filename.to_string()));
    } else if object.is(&table::SPHERE) {
        let def = child_value::<SphereDef>(object, &sphere::SPHERE_DEF);
        names.extend(def.map(|def| def.texture_name.to_string()));
    } else if object.is(&table::RING) {
        let def = child_value::<RingDef>(object, &ring::RING_DEF);
        names.extend(def.map(|def| def.texture_name.to_string()));
    } else if object.is(&table::SHDMESH) {
        object.walk(&mut |place| {
            let name = place.node.kind.name;
            if name == "TEXTURE" || name == "BUMPMAP" || name.starts_with("LEGACY_TEXTURE") {
                names.extend(place.node.text().map(|text| decode(text).into_owned()));
            }
        });
    }
    names.retain(|name| !name.is_empty());
    names
}
