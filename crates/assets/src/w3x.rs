//! W3X: assets refer to each other by id, within one type and in any case. Files rarely include what they refer to, so a folder has an index of
//! the ids of its files, which is built once.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::Kind;
use w3x::view::{ConstantValue, SubObjectKind};
use w3x::{W3x, kinds};

use crate::resolver::above;
use crate::tree::Purpose;
use crate::{Files, Located, Lookup, Reference};

/// Maximum number of files that are read for one model.
const MAX_COMPANIONS: usize = 2_000;

/// The type and the id of an asset, in lower case.
type AssetKey = (&'static str, String);

/// The assets that the files of one folder define.
#[derive(Debug, Default)]
pub(crate) struct AssetIndex {
    /// The file of each asset; the first one that defines it.
    files: HashMap<AssetKey, PathBuf>,
    /// The files with animations of each hierarchy, each once.
    animations: HashMap<String, Vec<PathBuf>>,
    /// The file name of each texture that is declared.
    textures: HashMap<String, String>,
}

impl AssetIndex {
    pub(crate) fn new(files: &dyn Files, folder: &Path) -> Self {
        let mut index = Self::default();
        for name in files.list(folder).files() {
            if !is_declaration(&name.to_string_lossy()) {
                continue;
            }
            let path = folder.join(name);
            let Ok(bytes) = files.read(&path) else { continue };
            if !W3x::is_like(&bytes) {
                continue;
            }
            if let Ok(file) = W3x::parse(&bytes) {
                index.add(&file, &path);
            }
        }
        index
    }

    fn add(&mut self, file: &W3x<'_>, path: &Path) {
        for asset in file.assets() {
            let Some(id) = asset.attribute(&kinds::ID) else { continue };
            let key = (asset.node().kind.name, id.to_lowercase());
            self.files.entry(key).or_insert_with(|| path.to_owned());
        }
        for animation in file.animations() {
            let paths = self.animations.entry(animation.hierarchy().to_lowercase()).or_default();
            if paths.last().is_none_or(|last| last != path) {
                paths.push(path.to_owned());
            }
        }
        for texture in file.textures() {
            if let Some(file) = texture.file() {
                self.textures.entry(texture.id().to_lowercase()).or_insert(file.into_owned());
            }
        }
    }
}

/// Whether a file may declare assets, by its name. Collections of files with equal names append a suffix: `tank.w3x~fd8ca6a3`.
fn is_declaration(name: &str) -> bool {
    let extension = name.rsplit_once('.').and_then(|(_, extension)| extension.split('~').next());
    extension.is_some_and(|it| ["w3x", "xml"].iter().any(|known| known.eq_ignore_ascii_case(it)))
}

/// The files that belong to a W3X model.
#[derive(Clone, Debug, Default)]
pub struct W3xCompanions {
    /// Hierarchies, meshes, boxes and animations in other files, and included files: each file once.
    pub documents: Vec<Arc<W3x<'static>>>,
    /// The paths of `documents`, in the same order.
    pub paths: Vec<PathBuf>,
    /// What was not found, besides textures.
    pub missing: Vec<Reference>,
}

/// What a W3X document refers to by id, each once: hierarchies and meshes that it does not hold itself, the animations of its hierarchies, and
/// textures.
///
/// ```
/// use meshwright_assets::{Reference, w3x_references};
/// let bytes = w3x::sample::tank();
/// let wanted = [Reference::Animations("MWTANK_SKL".into()), Reference::Texture("MWTank".into())];
/// assert_eq!(w3x_references(&w3x::W3x::parse(&bytes)?), wanted);
/// # Ok::<(), record::Error>(())
/// ```
pub fn w3x_references(file: &W3x<'_>) -> Vec<Reference> {
    let mut inside: HashSet<AssetKey> = HashSet::new();
    for asset in file.assets() {
        if let Some(id) = asset.attribute(&kinds::ID) {
            inside.insert((asset.node().kind.name, id.to_lowercase()));
        }
    }
    let lacks =
        |kind: &'static Kind, id: &str| !id.is_empty() && !inside.contains(&(kind.name, id.to_lowercase()));
    let mut found = Vec::new();
    for container in file.containers() {
        let hierarchy = container.hierarchy();
        if lacks(&kinds::W3D_HIERARCHY, &hierarchy) {
            found.push(Reference::Skeleton(hierarchy.clone().into_owned()));
        }
        found.push(Reference::Animations(hierarchy.into_owned()));
        for (kind, id) in container.sub_objects().filter_map(|object| object.target()) {
            let kind = match kind {
                SubObjectKind::Mesh => &kinds::W3D_MESH,
                SubObjectKind::CollisionBox => &kinds::W3D_COLLISION_BOX,
            };
            if lacks(kind, &id) {
                found.push(Reference::Model(id.into_owned()));
            }
        }
    }
    for animation in file.animations() {
        let hierarchy = animation.hierarchy();
        if lacks(&kinds::W3D_HIERARCHY, &hierarchy) {
            found.push(Reference::Skeleton(hierarchy.into_owned()));
        }
    }
    if file.containers().next().is_none() && file.animations().next().is_none() {
        found.extend(file.hierarchies().map(|hierarchy| Reference::Animations(hierarchy.id().into_owned())));
    }
    for shader in file.meshes().filter_map(|mesh| mesh.shader()) {
        for constant in shader.constants() {
            if let ConstantValue::Texture(id) = constant.value() {
                found.push(Reference::Texture(id));
            }
        }
    }
    let mut known = HashSet::new();
    found.retain(|reference| {
        !reference.name().is_empty()
            && known.insert((std::mem::discriminant(reference), reference.name().to_lowercase()))
    });
    found
}

impl Lookup<'_> {
    /// The folders whose ids are searched, the nearest first: the model's own, those below the roots.
    fn asset_folders(&self) -> Vec<PathBuf> {
        let files = self.files();
        let roots = |wanted: fn(Purpose) -> bool| {
            let trees = self.resolver.roots(wanted).map(|root| root.tree(files));
            trees.flat_map(|tree| tree.folders.iter().cloned())
        };
        let mut folders: Vec<PathBuf> = roots(|purpose| purpose == Purpose::Companions).collect();
        folders.extend(self.folder().map(Path::to_owned));
        folders.extend(roots(|purpose| purpose != Purpose::Companions));
        let mut known = HashSet::new();
        folders.retain(|folder| known.insert(folder.clone()));
        folders
    }

    /// The folder with the first two letters of a name, beside the model's own folder of two letters, as `ART:` means it.
    fn letters_folder(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder()?;
        let own = self.files().absolute(folder);
        let has_letters = own.file_name().is_some_and(|name| name.to_string_lossy().chars().count() == 2);
        let letters = name.get(..2).filter(|_| has_letters)?;
        self.files().folder(&above(folder), letters)
    }

    /// The file that defines an asset.
    fn asset(&self, kind: &'static Kind, id: &str) -> Option<PathBuf> {
        let key = (kind.name, id.to_lowercase());
        let in_folder = |folder: &Path| self.resolver.assets_of(folder).files.get(&key).cloned();
        let own = self.folder().and_then(in_folder);
        own.or_else(|| self.letters_folder(id).and_then(|folder| in_folder(&folder)))
            .or_else(|| self.asset_folders().iter().find_map(|folder| in_folder(folder)))
    }

    /// The file that has a hierarchy, or a mesh or collision box, of this id.
    pub fn w3x_asset(&self, is_hierarchy: bool, id: &str) -> Option<PathBuf> {
        if is_hierarchy {
            return self.asset(&kinds::W3D_HIERARCHY, id);
        }
        self.asset(&kinds::W3D_MESH, id).or_else(|| self.asset(&kinds::W3D_COLLISION_BOX, id))
    }

    /// The file that a W3X model includes: `ART:x.w3x`, or relative to the folder of the model.
    ///
    /// `ART:x.w3x` is beside the model, in the folder of its first two letters, or anywhere below the added folders.
    pub fn included(&self, source: &str) -> Option<PathBuf> {
        let (alias, path) = source.split_once(':').unwrap_or(("", source));
        let mut parts: Vec<&str> =
            path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
        let name = parts.pop()?.to_owned();
        let names = [name.clone()];
        let files = self.files();
        let below = |top: &Path| {
            let folder = parts.iter().try_fold(top.to_owned(), |folder, part| match *part {
                ".." => Some(above(&folder)),
                part => files.folder(&folder, part),
            });
            folder.and_then(|folder| files.find(&folder, &names))
        };
        let beside = self.folder().and_then(below);
        if alias.is_empty() {
            return beside;
        }
        let in_letters = || self.letters_folder(&name).and_then(|folder| files.find(&folder, &names));
        beside.or_else(in_letters).or_else(|| self.below_roots(&name, |_| true).next())
    }

    /// The files that a W3X model needs: hierarchies, meshes, boxes and animations by id, and what it includes.
    pub fn w3x_companions(&self, file: &W3x<'_>) -> W3xCompanions {
        let mut companions = W3xCompanions::default();
        let mut known: HashSet<PathBuf> = self.model_path().map(Path::to_owned).into_iter().collect();
        let mut queue: VecDeque<PathBuf> = VecDeque::new();
        self.wanted(file, true, &mut queue, &mut companions.missing);
        while let Some(path) = queue.pop_front() {
            if companions.paths.len() >= MAX_COMPANIONS {
                break;
            }
            if !known.insert(path.clone()) {
                continue;
            }
            let Ok(bytes) = self.files().read(&path) else { continue };
            let Some(document) = W3x::parse(&bytes).ok().filter(|_| W3x::is_like(&bytes)) else { continue };
            let document = document.into_owned();
            self.wanted(&document, false, &mut queue, &mut companions.missing);
            companions.documents.push(Arc::new(document));
            companions.paths.push(path);
        }
        companions
    }

    /// Adds the files that a document refers to. Animations are wanted for the model itself only.
    fn wanted(
        &self,
        file: &W3x<'_>,
        is_model: bool,
        queue: &mut VecDeque<PathBuf>,
        missing: &mut Vec<Reference>,
    ) {
        for reference in w3x_references(file) {
            let found = match &reference {
                Reference::Skeleton(id) => self.asset(&kinds::W3D_HIERARCHY, id),
                Reference::Model(id) => self.w3x_asset(false, id),
                Reference::Animations(id) => {
                    if is_model {
                        queue.extend(self.animation_files(id));
                    }
                    continue;
                }
                Reference::Texture(_) => continue,
            };
            match found {
                Some(path) => queue.push_back(path),
                None if is_model => missing.push(reference),
                None => {}
            }
        }
        if is_model {
            queue.extend(file.includes().filter_map(|include| self.included(&include.source())));
        }
    }

    /// The files with animations of a hierarchy: in the model's folder, the hierarchy's, and those of companions.
    fn animation_files(&self, hierarchy: &str) -> Vec<PathBuf> {
        let key = hierarchy.to_lowercase();
        let companions = self.resolver.roots(|purpose| purpose == Purpose::Companions);
        let mut folders: Vec<PathBuf> =
            companions.flat_map(|root| root.tree(self.files()).folders.iter().cloned()).collect();
        folders.extend(self.folder().map(Path::to_owned));
        let definer = self.asset(&kinds::W3D_HIERARCHY, hierarchy);
        folders.extend(definer.and_then(|path| path.parent().map(Path::to_owned)));
        let mut known = HashSet::new();
        folders.retain(|folder| known.insert(folder.clone()));
        let files = |folder: &PathBuf| {
            self.resolver.assets_of(folder).animations.get(&key).cloned().unwrap_or_default()
        };
        folders.iter().flat_map(files).collect()
    }

    /// The file of a texture by its id, through its declaration, which names the file.
    pub(crate) fn declared_texture(&self, id: &str) -> Option<Located> {
        let declaration = self.asset(&kinds::TEXTURE, id)?;
        let folder = declaration.parent().unwrap_or(Path::new(""));
        let index = self.resolver.assets_of(folder);
        let file = index.textures.get(&id.to_lowercase())?;
        let name = file.rsplit(['/', '\\', ':']).next().unwrap_or(file).to_owned();
        let names = [name];
        let beside = self.files().find(folder, &names);
        let path = beside.or_else(|| self.below_roots(&names[0], |_| true).next())?;
        Some(Located { path, expected: true })
    }
}
