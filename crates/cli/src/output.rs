//! Writes the files of a run. The library writes each file whole or not at all.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};

use meshwright::archive::{self, Archive, Changes, Located};
use meshwright::assets::Inside;
use meshwright::file;

use crate::args::{Color, Common, Jobs};
use crate::input::{self, Problem, Source};
use crate::work;

/// Writes a file and creates its folders. An existing file is replaced atomically.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    write_by(path, || file::write(path, bytes))
}

fn write_by(path: &Path, write: impl FnOnce() -> io::Result<()>) -> Result<(), Problem> {
    static HANDLER: Once = Once::new();
    // An incomplete file is removed when the program is interrupted.
    HANDLER.call_once(|| crate::interrupt::before_exit(file::remove_unfinished));
    let folder = path.parent().unwrap_or(Path::new(""));
    file::create_folder(folder)
        .map_err(|error| Problem::system(folder, format!("cannot create the folder: {error}"), None))?;
    write().map_err(|error| {
        let note = match error.kind() {
            io::ErrorKind::PermissionDenied => Some("choose another folder, or change its permissions"),
            io::ErrorKind::StorageFull => Some("the disk is full; the incomplete file was removed"),
            _ => None,
        };
        Problem::system(path, format!("cannot write: {error}"), note)
    })
}

/// The file that `-o` names, if it names a file, not a folder: of one input file the output has a name with an extension that can be written.
pub(crate) fn named_file<'p>(
    out: &'p Path,
    inputs: &[PathBuf],
    is_known: impl Fn(&str) -> bool,
) -> Option<&'p Path> {
    let [input] = inputs else { return None };
    let name = out.file_name()?.to_string_lossy();
    let is_single = input::is_standard(input) || input::resolve(input).is_file();
    (is_single && !out.is_dir() && is_known(&name)).then_some(out)
}

/// Writes a file below a folder that the user named. Links below that folder are not followed, because they could lead anywhere.
pub(crate) fn write_below(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    if let Some(link) = path.strip_prefix(folder).ok().and_then(|below| link_in(folder, below)) {
        let message = match link == path {
            true => "not written: it is a symbolic link".to_owned(),
            false => format!("not written: {} is a symbolic link", input::path_text(&link)),
        };
        return Err(Problem::system(path, message, Some("remove the link, or choose another folder")));
    }
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = "it exists and is not a regular file; not written";
        return Err(Problem::system(path, message, Some("remove it, or choose another folder")));
    }
    write(path, bytes)
}

/// The sources, each with the file that `to` makes of it; and a problem for each source whose file another source has taken. Files whose names
/// differ only in case are the same to some file systems.
pub(crate) fn without_collisions(
    sources: Vec<Source>,
    to: impl Fn(&Source) -> Option<PathBuf>,
) -> (Vec<(Source, PathBuf)>, Vec<Problem>) {
    let mut taken: HashMap<Vec<u8>, String> = HashMap::new();
    let mut paths = Vec::new();
    let mut problems = Vec::new();
    for source in sources {
        let Some(path) = to(&source) else { continue };
        match taken.entry(input::folded(&path)) {
            Entry::Vacant(entry) => {
                entry.insert(source.name());
                paths.push((source, path));
            }
            Entry::Occupied(entry) => {
                let path = input::path_text(path);
                let message = format!("not written: {path} could overwrite the output of {}", entry.get());
                problems.push(Problem::system(
                    &source.path,
                    message,
                    Some("some file systems ignore the case of names; rename one of the files"),
                ));
            }
        }
    }
    (paths, problems)
}

/// The first link on the path from a folder to a file below it.
pub(crate) fn link_in(folder: &Path, below: &Path) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    below.components().find_map(|part| {
        path.push(part);
        fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()).then(|| path.clone())
    })
}

/// Changes to an archive.
struct Pending {
    /// The archive as it was read: if it changes meanwhile, it is not replaced.
    archive: Arc<Archive>,
    changes: Changes,
    /// Whether to keep a copy.
    backup: bool,
}

