//! `ci`: every check, in two lanes side by side.
//!
//! Two builds in one target folder wait for each other, so one lane has all the steps that call cargo. The other lane runs the programs that
//! were built: other readers, Blender, a browser, hostile files, real files. Each of its steps is a process of its own, `cargo xtask ci STEP`,
//! whose output is printed when it ends, so that the output of the lanes does not mix.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{cargo, root, run, works};
use crate::test::Step;
use crate::{
    blender, bombs, corpus, docs, fuzz, judges, packages, programs, release, site, test, web, wheel, window,
};

/// Folder of real files, next to the checkout.
const CORPUS: &str = "../shared/corpus";

/// How often the running steps are listed while nothing else is printed by us.
const HEARTBEAT: Duration = Duration::from_secs(60);

/// Until the programs of [`BESIDE`] are built.
const PROGRAMS: [Step; 3] =
    [("format", test::format), ("release build", programs::build_release), ("programs", programs::build_dev)];

/// Until [`LATER`] has the page, and the files that a test writes.
const TESTS: [Step; 3] =
    [("tests", || test::run_tests("")), ("samples", test::samples), ("page", web::build_page)];

/// The other steps that call cargo.
const CHECKS: [Step; 12] = [
    ("Python package", wheel::check),
    ("extension in Blender", blender::check),
    ("lints", || test::lint("")),
    ("rustdoc", site::rustdoc),
    ("generated docs", docs::check),
    ("doc examples", || test::run_doc_examples("")),
    ("features", packages::features),
    ("packages", packages::packages),
    ("package manifests", release::manifests::check),
    ("fuzz targets", fuzz::check),
    ("site", site::site),
    ("dependencies", dependencies),
];

/// What takes long to download, so that it does not wait for the builds.
const INSTALL: [Step; 1] = [("tools of the judges", judges::install_all)];

/// Steps that run [`PROGRAMS`] and do not call cargo. The hostile files come first, because they keep all cores busy, and tests with a time
/// limit run later.
const BESIDE: [Step; 7] = [
    ("bombs", bombs::check),
    ("corpus", || Err("it has steps of its own".to_owned())),
    ("glTF in Blender", judges::blender_samples),
    ("starters in Blender", judges::blender_starters),
    ("edits in Blender", judges::blender_edits),
    ("textures by other decoders", judges::textures_written),
    ("window of the viewer", window::judge),
];

/// The same, after [`TESTS`].
const LATER: [Step; 2] = [("judges", judges::judge), ("page of the viewer", web::judge)];

/// All steps.
fn steps() -> impl Iterator<Item = Step> {
    PROGRAMS.into_iter().chain(TESTS).chain(CHECKS).chain(INSTALL).chain(BESIDE).chain(LATER)
}

/// The step of [`BESIDE`] that consists of others.
const CORPUS_STEP: &str = "corpus";

/// All steps, or those with these names, one after the other. No further step is started after a failure.
pub(crate) fn ci(report: Report, names: &[&str]) -> Report {
    if names.is_empty() {
        return Lanes::new(report).run();
    }
    let known: Vec<Step> = steps().collect();
    let mut report = report;
    for name in names {
        if !report.is_sound() {
            break;
        }
        report = match known.iter().find(|(known, _)| known == name) {
            Some((CORPUS_STEP, _)) => real_files(report),
            Some((name, work)) => one(report, name, *work),
            None => {
                let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                one(report, name, || Err(format!("no such step; there are: {}", names.join(", "))))
            }
        };
    }
    report
}

/// Only the judges. A failure does not stop the others.
pub(crate) fn judges(report: Report) -> Report {
    let judges = BESIDE.into_iter().chain(LATER).filter(|(name, _)| ![CORPUS_STEP, "bombs"].contains(name));
    judges.fold(report, |report, (name, work)| one(report, name, work))
}

/// The window and the page of the viewer. A failure of one does not stop the other.
pub(crate) fn viewer(report: Report) -> Report {
    let viewer = BESIDE.into_iter().chain(LATER).filter(|(name, _)| name.ends_with("of the viewer"));
    viewer.fold(report, |report, (name, work)| one(report, name, work))
}

fn one(mut report: Report, name: &str, work: impl FnOnce() -> StepResult) -> Report {
    report.step(name, work);
    report
}

fn real_files(report: Report) -> Report {
    let files = root().join(CORPUS);
    if files.is_dir() {
        return corpus::corpus(report, &files);
    }
    one(report, CORPUS_STEP, || Ok(Outcome::Skipped(format!("there is no {CORPUS}"))))
}

