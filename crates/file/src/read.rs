//! Reading a regular file.

use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read as _};
use std::path::Path;

/// Why a file is not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// It is a folder, a named pipe, a device or a socket.
    NotAFile(&'static str),
    /// It is larger than the limit.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// The system refused.
    System(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFile(what) => write!(f, "not a regular file but {what}"),
            Self::TooLarge { size, limit } => write!(f, "too large: {size} bytes, the limit is {limit}"),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        let kind = match &error {
            ReadError::NotAFile(_) => io::ErrorKind::InvalidInput,
            ReadError::TooLarge { .. } => io::ErrorKind::FileTooLarge,
            ReadError::System(_) => io::ErrorKind::Other,
        };
        match error {
            ReadError::System(error) => error,
            error => Self::new(kind, error.to_string()),
        }
    }
}

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its first bytes.
    pub bytes: Vec<u8>,
    /// The length of the whole file.
    pub total: u64,
}

fn open(path: &Path) -> Result<(File, u64), ReadError> {
    // Before opening: opening a pipe waits for somebody to write into it.
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(ReadError::NotAFile(special(found.file_type())));
    }
    Ok((File::open(path)?, found.len()))
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "a device" }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// If it is not a regular file, too large, or cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (mut file, size) = open(path)?;
    if size > limit {
        return Err(ReadError::TooLarge { size, limit });
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // Files of some systems say that they are empty, and others grow.
    (&mut file).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        size if size > limit => Err(ReadError::TooLarge { size, limit }),
        _ => Ok(bytes),
    }
}

/// Reads the first bytes of a regular file, at most `len`.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub fn read_start(path: &Path, len: usize) -> Result<Start, ReadError> {
    let (file, total) = open(path)?;
    let mut bytes = Vec::with_capacity(len.min(usize::try_from(total).unwrap_or(len)));
    file.take(len as u64).read_to_end(&mut bytes)?;
    Ok(Start { bytes, total })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_and_folders_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, b"12345").expect("written");
        assert_eq!(read(&path, 5).expect("it fits"), b"12345");
        assert!(matches!(read(&path, 4), Err(ReadError::TooLarge { size: 5, limit: 4 })));
        assert!(matches!(read(folder.path(), 5), Err(ReadError::NotAFile("a folder"))));
        assert_eq!(read_start(&path, 2).expect("read"), Start { bytes: b"12".to_vec(), total: 5 });
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused_before_it_is_read() {
        assert!(matches!(read(Path::new("/dev/zero"), 5), Err(ReadError::NotAFile("a device"))));
    }
}
