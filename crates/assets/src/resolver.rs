//! Search for files that a model refers to.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use record::zerocopy::IntoBytes;
use w3d::W3d;
use w3d::records::Pivot;

use crate::asset_dat::{self, AssetIndex};
use crate::documents::{Documents, Shared};
use crate::index::{Clip, FolderIndex, Named};
use crate::once::OncePerKey;
use crate::stock::{StockKind, is_stock};
use crate::tree::{Purpose, Root, Tree};
use crate::{Contents, Error, ErrorKind, Files, Key, Reference, w3d_references};

/// Finds the files that models refer to, by the rules of their games. One serves all models of a run, and all threads.
///
/// ```
/// use meshwright_assets::{Family, Memory, Resolver};
/// let mut files = Memory::default();
/// files.add("art/w3d/mwcrate.w3d", w3d::sample::crate_box());
/// files.add("art/textures/MWCrate.dds", *b"DDS ");
/// let resolver = Resolver::new(files);
/// let search = resolver.lookup("art/w3d/mwcrate.w3d".as_ref());
/// let texture = search.texture("mwcrate.tga", Family::W3d).unwrap();
/// assert_eq!(texture.path.to_str(), Some("art/textures/MWCrate.dds"));
/// ```
pub struct Resolver {
    files: Arc<dyn Files>,
    roots: Vec<Root>,
    given: Vec<Found>,
    given_w3x: Vec<(PathBuf, Arc<w3x::W3x<'static>>)>,
    indexes: OncePerKey<PathBuf, Arc<FolderIndex>>,
    documents: Documents,
    pivots: OncePerKey<(PathBuf, Key), Pivots>,
    assets: OncePerKey<PathBuf, Arc<crate::w3x::AssetIndex>>,
    installed: OnceLock<AssetIndex>,
}

/// A W3D file that was searched for.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub document: Shared,
}

/// The bones of a skeleton.
#[derive(Clone, Debug)]
pub enum Pivots {
    /// The skeleton was not found.
    Missing,
    /// Several files define it differently, and none of them is nearer than the others.
    Ambiguous,
    /// The bones, the root first.
    One(Arc<[Pivot]>),
}

/// The files that belong to a W3D model.
#[derive(Clone, Debug, Default)]
pub struct Companions {
    /// Skeletons, animations, models that the model is made of: each file once, the nearest first.
    pub documents: Vec<Shared>,
    /// The paths of `documents`, in the same order.
    pub paths: Vec<PathBuf>,
    /// Skeletons and models that were not found.
    pub missing: Vec<Reference>,
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver").field("roots", &self.roots).finish_non_exhaustive()
    }
}

impl Resolver {
    /// Searches these files.
    pub fn new(files: impl Files + 'static) -> Self {
        Self::shared(Arc::new(files))
    }

    /// Searches shared files.
    pub fn shared(files: Arc<dyn Files>) -> Self {
        Self {
            files,
            roots: Vec::new(),
            given: Vec::new(),
            given_w3x: Vec::new(),
            indexes: OncePerKey::default(),
            documents: Documents::default(),
            pivots: OncePerKey::default(),
            assets: OncePerKey::default(),
            installed: OnceLock::new(),
        }
    }

    /// Adds a folder that the user works on: textures, skeletons and models are searched in it and below it.
    pub fn add_folder(&mut self, folder: &Path) {
        self.add_root(folder, Purpose::Inputs);
    }

    /// Adds a folder that is searched for textures, with everything below it.
    pub fn add_textures(&mut self, folder: &Path) {
        self.add_root(folder, Purpose::Textures);
    }

    /// Adds a folder of companions: it is searched, with everything below it, before the model's own folder, and for animations.
    pub fn add_companions(&mut self, folder: &Path) {
        self.add_root(folder, Purpose::Companions);
    }

