//! From materials to passes, by the rules of each family.

use super::surface::{Context, LayerView, Pass};
use super::vertex_color::VertexColors;
use super::{Family, fixed, fx, hd};
use scene::{MaterialId, MeshState};

/// The passes over a surface, first to last.
pub(super) fn passes<'a>(
    context: &Context<'a>,
    id: Option<MaterialId>,
    mesh: &MeshState,
    colors: &VertexColors,
) -> Vec<Pass<'a>> {
    let Some((id, material)) = id.and_then(|id| Some((id, context.scene.materials.get(id.index())?))) else {
        return vec![fixed::plain(context, mesh)];
    };
    let states = context.pose.materials.get(id.index()).map_or(&[][..], Vec::as_slice);
    let views = material.layers.iter().enumerate().map(|(index, layer)| LayerView {
        material,
        index,
        layer,
        state: states.get(index),
    });
    views
        .filter_map(|view| match context.family {
            Family::W3d => match &material.shader {
                Some(shader) if fx::is_normal_mapped(shader) => fx::normal_mapped(context, &view, shader),
                Some(shader) => fx::other(context, &view, shader, colors),
                None => fixed::w3d(context, &view, colors),
            },
            Family::Mdx if hd::is_hd(view.layer) => hd::pass(context, &view, mesh),
            Family::Mdx => fixed::mdx(context, &view, mesh),
        })
        .collect()
}
