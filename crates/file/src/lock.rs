//! One process at a time changes a file.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a process waits for others.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it tries.
const PAUSE: Duration = Duration::from_millis(20);

/// The right to change a file, until it is dropped. Other processes that want to change the file the same way wait meanwhile.
///
/// It is a lock of the system on the file `.NAME.lock` in the same folder, so a process that is killed leaves no lock behind. The lock file is
/// removed where the system can tell whether it is still the same (Unix); elsewhere the empty file stays.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Waits for the right to change a file, up to half a minute.
    ///
    /// # Errors
    /// If the system refuses, or if others do not finish in time ([`io::ErrorKind::WouldBlock`]).
    pub fn acquire(target: &Path) -> io::Result<Self> {
        let mut name = OsString::from(".");
        name.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
        name.push(".lock");
        let path = target.with_file_name(name);
        let start = Instant::now();
        loop {
            // A stranger's link must not lead to another file.
            if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
                return Err(io::Error::other(format!("{} is not a regular file", path.display())));
            }
            let file = File::options().create(true).append(true).open(&path)?;
            match file.try_lock() {
                Ok(()) if is_still(&path, &file) => return Ok(Self { path, _file: file }),
                // Another process removed the file with its lock.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let message = "another process is changing it; try again when that has finished";
                    return Err(io::Error::new(io::ErrorKind::WouldBlock, message));
                }
                // Some network folders have no locks.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Self { path, _file: file });
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if cfg!(unix) {
            // Removed before it is unlocked, so whoever gets the lock sees that the file is gone.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether a path leads to an open file.
#[cfg(unix)]
fn is_still(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (Ok(there), Ok(here)) = (fs::symlink_metadata(path), file.metadata()) else { return false };
    (there.dev(), there.ino()) == (here.dev(), here.ino())
}

/// Whether a path leads to an open file: lock files are not removed here.
#[cfg(not(unix))]
fn is_still(_: &Path, _: &File) -> bool {
    true
}

/// Tells whether a file is still the one that was opened: its size, its time and, where the system has it, its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: Option<std::time::SystemTime>,
    number: (u64, u64),
}

impl Stamp {
    /// The stamp of a file.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn of(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|metadata| Self::from_metadata(&metadata))
    }

    /// The stamp of a file that is known.
    pub fn from_metadata(metadata: &fs::Metadata) -> Self {
        #[cfg(unix)]
        let number = {
            use std::os::unix::fs::MetadataExt as _;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let number = (0, 0);
        Self { len: metadata.len(), modified: metadata.modified().ok(), number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn only_one_holds_the_lock_and_nothing_stays() {
        let folder = std::env::temp_dir().join(format!("meshwright-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let target = folder.join("art.big");
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let lock = Lock::acquire(&target).expect("a lock");
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        if cfg!(unix) {
            assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
        }
        fs::remove_dir_all(&folder).expect("removed");
    }
}
