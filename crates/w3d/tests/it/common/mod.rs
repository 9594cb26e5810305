//! Chunks made by hand, and fields checked against layouts as documents print them.

use meshwright_w3d::W3d;
use record::{Item, Node, Part, Type, show};

/// A chunk header and a body.
pub(crate) fn chunk(id: u32, body: &[u8]) -> Vec<u8> {
    [&id.to_le_bytes()[..], &(body.len() as u32).to_le_bytes(), body].concat()
}

/// A chunk of chunks: the same, with the top bit of the size.
pub(crate) fn container(id: u32, body: &[u8]) -> Vec<u8> {
    [&id.to_le_bytes()[..], &(body.len() as u32 | 0x8000_0000).to_le_bytes(), body].concat()
}

/// A micro-chunk.
pub(crate) fn micro(id: u8, body: &[u8]) -> Vec<u8> {
    [&[id, u8::try_from(body.len()).expect("a short body")], body].concat()
}

/// A chunk in containers, the outermost first.
pub(crate) fn wrap(parents: &[u32], inner: Vec<u8>) -> Vec<u8> {
    parents.iter().rev().fold(inner, |inner, parent| container(*parent, &inner))
}

/// A compressed animation of one channel; `flavor` is what its header says.
pub(crate) fn compressed(flavor: u8, id: u32, payload: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 44];
    header[42] = flavor;
    container(0x280, &[chunk(0x281, &header), chunk(id, payload)].concat())
}

/// The first node found by always taking the last child.
pub(crate) fn innermost<'n, 'a>(file: &'n W3d<'a>) -> &'n Node<'a> {
    let mut node = &file.root;
    while let Some(child) = node.children().last() {
        node = child;
    }
    node
}

/// Parses, and checks what holds for every file: the bytes come back, directly and through the text form.
pub(crate) fn read(bytes: &[u8]) -> W3d<'_> {
    let file = W3d::parse(bytes).expect("a W3D file");
    assert_eq!(file.to_bytes().expect("no chunk has grown"), bytes);
    let text = file.to_json();
    let again = W3d::from_json(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.to_bytes().expect("no chunk has grown"), bytes);
    file
}

/// The same for a file in which nothing is amiss: no finding, no byte that no slot claims.
pub(crate) fn read_sound(bytes: &[u8]) -> W3d<'_> {
    let file = read(bytes);
    assert_eq!(file.diagnostics(), [], "{}", file.to_json());
    file
}

/// A slot of a node, by name.
pub(crate) fn slot<'n>(node: &'n Node<'_>, name: &str) -> Part<'n> {
    node.slots()
        .find(|part| part.slot.name == name)
        .unwrap_or_else(|| panic!("{} has no slot {name}", node.name()))
}

/// The values of a slot as text.
pub(crate) fn shown(node: &Node<'_>, name: &str) -> Vec<String> {
    let part = slot(node, name);
    match part.slot.item {
        Item::Value(ty) => part.bytes.chunks_exact(ty.size()).map(|value| show(ty, value)).collect(),
        Item::Text | Item::Plain | Item::Pieces(_) | Item::Raw => {
            vec![String::from_utf8_lossy(part.bytes).into_owned()]
        }
    }
}

/// A field of a slot's element as text.
pub(crate) fn field(node: &Node<'_>, slot_name: &str, element: usize, name: &str) -> String {
    let part = slot(node, slot_name);
    let Item::Value(Type::Record(schema)) = part.slot.item else { panic!("{slot_name} holds no records") };
    let field = schema.fields.iter().find(|field| field.name == name);
    let field = field.unwrap_or_else(|| panic!("{} has no field {name}", schema.name));
    show(field.ty, &part.bytes[element * schema.size + field.offset..][..field.ty.size()])
}

/// One line of a layout as a document prints it: offset, type, name.
#[derive(Debug)]
struct Line<'d> {
    offset: usize,
    ty: &'d str,
    name: &'d str,
}

/// Lines separated by `;`, such as `0 u32 version; 4 char[16] name`.
fn lines(layout: &str) -> Vec<Line<'_>> {
    let line = |line| {
        let mut words = str::split_whitespace(line);
        let mut word = || words.next().unwrap_or_else(|| panic!("{line:?}"));
        Line { offset: word().parse().expect("an offset"), ty: word(), name: word() }
    };
    layout.split(';').map(str::trim).filter(|line| !line.is_empty()).map(line).collect()
}

