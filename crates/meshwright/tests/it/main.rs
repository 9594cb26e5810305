//! All integration tests of this crate. They are one program, because every program is linked anew.

mod apply;
mod apply_objects;
mod examples;
mod model;
mod poses;
mod reports;
