//! Pictures made from other pictures, texel by texel.
//!
//! All arithmetic is in the colour space of the textures (gamma), as in the games (docs/formats/rendering.md#w3d-passes).

use crate::{BlendFactor, BlendMode, Combine, TextureId};
use glam::{Vec3, Vec4};

/// A picture: a texture, a single colour, or two pictures combined texel by texel.
///
/// It is hashable, so that a writer can make each picture once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Composite {
    /// An unchanged texture.
    Texture(TextureId),
    /// The same colour everywhere, red to alpha.
    Color([u8; 4]),
    /// Two pictures combined. All textures in it have the same coordinates; scale smaller ones to the size of the largest.
    Mix(Box<Mix>),
}

/// Two pictures and how they are combined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mix {
    /// The operation.
    pub op: Op,
    /// The first operand, drawn first.
    pub under: Composite,
    /// The second operand, drawn over the first.
    pub over: Composite,
}

/// How the texels of two pictures are combined. Alpha is the share of the background that a texel hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `under · over` in all four channels.
    Multiply,
    /// Draws `over` with a blend mode.
    Blend(BlendMode),
    /// Draws `over` where its alpha reaches this reference; elsewhere `under` stays.
    Cut(u8),
    /// `under · (1 - alpha of over)`: what remains visible below an alpha-blended picture. The alpha of `under` stays.
    Hide,
    /// A W3D texture stage: `over` is the second texture.
    Stage(Combine, Combine),
    /// The light that has to be added to `under` so that it looks as if `over` were added to it, for targets that add linear light.
    AddedLight,
    /// Multiplies `under` by this colour where the alpha of `over` says so: `under · mix(1, color, alpha)`.
    Tint([u8; 3]),
}

impl Composite {
    /// Black everywhere.
    pub(super) const BLACK: Self = Self::Color([0, 0, 0, 255]);

    /// The texture, if the picture is one unchanged texture.
    #[must_use]
    pub const fn as_texture(&self) -> Option<TextureId> {
        match self {
            Self::Texture(id) => Some(*id),
            _ => None,
        }
    }

    /// The number of textures and colours in it.
    #[must_use]
    pub fn parts(&self) -> usize {
        match self {
            Self::Texture(_) | Self::Color(_) => 1,
            Self::Mix(mix) => mix.under.parts() + mix.over.parts(),
        }
    }

    /// All textures in the picture, each once, in drawing order.
    #[must_use]
    pub fn textures(&self) -> Vec<TextureId> {
        let mut found = Vec::new();
        self.collect_textures(&mut found);
        found
    }

    fn collect_textures(&self, found: &mut Vec<TextureId>) {
        match self {
            Self::Texture(id) if !found.contains(id) => found.push(*id),
            Self::Texture(_) | Self::Color(_) => {}
            Self::Mix(mix) => {
                mix.under.collect_textures(found);
                mix.over.collect_textures(found);
            }
        }
    }

    /// One texel of the picture, red to alpha from 0 to 1. `texel` returns the texel of a texture at the same place.
    #[must_use]
    pub fn texel(&self, texel: &dyn Fn(TextureId) -> Vec4) -> Vec4 {
        match self {
            Self::Texture(id) => texel(*id),
            Self::Color(color) => Vec4::from(color.map(f32::from)) / 255.0,
            Self::Mix(mix) => mix.op.apply(mix.under.texel(texel), mix.over.texel(texel)),
        }
    }

    pub(super) fn mix(op: Op, under: Self, over: Self) -> Self {
        Self::Mix(Box::new(Mix { op, under, over }))
    }

    pub(super) fn color(color: Vec4) -> Self {
        Self::Color((color.clamp(Vec4::ZERO, Vec4::ONE) * 255.0).round().to_array().map(|part| part as u8))
    }
}

