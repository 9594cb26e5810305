//! Custom properties that people add in a modelling program.

use crate::{ClipId, MaterialId, NodeId};

/// A custom property. It has no effect in a scene; writers of game formats use some names.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The object that it belongs to.
    pub owner: PropertyOwner,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: PropertyValue,
}

/// The object that a [`Property`] belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyOwner {
    /// A node, or the mesh on it.
    Node(NodeId),
    /// A material.
    Material(MaterialId),
    /// A clip.
    Clip(ClipId),
}

/// The value of a [`Property`].
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// On or off.
    Flag(bool),
    /// A number.
    Number(f32),
    /// A text.
    Text(String),
    /// Several numbers.
    Numbers(Vec<f32>),
    /// Several numbers for each of some names.
    Lists(Vec<(String, Vec<f32>)>),
}

impl PropertyValue {
    /// Whether it is on: a flag, or a number other than zero. Blender stores flags as numbers.
    #[must_use]
    pub fn is_on(&self) -> bool {
        match self {
            Self::Flag(flag) => *flag,
            Self::Number(number) => *number != 0.0,
            Self::Text(text) => matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1"),
            Self::Numbers(_) | Self::Lists(_) => false,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f32> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}
