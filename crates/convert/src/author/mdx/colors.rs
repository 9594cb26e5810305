//! Vertex colours as colours of geosets: MDX has no vertex colours.

use std::collections::BTreeMap;

use glam::Vec4;
use scene::{Material, MaterialId, Mesh};

use crate::author::split::Piece;

/// A material and its triangles: three vertices each.
pub(super) type Part = (Option<MaterialId>, Vec<u32>);

/// Geosets that one part may become.
const MOST_COLORS: usize = 8;

/// Divides parts whose triangles have few different colours, each of one colour, so that geosets can have these colours. Returns
/// whether all colours are kept.
pub(super) fn divide(parts: &mut Vec<Part>, mesh: &Mesh, materials: &[Material]) -> bool {
    let mut is_kept = true;
    let mut divided = Vec::with_capacity(parts.len());
    for (id, indices) in std::mem::take(parts) {
        let material = id.and_then(|id| materials.get(id.index()));
        match used_colors(mesh, material).map(|colors| by_color(&indices, colors)) {
            None => divided.push((id, indices)),
            Some(None) => {
                is_kept = false;
                divided.push((id, indices));
            }
            Some(Some(groups)) => divided.extend(groups.into_values().map(|indices| (id, indices))),
        }
    }
    *parts = divided;
    is_kept
}

/// Triangles by their colour; nothing if a triangle has more than one, or if there are too many.
fn by_color(indices: &[u32], colors: &[[u8; 4]]) -> Option<BTreeMap<[u8; 4], Vec<u32>>> {
    let mut groups: BTreeMap<[u8; 4], Vec<u32>> = BTreeMap::new();
    for triangle in indices.chunks(3) {
        let color = |vertex: &u32| colors.get(*vertex as usize).copied().unwrap_or([255; 4]);
        let first = color(triangle.first()?);
        if triangle.iter().any(|vertex| color(vertex) != first) {
            return None;
        }
        groups.entry(first).or_default().extend(triangle);
        if groups.len() > MOST_COLORS {
            return None;
        }
    }
    if groups.is_empty() { Some(BTreeMap::from([([255; 4], indices.to_vec())])) } else { Some(groups) }
}

/// The vertex colours of a mesh, if a material uses them.
fn used_colors<'m>(mesh: &'m Mesh, material: Option<&Material>) -> Option<&'m [[u8; 4]]> {
    let is_used = material?.layers.iter().any(|layer| layer.color_set.is_some());
    mesh.color_sets.first().filter(|_| is_used).map(Vec::as_slice)
}

/// The mean of the vertex colours of a geoset, which stands for them; white if its material does not use them.
pub(super) fn mean(mesh: &Mesh, piece: &Piece, material: Option<&Material>) -> Vec4 {
    let Some(colors) = used_colors(mesh, material) else { return Vec4::ONE };
    let sum: Vec4 = piece
        .vertices
        .iter()
        .map(|vertex| colors.get(*vertex as usize).copied().unwrap_or([255; 4]))
        .map(|color| Vec4::from(color.map(f32::from)))
        .sum();
    let mean = sum / (255.0 * piece.vertices.len().max(1) as f32);
    // Opaque layers have no use for alpha.
    let first = material.and_then(|material| material.layers.first());
    let is_opaque = first.is_none_or(|layer| layer.blend == scene::BlendMode::Opaque);
    if is_opaque { mean.truncate().extend(1.0) } else { mean }
}
