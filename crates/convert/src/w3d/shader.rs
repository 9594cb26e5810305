//! Shaders to layers (docs/formats/w3d/materials.md#alpha-modes).

use glam::Vec3;
use scene::{AlphaTest, BlendFactor, BlendMode, Combine, Compare, Gradient, Layer, Lighting};
use w3d::names::{
    self, DepthCompare, DepthMask, DestBlend, DetailAlphaFunc, DetailColorFunc, PriGradient, SecGradient,
    SrcBlend, Texturing,
};
use w3d::records::Shader;

use super::Engine;

/// A pass without its textures.
pub(super) fn layer(shader: &Shader, engine: Engine) -> Layer {
    let source = match shader.src_blend {
        SrcBlend::ZERO => BlendFactor::Zero,
        SrcBlend::SRC_ALPHA => BlendFactor::SourceAlpha,
        // The name is Renegade's; later engines have another factor in its place.
        SrcBlend::ONE_MINUS_SRC_ALPHA => match engine {
            Engine::Renegade => BlendFactor::OneMinusSourceAlpha,
            Engine::Generals => BlendFactor::DestinationColor,
        },
        _ => BlendFactor::One,
    };
    let destination = match shader.dest_blend {
        DestBlend::ONE => BlendFactor::One,
        DestBlend::SRC_COLOR | DestBlend::SRC_COLOR_PREFOG => BlendFactor::SourceColor,
        DestBlend::ONE_MINUS_SRC_COLOR => BlendFactor::OneMinusSourceColor,
        DestBlend::SRC_ALPHA => BlendFactor::SourceAlpha,
        DestBlend::ONE_MINUS_SRC_ALPHA => BlendFactor::OneMinusSourceAlpha,
        _ => BlendFactor::Zero,
    };
    let alpha_test = (shader.alpha_test == names::AlphaTest::ENABLE).then_some(match source {
        BlendFactor::OneMinusSourceAlpha => AlphaTest::W3D_INVERTED,
        _ => AlphaTest::W3D,
    });
    // Without texturing, the first stage is the lit colour alone, whatever the gradient (docs/formats/rendering.md#w3d-passes).
    let is_textured = shader.texturing != Texturing::DISABLE;
    Layer {
        blend: BlendMode::from_factors(source, destination),
        alpha_test,
        depth_test: match shader.depth_compare {
            DepthCompare::PASS_NEVER => Compare::Never,
            DepthCompare::PASS_LESS => Compare::Less,
            DepthCompare::PASS_EQUAL => Compare::Equal,
            DepthCompare::PASS_GREATER => Compare::Greater,
            DepthCompare::PASS_NOTEQUAL => Compare::NotEqual,
            DepthCompare::PASS_GEQUAL => Compare::GreaterEqual,
            DepthCompare::PASS_ALWAYS => Compare::Always,
            _ => Compare::LessEqual,
        },
        depth_write: shader.depth_mask != DepthMask::WRITE_DISABLE,
        unlit: is_textured && shader.pri_gradient == PriGradient::DISABLE,
        gradient: match shader.pri_gradient {
            _ if !is_textured => Gradient::Modulate,
            PriGradient::ADD => Gradient::Add,
            PriGradient::BUMPENVMAP => Gradient::BumpEnvironment,
            PriGradient::BUMPENVMAP_LUMINANCE => Gradient::BumpEnvironmentLuminance,
            PriGradient::MODULATE2X => match engine {
                Engine::Renegade => Gradient::DotProduct,
                Engine::Generals => Gradient::Modulate2x,
            },
            _ => Gradient::Modulate,
        },
        specular: shader.sec_gradient == SecGradient::ENABLE,
        unused: [
            shader.color_mask,
            shader.fog_func,
            shader.shader_preset,
            shader.pad,
            shader.post_detail_color_func.get(),
            shader.post_detail_alpha_func.get(),
            shader.detail_color_func.get(),
            shader.detail_alpha_func.get(),
        ],
        ..Layer::default()
    }
}

/// Gives a layer the opacity of its vertex material and its vertex colours, if they have an effect
/// (docs/formats/rendering.md#w3d-lighting and docs/formats/rendering.md#w3d-vertex-colours).
pub(super) fn finish(layer: &mut Layer, color_set: Option<u32>) {
    let (source, destination) = layer.blend.factors();
    let by_alpha = |factor| matches!(factor, BlendFactor::SourceAlpha | BlendFactor::OneMinusSourceAlpha);
    let uses_alpha = by_alpha(source) || by_alpha(destination) || layer.alpha_test.is_some();
    // Without a gradient, colour and alpha are the texture's alone.
    layer.color_set = color_set.filter(|_| !layer.unlit);
    let replaces_opacity = |lighting: &Lighting| {
        layer.color_set.is_some()
            && lighting.emissive != Vec3::ZERO
            && (lighting.diffuse != Vec3::ZERO || lighting.ambient != Vec3::ZERO)
    };
    layer.alpha = match &layer.lighting {
        Some(lighting) if uses_alpha && !layer.unlit && !replaces_opacity(lighting) => lighting.opacity,
        _ => 1.0,
    };
}

/// How the colour and the alpha of a stage meet those of the one before: of the first there is none.
pub(super) fn combine(shader: Option<&Shader>, stage: usize) -> (Combine, Combine) {
    shader
        .filter(|_| stage > 0)
        .map(|shader| (color_combine(shader), alpha_combine(shader)))
        .unwrap_or_default()
}

/// How the second stage's colour meets the first's. The bytes for after the detail are not read, as in the engine.
fn color_combine(shader: &Shader) -> Combine {
    match shader.detail_color_func {
        DetailColorFunc::DETAIL => Combine::Detail,
        DetailColorFunc::SCALE => Combine::Scale,
        DetailColorFunc::INVSCALE => Combine::InverseScale,
        DetailColorFunc::ADD => Combine::Add,
        DetailColorFunc::SUB => Combine::Subtract,
        DetailColorFunc::SUBR => Combine::SubtractReversed,
        DetailColorFunc::BLEND => Combine::Blend,
        DetailColorFunc::DETAILBLEND => Combine::DetailBlend,
        DetailColorFunc::ADDSIGNED => Combine::AddSigned,
        DetailColorFunc::ADDSIGNED2X => Combine::AddSigned2x,
        DetailColorFunc::SCALE2X => Combine::Scale2x,
        DetailColorFunc::MODALPHAADDCOLOR => Combine::ModulateAlphaAddColor,
        _ => Combine::Disable,
    }
}

/// The same for alpha.
fn alpha_combine(shader: &Shader) -> Combine {
    match shader.detail_alpha_func {
        DetailAlphaFunc::DETAIL => Combine::Detail,
        DetailAlphaFunc::SCALE => Combine::Scale,
        DetailAlphaFunc::INVSCALE => Combine::InverseScale,
        _ => Combine::Disable,
    }
}
