//! Search roots: folders below which files are found by their name alone.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::{Files, Key};

/// A folder that is searched with everything below it.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) folder: PathBuf,
    pub(crate) purpose: Purpose,
    tree: OnceLock<Tree>,
}

/// The kinds of files for which a root is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Textures only.
    Textures,
    /// Textures, and skeletons and models by their file names.
    Inputs,
    /// The same with priority over all other places, and animations.
    Companions,
}

impl Root {
    pub(crate) fn new(folder: &Path, purpose: Purpose) -> Self {
        Self { folder: folder.to_owned(), purpose, tree: OnceLock::new() }
    }

    /// Everything below it. Listed when it is first needed.
    pub(crate) fn tree(&self, files: &dyn Files) -> &Tree {
        self.tree.get_or_init(|| Tree::new(files, &self.folder))
    }
}

/// Maximum number of files of a name that are examined. Collections have thousands of copies of a file.
const MOST: usize = 8;

/// The files below a folder by their names.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Every folder, sorted.
    pub(crate) folders: Vec<PathBuf>,
    /// Positions in `folders`, ascending.
    by_name: HashMap<Key, Vec<u32>>,
}

impl Tree {
    fn new(files: &dyn Files, top: &Path) -> Self {
        let mut folders = vec![top.to_owned()];
        let mut index = 0;
        while let Some(folder) = folders.get(index).cloned() {
            folders.extend(files.list(&folder).folders().map(|name| folder.join(name)));
            index += 1;
        }
        folders.sort_unstable();
        let mut by_name: HashMap<Key, Vec<u32>> = HashMap::new();
        for (index, folder) in folders.iter().enumerate() {
            for name in files.list(folder).files() {
                let found = by_name.entry(Key::name(&name.to_string_lossy())).or_default();
                if found.last() != Some(&(index as u32)) {
                    found.push(index as u32);
                }
            }
        }
        Self { folders, by_name }
    }

    /// The files of this name, the nearest to a folder first, because a tree may contain several games or versions. At
    /// equal distance, the first in the tree comes first.
    pub(crate) fn nearest(&self, files: &dyn Files, name: &str, from: Option<&Path>) -> Vec<PathBuf> {
        let Some(found) = self.by_name.get(&Key::name(name)) else { return Vec::new() };
        let from = from.unwrap_or(Path::new(""));
        let folder_at = |place: usize| self.folders[found[place] as usize].as_path();
        let place_of =
            |path: &Path| found.partition_point(|index| self.folders[*index as usize].as_path() < path);
        // Folders are sorted, so those with the longest common prefix are next to `from`.
        let place = place_of(from);
        let around = place.saturating_sub(MOST)..found.len().min(place + MOST);
        let most = around.clone().map(|place| in_common(folder_at(place), from)).max().unwrap_or(0);
        let shared: PathBuf = from.components().take(most).collect();
        let mut places: Vec<usize> = around.chain([place_of(&shared)]).collect();
        places.sort_by_key(|place| (Reverse(in_common(folder_at(*place), from)), *place));
        places.dedup();
        let folders = places.into_iter().take(MOST).map(folder_at);
        folders.filter_map(|folder| Some(folder.join(files.list(folder).file(name)?))).collect()
    }
}

/// The number of common leading folders of two paths.
fn in_common(left: &Path, right: &Path) -> usize {
    left.components().zip(right.components()).take_while(|(left, right)| left == right).count()
}
