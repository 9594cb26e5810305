//! What glTF has no place for, under `extras.meshwright`. `docs/gltf.md` describes it.
//!
//! The JSON follows from the types of [`scene`] by serde: keys are the names of their fields, enumerations the names of their variants.
//! Ids are places in the scene's lists; nodes have the same places in glTF.

use crate::options::{Settings, Source};
use glam::{Vec3, Vec4};
use scene::*;
use serde::{Serialize, Serializer};

/// Our key in `extras`.
#[derive(Serialize)]
pub(crate) struct Extras<T> {
    pub(crate) meshwright: T,
}

/// Extras, unless there is nothing in them.
pub(crate) fn unless_empty<T: Default + PartialEq>(meshwright: T) -> Option<Extras<T>> {
    (meshwright != T::default()).then_some(Extras { meshwright })
}

fn is_false(value: &bool) -> bool {
    !*value
}

fn is_zero(value: &f32) -> bool {
    *value == 0.0
}

/// Of the scene. Blender keeps these, but drops those of animations, so what belongs to clips is here too.
#[derive(Serialize)]
pub(crate) struct SceneExtras<'a> {
    /// Blender renames the scene.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<&'a Source>,
    /// How the file was written, unless by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) settings: Option<Settings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) blend_time: f32,
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub(crate) clips: Vec<(String, ClipExtras<'a>)>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) global_sequences: &'a [GlobalSequence],
    /// Channels of global sequences that are not in an animation, or only as part of other motion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) global_channels: Vec<&'a GlobalChannel>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) levels: &'a [Level],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) textures: &'a [Texture],
    /// Materials that no glTF material has: those of ribbons, and of meshes that are omitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Attached<'a, Material>>,
}

fn as_map<S: Serializer, T: Serialize>(pairs: &[(String, T)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Of a clip, by the name of its animation.
#[derive(Serialize)]
pub(crate) struct ClipExtras<'a> {
    /// The name in the source, if the animation has another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'a str>,
    /// The clip's place in the source.
    pub(crate) index: usize,
    pub(crate) duration: f32,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) looping: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_start: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frame_rate: Option<f32>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) move_speed: f32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) rarity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) events: Vec<ClipEvent<'a>>,
    /// Channels that are not in the animation, or only as part of other motion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) channels: Vec<&'a Channel>,
}

/// An event of a clip.
#[derive(Serialize)]
pub(crate) struct ClipEvent<'a> {
    time: f32,
    event: EventId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<NodeId>,
}

impl<'a> ClipExtras<'a> {
    pub(crate) fn new(scene: &'a Scene, index: usize, name: &str, channels: Vec<&'a Channel>) -> Self {
        let clip = &scene.clips[index];
        let event = |key: &EventKey| {
            let event = scene.events.get(key.event.index());
            ClipEvent {
                time: key.time,
                event: key.event,
                name: event.map(|event| event.name.as_str()),
                node: event.map(|event| event.node),
            }
        };
        Self {
            name: Some(clip.name.as_str()).filter(|own| *own != name),
            index,
            duration: clip.duration,
            looping: clip.looping,
            source_start: clip.source_start,
            frame_rate: clip.frame_rate,
            move_speed: clip.move_speed,
            rarity: clip.rarity,
            bounds: clip.bounds,
            events: clip.events.iter().map(event).collect(),
            channels,
        }
    }
}

/// Of a node.
#[derive(Default, PartialEq, Serialize)]
pub(crate) struct NodeExtras<'a> {
    /// The node's place in the source, because Blender changes the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<u32>,
    /// The name in the source, if it is not the glTF node's or Blender may change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'a str>,
    /// The transform when nothing is animated, of nodes that are animated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rest: Option<Transform>,
    /// The rest transform in the source, if the node follows its parent in a way that glTF's nodes do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_rest: Option<Transform>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) bone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) billboard: Option<Billboard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inherit: Option<Inherit>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) camera_anchored: bool,
    /// Whether what is attached to the node shows when nothing is animated. Only if not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) visible: Option<bool>,
    /// The level of detail of the node's mesh, if it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<usize>,
    /// The node that shows or hides a skinned mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shown_by: Option<NodeId>,
    /// The mesh is skinned in the source, and follows its parent's node alone.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) rigid_skin: bool,
    /// The mesh is never shown.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) hidden: bool,
    /// The mesh has an invisible material, because it does not show at rest.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) hidden_at_rest: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lights: Vec<Attached<'a, Light>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) attachments: Vec<Attached<'a, Attachment>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) events: Vec<Attached<'a, Event>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) collision_shapes: Vec<Attached<'a, CollisionShape>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) emitters: Vec<Attached<'a, Emitter>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) primitives: Vec<Attached<'a, Primitive>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) dazzles: Vec<Attached<'a, Dazzle>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sounds: Vec<Attached<'a, Sound>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ribbons: Vec<AttachedRibbon<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<Attached<'a, Camera>>,
}

/// A thing on a node, and its place in the scene's list.
#[derive(PartialEq, Serialize)]
pub(crate) struct Attached<'a, T> {
    id: usize,
    #[serde(flatten)]
    item: &'a T,
}

impl<'a, T> Attached<'a, T> {
    pub(crate) const fn new(id: usize, item: &'a T) -> Self {
        Self { id, item }
    }
}

/// A ribbon with its material, which no mesh has.
#[derive(PartialEq, Serialize)]
pub(crate) struct AttachedRibbon<'a> {
    #[serde(flatten)]
    ribbon: Attached<'a, Ribbon>,
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<&'a Material>,
}

