//! Every chunk of Westwood's W3D format, typed and lossless.
//!
//! W3D holds the models of C&C Renegade, Earth & Beyond, C&C Generals and Zero Hour, The Battle for Middle-earth I and II and the
//! Tiberian Technologies extensions of Renegade. `.wlt`, `.wht`, `.wha` and `.wtm` files are the same.
//!
//! # The format
//!
//! A file is a sequence of chunks. A chunk is an id, a size and a body; all numbers are little-endian.
//!
//! | offset | bytes | meaning |
//! |---:|---:|---|
//! | 0 | 4 | id, see [`table`] |
//! | 4 | 4 | size of the body; the top bit says that the body is made of chunks |
//! | 8 | size | a record, an array, a string, micro-chunks, or chunks |
//!
//! At the top level are meshes, skeletons ([`HIERARCHY`](table::HIERARCHY)), animations, models that attach meshes to skeletons
//! ([`HLOD`](table::HLOD)), and effects. They refer to one another by name, within a file or across files.
//!
//! The [reference of the format](https://github.com/meshwright/meshwright/blob/main/docs/formats/README.md#how-to-read-it)
//! explains every chunk, the codecs and the coordinates, and lists what public documents get wrong.
//!
//! # The crate
//!
//! * [`W3d`] reads and writes a file as a tree of [`Node`]s. Unchanged data is written back unchanged.
//! * [Views](view) give names to what is in the tree: [`Mesh`], [`Hierarchy`], [`Hlod`], [`Animation`] and one for each other kind
//!   of object. Their counterparts whose names end in `Mut` change it.
//! * The [`table`] has a [`Handle`] for each chunk: `mesh.get(table::VERTICES)` is a `&[Vec3]`.
//! * [`build`](mod@build) builds chunks, meshes and models; [`sample`] builds small complete files.
//! * [`records`] and [`names`] are the reference of all records, enumerations and flags.
//! * [`codec`] turns stored animation channels into values and back.
//!
//! ```
//! use meshwright_w3d::{W3d, sample, table};
//!
//! let bytes = sample::crate_box();
//! let mut file = W3d::parse(&bytes)?;
//! for mesh in file.meshes() {
//!     let positions = mesh.get(table::VERTICES);
//!     println!("{}: {} vertices, textures {:?}", mesh.full_name(), positions.len(), mesh.texture_names());
//! }
//!
//! // Change a texture. Every other byte of the file stays as it was.
//! file.replace_texture("mwcrate.tga", "steel.tga")?;
//! let changed = file.to_bytes()?;
//! # assert_eq!(changed.len(), bytes.len() - 4);
//! # Ok::<(), record::Error>(())
//! ```
//!
//! Build a textured triangle; bounds, planes, normals, counts, the skeleton and the model are computed:
//!
//! ```
//! use meshwright_w3d::build::{MeshBuilder, ModelBuilder};
//!
//! let triangle = MeshBuilder::new("TRIANGLE")
//!     .positions([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
//!     .uvs([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
//!     .triangles([[0, 1, 2]])
//!     .texture("wood.tga");
//! let bytes = ModelBuilder::new("SIGN").mesh(triangle).build()?.to_bytes()?;
//! # assert!(meshwright_w3d::W3d::parse(&bytes)?.diagnostics().is_empty());
//! # Ok::<(), record::Error>(())
//! ```

pub mod build;
mod chunk;
pub mod codec;
mod detect;
mod file;
pub mod names;
mod parse;
pub mod records;
pub mod references;
pub mod sample;
pub mod table;
pub mod view;

pub use chunk::{Chunk, Games, Handle, Rule, Scope, Shape};
pub use codec::Channel;
pub use file::{FORMAT, W3d};
pub use parse::MAX_DEPTH;
pub use record::{Node, Vec2, Vec3, build};
pub use view::{
    Aggregate, Animation, Collection, CollisionBox, Dazzle, Emitter, HModel, Hierarchy, Hlod, HlodLevel,
    Light, Lightscape, LodModel, Mesh, MorphAnimation, NullObject, Object, Pass, Points, Ring,
    ShaderMaterial, ShaderMesh, Sound, Sphere, Stage, Texture, VertexMaterial,
};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
