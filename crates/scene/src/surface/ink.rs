//! The output of one layer: colours, pictures and the coordinates of the pictures.

use super::{Context, Coordinates, Dropped, Loss, composite::*};
use crate::{Combine, Gradient, Layer, Material, Replaceable, SlotKind, TextureId, TextureSlot, UvMapper};
use glam::{Vec3, Vec4};

/// A factor and a picture that it multiplies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ink {
    pub(super) factor: Vec4,
    pub(super) picture: Option<Composite>,
    pub(super) coordinates: Coordinates,
}

impl Ink {
    pub(super) fn color(factor: Vec4) -> Self {
        Self { factor, picture: None, coordinates: Coordinates::default() }
    }

    pub(super) fn black() -> Self {
        Self::color(Vec3::ZERO.extend(1.0))
    }

    /// Whether it is black everywhere.
    pub(super) fn is_black(&self) -> bool {
        self.factor.truncate() == Vec3::ZERO
    }

    /// Whether the picture's coordinates depend on the view.
    pub(super) fn is_reflection(&self) -> bool {
        self.picture.is_some() && self.coordinates.is_generated()
    }

    /// The product as one picture.
    fn into_picture(self) -> Composite {
        match self.picture {
            Some(picture) if self.factor == Vec4::ONE => picture,
            Some(picture) => Composite::mix(Op::Multiply, picture, Composite::color(self.factor)),
            None => Composite::color(self.factor),
        }
    }

    /// Both combined; `None` if their pictures have different coordinates.
    pub(super) fn combine(self, op: Op, over: Self) -> Option<Self> {
        let coordinates = match (&self.picture, &over.picture) {
            (None, None) => return Some(Self::color(op.apply(self.factor, over.factor))),
            (Some(_), Some(_)) if self.coordinates != over.coordinates => return None,
            (Some(_), _) => self.coordinates.clone(),
            (None, Some(_)) => over.coordinates.clone(),
        };
        let picture = Composite::mix(op, self.into_picture(), over.into_picture());
        Some(Self { factor: Vec4::ONE, picture: Some(picture), coordinates })
    }

    /// The colour multiplied by the alpha.
    pub(super) fn premultiplied(self) -> Self {
        let factor = (self.factor.truncate() * self.factor.w).extend(1.0);
        let picture = self
            .picture
            .map(|picture| Composite::mix(Op::Blend(crate::BlendMode::Alpha), Composite::BLACK, picture));
        Self { factor, picture, ..self }
    }
}

/// The output of one layer.
pub(super) struct Drawn {
    /// Index of the layer in the material.
    pub(super) index: usize,
    /// Whether light has no effect on `base`.
    pub(super) unlit: bool,
    /// The colour that light multiplies (or not, if unlit), and the alpha.
    pub(super) base: Ink,
    /// The colour that is added independently of light.
    pub(super) glow: Option<Ink>,
    pub(super) color_set: Option<u32>,
}

/// Maximum number of losses listed for one material.
const MAX_DROPPED: usize = 256;

/// Reads the layers of a material and collects losses.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) material: &'a Material,
    pub(super) dropped: Vec<Dropped>,
}

