//! Planes and areas of triangles, and bounds of meshes.

use record::Severity::Warning;
use record::Vec3;
use w3d::Mesh;
use w3d::names::MeshFlags;
use w3d::records::{MeshHeader3, Triangle};
use w3d::table::*;

use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::vector;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-PLANE-001",
        Warning,
        degenerate,
        "docs/formats/w3d/meshes.md#triangles: exist in retail",
        "a triangle has no area",
        "It is never visible, but it has no plane either: collisions and shadows compute with a normal of zero. Weld or delete it before exporting.",
    ),
    Rule::w3d(
        "W3D-PLANE-002",
        Warning,
        plane,
        "docs/formats/w3d/meshes.md#triangles: Normal = unit(cross(v1-v0, v2-v0)), Dist = dot(Normal, v0)",
        "a triangle's plane does not match its vertices",
        "Collision, picking and shadows use the stored plane; where it is wrong, bullets pass through or hit air. One known exporter writes the length of the \
         centroid as distance. The repair computes the planes from the vertices.",
    )
    .repaired(Repair::w3d("computes the planes of triangles", fix::planes)),
    Rule::w3d(
        "W3D-PLANE-003",
        Warning,
        bounds,
        "docs/formats/w3d/meshes.md#vertices: skins are exempt",
        "the bounds do not enclose the vertices",
        "Engines cull by the stored box and sphere: parts of the mesh vanish at the edge of the screen, or cannot be hit. The repair computes both \
         from the vertices.",
    )
    .repaired(Repair::w3d("computes the bounds of meshes", fix::bounds)),
    Rule::w3d(
        "W3D-PLANE-004",
        Warning,
        bounds_inside_out,
        "docs/formats/w3d/meshes.md#vertices: bounds",
        "the bounds are inside out",
        "The lower corner lies above the upper one, or the radius is negative: every test against them fails and the mesh is never drawn. The repair \
         computes them from the vertices.",
    )
    .repaired(Repair::w3d("computes the bounds of meshes", fix::bounds)),
];

pub(crate) type V3 = [f64; 3];

pub(crate) fn wide(vector: Vec3) -> V3 {
    vector.get().map(f64::from)
}

pub(crate) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn norm(a: V3) -> f64 {
    dot(a, a).sqrt()
}

/// The corners of a triangle; `None` if one is not there.
pub(crate) fn corners(triangle: &Triangle, vertices: &[Vec3]) -> Option<[V3; 3]> {
    let corner = |index: usize| vertices.get(super::len(triangle.vindex[index])).map(|vertex| wide(*vertex));
    Some([corner(0)?, corner(1)?, corner(2)?])
}

/// Normal and distance; `None` if the triangle has no area.
pub(crate) fn plane_of([a, b, c]: [V3; 3]) -> Option<(V3, f64)> {
    let normal = cross(sub(b, a), sub(c, a));
    let length = norm(normal);
    // Relative to the edges: rounding alone can give a thin triangle any normal.
    let edges = norm(sub(b, a)) * norm(sub(c, a));
    if length <= edges * 1e-6 || !length.is_finite() {
        return None;
    }
    let normal = normal.map(|component| component / length);
    Some((normal, dot(normal, a)))
}

fn degenerate(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&TRIANGLES) else { continue };
        let vertices = mesh.vertices();
        let influences = mesh.influences();
        // Vertices of a skin are in the spaces of their bones: only those of one bone can be compared.
        let has_one_bone = |triangle: &Triangle| {
            let bones = triangle
                .vindex
                .map(|corner| influences.get(super::len(corner)).map(|influence| influence.bone_idx));
            influences.is_empty() || bones.iter().all(|bone| *bone == bones[0])
        };
        let triangles = mesh.triangles().iter().enumerate().filter(|(_, triangle)| has_one_bone(triangle));
        let bad = triangles.filter(|(_, triangle)| {
            corners(triangle, vertices).is_some_and(|[a, b, c]| norm(cross(sub(b, a), sub(c, a))) == 0.0)
        });
        findings
            .elements(node, 32, bad.map(|(index, _)| index), |index| format!("triangle {index} has no area"));
    }
}

