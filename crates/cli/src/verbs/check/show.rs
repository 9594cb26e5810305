//! Printing findings as they are found, in every form, in bounded memory.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use meshwright::check::output::{self, FileReport, Summary};
use meshwright::check::{Applied, Baseline, Diagnostic, Game, Report, Severity};
use serde_json::Value;

use crate::args::{CheckArgs, CheckFormat, Common};
use crate::exit::{self, Outcome};
use crate::input::Problem;
use crate::report::{self, DIM, GOOD, JsonList, Printer, Text, counted};
use crate::work::JobOutput;

/// Number of findings that are shown for each rule and file, unless --verbose is given.
const SHOWN: usize = 3;

/// Rules about files that were not found. One file is missed by many models, so that of several models these findings are listed by message.
const MISSING_FILES: [&str; 4] = ["W3D-FILES-001", "W3D-FILES-002", "W3D-FILES-003", "MDX-FILES-003"];

/// How deep the elements of the list are in the JSON or SARIF document.
const fn depth(format: CheckFormat) -> usize {
    match format {
        CheckFormat::Sarif => 4,
        _ => 2,
    }
}

/// Output settings.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) args: &'a CheckArgs,
    pub(super) common: Common,
    /// Whether several files are checked.
    pub(super) is_many: bool,
}

/// The part of a result that is needed after its text is rendered.
#[derive(Default)]
pub(super) struct Rest {
    summary: Summary,
    /// The game that was guessed, and why.
    guess: Option<(Game, String)>,
    /// The codes of the findings that are shown.
    codes: BTreeSet<String>,
    /// Every finding, if a baseline is written.
    recorded: Vec<Diagnostic>,
    /// Files that were not found: rule, severity and message of each.
    missing: Vec<(String, Severity, String)>,
    /// The report itself, if how much of it is shown depends on other files.
    report: Option<FileReport>,
}

impl View<'_> {
    /// Renders the findings of a file.
    pub(super) fn render(
        self,
        result: Result<FileReport, Problem>,
        path: &Path,
        baseline: Option<&Baseline>,
    ) -> JobOutput<Rest> {
        let mut made = JobOutput::<Rest>::default();
        let mut file = match result {
            Ok(file) => file,
            Err(problem) => {
                if self.args.format == CheckFormat::Text {
                    made.err = report::rendered_problem(&problem);
                }
                FileReport {
                    path: problem.file.strip_prefix("./").unwrap_or(&problem.file).to_owned(),
                    result: Err(problem.into()),
                    is_text: false,
                    marks: Vec::new(),
                    applied: Vec::new(),
                }
            }
        };
        let rest = &mut made.result;
        if let Some(baseline) = baseline {
            file.retain(|finding| {
                !baseline.knows(path, finding) || {
                    rest.summary.known += 1;
                    false
                }
            });
        }
        if self.args.write_baseline.is_some() {
            rest.recorded = file.result.iter().flat_map(|report| report.diagnostics.clone()).collect();
            file.retain(|_| false);
        }
        rest.summary.add(&file);
        if let Ok(Report { profile, guessed_because: Some(reason), .. }) = &file.result {
            rest.guess = Some((*profile, reason.clone()));
        }
        let least = Severity::from(self.args.severity);
        file.retain(|finding| finding.severity >= least);
        let missing = file.diagnostics().iter().filter(|finding| self.is_listed_at_end(finding));
        rest.missing = missing
            .map(|finding| (finding.code.to_string(), finding.severity, finding.message.clone()))
            .collect();
        rest.codes = file.diagnostics().iter().map(|finding| finding.code.to_string()).collect();
        if self.args.max_findings.is_some() {
            rest.report = Some(file);
        } else {
            made.out = self.text(&file);
        }
        made
    }

    /// Whether a finding is about a missing file and is listed with its like.
    fn is_listed_at_end(self, finding: &Diagnostic) -> bool {
        self.is_many
            && !self.common.verbose
            && self.args.max_findings.is_none()
            && self.args.format == CheckFormat::Text
            && MISSING_FILES.contains(&&*finding.code)
    }

    /// A file's findings in their final form; for JSON and SARIF elements of the list.
    fn text(self, file: &FileReport) -> Vec<u8> {
        let depth = depth(self.args.format);
        match self.args.format {
            CheckFormat::Text => report::rendered(|out| self.print(file, out)),
            CheckFormat::Json => report::json_part(&output::json_file(file), depth),
            CheckFormat::Sarif => elements(&output::sarif_results(file), depth),
            CheckFormat::Github => {
                output::github(file).into_iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
            }
        }
    }

    fn print(self, file: &FileReport, out: &mut Text) -> io::Result<()> {
        let fixed = if self.args.dry_run { "would fix" } else { "fixed" };
        let all = self.common.verbose || self.args.max_findings.is_some();
        let most = if all { usize::MAX } else { SHOWN };
        let FileReport { path, result: Ok(Report { profile, guessed_because, .. }), applied, .. } = file
        else {
            return Ok(());
        };
        if self.common.verbose {
            let why =
                guessed_because.as_ref().map(|reason| format!(" (guessed: {reason})")).unwrap_or_default();
            writeln!(out, "{DIM}{path}: checked for {profile}{why}{DIM:#}")?;
        }
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for (finding, mark) in file.marked().filter(|(finding, _)| !self.is_listed_at_end(finding)) {
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
            let more = report::thousands(count - most);
            writeln!(out, "{path}: {DIM}and {more} more of {code} (--verbose shows all){DIM:#}")?;
        }
        for Applied { code, path: part, message } in applied {
            let part = if part.is_empty() { "the file" } else { part };
            writeln!(out, "{path}: {GOOD}{fixed}[{code}]{GOOD:#} {part}: {message}")?;
        }
        Ok(())
    }
}

