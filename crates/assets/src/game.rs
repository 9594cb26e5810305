//! An installed game: its archives in the order in which it searches them.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use archive::{Archive, Entry, Kind};

use crate::files::EntryKind;
use crate::{Error, ErrorKind};

/// The depth below an installation to which archives are searched. Zero Hour finds them in all folders; installations are not deeper.
const MAX_FOLDERS: usize = 4;

/// An installed game: folders with archives. The first one that has a file is used.
#[derive(Debug)]
pub struct Game {
    /// The folders, the first to search first. Paths of the game start at the first.
    folders: Vec<PathBuf>,
    layers: Vec<Layer>,
}

/// An archive of a game.
#[derive(Debug)]
pub struct Layer {
    /// The file on disk.
    pub file: PathBuf,
    /// Its content.
    pub archive: Arc<Archive>,
    /// The location of its members in the game's tree. A MIX archive has no folders, so its members are in the folder
    /// that contains the archive.
    base: String,
}

/// A file of a game that is in an archive.
#[derive(Clone, Debug)]
pub struct InGame {
    /// The archive on disk.
    pub file: PathBuf,
    /// The open archive.
    pub archive: Arc<Archive>,
    /// The member.
    pub entry: Entry,
}

/// Archives with priority over others: patches before what they patch.
///
/// Warcraft III searches its patch, then the expansion and the language, then the original game [documented by modders].
/// Renegade searches these three before `data/*.mix` (`Commando/init.cpp`). The alpha of World of Warcraft puts its patch
/// first.
const FIRST: [&str; 9] = [
    "war3patch.mpq",
    "war3xlocal.mpq",
    "war3x.mpq",
    "war3local.mpq",
    "war3.mpq",
    "patch.mpq",
    "always2.dat",
    "always.dbs",
    "always.dat",
];

impl Game {
    /// Finds the archives of installations.
    pub(crate) fn open(
        folders: &[PathBuf],
        open: impl Fn(&Path) -> Result<Arc<Archive>, Error>,
    ) -> Result<Self, Error> {
        let mut layers = Vec::new();
        for folder in folders {
            if !folder.is_dir() {
                return Err(Error::new(folder, ErrorKind::NotFound));
            }
            let mut files = Vec::new();
            archives_below(folder, MAX_FOLDERS, &mut files);
            files.sort_by_cached_key(|file| order(folder, file));
            // Files such as `data.dat` only share their extension with an archive.
            layers.extend(files.into_iter().filter_map(|file| {
                let archive = open(&file).ok()?;
                let base = match archive.kind() {
                    Kind::Mix => relative(folder, file.parent()?)?,
                    _ => String::new(),
                };
                Some(Layer { file, archive, base })
            }));
        }
        Ok(Self { folders: folders.to_vec(), layers })
    }

    /// The folder at which the game's paths start.
    pub fn folder(&self) -> &Path {
        self.folders.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// The archives, the first to search first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Possible start folders of the game's paths: its own folder, or the folders of its MIX archives.
    pub(crate) fn starts(&self) -> impl Iterator<Item = &str> {
        let mut starts: Vec<&str> = vec![""];
        for layer in &self.layers {
            if !starts.contains(&layer.base.as_str()) {
                starts.push(&layer.base);
            }
        }
        starts.into_iter()
    }

    /// The part of a path below the game's folder; `None` if it is elsewhere.
    pub(crate) fn below(&self, path: &Path) -> Option<String> {
        relative(self.folder(), path)
    }

    /// The archives that have a file, in priority order. The path starts at the game's folder. Loose files, which have
    /// priority over all archives, are not included.
    pub fn all<'g>(&'g self, path: &'g str) -> impl Iterator<Item = InGame> + 'g {
        self.layers.iter().filter_map(move |layer| {
            let entry = layer.archive.find(layer.inner(path)?)?;
            Some(InGame { file: layer.file.clone(), archive: layer.archive.clone(), entry })
        })
    }

    /// The member that the game uses for a path.
    pub(crate) fn find(&self, path: &str) -> Option<InGame> {
        self.all(path).next()
    }

    pub(crate) fn has_folder(&self, path: &str) -> bool {
        self.layers.iter().any(|layer| {
            layer.inner(path).is_some_and(|inner| layer.archive.folder(inner).is_some())
                || archive::key(&layer.base).starts_with(&archive::key(path))
        })
    }

    /// The contents of a folder in all archives, in search order.
    pub(crate) fn list(&self, folder: &str, add: &mut impl FnMut(&str, EntryKind)) {
        for layer in &self.layers {
            let Some(found) = layer.inner(folder).and_then(|inner| layer.archive.folder(inner)) else {
                continue;
            };
            found.files().for_each(|(name, _)| add(name, EntryKind::File));
            found.folders().for_each(|name| add(name, EntryKind::Folder));
        }
    }
}

impl Layer {
    /// The path of a member in the game's tree.
    pub fn path(&self, entry: &Entry) -> String {
        if self.base.is_empty() { entry.path.clone() } else { format!("{}/{}", self.base, entry.path) }
    }

    /// The part of a path below the place of the archive's members.
    fn inner<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.base.is_empty() {
            return Some(path);
        }
        let start = path.get(..self.base.len()).filter(|start| start.eq_ignore_ascii_case(&self.base))?;
        match &path[start.len()..] {
            "" => Some(""),
            rest => rest.strip_prefix('/'),
        }
    }
}

/// A path below a folder, with `/` between its parts.
fn relative(folder: &Path, path: &Path) -> Option<String> {
    let rest = path.strip_prefix(folder).ok()?;
    let parts = rest.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        Component::CurDir => Some(""),
        _ => None,
    });
    let parts = parts.collect::<Option<Vec<&str>>>()?;
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/"))
}

/// Zero Hour searches archives in the order of their paths, ignoring case, and uses the first that has a file
/// (`Win32BIGFileSystem.cpp`).
fn order(folder: &Path, file: &Path) -> (usize, String) {
    let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let place = FIRST.iter().position(|known| *known == name).unwrap_or(FIRST.len());
    (place, relative(folder, file).unwrap_or_default().to_lowercase())
}

/// Archives that belong to a game. Maps are separate games, and packages are for distribution.
fn archives_below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    // A folder that cannot be listed is treated as empty.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() && depth > 1 {
            archives_below(&path, depth - 1, found);
        } else if kind.is_file() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let is_map = [".w3m", ".w3x", ".w3n", ".zip", ".pkg"].iter().any(|end| name.ends_with(end));
            if !is_map && Kind::of_name(&name).is_some() {
                found.push(path);
            }
        }
    }
}