/// Whether the vertices are in the space of the mesh, so that planes and bounds can be compared with them.
pub(crate) fn is_rigid(mesh: &Mesh<'_>) -> bool {
    mesh.header().is_some_and(|header| !header.is_skin() && !header.attributes.has(MeshFlags::OBSOLETE_SKIN))
        && mesh.0.child(&VERTEX_INFLUENCES).is_none()
}

/// Whether a stored plane is that of the corners, within the precision of floats and exporters.
pub(crate) fn plane_fits(triangle: &Triangle, corners: [V3; 3]) -> bool {
    let Some((normal, distance)) = plane_of(corners) else { return true };
    let stored = wide(triangle.normal);
    let size = corners.iter().map(|corner| norm(*corner)).fold(1.0, f64::max);
    // Rounding of the vertices changes the normals of thin triangles: judge by the distance of the corners from the
    // stored plane.
    let off = corners
        .iter()
        .map(|corner| (dot(stored, *corner) - f64::from(triangle.dist.get())).abs())
        .fold(0.0, f64::max);
    let turned = dot(normal, stored);
    (norm(stored) - 1.0).abs() < 0.02
        && (turned > 0.9 || turned > 0.0 && (distance - f64::from(triangle.dist.get())).abs() < size)
        && off <= size * 2e-3
}

fn plane(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| is_rigid(mesh)) {
        let Some(node) = mesh.0.child(&TRIANGLES) else { continue };
        let vertices = mesh.vertices();
        let bad = mesh.triangles().iter().enumerate().filter(|(_, triangle)| {
            corners(triangle, vertices).is_some_and(|corners| !plane_fits(triangle, corners))
        });
        findings.elements(node, 32, bad.map(|(index, _)| index), |index| {
            let triangle = &mesh.triangles()[index];
            let normal = vector(triangle.normal.get().map(|part| format!("{part:.3}")));
            format!(
                "triangle {index} has the normal {normal} and the distance {:.3}, which do not match its vertices",
                triangle.dist.get()
            )
        });
    }
}

/// Whether a box and a sphere contain every vertex that a triangle uses, within float precision.
pub(crate) fn bounds_fit(header: &MeshHeader3, vertices: &[Vec3]) -> bool {
    let (min, max, center) = (wide(header.min), wide(header.max), wide(header.sph_center));
    let size = (0..3).map(|axis| min[axis].abs().max(max[axis].abs())).fold(1e-3, f64::max);
    let slack = size * 1e-3;
    let radius = f64::from(header.sph_radius.get());
    vertices.iter().map(|vertex| wide(*vertex)).all(|vertex| {
        (0..3).all(|axis| vertex[axis] >= min[axis] - slack && vertex[axis] <= max[axis] + slack)
            && norm(sub(vertex, center)) <= radius + slack
    })
}

fn bounds(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| is_rigid(mesh)) {
        let Some(header) = mesh.header() else { continue };
        if !inside_out(header) && !bounds_fit(header, mesh.vertices()) {
            findings.add(
                mesh.0,
                format!(
                    "vertices lie outside the box {} to {}, or outside the sphere",
                    vector(header.min.get()),
                    vector(header.max.get())
                ),
            );
        }
    }
}

pub(crate) fn inside_out(header: &MeshHeader3) -> bool {
    let (min, max) = (header.min.get(), header.max.get());
    (0..3).any(|axis| min[axis] > max[axis]) || header.sph_radius.get() < 0.0
}

fn bounds_inside_out(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| is_rigid(mesh)) {
        if let Some(header) = mesh.header().filter(|header| inside_out(header)) {
            let message = if header.sph_radius.get() < 0.0 {
                format!("the radius of the sphere is {}", header.sph_radius)
            } else {
                let (low, high) = (vector(header.min.get()), vector(header.max.get()));
                format!("the box's minimum {low} lies above its maximum {high}")
            };
            findings.add(mesh.0, message);
        }
    }
}
