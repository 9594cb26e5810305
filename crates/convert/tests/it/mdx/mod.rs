//! MDX documents to scenes: small models with values worked out by hand.

mod damage;
mod geometry;
mod looks;
mod motion;
mod objects;
mod samples;
mod support;
