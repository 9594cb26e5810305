//! JSON values to the bytes of records.

use super::fault::{Fault, Read};
use super::json::{Json, Object, Value};
use crate::chars;
use crate::error::Error;
use crate::names::nearest;
use crate::node::{Count, Item, Slot};
use crate::types::{Names, Schema, Type};

/// The bytes of one value, or of a list of `many`, from their JSON text. The error says where in it.
///
/// ```
/// use meshwright_record::{Item, Pod, Vec3, parse_items};
/// assert_eq!(parse_items(Item::Value(Vec3::TYPE), false, "[0, 0, 1]").unwrap()[8..], 1_f32.to_le_bytes());
/// assert!(parse_items(Item::Value(Vec3::TYPE), false, "[0, 0]").is_err());
/// ```
pub fn parse_items(item: Item, many: bool, json: &str) -> Result<Vec<u8>, Error> {
    let count = if many { Count::Rest } else { Count::One };
    let mut bytes = Vec::new();
    Json::parse(json)
        .and_then(|value| read_slot(&Slot { name: "", item, count }, &value, &mut bytes))
        .map_err(|fault| fault.in_value(json))?;
    Ok(bytes)
}

pub(super) fn unknown(what: &str, name: &str, known: &[&'static str]) -> String {
    match nearest(known.iter().copied(), name) {
        Some(near) => format!("unknown {what} {name:?}; did you mean {near:?}?"),
        None => format!("unknown {what} {name:?}; known here: {}", known.join(", ")),
    }
}

pub(super) fn read_slot(slot: &Slot, value: &Json<'_>, out: &mut Vec<u8>) -> Read {
    match (slot.item, slot.count) {
        (Item::Text, _) => {
            if read_text(value, out)? {
                out.push(0);
            }
            Ok(())
        }
        (Item::Plain, _) => read_plain(value, out),
        (Item::Pieces(_), _) => read_list(value, None, out, read_plain),
        (Item::Raw, _) => read_hex(value, out),
        (Item::Value(ty), Count::One) => read_value(ty, value, out),
        (Item::Value(ty), _) => read_list(value, None, out, |item, out| read_value(ty, item, out)),
    }
}

fn read_list(
    value: &Json<'_>,
    count: Option<usize>,
    out: &mut Vec<u8>,
    read: impl Fn(&Json<'_>, &mut Vec<u8>) -> Read,
) -> Read {
    let items = value.as_list().ok_or_else(|| expected("a list", value))?;
    if let Some(count) = count.filter(|count| *count != items.len()) {
        return Err(Fault::content(value.at, format!("expected {count} items, not {} items", items.len())));
    }
    for (index, item) in items.iter().enumerate() {
        read(item, out).map_err(|fault| fault.within(format!("[{index}]")))?;
    }
    Ok(())
}

pub(super) fn expected(what: &str, value: &Json<'_>) -> Fault {
    Fault::content(value.at, format!("expected {what}, not {}", value.describe()))
}

/// Appends a value's bytes.
pub(super) fn read_value(ty: Type, value: &Json<'_>, out: &mut Vec<u8>) -> Read {
    match ty {
        Type::U8 => out.push(number(value)?),
        Type::I8 => out.extend(number::<i8>(value)?.to_le_bytes()),
        Type::U16 => out.extend(number::<u16>(value)?.to_le_bytes()),
        Type::I16 => out.extend(number::<i16>(value)?.to_le_bytes()),
        Type::U32 => out.extend(word(value)?.to_le_bytes()),
        Type::I32 => out.extend(number::<i32>(value)?.to_le_bytes()),
        Type::U64 => out.extend(number::<u64>(value)?.to_le_bytes()),
        Type::F32 => out.extend(read_float(value)?.to_le_bytes()),
        Type::Chars(size) => {
            let end = out.len() + size;
            if read_text(value, out)? && out.len() < end {
                out.resize(end, 0);
            }
            if out.len() != end {
                return Err(Fault::content(value.at, format!("the text does not fit its {size} bytes")));
            }
        }
        Type::Bytes(size) => {
            let start = out.len();
            read_hex(value, out)?;
            if out.len() - start != size {
                return Err(Fault::content(
                    value.at,
                    format!("expected {size} bytes, not {}", out.len() - start),
                ));
            }
        }
        Type::Array(element, count) => {
            read_list(value, Some(count), out, |item, out| read_value(*element, item, out))?;
        }
        Type::Record(schema) => read_record(schema, value, out)?,
        Type::Enum(names) => {
            let number = match value.as_text() {
                Some(name) => named(names, name, value.at)?.value,
                None => word(value)?,
            };
            write_integer(names.repr, number, value.at, out)?;
        }
        Type::Flags(names) => {
            let items = value.as_list().ok_or_else(|| expected("a list of flag names", value))?;
            write_integer(names.repr, read_flags(names, items)?, value.at, out)?;
        }
        Type::Spelled(spelling) => {
            let start = out.len();
            out.resize(start + spelling.size, 0);
            let text = match value.value {
                Value::Number(number) if spelling.stores.is_some() => number,
                _ => value.as_text().ok_or_else(|| expected("a string", value))?,
            };
            (spelling.read)(text, &mut out[start..])
                .ok_or_else(|| Fault::content(value.at, format!("{text:?} is not a {}", spelling.name)))?;
        }
        Type::Converted(conversion) => {
            let mut shown = Vec::new();
            read_value(conversion.shown, value, &mut shown)?;
            let stored = (conversion.read)(&shown);
            if stored.len() != conversion.size {
                return Err(Fault::content(value.at, format!("this is not a {}", conversion.name)));
            }
            out.extend(stored);
        }
    }
    Ok(())
}

/// The word of some flags. Two values of the same field of bits exclude one another.
fn read_flags(names: &'static Names, items: &[Json<'_>]) -> Read<u32> {
    let (mut bits, mut given) = (0, Vec::new());
    for item in items {
        let name = item.as_text().ok_or_else(|| expected("the name of a flag", item))?;
        if let Some(number) = hex_number(name) {
            bits |= number;
            continue;
        }
        let entry = named(names, name, item.at)?;
        let excludes =
            |other: &&&crate::types::Name| (other.value ^ entry.value) & other.mask & entry.mask != 0;
        if let Some(other) = given.iter().find(excludes) {
            return Err(Fault::content(item.at, format!("{name} and {} exclude one another", other.name)));
        }
        bits |= entry.value;
        given.push(entry);
    }
    Ok(bits)
}

fn named(names: &'static Names, name: &str, at: usize) -> Read<&'static crate::types::Name> {
    names.table.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let near = nearest(names.table.iter().map(|entry| entry.name), name);
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        Fault::content(at, format!("{} has no value named {name:?}{near}", names.name))
    })
}

