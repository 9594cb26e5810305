//! `edit`: changes to many models, each written whole or not at all.

pub(crate) mod args;
mod clip;
mod clip_args;
mod look_args;
mod looks;
mod part_args;
mod parts;
mod script;
mod script_args;
mod size;
mod size_args;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use meshwright::edit::{Named, Replacement, Report, Skeletons, Transform};
use meshwright::mdx::mdl;
use meshwright::record::Node;
use meshwright::record::diff::diff;
use meshwright::{Document, Parsed};
use meshwright::{edit, record};

use crate::advice;
use crate::args::Common;
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, Problem, Source, is_standard, nearest};
use crate::output;
use crate::report::{self, NAME, Printer, counted, thousands};
use crate::verbs::diff::print as print_changes;
use crate::work::{self, JobOutput};
use args::{Change, EditArgs, Files};
use script::Context;

/// A change to one document.
type Apply<'c> = dyn Fn(&mut Node<'_>) -> Result<Report, edit::Error> + Sync + 'c;

pub(crate) fn edit(args: &EditArgs, common: Common) -> exit::Result {
    change(&args.change, Context { common, recipe: None })
}

/// Makes one change: to the files, or as a step of a recipe.
fn change(change: &Change, common: Context<'_>) -> exit::Result {
    match change {
        Change::Rename { what, old, new, files } => {
            let what = Named::from(*what);
            let sought = Sought { what: what.word(), name: old, names: &|root| edit::names(root, what) };
            let outcome = run(
                files,
                &[],
                common,
                &|root| edit::rename(root, what, old, new).map(Report::of),
                Some(sought),
            )?;
            if what == Named::Model {
                mention_files(files, old, new, *common);
            }
            Ok(outcome)
        }
        Change::Retexture { old, new, glob, regex, all_paths, files } => {
            let replacement = match (glob, regex) {
                (true, _) => Replacement::glob(old, new),
                (_, true) => Replacement::regex(old, new),
                _ => Replacement::exact(old, new),
            };
            let replacement = replacement.map_err(|error| Failure::Usage(error.to_string()))?;
            let sought = Sought { what: "texture", name: old, names: &edit::textures };
            let sought = Some(sought).filter(|_| !all_paths);
            let apply = |root: &mut Node<'_>| edit::retexture(root, &replacement, *all_paths).map(Report::of);
            run(files, &[], common, &apply, sought)
        }
        Change::Scale { factors, with, files } => {
            transform(files, with, common, &Transform::Scale(factors.0))
        }
        Change::Translate { by, with, files } => transform(files, with, common, &Transform::Translate(by.0)),
        Change::Rotate { axis, degrees, with, files } => {
            transform(files, with, common, &Transform::Rotate((*axis).into(), *degrees))
        }
        Change::Strip { what, files } => {
            run(files, &[], common, &|root| edit::strip(root, (*what).into()).map(Report::of), None)
        }
        Change::Set { assignment, and, files } => {
            let set = |root: &mut Node<'_>| {
                let all = std::iter::once(assignment).chain(and);
                let changed: Result<usize, edit::Error> =
                    all.map(|assignment| edit::set(root, assignment).map_err(advice::of_edit)).sum();
                changed.map(Report::of)
            };
            run(files, &[], common, &set, None)
        }
        Change::Remove(args) => parts::remove(args, common),
        Change::Keep(args) => parts::keep(args, common),
        Change::Add(args) => parts::add(args, common),
        Change::Clip(args) => clip::clip(args, common),
        Change::Recompute(args) => parts::recompute(args, common),
        Change::Optimise(args) => size::optimise(args, common),
        Change::Mirror(args) => looks::mirror(args, common),
        Change::Attach(args) => looks::attach(args, common),
        Change::Blend(args) => looks::blend(args, common),
        Change::Recolour(args) => looks::recolour(args, common),
        Change::Split(args) => size::split(args, common),
        Change::Merge(args) => size::merge(args, common),
        Change::Script(args) => script::script(args, common),
    }
}

/// Transforms models.
fn transform(files: &Files, with: &[PathBuf], common: Context<'_>, transform: &Transform) -> exit::Result {
    whole(files, with, common, &|root| edit::transform(root, transform).map(Report::of))
}