/// The base type and the number of a type such as `u32[5]`; a nested `f32[3][4]` is twelve floats.
fn base(ty: &str) -> (&str, usize) {
    let mut parts = ty.split(['[', ']']).filter(|part| !part.is_empty());
    let base = parts.next().expect("a type");
    (base, parts.map(|count| count.parse::<usize>().expect("a count")).product())
}

fn size(ty: &str) -> usize {
    let (base, count) = base(ty);
    count
        * match base {
            "u8" | "char" | "byte" => 1,
            "u16" => 2,
            "u32" | "i32" | "f32" | "rgb" | "rgba" => 4,
            "texinfo" => 12,
            "shader" => 16,
            "alphavector" => 20,
            "volume" => 32,
            other => panic!("no type {other}"),
        }
}

/// A value that no neighbour has: `n` counts fields.
fn sample(ty: &str, n: usize) -> Vec<u8> {
    let (base, count) = base(ty);
    match base {
        "char" => {
            let mut text = format!("N{n}").into_bytes();
            text.resize(count, 0);
            text
        }
        "f32" => (0..count).flat_map(|index| ((n * 16 + index) as f32 + 0.5).to_le_bytes()).collect(),
        "u16" => (0..count).flat_map(|index| (0x4000 + (n * 16 + index) as u16).to_le_bytes()).collect(),
        // The top bit is set, so that signed and unsigned differ in the text.
        "u32" | "i32" => {
            (0..count).flat_map(|index| (0xF000_0000 + (n * 32 + index) as u32).to_le_bytes()).collect()
        }
        _ => (0..size(ty)).map(|index| 0x80 | (n * 5 + index) as u8 & 0x7F).collect(),
    }
}

/// The expected text form of such a value; `None` if the text form has names instead.
fn text(ty: &str, bytes: &[u8]) -> Option<String> {
    let (base, count) = base(ty);
    if base == "char" {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        return Some(format!("\"{}\"", String::from_utf8_lossy(&bytes[..end])));
    }
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let one = |bytes: &[u8]| -> Option<String> {
        Some(match base {
            "f32" => format!("{:?}", f32::from_bits(word(bytes))),
            "u32" => word(bytes).to_string(),
            "i32" => word(bytes).cast_signed().to_string(),
            "u16" => u16::from_le_bytes(bytes.try_into().expect("two bytes")).to_string(),
            "u8" => bytes[0].to_string(),
            _ => return None,
        })
    };
    let items: Option<Vec<String>> = bytes.chunks_exact(bytes.len() / count).map(one).collect();
    let items = items?;
    Some(if ty.contains('[') { format!("[{}]", items.join(", ")) } else { items.join("") })
}

/// What is on disk, whatever names its values may have, in the words of the layouts.
fn physical(ty: Type) -> String {
    match ty {
        Type::Enum(names) | Type::Flags(names) => names.repr.to_string(),
        Type::Spelled(spelling) => spelling.stores.map_or_else(
            || {
                assert_eq!((spelling.name, spelling.size), ("Version", 4));
                "u32".to_owned()
            },
            physical,
        ),
        Type::Record(schema) => match schema.name {
            "VolumeRandomizer" => "volume".to_owned(),
            "TextureInfo" => "texinfo".to_owned(),
            other => other.to_ascii_lowercase(),
        },
        // `[[f32; 3]; 4]` is written as its rows are: f32[3][4].
        Type::Array(element, count) => format!("{}[{count}]", physical(*element)),
        other => other.to_string(),
    }
}

/// Whether a value of this type is shown by number.
fn plain(ty: Type) -> bool {
    match ty {
        Type::Array(element, _) => plain(*element),
        Type::Enum(_) | Type::Flags(_) | Type::Spelled(_) | Type::Record(_) => false,
        _ => true,
    }
}

/// The body that a layout describes: every field has a distinct value.
pub(crate) fn body(layout: &str, total: usize, seed: usize) -> Vec<u8> {
    let mut body = vec![0; total];
    let mut covered = 0;
    for (n, line) in lines(layout).iter().enumerate() {
        assert_eq!(line.offset, covered, "{line:?}: layouts have no gaps");
        covered += size(line.ty);
        body[line.offset..covered].copy_from_slice(&sample(line.ty, seed + n));
    }
    assert_eq!(covered, total, "{layout}");
    body
}

