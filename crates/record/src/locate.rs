//! Finding the bytes of one value by its name: `fields.mesh_name`, `pivots[3].translation[0]`.

use std::ops::Range;

use crate::node::{Count, Item, Node, pieces};
use crate::types::Type;

/// The range of a value in a leaf's body, and its type.
#[derive(Clone, Debug)]
pub struct Located {
    /// Its bytes in the body.
    pub range: Range<usize>,
    /// Their type.
    pub item: Item,
    /// Whether they are any number of such items one after the other, as a whole slot can be.
    pub many: bool,
}

impl Node<'_> {
    /// The value of this name in a leaf: the name of a slot, then names of fields after dots and indices in brackets. The
    /// name of the slot may be omitted if the leaf has only one record and the name is one of its fields.
    ///
    /// ```
    /// use meshwright_record::{Inline, Kind, Node, Slot, Vec3};
    /// static POINTS: Kind = Kind { slots: &[Slot::rest::<Vec3>("points")], ..Kind::new("POINTS", &Inline) };
    /// let node = Node::leaf(&POINTS, 0, vec![0; 36]);
    /// assert_eq!(node.locate("points").map(|found| found.range), Some(0..36));
    /// assert_eq!(node.locate("points[2][1]").map(|found| found.range), Some(28..32));
    /// assert!(node.locate("points[3]").is_none());
    /// ```
    pub fn locate(&self, path: &str) -> Option<Located> {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (name, rest) = path.split_at(end);
        if name.is_empty() {
            return None;
        }
        let Some(part) = self.slots().find(|part| part.slot.name == name) else {
            let mut slots = self.slots();
            let part = slots.find(|part| {
                matches!((part.slot.item, part.slot.count), (Item::Value(Type::Record(_)), Count::One))
            })?;
            let Item::Value(ty) = part.slot.item else { return None };
            return Located::within(part.start, ty, path);
        };
        let many = !matches!(part.slot.count, Count::One);
        if rest.is_empty() {
            let range = part.start..part.start + part.bytes.len();
            return Some(Located { range, item: part.slot.item, many });
        }
        if let Item::Pieces(split) = part.slot.item {
            let (index, rest) = index(rest)?;
            let mut start = part.start;
            let mut all = pieces(split, part.bytes);
            for piece in all.by_ref().take(index) {
                start += piece.len();
            }
            let piece = all.next().filter(|_| rest.is_empty())?;
            return Some(Located { range: start..start + piece.len(), item: Item::Plain, many: false });
        }
        let Item::Value(ty) = part.slot.item else { return None };
        if !many {
            return Located::within(part.start, ty, rest);
        }
        let (index, rest) = index(rest)?;
        let at = index.checked_mul(ty.size()).filter(|at| *at < part.bytes.len())?;
        Located::within(part.start + at, ty, rest)
    }
}

impl Located {
    fn within(start: usize, ty: Type, path: &str) -> Option<Self> {
        let (range, ty) = ty.locate(path)?;
        Some(Self { range: start + range.start..start + range.end, item: Item::Value(ty), many: false })
    }
}

impl Type {
    /// The range and the type of a part of such a value: fields after dots, indices in brackets. The empty path is the
    /// whole value.
    ///
    /// ```
    /// use meshwright_record::{Pod, Vec3};
    /// let (range, _) = <[Vec3; 2]>::TYPE.locate("[1][2]").unwrap();
    /// assert_eq!(range, 20..24);
    /// ```
    pub fn locate(self, path: &str) -> Option<(Range<usize>, Self)> {
        if path.is_empty() {
            return Some((0..self.size(), self));
        }
        let (offset, ty, rest) = match self {
            Self::Array(element, count) => {
                let (index, rest) = index(path)?;
                (index < count).then_some((index * element.size(), *element, rest))?
            }
            Self::Record(schema) => {
                let path = path.strip_prefix('.').unwrap_or(path);
                let (name, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
                let field = schema.fields.iter().find(|field| field.name == name)?;
                (field.offset, field.ty, rest)
            }
            _ => return None,
        };
        let (range, ty) = ty.locate(rest)?;
        Some((offset + range.start..offset + range.end, ty))
    }
}

/// `[3]` and what follows it.
fn index(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.trim().parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chars, Inline, Kind, Slot, U32, Vec3, records};

    records! {
        /// A bone.
        pub struct Bone: 32 {
            0 name: Chars<16>, "Name.";
            16 parent: U32, "Parent.";
            20 place: Vec3, "Place.";
        }
    }

    static BONES: Kind = Kind {
        slots: &[Slot::one::<Bone>("root"), Slot::by::<Bone>("bones", |_| 2), Slot::text("note")],
        ..Kind::new("BONES", &Inline)
    };

    #[test]
    fn values_are_found_by_slot_field_and_position() {
        let node = Node::leaf(&BONES, 0, vec![1; 32 * 3 + 5]);
        let range = |path| node.locate(path).map(|found| found.range);
        assert_eq!(range("root.parent"), Some(16..20));
        assert_eq!(range("parent"), Some(16..20), "the slot may be omitted");
        assert_eq!(range("bones"), Some(32..96));
        assert_eq!(range("bones[1].place[2]"), Some(92..96));
        assert_eq!(range("note"), Some(96..101));
        for wrong in
            ["", "bones[2]", "bones[x]", "bones.name", "root.nothing", "note[0]", "place[3]", "place[1"]
        {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }
}