/// Changes whole models. A model whose skeleton is in a file that is not changed would no longer fit it: it is refused, or
/// reported in a dry run and with `--force`.
fn whole(files: &Files, with: &[PathBuf], common: Context<'_>, change: &Apply<'_>) -> exit::Result {
    let known = skeletons_of(files, with);
    let unfit = Mutex::new(BTreeSet::new());
    let apply = |root: &mut Node<'_>| {
        let Skeletons { here, elsewhere } = edit::skeletons(root);
        let is_known = |name: &String| {
            known.contains(&name.to_ascii_lowercase())
                || here.iter().any(|here| here.eq_ignore_ascii_case(name))
        };
        let missing: Vec<String> = elsewhere.into_iter().filter(|name| !is_known(name)).collect();
        if let Some(name) = missing.first().filter(|_| !files.force && !files.target.dry_run) {
            let name = record::printable(name);
            return Err(edit::Error {
                message: format!(
                    "the skeleton {name} is in another file, and the model would no longer fit it"
                ),
                note: Some("pass that file with --with, or --force to change only the model".to_owned()),
            });
        }
        let report = change(root)?;
        if let Ok(mut unfit) = unfit.lock() {
            unfit.extend(missing);
        }
        Ok(report)
    };
    let outcome = run(files, with, common, &apply, None)?;
    for name in unfit.into_inner().unwrap_or_default() {
        report::note(
            *common,
            &format!(
                "the skeleton {} is in another file and was not changed, so its models no longer fit it; pass that file with --with, or --force to change only the models",
                record::printable(&name)
            ),
        );
    }
    Ok(outcome)
}

/// The skeletons that all files of a run define, in lower case. Unreadable files are reported when they are changed.
fn skeletons_of(files: &Files, with: &[PathBuf]) -> BTreeSet<String> {
    let (sources, _) = files.inputs.sources();
    let (more, _) = input::sources(with, files.inputs.forced);
    let mut known = BTreeSet::new();
    for source in sources.iter().chain(&more).filter(|source| !is_standard(&source.path)) {
        let Ok(bytes) = source.bytes() else { continue };
        let Ok(mut parsed) = source.parse(&bytes, files.inputs.forced) else { continue };
        let Skeletons { here, .. } = edit::skeletons(parsed.document.root_mut());
        known.extend(here.iter().map(|name| name.to_ascii_lowercase()));
    }
    known
}

/// Reports files that still have the old name of a renamed model: games find a model by its file name.
fn mention_files(files: &Files, old: &str, new: &str, common: Common) {
    let (sources, _) = files.inputs.sources();
    let is_old =
        |source: &&Source| source.path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(old));
    for source in sources.iter().filter(is_old) {
        let name = source.name();
        report::note(common, &format!("games find a model by its file name: also rename {name} to {new}"));
    }
}

/// The object that a change looks for by name, and a function that lists the names of such objects.
struct Sought<'c> {
    what: &'static str,
    name: &'c str,
    names: &'c dyn Fn(&mut Node<'_>) -> Result<Vec<String>, edit::Error>,
}

impl Sought<'_> {
    /// The message if no file has it: a similar name, or the available names.
    fn hint(&self, files: &Files, tasks: &[Task]) -> Option<String> {
        /// More are not read again for a hint.
        const FILES: usize = 20;
        let readable = tasks.iter().filter(|task| !is_standard(&task.from.path)).take(FILES);
        let mut names = BTreeSet::new();
        for task in readable {
            let bytes = task.from.bytes().ok()?;
            let mut parsed = task.from.parse(&bytes, files.inputs.forced).ok()?;
            names.extend((self.names)(parsed.document.root_mut()).ok()?);
        }
        // It exists: the new name equals the old one.
        let is_there = |name: &String| {
            let short = name.rsplit_once('.').map_or(name.as_str(), |(_, short)| short);
            name.eq_ignore_ascii_case(self.name) || short.eq_ignore_ascii_case(self.name)
        };
        if names.iter().any(is_there) {
            return None;
        }
        let nearest = nearest(names.iter().map(String::as_str), self.name);
        let row = || report::row_of(names.iter().map(|name| pasteable(name)), 120);
        let instead = match (nearest, names.len()) {
            (Some(nearest), _) => format!("did you mean {}?", pasteable(nearest)),
            (None, 0) => "the files have none".to_owned(),
            (None, _) => format!("available: {}", row()),
        };
        let verb = if self.name.contains(['*', '?']) { "matches" } else { "named" };
        Some(format!("no {} {verb} {}; {instead}", self.what, pasteable(self.name)))
    }
}

