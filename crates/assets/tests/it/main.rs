//! All integration tests of this crate. They are one program, because every program is linked anew.

mod archives;
mod rules;
mod w3x;
