//! Materials: ordered layers, how they blend, and the textures in them.

use crate::{TextureId, UvMapper};
use glam::{Vec3, Vec4};

/// How a surface looks: layers drawn one over the other, the first at the bottom.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Material {
    /// Name in the source file, often empty.
    pub name: String,
    /// Layers, the bottom one first.
    pub layers: Vec<Layer>,
    /// The program that draws it, if the source names one instead of describing fixed steps.
    pub shader: Option<Shader>,
    /// Drawing order (Warcraft III): lower planes are drawn first, whatever their depth.
    pub priority_plane: i32,
    /// W3D's bin for static sorting; zero is not sorted.
    pub sort_level: u32,
    /// The order of triangles inside a mesh.
    pub sort_primitives: SortPrimitives,
    /// Warcraft III's "ConstantColor" flag. It changes nothing here: the mesh's colour and opacity always apply. Blizzard's
    /// files set it exactly where a mesh has a colour (docs/formats/mdx/geosets.md#geoset-animations).
    pub constant_color: bool,
    /// The player's colour replaces the ambient and diffuse colours of all layers (Generals' `HOUSECOLOR` meshes).
    pub house_color: bool,
    /// The light is in the vertex colours, and no other light falls on it (W3D's `PRELIT_VERTEX` wrapper).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub prelit: bool,
    /// Textures keep their full resolution on low settings.
    pub full_resolution: bool,
}

/// The order in which the triangles of one mesh are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SortPrimitives {
    /// Stored order.
    #[default]
    None,
    /// Nearest first.
    Near,
    /// Farthest first.
    Far,
}

/// A named program with its parameters: a W3D FX shader or a Warcraft III HD shader.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Shader {
    /// "NormalMapped.fx", "Shader_HD_DefaultUnit", ...
    pub name: String,
    /// Number of the technique.
    pub technique: u32,
    /// Parameters in stored order. Textures of a known kind are in the slots of the layer, too.
    pub parameters: Vec<(String, ShaderParameter)>,
}

/// The value of a shader's parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the name of a variant is its type")]
pub enum ShaderParameter {
    Texture(Option<TextureId>),
    Float(f32),
    Vec2(glam::Vec2),
    Vec3(Vec3),
    Vec4(Vec4),
    Int(i32),
    Bool(bool),
}

/// One pass over the surface.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Layer {
    /// How it is blended with the layers and meshes below.
    pub blend: BlendMode,
    /// Alpha test: pixels that fail it are not drawn.
    pub alpha_test: Option<AlphaTest>,
    /// Depth test: pixels that fail it are not drawn. [`Compare::Always`] turns it off.
    pub depth_test: Compare,
    /// Whether it writes to the depth buffer.
    pub depth_write: bool,
    /// Whether both sides of a triangle are drawn.
    pub two_sided: bool,
    /// Whether light has no effect on it.
    pub unlit: bool,
    /// Whether fog affects it.
    pub fog: bool,
    /// How the lit vertex colour is combined with the first texture.
    pub gradient: Gradient,
    /// Whether a specular highlight is added.
    pub specular: bool,
    /// Textures: at most one of each kind, the diffuse one first.
    pub slots: Vec<TextureSlot>,
    /// Opacity.
    pub alpha: f32,
    /// Factor of the colour.
    pub color: Vec3,
    /// Vertex colours that it uses: an index into [`Mesh::color_sets`](crate::Mesh::color_sets).
    pub color_set: Option<u32>,
    /// Number of the texture animation in the source file. Layers with the same number share their animation.
    pub uv_animation: Option<u32>,
    /// Colours for lighting (W3D).
    pub lighting: Option<Lighting>,
    /// Factor of the emissive texture.
    pub emissive_gain: f32,
    /// Glow at grazing angles.
    pub fresnel: Fresnel,
    /// Bytes of a W3D shader that games ignore: colour mask, fog, preset, padding, colour and alpha after the detail texture, and those of the
    /// detail texture itself where there is none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub unused: [u8; 8],
    /// All flags of a layer of an MDX file. Some only repeat what the blending implies, and the other fields do not tell which are there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub source_flags: u32,
}

