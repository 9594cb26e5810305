//! Trees to JSON text.

use std::fmt::Write as _;

use super::counts::{self, LeafCount, SiblingCount};
use super::read::Format;
use super::value::{hex, write_text, write_value};
use crate::node::{Body, Count, Item, Node, Part, pieces};
use crate::types::Type;

/// Maximum number of scalars on one line of a long array.
const SCALARS_PER_LINE: usize = 16;
/// Maximum number of bytes on one line of a long hexadecimal array.
const BYTES_PER_LINE: usize = 32;

impl Node<'_> {
    /// The document as JSON text.
    pub fn to_json(&self, format: &dyn Format) -> String {
        let mut out = format!("{{\"format\": \"{}\"", format.name());
        let rows = Rows { leaf: format.leaf_counts(), sibling: format.sibling_counts() };
        write_body(self, rows, Vec::new(), 0, &mut out);
        out.push_str("}\n");
        out
    }
}

/// The counts that a format has.
#[derive(Clone, Copy)]
struct Rows {
    leaf: &'static [LeafCount],
    sibling: &'static [SiblingCount],
}

/// A count that follows from the content: slot, field and expected value. A header that counts its siblings has its
/// record as its only slot.
type Known = (Option<&'static str>, &'static str, u64);

fn write_node(node: &Node<'_>, rows: Rows, known: Vec<Known>, depth: usize, out: &mut String) {
    indent(depth, out);
    let _ = write!(out, "{{\"{}\": \"{}\"", node.kind.framing.word(), node.name());
    if node.size_delta != 0 {
        let _ = write!(out, ", \"size_delta\": \"{:#x}\"", node.size_delta);
    }
    write_body(node, rows, known, depth, out);
    out.push('}');
}

fn write_body(node: &Node<'_>, rows: Rows, mut known: Vec<Known>, depth: usize, out: &mut String) {
    match &node.body {
        Body::Branch(children) => {
            out.push_str(", \"children\": [");
            for (index, child) in children.iter().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "\n" });
                let known = counts::of_siblings(rows.sibling, node, index);
                let known = known.into_iter().map(|(row, count)| (None, row.field, count)).collect();
                write_node(child, rows, known, depth + 1, out);
            }
            if !children.is_empty() {
                out.push('\n');
                indent(depth, out);
            }
            out.push(']');
        }
        Body::Leaf(_) => {
            let own = counts::of_slots(rows.leaf, node).into_iter();
            known.extend(own.map(|(row, count)| (Some(row.slot), row.field, count)));
            let mut slots = node.slots();
            for part in slots.by_ref() {
                let is_here = |(slot, ..): &&Known| slot.is_none_or(|slot| slot == part.slot.name);
                let known: Vec<Known> = known.iter().filter(is_here).copied().collect();
                let whole = known.iter().find(|(slot, field, _)| slot.is_some() && field.is_empty());
                if let (Some((.., count)), Item::Value(ty)) = (whole, part.slot.item)
                    && *count > 0
                {
                    let stored = counts::stored(ty, part.bytes);
                    if stored != *count {
                        let _ = write!(out, ", \"{}\": {{\"stored\": {stored}}}", part.slot.name);
                    }
                    continue;
                }
                let _ = write!(out, ", \"{}\": ", part.slot.name);
                write_part(&part, &known, depth + 1, out);
            }
            if !slots.rest().is_empty() {
                out.push_str(", \"hex\": ");
                write_hex(slots.rest(), depth + 1, out);
            }
        }
    }
}

fn write_part(part: &Part<'_>, known: &[Known], depth: usize, out: &mut String) {
    match (part.slot.item, part.slot.count) {
        (Item::Text, _) => {
            let text = crate::chars::until_nul(part.bytes);
            let tail = &part.bytes[text.len()..];
            write_text(text, tail, tail == [0], out);
        }
        (Item::Plain, _) => write_text(part.bytes, &[], true, out),
        (Item::Pieces(split), _) => {
            let items: Vec<&[u8]> = pieces(split, part.bytes).collect();
            write_lines(items.into_iter(), 1, depth, out, |item, out| write_text(item, &[], true, out));
        }
        (Item::Raw, _) => write_hex(part.bytes, depth, out),
        (Item::Value(Type::Record(schema)), Count::One) => {
            out.push('{');
            let mut separator = "\n";
            for field in schema.fields {
                let bytes = &part.bytes[field.offset..field.offset + field.ty.size()];
                let known =
                    known.iter().find(|(_, name, _)| counts::can_count(field.ty) && *name == field.name);
                let stored = counts::stored(field.ty, bytes);
                if known.is_some_and(|(.., count)| *count == stored) {
                    continue;
                }
                out.push_str(separator);
                separator = ",\n";
                indent(depth, out);
                let _ = write!(out, "\"{}\": ", field.name);
                match known {
                    Some(_) => {
                        let _ = write!(out, "{{\"stored\": {stored}}}");
                    }
                    None => write_value(field.ty, bytes, out),
                }
            }
            if separator != "\n" {
                out.push('\n');
                indent(depth - 1, out);
            }
            out.push('}');
        }
        (Item::Value(ty), Count::One) => write_value(ty, part.bytes, out),
        (Item::Value(ty), _) => {
            let per_line = if ty.is_scalar() { SCALARS_PER_LINE } else { 1 };
            write_lines(part.bytes.chunks_exact(ty.size().max(1)), per_line, depth, out, |item, out| {
                write_value(ty, item, out);
            });
        }
    }
}

fn write_hex(bytes: &[u8], depth: usize, out: &mut String) {
    if bytes.len() <= BYTES_PER_LINE {
        let _ = write!(out, "\"{}\"", hex(bytes));
    } else {
        write_lines(bytes.chunks(BYTES_PER_LINE), 1, depth, out, |line, out| {
            let _ = write!(out, "\"{}\"", hex(line));
        });
    }
}

/// A list over several lines, or on one line if it fits.
fn write_lines<'b>(
    items: impl ExactSizeIterator<Item = &'b [u8]>,
    per_line: usize,
    depth: usize,
    out: &mut String,
    write: impl Fn(&[u8], &mut String),
) {
    let one_line = items.len() <= per_line;
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        if !one_line && index % per_line == 0 {
            out.push('\n');
            indent(depth, out);
        } else if index > 0 {
            out.push(' ');
        }
        write(item, out);
    }
    if !one_line {
        out.push('\n');
        indent(depth - 1, out);
    }
    out.push(']');
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', depth));
}
