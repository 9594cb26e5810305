//! JSON text to trees.

use serde_json::{Map, Value};

use crate::chars;
use crate::error::Error;
use crate::node::{Body, Count, Item, Kind, Node, Slot};
use crate::types::{Names, Schema, Type};

/// The keys of [`Node::size_delta`]: the one that is written, then the one of older text forms.
const SIZE_DELTA: [&str; 2] = ["size_delta", "size_quirk"];

/// What the reader has to ask a format.
pub trait Format: Sync {
    /// The value of the top-level `format` key.
    fn name(&self) -> &'static str;

    /// The kind of the whole document.
    fn root(&self) -> &'static Kind;

    /// What a node named so, framed so, below such a parent can be, and its id. A name may stand for several kinds that
    /// differ in their slots; the first that has all the slots given is taken.
    fn named(&self, parent: &'static Kind, word: &str, name: &str) -> Option<(&[&'static Kind], u32)>;
}

/// Reads the text form.
pub(crate) fn from_json(format: &dyn Format, text: &str) -> Result<Node<'static>, Error> {
    let document: Value = serde_json::from_str(text).map_err(|error| {
        let span = byte_of(text, error.line(), error.column());
        Error::new("JSON-SYNTAX", span..span, format!("not JSON: {error}"))
    })?;
    let mut path = Vec::new();
    read_document(format, &document, &mut path)
        .map_err(|message| Error::new("JSON-CONTENT", 0..text.len() as u64, message).at(path.join("")))
}

impl dyn Format + '_ {
    /// Reads a document from its text form. The error says where in the JSON: `.children[2].fields.version`.
    pub fn read_json(&self, text: &str) -> Result<Node<'static>, Error> {
        from_json(self, text)
    }
}

/// The bytes of one value, or of a list of `many`, from their JSON text. The error says where in it.
///
/// ```
/// use meshwright_record::{Item, Pod, Vec3, parse_items};
/// assert_eq!(parse_items(Item::Value(Vec3::TYPE), false, "[0, 0, 1]").unwrap()[8..], 1_f32.to_le_bytes());
/// assert!(parse_items(Item::Value(Vec3::TYPE), false, "[0, 0]").is_err());
/// ```
pub fn parse_items(item: Item, many: bool, json: &str) -> Result<Vec<u8>, Error> {
    let value: Value = serde_json::from_str(json).map_err(|error| {
        let span = byte_of(json, error.line(), error.column());
        Error::new("JSON-SYNTAX", span..span, format!("not JSON: {error}"))
    })?;
    let mut trail = Vec::new();
    let mut bytes = Vec::new();
    let count = if many { Count::Rest } else { Count::One };
    read_slot(&Slot { name: "", item, count }, &value, &mut bytes, &mut trail)
        .map_err(|message| Error::new("JSON-CONTENT", 0..json.len() as u64, message).at(trail.join("")))?;
    Ok(bytes)
}

fn byte_of(text: &str, line: usize, column: usize) -> u64 {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)) as u64
}

/// What went wrong; where, is the path that the callers leave behind.
type Fault = String;
type Trail = Vec<String>;

fn read_document(format: &dyn Format, document: &Value, trail: &mut Trail) -> Result<Node<'static>, Fault> {
    let object = document.as_object().ok_or("a document is an object")?;
    match object.get("format").and_then(Value::as_str) {
        Some(name) if name == format.name() => {}
        Some(name) => return Err(format!("the text is of format {name:?}, not {:?}", format.name())),
        None => return Err(format!("the first key must be \"format\": {:?}", format.name())),
    }
    let root = format.root();
    let body = read_body(format, &[root], object, &["format"], trail)?.1;
    Ok(Node { kind: root, id: 0, size_delta: 0, body })
}

fn read_node(
    format: &dyn Format,
    parent: &'static Kind,
    value: &Value,
    trail: &mut Trail,
) -> Result<Node<'static>, Fault> {
    let object = value.as_object().ok_or("a part is an object")?;
    let found = object.iter().find_map(|(word, name)| {
        let (kinds, id) = format.named(parent, word, name.as_str()?)?;
        Some((word, kinds, id))
    });
    let (word, kinds, id) = found.ok_or_else(|| {
        let first =
            object.iter().next().map_or_else(String::new, |(key, value)| format!(": {key:?}: {value}"));
        format!("no such part below {}{first}", parent.name)
    })?;
    let stored = SIZE_DELTA.into_iter().find_map(|key| Some((key, object.get(key)?)));
    let size_delta = match stored {
        None => 0,
        Some((key, value)) => {
            trail.push(format!(".{key}"));
            let size_delta = value
                .as_str()
                .and_then(hex_number)
                .ok_or("a hexadecimal string such as \"0x80000000\" is needed")?;
            trail.pop();
            size_delta
        }
    };
    let (kind, body) = read_body(format, kinds, object, &[word, SIZE_DELTA[0], SIZE_DELTA[1]], trail)?;
    Ok(Node { kind, id, size_delta, body })
}

