//! Reads and writes single files: only regular files are read, up to a limit, and a file that is written appears whole or not at all.
//!
//! * [`read`] and [`read_start`] refuse pipes and devices, which may never end, and files above a limit.
//! * [`write()`], [`write_durably`] and [`write_with`] write under a temporary name in the same folder, then rename. A link stays a link, and
//!   the owner and mode of a replaced file are kept.
//! * [`remove_unfinished`] is for interrupt handlers.
//!
//! ```
//! let folder = std::env::temp_dir().join(format!("meshwright-file-example-{}", std::process::id()));
//! meshwright_file::create_folder(&folder)?;
//! meshwright_file::write(&folder.join("a.txt"), b"whole")?;
//! assert!(meshwright_file::read(&folder.join("a.txt"), 4).is_err(), "it is larger than the limit");
//! std::fs::remove_dir_all(folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod lock;
mod read;
mod write;

pub use lock::{Lock, Stamp};
pub use read::{ReadError, Start, read, read_start};
pub use write::{NewFile, backup, create_folder, remove_unfinished, write, write_durably, write_with};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
