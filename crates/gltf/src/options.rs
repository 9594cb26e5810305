//! What is written, and what the caller learns about it.

use scene::fit::{Curves, Tolerance};
use scene::surface::Dropped;
use scene::{ClipId, Exceeded, GlobalSequenceId, Limits, MaterialId, MeshId};
use thiserror::Error;

/// What is written, and how things are expressed for which glTF has several ways or none.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Look up textures and write them.
    pub textures: bool,
    /// The player's colour. Without one, Warcraft III's first player's is used, and W3D's house colours stay as in the file.
    pub team_color: Option<[u8; 3]>,
    /// How to write levels of detail.
    pub levels: Levels,
    /// How to show and hide meshes.
    pub visibility: Visibility,
    /// Animate colours, opacity and texture coordinates of materials, lights, and the visibility of skinned meshes, through
    /// `KHR_animation_pointer`. Blender cannot import such files. Without it, these animations are in extras.
    pub material_animation: bool,
    /// How to write motion that runs whichever clip plays.
    pub global_sequences: GlobalSequences,
    /// Also write meshes that are never shown, such as collision bodies.
    pub hidden_meshes: bool,
    /// How to write curved motion of nodes. Blender ignores the tangents of cubics.
    pub curves: Curves,
    /// How far motion that has to be approximated may stray.
    pub tolerance: Tolerance,
    /// Metres for each unit of the model.
    pub scale: f32,
    /// What the scene was made of, for the scene's extras.
    pub source: Option<Source>,
    /// Write a picture of one pixel in place of each one: for files that are only compared with others.
    pub placeholders: bool,
    /// How much the file may have. Nothing is written of a scene that needs more.
    pub limits: Limits,
}

/// The choices of [`Options`] that decide what is where in a file. They are in the scene's extras, so that the same scene can be written in the
/// same way again.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "each is the field of the same name")]
pub struct Settings {
    pub no_textures: bool,
    pub team_color: Option<[u8; 3]>,
    pub levels: Levels,
    pub visibility: Visibility,
    pub material_animation: bool,
    pub global_sequences: GlobalSequences,
    pub hidden_meshes: bool,
    pub curves: Curves,
    pub tolerance: Tolerance,
}

impl Options {
    /// The choices that decide what is where in a file.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            no_textures: !self.textures,
            team_color: self.team_color,
            levels: self.levels,
            visibility: self.visibility,
            material_animation: self.material_animation,
            global_sequences: self.global_sequences,
            hidden_meshes: self.hidden_meshes,
            curves: self.curves,
            tolerance: self.tolerance,
        }
    }

    /// The same options with these choices.
    #[must_use]
    pub fn with_settings(self, settings: &Settings) -> Self {
        Self {
            textures: !settings.no_textures,
            team_color: settings.team_color,
            levels: settings.levels,
            visibility: settings.visibility,
            material_animation: settings.material_animation,
            global_sequences: settings.global_sequences,
            hidden_meshes: settings.hidden_meshes,
            curves: settings.curves,
            tolerance: settings.tolerance,
            ..self
        }
    }
}

/// The file that a scene was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// The format, such as `MDX`.
    pub format: String,
    /// Its version, if it has one.
    pub version: Option<String>,
    /// The game, such as `wc3-classic`.
    pub game: String,
    /// The name of the file, without folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// SHA-256 of its bytes, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            textures: true,
            team_color: None,
            levels: Levels::default(),
            visibility: Visibility::default(),
            material_animation: false,
            global_sequences: GlobalSequences::default(),
            hidden_meshes: false,
            curves: Curves::default(),
            tolerance: Tolerance::default(),
            scale: 1.0,
            source: None,
            placeholders: false,
            limits: Limits::default(),
        }
    }
}

/// How to write levels of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Levels {
    /// Write only the most detailed one.
    #[default]
    Highest,
    /// Write all side by side.
    Separate,
    /// `MSFT_lod` on the most detailed one, where a lesser one is on the same node. Skinned meshes of lesser levels are omitted, because
    /// glTF requires them to be in the scene.
    MsftLod,
}

/// How to show and hide meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Visibility {
    /// Scale the mesh's node to zero, which every reader understands. A skinned mesh ignores the scale of its node (glTF 2.0, 3.7.3.3),
    /// so children of its joints, which are its joints instead, are scaled to zero.
    #[default]
    Scale,
    /// `KHR_node_visibility`, animated through `KHR_animation_pointer`.
    Extension,
    /// Show everything all the time.
    Off,
}

/// How to write motion that runs whichever clip plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum GlobalSequences {
    /// An animation of its own for each, named `global 0` and so on. Models with nodes that cannot be animated separately are baked.
    #[default]
    Separate,
    /// Repeat it inside every clip, unless that would take millions of keys.
    Bake,
}

/// What was written, and what could not be written as it is in the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// For each glTF mesh the scene's.
    pub written_meshes: Vec<MeshId>,
    /// For each glTF material the scene's.
    pub written_materials: Vec<MaterialId>,
    /// What each glTF animation plays.
    pub written_animations: Vec<Plays>,
    /// Textures that were not found.
    pub missing_textures: Vec<String>,
    /// Textures that could not be read, and why.
    pub unreadable_textures: Vec<(String, texture::Error)>,
    /// What the surfaces do not show of their materials, by the name of the glTF material.
    pub dropped: Vec<(String, Dropped)>,
    /// Channels without an exact form in glTF, approximated within the tolerance.
    pub resampled_channels: usize,
    /// Channels that are only in extras.
    pub extras_channels: usize,
    /// Meshes that were omitted, because they are hidden, empty, or of a lesser level of detail.
    pub omitted_meshes: usize,
    /// Skinned meshes that some clip shows and another hides, which glTF can only say with `material_animation`.
    pub fixed_visibility: usize,
    /// Global sequences were baked into the clips because a node does not follow its parent's rotation.
    pub baked_globals: bool,
    /// Vertices whose normal or tangent was not of unit length.
    pub repaired_normals: usize,
    /// Meshes with a normal map but without tangents, which were generated.
    pub made_tangents: usize,
    /// NaN and infinite numbers, replaced by zero.
    pub repaired_numbers: usize,
    /// Triangles omitted because a vertex does not exist.
    pub broken_triangles: usize,
    /// Triangles omitted because two corners are the same vertex.
    pub degenerate_triangles: usize,
    /// Vertices whose weights did not sum to one, normalised.
    pub repaired_weights: usize,
}

/// What a glTF animation plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plays {
    /// A clip.
    Clip(ClipId),
    /// A global sequence, to be played beside any clip, again and again.
    Global(GlobalSequenceId),
    /// Texture mappers, to be played beside any clip, again and again.
    Mappers,
}

/// Why nothing could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The size field of a GLB has 32 bits.
    #[error("the model is too large for glTF: {0} bytes")]
    TooLarge(usize),
    /// The scene needs more than a limit of the options allows.
    #[error("{0}")]
    Limit(Exceeded),
}
