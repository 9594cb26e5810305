//! Bodies that consist of more than one record or array, and the sources of labels.

use record::zerocopy::FromBytes;
use record::{Bytes, F32, I32, Node, Record, Slot, U16, U32, decode};

use super::*;
use crate::names::{BITS, PropertyType, SWITCH, TIME_CODE_16};

/// The record at the start of a body.
fn head<T: Record>(body: &[u8]) -> Option<&T> {
    T::ref_from_prefix(body).ok().map(|(head, _)| head)
}

/// A count as a `usize`. The cap is larger than any addressable size.
fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// The little-endian word at an offset.
fn word(body: &[u8], at: usize) -> u32 {
    body.get(at..).and_then(|bytes| U32::read_from_prefix(bytes).ok()).map_or(0, |(word, _)| word.get())
}

// Shader material properties: type, name, then a value of that type (docs/formats/w3d/materials.md#shader-materials).

fn property(body: &[u8], types: &[PropertyType]) -> bool {
    head::<ShaderMaterialProperty>(body).is_some_and(|property| types.contains(&property.property_type))
}

fn name_length(body: &[u8]) -> usize {
    size(word(body, 4))
}

pub(super) static PROPERTY: &[Slot] = &[
    Slot::one::<ShaderMaterialProperty>("fields"),
    Slot::text_by("name", name_length),
    Slot::by::<U32>("texture_length", |body| property(body, &[PropertyType::TEXTURE]).into()),
    Slot::text_by("texture", |body| {
        let at = 8_usize.saturating_add(name_length(body));
        if property(body, &[PropertyType::TEXTURE]) { size(word(body, at)) } else { 0 }
    }),
    Slot::by::<F32>("floats", |body| {
        let types =
            [PropertyType::FLOAT, PropertyType::VECTOR2, PropertyType::VECTOR3, PropertyType::VECTOR4];
        head::<ShaderMaterialProperty>(body)
            .and_then(|property| types.iter().position(|ty| *ty == property.property_type))
            .map_or(0, |at| at + 1)
    }),
    Slot::by::<I32>("int", |body| property(body, &[PropertyType::INT]).into()),
    Slot::by::<u8>("bool", |body| property(body, &[PropertyType::BOOL]).into()),
];

// Animation channels (docs/formats/w3d/animation.md#channel-types).

/// The number of frames from first to last; zero if the order is reversed.
pub(crate) fn frames(first: U16, last: U16) -> usize {
    (usize::from(last.get()) + 1).saturating_sub(first.get().into())
}

pub(super) static ANIMATION_CHANNEL: &[Slot] = &[
    Slot::one::<AnimationChannel>("fields"),
    Slot::by::<F32>("values", |body| {
        head::<AnimationChannel>(body).map_or(0, |channel| {
            frames(channel.first_frame, channel.last_frame) * usize::from(channel.vector_len.get())
        })
    }),
    // The exporter wrote surplus floats until November 2001; loaders skip them.
    Slot::rest::<F32>("surplus"),
];

pub(super) static BIT_CHANNEL: &[Slot] = &[
    Slot::one::<BitChannel>("fields"),
    Slot::shown_by("bits", BITS, |body| {
        head::<BitChannel>(body)
            .map_or(0, |channel| frames(channel.first_frame, channel.last_frame).div_ceil(8))
    }),
];

/// The number of keys if each has `length` floats.
fn keys(body: &[u8], length: u8) -> usize {
    head::<TimeCodedChannel>(body)
        .filter(|channel| channel.vector_len == length)
        .map_or(0, |channel| size(channel.num_time_codes.get()))
}

pub(super) static TIME_CODED_CHANNEL: &[Slot] = &[
    Slot::one::<TimeCodedChannel>("time_coded"),
    Slot::by::<TimeCodedKey1>("keys", |body| keys(body, 1)),
    Slot::by::<TimeCodedKey2>("keys2", |body| keys(body, 2)),
    Slot::by::<TimeCodedKey3>("keys3", |body| keys(body, 3)),
    Slot::by::<TimeCodedKey4>("keys4", |body| keys(body, 4)),
];

