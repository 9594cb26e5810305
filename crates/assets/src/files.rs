//! The [`Files`] trait: listing and reading files of folders, archives or memory.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Error, Key};
pub use file::Start;

/// A tree of folders and files.
///
/// Paths are those that an earlier listing gave, or that the user named; within a folder names are compared without regard to
/// case. A tree that is not a file system (an archive, a set of archives) chooses its own paths, with `/` between folders.
pub trait Files: Send + Sync {
    /// Lists a folder. The listing is empty if there is no such folder.
    ///
    /// Implementations keep listings: a [`Resolver`](crate::Resolver) asks again and again.
    fn list(&self, folder: &Path) -> Arc<Listing>;

    /// Reads a file.
    fn read(&self, file: &Path) -> Result<Vec<u8>, Error>;

    /// Reads the first bytes of a file, at most `len`, and returns its whole length.
    fn read_start(&self, file: &Path, len: usize) -> Result<Start, Error> {
        let mut bytes = self.read(file)?;
        let total = bytes.len() as u64;
        bytes.truncate(len);
        Ok(Start { bytes, total })
    }

    /// The first of these file names that a folder has, in order of preference.
    ///
    /// The usual spellings of all names ([`spellings`]) come before odd ones, so that a tree can look for them without listing.
    fn find(&self, folder: &Path, names: &[String]) -> Option<PathBuf> {
        self.list(folder).find(names)
    }

    /// A folder directly below another one.
    fn folder(&self, above: &Path, name: &str) -> Option<PathBuf> {
        self.list(above).folder(name).map(|name| above.join(name))
    }

    /// A path with all its folders. Search rules look at their names.
    fn absolute(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

/// Usual spellings of a name: as written, in lower case, in upper case, and as written with the extension in upper case.
pub fn spellings(name: &str) -> [String; 4] {
    let shouted = match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}.{}", extension.to_uppercase()),
        None => name.to_uppercase(),
    };
    [name.to_owned(), name.to_lowercase(), name.to_uppercase(), shouted]
}

/// The kind of an entry of a folder. Anything else (pipes, devices, links that lead out) is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link to a folder, which a walk does not follow: it may lead back up.
    FolderLink,
}

/// The files and folders directly in a folder.
///
/// ```
/// use meshwright_assets::{EntryKind, Listing};
/// let listing = Listing::new("art".as_ref(), [("Wood.TGA".into(), EntryKind::File), ("W3D".into(), EntryKind::Folder)]);
/// assert_eq!(listing.file("wood.tga").unwrap(), "Wood.TGA");
/// assert_eq!(listing.folder("w3d").unwrap(), "W3D");
/// assert_eq!(listing.find(&["wood.dds".into(), "wood.tga".into()]), Some("art/Wood.TGA".into()));
/// ```
#[derive(Debug, Default)]
pub struct Listing {
    folder: PathBuf,
    /// Exact names, sorted.
    files: Vec<OsString>,
    folders: Vec<(OsString, EntryKind)>,
    /// Indices into `files` and `folders`; of names that differ only in case, the first.
    files_by_key: HashMap<Key, usize>,
    folders_by_key: HashMap<Key, usize>,
}

fn by_key<'n>(names: impl Iterator<Item = &'n OsString>) -> HashMap<Key, usize> {
    let mut by_key = HashMap::with_capacity(names.size_hint().0);
    for (index, name) in names.enumerate() {
        by_key.entry(Key::name(&name.to_string_lossy())).or_insert(index);
    }
    by_key
}

impl Listing {
    /// A listing of these entries.
    pub fn new(folder: &Path, entries: impl IntoIterator<Item = (OsString, EntryKind)>) -> Self {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for (name, kind) in entries {
            match kind {
                EntryKind::File => files.push(name),
                EntryKind::Folder | EntryKind::FolderLink => folders.push((name, kind)),
            }
        }
        files.sort_unstable();
        folders.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        let files_by_key = by_key(files.iter());
        let folders_by_key = by_key(folders.iter().map(|(name, _)| name));
        Self { folder: folder.to_owned(), files, folders, files_by_key, folders_by_key }
    }

    /// The names of the files, sorted.
    pub fn files(&self) -> &[OsString] {
        &self.files
    }

    /// The names of the folders that a walk enters, sorted.
    pub fn folders(&self) -> impl Iterator<Item = &OsStr> {
        self.folders.iter().filter(|(_, kind)| *kind == EntryKind::Folder).map(|(name, _)| name.as_os_str())
    }

    /// The exact name of a file.
    pub fn file(&self, name: &str) -> Option<&OsStr> {
        self.files_by_key.get(&Key::name(name)).map(|index| self.files[*index].as_os_str())
    }

    /// The exact name of a folder; links to folders are found too.
    pub fn folder(&self, name: &str) -> Option<&OsStr> {
        self.folders_by_key.get(&Key::name(name)).map(|index| self.folders[*index].0.as_os_str())
    }

    /// The path of the first of these names that is here; see [`Files::find`].
    pub fn find(&self, names: &[String]) -> Option<PathBuf> {
        let found: Vec<(&String, &OsStr)> =
            names.iter().filter_map(|name| Some((name, self.file(name)?))).collect();
        let usual = |(name, file): &&(&String, &OsStr)| {
            spellings(name).iter().any(|spelling| spelling.as_str() == *file)
        };
        let (_, file) = found.iter().find(usual).or_else(|| found.first())?;
        Some(self.folder.join(file))
    }
}
