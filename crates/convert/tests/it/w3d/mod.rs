//! Hand-worked cases of the conversion from W3D to scenes.

mod fixtures;
mod geometry;
mod materials;
mod models;
mod motion;
mod objects;
mod robust;
