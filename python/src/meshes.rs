//! The meshes of a model as they are in the file. Their arrays are the file's own bytes.

use std::collections::HashMap;
use std::ptr;
use std::sync::Arc;

use meshwright::mdx::view::Geoset;
use meshwright::record::Node;
use meshwright::{Document, mdx, w3d};
use pyo3::prelude::*;
use zerocopy::IntoBytes;

use crate::array::{Array, Element, Memory};
use crate::error::{Failure, Result};

/// A mesh of W3D, or a geoset of MDX.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Mesh {
    model: Arc<meshwright::Model>,
    place: Place,
    index: usize,
}

/// Where a mesh is in its document.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A child of the root.
    W3d(usize),
    /// A child of a child of the root, and its batch in version 1500.
    Mdx { chunk: usize, node: usize, batch: Option<usize> },
}

/// The meshes of a model.
pub(crate) fn of(model: &Arc<meshwright::Model>) -> Vec<Mesh> {
    let mesh = |(index, place)| Mesh { model: model.clone(), place, index };
    let children = model.document().root().children();
    match model.document() {
        Document::W3d(_) => {
            let meshes = children.iter().enumerate().filter(|(_, node)| w3d::Mesh::new(node).is_some());
            meshes.map(|(place, _)| Place::W3d(place)).enumerate().map(mesh).collect()
        }
        Document::Mdx(file) => {
            let mut places: HashMap<*const Node<'_>, (usize, usize)> = HashMap::new();
            for (chunk, parent) in children.iter().enumerate().filter(|(_, node)| node.is(&mdx::kinds::GEOS))
            {
                let nodes = parent.children().iter().enumerate();
                places.extend(nodes.map(|(node, child)| (ptr::from_ref(child), (chunk, node))));
            }
            let place = |geoset: Geoset<'_>| {
                let (chunk, node) = *places.get(&ptr::from_ref(geoset.node))?;
                let batch = geoset.batch.and_then(|batch| places.get(&ptr::from_ref(batch)));
                Some(Place::Mdx { chunk, node, batch: batch.map(|(_, batch)| *batch) })
            };
            file.geosets().filter_map(place).enumerate().map(mesh).collect()
        }
        _ => Vec::new(),
    }
}

/// The view of a mesh.
enum View<'m> {
    W3d(w3d::Mesh<'m>),
    Mdx(Geoset<'m>),
}

impl Place {
    fn view<'m>(&self, model: &'m meshwright::Model) -> Option<View<'m>> {
        let children = model.document().root().children();
        match *self {
            Self::W3d(place) => w3d::Mesh::new(children.get(place)?).map(View::W3d),
            Self::Mdx { chunk, node, batch } => {
                let nodes = children.get(chunk)?.children();
                let batch = batch.and_then(|batch| nodes.get(batch));
                Some(View::Mdx(Geoset { node: nodes.get(node)?, batch }))
            }
        }
    }
}

/// An array of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Positions,
    Normals,
    Uvs(usize),
    Colors,
    Triangles,
}

/// The bytes of an array of a mesh, in the document.
struct Lent {
    model: Arc<meshwright::Model>,
    place: Place,
    part: Part,
}

impl Memory for Lent {
    fn bytes(&self) -> &[u8] {
        let found = match (self.place.view(&self.model), self.part) {
            (Some(View::W3d(mesh)), part) => of_w3d(&mesh, part),
            (Some(View::Mdx(geoset)), part) => of_mdx(&geoset, part),
            (None, _) => None,
        };
        found.unwrap_or_default()
    }
}

fn of_w3d<'m>(mesh: &w3d::Mesh<'m>, part: Part) -> Option<&'m [u8]> {
    Some(match part {
        Part::Positions => mesh.vertices().as_bytes(),
        Part::Normals => mesh.normals().as_bytes(),
        // The coordinates of the passes and their stages, one set after the other.
        Part::Uvs(set) => mesh
            .passes()
            .flat_map(|pass| pass.stages().map(|stage| stage.texcoords()))
            .filter(|uvs| !uvs.is_empty())
            .nth(set)?
            .as_bytes(),
        Part::Colors => {
            mesh.passes().map(|pass| pass.diffuse_colors()).find(|all| !all.is_empty())?.as_bytes()
        }
        Part::Triangles => mesh.triangles().as_bytes(),
    })
}

