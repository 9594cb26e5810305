//! `verify`: reads files, writes them back, and compares the bytes.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright::Difference;
use meshwright::archive::Archive;
use serde_json::{Value, json};

use crate::args::{Common, VerifyArgs};
use crate::exit::{self, Outcome};
use crate::input::{self, Problem, Source};
use crate::report::{self, BAD, DIM, GOOD, JsonList, Printer, WARN, counted};
use crate::work::{self, JobOutput};

/// The result for one file.
struct Verdict {
    file: String,
    format: Option<&'static str>,
    size: usize,
    result: Result<(), Fault>,
}

enum Fault {
    Unreadable(Problem),
    Differs(Difference),
}

#[derive(Default)]
struct Counts {
    identical: usize,
    differ: usize,
    unreadable: usize,
}

impl Counts {
    const fn add(&mut self, result: Outcome) {
        match result {
            Outcome::Fine => self.identical += 1,
            Outcome::Findings => self.differ += 1,
            Outcome::Unreadable => self.unreadable += 1,
        }
    }

    const fn outcome(&self) -> Outcome {
        match self {
            Self { unreadable: 1.., .. } => Outcome::Unreadable,
            Self { differ: 1.., .. } => Outcome::Findings,
            _ => Outcome::Fine,
        }
    }

    const fn files(&self) -> usize {
        self.identical + self.differ + self.unreadable
    }
}

pub(crate) fn verify(args: &VerifyArgs, common: Common) -> exit::Result {
    let (sources, problems) = args.inputs.sources();
    let mut counts = Counts::default();
    let mut printer = if args.json { Printer::data() } else { Printer::text() };
    let mut list = JsonList::at(2);
    if args.json {
        JsonList::open_files(&mut printer, "meshwright-verify-1")?;
    }
    let mut print = |made: &JobOutput<Outcome>| {
        if args.json { list.push(&mut printer, &made.out) } else { printer.print(made) }
    };
    let work = |source: &Source| check(source, args).made(args, common);
    work::in_order(&sources, args.jobs, common, work, |_, made| {
        counts.add(made.result);
        print(&made)
    })?;
    let archives = archives(&args.inputs.paths);
    let work = |archive: &Archived| check_archive(archive, &sources).made(args, common);
    let mut archive_counts = Counts::default();
    let mut members = 0;
    work::in_order(&archives, args.jobs, common, work, |archive, made| {
        archive_counts.add(made.result);
        members += archive.archive.entries().len();
        print(&made)
    })?;
    // An archive without models is verified too.
    let is_archive =
        |problem: &Problem| archives.iter().any(|archive| input::show(&archive.file) == problem.file);
    for problem in problems.into_iter().filter(|problem| !is_archive(problem)) {
        let (file, result) = (problem.file.clone(), Err(Fault::Unreadable(problem)));
        let made = Verdict { file, format: None, size: 0, result }.made(args, common);
        counts.add(made.result);
        print(&made)?;
    }
    let Counts { identical, differ, unreadable } = counts;
    let files = counts.files();
    if args.json {
        list.end(&mut printer)?;
        let mut summary =
            json!({ "files": files, "identical": identical, "differ": differ, "unreadable": unreadable });
        if !archives.is_empty() {
            let Counts { identical, differ, unreadable } = archive_counts;
            summary["archives"] = json!({
                "archives": archives.len(), "members": members,
                "identical": identical, "differ": differ, "unreadable": unreadable,
            });
        }
        printer.write_all(b",\n  \"summary\": ")?;
        printer.write_all(&report::json_part(&summary, 1))?;
        printer.write_all(b"\n}\n")?;
    } else if !common.quiet {
        if !archives.is_empty() {
            let Counts { identical, differ, unreadable } = archive_counts;
            let (archives, members) =
                (counted(archives.len(), "archive", "archives"), counted(members, "member", "members"));
            writeln!(
                printer,
                "{archives} with {members}, {identical} identical, {differ} differ, {unreadable} unreadable"
            )?;
        }
        let files = counted(files, "file", "files");
        writeln!(printer, "{files}, {identical} identical, {differ} differ, {unreadable} unreadable")?;
    }
    printer.flush()?;
    Ok(counts.outcome().max(archive_counts.outcome()))
}

/// An archive that the command line names.
struct Archived {
    file: PathBuf,
    archive: Arc<Archive>,
}

