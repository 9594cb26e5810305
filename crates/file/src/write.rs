//! Writing a file under a temporary name in the same folder, then renaming it.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// Temporary files that may exist at this moment.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Read-locked while a temporary file is created or renamed, and write-locked by an interrupt, so that it never happens in between.
/// The mutex of the list would allow only one file at a time.
static GATE: RwLock<()> = RwLock::new(());
/// Folders that this process has created or cleaned.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Makes temporary names unique among the threads of a process.
static NUMBER: AtomicU32 = AtomicU32::new(0);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gate() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of writes that are not finished, for a handler that ends the process next. No file is created or
/// renamed afterwards: threads that try wait for ever.
pub fn remove_unfinished() {
    // The lock is never released, so that no other file is created.
    std::mem::forget(GATE.write());
    for path in unfinished().iter() {
        let _ = fs::remove_file(path);
    }
}

/// Writes a file, whole or not at all. The content may be lost if the machine loses power within seconds.
///
/// # Errors
/// If the system refuses. A file that was there before is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |file| file.write_all(bytes), false)
}

/// The same, and the content is on the disk before it replaces a file: for files that are changed in place.
///
/// # Errors
/// If the system refuses. A file that was there before is then unchanged.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |file| file.write_all(bytes), true)
}

/// The same as [`write_durably`] for content that is written in parts.
///
/// # Errors
/// Of the function, or if the system refuses.
pub fn write_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let write = |file: &mut File| {
        let mut out = BufWriter::with_capacity(1 << 18, file.try_clone()?);
        write(&mut out)?;
        Ok(out.flush()?)
    };
    replace(path, write, true)
}

/// A file that is written in parts, several at the same time if need be. It appears under its name when it is [finished](Self::finish);
/// until then it has a temporary name, and without that it is removed.
///
/// ```
/// use std::io::Write;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("part.ndjson");
/// let mut file = meshwright_file::NewFile::create(&path)?;
/// file.write_all(b"{}")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert!(path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    // Dropped first: some systems cannot remove or rename open files.
    file: BufWriter<File>,
    temporary: Temporary,
    target: PathBuf,
}

impl NewFile {
    /// Starts a file beside its final path, whose folder must exist.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (temporary, file) = Temporary::create(path)?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), temporary, target: path.to_owned() })
    }

    /// Writes the content to the disk and gives the file its name. A file that has the name already is replaced.
    ///
    /// # Errors
    /// If the system refuses. The file is then removed.
    pub fn finish(self) -> io::Result<()> {
        let Self { file, temporary, target } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        temporary.keep_as(&target)
    }
}

impl io::Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Copies a file before it is changed, to `NAME.bak` beside it, or to `NAME.2.bak` and so on: no older copy is overwritten. Returns the path
/// of the copy.
///
/// # Errors
/// If the system refuses, or if there are a thousand copies.
pub fn backup(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for number in 1..=1000 {
        let mut copy = name.to_owned();
        copy.push(if number == 1 { ".bak".to_owned() } else { format!(".{number}.bak") });
        let copy = path.with_file_name(copy);
        if fs::symlink_metadata(&copy).is_ok() {
            continue;
        }
        write_with(&copy, |out| io::copy(&mut File::open(path)?, out).map(drop))?;
        return Ok(copy);
    }
    Err(io::Error::other("there are a thousand backups already"))
}

/// Creates a folder and its parents, and removes temporary files of killed processes from it. Each folder once per process.
///
/// # Errors
/// If the system refuses.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let known = || FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if known().contains(folder) {
        return Ok(());
    }
    remove_leftovers(folder);
    fs::create_dir_all(folder)?;
    known().insert(folder.to_owned());
    Ok(())
}

fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
    durable: bool,
) -> Result<(), E> {
    let Ok(before) = fs::symlink_metadata(path) else { return put(path, write, None, durable) };
    if before.is_file() {
        return put(path, write, Some(&before), durable);
    }
    match (fs::metadata(path), path.canonicalize()) {
        // A link is preserved: its target is replaced.
        (Ok(before), Ok(target)) if before.is_file() => put(&target, write, Some(&before), durable),
        // A dangling link is replaced.
        (Err(_), _) => put(path, write, None, durable),
        // A device or pipe is written directly; it must not become a file.
        _ => write(&mut File::create(path)?),
    }
}

/// Moves a file to a path, replacing an existing one.
fn put<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
    before: Option<&Metadata>,
    durable: bool,
) -> Result<(), E> {
    let (temporary, mut file) = Temporary::create(path)?;
    write(&mut file)?;
    if let Some(before) = before {
        keep_access(&file, before)?;
    }
    if durable {
        file.sync_all()?;
    }
    // Some systems cannot rename open files.
    drop(file);
    Ok(temporary.keep_as(path)?)
}

/// Gives a new file the owner and the mode of the file that it replaces, as far as this is allowed.
///
/// The new content is not what somebody once trusted to run as its owner, so the bits for that (set-user-ID and set-group-ID) are dropped.
fn keep_access(file: &File, before: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
            // Only a privileged process may give files away. The group can be kept by its members.
            let _ = fchown(file, Some(before.uid()), Some(before.gid()))
                .or_else(|_| fchown(file, None, Some(before.gid())));
        }
        let mode = before.mode() & 0o777;
        if own.mode() & 0o7777 != mode {
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }
    #[cfg(not(unix))]
    {
        file.set_permissions(before.permissions())
    }
}

/// A temporary file that is removed on drop unless it is kept.
#[derive(Debug)]
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
        let index = unfinished.iter().position(|path| *path == self.path);
        index.map(|index| unfinished.swap_remove(index)).is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write(&path, b"old").expect("written");
        let failed = write_with(&path, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).expect("the old file"), b"old");
        write_with(&path, |out| out.write_all(b"new")).expect("written");
        assert_eq!(fs::read(&path).expect("the new file"), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn threads_that_write_one_file_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::thread::scope(|scope| {
            for letter in b'a'..=b'h' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write(path, &vec![letter; 100_000]).expect("written");
                    }
                });
            }
        });
        let bytes = fs::read(&path).expect("a file");
        assert_eq!(bytes.len(), 100_000);
        assert!(bytes.iter().all(|letter| *letter == bytes[0]), "one of them, whole");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_are_kept() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        write(&path, b"old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4640)).expect("a mode");
        std::os::unix::fs::symlink("a", &link).expect("a link");
        write_durably(&link, b"new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("it exists").is_symlink());
        assert_eq!(fs::read(&path).expect("the target"), b"new");
        let mode = fs::metadata(&path).expect("it exists").permissions().mode();
        assert_eq!(mode & 0o7777, 0o640, "without the bit that runs it as its owner");
    }

    #[test]
    fn only_our_temporary_files_are_leftovers() {
        assert_eq!(process_of(".tank.glb.123-4.part"), Some(123));
        for name in ["tank.part", ".tank.part", ".a.1.part", ".a.x-1.part", ".a.1-y.part", "a.1-2.part"] {
            assert_eq!(process_of(name), None, "{name}");
        }
    }
}
