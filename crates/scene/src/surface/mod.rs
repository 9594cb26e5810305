//! One surface for a whole stack of layers, for targets that have only one (glTF, OBJ).
//!
//! [`surface`] reads the layers of a material from the bottom up, as the games draw them, and computes the base colour,
//! the emissive colour and the alpha mode of a single surface. It is exact where that is possible:
//!
//! | layers | surface |
//! |---|---|
//! | one layer | its texture, colour and opacity |
//! | unlit, then a lit one added (night buildings) | base = second, emissive = first |
//! | lit, then an unlit one added | base = first, emissive = second |
//! | black diffuse colour and an emissive colour | unlit, base = emissive |
//! | lit or unlit alike, same coordinates | the pictures composited with the layers' blend modes |
//! | lit and unlit, blended by alpha, same coordinates | base and emissive picture, each by its share |
//! | player's colour or no texture below | the same, as a colour agrees with any coordinates |
//! | a layer that covers everything below | that layer |
//! | a reflection below an alpha-blended picture | base = the picture, opaque |
//! | added or multiplied to the background | a picture with alpha that looks alike |
//! | different coordinates | the layer that covers most; the other is [`Dropped`] |
//!
//! ```
//! use meshwright_scene::{surface::{Composite, Context, surface}, *};
//!
//! // A night building: the windows shine in an unlit pass, the walls are added by a lit one.
//! let slot = |id| TextureSlot { texture: Some(TextureId(id)), ..TextureSlot::default() };
//! let windows = Layer { unlit: true, slots: vec![slot(0)], ..Layer::default() };
//! let walls = Layer { blend: BlendMode::Add, slots: vec![slot(1)], ..Layer::default() };
//! let material = Material { layers: vec![windows, walls], ..Material::default() };
//!
//! let textures = [Texture::default(), Texture::default()];
//! let surface = surface(&material, &Context { textures: &textures, ..Context::default() });
//! assert_eq!(surface.base.picture, Some(Composite::Texture(TextureId(1))));
//! assert_eq!(surface.emissive.picture, Some(Composite::Texture(TextureId(0))));
//! assert!(surface.dropped.is_empty() && !surface.unlit);
//! ```

mod composite;
mod ink;
mod stack;

pub use composite::{Composite, Mix, Op};
use ink::is_generated;
pub use stack::surface;

use crate::color::added_light;
use crate::{Mesh, Texture, TextureId, UvMapper};
use glam::{Vec3, Vec4};
use std::fmt;

/// Input of [`surface`] besides the material.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// [`Scene::textures`](crate::Scene::textures).
    pub textures: &'a [Texture],
    /// The mesh that uses the material: its colour, its opacity, and its sets of coordinates and vertex colours. Without
    /// it, the mesh is white and has all of them.
    pub mesh: Option<&'a Mesh>,
    /// The mean alpha of a texture (1 if it is unknown); `None` if its file was not found. If no textures are wanted,
    /// return 1 for each.
    pub coverage: &'a dyn Fn(TextureId) -> Option<f32>,
    /// The player's colour. Without one, that of Warcraft III's first player is used, and W3D's house colours stay as in
    /// the file.
    pub team_color: Option<[u8; 3]>,
}

impl Default for Context<'_> {
    /// White mesh, all textures found, no player's colour.
    fn default() -> Self {
        Self { textures: &[], mesh: None, coverage: &|_| Some(1.0), team_color: None }
    }
}

impl Context<'_> {
    fn player(&self) -> [u8; 3] {
        self.team_color.unwrap_or(crate::team_color::WARCRAFT[0].color)
    }
}

/// The look of a material as a single surface. Colours are as in the source, not linearised.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Index of the layer that the surface mainly shows. The surface uses its normal map, ORM texture and texture
    /// animation.
    pub layer: usize,
    /// Base colour and its texture. The alpha of both is used unless the surface is opaque.
    pub base: Paint,
    /// Emitted light, not multiplied by vertex colours. Black if there is none. A factor above 1 is a gain.
    pub emissive: Paint,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Light has no effect.
    pub unlit: bool,
    /// Both sides of a triangle show.
    pub two_sided: bool,
    /// Vertex colours that multiply the base colour.
    pub vertex_colors: Option<VertexColors>,
    /// Whether anything is visible. An invisible surface still has its other properties.
    pub visible: bool,
    /// The colours and opacities in the base factor, for animating it.
    pub tint: Tint,
    /// The losses, in the order of layers.
    pub dropped: Vec<Dropped>,
}

/// A factor and the picture that it multiplies.
#[derive(Clone, Debug, PartialEq)]
pub struct Paint {
    /// Red to alpha.
    pub factor: Vec4,
    /// The picture. Without one, the factor alone is used.
    pub picture: Option<Composite>,
    /// Coordinates of the picture.
    pub coordinates: Coordinates,
}

