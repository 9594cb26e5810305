//! Draws frames.

use render::frame::Frame;
use render::soft::{Background, Image, PictureSource, Settings};
use scene::Compare;
use zerocopy::IntoBytes;

use crate::adapter::Adapter;
use crate::error::Faults;
use crate::geometry::{Geometry, LINE_STRIDE, Stretch};
use crate::pipeline::{Pipelines, State};
use crate::read_back::{self, combine};
use crate::textures::{self, Key, Shared, Textures};
use crate::uniforms::{DRAW_STRIDE, DrawUniform, FrameUniform, samplers};
use crate::{Error, Target, warm};

/// Draws frames with a device of the caller. It owns no window and no surface.
#[derive(Debug)]
pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    format: wgpu::TextureFormat,
    adapter: Adapter,
    faults: Faults,
    pipelines: Pipelines,
    shared: Shared,
    layout: wgpu::BindGroupLayout,
    buffers: Buffers,
    geometry: Geometry,
    draws: Vec<DrawUniform>,
    commands: Vec<Command>,
    /// The target of the last picture that was read back.
    target: Option<Target>,
    /// How many of the usual states were drawn by [`Renderer::warm`].
    warmed: usize,
}

/// A draw call, ready to be encoded.
#[derive(Clone, Debug)]
struct Command {
    state: State,
    textures: Key,
    stretch: Stretch,
    /// Number of its uniforms.
    uniform: u32,
}

/// Buffers that grow with the frames, and what refers to them.
#[derive(Debug)]
struct Buffers {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    lines: wgpu::Buffer,
    frame: wgpu::Buffer,
    draws: wgpu::Buffer,
    group: wgpu::BindGroup,
}

const FRAME_BYTES: u64 = size_of::<FrameUniform>() as u64;

