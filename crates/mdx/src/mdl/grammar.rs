//! The grammar of MDL: one row per item, used by the reader and the writer.
//!
//! A [`Block`] lists the parts of an object and the items of its text. An [`Item`] defines the offset of its value in a
//! part and its spelling. Tracks are not here: their words are in [`TRACKS`](crate::TRACKS).

use std::mem::offset_of;

use record::Kind;

use crate::records::*;
use crate::tracks::{Owner, TrackRow, tags};
use crate::{Gate, Gates, kinds};

/// The spelling of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A signed integer.
    Int,
    /// An unsigned integer.
    Uint,
    /// A signed integer, or a word for -1.
    IntOr(&'static str),
    /// A float.
    Float,
    /// `{ a, b, … }`, floats.
    Vector(usize),
    /// `{ a, b, c }`: on disk red, green, blue; in the text blue, green, red. In tracks, the order is the same in both.
    Color,
    /// `Color { … }, Color { … }, Color { … },` in braces.
    Colors,
    /// A word of flags and a colour. The colour is in the text if flag 2 is set.
    Tint,
    /// `{ a, b, … }`, unsigned integers.
    Uints(usize),
    /// `{ a, b, … }`, bytes.
    Bytes(usize),
    /// A quoted string.
    Text(usize),
    /// The word alone sets the bits.
    Flag(u32),
    /// A value by name: after the word, or alone if there is no word.
    Choice(&'static [(&'static str, u32)]),
    /// `DontInherit { Translation, Scaling, Rotation }`.
    Inherit,
}

impl Form {
    /// Number of bytes of the value.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Vector(count) | Self::Uints(count) => 4 * count,
            Self::Color => 12,
            Self::Tint => 16,
            Self::Colors => 36,
            Self::Bytes(count) | Self::Text(count) => count,
            _ => 4,
        }
    }
}

/// One item of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Its word; empty if the values are words themselves.
    pub(super) word: &'static str,
    /// Index of the part that contains it.
    pub(super) part: usize,
    /// Offset in the part.
    pub(super) at: usize,
    /// How it is spelled.
    pub(super) form: Form,
    /// The value of each of its words if the text omits it.
    pub(super) initial: u32,
    /// Whether it is omitted if it has that value.
    pub(super) quiet: bool,
    /// Whether there is a track of the same word, so that `static` precedes the value.
    pub(super) animated: bool,
    /// The inner block that contains it.
    pub(super) group: &'static str,
}

impl Item {
    const fn quiet(self) -> Self {
        Self { quiet: true, ..self }
    }

    const fn animated(self) -> Self {
        Self { animated: true, ..self }
    }

    const fn initial(self, initial: u32) -> Self {
        Self { initial, ..self }
    }

    const fn group(self, group: &'static str) -> Self {
        Self { group, ..self }
    }
}

const fn item(word: &'static str, part: usize, at: usize, form: Form) -> Item {
    Item { word, part, at, form, initial: 0, quiet: false, animated: false, group: "" }
}

const fn flag(word: &'static str, part: usize, at: usize, bits: u32) -> Item {
    item(word, part, at, Form::Flag(bits)).quiet()
}

const NONE: u32 = u32::MAX;
const ONE: u32 = 1.0_f32.to_bits();

/// A block: a word and its items in braces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Its word.
    pub(super) word: &'static str,
    /// Its chunk and kind; `None` if it is not an object.
    pub(super) object: Option<(&'static Kind, &'static Kind)>,
    /// The fixed parts with their gates; the first is in a separate node if `node` is set.
    pub(super) parts: &'static [(&'static Kind, Option<Gate>)],
    /// Whether it is a node.
    pub(super) node: bool,
    /// Part, offset and length of the name before the braces.
    pub(super) name: Option<(usize, usize)>,
    /// Its items, in the order in which they are written.
    pub(super) items: &'static [&'static [Item]],
    /// The owner of its tracks.
    pub(super) owner: Option<Owner>,
    /// The flags that every node of this sort has.
    pub(super) type_bits: u32,
}

