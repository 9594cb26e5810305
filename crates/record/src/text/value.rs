//! Single values as JSON text.

use std::fmt::Write as _;

use zerocopy::FromBytes;

use crate::chars;
use crate::types::{F32, Names, Schema, Type, U16, U32, U64};

/// A value as one line of text, in the form that the JSON has.
pub fn show(ty: Type, bytes: &[u8]) -> String {
    let mut out = String::new();
    write_value(ty, bytes, &mut out);
    out
}

/// A record as one line of text, for `Debug`.
pub fn fmt_record(
    schema: &'static Schema,
    bytes: &[u8],
    f: &mut std::fmt::Formatter<'_>,
) -> std::fmt::Result {
    let mut out = f.debug_struct(schema.name);
    for field in schema.fields {
        let value = bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
        out.field(field.name, &format_args!("{}", show(field.ty, value)));
    }
    out.finish()
}

/// Appends a value as JSON on one line. `bytes` has the type's size; missing bytes are shown as zeros.
pub(crate) fn write_value(ty: Type, bytes: &[u8], out: &mut String) {
    // Writing to a String cannot fail.
    let _ = match ty {
        Type::U8 => write!(out, "{}", integer(ty, bytes)),
        Type::U16 | Type::U32 => write!(out, "{}", integer(ty, bytes)),
        Type::I8 => write!(out, "{}", bytes.first().map_or(0, |byte| byte.cast_signed())),
        Type::I16 => {
            write!(out, "{}", U16::read_from_prefix(bytes).map_or(0, |(value, _)| value.get().cast_signed()))
        }
        Type::I32 => write!(out, "{}", integer(ty, bytes).cast_signed()),
        Type::U64 => write!(out, "{}", U64::read_from_prefix(bytes).map_or(0, |(value, _)| value.get())),
        Type::F32 => {
            write_float(F32::read_from_prefix(bytes).map_or(0.0, |(value, _)| value.get()), out);
            Ok(())
        }
        Type::Chars(_) => {
            let text = chars::until_nul(bytes);
            let tail = &bytes[text.len()..];
            write_text(text, tail, tail.iter().all(|byte| *byte == 0), out);
            Ok(())
        }
        Type::Bytes(_) => write!(out, "\"{}\"", hex(bytes)),
        Type::Array(element, _) => {
            write_list(bytes.chunks_exact(element.size().max(1)), out, |item, out| {
                write_value(*element, item, out);
            });
            Ok(())
        }
        Type::Record(schema) => {
            out.push('{');
            for (index, field) in schema.fields.iter().enumerate() {
                let separator = if index > 0 { ", " } else { "" };
                let _ = write!(out, "{separator}\"{}\": ", field.name);
                write_value(
                    field.ty,
                    bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default(),
                    out,
                );
            }
            out.push('}');
            Ok(())
        }
        Type::Enum(names) => {
            let value = integer(names.repr, bytes);
            match names.table.iter().find(|entry| entry.value == value) {
                Some(entry) => write!(out, "\"{}\"", entry.name),
                None => write!(out, "{value}"),
            }
        }
        Type::Flags(names) => {
            write_list(flag_names(names, integer(names.repr, bytes)).into_iter(), out, |name, out| {
                let _ = write!(out, "\"{name}\"");
            });
            Ok(())
        }
        Type::Spelled(spelling) => {
            let mut text = String::new();
            (spelling.show)(bytes, &mut text);
            // A plain number is shown as a number.
            let is_number = spelling.stores.is_some_and(|ty| text == integer(ty, bytes).to_string());
            if is_number { write!(out, "{text}") } else { write!(out, "\"{text}\"") }
        }
        Type::Converted(conversion) => {
            write_value(conversion.shown, &(conversion.show)(bytes), out);
            Ok(())
        }
    };
}

fn write_list<T>(items: impl Iterator<Item = T>, out: &mut String, write: impl Fn(T, &mut String)) {
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(item, out);
    }
    out.push(']');
}

/// The names of the bits that are set, then the bits without a name.
fn flag_names(names: &'static Names, word: u32) -> Vec<std::borrow::Cow<'static, str>> {
    let mut left = word;
    let mut found = Vec::new();
    for entry in names.table {
        if entry.value != 0 && word & entry.mask == entry.value && left & entry.value == entry.value {
            left &= !entry.value;
            found.push(entry.name.into());
        }
    }
    if left != 0 {
        found.push(format!("{left:#x}").into());
    }
    found
}

/// An unsigned integer of up to four bytes. Signed integers are passed as their bits.
pub(crate) fn integer(ty: Type, bytes: &[u8]) -> u32 {
    match ty.size() {
        1 => bytes.first().copied().unwrap_or_default().into(),
        2 => U16::read_from_prefix(bytes).map_or(0, |(value, _)| value.get().into()),
        _ => U32::read_from_prefix(bytes).map_or(0, |(value, _)| value.get()),
    }
}

pub(crate) fn write_float(value: f32, out: &mut String) {
    if value.is_finite() {
        out.push_str(zmij::Buffer::new().format_finite(value));
    } else if value.is_nan() {
        let _ = write!(out, "\"nan:{:08x}\"", value.to_bits());
    } else {
        out.push_str(if value > 0.0 { "\"inf\"" } else { "\"-inf\"" });
    }
}

/// A string; or text and tail if the text is not followed by ordinary padding.
pub(crate) fn write_text(text: &[u8], tail: &[u8], ordinary: bool, out: &mut String) {
    if ordinary {
        write_string(&chars::decode(text), out);
    } else {
        out.push_str("{\"text\": ");
        write_string(&chars::decode(text), out);
        let _ = write!(out, ", \"tail\": \"{}\"}}", hex(tail));
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}
