//! The JSON of a glTF file as plain data. Fields have the names and meanings of the glTF 2.0 specification.

use crate::extras::{Extras, ImageExtras, MaterialExtras, MeshExtras, NodeExtras, SceneExtras};
use glam::{Quat, Vec2, Vec3, Vec4};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// Whether a value is the one that readers assume when the field is missing.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_one(value: &Vec3) -> bool {
    *value == Vec3::ONE
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document<'a> {
    pub(crate) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) extensions_used: Vec<&'static str>,
    pub(crate) scene: u32,
    pub(crate) scenes: [Scene<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nodes: Vec<Node<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) meshes: Vec<Mesh<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Material<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffers: Vec<Buffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<DocumentExtensions>,
}

#[derive(Serialize)]
pub(crate) struct Asset {
    pub(crate) version: &'static str,
    pub(crate) generator: &'static str,
}

#[derive(Serialize)]
pub(crate) struct DocumentExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(crate) lights: Lights,
}

#[derive(Serialize)]
pub(crate) struct Lights {
    pub(crate) lights: Vec<Light>,
}

#[derive(Serialize)]
pub(crate) struct Scene<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nodes: Vec<u32>,
    pub(crate) extras: Extras<SceneExtras<'a>>,
}

#[derive(Serialize)]
pub(crate) struct Node<'a> {
    pub(crate) name: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) translation: Vec3,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) rotation: Quat,
    #[serde(skip_serializing_if = "is_one")]
    pub(crate) scale: Vec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skin: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<u32>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) extensions: NodeExtensions,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<Extras<NodeExtras<'a>>>,
}

#[derive(Default, PartialEq, Serialize)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual", skip_serializing_if = "Option::is_none")]
    pub(crate) light: Option<LightReference>,
    #[serde(rename = "KHR_node_visibility", skip_serializing_if = "Option::is_none")]
    pub(crate) visibility: Option<NodeVisibility>,
    #[serde(rename = "MSFT_lod", skip_serializing_if = "Option::is_none")]
    pub(crate) levels: Option<Levels>,
}

#[derive(PartialEq, Serialize)]
pub(crate) struct LightReference {
    pub(crate) light: u32,
}

#[derive(PartialEq, Serialize)]
pub(crate) struct NodeVisibility {
    pub(crate) visible: bool,
}

#[derive(PartialEq, Serialize)]
pub(crate) struct Levels {
    pub(crate) ids: Vec<u32>,
}

#[derive(Serialize)]
pub(crate) struct Mesh<'a> {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<Extras<MeshExtras<'a>>>,
}

#[derive(Serialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    pub(crate) indices: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) material: Option<u32>,
}

/// Names and accessors of vertex attributes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes(pub(crate) Vec<(Cow<'static, str>, u32)>);

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, accessor)| (name, accessor)))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin {
    pub(crate) name: String,
    pub(crate) inverse_bind_matrices: u32,
    pub(crate) joints: Vec<u32>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material<'a> {
    pub(crate) name: String,
    pub(crate) pbr_metallic_roughness: MetallicRoughness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) normal_texture: Option<TextureReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) occlusion_texture: Option<TextureReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_texture: Option<TextureReference>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) emissive_factor: Vec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) double_sided: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) extensions: MaterialExtensions,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<Extras<MaterialExtras<'a>>>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MetallicRoughness {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_factor: Option<Vec4>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_texture: Option<TextureReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metallic_factor: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metallic_roughness_texture: Option<TextureReference>,
}

#[derive(Default, PartialEq, Serialize)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit", skip_serializing_if = "Option::is_none")]
    pub(crate) unlit: Option<Unlit>,
    #[serde(rename = "KHR_materials_emissive_strength", skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_strength: Option<EmissiveStrength>,
}

#[derive(PartialEq, Serialize)]
pub(crate) struct Unlit {}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmissiveStrength {
    pub(crate) emissive_strength: f32,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureReference {
    pub(crate) index: u32,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) tex_coord: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<TextureReferenceExtensions>,
}

