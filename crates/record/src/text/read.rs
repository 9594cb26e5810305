//! JSON text to trees.

use super::counts::{self, LeafCount, SiblingCount};
use super::json::{Json, Object, Value};
use crate::chars;
use crate::error::Error;
use crate::names::nearest;
use crate::node::{Body, Count, Item, Kind, Node, Slot};
use crate::types::{Names, Schema, Type};

/// The keys of [`Node::size_delta`]: the one that is written, then the one of older text forms.
const SIZE_DELTA: [&str; 2] = ["size_delta", "size_quirk"];

/// The knowledge about a format that the reader needs.
pub trait Format: Sync {
    /// The value of the top-level `format` key.
    fn name(&self) -> &'static str;

    /// The kind of the whole document.
    fn root(&self) -> &'static Kind;

    /// The kinds and the id of a node with this framing word and name below a parent. A name can mean several kinds with
    /// different slots. The first kind that has all given slots is used.
    fn named(&self, parent: &'static Kind, word: &str, name: &str) -> Option<(&[&'static Kind], u32)>;

    /// The names that [`named`](Format::named) knows below a parent, for suggestions.
    fn names(&self, _parent: &'static Kind, _word: &str) -> Vec<&'static str> {
        Vec::new()
    }

    /// The counts in headers that follow from their siblings.
    fn sibling_counts(&self) -> &'static [SiblingCount] {
        &[]
    }

    /// The counts in leaves that follow from their own slots.
    fn leaf_counts(&self) -> &'static [LeafCount] {
        &[]
    }

    /// The tree that results from parsing the bytes of a document, to find contradicting values; `None` if the format has
    /// no parser.
    fn parse<'a>(&self, _bytes: &'a [u8]) -> Option<Node<'a>> {
        None
    }
}

/// Reads the text form.
pub(crate) fn from_json(format: &dyn Format, text: &str) -> Result<Node<'static>, Error> {
    let written = Json::parse(text)
        .and_then(|json| read_document(format, &json))
        .map_err(|fault| fault.in_document(text))?;
    let bytes = written.to_bytes()?;
    let Some(read) = format.parse(&bytes) else { return Ok(written) };
    match contradiction(&written, &read) {
        None => Ok(read.into_owned()),
        Some(path) => {
            let name = written.find(&path).map_or("the file", |node| node.kind.name);
            let message = format!(
                "the values contradict each other: written to a file, {name} would be read as something else"
            );
            Err(Error::new("JSON-CONTENT", 0..text.len() as u64, message)
                .at(path)
                .with_note("a count, a size or the kind of the values does not fit what follows it"))
        }
    }
}

/// The path of the first part in which two trees differ.
fn contradiction(written: &Node<'_>, read: &Node<'_>) -> Option<String> {
    fn differs(a: &Node<'_>, b: &Node<'_>, trail: &mut Vec<usize>) -> bool {
        if a.id != b.id
            || a.kind.name != b.kind.name
            || a.size_delta != b.size_delta
            || a.bytes() != b.bytes()
        {
            return true;
        }
        for (index, (a, b)) in a.children().iter().zip(b.children()).enumerate() {
            trail.push(index);
            if differs(a, b, trail) {
                return true;
            }
            trail.pop();
        }
        a.children().len() != b.children().len()
    }
    let mut trail = Vec::new();
    if !differs(written, read, &mut trail) {
        return None;
    }
    let mut node = written;
    let mut steps = Vec::new();
    for index in trail {
        steps.push(step(node, index));
        node = &node.children()[index];
    }
    Some(steps.join("/"))
}

/// The step of a path to a child.
fn step(parent: &Node<'_>, index: usize) -> String {
    let child = &parent.children()[index];
    let named = parent.children()[..index].iter().filter(|sibling| sibling.name() == child.name());
    let label = child.label().map(|label| format!(" {label:?}")).unwrap_or_default();
    format!("{}[{}]{label}", child.name(), named.count())
}

impl dyn Format + '_ {
    /// Reads a document from its text form. The error has line and column, the path of the part, and the field.
    ///
    /// Besides syntax errors, it refuses input that would be written as a file with another meaning: a count or a kind of
    /// keys that does not match its content, `children` beside values, a missing slot before others, duplicate keys.
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
    let count = if many { Count::Rest } else { Count::One };
    let mut bytes = Vec::new();
    Json::parse(json)
        .and_then(|value| read_slot(&Slot { name: "", item, count }, &value, &mut bytes))
        .map_err(|fault| fault.in_value(json))?;
    Ok(bytes)
}

