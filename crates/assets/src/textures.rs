//! Search paths of the games for textures and for models named by path.

use std::path::{Path, PathBuf};

use model::Family;

use crate::resolver::{Lookup, above};
use crate::{Files, Key};

/// A texture or model that was found by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Its path.
    pub path: PathBuf,
    /// Whether the game finds it there. Warcraft III needs the path that the model gives, from the root of the map or mod; the W3D engines
    /// need `.dds` or `.tga`.
    pub expected: bool,
}

/// Extensions of textures, the best first. They stand for each other: a model that names `wood.tga` may get `wood.dds`.
pub const TEXTURE_EXTENSIONS: [&str; 8] = ["dds", "tga", "blp", "png", "jpg", "jpeg", "tif", "bmp"];

/// The extensions that the W3D engines look for.
const W3D_EXTENSIONS: [&str; 2] = ["dds", "tga"];

/// Folders at the top of Warcraft III's and World of Warcraft's data. The parent of such a folder is a root.
const GAME_FOLDERS: [&str; 22] = [
    "abilities",
    "buildings",
    "character",
    "creature",
    "doodads",
    "environment",
    "fonts",
    "interface",
    "item",
    "objects",
    "particles",
    "portraits",
    "replaceabletextures",
    "sharedfx",
    "sharedmodels",
    "splats",
    "spells",
    "terrainart",
    "textures",
    "ui",
    "units",
    "war3mapimported",
];

/// The folder of imported files at the root of a map.
const IMPORTED: &str = "war3mapImported";

/// Number of folders, the model's own first, in which imported files are searched. Folders further up may be long.
const MAX_TO_LOOK_INTO: usize = 4;

/// The number of folders above a model whose names may mark the root.
const MAX_ABOVE: usize = 16;

/// The folders of a path, the model's own first: path, and name in lower case.
fn ancestors(files: &dyn Files, folder: &Path) -> Vec<(PathBuf, String)> {
    let absolute = files.absolute(folder);
    let names = absolute.components().rev().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(name.to_string_lossy().to_lowercase()),
        _ => None,
    });
    let paths = std::iter::successors(Some(folder.to_owned()), |folder| Some(above(folder)));
    paths.zip(names).take(MAX_ABOVE).collect()
}

/// A folder below another one, whose parts are compared without regard to case.
fn descend<'p>(files: &dyn Files, top: &Path, parts: impl IntoIterator<Item = &'p str>) -> Option<PathBuf> {
    parts.into_iter().try_fold(top.to_owned(), |folder, part| files.folder(&folder, part))
}

