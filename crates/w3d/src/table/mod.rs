//! The chunk table: every id of the format with the place it stands in, its record, its count rule, the games that know it.
//!
//! One row per chunk. An id means the same everywhere, except inside the few chunks that have a [scope](Scope) of their own:
//! spheres, rings, sounds and shader definitions number their parts from 1 or 0x100 again.

mod counts;
mod macros;
mod scopes;
mod slots;

use std::collections::HashMap;
use std::sync::LazyLock;

use record::{Inline, Kind, LEFTOVER, Slot, U32, Vec2, Vec3};

use crate::chunk::{Chunk, ChunkFraming, Games, MicroFraming, Rule, Scope, Shape};
use crate::records::*;
pub(crate) use counts::{LEAF_COUNTS, SIBLING_COUNTS};
use macros::{chunks, prefixes};
pub use scopes::{channel, ring, shader_def, sound, sphere};

/// Three indices, one per corner of a triangle.
type Corners = [U32; 3];
/// The same in 16 bits.
type ShortCorners = [record::U16; 3];

/// The whole file.
pub static FILE: Kind = Kind { doc: "A W3D file.", branch: true, ..Kind::new("FILE", &Inline) };

/// A chunk whose id is in no table.
pub static UNKNOWN: Kind = Kind { doc: "A chunk of unknown id.", ..Kind::new("", &ChunkFraming) };

/// A micro-chunk whose id is in no table.
pub static UNKNOWN_MICRO: Kind = Kind { doc: "A micro-chunk of unknown id.", ..Kind::new("", &MicroFraming) };

prefixes! {
    /// The record before a deform's sets.
    DEFORM_HEADER: Deform;
    /// The record before a deform set's keyframes.
    DEFORM_SET_HEADER: DeformSet;
    /// The record before a deform keyframe's data.
    DEFORM_KEYFRAME_HEADER: DeformKeyframe;
}

