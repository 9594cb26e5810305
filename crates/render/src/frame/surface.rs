//! The state of a layer for drawing, without geometry.

use super::light::Illumination;
use super::mapper::UvSource;
use super::missing::{Found, Missing};
use super::vertex_color::ColorRecipe;
use super::{Camera, Draw, Family, Options, Program, Source, Topology};
use glam::Vec3;
use scene::{
    AlphaTest, BlendFactor, Compare, Layer, LayerState, Material, Pose, Scene, SlotKind, TextureSlot,
    UvMapper,
};
use std::ops::Range;

/// Everything that the look of a surface depends on.
pub(super) struct Context<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: &'a Options,
    pub(super) family: Family,
    pub(super) pose: &'a Pose,
    pub(super) camera: Camera,
    pub(super) light: Illumination,
    /// Which textures could not be found.
    pub(super) missing: &'a Missing,
    /// Seconds on the clock of mappers.
    pub(super) seconds: f32,
}

impl Context<'_> {
    /// The player's colour for W3D's house colours, if there is one.
    pub(super) fn house_color(&self) -> Option<Vec3> {
        self.options.team_color.map(color)
    }

    /// The player's colour.
    pub(super) fn team_color(&self) -> Vec3 {
        color(self.options.player())
    }
}

fn color(bytes: [u8; 3]) -> Vec3 {
    Vec3::from(bytes.map(f32::from)) / 255.0
}

/// The tangent convention of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Tangents {
    /// No tangents.
    #[default]
    None,
    /// Unchanged: x along u, y to the top of the picture.
    Up,
    /// y to the bottom of the picture.
    Down,
    /// x against u, y to the top of the picture.
    Reversed,
}

/// One draw call without its geometry.
#[derive(Clone, Debug)]
pub(super) struct Pass<'a> {
    /// Index of the layer in the material.
    pub(super) layer: u32,
    pub(super) blend: (BlendFactor, BlendFactor),
    pub(super) alpha_test: Option<AlphaTest>,
    pub(super) depth_test: Compare,
    pub(super) depth_write: bool,
    pub(super) cull: bool,
    pub(super) program: Program,
    pub(super) color: ColorRecipe,
    pub(super) uv: [UvSource<'a>; 2],
    pub(super) tangents: Tangents,
}

impl<'a> Pass<'a> {
    /// A pass with the state that a layer has in the file.
    pub(super) fn of_layer(
        view: &LayerView<'a>,
        program: Program,
        color: ColorRecipe,
        uv: [UvSource<'a>; 2],
    ) -> Self {
        let layer = view.layer;
        Self {
            layer: view.index as u32,
            blend: layer.blend.factors(),
            alpha_test: layer.alpha_test,
            depth_test: layer.depth_test,
            depth_write: layer.depth_write,
            cull: !layer.two_sided,
            program,
            color,
            uv,
            tangents: Tangents::None,
        }
    }

    /// Its draw call.
    pub(super) fn draw(&self, source: Source, indices: Range<u32>) -> Draw {
        Draw {
            source,
            topology: Topology::Triangles,
            indices,
            blend: self.blend,
            alpha_test: self.alpha_test,
            depth_test: self.depth_test,
            depth_write: self.depth_write,
            cull: self.cull,
            program: self.program.clone(),
        }
    }

    /// Whether it has the same vertices as another pass.
    pub(super) fn same_vertices(&self, other: &Self) -> bool {
        self.color == other.color && self.uv == other.uv && self.tangents == other.tangents
    }

    /// Whether it is opaque.
    pub(super) fn is_opaque(&self) -> bool {
        self.blend == (BlendFactor::One, BlendFactor::Zero)
    }
}

/// A layer and its state at a moment.
#[derive(Clone, Copy)]
pub(super) struct LayerView<'a> {
    pub(super) material: &'a Material,
    pub(super) index: usize,
    pub(super) layer: &'a Layer,
    pub(super) state: Option<&'a LayerState>,
}

impl<'a> LayerView<'a> {
    /// The slot of this kind and its texture at the moment.
    pub(super) fn texture(&self, context: &Context<'_>, kind: SlotKind) -> Option<(&'a TextureSlot, Found)> {
        let index = self.layer.slots.iter().position(|slot| slot.kind == kind)?;
        let slot = &self.layer.slots[index];
        let texture = self.state.and_then(|state| state.textures.get(index)).copied().unwrap_or(slot.texture);
        Some((slot, context.missing.find(context.scene, texture)))
    }

    /// The coordinates of a slot.
    pub(super) fn uv(&self, context: &Context<'_>, slot: &'a TextureSlot) -> UvSource<'a> {
        let animation = self.state.map(|state| state.uv.matrix()).unwrap_or_default();
        UvSource {
            set: slot.uv_set,
            animation: if animation.is_finite() { animation } else { Default::default() },
            mapper: mapper(context, slot),
            sphere_down: context.family == Family::Mdx,
        }
    }
}

/// The mapper of a slot, unless a rule turns it off.
fn mapper<'a>(context: &Context<'_>, slot: &'a TextureSlot) -> &'a UvMapper {
    let is_off = context.family == Family::Mdx && !context.options.rules.sphere_environment;
    if is_off { &UvMapper::Uv } else { &slot.mapper }
}
