//! Every enumeration and flag word of the format. They are open: values without a name are kept.
//!
//! Names are those of the engines' headers without the common prefix (`W3D_MESH_FLAG_HIDDEN` is [`MeshFlags::HIDDEN`]).

use record::{Pod, Spelling, Type, U32, open_enum, open_flags};

/// A version: major number in the high half, minor in the low half; shown as `4.2`.
///
/// Seen in mesh headers: 4.1 (1998-99), 4.2 (Renegade to Zero Hour), 5.0 (BFME and later exporters), 6.0 (modders).
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    record::zerocopy::FromBytes,
    record::zerocopy::IntoBytes,
    record::zerocopy::KnownLayout,
    record::zerocopy::Immutable,
    record::zerocopy::Unaligned,
)]
#[zerocopy(crate = "record::zerocopy")]
#[repr(transparent)]
pub struct Version(pub U32);

impl Version {
    /// From major and minor number.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self(U32::new((major as u32) << 16 | minor as u32))
    }

    /// Major number.
    pub const fn major(self) -> u32 {
        self.0.get() >> 16
    }

    /// Minor number.
    pub const fn minor(self) -> u32 {
        self.0.get() & 0xFFFF
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}

impl std::fmt::Debug for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Pod for Version {
    const TYPE: Type = Type::Spelled(&Spelling {
        name: "Version",
        doc: "A version: the major number in the high 16 bits, the minor number in the low 16 bits. Shown as `4.2`.",
        size: 4,
        show: |bytes, out| {
            let halves = [[0, 1], [2, 3]].map(|at: [usize; 2]| {
                u16::from_le_bytes(at.map(|at| bytes.get(at).copied().unwrap_or_default()))
            });
            *out += &format!("{}.{}", halves[1], halves[0]);
        },
        read: |text, bytes| {
            let (major, minor) = text.split_once('.')?;
            let version = Version::new(major.parse().ok()?, minor.parse().ok()?);
            bytes.copy_from_slice(&version.0.to_bytes());
            Some(())
        },
        stores: None,
    });
}

/// A number whose top bit is a flag: `7`, or `7 STEP` with the bit.
macro_rules! marked {
    ($(#[doc = $doc:literal] $constant:ident $name:literal $word:literal $int:ident $stores:ident;)*) => { $(
        #[doc = $doc]
        pub(crate) const $constant: Type = Type::Spelled(&Spelling {
            name: $name,
            doc: $doc,
            size: size_of::<$int>(),
            show: |bytes, out| {
                let number = bytes.first_chunk().map_or(0, |bytes| $int::from_le_bytes(*bytes));
                let mark = 1 << ($int::BITS - 1);
                *out += &(number & !mark).to_string();
                *out += if number & mark != 0 { concat!(" ", $word) } else { "" };
            },
            read: |text, bytes| {
                let (number, mark) = match text.strip_suffix(concat!(" ", $word)) {
                    Some(number) => (number.parse().ok()?, 1 << ($int::BITS - 1)),
                    None => (text.parse().ok()?, 0),
                };
                let number: $int = number;
                if mark != 0 && number & mark != 0 {
                    return None;
                }
                bytes.copy_from_slice(&(number | mark).to_le_bytes());
                Some(())
            },
            stores: Some(Type::$stores),
        });
    )* };
}

marked! {
    /// Frame of a key; with the top bit (`STEP`), the value before it is held up to this frame.
    TIME_CODE "TimeCode" "STEP" u32 U32;
    /// Frame of a key in 16 bits; with the top bit (`STEP`), the value before it is held up to this frame.
    TIME_CODE_16 "TimeCode16" "STEP" u16 U16;
    /// Frame at which a value changes; with the top bit (`ON`) it becomes true.
    SWITCH "Switch" "ON" u32 U32;
}

