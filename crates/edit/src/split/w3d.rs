//! Divides W3D meshes.

use std::collections::{HashMap, HashSet};

use record::{Node, U32};
use w3d::build::{AabTree, bounds};
use w3d::records::*;
use w3d::table;

use super::{SplitBy, grouped, parts_of};
use crate::Error;
use crate::references::{each, increase};
use crate::report::Report;
use crate::select::{Part, object_name};
use crate::strip::w3d as strip;
use crate::vertices::Selection;
use crate::vertices::w3d as vertices;

/// Characters of a name.
const NAME: usize = 15;

pub(super) fn split(root: &mut Node<'_>, chosen: &[Part], by: SplitBy) -> Result<Report, Error> {
    let mut report = Report::default();
    let mut taken: HashSet<String> =
        root.children().iter().filter_map(object_name).map(|name| name.to_ascii_lowercase()).collect();
    // From the last one, so that the others keep their places.
    for part in chosen.iter().rev() {
        let [at] = part.trail[..] else { continue };
        let Some(mesh) = root.children().get(at).filter(|chunk| chunk.is(&table::MESH)).cloned() else {
            return Err(Error::new(format!("{} is not a mesh of triangles", part.title())));
        };
        let title = part.title();
        let Some((count, _)) = vertices::counts(&mesh) else {
            return Err(Error::new(format!("{title} is of an old version or damaged")));
        };
        let corners = vertices::corners(&mesh);
        let positions = mesh.get(table::VERTICES);
        let groups = match by {
            SplitBy::Part => {
                // Vertices of a skin are in the spaces of their bones.
                let bones: Vec<u32> = mesh
                    .get(table::VERTEX_INFLUENCES)
                    .iter()
                    .map(|own| u32::from(own.bone_idx[0].get()))
                    .collect();
                let is_skin = !bones.is_empty();
                let key = |vertex: usize| {
                    let [x, y, z] = positions[vertex].get().map(f32::to_bits);
                    if is_skin { [x, y ^ z.rotate_left(7), bones[vertex]] } else { [x, y, z] }
                };
                parts_of(count, &corners, key)
            }
            SplitBy::Material => grouped(&materials(&mesh)),
        };
        if groups.len() < 2 {
            continue;
        }
        let mut pieces = Vec::with_capacity(groups.len());
        for (number, group) in groups.iter().enumerate() {
            let mut piece = piece(&mesh, &corners, group);
            if number > 0 {
                rename(&mut piece, number + 1, &mut taken)?;
            }
            strip::materials(&mut piece);
            strip::textures(&mut piece);
            pieces.push(piece);
        }
        let names: Vec<String> = pieces.iter().filter_map(object_name).collect();
        report.changed += pieces.len() - 1;
        list_again(root, &names);
        if let Some(chunks) = root.children_mut() {
            chunks.splice(at..=at, pieces);
        }
    }
    Ok(report)
}

/// The set of each triangle: those with the same texture, shader and material.
fn materials(mesh: &Node<'_>) -> Vec<usize> {
    let mut keys: Vec<Vec<u32>> = vec![Vec::new(); mesh.get(table::TRIANGLES).len()];
    let corners = vertices::corners(mesh);
    mesh.walk(&mut |place| {
        let node = place.node;
        let ids = node.values::<U32>();
        let lists = [table::TEXTURE_IDS.kind, table::SHADER_IDS.kind, table::SHADER_MATERIAL_ID.kind];
        if lists.iter().any(|kind| node.is(kind)) && ids.len() == keys.len() {
            keys.iter_mut().zip(ids).for_each(|(key, id)| key.push(id.get()));
        } else if node.is(&table::VERTEX_MATERIAL_IDS) && ids.len() > 1 {
            for (key, corners) in keys.iter_mut().zip(&corners) {
                key.push(ids.get(corners[0]).map_or(u32::MAX, |id| id.get()));
            }
        }
    });
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    keys.into_iter()
        .map(|key| {
            let next = known.len();
            *known.entry(key).or_insert(next)
        })
        .collect()
}

