//! Many files at once: `info`, `check`, `verify` and `find`, each file by a thread, without Python's lock.

use std::collections::{HashMap, VecDeque};
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use meshwright::assets::EntryKind;
use meshwright::check::output::{FileReport, json_file};
use meshwright::check::{Options, report, report_mdl};
use meshwright::{
    Content, ConvertOptions, Evidence, Format, Given, Guesses, InfoOptions, Settings, Target, TextureOptions,
    Walked, Wanted, file, is_model_name, is_texture_name, other_content, walk,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::choices::{self, ConvertChoices, game_named};
use crate::error::{Failure, Result, shown};
use crate::model::{CheckChoices, report_json};
use crate::workspace::{Places, Search};

/// Results that wait for Python; a worker that is too far ahead waits.
const MAX_WAITING: usize = 1024;

/// How often signals are handled while Python waits for a result.
const PATIENCE: Duration = Duration::from_millis(50);

/// Files that are being worked on. It yields a JSON document for each, in order.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Batch {
    shared: Arc<Shared>,
    total: usize,
}

/// What the workers and Python share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The results of the files after those that were taken; `None` for unfinished ones.
    waiting: VecDeque<Option<String>>,
    taken: usize,
    next: usize,
    /// No further file is started.
    stopped: bool,
    /// All workers have ended.
    ended: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Takes files until none is left.
    fn run(&self, total: usize, work: &(dyn Fn(usize) -> String + Sync)) {
        let mut state = self.lock();
        loop {
            // The worker on the first unfinished file never waits here, so the queue always advances.
            while !state.stopped && state.next > state.taken && state.waiting.len() >= MAX_WAITING {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let index = state.next;
            if state.stopped || index >= total {
                return;
            }
            state.next += 1;
            drop(state);
            let result = work(index);
            state = self.lock();
            let place = index - state.taken;
            if state.waiting.len() <= place {
                state.waiting.resize_with(place + 1, || None);
            }
            if let Some(slot) = state.waiting.get_mut(place) {
                *slot = Some(result);
            }
            self.changed.notify_all();
        }
    }
}

/// Calls `work` for each index on several threads.
fn each(jobs: usize, count: usize, shared: &Shared, work: &(dyn Fn(usize) + Sync)) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let run = || {
        loop {
            let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if index >= count || shared.lock().stopped {
                return;
            }
            work(index);
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.min(count) {
            // Spawning failed: continue with fewer workers.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
}

/// What is done with each file.
trait Job: Send + Sync + 'static {
    /// Reads what is needed before any file is worked on.
    fn prepare(&mut self, _jobs: usize, _shared: &Shared) {}

    /// The result for a file.
    fn work(&self, index: usize) -> Value;
}

impl Batch {
    fn start(total: usize, jobs: Option<NonZero<usize>>, mut job: impl Job) -> Result<Self> {
        let jobs = jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let run = move || {
            // However it ends, nobody waits for it.
            let _ended = Ended(&theirs);
            job.prepare(jobs, &theirs);
            let work = |index: usize| job.work(index).to_string();
            thread::scope(|scope| {
                for _ in 1..jobs.min(total) {
                    let _ = thread::Builder::new().spawn_scoped(scope, || theirs.run(total, &work));
                }
                theirs.run(total, &work);
            });
        };
        let spawned = thread::Builder::new().name("meshwright".to_owned()).spawn(run);
        spawned.map_err(|error| Failure::new("THREAD", error.to_string()))?;
        Ok(Self { shared, total })
    }
}

/// Says that the workers have ended, when it is dropped.
struct Ended<'s>(&'s Shared);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.total
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        loop {
            let result = py.detach(|| {
                let mut state = self.shared.lock();
                if state.waiting.front().is_none_or(Option::is_none) && !state.ended {
                    let wait = self.shared.changed.wait_timeout(state, PATIENCE);
                    state = wait.unwrap_or_else(PoisonError::into_inner).0;
                }
                match state.waiting.front_mut().and_then(Option::take) {
                    Some(result) => {
                        state.waiting.pop_front();
                        state.taken += 1;
                        self.shared.changed.notify_all();
                        Ok(Some(result))
                    }
                    None if state.ended && state.taken < self.total && !state.stopped => {
                        Err(Failure::new("THREAD", "a worker ended early; this is a bug"))
                    }
                    None if state.ended || state.stopped => Ok(None),
                    None => Ok(Some(String::new())),
                }
            })?;
            match result {
                // Not yet.
                Some(text) if text.is_empty() => {
                    if let Err(interrupt) = py.check_signals() {
                        self.shared.stop();
                        return Err(interrupt);
                    }
                }
                result => return Ok(result),
            }
        }
    }

    /// Starts no further file.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.shared.stop());
    }
}

