//! The compiled half of the Python package `meshwright`.
//!
//! It hands over the functions of the library `meshwright`, and does nothing of its own: structured results go to Python as JSON, which the
//! Python half turns into dataclasses, and arrays as buffers. All work is done without Python's global lock.

mod archive;
mod array;
mod batch;
mod buffer;
mod choices;
mod edits;
mod error;
mod files;
mod looks;
mod meshes;
mod model;
mod parts;
mod picture;
mod scene;
mod texture;
mod workspace;

/// What `meshwright` imports from here.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::archive::{Archive, create_archive};
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::batch::{Batch, check, convert_all, find, info, verify};
    #[pymodule_export]
    use crate::edits::{fix, names, rename, retexture, rotate, scale, set, strip, translate};
    #[pymodule_export]
    use crate::files::{convert, explain_rule, games, samples, write_file};
    #[pymodule_export]
    use crate::looks::{attach, blend, mirror, recolour};
    #[pymodule_export]
    use crate::meshes::Mesh;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::parts::{add, add_clip, change_clip, keep, merge, optimise, recompute, remove, split};
    #[pymodule_export]
    use crate::picture::{Picture, render};
    #[pymodule_export]
    use crate::scene::{Scene, SceneMesh};
    #[pymodule_export]
    use crate::texture::{read_texture, write_texture};
    #[pymodule_export]
    use crate::workspace::Workspace;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
