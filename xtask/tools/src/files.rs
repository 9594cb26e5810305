//! The files of the command line.

use std::path::{Path, PathBuf};

/// The files below these files and folders, sorted.
pub(crate) fn below<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Vec<PathBuf> {
    fn list(path: &Path, files: &mut Vec<PathBuf>) {
        match path.read_dir() {
            Ok(entries) => entries.flatten().for_each(|entry| list(&entry.path(), files)),
            Err(_) => files.push(path.to_owned()),
        }
    }
    let mut files = Vec::new();
    paths.into_iter().for_each(|path| list(path.as_ref(), &mut files));
    files.sort();
    files
}