impl Block {
    /// The items.
    pub(super) fn items(&self) -> impl Iterator<Item = &'static Item> + use<> {
        self.items.iter().copied().flatten()
    }

    /// Whether a version has the part.
    pub(super) fn has_part(&self, part: usize, gates: Gates) -> bool {
        self.parts.get(part).is_some_and(|(_, gate)| gate.is_none_or(|gate| gates.has(gate)))
    }

    /// The bytes of a part that the text does not mention.
    pub(super) fn template(&self, part: usize) -> Vec<u8> {
        let size =
            self.parts.get(part).and_then(|(kind, _)| kind.slots.first()).map_or(0, |slot| slot.item.size());
        let mut bytes = vec![0; size];
        for item in self.items().filter(|item| item.part == part && item.initial != 0) {
            let skipped = if matches!(item.form, Form::Tint) { 4 } else { 0 };
            let value = bytes.get_mut(item.at + skipped..item.at + item.form.size()).unwrap_or_default();
            value.chunks_exact_mut(4).for_each(|word| word.copy_from_slice(&item.initial.to_le_bytes()));
        }
        if self.node && part == 0 {
            bytes[offset_of!(NodeHeader, flags)..].copy_from_slice(&self.type_bits.to_le_bytes());
        }
        bytes
    }
}

/// The inner block that contains a track.
pub(super) fn group_of(track: &TrackRow) -> &'static str {
    match track.tag {
        tags::KTTR => "Target",
        tags::KPEL | tags::KPES => "Particle",
        _ => "",
    }
}

macro_rules! at {
    ($record:ident.$field:ident) => {
        offset_of!($record, $field)
    };
}

/// Other spellings that are accepted.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("BillboardLockX", "BillboardedLockX"),
    ("BillboardLockY", "BillboardedLockY"),
    ("BillboardLockZ", "BillboardedLockZ"),
    ("FresnelAlpha", "FresnelOpacity"),
    ("SortPrimitives", "SortPrimsFarZ"),
    ("LevelOfDetailName", "Name"),
    ("AmbientIntensity", "AmbIntensity"),
    ("AmbientColor", "AmbColor"),
    ("TVertexAnimID", "TVertexAnimId"),
    ("FocusDistance", "DOFDistance"),
];

/// Words that make war3-model or mdx-m3-viewer fail, by the word of the block. `TwoSided` of the material is written in
/// the layers instead.
pub(super) const HIVE_LACKS: &[(&str, &[&str])] = &[
    ("Anim", &["SyncPoint"]),
    ("Material", &["TwoSided", "SortPrimsNearZ"]),
    ("Layer", &["WrapWidth", "WrapHeight", "BackFacesForShadows", "AmbientOcclusion"]),
    (
        "Light",
        &[
            "ShadowCasting",
            "ShadowIntensity",
            "ShadowCastingStart",
            "ShadowCastingEnd",
            "QuadraticFalloff",
            "LinearFalloff",
            "Damping",
        ],
    ),
    ("ParticleEmitterPopcorn", &["PopcornScaling"]),
    ("Camera", &["DOFDistance", "FocalLength", "FStop"]),
];

/// Tracks that make them fail.
pub(super) const HIVE_LACKS_TRACKS: &[(Owner, u32)] = &[
    (Owner::ParticleEmitter2, tags::KPLN),
    (Owner::Light, tags::KLSS),
    (Owner::Light, tags::KLSE),
    (Owner::Light, tags::KLQF),
    (Owner::Light, tags::KLLF),
    (Owner::Light, tags::KLDA),
    (Owner::Camera, tags::KCVS),
    (Owner::Camera, tags::IDUF),
    (Owner::Camera, tags::ELAF),
    (Owner::Camera, tags::PTSF),
];

/// Whether a list of blocks and words contains this one.
pub(super) fn lacks(list: &[(&str, &[&str])], block: &Block, word: &str) -> bool {
    list.iter().any(|(name, words)| *name == block.word && words.contains(&word))
}

/// The properties that can be inherited, by flag of the node.
pub(super) const INHERIT: &[(&str, u32)] = &[("Translation", 1), ("Scaling", 2), ("Rotation", 4)];

const NODE: &[Item] = &[
    item("ObjectId", 0, at!(NodeHeader.object_id), Form::Int),
    item("Parent", 0, at!(NodeHeader.parent_id), Form::Int).initial(NONE).quiet(),
    item("DontInherit", 0, at!(NodeHeader.flags), Form::Inherit),
    flag("Billboarded", 0, at!(NodeHeader.flags), 0x8),
    flag("BillboardedLockX", 0, at!(NodeHeader.flags), 0x10),
    flag("BillboardedLockY", 0, at!(NodeHeader.flags), 0x20),
    flag("BillboardedLockZ", 0, at!(NodeHeader.flags), 0x40),
    flag("CameraAnchored", 0, at!(NodeHeader.flags), 0x80),
];

