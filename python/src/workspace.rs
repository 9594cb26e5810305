//! Where models and the files that they refer to are searched.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright::assets::{Archives, DEFAULT_LIMIT, EntryKind, Folders};
use meshwright::scene::Limits;
use meshwright::{Document, Format};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{Failure, Result};

/// Folders and archives to search, mounted games, and limits.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Workspace {
    inner: Arc<Search>,
}

/// A workspace of the library with its files.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) workspace: meshwright::Workspace,
    pub(crate) files: Arc<Archives>,
}

impl Default for Search {
    fn default() -> Self {
        let files = Arc::new(Archives::new(Folders::default()));
        Self { workspace: meshwright::Workspace::new(files.clone()), files }
    }
}

/// What Python says about a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) with: Vec<PathBuf>,
    pub(crate) textures: Vec<PathBuf>,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) game: Vec<PathBuf>,
    pub(crate) listfile: Vec<String>,
    pub(crate) limits: HashMap<String, u64>,
}

impl Search {
    /// The search in these places.
    pub(crate) fn of(places: &Places) -> Result<Self> {
        let mut limits = Limits::default();
        let mut largest = DEFAULT_LIMIT;
        for (name, limit) in &places.limits {
            if name == "file" {
                largest = *limit;
            } else if !limits.set(name, usize::try_from(*limit).unwrap_or(usize::MAX)) {
                let known: Vec<&str> = Limits::NAMES.iter().map(|(name, _)| *name).collect();
                let known = known.join(", ");
                return Err(Failure::argument(format!("no limit named {name}; available: file, {known}")));
            }
        }
        let folders = Folders::default().limit(largest);
        let files = Arc::new(Archives::new(folders).names(places.listfile.clone()));
        let mut search =
            Self { workspace: meshwright::Workspace::new(files.clone()).with_limits(limits), files };
        if !places.game.is_empty() {
            search.mount(&places.game)?;
        }
        for folder in &places.folders {
            search.add_folder(folder)?;
        }
        for folder in &places.textures {
            search.add_textures(folder)?;
        }
        for path in &places.with {
            search.add_with(path)?;
        }
        Ok(search)
    }

    /// Mounts installed games, unless one is mounted.
    pub(crate) fn mount(&mut self, folders: &[PathBuf]) -> Result<()> {
        if self.files.game().is_some() {
            return Ok(());
        }
        let game = self.files.mount(folders).map_err(meshwright::Error::from)?;
        self.files.folders().allow(game.folder());
        self.workspace.search_mut().add_folder(game.folder());
        Ok(())
    }

    fn folder(&self, path: &Path, purpose: &str) -> Result<PathBuf> {
        let found = self.files.resolve(path).unwrap_or_else(|| path.to_owned());
        if self.files.kind(&found) != Some(EntryKind::Folder) {
            return Err(Failure::new("FILE-ACCESS", format!("cannot {purpose}: no such folder")).at(path));
        }
        self.files.folders().allow(&found);
        Ok(found)
    }

    pub(crate) fn add_folder(&mut self, path: &Path) -> Result<()> {
        let folder = self.folder(path, "search for files")?;
        self.workspace.search_mut().add_folder(&folder);
        Ok(())
    }

    pub(crate) fn add_textures(&mut self, path: &Path) -> Result<()> {
        let folder = self.folder(path, "search for textures")?;
        self.workspace.search_mut().add_textures(&folder);
        Ok(())
    }

    fn add_with(&mut self, path: &Path) -> Result<()> {
        let found = self.files.resolve(path).unwrap_or_else(|| path.to_owned());
        if self.files.kind(&found) == Some(EntryKind::Folder) {
            self.files.folders().allow(&found);
            self.workspace.search_mut().add_companions(&found);
            return Ok(());
        }
        let model = self.workspace.open(&found)?;
        match model.document() {
            Document::W3d(file) => {
                let file = file.clone();
                self.workspace.search_mut().add_document(&found, file);
                Ok(())
            }
            Document::W3x(file) => {
                let file = file.clone();
                self.workspace.search_mut().add_w3x(&found, file);
                Ok(())
            }
            _ => {
                let message = "only W3D and W3X files have parts of other models; this is an MDX model";
                Err(Failure::new("CONVERT-WITH", message).at(path))
            }
        }
    }
}

/// The format with this name.
pub(crate) fn format_named(name: Option<&str>) -> Result<Option<&'static Format>> {
    let Some(name) = name else { return Ok(None) };
    let known = || meshwright::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    let format = Format::named(name);
    format
        .map(Some)
        .ok_or_else(|| Failure::argument(format!("no format named {name}; available: {}", known())))
}

#[pymethods]
impl Workspace {
    #[new]
    #[pyo3(signature = (with_, textures, folders, game, listfile, limits))]
    fn new(
        py: Python<'_>,
        with_: Vec<PathBuf>,
        textures: Vec<PathBuf>,
        folders: Vec<PathBuf>,
        game: Vec<PathBuf>,
        listfile: Vec<String>,
        limits: HashMap<String, u64>,
    ) -> PyResult<Self> {
        let places = Places { with: with_, textures, folders, game, listfile, limits };
        let inner = py.detach(|| Search::of(&places))?;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The bytes of a file, which may be in an archive or in the game.
    fn read<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let found = self.inner.files.resolve(&path).unwrap_or(path);
            self.inner.workspace.read(&found).map_err(Failure::from)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The path at which a file is found: unchanged, or below the mounted game.
    fn resolve(&self, py: Python<'_>, path: PathBuf) -> Option<PathBuf> {
        py.detach(|| self.inner.files.resolve(&path))
    }
}

/// The search of a workspace of Python, or an ordinary one.
pub(crate) fn search_of(workspace: Option<&Bound<'_, Workspace>>) -> Arc<Search> {
    workspace.map_or_else(Arc::default, |workspace| workspace.get().inner.clone())
}
