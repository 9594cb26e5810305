//! Draw calls. A renderer of draw calls needs no knowledge of models.

use glam::{Mat4, Vec2, Vec3, Vec4};
use scene::{
    AlphaTest, BlendFactor, Combine, Compare, EmitterId, EventId, MeshId, RibbonId, TextureId, Wrap,
};
use std::ops::Range;

/// Everything that is drawn at one moment, in the order in which it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The camera.
    pub camera: Camera,
    /// The vertices of all draw calls, in world space, after skinning.
    pub vertices: Vec<Vertex>,
    /// Indices into [`vertices`](Self::vertices).
    pub indices: Vec<u32>,
    /// Draw calls in drawing order.
    pub draws: Vec<Draw>,
    /// Light for programs that light each pixel. For other programs the light is in [`Vertex::color`].
    pub lights: Lights,
}

/// A camera as two matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Camera {
    /// From world space to view space: right-handed, X right, Y up, looking along -Z.
    pub view: Mat4,
    /// From view space to clip space; depth 0 (near) to 1 (far).
    pub projection: Mat4,
    /// Position in world space.
    pub position: Vec3,
}

/// A vertex, ready to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Position in world space.
    pub position: Vec3,
    /// Normal in world space, for programs that light each pixel.
    pub normal: Vec3,
    /// Tangent in world space, for programs with a normal map: x of the map points along it, y along
    /// `cross(normal, tangent) · w`.
    pub tangent: Vec4,
    /// Lit colour and opacity, clamped to 0 to 1 before interpolation, as in the old engines.
    pub color: Vec4,
    /// Colour that is added after texturing ([`Fixed::add_specular`]).
    pub specular: Vec3,
    /// Texture coordinates of the first and the second stage, v downwards, after mappers and texture animation.
    pub uv: [Vec2; 2],
}

/// One draw call.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The part of the scene that it shows.
    pub source: Source,
    /// Triangles or lines.
    pub topology: Topology,
    /// Range of [`Frame::indices`].
    pub indices: Range<u32>,
    /// Blend factors: `source · first + destination · second`, in gamma space. One and zero turn blending off.
    pub blend: (BlendFactor, BlendFactor),
    /// Alpha test of the final alpha, before blending. Pixels that fail it are not drawn.
    pub alpha_test: Option<AlphaTest>,
    /// Depth test. Pixels that fail it are not drawn.
    pub depth_test: Compare,
    /// Whether pixels are written to the depth buffer.
    pub depth_write: bool,
    /// Whether triangles that are clockwise on the screen are skipped.
    pub cull: bool,
    /// Program that computes the colour of a pixel.
    pub program: Program,
}

/// The part of the scene that a draw call shows, for tests, overlays and picking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A layer of a mesh, by its index in the material; 0 for programs that draw a whole material at once.
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
    /// A ring or a sphere, by its index in the scene.
    Primitive(u32),
    /// A dazzle, by its index in the scene.
    Dazzle(u32),
    /// The marker of an event.
    Event(EventId),
    /// Overlay lines: grid, bones, extents and others.
    Overlay,
}

/// Geometry of a draw call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Triangles of three indices.
    #[default]
    Triangles,
    /// Lines of two indices, one pixel wide.
    Lines,
}

/// Program that computes the colour of a pixel.
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
    /// How `D` and `T0` are combined.
    pub gradient: Gradient,
    /// The second stage, with `uv[1]`.
    pub detail: Option<Detail>,
    /// Whether [`Vertex::specular`] is added at the end.
    pub add_specular: bool,
}

/// How the vertex colour and the first texture are combined.
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
    /// `D`: the first texture only offsets the coordinates of the second.
    Bump,
    /// `4 · Σ (T0 - 1/2)(D - 1/2)` over red, green and blue, in all three (Renegade); alpha is the product.
    DotProduct,
}

/// The second stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// `T1`.
    pub texture: Sampler,
    /// How its colour is combined with the result of the first stage.
    pub color: Combine,
    /// How its alpha is combined with that of the first stage.
    pub alpha: Combine,
    /// With [`Gradient::Bump`]: the matrix, row by row, that maps (du, dv) of the first texture to an offset of these
    /// coordinates.
    pub bump: [f32; 4],
}

/// A texture and its sampler settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// The picture.
    pub picture: PictureId,
    /// Wrapping along u and v.
    pub wrap: [Wrap; 2],
    /// Whether mipmaps are used.
    pub mipmaps: bool,
}

/// A picture that a draw call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PictureId {
    /// The picture of a texture of the scene; [`Missing`](Self::Missing) if it could not be found.
    Texture(TextureId),
    /// White, opaque.
    White,
    /// A magenta checker, for missing textures.
    Missing,
    /// A pale checker, for textures that only the game can supply: cliffs, trees, skins of creatures.
    Replaceable,
    /// The player colour.
    TeamColor,
    /// A glow in the player colour, brightest at the centre.
    TeamGlow,
    /// A white glow, for dazzles.
    Glow,
}

/// BFME's `NormalMapped.fx`, lit per pixel in gamma space (docs/formats/rendering.md#w3d-effects).
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

/// A Reforged HD material, lit per pixel in linear space and encoded as sRGB before blending.
#[derive(Clone, Debug, PartialEq)]
pub struct Hd {
    /// Albedo, sRGB.
    pub albedo: Option<Sampler>,
    /// Normal map: x in red times alpha, y in green and downwards.
    pub normal: Option<Sampler>,
    /// Occlusion, roughness and metalness; the mask of the player colour in alpha.
    pub orm: Option<Sampler>,
    /// Emitted light, sRGB.
    pub emissive: Option<Sampler>,
    /// Texture of the player colour.
    pub team: Option<Sampler>,
    /// Factor of the emissive texture.
    pub emissive_gain: f32,
    /// Glow at grazing angles: colour and strength.
    pub fresnel: Vec4,
    /// Whether light has no effect: albedo and emitted light are shown as stored.
    pub unlit: bool,
}

/// Light for programs that light each pixel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lights {
    /// Ambient light.
    pub ambient: Vec3,
    /// Directional lights: the direction towards the light (unit length) and its colour.
    pub directional: Vec<(Vec3, Vec3)>,
}
