//! The file system: each folder listed once, only regular files, no link followed out.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::Error;
use crate::files::{EntryKind, Files, Listing, Start, spellings};
use crate::once::OncePerKey;

/// The folders of the file system.
///
/// * Each folder is listed at most once; all threads share the listings.
/// * Only regular files are listed and read: a pipe or a device is an error, not a wait.
/// * A link is followed only if it leads to something in the folder that is listed, or in one of the [`allowed`](Self::allow)
///   folders. A path that the user named may be a link to anywhere.
/// * A file larger than the limit is an error, and is not read.
///
/// ```
/// use meshwright_assets::{Files, Folders};
/// let folders = Folders::default().limit(10 << 20);
/// assert!(folders.read("no/such/file".as_ref()).is_err());
/// assert!(folders.list("no/such/folder".as_ref()).files().is_empty());
/// ```
#[derive(Debug)]
pub struct Folders {
    limit: u64,
    longest: usize,
    /// Folders that links may lead into, without links themselves.
    allowed: RwLock<Vec<PathBuf>>,
    listings: OncePerKey<PathBuf, Listed>,
    listed: AtomicUsize,
    read: AtomicUsize,
}

/// Files larger than this are not read unless the limit is raised: 256 MiB, several times the largest model of any game.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

/// More bytes than an entry takes in a folder, on systems that tell a folder's size.
const ENTRY: usize = 64;

/// A listing, or the reason why there is none.
type Listed = Result<Arc<Listing>, (io::ErrorKind, Arc<str>)>;

impl Default for Folders {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            longest: usize::MAX,
            allowed: RwLock::default(),
            listings: OncePerKey::default(),
            listed: AtomicUsize::new(0),
            read: AtomicUsize::new(0),
        }
    }
}

impl Folders {
    /// Sets the size in bytes up to which files are read.
    #[must_use]
    pub fn limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The size in bytes up to which files are read.
    pub fn largest(&self) -> u64 {
        self.limit
    }

    /// Lists no folder with more entries than this.
    ///
    /// In a longer folder only names in one of their usual [`spellings`] are found, in a time that does not depend on its
    /// length. This is for a quick look at one model.
    #[must_use]
    pub fn list_at_most(self, entries: usize) -> Self {
        Self { longest: entries, ..self }
    }

    /// Allows links that lead into this folder, wherever they are found.
    pub fn allow(&self, folder: &Path) {
        if let Ok(folder) = folder.canonicalize() {
            self.allowed.write().unwrap_or_else(PoisonError::into_inner).push(folder);
        }
    }

    /// The number of folders listed so far.
    pub fn folders_listed(&self) -> usize {
        self.listed.load(Ordering::Relaxed)
    }

    /// The number of times that a file was opened.
    pub fn files_read(&self) -> usize {
        self.read.load(Ordering::Relaxed)
    }

    /// The kind of an entry; `None` if it is not listed.
    fn kind(&self, folder: &Path, path: &Path, file_type: FileType) -> Option<EntryKind> {
        if file_type.is_file() {
            return Some(EntryKind::File);
        }
        if file_type.is_dir() {
            return Some(EntryKind::Folder);
        }
        if !file_type.is_symlink() {
            return None;
        }
        let target = path.canonicalize().ok()?;
        let allowed = self.allowed.read().unwrap_or_else(PoisonError::into_inner);
        let inside = allowed.iter().any(|folder| target.starts_with(folder))
            || folder.canonicalize().is_ok_and(|folder| target.starts_with(folder));
        let target = fs::metadata(target).ok().filter(|_| inside)?;
        match (target.is_file(), target.is_dir()) {
            (true, _) => Some(EntryKind::File),
            (_, true) => Some(EntryKind::FolderLink),
            _ => None,
        }
    }

