//! The records: fixed structs whose bytes are the bytes on disk, each with its layout table.
//!
//! Names are those of the two format descriptions, fields those of MDL where it has a word. Records that only the WoW
//! alpha has, or has in another shape, start with `Wow`.

mod emitter;
mod geoset;
mod key;
mod material;
mod model;
mod node;
mod quaternion;
mod wow;

pub use emitter::*;
pub use geoset::*;
pub use key::*;
pub use material::*;
pub use model::*;
pub use node::*;
pub use quaternion::PackedQuaternion;
pub use wow::*;
