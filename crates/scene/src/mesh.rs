//! Meshes and skins.

use crate::{Bounds, CollisionMask, MaterialId, NodeId};
use glam::{Affine3A, Vec2, Vec3, Vec4};

/// Triangles.
///
/// Without a skin, the vertices are in the space of [`node`](Mesh::node). With a skin, they are in model space in the
/// bind pose. There is no other form: vertices that the source stores in the space of a bone (W3D) are multiplied by the
/// bind matrix of the bone by the converter. With one bone for a vertex the result is the same. With two bones, the
/// source has a copy of the vertex for each; the copies agree within 2e-5 of the size of the model
/// (docs/formats/w3d/skins.md#the-second-bone), and the first is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Name in the source file.
    pub name: String,
    /// The node that it is attached to. A skinned mesh follows its joints, and this node only shows or hides it.
    pub node: Option<NodeId>,
    /// Positions of vertices.
    pub positions: Vec<Vec3>,
    /// Normals: one per vertex, or an empty list.
    pub normals: Vec<Vec3>,
    /// Tangents: one per vertex, or an empty list; w is the handedness.
    pub tangents: Vec<Vec4>,
    /// Sets of texture coordinates, one per vertex each; v points down.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// Sets of RGBA colours, one per vertex each.
    pub color_sets: Vec<Vec<[u8; 4]>>,
    /// Three vertex indices per triangle, counter-clockwise seen from the front.
    pub indices: Indices,
    /// Ranges of [`indices`](Mesh::indices) with their materials.
    pub parts: Vec<Part>,
    /// Surface types: one per triangle, or an empty list.
    pub surface_types: Vec<u8>,
    /// Joints and weights of the vertices.
    pub skin: Option<Skin>,
    /// Never drawn; it has another purpose, such as collision.
    pub hidden: bool,
    /// Casts a shadow.
    pub casts_shadow: bool,
    /// The objects that collide with it.
    pub collision: CollisionMask,
    /// Factor of the colour.
    pub color: Vec3,
    /// Opacity when nothing is animated.
    pub alpha: f32,
    /// Group by which the game selects meshes.
    pub selection_group: u32,
    /// Cannot be selected with the mouse.
    pub unselectable: bool,
    /// Text that an artist wrote for tools (W3D).
    pub user_text: String,
    /// Stored bounds.
    pub bounds: Option<Bounds>,
    /// Stored bounds for each clip, in the order of [`Scene::clips`](crate::Scene::clips), or an empty list.
    pub clip_bounds: Vec<Bounds>,
}

impl Default for Mesh {
    fn default() -> Self {
        Self {
            name: String::new(),
            node: None,
            positions: Vec::new(),
            normals: Vec::new(),
            tangents: Vec::new(),
            uv_sets: Vec::new(),
            color_sets: Vec::new(),
            indices: Indices::default(),
            parts: Vec::new(),
            surface_types: Vec::new(),
            skin: None,
            hidden: false,
            casts_shadow: true,
            collision: CollisionMask::NONE,
            color: Vec3::ONE,
            alpha: 1.0,
            selection_group: 0,
            unselectable: false,
            user_text: String::new(),
            bounds: None,
            clip_bounds: Vec::new(),
        }
    }
}

/// Vertex indices of 16 or 32 bits: 16 are enough for most meshes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Indices {
    /// For up to 65,536 vertices.
    Short(Vec<u16>),
    /// For more vertices.
    Long(Vec<u32>),
}

impl Default for Indices {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

impl Indices {
    /// Number of indices.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Short(all) => all.len(),
            Self::Long(all) => all.len(),
        }
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All indices as 32-bit numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> {
        (0..self.len()).map(|index| match self {
            Self::Short(all) => all[index].into(),
            Self::Long(all) => all[index],
        })
    }
}

impl From<Vec<u32>> for Indices {
    fn from(all: Vec<u32>) -> Self {
        let short: Result<_, _> = all.iter().map(|&index| u16::try_from(index)).collect();
        short.map_or_else(|_| Self::Long(all), Self::Short)
    }
}

impl FromIterator<u32> for Indices {
    fn from_iter<I: IntoIterator<Item = u32>>(indices: I) -> Self {
        indices.into_iter().collect::<Vec<_>>().into()
    }
}

/// A range of triangles with one material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its material.
    pub material: Option<MaterialId>,
    /// Its first index.
    pub start: u32,
    /// Number of indices.
    pub count: u32,
}

/// Joints and weights of the vertices, any number per vertex.
///
/// Vertices with the same joints and weights share a set of influences. Formats with vertex groups (Warcraft III) or one bone per
/// vertex (W3D) have a few sets for thousands of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Joints.
    pub joints: Vec<Joint>,
    /// All influences, set after set.
    pub influences: Vec<Influence>,
    /// For each set the end of its range of [`influences`](Skin::influences). It starts where the previous set ends.
    pub ends: Vec<u32>,
    /// The set of each vertex. A vertex whose set is out of range is not moved.
    pub sets: Vec<u32>,
}

/// A node that moves vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The node.
    pub node: NodeId,
    /// Matrix from model space to the space of the node in the bind pose.
    pub inverse_bind: Affine3A,
}

/// Weight of a joint for a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Index into [`Skin::joints`].
    pub joint: u32,
    /// Weight. The weights of a vertex sum to 1.
    pub weight: f32,
}

impl Skin {
    /// Adds a set of influences and returns its index.
    pub fn push_set(&mut self, influences: impl IntoIterator<Item = Influence>) -> u32 {
        self.influences.extend(influences);
        self.ends.push(u32::try_from(self.influences.len()).unwrap_or(u32::MAX));
        u32::try_from(self.ends.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds the next vertex with its own set of influences.
    pub fn push_vertex(&mut self, influences: impl IntoIterator<Item = Influence>) {
        let set = self.push_set(influences);
        self.sets.push(set);
    }

    /// Adds the next vertex with equal weights, as in Warcraft III.
    pub fn push_equal(&mut self, joints: &[u32]) {
        let weight = 1.0 / joints.len() as f32;
        self.push_vertex(joints.iter().map(|&joint| Influence { joint, weight }));
    }

    /// The influences of a set.
    #[must_use]
    pub fn set(&self, set: u32) -> &[Influence] {
        let set = set as usize;
        let start = set.checked_sub(1).map_or(Some(0), |previous| self.ends.get(previous).copied());
        start
            .zip(self.ends.get(set).copied())
            .and_then(|(start, end)| self.influences.get(start as usize..end as usize))
            .unwrap_or(&[])
    }

    /// The influences of a vertex.
    #[must_use]
    pub fn of(&self, vertex: usize) -> &[Influence] {
        self.sets.get(vertex).map_or(&[], |&set| self.set(set))
    }

    /// The largest number of influences on one vertex.
    #[must_use]
    pub fn max_influences(&self) -> usize {
        (0..self.sets.len()).map(|vertex| self.of(vertex).len()).max().unwrap_or(0)
    }
}