/// A name in quotes, as it can be given on a command line: backslashes are not doubled.
fn pasteable(name: &str) -> String {
    let name = record::printable(name);
    if name.contains(['"', '$', '`', '!']) { format!("'{name}'") } else { format!("\"{name}\"") }
}

/// One file, and where to write the changed one; `None` in a dry run.
struct Task {
    from: Source,
    to: Option<PathBuf>,
}

/// The result for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Unchanged,
    Changed,
    Failed,
}

/// Applies a change to the files, or makes it a step of a recipe.
fn run(
    files: &Files,
    with: &[PathBuf],
    context: Context<'_>,
    apply: &Apply<'_>,
    sought: Option<Sought<'_>>,
) -> exit::Result {
    match context.recipe {
        Some(pending) => pending.next(files, with, context.common, apply),
        None => run_files(files, with, context.common, apply, sought),
    }
}

fn run_files(
    files: &Files,
    with: &[PathBuf],
    common: Common,
    apply: &Apply<'_>,
    sought: Option<Sought<'_>>,
) -> exit::Result {
    let (mut sources, mut problems) = files.inputs.sources();
    let (more, more_problems) = input::sources(with, files.inputs.forced);
    sources.extend(more);
    problems.extend(more_problems);
    let all = sources.len() + problems.len();
    let (tasks, collisions) = tasks(files, sources)?;
    problems.extend(collisions);
    problems.iter().for_each(report::problem);
    // Differences are text; a model is data.
    let mut printer = if files.target.dry_run { Printer::text() } else { Printer::data() };
    let (mut changed, mut failed) = (0, problems.len());
    let work = |task: &Task| task.made(files, common, apply);
    work::in_order(&tasks, files.jobs, common, work, |_, made| {
        changed += usize::from(made.result == Done::Changed);
        failed += usize::from(made.result == Done::Failed);
        printer.print(&made)
    })?;
    printer.flush()?;
    let would = if files.target.dry_run { "would change" } else { "changed" };
    let summary = format!(
        "{}, {} {would}, {} unchanged, {} failed",
        counted(all, "file", "files"),
        thousands(changed),
        thousands(all - changed - failed),
        thousands(failed)
    );
    report::note(common, &summary);
    if failed > 0 {
        return Ok(Outcome::Unreadable);
    }
    if changed == 0
        && let Some(hint) = sought.and_then(|sought| sought.hint(files, &tasks))
    {
        report::note(common, &hint);
        return Ok(Outcome::Findings);
    }
    Ok(Outcome::Fine)
}

impl Task {
    /// Changes the file, and returns the text to print.
    fn made(&self, files: &Files, common: Common, apply: &Apply<'_>) -> JobOutput<Done> {
        let mut notes = Vec::new();
        match self.run(files, apply, &mut notes) {
            Ok((result, out)) => {
                let tell = common.verbose && result == Done::Changed && !files.target.dry_run;
                let mut err = if tell { format!("changed {}\n", self.from.name()) } else { String::new() };
                for note in notes.iter().filter(|_| !common.quiet) {
                    err += &format!("note: {}: {note}\n", self.from.name());
                }
                JobOutput { out, err: err.into(), result }
            }
            Err(problem) => {
                JobOutput { out: Vec::new(), err: report::rendered_problem(&problem), result: Done::Failed }
            }
        }
    }