#[cfg(feature = "serde")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            blend: BlendMode::Opaque,
            alpha_test: None,
            depth_test: Compare::LessEqual,
            depth_write: true,
            two_sided: false,
            unlit: false,
            fog: true,
            gradient: Gradient::Modulate,
            specular: false,
            slots: Vec::new(),
            alpha: 1.0,
            color: Vec3::ONE,
            color_set: None,
            uv_animation: None,
            lighting: None,
            emissive_gain: 1.0,
            fresnel: Fresnel::default(),
            unused: [0; 8],
            source_flags: 0,
        }
    }
}

impl Layer {
    /// The first slot of this kind.
    #[must_use]
    pub fn slot(&self, kind: SlotKind) -> Option<&TextureSlot> {
        self.slots.iter().find(|slot| slot.kind == kind)
    }

    /// How transparent it is, for formats that distinguish only three cases.
    #[must_use]
    pub fn transparency(&self) -> Transparency {
        let cut_out = self.alpha_test.is_some_and(|test| test != AlphaTest::INVISIBLE);
        match self.blend {
            // W3D also writes its cut-outs with alpha blending left on: the test decides (docs/formats/w3d/materials.md#alpha-modes).
            BlendMode::Opaque | BlendMode::Alpha if cut_out => Transparency::Mask,
            BlendMode::Opaque => Transparency::Opaque,
            _ => Transparency::Blend,
        }
    }
}

/// Kinds of transparency that every format has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Transparency {
    /// Hides everything behind it.
    Opaque,
    /// Each pixel is either opaque or invisible.
    Mask,
    /// Blended with the background.
    Blend,
}

/// How a layer is blended: `source · factor + destination · factor`.
///
/// The named modes are those of the two families; [`factors`](Self::factors) gives their factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BlendMode {
    /// Replaces (Warcraft III None and, with an alpha test, Transparent).
    #[default]
    Opaque,
    /// Source alpha, one minus source alpha (Warcraft III Blend).
    Alpha,
    /// One, one (W3D additive).
    Add,
    /// Source alpha, one (Warcraft III Additive; docs/formats/rendering.md#mdx-layers).
    Additive,
    /// The same as [`Additive`](Self::Additive) under another name (Warcraft III AddAlpha).
    AddAlpha,
    /// Destination colour, zero (Warcraft III Modulate).
    Modulate,
    /// Destination colour, source colour (Warcraft III Modulate2x).
    Modulate2x,
    /// Zero, source colour: the same product as [`Modulate`](Self::Modulate) (W3D multiplicative).
    Multiply,
    /// One, one minus source colour.
    Screen,
    /// Any other pair of factors.
    Factors(BlendFactor, BlendFactor),
}

/// Factor of a [`BlendMode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the names are the usual ones of graphics interfaces")]
pub enum BlendFactor {
    Zero,
    One,
    SourceColor,
    OneMinusSourceColor,
    SourceAlpha,
    OneMinusSourceAlpha,
    DestinationColor,
    OneMinusDestinationColor,
    DestinationAlpha,
    OneMinusDestinationAlpha,
}

impl BlendFactor {
    /// All factors.
    pub const ALL: [Self; 10] = [
        Self::Zero,
        Self::One,
        Self::SourceColor,
        Self::OneMinusSourceColor,
        Self::SourceAlpha,
        Self::OneMinusSourceAlpha,
        Self::DestinationColor,
        Self::OneMinusDestinationColor,
        Self::DestinationAlpha,
        Self::OneMinusDestinationAlpha,
    ];
}

