//! Materials and their layers.

use record::{Chars, F32, I32, U32, Vec3, records};

record::open_enum! {
    /// Blending of a layer.
    pub enum FilterMode: u32 {
        0 NONE "opaque",
        1 TRANSPARENT "alpha test against 0.75",
        2 BLEND "source alpha, one minus source alpha",
        3 ADDITIVE "source alpha, one",
        4 ADD_ALPHA "source alpha, one",
        5 MODULATE "destination colour, zero",
        6 MODULATE_2X "destination colour, source colour",
    }

    /// Shader of a layer from version 1100 on.
    pub enum ShaderType: u32 {
        0 SD_LEGACY "classic",
        1 HD_DEFAULT_UNIT "`Shader_HD_DefaultUnit`",
        2 SD_ON_HD "`Shader_SD_FixedFunction`",
        24 HD_CRYSTAL "`Shader_HD_Crystal`",
    }

    /// Purpose of a texture of an HD layer.
    pub enum SlotType: u32 {
        0 DIFFUSE "colour",
        1 NORMAL "normals",
        2 ORM "occlusion, roughness, metalness; team colour mask in alpha",
        3 EMISSIVE "emission",
        4 TEAM_COLOR "team colour",
        5 ENVIRONMENT "reflections",
    }
}

record::open_flags! {
    /// Shading options of a layer. Both games.
    pub flags LayerFlags: u32 {
        0x1 UNSHADED "not lit",
        0x2 SPHERE_ENV_MAP "texture coordinates from the reflection",
        0x4 WRAP_WIDTH "repeats in u (not seen in Warcraft III files)",
        0x8 WRAP_HEIGHT "repeats in v (not seen in Warcraft III files)",
        0x10 TWO_SIDED "back faces are drawn",
        0x20 UNFOGGED "no fog",
        0x40 NO_DEPTH_TEST "drawn without depth test",
        0x80 NO_DEPTH_SET "depth is not written",
        0x100 UNLIT "Reforged: unlit; WoW 1500: no fallback",
        0x200 BACK_FACES_FOR_SHADOWS "one source",
        0x400 AMBIENT_OCCLUSION "one source",
    }

    /// Options of a material. Warcraft III only.
    pub flags MaterialFlags: u32 {
        0x1 CONSTANT_COLOR "set where a geoset has a colour; no effect of its own is known",
        0x2 TWO_SIDED "Reforged",
        0x8 SORT_PRIMS_NEAR_Z "near faces first",
        0x10 SORT_PRIMS_FAR_Z "far faces first",
        0x20 FULL_RESOLUTION "textures are never scaled down",
    }
}

records! {
    /// Fields of a material before its layers in Warcraft III.
    pub struct MaterialHeader: 8 {
        0 priority_plane: I32, "Drawing order; lower planes are drawn first.";
        4 flags: MaterialFlags, "Flags.";
    }

    /// Shader name of a material, from version 900 until 1100.
    pub struct MaterialShader: 80 {
        0 shader: Chars<80>, "Name, such as `Shader_HD_DefaultUnit`, or empty.";
    }

    /// Fields of a layer that both games and all versions have.
    pub struct LayerHeader: 24 {
        0 filter_mode: FilterMode, "Blending; a few files hold garbage above 6, which the game takes as 0.";
        4 flags: LayerFlags, "Shading.";
        8 texture_id: I32, "Texture; ignored from version 1100 on.";
        12 texture_animation_id: I32, "Texture animation, or -1.";
        16 coord_id: I32, "Set of texture coordinates; WoW writes -1 under SPHERE_ENV_MAP.";
        20 alpha: F32, "Opacity; a `KMTA` track overrides it.";
    }

    /// Emission of a layer, from version 900 on.
    pub struct LayerEmissive: 4 {
        0 emissive_gain: F32, "Strength of emission; NaN in layers that have a KMTE track.";
    }

    /// Fresnel effect of a layer, from version 1000 on.
    pub struct LayerFresnel: 20 {
        0 color: Vec3, "Colour at grazing angles, as red, green, blue.";
        12 opacity: F32, "Its strength.";
        16 team_color: F32, "Share of team colour.";
    }

    /// Shader of a layer and number of its textures, from version 1100 on.
    pub struct LayerShader: 8 {
        0 shader: ShaderType, "Shader.";
        4 texture_count: U32, "Number of texture slots that follow.";
    }

    /// Texture of a layer, from version 1100 on; a `KMTF` track may follow.
    pub struct TextureReference: 8 {
        0 texture_id: I32, "Texture.";
        4 slot: SlotType, "Purpose; wrong in some files when a `KMTF` track follows, where the position in the list counts.";
    }
}