const fn extent(part: usize, at: usize) -> [Item; 3] {
    [
        item("MinimumExtent", part, at + at!(Extent.minimum), Form::Vector(3)).quiet(),
        item("MaximumExtent", part, at + at!(Extent.maximum), Form::Vector(3)).quiet(),
        item("BoundsRadius", part, at + at!(Extent.radius), Form::Float).quiet(),
    ]
}

/// A block that consists of one record; its parts are those of the chunk that contains it.
const fn plain(word: &'static str, name: Option<(usize, usize)>, items: &'static [&'static [Item]]) -> Block {
    Block { word, object: None, parts: &[], node: false, name, items, owner: None, type_bits: 0 }
}

/// `Model`.
pub(super) static MODEL: Block = Block {
    parts: &[(kinds::MODL.kind, None)],
    ..plain(
        "Model",
        Some((at!(Model.name), 80)),
        &[
            &[
                item("BlendTime", 0, at!(Model.blend_time), Form::Uint),
                item("AnimationFile", 0, at!(Model.animation_file), Form::Text(260)).quiet(),
            ],
            &extent(0, at!(Model.extent)),
        ],
    )
};

/// One of the `Sequences`.
pub(super) static SEQUENCE: Block = Block {
    parts: &[(kinds::SEQS.kind, None)],
    ..plain(
        "Anim",
        Some((at!(Sequence.name), 80)),
        &[
            &[
                item("Interval", 0, at!(Sequence.start), Form::Uints(2)),
                flag("NonLooping", 0, at!(Sequence.flags), 1),
                item("MoveSpeed", 0, at!(Sequence.move_speed), Form::Float).quiet(),
                item("Rarity", 0, at!(Sequence.rarity), Form::Float).quiet(),
                item("SyncPoint", 0, at!(Sequence.sync_point), Form::Uint).quiet(),
            ],
            &extent(0, at!(Sequence.extent)),
        ],
    )
};

/// One of the `Textures`.
pub(super) static TEXTURE: Block = Block {
    parts: &[(kinds::TEXS.kind, None)],
    ..plain(
        "Bitmap",
        None,
        &[&[
            item("Image", 0, at!(Texture.path), Form::Text(260)),
            item("ReplaceableId", 0, at!(Texture.replaceable_id), Form::Uint).quiet(),
            flag("WrapWidth", 0, at!(Texture.flags), 1),
            flag("WrapHeight", 0, at!(Texture.flags), 2),
        ]],
    )
};

/// `FaceFX`.
pub(super) static FACE_EFFECT: Block = Block {
    parts: &[(kinds::FAFX.kind, None)],
    ..plain(
        "FaceFX",
        Some((at!(FaceEffect.target), 80)),
        &[&[item("Path", 0, at!(FaceEffect.path), Form::Text(260))]],
    )
};

/// Bounds of a geoset in one sequence.
pub(super) static GEOSET_EXTENT: Block =
    Block { parts: &[(kinds::EXTENTS.kind, None)], ..plain("Anim", None, &[&extent(0, 0)]) };

/// Items of a `Geoset` besides arrays.
pub(super) static GEOSET: Block = Block {
    object: Some((kinds::GEOS.kind, kinds::GEOSET.kind)),
    parts: &[
        (kinds::GEOSET_HEADER.kind, None),
        (kinds::GEOSET_LEVEL_OF_DETAIL.kind, Some(Gate::GeosetLevelOfDetail)),
        (kinds::GEOSET_BOUNDS.kind, None),
    ],
    ..plain(
        "Geoset",
        None,
        &[
            &extent(2, 0),
            &[
                item("MaterialID", 0, at!(GeosetHeader.material_id), Form::Uint),
                item("SelectionGroup", 0, at!(GeosetHeader.selection_group), Form::Uint),
                flag("Unselectable", 0, at!(GeosetHeader.selection_flags), 4),
                item("LevelOfDetail", 1, at!(GeosetLevelOfDetail.level), Form::Int),
                item("Name", 1, at!(GeosetLevelOfDetail.name), Form::Text(80)).quiet(),
            ],
        ],
    )
};

/// `Material`.
pub(super) static MATERIAL: Block = Block {
    object: Some((kinds::MTLS.kind, kinds::MATERIAL.kind)),
    parts: &[(kinds::MATERIAL_HEADER.kind, None), (kinds::MATERIAL_SHADER.kind, Some(Gate::MaterialShader))],
    ..plain(
        "Material",
        None,
        &[&[
            flag("ConstantColor", 0, at!(MaterialHeader.flags), 0x1),
            flag("TwoSided", 0, at!(MaterialHeader.flags), 0x2),
            flag("SortPrimsNearZ", 0, at!(MaterialHeader.flags), 0x8),
            flag("SortPrimsFarZ", 0, at!(MaterialHeader.flags), 0x10),
            flag("FullResolution", 0, at!(MaterialHeader.flags), 0x20),
            item("PriorityPlane", 0, at!(MaterialHeader.priority_plane), Form::Int).quiet(),
            item("Shader", 1, at!(MaterialShader.shader), Form::Text(80)).quiet(),
        ]],
    )
};

/// Shaders by the names that the game gives them, from version 1100 on.
pub(super) const SHADERS: &[(&str, u32)] = &[
    ("Shader_SD_Legacy", 0),
    ("Shader_HD_DefaultUnit", 1),
    ("Shader_SD_FixedFunction", 2),
    ("Shader_HD_Crystal", 24),
];

/// Texture slots by the words that the Hive's tools give them.
pub(super) const SLOTS: &[&str] = &[
    "TextureID",
    "NormalTextureID",
    "ORMTextureID",
    "EmissiveTextureID",
    "TeamColorTextureID",
    "ReflectionsTextureID",
];

/// `Layer`. Textures and, from version 1100 on, the shader are spelled by version and dialect.
pub(super) static LAYER: Block = Block {
    object: Some((kinds::LAYS.kind, kinds::LAYER.kind)),
    parts: &[
        (kinds::LAYER_HEADER.kind, None),
        (kinds::LAYER_EMISSIVE.kind, Some(Gate::LayerEmissive)),
        (kinds::LAYER_FRESNEL.kind, Some(Gate::LayerFresnel)),
        (kinds::LAYER_SHADER.kind, Some(Gate::LayerSlots)),
    ],
    owner: Some(Owner::Layer),
    ..plain(
        "Layer",
        None,
        &[&[
            item(
                "FilterMode",
                0,
                at!(LayerHeader.filter_mode),
                Form::Choice(&[
                    ("None", 0),
                    ("Transparent", 1),
                    ("Blend", 2),
                    ("Additive", 3),
                    ("AddAlpha", 4),
                    ("Modulate", 5),
                    ("Modulate2x", 6),
                ]),
            ),
            flag("Unshaded", 0, at!(LayerHeader.flags), 0x1),
            flag("SphereEnvMap", 0, at!(LayerHeader.flags), 0x2),
            flag("WrapWidth", 0, at!(LayerHeader.flags), 0x4),
            flag("WrapHeight", 0, at!(LayerHeader.flags), 0x8),
            flag("TwoSided", 0, at!(LayerHeader.flags), 0x10),
            flag("Unfogged", 0, at!(LayerHeader.flags), 0x20),
            flag("NoDepthTest", 0, at!(LayerHeader.flags), 0x40),
            flag("NoDepthSet", 0, at!(LayerHeader.flags), 0x80),
            flag("Unlit", 0, at!(LayerHeader.flags), 0x100),
            flag("BackFacesForShadows", 0, at!(LayerHeader.flags), 0x200),
            flag("AmbientOcclusion", 0, at!(LayerHeader.flags), 0x400),
            item("TVertexAnimId", 0, at!(LayerHeader.texture_animation_id), Form::Int).initial(NONE).quiet(),
            item("CoordId", 0, at!(LayerHeader.coord_id), Form::Int).quiet(),
            item("Alpha", 0, at!(LayerHeader.alpha), Form::Float).initial(ONE).animated(),
            item("EmissiveGain", 1, at!(LayerEmissive.emissive_gain), Form::Float).initial(ONE).animated(),
            item("FresnelColor", 2, at!(LayerFresnel.color), Form::Vector(3)).initial(ONE).animated(),
            item("FresnelOpacity", 2, at!(LayerFresnel.opacity), Form::Float).animated(),
            item("FresnelTeamColor", 2, at!(LayerFresnel.team_color), Form::Float).animated(),
        ]],
    )
};

/// `TVertexAnim`.
pub(super) static TEXTURE_ANIMATION: Block = Block {
    object: Some((kinds::TXAN.kind, kinds::TEXTURE_ANIMATION.kind)),
    owner: Some(Owner::TextureAnimation),
    ..plain("TVertexAnim", None, &[])
};

/// `GeosetAnim`.
pub(super) static GEOSET_ANIMATION: Block = Block {
    object: Some((kinds::GEOA.kind, kinds::GEOSET_ANIMATION.kind)),
    parts: &[(kinds::GEOSET_ANIMATION_HEADER.kind, None)],
    owner: Some(Owner::GeosetAnimation),
    ..plain(
        "GeosetAnim",
        None,
        &[&[
            flag("DropShadow", 0, at!(GeosetAnimationHeader.flags), 1),
            item("Alpha", 0, at!(GeosetAnimationHeader.alpha), Form::Float).initial(ONE).animated(),
            item("Color", 0, at!(GeosetAnimationHeader.flags), Form::Tint).initial(ONE).animated(),
            item("GeosetId", 0, at!(GeosetAnimationHeader.geoset_id), Form::Int).initial(NONE),
        ]],
    )
};

const fn node(
    word: &'static str,
    object: (&'static Kind, &'static Kind),
    parts: &'static [(&'static Kind, Option<Gate>)],
    owner: Option<Owner>,
    type_bits: u32,
    items: &'static [&'static [Item]],
) -> Block {
    Block { word, object: Some(object), parts, node: true, name: Some((0, 80)), items, owner, type_bits }
}

