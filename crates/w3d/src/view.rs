//! Views of the parts that everybody needs. A view borrows a node and finds what is in it; it holds nothing of its own.

use record::{Node, Vec2, Vec3, decode};

use crate::records::{
    AnimationHeader, CompressedAnimationHeader, HierarchyHeader, HlodArrayHeader, HlodHeader, HlodSubObject,
    MaterialInfo, MeshHeader3, Pivot, Shader, TextureInfo, Triangle, VertexInfluence,
    VertexInfluenceExtended, VertexMaterialInfo,
};
use crate::{Chunk, W3d, codec, table};

impl<'a> W3d<'a> {
    /// The meshes.
    pub fn meshes(&self) -> impl Iterator<Item = Mesh<'_>> {
        self.root.all(&table::MESH).map(Mesh)
    }

    /// The skeletons.
    pub fn hierarchies(&self) -> impl Iterator<Item = Hierarchy<'_>> {
        self.root.all(&table::HIERARCHY).map(Hierarchy)
    }

    /// The animations, raw and compressed.
    pub fn animations(&self) -> impl Iterator<Item = Animation<'_>> {
        let is_animation =
            |node: &&Node<'_>| node.is(&table::ANIMATION) || node.is(&table::COMPRESSED_ANIMATION);
        self.root.children().iter().filter(is_animation).map(Animation)
    }

    /// The models made of levels of detail.
    pub fn hlods(&self) -> impl Iterator<Item = Hlod<'_>> {
        self.root.all(&table::HLOD).map(Hlod)
    }
}

/// The values of the first child of a kind; none if there is no such child.
fn child_values<'n, T: record::Pod>(node: &'n Node<'_>, chunk: &'static Chunk) -> &'n [T] {
    node.child(chunk).map(Node::values).unwrap_or_default()
}

fn child_value<'n, T: record::Pod>(node: &'n Node<'_>, chunk: &'static Chunk) -> Option<&'n T> {
    node.child(chunk)?.value()
}

/// A `MESH` chunk.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'n>(pub &'n Node<'n>);