/// A file of a batch, or a path that leads nowhere.
struct Item {
    path: PathBuf,
    /// The folder that was given, in which it was found.
    top: Option<Arc<Path>>,
    problem: Option<Failure>,
}

/// Which files of a folder are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Models,
    Textures,
    All,
}

/// The files that paths lead to.
struct Files {
    search: Search,
    items: Vec<Item>,
}

impl Files {
    /// The files that paths lead to: folders and archives are searched for those that are wanted.
    fn find(places: &Places, paths: &[PathBuf], kind: Kind) -> Result<Self> {
        let mut search = Search::of(places)?;
        let mut items = Vec::new();
        for path in paths {
            let Some(found) = search.files.resolve(path) else {
                let problem = Failure::new("FILE-ACCESS", "no such file or folder").at(path);
                items.push(Item { path: path.clone(), top: None, problem: Some(problem) });
                continue;
            };
            if search.files.kind(&found) != Some(EntryKind::Folder) {
                items.push(Item { path: found, top: None, problem: None });
                continue;
            }
            search.files.folders().allow(&found);
            let before = items.len();
            let files = search.files.clone();
            let is_wanted = |name: &str| match kind {
                Kind::Models => is_model_name(name),
                Kind::Textures => is_texture_name(name),
                Kind::All => true,
            };
            let skip = |path: &Path| {
                if kind == Kind::Models { other_content(&files, path) } else { None }
            };
            let top: Arc<Path> = found.as_path().into();
            walk(&files, &found, &is_wanted, &skip, &mut |walked| match walked {
                Walked::File(path) => items.push(Item { path, top: Some(top.clone()), problem: None }),
                Walked::Failed(path, error) => {
                    items.push(Item { path, top: None, problem: Some(error.into()) });
                }
                Walked::Skipped(..) => {}
            });
            if items.len() == before && kind != Kind::All {
                let what = if kind == Kind::Models { "models" } else { "textures" };
                let problem = Failure::new("FILE-ACCESS", format!("no {what} in this folder")).at(&found);
                items.push(Item { path: found.clone(), top: None, problem: Some(problem) });
            }
            search.workspace.search_mut().add_folder(&found);
        }
        Ok(Self { search, items })
    }

    fn paths(&self) -> impl Iterator<Item = &Path> + Clone {
        self.items.iter().filter(|item| item.problem.is_none()).map(|item| item.path.as_path())
    }

    /// The bytes of a file and its format.
    fn read(&self, item: &Item, read_as: Option<&'static Format>) -> Result<(Vec<u8>, &'static Format)> {
        let bytes = self.bytes(item)?;
        let name = item.path.file_name().map(|name| name.to_string_lossy());
        let format = match read_as {
            Some(format) => format,
            None => Format::detect(&bytes, name.as_deref())
                .map_err(|error| Failure::from(error).at(&item.path))?,
        };
        Ok((bytes, format))
    }

    fn bytes(&self, item: &Item) -> Result<Vec<u8>> {
        if let Some(problem) = &item.problem {
            return Err(problem.clone());
        }
        let bytes = self.search.workspace.read(&item.path)?;
        if Content::of(&bytes) == Some(Content::GitLfs) {
            let failure = Failure::new("FILE-FORMAT", "a Git LFS pointer, not a model or texture");
            return Err(failure.with_advice("run `git lfs pull` to fetch the file").at(&item.path));
        }
        Ok(bytes)
    }

    /// Searches where the projects of the files say.
    fn follow(&mut self, settings: &Settings) -> Result<()> {
        let projects = settings.projects();
        let games: Vec<PathBuf> = projects.games().into_iter().map(Path::to_owned).collect();
        if !games.is_empty() {
            self.search.mount(&games)?;
        }
        projects.textures().into_iter().try_for_each(|folder| self.search.add_textures(folder))
    }
}

/// `info` and `check`, which guess the game of each folder first.
struct Examination {
    files: Files,
    settings: Settings,
    guesses: Guesses,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Info { hash: bool },
    Check { surroundings: bool },
}