/// The nodes and the camera.
pub(super) static OBJECTS: &[Block] = &[
    GEOSET_ANIMATION,
    node(
        "Bone",
        (kinds::BONE.kind, kinds::BONE_OBJECT.kind),
        &[(kinds::NODE_HEADER.kind, None), (kinds::BONE_LINKS.kind, None)],
        None,
        0x100,
        &[
            NODE,
            &[
                item("GeosetId", 1, at!(BoneLinks.geoset_id), Form::IntOr("Multiple")).initial(NONE),
                item("GeosetAnimId", 1, at!(BoneLinks.geoset_animation_id), Form::IntOr("None"))
                    .initial(NONE),
            ],
        ],
    ),
    node(
        "Light",
        (kinds::LITE.kind, kinds::LIGHT.kind),
        &[
            (kinds::NODE_HEADER.kind, None),
            (kinds::LIGHT_KIND.kind, None),
            (kinds::LIGHT_SHADOW_CASTING.kind, Some(Gate::LightShadowCasting)),
            (kinds::LIGHT_COLOR.kind, None),
            (kinds::LIGHT_AMBIENT.kind, Some(Gate::LightAmbient)),
            (kinds::LIGHT_SHADOW_INTENSITY.kind, Some(Gate::LightShadowIntensity)),
            (kinds::LIGHT_SHADOW_RANGE.kind, Some(Gate::LightShadowCasting)),
            (kinds::LIGHT_FALLOFF.kind, Some(Gate::LightFalloff)),
        ],
        Some(Owner::Light),
        0x200,
        &[
            NODE,
            &[
                item("", 1, 0, Form::Choice(&[("Omnidirectional", 0), ("Directional", 1), ("Ambient", 2)])),
                item("ShadowCasting", 2, 0, Form::Uint),
                item("AttenuationStart", 3, at!(LightColor.attenuation_start), Form::Float).animated(),
                item("AttenuationEnd", 3, at!(LightColor.attenuation_end), Form::Float).animated(),
                item("Intensity", 3, at!(LightColor.intensity), Form::Float).animated(),
                item("Color", 3, at!(LightColor.color), Form::Color).animated(),
                item("AmbIntensity", 4, at!(LightAmbient.intensity), Form::Float).animated(),
                item("AmbColor", 4, at!(LightAmbient.color), Form::Color).animated(),
                item("ShadowIntensity", 5, 0, Form::Float).initial(0.4_f32.to_bits()),
                item("ShadowCastingStart", 6, at!(LightShadowRange.start), Form::Float).animated(),
                item("ShadowCastingEnd", 6, at!(LightShadowRange.end), Form::Float).animated(),
                item("QuadraticFalloff", 7, at!(LightFalloff.quadratic), Form::Float)
                    .initial(0.0005_f32.to_bits())
                    .animated(),
                item("LinearFalloff", 7, at!(LightFalloff.linear), Form::Float).animated(),
                item("Damping", 7, at!(LightFalloff.damping), Form::Float)
                    .initial(1e-5_f32.to_bits())
                    .animated(),
            ],
        ],
    ),
    node(
        "Helper",
        (kinds::HELP.kind, kinds::HELPER.kind),
        &[(kinds::NODE_HEADER.kind, None)],
        None,
        0,
        &[NODE],
    ),
    node(
        "Attachment",
        (kinds::ATCH.kind, kinds::ATTACHMENT.kind),
        &[(kinds::NODE_HEADER.kind, None), (kinds::ATTACHMENT_HEADER.kind, None)],
        Some(Owner::Attachment),
        0x800,
        &[
            NODE,
            &[
                item("AttachmentID", 1, at!(AttachmentHeader.attachment_id), Form::Int),
                item("Path", 1, at!(AttachmentHeader.path), Form::Text(260)).quiet(),
            ],
        ],
    ),
    node(
        "ParticleEmitter",
        (kinds::PREM.kind, kinds::PARTICLE_EMITTER.kind),
        &[(kinds::NODE_HEADER.kind, None), (kinds::PARTICLE_EMITTER_HEADER.kind, None)],
        Some(Owner::ParticleEmitter),
        0x1000,
        &[
            NODE,
            &[
                flag("EmitterUsesMDL", 0, at!(NodeHeader.flags), 0x8000),
                flag("EmitterUsesTGA", 0, at!(NodeHeader.flags), 0x10000),
                item("EmissionRate", 1, at!(ParticleEmitterHeader.emission_rate), Form::Float).animated(),
                item("Gravity", 1, at!(ParticleEmitterHeader.gravity), Form::Float).animated(),
                item("Longitude", 1, at!(ParticleEmitterHeader.longitude), Form::Float).animated(),
                item("Latitude", 1, at!(ParticleEmitterHeader.latitude), Form::Float).animated(),
                item("LifeSpan", 1, at!(ParticleEmitterHeader.life_span), Form::Float)
                    .animated()
                    .group("Particle"),
                item("InitVelocity", 1, at!(ParticleEmitterHeader.speed), Form::Float)
                    .animated()
                    .group("Particle"),
                item("Path", 1, at!(ParticleEmitterHeader.path), Form::Text(260)).group("Particle"),
            ],
        ],
    ),
    node(
        "ParticleEmitter2",
        (kinds::PRE2.kind, kinds::PARTICLE_EMITTER_2.kind),
        &[(kinds::NODE_HEADER.kind, None), (kinds::PARTICLE_EMITTER_2_HEADER.kind, None)],
        Some(Owner::ParticleEmitter2),
        0x1000,
        &[
            NODE,
            &[
                flag("SortPrimsFarZ", 0, at!(NodeHeader.flags), 0x10000),
                flag("Unshaded", 0, at!(NodeHeader.flags), 0x8000),
                flag("LineEmitter", 0, at!(NodeHeader.flags), 0x20000),
                flag("Unfogged", 0, at!(NodeHeader.flags), 0x40000),
                flag("ModelSpace", 0, at!(NodeHeader.flags), 0x80000),
                flag("XYQuad", 0, at!(NodeHeader.flags), 0x100000),
                item("Speed", 1, at!(ParticleEmitter2Header.speed), Form::Float).animated(),
                item("Variation", 1, at!(ParticleEmitter2Header.variation), Form::Float).animated(),
                item("Latitude", 1, at!(ParticleEmitter2Header.latitude), Form::Float).animated(),
                item("Gravity", 1, at!(ParticleEmitter2Header.gravity), Form::Float).animated(),
                flag("Squirt", 1, at!(ParticleEmitter2Header.squirt), 1),
                item("LifeSpan", 1, at!(ParticleEmitter2Header.life_span), Form::Float),
                item("EmissionRate", 1, at!(ParticleEmitter2Header.emission_rate), Form::Float).animated(),
                item("Width", 1, at!(ParticleEmitter2Header.width), Form::Float).animated(),
                item("Length", 1, at!(ParticleEmitter2Header.length), Form::Float).animated(),
                item(
                    "",
                    1,
                    at!(ParticleEmitter2Header.filter_mode),
                    Form::Choice(&[
                        ("Blend", 0),
                        ("Additive", 1),
                        ("Modulate", 2),
                        ("Modulate2x", 3),
                        ("AlphaKey", 4),
                    ]),
                ),
                item("Rows", 1, at!(ParticleEmitter2Header.rows), Form::Uint),
                item("Columns", 1, at!(ParticleEmitter2Header.columns), Form::Uint),
                item(
                    "",
                    1,
                    at!(ParticleEmitter2Header.particle_type),
                    Form::Choice(&[("Head", 0), ("Tail", 1), ("Both", 2)]),
                ),
                item("TailLength", 1, at!(ParticleEmitter2Header.tail_length), Form::Float),
                item("Time", 1, at!(ParticleEmitter2Header.time), Form::Float),
                item("SegmentColor", 1, at!(ParticleEmitter2Header.segment_colors), Form::Colors),
                item("Alpha", 1, at!(ParticleEmitter2Header.segment_alphas), Form::Bytes(3)),
                item("ParticleScaling", 1, at!(ParticleEmitter2Header.segment_scalings), Form::Vector(3)),
                item("LifeSpanUVAnim", 1, at!(ParticleEmitter2Header.head_life), Form::Uints(3)),
                item("DecayUVAnim", 1, at!(ParticleEmitter2Header.head_decay), Form::Uints(3)),
                item("TailUVAnim", 1, at!(ParticleEmitter2Header.tail_life), Form::Uints(3)),
                item("TailDecayUVAnim", 1, at!(ParticleEmitter2Header.tail_decay), Form::Uints(3)),
                item("TextureID", 1, at!(ParticleEmitter2Header.texture_id), Form::Int),
                item("ReplaceableId", 1, at!(ParticleEmitter2Header.replaceable_id), Form::Uint).quiet(),
                item("PriorityPlane", 1, at!(ParticleEmitter2Header.priority_plane), Form::Int).quiet(),
            ],
        ],
    ),
    node(
        "ParticleEmitterPopcorn",
        (kinds::CORN.kind, kinds::POPCORN_EMITTER.kind),
        &[(kinds::NODE_HEADER.kind, None), (kinds::POPCORN_EMITTER_HEADER.kind, None)],
        Some(Owner::PopcornEmitter),
        0x1000,
        &[
            NODE,
            &[
                flag("SortPrimsFarZ", 0, at!(NodeHeader.flags), 0x10000),
                flag("Unshaded", 0, at!(NodeHeader.flags), 0x8000),
                flag("Unfogged", 0, at!(NodeHeader.flags), 0x20000),
                flag("PopcornScaling", 0, at!(NodeHeader.flags), 0x40000),
                item("LifeSpan", 1, at!(PopcornEmitterHeader.life_span), Form::Float).initial(ONE).animated(),
                item("EmissionRate", 1, at!(PopcornEmitterHeader.emission_rate), Form::Float)
                    .initial(ONE)
                    .animated(),
                item("Speed", 1, at!(PopcornEmitterHeader.speed), Form::Float).initial(ONE).animated(),
                item("Color", 1, at!(PopcornEmitterHeader.color), Form::Vector(3)).initial(ONE).animated(),
                item("Alpha", 1, at!(PopcornEmitterHeader.alpha), Form::Float).initial(ONE).animated(),
                item("ReplaceableId", 1, at!(PopcornEmitterHeader.replaceable_id), Form::Uint).quiet(),
                item("Path", 1, at!(PopcornEmitterHeader.path), Form::Text(260)),
                item(
                    "AnimVisibilityGuide",
                    1,
                    at!(PopcornEmitterHeader.animation_visibility_guide),
                    Form::Text(260),
                )
                .quiet(),
            ],
        ],
    ),
    node(
        "RibbonEmitter",
        (kinds::RIBB.kind, kinds::RIBBON_EMITTER.kind),
        &[(kinds::NODE_HEADER.kind, None), (kinds::RIBBON_EMITTER_HEADER.kind, None)],
        Some(Owner::RibbonEmitter),
        0x4000,
        &[
            NODE,
            &[
                item("HeightAbove", 1, at!(RibbonEmitterHeader.height_above), Form::Float).animated(),
                item("HeightBelow", 1, at!(RibbonEmitterHeader.height_below), Form::Float).animated(),
                item("Alpha", 1, at!(RibbonEmitterHeader.alpha), Form::Float).initial(ONE).animated(),
                item("Color", 1, at!(RibbonEmitterHeader.color), Form::Color).initial(ONE).animated(),
                item("TextureSlot", 1, at!(RibbonEmitterHeader.texture_slot), Form::Uint).animated(),
                item("EmissionRate", 1, at!(RibbonEmitterHeader.emission_rate), Form::Uint),
                item("LifeSpan", 1, at!(RibbonEmitterHeader.life_span), Form::Float),
                item("Gravity", 1, at!(RibbonEmitterHeader.gravity), Form::Float).quiet(),
                item("Rows", 1, at!(RibbonEmitterHeader.rows), Form::Uint),
                item("Columns", 1, at!(RibbonEmitterHeader.columns), Form::Uint),
                item("MaterialID", 1, at!(RibbonEmitterHeader.material_id), Form::Int),
            ],
        ],
    ),
    Block {
        word: "Camera",
        object: Some((kinds::CAMS.kind, kinds::CAMERA.kind)),
        parts: &[
            (kinds::CAMERA_HEADER.kind, None),
            (kinds::CAMERA_DEPTH_OF_FIELD.kind, Some(Gate::CameraDepthOfField)),
            (kinds::CAMERA_TARGET.kind, None),
        ],
        node: false,
        name: Some((at!(CameraHeader.name), 80)),
        items: &[&[
            item("Position", 0, at!(CameraHeader.position), Form::Vector(3)),
            item("FieldOfView", 0, at!(CameraHeader.field_of_view), Form::Float),
            item("FarClip", 0, at!(CameraHeader.far_clip), Form::Float),
            item("NearClip", 0, at!(CameraHeader.near_clip), Form::Float),
            item("DOFDistance", 1, at!(CameraDepthOfField.focus_distance), Form::Float),
            item("FocalLength", 1, at!(CameraDepthOfField.focal_length), Form::Float),
            item("FStop", 1, at!(CameraDepthOfField.f_stop), Form::Float),
            item("Position", 2, at!(CameraTarget.position), Form::Vector(3)).group("Target"),
        ]],
        owner: Some(Owner::Camera),
        type_bits: 0,
    },
    node(
        "EventObject",
        (kinds::EVTS.kind, kinds::EVENT_OBJECT.kind),
        &[(kinds::NODE_HEADER.kind, None)],
        Some(Owner::EventObject),
        0x400,
        &[NODE],
    ),
    // The shape has a special spelling.
    node(
        "CollisionShape",
        (kinds::CLID.kind, kinds::COLLISION_SHAPE.kind),
        &[(kinds::NODE_HEADER.kind, None)],
        None,
        0x2000,
        &[NODE],
    ),
];

