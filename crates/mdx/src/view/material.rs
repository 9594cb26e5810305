//! Materials and layers.

use record::{Chars, Node};

use super::{Track, track, tracks};
use crate::build::LayerParts;
use crate::kinds;
use crate::records::{
    FilterMode, LayerEmissive, LayerFresnel, LayerHeader, LayerShader, MaterialFlags, MaterialHeader,
    MaterialShader, SlotType, TextureReference, WowMaterialHeader,
};
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
    /// Its fixed parts; what its version lacks has the default.
    pub parts: LayerParts,
}

/// A texture of a layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerTexture<'d> {
    /// Index of the texture where no track says otherwise.
    pub texture_id: i32,
    /// What it is for.
    pub slot: SlotType,
    /// The track that changes it.
    pub track: Option<Track<'d>>,
}

impl<'d> Material<'d> {
    pub(super) const fn new(node: &'d Node<'d>) -> Self {
        Self { node }
    }

    /// Drawing order, least first.
    pub fn priority_plane(&self) -> i32 {
        let warcraft = self.node.child(&kinds::MATERIAL_HEADER).and_then(Node::value::<MaterialHeader>);
        let wow = self.node.child(&kinds::WOW_MATERIAL_HEADER).and_then(Node::value::<WowMaterialHeader>);
        warcraft
            .map(|header| header.priority_plane)
            .or(wow.map(|header| header.priority_plane))
            .map_or(0, |plane| plane.get())
    }

    /// Flags; none in the WoW alpha.
    pub fn flags(&self) -> MaterialFlags {
        let header = self.node.child(&kinds::MATERIAL_HEADER).and_then(Node::value::<MaterialHeader>);
        header.map_or(MaterialFlags::default(), |header| header.flags)
    }

    /// The shader's name, in versions that have one.
    pub fn shader(&self) -> Option<&'d Chars<80>> {
        self.node.child(&kinds::MATERIAL_SHADER)?.value::<MaterialShader>().map(|shader| &shader.shader)
    }

    /// Its layers, in drawing order.
    pub fn layers(&self) -> impl Iterator<Item = Layer<'d>> + use<'d> {
        let lays = self.node.child(&kinds::LAYS).into_iter().flat_map(|lays| lays.all(&kinds::LAYER));
        lays.chain(self.node.all(&kinds::LAYER)).filter_map(Layer::new)
    }
}

impl<'d> Layer<'d> {
    fn new(node: &'d Node<'d>) -> Option<Self> {
        let default = LayerParts::default();
        let value = |kind| node.child(kind);
        let parts = LayerParts {
            header: *value(&kinds::LAYER_HEADER)?.value::<LayerHeader>()?,
            emissive: value(&kinds::LAYER_EMISSIVE)
                .and_then(Node::value::<LayerEmissive>)
                .copied()
                .unwrap_or(default.emissive),
            fresnel: value(&kinds::LAYER_FRESNEL)
                .and_then(Node::value::<LayerFresnel>)
                .copied()
                .unwrap_or(default.fresnel),
            shader: value(&kinds::LAYER_SHADER)
                .and_then(Node::value::<LayerShader>)
                .copied()
                .unwrap_or(default.shader),
        };
        Some(Self { node, parts })
    }

    /// How it is blended. A few files hold garbage here, which the game takes as opaque.
    pub fn filter_mode(&self) -> FilterMode {
        let stored = self.parts.header.filter_mode;
        if stored.name().is_some() { stored } else { FilterMode::NONE }
    }

    /// Its textures: the slots from version 1100 on, before that the header's texture as the diffuse one.
    pub fn textures(&self) -> impl Iterator<Item = LayerTexture<'d>> + use<'d> {
        let slots = self.node.all(&kinds::TEXTURE_SLOT).filter_map(|slot| {
            let texture = slot.child(&kinds::TEXTURE_REFERENCE)?.value::<TextureReference>()?;
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
