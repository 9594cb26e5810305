//! The inputs: files, folders, archives with their members, lists, and shards of them.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use meshwright::assets::{self, Archives, EntryKind};
use meshwright::{Walked, is_model_name, other_content, walk};

use crate::hash::{file_id, id_of};

/// One input. It has exactly one row in `files`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Its address in the catalog.
    pub uri: String,
    /// Where it is read.
    pub path: PathBuf,
    /// Path of the archive that contains it, and its path in the archive.
    pub member: Option<(String, String)>,
    /// Size and time of the file on disk: its own, or that of its archive.
    pub stat: Option<Stat>,
    /// Version of the content, as a list states it.
    pub etag: Option<String>,
    /// Why it cannot be read, if that is known already.
    pub problem: Option<String>,
}

/// Size and time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in milliseconds since 1970.
    pub mtime: i64,
}

impl Stat {
    /// Of a file on disk.
    pub fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        let mtime = found.modified().ok().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis),
        });
        Some(Self { size: found.len(), mtime })
    }
}

impl Input {
    /// A file on disk.
    pub fn file(path: &Path) -> Self {
        Self { uri: uri(path), path: path.to_owned(), stat: Stat::of(path), ..Self::default() }
    }

    /// A path that leads nowhere.
    fn lost(path: &Path, problem: impl Into<String>) -> Self {
        Self { problem: Some(problem.into()), ..Self::file(path) }
    }

    /// Its `file_id`.
    pub fn file_id(&self) -> String {
        file_id(&self.uri)
    }

    /// The address of the file on disk: its own, or that of its archive.
    pub(crate) fn container(&self) -> &str {
        self.member.as_ref().map_or(&self.uri, |(archive, _)| archive)
    }
}

/// The address of a path: its text with `/`. Bytes that are not UTF-8 are escaped, so that different paths have different addresses.
pub fn uri(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// One of several shards that together have every input once. The shard of an input follows from its address alone, so it stays the same when
/// other files come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// The number of shards.
    pub count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, count: 1 }
    }
}

impl Shard {
    /// Reads `3/16`.
    ///
    /// ```
    /// use meshwright_catalog::Shard;
    /// assert_eq!(Shard::parse("3/16"), Ok(Shard { number: 3, count: 16 }));
    /// assert!(Shard::parse("0/4").is_err() && Shard::parse("5/4").is_err() && Shard::parse("4").is_err());
    /// ```
    ///
    /// # Errors
    /// If it is not two numbers, or the first is not from 1 to the second.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some(Self { number: number.trim().parse().ok()?, count: count.trim().parse().ok()? })
        });
        match numbers {
            Some(shard) if (1..=shard.count).contains(&shard.number) && shard.count <= 99_999 => Ok(shard),
            _ => Err("expected I/N with I from 1 to N, such as 3/16".to_owned()),
        }
    }

    /// Whether an address belongs to it.
    pub fn has(self, uri: &str) -> bool {
        self.has_id(&id_of(uri))
    }

    pub(crate) fn has_id(self, id: &[u8; 16]) -> bool {
        let mut start = [0; 8];
        start.copy_from_slice(&id[..8]);
        self.count <= 1 || u64::from_le_bytes(start) % u64::from(self.count) + 1 == u64::from(self.number)
    }
}

/// Finds the inputs of paths, one after the other. Folders are searched for models and archives, archives for models. Nothing is kept, so
/// memory does not depend on their number; a folder is sorted by name.
#[derive(Debug)]
pub struct Finder<'f, N> {
    /// Makes the file system through which a folder or an archive is listed. It is dropped afterwards.
    new_files: &'f N,
}

impl<'f, N: Fn() -> std::sync::Arc<Archives>> Finder<'f, N> {
    /// Lists through these files.
    pub const fn new(new_files: &'f N) -> Self {
        Self { new_files }
    }

