//! `bench`: the measurements of `crates/bench`, in the profile that users run.

use crate::report::{PASSED, Report};
use crate::shell::{cargo, run};

pub(crate) fn bench(mut report: Report) -> Report {
    report.step("measurements", || run(&mut cargo("run --quiet --release --package bench")).and(PASSED));
    report
}
