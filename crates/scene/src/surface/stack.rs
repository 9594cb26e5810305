//! Combines the layers of a material.

use super::{
    AlphaMode, Context, Fold, Loss, Paint, Surface, Tint, VertexColors,
    composite::Op,
    ink::{Drawn, Ink, Reader},
};
use crate::{BlendFactor, BlendMode, Compare, Layer, Material, SlotKind, Transparency};
use glam::{Vec3, Vec4};

/// Layers and meshes fainter than this are not drawn (one byte's step).
const FAINT: f32 = 0.004;
/// Opaque layers fade below this opacity, as dying units do (docs/formats/rendering.md#mdx-layers, disputed).
const FADES: f32 = 0.99;

/// Maximum number of combined layers. Real materials have up to 8; thousands would make a very deep tree.
const MAX_LAYERS: usize = 64;

/// The single surface that looks most like a material's layers.
#[must_use]
pub fn surface(material: &Material, context: &Context<'_>) -> Surface {
    let mut reader = Reader { context, material, dropped: Vec::new() };
    let mut shown: Vec<usize> =
        (0..material.layers.len()).filter(|&index| shows(&mut reader, index)).collect();
    let mesh = context.mesh.map_or((Vec3::ONE, 1.0), |mesh| (mesh.color, mesh.alpha));
    let visible = (!shown.is_empty() || material.layers.is_empty()) && mesh.1 >= FAINT;
    if shown.is_empty() {
        shown.push(0);
    }
    // Layers below a layer that covers everything are invisible.
    if let Some(covering) = shown.iter().rposition(|&index| covers(material, index)) {
        shown.drain(..covering);
    }
    if let Some(&index) = shown.get(MAX_LAYERS) {
        reader.lose(index, Loss::TooManyLayers);
    }
    shown.truncate(MAX_LAYERS);
    let layers: Vec<Drawn> = shown.iter().map(|&index| reader.read(index)).collect();
    let mut stack = Stack::new(&mut reader, layers);
    stack.finish(mesh, visible)
}

/// Whether a layer is drawn at all.
fn shows(reader: &mut Reader<'_>, index: usize) -> bool {
    let layer = &reader.material.layers[index];
    let ignores_opacity = matches!(layer.blend, BlendMode::Add | BlendMode::Multiply | BlendMode::Screen);
    if layer.alpha < FAINT && !ignores_opacity {
        return false;
    }
    // Without its texture, a glow or a shadow would be a solid surface.
    let slot = layer.slot(SlotKind::Diffuse);
    if layer.transparency() == Transparency::Blend && slot.is_some_and(|slot| reader.is_missing(slot)) {
        reader.lose(index, Loss::MissingTexture);
        return false;
    }
    true
}

/// Whether a layer replaces everything below it.
fn covers(material: &Material, index: usize) -> bool {
    material.layers.get(index).is_some_and(|layer| {
        layer.blend == BlendMode::Opaque && layer.alpha_test.is_none() && layer.alpha >= FADES
    })
}

/// The effects of blend modes that are distinguished here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Replaces what is below, where the alpha test passes.
    Opaque,
    /// Covers by alpha.
    Alpha,
    /// Adds.
    Add,
    /// Multiplies what is below.
    Multiply,
    /// Anything else.
    Other,
}

fn kind(layer: &Layer) -> Kind {
    use BlendFactor::{DestinationColor, One, OneMinusSourceAlpha, SourceAlpha, SourceColor, Zero};
    match layer.blend.factors() {
        (One, Zero) if layer.alpha < FADES && layer.alpha_test.is_none() => Kind::Alpha,
        (One, Zero) => Kind::Opaque,
        (SourceAlpha, OneMinusSourceAlpha) => Kind::Alpha,
        (One | SourceAlpha, One) => Kind::Add,
        (Zero | DestinationColor, SourceColor) | (DestinationColor, Zero) => Kind::Multiply,
        _ => Kind::Other,
    }
}

/// Whether the source's alpha is a factor of what the layer adds.
fn uses_alpha(layer: &Layer) -> bool {
    let (source, destination) = layer.blend.factors();
    let by_alpha = |factor| matches!(factor, BlendFactor::SourceAlpha | BlendFactor::OneMinusSourceAlpha);
    by_alpha(source) || by_alpha(destination)
}

