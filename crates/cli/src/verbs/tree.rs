//! `tree`: the chunks of a file, with offsets, fields and bytes.

use std::collections::HashMap;
use std::io::{self, Write};

use meshwright::Parsed;
use meshwright::record::{Body, Count, Diagnostic, Item, Node, Part, Type, decode, show, until_nul};
use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::Value;

use crate::args::{Common, TreeArgs};
use crate::exit::{self, Failure, Outcome};
use crate::input::Problem;
use crate::report::{self, BOLD, DIM, JsonList, LABEL, NAME, WARN, thousands};

/// Number of array elements that are shown without --all.
const ELEMENTS: usize = 4;
/// Number of bytes that are shown without --all.
const BYTES: usize = 64;
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
    let mut list = JsonList::at(1);
    if args.json {
        out.write_all(b"[")?;
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
        let tree = Tree::new(&parsed, args);
        let (node, start) = match tree.start() {
            Ok(found) => found,
            Err(message) if files == 1 => return Err(Failure::Usage(message)),
            // With many files, a file without the part is not an error.
            Err(message) => {
                without += 1;
                if common.verbose {
                    report::note(common, &format!("{}: {message}", source.name()));
                }
                continue;
            }
        };
        if args.json {
            let document = DocumentJson {
                file: source.name(),
                format: parsed.format.name,
                size: tree.root.len(),
                tree: NodeJson { tree: &tree, node, start },
            };
            list.next(&mut out)?;
            report::write_json_part(&mut out, &document, 1)?;
            continue;
        }
        if at > 0 {
            writeln!(out)?;
        }
        let size = report::counted(tree.root.len(), "byte", "bytes");
        writeln!(out, "{BOLD}{}{BOLD:#} {DIM}({}, {size}){DIM:#}", source.name(), parsed.format.name)?;
        tree.print(node, start, &mut out)?;
    }
    if args.json {
        list.end(&mut out)?;
        out.write_all(b"\n")?;
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

/// A tree with its diagnostics and the options for printing.
struct Tree<'m, 'a> {
    root: &'m Node<'a>,
    args: &'m TreeArgs,
    /// Diagnostics by node.
    findings: HashMap<*const Node<'a>, Vec<Diagnostic>>,
}

impl<'m, 'a> Tree<'m, 'a> {
    fn new(parsed: &'m Parsed<'a>, args: &'m TreeArgs) -> Self {
        let root = parsed.document.root();
        let mut by_path: HashMap<String, Vec<Diagnostic>> = HashMap::new();
        for found in parsed.diagnostics() {
            by_path.entry(found.path.clone()).or_default().push(found);
        }
        // All nodes are visited once. Looking up each path from the root would take forever where thousands of parts are damaged.
        let mut findings = HashMap::new();
        if !by_path.is_empty() {
            root.walk(&mut |place| {
                if let Some(found) = by_path.remove(&place.path()) {
                    findings.insert(std::ptr::from_ref(place.node), found);
                }
            });
        }
        Self { root, args, findings }
    }

    /// The node to show, and its offset.
    fn start(&self) -> Result<(&'m Node<'a>, usize), String> {
        let Some(path) = &self.args.path else { return Ok((self.root, 0)) };
        let node = self.root.find(path).ok_or_else(|| self.no_such_part(path))?;
        let mut start = 0;
        self.root.walk(&mut |place| {
            if std::ptr::eq(place.node, node) {
                start = place.span.start;
            }
        });
        Ok((node, start))
    }

    /// The message for a path that does not exist: the part that exists, and its children.
    fn no_such_part(&self, path: &str) -> String {
        let mut known = "";
        for (at, _) in path.match_indices('/') {
            if self.root.find(&path[..at]).is_some() {
                known = &path[..at];
            }
        }
        let node = self.root.find(known).unwrap_or(self.root);
        let mut names: Vec<(String, usize)> = Vec::new();
        for child in node.children() {
            match names.iter_mut().find(|(name, _)| *name == child.name()) {
                Some((_, count)) => *count += 1,
                None => names.push((child.name().into_owned(), 1)),
            }
        }
        let names = names.into_iter().map(|(name, count)| match count {
            1 => name,
            _ => format!("{name}[0..{}]", count - 1),
        });
        let place = if known.is_empty() { "at top level".to_owned() } else { format!("in {known}") };
        let there = report::row_of(names, 200);
        format!("no part {path}; available {place}: {}", if there.is_empty() { "none" } else { &there })
    }

    fn print(&self, node: &Node<'a>, start: usize, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{DIM}{:>10} {:>11}  id{DIM:#}", "offset", "size")?;
        if std::ptr::eq(node, self.root) {
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
        let top = indent.is_empty() && std::ptr::eq(node, self.root);
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
            id(node).unwrap_or_default(),
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
        for found in self.findings.get(&std::ptr::from_ref(node)).into_iter().flatten() {
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
        self.each_field(node, &mut |line| {
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

    /// Calls `show` for every field of a leaf, one after the other: a leaf may have millions.
    fn each_field<E>(&self, node: &Node<'a>, show: &mut impl FnMut(Line) -> Result<(), E>) -> Result<(), E> {
        let mut slots = node.slots();
        for part in slots.by_ref() {
            self.slot(&part, show)?;
        }
        if slots.rest().is_empty() {
            return Ok(());
        }
        show(self.raw("bytes", slots.position(), slots.rest()))
    }

    fn slot<E>(&self, part: &Part<'_>, show: &mut impl FnMut(Line) -> Result<(), E>) -> Result<(), E> {
        let Part { slot, start, bytes } = *part;
        match (slot.item, slot.count) {
            (Item::Text, _) => show(Line {
                start,
                size: bytes.len(),
                ty: "text".to_owned(),
                name: slot.name.to_owned(),
                value: Shown::Text(decode(until_nul(bytes)).into_owned()),
            }),
            (Item::Raw, _) => show(self.raw(slot.name, start, bytes)),
            (Item::Value(Type::Record(schema)), Count::One) => {
                for field in schema.fields {
                    let value = bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
                    show(Line::value(start + field.offset, field.ty, field.name.to_owned(), value))?;
                }
                Ok(())
            }
            (Item::Value(ty), Count::One) => show(Line::value(start, ty, slot.name.to_owned(), bytes)),
            (Item::Value(ty), _) => {
                let size = ty.size().max(1);
                let count = bytes.len() / size;
                let shown = if self.args.all { count } else { count.min(ELEMENTS) };
                for (at, element) in bytes.chunks_exact(size).take(shown).enumerate() {
                    show(Line::value(start + at * size, ty, format!("{}[{at}]", slot.name), element))?;
                }
                if shown == count {
                    return Ok(());
                }
                show(Line {
                    start: start + shown * size,
                    size: (count - shown) * size,
                    ty: ty.to_string(),
                    name: format!("{}[{shown}..{count}]", slot.name),
                    value: Shown::More(count - shown),
                })
            }
        }
    }

    fn raw(&self, name: &str, start: usize, bytes: &[u8]) -> Line {
        let shown = if self.args.all { bytes.len() } else { bytes.len().min(BYTES_PER_LINE) };
        let hex: String = bytes.iter().take(shown).map(|byte| format!("{byte:02x}")).collect();
        Line {
            start,
            size: bytes.len(),
            ty: "bytes".to_owned(),
            name: name.to_owned(),
            value: Shown::Hex(hex, bytes.len() - shown),
        }
    }

    fn print_hex(&self, bytes: &[u8], start: usize, margin: &str, out: &mut impl Write) -> io::Result<()> {
        let shown = if self.args.all { bytes.len() } else { bytes.len().min(BYTES) };
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
    tree: NodeJson<'t, 'm, 'a>,
}

/// A node and all below it.
struct NodeJson<'t, 'm, 'a> {
    tree: &'t Tree<'m, 'a>,
    node: &'t Node<'a>,
    /// Its offset in the file.
    start: usize,
}

impl Serialize for NodeJson<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { tree, node, start } = *self;
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("name", &node.name())?;
        if node.kind.framing.header_len() > 0 {
            object.serialize_entry("framing", node.kind.framing.word())?;
        }
        if let Some(id) = id(node) {
            object.serialize_entry("id", &id)?;
        }
        if let Some(label) = node.label() {
            object.serialize_entry("label", &label)?;
        }
        object.serialize_entry("offset", &start)?;
        object.serialize_entry("size", &node.len())?;
        if node.size_delta != 0 {
            object.serialize_entry("size_delta", &format!("{:#x}", node.size_delta))?;
        }
        if let Some(findings) = tree.findings.get(&std::ptr::from_ref(node)) {
            let findings: Vec<Value> = findings.iter().map(report::diagnostic_json).collect();
            object.serialize_entry("findings", &findings)?;
        }
        match &node.body {
            Body::Leaf(bytes) => {
                if tree.args.fields {
                    object.serialize_entry("fields", &FieldsJson(self))?;
                }
                if tree.args.hex {
                    let shown = if tree.args.all { bytes.len() } else { bytes.len().min(BYTES) };
                    let hex: String = bytes.iter().take(shown).map(|byte| format!("{byte:02x}")).collect();
                    object.serialize_entry("hex", &hex)?;
                }
            }
            Body::Branch(_) => object.serialize_entry("children", &ChildrenJson(self))?,
        }
        object.end()
    }
}

/// The children of a node.
struct ChildrenJson<'n, 't, 'm, 'a>(&'n NodeJson<'t, 'm, 'a>);

impl Serialize for ChildrenJson<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let NodeJson { tree, node, start } = *self.0;
        let mut list = to.serialize_seq(Some(node.children().len()))?;
        let mut start = start + node.kind.framing.header_len();
        for child in node.children() {
            list.serialize_element(&NodeJson { tree, node: child, start })?;
            start += child.len();
        }
        list.end()
    }
}

/// The fields of a leaf.
struct FieldsJson<'n, 't, 'm, 'a>(&'n NodeJson<'t, 'm, 'a>);

impl Serialize for FieldsJson<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let NodeJson { tree, node, start } = *self.0;
        let body = start + node.kind.framing.header_len();
        let mut list = to.serialize_seq(None)?;
        tree.each_field(node, &mut |line| list.serialize_element(&line.to_json(body)))?;
        list.end()
    }
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

/// The id in the file: a tag of four letters, or a number. Other framings have none.
fn id(node: &Node<'_>) -> Option<String> {
    match node.kind.framing.header_len() {
        2 => Some(format!("{:#04x}", node.id)),
        8.. => {
            let tag = node.id.to_le_bytes();
            let text = std::str::from_utf8(&tag).ok().filter(|_| tag.iter().all(u8::is_ascii_alphanumeric));
            Some(text.map_or_else(|| format!("{:#010x}", node.id), str::to_owned))
        }
        _ => None,
    }
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
        _ => None,
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// One field, to be shown.
struct Line {
    /// Offset from the start of the body.
    start: usize,
    size: usize,
    ty: String,
    name: String,
    value: Shown,
}

enum Shown {
    /// A value, as the text form has it, and the number behind a name or flags.
    Value(String, Option<u32>),
    Text(String),
    /// Bytes, and how many are left out.
    Hex(String, usize),
    /// Elements that are left out.
    More(usize),
}

impl Line {
    fn value(start: usize, ty: Type, name: String, bytes: &[u8]) -> Self {
        let number = match ty {
            Type::Enum(_) | Type::Flags(_) => {
                let mut word = [0; 4];
                word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                Some(u32::from_le_bytes(word))
            }
            _ => None,
        };
        Self {
            start,
            size: bytes.len(),
            ty: ty.to_string(),
            name,
            value: Shown::Value(show(ty, bytes), number),
        }
    }

    fn to_json(&self, body: usize) -> Value {
        let mut object = serde_json::Map::new();
        object.insert("name".to_owned(), self.name.clone().into());
        object.insert("offset".to_owned(), (body + self.start).into());
        object.insert("size".to_owned(), self.size.into());
        object.insert("type".to_owned(), self.ty.clone().into());
        match &self.value {
            Shown::Value(value, number) => {
                let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()));
                object.insert("value".to_owned(), value);
                if let Some(number) = number {
                    object.insert("number".to_owned(), (*number).into());
                }
            }
            Shown::Text(text) => {
                object.insert("value".to_owned(), text.clone().into());
            }
            Shown::Hex(hex, more) => {
                object.insert("value".to_owned(), hex.clone().into());
                if *more > 0 {
                    object.insert("omitted".to_owned(), (*more).into());
                }
            }
            Shown::More(count) => {
                object.insert("omitted".to_owned(), (*count).into());
            }
        }
        Value::Object(object)
    }
}

/// A value to print: names without quotes, flags separated by bars, and the number.
fn for_people(value: &Shown) -> String {
    match value {
        Shown::Value(text, None) => text.clone(),
        Shown::Value(text, Some(number)) => {
            let words: Vec<&str> =
                text.trim_matches(['[', ']']).split(", ").map(|word| word.trim_matches('"')).collect();
            let words = words.join(" | ");
            if words.is_empty() || words == number.to_string() {
                format!("{number:#x}")
            } else {
                format!("{words} ({number:#x})")
            }
        }
        Shown::Text(text) => format!("{text:?}"),
        Shown::Hex(hex, 0) => hex.clone(),
        Shown::Hex(hex, more) => format!("{hex}... {} more bytes", thousands(*more)),
        Shown::More(count) => format!("... {} more (use --all)", thousands(*count)),
    }
}
