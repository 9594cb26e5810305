//! Read, change, check and convert game models without losing a byte.
//!
//! Meshwright supports two families of formats: Westwood's and EA's **W3D** (Renegade, Generals, Zero Hour, The Battle for
//! Middle-earth) and Blizzard's **MDX and MDL** (Warcraft III, Reforged, the World of Warcraft alpha).
//!
//! ```no_run
//! let mut model = meshwright::Model::open("tank.w3d")?;
//! model.set_texture("tank.tga", "snow_tank.dds")?;
//! model.save("snow_tank.w3d")?;
//! # Ok::<(), meshwright::Error>(())
//! ```
//!
//! [`Model`] has the functions that most programs need:
//!
//! | to | use | feature |
//! |---|---|---|
//! | read | [`Model::open`], [`Model::parse`] | |
//! | write | [`Model::save`], [`Model::to_bytes`], [`Model::to_json`], [`Model::to_mdl`] | |
//! | inspect | [`Model::meshes`], [`Model::skeletons`], [`Model::clips`], [`Model::textures`], [`Model::info`] | |
//! | compare | [`Model::diff`] | |
//! | change | [`Model::set_texture`], [`Model::document_mut`] and the crate [`edit`] | `edit` |
//! | find problems | [`Model::check`], [`Model::check_for`] | `check` |
//! | convert | [`Model::to_scene`], [`Model::to_glb`] | `scene`, `gltf` |
//! | convert for a game | [`Model::mdx_from_glb`], [`Model::w3d_from_glb`], [`Model::mdx_from_scene`], [`Model::w3d_from_scene`] | `scene`, `gltf` |
//! | read glTF | [`scene_from_glb`], [`scene_from_gltf_file`] | `gltf` |
//! | render | [`Model::to_png`](crate::Model#method.to_png), [`Model::draw`](crate::Model#method.draw) | `render` |
//! | load textures | [`Model::texture_file`], [`Model::load_texture`] | `texture` |
//! | write textures for a game | [`mdx_textures`], [`w3d_textures`] | `scene`, `texture` |
//!
//! A model that was read and not changed is written with the same bytes, however damaged it is. Nothing panics on input.
//!
//! Everything else is in the other crates, which are re-exported here: W3D chunks in [`w3d`], MDX tracks in [`mdx`].
//!
//! # Features
//!
//! All except `render` are enabled by default. A program that only reads one family needs
//! `meshwright = { version = "0.1", default-features = false, features = ["w3d"] }`.
//!
//! | feature | adds |
//! |---|---|
//! | `w3d`, `mdx` | the families; at least one is needed |
//! | `scene` | scenes, the common form of both families, with the files that a model refers to |
//! | `gltf` | glTF and GLB; includes `scene` and `texture` |
//! | `texture` | BLP, DDS, TGA, PNG, JPEG; finding textures by the games' rules |
//! | `render` | images, rendered without a graphics card; includes `scene` and `texture` |
//! | `check` | the linter |
//! | `edit` | renaming, retexturing, moving, scaling, setting any field |
//!
//! All features other than `w3d` and `mdx` include both families.

#[cfg(not(any(feature = "w3d", feature = "mdx")))]
compile_error!("meshwright needs the feature `w3d`, the feature `mdx`, or both");

#[cfg(feature = "scene")]
mod authoring;
#[cfg(feature = "check")]
mod checks;
#[cfg(feature = "edit")]
mod edits;
mod error;
mod files;
mod model;
mod parts;
#[cfg(feature = "render")]
mod pictures;
#[cfg(feature = "scene")]
mod scenes;
#[cfg(feature = "texture")]
mod textures;

#[cfg(all(feature = "scene", feature = "texture"))]
pub use crate::authoring::{TextureFile, TextureFolder, mdx_textures, w3d_textures};
pub use crate::error::{Error, Result};
pub use crate::model::Model;
pub use crate::parts::{Bone, Mesh, Skeleton};

pub use ::model::{
    Clip, Document, Evidence, FORMATS, Family, Format, Game, Games, Guess, Need, NeedKind, Summary, guess,
};
pub use record::diff::{ArrayChange, Change, What};
pub use record::{Diagnostic, Severity};

#[cfg(feature = "gltf")]
pub use crate::scenes::{scene_from_glb, scene_from_gltf_file};
#[cfg(any(feature = "scene", feature = "texture", feature = "check"))]
pub use assets;
#[cfg(feature = "check")]
pub use check;
#[cfg(feature = "scene")]
pub use convert;
#[cfg(feature = "edit")]
pub use edit;
#[cfg(feature = "gltf")]
pub use gltf;
#[cfg(feature = "mdx")]
pub use mdx;
pub use record;
#[cfg(feature = "render")]
pub use render;
#[cfg(feature = "scene")]
pub use scene;
#[cfg(feature = "texture")]
pub use texture;
#[cfg(feature = "w3d")]
pub use w3d;

/// The examples of the README are tested.
#[cfg(all(doctest, feature = "check", feature = "gltf", feature = "edit"))]
#[doc = include_str!("../README.md")]
struct Readme;
