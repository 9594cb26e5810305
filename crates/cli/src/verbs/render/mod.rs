//! `render`: images and animations of models.

pub(crate) mod args;
mod font;
pub(crate) mod gallery;
mod movie;
mod sheet;
mod studio;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use meshwright::render::soft::{Background, Image, Settings};
use meshwright::scene::Note;
use meshwright::{Format, PictureStore, draw_difference};
use serde_json::{Value, json};

use crate::args::{Common, SearchArgs};
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, Problem, Source, is_standard};
use crate::losses::Losses;
use crate::output;
use crate::report::{self, JsonList, Printer};
use crate::verbs::convert::paths_below;
use crate::work::{self, JobOutput};

use self::args::RenderArgs;
use self::movie::PictureFormat;
use self::sheet::Sheet;
use self::studio::{Studio, Subject};

/// One model to be drawn.
struct Task {
    from: Source,
    to: Target,
}

/// Where its pictures go.
enum Target {
    File(PathBuf, PictureFormat),
    /// Picture by picture.
    Frames(PathBuf),
    /// Onto the contact sheet.
    Sheet,
}

impl Target {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path, _) | Self::Frames(path) => Some(path),
            Self::Sheet => None,
        }
    }

    fn is_standard(&self) -> bool {
        matches!(self, Self::File(path, _) if is_standard(path))
    }
}

/// The result for a rendered model.
struct Done {
    losses: Vec<Note>,
    /// For the contact sheet.
    image: Option<Image>,
}

/// The model could not be rendered; the reason has been reported.
struct Failed;

pub(crate) fn render(args: &RenderArgs, common: Common) -> exit::Result {
    let (tasks, problems) = tasks(args)?;
    if args.json && tasks.iter().any(|task| task.to.is_standard()) {
        return Err(Failure::Usage("cannot write both the image and --json to standard output".to_owned()));
    }
    let sources: Vec<Source> = tasks.iter().map(|task| task.from.clone()).collect();
    let workspace = match args.search.workspace(&sources) {
        Ok(workspace) => workspace,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let studio = Studio::new(args, workspace, tasks.len());
    let mut sheet = match &args.sheet {
        Some(_) => Some(Sheet::new(tasks.len(), studio.size(), args.background).map_err(Failure::Usage)?),
        None => None,
    };
    let mut printer = Printer::data();
    let mut list = JsonList::at(2);
    if args.json {
        JsonList::open_files(&mut printer, "meshwright-render-1")?;
    }
    let mut losses = Losses::default();
    let mut failed = problems.len();
    let work = |task: &Task| task.made(args, common, &studio);
    work::in_order(&tasks, args.jobs, common, work, |task, made| {
        if args.json {
            list.push(&mut printer, &made.out)?;
            printer.message(&made.err)?;
        } else {
            printer.print(&made)?;
        }
        let image = match made.result {
            Ok(done) => {
                losses.add(&task.from, done.losses, common);
                done.image
            }
            Err(Failed) => {
                failed += 1;
                None
            }
        };
        if let Some(sheet) = &mut sheet {
            sheet.add(image.as_ref(), &label(&task.from));
        }
        Ok(())
    })?;
    for problem in &problems {
        if args.json {
            list.push(&mut printer, &report::json_part(&problem_json(problem), 2))?;
        }
        report::problem(problem);
    }
    if let (Some(path), Some(sheet)) = (&args.sheet, sheet)
        && let Err(problem) = write_sheet(path, sheet, args)
    {
        report::problem(&problem);
        failed += 1;
    }
    let files = tasks.len() + problems.len();
    if args.json {
        list.end(&mut printer)?;
        let summary = json!({ "files": files, "drawn": files.saturating_sub(failed), "failed": failed });
        printer.write_all(b",\n  \"summary\": ")?;
        printer.write_all(&report::json_part(&summary, 1))?;
        printer.write_all(b"\n}\n")?;
    }
    printer.flush()?;
    if !args.json {
        losses.list(common);
        if args.out_dir.is_some() || args.sheet.is_some() {
            let counted = report::counted(files, "file", "files");
            let text = format!("{counted}, {} drawn, {failed} failed", files.saturating_sub(failed));
            report::note(common, &text);
        }
    }
    Ok(if failed > 0 { Outcome::Unreadable } else { Outcome::Fine })
}

fn problem_json(problem: &Problem) -> Value {
    json!({ "file": problem.file, "error": problem.to_json() })
}

/// The name of a model on the contact sheet.
fn label(source: &Source) -> String {
    let name = source.path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| source.name())
}

