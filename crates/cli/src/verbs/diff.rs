//! `diff`: compares models by structure.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use meshwright::record::diff::{ArrayChange, Change, What};
use meshwright::record::printable;
use meshwright::{ObjectChange, Summary, is_trivial, object_changes, short_number};
use serde_json::{Value, json};

use crate::args::{Common, DiffArgs};
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, Problem, Source, path_text};
use crate::report::{self, BAD, DIM, GOOD, JsonList, NAME, Printer, WARN, counted, thousands};
use crate::work::{self, JobOutput};

/// Rows of the output for two models, unless --verbose is given: one screen.
const SCREEN: usize = 38;

/// Rows of the summary, the rest of the screen is for single differences.
const SUMMARY: usize = 20;

/// Rows of a line, unless --verbose is given.
const ROWS_OF_LINE: usize = 2;

/// Columns if the output is not a terminal.
const COLUMNS: usize = 100;

/// The name of the form of the JSON.
const SCHEMA: &str = "meshwright-diff-1";

pub(crate) fn diff(args: &DiffArgs, common: Common) -> exit::Result {
    if !(args.epsilon >= 0.0 && args.epsilon.is_finite()) {
        return Err(Failure::Usage("--epsilon must be 0 or more".to_owned()));
    }
    let (before, after) = (input::resolve(&args.before), input::resolve(&args.after));
    let many = input::is_folder(&before);
    let pairs = match (many, input::is_folder(&after)) {
        (true, true) => pairs(args),
        (false, false) => vec![Pair::Both(before, after)],
        _ => return Err(Failure::Usage("cannot compare a folder with a file".to_owned())),
    };
    if many && args.pictures.is_some() {
        return Err(Failure::Usage("--pictures compares two models, not folders".to_owned()));
    }
    let mut printer = if args.json { Printer::data() } else { Printer::text() };
    let mut list = JsonList::at(2);
    if args.json {
        JsonList::open_files(&mut printer, SCHEMA)?;
    }
    let (mut outcome, mut same, mut differ, mut unreadable) = (Outcome::Fine, 0, 0, 0);
    let work = |pair: &Pair| {
        let compared = Compared { pair, result: pair.difference(args) };
        compared.made(args, common, many)
    };
    work::in_order(&pairs, args.jobs, common, work, |_, made| {
        outcome = outcome.max(made.result);
        match made.result {
            Outcome::Fine => same += 1,
            Outcome::Findings => differ += 1,
            Outcome::Unreadable => unreadable += 1,
        }
        if !args.json {
            return printer.print(&made);
        }
        list.push(&mut printer, &made.out)
    })?;
    if args.json {
        list.end(&mut printer)?;
        printer.write_all(b"\n}\n")?;
    } else if many {
        let files = counted(pairs.len(), "file", "files");
        writeln!(printer, "{files}, {same} same, {differ} differ, {unreadable} unreadable")?;
    }
    printer.flush()?;
    if let (Some(to), [Pair::Both(before, after)]) = (&args.pictures, pairs.as_slice())
        && outcome != Outcome::Unreadable
        && let Err(problem) = super::render::pictures_of_both(before, after, args.forced, to)
    {
        report::problem(&problem);
        outcome = Outcome::Unreadable;
    }
    Ok(outcome)
}

/// Two files to compare, or one without a counterpart.
enum Pair {
    Both(PathBuf, PathBuf),
    Before(PathBuf),
    After(PathBuf),
}

/// A pair and its differences.
struct Compared<'p> {
    pair: &'p Pair,
    result: Result<Difference, Problem>,
}

/// How two models differ.
#[derive(Default)]
struct Difference {
    changes: Vec<Change>,
    /// Counts that changed: `+2 meshes, 1,020 to 1,044 triangles`.
    summary: Option<String>,
    /// What changed, by object.
    objects: Vec<ObjectChange>,
}

