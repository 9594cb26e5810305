//! Errors of archives.

use std::io;

/// Result of reading or writing an archive.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an archive cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system returned an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes are not what the format requires.
    #[error("{message} (at byte {offset} of the archive)")]
    Format {
        /// Offset from the start of the archive.
        offset: u64,
        /// Description of the error.
        message: String,
    },
    /// A member is encrypted with its name, which the archive does not have.
    #[error("{member}: it is encrypted and its name is not known (at byte {offset} of the archive)")]
    Encrypted {
        /// Offset from the start of the archive.
        offset: u64,
        /// The name that stands for the member.
        member: String,
    },
    /// Reading it would take more memory or time than a valid archive needs.
    #[error("{0}")]
    Limit(String),
    /// A valid archive that uses something this crate does not implement.
    #[error("{0}")]
    Unsupported(String),
    /// The archive on disk is not the one that was read.
    #[error(
        "another program has changed the archive since it was read; nothing was written, so run the command again"
    )]
    Changed,
    /// The archive has no such member.
    #[error("the archive has no member {0}")]
    NotFound(String),
}

impl Error {
    pub(crate) fn format(offset: u64, message: impl Into<String>) -> Self {
        Self::Format { offset, message: message.into() }
    }

    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::Limit(message.into())
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::Unsupported(message.into())
    }
}
