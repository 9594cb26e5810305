//! `diff`: two models, by structure.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::args::{Common, DiffArgs};
use crate::compare::{ArrayChange, Change, What, compare};
use crate::exit::{self, Outcome, Stop};
use crate::input::{Problem, Source};
use crate::report::{self, BAD, DIM, GOOD, NAME, WARN, counted, thousands};

pub(crate) fn diff(args: &DiffArgs, common: Common) -> exit::Result {
    if !(args.epsilon >= 0.0 && args.epsilon.is_finite()) {
        return Err(Stop::Usage("--epsilon is a distance: 0 or more".to_owned()));
    }
    match changes(args) {
        Err(problem) => {
            report::problem(&problem);
            Ok(Outcome::Unreadable)
        }
        Ok(changes) => {
            if args.json {
                report::print_json(&to_json(args, &changes))?;
            } else {
                print(&changes, common)?;
            }
            Ok(if changes.is_empty() { Outcome::Fine } else { Outcome::Findings })
        }
    }
}

fn changes(args: &DiffArgs) -> Result<Vec<Change>, Problem> {
    let source = |path: &Path| Source { path: path.to_owned(), folder: None };
    let (before, after) = (source(&args.before), source(&args.after));
    let (left, right) = (before.bytes()?, after.bytes()?);
    let (_, left) = before.parse(&left, args.forced)?;
    let (_, right) = after.parse(&right, args.forced)?;
    if !std::ptr::eq(left.root().kind, right.root().kind) {
        let note = "convert one of them first";
        return Err(Problem::system(
            &args.after,
            format!("of another family of formats than {}", before.name()),
            Some(note),
        ));
    }
    Ok(compare(left.root(), right.root(), args.epsilon))
}

fn print(changes: &[Change], common: Common) -> io::Result<()> {
    let mut out = report::stdout();
    for Change { path, what } in changes {
        let path = if path.is_empty() { "the file" } else { path };
        match what {
            What::Added(size) => {
                writeln!(out, "{GOOD}+{GOOD:#} {NAME}{path}{NAME:#}: {} bytes", thousands(*size))?;
            }
            What::Removed(size) => {
                writeln!(out, "{BAD}-{BAD:#} {NAME}{path}{NAME:#}: {} bytes", thousands(*size))?;
            }
            What::Reordered => writeln!(out, "{WARN}~{WARN:#} {NAME}{path}{NAME:#}: parts in another order")?,
            What::Field { name, before, after } => {
                writeln!(out, "{WARN}~{WARN:#} {NAME}{path}{NAME:#}: {name} {before} -> {after}")?;
            }
            What::Array(change) => {
                writeln!(out, "{WARN}~{WARN:#} {NAME}{path}{NAME:#}: {}", array(change))?;
                if let Some((at, before, after)) = &change.first {
                    writeln!(out, "    {DIM}first: {}[{at}] {before} -> {after}{DIM:#}", change.name)?;
                }
            }
            What::Bytes { name, before, after, at } => {
                let sizes = if before == after {
                    counted(*before, "byte", "bytes")
                } else {
                    format!("{} -> {} bytes", thousands(*before), thousands(*after))
                };
                writeln!(
                    out,
                    "{WARN}~{WARN:#} {NAME}{path}{NAME:#}: {name}, {sizes}, differ from byte {at} on"
                )?;
            }
        }
    }
    if changes.is_empty() {
        if !common.quiet {
            writeln!(out, "no differences")?;
        }
    } else {
        writeln!(out, "{}", counted(changes.len(), "difference", "differences"))?;
    }
    out.flush()
}

fn array(change: &ArrayChange) -> String {
    let ArrayChange { name, before, after, changed, largest, .. } = change;
    let mut parts = Vec::new();
    if before != after {
        parts.push(format!("{} -> {} {name}", thousands(*before), thousands(*after)));
    }
    if *changed > 0 {
        let common = thousands(*before.min(after));
        let by = largest.map(|largest| format!(", by up to {largest}")).unwrap_or_default();
        parts.push(format!("{} of {common} {name} differ{by}", thousands(*changed)));
    }
    parts.join("; ")
}

fn to_json(args: &DiffArgs, changes: &[Change]) -> Value {
    let changes = changes.iter().map(|Change { path, what }| match what {
        What::Added(size) => json!({ "path": path, "change": "added", "size": size }),
        What::Removed(size) => json!({ "path": path, "change": "removed", "size": size }),
        What::Reordered => json!({ "path": path, "change": "reordered" }),
        What::Field { name, before, after } => json!({
            "path": path, "change": "field", "name": name, "before": value(before), "after": value(after),
        }),
        What::Array(change) => json!({
            "path": path, "change": "array", "name": change.name,
            "before": change.before, "after": change.after,
            "changed": change.changed, "largest": change.largest,
            "first": change.first.as_ref().map(|(at, before, after)| {
                json!({ "index": at, "before": value(before), "after": value(after) })
            }),
        }),
        What::Bytes { name, before, after, at } => json!({
            "path": path, "change": "bytes", "name": name, "before": before, "after": after, "at": at,
        }),
    });
    let changes: Vec<_> = changes.collect();
    json!({
        "before": crate::input::show(&args.before),
        "after": crate::input::show(&args.after),
        "same": changes.is_empty(),
        "changes": changes,
    })
}

/// Values come in the text form, which is JSON.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