/// The models in two folders, matched by relative path, ignoring case.
fn pairs(args: &DiffArgs) -> Vec<Pair> {
    let below = |folder: &PathBuf| -> BTreeMap<String, PathBuf> {
        // A folder without models is not an error here.
        let (sources, _) = input::sources(std::slice::from_ref(folder), args.forced);
        let key = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().to_lowercase();
        sources.into_iter().map(|source| (key(&source.path), source.path)).collect()
    };
    let before = below(&args.before);
    let mut after = below(&args.after);
    let mut pairs: Vec<Pair> = before
        .into_iter()
        .map(|(key, path)| match after.remove(&key) {
            Some(partner) => Pair::Both(path, partner),
            None => Pair::Before(path),
        })
        .collect();
    pairs.extend(after.into_values().map(Pair::After));
    pairs
}

impl Pair {
    fn difference(&self, args: &DiffArgs) -> Result<Difference, Problem> {
        match self {
            Self::Both(before, after) => difference(before, after, args),
            Self::Before(_) | Self::After(_) => Ok(Difference::default()),
        }
    }
}

impl Compared<'_> {
    fn made(&self, args: &DiffArgs, common: Common, many: bool) -> JobOutput<Outcome> {
        let (out, err) = match &self.result {
            _ if args.json => (report::json_part(&self.to_json(args), 2), Vec::new()),
            Err(problem) => (Vec::new(), report::rendered_problem(problem)),
            Ok(difference) => {
                (report::rendered(|out| self.print(difference, args, common, many, out)), Vec::new())
            }
        };
        JobOutput { out, err, result: self.outcome() }
    }

    fn outcome(&self) -> Outcome {
        match (self.pair, &self.result) {
            (_, Err(_)) => Outcome::Unreadable,
            (Pair::Both(..), Ok(difference)) if difference.changes.is_empty() => Outcome::Fine,
            _ => Outcome::Findings,
        }
    }

    fn to_json(&self, args: &DiffArgs) -> Value {
        let show = |path: &Path| Some(input::show(path));
        let (before, after) = match self.pair {
            Pair::Both(before, after) => (show(before), show(after)),
            Pair::Before(path) => (show(path), None),
            Pair::After(path) => (None, show(path)),
        };
        let mut object = json!({
            "before": before,
            "after": after,
            "same": self.outcome() == Outcome::Fine,
            "error": self.result.as_ref().err().map(Problem::to_json),
        });
        if let (Some(object), Ok(Difference { changes, summary, objects })) =
            (object.as_object_mut(), &self.result)
        {
            object.insert("summary".to_owned(), summary.as_deref().into());
            let of_objects = objects.iter().map(
                |object| json!({ "kind": object.kind, "names": object.names, "changes": object.changes }),
            );
            object.insert("objects".to_owned(), of_objects.collect());
            object.insert("count".to_owned(), changes.len().into());
            if !args.stat {
                object.insert("changes".to_owned(), changes.iter().map(change_json).collect());
            }
        }
        object
    }

    fn print(
        &self,
        difference: &Difference,
        args: &DiffArgs,
        common: Common,
        many: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let Difference { changes, summary, .. } = difference;
        let count = counted(changes.len(), "difference", "differences");
        match self.pair {
            Pair::Before(path) => writeln!(out, "{BAD}-{BAD:#} {}", path_text(path)),
            Pair::After(path) => writeln!(out, "{GOOD}+{GOOD:#} {}", path_text(path)),
            Pair::Both(..) if changes.is_empty() && (many || common.quiet) => Ok(()),
            Pair::Both(..) if changes.is_empty() => writeln!(out, "no differences"),
            Pair::Both(before, _) if many => {
                let summary = summary.as_ref().map(|summary| format!(" ({summary})")).unwrap_or_default();
                writeln!(out, "{WARN}~{WARN:#} {}: {count}{summary}", path_text(before))?;
                let mut screen = Screen::new(common, SCREEN);
                difference.print_objects("  ", common, &mut screen, out)?;
                // Of several files only the summary, unless all is asked for.
                if args.stat || !common.verbose {
                    Ok(())
                } else {
                    difference.print_changes("  ", common, &mut screen, out)
                }
            }
            Pair::Both(..) => {
                // The count and the line about what is not shown are below the rest.
                let mut screen = Screen::new(common, SCREEN - 2);
                if let Some(summary) = summary {
                    screen.print(&format!("{NAME}{summary}{NAME:#}"), out)?;
                }
                difference.print_objects("", common, &mut screen, out)?;
                if !args.stat {
                    difference.print_changes("", common, &mut screen, out)?;
                }
                writeln!(out, "{count}")
            }
        }
    }
}

