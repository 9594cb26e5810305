//! Meshes: header, counts, indices.

use record::Severity::{Error, Info, Warning};
use record::{Node, U32};
use w3d::Rule as CountRule;
use w3d::records::{DamageHeader, MeshHeader, MeshHeader3, ShdMeshHeader, ShdSubMeshHeader, Triangle};
use w3d::table::{self, *};

use super::{child_value, len};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-MESH-001",
        Error,
        header_first,
        "errata 3, mesh: meshmdlio.cpp",
        "the mesh's first chunk is not its header",
        "Engines read MESH_HEADER3 before anything else and give the mesh up if the first chunk is another. Move the header to the front; a mesh \
         with the header of version 1 or 2 has to be exported anew.",
    ),
    Rule::w3d(
        "W3D-MESH-002",
        Error,
        empty,
        "meshsave.cpp: No Triangles, No Vertices",
        "the mesh has no triangles or no vertices",
        "The exporter refuses to write it and engines assert on it. Delete the object, or replace it by a null object.",
    ),
    Rule::w3d(
        "W3D-MESH-003",
        Error,
        per_vertex,
        "errata 3, mesh",
        "an array does not have one element per vertex",
        "Engines read as many elements as the header says, whatever the chunk holds: they take what follows for vertices, or leave some unset. \
         If all arrays agree with each other the header is wrong, and the repair sets it; otherwise export again.",
    )
    .repaired(Repair::w3d("sets the header's number of vertices to that of all arrays", fix::vertex_count)),
    Rule::w3d(
        "W3D-MESH-004",
        Error,
        per_triangle,
        "errata 3, mesh",
        "an array does not have one element per triangle",
        "Engines read as many elements as the header says. If all arrays agree with each other the header is wrong, and the repair sets it; \
         otherwise export again.",
    )
    .repaired(Repair::w3d("sets the header's number of triangles to that of all arrays", fix::triangle_count)),
    Rule::w3d(
        "W3D-MESH-005",
        Error,
        vertex_index,
        "errata 3, mesh",
        "a triangle refers to a vertex that is not there",
        "Engines do not check: they draw from memory beyond the vertices, or crash. Export the mesh again.",
    ),
    Rule::w3d(
        "W3D-MESH-006",
        Error,
        too_many_vertices,
        "errata 3, mesh: dx8renderer has 16-bit indices",
        "the mesh has more than 65535 vertices",
        "Index buffers hold 16-bit numbers, so triangles of later vertices are drawn with wrong corners. Split the mesh.",
    ),
    Rule::w3d(
        "W3D-MESH-007",
        Error,
        surface_byte,
        "errata 2.3: asserts below 256, stores a byte",
        "a triangle's surface type does not fit a byte",
        "Engines assert on it and keep the low byte only, which is another surface.",
    ),
    Rule::w3d(
        "W3D-MESH-008",
        Warning,
        no_shade_indices,
        "errata 2.3: required by BFME II's tools",
        "the mesh has no shade indices",
        "W3DView and the mod tools of BFME II expect VERTEX_SHADE_INDICES; without them shading across edges is lost when the mesh is rebuilt.",
    )
    .only(Games::SAGE),
    Rule::w3d(
        "W3D-MESH-009",
        Warning,
        shade_index,
        "errata 2.3: index of the vertex that shares the shading",
        "a shade index refers to a vertex that is not there",
        "The index is used without a check when normals are computed.",
    ),
    Rule::w3d(
        "W3D-MESH-010",
        Warning,
        damage_counts,
        "errata 2.19",
        "a damage stage does not hold what its header says",
        "Nothing but the first tools read damage stages; they go by the header's counts.",
    ),
    Rule::w3d(
        "W3D-MESH-011",
        Error,
        shader_mesh,
        "errata 2.18: NAME first, HEADER second, NumSubMeshes sub-meshes",
        "a shader mesh is not in the order that the loader wants",
        "The loader takes the name, then the header, then as many sub-meshes as the header says. In any other order the mesh is not loaded.",
    )
    .only(Games::SAGE),
    Rule::w3d(
        "W3D-MESH-012",
        Info,
        old_header,
        "errata 2.2: engines refuse meshes without MESH_HEADER3",
        "the mesh is from before version 3",
        "Its header is that of versions 1 and 2 (1997-98). No released engine reads it.",
    ),
];

