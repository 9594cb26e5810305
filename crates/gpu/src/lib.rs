//! Draws frames of `meshwright-render` with wgpu.
//!
//! One set of shaders serves Vulkan, Metal, DX12, OpenGL, WebGPU and WebGL2, within the limits of WebGL2 on every system. The pictures are
//! those of [`render::soft`], which is the reference. This crate opens no window: [`Renderer`] draws with the device of the caller, and
//! [`Headless`] finds a device of its own.
//!
//! ```no_run
//! use meshwright_gpu::Headless;
//! use render::frame::{Framer, Options};
//! use render::pictures::{PictureOptions, Pictures};
//! use render::soft::Settings;
//!
//! let scene = scene::Scene::default();
//! let pictures = Pictures::load(&scene, &PictureOptions::default(), |_name| None);
//! let frame = Framer::new(&scene).frame(&Options::for_scene(&scene));
//! let mut gpu = Headless::new()?;
//! println!("drawn by {}", gpu.adapter());
//! let image = gpu.draw(&frame, &pictures, &Settings::new(64, 64))?;
//! assert_eq!(image.pixels.len(), 64 * 64 * 4);
//! # Ok::<(), meshwright_gpu::Error>(())
//! ```
//!
//! # In a window
//!
//! Ask for a device with [`device_descriptor`], make a [`Renderer`], and for each model a [`Textures`], which is dropped with the model.
//! Draw into a [`Target`] and show its [`view`](Target::view).
//!
//! ```no_run
//! use meshwright_gpu::{Error, Renderer, Textures};
//! # fn show(device: &wgpu::Device, queue: &wgpu::Queue, frames: &[render::frame::Frame], pictures: &render::pictures::Pictures) -> Result<(), Error> {
//! let mut renderer = Renderer::new(device, queue, wgpu::TextureFormat::Rgba8Unorm)?;
//! let mut textures = Textures::new();
//! let target = renderer.target(800, 600)?;
//! for frame in frames {
//!     renderer.draw(frame, pictures, &mut textures, &target, [60, 60, 60])?;
//!     // Show `target.view()`.
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! Nothing here panics. A frame may hold anything: triangles with invalid indices or positions are skipped, as `soft` skips them. Errors of
//! the driver and the loss of the device are returned as [`Error`], whose messages are sentences for the user.

mod adapter;
mod error;
mod geometry;
mod headless;
mod pipeline;
mod read_back;
mod renderer;
mod target;
mod textures;
mod uniforms;
mod warm;

pub use adapter::{Adapter, choose_adapter, device_descriptor, find_adapter, required_limits};
pub use error::Error;
pub use headless::Headless;
pub use renderer::Renderer;
pub use target::Target;
pub use textures::Textures;
pub use wgpu;

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