fn read_body(
    format: &dyn Format,
    kinds: &[&'static Kind],
    object: &Map<String, Value>,
    known: &[&str],
    trail: &mut Trail,
) -> Result<(&'static Kind, Body<'static>), Fault> {
    let is_slot =
        |key: &&String| !known.contains(&key.as_str()) && !matches!(key.as_str(), "children" | "hex");
    let has_all = |kind: &&&'static Kind| {
        object.keys().filter(is_slot).all(|key| kind.slots.iter().any(|slot| slot.name == key))
    };
    let kind = kinds.iter().find(has_all).copied().ok_or_else(|| {
        let names: Vec<_> = kinds.iter().flat_map(|kind| kind.slots).map(|slot| slot.name).collect();
        let stranger = object.keys().filter(is_slot).find(|key| !names.contains(&key.as_str()));
        format!("unknown key {}; known here: {}", stranger.map_or("", String::as_str), names.join(", "))
    })?;
    if let Some(children) = object.get("children") {
        let children = children.as_array().ok_or("\"children\" is a list")?;
        let mut nodes = Vec::with_capacity(children.len());
        for (index, child) in children.iter().enumerate() {
            trail.push(format!(".children[{index}]"));
            nodes.push(read_node(format, kind, child, trail)?);
            trail.pop();
        }
        return Ok((kind, Body::Branch(nodes)));
    }
    let mut bytes = Vec::new();
    for slot in kind.slots {
        if let Some(value) = object.get(slot.name) {
            trail.push(format!(".{}", slot.name));
            read_slot(slot, value, &mut bytes, trail)?;
            trail.pop();
        }
    }
    if let Some(value) = object.get("hex") {
        trail.push(".hex".to_owned());
        read_hex(value, &mut bytes)?;
        trail.pop();
    }
    Ok((kind, Body::Leaf(bytes.into())))
}

fn read_slot(slot: &Slot, value: &Value, out: &mut Vec<u8>, trail: &mut Trail) -> Result<(), Fault> {
    match (slot.item, slot.count) {
        (Item::Text, _) => {
            if read_text(value, out)? {
                out.push(0);
            }
            Ok(())
        }
        (Item::Raw, _) => read_hex(value, out),
        (Item::Value(ty), Count::One) => read_value(ty, value, out, trail),
        (Item::Value(ty), _) => {
            read_list(value, None, out, trail, |item, out, trail| read_value(ty, item, out, trail))
        }
    }
}

fn read_list(
    value: &Value,
    count: Option<usize>,
    out: &mut Vec<u8>,
    trail: &mut Trail,
    read: impl Fn(&Value, &mut Vec<u8>, &mut Trail) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let items = value.as_array().ok_or("a list is needed")?;
    if let Some(count) = count.filter(|count| *count != items.len()) {
        return Err(format!("{} items, but there are {count}", items.len()));
    }
    for (index, item) in items.iter().enumerate() {
        trail.push(format!("[{index}]"));
        read(item, out, trail)?;
        trail.pop();
    }
    Ok(())
}

/// Appends a value's bytes.
fn read_value(ty: Type, value: &Value, out: &mut Vec<u8>, trail: &mut Trail) -> Result<(), Fault> {
    match ty {
        Type::U8 => out.push(number(value)?),
        Type::I8 => out.extend(number::<i8>(value)?.to_le_bytes()),
        Type::U16 => out.extend(number::<u16>(value)?.to_le_bytes()),
        Type::I16 => out.extend(number::<i16>(value)?.to_le_bytes()),
        Type::U32 => out.extend(number::<u32>(value)?.to_le_bytes()),
        Type::I32 => out.extend(number::<i32>(value)?.to_le_bytes()),
        Type::U64 => out.extend(value.as_u64().ok_or("a whole number is needed")?.to_le_bytes()),
        Type::F32 => out.extend(read_float(value)?.to_le_bytes()),
        Type::Chars(size) => {
            let end = out.len() + size;
            if read_text(value, out)? && out.len() < end {
                out.resize(end, 0);
            }
            if out.len() != end {
                return Err(format!("the text does not fit its {size} bytes"));
            }
        }
        Type::Bytes(size) => {
            let start = out.len();
            read_hex(value, out)?;
            if out.len() - start != size {
                return Err(format!("{} bytes, but there are {size}", out.len() - start));
            }
        }
        Type::Array(element, count) => {
            read_list(value, Some(count), out, trail, |item, out, trail| {
                read_value(*element, item, out, trail)
            })?;
        }
        Type::Record(schema) => read_record(schema, value, out, trail)?,
        Type::Enum(names) => {
            let value = match value.as_str() {
                Some(name) => names
                    .table
                    .iter()
                    .find(|entry| entry.name == name)
                    .map(|entry| entry.value)
                    .ok_or_else(|| unknown_name(names, name))?,
                None => number(value)?,
            };
            write_integer(names.repr, value, out)?;
        }
        Type::Flags(names) => {
            let items = value.as_array().ok_or("a list of flag names is needed")?;
            let mut word = 0;
            for item in items {
                let name = item.as_str().ok_or("a flag name is a string")?;
                let entry = names.table.iter().find(|entry| entry.name == name);
                word |= entry
                    .map(|entry| entry.value)
                    .or_else(|| hex_number(name))
                    .ok_or_else(|| unknown_name(names, name))?;
            }
            write_integer(names.repr, word, out)?;
        }
        Type::Spelled(spelling) => {
            let start = out.len();
            out.resize(start + spelling.size, 0);
            let text = value.as_str().ok_or("a string is needed")?;
            (spelling.read)(text, &mut out[start..])
                .ok_or_else(|| format!("{text:?} is no {}", spelling.name))?;
        }
    }
    Ok(())
}

