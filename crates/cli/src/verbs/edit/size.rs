//! Changes of `edit` that make models smaller, and divide or join them.

use meshwright::edit::{self, Optimise, Optimised, Report};
use meshwright::record::Node;

use super::run;
use super::size_args::OptimiseArgs;
use crate::args::Common;
use crate::exit;
use crate::report::thousands;

pub(super) fn optimise(args: &OptimiseArgs, common: Common) -> exit::Result {
    let options = Optimise { tolerance: args.tolerance, linearise: args.linearise, compress: args.compress };
    let apply = |root: &mut Node<'_>| edit::optimise(root, &options).map(|done| told(done, common));
    run(&args.files, &[], common, &apply, None)
}

/// The result with a note on what was saved. What was done in detail is for those who want to know more.
fn told(done: Optimised, common: Common) -> Report {
    let Optimised { mut report, bytes_before, bytes_after, error } = done;
    let saved = 100.0 * (1.0 - bytes_after as f64 / (bytes_before as f64).max(1.0));
    let mut notes = vec![format!(
        "{} bytes, now {} ({saved:.1} % less); largest error of a pose {}",
        thousands(bytes_before),
        thousands(bytes_after),
        if error.largest() == 0.0 { "0".to_owned() } else { format!("{:.1e}", error.largest()) }
    )];
    let important = |note: &String| note.contains("another file") || note.contains("not removed");
    notes.extend(report.notes.into_iter().filter(|note| common.verbose || important(note)));
    report.notes = notes;
    report
}
