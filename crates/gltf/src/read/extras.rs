//! What our writer, or a program that carried it along, left in `extras.meshwright`.

use super::python;
use crate::options::Source;
use glam::{Vec3, Vec4};
use scene::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Our part of some extras.
pub(crate) fn own(extras: &Value) -> Option<Value> {
    match extras.get("meshwright")? {
        Value::String(text) => python::parse(text),
        Value::Object(fields) => Some(Value::Object(fields.clone())),
        _ => None,
    }
}

/// Our part of some extras as a type. What cannot be read counts as missing.
pub(crate) fn typed<T: DeserializeOwned>(extras: &Value) -> Option<T> {
    serde_json::from_value(own(extras)?).ok()
}

/// Of the scene.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SceneExtras {
    pub(crate) name: String,
    pub(crate) source: Option<Source>,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) blend_time: f32,
    pub(crate) clips: Map<String, Value>,
    pub(crate) global_sequences: Vec<GlobalSequence>,
    pub(crate) global_channels: Vec<Value>,
    pub(crate) levels: Vec<Level>,
    pub(crate) textures: Vec<Texture>,
    /// Materials that no glTF material has, each with its `id`.
    pub(crate) materials: Vec<Value>,
}

/// Of a clip.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ClipExtras {
    pub(crate) name: Option<String>,
    pub(crate) index: usize,
    pub(crate) duration: f32,
    pub(crate) looping: bool,
    pub(crate) source_start: Option<f32>,
    pub(crate) frame_rate: Option<f32>,
    pub(crate) move_speed: f32,
    pub(crate) rarity: f32,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) events: Vec<EventKey>,
    pub(crate) channels: Vec<Value>,
}

/// Of a node.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExtras {
    pub(crate) index: Option<u32>,
    pub(crate) name: Option<String>,
    pub(crate) rest: Option<Transform>,
    pub(crate) source_rest: Option<Transform>,
    pub(crate) bone: bool,
    pub(crate) billboard: Billboard,
    pub(crate) inherit: Inherit,
    pub(crate) camera_anchored: bool,
    pub(crate) visible: Option<bool>,
    pub(crate) level: Option<usize>,
    pub(crate) shown_by: Option<NodeId>,
    pub(crate) rigid_skin: bool,
    pub(crate) hidden: bool,
    pub(crate) lights: Vec<Value>,
    pub(crate) attachments: Vec<Value>,
    pub(crate) events: Vec<Value>,
    pub(crate) collision_shapes: Vec<Value>,
    pub(crate) emitters: Vec<Value>,
    pub(crate) primitives: Vec<Value>,
    pub(crate) dazzles: Vec<Value>,
    pub(crate) sounds: Vec<Value>,
    pub(crate) ribbons: Vec<Value>,
    pub(crate) camera: Option<Value>,
}

/// Of a mesh.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MeshExtras {
    pub(crate) id: Option<u32>,
    pub(crate) name: Option<String>,
    pub(crate) casts_shadow: Option<bool>,
    pub(crate) collision: CollisionMask,
    pub(crate) selection_group: u32,
    pub(crate) unselectable: bool,
    pub(crate) color: Option<Vec3>,
    pub(crate) alpha: Option<f32>,
    pub(crate) source_vertices: Option<usize>,
    pub(crate) surface_types: Vec<(u8, usize)>,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) clip_bounds: Vec<Bounds>,
    /// All clips have `bounds`; how many there are.
    pub(crate) equal_clip_bounds: usize,
}

/// What the glTF part of a material said when it was written. If it says something else now, somebody changed it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct WrittenLook {
    pub(crate) name: String,
    /// The layer that the surface shows.
    pub(crate) layer: usize,
    pub(crate) base_color: Vec4,
    /// The name of the image.
    pub(crate) texture: Option<String>,
    pub(crate) alpha_mode: String,
    pub(crate) two_sided: bool,
    pub(crate) unlit: bool,
}

/// The `id` of an item, and the item.
pub(crate) fn item<T: DeserializeOwned>(value: &Value) -> Option<(usize, T)> {
    let id = value.get("id")?.as_u64()?;
    Some((usize::try_from(id).ok()?, T::deserialize(value).ok()?))
}