/// The surface under construction.
struct Stack<'r, 'a> {
    reader: &'r mut Reader<'a>,
    base: Ink,
    glow: Option<Ink>,
    /// Whether `base` is lit is decided by the first layer, unless layers of both kinds can be kept apart.
    unlit: bool,
    splits: bool,
    /// The layer that the surface mainly shows.
    main: usize,
    /// The layer whose colour and opacity are still to be multiplied.
    live: Option<usize>,
    alpha_mode: AlphaMode,
    fold: Fold,
    color_set: Option<u32>,
}

impl<'r, 'a> Stack<'r, 'a> {
    fn new(reader: &'r mut Reader<'a>, layers: Vec<Drawn>) -> Self {
        let mixed = layers.iter().any(|layer| layer.unlit != layers[0].unlit);
        let mut layers = layers.into_iter();
        let plain = Layer::default();
        let first = layers.next().unwrap_or_else(|| reader.read(0));
        let bottom = reader.material.layers.get(first.index).unwrap_or(&plain);
        let mut stack = Self {
            splits: mixed && bottom.blend == BlendMode::Opaque,
            unlit: first.unlit,
            main: first.index,
            live: Some(first.index),
            color_set: first.color_set,
            base: Ink::black(),
            glow: None,
            alpha_mode: AlphaMode::Opaque,
            fold: Fold::None,
            reader,
        };
        stack.start(first);
        for layer in layers {
            stack.draw(layer);
        }
        stack
    }

    /// The bottom layer, on the background.
    fn start(&mut self, drawn: Drawn) {
        let plain = Layer::default();
        let layer = self.reader.material.layers.get(drawn.index).unwrap_or(&plain);
        self.base = drawn.base;
        self.glow = drawn.glow;
        match (layer.transparency(), kind(layer)) {
            (Transparency::Mask, _) => {
                let test = layer.alpha_test.unwrap_or(crate::AlphaTest::W3D);
                if matches!(test.compare, Compare::Less | Compare::LessEqual) {
                    self.reader.lose(drawn.index, Loss::InvertedAlphaTest);
                }
                let reference = if test.reference.is_finite() { test.reference.max(0.0) } else { 0.5 };
                self.alpha_mode = AlphaMode::Mask(reference);
            }
            (_, Kind::Opaque) => self.alpha_mode = AlphaMode::Opaque,
            (_, Kind::Alpha) => self.alpha_mode = AlphaMode::Blend,
            (_, kind) => {
                self.alpha_mode = AlphaMode::Blend;
                let picture = Ink { factor: Vec4::ONE, ..self.base.clone() };
                let nothing = Ink::color(Vec4::ZERO);
                if kind == Kind::Multiply {
                    // The factors of the picture cannot be separated: areas that are not drawn stay white, not black.
                    self.bake();
                    let op = Op::Blend(layer.blend);
                    self.base = nothing.clone().combine(op, self.base.clone()).unwrap_or(nothing);
                    if self.color_set.take().is_some() {
                        self.reader.lose(drawn.index, Loss::VertexColors);
                    }
                } else {
                    self.fold = if uses_alpha(layer) { Fold::Brightness } else { Fold::BrightnessOnly };
                    if picture.picture.is_some() {
                        let folded = nothing.combine(Op::Blend(layer.blend), picture);
                        let factor = self.base.factor;
                        self.base = folded.map_or(Ink::color(factor), |folded| Ink { factor, ..folded });
                    }
                }
            }
        }
        if self.splits && self.unlit {
            // Everything so far glows; layers with light come later.
            self.bake();
            let glow = self.base.clone();
            self.base = match self.alpha_mode {
                AlphaMode::Opaque => Ink::black(),
                _ => glow.clone().combine(Op::Multiply, Ink::black()).unwrap_or_else(Ink::black),
            };
            self.add_glow(drawn.index, glow);
        }
    }

