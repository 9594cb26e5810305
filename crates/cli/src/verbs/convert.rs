//! `convert`: one format to another.

mod beside;
pub(crate) mod options;
pub(crate) mod target;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use meshwright::scene::{Note, NoteKind};
use meshwright::{
    ConvertOptions, Format, GeometryFormat, Target, Workspace, Written, WrittenFrom, is_texture_name,
};

use crate::args::{Common, ConvertArgs, SearchArgs};
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, Problem, Search, Source, is_standard, path_text};
use crate::losses::Losses;
use crate::output;
use crate::report::{self, Printer};
use crate::work::{self, JobOutput};

use self::beside::Beside;

/// One file to be made from another.
struct Task {
    from: Source,
    to: PathBuf,
    target: Target,
}

pub(crate) fn convert(args: &ConvertArgs, common: Common) -> exit::Result {
    let is_target = |name: &str| Target::of_file_name(name).is_ok();
    let file = args.out_dir.as_deref().and_then(|out| output::named_file(out, &args.paths, is_target));
    let (tasks, problems) = match (&args.out_dir, args.paths.as_slice()) {
        (Some(_), [from]) if let Some(file) = file => (vec![one(args, from, file)?], Vec::new()),
        (Some(folder), _) => into_folder(args, folder)?,
        (None, [from, to]) => (vec![one(args, from, to)?], Vec::new()),
        (None, _) => {
            return Err(Failure::Usage(
                "expected one input and one output file; for many files give --out-dir DIR and --to FORMAT"
                    .to_owned(),
            ));
        }
    };
    problems.iter().for_each(report::problem);
    if !args.force {
        refuse_inputs(&tasks, args)?;
    }
    let workspace = match workspace(args, &tasks) {
        Ok(workspace) => workspace,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let mut failed = problems.len();
    let mut lossy = 0;
    let mut losses = Losses::default();
    let mut printer = Printer::data();
    let beside = Beside::new(&tasks, args.force);
    let work = |task: &Task| task.made(args, common, &workspace, &beside);
    work::in_order(&tasks, args.jobs, common, work, |task, made| {
        printer.print(&made)?;
        match made.result {
            Ok(done) => {
                lossy += usize::from(done.refused);
                losses.add(&task.from, done.losses, common);
            }
            Err(Failed) => failed += 1,
        }
        Ok(())
    })?;
    printer.flush()?;
    losses.list(common);
    if lossy > 0 {
        let files = report::counted(lossy, "file was", "files were");
        report::error(&format!("{files} not written: --strict forbids lossy conversion"));
    }
    if args.out_dir.is_some() {
        let files = report::counted(tasks.len() + problems.len(), "file", "files");
        let converted = tasks.len() + problems.len() - failed - lossy;
        report::note(common, &format!("{files}, {converted} converted, {} failed", failed + lossy));
    }
    Ok(match (failed, lossy) {
        (1.., _) => Outcome::Unreadable,
        (0, 1..) => Outcome::Findings,
        (0, 0) => Outcome::Fine,
    })
}

/// The files to search. Other formats than those of scenes need no search.
fn workspace(args: &ConvertArgs, tasks: &[Task]) -> Result<Workspace, Problem> {
    let has_scene = |task: &&Task| {
        let name = task.from.path.file_name().unwrap_or_default().to_string_lossy();
        task.options(args).needs_scene(&name)
    };
    let sources: Vec<Source> = tasks.iter().filter(has_scene).map(|task| task.from.clone()).collect();
    let nothing = SearchArgs::default();
    let search = if sources.is_empty() { &nothing } else { &args.gltf.search };
    search.workspace(&sources)
}

/// The result of a successful task.
struct Done {
    losses: Vec<Note>,
    /// Not written, because the conversion would be lossy.
    refused: bool,
    /// The files that were written.
    files: Vec<PathBuf>,
    /// The changes that were found for an original.
    edits: Vec<String>,
}

/// The task failed; the reason has been reported.
struct Failed;

impl Task {
    /// The file to be written, unless it is standard output.
    fn file(&self) -> Option<&Path> {
        Some(self.to.as_path()).filter(|to| !is_standard(to))
    }

    /// Converts, and returns the text to print.
    fn made(
        &self,
        args: &ConvertArgs,
        common: Common,
        workspace: &Workspace,
        beside: &Beside<'_>,
    ) -> JobOutput<Result<Done, Failed>> {
        match self.run(args, workspace, beside) {
            Ok((done, out)) => {
                let line = |file: &PathBuf| format!("{} -> {}\n", self.from.name(), path_text(file));
                let files = done.files.iter().map(line);
                let edits = done.edits.iter().map(|edit| format!("  changed: {edit}\n"));
                let err: String = files.chain(edits).filter(|_| common.verbose).collect();
                JobOutput { out, err: err.into(), result: Ok(done) }
            }
            Err(problem) => {
                JobOutput { out: Vec::new(), err: report::rendered_problem(&problem), result: Err(Failed) }
            }
        }
    }

    /// What is written, and how.
    fn options(&self, args: &ConvertArgs) -> ConvertOptions {
        ConvertOptions {
            read_as: args.forced,
            force: args.force,
            onto: args.onto.clone(),
            file_name: self.file().and_then(|to| Some(to.file_name()?.to_string_lossy().into_owned())),
            scale: args.gltf.scale,
            gltf: args.gltf.options(),
            mdx: args.mdx.options(),
            w3d: args.author.w3d(),
            // Standard output has no place for further files.
            write_textures: args.author.write_textures.clone().filter(|_| self.file().is_some()),
            geometry: args.geometry.options(),
            ..ConvertOptions::new(self.target)
        }
    }

    fn convert(&self, args: &ConvertArgs, workspace: &Workspace) -> Result<Written, Problem> {
        let bytes = self.from.bytes()?;
        let path = self.from.file();
        match self.target {
            Target::Texture(format) => workspace
                .convert_texture(&bytes, path, format, &args.textures.options(args.strict))
                .map_err(|error| texture_problem(&self.from, &bytes, error)),
            _ => workspace
                .convert(&bytes, path, &self.options(args))
                .map_err(|error| self.from.problem(&bytes, error)),
        }
    }

    /// Reads and writes. Data for standard output is returned, because tasks run in any order.
    fn run(
        &self,
        args: &ConvertArgs,
        workspace: &Workspace,
        beside: &Beside<'_>,
    ) -> Result<(Done, Vec<u8>), Problem> {
        let mut written = self.convert(args, workspace)?;
        let refused = args.strict && written.report.has_losses();
        let losses = std::mem::take(&mut written.report).into_notes();
        let edits = std::mem::take(&mut written.edits);
        let mut done = Done { losses, refused, files: Vec::new(), edits };
        if refused {
            return Ok((done, Vec::new()));
        }
        if is_standard(&self.to) {
            return Ok((done, written.bytes));
        }
        beside.claim(self, &written)?;
        let named_folder = args.out_dir.as_deref().filter(|folder| *folder != self.to);
        let folder = named_folder.or(self.to.parent()).unwrap_or(Path::new(""));
        // The user did not name these files, so links are not followed.
        let write_unnamed = |to: &Path, bytes: &[u8]| output::write_below(folder, to, bytes);
        // The main file is written last: once it exists, the files that it refers to exist.
        for (name, bytes) in &written.others {
            let to = self.to.with_file_name(name);
            write_unnamed(&to, bytes)?;
            done.files.push(to);
        }
        let main = match (&written.renamed, named_folder) {
            (Some(name), _) => {
                let to = self.to.with_file_name(name);
                write_unnamed(&to, &written.bytes)?;
                let message = format!("written as {name}, because the game looks for the model there");
                let own = self.to.file_name().unwrap_or_default().to_string_lossy().into_owned();
                done.losses.push(Note::new(NoteKind::Assumed, own, message));
                to
            }
            (None, Some(folder)) => {
                output::write_below(folder, &self.to, &written.bytes)?;
                self.to.clone()
            }
            (None, None) => {
                output::write(&self.to, &written.bytes)?;
                self.to.clone()
            }
        };
        done.files.insert(0, main);
        Ok((done, Vec::new()))
    }
}

/// Why a texture cannot be converted.
fn texture_problem(source: &Source, bytes: &[u8], error: meshwright::Error) -> Problem {
    use meshwright::texture::Error::{MissingLevel, Unrecognised};
    match &error {
        meshwright::Error::Texture { source: Unrecognised, .. } => {
            let Ok(format) = Format::detect(bytes, None) else { return Problem::of(&source.path, error) };
            let message = format!("not a texture: it is a {} file", format.name.to_uppercase());
            let note = match format.in_folders {
                true => "`meshwright render IN OUT.png` draws a model".to_owned(),
                false => format!("convert it to one of {}", target::names()),
            };
            Problem::system(&source.path, message, Some(&note))
        }
        meshwright::Error::Texture { source: error @ MissingLevel(_), .. } if bytes.starts_with(b"BLP0") => {
            let note = "the pixels of a BLP0 texture are in separate files: .b00, .b01 and so on";
            Problem::system(&source.path, error.to_string(), Some(note))
        }
        _ => Problem::of(&source.path, error),
    }
}

/// What folders are searched for if textures are to be converted.
const TEXTURES: Search<'static> = Search {
    what: "textures",
    searched: ".blp .dds .tga .png .jpg .jpeg",
    is_wanted: &is_texture_name,
    skip: |_| None,
};

