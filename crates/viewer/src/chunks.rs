//! The chunks of a file as rows of a list, and which chunk an object of the scene comes from.

use crate::document::Opened;
use crate::pane::Object;
use meshwright::Family;
use meshwright::record::{Body, Count, Item, Node, Type, decode, pieces, show, until_nul};
use meshwright::scene::{MeshId, NodeId, TextureId};
use std::collections::BTreeSet;

/// Elements of an array that are shown at first.
const ELEMENTS: usize = 16;
/// Bytes that are shown of raw data.
const BYTES: usize = 16;
/// Rows that are made at most.
const MAX_ROWS: usize = 100_000;

/// A chunk, as child indices from the root.
pub type Way = Vec<usize>;

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A chunk.
    Chunk {
        /// Its place.
        way: Way,
        /// Its name, with the label in quotes.
        name: String,
        /// Size in bytes.
        size: usize,
        /// Whether there is something below.
        opens: bool,
    },
    /// A field of the chunk above.
    Field {
        /// Depth below the root.
        depth: usize,
        /// Name and value.
        text: String,
    },
}

impl Row {
    /// Whether this is the row of a chunk.
    #[must_use]
    pub fn is_chunk(&self, chunk: Option<&[usize]>) -> bool {
        matches!(self, Self::Chunk { way, .. } if Some(way.as_slice()) == chunk)
    }
}

/// The rows of all chunks whose parents are open.
#[must_use]
pub fn rows(root: &Node<'_>, open: &BTreeSet<Way>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut way = Vec::new();
    add_children(root, &mut way, open, &mut rows);
    rows
}

fn add_children(node: &Node<'_>, way: &mut Way, open: &BTreeSet<Way>, rows: &mut Vec<Row>) {
    for (at, child) in node.children().iter().enumerate() {
        if rows.len() >= MAX_ROWS {
            return;
        }
        way.push(at);
        let label = child.label().map(|label| format!(" {label:?}")).unwrap_or_default();
        let opens = !child.is_empty();
        rows.push(Row::Chunk {
            way: way.clone(),
            name: format!("{}{label}", child.name()),
            size: child.len(),
            opens,
        });
        if open.contains(way) {
            if matches!(child.body, Body::Leaf(_)) {
                let depth = way.len() + 1;
                fields(child, &mut |text| rows.push(Row::Field { depth, text }));
            }
            add_children(child, way, open, rows);
        }
        way.pop();
    }
}

/// Calls `add` with every field of a chunk as `name = value`.
pub fn fields(node: &Node<'_>, add: &mut impl FnMut(String)) {
    let mut slots = node.slots();
    for part in slots.by_ref() {
        let (slot, bytes) = (part.slot, part.bytes);
        match (slot.item, slot.count) {
            (Item::Text, _) => add(format!("{} = {:?}", slot.name, decode(until_nul(bytes)))),
            (Item::Plain, _) => add(format!("{} = {:?}", slot.name, decode(bytes))),
            (Item::Pieces(split), _) => {
                let mut all = pieces(split, bytes);
                for (at, piece) in all.by_ref().take(ELEMENTS).enumerate() {
                    add(format!("{}[{at}] = {:?}", slot.name, decode(piece.trim_ascii())));
                }
                match all.count() {
                    0 => {}
                    more => add(format!("{more} more of {}", slot.name)),
                }
            }
            (Item::Raw, _) => add(raw(slot.name, bytes)),
            (Item::Value(Type::Record(schema)), Count::One) => {
                for field in schema.fields {
                    let value = bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
                    add(format!("{} = {}", field.name, show(field.ty, value)));
                }
            }
            (Item::Value(ty), Count::One) => add(format!("{} = {}", slot.name, show(ty, bytes))),
            (Item::Value(ty), _) => {
                let size = ty.size().max(1);
                let count = bytes.len() / size;
                for (at, element) in bytes.chunks_exact(size).take(ELEMENTS).enumerate() {
                    add(format!("{}[{at}] = {}", slot.name, show(ty, element)));
                }
                if count > ELEMENTS {
                    add(format!("{} more of {}", count - ELEMENTS, slot.name));
                }
            }
        }
    }
    if !slots.rest().is_empty() {
        add(raw("bytes", slots.rest()));
    }
}

fn raw(name: &str, bytes: &[u8]) -> String {
    let hex: String = bytes.iter().take(BYTES).map(|byte| format!("{byte:02x} ")).collect();
    let more = if bytes.len() > BYTES { format!("... {} bytes", bytes.len()) } else { String::new() };
    format!("{name} = {hex}{more}")
}

/// The node at a place.
#[must_use]
pub fn find<'n, 'a>(root: &'n Node<'a>, way: &[usize]) -> Option<&'n Node<'a>> {
    way.iter().try_fold(root, |node, at| node.children().get(*at))
}

/// The place of a part that a finding names, such as `MESH[3] "BARREL"/MATERIAL_PASS[0]`.
#[must_use]
pub fn way_of_path(root: &Node<'_>, path: &str) -> Option<Way> {
    let wanted = std::ptr::from_ref(root.find(path)?);
    search(root, &mut Vec::new(), &mut |node, _| std::ptr::eq(node, wanted))
}

