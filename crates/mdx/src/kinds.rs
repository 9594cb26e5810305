//! Every kind of part of a document, except the tracks, which have a separate [table](crate::TRACKS).

use record::{
    Branch, Count, Counted, Field, Handle, I32, Item, Kind, LEFTOVER, Node, Raw, Record, Schema, Slot, Type,
    U16, U32, Vec2, Vec3, Vec4,
};

use crate::frame::{self, tag};
use crate::records::*;
use crate::tracks::TRACKS;

/// Rows of the table: parts, leaves, then branches. A leaf's row says what it holds, and the type of its handle follows:
///
/// | shape | body | content of the handle |
/// |---|---|---|
/// | `value T "name"` | one value | `T` |
/// | `array T "name"` | values to the end | `[T]` |
/// | `counted T "name"` | a count, then values | `Counted<T>` |
/// | `text "name"` | a string | `str` |
/// | `raw "name"` | bytes of unknown layout | `Raw` |
/// | `unknown` | the same, without a name | `Raw` |
macro_rules! kinds {
    (
        parts { $($part:ident: $record:ident, $part_slot:literal;)* }
        leaves { $($leaf:ident: $leaf_name:literal, $leaf_framing:ident, $shape:ident $($ty:ident)? $([$element:ty])? $($slot:literal)*, $leaf_label:expr, $leaf_doc:literal;)* }
        branches { $($branch:ident: $branch_name:literal, $branch_framing:ident, $branch_label:expr, $branch_doc:literal;)* }
    ) => {
        $(
            #[doc = concat!("[`", stringify!($record), "`], standing directly in its parent.")]
            pub const $part: Handle<$record> = {
                static KIND: Kind = Kind {
                    doc: $record::SCHEMA.doc,
                    slots: &[Slot::one::<$record>($part_slot)],
                    ..Kind::new(stringify!($record), INLINE)
                };
                Handle::new(&KIND, &KIND)
            };

            impl Part for $record {
                fn kind() -> &'static Kind {
                    $part.kind
                }
            }
        )*
        $(
            #[doc = $leaf_doc]
            pub const $leaf: Handle<kinds!(@content $shape $($ty)? $([$element])?)> = {
                static KIND: Kind = Kind {
                    doc: $leaf_doc,
                    id: kinds!(@id $leaf_framing $leaf_name),
                    slots: kinds!(@slots $shape $($ty)? $([$element])? $($slot)*),
                    label: $leaf_label,
                    ..Kind::new($leaf_name, $leaf_framing)
                };
                Handle::new(&KIND, &KIND)
            };
        )*
        $(
            #[doc = $branch_doc]
            pub const $branch: Handle<Branch> = {
                static KIND: Kind = Kind {
                    doc: $branch_doc,
                    id: kinds!(@id $branch_framing $branch_name),
                    branch: true,
                    label: $branch_label,
                    ..Kind::new($branch_name, $branch_framing)
                };
                Handle::new(&KIND, &KIND)
            };
        )*

        static DECLARED: &[&Kind] = &[$($part.kind,)* $($leaf.kind,)* $($branch.kind,)* &LEFTOVER];
    };

    (@content value $ty:ident) => { $ty };
    (@content array $ty:ident) => { [$ty] };
    (@content array [$ty:ty]) => { [$ty] };
    (@content counted $ty:ident) => { Counted<$ty> };
    (@content text) => { str };
    (@content raw) => { Raw };
    (@content unknown) => { Raw };

    (@slots value $ty:ident $name:literal) => { &[Slot::one::<$ty>($name)] };
    (@slots array $ty:ident $name:literal) => { &[Slot::rest::<$ty>($name)] };
    (@slots array [$ty:ty] $name:literal) => { &[Slot::rest::<$ty>($name)] };
    (@slots counted $ty:ident $name:literal) => { &[Slot::one::<U32>("count"), Slot::rest::<$ty>($name)] };
    (@slots text $name:literal) => { &[Slot::text($name)] };
    (@slots raw $name:literal) => { &[Slot::raw($name)] };
    (@slots unknown) => { &[] };

    // Only these framings write a tag.
    (@id CHUNK $name:literal) => { tag_of($name) };
    (@id ARRAY $name:literal) => { tag_of($name) };
    (@id $framing:ident $name:literal) => { 0 };
}