/// Eight bits in the order of their frames, the lowest first: `10000000` is 1.
pub(crate) const BITS: Type = Type::Spelled(&Spelling {
    name: "Bits",
    doc: "Eight bits, the lowest first: `10000000` is 1.",
    size: 1,
    show: |bytes, out| {
        let byte = bytes.first().copied().unwrap_or_default();
        out.extend((0..8).map(|bit| if byte >> bit & 1 != 0 { '1' } else { '0' }));
    },
    read: |text, bytes| {
        let mut byte = 0;
        for (index, digit) in text.chars().enumerate() {
            match digit {
                '0' if index < 8 => {}
                '1' if index < 8 => byte |= 1 << index,
                _ => return None,
            }
        }
        bytes.copy_from_slice(&[byte]);
        (text.len() == 8).then_some(())
    },
    stores: Some(Type::U8),
});

open_flags! {
    /// Geometry type, collision groups and options of a mesh (`W3D_MESH_FLAGS`). The geometry type counts only from version 4.1 on.
    pub flags MeshFlags: u32 {
        0x1 OBSOLETE_COLLISION_BOX "before 4.1: a collision box",
        0x2 OBSOLETE_SKIN "before 4.1: a skin",
        0x4 OBSOLETE_SHADOW "before 4.1: projected as a shadow",
        0x8 OBSOLETE_ALIGNED "before 4.1: aligned with the camera",
        0x10 COLLISION_PHYSICAL "physical collisions",
        0x20 COLLISION_PROJECTILE "projectiles (rays) hit it",
        0x40 COLLISION_VIS "visibility rays hit it",
        0x80 COLLISION_CAMERA "the camera hits it",
        0x100 COLLISION_VEHICLE "vehicles hit it",
        0x200 COLLISION_USER1 "Tiberian Technologies: the application's first own group",
        0x400 COLLISION_USER2 "Tiberian Technologies: the application's second own group",
        0x1000 HIDDEN "not drawn by default",
        0x2000 TWO_SIDED "both sides are drawn",
        0x4000 OBSOLETE_LIGHTMAPPED "obsolete: lightmapped",
        0x8000 CAST_SHADOW "casts shadows",
        0x10000 & 0xFF0000 GEOMETRY_CAMERA_ALIGNED "aligned with the camera",
        0x20000 & 0xFF0000 GEOMETRY_SKIN "a skin: vertices are deformed by bones",
        0x30000 & 0xFF0000 GEOMETRY_OBSOLETE_SHADOW "obsolete: shadow",
        0x40000 & 0xFF0000 GEOMETRY_AABOX "obsolete: axis-aligned box",
        0x50000 & 0xFF0000 GEOMETRY_OBBOX "obsolete: oriented box",
        0x60000 & 0xFF0000 GEOMETRY_CAMERA_ORIENTED "points towards the camera",
        0x70000 & 0xFF0000 GEOMETRY_CAMERA_Z_ORIENTED "Tiberian Technologies: turns about Z towards the camera",
        0x1000000 PRELIT_UNLIT "has a `PRELIT_UNLIT` wrapper",
        0x2000000 PRELIT_VERTEX "has a `PRELIT_VERTEX` wrapper",
        0x4000000 PRELIT_LIGHTMAP_MULTI_PASS "has a `PRELIT_LIGHTMAP_MULTI_PASS` wrapper",
        0x8000000 PRELIT_LIGHTMAP_MULTI_TEXTURE "has a `PRELIT_LIGHTMAP_MULTI_TEXTURE` wrapper",
        0x10000000 SHATTERABLE "breaks into pieces",
        0x20000000 NPATCHABLE "may be tessellated",
        0x40000000 PRELIT "Tiberian Technologies: prelit",
        0x80000000 ALWAYS_DYN_LIGHT "Tiberian Technologies: always lit dynamically",
    }

    /// Data per vertex that a mesh claims to have. Engines ignore it.
    pub flags VertexChannels: u32 {
        0x1 LOCATION "position",
        0x2 NORMAL "normal",
        0x4 TEXCOORD "texture coordinate",
        0x8 COLOR "colour",
        0x10 BONE_ID "bone of a skin",
        0x20 TANGENT "BFME II: tangent",
        0x40 BINORMAL "BFME II: binormal",
        0x80 SMOOTHSKIN "two bones per vertex; not reliable",
        0x100 SUPERSMOOTHSKIN "Tiberian Technologies: four bones per vertex",
    }

    /// Data per triangle that a mesh claims to have. Engines ignore it.
    pub flags FaceChannels: u32 {
        0x1 FACE "the triangles themselves",
    }

    /// Options of a vertex material, and the mapper of each stage (`W3DVERTMAT_*`).
    pub flags VertexMaterialFlags: u32 {
        0x1 USE_DEPTH_CUE "fade with depth",
        0x2 ARGB_EMISSIVE_ONLY "colour is emissive only",
        0x4 COPY_SPECULAR_TO_DIFFUSE "specular is diffuse",
        0x8 DEPTH_CUE_TO_ALPHA "depth fades alpha",
        0x10000 & 0xFF0000 STAGE0_ENVIRONMENT "stage 0: environment map",
        0x20000 & 0xFF0000 STAGE0_CHEAP_ENVIRONMENT "stage 0: cheap environment map",
        0x30000 & 0xFF0000 STAGE0_SCREEN "stage 0: screen coordinates",
        0x40000 & 0xFF0000 STAGE0_LINEAR_OFFSET "stage 0: scrolls",
        0x50000 & 0xFF0000 STAGE0_SILHOUETTE "stage 0: silhouette, never implemented",
        0x60000 & 0xFF0000 STAGE0_SCALE "stage 0: scales",
        0x70000 & 0xFF0000 STAGE0_GRID "stage 0: frames of a grid",
        0x80000 & 0xFF0000 STAGE0_ROTATE "stage 0: turns",
        0x90000 & 0xFF0000 STAGE0_SINE_LINEAR_OFFSET "stage 0: swings",
        0xA0000 & 0xFF0000 STAGE0_STEP_LINEAR_OFFSET "stage 0: jumps",
        0xB0000 & 0xFF0000 STAGE0_ZIGZAG_LINEAR_OFFSET "stage 0: runs to and fro",
        0xC0000 & 0xFF0000 STAGE0_WS_CLASSIC_ENV "stage 0: world-space environment, by normal",
        0xD0000 & 0xFF0000 STAGE0_WS_ENVIRONMENT "stage 0: world-space environment, by reflection",
        0xE0000 & 0xFF0000 STAGE0_GRID_CLASSIC_ENV "stage 0: grid of environment maps, by normal",
        0xF0000 & 0xFF0000 STAGE0_GRID_ENVIRONMENT "stage 0: grid of environment maps, by reflection",
        0x100000 & 0xFF0000 STAGE0_RANDOM "stage 0: random",
        0x110000 & 0xFF0000 STAGE0_EDGE "stage 0: edge",
        0x120000 & 0xFF0000 STAGE0_BUMPENV "stage 0: bumped environment",
        0x130000 & 0xFF0000 STAGE0_GRID_WS_CLASSIC_ENV "stage 0: grid, world space, by normal (Zero Hour, TT)",
        0x140000 & 0xFF0000 STAGE0_GRID_WS_ENVIRONMENT "stage 0: grid, world space, by reflection (Zero Hour, TT)",
        0x100 & 0xFF00 STAGE1_ENVIRONMENT "stage 1: environment map",
        0x200 & 0xFF00 STAGE1_CHEAP_ENVIRONMENT "stage 1: cheap environment map",
        0x300 & 0xFF00 STAGE1_SCREEN "stage 1: screen coordinates",
        0x400 & 0xFF00 STAGE1_LINEAR_OFFSET "stage 1: scrolls",
        0x500 & 0xFF00 STAGE1_SILHOUETTE "stage 1: silhouette, never implemented",
        0x600 & 0xFF00 STAGE1_SCALE "stage 1: scales",
        0x700 & 0xFF00 STAGE1_GRID "stage 1: frames of a grid",
        0x800 & 0xFF00 STAGE1_ROTATE "stage 1: turns",
        0x900 & 0xFF00 STAGE1_SINE_LINEAR_OFFSET "stage 1: swings",
        0xA00 & 0xFF00 STAGE1_STEP_LINEAR_OFFSET "stage 1: jumps",
        0xB00 & 0xFF00 STAGE1_ZIGZAG_LINEAR_OFFSET "stage 1: runs to and fro",
        0xC00 & 0xFF00 STAGE1_WS_CLASSIC_ENV "stage 1: world-space environment, by normal",
        0xD00 & 0xFF00 STAGE1_WS_ENVIRONMENT "stage 1: world-space environment, by reflection",
        0xE00 & 0xFF00 STAGE1_GRID_CLASSIC_ENV "stage 1: grid of environment maps, by normal",
        0xF00 & 0xFF00 STAGE1_GRID_ENVIRONMENT "stage 1: grid of environment maps, by reflection",
        0x1000 & 0xFF00 STAGE1_RANDOM "stage 1: random",
        0x1100 & 0xFF00 STAGE1_EDGE "stage 1: edge",
        0x1200 & 0xFF00 STAGE1_BUMPENV "stage 1: bumped environment",
        0x1300 & 0xFF00 STAGE1_GRID_WS_CLASSIC_ENV "stage 1: grid, world space, by normal (Zero Hour, TT)",
        0x1400 & 0xFF00 STAGE1_GRID_WS_ENVIRONMENT "stage 1: grid, world space, by reflection (Zero Hour, TT)",
        0x1000000 & 0x7000000 PSX_TRANS_100 "PlayStation: add",
        0x2000000 & 0x7000000 PSX_TRANS_50 "PlayStation: half",
        0x3000000 & 0x7000000 PSX_TRANS_25 "PlayStation: quarter",
        0x4000000 & 0x7000000 PSX_TRANS_MINUS_100 "PlayStation: subtract",
        0x8000000 PSX_NO_RT_LIGHTING "PlayStation: not lit at run time",
    }

    /// Filtering, wrapping and purpose of a texture (`W3DTEXTURE_*`). The bump-map bit lies inside the hint field.
    pub flags TextureFlags: u16 {
        0x1 PUBLISH "may be replaced by code",
        0x2 RESIZE_OBSOLETE "obsolete: may be resized",
        0x4 NO_LOD "no smaller versions",
        0x8 CLAMP_U "does not repeat in U",
        0x10 CLAMP_V "does not repeat in V",
        0x20 ALPHA_BITMAP "alpha is one bit",
        0x40 & 0xC0 MIP_LEVELS_2 "at most two levels",
        0x80 & 0xC0 MIP_LEVELS_3 "at most three levels",
        0xC0 & 0xC0 MIP_LEVELS_4 "at most four levels",
        0x100 & 0xF00 HINT_EMISSIVE "emissive map",
        0x200 & 0xF00 HINT_ENVIRONMENT "reflection map",
        0x300 & 0xF00 HINT_SHINY_MASK "shininess mask",
        0x1000 TYPE_BUMPMAP "a height map, to become a bump map",
    }

    /// Options of a deform set.
    pub flags DeformSetFlags: u32 {
        0x1 MANUAL_DEFORM "driven by the application, not by damage",
    }

    /// Type and options of a light (`W3D_LIGHT_ATTRIBUTE_*`).
    pub flags LightFlags: u32 {
        0x1 & 0xFF POINT "point light",
        0x2 & 0xFF DIRECTIONAL "directional light",
        0x3 & 0xFF SPOT "spot light",
        0x100 CAST_SHADOWS "casts shadows",
    }

    /// Options of line particles (`W3D_ELINE_*`).
    pub flags EmitterLineFlags: u32 {
        0x1 MERGE_INTERSECTIONS "merges intersections",
        0x2 FREEZE_RANDOM "noise stands still in camera space",
        0x4 DISABLE_SORTING "not sorted, even when blended",
        0x8 END_CAPS "has end caps",
        0x1000000 & 0xFF000000 UNIFORM_LENGTH_TEXTURE_MAP "texture stretched over the whole line",
        0x2000000 & 0xFF000000 TILED_TEXTURE_MAP "texture tiled along the line",
    }

    /// Options of an aggregate.
    pub flags AggregateFlags: u32 {
        0x1 FORCE_SUB_OBJ_LOD "parts use the same level of detail",
    }

    /// Orientation and collision groups of a box (`W3D_BOX_ATTRIBUTE_*`).
    pub flags BoxFlags: u32 {
        0x1 ORIENTED "turns with its bone",
        0x2 ALIGNED "stays aligned with the world",
        0x10 COLLISION_PHYSICAL "physical collisions",
        0x20 COLLISION_PROJECTILE "projectiles (rays) hit it",
        0x40 COLLISION_VIS "visibility rays hit it",
        0x80 COLLISION_CAMERA "the camera hits it",
        0x100 COLLISION_VEHICLE "vehicles hit it",
    }

    /// Options of a sphere effect.
    pub flags SphereFlags: u32 {
        0x1 ALPHA_VECTOR "alpha follows a direction",
        0x2 CAMERA_ALIGNED "faces the camera",
        0x4 INVERT_EFFECT "alpha effect inverted",
        0x8 LOOPING "animation repeats",
    }

    /// Options of a ring effect.
    pub flags RingFlags: u32 {
        0x1 CAMERA_ALIGNED "faces the camera",
        0x2 LOOPING "animation repeats",
    }

    /// Options of a sound object.
    pub flags SoundFlags: u32 {
        0x1 STOP_WHEN_HIDDEN "stops when hidden",
    }

    /// Hints of a version 3 material (`W3DMATERIAL_*`, obsolete).
    pub flags Material3Flags: u32 {
        0x1 USE_ALPHA "alpha is used",
        0x2 USE_SORTING "sorted",
        0x10 HINT_DIT_OVER_DCT "diffuse illumination over diffuse colour texture",
        0x20 HINT_SIT_OVER_SCT "specular illumination over specular colour texture",
        0x40 HINT_DIT_OVER_DIG "diffuse illumination texture over gouraud",
        0x80 HINT_SIT_OVER_SIG "specular illumination texture over gouraud",
        0x100 HINT_FAST_SPECULAR_AFTER_ALPHA "specular after alpha",
        0x1000000 & 0x7000000 PSX_TRANS_100 "PlayStation: add",
        0x2000000 & 0x7000000 PSX_TRANS_50 "PlayStation: half",
        0x3000000 & 0x7000000 PSX_TRANS_25 "PlayStation: quarter",
        0x4000000 & 0x7000000 PSX_TRANS_MINUS_100 "PlayStation: subtract",
        0x8000000 PSX_NO_RT_LIGHTING "PlayStation: not lit at run time",
    }
}

