//! The verbs about archives: `ls`, `extract`, `pack`, `find`.

pub(crate) mod args;
mod extract;
mod find;
mod ls;
mod pack;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright::archive::{Archive, Entry, Located};
use meshwright::assets::{EntryKind, Inside};
use meshwright::{archive, assets};

pub(crate) use extract::extract;
pub(crate) use find::find;
pub(crate) use ls::ls;
pub(crate) use pack::pack;

use crate::input::{self, Problem};

/// A file that a path of the command line leads to.
pub(crate) struct Item {
    /// The path that leads to it.
    pub(crate) path: PathBuf,
    /// The same without what the command line names: the archive, the folder, the game.
    pub(crate) inner: String,
    /// The file on disk that it is in.
    pub(crate) archive: Option<PathBuf>,
    /// What the archive knows of it.
    pub(crate) member: Option<(Arc<Archive>, Entry)>,
    pub(crate) size: u64,
}

/// Everything that the paths lead to, sorted by path; of no paths, the whole game.
pub(crate) fn items(paths: &[PathBuf]) -> (Vec<Item>, Vec<Problem>) {
    let files = input::files();
    let (mut items, mut problems) = (Vec::new(), Vec::new());
    if paths.is_empty() {
        match files.game() {
            Some(game) => in_game(&game, &mut items),
            None => {
                problems.push(Problem::system(
                    Path::new("."),
                    "give a PATH, or a game with --game DIR",
                    None,
                ));
            }
        }
    }
    for path in paths {
        match input::expand(path) {
            Ok(found) => found.iter().for_each(|found| add(found, &mut items, &mut problems)),
            Err(problem) => problems.push(problem),
        }
    }
    (items, problems)
}

fn add(path: &Path, items: &mut Vec<Item>, problems: &mut Vec<Problem>) {
    let files = input::files();
    match files.inside(path) {
        Ok(Some(Inside { file, located })) => in_archive(path, &file, located, items),
        Err(error) => problems.push(Problem::system(path, error.kind.to_string(), None)),
        Ok(None) if files.kind(path) == Some(EntryKind::Folder) => {
            for found in files.walk(path) {
                let inner = inner(&found, path);
                items.push(on_disk(found, inner));
            }
        }
        Ok(None) => {
            let inner = inner(path, path.parent().unwrap_or(Path::new("")));
            items.push(on_disk(path.to_owned(), inner));
        }
    }
}

/// The path of a file below the mounted game, or else below a folder.
fn inner(path: &Path, folder: &Path) -> String {
    let game = input::files().game();
    let below_game = game.as_ref().and_then(|game| path.strip_prefix(game.folder()).ok());
    let below = below_game.or_else(|| path.strip_prefix(folder).ok()).unwrap_or(path);
    below.to_string_lossy().replace('\\', "/")
}

/// The members of an archive at a place, those of archives in it as well.
fn in_archive(path: &Path, file: &Path, located: Located, items: &mut Vec<Item>) {
    let (archive, prefix) = match located {
        Located::Member(archive, entry) => {
            let inner = entry.path.clone();
            items.push(Item {
                path: path.to_owned(),
                inner,
                archive: Some(file.to_owned()),
                size: entry.size,
                member: Some((archive, entry)),
            });
            return;
        }
        Located::Folder(archive, prefix) => (archive, prefix),
    };
    let key = archive::key(&prefix);
    let below = |entry: &&Entry| {
        let path = archive::key(&entry.path);
        key.is_empty() || path.strip_prefix(&key).is_some_and(|rest| rest.starts_with('/'))
    };
    let mut entries: Vec<&Entry> = archive.entries().iter().filter(below).collect();
    entries.sort_by_cached_key(|entry| archive::key(&entry.path));
    // What the command line names ends where the prefix ends.
    let top = path.to_owned();
    for entry in entries {
        let rest = entry.path.get(prefix.len()..).unwrap_or_default().trim_start_matches('/');
        items.push(Item {
            path: top.join(rest),
            inner: entry.path.clone(),
            archive: Some(file.to_owned()),
            size: entry.size,
            member: Some((archive.clone(), entry.clone())),
        });
    }
}

/// The files of a game: of each path, the one that decides.
fn in_game(game: &assets::Game, items: &mut Vec<Item>) {
    let files = input::files();
    for path in files.walk(game.folder()) {
        let inner = inner(&path, game.folder());
        if assets::is_archive(&path) && files.kind(&path) == Some(EntryKind::Folder) {
            continue;
        }
        items.push(on_disk(path, inner));
    }
}

/// A file on disk, or one of the game that is in an archive.
fn on_disk(path: PathBuf, inner: String) -> Item {
    if let Ok(found) = fs::metadata(&path) {
        return Item { path, inner, archive: None, member: None, size: found.len() };
    }
    let game = input::files().game();
    let found = game.as_ref().and_then(|game| {
        let below = path.strip_prefix(game.folder()).ok()?.to_string_lossy().replace('\\', "/");
        game.all(&below).next()
    });
    match found {
        Some(found) => {
            let size = found.entry.size;
            Item { path, inner, archive: Some(found.file), member: Some((found.archive, found.entry)), size }
        }
        None => Item { path, inner, archive: None, member: None, size: 0 },
    }
}

impl Item {
    pub(crate) fn read(&self) -> Result<Vec<u8>, Problem> {
        match &self.member {
            Some((archive, entry)) => archive.read(entry).map_err(|error| {
                Problem::system(&self.path, error.to_string(), crate::advice::of_archive(&error))
            }),
            None => input::read(&self.path),
        }
    }
}
