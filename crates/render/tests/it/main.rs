//! All integration tests of this crate. They are one program, because every program is linked anew.

mod draws;
mod frames;
mod golden;
mod golden_picture;
mod materials;
mod particles;
mod soft;
