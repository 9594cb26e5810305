//! Differences of arrays whose elements have names.

use meshwright_record::diff::{What, diff};
use meshwright_record::zerocopy::IntoBytes;
use meshwright_record::{Chars, Inline, Kind, Node, Slot, U32, records};

records! {
    /// A bone.
    pub struct Bone: 24 {
        0 name: Chars<16>, "Name.";
        16 parent_idx: U32, "Parent.";
        20 length: U32, "Length.";
    }
}

static BONES: Kind = Kind { slots: &[Slot::rest::<Bone>("bones")], ..Kind::new("BONES", &Inline) };

fn bones(list: &[(&str, u32, u32)]) -> Node<'static> {
    let bones: Vec<Bone> = list
        .iter()
        .map(|(name, parent, length)| Bone {
            name: Chars::new(name).unwrap(),
            parent_idx: (*parent).into(),
            length: (*length).into(),
        })
        .collect();
    Node::leaf(&BONES, 0, bones.as_bytes().to_vec())
}

#[test]
fn elements_are_matched_by_their_names() {
    let before = bones(&[("ROOT", u32::MAX, 0), ("ARM", 0, 5), ("HAND", 1, 2)]);
    // A bone before the others: they are the same, though their numbers and those of their parents are not.
    let after = bones(&[("ROOT", u32::MAX, 0), ("NECK", 0, 1), ("ARM", 0, 5), ("HAND", 2, 3)]);
    let changes = diff(&before, &after, 0.0);
    let [change] = &changes[..] else { panic!("{changes:?}") };
    let What::Array(array) = &change.what else { panic!("{change:?}") };
    assert_eq!((array.before, array.after, array.changed), (3, 4, 1));
    assert_eq!((array.removed.as_slice(), array.added.as_slice()), (&[][..], &["NECK".to_owned()][..]));
    assert_eq!(array.first.as_ref().map(|(at, ..)| *at), Some(2), "the hand is longer");
}

#[test]
fn a_renamed_element_is_one_difference() {
    let before = bones(&[("ROOT", 0, 0), ("ARM", 0, 5)]);
    let after = bones(&[("ROOT", 0, 0), ("LIMB", 0, 5)]);
    let changes = diff(&before, &after, 0.0);
    let [What::Array(array)] = &changes.iter().map(|change| change.what.clone()).collect::<Vec<_>>()[..]
    else {
        panic!("{changes:?}")
    };
    assert_eq!((array.changed, array.removed.len(), array.added.len()), (1, 0, 0));
}
