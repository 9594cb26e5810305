//! The chunks of a document with offsets, findings, fields and bytes, for programs that show or export them.

use std::collections::HashMap;

use record::{Body, Count, Diagnostic, Item, Node, Part, Type, decode, show, until_nul};
use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::{Value, json};

use crate::Document;

/// Number of array elements that are shown without [`TreeOptions::all`].
const ELEMENTS: usize = 4;
/// Number of bytes that are shown in one field without [`TreeOptions::all`].
const BYTES_OF_FIELD: usize = 16;
/// Number of bytes of a part that are shown without [`TreeOptions::all`].
pub const BYTES_OF_PART: usize = 64;

/// How much of a tree is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions {
    /// Every field with its offset, type and value.
    pub fields: bool,
    /// The bytes of each leaf, in hexadecimal digits.
    pub hex: bool,
    /// All elements of arrays and all bytes, not only the first.
    pub all: bool,
}

/// The chunks of a document with its diagnostics. It serialises as a nested object for each part.
///
/// ```
/// use meshwright::{Model, Tree, TreeOptions};
/// let model = Model::parse(w3d::sample::crate_box())?;
/// let tree = Tree::new(model.document(), model.diagnostics(), TreeOptions::default());
/// let json = serde_json::to_value(tree.part("MESH[0]/MESH_HEADER3").unwrap()).unwrap();
/// assert_eq!((json["name"].as_str(), json["size"].as_u64()), (Some("MESH_HEADER3"), Some(124)));
/// # Ok::<(), meshwright::Error>(())
/// ```
#[derive(Debug)]
pub struct Tree<'m, 'a> {
    root: &'m Node<'a>,
    options: TreeOptions,
    /// Diagnostics by node.
    findings: HashMap<*const Node<'a>, Vec<Diagnostic>>,
}

impl<'m, 'a> Tree<'m, 'a> {
    /// The tree of a document, with the diagnostics of its file.
    pub fn new(document: &'m Document<'a>, diagnostics: Vec<Diagnostic>, options: TreeOptions) -> Self {
        let root = document.root();
        let mut by_path: HashMap<String, Vec<Diagnostic>> = HashMap::new();
        for found in diagnostics {
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
        Self { root, options, findings }
    }

    /// The root.
    pub const fn root(&self) -> &'m Node<'a> {
        self.root
    }

    /// The part at a path, as [`Node::find`] reads it. The empty path is that of the root.
    pub fn part(&self, path: &str) -> Option<TreePart<'_, 'm, 'a>> {
        if path.is_empty() {
            return Some(TreePart { tree: self, node: self.root, start: 0 });
        }
        let node = self.root.find(path)?;
        let mut start = 0;
        self.root.walk(&mut |place| {
            if std::ptr::eq(place.node, node) {
                start = place.span.start;
            }
        });
        Some(TreePart { tree: self, node, start })
    }

    /// The message for a path that does not exist: the part that exists, and its children.
    pub fn no_such_part(&self, path: &str, list: impl Fn(Vec<String>) -> String) -> String {
        let mut known = "";
        for (at, _) in path.match_indices('/') {
            if self.root.find(&path[..at]).is_some() {
                known = &path[..at];
            }
        }
        let node = self.root.find(known).unwrap_or(self.root);
        let mut names: Vec<(String, usize)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for child in node.children() {
            let name = child.name().into_owned();
            let place = *places.entry(name.clone()).or_insert(names.len());
            match names.get_mut(place) {
                Some((_, count)) => *count += 1,
                None => names.push((name, 1)),
            }
        }
        let names = names.into_iter().map(|(name, count)| match count {
            1 => name,
            _ => format!("{name}[0..{}]", count - 1),
        });
        let place = if known.is_empty() { "at top level".to_owned() } else { format!("in {known}") };
        let there = list(names.collect());
        format!("no part {path}; available {place}: {}", if there.is_empty() { "none" } else { &there })
    }