/// A record directly in its parent.
pub trait Part: Record {
    /// Its kind.
    fn kind() -> &'static Kind;
}

/// The tag that a node of this kind has as its [id](Node::id); 0 if its framing has none.
pub const fn id_of(kind: &'static Kind) -> u32 {
    kind.id
}

/// The tag of a name; zero for unknown parts.
const fn tag_of(name: &str) -> u32 {
    if name.is_empty() { 0 } else { tag(name) }
}

/// Every kind, including those of the tracks.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    let tracks = TRACKS.iter().flat_map(|row| row.layouts().iter().map(|layout| row.kind(*layout)));
    DECLARED.iter().chain(VARIANTS).copied().chain(tracks)
}

const FILE: &frame::File = &frame::File;
const CHUNK: &frame::Chunk = &frame::Chunk;
const ARRAY: &frame::Counted = &frame::Counted("array");
const LIST: &frame::List = &frame::List;
const OBJECT: &frame::Object = &frame::Object;
const CAMERA_OBJECT: &frame::CameraObject = &frame::CameraObject;
const TAGGED: &frame::Tagged = &frame::Tagged;
const INLINE: &record::Inline = &record::Inline;

kinds! {
    parts {
        CAMERA_HEADER: CameraHeader, "camera";
        CAMERA_DEPTH_OF_FIELD: CameraDepthOfField, "depth_of_field";
        CAMERA_TARGET: CameraTarget, "target";
        MATERIAL_HEADER: MaterialHeader, "material";
        MATERIAL_SHADER: MaterialShader, "shader";
        LAYER_HEADER: LayerHeader, "layer";
        LAYER_EMISSIVE: LayerEmissive, "emissive";
        LAYER_FRESNEL: LayerFresnel, "fresnel";
        LAYER_SHADER: LayerShader, "shader";
        TEXTURE_REFERENCE: TextureReference, "texture";
        GEOSET_HEADER: GeosetHeader, "geoset";
        GEOSET_LEVEL_OF_DETAIL: GeosetLevelOfDetail, "level_of_detail";
        GEOSET_BOUNDS: GeosetBounds, "bounds";
        GEOSET_ANIMATION_HEADER: GeosetAnimationHeader, "geoset_animation";
        NODE_HEADER: NodeHeader, "node";
        BONE_LINKS: BoneLinks, "bone";
        LIGHT_KIND: LightKind, "light";
        LIGHT_SHADOW_CASTING: LightShadowCasting, "shadow_casting";
        LIGHT_COLOR: LightColor, "color";
        LIGHT_AMBIENT: LightAmbient, "ambient";
        LIGHT_SHADOW_INTENSITY: LightShadowIntensity, "shadow_intensity";
        LIGHT_SHADOW_RANGE: LightShadowRange, "shadow_range";
        LIGHT_FALLOFF: LightFalloff, "falloff";
        ATTACHMENT_HEADER: AttachmentHeader, "attachment";
        COLLISION_KIND: CollisionKind, "collision";
        SHAPE_BOX: ShapeBox, "box";
        SHAPE_SPHERE: ShapeSphere, "sphere";
        SHAPE_CYLINDER: ShapeCylinder, "cylinder";
        SHAPE_PLANE: ShapePlane, "plane";
        PARTICLE_EMITTER_HEADER: ParticleEmitterHeader, "emitter";
        PARTICLE_EMITTER_2_HEADER: ParticleEmitter2Header, "emitter";
        POPCORN_EMITTER_HEADER: PopcornEmitterHeader, "emitter";
        RIBBON_EMITTER_HEADER: RibbonEmitterHeader, "emitter";
        MDLVIS_KIND: MdlVisKind, "mdlvis";
        MDLVIS_GROUP_COUNT: MdlVisGroupCount, "groups";
        WOW_COUNT: WowCount, "objects";
        WOW_MATERIAL_COUNT: WowMaterialCount, "materials";
        WOW_ATTACHMENT_COUNT: WowAttachmentCount, "attachments";
        WOW_MATERIAL_HEADER: WowMaterialHeader, "material";
        WOW_GEOSET_ANIMATION_HEADER: WowGeosetAnimationHeader, "geoset_animation";
        WOW_NODE_HEADER: WowNodeHeader, "node";
        WOW_ATTACHMENT_HEADER: WowAttachmentHeader, "attachment";
        HIT_TEST_KIND: HitTestKind, "hit_test";
        WOW_SHAPE_CYLINDER: WowShapeCylinder, "cylinder";
        WOW_PARTICLE_EMITTER_2_HEADER: WowParticleEmitter2Header, "emitter";
        WOW_SQUIRT: WowSquirt, "squirt";
        WOW_EMITTER_SIZE: WowEmitterSize, "emitter_size";
        WOW_GEOSET_SECTION: WowGeosetSection, "geoset";
        WOW_BATCH_HEADER: WowBatchHeader, "batch";
    }
    leaves {
        VERS: "VERS", CHUNK, value U32 "version", None, "The format's version.";
        MODL: "MODL", CHUNK, value Model "model", Some(model_name), "The model's name and bounds.";
        WOW_MODL: "MODL", CHUNK, value WowModel "wow_model", Some(model_name), "The model's name and bounds, WoW alpha.";
        SEQS: "SEQS", CHUNK, array Sequence "sequences", None, "Sequences.";
        WOW_SEQS: "SEQS", CHUNK, counted WowSequence "wow_sequences", None, "Sequences, WoW alpha.";
        GLBS: "GLBS", CHUNK, array U32 "durations", None, "Global sequences: durations in milliseconds.";
        TEXS: "TEXS", CHUNK, array Texture "textures", None, "Textures.";
        PIVT: "PIVT", CHUNK, array Vec3 "pivots", None, "Pivots of the nodes, by object id.";
        FAFX: "FAFX", CHUNK, array FaceEffect "face_effects", None, "Facial animation.";
        BPOS: "BPOS", CHUNK, counted BindPose "matrices", None, "Rest matrices of the nodes, then of the cameras.";
        SNDS: "SNDS", CHUNK, raw "data", None, "Sounds; in no known file, and sources disagree about the layout.";
        SNEM: "SNEM", CHUNK, raw "data", None, "Sound emitters; in no known file.";
        DILG: "DILG", CHUNK, array U32 "geosets", None, "Geosets that can be picked (one source).";
        INFO: "INFO", CHUNK, text "text", None, "Text of the tool MdxLib.";
        UNKNOWN_CHUNK: "", CHUNK, unknown, None, "Chunk of unknown tag.";
        VRTX: "VRTX", ARRAY, array Vec3 "positions", None, "Positions.";
        NRMS: "NRMS", ARRAY, array Vec3 "normals", None, "Normals.";
        PTYP: "PTYP", ARRAY, array FaceType "face_types", None, "Primitive types of the groups of indices.";
        WOW_PTYP: "PTYP", ARRAY, array WowFaceType "wow_face_types", None, "Primitive types of the groups of indices, WoW alpha.";
        PCNT: "PCNT", ARRAY, array U32 "face_groups", None, "Number of indices of each group of faces.";
        PVTX: "PVTX", ARRAY, array U16 "faces", None, "Indices of vertices.";
        GNDX: "GNDX", ARRAY, array u8 "vertex_groups", None, "Matrix group of each vertex.";
        MTGC: "MTGC", ARRAY, array U32 "matrix_groups", None, "Number of nodes of each matrix group.";
        MATS: "MATS", ARRAY, array U32 "matrices", None, "Object ids of the nodes of all matrix groups.";
        TANG: "TANG", ARRAY, array Vec4 "tangents", None, "Tangents; w is the handedness.";
        SKIN: "SKIN", ARRAY, array u8 "skin", None, "Four bones and four weights per vertex; the count is of bytes.";
        WIDE_SKIN: "SKIN", ARRAY, array U16 "wide_skin", None, "Four bones and four weights per vertex in 16-bit numbers, from version 1400 on.";
        UVBS: "UVBS", ARRAY, array Vec2 "texture_coordinates", None, "A set of texture coordinates.";
        WOW_TEXTURE_COORDINATES: "TextureCoordinates", INLINE, array Vec2 "texture_coordinates", None, "A set of texture coordinates, one for each vertex, WoW alpha.";
        BIDX: "BIDX", ARRAY, array [[u8; 4]] "bone_indices", None, "Four bones per vertex, in the order of matrix groups; best ignored.";
        BWGT: "BWGT", ARRAY, array [[u8; 4]] "bone_weights", None, "Four weights per vertex; byte k is that of index byte 3 - k.";
        TRI: "TRI ", ARRAY, array U16 "faces", None, "Triangles of the collision mesh, WoW alpha.";
        MDLVIS_GEOSETS: "MdlVisGeosets", INLINE, array I32 "geosets", None, "A number for each geoset (MdlVis).";
        MDLVIS_GROUP: "MdlVisGroup", LIST, array MdlVisVertex "vertices", None, "Vertices that belong together (MdlVis).";
        MDLVIS_NORMALS: "MdlVisNormals", LIST, array MdlVisNormal "normals", None, "Normals that were set by hand (MdlVis).";
        EXTENTS: "Extents", LIST, array Extent "extents", None, "Bounds of a geoset in each sequence.";
        SPLINE: "Spline", LIST, array Vec3 "points", None, "Points of the curve that an emitter emits from, WoW alpha.";
        WOW_VERTICES: "Vertices", INLINE, array WowVertex "vertices", None, "Vertices of a batch.";
        WOW_PRIMITIVE_TYPES: "PrimitiveTypes", INLINE, array U32 "primitive_types", None, "Primitive types of a batch; 3 is triangles.";
        WOW_INDICES: "Indices", INLINE, array U16 "faces", None, "Indices of a batch.";
        WOW_INDEX_PADDING: "IndexPadding", INLINE, array U16 "padding", None, "Padding of the indices to a multiple of eight.";
        UNKNOWN_TRACK: "", TAGGED, unknown, None, "Track of unknown tag: count, header and keys.";
    }
    branches {
        MDLX: "MDLX", FILE, Some(file_name), "The file.";
        MTLS: "MTLS", CHUNK, None, "Materials.";
        TXAN: "TXAN", CHUNK, None, "Texture animations.";
        GEOS: "GEOS", CHUNK, None, "Geosets.";
        GEOA: "GEOA", CHUNK, None, "Geoset animations.";
        BONE: "BONE", CHUNK, None, "Bones.";
        LITE: "LITE", CHUNK, None, "Lights.";
        HELP: "HELP", CHUNK, None, "Helpers.";
        ATCH: "ATCH", CHUNK, None, "Attachments.";
        PREM: "PREM", CHUNK, None, "Particle emitters.";
        PRE2: "PRE2", CHUNK, None, "Particle emitters 2.";
        CORN: "CORN", CHUNK, None, "Popcorn emitters.";
        RIBB: "RIBB", CHUNK, None, "Ribbon emitters.";
        EVTS: "EVTS", CHUNK, None, "Event objects.";
        CAMS: "CAMS", CHUNK, None, "Cameras.";
        CLID: "CLID", CHUNK, None, "Collision: shapes in Warcraft III, a mesh in the WoW alpha.";
        MDVI: "MDVI", CHUNK, None, "Data of the tool MdlVis.";
        HTST: "HTST", CHUNK, None, "Hit test shapes, WoW alpha.";
        LAYS: "LAYS", ARRAY, None, "Layers of a material.";
        UVAS: "UVAS", ARRAY, None, "Sets of texture coordinates.";
        MATERIAL: "Material", OBJECT, None, "A material.";
        LAYER: "Layer", OBJECT, None, "A layer of a material.";
        TEXTURE_SLOT: "TextureSlot", INLINE, None, "A texture of a layer, with its track where it has one.";
        TEXTURE_ANIMATION: "TextureAnimation", OBJECT, None, "Tracks that move texture coordinates.";
        GEOSET: "Geoset", OBJECT, None, "A geoset.";
        GEOSET_ANIMATION: "GeosetAnimation", OBJECT, None, "Geoset animation: alpha and colour of a geoset.";
        NODE: "Node", OBJECT, Some(node_name), "Node: header and tracks.";
        BONE_OBJECT: "Bone", INLINE, Some(object_name), "A bone.";
        LIGHT: "Light", OBJECT, Some(object_name), "A light.";
        HELPER: "Helper", INLINE, Some(object_name), "A helper: only a node.";
        ATTACHMENT: "Attachment", OBJECT, Some(object_name), "An attachment.";
        PARTICLE_EMITTER: "ParticleEmitter", OBJECT, Some(object_name), "A particle emitter.";
        PARTICLE_EMITTER_2: "ParticleEmitter2", OBJECT, Some(object_name), "A particle emitter 2.";
        POPCORN_EMITTER: "PopcornEmitter", OBJECT, Some(object_name), "A popcorn emitter.";
        RIBBON_EMITTER: "RibbonEmitter", OBJECT, Some(object_name), "A ribbon emitter.";
        EVENT_OBJECT: "EventObject", INLINE, Some(object_name), "An event object.";
        WOW_EVENT_OBJECT: "EventObject", OBJECT, Some(object_name), "An event object, WoW alpha.";
        CAMERA: "Camera", CAMERA_OBJECT, Some(camera_name), "A camera.";
        COLLISION_SHAPE: "CollisionShape", INLINE, Some(object_name), "A collision shape.";
        HIT_TEST_SHAPE: "HitTestShape", OBJECT, Some(object_name), "A hit test shape, WoW alpha.";
        WOW_BATCH: "Batch", INLINE, None, "Vertices and indices of a geoset of version 1500.";
    }
}

