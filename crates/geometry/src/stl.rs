//! STL: triangles with their normals, nothing else.

use crate::Snapshot;
use crate::ply::z_up;
use glam::Vec3;
use std::fmt::Write as _;

/// Writes STL, as text or binary. In text each mesh is a solid with its name.
#[must_use]
pub fn stl(snapshot: &Snapshot<'_>, as_text: bool) -> Vec<u8> {
    if as_text {
        let mut text = String::new();
        for posed in &snapshot.meshes {
            let name: String = posed.name.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
            let _ = writeln!(text, "solid {name}");
            for triangle in posed.parts.iter().flat_map(|(_, triangles)| triangles) {
                let corners = triangle.map(|index| z_up(posed.positions[index as usize]));
                let normal = normal(&corners);
                let _ = writeln!(text, "facet normal {} {} {}\nouter loop", normal.x, normal.y, normal.z);
                for corner in corners {
                    let _ = writeln!(text, "vertex {} {} {}", corner.x, corner.y, corner.z);
                }
                text.push_str("endloop\nendfacet\n");
            }
            let _ = writeln!(text, "endsolid {name}");
        }
        return text.into_bytes();
    }
    /// Bytes of the header, which must not start with `solid`.
    const HEADER: usize = 80;
    /// Bytes of a triangle.
    const TRIANGLE: usize = 50;
    let triangles = snapshot.triangles();
    let count = triangles.clone().count();
    let mut bytes = Vec::with_capacity(HEADER + 4 + count * TRIANGLE);
    bytes.extend(b"binary STL, Z up");
    bytes.resize(HEADER, b' ');
    bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    for triangle in triangles {
        let corners = triangle.map(z_up);
        for at in [normal(&corners), corners[0], corners[1], corners[2]] {
            bytes.extend(at.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// The normal of a triangle; zero if it has no area.
fn normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (*b - *a).cross(*c - *a).normalize_or_zero() + Vec3::ZERO
}
