//! All integration tests of this crate. They are one program, because every program is linked anew.

mod adapter;
mod common;
mod panels;
mod stage;
mod ui;
