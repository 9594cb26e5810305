//! Compares two trees by structure, whatever their format.
//!
//! Children are matched by kind and label first, then by the last part of the label, then by content, then by position. A mesh that
//! moved to another place in the file, or was renamed, is therefore compared with itself. Elements of an array that have names, such as
//! bones, are matched by them; others by their place, or as a set if that leaves fewer differences.

mod matching;
mod texts;

use std::collections::{HashMap, HashSet};

use crate::{Body, Count, Item, Node, Part, Type, decode, pieces, show, until_nul};

/// One difference between two trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Path of the node in the tree before. An added node has its path in the tree after. Empty for the root.
    pub path: String,
    /// The kind of difference.
    pub what: What,
}

/// The kind of a [`Change`].
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A node that exists only in the tree after, with its size in bytes.
    Added(usize),
    /// A node that exists only in the tree before, with its size in bytes.
    Removed(usize),
    /// The same children in a different order.
    Reordered,
    /// A field whose value differs.
    Field {
        /// Name of the field.
        name: String,
        /// Value before, as in the text form.
        before: String,
        /// Value after, as in the text form.
        after: String,
    },
    /// An array whose elements differ.
    Array(ArrayChange),
    /// Bytes without a known layout.
    Bytes {
        /// Name of the slot.
        name: String,
        /// Length before.
        before: usize,
        /// Length after.
        after: usize,
        /// Index of the first byte that differs.
        at: usize,
    },
}

/// Differences between two arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayChange {
    /// Name of the array.
    pub name: String,
    /// Number of elements before.
    pub before: usize,
    /// Number of elements after.
    pub after: usize,
    /// Number of elements that both have and that differ.
    pub changed: usize,
    /// The first element that differs: its index, its value before, its value after.
    pub first: Option<(usize, String, String)>,
    /// The largest distance between two numbers, if only numbers differ.
    pub largest: Option<f64>,
    /// Set if the elements are in another order: comparing them as sets left fewer differences, and `changed` is the number of elements that
    /// only one of both has, of the shorter array.
    pub reordered: bool,
    /// Names of the elements that only the tree before has. Empty if the elements have no names.
    pub removed: Vec<String>,
    /// Names of the elements that only the tree after has.
    pub added: Vec<String>,
}

/// Lists every difference between two trees. Floats that are at most `epsilon` apart count as equal.
///
/// ```
/// use meshwright_record::diff::diff;
/// use meshwright_record::{LEFTOVER, Node};
///
/// let node = |bytes: &'static [u8]| Node::leaf(&LEFTOVER, 0, bytes);
/// assert!(diff(&node(b"abc"), &node(b"abc"), 0.0).is_empty());
/// assert_eq!(diff(&node(b"abc"), &node(b"abd"), 0.0).len(), 1);
/// ```
pub fn diff(before: &Node<'_>, after: &Node<'_>, epsilon: f64) -> Vec<Change> {
    diff_numbered(before, after, epsilon, &Numbered::default())
}

/// Objects that a format refers to by number. Adding an object changes the numbers of the others, so references are
/// compared by name.
#[derive(Clone, Debug, Default)]
pub struct Numbered {
    /// The name of each number before. Names have to be unique.
    pub before: Vec<String>,
    /// The name of each number after.
    pub after: Vec<String>,
    /// Kinds whose arrays have one element per object.
    pub elements: &'static [&'static str],
    /// Fields of records, and kinds of arrays, that hold numbers of objects.
    pub references: &'static [&'static str],
}

impl Numbered {
    /// Whether two numbers refer to the same object.
    fn is_same(&self, ty: Type, before: &[u8], after: &[u8]) -> bool {
        let name = |names: &'_ [String], number: &[u8]| -> Option<String> {
            names.get(show(ty, number).parse::<usize>().ok()?).cloned()
        };
        name(&self.before, before).is_some_and(|before| name(&self.after, after) == Some(before))
    }
}