impl BlendMode {
    /// The factors of the source and of the destination. All pictures and conversions use them.
    #[must_use]
    pub const fn factors(self) -> (BlendFactor, BlendFactor) {
        use BlendFactor::{
            DestinationColor, One, OneMinusSourceAlpha, OneMinusSourceColor, SourceAlpha, SourceColor, Zero,
        };
        match self {
            Self::Opaque => (One, Zero),
            Self::Alpha => (SourceAlpha, OneMinusSourceAlpha),
            Self::Add => (One, One),
            Self::Additive | Self::AddAlpha => (SourceAlpha, One),
            Self::Modulate => (DestinationColor, Zero),
            Self::Modulate2x => (DestinationColor, SourceColor),
            Self::Multiply => (Zero, SourceColor),
            Self::Screen => (One, OneMinusSourceColor),
            Self::Factors(source, destination) => (source, destination),
        }
    }

    /// The named mode with these factors, if there is one.
    #[must_use]
    pub fn from_factors(source: BlendFactor, destination: BlendFactor) -> Self {
        [
            Self::Opaque,
            Self::Alpha,
            Self::Add,
            Self::Additive,
            Self::Modulate,
            Self::Modulate2x,
            Self::Multiply,
            Self::Screen,
        ]
        .into_iter()
        .find(|mode| mode.factors() == (source, destination))
        .unwrap_or(Self::Factors(source, destination))
    }
}

/// Draws a pixel if `alpha compare reference`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AlphaTest {
    /// The value that alpha is compared with, 0 to 1.
    pub reference: f32,
    /// The comparison.
    pub compare: Compare,
}

impl AlphaTest {
    /// W3D's reference is the byte 0x60 (docs/formats/w3d/materials.md#alpha-modes).
    pub const W3D: Self = Self { reference: 96.0 / 255.0, compare: Compare::GreaterEqual };
    /// W3D's test when the source factor is one minus alpha: at most the byte 0x9F.
    pub const W3D_INVERTED: Self = Self { reference: 159.0 / 255.0, compare: Compare::LessEqual };
    /// Warcraft III's reference is the byte 192 (docs/formats/rendering.md#mdx-layers).
    pub const WARCRAFT: Self = Self { reference: 192.0 / 255.0, compare: Compare::GreaterEqual };

    /// Warcraft III's test for blended layers. It only skips invisible pixels (docs/formats/rendering.md#mdx-layers).
    pub const INVISIBLE: Self = Self { reference: 4.0 / 255.0, compare: Compare::GreaterEqual };

    /// Whether a pixel with this alpha is drawn.
    #[must_use]
    pub fn passes(&self, alpha: f32) -> bool {
        self.compare.holds(alpha, self.reference)
    }
}

/// Comparison of two values of a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Compare {
    Never,
    Less,
    Equal,
    #[default]
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl Compare {
    /// All comparisons.
    pub const ALL: [Self; 8] = [
        Self::Never,
        Self::Less,
        Self::Equal,
        Self::LessEqual,
        Self::Greater,
        Self::NotEqual,
        Self::GreaterEqual,
        Self::Always,
    ];

    /// Whether `a` compares with `b` in this way.
    #[must_use]
    pub fn holds(self, a: f32, b: f32) -> bool {
        match self {
            Self::Never => false,
            Self::Less => a < b,
            Self::Equal => a == b,
            Self::LessEqual => a <= b,
            Self::Greater => a > b,
            Self::NotEqual => a != b,
            Self::GreaterEqual => a >= b,
            Self::Always => true,
        }
    }
}

/// How the lit vertex colour is combined with the texture (W3D's primary gradient; its "disable" is [`Layer::unlit`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Gradient {
    /// Product.
    #[default]
    Modulate,
    /// Sum.
    Add,
    /// The texture distorts the environment map.
    BumpEnvironment,
    /// The texture distorts the environment map and changes its brightness.
    BumpEnvironmentLuminance,
    /// Twice the product.
    Modulate2x,
    /// Dot product of the normals in the texture and the light (Renegade).
    DotProduct,
}