/// The members of a record, all of which are fields.
pub(super) fn fields_of<'j, 't>(schema: &'static Schema, value: &'j Json<'t>) -> Read<&'j Object<'t>> {
    let object =
        value.as_object().ok_or_else(|| expected("an object with the fields of the record", value))?;
    let is_stranger = |key: &str| schema.fields.iter().all(|field| field.name != key);
    if let Some((at, stranger, _)) = object.0.iter().find(|(_, key, _)| is_stranger(key)) {
        let fields: Vec<_> = schema.fields.iter().map(|field| field.name).collect();
        return Err(Fault::content(*at, format!("{}: {}", schema.name, unknown("field", stranger, &fields))));
    }
    Ok(object)
}

fn read_record(schema: &'static Schema, value: &Json<'_>, out: &mut Vec<u8>) -> Read {
    let object = fields_of(schema, value)?;
    for field in schema.fields {
        let missing = || Fault::content(value.at, format!("the field {:?} is missing", field.name));
        let value = object.get(field.name).ok_or_else(missing)?;
        read_value(field.ty, value, out).map_err(|fault| fault.within(format!(".{}", field.name)))?;
    }
    Ok(())
}

fn write_integer(repr: Type, value: u32, at: usize, out: &mut Vec<u8>) -> Read {
    let bytes = value.to_le_bytes();
    let (kept, dropped) = bytes.split_at(repr.size().min(4));
    if dropped.iter().any(|byte| *byte != 0) {
        return Err(Fault::content(at, format!("{value} does not fit {repr}")));
    }
    out.extend_from_slice(kept);
    Ok(())
}

