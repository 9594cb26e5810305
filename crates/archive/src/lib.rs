//! The archives of games as read by range: BIG, MIX, MPQ and ZIP.
//!
//! Opening an archive reads its table of contents and nothing else; a member is read when it is asked for. Sizes and counts in
//! a file are checked against the bytes that are there before memory is taken, and a member that would grow out of proportion is
//! an error. Names are compared as the games do: without regard to case, `/` and `\` alike.
//!
//! | kind | games | read | write |
//! |---|---|---|---|
//! | BIG (`BIGF`, `BIG4`) | Generals, Zero Hour, The Battle for Middle-earth | yes, with RefPack members | yes |
//! | MIX (`MIX1`) | Renegade; also `.dat`, `.dbs`, `.pkg` | yes | yes |
//! | MPQ | Warcraft III and its maps, World of Warcraft's alpha | versions 1 to 4, protected maps | version 1 |
//! | ZIP | mods | yes | no |
//!
//! ```
//! use meshwright_archive::{Archive, Changes, Content, Kind, NewMember, Source, create};
//!
//! let members = [
//!     NewMember { path: "art/w3d/tank.w3d".into(), content: Content::Bytes(b"model".to_vec()) },
//!     NewMember { path: "art/textures/tank.dds".into(), content: Content::Bytes(b"picture".to_vec()) },
//! ];
//! let mut file = std::io::Cursor::new(Vec::new());
//! create(Kind::Bigf, &members, &mut file)?;
//!
//! let archive = Archive::open(Source::from_bytes(file.into_inner()))?;
//! assert_eq!(archive.entries().len(), 2);
//! let tank = archive.find("Art/W3D/TANK.W3D").expect("it is there in any case");
//! assert_eq!(archive.read(&tank)?, b"model");
//!
//! // The same archive with one member changed.
//! let mut changes = Changes::default();
//! changes.put("art/w3d/tank.w3d", b"better model".to_vec());
//! let mut changed = std::io::Cursor::new(Vec::new());
//! archive.rewrite(&changes, &mut changed)?;
//! # Ok::<(), meshwright_archive::Error>(())
//! ```

mod big;
mod entry;
mod error;
mod kind;
mod mix;
mod mpq;
mod names;
mod path;
mod refpack;
mod rewrite;
mod source;
mod tree;
mod write;
mod zip;

use std::collections::HashMap;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use entry::{Entry, Limits};
pub use error::{Error, Result};
pub use kind::Kind;
pub use path::{key, safe_path};
pub use rewrite::Changes;
pub use source::Source;
pub use tree::Folder;
pub use write::{Content, NewMember, create, save};

use tree::Tree;

/// Archives inside archives are opened this deep.
pub const MAX_DEPTH: usize = 4;

/// Options for opening an archive.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names to try on members that the archive does not name; from list files of the user.
    pub names: Vec<String>,
    /// Limits for reading.
    pub limits: Limits,
}

#[derive(Debug)]
enum Table {
    Big(big::Table),
    Mix(mix::Table),
    Mpq(Box<mpq::Mpq>),
    Zip(zip::Table),
}

/// An open archive. It can be read from several threads at once.
#[derive(Debug)]
pub struct Archive {
    source: Source,
    kind: Kind,
    table: Table,
    limits: Limits,
    entries: OnceLock<Vec<Entry>>,
    index: OnceLock<HashMap<String, usize>>,
    tree: OnceLock<Tree>,
    /// The number of archives around this one.
    depth: usize,
    options: Options,
    /// The archives in it that were opened last.
    nested: Mutex<Vec<(u32, Arc<Archive>)>>,
}

/// Number of open archives that an archive keeps of those in it.
const NESTED_KEPT: usize = 4;

/// The target of a path into an archive.
#[derive(Clone, Debug)]
pub enum Located {
    /// A member; of the archive itself, or of one inside it.
    Member(Arc<Archive>, Entry),
    /// A folder, by its path in the archive. The empty path is that of the archive as a whole.
    Folder(Arc<Archive>, String),
}

impl Archive {
    /// Opens an archive. The first bytes determine its kind. Other files are searched for an embedded MPQ archive.
    pub fn open(source: Source) -> Result<Self> {
        Self::open_with(source, &Options::default())
    }

    /// Opens a file as an archive.
    pub fn open_path(path: impl AsRef<Path>) -> Result<Self> {
        Self::open(Source::open(path)?)
    }

