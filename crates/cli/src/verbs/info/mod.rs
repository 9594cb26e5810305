//! `info`: what models contain.

mod card;
mod data;
mod print;

use std::io::{self, Write};

use serde_json::Value;

use crate::args::{Common, InfoArgs};
use crate::exit::{self, Outcome};
use crate::guesses::Guesses;
use crate::input::{Problem, Source};
use crate::report::{self, JsonList, Printer, Table, counted, thousands};
use crate::verbs::check::settings::{Given, Settings};
use crate::work::{self, JobOutput};

use self::card::{Card, Examiner};
use self::data::{COLUMNS, CSV_COLUMNS};

/// Up to this many files are shown in detail; more become one line each.
const IN_DETAIL: usize = 3;

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    /// A JSON document on each line.
    JsonLines,
    Csv,
    Markdown,
    /// A line for each file.
    Table,
    /// A paragraph for each file.
    Detail,
}

impl Form {
    fn of(args: &InfoArgs, files: usize) -> Self {
        match args {
            InfoArgs { json: true, .. } => Self::Json,
            InfoArgs { jsonl: true, .. } => Self::JsonLines,
            InfoArgs { csv: true, .. } => Self::Csv,
            InfoArgs { md: true, .. } => Self::Markdown,
            _ if files > IN_DETAIL => Self::Table,
            _ => Self::Detail,
        }
    }

    /// One file in this form; a row of the table gets its final form when the widths are known.
    fn page(self, card: &Card, common: Common) -> JobOutput<Seen> {
        let (out, row) = match self {
            Self::Json => (report::json_part(&card.to_json(), 2), Vec::new()),
            Self::JsonLines => (json_line(&card.to_json()), Vec::new()),
            Self::Csv => (report::csv_line(&CSV_COLUMNS, &card.csv_row()).into(), Vec::new()),
            Self::Markdown => (report::markdown_line(&card.row()).into(), Vec::new()),
            Self::Table => (Vec::new(), card.row()),
            Self::Detail => (report::rendered(|out| card.print(out, common)), Vec::new()),
        };
        JobOutput { out, err: Vec::new(), result: Seen::Row(row) }
    }

    /// A file that cannot be read: a message, and an entry in the forms for programs.
    fn unreadable(self, problem: &Problem) -> JobOutput<Seen> {
        let (out, value) = match self {
            Self::Json => (Vec::new(), data::unreadable_json(problem)),
            Self::JsonLines => (json_line(&data::unreadable_json(problem)), Value::Null),
            Self::Csv => (report::csv_line(&CSV_COLUMNS, &data::unreadable_row(problem)).into(), Value::Null),
            Self::Markdown | Self::Table | Self::Detail => (Vec::new(), Value::Null),
        };
        JobOutput { out, err: report::rendered_problem(problem), result: Seen::Unreadable(value) }
    }
}

fn json_line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

/// The result for one file.
enum Seen {
    Row(Vec<String>),
    /// Why it could not be read, for the list at the end of the JSON document.
    Unreadable(Value),
}

pub(crate) fn info(args: &InfoArgs, common: Common) -> exit::Result {
    let (sources, problems) = args.inputs.sources();
    let form = Form::of(args, sources.len());
    let settings = Settings::find(Given::default(), &sources)?;
    let workspace = match args.search.quick_workspace(&sources) {
        Ok(workspace) => workspace,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let is_data = matches!(form, Form::Json | Form::JsonLines | Form::Csv);
    let examiner = Examiner { workspace, settings: &settings, hash: is_data };
    let mut printer = match form {
        Form::Json | Form::JsonLines | Form::Csv | Form::Markdown => Printer::data(),
        Form::Table | Form::Detail => Printer::text(),
    };
    let mut listing = Listing {
        form,
        cards: 0,
        list: JsonList::at(2),
        table: Table::new(&COLUMNS),
        unreadable: Vec::new(),
    };
    listing.begin(&mut printer)?;
    let guesses = Guesses::gather(&sources, args.inputs.forced, args.jobs, |_| true);
    let work = |source: &Source| match examiner.examine(source, args.inputs.forced, guesses.of(source)) {
        Ok(card) => form.page(&card, common),
        Err(problem) => form.unreadable(&problem),
    };
    work::in_order(&sources, args.jobs, common, work, |_, made| listing.push(&mut printer, made))?;
    for problem in &problems {
        listing.push(&mut printer, form.unreadable(problem))?;
    }
    listing.end(&mut printer)?;
    printer.flush()?;
    let files = sources.len() + problems.len();
    if files > IN_DETAIL {
        let failed = thousands(listing.unreadable.len());
        report::note(common, &format!("{}, {failed} unreadable", counted(files, "file", "files")));
    }
    Ok(if listing.unreadable.is_empty() { Outcome::Fine } else { Outcome::Unreadable })
}

/// The output as it grows.
struct Listing {
    form: Form,
    cards: usize,
    list: JsonList,
    table: Table,
    unreadable: Vec<Value>,
}

impl Listing {
    fn begin(&self, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            Form::Json => JsonList::open_files(out, "meshwright-info-3"),
            Form::Csv => out.write_all(report::csv_headings(&CSV_COLUMNS).as_bytes()),
            Form::Markdown => out.write_all(report::markdown_headings(&COLUMNS).as_bytes()),
            Form::JsonLines | Form::Table | Form::Detail => Ok(()),
        }
    }

    fn push(&mut self, printer: &mut Printer, made: JobOutput<Seen>) -> io::Result<()> {
        let row = match made.result {
            Seen::Row(row) => row,
            Seen::Unreadable(value) => {
                self.unreadable.push(value);
                printer.write_all(&made.out)?;
                return printer.message(&made.err);
            }
        };
        self.cards += 1;
        match self.form {
            Form::Json => self.list.push(printer, &made.out),
            Form::Table => self.table.push(printer, row),
            Form::Detail if self.cards > 1 => writeln!(printer).and_then(|()| printer.write_all(&made.out)),
            Form::JsonLines | Form::Csv | Form::Markdown | Form::Detail => printer.write_all(&made.out),
        }
    }

    fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            Form::Json => {
                self.list.end(out)?;
                out.write_all(b",\n  \"unreadable\": ")?;
                out.write_all(&report::json_part(&Value::from(self.unreadable.as_slice()), 1))?;
                out.write_all(b"\n}\n")
            }
            Form::Table => self.table.finish(out),
            Form::JsonLines | Form::Csv | Form::Markdown | Form::Detail => Ok(()),
        }
    }
}
