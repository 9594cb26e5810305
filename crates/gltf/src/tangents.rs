//! Tangents for normal maps where the source has none, by MikkTSpace (glTF 2.0, 3.7.2.1). glTF wants readers to generate them, but not all do.
//! Corners of a triangle get their own tangents, so vertices on a seam are duplicated.

use crate::context::Context;
use crate::geometry::{has_normals, with_vertices};
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};
use scene::{Mesh, SlotKind};
use std::collections::BTreeMap;

/// The mesh with tangents, if it has a normal map and usable normals but no tangents.
pub(crate) fn generated(context: &Context<'_>, mesh: &Mesh) -> Option<Mesh> {
    if !context.options.textures || mesh.tangents.len() == mesh.positions.len() {
        return None;
    }
    let scene = context.scene;
    let materials = mesh.parts.iter().filter_map(|part| scene.materials.get(part.material?.index()));
    let maps =
        materials.flat_map(|material| &material.layers).filter_map(|layer| layer.slot(SlotKind::Normal));
    let mut sets = maps.filter(|map| map.texture.is_some()).map(|map| map.uv_set as usize);
    let coordinates = sets.find_map(|set| mesh.uv_sets.get(set)).filter(|_| has_normals(mesh))?;
    with_tangents(mesh, coordinates)
}

/// The input of MikkTSpace: triangles whose vertices exist.
struct Corners<'m> {
    mesh: &'m Mesh,
    coordinates: &'m [Vec2],
    triangles: Vec<[u32; 3]>,
    tangents: Vec<[Vec4; 3]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[face][corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.positions[self.vertex(face, corner)].to_array().map(finite)
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.normals[self.vertex(face, corner)].normalize_or(Vec3::Y).into()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let coordinates = self.coordinates.get(self.vertex(face, corner)).copied().unwrap_or_default();
        coordinates.to_array().map(finite)
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let tangent = space.map(|space| Vec4::from(space.tangent_encoded()));
        // Its v points up, glTF's down.
        let tangent = tangent.map(|tangent| tangent.truncate().extend(-tangent.w));
        let is_unit = |tangent: &Vec4| tangent.truncate().is_normalized();
        let vertex = self.vertex(face, corner);
        self.tangents[face][corner] =
            tangent.filter(is_unit).unwrap_or_else(|| across(self.mesh.normals[vertex]));
    }
}

fn finite(part: f32) -> f32 {
    if part.is_finite() { part } else { 0.0 }
}

/// Any direction across a normal, where nothing says which.
fn across(normal: Vec3) -> Vec4 {
    normal.normalize_or(Vec3::Y).any_orthonormal_vector().extend(1.0)
}

