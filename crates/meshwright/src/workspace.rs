//! [`Workspace`]: where models and the files that they refer to are read from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assets::{Archives, Files, Folders, Lookup, Memory, Resolver};
use model::{Document, Evidence, Family, Format, Game, Need, NeedKind, Parsed};

use crate::{Error, Model, Result};

/// The files that models are read from, the places that are searched for what they refer to, and the limits of their size. One
/// serves all models of a program, and all threads.
///
/// Everything that is read in a workspace is a regular file of limited size. A glTF file can refer to files in its own folder and
/// below it only, and links out of a folder are not followed.
///
/// ```
/// use meshwright::{Workspace, assets::Memory};
/// let mut files = Memory::default();
/// files.add("art/tank.w3d", w3d::sample::crate_box());
/// let workspace = Workspace::in_memory(files);
/// let tank = workspace.open("art/tank.w3d")?;
/// assert_eq!(tank.meshes().len(), 2);
/// # Ok::<(), meshwright::Error>(())
/// ```
#[derive(Debug)]
pub struct Workspace {
    resolver: Resolver,
    #[cfg(feature = "scene")]
    limits: scene::Limits,
}

impl Default for Workspace {
    /// The file system, with archives as folders.
    fn default() -> Self {
        Self::new(Arc::new(Archives::new(Folders::default())))
    }
}

impl Workspace {
    /// Reads these files.
    pub fn new(files: Arc<dyn Files>) -> Self {
        Self {
            resolver: Resolver::shared(files),
            #[cfg(feature = "scene")]
            limits: scene::Limits::default(),
        }
    }

    /// Reads files held in memory.
    pub fn in_memory(files: Memory) -> Self {
        Self::new(Arc::new(files))
    }

    /// Sets limits for the size of one model.
    #[cfg(feature = "scene")]
    #[must_use]
    pub fn with_limits(self, limits: scene::Limits) -> Self {
        Self { limits, ..self }
    }

    /// Limits for the size of one model.
    #[cfg(feature = "scene")]
    pub const fn limits(&self) -> scene::Limits {
        self.limits
    }

    /// The search: folders and files are added to it.
    pub const fn search_mut(&mut self) -> &mut Resolver {
        &mut self.resolver
    }

    /// The files.
    pub fn files(&self) -> &dyn Files {
        self.resolver.files()
    }

    /// The search for what a model refers to. Without a path only what was added is searched.
    pub fn lookup<'w>(&'w self, model: Option<&'w Path>) -> Lookup<'w> {
        model.map_or_else(|| self.resolver.lookup_anywhere(), |path| self.resolver.lookup(path))
    }

    /// The file of something that a model at a path needs, as its [`Summary`](crate::Summary) lists it.
    pub fn needed_file(&self, model: Option<&Path>, family: Family, need: &Need) -> Option<PathBuf> {
        let lookup = self.lookup(model);
        match (family, need.what) {
            (Family::W3d, NeedKind::Skeleton) => lookup.skeleton(&need.name).map(|found| found.path),
            (Family::W3d, _) => lookup.model(&need.name).map(|found| found.path),
            (Family::W3x, what) => lookup.w3x_asset(what == NeedKind::Skeleton, &need.name),
            _ => lookup.model_at(&need.file).map(|found| found.path),
        }
    }

    #[cfg(feature = "scene")]
    pub(crate) const fn resolver(&self) -> &Resolver {
        &self.resolver
    }

    /// Reads a file, which may be in an archive.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Vec<u8>> {
        Ok(self.files().read(path.as_ref())?)
    }

    /// Reads a model: W3D, MDX, MDL, or the JSON text form. The model remembers the path, so that files that it refers to are found
    /// near it.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Model> {
        let path = path.as_ref();
        let bytes = self.read(path)?;
        let parsed = parse(&bytes, Some(path), None).map_err(Error::file(path))?;
        Ok(Model::of_parsed(parsed, &bytes).at(path))
    }

    /// The game that a document is probably for, guessed from its content and the folders of its path.
    pub fn game(&self, document: &Document<'_>, path: Option<&Path>) -> Game {
        let evidence = match path {
            // An absolute path also contains the folders that nobody typed.
            Some(path) => Evidence::of_file(document, &self.files().absolute(path)),
            None => Evidence::of(document),
        };
        evidence.guess(document.family()).game
    }
}

/// Reads a model in the given format, or in the one that its content or else its name tells.
pub(crate) fn parse<'a>(
    bytes: &'a [u8],
    path: Option<&Path>,
    format: Option<&'static Format>,
) -> Result<Parsed<'a>, record::Error> {
    let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
    format.map_or_else(|| Format::detect(bytes, name.as_deref()), Ok)?.read(bytes)
}

/// Reads a model, of a text as much as can be understood.
#[cfg(feature = "gltf")]
pub(crate) fn parse_anyway<'a>(
    bytes: &'a [u8],
    path: Option<&Path>,
    format: Option<&'static Format>,
) -> Result<Parsed<'a>, record::Error> {
    let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
    format.map_or_else(|| Format::detect(bytes, name.as_deref()), Ok)?.read_anyway(bytes)
}
