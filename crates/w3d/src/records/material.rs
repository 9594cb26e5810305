//! Materials: shaders, vertex materials, textures, FX shader materials.

use record::{Bytes, Chars, F32, U32, records};

use crate::names::{
    AlphaTest, DepthCompare, DepthMask, DestBlend, DetailAlphaFunc, DetailColorFunc, PriGradient,
    PropertyType, SecGradient, SrcBlend, TextureAnimation, TextureFlags, Texturing, VertexMaterialFlags,
};

records! {
    /// A colour (`W3dRGBStruct`).
    pub struct Rgb: 4 {
        0 r: u8, "Red.";
        1 g: u8, "Green.";
        2 b: u8, "Blue.";
        3 pad: u8, "Unused.";
    }

    /// A colour with alpha (`W3dRGBAStruct`).
    pub struct Rgba: 4 {
        0 r: u8, "Red.";
        1 g: u8, "Green.";
        2 b: u8, "Blue.";
        3 a: u8, "Alpha.";
    }

    /// Numbers of materials of each kind (`W3dMaterialInfoStruct`).
    pub struct MaterialInfo: 16 {
        0 pass_count: U32, "Number of material passes.";
        4 vertex_material_count: U32, "Number of vertex materials.";
        8 shader_count: U32, "Number of shaders.";
        12 texture_count: U32, "Number of textures.";
    }

    /// Shader: blending, depth test and texture stages (`W3dShaderStruct`). Four bytes that PCs do not use hold parameters A to D of the PlayStation 2.
    pub struct Shader: 16 {
        0 depth_compare: DepthCompare, "Depth test.";
        1 depth_mask: DepthMask, "Depth writing.";
        2 color_mask: u8, "Obsolete; PlayStation 2 parameter A.";
        3 dest_blend: DestBlend, "Blend factor of the destination.";
        4 fog_func: u8, "Obsolete; PlayStation 2 parameter B.";
        5 pri_gradient: PriGradient, "How the lit colour is combined with the texture.";
        6 sec_gradient: SecGradient, "Specular lighting.";
        7 src_blend: SrcBlend, "Blend factor of the source.";
        8 texturing: Texturing, "Texturing.";
        9 detail_color_func: DetailColorFunc, "How the colour of stage 1 is combined.";
        10 detail_alpha_func: DetailAlphaFunc, "How the alpha of stage 1 is combined.";
        11 shader_preset: u8, "Obsolete; PlayStation 2 parameter C.";
        12 alpha_test: AlphaTest, "Alpha test.";
        13 post_detail_color_func: DetailColorFunc, "Ignored: loaders copy the detail function.";
        14 post_detail_alpha_func: DetailAlphaFunc, "Ignored: loaders copy the detail function.";
        15 pad: u8, "PlayStation 2 parameter D.";
    }

    /// Colours and mappers of a vertex material (`W3dVertexMaterialStruct`).
    pub struct VertexMaterialInfo: 32 {
        0 attributes: VertexMaterialFlags, "Mappers of both stages and options.";
        4 ambient: Rgb, "Ambient colour.";
        8 diffuse: Rgb, "Diffuse colour.";
        12 specular: Rgb, "Specular colour.";
        16 emissive: Rgb, "Emissive colour.";
        20 shininess: F32, "Exponent of the highlight, 1 to 1000.";
        24 opacity: F32, "Opacity: 0 is invisible, 1 is opaque.";
        28 translucency: F32, "Translucency; not used.";
    }

    /// Settings of a texture (`W3dTextureInfoStruct`).
    pub struct TextureInfo: 12 {
        0 attributes: TextureFlags, "Filtering, wrapping, use.";
        2 anim_type: TextureAnimation, "Playback of the frames.";
        4 frame_count: U32, "Number of frames, 1 if not animated.";
        8 frame_rate: F32, "Frames per second.";
    }

    /// The FX shader of a shader material.
    pub struct ShaderMaterialHeader: 37 {
        0 version: u8, "1.";
        1 shader_name: Chars<32>, "File of the shader, such as `NormalMapped.fx`.";
        33 technique: u8, "Technique of the effect.";
        34 pad: Bytes<3>, "Unused.";
    }

    /// Type and name of a shader property; the name and the value follow.
    pub struct ShaderMaterialProperty: 8 {
        0 property_type: PropertyType, "Type of the value.";
        4 name_length: U32, "Length of the name, its NUL included.";
    }
}
