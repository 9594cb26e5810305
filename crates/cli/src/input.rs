//! Finds and reads the inputs: files, folders, archives, globs, standard input.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use meshwright::assets::{self, Archives, DEFAULT_LIMIT, EntryKind, ErrorKind, Files as _, Folders};
use meshwright::mdx::mdl;
use meshwright::record::{Diagnostic, Error, Severity, printable};
use meshwright::{
    Content, FORMATS, Format, Parsed, Walked, Workspace, archive, check, gltf_io, is_model_name, scene,
};
use serde_json::{Value, json};

use crate::advice;
use crate::args::{Inputs, LimitArgs, MountArgs};

/// One file to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// Where it is; `-` is standard input.
    pub(crate) path: PathBuf,
    /// The folder on the command line in which it was found.
    pub(crate) folder: Option<Arc<Path>>,
}

/// Why a file could not be read or written.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The file.
    pub(crate) file: String,
    kind: ProblemKind,
}

#[derive(Debug)]
enum ProblemKind {
    /// An error of the operating system.
    System { message: String, note: Option<String> },
    /// Invalid content; for a text, with the errors marked in it.
    Content { error: Error, shown: Option<String> },
}

impl Problem {
    pub(crate) fn system(path: &Path, message: impl Into<String>, note: Option<&str>) -> Self {
        let kind = ProblemKind::System { message: message.into(), note: note.map(str::to_owned) };
        Self { file: show(path), kind }
    }

    pub(crate) fn content(path: &Path, error: Error) -> Self {
        Self { file: show(path), kind: ProblemKind::Content { error, shown: None } }
    }

    /// An error of the library about a file, with advice.
    pub(crate) fn of(path: &Path, error: meshwright::Error) -> Self {
        use meshwright::Error as Failed;
        let content = |code, error: &dyn fmt::Display, limit: Option<&scene::Exceeded>| {
            let error = Error::new(code, 0..0, error.to_string());
            Self::content(
                path,
                limit.into_iter().fold(error, |error, it| error.with_note(advice::of_limit(it))),
            )
        };
        match error {
            Failed::Content(error) | Failed::File { source: error, .. } => {
                let found = error.diagnostic();
                let advice = advice::of_code(&found.code).filter(|_| found.note.is_none());
                Self::content(path, advice.into_iter().fold(error, Error::with_note))
            }
            Failed::Gltf(gltf_io::Error::Limit(it)) => content("CONVERT-SIZE", &it, Some(&it)),
            Failed::Gltf(error) => content("CONVERT-SIZE", &error, None),
            Failed::ReadGltf(gltf_io::ReadError::Limit(it)) => content("GLTF-READ", &it, Some(&it)),
            Failed::ReadGltf(error) => content("GLTF-READ", &error, None),
            Failed::Texture { source, .. } => Self::system(path, source.to_string(), None),
            Failed::Io { source, .. } => Self::system(path, source.to_string(), None),
            error => Self::system(path, error.to_string(), None),
        }
    }

    /// For `--json`.
    pub(crate) fn to_json(&self) -> Value {
        match &self.kind {
            ProblemKind::System { message, note } => json!({ "message": message, "note": note }),
            ProblemKind::Content { error, .. } => crate::report::diagnostic_json(error.diagnostic()),
        }
    }
}

