//! The file system with archives as folders, and installed games as one tree.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use archive::{Archive, Kind, Located, Options, Source};

use crate::files::{EntryKind, Files, Listing, Start};
use crate::game::Game;
use crate::{Error, ErrorKind, Folders};

/// The file system with archives as folders: `maps/duel.w3x/war3mapImported/tank.mdx` is a file in an archive.
///
/// A path is followed until a part of it is an archive; what is left is looked for in there, without regard to case and with
/// either slash. An archive may be in an archive. A game that is [mounted](Self::mount) is one tree: at a path below its folder are
/// its loose files and the members of all its archives, by the game's own order.
///
/// ```
/// use archive::{Content, Kind, NewMember};
/// use meshwright_assets::{Archives, Files};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("game.big");
/// let content = Content::Bytes(b"model".to_vec());
/// let members = [NewMember { path: "Art/W3D/Tank.w3d".into(), content }];
/// archive::save(&path, |out| archive::create(Kind::Bigf, &members, out))?;
///
/// let files = Archives::default();
/// assert_eq!(files.read(&path.join("art/w3d/tank.w3d"))?, b"model");
/// assert_eq!(files.list(&path.join("ART")).folder("w3d").unwrap(), "W3D");
///
/// files.mount(&[folder.path().to_owned()])?;
/// assert_eq!(files.read(&folder.path().join("art/w3d/tank.w3d"))?, b"model");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Archives {
    folders: Folders,
    options: Options,
    opened: RwLock<HashMap<PathBuf, Opened>>,
    listings: RwLock<HashMap<PathBuf, Arc<Listing>>>,
    game: RwLock<Option<Arc<Game>>>,
}

/// An archive, or why it could not be opened.
type Opened = Result<Arc<Archive>, Arc<archive::Error>>;

/// A position in an archive.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The file on disk that is the outermost archive.
    pub file: PathBuf,
    /// The target of the path in it.
    pub located: Located,
}

impl Archives {
    /// Reads folders through this.
    pub fn new(folders: Folders) -> Self {
        let limits = archive::Limits { member: folders.largest(), ..archive::Limits::default() };
        Self { folders, options: Options { limits, ..Options::default() }, ..Self::default() }
    }

    /// Tries these names on members that their archive does not name.
    #[must_use]
    pub fn names(self, names: Vec<String>) -> Self {
        Self { options: Options { names, ..self.options }, ..self }
    }

    /// The folders on disk.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// Mounts an installed game. Several folders may be given, with decreasing priority: a mod, an expansion, the game.
    ///
    /// All are then one tree below the first folder.
    pub fn mount(&self, folders: &[PathBuf]) -> Result<Arc<Game>, Error> {
        let game = Arc::new(Game::open(folders, |path| self.open(path))?);
        *self.game.write().unwrap_or_else(PoisonError::into_inner) = Some(game.clone());
        Ok(game)
    }

