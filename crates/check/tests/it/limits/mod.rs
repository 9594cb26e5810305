//! The rules at their limits: the last value that is right and the first that is wrong, one cause at a time.

mod common;
mod games;
mod mdx_rules;
mod w3d_rules;