/// Changes to archives that are written at the end of the run.
static PENDING: Mutex<BTreeMap<PathBuf, Pending>> = Mutex::new(BTreeMap::new());

/// The archive on disk that a file is in, and its path there. Loose files of a game come before its archives.
fn place_in_archive(path: &Path) -> Option<(PathBuf, Arc<Archive>, String)> {
    let files = input::files();
    if path.is_file() {
        return None;
    }
    if let Ok(Some(Inside { file, located: Located::Member(archive, entry) })) = files.inside(path) {
        return Some((file, archive, entry.path));
    }
    let game = files.game()?;
    let below = path.strip_prefix(game.folder()).ok()?.to_string_lossy().replace('\\', "/");
    let found = game.all(&below).next()?;
    Some((found.file, found.archive, found.entry.path))
}

/// Whether a file is in an archive.
pub(crate) fn is_in_archive(path: &Path) -> bool {
    place_in_archive(path).is_some()
}

/// Copies a file that is about to change.
fn back_up(path: &Path) -> Result<(), Problem> {
    let failed =
        |error| Problem::system(path, format!("not changed, because the backup failed: {error}"), None);
    file::backup(path).map(drop).map_err(failed)
}

/// Replaces a file, with a copy of the old one beside it if `backup` is set. A member of an archive is replaced at the end of the run, with all
/// others of its archive, and the copy is of the archive.
pub(crate) fn write_in_place(path: &Path, bytes: Vec<u8>, backup: bool) -> Result<(), Problem> {
    let Some((file, archive, member)) = place_in_archive(path) else {
        if backup {
            back_up(path)?;
        }
        return write_by(path, || file::write_durably(path, &bytes));
    };
    if archive.is_nested() {
        let note = Some("extract the inner archive first");
        return Err(Problem::system(path, "cannot change an archive inside another archive", note));
    }
    if archive.kind() == archive::Kind::Zip {
        let note = Some("extract it, change the files and pack them again");
        return Err(Problem::system(path, "cannot change a ZIP archive", note));
    }
    let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
    let pending =
        pending.entry(file).or_insert_with(|| Pending { archive, changes: Changes::default(), backup });
    pending.changes.put(&member, bytes);
    Ok(())
}

/// Writes all archives that have changed, each whole or not at all.
pub(crate) fn write_archives() -> Vec<Problem> {
    let pending = std::mem::take(&mut *PENDING.lock().unwrap_or_else(PoisonError::into_inner));
    let write = |(file, Pending { archive, changes, backup }): (PathBuf, Pending)| {
        if backup && let Err(problem) = back_up(&file) {
            return Some(problem);
        }
        let error = archive.replace(&file, &changes).err()?;
        Some(Problem::system(&file, format!("cannot change the archive: {error}"), None))
    };
    pending.into_iter().filter_map(write).collect()
}

/// What [`identity`] gives: device and number of a file.
#[cfg(unix)]
pub(crate) type Identity = (u64, u64);

/// What [`identity`] gives: the path without links.
#[cfg(not(unix))]
pub(crate) type Identity = PathBuf;

/// Identity of an existing file, independent of its path.
#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// Identity of an existing file, independent of its path.
#[cfg(not(unix))]
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}

/// The first input that an output would overwrite.
pub(crate) fn input_at_risk<T: Sync>(
    tasks: &[T],
    from: impl Fn(&T) -> &Path + Sync,
    to: impl Fn(&T) -> Option<&Path> + Sync,
    jobs: Jobs,
) -> Option<&T> {
    let quiet = Common { quiet: true, verbose: false, color: Color::Auto };
    let existing: HashSet<_> =
        work::each(tasks, jobs, quiet, |task| to(task).and_then(identity)).into_iter().flatten().collect();
    if existing.is_empty() {
        return None;
    }
    let inputs = work::each(tasks, jobs, quiet, |task| identity(from(task)));
    let mut tasks = tasks.iter().zip(inputs);
    tasks
        .find(|(_, input)| input.as_ref().is_some_and(|input| existing.contains(input)))
        .map(|(task, _)| task)
}