/// The mesh with tangents, unless there are no triangles. A vertex whose triangles have different tangents is duplicated.
fn with_tangents(mesh: &Mesh, coordinates: &[Vec2]) -> Option<Mesh> {
    let count = mesh.positions.len();
    let mut indices: Vec<u32> = mesh.indices.iter().collect();
    let exist = |triangle: &[u32; 3]| triangle.iter().all(|corner| (*corner as usize) < count);
    let triangles: Vec<[u32; 3]> = indices.as_chunks::<3>().0.iter().copied().filter(exist).collect();
    let tangents = vec![[Vec4::ZERO; 3]; triangles.len()];
    let mut corners = Corners { mesh, coordinates, triangles, tangents };
    generate_tangents(&mut corners).ok()?;
    // For each vertex of the new mesh that of the old one and its tangent.
    let mut vertices: Vec<(usize, Option<Vec4>)> = (0..count).map(|vertex| (vertex, None)).collect();
    let mut copies: BTreeMap<(u32, [u32; 4]), u32> = BTreeMap::new();
    let (sound, broken): (Vec<_>, Vec<_>) =
        indices.as_chunks_mut::<3>().0.iter_mut().partition(|triangle| exist(triangle));
    // Stay invalid although there will be more vertices.
    broken.into_iter().for_each(|triangle| *triangle = [u32::MAX; 3]);
    for (corner, tangent) in sound.into_iter().flatten().zip(corners.tangents.into_iter().flatten()) {
        let vertex = *corner as usize;
        match vertices[vertex].1 {
            None => vertices[vertex].1 = Some(tangent),
            Some(first) if first == tangent => {}
            Some(_) => {
                *corner =
                    *copies.entry((*corner, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
                        vertices.push((vertex, Some(tangent)));
                        vertices.len() as u32 - 1
                    });
            }
        }
    }
    let places: Vec<usize> = vertices.iter().map(|(vertex, _)| *vertex).collect();
    Some(Mesh {
        tangents: vertices.iter().map(|(at, tangent)| tangent.unwrap_or(across(mesh.normals[*at]))).collect(),
        indices: indices.into(),
        ..with_vertices(mesh, &places)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{array, collection::vec, prelude::*, sample::select};

    /// Squares side by side in the plane of x and y, v downwards; the second is the mirror image of the first.
    fn squares() -> Mesh {
        let positions: Vec<Vec3> = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [2, 1]]
            .map(|[x, y]| Vec3::new(x as f32, y as f32, 0.0))
            .into();
        let u = |x: f32| 1.0 - (x - 1.0).abs();
        Mesh {
            normals: vec![Vec3::Z; positions.len()],
            uv_sets: vec![positions.iter().map(|place| Vec2::new(u(place.x), 1.0 - place.y)).collect()],
            positions,
            indices: vec![0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2].into(),
            ..Mesh::default()
        }
    }

    #[test]
    fn tangents_point_along_u_and_seams_are_split() {
        let squares = squares();
        let mesh = with_tangents(&squares, &squares.uv_sets[0]).expect("two squares");
        // The two vertices on the seam come twice.
        assert_eq!(mesh.positions.len(), 8);
        assert_eq!(mesh.positions[6..], [Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 1.0, 0.0)]);
        let corners: Vec<usize> = mesh.indices.iter().map(|index| index as usize).collect();
        for (at, corner) in corners.into_iter().enumerate() {
            // normal × tangent · w points up, against v, on both.
            let wanted = if at < 6 { Vec4::new(1.0, 0.0, 0.0, 1.0) } else { Vec4::new(-1.0, 0.0, 0.0, -1.0) };
            assert!(mesh.tangents[corner].abs_diff_eq(wanted, 1e-6), "{at}: {}", mesh.tangents[corner]);
        }
    }

    #[test]
    fn what_has_no_tangents_gets_some_all_the_same() {
        let mut mesh = squares();
        mesh.uv_sets[0] = vec![Vec2::NAN; 6];
        mesh.positions[2].x = f32::INFINITY;
        mesh.normals[0] = Vec3::ZERO;
        mesh.indices = mesh.indices.iter().chain([0, 0, 0, 7, 1, 2, 0]).collect();
        let made = with_tangents(&mesh, &mesh.uv_sets[0]).expect("some triangles");
        assert_eq!(made.indices.len(), mesh.indices.len());
        assert_eq!(made.tangents.len(), made.positions.len());
        assert!(
            made.tangents.iter().all(|tangent| tangent.truncate().is_normalized() && tangent.w.abs() == 1.0)
        );
    }

    proptest! {
        #[test]
        fn any_triangles_get_tangents(
            places in vec(array::uniform5(select(&[0.0, 1.0, 0.5, -1e20, 3e38, 1e-40, f32::NAN][..])), 1..12),
            normals in vec(array::uniform3(select(&[0.0, 1.0, -1.0, 1e-30, f32::INFINITY][..])), 12),
            indices in vec(0..13_u32, 0..60),
        ) {
            let mesh = Mesh {
                positions: places.iter().map(|&[x, y, z, ..]| Vec3::new(x, y, z)).collect(),
                normals: normals.iter().map(|&normal| normal.into()).take(places.len()).collect(),
                uv_sets: vec![places.iter().map(|&[.., u, v]| Vec2::new(u, v)).collect()],
                indices: indices.into(),
                ..Mesh::default()
            };
            let Some(made) = with_tangents(&mesh, &mesh.uv_sets[0]) else { return Ok(()) };
            prop_assert_eq!(made.tangents.len(), made.positions.len());
            prop_assert!(made.tangents.iter().all(|tangent| tangent.truncate().is_normalized()));
            let (before, after): (Vec<u32>, Vec<u32>) = (mesh.indices.iter().collect(), made.indices.iter().collect());
            for (before, after) in before.as_chunks::<3>().0.iter().zip(after.as_chunks::<3>().0) {
                let place = |mesh: &Mesh, corner: u32| mesh.positions.get(corner as usize).map(|at| at.to_string());
                let old: Option<Vec<String>> = before.iter().map(|&corner| place(&mesh, corner)).collect();
                let new: Option<Vec<String>> = after.iter().map(|&corner| place(&made, corner)).collect();
                prop_assert_eq!(old, new);
            }
        }
    }
}
