//! Findings as text, JSON, SARIF and GitHub annotations. Nothing here prints.

mod github;
mod json;
mod sarif;
mod snippet;
mod text;

use std::collections::BTreeMap;

use record::Severity;

use crate::{Applied, Report};

pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use snippet::{Mark, snippets};
pub use text::{headline, text};

/// The findings about one file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Its path, as the user knows it.
    pub path: String,
    /// The findings; or why it could not be read.
    pub result: Result<Report, record::Diagnostic>,
    /// For a file that is text, where each of the findings stands in it.
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

    /// Every finding about the file, each with its place in the text if the file is text and it has one.
    pub fn marked(&self) -> impl Iterator<Item = (&record::Diagnostic, Option<&Mark>)> {
        let marks = self.marks.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        self.diagnostics().iter().zip(marks)
    }

    /// Whether findings are about lines, not bytes.
    pub(crate) fn is_text(&self) -> bool {
        !self.marks.is_empty()
    }
}

/// How often each rule found something, and how bad it is: for the end of a long run.
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
    /// Repairs made.
    pub applied: usize,
}

/// The findings of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub findings: usize,
    /// In how many files.
    pub files: usize,
    /// How bad the worst of them is.
    pub worst: Severity,
}

impl Summary {
    /// Counts a file in.
    pub fn add(&mut self, file: &FileReport) {
        self.files += 1;
        self.unreadable += usize::from(file.result.is_err());
        self.applied += file.applied.len();
        let mut seen = std::collections::BTreeSet::new();
        // Why a file could not be read is no rule's finding.
        for finding in file.result.iter().flat_map(|report| &report.diagnostics) {
            let none = Tally { findings: 0, files: 0, worst: finding.severity };
            let tally = self.rules.entry(finding.code.to_string()).or_insert(none);
            tally.findings += 1;
            tally.files += usize::from(seen.insert(finding.code.clone()));
            tally.worst = tally.worst.max(finding.severity);
            let at = match finding.severity {
                Severity::Error => 0,
                Severity::Warning => 1,
                Severity::Info => 2,
                Severity::Hint => 3,
            };
            self.severities[at] += 1;
        }
    }
}

/// One line per rule, the worst first and then the most frequent, then the totals.
impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(_, tally)| std::cmp::Reverse((tally.worst, tally.findings)));
        for (code, Tally { findings, files, worst }) in rules {
            let summary = crate::rule(code).map_or("", |rule| rule.summary);
            writeln!(f, "{findings:>7} in {files:>5} files  {:<7}  {code:<16} {summary}", worst.word())?;
        }
        let [errors, warnings, infos, hints] = self.severities;
        write!(f, "{} files, {} unreadable: ", self.files, self.unreadable)?;
        write!(f, "{errors} errors, {warnings} warnings, {infos} infos, {hints} hints")?;
        if self.applied > 0 {
            write!(f, "; {} repairs", self.applied)?;
        }
        Ok(())
    }
}
