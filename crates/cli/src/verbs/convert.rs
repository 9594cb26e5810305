//! `convert`: one format to another.

mod authoring;
mod beside;
mod geometry;
mod images;
pub(crate) mod options;
pub(crate) mod target;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use convert::NoteKind;
use mdx::mdl;
use model::{Document, Family, Format, Game, WrittenFrom};
use record::Error;
use scene::{Property, Scene};

use crate::args::{Common, ConvertArgs, Scale, SearchArgs};
use crate::exit::{self, Failure, Outcome};
use crate::export::{Exporter, Prepared, Written};
use crate::input::{self, Problem, Source, is_standard, path_text};
use crate::losses::{Loss, Losses};
use crate::models::{self, Opened};

use crate::output;
use crate::report::{self, Printer};
use crate::work::{self, JobOutput};

use self::authoring::{Job, Origin};
use self::beside::Beside;
use self::geometry::Request;
use self::target::{GeometryFormat, Target};

/// One file to be made from another.
struct Task {
    from: Source,
    to: PathBuf,
    target: Target,
}

pub(crate) fn convert(args: &ConvertArgs, common: Common) -> exit::Result {
    let (tasks, problems) = match &args.out_dir {
        Some(folder) => into_folder(args, folder)?,
        None => (vec![one(args)?], Vec::new()),
    };
    problems.iter().for_each(report::problem);
    if !args.force {
        refuse_inputs(&tasks, args)?;
    }
    let exporter = match exporter(args, &tasks) {
        Ok(exporter) => exporter,
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
    let work = |task: &Task| task.made(args, common, &exporter, &beside);
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

/// The glTF exporter. Other formats need no search for files.
fn exporter(args: &ConvertArgs, tasks: &[Task]) -> Result<Exporter, Problem> {
    let exported = tasks.iter().filter(|task| task.is_exported(args));
    let sources: Vec<Source> = exported.map(|task| task.from.clone()).collect();
    let nothing = SearchArgs::default();
    let search = if sources.is_empty() { &nothing } else { &args.gltf.search };
    Ok(Exporter::new(&args.gltf, search.resolver(&sources)?))
}

/// The result of a successful task.
struct Done {
    losses: Vec<Loss>,
    /// Not written, because the conversion would be lossy.
    refused: bool,
    /// The files that were written.
    files: Vec<PathBuf>,
}

/// The task failed; the reason has been reported.
struct Failed;

impl Task {
    /// Whether it needs a scene, for which other files may be read.
    fn is_exported(&self, args: &ConvertArgs) -> bool {
        match self.target {
            Target::Model(format) => {
                let name = self.from.path.file_name().unwrap_or_default().to_string_lossy();
                let from = Format::of_file_name(&name).map(|format| format.name);
                // One family becomes the other by way of its scene.
                format.written_from != WrittenFrom::Document
                    || is_mdx(format) && from == Some("w3d")
                    || is_w3d(format) && (matches!(from, Some("mdx" | "mdl")) || args.author.changes_w3d())
            }
            Target::Geometry(_) => true,
            Target::Texture(_) => false,
        }
    }

    /// The file to be written, unless it is standard output.
    fn file(&self) -> Option<&Path> {
        Some(self.to.as_path()).filter(|to| !is_standard(to))
    }

    /// Converts, and returns the text to print.
    fn made(
        &self,
        args: &ConvertArgs,
        common: Common,
        exporter: &Exporter,
        beside: &Beside<'_>,
    ) -> JobOutput<Result<Done, Failed>> {
        match self.run(args, exporter, beside) {
            Ok((done, out)) => {
                let line = |file: &PathBuf| format!("{} -> {}\n", self.from.name(), path_text(file));
                let files = done.files.iter().filter(|_| common.verbose);
                let err: String = files.map(line).collect();
                JobOutput { out, err: err.into(), result: Ok(done) }
            }
            Err(problem) => {
                JobOutput { out: Vec::new(), err: report::rendered_problem(&problem), result: Err(Failed) }
            }
        }
    }

    /// Reads and writes. Data for standard output is returned, because tasks run in any order.
    fn run(
        &self,
        args: &ConvertArgs,
        exporter: &Exporter,
        beside: &Beside<'_>,
    ) -> Result<(Done, Vec<u8>), Problem> {
        let bytes = self.from.bytes()?;
        let (written, losses) = match self.target {
            Target::Texture(format) => {
                let (bytes, losses) = args.textures.convert(&self.from, &bytes, format, args.strict)?;
                (Written { bytes, ..Written::default() }, losses)
            }
            Target::Model(_) | Target::Geometry(_) => {
                match models::open(&self.from, &bytes, args.forced, self.read_scale(args))? {
                    Opened::Document(document) => self.document(document, args, exporter)?,
                    Opened::Gltf(import) => self.import(*import, args, exporter)?,
                }
            }
        };
        let refused = args.strict && losses.iter().any(Loss::is_loss);
        let mut done = Done { losses, refused, files: Vec::new() };
        if refused {
            return Ok((done, Vec::new()));
        }
        if is_standard(&self.to) {
            return Ok((done, written.bytes));
        }
        beside.claim(self, &written)?;
        let folder = args.out_dir.as_deref().or(self.to.parent()).unwrap_or(Path::new(""));
        // The user did not name these files, so links are not followed.
        let write_unnamed = |to: &Path, bytes: &[u8]| output::write_below(folder, to, bytes);
        // The main file is written last: once it exists, the files that it refers to exist.
        for (name, bytes) in &written.others {
            let to = self.to.with_file_name(name);
            write_unnamed(&to, bytes)?;
            done.files.push(to);
        }
        let main = match (&written.renamed, &args.out_dir) {
            (Some(name), _) => {
                let to = self.to.with_file_name(name);
                write_unnamed(&to, &written.bytes)?;
                let message = format!("written as {name}, because the game looks for the model there");
                let own = self.to.file_name().unwrap_or_default().to_string_lossy().into_owned();
                done.losses.push(Loss::one(NoteKind::Assumed, own, message));
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

    /// Metres for each unit of a glTF file that is read. Files that are written as glTF again keep their units.
    fn read_scale(&self, args: &ConvertArgs) -> Option<f32> {
        let scale = args.gltf.scale?;
        match self.target {
            Target::Model(format) if format.written_from != WrittenFrom::Document => None,
            Target::Model(format) => Some(authoring::metres_per_unit(scale, format, &args.author)),
            Target::Geometry(_) | Target::Texture(_) => match scale {
                Scale::Factor(factor) => Some(factor),
                Scale::Game => Some(Game::Wc3Classic.metres_per_unit()),
            },
        }
    }

    /// A scene that becomes the model of a game.
    fn job<'j>(&'j self, args: &'j ConvertArgs, origin: Origin, properties: &'j [Property]) -> Job<'j> {
        Job { args, from: &self.from, to: self.file(), origin, properties }
    }

    fn stem(&self) -> String {
        self.to.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Converts a document of one of the games.
    fn document(
        &self,
        document: Document<'_>,
        args: &ConvertArgs,
        exporter: &Exporter,
    ) -> Result<(Written, Vec<Loss>), Problem> {
        let content = |error| Problem::content(&self.from.path, error);
        let format = match self.target {
            Target::Model(format) if self.is_authored(format, document.family(), args) => {
                let Prepared { mut scene, game, mut textures, mut losses } =
                    exporter.prepare(&self.from, &document)?;
                let job = self.job(args, Origin::of_document(&document, game), &[]);
                let mut written = match is_w3d(format) {
                    true => job.w3d(&mut scene, &mut textures)?,
                    false => job.mdx(&mut scene, format, &mut textures)?,
                };
                losses.append(&mut written.losses);
                losses.append(&mut textures.elsewhere);
                written.read = exporter.companions(&self.from, &document);
                written.read.extend(textures.files());
                return Ok((written, losses));
            }
            Target::Model(format) => format,
            Target::Geometry(format) => {
                let Prepared { scene, game, mut textures, mut losses } =
                    exporter.prepare(&self.from, &document)?;
                let stem = self.stem();
                let request = self.request(&scene, format, exporter.scale(game), args, &stem);
                let mut written = args.geometry.write(&request, &mut textures)?;
                losses.append(&mut written.losses);
                losses.append(&mut textures.elsewhere);
                written.read.extend(textures.files());
                return Ok((written, losses));
            }
            Target::Texture(_) => return Err(content(Error::new("CONVERT-FAMILY", 0..0, "not a texture"))),
        };
        let mut losses = Vec::new();
        let document = match args.mdx.to_version {
            Some(version) => {
                let (document, lost) = in_version(&document, version).map_err(content)?;
                losses = lost;
                document
            }
            None => document,
        };
        let mut written = match format.written_from {
            WrittenFrom::Document => Written {
                bytes: write(&document, format, &args.mdx.mdl()).map_err(content)?,
                ..Written::default()
            },
            from @ (WrittenFrom::Scene | WrittenFrom::SceneInFiles) => {
                exporter.write(&self.from, &document, from, &self.stem())?
            }
        };
        losses.append(&mut written.losses);
        Ok((written, losses))
    }

    /// Converts a glTF file.
    fn import(
        &self,
        import: gltf::Import,
        args: &ConvertArgs,
        exporter: &Exporter,
    ) -> Result<(Written, Vec<Loss>), Problem> {
        let mut losses = models::import_losses(&import);
        let gltf::Import { mut scene, pictures, source, properties, .. } = import;
        let mut textures = &pictures;
        let mut written = match self.target {
            Target::Geometry(format) => {
                // The scale was applied when the file was read.
                let stem = self.stem();
                let request = self.request(&scene, format, 1.0, args, &stem);
                args.geometry.write(&request, &mut textures)?
            }
            Target::Model(format) if is_mdx(format) => {
                let job = self.job(args, Origin::of_gltf(source.as_ref()), &properties);
                job.mdx(&mut scene, format, &mut textures)?
            }
            Target::Model(format) if is_w3d(format) => {
                let job = self.job(args, Origin::of_gltf(source.as_ref()), &properties);
                job.w3d(&mut scene, &mut textures)?
            }
            Target::Model(format) if format.written_from != WrittenFrom::Document => {
                let game = source.as_ref().and_then(|source| Game::named(&source.game));
                let game = game.unwrap_or(Game::Wc3Classic);
                let how = (format.written_from, self.stem());
                exporter.write_scene(&self.from, &scene, game, source, &mut textures, (how.0, &how.1))?
            }
            Target::Model(format) => {
                let message = format!("cannot convert glTF to {}", format.name);
                let error = Error::new("CONVERT-FAMILY", 0..0, message);
                let note = "supported: glb, gltf, mdx, mdl, w3d, obj, ply, stl";
                return Err(Problem::content(&self.from.path, error.with_note(note)));
            }
            Target::Texture(_) => {
                let error = Error::new("CONVERT-FAMILY", 0..0, "a glTF file, not a texture");
                return Err(Problem::content(&self.from.path, error));
            }
        };
        losses.append(&mut written.losses);
        Ok((written, losses))
    }

    fn request<'r>(
        &'r self,
        scene: &'r Scene,
        format: GeometryFormat,
        scale: f32,
        args: &ConvertArgs,
        stem: &'r str,
    ) -> Request<'r> {
        let (hidden, textures) = (args.gltf.hidden, !args.gltf.no_textures);
        Request { source: &self.from, scene, format, scale, hidden, textures, stem }
    }

    /// Whether a document is written by way of its scene.
    fn is_authored(&self, format: &Format, family: Family, args: &ConvertArgs) -> bool {
        match family {
            Family::W3d => is_mdx(format) || is_w3d(format) && args.author.changes_w3d(),
            Family::Mdx => is_w3d(format),
        }
    }
}

/// Whether a format holds documents of Warcraft III.
fn is_mdx(format: &Format) -> bool {
    matches!(format.name, "mdx" | "mdl")
}

fn is_w3d(format: &Format) -> bool {
    format.name == "w3d"
}

/// Writes a document, MDL with the options of the command line.
fn write(document: &Document<'_>, format: &Format, options: &mdl::Options) -> Result<Vec<u8>, Error> {
    match document {
        Document::Mdx(document) if format.name == "mdl" => mdl::write(document, options),
        _ => format.write(document),
    }
}

/// The model in another version of its format.
fn in_version(document: &Document<'_>, version: u32) -> Result<(Document<'static>, Vec<Loss>), Error> {
    let Document::Mdx(document) = document else {
        let message =
            format!("--to-version applies to MDX only; this is a {} model", document.family().name());
        return Err(Error::new("CONVERT-VERSION", 0..0, message));
    };
    let (document, notes) = mdx::version::convert(document, version)?;
    let losses = notes.into_iter().map(|note| Loss::one(NoteKind::LeftOut, note.path, note.message));
    Ok((document.into(), losses.collect()))
}

/// `convert IN OUT`.
fn one(args: &ConvertArgs) -> exit::Result<Task> {
    let [from, to] = args.paths.as_slice() else {
        return Err(Failure::Usage(
            "expected one input and one output file; for many files give --out-dir DIR and --to FORMAT"
                .to_owned(),
        ));
    };
    let from = &input::resolve(from);
    if input::is_folder(from) || to.is_dir() {
        let folder = if to.is_dir() { to } else { from };
        return Err(Failure::Usage(format!(
            "{} is {}; give --out-dir DIR and --to FORMAT to convert many files",
            path_text(folder),
            if folder.is_dir() { "a folder" } else { "an archive or a folder in one" }
        )));
    }
    let by_name = || Target::of_file_name(&to.file_name()?.to_string_lossy());
    let target = args.to.or_else(by_name).ok_or_else(|| {
        let (name, formats) = (input_name(to), Target::names());
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
    let has_several = |format: &Format| is_w3d(format) && args.author.has_several_files();
    if is_standard(to) && matches!(target, Target::Model(format) if has_several(format)) {
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
    Ok(Task { from: Source { path: from.clone(), folder: None }, to: to.clone(), target })
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
        Target::Model(_) | Target::Geometry(_) => input::sources(&args.paths, args.forced),
        Target::Texture(_) => input::find(&args.paths, &images::SEARCH),
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
    Format::of_file_name(name).is_some() || images::is_texture_name(name)
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
