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
//! At the top stand meshes, skeletons ([`HIERARCHY`](table::HIERARCHY)), animations, models that put meshes on skeletons
//! ([`HLOD`](table::HLOD)), and effects. They refer to one another by name, within a file or across files.
//!
//! # The crate
//!
//! * [`W3d`] reads and writes a file; its tree of [`Node`]s is navigated by the rows of the [`table`], edited in place and
//!   written back with every unchanged byte as it was.
//! * [`records`] and [`names`] are the reference of all records, enumerations and flags.
//! * [`Mesh`], [`Hierarchy`], [`Hlod`] and [`Animation`] are views of the parts that everybody needs.
//! * [`references`] finds the names by which parts refer to one another.
//! * [`codec`] turns stored animation channels into values and back.
//! * [`build`] makes chunks; [`sample`] makes small complete files.
//!
//! ```
//! let bytes = meshwright_w3d::sample::crate_box();
//! let file = meshwright_w3d::W3d::parse(&bytes)?;
//! for mesh in file.meshes() {
//!     println!("{}: {} triangles", mesh.full_name(), mesh.triangles().len());
//! }
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
