//! Layers of both families as texture stages (docs/formats/rendering.md#w3d-passes and docs/formats/rendering.md#mdx-layers).

use super::mapper::UvSource;
use super::missing::Found;
use super::surface::{Context, LayerView, Pass, Tangents};
use super::vertex_color::{ColorRecipe, VertexColors};
use super::{Detail, Family, Fixed, Gradient, PictureId, Program, Sampler};
use glam::{Vec3, Vec4};
use scene::{
    AlphaTest, BlendFactor, BlendMode, Combine, Compare, Layer, MeshState, SlotKind, TextureSlot, UvMapper,
    Wrap,
};

/// The pass for meshes without a material: white, lit.
pub(super) fn plain<'a>(context: &Context<'a>, mesh: &MeshState) -> Pass<'a> {
    let material = Default::default();
    let layer = Layer::default();
    let color = match context.family {
        Family::W3d => ColorRecipe::W3d(VertexColors::default().recipe(0, &layer, &material, None, false)),
        Family::Mdx => ColorRecipe::Mdx(mesh.color.extend(mesh.alpha)),
    };
    Pass {
        layer: 0,
        blend: BlendMode::Opaque.factors(),
        alpha_test: None,
        depth_test: Compare::LessEqual,
        depth_write: true,
        cull: true,
        program: Program::Fixed(Fixed::default()),
        color,
        uv: [UvSource::NONE; 2],
        tangents: Tangents::None,
    }
}

/// A pass of a W3D mesh. `None` if it is invisible.
pub(super) fn w3d<'a>(
    context: &Context<'a>,
    view: &LayerView<'a>,
    colors: &VertexColors,
) -> Option<Pass<'a>> {
    let LayerView { layer, material, .. } = *view;
    let rules = &context.options.rules;
    let diffuse = view.texture(context, SlotKind::Diffuse);
    let texture = first_texture(context, view, diffuse.map(|(_, found)| found))?;
    let gradient = if layer.unlit {
        Gradient::Disable
    } else {
        match layer.gradient {
            scene::Gradient::Modulate if rules.overbright => Gradient::Modulate2x,
            scene::Gradient::Modulate => Gradient::Modulate,
            scene::Gradient::Add => Gradient::Add,
            scene::Gradient::BumpEnvironment | scene::Gradient::BumpEnvironmentLuminance => Gradient::Bump,
            scene::Gradient::Modulate2x => Gradient::Modulate2x,
            scene::Gradient::DotProduct => Gradient::DotProduct,
        }
    };
    // An unset stage reads as white, as Direct3D defines. Only for these gradients does this differ from a disabled
    // stage.
    let texture = texture.or((gradient != Gradient::Modulate && gradient != Gradient::Bump).then_some(WHITE));
    let detail = view.texture(context, SlotKind::Detail).and_then(|(slot, found)| {
        // Without its texture the stage is skipped.
        Some((
            slot,
            detail(context, slot, found.sampler()?, diffuse.map(|(slot, _)| slot), rules.detail_needs_color)?,
        ))
    });
    let uv = |slot: Option<&'a TextureSlot>| slot.map_or(UvSource::NONE, |slot| view.uv(context, slot));
    let overbright =
        rules.overbright && gradient == Gradient::Modulate2x && layer.gradient == scene::Gradient::Modulate;
    let color = if layer.unlit {
        ColorRecipe::Plain(Vec4::ONE)
    } else {
        ColorRecipe::W3d(colors.recipe(view.index, layer, material, context.house_color(), overbright))
    };
    let (detail_slot, detail) = detail.unzip();
    let program = Program::Fixed(Fixed { texture, gradient, detail, add_specular: layer.specular });
    Some(Pass::of_layer(view, program, color, [uv(diffuse.map(|(slot, _)| slot)), uv(detail_slot)]))
}

const WHITE: Sampler = Sampler { picture: PictureId::White, wrap: [Wrap::Repeat; 2], mipmaps: false };

