//! Repairs of counts in headers.

use record::{Kind, Node, Pod, U16, U32};
use w3d::records::{
    CollectionHeader, HModelHeader, HierarchyHeader, HlodArrayHeader, HlodHeader, LodModelHeader,
    MaterialInfo, MeshHeader3, Shader,
};
use w3d::table::{self, *};
use w3d::{Mesh, W3d};

use super::{Changes, each_child};
use crate::rules::w3d::model::is_connection;

/// Sets a count if that is allowed. Records the repair if the count was different.
fn set(count: &mut U32, to: usize, path: &str, what: &str, changes: &mut Changes) {
    let Ok(to) = u32::try_from(to) else { return };
    if changes.allows(count.get(), to) {
        changes.add(path, format!("{what} {count} -> {to}"));
        count.set(to);
    }
}

fn set16(count: &mut U16, to: usize, path: &str, what: &str, changes: &mut Changes) {
    let Ok(to) = u16::try_from(to) else { return };
    if changes.allows(count.get().into(), to.into()) {
        changes.add(path, format!("{what} {count} -> {to}"));
        count.set(to);
    }
}

/// The record in the first child of a kind, to change it, if it differs.
fn header<'n, T: Pod>(
    node: &'n mut Node<'_>,
    kind: &'static Kind,
    differs: impl Fn(&T) -> bool,
) -> Option<&'n mut T> {
    let child = node.child_mut(kind)?;
    // The record is changed only then, so that an unchanged file stays borrowed.
    child.value::<T>().filter(|header| differs(header))?;
    child.value_mut::<T>()
}

/// The number of elements that all arrays of a mesh with this rule agree on, and the number of these arrays.
fn agreed(mesh: &Node<'_>, rule: w3d::Rule) -> Option<(usize, usize)> {
    fn collect(node: &Node<'_>, rule: w3d::Rule, counts: &mut Vec<usize>) {
        for child in node.children() {
            let row = table::find(None, child.id)
                .filter(|row| row.kind.name == child.kind.name && row.rule == rule);
            if let (Some(_), [slot]) = (row, child.kind.slots) {
                counts.push(child.bytes().len() / slot.item.size().max(1));
            }
            collect(child, rule, counts);
        }
    }
    let mut counts = Vec::new();
    collect(mesh, rule, &mut counts);
    let first = *counts.first()?;
    counts.iter().all(|count| *count == first).then_some((first, counts.len()))
}

/// Sets a count that several arrays agree on. Two arrays of the same length have lost nothing, so a smaller count is also
/// safe.
fn set_agreed(count: &mut U32, (to, arrays): (usize, usize), path: &str, what: &str, changes: &mut Changes) {
    match u32::try_from(to) {
        Ok(to) if arrays > 1 && count.get() != to => {
            changes.add(path, format!("{what} {count} -> {to}"));
            count.set(to);
        }
        _ => set(count, to, path, what, changes),
    }
}

/// Sets the number of vertices where all arrays agree on another.
pub(crate) fn vertex_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, mesh| {
        let Some(count) = agreed(mesh, w3d::Rule::PerVertex).filter(|_| mesh.child(&VERTICES).is_some())
        else {
            return;
        };
        if let Some(header) =
            header::<MeshHeader3>(mesh, &MESH_HEADER3, |header| header.num_vertices.get() as usize != count.0)
        {
            set_agreed(&mut header.num_vertices, count, path, "number of vertices", changes);
        }
    });
}

/// Sets the number of triangles where all arrays agree on another.
pub(crate) fn triangle_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, mesh| {
        let Some(count) = agreed(mesh, w3d::Rule::PerTriangle).filter(|_| mesh.child(&TRIANGLES).is_some())
        else {
            return;
        };
        // If an array covers chunks after it, those are read as triangles, whose corners do not exist.
        let vertices = Mesh(mesh).vertices().len();
        let exists = |index: &U32| (index.get() as usize) < vertices;
        if !Mesh(mesh).triangles().iter().all(|triangle| triangle.vindex.iter().all(exists)) {
            return;
        }
        if let Some(header) =
            header::<MeshHeader3>(mesh, &MESH_HEADER3, |header| header.num_tris.get() as usize != count.0)
        {
            set_agreed(&mut header.num_tris, count, path, "number of triangles", changes);
        }
    });
}

/// Sets the counts of `MATERIAL_INFO` in meshes and their prelit wrappers.
pub(crate) fn material_counts(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "MESH", &mut |path, mesh| {
        material_info(mesh, path, changes);
        // A wrapper whose size is too small leaves its last chunks to the mesh: then its counts are right, not the chunks that are left in it.
        let own = [MATERIAL_PASS.kind, SHADERS.kind, TEXTURES.kind, VERTEX_MATERIALS.kind];
        if own.iter().any(|kind| mesh.child(kind).is_some()) {
            return;
        }
        for wrapper in
            mesh.children_mut().into_iter().flatten().filter(|child| (0x23..=0x26).contains(&child.id))
        {
            let path = format!("{path}/{}", wrapper.kind.name);
            material_info(wrapper, &path, changes);
        }
    });
}

