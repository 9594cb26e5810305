//! Functions about files that are not models yet, about rules and games, and the samples.

use std::path::PathBuf;

use meshwright::check;
use meshwright::{Game, Target, mdx, texture, w3d};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::choices::{self, ConvertChoices};
use crate::error::Failure;
use crate::model::converted;
use crate::workspace::{Workspace, search_of};

/// The main file, the others by name, and the report.
type Converted = (Py<PyBytes>, Vec<(String, Py<PyBytes>)>, String);

/// Converts a file: a model, glTF or a texture.
#[pyfunction]
#[pyo3(signature = (data, path, options, onto, workspace))]
pub(crate) fn convert(
    py: Python<'_>,
    data: Option<PyBackedBytes>,
    path: Option<PathBuf>,
    options: &str,
    onto: Option<PathBuf>,
    workspace: Option<&Bound<'_, Workspace>>,
) -> PyResult<Converted> {
    let search = search_of(workspace);
    let choices: ConvertChoices = choices::read(options)?;
    let options = meshwright::ConvertOptions { onto, ..choices.options()? };
    let written = py.detach(|| {
        let read;
        let path = path.map(|path| search.files.resolve(&path).unwrap_or(path));
        let bytes: &[u8] = match (&data, &path) {
            (Some(data), _) => data,
            (None, Some(path)) => {
                read = search.workspace.read(path)?;
                &read
            }
            (None, None) => return Err(Failure::argument("expected a path or bytes")),
        };
        let at = |failure: Failure| match &path {
            Some(path) => failure.at(path),
            None => failure,
        };
        let path = path.as_deref();
        let written = match options.target {
            Target::Texture(format) => {
                search.workspace.convert_texture(bytes, path, format, &choices.texture()?)
            }
            _ => search.workspace.convert(bytes, path, &options),
        };
        written.map_err(|error| at(error.into()))
    })?;
    Ok(converted(py, written))
}

/// Writes a file under a temporary name, and renames it.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, data: PyBackedBytes) -> PyResult<()> {
    let failed = |error: std::io::Error| Failure::from(error).at(&path);
    Ok(py.detach(|| meshwright::file::write_durably(&path, &data).map_err(failed))?)
}

/// The names of the games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    Game::ALL.map(Game::name).to_vec()
}

/// The explanation of a rule; nothing if there is no such rule.
#[pyfunction]
pub(crate) fn explain_rule(code: &str) -> Option<String> {
    check::rule(code).map(check::explain)
}

/// Sample models and their textures, by file name.
#[pyfunction]
pub(crate) fn samples<'py>(py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
    let files = py.detach(|| {
        let mut damaged = w3d::sample::crate_box();
        damaged.truncate(damaged.len() / 7 * 6);
        let mut files = vec![
            ("mwtank.w3d".to_owned(), w3d::sample::tank()),
            ("mwtower.mdx".to_owned(), mdx::build::watchtower()),
            ("mwcrate.w3d".to_owned(), w3d::sample::crate_box()),
            ("every-chunk.w3d".to_owned(), w3d::sample::every_chunk()),
            ("damaged.w3d".to_owned(), damaged),
        ];
        let warcraft = mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800");
        files.extend(warcraft.map(|(_, bytes)| ("warcraft.mdx".to_owned(), bytes)));
        for (name, image) in texture::sample::textures() {
            let failed = |source| Failure::from(meshwright::Error::Texture { name: name.to_owned(), source });
            files.push((name.to_owned(), texture::encode_tga(&image).map_err(failed)?));
        }
        Ok::<_, Failure>(files)
    })?;
    Ok(files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect())
}
