//! Why an archive cannot be read or written.

use std::io;

/// Result of reading or writing an archive.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an archive cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
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
    /// Reading on would take more memory or time than an honest archive needs.
    #[error("{0}")]
    Limit(String),
    /// A valid archive that uses something this crate does not implement.
    #[error("{0}")]
    Unsupported(String),
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
