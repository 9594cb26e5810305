//! A run: inputs in, parts out.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use meshwright::Workspace;
use meshwright::assets::Archives;

use crate::hash::{Hasher, content, id_of};
use crate::input::{Finder, Input, Shard, Stat};
use crate::parts::{PartFolder, PartFormat, PartName, read_table};
use crate::queue;
use crate::rows::{Rows, Value};
use crate::scan::{Scanner, TOOL_VERSION};
use crate::schema::{SCHEMA_VERSION, Table, schema_json};

/// Inputs of one part, unless it is set: what an interrupted run does again at most.
pub const PART_SIZE: usize = 4096;

/// How a catalog is made.
#[derive(Clone, Debug)]
pub struct CatalogOptions {
    /// The folder of the catalog.
    pub folder: PathBuf,
    /// The format of its parts.
    pub format: PartFormat,
    /// The inputs that belong to this run.
    pub shard: Shard,
    /// Inputs of one part.
    pub part_size: usize,
    /// Number of threads that read files.
    pub jobs: usize,
    /// The start of the run in milliseconds since 1970; the time of all its rows.
    pub scanned_at: i64,
    /// An earlier catalog: only what is new, changed or gone since then gets rows.
    pub since: Option<PathBuf>,
    /// Compare files with the earlier catalog by their content instead of size and time.
    pub by_hash: bool,
    /// Whatever else changes rows, such as folders that are searched: parts that were made with other settings are made again.
    pub settings: String,
}

impl CatalogOptions {
    /// The usual options for a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            format: PartFormat::default(),
            shard: Shard::default(),
            part_size: PART_SIZE,
            jobs: thread::available_parallelism().map_or(1, std::num::NonZero::get),
            scanned_at: now(),
            since: None,
            by_hash: false,
            settings: String::new(),
        }
    }
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Where the inputs come from.
#[derive(Default)]
pub struct Inputs {
    /// Files, folders and archives.
    pub paths: Vec<PathBuf>,
    /// A list of them, one on each line.
    pub list: Option<Box<dyn BufRead + Send>>,
}

impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inputs").field("paths", &self.paths).finish_non_exhaustive()
    }
}

/// Where files are read, for one part. It is made anew for each, so that what it remembers does not grow with the number of files.
#[derive(Debug)]
pub struct Place {
    /// The files and the search.
    pub workspace: Workspace,
    /// The file system of the workspace.
    pub files: Arc<Archives>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Inputs of this shard.
    pub inputs: u64,
    /// Inputs that have new rows.
    pub scanned: u64,
    /// Inputs in parts that were there already.
    pub kept: u64,
    /// Inputs that are as in the earlier catalog.
    pub unchanged: u64,
    /// Files of the earlier catalog that are gone.
    pub gone: u64,
    /// Scanned inputs that are damaged.
    pub damaged: u64,
    /// Scanned inputs that cannot be read.
    pub unreadable: u64,
    /// Rows that were written, by table in the order of [`Table::ALL`].
    pub rows: [u64; Table::ALL.len()],
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// Tells a program how far a run is.
pub trait Observer: Sync {
    /// So many further inputs are done.
    fn done(&self, inputs: u64);

    /// An input cannot be read.
    fn unreadable(&self, _uri: &str, _error: &str) {}