chunks! {
    pub static CHUNKS of ChunkFraming;

    // Meshes.
    /// A mesh.
    MESH 0x0 [FILE] ALL branch, label slots::mesh_name;
    /// Obsolete: header of versions 1 and 2.
    MESH_HEADER 0x1 [MESH] OLD record MeshHeader;
    /// Positions; in skins, each in the space of its bone.
    VERTICES 0x2 [MESH SHDMESH] ALL array "vertices" Vec3, rule PerVertex;
    /// Normals; in skins, each in the space of its bone.
    VERTEX_NORMALS 0x3 [MESH SHDMESH] ALL array "normals" Vec3, rule PerVertex;
    /// Obsolete: normals of the Surrender renderer, read as normals.
    SURRENDER_NORMALS 0x4 [MESH] OLD array "normals" Vec3, rule PerVertex;
    /// Obsolete: texture coordinates, read as those of a stage.
    TEXCOORDS 0x5 [MESH TEXTURE_STAGE] OLD array "texcoords" Vec2, rule PerVertex;
    /// Obsolete: materials of version 1.
    MATERIALS 0x6 [MESH] OLD array "materials" Material1, alias "O_W3D_CHUNK_MATERIALS";
    /// Obsolete: triangles; no layout survives.
    O_TRIANGLES 0x7 [MESH] OLD raw, alias "O_W3D_CHUNK_TRIANGLES";
    /// Obsolete: quads; no layout survives.
    QUADRANGLES 0x8 [MESH] OLD raw, alias "O_W3D_CHUNK_QUADRANGLES";
    /// Obsolete: triangles of the Surrender renderer.
    SURRENDER_TRIANGLES 0x9 [MESH] OLD array "triangles" SurrenderTriangle, alias "O_W3D_CHUNK_SURRENDER_TRIANGLES";
    /// Obsolete: POV triangles; no layout survives.
    POV_TRIANGLES 0xA [MESH] OLD raw, alias "O_W3D_CHUNK_POV_TRIANGLES";
    /// Obsolete: POV quads; no layout survives.
    POV_QUADRANGLES 0xB [MESH] OLD raw, alias "O_W3D_CHUNK_POV_QUADRANGLES";
    /// The comment from 3ds Max.
    MESH_USER_TEXT 0xC [MESH SHDMESH] ALL text "text";
    /// Obsolete: colours.
    VERTEX_COLORS 0xD [MESH] OLD array "colors" Rgb, rule PerVertex;
    /// The bones of each vertex: one without weight, or two with weights in percent.
    VERTEX_INFLUENCES 0xE [MESH SHDMESH] ALL array "influences" VertexInfluence, rule PerVertex;
    /// Obsolete: a damage stage.
    DAMAGE 0xF [MESH] OLD branch;
    /// Obsolete: size of a damage stage.
    DAMAGE_HEADER 0x10 [DAMAGE] OLD record DamageHeader;
    /// Obsolete: moved vertices.
    DAMAGE_VERTICES 0x11 [DAMAGE] OLD array "vertices" DamageVertex, rule Header("num_damage_verts");
    /// Obsolete: coloured vertices.
    DAMAGE_COLORS 0x12 [DAMAGE] OLD array "colors" DamageColor, rule Header("num_damage_colors");
    /// Obsolete: materials of a damage stage; no layout survives.
    DAMAGE_MATERIALS 0x13 [DAMAGE] OLD raw;
    /// Obsolete: materials of version 2.
    MATERIALS2 0x14 [MESH] OLD array "materials" Material2, alias "O_W3D_CHUNK_MATERIALS2";
    /// Obsolete: materials of version 3.
    MATERIALS3 0x15 [MESH] OLD branch;
    /// Obsolete: a material of version 3.
    MATERIAL3 0x16 [MATERIALS3] OLD branch, label slots::material3_name;
    /// Obsolete: its name.
    MATERIAL3_NAME 0x17 [MATERIAL3] OLD text "name";
    /// Obsolete: its colours.
    MATERIAL3_INFO 0x18 [MATERIAL3] OLD record Material3Info;
    /// Obsolete: its diffuse colour map.
    MATERIAL3_DC_MAP 0x19 [MATERIAL3] OLD branch;
    /// Obsolete: a map's file.
    MAP3_FILENAME 0x1A [MATERIAL3_DC_MAP MATERIAL3_DI_MAP MATERIAL3_SC_MAP MATERIAL3_SI_MAP] OLD text "name";
    /// Obsolete: how a map is laid on.
    MAP3_INFO 0x1B [MATERIAL3_DC_MAP MATERIAL3_DI_MAP MATERIAL3_SC_MAP MATERIAL3_SI_MAP] OLD record Map3Info;
    /// Obsolete: its diffuse illumination map.
    MATERIAL3_DI_MAP 0x1C [MATERIAL3] OLD branch;
    /// Obsolete: its specular colour map.
    MATERIAL3_SC_MAP 0x1D [MATERIAL3] OLD branch;
    /// Obsolete: its specular illumination map.
    MATERIAL3_SI_MAP 0x1E [MATERIAL3] OLD branch;
    /// What the mesh is and how much of everything it has.
    MESH_HEADER3 0x1F [MESH] ALL record MeshHeader3;
    /// Triangles.
    TRIANGLES 0x20 [MESH SHDMESH] ALL array "triangles" Triangle, rule PerTriangle;
    /// Obsolete: the version 3 material of each triangle.
    PER_TRI_MATERIALS 0x21 [MESH] OLD array "materials" record::U16, rule PerTriangle;
    /// For each vertex, the first one that shares its shading.
    VERTEX_SHADE_INDICES 0x22 [MESH SHDMESH] ALL array "indices" U32, rule PerVertex;
    /// Materials for a mesh without prelighting.
    PRELIT_UNLIT 0x23 [MESH] ALL branch;
    /// Materials for a mesh prelit per vertex.
    PRELIT_VERTEX 0x24 [MESH] ALL branch;
    /// Materials for a mesh lightmapped in several passes.
    PRELIT_LIGHTMAP_MULTI_PASS 0x25 [MESH] ALL branch;
    /// Materials for a mesh lightmapped with several textures.
    PRELIT_LIGHTMAP_MULTI_TEXTURE 0x26 [MESH] ALL branch;
    /// How many materials of each kind follow.
    MATERIAL_INFO 0x28 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL record MaterialInfo;
    /// Blending of the passes.
    SHADERS 0x29 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL array "shaders" Shader, rule Header("shader_count");
    /// The vertex materials.
    VERTEX_MATERIALS 0x2A [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL branch, rule Header("vertex_material_count");
    /// A vertex material.
    VERTEX_MATERIAL 0x2B [VERTEX_MATERIALS] ALL branch, label slots::vertex_material_name;
    /// Its name.
    VERTEX_MATERIAL_NAME 0x2C [VERTEX_MATERIAL] ALL text "name";
    /// Its colours and mappers.
    VERTEX_MATERIAL_INFO 0x2D [VERTEX_MATERIAL] ALL record VertexMaterialInfo;
    /// Arguments of the first stage's mapper: lines of `Key=Value`.
    VERTEX_MAPPER_ARGS0 0x2E [VERTEX_MATERIAL] ALL text "args";
    /// Arguments of the second stage's mapper: lines of `Key=Value`.
    VERTEX_MAPPER_ARGS1 0x2F [VERTEX_MATERIAL] ALL text "args";
    /// The textures.
    TEXTURES 0x30 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL branch, rule Header("texture_count");
    /// A texture.
    TEXTURE 0x31 [TEXTURES] ALL branch, label slots::texture_name;
    /// Its file.
    TEXTURE_NAME 0x32 [TEXTURE] ALL text "name";
    /// How it is loaded.
    TEXTURE_INFO 0x33 [TEXTURE] ALL record TextureInfo;
    /// One pass of drawing.
    MATERIAL_PASS 0x38 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL branch;
    /// Vertex materials.
    VERTEX_MATERIAL_IDS 0x39 [MATERIAL_PASS] ALL array "ids" U32, rule OneOrPerVertex;
    /// Shaders.
    SHADER_IDS 0x3A [MATERIAL_PASS] ALL array "ids" U32, rule OneOrPerTriangle;
    /// Diffuse colours.
    DCG 0x3B [MATERIAL_PASS] ALL array "colors" Rgba, rule PerVertex;
    /// Diffuse illumination; engines multiply it into the diffuse colours.
    DIG 0x3C [MATERIAL_PASS] ALL array "colors" Rgb, rule PerVertex;
    /// Specular colours; engines ignore them.
    SCG 0x3E [MATERIAL_PASS] ALL array "colors" Rgb, rule PerVertex;
    /// Shader materials.
    SHADER_MATERIAL_ID 0x3F [MATERIAL_PASS] FX array "ids" U32, rule OneOrPerTriangle, alias "W3D_CHUNK_FXSHADER_IDS";
    /// One texture of a pass.
    TEXTURE_STAGE 0x48 [MATERIAL_PASS] ALL branch;
    /// Textures; 0xFFFFFFFF for none.
    TEXTURE_IDS 0x49 [TEXTURE_STAGE] ALL array "ids" U32, rule OneOrPerTriangle;
    /// Texture coordinates, V upwards.
    STAGE_TEXCOORDS 0x4A [TEXTURE_STAGE MATERIAL_PASS] ALL array "texcoords" Vec2, rule PerVertex;
    /// Texture coordinates of each corner of a triangle; engines skip it.
    PER_FACE_TEXCOORD_IDS 0x4B [TEXTURE_STAGE] ALL array "ids" Corners, rule PerTriangle;
    /// The FX shader materials.
    SHADER_MATERIALS 0x50 [MESH] FX branch, alias "W3D_CHUNK_FX_SHADERS";
    /// An FX shader material.
    SHADER_MATERIAL 0x51 [SHADER_MATERIALS] FX branch, label slots::shader_material_name, alias "W3D_CHUNK_FX_SHADER";
    /// Its shader.
    SHADER_MATERIAL_HEADER 0x52 [SHADER_MATERIAL] FX record ShaderMaterialHeader, alias "W3D_CHUNK_FX_SHADER_INFO";
    /// One of its properties.
    SHADER_MATERIAL_PROPERTY 0x53 [SHADER_MATERIAL] FX slots slots::PROPERTY, head ShaderMaterialProperty, label slots::property_name, alias "W3D_CHUNK_FX_SHADER_CONSTANT";
    /// Damage: how vertices move and change colour.
    DEFORM 0x58 [MESH] ALL prefixed DEFORM_HEADER;
    /// A set of keyframes.
    DEFORM_SET 0x59 [DEFORM] ALL prefixed DEFORM_SET_HEADER;
    /// A keyframe.
    DEFORM_KEYFRAME 0x5A [DEFORM_SET] ALL prefixed DEFORM_KEYFRAME_HEADER;
    /// Moved vertices.
    DEFORM_DATA 0x5B [DEFORM_KEYFRAME] ALL array "data" DeformData;
    /// Tangents.
    TANGENTS 0x60 [MESH] FX array "tangents" Vec3, rule PerVertex;
    /// Bitangents.
    BITANGENTS 0x61 [MESH] FX array "bitangents" Vec3, rule PerVertex, alias "W3D_CHUNK_BINORMALS";
    /// Shaders of the PlayStation 2, one per shader.
    PS2_SHADERS 0x80 [MESH] ALL array "shaders" Ps2Shader, rule Header("shader_count");
    /// The collision tree.
    AABTREE 0x90 [MESH SHDMESH] ALL branch;
    /// Its size.
    AABTREE_HEADER 0x91 [AABTREE] ALL record AabTreeHeader;
    /// Triangles, in the order of the leaves.
    AABTREE_POLYINDICES 0x92 [AABTREE] ALL array "indices" U32, rule Header("poly_count");
    /// Its boxes, the root first.
    AABTREE_NODES 0x93 [AABTREE] ALL array "nodes" AabTreeNode, rule Header("node_count");

    // Skeletons.
    /// A skeleton.
    HIERARCHY 0x100 [FILE] ALL branch, label slots::hierarchy_name;
    /// Its name and size.
    HIERARCHY_HEADER 0x101 [HIERARCHY] ALL record HierarchyHeader;
    /// Its bones.
    PIVOTS 0x102 [HIERARCHY] ALL array "pivots" Pivot, rule PerPivot;
    /// The exporter's corrections.
    PIVOT_FIXUPS 0x103 [HIERARCHY] ALL array "fixups" PivotFixup, rule PerPivot;
    /// Unknown; perhaps of Earth & Beyond. No loader knows it.
    PIVOT_UNKNOWN1 0x104 [HIERARCHY] OLD raw;

    // Animations.
    /// An animation.
    ANIMATION 0x200 [FILE] ALL branch, label slots::animation_name;
    /// Its name, skeleton and length.
    ANIMATION_HEADER 0x201 [ANIMATION] ALL record AnimationHeader;
    /// Floats of one bone.
    ANIMATION_CHANNEL 0x202 [ANIMATION] ALL slots slots::ANIMATION_CHANNEL, head AnimationChannel;
    /// Bits of one bone.
    BIT_CHANNEL 0x203 [ANIMATION] ALL slots slots::BIT_CHANNEL, head BitChannel;
    /// A compressed animation.
    COMPRESSED_ANIMATION 0x280 [FILE] ALL branch, label slots::compressed_animation_name;
    /// Its name, skeleton, length and storage.
    COMPRESSED_ANIMATION_HEADER 0x281 [COMPRESSED_ANIMATION] ALL record CompressedAnimationHeader;
    /// Values of one bone: keys with times.
    COMPRESSED_ANIMATION_CHANNEL 0x282 [COMPRESSED_ANIMATION] ALL slots slots::TIME_CODED_CHANNEL, head TimeCodedChannel, or ADAPTIVE_DELTA_CHANNEL;
    /// Switches of one bone.
    COMPRESSED_BIT_CHANNEL 0x283 [COMPRESSED_ANIMATION] ALL slots slots::COMPRESSED_BIT_CHANNEL, head CompressedBitChannel;
    /// Values of one bone, in one of three forms (BFME II).
    COMPRESSED_ANIMATION_MOTION_CHANNEL 0x284 [COMPRESSED_ANIMATION] FX slots slots::MOTION_CHANNEL, head MotionChannel;
    /// Transitions between poses, for faces.
    MORPH_ANIMATION 0x2C0 [FILE] ALL branch, label slots::morph_animation_name;
    /// Its name and size.
    MORPHANIM_HEADER 0x2C1 [MORPH_ANIMATION] ALL record MorphAnimHeader;
    /// A channel: pose name, then keys.
    MORPHANIM_CHANNEL 0x2C2 [MORPH_ANIMATION] ALL branch;
    /// The animation that holds the poses, `Hierarchy.Animation`.
    MORPHANIM_POSENAME 0x2C3 [MORPHANIM_CHANNEL] ALL text "name";
    /// Its keys.
    MORPHANIM_KEYDATA 0x2C4 [MORPHANIM_CHANNEL] ALL array "keys" MorphKey;
    /// The channel that moves each pivot.
    MORPHANIM_PIVOTCHANNELDATA 0x2C5 [MORPH_ANIMATION] ALL array "channels" U32, rule PerPivot;

    // Models.
    /// A hierarchy model.
    HMODEL 0x300 [FILE] ALL branch, label slots::hmodel_name;
    /// Its name and skeleton.
    HMODEL_HEADER 0x301 [HMODEL] ALL record HModelHeader;
    /// An object on a bone.
    NODE 0x302 [HMODEL] ALL record HModelNode;
    /// A collision mesh on a bone.
    COLLISION_NODE 0x303 [HMODEL] ALL record HModelNode;
    /// A skin.
    SKIN_NODE 0x304 [HMODEL] ALL record HModelNode;
    /// Obsolete: counts and detail range.
    HMODEL_AUX_DATA 0x305 [HMODEL] OLD record HModelAuxData, alias "OBSOLETE_W3D_CHUNK_HMODEL_AUX_DATA";
    /// Obsolete: a shadow on a bone.
    SHADOW_NODE 0x306 [HMODEL] OLD record HModelNode, alias "OBSOLETE_W3D_CHUNK_SHADOW_NODE";
    /// Objects of falling detail.
    LODMODEL 0x400 [FILE] ALL branch, label slots::lodmodel_name;
    /// Its name.
    LODMODEL_HEADER 0x401 [LODMODEL] ALL record LodModelHeader;
    /// A level.
    LOD 0x402 [LODMODEL] ALL record Lod;
    /// Objects that belong together.
    COLLECTION 0x420 [FILE] ALL branch, label slots::collection_name;
    /// Its name and size.
    COLLECTION_HEADER 0x421 [COLLECTION] ALL record CollectionHeader;
    /// The name of one of its objects.
    COLLECTION_OBJ_NAME 0x422 [COLLECTION] ALL text "name";
    /// An object that the level editor puts here.
    PLACEHOLDER 0x423 [COLLECTION] ALL slots slots::PLACEHOLDER, head Placeholder;
    /// A file that this one moves.
    TRANSFORM_NODE 0x424 [COLLECTION] ALL slots slots::PLACEHOLDER, head Placeholder;
    /// Points that the level editor snaps together.
    POINTS 0x440 [MESH HMODEL LODMODEL COLLECTION FILE] ALL array "points" Vec3;
    /// A light.
    LIGHT 0x460 [FILE LIGHTSCAPE_LIGHT] ALL branch;
    /// Its type and colours.
    LIGHT_INFO 0x461 [LIGHT] ALL record LightInfo;
    /// Its cone. The documents say 0x452, which no header and no file has.
    SPOT_LIGHT_INFO 0x462 [LIGHT] ALL record SpotLightInfo;
    /// Where it starts to be seen.
    NEAR_ATTENUATION 0x463 [LIGHT] ALL record LightAttenuation;
    /// Where it fades away.
    FAR_ATTENUATION 0x464 [LIGHT] ALL record LightAttenuation;
    /// Its cones.
    SPOT_LIGHT_INFO_5_0 0x465 [LIGHT] FIVE record SpotLight5;
    /// How it pulses.
    PULSE 0x466 [LIGHT] FIVE slots slots::PULSE, head Pulse;

    // Emitters.
    /// A particle emitter.
    EMITTER 0x500 [FILE] ALL branch, label slots::emitter_name;
    /// Its name.
    EMITTER_HEADER 0x501 [EMITTER] ALL record EmitterHeader;
    /// The application's own string.
    EMITTER_USER_DATA 0x502 [EMITTER] ALL slots slots::EMITTER_USER_DATA, head EmitterUserData;
    /// Size, life and motion of its particles.
    EMITTER_INFO 0x503 [EMITTER] ALL record EmitterInfo;
    /// Bursts, volumes, shader.
    EMITTER_INFOV2 0x504 [EMITTER] ALL record EmitterInfo2;
    /// Colours, opacities and sizes over time.
    EMITTER_PROPS 0x505 [EMITTER] ALL slots slots::EMITTER_PROPS, head EmitterProperties;
    /// Obsolete: a colour at a time.
    EMITTER_COLOR_KEYFRAME 0x506 [EMITTER] OLD array "keys" EmitterColorKey, alias "OBSOLETE_W3D_CHUNK_EMITTER_COLOR_KEYFRAME";
    /// Obsolete: an opacity at a time.
    EMITTER_OPACITY_KEYFRAME 0x507 [EMITTER] OLD array "keys" EmitterKey, alias "OBSOLETE_W3D_CHUNK_EMITTER_OPACITY_KEYFRAME";
    /// Obsolete: a size at a time.
    EMITTER_SIZE_KEYFRAME 0x508 [EMITTER] OLD array "keys" EmitterKey, alias "OBSOLETE_W3D_CHUNK_EMITTER_SIZE_KEYFRAME";
    /// How lines are drawn. Renegade fails to load an emitter that has it.
    EMITTER_LINE_PROPERTIES 0x509 [EMITTER] ALL record EmitterLineProperties;
    /// How particles turn.
    EMITTER_ROTATION_KEYFRAMES 0x50A [EMITTER] ALL slots slots::EMITTER_ROTATION, head EmitterRotationHeader;
    /// Which frame particles show.
    EMITTER_FRAME_KEYFRAMES 0x50B [EMITTER] ALL slots slots::EMITTER_FRAME, head EmitterFrameHeader;
    /// How long particles' tails are.
    EMITTER_BLUR_TIME_KEYFRAMES 0x50C [EMITTER] ALL slots slots::EMITTER_BLUR_TIME, head EmitterBlurTimeHeader;
    /// When it starts.
    EMITTER_EXTRA_INFO 0x50D [EMITTER] EXTRA record EmitterExtraInfo;

    /// As 0x50A, by the number that two documents give it; no engine and no known file has it.
    EMITTER_ROTATION_KEYFRAMES_510 0x510 [EMITTER] ALL slots slots::EMITTER_ROTATION, head EmitterRotationHeader;
    /// As 0x50B, by the number that two documents give it; no engine and no known file has it.
    EMITTER_FRAME_KEYFRAMES_511 0x511 [EMITTER] ALL slots slots::EMITTER_FRAME, head EmitterFrameHeader;
    /// As 0x50C, by the number that two documents give it; no engine and no known file has it.
    EMITTER_BLUR_TIME_KEYFRAMES_512 0x512 [EMITTER] ALL slots slots::EMITTER_BLUR_TIME, head EmitterBlurTimeHeader;

    // Aggregates and HLODs.
    /// A model with objects attached.
    AGGREGATE 0x600 [FILE] ALL branch, label slots::aggregate_name;
    /// Its name.
    AGGREGATE_HEADER 0x601 [AGGREGATE] ALL record AggregateHeader;
    /// The model and the objects.
    AGGREGATE_INFO 0x602 [AGGREGATE] ALL slots slots::AGGREGATE_INFO, head AggregateInfo;
    /// Textures to exchange; engines ignore it.
    TEXTURE_REPLACER_INFO 0x603 [AGGREGATE] ALL counted slots::TEXTURE_REPLACER_INFO, head TextureReplacer;
    /// The class it was made from.
    AGGREGATE_CLASS_INFO 0x604 [AGGREGATE] ALL record AggregateClassInfo;
    /// A model: a skeleton and objects on it, level by level.
    HLOD 0x700 [FILE] ALL branch, label slots::hlod_name;
    /// Its name, skeleton and number of levels.
    HLOD_HEADER 0x701 [HLOD] ALL record HlodHeader;
    /// A level.
    HLOD_LOD_ARRAY 0x702 [HLOD] ALL branch;
    /// Size of a level.
    HLOD_SUB_OBJECT_ARRAY_HEADER 0x703 [HLOD_LOD_ARRAY HLOD_AGGREGATE_ARRAY HLOD_PROXY_ARRAY HLOD_LIGHT_ARRAY] ALL record HlodArrayHeader;
    /// An object on a bone.
    HLOD_SUB_OBJECT 0x704 [HLOD_LOD_ARRAY HLOD_AGGREGATE_ARRAY HLOD_PROXY_ARRAY HLOD_LIGHT_ARRAY] ALL record HlodSubObject, label slots::sub_object_name, rule Header("model_count");
    /// Other models on its bones.
    HLOD_AGGREGATE_ARRAY 0x705 [HLOD] ALL branch;
    /// Objects of the application on its bones.
    HLOD_PROXY_ARRAY 0x706 [HLOD] ALL branch;
    /// Lights on its bones.
    HLOD_LIGHT_ARRAY 0x707 [HLOD] FIVE branch;

    // Simple objects.
    /// A collision box.
    BOX 0x740 [FILE] ALL record CollisionBox, label slots::box_name;
    /// A sphere effect.
    SPHERE 0x741 [FILE] ALL scope sphere::CHUNKS;
    /// A ring effect.
    RING 0x742 [FILE] ALL scope ring::CHUNKS;
    /// An object that shows nothing.
    NULL_OBJECT 0x750 [FILE] ALL record NullObject, label slots::null_name;
    /// Lights of a Lightscape solution.
    LIGHTSCAPE 0x800 [FILE] ALL branch;
    /// A light and where it stands.
    LIGHTSCAPE_LIGHT 0x801 [LIGHTSCAPE] ALL branch;
    /// Where it stands.
    LIGHT_TRANSFORM 0x802 [LIGHTSCAPE_LIGHT] ALL record LightTransform;
    /// A glare.
    DAZZLE 0x900 [FILE] ALL branch, label slots::dazzle_name;
    /// Its full name, `Container.Dazzle`.
    DAZZLE_NAME 0x901 [DAZZLE] ALL text "name";
    /// Its type in `dazzle.ini`.
    DAZZLE_TYPENAME 0x902 [DAZZLE] ALL text "name";
    /// A sound.
    SOUNDROBJ 0xA00 [FILE] ALL branch, label slots::sound_name;
    /// Its name.
    SOUNDROBJ_HEADER 0xA01 [SOUNDROBJ] ALL record SoundHeader;
    /// What is played.
    SOUNDROBJ_DEFINITION 0xA02 [SOUNDROBJ] ALL scope sound::CHUNKS;

    // Meshes of the scaleable shader system.
    /// A shader mesh.
    SHDMESH 0xB00 [FILE] SAGE branch, label slots::shdmesh_name;
    /// Its full name, `Container.Mesh`.
    SHDMESH_NAME 0xB01 [SHDMESH] SAGE text "name";
    /// Its size.
    SHDMESH_HEADER 0xB02 [SHDMESH] SAGE record ShdMeshHeader;
    /// The comment from 3ds Max.
    SHDMESH_USER_TEXT 0xB03 [SHDMESH] SAGE text "text";
    /// A sub-mesh with one shader.
    SHDSUBMESH 0xB20 [SHDMESH] SAGE branch;
    /// Its size.
    SHDSUBMESH_HEADER 0xB21 [SHDSUBMESH] SAGE record ShdSubMeshHeader;
    /// Its shader.
    SHDSUBMESH_SHADER 0xB40 [SHDSUBMESH] SAGE branch;
    /// What the shader is.
    SHDSUBMESH_SHADER_CLASSID 0xB41 [SHDSUBMESH_SHADER] SAGE array "class" crate::names::ShaderClass, alias "W3D_CHUNK_SHDSUBMESH_SHADER_TYPE";
    /// The shader's settings.
    SHDSUBMESH_SHADER_DEF 0xB42 [SHDSUBMESH_SHADER] SAGE scope shader_def::CHUNKS, alias "W3D_CHUNK_SHDSUBMESH_SHADER_DATA";
    /// Positions.
    SHDSUBMESH_VERTICES 0xB43 [SHDSUBMESH] SAGE array "vertices" Vec3, rule PerVertex;
    /// Normals.
    SHDSUBMESH_VERTEX_NORMALS 0xB44 [SHDSUBMESH] SAGE array "normals" Vec3, rule PerVertex;
    /// Triangles.
    SHDSUBMESH_TRIANGLES 0xB45 [SHDSUBMESH] SAGE array "triangles" ShortCorners, rule PerTriangle;
    /// For each vertex, the first one that shares its shading.
    SHDSUBMESH_VERTEX_SHADE_INDICES 0xB46 [SHDSUBMESH] SAGE array "indices" U32, rule PerVertex;
    /// First texture coordinates; not flipped, unlike those of a mesh.
    SHDSUBMESH_UV0 0xB47 [SHDSUBMESH] SAGE array "texcoords" Vec2, rule PerVertex;
    /// Second texture coordinates; not flipped, unlike those of a mesh.
    SHDSUBMESH_UV1 0xB48 [SHDSUBMESH] SAGE array "texcoords" Vec2, rule PerVertex;
    /// Tangents along S.
    SHDSUBMESH_TANGENT_BASIS_S 0xB49 [SHDSUBMESH] SAGE array "tangents" Vec3, rule PerVertex;
    /// Tangents along T.
    SHDSUBMESH_TANGENT_BASIS_T 0xB4A [SHDSUBMESH] SAGE array "tangents" Vec3, rule PerVertex;
    /// Products of both tangents.
    SHDSUBMESH_TANGENT_BASIS_SXT 0xB4B [SHDSUBMESH] SAGE array "tangents" Vec3, rule PerVertex;
    /// Colours; the element is not known for certain.
    SHDSUBMESH_VERTEX_COLOR 0xB4C [SHDSUBMESH] SAGE raw, alias "W3D_CHUNK_SHDSUBMESH_B4C";
    /// The bone of each vertex.
    SHDSUBMESH_VERTEX_INFLUENCES 0xB4D [SHDSUBMESH] SAGE array "bones" u8, rule PerVertex;

    // Later additions.
    /// The same positions in the space of the second bone.
    SECONDARY_VERTICES 0xC00 [MESH] SMOOTH array "vertices" Vec3, rule PerVertex, alias "W3D_CHUNK_VERTICES_COPY" "W3D_CHUNK_VERTICES_2";
    /// The same normals in the space of the second bone.
    SECONDARY_VERTEX_NORMALS 0xC01 [MESH] SMOOTH array "normals" Vec3, rule PerVertex, alias "W3D_CHUNK_VERTEX_NORMALS_COPY" "W3D_CHUNK_NORMALS_2";
    /// Reserved for light maps; no layout is known.
    LIGHTMAP_UV 0xC02 [MESH] TT raw;
    /// Four bones of each vertex.
    VERTEX_INFLUENCES_EXTENDED 0xC03 [MESH] FIVE array "influences" VertexInfluenceExtended, rule PerVertex;
}

/// What `COMPRESSED_ANIMATION_CHANNEL` is where the animation's header says so: 4-bit differences.
pub const ADAPTIVE_DELTA_CHANNEL: record::Handle<record::Headed<AdaptiveDeltaChannel>> = {
    static KIND: Kind = Kind {
        doc: "Values of one bone: 4-bit differences.",
        id: ids::COMPRESSED_ANIMATION_CHANNEL,
        slots: slots::ADAPTIVE_DELTA_CHANNEL,
        ..Kind::new("COMPRESSED_ANIMATION_CHANNEL", &ChunkFraming)
    };
    record::Handle::new(&KIND, &KIND)
};

/// One more than the largest id that means the same everywhere.
const IDS: usize = 0xC04;

/// For each id, one more than its row, or 0.
static ROWS: [u8; IDS] = {
    let mut rows = [0; IDS];
    let mut row = 0;
    while row < CHUNKS.len() {
        rows[CHUNKS[row].kind.id as usize] = row as u8 + 1;
        row += 1;
    }
    rows
};

/// The row of an id, by the place where it stands: in a scope only that scope's rows count.
pub fn find(scope: Option<Scope>, id: u32) -> Option<&'static Chunk> {
    match scope {
        Some(scope) => scope.iter().find(|chunk| chunk.id == id).copied(),
        None => {
            let row = *usize::try_from(id).ok().and_then(|id| ROWS.get(id))?;
            CHUNKS.get(usize::from(row).checked_sub(1)?).copied()
        }
    }
}

