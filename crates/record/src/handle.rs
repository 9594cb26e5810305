//! Typed handles: a row of a format's table together with the Rust type of what it holds.
//!
//! The type parameter of a [`Handle`] is a [`Content`]. It decides what [`Node::get`] gives and what [`build`] takes:
//!
//! | content | body | [`Node::get`] | [`build`] |
//! |---|---|---|---|
//! | `T` | one value | `Option<&T>` | `&T` |
//! | `[T]` | values to the end | `&[T]` | `&[T]` |
//! | `str` | a string | `Option<Cow<str>>` | `&str` |
//! | [`Counted<T>`] | a 32-bit count, then values | `&[T]` | `&[T]` |
//! | [`Headed<H>`] | a header, then more | `Option<&H>` | `(&H, &[u8])` |
//! | [`Raw`] | bytes of unknown layout | `&[u8]` | `&[u8]` |
//! | [`Branch`] | nodes | `Option<&Node>` | `Vec<Node>` |

use std::borrow::Cow;
use std::marker::PhantomData;

use zerocopy::IntoBytes;

use crate::node::{Body, Kind, Node};
use crate::types::{Pod, U32};
use crate::{decode, encode};

/// A row of a format's table with the type of what it holds, so that the compiler checks how it is read and built.
///
/// It is a small `Copy` value. Where a row or a kind is wanted, a reference to the handle will do: it dereferences to its row.
///
/// ```
/// use meshwright_record::{build, Branch, Handle, Inline, Kind, Slot, Vec3};
///
/// const POINTS: Handle<[Vec3]> = {
///     static KIND: Kind = Kind { slots: &[Slot::rest::<Vec3>("points")], ..Kind::new("POINTS", &Inline) };
///     Handle::new(&KIND, &KIND)
/// };
/// const SHAPE: Handle<Branch> = {
///     static KIND: Kind = Kind { branch: true, ..Kind::new("SHAPE", &Inline) };
///     Handle::new(&KIND, &KIND)
/// };
///
/// let shape = build(SHAPE, vec![build(POINTS, &[Vec3::new(1.0, 2.0, 3.0)])]);
/// assert_eq!(shape.get(POINTS)[0].get(), [1.0, 2.0, 3.0]);
/// assert!(shape.is(&SHAPE) && shape.child(&POINTS).is_some());
/// ```
///
/// Values of another type do not compile:
///
/// ```compile_fail
/// # use meshwright_record::{build, Handle, Inline, Kind, Slot, U32, Vec3};
/// # const POINTS: Handle<[Vec3]> = {
/// #     static KIND: Kind = Kind { slots: &[Slot::rest::<Vec3>("points")], ..Kind::new("POINTS", &Inline) };
/// #     Handle::new(&KIND, &KIND)
/// # };
/// build(POINTS, &[U32::new(1)]);
/// ```
pub struct Handle<T: ?Sized, R: 'static = Kind> {
    /// The row of the format's table.
    pub row: &'static R,
    /// Its kind.
    pub kind: &'static Kind,
    content: PhantomData<fn(&T)>,
}

impl<T: ?Sized, R> Handle<T, R> {
    /// The handle of a row. Whoever declares it makes sure that the kind's slots hold `T`.
    pub const fn new(row: &'static R, kind: &'static Kind) -> Self {
        Self { row, kind, content: PhantomData }
    }
}

impl<T: ?Sized, R> Clone for Handle<T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized, R> Copy for Handle<T, R> {}

impl<T: ?Sized, R> std::fmt::Debug for Handle<T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.name)
    }
}

impl<T: ?Sized, R> std::ops::Deref for Handle<T, R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.row
    }
}

/// The content type of a [`Handle`]; see the [table](crate::Handle).
pub trait Content {
    /// The result of [`Node::get`].
    type Ref<'n>;
    /// The result of [`Node::get_mut`].
    type Mut<'n, 'a: 'n>;
    /// The argument of [`build`].
    type Value<'v, 'a>;

    /// Reads a node. An absent node gives an empty value.
    fn read<'n>(node: Option<&'n Node<'n>>) -> Self::Ref<'n>;

    /// Reads a node, to change it in place.
    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> Self::Mut<'n, 'a>;

