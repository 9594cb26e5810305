//! A scene at one moment as plain triangles: OBJ with MTL, PLY and STL.
//!
//! These formats have no skeleton and no animation. Meshes are skinned and placed as in a clip at a given time
//! ([`Snapshot`]); meshes that are hidden at that time are omitted. OBJ is Y up and faces +Z, as glTF does; PLY and STL
//! are Z up and face -Y, as their readers expect.
//!
//! ```
//! use meshwright_geometry::{Options, Snapshot, obj};
//! use scene::{Mesh, Scene};
//!
//! let plate = Mesh {
//!     name: "Plate".into(),
//!     positions: vec![glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y],
//!     indices: vec![0, 1, 2].into(),
//!     ..Mesh::default()
//! };
//! let scene = Scene { meshes: vec![plate], ..Scene::default() };
//! let snapshot = Snapshot::new(&scene, &Options::default());
//! let obj = obj(&snapshot, "plate", &mut |_| None);
//! let text = String::from_utf8(obj.obj)?;
//! // The model's front, X, is OBJ's Z.
//! assert!(text.contains("o Plate\n") && text.contains("v 0 0 1\n") && text.contains("f 1 2 3\n"));
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

mod obj;
mod ply;
mod snapshot;
mod stl;

pub use obj::{Obj, obj};
pub use ply::ply;
pub use snapshot::{Options, Posed, Snapshot};
pub use stl::stl;

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
