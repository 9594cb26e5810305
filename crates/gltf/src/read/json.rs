//! The JSON of a glTF file, as far as it is read. Unknown fields are ignored. Strings and extras are borrowed from the text.

use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A list that cannot grow beyond [`List::MAX_BYTES`]: `{}` takes two bytes of a file, but hundreds in memory.
#[derive(Clone, Debug)]
pub(crate) struct List<T>(Vec<T>);

impl<T> List<T> {
    const MAX_BYTES: usize = 256 << 20;
    const MOST: usize = Self::MAX_BYTES / size_of::<T>();
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

/// Extras: the text of their JSON, which is read when it is needed.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Extras<'a>(#[serde(borrow)] Option<&'a RawValue>);

impl<'a> Extras<'a> {
    /// The text; `None` if there are none.
    pub(crate) fn text(self) -> Option<&'a str> {
        self.0.map(RawValue::get)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Document<'a> {
    #[serde(borrow)]
    pub(crate) asset: Asset<'a>,
    #[serde(borrow)]
    pub(crate) extensions_used: List<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) extensions_required: List<Cow<'a, str>>,
    pub(crate) scene: Option<u32>,
    #[serde(borrow)]
    pub(crate) scenes: List<Scene<'a>>,
    #[serde(borrow)]
    pub(crate) nodes: List<Node<'a>>,
    #[serde(borrow)]
    pub(crate) meshes: List<Mesh<'a>>,
    pub(crate) skins: List<Skin>,
    #[serde(borrow)]
    pub(crate) materials: List<Material<'a>>,
    #[serde(borrow)]
    pub(crate) textures: List<Texture<'a>>,
    #[serde(borrow)]
    pub(crate) images: List<Image<'a>>,
    pub(crate) samplers: List<TextureSampler>,
    #[serde(borrow)]
    pub(crate) cameras: List<Camera<'a>>,
    #[serde(borrow)]
    pub(crate) animations: List<Animation<'a>>,
    #[serde(borrow)]
    pub(crate) accessors: List<Accessor<'a>>,
    pub(crate) buffer_views: List<BufferView>,
    #[serde(borrow)]
    pub(crate) buffers: List<Buffer<'a>>,
    #[serde(borrow)]
    pub(crate) extensions: DocumentExtensions<'a>,
}

