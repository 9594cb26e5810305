//! Reforged's HD materials (docs/formats/rendering.md#reforged-materials).

use super::fixed;
use super::mapper::UvSource;
use super::missing::Found;
use super::surface::{Context, LayerView, Pass, Tangents};
use super::vertex_color::ColorRecipe;
use super::{Hd, Program, Sampler};
use scene::{Layer, SlotKind};

/// Whether a layer has the textures of an HD material.
pub(super) fn is_hd(layer: &Layer) -> bool {
    let has = |kind| layer.slot(kind).is_some();
    has(SlotKind::Normal) || has(SlotKind::OcclusionRoughnessMetal)
}

/// A layer of an HD material. `None` if it is invisible.
pub(super) fn pass<'a>(
    context: &Context<'a>,
    view: &LayerView<'a>,
    mesh: &scene::MeshState,
) -> Option<Pass<'a>> {
    let layer = view.layer;
    let (mixing, alpha) = fixed::mixing(context, view, mesh)?;
    let diffuse = view.texture(context, SlotKind::Diffuse);
    if let Some((_, Found::Missing(_))) = diffuse
        && !context.missing.shows_checker(view.material, layer)
    {
        return None;
    }
    let texture = |kind| -> Option<Sampler> { view.texture(context, kind)?.1.sampler() };
    let fresnel = view.state.map_or(layer.fresnel, |state| state.fresnel);
    let share = fresnel.team_color.clamp(0.0, 1.0);
    let glow =
        fresnel.color.lerp(fresnel.color * context.team_color(), if share.is_nan() { 0.0 } else { share });
    let glow = glow.extend(fresnel.opacity);
    let gain = view.state.map_or(layer.emissive_gain, |state| state.emissive_gain);
    let program = Hd {
        albedo: diffuse.and_then(|(_, found)| found.or_checker()),
        normal: texture(SlotKind::Normal),
        orm: texture(SlotKind::OcclusionRoughnessMetal),
        emissive: texture(SlotKind::Emissive),
        team: texture(SlotKind::TeamColor),
        emissive_gain: if gain.is_finite() { gain.max(0.0) } else { 1.0 },
        fresnel: if glow.is_finite() { glow } else { Default::default() },
        unlit: layer.unlit,
    };
    let slot = diffuse.map(|(slot, _)| slot).or_else(|| layer.slots.first());
    let color = ColorRecipe::Plain(mesh.color.extend(alpha));
    let uv = [slot.map_or(UvSource::NONE, |slot| view.uv(context, slot)), UvSource::NONE];
    let pass = Pass::of_layer(view, Program::Hd(program), color, uv);
    Some(Pass { tangents: Tangents::Up, ..mixing.apply(pass) })
}
