//! Finding textures as the games do: by stem, in any case, compressed ones first.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::folders::Folders;

/// What a texture may be kept as, the best first. Games put `.dds` before `.tga` whatever the model says.
const EXTENSIONS: [&str; 6] = ["dds", "tga", "blp", "png", "jpg", "jpeg"];

/// Where textures are looked for besides the model's own folder.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    folders: Vec<PathBuf>,
    /// Files below these folders by their names in lower case, the first folder's first.
    by_name: HashMap<String, PathBuf>,
}

impl Textures {
    /// Looks through folders and all below them.
    pub(crate) fn below(folders: &[PathBuf]) -> Self {
        let mut by_name = HashMap::new();
        folders.iter().for_each(|folder| index(folder, &mut by_name));
        Self { folders: folders.to_owned(), by_name }
    }

    /// The file of a texture that a model names: at that path below the model's folder or one of the others, or else under
    /// its mere name.
    pub(crate) fn find(&self, name: &str, model: Option<&Path>, known: &Folders) -> Option<PathBuf> {
        // Models say `Textures\wood.blp`, and some the path on their artist's disk.
        let name = name.trim().to_lowercase().replace('\\', "/");
        let mut parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
        let file = parts.pop()?;
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let files: Vec<String> = EXTENSIONS.iter().map(|extension| format!("{stem}.{extension}")).collect();
        let beside = model.and_then(Path::parent);
        if !parts.is_empty() {
            for top in beside.into_iter().chain(self.folders.iter().map(PathBuf::as_path)) {
                let Some(folder) = known.descend(top, parts.iter().copied()) else { continue };
                let listing = known.list(&folder);
                if let Some(found) = files.iter().find_map(|file| listing.find(file)) {
                    return Some(found.to_owned());
                }
            }
        }
        if let Some(beside) = beside {
            let listing = known.list(beside);
            if let Some(found) = files.iter().find_map(|file| listing.find(file)) {
                return Some(found.to_owned());
            }
        }
        files.iter().find_map(|file| self.by_name.get(file)).cloned()
    }
}

fn index(folder: &Path, by_name: &mut HashMap<String, PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> =
        entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect();
    entries.sort_by(|(left, _), (right, _)| left.cmp(right));
    for (path, file_type) in entries {
        if file_type.is_dir() {
            index(&path, by_name);
            continue;
        }
        let Some(name) = path.file_name() else { continue };
        let name = name.to_string_lossy().to_lowercase();
        if name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension)) {
            by_name.entry(name).or_insert(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_before_names_and_dds_before_tga() {
        let top = tempfile::tempdir().expect("a temporary folder can be made");
        let put = |path: &str| {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().expect("it is in the folder")).expect("folders can be made");
            fs::write(&path, b"").expect("files can be written");
            path
        };
        let model = put("models/tank.w3d");
        let beside = put("models/Wood.TGA");
        let path = put("art/Textures/Stone.blp");
        let first = put("art/a/Stone.dds");
        let compressed = put("art/z/Iron.dds");
        put("art/a/iron.tga");
        let textures = Textures::below(&[top.path().join("art")]);
        let known = Folders::default();
        let find = |name: &str| textures.find(name, Some(&model), &known);
        assert_eq!(find("wood.dds"), Some(beside.clone()));
        assert_eq!(find("C:\\art\\WOOD.tga"), Some(beside));
        assert_eq!(find("textures\\stone.blp"), Some(path));
        assert_eq!(find("stone.blp"), Some(first));
        assert_eq!(find("iron.tga"), Some(compressed));
        assert_eq!(find("gold.tga"), None);
        assert_eq!(find(""), None);
        assert_eq!(find("..\\"), None);
    }
}
