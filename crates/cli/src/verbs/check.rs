//! `check`: what is wrong with models for the games they are meant for, and repairing it.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assets::Resolver;
use check::output::{self, FileReport, Mark, Summary};
use check::{Applied, Config, Document, Evidence, FixLevel, Game, Level, Levels, Options, Report};
use model::Format;

use crate::args::{CheckArgs, CheckFormat, Common, Fix};
use crate::exit::{self, Outcome, Stop};
use crate::guesses::{Guesses, folder_of};
use crate::input::{self, Problem, Source};
use crate::report::{self, BOLD, DIM, GOOD};
use crate::work;

/// Repairing what a damaged part hides may need another reading for each level of it. The bound is for damaged files.
const MOST_READINGS: usize = 8;

/// So many findings of a rule are shown of each file, unless more are asked for: whoever has seen three has seen them all.
const SHOWN: usize = 3;

/// What was found in one file, with the places in it if it is text.
type Found = (Report, Vec<Option<Mark>>);

/// What became of one file.
struct Checked {
    path: String,
    result: Result<(Found, Vec<Applied>), Problem>,
}

pub(crate) fn check(args: &CheckArgs, common: Common) -> exit::Result {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    if args.list {
        return list(|_| true);
    }
    if args.fix.is_some() && args.paths.iter().any(|path| input::is_standard(path)) {
        return Err(Stop::Usage("standard input cannot be repaired in place; save it as a file".to_owned()));
    }
    let (sources, problems) = input::sources(&args.paths, args.forced);
    let settings = Settings::find(args, &sources)?;
    let resolver = match args.search.resolver(&sources) {
        Ok(resolver) => Some(resolver).filter(|_| !args.no_surroundings),
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let is_guessed = |source: &Source| settings.of(source).0.is_none();
    let guesses = Guesses::gather(&sources, args.forced, args.jobs, is_guessed);
    let mut checked = work::each(&sources, args.jobs, common, |source| Checked {
        path: name(&source.path),
        result: check_one(source, args, settings.of(source), guesses.of(source), resolver.as_ref()),
    });
    checked.extend(problems.into_iter().map(|it| Checked { path: it.file.clone(), result: Err(it) }));
    show(checked, args, common)
}

fn explain(code: &str) -> exit::Result {
    let Some(rule) = check::rule(code) else {
        let mut beginning = Levels::default();
        beginning.set(code, Level::Warn);
        return match beginning.unknown().next() {
            Some(unknown) => Err(Stop::Usage(format!("no rule is called {code:?}{}", instead(unknown)))),
            None => list(|rule| beginning.of(rule.code).is_some()),
        };
    };
    let mut out = report::stdout();
    out.write_all(check::explain(rule).as_bytes())?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// What may have been meant instead of a code that nobody has.
fn instead(code: &str) -> String {
    let near: Vec<&str> = check::similar(code).map(|rule| rule.code).take(SHOWN).collect();
    match near.as_slice() {
        [] => "; `meshwright check --list` shows all".to_owned(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}

fn list(wanted: impl Fn(&check::Rule) -> bool) -> exit::Result {
    let mut out = report::stdout();
    writeln!(out, "{BOLD}{:<16} {:<8} {:<9} what is wrong{BOLD:#}", "code", "severity", "repair")?;
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

/// A path for reports. Those who read them elsewhere, such as GitHub, know no `./`.
fn name(path: &Path) -> String {
    input::show(path.strip_prefix(".").unwrap_or(path))
}

/// What the command line and the project of each file say.
struct Settings {
    of_folders: HashMap<PathBuf, (Option<Game>, Levels)>,
    /// What to say of a file that is in no folder.
    default: (Option<Game>, Levels),
}

impl Settings {
    fn find(args: &CheckArgs, sources: &[Source]) -> exit::Result<Self> {
        let given = levels(args)?;
        let mut of_folders = HashMap::new();
        for source in sources {
            let folder = folder_of(&source.path);
            if of_folders.contains_key(folder) {
                continue;
            }
            // Only a whole path has all the folders above it.
            let start = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
            let found = Config::find(&start).map_err(|problem| Stop::Usage(problem.to_string()))?;
            let Config { profile, mut levels } = found.map(|(_, config)| config).unwrap_or_default();
            levels.extend(&given);
            of_folders.insert(folder.to_owned(), (args.profile.or(profile), levels));
        }
        Ok(Self { of_folders, default: (args.profile, given) })
    }

    fn of(&self, source: &Source) -> &(Option<Game>, Levels) {
        self.of_folders.get(folder_of(&source.path)).unwrap_or(&self.default)
    }
}

/// The levels of the command line. Of several that are about a rule the one that names it most exactly counts, then the
/// strictest, so that `--deny all --allow CODE` says what it seems to.
fn levels(args: &CheckArgs) -> exit::Result<Levels> {
    let lists = [(&args.allow, Level::Allow), (&args.warn, Level::Warn), (&args.deny, Level::Deny)];
    let mut given: Vec<(&str, Level)> = lists
        .into_iter()
        .flat_map(|(codes, level)| codes.iter().map(move |code| (code.as_str(), level)))
        .collect();
    given.sort_by_key(|(code, _)| if code.eq_ignore_ascii_case("all") { 0 } else { code.len() });
    let mut levels = Levels::default();
    given.into_iter().for_each(|(code, level)| levels.set(code, level));
    if let Some(unknown) = levels.unknown().next() {
        return Err(Stop::Usage(format!("no rule is called {unknown:?} or begins so{}", instead(unknown))));
    }
    Ok(levels)
}

fn check_one(
    source: &Source,
    args: &CheckArgs,
    (profile, levels): &(Option<Game>, Levels),
    evidence: Option<&Evidence>,
    resolver: Option<&Resolver>,
) -> Result<(Found, Vec<Applied>), Problem> {
    let bytes = source.bytes()?;
    let format = source.format(&bytes, args.forced)?;
    let file_name = source.path.file_name().map(|name| name.to_string_lossy());
    let options = Options {
        profile: *profile,
        evidence,
        levels: Some(levels),
        file_name: file_name.as_deref().filter(|_| !input::is_standard(&source.path)),
        // A model from standard input has no neighbours.
        lookup: resolver.zip(source.file()).map(|(resolver, path)| resolver.lookup(path)),
    };
    let report = |bytes: &[u8]| -> Result<Found, Problem> {
        let problem = |error| Problem::content(&source.path, error);
        // Text with mistakes is no model to other verbs; here the mistakes are what is wanted.
        if format.name == "mdl" {
            return check::report_mdl(bytes, &options).map_err(problem);
        }
        let parsed = format.read(bytes).map_err(problem)?;
        Ok((check::report(&parsed.document, &options), Vec::new()))
    };
    let found = report(&bytes)?;
    let Some(fix) = args.fix else { return Ok((found, Vec::new())) };
    let (repaired, applied) = repair(format, &bytes, found.0.profile, levels, fix)
        .map_err(|error| Problem::content(&source.path, error))?;
    if args.dry_run || repaired == bytes {
        return Ok((found, applied));
    }
    // Places of findings are those in the new file.
    let left = report(&repaired)?;
    if !args.in_place && crate::output::is_in_archive(&source.path) {
        let note = Some("--in-place allows --fix to change archives");
        return Err(Problem::system(&source.path, "it is in an archive, and was not repaired", note));
    }
    crate::output::write_in_place(&source.path, repaired)?;
    Ok((left, applied))
}

/// Repairs what the rules for the game find, except those that are off.
fn repair(
    format: &'static Format,
    bytes: &[u8],
    profile: Game,
    levels: &Levels,
    fix: Fix,
) -> Result<(Vec<u8>, Vec<Applied>), record::Error> {
    let wanted = |rule: &&check::Rule| {
        rule.repair.is_some() && rule.profiles.has(profile) && levels.of(rule.code) != Some(Level::Allow)
    };
    let codes: Vec<&str> = check::catalogue().filter(wanted).map(|rule| rule.code).collect();
    let (mut bytes, mut applied) = (bytes.to_vec(), Vec::new());
    // No codes would mean all of them.
    if codes.is_empty() {
        return Ok((bytes, applied));
    }
    let level = match fix {
        Fix::Safe => FixLevel::Safe,
        Fix::All => FixLevel::All,
    };
    for _ in 0..MOST_READINGS {
        // Of text with mistakes nobody knows what was meant.
        let Ok(parsed) = format.read(&bytes) else { break };
        let mut document = parsed.document;
        // Text is kept where nothing is repaired.
        let before = if format.name == "mdl" { Some(document.clone()) } else { None };
        let done = check::fix(&mut document, &codes, level);
        if done.is_empty() {
            break;
        }
        applied.extend(done);
        let written = match (&before, &document) {
            (Some(Document::Mdx(before)), Document::Mdx(after)) => mdx::mdl::patch(&bytes, before, after)?,
            _ => format.write(&document)?,
        };
        bytes = written;
    }
    Ok((bytes, applied))
}

fn show(checked: Vec<Checked>, args: &CheckArgs, common: Common) -> exit::Result {
    let mut files = Vec::new();
    for Checked { path, result } in checked {
        if let (Err(problem), CheckFormat::Text) = (&result, args.format) {
            report::problem(problem);
        }
        files.push(match result {
            Ok(((report, marks), applied)) => FileReport { path, result: Ok(report), marks, applied },
            Err(problem) => {
                FileReport { path, result: Err(problem.into()), marks: Vec::new(), applied: Vec::new() }
            }
        });
    }
    let mut summary = Summary::default();
    files.iter().for_each(|file| summary.add(file));
    let hidden = args.max_findings.map_or(0, |most| cut(&mut files, most));
    match args.format {
        CheckFormat::Text => print(&files, args, common)?,
        CheckFormat::Json => report::print_json(&output::json(&files))?,
        CheckFormat::Sarif => report::print_json(&output::sarif(&files))?,
        CheckFormat::Github => {
            let mut out = report::stdout();
            for line in files.iter().flat_map(output::github) {
                writeln!(out, "{line}")?;
            }
            out.flush()?;
        }
    }
    if hidden > 0 {
        report::note(common, &format!("{} not shown", report::counted(hidden, "finding", "findings")));
    }
    if let Some(guesses) = guesses(&files).filter(|_| !common.verbose) {
        report::note(common, &guesses);
    }
    report::note(common, &summary.to_string());
    let [errors, ..] = summary.severities;
    Ok(match (summary.unreadable, errors) {
        (0, 0) => Outcome::Fine,
        (0, _) => Outcome::Findings,
        _ => Outcome::Unreadable,
    })
}

/// Leaves the first findings and returns how many there were after them. What cannot be read is always told.
fn cut(files: &mut [FileReport], most: usize) -> usize {
    let (mut room, mut hidden) = (most, 0);
    for report in files.iter_mut().filter_map(|file| file.result.as_mut().ok()) {
        let shown = report.diagnostics.len().min(room);
        hidden += report.diagnostics.len() - shown;
        room -= shown;
        report.diagnostics.truncate(shown);
    }
    hidden
}

/// For which games files were checked that nobody said the game of.
fn guesses(files: &[FileReport]) -> Option<String> {
    let reports = files.iter().filter_map(|file| file.result.as_ref().ok());
    let guessed = reports.filter_map(|report| Some((report.profile, report.guessed_because.as_ref()?)));
    let mut games: BTreeMap<Game, (usize, &str)> = BTreeMap::new();
    for (profile, reason) in guessed {
        games.entry(profile).or_insert((0, reason)).0 += 1;
    }
    let mut names: Vec<String> =
        games.iter().map(|(profile, (count, _))| format!("{count} for {profile}")).collect();
    match (names.as_mut_slice(), games.values().next()?) {
        ([one], (1, reason)) => Some(format!("checked {}, guessed: {reason}", one.trim_start_matches("1 "))),
        (several, _) => Some(format!("checked {}, as guessed from the files", several.join(", "))),
    }
}

fn print(files: &[FileReport], args: &CheckArgs, common: Common) -> io::Result<()> {
    let mut out = report::stdout();
    let fixed = if args.dry_run { "would fix" } else { "fixed" };
    let most = if common.verbose || args.max_findings.is_some() { usize::MAX } else { SHOWN };
    for file in files {
        let FileReport { path, result: Ok(Report { profile, guessed_because, .. }), applied, .. } = file
        else {
            continue;
        };
        if common.verbose {
            let why =
                guessed_because.as_ref().map(|reason| format!(", guessed: {reason}")).unwrap_or_default();
            writeln!(out, "{DIM}{path}: checked for {profile}{why}{DIM:#}")?;
        }
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for (finding, mark) in file.marked() {
            let count = found.entry(&finding.code).or_default();
            *count += 1;
            if *count > most {
                continue;
            }
            let style = report::style(finding.severity);
            let [place, rule, rest] = output::headline(file, finding, mark);
            writeln!(out, "{place}{style}{rule}{style:#}{rest}")?;
            if let Some(mark) = mark {
                writeln!(out, "{}", mark.draw(true))?;
            }
        }
        for (code, count) in found.iter().filter(|(_, count)| **count > most) {
            writeln!(out, "{path}: {DIM}and {} more of {code} (--verbose shows all){DIM:#}", count - most)?;
        }
        for Applied { code, path: part, message } in applied {
            let part = if part.is_empty() { "the file" } else { part };
            writeln!(out, "{path}: {GOOD}{fixed}[{code}]{GOOD:#} {part}: {message}")?;
        }
    }
    out.flush()
}
