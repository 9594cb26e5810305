//! References by number, and how they follow when parts are added or removed.

pub(crate) mod mdx;
pub(crate) mod w3d;

use record::{I32, Kind, Node, U32};

/// The new number of each part that stays; `None` for removed parts.
pub(crate) fn renumbering(stays: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    stays
        .iter()
        .map(|stays| {
            let number = stays.then_some(next);
            next += u32::from(*stays);
            number
        })
        .collect()
}

/// The new number for a reference. References to missing parts stay as they are.
pub(crate) fn renumbered(numbers: &[Option<u32>], old: u32) -> u32 {
    usize::try_from(old).ok().and_then(|old| *numbers.get(old)?).unwrap_or(old)
}

/// Calls `see` for every node of a tree.
pub(crate) fn each<'a>(node: &mut Node<'a>, see: &mut dyn FnMut(&mut Node<'a>)) {
    see(node);
    if let Some(children) = node.children_mut() {
        children.iter_mut().for_each(|child| each(child, see));
    }
}

pub(crate) fn change_u32(field: Option<&mut U32>, see: &mut dyn FnMut(u32) -> u32) {
    if let Some(field) = field {
        field.set(see(field.get()));
    }
}

/// Negative values mean "none" and stay.
pub(crate) fn change_i32(field: Option<&mut I32>, see: &mut dyn FnMut(u32) -> u32) {
    if let Some(field) = field
        && let Ok(old) = u32::try_from(field.get())
        && let Ok(new) = i32::try_from(see(old))
    {
        field.set(new);
    }
}

/// The same where a removed part leaves "none".
pub(crate) fn change_or_none(field: Option<&mut I32>, numbers: &[Option<u32>]) {
    let Some(field) = field else { return };
    let Some(new) = usize::try_from(field.get()).ok().and_then(|old| numbers.get(old)) else { return };
    field.set(new.and_then(|new| i32::try_from(new).ok()).unwrap_or(-1));
}

/// Reduces a count by the number of removed parts.
pub(crate) fn lessen(count: &mut U32, gone: usize) {
    count.set(count.get().saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX)));
}

/// Increases a count by the number of added parts.
pub(crate) fn increase(count: &mut U32, added: usize) {
    count.set(count.get().saturating_add(u32::try_from(added).unwrap_or(u32::MAX)));
}

/// Removes the children of a kind that have no new number, by their index among children of that kind.
pub(crate) fn retain(node: &mut Node<'_>, kind: &'static Kind, numbers: &[Option<u32>]) {
    let mut index = 0;
    if let Some(children) = node.children_mut() {
        children.retain(|child| {
            if !child.is(kind) {
                return true;
            }
            index += 1;
            numbers.get(index - 1).is_none_or(Option::is_some)
        });
    }
}

/// The number of removed parts.
pub(crate) fn gone(numbers: &[Option<u32>]) -> usize {
    numbers.iter().filter(|number| number.is_none()).count()
}

/// Corrects wrong size fields after the structure of a document has changed: a reader takes them apart by what they surround, which is not
/// there any more. Returns how many were wrong.
pub(crate) fn settle_sizes(root: &mut Node<'_>) -> usize {
    let mut wrong = 0;
    each(root, &mut |node| {
        if node.size_delta != 0 && node.kind.framing.explain_size_delta(node).is_some() {
            node.size_delta = 0;
            wrong += 1;
        }
    });
    wrong
}
