//! Trees to JSON text.

use std::fmt::Write as _;

use super::value::{hex, write_text, write_value};
use crate::node::{Body, Count, Item, Node, Part};
use crate::types::Type;

/// Scalars that stand on one line of a long array.
const SCALARS_PER_LINE: usize = 16;
/// Bytes that stand on one line of a long hexadecimal array.
const BYTES_PER_LINE: usize = 32;

impl Node<'_> {
    /// The document as JSON text; `format` is the name that the reader will be asked for.
    pub fn to_json(&self, format: &str) -> String {
        let mut out = format!("{{\"format\": \"{format}\"");
        write_body(self, 0, &mut out);
        out.push_str("}\n");
        out
    }
}

fn write_node(node: &Node<'_>, depth: usize, out: &mut String) {
    indent(depth, out);
    let _ = write!(out, "{{\"{}\": \"{}\"", node.kind.framing.word(), node.name());
    if node.size_delta != 0 {
        let _ = write!(out, ", \"size_delta\": \"{:#x}\"", node.size_delta);
    }
    write_body(node, depth, out);
    out.push('}');
}

fn write_body(node: &Node<'_>, depth: usize, out: &mut String) {
    match &node.body {
        Body::Branch(children) => {
            out.push_str(", \"children\": [");
            for (index, child) in children.iter().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "\n" });
                write_node(child, depth + 1, out);
            }
            if !children.is_empty() {
                out.push('\n');
                indent(depth, out);
            }
            out.push(']');
        }
        Body::Leaf(_) => {
            let mut slots = node.slots();
            for part in slots.by_ref() {
                let _ = write!(out, ", \"{}\": ", part.slot.name);
                write_part(&part, depth + 1, out);
            }
            if !slots.rest().is_empty() {
                out.push_str(", \"hex\": ");
                write_hex(slots.rest(), depth + 1, out);
            }
        }
    }
}

fn write_part(part: &Part<'_>, depth: usize, out: &mut String) {
    match (part.slot.item, part.slot.count) {
        (Item::Text, _) => {
            let text = crate::chars::until_nul(part.bytes);
            let tail = &part.bytes[text.len()..];
            write_text(text, tail, tail == [0], out);
        }
        (Item::Raw, _) => write_hex(part.bytes, depth, out),
        (Item::Value(Type::Record(schema)), Count::One) => {
            out.push('{');
            for (index, field) in schema.fields.iter().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "\n" });
                indent(depth, out);
                let _ = write!(out, "\"{}\": ", field.name);
                write_value(field.ty, &part.bytes[field.offset..field.offset + field.ty.size()], out);
            }
            out.push('\n');
            indent(depth - 1, out);
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

/// A list over several lines, unless it fits on one.
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
