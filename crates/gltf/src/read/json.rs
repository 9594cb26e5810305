//! The JSON of a glTF file, as far as it is read. Unknown fields are ignored.

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A list that cannot grow beyond [`List::MOST_BYTES`]: `{}` takes two bytes of a file, but hundreds in memory.
#[derive(Clone, Debug)]
pub(crate) struct List<T>(Vec<T>);

impl<T> List<T> {
    const MOST_BYTES: usize = 256 << 20;
    const MOST: usize = Self::MOST_BYTES / size_of::<T>();
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    if list.len() == List::<T>::MOST {
                        return Err(A::Error::custom("an array has too many items"));
                    }
                    list.push(item);
                }
                Ok(List(list))
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Document {
    pub(crate) asset: Asset,
    pub(crate) extensions_used: List<String>,
    pub(crate) extensions_required: List<String>,
    pub(crate) scene: Option<u32>,
    pub(crate) scenes: List<Scene>,
    pub(crate) nodes: List<Node>,
    pub(crate) meshes: List<Mesh>,
    pub(crate) skins: List<Skin>,
    pub(crate) materials: List<Material>,
    pub(crate) textures: List<Texture>,
    pub(crate) images: List<Image>,
    pub(crate) samplers: List<TextureSampler>,
    pub(crate) cameras: List<Camera>,
    pub(crate) animations: List<Animation>,
    pub(crate) accessors: List<Accessor>,
    pub(crate) buffer_views: List<BufferView>,
    pub(crate) buffers: List<Buffer>,
    pub(crate) extensions: DocumentExtensions,
}

