//! Joins W3D meshes.

use std::collections::{HashMap, HashSet};

use record::{Node, U32};
use w3d::build::{AabTree, bounds};
use w3d::records::*;
use w3d::table;

use crate::Error;
use crate::references::w3d as references;
use crate::report::{Report, counted};
use crate::select::{Part, node_at, object_name};
use crate::vertices::w3d as vertices;

/// The look of a mesh, and its places in the model.
type Likeness = (Vec<u8>, Vec<(usize, u32)>);

pub(super) fn merge(root: &mut Node<'_>, chosen: &[Part]) -> Result<Report, Error> {
    let mut report = Report::default();
    let places = places(root);
    // The mesh that others with the same look and place are appended to.
    let mut alike: HashMap<Likeness, usize> = HashMap::new();
    let mut gone: HashSet<String> = HashSet::new();
    let mut chunks: HashSet<usize> = HashSet::new();
    for part in chosen {
        let [at] = part.trail[..] else { continue };
        let Some(mesh) = node_at(root, &part.trail).filter(|chunk| chunk.is(&table::MESH)).cloned() else {
            continue;
        };
        let name = object_name(&mesh).unwrap_or_default().to_ascii_lowercase();
        let Some(look) = look(&mesh) else {
            report.note(format!("{} was not merged: it is of an old version or damaged", part.title()));
            continue;
        };
        let key = (look, places.get(&name).cloned().unwrap_or_default());
        let Some(target) = alike.get(&key).copied() else {
            alike.insert(key, at);
            continue;
        };
        let Some(own) = root.children_mut().and_then(|all| all.get_mut(target)) else { continue };
        match append(own, &mesh) {
            Ok(()) => {
                gone.insert(name);
                chunks.insert(at);
            }
            Err(error) => report.note(format!("{} was not merged: {error}", part.title())),
        }
    }
    report.changed = gone.len();
    if chosen.len() > 1 && alike.len() > 1 {
        report.note(format!(
            "{} with different materials, flags, bones or levels of detail stay apart",
            counted(alike.len(), "group")
        ));
    }
    if gone.is_empty() {
        return Ok(report);
    }
    references::remove_objects(root, &|name| gone.contains(&name.to_ascii_lowercase()));
    let mut index = 0;
    if let Some(all) = root.children_mut() {
        all.retain(|_| {
            index += 1;
            !chunks.contains(&(index - 1))
        });
    }
    Ok(report)
}

/// The levels and bones of each object.
fn places(root: &Node<'_>) -> HashMap<String, Vec<(usize, u32)>> {
    let mut places: HashMap<String, Vec<(usize, u32)>> = HashMap::new();
    let mut level = 0;
    root.walk(&mut |place| {
        level += usize::from(place.node.is(&table::HLOD_SUB_OBJECT_ARRAY_HEADER));
        if let Some(object) = place.node.value::<HlodSubObject>() {
            let name = object.name.to_string().to_ascii_lowercase();
            places.entry(name).or_default().push((level, object.bone_index.get()));
        }
    });
    places
}

/// What makes two meshes one as far as drawing is concerned: everything but names, bounds, vertices and triangles. `None` if a mesh has
/// materials for each triangle or vertex, or cannot be read.
fn look(mesh: &Node<'_>) -> Option<Vec<u8>> {
    vertices::counts(mesh)?;
    let mut key = Vec::new();
    let mut is_simple = true;
    mesh.walk(&mut |place| {
        let node = place.node;
        if node.is(&table::AABTREE) || node.is(&table::MESH_USER_TEXT) {
            key.extend(node.id.to_le_bytes());
        } else if let Some(header) = node.value::<MeshHeader3>() {
            key.extend(header.attributes.get().to_le_bytes());
            key.extend(header.sort_level.get().to_le_bytes());
        } else if node.children().is_empty() && !is_inside_tree(node) {
            key.extend(node.id.to_le_bytes());
            let ids = [
                table::TEXTURE_IDS.kind,
                table::SHADER_IDS.kind,
                table::SHADER_MATERIAL_ID.kind,
                table::VERTEX_MATERIAL_IDS.kind,
            ];
            if ids.iter().any(|kind| node.is(kind)) {
                is_simple &= node.values::<U32>().len() == 1;
            }
            if !vertices::is_list(node) {
                key.extend(node.bytes());
            }
        }
    });
    is_simple.then_some(key)
}

fn is_inside_tree(node: &Node<'_>) -> bool {
    [table::AABTREE_HEADER.kind, table::AABTREE_POLYINDICES.kind, table::AABTREE_NODES.kind]
        .iter()
        .any(|kind| node.is(kind))
}

/// Appends the vertices and triangles of a mesh to another one with the same look.
fn append(mesh: &mut Node<'_>, more: &Node<'_>) -> Result<(), Error> {
    let damaged = || Error::new("its lists have different lengths");
    vertices::append(mesh, more).ok_or_else(damaged)?;
    let is_skin = mesh.get(table::MESH_HEADER3).is_some_and(MeshHeader3::is_skin);
    let other = more.get(table::MESH_HEADER3).copied().ok_or_else(damaged)?;
    let new = bounds(mesh.get(table::VERTICES));
    if let Some(header) = mesh.get_mut(table::MESH_HEADER3) {
        if is_skin {
            let corner = |a: record::Vec3, b: record::Vec3, pick: fn(f32, f32) -> f32| {
                let (a, b) = (a.get(), b.get());
                record::Vec3::from([0, 1, 2].map(|axis| pick(a[axis], b[axis])))
            };
            header.min = corner(header.min, other.min, f32::min);
            header.max = corner(header.max, other.max, f32::max);
            let (low, high) = (header.min.get(), header.max.get());
            header.sph_center = record::Vec3::from([0, 1, 2].map(|axis| low[axis].midpoint(high[axis])));
            let across = [0, 1, 2].map(|axis| (high[axis] - low[axis]).powi(2)).iter().sum::<f32>().sqrt();
            header.sph_radius.set(across / 2.0);
        } else {
            (header.min, header.max) = (new.min, new.max);
            (header.sph_center, header.sph_radius) = (new.center, new.radius);
        }
    }
    let tree = AabTree::new(mesh.get(table::TRIANGLES), mesh.get(table::VERTICES));
    if let (Some(place), Some(tree)) = (mesh.child_mut(&table::AABTREE), tree) {
        *place = tree.chunk();
    }
    Ok(())
}