    /// The game that is mounted.
    pub fn game(&self) -> Option<Arc<Game>> {
        self.game.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens a file as an archive, once.
    pub fn open(&self, path: &Path) -> Result<Arc<Archive>, Error> {
        let failed = |error: &Arc<archive::Error>| Error::new(path, ErrorKind::Archive(error.clone()));
        let known = self.opened.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        let opened = known.unwrap_or_else(|| {
            let source = Source::open(path).map_err(archive::Error::from);
            let opened = source.and_then(|source| Archive::open_with(source, &self.options));
            let opened = opened.map(Arc::new).map_err(Arc::new);
            let mut all = self.opened.write().unwrap_or_else(PoisonError::into_inner);
            all.entry(path.to_owned()).or_insert(opened).clone()
        });
        opened.map_err(|error| failed(&error))
    }

    /// The position in an archive that a path leads to; `None` if the path does not lead into an archive, or leads
    /// nowhere.
    ///
    /// The path of an archive itself leads to the archive as a folder.
    pub fn inside(&self, path: &Path) -> Result<Option<Inside>, Error> {
        let Some((file, rest)) = split(path) else { return Ok(None) };
        let archive = self.open(&file)?;
        let located =
            archive.locate(&rest).map_err(|error| Error::new(path, ErrorKind::Archive(Arc::new(error))))?;
        Ok(located.map(|located| Inside { file, located }))
    }

    /// The kind of a path; `None` if nothing exists there. An archive is a folder.
    pub fn kind(&self, path: &Path) -> Option<EntryKind> {
        if let Ok(found) = fs::metadata(path) {
            if found.is_dir() {
                return Some(EntryKind::Folder);
            }
            let is_archive = is_archive(path) && self.open(path).is_ok();
            return Some(if is_archive { EntryKind::Folder } else { EntryKind::File });
        }
        match self.inside(path) {
            Ok(Some(Inside { located: Located::Member(..), .. })) => return Some(EntryKind::File),
            Ok(Some(Inside { located: Located::Folder(..), .. })) => return Some(EntryKind::Folder),
            Ok(None) | Err(_) => {}
        }
        let game = self.game()?;
        let rest = game.below(path)?;
        game.find(&rest)
            .map(|_| EntryKind::File)
            .or_else(|| game.has_folder(&rest).then_some(EntryKind::Folder))
    }

    /// The path at which a file or folder is found: unchanged, with the other slashes, or below the mounted game.
    pub fn resolve(&self, path: &Path) -> Option<PathBuf> {
        if self.kind(path).is_some() {
            return Some(path.to_owned());
        }
        let turned = path
            .to_str()
            .filter(|text| text.contains('\\'))
            .map(|text| PathBuf::from(text.replace('\\', "/")));
        if let Some(turned) = turned.filter(|turned| self.kind(turned).is_some()) {
            return Some(turned);
        }
        let game = self.game().filter(|_| path.is_relative())?;
        let text = path.to_str()?;
        game.starts().map(|start| game.folder().join(start)).find_map(|start| self.descend(&start, text))
    }

    /// A path below a folder, whose parts are compared without regard to case.
    fn descend(&self, top: &Path, path: &str) -> Option<PathBuf> {
        let parts: Vec<&str> =
            path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
        let (last, folders) = parts.split_last()?;
        let folder = folders.iter().try_fold(top.to_owned(), |folder, part| self.folder(&folder, part))?;
        let listing = self.list(&folder);
        let name = listing.file(last).or_else(|| listing.folder(last))?;
        Some(folder.join(name))
    }

    /// Lists a folder or an archive. The error says why it cannot be listed.
    pub fn try_list(&self, folder: &Path) -> Result<Arc<Listing>, Error> {
        if self.is_plain(folder) {
            return self.folders.try_list(folder);
        }
        self.inside(folder)?;
        Ok(self.list(folder))
    }

    /// The archive on disk that a path leads into, whether or not the path exists.
    pub fn archive_of(&self, path: &Path) -> Option<(PathBuf, Arc<Archive>, String)> {
        let (file, rest) = split(path)?;
        let archive = self.open(&file).ok()?;
        Some((file, archive, rest))
    }

    /// Whether a folder is only on disk, without archives.
    fn is_plain(&self, folder: &Path) -> bool {
        split(folder).is_none() && self.game().is_none_or(|game| game.below(folder).is_none())
    }

    /// Every file below a folder, and in the archives of an archive, sorted by path. Archives in folders on disk stay closed.
    pub fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let in_archive = matches!(self.inside(folder), Ok(Some(_)));
        let mut left = vec![folder.to_owned()];
        while let Some(folder) = left.pop() {
            let listing = self.list(&folder);
            left.extend(listing.folders().map(|name| folder.join(name)));
            for path in listing.files().iter().map(|name| folder.join(name)) {
                if in_archive && is_archive(&path) && self.kind(&path) == Some(EntryKind::Folder) {
                    left.push(path);
                } else {
                    found.push(path);
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn listing(&self, folder: &Path) -> Listing {
        if let Ok(Some(Inside { located: Located::Folder(archive, path), .. })) = self.inside(folder) {
            let found = archive.folder(&path);
            let files = found.iter().flat_map(|found| found.files());
            let files = files.map(|(name, _)| (name.to_owned().into(), EntryKind::File));
            let folders = found.iter().flat_map(|found| found.folders());
            let folders = folders.map(|name| (name.to_owned().into(), EntryKind::Folder));
            return Listing::new(folder, files.chain(folders).collect::<Vec<_>>());
        }
        let Some((game, rest)) = self.game().and_then(|game| game.below(folder).map(|rest| (game, rest)))
        else {
            return Listing::default();
        };
        // Loose files have priority. Of names that differ only in case, one is listed.
        let mut entries: BTreeMap<String, (String, EntryKind)> = BTreeMap::new();
        let mut add = |name: &str, kind: EntryKind| {
            entries.entry(name.to_lowercase()).or_insert_with(|| (name.to_owned(), kind));
        };
        let loose = self.folders.list(folder);
        for name in loose.files() {
            add(&name.to_string_lossy(), EntryKind::File);
        }
        for name in loose.folders() {
            add(&name.to_string_lossy(), EntryKind::Folder);
        }
        game.list(&rest, &mut add);
        Listing::new(
            folder,
            entries.into_values().map(|(name, kind)| (name.into(), kind)).collect::<Vec<_>>(),
        )
    }
}

/// Whether a path has the name of an archive.
pub fn is_archive(path: &Path) -> bool {
    path.file_name().is_some_and(|name| Kind::of_name(&name.to_string_lossy()).is_some())
}

/// Splits a path after the first part that is an archive on disk.
fn split(path: &Path) -> Option<(PathBuf, String)> {
    // The name is tested first: a system call for every part of every path would cost more than reading a model.
    let mut named: Vec<&Path> = path.ancestors().filter(|part| is_archive(part)).collect();
    while let Some(outermost) = named.pop() {
        if fs::metadata(outermost).is_ok_and(|found| found.is_file()) {
            let rest = path.strip_prefix(outermost).ok()?;
            return Some((outermost.to_owned(), rest.to_str()?.to_owned()));
        }
    }
    None
}

impl Files for Archives {
    fn list(&self, folder: &Path) -> Arc<Listing> {
        if self.is_plain(folder) {
            return self.folders.list(folder);
        }
        let known = self.listings.read().unwrap_or_else(PoisonError::into_inner).get(folder).cloned();
        known.unwrap_or_else(|| {
            let listing = Arc::new(self.listing(folder));
            let mut all = self.listings.write().unwrap_or_else(PoisonError::into_inner);
            all.entry(folder.to_owned()).or_insert(listing).clone()
        })
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, Error> {
        let failed = |error| Error::new(file, ErrorKind::Archive(Arc::new(error)));
        // A file that only has the name of an archive is read as a plain file.
        let is_below = split(file).is_some_and(|(_, inner)| !inner.is_empty());
        if is_below
            && let Some(Inside { located: Located::Member(archive, entry), .. }) = self.inside(file)?
        {
            return archive.read(&entry).map_err(failed);
        }
        let error = match self.folders.read(file) {
            Err(error) if matches!(error.kind, ErrorKind::NotFound) => error,
            done => return done,
        };
        let game = self.game().and_then(|game| game.below(file).map(|rest| (game, rest)));
        match game.and_then(|(game, rest)| game.find(&rest)) {
            Some(found) => found.archive.read(&found.entry).map_err(failed),
            None => Err(error),
        }
    }

    fn read_start(&self, file: &Path, len: usize) -> Result<Start, Error> {
        let is_plain = file.parent().is_some_and(|folder| self.is_plain(folder));
        if is_plain {
            return self.folders.read_start(file, len);
        }
        let mut bytes = self.read(file)?;
        let total = bytes.len() as u64;
        bytes.truncate(len);
        Ok(Start { bytes, total })
    }

    fn find(&self, folder: &Path, names: &[String]) -> Option<PathBuf> {
        match self.is_plain(folder) {
            true => self.folders.find(folder, names),
            false => self.list(folder).find(names),
        }
    }

    fn folder(&self, above: &Path, name: &str) -> Option<PathBuf> {
        match self.is_plain(above) {
            true => self.folders.folder(above, name),
            false => self.list(above).folder(name).map(|name| above.join(name)),
        }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.folders.absolute(path)
    }
}