fn write_sheet(path: &Path, sheet: Sheet, args: &RenderArgs) -> Result<(), Problem> {
    let format = sheet_format(path, args).unwrap_or(PictureFormat::Png);
    let bytes = movie::still(format, sheet.finish()).map_err(|error| Problem::system(path, error, None))?;
    output::write(path, &bytes)
}

fn sheet_format(path: &Path, args: &RenderArgs) -> Option<PictureFormat> {
    args.to.or_else(|| PictureFormat::of_file_name(&path.file_name()?.to_string_lossy()))
}

/// What the command line asks for, and what of it cannot be found.
fn tasks(args: &RenderArgs) -> exit::Result<(Vec<Task>, Vec<Problem>)> {
    if let Some(folder) = &args.out_dir {
        let format = |name: &str| args.to.or_else(|| PictureFormat::of_file_name(name));
        let is_picture = |name: &str| PictureFormat::of_file_name(name).is_some();
        if let Some(file) = output::named_file(folder, &args.paths, is_picture)
            && let Some(format) = format(&file.to_string_lossy())
        {
            let from = Source { path: input::resolve(&args.paths[0]), folder: None };
            return Ok((vec![Task { from, to: Target::File(file.to_owned(), format) }], Vec::new()));
        }
        let (sources, mut problems) = input::sources(&args.paths, args.forced);
        let format = args.to.unwrap_or(PictureFormat::Png);
        let (paths, collisions) = paths_below(folder, sources, format.extension());
        problems.extend(collisions);
        let task = |(from, path)| Task { from, to: Target::File(path, format) };
        return Ok((paths.into_iter().map(task).collect(), problems));
    }
    if let Some(path) = &args.sheet {
        if sheet_format(path, args).is_none() {
            return Err(unknown_format(path));
        }
        let (sources, problems) = input::sources(&args.paths, args.forced);
        return Ok((sources.into_iter().map(|from| Task { from, to: Target::Sheet }).collect(), problems));
    }
    let (from, to) = match (&args.frames, args.paths.as_slice()) {
        (Some(folder), [from]) => (from, Target::Frames(folder.clone())),
        (Some(_), _) => {
            return Err(Failure::Usage("--frames takes one input file".to_owned()));
        }
        (None, [from, to]) => {
            let by_name = || PictureFormat::of_file_name(&to.file_name()?.to_string_lossy());
            let standard = || is_standard(to).then_some(PictureFormat::Png);
            let format = args.to.or_else(standard).or_else(by_name).ok_or_else(|| unknown_format(to))?;
            (from, Target::File(to.clone(), format))
        }
        (None, _) => {
            return Err(Failure::Usage(
                "expected one input and one output file; for many models give --out-dir DIR or --sheet FILE"
                    .to_owned(),
            ));
        }
    };
    let path = input::resolve(from);
    if input::is_folder(&path) {
        return Err(Failure::Usage(format!(
            "{} is a folder; give --out-dir DIR or --sheet FILE to render all its models",
            input::path_text(&path)
        )));
    }
    let moves = args.motion.animate || args.motion.turntable.is_some();
    if matches!(to, Target::Frames(_)) && !moves {
        return Err(Failure::Usage("--frames requires --animate or --turntable N".to_owned()));
    }
    Ok((vec![Task { from: Source { path, folder: None }, to }], Vec::new()))
}

fn unknown_format(path: &Path) -> Failure {
    Failure::Usage(format!(
        "cannot write {}; supported: .png, .gif, .webp; or give --to FORMAT",
        input::path_text(path)
    ))
}

