//! Tests of the crate, as one program.

mod edit;
mod lossless;
mod views;
