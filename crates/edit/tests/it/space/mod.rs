//! Which numbers of both formats change when a whole model is scaled, moved or rotated, and how.
//!
//! Every float of the samples gets a different value. The expected lists follow the formats: positions, sizes and speeds are scaled;
//! positions in the model are moved; positions and directions are rotated.

mod examples;
mod mdx_quantities;
mod w3d_quantities;

use std::collections::BTreeSet;

use mdx::tags;
use meshwright_edit::{Transform, transform};
use record::{Item, Node, Type};

/// The floats of a leaf: name, place in the body, and how many there are in a row.
fn floats(leaf: &Node<'_>) -> Vec<(String, usize, usize)> {
    fn inside(ty: Type, name: &str, at: usize, found: &mut Vec<(String, usize, usize)>) {
        match ty {
            Type::F32 => found.push((name.to_owned(), at, 1)),
            Type::Array(Type::F32, count) => found.push((name.to_owned(), at, count)),
            Type::Array(element, count) => {
                (0..count).for_each(|index| {
                    inside(*element, &format!("{name}[{index}]"), at + index * element.size(), found);
                });
            }
            Type::Record(schema) => schema.fields.iter().for_each(|field| {
                inside(field.ty, &format!("{name}.{}", field.name), at + field.offset, found);
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for part in leaf.slots() {
        let Item::Value(ty) = part.slot.item else { continue };
        for index in 0..part.bytes.len() / ty.size().max(1) {
            let name = format!("{} {}", leaf.name(), part.slot.name);
            inside(ty, &name, part.start + index * ty.size(), &mut found);
        }
    }
    found
}

fn read(body: &[u8], at: usize, count: usize) -> Vec<f32> {
    let words = body[at..at + 4 * count].chunks_exact(4);
    words.map(|word| f32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

fn each_leaf(node: &mut Node<'_>, see: &mut dyn FnMut(&mut Node<'_>)) {
    match node.children_mut() {
        Some(children) => children.iter_mut().for_each(|child| each_leaf(child, see)),
        None => see(node),
    }
}

fn leaves<'n>(node: &'n Node<'n>, found: &mut Vec<&'n Node<'n>>) {
    match node.children() {
        [] => found.push(node),
        children => children.iter().for_each(|child| leaves(child, found)),
    }
}

/// Gives every float of a tree a different value, counting up from 1.
fn number(root: &mut Node<'_>) {
    let mut next = 1.0_f32;
    each_leaf(root, &mut |leaf| {
        for (_, at, count) in floats(leaf) {
            for index in 0..count {
                let at = at + 4 * index;
                leaf.bytes_mut().expect("a leaf")[at..at + 4].copy_from_slice(&next.to_le_bytes());
                next += 1.0;
            }
        }
    });
}

/// The names of the floats that a transform changes, each with what `tell` says of its values. No other bytes may change.
fn changes(
    root: &Node<'_>,
    what: &Transform,
    tell: &dyn Fn(&[f32], &[f32]) -> &'static str,
) -> BTreeSet<String> {
    let mut after = root.clone();
    let counted = transform(&mut after, what).unwrap_or_else(|error| panic!("{what:?}: {error}"));
    let (mut old, mut new) = (Vec::new(), Vec::new());
    leaves(root, &mut old);
    leaves(&after, &mut new);
    assert_eq!(old.len(), new.len());
    let mut found = BTreeSet::new();
    let mut parts = 0;
    for (old, new) in old.iter().zip(new) {
        let mut rest = new.bytes().to_vec();
        for (name, at, count) in floats(old) {
            let (before, now) = (read(old.bytes(), at, count), read(new.bytes(), at, count));
            if before != now {
                let told = tell(&before, &now);
                found.insert(if told.is_empty() { name } else { format!("{name} {told}") });
            }
            rest[at..at + 4 * count].copy_from_slice(&old.bytes()[at..at + 4 * count]);
        }
        assert!(rest == old.bytes() || old.id == tags::KGRT, "{} has other changes", old.name());
        parts += usize::from(old.bytes() != new.bytes());
    }
    assert_eq!(counted, parts, "parts that {what:?} changes");
    found
}

/// Compares names with a list, one to a line.
#[track_caller]
fn assert_names(found: &BTreeSet<String>, list: &str) {
    let wanted: BTreeSet<String> =
        list.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let missing: Vec<_> = wanted.difference(found).collect();
    let more: Vec<_> = found.difference(&wanted).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing: {missing:#?}\nnot in the list: {more:#?}");
}

/// All values are twice what they were.
fn doubled(old: &[f32], new: &[f32]) -> &'static str {
    if old.iter().zip(new).all(|(old, new)| 2.0 * old == *new) {
        ""
    } else if old[..old.len() - 1] == new[..new.len() - 1] && 2.0 * old[old.len() - 1] == new[new.len() - 1] {
        "(the last)"
    } else {
        "(otherwise)"
    }
}

const BY: [f32; 3] = [1024.0, 2048.0, 4096.0];

fn moved(old: &[f32], new: &[f32]) -> &'static str {
    match (old, new) {
        ([x, y, z], [a, b, c]) if [*a, *b, *c] == [x + BY[0], y + BY[1], z + BY[2]] => "",
        _ => "(otherwise)",
    }
}

/// Half a turn about Z.
fn turned(old: &[f32], new: &[f32]) -> &'static str {
    match (old, new) {
        ([x, y, z], [a, b, c]) if [*a, *b, *c] == [-x, -y, *z] => "",
        ([x, y, z, w], [a, b, c, d]) if [*a, *b, *c, *d] == [-x, -y, *z, *w] => "",
        _ => "(otherwise)",
    }
}