/// The shapes of a `CollisionShape`: word, type on disk, number of values, and number of vertices among them.
///
/// Two of them occur in real files or readers but not in the grammar of the game. They have our own words.
pub(super) struct ShapeRow {
    /// The shape's word.
    pub(super) word: &'static str,
    /// The type on disk.
    pub(super) value: u32,
    /// The part that holds it.
    pub(super) kind: &'static Kind,
    /// Its vertices.
    pub(super) vertices: usize,
    /// Its other numbers.
    pub(super) scalars: &'static [&'static str],
}

/// The table of shapes. If several have the same word, the one whose scalars are in the text is used.
pub(super) static SHAPES: &[ShapeRow] = &[
    ShapeRow { word: "Box", value: 0, kind: kinds::SHAPE_BOX.kind, vertices: 2, scalars: &[] },
    ShapeRow { word: "Plane", value: 1, kind: kinds::SHAPE_BOX.kind, vertices: 2, scalars: &[] },
    ShapeRow {
        word: "Plane",
        value: 3,
        kind: kinds::SHAPE_PLANE.kind,
        vertices: 0,
        scalars: &["Length", "Width"],
    },
    ShapeRow {
        word: "Sphere",
        value: 2,
        kind: kinds::SHAPE_SPHERE.kind,
        vertices: 1,
        scalars: &["BoundsRadius"],
    },
    ShapeRow {
        word: "Cylinder",
        value: 3,
        kind: kinds::SHAPE_CYLINDER.kind,
        vertices: 2,
        scalars: &["BoundsRadius"],
    },
    ShapeRow {
        word: "Cylinder",
        value: 1,
        kind: kinds::WOW_SHAPE_CYLINDER.kind,
        vertices: 1,
        scalars: &["Height", "BoundsRadius"],
    },
];

/// `Num…` of the `Model` block, and the objects that each counts.
pub(super) static COUNTS: &[(&str, &Kind)] = &[
    ("NumGeosets", kinds::GEOS.kind),
    ("NumGeosetAnims", kinds::GEOA.kind),
    ("NumHelpers", kinds::HELP.kind),
    ("NumLights", kinds::LITE.kind),
    ("NumBones", kinds::BONE.kind),
    ("NumAttachments", kinds::ATCH.kind),
    ("NumParticleEmitters", kinds::PREM.kind),
    ("NumParticleEmitters2", kinds::PRE2.kind),
    ("NumParticleEmittersPopcorn", kinds::CORN.kind),
    ("NumRibbonEmitters", kinds::RIBB.kind),
    ("NumEvents", kinds::EVTS.kind),
    ("NumFaceFX", kinds::FAFX.kind),
];