/// A file name as written, without its folders.
fn written_name(path: &str) -> &str {
    path.trim().rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Splits a file name before its extension.
fn split(name: &str) -> (&str, Option<&str>) {
    name.rsplit_once('.').map_or((name, None), |(stem, extension)| (stem, Some(extension)))
}

impl Lookup<'_> {
    /// The file of a texture that a model names.
    ///
    /// The extension is not decisive. The W3D engines prefer `.dds` to `.tga` whatever the model says; Reforged uses
    /// `.dds` for `.tif`. For MDX the named file is best, if it exists. W3X models name an id, which a declaration in an `.xml` file gives a
    /// file.
    pub fn texture(&self, name: &str, family: Family) -> Option<Located> {
        let (stem, extension) = split(written_name(name));
        if stem.is_empty() {
            return None;
        }
        let named = extension.filter(|extension| {
            family == Family::Mdx
                && TEXTURE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
        });
        let mut names: Vec<String> = named.map(|it| format!("{stem}.{it}")).into_iter().collect();
        names.extend(TEXTURE_EXTENSIONS.iter().map(|format| format!("{stem}.{format}")));
        match family {
            Family::W3d => self.w3d_texture(&Key::path(name), &names),
            Family::W3x => self.declared_texture(name).or_else(|| self.w3d_texture(&Key::path(name), &names)),
            _ => self.by_path(&Key::path(name), &names),
        }
    }

    /// The file of a model that an MDX model names by path. The game loads `.mdx` for `.mdl`.
    pub fn model_at(&self, path: &str) -> Option<Located> {
        let (stem, extension) = split(written_name(path));
        let names: Vec<String> = match extension.map(str::to_lowercase).as_deref() {
            Some("mdl" | "mdx") => vec![format!("{stem}.mdx"), format!("{stem}.mdl")],
            _ => vec![written_name(path).to_owned()],
        };
        if stem.is_empty() { None } else { self.by_path(&Key::path(path), &names) }
    }

    /// W3D models name textures without folders, and the engines find them in any folder.
    fn w3d_texture(&self, key: &Key, names: &[String]) -> Option<Located> {
        let files = self.files();
        let tops = self.folder().into_iter().chain(self.resolver.texture_roots());
        let has_folders = key.folders().next().is_some();
        // Some models of mods contain a path nevertheless.
        let mut by_path = tops.filter(|_| has_folders).filter_map(|top| descend(files, top, key.folders()));
        let found = by_path
            .find_map(|folder| files.find(&folder, names))
            .or_else(|| self.w3d_folders(key).find_map(|folder| files.find(&folder, names)))
            .or_else(|| self.texture_below_roots(names));
        found.map(|path| {
            let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
            // Collections of files with equal names append a suffix to the extension.
            let is_read =
                |known: &&str| extension.as_ref().is_some_and(|it| it.split('~').next() == Some(known));
            let expected = W3D_EXTENSIONS.iter().any(is_read);
            Located { path, expected }
        })
    }

    /// The folders around a model that hold textures.
    fn w3d_folders<'l>(&'l self, texture: &'l Key) -> impl Iterator<Item = PathBuf> + 'l {
        let files = self.files();
        let own = self.folder().into_iter();
        own.clone().map(Path::to_owned).chain(own.flat_map(move |folder| {
            // `art/w3d/xx/model.w3d` has its textures in `art/textures` and `art/compiledtextures/xx`.
            let art = ancestors(files, folder).into_iter().find_map(|(path, name)| match &*name {
                "w3d" => Some(above(&path)),
                "art" => Some(path),
                _ => None,
            });
            let letters = texture.stem().get(..2).unwrap_or_default().to_owned();
            let in_art = art.into_iter().flat_map(move |art| {
                let textures = descend(files, &art, ["textures"]);
                let compiled = descend(files, &art, ["compiledtextures"]);
                let within = [&compiled, &textures].map(|top| {
                    let top = top.as_ref().filter(|_| !letters.is_empty())?;
                    descend(files, top, [letters.as_str()])
                });
                let [compiled_letters, textures_letters] = within;
                [textures, compiled_letters, compiled, textures_letters].into_iter().flatten()
            });
            let around = [folder.to_owned(), above(folder)].into_iter();
            in_art.chain(around.filter_map(move |top| files.folder(&top, "textures")))
        }))
    }

    fn texture_below_roots(&self, names: &[String]) -> Option<PathBuf> {
        names.iter().find_map(|name| self.below_roots(name, |_| true).next())
    }

    /// The roots for paths of Warcraft III.
    fn path_roots(&self) -> Vec<PathBuf> {
        let mut roots = Vec::new();
        if let Some(folder) = self.folder() {
            let ancestors = ancestors(self.files(), folder);
            // The outermost: `units/textures` is below the root of `units`.
            let known = ancestors.iter().rfind(|(_, name)| GAME_FOLDERS.contains(&name.as_str()));
            match known {
                Some((path, _)) => roots.push(above(path)),
                // The map's folder, or any folder between the model and the folder that the user named.
                None => {
                    let within =
                        |path: &Path| self.resolver.texture_roots().any(|root| path.starts_with(root));
                    roots.push(folder.to_owned());
                    let further = ancestors.iter().skip(1).map(|(path, _)| path.clone());
                    roots.extend(further.take_while(|path| within(path)));
                }
            }
            // The root of a map contains its imported files.
            let near = ancestors.iter().map(|(path, _)| path).take(MAX_TO_LOOK_INTO);
            roots.extend(near.filter(|path| self.files().folder(path, IMPORTED).is_some()).cloned());
        }
        roots.extend(self.resolver.texture_roots().map(Path::to_owned));
        roots
    }

    /// A file at a path below a root, otherwise a file of that name anywhere.
    fn by_path(&self, key: &Key, names: &[String]) -> Option<Located> {
        let files = self.files();
        let at_path = self.path_roots().into_iter().find_map(|root| {
            let folder = descend(files, &root, key.folders())?;
            files.find(&folder, names)
        });
        if let Some(path) = at_path {
            return Some(Located { path, expected: true });
        }
        let beside = self.folder().and_then(|folder| {
            let below = descend(files, folder, key.folders()).filter(|_| key.folders().next().is_some());
            below.and_then(|folder| files.find(&folder, names)).or_else(|| files.find(folder, names))
        });
        let path = beside.or_else(|| self.texture_below_roots(names))?;
        Some(Located { path, expected: false })
    }
}

impl crate::Resolver {
    /// The folders that were added, in which textures are searched.
    fn texture_roots(&self) -> impl Iterator<Item = &Path> {
        self.roots(|_| true).map(|root| root.folder.as_path())
    }
}