/// The row behind a kind.
pub fn row_of(kind: &'static Kind) -> Option<&'static Chunk> {
    // Kinds are told apart by where they are.
    static ROWS: LazyLock<HashMap<usize, &Chunk>> = LazyLock::new(|| {
        every_row()
            .flat_map(|row| row.kinds.iter().map(move |kind| (std::ptr::from_ref(*kind).addr(), row)))
            .collect()
    });
    ROWS.get(&std::ptr::from_ref(kind).addr()).copied()
}

/// Every row of the table, those of scopes included.
pub fn every_row() -> impl Iterator<Item = &'static Chunk> {
    fn below(chunk: &'static Chunk) -> Vec<&'static Chunk> {
        let scope = match chunk.shape {
            Shape::Branch(Some(scope)) | Shape::Micro(scope) => scope,
            _ => &[],
        };
        std::iter::once(chunk).chain(scope.iter().flat_map(|chunk| below(chunk))).collect()
    }
    CHUNKS.iter().flat_map(|chunk| below(chunk))
}

/// What the text form may call a node below `parent`.
pub(crate) fn named(
    parent: &'static Kind,
    word: &str,
    name: &str,
) -> Option<(&'static [&'static Kind], u32)> {
    static LEFT: [&Kind; 1] = [&LEFTOVER];
    static PREFIXES: [&Kind; 3] = [DEFORM_HEADER.kind, DEFORM_SET_HEADER.kind, DEFORM_KEYFRAME_HEADER.kind];
    static STRANGER: [&Kind; 1] = [&UNKNOWN];
    static MICRO_STRANGER: [&Kind; 1] = [&UNKNOWN_MICRO];
    if word == "part" {
        let at = PREFIXES.iter().position(|kind| kind.name == name);
        return at
            .map(|at| (&PREFIXES[at..=at], 0))
            .or_else(|| (name == LEFTOVER.name).then_some((&LEFT, 0)));
    }
    let micro = match word {
        "chunk" => false,
        "micro" => true,
        _ => return None,
    };
    let scope = scope_of(parent);
    // By its name, by that of the engines' headers, or by one that other documents give it.
    let short = name.strip_prefix("W3D_CHUNK_").unwrap_or(name);
    let by_name = scope.iter().find(|chunk| chunk.kind.name == short);
    if let Some(chunk) = by_name.or_else(|| scope.iter().find(|chunk| chunk.aliases.contains(&name))) {
        return Some((chunk.kinds, chunk.id));
    }
    let id = u32::from_str_radix(name.strip_prefix("0x")?, 16).ok()?;
    Some((if micro { &MICRO_STRANGER } else { &STRANGER }, id))
}

/// The rows that have a meaning below a parent.
fn scope_of(parent: &'static Kind) -> Scope {
    match row_of(parent).map(|row| row.shape) {
        Some(Shape::Branch(Some(scope)) | Shape::Micro(scope)) => scope,
        _ => CHUNKS,
    }
}

/// The names of chunks that can stand below a parent; those that belong there, if any do.
pub(crate) fn names(parent: &'static Kind) -> Vec<&'static str> {
    let rows = scope_of(parent).iter();
    let own: Vec<_> = rows.clone().filter(|row| row.parents.contains(&parent.name)).collect();
    let name = |row: &&'static Chunk| row.kind.name;
    if own.is_empty() { rows.map(name).collect() } else { own.into_iter().map(name).collect() }
}
