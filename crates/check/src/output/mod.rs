//! Findings as text, JSON, SARIF and GitHub annotations. Nothing here prints.

mod github;
mod json;
mod sarif;
mod snippet;
mod text;

use std::collections::BTreeMap;

use record::{Diagnostic, Severity};

use crate::words::count;
use crate::{Applied, Report, Rule};

pub use crate::words::thousands;
pub use github::github;
pub use json::{JSON_SCHEMA, json, json_file, json_summary};
pub use sarif::{SARIF_SCHEMA, sarif, sarif_results, sarif_tool};
pub use snippet::{Lines, Mark, snippets};
pub use text::{headline, text};

/// The address of a rule's explanation.
///
/// ```
/// let rule = meshwright_check::rule("W3D-MESH-005").unwrap();
/// assert!(meshwright_check::output::link(rule).ends_with("/docs/rules.md#w3d-mesh-005"));
/// ```
pub fn link(rule: &Rule) -> String {
    format!("{}/blob/main/docs/rules.md#{}", env!("CARGO_PKG_REPOSITORY"), rule.code.to_ascii_lowercase())
}

/// The findings about one file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Its path, as the user knows it.
    pub path: String,
    /// The findings, or the reason why it could not be read.
    pub result: Result<Report, record::Diagnostic>,
    /// Whether the file is text, so that findings are about lines, not bytes.
    pub is_text: bool,
    /// For a text file, the place of each finding in it.
    pub marks: Vec<Option<Mark>>,
    /// What was repaired.
    pub applied: Vec<Applied>,
}

impl FileReport {
    /// Every finding about the file.
    pub fn diagnostics(&self) -> &[record::Diagnostic] {
        match &self.result {
            Ok(report) => &report.diagnostics,
            Err(unreadable) => std::slice::from_ref(unreadable),
        }
    }

    /// Every finding about the file, with its place in the text if the file is text and the place is known.
    pub fn marked(&self) -> impl Iterator<Item = (&record::Diagnostic, Option<&Mark>)> {
        let marks = self.marks.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        self.diagnostics().iter().zip(marks)
    }

    /// Keeps the findings that a test accepts. The reason why a file could not be read is always kept.
    pub fn retain(&mut self, mut wanted: impl FnMut(&Diagnostic) -> bool) {
        let Ok(report) = &mut self.result else { return };
        let kept: Vec<bool> = report.diagnostics.iter().map(&mut wanted).collect();
        let mut at = kept.iter();
        report.diagnostics.retain(|_| at.next().is_none_or(|kept| *kept));
        let mut at = kept.iter();
        self.marks.retain(|_| at.next().is_none_or(|kept| *kept));
    }

    /// Whether findings are about lines, not bytes.
    pub(crate) const fn is_text(&self) -> bool {
        self.is_text
    }
}

/// The number and the severity of findings by rule, for the end of a long run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files checked.
    pub files: usize,
    /// Files that could not be read.
    pub unreadable: usize,
    /// Findings by code.
    pub rules: BTreeMap<String, Tally>,
    /// Errors, warnings, infos, hints.
    pub severities: [usize; 4],
    /// Findings that a [`Baseline`](crate::Baseline) knows; they are not among the others.
    pub known: usize,
    /// Repairs made.
    pub applied: usize,
}

/// The findings of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Number of findings.
    pub findings: usize,
    /// In how many files.
    pub files: usize,
    /// The greatest severity among them.
    pub worst: Severity,
}

impl Summary {
    /// Adds a file.
    pub fn add(&mut self, file: &FileReport) {
        self.files += 1;
        self.unreadable += usize::from(file.result.is_err());
        self.applied += file.applied.len();
        let mut seen = std::collections::BTreeSet::new();
        // The reason why a file could not be read is not a finding of a rule.
        for finding in file.result.iter().flat_map(|report| &report.diagnostics) {
            let none = Tally { findings: 0, files: 0, worst: finding.severity };
            let tally = self.rules.entry(finding.code.to_string()).or_insert(none);
            tally.findings += 1;
            tally.files += usize::from(seen.insert(finding.code.clone()));
            tally.worst = tally.worst.max(finding.severity);
            self.severities[place(finding.severity)] += 1;
        }
    }

    /// Adds the counts of other files.
    pub fn merge(&mut self, other: &Self) {
        self.files += other.files;
        self.unreadable += other.unreadable;
        self.known += other.known;
        self.applied += other.applied;
        for (here, there) in self.severities.iter_mut().zip(other.severities) {
            *here += there;
        }
        for (code, there) in &other.rules {
            let none = Tally { findings: 0, files: 0, worst: there.worst };
            let here = self.rules.entry(code.clone()).or_insert(none);
            here.findings += there.findings;
            here.files += there.files;
            here.worst = here.worst.max(there.worst);
        }
    }

    /// A line for each rule with findings of at least this severity, the worst first and then the most frequent; then the totals.
    pub fn to_text(&self, least: Severity) -> String {
        let mut rules: Vec<_> = self.rules.iter().filter(|(_, tally)| tally.worst >= least).collect();
        rules.sort_by_key(|(_, tally)| std::cmp::Reverse((tally.worst, tally.findings)));
        let mut text = String::new();
        for (code, Tally { findings, files, worst }) in rules {
            let summary = crate::rule(code).map_or("", |rule| rule.summary);
            let files = format!("{:>5} {:<5}", thousands(*files), if *files == 1 { "file" } else { "files" });
            text += &format!(
                "{:>7} in {files}  {:<7}  {code:<16} {summary}\n",
                thousands(*findings),
                worst.word()
            );
        }
        let hidden: Vec<String> = [(Severity::Info, "info", "infos"), (Severity::Hint, "hint", "hints")]
            .into_iter()
            .filter(|(severity, ..)| *severity < least && self.severities[place(*severity)] > 0)
            .map(|(severity, one, many)| count(self.severities[place(severity)], one, many))
            .collect();
        if !hidden.is_empty() {
            text += &format!("{} not shown (--severity hint shows all)\n", hidden.join(" and "));
        }
        text + &self.totals()
    }

    /// The last line: `3 files, 2 unreadable: 2 errors, 1 warning`.
    fn totals(&self) -> String {
        let [errors, warnings, infos, hints] = self.severities;
        let mut line = count(self.files, "file", "files");
        if self.unreadable > 0 {
            line += &format!(", {} unreadable", thousands(self.unreadable));
        }
        line +=
            &format!(": {}, {}", count(errors, "error", "errors"), count(warnings, "warning", "warnings"));
        if infos > 0 {
            line += &format!(", {}", count(infos, "info", "infos"));
        }
        if hints > 0 {
            line += &format!(", {}", count(hints, "hint", "hints"));
        }
        if self.known > 0 {
            line += &format!("; {} in the baseline", count(self.known, "known finding", "known findings"));
        }
        if self.applied > 0 {
            line += &format!("; {}", count(self.applied, "repair", "repairs"));
        }
        line
    }
}

/// The index of a severity in [`Summary::severities`].
const fn place(severity: Severity) -> usize {
    match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Info => 2,
        Severity::Hint => 3,
    }
}

/// Every rule and the totals.
impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_text(Severity::Hint))
    }
}