/// An error in a text and its position.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// The byte of the text.
    at: usize,
    is_syntax: bool,
    message: String,
    /// The steps to the part, the last one first.
    parts: Vec<String>,
    /// The steps within the part, the last one first.
    fields: Vec<String>,
}

impl Fault {
    pub(super) fn syntax(at: usize, message: impl Into<String>) -> Self {
        Self { is_syntax: true, ..Self::content(at, message) }
    }

    pub(super) fn content(at: usize, message: impl Into<String>) -> Self {
        Self { at, is_syntax: false, message: message.into(), parts: Vec::new(), fields: Vec::new() }
    }

    /// Adds the field or element that contains the error.
    fn within(mut self, field: impl Into<String>) -> Self {
        self.fields.push(field.into());
        self
    }

    fn field(&self) -> String {
        self.fields.iter().rev().map(String::as_str).collect::<String>().trim_start_matches('.').to_owned()
    }

    fn error(&self, span: usize, message: String, path: String) -> Error {
        let code = if self.is_syntax { "JSON-SYNTAX" } else { "JSON-CONTENT" };
        Error::new(code, self.at as u64..(self.at + span) as u64, message).at(path)
    }

    /// The error about a document.
    fn in_document(&self, text: &str) -> Error {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let field = self.field();
        let field = if field.is_empty() { field } else { format!("{field}: ") };
        let what = if self.is_syntax { "not JSON: " } else { "" };
        let message = format!("line {line}, column {column}: {field}{what}{}", self.message);
        let path = self.parts.iter().rev().map(String::as_str).collect::<Vec<_>>().join("/");
        self.error(0, message, path)
    }

    /// The error about a single value.
    fn in_value(&self, text: &str) -> Error {
        let what = if self.is_syntax { "not JSON: " } else { "" };
        let (message, path) = (format!("{what}{}", self.message), self.field());
        self.error(text.len().saturating_sub(self.at), message, path)
    }
}

type Read<T = ()> = Result<T, Fault>;

