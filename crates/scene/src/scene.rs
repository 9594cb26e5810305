//! The scene itself.

use crate::{
    Attachment, Bounds, Camera, Channel, Clip, CollisionShape, Dazzle, Emitter, Event, GlobalChannel,
    GlobalSequence, Hierarchy, Light, Material, Mesh, MeshId, Node, Primitive, Ribbon, Sound, Texture,
};
use glam::{Affine3A, Vec3};

/// A model with everything that belongs to it.
///
/// Right-handed, Y up, seconds, v of texture coordinates downwards: as in glTF. Units are those of the source. Colours
/// are 0 to 1 as in the source, not linearised.
///
/// Items refer to each other by ids, which are indices into these vectors. An id that is out of range is not an error:
/// its item is treated as missing.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each holds what its type says")]
pub struct Scene {
    pub name: String,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub clips: Vec<Clip>,
    pub global_sequences: Vec<GlobalSequence>,
    /// Channels of global sequences. They play whichever clip plays.
    pub global_channels: Vec<GlobalChannel>,
    pub lights: Vec<Light>,
    pub cameras: Vec<Camera>,
    pub emitters: Vec<Emitter>,
    pub ribbons: Vec<Ribbon>,
    pub primitives: Vec<Primitive>,
    pub attachments: Vec<Attachment>,
    pub events: Vec<Event>,
    pub collision_shapes: Vec<CollisionShape>,
    pub dazzles: Vec<Dazzle>,
    pub sounds: Vec<Sound>,
    /// Levels of detail, the most detailed first. Meshes that belong to no level are always shown.
    pub levels: Vec<Level>,
    pub bounds: Option<Bounds>,
    /// Duration of the transition between two clips, in seconds.
    pub blend_time: f32,
}

impl Scene {
    /// The node tree, checked so that it is safe to walk.
    #[must_use]
    pub fn hierarchy(&self) -> Hierarchy {
        Hierarchy::new(&self.nodes)
    }

    /// The world matrix of each node in the bind pose.
    #[must_use]
    pub fn rest_worlds(&self) -> Vec<Affine3A> {
        self.hierarchy().worlds(self.nodes.iter().map(|node| &node.rest))
    }

    /// All channels: those of the clips, then those of the global sequences.
    pub fn channels(&self) -> impl Iterator<Item = &Channel> {
        let clips = self.clips.iter().flat_map(|clip| &clip.channels);
        clips.chain(self.global_channels.iter().map(|global| &global.channel))
    }

    /// Bounds of all visible meshes in the rest pose; `None` without meshes. Vertices with NaN or infinite coordinates
    /// are skipped.
    #[must_use]
    pub fn rest_bounds(&self) -> Option<Bounds> {
        let worlds = self.rest_worlds();
        let points = self.meshes.iter().filter(|mesh| !mesh.hidden).flat_map(|mesh| {
            let node = mesh.node.filter(|_| mesh.skin.is_none());
            let world = node.and_then(|node| worlds.get(node.index()));
            let place = move |point: &Vec3| world.map_or(*point, |world| world.transform_point3(*point));
            mesh.positions.iter().map(place)
        });
        Bounds::around(points.filter(|point| point.is_finite()))
    }
}

/// A level of detail.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// The condition for showing it.
    pub range: LevelRange,
    /// The meshes that it shows.
    pub meshes: Vec<MeshId>,
}

/// When a [`Level`] is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LevelRange {
    /// While the model's share of the screen is at most this (W3D).
    MaxScreenSize(f32),
    /// Between two distances from the camera.
    Distance {
        /// At smaller distances, the previous level is shown.
        min: f32,
        /// At larger distances, the next level is shown.
        max: f32,
    },
    /// A number; the game decides when to show it.
    Number(i32),
}

impl Default for LevelRange {
    fn default() -> Self {
        Self::Number(0)
    }
}