/// Packets of sixteen differences: one per component for each sixteen frames.
fn packets(frames: usize, components: u8) -> usize {
    frames.div_ceil(16) * usize::from(components)
}

pub(super) static ADAPTIVE_DELTA_CHANNEL: &[Slot] = &[
    Slot::one::<AdaptiveDeltaChannel>("adaptive_delta"),
    Slot::by::<F32>("initial", |body| {
        head::<AdaptiveDeltaChannel>(body).map_or(0, |channel| channel.vector_len.into())
    }),
    Slot::by::<DeltaPacket4>("packets", |body| {
        head::<AdaptiveDeltaChannel>(body)
            .map_or(0, |channel| packets(size(channel.num_frames.get()), channel.vector_len))
    }),
    // Westwood's exporter leaves three bytes of its memory here (docs/formats/w3d/animation.md#adaptive-delta).
    Slot::rest::<u8>("junk"),
];

pub(super) static COMPRESSED_BIT_CHANNEL: &[Slot] = &[
    Slot::one::<CompressedBitChannel>("fields"),
    Slot::shown_by("switches", SWITCH, |body| word(body, 0).try_into().unwrap_or(usize::MAX)),
];

/// The header of a motion channel of this flavour.
fn motion(body: &[u8], flavor: u8) -> Option<&MotionChannel> {
    head::<MotionChannel>(body).filter(|channel| channel.flavor.get() == flavor)
}

fn motion_keys(body: &[u8]) -> usize {
    motion(body, 0).map_or(0, |channel| channel.num_time_codes.get().into())
}

fn motion_deltas(body: &[u8]) -> Option<&MotionChannel> {
    motion(body, 1).or_else(|| motion(body, 2))
}

fn motion_packets(body: &[u8], flavor: u8) -> usize {
    motion(body, flavor).map_or(0, |channel| packets(channel.num_time_codes.get().into(), channel.vector_len))
}

pub(super) static MOTION_CHANNEL: &[Slot] = &[
    Slot::one::<MotionChannel>("fields"),
    Slot::shown_by("time_codes", TIME_CODE_16, motion_keys),
    Slot::by::<Bytes<2>>("padding", |body| motion_keys(body) % 2),
    Slot::by::<F32>("values", |body| {
        motion(body, 0).map_or(0, |channel| motion_keys(body) * usize::from(channel.vector_len))
    }),
    Slot::by::<F32>("scale", |body| motion_deltas(body).is_some().into()),
    Slot::by::<F32>("initial", |body| motion_deltas(body).map_or(0, |channel| channel.vector_len.into())),
    Slot::by::<DeltaPacket4>("packets", |body| motion_packets(body, 1)),
    Slot::by::<DeltaPacket8>("packets8", |body| motion_packets(body, 2)),
];

// Models, lights, emitters (docs/formats/w3d/models.md#w3d-models).

pub(super) static PLACEHOLDER: &[Slot] =
    &[Slot::one::<Placeholder>("fields"), Slot::text_by("name", |body| size(word(body, 52)))];

pub(super) static PULSE: &[Slot] = &[
    Slot::one::<Pulse>("fields"),
    // The struct has 22 bytes; some compilers pad it to 24.
    Slot::by::<Bytes<2>>("padding", |body| (body.len() == 24).into()),
];

pub(super) static EMITTER_USER_DATA: &[Slot] =
    &[Slot::one::<EmitterUserData>("fields"), Slot::text_by("text", |body| size(word(body, 4)))];

pub(super) static EMITTER_PROPS: &[Slot] = &[
    Slot::one::<EmitterProperties>("fields"),
    Slot::by::<EmitterColorKey>("colors", |body| size(word(body, 0))),
    Slot::by::<EmitterKey>("opacities", |body| size(word(body, 4))),
    Slot::by::<EmitterKey>("sizes", |body| size(word(body, 8))),
];

// The count excludes the start key, and Earth & Beyond may exclude all keys. All keys in the chunk are read.
pub(super) static EMITTER_ROTATION: &[Slot] =
    &[Slot::one::<EmitterRotationHeader>("fields"), Slot::rest::<EmitterKey>("keys")];