#[derive(Clone, Serialize)]
pub(crate) struct TextureReferenceExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(crate) transform: TextureTransform,
}

#[derive(Clone, Serialize)]
pub(crate) struct TextureTransform {
    pub(crate) offset: Vec2,
    pub(crate) rotation: f32,
    pub(crate) scale: Vec2,
}

#[derive(Serialize)]
pub(crate) struct Texture {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) sampler: u32,
    pub(crate) source: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) buffer_view: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<Extras<ImageExtras>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureSampler {
    pub(crate) mag_filter: u32,
    pub(crate) min_filter: u32,
    pub(crate) wrap_s: u32,
    pub(crate) wrap_t: u32,
}

#[derive(Serialize)]
pub(crate) struct Camera {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) perspective: Perspective,
}

#[derive(Serialize)]
pub(crate) struct Perspective {
    pub(crate) yfov: f32,
    pub(crate) znear: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) zfar: Option<f32>,
}

#[derive(Serialize)]
pub(crate) struct Light {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) color: Vec3,
    pub(crate) intensity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spot: Option<Spot>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spot {
    pub(crate) inner_cone_angle: f32,
    pub(crate) outer_cone_angle: f32,
}

#[derive(Serialize)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<Sampler>,
}

#[derive(Serialize)]
pub(crate) struct Channel {
    pub(crate) sampler: u32,
    pub(crate) target: ChannelTarget,
}

#[derive(Serialize)]
pub(crate) struct ChannelTarget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<u32>,
    pub(crate) path: TargetPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<ChannelExtensions>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TargetPath {
    Translation,
    Rotation,
    Scale,
    Pointer,
}

#[derive(Serialize)]
pub(crate) struct ChannelExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(crate) pointer: Pointer,
}

#[derive(Serialize)]
pub(crate) struct Pointer {
    pub(crate) pointer: String,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Sampler {
    pub(crate) input: u32,
    pub(crate) output: u32,
    /// LINEAR is glTF's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interpolation: Option<Interpolation>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Interpolation {
    Step,
    CubicSpline,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub(crate) buffer_view: u32,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) byte_offset: usize,
    pub(crate) component_type: u32,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) normalized: bool,
    pub(crate) count: usize,
    #[serde(rename = "type")]
    pub(crate) kind: ElementType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max: Option<Limit>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum ElementType {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat4,
}

/// Least or greatest element of an accessor.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum Limit {
    Time([f32; 1]),
    Position(Vec3),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: u32,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte_stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    pub(crate) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
}

impl Document<'_> {
    /// The extensions that are used anywhere, in alphabetical order.
    pub(crate) fn used_extensions(&self) -> Vec<&'static str> {
        let pbr = |material: &Material<'_>| {
            let own = &material.pbr_metallic_roughness;
            let references = [
                &own.base_color_texture,
                &own.metallic_roughness_texture,
                &material.normal_texture,
                &material.occlusion_texture,
                &material.emissive_texture,
            ];
            references.into_iter().flatten().any(|reference| reference.extensions.is_some())
        };
        let materials = || self.materials.iter();
        let nodes = || self.nodes.iter().map(|node| &node.extensions);
        let mut channels = self.animations.iter().flat_map(|animation| &animation.channels);
        let used = [
            ("KHR_animation_pointer", channels.any(|channel| channel.target.extensions.is_some())),
            ("KHR_lights_punctual", self.extensions.is_some()),
            (
                "KHR_materials_emissive_strength",
                materials().any(|material| material.extensions.emissive_strength.is_some()),
            ),
            ("KHR_materials_unlit", materials().any(|material| material.extensions.unlit.is_some())),
            ("KHR_node_visibility", nodes().any(|extensions| extensions.visibility.is_some())),
            ("KHR_texture_transform", materials().any(pbr)),
            ("MSFT_lod", nodes().any(|extensions| extensions.levels.is_some())),
        ];
        used.into_iter().filter(|(_, is_used)| *is_used).map(|(name, _)| name).collect()
    }
}
