//! One surface for a whole stack of layers, for targets that have only one (glTF, OBJ).
//!
//! [`surface`] reads the layers of a material from the bottom up, as the games draw them, and says what a target with a base
//! colour, an emissive colour and an alpha mode has to show. It is exact where that is possible:
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

use crate::{Mesh, Texture, TextureId, UvMapper};
use glam::{Vec3, Vec4};
use std::fmt;

/// What [`surface`] has to know besides the material.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// [`Scene::textures`](crate::Scene::textures).
    pub textures: &'a [Texture],
    /// The mesh on which the material is used: its colour, its opacity, and which coordinates and vertex colours it has.
    /// Without it, the mesh is white and has all of them.
    pub mesh: Option<&'a Mesh>,
    /// The mean alpha of a texture (1 if that is unknown), or nothing if its file was not found. Where no textures are wanted
    /// at all, return 1 for each.
    pub coverage: &'a dyn Fn(TextureId) -> Option<f32>,
    /// The player's colour. Without one, Warcraft III's first player's is taken, and W3D's house colours stay as in the file.
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
    /// The layer that the surface mainly shows, by its place in the material: its normal map, ORM texture and texture animation
    /// are the surface's.
    pub layer: usize,
    /// Base colour and its texture. The alpha of both counts unless the surface is opaque.
    pub base: Paint,
    /// Light of its own, not multiplied by vertex colours. Black if there is none. A factor above 1 is a gain.
    pub emissive: Paint,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Light has no effect.
    pub unlit: bool,
    /// Both sides of a triangle show.
    pub two_sided: bool,
    /// Vertex colours that multiply the base colour.
    pub vertex_colors: Option<VertexColors>,
    /// Whether anything shows at all. An invisible surface still says what it would look like.
    pub visible: bool,
    /// Which colours and opacities are in the base factor, for animating it.
    pub tint: Tint,
    /// What could not be kept, in the order of layers.
    pub dropped: Vec<Dropped>,
}

/// A factor and the picture that it multiplies.
#[derive(Clone, Debug, PartialEq)]
pub struct Paint {
    /// Red to alpha.
    pub factor: Vec4,
    /// Without one, the factor alone.
    pub picture: Option<Composite>,
    /// Where the picture lies.
    pub coordinates: Coordinates,
}

/// Texture coordinates: two pictures can be composited if theirs are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates {
    /// The place in [`Mesh::uv_sets`](crate::Mesh::uv_sets).
    pub uv_set: u32,
    /// What happens to them.
    pub mapper: UvMapper,
    /// [`Layer::uv_animation`](crate::Layer::uv_animation).
    pub animation: Option<u32>,
}

/// How a surface uses alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Not at all.
    #[default]
    Opaque,
    /// A texel shows if its alpha is at least this.
    Mask(f32),
    /// It covers the background by its alpha.
    Blend,
}

/// Vertex colours of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexColors {
    /// The place in [`Mesh::color_sets`](crate::Mesh::color_sets).
    pub set: u32,
    /// What happens to them.
    pub fold: Fold,
}

/// How brightness becomes alpha: an additive surface has to be transparent where it is dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The colour stays.
    #[default]
    None,
    /// The brightest channel becomes a factor of alpha, and the colour is divided by it. `color · alpha` stays the same.
    Brightness,
    /// The same, but the alpha was not used before (blend mode one, one).
    BrightnessOnly,
}

impl Fold {
    /// A colour folded.
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

    /// A vertex colour folded.
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

/// What the base factor is made of, to follow animated colours and opacities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    /// The part that never changes.
    pub constant: Vec4,
    /// The layer whose [`color`](crate::Layer::color) and [`alpha`](crate::Layer::alpha) are in the factor. Without one, they
    /// are in the picture, and only the mesh's are in the factor.
    pub layer: Option<usize>,
    /// What happens to the product.
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

/// Something of a material that the surface does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dropped {
    /// The layer it was in.
    pub layer: usize,
    /// What was lost.
    pub loss: Loss,
}

/// What a [`Dropped`] layer lost.
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
    /// A texture that changes how light or a reflection falls, instead of having colours.
    BumpMap,
    /// Vertex colours of one layer among several, or of a layer that multiplies the background.
    VertexColors,
    /// An alpha test that keeps transparent texels.
    InvertedAlphaTest,
    /// A layer above more layers than are combined.
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