impl Op {
    /// Two texels combined; the result is within 0 to 1.
    #[must_use]
    pub fn apply(self, under: Vec4, over: Vec4) -> Vec4 {
        let result = match self {
            Self::Multiply => under * over,
            Self::Blend(mode) => blend(mode, under, over),
            Self::Cut(reference) => {
                if over.w * 255.0 >= f32::from(reference) - 0.5 {
                    over.truncate().extend(1.0)
                } else {
                    under
                }
            }
            Self::Hide => (under.truncate() * (1.0 - over.w)).extend(under.w),
            Self::Stage(color, alpha) => stage(color, alpha, under, over),
            Self::AddedLight => {
                let light = |under: f32, over: f32| crate::color::added_light(under, over);
                Vec4::new(light(under.x, over.x), light(under.y, over.y), light(under.z, over.z), 1.0)
            }
            Self::Tint(tint) => {
                let tint = Vec3::from(tint.map(f32::from)) / 255.0;
                (under.truncate() * Vec3::ONE.lerp(tint, over.w)).extend(under.w)
            }
        };
        result.clamp(Vec4::ZERO, Vec4::ONE)
    }
}

/// Draws a texel over another that may be transparent.
///
/// The exact result for a background W is `added + kept · (under + W · open)`, where `open` is the visible share of W. A
/// picture with alpha can only express `color · alpha + W · (1 - alpha)`. So all channels get the same share of W, and
/// alpha is raised until the colour fits. Over a fully opaque texel the result is exact.
fn blend(mode: BlendMode, under: Vec4, over: Vec4) -> Vec4 {
    let (source, alpha) = (over.truncate(), over.w);
    let below = under.truncate() * under.w;
    let by_source = |factor: BlendFactor| match factor {
        BlendFactor::Zero | BlendFactor::OneMinusDestinationAlpha => Vec3::ZERO,
        // The frame buffers of these games have no alpha, which reads as 1.
        BlendFactor::One | BlendFactor::DestinationAlpha => Vec3::ONE,
        BlendFactor::SourceColor => source,
        BlendFactor::OneMinusSourceColor => 1.0 - source,
        BlendFactor::SourceAlpha => Vec3::splat(alpha),
        BlendFactor::OneMinusSourceAlpha => Vec3::splat(1.0 - alpha),
        BlendFactor::DestinationColor => below,
        BlendFactor::OneMinusDestinationColor => 1.0 - below,
    };
    let (source_factor, destination_factor) = mode.factors();
    let mut kept = by_source(destination_factor);
    let added = match source_factor {
        // `source · destination` keeps the destination by the source's colour.
        BlendFactor::DestinationColor => {
            kept += source;
            Vec3::ZERO
        }
        BlendFactor::OneMinusDestinationColor => {
            kept -= source;
            source
        }
        factor => source * by_source(factor),
    };
    let kept = kept.max(Vec3::ZERO);
    let open = 1.0 - under.w;
    let mut color = added + kept * below;
    let shown = if added == Vec3::ZERO {
        // Multiplied: exact over a white background, and for grey textures over any. Brightening is halved: it
        // can only be approximated by adding white.
        let least = kept.min_element().min(1.0);
        color += ((kept.min(Vec3::ONE) - least) + (kept - 1.0).max(Vec3::ZERO) * 0.5) * open;
        least
    } else {
        kept.element_sum() / 3.0
    };
    let cover = (1.0 - open * shown.clamp(0.0, 1.0)).max(color.max_element()).clamp(0.0, 1.0);
    if cover > 0.0 { (color / cover).extend(cover) } else { Vec4::ZERO }
}

/// W3D's detail functions (docs/formats/rendering.md#w3d-passes). `first` is the result of the first stage, `second` the second texture.
fn stage(color: Combine, alpha: Combine, first: Vec4, second: Vec4) -> Vec4 {
    let (c, t) = (first.truncate(), second.truncate());
    let rgb = match color {
        Combine::Disable => c,
        Combine::Detail => t,
        Combine::Scale => t * c,
        Combine::InverseScale => t + c - t * c,
        Combine::Add => t + c,
        Combine::Subtract => t - c,
        Combine::SubtractReversed => c - t,
        Combine::Blend => t * second.w + c * (1.0 - second.w),
        Combine::DetailBlend => t * first.w + c * (1.0 - first.w),
        Combine::AddSigned => t + c - 0.5,
        Combine::AddSigned2x => (t + c - 0.5) * 2.0,
        Combine::Scale2x => t * c * 2.0,
        Combine::ModulateAlphaAddColor => c + t * first.w,
    };
    let (a, b) = (first.w, second.w);
    let alpha = match alpha {
        Combine::Detail => b,
        Combine::Scale => a * b,
        Combine::InverseScale => a + b - a * b,
        // Only these three exist for alpha.
        _ => a,
    };
    rgb.extend(alpha)
}
