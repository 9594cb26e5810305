//! All integration tests of this crate. They are one program, because every program is linked anew.

mod build;
mod builders;
mod json_form;
mod layout;
mod lossless;
mod mdl_blocks;
mod mdl_lossless;
mod mdl_tolerance;
mod quaternion;
mod tables;
mod version;
mod views;
