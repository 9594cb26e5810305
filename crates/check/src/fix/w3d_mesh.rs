//! Planes, bounds, weights, and unused materials.

use record::{Node, U16, U32, Vec3};
use w3d::records::{MaterialInfo, MeshHeader3, Ps2Shader, Shader, Triangle, VertexInfluence};
use w3d::table::*;
use w3d::{Chunk, Mesh, W3d};

use super::{Changes, each_child};
use crate::rules::w3d::material::{found, used};
use crate::rules::w3d::planes::{
    V3, bounds_fit, corners, inside_out, is_rigid, norm, plane_fits, plane_of, sub, wide,
};

/// Whether a mesh has as many vertices and triangles as it says. Otherwise an array may cover the chunks after it, which are no vertices.
fn is_counted(mesh: &Mesh<'_>) -> bool {
    mesh.header().is_some_and(|header| {
        header.num_vertices.get() as usize == mesh.vertices().len()
            && header.num_tris.get() as usize == mesh.triangles().len()
    })
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
fn narrow(vector: V3) -> Vec3 {
    Vec3::new(vector[0] as f32, vector[1] as f32, vector[2] as f32)
}

/// Computes the planes of triangles that do not fit their corners.
pub(crate) fn planes(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, node| {
        let mesh = Mesh(node);
        if !is_rigid(&mesh) || !is_counted(&mesh) {
            return;
        }
        let vertices = mesh.vertices();
        let wrong = mesh.triangles().iter().enumerate().filter_map(|(index, triangle)| {
            let corners = corners(triangle, vertices)?;
            let plane = plane_of(corners).filter(|(_, distance)| distance.abs() <= f64::from(f32::MAX))?;
            (!plane_fits(triangle, corners)).then_some((index, plane))
        });
        let wrong: Vec<_> = wrong.collect();
        if wrong.is_empty() {
            return;
        }
        let Some(node) = node.child_mut(&TRIANGLES) else { return };
        let triangles = node.values_mut::<Triangle>();
        for (index, (normal, distance)) in &wrong {
            triangles[*index].normal = narrow(*normal);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "rounding to the format's precision is meant"
            )]
            triangles[*index].dist.set(*distance as f32);
        }
        changes.add(format!("{path}/TRIANGLES[0]"), format!("{} planes computed", wrong.len()));
    });
}

/// Computes boxes and spheres that do not hold all vertices.
pub(crate) fn bounds(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, node| {
        let mesh = Mesh(node);
        let (true, Some(header)) = (is_rigid(&mesh) && is_counted(&mesh), mesh.header()) else { return };
        let vertices = mesh.vertices();
        let finite = vertices.iter().all(|vertex| vertex.get().iter().all(|part| part.is_finite()));
        let wrong = match changes.code {
            "W3D-PLANE-004" => inside_out(header),
            _ => !inside_out(header) && !bounds_fit(header, vertices),
        };
        if vertices.is_empty() || !finite || !wrong {
            return;
        }
        let (mut low, mut high) = (wide(vertices[0]), wide(vertices[0]));
        for vertex in vertices.iter().map(|vertex| wide(*vertex)) {
            for axis in 0..3 {
                low[axis] = low[axis].min(vertex[axis]);
                high[axis] = high[axis].max(vertex[axis]);
            }
        }
        let center = [0, 1, 2].map(|axis| f64::midpoint(low[axis], high[axis]));
        let radius = vertices.iter().map(|vertex| norm(sub(wide(*vertex), center))).fold(0.0, f64::max);
        // The format cannot express it.
        if radius > f64::from(f32::MAX) {
            return;
        }
        let sphere = MeshHeader3 { min: narrow(low), max: narrow(high), ..*header };
        // If only the box is wrong, the sphere stays.
        let keep_sphere = bounds_fit(&sphere, vertices) && header.sph_radius.get() >= 0.0;
        let Some(header) = node.child_mut(&MESH_HEADER3).and_then(Node::value_mut::<MeshHeader3>) else {
            return;
        };
        (header.min, header.max) = (narrow(low), narrow(high));
        if !keep_sphere {
            header.sph_center = narrow(center);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "rounding to the format's precision is meant"
            )]
            header.sph_radius.set(radius as f32);
        }
        changes.add(
            path,
            if keep_sphere { "bounding box computed" } else { "bounding box and sphere computed" },
        );
    });
}

/// Scales weights to a sum of 100.
pub(crate) fn weights(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, mesh| {
        let sum = |influence: &VertexInfluence| {
            influence.weight.iter().map(|weight| u32::from(weight.get())).sum::<u32>()
        };
        let wrong = |influence: &VertexInfluence| !matches!(sum(influence), 0 | 100);
        let vertices = Mesh(mesh).vertices().len();
        let Some(node) = mesh.child_mut(&VERTEX_INFLUENCES) else { return };
        // A chunk that is too long has swallowed what follows it, which are no weights.
        if node.values::<VertexInfluence>().len() != vertices {
            return;
        }
        let count = node.values::<VertexInfluence>().iter().filter(|influence| wrong(influence)).count();
        if count == 0 {
            return;
        }
        for influence in node.values_mut::<VertexInfluence>().iter_mut().filter(|influence| wrong(influence))
        {
            let total = sum(influence);
            let first = (u32::from(influence.weight[0].get()) * 100 + total / 2) / total;
            let first = u16::try_from(first).unwrap_or(100).min(100);
            influence.weight = [U16::new(first), U16::new(100 - first)];
        }
        changes.add(
            format!("{path}/VERTEX_INFLUENCES[0]"),
            format!("weights of {count} vertices scaled to 100"),
        );
    });
}