impl From<Problem> for Diagnostic {
    fn from(problem: Problem) -> Self {
        match problem.kind {
            ProblemKind::Content { error, .. } => error.into(),
            ProblemKind::System { message, note } => {
                Self { note, ..Error::new("FILE-ACCESS", 0..0, message).into() }
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        let note = match &self.kind {
            ProblemKind::System { message, note } => {
                f.write_str(&printable(message))?;
                note.as_deref()
            }
            ProblemKind::Content { shown: Some(shown), .. } => {
                return write!(f, "syntax errors\n{shown}");
            }
            ProblemKind::Content { error, shown: None } => {
                let found = error.diagnostic();
                write!(f, "{} [{}]", printable(&found.message), found.code)?;
                // Errors about the whole file, such as an unsupported conversion, have no offset.
                if found.span != (0..0) {
                    write!(f, " at byte {}", found.span.start)?;
                }
                if !found.path.is_empty() {
                    write!(f, ", {}", printable(&found.path))?;
                }
                found.note.as_deref()
            }
        };
        note.map_or(Ok(()), |note| write!(f, "\n  {}", printable(note)))
    }
}

/// A path to print, with `-` spelled out and control characters escaped.
pub(crate) fn show(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path_text(path) }
}

/// A path to print that is not a standard stream. Bytes that are not UTF-8 are escaped, so that different paths look different.
pub(crate) fn path_text(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    if let Some(text) = path.to_str() {
        return printable(text).into_owned();
    }
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    printable(&text).into_owned()
}

/// A path without the difference between upper and lower case, to find files that are the same to some file systems.
pub(crate) fn folded(path: &Path) -> Vec<u8> {
    let chunks = path.as_os_str().as_encoded_bytes().utf8_chunks();
    chunks.flat_map(|chunk| [chunk.valid().to_lowercase().as_bytes(), chunk.invalid()].concat()).collect()
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The file system of this run. It is shared, so that each folder is listed once.
pub(crate) fn files() -> &'static Arc<Archives> {
    FILES.get_or_init(|| Arc::new(Archives::new(folders())))
}

/// A file system without archives, with the limit of this run.
fn folders() -> Folders {
    Folders::default().limit(largest_file())
}

/// The files of this run with its limits. Nothing is searched yet.
pub(crate) fn workspace() -> Workspace {
    Workspace::new(files().clone()).with_limits(limits())
}

/// The same for a quick look: folders with more entries are not listed, and names in their usual spellings are found there.
pub(crate) fn quick_workspace(entries: usize) -> Workspace {
    Workspace::new(Arc::new(folders().list_at_most(entries))).with_limits(limits())
}

/// A file system that remembers nothing yet, with the options of this run and without its game.
pub(crate) fn new_files() -> Archives {
    Archives::new(folders()).names(NAMES.get().cloned().unwrap_or_default())
}

/// A workspace of other files, with the limits of this run.
pub(crate) fn workspace_of(files: Arc<Archives>) -> Workspace {
    Workspace::new(files).with_limits(limits())
}

/// Names of archive members that the user gave.
static NAMES: OnceLock<Vec<String>> = OnceLock::new();

static LIMITS: OnceLock<(scene::Limits, u64)> = OnceLock::new();

/// Limits on the size of one model in memory.
fn limits() -> scene::Limits {
    LIMITS.get().map(|(limits, _)| *limits).unwrap_or_default()
}

/// The size of the largest file that is read.
fn largest_file() -> u64 {
    LIMITS.get().map_or(DEFAULT_LIMIT, |(_, limit)| *limit)
}

/// Reads everything, or fails if it is larger than the limit.
fn read_all(mut from: impl Read) -> io::Result<Vec<u8>> {
    let limit = largest_file();
    let mut bytes = Vec::new();
    (&mut from).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        read if read > limit => Err(io::Error::other(format!("too large: the limit is {limit} bytes"))),
        _ => Ok(bytes),
    }
}

static FILES: OnceLock<Arc<Archives>> = OnceLock::new();

/// Adds the archives and games of the command line to the file system. Must be called before any file is read.
pub(crate) fn mount(mounts: &MountArgs, limits: &LimitArgs) -> Result<(), Problem> {
    // This is called once.
    let _ = LIMITS.set(limits.limits());
    let mut names = Vec::new();
    for list in &mounts.listfile {
        // May be a pipe, as shells create for <(command).
        let bytes = fs::File::open(list).and_then(read_all);
        let bytes = bytes.map_err(|error| Problem::system(list, error.to_string(), None))?;
        let text = String::from_utf8_lossy(&bytes);
        names.extend(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()));
    }
    let _ = NAMES.set(names.clone());
    FILES.get_or_init(|| Arc::new(Archives::new(folders()).names(names)));
    if mounts.game.is_empty() { Ok(()) } else { mount_games(&mounts.game) }
}

/// Mounts installed games; earlier ones have priority.
pub(crate) fn mount_games(folders: &[PathBuf]) -> Result<(), Problem> {
    let files = files();
    let game = files.mount(folders).map_err(|error| match error.kind {
        ErrorKind::NotFound => Problem::system(&error.path, "cannot mount the game: no such folder", None),
        kind => Problem::system(&error.path, kind.to_string(), None),
    })?;
    files.folders().allow(game.folder());
    Ok(())
}

