//! Typed handles: reading, changing and building through them.

use meshwright_record::{
    Body, Branch, Chars, Counted, Handle, Headed, Inline, Kind, Node, Raw, Slot, U32, Vec3, build, records,
};

records! {
    /// A head.
    pub struct Head: 20 {
        0 name: Chars<16>, "Name.";
        16 points: U32, "Number of points.";
    }
}

macro_rules! handles {
    ($($name:ident: $content:ty, $branch:literal, [$($slot:expr),*];)*) => { $(
        const $name: Handle<$content> = {
            static KIND: Kind = Kind { id: 7, branch: $branch, slots: &[$($slot),*], ..Kind::new(stringify!($name), &Inline) };
            Handle::new(&KIND, &KIND)
        };
    )* };
}

handles! {
    PARENT: Branch, true, [];
    HEAD: Head, false, [Slot::one::<Head>("head")];
    POINTS: [Vec3], false, [Slot::rest::<Vec3>("points")];
    NAME: str, false, [Slot::text("name")];
    PAIRS: Counted<[U32; 2]>, false, [Slot::one::<U32>("count"), Slot::rest::<[U32; 2]>("pairs")];
    MIXED: Headed<Head>, false, [Slot::one::<Head>("head"), Slot::rest::<Vec3>("points")];
    BYTES: Raw, false, [Slot::raw("bytes")];
}

fn head(name: &str) -> Head {
    Head { name: Chars::new(name).unwrap(), points: U32::new(1) }
}

fn parent() -> Node<'static> {
    build(
        PARENT,
        vec![
            build(HEAD, &head("A")),
            build(POINTS, &[Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]),
            build(NAME, "name"),
            build(PAIRS, &[[1, 2].map(U32::new), [3, 4].map(U32::new)]),
            build(MIXED, (&head("B"), &[0; 12])),
            build(BYTES, &[1, 2, 3]),
            build(PARENT, vec![build(NAME, "inner")]),
        ],
    )
}

#[test]
fn each_content_is_read_as_its_type() {
    let node = parent();
    assert_eq!(node.get(HEAD).map(|head| head.name.to_string()).as_deref(), Some("A"));
    assert_eq!(node.get(POINTS)[1].get(), [4.0, 5.0, 6.0]);
    assert_eq!(node.get(NAME).as_deref(), Some("name"));
    assert_eq!(node.get(PAIRS), [[1, 2].map(U32::new), [3, 4].map(U32::new)]);
    assert_eq!(node.get(MIXED).map(|head| head.name.to_string()).as_deref(), Some("B"));
    assert_eq!(node.get(BYTES), [1, 2, 3]);
    assert_eq!(node.get(PARENT).and_then(|inner| inner.get(NAME)).as_deref(), Some("inner"));
    assert_eq!(node.get_all(NAME).flatten().collect::<Vec<_>>(), ["name"]);
    assert_eq!((node.id, node.children()[0].id), (7, 7), "new nodes get the id of their kind");
}

#[test]
fn absent_children_are_empty() {
    let node = build(PARENT, vec![]);
    assert!(node.get(HEAD).is_none() && node.get(NAME).is_none() && node.get(PARENT).is_none());
    assert!(node.get(POINTS).is_empty() && node.get(PAIRS).is_empty() && node.get(BYTES).is_empty());
    assert_eq!(node.clone().set(NAME, "x"), None);
}

#[test]
fn a_count_is_written_before_its_values() {
    let node = build(PAIRS, &[[1, 2].map(U32::new)]);
    assert_eq!(node.bytes(), [1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
}

#[test]
fn setting_a_value_keeps_everything_else() {
    let mut node = parent();
    let text = node.child_mut(&NAME).unwrap();
    text.body = Body::Leaf(b"old\0junk".into());
    assert_eq!(node.set(NAME, "longer"), Some(()));
    assert_eq!(node.child(&NAME).unwrap().bytes(), b"longer\0junk");
    node.set(PAIRS, &[[9, 9].map(U32::new); 3]).unwrap();
    assert_eq!(node.child(&PAIRS).unwrap().bytes()[..8], [3, 0, 0, 0, 9, 0, 0, 0]);
    assert_eq!(node.get(PAIRS).len(), 3);
    node.get_mut(MIXED).unwrap().points.set(5);
    assert_eq!(node.child(&MIXED).unwrap().bytes().len(), 32);
    node.get_mut(POINTS)[0] = Vec3::default();
    assert_eq!(node.get(POINTS)[1].get(), [4.0, 5.0, 6.0]);
    node.set(HEAD, &head("C")).unwrap();
    assert_eq!(node.get(HEAD).unwrap().name.to_string(), "C");
}

#[test]
fn text_without_a_nul_gets_one() {
    let mut node = build(PARENT, vec![Node::leaf(NAME.kind, 7, b"open".to_vec())]);
    node.set(NAME, "closed").unwrap();
    assert_eq!(node.children()[0].bytes(), b"closed\0");
}

#[test]
fn text_that_the_encoding_lacks_becomes_a_question_mark() {
    assert_eq!(build(NAME, "a\u{4e2d}\u{20ac}").bytes(), b"a?\x80\0");
}