/// The rows that are left.
struct Screen {
    rows: usize,
    columns: usize,
}

impl Screen {
    fn new(common: Common, rows: usize) -> Self {
        if common.verbose {
            return Self { rows: usize::MAX, columns: usize::MAX };
        }
        let columns = report::width();
        Self { rows, columns: if columns == usize::MAX { COLUMNS } else { columns } }
    }

    /// Columns of the longest line.
    fn widest(&self) -> usize {
        self.columns.saturating_mul(ROWS_OF_LINE)
    }

    /// Prints a line, shortened if it is too long.
    fn print(&mut self, line: &str, out: &mut impl Write) -> io::Result<()> {
        let line = report::cut_styled(line, self.widest());
        self.rows = self.rows.saturating_sub(self.rows_of(&line));
        writeln!(out, "{line}")
    }

    fn rows_of(&self, line: &str) -> usize {
        report::styled_width(line).div_ceil(self.columns).max(1)
    }
}

impl Difference {
    /// A line for each object that changed.
    fn print_objects(
        &self,
        indent: &str,
        common: Common,
        screen: &mut Screen,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let end = if common.verbose { 0 } else { screen.rows.saturating_sub(SUMMARY) };
        for (index, object) in self.objects.iter().enumerate() {
            if screen.rows <= end {
                let more = counted(self.objects.len() - index, "more object", "more objects");
                return screen.print(&format!("{indent}{DIM}and {more} (-v lists all){DIM:#}"), out);
            }
            // With --verbose too: the differences one by one follow.
            let text = object.within(screen.widest().saturating_sub(indent.len()));
            screen.print(&format!("{indent}{}", printable(&text)), out)?;
        }
        Ok(())
    }

    /// The differences one by one.
    fn print_changes(
        &self,
        indent: &str,
        common: Common,
        screen: &mut Screen,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if common.verbose {
            return print(&self.changes, indent, out);
        }
        screen.print("", out)?;
        let mut shown = 0;
        for change in self.changes.iter().filter(|it| !is_trivial(it)) {
            let text = report::rendered(|out| print(std::slice::from_ref(change), indent, out));
            let text = String::from_utf8_lossy(&text);
            let lines: Vec<String> =
                text.lines().map(|line| report::cut_styled(line, screen.widest())).collect();
            let rows: usize = lines.iter().map(|line| screen.rows_of(line)).sum();
            if rows > screen.rows {
                break;
            }
            lines.iter().try_for_each(|line| screen.print(line, out))?;
            shown += 1;
        }
        match self.changes.len() - shown {
            0 => Ok(()),
            more => writeln!(out, "{indent}{DIM}and {} more (-v lists all){DIM:#}", thousands(more)),
        }
    }
}