/// The same as [`diff`] for a format whose objects have numbers.
pub fn diff_numbered(before: &Node<'_>, after: &Node<'_>, epsilon: f64, objects: &Numbered) -> Vec<Change> {
    let mut comparison = Comparison { epsilon, objects, changes: Vec::new() };
    comparison.nodes(before, after, "");
    comparison.changes
}

struct Comparison<'o> {
    epsilon: f64,
    objects: &'o Numbered,
    changes: Vec<Change>,
}

impl Comparison<'_> {
    fn push(&mut self, path: &str, what: What) {
        self.changes.push(Change { path: path.to_owned(), what });
    }

    fn nodes(&mut self, before: &Node<'_>, after: &Node<'_>, path: &str) {
        if before.size_delta != after.size_delta {
            let show = |node: &Node<'_>| format!("\"{:#x}\"", node.size_delta);
            let what =
                What::Field { name: "size_delta".to_owned(), before: show(before), after: show(after) };
            self.push(path, what);
        }
        match (&before.body, &after.body) {
            (Body::Branch(left), Body::Branch(right)) => self.children(left, right, path),
            (Body::Leaf(_), Body::Leaf(_)) => self.leaves(before, after, path),
            _ => {
                self.push(path, What::Removed(before.len()));
                self.push(path, What::Added(after.len()));
            }
        }
    }

    fn children(&mut self, before: &[Node<'_>], after: &[Node<'_>], path: &str) {
        let pairs = matching::pairs(before, after, path.is_empty());
        let mut partners = vec![None; after.len()];
        for (index, pair) in pairs.iter().enumerate() {
            if let Some(partner) = pair {
                partners[*partner] = Some(index);
            }
        }
        let order: Vec<usize> = pairs.iter().flatten().copied().collect();
        if !order.is_sorted() {
            self.push(path, What::Reordered);
        }
        for ((node, pair), index) in before.iter().zip(pairs).zip(matching::indices(before)) {
            let path = below(path, node, index);
            match pair {
                Some(partner) => self.nodes(node, &after[partner], &path),
                None => self.push(&path, What::Removed(node.len())),
            }
        }
        for ((node, partner), index) in after.iter().zip(partners).zip(matching::indices(after)) {
            if partner.is_none() {
                self.push(&below(path, node, index), What::Added(node.len()));
            }
        }
    }

    fn leaves(&mut self, before: &Node<'_>, after: &Node<'_>, path: &str) {
        if before.bytes() == after.bytes() {
            return;
        }
        let (mut left, mut right) = (before.slots(), after.slots());
        let (lefts, rights): (Vec<_>, Vec<_>) = (left.by_ref().collect(), right.by_ref().collect());
        for part in &lefts {
            match rights.iter().find(|other| other.slot.name == part.slot.name) {
                Some(other) => self.parts(before.kind.name, part, other, path),
                None => self.bytes(part.slot.name, part.bytes, &[], path),
            }
        }
        for part in rights.iter().filter(|part| lefts.iter().all(|other| other.slot.name != part.slot.name)) {
            self.bytes(part.slot.name, &[], part.bytes, path);
        }
        self.bytes("bytes", left.rest(), right.rest(), path);
    }

    fn parts(&mut self, kind: &str, before: &Part<'_>, after: &Part<'_>, path: &str) {
        let name = before.slot.name;
        match (before.slot.item, before.slot.count) {
            _ if before.bytes == after.bytes => {}
            (Item::Text, _) => {
                let (left, right) = (until_nul(before.bytes), until_nul(after.bytes));
                if left == right {
                    self.bytes(name, before.bytes, after.bytes, path);
                } else {
                    let show = |text| format!("{:?}", decode(text));
                    let what = What::Field { name: name.to_owned(), before: show(left), after: show(right) };
                    self.push(path, what);
                }
            }
            (Item::Plain, _) => {
                if !texts::same(before.bytes, after.bytes, self.epsilon) {
                    let [before, after] = [before, after].map(|part| format!("{:?}", decode(part.bytes)));
                    self.push(path, What::Field { name: name.to_owned(), before, after });
                }
            }
            (Item::Pieces(split), _) => {
                let [left, right] = [before, after].map(|part| pieces(split, part.bytes).collect());
                if let Some(change) = texts::array(name, left, right, self.epsilon) {
                    self.push(path, What::Array(change));
                }
            }
            (Item::Raw, _) => self.bytes(name, before.bytes, after.bytes, path),
            (Item::Value(Type::Record(schema)), Count::One) => {
                for field in schema.fields {
                    let span = field.offset..field.offset + field.ty.size();
                    let (Some(left), Some(right)) = (before.bytes.get(span.clone()), after.bytes.get(span))
                    else {
                        continue;
                    };
                    self.value(field.name, field.ty, left, right, path);
                }
            }
            (Item::Value(ty), Count::One) => self.value(name, ty, before.bytes, after.bytes, path),
            (Item::Value(ty), _) => self.array(kind, name, ty, [before.bytes, after.bytes], path),
        }
    }

    fn value(&mut self, name: &str, ty: Type, before: &[u8], after: &[u8], path: &str) {
        let is_same_object =
            || self.objects.references.contains(&name) && self.objects.is_same(ty, before, after);
        if !same(ty, before, after, self.epsilon) && !is_same_object() {
            let (before, after) = show_changed(ty, before, after);
            self.push(path, What::Field { name: name.to_owned(), before, after });
        }
    }

    fn array(&mut self, kind: &str, name: &str, ty: Type, [before, after]: [&[u8]; 2], path: &str) {
        let size = ty.size().max(1);
        let mut change = ArrayChange {
            name: name.to_owned(),
            before: before.len() / size,
            after: after.len() / size,
            changed: 0,
            first: None,
            largest: Some(0.0),
            reordered: false,
            removed: Vec::new(),
            added: Vec::new(),
        };
        let (lefts, rights): (Vec<_>, Vec<_>) =
            (before.chunks_exact(size).collect(), after.chunks_exact(size).collect());
        let objects = self.objects;
        let is_numbered = objects.elements.contains(&kind)
            && (objects.before.len(), objects.after.len()) == (lefts.len(), rights.len());
        let names = if is_numbered {
            Some((objects.before.clone(), objects.after.clone()))
        } else {
            names_of(ty, &lefts, &rights)
        };
        let has_names = names.is_some();
        let pairs = match names {
            Some((left_names, right_names)) => {
                let pairs = by_name(&left_names, &right_names);
                let is_paired = |index: usize| pairs.iter().any(|(_, right)| *right == index);
                let removed = (0..lefts.len()).filter(|index| pairs.iter().all(|(left, _)| left != index));
                change.removed = removed.map(|index| left_names[index].clone()).collect();
                let added = (0..rights.len()).filter(|index| !is_paired(*index));
                change.added = added.map(|index| right_names[index].clone()).collect();
                pairs
            }
            None => (0..lefts.len().min(rights.len())).map(|index| (index, index)).collect(),
        };
        for (index, right) in pairs {
            let (left, right) = (lefts[index], rights[right]);
            let is_same_object = || objects.references.contains(&kind) && objects.is_same(ty, left, right);
            if !same(ty, left, right, self.epsilon)
                && !same_but_parent(ty, (left, &lefts), (right, &rights), self.epsilon)
                && !is_same_object()
            {
                change.changed += 1;
                change.first.get_or_insert_with(|| {
                    let (before, after) = show_changed(ty, left, right);
                    (index, before, after)
                });
                change.largest =
                    change.largest.and_then(|largest| Some(largest.max(distance(ty, left, right)?)));
            }
        }
        if !has_names && change.changed > 0 {
            change.match_as_sets(&lefts, &rights);
        }
        let renamed = !change.removed.is_empty() || !change.added.is_empty();
        if change.changed > 0 || change.before != change.after || change.reordered || renamed {
            change.largest = change.largest.filter(|_| change.changed > 0);
            self.push(path, What::Array(change));
        }
    }

    fn bytes(&mut self, name: &str, before: &[u8], after: &[u8], path: &str) {
        if before != after {
            let at = before.iter().zip(after).take_while(|(left, right)| left == right).count();
            let what = What::Bytes { name: name.to_owned(), before: before.len(), after: after.len(), at };
            self.push(path, what);
        }
    }
}

