//! Skinning on the processor.

use crate::{Influence, Mesh, NodeId, Pose, Skin, VertexTransform};
use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};

/// Vertices of a mesh in a pose. Reuse it to keep its buffers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Positions in model space.
    pub positions: Vec<Vec3>,
    /// Normals of unit length; empty if the mesh has none.
    pub normals: Vec<Vec3>,
    /// Tangents of unit length; empty if the mesh has none. w is the handedness.
    pub tangents: Vec<Vec4>,
    /// The mesh is rigid and mirrored: the front of its triangles is where their corners run clockwise.
    pub mirrored: bool,
    palette: Vec<Affine3A>,
}

impl Skin {
    /// The mean of the matrices of a vertex's joints by their weights, whatever these add up to. A vertex without influences is not moved.
    #[must_use]
    pub fn blend(&self, vertex: usize, palette: &[Affine3A]) -> Affine3A {
        let mut sum = Affine3A::ZERO;
        let mut whole = 0.0;
        for influence in self.of(vertex) {
            let Some(matrix) = palette.get(influence.joint as usize) else { continue };
            whole += influence.weight;
            sum.matrix3 += matrix.matrix3 * influence.weight;
            sum.translation += matrix.translation * influence.weight;
        }
        if whole <= 0.0 {
            return Affine3A::IDENTITY;
        }
        Affine3A { matrix3: sum.matrix3 * (1.0 / whole), translation: sum.translation / whole }
    }
}

/// Deforms the vertices of a mesh by a pose: `Σ weight · world · inverse_bind · position`.
///
/// Normals and tangents of skins use the same matrices without their translation, as in the engines, and are then normalised. A vertex
/// without influences is not moved. A mesh without a skin is moved by a [`VertexTransform`].
pub fn skin(mesh: &Mesh, pose: &Pose, out: &mut Deformed) {
    let world = |node: NodeId| pose.worlds.get(node.index()).copied().unwrap_or(Affine3A::IDENTITY);
    let Deformed { positions, normals, tangents, mirrored, palette } = out;
    palette.clear();
    *mirrored = false;
    let Some(skin) = &mesh.skin else {
        let matrix = VertexTransform::new(&mesh.node.map_or(Affine3A::IDENTITY, world));
        positions.clear();
        normals.clear();
        tangents.clear();
        positions.extend(mesh.positions.iter().map(|position| matrix.position(*position)));
        normals.extend(mesh.normals.iter().map(|normal| matrix.normal(*normal)));
        tangents.extend(mesh.tangents.iter().map(|tangent| matrix.tangent(*tangent)));
        *mirrored = matrix.is_mirrored();
        return;
    };
    palette.extend(skin.joints.iter().map(|joint| of_joint(&world(joint.node), &joint.inverse_bind)));
    let blended = |vertex: usize| {
        let known = |influence: &Influence| Some((palette.get(influence.joint as usize)?, influence.weight));
        match skin.of(vertex) {
            [one] if one.weight == 1.0 => known(one).map_or(Affine3A::IDENTITY, |(matrix, _)| *matrix),
            influences => {
                let mut sum = Affine3A::ZERO;
                let mut any = false;
                for (matrix, weight) in influences.iter().filter_map(known) {
                    sum.matrix3 += matrix.matrix3 * weight;
                    sum.translation += matrix.translation * weight;
                    any = true;
                }
                if any { sum } else { Affine3A::IDENTITY }
            }
        }
    };
    deform(mesh, blended, positions, normals, tangents);
}

/// The matrix that a joint moves vertices by. Where the joint is at rest, it is exactly the identity: rounding would move a vertex at
/// 1234.5 to 1234.5001.
fn of_joint(world: &Affine3A, inverse_bind: &Affine3A) -> Affine3A {
    /// Rounding of a product of transforms of size 1.
    const ROUNDING: f32 = 4.0 * f32::EPSILON;
    let product = *world * *inverse_bind;
    let length = world.translation.abs().max_element().max(inverse_bind.translation.abs().max_element());
    let is_at_rest = product.matrix3.abs_diff_eq(Mat3A::IDENTITY, ROUNDING)
        && product.translation.abs_diff_eq(Vec3A::ZERO, ROUNDING * length);
    if is_at_rest { Affine3A::IDENTITY } else { product }
}

fn deform(
    mesh: &Mesh,
    matrix: impl Fn(usize) -> Affine3A,
    positions: &mut Vec<Vec3>,
    normals: &mut Vec<Vec3>,
    tangents: &mut Vec<Vec4>,
) {
    positions.clear();
    normals.clear();
    tangents.clear();
    for (vertex, &position) in mesh.positions.iter().enumerate() {
        let matrix = matrix(vertex);
        let turned = |direction: Vec3| -> Vec3 {
            (matrix.matrix3 * Vec3A::from(direction)).normalize_or_zero().into()
        };
        positions.push(matrix.transform_point3(position));
        if let Some(&normal) = mesh.normals.get(vertex) {
            normals.push(turned(normal));
        }
        if let Some(&tangent) = mesh.tangents.get(vertex) {
            tangents.push(turned(tangent.truncate()).extend(tangent.w));
        }
    }
}