    /// Calls `take` for every input of a path, until it returns false. The result says whether it went to the end.
    pub fn find(&self, path: &Path, take: &mut dyn FnMut(Input) -> bool) -> bool {
        let files = (self.new_files)();
        let Some(found) = files.resolve(path) else {
            return take(Input::lost(path, "no such file or folder"));
        };
        if found.is_dir() {
            return self.folder(&found, &found, take);
        }
        if is_archive(&found) && found.is_file() {
            return self.archive(&found, take);
        }
        if files.kind(&found) == Some(EntryKind::Folder) {
            return members(&files, &found, take);
        }
        take(in_archive(&files, &found).unwrap_or_else(|| Input::file(&found)))
    }

    /// Calls `take` for every line of a list: a path, and after a tab an etag. Every path is an input of its own; folders and archives are
    /// searched.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn list(&self, list: impl BufRead, take: &mut dyn FnMut(Input) -> bool) -> io::Result<bool> {
        for line in list.lines() {
            let line = line?;
            let (path, etag) =
                line.split_once('\t').map_or((line.as_str(), None), |(path, etag)| (path, Some(etag)));
            if path.is_empty() {
                continue;
            }
            let mut take = |input: Input| take(Input { etag: etag.map(str::to_owned), ..input });
            // A plain file needs no file system of its own.
            let path = Path::new(path);
            let goes_on = match Stat::of(path) {
                Some(stat) if path.is_file() && !is_archive(path) => take(Input {
                    uri: uri(path),
                    path: path.to_owned(),
                    stat: Some(stat),
                    ..Input::default()
                }),
                _ => self.find(path, &mut take),
            };
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn folder(&self, top: &Path, folder: &Path, take: &mut dyn FnMut(Input) -> bool) -> bool {
        let files = (self.new_files)();
        files.folders().allow(top);
        let listing = match files.try_list(folder) {
            Ok(listing) => listing,
            Err(error) => return take(Input::lost(folder, error.kind.to_string())),
        };
        let names = listing.files().iter().map(|name| (name.as_os_str(), false));
        let mut entries: Vec<(&OsStr, bool)> =
            names.chain(listing.folders().map(|name| (name, true))).collect();
        entries.sort_unstable();
        entries.into_iter().all(|(name, is_folder)| {
            let path = folder.join(name);
            if is_folder {
                return self.folder(top, &path, take);
            }
            if is_archive(&path) {
                return self.archive(&path, take);
            }
            let is_wanted = is_model_name(&name.to_string_lossy()) && other_content(&files, &path).is_none();
            !is_wanted || take(Input::file(&path))
        })
    }

    /// An archive and its members.
    fn archive(&self, path: &Path, take: &mut dyn FnMut(Input) -> bool) -> bool {
        let files = (self.new_files)();
        take(Input::file(path)) && (files.open(path).is_err() || members(&files, path, take))
    }
}

/// Whether a file has the name of an archive and does not start like a text: the models of later games, which are XML, share an extension with
/// the maps of Warcraft III.
pub(crate) fn is_archive(path: &Path) -> bool {
    let is_text = |path: &Path| {
        let start = meshwright::file::read_start(path, 4).map(|start| start.bytes).unwrap_or_default();
        start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).starts_with(b"<")
    };
    assets::is_archive(path) && !is_text(path)
}

/// The models in an archive, or in a folder of one.
fn members(files: &Archives, folder: &Path, take: &mut dyn FnMut(Input) -> bool) -> bool {
    let mut goes_on = true;
    walk(files, folder, &is_model_name, &|path| other_content(files, path), &mut |walked| {
        // The walk cannot be stopped, but what it finds is ignored.
        let input = match walked {
            Walked::File(path) => in_archive(files, &path).unwrap_or_else(|| Input::file(&path)),
            Walked::Failed(path, error) => Input::lost(&path, error.to_string()),
            Walked::Skipped(..) => return,
        };
        goes_on = goes_on && take(input);
    });
    goes_on
}

fn in_archive(files: &Archives, path: &Path) -> Option<Input> {
    let (archive, _, inner) = files.archive_of(path)?;
    Some(Input {
        uri: uri(path),
        path: path.to_owned(),
        member: Some((uri(&archive), inner.replace('\\', "/"))),
        stat: Stat::of(&archive),
        ..Input::default()
    })
}