impl ArrayChange {
    /// Compares the elements as sets, if that leaves fewer differences: the elements may be in another order, or some may be inserted.
    fn match_as_sets(&mut self, before: &[&[u8]], after: &[&[u8]]) {
        let mut waiting: HashMap<&[u8], usize> = HashMap::new();
        before.iter().for_each(|element| *waiting.entry(element).or_default() += 1);
        let is_known = |element: &&&[u8]| match waiting.get_mut(**element) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        };
        let kept = after.iter().filter(is_known).count();
        let changed = before.len().min(after.len()) - kept;
        if changed < self.changed {
            *self = Self { changed, first: None, largest: None, reordered: true, ..self.clone() };
        }
    }
}

/// Two values of a type as text. Of records only the fields that differ are shown.
fn show_changed(ty: Type, before: &[u8], after: &[u8]) -> (String, String) {
    let Type::Record(schema) = ty else { return (show(ty, before), show(ty, after)) };
    let spans = schema.fields.iter().map(|field| (field, field.offset..field.offset + field.ty.size()));
    let differing = spans.filter_map(|(field, span)| {
        let (left, right) = (before.get(span.clone())?, after.get(span)?);
        (left != right).then(|| (field.name, show(field.ty, left), show(field.ty, right)))
    });
    let differing: Vec<_> = differing.collect();
    if differing.len() == schema.fields.len() {
        return (show(ty, before), show(ty, after));
    }
    let text = |value: for<'f> fn(&'f (&'static str, String, String)) -> &'f String| {
        let fields: Vec<_> =
            differing.iter().map(|field| format!("\"{}\": {}", field.0, value(field))).collect();
        format!("{{{}}}", fields.join(", "))
    };
    (text(|field| &field.1), text(|field| &field.2))
}

/// The field of a record that names it.
fn name_field(ty: Type) -> Option<&'static crate::Field> {
    let Type::Record(schema) = ty else { return None };
    schema.fields.iter().find(|field| field.name == "name" && matches!(field.ty, Type::Chars(_)))
}

