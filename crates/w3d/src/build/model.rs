//! Whole models: meshes on a skeleton.

use record::{Error, F32, Node, Quaternion, U32, Vec3, build};

use super::mesh::{chars, count};
use super::{MeshBuilder, error};
use crate::names::Version;
use crate::records::{HierarchyHeader, HlodArrayHeader, HlodHeader, HlodSubObject, Pivot};
use crate::{W3d, table};

/// Builds a file: meshes and other objects, the skeleton they are on, and the HLOD that puts them together.
///
/// ```
/// use meshwright_w3d::build::{MeshBuilder, ModelBuilder};
///
/// let mesh = MeshBuilder::new("TRIANGLE")
///     .positions([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
///     .uvs([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
///     .triangles([[0, 1, 2]])
///     .texture("wood.tga");
/// let file = ModelBuilder::new("SIGN").mesh(mesh).build()?;
/// assert_eq!(file.meshes().next().unwrap().full_name(), "SIGN.TRIANGLE");
/// assert_eq!(file.hierarchies().next().unwrap().pivots().len(), 2);
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    name: String,
    bones: Vec<(String, Option<usize>, Vec3)>,
    meshes: Vec<(usize, MeshBuilder)>,
    objects: Vec<(usize, String)>,
    chunks: Vec<Node<'static>>,
}

impl ModelBuilder {
    /// A model of this name, of at most 15 characters. The games require that it equals the file name. Its skeleton has
    /// the same name and one bone, the root.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            bones: vec![("ROOTTRANSFORM".to_owned(), None, Vec3::default())],
            meshes: Vec::new(),
            objects: Vec::new(),
            chunks: Vec::new(),
        }
    }

    /// Adds a bone below another one, by its index, at a position in its parent. Bone 0 is the root; the first one that is added
    /// is bone 1.
    #[must_use]
    pub fn bone(mut self, name: &str, parent: usize, position: impl Into<Vec3>) -> Self {
        self.bones.push((name.to_owned(), Some(parent), position.into()));
        self
    }

    /// Adds a mesh and, as exporters do, a bone of the same name below the root. A skin is on the root.
    #[must_use]
    pub fn mesh(mut self, mesh: MeshBuilder) -> Self {
        if mesh.is_skin() {
            return self.mesh_on(0, mesh);
        }
        let name = mesh.full_name();
        let name = name.rsplit('.').next().unwrap_or_default().to_owned();
        self.bones.push((name, Some(0), Vec3::default()));
        let bone = self.bones.len() - 1;
        self.mesh_on(bone, mesh)
    }

    /// Adds a mesh on a bone. Its container is the model, unless its name has another container.
    #[must_use]
    pub fn mesh_on(mut self, bone: usize, mesh: MeshBuilder) -> Self {
        let mesh = mesh.in_container(&self.name);
        self.objects.push((bone, mesh.full_name()));
        self.meshes.push((bone, mesh));
        self
    }

    /// Puts another object on a bone, by its full name. The object is added by [`chunk`](Self::chunk), or is in another
    /// file.
    #[must_use]
    pub fn object(mut self, bone: usize, name: &str) -> Self {
        self.objects.push((bone, name.to_owned()));
        self
    }

    /// Adds any other chunk: a collision box, an animation.
    #[must_use]
    pub fn chunk(mut self, chunk: Node<'static>) -> Self {
        self.chunks.push(chunk);
        self
    }

    /// The file: meshes, other objects, the skeleton, its animations, the HLOD. Fails if a mesh cannot be built, a name is too
    /// long or a bone does not exist.
    pub fn build(&self) -> Result<W3d<'static>, Error> {
        let mut chunks: Vec<Node<'static>> =
            self.meshes.iter().map(|(_, mesh)| mesh.build()).collect::<Result<_, _>>()?;
        let is_animation = |chunk: &&Node<'_>| {
            chunk.is(&table::ANIMATION)
                || chunk.is(&table::COMPRESSED_ANIMATION)
                || chunk.is(&table::MORPH_ANIMATION)
        };
        chunks.extend(self.chunks.iter().filter(|chunk| !is_animation(chunk)).cloned());
        chunks.push(self.hierarchy()?);
        chunks.extend(self.chunks.iter().filter(is_animation).cloned());
        chunks.push(self.hlod()?);
        Ok(W3d { root: Node::branch(&table::FILE, 0, chunks) })
    }

    fn hierarchy(&self) -> Result<Node<'static>, Error> {
        let header = HierarchyHeader {
            version: Version::new(4, 1),
            name: chars(&self.name)?,
            num_pivots: count(self.bones.len()),
            center: Vec3::default(),
        };
        let pivot = |(index, (name, parent, position)): (usize, &(String, Option<usize>, Vec3))| {
            if parent.is_some_and(|parent| parent >= index) {
                return Err(error(format!("bone {name}: its parent must be added before it")));
            }
            Ok(Pivot {
                name: chars(name)?,
                parent_idx: parent.map_or(U32::new(u32::MAX), count),
                translation: *position,
                euler_angles: Vec3::default(),
                rotation: Quaternion::new(0.0, 0.0, 0.0, 1.0),
            })
        };
        let pivots: Vec<Pivot> = self.bones.iter().enumerate().map(pivot).collect::<Result<_, Error>>()?;
        Ok(build(
            table::HIERARCHY,
            vec![build(table::HIERARCHY_HEADER, &header), build(table::PIVOTS, &pivots)],
        ))
    }

    fn hlod(&self) -> Result<Node<'static>, Error> {
        let header = HlodHeader {
            version: Version::new(1, 0),
            lod_count: U32::new(1),
            name: chars(&self.name)?,
            hierarchy_name: chars(&self.name)?,
        };
        let level =
            HlodArrayHeader { model_count: count(self.objects.len()), max_screen_size: F32::new(f32::MAX) };
        let mut chunks = vec![build(table::HLOD_SUB_OBJECT_ARRAY_HEADER, &level)];
        for (bone, name) in &self.objects {
            if *bone >= self.bones.len() {
                let count = self.bones.len();
                return Err(error(format!("object {name}: bone {bone} does not exist: there are {count}")));
            }
            let object = HlodSubObject { bone_index: count(*bone), name: chars(name)? };
            chunks.push(build(table::HLOD_SUB_OBJECT, &object));
        }
        let header = build(table::HLOD_HEADER, &header);
        Ok(build(table::HLOD, vec![header, build(table::HLOD_LOD_ARRAY, chunks)]))
    }
}
