//! All integration tests of this crate. They are one program, because every program is linked anew.

mod blp;
mod common;
mod dds;
mod garbage;
mod png;
mod tga;