/// What every version of glTF has in the same place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Head {
    pub(crate) asset: Asset,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asset {
    pub(crate) version: String,
    pub(crate) generator: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DocumentExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(crate) lights: Lights,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Lights {
    pub(crate) lights: List<Light>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) nodes: List<u32>,
    pub(crate) extras: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) matrix: Option<Box<[f32; 16]>>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) mesh: Option<u32>,
    pub(crate) skin: Option<u32>,
    pub(crate) camera: Option<u32>,
    pub(crate) children: List<u32>,
    pub(crate) extensions: Option<Box<NodeExtensions>>,
    pub(crate) extras: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(crate) light: Option<LightReference>,
    #[serde(rename = "KHR_node_visibility")]
    pub(crate) visibility: Option<NodeVisibility>,
    #[serde(rename = "MSFT_lod")]
    pub(crate) levels: Option<Levels>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(crate) instancing: Option<Value>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LightReference {
    pub(crate) light: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NodeVisibility {
    #[serde(default = "yes")]
    pub(crate) visible: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Levels {
    pub(crate) ids: List<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) primitives: List<Primitive>,
    pub(crate) extras: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Primitive {
    pub(crate) attributes: BTreeMap<String, u32>,
    pub(crate) indices: Option<u32>,
    pub(crate) material: Option<u32>,
    pub(crate) mode: Option<u32>,
    pub(crate) targets: List<Value>,
    pub(crate) extensions: Option<BTreeMap<String, Value>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Skin {
    pub(crate) inverse_bind_matrices: Option<u32>,
    pub(crate) joints: List<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Material {
    pub(crate) name: String,
    pub(crate) pbr_metallic_roughness: MetallicRoughness,
    pub(crate) normal_texture: Option<Box<TextureReference>>,
    pub(crate) occlusion_texture: Option<Box<TextureReference>>,
    pub(crate) emissive_texture: Option<Box<TextureReference>>,
    pub(crate) emissive_factor: Option<[f32; 3]>,
    pub(crate) alpha_mode: Option<String>,
    pub(crate) alpha_cutoff: Option<f32>,
    pub(crate) double_sided: bool,
    pub(crate) extensions: MaterialExtensions,
    pub(crate) extras: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MetallicRoughness {
    pub(crate) base_color_factor: Option<[f32; 4]>,
    pub(crate) base_color_texture: Option<Box<TextureReference>>,
    pub(crate) metallic_roughness_texture: Option<Box<TextureReference>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(crate) unlit: Option<Value>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub(crate) emissive_strength: Option<EmissiveStrength>,
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub(crate) specular_glossiness: Option<Box<SpecularGlossiness>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmissiveStrength {
    #[serde(default = "one")]
    pub(crate) emissive_strength: f32,
}

const fn one() -> f32 {
    1.0
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SpecularGlossiness {
    pub(crate) diffuse_factor: Option<[f32; 4]>,
    pub(crate) diffuse_texture: Option<TextureReference>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TextureReference {
    pub(crate) index: u32,
    pub(crate) tex_coord: u32,
    pub(crate) extensions: TextureReferenceExtensions,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureReferenceExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(crate) transform: Option<TextureTransform>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TextureTransform {
    pub(crate) offset: [f32; 2],
    pub(crate) rotation: f32,
    pub(crate) scale: [f32; 2],
    pub(crate) tex_coord: Option<u32>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Texture {
    pub(crate) name: String,
    pub(crate) sampler: Option<u32>,
    pub(crate) source: Option<u32>,
    pub(crate) extensions: BTreeMap<String, TextureSource>,
}

/// `EXT_texture_webp`, `KHR_texture_basisu` and `MSFT_texture_dds` have the same form.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureSource {
    pub(crate) source: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) uri: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) buffer_view: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TextureSampler {
    pub(crate) wrap_s: Option<u32>,
    pub(crate) wrap_t: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Camera {
    pub(crate) name: String,
    pub(crate) perspective: Option<Perspective>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Perspective {
    pub(crate) yfov: f32,
    pub(crate) znear: f32,
    pub(crate) zfar: Option<f32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Light {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) color: Option<[f32; 3]>,
    pub(crate) intensity: Option<f32>,
    pub(crate) range: Option<f32>,
    pub(crate) spot: Option<Spot>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Spot {
    pub(crate) inner_cone_angle: f32,
    pub(crate) outer_cone_angle: Option<f32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: List<Channel>,
    pub(crate) samplers: List<Sampler>,
    pub(crate) extras: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Channel {
    pub(crate) sampler: u32,
    pub(crate) target: ChannelTarget,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChannelTarget {
    pub(crate) node: Option<u32>,
    pub(crate) path: String,
    pub(crate) extensions: ChannelExtensions,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChannelExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(crate) pointer: Option<Pointer>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pointer {
    pub(crate) pointer: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sampler {
    pub(crate) input: u32,
    pub(crate) output: u32,
    pub(crate) interpolation: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Accessor {
    pub(crate) buffer_view: Option<u32>,
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) sparse: Option<Box<Sparse>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: SparseView,
    pub(crate) values: SparseView,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SparseView {
    pub(crate) buffer_view: u32,
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BufferView {
    pub(crate) buffer: u32,
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    pub(crate) byte_stride: Option<u64>,
    pub(crate) extensions: Option<BTreeMap<String, Value>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Buffer {
    pub(crate) byte_length: u64,
    pub(crate) uri: Option<String>,
}

/// Where in the document the type of a value is wrong, for messages: the pointer of the item and what is wrong with it.
pub(crate) fn locate(json: &[u8]) -> Option<(String, String)> {
    fn wrong<T: for<'de> Deserialize<'de>>(list: &str, value: &Value) -> Option<(String, String)> {
        let items = value.get(list)?.as_array()?;
        items.iter().enumerate().find_map(|(at, item)| {
            let error = T::deserialize(item).err()?;
            Some((format!("/{list}/{at}"), error.to_string()))
        })
    }
    let value: Value = serde_json::from_slice(json).ok()?;
    wrong::<Accessor>("accessors", &value)
        .or_else(|| wrong::<BufferView>("bufferViews", &value))
        .or_else(|| wrong::<Buffer>("buffers", &value))
        .or_else(|| wrong::<Node>("nodes", &value))
        .or_else(|| wrong::<Mesh>("meshes", &value))
        .or_else(|| wrong::<Skin>("skins", &value))
        .or_else(|| wrong::<Material>("materials", &value))
        .or_else(|| wrong::<Texture>("textures", &value))
        .or_else(|| wrong::<Image>("images", &value))
        .or_else(|| wrong::<TextureSampler>("samplers", &value))
        .or_else(|| wrong::<Camera>("cameras", &value))
        .or_else(|| wrong::<Animation>("animations", &value))
        .or_else(|| wrong::<Scene>("scenes", &value))
}
