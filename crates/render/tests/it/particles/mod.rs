//! Particles, ribbons, rings and spheres against numbers that were calculated by hand.

mod damaged;
mod golden;
mod keyed;
mod model;
mod primitive;
mod ribbon;
mod scenes;
mod sprite;
mod time;