/// `convert IN OUT`.
fn one(args: &ConvertArgs, from: &Path, to: &Path) -> exit::Result<Task> {
    let from = &input::resolve(from);
    if input::is_folder(from) || to.is_dir() {
        let folder = if to.is_dir() { to } else { from };
        return Err(Failure::Usage(format!(
            "{} is {}; give --out-dir DIR and --to FORMAT to convert many files",
            path_text(folder),
            if folder.is_dir() { "a folder" } else { "an archive or a folder in one" }
        )));
    }
    let by_name = || Target::of_file_name(&to.file_name()?.to_string_lossy()).ok();
    let target = args.to.or_else(by_name).ok_or_else(|| {
        let (name, formats) = (input_name(to), target::names());
        Failure::Usage(format!(
            "cannot write {name}: unknown format; supported: {formats}; or give --to FORMAT"
        ))
    })?;
    let in_files = |format: &Format| format.written_from == WrittenFrom::SceneInFiles;
    if is_standard(to) && matches!(target, Target::Model(format) if in_files(format)) {
        return Err(Failure::Usage(
            "cannot write .gltf to standard output, because it has several files; give --to glb".to_owned(),
        ));
    }
    if is_standard(to) && target.is_w3d() && args.author.has_several_files() {
        return Err(Failure::Usage(
            "cannot write several files to standard output; give --split never".to_owned(),
        ));
    }
    if is_standard(to) && matches!(target, Target::Geometry(GeometryFormat::Obj)) {
        return Err(Failure::Usage(
            "cannot write .obj to standard output, because it has several files; give --to ply or --to stl"
                .to_owned(),
        ));
    }
    Ok(Task { from: Source { path: from.clone(), folder: None }, to: to.to_owned(), target })
}

