//! Writes files atomically: under a temporary name in the same folder, then renamed.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use archive::{Archive, Changes, Located};
use assets::Inside;

use crate::args::{Color, Common, Jobs};
use crate::input::{self, Problem, Source};
use crate::work;

/// Temporary files that may exist at this moment.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Read-locked while a temporary file is created or renamed, and write-locked by an interrupt, so that it never happens in between.
/// The mutex of the list would allow only one file at a time.
static GATE: RwLock<()> = RwLock::new(());
/// Folders that this run has created or found.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static HANDLER: Once = Once::new();
static NUMBER: AtomicU32 = AtomicU32::new(0);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gate() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Removes incomplete files when the program is interrupted.
fn clean_up_when_interrupted() {
    HANDLER.call_once(|| {
        crate::interrupt::before_exit(|| {
            // The lock is never released, so that no other file is created.
            std::mem::forget(GATE.write());
            for path in unfinished().iter() {
                let _ = fs::remove_file(path);
            }
        });
    });
}

/// Writes a file and creates its folders. An existing file is replaced atomically.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    clean_up_when_interrupted();
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => make_folder(folder)?,
        _ => make_folder(Path::new("."))?,
    }
    replace(path, bytes).map_err(|error| {
        let note = match error.kind() {
            io::ErrorKind::PermissionDenied => Some("choose another folder, or change its permissions"),
            io::ErrorKind::StorageFull => Some("the disk is full; the incomplete file was removed"),
            _ => None,
        };
        Problem::system(path, format!("cannot write: {error}"), note)
    })
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

/// Changes to archives that are written at the end of the run.
static CHANGES: Mutex<BTreeMap<PathBuf, Changes>> = Mutex::new(BTreeMap::new());

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

/// Replaces a file. A member of an archive is replaced at the end of the run, with all others of its archive.
pub(crate) fn write_in_place(path: &Path, bytes: Vec<u8>) -> Result<(), Problem> {
    let Some((file, archive, member)) = place_in_archive(path) else { return write(path, &bytes) };
    if archive.is_nested() {
        let note = Some("extract the inner archive first");
        return Err(Problem::system(path, "cannot change an archive inside another archive", note));
    }
    let mut changes = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
    changes.entry(file).or_default().put(&member, bytes);
    Ok(())
}

/// Writes all archives that have changed, each whole or not at all.
pub(crate) fn write_archives() -> Vec<Problem> {
    let changes = std::mem::take(&mut *CHANGES.lock().unwrap_or_else(PoisonError::into_inner));
    let write = |(file, changes): (PathBuf, Changes)| {
        let archive = input::files().open(&file).map_err(|error| error.kind.to_string())?;
        archive::save(&file, |out| archive.rewrite(&changes, out)).map_err(|error| error.to_string())
    };
    let failed = |file: &Path, error: String| {
        Problem::system(file, format!("cannot change the archive: {error}"), None)
    };
    changes
        .into_iter()
        .filter_map(|(file, changes)| Some(failed(&file, write((file.clone(), changes)).err()?)))
        .collect()
}

/// Creates a folder and its parents, once per run.
fn make_folder(folder: &Path) -> Result<(), Problem> {
    let known = || FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if known().contains(folder) {
        return Ok(());
    }
    remove_leftovers(folder);
    fs::create_dir_all(folder)
        .map_err(|error| Problem::system(folder, format!("cannot create the folder: {error}"), None))?;
    known().insert(folder.to_owned());
    Ok(())
}

/// Removes temporary files of killed processes from a folder.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_leftover(&entry) {
            // A file that cannot be removed is harmless.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether an entry is a temporary file of a process that has ended.
fn is_leftover(entry: &fs::DirEntry) -> bool {
    /// A process in another container may be alive although it is not found. It would have written recently.
    const AGE: Duration = Duration::from_secs(10);
    /// Where processes cannot be looked up, a file that was not written to for this long is considered abandoned.
    const OLD: Duration = Duration::from_secs(3600);
    let name = entry.file_name();
    let Some(process) = name.to_str().and_then(process_of) else { return false };
    let processes = Path::new("/proc/self");
    let age = match processes.exists() {
        true if processes.with_file_name(process.to_string()).exists() => return false,
        true => AGE,
        false => OLD,
    };
    let old = |found: &Metadata| found.modified().ok()?.elapsed().ok();
    fs::symlink_metadata(entry.path())
        .is_ok_and(|found| found.is_file() && old(&found).is_some_and(|elapsed| elapsed > age))
}

/// The process that made a temporary file: `.NAME.PROCESS-NUMBER.part`.
fn process_of(name: &str) -> Option<u32> {
    let (_, numbers) = name.strip_prefix('.')?.strip_suffix(".part")?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse().ok()
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Ok(before) = fs::symlink_metadata(path) else { return put(path, bytes, None) };
    if before.is_file() {
        return put(path, bytes, Some(&before));
    }
    match (fs::metadata(path), path.canonicalize()) {
        // A link is preserved: its target is replaced.
        (Ok(before), Ok(target)) if before.is_file() => put(&target, bytes, Some(&before)),
        // A dangling link is replaced.
        (Err(_), _) => put(path, bytes, None),
        // A device or pipe is written directly; it must not become a file.
        _ => fs::write(path, bytes),
    }
}

/// Moves a file to a path, replacing an existing one.
fn put(path: &Path, bytes: &[u8], before: Option<&Metadata>) -> io::Result<()> {
    let (temporary, mut file) = Temporary::create(path)?;
    file.write_all(bytes)?;
    if let Some(before) = before {
        archive::keep_access(&file, before)?;
    }
    // Some systems cannot rename open files.
    drop(file);
    temporary.keep_as(path)
}

/// A temporary file that is removed on drop unless it is kept.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn create(target: &Path) -> io::Result<(Self, File)> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
        // The name of the file may be as long as a name can be.
        let name: String = name.chars().take(40).collect();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = target.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
        let _gate = gate();
        unfinished().push(path.clone());
        // From here on it is removed when this is dropped, which does no harm if it could not be made.
        let temporary = Self { path };
        let file = File::create_new(&temporary.path)?;
        Ok((temporary, file))
    }

    fn keep_as(self, target: &Path) -> io::Result<()> {
        let _gate = gate();
        fs::rename(&self.path, target)?;
        self.forget();
        Ok(())
    }

    /// Whether it was still listed.
    fn forget(&self) -> bool {
        let mut unfinished = unfinished();
        let at = unfinished.iter().position(|path| *path == self.path);
        at.map(|at| unfinished.swap_remove(at)).is_some()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.forget() {
            // It is removed on a best effort: the error that led here is the one to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
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