pub(super) static EMITTER_FRAME: &[Slot] =
    &[Slot::one::<EmitterFrameHeader>("fields"), Slot::rest::<EmitterKey>("keys")];
pub(super) static EMITTER_BLUR_TIME: &[Slot] =
    &[Slot::one::<EmitterBlurTimeHeader>("fields"), Slot::rest::<EmitterKey>("keys")];

pub(super) static AGGREGATE_INFO: &[Slot] = &[
    Slot::one::<AggregateInfo>("fields"),
    Slot::by::<AggregateSubobject>("subobjects", |body| size(word(body, 32))),
];

pub(super) static TEXTURE_REPLACER_INFO: &[Slot] =
    &[Slot::one::<U32>("count"), Slot::by::<TextureReplacer>("replacers", |body| size(word(body, 0)))];

// Names of parts.

/// A label from a field of a record in the node or in its child of a kind.
macro_rules! labels {
    ($($name:ident: $record:ident $(in $chunk:ident)? => $label:expr;)*) => { $(
        pub(super) fn $name(node: &Node<'_>) -> Option<String> {
            $(let node = node.child(&$chunk)?;)?
            let label: fn(&$record) -> String = $label;
            node.value::<$record>().map(label)
        }
    )* };
}

labels! {
    mesh_name: MeshHeader3 in MESH_HEADER3 => MeshHeader3::full_name;
    hierarchy_name: HierarchyHeader in HIERARCHY_HEADER => |header| header.name.to_string();
    animation_name: AnimationHeader in ANIMATION_HEADER => |header| format!("{}.{}", header.hierarchy_name, header.name);
    compressed_animation_name: CompressedAnimationHeader in COMPRESSED_ANIMATION_HEADER =>
        |header| format!("{}.{}", header.hierarchy_name, header.name);
    morph_animation_name: MorphAnimHeader in MORPHANIM_HEADER => |header| format!("{}.{}", header.hierarchy_name, header.name);
    hmodel_name: HModelHeader in HMODEL_HEADER => |header| header.name.to_string();
    lodmodel_name: LodModelHeader in LODMODEL_HEADER => |header| header.name.to_string();
    collection_name: CollectionHeader in COLLECTION_HEADER => |header| header.name.to_string();
    emitter_name: EmitterHeader in EMITTER_HEADER => |header| header.name.to_string();
    aggregate_name: AggregateHeader in AGGREGATE_HEADER => |header| header.name.to_string();
    hlod_name: HlodHeader in HLOD_HEADER => |header| header.name.to_string();
    sound_name: SoundHeader in SOUNDROBJ_HEADER => |header| header.name.to_string();
    shader_material_name: ShaderMaterialHeader in SHADER_MATERIAL_HEADER => |header| header.shader_name.to_string();
    sub_object_name: HlodSubObject => |object| object.name.to_string();
    box_name: CollisionBox => |object| object.name.to_string();
    null_name: NullObject => |object| object.name.to_string();
}

fn child_text(node: &Node<'_>, chunk: &'static Chunk) -> Option<String> {
    node.child(chunk)?.text().map(|text| decode(text).into_owned())
}

pub(super) fn material3_name(node: &Node<'_>) -> Option<String> {
    child_text(node, &MATERIAL3_NAME)
}

pub(super) fn vertex_material_name(node: &Node<'_>) -> Option<String> {
    child_text(node, &VERTEX_MATERIAL_NAME)
}

pub(super) fn texture_name(node: &Node<'_>) -> Option<String> {
    child_text(node, &TEXTURE_NAME)
}

pub(super) fn dazzle_name(node: &Node<'_>) -> Option<String> {
    child_text(node, &DAZZLE_NAME)
}

pub(super) fn shdmesh_name(node: &Node<'_>) -> Option<String> {
    child_text(node, &SHDMESH_NAME)
}

pub(super) fn property_name(node: &Node<'_>) -> Option<String> {
    node.text().map(|text| decode(text).into_owned())
}
