//! The files around those that are checked.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use check::{Document, Folder, Surroundings};
use model::Format;
use w3d::records::Pivot;

use super::parent;
use crate::args::{CheckArgs, Common};
use crate::input::{self, Source};
use crate::work;

/// What lies beside each file, and what lies anywhere below each folder that the command line names.
#[derive(Default)]
pub(super) struct Around {
    beside: HashMap<PathBuf, Folder>,
    below: HashMap<Arc<Path>, Folder>,
}

impl Around {
    /// Looks around every file, once for each folder.
    pub(super) fn look(args: &CheckArgs, sources: &[Source], common: Common) -> Self {
        let mut around = Self::default();
        if args.no_surroundings {
            return around;
        }
        for source in sources.iter().filter(|source| !input::is_standard(&source.path)) {
            match &source.folder {
                Some(top) if around.below.contains_key(top) => {}
                Some(top) => {
                    let below = around.read(top, true, args, common);
                    around.below.insert(top.clone(), below);
                }
                None if around.beside.contains_key(parent(&source.path)) => {}
                None => drop(around.read(parent(&source.path), false, args, common)),
            }
        }
        around
    }

    /// Reads the names of all that is in a folder, and sorts them into the folders that are new. Files that cannot be read
    /// are there all the same.
    fn read(&mut self, top: &Path, deep: bool, args: &CheckArgs, common: Common) -> Folder {
        let mut paths = Vec::new();
        files(top, deep, &mut paths);
        let read = work::each(&paths, args.jobs, common, |path| names(top, path));
        let known: HashSet<PathBuf> = self.beside.keys().cloned().collect();
        let mut all = Folder::default();
        for (path, names) in paths.iter().zip(read) {
            let folder = parent(path);
            if !known.contains(folder) {
                self.beside.entry(folder.to_owned()).or_default().extend(names.clone());
            }
            all.extend(names);
        }
        all
    }

    /// What a file can see.
    pub(super) fn of(&self, source: &Source) -> Option<Nearest<'_>> {
        let beside = self.beside.get(parent(&source.path)).filter(|_| !input::is_standard(&source.path))?;
        Some(Nearest { beside, below: source.folder.as_ref().and_then(|top| self.below.get(top)) })
    }
}

/// The names that a file defines.
fn names(top: &Path, path: &Path) -> Folder {
    let mut folder = Folder::default();
    let shown = path.strip_prefix(top).unwrap_or(path).display().to_string();
    let format = path.file_name().and_then(|name| Format::of_file_name(&name.to_string_lossy()));
    // Only W3D files refer to names within others.
    let bytes = format.filter(|format| format.name == "w3d").and_then(|_| fs::read(path).ok());
    match bytes.as_deref().map(Document::parse) {
        Some(Ok(document)) => folder.add_document(&shown, &document),
        _ => folder.add_file(&shown),
    }
    folder
}

/// Every file in a folder, sorted.
fn files(folder: &Path, deep: bool, found: &mut Vec<PathBuf>) {
    // A folder that cannot be listed has been told of where its models were looked for.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> =
        entries.flatten().filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect();
    entries.sort_by(|(left, _), (right, _)| left.cmp(right));
    for (path, file_type) in entries {
        if file_type.is_dir() {
            if deep {
                files(&path, deep, found);
            }
        } else if path.is_file() {
            // A link to a folder is not followed: it may lead back up.
            found.push(path);
        }
    }
}

/// What a file can see: the nearest skeleton of a name is meant, and only files of one folder can be in each other's way,
/// since a tree may hold several games or versions of one.
pub(super) struct Nearest<'a> {
    beside: &'a Folder,
    below: Option<&'a Folder>,
}

impl Nearest<'_> {
    fn any(&self, has: impl Fn(&Folder) -> bool) -> bool {
        has(self.beside) || self.below.is_some_and(has)
    }
}

impl Surroundings for Nearest<'_> {
    fn skeleton(&self, name: &str) -> Option<&[Pivot]> {
        if self.beside.has_skeleton(name) {
            return self.beside.skeleton(name);
        }
        self.below?.skeleton(name)
    }

    fn has_skeleton(&self, name: &str) -> bool {
        self.any(|folder| folder.has_skeleton(name))
    }

    fn has_animation(&self, name: &str) -> bool {
        self.any(|folder| folder.has_animation(name))
    }

    fn has_object(&self, name: &str) -> bool {
        self.any(|folder| folder.has_object(name))
    }

    fn has_file(&self, path: &str) -> bool {
        self.any(|folder| folder.has_file(path))
    }

    fn definers(&self, name: &str) -> &[String] {
        self.beside.definers(name)
    }
}
