//! Printing for people: colours, tables, messages. Data goes to standard output, messages to standard error.

use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};
use record::{Diagnostic, Severity};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::args::{Color, Common};
use crate::input::Problem;

/// Names of parts.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// Names that people gave.
pub(crate) const LABEL: Style = AnsiColor::Green.on_default();
/// What stays in the background.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What deserves a look.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// What went wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// The colour of a severity.
pub(crate) const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => BAD,
        Severity::Warning => WARN,
        Severity::Info | Severity::Hint => DIM,
    }
}

/// Sets when colours are used, for the whole run. `auto` leaves it to the terminal, NO_COLOR and CLICOLOR_FORCE.
pub(crate) fn set_color(common: Common) {
    match common.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// Standard output for text with colours, buffered.
pub(crate) fn stdout() -> BufWriter<anstream::AutoStream<io::StdoutLock<'static>>> {
    BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()))
}

/// Standard output for data, exactly as it is.
pub(crate) fn raw_stdout() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// Whether messages have colours.
pub(crate) fn colours_on_stderr() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// A message on standard error. That nobody reads it is no reason to stop.
fn message(style: Style, word: &str, text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{style}{word}{style:#}: {text}");
}

/// Tells of an error.
pub(crate) fn error(text: &str) {
    message(BAD, "error", text);
}

/// Tells of a file that could not be read or written.
pub(crate) fn problem(problem: &Problem) {
    error(&problem.to_string());
}

/// Says how it went, unless asked to be quiet.
pub(crate) fn note(common: Common, text: &str) {
    if !common.quiet {
        let _ = writeln!(anstream::stderr().lock(), "{text}");
    }
}

/// Prints JSON as a whole document.
pub(crate) fn print_json(value: &Value) -> io::Result<()> {
    let mut out = BufWriter::new(raw_stdout());
    serde_json::to_writer_pretty(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// A diagnostic for `--json`.
pub(crate) fn diagnostic_json(found: &Diagnostic) -> Value {
    json!({
        "code": found.code,
        "severity": found.severity.word(),
        "start": found.span.start,
        "end": found.span.end,
        "path": found.path,
        "message": found.message,
        "note": found.note,
    })
}

/// Columns that a line may have: those of the terminal, or as many as it takes where there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout())
        .map_or(usize::MAX, |(width, _)| usize::from(width.0).max(40))
}

/// A number with its thousands apart: `1,234,567`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and its noun: `1 mesh`, `2 meshes`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// Items in a row, as many as fit in `width` columns, then how many more there are.
pub(crate) fn row_of(items: impl IntoIterator<Item = String>, width: usize) -> String {
    let items: Vec<String> = items.into_iter().collect();
    let all = items.join(", ");
    if all.width() <= width {
        return all;
    }
    // At least one is shown, however long.
    for shown in (2..items.len()).rev() {
        let text = format!("{} and {} more", items[..shown].join(", "), items.len() - shown);
        if text.width() <= width {
            return text;
        }
    }
    match items.as_slice() {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} and {} more", rest.len()),
        _ => all,
    }
}

/// A text cut to `width` columns, with an ellipsis if something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width { text.to_owned() } else { fitting(text.chars(), width) + "…" }
}

/// The end of a text in `width` columns, with an ellipsis if something is missing: what matters in a path is at its end.
fn cut_start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let end: String = fitting(text.chars().rev(), width).chars().rev().collect();
    format!("…{end}")
}

/// As many characters as leave one of `width` columns free.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut text = String::new();
    for character in characters {
        text.push(character);
        if text.width() + 1 > width {
            text.pop();
            break;
        }
    }
    text
}

/// A table: left- or right-aligned columns, as wide as their content.
pub(crate) struct Table {
    /// Heading of each column, and whether it is aligned to the right.
    columns: Vec<(&'static str, bool)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, bool)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Prints it as comma-separated values (RFC 4180), numbers without separators.
    pub(crate) fn print_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let cell = |(text, right): (&str, bool)| match right {
            true => text.replace(',', ""),
            false if text.contains([',', '"', '\n', '\r']) => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let headings = self.columns.iter().map(|(heading, _)| cell((heading, false)));
        writeln!(out, "{}", headings.collect::<Vec<_>>().join(","))?;
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns).map(|(text, (_, right))| cell((text, *right)));
            writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }

    /// Prints it as Markdown.
    pub(crate) fn print_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|");
        writeln!(out, "{}", line(self.columns.iter().map(|(heading, _)| escaped(heading)).collect()))?;
        let rule = self.columns.iter().map(|(_, right)| if *right { "---:" } else { "---" }.to_owned());
        writeln!(out, "{}", line(rule.collect()))?;
        self.rows
            .iter()
            .try_for_each(|row| writeln!(out, "{}", line(row.iter().map(|cell| escaped(cell)).collect())))
    }

    /// Prints it; the last column, which is for paths and prose, is cut where the line is too long.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let widths: Vec<usize> = (self.columns.iter().enumerate())
            .map(|(at, (heading, _))| {
                let cells = self.rows.iter().filter_map(|row| row.get(at));
                cells.map(|cell| cell.width()).chain([heading.width()]).max().unwrap_or(0)
            })
            .collect();
        let headings: Vec<String> = self.columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        let last = self.columns.len().saturating_sub(1);
        let before_last: usize = widths.iter().take(last).map(|width| width + 2).sum();
        let room = width().saturating_sub(before_last).max(10);
        let line = |row: &[String]| {
            let cells = row.iter().zip(&widths).zip(&self.columns).enumerate();
            let cells = cells.map(|(at, ((cell, width), (_, right)))| {
                let pad = " ".repeat(width.saturating_sub(cell.width()));
                match right {
                    true => pad + cell,
                    false if at == last => cut_start(cell, room),
                    false => format!("{cell}{pad}"),
                }
            });
            cells.collect::<Vec<_>>().join("  ")
        };
        writeln!(out, "{BOLD}{}{BOLD:#}", line(&headings))?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn rows_and_texts_keep_to_the_width() {
        let items = || ["alpha", "beta", "gamma"].map(str::to_owned);
        assert_eq!(row_of(items(), 80), "alpha, beta, gamma");
        assert_eq!(row_of(items(), 18), "alpha, beta, gamma");
        assert_eq!(row_of(items(), 17), "alpha and 2 more");
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut_start("abcdef", 6), "abcdef");
        assert_eq!(cut_start("abcdef", 4), "…def");
    }
}
