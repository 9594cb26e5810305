//! The parts of a model that both families have, with the same methods.

use model::Document;

use crate::Model;

/// A mesh: of W3D a mesh, of MDX a geoset.
///
/// Positions are as in the file, in the axes of its format: Z is up. In a W3D skin each vertex is in the space of its bone.
/// [`Model::to_scene`](crate::Model::to_scene) has them in one space.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Mesh<'m> {
    /// A mesh of W3D.
    #[cfg(feature = "w3d")]
    W3d(w3d::Mesh<'m>),
    /// A geoset of MDX, and its index.
    #[cfg(feature = "mdx")]
    Mdx(mdx::view::Geoset<'m>, usize),
}

impl<'m> Mesh<'m> {
    /// Its name, in W3D with the container's: `TANK.BARREL`. Most geosets have none and are called `Geoset 0` and so on.
    pub fn name(&self) -> String {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(mesh) => mesh.full_name(),
            #[cfg(feature = "mdx")]
            Self::Mdx(geoset, index) => {
                let name = geoset.level_of_detail().map(|level| mdx::view::text(&level.name).into_owned());
                name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Geoset {index}"))
            }
        }
    }

    /// The position of each vertex.
    pub fn positions(&self) -> Vec<[f32; 3]> {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(mesh) => mesh.vertices().iter().map(|vector| vector.get()).collect(),
            #[cfg(feature = "mdx")]
            Self::Mdx(geoset, _) => {
                (0..geoset.vertex_count()).filter_map(|vertex| geoset.position(vertex)).collect()
            }
        }
    }

    /// The normal of each vertex.
    pub fn normals(&self) -> Vec<[f32; 3]> {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(mesh) => mesh.normals().iter().map(|vector| vector.get()).collect(),
            #[cfg(feature = "mdx")]
            Self::Mdx(geoset, _) => {
                (0..geoset.vertex_count()).filter_map(|vertex| geoset.normal(vertex)).collect()
            }
        }
    }

    /// The first texture coordinates of each vertex, as in the file: V is upwards in W3D and downwards in MDX.
    pub fn texture_coordinates(&self) -> Vec<[f32; 2]> {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(mesh) => {
                let first = mesh.passes().next().map(|pass| pass.texcoords(0)).unwrap_or_default();
                first.iter().map(|vector| vector.get()).collect()
            }
            #[cfg(feature = "mdx")]
            Self::Mdx(geoset, _) => {
                (0..geoset.vertex_count()).filter_map(|vertex| geoset.coordinates(0, vertex)).collect()
            }
        }
    }

    /// The vertices of each triangle, without the strips and fans that a few geosets have. Indices that are out of range
    /// are kept: check before use.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        match self {
            #[cfg(feature = "w3d")]
            Self::W3d(mesh) => {
                mesh.triangles().iter().map(|triangle| triangle.vindex.map(|index| index.get())).collect()
            }
            #[cfg(feature = "mdx")]
            Self::Mdx(geoset, _) => {
                let mut rest = geoset.faces();
                let mut triangles = Vec::new();
                for (kind, count) in geoset.face_groups() {
                    let (group, after) = rest.split_at(count.min(rest.len()));
                    rest = after;
                    if kind == mdx::records::FaceType::TRIANGLES {
                        let corners = group.as_chunks::<3>().0.iter();
                        triangles.extend(corners.map(|it| it.map(|index| u32::from(index.get()))));
                    }
                }
                triangles
            }
        }
    }
}

/// A skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// Its name; in MDX that of the model.
    pub name: String,
    /// Its bones. W3D has the root first and parents before children.
    pub bones: Vec<Bone>,
}

/// A bone of a [`Skeleton`]; in MDX also a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// Index of its parent in the skeleton's bones.
    pub parent: Option<usize>,
}

impl Model {
    /// The meshes, in file order.
    pub fn meshes(&self) -> Vec<Mesh<'_>> {
        match self.document() {
            #[cfg(feature = "w3d")]
            Document::W3d(file) => file.meshes().map(Mesh::W3d).collect(),
            #[cfg(feature = "mdx")]
            Document::Mdx(file) => {
                file.geosets().enumerate().map(|(index, geoset)| Mesh::Mdx(geoset, index)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The skeletons in this file. A W3D skin usually has its skeleton in another file.
    pub fn skeletons(&self) -> Vec<Skeleton> {
        Skeleton::all(self.document())
    }
}

impl Skeleton {
    /// The skeletons of a document.
    pub fn all(document: &Document<'_>) -> Vec<Self> {
        match document {
            #[cfg(feature = "w3d")]
            Document::W3d(file) => file.hierarchies().map(w3d_skeleton).collect(),
            #[cfg(feature = "w3d")]
            Document::W3x(file) => file.hierarchies().map(w3x_skeleton).collect(),
            #[cfg(feature = "mdx")]
            Document::Mdx(file) => mdx_skeleton(file).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(feature = "w3d")]
fn w3d_skeleton(hierarchy: w3d::Hierarchy<'_>) -> Skeleton {
    let bone = |pivot: &w3d::records::Pivot| Bone {
        name: pivot.name.to_string(),
        parent: pivot.parent().and_then(|parent| usize::try_from(parent).ok()),
    };
    Skeleton { name: hierarchy.name(), bones: hierarchy.pivots().iter().map(bone).collect() }
}

#[cfg(feature = "w3d")]
fn w3x_skeleton(hierarchy: w3x::view::Hierarchy<'_>) -> Skeleton {
    let bone = |pivot: w3x::view::Pivot<'_>| Bone { name: pivot.name().into_owned(), parent: pivot.parent() };
    Skeleton { name: hierarchy.id().into_owned(), bones: hierarchy.pivots().map(bone).collect() }
}

#[cfg(feature = "mdx")]
fn mdx_skeleton(file: &mdx::Document<'_>) -> Option<Skeleton> {
    use mdx::view::NodeKind;

    let is_bone = |kind: NodeKind| matches!(kind, NodeKind::Bone | NodeKind::Helper);
    let nodes: Vec<_> = file.view().nodes().filter(|node| is_bone(node.kind)).collect();
    let index: std::collections::HashMap<i32, usize> =
        nodes.iter().enumerate().map(|(at, node)| (node.id(), at)).collect();
    let bones: Vec<Bone> = nodes
        .iter()
        .map(|node| Bone {
            name: node.name().into_owned(),
            parent: node.parent().and_then(|parent| index.get(&parent)).copied(),
        })
        .collect();
    (!bones.is_empty()).then(|| Skeleton { name: file.view().name().into_owned(), bones })
}
