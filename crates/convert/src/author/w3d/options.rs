//! How a scene becomes W3D.

use super::profile::Profile;

/// How a scene becomes W3D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The game.
    pub profile: Profile,
    /// How animations are stored.
    pub compress: Compress,
    /// Whether there is one file or several.
    pub split: Split,
    /// Factor of all lengths.
    pub scale: f32,
    /// Frames per second of clips that do not say.
    pub frame_rate: u32,
    /// Write exactly what the scene has: an object outside of models stays outside, and a part without material gets none. Otherwise
    /// everything is one model, and can be drawn.
    pub faithful: bool,
}

impl Default for Options {
    /// One file for Zero Hour, without loss, 30 frames per second.
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            compress: Compress::default(),
            split: Split::default(),
            scale: 1.0,
            frame_rate: 30,
            faithful: false,
        }
    }
}

/// How animations are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Compress {
    /// Raw; with time codes where the motion jumps, which raw animations cannot do.
    #[default]
    Lossless,
    /// A value for every frame.
    Raw,
    /// Only the keys that are needed.
    TimeCoded {
        /// How far a bone may be off along each axis.
        distance: f32,
        /// How far it may be turned.
        degrees: f32,
    },
    /// Differences between frames, of four bits. Where these are off by more than the tolerance: for The Battle for Middle-earth II
    /// differences of eight bits, or keys, channel by channel; for the other games, whose channels all have one form, keys in the
    /// whole clip.
    AdaptiveDelta {
        /// How far a bone may be off along each axis.
        distance: f32,
        /// How far it may be turned.
        degrees: f32,
    },
}

impl Compress {
    /// Time codes with the tolerances of Westwood's exporter: 0.001 units and 0.05 degrees.
    pub const TIME_CODED: Self = Self::TimeCoded { distance: 0.001, degrees: 0.05 };

    /// Differences that are off by at most 0.05 units and 0.5 degrees.
    pub const ADAPTIVE_DELTA: Self = Self::AdaptiveDelta { distance: 0.05, degrees: 0.5 };
}

/// How many files there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// One file.
    #[default]
    One,
    /// As the game expects it: Generals and later games look for each clip in a file of its name, and for the skeleton of a skin in `_SKL`.
    Auto,
}
