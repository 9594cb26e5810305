//! All integration tests of this crate. They are one program, because every program is linked anew.

mod builders;
mod codec;
mod common;
mod edit;
mod fields_animation;
mod fields_mesh;
mod fields_objects;
mod ids;
mod json_form;
mod lossless;
mod strangers;
mod views;
