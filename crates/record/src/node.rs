//! The tree of a document. A node is either bytes or other nodes, and has a [`Kind`] that describes it.
//!
//! A format crate turns a file into nodes without losing a byte. Every byte of the file is either in the body of a leaf,
//! or is computed from the nodes that it frames; where the file disagrees, the difference is stored
//! ([`Node::size_delta`]). Writing is therefore exact by construction. Editing changes a body, and all sizes above it
//! follow.

use std::borrow::Cow;

use zerocopy::{FromBytes, IntoBytes};

use crate::error::Error;
use crate::types::{Pod, Type};

/// The kind of a node: one row of a format's table.
pub struct Kind {
    /// The name, as in the format's documents.
    pub name: &'static str,
    /// Description.
    pub doc: &'static str,
    /// The id or tag that new nodes get; 0 where the framing writes none.
    pub id: u32,
    /// The header before the body.
    pub framing: &'static dyn Framing,
    /// Whether the body is made of other nodes.
    pub branch: bool,
    /// The layout of a leaf's body.
    pub slots: &'static [Slot],
    /// The name that people gave this part, such as a mesh's.
    pub label: Option<fn(&Node<'_>) -> Option<String>>,
    /// The kind that this one is a variant of: the same bytes, but values with other names. `None` for most kinds.
    pub base: Option<&'static Kind>,
}

impl Kind {
    /// A leaf without slots, to be completed: `Kind { slots: .., ..Kind::new("NAME", &Inline) }`.
    pub const fn new(name: &'static str, framing: &'static dyn Framing) -> Self {
        Self { name, doc: "", id: 0, framing, branch: false, slots: &[], label: None, base: None }
    }
}

impl Kind {
    /// Whether two kinds are equal except for the names of values. Kinds are statics: identity is by address.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.base.is_some() || other.base.is_some())
                && std::ptr::eq(self.base.unwrap_or(self), other.base.unwrap_or(other))
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The header of a node: an id, a size word, both or nothing.
pub trait Framing: Sync {
    /// The word that names such a node in the text form: `chunk`, `micro`, `part`.
    fn word(&self) -> &'static str;

    /// The length of the header in bytes.
    fn header_len(&self) -> usize;

    /// Writes the header. `body_len` is the length of the body; [`Node::size_delta`] is added to the size word.
    /// `None` if the length does not fit the size word.
    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()>;

    /// Explains a [`Node::size_delta`] that is not zero: stable code suffix, severity, message.
    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding>;
}

/// A finding without its place: see [`Framing::explain_size_delta`].
pub type Finding = (&'static str, crate::Severity, String);

/// No framing: bytes directly in their parent, such as a struct before the first child.
pub struct Inline;

impl Framing for Inline {
    fn word(&self) -> &'static str {
        "part"
    }

    fn header_len(&self) -> usize {
        0
    }

    fn write_header(&self, _: &Node<'_>, _: usize, _: &mut [u8]) -> Option<()> {
        Some(())
    }

    fn explain_size_delta(&self, _: &Node<'_>) -> Option<Finding> {
        None
    }
}

/// Trailing bytes after a parent's last child.
pub static LEFTOVER: Kind =
    Kind { doc: "Trailing bytes in the parent, too few for a child.", ..Kind::new("LEFTOVER", &Inline) };

/// A named stretch of a leaf's body.
#[derive(Debug)]
pub struct Slot {
    /// Name.
    pub name: &'static str,
    /// Its content.
    pub item: Item,
    /// The number of items.
    pub count: Count,
}

/// The content of a [`Slot`].
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// Values of one type.
    Value(Type),
    /// A string; the count is in bytes, a terminating NUL included.
    Text,
    /// Characters without a terminating NUL, as in formats that are text; the count is in bytes.
    Plain,
    /// Texts of different lengths one after the other, as in [`Item::Plain`]; the count is in bytes. The function gives the length of the
    /// first one of the bytes that remain, at least 1.
    Pieces(fn(&[u8]) -> usize),
    /// Bytes whose layout is unknown; the count is in bytes.
    Raw,
}

/// Divides the bytes of [`Item::Pieces`].
pub fn pieces(split: fn(&[u8]) -> usize, bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let length = if rest.is_empty() { return None } else { split(rest).clamp(1, rest.len()) };
        let piece;
        (piece, rest) = rest.split_at(length);
        Some(piece)
    })
}

