//! `test`, `ci` and `bless`: the checks that must pass before a change is merged.

use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{cargo, program, root, run, works};
use crate::{bombs, corpus, docs, fuzz, judges, packages, release, site, web, window};

/// The golden-file tests rewrite their files when this is set.
const BLESS: &str = "MESHWRIGHT_BLESS";

/// Folder of real files, next to the checkout.
const CORPUS: &str = "../shared/corpus";

type Step = fn() -> StepResult;

/// Tests of our files with programs of other projects. Each step is skipped if its programs cannot be installed.
const JUDGES: [(&str, Step); 4] = [
    ("judges", judges::judge),
    ("glTF in Blender", judges::blender_samples),
    ("starters in Blender", judges::blender_starters),
    ("textures by other decoders", judges::textures_written),
];

/// Tests that use the viewer like a person.
const VIEWER: [(&str, Step); 2] =
    [("window of the viewer", window::judge), ("page of the viewer", web::judge)];

/// All checks that need only the repository. Stops at the first failure.
pub(crate) fn test(mut report: Report) -> Report {
    let steps: [(&str, Step); 11] = [
        ("format", || run(&mut cargo("fmt --all --check")).and(PASSED)),
        ("lints", || run(&mut cargo("clippy --workspace --all-targets -- -D warnings")).and(PASSED)),
        ("rustdoc", || {
            let mut doc = cargo("doc --workspace --no-deps --quiet");
            run(doc.env("RUSTDOCFLAGS", "-D warnings")).and(PASSED)
        }),
        ("generated docs", docs::check),
        ("tests", run_tests),
        ("doc examples", || run(&mut cargo("test --workspace --doc --quiet")).and(PASSED)),
        ("features", packages::features),
        ("packages", packages::packages),
        ("package manifests", release::manifests::check),
        ("fuzz targets", fuzz::check),
        ("site", site::site),
    ];
    // Last, because it takes longest.
    let bombs: (&str, Step) = ("bombs", bombs::check);
    for (name, work) in steps.into_iter().chain(JUDGES).chain(VIEWER).chain([bombs]) {
        if report.is_sound() {
            report.step(name, work);
        }
    }
    report
}

/// Only the judges. A failure does not stop the others.
pub(crate) fn judges(mut report: Report) -> Report {
    JUDGES.into_iter().chain(VIEWER).for_each(|(name, work)| report.step(name, work));
    report
}

/// The window and the page of the viewer. A failure of one does not stop the other.
pub(crate) fn viewer(mut report: Report) -> Report {
    VIEWER.into_iter().for_each(|(name, work)| report.step(name, work));
    report
}

/// `test`, then the real files if they exist.
pub(crate) fn ci(report: Report) -> Report {
    let mut report = test(report);
    let files = root().join(CORPUS);
    if files.is_dir() {
        return if report.is_sound() { corpus::corpus(report, &files) } else { report };
    }
    report.step("corpus", || Ok(Outcome::Skipped(format!("there is no {CORPUS}"))));
    report
}

/// Lets the golden-file tests (those with `golden` in their path) rewrite their files, and shows what changed.
pub(crate) fn bless(mut report: Report) -> Report {
    report.step("golden files", || {
        run(cargo("test --workspace --quiet golden").env(BLESS, "1"))?;
        run(program("git").args(["status", "--short"]))?;
        Ok(Outcome::Passed("review the changes listed above with `git diff`".to_owned()))
    });
    report
}

/// Uses nextest if it is installed, because it is faster. Doc examples are a separate step. Without `--all-targets`, cargo builds the
/// programs in `examples` as programs, which a test runs.
fn run_tests() -> StepResult {
    if works(&mut cargo("nextest --version")) {
        run(&mut cargo(
            "nextest run --workspace --no-fail-fast --status-level fail --final-status-level slow",
        ))?;
        return Ok(Outcome::Passed("cargo-nextest".to_owned()));
    }
    run(&mut cargo("test --workspace --quiet"))?;
    Ok(Outcome::Passed("cargo test".to_owned()))
}
