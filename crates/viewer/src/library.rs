//! Files that can be opened: folders and archives on disk, or files held in memory. No other module touches a file system.

use meshwright::assets::{Archives, EntryKind, Files as _, Folders, Memory, is_archive};
use meshwright::{Format, PictureStore, Workspace, archive};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most models that are listed. A folder of all games' models has about 50,000.
const MAX_MODELS: usize = 200_000;
/// Most bytes of an archive that are unpacked into memory.
const MAX_UNPACKED: u64 = 1 << 30;

/// A tree of files with the models in it.
pub struct Library {
    workspace: Workspace,
    archives: Option<Arc<Archives>>,
    models: Vec<PathBuf>,
    /// Folders that the user named.
    folders: Vec<PathBuf>,
    pictures: PictureStore,
}

/// A library, the model to open first, and what could not be read.
pub struct Found {
    /// The files.
    pub library: Library,
    /// The index of the first model in [`Library::models`].
    pub first: usize,
    /// Sentences about files that could not be read.
    pub problems: Vec<String>,
}

impl Library {
    /// The models of files, folders and archives on disk. A single model comes with the others of its folder.
    ///
    /// # Errors
    /// If there is no model.
    pub fn on_disk(paths: &[PathBuf]) -> Result<Found, String> {
        let archives = Arc::new(Archives::new(Folders::default()));
        let mut models = Vec::new();
        let mut first = None;
        let mut folders = Vec::new();
        for path in paths {
            let is_folder = archives.kind(path) == Some(EntryKind::Folder);
            if is_folder {
                folders.push(path.clone());
                let found = archives.walk(path);
                models.extend(found.into_iter().filter(|path| is_model(path)).take(MAX_MODELS));
            } else if let [path] = paths {
                // The others of its folder are listed too, so that the arrow keys lead to them.
                let folder = path.parent().map_or(Path::new(""), |folder| folder);
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                let listing = archives.list(folder);
                let names = listing.files().iter().filter(|name| is_model(Path::new(name)));
                let plain = path.parent().is_some_and(|folder| folder.as_os_str().is_empty());
                models.extend(
                    names.map(|name| if plain { name.into() } else { folder.join(name) }).take(MAX_MODELS),
                );
                if !models.contains(path) {
                    models.push(path.clone());
                }
                first = models.iter().position(|known| known == path);
            } else {
                models.push(path.clone());
            }
        }
        if models.is_empty() {
            let name = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
            return Err(format!("{name} has no models (W3D, MDX, MDL, GLB or glTF)"));
        }
        let workspace = workspace(&archives, &folders);
        let pictures = PictureStore::default();
        let library = Self { workspace, archives: Some(archives), models, folders, pictures };
        Ok(Found { library, first: first.unwrap_or(0), problems: Vec::new() })
    }

    /// The models among files held in memory. Archives are unpacked.
    ///
    /// # Errors
    /// If there is no model.
    pub fn in_memory(files: Vec<(String, Vec<u8>)>) -> Result<Found, String> {
        let mut memory = Memory::default();
        let mut models = Vec::new();
        let mut problems = Vec::new();
        let single = match files.as_slice() {
            [(name, _)] => Some(name.clone()),
            _ => None,
        };
        let mut add = |path: PathBuf, bytes: Vec<u8>, models: &mut Vec<PathBuf>| {
            if is_model(&path) {
                models.push(path.clone());
            }
            memory.add(path, bytes);
        };
        for (name, bytes) in files {
            let path = clean(&name);
            if !is_archive(&path) {
                add(path, bytes, &mut models);
                continue;
            }
            match unpack(bytes) {
                Ok(members) => {
                    for (member, bytes) in members {
                        add(path.join(clean(&member)), bytes, &mut models);
                    }
                }
                Err(problem) => problems.push(format!("{name}: {problem}")),
            }
        }
        models.sort_unstable();
        models.dedup();
        if models.is_empty() {
            // One file of an unknown kind is opened nevertheless: the error says what it is.
            match (single, problems.pop()) {
                (_, Some(problem)) => return Err(problem),
                (Some(name), None) => models.push(clean(&name)),
                (None, None) => {
                    return Err("none of these files is a model (W3D, MDX, MDL, GLB or glTF)".to_owned());
                }
            }
        }
        let mut workspace = Workspace::in_memory(memory);
        workspace.search_mut().add_folder(Path::new(""));
        let (folders, pictures) = (Vec::new(), PictureStore::default());
        let library = Self { workspace, archives: None, models, folders, pictures };
        Ok(Found { library, first: 0, problems })
    }

