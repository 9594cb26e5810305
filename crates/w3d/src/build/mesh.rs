//! Meshes from positions, triangles and a texture.

use record::{Chars, Error, F32, Node, U32, Vec2, Vec3, build, encode_name};

use super::geometry::{bounds, shade_indices, triangle, vertex_normals};
use super::{AabTree, error};
use crate::names::{
    DepthCompare, DepthMask, FaceChannels, MeshFlags, PriGradient, SrcBlend, SurfaceType, Texturing, Version,
    VertexChannels,
};
use crate::records::{
    MaterialInfo, MeshHeader3, Rgb, Rgba, Shader, TextureInfo, Triangle, VertexInfluence, VertexMaterialInfo,
};
use crate::table;

/// Builds a mesh: counts, bounds, planes, normals, shade indices and the collision tree are computed.
///
/// ```
/// use meshwright_w3d::build::MeshBuilder;
/// use meshwright_w3d::{Mesh, table};
///
/// let node = MeshBuilder::new("TRIANGLE")
///     .positions([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
///     .uvs([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
///     .triangles([[0, 1, 2]])
///     .texture("wood.tga")
///     .build()?;
/// let mesh = Mesh::new(&node).unwrap();
/// assert_eq!(mesh.header().unwrap().sph_radius.get(), 2.5);
/// assert_eq!(mesh.triangles()[0].normal.get(), [0.0, 0.0, 1.0]);
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshBuilder {
    name: String,
    container: String,
    flags: MeshFlags,
    surface: SurfaceType,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    colors: Vec<Rgba>,
    influences: Vec<VertexInfluence>,
    triangles: Vec<[u32; 3]>,
    texture: Option<(String, Option<TextureInfo>)>,
    material_name: Option<String>,
    material: VertexMaterialInfo,
    shader: Shader,
    tree: Option<bool>,
}

impl MeshBuilder {
    /// A mesh of this name: `Mesh`, or `Container.Mesh`. Both parts have at most 15 characters.
    pub fn new(name: &str) -> Self {
        let (container, name) = name.split_once('.').unwrap_or(("", name));
        let grey = Rgb { r: 255, g: 255, b: 255, pad: 0 };
        Self {
            name: name.to_owned(),
            container: container.to_owned(),
            flags: MeshFlags::default(),
            surface: SurfaceType::LIGHT_METAL,
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            colors: Vec::new(),
            influences: Vec::new(),
            triangles: Vec::new(),
            texture: None,
            material_name: None,
            material: VertexMaterialInfo {
                ambient: grey,
                diffuse: grey,
                shininess: F32::new(1.0),
                opacity: F32::new(1.0),
                ..VertexMaterialInfo::default()
            },
            shader: Shader {
                depth_compare: DepthCompare::PASS_LEQUAL,
                depth_mask: DepthMask::WRITE_ENABLE,
                pri_gradient: PriGradient::MODULATE,
                src_blend: SrcBlend::ONE,
                ..Shader::default()
            },
            tree: None,
        }
    }

    /// Positions. In a skin each is in the space of its bone.
    #[must_use]
    pub fn positions(mut self, positions: impl IntoIterator<Item: Into<Vec3>>) -> Self {
        self.positions = positions.into_iter().map(Into::into).collect();
        self
    }

    /// Normals, one per vertex. If they are not given, they are computed from the triangles.
    #[must_use]
    pub fn normals(mut self, normals: impl IntoIterator<Item: Into<Vec3>>) -> Self {
        self.normals = normals.into_iter().map(Into::into).collect();
        self
    }

    /// Texture coordinates, one per vertex, V upwards.
    #[must_use]
    pub fn uvs(mut self, uvs: impl IntoIterator<Item: Into<Vec2>>) -> Self {
        self.uvs = uvs.into_iter().map(Into::into).collect();
        self
    }

    /// Diffuse colours, one per vertex, as red, green, blue, alpha.
    #[must_use]
    pub fn colors(mut self, colors: impl IntoIterator<Item = [u8; 4]>) -> Self {
        self.colors = colors.into_iter().map(|[r, g, b, a]| Rgba { r, g, b, a }).collect();
        self
    }