impl VertexMaterialFlags {
    /// The mapper of stage 0 or 1.
    pub const fn mapper(self, stage: usize) -> Mapper {
        let [_, second, first, _] = self.get().to_le_bytes();
        Mapper::new(if stage == 0 { first } else { second })
    }
}

open_enum! {
    /// Source of texture coordinates: a byte of [`VertexMaterialFlags`] for each stage (`W3DVERTMAT_STAGE*_MAPPING_*`).
    pub enum Mapper: u8 {
        0x0 UV "the stored texture coordinates",
        0x1 ENVIRONMENT "environment map",
        0x2 CHEAP_ENVIRONMENT "cheap environment map",
        0x3 SCREEN "screen coordinates",
        0x4 LINEAR_OFFSET "scrolls",
        0x5 SILHOUETTE "silhouette, never implemented",
        0x6 SCALE "scales",
        0x7 GRID "frames of a grid",
        0x8 ROTATE "turns",
        0x9 SINE_LINEAR_OFFSET "swings",
        0xA STEP_LINEAR_OFFSET "jumps",
        0xB ZIGZAG_LINEAR_OFFSET "runs to and fro",
        0xC WS_CLASSIC_ENV "world-space environment, by normal",
        0xD WS_ENVIRONMENT "world-space environment, by reflection",
        0xE GRID_CLASSIC_ENV "grid of environment maps, by normal",
        0xF GRID_ENVIRONMENT "grid of environment maps, by reflection",
        0x10 RANDOM "random",
        0x11 EDGE "edge",
        0x12 BUMPENV "bumped environment",
        0x13 GRID_WS_CLASSIC_ENV "grid, world space, by normal (Zero Hour, TT)",
        0x14 GRID_WS_ENVIRONMENT "grid, world space, by reflection (Zero Hour, TT)",
    }

    /// Surface of a triangle, for sounds and effects. 22 to 25 differ between branches of the engine (its string table
    /// and TT's enum have 22 ElectricalPermeable, 23 Flammable, 24 FlammablePermeable, 25 Steam); 32 and up are TT's.
    pub enum SurfaceType: u32 {
        0 LIGHT_METAL "light metal",
        1 HEAVY_METAL "heavy metal",
        2 WATER "water",
        3 SAND "sand",
        4 DIRT "dirt",
        5 MUD "mud",
        6 GRASS "grass",
        7 WOOD "wood",
        8 CONCRETE "concrete",
        9 FLESH "flesh",
        10 ROCK "rock",
        11 SNOW "snow",
        12 ICE "ice",
        13 DEFAULT "default",
        14 GLASS "glass",
        15 CLOTH "cloth",
        16 TIBERIUM_FIELD "Tiberium field",
        17 FOLIAGE_PERMEABLE "foliage, permeable",
        18 GLASS_PERMEABLE "glass, permeable",
        19 ICE_PERMEABLE "ice, permeable",
        20 CLOTH_PERMEABLE "cloth, permeable",
        21 ELECTRICAL "electrical",
        22 FLAMMABLE "flammable",
        23 STEAM "steam",
        24 ELECTRICAL_PERMEABLE "electrical, permeable",
        25 FLAMMABLE_PERMEABLE "flammable, permeable",
        26 STEAM_PERMEABLE "steam, permeable",
        27 WATER_PERMEABLE "water, permeable",
        28 TIBERIUM_WATER "Tiberium water",
        29 TIBERIUM_WATER_PERMEABLE "Tiberium water, permeable",
        30 UNDERWATER_DIRT "dirt under water",
        31 UNDERWATER_TIBERIUM_DIRT "Tiberium dirt under water",
        32 BLUE_TIBERIUM "blue Tiberium (TT)",
        33 RED_TIBERIUM "red Tiberium (TT)",
        34 TIBERIUM_VEINS "Tiberium veins (TT)",
        35 LASER "laser (TT)",
        36 SNOW_PERMEABLE "snow, permeable (TT)",
        37 ELECTRICAL_GLASS "electrical glass (TT)",
        38 ELECTRICAL_GLASS_PERMEABLE "electrical glass, permeable (TT)",
        39 SLUSH "slush (TT)",
        40 EXTRA1 "spare (TT)",
        41 EXTRA2 "spare (TT)",
        42 EXTRA3 "spare (TT)",
        43 EXTRA4 "spare (TT)",
        44 EXTRA5 "spare (TT)",
        45 EXTRA6 "spare (TT)",
        46 EXTRA7 "spare (TT)",
        47 EXTRA8 "spare (TT)",
    }

    /// Depth test: when a pixel passes.
    pub enum DepthCompare: u8 {
        0 PASS_NEVER "never",
        1 PASS_LESS "less",
        2 PASS_EQUAL "equal",
        3 PASS_LEQUAL "less or equal (default)",
        4 PASS_GREATER "greater",
        5 PASS_NOTEQUAL "not equal",
        6 PASS_GEQUAL "greater or equal",
        7 PASS_ALWAYS "always",
    }

    /// Whether depth is written.
    pub enum DepthMask: u8 {
        0 WRITE_DISABLE "not written",
        1 WRITE_ENABLE "written (default)",
    }

    /// Blend factor of the destination, what is already on the screen.
    pub enum DestBlend: u8 {
        0 ZERO "nothing (default)",
        1 ONE "unmodified",
        2 SRC_COLOR "times the fragment's colour",
        3 ONE_MINUS_SRC_COLOR "times one minus the fragment's colour",
        4 SRC_ALPHA "times the fragment's alpha",
        5 ONE_MINUS_SRC_ALPHA "times one minus the fragment's alpha",
        6 SRC_COLOR_PREFOG "times the fragment's colour before fog",
    }

    /// How the lit vertex colour is combined with the texture.
    pub enum PriGradient: u8 {
        0 DISABLE "not at all: unlit",
        1 MODULATE "multiplied (default)",
        2 ADD "added",
        3 BUMPENVMAP "bumped environment map",
        4 BUMPENVMAP_LUMINANCE "bumped environment map with luminance (Zero Hour)",
        5 MODULATE2X "multiplied, doubled (Zero Hour)",
    }

    /// Whether specular light is added.
    pub enum SecGradient: u8 {
        0 DISABLE "no (default)",
        1 ENABLE "yes",
    }

    /// Blend factor of the source, the fragment. In Generals and Zero Hour value 3 is the destination colour.
    pub enum SrcBlend: u8 {
        0 ZERO "nothing",
        1 ONE "unmodified (default)",
        2 SRC_ALPHA "times its alpha",
        3 ONE_MINUS_SRC_ALPHA "times one minus its alpha (Renegade)",
    }

    /// Whether the texture is used.
    pub enum Texturing: u8 {
        0 DISABLE "no (default)",
        1 ENABLE "yes",
    }

    /// How the second stage's colour is combined with the result of the first (`W3DSHADER_DETAILCOLORFUNC_*`). `first` is the result of stage 0,
    /// `second` the texture of stage 1, as Zero Hour's `shader.cpp` combines them. Comments in the headers swap the two.
    pub enum DetailColorFunc: u8 {
        0 DISABLE "first (default)",
        1 DETAIL "second",
        2 SCALE "first * second",
        3 INVSCALE "first + (1 - first) * second",
        4 ADD "first + second",
        5 SUB "second - first",
        6 SUBR "first - second",
        7 BLEND "second by its own alpha, the rest first",
        8 DETAILBLEND "second by the alpha of first, the rest first",
        9 ADDSIGNED "first + second - 0.5 (Zero Hour)",
        10 ADDSIGNED2X "(first + second - 0.5) * 2 (Zero Hour)",
        11 SCALE2X "first * second * 2 (Zero Hour)",
        12 MODALPHAADDCOLOR "first + alpha of first * second (Zero Hour)",
    }

    /// How the second stage's alpha is combined with that of the first.
    pub enum DetailAlphaFunc: u8 {
        0 DISABLE "first (default)",
        1 DETAIL "second",
        2 SCALE "first * second",
        3 INVSCALE "first + (1 - first) * second",
    }

    /// Alpha test: whether pixels with an alpha below 0x60 are dropped.
    pub enum AlphaTest: u8 {
        0 DISABLE "no (default)",
        1 ENABLE "yes",
    }

    /// Depth test on the PlayStation 2.
    pub enum Ps2DepthCompare: u8 {
        0 PASS_NEVER "never",
        1 PASS_LESS "less",
        2 PASS_ALWAYS "always",
        3 PASS_LEQUAL "less or equal",
    }

    /// How the lit vertex colour is combined with the texture on the PlayStation 2.
    pub enum Ps2PriGradient: u8 {
        0 MODULATE "multiplied",
        1 DECAL "replaced",
        2 HIGHLIGHT "highlight",
        3 HIGHLIGHT2 "second highlight",
    }

    /// Playback of an animated texture.
    pub enum TextureAnimation: u16 {
        0 LOOP "over and over",
        1 PINGPONG "to and fro",
        2 ONCE "once",
        3 MANUAL "by the application",
    }

    /// Type of a shader property's value.
    pub enum PropertyType: u32 {
        1 TEXTURE "a texture's file name",
        2 FLOAT "one float",
        3 VECTOR2 "two floats",
        4 VECTOR3 "three floats",
        5 VECTOR4 "four floats",
        6 INT "an integer",
        7 BOOL "one byte",
    }
}

