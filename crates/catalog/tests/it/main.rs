//! All integration tests of this crate. They are one program, because every program is linked anew.

mod hashes;
mod runs;
mod schema;
mod support;