    /// Whether the run is to stop. The part that it works on is then dropped; the parts before it are complete.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
impl Observer for () {
    fn done(&self, _inputs: u64) {}
}

/// Makes a catalog, or the parts of one shard.
///
/// ```
/// use std::sync::Arc;
/// use meshwright::{Workspace, assets::Archives};
/// use meshwright_catalog::{CatalogOptions, Inputs, Place, make_catalog};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("mwcrate.w3d"), meshwright::w3d::sample::crate_box())?;
/// let new_place = || {
///     let files = Arc::new(Archives::default());
///     Place { workspace: Workspace::new(files.clone()), files }
/// };
/// let inputs = Inputs { paths: vec![folder.path().join("mwcrate.w3d")], list: None };
/// let options = CatalogOptions::new(folder.path().join("catalog"));
/// let summary = make_catalog(inputs, &options, &new_place, &())?;
/// assert_eq!((summary.inputs, summary.scanned), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the folder cannot be written, the earlier catalog or the list cannot be read, or the folder has parts of other shards.
pub fn make_catalog(
    inputs: Inputs,
    options: &CatalogOptions,
    new_place: &(dyn Fn() -> Place + Sync),
    observer: &dyn Observer,
) -> io::Result<RunSummary> {
    let parts = PartFolder::new(&options.folder, options.format);
    check_folder(&parts, options)?;
    parts.create()?;
    let schema = format!("{:#}\n", schema_json());
    meshwright::file::write(&options.folder.join("schema.json"), schema.as_bytes())?;
    parts.remove_incomplete(options.shard)?;
    let known = match &options.since {
        Some(since) => Some(Known::read(since, options)?),
        None => None,
    };
    let mut run =
        Run { options, parts, known, observer, new_place, summary: RunSummary::default(), index: 0 };
    let leaving = AtomicBool::new(false);
    let (sender, receiver) = sync_channel::<Input>(1024);
    thread::scope(|scope| {
        let lister = scope.spawn(|| {
            let sender = sender;
            let new_files = || new_place().files;
            let mut take = |input: Input| {
                let is_wanted = options.shard.has(&input.uri);
                !leaving.load(Ordering::Relaxed) && (!is_wanted || sender.send(input).is_ok())
            };
            find_all(inputs, &Finder::new(&new_files), &mut take)
        });
        let done = run.all(&receiver);
        leaving.store(true, Ordering::Relaxed);
        drop(receiver);
        let listed =
            lister.join().unwrap_or_else(|_| Err(io::Error::other("the search for files ended early")));
        // Gone is what the list does not have; an incomplete list would make everything gone.
        done.and(listed.map(|_| ()))
    })?;
    run.end()?;
    Ok(run.summary)
}

/// The rows of paths and of files in memory, in this order. Folders and archives are searched; a file that cannot be read has a row like any
/// other. `None` if it was stopped.
///
/// ```
/// use std::sync::Arc;
/// use meshwright::{Workspace, assets::Archives};
/// use meshwright_catalog::{Place, Table, scan_all};
///
/// let files = Arc::new(Archives::default());
/// let place = Place { workspace: Workspace::new(files.clone()), files };
/// let models = [("crate.w3d", meshwright::w3d::sample::crate_box()), ("bad.w3d", vec![0])];
/// let rows = scan_all(place, &[], &models, 1, 0, &|| false)?.expect("nobody stops it");
/// assert_eq!((rows.of(Table::Files).len(), rows.of(Table::Meshes).len()), (2, 2));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If no thread can be started.
pub fn scan_all<B: AsRef<[u8]> + Sync>(
    place: Place,
    paths: &[PathBuf],
    memory: &[(impl AsRef<str> + Sync, B)],
    jobs: usize,
    scanned_at: i64,
    is_stopped: &dyn Fn() -> bool,
) -> io::Result<Option<Rows>> {
    let files = place.files.clone();
    let new_files = || files.clone();
    let mut items: Vec<(Input, Option<&[u8]>)> = Vec::new();
    let inputs = Inputs { paths: paths.to_vec(), list: None };
    find_all(inputs, &Finder::new(&new_files), &mut |input| {
        items.push((input, None));
        !is_stopped()
    })?;
    items.extend(memory.iter().map(|(uri, bytes)| {
        (Input { uri: uri.as_ref().to_owned(), ..Input::default() }, Some(bytes.as_ref()))
    }));
    let scanner = Scanner::new(place.workspace, scanned_at);
    let work = |(input, bytes): &(Input, Option<&[u8]>)| match bytes {
        Some(bytes) => scanner.scan_bytes(input, Ok(bytes)),
        None => scanner.scan(input),
    };
    let mut rows = Rows::default();
    let is_whole = queue::in_order(&items, jobs, is_stopped, &work, &mut |_, more| {
        rows.append(more);
        Ok(())
    })?;
    Ok(is_whole.then_some(rows))
}

/// Counts the inputs of a shard, for a progress bar. A list must be counted by its reader.
pub fn count_inputs(
    paths: &[PathBuf],
    shard: Shard,
    new_files: &dyn Fn() -> Arc<Archives>,
    is_stopped: &dyn Fn() -> bool,
) -> u64 {
    let mut count = 0;
    let mut take = |input: Input| {
        count += u64::from(shard.has(&input.uri));
        !is_stopped()
    };
    let inputs = Inputs { paths: paths.to_vec(), list: None };
    // Only a list can fail.
    let _ = find_all(inputs, &Finder::new(&new_files), &mut take);
    count
}

fn find_all<N: Fn() -> Arc<Archives>>(
    inputs: Inputs,
    finder: &Finder<'_, N>,
    take: &mut dyn FnMut(Input) -> bool,
) -> io::Result<bool> {
    let mut goes_on = distinct(&inputs.paths).into_iter().all(|path| finder.find(path, take));
    if let Some(list) = inputs.list.filter(|_| goes_on) {
        goes_on = finder.list(list, take)?;
    }
    Ok(goes_on)
}

/// The paths without those that lie below another one, which would be found twice.
fn distinct(paths: &[PathBuf]) -> Vec<&Path> {
    let is_below = |index: usize, path: &Path| {
        paths.iter().enumerate().any(|(other, top)| {
            other != index && path.starts_with(top) && (path != top.as_path() || other < index)
        })
    };
    paths
        .iter()
        .enumerate()
        .filter(|(index, path)| !is_below(*index, path))
        .map(|(_, path)| path.as_path())
        .collect()
}

fn check_folder(parts: &PartFolder, options: &CatalogOptions) -> io::Result<()> {
    let refuse = |message: String| {
        let message = format!("{}: {message}", options.folder.display());
        Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
    };
    for part in parts.parts(Table::Files)? {
        if part.shards.0 != options.shard.count {
            let count = part.shards.0;
            let shards =
                if count == 1 { "a run without shards".to_owned() } else { format!("{count} shards") };
            return refuse(format!("this catalog has parts of {shards}; use an empty folder"));
        }
        if part.is_increment() && options.since.is_none() {
            return refuse(
                "this catalog has increments; continue it with `since`, or use an empty folder".to_owned(),
            );
        }
    }
    Ok(())
}

struct Run<'r> {
    options: &'r CatalogOptions,
    parts: PartFolder,
    known: Option<Known>,
    observer: &'r dyn Observer,
    new_place: &'r (dyn Fn() -> Place + Sync),
    summary: RunSummary,
    index: u32,
}

impl Run<'_> {
    /// Takes all inputs.
    fn all(&mut self, inputs: &Receiver<Input>) -> io::Result<()> {
        let mut slice = Vec::new();
        for input in inputs {
            if self.observer.is_stopped() {
                self.summary.stopped = true;
                return Ok(());
            }
            self.summary.inputs += 1;
            if self.known.as_mut().is_some_and(|known| known.is_unchanged(&input)) {
                self.summary.unchanged += 1;
                self.observer.done(1);
                continue;
            }
            slice.push(input);
            if slice.len() >= self.options.part_size.max(1) {
                self.part(&std::mem::take(&mut slice))?;
                if self.summary.stopped {
                    return Ok(());
                }
            }
        }
        if slice.is_empty() { Ok(()) } else { self.part(&slice) }
    }

