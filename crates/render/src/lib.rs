//! Draws a scene as the games do.
//!
//! [`frame`] knows what is drawn: it turns a scene, a moment and a camera into a [`Frame`](frame::Frame), an ordered list of draw calls.
//! [`soft`] knows pixels: it draws that list without a GPU. [`particles`] knows where particles and ribbons are at any time.
//! [`pictures`] prepares the textures. Nothing here knows files or windows.

pub mod frame;
pub mod particles;
pub mod pictures;
pub mod soft;

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
