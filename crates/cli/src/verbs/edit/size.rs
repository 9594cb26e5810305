//! Changes of `edit` that make models smaller, and divide or join them.

use meshwright::edit::{self, Optimise, Optimised, Report};
use meshwright::record::Node;

use super::parts::{other_model, with_hint};
use super::run;
use super::script::Context;
use super::size_args::{MergeArgs, OptimiseArgs, SplitArgs};
use crate::exit::{self, Outcome};
use crate::report::thousands;

pub(super) fn optimise(args: &OptimiseArgs, common: Context<'_>) -> exit::Result {
    let options = Optimise { tolerance: args.tolerance, linearise: args.linearise, compress: args.compress };
    let verbose = common.verbose;
    let apply = |root: &mut Node<'_>| edit::optimise(root, &options).map(|done| told(done, verbose));
    run(&args.files, &[], common, &apply, None)
}

/// The result with a note on what was saved. What was done in detail is for those who want to know more.
fn told(done: Optimised, verbose: bool) -> Report {
    let Optimised { mut report, bytes_before, bytes_after, error } = done;
    let saved = 100.0 * (1.0 - bytes_after as f64 / (bytes_before as f64).max(1.0));
    let mut notes = vec![format!(
        "{} bytes, now {} ({saved:.1} % less); largest error of a pose {}",
        thousands(bytes_before),
        thousands(bytes_after),
        if error.largest() == 0.0 { "0".to_owned() } else { format!("{:.1e}", error.largest()) }
    )];
    let important = |note: &String| note.contains("another file") || note.contains("not removed");
    notes.extend(report.notes.into_iter().filter(|note| verbose || important(note)));
    report.notes = notes;
    report
}

pub(super) fn split(args: &SplitArgs, common: Context<'_>) -> exit::Result {
    let apply = |root: &mut Node<'_>| edit::split(root, &args.mesh, args.by.into());
    with_hint(Some(&args.mesh), |sought| run(&args.files, &[], common, &apply, sought))
}

pub(super) fn merge(args: &MergeArgs, common: Context<'_>) -> exit::Result {
    if let Some(meshes) = &args.part {
        let apply = |root: &mut Node<'_>| edit::merge_meshes(root, meshes);
        return with_hint(Some(meshes), |sought| run(&args.files, &[], common, &apply, sought));
    }
    let mut others = Vec::with_capacity(args.from.len());
    for path in &args.from {
        let Some(other) = other_model(path, &args.files, common)? else { return Ok(Outcome::Unreadable) };
        others.push(other);
    }
    let apply = |root: &mut Node<'_>| {
        let mut all = Report::default();
        for other in &others {
            let one = edit::merge_model(root, other, args.like.as_deref())?;
            all.changed += one.changed;
            all.notes.extend(one.notes);
        }
        Ok(all)
    };
    run(&args.files, &[], common, &apply, None)
}