    /// The models, in the order in which the arrow keys step through them.
    #[must_use]
    pub fn models(&self) -> &[PathBuf] {
        &self.models
    }

    /// Whether the files are on disk.
    #[must_use]
    pub fn is_on_disk(&self) -> bool {
        self.archives.is_some()
    }

    /// The files, and the search for what a model refers to.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Decoded textures.
    #[must_use]
    pub fn pictures(&self) -> &PictureStore {
        &self.pictures
    }

    /// A value that changes when the file changes; `None` if it cannot be known.
    #[must_use]
    pub fn stamp(&self, path: &Path) -> Option<Stamp> {
        let archives = self.archives.as_ref()?;
        // A model in an archive changes with the archive.
        let file = match archives.inside(path) {
            Ok(Some(inside)) => inside.file,
            _ => path.to_owned(),
        };
        let found = std::fs::metadata(file).ok()?;
        Some((found.modified().ok()?, found.len()))
    }

    /// Forgets listings and decoded textures, so that changed files are read anew.
    pub fn renew(&mut self) {
        if self.archives.is_none() {
            return;
        }
        let archives = Arc::new(Archives::new(Folders::default()));
        self.workspace = workspace(&archives, &self.folders);
        self.archives = Some(archives);
        self.pictures = PictureStore::default();
    }
}

/// Files on disk, with the folders that the user named.
fn workspace(archives: &Arc<Archives>, folders: &[PathBuf]) -> Workspace {
    let mut workspace = Workspace::new(archives.clone());
    folders.iter().for_each(|folder| workspace.search_mut().add_folder(folder));
    workspace
}

/// Time of the last change, and size.
pub type Stamp = (std::time::SystemTime, u64);

/// Whether a file has the name of a model. JSON files are usually something else, so they are opened only by name.
fn is_model(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    Format::of_file_name(&name).is_some_and(|format| format.name != "json")
}

/// A name without what leads out of a folder.
fn clean(name: &str) -> PathBuf {
    let parts = name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != "." && *part != "..");
    parts.collect()
}

fn unpack(bytes: Vec<u8>) -> Result<Vec<(String, Vec<u8>)>, String> {
    let archive =
        archive::Archive::open(archive::Source::from_bytes(bytes)).map_err(|error| error.to_string())?;
    let mut total = 0;
    let mut members = Vec::new();
    for entry in archive.entries() {
        // A member that cannot be read does not hide the others.
        let Ok(bytes) = archive.read(entry) else { continue };
        total += bytes.len() as u64;
        if total > MAX_UNPACKED {
            return Err("the archive is too large to unpack in memory".to_owned());
        }
        members.push((entry.path.clone(), bytes));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_comes_with_the_others_of_its_folder() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str| folder.path().join(name);
        for name in ["c.w3d", "a.w3d", "b.MDX", "notes.txt", "data.json"] {
            std::fs::write(file(name), b"").expect("a temporary file");
        }
        let found = Library::on_disk(&[file("b.MDX")]).expect("models");
        assert_eq!(found.library.models(), [file("a.w3d"), file("b.MDX"), file("c.w3d")]);
        assert_eq!(found.first, 1);
        let found = Library::on_disk(&[folder.path().to_owned()]).expect("models");
        assert_eq!((found.library.models().len(), found.first), (3, 0));
        let empty = tempfile::tempdir().expect("a temporary folder");
        let error = Library::on_disk(&[empty.path().to_owned()]).err().expect("no model");
        assert!(error.ends_with("has no models (W3D, MDX, MDL, GLB or glTF)"), "{error}");
    }

    #[test]
    fn names_in_memory_cannot_lead_out_of_their_folder() {
        assert_eq!(clean("../../etc\\..\\x.w3d"), Path::new("etc/x.w3d"));
        let files = vec![("/a.w3d".to_owned(), meshwright::w3d::sample::tank())];
        let found = Library::in_memory(files).expect("a model");
        assert_eq!(found.library.models(), [PathBuf::from("a.w3d")]);
        assert!(found.library.workspace().read("a.w3d").is_ok());
        assert_eq!(found.library.stamp(Path::new("a.w3d")), None);
    }

    #[test]
    fn several_files_without_a_model_are_an_error() {
        let file = |name: &str| (name.to_owned(), Vec::new());
        assert!(Library::in_memory(vec![file("a.tga"), file("b.tga")]).is_err());
        assert!(Library::in_memory(vec![file("a.zip")]).is_err());
        assert!(Library::in_memory(vec![file("a.bin")]).is_ok(), "the reader says what is wrong with it");
    }
}
