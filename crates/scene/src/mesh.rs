//! Meshes and skins.

use crate::{Bounds, CollisionMask, MaterialId, NodeId};
use glam::{Affine3A, Vec2, Vec3, Vec4};

/// Triangles.
///
/// Without a skin the vertices are in the space of [`node`](Mesh::node). With one they are in model space as they lie in the bind
/// pose. That is the only form: sources that keep each vertex in the space of its bone (W3D) multiply it by the bone's bind matrix
/// on the way in. For one bone to a vertex this is the same thing; for two, where the source has a copy of the vertex
/// for each, the copies agree within 2e-5 of the size of the model (docs/formats/w3d/skins.md#the-second-bone), and the first is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// As in the source.
    pub name: String,
    /// What it hangs on. A skinned mesh follows its joints, and this node only shows or hides it.
    pub node: Option<NodeId>,
    /// Positions of vertices.
    pub positions: Vec<Vec3>,
    /// One for each vertex, or none.
    pub normals: Vec<Vec3>,
    /// One for each vertex, or none; w is the handedness.
    pub tangents: Vec<Vec4>,
    /// Texture coordinates, v downwards; in each set one for each vertex.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// Colours, red to alpha; in each set one for each vertex.
    pub color_sets: Vec<Vec<[u8; 4]>>,
    /// Three for each triangle, counter-clockwise seen from the front.
    pub indices: Indices,
    /// What the triangles look like, in stretches of [`indices`](Mesh::indices).
    pub parts: Vec<Part>,
    /// What the ground is made of, one for each triangle, or none.
    pub surface_types: Vec<u8>,
    /// What moves the vertices.
    pub skin: Option<Skin>,
    /// Never shown: it is there for something else.
    pub hidden: bool,
    /// Throws a shadow.
    pub casts_shadow: bool,
    /// What collides with it.
    pub collision: CollisionMask,
    /// A factor of the colour.
    pub color: Vec3,
    /// Opacity when nothing is animated.
    pub alpha: f32,
    /// A number by which the game picks meshes.
    pub selection_group: u32,
    /// Cannot be clicked on.
    pub unselectable: bool,
    /// What is enclosed.
    pub bounds: Option<Bounds>,
    /// What is enclosed in each clip, in the order of [`Scene::clips`](crate::Scene::clips), or none.
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
            bounds: None,
            clip_bounds: Vec::new(),
        }
    }
}

/// Places of vertices, as short as graphics cards take them: two bytes each do for most meshes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Indices {
    /// Of up to 65,536 vertices.
    Short(Vec<u16>),
    /// Of more.
    Long(Vec<u32>),
}

impl Default for Indices {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

impl Indices {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Short(all) => all.len(),
            Self::Long(all) => all.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them, whichever their width.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> {
        (0..self.len()).map(|at| match self {
            Self::Short(all) => all[at].into(),
            Self::Long(all) => all[at],
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

/// A stretch of triangles with one material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its looks.
    pub material: Option<MaterialId>,
    /// Its first index.
    pub start: u32,
    /// How many indices.
    pub count: u32,
}

/// Which joints move which vertices, any number for each.
///
/// Vertices that move alike share a set of influences: sources that group them (Warcraft III), or have one bone for each (W3D),
/// have a few sets for thousands of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// What moves them.
    pub joints: Vec<Joint>,
    /// All influences, set after set.
    pub influences: Vec<Influence>,
    /// For each set the end of its stretch of [`influences`](Skin::influences), which starts where the previous ends.
    pub ends: Vec<u32>,
    /// For each vertex its set. A vertex whose set does not exist follows nothing.
    pub sets: Vec<u32>,
}

/// A node that moves vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The node.
    pub node: NodeId,
    /// From model space to the node's in the bind pose.
    pub inverse_bind: Affine3A,
}

/// A share of a joint in a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Place in [`Skin::joints`].
    pub joint: u32,
    /// The shares of a vertex add up to one.
    pub weight: f32,
}

impl Skin {
    /// Adds a set of influences and returns its place.
    pub fn push_set(&mut self, influences: impl IntoIterator<Item = Influence>) -> u32 {
        self.influences.extend(influences);
        self.ends.push(u32::try_from(self.influences.len()).unwrap_or(u32::MAX));
        u32::try_from(self.ends.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds the next vertex with influences of its own.
    pub fn push_vertex(&mut self, influences: impl IntoIterator<Item = Influence>) {
        let set = self.push_set(influences);
        self.sets.push(set);
    }

    /// Adds the next vertex with equal shares, as Warcraft III has it.
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
