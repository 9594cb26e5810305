//! Meshes: header, counts, indices.

use record::Severity::{Error, Info, Warning};
use record::{Node, U32};
use w3d::Rule as CountRule;
use w3d::names::MeshFlags;
use w3d::records::{
    DamageHeader, MaterialInfo, MeshHeader, MeshHeader3, ShdMeshHeader, ShdSubMeshHeader, Triangle,
};
use w3d::table::{self, *};

use super::planes::{corners, cross, dot, is_rigid, plane_of, sub, wide};
use super::{child_value, len};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::rules::is_inside_out;
use crate::words::{count, counted, miscounted, out_of_range, share, thousands};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-MESH-001",
        Error,
        header_first,
        "docs/formats/w3d/meshes.md#mesh-header: meshmdlio.cpp",
        "the mesh's first chunk is not its header",
        "Engines read MESH_HEADER3 first and reject the mesh if the first chunk is another. Move the header to the front; a mesh with the header of \
         version 1 or 2 must be exported again.",
    ),
    Rule::w3d(
        "W3D-MESH-002",
        Error,
        empty,
        "meshsave.cpp: No Triangles, No Vertices",
        "the mesh has no triangles or no vertices",
        "The exporter refuses to write it, and engines assert on it. Delete the object, or replace it with a null object.",
    ),
    Rule::w3d(
        "W3D-MESH-003",
        Error,
        per_vertex,
        "docs/formats/w3d/meshes.md#mesh-header",
        "an array does not have one element per vertex",
        "Engines read as many elements as the header says, whatever the chunk holds: they read beyond the chunk, or leave some elements unset. \
         If all arrays agree with each other, the header is wrong and the repair sets it; otherwise export again.",
    )
    .repaired(Repair::w3d("sets the header's number of vertices to that of all arrays", fix::vertex_count)),
    Rule::w3d(
        "W3D-MESH-004",
        Error,
        per_triangle,
        "docs/formats/w3d/meshes.md#mesh-header",
        "an array does not have one element per triangle",
        "Engines read as many elements as the header says. If all arrays agree with each other, the header is wrong and the repair sets it; \
         otherwise export again.",
    )
    .repaired(Repair::w3d("sets the header's number of triangles to that of all arrays", fix::triangle_count)),
    Rule::w3d(
        "W3D-MESH-005",
        Error,
        vertex_index,
        "docs/formats/w3d/meshes.md#mesh-header",
        "a triangle refers to a missing vertex",
        "Engines do not check: they draw from memory beyond the vertices, or crash. Export the mesh again.",
    ),
    Rule::w3d(
        "W3D-MESH-006",
        Error,
        too_many_vertices,
        "docs/formats/w3d/meshes.md#mesh-header: dx8renderer has 16-bit indices",
        "the mesh has more than 65,535 vertices",
        "Index buffers hold 16-bit numbers, so triangles of later vertices are drawn with wrong corners. Split the mesh.",
    ),
    Rule::w3d(
        "W3D-MESH-007",
        Error,
        surface_byte,
        "docs/formats/w3d/meshes.md#triangles: asserts below 256, stores a byte",
        "a triangle's surface type does not fit in a byte",
        "Engines assert on it and keep the low byte only, which is another surface.",
    ),
    Rule::w3d(
        "W3D-MESH-008",
        Warning,
        no_shade_indices,
        "docs/formats/w3d/meshes.md#vertices: required by BFME II's tools",
        "the mesh has no shade indices",
        "W3DView and the mod tools of BFME II expect VERTEX_SHADE_INDICES; without them shading across edges is lost when the mesh is rebuilt.",
    )
    .only(Games::SAGE),
    Rule::w3d(
        "W3D-MESH-009",
        Warning,
        shade_index,
        "docs/formats/w3d/meshes.md#vertices: index of the vertex that shares the shading",
        "a shade index refers to a missing vertex",
        "The index is used without a check when normals are computed.",
    ),
    Rule::w3d(
        "W3D-MESH-010",
        Warning,
        damage_counts,
        "docs/formats/w3d/obsolete.md#materials-of-version-3",
        "the counts of a damage stage are wrong",
        "Only the earliest tools read damage stages; they use the header's counts.",
    ),
    Rule::w3d(
        "W3D-MESH-011",
        Error,
        shader_mesh,
        "docs/formats/w3d/shader-meshes.md#shader-mesh-chunks: NAME first, HEADER second, NumSubMeshes sub-meshes",
        "the chunks of a shader mesh are in the wrong order",
        "The loader reads the name, then the header, then as many sub-meshes as the header says. In any other order the mesh is not loaded.",
    )
    .only(Games::SAGE),
    Rule::w3d(
        "W3D-MESH-012",
        Info,
        old_header,
        "docs/formats/w3d/meshes.md#mesh-header: engines refuse meshes without MESH_HEADER3",
        "the mesh is from before version 3",
        "Its header is that of versions 1 and 2 (1997-98). No released engine reads it.",
    ),
    Rule::w3d(
        "W3D-MESH-013",
        Warning,
        lost_chunks,
        "docs/formats/w3d/meshes.md#mesh-header: VertexChannels; MATERIAL_INFO",
        "a chunk that a header announces is missing",
        "The file has no damaged chunk, but something that its headers refer to is not there: it may have been cut off exactly between two chunks, or a tool \
         dropped what it did not know. Get the file again, or export it again.",
    ),
    Rule::w3d(
        "W3D-MESH-014",
        Warning,
        normals,
        "D3D lighting needs a normal per vertex",
        "normals are zero",
        "A vertex with a normal of length zero is unlit: the mesh has black spots. Compute the normals again in the modelling program.",
    ),
    Rule::w3d(
        "W3D-MESH-015",
        Warning,
        winding,
        "docs/formats/w3d/coordinates.md#winding: front faces are counter-clockwise",
        "triangles are wound the wrong way",
        "Most triangles of the mesh are clockwise as seen from the side of their normals: the engine shows their backs only, so the mesh looks inside out. \
         Flip the faces or the normals, or set the two-sided flag.",
    ),
];