    fn part(&mut self, inputs: &[Input]) -> io::Result<()> {
        let tag = match self.known {
            Some(_) => format!("s{}", self.options.scanned_at),
            None => self.tag(inputs),
        };
        let name = PartName::new(self.options.shard, self.index, tag);
        self.index += 1;
        let present = self.parts.parts(Table::Files)?;
        if present.contains(&name) && self.known.is_none() {
            self.summary.kept += inputs.len() as u64;
            self.observer.done(inputs.len() as u64);
            return Ok(());
        }
        let place = (self.new_place)();
        let scanner = Scanner::new(place.workspace, self.options.scanned_at);
        let mut part = self.parts.begin(&name)?;
        let (known, by_hash) = (self.known.as_ref(), self.options.by_hash);
        let work = |input: &Input| -> Option<Rows> {
            if !by_hash || known.is_none_or(|known| known.content(&input.uri).is_none()) {
                return Some(scanner.scan(input));
            }
            let bytes = scanner.read(input);
            let is_same = bytes.as_ref().is_ok_and(|bytes| {
                known.and_then(|known| known.content(&input.uri)) == content(bytes).get(..32)
            });
            if is_same {
                None
            } else {
                Some(scanner.scan_bytes(input, bytes.as_deref().map_err(Clone::clone)))
            }
        };
        let (summary, observer) = (&mut self.summary, self.observer);
        let mut take = |input: &Input, rows: Option<Rows>| {
            observer.done(1);
            match rows {
                None => summary.unchanged += 1,
                Some(rows) => {
                    count(summary, &rows);
                    if let Some(error) = rows.value(Table::Files, 0, "error").and_then(Value::text) {
                        observer.unreadable(&input.uri, error);
                    }
                    part.push(rows)?;
                }
            }
            Ok(())
        };
        let is_stopped = || observer.is_stopped();
        let is_whole = queue::in_order(inputs, self.options.jobs, &is_stopped, &work, &mut take)?;
        if !is_whole {
            self.summary.stopped = true;
            return Ok(());
        }
        part.finish()?;
        if self.known.is_none() {
            // What an earlier run made of other inputs at this position.
            for stale in present.iter().filter(|it| (it.shards, it.index) == (name.shards, name.index)) {
                self.parts.remove(stale)?;
            }
        }
        Ok(())
    }

