//! Objects in the layout of a version of a game.

use record::{F32, I32, Node, U32, Vec3};

use super::{branch, leaf, part};
use crate::kinds::{self, Part};
use crate::records::*;
use crate::{Dialect, Gate, Gates};

/// The fixed parts of a layer. Parts that a version lacks are omitted when building, and have defaults when reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerParts {
    /// All versions.
    pub header: LayerHeader,
    /// 900 and up; gain 1 by default.
    pub emissive: LayerEmissive,
    /// 1000 and up; white, without strength, by default.
    pub fresnel: LayerFresnel,
    /// 1100 and up; the number of textures is set when it is built.
    pub shader: LayerShader,
}

impl Default for LayerParts {
    fn default() -> Self {
        let none = I32::new(-1);
        Self {
            header: LayerHeader {
                texture_animation_id: none,
                alpha: F32::new(1.0),
                ..LayerHeader::default()
            },
            emissive: LayerEmissive { emissive_gain: F32::new(1.0) },
            fresnel: LayerFresnel { color: Vec3::new(1.0, 1.0, 1.0), ..LayerFresnel::default() },
            shader: LayerShader::default(),
        }
    }
}

/// The fixed parts of a light. Parts that a version lacks are omitted when building, and have defaults when reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightParts {
    /// All versions.
    pub kind: LightKind,
    /// 1300 and up.
    pub shadow_casting: LightShadowCasting,
    /// All versions.
    pub color: LightColor,
    /// 700 and up.
    pub ambient: LightAmbient,
    /// 1200 and up; 0.4 by default.
    pub shadow_intensity: LightShadowIntensity,
    /// 1300 and up.
    pub shadow_range: LightShadowRange,
    /// 1600 and up; 0.0005, 0, 0.00001 by default.
    pub falloff: LightFalloff,
}

impl Default for LightParts {
    fn default() -> Self {
        Self {
            kind: LightKind::default(),
            shadow_casting: LightShadowCasting::default(),
            color: LightColor::default(),
            ambient: LightAmbient::default(),
            shadow_intensity: LightShadowIntensity { shadow_intensity: F32::new(0.4) },
            shadow_range: LightShadowRange::default(),
            falloff: LightFalloff {
                quadratic: F32::new(0.0005),
                linear: F32::new(0.0),
                damping: F32::new(1e-5),
            },
        }
    }
}

impl LightParts {
    /// The type of the light. In a few files, bits above the lowest byte are set without a meaning.
    pub const fn light_type(&self) -> LightType {
        LightType::new(self.kind.kind.get() & 0xFF)
    }
}

/// Makes objects in the layout of one version of one game.
#[derive(Clone, Copy, Debug)]
pub struct Builder {
    /// The game.
    pub dialect: Dialect,
    /// The version.
    pub version: u32,
    /// The gates of the version.
    pub gates: Gates,
}

impl Builder {
    /// A builder for a version of a game.
    pub fn new(dialect: Dialect, version: u32) -> Self {
        Self { dialect, version, gates: Gates::of(dialect, version) }
    }