    /// The diagnostics about a node.
    pub fn findings(&self, node: &Node<'a>) -> &[Diagnostic] {
        self.findings.get(&std::ptr::from_ref(node)).map_or(&[], Vec::as_slice)
    }

    /// Calls `show` for every field of a leaf, one after the other: a leaf may have millions.
    pub fn each_field<E>(
        &self,
        node: &Node<'a>,
        show: &mut impl FnMut(TreeField) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut slots = node.slots();
        for part in slots.by_ref() {
            self.slot(&part, show)?;
        }
        if slots.rest().is_empty() {
            return Ok(());
        }
        show(self.raw("bytes", slots.position(), slots.rest()))
    }

    fn slot<E>(&self, part: &Part<'_>, show: &mut impl FnMut(TreeField) -> Result<(), E>) -> Result<(), E> {
        let Part { slot, start, bytes } = *part;
        match (slot.item, slot.count) {
            (Item::Text, _) => show(TreeField {
                start,
                size: bytes.len(),
                ty: "text".to_owned(),
                name: slot.name.to_owned(),
                value: FieldValue::Text(decode(until_nul(bytes)).into_owned()),
            }),
            (Item::Plain, _) => show(TreeField::text(start, slot.name.to_owned(), bytes)),
            (Item::Pieces(split), _) => {
                let limit = if self.options.all { usize::MAX } else { ELEMENTS };
                let mut end = start;
                let mut all = record::pieces(split, bytes);
                for (at, piece) in all.by_ref().take(limit).enumerate() {
                    show(TreeField::text(end, format!("{}[{at}]", slot.name), piece))?;
                    end += piece.len();
                }
                match all.count() {
                    0 => Ok(()),
                    more => show(TreeField {
                        start: end,
                        size: start + bytes.len() - end,
                        ty: "text".to_owned(),
                        name: format!("{}[{limit}..{}]", slot.name, limit + more),
                        value: FieldValue::More(more),
                    }),
                }
            }
            (Item::Raw, _) => show(self.raw(slot.name, start, bytes)),
            (Item::Value(Type::Record(schema)), Count::One) => {
                for field in schema.fields {
                    let value = bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
                    show(TreeField::value(start + field.offset, field.ty, field.name.to_owned(), value))?;
                }
                Ok(())
            }
            (Item::Value(ty), Count::One) => show(TreeField::value(start, ty, slot.name.to_owned(), bytes)),
            (Item::Value(ty), _) => {
                let size = ty.size().max(1);
                let count = bytes.len() / size;
                let shown = if self.options.all { count } else { count.min(ELEMENTS) };
                for (at, element) in bytes.chunks_exact(size).take(shown).enumerate() {
                    show(TreeField::value(start + at * size, ty, format!("{}[{at}]", slot.name), element))?;
                }
                if shown == count {
                    return Ok(());
                }
                show(TreeField {
                    start: start + shown * size,
                    size: (count - shown) * size,
                    ty: ty.to_string(),
                    name: format!("{}[{shown}..{count}]", slot.name),
                    value: FieldValue::More(count - shown),
                })
            }
        }
    }

    fn raw(&self, name: &str, start: usize, bytes: &[u8]) -> TreeField {
        let shown = if self.options.all { bytes.len() } else { bytes.len().min(BYTES_OF_FIELD) };
        let hex: String = bytes.iter().take(shown).map(|byte| format!("{byte:02x}")).collect();
        TreeField {
            start,
            size: bytes.len(),
            ty: "bytes".to_owned(),
            name: name.to_owned(),
            value: FieldValue::Hex(hex, bytes.len() - shown),
        }
    }
}

/// A part of a tree and all below it, as JSON. It is written as it is walked: as one value in memory it would take a hundred times the file.
#[derive(Clone, Copy, Debug)]
pub struct TreePart<'t, 'm, 'a> {
    tree: &'t Tree<'m, 'a>,
    /// Its node.
    pub node: &'t Node<'a>,
    /// Its offset in the file.
    pub start: usize,
}

