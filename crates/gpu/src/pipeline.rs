//! Pipelines, made when a state first occurs. Real models have about twenty states.

use std::collections::HashMap;

use render::frame::{Draw, Program, Topology};
use scene::{BlendFactor, Compare};
use wgpu::{BlendComponent, BlendOperation, BlendState, CompareFunction, VertexStepMode};

use crate::geometry::{ATTRIBUTES, LINE_ATTRIBUTES, LINE_STRIDE, STRIDE};
use crate::target::{DEPTH_FORMAT, SAMPLES};

/// The fragment programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shader {
    Fixed,
    NormalMapped,
    Hd,
}

impl Shader {
    pub(crate) fn of(program: &Program) -> Self {
        match program {
            Program::Fixed(_) => Self::Fixed,
            Program::NormalMapped(_) => Self::NormalMapped,
            Program::Hd(_) => Self::Hd,
        }
    }

    fn entry_point(self) -> &'static str {
        match self {
            Self::Fixed => "fixed_fragment",
            Self::NormalMapped => "normal_mapped_fragment",
            Self::Hd => "hd_fragment",
        }
    }
}

/// All state that is fixed in a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) shader: Shader,
    pub(crate) is_lines: bool,
    /// `None` turns blending off.
    pub(crate) blend: Option<(wgpu::BlendFactor, wgpu::BlendFactor)>,
    pub(crate) depth_test: CompareFunction,
    pub(crate) depth_write: bool,
    pub(crate) cull: bool,
}

impl State {
    pub(crate) fn of(draw: &Draw) -> Self {
        let is_lines = draw.topology == Topology::Lines;
        let is_off = draw.blend == (BlendFactor::One, BlendFactor::Zero);
        Self {
            shader: Shader::of(&draw.program),
            is_lines,
            blend: (!is_off).then(|| (factor(draw.blend.0), factor(draw.blend.1))),
            depth_test: compare(draw.depth_test),
            depth_write: draw.depth_write,
            cull: draw.cull && !is_lines,
        }
    }
}

fn factor(factor: BlendFactor) -> wgpu::BlendFactor {
    match factor {
        BlendFactor::Zero => wgpu::BlendFactor::Zero,
        BlendFactor::One => wgpu::BlendFactor::One,
        BlendFactor::SourceColor => wgpu::BlendFactor::Src,
        BlendFactor::OneMinusSourceColor => wgpu::BlendFactor::OneMinusSrc,
        BlendFactor::SourceAlpha => wgpu::BlendFactor::SrcAlpha,
        BlendFactor::OneMinusSourceAlpha => wgpu::BlendFactor::OneMinusSrcAlpha,
        BlendFactor::DestinationColor => wgpu::BlendFactor::Dst,
        BlendFactor::OneMinusDestinationColor => wgpu::BlendFactor::OneMinusDst,
        BlendFactor::DestinationAlpha => wgpu::BlendFactor::DstAlpha,
        BlendFactor::OneMinusDestinationAlpha => wgpu::BlendFactor::OneMinusDstAlpha,
    }
}

fn compare(compare: Compare) -> CompareFunction {
    match compare {
        Compare::Never => CompareFunction::Never,
        Compare::Less => CompareFunction::Less,
        Compare::Equal => CompareFunction::Equal,
        Compare::LessEqual => CompareFunction::LessEqual,
        Compare::Greater => CompareFunction::Greater,
        Compare::NotEqual => CompareFunction::NotEqual,
        Compare::GreaterEqual => CompareFunction::GreaterEqual,
        Compare::Always => CompareFunction::Always,
    }
}

/// The pipelines of a device.
#[derive(Debug)]
pub(crate) struct Pipelines {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
    made: HashMap<State, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub(crate) fn new(
        device: &wgpu::Device,
        layouts: [&wgpu::BindGroupLayout; 2],
        format: wgpu::TextureFormat,
    ) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("shaders/frame.wgsl"));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("meshwright"),
            bind_group_layouts: &layouts.map(Some),
            immediate_size: 0,
        });
        Self { module, layout, format, made: HashMap::new() }
    }

    /// How many pipelines there are.
    pub(crate) fn len(&self) -> usize {
        self.made.len()
    }

    /// Makes the pipeline of a state, if it is new.
    pub(crate) fn ensure(&mut self, device: &wgpu::Device, state: State) {
        let Self { module, layout, format, made } = self;
        made.entry(state).or_insert_with(|| create(device, module, layout, *format, state));
    }

    pub(crate) fn get(&self, state: &State) -> Option<&wgpu::RenderPipeline> {
        self.made.get(state)
    }

    /// Drops all pipelines: one of them may be invalid after an error.
    pub(crate) fn clear(&mut self) {
        self.made.clear();
    }
}

fn create(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
    state: State,
) -> wgpu::RenderPipeline {
    let triangles = wgpu::VertexBufferLayout {
        array_stride: STRIDE,
        step_mode: VertexStepMode::Vertex,
        attributes: &ATTRIBUTES,
    };
    let lines = wgpu::VertexBufferLayout {
        array_stride: LINE_STRIDE,
        step_mode: VertexStepMode::Instance,
        attributes: &LINE_ATTRIBUTES,
    };
    let (entry_point, buffer) =
        if state.is_lines { ("line_vertex", lines) } else { ("triangle_vertex", triangles) };
    // The factors of alpha are those of colour.
    let blend = state.blend.map(|(src_factor, dst_factor)| {
        let component = BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
        BlendState { color: component, alpha: component }
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(state.shader.entry_point()),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(buffer)],
        },
        primitive: wgpu::PrimitiveState {
            cull_mode: state.cull.then_some(wgpu::Face::Back),
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(state.depth_write),
            depth_compare: Some(state.depth_test),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: SAMPLES, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(state.shader.entry_point()),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