/// The number of items in a [`Slot`].
#[derive(Clone, Copy, Debug)]
pub enum Count {
    /// Exactly one.
    One,
    /// Every whole item up to the end of the body.
    Rest,
    /// A number computed from the body, limited by its length.
    By(fn(&[u8]) -> usize),
}

impl Item {
    /// Bytes per item.
    pub const fn size(self) -> usize {
        match self {
            Self::Value(ty) => ty.size(),
            Self::Text | Self::Plain | Self::Pieces(_) | Self::Raw => 1,
        }
    }
}

impl Slot {
    /// One record or value.
    pub const fn one<T: Pod>(name: &'static str) -> Self {
        Self { name, item: Item::Value(T::TYPE), count: Count::One }
    }

    /// Values to the end of the body.
    pub const fn rest<T: Pod>(name: &'static str) -> Self {
        Self { name, item: Item::Value(T::TYPE), count: Count::Rest }
    }

    /// Values; `count` reads their number from the body.
    pub const fn by<T: Pod>(name: &'static str, count: fn(&[u8]) -> usize) -> Self {
        Self { name, item: Item::Value(T::TYPE), count: Count::By(count) }
    }

    /// Values shown as `ty`; `count` reads their number from the body.
    pub const fn shown_by(name: &'static str, ty: Type, count: fn(&[u8]) -> usize) -> Self {
        Self { name, item: Item::Value(ty), count: Count::By(count) }
    }

    /// A string to the end of the body.
    pub const fn text(name: &'static str) -> Self {
        Self { name, item: Item::Text, count: Count::Rest }
    }

    /// A string of as many bytes as `count` finds in the body.
    pub const fn text_by(name: &'static str, count: fn(&[u8]) -> usize) -> Self {
        Self { name, item: Item::Text, count: Count::By(count) }
    }

    /// Characters to the end of the body, without a NUL.
    pub const fn plain(name: &'static str) -> Self {
        Self { name, item: Item::Plain, count: Count::Rest }
    }

    /// Characters without a NUL; `count` finds their number in the body.
    pub const fn plain_by(name: &'static str, count: fn(&[u8]) -> usize) -> Self {
        Self { name, item: Item::Plain, count: Count::By(count) }
    }

    /// Texts to the end of the body; `split` gives the length of the first one.
    pub const fn pieces(name: &'static str, split: fn(&[u8]) -> usize) -> Self {
        Self { name, item: Item::Pieces(split), count: Count::Rest }
    }

    /// Bytes of unknown layout to the end of the body.
    pub const fn raw(name: &'static str) -> Self {
        Self { name, item: Item::Raw, count: Count::Rest }
    }
}