/// Reads a file, which may be in an archive or in the mounted game.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    files().read(path).map_err(|error| {
        let note = match &error.kind {
            ErrorKind::NotFound => return missing(path),
            ErrorKind::TooLarge { .. } => Some("use --limit file=N to raise the limit"),
            ErrorKind::Archive(error) => advice::of_archive(error),
            _ => None,
        };
        Problem::system(path, error.kind.to_string(), note)
    })
}

/// Whether a path is a folder, an archive, or a folder in an archive.
pub(crate) fn is_folder(path: &Path) -> bool {
    !is_standard(path) && files().kind(path) == Some(EntryKind::Folder)
}

/// The path as given if it exists, otherwise the one in the mounted game.
pub(crate) fn resolve(path: &Path) -> PathBuf {
    if is_standard(path) {
        return path.to_owned();
    }
    files().resolve(path).unwrap_or_else(|| path.to_owned())
}

/// Whether a file starts like an archive. The name alone does not tell: a model may be called `tank.dat`.
fn is_archive_by_content(path: &Path) -> bool {
    let start = files().folders().read_start(path, 8);
    start.is_ok_and(|start| archive::Kind::of_start(&start.bytes).is_some())
}

/// The paths that a path or glob of the command line stands for.
pub(crate) fn expand(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    if is_standard(path) {
        return Ok(vec![path.to_owned()]);
    }
    if assets::is_archive(path)
        && path.is_file()
        && let Err(error) = files().open(path)
        && is_archive_by_content(path)
    {
        return Err(Problem::system(path, format!("cannot open the archive: {}", error.kind), None));
    }
    if assets::is_archive(path) && is_git_lfs(path) {
        return Err(git_lfs(path));
    }
    if let Some(found) = files().resolve(path) {
        return Ok(vec![found]);
    }
    match matches(path) {
        Some(matched) if !matched.is_empty() => Ok(matched),
        Some(_) => Err(Problem::system(path, "no file matches this pattern", None)),
        None => Err(missing(path)),
    }
}

/// All input files in the order of the command line; folders and globs are sorted by name. A path that is not found is a
/// problem and does not stop the others. Folders are searched for models, and for files of the forced format.
pub(crate) fn sources(paths: &[PathBuf], forced: Option<&'static Format>) -> (Vec<Source>, Vec<Problem>) {
    let is_wanted =
        |name: &str| is_model_name(name) || forced.is_some() && Format::of_file_name(name) == forced;
    let searched = format!(
        "{}; --as json also finds .json, and convert --as glb also finds .glb",
        folder_extensions().join(" ")
    );
    find(paths, &Search { what: "models", searched: &searched, is_wanted: &is_wanted, skip: other_content })
}

/// Which files of a folder are wanted.
pub(crate) struct Search<'a> {
    /// The plural noun for them.
    pub(crate) what: &'a str,
    /// Their extensions, for messages.
    pub(crate) searched: &'a str,
    /// Whether a file of this name is one.
    pub(crate) is_wanted: &'a dyn Fn(&str) -> bool,
    /// For a file with such a name but other content: what it is. It is skipped.
    pub(crate) skip: fn(&Path) -> Option<String>,
}

/// For a file with the name of a model but other content: what it is.
fn other_content(path: &Path) -> Option<String> {
    meshwright::other_content(files(), path)
}

/// [`sources`] for any kind of file.
pub(crate) fn find(paths: &[PathBuf], search: &Search<'_>) -> (Vec<Source>, Vec<Problem>) {
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        let expanded = match expand(path) {
            Ok(expanded) => expanded,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        // A folder given by name must contain something; one matched by a glob may be empty.
        if let [path] = expanded.as_slice()
            && !is_glob(path)
            && is_folder(path)
        {
            files().folders().allow(path);
            let before = (found.len(), problems.len());
            walk(&Arc::from(path.as_path()), search, &mut found, &mut problems);
            if before == (found.len(), problems.len()) {
                let place = if assets::is_archive(path) { "in this archive" } else { "in this folder" };
                let message = format!("no {} {place}", search.what);
                problems.push(Problem::system(
                    path,
                    message,
                    Some(&format!("searched for {}", search.searched)),
                ));
            }
            continue;
        }
        for path in expanded {
            if is_folder(&path) {
                files().folders().allow(&path);
                walk(&Arc::from(path.as_path()), search, &mut found, &mut problems);
            } else {
                found.push(Source { path, folder: None });
            }
        }
    }
    (found, problems)
}