impl Examination {
    fn new(places: &Places, paths: &[PathBuf], choices: &CheckChoices, what: What) -> Result<Self> {
        let mut files = Files::find(places, paths, Kind::Models)?;
        let given = Given {
            profile: game_named(choices.profile.as_deref())?,
            levels: choices.levels()?,
            ..Given::default()
        };
        let settings = Settings::find(given, files.paths().collect::<Vec<_>>());
        let settings = settings.map_err(|error| Failure::new("PROJECT", error.to_string()))?;
        files.follow(&settings)?;
        Ok(Self { files, settings, guesses: Guesses::default(), what })
    }

    fn info(&self, item: &Item, hash: bool) -> Result<Value> {
        let path = item.path.as_path();
        let bytes = self.files.bytes(item)?;
        let options = InfoOptions {
            hash,
            profile: self.settings.profile(path),
            evidence: self.guesses.of(path),
            levels: Some(self.settings.levels(path)),
            baseline: self.settings.baseline(path),
            ..InfoOptions::default()
        };
        let info = self.files.search.workspace.examine(&bytes, Some(path), &options);
        let info = info.map_err(|error| Failure::from(error).at(path))?;
        Ok(info.to_json(&shown(path)))
    }

    fn check(&self, item: &Item, surroundings: bool) -> Result<FileReport> {
        let path = item.path.as_path();
        let (bytes, format) = self.files.read(item, None)?;
        let name = path.file_name().map(|name| name.to_string_lossy());
        let workspace = &self.files.search.workspace;
        let options = Options {
            profile: self.settings.profile(path),
            evidence: self.guesses.of(path),
            levels: Some(self.settings.levels(path)),
            file_name: name.as_deref(),
            lookup: surroundings.then(|| workspace.lookup(Some(path))),
        };
        let failed = |error| Failure::from(meshwright::Error::from(error)).at(path);
        let is_text = format.name == "mdl";
        let (result, marks) = if is_text {
            report_mdl(&bytes, &options).map_err(failed)?
        } else {
            (report(&format.read(&bytes).map_err(failed)?.document, &options), Vec::new())
        };
        let mut file =
            FileReport { path: shown(path), result: Ok(result), is_text, marks, applied: Vec::new() };
        if let Some(baseline) = self.settings.baseline(path) {
            let path = meshwright::absolute(path);
            file.retain(|finding| !baseline.knows(&path, finding));
        }
        Ok(file)
    }
}