/// Known vulnerabilities and licences of dependencies. The database of advisories is on the network, which not every machine has.
fn dependencies() -> StepResult {
    if !works(&mut cargo("deny --version")) {
        let why = "cargo-deny is not installed (cargo install cargo-deny --locked)";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    if works(&mut cargo("deny fetch")) {
        return run(&mut cargo("deny check")).and(PASSED);
    }
    run(&mut cargo("deny check bans licenses sources"))?;
    Ok(Outcome::Passed("without advisories: the database cannot be reached".to_owned()))
}

/// Both lanes, and what they share.
struct Lanes {
    report: Mutex<Report>,
    /// The steps that are running, and since when.
    running: Mutex<Vec<(&'static str, Instant)>>,
    /// Whether the programs could not be built. After any other failure the rest runs, so that one run shows all failures.
    is_stopped: AtomicBool,
}

impl Lanes {
    fn new(report: Report) -> Self {
        Self {
            report: Mutex::new(report),
            running: Mutex::new(Vec::new()),
            is_stopped: AtomicBool::new(false),
        }
    }

    fn run(self) -> Report {
        thread::scope(|scope| {
            let (ended, wait_for_end) = mpsc::channel::<()>();
            let (done, wait) = mpsc::channel::<()>();
            let lanes = &self;
            scope.spawn(move || {
                while wait_for_end.recv_timeout(HEARTBEAT) == Err(RecvTimeoutError::Timeout) {
                    lanes.show_running();
                }
            });
            let beside = scope.spawn(move || {
                for steps in [&INSTALL[..], &BESIDE, &LATER] {
                    steps.iter().for_each(|(name, _)| lanes.beside(name));
                    // Until the other lane has what the next ones need.
                    let _ = wait.recv();
                }
            });
            for (index, steps) in [&PROGRAMS[..], &TESTS, &CHECKS].into_iter().enumerate() {
                steps.iter().for_each(|step| lanes.here(*step));
                if index == 0 && !lanes.is_sound() {
                    lanes.is_stopped.store(true, Ordering::Relaxed);
                }
                // It can only fail after a panic, which is reported below.
                let _ = done.send(());
            }
            drop(done);
            if beside.join().is_err() {
                lanes.report().add("the lane of the programs", Err("it panicked".to_owned()), Duration::ZERO);
            }
            drop(ended);
        });
        self.report.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a step in this process.
    fn here(&self, (name, work): Step) {
        self.timed(name, |started| {
            println!("\n== {name}");
            let result = work();
            self.report().add(name, result, started.elapsed());
        });
    }

    /// Runs a step in a process of its own, and prints its output when it, or a part of it, ends.
    fn beside(&self, name: &'static str) {
        self.timed(name, |started| {
            println!("\n== {name}: started beside the builds");
            let result = self.child(name);
            self.report().add(name, result, started.elapsed());
        });
    }

    fn timed(&self, name: &'static str, work: impl FnOnce(Instant)) {
        if self.is_stopped.load(Ordering::Relaxed) {
            return;
        }
        let started = Instant::now();
        self.running().push((name, started));
        work(started);
        self.running().retain(|(running, _)| *running != name);
    }

    fn child(&self, name: &str) -> StepResult {
        let explain = |error: std::io::Error| error.to_string();
        let (reader, writer) = std::io::pipe().map_err(explain)?;
        let mut command = Command::new(std::env::current_exe().map_err(explain)?);
        command.args(["ci", name]).env(programs::BUILT, "1").stdin(Stdio::null());
        command.stdout(writer.try_clone().map_err(explain)?).stderr(writer);
        let mut child = command.spawn().map_err(explain)?;
        // The command has the other end of the pipe; with it open, the output would never end.
        drop(command);
        let (mut block, mut verdict, mut skipped) = (String::new(), None, Vec::new());
        for line in BufReader::new(reader).split(b'\n') {
            let line = line.map_err(explain)?;
            let line = String::from_utf8_lossy(&line);
            if let Some(whole) = line.strip_prefix(&format!("-- {name}: ")) {
                // The caller prints this line.
                verdict = Some(whole.to_owned());
            }
            // After it comes a summary of one step.
            if verdict.is_none() {
                block.push_str(&line);
                block.push('\n');
            }
            if let Some(part) = line.strip_prefix("-- ") {
                let skip = part.split_once(": SKIPPED, ");
                skipped.extend(skip.map(|(part, why)| format!("{part} skipped: {why}")));
                print!("{block}");
                block.clear();
            }
        }
        print!("{block}");
        let passed = child.wait().map_err(explain)?.success();
        match verdict.as_deref() {
            Some(verdict) if passed => Ok(outcome(verdict)),
            Some(verdict) => Err(verdict.split_once(": ").map_or(verdict, |(_, problem)| problem).to_owned()),
            None if passed => Ok(Outcome::Passed(skipped.join("; "))),
            None => Err("see its output above".to_owned()),
        }
    }

    fn show_running(&self) {
        let running = self.running();
        let steps: Vec<String> = running
            .iter()
            .map(|(name, since)| format!("{name} ({:.0} min)", since.elapsed().as_secs_f64() / 60.0))
            .collect();
        println!(".. running: {}", steps.join(", "));
    }

    fn is_sound(&self) -> bool {
        self.report().is_sound()
    }

    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, Vec<(&'static str, Instant)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outcome that a line of a report tells.
fn outcome(verdict: &str) -> Outcome {
    if let Some(why) = verdict.strip_prefix("SKIPPED, ") {
        return Outcome::Skipped(why.to_owned());
    }
    let detail = verdict.strip_prefix("passed (").and_then(|rest| rest.rsplit_once(") in "));
    Outcome::Passed(detail.map_or("", |(detail, _)| detail).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_steps_have_the_same_name() {
        let mut names: Vec<&str> = steps().map(|(name, _)| name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn lines_of_a_report_are_read() {
        let read = |line| match outcome(line) {
            Outcome::Passed(detail) => format!("passed {detail}"),
            Outcome::Skipped(why) => format!("skipped {why}"),
        };
        assert_eq!(read("passed in 1.0 s"), "passed ");
        assert_eq!(read("passed (58 files (all)) in 1.0 s"), "passed 58 files (all)");
        assert_eq!(read("SKIPPED, no node"), "skipped no node");
    }

    #[test]
    fn an_unknown_step_is_a_failure() {
        assert!(!ci(Report::new("ci"), &["lint"]).is_sound());
    }
}