    /// What a part is made of. A run that is started again keeps the parts whose tag is the same.
    fn tag(&self, inputs: &[Input]) -> String {
        let mut hasher = Hasher::new("part");
        hasher.text(TOOL_VERSION).number(SCHEMA_VERSION.unsigned_abs()).text(&self.options.settings);
        for input in inputs {
            hasher.text(&input.uri).text(input.etag.as_deref().unwrap_or_default());
            let stat = input.stat.unwrap_or(Stat { size: 0, mtime: 0 });
            hasher.number(stat.size).number(stat.mtime.cast_unsigned());
        }
        hasher.finish()[..16].to_owned()
    }

    /// Removes parts of earlier runs that had more inputs, or writes the rows of files that are gone.
    fn end(&mut self) -> io::Result<()> {
        if self.summary.stopped {
            return Ok(());
        }
        let shards = (self.options.shard.count, self.options.shard.number);
        if let Some(since) = self.options.since.clone() {
            return self.gone(&since);
        }
        for part in self.parts.parts(Table::Files)? {
            if part.shards == shards && part.index >= self.index {
                self.parts.remove(&part)?;
            }
        }
        if self.index == 0 {
            // Programs that read `files/*` need at least one file.
            self.part(&[])?;
        }
        Ok(())
    }

    fn gone(&mut self, since: &Path) -> io::Result<()> {
        let Some(mut known) = self.known.take() else { return Ok(()) };
        let place = (self.new_place)();
        let scanner = Scanner::new(place.workspace, self.options.scanned_at);
        let tag = format!("s{}", self.options.scanned_at);
        let mut part = self.parts.begin(&PartName::new(self.options.shard, self.index, tag))?;
        let mut gone = 0;
        read_table(since, Table::Files, &mut |row| {
            let text = |name: &str| row.get(Table::Files.column(name)?)?.text().map(str::to_owned);
            let Some(uri) = text("uri") else { return Ok(()) };
            if known.is_newly_gone(&uri, &row) {
                gone += 1;
                let member = text("archive").zip(text("member"));
                let rows = scanner.gone(&Input { uri, member, ..Input::default() });
                count(&mut self.summary, &rows);
                part.push(rows)?;
            }
            Ok(())
        })?;
        // Those rows are not of inputs.
        self.summary.scanned -= gone;
        self.summary.gone = gone;
        if gone > 0 { part.finish() } else { Ok(()) }
    }
}

fn count(summary: &mut RunSummary, rows: &Rows) {
    summary.scanned += 1;
    for (count, table) in summary.rows.iter_mut().zip(Table::ALL) {
        *count += rows.of(table).len() as u64;
    }
    match rows.value(Table::Files, 0, "status").and_then(Value::text) {
        Some("damaged") => summary.damaged += 1,
        Some("unreadable") => summary.unreadable += 1,
        _ => {}
    }
}

/// What an earlier catalog knows about the files of this shard.
struct Known {
    files: HashMap<[u8; 16], KnownFile>,
    by_hash: bool,
}

