//! What is drawn at one moment: an ordered list of draw calls, plain data.

mod draw;

pub use draw::*;
