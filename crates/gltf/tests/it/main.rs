//! All integration tests of this crate. They are one program, because every program is linked anew.

mod blender;
mod extras;
mod gltf;
mod gltf_read;
mod gltf_scenes;
mod read;
mod readers;
mod round_trip;
