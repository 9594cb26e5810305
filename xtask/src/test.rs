//! `test` and `bless`: what a contributor runs before a change.

use std::fs;

use crate::judges;
use crate::programs;
use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{cargo, program, run, target, works};

/// The golden-file tests rewrite their files when this is set.
const BLESS: &str = "MESHWRIGHT_BLESS";

/// The crates of the window and the page, and the Python package. The former depend on wgpu and egui, which take longer to build than everything
/// else, and the latter needs Python, so only `ci` tests them.
const ONLY_IN_CI: &str = "--exclude meshwright-gpu --exclude meshwright-viewer --exclude meshwright-python";

/// The name of a step, and what it does.
pub(crate) type Step = (&'static str, fn() -> StepResult);

/// The checks of a contributor: they need nothing but Rust, and take minutes. Stops at the first failure.
pub(crate) fn test(mut report: Report) -> Report {
    let steps: [Step; 5] = [
        ("format", format),
        ("lints", || lint(ONLY_IN_CI)),
        ("tests", || run_tests(ONLY_IN_CI)),
        ("doc examples", || run_doc_examples(ONLY_IN_CI)),
        ("samples", samples),
    ];
    for (name, work) in steps {
        if report.is_sound() {
            report.step(name, work);
        }
    }
    report
}

/// Lets the golden-file tests (those with `golden` in their path) rewrite their files, and shows what changed.
pub(crate) fn bless(mut report: Report) -> Report {
    report.step("golden files", || {
        run(cargo(&format!("test --workspace {ONLY_IN_CI} --quiet golden")).env(BLESS, "1"))?;
        run(program("git").args(["status", "--short"]))?;
        Ok(Outcome::Passed("review the changes listed above with `git diff`".to_owned()))
    });
    report
}

pub(crate) fn format() -> StepResult {
    run(&mut cargo("fmt --all --check")).and(PASSED)
}

/// Lints of all crates but the excluded.
pub(crate) fn lint(excluded: &str) -> StepResult {
    run(&mut cargo(&format!("clippy --workspace {excluded} --all-targets -- -D warnings"))).and(PASSED)
}

/// Unit and integration tests of all crates but the excluded.
///
/// Uses nextest if it is installed, because it is faster. Without `--all-targets`, cargo builds the programs in `examples` as programs,
/// which a test runs. The tools have no tests, but each of them would be linked as a test program.
pub(crate) fn run_tests(excluded: &str) -> StepResult {
    let choice = format!("--workspace {excluded} --exclude meshwright-tools");
    let (name, words) = if has_nextest() {
        ("cargo-nextest", "nextest run --no-fail-fast --status-level fail --final-status-level slow")
    } else {
        ("cargo test", "test --no-fail-fast")
    };
    let mut tests = cargo(&format!("{words} {choice}"));
    run(tests.env(judges::FIXTURES, judges::fixtures()?))?;
    Ok(Outcome::Passed(name.to_owned()))
}

fn has_nextest() -> bool {
    works(&mut cargo("nextest --version"))
}

/// The examples in the documentation of all crates but the excluded.
pub(crate) fn run_doc_examples(excluded: &str) -> StepResult {
    if !has_nextest() {
        return Ok(Outcome::Passed("run with the tests".to_owned()));
    }
    let choice = format!("--workspace {excluded} --exclude meshwright-tools");
    run(&mut cargo(&format!("test {choice} --doc --quiet"))).and(PASSED)
}

/// The program that the tests were run with, used on its samples as a new user would.
pub(crate) fn samples() -> StepResult {
    let meshwright = programs::built("meshwright", "dev")?;
    let folder = target()?.join("samples");
    // Remove the files of earlier runs.
    let _ = fs::remove_dir_all(&folder);
    let [models, glb, pictures] = ["models", "glb", "pictures"].map(|name| folder.join(name));
    run(program(&meshwright).arg("demo").arg(&models))?;
    run(program(&meshwright).args(["verify", "--text"]).arg(&models))?;
    // Others are damaged on purpose.
    run(program(&meshwright).arg("check").args(["mwtank.w3d", "mwtower.mdx"].map(|name| models.join(name))))?;
    run(program(&meshwright).arg("info").arg(&models))?;
    run(program(&meshwright).args(["convert", "--quiet", "--to", "glb", "--out-dir"]).args([&glb, &models]))?;
    run(program(&meshwright)
        .args(["render", "--quiet", "--size", "64", "--out-dir"])
        .args([&pictures, &models]))?;
    let count = |folder: &std::path::Path| {
        folder.read_dir().map_or(0, |entries| entries.filter(Result::is_ok).count())
    };
    let (made, drawn) = (count(&glb), count(&pictures));
    if made == 0 || made != drawn {
        return Err(format!("{made} models were converted, {drawn} drawn"));
    }
    Ok(Outcome::Passed(format!("{made} models verified, converted and drawn")))
}
