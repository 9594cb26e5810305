//! `tree`: the chunks of a file, with offsets, fields and bytes.

use std::collections::HashMap;
use std::io::{self, Write};

use meshwright::record::{Body, Count, Diagnostic, Item, Node, decode, pieces};
use meshwright::{BYTES_OF_PART, FieldValue, Tree, TreeOptions, TreePart, part_id};
use serde::Serialize;

use crate::args::{Common, TreeArgs};
use crate::exit::{self, Failure, Outcome};
use crate::input::Problem;
use crate::report::{self, BOLD, DIM, JsonList, LABEL, NAME, WARN, thousands};

/// Bytes on one line.
const BYTES_PER_LINE: usize = 16;

pub(crate) fn tree(args: &TreeArgs, common: Common) -> exit::Result {
    let (sources, problems) = args.inputs.sources();
    let files = sources.len() + problems.len();
    let mut outcome = Outcome::Fine;
    let mut unreadable = 0;
    let mut fail = |problem: &Problem| {
        report::problem(problem);
        unreadable += 1;
        outcome = Outcome::Unreadable;
    };
    problems.iter().for_each(&mut fail);
    let mut out = report::stdout();
    let mut list = JsonList::at(2);
    if args.json {
        JsonList::open_files(&mut out, "meshwright-tree-2")?;
    }
    let mut without = 0;
    for (at, source) in sources.iter().enumerate() {
        let bytes = match source.bytes() {
            Ok(bytes) => bytes,
            Err(problem) => {
                fail(&problem);
                continue;
            }
        };
        let parsed = match source.parse(&bytes, args.inputs.forced) {
            Ok(parsed) => parsed,
            Err(problem) => {
                fail(&problem);
                continue;
            }
        };
        let options = TreeOptions { fields: args.fields, hex: args.hex, all: args.all };
        let view = View { tree: Tree::new(&parsed.document, parsed.diagnostics(), options), args };
        let path = args.path.as_deref().unwrap_or_default();
        let Some(part) = view.tree.part(path) else {
            let message = view.tree.no_such_part(path, |names| report::row_of(names, 200));
            if files == 1 {
                return Err(Failure::Usage(message));
            }
            // With many files, a file without the part is not an error.
            without += 1;
            if common.verbose {
                report::note(common, &format!("{}: {message}", source.name()));
            }
            continue;
        };
        let root_size = view.tree.root().len();
        if args.json {
            let document =
                DocumentJson { file: source.name(), format: parsed.format.name, size: root_size, tree: part };
            list.next(&mut out)?;
            report::write_json_part(&mut out, &document, 2)?;
            continue;
        }
        if at > 0 {
            writeln!(out)?;
        }
        let size = report::counted(root_size, "byte", "bytes");
        writeln!(out, "{BOLD}{}{BOLD:#} {DIM}({}, {size}){DIM:#}", source.name(), parsed.format.name)?;
        view.print(part.node, part.start, &mut out)?;
    }
    if args.json {
        list.end(&mut out)?;
        out.write_all(b"\n}\n")?;
    }
    out.flush()?;
    if files > 1 && (without > 0 || unreadable > 0) {
        let files = report::counted(files, "file", "files");
        let without = match (without, &args.path) {
            (1.., Some(path)) => format!(", {} without {path}", thousands(without)),
            _ => String::new(),
        };
        report::note(common, &format!("{files}{without}, {} unreadable", thousands(unreadable)));
    }
    Ok(if without > 0 { outcome.max(Outcome::Findings) } else { outcome })
}

/// A tree and the options for printing it.
struct View<'m, 'a> {
    tree: Tree<'m, 'a>,
    args: &'m TreeArgs,
}

