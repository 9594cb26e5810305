//! `bench`: the measurements of `crates/bench`, in the profile that users run, many files at once, and MDL beside other readers.

use std::path::Path;

use crate::corpus::list_files;
use crate::report::{PASSED, Report};
use crate::shell::{cargo, root, run};
use crate::{judges, scaling};

pub(crate) fn bench(mut report: Report) -> Report {
    report.step("measurements", || run(&mut cargo("run --quiet --release --package bench")).and(PASSED));
    report.step("many files", scaling::measure);
    report.step("MDL beside others", || {
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