fn header_first(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        if !mesh.0.children().first().is_some_and(|first| first.is(&MESH_HEADER3)) {
            findings.add(mesh.0, "MESH_HEADER3 is not the first chunk of the mesh");
        }
    }
}

fn empty(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(header) = mesh.header() else { continue };
        let (triangles, vertices) = (header.num_tris.get(), header.num_vertices.get());
        if triangles == 0 || vertices == 0 {
            findings.add(mesh.0, format!("{triangles} triangles and {vertices} vertices"));
        }
    }
}

/// What arrays in a part of a mesh are counted by: vertices and triangles.
fn counts(node: &Node<'_>) -> Option<(usize, usize)> {
    let mesh =
        child_value::<MeshHeader3>(node, &MESH_HEADER3).map(|header| (header.num_vertices, header.num_tris));
    let sub = || {
        child_value::<ShdSubMeshHeader>(node, &SHDSUBMESH_HEADER)
            .map(|header| (header.num_vertices, header.num_triangles))
    };
    mesh.or_else(sub).map(|(vertices, triangles)| (len(vertices), len(triangles)))
}

/// Takes an array, its rule, the numbers of vertices and triangles, and the number of its elements.
type See<'s> = dyn FnMut(&Node<'_>, CountRule, (usize, usize), usize) + 's;

/// Calls `see` for each array in meshes that should have a certain number of elements: it, its rule, that number, and what it has.
fn arrays(context: &W3dContext<'_>, see: &mut See<'_>) {
    fn below(node: &Node<'_>, counts: (usize, usize), see: &mut See<'_>) {
        for child in node.children() {
            let row = table::find(None, child.id).filter(|row| std::ptr::eq(&raw const row.kind, child.kind));
            if let (Some(row), [slot]) = (row, child.kind.slots) {
                see(child, row.rule, counts, child.bytes().len() / slot.item.size().max(1));
            }
            below(child, counts, see);
        }
    }
    let sub_meshes = context.file.root.all(&SHDMESH).flat_map(|mesh| mesh.all(&SHDSUBMESH));
    for mesh in context.file.root.all(&MESH).chain(sub_meshes) {
        if let Some(counts) = counts(mesh) {
            below(mesh, counts, see);
        }
    }
}

fn per_vertex(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    arrays(context, &mut |node, rule, (vertices, _), found| {
        if rule == CountRule::PerVertex && found != vertices {
            findings.add(node, format!("{found} elements, but the mesh has {vertices} vertices"));
        }
    });
    // An array that must be there.
    for mesh in
        context.meshes.iter().filter(|mesh| mesh.header().is_some_and(|header| header.num_vertices.get() > 0))
    {
        if mesh.0.child(&VERTICES).is_none() {
            findings.add(mesh.0, "the mesh has no VERTICES");
        }
    }
}

fn per_triangle(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    arrays(context, &mut |node, rule, (_, triangles), found| {
        if rule == CountRule::PerTriangle && found != triangles {
            findings.add(node, format!("{found} elements, but the mesh has {triangles} triangles"));
        }
    });
    for mesh in
        context.meshes.iter().filter(|mesh| mesh.header().is_some_and(|header| header.num_tris.get() > 0))
    {
        if mesh.0.child(&TRIANGLES).is_none() {
            findings.add(mesh.0, "the mesh has no TRIANGLES");
        }
    }
}

