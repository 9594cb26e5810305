//! The models in folders and archives.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use assets::{Archives, EntryKind, Files as _, is_archive};
use model::{Content, Format};

use crate::Error;

/// What [`walk`] finds.
#[derive(Debug)]
pub enum Walked {
    /// A wanted file.
    File(PathBuf),
    /// A file with the name of a model but other content: what it is.
    Skipped(PathBuf, String),
    /// A folder that cannot be listed.
    Failed(PathBuf, Error),
}

/// Every file of a folder or archive that is wanted by its name, in order, also in folders below it and in archives of an archive.
pub fn walk(
    files: &Archives,
    folder: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
    skip: &dyn Fn(&Path) -> Option<String>,
    found: &mut dyn FnMut(Walked),
) {
    let in_archive = matches!(files.inside(folder), Ok(Some(_)));
    let listing = match files.try_list(folder) {
        Ok(listing) => listing,
        Err(error) => return found(Walked::Failed(folder.to_owned(), error.into())),
    };
    let names = listing.files().iter().map(|name| (name.as_os_str(), false));
    // A link to a folder may create a cycle, so it is followed only if it was given by name.
    let folders = listing.folders().map(|name| (name, true));
    let mut entries: Vec<(&OsStr, bool)> = names.chain(folders).collect();
    entries.sort_unstable();
    for (name, is_folder) in entries {
        let path = folder.join(name);
        // An archive in an archive is a folder.
        let is_folder =
            is_folder || in_archive && is_archive(&path) && files.kind(&path) == Some(EntryKind::Folder);
        if is_folder {
            walk(files, &path, is_wanted, skip, found);
        } else if is_wanted(&name.to_string_lossy()) {
            found(match skip(&path) {
                Some(what) => Walked::Skipped(path, what),
                None => Walked::File(path),
            });
        }
    }
}

/// Whether a file in a folder is a model by its name.
pub fn is_model_name(name: &str) -> bool {
    Format::of_file_name(name).is_some_and(|format| format.in_folders)
}

/// For a file with the name of a model but other content: what it is.
pub fn other_content(files: &Archives, path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    if is_map_data(&name) {
        return Some("map data of Warcraft III, not a model".to_owned());
    }
    // Other programs use only these extensions.
    let is_ambiguous = path.extension().is_some_and(|extension| {
        ["w3d", "w3x", "mdl"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    });
    if !is_ambiguous {
        return None;
    }
    // The root of a W3X file may follow comments.
    let start = files.read_start(path, 4096).ok()?;
    Content::of(&start.bytes).filter(|content| content.is_skipped()).map(|content| content.to_string())
}

/// Whether a file of this name is data of a Warcraft III map or campaign, which shares the extension `.w3d`.
fn is_map_data(name: &str) -> bool {
    ["war3map.w3d", "war3campaign.w3d"].iter().any(|known| known.eq_ignore_ascii_case(name))
}
