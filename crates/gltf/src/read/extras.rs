//! What our writer, or a program that carried it along, left in `extras.meshwright`.

use super::json::Extras;
use super::python;
use crate::options::{Settings, Source};
use glam::{Vec3, Vec4};
use scene::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Our part of some extras, not read yet.
fn raw_own(extras: Extras<'_>) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Keyed<'a> {
        #[serde(borrow)]
        meshwright: Option<&'a RawValue>,
    }
    serde_json::from_str::<Keyed<'_>>(extras.text()?).ok()?.meshwright
}

/// Whether some extras have a part of ours.
pub(crate) fn has_own(extras: Extras<'_>) -> bool {
    raw_own(extras).is_some()
}

/// The JSON of our part of some extras.
pub(crate) fn own(extras: Extras<'_>) -> Option<Cow<'_, str>> {
    let text = raw_own(extras)?.get();
    match text.as_bytes().first() {
        Some(b'{') => Some(Cow::Borrowed(text)),
        Some(b'"') => {
            let text: String = serde_json::from_str(text).ok()?;
            python::parse(&text).map(|value| Cow::Owned(value.to_string()))
        }
        _ => None,
    }
}

/// Our part of some extras as a type. What cannot be read counts as missing.
pub(crate) fn typed<T: DeserializeOwned>(extras: Extras<'_>) -> Option<T> {
    serde_json::from_str(&own(extras)?).ok()
}

/// Of the scene.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SceneExtras<'a> {
    pub(crate) name: String,
    pub(crate) source: Option<Source>,
    pub(crate) settings: Settings,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) blend_time: f32,
    #[serde(borrow)]
    pub(crate) clips: BTreeMap<String, &'a RawValue>,
    pub(crate) global_sequences: Vec<GlobalSequence>,
    #[serde(borrow)]
    pub(crate) global_channels: Vec<&'a RawValue>,
    pub(crate) levels: Vec<Level>,
    pub(crate) textures: Vec<Texture>,
    /// Materials that no glTF material has, each with its `id`.
    #[serde(borrow)]
    pub(crate) materials: Vec<&'a RawValue>,
}

/// Of a clip.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ClipExtras<'a> {
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
    #[serde(borrow)]
    pub(crate) channels: Vec<&'a RawValue>,
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
    pub(crate) lights: Vec<Box<RawValue>>,
    pub(crate) attachments: Vec<Box<RawValue>>,
    pub(crate) events: Vec<Box<RawValue>>,
    pub(crate) collision_shapes: Vec<Box<RawValue>>,
    pub(crate) emitters: Vec<Box<RawValue>>,
    pub(crate) primitives: Vec<Box<RawValue>>,
    pub(crate) dazzles: Vec<Box<RawValue>>,
    pub(crate) sounds: Vec<Box<RawValue>>,
    pub(crate) ribbons: Vec<Box<RawValue>>,
    pub(crate) camera: Option<Box<RawValue>>,
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
    pub(crate) user_text: String,
    pub(crate) color: Option<Vec3>,
    pub(crate) alpha: Option<f32>,
    pub(crate) source_vertices: Option<usize>,
    /// The last vertices are copies of these runs.
    pub(crate) copies: Vec<(u32, u32)>,
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

impl WrittenLook {
    /// The one in our part of a material's extras.
    pub(crate) fn of_material(json: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields<'a> {
            #[serde(borrow)]
            written: Option<&'a RawValue>,
        }
        let Fields { written } = serde_json::from_str(json).ok()?;
        serde_json::from_str(written?.get()).ok()
    }
}

/// The `id` of an item, and the item.
pub(crate) fn item<T: DeserializeOwned>(json: &str) -> Option<(usize, T)> {
    #[derive(Deserialize)]
    struct Id {
        id: usize,
    }
    let Id { id } = serde_json::from_str(json).ok()?;
    Some((id, serde_json::from_str(json).ok()?))
}