/// What every version of glTF has in the same place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Head<'a> {
    #[serde(borrow)]
    pub(crate) asset: Asset<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asset<'a> {
    #[serde(borrow)]
    pub(crate) version: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) generator: Cow<'a, str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DocumentExtensions<'a> {
    #[serde(borrow, rename = "KHR_lights_punctual")]
    pub(crate) lights: Lights<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Lights<'a> {
    #[serde(borrow)]
    pub(crate) lights: List<Light<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Scene<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    pub(crate) nodes: List<u32>,
    #[serde(borrow)]
    pub(crate) extras: Extras<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Node<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    pub(crate) matrix: Option<Box<[f32; 16]>>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) mesh: Option<u32>,
    pub(crate) skin: Option<u32>,
    pub(crate) camera: Option<u32>,
    pub(crate) children: List<u32>,
    pub(crate) extensions: Option<Box<NodeExtensions>>,
    #[serde(borrow)]
    pub(crate) extras: Extras<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(crate) light: Option<LightReference>,
    #[serde(rename = "KHR_node_visibility")]
    pub(crate) visibility: Option<NodeVisibility>,
    #[serde(rename = "MSFT_lod")]
    pub(crate) levels: Option<Levels>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(crate) instancing: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LightReference {
    pub(crate) light: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NodeVisibility {
    #[serde(default = "yes")]
    pub(crate) visible: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Levels {
    pub(crate) ids: List<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Mesh<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) primitives: List<Primitive<'a>>,
    #[serde(borrow)]
    pub(crate) extras: Extras<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Primitive<'a> {
    pub(crate) attributes: BTreeMap<String, u32>,
    pub(crate) indices: Option<u32>,
    pub(crate) material: Option<u32>,
    pub(crate) mode: Option<u32>,
    #[serde(borrow)]
    pub(crate) targets: List<Extras<'a>>,
    pub(crate) extensions: Option<BTreeMap<String, IgnoredAny>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Skin {
    pub(crate) inverse_bind_matrices: Option<u32>,
    pub(crate) joints: List<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Material<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    pub(crate) pbr_metallic_roughness: MetallicRoughness,
    pub(crate) normal_texture: Option<Box<TextureReference>>,
    pub(crate) occlusion_texture: Option<Box<TextureReference>>,
    pub(crate) emissive_texture: Option<Box<TextureReference>>,
    pub(crate) emissive_factor: Option<[f32; 3]>,
    #[serde(borrow)]
    pub(crate) alpha_mode: Option<Cow<'a, str>>,
    pub(crate) alpha_cutoff: Option<f32>,
    pub(crate) double_sided: bool,
    pub(crate) extensions: MaterialExtensions,
    #[serde(borrow)]
    pub(crate) extras: Extras<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MetallicRoughness {
    pub(crate) base_color_factor: Option<[f32; 4]>,
    pub(crate) base_color_texture: Option<Box<TextureReference>>,
    pub(crate) metallic_roughness_texture: Option<Box<TextureReference>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(crate) unlit: Option<IgnoredAny>,
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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SpecularGlossiness {
    pub(crate) diffuse_factor: Option<[f32; 4]>,
    pub(crate) diffuse_texture: Option<TextureReference>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TextureReference {
    pub(crate) index: u32,
    pub(crate) tex_coord: u32,
    pub(crate) extensions: TextureReferenceExtensions,
}

#[derive(Debug, Default, Deserialize)]
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

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Texture<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Image<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) uri: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) mime_type: Option<Cow<'a, str>>,
    pub(crate) buffer_view: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TextureSampler {
    pub(crate) wrap_s: Option<u32>,
    pub(crate) wrap_t: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Camera<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    pub(crate) perspective: Option<Perspective>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Perspective {
    pub(crate) yfov: f32,
    pub(crate) znear: f32,
    pub(crate) zfar: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Light<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Cow<'a, str>,
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

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Animation<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) channels: List<Channel<'a>>,
    #[serde(borrow)]
    pub(crate) samplers: List<Sampler<'a>>,
    #[serde(borrow)]
    pub(crate) extras: Extras<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Channel<'a> {
    pub(crate) sampler: u32,
    #[serde(borrow)]
    pub(crate) target: ChannelTarget<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChannelTarget<'a> {
    pub(crate) node: Option<u32>,
    #[serde(borrow)]
    pub(crate) path: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) extensions: ChannelExtensions<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChannelExtensions<'a> {
    #[serde(borrow, rename = "KHR_animation_pointer")]
    pub(crate) pointer: Option<Pointer<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pointer<'a> {
    #[serde(borrow)]
    pub(crate) pointer: Cow<'a, str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sampler<'a> {
    pub(crate) input: u32,
    pub(crate) output: u32,
    #[serde(borrow)]
    pub(crate) interpolation: Option<Cow<'a, str>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Accessor<'a> {
    pub(crate) buffer_view: Option<u32>,
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Cow<'a, str>,
    pub(crate) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: SparseView,
    pub(crate) values: SparseView,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SparseView {
    pub(crate) buffer_view: u32,
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BufferView {
    pub(crate) buffer: u32,
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    pub(crate) byte_stride: Option<u64>,
    pub(crate) extensions: Option<BTreeMap<String, IgnoredAny>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Buffer<'a> {
    pub(crate) byte_length: u64,
    #[serde(borrow)]
    pub(crate) uri: Option<Cow<'a, str>>,
}

/// Where in the document the type of a value is wrong, for messages: the pointer of the item and what is wrong with it.
pub(crate) fn locate(json: &str) -> Option<(String, String)> {
    fn wrong<'a, T: Deserialize<'a>>(
        lists: &BTreeMap<String, &'a RawValue>,
        list: &str,
    ) -> Option<(String, String)> {
        let items: Vec<&'a RawValue> = serde_json::from_str(lists.get(list)?.get()).ok()?;
        items.into_iter().enumerate().find_map(|(at, item)| {
            let error = serde_json::from_str::<T>(item.get()).err()?.to_string();
            // The line and column are those within the item.
            let message = error.rsplit_once(" at line ").map_or(error.as_str(), |(message, _)| message);
            Some((format!("/{list}/{at}"), message.to_owned()))
        })
    }
    let lists: BTreeMap<String, &RawValue> = serde_json::from_str(json).ok()?;
    wrong::<Accessor<'_>>(&lists, "accessors")
        .or_else(|| wrong::<BufferView>(&lists, "bufferViews"))
        .or_else(|| wrong::<Buffer<'_>>(&lists, "buffers"))
        .or_else(|| wrong::<Node<'_>>(&lists, "nodes"))
        .or_else(|| wrong::<Mesh<'_>>(&lists, "meshes"))
        .or_else(|| wrong::<Skin>(&lists, "skins"))
        .or_else(|| wrong::<Material<'_>>(&lists, "materials"))
        .or_else(|| wrong::<Texture<'_>>(&lists, "textures"))
        .or_else(|| wrong::<Image<'_>>(&lists, "images"))
        .or_else(|| wrong::<TextureSampler>(&lists, "samplers"))
        .or_else(|| wrong::<Camera<'_>>(&lists, "cameras"))
        .or_else(|| wrong::<Animation<'_>>(&lists, "animations"))
        .or_else(|| wrong::<Scene<'_>>(&lists, "scenes"))
}
