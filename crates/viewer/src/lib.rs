//! A viewer for W3D and MDX/MDL models: a window, and a web page.
//!
//! * [`document`]: an opened model with its scene, textures and findings. It knows no user interface.
//! * [`library`]: the files that can be opened, on disk or in memory.
//! * [`State`]: everything that the user can choose, in the address of a page and as [flags] of the program.
//! * [`orbit`], [`playback`]: camera and time.
//! * [`graphics`], [`draw`]: from state and model to pixels, by the graphics adapter of the window or by the processor.
//! * [`App`]: what the window shows and what commands do; `window` draws a frame of it, and `panels` has one file for each of its parts.
//! * [`host`]: dialogs and saved files, which differ between a desktop and a page.
//!
//! The same settings are flags of the program and the address of the page:
//!
//! ```
//! use viewer::{State, flags};
//! let flags = flags::parse(["tank.w3d", "--clip", "Walk", "--speed=2"])?;
//! assert_eq!(flags.state.clip, "Walk");
//! let mut state = State::default();
//! let problems = state.read_query(&flags.state.to_query());
//! assert_eq!((problems.len(), state.speed), (0, 2.0));
//! # Ok::<(), String>(())
//! ```

pub mod app;
pub mod capture;
pub mod chunks;
pub mod document;
pub mod draw;
pub mod flags;
pub mod graphics;
pub mod host;
mod interface;
pub mod keys;
pub mod library;
pub mod orbit;
pub mod pane;
mod panels;
pub mod playback;
pub mod sample;
pub mod state;
#[cfg(target_arch = "wasm32")]
pub mod web;
mod window;

pub use app::App;
pub use state::State;

/// The title of the window.
pub const TITLE: &str = "Meshwright";