    /// Multiplies the picture by the colour and opacity of the live layer, because another layer follows.
    fn bake(&mut self) {
        let Some(layer) = self.live.take().and_then(|index| self.reader.material.layers.get(index)) else {
            return;
        };
        self.base.factor = self.fold.apply(self.base.factor * layer.color.extend(layer.alpha));
        if let Some(glow) = &mut self.glow {
            glow.factor *= layer.color.extend(1.0);
        }
        self.fold = match self.fold {
            Fold::None => Fold::None,
            // From now on the alpha of folded colours is used.
            _ => Fold::Brightness,
        };
    }

    /// A layer over those before it.
    fn draw(&mut self, drawn: Drawn) {
        let material = self.reader.material;
        let Some(layer) = material.layers.get(drawn.index) else { return };
        let index = drawn.index;
        self.bake();
        let tint = layer.color.extend(
            if uses_alpha(layer) || layer.alpha_test.is_some() || kind(layer) == Kind::Alpha {
                layer.alpha
            } else {
                1.0
            },
        );
        let ink = Ink { factor: drawn.base.factor * tint, ..drawn.base };
        let glow = drawn.glow.map(|glow| Ink { factor: glow.factor * layer.color.extend(1.0), ..glow });

        // A reflection below a picture is lost, because the target cannot draw it.
        if self.base.is_reflection() && !ink.is_reflection() {
            self.reader.lose(self.main, Loss::Reflection);
            if self.alpha_mode != AlphaMode::Opaque && self.alpha_mode != AlphaMode::Blend {
                self.alpha_mode = AlphaMode::Opaque;
            }
            self.replace(index, ink, glow, drawn.unlit, drawn.color_set);
            return;
        }
        if ink.is_reflection() {
            self.reader.lose(index, Loss::Reflection);
            return;
        }
        if drawn.color_set.is_some() && drawn.color_set != self.color_set {
            if self.base.picture.is_none() && self.color_set.is_none() && kind(layer) == Kind::Opaque {
                self.color_set = drawn.color_set;
            } else {
                self.reader.lose(index, Loss::VertexColors);
            }
        }
        let has_picture = ink.picture.is_some();
        let was_plain = self.base.picture.is_none();
        let kept = match kind(layer) {
            Kind::Opaque => {
                let reference = layer.alpha_test.map_or(0.0, |test| test.reference);
                self.over(Op::Cut((reference * 255.0).round() as u8), ink, glow)
            }
            Kind::Alpha => self.cover(index, layer, ink, glow, drawn.unlit, drawn.color_set),
            Kind::Add => self.add(index, layer, ink, glow, drawn.unlit),
            Kind::Multiply | Kind::Other => self.over(Op::Blend(layer.blend), ink, glow),
        };
        if !kept {
            self.reader.lose(index, Loss::OtherCoordinates);
        } else if has_picture && was_plain && self.base.picture.is_some() {
            self.main = index;
        }
    }

    /// Starts again with a layer that hides those before it.
    fn replace(&mut self, index: usize, ink: Ink, glow: Option<Ink>, unlit: bool, color_set: Option<u32>) {
        (self.base, self.glow, self.main, self.color_set) = (ink, glow, index, color_set);
        (self.unlit, self.fold) = (unlit, Fold::None);
        self.base.factor.w = 1.0;
    }

    /// Combines a layer with the base alone; also multiplies the glow if the layer multiplies. Returns whether it was
    /// possible.
    fn over(&mut self, op: Op, ink: Ink, glow: Option<Ink>) -> bool {
        let Some(base) = self.base.clone().combine(op, ink.clone()) else { return false };
        self.base = base;
        if let Op::Blend(BlendMode::Modulate | BlendMode::Modulate2x | BlendMode::Multiply) = op {
            self.glow = self.glow.take().map(|glow| glow.clone().combine(op, ink).unwrap_or(glow));
        } else if let Some(glow) = glow {
            self.add_glow(self.main, glow);
        }
        true
    }