impl<'n> Mesh<'n> {
    /// The header; meshes older than version 3 have none.
    pub fn header(&self) -> Option<&'n MeshHeader3> {
        child_value(self.0, &table::MESH_HEADER3)
    }

    /// The name that others refer to, `Container.Mesh`.
    pub fn full_name(&self) -> String {
        self.header().map(MeshHeader3::full_name).unwrap_or_default()
    }

    /// Positions. In a skin each is in the space of its bone.
    pub fn vertices(&self) -> &'n [Vec3] {
        child_values(self.0, &table::VERTICES)
    }

    /// Normals; Surrender normals where there are no others.
    pub fn normals(&self) -> &'n [Vec3] {
        let normals = child_values(self.0, &table::VERTEX_NORMALS);
        if normals.is_empty() { child_values(self.0, &table::SURRENDER_NORMALS) } else { normals }
    }

    /// The same positions in the space of each vertex' second bone.
    pub fn secondary_vertices(&self) -> &'n [Vec3] {
        child_values(self.0, &table::SECONDARY_VERTICES)
    }

    /// The same normals in the space of each vertex' second bone.
    pub fn secondary_normals(&self) -> &'n [Vec3] {
        child_values(self.0, &table::SECONDARY_VERTEX_NORMALS)
    }

    /// Triangles.
    pub fn triangles(&self) -> &'n [Triangle] {
        child_values(self.0, &table::TRIANGLES)
    }

    /// Bones of each vertex, one or two.
    pub fn influences(&self) -> &'n [VertexInfluence] {
        child_values(self.0, &table::VERTEX_INFLUENCES)
    }

    /// Bones of each vertex, up to four.
    pub fn extended_influences(&self) -> &'n [VertexInfluenceExtended] {
        child_values(self.0, &table::VERTEX_INFLUENCES_EXTENDED)
    }

    /// The node that holds the materials: a prelit wrapper if there is one (the best: multi-texture, multi-pass, vertex, unlit),
    /// else the mesh itself.
    pub fn material_node(&self) -> &'n Node<'n> {
        [
            &table::PRELIT_LIGHTMAP_MULTI_TEXTURE,
            &table::PRELIT_LIGHTMAP_MULTI_PASS,
            &table::PRELIT_VERTEX,
            &table::PRELIT_UNLIT,
        ]
        .into_iter()
        .find_map(|wrapper| self.0.child(wrapper))
        .unwrap_or(self.0)
    }

    /// How many materials of each kind there should be.
    pub fn material_info(&self) -> Option<&'n MaterialInfo> {
        child_value(self.material_node(), &table::MATERIAL_INFO)
    }

    /// Blending of the passes.
    pub fn shaders(&self) -> &'n [Shader] {
        child_values(self.material_node(), &table::SHADERS)
    }

    /// Vertex materials: name, colours, and the mapper arguments of both stages.
    pub fn vertex_materials(&self) -> impl Iterator<Item = VertexMaterial<'n>> {
        let materials = self.material_node().child(&table::VERTEX_MATERIALS);
        materials.into_iter().flat_map(|node| node.all(&table::VERTEX_MATERIAL)).map(VertexMaterial)
    }

    /// Textures: file name and how it is loaded.
    pub fn textures(&self) -> impl Iterator<Item = (String, Option<&'n TextureInfo>)> {
        let textures = self.material_node().child(&table::TEXTURES);
        textures.into_iter().flat_map(|node| node.all(&table::TEXTURE)).map(|texture| {
            (
                child_text(texture, &table::TEXTURE_NAME).unwrap_or_default(),
                child_value(texture, &table::TEXTURE_INFO),
            )
        })
    }

    /// Every texture that the mesh names: its textures in whatever wrapper, its shader materials' textures, and maps of
    /// obsolete materials. In file order, as written.
    pub fn texture_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.0.walk(&mut |place| {
            let node = place.node;
            let name = if node.is(&table::TEXTURE_NAME) || node.is(&table::MAP3_FILENAME) {
                node.text()
            } else if node.is(&table::SHADER_MATERIAL_PROPERTY) {
                node.slots()
                    .find(|part| part.slot.name == "texture")
                    .map(|part| record::until_nul(part.bytes))
            } else {
                None
            };
            names.extend(name.map(|name| decode(name).into_owned()));
        });
        names
    }

    /// The passes of drawing.
    pub fn passes(&self) -> impl Iterator<Item = &'n Node<'n>> {
        self.material_node().all(&table::MATERIAL_PASS)
    }

    /// Texture coordinates of a stage of a pass; with shader materials they may stand directly in the pass.
    pub fn texcoords(pass: &'n Node<'n>, stage: usize) -> &'n [Vec2] {
        match pass.all(&table::TEXTURE_STAGE).nth(stage) {
            Some(stage) => {
                let coordinates = child_values(stage, &table::STAGE_TEXCOORDS);
                if coordinates.is_empty() { child_values(stage, &table::TEXCOORDS) } else { coordinates }
            }
            None => pass.all(&table::STAGE_TEXCOORDS).nth(stage).map(Node::values).unwrap_or_default(),
        }
    }
}

/// The text of the first child of a kind.
fn child_text(node: &Node<'_>, chunk: &'static Chunk) -> Option<String> {
    node.child(chunk)?.text().map(|text| decode(text).into_owned())
}

/// A `VERTEX_MATERIAL` chunk.
#[derive(Clone, Copy, Debug)]
pub struct VertexMaterial<'n>(pub &'n Node<'n>);

impl<'n> VertexMaterial<'n> {
    /// Its name.
    pub fn name(&self) -> String {
        child_text(self.0, &table::VERTEX_MATERIAL_NAME).unwrap_or_default()
    }

    /// Its colours and mappers.
    pub fn info(&self) -> Option<&'n VertexMaterialInfo> {
        child_value(self.0, &table::VERTEX_MATERIAL_INFO)
    }

    /// The arguments of a stage's mapper, as pairs of key and value. Lines are `Key=Value`; `;` starts a comment.
    pub fn mapper_args(&self, stage: usize) -> Vec<(String, String)> {
        let chunk = if stage == 0 { &table::VERTEX_MAPPER_ARGS0 } else { &table::VERTEX_MAPPER_ARGS1 };
        let text = child_text(self.0, chunk).unwrap_or_default();
        text.lines()
            .map(|line| line.split(';').next().unwrap_or_default())
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
            .collect()
    }
}

