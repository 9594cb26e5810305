//! All integration tests of this crate. They are one program, because every program is linked anew.

mod additions;
mod any_input;
mod clips;
mod common;
mod computed;
mod looks;
mod mirrors;
mod names;
mod refusals;
mod removal;
mod shape;
mod smaller;
mod space;
mod strips;
mod texts;
mod turning;