    /// Covers what is below by alpha.
    fn cover(
        &mut self,
        index: usize,
        layer: &Layer,
        ink: Ink,
        glow: Option<Ink>,
        unlit: bool,
        color_set: Option<u32>,
    ) -> bool {
        let below = self.base.clone();
        let alpha = Op::Blend(BlendMode::Alpha);
        let changed = if self.splits && unlit {
            below.combine(Op::Hide, ink.clone())
        } else {
            below.combine(alpha, ink.clone())
        };
        let shine =
            self.glow.clone().map_or(Some(None), |glow| glow.combine(Op::Hide, ink.clone()).map(Some));
        let (Some(base), Some(shine)) = (changed, shine) else {
            // The coordinates differ: use the layer that covers most.
            let texture = layer.slot(SlotKind::Diffuse).and_then(|slot| slot.texture);
            let coverage = texture.and_then(self.reader.context.coverage).unwrap_or(1.0);
            if coverage * layer.alpha <= 0.5 {
                return false;
            }
            self.reader.lose(self.main, Loss::OtherCoordinates);
            self.replace(index, ink, glow, unlit, color_set);
            return true;
        };
        (self.base, self.glow) = (base, shine);
        if self.splits && unlit {
            self.add_glow(index, ink.premultiplied());
        } else if let Some(glow) = glow {
            self.add_glow(index, glow);
        }
        true
    }

    /// Adds a layer to those below.
    fn add(&mut self, index: usize, layer: &Layer, ink: Ink, glow: Option<Ink>, unlit: bool) -> bool {
        if let Some(glow) = glow {
            self.add_glow(index, glow);
        }
        let light = if uses_alpha(layer) { ink.clone().premultiplied() } else { ink.clone() };
        let is_opaque = self.alpha_mode == AlphaMode::Opaque;
        if self.splits && unlit {
            return self.try_add_glow(light);
        }
        if self.splits && is_opaque && self.base == Ink::black() {
            // Nothing below is lit, so this is all that light shows.
            (self.base, self.main) = (light, index);
            self.live = None;
            return true;
        }
        let blend = Op::Blend(layer.blend);
        if let Some(base) = self.base.clone().combine(blend, ink) {
            self.base = base;
            return true;
        }
        // A lit layer with other coordinates glows, because that is better than leaving it out. An unlit surface cannot
        // glow.
        !self.unlit && self.alpha_mode != AlphaMode::Blend && self.try_add_glow(light)
    }

    fn add_glow(&mut self, index: usize, light: Ink) {
        if !self.try_add_glow(light) {
            self.reader.lose(index, Loss::OtherCoordinates);
        }
    }

    fn try_add_glow(&mut self, light: Ink) -> bool {
        let sum = match self.glow.clone() {
            Some(glow) if !glow.is_black() => glow.combine(Op::Blend(BlendMode::Add), light),
            _ => Some(light),
        };
        let fits = sum.is_some();
        self.glow = sum.or(self.glow.take());
        fits
    }

    fn finish(&mut self, mesh: (Vec3, f32), visible: bool) -> Surface {
        let plain = Layer::default();
        let layers = &self.reader.material.layers;
        let mut unlit = self.unlit && !self.splits;
        let mut base = self.base.clone();
        let mut glow = self.glow.clone().unwrap_or_else(Ink::black);
        if base == Ink::black() && !glow.is_black() && self.alpha_mode == AlphaMode::Opaque {
            // Nothing is lit.
            (base, glow, unlit) = (glow, Ink::black(), true);
        }
        let alpha_mode = match self.alpha_mode {
            AlphaMode::Opaque if mesh.1 < FADES => AlphaMode::Blend,
            mode => mode,
        };
        let tint = Tint { constant: base.factor, layer: self.live, fold: self.fold };
        let main = layers.get(self.main).unwrap_or(&plain);
        let live = self.live.and_then(|index| layers.get(index)).unwrap_or(&plain);
        let mut emissive = glow.factor.truncate() * mesh.0;
        if self.live.is_some() {
            emissive *= live.color;
        }
        Surface {
            layer: self.main,
            base: Paint {
                factor: tint.factor((live.color, live.alpha), mesh),
                picture: base.picture,
                coordinates: base.coordinates,
            },
            emissive: Paint {
                factor: emissive.extend(1.0),
                picture: glow.picture,
                coordinates: glow.coordinates,
            },
            alpha_mode,
            unlit,
            two_sided: main.two_sided,
            vertex_colors: self.color_set.map(|set| VertexColors { set, fold: self.fold }),
            visible,
            tint,
            dropped: std::mem::take(&mut self.reader.dropped),
        }
    }
}