    /// The body of a new node.
    fn body<'a>(value: Self::Value<'_, 'a>) -> Body<'a>;

    /// Replaces what a node holds and keeps the bytes that no value covers.
    fn replace<'a>(node: &mut Node<'a>, value: Self::Value<'_, 'a>) -> Option<()>;
}

/// A node made of other nodes.
#[derive(Clone, Copy, Debug)]
pub struct Branch;

/// Bytes of unknown layout.
#[derive(Clone, Copy, Debug)]
pub struct Raw;

/// A 32-bit count, then that many values of another type.
#[derive(Clone, Copy, Debug)]
pub struct Counted<T>(PhantomData<fn(&T)>);

/// A header, then the slots of [`Kind::slots`].
#[derive(Clone, Copy, Debug)]
pub struct Headed<H>(PhantomData<fn(&H)>);

fn leaf(bytes: &[u8]) -> Body<'static> {
    Body::Leaf(Cow::Owned(bytes.to_vec()))
}

impl<T: Pod> Content for T {
    type Ref<'n> = Option<&'n T>;
    type Mut<'n, 'a: 'n> = Option<&'n mut T>;
    type Value<'v, 'a> = &'v T;

    fn read<'n>(node: Option<&'n Node<'n>>) -> Option<&'n T> {
        node?.value()
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> Option<&'n mut T> {
        node?.value_mut()
    }

    fn body<'a>(value: &T) -> Body<'a> {
        leaf(value.as_bytes())
    }

    fn replace<'a>(node: &mut Node<'a>, value: &T) -> Option<()> {
        *node.value_mut()? = *value;
        Some(())
    }
}

impl<T: Pod> Content for [T] {
    type Ref<'n> = &'n [T];
    type Mut<'n, 'a: 'n> = &'n mut [T];
    type Value<'v, 'a> = &'v [T];

    fn read<'n>(node: Option<&'n Node<'n>>) -> &'n [T] {
        node.map(Node::values).unwrap_or_default()
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> &'n mut [T] {
        node.map(Node::values_mut).unwrap_or_default()
    }

    fn body<'a>(value: &[T]) -> Body<'a> {
        leaf(value.as_bytes())
    }

    fn replace<'a>(node: &mut Node<'a>, value: &[T]) -> Option<()> {
        node.set_values(value)
    }
}

impl<T: Pod> Content for Counted<T> {
    type Ref<'n> = &'n [T];
    type Mut<'n, 'a: 'n> = &'n mut [T];
    type Value<'v, 'a> = &'v [T];

    fn read<'n>(node: Option<&'n Node<'n>>) -> &'n [T] {
        <[T]>::read(node)
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> &'n mut [T] {
        <[T]>::read_mut(node)
    }

    fn body<'a>(value: &[T]) -> Body<'a> {
        leaf(&[count(value).as_bytes(), value.as_bytes()].concat())
    }

    fn replace<'a>(node: &mut Node<'a>, value: &[T]) -> Option<()> {
        // The values are replaced first, because the old count says how many there are.
        node.set_values(value)?;
        *node.value_mut()? = count(value);
        Some(())
    }
}

fn count<T>(values: &[T]) -> U32 {
    U32::new(u32::try_from(values.len()).unwrap_or(u32::MAX))
}

impl<H: Pod> Content for Headed<H> {
    type Ref<'n> = Option<&'n H>;
    type Mut<'n, 'a: 'n> = Option<&'n mut H>;
    type Value<'v, 'a> = (&'v H, &'v [u8]);

    fn read<'n>(node: Option<&'n Node<'n>>) -> Option<&'n H> {
        node?.value()
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> Option<&'n mut H> {
        node?.value_mut()
    }

    fn body<'a>((header, rest): (&H, &[u8])) -> Body<'a> {
        leaf(&[header.as_bytes(), rest].concat())
    }

    fn replace<'a>(node: &mut Node<'a>, value: (&H, &[u8])) -> Option<()> {
        node.bytes_mut()?;
        node.body = Self::body(value);
        Some(())
    }
}

impl Content for Raw {
    type Ref<'n> = &'n [u8];
    type Mut<'n, 'a: 'n> = Option<&'n mut Vec<u8>>;
    type Value<'v, 'a> = &'v [u8];

