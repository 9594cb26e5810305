//! What was retired before the first game shipped: materials 1 to 3, Surrender triangles, damage.

use record::{Bytes, Chars, F32, U16, U32, Vec2, Vec3, records};

use crate::names::{MappingType, Material3Flags};
use crate::records::Rgb;

records! {
    /// A material of version 1 (`W3dMaterial1Struct`).
    pub struct Material1: 56 {
        0 material_name: Chars<16>, "Name.";
        16 primary_name: Chars<16>, "First texture.";
        32 secondary_name: Chars<16>, "Second texture.";
        48 render_flags: U32, "Flags.";
        52 red: u8, "Red.";
        53 green: u8, "Green.";
        54 blue: u8, "Blue.";
        55 pad: u8, "Unused.";
    }

    /// A material of version 2 (`W3dMaterial2Struct`).
    pub struct Material2: 72 {
        0 material_name: Chars<16>, "Name.";
        16 primary_name: Chars<16>, "First texture.";
        32 secondary_name: Chars<16>, "Second texture.";
        48 render_flags: U32, "Flags.";
        52 red: u8, "Red.";
        53 green: u8, "Green.";
        54 blue: u8, "Blue.";
        55 alpha: u8, "Alpha.";
        56 primary_num_frames: U16, "Frames of the first texture.";
        58 secondary_num_frames: U16, "Frames of the second texture.";
        60 pad: Bytes<12>, "Unused.";
    }

    /// A material of version 3 (`W3dMaterial3Struct`).
    pub struct Material3Info: 44 {
        0 attributes: Material3Flags, "Flags and hints.";
        4 diffuse_color: Rgb, "Diffuse colour.";
        8 specular_color: Rgb, "Specular colour.";
        12 emissive_coefficients: Rgb, "Emission.";
        16 ambient_coefficients: Rgb, "Ambient coefficients.";
        20 diffuse_coefficients: Rgb, "Diffuse coefficients.";
        24 specular_coefficients: Rgb, "Specular coefficients.";
        28 shininess: F32, "Exponent of the highlight.";
        32 opacity: F32, "Opacity: 0 is invisible, 1 is opaque.";
        36 translucency: F32, "Translucency.";
        40 fog_coeff: F32, "Share of fog.";
    }

    /// Mapping of a version 3 material's map (`W3dMap3Struct`).
    pub struct Map3Info: 8 {
        0 mapping_type: MappingType, "By coordinates or as an environment map.";
        2 frame_count: U16, "Number of frames.";
        4 frame_rate: F32, "Frames per second.";
    }

    /// A triangle of the Surrender renderer (`W3dSurrenderTriStruct`).
    pub struct SurrenderTriangle: 68 {
        0 vindex: [U32; 3], "Its vertices.";
        12 tex_coord: [Vec2; 3], "Their texture coordinates.";
        36 material_idx: U32, "Its material.";
        40 normal: Vec3, "Its normal.";
        52 attributes: U32, "Flags.";
        56 gouraud: [Rgb; 3], "Colours of its vertices.";
    }

    /// Size of a damage stage (`W3dMeshDamageStruct`).
    pub struct DamageHeader: 32 {
        0 num_damage_materials: U32, "Number of materials; 0 if none change.";
        4 num_damage_verts: U32, "Number of moved vertices.";
        8 num_damage_colors: U32, "Number of coloured vertices.";
        12 damage_index: U32, "Index of the stage.";
        16 future_use: [U32; 4], "Reserved.";
    }

    /// A moved vertex (`W3dMeshDamageVertexStruct`).
    pub struct DamageVertex: 16 {
        0 vertex_index: U32, "The vertex.";
        4 new_vertex: Vec3, "New position.";
    }

    /// A coloured vertex (`W3dMeshDamageColorStruct`).
    pub struct DamageColor: 8 {
        0 vertex_index: U32, "The vertex.";
        4 new_color: Rgb, "Its colour.";
    }
}
