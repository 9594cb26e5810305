//! The steps of a command: a heading and a time for each, a table of all of them, and a summary in the last line.

use std::process::ExitCode;
use std::time::{Duration, Instant};

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

/// A step that has ended.
struct Done {
    name: String,
    result: StepResult,
    time: Duration,
}

/// The results of the steps of one command.
pub(crate) struct Report {
    chore: &'static str,
    started: Instant,
    steps: Vec<Done>,
}

impl Report {
    pub(crate) fn new(chore: &'static str) -> Self {
        Self { chore, started: Instant::now(), steps: Vec::new() }
    }

    /// Runs one step. After a failure the caller decides whether the next one still makes sense: see [`Self::is_sound`].
    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce() -> StepResult) {
        println!("\n== {name}");
        let started = Instant::now();
        let result = work();
        self.add(name, result, started.elapsed());
    }

    /// Adds a step that has ended, and prints how.
    pub(crate) fn add(&mut self, name: &str, result: StepResult, time: Duration) {
        let seconds = time.as_secs_f64();
        match &result {
            Ok(Outcome::Passed(detail)) => {
                println!("-- {name}: passed{} in {seconds:.1} s", bracketed(detail));
            }
            Ok(Outcome::Skipped(why)) => println!("-- {name}: SKIPPED, {why}"),
            Err(problem) => println!("-- {name}: FAILED after {seconds:.1} s: {problem}"),
        }
        self.steps.push(Done { name: name.to_owned(), result, time });
    }

    /// Whether no step has failed so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.steps.iter().all(|step| step.result.is_ok())
    }

    /// The steps with their times, longest first. Empty for a single step, whose time is in its last line.
    fn table(&self) -> String {
        if self.steps.len() < 2 {
            return String::new();
        }
        let mut steps: Vec<&Done> = self.steps.iter().collect();
        steps.sort_by_key(|step| std::cmp::Reverse(step.time));
        let row = |step: &&Done| {
            let verdict = match &step.result {
                Ok(Outcome::Passed(_)) => "",
                Ok(Outcome::Skipped(_)) => "  skipped",
                Err(_) => "  FAILED",
            };
            format!("{:>8.1} s  {}{verdict}\n", step.time.as_secs_f64(), step.name)
        };
        steps.iter().map(row).collect()
    }

    /// The last line.
    fn summary(&self) -> String {
        let [mut failed, mut passed, mut skipped] = [const { Vec::new() }; 3];
        for Done { name, result, .. } in &self.steps {
            match result {
                Ok(Outcome::Passed(detail)) => passed.push(format!("{name}{}", bracketed(detail))),
                Ok(Outcome::Skipped(why)) => skipped.push(format!("{name} ({why})")),
                Err(_) => failed.push(name.clone()),
            }
        }
        let groups = [("FAILED", failed), ("passed", passed), ("skipped", skipped)];
        let parts: Vec<String> = groups
            .into_iter()
            .filter(|(_, steps)| !steps.is_empty())
            .map(|(verdict, steps)| format!("{verdict}: {}", steps.join(", ")))
            .collect();
        format!("{}: {}", self.chore, parts.join("; "))
    }

    /// Prints the table and the last line; the exit code is 1 after any failure.
    pub(crate) fn finish(self) -> ExitCode {
        let time = self.started.elapsed().as_secs_f64();
        println!("\n{}{} [{time:.0} s]", self.table(), self.summary());
        if self.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn bracketed(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!(" ({detail})") }
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

    #[test]
    fn the_table_has_the_longest_step_first() {
        let mut report = Report::new("test");
        report.add("format", PASSED, Duration::from_millis(1500));
        assert_eq!(report.table(), "");
        report.add("lints", Err("one warning".to_owned()), Duration::from_secs(62));
        report.add("judges", Ok(Outcome::Skipped("no node".to_owned())), Duration::ZERO);
        assert_eq!(
            report.table(),
            "    62.0 s  lints  FAILED\n     1.5 s  format\n     0.0 s  judges  skipped\n"
        );
    }
}
