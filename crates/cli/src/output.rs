//! Writing files whole or not at all: under a temporary name in the same folder, then renamed.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, RwLock, RwLockReadGuard};

use crate::args::{Color, Common, Jobs};
use crate::input::Problem;
use crate::work;

/// Temporary files that exist at this moment, or may.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Held shared while a temporary file is made or renamed, and alone by an interrupt, which therefore never comes between. The
/// list's own lock would do, but then only one file at a time could be made.
static GATE: RwLock<()> = RwLock::new(());
/// Folders that are there, as far as this run has made sure of it.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static HANDLER: Once = Once::new();
static NUMBER: AtomicU32 = AtomicU32::new(0);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gate() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// On Ctrl-C, and when asked to end, removes what is half-written and exits as shells expect.
fn clean_up_when_interrupted() {
    HANDLER.call_once(|| {
        // Without a handler an interrupt could leave a temporary file; nothing worse, so failing to set it is let pass.
        let _ = ctrlc::set_handler(|| {
            // The gate is never opened again: nobody makes another file.
            let _gate = GATE.write();
            for path in unfinished().iter() {
                let _ = fs::remove_file(path);
            }
            std::process::exit(130);
        });
    });
}

/// Writes a file and the folders above it. What was there before is replaced in one step.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    clean_up_when_interrupted();
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder)?;
    }
    replace(path, bytes).map_err(|error| {
        let note = match error.kind() {
            io::ErrorKind::PermissionDenied => Some("choose another folder, or change its permissions"),
            io::ErrorKind::StorageFull => Some("the disk is full; nothing was left behind"),
            _ => None,
        };
        Problem::system(path, format!("cannot be written: {error}"), note)
    })
}

/// Makes a folder and those above it. Each is looked at once in a run.
fn make_folder(folder: &Path) -> Result<(), Problem> {
    let known = || FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if known().contains(folder) {
        return Ok(());
    }
    fs::create_dir_all(folder)
        .map_err(|error| Problem::system(folder, format!("the folder cannot be made: {error}"), None))?;
    known().insert(folder.to_owned());
    Ok(())
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Ok(before) = fs::symlink_metadata(path) else { return put(path, bytes, None) };
    if before.is_file() {
        return put(path, bytes, Some(&before));
    }
    match (fs::metadata(path), path.canonicalize()) {
        // A link stays a link: what it leads to is replaced.
        (Ok(before), Ok(target)) if before.is_file() => put(&target, bytes, Some(&before)),
        // A link to nowhere is replaced itself.
        (Err(_), _) => put(path, bytes, None),
        // A device or a pipe has no content to keep whole, and must not become a file.
        _ => fs::write(path, bytes),
    }
}

/// Puts a file in the place of another, if there is one.
fn put(path: &Path, bytes: &[u8], before: Option<&Metadata>) -> io::Result<()> {
    let (temporary, mut file) = Temporary::create(path)?;
    file.write_all(bytes)?;
    if let Some(before) = before {
        let permissions = before.permissions();
        if file.metadata()?.permissions() != permissions {
            file.set_permissions(permissions)?;
        }
    }
    // Some systems rename only what nobody has open.
    drop(file);
    temporary.keep_as(path)
}

/// A file that goes away unless it is kept.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn create(target: &Path) -> io::Result<(Self, File)> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
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

/// What tells one existing file from another, whatever path leads to it.
#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> Option<impl Eq + std::hash::Hash + Send + use<>> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// What tells one existing file from another, whatever path leads to it.
#[cfg(not(unix))]
pub(crate) fn identity(path: &Path) -> Option<impl Eq + std::hash::Hash + Send + use<>> {
    path.canonicalize().ok()
}

/// The first of the inputs that one of the outputs would be written over.
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
