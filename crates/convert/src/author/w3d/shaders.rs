//! Layers to shaders and vertex materials: the inverse of the reader's `shader` and `mapper`.

use glam::{Vec2, Vec3};
use record::F32;
use scene::{
    Axis, BlendFactor, BlendMode, Combine, Compare, EnvironmentSource, Gradient, Grid, Layer, Lighting,
    LinearOffset, Material, SlotKind, UvMapper,
};
use w3d::names::{
    AlphaTest, DepthCompare, DepthMask, DestBlend, DetailAlphaFunc, DetailColorFunc, Mapper, PriGradient,
    SecGradient, SrcBlend, Texturing, VertexMaterialFlags,
};
use w3d::records::{Rgb, Shader, VertexMaterialInfo};

use super::Limits;

/// The stage of a texture; nothing if the fixed passes have no place for it.
pub(super) fn stage(kind: SlotKind) -> Option<usize> {
    match kind {
        SlotKind::Diffuse => Some(0),
        SlotKind::Detail => Some(1),
        _ => None,
    }
}

/// The FX program of a material, if it has one that W3D knows.
pub(super) fn program(material: &Material) -> Option<&scene::Shader> {
    let is_effect = |shader: &&scene::Shader| shader.name.to_ascii_lowercase().ends_with(".fx");
    material.shader.as_ref().filter(is_effect)
}

/// A shader, and what of the layer it cannot say.
pub(super) fn shader(layer: &Layer, limits: &Limits) -> (Shader, Vec<&'static str>) {
    let mut lost = Vec::new();
    let (source, destination) = blend(layer.blend, limits, &mut lost);
    let is_shaded = !layer.unlit || needs_emissive(layer);
    let gradient = match layer.gradient {
        _ if !is_shaded => PriGradient::DISABLE,
        Gradient::Modulate => PriGradient::MODULATE,
        Gradient::Add => PriGradient::ADD,
        Gradient::BumpEnvironment => PriGradient::BUMPENVMAP,
        Gradient::BumpEnvironmentLuminance => PriGradient::BUMPENVMAP_LUMINANCE,
        Gradient::Modulate2x if limits.renegade_blending => {
            lost.push("lighting that doubles");
            PriGradient::MODULATE
        }
        Gradient::DotProduct if !limits.renegade_blending => {
            lost.push("lighting by a dot product");
            PriGradient::MODULATE
        }
        Gradient::Modulate2x | Gradient::DotProduct => PriGradient::MODULATE2X,
    };
    let textured = layer.slots.iter().any(|slot| stage(slot.kind).is_some())
        || !is_shaded
        || layer.gradient != Gradient::Modulate;
    let detail = layer.slot(SlotKind::Detail);
    if !layer.fog {
        lost.push("the missing fog");
    }
    let tests = layer.alpha_test.filter(|test| *test != scene::AlphaTest::INVISIBLE);
    let known = [scene::AlphaTest::W3D, scene::AlphaTest::W3D_INVERTED];
    if tests.is_some_and(|test| !known.contains(&test)) {
        lost.push("the threshold of the alpha test, which is 96 of 255");
    }
    let shader = Shader {
        depth_compare: match layer.depth_test {
            Compare::Never => DepthCompare::PASS_NEVER,
            Compare::Less => DepthCompare::PASS_LESS,
            Compare::Equal => DepthCompare::PASS_EQUAL,
            Compare::LessEqual => DepthCompare::PASS_LEQUAL,
            Compare::Greater => DepthCompare::PASS_GREATER,
            Compare::NotEqual => DepthCompare::PASS_NOTEQUAL,
            Compare::GreaterEqual => DepthCompare::PASS_GEQUAL,
            Compare::Always => DepthCompare::PASS_ALWAYS,
        },
        depth_mask: if layer.depth_write { DepthMask::WRITE_ENABLE } else { DepthMask::WRITE_DISABLE },
        dest_blend: destination,
        pri_gradient: gradient,
        sec_gradient: if layer.specular { SecGradient::ENABLE } else { SecGradient::DISABLE },
        src_blend: source,
        texturing: if textured { Texturing::ENABLE } else { Texturing::DISABLE },
        detail_color_func: detail
            .map_or(DetailColorFunc::new(layer.unused[6]), |slot| color_combine(slot.color_combine)),
        detail_alpha_func: detail
            .map_or(DetailAlphaFunc::new(layer.unused[7]), |slot| alpha_combine(slot.alpha_combine)),
        alpha_test: if tests.is_some() { AlphaTest::ENABLE } else { AlphaTest::DISABLE },
        post_detail_color_func: DetailColorFunc::new(layer.unused[4]),
        post_detail_alpha_func: DetailAlphaFunc::new(layer.unused[5]),
        color_mask: layer.unused[0],
        fog_func: layer.unused[1],
        shader_preset: layer.unused[2],
        pad: layer.unused[3],
    };
    (shader, lost)
}

