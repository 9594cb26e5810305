//! All integration tests of this crate. They are one program, because every program is linked anew.

mod any_input;
mod common;
mod computed;
mod names;
mod refusals;
mod removal;
mod shape;
mod space;
mod strips;
mod texts;
mod turning;