/// Colours for lighting (W3D's vertex material).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Lighting {
    /// Name in the source file.
    pub name: String,
    /// Colour in ambient light.
    pub ambient: Vec3,
    /// Colour in direct light.
    pub diffuse: Vec3,
    /// Colour of highlights.
    pub specular: Vec3,
    /// Colour that is emitted, without any light.
    pub emissive: Vec3,
    /// Exponent of highlights, from 1; larger is sharper.
    pub shininess: f32,
    /// Opacity, 0 to 1.
    pub opacity: f32,
    /// Share of light that passes through.
    pub translucency: f32,
}

impl Default for Lighting {
    fn default() -> Self {
        Self {
            name: String::new(),
            ambient: Vec3::ONE,
            diffuse: Vec3::ONE,
            specular: Vec3::ZERO,
            emissive: Vec3::ZERO,
            shininess: 1.0,
            opacity: 1.0,
            translucency: 0.0,
        }
    }
}

/// Glow at grazing angles (Warcraft III HD).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Fresnel {
    /// Its colour.
    pub color: Vec3,
    /// Its strength; zero turns it off.
    pub opacity: f32,
    /// Share of the team colour in it.
    pub team_color: f32,
}

impl Default for Fresnel {
    fn default() -> Self {
        Self { color: Vec3::ONE, opacity: 0.0, team_color: 0.0 }
    }
}

/// A texture in a layer.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct TextureSlot {
    /// The purpose of the texture.
    pub kind: SlotKind,
    /// The texture. Without one the layer has no texture here.
    pub texture: Option<TextureId>,
    /// Texture coordinates: an index into [`Mesh::uv_sets`](crate::Mesh::uv_sets).
    pub uv_set: u32,
    /// How the coordinates are transformed or generated.
    pub mapper: UvMapper,
    /// How the colour of a [`Detail`](SlotKind::Detail) texture is combined with the result of the first texture.
    pub color_combine: Combine,
    /// How its alpha is combined.
    pub alpha_combine: Combine,
    /// In a [`Normal`](SlotKind::Normal) map, green is the direction to the bottom of the picture (DirectX), not to the top (OpenGL,
    /// glTF).
    pub green_down: bool,
}

/// Purpose of a texture in a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SlotKind {
    /// The colour of the surface.
    #[default]
    Diffuse,
    /// Normal map in tangent space.
    Normal,
    /// Occlusion, roughness and metalness in red, green and blue; the team colour mask in alpha.
    OcclusionRoughnessMetal,
    /// Emitted light.
    Emissive,
    /// Team colour or its mask.
    TeamColor,
    /// Environment map.
    Environment,
    /// Second texture (W3D's second stage).
    Detail,
    /// Height map.
    Bump,
    /// Specular map.
    Specular,
    /// Another purpose, by its number in the source file.
    Other(u32),
}

/// How a second texture is combined with the result of the first (W3D's detail functions): `local` is the second texture,
/// `other` the result so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Combine {
    /// `other`.
    #[default]
    Disable,
    /// `local`.
    Detail,
    /// `local · other`.
    Scale,
    /// `local + (1 - local) · other`.
    InverseScale,
    /// `local + other`.
    Add,
    /// `local - other`.
    Subtract,
    /// `other - local`.
    SubtractReversed,
    /// `local · alpha of local + other · (1 - alpha of local)`.
    Blend,
    /// `local · alpha of other + other · (1 - alpha of other)`.
    DetailBlend,
    /// `local + other - 1/2`.
    AddSigned,
    /// `(local + other - 1/2) · 2`.
    AddSigned2x,
    /// `local · other · 2`.
    Scale2x,
    /// `other + alpha of other · local`.
    ModulateAlphaAddColor,
}

impl Combine {
    /// All combinations.
    pub const ALL: [Self; 13] = [
        Self::Disable,
        Self::Detail,
        Self::Scale,
        Self::InverseScale,
        Self::Add,
        Self::Subtract,
        Self::SubtractReversed,
        Self::Blend,
        Self::DetailBlend,
        Self::AddSigned,
        Self::AddSigned2x,
        Self::Scale2x,
        Self::ModulateAlphaAddColor,
    ];
}
