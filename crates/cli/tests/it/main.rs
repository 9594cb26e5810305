//! All integration tests of this crate. They are one program, because every program is linked anew.

mod archives;
mod authoring;
mod behaviour;
mod catalog;
mod check;
mod common;
mod demo;
mod diff;
mod documents;
mod edit;
mod gallery;
mod gltf;
mod golden;
mod help;
mod hostile;
mod info;
mod interrupt;
mod library;
mod mdl;
mod names;
mod render;
mod supplied;
mod textures;
mod view;