impl Reader<'_> {
    pub(super) fn lose(&mut self, layer: usize, loss: Loss) {
        let dropped = Dropped { layer, loss };
        // A damaged material may have thousands of layers.
        if self.dropped.len() < MAX_DROPPED && !self.dropped.contains(&dropped) {
            self.dropped.push(dropped);
        }
    }

    /// Whether the file of a slot's texture was looked for and not found.
    pub(super) fn is_missing(&self, slot: &TextureSlot) -> bool {
        slot.texture.is_some_and(|id| self.team_color(id).is_none() && (self.context.coverage)(id).is_none())
    }

    /// The player's colour, if this is its texture.
    fn team_color(&self, id: TextureId) -> Option<[u8; 3]> {
        let texture = self.context.textures.get(id.index())?;
        (texture.replaceable == Some(Replaceable::TEAM_COLOR)).then(|| self.context.player())
    }

    /// The picture of a slot; `None` if it has no texture, the file is missing, or the mesh has no coordinates for it.
    fn picture(&self, layer: &Layer, slot: &TextureSlot) -> Option<Ink> {
        let id = slot.texture?;
        if let Some([r, g, b]) = self.team_color(id) {
            return Some(Ink::color(Vec4::from([r, g, b, 255].map(f32::from)) / 255.0));
        }
        (self.context.coverage)(id)?;
        let uv_set = self.uv_set(slot)?;
        Some(Ink {
            factor: Vec4::ONE,
            picture: Some(Composite::Texture(id)),
            coordinates: Coordinates { uv_set, mapper: slot.mapper.clone(), animation: layer.uv_animation },
        })
    }

    /// The set of coordinates to draw a slot with, if the mesh has one. Generated coordinates use no set, so a file may name any; the
    /// first one stands in for them where they cannot be generated.
    fn uv_set(&self, slot: &TextureSlot) -> Option<u32> {
        let Some(mesh) = self.context.mesh else { return Some(slot.uv_set) };
        let has = |set: u32| (set as usize) < mesh.uv_sets.len();
        let fallback = super::is_generated(&slot.mapper).then_some(0).filter(|set| has(*set));
        Some(slot.uv_set).filter(|set| has(*set)).or(fallback)
    }

    /// The output of a layer, without its colour and opacity, those of the mesh, and vertex colours.
    pub(super) fn read(&mut self, index: usize) -> Drawn {
        let plain = Layer::default();
        let layer = self.material.layers.get(index).unwrap_or(&plain);
        let white = Ink::color(Vec4::ONE);
        let texture = layer.slot(SlotKind::Diffuse).and_then(|slot| self.picture(layer, slot));
        let texture = texture.map(|texture| self.with_team_mask(layer, texture));
        let (mut lit, emissive) = self.light(layer);
        let mut unlit = layer.unlit;
        if !unlit && lit == Vec3::ZERO && emissive != Vec3::ZERO {
            // Light has no effect (W3D's way to draw at full brightness).
            (unlit, lit) = (true, emissive);
        }
        let mut glow = None;
        let mut base = texture.clone().unwrap_or_else(|| white.clone());
        match layer.gradient {
            Gradient::Modulate | Gradient::Modulate2x if unlit && layer.unlit => {}
            Gradient::Modulate => base.factor *= lit.extend(1.0),
            Gradient::Modulate2x if (lit * 2.0).max_element() <= 1.0 => {
                base.factor *= (lit * 2.0).extend(1.0);
            }
            Gradient::Modulate2x => {
                let light = Ink::color(lit.extend(1.0));
                let op = Op::Stage(Combine::Scale2x, Combine::Scale);
                base = base.clone().combine(op, light).unwrap_or(base);
            }
            Gradient::Add => {
                // The texture is added to the lit colour, so it glows.
                let alpha = base.clone().combine(Op::Multiply, Ink::black()).unwrap_or_else(Ink::black);
                glow = texture.clone();
                base = if layer.transparency() == crate::Transparency::Opaque {
                    Ink::color(lit.extend(1.0))
                } else {
                    let lit = Ink::color(lit.extend(1.0));
                    alpha.combine(Op::Stage(Combine::Detail, Combine::Disable), lit).unwrap_or(base)
                };
            }
            Gradient::BumpEnvironment | Gradient::BumpEnvironmentLuminance | Gradient::DotProduct => {
                if texture.is_some() {
                    self.lose(index, Loss::BumpMap);
                }
                base = Ink::color(lit.extend(1.0));
            }
        }
        if !unlit && emissive != Vec3::ZERO {
            let mut shine = texture.clone().unwrap_or_else(|| white.clone());
            shine.factor *= emissive.extend(1.0);
            glow = Some(match glow {
                Some(glow) => glow.clone().combine(Op::Blend(crate::BlendMode::Add), shine).unwrap_or(glow),
                None => shine,
            });
        }
        if let Some(slot) = layer.slot(SlotKind::Emissive)
            && let Some(mut picture) = self.picture(layer, slot)
        {
            let gain = if layer.emissive_gain.is_finite() { layer.emissive_gain.max(0.0) } else { 1.0 };
            picture.factor *= Vec3::splat(gain).extend(1.0);
            glow = (gain > 0.0).then_some(picture);
        }
        let mut drawn = Drawn { index, unlit, base, glow, color_set: self.color_set(layer) };
        self.detail(layer, &mut drawn);
        drawn
    }

    /// The diffuse and emissive factors at full light.
    fn light(&self, layer: &Layer) -> (Vec3, Vec3) {
        let Some(lighting) = layer.lighting.as_ref().filter(|_| !layer.unlit) else {
            return (Vec3::ONE, Vec3::ZERO);
        };
        let mut diffuse = lighting.diffuse;
        if let Some(color) = self.context.team_color.filter(|_| self.material.house_color) {
            diffuse = Vec3::from(color.map(f32::from)) / 255.0;
        } else if diffuse == Vec3::ZERO && lighting.emissive == Vec3::ZERO {
            // Only ambient light shows it; targets do not distinguish ambient from direct light.
            diffuse = lighting.ambient;
        } else if self.color_set(layer).is_some() && diffuse != Vec3::ZERO && lighting.emissive != Vec3::ZERO
        {
            // The vertex colours replace the diffuse colour instead of multiplying it (docs/formats/rendering.md#w3d-vertex-colours).
            diffuse = Vec3::ONE;
        }
        // The engine clamps the sum to 1, so light adds less to a surface that glows.
        let emissive = lighting.emissive.clamp(Vec3::ZERO, Vec3::ONE);
        (diffuse.clamp(Vec3::ZERO, Vec3::ONE).min(1.0 - emissive), emissive)
    }

    /// Vertex colours, if the mesh has them. A W3D layer without gradient uses the texture alone; the converter gives it
    /// no vertex colours.
    fn color_set(&self, layer: &Layer) -> Option<u32> {
        let has = |set: &u32| self.context.mesh.is_none_or(|mesh| (*set as usize) < mesh.color_sets.len());
        layer.color_set.filter(has)
    }

    /// Warcraft III's HD team colour: `albedo · mix(1, team, mask)`, with the mask in the alpha of the ORM texture.
    fn with_team_mask(&self, layer: &Layer, texture: Ink) -> Ink {
        let team = layer.slot(SlotKind::TeamColor).and_then(|slot| self.team_color(slot.texture?));
        let mask = layer.slot(SlotKind::OcclusionRoughnessMetal).and_then(|slot| self.picture(layer, slot));
        match (team, mask) {
            (Some(team), Some(mask)) => texture.clone().combine(Op::Tint(team), mask).unwrap_or(texture),
            _ => texture,
        }
    }

    /// Adds the second texture stage.
    fn detail(&mut self, layer: &Layer, drawn: &mut Drawn) {
        let Some(slot) = layer.slot(SlotKind::Detail) else { return };
        let (color, alpha) = (slot.color_combine, slot.alpha_combine);
        if (color, alpha) == (Combine::Disable, Combine::Disable) {
            return;
        }
        // A missing second texture: only stage 0 is drawn.
        let Some(second) = self.picture(layer, slot) else { return };
        if second.is_reflection() {
            self.lose(drawn.index, Loss::Reflection);
            return;
        }
        let op = Op::Stage(color, alpha);
        if drawn.unlit || color != Combine::Add || alpha != Combine::Disable {
            match drawn.base.clone().combine(op, second.clone()) {
                Some(base) => {
                    drawn.base = base;
                    // Factors of the first stage also apply to the glow.
                    if let Some(glow) = drawn.glow.take() {
                        drawn.glow = match color {
                            Combine::Scale | Combine::Scale2x => glow.combine(op, second),
                            _ => Some(glow),
                        };
                    }
                }
                None => self.lose(drawn.index, Loss::DetailCoordinates),
            }
            return;
        }
        // The second texture is not lit: it glows.
        drawn.glow = match drawn.glow.take() {
            None => Some(second),
            Some(glow) => {
                let both = glow.clone().combine(Op::Blend(crate::BlendMode::Add), second);
                if both.is_none() {
                    self.lose(drawn.index, Loss::DetailCoordinates);
                }
                Some(both.unwrap_or(glow))
            }
        };
    }
}

impl Coordinates {
    /// Whether the coordinates come from the view instead of the mesh (reflections).
    #[must_use]
    pub const fn is_generated(&self) -> bool {
        super::is_generated(&self.mapper)
    }
}

pub(super) const fn is_generated(mapper: &UvMapper) -> bool {
    matches!(mapper, UvMapper::Environment(_) | UvMapper::Screen(_) | UvMapper::Edge(_))
}
