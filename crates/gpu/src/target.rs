//! Targets of drawing.

use crate::Error;

/// Samples of a pixel, as in `render::soft`.
pub(crate) const SAMPLES: u32 = 4;

pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A picture in graphics memory, with what is needed to draw it.
///
/// The finished picture is a texture with one sample per pixel, which can be shown ([`view`](Self::view)) or copied.
#[derive(Debug)]
pub struct Target {
    width: u32,
    height: u32,
    pub(crate) samples: wgpu::TextureView,
    pub(crate) depth: wgpu::TextureView,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl Target {
    pub(crate) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        width: u32,
        height: u32,
    ) -> Result<Self, Error> {
        let limit = device.limits().max_texture_dimension_2d;
        if !(1..=limit).contains(&width) || !(1..=limit).contains(&height) {
            return Err(Error::Size { width, height, limit });
        }
        let texture = |label, sample_count, format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let whole = wgpu::TextureViewDescriptor::default();
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let readable = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let samples = texture("samples", SAMPLES, format, attachment);
        let depth = texture("depth", SAMPLES, DEPTH_FORMAT, attachment);
        let texture = texture("target", 1, format, attachment | readable);
        Ok(Self {
            width,
            height,
            samples: samples.create_view(&whole),
            depth: depth.create_view(&whole),
            view: texture.create_view(&whole),
            texture,
        })
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The finished picture. Colours are encoded as for the screen (gamma space), and opaque.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// The texture of the finished picture.
    #[must_use]
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }
}
