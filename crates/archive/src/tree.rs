//! The members of an archive as folders.

use std::collections::{BTreeMap, HashMap};

use crate::{Entry, path};

/// The direct contents of a folder of an archive.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Names of folders, by their keys.
    folders: BTreeMap<String, String>,
    /// Names of files and the positions of their entries, by their keys.
    files: BTreeMap<String, (String, usize)>,
}

impl Folder {
    /// Names of the folders in it, in the order of their keys.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.values().map(String::as_str)
    }

    /// Names of the files in it with the indices of their entries, in the order of their keys. If several members have
    /// the same path, the last one is listed.
    pub fn files(&self) -> impl Iterator<Item = (&str, usize)> {
        self.files.values().map(|(name, index)| (name.as_str(), *index))
    }
}

/// The members of an archive as folders.
#[derive(Debug)]
pub(crate) struct Tree {
    /// By the key of the path; the key of the archive itself is empty.
    folders: HashMap<String, Folder>,
}

impl Tree {
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let mut folders: HashMap<String, Folder> = HashMap::from([(String::new(), Folder::default())]);
        for (index, entry) in entries.iter().enumerate() {
            let key = path::key(&entry.path);
            let (above, name) = split(&entry.path);
            let (key_above, key_name) = split(&key);
            if let Some(folder) = folders.get_mut(key_above) {
                folder.files.insert(key_name.to_owned(), (name.to_owned(), index));
                continue;
            }
            let mut folder = Folder::default();
            folder.files.insert(key_name.to_owned(), (name.to_owned(), index));
            folders.insert(key_above.to_owned(), folder);
            link(&mut folders, above, key_above);
        }
        Self { folders }
    }

    /// A folder by its path; the empty path is that of the archive.
    pub(crate) fn folder(&self, path: &str) -> Option<&Folder> {
        self.folders.get(&path::key(path))
    }
}

/// Adds a folder and its ancestors to their parents.
fn link(folders: &mut HashMap<String, Folder>, mut path: &str, mut key: &str) {
    while !key.is_empty() {
        let (above, name) = split(path);
        let (key_above, key_name) = split(key);
        let known = folders.contains_key(key_above);
        let folder = folders.entry(key_above.to_owned()).or_default();
        folder.folders.entry(key_name.to_owned()).or_insert_with(|| name.to_owned());
        if known {
            return;
        }
        (path, key) = (above, key_above);
    }
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
