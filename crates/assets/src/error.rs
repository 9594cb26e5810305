//! Errors of reading files.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub kind: ErrorKind,
}

/// The reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file was not found.
    #[error("no such file")]
    NotFound,
    /// It is a folder, a named pipe, a device or a socket.
    #[error("not a regular file but {0}")]
    NotAFile(&'static str),
    /// It is larger than the limit.
    #[error("too large: {size} bytes, the limit is {limit}")]
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// The operating system returned an error.
    #[error("{0}")]
    System(io::Error),
    /// The archive that it is in could not be read.
    #[error("{0}")]
    Archive(std::sync::Arc<archive::Error>),
    /// It was read, and is not a model.
    #[error("{0}")]
    Content(record::Error),
}

impl Error {
    pub(crate) fn new(path: &Path, kind: ErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    pub(crate) fn read(path: &Path, error: file::ReadError) -> Self {
        match error {
            file::ReadError::NotAFile(what) => Self::new(path, ErrorKind::NotAFile(what)),
            file::ReadError::TooLarge { size, limit } => Self::new(path, ErrorKind::TooLarge { size, limit }),
            error => Self::system(path, error.into()),
        }
    }

    pub(crate) fn system(path: &Path, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            _ => ErrorKind::System(error),
        };
        Self::new(path, kind)
    }
}
