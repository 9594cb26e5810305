//! The parts of W3D files.

use record::Node;
use w3d::records::{CollisionBox, MeshHeader3, NullObject, Pivot};
use w3d::{Animation, table};

use super::{Collector, Part, PartKind};

/// The full name of an object that others refer to by name; `None` for other chunks.
pub(crate) fn object_name(chunk: &Node<'_>) -> Option<String> {
    let text = |kind: &record::Kind| {
        let name = chunk.child(kind)?.text()?;
        Some(record::decode(name).into_owned())
    };
    if chunk.is(&table::MESH) {
        let header = chunk.child(&table::MESH_HEADER3)?.value::<MeshHeader3>();
        return header.map(MeshHeader3::full_name);
    }
    if let Some(shape) = chunk.value::<CollisionBox>() {
        return Some(shape.name.to_string());
    }
    if let Some(object) = chunk.value::<NullObject>() {
        return Some(object.name.to_string());
    }
    if chunk.is(&table::DAZZLE) {
        return text(&table::DAZZLE_NAME);
    }
    if chunk.is(&table::SHDMESH) {
        return text(&table::SHDMESH_NAME);
    }
    let labelled = [&table::EMITTER, &table::SPHERE, &table::RING, &table::SOUNDROBJ];
    labelled.iter().any(|kind| chunk.is(kind)).then(|| chunk.label()).flatten()
}

/// The name without its container.
pub(crate) fn short_name(full: &str) -> &str {
    full.split_once('.').map_or(full, |(_, name)| name)
}

pub(super) fn parts(root: &Node<'_>) -> Vec<Part> {
    let mut found = Collector::default();
    for (at, chunk) in root.children().iter().enumerate() {
        let mesh = object_name(chunk).filter(|name| !name.is_empty());
        if let Some(full) = &mesh {
            let kind = if chunk.is(&table::BOX) {
                PartKind::Collision
            } else if chunk.is(&table::EMITTER) {
                PartKind::Emitter
            } else {
                PartKind::Mesh
            };
            found.add(kind, short_name(full).to_owned(), full.clone(), &[at], None);
        }
        if let Some(clip) = Animation::new(chunk) {
            let full = format!("{}.{}", clip.hierarchy_name(), clip.name());
            found.add(PartKind::Clip, clip.name(), full, &[at], None);
        } else if chunk.is(&table::MORPH_ANIMATION) {
            found.add(PartKind::Clip, chunk.label().unwrap_or_default(), String::new(), &[at], None);
        } else if chunk.is(&table::LIGHT) {
            found.add(PartKind::Light, String::new(), String::new(), &[at], None);
        } else if chunk.is(&table::HIERARCHY) {
            for (inner, list) in chunk.children().iter().enumerate() {
                for (index, pivot) in list.values::<Pivot>().iter().enumerate() {
                    let name = pivot.name.to_string();
                    found.add(PartKind::Bone, name, String::new(), &[at, inner], Some(index));
                }
            }
        } else if chunk.is(&table::HLOD) {
            for (inner, level) in chunk.children().iter().enumerate() {
                if level.is(&table::HLOD_LOD_ARRAY) {
                    found.add(PartKind::Lod, String::new(), String::new(), &[at, inner], None);
                }
            }
        } else if chunk.is(&table::MESH) {
            materials(chunk, &mut vec![at], short_name(mesh.as_deref().unwrap_or_default()), &mut found);
        }
    }
    found.parts
}

/// Materials and textures of a mesh and of its prelit wrappers. Their full names start with that of the mesh: `BARREL/steel.tga`.
fn materials(node: &Node<'_>, trail: &mut Vec<usize>, mesh: &str, found: &mut Collector) {
    for (at, child) in node.children().iter().enumerate() {
        let kind = if child.is(&table::TEXTURE) {
            Some(PartKind::Texture)
        } else if child.is(&table::VERTEX_MATERIAL) || child.is(&table::SHADER_MATERIAL) {
            Some(PartKind::Material)
        } else {
            None
        };
        trail.push(at);
        if let Some(kind) = kind {
            let name = child.label().unwrap_or_default();
            let full = format!("{mesh}/{name}");
            found.add(kind, name, full, trail, None);
        } else {
            materials(child, trail, mesh, found);
        }
        trail.pop();
    }
}