/// One node of a document.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// Its kind.
    pub kind: &'static Kind,
    /// The id or tag on disk; meaningful where the framing writes one.
    pub id: u32,
    /// The stored size word minus the size that the body implies (wrapping). Zero in a valid file.
    pub size_delta: u32,
    /// Its bytes or its children.
    pub body: Body<'a>,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// Bytes, borrowed from the file until they are changed.
    Leaf(Cow<'a, [u8]>),
    /// Other nodes, in file order.
    Branch(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    /// A leaf.
    pub fn leaf(kind: &'static Kind, id: u32, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { kind, id, size_delta: 0, body: Body::Leaf(bytes.into()) }
    }

    /// A branch.
    pub const fn branch(kind: &'static Kind, id: u32, children: Vec<Self>) -> Self {
        Self { kind, id, size_delta: 0, body: Body::Branch(children) }
    }

    /// The children; empty for a leaf.
    pub fn children(&self) -> &[Self] {
        match &self.body {
            Body::Leaf(_) => &[],
            Body::Branch(children) => children,
        }
    }

    /// The children, to add, remove or move them; `None` if it is a leaf.
    pub const fn children_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.body {
            Body::Leaf(_) => None,
            Body::Branch(children) => Some(children),
        }
    }

    /// The bytes of a leaf; empty for a branch.
    pub fn bytes(&self) -> &[u8] {
        match &self.body {
            Body::Leaf(bytes) => bytes,
            Body::Branch(_) => &[],
        }
    }

    /// The bytes of a leaf, to change them; `None` if it is a branch.
    pub fn bytes_mut(&mut self) -> Option<&mut Vec<u8>> {
        match &mut self.body {
            Body::Leaf(bytes) => Some(bytes.to_mut()),
            Body::Branch(_) => None,
        }
    }

    /// Whether it is of this kind or of a variant of it.
    pub fn is(&self, kind: &Kind) -> bool {
        self.kind.same(kind)
    }

    /// The name that people gave this part.
    pub fn label(&self) -> Option<String> {
        self.kind.label.and_then(|label| label(self)).filter(|label| !label.is_empty())
    }

    /// The leaf's body, slot by slot.
    pub fn slots(&self) -> Slots<'_> {
        Slots { slots: self.kind.slots, body: self.bytes(), position: 0 }
    }

    /// The value of the first slot that holds one `T`.
    pub fn value<T: Pod>(&self) -> Option<&T> {
        let (_, bytes) = self.stretch::<T>()?;
        T::ref_from_prefix(bytes).ok().map(|(value, _)| value)
    }

    /// The same, to change it in place.
    pub fn value_mut<T: Pod>(&mut self) -> Option<&mut T> {
        let (start, _) = self.stretch::<T>()?;
        let bytes = self.bytes_mut()?.get_mut(start..)?;
        T::mut_from_prefix(bytes).ok().map(|(value, _)| value)
    }

    /// The values of the first slot that holds `T`s.
    pub fn values<T: Pod>(&self) -> &[T] {
        self.stretch::<T>().and_then(|(_, bytes)| <[T]>::ref_from_bytes(bytes).ok()).unwrap_or_default()
    }

    /// The same, to change them in place.
    pub fn values_mut<T: Pod>(&mut self) -> &mut [T] {
        let Some((start, length)) = self.stretch::<T>().map(|(start, bytes)| (start, bytes.len())) else {
            return Default::default();
        };
        self.bytes_mut()
            .and_then(|bytes| bytes.get_mut(start..start + length))
            .and_then(|bytes| <[T]>::mut_from_bytes(bytes).ok())
            .unwrap_or_default()
    }

    /// Replaces the values of the first slot that holds `T`s by any number of others. The bytes before and after stay.
    /// `None` if there is no such slot. The caller also has to change the count in a header.
    pub fn set_values<T: Pod>(&mut self, values: &[T]) -> Option<()> {
        let (start, length) = match self.stretch::<T>() {
            Some((start, bytes)) => (start, bytes.len()),
            None => (self.empty_stretch::<T>()?, 0),
        };
        self.bytes_mut()?.splice(start..start + length, values.as_bytes().iter().copied());
        Some(())
    }

    /// The text of the first string slot, without the NUL and the bytes after it.
    pub fn text(&self) -> Option<&[u8]> {
        let mut slots = self.slots();
        slots
            .find(|part| matches!(part.slot.item, Item::Text))
            .map(|part| crate::chars::until_nul(part.bytes))
    }

    /// Replaces the text of the first string slot. The NUL and the bytes after it stay; a NUL is added if there is none.
    /// `None` if there is no such slot. The caller also has to change the length in a field.
    pub fn set_text(&mut self, text: &[u8]) -> Option<()> {
        let mut slots = self.slots();
        let part = std::iter::from_fn(|| slots.step()).find(|part| matches!(part.slot.item, Item::Text))?;
        let end = part.start + crate::chars::until_nul(part.bytes).len();
        let terminated = part.bytes.contains(&0);
        let range = part.start..end;
        let terminator: &[u8] = if terminated { &[] } else { &[0] };
        self.bytes_mut()?.splice(range, text.iter().chain(terminator).copied());
        Some(())
    }

    #[inline]
    fn stretch<T: Pod>(&self) -> Option<(usize, &[u8])> {
        let mut slots = self.slots();
        let part = slots.find(|part| matches!(part.slot.item, Item::Value(ty) if ty.same(T::TYPE)))?;
        Some((part.start, part.bytes))
    }

    /// The offset at which the first slot for `T`s would start.
    fn empty_stretch<T: Pod>(&self) -> Option<usize> {
        let mut slots = self.slots();
        while let Some(part) = slots.step() {
            if part.bytes.is_empty() && matches!(part.slot.item, Item::Value(ty) if ty.same(T::TYPE)) {
                return Some(part.start);
            }
        }
        None
    }

    /// The first child of a kind.
    pub fn child(&self, kind: &Kind) -> Option<&Self> {
        self.children().iter().find(|child| child.is(kind))
    }

    /// The first child of a kind, to change it.
    pub fn child_mut(&mut self, kind: &Kind) -> Option<&mut Self> {
        self.children_mut()?.iter_mut().find(|child| child.is(kind))
    }

    /// The children of a kind.
    pub fn all(&self, kind: &'static Kind) -> impl Iterator<Item = &Self> {
        self.children().iter().filter(move |child| child.is(kind))
    }

    /// Length on disk, header included.
    pub fn len(&self) -> usize {
        self.kind.framing.header_len() + self.body_len()
    }

    /// Length of the body.
    pub fn body_len(&self) -> usize {
        match &self.body {
            Body::Leaf(bytes) => bytes.len(),
            Body::Branch(children) => children.iter().map(Self::len).sum(),
        }
    }

    /// Whether it takes no bytes on disk.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node's bytes on disk. Fails only if a part is too large for its size word.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(self.len());
        self.write(&mut out)?;
        Ok(out)
    }

    /// Appends the node's bytes.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        let body = start + self.kind.framing.header_len();
        out.resize(body, 0);
        match &self.body {
            Body::Leaf(bytes) => out.extend_from_slice(bytes),
            Body::Branch(children) => children.iter().try_for_each(|child| child.write(out))?,
        }
        let length = out.len() - body;
        self.kind.framing.write_header(self, length, &mut out[start..body]).ok_or_else(|| {
            let span = start as u64..out.len() as u64;
            Error::new(
                "RECORD-SIZE",
                span,
                format!("{} has grown to {length} bytes, more than its size word can say", self.kind.name),
            )
            .at(self.kind.name)
        })
    }

    /// Copies all borrowed bytes.
    pub fn into_owned(self) -> Node<'static> {
        let body = match self.body {
            Body::Leaf(bytes) => Body::Leaf(Cow::Owned(bytes.into_owned())),
            Body::Branch(children) => Body::Branch(children.into_iter().map(Node::into_owned).collect()),
        };
        Node { kind: self.kind, id: self.id, size_delta: self.size_delta, body }
    }
}