fn name_of(ty: Type, element: &[u8]) -> Option<String> {
    let field = name_field(ty)?;
    Some(decode(until_nul(element.get(field.offset..field.offset + field.ty.size())?)).into_owned())
}

/// The names of the elements on both sides, if they have names that tell them apart.
fn names_of(ty: Type, before: &[&[u8]], after: &[&[u8]]) -> Option<(Vec<String>, Vec<String>)> {
    let names = |elements: &[&[u8]]| -> Option<Vec<String>> {
        let names: Vec<_> = elements.iter().map(|element| name_of(ty, element)).collect::<Option<_>>()?;
        let different: HashSet<_> = names.iter().collect();
        (different.len() == names.len()).then_some(names)
    };
    Some((names(before)?, names(after)?))
}

/// Pairs elements of the same name. If the same number of elements is left on both sides, these were renamed and are
/// paired in order.
fn by_name(before: &[String], after: &[String]) -> Vec<(usize, usize)> {
    let places: HashMap<_, _> = after.iter().enumerate().map(|(index, name)| (name, index)).collect();
    let mut pairs: Vec<_> =
        before.iter().enumerate().filter_map(|(index, name)| Some((index, *places.get(name)?))).collect();
    if before.len() == after.len() {
        let taken: (HashSet<_>, HashSet<_>) =
            (pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect());
        let left = (0..before.len()).filter(|index| !taken.0.contains(index));
        let right = (0..after.len()).filter(|index| !taken.1.contains(index));
        let renamed: Vec<_> = left.zip(right).collect();
        pairs.extend(renamed);
        pairs.sort_unstable();
    }
    pairs
}

