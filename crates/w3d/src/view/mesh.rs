//! Meshes.

use record::{Node, U32, Vec3, decode, views};

use super::{Pass, ShaderMaterial, Texture, VertexMaterial};
use crate::records::{
    AabTreeHeader, AabTreeNode, MaterialInfo, MeshHeader3, Shader, Triangle, VertexInfluence,
    VertexInfluenceExtended,
};
use crate::{Handle, table};

views! {
    /// A `MESH` chunk.
    Mesh, MeshMut of table::MESH;
    /// An `AABTREE` chunk: the collision tree of a mesh.
    AabTree, AabTreeMut of table::AABTREE;
}

/// The wrappers of materials, in the order in which engines prefer them.
pub(super) const PRELIT: [Handle<record::Branch>; 4] = [
    table::PRELIT_LIGHTMAP_MULTI_TEXTURE,
    table::PRELIT_LIGHTMAP_MULTI_PASS,
    table::PRELIT_VERTEX,
    table::PRELIT_UNLIT,
];

impl<'n> Mesh<'n> {
    /// The header; `None` for meshes older than version 3.
    pub fn header(&self) -> Option<&'n MeshHeader3> {
        self.get(table::MESH_HEADER3)
    }

    /// The name within its container.
    pub fn name(&self) -> String {
        self.header().map(|header| header.mesh_name.to_string()).unwrap_or_default()
    }

    /// The name that others refer to, `Container.Mesh`.
    pub fn full_name(&self) -> String {
        self.header().map(MeshHeader3::full_name).unwrap_or_default()
    }

    /// Positions. In a skin each is in the space of its bone.
    pub fn vertices(&self) -> &'n [Vec3] {
        self.get(table::VERTICES)
    }

    /// Normals; Surrender normals if there are no others.
    pub fn normals(&self) -> &'n [Vec3] {
        let normals = self.get(table::VERTEX_NORMALS);
        if normals.is_empty() { self.get(table::SURRENDER_NORMALS) } else { normals }
    }

    /// Positions in the space of each vertex' second bone.
    pub fn secondary_vertices(&self) -> &'n [Vec3] {
        self.get(table::SECONDARY_VERTICES)
    }

    /// Normals in the space of each vertex' second bone.
    pub fn secondary_normals(&self) -> &'n [Vec3] {
        self.get(table::SECONDARY_VERTEX_NORMALS)
    }

    /// Tangents.
    pub fn tangents(&self) -> &'n [Vec3] {
        self.get(table::TANGENTS)
    }

    /// Bitangents.
    pub fn bitangents(&self) -> &'n [Vec3] {
        self.get(table::BITANGENTS)
    }

    /// Triangles.
    pub fn triangles(&self) -> &'n [Triangle] {
        self.get(table::TRIANGLES)
    }

    /// For each vertex, the first one that shares its shading.
    pub fn shade_indices(&self) -> &'n [U32] {
        self.get(table::VERTEX_SHADE_INDICES)
    }

    /// Bones of each vertex, one or two.
    pub fn influences(&self) -> &'n [VertexInfluence] {
        self.get(table::VERTEX_INFLUENCES)
    }

    /// Bones of each vertex, up to four.
    pub fn extended_influences(&self) -> &'n [VertexInfluenceExtended] {
        self.get(table::VERTEX_INFLUENCES_EXTENDED)
    }

    /// The comment from 3ds Max.
    pub fn user_text(&self) -> Option<String> {
        self.get(table::MESH_USER_TEXT).map(std::borrow::Cow::into_owned)
    }

    /// The collision tree.
    pub fn aab_tree(&self) -> Option<AabTree<'n>> {
        self.get(table::AABTREE).map(AabTree)
    }

    /// The node that holds the materials: a prelit wrapper if there is one (the best: multi-texture, multi-pass, vertex, unlit),
    /// else the mesh itself.
    pub fn material_node(&self) -> &'n Node<'n> {
        PRELIT.into_iter().find_map(|wrapper| self.get(wrapper)).unwrap_or(self.0)
    }

    /// The number of materials of each kind.
    pub fn material_info(&self) -> Option<&'n MaterialInfo> {
        self.material_node().get(table::MATERIAL_INFO)
    }

    /// Blending of the passes.
    pub fn shaders(&self) -> &'n [Shader] {
        self.material_node().get(table::SHADERS)
    }

    /// Vertex materials: name, colours, and the mapper arguments of both stages.
    pub fn vertex_materials(&self) -> impl Iterator<Item = VertexMaterial<'n>> + use<'n> {
        let materials = self.material_node().get(table::VERTEX_MATERIALS);
        materials.into_iter().flat_map(Node::children).filter_map(VertexMaterial::new)
    }

    /// Textures, in the order in which stages number them.
    pub fn textures(&self) -> impl Iterator<Item = Texture<'n>> + use<'n> {
        let textures = self.material_node().get(table::TEXTURES);
        textures.into_iter().flat_map(Node::children).filter_map(Texture::new)
    }

    /// FX shader materials, in the order in which passes number them.
    pub fn shader_materials(&self) -> impl Iterator<Item = ShaderMaterial<'n>> + use<'n> {
        let materials = self.get(table::SHADER_MATERIALS);
        materials.into_iter().flat_map(Node::children).filter_map(ShaderMaterial::new)
    }

    /// Every texture that the mesh names: its textures in any wrapper, the textures of its shader materials, and maps of
    /// obsolete materials. In file order, as written.
    pub fn texture_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.0.walk(&mut |place| {
            let node = place.node;
            if node.is(&table::TEXTURE_NAME) || node.is(&table::MAP3_FILENAME) {
                names.extend(node.text().map(|name| decode(name).into_owned()));
            } else if node.is(&table::SHADER_MATERIAL_PROPERTY) {
                names.extend(super::slot_text(node, "texture"));
            }
        });
        names
    }

    /// The passes of drawing.
    pub fn passes(&self) -> impl Iterator<Item = Pass<'n>> + use<'n> {
        self.material_node().children().iter().filter_map(Pass::new)
    }
}

impl<'n> AabTree<'n> {
    /// Its size.
    pub fn header(&self) -> Option<&'n AabTreeHeader> {
        self.get(table::AABTREE_HEADER)
    }

    /// Its boxes, the root first.
    pub fn nodes(&self) -> &'n [AabTreeNode] {
        self.get(table::AABTREE_NODES)
    }

    /// Indices of triangles, in the order of the leaves.
    pub fn polygon_indices(&self) -> &'n [U32] {
        self.get(table::AABTREE_POLYINDICES)
    }
}
