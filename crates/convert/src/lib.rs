//! Between files and the [`scene`]: one module for each format. What a file means is decided here, and nowhere else.

pub mod gltf;
pub mod w3d;
