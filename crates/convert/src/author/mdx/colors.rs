//! Vertex colours as colours of geosets: MDX has no vertex colours.

use std::collections::BTreeMap;

use glam::{Vec3, Vec4};
use scene::{Lighting, Material, MaterialId, Mesh};

use crate::author::split::Piece;

/// Triangles of one material.
pub(super) struct Part {
    pub(super) material: Option<MaterialId>,
    /// Three vertices for each triangle.
    pub(super) indices: Vec<u32>,
    /// The vertex colour of all of them, if they have one.
    pub(super) color: Option<[u8; 4]>,
}

impl Part {
    pub(super) fn new(material: Option<MaterialId>, indices: Vec<u32>) -> Self {
        Self { material, indices, color: None }
    }
}

/// Vertex colours of a part up to which it is divided.
const MAX_COLORS: usize = 8;

/// Divides parts of few vertex colours, so that geosets can have these colours. Returns whether all triangles have theirs.
pub(super) fn divide(parts: Vec<Part>, mesh: &Mesh, materials: &[Material]) -> (Vec<Part>, bool) {
    let mut keeps_all = true;
    let mut divided = Vec::with_capacity(parts.len());
    for part in parts {
        let material = part.material.and_then(|id| materials.get(id.index()));
        let Some(colors) = used_colors(mesh, material) else {
            divided.push(part);
            continue;
        };
        let groups = by_color(&part.indices, colors);
        keeps_all &= groups.as_ref().is_some_and(|(_, is_exact)| *is_exact);
        match groups {
            Some((groups, _)) if !groups.is_empty() => {
                let colored = |(color, indices)| Part { indices, color: Some(color), ..part };
                divided.extend(groups.into_iter().map(colored));
            }
            _ => divided.push(part),
        }
    }
    (divided, keeps_all)
}

/// Triangles by their colour.
type Groups = BTreeMap<[u8; 4], Vec<u32>>;

/// Triangles by the colour that most of their corners have, and whether it is that of all corners. Nothing if there are too many colours,
/// or if most triangles have more than one.
fn by_color(indices: &[u32], colors: &[[u8; 4]]) -> Option<(Groups, bool)> {
    let mut groups = Groups::new();
    let mut mixed = 0;
    let triangles = indices.as_chunks::<3>().0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| color_of(colors, vertex));
        mixed += usize::from(a != b || b != c);
        groups.entry(if b == c { b } else { a }).or_default().extend(triangle);
        if groups.len() > MAX_COLORS {
            return None;
        }
    }
    (mixed * 2 <= triangles.len()).then_some((groups, mixed == 0))
}

fn color_of(colors: &[[u8; 4]], vertex: u32) -> [u8; 4] {
    colors.get(vertex as usize).copied().unwrap_or([255; 4])
}

/// The vertex colours of a mesh, if a material uses them.
fn used_colors<'m>(mesh: &'m Mesh, material: Option<&Material>) -> Option<&'m [[u8; 4]]> {
    let is_used = material?.layers.iter().any(|layer| layer.color_set.is_some());
    mesh.color_sets.first().filter(|_| is_used).map(Vec::as_slice)
}

/// The colour and alpha of a geoset: those of its material, whose colour is `plain`, and of the vertex colours or their mean.
pub(super) fn tint(
    mesh: &Mesh,
    piece: &Piece,
    color: Option<[u8; 4]>,
    material: Option<&Material>,
    plain: Vec3,
) -> Vec4 {
    let Some(colors) = used_colors(mesh, material) else { return plain.extend(1.0) };
    let part = |color: [u8; 4]| Vec4::from(color.map(f32::from)) / 255.0;
    let mean = || {
        let sum: Vec4 = piece.vertices.iter().map(|vertex| part(color_of(colors, *vertex))).sum();
        sum / piece.vertices.len().max(1) as f32
    };
    let color = color.map_or_else(mean, part);
    let first = material.and_then(|material| material.layers.first());
    // Opaque layers have no use for alpha.
    let is_opaque = first.is_none_or(|layer| layer.blend == scene::BlendMode::Opaque);
    let alpha = if is_opaque { 1.0 } else { color.w };
    let lighting = first.filter(|layer| !layer.unlit).and_then(|layer| layer.lighting.as_ref());
    match (first, lighting) {
        // Next to light that is emitted, vertex colours replace the others (docs/formats/rendering.md#w3d-vertex-colours).
        (Some(layer), Some(Lighting { emissive, diffuse, ambient, .. }))
            if *emissive != Vec3::ZERO && (*diffuse != Vec3::ZERO || *ambient != Vec3::ZERO) =>
        {
            (layer.color * (color.truncate() + *emissive)).clamp(Vec3::ZERO, Vec3::ONE).extend(alpha)
        }
        _ => (plain * color.truncate()).extend(alpha),
    }
}
