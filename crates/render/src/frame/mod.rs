//! Frames: everything that is drawn at one moment, as an ordered list of draw calls.
//!
//! [`Framer`] turns a scene and [`Options`] into a [`Frame`], which is plain data. It applies all rules of the engines: layers of both
//! families, light, vertex colours, texture coordinates, visibility, player colours, billboards, levels of detail, and the drawing order.
//! A renderer of frames needs to know only triangles, textures and blending.
//!
//! ```
//! use glam::Vec3;
//! use meshwright_render::frame::{Framer, Options, Source};
//! use scene::*;
//!
//! let triangle = Mesh {
//!     positions: vec![Vec3::ZERO, Vec3::NEG_Z, Vec3::Y],
//!     normals: vec![Vec3::X; 3],
//!     indices: vec![0, 1, 2].into(),
//!     parts: vec![Part { material: None, start: 0, count: 3 }],
//!     ..Mesh::default()
//! };
//! let scene = Scene { meshes: vec![triangle], ..Scene::default() };
//! let frame = Framer::new(&scene).frame(&Options::default());
//! assert_eq!(frame.draws.len(), 1);
//! assert_eq!(frame.draws[0].source, Source::Mesh { mesh: MeshId(0), layer: 0 });
//! assert_eq!(frame.vertices.len(), 3);
//! ```

mod camera;
mod channel;
mod draw;
mod effects;
mod fixed;
mod framer;
mod fx;
mod geometry;
mod hd;
mod level;
mod light;
mod mapper;
mod marks;
mod material;
mod missing;
mod options;
mod order;
mod overlay;
mod rules;
mod surface;
mod vertex_color;

#[cfg(test)]
mod tests;

pub use channel::Channel;
pub use draw::*;
pub use framer::Framer;
pub use light::{LIGHT_RIGS, LightRig};
pub use marks::{Mark, MarkKind};
pub use options::*;
pub use rules::*;
