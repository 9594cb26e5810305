//! Limits for the size of one model.

use std::fmt;

/// Limits for the size of one model, so that a small file cannot use all memory or time. For example, a file may place one mesh a million
/// times, or share a thousand keys among a thousand clips.
///
/// The defaults are several times what the largest models of the games need, and keep the conversion of a file of 10 MB below 2 GB
/// and 20 seconds. Converters to a scene drop what exceeds a limit and report it; writers of a scene return [`Exceeded`].
///
/// ```
/// let mut limits = meshwright_scene::Limits::default();
/// assert!(limits.set("keys", 20_000_000));
/// assert_eq!(limits.keys, 20_000_000);
/// assert!(!limits.set("unicorns", 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes, and meshes, lights and other objects on them.
    pub nodes: usize,
    /// Vertices of all meshes. Indices count three to a vertex.
    pub vertices: usize,
    /// Keys of all channels. A channel counts as [`Limits::KEYS_PER_CHANNEL`] more.
    pub keys: usize,
    /// Evaluations of channels and nodes while animations are resampled.
    pub samples: usize,
    /// Pixels of all textures that are decoded.
    pub pixels: usize,
    /// Bytes of all files that are written.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: 50_000,
            vertices: 4_000_000,
            keys: 4_000_000,
            samples: 16_000_000,
            pixels: 1 << 27,
            bytes: 512 << 20,
        }
    }
}

impl Limits {
    /// Number of keys that every channel counts for in addition, because a channel itself takes memory.
    pub const KEYS_PER_CHANNEL: usize = 8;

    /// The names of the limits, each with a description of what it counts.
    pub const NAMES: [(&str, &str); 6] = [
        ("nodes", "nodes, meshes and other objects"),
        ("vertices", "vertices of all meshes"),
        ("keys", "animation keys"),
        ("samples", "samples taken to fit curves"),
        ("pixels", "texture pixels"),
        ("bytes", "bytes of output"),
    ];

    /// Sets the limit of this name; false if there is no such limit.
    pub fn set(&mut self, name: &str, limit: usize) -> bool {
        let place = match name {
            "nodes" => &mut self.nodes,
            "vertices" => &mut self.vertices,
            "keys" => &mut self.keys,
            "samples" => &mut self.samples,
            "pixels" => &mut self.pixels,
            "bytes" => &mut self.bytes,
            _ => return false,
        };
        *place = limit;
        true
    }

    /// No limits.
    pub const fn none() -> Self {
        let most = usize::MAX;
        Self { nodes: most, vertices: most, keys: most, samples: most, pixels: most, bytes: most }
    }
}

/// The error for a model that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// The name of the limit, one of [`Limits::NAMES`].
    pub name: &'static str,
    /// The limit.
    pub limit: usize,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Limits::NAMES.iter().find(|(name, _)| *name == self.name);
        let what = known.map_or(self.name, |(_, what)| what);
        write!(f, "the model needs more than {} {what}", self.limit)
    }
}

impl std::error::Error for Exceeded {}