impl Renderer {
    /// A renderer whose targets have this format: `Rgba8Unorm` or `Bgra8Unorm`.
    ///
    /// The device needs the limits of [`device_descriptor`](crate::device_descriptor). This sets the handlers of the device for errors and for
    /// its loss, so that both are returned from here instead of ending the program.
    ///
    /// # Errors
    /// If the format is another one, or the driver refuses the shaders.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, Error> {
        if !matches!(format, wgpu::TextureFormat::Rgba8Unorm | wgpu::TextureFormat::Bgra8Unorm) {
            return Err(Error::Format(format!("{format:?}")));
        }
        let faults = Faults::install(device);
        let shared = Shared::new(device, queue);
        let uniform = |binding: u32, size: u64, has_dynamic_offset: bool| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset,
                min_binding_size: wgpu::BufferSize::new(size),
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("uniforms"),
            entries: &[uniform(0, FRAME_BYTES, false), uniform(1, DRAW_STRIDE, true)],
        });
        let renderer = Self {
            device: device.clone(),
            queue: queue.clone(),
            format,
            adapter: Adapter::new(&device.adapter_info()),
            faults,
            pipelines: Pipelines::new(device, [&layout, &shared.layout], format),
            buffers: Buffers::new(device, &layout),
            shared,
            layout,
            geometry: Geometry::default(),
            draws: Vec::new(),
            commands: Vec::new(),
            target: None,
            warmed: 0,
        };
        renderer.faults.check()?;
        Ok(renderer)
    }

    /// The adapter that draws.
    #[must_use]
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// The device that draws.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Whether the device was lost: nothing can be drawn with it any more.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        // The device reports its loss when it is polled.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.faults.is_lost()
    }

    /// The number of pipelines so far. It depends on the states that occur, not on the number of models.
    #[must_use]
    pub fn pipelines(&self) -> usize {
        self.pipelines.len()
    }

    /// A target of this size.
    ///
    /// # Errors
    /// If a side is zero or too long, or the memory is full.
    pub fn target(&self, width: u32, height: u32) -> Result<Target, Error> {
        let target = Target::new(&self.device, self.format, width, height)?;
        self.faults.check()?;
        Ok(target)
    }

    /// Draws a frame on a background of one colour, and submits the work. The picture is in [`Target::view`].
    ///
    /// # Errors
    /// If the frame or a texture is too large, the memory is full, or the device is lost. In a browser, errors of the driver come with the
    /// next call.
    pub fn draw(
        &mut self,
        frame: &Frame,
        pictures: &dyn PictureSource,
        textures: &mut Textures,
        target: &Target,
        background: [u8; 3],
    ) -> Result<(), Error> {
        self.prepare(frame, pictures, textures, target)?;
        let mut encoder = self.encoder();
        self.encode(&mut encoder, textures, target, background);
        self.queue.submit([encoder.finish()]);
        self.check()
    }

    /// Draws one of the states that most models need, so that the first model that needs it is not late: drivers compile a program when
    /// it is first used. Returns whether there are more. Call it while nothing else is to be done, until it returns false.
    ///
    /// # Errors
    /// As for [`draw`](Self::draw).
    pub fn warm(&mut self) -> Result<bool, Error> {
        let usual = warm::usual();
        let Some(frame) = usual.get(self.warmed) else { return Ok(false) };
        self.warmed += 1;
        let target = self.target(8, 8)?;
        self.draw(frame, &warm::White, &mut Textures::new(), &target, [0; 3])?;
        // Some drivers compile when they draw. Browsers cannot wait here.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        Ok(self.warmed < usual.len())
    }

    /// Draws a frame and reads the picture back, as [`render::soft::draw`] makes it. [`Settings::threads`] has no meaning here.
    ///
    /// # Errors
    /// As for [`draw`](Self::draw).
    pub async fn image(
        &mut self,
        frame: &Frame,
        pictures: &dyn PictureSource,
        textures: &mut Textures,
        settings: &Settings,
    ) -> Result<Image, Error> {
        let Settings { width, height, background, .. } = *settings;
        let fits = |target: &Target| (target.width(), target.height()) == (width, height);
        let target = match self.target.take().filter(fits) {
            Some(target) => target,
            None => self.target(width, height)?,
        };
        self.prepare(frame, pictures, textures, &target)?;
        let backgrounds = match background {
            Background::Color(color) => vec![color],
            Background::Transparent => vec![[0; 3], [255; 3]],
        };
        let mut pending = Vec::new();
        for color in backgrounds {
            let mut encoder = self.encoder();
            self.encode(&mut encoder, textures, &target, color);
            let copy = read_back::copy(&self.device, &mut encoder, &target)?;
            self.queue.submit([encoder.finish()]);
            pending.push(copy.map());
        }
        self.check()?;
        // Browsers cannot wait here; they wait in the future below.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        let mut planes = Vec::new();
        for pending in pending {
            planes.push(pending.pixels(width, height, self.format).await?);
        }
        self.check()?;
        self.target = Some(target);
        let mut planes = planes.into_iter();
        let pixels = match (planes.next(), planes.next()) {
            (Some(black), Some(white)) => combine(black, &white),
            (Some(plane), None) => plane,
            (None, _) => Vec::new(),
        };
        Ok(Image { width, height, pixels })
    }

    /// Frees the buffers and the target that are kept for the next frame.
    pub fn trim(&mut self) {
        self.buffers = Buffers::new(&self.device, &self.layout);
        self.geometry = Geometry::default();
        self.draws = Vec::new();
        self.target = None;
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") })
    }

    fn check(&mut self) -> Result<(), Error> {
        let Err(error) = self.faults.check() else { return Ok(()) };
        self.pipelines.clear();
        // The device reports its loss, which makes all commands fail, when it is polled.
        let _ = self.device.poll(wgpu::PollType::Poll);
        Err(self.faults.check().err().filter(|later| matches!(later, Error::Lost(_))).unwrap_or(error))
    }

    /// Uploads a frame and the pictures that are new. [`draw`](Self::draw) does this first; this alone is for measuring it.
    ///
    /// # Errors
    /// As for [`draw`](Self::draw).
    pub fn prepare(
        &mut self,
        frame: &Frame,
        pictures: &dyn PictureSource,
        textures: &mut Textures,
        target: &Target,
    ) -> Result<(), Error> {
        self.check()?;
        self.geometry.fill(frame);
        self.draws.clear();
        self.commands.clear();
        for (draw, stretch) in frame.draws.iter().zip(&self.geometry.stretches) {
            let (Stretch::Triangles(range) | Stretch::Lines(range)) = stretch;
            if range.is_empty() || draw.depth_test == Compare::Never {
                continue;
            }
            let key = textures::key(&samplers(&draw.program));
            let sizes = self.shared.ensure(&self.device, &self.queue, textures, pictures, &key)?;
            let state = State::of(draw);
            self.pipelines.ensure(&self.device, state);
            let uniform = self.draws.len() as u32;
            self.draws.push(DrawUniform::new(draw, sizes));
            self.commands.push(Command { state, textures: key, stretch: stretch.clone(), uniform });
        }
        let uniform = FrameUniform::new(frame, target.width(), target.height());
        self.upload(frame, &uniform)
    }

    fn upload(&mut self, frame: &Frame, uniform: &FrameUniform) -> Result<(), Error> {
        let limit = self.device.limits().max_buffer_size;
        let Self { device, queue, geometry, buffers, draws, layout, .. } = self;
        let parts = [
            (&mut buffers.vertices, geometry.vertices.as_bytes(), wgpu::BufferUsages::VERTEX),
            (&mut buffers.indices, geometry.indices(frame).as_bytes(), wgpu::BufferUsages::INDEX),
            (&mut buffers.lines, geometry.lines.as_bytes(), wgpu::BufferUsages::VERTEX),
        ];
        for (held, bytes, usage) in parts {
            write(device, queue, held, bytes, usage, limit)?;
        }
        queue.write_buffer(&buffers.frame, 0, uniform.as_bytes());
        if write(device, queue, &mut buffers.draws, draws.as_bytes(), wgpu::BufferUsages::UNIFORM, limit)? {
            buffers.group = group(device, layout, &buffers.frame, &buffers.draws);
        }
        Ok(())
    }

    fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        textures: &Textures,
        target: &Target,
        background: [u8; 3],
    ) {
        let [r, g, b] = background.map(|channel| f64::from(channel) / 255.0);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.samples,
                depth_slice: None,
                resolve_target: Some(target.view()),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &target.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        let mut last: Option<&Command> = None;
        for command in &self.commands {
            let (Some(pipeline), Some(group)) =
                (self.pipelines.get(&command.state), textures.group(&command.textures))
            else {
                continue;
            };
            if last.is_none_or(|last| last.state != command.state) {
                pass.set_pipeline(pipeline);
            }
            if last.is_none_or(|last| last.textures != command.textures) {
                pass.set_bind_group(1, group, &[]);
            }
            pass.set_bind_group(0, &self.buffers.group, &[command.uniform * DRAW_STRIDE as u32]);
            let changes = last.is_none_or(|last| last.state.is_lines != command.state.is_lines);
            match &command.stretch {
                Stretch::Triangles(indices) => {
                    if changes {
                        pass.set_vertex_buffer(0, self.buffers.vertices.slice(..));
                        pass.set_index_buffer(self.buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
                    }
                    pass.draw_indexed(indices.clone(), 0, 0..1);
                }
                Stretch::Lines(lines) => {
                    // WebGL2 has no first instance, so the buffer slice starts at it.
                    let start = u64::from(lines.start) * LINE_STRIDE;
                    pass.set_vertex_buffer(0, self.buffers.lines.slice(start..));
                    pass.draw(0..6, 0..lines.end - lines.start);
                }
            }
            last = Some(command);
        }
    }
}