/// A mesh with some of the triangles of another one.
fn piece(mesh: &Node<'_>, corners: &[[usize; 3]], group: &[usize]) -> Node<'static> {
    let mut piece = mesh.clone().into_owned();
    let mut used = vec![false; mesh.get(table::VERTICES).len()];
    group.iter().flat_map(|triangle| corners[*triangle]).for_each(|corner| used[corner] = true);
    // A shared normal may be that of a vertex in another piece: the first vertex that shares it stands for it.
    let shades = mesh.get(table::VERTEX_SHADE_INDICES);
    let mut first: HashMap<u32, u32> = HashMap::new();
    let mut own: Vec<U32> = shades.to_vec();
    for (vertex, shade) in shades.iter().enumerate().filter(|(vertex, _)| used[*vertex]) {
        let number = u32::try_from(vertex).unwrap_or_default();
        own[vertex] = U32::new(*first.entry(shade.get()).or_insert(number));
    }
    if !own.is_empty() {
        piece.get_mut(table::VERTEX_SHADE_INDICES).copy_from_slice(&own);
    }
    let selection = Selection::new(&used, |vertex| vertex);
    vertices::keep(&mut piece, &selection, Some(group));
    let is_skin = piece.get(table::MESH_HEADER3).is_some_and(MeshHeader3::is_skin);
    let new = bounds(piece.get(table::VERTICES));
    if let Some(header) = piece.get_mut(table::MESH_HEADER3).filter(|_| !is_skin) {
        (header.min, header.max) = (new.min, new.max);
        (header.sph_center, header.sph_radius) = (new.center, new.radius);
    }
    let tree = AabTree::new(piece.get(table::TRIANGLES), piece.get(table::VERTICES));
    if let Some(children) = piece.children_mut() {
        match tree {
            Some(tree) => children
                .iter_mut()
                .filter(|child| child.is(&table::AABTREE))
                .for_each(|child| *child = tree.chunk()),
            None => children.retain(|child| !child.is(&table::AABTREE)),
        }
    }
    piece
}

/// Gives a piece the name of its mesh with a number that is free.
fn rename(piece: &mut Node<'_>, number: usize, taken: &mut HashSet<String>) -> Result<(), Error> {
    let Some(header) = piece.get_mut(table::MESH_HEADER3) else { return Ok(()) };
    let (old, container) = (header.mesh_name.to_string(), header.container_name.to_string());
    for number in number..number + 10_000 {
        let end = number.to_string();
        let stem: String = old.chars().take(NAME.saturating_sub(end.len())).collect();
        let name = format!("{stem}{end}");
        let full = if container.is_empty() { name.clone() } else { format!("{container}.{name}") };
        if taken.insert(full.to_ascii_lowercase()) {
            return header.mesh_name.set(&name).map_err(|error| Error::new(error.to_string()));
        }
    }
    Err(Error::new(format!("no name is free for a part of {:?}", record::printable(&old))))
}

/// Adds the other pieces after the first one wherever a model refers to that.
fn list_again(root: &mut Node<'_>, names: &[String]) {
    let Some((first, others)) = names.split_first() else { return };
    each(root, &mut |node| {
        let is_array = node.children().iter().any(|child| child.value::<HlodSubObject>().is_some());
        if !is_array {
            return;
        }
        let mut added = 0;
        let Some(children) = node.children_mut() else { return };
        let mut index = 0;
        while index < children.len() {
            let own =
                children[index].value::<HlodSubObject>().filter(|object| object.name.is(first)).copied();
            index += 1;
            let Some(own) = own else { continue };
            for name in others {
                let mut entry = own;
                if entry.name.set(name).is_ok() {
                    children.insert(index, record::build(table::HLOD_SUB_OBJECT, &entry));
                    (index, added) = (index + 1, added + 1);
                }
            }
        }
        if let Some(header) = node.get_mut(table::HLOD_SUB_OBJECT_ARRAY_HEADER) {
            increase(&mut header.model_count, added);
        }
    });
}
