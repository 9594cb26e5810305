//! Animations and their channels.

use std::borrow::Cow;

use super::assets::ids;
use crate::kinds;
use crate::value::{boolean, float};
use crate::view::Element;

ids!(Animation);

/// A motion of a hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct Animation<'n>(pub Element<'n>);

impl<'n> Animation<'n> {
    /// The id of the hierarchy that it moves.
    pub fn hierarchy(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::HIERARCHY).unwrap_or_default()
    }

    /// The number of frames.
    pub fn frames(&self) -> u32 {
        self.0.integer(&kinds::NUM_FRAMES).unwrap_or_default()
    }

    /// Frames per second.
    pub fn frame_rate(&self) -> f32 {
        self.0.float(&kinds::FRAME_RATE)
    }

    /// The motions of pivots.
    pub fn channels(&self) -> impl Iterator<Item = Channel<'n>> + use<'n> {
        let lists = self.0.all(&kinds::CHANNELS);
        let is_channel = |element: &Element<'_>| {
            element.is(&kinds::CHANNEL_SCALAR) || element.is(&kinds::CHANNEL_QUATERNION)
        };
        lists.flat_map(move |list| list.elements().filter(is_channel)).map(Channel)
    }
}

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelType {
    /// X of the translation.
    XTranslation,
    /// Y of the translation.
    YTranslation,
    /// Z of the translation.
    ZTranslation,
    /// The rotation.
    Orientation,
    /// The visibility, a number that may be fractional.
    Visibility,
}

impl ChannelType {
    /// All types with their names in files.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("XTranslation", Self::XTranslation),
        ("YTranslation", Self::YTranslation),
        ("ZTranslation", Self::ZTranslation),
        ("Orientation", Self::Orientation),
        ("Visibility", Self::Visibility),
    ];

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, found)| *found)
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

/// The motion of one value of a pivot.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'n>(pub Element<'n>);

/// A value of a channel of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalarFrame {
    /// The number.
    pub value: f32,
    /// Whether the value jumps here: the one before is held until this frame.
    pub jumps: bool,
}

/// A value of a channel of rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationFrame {
    /// The quaternion: `[x, y, z, w]`.
    pub value: [f32; 4],
    /// Whether the value jumps here: the one before is held until this frame.
    pub jumps: bool,
}

impl Channel<'_> {
    /// What it moves; `None` if the type is unknown.
    pub fn channel_type(&self) -> Option<ChannelType> {
        ChannelType::named(&self.0.attribute(&kinds::TYPE)?)
    }

    /// The index of its pivot.
    pub fn pivot(&self) -> Option<usize> {
        self.0.integer(&kinds::PIVOT_INDEX)
    }

    /// The frame of its first value.
    pub fn first_frame(&self) -> u32 {
        self.0.integer(&kinds::FIRST_FRAME).unwrap_or_default()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.0.items(&kinds::FRAME).count()
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.0.items(&kinds::FRAME).next().is_none()
    }

    /// The values of a channel of numbers.
    pub fn scalars(&self) -> Vec<ScalarFrame> {
        let frames = self.0.items(&kinds::FRAME);
        frames
            .map(|item| ScalarFrame {
                value: float(item.text()).unwrap_or_default(),
                jumps: item.attribute("BinaryMove").and_then(boolean).unwrap_or_default(),
            })
            .collect()
    }

    /// The values of a channel of rotations.
    pub fn rotations(&self) -> Vec<RotationFrame> {
        let frames = self.0.items(&kinds::FRAME);
        frames
            .map(|item| RotationFrame {
                value: item.numbers([b'X', b'Y', b'Z', b'W']),
                jumps: item.attribute("BinaryMove").and_then(boolean).unwrap_or_default(),
            })
            .collect()
    }
}
