//! Materials and layers.

use record::{Chars, Node, views};

use super::{Track, track, tracks};
use crate::build::LayerParts;
use crate::kinds;
use crate::records::{FilterMode, MaterialFlags, SlotType};
use crate::tracks::tags;

/// A material.
#[derive(Clone, Copy, Debug)]
pub struct Material<'d> {
    /// The object.
    pub node: &'d Node<'d>,
}

/// A layer of a material.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'d> {
    /// The object.
    pub node: &'d Node<'d>,
    /// Its fixed parts; those that its version lacks have default values.
    pub parts: LayerParts,
}

/// A texture of a layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerTexture<'d> {
    /// Index of the texture if there is no track.
    pub texture_id: i32,
    /// Its slot.
    pub slot: SlotType,
    /// The track that animates it.
    pub track: Option<Track<'d>>,
}

views! { @read Material }
views! { @write Material, MaterialMut of kinds::MATERIAL }
views! { @read Layer }
views! { @write Layer, LayerMut of kinds::LAYER }

views! {
    /// Tracks that move texture coordinates.
    TextureAnimation, TextureAnimationMut of kinds::TEXTURE_ANIMATION;
}

impl<'d> TextureAnimation<'d> {
    /// One of its tracks: `KTAT`, `KTAR` or `KTAS`.
    pub fn track(&self, tag: u32) -> Option<Track<'d>> {
        track(self.0, tag)
    }

    /// Its tracks.
    pub fn tracks(&self) -> impl Iterator<Item = Track<'d>> + use<'d> {
        tracks(self.0)
    }
}

impl<'d> Material<'d> {
    /// The view of a node; `None` if the node is of another kind.
    pub fn new(node: &'d Node<'d>) -> Option<Self> {
        node.is(&kinds::MATERIAL).then_some(Self { node })
    }

    /// The node.
    pub const fn node(&self) -> &'d Node<'d> {
        self.node
    }

    /// Drawing order, lowest first.
    pub fn priority_plane(&self) -> i32 {
        let warcraft = self.get(kinds::MATERIAL_HEADER).map(|header| header.priority_plane);
        let wow = self.get(kinds::WOW_MATERIAL_HEADER).map(|header| header.priority_plane);
        warcraft.or(wow).map_or(0, |plane| plane.get())
    }

    /// Flags; none in the WoW alpha.
    pub fn flags(&self) -> MaterialFlags {
        self.get(kinds::MATERIAL_HEADER).map_or(MaterialFlags::default(), |header| header.flags)
    }

    /// The shader's name, in versions that have one.
    pub fn shader(&self) -> Option<&'d Chars<80>> {
        self.get(kinds::MATERIAL_SHADER).map(|shader| &shader.shader)
    }

    /// Its layers, in drawing order.
    pub fn layers(&self) -> impl Iterator<Item = Layer<'d>> + use<'d> {
        let lays = self.node.child(&kinds::LAYS).into_iter().flat_map(|lays| lays.all(&kinds::LAYER));
        lays.chain(self.node.all(&kinds::LAYER)).filter_map(Layer::new)
    }
}

impl<'d> Layer<'d> {
    /// The view of a node; `None` if the node is of another kind, or has no header.
    pub fn new(node: &'d Node<'d>) -> Option<Self> {
        if !node.is(&kinds::LAYER) {
            return None;
        }
        let default = LayerParts::default();
        let parts = LayerParts {
            header: *node.get(kinds::LAYER_HEADER)?,
            emissive: node.get(kinds::LAYER_EMISSIVE).copied().unwrap_or(default.emissive),
            fresnel: node.get(kinds::LAYER_FRESNEL).copied().unwrap_or(default.fresnel),
            shader: node.get(kinds::LAYER_SHADER).copied().unwrap_or(default.shader),
        };
        Some(Self { node, parts })
    }

    /// The node.
    pub const fn node(&self) -> &'d Node<'d> {
        self.node
    }

    /// How it is blended. A few files have invalid values here, which the game treats as opaque.
    pub fn filter_mode(&self) -> FilterMode {
        let stored = self.parts.header.filter_mode;
        if stored.name().is_some() { stored } else { FilterMode::NONE }
    }

    /// Its textures: the slots from version 1100 on; in earlier versions the header's texture as the diffuse one.
    pub fn textures(&self) -> impl Iterator<Item = LayerTexture<'d>> + use<'d> {
        let slots = self.node.all(&kinds::TEXTURE_SLOT).filter_map(|slot| {
            let texture = slot.get(kinds::TEXTURE_REFERENCE)?;
            Some(LayerTexture {
                texture_id: texture.texture_id.get(),
                slot: texture.slot,
                track: track(slot, tags::KMTF),
            })
        });
        let has_slots = self.node.child(&kinds::LAYER_SHADER).is_some();
        let header = LayerTexture {
            texture_id: self.parts.header.texture_id.get(),
            slot: SlotType::DIFFUSE,
            track: self.track(tags::KMTF),
        };
        slots.chain((!has_slots).then_some(header))
    }

    /// One of its tracks.
    pub fn track(&self, tag: u32) -> Option<Track<'d>> {
        track(self.node, tag)
    }

    /// Its tracks.
    pub fn tracks(&self) -> impl Iterator<Item = Track<'d>> + use<'d> {
        tracks(self.node)
    }
}
