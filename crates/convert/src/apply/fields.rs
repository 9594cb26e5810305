//! Changed fields of records. A part is written twice, as it was and as it is now; the fields in which the two differ are copied into the document,
//! whose other fields may say what no scene has.

use record::{Item, Node, Type};
use std::collections::HashMap;

/// Numbers that differ by less, relative to their size, count as equal.
const ROUNDING: f32 = 1e-6;

/// How far a part was changed.
#[derive(Default)]
pub(super) struct Merged {
    /// The number of leaves that changed.
    pub(super) changed: usize,
    /// Names of chunks that would have to change and cannot.
    pub(super) refused: Vec<&'static str>,
}

impl Merged {
    /// An error if nothing changed, or not everything.
    pub(super) fn result(self) -> Result<(), String> {
        match (self.changed, self.refused.is_empty()) {
            (0, true) => Err("the format cannot store this".to_owned()),
            (_, true) => Ok(()),
            (_, false) => Err(format!("{} cannot be changed in place", self.refused.join(", "))),
        }
    }
}

/// Copies the fields in which `before` and `after` differ into `part`. Parts for which `skip` holds stay as they are.
pub(super) fn merge(
    part: &mut Node<'_>,
    before: &Node<'_>,
    after: &Node<'_>,
    skip: fn(&Node<'_>) -> bool,
) -> Merged {
    let mut merged = Merged::default();
    merge_into(part, before, after, skip, &mut merged);
    merged
}

fn merge_into(
    part: &mut Node<'_>,
    before: &Node<'_>,
    after: &Node<'_>,
    skip: fn(&Node<'_>) -> bool,
    merged: &mut Merged,
) {
    if !after.children().is_empty() || !before.children().is_empty() {
        merge_children(part, before, after, skip, merged);
        return;
    }
    if before.bytes() == after.bytes() {
        return;
    }
    match merged_bytes(part, before, after) {
        Some(bytes) => {
            if let Some(place) = part.bytes_mut() {
                *place = bytes;
                merged.changed += 1;
            }
        }
        None => merged.refused.push(after.kind.name),
    }
}

/// A chunk among its siblings: its id, and how many of that id are before it.
type Key = (u32, usize);

fn keyed<'n, 'a>(nodes: &'n [Node<'a>]) -> impl Iterator<Item = (Key, &'n Node<'a>)> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    nodes.iter().map(move |node| {
        let count = counts.entry(node.id).or_default();
        *count += 1;
        ((node.id, *count - 1), node)
    })
}

fn merge_children(
    part: &mut Node<'_>,
    before: &Node<'_>,
    after: &Node<'_>,
    skip: fn(&Node<'_>) -> bool,
    merged: &mut Merged,
) {
    let old: HashMap<Key, &Node<'_>> = keyed(before.children()).collect();
    let new: HashMap<Key, &Node<'_>> = keyed(after.children()).collect();
    let own: HashMap<Key, usize> =
        keyed(part.children()).enumerate().map(|(place, (key, _))| (key, place)).collect();
    for (key, old) in keyed(before.children()) {
        if !new.contains_key(&key) && !skip(old) {
            merged.refused.push(old.kind.name);
        }
    }
    for (key, new) in keyed(after.children()).filter(|(_, node)| !skip(node)) {
        let place = own.get(&key).and_then(|place| part.children_mut()?.get_mut(*place));
        match (old.get(&key), place) {
            (Some(old), Some(part)) => merge_into(part, old, new, skip, merged),
            (Some(old), None) if is_same(old, new) => {}
            (None, None) => {
                if let Some(children) = part.children_mut() {
                    children.push(new.clone().into_owned());
                    merged.changed += 1;
                }
            }
            _ => merged.refused.push(new.kind.name),
        }
    }
}

fn is_same(a: &Node<'_>, b: &Node<'_>) -> bool {
    a.bytes() == b.bytes()
        && a.children().len() == b.children().len()
        && a.children().iter().zip(b.children()).all(|(a, b)| is_same(a, b))
}

/// The bytes of a leaf with the changes; `None` if they cannot be made field by field.
fn merged_bytes(part: &Node<'_>, before: &Node<'_>, after: &Node<'_>) -> Option<Vec<u8>> {
    if part.kind.name != after.kind.name {
        return None;
    }
    if before.bytes().len() != after.bytes().len() && part.bytes() == before.bytes() {
        return Some(after.bytes().to_vec());
    }
    let mut bytes = part.bytes().to_vec();
    let (mut own, mut old, mut new) = (part.slots(), before.slots(), after.slots());
    loop {
        match (own.next(), old.next(), new.next()) {
            (None, None, None) => return Some(bytes),
            (Some(own), Some(old), Some(new)) => {
                let is_alike = |other: &record::Part<'_>| {
                    other.start == own.start && other.bytes.len() == own.bytes.len()
                };
                if !is_alike(&old) || !is_alike(&new) {
                    return None;
                }
                let place = bytes.get_mut(own.start..own.start + own.bytes.len())?;
                match own.slot.item {
                    Item::Value(ty) => merge_values(ty, place, old.bytes, new.bytes),
                    _ if old.bytes != new.bytes => place.copy_from_slice(new.bytes),
                    _ => {}
                }
            }
            _ => return None,
        }
    }
}

