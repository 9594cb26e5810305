//! Vertices under a matrix, with what mirrors and uneven scale do to normals, tangents and the order of corners.

use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};

use crate::{Indices, Mesh};

/// A matrix that vertices are multiplied by.
#[derive(Clone, Copy, Debug)]
pub struct VertexTransform {
    matrix: Affine3A,
    /// The inverse transpose, up to a positive factor.
    normals: Mat3A,
    is_mirrored: bool,
}

impl VertexTransform {
    /// Prepares a matrix.
    #[must_use]
    pub fn new(matrix: &Affine3A) -> Self {
        let Mat3A { x_axis: x, y_axis: y, z_axis: z } = matrix.matrix3;
        let is_mirrored = matrix.matrix3.determinant() < 0.0;
        // The cofactors are the inverse transpose times the determinant, and exist for every matrix.
        let cofactors = Mat3A::from_cols(y.cross(z), z.cross(x), x.cross(y));
        Self { matrix: *matrix, normals: if is_mirrored { -cofactors } else { cofactors }, is_mirrored }
    }

    /// Whether the matrix turns left into right: the corners of each triangle have to change their order, so that its front stays
    /// its front.
    #[must_use]
    pub const fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// A position.
    #[must_use]
    pub fn position(&self, position: Vec3) -> Vec3 {
        self.matrix.transform_point3(position)
    }

    /// A normal: it stays perpendicular to the surface. Its length is 1, unless the matrix leaves none.
    #[must_use]
    pub fn normal(&self, normal: Vec3) -> Vec3 {
        (self.normals * Vec3A::from(normal)).try_normalize().map_or(normal, Vec3::from)
    }

    /// A tangent: it stays within the surface. A mirror changes the handedness.
    #[must_use]
    pub fn tangent(&self, tangent: Vec4) -> Vec4 {
        let along = tangent.truncate();
        let turned = self.matrix.transform_vector3(along).normalize_or(along);
        turned.extend(if self.is_mirrored { -tangent.w } else { tangent.w })
    }
}

impl Mesh {
    /// Multiplies all vertices by a matrix. Stored bounds are dropped; a skin is not changed.
    pub fn transform(&mut self, matrix: &Affine3A) {
        let by = VertexTransform::new(matrix);
        self.positions.iter_mut().for_each(|each| *each = by.position(*each));
        self.normals.iter_mut().for_each(|each| *each = by.normal(*each));
        self.tangents.iter_mut().for_each(|each| *each = by.tangent(*each));
        self.bounds = None;
        self.clip_bounds.clear();
        if by.is_mirrored() {
            match &mut self.indices {
                Indices::Short(all) => {
                    all.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
                }
                Indices::Long(all) => {
                    all.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    /// A sloping triangle, whose normal is computed from its corners.
    fn triangle() -> Mesh {
        let positions = vec![Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 3.0)];
        let normal = positions[1].cross(positions[2]).normalize();
        let tangent = positions[1].normalize().extend(1.0);
        Mesh {
            normals: vec![normal; 3],
            tangents: vec![tangent; 3],
            indices: [0, 1, 2].into_iter().collect(),
            positions,
            ..Mesh::default()
        }
    }

    #[test]
    fn normals_stay_perpendicular_and_point_out_of_the_front() {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
        for scale in
            [[1.0, 1.0, 1.0], [2.0, 0.5, 3.0], [-1.0, 1.0, 1.0], [-2.0, -0.5, -3.0], [-1.0, -4.0, 1.0]]
        {
            let matrix = Affine3A::from_scale_rotation_translation(scale.into(), turn, Vec3::ONE);
            let mut mesh = triangle();
            mesh.transform(&matrix);
            let corners: Vec<Vec3> =
                mesh.indices.iter().map(|corner| mesh.positions[corner as usize]).collect();
            let front = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            assert!(mesh.normals[0].abs_diff_eq(front, 1e-5), "{scale:?}: {} and {front}", mesh.normals[0]);
            assert!(mesh.tangents[0].truncate().dot(front).abs() < 1e-5, "{scale:?}");
            // The bitangent of the source, multiplied by the matrix, is on the side that the handedness says.
            let source = triangle();
            let bitangent = source.normals[0].cross(source.tangents[0].truncate());
            let side = mesh.normals[0].cross(mesh.tangents[0].truncate()) * mesh.tangents[0].w;
            assert!(matrix.transform_vector3(bitangent).dot(side) > 0.0, "{scale:?}");
        }
    }

    #[test]
    fn a_matrix_without_volume_keeps_normals_finite() {
        let by = VertexTransform::new(&Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)));
        assert_eq!(by.normal(Vec3::X), Vec3::X, "nothing is left of this direction");
        assert_eq!(by.normal(Vec3::new(0.6, 0.8, 0.0)), Vec3::Y, "what is flat faces up");
        assert_eq!(VertexTransform::new(&Affine3A::ZERO).normal(Vec3::Z), Vec3::Z);
    }
}
