//! Files held in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{EntryKind, Files, Listing};
use crate::{Error, ErrorKind};

/// Files held in memory, for tests and for programs without a file system.
///
/// ```
/// use meshwright_assets::{Files, Memory};
/// let mut files = Memory::default();
/// files.add("art/w3d/tank.w3d", w3d::sample::crate_box());
/// assert_eq!(files.list("art".as_ref()).folder("W3D").unwrap(), "w3d");
/// assert!(files.read("art/w3d/tank.w3d".as_ref()).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    listings: BTreeMap<PathBuf, Arc<Listing>>,
    entries: BTreeMap<PathBuf, BTreeSet<(OsString, bool)>>,
}

impl Memory {
    /// Adds a file. The folders of its path come with it.
    pub fn add(&mut self, path: impl AsRef<Path>, bytes: impl Into<Arc<[u8]>>) {
        let path = path.as_ref();
        self.files.insert(path.to_owned(), bytes.into());
        let mut below = path;
        let mut is_file = true;
        while let (Some(above), Some(name)) = (below.parent(), below.file_name()) {
            let entries = self.entries.entry(above.to_owned()).or_default();
            entries.insert((name.to_owned(), is_file));
            let kinds = entries.iter().map(|(name, is_file)| {
                (name.clone(), if *is_file { EntryKind::File } else { EntryKind::Folder })
            });
            self.listings.insert(above.to_owned(), Arc::new(Listing::new(above, kinds)));
            (below, is_file) = (above, false);
        }
    }
}

impl Files for Memory {
    fn list(&self, folder: &Path) -> Arc<Listing> {
        let folder = if folder == Path::new(".") { Path::new("") } else { folder };
        self.listings.get(folder).cloned().unwrap_or_default()
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, Error> {
        let bytes = self.files.get(file).ok_or_else(|| Error::new(file, ErrorKind::NotFound))?;
        Ok(bytes.to_vec())
    }
}