impl Serialize for TreePart<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { tree, node, start } = *self;
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("name", &node.name())?;
        if node.kind.framing.header_len() > 0 {
            object.serialize_entry("framing", node.kind.framing.word())?;
        }
        if let Some(id) = part_id(node) {
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
        let findings = tree.findings(node);
        if !findings.is_empty() {
            let findings: Vec<Value> = findings.iter().map(diagnostic_json).collect();
            object.serialize_entry("findings", &findings)?;
        }
        match &node.body {
            Body::Leaf(bytes) => {
                if tree.options.fields {
                    object.serialize_entry("fields", &FieldsJson(self))?;
                }
                if tree.options.hex {
                    let shown = if tree.options.all { bytes.len() } else { bytes.len().min(BYTES_OF_PART) };
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
struct ChildrenJson<'n, 't, 'm, 'a>(&'n TreePart<'t, 'm, 'a>);

impl Serialize for ChildrenJson<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let TreePart { tree, node, start } = *self.0;
        let mut list = to.serialize_seq(Some(node.children().len()))?;
        let mut start = start + node.kind.framing.header_len();
        for child in node.children() {
            list.serialize_element(&TreePart { tree, node: child, start })?;
            start += child.len();
        }
        list.end()
    }
}

/// The fields of a leaf.
struct FieldsJson<'n, 't, 'm, 'a>(&'n TreePart<'t, 'm, 'a>);

impl Serialize for FieldsJson<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let TreePart { tree, node, start } = *self.0;
        let body = start + node.kind.framing.header_len();
        let mut list = to.serialize_seq(None)?;
        tree.each_field(node, &mut |line| list.serialize_element(&line.to_json(body)))?;
        list.end()
    }
}

/// The id in the file: a tag of four letters, or a number. Other framings have none.
pub fn part_id(node: &Node<'_>) -> Option<String> {
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

/// A field of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeField {
    /// Offset from the start of the body.
    pub start: usize,
    /// Its size in bytes.
    pub size: usize,
    /// Its type.
    pub ty: String,
    /// Its name; of an element of an array with its index.
    pub name: String,
    /// Its value.
    pub value: FieldValue,
}

/// The value of a [`TreeField`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A value, as the text form has it, and the number behind a name or flags.
    Value(String, Option<u32>),
    /// A text.
    Text(String),
    /// Bytes, and how many are left out.
    Hex(String, usize),
    /// Elements that are left out.
    More(usize),
}

impl TreeField {
    /// Characters without a NUL.
    fn text(start: usize, name: String, bytes: &[u8]) -> Self {
        let value = FieldValue::Text(decode(bytes).into_owned());
        Self { start, size: bytes.len(), ty: "text".to_owned(), name, value }
    }

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
            value: FieldValue::Value(show(ty, bytes), number),
        }
    }

    fn to_json(&self, body: usize) -> Value {
        let mut object = serde_json::Map::new();
        object.insert("name".to_owned(), self.name.clone().into());
        object.insert("offset".to_owned(), (body + self.start).into());
        object.insert("size".to_owned(), self.size.into());
        object.insert("type".to_owned(), self.ty.clone().into());
        match &self.value {
            FieldValue::Value(value, number) => {
                let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()));
                object.insert("value".to_owned(), value);
                if let Some(number) = number {
                    object.insert("number".to_owned(), (*number).into());
                }
            }
            FieldValue::Text(text) => {
                object.insert("value".to_owned(), text.clone().into());
            }
            FieldValue::Hex(hex, more) => {
                object.insert("value".to_owned(), hex.clone().into());
                if *more > 0 {
                    object.insert("omitted".to_owned(), (*more).into());
                }
            }
            FieldValue::More(count) => {
                object.insert("omitted".to_owned(), (*count).into());
            }
        }
        Value::Object(object)
    }
}

/// A diagnostic as JSON.
pub fn diagnostic_json(found: &Diagnostic) -> Value {
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