/// Flags of `vertex_channels`: the data of a vertex.
const HAS_NORMALS: u32 = 0x2;
const HAS_BONES: u32 = 0x10;

fn lost_chunks(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(header) = mesh.header() else { continue };
        let channels = header.vertex_channels.get();
        for (flag, chunk) in [(HAS_NORMALS, VERTEX_NORMALS.row), (HAS_BONES, VERTEX_INFLUENCES.row)] {
            let is_extended = chunk.kind.name == VERTEX_INFLUENCES.kind.name
                && mesh.0.child(&VERTEX_INFLUENCES_EXTENDED).is_some();
            if channels & flag != 0
                && header.num_vertices.get() > 0
                && mesh.0.child(chunk).is_none()
                && !is_extended
            {
                findings.add(
                    mesh.0,
                    format!("the header announces {}, but there is no such chunk", chunk.kind.name),
                );
            }
        }
        for holder in super::material::holders(mesh) {
            let Some(info) = child_value::<MaterialInfo>(holder, &MATERIAL_INFO) else { continue };
            for (stated, chunk) in [
                (info.vertex_material_count, VERTEX_MATERIALS.row),
                (info.shader_count, SHADERS.row),
                (info.texture_count, TEXTURES.row),
                (info.pass_count, MATERIAL_PASS.row),
            ] {
                if stated.get() > 0 && holder.child(chunk).is_none() {
                    let name = chunk.kind.name;
                    findings
                        .add(holder, format!("MATERIAL_INFO announces {name}, but there is no such chunk"));
                }
            }
        }
    }
}

fn normals(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&VERTEX_NORMALS) else { continue };
        let normals = mesh.normals();
        // A vertex of nothing but triangles without area is not seen.
        let mut is_seen = vec![false; normals.len()];
        for triangle in mesh.triangles() {
            if corners(triangle, mesh.vertices()).and_then(plane_of).is_some() {
                for index in triangle.vindex {
                    if let Some(is_seen) = is_seen.get_mut(len(index)) {
                        *is_seen = true;
                    }
                }
            }
        }
        let mut zero =
            (0..normals.len()).filter(|index| is_seen[*index] && normals[*index].get() == [0.0; 3]);
        if let Some(first) = zero.next() {
            let zero = 1 + zero.count();
            findings.element(node, first, share(zero, normals.len(), "normal", "zero"));
        }
    }
}

fn winding(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| is_rigid(mesh)) {
        let is_two_sided = mesh.header().is_some_and(|header| header.attributes.has(MeshFlags::TWO_SIDED));
        let (vertices, normals) = (mesh.vertices(), mesh.normals());
        let (mut same, mut flipped) = (0, 0);
        for triangle in mesh.triangles().iter().filter(|_| !is_two_sided) {
            let Some([a, b, c]) = corners(triangle, vertices) else { continue };
            let face = cross(sub(b, a), sub(c, a));
            let normal = |index: usize| normals.get(len(triangle.vindex[index])).map(|normal| wide(*normal));
            let (Some(x), Some(y), Some(z)) = (normal(0), normal(1), normal(2)) else { continue };
            let facing = dot(face, x) + dot(face, y) + dot(face, z);
            same += usize::from(facing > 0.0);
            flipped += usize::from(facing < 0.0);
        }
        if is_inside_out(same, flipped) {
            let (flipped, all) = (thousands(flipped), thousands(same + flipped));
            findings.add(mesh.0, format!("{flipped} of {all} triangles face away from their normals"));
        }
    }
}

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
            findings.add(
                mesh.0,
                format!(
                    "the mesh has {} and {}",
                    counted(len(triangles), "triangle"),
                    count(len(vertices), "vertex", "vertices")
                ),
            );
        }
    }
}

