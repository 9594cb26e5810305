//! `bench`: the measurements of `crates/bench`, in the profile that users run, the instructions that conversion takes, which no busy
//! neighbour changes, many files at once, pictures, and MDL beside other readers.

use std::path::Path;

use crate::corpus::list_files;
use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{build, cargo, program, root, run};
use crate::{archives, judges, pictures, scaling};

/// All steps whose names start with `only`.
pub(crate) fn bench(mut report: Report, only: &str) -> Report {
    let mut step = |name: &str, work: &dyn Fn() -> StepResult| {
        if name.starts_with(only) {
            report.step(name, work);
        }
    };
    step("measurements", &|| run(&mut cargo("run --quiet --release --package meshwright-bench")).and(PASSED));
    step("instructions", &instructions);
    step("many files", &scaling::measure);
    step("archives", &archives::bench);
    step("pictures", &pictures::measure);
    step("MDL beside others", &|| {
        let real = root().join("../shared/corpus/mdx");
        let mut models = Vec::new();
        // Without real models the samples are measured.
        if real.is_dir() {
            list_files(&real, &mut models)?;
        }
        judges::run_script("bench_mdl.mjs", &models.iter().map(|path| path.as_path()).collect::<Vec<&Path>>())
    });
    report
}

/// How many instructions a byte of real models takes on its way to GLB, by valgrind: those of a second pass over the same files.
fn instructions() -> StepResult {
    let bench = build("meshwright-bench", "meshwright-bench", "release")?;
    let passes = |folder: &str, passes: &str| {
        let mut valgrind = program("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&bench);
        valgrind.args([folder, passes]).output().ok()
    };
    let mut lines = Vec::new();
    for folder in ["w3d", "mdx"] {
        let (Some(one), Some(two)) = (passes(folder, "1"), passes(folder, "2")) else {
            return Ok(Outcome::Skipped("valgrind is not installed".to_owned()));
        };
        let bytes = String::from_utf8_lossy(&one.stdout).trim().parse::<f64>();
        let bytes = bytes.map_err(|_| String::from_utf8_lossy(&one.stderr).into_owned())?;
        if bytes == 0.0 {
            return Ok(Outcome::Skipped("there are no real models".to_owned()));
        }
        let counts = [one, two].map(|output| collected(&String::from_utf8_lossy(&output.stderr)));
        let [Some(one), Some(two)] = counts else { return Err("valgrind said no number".to_owned()) };
        lines.push(format!("{} to GLB {:.1} a byte", folder.to_uppercase(), (two - one) / bytes));
    }
    lines.iter().for_each(|line| println!("{line}"));
    Ok(Outcome::Passed(lines.join(", ")))
}

/// The number of instructions in what callgrind says: `==1== Collected : 98429548`.
fn collected(said: &str) -> Option<f64> {
    let (_, number) = said.lines().find_map(|line| line.split_once("Collected :"))?;
    number.trim().parse().ok()
}