/// A `HIERARCHY` chunk: a skeleton.
#[derive(Clone, Copy, Debug)]
pub struct Hierarchy<'n>(pub &'n Node<'n>);

impl<'n> Hierarchy<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HierarchyHeader> {
        child_value(self.0, &table::HIERARCHY_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Its bones, the root first.
    pub fn pivots(&self) -> &'n [Pivot] {
        child_values(self.0, &table::PIVOTS)
    }
}

/// An `HLOD` chunk: a model.
#[derive(Clone, Copy, Debug)]
pub struct Hlod<'n>(pub &'n Node<'n>);

impl<'n> Hlod<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HlodHeader> {
        child_value(self.0, &table::HLOD_HEADER)
    }

    /// Its levels of detail, as stored: the coarsest first.
    pub fn levels(&self) -> impl Iterator<Item = HlodLevel<'n>> {
        self.0.all(&table::HLOD_LOD_ARRAY).map(HlodLevel)
    }

    /// Other models on its bones.
    pub fn aggregates(&self) -> impl Iterator<Item = HlodLevel<'n>> {
        self.0.all(&table::HLOD_AGGREGATE_ARRAY).map(HlodLevel)
    }

    /// Objects of the application on its bones.
    pub fn proxies(&self) -> impl Iterator<Item = HlodLevel<'n>> {
        self.0.all(&table::HLOD_PROXY_ARRAY).map(HlodLevel)
    }

    /// Lights on its bones.
    pub fn lights(&self) -> impl Iterator<Item = HlodLevel<'n>> {
        self.0.all(&table::HLOD_LIGHT_ARRAY).map(HlodLevel)
    }
}

/// One array of sub-objects of an HLOD.
#[derive(Clone, Copy, Debug)]
pub struct HlodLevel<'n>(pub &'n Node<'n>);

impl<'n> HlodLevel<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HlodArrayHeader> {
        child_value(self.0, &table::HLOD_SUB_OBJECT_ARRAY_HEADER)
    }

    /// Its objects.
    pub fn sub_objects(&self) -> impl Iterator<Item = &'n HlodSubObject> + use<'n> {
        self.0.all(&table::HLOD_SUB_OBJECT).filter_map(Node::value)
    }
}

/// An `ANIMATION` or `COMPRESSED_ANIMATION` chunk.
#[derive(Clone, Copy, Debug)]
pub struct Animation<'n>(pub &'n Node<'n>);

impl<'n> Animation<'n> {
    fn raw(&self) -> Option<&'n AnimationHeader> {
        child_value(self.0, &table::ANIMATION_HEADER)
    }

    fn compressed(&self) -> Option<&'n CompressedAnimationHeader> {
        child_value(self.0, &table::COMPRESSED_ANIMATION_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        let raw = self.raw().map(|header| header.name.to_string());
        raw.or_else(|| self.compressed().map(|header| header.name.to_string())).unwrap_or_default()
    }

    /// The skeleton it is for.
    pub fn hierarchy_name(&self) -> String {
        let raw = self.raw().map(|header| header.hierarchy_name.to_string());
        raw.or_else(|| self.compressed().map(|header| header.hierarchy_name.to_string())).unwrap_or_default()
    }

    /// Number of frames.
    pub fn num_frames(&self) -> u32 {
        let raw = self.raw().map(|header| header.num_frames.get());
        raw.or_else(|| self.compressed().map(|header| header.num_frames.get())).unwrap_or_default()
    }

    /// Frames per second.
    pub fn frame_rate(&self) -> u32 {
        let raw = self.raw().map(|header| header.frame_rate.get());
        raw.or_else(|| self.compressed().map(|header| header.frame_rate.get().into())).unwrap_or_default()
    }

    /// Its channels, decoded. A channel too damaged to decode is left out.
    pub fn channels(&self) -> impl Iterator<Item = Channel> {
        self.0.children().iter().filter_map(codec::decode)
    }
}

pub use codec::Channel;
