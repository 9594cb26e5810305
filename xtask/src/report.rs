//! The steps of a command: a heading and a time for each, and a summary in the last line.

use std::process::ExitCode;
use std::time::Instant;

use crate::shell::is_ci;

/// How a step ended when it did not fail.
pub(crate) enum Outcome {
    /// It passed; the text, if any, says how much was covered (`58 files`).
    Passed(String),
    /// It was not done, and why.
    Skipped(String),
}

/// What a step returns; the error says what went wrong, without a heading.
pub(crate) type StepResult = Result<Outcome, String>;

/// The outcome of a step that has nothing to add.
pub(crate) const PASSED: StepResult = Ok(Outcome::Passed(String::new()));

/// A program or package that a step needs is not on this machine, and why. The step is skipped; in CI it fails.
#[derive(Debug)]
pub(crate) struct Missing(pub(crate) String);

impl Missing {
    /// What a step returns that cannot do without it.
    pub(crate) fn outcome(self) -> StepResult {
        if is_ci() { Err(self.0) } else { Ok(Outcome::Skipped(self.0)) }
    }
}

/// The results of the steps of one command.
pub(crate) struct Report {
    chore: &'static str,
    started: Instant,
    passed: Vec<String>,
    skipped: Vec<String>,
    failed: Vec<String>,
}

impl Report {
    pub(crate) fn new(chore: &'static str) -> Self {
        Self { chore, started: Instant::now(), passed: Vec::new(), skipped: Vec::new(), failed: Vec::new() }
    }

    /// Runs one step. After a failure the caller decides whether the next one still makes sense: see [`Self::is_sound`].
    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce() -> StepResult) {
        println!("\n== {name}");
        let started = Instant::now();
        let result = work();
        let seconds = started.elapsed().as_secs_f64();
        match result {
            Ok(Outcome::Passed(detail)) => {
                let detail = if detail.is_empty() { detail } else { format!(" ({detail})") };
                println!("-- {name}: passed{detail} in {seconds:.1} s");
                self.passed.push(format!("{name}{detail}"));
            }
            Ok(Outcome::Skipped(why)) => {
                println!("-- {name}: SKIPPED, {why}");
                self.skipped.push(format!("{name} ({why})"));
            }
            Err(problem) => {
                println!("-- {name}: FAILED after {seconds:.1} s: {problem}");
                self.failed.push(name.to_owned());
            }
        }
    }

    /// Whether no step has failed so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.failed.is_empty()
    }

    /// The last line.
    fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (verdict, steps) in
            [("FAILED", &self.failed), ("passed", &self.passed), ("skipped", &self.skipped)]
        {
            if !steps.is_empty() {
                parts.push(format!("{verdict}: {}", steps.join(", ")));
            }
        }
        format!("{}: {}", self.chore, parts.join("; "))
    }

    /// Prints the last line; the exit code is 1 after any failure.
    pub(crate) fn finish(self) -> ExitCode {
        println!("\n{} [{:.0} s]", self.summary(), self.started.elapsed().as_secs_f64());
        if self.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_what_passed_and_what_did_not() {
        let mut report = Report::new("test");
        report.step("format", || PASSED);
        report.step("corpus", || Ok(Outcome::Passed("58 files".to_owned())));
        report.step("judges", || Ok(Outcome::Skipped("no node".to_owned())));
        assert_eq!(report.summary(), "test: passed: format, corpus (58 files); skipped: judges (no node)");
        assert!(report.is_sound());

        report.step("lints", || Err("one warning".to_owned()));
        assert_eq!(
            report.summary(),
            "test: FAILED: lints; passed: format, corpus (58 files); skipped: judges (no node)"
        );
        assert!(!report.is_sound());
    }
}
