//! Textures by name. Their pixels are not in the scene.

use crate::team_color::HouseColor;

/// A picture, by the name the source gives it, or one the game supplies.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Texture {
    /// File name or path as in the source, empty if the game supplies it.
    pub name: String,
    /// Supplied by the game.
    pub replaceable: Option<Replaceable>,
    /// Beyond the left and right edge.
    pub wrap_u: Wrap,
    /// Beyond the top and bottom edge.
    pub wrap_v: Wrap,
    /// Several pictures shown in turn.
    pub frames: Option<Frames>,
    /// Never shown smaller than it is.
    pub no_mipmaps: bool,
    /// The player's colour is put into it.
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

/// What is beyond the edge of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// Its last pixel.
    Clamp,
    /// The texture mirrored.
    Mirror,
}

/// A texture that the game supplies. Any number is possible; these have a known meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    /// The first of the trees, which go on to 37.
    pub const TREE: Self = Self(31);
}

/// Pictures shown in turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Frames {
    /// How many.
    pub count: u32,
    /// How many in a second.
    pub rate: f32,
    /// In which order.
    pub order: FrameOrder,
}

/// The order of [`Frames`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum FrameOrder {
    /// Round and round.
    #[default]
    Loop,
    /// Forth and back.
    PingPong,
    /// Once.
    Once,
    /// As the game says.
    Manual,
}
