//! The draw calls of a frame. Whoever draws them needs to know nothing about models.

use glam::{Mat4, Vec2, Vec3, Vec4};
use scene::{
    AlphaTest, BlendFactor, Combine, Compare, EmitterId, EventId, MeshId, RibbonId, TextureId, Wrap,
};
use std::ops::Range;

/// Everything that is drawn at one moment, in the order in which it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// From where.
    pub camera: Camera,
    /// The vertices of all draw calls, in world space, after skinning.
    pub vertices: Vec<Vertex>,
    /// Places in [`vertices`](Self::vertices).
    pub indices: Vec<u32>,
    /// What is drawn, first to last.
    pub draws: Vec<Draw>,
    /// Light for the programs that light each pixel. The other programs find their light in [`Vertex::color`].
    pub lights: Lights,
}

/// A camera as two matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Camera {
    /// From world space to view space: right-handed, X right, Y up, looking along -Z.
    pub view: Mat4,
    /// From view space to clip space; depth 0 (near) to 1 (far).
    pub projection: Mat4,
    /// Where it stands, in world space.
    pub position: Vec3,
}

/// A vertex, ready to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// In world space.
    pub position: Vec3,
    /// In world space; used by programs that light each pixel.
    pub normal: Vec3,
    /// In world space; used by programs with a normal map: x of the map is along it, y is along
    /// `cross(normal, tangent) · w`.
    pub tangent: Vec4,
    /// The lit colour and the opacity, each clamped to 0 to 1, as the old engines do before they interpolate.
    pub color: Vec4,
    /// Added after the textures ([`Fixed::add_specular`]).
    pub specular: Vec3,
    /// Texture coordinates of the first and the second stage, v downwards, after mappers and texture animation.
    pub uv: [Vec2; 2],
}

/// One draw call.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// What it shows.
    pub source: Source,
    /// What the indices make.
    pub topology: Topology,
    /// Its stretch of [`Frame::indices`].
    pub indices: Range<u32>,
    /// `source · first + destination · second`, in gamma space; (one, zero) replaces.
    pub blend: (BlendFactor, BlendFactor),
    /// Pixels that fail it are not drawn. It is applied to the final alpha, before blending.
    pub alpha_test: Option<AlphaTest>,
    /// Pixels whose depth fails against the depth buffer are not drawn.
    pub depth_test: Compare,
    /// Drawn pixels enter the depth buffer.
    pub depth_write: bool,
    /// Triangles that are clockwise on screen are not drawn.
    pub cull: bool,
    /// How a pixel gets its colour.
    pub program: Program,
}

/// What a draw call shows, for tests, overlays and picking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A layer of a mesh, by its place in the material; programs that draw a whole material at once have layer 0.
    Mesh {
        /// The mesh.
        mesh: MeshId,
        /// The layer.
        layer: u32,
    },
    /// Particles.
    Emitter(EmitterId),
    /// A ribbon.
    Ribbon(RibbonId),
    /// A ring or a sphere, by its place in the scene.
    Primitive(u32),
    /// A dazzle, by its place in the scene.
    Dazzle(u32),
    /// The marker of an event.
    Event(EventId),
    /// Grid, bones, extents and other help lines.
    Overlay,
}

/// What indices make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Three indices each.
    #[default]
    Triangles,
    /// Two indices each, one pixel wide.
    Lines,
}

/// How a pixel gets its colour.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// The texture stages of the old engines, in gamma space.
    Fixed(Fixed),
    /// BFME's `NormalMapped.fx`.
    NormalMapped(NormalMapped),
    /// Warcraft III: Reforged's HD materials.
    Hd(Hd),
}

/// One or two texture stages. `D` is [`Vertex::color`], `T0` and `T1` are the textures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixed {
    /// `T0`; without it the colour is `D` alone.
    pub texture: Option<Sampler>,
    /// How `D` meets `T0`.
    pub gradient: Gradient,
    /// The second stage, with `uv[1]`.
    pub detail: Option<Detail>,
    /// [`Vertex::specular`] is added at the end.
    pub add_specular: bool,
}

/// How the colour of the vertices meets the first texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gradient {
    /// `T0`, alpha too.
    Disable,
    /// `T0 · D`.
    #[default]
    Modulate,
    /// `T0 + D`; alpha is the product.
    Add,
    /// `2 · T0 · D`; alpha is the product, once.
    Modulate2x,
    /// `D`: the first texture only moves the coordinates of the second.
    Bump,
    /// `4 · Σ (T0 - 1/2)(D - 1/2)` over red, green and blue, in all three (Renegade); alpha is the product.
    DotProduct,
}

/// The second stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// `T1`.
    pub texture: Sampler,
    /// How its colour meets the result of the first stage.
    pub color: Combine,
    /// How its alpha meets the alpha of the first stage.
    pub alpha: Combine,
    /// With [`Gradient::Bump`]: the matrix by which the first texture's (du, dv) move these coordinates, row by row.
    pub bump: [f32; 4],
}

/// A picture and how it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// The picture.
    pub picture: PictureId,
    /// What is beyond the left and right edge, and beyond the top and bottom edge.
    pub wrap: [Wrap; 2],
    /// Smaller levels are used where the picture is shown smaller than it is.
    pub mipmaps: bool,
}

/// A picture that a draw call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PictureId {
    /// The picture of a texture of the scene; [`Missing`](Self::Missing) if it could not be found.
    Texture(TextureId),
    /// White, opaque.
    White,
    /// A loud checker, for textures that are missing.
    Missing,
    /// A quiet checker, for textures that only the game can supply: cliffs, trees, skins of creatures.
    Replaceable,
    /// The player's colour.
    TeamColor,
    /// The player's glow: brightest in the middle.
    TeamGlow,
    /// A white glow, for dazzles.
    Glow,
}

/// BFME's `NormalMapped.fx`, lit for each pixel, in gamma space (rendering of BFME II, 1.8 of our notes).
#[derive(Clone, Debug, PartialEq)]
pub struct NormalMapped {
    /// `DiffuseTexture`.
    pub diffuse: Option<Sampler>,
    /// `NormalMap`.
    pub normal: Option<Sampler>,
    /// `BumpScale`.
    pub bump_scale: f32,
    /// `SpecularExponent`.
    pub exponent: f32,
    /// `AmbientColor`.
    pub ambient_color: Vec3,
    /// `DiffuseColor`.
    pub diffuse_color: Vec3,
    /// `SpecularColor`.
    pub specular_color: Vec3,
}

/// A Reforged HD material, lit for each pixel in linear space and encoded as sRGB before it is blended.
#[derive(Clone, Debug, PartialEq)]
pub struct Hd {
    /// Colour of the surface, sRGB.
    pub albedo: Option<Sampler>,
    /// Normals: x in red times alpha, y in green, downwards.
    pub normal: Option<Sampler>,
    /// Occlusion, roughness, metal, and the mask of the player's colour in alpha.
    pub orm: Option<Sampler>,
    /// Light of its own, sRGB.
    pub emissive: Option<Sampler>,
    /// The player's colour, or whatever takes its place.
    pub team: Option<Sampler>,
    /// A factor of the emissive picture.
    pub emissive_gain: f32,
    /// Glow at grazing angles: colour and strength.
    pub fresnel: Vec4,
    /// No light falls on it: albedo and emissive picture as they are.
    pub unlit: bool,
}

/// Light for the programs that light each pixel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lights {
    /// From everywhere.
    pub ambient: Vec3,
    /// From one direction each: towards the light (unit length) and its colour.
    pub directional: Vec<(Vec3, Vec3)>,
}