fn input_name(path: &Path) -> String {
    if is_standard(path) { "standard output".to_owned() } else { path_text(path) }
}

/// `convert PATH... --out-dir DIR --to FORMAT`.
fn into_folder(args: &ConvertArgs, folder: &Path) -> exit::Result<(Vec<Task>, Vec<Problem>)> {
    let Some(target) = args.to else {
        return Err(Failure::Usage("--out-dir requires --to FORMAT".to_owned()));
    };
    let (sources, mut problems) = match target {
        Target::Texture(_) => input::find(&args.paths, &TEXTURES),
        _ => input::sources(&args.paths, args.forced),
    };
    let (paths, collisions) = paths_below(folder, sources, target.extension());
    problems.extend(collisions);
    let tasks = paths.into_iter().map(|(from, to)| Task { from, to, target }).collect();
    Ok((tasks, problems))
}

/// The sources, each with the file below an output folder that is made of it; and the sources that would overwrite another's file.
pub(crate) fn paths_below(
    folder: &Path,
    sources: Vec<Source>,
    extension: &str,
) -> (Vec<(Source, PathBuf)>, Vec<Problem>) {
    let path = |source: &Source, whole_name| folder.join(path_of(source, extension, whole_name));
    let mut claims: HashMap<Vec<u8>, usize> = HashMap::new();
    for source in &sources {
        *claims.entry(input::folded(&path(source, false))).or_default() += 1;
    }
    // `tank.w3d` and `TANK.WLT` would both become `tank.json` on some file systems: such files keep their extensions.
    let is_claimed = |path: &Path| claims.get(&input::folded(path)).is_some_and(|claims| *claims > 1);
    let to = |source: &Source| Some(path(source, false)).filter(|to| !is_claimed(to));
    output::without_collisions(sources, |source| Some(to(source).unwrap_or_else(|| path(source, true))))
}

/// The path below the output folder: as below the folder it was found in, with the new extension.
fn path_of(source: &Source, extension: &str, whole_name: bool) -> PathBuf {
    if is_standard(&source.path) {
        return PathBuf::from(format!("stdin.{extension}"));
    }
    let relative = source.folder.as_ref().and_then(|folder| source.path.strip_prefix(folder).ok());
    let relative = relative.or_else(|| source.path.file_name().map(Path::new)).unwrap_or(&source.path);
    let name = relative.file_name().unwrap_or_default();
    let stem = relative.file_stem().filter(|_| !whole_name && is_known(&name.to_string_lossy()));
    // A name need not be UTF-8, and stays as it is.
    let mut name = stem.unwrap_or(name).to_owned();
    name.push(".");
    name.push(extension);
    relative.with_file_name(name)
}

/// Whether the extension of a file name is that of a format.
fn is_known(name: &str) -> bool {
    Format::of_file_name(name).is_some() || is_texture_name(name)
}

/// Refuses to overwrite an input file.
fn refuse_inputs(tasks: &[Task], args: &ConvertArgs) -> exit::Result<()> {
    if args.out_dir.as_ref().is_some_and(|folder| !folder.exists()) {
        return Ok(());
    }
    match output::input_at_risk(tasks, |task| &task.from.path, Task::file, args.jobs) {
        Some(input) => {
            let name = input.from.name();
            Err(Failure::Usage(format!("{name} is an input file; give --force to overwrite it")))
        }
        None => Ok(()),
    }
}
