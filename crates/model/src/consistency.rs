//! Values of a text that contradict each other: the text can be read, but the model is not what was meant.
//!
//! Binary files have rules for this in `check`. A text is written by hand, so its reader tells what does not fit at once.

use record::{Diagnostic, Severity};

use crate::Document;

/// The most contradictions that are listed.
const MAX_LISTED: usize = 50;

/// Contradictions in a document that was read from a text: arrays of different lengths, and references to what does not exist.
pub(crate) fn contradictions(document: &Document<'_>) -> Vec<Diagnostic> {
    let mut found = Found(Vec::new());
    match document {
        #[cfg(feature = "w3d")]
        Document::W3d(file) => w3d_file(file, &mut found),
        #[cfg(feature = "w3d")]
        Document::W3x(file) => w3x_file(file, &mut found),
        #[cfg(feature = "mdx")]
        Document::Mdx(file) => mdx_file(file, &mut found),
    }
    found.0
}

struct Found(Vec<Diagnostic>);

impl Found {
    fn add(&mut self, path: String, message: String) {
        if self.0.len() < MAX_LISTED {
            self.0.push(Diagnostic {
                code: "TEXT-001".into(),
                severity: Severity::Warning,
                span: 0..0,
                path,
                message,
                note: Some(
                    "the model is made as the text says; correct the text if this is not meant".to_owned(),
                ),
            });
        }
    }

    /// An array that should have an element per something.
    fn length(&mut self, path: &str, (what, count): (&str, usize), (per, wanted): (&str, usize)) {
        if count != wanted {
            self.add(path.to_owned(), format!("{count} {what} for {wanted} {per}"));
        }
    }

    /// The first reference that leads nowhere.
    fn references(
        &mut self,
        path: &str,
        mut ids: impl Iterator<Item = usize>,
        (what, count): (&str, usize),
        from: &str,
    ) {
        if let Some(id) = ids.find(|id| *id >= count) {
            let there = match count {
                0 => "there is none".to_owned(),
                1 => "there is only 1".to_owned(),
                count => format!("there are {count}"),
            };
            self.add(path.to_owned(), format!("{from} refers to {what} {id}, but {there}"));
        }
    }
}

#[cfg(feature = "w3d")]
fn w3d_file(file: &w3d::W3d<'_>, found: &mut Found) {
    use w3d::table::{HIERARCHY, HLOD, HLOD_LOD_ARRAY, HLOD_SUB_OBJECT, PIVOTS};
    for (index, mesh) in file.meshes().enumerate() {
        let path = format!("MESH[{index}]");
        let (vertices, triangles) = (mesh.vertices().len(), mesh.triangles().len());
        mesh_arrays(mesh.0, &path, vertices, triangles, found);
        material_ids(mesh.0, &path, found);
        let corners = mesh.triangles().iter().flat_map(|triangle| triangle.vindex);
        found.references(
            &path,
            corners.map(|index| index.get() as usize),
            ("vertex", vertices),
            "a triangle",
        );
    }
    let pivots = file.root.child(&HIERARCHY).and_then(|skeleton| skeleton.child(&PIVOTS));
    let Some(pivots) = pivots.map(|node| node.values::<w3d::records::Pivot>()) else { return };
    for (index, pivot) in pivots.iter().enumerate().skip(1) {
        let parent = pivot.parent_idx.get();
        if parent != u32::MAX && parent as usize >= index {
            let message =
                format!("pivot {index} has the parent {parent}; parents come before their children");
            found.add("HIERARCHY[0]/PIVOTS[0]".to_owned(), message);
        }
    }
    let arrays = file.root.all(&HLOD).flat_map(|hlod| hlod.all(&HLOD_LOD_ARRAY));
    let objects = arrays.flat_map(|array| array.all(&HLOD_SUB_OBJECT));
    let bones = objects.filter_map(|object| object.value::<w3d::records::HlodSubObject>());
    let bones = bones.map(|object| object.bone_index.get() as usize);
    found.references("HLOD[0]", bones, ("pivot", pivots.len()), "an object");
}

#[cfg(feature = "w3d")]
fn w3x_file(file: &w3x::W3x<'_>, found: &mut Found) {
    use w3x::kinds::{
        B, BINORMALS, BONE_INFLUENCES, C, I, N, NORMALS, T, TANGENTS, TEX_COORDS, V, VERTEX_COLORS, VERTICES,
    };
    let root = file.declaration().map(|root| format!("{}[0]/", root.node().name())).unwrap_or_default();
    for (index, mesh) in file.meshes().enumerate() {
        let path = format!("{root}W3DMesh[{index}]");
        let vertices = mesh.vertex_count();
        for (list, items) in [
            (&VERTICES, &V),
            (&NORMALS, &N),
            (&TANGENTS, &T),
            (&BINORMALS, &B),
            (&VERTEX_COLORS, &C),
            (&TEX_COORDS, &T),
            (&BONE_INFLUENCES, &I),
        ] {
            for (number, element) in mesh.lists(list).enumerate() {
                let path = format!("{path}/{}[{number}]", list.name);
                found.length(&path, ("items", element.items(items).count()), ("vertices", vertices));
            }
        }
        let corners = mesh.triangles().into_iter().flat_map(|triangle| triangle.vertices);
        found.references(&path, corners.map(|index| index as usize), ("vertex", vertices), "a triangle");
    }
    for hierarchy in file.hierarchies() {
        let parents = hierarchy.pivots().filter_map(|pivot| pivot.parent());
        let path = format!("{root}W3DHierarchy {:?}", hierarchy.id());
        found.references(&path, parents, ("pivot", hierarchy.pivots().count()), "a pivot");
    }
}

