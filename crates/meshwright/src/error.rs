//! Errors of this crate.

use std::io;
use std::path::{Path, PathBuf};

/// Why a model could not be read, changed or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the file system.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Invalid content of a file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error and its position.
        source: record::Error,
    },
    /// Invalid bytes without a file name, or a model that cannot be written in a format.
    #[error(transparent)]
    Content(#[from] record::Error),
    /// A change cannot be made.
    #[cfg(feature = "edit")]
    #[error(transparent)]
    Edit(#[from] edit::Error),
    /// A model cannot be written as glTF.
    #[cfg(feature = "gltf")]
    #[error(transparent)]
    Gltf(#[from] gltf::Error),
    /// A glTF file cannot be read.
    #[cfg(feature = "gltf")]
    #[error(transparent)]
    ReadGltf(#[from] gltf::ReadError),
    /// A model has no clip or camera of a name.
    #[error("no {what} named {name}; {}", available(known))]
    NotInModel {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// An archive cannot be read or written.
    #[cfg(feature = "files")]
    #[error("{}: {source}", path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::sync::Arc<archive::Error>,
    },
    /// A model cannot be rendered.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Render(#[from] render::soft::Error),
    /// A texture cannot be decoded.
    #[cfg(feature = "texture")]
    #[error("texture {name}: {source}")]
    Texture {
        /// The texture, as the model names it.
        name: String,
        /// The reason.
        source: texture::Error,
    },
    /// Two models of different families cannot be compared.
    #[error("cannot compare {0} with {1}")]
    Families(&'static str, &'static str),
}

impl Error {
    /// For `map_err`: an error of the file system about this file.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    /// For `map_err`: an error in the content of this file.
    pub(crate) fn file(path: &Path) -> impl Fn(record::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }

    /// The same error, about this file.
    #[cfg(feature = "gltf")]
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Self::Content(source) => Self::file(path)(source),
            other => other,
        }
    }
}

#[cfg(feature = "files")]
impl From<assets::Error> for Error {
    fn from(error: assets::Error) -> Self {
        use assets::ErrorKind;
        let assets::Error { path, kind } = error;
        let source = match kind {
            ErrorKind::Archive(source) => return Self::Archive { path, source },
            ErrorKind::Content(source) => return Self::File { path, source },
            ErrorKind::System(error) => error,
            ErrorKind::NotFound => io::ErrorKind::NotFound.into(),
            ErrorKind::TooLarge { .. } => io::Error::new(io::ErrorKind::FileTooLarge, kind.to_string()),
            kind => io::Error::new(io::ErrorKind::InvalidInput, kind.to_string()),
        };
        Self::Io { path, source }
    }
}

/// The available names, for a message.
fn available(known: &[String]) -> String {
    const SHOWN: usize = 20;
    if known.is_empty() {
        return "the model has none".to_owned();
    }
    let more = known.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("available: {}{more}", known[..known.len().min(SHOWN)].join(", "))
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
