//! Scenes as glTF 2.0, in one file (GLB) or several (`.gltf`, `.bin`, `.png`).
//!
//! What glTF has is written as glTF, exactly where its formulas allow; the rest is kept in `extras.meshwright`. `docs/gltf.md` says what
//! goes where and how to open the result.
//!
//! ```
//! use meshwright_gltf::{NoTextures, Options, write_glb};
//! use scene::{Mesh, Node, NodeId, Scene};
//!
//! let scene = Scene {
//!     nodes: vec![Node { name: "Hull".into(), ..Node::default() }],
//!     meshes: vec![Mesh {
//!         name: "Plate".into(),
//!         node: Some(NodeId(0)),
//!         positions: vec![glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y],
//!         indices: vec![0, 1, 2].into(),
//!         ..Mesh::default()
//!     }],
//!     ..Scene::default()
//! };
//! let glb = write_glb(&scene, &Options::default(), &mut NoTextures)?;
//! assert!(glb.bytes.starts_with(b"glTF"));
//! # Ok::<(), meshwright_gltf::Error>(())
//! ```
//!
//! The writer is a sequence of steps that return plain data: placements (which meshes, shown how), materials, meshes, lights and
//! cameras, animations, skins. `export` puts them together.

mod animations;
mod budget;
mod buffers;
mod channels;
mod context;
mod derived;
mod document;
mod duplicates;
mod export;
mod extras;
mod geometry;
mod joint_visibility;
mod losses;
mod mapper;
mod materials;
mod meshes;
mod names;
mod nodes;
mod objects;
mod options;
mod placement;
mod pointers;
mod read;
mod relative;
mod skins;
mod switches;
mod tangents;
mod texture_transform;
mod textures;

pub use export::{Glb, Gltf, write_glb, write_gltf};
pub use options::{Error, GlobalSequences, Levels, Options, Plays, Report, Settings, Source, Visibility};
pub use placement::{MeshVisibility, mesh_visibility};
pub use read::{Import, Origin, Origins, Pictures, ReadError, ReadOptions, Resolve, is_gltf, no_files, read};
pub use scene::fit::{Curves, Tolerance};
pub use textures::{NoTextures, Picture, TextureSource};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