fn vertex_index(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let (Some(node), Some(header)) = (mesh.0.child(&TRIANGLES), mesh.header()) else { continue };
        let vertices = header.num_vertices.get();
        let bad = |triangle: &Triangle| triangle.vindex.iter().any(|index| index.get() >= vertices);
        let bad = mesh.triangles().iter().enumerate().filter(|(_, triangle)| bad(triangle)).map(|(at, _)| at);
        findings.elements(node, 32, bad, |at| {
            format!("triangle {at} refers to a vertex beyond the {vertices} there are")
        });
    }
    for sub in context.file.root.all(&SHDMESH).flat_map(|mesh| mesh.all(&SHDSUBMESH)) {
        let (Some(node), Some((vertices, _))) = (sub.child(&SHDSUBMESH_TRIANGLES), counts(sub)) else {
            continue;
        };
        let corners = node.values::<[record::U16; 3]>();
        let bad = corners
            .iter()
            .enumerate()
            .filter(|(_, corners)| corners.iter().any(|index| usize::from(index.get()) >= vertices));
        findings.elements(node, 6, bad.map(|(at, _)| at), |at| {
            format!("triangle {at} refers to a vertex beyond the {vertices} there are")
        });
    }
}

fn too_many_vertices(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        if let Some(header) = mesh.header().filter(|header| header.num_vertices.get() > 0xFFFF) {
            findings.add(mesh.0, format!("{} vertices", header.num_vertices));
        }
    }
}

fn surface_byte(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&TRIANGLES) else { continue };
        let bad =
            mesh.triangles().iter().enumerate().filter(|(_, triangle)| triangle.attributes.get() >= 256);
        findings.elements(node, 32, bad.map(|(at, _)| at), |at| {
            format!("triangle {at} has surface type {}", mesh.triangles()[at].attributes.get())
        });
    }
}

fn no_shade_indices(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| mesh.header().is_some()) {
        if mesh.0.child(&VERTEX_SHADE_INDICES).is_none() {
            findings.add(mesh.0, "the mesh has no VERTEX_SHADE_INDICES");
        }
    }
}

fn shade_index(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let (Some(node), Some(header)) = (mesh.0.child(&VERTEX_SHADE_INDICES), mesh.header()) else {
            continue;
        };
        let indices = node.values::<U32>();
        let bad = indices.iter().enumerate().filter(|(_, index)| index.get() >= header.num_vertices.get());
        findings.elements(node, 4, bad.map(|(at, _)| at), |at| {
            format!("vertex {at} shares the shading of vertex {}, which is not there", indices[at])
        });
    }
}

fn damage_counts(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&DAMAGE) {
        let Some(header) = child_value::<DamageHeader>(visit.node, &DAMAGE_HEADER) else { continue };
        for (chunk, expected, size) in [
            (DAMAGE_VERTICES.row, header.num_damage_verts, 16),
            (DAMAGE_COLORS.row, header.num_damage_colors, 8),
        ] {
            let found = visit.node.child(chunk).map_or(0, |node| node.bytes().len() / size);
            if found != len(expected) {
                findings.add(
                    visit.node,
                    format!("{} has {found} elements, the header says {expected}", chunk.kind.name),
                );
            }
        }
    }
}

fn shader_mesh(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.root.all(&SHDMESH) {
        let [first, second, ..] = mesh.children() else {
            findings.add(mesh, "the shader mesh has no name and header");
            continue;
        };
        if !first.is(&SHDMESH_NAME) || !second.is(&SHDMESH_HEADER) {
            findings.add(mesh, format!("it starts with {} and {}", first.name(), second.name()));
        } else if let Some(header) = second.value::<ShdMeshHeader>() {
            let found = mesh.all(&SHDSUBMESH).count();
            if found != len(header.num_sub_meshes) {
                findings.add(mesh, format!("{found} sub-meshes, the header says {}", header.num_sub_meshes));
            }
        }
    }
}

fn old_header(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        if let Some(header) = child_value::<MeshHeader>(mesh.0, &MESH_HEADER) {
            findings.add(
                mesh.0,
                format!("the mesh {:?} has version {}", header.mesh_name.to_string(), header.version),
            );
        }
    }
}