/// An unlit layer with a colour or opacity of its own: these come from the lighting, which has to stay on.
fn needs_emissive(layer: &Layer) -> bool {
    layer.unlit && (layer.color != Vec3::ONE || layer.alpha != 1.0)
}

fn blend(mode: BlendMode, limits: &Limits, lost: &mut Vec<&'static str>) -> (SrcBlend, DestBlend) {
    let (source, destination) = match mode {
        // The same product with source and destination exchanged: every engine has this factor.
        BlendMode::Modulate if limits.renegade_blending => BlendMode::Multiply.factors(),
        mode => mode.factors(),
    };
    let source = match source {
        BlendFactor::Zero => SrcBlend::ZERO,
        BlendFactor::One => SrcBlend::ONE,
        BlendFactor::SourceAlpha => SrcBlend::SRC_ALPHA,
        BlendFactor::OneMinusSourceAlpha if limits.renegade_blending => SrcBlend::ONE_MINUS_SRC_ALPHA,
        BlendFactor::DestinationColor if !limits.renegade_blending => SrcBlend::ONE_MINUS_SRC_ALPHA,
        _ => {
            lost.push("a factor of its blending");
            SrcBlend::ONE
        }
    };
    let destination = match destination {
        BlendFactor::Zero => DestBlend::ZERO,
        BlendFactor::One => DestBlend::ONE,
        BlendFactor::SourceColor => DestBlend::SRC_COLOR,
        BlendFactor::OneMinusSourceColor => DestBlend::ONE_MINUS_SRC_COLOR,
        BlendFactor::SourceAlpha => DestBlend::SRC_ALPHA,
        BlendFactor::OneMinusSourceAlpha => DestBlend::ONE_MINUS_SRC_ALPHA,
        _ => {
            lost.push("a factor of its blending");
            DestBlend::ZERO
        }
    };
    (source, destination)
}

fn color_combine(combine: Combine) -> DetailColorFunc {
    match combine {
        Combine::Disable => DetailColorFunc::DISABLE,
        Combine::Detail => DetailColorFunc::DETAIL,
        Combine::Scale => DetailColorFunc::SCALE,
        Combine::InverseScale => DetailColorFunc::INVSCALE,
        Combine::Add => DetailColorFunc::ADD,
        Combine::Subtract => DetailColorFunc::SUB,
        Combine::SubtractReversed => DetailColorFunc::SUBR,
        Combine::Blend => DetailColorFunc::BLEND,
        Combine::DetailBlend => DetailColorFunc::DETAILBLEND,
        Combine::AddSigned => DetailColorFunc::ADDSIGNED,
        Combine::AddSigned2x => DetailColorFunc::ADDSIGNED2X,
        Combine::Scale2x => DetailColorFunc::SCALE2X,
        Combine::ModulateAlphaAddColor => DetailColorFunc::MODALPHAADDCOLOR,
    }
}