impl<'a> NodeExtras<'a> {
    /// Of a node of the scene, without what is attached to it.
    pub(crate) fn of(index: usize, node: &'a Node, name: &str) -> Self {
        Self {
            index: Some(index as u32),
            name: Some(node.name.as_str()).filter(|own| is_kept(own, name)),
            bone: node.is_bone,
            billboard: Some(node.billboard).filter(|billboard| *billboard != Billboard::None),
            inherit: Some(node.inherit).filter(|inherit| *inherit != Inherit::ALL),
            camera_anchored: node.camera_anchored,
            visible: (!node.visible).then_some(false),
            ..Self::default()
        }
    }
}

/// Adds everything that is attached to nodes to their extras, which are those of the scene's nodes in order.
pub(crate) fn attach<'a>(scene: &'a Scene, nodes: &mut [&mut NodeExtras<'a>]) {
    macro_rules! attach {
        ($($list:ident)*) => {$(
            for (id, item) in scene.$list.iter().enumerate() {
                if let Some(node) = nodes.get_mut(item.node.index()) {
                    node.$list.push(Attached { id, item });
                }
            }
        )*};
    }
    attach!(lights attachments events collision_shapes emitters primitives dazzles sounds);
    for (id, item) in scene.ribbons.iter().enumerate() {
        if let Some(node) = nodes.get_mut(item.node.index()) {
            let look = item.material.and_then(|material| scene.materials.get(material.index()));
            node.ribbons.push(AttachedRibbon { ribbon: Attached { id, item }, look });
        }
    }
}

/// Whether a name has to be in extras: glTF has another, or Blender may cut it or take its number for one of its own.
fn is_kept(own: &str, written: &str) -> bool {
    /// Blender's longest name of a bone, in bytes.
    const LONGEST: usize = 63;
    let has_number = |name: &str| {
        let digits = name.rsplit_once('.').map(|(_, digits)| digits);
        digits.is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    own != written || has_number(own) || own.len() > LONGEST
}

/// What the glTF part of a material says, so that a reader can tell what somebody changed.
#[derive(Serialize)]
pub(crate) struct WrittenLook {
    pub(crate) name: String,
    /// The layer that the surface shows.
    pub(crate) layer: usize,
    pub(crate) base_color: Vec4,
    /// The name of the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texture: Option<String>,
    pub(crate) alpha_mode: &'static str,
    pub(crate) two_sided: bool,
    pub(crate) unlit: bool,
}

/// Of a material: its place in the scene, and all layers.
#[derive(Serialize)]
pub(crate) struct MaterialExtras<'a> {
    pub(crate) id: MaterialId,
    pub(crate) written: WrittenLook,
    #[serde(flatten)]
    pub(crate) material: &'a Material,
}

/// Of an image.
#[derive(Default, PartialEq, Serialize)]
pub(crate) struct ImageExtras {
    /// The textures that the picture was computed from, if it is not one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) derived_from: Vec<String>,
}

/// Of a mesh.
#[derive(Default, PartialEq, Serialize)]
pub(crate) struct MeshExtras<'a> {
    /// The mesh's place in the source, because Blender changes the order.
    id: u32,
    /// The name in the source, if it is not the glTF mesh's or Blender may change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// Only if it throws none.
    #[serde(skip_serializing_if = "Option::is_none")]
    casts_shadow: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collision: Option<CollisionMask>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selection_group: Option<u32>,
    #[serde(skip_serializing_if = "is_false")]
    unselectable: bool,
    /// Text of the artist, unless there is none.
    #[serde(skip_serializing_if = "str::is_empty")]
    user_text: &'a str,
    /// A factor of the colour, unless it is white.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<Vec3>,
    /// Opacity, unless it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<f32>,
    /// The number of vertices in the source, if tangents were generated: copies of vertices with other tangents come after them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_vertices: Option<usize>,
    /// The last vertices are copies of these, as runs: the first vertex and how many follow each other. They are for triangles on the same
    /// three vertices as another, of which Blender would keep one.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) copies: &'a [(u32, u32)],
    /// The triangles' surface types and how many triangles in a row have each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    surface_types: Vec<(u8, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
    /// In the order of the source's clips. Only if some differ from `bounds`.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    clip_bounds: &'a [Bounds],
    /// How many clips have `bounds`, if all have.
    #[serde(skip_serializing_if = "Option::is_none")]
    equal_clip_bounds: Option<usize>,
}

impl<'a> MeshExtras<'a> {
    pub(crate) fn of(id: MeshId, mesh: &'a Mesh, name: &str) -> Self {
        let differ = mesh.clip_bounds.iter().any(|bounds| mesh.bounds.as_ref() != Some(bounds));
        Self {
            id: id.0,
            name: Some(mesh.name.as_str()).filter(|own| is_kept(own, name)),
            casts_shadow: (!mesh.casts_shadow).then_some(false),
            collision: Some(mesh.collision).filter(|mask| *mask != CollisionMask::NONE),
            selection_group: Some(mesh.selection_group).filter(|group| *group != 0),
            unselectable: mesh.unselectable,
            user_text: &mesh.user_text,
            color: Some(mesh.color).filter(|color| *color != Vec3::ONE),
            alpha: Some(mesh.alpha).filter(|alpha| *alpha != 1.0),
            source_vertices: None,
            copies: &[],
            surface_types: mesh
                .surface_types
                .chunk_by(|a, b| a == b)
                .map(|run| (run[0], run.len()))
                .collect(),
            bounds: mesh.bounds,
            clip_bounds: if differ { &mesh.clip_bounds } else { &[] },
            equal_clip_bounds: Some(mesh.clip_bounds.len()).filter(|count| *count > 0 && !differ),
        }
    }
}