impl Buffers {
    fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout) -> Self {
        let frame = buffer(device, FRAME_BYTES, wgpu::BufferUsages::UNIFORM);
        let draws = buffer(device, DRAW_STRIDE, wgpu::BufferUsages::UNIFORM);
        Self {
            vertices: buffer(device, LEAST_BYTES, wgpu::BufferUsages::VERTEX),
            indices: buffer(device, LEAST_BYTES, wgpu::BufferUsages::INDEX),
            lines: buffer(device, LEAST_BYTES, wgpu::BufferUsages::VERTEX),
            group: group(device, layout, &frame, &draws),
            frame,
            draws,
        }
    }
}

/// The size of a buffer that nothing was written to.
const LEAST_BYTES: u64 = 4096;

fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("frame"),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    frame: &wgpu::Buffer,
    draws: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let part = |binding, buffer, size| wgpu::BindGroupEntry {
        binding,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer,
            offset: 0,
            size: wgpu::BufferSize::new(size),
        }),
    };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("uniforms"),
        layout,
        entries: &[part(0, frame, FRAME_BYTES), part(1, draws, DRAW_STRIDE)],
    })
}

/// Writes into a buffer, which is replaced by a larger one if it is too small. Returns whether it was replaced.
fn write(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    held: &mut wgpu::Buffer,
    bytes: &[u8],
    usage: wgpu::BufferUsages,
    limit: u64,
) -> Result<bool, Error> {
    let size = bytes.len() as u64;
    if size > limit {
        return Err(Error::FrameTooLarge { bytes: size, limit });
    }
    let grows = size > held.size();
    if grows {
        // Frames of an animation differ a little in size.
        let room = size.saturating_add(size / 2).next_multiple_of(DRAW_STRIDE);
        *held = buffer(device, room.min(limit).max(size), usage);
    }
    if size > 0 {
        queue.write_buffer(held, 0, bytes);
    }
    Ok(grows)
}