/// The counts for arrays of a mesh: vertices and triangles.
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

/// The message about an array that does not have one element per vertex or triangle.
fn wrong_length(node: &Node<'_>, found: usize, expected: &str) -> String {
    format!("{} has {}, but the mesh has {expected}", node.name(), counted(found, "element"))
}

fn per_vertex(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    arrays(context, &mut |node, rule, (vertices, _), found| {
        if rule == CountRule::PerVertex && found != vertices {
            findings.add(node, wrong_length(node, found, &count(vertices, "vertex", "vertices")));
        }
    });
    // An array that must be there.
    for mesh in
        context.meshes.iter().filter(|mesh| mesh.header().is_some_and(|header| header.num_vertices.get() > 0))
    {
        if mesh.0.child(&VERTICES).is_none() {
            findings.add(mesh.0, "the mesh has vertices according to its header, but no chunk VERTICES");
        }
    }
}

fn per_triangle(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    arrays(context, &mut |node, rule, (_, triangles), found| {
        if rule == CountRule::PerTriangle && found != triangles {
            findings.add(node, wrong_length(node, found, &counted(triangles, "triangle")));
        }
    });
    for mesh in
        context.meshes.iter().filter(|mesh| mesh.header().is_some_and(|header| header.num_tris.get() > 0))
    {
        if mesh.0.child(&TRIANGLES).is_none() {
            findings.add(mesh.0, "the mesh has triangles according to its header, but no chunk TRIANGLES");
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
            let indices = mesh.triangles()[at].vindex;
            let index = indices.iter().find(|index| index.get() >= vertices).map_or(0, |index| index.get());
            format!("triangle {at}: {}", out_of_range("vertex", index, "mesh", len(vertices)))
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
            let index = corners[at].iter().find(|index| usize::from(index.get()) >= vertices);
            let index = index.map_or(0, |index| index.get());
            format!("triangle {at}: {}", out_of_range("vertex", index, "sub-mesh", vertices))
        });
    }
}

fn too_many_vertices(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        if let Some(header) = mesh.header().filter(|header| header.num_vertices.get() > 0xFFFF) {
            let vertices = thousands(len(header.num_vertices));
            findings.add(mesh.0, format!("the mesh has {vertices} vertices; engines can draw 65,535"));
        }
    }
}

fn surface_byte(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&TRIANGLES) else { continue };
        let bad =
            mesh.triangles().iter().enumerate().filter(|(_, triangle)| triangle.attributes.get() >= 256);
        findings.elements(node, 32, bad.map(|(index, _)| index), |index| {
            format!(
                "triangle {index} has the surface type {}; it must be below 256",
                mesh.triangles()[index].attributes.get()
            )
        });
    }
}

fn no_shade_indices(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| mesh.header().is_some()) {
        if mesh.0.child(&VERTEX_SHADE_INDICES).is_none() {
            findings.add(mesh.0, "the mesh has no chunk VERTEX_SHADE_INDICES");
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
            format!("vertex {at} shares the shading of vertex {}, which does not exist", indices[at])
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
                    miscounted(
                        "the header",
                        expected,
                        found,
                        if chunk.kind.name == DAMAGE_VERTICES.kind.name {
                            ["vertex", "vertices"]
                        } else {
                            ["colour", "colours"]
                        },
                    ),
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
            findings.add(
                mesh,
                format!(
                    "the shader mesh starts with {} and {}, not with SHDMESH_NAME and SHDMESH_HEADER",
                    first.name(),
                    second.name()
                ),
            );
        } else if let Some(header) = second.value::<ShdMeshHeader>() {
            let found = mesh.all(&SHDSUBMESH).count();
            if found != len(header.num_sub_meshes) {
                let message =
                    miscounted("the header", header.num_sub_meshes, found, ["sub-mesh", "sub-meshes"]);
                findings.add(mesh, message);
            }
        }
    }
}

fn old_header(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        if let Some(header) = child_value::<MeshHeader>(mesh.0, &MESH_HEADER) {
            findings.add(
                mesh.0,
                format!(
                    "the mesh {:?} has version {}, which no released engine reads",
                    header.mesh_name.to_string(),
                    header.version
                ),
            );
        }
    }
}
