//! Textures by name. Their pixels are not in the scene.

use crate::team_color::HouseColor;

/// A texture: a file by its name, or a texture that the game supplies.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Texture {
    /// File name or path in the source file; empty if the game supplies the texture.
    pub name: String,
    /// Texture that the game supplies.
    pub replaceable: Option<Replaceable>,
    /// Wrapping beyond the left and right edge.
    pub wrap_u: Wrap,
    /// Wrapping beyond the top and bottom edge.
    pub wrap_v: Wrap,
    /// Animation by several pictures.
    pub frames: Option<Frames>,
    /// Drawn without mipmaps.
    pub no_mipmaps: bool,
    /// How the player's colour changes it.
    pub house_color: Option<HouseColor>,
}

impl Default for Texture {
    fn default() -> Self {
        Self {
            name: String::new(),
            replaceable: None,
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
            frames: None,
            no_mipmaps: false,
            house_color: None,
        }
    }
}

/// Wrapping beyond the edges of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Wrap {
    /// Repeats the texture.
    #[default]
    Repeat,
    /// Repeats the last pixel.
    Clamp,
    /// Repeats the texture mirrored.
    Mirror,
}

/// A texture that the game supplies, by its number. Numbers without a constant here are possible, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Replaceable(pub u32);

impl Replaceable {
    /// The player's colour.
    pub const TEAM_COLOR: Self = Self(1);
    /// The player's glow.
    pub const TEAM_GLOW: Self = Self(2);
    /// Cliffs of the map's tileset.
    pub const CLIFF: Self = Self(11);
    /// The cursor.
    pub const CURSOR: Self = Self(21);
    /// The first of the trees, 31 to 37.
    pub const TREE: Self = Self(31);
}

/// An animation by several pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frames {
    /// Number of pictures.
    pub count: u32,
    /// Pictures per second.
    pub rate: f32,
    /// Their order.
    pub order: FrameOrder,
}

/// The order of [`Frames`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FrameOrder {
    /// Starts again after the last picture.
    #[default]
    Loop,
    /// Forwards, then backwards.
    PingPong,
    /// Stops at the last picture.
    Once,
    /// The game chooses the picture.
    Manual,
}
