//! Settings and results of the rasteriser.

use std::num::NonZero;

/// The background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A colour; the picture is opaque.
    Color([u8; 3]),
    /// Nothing. The frame is drawn on black and on white, and the difference is the alpha: exact for opaque and alpha-blended
    /// surfaces; glow gets the alpha that looks right on black.
    Transparent,
}

/// Size and background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The background.
    pub background: Background,
    /// How many threads draw; `None` is one for each core.
    pub threads: Option<NonZero<usize>>,
}

impl Settings {
    /// A transparent picture of this size, drawn by all cores.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, background: Background::Transparent, threads: None }
    }
}

/// The longest side of a picture.
pub const LONGEST_SIDE: u32 = 16_384;

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, row by row from the top. The alpha is not multiplied into the colour.
    pub pixels: Vec<u8>,
}

/// The error of a picture that could not be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A side is zero or longer than [`LONGEST_SIDE`].
    Size {
        /// The width that was asked for.
        width: u32,
        /// The height that was asked for.
        height: u32,
    },
    /// There is not enough memory.
    Memory,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size { width, height } => {
                write!(f, "pictures are 1 to {LONGEST_SIDE} pixels wide and high, not {width}x{height}")
            }
            Self::Memory => write!(f, "not enough memory for a picture of this size"),
        }
    }
}

impl std::error::Error for Error {}