/// Checks that a slot's element starting at `start` of the body is what the layout says.
pub(crate) fn check(node: &Node<'_>, slot_name: &str, element: usize, start: usize, layout: &str) {
    let part = slot(node, slot_name);
    let Item::Value(ty) = part.slot.item else { panic!("{} holds no values", node.name()) };
    assert_eq!(part.start + element * ty.size(), start, "{}: where element {element} starts", node.name());
    let bytes = &part.bytes[element * ty.size()..][..ty.size()];
    let lines = lines(layout);
    for line in &lines {
        let (offset, found) = match ty {
            Type::Record(schema) if line.name != "." => {
                let field = schema.fields.iter().find(|field| field.name == line.name);
                let field = field.unwrap_or_else(|| panic!("{} has no field {}", schema.name, line.name));
                (field.offset, field.ty)
            }
            other => (0, other),
        };
        let place = format!("{} {}", node.name(), line.name);
        assert_eq!(offset, line.offset, "{place}");
        assert_eq!(physical(found), line.ty, "{place}");
        let value = &bytes[line.offset..][..size(line.ty)];
        if let Some(text) = text(line.ty, value).filter(|_| plain(found) && !line.ty.contains("][")) {
            assert_eq!(show(found, value), text, "{place}");
        }
    }
    if let Type::Record(schema) = ty
        && lines[0].name != "."
    {
        assert_eq!(
            schema.fields.len(),
            lines.len(),
            "{}: nothing that the layout does not have",
            schema.name
        );
    }
}

/// A chunk of one record in its place: `parents` are ids, the outermost first.
pub(crate) fn record(parents: &[u32], id: u32, name: &str, total: usize, layout: &str) {
    let payload = body(layout, total, 1);
    let bytes = wrap(parents, chunk(id, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    assert_eq!((node.name().as_ref(), node.id), (name, id));
    assert_eq!(node.bytes(), payload);
    check(node, "fields", 0, 0, layout);
    // A record that is one byte too short is reported.
    let bytes = wrap(parents, chunk(id, &payload[..total - 1]));
    let codes: Vec<_> = read(&bytes).diagnostics().into_iter().map(|found| found.code).collect();
    assert_eq!(codes, ["W3D-PART-002"], "{name}");
}

/// A chunk of elements: three of them, and two bytes too many.
pub(crate) fn array(parents: &[u32], id: u32, name: &str, slot_name: &str, stride: usize, layout: &str) {
    let payload = [1, 40, 80].map(|seed| body(layout, stride, seed)).concat();
    let bytes = wrap(parents, chunk(id, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    assert_eq!((node.name().as_ref(), node.id), (name, id));
    for element in 0..3 {
        check(node, slot_name, element, element * stride, layout);
    }
    assert_eq!(slot(node, slot_name).bytes.len(), 3 * stride);
    if stride > 1 {
        let bytes = wrap(parents, chunk(id, &[&payload[..], &[9]].concat()));
        let file = read(&bytes);
        assert_eq!(slot(innermost(&file), slot_name).bytes, payload);
        let codes: Vec<_> = file.diagnostics().into_iter().map(|found| found.code).collect();
        assert_eq!(codes, ["W3D-PART-003"], "{name}");
    }
}

/// A chunk that is a string.
pub(crate) fn string(parents: &[u32], id: u32, name: &str) {
    let bytes = wrap(parents, chunk(id, b"Some text\0"));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    assert_eq!((node.name().as_ref(), node.id), (name, id));
    assert_eq!(node.text(), Some(&b"Some text"[..]));
    // Bytes after the NUL are kept, and are not part of the text.
    let bytes = wrap(parents, chunk(id, b"A\0\xCD\xCD"));
    assert_eq!(innermost(&read_sound(&bytes)).text(), Some(&b"A"[..]));
}

/// A chunk whose layout nobody knows: its bytes are there, and nothing is said of them.
pub(crate) fn raw(parents: &[u32], id: u32, name: &str) {
    let bytes = wrap(parents, chunk(id, &[1, 2, 3, 4, 5]));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    assert_eq!((node.name().as_ref(), node.id), (name, id));
    assert_eq!(node.bytes(), [1, 2, 3, 4, 5]);
    assert!(node.kind.slots.is_empty() && !node.kind.branch);
}