    /// Lists a folder. The error says why it cannot be listed.
    pub fn try_list(&self, folder: &Path) -> Result<Arc<Listing>, Error> {
        let listed = self.listings.get_or_init(folder, || match self.list_now(folder) {
            Ok(listing) => Ok(Arc::new(listing)),
            Err(error) => Err((error.kind(), Arc::from(error.to_string()))),
        });
        listed.map_err(|(kind, message)| Error::system(folder, io::Error::new(kind, message.to_string())))
    }

    fn list_now(&self, folder: &Path) -> io::Result<Listing> {
        if self.longest != usize::MAX && fs::metadata(real(folder))?.len() > (self.longest * ENTRY) as u64 {
            return Ok(Listing::default());
        }
        self.listed.fetch_add(1, Ordering::Relaxed);
        let entries = fs::read_dir(real(folder))?.flatten();
        let entries: Vec<DirEntry> = entries.take(self.longest.saturating_add(1)).collect();
        if entries.len() > self.longest {
            // The order of entries depends on the system, so a partial list would be arbitrary.
            return Ok(Listing::default());
        }
        // The type comes with the listing; only links need another system call.
        let entries = entries.into_iter().filter_map(|entry| {
            let kind = self.kind(folder, &entry.path(), entry.file_type().ok()?)?;
            Some((entry.file_name(), kind))
        });
        Ok(Listing::new(folder, entries))
    }

    /// A listing that has been made and is not cut short.
    fn whole_listing(&self, folder: &Path) -> Option<Arc<Listing>> {
        self.listings.get(folder).filter(|_| self.longest == usize::MAX).map(Result::unwrap_or_default)
    }

    /// The entry of exactly this name, without listing the folder.
    fn probe(&self, folder: &Path, name: &str, wanted: fn(EntryKind) -> bool) -> Option<PathBuf> {
        let path = folder.join(name);
        let kind = self.kind(folder, &path, fs::symlink_metadata(&path).ok()?.file_type())?;
        wanted(kind).then_some(path)
    }
}

/// The current folder has an empty name as the parent of a file in it.
fn real(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

impl Files for Folders {
    fn list(&self, folder: &Path) -> Arc<Listing> {
        // A folder that cannot be listed is treated as empty; the search reports what is missing.
        self.try_list(folder).unwrap_or_default()
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, Error> {
        self.read.fetch_add(1, Ordering::Relaxed);
        file::read(file, self.limit).map_err(|error| Error::read(file, error))
    }

    fn read_start(&self, file: &Path, len: usize) -> Result<Start, Error> {
        self.read.fetch_add(1, Ordering::Relaxed);
        file::read_start(file, len).map_err(|error| Error::read(file, error))
    }

    fn find(&self, folder: &Path, names: &[String]) -> Option<PathBuf> {
        if let Some(listing) = self.whole_listing(folder) {
            return listing.find(names);
        }
        let is_file = |kind| kind == EntryKind::File;
        names
            .iter()
            .find_map(|name| unlike(&spellings(name)).find_map(|name| self.probe(folder, name, is_file)))
            .or_else(|| self.list(folder).find(names))
    }

    fn folder(&self, above: &Path, name: &str) -> Option<PathBuf> {
        if let Some(listing) = self.whole_listing(above) {
            return listing.folder(name).map(|name| above.join(name));
        }
        let is_folder = |kind| kind != EntryKind::File;
        let [written, lower, upper, _] = spellings(name);
        unlike(&[written, lower, upper, capitalised(name)])
            .find_map(|name| self.probe(above, name, is_folder))
            .or_else(|| self.list(above).folder(name).map(|name| above.join(name)))
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        std::path::absolute(real(path)).unwrap_or_else(|_| path.to_owned())
    }
}

/// The spellings that differ from those before them.
fn unlike(spellings: &[String; 4]) -> impl Iterator<Item = &String> {
    let is_new = |index: usize| !spellings[..index].contains(&spellings[index]);
    (0..spellings.len()).filter(move |index| is_new(*index)).map(|index| &spellings[index])
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters.flat_map(char::to_lowercase))
        .collect()
}
