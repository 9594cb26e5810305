//! Folders as the games see them: without regard to case. Each is listed once in a run.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What lies in a folder.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Names as they are, sorted.
    pub(crate) names: Vec<String>,
    /// The same by their names in lower case; of those that differ in case only, the first.
    by_lower: HashMap<String, PathBuf>,
}

impl Listing {
    fn of(folder: &Path) -> Self {
        // A folder that cannot be listed has nothing to offer; that something is missing is told where it is needed.
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        let mut by_lower = HashMap::new();
        for name in &names {
            by_lower.entry(name.to_lowercase()).or_insert_with(|| folder.join(name));
        }
        Self { names, by_lower }
    }

    /// The path of a name, which is in lower case.
    pub(crate) fn find(&self, lower: &str) -> Option<&Path> {
        self.by_lower.get(lower).map(PathBuf::as_path)
    }
}

/// The listings so far, for all threads.
#[derive(Debug, Default)]
pub(crate) struct Folders {
    known: Mutex<HashMap<PathBuf, Arc<Listing>>>,
}

impl Folders {
    pub(crate) fn list(&self, folder: &Path) -> Arc<Listing> {
        // The current folder has an empty name as the parent of a file in it.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = known.get(folder) {
            return listing.clone();
        }
        let listing = Arc::new(Listing::of(folder));
        known.insert(folder.to_owned(), listing.clone());
        listing
    }

    /// The file at a path below a folder, whose parts are in lower case.
    pub(crate) fn descend<'p>(
        &self,
        folder: &Path,
        parts: impl IntoIterator<Item = &'p str>,
    ) -> Option<PathBuf> {
        parts
            .into_iter()
            .try_fold(folder.to_owned(), |folder, part| self.list(&folder).find(part).map(Path::to_owned))
    }
}