fn alpha_combine(combine: Combine) -> DetailAlphaFunc {
    match combine {
        Combine::Detail => DetailAlphaFunc::DETAIL,
        Combine::Scale => DetailAlphaFunc::SCALE,
        Combine::InverseScale => DetailAlphaFunc::INVSCALE,
        _ => DetailAlphaFunc::DISABLE,
    }
}

/// Colours of a vertex material, with mappers of both stages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VertexMaterial {
    pub(super) name: String,
    pub(super) info: VertexMaterialInfo,
    /// Arguments of the mappers.
    pub(super) arguments: [String; 2],
}

/// A colour in bytes.
pub(super) fn rgb(color: Vec3) -> Rgb {
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    Rgb { r: byte(color.x), g: byte(color.y), b: byte(color.z), pad: 0 }
}

/// The vertex material of a layer.
pub(super) fn vertex_material(layer: &Layer, name: &str) -> VertexMaterial {
    let mut lighting = layer.lighting.clone().unwrap_or_else(|| Lighting {
        name: name.to_owned(),
        opacity: layer.alpha,
        ..Lighting::default()
    });
    // The alpha of a layer is that of its lighting where it counts; another one was set by hand.
    if layer.alpha != 1.0 && layer.alpha != lighting.opacity {
        lighting.opacity = layer.alpha;
    }
    if needs_emissive(layer) {
        lighting.ambient = Vec3::ZERO;
        lighting.diffuse = Vec3::ZERO;
        lighting.emissive = layer.color;
    } else if layer.color != Vec3::ONE {
        lighting.ambient *= layer.color;
        lighting.diffuse *= layer.color;
    }
    let mut arguments = [String::new(), String::new()];
    let mut attributes = 0;
    for slot in &layer.slots {
        let Some(stage) = stage(slot.kind) else { continue };
        let (number, lines) = mapper(&slot.mapper);
        attributes |= u32::from(number.get()) << if stage == 0 { 16 } else { 8 };
        arguments[stage] = lines;
    }
    VertexMaterial {
        name: lighting.name,
        info: VertexMaterialInfo {
            attributes: VertexMaterialFlags::new(attributes),
            ambient: rgb(lighting.ambient),
            diffuse: rgb(lighting.diffuse),
            specular: rgb(lighting.specular),
            emissive: rgb(lighting.emissive),
            shininess: F32::new(lighting.shininess),
            opacity: F32::new(lighting.opacity),
            translucency: F32::new(lighting.translucency),
        },
        arguments,
    }
}

/// Arguments of a mapper: those that are not the engine's default.
#[derive(Default)]
struct Arguments(String);

impl Arguments {
    fn number(&mut self, key: &str, value: f32, default: f32) {
        if value != default {
            self.0 += &format!("{key}={value}\r\n");
        }
    }

    fn count(&mut self, key: &str, value: u32, default: u32) {
        if value != default {
            self.0 += &format!("{key}={value}\r\n");
        }
    }

    fn pair(&mut self, u: &str, v: &str, value: Vec2, default: Vec2) {
        self.number(u, value.x, default.x);
        self.number(v, value.y, default.y);
    }

    fn flag(&mut self, key: &str, value: bool) {
        self.count(key, value.into(), 0);
    }

    fn scale(&mut self, value: Vec2) {
        self.pair("UScale", "VScale", value, Vec2::ONE);
    }

    fn linear(&mut self, offset: &LinearOffset) {
        self.pair("UPerSec", "VPerSec", offset.speed, Vec2::ZERO);
        self.pair("UOffset", "VOffset", offset.start, Vec2::ZERO);
        self.scale(offset.scale);
        self.flag("ClampFix", offset.clamp);
    }

    fn grid(&mut self, grid: &Grid) {
        let plain = Grid::default();
        self.number("FPS", grid.frames_per_second, plain.frames_per_second);
        self.count("Log2Width", grid.log2_width, plain.log2_width);
        self.count("Last", grid.last, plain.last);
        self.count("Offset", grid.offset, plain.offset);
    }
}