fn is_glob(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?', '[']))
}

const GLOB: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Files that a glob matches on disk, in archives and in the mounted game; `None` if the path is not a glob.
fn matches(path: &Path) -> Option<Vec<PathBuf>> {
    let pattern = path.to_str().filter(|_| is_glob(path))?;
    // Entries that cannot be read are not matches. Given by name, they are reported with the reason.
    let on_disk = |pattern: &str| {
        let options = glob::MatchOptions { case_sensitive: false, ..glob::MatchOptions::new() };
        glob::glob_with(pattern, options).into_iter().flatten().flatten()
    };
    let mut found: Vec<PathBuf> = match in_archives(pattern) {
        // Everything up to the archive is on disk.
        Some((archive, inner)) => {
            let archives = on_disk(archive).filter(|path| path.is_file());
            archives.flat_map(|archive| below(&archive, inner)).collect()
        }
        None => on_disk(pattern).collect(),
    };
    if found.is_empty()
        && let Some(game) = files().game().filter(|_| path.is_relative())
    {
        found = below(game.folder(), pattern);
    }
    Some(found)
}

/// Splits a glob after the first part that is the name of an archive.
fn in_archives(pattern: &str) -> Option<(&str, &str)> {
    let mut ends = pattern.match_indices(['/', '\\']).map(|(at, _)| at);
    let is_archive =
        |at: &usize| assets::is_archive(Path::new(&pattern[..*at])) && !Path::new(&pattern[..*at]).is_dir();
    ends.find(is_archive).map(|at| (&pattern[..at], &pattern[at + 1..]))
}

/// Files below a folder or in an archive that a glob matches.
fn below(top: &Path, pattern: &str) -> Vec<PathBuf> {
    // `**.mdx` means `**/*.mdx`: the pattern of one folder and of all below it.
    let pattern = pattern.replace('\\', "/");
    let parts = pattern.split('/').map(|part| match part.strip_prefix("**") {
        Some(rest) if !rest.is_empty() => format!("**/*{}", rest.trim_start_matches('*')),
        _ => part.to_owned(),
    });
    let Ok(pattern) = glob::Pattern::new(&parts.collect::<Vec<_>>().join("/")) else { return Vec::new() };
    let fits = |path: &Path| {
        let inner = path.strip_prefix(top).unwrap_or(path).to_string_lossy().replace('\\', "/");
        pattern.matches_with(&inner, GLOB)
    };
    files().walk(top).into_iter().filter(|path| fits(path)).collect()
}

/// The problem of a path that does not exist, with a suggestion.
fn missing(path: &Path) -> Problem {
    if let Some((_, archive, inner)) = files().archive_of(path) {
        let names = archive.entries().iter().map(|entry| entry.path.as_str());
        let note = nearest(names, &inner).map(|name| format!("did you mean {name}?"));
        return Problem::system(path, "no such file in the archive", note.as_deref());
    }
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let note = similar(path).map(|name| format!("did you mean {}?", name.display()));
            Problem::system(path, "no such file or folder", note.as_deref())
        }
        Err(error) => Problem::system(path, error.to_string(), None),
        Ok(_) => Problem::system(path, "cannot be read: not a file or folder", None),
    }
}

/// A file in the same folder with a similar name: other case, other extension, or a typing error.
fn similar(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let lower = |name: &OsStr| name.to_string_lossy().to_lowercase();
    let stem = lower(path.file_stem()?);
    let mut names: Vec<_> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let same_stem = |name: &&OsString| Path::new(name).file_stem().is_some_and(|other| lower(other) == stem);
    if let Some(name) = names.iter().find(same_stem) {
        return Some(path.with_file_name(name));
    }
    let name = nearest(names.iter().filter_map(|name| name.to_str()), &path.file_name()?.to_string_lossy())?;
    Some(path.with_file_name(name))
}

