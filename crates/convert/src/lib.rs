//! Between files and the [`scene`]: one module for each format.

pub mod gltf;