    fn add_root(&mut self, folder: &Path, purpose: Purpose) {
        if !self.roots.iter().any(|root| root.folder == folder && root.purpose == purpose) {
            self.roots.push(Root::new(folder, purpose));
        }
    }

    /// Adds a W3D file on request of the user. Its contents have priority over everything that is found.
    pub fn add_file(&mut self, path: &Path) -> Result<(), Error> {
        let content = |error| Error::new(path, ErrorKind::Content(error));
        let bytes = self.files.read(path)?;
        let document = W3d::parse(&bytes).map_err(content)?.into_owned();
        self.add_document(path, document);
        Ok(())
    }

    /// Adds a W3D document on request of the user, as [`add_file`](Self::add_file) does.
    pub fn add_document(&mut self, path: &Path, document: W3d<'static>) {
        self.given.push(Found { path: path.to_owned(), document: Arc::new(document) });
    }

    /// Adds a W3X document on request of the user. Its contents have priority over everything that is found.
    pub fn add_w3x(&mut self, path: &Path, document: w3x::W3x<'static>) {
        self.given_w3x.push((path.to_owned(), Arc::new(document)));
    }

    /// The W3X files that the user asked for.
    pub fn given_w3x(&self) -> &[(PathBuf, Arc<w3x::W3x<'static>>)] {
        &self.given_w3x
    }

    /// The files that the user asked for.
    pub fn given(&self) -> &[Found] {
        &self.given
    }

    /// The files that are searched.
    pub fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// A search on behalf of the model at this path.
    pub fn lookup<'r>(&'r self, model: &'r Path) -> Lookup<'r> {
        Lookup { resolver: self, model: Some(model) }
    }

    /// A search for a model that has no path, such as one from standard input: only added files and folders are searched.
    pub fn lookup_anywhere(&self) -> Lookup<'_> {
        Lookup { resolver: self, model: None }
    }

    pub(crate) fn roots(&self, wanted: fn(Purpose) -> bool) -> impl Iterator<Item = &Root> {
        self.roots.iter().filter(move |root| wanted(root.purpose))
    }

    /// The names in the indexes of installed games: files `asset.dat` at the top of folders that were added.
    fn installed(&self) -> &AssetIndex {
        self.installed.get_or_init(|| {
            let mut index = AssetIndex::default();
            let names = [asset_dat::FILE_NAME.to_owned()];
            for root in self.roots(|purpose| purpose == Purpose::Inputs) {
                let found = self.files.find(&root.folder, &names);
                if let Some(bytes) = found.and_then(|path| self.files.read(&path).ok()) {
                    index.add(&bytes);
                }
            }
            index
        })
    }

    fn index(&self, folder: &Path) -> Arc<FolderIndex> {
        self.indexes.get_or_init(folder, || Arc::new(FolderIndex::new(self.files(), folder)))
    }

    /// The ids that the W3X files of a folder define.
    pub(crate) fn assets_of(&self, folder: &Path) -> Arc<crate::w3x::AssetIndex> {
        self.assets.get_or_init(folder, || Arc::new(crate::w3x::AssetIndex::new(self.files(), folder)))
    }

    fn document(&self, path: PathBuf) -> Option<Found> {
        let document = self.documents.get(self.files(), &path)?;
        Some(Found { path, document })
    }
}

/// A search on behalf of one model.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'r> {
    pub(crate) resolver: &'r Resolver,
    model: Option<&'r Path>,
}

/// The folder above another one.
pub(crate) fn above(folder: &Path) -> PathBuf {
    match folder.components().next_back() {
        Some(std::path::Component::Normal(_)) => folder.parent().unwrap_or(Path::new("")).to_owned(),
        None | Some(std::path::Component::CurDir) => PathBuf::from(".."),
        _ => folder.join(".."),
    }
}

fn has_skeleton(document: &W3d<'_>, name: &Key) -> bool {
    document.hierarchies().any(|skeleton| Key::name(&skeleton.name()) == *name)
}

