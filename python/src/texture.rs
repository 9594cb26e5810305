//! Textures.

use std::path::PathBuf;

use meshwright::{Target, texture};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::choices::{self, ConvertChoices};
use crate::error::Failure;
use crate::model::report_json;
use crate::picture::Picture;
use crate::workspace::{Workspace, search_of};

/// The levels of a texture, the largest first, and what the file says, as JSON.
#[pyfunction]
#[pyo3(signature = (data, path, workspace))]
pub(crate) fn read_texture(
    py: Python<'_>,
    data: Option<PyBackedBytes>,
    path: Option<PathBuf>,
    workspace: Option<&Bound<'_, Workspace>>,
) -> PyResult<(Vec<Picture>, String)> {
    let search = search_of(workspace);
    Ok(py.detach(|| {
        let read;
        let bytes: &[u8] = match (&data, &path) {
            (Some(data), _) => data,
            (None, Some(path)) => {
                read = search.workspace.read(path)?;
                &read
            }
            (None, None) => return Err(Failure::argument("expected a path or bytes")),
        };
        let texture = search.workspace.read_texture(bytes, path.as_deref())?;
        let info = texture.info;
        let facts = json!({
            "container": format!("{:?}", info.container).to_ascii_lowercase(),
            "encoding": format!("{:?}", info.encoding).to_ascii_lowercase(),
            "has_alpha": info.has_alpha,
            "mips": info.mips,
            "broken": texture.broken.map(|error| error.to_string()),
        });
        let picture = |image: texture::Image| {
            Picture::new(image.width(), image.height(), image.into_pixels(), String::new())
        };
        Ok((texture.mips.into_iter().map(picture).collect(), facts.to_string()))
    })?)
}

/// A texture file made of pixels, and the losses, as JSON.
#[pyfunction]
#[pyo3(signature = (pixels, width, height, options))]
pub(crate) fn write_texture<'py>(
    py: Python<'py>,
    pixels: PyBackedBytes,
    width: u32,
    height: u32,
    options: &str,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let choices: ConvertChoices = choices::read(options)?;
    let (target, options) = (choices.options()?.target, choices.texture()?);
    let written = py.detach(|| {
        let Target::Texture(format) = target else {
            return Err(Failure::argument("not a format of textures; available: blp, dds, tga, png"));
        };
        let failed = |source| Failure::from(meshwright::Error::Texture { name: "pixels".to_owned(), source });
        let image = texture::Image::new(width, height, pixels.to_vec()).map_err(failed)?;
        let png = texture::encode_png(&image).map_err(failed)?;
        let workspace = meshwright::Workspace::default();
        workspace.convert_texture(&png, None, format, &options).map_err(Failure::from)
    })?;
    Ok((PyBytes::new(py, &written.bytes), report_json(&written.report).to_string()))
}