/// The texture of the first stage. The outer option is `None` if the layer is not drawn without its texture.
fn first_texture(
    context: &Context<'_>,
    view: &LayerView<'_>,
    found: Option<Found>,
) -> Option<Option<Sampler>> {
    match found {
        None => Some(None),
        Some(Found::Missing(_)) if !context.missing.shows_checker(view.material, view.layer) => None,
        Some(found) => Some(found.or_checker()),
    }
}

/// The second stage, if it has an effect.
fn detail(
    context: &Context<'_>,
    slot: &TextureSlot,
    texture: Sampler,
    first: Option<&TextureSlot>,
    needs_color: bool,
) -> Option<Detail> {
    let (color, alpha) = (slot.color_combine, slot.alpha_combine);
    let bump = first.map(|first| &first.mapper).and_then(|mapper| match mapper {
        UvMapper::BumpEnvironment(bump) => {
            let turn = (bump.rotation * context.seconds).rem_euclid(1.0) * std::f32::consts::TAU;
            let (sin, cos) = turn.sin_cos();
            let matrix = [cos, -sin, sin, cos].map(|part| part * bump.bump_scale);
            matrix.iter().all(|part| part.is_finite()).then_some(matrix)
        }
        _ => None,
    });
    if color == Combine::Disable && (alpha == Combine::Disable || needs_color) {
        return None;
    }
    Some(Detail { texture, color, alpha, bump: bump.unwrap_or_default() })
}

/// Blending state of a layer of a Warcraft III model at its opacity.
pub(super) struct Mixing {
    pub(super) blend: (BlendFactor, BlendFactor),
    pub(super) alpha_test: Option<AlphaTest>,
    pub(super) depth_write: bool,
}

impl Mixing {
    pub(super) fn apply<'a>(&self, pass: Pass<'a>) -> Pass<'a> {
        Pass { blend: self.blend, alpha_test: self.alpha_test, depth_write: self.depth_write, ..pass }
    }
}

/// Below this opacity opaque layers are blended (docs/formats/rendering.md#mdx-layers).
const OPAQUE_ABOVE: f32 = 0.99;

/// The state and the opacity of a layer. `None` if it is too faint.
pub(super) fn mixing(context: &Context<'_>, view: &LayerView<'_>, mesh: &MeshState) -> Option<(Mixing, f32)> {
    let rules = &context.options.rules;
    let LayerView { layer, .. } = *view;
    let own = view.state.map_or(layer.alpha, |state| state.alpha);
    if rules.skip.skips(mesh.alpha, own) {
        return None;
    }
    let alpha = (mesh.alpha * own).clamp(0.0, 1.0);
    let mut mixing =
        Mixing { blend: layer.blend.factors(), alpha_test: layer.alpha_test, depth_write: layer.depth_write };
    if layer.blend == BlendMode::Opaque && rules.fade_opaque && alpha < OPAQUE_ABOVE {
        mixing = Mixing {
            blend: BlendMode::Alpha.factors(),
            alpha_test: Some(AlphaTest::INVISIBLE),
            depth_write: false,
        };
    }
    Some((mixing, alpha))
}

/// A layer of a Warcraft III mesh. `None` if it is invisible.
pub(super) fn mdx<'a>(context: &Context<'a>, view: &LayerView<'a>, mesh: &MeshState) -> Option<Pass<'a>> {
    let LayerView { layer, .. } = *view;
    let (mixing, alpha) = mixing(context, view, mesh)?;
    let diffuse = view.texture(context, SlotKind::Diffuse);
    let texture = first_texture(context, view, diffuse.map(|(_, found)| found))?;
    let multiplies = matches!(layer.blend, BlendMode::Modulate | BlendMode::Modulate2x);
    let mesh_color =
        if multiplies && context.options.rules.modulate_ignores_color { Vec3::ONE } else { mesh.color };
    let color = (mesh_color * view.state.map_or(layer.color, |state| state.color)).extend(alpha);
    let program = Program::Fixed(Fixed { texture, ..Fixed::default() });
    let color = if layer.unlit { ColorRecipe::Plain(color) } else { ColorRecipe::Mdx(color) };
    let uv = [diffuse.map_or(UvSource::NONE, |(slot, _)| view.uv(context, slot)), UvSource::NONE];
    Some(mixing.apply(Pass::of_layer(view, program, color, uv)))
}