/// Removes textures, shaders and vertex materials that no pass uses, and renumbers the others.
pub(crate) fn unused_materials(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, mesh| {
        unused_in(mesh, path, changes);
        for wrapper in
            mesh.children_mut().into_iter().flatten().filter(|child| (0x23..=0x26).contains(&child.id))
        {
            let path = format!("{path}/{}", wrapper.kind.name);
            unused_in(wrapper, &path, changes);
        }
    });
}

fn unused_in(holder: &mut Node<'_>, path: &str, changes: &mut Changes) {
    let used = used(holder);
    // If a count is wrong or nothing is drawn, unused parts cannot be determined.
    let stated = holder.child(&MATERIAL_INFO).and_then(Node::value::<MaterialInfo>);
    let stated = stated.map(|info| {
        [info.vertex_material_count, info.shader_count, info.texture_count].map(|count| count.get() as usize)
    });
    if holder.child(&MATERIAL_PASS).is_none()
        || stated != Some(found(holder))
        || !refers_to_existing(holder)
        || used.iter().flatten().all(|used| *used)
    {
        return;
    }
    // The new number of each; `None` for removed ones.
    let renumber = used.each_ref().map(|used| {
        let mut next = 0;
        let number = |used: &bool| {
            let own = used.then_some(next);
            next += u32::from(*used);
            own
        };
        used.iter().map(number).collect::<Vec<_>>()
    });
    remove_children(holder, &VERTEX_MATERIALS, &VERTEX_MATERIAL, &used[0]);
    remove_children(holder, &TEXTURES, &TEXTURE, &used[2]);
    if let Some(node) = holder.child_mut(&PS2_SHADERS) {
        let kept = kept(node.values::<Ps2Shader>(), &used[1]);
        node.set_values(&kept);
    }
    if let Some(node) = holder.child_mut(&SHADERS) {
        let kept = kept(node.values::<Shader>(), &used[1]);
        node.set_values(&kept);
    }
    for pass in holder.children_mut().into_iter().flatten().filter(|child| child.is(&MATERIAL_PASS)) {
        for child in pass.children_mut().into_iter().flatten() {
            match child.id {
                ids::VERTEX_MATERIAL_IDS => renumber_ids(child, &renumber[0]),
                ids::SHADER_IDS => renumber_ids(child, &renumber[1]),
                ids::TEXTURE_STAGE => {
                    for ids in
                        child.children_mut().into_iter().flatten().filter(|ids| ids.id == ids::TEXTURE_IDS)
                    {
                        renumber_ids(ids, &renumber[2]);
                    }
                }
                _ => {}
            }
        }
    }
    let counts = used.each_ref().map(|used| U32::new(used.iter().map(|used| u32::from(*used)).sum()));
    if let Some(info) = holder.child_mut(&MATERIAL_INFO).and_then(Node::value_mut::<MaterialInfo>) {
        [info.vertex_material_count, info.shader_count, info.texture_count] = counts;
    }
    let removed = used.iter().flatten().filter(|used| !**used).count();
    changes.add(path, format!("{removed} unused textures, shaders or vertex materials removed"));
}

/// Whether every pass refers to shaders, materials and textures that exist: otherwise its arrays are damaged, and say nothing about use.
fn refers_to_existing(holder: &Node<'_>) -> bool {
    let [materials, shaders, textures] = found(holder);
    let within = |node: &Node<'_>, kind: &'static Chunk, count: usize| {
        let ids = node.child(kind).map(|ids| ids.values::<U32>()).unwrap_or_default();
        ids.iter().all(|id| (id.get() as usize) < count || id.get() == u32::MAX) && !ids.is_empty()
    };
    holder.all(&MATERIAL_PASS).all(|pass| {
        (materials == 0 || within(pass, &VERTEX_MATERIAL_IDS, materials))
            && (shaders == 0 || within(pass, &SHADER_IDS, shaders))
            && pass.all(&TEXTURE_STAGE).all(|stage| within(stage, &TEXTURE_IDS, textures))
    })
}

fn kept<T: Copy>(values: &[T], used: &[bool]) -> Vec<T> {
    values.iter().zip(used).filter(|(_, used)| **used).map(|(value, _)| *value).collect()
}

fn remove_children(holder: &mut Node<'_>, parent: &'static Chunk, child: &'static Chunk, used: &[bool]) {
    let Some(children) = holder.child_mut(parent).and_then(Node::children_mut) else { return };
    let mut used = used.iter();
    children.retain(|node| !node.is(child) || used.next().copied().unwrap_or(true));
}

fn renumber_ids(node: &mut Node<'_>, numbers: &[Option<u32>]) {
    let number = |id: &U32| numbers.get(id.get() as usize).copied().flatten();
    if node.values::<U32>().iter().all(|id| number(id).is_none_or(|new| new == id.get())) {
        return;
    }
    for id in node.values_mut::<U32>() {
        if let Some(new) = number(id) {
            id.set(new);
        }
    }
}