fn of_mdx<'m>(geoset: &Geoset<'m>, part: Part) -> Option<&'m [u8]> {
    let batch = geoset.batch_vertices();
    let is_batch = geoset.positions().is_empty() && !batch.is_empty();
    Some(match part {
        Part::Positions | Part::Normals | Part::Uvs(_) if is_batch => batch.as_bytes(),
        Part::Positions => geoset.positions().as_bytes(),
        Part::Normals => geoset.normals().as_bytes(),
        Part::Uvs(set) => geoset.coordinate_sets().nth(set)?.as_bytes(),
        Part::Colors => return None,
        Part::Triangles => geoset.faces().as_bytes(),
    })
}

/// Offsets in a vertex of version 1500, and its size.
const BATCH: (usize, usize, usize) = (20, 32, 48);

/// The memory from an offset on.
struct Offset(Lent, usize);

impl Memory for Offset {
    fn bytes(&self) -> &[u8] {
        self.0.bytes().get(self.1..).unwrap_or_default()
    }
}

/// The most bones of one vertex that are returned in an array.
const MAX_BONES: usize = 64;

/// The most numbers in an array of bones.
const MAX_WEIGHTS: usize = 1 << 26;

impl Mesh {
    fn view(&self) -> Option<View<'_>> {
        self.place.view(&self.model)
    }

    fn lent(&self, part: Part) -> Lent {
        Lent { model: self.model.clone(), place: self.place, part }
    }

    /// Rows of floats: packed, or in the vertices of version 1500 at this offset.
    fn floats(&self, part: Part, columns: usize, offset: usize) -> Array {
        let is_batch = matches!(self.view(), Some(View::Mdx(geoset)) if geoset.positions().is_empty() && !geoset.batch_vertices().is_empty());
        if is_batch {
            let memory = Arc::new(Offset(self.lent(part), offset));
            return Array::records(memory, Element::Float, columns, BATCH.2);
        }
        Array::rows(Arc::new(self.lent(part)), Element::Float, columns)
    }

    fn sets(&self) -> usize {
        match self.view() {
            Some(View::W3d(mesh)) => {
                let stages =
                    mesh.passes().flat_map(|pass| pass.stages().map(|stage| stage.texcoords().len()));
                stages.filter(|count| *count > 0).count()
            }
            Some(View::Mdx(geoset)) if geoset.batch_vertices().is_empty() => geoset.coordinate_sets().count(),
            Some(View::Mdx(_)) => 2,
            None => 0,
        }
    }
}

#[pymethods]
impl Mesh {
    #[getter]
    fn name(&self) -> String {
        match self.view() {
            Some(View::W3d(mesh)) => meshwright::Mesh::W3d(mesh).name(),
            Some(View::Mdx(geoset)) => meshwright::Mesh::Mdx(geoset, self.index).name(),
            None => String::new(),
        }
    }

    #[getter]
    fn positions(&self) -> Array {
        self.floats(Part::Positions, 3, 0)
    }

    #[getter]
    fn normals(&self) -> Array {
        self.floats(Part::Normals, 3, BATCH.0)
    }

    #[getter]
    fn uv_sets(&self) -> Vec<Array> {
        // The second set of version 1500 follows the first.
        (0..self.sets().min(MAX_BONES)).map(|set| self.floats(Part::Uvs(set), 2, BATCH.1 + 8 * set)).collect()
    }

    #[getter]
    fn colors(&self) -> Option<Array> {
        let colors = self.lent(Part::Colors);
        (!colors.bytes().is_empty()).then(|| Array::rows(Arc::new(colors), Element::Byte, 4))
    }

    #[getter]
    fn triangles(&self) -> Array {
        let lent = || Arc::new(self.lent(Part::Triangles));
        match self.view() {
            Some(View::W3d(_)) => {
                Array::records(lent(), Element::Word, 3, size_of::<w3d::records::Triangle>())
            }
            Some(View::Mdx(geoset)) => {
                let mut count = 0_usize;
                let is_plain = geoset.face_groups().all(|(kind, length)| {
                    count = count.saturating_add(length);
                    kind == mdx::records::FaceType::TRIANGLES && length.is_multiple_of(3)
                });
                if is_plain && count == geoset.faces().len() {
                    return Array::rows(lent(), Element::Short, 3);
                }
                let triangles = meshwright::Mesh::Mdx(geoset, self.index).triangles();
                let bytes: Vec<u8> =
                    triangles.iter().flatten().flat_map(|index| index.to_le_bytes()).collect();
                Array::rows(Arc::new(bytes), Element::Word, 3)
            }
            None => Array::rows(Arc::new(Vec::new()), Element::Word, 3),
        }
    }