fn read_record(
    schema: &'static Schema,
    value: &Value,
    out: &mut Vec<u8>,
    trail: &mut Trail,
) -> Result<(), Fault> {
    let object = value.as_object().ok_or("an object with the record's fields is needed")?;
    if let Some(stranger) = object.keys().find(|key| schema.fields.iter().all(|field| field.name != *key)) {
        return Err(format!("{} has no field {stranger:?}", schema.name));
    }
    for field in schema.fields {
        trail.push(format!(".{}", field.name));
        let value = object.get(field.name).ok_or("this field is missing")?;
        read_value(field.ty, value, out, trail)?;
        trail.pop();
    }
    Ok(())
}

fn unknown_name(names: &Names, name: &str) -> Fault {
    format!("{} has no value named {name:?}", names.name)
}

fn write_integer(repr: Type, value: u32, out: &mut Vec<u8>) -> Result<(), Fault> {
    let bytes = value.to_le_bytes();
    let (kept, dropped) = bytes.split_at(repr.size().min(4));
    if dropped.iter().any(|byte| *byte != 0) {
        return Err(format!("{value} does not fit {repr}"));
    }
    out.extend_from_slice(kept);
    Ok(())
}

fn number<T: TryFrom<i64>>(value: &Value) -> Result<T, Fault> {
    let number = value.as_i64().ok_or("a whole number is needed")?;
    T::try_from(number).map_err(|_| format!("{number} does not fit {}", std::any::type_name::<T>()))
}

fn hex_number(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// The nearest `f32`. The digits are read as such: going through `f64` would round twice, and 7.038531e-26 would come back
/// as its neighbour.
fn read_float(value: &Value) -> Result<f32, Fault> {
    match value {
        Value::Number(number) => number.as_str().parse().map_err(|_| format!("{number} is no number")),
        Value::String(text) => match text.as_str() {
            "inf" => Ok(f32::INFINITY),
            "-inf" => Ok(f32::NEG_INFINITY),
            _ => text
                .strip_prefix("nan:")
                .and_then(|bits| u32::from_str_radix(bits, 16).ok())
                .map(f32::from_bits)
                .ok_or_else(|| format!("{text:?} is no number; use \"inf\", \"-inf\" or \"nan:7fc00000\"")),
        },
        _ => Err("a number is needed".to_owned()),
    }
}

/// Appends a string's bytes, with its tail where one is given. Whether it was a plain string, to be followed by the
/// ordinary padding.
fn read_text(value: &Value, out: &mut Vec<u8>) -> Result<bool, Fault> {
    let (text, tail) = match value {
        Value::String(text) => (text.as_str(), None),
        Value::Object(object) => (
            object.get("text").and_then(Value::as_str).ok_or("\"text\" is missing")?,
            Some(object.get("tail").ok_or("\"tail\" is missing")?),
        ),
        _ => return Err("a string is needed".to_owned()),
    };
    let bytes = chars::encode(text).ok_or_else(|| format!("{text:?} has characters outside Windows-1252"))?;
    if bytes.contains(&0) {
        return Err("a NUL ends a string; put what follows it into \"tail\"".to_owned());
    }
    out.extend_from_slice(&bytes);
    let Some(tail) = tail else { return Ok(true) };
    let start = out.len();
    read_hex(tail, out)?;
    match out.get(start) {
        None | Some(0) => Ok(false),
        Some(_) => Err("a tail starts with the NUL that ends the text".to_owned()),
    }
}

/// Appends the bytes of a hexadecimal string or a list of them.
fn read_hex(value: &Value, out: &mut Vec<u8>) -> Result<(), Fault> {
    match value {
        Value::String(text) => {
            let digits: Option<Vec<u8>> = text
                .chars()
                .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
                .collect();
            let digits = digits
                .filter(|digits| digits.len() % 2 == 0)
                .ok_or("pairs of hexadecimal digits are needed")?;
            out.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
            Ok(())
        }
        Value::Array(lines) => lines.iter().try_for_each(|line| read_hex(line, out)),
        _ => Err("a hexadecimal string is needed".to_owned()),
    }
}