fn read_document(format: &dyn Format, document: &Json<'_>) -> Read<Node<'static>> {
    let fault = |message: String| Fault::content(document.at, message);
    let object = document.as_object().ok_or_else(|| fault("a document is an object".to_owned()))?;
    match object.get("format").and_then(Json::as_text) {
        Some(name) if name == format.name() => {}
        Some(name) => return Err(fault(format!("the text is of format {name:?}, not {:?}", format.name()))),
        None => return Err(fault(format!("the first key must be \"format\": {:?}", format.name()))),
    }
    let root = format.root();
    // Without its parts it would be an empty file.
    if object.get("children").is_none() {
        let keys = object.0.iter().map(|(_, key, _)| &**key).filter(|key| *key != "format");
        let near = nearest(keys, "children").map(|near| format!("; {near:?} is not it")).unwrap_or_default();
        return Err(fault(format!("the key \"children\" with the parts of the file is missing{near}")));
    }
    let (_, body, stated) = read_body(format, &[root], document.at, object, &["format"])?;
    stated.iter().try_for_each(Stated::must_be_given)?;
    Ok(Node { kind: root, id: 0, size_delta: 0, body })
}

/// A number in the record of a leaf, which may be a count.
struct Stated {
    slot: &'static str,
    field: &'static str,
    ty: Type,
    /// Offset in the body.
    start: usize,
    /// Offset in the text; that of the record if the number is absent.
    at: usize,
    how: Given,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Absent,
    Plainly,
    /// `{"stored": n}`: the number in the file, which may be wrong.
    AsStored,
}

impl Stated {
    fn name(&self) -> String {
        if self.field.is_empty() {
            format!(".{}", self.slot)
        } else {
            format!(".{}.{}", self.slot, self.field)
        }
    }

    fn must_be_given(&self) -> Read {
        match self.how {
            Given::Absent => Err(Fault::content(self.at, format!("the field {:?} is missing", self.field))
                .within(format!(".{}", self.slot))),
            _ => Ok(()),
        }
    }

    /// Sets it to the count of the content, which `there` describes. Fails if another number was given.
    fn settle(&mut self, count: u64, body: &mut [u8], there: &str) -> Read {
        let place = body.get_mut(self.start..self.start + self.ty.size()).unwrap_or_default();
        let stored = counts::stored(self.ty, place);
        match self.how {
            Given::Absent => {
                let bytes = count.to_le_bytes();
                let (kept, dropped) = bytes.split_at(place.len());
                if dropped.iter().any(|byte| *byte != 0) {
                    return Err(Fault::content(self.at, format!("{count} does not fit {}", self.ty)).within(self.name()));
                }
                place.copy_from_slice(kept);
                self.how = Given::Plainly;
                Ok(())
            }
            Given::Plainly if stored != count => Err(Fault::content(
                self.at,
                format!(
                    "it says {stored}, but {there}; leave it out to have it computed, or write {{\"stored\": {stored}}} to keep a wrong count"
                ),
            )
            .within(self.name())),
            _ => Ok(()),
        }
    }
}

/// A node and the numbers in it that may be counts.
type ReadNode = (Node<'static>, Vec<Stated>);

fn read_node(format: &dyn Format, parent: &'static Kind, json: &Json<'_>) -> Read<ReadNode> {
    let object = json.as_object().ok_or_else(|| {
        Fault::content(json.at, format!("expected an object that is a part, not {}", json.describe()))
    })?;
    let found = object.0.iter().find_map(|(_, word, name)| {
        let (kinds, id) = format.named(parent, word, name.as_text()?)?;
        Some((word, kinds, id))
    });
    let (word, kinds, id) = found.ok_or_else(|| no_such_part(format, parent, json.at, object))?;
    let stored = SIZE_DELTA.into_iter().find_map(|key| Some((key, object.get(key)?)));
    let size_delta = match stored {
        None => 0,
        Some((key, value)) => value.as_text().and_then(hex_number).ok_or_else(|| {
            Fault::content(value.at, "expected a hexadecimal string such as \"0x80000000\"")
                .within(format!(".{key}"))
        })?,
    };
    let (kind, body, stated) =
        read_body(format, kinds, json.at, object, &[word, SIZE_DELTA[0], SIZE_DELTA[1]])?;
    Ok((Node { kind, id, size_delta, body }, stated))
}

fn no_such_part(format: &dyn Format, parent: &'static Kind, at: usize, object: &Object<'_>) -> Fault {
    let Some((_, word, value)) = object.0.first() else {
        return Fault::content(at, format!("an empty object is not a part of {}", parent.name));
    };
    let Some(name) = value.as_text() else {
        return Fault::content(at, format!("expected a part such as {{\"chunk\": \"NAME\"}}, not {word:?}"));
    };
    let near = nearest(format.names(parent, word).into_iter(), name);
    let near = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
    Fault::content(value.at, format!("there is no {word} {name:?} below {}{near}", parent.name))
}

fn read_body(
    format: &dyn Format,
    kinds: &[&'static Kind],
    at: usize,
    object: &Object<'_>,
    known: &[&str],
) -> Read<(&'static Kind, Body<'static>, Vec<Stated>)> {
    let slots = || {
        object
            .0
            .iter()
            .filter(|(_, key, _)| !known.contains(&&**key) && !matches!(&**key, "children" | "hex"))
    };
    let has_all =
        |kind: &&&'static Kind| slots().all(|(_, key, _)| kind.slots.iter().any(|slot| slot.name == key));
    let kind = kinds.iter().find(has_all).copied().ok_or_else(|| {
        let names: Vec<_> = kinds.iter().flat_map(|kind| kind.slots).map(|slot| slot.name).collect();
        let stranger = slots().find(|(_, key, _)| !names.contains(&&**key));
        let (at, key) = stranger.map_or((at, ""), |(at, key, _)| (*at, &**key));
        Fault::content(at, unknown("key", key, &names))
    })?;
    if let Some(children) = object.get("children") {
        if let Some((at, key, _)) =
            slots().next().or_else(|| object.0.iter().find(|(_, key, _)| key == "hex"))
        {
            return Err(Fault::content(
                *at,
                format!("a part has children or values, not both: found \"children\" and {key:?}"),
            ));
        }
        return read_children(format, kind, children).map(|nodes| (kind, Body::Branch(nodes), Vec::new()));
    }
    let mut bytes = Vec::new();
    let mut missing = None;
    let mut given = Vec::new();
    let mut stated = Vec::new();
    let rows: Vec<&LeafCount> = format.leaf_counts().iter().filter(|row| kind.same(row.kind)).collect();
    for slot in kind.slots {
        // A slot that holds the count of another slot.
        let count = rows.iter().find(|row| row.slot == slot.name && row.field.is_empty());
        if let (Some(row), Item::Value(ty)) = (count, slot.item)
            && row.of.iter().any(|name| object.get(name).is_some())
        {
            let value = object.get(slot.name);
            let at = value.map_or(at, |value| value.at);
            let how =
                read_count(ty, value, &mut bytes).map_err(|fault| fault.within(format!(".{}", slot.name)))?;
            let start = bytes.len() - ty.size();
            stated.push(Stated { slot: slot.name, field: "", ty, start, at, how });
            continue;
        }
        let Some(value) = object.get(slot.name) else {
            missing = missing.or(Some(slot.name).filter(|_| matches!(slot.count, Count::One)));
            continue;
        };
        if let Some(missing) = missing {
            return Err(Fault::content(value.at, format!("{:?} requires {missing:?} before it", slot.name)));
        }
        let start = bytes.len();
        match (slot.item, slot.count) {
            (Item::Value(Type::Record(schema)), Count::One) => {
                read_header(schema, value, slot.name, &mut bytes, &mut stated)
            }
            _ => read_slot(slot, value, &mut bytes),
        }
        .map_err(|fault| fault.within(format!(".{}", slot.name)))?;
        given.push((slot, value.at, bytes.len() - start));
    }
    for row in rows {
        let Some(stated) =
            stated.iter_mut().find(|stated| (stated.slot, stated.field) == (row.slot, row.field))
        else {
            continue;
        };
        let counted = given.iter().filter(|(slot, ..)| row.of.contains(&slot.name));
        let count = counted.map(|(slot, _, length)| counts::elements(slot.item, *length)).sum();
        stated.settle(count, &mut bytes, &format!("{} has {count}", row.of.first().unwrap_or(&"it")))?;
    }
    if let Some(value) = object.get("hex") {
        read_hex(value, &mut bytes).map_err(|fault| fault.within(".hex"))?;
    }
    let node = Node::leaf(kind, 0, bytes);
    for (slot, at, length) in given {
        let held = node.slots().find(|part| std::ptr::eq(part.slot, slot)).map_or(0, |part| part.bytes.len());
        if held != length {
            let size = slot.item.size().max(1);
            let message = format!(
                "{} values are given, but the part says that there are {}",
                length / size,
                held / size
            );
            return Err(Fault::content(at, message).within(format!(".{}", slot.name)));
        }
    }
    Ok((kind, node.body, stated))
}

/// Reads a count: a number, `{"stored": number}`, or nothing.
fn read_count(ty: Type, value: Option<&Json<'_>>, out: &mut Vec<u8>) -> Read<Given> {
    let Some(value) = value else {
        out.resize(out.len() + ty.size(), 0);
        return Ok(Given::Absent);
    };
    // Older text forms have a list for a slot of one number.
    let value = match value.as_list() {
        Some([only]) => only,
        _ => value,
    };
    match value.as_object() {
        Some(Object(members)) if members.len() == 1 && members[0].1 == "stored" => {
            read_value(ty, &members[0].2, out).map(|()| Given::AsStored)
        }
        _ => read_value(ty, value, out).map(|()| Given::Plainly),
    }
}

/// Reads the record of a leaf. Counts in it may be absent.
fn read_header(
    schema: &'static Schema,
    value: &Json<'_>,
    slot: &'static str,
    out: &mut Vec<u8>,
    stated: &mut Vec<Stated>,
) -> Read {
    let object = fields_of(schema, value)?;
    for field in schema.fields {
        let given = object.get(field.name);
        let start = out.len();
        if counts::can_count(field.ty) {
            let how =
                read_count(field.ty, given, out).map_err(|fault| fault.within(format!(".{}", field.name)))?;
            let at = given.map_or(value.at, |given| given.at);
            stated.push(Stated { slot, field: field.name, ty: field.ty, start, at, how });
            continue;
        }
        let missing = || Fault::content(value.at, format!("the field {:?} is missing", field.name));
        read_value(field.ty, given.ok_or_else(missing)?, out)
            .map_err(|fault| fault.within(format!(".{}", field.name)))?;
    }
    Ok(())
}

fn read_children(format: &dyn Format, kind: &'static Kind, children: &Json<'_>) -> Read<Vec<Node<'static>>> {
    let items = children.as_list().ok_or_else(|| Fault::content(children.at, "\"children\" is a list"))?;
    let mut nodes: Vec<Node<'static>> = Vec::with_capacity(items.len());
    let mut stated = Vec::with_capacity(items.len());
    let blame = |mut fault: Fault, nodes: &[Node<'_>], item: &Json<'_>| {
        // Errors name the part, if its name has been read.
        let name = item.as_object().and_then(|object| object.0.iter().find_map(|(.., name)| name.as_text()));
        let name = name.unwrap_or("part");
        let ordinal = nodes.iter().filter(|node| node.name() == name).count();
        let label = label_of(format, kind, item).map(|label| format!(" {label:?}")).unwrap_or_default();
        fault.parts.push(format!("{name}[{ordinal}]{label}"));
        fault
    };
    for item in items {
        match read_node(format, kind, item) {
            Ok((node, numbers)) => {
                nodes.push(node);
                stated.push(numbers);
            }
            Err(fault) => return Err(blame(fault, &nodes, item)),
        }
    }
    // Counts of siblings, after all siblings have been read.
    let mut parent = Node::branch(kind, 0, nodes);
    for (index, numbers) in stated.iter_mut().enumerate() {
        let known = counts::of_siblings(format.sibling_counts(), &parent, index);
        let leaf = parent.children_mut().and_then(|nodes| nodes.get_mut(index)?.bytes_mut());
        let Some(body) = leaf.filter(|_| !numbers.is_empty()) else { continue };
        let settle = || {
            for (row, count) in known {
                if let Some(number) = numbers.iter_mut().find(|number| number.field == row.field) {
                    number.settle(count, body, &row.source.describe(count))?;
                }
            }
            numbers.iter().try_for_each(Stated::must_be_given)
        };
        if let Err(fault) = settle() {
            return Err(blame(fault, &parent.children()[..index], &items[index]));
        }
    }
    match parent.body {
        Body::Branch(nodes) => Ok(nodes),
        Body::Leaf(_) => Ok(Vec::new()),
    }
}

/// The label of a part that cannot be read completely: that of the first children that can be read.
fn label_of(format: &dyn Format, parent: &'static Kind, item: &Json<'_>) -> Option<String> {
    let object = item.as_object()?;
    let (kinds, id) =
        object.0.iter().find_map(|(_, word, name)| format.named(parent, word, name.as_text()?))?;
    let kind = *kinds.first()?;
    let children = object.get("children")?.as_list()?.iter();
    let children = children.filter_map(|child| match read_node(format, kind, child) {
        Ok((node, _)) => Some(node),
        Err(_) => read_loosely(format, kind, child),
    });
    Node::branch(kind, id, children.collect()).label()
}

/// The readable fields of a header, to find the name in it. Invalid fields are zero.
fn read_loosely(format: &dyn Format, parent: &'static Kind, json: &Json<'_>) -> Option<Node<'static>> {
    let object = json.as_object()?;
    let (kinds, id) =
        object.0.iter().find_map(|(_, word, name)| format.named(parent, word, name.as_text()?))?;
    let kind = *kinds.first()?;
    let Item::Value(Type::Record(schema)) = kind.slots.first()?.item else { return None };
    let record = object.get(kind.slots.first()?.name)?.as_object()?;
    let mut bytes = Vec::new();
    for field in schema.fields {
        let given = record.get(field.name);
        if given.is_none_or(|value| read_value(field.ty, value, &mut bytes).is_err()) {
            bytes.truncate(field.offset);
        }
        bytes.resize(field.offset + field.ty.size(), 0);
    }
    Some(Node::leaf(kind, id, bytes))
}

fn unknown(what: &str, name: &str, known: &[&'static str]) -> String {
    match nearest(known.iter().copied(), name) {
        Some(near) => format!("unknown {what} {name:?}; did you mean {near:?}?"),
        None => format!("unknown {what} {name:?}; known here: {}", known.join(", ")),
    }
}

fn read_slot(slot: &Slot, value: &Json<'_>, out: &mut Vec<u8>) -> Read {
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

fn expected(what: &str, value: &Json<'_>) -> Fault {
    Fault::content(value.at, format!("expected {what}, not {}", value.describe()))
}

/// Appends a value's bytes.
fn read_value(ty: Type, value: &Json<'_>, out: &mut Vec<u8>) -> Read {
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
fn fields_of<'j, 't>(schema: &'static Schema, value: &'j Json<'t>) -> Read<&'j Object<'t>> {
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

fn hex_number(text: &str) -> Option<u32> {
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
fn read_hex(value: &Json<'_>, out: &mut Vec<u8>) -> Read {
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