/// The archives among the paths of the command line.
fn archives(paths: &[PathBuf]) -> Vec<Archived> {
    let files = input::files();
    let expanded = paths.iter().filter_map(|path| input::expand(path).ok()).flatten();
    let on_disk = expanded.filter(|path| meshwright::assets::is_archive(path) && path.is_file());
    on_disk.filter_map(|file| Some(Archived { archive: files.open(&file).ok()?, file })).collect()
}

/// Reads every member that is not among the models, and writes the archive again.
fn check_archive(archived: &Archived, models: &[Source]) -> Verdict {
    let Archived { file, archive } = archived;
    let size = usize::try_from(archive.source().len()).unwrap_or(usize::MAX);
    let problem = |message: String| Fault::Unreadable(Problem::system(file, message, None));
    let models: HashSet<&Path> = models.iter().map(|source| source.path.as_path()).collect();
    let mut result = Ok(());
    for entry in archive.entries().iter().filter(|entry| !models.contains(file.join(&entry.path).as_path())) {
        if let Err(error) = archive.read(entry) {
            result = Err(problem(format!("{}: {error}", entry.path)));
            break;
        }
    }
    if let (Ok(()), Some((one, two))) = (&result, archive.overlap()) {
        result = Err(problem(format!("{} and {} overlap", one.path, two.path)));
    }
    let result = result.and_then(|()| match archive.first_difference() {
        Ok(None) => Ok(()),
        Ok(Some(at)) => {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            Err(Fault::Differs(Difference { way: "rewritten", at, sizes: (size, size) }))
        }
        Err(error) => Err(problem(error.to_string())),
    });
    Verdict { file: input::show(file), format: Some(archive.kind().name()), size, result }
}

fn check(source: &Source, args: &VerifyArgs) -> Verdict {
    let mut verdict = Verdict { file: source.name(), format: None, size: 0, result: Ok(()) };
    verdict.result = source.bytes().map_err(Fault::Unreadable).and_then(|bytes| {
        verdict.size = bytes.len();
        let parsed = source.parse(&bytes, args.inputs.forced).map_err(Fault::Unreadable)?;
        verdict.format = Some(parsed.format.name);
        let unreadable = |error| Fault::Unreadable(Problem::of(&source.path, error));
        meshwright::verify(parsed.format, &parsed.document, &bytes, args.text)
            .map_err(unreadable)?
            .map_or(Ok(()), |it| Err(Fault::Differs(it)))
    });
    verdict
}

impl Verdict {
    fn made(&self, args: &VerifyArgs, common: Common) -> JobOutput<Outcome> {
        let out = match args.json {
            true => report::json_part(&self.to_json(), 2),
            false => report::rendered(|out| self.print(out, common)),
        };
        let result = match self.result {
            Ok(()) => Outcome::Fine,
            Err(Fault::Differs(_)) => Outcome::Findings,
            Err(Fault::Unreadable(_)) => Outcome::Unreadable,
        };
        JobOutput { out, err: Vec::new(), result }
    }

    fn print(&self, out: &mut impl Write, common: Common) -> std::io::Result<()> {
        let Self { file, format, size, result } = self;
        match result {
            Ok(()) if common.verbose => {
                let format = format.unwrap_or_default();
                let size = report::thousands(*size);
                writeln!(out, "{GOOD}identical{GOOD:#}   {file} {DIM}({format}, {size} bytes){DIM:#}")
            }
            Ok(()) => Ok(()),
            Err(Fault::Differs(difference)) => {
                writeln!(out, "{WARN}differs{WARN:#}     {file}: {difference}")
            }
            Err(Fault::Unreadable(problem)) => writeln!(out, "{BAD}unreadable{BAD:#}  {problem}"),
        }
    }

    fn to_json(&self) -> Value {
        let Self { file, format, size, result } = self;
        let (word, difference, error) = match result {
            Ok(()) => ("identical", None, None),
            Err(Fault::Differs(found)) => (
                "differs",
                Some(
                    json!({ "way": found.way, "at": found.at, "before": found.sizes.0, "after": found.sizes.1 }),
                ),
                None,
            ),
            Err(Fault::Unreadable(problem)) => ("unreadable", None, Some(problem.to_json())),
        };
        json!({
            "file": file, "format": format, "size": size, "result": word,
            "difference": difference, "error": error,
        })
    }
}
