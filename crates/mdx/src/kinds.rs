//! Every kind of part that a document is made of, except the tracks, which have a [table](crate::TRACKS) of their own.

use record::{Kind, LEFTOVER, Node, Record, Slot, U16, U32, Vec2, Vec3, Vec4};

use crate::frame::{CameraObject, Chunk, Counted, File, List, Object, Tagged, tag};
use crate::records::*;
use crate::tracks::TRACKS;

macro_rules! kinds {
    (
        parts { $($part:ident: $record:ident, $part_slot:literal;)* }
        leaves { $($leaf:ident: $leaf_name:literal, $leaf_framing:expr, [$($slot:expr),*], $leaf_label:expr, $leaf_doc:literal;)* }
        branches { $($branch:ident: $branch_name:literal, $branch_framing:expr, $branch_label:expr, $branch_doc:literal;)* }
    ) => {
        $(
            #[doc = concat!("[`", stringify!($record), "`], standing directly in its parent.")]
            pub static $part: Kind = Kind {
                name: stringify!($record),
                doc: $record::SCHEMA.doc,
                framing: &record::Inline,
                branch: false,
                slots: &[Slot::one::<$record>($part_slot)],
                label: None,
            };

            impl Part for $record {
                fn kind() -> &'static Kind {
                    &$part
                }
            }
        )*
        $(
            #[doc = $leaf_doc]
            pub static $leaf: Kind = Kind {
                name: $leaf_name,
                doc: $leaf_doc,
                framing: $leaf_framing,
                branch: false,
                slots: &[$($slot),*],
                label: $leaf_label,
            };
        )*
        $(
            #[doc = $branch_doc]
            pub static $branch: Kind = Kind {
                name: $branch_name,
                doc: $branch_doc,
                framing: $branch_framing,
                branch: true,
                slots: &[],
                label: $branch_label,
            };
        )*

        static DECLARED: &[&Kind] = &[$(&$part,)* $(&$leaf,)* $(&$branch,)* &LEFTOVER];
    };
}

/// A record that stands directly in its parent.
pub trait Part: Record {
    /// Its kind.
    fn kind() -> &'static Kind;
}

/// The tag that a node of this kind has as its [id](Node::id); 0 if its framing has none.
pub fn id_of(kind: &'static Kind) -> u32 {
    match kind.framing.word() {
        "chunk" | "array" | "track" if kind.name.len() == 4 => tag(kind.name),
        _ => 0,
    }
}

/// Every kind, those of the tracks included.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    let tracks = TRACKS.iter().flat_map(|row| row.layouts().iter().map(|layout| row.kind(*layout)));
    DECLARED.iter().copied().chain(tracks)
}

