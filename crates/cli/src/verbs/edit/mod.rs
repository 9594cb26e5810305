//! `edit`: changes to many models, each written whole or not at all.

pub(crate) mod args;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use edit::{Replacement, Transform};
use record::Node;

use crate::args::Common;
use crate::compare::{self, compare};
use crate::exit::{self, Outcome, Stop};
use crate::input::{Problem, Source, is_standard};
use crate::output;
use crate::report::{self, NAME, counted};
use crate::verbs::diff;
use crate::work;
use args::{Change, EditArgs, Files};

/// A change to one document; it gives the number of places changed.
type Apply<'c> = dyn Fn(&mut Node<'_>) -> Result<usize, edit::Error> + Sync + 'c;

pub(crate) fn edit(args: &EditArgs, common: Common) -> exit::Result {
    match &args.change {
        Change::Rename { what, old, new, files } => {
            run(files, common, &|root| edit::rename(root, (*what).into(), old, new))
        }
        Change::Retexture { old, new, glob, regex, all_paths, files } => {
            let replacement = match (glob, regex) {
                (true, _) => Replacement::glob(old, new),
                (_, true) => Replacement::regex(old, new),
                _ => Replacement::exact(old, new),
            };
            let replacement = replacement.map_err(|error| Stop::Usage(error.to_string()))?;
            run(files, common, &|root| edit::retexture(root, &replacement, *all_paths))
        }
        Change::Scale { factors, files } => {
            run(files, common, &|root| edit::transform(root, &Transform::Scale(factors.0)))
        }
        Change::Translate { by, files } => {
            run(files, common, &|root| edit::transform(root, &Transform::Translate(by.0)))
        }
        Change::Rotate { axis, degrees, files } => {
            run(files, common, &|root| edit::transform(root, &Transform::Rotate((*axis).into(), *degrees)))
        }
        Change::Strip { what, files } => run(files, common, &|root| edit::strip(root, (*what).into())),
        Change::Set { assignment, files } => run(files, common, &|root| edit::set(root, assignment)),
    }
}

/// One file, and where its changed form goes; nowhere in a dry run.
struct Task {
    from: Source,
    to: Option<PathBuf>,
}

/// What became of a file.
enum Done {
    Unchanged,
    Changed,
    /// Changed, to be printed: the differences, or the bytes for standard output.
    Differs(Vec<compare::Change>),
    Bytes(Vec<u8>, bool),
}

fn run(files: &Files, common: Common, apply: &Apply<'_>) -> exit::Result {
    let (sources, problems) = files.inputs.sources();
    let tasks = tasks(files, sources)?;
    problems.iter().for_each(report::problem);
    let results = work::each(&tasks, files.jobs, common, |task| task.run(files, apply));
    let (mut changed, mut failed) = (0, problems.len());
    for (task, result) in tasks.iter().zip(results) {
        match result {
            Ok(Done::Unchanged) => {}
            Ok(Done::Changed) => {
                changed += 1;
                if common.verbose {
                    report::note(common, &format!("changed {}", task.from.name()));
                }
            }
            Ok(Done::Differs(changes)) => {
                changed += 1;
                let mut out = report::stdout();
                writeln!(out, "{NAME}{}{NAME:#}", task.from.name())?;
                diff::print(&changes, "  ", &mut out)?;
                out.flush()?;
            }
            Ok(Done::Bytes(bytes, differs)) => {
                changed += usize::from(differs);
                report::raw_stdout().write_all(&bytes)?;
            }
            Err(problem) => {
                failed += 1;
                report::problem(&problem);
            }
        }
    }
    let all = tasks.len() + problems.len();
    let would = if files.target.dry_run { "would change" } else { "changed" };
    let summary = format!(
        "{}, {changed} {would}, {} unchanged, {failed} failed",
        counted(all, "file", "files"),
        all - changed - failed
    );
    report::note(common, &summary);
    Ok(if failed > 0 { Outcome::Unreadable } else { Outcome::Fine })
}

impl Task {
    fn run(&self, files: &Files, apply: &Apply<'_>) -> Result<Done, Problem> {
        let bytes = self.from.bytes()?;
        let (format, mut model) = self.from.parse(&bytes, files.inputs.forced)?;
        let content = |error| Problem::content(&self.from.path, error);
        let places = apply(model.root_mut())
            .map_err(|error| Problem::system(&self.from.path, error.message, error.note.as_deref()))?;
        // What comes to the same is written as it was, also where the text of a format could be laid out otherwise.
        let written = if places == 0 { bytes.clone() } else { format.write(&model).map_err(content)? };
        drop(model);
        let differs = written != bytes;
        match &self.to {
            None if differs => {
                let before = format.read(&bytes).map_err(content)?;
                let after = format.read(&written).map_err(content)?;
                Ok(Done::Differs(compare(before.root(), after.root(), 0.0)))
            }
            Some(to) if is_standard(to) => Ok(Done::Bytes(written, differs)),
            Some(to) if differs || !files.target.in_place => {
                output::write(to, &written)?;
                Ok(if differs { Done::Changed } else { Done::Unchanged })
            }
            _ => Ok(Done::Unchanged),
        }
    }
}

/// Where each file goes.
fn tasks(files: &Files, sources: Vec<Source>) -> exit::Result<Vec<Task>> {
    let target = &files.target;
    if target.in_place && sources.iter().any(|source| is_standard(&source.path)) {
        return Err(Stop::Usage("standard input cannot be changed in place; give -o FILE".to_owned()));
    }
    if target.output.is_some() && sources.len() > 1 {
        return Err(Stop::Usage(
            "-o FILE takes one model; for many give --in-place or --out-dir DIR".to_owned(),
        ));
    }
    let to = |source: &Source| {
        if target.in_place {
            return Some(source.path.clone());
        }
        target.output.clone().or_else(|| Some(target.out_dir.as_ref()?.join(below(source))))
    };
    let tasks: Vec<Task> = sources.into_iter().map(|from| Task { to: to(&from), from }).collect();
    if target.in_place {
        return Ok(tasks);
    }
    let mut taken: BTreeMap<String, &Source> = BTreeMap::new();
    for (task, to) in tasks.iter().filter_map(|task| Some((task, task.to.as_ref()?))) {
        if let Some(other) = taken.insert(to.to_string_lossy().to_lowercase(), &task.from) {
            let (one, two) = (other.name(), task.from.name());
            return Err(Stop::Usage(format!("{one} and {two} would both become {}", to.display())));
        }
        let is_input = |other: &&Task| output::same_file(&other.from.path, to);
        if !files.force
            && to.exists()
            && let Some(input) = tasks.iter().find(is_input)
        {
            return Err(Stop::Usage(format!(
                "{} is an input; give --in-place, or --force to write over it",
                input.from.name()
            )));
        }
    }
    Ok(tasks)
}

/// The path below the output folder: as below the folder it was found in.
fn below(source: &Source) -> &Path {
    if is_standard(&source.path) {
        return Path::new("stdin");
    }
    let relative = source.folder.as_ref().and_then(|folder| source.path.strip_prefix(folder).ok());
    relative.or_else(|| source.path.file_name().map(Path::new)).unwrap_or(&source.path)
}