impl Job for Examination {
    fn prepare(&mut self, jobs: usize, shared: &Shared) {
        let is_info = matches!(self.what, What::Info { .. });
        let found: Mutex<HashMap<usize, Evidence>> = Mutex::default();
        let is_guessed =
            |item: &Item| item.problem.is_none() && (is_info || self.settings.profile(&item.path).is_none());
        each(jobs, self.files.items.len(), shared, &|index| {
            let item = &self.files.items[index];
            if !is_guessed(item) {
                return;
            }
            let Ok((bytes, format)) = self.files.read(item, None) else { return };
            if let Some(evidence) = Guesses::look(&bytes, &item.path, format) {
                found.lock().unwrap_or_else(PoisonError::into_inner).insert(index, evidence);
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut guesses = Guesses::default();
        for (index, item) in self.files.items.iter().enumerate().filter(|(_, item)| is_guessed(item)) {
            guesses.add(&item.path, found.get(&index));
        }
        self.guesses = guesses;
    }

    fn work(&self, index: usize) -> Value {
        let item = &self.files.items[index];
        match self.what {
            What::Info { hash } => self
                .info(item, hash)
                .unwrap_or_else(|failure| json!({ "file": shown(&item.path), "error": failure.to_json() })),
            What::Check { surroundings } => match self.check(item, surroundings) {
                Ok(file) => json_file(&file),
                Err(failure) => json_file(&FileReport {
                    path: shown(&item.path),
                    result: Err(failure.into_diagnostic()),
                    is_text: false,
                    marks: Vec::new(),
                    applied: Vec::new(),
                }),
            },
        }
    }
}

/// `verify`.
struct Verification {
    files: Files,
    text: bool,
}

impl Job for Verification {
    fn work(&self, index: usize) -> Value {
        let item = &self.files.items[index];
        let mut size = 0;
        let mut format_name = None;
        let compared = self.files.read(item, None).and_then(|(bytes, format)| {
            size = bytes.len();
            format_name = Some(format.name);
            let at = |failure: Failure| failure.at(&item.path);
            let parsed = format.read(&bytes).map_err(|error| at(error.into()))?;
            meshwright::verify(format, &parsed.document, &bytes, self.text).map_err(|error| at(error.into()))
        });
        let (word, difference, error) = match compared {
            Ok(None) => ("identical", None, None),
            Ok(Some(it)) => {
                let (before, after) = it.sizes;
                let it = json!({ "way": it.way, "at": it.at, "before": before, "after": after });
                ("differs", Some(it), None)
            }
            Err(failure) => ("unreadable", None, Some(failure.to_json())),
        };
        json!({
            "file": shown(&item.path), "format": format_name, "size": size, "result": word,
            "difference": difference, "error": error,
        })
    }
}

/// `find`.
struct Hunt {
    files: Files,
    wanted: Wanted,
    /// The paths that were given, without which paths are compared.
    tops: Vec<PathBuf>,
}

impl Job for Hunt {
    fn work(&self, index: usize) -> Value {
        let item = &self.files.items[index];
        let path = &item.path;
        if let Some(problem) = &item.problem {
            return json!({ "file": shown(path), "is_it": false, "uses": [], "error": problem.to_json() });
        }
        let top = self.tops.iter().find(|top| path.starts_with(top));
        let inner = top.and_then(|top| path.strip_prefix(top).ok()).filter(|it| !it.as_os_str().is_empty());
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let inner = inner.map_or_else(|| name.clone(), |inner| shown(inner).replace('\\', "/"));
        // Models that cannot be read use nothing.
        let bytes = is_model_name(&name).then(|| self.files.search.workspace.read(path).ok()).flatten();
        let uses = bytes.map(|bytes| self.wanted.uses(&bytes, Some(&name))).unwrap_or_default();
        json!({ "file": shown(path), "is_it": self.wanted.is_file(&inner), "uses": uses, "error": null })
    }
}

/// `convert` into a folder.
struct Conversion {
    files: Files,
    /// What is written of each file.
    targets: Vec<PathBuf>,
    options: ConvertOptions,
    texture: TextureOptions,
}

impl Conversion {
    fn new(places: &Places, paths: &[PathBuf], folder: &Path, choices: &ConvertChoices) -> Result<Self> {
        let (options, texture) = (choices.options()?, choices.texture()?);
        let kind = if matches!(options.target, Target::Texture(_)) { Kind::Textures } else { Kind::Models };
        let files = Files::find(places, paths, kind)?;
        let extension = options.target.extension();
        let mut claims: HashMap<String, usize> = HashMap::new();
        let targets: Vec<[PathBuf; 2]> =
            files.items.iter().map(|item| targets(item, folder, extension)).collect();
        for [target, _] in &targets {
            *claims.entry(shown(target).to_lowercase()).or_default() += 1;
        }
        // `tank.w3d` and `TANK.mdx` would both become `tank.glb` on some file systems: such files keep their extensions.
        let is_claimed =
            |path: &Path| claims.get(&shown(path).to_lowercase()).is_some_and(|claims| *claims > 1);
        let choose = |[target, whole]: [PathBuf; 2]| if is_claimed(&target) { whole } else { target };
        let targets = targets.into_iter().map(choose).collect();
        Ok(Self { files, targets, options, texture })
    }

    fn convert(&self, index: usize) -> Result<Value> {
        let (item, target) = (&self.files.items[index], &self.targets[index]);
        let bytes = self.files.bytes(item)?;
        let at = |error: meshwright::Error| Failure::from(error).at(&item.path);
        let file_name = target.file_name().map(|name| name.to_string_lossy().into_owned());
        let (workspace, path) = (&self.files.search.workspace, Some(item.path.as_path()));
        let written = match self.options.target {
            Target::Texture(format) => workspace.convert_texture(&bytes, path, format, &self.texture),
            _ => workspace.convert(&bytes, path, &ConvertOptions { file_name, ..self.options.clone() }),
        };
        let written = written.map_err(at)?;
        let main =
            written.renamed.as_ref().map_or_else(|| target.clone(), |name| target.with_file_name(name));
        if meshwright::absolute(&main) == meshwright::absolute(&item.path) {
            let failure =
                Failure::new("FILE-ACCESS", "not written: it would overwrite the file that is converted");
            return Err(failure.at(&main));
        }
        let write = |path: &Path, bytes: &[u8]| {
            // A link could lead anywhere.
            if path.is_symlink() {
                return Err(Failure::new("FILE-ACCESS", "not written: it is a symbolic link").at(path));
            }
            file::write(path, bytes).map_err(|error| Failure::from(error).at(path))
        };
        if let Some(folder) = main.parent() {
            file::create_folder(folder).map_err(|error| Failure::from(error).at(folder))?;
        }
        let mut names = vec![shown(&main)];
        for (name, bytes) in &written.others {
            let path = target.with_file_name(name);
            write(&path, bytes)?;
            names.push(shown(&path));
        }
        write(&main, &written.bytes)?;
        let report = report_json(&written.report);
        Ok(json!({ "file": shown(&item.path), "written": names, "report": report, "error": null }))
    }
}

/// What is written of a file below a folder: with the new extension instead of its own, and after its own.
fn targets(item: &Item, folder: &Path, extension: &str) -> [PathBuf; 2] {
    let relative = item.top.as_ref().and_then(|top| item.path.strip_prefix(top).ok());
    let relative = relative.or_else(|| item.path.file_name().map(Path::new)).unwrap_or(Path::new("model"));
    // Members of archives may be called anything.
    let parts = relative.components().filter(|part| matches!(part, Component::Normal(_)));
    let path = folder.join(parts.collect::<PathBuf>());
    let mut whole = path.clone().into_os_string();
    whole.push(format!(".{extension}"));
    [path.with_extension(extension), whole.into()]
}

impl Job for Conversion {
    fn work(&self, index: usize) -> Value {
        let item = &self.files.items[index];
        self.convert(index).unwrap_or_else(|failure| {
            let report = json!({ "notes": [], "suppressed": 0 });
            json!({ "file": shown(&item.path), "written": [], "report": report, "error": failure.to_json() })
        })
    }
}

/// What the functions below have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Request {
    paths: Vec<PathBuf>,
    with_: Vec<PathBuf>,
    textures: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    game: Vec<PathBuf>,
    listfile: Vec<String>,
    limits: HashMap<String, u64>,
    jobs: Option<NonZero<usize>>,
}

impl Request {
    fn places(&self) -> Places {
        Places {
            with: self.with_.clone(),
            textures: self.textures.clone(),
            folders: self.folders.clone(),
            game: self.game.clone(),
            listfile: self.listfile.clone(),
            limits: self.limits.clone(),
        }
    }
}

/// Starts `info` for many files.
#[pyfunction]
pub(crate) fn info(py: Python<'_>, request: Request, options: &str, hash: bool) -> PyResult<Batch> {
    let choices: CheckChoices = choices::read(options)?;
    Ok(py.detach(|| {
        let job = Examination::new(&request.places(), &request.paths, &choices, What::Info { hash })?;
        Batch::start(job.files.items.len(), request.jobs, job)
    })?)
}

/// Starts `check` for many files.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, request: Request, options: &str, surroundings: bool) -> PyResult<Batch> {
    let choices: CheckChoices = choices::read(options)?;
    Ok(py.detach(|| {
        let job =
            Examination::new(&request.places(), &request.paths, &choices, What::Check { surroundings })?;
        Batch::start(job.files.items.len(), request.jobs, job)
    })?)
}

/// Starts `verify` for many files.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, request: Request, text: bool) -> PyResult<Batch> {
    Ok(py.detach(|| {
        let files = Files::find(&request.places(), &request.paths, Kind::Models)?;
        Batch::start(files.items.len(), request.jobs, Verification { files, text })
    })?)
}

/// Starts `convert` of many files into a folder.
#[pyfunction]
pub(crate) fn convert_all(
    py: Python<'_>,
    request: Request,
    folder: PathBuf,
    options: &str,
) -> PyResult<Batch> {
    let choices: ConvertChoices = choices::read(options)?;
    Ok(py.detach(|| {
        let job = Conversion::new(&request.places(), &request.paths, &folder, &choices)?;
        Batch::start(job.files.items.len(), request.jobs, job)
    })?)
}

/// Starts `find` in many files.
#[pyfunction]
pub(crate) fn find(py: Python<'_>, request: Request, name: &str) -> PyResult<Batch> {
    Ok(py.detach(|| {
        let wanted = Wanted::new(name).map_err(Failure::argument)?;
        let files = Files::find(&request.places(), &request.paths, Kind::All)?;
        let tops = request.paths.iter().filter_map(|path| files.search.files.resolve(path)).collect();
        Batch::start(files.items.len(), request.jobs, Hunt { files, wanted, tops })
    })?)
}