/// Elements of a list at a depth, with commas between them.
fn elements(values: &[Value], depth: usize) -> Vec<u8> {
    let parts: Vec<Vec<u8>> = values.iter().map(|value| report::json_part(value, depth)).collect();
    parts.join(format!(",\n{}", "  ".repeat(depth)).as_bytes())
}

/// The output as it grows.
pub(super) struct Show<'a> {
    view: View<'a>,
    printer: Printer,
    list: JsonList,
    summary: Summary,
    /// By game: how many files were guessed to be for it, and why the first.
    games: BTreeMap<Game, (usize, String)>,
    codes: BTreeSet<String>,
    /// Files that were not found, and by how many models and the first of them.
    missing: BTreeMap<(String, Severity, String), (usize, String)>,
    /// How many findings may still be shown.
    room: usize,
    hidden: usize,
    baseline: Option<(PathBuf, Baseline)>,
}

impl<'a> Show<'a> {
    pub(super) fn begin(view: View<'a>, baseline: Option<(PathBuf, Baseline)>) -> io::Result<Self> {
        let format = view.args.format;
        let mut printer = if format == CheckFormat::Text { Printer::text() } else { Printer::data() };
        match format {
            CheckFormat::Json => JsonList::open_files(&mut printer, output::JSON_SCHEMA)?,
            CheckFormat::Sarif => write!(
                printer,
                "{{\n  \"$schema\": \"{}\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {{\n      \"results\": [",
                output::SARIF_SCHEMA
            )?,
            CheckFormat::Text | CheckFormat::Github => {}
        }
        Ok(Self {
            view,
            printer,
            list: JsonList::at(depth(format)),
            summary: Summary::default(),
            games: BTreeMap::new(),
            codes: BTreeSet::new(),
            missing: BTreeMap::new(),
            room: view.args.max_findings.unwrap_or(usize::MAX),
            hidden: 0,
            baseline,
        })
    }

    /// Prints the result for a file.
    pub(super) fn take(&mut self, mut made: JobOutput<Rest>, path: &Path) -> io::Result<()> {
        let rest = &mut made.result;
        self.summary.merge(&rest.summary);
        if let Some((game, reason)) = rest.guess.take() {
            self.games.entry(game).or_insert((0, reason)).0 += 1;
        }
        self.codes.append(&mut rest.codes);
        let mut seen = BTreeSet::new();
        for missing in rest.missing.drain(..).filter(|missing| seen.insert(missing.clone())) {
            self.missing.entry(missing).or_insert_with(|| (0, shown(path))).0 += 1;
        }
        if let Some((_, list)) = &mut self.baseline {
            rest.recorded.iter().for_each(|finding| list.add(path, finding));
        }
        if let Some(mut file) = rest.report.take() {
            self.cut(&mut file);
            made.out = self.view.text(&file);
        }
        match self.view.args.format {
            CheckFormat::Json | CheckFormat::Sarif => {
                if !made.out.is_empty() {
                    self.list.push(&mut self.printer, &made.out)?;
                }
                self.printer.message(&made.err)
            }
            CheckFormat::Text | CheckFormat::Github => self.printer.print(&made),
        }
    }