    fn read<'n>(node: Option<&'n Node<'n>>) -> &'n [u8] {
        node.map(Node::bytes).unwrap_or_default()
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> Option<&'n mut Vec<u8>> {
        node?.bytes_mut()
    }

    fn body<'a>(value: &[u8]) -> Body<'a> {
        leaf(value)
    }

    fn replace<'a>(node: &mut Node<'a>, value: &[u8]) -> Option<()> {
        *node.bytes_mut()? = value.to_vec();
        Some(())
    }
}

/// Text is Windows-1252 on disk. Characters that the encoding lacks are written as `?`; [`encode`] detects them.
impl Content for str {
    type Ref<'n> = Option<Cow<'n, str>>;
    type Mut<'n, 'a: 'n> = Option<&'n mut Node<'a>>;
    type Value<'v, 'a> = &'v str;

    fn read<'n>(node: Option<&'n Node<'n>>) -> Option<Cow<'n, str>> {
        node?.text().map(decode)
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> Option<&'n mut Node<'a>> {
        node
    }

    fn body<'a>(value: &str) -> Body<'a> {
        leaf(&[&encode_lossy(value)[..], &[0]].concat())
    }

    fn replace<'a>(node: &mut Node<'a>, value: &str) -> Option<()> {
        node.set_text(&encode_lossy(value))
    }
}

fn encode_lossy(text: &str) -> Vec<u8> {
    let byte = |character: char| {
        let mut buffer = [0; 4];
        encode(character.encode_utf8(&mut buffer)).and_then(|bytes| bytes.first().copied()).unwrap_or(b'?')
    };
    text.chars().map(byte).collect()
}

impl Content for Branch {
    type Ref<'n> = Option<&'n Node<'n>>;
    type Mut<'n, 'a: 'n> = Option<&'n mut Node<'a>>;
    type Value<'v, 'a> = Vec<Node<'a>>;

    fn read<'n>(node: Option<&'n Node<'n>>) -> Option<&'n Node<'n>> {
        node
    }

    fn read_mut<'n, 'a: 'n>(node: Option<&'n mut Node<'a>>) -> Option<&'n mut Node<'a>> {
        node
    }

    fn body<'a>(value: Self::Value<'_, 'a>) -> Body<'a> {
        Body::Branch(value)
    }

    fn replace<'a>(node: &mut Node<'a>, value: Vec<Node<'a>>) -> Option<()> {
        *node.children_mut()? = value;
        Some(())
    }
}

/// A node of a handle's kind that holds a value. Sizes and counts before its body follow when it is written.
pub fn build<'a, T: Content + ?Sized, R>(handle: Handle<T, R>, value: T::Value<'_, 'a>) -> Node<'a> {
    Node { kind: handle.kind, id: handle.kind.id, size_delta: 0, body: T::body(value) }
}

impl<'a> Node<'a> {
    /// The content of the first child of a handle's kind; empty if there is no such child.
    pub fn get<T: Content + ?Sized, R>(&self, handle: Handle<T, R>) -> T::Ref<'_> {
        T::read(self.child(handle.kind))
    }

    /// The contents of the children of a handle's kind.
    pub fn get_all<T: Content + ?Sized, R>(&self, handle: Handle<T, R>) -> impl Iterator<Item = T::Ref<'_>> {
        self.all(handle.kind).map(|child| T::read(Some(child)))
    }

    /// The content of the first child of a handle's kind, to change it in place.
    pub fn get_mut<T: Content + ?Sized, R>(&mut self, handle: Handle<T, R>) -> T::Mut<'_, 'a> {
        T::read_mut(self.child_mut(handle.kind))
    }

    /// Replaces the content of the first child of a handle's kind. Bytes that no value covers stay. `None` if there is no
    /// such child, or it is too damaged to hold the value. If another node states the count, the caller has to change it
    /// too.
    pub fn set<T: Content + ?Sized, R>(
        &mut self,
        handle: Handle<T, R>,
        value: T::Value<'_, 'a>,
    ) -> Option<()> {
        T::replace(self.child_mut(handle.kind)?, value)
    }
}
