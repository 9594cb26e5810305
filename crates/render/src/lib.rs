//! Draws a scene as the games do.
//!
//! [`frame`] turns a scene, a moment and a camera into a [`Frame`](frame::Frame), an ordered list of draw calls. [`soft`] draws
//! that list without a GPU. [`particles`] computes particles and ribbons at any time. [`pictures`] prepares the textures. This crate
//! neither reads files nor opens windows.
//!
//! ```
//! use meshwright_render::frame::{Framer, Options};
//! use meshwright_render::pictures::{PictureOptions, Pictures};
//! use meshwright_render::soft::{self, Settings};
//!
//! let scene = scene::Scene::default();
//! let pictures = Pictures::load(&scene, &PictureOptions::default(), |_name| None);
//! let frame = Framer::new(&scene).frame(&Options::for_scene(&scene));
//! let image = soft::draw(&frame, &pictures, &Settings::new(64, 64)).expect("a sensible size");
//! assert_eq!(image.pixels.len(), 64 * 64 * 4);
//! ```

pub mod frame;
pub mod particles;
pub mod pictures;
pub mod soft;

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