struct KnownFile {
    scanned_at: i64,
    stat: Option<Stat>,
    etag: Option<String>,
    /// Start of the hash of its bytes.
    content: Option<Box<str>>,
    is_gone: bool,
    is_current: bool,
    is_seen: bool,
}

impl Known {
    /// Reads the earlier catalog, and the parts that an interrupted run has added to the new one.
    fn read(since: &Path, options: &CatalogOptions) -> io::Result<Self> {
        let mut known = Self { files: HashMap::new(), by_hash: options.by_hash };
        let mut folders = vec![since];
        if options.folder != since
            && PartFolder::new(&options.folder, options.format)
                .parts(Table::Files)
                .is_ok_and(|parts| !parts.is_empty())
        {
            folders.push(&options.folder);
        }
        for folder in folders {
            let failed =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
            read_table(folder, Table::Files, &mut |row| {
                known.add(&row, options.shard);
                Ok(())
            })
            .map_err(failed)?;
        }
        Ok(known)
    }

    fn add(&mut self, row: &[Value], shard: Shard) {
        let get = |name: &str| Table::Files.column(name).and_then(|index| row.get(index));
        let (Some(uri), Some(scanned_at)) =
            (get("uri").and_then(Value::text), get("scanned_at").and_then(Value::int))
        else {
            return;
        };
        let id = id_of(uri);
        // The row of an archive tells whether its members changed, whichever shard it belongs to.
        let is_archive = meshwright::assets::is_archive(Path::new(uri));
        if !shard.has_id(&id) && !is_archive {
            return;
        }
        if self.files.get(&id).is_some_and(|file| file.scanned_at > scanned_at) {
            return;
        }
        let stat = get("size").and_then(Value::int).zip(get("mtime").and_then(Value::int));
        let status = get("status").and_then(Value::text).unwrap_or_default();
        let file = KnownFile {
            scanned_at,
            stat: stat.map(|(size, mtime)| Stat { size: size.unsigned_abs(), mtime }),
            etag: get("etag").and_then(Value::text).map(str::to_owned),
            content: get("content_hash").and_then(Value::text).and_then(|hash| hash.get(..32)).map(Box::from),
            is_gone: status == "gone",
            is_current: get("tool_version").and_then(Value::text) == Some(TOOL_VERSION)
                && get("schema_version").and_then(Value::int) == Some(SCHEMA_VERSION),
            is_seen: !shard.has_id(&id),
        };
        self.files.insert(id, file);
    }

    /// Whether an input has the rows that it would get. It is seen from now on.
    fn is_unchanged(&mut self, input: &Input) -> bool {
        let Some(file) = self.files.get_mut(&id_of(&input.uri)) else { return false };
        file.is_seen = true;
        if !file.is_current || file.is_gone || self.by_hash {
            return false;
        }
        if input.etag.is_some() || file.etag.is_some() {
            return input.etag == file.etag;
        }
        let container = id_of(input.container());
        let known = self.files.get(&container).and_then(|file| file.stat);
        // A member has the time of its archive; without a row of the archive that is all there is.
        match (known, &input.member) {
            (Some(stat), _) => input.stat == Some(stat),
            (None, Some(_)) => {
                let member = self.files.get(&id_of(&input.uri)).and_then(|file| file.stat);
                member.zip(input.stat).is_some_and(|(known, now)| known.mtime == now.mtime)
            }
            (None, None) => false,
        }
    }

    fn content(&self, uri: &str) -> Option<&str> {
        let file = self.files.get(&id_of(uri)).filter(|file| file.is_current && !file.is_gone)?;
        file.content.as_deref()
    }

    /// Whether this row is the latest of a file that was not seen. It is seen from now on.
    fn is_newly_gone(&mut self, uri: &str, row: &[Value]) -> bool {
        let scanned_at = Table::Files.column("scanned_at").and_then(|index| row.get(index)?.int());
        let Some(file) = self.files.get_mut(&id_of(uri)) else { return false };
        let is_gone = !file.is_seen && !file.is_gone && Some(file.scanned_at) == scanned_at;
        file.is_seen |= is_gone;
        is_gone
    }
}
