//! Writing files whole or not at all: under a temporary name in the same folder, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::input::Problem;

/// Temporary files that exist at this moment. The lock is held while one is made or removed, so that an interrupt never
/// comes between.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();
static NUMBER: AtomicU32 = AtomicU32::new(0);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// On Ctrl-C, and when asked to end, removes what is half-written and exits as shells expect.
fn clean_up_when_interrupted() {
    HANDLER.call_once(|| {
        // Without a handler an interrupt could leave a temporary file; nothing worse, so failing to set it is let pass.
        let _ = ctrlc::set_handler(|| {
            // The lock is never given back: nobody makes another file.
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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)
            .map_err(|error| Problem::system(folder, format!("the folder cannot be made: {error}"), None))?;
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

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or a pipe has no content to keep whole, and must not become a file.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return fs::write(path, bytes);
    }
    // A link stays a link: what it leads to is replaced.
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    let (temporary, mut file) = Temporary::create(path)?;
    file.write_all(bytes)?;
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
        let mut unfinished = unfinished();
        let file = File::create_new(&path)?;
        unfinished.push(path.clone());
        Ok((Self { path }, file))
    }

    fn keep_as(self, target: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        fs::rename(&self.path, target)?;
        unfinished.retain(|path| *path != self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if let Some(at) = unfinished.iter().position(|path| *path == self.path) {
            unfinished.swap_remove(at);
            // It is removed on a best effort: the error that led here is the one to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether two paths lead to the same file.
pub(crate) fn same_file(left: &Path, right: &Path) -> bool {
    match (left.canonicalize(), right.canonicalize()) {
        (Ok(left), Ok(right)) => left == right,
        _ => false,
    }
}