const CHUNK: &Chunk = &Chunk;
const ARRAY: &Counted = &Counted("array");

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
        VERS: "VERS", CHUNK, [Slot::one::<U32>("version")], None, "The format's version.";
        MODL: "MODL", CHUNK, [Slot::one::<Model>("model")], Some(model_name), "The model's name and bounds.";
        WOW_MODL: "MODL", CHUNK, [Slot::one::<WowModel>("wow_model")], Some(model_name), "The model's name and bounds, WoW alpha.";
        SEQS: "SEQS", CHUNK, [Slot::rest::<Sequence>("sequences")], None, "Sequences.";
        WOW_SEQS: "SEQS", CHUNK, [Slot::one::<U32>("count"), Slot::rest::<WowSequence>("wow_sequences")], None, "Sequences, WoW alpha.";
        GLBS: "GLBS", CHUNK, [Slot::rest::<U32>("durations")], None, "Global sequences: durations in milliseconds.";
        TEXS: "TEXS", CHUNK, [Slot::rest::<Texture>("textures")], None, "Textures.";
        PIVT: "PIVT", CHUNK, [Slot::rest::<Vec3>("pivots")], None, "Pivots of the nodes, by object id.";
        FAFX: "FAFX", CHUNK, [Slot::rest::<FaceEffect>("face_effects")], None, "Facial animation.";
        BPOS: "BPOS", CHUNK, [Slot::one::<U32>("count"), Slot::rest::<BindPose>("matrices")], None, "Rest matrices of the nodes, then of the cameras.";
        SNDS: "SNDS", CHUNK, [Slot::raw("data")], None, "Sounds; in no known file, and the descriptions disagree.";
        SNEM: "SNEM", CHUNK, [Slot::raw("data")], None, "Sound emitters; in no known file.";
        DILG: "DILG", CHUNK, [Slot::rest::<U32>("geosets")], None, "Geosets that can be picked (one source).";
        INFO: "INFO", CHUNK, [Slot::text("text")], None, "What a tool says about itself (MdxLib).";
        MDVI: "MDVI", CHUNK, [Slot::one::<U32>("version"), Slot::raw("data")], None, "What a tool keeps for itself (MdlVis).";
        UNKNOWN_CHUNK: "", CHUNK, [], None, "A chunk that nobody has described.";
        VRTX: "VRTX", ARRAY, [Slot::rest::<Vec3>("positions")], None, "Positions.";
        NRMS: "NRMS", ARRAY, [Slot::rest::<Vec3>("normals")], None, "Normals.";
        PTYP: "PTYP", ARRAY, [Slot::rest::<FaceType>("face_types")], None, "What the groups of indices draw.";
        WOW_PTYP: "PTYP", ARRAY, [Slot::rest::<WowFaceType>("wow_face_types")], None, "What the groups of indices draw, WoW alpha.";
        PCNT: "PCNT", ARRAY, [Slot::rest::<U32>("face_groups")], None, "How many indices each group has.";
        PVTX: "PVTX", ARRAY, [Slot::rest::<U16>("faces")], None, "Indices of vertices.";
        GNDX: "GNDX", ARRAY, [Slot::rest::<u8>("vertex_groups")], None, "Matrix group of each vertex.";
        MTGC: "MTGC", ARRAY, [Slot::rest::<U32>("matrix_groups")], None, "How many matrices each group has.";
        MATS: "MATS", ARRAY, [Slot::rest::<U32>("matrices")], None, "The groups' matrices: object ids of nodes.";
        TANG: "TANG", ARRAY, [Slot::rest::<Vec4>("tangents")], None, "Tangents; w is the handedness.";
        SKIN: "SKIN", ARRAY, [Slot::rest::<u8>("skin")], None, "Four bones and four weights per vertex; the count is of bytes.";
        WIDE_SKIN: "SKIN", ARRAY, [Slot::rest::<U16>("wide_skin")], None, "The same in 16-bit numbers, from version 1400 on.";
        UVBS: "UVBS", ARRAY, [Slot::rest::<Vec2>("texture_coordinates")], None, "A set of texture coordinates.";
        WOW_TEXTURE_COORDINATES: "TextureCoordinates", &record::Inline, [Slot::rest::<Vec2>("texture_coordinates")], None, "A set of texture coordinates, one for each vertex, WoW alpha.";
        BIDX: "BIDX", ARRAY, [Slot::rest::<[u8; 4]>("bone_indices")], None, "Four bones per vertex, in the order of matrix groups; best ignored.";
        BWGT: "BWGT", ARRAY, [Slot::rest::<[u8; 4]>("bone_weights")], None, "Four weights per vertex; byte k is that of index byte 3 - k.";
        TRI: "TRI ", ARRAY, [Slot::rest::<U16>("faces")], None, "Triangles of the collision mesh, WoW alpha.";
        EXTENTS: "Extents", &List, [Slot::rest::<Extent>("extents")], None, "Bounds of a geoset in each sequence.";
        SPLINE: "Spline", &List, [Slot::rest::<Vec3>("points")], None, "Points of the curve that an emitter emits from, WoW alpha.";
        WOW_VERTICES: "Vertices", &record::Inline, [Slot::rest::<WowVertex>("vertices")], None, "Vertices of a batch.";
        WOW_PRIMITIVE_TYPES: "PrimitiveTypes", &record::Inline, [Slot::rest::<U32>("primitive_types")], None, "Primitive types of a batch; 3 is triangles.";
        WOW_INDICES: "Indices", &record::Inline, [Slot::rest::<U16>("faces")], None, "Indices of a batch.";
        WOW_INDEX_PADDING: "IndexPadding", &record::Inline, [Slot::rest::<U16>("padding")], None, "What fills the indices up to a multiple of eight.";
        UNKNOWN_TRACK: "", &Tagged, [], None, "A track that nobody has described: its count, header and keys.";
    }
    branches {
        MDLX: "MDLX", &File, Some(file_name), "The file.";
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
        HTST: "HTST", CHUNK, None, "Hit test shapes, WoW alpha.";
        LAYS: "LAYS", ARRAY, None, "Layers of a material.";
        UVAS: "UVAS", ARRAY, None, "Sets of texture coordinates.";
        MATERIAL: "Material", &Object, None, "A material.";
        LAYER: "Layer", &Object, None, "A layer of a material.";
        TEXTURE_SLOT: "TextureSlot", &record::Inline, None, "A texture of a layer, with its track where it has one.";
        TEXTURE_ANIMATION: "TextureAnimation", &Object, None, "Tracks that move texture coordinates.";
        GEOSET: "Geoset", &Object, None, "A geoset.";
        GEOSET_ANIMATION: "GeosetAnimation", &Object, None, "How a geoset appears.";
        NODE: "Node", &Object, Some(node_name), "A node: its header and its tracks.";
        BONE_OBJECT: "Bone", &record::Inline, Some(object_name), "A bone.";
        LIGHT: "Light", &Object, Some(object_name), "A light.";
        HELPER: "Helper", &record::Inline, Some(object_name), "A helper: only a node.";
        ATTACHMENT: "Attachment", &Object, Some(object_name), "An attachment.";
        PARTICLE_EMITTER: "ParticleEmitter", &Object, Some(object_name), "A particle emitter.";
        PARTICLE_EMITTER_2: "ParticleEmitter2", &Object, Some(object_name), "A particle emitter 2.";
        POPCORN_EMITTER: "PopcornEmitter", &Object, Some(object_name), "A popcorn emitter.";
        RIBBON_EMITTER: "RibbonEmitter", &Object, Some(object_name), "A ribbon emitter.";
        EVENT_OBJECT: "EventObject", &record::Inline, Some(object_name), "An event object.";
        WOW_EVENT_OBJECT: "EventObject", &Object, Some(object_name), "An event object, WoW alpha.";
        CAMERA: "Camera", &CameraObject, Some(camera_name), "A camera.";
        COLLISION_SHAPE: "CollisionShape", &record::Inline, Some(object_name), "A collision shape.";
        HIT_TEST_SHAPE: "HitTestShape", &Object, Some(object_name), "A hit test shape, WoW alpha.";
        WOW_BATCH: "Batch", &record::Inline, None, "Vertices and indices of a geoset of version 1500.";
    }
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