impl<'a> View<'_, 'a> {
    fn print(&self, node: &Node<'a>, start: usize, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{DIM}{:>10} {:>11}  id{DIM:#}", "offset", "size")?;
        if std::ptr::eq(node, self.tree.root()) {
            self.print_findings(node, "", out)?;
            self.print_children(node, start, "", out)?;
            return Ok(());
        }
        self.print_node(node, &node.name(), start, ["", ""], out)
    }

    fn print_children(
        &self,
        node: &Node<'a>,
        start: usize,
        indent: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let top = indent.is_empty() && std::ptr::eq(node, self.tree.root());
        let mut position = start + node.kind.framing.header_len();
        let places = places(node);
        let mut children = node.children().iter().zip(&places).peekable();
        while let Some((child, place)) = children.next() {
            let (own, below) = match (top, children.peek().is_some()) {
                (true, _) => ("", ""),
                (false, true) => ("├─ ", "│  "),
                (false, false) => ("└─ ", "   "),
            };
            let margins = [format!("{indent}{own}"), format!("{indent}{below}")];
            self.print_node(child, place, position, margins.each_ref().map(String::as_str), out)?;
            position += child.len();
        }
        Ok(())
    }

    fn print_node(
        &self,
        node: &Node<'a>,
        place: &str,
        start: usize,
        [own, below]: [&str; 2],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let size = thousands(node.len());
        write!(
            out,
            "{DIM}{start:#010x} {size:>11}  {:<10}  {own}{DIM:#}{NAME}{place}{NAME:#}",
            part_id(node).unwrap_or_default(),
        )?;
        if let Some(label) = node.label() {
            write!(out, " {LABEL}{label:?}{LABEL:#}")?;
        }
        let content = content(node);
        if !content.is_empty() {
            write!(out, " {DIM}{content}{DIM:#}")?;
        }
        if node.size_delta != 0 {
            write!(out, " {WARN}!{WARN:#}")?;
        }
        writeln!(out)?;
        let branch = matches!(node.body, Body::Branch(_)) && !node.children().is_empty();
        let margin = format!("{below}{}", if branch { "│  " } else { "   " });
        self.print_findings(node, &margin, out)?;
        if self.args.fields {
            self.print_fields(node, start, &margin, out)?;
        }
        if self.args.hex && !branch {
            self.print_hex(node.bytes(), start + node.kind.framing.header_len(), &margin, out)?;
        }
        self.print_children(node, start, below, out)
    }

    fn print_findings(&self, node: &Node<'a>, margin: &str, out: &mut impl Write) -> io::Result<()> {
        for found in self.tree.findings(node) {
            let style = report::style(found.severity);
            let Diagnostic { code, severity, message, .. } = found;
            writeln!(
                out,
                "{DIM}{:#010x} {:>23}  {margin}{DIM:#}{style}{}[{code}] {message}{style:#}",
                found.span.start,
                "",
                severity.word(),
            )?;
        }
        Ok(())
    }

    fn print_fields(
        &self,
        node: &Node<'a>,
        start: usize,
        margin: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let body = start + node.kind.framing.header_len();
        self.tree.each_field(node, &mut |line| {
            let at = body + line.start;
            write!(
                out,
                "{DIM}{at:#010x} {:>11}  {:<10}  {margin}{DIM:#}",
                thousands(line.size),
                report::cut(&line.ty, 10)
            )?;
            writeln!(out, "{} = {}", line.name, for_people(&line.value))
        })
    }

    fn print_hex(&self, bytes: &[u8], start: usize, margin: &str, out: &mut impl Write) -> io::Result<()> {
        let shown = if self.args.all { bytes.len() } else { bytes.len().min(BYTES_OF_PART) };
        for (at, line) in bytes[..shown].chunks(BYTES_PER_LINE).enumerate() {
            let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
            let text: String = line
                .iter()
                .map(|byte| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '.' })
                .collect();
            let at = start + at * BYTES_PER_LINE;
            writeln!(out, "{DIM}{at:#010x} {:>23}  {margin}{DIM:#}{:<47}  {text}", "", hex.join(" "))?;
        }
        if shown < bytes.len() {
            let more = thousands(bytes.len() - shown);
            let at = start + shown;
            writeln!(out, "{DIM}{at:#010x} {:>23}  {margin}... {more} more bytes (use --all){DIM:#}", "")?;
        }
        Ok(())
    }
}

/// What `--json` prints for a file. It is written as it is walked: as one document in memory it would take a hundred times the file.
#[derive(Serialize)]
struct DocumentJson<'t, 'm, 'a> {
    file: String,
    format: &'static str,
    size: usize,
    tree: TreePart<'t, 'm, 'a>,
}

/// For each child its name, with its position where siblings share the name. With the label, that is a step of a path.
fn places(node: &Node<'_>) -> Vec<String> {
    let mut counts: HashMap<_, usize> = HashMap::new();
    for child in node.children() {
        *counts.entry(child.name()).or_default() += 1;
    }
    let mut seen: HashMap<_, usize> = HashMap::new();
    let place = |child: &Node<'_>| {
        let name = child.name();
        if counts.get(&name) == Some(&1) {
            return name.into_owned();
        }
        let ordinal = seen.entry(name.clone()).or_default();
        *ordinal += 1;
        format!("{name}[{}]", *ordinal - 1)
    };
    node.children().iter().map(place).collect()
}

/// Short description of a leaf: its text, or the number and type of its elements.
fn content(node: &Node<'_>) -> String {
    if let Some(text) = node.text() {
        return format!("{:?}", decode(text));
    }
    let parts = node.slots().filter_map(|part| match (part.slot.item, part.slot.count) {
        (Item::Value(ty), Count::Rest | Count::By(_)) => {
            Some(format!("{} × {ty}", thousands(part.bytes.len() / ty.size().max(1))))
        }
        (Item::Plain, _) if part.slot.name == "value" => Some(format!("{:?}", decode(part.bytes))),
        (Item::Pieces(split), _) => Some(format!("{} × text", thousands(pieces(split, part.bytes).count()))),
        _ => None,
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// A value to print: names without quotes, flags separated by bars, and the number.
fn for_people(value: &FieldValue) -> String {
    match value {
        FieldValue::Value(text, None) => text.clone(),
        FieldValue::Value(text, Some(number)) => {
            let words: Vec<&str> =
                text.trim_matches(['[', ']']).split(", ").map(|word| word.trim_matches('"')).collect();
            let words = words.join(" | ");
            if words.is_empty() || words == number.to_string() {
                format!("{number:#x}")
            } else {
                format!("{words} ({number:#x})")
            }
        }
        FieldValue::Text(text) => format!("{text:?}"),
        FieldValue::Hex(hex, 0) => hex.clone(),
        FieldValue::Hex(hex, more) => format!("{hex}... {} more bytes", thousands(*more)),
        FieldValue::More(count) => format!("... {} more (use --all)", thousands(*count)),
    }
}