    /// The result, and the data for standard output: the differences in a dry run, or the model.
    fn run(
        &self,
        files: &Files,
        apply: &Apply<'_>,
        notes: &mut Vec<String>,
    ) -> Result<(Done, Vec<u8>), Problem> {
        let bytes = self.from.bytes()?;
        let Parsed { format, mut document, .. } = self.from.parse(&bytes, files.inputs.forced)?;
        let content = |error| Problem::content(&self.from.path, error);
        // Unchanged blocks of the text are preserved.
        let before = if format.name == "mdl" { Some(document.clone()) } else { None };
        let report = apply(document.root_mut())
            .map_err(|error| Problem::system(&self.from.path, error.message, error.note.as_deref()))?;
        *notes = report.notes;
        // An unchanged model is written with its original bytes, even if its text could be formatted differently.
        let written = match report.changed {
            0 => None,
            _ => {
                let written = match (&before, &document) {
                    (Some(Document::Mdx(before)), Document::Mdx(after)) => mdl::patch(&bytes, before, after),
                    _ => format.write(&document),
                };
                Some(written.map_err(content)?).filter(|written| *written != bytes)
            }
        };
        drop(document);
        let done = if written.is_some() { Done::Changed } else { Done::Unchanged };
        match (&self.to, written) {
            (None, None) => Ok((done, Vec::new())),
            (None, Some(written)) => {
                let before = format.read(&bytes).map_err(content)?;
                let after = format.read(&written).map_err(content)?;
                let changes = diff(before.document.root(), after.document.root(), 0.0);
                let text = report::rendered(|out| {
                    writeln!(out, "{NAME}{}{NAME:#}", self.from.name())?;
                    print_changes(&changes, "  ", out)
                });
                Ok((done, text))
            }
            (Some(to), written) if is_standard(to) => Ok((done, written.unwrap_or(bytes))),
            (Some(_), None) if files.target.in_place => Ok((done, Vec::new())),
            (Some(to), Some(written)) if files.target.in_place => {
                output::write_in_place(to, written, files.backup)?;
                Ok((done, Vec::new()))
            }
            (Some(to), written) => {
                let bytes = written.unwrap_or(bytes);
                match &files.target.out_dir {
                    Some(folder) => output::write_below(folder, to, &bytes)?,
                    None => output::write(to, &bytes)?,
                }
                Ok((done, Vec::new()))
            }
        }
    }
}

/// Where each file goes, and the files that would overwrite another.
fn tasks(files: &Files, sources: Vec<Source>) -> exit::Result<(Vec<Task>, Vec<Problem>)> {
    let target = &files.target;
    if target.in_place && sources.iter().any(|source| is_standard(&source.path)) {
        return Err(Failure::Usage("cannot change standard input in place; give --output FILE".to_owned()));
    }
    if target.output.is_some() && sources.len() > 1 {
        return Err(Failure::Usage(
            "--output FILE takes one model; for many give --in-place or --out-dir DIR".to_owned(),
        ));
    }
    let to = |source: &Source| {
        if target.in_place {
            return Some(source.path.clone());
        }
        target.output.clone().or_else(|| Some(target.out_dir.as_ref()?.join(below(source))))
    };
    let (tasks, collisions): (Vec<Task>, _) = match &target.out_dir {
        Some(_) => {
            let (paths, collisions) = output::without_collisions(sources, to);
            (paths.into_iter().map(|(from, to)| Task { from, to: Some(to) }).collect(), collisions)
        }
        None => (sources.into_iter().map(|from| Task { to: to(&from), from }).collect(), Vec::new()),
    };
    if target.in_place {
        return Ok((tasks, collisions));
    }
    let may_exist = target.out_dir.as_ref().is_none_or(|folder| folder.exists());
    if !files.force
        && may_exist
        && let Some(input) =
            output::input_at_risk(&tasks, |task| &task.from.path, |task| task.to.as_deref(), files.jobs)
    {
        let name = input.from.name();
        return Err(Failure::Usage(format!(
            "{name} is an input file; give --in-place or --force to overwrite it"
        )));
    }
    Ok((tasks, collisions))
}

/// The path below the output folder: as below the folder it was found in.
fn below(source: &Source) -> &Path {
    if is_standard(&source.path) {
        return Path::new("stdin");
    }
    let relative = source.folder.as_ref().and_then(|folder| source.path.strip_prefix(folder).ok());
    relative.or_else(|| source.path.file_name().map(Path::new)).unwrap_or(&source.path)
}
