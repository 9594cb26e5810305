//! `check`: findings of the rules, and repairs.

pub(crate) mod settings;
mod show;

use std::io::{self, Write};
use std::path::Path;

use meshwright::check::output::{FileReport, Mark};
use meshwright::check::{self, FixLevel, Level, Levels, Options, Report};
use meshwright::{Evidence, Workspace, absolute, repair};

use crate::args::{CheckArgs, Common, Fix};
use crate::exit::{self, Failure, Outcome};
use crate::guesses::Guesses;
use crate::input::{self, Problem, Source};
use crate::report::{self, BOLD};
use crate::work;
use settings::{Given, Settings};
use show::{Show, View};

/// Number of codes that are suggested for an unknown one.
const SUGGESTED: usize = 3;

/// The findings in one file, with their positions if it is text.
type Found = (Report, Vec<Option<Mark>>);

pub(crate) fn check(args: &CheckArgs, common: Common) -> exit::Result {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    if args.list {
        return list(|_| true);
    }
    if args.fix.is_some() && args.paths.iter().any(|path| input::is_standard(path)) {
        return Err(Failure::Usage("cannot repair standard input in place; save it to a file".to_owned()));
    }
    let (sources, problems) = input::sources(&args.paths, args.forced);
    let settings = Settings::find(Given::of(args)?, &sources)?;
    let workspace = match args.search.workspace(&sources) {
        Ok(workspace) => Some(workspace).filter(|_| !args.no_surroundings),
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let is_guessed = |source: &Source| settings.profile(source).is_none();
    let guesses = Guesses::gather(&sources, args.forced, args.jobs, is_guessed);
    let view = View { args, common, is_many: sources.len() > 1 };
    let work = |source: &Source| {
        let result = check_one(source, args, &settings, guesses.of(source), workspace.as_ref());
        view.render(result, &absolute(&source.path), settings.baseline(source))
    };
    let mut show = Show::begin(view, settings.new_baseline(&sources)?)?;
    // A reader that stops early, such as `head`, does not stop repairs: all files are repaired, or none.
    let mut closed = None;
    work::in_order(&sources, args.jobs, common, work, |source, made| {
        match show.take(made, &absolute(&source.path)) {
            Err(error) if args.fix.is_some() && error.kind() == io::ErrorKind::BrokenPipe => {
                closed = Some(error);
                Ok(())
            }
            result => result,
        }
    })?;
    if let Some(error) = closed {
        return Err(error.into());
    }
    for problem in problems {
        show.take(view.render(Err(problem), Path::new(""), None), Path::new(""))?;
    }
    show.end()
}

fn explain(code: &str) -> exit::Result {
    let Some(rule) = check::rule(code) else {
        let mut beginning = Levels::default();
        beginning.set(code, Level::Warn);
        return match beginning.unknown().next() {
            Some(unknown) => Err(Failure::Usage(format!("no rule matches {code:?}{}", instead(unknown)))),
            None => list(|rule| beginning.of(rule.code).is_some()),
        };
    };
    let mut out = report::stdout();
    out.write_all(check::explain(rule).as_bytes())?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// Suggestions for an unknown code.
fn instead(code: &str) -> String {
    let near: Vec<&str> = check::similar(code).map(|rule| rule.code).take(SUGGESTED).collect();
    match near.as_slice() {
        [] => "; `meshwright check --list` lists all rules".to_owned(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}

fn list(wanted: impl Fn(&check::Rule) -> bool) -> exit::Result {
    let mut out = report::stdout();
    writeln!(out, "{BOLD}{:<16} {:<8} {:<9} summary{BOLD:#}", "code", "severity", "repair")?;
    for rule in check::catalogue().filter(|rule| wanted(rule)) {
        let repair = match rule.repair.map(|repair| repair.level) {
            None => "",
            Some(FixLevel::Safe) => "--fix",
            Some(FixLevel::All) => "--fix=all",
        };
        writeln!(out, "{:<16} {:<8} {repair:<9} {}", rule.code, rule.severity.word(), rule.summary)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// A path for reports. GitHub does not recognise paths that start with `./`.
fn name(path: &Path) -> String {
    input::show(path.strip_prefix(".").unwrap_or(path))
}

fn check_one(
    source: &Source,
    args: &CheckArgs,
    settings: &Settings,
    evidence: Option<&Evidence>,
    workspace: Option<&Workspace>,
) -> Result<FileReport, Problem> {
    let bytes = source.bytes()?;
    let format = source.format(&bytes, args.forced)?;
    let file_name = source.path.file_name().map(|name| name.to_string_lossy());
    let levels = settings.levels(source);
    let options = Options {
        profile: settings.profile(source),
        evidence,
        levels: Some(levels),
        file_name: file_name.as_deref().filter(|_| !input::is_standard(&source.path)),
        // A model from standard input has no neighbours.
        lookup: workspace.zip(source.file()).map(|(workspace, path)| workspace.lookup(Some(path))),
    };
    let is_text = format.name == "mdl";
    let report = |bytes: &[u8]| -> Result<Found, Problem> {
        let problem = |error| Problem::content(&source.path, error);
        // Other verbs reject text with syntax errors; here they are findings.
        if is_text {
            return check::report_mdl(bytes, &options).map_err(problem);
        }
        let parsed = format.read(bytes).map_err(problem)?;
        Ok((check::report(&parsed.document, &options), Vec::new()))
    };
    let finished = |(report, marks): Found, applied| FileReport {
        path: name(&source.path),
        result: Ok(report),
        is_text,
        marks,
        applied,
    };
    let found = report(&bytes)?;
    let Some(fix) = args.fix else { return Ok(finished(found, Vec::new())) };
    let level = match fix {
        Fix::Safe => FixLevel::Safe,
        Fix::All => FixLevel::All,
    };
    let (repaired, applied) = repair(format, &bytes, found.0.profile, levels, level)
        .map_err(|error| Problem::content(&source.path, error))?;
    if args.dry_run || repaired == bytes {
        return Ok(finished(found, applied));
    }
    // Findings refer to positions in the new file.
    let left = report(&repaired)?;
    if !args.in_place && crate::output::is_in_archive(&source.path) {
        let note = Some("use --in-place to let --fix change archives");
        return Err(Problem::system(&source.path, "not repaired: the file is in an archive", note));
    }
    crate::output::write_in_place(&source.path, repaired, args.backup)?;
    Ok(finished(left, applied))
}