/// Kinds that are variants of others: the same records, some of whose values have other names here.
macro_rules! variants {
    ($($name:ident of $base:ident: $record:ident[$field:literal] as $ty:expr, $slot:literal $count:ident, $framing:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            pub const $name: Handle<variants!(@content $count $record)> = {
                const FIELDS: &[Field] = $record::SCHEMA.fields;
                static SHOWN: [Field; FIELDS.len()] = {
                    let mut fields = [FIELDS[0]; FIELDS.len()];
                    let mut index = 0;
                    while index < fields.len() {
                        fields[index] = FIELDS[index];
                        index += 1;
                    }
                    fields[$field].ty = $ty;
                    fields
                };
                // The name is that of the record, because programs read it as such.
                static SCHEMA: Schema = Schema { fields: &SHOWN, ..*$record::SCHEMA };
                static KIND: Kind = Kind {
                    doc: $doc,
                    id: $base.kind.id,
                    slots: &[Slot { name: $slot, item: Item::Value(Type::Record(&SCHEMA)), count: Count::$count }],
                    base: Some($base.kind),
                    ..Kind::new($base.kind.name, $framing)
                };
                Handle::new(&KIND, &KIND)
            };
        )*

        static VARIANTS: &[&Kind] = &[$($name.kind,)*];
    };

    (@content One $record:ident) => { $record };
    (@content Rest $record:ident) => { [$record] };
}

