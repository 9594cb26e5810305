//! All integration tests of this crate. They are one program, because every program is linked anew.

mod builders;
mod documents;
mod limits;
mod loaders;
mod rules;
mod settings;
mod snippets;