fn number<T: std::str::FromStr>(value: &Json<'_>) -> Read<T> {
    let Value::Number(text) = value.value else { return Err(expected("a whole number", value)) };
    if text.contains(['.', 'e', 'E']) {
        return Err(expected("a whole number", value));
    }
    // JSON has a negative zero.
    let text = if text == "-0" { "0" } else { text };
    text.parse()
        .map_err(|_| Fault::content(value.at, format!("{text} does not fit {}", std::any::type_name::<T>())))
}

/// A 32-bit number. -1 is accepted for all bits set, which means "none".
fn word(value: &Json<'_>) -> Read<u32> {
    match value.value {
        Value::Number("-1") => Ok(u32::MAX),
        _ => number(value),
    }
}

pub(super) fn hex_number(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// The nearest `f32`. The digits are read as such: going through `f64` would round twice, and 7.038531e-26 would come back
/// as its neighbour.
fn read_float(value: &Json<'_>) -> Read<f32> {
    match &value.value {
        Value::Number(number) => match number.parse::<f32>() {
            Ok(float) if float.is_finite() => Ok(float),
            Ok(_) => Err(Fault::content(
                value.at,
                format!("{number} is too large for a float; write \"inf\" for infinity"),
            )),
            Err(_) => Err(expected("a number", value)),
        },
        Value::Text(text) => match &**text {
            "inf" => Ok(f32::INFINITY),
            "-inf" => Ok(f32::NEG_INFINITY),
            _ => text
                .strip_prefix("nan:")
                .and_then(|bits| u32::from_str_radix(bits, 16).ok())
                .map(f32::from_bits)
                .ok_or_else(|| expected("a number, \"inf\", \"-inf\" or \"nan:7fc00000\"", value)),
        },
        _ => Err(expected("a number", value)),
    }
}

/// Appends the characters of a text that has no terminator.
fn read_plain(value: &Json<'_>, out: &mut Vec<u8>) -> Read {
    let text = value.as_text().ok_or_else(|| expected("a string", value))?;
    let outside = || Fault::content(value.at, format!("{text:?} has characters outside Windows-1252"));
    out.extend_from_slice(&chars::encode(text).ok_or_else(outside)?);
    Ok(())
}

/// Appends a string's bytes, and its tail if one is given. Returns whether it was a plain string, which is followed by
/// ordinary padding.
fn read_text(value: &Json<'_>, out: &mut Vec<u8>) -> Read<bool> {
    let (text, tail) = match &value.value {
        Value::Text(text) => (&**text, None),
        Value::Object(object) => {
            let member = |key: &str| {
                object.get(key).ok_or_else(|| Fault::content(value.at, format!("the key {key:?} is missing")))
            };
            let text = member("text")?;
            (text.as_text().ok_or_else(|| expected("a string", text))?, Some(member("tail")?))
        }
        _ => return Err(expected("a string", value)),
    };
    let fault = |message: &str| Fault::content(value.at, message);
    let bytes =
        chars::encode(text).ok_or_else(|| fault(&format!("{text:?} has characters outside Windows-1252")))?;
    if bytes.contains(&0) {
        return Err(fault("a NUL ends a string; put what follows it into \"tail\""));
    }
    out.extend_from_slice(&bytes);
    let Some(tail) = tail else { return Ok(true) };
    let start = out.len();
    read_hex(tail, out)?;
    match out.get(start) {
        None | Some(0) => Ok(false),
        Some(_) => Err(fault("a tail starts with the NUL that ends the text")),
    }
}

/// Appends the bytes of a hexadecimal string or a list of them.
pub(super) fn read_hex(value: &Json<'_>, out: &mut Vec<u8>) -> Read {
    match &value.value {
        Value::Text(text) => {
            let digits: Option<Vec<u8>> = text
                .chars()
                .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
                .collect();
            let digits = digits
                .filter(|digits| digits.len() % 2 == 0)
                .ok_or_else(|| Fault::content(value.at, "expected pairs of hexadecimal digits"))?;
            out.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
            Ok(())
        }
        Value::List(lines) => lines.iter().try_for_each(|line| read_hex(line, out)),
        _ => Err(expected("a hexadecimal string", value)),
    }
}
