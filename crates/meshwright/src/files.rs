//! Reading and writing single files.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use crate::{Error, Result};

/// Files larger than this are not read: 256 MiB, several times the largest model of any game. Larger ones can be read by the
/// caller and [parsed](crate::Model::parse).
const LARGEST: u64 = 256 << 20;

/// Reads a regular file. Pipes and devices are refused, because they may never end.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let read = || {
        // Checked before opening, because opening a pipe waits for a writer.
        let found = fs::metadata(path)?;
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !found.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 {
            ..=LARGEST => Ok(bytes),
            _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 256 MiB")),
        }
    };
    read().map_err(Error::io(path))
}

/// Writes a file under a temporary name and renames it, so that it is never incomplete.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    // A link is preserved: its target is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let part = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let write = || {
        fs::write(&part, bytes)?;
        if let Ok(before) = fs::metadata(&target) {
            keep_mode(&part, &before)?;
        }
        fs::rename(&part, &target)
    };
    let written = write();
    if written.is_err() {
        // Report the first error; the temporary file is removed if possible.
        let _ = fs::remove_file(&part);
    }
    written.map_err(Error::io(path))
}

/// Copies the mode of the replaced file, without the setuid and setgid bits.
fn keep_mode(path: &Path, before: &Metadata) -> io::Result<()> {
    #[allow(unused_mut, reason = "the mode is changed on Unix only")]
    let mut mode = before.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        mode.set_mode(mode.mode() & 0o777);
    }
    fs::set_permissions(path, mode)
}