impl Task {
    /// Renders, and returns the text to print.
    fn made(
        &self,
        args: &RenderArgs,
        common: Common,
        studio: &Studio<'_>,
    ) -> JobOutput<Result<Done, Failed>> {
        match self.run(args, studio) {
            Ok((done, mut out, facts)) => {
                let mut err = Vec::new();
                if args.json {
                    out = report::json_part(&facts, 2);
                } else if let Some(path) = self.to.path().filter(|_| common.verbose && !self.to.is_standard())
                {
                    err = format!("{} -> {}\n", self.from.name(), input::path_text(path)).into_bytes();
                }
                JobOutput { out, err, result: Ok(done) }
            }
            Err(problem) => {
                let out = if args.json { report::json_part(&problem_json(&problem), 2) } else { Vec::new() };
                JobOutput { out, err: report::rendered_problem(&problem), result: Err(Failed) }
            }
        }
    }

    /// Renders and writes. Returns the data for standard output, and the facts for `--json`.
    fn run(&self, args: &RenderArgs, studio: &Studio<'_>) -> Result<(Done, Vec<u8>, Value), Problem> {
        let subject = studio.subject(&self.from)?;
        let mut shot = subject.shot(studio)?;
        let moves = args.motion.animate || args.motion.turntable.is_some();
        let count = if moves { shot.frames(args)? } else { 1 };
        let failed = |error: String| Problem::system(&self.from.path, error, None);
        let mut out = Vec::new();
        let mut image = None;
        match &self.to {
            Target::Sheet => image = Some(shot.still(studio).map_err(failed)?),
            Target::Frames(folder) => {
                let images = (0..count).map(|number| shot.draw(studio, number, count));
                for (number, image) in images.enumerate() {
                    let format = args.to.unwrap_or(PictureFormat::Png);
                    let bytes = image.and_then(|image| movie::still(format, image)).map_err(failed)?;
                    let name = format!("{number:04}.{}", format.extension());
                    output::write_below(folder, &folder.join(name), &bytes)?;
                }
            }
            Target::File(path, format) => {
                let bytes = if moves {
                    let images = (0..count).map(|number| shot.draw(studio, number, count));
                    movie::movie(*format, images, count, args.motion.fps).map_err(failed)?
                } else {
                    let image = shot.still(studio).map_err(failed)?;
                    movie::still(*format, image).map_err(failed)?
                };
                if is_standard(path) {
                    out = bytes;
                } else if let Some(folder) = args.out_dir.as_ref().filter(|folder| *folder != path) {
                    output::write_below(folder, path, &bytes)?;
                } else {
                    output::write(path, &bytes)?;
                }
            }
        }
        let mut facts = Value::Null;
        if args.json {
            facts = shot.facts(studio);
            facts["file"] = self.from.name().into();
            facts["picture"] = self.to.path().map(|path| path.display().to_string()).into();
            facts["frames"] = count.into();
        }
        let Subject { losses, .. } = subject;
        Ok((Done { losses, image }, out, facts))
    }
}

/// Draws two models and their difference side by side, for `diff`.
pub(crate) fn pictures_of_both(
    before: &Path,
    after: &Path,
    forced: Option<&'static Format>,
    to: &Path,
) -> Result<(), Problem> {
    let sources = [before, after].map(|path| Source { path: path.to_owned(), folder: None });
    let workspace = SearchArgs::default().workspace(&sources)?;
    let settings = Settings { background: Background::Color([200; 3]), ..Settings::new(384, 384) };
    let store = PictureStore::for_picture(&settings);
    let mut drawings = Vec::with_capacity(sources.len());
    for source in &sources {
        let bytes = source.bytes()?;
        let loaded = workspace.load(&source.parse(&bytes, forced)?.document, source.file());
        drawings.push(loaded.drawing(&store, None));
    }
    let failed = |message: String| Problem::system(to, message, None);
    let [before, after] = drawings.as_slice() else { return Ok(()) };
    let images = draw_difference(before, after, &settings).map_err(|error| failed(error.to_string()))?;
    let size = [settings.width, settings.height];
    let mut sheet = Sheet::row(images.len(), size, settings.background).map_err(failed)?;
    for (image, label) in images.iter().zip(["before", "after", "difference"]) {
        sheet.add(Some(image), label);
    }
    let png = meshwright::to_png(sheet.finish()).map_err(|error| failed(error.to_string()))?;
    output::write(to, &png)
}