/// Copies values of one type in which two lists differ.
fn merge_values(ty: Type, own: &mut [u8], old: &[u8], new: &[u8]) {
    let size = ty.size().max(1);
    for ((own, old), new) in
        own.chunks_exact_mut(size).zip(old.chunks_exact(size)).zip(new.chunks_exact(size))
    {
        if old == new {
            continue;
        }
        match ty {
            Type::Record(schema) => {
                for field in schema.fields {
                    let range = field.offset..field.offset + field.ty.size();
                    if let (Some(own), Some(old), Some(new)) =
                        (own.get_mut(range.clone()), old.get(range.clone()), new.get(range))
                    {
                        merge_values(field.ty, own, old, new);
                    }
                }
            }
            // Numbers that are computed from others differ by rounding.
            Type::F32 => {
                let number =
                    |bytes: &[u8]| bytes.first_chunk::<4>().map_or(0.0, |bytes| f32::from_le_bytes(*bytes));
                let (before, after) = (number(old), number(new));
                let is_rounded = (before - after).abs() <= ROUNDING * before.abs().max(after.abs()).max(1.0);
                if !is_rounded {
                    own.copy_from_slice(new);
                }
            }
            Type::Array(item, _) => merge_values(*item, own, old, new),
            // Bits that nobody changed stay.
            Type::Flags(_) => {
                for ((own, old), new) in own.iter_mut().zip(old).zip(new) {
                    *own ^= old ^ new;
                }
            }
            _ => own.copy_from_slice(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdx::build::part;
    use mdx::records::{ParticleEmitter2Header, RibbonEmitterHeader};
    use record::{F32, U32};

    #[test]
    fn only_fields_that_differ_are_copied() {
        let header = |rate: f32, rows: u32, squirt: u32| ParticleEmitter2Header {
            emission_rate: F32::new(rate),
            rows: U32::new(rows),
            squirt: U32::new(squirt),
            ..ParticleEmitter2Header::default()
        };
        // The document says something that the scene does not know: `squirt` is 7.
        let mut own = part(&header(10.0, 4, 7));
        let merged = merge(&mut own, &part(&header(10.0, 4, 1)), &part(&header(25.0, 4, 1)), |_| false);
        assert_eq!((merged.changed, merged.refused.len()), (1, 0));
        let found = own.value::<ParticleEmitter2Header>().expect("a header");
        assert_eq!((found.emission_rate.get(), found.rows.get(), found.squirt.get()), (25.0, 4, 7));
    }

    #[test]
    fn a_part_of_another_kind_is_refused() {
        let mut own = part(&RibbonEmitterHeader::default());
        let old = ParticleEmitter2Header::default();
        let new = ParticleEmitter2Header { speed: F32::new(2.0), ..old };
        let merged = merge(&mut own, &part(&old), &part(&new), |_| false);
        assert_eq!(merged.changed, 0);
        assert!(merged.result().is_err());
    }
}
