//! Output: colours, tables, messages. Data goes to standard output, messages to standard error.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
pub(crate) use meshwright::check::output::thousands;
use meshwright::record::{Severity, printable};
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::args::{Color, Common};
use crate::input::Problem;
use crate::work::JobOutput;

/// Names of parts.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// Names from models.
pub(crate) const LABEL: Style = AnsiColor::Green.on_default();
/// Secondary text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Warnings.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// Errors.
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

/// Whether details are printed.
static VERBOSE: AtomicBool = AtomicBool::new(false);

/// Sets whether details are printed, for the whole run.
pub(crate) fn set_verbose(common: Common) {
    VERBOSE.store(common.verbose, Ordering::Relaxed);
}

/// Prints a message only with --verbose.
pub(crate) fn detail(text: &str) {
    if VERBOSE.load(Ordering::Relaxed) {
        let _ = writeln!(anstream::stderr().lock(), "{DIM}{text}{DIM:#}");
    }
}

/// Standard output for text with colours, buffered.
pub(crate) fn stdout() -> BufWriter<anstream::AutoStream<io::StdoutLock<'static>>> {
    BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()))
}

/// Standard output for data, without changes.
pub(crate) fn raw_stdout() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// Renders text to be printed later, with colours only if standard output supports them.
pub(crate) fn rendered(print: impl FnOnce(&mut Text) -> io::Result<()>) -> Vec<u8> {
    let mut text = Text::new(Vec::new(), anstream::AutoStream::choice(&io::stdout()));
    // Writing to memory cannot fail.
    let _ = print(&mut text);
    text.into_inner()
}

/// The writer of [`rendered`].
pub(crate) type Text = anstream::AutoStream<Vec<u8>>;

/// The message of a problem in its final form, for standard error.
pub(crate) fn rendered_problem(problem: &Problem) -> Vec<u8> {
    let mut text = Text::new(Vec::new(), anstream::AutoStream::choice(&io::stderr()));
    let _ = writeln!(text, "{BAD}error{BAD:#}: {problem}");
    text.into_inner()
}

/// Prints the outputs of workers.
pub(crate) struct Printer {
    out: BufWriter<Box<dyn Write + Send>>,
}

impl Printer {
    /// For text, some of it with colours.
    pub(crate) fn text() -> Self {
        match anstream::AutoStream::choice(&io::stdout()) {
            anstream::ColorChoice::Never => Self::data(),
            _ => Self { out: BufWriter::new(Box::new(anstream::AutoStream::auto(io::stdout()))) },
        }
    }

    /// For data, without changes.
    pub(crate) fn data() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, Box::new(io::stdout())) }
    }

    /// Prints both texts of an output.
    pub(crate) fn print<R>(&mut self, made: &JobOutput<R>) -> io::Result<()> {
        self.out.write_all(&made.out)?;
        self.message(&made.err)
    }

    /// Prints a message. A closed standard error is ignored.
    pub(crate) fn message(&mut self, text: &[u8]) -> io::Result<()> {
        if !text.is_empty() {
            // Keep the order of both streams on a terminal.
            self.out.flush()?;
            let _ = anstream::stderr().write_all(text);
        }
        Ok(())
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A part of a JSON document, indented for its depth.
pub(crate) fn json_part(value: &Value, depth: usize) -> Vec<u8> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // Strings in JSON contain no line breaks.
    text.replace('\n', &format!("\n{}", "  ".repeat(depth))).into_bytes()
}

/// Writes a part of a JSON document piece by piece, indented as it stands there.
pub(crate) fn write_json_part(
    out: &mut impl Write,
    value: &impl serde::Serialize,
    depth: usize,
) -> io::Result<()> {
    Ok(serde_json::to_writer_pretty(Indented { out, depth }, value)?)
}

/// Indents all lines after the first.
struct Indented<'w, W> {
    out: &'w mut W,
    depth: usize,
}

