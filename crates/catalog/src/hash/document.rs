//! Hashes of documents: the bytes of the chunks without names and padding.

use meshwright::Document;
use meshwright::record::{Body, Item, LEFTOVER, Node, Schema, Type};

use super::{Hasher, folded_path};

/// The content of a document without names, padding, framing and trailing bytes, with the folded names of its textures. Copies whose
/// objects or files were renamed have the same; so has an MDL text with the values of an MDX file.
pub fn nameless(document: &Document<'_>, textures: &[String]) -> String {
    let mut hasher = Hasher::new("nameless");
    node(&mut hasher, document.root());
    for name in textures {
        hasher.text(&folded_path(name));
    }
    hasher.finish()
}

/// The same for one chunk: a clip of W3D.
pub fn clip_of_node(clip: &Node<'_>) -> String {
    let mut hasher = Hasher::new("clip of a chunk");
    node(&mut hasher, clip);
    hasher.finish()
}

fn node(hasher: &mut Hasher, part: &Node<'_>) {
    if part.is(&LEFTOVER) {
        return;
    }
    hasher.text(part.kind.name).number(part.id.into());
    match &part.body {
        Body::Leaf(_) => leaf(hasher, part),
        _ => {
            for child in part.children() {
                node(hasher, child);
            }
        }
    }
    // Ends the part, so that its children are not taken for those of its parent.
    hasher.bytes(b"/");
}

fn leaf(hasher: &mut Hasher, part: &Node<'_>) {
    let mut slots = part.slots();
    for slot in slots.by_ref() {
        match slot.slot.item {
            Item::Text => {}
            // The numbers of W3X are texts, so its texts are content.
            Item::Raw | Item::Plain | Item::Pieces(_) => _ = hasher.bytes(slot.bytes),
            Item::Value(ty) if is_plain(ty) => _ = hasher.bytes(slot.bytes),
            Item::Value(ty) => {
                for value in slot.bytes.chunks_exact(ty.size().max(1)) {
                    typed(hasher, ty, value);
                }
            }
        }
    }
    // Bytes of an unknown chunk are its content; those behind known slots are padding.
    if slots.position() == 0 {
        hasher.bytes(slots.rest());
    }
}

/// Whether values of a type have neither names nor padding.
fn is_plain(ty: Type) -> bool {
    match ty {
        Type::Chars(_) => false,
        Type::Array(element, _) => is_plain(*element),
        Type::Record(schema) => {
            schema.fields.iter().all(|field| !is_padding(field.name) && is_plain(field.ty))
        }
        _ => true,
    }
}

fn is_padding(name: &str) -> bool {
    ["pad", "reserved", "unused", "future"].iter().any(|start| name.starts_with(start))
}

fn typed(hasher: &mut Hasher, ty: Type, bytes: &[u8]) {
    match ty {
        Type::Chars(_) => {}
        Type::Array(element, _) => {
            for value in bytes.chunks_exact(element.size().max(1)) {
                typed(hasher, *element, value);
            }
        }
        Type::Record(schema) => record(hasher, schema, bytes),
        _ => _ = hasher.bytes(bytes),
    }
}

fn record(hasher: &mut Hasher, schema: &'static Schema, bytes: &[u8]) {
    for field in schema.fields.iter().filter(|field| !is_padding(field.name)) {
        let value = bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
        typed(hasher, field.ty, value);
    }
}