/// A slot with its bytes in a leaf's body.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The slot.
    pub slot: &'static Slot,
    /// Its offset in the body.
    pub start: usize,
    /// Its bytes: a whole number of items.
    pub bytes: &'a [u8],
}

/// Divides a leaf's body by its kind's slots; see [`Node::slots`].
#[derive(Clone, Debug)]
pub struct Slots<'a> {
    slots: &'static [Slot],
    body: &'a [u8],
    position: usize,
}

impl<'a> Slots<'a> {
    /// The bytes that no slot has claimed yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.body[self.position..]
    }

    /// The offset of these bytes in the body.
    pub const fn position(&self) -> usize {
        self.position
    }
}

impl<'a> Slots<'a> {
    /// The next slot, even if it is empty. If a slot with [`Count::One`] does not fit, the division ends and the
    /// remaining bytes are in [`Slots::rest`].
    #[inline]
    fn step(&mut self) -> Option<Part<'a>> {
        let (slot, slots) = self.slots.split_first()?;
        let ahead = self.rest();
        let size = slot.item.size();
        let fitting = |size: usize| ahead.len() / size.max(1);
        let count = match slot.count {
            Count::One if ahead.len() < size.max(1) => {
                self.slots = &[];
                return None;
            }
            // Most slots take this path, the only one without a division.
            Count::One => 1,
            Count::Rest => fitting(size),
            Count::By(count) => count(self.body).min(fitting(size)),
        };
        self.slots = slots;
        let start = self.position;
        let bytes = &ahead[..count * size];
        self.position += bytes.len();
        Some(Part { slot, start, bytes })
    }
}

/// Yields the slots that are not empty.
impl<'a> Iterator for Slots<'a> {
    type Item = Part<'a>;

    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        loop {
            let part = self.step()?;
            if !part.bytes.is_empty() {
                return Some(part);
            }
        }
    }
}