impl Surface {
    /// The emissive paint for a target that adds linear light: with it, the surface at full light looks as if [`emissive`](Self::emissive)
    /// were added in the space of the textures, as in the games. The same number as linear light would be too dim.
    ///
    /// It stays as it is if the pictures have different coordinates, if vertex colours change the base, or if it is brighter than one.
    #[must_use]
    pub fn added_light(&self) -> Paint {
        let Self { base, emissive, .. } = self;
        let (lit, own) = (base.factor.truncate(), emissive.factor.truncate());
        let is_plain = own == Vec3::ZERO || lit == Vec3::ZERO;
        if self.unlit || self.vertex_colors.is_some() || is_plain || own.max_element() > 1.0 {
            return emissive.clone();
        }
        let has_both = base.picture.is_some() && emissive.picture.is_some();
        if base.picture == emissive.picture && (!has_both || base.coordinates == emissive.coordinates) {
            // The light of a product is nearly the product of the light of both.
            let light = |at: usize| added_light(lit[at], own[at]);
            return Paint { factor: Vec3::new(light(0), light(1), light(2)).extend(1.0), ..emissive.clone() };
        }
        if has_both && base.coordinates != emissive.coordinates {
            return emissive.clone();
        }
        let whole = |paint: &Paint, factor: Vec3| match &paint.picture {
            Some(picture) if factor == Vec3::ONE => picture.clone(),
            Some(picture) => {
                Composite::mix(Op::Multiply, picture.clone(), Composite::color(factor.extend(1.0)))
            }
            None => Composite::color(factor.extend(1.0)),
        };
        let picture = Composite::mix(Op::AddedLight, whole(base, lit), whole(emissive, own));
        let coordinates = if base.picture.is_some() { &base.coordinates } else { &emissive.coordinates };
        Paint { factor: Vec4::ONE, picture: Some(picture), coordinates: coordinates.clone() }
    }
}

/// Texture coordinates: two pictures can be composited if theirs are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates {
    /// Index into [`Mesh::uv_sets`](crate::Mesh::uv_sets).
    pub uv_set: u32,
    /// Transform of the coordinates.
    pub mapper: UvMapper,
    /// [`Layer::uv_animation`](crate::Layer::uv_animation).
    pub animation: Option<u32>,
}

/// How a surface uses alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// A texel shows if its alpha is at least this.
    Mask(f32),
    /// Alpha is the share of the background that it covers.
    Blend,
}

/// Vertex colours of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexColors {
    /// Index into [`Mesh::color_sets`](crate::Mesh::color_sets).
    pub set: u32,
    /// How brightness becomes alpha.
    pub fold: Fold,
}

/// How brightness becomes alpha. An additive surface has to be transparent where it is dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The colour stays.
    #[default]
    None,
    /// The brightest channel becomes a factor of alpha, and the colour is divided by it. `color · alpha` stays the same.
    Brightness,
    /// The same, but the source ignores its alpha (blend mode one, one).
    BrightnessOnly,
}

impl Fold {
    /// The folded colour.
    #[must_use]
    pub fn apply(self, color: Vec4) -> Vec4 {
        let brightness = color.truncate().max_element();
        let alpha = match self {
            Self::None => return color,
            Self::Brightness => color.w * brightness,
            Self::BrightnessOnly => brightness,
        };
        let divided = if brightness > 0.0 { color.truncate() / brightness } else { Vec3::ONE };
        divided.extend(alpha)
    }

    /// The folded vertex colour.
    #[must_use]
    pub fn apply_bytes(self, color: [u8; 4]) -> [u8; 4] {
        match self {
            Self::None => color,
            _ => (self.apply(Vec4::from(color.map(f32::from)) / 255.0) * 255.0)
                .round()
                .to_array()
                .map(|part| part as u8),
        }
    }
}

/// The parts of the base factor, to follow animated colours and opacities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    /// The constant part.
    pub constant: Vec4,
    /// The layer whose [`color`](crate::Layer::color) and [`alpha`](crate::Layer::alpha) are in the factor. Without one, they
    /// are in the picture, and only the mesh's are in the factor.
    pub layer: Option<usize>,
    /// How brightness of the product becomes alpha.
    pub fold: Fold,
}

impl Tint {
    /// The base factor for these colours and opacities of the layer and the mesh.
    #[must_use]
    pub fn factor(&self, layer: (Vec3, f32), mesh: (Vec3, f32)) -> Vec4 {
        let layer = if self.layer.is_some() { layer } else { (Vec3::ONE, 1.0) };
        let color = self.constant * (layer.0 * mesh.0).extend(layer.1 * mesh.1);
        self.fold.apply(color.max(Vec4::ZERO))
    }
}

/// A loss: a property of a material that the surface does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dropped {
    /// Index of the layer.
    pub layer: usize,
    /// The kind of loss.
    pub loss: Loss,
}

/// The kind of a [`Dropped`] loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// A blended layer whose texture was not found: it is invisible.
    MissingTexture,
    /// A texture whose coordinates come from the view.
    Reflection,
    /// A picture whose coordinates differ from those of the picture it is combined with.
    OtherCoordinates,
    /// A detail texture whose coordinates differ from those of the layer's first texture.
    DetailCoordinates,
    /// A texture that changes light or reflections and has no colours.
    BumpMap,
    /// Vertex colours of one layer among several, or of a layer that multiplies the background.
    VertexColors,
    /// An alpha test that keeps transparent texels.
    InvertedAlphaTest,
    /// A layer above the maximum number of combined layers.
    TooManyLayers,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.loss {
            Loss::MissingTexture => "is invisible: its texture was not found",
            Loss::Reflection => "is a reflection, which cannot be expressed",
            Loss::OtherCoordinates => {
                "was dropped: its texture coordinates differ from those of the other layers"
            }
            Loss::DetailCoordinates => {
                "lost its detail texture: its coordinates differ from those of the first"
            }
            Loss::BumpMap => "has a bump map, which cannot be expressed",
            Loss::VertexColors => "lost its vertex colours",
            Loss::TooManyLayers => "was dropped: there are too many layers below it",
            Loss::InvertedAlphaTest => "has an inverted alpha test, which cannot be expressed",
        };
        write!(f, "layer {} {what}", self.layer)
    }
}