fn material_info(holder: &mut Node<'_>, path: &str, changes: &mut Changes) {
    let passes = holder.all(&MATERIAL_PASS).count();
    let materials = holder.child(&VERTEX_MATERIALS).map_or(0, |node| node.all(&VERTEX_MATERIAL).count());
    let shaders = holder.child(&SHADERS).map_or(0, |node| node.values::<Shader>().len());
    let textures = holder.child(&TEXTURES).map_or(0, |node| node.all(&TEXTURE).count());
    if changes.code == "W3D-MAT-001" {
        let differs = |info: &MaterialInfo| info.pass_count.get() as usize != passes;
        if let Some(info) = header::<MaterialInfo>(holder, &MATERIAL_INFO, differs) {
            set(&mut info.pass_count, passes, path, "number of passes", changes);
        }
        return;
    }
    let stated = |info: &MaterialInfo| {
        [info.vertex_material_count, info.shader_count, info.texture_count].map(|count| count.get() as usize)
    };
    let differs = |info: &MaterialInfo| stated(info) != [materials, shaders, textures];
    let Some(info) = header::<MaterialInfo>(holder, &MATERIAL_INFO, differs) else { return };
    set(&mut info.vertex_material_count, materials, path, "number of vertex materials", changes);
    set(&mut info.shader_count, shaders, path, "number of shaders", changes);
    set(&mut info.texture_count, textures, path, "number of textures", changes);
}

/// Sets the number of pivots.
pub(crate) fn pivot_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "HIERARCHY", &mut |path, node| {
        let found = node.child(&PIVOTS).map_or(0, |pivots| pivots.values::<w3d::records::Pivot>().len());
        if let Some(header) = header::<HierarchyHeader>(node, &HIERARCHY_HEADER, |header| {
            header.num_pivots.get() as usize != found
        }) {
            set(&mut header.num_pivots, found, path, "number of pivots", changes);
        }
    });
}

/// Sets the number of levels of HLODs.
pub(crate) fn level_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "HLOD", &mut |path, node| {
        let found = node.all(&HLOD_LOD_ARRAY).count();
        if let Some(header) =
            header::<HlodHeader>(node, &HLOD_HEADER, |header| header.lod_count.get() as usize != found)
        {
            set(&mut header.lod_count, found, path, "number of levels", changes);
        }
    });
}

/// Sets the number of objects of each array of HLODs.
pub(crate) fn object_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "HLOD", &mut |path, node| {
        for array in ["HLOD_LOD_ARRAY", "HLOD_AGGREGATE_ARRAY", "HLOD_PROXY_ARRAY", "HLOD_LIGHT_ARRAY"] {
            each_child(node, path, array, &mut |path, array| {
                let found = array.all(&HLOD_SUB_OBJECT).count();
                let differs = |header: &HlodArrayHeader| header.model_count.get() as usize != found;
                if let Some(header) = header::<HlodArrayHeader>(array, &HLOD_SUB_OBJECT_ARRAY_HEADER, differs)
                {
                    set(&mut header.model_count, found, path, "number of objects", changes);
                }
            });
        }
    });
}

/// Sets the number of levels of LOD models.
pub(crate) fn lod_model_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "LODMODEL", &mut |path, node| {
        let found = node.all(&LOD).count();
        if let Some(header) = header::<LodModelHeader>(node, &LODMODEL_HEADER, |header| {
            usize::from(header.num_lods.get()) != found
        }) {
            set16(&mut header.num_lods, found, path, "number of levels", changes);
        }
    });
}

/// Sets the number of objects of collections.
pub(crate) fn collection_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "COLLECTION", &mut |path, node| {
        let found = node.all(&COLLECTION_OBJ_NAME).count();
        let differs = |header: &CollectionHeader| header.render_object_count.get() as usize != found;
        if let Some(header) = header::<CollectionHeader>(node, &COLLECTION_HEADER, differs) {
            set(&mut header.render_object_count, found, path, "number of objects", changes);
        }
    });
}

/// Sets the number of connections of hierarchy models.
pub(crate) fn connection_count(file: &mut W3d<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "HMODEL", &mut |path, node| {
        let found = node.children().iter().filter(|child| is_connection(child.id)).count();
        let differs = |header: &HModelHeader| usize::from(header.num_connections.get()) != found;
        if let Some(header) = header::<HModelHeader>(node, &HMODEL_HEADER, differs) {
            set16(&mut header.num_connections, found, path, "number of connections", changes);
        }
    });
}
