//! `verify`: read, rewrite, compare.

use std::borrow::Cow;
use std::io::Write;

use record::Error;
use serde_json::{Value, json};

use crate::args::{Common, VerifyArgs};
use crate::exit::{self, Outcome};
use crate::formats::{self, Format, Keeps};
use crate::input::{Problem, Source};
use crate::model::Model;
use crate::report::{self, BAD, DIM, GOOD, WARN};
use crate::work;

/// What became of one file.
struct Verdict {
    file: String,
    format: Option<&'static str>,
    size: usize,
    result: Result<(), Fault>,
}

enum Fault {
    Unreadable(Problem),
    Differs(Difference),
}

/// Where what was written parts from what was read.
struct Difference {
    /// The way it went: `rewritten`, `through JSON`.
    way: &'static str,
    at: usize,
    sizes: (usize, usize),
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (before, after) = self.sizes;
        write!(f, "{}, differs from byte {} on ({before} bytes before, {after} after)", self.way, self.at)
    }
}

#[derive(Default)]
struct Counts {
    identical: usize,
    differ: usize,
    unreadable: usize,
}

impl Counts {
    fn of(verdicts: &[Verdict]) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            match verdict.result {
                Ok(()) => counts.identical += 1,
                Err(Fault::Differs(_)) => counts.differ += 1,
                Err(Fault::Unreadable(_)) => counts.unreadable += 1,
            }
        }
        counts
    }
}

pub(crate) fn verify(args: &VerifyArgs, common: Common) -> exit::Result {
    let (sources, problems) = args.inputs.sources();
    let check = |source: &Source| check(source, args);
    let mut verdicts = work::each(&sources, args.jobs, common, check);
    verdicts.extend(problems.into_iter().map(|problem| Verdict {
        file: problem.file.clone(),
        format: None,
        size: 0,
        result: Err(Fault::Unreadable(problem)),
    }));
    let counts = Counts::of(&verdicts);
    if args.json {
        report::print_json(&to_json(&verdicts, &counts))?;
    } else {
        print(&verdicts, &counts, common)?;
    }
    Ok(match counts {
        Counts { unreadable: 1.., .. } => Outcome::Unreadable,
        Counts { differ: 1.., .. } => Outcome::Findings,
        _ => Outcome::Fine,
    })
}

fn check(source: &Source, args: &VerifyArgs) -> Verdict {
    let mut verdict = Verdict { file: source.name(), format: None, size: 0, result: Ok(()) };
    verdict.result = source.bytes().map_err(Fault::Unreadable).and_then(|bytes| {
        verdict.size = bytes.len();
        let (format, model) = source.parse(&bytes, args.inputs.forced).map_err(Fault::Unreadable)?;
        verdict.format = Some(format.name);
        let unreadable = |error| Fault::Unreadable(Problem::content(&source.path, error));
        compare(format, &model, &bytes, args.text)
            .map_err(unreadable)?
            .map_or(Ok(()), |it| Err(Fault::Differs(it)))
    });
    verdict
}

/// The first difference, on any of the ways that are asked for.
fn compare(
    format: &Format,
    model: &Model<'_>,
    bytes: &[u8],
    text: bool,
) -> Result<Option<Difference>, Error> {
    let written = format.write(model)?;
    let difference = match format.keeps {
        Keeps::Bytes => first_difference("rewritten", bytes, &written),
        Keeps::Values | Keeps::Looks => {
            first_difference("read again", &model.to_bytes()?, &format.read(&written)?.to_bytes()?)
        }
    };
    drop(written);
    if difference.is_some() || !text {
        return Ok(difference);
    }
    let before = match format.keeps {
        Keeps::Bytes => Cow::Borrowed(bytes),
        Keeps::Values | Keeps::Looks => model.to_bytes()?.into(),
    };
    let ways = [("json", "through JSON", true), ("mdl", "through MDL", model.has_mdl())];
    for (name, way, possible) in ways {
        if let Some(text) = formats::by_name(name).filter(|_| possible) {
            let again = text.read(&text.write(model)?)?.to_bytes()?;
            if let Some(difference) = first_difference(way, &before, &again) {
                return Ok(Some(difference));
            }
        }
    }
    Ok(None)
}

fn first_difference(way: &'static str, before: &[u8], after: &[u8]) -> Option<Difference> {
    if before == after {
        return None;
    }
    let at = before.iter().zip(after).take_while(|(left, right)| left == right).count();
    Some(Difference { way, at, sizes: (before.len(), after.len()) })
}

fn print(verdicts: &[Verdict], counts: &Counts, common: Common) -> std::io::Result<()> {
    let mut out = report::stdout();
    for Verdict { file, format, size, result } in verdicts {
        match result {
            Ok(()) if common.verbose => {
                let format = format.unwrap_or_default();
                let size = report::thousands(*size);
                writeln!(out, "{GOOD}identical{GOOD:#}   {file} {DIM}({format}, {size} bytes){DIM:#}")?;
            }
            Ok(()) => {}
            Err(Fault::Differs(difference)) => {
                writeln!(out, "{WARN}differs{WARN:#}     {file}: {difference}")?;
            }
            Err(Fault::Unreadable(problem)) => writeln!(out, "{BAD}unreadable{BAD:#}  {problem}")?,
        }
    }
    let Counts { identical, differ, unreadable } = counts;
    let files = verdicts.len();
    writeln!(out, "{files} files, {identical} identical, {differ} differ, {unreadable} unreadable")?;
    out.flush()
}

fn to_json(verdicts: &[Verdict], counts: &Counts) -> Value {
    let files = verdicts.iter().map(|Verdict { file, format, size, result }| {
        let (word, difference, error) = match result {
            Ok(()) => ("identical", None, None),
            Err(Fault::Differs(found)) => (
                "differs",
                Some(json!({ "way": found.way, "at": found.at, "before": found.sizes.0, "after": found.sizes.1 })),
                None,
            ),
            Err(Fault::Unreadable(problem)) => ("unreadable", None, Some(problem.to_json())),
        };
        json!({
            "file": file, "format": format, "size": size, "result": word,
            "difference": difference, "error": error,
        })
    });
    json!({
        "files": files.collect::<Vec<_>>(),
        "summary": {
            "files": verdicts.len(), "identical": counts.identical,
            "differ": counts.differ, "unreadable": counts.unreadable,
        },
    })
}
