//! Meshes of the scaleable shader system.

use record::{U16, U32, Vec2, Vec3, views};

use super::AabTree;
use crate::names::ShaderClass;
use crate::records::{ShdMeshHeader, ShdSubMeshHeader};
use crate::table::{self, shader_def};

views! {
    /// A `SHDMESH` chunk: a mesh whose parts each have one shader.
    ShaderMesh, ShaderMeshMut of table::SHDMESH;
    /// A `SHDSUBMESH` chunk: a part with one shader.
    SubMesh, SubMeshMut of table::SHDSUBMESH;
}

impl<'n> ShaderMesh<'n> {
    /// Its size.
    pub fn header(&self) -> Option<&'n ShdMeshHeader> {
        self.get(table::SHDMESH_HEADER)
    }

    /// Its full name, `Container.Mesh`.
    pub fn name(&self) -> String {
        self.get(table::SHDMESH_NAME).unwrap_or_default().into_owned()
    }

    /// The comment from 3ds Max.
    pub fn user_text(&self) -> Option<String> {
        self.get(table::SHDMESH_USER_TEXT).map(std::borrow::Cow::into_owned)
    }

    /// Its parts.
    pub fn sub_meshes(&self) -> impl Iterator<Item = SubMesh<'n>> + use<'n> {
        self.0.children().iter().filter_map(SubMesh::new)
    }

    /// The collision tree.
    pub fn aab_tree(&self) -> Option<AabTree<'n>> {
        self.get(table::AABTREE).map(AabTree)
    }
}

impl<'n> SubMesh<'n> {
    /// Its size.
    pub fn header(&self) -> Option<&'n ShdSubMeshHeader> {
        self.get(table::SHDSUBMESH_HEADER)
    }

    /// Positions.
    pub fn vertices(&self) -> &'n [Vec3] {
        self.get(table::SHDSUBMESH_VERTICES)
    }

    /// Normals.
    pub fn normals(&self) -> &'n [Vec3] {
        self.get(table::SHDSUBMESH_VERTEX_NORMALS)
    }

    /// Triangles: indices of vertices.
    pub fn triangles(&self) -> &'n [[U16; 3]] {
        self.get(table::SHDSUBMESH_TRIANGLES)
    }

    /// For each vertex, the first one that shares its shading.
    pub fn shade_indices(&self) -> &'n [U32] {
        self.get(table::SHDSUBMESH_VERTEX_SHADE_INDICES)
    }

    /// Texture coordinates of a set, 0 or 1; not flipped, unlike those of a mesh.
    pub fn texcoords(&self, set: usize) -> &'n [Vec2] {
        match set {
            0 => self.get(table::SHDSUBMESH_UV0),
            1 => self.get(table::SHDSUBMESH_UV1),
            _ => &[],
        }
    }

    /// The bone of each vertex.
    pub fn influences(&self) -> &'n [u8] {
        self.get(table::SHDSUBMESH_VERTEX_INFLUENCES)
    }

    /// The class of its shader.
    pub fn shader_class(&self) -> Option<ShaderClass> {
        let shader = self.get(table::SHDSUBMESH_SHADER)?;
        shader.get(table::SHDSUBMESH_SHADER_CLASSID).first().copied()
    }

    /// The node of its shader's settings; see [`shader_def`].
    pub fn shader_definition(&self) -> Option<&'n record::Node<'n>> {
        self.get(table::SHDSUBMESH_SHADER)?.get(table::SHDSUBMESH_SHADER_DEF)
    }

    /// Every texture that its shader names, in file order.
    pub fn texture_names(&self) -> Vec<String> {
        let textures = [
            shader_def::simple::TEXTURE,
            shader_def::bumpdiff::TEXTURE,
            shader_def::bumpdiff::BUMPMAP,
            shader_def::bumpspec::TEXTURE,
            shader_def::bumpspec::BUMPMAP,
            shader_def::specular::TEXTURE,
            shader_def::LEGACY_TEXTURE0,
            shader_def::LEGACY_TEXTURE1,
            shader_def::LEGACY_TEXTURE2,
            shader_def::LEGACY_TEXTURE3,
            shader_def::LEGACY_TEXTURE4,
            shader_def::LEGACY_TEXTURE5,
            shader_def::LEGACY_TEXTURE6,
            shader_def::LEGACY_TEXTURE7,
        ];
        let mut names = Vec::new();
        if let Some(definition) = self.shader_definition() {
            definition.walk(&mut |place| {
                if textures.iter().any(|texture| place.node.is(texture)) {
                    names.extend(place.node.text().map(|name| record::decode(name).into_owned()));
                }
            });
        }
        names
    }
}
