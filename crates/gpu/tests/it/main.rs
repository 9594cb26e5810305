//! Pictures of the graphics adapter beside those of `render::soft`. Without an adapter the tests are skipped; with `CI=true` they fail.

// The shared modules name the crate by its full name.
extern crate render as meshwright_render;

mod agreement;
#[path = "../../../render/tests/it/draws/mod.rs"]
mod draws;
#[path = "../../../render/tests/it/frames/mod.rs"]
mod frames;
mod limits;
mod pictures;
#[allow(dead_code, reason = "the other functions serve the tests of particles")]
#[path = "../../../render/tests/it/particles/scenes.rs"]
mod scenes;
mod strips;

use meshwright_gpu::{Error, Headless};

/// An adapter. `None` if there is none, which fails the test with `CI=true`.
fn adapter() -> Option<Headless> {
    match Headless::new() {
        Ok(gpu) => Some(gpu),
        Err(error @ Error::NoAdapter(_)) if std::env::var("CI").is_ok_and(|value| value == "true") => {
            panic!("{error}")
        }
        Err(error @ Error::NoAdapter(_)) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}