/// The number of a mapper and its arguments.
fn mapper(mapper: &UvMapper) -> (Mapper, String) {
    let mut args = Arguments::default();
    let number = match mapper {
        UvMapper::Uv => Mapper::UV,
        UvMapper::Environment(environment) => {
            if let Some(grid) = &environment.grid {
                args.grid(grid);
            }
            match environment.world_axis {
                Some(Axis::X) => args.0 += "Axis=X\r\n",
                Some(Axis::Y) => args.0 += "Axis=Y\r\n",
                Some(Axis::Z) | None => {}
            }
            let is_normal = environment.source == EnvironmentSource::Normal;
            match (is_normal, environment.world_axis.is_some(), environment.grid.is_some()) {
                (false, false, false) => Mapper::ENVIRONMENT,
                (true, false, false) => Mapper::CHEAP_ENVIRONMENT,
                (true, true, false) => Mapper::WS_CLASSIC_ENV,
                (false, true, false) => Mapper::WS_ENVIRONMENT,
                (true, false, true) => Mapper::GRID_CLASSIC_ENV,
                (false, false, true) => Mapper::GRID_ENVIRONMENT,
                (true, true, true) => Mapper::GRID_WS_CLASSIC_ENV,
                (false, true, true) => Mapper::GRID_WS_ENVIRONMENT,
            }
        }
        UvMapper::Screen(offset) => {
            args.linear(offset);
            Mapper::SCREEN
        }
        UvMapper::LinearOffset(offset) => {
            args.linear(offset);
            Mapper::LINEAR_OFFSET
        }
        UvMapper::Silhouette => Mapper::SILHOUETTE,
        UvMapper::Scale(scale) => {
            args.scale(*scale);
            Mapper::SCALE
        }
        UvMapper::Grid(grid) => {
            args.grid(grid);
            Mapper::GRID
        }
        UvMapper::Rotate(rotate) => {
            args.number("Speed", rotate.speed, 0.1);
            args.pair("UCenter", "VCenter", rotate.center, Vec2::ZERO);
            args.scale(rotate.scale);
            Mapper::ROTATE
        }
        UvMapper::SineLinearOffset(sine) => {
            args.pair("UAmp", "VAmp", sine.amplitude, Vec2::ONE);
            args.pair("UFreq", "VFreq", sine.frequency, Vec2::ONE);
            args.pair("UPhase", "VPhase", sine.phase, Vec2::ZERO);
            args.scale(sine.scale);
            Mapper::SINE_LINEAR_OFFSET
        }
        UvMapper::StepLinearOffset(step) => {
            args.pair("UStep", "VStep", step.step, Vec2::ZERO);
            args.number("SPS", step.steps_per_second, 0.0);
            args.scale(step.scale);
            args.flag("ClampFix", step.clamp);
            Mapper::STEP_LINEAR_OFFSET
        }
        UvMapper::ZigZagLinearOffset(zigzag) => {
            args.pair("UPerSec", "VPerSec", zigzag.speed, Vec2::ZERO);
            args.number("Period", zigzag.period, 0.0);
            args.scale(zigzag.scale);
            Mapper::ZIGZAG_LINEAR_OFFSET
        }
        UvMapper::Random(random) => {
            args.number("FPS", random.frames_per_second, 0.0);
            args.pair("UPerSec", "VPerSec", random.speed, Vec2::ZERO);
            args.scale(random.scale);
            Mapper::RANDOM
        }
        UvMapper::Edge(edge) => {
            args.number("VPerSec", edge.speed, 0.0);
            args.number("VStart", edge.start, 0.0);
            args.flag("UseReflect", edge.reflection);
            Mapper::EDGE
        }
        UvMapper::BumpEnvironment(bump) => {
            args.number("BumpRotation", bump.rotation, 0.0);
            args.number("BumpScale", bump.bump_scale, 1.0);
            args.linear(&bump.offset);
            Mapper::BUMPENV
        }
    };
    (number, args.0)
}
