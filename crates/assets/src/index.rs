//! Names that the models of a folder define. The index of a folder is built once, when it is first needed.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::{Contents, Files, Key};

/// The extensions of W3D files. The older ones are the same format (docs/formats/w3d/names.md#file-extensions).
const EXTENSIONS: [&str; 5] = ["w3d", "wlt", "wht", "wha", "wtm"];

/// Whether a file is a W3D model by its name. Collections of files with equal names append a suffix: `tank.W3D~fd8ca6a3`.
fn is_model(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let extension = extension.and_then(|extension| extension.split('~').next());
    extension.is_some_and(|it| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(it)))
}

/// An animation of a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    /// Its own name.
    pub name: Key,
    /// The file that holds it.
    pub path: PathBuf,
}

/// The names that the models of one folder define.
#[derive(Debug, Default)]
pub(crate) struct FolderIndex {
    folder: PathBuf,
    /// The names of the models; the other fields have indices into it.
    files: Vec<OsString>,
    skeletons: HashMap<Key, Vec<u32>>,
    /// By skeleton: each animation's name once, with the file that the engine would load.
    clips: HashMap<Key, BTreeMap<Key, u32>>,
    /// By `Hierarchy.Name`.
    animations: HashMap<Key, Vec<u32>>,
    objects: HashMap<Key, Vec<u32>>,
}

/// The kinds of named objects, each with its own namespace in the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A skeleton.
    Skeleton,
    /// An animation, `Hierarchy.Name`.
    Animation,
    /// Anything that can be drawn.
    Object,
}

impl FolderIndex {
    pub(crate) fn new(files: &dyn Files, folder: &Path) -> Self {
        let listing = files.list(folder);
        let mut index = Self { folder: folder.to_owned(), ..Self::default() };
        for name in listing.files().iter().filter(|name| is_model(&name.to_string_lossy())) {
            if let Some(contents) = Contents::read(files, &folder.join(name)) {
                index.add(name, &contents);
            }
        }
        index
    }

    fn add(&mut self, file: &OsStr, contents: &Contents) {
        let index = self.files.len() as u32;
        self.files.push(file.to_owned());
        let define = |names: &mut HashMap<Key, Vec<u32>>, name: &str| {
            let files = names.entry(Key::name(name)).or_default();
            if files.last() != Some(&index) {
                files.push(index);
            }
        };
        contents.skeletons.iter().for_each(|name| define(&mut self.skeletons, name));
        contents.objects.iter().for_each(|name| define(&mut self.objects, name));
        contents.morphs.iter().for_each(|name| define(&mut self.animations, name));
        for (skeleton, name) in &contents.animations {
            define(&mut self.animations, &format!("{skeleton}.{name}"));
            self.add_clip(Key::name(skeleton), Key::name(name), index);
        }
    }

    /// If several files have the same animation, the engine uses the one with its name, because it loads `H.N` from
    /// `N.w3d` (docs/formats/w3d/names.md#references-between-files); then the skeleton's file; then the first.
    fn add_clip(&mut self, skeleton: Key, name: Key, file: u32) {
        let rank = |file: u32| match Key::name(&self.files[file as usize].to_string_lossy()).stem() {
            stem if stem == name.as_str() => 0,
            stem if stem == skeleton.as_str() => 1,
            _ => 2,
        };
        let clips = self.clips.entry(skeleton.clone()).or_default();
        match clips.get_mut(&name) {
            Some(known) if rank(file) < rank(*known) => *known = file,
            Some(_) => {}
            None => drop(clips.insert(name, file)),
        }
    }

    fn path(&self, file: u32) -> PathBuf {
        self.folder.join(&self.files[file as usize])
    }

    /// The animations of a skeleton, each once.
    pub(crate) fn clips(&self, skeleton: &Key) -> impl Iterator<Item = Clip> {
        let clips = self.clips.get(skeleton).into_iter().flatten();
        clips.map(|(name, file)| Clip { name: name.clone(), path: self.path(*file) })
    }

    /// The files that define a name.
    pub(crate) fn definers(&self, named: Named, name: &Key) -> Definers<'_> {
        let names = match named {
            Named::Skeleton => &self.skeletons,
            Named::Animation => &self.animations,
            Named::Object => &self.objects,
        };
        Definers { index: self, files: names.get(name).map(Vec::as_slice).unwrap_or_default() }
    }
}

/// The files of one folder that define a name.
#[derive(Clone, Copy)]
pub(crate) struct Definers<'i> {
    index: &'i FolderIndex,
    files: &'i [u32],
}

impl<'i> Definers<'i> {
    pub(crate) fn len(self) -> usize {
        self.files.len()
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'i OsStr> {
        self.files.iter().map(move |file| self.index.files[*file as usize].as_os_str())
    }

    pub(crate) fn paths(self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(move |file| self.index.path(*file))
    }
}