/// Summary of the counts that changed.
fn overview(before: &Summary, after: &Summary) -> Option<String> {
    let total = |summary: &Summary, count: fn(&meshwright::MeshSummary) -> usize| {
        summary.meshes.iter().map(count).sum::<usize>()
    };
    let counts = |summary: &Summary| {
        [
            summary.meshes.len(),
            total(summary, |mesh| mesh.triangles),
            total(summary, |mesh| mesh.vertices),
            summary.bones(),
            summary.materials,
            summary.textures.len(),
            summary.clips.len(),
        ]
    };
    let words = [
        ("mesh", "meshes"),
        ("triangle", "triangles"),
        ("vertex", "vertices"),
        ("bone", "bones"),
        ("material", "materials"),
        ("texture", "textures"),
        ("animation", "animations"),
    ];
    let rows = words.into_iter().zip(counts(before)).zip(counts(after));
    let differing = rows.filter(|((_, before), after)| before != after);
    let parts: Vec<String> = differing
        .map(|(((one, many), before), after)| match one {
            "triangle" | "vertex" => format!("{} to {} {many}", thousands(before), thousands(after)),
            _ if before < after => format!("+{}", counted(after - before, one, many)),
            _ => format!("-{}", counted(before - after, one, many)),
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn difference(before: &Path, after: &Path, args: &DiffArgs) -> Result<Difference, Problem> {
    let source = |path: &Path| Source { path: path.to_owned(), folder: None };
    let (before, after) = (source(before), source(after));
    let (left, right) = (before.bytes()?, after.bytes()?);
    let left = before.parse(&left, args.forced)?.document;
    let right = after.parse(&right, args.forced)?.document;
    let changes = left.diff(&right, args.epsilon).ok_or_else(|| {
        let families = (left.family().name(), right.family().name());
        let message = format!("cannot compare {} with {}: {}", families.1, families.0, before.name());
        Problem::system(&after.path, message, None)
    })?;
    let summary = overview(&Summary::of(&left), &Summary::of(&right));
    let objects = object_changes(&changes);
    Ok(Difference { changes, summary, objects })
}

/// One line for each change, or a few.
pub(super) fn print(changes: &[Change], indent: &str, out: &mut impl Write) -> io::Result<()> {
    for Change { path, what } in changes {
        let path = printable(if path.is_empty() { "the file" } else { path });
        match what {
            What::Added(size) => {
                writeln!(out, "{indent}{GOOD}+{GOOD:#} {NAME}{path}{NAME:#}: {} bytes", thousands(*size))?;
            }
            What::Removed(size) => {
                writeln!(out, "{indent}{BAD}-{BAD:#} {NAME}{path}{NAME:#}: {} bytes", thousands(*size))?;
            }
            What::Reordered => {
                writeln!(out, "{indent}{WARN}~{WARN:#} {NAME}{path}{NAME:#}: parts reordered")?;
            }
            What::Field { name, before, after } => {
                let (before, after) = (printable(before), printable(after));
                writeln!(out, "{indent}{WARN}~{WARN:#} {NAME}{path}{NAME:#}: {name} {before} -> {after}")?;
            }
            What::Array(change) => {
                writeln!(out, "{indent}{WARN}~{WARN:#} {NAME}{path}{NAME:#}: {}", array(change))?;
                if let Some((at, before, after)) = &change.first {
                    let (before, after) = (printable(before), printable(after));
                    writeln!(
                        out,
                        "{indent}    {DIM}first: {}[{at}] {before} -> {after}{DIM:#}",
                        change.name
                    )?;
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
                    "{indent}{WARN}~{WARN:#} {NAME}{path}{NAME:#}: {name}, {sizes}, first difference at byte {at}"
                )?;
            }
        }
    }
    Ok(())
}

fn array(change: &ArrayChange) -> String {
    let ArrayChange { name, before, after, changed, largest, reordered, removed, added, .. } = change;
    let mut parts = Vec::new();
    if before != after {
        parts.push(format!("{} -> {} {name}", thousands(*before), thousands(*after)));
    }
    for (sign, names) in [("-", removed), ("+", added)] {
        if !names.is_empty() {
            let names: Vec<_> = names.iter().map(|name| format!("{sign}\"{}\"", printable(name))).collect();
            parts.push(report::row_of(names, 80));
        }
    }
    if *changed > 0 {
        let named = !removed.is_empty() || !added.is_empty();
        let common = thousands(if named { before - removed.len() } else { *before.min(after) });
        let by = largest.map(|largest| format!(", by up to {}", short_number(largest))).unwrap_or_default();
        parts.push(format!("{} of {common} {name} differ{by}", thousands(*changed)));
    }
    if *reordered {
        parts.push("in another order".to_owned());
    }
    parts.join("; ")
}

fn change_json(Change { path, what }: &Change) -> Value {
    match what {
        What::Added(size) => json!({ "path": path, "change": "added", "size": size }),
        What::Removed(size) => json!({ "path": path, "change": "removed", "size": size }),
        What::Reordered => json!({ "path": path, "change": "reordered" }),
        What::Field { name, before, after } => json!({
            "path": path, "change": "field", "name": name, "before": value(before), "after": value(after),
        }),
        What::Array(change) => json!({
            "path": path, "change": "array", "name": change.name,
            "before": change.before, "after": change.after,
            "changed": change.changed, "largest": change.largest, "reordered": change.reordered,
            "removed": change.removed, "added": change.added,
            "first": change.first.as_ref().map(|(at, before, after)| {
                json!({ "index": at, "before": value(before), "after": value(after) })
            }),
        }),
        What::Bytes { name, before, after, at } => json!({
            "path": path, "change": "bytes", "name": name, "before": before, "after": after, "at": at,
        }),
    }
}

/// Values come in the text form, which is JSON.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