    /// Opens an archive with given names and limits.
    pub fn open_with(source: Source, options: &Options) -> Result<Self> {
        let start = source.read_up_to(0, 8)?;
        let kind = Kind::of_start(&start).unwrap_or(Kind::Mpq);
        let names = || options.names.iter().map(|name| name.clone().into_bytes()).collect::<Vec<_>>();
        let table = match kind {
            Kind::Bigf | Kind::Big4 => Table::Big(big::Table::read(&source)?),
            Kind::Mix => Table::Mix(mix::Table::read(&source, &names())?),
            Kind::Mpq => Table::Mpq(Box::new(mpq::Mpq::read(&source, names())?)),
            Kind::Zip => Table::Zip(zip::Table::read(&source)?),
        };
        Ok(Self {
            source,
            kind,
            table,
            limits: options.limits,
            entries: OnceLock::new(),
            index: OnceLock::new(),
            tree: OnceLock::new(),
            depth: 0,
            options: options.clone(),
            nested: Mutex::default(),
        })
    }

    /// Opens an archive in this one. Archives are opened [`MAX_DEPTH`] deep, since one may contain itself.
    pub fn nested(&self, entry: &Entry) -> Result<Arc<Self>> {
        let opened = || self.nested.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, archive)) = opened().iter().find(|(id, _)| *id == entry.id) {
            return Ok(archive.clone());
        }
        if self.depth + 1 >= MAX_DEPTH {
            return Err(Error::limit(format!("archives in archives are opened {MAX_DEPTH} deep at most")));
        }
        let mut archive = Self::open_with(self.member(entry)?, &self.options)?;
        archive.depth = self.depth + 1;
        let archive = Arc::new(archive);
        let mut opened = opened();
        if opened.len() >= NESTED_KEPT {
            opened.remove(0);
        }
        opened.push((entry.id, archive.clone()));
        Ok(archive)
    }

    /// The target of a path, through nested archives if necessary. `None` if nothing exists at the path.
    ///
    /// A member that is an archive is itself a folder: `campaign.w3n/map1.w3x` leads to what is in the map.
    pub fn locate(self: &Arc<Self>, path: &str) -> Result<Option<Located>> {
        let path = path::clean(path);
        if path.is_empty() {
            return Ok(Some(Located::Folder(self.clone(), path)));
        }
        let is_archive = |part: &str| Kind::of_name(part).is_some();
        if let Some(entry) = self.find(&path) {
            if is_archive(&path)
                && let Ok(archive) = self.nested(&entry)
            {
                return Ok(Some(Located::Folder(archive, String::new())));
            }
            return Ok(Some(Located::Member(self.clone(), entry)));
        }
        for (at, _) in path.match_indices('/').filter(|(at, _)| is_archive(&path[..*at])) {
            if let Some(entry) = self.find(&path[..at]) {
                return self.nested(&entry)?.locate(&path[at + 1..]);
            }
        }
        Ok(self.folder(&path).map(|_| Located::Folder(self.clone(), path)))
    }

    /// A folder by its path, in any case and with either slash. The empty path is that of the archive as a whole.
    pub fn folder(&self, path: &str) -> Option<&Folder> {
        self.tree.get_or_init(|| Tree::new(self.entries())).folder(path)
    }

    /// Whether it was opened inside another archive.
    pub fn is_nested(&self) -> bool {
        self.depth > 0
    }

    /// Kind of the archive.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The bytes of the archive.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// All members, in the order of the archive.
    ///
    /// For an MPQ archive this finds the names of the members, once. If its own list lacks some, the members are searched for
    /// paths that fit.
    pub fn entries(&self) -> &[Entry] {
        self.entries.get_or_init(|| match &self.table {
            Table::Big(table) => table.entries(),
            Table::Mix(table) => table.entries(),
            Table::Mpq(mpq) => mpq.entries(&self.source, &self.limits),
            Table::Zip(table) => table.entries(),
        })
    }

    /// The member at a path, in any case and with either slash. Members without a listed name are found too. If several
    /// have the same path, the last one is returned, as in the games.
    pub fn find(&self, path: &str) -> Option<Entry> {
        let path = path::clean(path);
        if let Table::Mpq(mpq) = &self.table
            && let Some(entry) = mpq.find(&self.source, &path)
        {
            return Some(entry);
        }
        let entries = self.entries();
        let index = self.index.get_or_init(|| {
            let keys = entries.iter().enumerate().map(|(at, entry)| (path::key(&entry.path), at));
            keys.collect()
        });
        if let Some(&at) = index.get(&path.to_lowercase()) {
            return Some(entries[at].clone());
        }
        match &self.table {
            Table::Mix(table) => {
                let id = table.find(&path)?;
                Some(Entry { path, named: true, ..entries.get(id as usize)?.clone() })
            }
            _ => None,
        }
    }

    /// The content of a member, unpacked.
    pub fn read(&self, entry: &Entry) -> Result<Vec<u8>> {
        match &self.table {
            Table::Big(table) => {
                let bytes = self.range(table.range(entry.id), entry)?;
                if !refpack::is_packed(&bytes) {
                    return Ok(bytes);
                }
                // A texture or sound may start like RefPack by chance: it is then returned unchanged.
                match refpack::unpack(&bytes, self.limits.member) {
                    Ok(unpacked) => Ok(unpacked),
                    Err(error @ Error::Limit(_)) => Err(error),
                    Err(_) => Ok(bytes),
                }
            }
            Table::Mix(table) => self.range(table.range(entry.id), entry),
            Table::Mpq(mpq) => mpq.member(&self.source, entry, &self.limits),
            Table::Zip(table) => table.member(&self.source, entry.id, &self.limits),
        }
    }

    fn range(&self, range: Option<(u64, u64)>, entry: &Entry) -> Result<Vec<u8>> {
        let (offset, size) = range.ok_or_else(|| Error::NotFound(entry.path.clone()))?;
        self.limits.check(&entry.path, size, size)?;
        self.source.read(offset, size)
    }

    /// The content of a member as a separate source, for opening an archive in an archive. Nothing is copied if the
    /// member is stored uncompressed.
    pub fn member(&self, entry: &Entry) -> Result<Source> {
        let range = match &self.table {
            Table::Big(table) => table.range(entry.id),
            Table::Mix(table) => table.range(entry.id),
            Table::Zip(table) => table.stored(&self.source, entry.id)?,
            Table::Mpq(_) => None,
        };
        if let Some((offset, size)) = range {
            let part = self.source.slice(offset, size)?;
            if !refpack::is_packed(&part.read_up_to(0, 2)?) {
                return Ok(part);
            }
        }
        Ok(Source::from_bytes(self.read(entry)?))
    }

    /// Writes the archive again with some members changed. Without changes, a BIG or MIX archive is identical byte for
    /// byte; otherwise, everything else keeps its order. Changed members are not packed with RefPack.
    pub fn rewrite(&self, changes: &Changes, out: &mut (impl Write + Seek)) -> Result<()> {
        match &self.table {
            Table::Big(table) => table.plan(&self.source, changes)?.write(out),
            Table::Mix(table) => table.plan(&self.source, changes)?.write(out),
            Table::Mpq(mpq) => mpq.rewrite(&self.source, changes, out),
            Table::Zip(_) => Err(Error::unsupported("changing ZIP archives is not supported")),
        }
    }

    /// Replaces the archive at the path that it was opened from by one with some members changed, whole or not at all. Processes that do so
    /// at the same time wait for each other.
    ///
    /// # Errors
    /// [`Error::Changed`] if the file is no longer the one that was opened: the changes may be based on members that have changed since.
    pub fn replace(&self, path: &Path, changes: &Changes) -> Result<()> {
        let _lock = file::Lock::acquire(path)?;
        if !self.source.is_still(path)? {
            return Err(Error::Changed);
        }
        write::save(path, |out| self.rewrite(changes, out))
    }

    /// The first offset at which the archive would differ if it were rewritten without changes; `None` if it would be identical.
    pub fn first_difference(&self) -> Result<Option<u64>> {
        let changes = Changes::default();
        match &self.table {
            Table::Big(table) => table.plan(&self.source, &changes)?.first_difference(),
            Table::Mix(table) => table.plan(&self.source, &changes)?.first_difference(),
            // Unchanged members are copied.
            Table::Mpq(_) | Table::Zip(_) => Ok(None),
        }
    }

    /// Returns the first pair of members that overlap partly, which no valid archive has.
    pub fn overlap(&self) -> Option<(&Entry, &Entry)> {
        let mut entries: Vec<&Entry> = self.entries().iter().filter(|entry| entry.packed > 0).collect();
        entries.sort_by_key(|entry| (entry.offset, entry.packed));
        entries.dedup_by_key(|entry| (entry.offset, entry.packed));
        let pair =
            entries.windows(2).find(|pair| pair[0].offset.saturating_add(pair[0].packed) > pair[1].offset);
        pair.map(|pair| (pair[0], pair[1]))
    }
}

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
