//! What several steps ask of a mesh.

use glam::{Vec2, Vec3, Vec4};
use scene::{Mesh, Part, Skin};
use std::borrow::Cow;

/// The parts of a mesh; without any, the whole of it.
pub(crate) fn parts(mesh: &Mesh) -> Cow<'_, [Part]> {
    match mesh.parts.is_empty() {
        true => vec![Part { material: None, start: 0, count: mesh.indices.len() as u32 }].into(),
        false => Cow::Borrowed(&mesh.parts),
    }
}

/// Whether a mesh has normals that can be used.
pub(crate) fn has_normals(mesh: &Mesh) -> bool {
    let is_usable = |normal: &Vec3| direction(*normal).is_some();
    mesh.normals.len() == mesh.positions.len() && mesh.normals.iter().any(is_usable)
}

/// A vector at unit length, if it has a length. It is divided first, because squares of very large or small numbers overflow.
pub(crate) fn direction(vector: Vec3) -> Option<Vec3> {
    (vector / vector.abs().max_element()).try_normalize()
}

/// The mesh with these vertices of it, in this order. The indices stay as they are. Where the mesh has no value for a vertex, it gets a
/// plain one.
pub(crate) fn with_vertices(mesh: &Mesh, vertices: &[usize]) -> Mesh {
    fn pick<T: Copy>(values: &[T], vertices: &[usize], none: T) -> Vec<T> {
        vertices.iter().map(|vertex| values.get(*vertex).copied().unwrap_or(none)).collect()
    }
    /// Either there is a value for each vertex or none at all.
    fn optional<T: Copy>(values: &[T], vertices: &[usize], none: T) -> Vec<T> {
        if values.is_empty() { Vec::new() } else { pick(values, vertices, none) }
    }
    let uv_sets = mesh.uv_sets.iter().map(|set| pick(set, vertices, Vec2::ZERO));
    let color_sets = mesh.color_sets.iter().map(|set| pick(set, vertices, [u8::MAX; 4]));
    let skin = mesh.skin.as_ref();
    Mesh {
        positions: pick(&mesh.positions, vertices, Vec3::ZERO),
        normals: optional(&mesh.normals, vertices, Vec3::ZERO),
        tangents: optional(&mesh.tangents, vertices, Vec4::ZERO),
        uv_sets: uv_sets.collect(),
        color_sets: color_sets.collect(),
        skin: skin.map(|skin| Skin { sets: pick(&skin.sets, vertices, u32::MAX), ..skin.clone() }),
        ..mesh.clone()
    }
}