/// Whether two named elements differ only in the number of their parent, and the parents have the same name.
fn same_but_parent(ty: Type, before: (&[u8], &[&[u8]]), after: (&[u8], &[&[u8]]), epsilon: f64) -> bool {
    let Type::Record(schema) = ty else { return false };
    let Some(parent) = schema.fields.iter().find(|field| field.name == "parent_idx") else { return false };
    let span = parent.offset..parent.offset + parent.ty.size();
    let others = schema.fields.iter().filter(|field| field.name != parent.name).all(|field| {
        let span = field.offset..field.offset + field.ty.size();
        same(field.ty, &before.0[span.clone()], &after.0[span], epsilon)
    });
    let parent_name = |(element, all): (&[u8], &[&[u8]])| {
        let index: usize = show(parent.ty, &element[span.clone()]).parse().ok()?;
        name_of(ty, all.get(index)?)
    };
    others && parent_name(before).is_some_and(|name| parent_name(after) == Some(name))
}

/// The path of a child, in the form that `tree --path` takes.
fn below(path: &str, child: &Node<'_>, index: usize) -> String {
    let name = child.name();
    let label = child.label().map(|label| format!(" {label:?}")).unwrap_or_default();
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{path}{slash}{name}[{index}]{label}")
}

/// Whether two values are equal, floats within `epsilon`.
fn same(ty: Type, before: &[u8], after: &[u8], epsilon: f64) -> bool {
    if before == after {
        return true;
    }
    // An exact comparison is of bytes: -0 is not 0, and one NaN is not another.
    if epsilon <= 0.0 {
        return false;
    }
    match ty {
        Type::F32 => distance(ty, before, after).is_some_and(|distance| distance <= epsilon),
        Type::Array(element, _) => {
            let size = element.size().max(1);
            (before.chunks_exact(size).zip(after.chunks_exact(size)))
                .all(|(left, right)| same(*element, left, right, epsilon))
        }
        Type::Record(schema) => schema.fields.iter().all(|field| {
            let span = field.offset..field.offset + field.ty.size();
            match (before.get(span.clone()), after.get(span)) {
                (Some(left), Some(right)) => same(field.ty, left, right, epsilon),
                _ => false,
            }
        }),
        _ => false,
    }
}

/// The largest distance between two values, if only numbers differ in them.
fn distance(ty: Type, before: &[u8], after: &[u8]) -> Option<f64> {
    if before == after {
        return Some(0.0);
    }
    match ty {
        Type::Array(element, _) => {
            let size = element.size().max(1);
            let mut pairs = before.chunks_exact(size).zip(after.chunks_exact(size));
            pairs.try_fold(0.0, |largest: f64, (left, right)| {
                Some(largest.max(distance(*element, left, right)?))
            })
        }
        Type::Record(schema) => schema.fields.iter().try_fold(0.0, |largest: f64, field| {
            let span = field.offset..field.offset + field.ty.size();
            Some(largest.max(distance(field.ty, before.get(span.clone())?, after.get(span)?)?))
        }),
        Type::Converted(conversion) => {
            distance(conversion.shown, &(conversion.show)(before), &(conversion.show)(after))
        }
        Type::U8 | Type::I8 | Type::U16 | Type::I16 | Type::U32 | Type::I32 | Type::U64 | Type::F32 => {
            // The text form of a number is exact. NaN and infinity (`"inf"`) have no distance.
            let number = |bytes| show(ty, bytes).parse::<f64>().ok();
            Some((number(before)? - number(after)?).abs())
        }
        _ => None,
    }
}
