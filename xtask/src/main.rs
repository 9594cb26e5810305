//! The project chores: `cargo xtask help`.
fn main() {}