    /// Removes findings above the limit. The reason why a file cannot be read is always shown.
    fn cut(&mut self, file: &mut FileReport) {
        let (room, hidden) = (&mut self.room, &mut self.hidden);
        file.retain(|_| match room.checked_sub(1) {
            Some(less) => {
                *room = less;
                true
            }
            None => {
                *hidden += 1;
                false
            }
        });
    }

    /// Ends the document and prints the summary.
    pub(super) fn end(mut self) -> exit::Result {
        let (args, common) = (self.view.args, self.view.common);
        match args.format {
            CheckFormat::Json => {
                self.list.end(&mut self.printer)?;
                self.printer.write_all(b",\n  \"summary\": ")?;
                self.printer.write_all(&report::json_part(&output::json_summary(&self.summary), 1))?;
                self.printer.write_all(b"\n}\n")?;
            }
            CheckFormat::Sarif => {
                self.list.end(&mut self.printer)?;
                self.printer.write_all(b",\n      \"tool\": ")?;
                self.printer.write_all(&report::json_part(&output::sarif_tool(&self.codes), 3))?;
                self.printer.write_all(b"\n    }\n  ]\n}\n")?;
            }
            CheckFormat::Text | CheckFormat::Github => self.list_missing()?,
        }
        self.printer.flush()?;
        if self.codes.iter().any(|code| MISSING_FILES.contains(&code.as_str()))
            && args.format == CheckFormat::Text
            && crate::input::files().game().is_none()
        {
            report::note(
                common,
                "--game DIR, or `game` in meshwright.toml, would find the files of the game",
            );
        }
        if self.hidden > 0 {
            report::note(common, &format!("{} not shown", counted(self.hidden, "finding", "findings")));
        }
        if let Some(guesses) = self.guesses().filter(|_| !common.verbose) {
            report::note(common, &guesses);
        }
        if let Some((path, list)) = &self.baseline {
            if let Err(problem) =
                crate::output::write_below(path.parent().unwrap_or(path), path, list.to_text().as_bytes())
            {
                report::problem(&problem);
                return Ok(Outcome::Unreadable);
            }
            let findings = counted(list.len(), "known finding", "known findings");
            report::note(common, &format!("{findings} written to {}", shown(path)));
        }
        report::note(common, &self.summary.to_text(args.severity.into()));
        let [errors, ..] = self.summary.severities;
        Ok(match (self.summary.unreadable, errors) {
            (0, 0) => Outcome::Fine,
            (0, _) => Outcome::Findings,
            _ => Outcome::Unreadable,
        })
    }

    /// Lists the files that were not found, those that most models lack first.
    fn list_missing(&mut self) -> io::Result<()> {
        let mut missing: Vec<_> = std::mem::take(&mut self.missing).into_iter().collect();
        missing.sort_by_key(|((code, ..), (count, _))| (code.clone(), std::cmp::Reverse(*count)));
        for ((code, severity, message), (count, first)) in missing {
            let style = report::style(severity);
            let message = meshwright::record::printable(&message);
            let models = match count {
                1 => first,
                _ => format!("{} models, the first is {first}", report::thousands(count)),
            };
            let word = severity.word();
            let line = report::rendered(|out| {
                writeln!(out, "{style}{word}[{code}]{style:#} {message} {DIM}({models}){DIM:#}")
            });
            self.printer.write_all(&line)?;
        }
        Ok(())
    }

    /// The games that were guessed.
    fn guesses(&self) -> Option<String> {
        let mut names: Vec<String> = self
            .games
            .iter()
            .map(|(profile, (count, _))| format!("{} for {profile}", report::thousands(*count)))
            .collect();
        match (names.as_mut_slice(), self.games.values().next()?) {
            ([one], (1, reason)) => {
                Some(format!("checked {} (guessed: {reason})", one.trim_start_matches("1 ")))
            }
            (several, _) => Some(format!("checked {} (guessed from the files)", several.join(", "))),
        }
    }
}

/// A path from the current folder, if it is below it.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    crate::input::path_text(path.strip_prefix(current).unwrap_or(path))
}
