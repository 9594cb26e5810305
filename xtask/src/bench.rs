//! `bench`: the measurements of `crates/bench`, in the profile that users run, the instructions that conversion takes, which no busy
//! neighbour changes, error and size of compressed animations, many files at once, pictures, and MDL beside other readers.

use std::path::Path;

use crate::corpus::list_files;
use crate::programs::{build, tool};
use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{program, root, run};
use crate::{archives, gpu, judges, pictures, scaling};

/// All steps whose names start with `only`.
pub(crate) fn bench(mut report: Report, only: &str) -> Report {
    let mut step = |name: &str, work: &dyn Fn() -> StepResult| {
        if name.starts_with(only) {
            report.step(name, work);
        }
    };
    step("measurements", &|| run(&mut tool("meshwright-bench", "release")?).and(PASSED));
    step("instructions", &instructions);
    step("compression", &compression);
    step("many files", &scaling::measure);
    step("archives", &archives::bench);
    step("pictures", &pictures::measure);
    step("graphics adapter", &gpu::measure);
    step("next model in the viewer", &|| gpu::step(&root().join("../shared/corpus/mdx")));
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

/// Error and size of time-coded and adaptive delta animations against raw ones, for the clips of real models.
fn compression() -> StepResult {
    let real = root().join("../shared/corpus/w3d");
    if !real.is_dir() {
        return Ok(Outcome::Skipped("there are no real models".to_owned()));
    }
    run(tool("rewrite_w3d", "release")?.arg("--sizes").arg(real)).and(PASSED)
}

/// How many instructions a byte takes, by valgrind: those of a second pass over the same files. Real models on their way to GLB, and their
/// GLBs on the way back.
fn instructions() -> StepResult {
    let bench = build("meshwright-bench", "release")?;
    let passes = |words: &[&str], passes: &str| {
        let mut valgrind = program("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&bench);
        valgrind.args([words[0], passes]).args(&words[1..]).output().ok()
    };
    let mut lines = Vec::new();
    let ways: [(&[&str], &str); 4] = [
        (&["w3d"], "W3D to GLB"),
        (&["mdx"], "MDX to GLB"),
        (&["w3d", "w3d"], "GLB of W3D to W3D"),
        (&["mdx", "mdx"], "GLB of MDX to MDX"),
    ];
    for (words, way) in ways {
        let (Some(one), Some(two)) = (passes(words, "1"), passes(words, "2")) else {
            return Ok(Outcome::Skipped("valgrind is not installed".to_owned()));
        };
        let bytes = String::from_utf8_lossy(&one.stdout).trim().parse::<f64>();
        let bytes = bytes.map_err(|_| String::from_utf8_lossy(&one.stderr).into_owned())?;
        if bytes == 0.0 {
            return Ok(Outcome::Skipped("there are no real models".to_owned()));
        }
        let counts = [one, two].map(|output| collected(&String::from_utf8_lossy(&output.stderr)));
        let [Some(one), Some(two)] = counts else { return Err("valgrind said no number".to_owned()) };
        lines.push(format!("{way} {:.1} a byte", (two - one) / bytes));
    }
    lines.iter().for_each(|line| println!("{line}"));
    Ok(Outcome::Passed(lines.join(", ")))
}

/// The number of instructions in what callgrind says: `==1== Collected : 98429548`.
fn collected(said: &str) -> Option<f64> {
    let (_, number) = said.lines().find_map(|line| line.split_once("Collected :"))?;
    number.trim().parse().ok()
}
