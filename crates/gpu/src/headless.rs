//! Pictures without a window.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use render::frame::Frame;
use render::soft::{Image, PictureSource, Settings};

use crate::adapter::{Adapter, device_descriptor, find_adapter};
use crate::{Error, Renderer, Textures};

/// A renderer with its own adapter and device, for pictures without a window. Not for browsers, which cannot block.
#[derive(Debug)]
pub struct Headless {
    renderer: Renderer,
}

impl Headless {
    /// Finds an adapter: a graphics card if there is one, else one that draws on the processor. The environment variable
    /// `WGPU_BACKEND` (`vulkan`, `gl`, ...) limits the choice.
    ///
    /// # Errors
    /// If there is no adapter, or it does not have what the renderer needs.
    pub fn new() -> Result<Self, Error> {
        let adapter = block_on(find_adapter())?;
        let (device, queue) = block_on(adapter.request_device(&device_descriptor(&adapter)))
            .map_err(|error| Error::NoDevice(error.to_string()))?;
        let renderer = Renderer::new(&device, &queue, wgpu::TextureFormat::Rgba8Unorm)?;
        Ok(Self { renderer })
    }

    /// The adapter that draws.
    #[must_use]
    pub fn adapter(&self) -> &Adapter {
        self.renderer.adapter()
    }

    /// The renderer, for custom targets.
    pub fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    /// Draws one picture. The textures are uploaded for it and freed after it.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn draw(
        &mut self,
        frame: &Frame,
        pictures: &dyn PictureSource,
        settings: &Settings,
    ) -> Result<Image, Error> {
        self.draw_with(frame, pictures, &mut Textures::new(), settings)
    }

    /// Draws a picture of a model that is drawn more than once.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn draw_with(
        &mut self,
        frame: &Frame,
        pictures: &dyn PictureSource,
        textures: &mut Textures,
        settings: &Settings,
    ) -> Result<Image, Error> {
        block_on(self.renderer.image(frame, pictures, textures, settings))
    }
}

/// Wakes a thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
