//! Every on-disk record, one module per concept. Each page has its layout.
//!
//! Sizes and offsets are those that the engines' loaders read (structs copied from disk as they are, padding included);
//! they are checked while compiling. Words of unknown or no use are fields with names and are kept.

mod animation;
mod emitter;
mod hierarchy;
mod light;
mod material;
mod mesh;
mod model;
mod obsolete;
mod primitive;
mod shdmesh;

pub use animation::*;
pub use emitter::*;
pub use hierarchy::*;
pub use light::*;
pub use material::*;
pub use mesh::*;
pub use model::*;
pub use obsolete::*;
pub use primitive::*;
pub use shdmesh::*;