impl<W: Write> Write for Indented<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.out.write_all(line)?;
            if line.ends_with(b"\n") {
                write!(self.out, "{:1$}", "", 2 * self.depth)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A list in a JSON document that is printed element by element.
pub(crate) struct JsonList {
    depth: usize,
    empty: bool,
}

impl JsonList {
    /// A list whose bracket has been printed, with elements at this depth.
    pub(crate) const fn at(depth: usize) -> Self {
        Self { depth, empty: true }
    }

    /// Prints the beginning of a document that has its schema first and then a list of files, whose elements are at depth 2.
    pub(crate) fn open_files(out: &mut impl Write, schema: &str) -> io::Result<()> {
        write!(out, "{{\n  \"schema\": \"{schema}\",\n  \"files\": [")
    }

    pub(crate) fn push(&mut self, out: &mut impl Write, part: &[u8]) -> io::Result<()> {
        self.next(out)?;
        out.write_all(part)
    }

    /// Prints what stands before the next element, which the caller prints.
    pub(crate) fn next(&mut self, out: &mut impl Write) -> io::Result<()> {
        let comma = if self.empty { "" } else { "," };
        self.empty = false;
        write!(out, "{comma}\n{:1$}", "", 2 * self.depth)
    }

    pub(crate) fn end(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.empty {
            write!(out, "\n{:1$}", "", 2 * (self.depth - 1))?;
        }
        out.write_all(b"]")
    }
}

/// Whether messages have colours.
pub(crate) fn colours_on_stderr() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// Prints a message to standard error. A closed standard error is ignored.
fn message(style: Style, word: &str, text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{style}{word}{style:#}: {text}");
}

/// Prints an error.
pub(crate) fn error(text: &str) {
    message(BAD, "error", text);
}

/// Prints a problem with a file.
pub(crate) fn problem(problem: &Problem) {
    error(&problem.to_string());
}

/// Prints a note, except with --quiet. The text may have colours; names in it have to be [`printable`].
pub(crate) fn note(common: Common, text: &str) {
    if !common.quiet {
        let _ = writeln!(anstream::stderr().lock(), "{text}");
    }
}

/// Prints a JSON document.
pub(crate) fn print_json(value: &Value) -> io::Result<()> {
    let mut out = BufWriter::new(raw_stdout());
    serde_json::to_writer_pretty(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

pub(crate) use meshwright::diagnostic_json;

/// Width of the terminal; unlimited without one.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout())
        .map_or(usize::MAX, |(width, _)| usize::from(width.0).max(40))
}

/// A count and its noun: `1 mesh`, `2 meshes`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// Items in a row, as many as fit in `width` columns, then how many more there are.
pub(crate) fn row_of(items: impl IntoIterator<Item = String>, width: usize) -> String {
    let items: Vec<String> = items.into_iter().map(|item| printable(&item).into_owned()).collect();
    let more = |shown: usize| format!(" and {} more", items.len() - shown);
    let (mut used, mut fitting) = (0, 1);
    for (at, item) in items.iter().enumerate() {
        used += item.width() + if at > 0 { ", ".width() } else { 0 };
        if used > width {
            // At least one is shown, however long.
            return items[..fitting].join(", ")
                + &if items.len() > 1 { more(fitting) } else { String::new() };
        }
        if used + more(at + 1).width() <= width {
            fitting = at + 1;
        }
    }
    items.join(", ")
}

/// A text truncated to `width` columns, with an ellipsis.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width { text.to_owned() } else { fitting(text.chars(), width) + "…" }
}

/// A text with colours, truncated to `width` columns with an ellipsis.
pub(crate) fn cut_styled(text: &str, width: usize) -> String {
    if styled_width(text) <= width {
        return text.to_owned();
    }
    let (mut out, mut used) = (String::new(), 1);
    let mut is_code = false;
    for character in text.chars() {
        if character == '\u{1b}' || is_code {
            is_code = character != 'm';
            out.push(character);
            continue;
        }
        used += character.width().unwrap_or(0);
        if used > width {
            break;
        }
        out.push(character);
    }
    // Colours end with the line.
    let reset = if text.contains('\u{1b}') { "\u{1b}[0m" } else { "" };
    format!("{out}…{reset}")
}

/// Columns of a text with colours.
pub(crate) fn styled_width(text: &str) -> usize {
    let mut is_code = false;
    let visible = text.chars().filter(|&character| {
        let is_hidden = character == '\u{1b}' || is_code;
        is_code = is_hidden && character != 'm';
        !is_hidden
    });
    visible.map(|character| character.width().unwrap_or(0)).sum()
}

/// The end of a text, truncated to `width` columns with an ellipsis. The end of a path matters most.
fn cut_start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let end: String = fitting(text.chars().rev(), width).chars().rev().collect();
    format!("…{end}")
}

/// As many characters as fit into `width` columns with one to spare.
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

/// Heading of a column, and whether it is aligned to the right, as numbers are.
pub(crate) type Column = (&'static str, bool);

/// A line of comma-separated values (RFC 4180), numbers without separators. A text that starts like a
/// formula gets an apostrophe, so that spreadsheets do not execute it.
pub(crate) fn csv_line(columns: &[Column], row: &[String]) -> String {
    let cells = row.iter().zip(columns).map(|(text, (_, right))| {
        let text = printable(text);
        match right {
            true => text.replace(',', ""),
            false if text.starts_with(['=', '+', '-', '@']) => {
                format!("\"'{}\"", text.replace('"', "\"\""))
            }
            false if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.into_owned(),
        }
    });
    cells.collect::<Vec<_>>().join(",") + "\n"
}

/// The headings as comma-separated values.
pub(crate) fn csv_headings(columns: &[Column]) -> String {
    let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
    headings.join(",") + "\n"
}

/// A text escaped for a Markdown table: no HTML, no links, no cell separators.
fn markdown_text(text: &str) -> String {
    let mut out = String::new();
    for character in printable(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '`' | '[' | ']' | '!' => out.extend(['\\', character]),
            plain => out.push(plain),
        }
    }
    out
}

/// A line of a Markdown table.
pub(crate) fn markdown_line(row: &[String]) -> String {
    let cells: Vec<String> = row.iter().map(|cell| markdown_text(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The first lines of a Markdown table.
pub(crate) fn markdown_headings(columns: &[Column]) -> String {
    let headings: Vec<String> = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let rule: Vec<&str> = columns.iter().map(|(_, right)| if *right { "---:" } else { "---" }).collect();
    format!("{}| {} |\n", markdown_line(&headings), rule.join(" | "))
}

/// A table with aligned columns. The first rows determine the widths, so that a long table can be printed row by row. The last
/// column, for paths or prose, is truncated if the line is too long.
pub(crate) struct Table {
    columns: &'static [Column],
    /// Rows that wait until the widths are known.
    rows: Vec<Vec<String>>,
    widths: Option<Vec<usize>>,
    /// Width of the last column.
    room: usize,
    /// How the last column is truncated. The end of a path matters most.
    cut: fn(&str, usize) -> String,
}

impl Table {
    /// Number of rows that determine the widths.
    const FIRST: usize = 200;

    pub(crate) const fn new(columns: &'static [Column]) -> Self {
        Self { columns, rows: Vec::new(), widths: None, room: 0, cut: cut_start }
    }

    /// A table whose last column is prose.
    pub(crate) fn with_prose(columns: &'static [Column]) -> Self {
        Self { cut, ..Self::new(columns) }
    }

    pub(crate) fn push(&mut self, out: &mut impl Write, row: Vec<String>) -> io::Result<()> {
        let row: Vec<String> = row.iter().map(|cell| printable(cell).into_owned()).collect();
        if self.widths.is_some() {
            return self.line(out, &row);
        }
        self.rows.push(row);
        if self.rows.len() < Self::FIRST { Ok(()) } else { self.settle(out) }
    }

    /// Prints the remaining rows.
    pub(crate) fn finish(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.widths.is_none() { self.settle(out) } else { Ok(()) }
    }

    fn settle(&mut self, out: &mut impl Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let columns = self.columns.iter().enumerate();
        let widths: Vec<usize> = columns
            .map(|(at, (heading, _))| {
                let cells = rows.iter().filter_map(|row| row.get(at));
                cells.map(|cell| cell.width()).chain([heading.width()]).max().unwrap_or(0)
            })
            .collect();
        let before_last: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        self.room = width().saturating_sub(before_last).max(10);
        self.widths = Some(widths);
        let headings: Vec<String> = self.columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        let headings = rendered(|text| {
            write!(text, "{BOLD}")?;
            self.cells(text, &headings)?;
            writeln!(text, "{BOLD:#}")
        });
        out.write_all(&headings)?;
        rows.iter().try_for_each(|row| self.line(out, row))
    }

    fn line(&self, out: &mut impl Write, row: &[String]) -> io::Result<()> {
        self.cells(out, row)?;
        out.write_all(b"\n")
    }

    fn cells(&self, out: &mut impl Write, row: &[String]) -> io::Result<()> {
        let widths = self.widths.as_deref().unwrap_or_default();
        let last = self.columns.len().saturating_sub(1);
        for (at, ((cell, width), (_, right))) in row.iter().zip(widths).zip(self.columns).enumerate() {
            let gap = if at == 0 { "" } else { "  " };
            let pad = width.saturating_sub(cell.width());
            match right {
                true => write!(out, "{gap}{:pad$}{cell}", "")?,
                false if at == last => write!(out, "{gap}{}", (self.cut)(cell, self.room))?,
                false => write!(out, "{gap}{cell}{:pad$}", "")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
