//! The chunk table: every id of the format with its parents, its record, its count rule and the games that know it.
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
    /// Record before the sets of a deform.
    DEFORM_HEADER: Deform;
    /// Record before the keyframes of a deform set.
    DEFORM_SET_HEADER: DeformSet;
    /// Record before the data of a deform keyframe.
    DEFORM_KEYFRAME_HEADER: DeformKeyframe;
}

chunks! {
    pub static CHUNKS of ChunkFraming;

    // Meshes.
    /// A mesh.
    MESH 0x0 [FILE] ALL branch, label slots::mesh_name;
    /// Obsolete: mesh header of versions 1 and 2.
    MESH_HEADER 0x1 [MESH] OLD record MeshHeader;
    /// Vertex positions. In a skin each is in the space of its bone.
    VERTICES 0x2 [MESH SHDMESH] ALL array "vertices" Vec3, rule PerVertex;
    /// Vertex normals. In a skin each is in the space of its bone.
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
    /// Comment that the artist typed in 3ds Max.
    MESH_USER_TEXT 0xC [MESH SHDMESH] ALL text "text";
    /// Obsolete: vertex colours.
    VERTEX_COLORS 0xD [MESH] OLD array "colors" Rgb, rule PerVertex;
    /// Bones of each vertex: one bone without a weight, or two bones with weights in percent.
    VERTEX_INFLUENCES 0xE [MESH SHDMESH] ALL array "influences" VertexInfluence, rule PerVertex;
    /// Obsolete: a damage stage.
    DAMAGE 0xF [MESH] OLD branch;
    /// Obsolete: counts of a damage stage.
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
    /// Obsolete: name of a version 3 material.
    MATERIAL3_NAME 0x17 [MATERIAL3] OLD text "name";
    /// Obsolete: colours of a version 3 material.
    MATERIAL3_INFO 0x18 [MATERIAL3] OLD record Material3Info;
    /// Obsolete: diffuse colour map of a version 3 material.
    MATERIAL3_DC_MAP 0x19 [MATERIAL3] OLD branch;
    /// Obsolete: file name of a map.
    MAP3_FILENAME 0x1A [MATERIAL3_DC_MAP MATERIAL3_DI_MAP MATERIAL3_SC_MAP MATERIAL3_SI_MAP] OLD text "name";
    /// Obsolete: mapping and frames of a map.
    MAP3_INFO 0x1B [MATERIAL3_DC_MAP MATERIAL3_DI_MAP MATERIAL3_SC_MAP MATERIAL3_SI_MAP] OLD record Map3Info;
    /// Obsolete: diffuse illumination map of a version 3 material.
    MATERIAL3_DI_MAP 0x1C [MATERIAL3] OLD branch;
    /// Obsolete: specular colour map of a version 3 material.
    MATERIAL3_SC_MAP 0x1D [MATERIAL3] OLD branch;
    /// Obsolete: specular illumination map of a version 3 material.
    MATERIAL3_SI_MAP 0x1E [MATERIAL3] OLD branch;
    /// Header of a mesh: version, flags, names, counts and bounds.
    MESH_HEADER3 0x1F [MESH] ALL record MeshHeader3;
    /// Triangles with their planes and surface types.
    TRIANGLES 0x20 [MESH SHDMESH] ALL array "triangles" Triangle, rule PerTriangle;
    /// Obsolete: version 3 material of each triangle.
    PER_TRI_MATERIALS 0x21 [MESH] OLD array "materials" record::U16, rule PerTriangle;
    /// For each vertex, the first vertex that shares its shading.
    VERTEX_SHADE_INDICES 0x22 [MESH SHDMESH] ALL array "indices" U32, rule PerVertex;
    /// Materials of the mesh without prelighting.
    PRELIT_UNLIT 0x23 [MESH] ALL branch;
    /// Materials of the mesh prelit per vertex.
    PRELIT_VERTEX 0x24 [MESH] ALL branch;
    /// Materials of the mesh with light maps in several passes.
    PRELIT_LIGHTMAP_MULTI_PASS 0x25 [MESH] ALL branch;
    /// Materials of the mesh with light maps as second textures.
    PRELIT_LIGHTMAP_MULTI_TEXTURE 0x26 [MESH] ALL branch;
    /// Number of passes, vertex materials, shaders and textures.
    MATERIAL_INFO 0x28 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL record MaterialInfo;
    /// Shaders: blending, depth and texture stages.
    SHADERS 0x29 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL array "shaders" Shader, rule Header("shader_count");
    /// List of vertex materials.
    VERTEX_MATERIALS 0x2A [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL branch, rule Header("vertex_material_count");
    /// Vertex material: colours for lighting, and mappers.
    VERTEX_MATERIAL 0x2B [VERTEX_MATERIALS] ALL branch, label slots::vertex_material_name;
    /// Name of a vertex material.
    VERTEX_MATERIAL_NAME 0x2C [VERTEX_MATERIAL] ALL text "name";
    /// Colours and mappers of a vertex material.
    VERTEX_MATERIAL_INFO 0x2D [VERTEX_MATERIAL] ALL record VertexMaterialInfo;
    /// Arguments of the mapper of stage 0: lines of `Key=Value`.
    VERTEX_MAPPER_ARGS0 0x2E [VERTEX_MATERIAL] ALL text "args";
    /// Arguments of the mapper of stage 1: lines of `Key=Value`.
    VERTEX_MAPPER_ARGS1 0x2F [VERTEX_MATERIAL] ALL text "args";
    /// List of textures.
    TEXTURES 0x30 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL branch, rule Header("texture_count");
    /// Texture: file name and settings.
    TEXTURE 0x31 [TEXTURES] ALL branch, label slots::texture_name;
    /// File name of a texture.
    TEXTURE_NAME 0x32 [TEXTURE] ALL text "name";
    /// Settings of a texture: filtering, wrapping, frames. Optional.
    TEXTURE_INFO 0x33 [TEXTURE] ALL record TextureInfo;
    /// One drawing pass: ids of materials, shaders and textures.
    MATERIAL_PASS 0x38 [MESH PRELIT_UNLIT PRELIT_VERTEX PRELIT_LIGHTMAP_MULTI_PASS PRELIT_LIGHTMAP_MULTI_TEXTURE] ALL branch;
    /// Vertex materials of a pass.
    VERTEX_MATERIAL_IDS 0x39 [MATERIAL_PASS] ALL array "ids" U32, rule OneOrPerVertex;
    /// Shaders of a pass.
    SHADER_IDS 0x3A [MATERIAL_PASS] ALL array "ids" U32, rule OneOrPerTriangle;
    /// Diffuse vertex colours of a pass.
    DCG 0x3B [MATERIAL_PASS] ALL array "colors" Rgba, rule PerVertex;
    /// Diffuse illumination of a pass; engines multiply it into the diffuse vertex colours.
    DIG 0x3C [MATERIAL_PASS] ALL array "colors" Rgb, rule PerVertex;
    /// Specular vertex colours of a pass; engines ignore them.
    SCG 0x3E [MATERIAL_PASS] ALL array "colors" Rgb, rule PerVertex;
    /// Shader materials of a pass.
    SHADER_MATERIAL_ID 0x3F [MATERIAL_PASS] FX array "ids" U32, rule OneOrPerTriangle, alias "W3D_CHUNK_FXSHADER_IDS";
    /// Texture stage of a pass.
    TEXTURE_STAGE 0x48 [MATERIAL_PASS] ALL branch;
    /// Textures of a stage; 0xFFFFFFFF is none.
    TEXTURE_IDS 0x49 [TEXTURE_STAGE] ALL array "ids" U32, rule OneOrPerTriangle;
    /// Texture coordinates of a stage; V points up.
    STAGE_TEXCOORDS 0x4A [TEXTURE_STAGE MATERIAL_PASS] ALL array "texcoords" Vec2, rule PerVertex;
    /// Texture coordinate of each corner of each triangle; engines skip it.
    PER_FACE_TEXCOORD_IDS 0x4B [TEXTURE_STAGE] ALL array "ids" Corners, rule PerTriangle;
    /// List of FX shader materials.
    SHADER_MATERIALS 0x50 [MESH] FX branch, alias "W3D_CHUNK_FX_SHADERS";
    /// FX shader material: effect file and properties.
    SHADER_MATERIAL 0x51 [SHADER_MATERIALS] FX branch, label slots::shader_material_name, alias "W3D_CHUNK_FX_SHADER";
    /// Effect file of an FX shader material.
    SHADER_MATERIAL_HEADER 0x52 [SHADER_MATERIAL] FX record ShaderMaterialHeader, alias "W3D_CHUNK_FX_SHADER_INFO";
    /// Property of an FX shader material.
    SHADER_MATERIAL_PROPERTY 0x53 [SHADER_MATERIAL] FX slots slots::PROPERTY, head ShaderMaterialProperty, label slots::property_name, alias "W3D_CHUNK_FX_SHADER_CONSTANT";
    /// Deformation by damage: how vertices move and change colour.
    DEFORM 0x58 [MESH] ALL prefixed DEFORM_HEADER;
    /// Set of deform keyframes.
    DEFORM_SET 0x59 [DEFORM] ALL prefixed DEFORM_SET_HEADER;
    /// Deform keyframe.
    DEFORM_KEYFRAME 0x5A [DEFORM_SET] ALL prefixed DEFORM_KEYFRAME_HEADER;
    /// Vertices that a deform keyframe moves.
    DEFORM_DATA 0x5B [DEFORM_KEYFRAME] ALL array "data" DeformData;
    /// Tangents; in BFME II they point against V.
    TANGENTS 0x60 [MESH] FX array "tangents" Vec3, rule PerVertex;
    /// Bitangents; in BFME II they point along +U.
    BITANGENTS 0x61 [MESH] FX array "bitangents" Vec3, rule PerVertex, alias "W3D_CHUNK_BINORMALS";
    /// Shaders for the PlayStation 2, one per shader of the mesh.
    PS2_SHADERS 0x80 [MESH] ALL array "shaders" Ps2Shader, rule Header("shader_count");
    /// Collision tree of axis-aligned boxes.
    AABTREE 0x90 [MESH SHDMESH] ALL branch;
    /// Counts of a collision tree.
    AABTREE_HEADER 0x91 [AABTREE] ALL record AabTreeHeader;
    /// Triangles of a collision tree, in the order of its leaves.
    AABTREE_POLYINDICES 0x92 [AABTREE] ALL array "indices" U32, rule Header("poly_count");
    /// Nodes of a collision tree; the first is the root.
    AABTREE_NODES 0x93 [AABTREE] ALL array "nodes" AabTreeNode, rule Header("node_count");

    // Skeletons.
    /// A skeleton.
    HIERARCHY 0x100 [FILE] ALL branch, label slots::hierarchy_name;
    /// Name and number of pivots of a skeleton.
    HIERARCHY_HEADER 0x101 [HIERARCHY] ALL record HierarchyHeader;
    /// Pivots (bones) of a skeleton.
    PIVOTS 0x102 [HIERARCHY] ALL array "pivots" Pivot, rule PerPivot;
    /// Matrices that the exporter keeps for each pivot; engines ignore them.
    PIVOT_FIXUPS 0x103 [HIERARCHY] ALL array "fixups" PivotFixup, rule PerPivot;
    /// Unknown, perhaps from Earth & Beyond. No loader reads it.
    PIVOT_UNKNOWN1 0x104 [HIERARCHY] OLD raw;

    // Animations.
    /// Animation with a value for each frame.
    ANIMATION 0x200 [FILE] ALL branch, label slots::animation_name;
    /// Name, skeleton and length of an animation.
    ANIMATION_HEADER 0x201 [ANIMATION] ALL record AnimationHeader;
    /// Channel of floats for one pivot.
    ANIMATION_CHANNEL 0x202 [ANIMATION] ALL slots slots::ANIMATION_CHANNEL, head AnimationChannel;
    /// Channel of bits for one pivot: visibility.
    BIT_CHANNEL 0x203 [ANIMATION] ALL slots slots::BIT_CHANNEL, head BitChannel;
    /// Compressed animation.
    COMPRESSED_ANIMATION 0x280 [FILE] ALL branch, label slots::compressed_animation_name;
    /// Name, skeleton, length and codec of a compressed animation.
    COMPRESSED_ANIMATION_HEADER 0x281 [COMPRESSED_ANIMATION] ALL record CompressedAnimationHeader;
    /// Compressed channel for one pivot: keys with times, or adaptive delta if the header says so.
    COMPRESSED_ANIMATION_CHANNEL 0x282 [COMPRESSED_ANIMATION] ALL slots slots::TIME_CODED_CHANNEL, head TimeCodedChannel, or ADAPTIVE_DELTA_CHANNEL;
    /// Compressed channel of bits for one pivot: visibility.
    COMPRESSED_BIT_CHANNEL 0x283 [COMPRESSED_ANIMATION] ALL slots slots::COMPRESSED_BIT_CHANNEL, head CompressedBitChannel;
    /// Motion channel of BFME II for one pivot, in one of three codecs.
    COMPRESSED_ANIMATION_MOTION_CHANNEL 0x284 [COMPRESSED_ANIMATION] FX slots slots::MOTION_CHANNEL, head MotionChannel;
    /// Morph animation: transitions between poses, for faces.
    MORPH_ANIMATION 0x2C0 [FILE] ALL branch, label slots::morph_animation_name;
    /// Name, skeleton and length of a morph animation.
    MORPHANIM_HEADER 0x2C1 [MORPH_ANIMATION] ALL record MorphAnimHeader;
    /// Channel of a morph animation: name of the poses, then keys.
    MORPHANIM_CHANNEL 0x2C2 [MORPH_ANIMATION] ALL branch;
    /// Animation that holds the poses, `Hierarchy.Animation`.
    MORPHANIM_POSENAME 0x2C3 [MORPHANIM_CHANNEL] ALL text "name";
    /// Keys of a morph channel.
    MORPHANIM_KEYDATA 0x2C4 [MORPHANIM_CHANNEL] ALL array "keys" MorphKey;
    /// For each pivot, the morph channel that moves it.
    MORPHANIM_PIVOTCHANNELDATA 0x2C5 [MORPH_ANIMATION] ALL array "channels" U32, rule PerPivot;

    // Models.
    /// Hierarchy model: objects on the bones of a skeleton, without levels of detail.
    HMODEL 0x300 [FILE] ALL branch, label slots::hmodel_name;
    /// Name and skeleton of a hierarchy model.
    HMODEL_HEADER 0x301 [HMODEL] ALL record HModelHeader;
    /// Object on a bone of a hierarchy model.
    NODE 0x302 [HMODEL] ALL record HModelNode;
    /// Collision mesh on a bone of a hierarchy model.
    COLLISION_NODE 0x303 [HMODEL] ALL record HModelNode;
    /// Skin of a hierarchy model.
    SKIN_NODE 0x304 [HMODEL] ALL record HModelNode;
    /// Obsolete: counts and detail range of a hierarchy model.
    HMODEL_AUX_DATA 0x305 [HMODEL] OLD record HModelAuxData, alias "OBSOLETE_W3D_CHUNK_HMODEL_AUX_DATA";
    /// Obsolete: shadow on a bone of a hierarchy model.
    SHADOW_NODE 0x306 [HMODEL] OLD record HModelNode, alias "OBSOLETE_W3D_CHUNK_SHADOW_NODE";
    /// Model that switches between objects by distance.
    LODMODEL 0x400 [FILE] ALL branch, label slots::lodmodel_name;
    /// Name and number of levels of a LOD model.
    LODMODEL_HEADER 0x401 [LODMODEL] ALL record LodModelHeader;
    /// Level of a LOD model: an object and its range of distances.
    LOD 0x402 [LODMODEL] ALL record Lod;
    /// Collection of objects that belong together.
    COLLECTION 0x420 [FILE] ALL branch, label slots::collection_name;
    /// Name and size of a collection.
    COLLECTION_HEADER 0x421 [COLLECTION] ALL record CollectionHeader;
    /// Name of an object of a collection.
    COLLECTION_OBJ_NAME 0x422 [COLLECTION] ALL text "name";
    /// Position of an object that the level editor adds.
    PLACEHOLDER 0x423 [COLLECTION] ALL slots slots::PLACEHOLDER, head Placeholder;
    /// Position of another file.
    TRANSFORM_NODE 0x424 [COLLECTION] ALL slots slots::PLACEHOLDER, head Placeholder;
    /// Points that the level editor snaps together.
    POINTS 0x440 [MESH HMODEL LODMODEL COLLECTION FILE] ALL array "points" Vec3;
    /// Light.
    LIGHT 0x460 [FILE LIGHTSCAPE_LIGHT] ALL branch;
    /// Type and colours of a light.
    LIGHT_INFO 0x461 [LIGHT] ALL record LightInfo;
    /// Cone of a spot light. Public documents say 0x452, which no header and no file has.
    SPOT_LIGHT_INFO 0x462 [LIGHT] ALL record SpotLightInfo;
    /// Distances between which a light becomes visible.
    NEAR_ATTENUATION 0x463 [LIGHT] ALL record LightAttenuation;
    /// Distances between which a light fades out.
    FAR_ATTENUATION 0x464 [LIGHT] ALL record LightAttenuation;
    /// Inner and outer cone of a spot light.
    SPOT_LIGHT_INFO_5_0 0x465 [LIGHT] FIVE record SpotLight5;
    /// Pulsing intensity of a light.
    PULSE 0x466 [LIGHT] FIVE slots slots::PULSE, head Pulse;

    // Emitters.
    /// Particle emitter.
    EMITTER 0x500 [FILE] ALL branch, label slots::emitter_name;
    /// Name of an emitter.
    EMITTER_HEADER 0x501 [EMITTER] ALL record EmitterHeader;
    /// String of the application's own.
    EMITTER_USER_DATA 0x502 [EMITTER] ALL slots slots::EMITTER_USER_DATA, head EmitterUserData;
    /// Texture, size, life time and motion of particles.
    EMITTER_INFO 0x503 [EMITTER] ALL record EmitterInfo;
    /// Bursts, random volumes and shader of an emitter.
    EMITTER_INFOV2 0x504 [EMITTER] ALL record EmitterInfo2;
    /// Colours, opacities and sizes of particles over time.
    EMITTER_PROPS 0x505 [EMITTER] ALL slots slots::EMITTER_PROPS, head EmitterProperties;
    /// Obsolete: colour key.
    EMITTER_COLOR_KEYFRAME 0x506 [EMITTER] OLD array "keys" EmitterColorKey, alias "OBSOLETE_W3D_CHUNK_EMITTER_COLOR_KEYFRAME";
    /// Obsolete: opacity key.
    EMITTER_OPACITY_KEYFRAME 0x507 [EMITTER] OLD array "keys" EmitterKey, alias "OBSOLETE_W3D_CHUNK_EMITTER_OPACITY_KEYFRAME";
    /// Obsolete: size key.
    EMITTER_SIZE_KEYFRAME 0x508 [EMITTER] OLD array "keys" EmitterKey, alias "OBSOLETE_W3D_CHUNK_EMITTER_SIZE_KEYFRAME";
    /// Settings of line particles. Renegade fails to load an emitter that has this chunk.
    EMITTER_LINE_PROPERTIES 0x509 [EMITTER] ALL record EmitterLineProperties;
    /// Rotation of particles over time.
    EMITTER_ROTATION_KEYFRAMES 0x50A [EMITTER] ALL slots slots::EMITTER_ROTATION, head EmitterRotationHeader;
    /// Texture frame of particles over time.
    EMITTER_FRAME_KEYFRAMES 0x50B [EMITTER] ALL slots slots::EMITTER_FRAME, head EmitterFrameHeader;
    /// Tail length of particles over time.
    EMITTER_BLUR_TIME_KEYFRAMES 0x50C [EMITTER] ALL slots slots::EMITTER_BLUR_TIME, head EmitterBlurTimeHeader;
    /// Start time of an emitter.
    EMITTER_EXTRA_INFO 0x50D [EMITTER] EXTRA record EmitterExtraInfo;

    /// The id that public documents give to 0x50A; no engine and no known file has it.
    EMITTER_ROTATION_KEYFRAMES_510 0x510 [EMITTER] ALL slots slots::EMITTER_ROTATION, head EmitterRotationHeader;
    /// The id that public documents give to 0x50B; no engine and no known file has it.
    EMITTER_FRAME_KEYFRAMES_511 0x511 [EMITTER] ALL slots slots::EMITTER_FRAME, head EmitterFrameHeader;
    /// The id that public documents give to 0x50C; no engine and no known file has it.
    EMITTER_BLUR_TIME_KEYFRAMES_512 0x512 [EMITTER] ALL slots slots::EMITTER_BLUR_TIME, head EmitterBlurTimeHeader;

    // Aggregates and HLODs.
    /// Aggregate: a model with objects attached.
    AGGREGATE 0x600 [FILE] ALL branch, label slots::aggregate_name;
    /// Name of an aggregate.
    AGGREGATE_HEADER 0x601 [AGGREGATE] ALL record AggregateHeader;
    /// Base model and attached objects of an aggregate.
    AGGREGATE_INFO 0x602 [AGGREGATE] ALL slots slots::AGGREGATE_INFO, head AggregateInfo;
    /// Textures that an aggregate replaces; engines ignore it.
    TEXTURE_REPLACER_INFO 0x603 [AGGREGATE] ALL counted slots::TEXTURE_REPLACER_INFO, head TextureReplacer;
    /// Class of the object that an aggregate was made from.
    AGGREGATE_CLASS_INFO 0x604 [AGGREGATE] ALL record AggregateClassInfo;
    /// Model: a skeleton and objects on its bones, level of detail by level of detail.
    HLOD 0x700 [FILE] ALL branch, label slots::hlod_name;
    /// Name, skeleton and number of levels of an HLOD.
    HLOD_HEADER 0x701 [HLOD] ALL record HlodHeader;
    /// Level of detail of an HLOD.
    HLOD_LOD_ARRAY 0x702 [HLOD] ALL branch;
    /// Number of objects and screen size of a level.
    HLOD_SUB_OBJECT_ARRAY_HEADER 0x703 [HLOD_LOD_ARRAY HLOD_AGGREGATE_ARRAY HLOD_PROXY_ARRAY HLOD_LIGHT_ARRAY] ALL record HlodArrayHeader;
    /// Object on a bone of an HLOD.
    HLOD_SUB_OBJECT 0x704 [HLOD_LOD_ARRAY HLOD_AGGREGATE_ARRAY HLOD_PROXY_ARRAY HLOD_LIGHT_ARRAY] ALL record HlodSubObject, label slots::sub_object_name, rule Header("model_count");
    /// Other models on the bones of an HLOD.
    HLOD_AGGREGATE_ARRAY 0x705 [HLOD] ALL branch;
    /// Objects that the application places on the bones of an HLOD.
    HLOD_PROXY_ARRAY 0x706 [HLOD] ALL branch;
    /// Lights on the bones of an HLOD.
    HLOD_LIGHT_ARRAY 0x707 [HLOD] FIVE branch;

    // Simple objects.
    /// Collision box.
    BOX 0x740 [FILE] ALL record CollisionBox, label slots::box_name;
    /// Sphere effect.
    SPHERE 0x741 [FILE] ALL scope sphere::CHUNKS;
    /// Ring effect.
    RING 0x742 [FILE] ALL scope ring::CHUNKS;
    /// Object that shows nothing and marks a place.
    NULL_OBJECT 0x750 [FILE] ALL record NullObject, label slots::null_name;
    /// Lights of a Lightscape solution.
    LIGHTSCAPE 0x800 [FILE] ALL branch;
    /// Light of a Lightscape solution, with its transform.
    LIGHTSCAPE_LIGHT 0x801 [LIGHTSCAPE] ALL branch;
    /// Transform of a Lightscape light.
    LIGHT_TRANSFORM 0x802 [LIGHTSCAPE_LIGHT] ALL record LightTransform;
    /// Dazzle: a glare.
    DAZZLE 0x900 [FILE] ALL branch, label slots::dazzle_name;
    /// Full name of a dazzle, `Container.Dazzle`.
    DAZZLE_NAME 0x901 [DAZZLE] ALL text "name";
    /// Type of a dazzle in `dazzle.ini`.
    DAZZLE_TYPENAME 0x902 [DAZZLE] ALL text "name";
    /// Sound object.
    SOUNDROBJ 0xA00 [FILE] ALL branch, label slots::sound_name;
    /// Name of a sound object.
    SOUNDROBJ_HEADER 0xA01 [SOUNDROBJ] ALL record SoundHeader;
    /// Definition of a sound object.
    SOUNDROBJ_DEFINITION 0xA02 [SOUNDROBJ] ALL scope sound::CHUNKS;

    // Meshes of the scaleable shader system.
    /// Mesh of the scaleable shader system.
    SHDMESH 0xB00 [FILE] SAGE branch, label slots::shdmesh_name;
    /// Full name of a shader mesh, `Container.Mesh`.
    SHDMESH_NAME 0xB01 [SHDMESH] SAGE text "name";
    /// Counts and bounds of a shader mesh.
    SHDMESH_HEADER 0xB02 [SHDMESH] SAGE record ShdMeshHeader;
    /// Comment that the artist typed in 3ds Max.
    SHDMESH_USER_TEXT 0xB03 [SHDMESH] SAGE text "text";
    /// Sub-mesh with one shader.
    SHDSUBMESH 0xB20 [SHDMESH] SAGE branch;
    /// Counts and bounds of a sub-mesh.
    SHDSUBMESH_HEADER 0xB21 [SHDSUBMESH] SAGE record ShdSubMeshHeader;
    /// Shader of a sub-mesh.
    SHDSUBMESH_SHADER 0xB40 [SHDSUBMESH] SAGE branch;
    /// Class of a sub-mesh's shader.
    SHDSUBMESH_SHADER_CLASSID 0xB41 [SHDSUBMESH_SHADER] SAGE array "class" crate::names::ShaderClass, alias "W3D_CHUNK_SHDSUBMESH_SHADER_TYPE";
    /// Settings of a sub-mesh's shader.
    SHDSUBMESH_SHADER_DEF 0xB42 [SHDSUBMESH_SHADER] SAGE scope shader_def::CHUNKS, alias "W3D_CHUNK_SHDSUBMESH_SHADER_DATA";
    /// Vertex positions of a sub-mesh.
    SHDSUBMESH_VERTICES 0xB43 [SHDSUBMESH] SAGE array "vertices" Vec3, rule PerVertex;
    /// Vertex normals of a sub-mesh.
    SHDSUBMESH_VERTEX_NORMALS 0xB44 [SHDSUBMESH] SAGE array "normals" Vec3, rule PerVertex;
    /// Triangles of a sub-mesh: three indices each.
    SHDSUBMESH_TRIANGLES 0xB45 [SHDSUBMESH] SAGE array "triangles" ShortCorners, rule PerTriangle;
    /// For each vertex of a sub-mesh, the first vertex that shares its shading.
    SHDSUBMESH_VERTEX_SHADE_INDICES 0xB46 [SHDSUBMESH] SAGE array "indices" U32, rule PerVertex;
    /// First texture coordinates of a sub-mesh; not flipped, unlike those of a mesh.
    SHDSUBMESH_UV0 0xB47 [SHDSUBMESH] SAGE array "texcoords" Vec2, rule PerVertex;
    /// Second texture coordinates of a sub-mesh; not flipped, unlike those of a mesh.
    SHDSUBMESH_UV1 0xB48 [SHDSUBMESH] SAGE array "texcoords" Vec2, rule PerVertex;
    /// Tangents along S.
    SHDSUBMESH_TANGENT_BASIS_S 0xB49 [SHDSUBMESH] SAGE array "tangents" Vec3, rule PerVertex;
    /// Tangents along T.
    SHDSUBMESH_TANGENT_BASIS_T 0xB4A [SHDSUBMESH] SAGE array "tangents" Vec3, rule PerVertex;
    /// Cross products of both tangents.
    SHDSUBMESH_TANGENT_BASIS_SXT 0xB4B [SHDSUBMESH] SAGE array "tangents" Vec3, rule PerVertex;
    /// Vertex colours of a sub-mesh; the element type is not known for certain.
    SHDSUBMESH_VERTEX_COLOR 0xB4C [SHDSUBMESH] SAGE raw, alias "W3D_CHUNK_SHDSUBMESH_B4C";
    /// Bone of each vertex of a sub-mesh.
    SHDSUBMESH_VERTEX_INFLUENCES 0xB4D [SHDSUBMESH] SAGE array "bones" u8, rule PerVertex;

    // Later additions.
    /// Vertex positions in the space of the second bone.
    SECONDARY_VERTICES 0xC00 [MESH] SMOOTH array "vertices" Vec3, rule PerVertex, alias "W3D_CHUNK_VERTICES_COPY" "W3D_CHUNK_VERTICES_2";
    /// Vertex normals in the space of the second bone.
    SECONDARY_VERTEX_NORMALS 0xC01 [MESH] SMOOTH array "normals" Vec3, rule PerVertex, alias "W3D_CHUNK_VERTEX_NORMALS_COPY" "W3D_CHUNK_NORMALS_2";
    /// Reserved for light maps; the layout is unknown.
    LIGHTMAP_UV 0xC02 [MESH] TT raw;
    /// Four bones of each vertex, with weights.
    VERTEX_INFLUENCES_EXTENDED 0xC03 [MESH] FIVE array "influences" VertexInfluenceExtended, rule PerVertex;
}

/// Adaptive-delta form of `COMPRESSED_ANIMATION_CHANNEL`, which the animation's header chooses.
pub const ADAPTIVE_DELTA_CHANNEL: record::Handle<record::Headed<AdaptiveDeltaChannel>> = {
    static KIND: Kind = Kind {
        doc: "Compressed channel for one pivot: adaptive delta with 4-bit differences.",
        id: ids::COMPRESSED_ANIMATION_CHANNEL,
        slots: slots::ADAPTIVE_DELTA_CHANNEL,
        ..Kind::new("COMPRESSED_ANIMATION_CHANNEL", &ChunkFraming)
    };
    record::Handle::new(&KIND, &KIND)
};

/// One more than the largest id of [`CHUNKS`].
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

/// The row of an id. Inside a scope only the rows of that scope count.
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
    // Kinds are statics: they are distinguished by address.
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

/// The kinds and the id of a child of `parent`, by its name in the text form.
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
    // By its name, by the name in the engines' headers, or by a name in other documents.
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

/// The names of the chunks that belong below a parent; all known names if there are none.
pub(crate) fn names(parent: &'static Kind) -> Vec<&'static str> {
    let rows = scope_of(parent).iter();
    let own: Vec<_> = rows.clone().filter(|row| row.parents.contains(&parent.name)).collect();
    let name = |row: &&'static Chunk| row.kind.name;
    if own.is_empty() { rows.map(name).collect() } else { own.into_iter().map(name).collect() }
}
