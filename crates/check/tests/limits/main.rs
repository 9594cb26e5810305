//! The rules at their limits: the last value that is right and the first that is wrong, one cause at a time.

mod common;
#[path = "../documents/mod.rs"]
mod documents;
mod games;
mod mdx_rules;
#[path = "../rules/rich.rs"]
#[allow(dead_code, reason = "the other test uses all of it")]
mod rich;
mod w3d_rules;