/// The most similar name, ignoring case; `None` if no name is similar.
pub(crate) fn nearest<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Option<&'n str> {
    let wanted = wanted.to_lowercase();
    let distances = names.map(|name| (strsim::osa_distance(&name.to_lowercase(), &wanted), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    // One typing error in five letters.
    (distance <= wanted.chars().count().div_ceil(5)).then_some(name)
}

fn walk(top: &Arc<Path>, search: &Search<'_>, found: &mut Vec<Source>, problems: &mut Vec<Problem>) {
    meshwright::walk(files(), top, search.is_wanted, &search.skip, &mut |walked| match walked {
        Walked::File(path) => found.push(Source { path, folder: Some(top.clone()) }),
        Walked::Skipped(path, what) => {
            crate::report::detail(&format!("skipped {}: {what}", show(&path)));
        }
        Walked::Failed(path, error) => problems.push(Problem::of(&path, error)),
    });
}

fn folder_extensions() -> Vec<String> {
    let formats = FORMATS.iter().filter(|format| format.in_folders);
    formats.flat_map(|format| format.extensions).map(|extension| format!(".{extension}")).collect()
}

impl Source {
    /// Its name, to print.
    pub(crate) fn name(&self) -> String {
        show(&self.path)
    }

    /// Where it is, unless it comes from standard input.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(self.path.as_path()).filter(|path| !is_standard(path))
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Problem> {
        if is_standard(&self.path) {
            return standard_input();
        }
        let bytes = read(&self.path)?;
        // A pointer is not a file of any format, even if a format is forced.
        match Content::of(&bytes) {
            Some(Content::GitLfs) => Err(git_lfs(&self.path)),
            _ => Ok(bytes),
        }
    }

    /// The format of its bytes: as forced, by content, or by name.
    pub(crate) fn format(
        &self,
        bytes: &[u8],
        forced: Option<&'static Format>,
    ) -> Result<&'static Format, Problem> {
        let name = self.path.file_name().map(|name| name.to_string_lossy());
        let detect =
            || Format::detect(bytes, name.as_deref()).map_err(|error| Problem::of(&self.path, error.into()));
        forced.map_or_else(detect, Ok)
    }

    /// Reads its bytes as a model.
    pub(crate) fn parse<'a>(
        &self,
        bytes: &'a [u8],
        forced: Option<&'static Format>,
    ) -> Result<Parsed<'a>, Problem> {
        let format = self.format(bytes, forced)?;
        format.read(bytes).map_err(|error| self.problem(bytes, error.into()))
    }

    /// An error of the library about this file.
    pub(crate) fn problem(&self, bytes: &[u8], error: meshwright::Error) -> Problem {
        let mut problem = Problem::of(&self.path, error);
        if let ProblemKind::Content { error, shown } = &mut problem.kind
            && error.diagnostic().code == "MDL-TEXT"
        {
            *shown = explain_mdl(bytes, &self.name());
        }
        problem
    }
}

/// Whether a file on disk is a Git LFS pointer.
fn is_git_lfs(path: &Path) -> bool {
    // Before opening: opening a pipe waits for somebody to write into it.
    if !path.is_file() {
        return false;
    }
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    read.is_ok() && Content::of(&start) == Some(Content::GitLfs)
}

/// The problem of a Git LFS pointer.
fn git_lfs(path: &Path) -> Problem {
    Problem::system(
        path,
        "a Git LFS pointer, not a model or texture",
        Some("run `git lfs pull` to fetch the file"),
    )
}

fn standard_input() -> Result<Vec<u8>, Problem> {
    read_all(io::stdin().lock()).map_err(|error| Problem::system(Path::new("-"), error.to_string(), None))
}

/// The syntax errors of an MDL text with their lines; `None` if there are none.
fn explain_mdl(text: &[u8], name: &str) -> Option<String> {
    /// More errors than this are only counted.
    const SHOWN: usize = 20;
    let (_, mut found) = mdl::parse(text);
    found.retain(|found| found.severity == Severity::Error);
    let more = found.len().saturating_sub(SHOWN);
    found.truncate(SHOWN);
    let shown = check::output::snippets(&found, text, name, crate::report::colours_on_stderr());
    let shown = shown.trim_end();
    match (shown.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(shown.to_owned()),
        (false, more) => Some(format!("{shown}\nand {more} more")),
    }
}

impl Inputs {
    pub(crate) fn sources(&self) -> (Vec<Source>, Vec<Problem>) {
        sources(&self.paths, self.forced)
    }
}
