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
//! | read | [`Model::open`], also from archives; [`Model::parse`] | |
//! | write | [`Model::save`], [`Model::to_bytes`], [`Model::to_json`], [`Model::to_mdl`] | |
//! | inspect | [`Model::meshes`], [`Model::skeletons`], [`Model::clips`], [`Model::textures`], [`Model::info`] | |
//! | compare | [`Model::diff`] | |
//! | change | [`Model::set_texture`], [`Model::document_mut`] and the crate [`edit`] | `edit` |
//! | find problems | [`Model::check`], [`Model::check_for`] | `check` |
//! | convert | [`Model::to_scene`], [`Model::to_glb`], [`Model::convert`] | `scene`, `gltf` |
//! | convert for a game | [`Model::mdx_from_glb`], [`Model::w3d_from_glb`], [`Model::mdx_from_scene`], [`Model::w3d_from_scene`] | `scene`, `gltf` |
//! | read glTF | [`scene_from_glb`], [`scene_from_gltf_file`] | `gltf` |
//! | render | [`Model::to_png`](crate::Model#method.to_png), [`Model::draw`](crate::Model#method.draw) | `render` |
//! | load textures | [`Model::texture_file`], [`Model::load_texture`] | `texture` |
//! | write textures for a game | [`mdx_textures`], [`w3d_textures`] | `scene`, `texture` |
//!
//! These search the folders near a model. A [`Workspace`] has folders to search, mounted games, files in memory and limits, and serves many
//! models: [`Workspace::open`], [`Workspace::convert`], [`Workspace::load`]. The command line and the viewer are made of it.
//!
//! Files of strangers are safe to open: only regular files of limited size are read, a glTF file reaches no file outside its folder, and
//! counts are checked before anything is allocated.
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
//! | `files` | archives, mounted games, the search for files that a model refers to |
//! | `scene` | scenes, the common form of both families, with the files that a model refers to |
//! | `gltf` | conversion between all formats: glTF and GLB, W3D, MDX, OBJ, PLY, STL, textures; includes `scene` and `texture` |
//! | `texture` | BLP, DDS, TGA, PNG, JPEG; finding textures by the games' rules |
//! | `render` | images, rendered without a graphics card; includes `scene` and `texture` |
//! | `check` | the linter |
//! | `edit` | renaming, retexturing, moving, scaling, setting any field |
//! | `info` | what programs report about many files: summaries, trees, uses, verdicts, settings of projects; includes `check` and `gltf` |
//!
//! All features other than `w3d` and `mdx` include both families; all but `edit` include `files`.

#[cfg(not(any(feature = "w3d", feature = "mdx")))]
compile_error!("meshwright needs the feature `w3d`, the feature `mdx`, or both");

#[cfg(feature = "gltf")]
mod apply;
#[cfg(feature = "gltf")]
mod author;
#[cfg(feature = "check")]
mod checks;
#[cfg(feature = "gltf")]
mod conversion;
#[cfg(feature = "render")]
mod difference;
#[cfg(feature = "edit")]
mod edits;
mod error;
#[cfg(feature = "info")]
mod file_info;
mod files;
#[cfg(feature = "gltf")]
mod gltf_files;
#[cfg(feature = "info")]
mod guesses;
#[cfg(feature = "scene")]
mod loaded;
mod model;
#[cfg(feature = "gltf")]
mod options;
mod parts;
#[cfg(feature = "render")]
mod pictures;
#[cfg(feature = "info")]
mod projects;
#[cfg(feature = "gltf")]
mod shapes;
#[cfg(feature = "render")]
mod stills;
#[cfg(feature = "texture")]
mod texture_files;
#[cfg(feature = "info")]
mod tree;
#[cfg(feature = "info")]
mod uses;
#[cfg(feature = "info")]
mod verify;
#[cfg(feature = "info")]
mod walk;
#[cfg(feature = "files")]
mod workspace;

#[cfg(feature = "check")]
pub use crate::checks::{check_parsed, repair};
#[cfg(feature = "render")]
pub use crate::difference::draw_difference;
pub use crate::error::{Error, Result};
#[cfg(feature = "info")]
pub use crate::file_info::{FileInfo, InfoOptions, Place};
#[cfg(feature = "gltf")]
pub use crate::gltf_files::{is_gltf, scene_from_glb, scene_from_gltf_file};
#[cfg(feature = "info")]
pub use crate::guesses::Guesses;
#[cfg(feature = "scene")]
pub use crate::loaded::{LoadedScene, Origin, Textures};
pub use crate::model::Model;
#[cfg(feature = "gltf")]
pub use crate::options::{
    ConvertOptions, GeometryFormat, GeometryOptions, MdxOptions, Scale, Target, TextureFormat, W3dOptions,
    Written,
};
pub use crate::parts::{Bone, Mesh, Skeleton};
#[cfg(feature = "render")]
pub use crate::pictures::{Drawing, PictureStore, TextureState, to_png};
#[cfg(feature = "info")]
pub use crate::projects::{Given, Projects, Settings, absolute, folder_of};
#[cfg(feature = "gltf")]
pub use crate::shapes::find_clip;
#[cfg(feature = "render")]
pub use crate::stills::Chosen;
#[cfg(feature = "gltf")]
pub use crate::texture_files::{BlpPixels, DdsPixels, Mips, TextureOptions, is_texture_name};
#[cfg(feature = "info")]
pub use crate::tree::{
    BYTES_OF_PART, FieldValue, Tree, TreeField, TreeOptions, TreePart, diagnostic_json, part_id,
};
#[cfg(feature = "info")]
pub use crate::uses::Wanted;
#[cfg(feature = "info")]
pub use crate::verify::{Difference, verify};
#[cfg(feature = "info")]
pub use crate::walk::{Walked, is_model_name, other_content, walk};
#[cfg(feature = "files")]
pub use crate::workspace::Workspace;
#[cfg(all(feature = "scene", feature = "texture"))]
pub use convert::author::{TextureFile, TextureFolder, mdx_textures, w3d_textures};

pub use ::model::{
    Clip, Content, Document, Evidence, FORMATS, Family, Format, Game, Games, Guess, Keeps,
    Mesh as MeshSummary, Need, NeedKind, ObjectChange, Parsed, Skeleton as SkeletonSummary, Summary,
    WrittenFrom, guess, is_trivial, object_changes, short_number,
};
pub use record::diff::{ArrayChange, Change, What};
pub use record::{Diagnostic, Severity};

#[cfg(feature = "gltf")]
pub use crate::apply::{Applied, Edited, Shown, content_hash};
#[cfg(feature = "files")]
pub use archive;
#[cfg(feature = "files")]
pub use assets;
#[cfg(feature = "check")]
pub use check;
#[cfg(feature = "scene")]
pub use convert;
#[cfg(feature = "edit")]
pub use edit;
pub use file;
#[cfg(feature = "gltf")]
pub use geometry;
/// glTF as scenes and back. It is not called `gltf`, because that is a well-known crate.
#[cfg(feature = "gltf")]
pub use gltf as gltf_io;
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
#[cfg(feature = "w3d")]
pub use w3x;

/// The examples of the README are tested.
#[cfg(all(doctest, feature = "check", feature = "gltf", feature = "edit"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples in the documents of the repository are tested.
#[cfg(all(doctest, feature = "edit", feature = "gltf"))]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/authoring.md")]
struct Documents;

/// The example of a picture.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../../../docs/render.md")]
struct RenderDocument;