    /// The `VERS` chunk.
    pub fn version(&self) -> Node<'static> {
        leaf(&kinds::VERS, &[U32::new(self.version)])
    }

    /// A chunk of objects, with the count that the WoW alpha requires first.
    pub fn chunk<'a>(&self, kind: &'static record::Kind, objects: Vec<Node<'a>>) -> Node<'a> {
        if self.dialect == Dialect::Warcraft {
            return branch(kind, objects);
        }
        let count = U32::new(u32::try_from(objects.len()).unwrap_or(u32::MAX));
        let first = if std::ptr::eq(kind, kinds::MTLS.kind) {
            let layers = objects.iter().flat_map(|material| material.all(&kinds::LAYER));
            let animated = layers.filter(|layer| layer.children().len() > 1).count();
            part(&WowMaterialCount {
                count,
                animated_layers: U32::new(u32::try_from(animated).unwrap_or(u32::MAX)),
            })
        } else if std::ptr::eq(kind, kinds::ATCH.kind) {
            let headers = objects.iter().filter_map(|object| object.child(&kinds::WOW_ATTACHMENT_HEADER));
            let ids = headers.filter_map(|header| header.value::<WowAttachmentHeader>());
            let highest = ids.filter_map(|header| u32::try_from(header.attachment_id.get()).ok()).max();
            part(&WowAttachmentCount { count, highest_id: U32::new(highest.unwrap_or_default()) })
        } else {
            part(&WowCount { count })
        };
        branch(kind, std::iter::once(first).chain(objects).collect())
    }

    /// A node with its tracks. The flags are not converted: the two games number them differently.
    pub fn node<'a>(&self, header: &NodeHeader, tracks: Vec<Node<'a>>) -> Node<'a> {
        let first = match self.dialect {
            Dialect::Warcraft => part(header),
            Dialect::Wow => part(&WowNodeHeader {
                name: header.name,
                object_id: header.object_id,
                parent_id: header.parent_id,
                flags: WowNodeFlags::new(header.flags.get()),
            }),
        };
        branch(&kinds::NODE, std::iter::once(first).chain(tracks).collect())
    }

    /// An object that is a node, a fixed part and tracks.
    pub fn object<'a, T: Part>(
        &self,
        kind: &'static record::Kind,
        node: Node<'a>,
        fixed: &T,
        tracks: Vec<Node<'a>>,
    ) -> Node<'a> {
        branch(kind, [node, part(fixed)].into_iter().chain(tracks).collect())
    }

    /// A material. The WoW alpha has no flags and no shader name.
    pub fn material<'a>(
        &self,
        header: &MaterialHeader,
        shader: &MaterialShader,
        layers: Vec<Node<'a>>,
    ) -> Node<'a> {
        let mut parts = Vec::with_capacity(3);
        match self.dialect {
            Dialect::Warcraft => {
                parts.push(part(header));
                if self.gates.has(Gate::MaterialShader) {
                    parts.push(part(shader));
                }
                parts.push(branch(&kinds::LAYS, layers));
            }
            Dialect::Wow => {
                let layer_count = U32::new(u32::try_from(layers.len()).unwrap_or(u32::MAX));
                parts.push(part(&WowMaterialHeader { priority_plane: header.priority_plane, layer_count }));
                parts.extend(layers);
            }
        }
        branch(&kinds::MATERIAL, parts)
    }

    /// A layer. Its textures, with their tracks, are written from version 1100 on. In earlier versions, the header refers
    /// to the texture.
    pub fn layer<'a>(
        &self,
        layer: &LayerParts,
        textures: Vec<(TextureReference, Option<Node<'a>>)>,
        tracks: Vec<Node<'a>>,
    ) -> Node<'a> {
        let mut parts = vec![part(&layer.header)];
        if self.gates.has(Gate::LayerEmissive) {
            parts.push(part(&layer.emissive));
        }
        if self.gates.has(Gate::LayerFresnel) {
            parts.push(part(&layer.fresnel));
        }
        if self.gates.has(Gate::LayerSlots) {
            let texture_count = U32::new(u32::try_from(textures.len()).unwrap_or(u32::MAX));
            parts.push(part(&LayerShader { texture_count, ..layer.shader }));
            let slots = textures.into_iter().map(|(texture, track)| {
                branch(&kinds::TEXTURE_SLOT, std::iter::once(part(&texture)).chain(track).collect())
            });
            parts.extend(slots);
        }
        parts.extend(tracks);
        branch(&kinds::LAYER, parts)
    }

    /// A light.
    pub fn light<'a>(&self, node: Node<'a>, light: &LightParts, tracks: Vec<Node<'a>>) -> Node<'a> {
        let mut parts = vec![node, part(&light.kind)];
        if self.gates.has(Gate::LightShadowCasting) {
            parts.push(part(&light.shadow_casting));
        }
        parts.push(part(&light.color));
        if self.gates.has(Gate::LightAmbient) {
            parts.push(part(&light.ambient));
        }
        if self.gates.has(Gate::LightShadowIntensity) {
            parts.push(part(&light.shadow_intensity));
        }
        if self.gates.has(Gate::LightShadowCasting) {
            parts.push(part(&light.shadow_range));
        }
        if self.gates.has(Gate::LightFalloff) {
            parts.push(part(&light.falloff));
        }
        parts.extend(tracks);
        branch(&kinds::LIGHT, parts)
    }

    /// A geoset: arrays, then fixed parts, then the arrays after them (`TANG`, `SKIN`, `UVAS` in Warcraft III).
    pub fn geoset<'a>(
        &self,
        arrays: Vec<Node<'a>>,
        header: &GeosetHeader,
        level_of_detail: &GeosetLevelOfDetail,
        extent: &Extent,
        extents: &[Extent],
        tail: Vec<Node<'a>>,
    ) -> Node<'a> {
        let mut parts = arrays;
        parts.push(part(header));
        if self.gates.has(Gate::GeosetLevelOfDetail) {
            parts.push(part(level_of_detail));
        }
        parts.push(part(&GeosetBounds { extent: *extent }));
        parts.push(leaf(&kinds::EXTENTS, extents));
        parts.extend(tail);
        branch(&kinds::GEOSET, parts)
    }
}
