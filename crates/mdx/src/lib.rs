//! Models of Warcraft III (MDX versions 800 to 1800) and of the World of Warcraft alpha (versions 1300, 1400, 1500).
//!
//! [`Document::parse`] turns any file that starts with `MDLX` into a tree of typed parts, and [`Document::to_bytes`] turns
//! the tree back into the same bytes, including junk after a NUL, wrong sizes and unknown chunks.
//!
//! * [Views](view) give names to what is in the tree: geosets, materials, nodes of every kind, sequences, cameras. Their counterparts
//!   whose names end in `Mut` change it.
//! * [`kinds`] has a [`Handle`] for each part: `geoset.get(kinds::VRTX)` is a `&[Vec3]`.
//! * [`build`](mod@build) builds parts, geosets and models.
//! * [`mdl`] reads and writes Warcraft III's text form; [`version`] converts between versions.
//!
//! ```
//! use meshwright_mdx::{Document, build, kinds};
//!
//! let file = build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").unwrap().1;
//! let mut document = Document::parse(&file)?;
//! for geoset in document.geosets() {
//!     let positions = geoset.get(kinds::VRTX);
//!     println!("{} vertices, material {:?}", positions.len(), geoset.material_id());
//! }
//!
//! // Change a texture. Every other byte of the file stays as it was.
//! document.set_texture(0, "Textures\\black.blp")?;
//! let changed = document.to_bytes()?;
//! # assert_eq!(changed.len(), file.len());
//! # Ok::<(), meshwright_mdx::Error>(())
//! ```
//!
//! Build a textured triangle; extents, groups, pivots and counts are computed:
//!
//! ```
//! use meshwright_mdx::build::{GeosetBuilder, ModelBuilder};
//!
//! let triangle = GeosetBuilder::new()
//!     .positions([[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 40.0, 0.0]])
//!     .uvs([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
//!     .triangles([[0, 1, 2]])
//!     .texture("Textures\\wood.blp");
//! let bytes = ModelBuilder::new("Sign").geoset(triangle).build()?.to_bytes()?;
//! # assert!(meshwright_mdx::Document::parse(&bytes)?.diagnostics().is_empty());
//! # Ok::<(), meshwright_mdx::Error>(())
//! ```
//!
//! # What a file is
//!
//! The [reference of the format](https://github.com/meshwright/meshwright/blob/main/docs/formats/README.md#how-to-read-it)
//! explains every chunk and track, the interpolation formulas and MDL, and lists what public documents get wrong. In short:
//!
//! Everything is little-endian. After the magic `MDLX` come chunks: a tag of four characters, the size of the body, the
//! body. Most bodies are lists of objects. Any order is legal, and `VERS` need not be the first.
//!
//! | word | header before the body | examples |
//! |---|---|---|
//! | `chunk` | tag, size of the body | `VERS`, `GEOS` |
//! | `object` | size of the body and of this word | `Geoset`, `Layer`, `Node` |
//! | `array` | tag, number of elements | `VRTX`, `LAYS` |
//! | `track` | tag, number of keys | `KGTR` |
//! | `list` | number of elements | `Extents` |
//! | `part` | none: it is directly in its parent | `LayerHeader` |
//!
//! The words are those of the [text form](record::text). The parts themselves are in [`kinds`], their fields in
//! [`records`], what the chunks hold in [`CHUNKS`]. A node (bone, light, emitter ...) is an object of its own, with a header and the tracks that move it,
//! inside the object that it belongs to.
//!
//! # The two games
//!
//! The version numbers collide: version 1300 may be either. [`Dialect`] is therefore detected from the layout, not from the version.
//!
//! | | Warcraft III | WoW alpha |
//! |---|---|---|
//! | `MODL` | 372 bytes | 373 bytes |
//! | `SEQS` | records of 132 bytes | a count, then records of 140 bytes |
//! | most other chunks | objects | a count, then objects |
//! | layers | in `LAYS` | directly in the material |
//! | rotations | four floats | 64 bits, see [`PackedQuaternion`](records::PackedQuaternion) |
//! | `PTYP` | words | bytes |
//! | texture coordinates | `UVAS` with a `UVBS` per set, at the geoset's end | `UVAS` with bare sets, after the normals |
//! | events, hit test shapes | without a size | with a size |
//! | visibility | `KLAV`, `KATV`, `KP2V` ... | `KVIS` |
//! | `CLID` | shapes | a mesh; the shapes are in `HTST` |
//! | node flags | [`NodeFlags`](records::NodeFlags) | [`WowNodeFlags`](records::WowNodeFlags) |
//!
//! # Versions
//! [`GATES`] lists the parts that exist only in some versions. Where the sizes in a file contradict it, the sizes decide.
//!
//! # Tracks
//!
//! A track is its tag, the number of keys, a [`TrackHeader`](records::TrackHeader) and the keys: [`Key`](records::Key)s, or
//! [`TangentKey`](records::TangentKey)s from Hermite interpolation on. `KEVT` has no interpolation and only times.
//! On disk, colours in tracks are blue, green, red; static colours are red, green, blue.
//! [`TRACKS`] is the table.

pub mod build;
mod chunks;
mod colors;
mod diagnose;
mod dialect;
mod document;
mod format;
mod frame;
mod gates;
pub mod kinds;
pub mod mdl;
mod parse;
pub mod records;
pub mod references;
mod tracks;
pub mod version;
pub mod view;

pub use chunks::{CHUNKS, ChunkRow, Content, Shape, chunk_row};
pub use colors::{COLORS, ColorRow};
pub use dialect::Dialect;
pub use document::Document;
pub use format::{FORMAT, Mdx};
pub use frame::{MAGIC, tag};
pub use gates::{GATES, Gate, GateRow, Gates};
pub use record::{Diagnostic, Error, Handle, Node, Severity, build};
pub use tracks::{ColorOrder, Games, Layout, Owner, TRACKS, TrackRow, ValueType, tags, track_of, track_row};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