    /// The names of the textures of a W3D mesh; the number of the material of a geoset.
    #[getter]
    fn textures(&self) -> Vec<String> {
        match self.view() {
            Some(View::W3d(mesh)) => mesh.texture_names(),
            _ => Vec::new(),
        }
    }

    #[getter]
    fn material(&self) -> Option<u32> {
        match self.view() {
            Some(View::Mdx(geoset)) => geoset.material_id(),
            _ => None,
        }
    }

    /// The bones of each vertex and their weights; nothing for a mesh that bones do not deform.
    #[getter]
    fn skin(&self, py: Python<'_>) -> PyResult<Option<(Array, Array)>> {
        Ok(py.detach(|| match self.view() {
            Some(View::W3d(mesh)) if !mesh.extended_influences().is_empty() => {
                weights(mesh.extended_influences().len(), 4, |vertex, index| {
                    let (bone, weight) = mesh.extended_influences()[vertex].bones()[index];
                    (u32::from(bone), weight)
                })
            }
            Some(View::W3d(mesh)) => weights(mesh.influences().len(), 2, |vertex, index| {
                let (bone, weight) = mesh.influences()[vertex].bones()[index];
                (u32::from(bone), weight)
            }),
            Some(View::Mdx(geoset)) => skin_of_geoset(&geoset),
            None => Ok(None),
        })?)
    }

    fn __repr__(&self) -> String {
        let (vertices, triangles) = (self.positions(), self.triangles());
        let rows = |array: &Array| array.shape_of_buffer().first().copied().unwrap_or(0);
        format!("<Mesh {:?}: {} vertices, {} triangles>", self.name(), rows(&vertices), rows(&triangles))
    }
}

/// Bones and weights of vertices as arrays.
pub(crate) fn weights(
    vertices: usize,
    bones: usize,
    of: impl Fn(usize, usize) -> (u32, f32),
) -> Result<Option<(Array, Array)>> {
    if vertices == 0 || bones == 0 {
        return Ok(None);
    }
    if bones > MAX_BONES || vertices.saturating_mul(bones) > MAX_WEIGHTS {
        let message = format!("{bones} bones for each of {vertices} vertices are too many for an array");
        return Err(Failure::new("MESH-SIZE", message));
    }
    let size = vertices * bones * 4;
    let (mut indices, mut shares) = (Vec::with_capacity(size), Vec::with_capacity(size));
    for vertex in 0..vertices {
        for index in 0..bones {
            let (bone, weight) = of(vertex, index);
            indices.extend(bone.to_le_bytes());
            shares.extend(weight.to_le_bytes());
        }
    }
    let (indices, shares) = (Arc::new(indices), Arc::new(shares));
    Ok(Some((Array::rows(indices, Element::Word, bones), Array::rows(shares, Element::Float, bones))))
}

fn skin_of_geoset(geoset: &Geoset<'_>) -> Result<Option<(Array, Array)>> {
    let (skin, wide, batch) = (geoset.skin(), geoset.wide_skin(), geoset.batch_vertices());
    let share = |weight: f32, most: f32| weight / most;
    if !skin.is_empty() {
        return weights(skin.len(), 4, |vertex, index| {
            let vertex = &skin[vertex];
            (vertex.bones[index].into(), share(vertex.weights[index].into(), 255.0))
        });
    }
    if !wide.is_empty() {
        return weights(wide.len(), 4, |vertex, index| {
            let vertex = &wide[vertex];
            (vertex.bones[index].get().into(), share(vertex.weights[index].get().into(), 65535.0))
        });
    }
    if !batch.is_empty() {
        return weights(batch.len(), 4, |vertex, index| {
            let vertex = &batch[vertex];
            (vertex.bones[index].into(), share(vertex.weights[index].into(), 255.0))
        });
    }
    // Every matrix of a group moves its vertices by the same share.
    let groups: Vec<&[_]> = geoset.groups().collect();
    let vertex_groups = geoset.vertex_groups();
    let group = |vertex: usize| groups.get(usize::from(vertex_groups[vertex])).copied().unwrap_or_default();
    let most = (0..vertex_groups.len()).map(|vertex| group(vertex).len()).max().unwrap_or(0);
    weights(vertex_groups.len(), most, |vertex, index| {
        let group = group(vertex);
        group.get(index).map_or((0, 0.0), |bone| (bone.get(), 1.0 / group.len() as f32))
    })
}