variants! {
    PREM_NODE_HEADER of NODE_HEADER: NodeHeader[3] as Type::Flags(ParticleEmitterFlags::NAMES), "particle_emitter_node" One, INLINE, "The node of a particle emitter.";
    WOW_PREM_NODE_HEADER of WOW_NODE_HEADER: WowNodeHeader[3] as Type::Flags(WowParticleEmitterFlags::NAMES), "particle_emitter_node" One, INLINE, "The node of a particle emitter, WoW alpha.";
    WOW_TEXS of TEXS: Texture[0] as WOW_REPLACEABLE, "wow_textures" Rest, CHUNK, "Textures, WoW alpha.";
    WOW_GEOSET_HEADER of GEOSET_HEADER: GeosetHeader[1] as BODY_PART, "wow_geoset" One, INLINE, "What a geoset is, WoW alpha.";
}

fn model_name(node: &Node<'_>) -> Option<String> {
    let warcraft = node.value::<Model>().map(|model| model.name);
    warcraft.or_else(|| node.value::<WowModel>().map(|model| model.name)).map(|name| name.to_string())
}

fn file_name(node: &Node<'_>) -> Option<String> {
    node.children().iter().find(|child| child.is(&MODL) || child.is(&WOW_MODL)).and_then(model_name)
}

fn node_name(node: &Node<'_>) -> Option<String> {
    let header = node.children().first()?;
    let warcraft = header.value::<NodeHeader>().map(|header| header.name);
    warcraft
        .or_else(|| header.value::<WowNodeHeader>().map(|header| header.name))
        .map(|name| name.to_string())
}

fn object_name(node: &Node<'_>) -> Option<String> {
    node.child(&NODE).and_then(node_name)
}

fn camera_name(node: &Node<'_>) -> Option<String> {
    node.child(&CAMERA_HEADER)?.value::<CameraHeader>().map(|camera| camera.name.to_string())
}
