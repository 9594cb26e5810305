//! What several steps ask of a mesh.

use glam::Vec3;
use scene::{Mesh, Part};
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