fn has_object(document: &W3d<'_>, name: &Key) -> bool {
    Contents::of(document).objects.iter().any(|object| Key::name(object) == *name)
}

impl<'r> Lookup<'r> {
    pub(crate) fn files(&self) -> &'r dyn Files {
        self.resolver.files()
    }

    /// The model's path.
    pub(crate) const fn model_path(&self) -> Option<&'r Path> {
        self.model
    }

    /// The model's folder.
    pub(crate) fn folder(&self) -> Option<&'r Path> {
        self.model.and_then(Path::parent)
    }

    /// Whether a game supplies a file that a model refers to, so that it is not missing: it is in the table of [`stock`](crate::stock)
    /// names, or in the `asset.dat` of an installed game or a mod that was added as a folder.
    pub fn is_supplied(&self, game: model::Game, kind: StockKind, name: &str) -> bool {
        is_stock(game, kind, name) || model::Games::W3D.has(game) && self.resolver.installed().has(kind, name)
    }

    /// The files of a name below the roots, the nearest first.
    pub(crate) fn below_roots(
        &self,
        name: &str,
        wanted: fn(Purpose) -> bool,
    ) -> impl Iterator<Item = PathBuf> {
        let mut roots: Vec<&Root> = self.resolver.roots(wanted).collect();
        // The root that contains the model comes first.
        let outside = |root: &&Root| !self.folder().is_some_and(|folder| folder.starts_with(&root.folder));
        roots.sort_by_key(outside);
        let (files, from) = (self.files(), self.folder());
        roots.into_iter().flat_map(move |root| root.tree(files).nearest(files, name, from))
    }

    /// The folders in which the engines look for a W3D file, the nearest first.
    fn model_folders(&self, file: &str) -> Vec<PathBuf> {
        let Some(folder) = self.folder() else { return Vec::new() };
        let parent = above(folder);
        let mut folders = vec![folder.to_owned()];
        // BFME II keeps a file in the folder that has the first two letters of its name.
        if let Some(letters) = file.get(..2) {
            let own = self.files().absolute(folder);
            let own = own.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            let sibling = (own.chars().count() == 2).then_some(parent.as_path());
            let below = (own == "w3d").then_some(folder);
            let tops = [sibling, below].into_iter().flatten();
            folders.extend(tops.filter_map(|top| self.files().folder(top, letters)));
        }
        folders.push(parent);
        folders
    }

    /// The first file with one of these names that has the wanted content.
    fn by_file_name(&self, names: &[String], has: impl Fn(&W3d<'_>) -> bool) -> Option<Found> {
        let found = |path: PathBuf| {
            let is_own = Some(path.as_path()) == self.model;
            self.resolver.document(path).filter(|found| !is_own && has(&found.document))
        };
        let below = |wanted: fn(Purpose) -> bool| {
            names.iter().flat_map(|name| self.below_roots(name, wanted)).find_map(found)
        };
        if let Some(found) = below(|purpose| purpose == Purpose::Companions) {
            return Some(found);
        }
        let stem = names.first().map_or("", String::as_str);
        for folder in self.model_folders(stem) {
            let here = names.iter().filter_map(|name| self.files().find(&folder, std::slice::from_ref(name)));
            if let Some(found) = here.into_iter().find_map(found) {
                return Some(found);
            }
        }
        below(|purpose| purpose == Purpose::Inputs)
    }

    /// The folders whose contents are searched by name: the model's own and those of companions.
    fn indexed_folders(&self) -> impl Iterator<Item = PathBuf> {
        let companions = self.resolver.roots(|purpose| purpose == Purpose::Companions);
        let trees = companions.map(|root| root.tree(self.files()));
        let below = trees.flat_map(|tree: &Tree| tree.folders.iter().cloned());
        below.chain(self.folder().map(Path::to_owned))
    }

    /// The file that holds a skeleton.
    ///
    /// A skeleton `H` is in `H.w3d`, `H_skl.w3d` or `H.wht`, or in any file of the model's folder.
    pub fn skeleton(&self, name: &str) -> Option<Found> {
        let key = Key::name(name);
        let has = |document: &W3d<'_>| has_skeleton(document, &key);
        let given = self.resolver.given.iter().find(|found| has(&found.document));
        let name = name.trim_end();
        let names = [format!("{name}.w3d"), format!("{name}_skl.w3d"), format!("{name}.wht")];
        given.cloned().or_else(|| self.by_file_name(&names, has)).or_else(|| {
            self.indexed_folders().find_map(|folder| {
                let index = self.resolver.index(&folder);
                let path = index.definers(Named::Skeleton, &key).paths().next()?;
                self.resolver.document(path)
            })
        })
    }

    /// The bones of a skeleton.
    pub fn pivots(&self, name: &str) -> Pivots {
        let folder = self.folder().map(Path::to_owned).unwrap_or_default();
        self.resolver.pivots.get_or_init(&(folder, Key::name(name)), || self.pivots_now(name))
    }

    fn pivots_now(&self, name: &str) -> Pivots {
        let key = Key::name(name);
        let pivots_in = |found: &Found| {
            let skeleton =
                found.document.hierarchies().find(|skeleton| Key::name(&skeleton.name()) == key)?;
            Some(skeleton.pivots().to_vec())
        };
        let Some(found) = self.skeleton(name) else { return Pivots::Missing };
        let Some(pivots) = pivots_in(&found) else { return Pivots::Missing };
        let differs = |path: PathBuf| {
            let other = self.resolver.document(path).and_then(|found| pivots_in(&found));
            other.is_some_and(|other| other.as_bytes() != pivots.as_bytes())
        };
        if self.rivals(&found.path, &key).into_iter().any(differs) {
            return Pivots::Ambiguous;
        }
        Pivots::One(pivots.into())
    }

    /// The files that may define the same skeleton with the same priority as the one that was found.
    fn rivals(&self, found: &Path, skeleton: &Key) -> Vec<PathBuf> {
        if self.resolver.given.iter().any(|given| given.path == found) {
            return Vec::new();
        }
        let folder = found.parent().unwrap_or(Path::new(""));
        let name = found.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let stem = Key::path(&name).stem().to_owned();
        if stem != skeleton.as_str() && stem != format!("{skeleton}_skl") {
            // A file of another name: any file of its folder may be meant.
            return self.resolver.index(folder).definers(Named::Skeleton, skeleton).paths().collect();
        }
        // The engine loads the file of the right name, unless it is one of several below a root.
        let is_near = self.model_folders(&name).iter().any(|near| near == folder);
        let below = || self.below_roots(&name, |purpose| purpose != Purpose::Textures).collect();
        if is_near { Vec::new() } else { below() }
    }

    /// The animations of a skeleton in other files than the model's own, each name once.
    ///
    /// They are in files of the companions, of the model's folder, or of the folder that holds the skeleton, whatever these
    /// files are called.
    pub fn animations(&self, skeleton: &str) -> Vec<Clip> {
        let found = self.skeleton(skeleton);
        self.animations_in(skeleton, found.as_ref().and_then(|found| found.path.parent()))
    }

    /// The animations of a skeleton in the files of the companions, of the model's folder, and of one more folder.
    fn animations_in(&self, skeleton: &str, beside: Option<&Path>) -> Vec<Clip> {
        let (mut clips, mut known, mut searched) = (Vec::new(), HashSet::new(), HashSet::new());
        let key = Key::name(skeleton);
        for folder in self.indexed_folders().chain(beside.map(Path::to_owned)) {
            if searched.insert(folder.clone()) {
                let index = self.resolver.index(&folder);
                clips.extend(index.clips(&key).filter(|clip| known.insert(clip.name.clone())));
            }
        }
        clips
    }

    /// The W3D file that holds an object or model: `A.B` and `A` are in `A.w3d`.
    pub fn model(&self, name: &str) -> Option<Found> {
        let key = Key::name(name);
        let has = |document: &W3d<'_>| has_object(document, &key);
        let given = self.resolver.given.iter().find(|found| has(&found.document));
        let container = name.trim_end().split('.').next().unwrap_or_default();
        let names = [format!("{container}.w3d"), format!("{container}.wtm")];
        given.cloned().or_else(|| self.by_file_name(&names, has))
    }

    /// Whether an object of this name exists, in any file of the model's folder or where the engines would load it from.
    pub fn has(&self, named: Named, name: &str) -> bool {
        let key = Key::name(name);
        let in_folder = |folder: PathBuf| self.resolver.index(&folder).definers(named, &key).len() > 0;
        if self.indexed_folders().any(in_folder) {
            return true;
        }
        match named {
            Named::Skeleton => self.skeleton(name).is_some(),
            Named::Object => self.model(name).is_some(),
            Named::Animation => {
                let (skeleton, own) = name.split_once('.').unwrap_or((name, ""));
                let own = Key::name(own);
                self.animations(skeleton).iter().any(|clip| clip.name == own)
            }
        }
    }

    /// The names of the files in the model's folder that define a name: the first `most`, and the number of all.
    pub fn definers(&self, named: Named, name: &str, most: usize) -> (Vec<String>, usize) {
        let Some(folder) = self.folder() else { return (Vec::new(), 0) };
        let index = self.resolver.index(folder);
        let definers = index.definers(named, &Key::name(name));
        (
            definers.names().take(most).map(|name| name.to_string_lossy().into_owned()).collect(),
            definers.len(),
        )
    }

    /// The files that belong to a W3D model: its skeletons and their animations, the models that it consists of, and
    /// their references in turn. Files that were given are not included.
    pub fn companions(&self, file: &W3d<'_>) -> Companions {
        let mut companions = Companions::default();
        let mut loaded: HashSet<PathBuf> =
            self.resolver.given.iter().map(|found| found.path.clone()).collect();
        loaded.extend(self.model.map(Path::to_owned));
        let given = self.resolver.given.iter().map(|found| &*found.document);
        let own: HashSet<(Key, Key)> = std::iter::once(file)
            .chain(given)
            .flat_map(W3d::animations)
            .map(|animation| (Key::name(&animation.hierarchy_name()), Key::name(&animation.name())))
            .collect();
        let mut wanted = VecDeque::from(w3d_references(file));
        let mut asked: HashSet<Reference> = wanted.iter().cloned().collect();
        while let Some(reference) = wanted.pop_front() {
            let found = match &reference {
                Reference::Texture(_) => continue,
                Reference::Animations(skeleton) => {
                    let key = Key::name(skeleton);
                    let clips = match has_skeleton(file, &key) {
                        true => self.animations_in(skeleton, None),
                        false => self.animations(skeleton),
                    };
                    // An animation in the model's own file or in a given one has priority.
                    let clips = clips.into_iter();
                    let clips = clips.filter(|clip| !own.contains(&(key.clone(), clip.name.clone())));
                    for clip in clips {
                        if loaded.insert(clip.path.clone())
                            && let Some(found) = self.resolver.document(clip.path)
                        {
                            companions.paths.push(found.path);
                            companions.documents.push(found.document);
                        }
                    }
                    continue;
                }
                Reference::Skeleton(name) => self.skeleton(name),
                Reference::Model(name) => self.model(name),
            };
            let Some(found) = found else {
                companions.missing.push(reference);
                continue;
            };
            if !loaded.insert(found.path.clone()) {
                continue;
            }
            if matches!(reference, Reference::Model(_)) {
                let more = w3d_references(&found.document).into_iter();
                let more = more.filter(|it| !matches!(it, Reference::Animations(_)));
                wanted.extend(more.filter(|it| asked.insert(it.clone())));
            }
            companions.paths.push(found.path);
            companions.documents.push(found.document);
        }
        companions
    }
}