    /// Bones of the vertices, one entry per vertex. They make the mesh a skin.
    #[must_use]
    pub fn influences(mut self, influences: impl IntoIterator<Item = VertexInfluence>) -> Self {
        self.influences = influences.into_iter().collect();
        self
    }

    /// Triangles: three indices of vertices each, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(mut self, triangles: impl IntoIterator<Item = [u32; 3]>) -> Self {
        self.triangles = triangles.into_iter().collect();
        self
    }

    /// The file of its texture.
    #[must_use]
    pub fn texture(mut self, file: &str) -> Self {
        self.texture = Some((file.to_owned(), None));
        self
    }

    /// The file of its texture, and how it is loaded.
    #[must_use]
    pub fn texture_with(mut self, file: &str, info: TextureInfo) -> Self {
        self.texture = Some((file.to_owned(), Some(info)));
        self
    }

    /// Name and colours of its vertex material. The default is white and called like the mesh.
    #[must_use]
    pub fn material(mut self, name: &str, info: VertexMaterialInfo) -> Self {
        self.material_name = Some(name.to_owned());
        self.material = info;
        self
    }

    /// Name of its vertex material.
    #[must_use]
    pub fn material_name(mut self, name: &str) -> Self {
        self.material_name = Some(name.to_owned());
        self
    }

    /// How it is blended. The default is opaque. Texturing is switched on where there is a texture.
    #[must_use]
    pub fn shader(mut self, shader: Shader) -> Self {
        self.shader = shader;
        self
    }

    /// Its flags: what hits it, whether it is hidden, two-sided or casts shadows.
    #[must_use]
    pub fn flags(mut self, flags: MeshFlags) -> Self {
        self.flags = flags;
        self
    }

    /// The surface type of its triangles, for the sound of hits.
    #[must_use]
    pub fn surface(mut self, surface: SurfaceType) -> Self {
        self.surface = surface;
        self
    }

    /// Whether it gets a collision tree. The default is that of exporters: if it has a collision group and is not a skin.
    #[must_use]
    pub fn aab_tree(mut self, wanted: bool) -> Self {
        self.tree = Some(wanted);
        self
    }

    /// Sets the container, unless the name already has one.
    pub(super) fn in_container(mut self, container: &str) -> Self {
        if self.container.is_empty() {
            container.clone_into(&mut self.container);
        }
        self
    }

    /// The name that others refer to, `Container.Mesh`.
    pub(super) fn full_name(&self) -> String {
        if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.container, self.name)
        }
    }

    pub(super) fn is_skin(&self) -> bool {
        !self.influences.is_empty()
    }

    /// The `MESH` chunk. Fails if a name is too long, or if counts or indices do not fit the positions.
    pub fn build(&self) -> Result<Node<'static>, Error> {
        self.validate()?;
        let header = self.header()?;
        let normals = match &self.normals[..] {
            [] => vertex_normals(&self.positions, &self.triangles),
            given => given.to_vec(),
        };
        let triangles: Vec<Triangle> =
            self.triangles.iter().map(|corners| triangle(&self.positions, *corners, self.surface)).collect();
        let mut chunks = vec![
            build(table::MESH_HEADER3, &header),
            build(table::VERTICES, &self.positions),
            build(table::VERTEX_NORMALS, &normals),
        ];
        if self.is_skin() {
            chunks.push(build(table::VERTEX_INFLUENCES, &self.influences));
        }
        chunks.push(build(table::TRIANGLES, &triangles));
        chunks.push(build(table::VERTEX_SHADE_INDICES, &shade_indices(&self.positions, &normals)));
        chunks.extend(self.materials()?);
        if self.tree.unwrap_or(!self.is_skin() && header.attributes.get() & COLLISION != 0) {
            chunks.extend(AabTree::new(&triangles, &self.positions).map(|tree| tree.chunk()));
        }
        Ok(build(table::MESH, chunks))
    }

    fn validate(&self) -> Result<(), Error> {
        let count = self.positions.len();
        let arrays = [
            ("normals", self.normals.len()),
            ("texture coordinates", self.uvs.len()),
            ("colours", self.colors.len()),
            ("influences", self.influences.len()),
        ];
        for (what, length) in arrays {
            if length != 0 && length != count {
                return Err(error(format!("mesh {}: {length} {what} for {count} positions", self.name)));
            }
        }
        let beyond = self
            .triangles
            .iter()
            .flatten()
            .find(|index| usize::try_from(**index).map_or(true, |at| at >= count));
        if let Some(index) = beyond {
            return Err(error(format!("mesh {}: vertex {index} does not exist: it has {count}", self.name)));
        }
        if self.positions.iter().any(|position| !position.get().iter().all(|part| part.is_finite())) {
            return Err(error(format!("mesh {}: a position is infinite or NaN", self.name)));
        }
        Ok(())
    }

    fn header(&self) -> Result<MeshHeader3, Error> {
        let bounds = bounds(&self.positions);
        let mut attributes = self.flags;
        let mut channels = VertexChannels::LOCATION | VertexChannels::NORMAL;
        if self.is_skin() {
            attributes = attributes | MeshFlags::GEOMETRY_SKIN;
            channels = channels | VertexChannels::BONE_ID;
        }
        Ok(MeshHeader3 {
            version: Version::new(4, 2),
            attributes,
            mesh_name: chars(&self.name)?,
            container_name: chars(&self.container)?,
            num_tris: count(self.triangles.len()),
            num_vertices: count(self.positions.len()),
            vertex_channels: channels,
            face_channels: FaceChannels::FACE,
            min: bounds.min,
            max: bounds.max,
            sph_center: bounds.center,
            sph_radius: bounds.radius,
            ..MeshHeader3::default()
        })
    }

    fn materials(&self) -> Result<Vec<Node<'static>>, Error> {
        let name = self.material_name.as_deref().unwrap_or(&self.name);
        encode_name(name)?;
        let textured = usize::from(self.texture.is_some());
        let info = MaterialInfo {
            pass_count: 1.into(),
            vertex_material_count: 1.into(),
            shader_count: 1.into(),
            texture_count: count(textured),
        };
        let mut shader = self.shader;
        if self.texture.is_some() {
            shader.texturing = Texturing::ENABLE;
        }
        let material = vec![
            build(table::VERTEX_MATERIAL_NAME, name),
            build(table::VERTEX_MATERIAL_INFO, &self.material),
        ];
        let mut chunks = vec![
            build(table::MATERIAL_INFO, &info),
            build(table::VERTEX_MATERIALS, vec![build(table::VERTEX_MATERIAL, material)]),
            build(table::SHADERS, &[shader]),
        ];
        let first = [U32::new(0)];
        let mut pass = vec![build(table::VERTEX_MATERIAL_IDS, &first), build(table::SHADER_IDS, &first)];
        if !self.colors.is_empty() {
            pass.push(build(table::DCG, &self.colors));
        }
        if let Some((file, info)) = &self.texture {
            encode_name(file)?;
            let mut texture = vec![build(table::TEXTURE_NAME, file)];
            texture.extend(info.map(|info| build(table::TEXTURE_INFO, &info)));
            chunks.push(build(table::TEXTURES, vec![build(table::TEXTURE, texture)]));
            let mut stage = vec![build(table::TEXTURE_IDS, &first)];
            if !self.uvs.is_empty() {
                stage.push(build(table::STAGE_TEXCOORDS, &self.uvs));
            }
            pass.push(build(table::TEXTURE_STAGE, stage));
        }
        chunks.push(build(table::MATERIAL_PASS, pass));
        Ok(chunks)
    }
}

/// The flags of all collision groups.
const COLLISION: u32 = MeshFlags::COLLISION_PHYSICAL.get()
    | MeshFlags::COLLISION_PROJECTILE.get()
    | MeshFlags::COLLISION_VIS.get()
    | MeshFlags::COLLISION_CAMERA.get()
    | MeshFlags::COLLISION_VEHICLE.get();

/// A count as the format stores it.
pub(super) fn count(length: usize) -> U32 {
    U32::new(u32::try_from(length).unwrap_or(u32::MAX))
}

/// A name in a field that needs room for a NUL.
pub(super) fn chars<const N: usize>(text: &str) -> Result<Chars<N>, Error> {
    let mut chars = Chars::default();
    chars.set(text)?;
    Ok(chars)
}