/// References of the passes of a mesh.
#[cfg(feature = "w3d")]
fn material_ids(mesh: &record::Node<'_>, path: &str, found: &mut Found) {
    use w3d::table::{
        MATERIAL_PASS, SHADER_IDS, SHADERS, TEXTURE, TEXTURE_IDS, TEXTURE_STAGE, TEXTURES, VERTEX_MATERIAL,
        VERTEX_MATERIAL_IDS, VERTEX_MATERIALS,
    };
    let shaders = mesh.child(&SHADERS).map_or(0, |node| node.values::<w3d::records::Shader>().len());
    let materials = mesh.child(&VERTEX_MATERIALS).map_or(0, |node| node.all(&VERTEX_MATERIAL).count());
    let textures = mesh.child(&TEXTURES).map_or(0, |node| node.all(&TEXTURE).count());
    let ids = |node: &record::Node<'_>, kind: &'static record::Kind| -> Vec<usize> {
        let ids = node.child(kind).map(|ids| ids.values::<record::U32>()).unwrap_or_default();
        ids.iter().map(|id| id.get()).filter(|id| *id != u32::MAX).map(|id| id as usize).collect()
    };
    for pass in mesh.all(&MATERIAL_PASS) {
        found.references(path, ids(pass, &SHADER_IDS).into_iter(), ("shader", shaders), "a pass");
        let material_ids = ids(pass, &VERTEX_MATERIAL_IDS).into_iter();
        found.references(path, material_ids, ("vertex material", materials), "a pass");
        for stage in pass.all(&TEXTURE_STAGE) {
            found.references(path, ids(stage, &TEXTURE_IDS).into_iter(), ("texture", textures), "a pass");
        }
    }
}

/// Arrays below a mesh that should have as many elements as it has vertices or triangles.
#[cfg(feature = "w3d")]
fn mesh_arrays(node: &record::Node<'_>, path: &str, vertices: usize, triangles: usize, found: &mut Found) {
    use w3d::Rule;
    for child in node.children() {
        let path = format!("{path}/{}", child.name());
        let row = w3d::table::find(None, child.id).filter(|row| row.kind.name == child.kind.name);
        if let (Some(row), [slot]) = (row, child.kind.slots) {
            let count = child.bytes().len() / slot.item.size().max(1);
            match row.rule {
                Rule::PerVertex => found.length(&path, ("elements", count), ("vertices", vertices)),
                Rule::PerTriangle => found.length(&path, ("elements", count), ("triangles", triangles)),
                Rule::OneOrPerVertex if count != 1 => {
                    found.length(&path, ("elements", count), ("vertices", vertices));
                }
                Rule::OneOrPerTriangle if count != 1 => {
                    found.length(&path, ("elements", count), ("triangles", triangles));
                }
                _ => {}
            }
        }
        mesh_arrays(child, &path, vertices, triangles, found);
    }
}

#[cfg(feature = "mdx")]
fn mdx_file(file: &mdx::Document<'_>, found: &mut Found) {
    let view = file.view();
    let (materials, textures) = (view.materials().count(), view.textures().len());
    for (index, geoset) in view.geosets().enumerate() {
        let path = format!("GEOS[0]/Geoset[{index}]");
        let vertices = ("vertices", geoset.vertex_count());
        found.length(&path, ("normals", geoset.normals().len()), vertices);
        if geoset.skin().is_empty() && geoset.wide_skin().is_empty() {
            found.length(&path, ("vertex groups", geoset.vertex_groups().len()), vertices);
        }
        for set in geoset.coordinate_sets() {
            found.length(&path, ("texture coordinates", set.len()), vertices);
        }
        let corners = geoset.faces().iter().map(|index| usize::from(index.get()));
        found.references(&path, corners, ("vertex", vertices.1), "a triangle");
        if geoset.faces().len() % 3 != 0 {
            found.add(path.clone(), format!("{} indices are not a multiple of 3", geoset.faces().len()));
        }
        let groups = geoset.vertex_groups().iter().map(|group| usize::from(*group));
        found.references(&path, groups, ("matrix group", geoset.matrix_groups().len()), "a vertex");
        let material = geoset.material_id().map(|id| id as usize);
        found.references(&path, material.into_iter(), ("material", materials), "the geoset");
    }
    for (index, material) in view.materials().enumerate() {
        let path = format!("MTLS[0]/Material[{index}]");
        let ids = material
            .layers()
            .flat_map(|layer| layer.textures().map(|texture| texture.texture_id).collect::<Vec<_>>());
        let ids = ids.filter_map(|id| usize::try_from(id).ok());
        found.references(&path, ids, ("texture", textures), "a layer");
    }
    let ids: std::collections::HashSet<i32> = view.nodes().map(|node| node.id()).collect();
    for node in view.nodes() {
        if let Some(parent) = node.parent().filter(|parent| !ids.contains(parent)) {
            let message = format!("the node {:?} has the parent {parent}, which does not exist", node.name());
            found.add(String::new(), message);
        }
    }
}