/// The chunk that an object of the scene was read from.
#[must_use]
pub fn way_of_object(opened: &Opened, object: Object) -> Option<Way> {
    let model = opened.model.as_ref()?;
    let root = model.document().root();
    match object {
        // Warcraft III's geosets have no names; their order is that of the meshes.
        Object::Mesh(mesh) if model.family() == Family::Mdx => nth(root, "Geoset", mesh.index()),
        Object::Texture(_) if model.family() == Family::Mdx => nth(root, "TEXS", 0),
        Object::Mesh(mesh) => labelled(root, &opened.scene.meshes.get(mesh.index())?.name),
        Object::Node(node) => labelled(root, &opened.scene.nodes.get(node.index())?.name),
        Object::Texture(texture) => labelled(root, &opened.scene.textures.get(texture.index())?.name),
    }
}

/// The object of the scene that a chunk, or one above it, was read as.
#[must_use]
pub fn object_of_way(opened: &Opened, way: &[usize]) -> Option<Object> {
    let root = opened.model.as_ref()?.document().root();
    let scene = &opened.scene;
    let meshes = (0..scene.meshes.len()).map(|at| Object::Mesh(MeshId::from(at)));
    let textures = (0..scene.textures.len()).map(|at| Object::Texture(TextureId::from(at)));
    let nodes = (0..scene.nodes.len()).map(|at| Object::Node(NodeId::from(at)));
    // A file with thousands of objects would be searched for each of them; the label of the chunk tells which ones to try.
    let labels: Vec<String> = (1..=way.len()).filter_map(|end| find(root, &way[..end])?.label()).collect();
    let is_named = |object: &Object| match *object {
        Object::Mesh(id) => same_name(&scene.meshes[id.index()].name, &labels),
        Object::Node(id) => same_name(&scene.nodes[id.index()].name, &labels),
        Object::Texture(id) => same_name(&scene.textures[id.index()].name, &labels),
    };
    let unnamed = opened.model.as_ref()?.family() == Family::Mdx;
    let mut found: Option<(usize, Object)> = None;
    for object in meshes.chain(textures).chain(nodes) {
        let by_order = unnamed && !matches!(object, Object::Node(_));
        if !by_order && !is_named(&object) {
            continue;
        }
        let Some(its) = way_of_object(opened, object) else { continue };
        if way.starts_with(&its) && found.is_none_or(|(length, _)| its.len() > length) {
            found = Some((its.len(), object));
        }
    }
    found.map(|(_, object)| object)
}

fn same_name(name: &str, labels: &[String]) -> bool {
    !name.is_empty() && labels.iter().any(|label| matches_label(label, name))
}

/// A W3D mesh is labelled with its container, `TANK.TURRET`.
fn matches_label(label: &str, name: &str) -> bool {
    label.eq_ignore_ascii_case(name)
        || label.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(name))
        || name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(label))
}

fn labelled(root: &Node<'_>, name: &str) -> Option<Way> {
    if name.is_empty() {
        return None;
    }
    search(root, &mut Vec::new(), &mut |node, _| {
        node.label().is_some_and(|label| matches_label(&label, name))
    })
}

/// The node of this number among those of a name.
fn nth(root: &Node<'_>, name: &str, number: usize) -> Option<Way> {
    let mut seen = 0;
    search(root, &mut Vec::new(), &mut |node, _| {
        let is_it = node.name() == name && seen == number;
        seen += usize::from(node.name() == name);
        is_it
    })
}

/// The first node in file order that a test accepts.
fn search(node: &Node<'_>, way: &mut Way, test: &mut impl FnMut(&Node<'_>, &[usize]) -> bool) -> Option<Way> {
    for (at, child) in node.children().iter().enumerate() {
        way.push(at);
        if test(child, way) {
            return Some(way.clone());
        }
        let found = search(child, way, test);
        if found.is_some() {
            return found;
        }
        way.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Library;

    fn open(name: &str) -> Opened {
        let library = Library::in_memory(crate::sample::files()).expect("the sample").library;
        Opened::open(&library, std::path::Path::new(name)).expect("a sound model")
    }

    #[test]
    fn meshes_and_their_chunks_lead_to_each_other() {
        for name in ["mwtank.w3d", "mwtower.mdx"] {
            let opened = open(name);
            assert!(!opened.scene.meshes.is_empty());
            for at in 0..opened.scene.meshes.len() {
                let object = Object::Mesh(MeshId::from(at));
                let mut way = way_of_object(&opened, object).unwrap_or_else(|| panic!("{name} {at}"));
                assert_eq!(object_of_way(&opened, &way), Some(object), "{name} {at}");
                // A chunk inside belongs to the mesh, too.
                way.push(0);
                assert_eq!(object_of_way(&opened, &way), Some(object), "{name} {at}");
            }
        }
    }

    #[test]
    fn open_chunks_show_their_fields() {
        let opened = open("mwtank.w3d");
        let root = opened.model.as_ref().expect("a document").document().root();
        let closed = rows(root, &BTreeSet::new());
        assert_eq!(closed.len(), root.children().len());
        let open = BTreeSet::from([vec![0], vec![0, 0]]);
        let rows = rows(root, &open);
        let is_name = |row: &Row| matches!(row, Row::Field { text, .. } if text.contains("HULL"));
        assert!(rows.len() > closed.len() && rows.iter().any(is_name), "{rows:?}");
        assert_eq!(way_of_path(root, "MESH[0]/MESH_HEADER3"), Some(vec![0, 0]));
    }
}
