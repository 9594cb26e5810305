//! What puts meshes together: hierarchy models, level-of-detail models, collections, HLODs, aggregates.

use record::{Bytes, Chars, F32, U16, U32, records};

use crate::names::{AggregateFlags, Version};
use crate::records::TextureInfo;

records! {
    /// Name and skeleton of a hierarchy model (`W3dHModelHeaderStruct`).
    pub struct HModelHeader: 40 {
        0 version: Version, "Format version.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Skeleton.";
        36 num_connections: U16, "Number of connected objects.";
        38 pad: Bytes<2>, "Unused.";
    }

    /// An object on a bone (`W3dHModelNodeStruct`); its full name is `Model.Object`.
    pub struct HModelNode: 18 {
        0 render_obj_name: Chars<16>, "Name of the object.";
        16 pivot_idx: U16, "Index of the pivot; 65535 is the root before version 3.0.";
    }

    /// Counts and detail range of a hierarchy model (`W3dHModelAuxDataStruct`, obsolete).
    pub struct HModelAuxData: 184 {
        0 attributes: U32, "Flags.";
        4 mesh_count: U32, "Number of meshes.";
        8 collision_count: U32, "Number of collision meshes.";
        12 skin_count: U32, "Number of skins.";
        16 shadow_count: U32, "Number of shadows.";
        20 null_count: U32, "Number of null objects.";
        24 future_counts: [U32; 6], "Reserved.";
        48 lod_min: F32, "Lower end of the detail range.";
        52 lod_max: F32, "Upper end of the detail range.";
        56 future_use: [U32; 32], "Reserved.";
    }

    /// Name of a level-of-detail model (`W3dLODModelHeaderStruct`).
    pub struct LodModelHeader: 24 {
        0 version: Version, "Format version.";
        4 name: Chars<16>, "Name.";
        20 num_lods: U16, "Number of levels.";
        22 pad: Bytes<2>, "Unused.";
    }

    /// A level (`W3dLODStruct`).
    pub struct Lod: 40 {
        0 render_obj_name: Chars<32>, "The object of this level.";
        32 lod_min: F32, "Distance below which the next finer level is shown.";
        36 lod_max: F32, "Distance above which the next coarser level is shown.";
    }

    /// Name and size of a collection (`W3dCollectionHeaderStruct`).
    pub struct CollectionHeader: 32 {
        0 version: Version, "Format version.";
        4 name: Chars<16>, "Name.";
        20 render_object_count: U32, "Number of objects.";
        24 pad: [U32; 2], "Unused.";
    }

    /// Transform of another object or file (`W3dPlaceholderStruct`, `W3dTransformNodeStruct`); its name follows.
    pub struct Placeholder: 56 {
        0 version: Version, "Format version.";
        4 transform: [[F32; 3]; 4], "Rows of the matrix, as 3ds Max has them: axes, then position.";
        52 name_len: U32, "Length of the name, which need not end in NUL.";
    }

    /// Name, skeleton and number of levels of an HLOD (`W3dHLodHeaderStruct`).
    pub struct HlodHeader: 40 {
        0 version: Version, "Format version.";
        4 lod_count: U32, "Number of levels.";
        8 name: Chars<16>, "Name.";
        24 hierarchy_name: Chars<16>, "Skeleton; empty if there is none.";
    }

    /// Size of a level (`W3dHLodArrayHeaderStruct`). Levels are stored from the coarsest to the finest.
    pub struct HlodArrayHeader: 8 {
        0 model_count: U32, "Number of sub-objects.";
        4 max_screen_size: F32, "Largest screen size at which this level is shown; the last level has the largest float.";
    }

    /// An object on a bone (`W3dHLodSubObjectStruct`).
    pub struct HlodSubObject: 36 {
        0 bone_index: U32, "Index of the pivot; 0 for skins.";
        4 name: Chars<32>, "The object's full name, `Container.Object`.";
    }

    /// Name of an aggregate (`W3dAggregateHeaderStruct`).
    pub struct AggregateHeader: 20 {
        0 version: Version, "1.3.";
        4 name: Chars<16>, "Name.";
    }

    /// Base model of an aggregate (`W3dAggregateInfoStruct`); sub-objects follow.
    pub struct AggregateInfo: 36 {
        0 base_model_name: Chars<32>, "The model it extends.";
        32 subobject_count: U32, "Number of sub-objects.";
    }

    /// An object that an aggregate attaches (`W3dAggregateSubobjectStruct`).
    pub struct AggregateSubobject: 64 {
        0 subobject_name: Chars<32>, "Name of the object.";
        32 bone_name: Chars<32>, "Name of the bone.";
    }

    /// A texture that an aggregate replaces (`W3dTextureReplacerStruct`). Engines ignore it.
    pub struct TextureReplacer: 1492 {
        0 mesh_path: [Chars<32>; 15], "Path of mesh names.";
        480 bone_path: [Chars<32>; 15], "Path of bone names.";
        960 old_texture_name: Chars<260>, "Texture to replace.";
        1220 new_texture_name: Chars<260>, "Texture to use.";
        1480 texture_params: TextureInfo, "Settings of the new texture.";
    }

    /// The class that an aggregate was made from (`W3dAggregateMiscInfo`).
    pub struct AggregateClassInfo: 20 {
        0 original_class_id: U32, "Class of the original object: 0 mesh, 1 hierarchy model, ... 25 HLOD.";
        4 flags: AggregateFlags, "Flags.";
        8 reserved: [U32; 3], "Reserved.";
    }
}
