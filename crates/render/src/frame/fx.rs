//! BFME's effects: `NormalMapped.fx`, `Simple.fx`, and an approximation for all others
//! (docs/formats/rendering.md#w3d-effects).

use super::fixed;
use super::mapper::UvSource;
use super::missing::Found;
use super::surface::{Context, LayerView, Pass, Tangents};
use super::vertex_color::{ColorRecipe, VertexColors};
use super::{Fixed, NormalMapped, Program};
use glam::{Affine2, Mat2, Vec2, Vec3, Vec4};
use scene::{Shader, ShaderParameter, SlotKind};

/// Whether a program is `NormalMapped.fx`.
pub(super) fn is_normal_mapped(shader: &Shader) -> bool {
    shader.name.eq_ignore_ascii_case("NormalMapped.fx")
}

fn is_simple(shader: &Shader) -> bool {
    shader.name.eq_ignore_ascii_case("Simple.fx")
}

fn parameter(shader: &Shader, name: &str) -> Option<ShaderParameter> {
    shader.parameters.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
}

fn number(shader: &Shader, name: &str, default: f32) -> f32 {
    match parameter(shader, name) {
        Some(ShaderParameter::Float(value)) if value.is_finite() => value,
        _ => default,
    }
}

fn color(shader: &Shader, name: &str, default: f32) -> Vec3 {
    match parameter(shader, name) {
        Some(ShaderParameter::Vec4(value)) if value.is_finite() => value.truncate(),
        Some(ShaderParameter::Vec3(value)) if value.is_finite() => value,
        _ => Vec3::splat(default),
    }
}

/// A pass of `NormalMapped.fx`. Nothing if it cannot be seen.
pub(super) fn normal_mapped<'a>(
    context: &Context<'a>,
    view: &LayerView<'a>,
    shader: &Shader,
) -> Option<Pass<'a>> {
    let layer = view.layer;
    let diffuse = view.texture(context, SlotKind::Diffuse);
    if let Some((_, Found::Missing(_))) = diffuse
        && !context.missing.shows_checker(view.material, layer)
    {
        return None;
    }
    let normal = view.texture(context, SlotKind::Normal);
    let program = NormalMapped {
        diffuse: diffuse.and_then(|(_, found)| found.or_checker()),
        normal: normal.and_then(|(_, found)| found.sampler()),
        bump_scale: number(shader, "BumpScale", 1.0),
        exponent: number(shader, "SpecularExponent", 50.0),
        ambient_color: color(shader, "AmbientColor", 0.4),
        diffuse_color: color(shader, "DiffuseColor", 1.0),
        specular_color: color(shader, "SpecularColor", 0.8),
    };
    let tangents = if context.options.rules.normals_reversed { Tangents::Reversed } else { Tangents::Down };
    let uv = [diffuse.map_or(UvSource::NONE, |(slot, _)| view.uv(context, slot)), UvSource::NONE];
    let program = Program::NormalMapped(program);
    Some(Pass { tangents, ..Pass::of_layer(view, program, ColorRecipe::Plain(Vec4::ONE), uv) })
}

/// A pass of any other effect: its first texture, lit by its colours; `Simple.fx` is not lit.
pub(super) fn other<'a>(
    context: &Context<'a>,
    view: &LayerView<'a>,
    shader: &Shader,
    colors: &VertexColors,
) -> Option<Pass<'a>> {
    let mut pass = fixed::w3d(context, view, colors)?;
    if view.layer.unlit {
        // The texture is multiplied by a colour, unlike in a classic pass.
        pass.color = ColorRecipe::Plain(view.layer.color.extend(1.0));
        if let Program::Fixed(fixed) = &mut pass.program {
            *fixed = Fixed { texture: fixed.texture, ..Fixed::default() };
        }
    }
    if is_simple(shader) {
        pass.uv[0].animation = scrolling(shader, context.seconds);
    }
    Some(pass)
}

/// `uv · T.xy + time · T.zw`.
fn scrolling(shader: &Shader, seconds: f32) -> Affine2 {
    let transform = match parameter(shader, "TexCoordTransform_0") {
        Some(ShaderParameter::Vec4(transform)) if transform.is_finite() => transform,
        _ => Vec4::new(1.0, 1.0, 0.0, 0.0),
    };
    let speed = Vec2::new(transform.z, transform.w) * seconds;
    Affine2::from_mat2_translation(
        Mat2::from_diagonal(Vec2::new(transform.x, transform.y)),
        speed - speed.floor(),
    )
}
