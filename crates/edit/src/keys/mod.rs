//! Keys of MDX tracks: removing, moving and evaluating them.

pub(crate) mod curve;
pub(crate) mod mdx;
mod reduce;
