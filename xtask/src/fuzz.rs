//! `fuzz`: every target in `fuzz/fuzz_targets`, with libFuzzer, which needs a nightly toolchain.

use std::fs;

use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{cargo, root, run, works};

/// Runs each target for this many seconds. A target named after a family (`w3d_parse`) also starts from the real
/// files of that family, if they are next to the checkout.
pub(crate) fn fuzz(mut report: Report, seconds: u32) -> Report {
    report.step("tools", || {
        if !has_nightly() {
            return Err("there is no nightly toolchain: `rustup toolchain install nightly`".to_owned());
        }
        if !has_cargo_fuzz() {
            run(&mut cargo("install cargo-fuzz --locked"))?;
        }
        PASSED
    });
    if !report.is_sound() {
        return report;
    }
    let targets = match targets() {
        Ok(targets) if !targets.is_empty() => targets,
        Ok(_) => {
            report.step("targets", || Ok(Outcome::Skipped("fuzz/fuzz_targets is empty".to_owned())));
            return report;
        }
        Err(error) => {
            report.step("targets", || Err(error));
            return report;
        }
    };
    for target in targets {
        report.step(&target, || {
            let own = root().join("fuzz/corpus").join(&target);
            // cargo-fuzz makes only its default folder, and libFuzzer stores what it finds in the first one named.
            fs::create_dir_all(&own).map_err(|error| format!("{}: {error}", own.display()))?;
            let family = target.split('_').next().unwrap_or_default();
            let real = root().join("../shared/corpus").join(family);
            let mut command = cargo(&format!("+nightly fuzz run {target}"));
            command.arg(own).args(real.is_dir().then_some(real));
            // Naming the functions that a run reaches for the first time takes longer than the run.
            run(command.args(["--", "-print_funcs=0"]).arg(format!("-max_total_time={seconds}")))?;
            Ok(Outcome::Passed(format!("{seconds} s")))
        });
    }
    report
}

/// Compiles the targets if the tools are installed; they are optional for the tests.
pub(crate) fn check() -> StepResult {
    if targets()?.is_empty() {
        return Ok(Outcome::Skipped("fuzz/fuzz_targets is empty".to_owned()));
    }
    if !has_nightly() || !has_cargo_fuzz() {
        return Ok(Outcome::Skipped("nightly or cargo-fuzz is not installed".to_owned()));
    }
    run(&mut cargo("+nightly fuzz check")).and(PASSED)
}

fn has_nightly() -> bool {
    works(&mut cargo("+nightly --version"))
}

fn has_cargo_fuzz() -> bool {
    works(&mut cargo("fuzz --version"))
}

/// The names of the targets; none if the folder is not there.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut targets: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    targets.sort();
    Ok(targets)
}