/// Declares the channel types in the width that a header has for them.
macro_rules! channel_types {
    ($($(#[doc = $doc:literal])* $name:ident: $repr:ident;)*) => {
        record::open_enum! { $(
            $(#[doc = $doc])*
            pub enum $name: $repr {
                0 X "translation along X",
                1 Y "translation along Y",
                2 Z "translation along Z",
                3 XR "rotation about X, stored but not evaluated",
                4 YR "rotation about Y, stored but not evaluated",
                5 ZR "rotation about Z, stored but not evaluated",
                6 Q "rotation as a quaternion",
                7 TIMECODED_X "time-coded translation along X",
                8 TIMECODED_Y "time-coded translation along Y",
                9 TIMECODED_Z "time-coded translation along Z",
                10 TIMECODED_Q "time-coded quaternion",
                11 ADAPTIVEDELTA_X "adaptive-delta translation along X",
                12 ADAPTIVEDELTA_Y "adaptive-delta translation along Y",
                13 ADAPTIVEDELTA_Z "adaptive-delta translation along Z",
                14 ADAPTIVEDELTA_Q "adaptive-delta quaternion",
                15 VIS "visibility as a float (BFME, TT)",
            }
        )* }
    };
}

channel_types! {
    /// Value that a channel animates. 0, 1, 2, 6 and 15 are evaluated; 7 to 10 occur in compressed channels, 11 to 14 never.
    ChannelType: u16;
    /// [`ChannelType`] in one byte, as compressed channels have it.
    ChannelType8: u8;
}

open_enum! {
    /// Value that a bit channel animates.
    pub enum BitChannelType: u16 {
        0 VIS "visibility",
        1 TIMECODED_VIS "time-coded visibility",
    }

    /// [`BitChannelType`] in one byte.
    pub enum BitChannelType8: u8 {
        0 VIS "visibility",
        1 TIMECODED_VIS "time-coded visibility",
    }

    /// Codec of the channels of a compressed animation.
    pub enum Flavor: u16 {
        0 TIMECODED "keys with times",
        1 ADAPTIVE_DELTA "4-bit differences",
    }

    /// Codec of a motion channel.
    pub enum MotionFlavor: u8 {
        0 TIMECODED "keys with times",
        1 ADAPTIVE_DELTA_4 "4-bit differences",
        2 ADAPTIVE_DELTA_8 "8-bit differences",
    }

    /// Shape of a random volume.
    pub enum VolumeClass: u32 {
        0 SOLID_BOX "box; the values are its extents",
        1 SOLID_SPHERE "sphere; the first value is its radius",
        2 HOLLOW_SPHERE "sphere's surface; the first value is its radius",
        3 SOLID_CYLINDER "cylinder along +X; the first value is half its length, the second its radius",
    }

    /// Appearance of particles.
    pub enum RenderMode: u32 {
        0 TRI_PARTICLES "triangles",
        1 QUAD_PARTICLES "quads",
        2 LINE "one line through all",
        3 LINEGRP_TETRA "tetrahedra (Renegade, Zero Hour)",
        4 LINEGRP_PRISM "prisms (Renegade, Zero Hour)",
    }

    /// Division of a particle's texture into frames.
    pub enum FrameMode: u32 {
        0 GRID_1X1 "one frame",
        1 GRID_2X2 "2 by 2",
        2 GRID_4X4 "4 by 4",
        3 GRID_8X8 "8 by 8",
        4 GRID_16X16 "16 by 16",
    }

    /// Mapping of a version 3 map (obsolete).
    pub enum MappingType: u16 {
        0 UV "by texture coordinates",
        1 ENVIRONMENT "as an environment map",
    }

    /// Class of a sub-mesh's shader.
    pub enum ShaderClass: u32 {
        0 DUMMY "none",
        1 SIMPLE "texture and lighting",
        2 GLOSSMASK "gloss mask",
        3 BUMPSPEC "bump map, diffuse and specular",
        4 BUMPDIFF "bump map, diffuse",
        5 CUBEMAP "environment cube",
        6 LEGACYW3D "the older material model",
    }
}
