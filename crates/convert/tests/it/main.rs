//! All integration tests of this crate. They are one program, because every program is linked anew.

mod author;
mod mdx;
mod w3d;
mod w3x;
